//! What newcomers and programs get wrong, and what each is told: what happened, where, and what to do next.

use std::{
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::Path,
};

use crate::world::{Said, World, block};

const CALC: &str = "def add(a, b):\n    return a + b\n\ndef sub(a, b):\n    return a - b\n";

const PATCH: &str = "--- a/src/calc.py\n+++ b/src/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a + b\n+    return int(a + b)\n";

fn world() -> World {
    let w = World::new(&[("src/calc.py", CALC), ("other/x.txt", "x\n")]);
    std::fs::write(w.beside("fix.patch"), PATCH).expect("a file");
    w
}

/// A refusal of one edit: the message, the code, and the next step.
fn fail(at: &str, message: &str, next: &str) -> String {
    format!("FAIL  {at}  edit 1 (input line 1): {message}\n      next: {next}\nnothing was written\n")
}

fn no_edit(seen: &str, next: &str) -> String {
    format!("FAIL  no edit found in the input: {seen} [no-edit]\n      next: {next}\nnothing was written\n")
}

const FORMATS: &str = "Write each edit in one format, with the file's path on the line above it; `edapply prompt search-replace` says how.";

#[test]
fn the_wrong_folder() {
    let w = world();
    let below = fail(
        "src/calc.py",
        "no such file in [ROOT]/other; it stands in [ROOT]: use `-C [ROOT]` [no-such-file]",
        "Run it in that folder, or name that folder with `-C`.",
    );
    w.refuses(&["-C", "other", "../fix.patch"], b"", 1, &below);
    let away = World::new(&[]);
    let nowhere = fail(
        "src/calc.py",
        "no such file in [ROOT] [no-such-file]",
        "Run it in the folder that the paths start from, or name that folder with `-C DIR`; to create a file, leave the old \
         text empty.",
    );
    away.refuses(&[], PATCH.as_bytes(), 1, &nowhere);
}

#[test]
fn the_wrong_strip_count() {
    let w = world();
    for (option, path, code, next) in [
        (
            "-p0",
            "b/src/calc.py",
            "no-such-file",
            "Use `-p1`, or leave `-p` out: it is then chosen as the files fit.",
        ),
        (
            "-p2",
            "calc.py",
            "no-such-file",
            "Use `-p1`, or leave `-p` out: it is then chosen as the files fit.",
        ),
        (
            "-p3",
            "b/src/calc.py",
            "path-empty",
            "Name a file; if `-p` was given, leave it out: it is then chosen as the files fit.",
        ),
    ] {
        let message = match code {
            "path-empty" => "the path is empty or names a folder [path-empty]",
            _ => "no such file in [ROOT]; closest is src/calc.py [no-such-file]",
        };
        w.refuses(&[option, "../fix.patch"], b"", 1, &fail(path, message, next));
    }
}

#[test]
fn no_edits_in_the_input() {
    let w = world();
    w.refuses(
        &[],
        b"Sure! Here is how:\n\n```python\nx = 1\n```\n",
        1,
        &no_edit("5 lines of text with 1 code fence that names no file", FORMATS),
    );
    w.refuses(&[], b"I have fixed it.\n", 1, &no_edit("1 line of text with no code fence", FORMATS));
}

#[test]
fn an_ambiguous_block() {
    let w = World::new(&[("two.py", "def a():\n    return 1\ndef b():\n    return 1\n")]);
    w.refuses(
        &[],
        block("two.py", "    return 1\n", "    return 2\n").as_bytes(),
        1,
        "FAIL  two.py  edit 1 (input line 3): the old text fits 2 places, lines 2 and 4: add lines that tell them apart \
         [ambiguous]\n      for line 2 quote these, which stand once:\n           1 | def a():\n           2 |     return 1\n      \
         for line 4 quote these, which stand once:\n           3 | def b():\n           4 |     return 1\n      next: Add neighbouring lines that tell the places apart.\n\
         nothing was written\n",
    );
}

