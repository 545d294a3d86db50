//! `edapply convert` as people call it.

use std::process::Command;

use crate::world::{World, block};

const FILE: &str = "one\nsame\ntwo\nsame\nthree\n";

fn world() -> World {
    World::new(&[("src/f.txt", FILE), ("gone.txt", "bye\n")])
}

const PATCH: &str = "*** Begin Patch\n*** Update File: src/f.txt\n@@\n two\n-same\n+other\n*** Delete File: gone.txt\n\
    *** Add File: new.txt\n+hello\n*** End Patch\n";

#[test]
fn a_reply_becomes_a_diff_that_git_applies() {
    let w = world();
    let said = w.run(&["convert", "--to", "unified", "-C", "."], PATCH);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    std::fs::write(w.beside("out.diff"), &said.stdout).expect("a file");
    let mut git = Command::new("git");
    git.args(["apply"]).arg(w.beside("out.diff")).current_dir(w.root());
    git.env("GIT_CEILING_DIRECTORIES", w.root().parent().expect("a parent"));
    assert!(git.status().expect("git").success());
    assert_eq!(w.tree()["src/f.txt"], "644 one\nsame\ntwo\nother\nthree\n");
    assert_eq!(w.tree()["new.txt"], "644 hello\n");
    assert!(!w.tree().contains_key("gone.txt"));
}

#[test]
fn blocks_from_a_tree_quote_what_stands_once() {
    let w = world();
    let diff = "--- a/src/f.txt\n+++ b/src/f.txt\n@@ -4 +4 @@\n-same\n+other\n";
    let said = w.run(&["convert", "--to", "search-replace", "-C", "."], diff);
    let want = "src/f.txt\n```\n<<<<<<< SEARCH\nsame\ntwo\nsame\nthree\n=======\nsame\ntwo\nother\nthree\n\
        >>>>>>> REPLACE\n```\n\n";
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, want, ""));
}

#[test]
fn without_a_tree_only_what_is_said_is_written() {
    let w = world();
    let said = w.run(&["convert", "--to", "v4a"], &block("src/f.txt", "two\nsame\n", "two\nother\n"));
    let want = "*** Begin Patch\n*** Update File: src/f.txt\n@@\n two\n-same\n+other\n*** End Patch\n";
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, want, ""));
    let said = w.run(&["convert", "--to", "whole-file"], &block("src/f.txt", "two\n", "2\n"));
    assert_eq!(said.stdout, "");
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (
            1,
            "edapply: edit 1 (input line 3): it changes a part of the file: give the tree with -C [not-convertible]\n"
        )
    );
    let said = w.run(&["convert", "--to", "search-replace"], PATCH);
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (
            1,
            "edapply: edit 2 (input line 7): search-replace has no words for deleting a file [not-convertible]\n"
        )
    );
}

#[test]
fn what_is_refused_or_unreadable_is_told() {
    let w = world();
    let before = w.tree();
    let said = w.run(&["convert", "--to", "unified", "-C", "."], &block("src/f.txt", "nix\n", "x\n"));
    assert_eq!((said.code, said.stdout.as_str()), (1, ""));
    assert!(said.stderr.contains("[not-found]"), "{}", said.stderr);
    let said = w.run(&["convert", "--to", "unified"], "hello\n");
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("[no-edit]"), "{}", said.stderr);
    assert_eq!(w.run(&["convert", "--to", "no-format"], "").code, 2);
    assert_eq!(w.run(&["convert", "--to", "v4a", "missing.md"], "").code, 2);
    assert_eq!(w.tree(), before);
}

/// A change that every format has words for, and the file after it.
const CHANGE: (&str, &str) = (
    "--- a/src/f.py\n+++ b/src/f.py\n@@ -2,2 +2,3 @@\n line 2\n-line 3\n+LINE 3\n+more\n@@ -20 +21,0 @@\n-line 20\n",
    "src/f.py",
);

fn numbered(count: usize) -> String {
    (1..=count).map(|n| format!("line {n}\n")).collect()
}

#[test]
fn every_format_carries_a_change_of_lines() {
    let after = numbered(40).replace("line 3\n", "LINE 3\nmore\n").replace("line 20\n", "");
    for to in [
        "search-replace",
        "whole-file",
        "elided",
        "unified",
        "context",
        "normal",
        "ed",
        "v4a",
        "edit-call",
        "hashline",
    ] {
        let w = World::new(&[(CHANGE.1, &numbered(40))]);
        let said = w.run(&["convert", "--to", to, "-C", "."], CHANGE.0);
        assert_eq!(said.code, 0, "{to}: {}", said.stderr);
        let numbered = matches!(to, "context" | "normal" | "ed");
        let applied = match to {
            "context" => w.run(&["patch", "-p1"], &said.stdout),
            "normal" => w.run(&["patch", "-n", CHANGE.1], &said.stdout),
            "ed" => w.run(&["patch", "-e", CHANGE.1], &said.stdout),
            _ => w.run(&["--match", "strict"], &said.stdout),
        };
        assert_eq!(applied.code, 0, "{to}: {}\n{}{}", said.stdout, applied.stdout, applied.stderr);
        assert_eq!(w.tree()[CHANGE.1], format!("644 {after}"), "{to}\n{}", said.stdout);
        assert!(
            !numbered || !applied.stdout.contains("fuzz") && !applied.stdout.contains("offset"),
            "{applied:?}"
        );
        if !numbered && !matches!(to, "whole-file" | "unified") {
            let found = w.report(&["inspect", "--json"], &said.stdout, 0);
            assert_eq!(found["edits"][0]["format"], to);
        }
    }
}

#[test]
fn what_a_format_has_no_words_for() {
    let patch = "*** Begin Patch\n*** Update File: f\n*** Move to: g\n@@\n-a\n+b\n*** Delete File: h\n*** End Patch\n";
    let create = "*** Begin Patch\n*** Add File: new\n+x\n*** End Patch\n";
    let dot = block("f", "a\n", ".\n");
    let two = block("f", "a\n", "b\n") + &block("h", "bye\n", "ciao\n");
    for (to, reply, why) in [
        ("context", patch, "f: the format has no words for moving a file"),
        ("normal", &two, "h: the format names no file, so that it can change one only"),
        ("ed", create, "new: the format has no words for creating or deleting it"),
        ("ed", &dot, "f: an ed script cannot write a line that is a lone dot, or has no end"),
        ("hashline", create, "new: hashline has no words for creating a file"),
        ("elided", create, "new: there are no lines that stay"),
    ] {
        let w = World::new(&[("f", "a\n"), ("h", "bye\n")]);
        let said = w.run(&["convert", "--to", to, "-C", "."], reply);
        let want = format!("edapply: {why} [not-convertible]\n");
        assert_eq!((said.code, said.stdout.as_str(), said.stderr), (1, "", want), "{to}");
    }
    let w = World::new(&[("f", "a\n")]);
    for to in ["context", "normal", "ed", "hashline", "elided"] {
        let said = w.run(&["convert", "--to", to], &two);
        assert_eq!(said.code, 1);
        assert!(said.stderr.contains("give the tree with -C [not-convertible]"), "{to}: {}", said.stderr);
    }
    let said = w.run(
        &["convert", "--to", "hashline", "-C", "."],
        "*** Begin Patch\n*** Update File: f\n*** Move to: g\n@@\n-a\n+b\n*** End Patch\n",
    );
    assert_eq!((said.code, said.stdout.lines().last()), (0, Some("")), "{said:?}");
    assert!(said.stdout.contains("MV g\n"));
}
