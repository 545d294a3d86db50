//! The planned result, compared with what the caller expects it to be.

use std::{
    collections::{BTreeMap, BTreeSet},
    os::unix::ffi::OsStrExt,
    path::Path,
    process::Command,
};

use crate::{
    plan::Change,
    report::Failure,
    request::Expect,
    tree::{Files, Image, RelPath, Root},
};

/// Where the result would differ: as changes from what is expected to what is planned.
pub(super) fn differences(root: &Root, changes: &[Change], expect: &Expect) -> Result<Vec<Change>, Failure> {
    let expected = match expect {
        Expect::Path(path) if path.is_dir() => folder(path)?,
        Expect::Path(path) => one_file(path, changes)?,
        Expect::Git(rev) => revision(root, changes, rev)?,
    };
    let planned: BTreeMap<&RelPath, Option<&Image>> =
        changes.iter().map(|change| (&change.path, change.after.as_ref())).collect();
    let paths: BTreeSet<&RelPath> = expected.keys().chain(planned.keys().copied()).collect();
    let mut different = Vec::new();
    for path in paths {
        let want = expected.get(path).cloned().flatten();
        let have = match planned.get(path) {
            Some(image) => image.cloned(),
            None => root.image(path).unwrap_or(None),
        };
        if !is_same(want.as_ref(), have.as_ref()) {
            different.push(Change { path: path.clone(), before: want, after: have, moved_from: None });
        }
    }
    Ok(different)
}

/// Equal in bytes, and in whether it can be run.
fn is_same(one: Option<&Image>, other: Option<&Image>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.bytes == other.bytes && one.git_mode() == other.git_mode(),
        (one, other) => one.is_none() && other.is_none(),
    }
}

type Expected = BTreeMap<RelPath, Option<Image>>;

fn trouble(why: &str) -> Failure {
    Failure::trouble("bad-expectation", crate::report::escape::text(&format!("--expect: {why}")))
}

/// Every file of a folder. What the folder does not hold counts only if the edit touches it.
fn folder(path: &Path) -> Result<Expected, Failure> {
    let root = Root::open(path).map_err(|error| trouble(&format!("{}: {error}", path.display())))?;
    let mut found = Expected::new();
    let not_git = |entry: &walkdir::DirEntry| entry.depth() == 0 || entry.file_name() != ".git";
    for entry in walkdir::WalkDir::new(root.path()).into_iter().filter_entry(not_git) {
        let entry = entry.map_err(|error| trouble(&error.to_string()))?;
        let below = entry
            .path()
            .strip_prefix(root.path())
            .ok()
            .filter(|_| entry.file_type().is_file() || entry.path_is_symlink());
        if let Some(Ok(below)) = below.map(|below| RelPath::parse(below.as_os_str().as_bytes())) {
            let image = root.image(&below).map_err(|refusal| trouble(&format!("{below}: {refusal}")))?;
            found.insert(below, image);
        }
    }
    Ok(found)
}

fn one_file(path: &Path, changes: &[Change]) -> Result<Expected, Failure> {
    use std::os::unix::fs::PermissionsExt;
    let failed = |error: std::io::Error| {
        trouble(&format!("{}: {}", path.display(), crate::tree::root::plain_error(&error)))
    };
    let [change] = changes else {
        return Err(trouble("a file can be compared only if one file changes; name a folder"));
    };
    let mode = std::fs::metadata(path).map_err(failed)?.permissions().mode() & 0o7777;
    // A file is given for its content: its mode says nothing of the target's.
    let mode = change.after.as_ref().map_or(mode, |after| after.mode);
    let image = Image { bytes: std::fs::read(path).map_err(failed)?.into(), mode };
    Ok(Expected::from([(change.path.clone(), Some(image))]))
}

/// The files that the edit touches, and those that differ from the revision now.
fn revision(root: &Root, changes: &[Change], rev: &str) -> Result<Expected, Failure> {
    if rev.is_empty() || rev.starts_with('-') || rev.contains(':') {
        return Err(trouble("git: wants a commit, a branch or a tag"));
    }
    let differ =
        git(root, &["diff", "--name-only", "-z", "--relative", "--no-renames", "--no-ext-diff", rev, "--"])?;
    let names = differ.split(|&b| b == 0).filter(|name| !name.is_empty());
    let named = names.filter_map(|name| RelPath::parse(name).ok());
    let paths: BTreeSet<RelPath> = named.chain(changes.iter().map(|change| change.path.clone())).collect();
    let mut found = Expected::new();
    for path in paths {
        let image = blob(root, rev, &path)?;
        found.insert(path, image);
    }
    Ok(found)
}

fn blob(root: &Root, rev: &str, path: &RelPath) -> Result<Option<Image>, Failure> {
    let mut list = command(root);
    list.args(["ls-tree", "-z", rev, "--"]).arg(std::ffi::OsStr::from_bytes(path.as_bytes()));
    let line = run(list)?;
    let mut words = line.split(|&b| b == b' ' || b == b'\t');
    let (mode, kind, id) = (words.next(), words.next(), words.next());
    let mode = match (mode, kind) {
        (Some(b"100755"), Some(b"blob")) => 0o755,
        (Some(b"120000"), Some(b"blob")) => Image::link("").mode,
        (Some(b"100644"), Some(b"blob")) => 0o644,
        _ => return Ok(None),
    };
    let id = String::from_utf8_lossy(id.unwrap_or_default()).into_owned();
    Ok(Some(Image { bytes: git(root, &["cat-file", "blob", &id])?.into(), mode }))
}

fn git(root: &Root, args: &[&str]) -> Result<Vec<u8>, Failure> {
    let mut command = command(root);
    command.args(args);
    run(command)
}

/// Git that writes nothing and runs no program of the repository's choice.
fn command(root: &Root) -> Command {
    let mut git = Command::new("git");
    git.current_dir(root.path()).env("GIT_OPTIONAL_LOCKS", "0");
    git.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]);
    git
}

fn run(mut command: Command) -> Result<Vec<u8>, Failure> {
    let output = command.output().map_err(|error| trouble(&format!("git cannot be run: {error}")))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(trouble(&format!("git says: {}", said.lines().next().unwrap_or_default())))
}
