//! The moment of change.
//!
//! Two names are exchanged rather than one renamed over the other: if another program saved the target
//! in the last moment, its save comes out under our name and is handed back, where a plain rename would
//! have destroyed it.

use std::{ops::Range, os::fd::OwnedFd};

use rustix::{fs::AtFlags, fs::Stat, io::Errno};

use super::{
    CommitError, OVER,
    batch::{Batch, Slot, is_image},
    in_place,
    journal::{Deed, Entry},
    names::{At, exchange, is_unsupported, rename_new},
    signal::Signals,
};
use crate::tree::root::{mark, permissions, stat_leaf};

/// Puts every staged content in place; before that, what stands in the way goes.
pub(super) fn swap(batch: &mut Batch<'_>, durable: bool, signals: &Signals) -> Result<(), CommitError> {
    let first = batch.record.entries.iter().take_while(|entry| entry.deed == Deed::Clear).count();
    swap_some(batch, 0..first, durable, signals)?;
    if !batch.record.gone.is_empty() || !batch.record.late.is_empty() {
        batch.change_folders()?;
    }
    swap_some(batch, first..batch.slots.len(), durable, signals)
}

fn swap_some(
    batch: &mut Batch<'_>,
    range: Range<usize>,
    durable: bool,
    signals: &Signals,
) -> Result<(), CommitError> {
    let (entries, slots) = (&batch.record.entries[range.clone()], &mut batch.slots[range]);
    for (entry, slot) in entries.iter().zip(slots) {
        signals.check()?;
        batch.unguarded |= if entry.deed == Deed::Overwrite {
            write_over(entry, slot, durable)?
        } else {
            swap_one(entry, slot)?
        };
    }
    Ok(())
}

/// Looks at the old images once more: who held one open wrote into it after it was exchanged.
pub(super) fn look_again(batch: &mut Batch<'_>) -> Result<(), CommitError> {
    for slot in &mut batch.slots {
        let Some(name) = slot.came_out.clone() else { continue };
        if slot.by_mark && still(&*slot.temp_dir()?, &name, slot.stat.as_ref()).is_some() {
            continue;
        }
        if !is_image(&*slot.temp_dir()?, &name, slot.before()).unwrap_or(false) {
            slot.foreign = true;
            return Err(CommitError::Changed { path: slot.change.path.clone() });
        }
    }
    Ok(())
}

/// A file is written over; a save in the last moment would be lost.
fn write_over(entry: &Entry, slot: &mut Slot<'_>, durable: bool) -> Result<bool, CommitError> {
    let changed = || CommitError::Changed { path: entry.path.clone() };
    let (Some(before), Some(after)) = (slot.before(), slot.after()) else { return Err(changed()) };
    let done =
        in_place::overwrite(&*slot.dir()?, entry.path.base(), slot.stat.as_ref(), before, after, durable);
    slot.begun = !matches!(done, Ok(false));
    match done.map_err(|error| CommitError::io(&entry.path, OVER, error))? {
        true => Ok(true),
        false => Err(changed()),
    }
}

/// True if a save in the last moment would have been lost.
fn swap_one(entry: &Entry, slot: &mut Slot<'_>) -> Result<bool, CommitError> {
    let changed = || CommitError::Changed { path: entry.path.clone() };
    let io = |error: Errno| CommitError::io(&entry.path, "put the new content in place", error.into());
    let (dir, temp_dir, target) = (slot.dir()?, slot.temp_dir()?, entry.path.base());
    if !is_untouched(&dir, slot) {
        return Err(changed());
    }
    let (temp, target) = (At { dir: &temp_dir, name: &entry.temp }, At { dir: &dir, name: target });
    let mut unguarded = false;
    match entry.deed {
        Deed::Replace => unguarded = put_in_place(&dir, entry).map_err(io)?,
        Deed::Create => match rename_new(temp, target) {
            Err(Errno::EXIST) => return Err(changed()),
            other => return other.map(|()| false).map_err(io),
        },
        Deed::Remove | Deed::Clear => rename_new(target, temp).map_err(io)?,
        Deed::Overwrite => return Err(changed()),
    }
    let came_out = if unguarded { entry.spare() } else { entry.temp.clone() };
    let same = still(&temp_dir, &came_out, slot.stat.as_ref());
    let is_known = same.is_some() || is_image(&temp_dir, &came_out, slot.before()).unwrap_or(false);
    // Unless that is known not to be so.
    slot.linked = same.is_none_or(|stat| stat.st_nlink > 1);
    slot.came_out = Some(came_out);
    slot.foreign = !is_known;
    if is_known { Ok(unguarded) } else { Err(changed()) }
}

/// The very file that was pinned, not written to since; a rename dates it anew. Its content is looked at once
/// more in the end, unless its times are enough.
#[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // their widths differ between systems
fn still(dir: &OwnedFd, name: &[u8], then: Option<&Stat>) -> Option<Stat> {
    let mark = |stat: &Stat| {
        let mode = i128::from(permissions(stat));
        [mode, stat.st_ino as i128, stat.st_size as i128, stat.st_mtime as i128, stat.st_mtime_nsec as i128]
    };
    let (now, then) = (stat_leaf(dir, name).ok().flatten()?, then?);
    (mark(&now) == mark(then)).then_some(now)
}

/// What was pinned stands there still: by what the system says of it, or else by its content.
fn is_untouched(dir: &OwnedFd, slot: &Slot<'_>) -> bool {
    let name = slot.change.path.base();
    let same = match (stat_leaf(dir, name), &slot.stat) {
        (Ok(None), None) => true,
        (Ok(Some(now)), Some(then)) => mark(&now) == mark(then),
        _ => false,
    };
    same || is_image(dir, name, slot.before()).unwrap_or(false)
}

/// The new content takes the target's name, the old image the temporary one. Where names cannot be
/// exchanged, the old image gets a second name first; then the answer is true.
fn put_in_place(dir: &OwnedFd, entry: &Entry) -> Result<bool, Errno> {
    let target = entry.path.base();
    match exchange(dir, &entry.temp, target) {
        Err(error) if is_unsupported(error) => {
            rustix::fs::linkat(dir, target, dir, entry.spare(), AtFlags::empty())?;
            rustix::fs::renameat(dir, &entry.temp[..], dir, target)?;
            Ok(true)
        }
        other => other.map(|()| false),
    }
}