#[test]
fn a_stale_file() {
    let w = World::new(&[("calc.py", "def add(a, b):\n    return a + b\n")]);
    w.refuses(
        &[],
        block("calc.py", "def add(a, b):\n    return a + c\n", "x\n").as_bytes(),
        1,
        "FAIL  calc.py  edit 1 (input line 3): old text not found; closest is line 1: line 2 reads `return a + b`, the quote \
         `return a + c` [not-found]\n      looked for:\n             | def add(a, b):\n             |     return a + c\n      \
         closest, lines 1 to 2 (line 2 reads `return a + b`, the quote `return a + c`):\n           1 | def add(a, b):\n           \
         2 |     return a + b\n      next: Quote the lines exactly as they stand in the file; the closest ones are shown.\n\
         nothing was written\n",
    );
}

#[test]
fn inputs_that_are_something_else() {
    let w = world();
    let packed = "Unpack it first: `gzip -dc FILE | edapply`, or what else unpacks it.";
    let utf16 = "Convert it first: `iconv -f UTF-16 -t UTF-8 FILE | edapply`.";
    let binary = |what: &str, next: &str| {
        format!(
            "FAIL  the input is no text: {what} [binary-input]\n      next: {next}\nnothing was written\n"
        )
    };
    let plain = "Convert the input to UTF-8, or give the text that describes the edit.";
    w.refuses(&[], b"\x1f\x8b\x08\0\0", 1, &binary("it is compressed by gzip", packed));
    w.refuses(&[], b"PK\x03\x04\0\0", 1, &binary("it is a ZIP archive", packed));
    w.refuses(&[], b"\xff\xfe-\0-\0", 1, &binary("it is encoded in UTF-16", utf16));
    w.refuses(&[], b"\x7fELF\x02\0\0", 1, &binary("it holds NUL bytes", plain));
    let empty = "FAIL  the input is empty [empty-input]\n      next: Check the program or file that the input comes from.\nnothing was written\n";
    w.refuses(&[], b"", 1, empty);
    for (input, seen, next) in [
        (
            "<!DOCTYPE html>\n<html><body>404</body></html>\n",
            "it is an HTML page",
            "Save the raw patch or reply, not the page that shows it.",
        ),
        (
            "Content-Transfer-Encoding: base64\n\nLS0tIGEvc3JjCg==\n",
            "it is a mail encoded in base64",
            "Decode the mail first: `git mailinfo message patch < MAIL`, then `edapply patch`.",
        ),
        (
            "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> branch\n",
            "it is a conflict that a merge left",
            "Resolve the conflict by hand; a block to be applied has `<<<<<<< SEARCH` and `>>>>>>> REPLACE`.",
        ),
        (
            " src/calc.py | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n",
            "it is a diffstat, which tells the size of a change and not the change",
            "Send the diff itself: `git diff` or `git format-patch` without `--stat`.",
        ),
        (
            "{\"hello\": 1}\n",
            "it is JSON without a known edit call",
            "An edit call names a file, an old and a new text: `{\"file_path\": ..., \"old_string\": ..., \"new_string\": ...}`.",
        ),
        (
            "sed -i 's/a/b/' src/calc.py\n",
            "it is a shell command, and those are never run",
            "Ask for the edit itself in one of the formats (`edapply prompt search-replace` says how).",
        ),
    ] {
        w.refuses(&[], input.as_bytes(), 1, &no_edit(seen, next));
    }
    w.refuses(
        &["--format", "unified"],
        block("src/calc.py", "    return a + b\n", "x\n").as_bytes(),
        1,
        &no_edit(
            "nothing in the format unified, but 1 edit in search-replace",
            "Leave `--format` out, or name the format that the input has.",
        ),
    );
}

#[test]
fn the_file_to_change_given_as_input() {
    let w = world();
    w.refuses(
        &["src/calc.py"],
        b"",
        1,
        "FAIL  src/calc.py: no edit found in the input: 5 lines of text with no code fence [no-edit]\n      next: Give the reply \
         or patch as input, not the file to change: that one is named in the reply, and found below the current folder or `-C \
         DIR`.\nnothing was written\n",
    );
}

