//! Edits that apply.

use crate::world::{World, block, files};

const POEM: &str = "roses are red\nviolets are blue\nsugar is sweet\n";

#[test]
fn a_block_changes_its_lines_and_nothing_else() {
    let w = World::new(&[("a.txt", POEM), ("b.txt", "b\n")]);
    w.chmod("a.txt", 0o755);
    w.applies(
        &[],
        &block("a.txt", "violets are blue\n", "violets are violet\n"),
        "ok    a.txt:2  replaced 1 line\n[M] a.txt (+1 -1)\n",
        &[("755 a.txt", "roses are red\nviolets are violet\nsugar is sweet\n"), ("b.txt", "b\n")],
    );
}

#[test]
fn several_formats_in_one_reply() {
    let w = World::new(&[("a.txt", POEM), ("gone.txt", "x\n"), ("old/name.txt", "1\n2\n")]);
    let reply = format!(
        "First:\n\n{}\nThen a diff:\n\n```diff\n--- a/old/name.txt\n+++ b/old/name.txt\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n```\n\n\
         *** Begin Patch\n*** Delete File: gone.txt\n*** Add File: new/made.txt\n+made\n*** End Patch\n",
        block("a.txt", "roses are red\n", "roses are white\n")
    );
    w.applies(
        &[],
        &reply,
        "ok    a.txt:1         replaced 1 line\n\
         ok    old/name.txt:2  replaced 1 line\n\
         ok    gone.txt        deleted\n\
         ok    new/made.txt    created, 1 line\n\
         [M] a.txt (+1 -1)\n[D] gone.txt (+0 -1)\n[A] new/made.txt (+1 -0)\n[M] old/name.txt (+1 -1)\n",
        &[
            ("a.txt", "roses are white\nviolets are blue\nsugar is sweet\n"),
            ("new/made.txt", "made\n"),
            ("old/name.txt", "1\ntwo\n"),
        ],
    );
}

#[test]
fn a_move_keeps_the_mode_and_leaves_no_empty_folder() {
    let w = World::new(&[("old/a.sh", "echo 1\n")]);
    w.chmod("old/a.sh", 0o750);
    w.applies(
        &[],
        "*** Begin Patch\n*** Update File: old/a.sh\n*** Move to: new/b.sh\n@@\n-echo 1\n+echo 2\n*** End Patch\n",
        "ok    old/a.sh:1  replaced 1 line\n[R] old/a.sh → new/b.sh (+1 -1)\n",
        &[("750 new/b.sh", "echo 2\n")],
    );
}

#[test]
fn inputs_from_files_standard_input_and_options() {
    let w = World::new(&[("a.txt", POEM)]);
    std::fs::write(w.beside("one.md"), block("a.txt", "roses are red\n", "r\n")).expect("a file");
    std::fs::write(w.beside("two.md"), block("a.txt", "sugar is sweet\n", "s\n")).expect("a file");
    let said = w.run(&["../one.md", "-i", "../two.md", "-"], &block("a.txt", "r\n", "R\n"));
    assert_eq!((said.code, said.stdout.as_str()), (0, ""), "{}", said.stderr);
    assert_eq!(
        said.stderr,
        "../two.md:\nok    a.txt:3  replaced 1 line\n../one.md:\nok    a.txt:1  replaced 1 line\n\
         -:\nok    a.txt:1  replaced 1 line\n[M] a.txt (+2 -2)\n"
    );
    assert_eq!(w.tree(), files(&[("a.txt", "R\nviolets are blue\ns\n")]));
}

#[test]
fn several_inputs_are_one_transaction_and_each_makes_them_many() {
    let w = World::new(&[("a.txt", POEM)]);
    std::fs::write(w.beside("good.md"), block("a.txt", "roses are red\n", "r\n")).expect("a file");
    std::fs::write(w.beside("bad.md"), block("a.txt", "nowhere to be found\n", "r\n")).expect("a file");
    let said = w.run(&["../good.md", "../bad.md"], "");
    assert_eq!(said.code, 1);
    let fine = "fine  a.txt:1  edit 1 is fine and was not applied, since edit 1 of ../bad.md was refused\n";
    assert!(said.stderr.contains(fine), "{}", said.stderr);
    assert_eq!(w.tree(), files(&[("a.txt", POEM)]));
    let said = w.run(&["--each", "../bad.md", "../good.md"], "");
    assert_eq!(said.code, 1);
    assert_eq!(w.tree(), files(&[("a.txt", "r\nviolets are blue\nsugar is sweet\n")]));
}

