use super::*;
use crate::{edit::Tag, input::lines};

const INPUT: End = End::Input { newline: true };

fn shown(text: &str, end: End) -> String {
    let lines = lines(text.as_bytes());
    let section = read(&lines, end);
    let mut out: Vec<String> = section.items.iter().map(item).collect();
    if section.used < lines.len() {
        out.push(format!("used {}", section.used));
    }
    out.join("\n")
}

/// The items of a sealed envelope around `body`.
fn patch(body: &str) -> String {
    shown(&format!("*** Begin Patch\n{body}*** End Patch\n"), INPUT)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn item(item: &Item<'_>) -> String {
    let edit = match item {
        Item::Fault(fault) => return format!("fault {}", fault.refusal.code()),
        Item::Edit(edit) => edit,
    };
    let path = text(&edit.path.as_ref().unwrap().text);
    let moved = edit.move_to.as_ref().map_or(String::new(), |to| format!(" to {}", text(&to.text)));
    let op = match &edit.op {
        Op::Create { lines } => {
            format!(" create {}", lines.cut().iter().map(|l| text(&l.text)).collect::<Vec<_>>().join("|"))
        }
        Op::Delete { old: None } => " delete".into(),
        Op::Update { hunks } => hunks.iter().map(hunk).collect(),
        other => panic!("{other:?}"),
    };
    path + &moved + &op
}

fn hunk(hunk: &crate::edit::Hunk<'_>) -> String {
    let line = |line: &crate::edit::HunkLine<'_>| {
        let tag = match line.tag {
            Tag::Keep => "=",
            Tag::Remove => "-",
            Tag::Add => "+",
        };
        format!("{tag}{}{}", text(&line.text), if line.eol == Eol::None { "$" } else { "" })
    };
    let bodies: Vec<String> =
        hunk.readings.iter().map(|body| body.lines.iter().map(line).collect::<Vec<_>>().join("|")).collect();
    let anchors: String = hunk.hints.anchors.iter().map(|anchor| format!("[{}]", text(anchor))).collect();
    let stated = hunk.hints.stated.map_or(String::new(), |s| format!("@{},{}", s.old_start, s.old_count));
    let eof = if hunk.hints.at_eof { " EOF" } else { "" };
    format!("\n  {anchors}{stated}{}{eof}", bodies.join(" OR "))
}

#[test]
fn the_three_sections() {
    let body = "*** Add File: n\n+1\n+\n*** Update File: f\n@@\n a\n-b\n+c\n*** Delete File: o\n";
    assert_eq!(patch(body), "n create 1|\nf\n  =a|-b|+c\no delete");
}

#[test]
fn headers_in_all_spellings() {
    for header in ["*** update file: f", "*** Update File:f", "*** Update File:  `f`", "  *** Update File: f"]
    {
        assert_eq!(patch(&format!("{header}\n@@\n-a\n+b\n")), "f\n  -a|+b", "{header}");
    }
    let second = "*** Update File: f\n@@\n-a\n+b\n  *** Update File: g\n@@\n-x\n+y\n";
    assert_eq!(patch(second), "f\n  -a|+b\ng\n  -x|+y");
}

#[test]
fn markers_as_content_stay_content() {
    let body = "*** Update File: f\n@@\n *** Begin Patch\n *** Update File: x\n-*** End Patch\n+***\n";
    assert_eq!(patch(body), "f\n  =*** Begin Patch|=*** Update File: x|-*** End Patch|+***");
    assert_eq!(patch("*** Add File: n\n+*** Delete File: f\n"), "n create *** Delete File: f");
}

#[test]
fn anchors() {
    assert_eq!(
        patch("*** Update File: f\n@@ class B:\n@@   def g():\n-x\n+y\n"),
        "f\n  [class B:][  def g():]-x|+y"
    );
    assert_eq!(patch("*** Update File: f\n@@ class B:\n@@\n-x\n+y\n"), "f\n  [class B:]-x|+y");
    assert_eq!(patch("*** Update File: f\n@@class B:\n-x\n@@\n-z\n"), "f\n  [class B:]-x\n  -z");
    assert_eq!(patch("*** Update File: f\n@@ -2,1 +2,1 @@\n-b\n+B\n"), "f\n  @2,1-b|+B");
    assert_eq!(patch("*** Update File: f\n@@ -3,2 +3,2 @@ def g():\n-b\n+B\n"), "f\n  [def g():]@3,2-b|+B");
    assert_eq!(patch("*** Update File: f\n@@\n def g():\n@@\n-b\n+B\n"), "f\n  [def g():]-b|+B");
}

#[test]
fn chunks() {
    assert_eq!(patch("*** Update File: f\n a\n-b\n+c\n"), "f\n  =a|-b|+c");
    assert_eq!(patch("*** Update File: f\n@@\n-a\n+b\n\\ No newline at end of file\n"), "f\n  -a|+b$");
    assert_eq!(patch("*** Update File: f\n@@\n-a\n+b\n*** End of File\n\n@@\n-c\n"), "f\n  -a|+b EOF\n  -c");
    assert_eq!(
        patch("*** Update File: f\n@@\n-a\n+b\n\n*** Delete File: g\n"),
        "f\n  -a|+b OR -a|+b|=\ng delete"
    );
    assert_eq!(
        patch("*** Update File: f\n@@\ndef f():\n    x\n-    y\n"),
        "f\n  =def f():|=   x|-    y OR =def f():|=    x|-    y"
    );
}

