//! The face that replaces GNU patch beside GNU patch itself: random files, edits, damage and options;
//! what is printed, the exit code and the tree after must be the same.
//!
//! Where ours refuses a patch that the model applies in part and in silence, it must be loud.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{FileFailurePersistence, RngSeed},
};

/// A line end's worth of the trees that are compared: mode and content.
type Tree = BTreeMap<String, (u32, Vec<u8>)>;

#[derive(Debug, PartialEq)]
struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    tree: Tree,
}

/// GNU patch, if it is installed and no other program of that name.
fn model() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).map(|dir| dir.join("patch")).find(|path| path.is_file())?;
    let version = Command::new(&found).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&version.stdout).into_owned();
    let known = ["GNU patch 2.7.6", "GNU patch 2.8"].iter().any(|name| text.starts_with(name));
    (known && !text.contains("edapply")).then_some(found)
}

fn has_diff() -> bool {
    Command::new("diff").arg("--version").output().is_ok_and(|out| out.status.success())
}

/// Runs one program as `patch` in a fresh folder.
fn run(program: &Path, files: &[(&str, &[u8])], patch: &[u8], args: &[&str]) -> Outcome {
    let base = tempfile::tempdir().expect("a folder");
    let (work, bin) = (base.path().join("w"), base.path().join("bin"));
    fs::create_dir_all(work.join("d")).expect("a folder");
    fs::create_dir_all(&bin).expect("a folder");
    symlink(program, bin.join("patch")).expect("a link");
    for (name, bytes) in files {
        fs::write(work.join(name), bytes).expect("a file");
    }
    let mut child = Command::new("timeout")
        .args(["10", "patch"])
        .args(args)
        .current_dir(&work)
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
        .env("LC_ALL", "C")
        .env("TZ", "UTC0")
        .env("HOME", base.path())
        .env("TMPDIR", base.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let _ = child.stdin.take().expect("an input").write_all(patch);
    let out = child.wait_with_output().expect("it ends");
    let mut tree = Tree::new();
    list(&work, "", &mut tree);
    Outcome {
        code: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
        tree,
    }
}

fn list(dir: &Path, prefix: &str, tree: &mut Tree) {
    for entry in fs::read_dir(dir).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let meta = entry.metadata().expect("metadata");
        if meta.is_dir() {
            list(&entry.path(), &format!("{name}/"), tree);
        } else {
            let bytes = fs::read(entry.path()).expect("readable");
            tree.insert(name, (meta.permissions().mode() & 0o7777, bytes));
        }
    }
}

/// A diff of two contents by `diff`.
fn diff(old: &[u8], new: &[u8], format: &[&str]) -> Vec<u8> {
    let base = tempfile::tempdir().expect("a folder");
    for (side, bytes) in [("o", old), ("n", new)] {
        fs::create_dir_all(base.path().join(side)).expect("a folder");
        fs::write(base.path().join(side).join("f"), bytes).expect("a file");
    }
    let out = Command::new("diff").args(format).args(["o/f", "n/f"]).current_dir(base.path()).output();
    out.expect("it runs").stdout
}

fn line() -> impl Strategy<Value = String> {
    let word = select(vec!["a", "b", "foo", "{", "}", "", "\tx", "  y", "--- q", "+++ z", "1,2c3", "# c"]);
    prop_oneof![2 => word.prop_map(str::to_owned), 1 => (0..40_u8).prop_map(|n| n.to_string())]
}

#[derive(Clone, Debug)]
struct Case {
    old: Vec<String>,
    new: Vec<String>,
    ended: (bool, bool),
    format: &'static [&'static str],
    /// What stands on the disk: the old file, the new one, or the old one damaged.
    there: u8,
    damage: Vec<(usize, u8, u8)>,
    break_patch: bool,
    args: Vec<&'static [&'static str]>,
}

/// Replaces runs of lines.
fn edited(old: &[String], edits: &[(usize, usize, Vec<String>)]) -> Vec<String> {
    let mut new = old.to_vec();
    for (at, gone, come) in edits {
        let start = at % (new.len() + 1);
        let end = (start + gone).min(new.len());
        new.splice(start..end, come.iter().cloned());
    }
    new
}

