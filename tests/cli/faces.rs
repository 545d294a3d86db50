//! Subcommands, usage, and what is not here yet.

use crate::{
    reports,
    world::{Said, World, block, files},
};

fn said(code: i32, stdout: &str, stderr: &str) -> Said {
    Said { code, stdout: stdout.into(), stderr: stderr.into() }
}

#[test]
fn inspect_lists_what_is_there() {
    let w = World::new(&[]);
    let reply = block("src/a.rs", "a\n", "b\n")
        + "```sh\nls\n```\n*** Begin Patch\n*** Delete File: x.c\n*** End Patch\n";
    let list = "  1  lines 3-7        search-replace  update  src/a.rs\n  2  lines 13-13      v4a             delete  x.c\n1 code fence(s) left alone\n";
    assert_eq!(w.run(&["inspect"], &reply), said(0, list, ""));
    let json = w.run(&["inspect", "--json"], &reply);
    let found: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    let want = serde_json::json!({"version": 1, "report": "inspect", "edits": [
        {"id": 1, "format": "search-replace", "path": "src/a.rs", "input_lines": [3, 7], "op": "update"},
        {"id": 2, "format": "v4a", "path": "x.c", "input_lines": [13, 13], "op": "delete"}
    ], "skipped": 1});
    assert_eq!((json.code, found), (0, want));
}

#[test]
fn inspect_tells_several_inputs_apart() {
    let w = World::new(&[("a", &block("x", "a\n", "b\n")), ("b", &block("y", "a\n", "b\n"))]);
    let list = "a:\n  1  lines 3-7        search-replace  update  x\nb:\n  1  lines 3-7        search-replace  update  y\n";
    assert_eq!(w.run(&["inspect", "a", "b"], ""), said(0, list, ""));
    let json = w.run(&["inspect", "--json", "a", "b"], "");
    let found: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    let inputs: Vec<&str> = [0, 1].iter().filter_map(|at| found["edits"][at]["input"].as_str()).collect();
    assert_eq!(inputs, ["a", "b"]);
}

#[test]
fn inspect_has_three_exit_codes() {
    let w = World::new(&[]);
    assert_eq!(w.run(&["inspect"], "nothing here\n"), said(1, "", "no edit found\n"));
    assert_eq!(
        w.run(&["inspect", "--json"], "nothing\n"),
        said(1, "{\"version\":1,\"report\":\"inspect\",\"edits\":[],\"skipped\":0}\n", "")
    );
    let missing = "edapply: cannot read nope: no such file or directory [unreadable-input]\n      next: Check the name and the permissions of the input.\n";
    assert_eq!(w.run(&["inspect", "nope"], ""), said(2, "", missing));
}

#[test]
fn explain_knows_every_code() {
    let w = World::new(&[]);
    let list = w.run(&["explain"], "");
    assert_eq!((list.code, list.stderr.as_str()), (0, ""));
    let codes: Vec<&str> = list.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(codes.len() > 40 && codes.contains(&"ambiguous"));
    let want = "overlap: Two edits change the same lines\n\nPlaces of two hunks overlap in the file.\n\n\
        Why: Whichever went first would decide the result.\nNext: Join the two into one edit.\n";
    assert_eq!(w.run(&["explain", "overlap"], ""), said(0, want, ""));
    assert_eq!(
        w.run(&["explain", "nope"], ""),
        said(2, "", "edapply: no code `nope` (`edapply explain` lists all)\n")
    );
}

#[test]
fn git_apply_by_each_of_its_names() {
    let w = World::new(&[("f", "a\n")]);
    let patch = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(w.run(&["git-apply", "--numstat"], patch), said(0, "1\t1\tf\n", ""));
    for link in ["git-apply", "git-edapply"] {
        let path = w.beside(link);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_edapply"), &path).expect("a link");
        assert_eq!(
            w.finish(w.command_of(&path, &["--check", "-v"]), patch.as_bytes()),
            said(0, "", "Checking patch f...\n")
        );
    }
    assert_eq!(w.run(&["git-apply"], "x\n").code, 128);
    assert_eq!(w.run(&["git-apply", "--nope"], "").code, 129);
}

