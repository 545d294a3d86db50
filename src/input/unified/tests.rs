use super::{
    super::{
        lines,
        section::{End, Item},
    },
    *,
};
use crate::edit::{Body, Op, Tag};

const CLOSED: End = End::Closed;
const INPUT: End = End::Input { newline: true };
const CUT: End = End::Input { newline: false };

/// What was read, one line an edit, hunk or reading.
fn shown(text: &str, end: End) -> String {
    let lines = lines(text.as_bytes());
    let section = read(&lines, end);
    let mut out: Vec<String> = section.items.iter().map(item).collect();
    if section.used < lines.len() {
        out.push(format!("used {}", section.used));
    }
    out.join("\n")
}

fn item(item: &Item<'_>) -> String {
    match item {
        Item::Fault(fault) => format!("fault {}", fault.refusal.code()),
        Item::Edit(edit) => {
            let name = |name: &Option<crate::edit::Name<'_>>| {
                name.as_ref().map_or("-".into(), |n| String::from_utf8_lossy(&n.text).into_owned())
            };
            let plain = |lines: &[crate::edit::Line<'_>]| {
                let texts: Vec<_> = lines.iter().map(|l| String::from_utf8_lossy(&l.text)).collect();
                texts.join("|")
            };
            let mut out = name(&edit.path);
            if let Some(other) = edit.path.as_ref().and_then(|n| n.other.as_ref()) {
                out += &format!(" or {}", String::from_utf8_lossy(other));
            }
            if edit.move_to.is_some() {
                out += &format!(" {} {}", if edit.copy { "copied to" } else { "to" }, name(&edit.move_to));
            }
            out += &match &edit.op {
                Op::Create { lines } => format!(" create {}", plain(&lines.cut())),
                Op::Delete { old: Some(lines) } => format!(" delete {}", plain(&lines.cut())),
                Op::Update { hunks } => hunks.iter().map(|h| bodies(&h.readings)).collect(),
                other => panic!("{other:?}"),
            };
            for note in &edit.notes {
                out += &format!("\n  note: {}", note.text);
            }
            out
        }
    }
}

fn bodies(readings: &[Body<'_>]) -> String {
    let texts: Vec<String> = readings.iter().map(body).collect();
    format!("\n  {}", texts.join(" OR "))
}

fn body(body: &Body<'_>) -> String {
    let line = |line: &crate::edit::HunkLine<'_>| {
        let tag = match line.tag {
            Tag::Keep => "=",
            Tag::Remove => "-",
            Tag::Add => "+",
        };
        let eol = if line.eol == crate::text::Eol::None { "$" } else { "" };
        format!("{tag}{}{eol}", String::from_utf8_lossy(&line.text))
    };
    body.lines.iter().map(line).collect::<Vec<_>>().join("|")
}

#[test]
fn plain_diff() {
    let text = "--- a/f\t2020\n+++ b/f\t2021\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
    assert_eq!(shown(text, INPUT), "b/f\n  =a|-b|+c");
}

#[test]
fn the_body_is_counted() {
    let text = "--- a/f\n+++ b/f\n@@ -1,9 +1,1 @@\n a\n-b\n+c\n d\n";
    assert_eq!(shown(text, CLOSED), "b/f\n  =a|-b|+c|=d\n  note: header says -9 +1, body has -3 +3");
    let surplus = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n+lost\n\nThe end.\n";
    assert_eq!(
        shown(surplus, INPUT),
        "b/f\n  =a|-b|+c|+lost OR =a|-b|+c|+lost|=\n  note: header says -2 +2, body has -2 +3\nused 8"
    );
}

#[test]
fn numberless_hunks() {
    let text = "--- f\n+++ f\n@@ ... @@\n a\n-b\n@@ class X:\n+c\n";
    assert_eq!(shown(text, CLOSED), "f\n  =a|-b\n  +c");
    assert_eq!(shown("--- f\n+++ f\n a\n-b\n+c\n", INPUT), "f\n  =a|-b|+c");
    assert_eq!(shown(" a\n-b\n+c\n", CLOSED), "-\n  =a|-b|+c");
    assert_eq!(shown("@@ ... @@\n a\n-b\n+c\n", CLOSED), "-\n  =a|-b|+c");
}

