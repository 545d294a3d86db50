//! What a person at a terminal sees: colours, two columns, questions, and a line that tells how far a run is.
//! Every run here has a real terminal of its own.

use std::{fs::File, io::Write, path::Path, process::Stdio};

use pty_process::blocking::Command;

use crate::{
    tty::Terminal,
    world::{Said, World, block, files},
};

/// Runs the program in a terminal of so many columns, with standard input from a file beside the tree.
pub fn start(w: &World, columns: u16, args: &[&str], stdin: &str, env: &[(&str, &str)]) -> Terminal {
    std::fs::write(w.beside("stdin"), stdin).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_edapply")).args(args).current_dir(w.root());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "EDAPPLY_STATE_DIR"] {
        command = command.env_remove(name);
    }
    command = command.env("TERM", "xterm-256color").env("XDG_STATE_HOME", w.beside("state"));
    command = command.env("GIT_CEILING_DIRECTORIES", w.beside(""));
    command = command.envs(env.iter().copied());
    Terminal::run(command.stdin(File::open(w.beside("stdin")).expect("a file")), columns)
}

const TILL: &str = "def total(prices):\n    return sum(prices)\n\ndef tax(price):\n    return price * 0.19\n";

fn reply() -> String {
    block("till.py", "    return sum(prices)\n", "    return round(sum(prices), 2)\n")
        + "and\n"
        + &block("till.py", "    return price * 0.19\n", "    return price * RATE\n")
        + &block("other.py", "a = 1\n", "a = 2\n")
        + "*** Begin Patch\n*** Delete File: gone.py\n*** End Patch\n"
}

fn world() -> World {
    World::new(&[("till.py", TILL), ("other.py", "a = 1\n"), ("gone.py", "x\n")])
}

const ROUNDED: &str =
    "def total(prices):\n    return round(sum(prices), 2)\n\ndef tax(price):\n    return price * 0.19\n";

#[test]
fn the_preview_is_coloured_on_a_terminal_only() {
    let w = world();
    let reply = block("other.py", "a = 1\n", "a = 2\n");
    let (code, seen, _) = start(&w, 80, &["--dry-run"], &reply, &[]).end();
    assert_eq!(code, Some(0));
    let part = |color: &str, text: &str| format!("\x1b[{color}m{text}\x1b[0m");
    let want = [
        part("1", "diff --git a/other.py b/other.py"),
        part("1", "--- a/other.py"),
        part("1", "+++ b/other.py"),
        part("36", "@@ -1 +1 @@"),
    ]
    .join("\n");
    assert!(seen.contains(&want), "{seen:?}");
    assert!(seen.contains("\x1b[1m\x1b[7m\x1b[31m1\x1b[0m\n"), "{seen:?}");
    assert!(seen.contains("\x1b[1m\x1b[7m\x1b[32m2\x1b[0m\n"), "{seen:?}");
    let plain = w.run(&["--dry-run"], &reply);
    assert_eq!(anstream::adapter::strip_str(&seen).to_string(), plain.stderr + &plain.stdout);
    for env in [("NO_COLOR", "1"), ("TERM", "dumb"), ("CLICOLOR", "0")] {
        let (code, seen, _) = start(&w, 80, &["--dry-run"], &reply, &[env]).end();
        assert!(code == Some(0) && !seen.contains('\x1b'), "{env:?} {seen:?}");
    }
    let (_, never, _) = start(&w, 80, &["--dry-run", "--color=never"], &reply, &[]).end();
    assert!(!never.contains('\x1b'), "{never:?}");
    let mut forced = w.command(&["--dry-run"]);
    forced.env("CLICOLOR_FORCE", "1");
    assert!(w.finish(forced, reply.as_bytes()).stdout.contains("\x1b[36m@@"));
}

