//! A case as a repository and a patch.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use crate::case::{Case, Fate, From, Side, Thing};

/// The release that is the measure.
pub fn has_model() -> bool {
    let said = Command::new("git").arg("--version").output();
    said.is_ok_and(|out| String::from_utf8_lossy(&out.stdout).contains(" 2.47."))
}

/// A command that no setting of this machine reaches.
pub fn command(program: impl AsRef<std::ffi::OsStr>, dir: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(dir)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("LC_ALL", "C")
        .env("HOME", "/nonexistent")
        .env("XDG_STATE_HOME", "/nonexistent")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    command
}

pub fn git(dir: &Path, args: &[&str]) -> Vec<u8> {
    let out = command("git", dir).args(args).output().expect("git runs");
    assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    out.stdout
}

type Files = BTreeMap<String, Thing>;

/// A file whose folder would have to be a file cannot stand; the later name gives way.
fn put_in(files: &mut Files, name: &str, thing: Thing) {
    let below = format!("{name}/");
    let taken = files.keys().any(|other| other.starts_with(&below) || name.starts_with(&format!("{other}/")));
    if !taken && thing != Thing::Nothing {
        files.insert(name.to_owned(), thing);
    }
}

fn edited(bytes: &[u8], edits: &[(usize, u8, String)]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    for (at, how, line) in edits {
        let line = format!("{line}\n").into_bytes();
        let at = at % (lines.len() + 1);
        match how {
            0 | 1 => lines.insert(at, line),
            2 if at < lines.len() => drop(lines.remove(at)),
            _ if at < lines.len() => lines[at] = line,
            _ => lines.push(line),
        }
    }
    lines.concat()
}

fn apply_fate(files: &mut Files, name: &str, fate: &Fate) {
    let Some(thing) = files.get(name).cloned() else {
        if let Fate::Replace(thing) = fate {
            put_in(files, name, thing.clone());
        }
        return;
    };
    let with = |bytes: Vec<u8>| match &thing {
        Thing::File { runs, .. } => Thing::File { runs: *runs, bytes },
        other => other.clone(),
    };
    let old = match &thing {
        Thing::File { bytes, .. } => bytes.clone(),
        _ => Vec::new(),
    };
    match fate {
        Fate::Stay => {}
        Fate::Remove => drop(files.remove(name)),
        Fate::Move(to) => {
            files.remove(name);
            put_in(files, to, thing);
        }
        Fate::Copy(to) => put_in(files, to, thing),
        Fate::ChangeMode => {
            if let Some(Thing::File { runs, .. }) = files.get_mut(name) {
                *runs = !*runs;
            }
        }
        Fate::Replace(new) => {
            files.remove(name);
            put_in(files, name, new.clone());
        }
        Fate::Edits(edits) => drop(files.insert(name.to_owned(), with(edited(&old, edits)))),
        Fate::MoveAndEdit(to, at, line) => {
            files.remove(name);
            put_in(files, to, with(edited(&old, &[(*at, 0, line.clone())])));
        }
        Fate::Poke(at, byte) => {
            let mut bytes = old.clone();
            let size = bytes.len().max(1);
            let text = !old.contains(&0);
            if let Some(there) = bytes.get_mut(at % size) {
                // Letters beyond ASCII are shown in another way than the model's.
                *there = if text { byte & 0x7f } else { *byte };
            }
            files.insert(name.to_owned(), with(bytes));
        }
        Fate::Crlf => {
            let text = String::from_utf8_lossy(&old).replace('\n', "\r\n");
            files.insert(name.to_owned(), with(text.into_bytes()));
        }
    }
}

fn side(base: &Files, names: &[&str], fates: &Side) -> Files {
    let mut files = base.clone();
    for (name, fate) in names.iter().zip(fates) {
        apply_fate(&mut files, name, fate);
    }
    files
}

/// Writes the work tree anew.
fn lay_out(dir: &Path, files: &Files) {
    for entry in fs::read_dir(dir).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.ends_with(".git") || path.ends_with(".gitattributes") {
            continue;
        }
        let folder = path.symlink_metadata().expect("metadata").is_dir();
        if folder { fs::remove_dir_all(path) } else { fs::remove_file(path) }.expect("removed");
    }
    for (name, thing) in files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        match thing {
            Thing::Link(to) => symlink(to, path).expect("a link"),
            Thing::Nothing => {}
            Thing::File { runs, bytes } => {
                fs::write(&path, bytes).expect("a file");
                let mode = if *runs { 0o755 } else { 0o644 };
                fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("a mode");
            }
        }
    }
}

