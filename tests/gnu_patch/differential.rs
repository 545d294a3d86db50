//! Beside GNU patch itself: random files, edits, damage and options.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{FileFailurePersistence, RngSeed},
};

use crate::{OURS, Outcome, run};

/// GNU patch, if it is installed and no other program of that name.
fn models() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = std::env::split_paths(&path).map(|dir| dir.join("patch")).find(|path| path.is_file());
    let named = std::env::var_os("PATCH_MODEL").map(PathBuf::from);
    installed.into_iter().chain(named).filter(|program| is_model(program)).collect()
}

fn is_model(program: &Path) -> bool {
    let Ok(version) = Command::new(program).arg("--version").output() else { return false };
    let text = String::from_utf8_lossy(&version.stdout);
    let known = ["GNU patch 2.7.6", "GNU patch 2.8"].iter().any(|name| text.starts_with(name));
    known && !text.contains("edapply")
}

fn has_diff() -> bool {
    Command::new("diff").arg("--version").output().is_ok_and(|out| out.status.success())
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

/// Differences that are meant. The model may run for ever, and takes no lone number for an empty second half
/// of a context diff, though `diff` writes it. Where it loses lines of a hunk or half of a
/// change in silence, and where a script holds what only `ed` itself could carry out, ours refuses.
fn is_stated(ours: &Outcome, theirs: &Outcome) -> bool {
    let told = |text: &str| ours.code == Some(2) && ours.stderr.contains(text);
    let dropped = ours.stderr.lines().any(|line| {
        let line = line.strip_prefix("patch: **** malformed patch at line ");
        line.is_some_and(|line| line.contains(": -") || line.contains(": +"))
    });
    let refused = ["ed FAILED", "Out-of-sync", "unexpected end of hunk"].into_iter().any(told);
    let empty_half = theirs.stderr.contains("replacement text or line numbers mangled in hunk");
    empty_half || theirs.code == Some(124) || dropped || (refused && theirs.code != Some(2))
}

/// What only version 2.7.6 says.
fn without_plan(mut outcome: Outcome) -> Outcome {
    outcome.stdout = outcome.stdout.replace("Using Plan A...\n", "");
    outcome
}

/// `PATCH_CASES=10000 cargo test --release --test gnu_patch` searches on; `PATCH_MODEL` names another
/// version, whose word counts as well.
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
        let models = models();
        if models.is_empty() || !has_diff() {
            let told = b"skipped: GNU patch 2.7.6 or 2.8 and diff are not installed\n";
            let _ = std::io::stderr().write_all(told);
            return Ok(());
        }
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
        let ours = run(Path::new(OURS), &files, &patch, &args);
        let theirs: Vec<_> =
            models.iter().map(|model| without_plan(run(model, &files, &patch, &args))).collect();
        if !theirs.iter().any(|theirs| *theirs == ours || is_stated(&ours, theirs)) {
            prop_assert_eq!(&ours, &theirs[0], "{:?} patch:\n{}", args, String::from_utf8_lossy(&patch));
        }
    }
}