#[test]
fn a_terminal_obeys_nothing_that_comes_from_outside() {
    let evil = "x\x1b]0;pwned\x07\u{202e}y\n";
    let w = World::new(&[("a.txt", "x y\n")]);
    let reply = block("a.txt", "x y\n", evil);
    for (args, keys) in [(&["--dry-run"][..], ""), (&["--interactive", "--dry-run"], "v\nq\n")] {
        let mut terminal = start(&w, 80, args, &reply, &[]);
        if !keys.is_empty() {
            terminal.answer("? [", keys);
        }
        let (_, seen, _) = terminal.end();
        assert!(seen.contains("\\x1b]0;pwned\\x07\\u{202e}y"), "{seen:?}");
        assert!(!seen.contains("\x1b]") && !seen.contains(['\x07', '\u{202e}']), "{seen:?}");
    }
}

#[test]
fn a_refusal_shows_both_sides() {
    let w = world();
    let reply = block("till.py", "def tax(price):\n    retrun price * 0.19\n", "pass\n");
    let (code, seen, _) = start(&w, 90, &["--color=never"], &reply, &[]).end();
    let want = "\
      looked for                                 closest in till.py
      4  def tax(price):                         4  def tax(price):
      5      retrun price * 0.19               | 5      return price * 0.19
";
    assert!(code == Some(1) && seen.contains(want), "{seen}");
    let (_, narrow, _) = start(&w, 60, &["--color=never"], &reply, &[]).end();
    assert!(narrow.contains("      looked for:\n") && !narrow.contains("closest in"), "{narrow}");
    let (_, colored, _) = start(&w, 90, &[], &reply, &[]).end();
    assert!(colored.contains("\x1b[1m\x1b[7m\x1b[31mretrun\x1b[0m"), "{colored:?}");
}

#[test]
fn edits_are_chosen_one_by_one() {
    let w = world();
    let mut t = start(&w, 80, &["--interactive", "--color=never"], &reply(), &[]);
    t.answer("(1 of 4) Apply edit 1 of till.py? [y,n,a,p,v,d,q,?] ", "y\n");
    t.answer("(2 of 4) Apply edit 2 of till.py? [y,n,a,p,v,d,q,?] ", "n\n");
    t.answer("(3 of 4) Apply edit 3 of other.py? [y,n,a,p,v,d,q,?] ", "y\n");
    t.answer("(4 of 4) Delete gone.py? [y,n,p,v,d,q,?] ", "n\n");
    let (code, seen, _) = t.end();
    assert_eq!(code, Some(0), "{seen}");
    let shown = "
diff --git a/till.py b/till.py
--- a/till.py
+++ b/till.py
@@ -1,5 +1,5 @@
 def total(prices):
-    return sum(prices)
+    return round(sum(prices), 2)
 \n def tax(price):
     return price * 0.19
(1 of 4) Apply edit 1";
    assert!(seen.starts_with(shown), "{seen}");
    let told = "note  2 of 4 edits left out, as you chose\n\
         ok    till.py:2   replaced 1 line\n\
         ok    other.py:1  replaced 1 line\n\
         [M] other.py (+1 -1)\n[M] till.py (+1 -1)\n";
    assert!(seen.ends_with(told), "{seen}");
    assert_eq!(w.tree(), files(&[("till.py", ROUNDED), ("other.py", "a = 2\n"), ("gone.py", "x\n")]));
}

#[test]
fn always_holds_for_a_file_and_never_for_its_deletion() {
    let w = world();
    let mut t = start(&w, 80, &["--interactive"], &reply(), &[]);
    t.answer("edit 1 of till.py?", "a\n");
    t.answer("(3 of 4) Apply edit 3 of other.py?", "no\n");
    t.answer("Delete gone.py?", "a\n");
    t.answer("`a` is no answer here.", "");
    t.answer("Delete gone.py?", "yes\n");
    assert_eq!(t.end().0, Some(0));
    let both = ROUNDED.replace("0.19", "RATE");
    assert_eq!(w.tree(), files(&[("till.py", &both), ("other.py", "a = 1\n")]));
}

