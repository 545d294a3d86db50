//! The moment of change, the way back, and the clearing up.
//!
//! Two names are exchanged rather than one renamed over the other: if another program saved the target
//! in the last moment, its save comes out under our name and is handed back, where a plain rename would
//! have destroyed it.

use std::os::fd::OwnedFd;

use rustix::{
    fs::{AtFlags, RenameFlags},
    io::Errno,
};

use super::{
    CommitError, CommitOptions, Receipt,
    batch::{Batch, Deed, Entry, holds, is_image},
};

/// Puts every staged content in place.
pub(super) fn swap(batch: &mut Batch<'_>) -> Result<(), CommitError> {
    for at in 0..batch.entries.len() {
        let spare = batch.temp_name();
        let entry = &mut batch.entries[at];
        let io = |error: Errno| CommitError::Io {
            path: entry.change.path.clone(),
            step: "put the new content in place",
            source: error.into(),
        };
        let target = entry.change.path.base();
        match entry.deed {
            Deed::Replace => exchange(&entry.dir, &mut entry.temp, target, spare).map_err(io)?,
            Deed::Create => match rename_new(&entry.dir, &entry.temp, target) {
                Err(Errno::EXIST) => return Err(CommitError::Changed { path: entry.change.path.clone() }),
                other => other.map_err(io)?,
            },
            Deed::Remove => {
                rename_new(&entry.dir, target, &entry.temp).map_err(io)?;
                entry.staged = true;
            }
        }
        entry.swapped = true;
        look_after(entry)?;
    }
    Ok(())
}

/// What came out must be what the plan knew.
fn look_after(entry: &Entry<'_>) -> Result<(), CommitError> {
    let changed = || CommitError::Changed { path: entry.change.path.clone() };
    let Some(before) = &entry.change.before else { return Ok(()) };
    match is_image(&entry.dir, &entry.temp, Some(before)) {
        Ok(true) => Ok(()),
        _ => Err(changed()),
    }
}

/// Undoes what was done, last first, and by content: a name that no longer holds what we put there was
/// saved by somebody since, and stays.
pub(super) fn roll_back(mut batch: Batch<'_>, cause: CommitError) -> CommitError {
    let mut left = Vec::new();
    for entry in batch.entries.iter_mut().rev().filter(|entry| entry.swapped) {
        if let Err(why) = put_back(entry) {
            left.push(format!(
                "{} ({why}; its old content is in {})",
                entry.change.path,
                entry.change.path.sibling(&entry.temp)
            ));
            entry.staged = false;
        }
    }
    remove_temps(&batch);
    for folder in batch.made.iter().rev() {
        remove_folder(&batch, folder);
    }
    if left.is_empty() { cause } else { CommitError::NotRestored { cause: Box::new(cause), left } }
}

fn put_back(entry: &mut Entry<'_>) -> Result<(), String> {
    let target = entry.change.path.base();
    let ours = entry.change.after.as_ref().is_none_or(|after| holds(&entry.dir, target, &after.bytes));
    if !ours {
        return Err("was changed since".into());
    }
    let done = match entry.deed {
        Deed::Replace => unexchange(&entry.dir, &entry.temp, target),
        Deed::Create => rename_new(&entry.dir, target, &entry.temp),
        Deed::Remove => rename_new(&entry.dir, &entry.temp, target),
    };
    done.map_err(|error| error.to_string())
}

/// Removes the old images and the folders that became empty. The change stands already: what fails here
/// is no failure of the batch.
pub(super) fn tidy(mut batch: Batch<'_>, options: &CommitOptions) -> Receipt {
    remove_temps(&batch);
    for entry in batch.entries.iter().filter(|entry| entry.deed == Deed::Remove) {
        let mut folder = entry.change.path.parent();
        while let Some(path) = folder {
            folder = if remove_folder(&batch, &path) { path.parent() } else { None };
        }
    }
    if options.durable {
        sync_folders(&batch);
    }
    Receipt { notes: std::mem::take(&mut batch.notes) }
}

fn remove_temps(batch: &Batch<'_>) {
    for entry in batch.entries.iter().filter(|entry| entry.staged) {
        let _ = rustix::fs::unlinkat(&entry.dir, &entry.temp[..], AtFlags::empty());
    }
}

fn remove_folder(batch: &Batch<'_>, path: &crate::tree::RelPath) -> bool {
    let Some(dir) = batch.holder(path) else { return false };
    rustix::fs::unlinkat(&dir, path.base(), AtFlags::REMOVEDIR).is_ok()
}

/// One write-out a folder, however many of its files changed.
fn sync_folders(batch: &Batch<'_>) {
    let mut seen = std::collections::BTreeSet::new();
    for entry in &batch.entries {
        let flags = rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::CLOEXEC;
        if seen.insert(entry.change.path.parent())
            && let Ok(dir) = rustix::fs::openat(&entry.dir, ".", flags, rustix::fs::Mode::empty())
        {
            let _ = rustix::fs::fsync(dir);
        }
    }
}

/// The new content takes the target's name, the old image the temporary one. Where names cannot be
/// exchanged, the old image gets a second name first.
fn exchange(dir: &OwnedFd, temp: &mut Vec<u8>, target: &[u8], spare: Vec<u8>) -> Result<(), Errno> {
    match rename_with(dir, temp, target, RenameFlags::EXCHANGE) {
        Err(error) if is_unsupported(error) => {
            rustix::fs::linkat(dir, target, dir, &spare[..], AtFlags::empty())?;
            rustix::fs::renameat(dir, &temp[..], dir, target)?;
            *temp = spare;
            Ok(())
        }
        other => other,
    }
}

fn unexchange(dir: &OwnedFd, temp: &[u8], target: &[u8]) -> Result<(), Errno> {
    match rename_with(dir, temp, target, RenameFlags::EXCHANGE) {
        Err(error) if is_unsupported(error) => rustix::fs::renameat(dir, temp, dir, target),
        other => other,
    }
}

/// Renames, but never over something.
fn rename_new(dir: &OwnedFd, from: &[u8], to: &[u8]) -> Result<(), Errno> {
    match rename_with(dir, from, to, RenameFlags::NOREPLACE) {
        Err(error) if is_unsupported(error) => {
            rustix::fs::linkat(dir, from, dir, to, AtFlags::empty())?;
            rustix::fs::unlinkat(dir, from, AtFlags::empty())
        }
        other => other,
    }
}

fn rename_with(dir: &OwnedFd, from: &[u8], to: &[u8], flags: RenameFlags) -> Result<(), Errno> {
    rustix::fs::renameat_with(dir, from, dir, to, flags)
}

fn is_unsupported(error: Errno) -> bool {
    matches!(error, Errno::INVAL | Errno::NOSYS | Errno::NOTSUP)
}
