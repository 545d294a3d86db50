//! Where a run keeps what must outlive it: the journal, the images for undo, what was read.
//!
//! Never in the tree. The places are asked in a fixed order, and the first that can be used is taken; a
//! folder there that is a link, that another user owns or may write into, is passed by, so that a tree
//! which brings its own state folder steers nothing.

use std::{
    fs::{File, TryLockError},
    io::{self, ErrorKind},
    os::{fd::OwnedFd, unix::fs::MetadataExt},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use rustix::{
    fs::{Mode, OFlags},
    io::Errno,
};

use crate::tree::Root;

const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const PRIVATE: Mode = Mode::RWXU;
/// How long to sleep between two looks at a lock that somebody holds.
const PATIENCE: Duration = Duration::from_millis(5);

/// A place where state may lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Exists, or may be made with all above it.
    base: PathBuf,
    /// Made below it one by one, each ours alone.
    parts: Vec<String>,
    /// Kept for undo; the place of last resort is not.
    pub history: bool,
}

/// An open state folder.
#[derive(Debug)]
pub struct State {
    pub dir: OwnedFd,
    pub path: PathBuf,
    pub history: bool,
}

/// Why a lock was not had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("another run holds the lock")]
    Busy,
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Place {
    /// Where it lies.
    pub fn path(&self) -> PathBuf {
        self.parts.iter().fold(self.base.clone(), |path, part| path.join(part))
    }

    /// Opens it if it stands there and is ours.
    ///
    /// # Errors
    /// It is a link or no folder, belongs to another user, or cannot be read.
    pub fn open(&self) -> io::Result<Option<State>> {
        match self.descend(false) {
            Ok(dir) => Ok(Some(State { dir, path: self.path(), history: self.history })),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens it, and makes it before if need be.
    ///
    /// # Errors
    /// As [`Place::open`], or it cannot be made.
    pub fn make(&self) -> io::Result<State> {
        Ok(State { dir: self.descend(true)?, path: self.path(), history: self.history })
    }

    fn descend(&self, make: bool) -> io::Result<OwnedFd> {
        let open = || rustix::fs::open(&self.base, FOLDER.difference(OFlags::NOFOLLOW), Mode::empty());
        let mut dir = match open() {
            Err(Errno::NOENT) if make => {
                std::fs::create_dir_all(&self.base)?;
                open()?
            }
            opened => opened?,
        };
        for part in &self.parts {
            dir = own_folder(&dir, part, make)?;
        }
        Ok(dir)
    }
}

/// A folder in an open one that nobody else may write into.
pub(crate) fn own_folder(dir: &OwnedFd, name: &str, make: bool) -> io::Result<OwnedFd> {
    let open = || rustix::fs::openat(dir, name, FOLDER, Mode::empty());
    let inner = match open() {
        Err(Errno::NOENT) if make => {
            match rustix::fs::mkdirat(dir, name, PRIVATE) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            open()?
        }
        opened => opened?,
    };
    let stat = rustix::fs::fstat(&inner)?;
    if stat.st_uid != rustix::process::geteuid().as_raw() || stat.st_mode & 0o022 != 0 {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "belongs to another user"));
    }
    Ok(inner)
}

/// Where the state of `root` may lie, the best place first. A folder that the caller named is the only one.
pub fn places(root: &Root, named: Option<&Path>) -> Vec<Place> {
    let id = root.inode().map_or("unknown".into(), |(device, inode)| format!("{device:x}-{inode:x}"));
    let place = |base: PathBuf, parts: &[&str], history| Place {
        base,
        parts: parts.iter().map(|&part| part.to_owned()).collect(),
        history,
    };
    let folder = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let given = std::env::var_os("EDAPPLY_STATE_DIR").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    if let Some(dir) = named.map(Path::to_path_buf).or(given) {
        return vec![place(dir, &[&id], true)];
    }
    let git = git_dir(root).map(|dir| place(dir, &["edapply"], true));
    let home = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    let home = home.map(|dir| place(dir, &["edapply", &id], true));
    let user = format!("edapply-{}", rustix::process::geteuid().as_raw());
    let last = place("/tmp".into(), &[&user, &id], false);
    git.into_iter().chain(home).chain([last]).collect()
}

