//! Renames that never destroy what they did not expect.

use std::os::fd::OwnedFd;

use rustix::{
    fs::{AtFlags, RenameFlags},
    io::Errno,
};

use super::fault;

/// A name in an open folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'n> {
    pub dir: &'n OwnedFd,
    pub name: &'n [u8],
}

/// Two names of one folder change their files.
pub(super) fn exchange(dir: &OwnedFd, one: &[u8], other: &[u8]) -> Result<(), Errno> {
    fault::at("exchange")?;
    rustix::fs::renameat_with(dir, one, dir, other, RenameFlags::EXCHANGE)
}

/// Renames, but never over something.
pub(super) fn rename_new(from: At<'_>, to: At<'_>) -> Result<(), Errno> {
    let done = fault::at("rename").and_then(|()| {
        rustix::fs::renameat_with(from.dir, from.name, to.dir, to.name, RenameFlags::NOREPLACE)
    });
    match done {
        Err(error) if is_unsupported(error) => {
            rustix::fs::linkat(from.dir, from.name, to.dir, to.name, AtFlags::empty())?;
            rustix::fs::unlinkat(from.dir, from.name, AtFlags::empty())
        }
        other => other,
    }
}

pub(super) fn remove(dir: &OwnedFd, name: &[u8]) -> Result<(), Errno> {
    match rustix::fs::unlinkat(dir, name, AtFlags::empty()) {
        Err(Errno::NOENT) => Ok(()),
        other => other,
    }
}

pub(super) fn inode(dir: &OwnedFd, name: &[u8]) -> Option<u64> {
    rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).ok().map(|stat| stat.st_ino)
}

/// The file system lacks this kind of rename.
pub(super) fn is_unsupported(error: Errno) -> bool {
    matches!(error, Errno::INVAL | Errno::NOSYS | Errno::NOTSUP)
}
