//! Symbolic links, binary files and modes.

use std::os::unix::fs::symlink;

use super::world::{Said, Tree, World, files};

/// A section of a diff as git writes it, of a link if a side has no newline.
fn section(path: &str, head: &str, old: &str, new: &str) -> String {
    let side = |text: &str, sign: char| match text {
        "" => String::new(),
        text => format!("{sign}{text}\n\\ No newline at end of file\n"),
    };
    let (a, b) =
        (if old.is_empty() { "/dev/null" } else { "a/" }, if new.is_empty() { "/dev/null" } else { "b/" });
    let name =
        |prefix: &str| if prefix == "/dev/null" { prefix.to_owned() } else { format!("{prefix}{path}") };
    let at = |text: &str| if text.is_empty() { "0,0" } else { "1" };
    format!(
        "diff --git a/{path} b/{path}\n{head}--- {}\n+++ {}\n@@ -{} +{} @@\n{}{}",
        name(a),
        name(b),
        at(old),
        at(new),
        side(old, '-'),
        side(new, '+')
    )
}

fn with(tree: &[(&str, &str)], links: &[(&str, &str)]) -> Tree {
    let mut tree = files(tree);
    tree.extend(links.iter().map(|(path, target)| ((*path).to_owned(), format!("-> {target}"))));
    tree
}

fn ok(said: &Said) -> &str {
    assert_eq!(said.code, 0, "{}", said.stderr);
    &said.stderr
}

#[test]
fn links_come_go_and_lead_elsewhere() {
    let w = World::new(&[("a", "a\n")]);
    symlink("a", w.path("gone")).expect("a link");
    symlink("a", w.path("moves")).expect("a link");
    let before = w.tree();
    let reply = section("gone", "deleted file mode 120000\nindex 1..0\n", "a", "")
        + &section("moves", "index 1..2 120000\n", "a", "b/c")
        + &section("new", "new file mode 120000\nindex 0..2\n", "", "./a");
    let said = "ok    gone   deleted\nok    moves  is a link to b/c now (a)\nok    new    created, a link to ./a\n\
        [D] gone (+0 -1)\n[M] moves (+1 -1)\n[A] new (+1 -0)\n";
    assert_eq!(ok(&w.run(&[], &reply)), said);
    let after = with(&[("a", "a\n")], &[("moves", "b/c"), ("new", "./a")]);
    assert_eq!(w.tree(), after);
    ok(&w.run(&["undo"], ""));
    assert_eq!(w.tree(), before);
    ok(&w.run(&[], &reply));
    let again = w.run(&[], &section("new", "new file mode 120000\nindex 0..2\n", "", "./a"));
    assert_eq!((again.code, &*again.stderr), (0, "ok    new  already applied\n"));
    ok(&w.run(&["-R"], &reply));
    assert_eq!(w.tree(), before);
}

#[test]
fn a_preview_of_links_can_be_applied() {
    let w = World::new(&[("a", "a\n"), ("b", "b\n")]);
    symlink("a", w.path("l")).expect("a link");
    let reply = section("l", "index 1..2 120000\n", "a", "b")
        + "diff --git a/b b/b\ndeleted file mode 100644\n--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n"
        + &section("b", "new file mode 120000\nindex 0..2\n", "", "a");
    let preview = w.run(&["--dry-run"], &reply).stdout;
    ok(&w.run(&[], &reply));
    let after = w.tree();
    assert_eq!(after, with(&[("a", "a\n")], &[("b", "a"), ("l", "b")]));
    ok(&w.run(&["undo"], ""));
    ok(&w.run(&[], &preview));
    assert_eq!(w.tree(), after);
    ok(&w.run(&["-R"], &preview));
    assert_eq!(w.tree()["b"], "644 b\n");
    assert_eq!(w.tree()["l"], "-> a");
}

#[test]
fn what_a_link_may_not_be() {
    let w = World::new(&[("a", "a\n"), ("d/x", "x\n")]);
    symlink("a", w.path("l")).expect("a link");
    let before = w.tree();
    let new = |path: &str, target: &str| section(path, "new file mode 120000\nindex 0..2\n", "", target);
    let through = new("k", "d")
        + "diff --git a/k/y b/k/y\nnew file mode 100644\n--- /dev/null\n+++ b/k/y\n@@ -0,0 +1 @@\n+y\n";
    for (reply, code) in [
        (new("out", "../../etc/passwd"), "link-outside"),
        (new("out", "/etc/passwd"), "link-outside"),
        (new("d/up", "..") + &new("out", "d/up/../x"), "link-outside"),
        (new("git", ".git"), "path-git-dir"),
        (new(".gitattributes", "a"), "special-mode"),
        (new("a", "d"), "file-exists"),
        (section("l", "index 1..2 120000\n", "b", "d"), "not-found"),
        (section("a", "index 1..2 120000\n", "a", "d"), "target-not-file"),
        (section("l", "index 1..2 100644\n", "a", "d"), "target-symlink"),
        (section("l", "old mode 100644\nnew mode 120000\n", "a", "d"), "special-mode"),
        (section("l", "deleted file mode 120000\nindex 1..0\n", "d", ""), "not-found"),
        (through, "path-through-symlink"),
    ] {
        let said = w.run(&[], &reply);
        assert_eq!(said.code, 1, "{reply}\n{}", said.stderr);
        assert!(said.stderr.contains(&format!("[{code}]")), "{reply}\n{}", said.stderr);
        assert_eq!(w.tree(), before, "{reply}");
    }
}

