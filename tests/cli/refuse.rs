//! Edits and inputs that are refused: the message, the code, and a tree that stays as it was.

use std::os::unix::{fs::symlink, process::CommandExt};

use crate::world::{Said, World, block};

const CALC: &str = "int a() {\n    return 1;\n}\nint b() {\n    return 2;\n}\nint c() {\n    return 1;\n}\n";

#[test]
fn two_places_are_named_and_a_later_edit_is_told_to_be_fine() {
    let w = World::new(&[("calc.c", CALC)]);
    let reply = block("calc.c", "    return 1;\n", "    return 3;\n")
        + &block("calc.c", "int b() {\n", "int bb() {\n");
    w.refuses(
        &[],
        reply.as_bytes(),
        1,
        "FAIL  calc.c    edit 1 (input line 3): the old text fits 2 places, lines 2 and 8: add lines that tell them apart [ambiguous]\n\
         \x20     for line 2 quote these, which stand once:\n           1 | int a() {\n           2 |     return 1;\n\
         \x20     for line 8 quote these, which stand once:\n           7 | int c() {\n           8 |     return 1;\n\
         \x20     next: Add neighbouring lines that tell the places apart.\n\
         fine  calc.c:4  edit 2 is fine and was not applied, since edit 1 was refused\n\
         nothing was written\n",
    );
}

#[test]
fn a_misspelt_line_is_shown_beside_the_real_one() {
    let w = World::new(&[("calc.c", CALC)]);
    let said = w.run(&[], &block("calc.c", "int b() {\n    retrun 2;\n", "int b() {\n    return 4;\n"));
    assert_eq!(said.code, 1);
    for part in [
        "FAIL  calc.c  edit 1 (input line 3): old text not found; closest is line 4",
        "[not-found]\n",
        "      looked for:\n             | int b() {\n             |     retrun 2;\n",
        "           4 | int b() {\n           5 |     return 2;\n",
        "nothing was written\n",
    ] {
        assert!(said.stderr.contains(part), "{part:?} in\n{}", said.stderr);
    }
    assert_eq!(w.tree()["calc.c"], format!("644 {CALC}"));
}

#[test]
fn inputs_without_an_edit() {
    let w = World::new(&[("a.txt", "a\n")]);
    let next = "\n      next: Write each edit in one format, with the file's path on the line above it; `edapply prompt search-replace` says how.\nnothing was written\n";
    let prose =
        format!("FAIL  no edit found in the input: 3 lines of text with no code fence [no-edit]{next}");
    w.refuses(&[], b"I am sorry,\n\nI cannot do that.\n", 1, &prose);
    w.refuses(
        &[],
        b"\n",
        1,
        "FAIL  the input is empty [empty-input]\n      next: Check the program or file that the input comes from.\nnothing was written\n",
    );
    let binary = "\n      next: Convert the input to UTF-8, or give the text that describes the edit.\nnothing was written\n";
    let nul = format!("FAIL  the input is no text: it holds NUL bytes [binary-input]{binary}");
    w.refuses(&[], b"\x7fELF\0\0\0\x01", 1, &nul);
    let next = "Convert it first: `iconv -f UTF-16 -t UTF-8 FILE | edapply`.\nnothing was written\n";
    let utf16 =
        format!("FAIL  the input is no text: it is encoded in UTF-16 [binary-input]\n      next: {next}");
    w.refuses(&[], b"\xff\xfea\0\n\0", 1, &utf16);
}

#[test]
fn inputs_that_cannot_be_read() {
    let w = World::new(&[("dir/a.txt", "a\n")]);
    let next = "[unreadable-input]\n      next: Check the name and the permissions of the input.\nnothing was written\n";
    let missing = format!("error cannot read nope.md: no such file or directory {next}");
    w.refuses(&["nope.md"], b"", 2, &missing);
    w.refuses(
        &["dir"],
        b"",
        2,
        "error dir is a folder that holds no *.patch or *.diff and no `series` [no-patches]\n\
         \x20     next: Name a folder of patches, or a file; the folder to edit is named by `-C DIR`.\nnothing was written\n",
    );
    w.refuses(&["-", "-"], b"", 2, "edapply: standard input can be read once only: name `-` once, or none\n");
    w.refuses(
        &["-C", "nowhere"],
        block("a.txt", "a\n", "b\n").as_bytes(),
        2,
        "error cannot open the root nowhere: no such file or directory [unreadable-root]\n\
         \x20     next: Name with `-C` the folder that the paths of the edits start from.\nnothing was written\n",
    );
}

#[test]
fn a_reply_cut_in_the_middle_of_a_block() {
    let w = World::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let reply = block("b.txt", "b\n", "B\n") + "a.txt\n```\n<<<<<<< SEARCH\na\n=======\nA";
    let said = w.run(&[], &reply);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("[unfinished]"), "{}", said.stderr);
    assert!(said.stderr.contains("fine  b.txt:1  edit 1 is fine and was not applied"), "{}", said.stderr);
    assert_eq!(w.tree()["b.txt"], "644 b\n");
}