#[test]
fn what_stands_already_is_fine_unless_the_state_counts() {
    let w = World::new(&[("a.txt", POEM)]);
    let reply = block("a.txt", "violets are grey and dull\n", "violets are blue\n");
    w.applies(
        &[],
        &reply,
        "ok    a.txt:2  already applied: the new text stands at line 2\n",
        &[("a.txt", POEM)],
    );
    let said = w.run(&["--strict-state"], &reply);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("[already-applied]"), "{}", said.stderr);
}

#[test]
fn a_diff_applied_and_reversed_gives_the_original() {
    let w = World::new(&[("a.txt", POEM), ("b.txt", "no newline")]);
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n roses are red\n-violets are blue\n+violets\n+are blue\n sugar is sweet\n\
        --- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-no newline\n\\ No newline at end of file\n+a newline\n";
    assert_eq!(w.run(&[], diff).code, 0);
    assert_eq!(w.tree()["b.txt"], "644 a newline\n");
    assert_eq!(w.run(&["-R"], diff).code, 0);
    assert_eq!(w.tree(), files(&[("a.txt", POEM), ("b.txt", "no newline")]));
}

#[test]
fn partial_writes_the_good_edits_and_still_fails() {
    let w = World::new(&[("a.txt", POEM), ("b.txt", "b\n")]);
    let reply = block("a.txt", "nothing like this\n", "x\n") + &block("b.txt", "b\n", "B\n");
    let said = w.run(&["--partial"], &reply);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("ok    b.txt:1  replaced 1 line\n"), "{}", said.stderr);
    assert!(said.stderr.ends_with("[M] b.txt (+1 -1)\n"), "{}", said.stderr);
    assert_eq!(w.tree(), files(&[("a.txt", POEM), ("b.txt", "B\n")]));
}

#[test]
fn check_and_counts_write_nothing() {
    let w = World::new(&[("a.txt", POEM)]);
    let reply = block("a.txt", "roses are red\n", "r\n") + &block("new.txt", "", "1\n2\n");
    let before = w.tree();
    let said = w.run(&["--check", "-q"], &reply);
    assert_eq!((said.code, said.stdout + &said.stderr), (0, String::new()));
    let said = w.run(&["-q", "--numstat", "--summary"], &reply);
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (0, "1\t1\ta.txt\n2\t0\tnew.txt\n create mode 100644 new.txt\n")
    );
    let said = w.run(&["-q", "--stat"], &reply);
    let want = " a.txt   | 2 +-\n new.txt | 2 ++\n 2 file(s) changed, 3 insertion(s)(+), 1 deletion(s)(-)\n";
    assert_eq!((said.code, said.stdout.as_str()), (0, want));
    assert_eq!(w.tree(), before);
}

#[test]
fn json_tells_the_same_to_programs() {
    let w = World::new(&[("a.txt", POEM)]);
    let said = w.run(&["--json", "-q"], &block("a.txt", "  roses are red\n", "  roses are white\n"));
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    let mut json: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    let batch = json.as_object_mut().and_then(|json| json.remove("batch")).expect("a name for undo");
    assert_eq!(batch.as_str().map(str::len), Some(22));
    let want = serde_json::json!({
        "version": 1, "report": "apply", "status": "ok", "exit": 0, "mode": "write", "written": true, "root": "[ROOT]",
        "inputs": [{"input": "-", "edits": [{
            "index": 0, "id": 1, "format": "search-replace", "path": "a.txt", "named": "a.txt", "input_lines": [3, 7],
            "verdict": "applied", "code": null, "notes": [],
            "hunks": [{"input_lines": [3, 7], "verdict": "applied", "view": "indentation", "old_lines": [1, 1],
                "new_lines": [1, 1], "removed": 1, "added": 1}]
        }]}],
        "files": [{
            "kind": "modified", "content": "text", "path": "a.txt", "added": 1, "removed": 1, "old_mode": "100644", "new_mode": "100644",
            "old_sha256": "f10a931974365102499d0e16f8c09556912c608082d8b0a1752bc3f11546efc8",
            "new_sha256": "ac68990432a5148a58e6818f9faa9068c6f44d167129191836b13601c8c95b82",
            "diff": "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n-roses are red\n\
                +roses are white\n violets are blue\n sugar is sweet\n"
        }],
        "notes": []
    });
    assert_eq!(json, want, "{json:#}");
}

