//! What the drop-ins write beside regular files: symbolic links, and folders for their own sake.

use std::{ffi::OsStr, io, os::fd::OwnedFd, os::unix::ffi::OsStrExt};

use rustix::{
    fs::{AtFlags, Mode, OFlags},
    io::Errno,
};

use crate::tree::{RelPath, Root};

/// A symbolic link under this name, whatever file or link stood there.
pub fn put_link(root: &Root, path: &RelPath, target: &[u8]) -> io::Result<()> {
    put(root, path, |dir, temp| Ok(rustix::fs::symlinkat(OsStr::from_bytes(target), dir, temp)?))
}

/// A regular file under this name, in place of a link.
pub fn put_file(root: &Root, path: &RelPath, bytes: &[u8], mode: u32) -> io::Result<()> {
    put(root, path, |dir, temp| {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode((mode & 0o777) as _);
        let mut file = std::fs::File::from(rustix::fs::openat(dir, temp, flags, mode)?);
        io::Write::write_all(&mut file, bytes)
    })
}

/// Makes it beside the name, then renames it over.
fn put(root: &Root, path: &RelPath, make: impl FnOnce(&OwnedFd, &str) -> io::Result<()>) -> io::Result<()> {
    let dir = folder(root, path)?;
    let temp = format!(".edapply-{}-{:x}.tmp", std::process::id(), path.as_bytes().len());
    let done = make(&dir, &temp).and_then(|()| Ok(rustix::fs::renameat(&dir, &temp[..], &dir, path.base())?));
    if done.is_err() {
        let _ = rustix::fs::unlinkat(&dir, &temp[..], AtFlags::empty());
    }
    done
}

/// Removes a name, and the folders above it that are empty then.
pub fn remove(root: &Root, path: &RelPath) -> io::Result<()> {
    let dir = opened(root, path.parent().as_ref())?;
    rustix::fs::unlinkat(&dir, path.base(), AtFlags::empty())?;
    remove_empty_above(root, path);
    Ok(())
}

/// Removes the folders above a name as far as they are empty.
pub fn remove_empty_above(root: &Root, path: &RelPath) {
    let mut above = path.parent();
    while let Some(folder) = above {
        let gone = remove_folder(root, &folder);
        above = gone.ok().and_then(|()| folder.parent());
    }
}

/// Removes a folder that is empty.
pub fn remove_folder(root: &Root, path: &RelPath) -> io::Result<()> {
    let dir = opened(root, path.parent().as_ref())?;
    Ok(rustix::fs::unlinkat(&dir, path.base(), AtFlags::REMOVEDIR)?)
}

/// Makes a folder, and those above it.
pub fn make_folder(root: &Root, path: &RelPath) -> io::Result<()> {
    let dir = folder(root, path)?;
    match rustix::fs::mkdirat(&dir, path.base(), 0o777.into()) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// What the system takes off the mode of new files; there is no way to ask without setting it.
#[allow(clippy::useless_conversion)] // 16 bits wide on some systems
pub fn umask() -> u32 {
    let mask = rustix::process::umask(Mode::from_raw_mode(0o077));
    rustix::process::umask(mask);
    u32::from(mask.as_raw_mode())
}

fn opened(root: &Root, folder: Option<&RelPath>) -> io::Result<OwnedFd> {
    let opened = root.folder(folder).map_err(|refusal| io::Error::other(refusal.to_string()))?;
    opened.ok_or_else(|| io::Error::from(Errno::NOENT))
}

/// The folder above `path`, made if it is missing.
fn folder(root: &Root, path: &RelPath) -> io::Result<OwnedFd> {
    let mut above: Option<RelPath> = None;
    for cut in memchr::memchr_iter(b'/', path.as_bytes()) {
        let next = RelPath::trusted(&path.as_bytes()[..cut]);
        match rustix::fs::mkdirat(opened(root, above.as_ref())?, next.base(), 0o777.into()) {
            Ok(()) | Err(Errno::EXIST) => above = Some(next),
            Err(error) => return Err(error.into()),
        }
    }
    opened(root, above.as_ref())
}
