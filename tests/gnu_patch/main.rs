//! The face that replaces GNU patch: what is printed, the exit code and the tree after must be those of GNU
//! patch, whether it is installed (`differential`) or was asked before (`scenarios`).

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::{Command, Stdio},
};

mod differential;
mod faults;
mod questions;
mod safe;
mod scenarios;
#[path = "../common/terminal.rs"]
mod tty;

/// The files of a folder: mode and content.
type Tree = BTreeMap<String, (u32, Vec<u8>)>;

#[derive(Clone, Debug, PartialEq)]
struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    tree: Tree,
}

const OURS: &str = env!("CARGO_BIN_EXE_edapply");

/// Runs one program as `patch` in a fresh folder.
fn run(program: &Path, files: &[(&str, &[u8])], patch: &[u8], args: &[&str]) -> Outcome {
    let base = tempfile::tempdir().expect("a folder");
    let (work, bin) = (base.path().join("w"), base.path().join("bin"));
    fs::create_dir_all(work.join("d")).expect("a folder");
    fs::create_dir_all(&bin).expect("a folder");
    symlink(program, bin.join("patch")).expect("a link");
    for (name, bytes) in files {
        fs::create_dir_all(work.join(name).parent().expect("a folder")).expect("a folder");
        fs::write(work.join(name), bytes).expect("a file");
    }
    // The model may run for ever; ours may only be slow on a machine that is busy.
    let limit = if program == Path::new(OURS) { "300" } else { "10" };
    let mut child = Command::new("timeout")
        .args([limit, "patch"])
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

/// Runs ours only, without the model.
fn ours(files: &[(&str, &[u8])], patch: &str, args: &[&str]) -> Outcome {
    run(Path::new(OURS), files, patch.as_bytes(), args)
}
