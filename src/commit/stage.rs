//! New contents, written beside their targets under names of their own.

use std::{fs::File, io::Write};

use rustix::{
    fs::{Gid, Mode, OFlags, Stat, Uid},
    io::Errno,
};

use super::{
    CommitError, CommitOptions,
    batch::{Batch, Deed},
};
use crate::{plan::Change, tree::Image};

const NEW: OFlags =
    OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

const SET_ID: u32 = 0o6000;

/// Writes what the batch will put in place; no target is touched.
pub(super) fn stage(batch: &mut Batch<'_>, options: &CommitOptions) -> Result<(), CommitError> {
    for at in 0..batch.entries.len() {
        let entry = &batch.entries[at];
        let Some(after) = &entry.change.after else { continue };
        let path = &entry.change.path;
        let file = create(batch, at)?;
        batch.entries[at].staged = true;
        let entry = &batch.entries[at];
        let io = |step| move |source: std::io::Error| CommitError::Io { path: path.clone(), step, source };
        fill(&file, &after.bytes).map_err(io("write beside it"))?;
        let notes =
            dress(&file, entry.change, after, entry.stat.as_ref()).map_err(io("keep its mode and owner"))?;
        if options.durable {
            file.sync_data().map_err(io("write it to the disk"))?;
        }
        let path = path.clone();
        batch.notes.extend(notes.into_iter().map(|note| (path.clone(), note)));
    }
    Ok(())
}

/// A new file under the entry's own name. That of a new target gets the usual mode from the start, so
/// that the system takes the umask off; one that replaces a file stays closed until it is dressed.
fn create(batch: &Batch<'_>, at: usize) -> Result<File, CommitError> {
    let entry = &batch.entries[at];
    let mode = match (entry.deed, &entry.change.after) {
        (Deed::Create, Some(image)) if entry.change.moved_from.is_none() => {
            if image.mode & 0o111 == 0 {
                0o666
            } else {
                0o777
            }
        }
        _ => 0o600,
    };
    let opened = rustix::fs::openat(&entry.dir, &entry.temp[..], NEW, Mode::from_raw_mode(mode as _));
    opened.map(File::from).map_err(|error| CommitError::Io {
        path: entry.change.path.clone(),
        step: "create a file beside it",
        source: error.into(),
    })
}

fn fill(mut file: &File, bytes: &[u8]) -> std::io::Result<()> {
    file.write_all(bytes)
}

/// Mode and owner of what is replaced or moved. Bits that lend rights go when the content changes.
fn dress(file: &File, change: &Change, after: &Image, old: Option<&Stat>) -> std::io::Result<Vec<String>> {
    let mut notes = Vec::new();
    if change.before.is_none() && change.moved_from.is_none() {
        return Ok(notes);
    }
    if let Some(old) = old {
        notes.extend(keep_owner(file, old)?);
        if old.st_nlink > 1 {
            notes.push(format!(
                "has {} other name(s) by hard links, which keep the old content",
                old.st_nlink - 1
            ));
        }
    }
    if after.mode & SET_ID != 0 {
        notes.push("set-user-id and set-group-id bits were dropped".into());
    }
    rustix::fs::fchmod(file, Mode::from_raw_mode((after.mode & 0o7777 & !SET_ID) as _))?;
    Ok(notes)
}

fn keep_owner(file: &File, old: &Stat) -> std::io::Result<Option<String>> {
    let new = rustix::fs::fstat(file)?;
    if (new.st_uid, new.st_gid) == (old.st_uid, old.st_gid) {
        return Ok(None);
    }
    match rustix::fs::fchown(file, Some(Uid::from_raw(old.st_uid)), Some(Gid::from_raw(old.st_gid))) {
        Ok(()) => Ok(None),
        Err(Errno::PERM) if new.st_gid == old.st_gid => Ok(Some("is now owned by you".into())),
        Err(error) => Err(error.into()),
    }
}
