//! The face that replaces `git apply` beside git itself: small repositories, random changes of text,
//! binaries, names and modes, damage and options; what is printed, the exit code, the tree and the index
//! after must be the same.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{FileFailurePersistence, RngSeed},
};

type Tree = BTreeMap<String, (u32, Vec<u8>)>;

#[derive(Debug, PartialEq)]
struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    tree: Tree,
    index: String,
}

/// The release that is the measure.
fn has_model() -> bool {
    let said = Command::new("git").arg("--version").output();
    said.is_ok_and(|out| String::from_utf8_lossy(&out.stdout).contains(" 2.47."))
}

fn command(program: impl AsRef<std::ffi::OsStr>, args: &[&str], dir: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(dir)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("LC_ALL", "C")
        .env("HOME", dir.join(".git"))
        .env("XDG_STATE_HOME", dir.join(".git/state"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CEILING_DIRECTORIES", dir.parent().unwrap_or(dir));
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "a").env(format!("GIT_{who}_EMAIL"), "a@example.org");
        command.env(format!("GIT_{who}_DATE"), "2000-01-01 00:00:00 +0000");
    }
    command
}

fn git(dir: &Path, args: &[&str]) -> Vec<u8> {
    let out = command("git", args, dir).output().expect("git runs");
    assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    out.stdout
}

/// One file on one side: where it stands, whether it can be run, and its content.
#[derive(Clone, Debug)]
struct File {
    name: &'static str,
    runs: bool,
    bytes: Vec<u8>,
}

fn line() -> impl Strategy<Value = String> {
    let word = select(vec!["a", "b", "foo", "{", "}", "", "\tx", " y ", "--- q", "+++ z", "-- ", " \tz"]);
    prop_oneof![2 => word.prop_map(str::to_owned), 1 => (0..40_u8).prop_map(|n| n.to_string())]
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    (vec(line(), 0..25), any::<bool>()).prop_map(|(lines, ended)| {
        let mut text = lines.join("\n").into_bytes();
        if ended && !lines.is_empty() {
            text.push(b'\n');
        }
        text
    })
}

#[derive(Clone, Debug)]
struct Case {
    old: Vec<File>,
    /// For each file: what becomes of it, and an edit.
    fates: Vec<(u8, usize, String)>,
    damage: Vec<(usize, u8)>,
    break_patch: bool,
    args: Vec<&'static [&'static str]>,
}

fn case() -> impl Strategy<Value = Case> {
    let options: Vec<&'static [&'static str]> = vec![
        &["-v"],
        &["--check"],
        &["--stat", "--numstat", "--summary"],
        &["--reject"],
        &["-R"],
        &["-C1"],
        &["--unidiff-zero"],
        &["--recount"],
        &["--index"],
        &["--cached"],
        &["--3way"],
        &["--whitespace=fix"],
        &["--whitespace=error"],
        &["--ignore-whitespace"],
        &["--no-add"],
        &["-p0"],
        &["--directory=d"],
        &["--exclude=d/*"],
    ];
    let bytes =
        prop_oneof![4 => text(), 1 => vec(any::<u8>(), 1..200).prop_map(|b| [&b[..], b"\0"].concat())];
    let file =
        |name| (any::<bool>(), bytes.clone()).prop_map(move |(runs, bytes)| File { name, runs, bytes });
    let files = (file("f"), file("d/g"), file("k l")).prop_map(|(a, b, c)| vec![a, b, c]);
    let fates = vec((0..8_u8, any::<usize>(), line()), 3);
    let damage = vec((any::<usize>(), 0..5_u8), 1..3);
    (files, fates, damage, prop::bool::weighted(0.3), vec(select(options), 0..3))
        .prop_map(|(old, fates, damage, break_patch, args)| Case { old, fates, damage, break_patch, args })
}

