//! Patches in a folder, annotations of a CI job, hooks of git, and the shell snippets of the README.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use crate::world::{Said, World, files};

/// A patch that makes a line of `a.txt` another one.
fn patch(old: &str, new: &str) -> String {
    format!("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-{old}\n+{new}\n")
}

fn series() -> World {
    World::new(&[
        ("a.txt", "one\n"),
        ("patches/01-two.patch", &patch("one", "two")),
        ("patches/02-three.diff", &patch("two", "three")),
        ("patches/notes.txt", "no patch\n"),
    ])
}

#[test]
fn a_folder_stands_for_its_patches_one_after_another() {
    let w = series();
    let told = "patches/01-two.patch:\nok    a.txt:1  replaced 1 line\n\
        patches/02-three.diff:\nok    a.txt:1  replaced 1 line\n";
    let before = w.tree();
    let said = w.run(&["--check", "patches"], "");
    assert_eq!(said, Said { code: 0, stdout: String::new(), stderr: told.into() });
    assert_eq!(w.tree(), before);
    assert_eq!(w.run(&["-q", "patches"], "").code, 0);
    assert_eq!(w.tree()["a.txt"], "644 three\n");
}

#[test]
fn a_folder_is_listed_and_converted_too() {
    let w = series();
    let said = w.run(&["inspect", "patches"], "");
    let heads: Vec<&str> = said.stdout.lines().filter(|line| line.ends_with(':')).collect();
    assert_eq!((said.code, heads), (0, vec!["patches/01-two.patch:", "patches/02-three.diff:"]), "{said:?}");
    let found = w.report(&["inspect", "--json", "patches"], "", 0);
    assert_eq!(found["edits"].as_array().map(Vec::len), Some(2), "{found:#}");
    let said = w.run(&["convert", "--to", "unified", "-C", ".", "patches"], "");
    let want = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+three\n";
    assert_eq!((said.code, said.stdout.as_str()), (0, want), "{said:?}");
    let said = w.run(&["convert", "--to", "search-replace", "patches"], "");
    assert_eq!((said.code, said.stdout.matches("SEARCH").count()), (0, 2), "{said:?}");
    w.put("patches/series", b"02-three.diff -R\n01-two.patch\n");
    let said = w.run(&["convert", "--to", "search-replace", "patches"], "");
    assert!(said.code == 1 && said.stderr.contains("only a tree (-C DIR) shows what that means"), "{said:?}");
    std::fs::create_dir(w.path("none")).expect("a folder");
    for args in [&["inspect", "none"][..], &["convert", "--to", "v4a", "none"]] {
        let said = w.run(args, "");
        assert!(said.code == 2 && said.stderr.contains("holds no *.patch or *.diff"), "{said:?}");
    }
}

/// What a CI job's runner takes for a command, as it reads a job's output line by line.
fn commands(text: &str) -> Vec<String> {
    let mut stopped: Option<String> = None;
    let mut found = Vec::new();
    for line in text.lines() {
        let bare = line.trim_start();
        match &stopped {
            Some(word) if bare == format!("::{word}::") => stopped = None,
            Some(_) => {}
            None => match bare.strip_prefix("::stop-commands::") {
                Some(word) => stopped = Some(word.to_owned()),
                None if bare.starts_with("::") || line.contains("##[") => found.push(line.to_owned()),
                None => {}
            },
        }
    }
    found
}

#[test]
fn no_content_gives_a_ci_job_commands() {
    let evil = " ::error::kept\n##[add-mask]x\nold\n";
    let w = World::new(&[("a.txt", evil)]);
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n  ::error::kept\n ##[add-mask]x\n-old\n+new\n+::warning::pwn\n";
    assert_eq!(commands(&w.run(&["--dry-run", "-q"], diff).stdout).len(), 2, "without --annotate");
    for args in [["--dry-run", "--annotate"], ["--annotate", "--retry-prompt"]] {
        for reply in [diff.to_owned(), diff.replace("-old", "-odd ##[error]x")] {
            let said =
                w.run(&[args[0], args[1], "--check"][..if args[0] == "--dry-run" { 2 } else { 3 }], &reply);
            assert_eq!(commands(&said.stderr), [""; 0], "{said:?}");
            let told = commands(&said.stdout);
            assert!(told.iter().all(|line| line.starts_with("::error file=a.txt,")), "{said:?}");
            assert_eq!(told.len(), usize::from(said.code == 1), "{said:?}");
        }
    }
    let said = w.run(&["--dry-run", "--annotate", "-q"], diff);
    assert!(said.stdout.contains("\n+::warning::pwn\n"), "the diff is whole: {said:?}");
}