#[test]
fn removed_dashes_are_no_header() {
    let text = "--- q.sql\n+++ q.sql\n@@ ... @@\n x\n--- old note\n+-- new note\n y\n";
    assert_eq!(shown(text, CLOSED), "q.sql\n  =x|--- old note|+-- new note|=y");
    let counted = "--- a/q\n+++ b/q\n@@ -1,2 +1,2 @@\n x\n--- old\n+++ new\n@@ -9 +9 @@\n-z\n+w\n";
    assert_eq!(shown(counted, INPUT), "b/q\n  =x|--- old|+++ new\n  -z|+w");
    let header = "--- a/q\n+++ b/q\n@@ -1 +1 @@\n-x\n+y\n--- old\n+++ new\n@@ -9 +9 @@\n-z\n+w\n";
    assert_eq!(shown(header, INPUT), "b/q\n  -x|+y\nnew or old\n  -z|+w");
}

#[test]
fn a_blank_line_at_the_end_is_read_both_ways() {
    let text = "--- f\n+++ f\n@@ ... @@\n-a\n+b\n\n--- g\n+++ g\n@@ ... @@\n-c\n+d\n";
    assert_eq!(shown(text, CLOSED), "f\n  -a|+b OR -a|+b|=\ng\n  -c|+d");
    let counted = "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-a\n+b\n\n--- g\n+++ g\n@@ -1 +1 @@\n-c\n+d\n\n";
    assert_eq!(shown(counted, INPUT), "f\n  -a|+b|=\ng\n  -c|+d");
}

#[test]
fn context_without_prefix_is_read_both_ways() {
    let text = "--- f\n+++ f\n@@ ... @@\ndef f():\n    x\n-    y\n+    z\n";
    assert_eq!(shown(text, CLOSED), "f\n  =def f():|=   x|-    y|+    z OR =def f():|=    x|-    y|+    z");
}

#[test]
fn prose_is_left_alone() {
    let text = "--- f\n+++ f\n@@ ... @@\n a\n-b\n+c\n\nLet me know\n- if this\n- helps.\n";
    let both = shown(text, INPUT);
    assert!(both.starts_with("f\n  =a|-b|+c OR =a|-b|+c|= OR "), "{both}");
    assert!(both.ends_with("\nused 7"), "{both}");
    let counted = "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\nThen\n@@ -9 +9 @@\n-x\n+y\n\nDone.\n";
    assert_eq!(shown(counted, INPUT), "f\n  =a|-b|+c\n  -x|+y\nused 12");
}

#[test]
fn mail_signature_is_no_content() {
    let text = "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n-- \n2.39.0\n\n";
    assert_eq!(shown(text, INPUT), "f\n  =a|-b|+c\nused 6");
}

#[test]
fn cut_off() {
    let head = "--- f\n+++ f\n@@ -1,6 +1,6 @@\n a\n b\n-c\n+d\n";
    assert_eq!(shown(head, INPUT), "fault unfinished");
    assert_eq!(shown(&format!("{head} e\n f\n"), CUT), "fault unfinished");
    assert!(shown(&format!("{head} e\n f\n"), INPUT).starts_with("f\n"), "as many lines on both ends");
    assert_eq!(shown(&format!("{head} e\n"), INPUT), "fault unfinished");
    assert!(shown(head, CLOSED).starts_with("f\n"));
    let context = "--- f\n+++ f\n@@ -1,6 +1,6 @@\n a\n b\n";
    assert_eq!(shown(context, INPUT), "fault unfinished");
    let numberless = "--- f\n+++ f\n@@ ... @@\n a\n-b\n+c\n";
    assert_eq!(shown(numberless, End::Unclosed { newline: true }), "fault unfinished");
    assert_eq!(shown(numberless, CUT), "fault unfinished");
    assert_eq!(shown("--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c", CUT), "f\n  =a|-b|+c");
    assert_eq!(
        shown("diff --git a/f b/f\nsimilarity index 90%\nrename from f\nrename to g\n", INPUT),
        "fault malformed"
    );
}