#[test]
fn answers_can_be_taken_back() {
    let w = world();
    let mut t = start(&w, 80, &["--interactive"], &reply(), &[]);
    t.answer("edit 1 of till.py?", "p\n");
    t.answer("edit 1 of till.py?", "a\n");
    t.answer("edit 3 of other.py?", "p\n");
    t.answer("edit 1 of till.py?", "n\n");
    t.answer("edit 2 of till.py?", "v\n");
    t.answer("The edit, from input line 12:\n  <<<<<<< SEARCH\n", "");
    t.answer("edit 2 of till.py?", "?\n");
    t.answer("y  yes, apply this edit\n", "");
    t.answer("edit 2 of till.py?", "y\n");
    t.answer("edit 3 of other.py?", "d\n");
    let (code, seen, _) = t.end();
    assert_eq!(code, Some(0), "{seen}");
    let second = TILL.replace("0.19", "RATE");
    assert_eq!(w.tree(), files(&[("till.py", &second), ("other.py", "a = 1\n"), ("gone.py", "x\n")]));
}

#[test]
fn quitting_and_interrupting_leave_all_as_it_is() {
    for (keys, code, told) in [
        ("q\n", 1, "FAIL  you stopped before all edits were answered [stopped]\n"),
        ("\x04", 1, "FAIL  you stopped before all edits were answered [stopped]\n"),
        ("\x03", 130, "interrupted"),
    ] {
        let w = world();
        let before = w.tree();
        let mut t = start(&w, 80, &["--interactive", "--color=never"], &reply(), &[]);
        t.answer("edit 1 of till.py?", "y\n");
        t.answer("edit 2 of till.py?", keys);
        let (found, seen, _) = t.end();
        assert!(found == Some(code) && seen.contains(told), "{keys:?} {found:?} {seen}");
        assert!(seen.ends_with("nothing was written\n"), "{seen}");
        assert_eq!(w.tree(), before);
    }
}

#[test]
fn an_edit_goes_with_the_one_that_it_stands_on() {
    let w = World::new(&[("a.txt", "one\n")]);
    let reply = block("a.txt", "one\n", "two\n") + &block("a.txt", "two\n", "three\n");
    let mut t = start(&w, 80, &["--interactive", "--color=never"], &reply, &[]);
    t.answer("edit 1 of a.txt?", "n\n");
    let (code, seen, _) = t.end();
    assert!(
        seen.contains("\nedit 2 is left out: without those left out before, old text not found"),
        "{seen}"
    );
    assert!(seen.contains("FAIL  you chose none of the edits [none-chosen]\n"), "{seen}");
    assert_eq!((code, w.tree()), (Some(1), files(&[("a.txt", "one\n")])));
}

#[test]
fn a_move_is_no_deletion() {
    let w = World::new(&[("old.txt", "a\n"), ("gone.txt", "b\n")]);
    let patch = "*** Begin Patch\n*** Update File: old.txt\n*** Move to: new.txt\n@@\n-a\n+A\n*** Delete File: gone.txt\n*** End Patch\n";
    let mut t = start(&w, 80, &["--interactive"], patch, &[]);
    t.answer("(1 of 2) Apply edit 1 of old.txt? [y,n,a,", "y\n");
    t.answer("(2 of 2) Delete gone.txt? [y,n,p,", "n\n");
    assert_eq!(t.end().0, Some(0));
    assert_eq!(w.tree(), files(&[("new.txt", "A\n"), ("gone.txt", "b\n")]));
}

/// What somebody approves is shown in full: nothing hides behind the end of a long line or a long change.
#[test]
fn a_long_change_is_shown_in_full_when_asked() {
    let w = World::new(&[("a.txt", "one\n")]);
    let long = format!("{}; hidden();\n", "x".repeat(1000));
    let many: String = (0..100).map(|n| format!("line {n}\n")).collect();
    let mut t =
        start(&w, 80, &["--interactive", "--color=never"], &block("a.txt", "one\n", &(long + &many)), &[]);
    t.answer("; hidden();\n", "");
    t.answer("more lines; v shows all)\n(1 of 1) Apply edit 1 of a.txt?", "v\n");
    t.answer("+line 99\n(1 of 1) Apply edit 1 of a.txt?", "q\n");
    assert_eq!(t.end().0, Some(1));
}