fn objects(dir: &Path) -> BTreeSet<PathBuf> {
    let files = walkdir::WalkDir::new(dir.join(".git/objects")).into_iter().flatten();
    files.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}

/// The repository as the command finds it, and the patch.
pub fn prepared(base: &Path, case: &Case) -> (PathBuf, Vec<u8>) {
    let repo = base.join("r");
    fs::create_dir(&repo).expect("a folder");
    git(&repo, &["init", "-q", "."]);
    let names: Vec<&str> = case.base.iter().map(|(name, _)| *name).collect();
    let mut files = Files::new();
    for (name, thing) in &case.base {
        put_in(&mut files, name, thing.clone());
    }
    lay_out(&repo, &files);
    git(&repo, &["add", "-A"]);
    let tree = String::from_utf8_lossy(&git(&repo, &["write-tree"])).trim().to_owned();
    let known = objects(&repo);
    let theirs = side(&files, &names, &case.theirs);
    lay_out(&repo, &theirs);
    git(&repo, &["add", "-A"]);
    let mut args = vec!["diff", "--cached", "--binary", "-M"];
    args.extend(&case.diff);
    args.push(&tree);
    let patch = git(&repo, &args);
    if case.forget {
        objects(&repo).difference(&known).for_each(|path| fs::remove_file(path).expect("removed"));
        fs::remove_file(repo.join(".git/index")).expect("removed");
    }
    let start = if case.after { theirs } else { files };
    let mut ours = side(&start, &names, &case.ours);
    lay_out(&repo, &ours);
    git(&repo, &["add", "-A"]);
    settle(&repo, case);
    if let Some((at, fate)) = &case.dirty {
        apply_fate(&mut ours, names[at % names.len()], fate);
        lay_out(&repo, &ours);
    }
    (repo, patch)
}

/// Settings come last, so that they do not change what the objects hold.
fn settle(repo: &Path, case: &Case) {
    let mut config = String::new();
    for (key, value) in
        case.settings.iter().chain(&[("core.checkstat", "minimal"), ("core.trustctime", "false")])
    {
        let (section, key) = key.split_once('.').expect("a section");
        config += &format!("[{section}]\n\t{key} = {value}\n");
    }
    let path = repo.join(".git/config");
    let old = fs::read_to_string(&path).expect("a config");
    fs::write(&path, old + &config).expect("written");
    if !case.attributes.is_empty() {
        fs::write(repo.join(".gitattributes"), case.attributes).expect("written");
    }
}

/// The patch with some lines wrong.
pub fn damaged(text: &[u8], damage: &[(usize, u8)]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    for (at, how) in damage {
        let at = at % lines.len();
        let next = (at + 1) % lines.len();
        match how {
            0 if lines.len() > 1 => drop(lines.remove(at)),
            1 => lines.insert(at, b"zzz".to_vec()),
            2 => lines[at].push(b' '),
            3 => lines[at].insert(0, b' '),
            4 => drop(lines[at].pop()),
            5 => lines.truncate(at.max(1)),
            6 => lines.swap(at, next),
            7 => lines[at].push(b'\r'),
            8 => bump(&mut lines[at]),
            _ => lines.iter_mut().filter(|line| !line.is_empty()).for_each(|line| line.push(b'\r')),
        }
    }
    lines.join(&b'\n')
}

/// The first digit of the line counts one up.
fn bump(line: &mut [u8]) {
    if let Some(digit) = line.iter_mut().find(|b| b.is_ascii_digit()) {
        *digit = if *digit == b'9' { b'0' } else { *digit + 1 };
    }
}

/// Where the command runs in the copy `work`.
pub fn folder(work: &Path, from: From) -> PathBuf {
    match from {
        From::Folder if work.join("d").is_dir() && !work.join("d").is_symlink() => work.join("d"),
        _ => work.to_owned(),
    }
}