#[test]
fn inputs_that_are_not_there() {
    let w = world();
    for (args, name, next) in [
        (&["apply", "../fix.patch"][..], "apply", "Leave the word out: `edapply INPUT` applies."),
        (&["inspekt"], "inspekt", "`inspect` is a command; name a file in full if that was meant."),
        (&["--", "--check"], "--check", "Behind `--` every word is a file; write options before it."),
        (
            &["https://example.org/x.patch"],
            "https://example.org/x.patch",
            "Nothing is fetched: run `curl -fsSL https://example.org/x.patch | edapply`.",
        ),
    ] {
        let want = format!(
            "error cannot read {name}: no such file or directory [unreadable-input]\n      next: {next}\n"
        );
        w.refuses(args, b"", 2, &want);
    }
    w.refuses(
        &["missing.md"],
        b"",
        2,
        "error cannot read missing.md: no such file or directory [unreadable-input]\n      next: Check the name and the \
         permissions of the input.\nnothing was written\n",
    );
    w.refuses(
        &[PATCH],
        b"",
        2,
        "edapply: an argument holds several lines: inputs are named by their files; pipe a text in, as in `edapply < reply.md`\n",
    );
}

#[test]
fn roots_that_are_no_folders() {
    let w = world();
    let next = "[unreadable-root]\n      next: Name with `-C` the folder that the paths of the edits start from.\nnothing was written\n";
    w.refuses(
        &["-C", "nowhere"],
        PATCH.as_bytes(),
        2,
        &format!("error cannot open the root nowhere: no such file or directory {next}"),
    );
    w.refuses(
        &["-C", "other/x.txt"],
        PATCH.as_bytes(),
        2,
        &format!("error cannot open the root other/x.txt: not a directory {next}"),
    );
    let said = w.run(&["-C", "src", "-C", "other"], PATCH);
    assert!(
        said.code == 2 && said.stderr.contains("'--root <DIR>' cannot be used multiple times"),
        "{said:?}"
    );
}

#[test]
fn what_is_applied_already_and_what_never_was() {
    let w = world();
    w.refuses(
        &["-p1", "-R", "../fix.patch"],
        b"",
        1,
        "FAIL  src/calc.py  edit 1 (input line 3): not applied here, nothing to take back: the text from before the change \
         stands at line 1 [not-applied]\n      next: Leave out `-R` to apply the change; or there is nothing left to do.\nnothing \
         was written\n",
    );
    assert_eq!(w.run(&["-q", "../fix.patch"], "").code, 0);
    let again = "ok    src/calc.py:1  already applied: the new text stands at line 1\n";
    assert_eq!(w.run(&["../fix.patch"], ""), Said { code: 0, stdout: String::new(), stderr: again.into() });
    assert_eq!(w.run(&["-q", "../fix.patch", "-p1", "-R"], "").code, 0);
    assert_eq!(w.tree()["src/calc.py"], format!("644 {CALC}"));
}

#[test]
fn paths_of_another_system() {
    let w = world();
    let reply = |path: &str| {
        format!("{path}\n<<<<<<< SEARCH\n    return a + b\n=======\n    return b\n>>>>>>> REPLACE\n")
    };
    w.refuses(
        &[],
        reply("C:\\proj\\src\\calc.py").as_bytes(),
        1,
        "FAIL  \"C:\\\\proj\\\\src\\\\calc.py\"  edit 1 (input line 2): the path means something else on Windows: a drive letter \
         [path-ntfs]\n      next: Name the file as it is from the root, without the drive and with `/` between folders: \
         `src/a.rs`.\nnothing was written\n",
    );
    assert_eq!(w.run(&["--check"], &reply("src\\calc.py")).code, 0);
    assert_eq!(w.run(&["--check"], &PATCH.replace('\n', "\r\n")).code, 0);
}

