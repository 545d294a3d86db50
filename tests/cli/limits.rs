//! `--only`, `--skip`, `--protect`, `--max-files`, `--max-lines`.

use crate::world::{World, block, files};

fn world() -> (World, String) {
    let w = World::new(&[("src/a.rs", "a\n"), ("Cargo.lock", "l\n")]);
    (w, block("src/a.rs", "a\n", "A\nB\n") + &block("Cargo.lock", "l\n", "L\n"))
}

#[test]
fn only_and_skip_choose_by_path() {
    let (w, reply) = world();
    let stderr = "note  1 of 2 edits left out by --only or --skip\nok    src/a.rs:1  replaced 1 line with 2\n[M] src/a.rs (+2 -1)\n";
    w.applies(&["--skip", "\\.lock$"], &reply, stderr, &[("Cargo.lock", "l\n"), ("src/a.rs", "A\nB\n")]);
    let (w, reply) = world();
    assert_eq!(w.run(&["--only", "^src/"], &reply).code, 0);
    assert_eq!(w.tree(), files(&[("Cargo.lock", "l\n"), ("src/a.rs", "A\nB\n")]));
    let said = w.run(&["--only", "^doc/"], &reply);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("all edits are left out"), "{}", said.stderr);
}

#[test]
fn protected_files_refuse_all_or_are_left_out() {
    let (w, reply) = world();
    w.refuses(
        &["--protect", "*.lock"],
        reply.as_bytes(),
        1,
        "fine  src/a.rs:1  edit 1 is fine and was not applied, since edit 2 was refused\n\
         FAIL  Cargo.lock  edit 2 (input line 12): the file is protected by `*.lock` [protected]\n\
         \x20     next: Leave this file alone, or run without the pattern.\n\
         nothing was written\n",
    );
    let said = w.run(&["--protect", "*.lock", "--partial"], &reply);
    assert_eq!(said.code, 1);
    assert_eq!(w.tree(), files(&[("Cargo.lock", "l\n"), ("src/a.rs", "A\nB\n")]));
}

#[test]
fn a_move_onto_a_protected_name_is_refused() {
    let w = World::new(&[("a.txt", "a\n")]);
    let reply =
        "*** Begin Patch\n*** Update File: a.txt\n*** Move to: safe/a.txt\n@@\n-a\n+b\n*** End Patch\n";
    let said = w.run(&["--protect", "safe/"], reply);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("[protected]"), "{}", said.stderr);
    assert_eq!(w.tree(), files(&[("a.txt", "a\n")]));
}

#[test]
fn budgets_refuse_the_whole() {
    let (w, reply) = world();
    for (args, what) in [
        (["--max-files", "1"], "over the limit: 2 files change, at most 1 may [over-budget]"),
        (["--max-lines", "4"], "over the limit: 5 lines change, at most 4 may [over-budget]"),
    ] {
        let before = w.tree();
        let said = w.run(&args, &reply);
        assert_eq!((said.code, w.tree()), (1, before));
        assert!(said.stderr.contains(what), "{}", said.stderr);
    }
    assert_eq!(w.run(&["--max-lines", "5", "--max-files", "2"], &reply).code, 0);
}

#[test]
fn patterns_that_are_none_are_usage_errors() {
    let (w, reply) = world();
    w.refuses(
        &["--only", "("],
        reply.as_bytes(),
        2,
        "edapply: --only: `(` is no regular expression: unclosed group\n",
    );
    let glob = "edapply: --protect: `[a` is no pattern: a bracket is not closed, or a range is empty\n";
    w.refuses(&["--protect", "[a"], reply.as_bytes(), 2, glob);
}

/// A budget over several runs: what the journal's batches changed since one of them counts too.
#[test]
fn a_budget_counts_from_a_batch_on() {
    let w = World::new(&[("a.txt", "one\ntwo\nthree\n"), ("b.txt", "x\n")]);
    let block = |path: &str, old: &str, new: &str| {
        format!("{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n")
    };
    assert_eq!(w.run(&[], &block("a.txt", "one", "ONE")).code, 0);
    let log = w.run(&["log"], "").stdout;
    let id = log.split_whitespace().next().expect("a batch").to_owned();
    let since = |limit: &str, reply: &str| w.run(&["--since", &id, "--max-lines", limit], reply);
    let said = since("3", &block("a.txt", "two", "TWO"));
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("4 lines change, at most 3 may"), "{}", said.stderr);
    assert_eq!(since("4", &block("a.txt", "two", "TWO")).code, 0);
    // A line changed again counts once, one that is as it was does not count.
    assert_eq!(since("4", &block("a.txt", "TWO", "2")).code, 0);
    assert_eq!(since("2", &block("a.txt", "2", "two")).code, 0);
    let said = w.run(&["--since", &id, "--max-files", "1"], &block("b.txt", "x", "y"));
    assert!(said.stderr.contains("2 files change, at most 1 may"), "{}", said.stderr);
    assert_eq!(w.run(&["--since", "no-such-batch", "--max-files", "1"], &block("b.txt", "x", "y")).code, 2);
}
