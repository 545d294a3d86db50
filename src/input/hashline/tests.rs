use crate::{
    edit::{Format, Op},
    input::read,
};

/// One line an edit or fault.
fn seen(input: &str) -> Vec<String> {
    let parsed = read(input.as_bytes(), None);
    let mut out: Vec<(usize, String)> = Vec::new();
    for edit in &parsed.edits {
        assert_eq!(edit.format, Format::Hashline);
        let path =
            edit.path.as_ref().map_or("-".into(), |name| String::from_utf8_lossy(&name.text).into_owned());
        let Op::Lines(lines) = &edit.op else { panic!("{edit:?}") };
        let to = edit
            .move_to
            .as_ref()
            .map_or(String::new(), |to| format!(" to {}", String::from_utf8_lossy(&to.text)));
        let gone = if lines.remove { " gone" } else { "" };
        out.push((edit.id, format!("{path} {:04X} {} ops{to}{gone}", lines.tag, lines.ops.len())));
    }
    for fault in &parsed.faults {
        out.push((fault.id, format!("fault: {}", fault.refusal)));
    }
    out.sort();
    out.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn sections() {
    for (input, want) in [
        ("[a.txt#2914]\nPUT 2.=2:\n+X\n", &["a.txt 2914 1 ops"][..]),
        ("[a.txt#2914]\n\nPUT 2:\n+X\n[b.txt#00ff]\nCUT 3\n", &["a.txt 2914 1 ops", "b.txt 00FF 1 ops"]),
        ("*** Begin Patch\n[a.txt#2914]\nPUT 2:\n+X\n*** End Patch\n", &["a.txt 2914 1 ops"]),
        ("Here:\n\n```\n[a.txt#2914]\nPUT 2:\n+```\n+X\n```\nDone.\n", &["a.txt 2914 1 ops"]),
        ("Here it is:\n\n[a.txt#2914]\nPUT 2:\n+X\n\nThis changes line two.\n", &["a.txt 2914 1 ops"]),
        ("[a.txt#2914]\nCUT 2\n\nThis cuts line two.\n", &["a.txt 2914 1 ops"]),
        ("[a.txt#2914]\nPUT 2:\n+X\n\nAnd then another one:\n\nPUT 4:\n+Y\n", &["a.txt 2914 2 ops"]),
        ("[a.txt#2914]\nREM\n", &["a.txt 2914 0 ops gone"]),
        ("[a.txt#2914]\nMV b.txt\n", &["a.txt 2914 0 ops to b.txt"]),
        ("[a.txt#2914]\n2:TWO\n4|FOUR\n", &["a.txt 2914 2 ops"]),
        ("[a.txt#2914]\n2..3:\n+X\n", &["a.txt 2914 1 ops"]),
        ("[a.txt#2914]\n5:\n+X\n", &["a.txt 2914 1 ops"]),
        ("[a.txt#2914]\n# first\nPUT 2:\n+X\n# then\nPUT 4:\n+Y\n", &["a.txt 2914 2 ops"]),
        ("[a.txt#2914]\n…\nPUT 2:\n+X\n[3 more lines in a.txt]\n", &["a.txt 2914 1 ops"]),
        ("[a.txt#2914]\nPUT >1:\n+yes\n*** Abort\nPUT >9:\n+no\n", &["a.txt 2914 1 ops"]),
        ("[Makefile#2914]\nPUT 2:\n+X\n", &["Makefile 2914 1 ops"]),
        ("[see#here]\n\nwords\n", &[]),
        ("[issue#1234]\n\nwords\n", &[]),
        ("[a.txt]\n\nwords\n", &[]),
    ] {
        assert_eq!(seen(input), want, "{input}");
    }
}

#[test]
fn faults_say_what_is_wrong() {
    for (input, part) in [
        ("[a.txt]\nPUT 2:\n+X\n", "no tag"),
        ("[a.txt#12345]\nPUT 2:\n+X\n", "four hexadecimal"),
        ("[a.txt#2914]\n@@ -2 +2 @@\n-two\n+TWO\n", "another diff format"),
        ("[a.txt#2914]\nPUT 2:\n+X\n*** Update File: b\n", "another diff format"),
        ("[a.txt#2914]\nPUT >2:\n", "nothing is to be inserted"),
        ("[a.txt#2914]\nCUT 2\n+X\n", "no operation that takes text"),
        ("[a.txt#2914]\nREM\n+X\n", "no operation that takes text"),
        ("[a.txt#2914]\nREM\nCUT 2\n", "REM stands alone"),
        ("[a.txt#2914]\nCUT 2\nREM\n", "REM stands alone"),
        ("[a.txt#2914]\nPUT >2\n+X\n", "no operation that takes text"),
        ("[a.txt#2914]\nCUT 2\nX\n", "no operation"),
        ("[a.txt#2914]\n2:B\n2:C\n", "given twice"),
        ("[a.txt#2914]\nPUT 2:\n-two\n", "CUT"),
        ("[a.txt#2914]\nPUT 2:\n...\n", "left out"),
        ("[a.txt#2914]\nSWAP 2.=3:\n+X\n", "earlier version"),
        ("[a.txt#2914]\nreplace 2..3:\n+X\n", "earlier version"),
        ("¶a.txt#291\n2-3:\n", "earlier version"),
        ("@@ a.txt\n= 3wr..5xa\n~X\n", "earlier version"),
        ("*** Begin Patch\n[a.txt#2914]\nPUT 2:\n+X", "cut off"),
        ("```\n[a.txt#2914]\nPUT 2:\n+X", "cut off"),
        ("[a.md#2914]\nPUT 2:\n```js\nx\n```\n", "cut off"),
        ("[a.txt#2914]\nPUT 2.=9:\n*** Abort\n", "cut off"),
        ("[a.txt#2914]\nMV b\nMV c\n", "twice"),
    ] {
        let seen = seen(input);
        assert!(
            seen.len() == 1 && seen[0].starts_with("fault: ") && seen[0].contains(part),
            "{input}: {seen:?}"
        );
    }
}

#[test]
fn a_section_claims_its_lines() {
    let input =
        "[a.md#2914]\nPUT 2:\n+<<<<<<< SEARCH\n+x\n+=======\n+y\n+>>>>>>> REPLACE\n+--- a/x\n+++ b/x\n";
    assert_eq!(seen(input), ["a.md 2914 1 ops"]);
}