#[test]
fn a_refused_edit_stops_before_any_question() {
    let w = world();
    let reply = reply() + &block("till.py", "nowhere\n", "x\n");
    let (code, seen, _) = start(&w, 80, &["--interactive"], &reply, &[]).end();
    assert!(code == Some(1) && seen.contains("[not-found]") && !seen.contains("Apply edit"), "{seen}");
    let mut t = start(&w, 80, &["--interactive", "--partial"], &reply, &[]);
    t.answer("(1 of 4) Apply edit 1", "d\n");
    let (code, seen, _) = t.end();
    assert!(code == Some(1) && seen.contains("[not-found]"), "{seen}");
}

#[test]
fn without_a_terminal_nobody_can_be_asked() {
    let w = world();
    let before = w.tree();
    let mut command = w.command_of(Path::new("setsid"), &["--wait", env!("CARGO_BIN_EXE_edapply")]);
    command.arg("--interactive");
    let said = w.finish(command, reply().as_bytes());
    let want = "edapply: --interactive asks on the terminal, and there is none [no-terminal]\n      next: Run it in a terminal, or choose edits with `--only` and `--skip`.\n";
    assert_eq!(said, Said { code: 2, stdout: String::new(), stderr: want.into() });
    assert_eq!(w.tree(), before);
}

/// A run that lasts, because its check waits for a file: so that nothing depends on how fast the machine is.
#[test]
fn a_run_that_lasts_says_how_far_it_is() {
    let w = world();
    let check = "while ! test -e ../go; do sleep 0.05; done";
    let args = ["--verify", check];
    let mut t = start(&w, 80, &args, &block("other.py", "a = 1\n", "a = 2\n"), &[]);
    t.answer("\r\x1b[Kwriting 1 file and running the check, ", "");
    std::fs::write(w.beside("go"), "").expect("a file");
    let (code, seen, _) = t.end();
    assert_eq!(code, Some(0), "{seen}");
    let after = seen.rsplit("\r\x1b[K").next().expect("a part");
    let plain = anstream::adapter::strip_str(after).to_string();
    assert_eq!(plain, "ok    other.py:1  replaced 1 line\n[M] other.py (+1 -1)\n", "{seen:?}");
}

#[test]
fn a_measurement_says_how_many_cases_are_done() {
    let w = World::new(&[
        ("cases/one/before/a.txt", "a\n"),
        ("cases/one/after/a.txt", "b\n"),
        ("cases/one/reply.txt", "x\n"),
        ("cases/one/meta.json", "{\"format\": \"unified\", \"behavior\": \"b\", \"expect\": \"ok\"}"),
    ]);
    let wait = format!("while ! test -e {}; do sleep 0.05; done; echo b > a.txt", w.beside("go").display());
    let mut t = start(&w, 80, &["bench", "cases", "--limit", "170", "--applier", &wait], "", &[]);
    t.answer("\r\x1b[K0 of 1 case, ", "");
    std::fs::write(w.beside("go"), "").expect("a file");
    let (code, seen, _) = t.end();
    assert!(code == Some(0) && seen.contains("\r\x1b[K") && seen.contains("total"), "{seen:?}");
}

#[test]
fn nothing_tells_how_far_a_run_is_unless_somebody_looks() {
    let w = world();
    let check = ["--verify", "sleep 0.8"];
    let reply = block("other.py", "a = 1\n", "a = 2\n");
    let said = w.run(&check, &reply);
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (0, "ok    other.py:1  replaced 1 line\n[M] other.py (+1 -1)\n")
    );
    w.put("other.py", b"a = 1\n");
    let (code, seen, _) = start(&w, 80, &check, &reply, &[("TERM", "dumb")]).end();
    assert_eq!((code, seen.as_str()), (Some(0), "ok    other.py:1  replaced 1 line\n[M] other.py (+1 -1)\n"));
}

/// A program that prints the clipboard, to stand in for the one of the system.
fn clipboard(w: &World, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir_all(w.beside("bin")).expect("a folder");
    let path = w.beside("bin").join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a program");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("a mode");
}

fn paste(w: &World, args: &[&str], path: &str) -> Said {
    let mut command = w.command(args);
    command.env("PATH", path).stdin(Stdio::null());
    w.finish(command, b"")
}