#[test]
fn the_first_patch_that_fails_ends_a_series() {
    let w = series();
    w.put("patches/01b.patch", patch("2", "3").as_bytes());
    w.refuses(
        &["--check", "-C", ".", "patches"],
        b"",
        1,
        "note  patches/01b.patch is the first of 3 patches that fails: 1 before it apply, 1 behind it were not looked at\n\
         patches/01-two.patch:\n\
         fine  a.txt:1  edit 1 is fine and was not applied, since edit 1 of patches/01b.patch was refused\n\
         patches/01b.patch:\n\
         FAIL  a.txt  edit 1 (input line 3): old text not found [not-found]\n\
         \x20     looked for:\n             | 2\n\
         \x20     next: Quote the lines exactly as they stand in the file; the closest ones are shown.\n",
    );
}

#[test]
fn each_patch_of_a_folder_alone() {
    let w = series();
    w.refuses(
        &["--check", "--each", "patches"],
        b"",
        1,
        "patches/01-two.patch:\nok    a.txt:1  replaced 1 line\n\
         patches/02-three.diff:\nFAIL  a.txt  edit 1 (input line 3): old text not found [not-found]\n\
         \x20     looked for:\n             | two\n\
         \x20     next: Quote the lines exactly as they stand in the file; the closest ones are shown.\n\
         1 of 2 inputs apply; refused: patches/02-three.diff\n",
    );
}

#[test]
fn a_series_file_names_the_patches_and_their_order() {
    let w = series();
    w.put("a.txt", b"three\n");
    w.put("patches/series", b"# taken back\n02-three.diff -R # last first\n01-two.patch -p1 -R\n");
    assert_eq!(w.run(&["patches"], "").code, 0);
    assert_eq!(w.tree()["a.txt"], "644 one\n");
    w.put("patches/series", b"02-three.diff --fuzz\n");
    w.refuses(
        &["--check", "patches"],
        b"",
        2,
        "error patches/series: line 1: --fuzz is none of -pN and -R [bad-series]\n\
         \x20     next: Give each line a patch's name, and behind it at most `-pN` and `-R`.\n",
    );
    w.put("patches/series", b"gone.patch\n");
    let said = w.run(&["--check", "patches"], "");
    assert!(said.code == 2 && said.stderr.contains("cannot read patches/gone.patch"), "{said:?}");
}

#[test]
fn annotations_for_a_ci_job() {
    let w = series();
    let said = w.run(&["--check", "--annotate", "-q", "--each", "patches"], "");
    assert_eq!(said.code, 1);
    assert_eq!(
        said.stdout,
        "::error file=patches/02-three.diff,line=3,title=edapply%3A not-found::a.txt: edit 1 (input line 3): old text not \
         found. Quote the lines exactly as they stand in the file; the closest ones are shown.\n"
    );
    let w = World::new(&[
        ("sub/a:b,c.txt", "start here\nthe old line\nend\n"),
        (".github/workflows/ci.yml", "a: 1\n"),
    ]);
    let reply = "a:b,c.txt\n```\n<<<<<<< SEARCH\nthe odd line\n=======\nx\n>>>>>>> REPLACE\n```\n";
    let said = w.run(&["--check", "--annotate", "-q", "-C", "sub"], reply);
    assert!(
        said.stdout.starts_with(
            "::error file=sub/a%3Ab%2Cc.txt,line=2,title=edapply%3A not-found::a:b,c.txt: edit 1"
        ),
        "{said:?}"
    );
    let said = w.run(&["--check", "--annotate", "-q"], "I will do that.\n");
    assert!(said.stdout.starts_with("::error title=edapply%3A no-edit::no edit found"), "{said:?}");
    let flow = "--- a/.github/workflows/ci.yml\n+++ b/.github/workflows/ci.yml\n@@ -1 +1 @@\n-a: 1\n+a: 2\n";
    let said = w.run(&["--check", "--annotate", "-q"], flow);
    let want = "::warning file=.github/workflows/ci.yml,title=edapply::this file can make other programs run commands\n";
    assert_eq!((said.code, said.stdout.as_str()), (0, want));
}

#[test]
fn no_name_begins_a_command_of_a_ci_job() {
    let w = World::new(&[
        ("a.txt", "one\n"),
        ("::error file=x::pwned.patch", &patch("one", "two")),
        ("b.patch", &patch("1", "2")),
    ]);
    let evil = "::error file=x::pwned.patch";
    let new = "--- /dev/null\n+++ b/::warning::x\n@@ -0,0 +1 @@\n+x\n";
    for (args, stdin) in [
        (&["--check", evil, "b.patch"][..], ""),
        (&["--check", "--stat"], new),
        (&["--annotate", "--check"], new),
    ] {
        let said = w.run(args, stdin);
        let all = said.stdout + &said.stderr;
        assert!(!all.is_empty() && all.lines().all(|line| !line.trim_start().starts_with("::")), "{all}");
    }
}