#[test]
fn usage_errors_are_trouble_and_help_is_not() {
    let w = World::new(&[]);
    let wrong = w.run(&["--no-such-option"], "");
    assert_eq!((wrong.code, wrong.stdout.as_str()), (2, ""));
    assert_eq!(w.run(&["--dry-run", "--check"], "").code, 2);
    assert_eq!(w.run(&["--max-files", "many"], "").code, 2);
    let help = w.run(&["--help"], "");
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    assert_eq!(w.run(&["--version"], "").stdout, format!("edapply {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_terminal_without_input_gets_the_usage() {
    let (mut stdin, mut stdout, mut stderr) = (&b""[..], Vec::new(), Vec::new());
    let mut streams = edapply::cli::Streams {
        stdin: &mut stdin,
        stdout: &mut stdout,
        stderr: &mut stderr,
        stdin_is_terminal: true,
        stdout_is_terminal: true,
        stderr_is_terminal: true,
        width: Some(80),
        settled: false,
        as_json: false,
    };
    for args in [vec!["edapply"], vec!["edapply", "inspect"]] {
        let exit = edapply::cli::run_with(args.into_iter().map(Into::into).collect(), &mut streams);
        assert_eq!(exit, edapply::report::Exit::Trouble);
    }
    let text = String::from_utf8_lossy(&stderr);
    assert!(stdout.is_empty() && text.contains("Usage: edapply") && text.contains("Give an INPUT"), "{text}");
}

#[test]
fn options_may_stand_before_a_command() {
    let w = World::new(&[("p/a.txt", "a\n")]);
    let reply = block("a.txt", "a\n", "b\n");
    let list = "  1  lines 1-7        search-replace  update  a.txt\n";
    for args in [&["inspect", "-C", "p"][..], &["-C", "p", "inspect"], &["--root=p", "inspect"]] {
        let said = w.run(args, &reply);
        assert_eq!((said.code, said.stdout.lines().count()), (0, list.lines().count()), "{args:?} {said:?}");
    }
    let state = w.beside("state");
    let state = state.to_str().expect("a path");
    assert_eq!(w.run(&["-C", "p", "--state-dir", state], &reply).code, 0);
    assert_eq!(w.tree()["p/a.txt"], "644 b\n");
    let said = w.run(&["--state-dir", state, "-C", "p", "undo"], "");
    assert_eq!((said.code, w.tree()["p/a.txt"].as_str()), (0, "644 a\n"), "{said:?}");
    assert_eq!(w.run(&["-qC", "p", "undo", "--list"], "").code, 2, "undo knows no -q");
    let said = w.run(&["--partial", "undo"], "");
    assert!(said.code == 2 && said.stderr.contains("--partial"), "{said:?}");
}

/// The program in a shell's line; `$0` is the program.
fn in_shell(w: &World, line: &str) -> Said {
    let program = w.command(&[]).get_program().to_owned();
    let mut command = w.command_of(std::path::Path::new("/bin/sh"), &["-c", line]);
    command.arg(program);
    w.finish(command, b"")
}

#[test]
fn no_file_takes_the_place_of_a_stream_that_was_closed() {
    let reply = block("a.txt", "a\n", "b\n");
    for (line, code, after) in [
        ("exec \"$0\" reply.md <&- >&- 2>&-", 0, "b\n"),
        ("exec \"$0\" reply.md <&- 2>&-", 0, "b\n"),
        ("exec \"$0\" --dry-run reply.md >&- 2>&-", 0, "a\n"),
        ("exec \"$0\" missing.md <&- >&- 2>&-", 2, "a\n"),
    ] {
        let w = World::new(&[("a.txt", "a\n"), ("reply.md", &reply)]);
        let said = in_shell(&w, line);
        assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (code, "", ""), "{line}");
        let want = [("a.txt", after), ("reply.md", reply.as_str())];
        assert_eq!(w.tree(), files(&want), "{line}");
    }
}

#[test]
fn a_pipe_that_nobody_reads_ends_nothing() {
    let reply = block("a.txt", "a\n", "b\n");
    let w = World::new(&[("a.txt", "a\n"), ("reply.md", &reply)]);
    for line in ["{ \"$0\" --help; echo $? >&2; } | :", "{ \"$0\" reply.md 2>&1; echo $? >&2; } | :"] {
        let said = in_shell(&w, &format!("{line}; wait"));
        assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("", "0\n"), "{line}");
    }
    assert_eq!(w.tree(), files(&[("a.txt", "b\n"), ("reply.md", &reply)]));
}

/// `/dev/full` in place of a stream.
fn into_full(w: &World, args: &[&str], reply: &str, standard_error: bool) -> Said {
    let mut command = w.command(args);
    let full = std::fs::File::options().write(true).open("/dev/full").expect("the device");
    let (given, free) = (std::process::Stdio::from(full), std::process::Stdio::piped());
    let (out, err) = if standard_error { (free, given) } else { (given, free) };
    command.stdin(std::process::Stdio::piped()).stdout(out).stderr(err);
    let mut child = command.spawn().expect("started");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), reply.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("an end");
    if standard_error {
        reports::check(&command, output.status.code(), &output.stdout);
    }
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Said {
        code: output.status.code().expect("a code"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

#[test]
fn a_report_that_cannot_be_written_hides_no_commit() {
    let reply = block("a.txt", "a\n", "b\n");
    for (args, standard_error) in
        [(&["--json"][..], false), (&["--json"], true), (&[], true), (&["-q"], true)]
    {
        let w = World::new(&[("a.txt", "a\n")]);
        let said = into_full(&w, args, &reply, standard_error);
        assert_eq!((said.code, w.tree()["a.txt"].as_str()), (0, "644 b\n"), "{args:?} {said:?}");
        let told = said.stdout + &said.stderr;
        assert!(
            args == ["-q"] || told.contains("1 file(s) were written") || told.contains("\"applied\""),
            "{told}"
        );
    }
    let w = World::new(&[("a.txt", "a\n")]);
    assert_eq!(w.run(&[], &reply).code, 0);
    let said = into_full(&w, &["undo"], "", true);
    assert!(said.code == 0 && said.stdout.contains("is undone"), "{said:?}");
    let said = into_full(&w, &["--json", "--check"], &reply, false);
    assert!(said.code == 2 && said.stderr.contains("cannot write the output"), "{said:?}");
}