#[test]
fn the_clipboard_is_read_through_the_first_program_that_is_there() {
    let w = world();
    std::fs::write(w.beside("copied"), block("other.py", "a = 1\n", "a = 2\n")).expect("a file");
    let copied = w.beside("copied");
    let cat = format!("/bin/cat '{}'", copied.display());
    clipboard(&w, "xsel", "exit 9");
    clipboard(&w, "xclip", &format!("[ \"$*\" = '-selection clipboard -out' ] && {cat}"));
    let bin = w.beside("bin");
    let bin = bin.to_str().expect("a path");
    let said = paste(&w, &["--paste"], bin);
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (0, "ok    other.py:1  replaced 1 line\n[M] other.py (+1 -1)\n")
    );
    assert_eq!(w.tree()["other.py"], "644 a = 2\n");
    let said = paste(&w, &["inspect", "--paste"], bin);
    assert_eq!((said.code, said.stdout.contains("other.py")), (0, true), "{said:?}");
    let said = paste(&w, &["convert", "--paste", "--to", "v4a"], bin);
    assert_eq!((said.code, said.stdout.contains("*** Update File: other.py\n")), (0, true), "{said:?}");
    clipboard(&w, "pbpaste", "echo 'no pasteboard' >&2; exit 1");
    let said = paste(&w, &["--paste"], bin);
    let want = "error pbpaste cannot read the clipboard: no pasteboard [no-clipboard]\n\
         \x20     next: Look why pbpaste fails (it may need a display), or save the text to a file and name that.\nnothing was written\n";
    assert_eq!((said.code, said.stderr.as_str()), (2, want));
    clipboard(&w, "pbpaste", "exit 0");
    let said = paste(&w, &["--paste"], bin);
    assert!(
        said.code == 1 && said.stderr.starts_with("FAIL  clipboard: the input is empty [empty-input]\n"),
        "{said:?}"
    );
}

#[test]
fn no_program_of_the_current_folder_is_run_for_the_clipboard() {
    let w = world();
    clipboard(&w, "xclip", "touch ran");
    std::fs::copy(w.beside("bin").join("xclip"), w.path("xclip")).expect("a copy");
    std::fs::set_permissions(w.path("xclip"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("a mode");
    let before = w.tree();
    let said = paste(&w, &["--paste"], ".::");
    assert!(
        said.code == 2 && said.stderr.contains("no program to read the clipboard is on the PATH"),
        "{said:?}"
    );
    assert_eq!(w.tree(), before);
}

/// The system's own clipboard, where an X server can be had.
#[allow(clippy::print_stdout, reason = "says why it is left out")]
#[test]
fn the_real_xclip() {
    let mut server = std::process::Command::new("Xvfb");
    server.args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "64x64x8"]);
    let server = server.stdout(Stdio::piped()).stderr(Stdio::null()).stdin(Stdio::null()).spawn();
    let xclip = std::process::Command::new("xclip").arg("-version").output();
    let (Ok(mut server), true) = (server, xclip.is_ok()) else {
        println!("left out: no Xvfb or no xclip here");
        return;
    };
    let mut display = String::new();
    let shown = std::io::BufReader::new(server.stdout.take().expect("a pipe"));
    std::io::BufRead::read_line(&mut { shown }, &mut display).expect("a display");
    let display = format!(":{}", display.trim());
    let w = world();
    let mut copy = std::process::Command::new("xclip");
    copy.args(["-selection", "clipboard", "-in"]).env("DISPLAY", &display);
    let mut copy = copy.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("xclip");
    let reply = block("other.py", "a = 1\n", "a = 2\n");
    copy.stdin.take().expect("a pipe").write_all(reply.as_bytes()).expect("a pipe");
    copy.wait().expect("an end");
    let mut command = w.command(&["--paste", "-q"]);
    command.env("DISPLAY", &display).env_remove("WAYLAND_DISPLAY").stdin(Stdio::null());
    let said = w.finish(command, b"");
    server.kill().expect("an end");
    server.wait().expect("an end");
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    assert_eq!(w.tree()["other.py"], "644 a = 2\n");
}
