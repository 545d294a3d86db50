//! `--index`: the files and the index change together, or not at all.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

fn command(program: &str, args: &[&str], dir: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(dir).env("LC_ALL", "C").env("HOME", dir).env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("GIT_CEILING_DIRECTORIES", dir.parent().unwrap_or(dir));
    command.env("XDG_STATE_HOME", dir.join(".git/state")).env_remove("EDAPPLY_STATE_DIR");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "a").env(format!("GIT_{who}_EMAIL"), "a@example.org");
    }
    command
}

fn git(dir: &Path, args: &[&str]) -> String {
    let out = command("git", args, dir).output().expect("git runs");
    assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn apply(dir: &Path, patch: &str) -> Output {
    let mut command = command(env!("CARGO_BIN_EXE_edapply"), &["git-apply", "--index"], dir);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    child.stdin.take().expect("a pipe").write_all(patch.as_bytes()).expect("written");
    child.wait_with_output().expect("an end")
}

/// A repository with two files and a link, and a diff that changes, removes, adds and retargets.
fn world() -> (tempfile::TempDir, String, String) {
    let base = tempfile::tempdir().expect("a folder");
    let dir = base.path();
    git(dir, &["init", "-q", "."]);
    fs::write(dir.join("a"), "1\n2\n3\n").expect("a file");
    fs::write(dir.join("b"), "b\n").expect("a file");
    std::os::unix::fs::symlink("a", dir.join("l")).expect("a link");
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-q", "-m", "old"]);
    fs::write(dir.join("a"), "1\ntwo\n3\n").expect("a file");
    fs::remove_file(dir.join("b")).expect("gone");
    fs::write(dir.join("n"), "n\n").expect("a file");
    fs::remove_file(dir.join("l")).expect("gone");
    std::os::unix::fs::symlink("n", dir.join("l")).expect("a link");
    git(dir, &["add", "-A"]);
    let (patch, index) = (git(dir, &["diff", "--cached", "--binary"]), git(dir, &["ls-files", "-s"]));
    git(dir, &["reset", "-q", "--hard"]);
    (base, patch, index)
}

#[test]
fn files_and_index_change_together() {
    let (base, patch, index) = world();
    let said = apply(base.path(), &patch);
    assert!(said.status.success() && said.stderr.is_empty(), "{said:?}");
    assert_eq!(git(base.path(), &["ls-files", "-s"]), index);
    assert_eq!(git(base.path(), &["diff", "--stat"]), "");
    assert!(!base.path().join(".git/index.lock").exists());
}

#[test]
fn a_locked_index_stops_all() {
    let (base, patch, _) = world();
    fs::write(base.path().join(".git/index.lock"), "theirs").expect("a file");
    let before = git(base.path(), &["ls-files", "-s"]);
    let said = apply(base.path(), &patch);
    let stderr = String::from_utf8_lossy(&said.stderr);
    assert_eq!(said.status.code(), Some(128));
    assert!(stderr.contains("index.lock': File exists"), "{stderr}");
    assert_eq!(fs::read(base.path().join(".git/index.lock")).expect("theirs"), b"theirs");
    assert_eq!(git(base.path(), &["ls-files", "-s"]), before);
    assert_eq!(git(base.path(), &["status", "--porcelain"]), "");
}