/// The code of the first refusal of a run that must fail with exit 1 and change nothing.
#[track_caller]
fn refused(w: &World, args: &[&str], reply: &str) -> String {
    let before = w.tree();
    let Said { code, stderr, .. } = w.run(args, reply);
    assert_eq!((code, w.tree()), (1, before), "{stderr}");
    let line = stderr.lines().find(|line| line.ends_with(']')).unwrap_or_default();
    line.rsplit(" [").next().unwrap_or_default().trim_end_matches(']').to_owned()
}

#[test]
fn targets_that_are_no_plain_files_below_the_root() {
    let w = World::new(&[("dir.d/a.txt", "old\n"), ("f.txt", "old\n")]);
    symlink("f.txt", w.path("link.txt")).expect("a link");
    symlink("..", w.path("up")).expect("a link");
    std::fs::write(w.beside("out.txt"), "old\n").expect("a file");
    rustix::fs::mkfifoat(rustix::fs::CWD, w.path("fifo.txt"), 0o644.into()).expect("a FIFO");
    for (path, code) in [
        ("dir.d", "target-not-file"),
        ("fifo.txt", "target-not-file"),
        ("link.txt", "target-symlink"),
        ("up/out.txt", "path-through-symlink"),
        ("../out.txt", "path-parent"),
        ("/etc/hostname.old", "path-absolute"),
        (".git/config", "path-git-dir"),
        ("f.txt/x.txt", "no-such-file"),
        ("g.txt", "no-such-file"),
    ] {
        assert_eq!(refused(&w, &[], &block(path, "old\n", "new\n")), code, "{path}");
    }
    assert_eq!(refused(&w, &[], &block("f.txt/new.txt", "", "new\n")), "path-through-file");
    assert_eq!(refused(&w, &[], &block("up/new.txt", "", "new\n")), "path-through-symlink");
    assert_eq!(std::fs::read_to_string(w.beside("out.txt")).expect("a file"), "old\n");
}

#[test]
fn a_file_that_may_not_be_written_over() {
    let w = World::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let program = w.beside("edapply");
    std::fs::copy(env!("CARGO_BIN_EXE_edapply"), &program).expect("a copy");
    w.chmod("b.txt", 0o444);
    let as_nobody = rustix::process::geteuid().is_root();
    if as_nobody {
        for path in [w.beside(""), w.root(), w.path("a.txt")] {
            std::os::unix::fs::chown(&path, Some(65534), Some(65534)).expect("an owner");
        }
    }
    let before = w.tree();
    let mut command = w.command_of(&program, &["--in-place", "-q"]);
    if as_nobody {
        command.uid(65534).gid(65534);
    }
    let reply = block("a.txt", "a\n", "A\n") + &block("b.txt", "b\n", "B\n");
    let said = w.finish(command, reply.as_bytes());
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (
            1,
            "FAIL  b.txt: cannot write over it: permission denied [not-writable]\n\
             \x20     next: Allow writing the file itself (`chmod u+w FILE`), which `--in-place` needs, or leave `--in-place` \
             out.\n"
        )
    );
    assert_eq!(w.tree(), before);
}

#[test]
fn a_folder_that_may_not_be_written() {
    let w = World::new(&[("open/a.txt", "a\n"), ("shut/b.txt", "b\n")]);
    let program = w.beside("edapply");
    std::fs::copy(env!("CARGO_BIN_EXE_edapply"), &program).expect("a copy");
    let as_nobody = rustix::process::geteuid().is_root();
    if as_nobody {
        for path in [w.beside(""), w.root(), w.path("open"), w.path("open/a.txt")] {
            std::os::unix::fs::chown(&path, Some(65534), Some(65534)).expect("an owner");
        }
    } else {
        w.chmod("shut", 0o555);
    }
    let before = w.tree();
    let mut command = w.command_of(&program, &[]);
    if as_nobody {
        command.uid(65534).gid(65534);
    }
    let reply = block("open/a.txt", "a\n", "A\n") + &block("shut/b.txt", "b\n", "B\n");
    let said = w.finish(command, reply.as_bytes());
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (
            1,
            "fine  open/a.txt:1  edit 1 is fine and was not applied, since the run failed (not-writable)\n\
             fine  shut/b.txt:1  edit 2 is fine and was not applied, since the run failed (not-writable)\n\
             FAIL  shut/b.txt: cannot create a file beside it: permission denied [not-writable]\n\
             \x20     next: Allow writing in the folder that holds the file (`chmod u+w FOLDER`), or add `--in-place` where the \
             file itself may be written.\n\
             nothing was written\n"
        )
    );
    assert_eq!(w.tree(), before);
    w.chmod("shut", 0o755);
}

