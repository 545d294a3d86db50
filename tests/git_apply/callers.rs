//! Calls as programs make them that stage, stash, package or update, letter by letter.

use std::{fs, os::unix::fs::PermissionsExt};

use crate::desk::{Desk, five, numbers};

/// Hook runners put aside what is not staged and bring it back to the byte.
#[test]
fn unstaged_changes_come_back() {
    let desk = Desk::repository();
    desk.file("bin", (0..=255_u8).collect::<Vec<u8>>());
    desk.file("crlf", "x\r\ny\r\n");
    desk.file("open", "no end");
    desk.save();
    desk.file("a", numbers(10).replace('2', "two"));
    desk.git("add a");
    let unstaged: [(&str, Vec<u8>); 4] = [
        ("a", numbers(10).replace('2', "two").replace('8', "eight ").into_bytes()),
        ("bin", (0..=255_u8).rev().chain([0, 13, 10]).collect()),
        ("crlf", b"x\r\nz\r\n".to_vec()),
        ("open", b"other end ".to_vec()),
    ];
    unstaged.iter().for_each(|(name, bytes)| desk.file(name, bytes));
    fs::set_permissions(desk.at.join("open"), PermissionsExt::from_mode(0o755)).expect("a mode");
    let tree = desk.git("write-tree");
    let args =
        ["diff-index", "--ignore-submodules", "--binary", "--no-color", "--no-ext-diff", tree.trim(), "--"];
    let patch =
        std::process::Command::new("git").args(args).current_dir(&desk.at).output().expect("git runs");
    desk.file(".git/unstaged", patch.stdout);
    desk.git("checkout -q -- .");
    desk.fine("--whitespace=nowarn .git/unstaged");
    for (name, bytes) in &unstaged {
        assert_eq!(&fs::read(desk.at.join(name)).expect("readable"), bytes, "{name}");
    }
    let mode = fs::metadata(desk.at.join("open")).expect("metadata").permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert_eq!(desk.git("diff --cached --name-only"), "a\n");
}

/// The same from another runner, whose patch has no context.
#[test]
fn hunks_without_context_come_back() {
    let desk = Desk::repository();
    desk.file("a", numbers(10).replace('5', "five"));
    desk.git("add a");
    desk.file("a", numbers(10).replace('5', "five").replace('8', "eight").replace("2\n", ""));
    let kept = desk.text("a");
    desk.file(".git/p", desk.git("diff -U0 --no-color --no-ext-diff --patch"));
    desk.git("checkout -q -- .");
    let err = "Checking patch a...\nHunk #1 succeeded at 2 (offset 1 line).\nApplied patch a cleanly.\n";
    desk.says("-v --whitespace=nowarn --recount --unidiff-zero .git/p", 0, err);
    assert_eq!(desk.text("a"), kept);
}

/// Desktop programs and editors stage single lines.
#[test]
fn single_lines_are_staged() {
    let desk = Desk::repository();
    desk.file("a", numbers(10).replace('2', "two").replace('8', "eight"));
    let patch = "--- a/a\n+++ b/a\n@@ -8 +8 @@\n-8\n+eight\n";
    let said = desk.fed("--cached --unidiff-zero --whitespace=nowarn -", patch);
    assert_eq!((said.code, &said.err[..]), (Some(0), ""));
    assert_eq!(desk.git("show :a"), numbers(10).replace('8', "eight"));
    let said = desk.fed("--cached --unidiff-zero --whitespace=nowarn -R -", patch);
    assert_eq!((said.code, desk.git("show :a")), (Some(0), numbers(10)));
    // Lines put in stand exactly behind the one that is named.
    let said = desk.fed("--cached --unidiff-zero -", "--- a/a\n+++ b/a\n@@ -3,0 +4 @@\n+new\n");
    assert_eq!((said.code, desk.git("show :a")), (Some(0), numbers(10).replace("3\n", "3\nnew\n")));
}

/// A package builder: options behind the operand, and no repository where it is said to be.
#[test]
fn sources_without_a_repository() {
    let mut desk = Desk::new();
    desk.file("a", "if  (x)\r\n\ty();\r\n");
    desk.file("fix.patch", "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n if (x)\n-    y();\n+    z();\n");
    desk.set("GIT_DIR", ".git");
    desk.set("GIT_WORK_TREE", ".");
    desk.set("GIT_CONFIG_PARAMETERS", "'core.longpaths=true' 'core.autocrlf=false'");
    let err = "Checking patch a...\nApplied patch a cleanly.\n";
    desk.says("fix.patch --ignore-whitespace --whitespace=nowarn --verbose", 0, err);
    assert_eq!(desk.text("a"), "if  (x)\r\n    z();\n");
}

/// Another one commits each patch.
#[test]
fn patches_of_a_package_are_committed() {
    let desk = Desk::repository();
    let said = desk.fed("--index --reject -p1 -", five("a", "five"));
    let err = "Checking patch a...\nApplied patch a cleanly.\n";
    assert_eq!((said.code, &said.err[..]), (Some(0), err));
    desk.git("commit -q -m patched");
    assert_eq!(desk.git("status --porcelain"), "");
    let said = desk.fed("--index --reject -p1 -", five("a", "five"));
    assert_eq!(said.code, Some(1));
    assert!(said.err.ends_with("Applying patch a with 1 reject...\nRejected hunk #1.\n"), "{said:?}");
    assert!(desk.has("a.rej"));
}

/// A project follows its template: merged where the blobs are there, else what does not fit is left beside.
#[test]
fn a_template_moves_on() {
    let desk = Desk::repository();
    desk.file("a", numbers(10).replace('5', "theirs"));
    let patch = desk.git("diff");
    desk.file("a", numbers(10).replace('5', "mine"));
    desk.save();
    let said = desk.fed("-3", &patch);
    assert_eq!((said.code, &said.err[..]), (Some(1), "Applied patch to 'a' with conflicts.\nU a\n"));
    assert_eq!(desk.git("diff --name-only --diff-filter=U"), "a\n");
    desk.git("reset -q --hard");
    let more = format!("{patch}{}", five("answers.yml", "x"));
    let said = desk.fed("--reject --exclude=answers.yml", more);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("Skipped patch 'answers.yml'.\n"), "{said:?}");
    let hunk = &patch[patch.find("@@").expect("a hunk")..];
    assert_eq!(desk.text("a.rej"), format!("diff a/a b/a\t(rejected hunks)\n{hunk}"));
}

/// Scripts ask whether a patch is there already.
#[test]
fn asked_before_it_is_applied() {
    let desk = Desk::repository();
    desk.file("p", five("a", "five"));
    desk.fine("--check p");
    let err = "error: patch failed: a:2\nerror: a: patch does not apply\n";
    desk.says("--reverse --check p", 1, err);
    desk.fine("p");
    desk.fine("--reverse --check p");
    desk.says("--check p", 1, err);
}