#[test]
fn cut_off_in_a_header() {
    let whole = "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
    for piece in
        ["@", "@@", "@@ -9", "d", "diff --gi", "-", "--- a/g", "--- a/g\n+++ b/g", "diff --git a/g b/g"]
    {
        let got = shown(&format!("{whole}{piece}"), CUT);
        let refused = got.contains("fault") || got.contains("note");
        assert!(refused, "{piece}: {got}");
    }
    assert!(!shown(&format!("{whole}\n\nd\n"), INPUT).contains("fault"));
}

#[test]
fn another_wrong_count_excuses_a_short_one() {
    let text = "--- f\n+++ f\n@@ -1,5 +1,5 @@\n-a\n+b\n c\n@@ -9,5 +9,5 @@\n d\n-x\n+y\n z\n z\n";
    assert!(shown(text, INPUT).starts_with("f\n  -a|+b|=c\n  =d|-x|+y|=z|=z\n  note"));
    let right = text.replace("1,5 +1,5", "1,2 +1,2");
    assert_eq!(shown(&right, INPUT), "fault unfinished");
}

#[test]
fn one_line_miscounted_behind_full_context_is_no_cut() {
    let text = "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n@@ -9,7 +9,7 @@\n d\n d\n-x\n+y\n z\n z\n z\n";
    assert!(shown(text, INPUT).starts_with("f\n  -a|+b|=c\n  =d|=d|-x|+y|=z|=z|=z\n  note"));
    assert_eq!(shown(text.trim_end(), CUT), "fault unfinished");
    assert_eq!(shown(&text.replace("9,7 +9,7", "9,8 +9,8"), INPUT), "fault unfinished");
}

#[test]
fn create_and_delete() {
    let create = "--- /dev/null\n+++ b/n\n@@ -0,0 +1,3 @@\n+a\n\n+b\n";
    assert_eq!(shown(create, INPUT), "b/n create a||b");
    assert_eq!(shown("--- a/n\n+++ b/n\n@@ -0,0 +1 @@\n+a\n", INPUT), "b/n create a");
    assert_eq!(shown("--- /dev/null\n+++ n\n@@ ... @@\n+a\n\n", CLOSED), "n create a");
    let bad = "--- /dev/null\n+++ n\n@@ -0,0 +1,2 @@\n+a\n b\n";
    assert_eq!(shown(bad, INPUT), "fault malformed");
    assert_eq!(shown("--- a/o\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", INPUT), "a/o delete a|b");
    assert_eq!(
        shown("diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n", INPUT),
        "b/e create "
    );
    assert_eq!(
        shown("diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n", INPUT),
        "a/e delete "
    );
    let emptied = "--- a/o\n+++ b/o\n@@ -1 +0,0 @@\n-a\n";
    assert_eq!(shown(emptied, INPUT), "b/o\n  -a");
    let filled = "diff --git a/o b/o\nindex e69de29..7898192 100644\n--- a/o\n+++ b/o\n@@ -0,0 +1 @@\n+a\n";
    assert_eq!(shown(filled, INPUT), "b/o\n  +a");
}

#[test]
fn git_headers() {
    let rename = "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n";
    assert_eq!(shown(rename, INPUT), "f to g");
    let copy = "diff --git a/f b/g\nsimilarity index 90%\ncopy from f\ncopy to \"g\\t\"\n--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(shown(copy, INPUT), "f copied to g\t\n  -a|+b");
    let text = "diff --git a/f b/f\nold mode 100644\nnew mode 100755\ndiff --git a/g b/g\n";
    let lines = lines(text.as_bytes());
    let section = read(&lines, INPUT);
    let Item::Edit(edit) = &section.items[0] else { panic!() };
    assert_eq!((edit.mode.old, edit.mode.new), (Some(0o100644), Some(0o100755)));
    assert_eq!(item(&section.items[1]), "fault malformed");
}