/// A work tree of git in which the program is on the PATH and one of our hooks is installed.
struct Repo {
    w: World,
}

impl Repo {
    fn new(files: &[(&str, &str)], hook: &str) -> Repo {
        let repo = Repo { w: World::new(files) };
        repo.git_ok(&["init", "-q", "-b", "main", "."]);
        repo.git_ok(&["add", "-A"]);
        repo.git_ok(&["commit", "-q", "-m", "start"]);
        let bin = repo.w.beside("bin");
        fs::create_dir(&bin).expect("a folder");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_edapply"), bin.join("edapply")).expect("a link");
        let installed = repo.w.path(".git/hooks").join(hook);
        fs::create_dir_all(repo.w.path(".git/hooks")).expect("a folder");
        fs::copy(fixture("hooks").join(hook), &installed).expect("a hook");
        assert_eq!(installed.metadata().expect("a hook").permissions().mode() & 0o111, 0o111);
        repo
    }

    fn git(&self, args: &[&str]) -> Said {
        let mut command = self.w.command_of(Path::new("git"), args);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.w.beside("bin").display()));
        for (name, value) in [("NAME", "A Tester"), ("EMAIL", "tester@example.org")] {
            command.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        self.w.finish(command, b"")
    }

    #[track_caller]
    fn git_ok(&self, args: &[&str]) {
        let said = self.git(args);
        assert_eq!(said.code, 0, "{args:?}: {}{}", said.stdout, said.stderr);
    }

    fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"]).stdout
    }
}

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(path)
}

#[test]
fn the_hook_before_a_commit() {
    let repo = Repo::new(&[("a.txt", "one\n")], "pre-commit");
    repo.w.put("good one.patch", patch("one", "two").as_bytes());
    repo.git_ok(&["add", "-A"]);
    repo.git_ok(&["commit", "-q", "-m", "a patch that applies"]);
    let head = repo.head();
    repo.w.put("bad.patch", patch("1", "2").as_bytes());
    repo.git_ok(&["add", "-A"]);
    let said = repo.git(&["commit", "-q", "-m", "a patch that does not"]);
    assert!(said.code != 0 && said.stderr.contains("FAIL  a.txt  edit 1 (input line 3)"), "{said:?}");
    assert_eq!(repo.head(), head);
    repo.git_ok(&["rm", "-q", "--cached", "bad.patch"]);
    repo.w.put("b.txt", b"no patch\n");
    repo.git_ok(&["add", "b.txt"]);
    repo.git_ok(&["commit", "-q", "-m", "no patch at all"]);
}

#[test]
fn the_hook_on_a_mailed_patch() {
    let repo = Repo::new(&[("a.txt", "one\n"), (".github/workflows/ci.yml", "a: 1\n")], "applypatch-msg");
    let mail = |diff: &str| {
        format!(
            "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nFrom: A Tester <tester@example.org>\n\
             Date: Mon, 30 Nov 2026 12:00:00 +0000\nSubject: [PATCH] change\n\n---\n{diff}-- \n2.47\n"
        )
    };
    let head = repo.head();
    let flow = patch("a: 1", "a: 2").replace("a.txt", ".github/workflows/ci.yml");
    for (diff, why) in [(flow, "protected"), (patch("one", "two "), "whitespace")] {
        fs::write(repo.w.beside("mail"), mail(&diff)).expect("a file");
        let said = repo.git(&["am", "-q", "../mail"]);
        assert!(said.code != 0 && said.stderr.contains(&format!("[{why}]")), "{said:?}");
        repo.git_ok(&["am", "--abort"]);
        assert_eq!(repo.head(), head);
    }
    fs::write(repo.w.beside("mail"), mail(&patch("one", "two"))).expect("a file");
    repo.git_ok(&["am", "-q", "../mail"]);
    assert_eq!(repo.w.tree()["a.txt"], "644 two\n");
}