#[test]
fn links_are_followed_only_if_asked_and_only_inside() {
    let w = World::new(&[("d/real", "old\n")]);
    symlink("d/real", w.path("l")).expect("a link");
    symlink("/etc/hostname", w.path("out")).expect("a link");
    let edit = |path: &str| format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-old\n+new\n");
    assert_eq!(w.run(&[], &edit("l")).code, 1);
    let refused = w.run(&["--follow-symlinks"], &edit("out"));
    assert!(refused.stderr.contains("[link-outside]"), "{}", refused.stderr);
    ok(&w.run(&["--follow-symlinks"], &edit("l")));
    let want = with(&[("d/real", "new\n")], &[("l", "d/real"), ("out", "/etc/hostname")]);
    assert_eq!(w.tree(), want);
}

#[test]
fn modes() {
    let w = World::new(&[("a", "a\n"), ("b", "b\n")]);
    w.chmod("b", 0o750);
    let before = w.tree();
    let reply = "diff --git a/a b/a\nold mode 100644\nnew mode 100755\ndiff --git a/b b/b\nold mode 100755\nnew mode 100644\n\
        diff --git a/c b/c\nnew file mode 100755\n--- /dev/null\n+++ b/c\n@@ -0,0 +1 @@\n+c\n";
    ok(&w.run(&[], reply));
    assert_eq!(w.tree(), files(&[("755 a", "a\n"), ("640 b", "b\n"), ("755 c", "c\n")]));
    ok(&w.run(&["undo"], ""));
    assert_eq!(w.tree(), before);
}

/// Made by `git diff --binary`: a literal one way, a delta the other, and a new file.
const BYTES: &str = include_str!("binary.diff");

#[test]
fn bytes_that_are_no_text() {
    let w = World::new(&[]);
    let old: Vec<u8> = (0..=255).cycle().take(600).collect();
    let mut new = old.clone();
    new[300] = 7;
    w.put("data", &old);
    let said = "ok    data   rewritten, 600 bytes\nok    fresh  created, 3 bytes\n\
        [M] data (600 -> 600 bytes)\n[A] fresh (0 -> 3 bytes)\n";
    assert_eq!(ok(&w.run(&[], BYTES)), said);
    let read = |path: &str| std::fs::read(w.path(path)).expect("a file");
    assert_eq!((read("data"), read("fresh")), (new.clone(), b"a\0b".to_vec()));
    assert_eq!(w.run(&["--stat"], BYTES).code, 0);
    ok(&w.run(&["-R"], BYTES));
    assert_eq!(read("data"), old);
    assert!(!w.path("fresh").exists());
    let stat = " data  | Bin 600 -> 600 bytes\n fresh | Bin 0 -> 3 bytes\n 2 file(s) changed, 0 insertion(s)(+), \
        0 deletion(s)(-)\n";
    assert_eq!(w.run(&["--stat"], BYTES).stdout, stat);
    assert_eq!(w.run(&["--numstat"], BYTES).stdout, "-\t-\tdata\n-\t-\tfresh\n");
    let preview = w.run(&["--dry-run"], BYTES).stdout;
    ok(&w.run(&[], &preview));
    assert_eq!(read("data"), new);
    w.put("data", b"another\0");
    let refused = w.run(&["-R"], BYTES);
    assert!(refused.stderr.contains("made for another content of the file [binary]"), "{}", refused.stderr);
    assert_eq!((refused.code, read("data")), (1, b"another\0".to_vec()));
}

#[test]
fn renames_of_links_and_bytes() {
    let w = World::new(&[("a", "a\0\n")]);
    symlink("a", w.path("l")).expect("a link");
    let moved = |from: &str, to: &str| {
        format!("diff --git a/{from} b/{to}\nsimilarity index 100%\nrename from {from}\nrename to {to}\n")
    };
    ok(&w.run(&[], &(moved("l", "sub/l") + &moved("a", "b"))));
    let mut want = files(&[("b", "a\0\n")]);
    want.extend([("sub/".to_owned(), String::new()), ("sub/l".to_owned(), "-> a".to_owned())]);
    assert_eq!(w.tree(), want);
}