#[test]
fn verbose_tells_of_each_hunk() {
    let w = World::new(&[("a.txt", POEM)]);
    let diff =
        "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-roses are red\n+r\n@@ -3 +3 @@\n-sugar is sweet\n+s\n";
    let said = w.run(&["-v", "--check"], diff);
    assert_eq!(
        said.stderr,
        "ok    a.txt:1  2 hunks: replaced 2 lines\n\
         \x20     hunk at input line 3: lines 1 to 1, -1 +1, exact\n\
         \x20     hunk at input line 6: lines 3 to 3, -1 +1, exact\n"
    );
}

#[test]
fn colors_come_only_when_asked() {
    let w = World::new(&[("a.txt", POEM)]);
    let reply = block("a.txt", "roses are red\n", "r\n");
    assert!(!w.run(&["--check"], &reply).stderr.contains('\x1b'));
    assert!(w.run(&["--check", "--color=always"], &reply).stderr.contains("\x1b[1m\x1b[32mok"));
}

#[test]
fn policies_that_choose_or_allow() {
    let twins = "a\nx\nb\nx\nc\n";
    let diff = "--- f\n+++ f\n@@ -4 +4 @@\n-x\n+y\n";
    let far = diff.replace("-4 +4", "-5 +5");
    let long: String = (0..12).map(|n| format!("line {n}\n")).collect();
    let short = "f\n```\nline 0\n```\n";
    let respaced = "f\n```\na  = 1\nb = 3\n```\n";
    for (before, args, reply, code, after) in [
        (twins, &["--nearest"][..], far.as_str(), 0, "a\nx\nb\ny\nc\n"),
        (twins, &[], &far, 1, twins),
        (twins, &["--replace-all"], &block("f", "x\n", "y\n"), 0, "a\ny\nb\ny\nc\n"),
        (twins, &[], &block("f", "x\n", "y\n"), 1, twins),
        (twins, &["--no-xdev"], &block("f", "a\n", "A\n"), 0, "A\nx\nb\nx\nc\n"),
        (&long, &["--allow-shrink"], short, 0, "line 0\n"),
        (&long, &[], short, 1, &long),
        ("a = 1\nb = 2\n", &["--spelling=reply"], respaced, 0, "a  = 1\nb = 3\n"),
        ("a = 1\nb = 2\n", &["--spelling=file"], respaced, 0, "a = 1\nb = 3\n"),
    ] {
        let w = World::new(&[("f", before)]);
        let said = w.run(args, reply);
        assert_eq!(
            (said.code, w.tree()["f"].as_str()),
            (code, format!("644 {after}").as_str()),
            "{args:?} {said:?}"
        );
    }
}

#[test]
fn one_format_alone_is_read() {
    let both = block("f", "a\n", "b\n") + "*** Begin Patch\n*** Delete File: g\n*** End Patch\n";
    let w = World::new(&[("f", "a\n"), ("g", "g\n")]);
    let report = w.report(&["inspect", "--json", "--format", "v4a"], &both, 0);
    assert_eq!(
        (report["edits"].as_array().map(Vec::len), &report["edits"][0]["path"]),
        (Some(1), &"g".into())
    );
    let said = w.run(&["convert", "--format", "search-replace", "--to", "v4a"], &both);
    assert_eq!(said.stdout, "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\n");
    let said = w.run(&["--format", "v4a"], &both);
    assert_eq!((said.code, w.tree()), (0, crate::world::files(&[("f", "a\n")])), "{said:?}");
}