#[test]
fn moves() {
    assert_eq!(patch("*** Update File: f\n  *** Move to: g\n@@\n-a\n+b\n"), "f to g\n  -a|+b");
    assert_eq!(patch("*** Update File: f\n*** Move to: g\n"), "f to g");
    assert_eq!(patch("*** Update File: f\n@@\n-a\n+b\n*** Move to: g\n"), "fault malformed");
}

#[test]
fn blank_lines_in_added_files() {
    assert_eq!(patch("*** Add File: n\n+1\n\n+2\n\n*** Delete File: f\n"), "n create 1||2\nf delete");
    assert_eq!(patch("*** Add File: n\n"), "n create ");
    assert_eq!(patch("*** Add File: n\nx\n  y\n"), "n create x|  y");
    assert_eq!(patch("*** Add File: n\n+x\ny\n"), "fault malformed");
}

#[test]
fn ends() {
    assert_eq!(shown("*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n", INPUT), "fault unfinished");
    assert_eq!(shown("*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n", End::Closed), "fault unfinished");
    assert_eq!(shown("*** Update File: f\n@@\n-a\n+b\n*** End Patch\n", INPUT), "f\n  -a|+b");
    assert_eq!(shown("*** Update File: f\n@@\n-a\n+b\n", INPUT), "f\n  -a|+b");
    assert_eq!(shown("*** Update File: f\n@@\n-a\n+b", End::Input { newline: false }), "fault unfinished");
    assert_eq!(patch("*** Update File: f\n@@\n-a\n+b\n*** End Patch\n"), "f\n  -a|+b");
    assert_eq!(
        patch("*** Update File: f\n@@\n-a\n+b\n*** End Patch\n*** Delete File: g\n"),
        "f\n  -a|+b\ng delete"
    );
    let inner = "*** Begin Patch\n*** Delete File: f\n*** End Patch\n*** Update File: g\n@@\n-a\n";
    assert_eq!(shown(inner, INPUT), "f delete\nfault unfinished");
    assert_eq!(
        shown(" *** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch \n", INPUT),
        "f\n  -a|+b"
    );
    let indented = "  *** Begin Patch\n  *** Update File: f\n  @@\n   a\n  -b\n  *** End Patch\n";
    assert_eq!(shown(indented, INPUT), "f\n  =a|-b");
}

#[test]
fn two_envelopes_are_two_sections() {
    let one = "*** Begin Patch\n*** Delete File: f\n*** End Patch\n";
    assert_eq!(shown(&format!("{one}\n{one}"), INPUT), "f delete\nused 3");
    let unsealed = "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n";
    assert_eq!(shown(&format!("{unsealed}{one}"), INPUT), "fault unfinished\nused 5");
}

#[test]
fn heredocs() {
    let inner = "*** Begin Patch\n*** Delete File: f\n*** End Patch\n";
    assert_eq!(shown(&format!("<<'PATCH'\n{inner}PATCH\n"), INPUT), "f delete");
    assert_eq!(shown(&format!("cat <<EOF | apply_patch\n{inner}EOF\nprose\n"), INPUT), "f delete\nused 5");
    assert_eq!(shown(&format!("cd x/y && apply_patch <<'EOF'\n{inner}EOF\n"), INPUT), "x/y/f delete");
    assert_eq!(
        shown(&format!("cd $X && apply_patch <<'EOF'\n{inner}EOF\n"), INPUT),
        "fault malformed\nused 4"
    );
}

#[test]
fn what_is_no_patch() {
    assert_eq!(patch(""), "fault malformed");
    assert_eq!(patch("*** Update File: f\n"), "fault malformed");
    assert_eq!(patch("*** Update File: f\n@@ def f():\n"), "fault malformed");
    assert_eq!(patch("*** Update File:\n@@\n-a\n"), "fault malformed");
    assert_eq!(patch("*** Delete File: f\n-a\n"), "fault malformed");
    assert_eq!(patch("stray\n*** Delete File: f\n"), "fault malformed\nf delete");
}

#[test]
fn prose_behind_sections_without_envelope() {
    let text = "*** Update File: f\n@@\n a\n-b\n+c\n\nThat is all.\n";
    let got = shown(text, INPUT);
    assert!(got.starts_with("f\n  =a|-b|+c OR =a|-b|+c|= OR "), "{got}");
    assert!(got.ends_with("\nused 6"), "{got}");
    assert_eq!(shown("*** Delete File: f\n\nThat is all.\n", INPUT), "f delete\nused 2");
}

#[test]
fn starts_where_a_patch_begins() {
    let starts = |text: &str| super::starts(&lines(text.as_bytes()), 0);
    for text in [
        "*** Begin Patch\n",
        "*** Update File: f\n@@\n",
        "*** Add File: f\n+x\n",
        "*** Delete File: f\n",
        "<<'EOF'\n*** Begin Patch\n",
        "apply_patch <<'EOF'\n\n*** Begin Patch\n",
    ] {
        assert!(starts(text), "{text}");
    }
    for text in
        ["*** End Patch\n", "***\n", "*** a\n--- b\n", "*** Update File: f\nprose\n", "cat <<EOF\nx\n"]
    {
        assert!(!starts(text), "{text}");
    }
}