#[test]
fn names_that_differ() {
    let text = "--- before.ts\n+++ patched.ts\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(shown(text, INPUT), "patched.ts or before.ts\n  -a|+b");
    let lone = "--- a/f\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(shown(lone, INPUT), "a/f\n  -a|+b");
}

#[test]
fn what_cannot_be_applied() {
    let binary = "diff --git a/i b/i\nindex 1..2\nBinary files a/i and b/i differ\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(shown(binary, INPUT), "fault binary\nb/f\n  -a|+b");
    let literal = "diff --git a/i b/i\nindex 1..2\nGIT binary patch\nliteral 3\nKcmZ\n\n";
    assert_eq!(shown(literal, INPUT), "fault binary");
    let combined = "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n";
    assert_eq!(shown(combined, INPUT), "fault malformed");
}

#[test]
fn line_ends() {
    let text = "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-a\n-b\n\\ No newline at end of file\n+a\n+b\n";
    assert_eq!(shown(text, INPUT), "f\n  -a|-b$|+a|+b");
    let section = lines(b"--- f\r\n+++ f\r\n@@ -1 +1 @@\r\n-a\r\n+a\n");
    let section = read(&section, INPUT);
    let Item::Edit(edit) = &section.items[0] else { panic!() };
    let Op::Update { hunks } = &edit.op else { panic!() };
    let eols: Vec<_> = hunks[0].body().lines.iter().map(|line| line.eol).collect();
    assert_eq!(eols, [crate::text::Eol::CrLf, crate::text::Eol::Lf]);
}

#[test]
fn starts_where_a_diff_begins() {
    let starts = |text: &str| starts(&lines(text.as_bytes()), 0);
    for text in [
        "diff --git a/f b/f\n",
        "diff -u a b\n--- a\n+++ b\n",
        "--- f\n+++ f\n",
        "Index: f\n====================\n--- f\n+++ f\n",
        "@@ -1,2 +3,4 @@\n a\n",
        "@@ ... @@\n a\n-b\n",
        "@@\n-b\n",
        "Binary files a/f and b/f differ\n",
        "--- f\n@@ -1 +1 @@\n-a\n",
    ] {
        assert!(starts(text), "{text}");
    }
    for text in [
        "---\ntitle: x\n---\n",
        "--- \n+++ \n",
        "- item\n+ item\n",
        "--- a ruler\n\nmore\n",
        "@@ is an operator\nof some language\n",
        "@@\n\nprose\n-x\n",
        "Index: of contents\n",
        "diff two files\n",
        "+++\ntitle = 1\n+++\n",
        "Binary files are skipped\n",
    ] {
        assert!(!starts(text), "{text}");
    }
}

#[test]
fn any_lines_are_read_to_some_end() {
    let pieces = [
        "--- a\n",
        "+++ b\n",
        "@@ -1,2 +1,2 @@\n",
        "@@\n",
        " x\n",
        "-x\n",
        "+x\n",
        "\n",
        "x\n",
        "diff --git a/f b/f\n",
    ];
    for seed in 0..4000_usize {
        let mut text = String::new();
        let mut rest = seed;
        while rest > 0 {
            text += pieces[rest % pieces.len()];
            rest /= pieces.len();
        }
        let lines = lines(text.as_bytes());
        for end in [CLOSED, INPUT, CUT] {
            if !lines.is_empty() {
                let used = read(&lines, end).used;
                assert!((1..=lines.len()).contains(&used), "{text}");
            }
        }
    }
}