#[test]
fn texts_that_were_cut_off() {
    let w = world();
    let rest = "Send the whole edit again, up to its end marker.";
    let cut: String = PATCH.lines().take(5).map(|line| format!("{line}\n")).collect();
    let message =
        "the block is cut off: expected the rest of the last hunk before the end of the input [unfinished]";
    w.refuses(&[], cut.as_bytes(), 1, &fail("src/calc.py", message, rest));
    let head: String = PATCH.lines().take(2).map(|line| format!("{line}\n")).collect();
    let message = "the header is followed by no hunk [malformed]";
    w.refuses(
        &[],
        head.as_bytes(),
        1,
        &fail("src/calc.py", message, "Write the edit again as its format asks."),
    );
    w.refuses(
        &[],
        b"{\"tool\": \"edit\", \"old_string\": \"a",
        1,
        &fail("(no file)", "the block is cut off: expected the end of the JSON text before the end of the input [unfinished]", rest),
    );
}

#[test]
fn names_that_are_missing_or_misspelt() {
    let w = world();
    let reply = block("src/calk.py", "    return a + b\n", "    return b\n");
    w.refuses(
        &[],
        reply.as_bytes(),
        1,
        "FAIL  src/calk.py  edit 1 (input line 3): no such file in [ROOT]; closest is src/calc.py [no-such-file]\n      next: If \
         src/calc.py is meant, write its path so; to create a file, leave the old text empty.\nnothing was written\n",
    );
    w.refuses(
        &[],
        b"<<<<<<< SEARCH\n    return a + b\n=======\n    return b\n>>>>>>> REPLACE\n",
        1,
        &fail(
            "(no file)",
            "no file is named for this edit; its text stands in src/calc.py [no-path]",
            "Put the file's path on the line above the edit.",
        ),
    );
    w.refuses(
        &[],
        b"src\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
        1,
        "FAIL  src  edit 1 (input line 2): the target is a folder, not a regular file [target-not-file]\n      next: Name a \
         file.\nnothing was written\n",
    );
}

#[test]
fn typographic_quotes_are_no_mistake() {
    let w = World::new(&[("q.py", "s = \"it's\"\n")]);
    let reply = block("q.py", "s = “it’s”\n", "s = “its”\n");
    assert_eq!(w.run(&[], &reply).code, 0);
    assert_eq!(w.tree()["q.py"], "644 s = \"its\"\n");
}

/// A file that may not be read, and one in a folder that may not be written, by somebody who is not root.
#[test]
fn files_that_are_shut() {
    let w = world();
    w.put("src/shut.py", b"x\n");
    w.chmod("src/shut.py", 0o000);
    let program = w.beside("edapply");
    std::fs::copy(env!("CARGO_BIN_EXE_edapply"), &program).expect("a copy");
    let as_somebody = |args: &[&str], stdin: &str| {
        let mut command = w.command_of(&program, args);
        if rustix::process::geteuid().is_root() {
            std::fs::set_permissions(w.beside(""), PermissionsExt::from_mode(0o755)).expect("a mode");
            command.uid(65534).gid(65534);
        }
        w.finish(command, stdin.as_bytes())
    };
    let before = w.tree().len();
    let said = as_somebody(&["--check"], &block("src/shut.py", "x\n", "y\n"));
    let want = "FAIL  src/shut.py  edit 1 (input line 3): cannot be read: permission denied [unreadable]\n      next: Check the \
                file's owner and permissions.\n";
    assert_eq!((said.code, said.stderr.as_str()), (1, want));
    let said = as_somebody(&["src/shut.py"], "");
    let want = "error cannot read src/shut.py: permission denied [unreadable-input]\n      next: Check the name and the \
                permissions of the input.\nnothing was written\n";
    assert_eq!((said.code, said.stderr.as_str()), (2, want));
    assert_eq!(w.tree().len(), before);
}

