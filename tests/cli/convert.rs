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
        (1, "edapply: edit 1 (input line 3): it changes a part of the file: give the tree with -C\n")
    );
    let said = w.run(&["convert", "--to", "search-replace"], PATCH);
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (1, "edapply: edit 2 (input line 7): search-replace has no words for deleting a file\n")
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
    assert_eq!(w.run(&["convert", "--to", "ed"], "").code, 2);
    assert_eq!(w.run(&["convert", "--to", "v4a", "missing.md"], "").code, 2);
    assert_eq!(w.tree(), before);
}
