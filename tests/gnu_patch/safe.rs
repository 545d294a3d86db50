//! `--safe`: one place or none, all files or none.

use crate::ours;

const FIVE: &str = "--- a\n+++ a\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n";
const NINE: &[u8] = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n";

fn after(text: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(text).replace("5\n", "five\n").into_bytes()
}

#[test]
fn a_hunk_with_one_place_goes_there() {
    let done = ours(&[("a", NINE)], FIVE, &["--safe"]);
    assert_eq!((done.code, done.stdout.as_str(), done.stderr.as_str()), (Some(0), "patching file a\n", ""));
    assert_eq!(done.tree["a"].1, after(NINE));
    let moved = [b"0\n", NINE].concat();
    let done = ours(&[("a", &moved)], FIVE, &["--safe"]);
    assert_eq!(done.stdout, "patching file a\nHunk #1 succeeded at 5 (offset 1 line).\n");
    assert_eq!((&done.tree["a"].1, &done.tree["a.orig"].1), (&after(&moved), &moved));
}

#[test]
fn of_two_places_none_is_taken_and_no_file_is_written() {
    let twice = [b"x\n", NINE, NINE].concat();
    let patch = format!("--- b\n+++ b\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n{FIVE}");
    let files = [("a", &twice[..]), ("b", &b"1\n2\n"[..])];
    let done = ours(&files, &patch, &["--safe"]);
    let told = "patching file b\npatching file a\nHunk #1 FAILED at 4.\n1 out of 1 hunk FAILED\n";
    assert_eq!((done.code, done.stdout.as_str()), (Some(1), told));
    let why =
        "patch: a: hunk 1: the old text fits 2 places, lines 5 and 14: add lines that tell them apart\n";
    assert_eq!(done.stderr, why);
    assert_eq!(done.tree.keys().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!((&done.tree["a"].1, &done.tree["b"].1[..]), (&twice, &b"1\n2\n"[..]));
    // The model takes the nearest.
    assert_eq!(ours(&files, &patch, &[]).code, Some(0));
}

#[test]
fn a_fatal_error_leaves_nothing_behind() {
    let patch = format!("{FIVE}--- b\n+++ b\n@@ -1 +1 @@\n-1\n*2\n");
    let done = ours(&[("a", NINE), ("b", b"1\n")], &patch, &["--safe"]);
    assert_eq!(
        (done.code, done.stderr.as_str()),
        (Some(2), "patch: **** malformed patch at line 12: *2\n\n")
    );
    assert_eq!((&done.tree["a"].1[..], done.tree.len()), (NINE, 2));
}

#[test]
fn what_stands_already_is_fine_unless_it_is_to_be_undone() {
    let done = ours(&[("a", &after(NINE))], FIVE, &["--safe"]);
    assert_eq!(
        (done.code, done.stdout.as_str()),
        (Some(0), "patching file a\nHunk #1 already applied at 4.\n")
    );
    assert_eq!(done.tree.len(), 1);
    let undone = ours(&[("a", &after(NINE))], FIVE, &["--safe", "-R"]);
    assert_eq!((undone.code, &undone.tree["a"].1[..]), (Some(0), NINE));
    let twice = ours(&[("a", NINE)], FIVE, &["--safe", "-R", "--dry-run"]);
    assert_eq!(twice.stdout, "checking file a\nHunk #1 FAILED at 4.\n1 out of 1 hunk FAILED\n");
    assert_eq!(twice.code, Some(1));
    let batch = ours(&[("a", &after(NINE))], FIVE, &["--safe", "-t"]);
    assert_eq!((batch.code, &batch.tree["a"].1), (Some(0), &after(NINE)));
}

#[test]
fn fuzz_never_puts_a_change_where_its_context_is_not() {
    let patch = "--- a\n+++ a\n@@ -4,2 +4,3 @@\n x\n+new\n y\n";
    assert_eq!(ours(&[("a", NINE)], patch, &[]).code, Some(0));
    let done = ours(&[("a", NINE)], patch, &["--safe"]);
    assert_eq!((done.code, &done.tree["a"].1[..]), (Some(1), NINE));
}

#[test]
fn files_come_go_and_move() {
    let patch = "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n\
                 diff --git a/g b/g\ndeleted file mode 100644\n--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n\
                 diff --git a/o b/d/p\nsimilarity index 50%\nrename from o\nrename to d/p\n--- a/o\n+++ b/d/p\n\
                 @@ -1,2 +1,2 @@\n-o\n+p\n o\n";
    let files: [(&str, &[u8]); 2] = [("g", b"g\n"), ("o", b"o\no\n")];
    let done = ours(&files, patch, &["--safe", "-p1"]);
    assert_eq!((done.code, done.stderr.as_str()), (Some(0), ""));
    assert_eq!(done.stdout, "patching file n\npatching file g\npatching file d/p (renamed from o)\n");
    assert_eq!(done.tree.keys().collect::<Vec<_>>(), ["d/p", "n"]);
    assert_eq!((done.tree["n"].0, &done.tree["d/p"].1[..]), (0o755, &b"p\no\n"[..]));
    let differs: [(&str, &[u8]); 2] = [("g", b"g\nmore\n"), ("o", b"o\no\n")];
    let kept = ours(&differs, patch, &["--safe", "-p1"]);
    assert_eq!(kept.code, Some(1));
    assert_eq!(kept.tree.keys().collect::<Vec<_>>(), ["g", "o"]);
    assert!(kept.stdout.contains("Not deleting file g as content differs from patch\n"), "{}", kept.stdout);
}

#[test]
fn other_formats_keep_to_it_too() {
    let context =
        "*** a\n--- a\n***************\n*** 4,6 ****\n  4\n! 5\n  6\n--- 4,6 ----\n  4\n! five\n  6\n";
    let normal = "5c5\n< 5\n---\n> five\n";
    let script = "5c\nfive\n.\n";
    for patch in [context, normal, script] {
        let done = ours(&[("a", NINE)], patch, &["--safe", "a"]);
        assert_eq!((done.code, &done.tree["a"].1), (Some(0), &after(NINE)), "{patch}");
    }
    let twice = [b"x\n", NINE, NINE].concat();
    assert_eq!(ours(&[("a", &twice)], context, &["--safe", "a"]).code, Some(1));
}

#[test]
fn the_name_counts_in_full_and_not_with_conflict_marks() {
    let short = ours(&[("a", NINE)], FIVE, &["--saf"]);
    assert_eq!(short.code, Some(2));
    assert!(short.stderr.starts_with("patch: unrecognized option '--saf'\n"), "{}", short.stderr);
    let marks = ours(&[("a", NINE)], FIVE, &["--safe", "--merge"]);
    assert_eq!(marks.stderr, "patch: **** --safe does not go with --merge or --ifdef\n");
}