#[test]
fn the_hook_before_a_push() {
    let repo = Repo::new(&[("a.txt", "one\n"), ("patches/1.patch", &patch("one", "two"))], "pre-push");
    repo.git_ok(&["init", "-q", "--bare", "../other"]);
    repo.git_ok(&["push", "-q", "../other", "main"]);
    repo.w.put("a.txt", b"changed\n");
    repo.git_ok(&["commit", "-q", "-a", "-m", "the patch is stale now"]);
    let said = repo.git(&["push", "-q", "../other", "main"]);
    assert!(
        said.code != 0 && said.stderr.contains("patches/1.patch: FAIL") | said.stderr.contains("FAIL  a.txt"),
        "{said:?}"
    );
    fs::remove_dir_all(repo.w.path("patches")).expect("removed");
    repo.git_ok(&["push", "-q", "../other", "main"]);
}

/// The hooks that the pre-commit framework is offered are ones that the program knows.
#[test]
fn the_hooks_of_the_framework_are_commands_that_run() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml");
    let text = fs::read_to_string(path).expect("a file");
    let w = series();
    let mut entries = 0;
    for entry in text.lines().filter_map(|line| line.trim().strip_prefix("entry: edapply ")) {
        let mut args: Vec<&str> = entry.split(' ').collect();
        args.push("patches/01-two.patch");
        assert_eq!(
            w.run(&args, ""),
            Said { code: 0, stdout: String::new(), stderr: String::new() },
            "{entry}"
        );
        entries += 1;
    }
    assert_eq!(entries, 2);
}

/// Who runs a hook sees nothing but what it prints: a refusal names the patch, also if it is the only one.
#[test]
fn a_quiet_refusal_names_its_patch() {
    let w = series();
    w.put("patches/00.patch", patch("uno", "two").as_bytes());
    for args in [&["--check", "-q", "patches"][..], &["--check", "-q", "--each", "patches/00.patch"]] {
        let said = w.run(args, "");
        assert_eq!(said.code, 1);
        assert!(said.stderr.starts_with("patches/00.patch:\nFAIL  a.txt  edit 1 (input line 3)"), "{said:?}");
    }
}

/// The first block of shell code under a heading of the README.
fn snippet(heading: &str) -> String {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(readme).expect("a file");
    let section = readme.split(&format!("\n## {heading}\n")).nth(1).expect("a section");
    let code = section.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next());
    code.expect("a snippet").to_owned()
}

#[test]
fn the_snippet_of_the_exit_codes_does_what_it_says() {
    let script = snippet("Exit codes");
    let good = patch("one", "two");
    for (reply, check, told, tree) in [
        (good.as_str(), "true", "applied", "two\n"),
        (good.as_str(), "false", "the result failed its check", "one\n"),
        ("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-won\n+two\n", "true", "asked again", "one\n"),
    ] {
        let w = World::new(&[("a.txt", "one\n")]);
        fs::create_dir(w.beside("bin")).expect("a folder");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_edapply"), w.beside("bin").join("edapply"))
            .expect("a link");
        for (name, body) in
            [("ask-model", "grep -q 'could not be applied' && echo 'asked again' >&2"), ("make", check)]
        {
            let path = w.beside("bin").join(name);
            fs::write(&path, format!("#!/bin/sh\n{body}\n")).expect("a program");
            fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).expect("a mode");
        }
        fs::write(w.beside("reply.md"), reply).expect("a file");
        let script = script.replace("reply.md", "../reply.md").replace("retry.md", "../retry.md");
        let mut command: Command = w.command_of(Path::new("sh"), &["-c", &script]);
        command.env("PATH", format!("{}:/usr/bin:/bin", w.beside("bin").display()));
        let said = w.finish(command, b"");
        let all = said.stdout + &said.stderr;
        assert!(all.lines().any(|line| line == told), "{told:?} {all}");
        assert_eq!(w.tree(), files(&[("a.txt", tree)]));
    }
}

/// What the README shows can be typed: every command and option in it is one that there is.
#[test]
fn the_commands_of_the_readme_exist() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("a file");
    let code = readme.split("\n```").skip(1).step_by(2).flat_map(str::lines);
    let shown = code.chain(readme.lines().filter_map(|line| line.strip_prefix("    ")));
    let mut count = 0;
    for line in shown {
        let Some(rest) = line.trim_start().trim_start_matches("- run: ").strip_prefix("edapply ") else {
            continue;
        };
        let rest =
            rest.split(['#', '|', '<', '>']).next().unwrap_or_default().replace("'make test'", "make-test");
        let words: Vec<&str> = rest.split_whitespace().collect();
        if matches!(words.first(), Some(&("patch" | "git-apply"))) {
            continue;
        }
        let args = std::iter::once("edapply").chain(words.iter().copied());
        let parsed = edapply::cli::command().try_get_matches_from(args);
        assert!(parsed.is_ok(), "{line}: {}", parsed.err().map_or(String::new(), |error| error.to_string()));
        count += 1;
    }
    assert!(count > 15, "{count}");
}