#[test]
fn options_that_do_not_exist_or_hold_no_number() {
    let w = world();
    for (args, part) in [
        (&["--dryrun"][..], "tip: a similar argument exists: '--dry-run'"),
        (&["-p", "one"], "invalid value 'one' for '--strip <N>': not a whole number, such as 1"),
        (&["--max-offset", "far"], "not a whole number of lines, such as 20"),
        (&["-p"], "a value is required for '--strip <N>' but none was supplied"),
        (&["--format", "diff"], "[possible values: search-replace, whole-file,"),
        (&["--check", "--dry-run"], "'--check' cannot be used with '--dry-run'"),
        (&["--only", "("], "edapply: --only: `(` is no regular expression: unclosed group\n"),
        (
            &["--protect", "["],
            "edapply: --protect: `[` is no pattern: a bracket is not closed, or a range is empty\n",
        ),
        (&["-", "-"], "edapply: standard input can be read once only: name `-` once, or none\n"),
        (
            &["explain", "ambigous"],
            "edapply: no code `ambigous`; did you mean ambiguous? (`edapply explain` lists all)\n",
        ),
    ] {
        let before = w.tree();
        let said = w.run(args, "");
        assert!(said.code == 2 && said.stderr.contains(part), "{args:?} {}", said.stderr);
        assert_eq!(w.tree(), before);
    }
}

#[test]
fn the_home_folder_is_a_folder_like_others() {
    let w = World::new(&[("documents/notes.txt", "x\n")]);
    let mut command = w.command_of(Path::new(env!("CARGO_BIN_EXE_edapply")), &["--check"]);
    command.env("HOME", w.root());
    let said = w.finish(command, PATCH.as_bytes());
    assert!(
        said.code == 1
            && said.stderr.contains("no such file in [ROOT]")
            && said.stderr.contains("name that folder with `-C DIR`"),
        "{said:?}"
    );
}

/// Every option is under a heading, says its unit and what holds without it, and fits a narrow terminal.
#[test]
fn the_help_is_readable() {
    let command = edapply::cli::command().term_width(80);
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        assert!(arg.get_help_heading().is_some(), "{id} stands under no heading");
        if !arg.get_action().takes_values() || arg.is_positional() {
            continue;
        }
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let known = !arg.get_default_values().is_empty() || help.contains("default: ");
        let counts = arg
            .get_value_names()
            .is_some_and(|names| names.iter().any(|name| name == "N" || name == "SECONDS"));
        assert!(known || !counts, "{id} does not say what holds without it: {help}");
        let unit = ["lines", "files", "components", "Seconds"].iter().any(|unit| help.contains(unit));
        assert!(unit || !counts, "{id} does not say in what it counts: {help}");
    }
    for text in [command.clone().render_help(), command.clone().render_long_help()] {
        let text = text.to_string();
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("edapply patch") && text.contains("edapply git-apply"), "{text}");
    }
}

#[test]
fn commands_that_are_given_the_wrong_thing() {
    let w = world();
    std::fs::create_dir(w.path("empty")).expect("a folder");
    for (args, message, next) in [
        (
            &["read", "nosuch.py"][..],
            "cannot read nosuch.py: no such file [unreadable]",
            "Name a file as it is from the current folder, or from that of `-C DIR`.",
        ),
        (
            &["read", "src/calc.py:90-99"],
            "src/calc.py has 5 lines, none of which are asked for [unreadable]",
            "Ask for lines from 1 to 5, as FILE:A-B.",
        ),
        (
            &["bench", "nosuch"],
            "cannot read the folder nosuch: no such file or directory [unreadable-input]",
            "Check the name and the permissions of the input.",
        ),
        (
            &["bench", "empty", "src"],
            "no folder in empty, src holds a meta.json [no-cases]",
            "Name a folder of such folders; the README says how to make them.",
        ),
    ] {
        w.refuses(args, b"", 2, &format!("edapply: {message}\n      next: {next}\n"));
    }
}