/// The git folder of the work tree that holds `root`, if it is ours; also behind a `.git` file.
fn git_dir(root: &Root) -> Option<PathBuf> {
    let dot_git = root.dot_git()?.to_path_buf();
    let meta = dot_git.symlink_metadata().ok()?;
    let dir = if meta.is_file() && meta.len() < 8192 {
        let text = std::fs::read_to_string(&dot_git).ok()?;
        dot_git.parent()?.join(text.strip_prefix("gitdir:")?.trim())
    } else {
        dot_git
    };
    let meta = dir.symlink_metadata().ok()?;
    let ours = meta.uid() == rustix::process::geteuid().as_raw();
    (meta.is_dir() && ours && dir.join("HEAD").symlink_metadata().is_ok()).then_some(dir)
}

impl State {
    /// Takes the lock, waiting at most so long for another run; the system frees it when the file is
    /// closed, also by death. The second value: somebody else held it.
    ///
    /// # Errors
    /// The time is over, or the file cannot be opened.
    pub fn lock(&self, limit: Duration) -> Result<(File, bool), LockError> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.dir, "lock", flags, Mode::RUSR | Mode::WUSR);
        let file = File::from(file.map_err(io::Error::from)?);
        let start = Instant::now();
        let mut waited = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok((file, waited)),
                Err(TryLockError::Error(error)) => return Err(error.into()),
                Err(TryLockError::WouldBlock) if start.elapsed() >= limit => return Err(LockError::Busy),
                Err(TryLockError::WouldBlock) => std::thread::sleep(PATIENCE.min(limit)),
            }
            waited = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn world() -> (tempfile::TempDir, Root) {
        let base = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(base.path().join("tree/sub")).expect("folders");
        let root = Root::open(&base.path().join("tree")).expect("a root");
        (base, root)
    }

    fn place(base: &Path, parts: &[&str]) -> Place {
        Place { base: base.into(), parts: parts.iter().map(|&part| part.to_owned()).collect(), history: true }
    }

    #[test]
    fn a_named_folder_is_the_only_place_and_serves_many_roots() {
        let (base, root) = world();
        let named = base.path().join("state");
        let found = places(&root, Some(&named));
        assert_eq!(found.len(), 1);
        assert!(found[0].open().expect("nothing odd").is_none());
        found[0].make().expect("made");
        let sub = Root::open(&base.path().join("tree/sub")).expect("a root");
        assert_ne!(places(&sub, Some(&named)), found);
    }

    #[test]
    fn the_git_folder_is_first_also_behind_a_file() {
        let (base, root) = world();
        let of = |name: &str| git_dir(&Root::open(&root.path().join(name)).expect("a root"));
        assert_eq!(of(""), None);
        let git = base.path().join("tree/.git");
        std::fs::create_dir(&git).expect("a folder");
        assert_eq!(of(""), None, "no repository");
        std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").expect("a file");
        assert_eq!(of("sub"), Some(root.path().join(".git")));
        std::fs::write(base.path().join("tree/sub/.git"), "gitdir: ../.git\n").expect("a file");
        assert_eq!(of("sub"), Some(root.path().join("sub/../.git")));
        std::fs::remove_dir_all(&git).expect("removed");
        symlink("elsewhere", &git).expect("a link");
        assert_eq!(of(""), None, "a link");
    }

    #[test]
    fn a_planted_folder_is_passed_by() {
        let (base, _) = world();
        let planted = base.path().join("edapply");
        symlink("tree", &planted).expect("a link");
        assert!(place(base.path(), &["edapply"]).make().is_err());
        std::fs::remove_file(&planted).expect("removed");
        std::fs::create_dir(&planted).expect("a folder");
        std::fs::set_permissions(&planted, PermissionsExt::from_mode(0o777)).expect("a mode");
        assert!(place(base.path(), &["edapply"]).make().is_err(), "anybody may write there");
    }

    #[test]
    fn a_lock_is_held_once_and_freed_with_its_file() {
        let (base, _) = world();
        let state = place(base.path(), &["s"]).make().expect("made");
        let held = state.lock(Duration::ZERO).expect("free");
        assert!(!held.1);
        assert!(matches!(state.lock(Duration::from_millis(20)), Err(LockError::Busy)));
        drop(held);
        assert!(!state.lock(Duration::ZERO).expect("free").1);
    }
}