fn put(dir: &Path, file: &File) {
    let path = dir.join(file.name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(&path, &file.bytes).expect("a file");
    fs::set_permissions(&path, PermissionsExt::from_mode(if file.runs { 0o755 } else { 0o644 }))
        .expect("a mode");
}

/// Carries the fates out in the work tree.
fn change(dir: &Path, case: &Case) {
    for (file, (fate, at, line)) in case.old.iter().zip(&case.fates) {
        let path = dir.join(file.name);
        match fate {
            0 => fs::remove_file(&path).expect("removed"),
            1 => fs::rename(&path, dir.join(format!("moved {at}"))).expect("moved"),
            2 => put(dir, &File { runs: !file.runs, ..file.clone() }),
            3 => {}
            _ => {
                let mut lines: Vec<&[u8]> = file.bytes.split(|b| *b == b'\n').collect();
                lines.insert(at % (lines.len() + 1), line.as_bytes());
                fs::write(&path, lines.join(&b'\n')).expect("written");
            }
        }
    }
}

fn damaged(text: &[u8], damage: &[(usize, u8)]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    for (at, how) in damage {
        let at = at % lines.len();
        match how {
            0 if lines.len() > 1 => drop(lines.remove(at)),
            1 => lines.insert(at, b"zzz".to_vec()),
            2 => lines[at].push(b' '),
            3 => lines[at].insert(0, b' '),
            _ => drop(lines[at].pop()),
        }
    }
    lines.join(&b'\n')
}

fn copy(from: &Path, to: &Path) {
    let done = Command::new("cp").arg("-a").arg(from).arg(to).status().expect("cp runs");
    assert!(done.success());
}

fn list(dir: &Path, prefix: &str, tree: &mut Tree) {
    for entry in fs::read_dir(dir).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let meta = entry.metadata().expect("metadata");
        if meta.is_dir() && name != ".git" {
            list(&entry.path(), &format!("{name}/"), tree);
        } else if meta.is_file() {
            tree.insert(
                name,
                (meta.permissions().mode() & 0o7777, fs::read(entry.path()).expect("readable")),
            );
        }
    }
}

fn run(program: &str, face: &str, dir: &Path, args: &[&str], patch: &[u8]) -> Outcome {
    git(dir, &["update-index", "-q", "--refresh"]);
    let mut child = command(program, &[&[face], args].concat(), dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let _ = child.stdin.take().expect("an input").write_all(patch);
    let out = child.wait_with_output().expect("it ends");
    let mut tree = Tree::new();
    list(dir, "", &mut tree);
    Outcome {
        code: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
        tree,
        index: String::from_utf8_lossy(&git(dir, &["ls-files", "-s"])).into_owned(),
    }
}

/// Differences that are meant: lines that too small counts would drop are refused, and so is a patch
/// whose later part holds damaged binary data.
fn is_stated(ours: &Outcome, theirs: &Outcome) -> bool {
    let corrupt = ours.code == Some(128) && ours.stderr.contains("corrupt patch at line");
    let binary =
        ours.stderr.contains("corrupt binary patch") || ours.stderr.contains("unrecognized binary patch");
    (corrupt && !theirs.stderr.contains("corrupt patch")) || (binary && ours.code == Some(128))
}

/// A repository with the old files, and the patch to the new ones.
fn prepared(base: &Path, case: &Case) -> (PathBuf, Vec<u8>) {
    let repo = base.join("r");
    fs::create_dir(&repo).expect("a folder");
    git(&repo, &["init", "-q", "."]);
    case.old.iter().for_each(|file| put(&repo, file));
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-q", "-m", "old"]);
    change(&repo, case);
    git(&repo, &["add", "-A"]);
    let patch = git(&repo, &["diff", "--cached", "--binary", "-M"]);
    if !case.args.concat().contains(&"-R") {
        git(&repo, &["reset", "-q", "--hard"]);
    }
    (repo, patch)
}

/// `GIT_APPLY_CASES=5000 cargo test --release --test git_apply` searches on.
fn more_cases() -> Option<u32> {
    std::env::var("GIT_APPLY_CASES").ok()?.parse().ok()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: more_cases().unwrap_or(40),
        // The same cases each time, unless more are asked for.
        rng_seed: if more_cases().is_some() { RngSeed::Random } else { RngSeed::Fixed(11) },
        max_shrink_iters: 100,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    })]

    #[test]
    fn same_as_the_model(case in case()) {
        // Nothing to compare with without the release that is the measure.
        if !has_model() {
            return Ok(());
        }
        let base = tempfile::tempdir().expect("a folder");
        let (repo, mut patch) = prepared(base.path(), &case);
        if case.break_patch {
            patch = damaged(&patch, &case.damage);
        }
        let args = case.args.concat();
        let mut outcomes = ["git", env!("CARGO_BIN_EXE_edapply")].map(|program| {
            let work = base.path().join("w");
            copy(&repo, &work);
            let face = if program == "git" { "apply" } else { "git-apply" };
            let outcome = run(program, face, &work, &args, &patch);
            fs::remove_dir_all(&work).expect("removed");
            Some(outcome)
        });
        let (Some(theirs), Some(ours)) = (outcomes[0].take(), outcomes[1].take()) else { return Ok(()) };
        if !is_stated(&ours, &theirs) {
            prop_assert_eq!(ours, theirs, "patch:\n{}", String::from_utf8_lossy(&patch));
        }
    }
}
