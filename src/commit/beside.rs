//! A file outside of the tree that changes with a batch: git's index.
//!
//! Its new content lies in the journal's folder before anything is swapped, and has git's lock as a second
//! name, so that no other program writes the index meanwhile. The lock takes the index's name right behind
//! the point of commit. Whether a lock is ours tells its inode, to whoever finds it.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::{fd::OwnedFd, unix::fs::MetadataExt},
    path::{Path, PathBuf},
};

use rustix::fs::{AtFlags, CWD, Mode, OFlags};

use super::{fault, names};

/// The name of the new content in the journal's folder.
pub(super) const NAME: &str = "beside";

/// Such a file, as it is and as it shall be.
#[derive(Clone, Debug)]
pub struct Beside {
    /// Where it lies.
    pub path: PathBuf,
    /// Its content as it must still be.
    pub old: Vec<u8>,
    /// Its content once the batch stands.
    pub new: Vec<u8>,
}

fn lock_of(path: &Path) -> PathBuf {
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    lock.into()
}

/// Writes the new content, takes the lock, and looks whether the file is as it was.
///
/// # Errors
/// Another program holds the lock or wrote the file; or the journal lies on another file system.
pub(super) fn stage(images: &OwnedFd, beside: &Beside, durable: bool) -> io::Result<()> {
    fault::at("beside")?;
    let mode = fs::metadata(&beside.path)?.mode() & 0o777;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::openat(images, NAME, flags, Mode::from_raw_mode(mode as _))?);
    file.write_all(&beside.new)?;
    if durable {
        file.sync_data()?;
    }
    rustix::fs::linkat(images, NAME, CWD, lock_of(&beside.path), AtFlags::empty())?;
    if fs::read(&beside.path)? == beside.old {
        return Ok(());
    }
    Err(io::Error::other("it was changed by another program meanwhile"))
}

/// The lock, if it is ours.
fn own_lock(images: &OwnedFd, path: &Path) -> Option<PathBuf> {
    let lock = lock_of(path);
    let ours = names::inode(images, NAME.as_bytes())?;
    let device = rustix::fs::fstat(images).ok()?.st_dev;
    let found = fs::symlink_metadata(&lock).ok()?;
    (found.ino() == ours && found.dev() == device).then_some(lock)
}

/// The batch stands: the new content takes its name. Can be repeated.
pub(super) fn finish(images: &OwnedFd, path: &Path) -> io::Result<()> {
    match own_lock(images, path) {
        Some(lock) => fs::rename(lock, path),
        None => Ok(()),
    }
}

/// The batch is rolled back: the lock goes. Can be repeated.
pub(super) fn discard(images: &OwnedFd, path: &Path) {
    if let Some(lock) = own_lock(images, path) {
        let _ = fs::remove_file(lock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct World {
        base: tempfile::TempDir,
        images: OwnedFd,
        beside: Beside,
    }

    fn world() -> World {
        let base = tempfile::tempdir().expect("a folder");
        fs::create_dir(base.path().join("tx")).expect("a folder");
        fs::write(base.path().join("index"), "old").expect("a file");
        let images =
            rustix::fs::open(base.path().join("tx"), OFlags::DIRECTORY, Mode::empty()).expect("opened");
        let path = base.path().join("index");
        World { base, images, beside: Beside { path, old: b"old".to_vec(), new: b"new".to_vec() } }
    }

    impl World {
        fn text(&self, name: &str) -> Option<String> {
            fs::read_to_string(self.base.path().join(name)).ok()
        }
    }

    #[test]
    fn takes_its_name_only_in_the_end() {
        let w = world();
        stage(&w.images, &w.beside, false).expect("staged");
        assert_eq!((w.text("index").as_deref(), w.text("index.lock").as_deref()), (Some("old"), Some("new")));
        finish(&w.images, &w.beside.path).expect("finished");
        finish(&w.images, &w.beside.path).expect("again");
        assert_eq!((w.text("index").as_deref(), w.text("index.lock")), (Some("new"), None));
    }

    #[test]
    fn a_lock_of_another_program_stays() {
        let w = world();
        fs::write(w.base.path().join("index.lock"), "theirs").expect("a file");
        assert_eq!(
            stage(&w.images, &w.beside, false).expect_err("locked").kind(),
            io::ErrorKind::AlreadyExists
        );
        discard(&w.images, &w.beside.path);
        finish(&w.images, &w.beside.path).expect("nothing to do");
        assert_eq!(
            (w.text("index").as_deref(), w.text("index.lock").as_deref()),
            (Some("old"), Some("theirs"))
        );
    }

    #[test]
    fn another_program_wrote_it() {
        let w = world();
        fs::write(w.base.path().join("index"), "other").expect("a file");
        assert!(stage(&w.images, &w.beside, false).is_err());
        discard(&w.images, &w.beside.path);
        assert_eq!((w.text("index").as_deref(), w.text("index.lock")), (Some("other"), None));
    }
}
