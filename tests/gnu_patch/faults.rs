//! What is refused, and what a refusal leaves behind.

use crate::{Tree, ours};

const FIVE: &str = "--- a\n+++ a\n@@ -1,3 +1,3 @@\n 4\n-5\n+five\n 6\n";

#[test]
fn a_hunk_goes_in_or_is_kept() {
    let done = ours(&[("a", b"4\n5\n6\n")], FIVE, &[]);
    assert_eq!((done.code, done.stdout.as_str(), done.stderr.as_str()), (Some(0), "patching file a\n", ""));
    assert_eq!(done.tree, Tree::from([("a".into(), (0o644, b"4\nfive\n6\n".to_vec()))]));
    let failed = ours(&[("a", b"4\nV\n6\n")], FIVE, &["-f"]);
    let told =
        "patching file a\nHunk #1 FAILED at 1.\n1 out of 1 hunk FAILED -- saving rejects to file a.rej\n";
    assert_eq!((failed.code, failed.stdout.as_str()), (Some(1), told));
    assert_eq!(failed.tree.keys().collect::<Vec<_>>(), ["a", "a.orig", "a.rej"]);
}

#[test]
fn what_would_be_lost_in_silence_is_an_error() {
    let short = "--- a\n+++ a\n@@ -1,2 +1,2 @@\n 4\n-5\n+five\n-6\n+six\n";
    let done = ours(&[("a", b"4\n5\n6\n")], short, &[]);
    assert_eq!((done.code, done.stderr.as_str()), (Some(2), "patch: **** malformed patch at line 7: -6\n\n"));
    assert_eq!(done.tree["a"].1, b"4\n5\n6\n");
    let binary = "diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n";
    assert_eq!(ours(&[("x", b"x")], binary, &["-p1"]).code, Some(1));
}

#[test]
fn nothing_outside_and_nothing_of_git() {
    for name in ["../a", "/tmp/a", ".git/hooks/x", "d/../../a"] {
        let patch = format!("--- {name}\n+++ {name}\n@@ -0,0 +1 @@\n+x\n");
        let done = ours(&[], &patch, &["-p0", "-f"]);
        assert_eq!(done.code, Some(1), "{name}");
        assert!(done.tree.is_empty(), "{name}: {:?}", done.tree);
        assert!(done.stdout.contains("Ignoring potentially dangerous file name"), "{name}: {}", done.stdout);
    }
}

#[test]
fn a_fatal_error_leaves_what_was_finished() {
    let patch = format!("{FIVE}--- b\n+++ b\n@@ -1 +1 @@\n-1\n*2\n");
    let done = ours(&[("a", b"4\n5\n6\n"), ("b", b"1\n")], &patch, &["-p0"]);
    assert_eq!((done.code, done.stdout.as_str()), (Some(2), "patching file a\npatching file b\n"));
    assert_eq!(done.stderr, "patch: **** malformed patch at line 12: *2\n\n");
    assert_eq!((&done.tree["a"].1[..], &done.tree["b"].1[..]), (&b"4\nfive\n6\n"[..], &b"1\n"[..]));
}