#[test]
fn names_and_lines_cannot_speak_for_the_program() {
    let w = World::new(&[("e.txt", "old \x1b[2J\x07\n")]);
    let said = w.run(&[], &block("e.txt", "olde \x1b[2J\n", "new\n"));
    assert!(!said.stderr.contains(['\x1b', '\x07']), "{:?}", said.stderr);
    let diff = "--- /dev/null\n+++ \"b/x\\nok    evil.c\"\n@@ -0,0 +1 @@\n+pwn\n";
    let said = w.run(&["--check"], diff);
    assert_eq!((said.code, said.stderr.as_str()), (0, "ok    \"x\\nok    evil.c\"  created, 1 line\n"));
}

#[test]
fn deleting_overwriting_and_clashing() {
    let w = World::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let v4a = |body: &str| format!("*** Begin Patch\n{body}*** End Patch\n");
    assert_eq!(refused(&w, &["--no-delete"], &v4a("*** Delete File: a.txt\n")), "no-delete");
    assert_eq!(refused(&w, &[], &v4a("*** Add File: a.txt\n+x\n")), "file-exists");
    let over = v4a("*** Update File: a.txt\n*** Move to: b.txt\n@@\n-a\n+A\n");
    assert_eq!(refused(&w, &[], &over), "move-over");
    let clash = v4a("*** Add File: Read.me\n+x\n*** Add File: READ.me\n+y\n");
    assert_eq!(refused(&w, &[], &clash), "path-case-clash");
    assert_eq!(w.run(&["--overwrite"], &over).code, 0);
    assert_eq!(w.tree()["b.txt"], "644 A\n");
}

#[test]
fn a_file_is_no_folder() {
    let w = World::new(&[("a.txt", "a\n")]);
    let patch = "*** Begin Patch\n*** Add File: q\n+x\n*** Add File: q/r\n+y\n*** End Patch\n";
    assert_eq!(refused(&w, &[], patch), "path-through-file");
    let patch = "*** Begin Patch\n*** Add File: q/r\n+x\n*** Add File: q\n+y\n*** End Patch\n";
    assert_eq!(refused(&w, &[], patch), "target-not-file");
}

#[test]
fn a_missing_file_says_where_it_was_looked_for() {
    let w = World::new(&[("top/x.txt", "a\n"), ("top/low/y.txt", "b\n")]);
    let said = w.run(&["-C", "top/low"], "--- a/other/x.txt\n+++ b/other/x.txt\n@@ -1 +1 @@\n-a\n+b\n");
    let first = said.stderr.lines().next().unwrap_or_default();
    assert!(first.starts_with("FAIL  other/x.txt") && first.contains("/top/low"), "{first}");
    let said = w.run(&["-C", "top/low"], &block("low/z/x.txt", "a\n", "b\n"));
    assert!(!said.stderr.contains("use `-C"), "{}", said.stderr);
    let said = w.run(&["-C", "top/low"], &block("x.txt", "a\n", "b\n"));
    assert!(said.stderr.contains("it stands in") && said.stderr.contains("/top: use `-C"), "{}", said.stderr);
}

#[test]
fn a_diff_of_a_folder_called_b() {
    let w = World::new(&[("b/x.txt", "a\n"), ("x.txt", "a\n")]);
    let diff = "--- b/x.txt\n+++ b/x.txt\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(refused(&w, &[], diff), "path-ambiguous");
    assert_eq!(w.run(&["-p0"], diff).code, 0);
    assert_eq!((w.tree()["b/x.txt"].as_str(), w.tree()["x.txt"].as_str()), ("644 b\n", "644 a\n"));
}

#[test]
fn an_empty_block_says_nothing_about_a_file_that_exists() {
    let w = World::new(&[("a.txt", "one\n"), ("empty.txt", "")]);
    let said = w.run(&[], &block("a.txt", "", ""));
    assert!(said.code == 1 && said.stderr.contains("[nothing-to-do]"), "{said:?}");
    let said = w.run(&[], &block("empty.txt", "", ""));
    assert!(said.code == 0 && said.stderr.contains("already"), "{said:?}");
    let said = w.run(&[], &block("new.txt", "", ""));
    assert_eq!((said.code, w.tree()["new.txt"].as_str()), (0, "644 "), "{said:?}");
}

#[test]
fn a_damaged_diff_is_told_of_by_the_file_that_it_is_for() {
    let w = World::new(&[("src/x", "one\ntwo\n")]);
    for (name, shown) in [("src/x", "src/x"), ("src/none", "src/none")] {
        let cut = format!("--- a/{name}\n+++ b/{name}\n@@ -1,2 +1,2 @@\n-one\n+ONE\n");
        let said = w.run(&[], &cut);
        let want = format!("FAIL  {shown}  edit 1 (input line 1): the block is cut off");
        assert!(said.code == 1 && said.stderr.starts_with(&want), "{said:?}");
        let report = w.report(&["--json"], &cut, 1);
        let edit = &report["inputs"][0]["edits"][0];
        let path = (name == "src/x").then_some("src/x");
        assert_eq!((edit["path"].as_str(), edit["named"].as_str()), (path, Some(shown)), "{report:#}");
    }
}