fn case() -> impl Strategy<Value = Case> {
    let formats: Vec<&'static [&'static str]> =
        vec![&["-u"], &["-u"], &["-U1"], &["-U0"], &["-c"], &["-C1"], &[], &["-e"]];
    let options: Vec<&'static [&'static str]> = vec![
        &["-N"],
        &["-R"],
        &["-f"],
        &["-t"],
        &["-s"],
        &["-b"],
        &["-l"],
        &["-E"],
        &["--dry-run"],
        &["-F0"],
        &["-F3"],
        &["--no-backup-if-mismatch"],
        &["-r", "-"],
        &["-r", "rejects"],
        &["-b", "-V", "t"],
        &["-b", "-B", "bk/"],
        &["--binary"],
        &["--reject-format=context"],
    ];
    let edits = vec((0..40_usize, 0..4_usize, vec(line(), 0..4)), 1..4);
    let files = (vec(line(), 0..30), edits, any::<(bool, bool)>());
    let damage = vec((any::<usize>(), 0..6_u8, any::<u8>()), 1..3);
    let rest = (select(formats), 0..10_u8, damage, prop::bool::weighted(0.3), vec(select(options), 0..3));
    (files, rest).prop_map(|((old, edits, ended), (format, there, damage, break_patch, args))| {
        let new = edited(&old, &edits);
        Case { old, new, ended, format, there, damage, break_patch, args }
    })
}

fn joined(lines: &[String], ended: bool) -> Vec<u8> {
    let mut text = lines.join("\n").into_bytes();
    if ended && !lines.is_empty() {
        text.push(b'\n');
    }
    text
}

fn damaged(text: &[u8], damage: &[(usize, u8, u8)]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    for (at, how, byte) in damage {
        if lines.is_empty() {
            break;
        }
        let at = at % lines.len();
        match how {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, b"zzz".to_vec()),
            2 => lines[at].push(b'!'),
            3 => lines[at].extend_from_slice(b" "),
            4 => drop(lines[at].pop()),
            _ => lines[at].insert(0, b" +-0159@"[usize::from(*byte) % 8]),
        }
    }
    lines.join(&b'\n')
}

/// Differences that are meant: ours is loud where the model drops part of a patch and exits 0 or 1, and
/// reads a lone number in a context diff's range as an empty half.
fn is_stated(ours: &Outcome, theirs: &Outcome) -> bool {
    let refused = ours.code == Some(2) && !ours.stderr.is_empty();
    let dropped = refused && theirs.code != Some(2);
    dropped || theirs.code == Some(124) || theirs.stderr.contains("mangled in hunk")
}

/// `PATCH_CASES=10000 cargo test --release --test gnu_patch` searches on.
fn more_cases() -> Option<u32> {
    std::env::var("PATCH_CASES").ok()?.parse().ok()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: more_cases().unwrap_or(80),
        // The same cases each time, unless more are asked for.
        rng_seed: if more_cases().is_some() { RngSeed::Random } else { RngSeed::Fixed(7) },
        max_shrink_iters: 200,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    })]

    #[test]
    fn same_as_the_model(case in case()) {
        let Some(model) = model().filter(|_| has_diff()) else {
            let told = b"skipped: GNU patch 2.7.6 or 2.8 and diff are not installed\n";
            let _ = std::io::stderr().write_all(told);
            return Ok(());
        };
        let (old, new) = (joined(&case.old, case.ended.0), joined(&case.new, case.ended.1));
        let mut patch = diff(&old, &new, case.format);
        let there = match case.there {
            0 => new,
            1..=4 => damaged(&old, &case.damage),
            _ => old,
        };
        if case.break_patch {
            patch = damaged(&patch, &case.damage);
        }
        let mut args: Vec<&str> = case.args.concat();
        args.push("f");
        let files = [("f", &there[..])];
        let ours = run(Path::new(env!("CARGO_BIN_EXE_edapply")), &files, &patch, &args);
        let theirs = run(&model, &files, &patch, &args);
        if !is_stated(&ours, &theirs) {
            prop_assert_eq!(ours, theirs, "patch:\n{}", String::from_utf8_lossy(&patch));
        }
    }
}

/// Runs ours only, without the model.
fn ours(files: &[(&str, &[u8])], patch: &str, args: &[&str]) -> Outcome {
    run(Path::new(env!("CARGO_BIN_EXE_edapply")), files, patch.as_bytes(), args)
}

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