/// What a diff's only edit says of bytes, or why it is refused.
fn binary(text: &str) -> String {
    let parsed = crate::input::read(text.as_bytes(), None);
    match (&parsed.edits[..], &parsed.faults[..]) {
        ([edit], []) => match &edit.op {
            Op::Binary(binary) => {
                let id = |id: &Option<Vec<u8>>| id.as_ref().map_or("-".into(), |id| id.len().to_string());
                let (forward, back) = (&binary.forward, binary.reverse.as_ref());
                let back = back.map_or("-".into(), |blob| format!("{:?}", blob.method));
                format!(
                    "{} {} {:?} {} {back}",
                    id(&binary.old),
                    id(&binary.new),
                    forward.method,
                    forward.bytes.len()
                )
            }
            other => panic!("{other:?}"),
        },
        ([], [fault]) => fault.refusal.to_string(),
        _ => panic!("{parsed:?}"),
    }
}

#[test]
fn binary_patches() {
    let (old, new, none) = ("a".repeat(40), "b".repeat(40), "0".repeat(40));
    let head = |more: &str, ids: &str| format!("diff --git a/i b/i\n{more}index {ids}\nGIT binary patch\n");
    let (literal, delta) = ("literal 3\nKc$`aQNCE%>hycU@\n\n", "delta 0\nHc$@<O00001\n\n");
    let both = format!("{old}..{new} 100644");
    for (text, want) in [
        (head("", &both) + literal + delta, "40 40 Literal 3 Delta"),
        (head("", &both) + literal, "40 40 Literal 3 -"),
        (head("", &both) + literal.trim_end(), "40 40 Literal 3 -"),
        (format!("```diff\n{}{literal}```\n", head("", &both)), "40 40 Literal 3 -"),
        (format!("{}{literal}-- \n2.47.3\n", head("", &both)), "40 40 Literal 3 -"),
        (head("new file mode 100644\n", &format!("{none}..{new}")) + literal, "- 40 Literal 3 -"),
        (
            head("deleted file mode 100644\n", &format!("{old}..{none}")) + delta + literal,
            "40 - Delta 0 Literal",
        ),
        (
            head("", &both) + "literal 3\nKc$`aRNCE%>hycU@\n\n",
            "the binary patch's data are damaged or cut off",
        ),
        (
            head("", &both) + "literal 4\nKc$`aQNCE%>hycU@\n\n",
            "the binary patch's data are damaged or cut off",
        ),
        (head("", &both) + literal + "delta 5\n", "the binary patch's data are damaged or cut off"),
        (head("", &both), "the binary patch holds no data"),
        (
            head("", "aa..bb 100644") + literal,
            "the binary patch's `index` line does not tell what it was made for",
        ),
        (
            head("", &format!("{none}..{new}")) + literal,
            "the header and its `index` line disagree on whether the file is there",
        ),
        (
            "diff --git a/i b/i\nGIT binary patch\n".to_owned() + literal,
            "the binary patch has no `index` line, which would tell what it was made for",
        ),
        (
            head("", &both) + "literal 999999999999\nKc$`aQNCE%>hycU@\n",
            "the binary patch's content is too large",
        ),
    ] {
        assert_eq!(binary(&text), want, "{text}");
    }
}

#[test]
fn a_link_is_told_by_its_mode() {
    let modes = |text: &str| {
        let parsed = crate::input::read(text.as_bytes(), None);
        let [edit] = &parsed.edits[..] else { panic!("{parsed:?}") };
        (edit.mode.old.unwrap_or(0), edit.mode.new.unwrap_or(0))
    };
    let hunk =
        "--- a/l\n+++ b/l\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n";
    assert_eq!(modes(&format!("diff --git a/l b/l\nindex 1..2 120000\n{hunk}")), (0o120_000, 0o120_000));
    assert_eq!(modes(&format!("diff --git a/l b/l\nindex 1..2 100755\n{hunk}")), (0, 0));
    let created =
        "diff --git a/l b/l\nnew file mode 120000\nindex 0..2\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+a\n";
    assert_eq!(modes(created), (0, 0o120_000));
}
