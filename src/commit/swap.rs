//! The moment of change.
//!
//! Two names are exchanged rather than one renamed over the other: if another program saved the target
//! in the last moment, its save comes out under our name and is handed back, where a plain rename would
//! have destroyed it.

use std::os::fd::OwnedFd;

use rustix::{fs::AtFlags, fs::Stat, io::Errno};

use super::{
    CommitError,
    batch::{Batch, Slot, is_image},
    journal::{Deed, Entry},
    names::{exchange, is_unsupported, rename_new},
    signal::Signals,
};
use crate::tree::root::stat_leaf;

/// Puts every staged content in place.
pub(super) fn swap(batch: &mut Batch<'_>, signals: &Signals) -> Result<(), CommitError> {
    for (entry, slot) in batch.record.entries.iter().zip(&mut batch.slots) {
        signals.check()?;
        swap_one(entry, slot)?;
    }
    Ok(())
}

fn swap_one(entry: &Entry, slot: &mut Slot<'_>) -> Result<(), CommitError> {
    let changed = || CommitError::Changed { path: entry.path.clone() };
    let io = |error: Errno| CommitError::io(&entry.path, "put the new content in place", error.into());
    let (dir, target) = (slot.dir()?, entry.path.base());
    if !is_untouched(&dir, slot) {
        return Err(changed());
    }
    let mut came_out = entry.temp.clone();
    match entry.deed {
        Deed::Replace => {
            if put_in_place(&dir, entry).map_err(io)? {
                came_out = entry.spare();
            }
        }
        Deed::Create => match rename_new(&dir, &entry.temp, target) {
            Err(Errno::EXIST) => return Err(changed()),
            other => return other.map_err(io),
        },
        Deed::Remove => rename_new(&dir, target, &entry.temp).map_err(io)?,
    }
    if is_image(&dir, &came_out, slot.change.before.as_ref()).unwrap_or(false) {
        return Ok(());
    }
    slot.foreign = true;
    Err(changed())
}

/// What was pinned stands there still: by what the system says of it, or else by its content.
fn is_untouched(dir: &OwnedFd, slot: &Slot<'_>) -> bool {
    let name = slot.change.path.base();
    let same = match (stat_leaf(dir, name), &slot.stat) {
        (Ok(None), None) => true,
        (Ok(Some(now)), Some(then)) => mark(&now) == mark(then),
        _ => false,
    };
    same || is_image(dir, name, slot.change.before.as_ref()).unwrap_or(false)
}

#[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // their widths differ between systems
fn mark(stat: &Stat) -> [i128; 6] {
    [
        stat.st_ino as i128,
        stat.st_size as i128,
        stat.st_mtime as i128,
        stat.st_mtime_nsec as i128,
        stat.st_ctime as i128,
        stat.st_ctime_nsec as i128,
    ]
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
