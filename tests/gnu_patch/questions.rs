//! Questions on a terminal. Each dialogue is what GNU patch 2.7.6 and 2.8 say on one.

use std::{fs, os::unix::fs::symlink};

use pty_process::blocking::Command;

use crate::{OURS, tty::Terminal};

const NINE: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
const FIVE: &str = "--- a\n+++ a\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n";

/// Runs ours on a terminal: each question, and its answer. Gives the rest of what was printed, the exit
/// code, and the content of `a`.
fn dialogue(
    file: Option<&str>,
    patch: &str,
    args: &[&str],
    talk: &[(&str, &str)],
) -> (String, Option<i32>, String) {
    let base = tempfile::tempdir().expect("a folder");
    symlink(OURS, base.path().join("patch")).expect("a link");
    let work = base.path().join("w");
    fs::create_dir(&work).expect("a folder");
    fs::write(work.join("p"), patch).expect("a file");
    if let Some(text) = file {
        fs::write(work.join("a"), text).expect("a file");
    }
    let command = Command::new(base.path().join("patch")).arg0("patch").current_dir(&work);
    let command = command.args(args).args(["-p0", "-i", "p"]).env("XDG_STATE_HOME", base.path());
    let mut terminal = Terminal::run(command, 80);
    for (question, answer) in talk {
        terminal.answer(question, answer);
        // Its echo, and then the line end's.
        terminal.answer(answer, "\n");
        terminal.wait("\n");
    }
    let (code, mut seen, read) = terminal.end();
    (seen.split_off(read), code, fs::read_to_string(work.join("a")).unwrap_or_default())
}

fn applied() -> String {
    NINE.replace("5\n", "five\n")
}

const REVERSED: &str = "patching file a\nReversed (or previously applied) patch detected!  Assume -R? [n] ";

#[test]
fn a_reversed_patch_may_be_undone() {
    let (rest, code, text) = dialogue(Some(&applied()), FIVE, &[], &[(REVERSED, "y")]);
    assert_eq!((rest.as_str(), code, text.as_str()), ("", Some(0), NINE));
}

#[test]
fn or_applied_all_the_same() {
    let talk = [(REVERSED, "n"), ("Apply anyway? [n] ", "y")];
    let (rest, code, text) = dialogue(Some(&applied()), FIVE, &[], &talk);
    let told = "Hunk #1 FAILED at 4.\n1 out of 1 hunk FAILED -- saving rejects to file a.rej\n";
    assert_eq!((rest.as_str(), code, text), (told, Some(1), applied()));
}

#[test]
fn or_skipped() {
    for answer in ["n", "", "Y"] {
        let talk = [(REVERSED, answer), ("Apply anyway? [n] ", answer)];
        let (rest, code, text) = dialogue(Some(&applied()), FIVE, &[], &talk);
        let told = "Skipping patch.\n1 out of 1 hunk ignored -- saving rejects to file a.rej\n";
        assert_eq!((rest.as_str(), code, text), (told, Some(1), applied()));
    }
}

#[test]
fn minus_r_may_be_ignored() {
    let question = "patching file a\nUnreversed patch detected!  Ignore -R? [n] ";
    let (rest, code, text) = dialogue(Some(NINE), FIVE, &["-R"], &[(question, "y")]);
    assert_eq!((rest.as_str(), code, text), ("", Some(0), applied()));
}

#[test]
fn a_creation_of_what_exists_is_asked_about() {
    let patch = "--- /dev/null\n+++ a\n@@ -0,0 +1 @@\n+new\n";
    let question = "The next patch would create the file a,\nwhich already exists!  Assume -R? [n] ";
    let talk = [(question, "n"), ("Apply anyway? [n] ", "n")];
    let (rest, code, text) = dialogue(Some("x\n"), patch, &[], &talk);
    assert_eq!((code, text.as_str()), (Some(1), "x\n"));
    assert!(rest.starts_with("Skipping patch.\n"), "{rest}");
}

#[test]
fn the_file_is_asked_for_until_there_is_one() {
    let patch = FIVE.replace(" a\n", " x\n");
    let question = "can't find file to patch at input line 3\nPerhaps you used the wrong -p or --strip option?\n\
                    The text leading up to this was:\n--------------------------\n|--- x\n|+++ x\n\
                    --------------------------\nFile to patch: ";
    let talk = [
        (question, "nowhere"),
        ("nowhere: No such file or directory\nSkip this patch? [y] ", "n"),
        ("File to patch: ", ""),
        ("Skip this patch? [y] ", "n"),
        ("File to patch: ", "a"),
    ];
    let (rest, code, text) = dialogue(Some(NINE), &patch, &[], &talk);
    assert_eq!((rest.as_str(), code, text), ("patching file a\n", Some(0), applied()));
    let talk = [(question, ""), ("Skip this patch? [y] ", "")];
    let (rest, code, text) = dialogue(Some(NINE), &patch, &[], &talk);
    let told = "Skipping patch.\n1 out of 1 hunk ignored\n";
    assert_eq!((rest.as_str(), code, text.as_str()), (told, Some(1), NINE));
}

#[test]
fn another_version_is_asked_about() {
    let patch = format!("Prereq: 2.0\n{FIVE}");
    let question = "This file doesn't appear to be the 2.0 version -- patch anyway? [n] ";
    let (rest, code, text) = dialogue(Some(NINE), &patch, &[], &[(question, "y")]);
    assert_eq!((rest.as_str(), code, text), ("patching file a\n", Some(0), applied()));
    let (rest, code, text) = dialogue(Some(NINE), &patch, &[], &[(question, "n")]);
    assert_eq!((rest.as_str(), code, text.as_str()), ("patch: **** aborted\n", Some(2), NINE));
}
