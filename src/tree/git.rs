//! What git knows of the files, asked by its plumbing commands, without a shell.
//!
//! Nothing that a repository's configuration names is run, no lock is taken and no object is fetched.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{OldTexts, RelPath};

/// Larger contents are passed over.
const MAX_BLOB: u64 = 64 << 20;

/// The contents of HEAD and index.
#[derive(Debug)]
pub struct GitBlobs {
    root: PathBuf,
}

impl GitBlobs {
    /// Of the work tree that holds the folder `root`, if one does.
    pub fn new(root: &Path) -> GitBlobs {
        GitBlobs { root: root.to_path_buf() }
    }

    fn blobs(&self, path: &RelPath) -> io::Result<Vec<Vec<u8>>> {
        let name = path.as_bytes();
        if name.contains(&b'\n') {
            return Ok(Vec::new());
        }
        let mut child = git(&self.root, &["cat-file", "--batch"]).stdin(Stdio::piped()).spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            let asked = [b"HEAD:./", name, b"\n:./", name, b"\n"].concat();
            stdin.write_all(&asked)?;
        }
        let mut blobs = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            read_batch(&mut BufReader::new(stdout), &mut blobs)?;
        }
        child.wait()?;
        Ok(blobs)
    }
}

impl OldTexts for GitBlobs {
    fn old_texts(&self, path: &RelPath) -> Vec<Vec<u8>> {
        self.blobs(path).unwrap_or_default()
    }
}

/// The answers of `cat-file --batch`: `ID blob SIZE`, the content and a newline, or `NAME missing`.
fn read_batch(out: &mut dyn BufRead, blobs: &mut Vec<Vec<u8>>) -> io::Result<()> {
    let mut head = Vec::new();
    while out.read_until(b'\n', &mut head)? > 0 {
        let line = String::from_utf8_lossy(head.trim_ascii()).into_owned();
        head.clear();
        let mut words = line.rsplit(' ');
        let (size, kind) = (words.next().and_then(|size| size.parse::<u64>().ok()), words.next());
        let Some(size) =
            size.filter(|_| kind.is_some_and(|kind| ["blob", "tree", "commit", "tag"].contains(&kind)))
        else {
            continue;
        };
        let mut content = out.take(size.saturating_add(1));
        if kind == Some("blob") && size <= MAX_BLOB {
            let mut blob = Vec::new();
            content.read_to_end(&mut blob)?;
            blob.pop();
            blobs.push(blob);
        } else {
            io::copy(&mut content, &mut io::sink())?;
        }
    }
    Ok(())
}

/// The files below `root` that git tracks; `None` outside a work tree, or without git.
pub fn tracked(root: &Path) -> Option<BTreeSet<RelPath>> {
    let output = git(root, &["ls-files", "-z"]).output().ok()?;
    let names = output.stdout.split(|&b| b == 0).filter(|name| !name.is_empty());
    output.status.success().then(|| names.map(RelPath::trusted).collect())
}

/// A git command in the folder `root`.
fn git(root: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(["-c", "core.fsmonitor=false", "--no-pager", "--literal-pathspecs", "-C"]);
    command.arg(OsStr::from_bytes(root.as_os_str().as_bytes())).args(args);
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_LAZY_FETCH", "1").env("GIT_TERMINAL_PROMPT", "0");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(root: &Path, args: &[&str]) {
        let who = ["-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"];
        let done = Command::new("git").args(who).arg("-C").arg(root).args(args).output().expect("git");
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    #[test]
    fn head_and_index_are_known() {
        let base = tempfile::tempdir().expect("a folder");
        let root = base.path();
        run(root, &["init", "-q"]);
        std::fs::create_dir(root.join("sub")).expect("a folder");
        std::fs::write(root.join("sub/a b"), "one\n").expect("a file");
        run(root, &["add", "-A"]);
        run(root, &["commit", "-qm", "first"]);
        std::fs::write(root.join("sub/a b"), "two\n").expect("a file");
        run(root, &["add", "-A"]);
        std::fs::write(root.join("sub/a b"), "three\n").expect("a file");
        std::fs::write(root.join("new"), "new\n").expect("a file");
        let blobs = |root: &Path, path: &str| GitBlobs::new(root).old_texts(&RelPath::trusted(path));
        assert_eq!(blobs(root, "sub/a b"), [b"one\n".to_vec(), b"two\n".to_vec()]);
        assert_eq!(blobs(&root.join("sub"), "a b"), [b"one\n".to_vec(), b"two\n".to_vec()]);
        assert_eq!(blobs(root, "sub"), Vec::<Vec<u8>>::new());
        assert_eq!(blobs(root, "new"), Vec::<Vec<u8>>::new());
        let names = |root: &Path| {
            tracked(root).expect("a work tree").iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(names(root), ["sub/a b"]);
        assert_eq!(names(&root.join("sub")), ["a b"]);
    }

    #[test]
    fn outside_a_work_tree_nothing_is_known() {
        let base = tempfile::tempdir().expect("a folder");
        assert_eq!(GitBlobs::new(base.path()).old_texts(&RelPath::trusted("a")), Vec::<Vec<u8>>::new());
    }
}
