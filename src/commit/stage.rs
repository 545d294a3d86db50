//! New contents, written beside their targets under names of their own.

use std::{borrow::Cow, fs::File, io::Write, os::fd::OwnedFd};

use rustix::{
    fs::{AtFlags, Gid, Mode, OFlags, Stat, Timespec, Timestamps, Uid},
    io::Errno,
};

use super::{
    CommitError, Sync, batch::Batch, batch::Slot, fault, in_place, journal::Deed, print, print::Print,
    signal::Signals, xattr,
};
use crate::{
    plan::{Change, Time},
    tree::{
        Image, RelPath,
        root::{open_leaf, permissions},
    },
};

const NEW: OFlags =
    OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

const SET_ID: u32 = 0o6000;

/// The mode of a file until it is dressed, where its own would let in somebody who may not read what it replaces.
const CLOSED: u32 = 0o600;

/// The mode that a file is made with: its own, where the group that it will have may do what all others may, too.
fn at_first(mode: u32) -> u32 {
    let (group, others) = (mode >> 3 & 0o7, mode & 0o7);
    if group == others { mode & 0o777 } else { CLOSED }
}

/// Batches of more files than this reach the disk by one write-out of the file system.
const MAX_SINGLE: usize = 200;

/// Writes what the batch will put in place; no target is touched.
pub(super) fn stage(batch: &mut Batch<'_>, sync: Sync, signals: &Signals) -> Result<(), CommitError> {
    let each = sync == Sync::Power && batch.slots.len() <= MAX_SINGLE;
    for at in 0..batch.slots.len() {
        signals.check()?;
        let (slot, entry) = (&batch.slots[at], &batch.record.entries[at]);
        let Some(after) = slot.after() else { continue };
        let (path, dir) = (&slot.change.path, slot.temp_dir()?);
        let io = |step| move |source: std::io::Error| CommitError::io(path, step, source);
        if entry.deed == Deed::Overwrite
            && let (Some(images), Some(before)) = (&batch.images, slot.before())
        {
            in_place::keep(images, at, before, after, sync == Sync::Power)
                .map_err(io("keep its contents in the journal"))?;
            let mode = in_place::mode_after(after);
            batch.record.entries[at].new = Some(Print { mode, ..Print::of(after) });
            continue;
        }
        if after.is_link() {
            link(&dir, &entry.temp, slot, after).map_err(io("create a link beside it"))?;
            batch.record.entries[at].new = Some(Print::of(after));
            continue;
        }
        let file = create(&dir, &entry.temp, entry.deed, slot).map_err(io("create a file beside it"))?;
        let pieces = after.bytes.pieces();
        fill(&file, &pieces).map_err(io("write beside it"))?;
        let source = source(batch, slot);
        let (notes, mode) =
            dress(&file, slot.change, after, source.as_ref()).map_err(io("keep its mode and owner"))?;
        if let Some(time) = batch.times.get(path) {
            set_time(&file, *time).map_err(io("set its time"))?;
        }
        if each {
            sync_file(&file).map_err(io("write it to the disk"))?;
        }
        let mode = match mode {
            Some(mode) => mode,
            None => permissions(&rustix::fs::fstat(&file).map_err(|error| io("look at it")(error.into()))?),
        };
        let new = Print { hash: print::hash_all(&pieces), size: after.bytes.len() as u64, mode };
        let path = path.clone();
        batch.notes.extend(notes.into_iter().map(|note| (path.clone(), note)));
        batch.record.entries[at].new = Some(new);
    }
    if sync == Sync::Power && !each { sync_all(batch) } else { Ok(()) }
}

fn sync_file(file: &File) -> std::io::Result<()> {
    fault::at("fsync")?;
    file.sync_data()
}

/// Each file system that the batch touches, written out once.
fn sync_all(batch: &Batch<'_>) -> Result<(), CommitError> {
    let mut done = std::collections::BTreeSet::new();
    for dir in batch.folders() {
        let io = |error: Errno| CommitError::io(&RelPath::trusted("."), "write it to the disk", error.into());
        if done.insert(rustix::fs::fstat(&**dir).map_err(io)?.st_dev) {
            let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
            let dir = rustix::fs::openat(&**dir, ".", flags, Mode::empty()).map_err(io)?;
            fault::at("fsync").and_then(|()| rustix::fs::syncfs(&dir)).map_err(io)?;
        }
    }
    Ok(())
}

/// A new link under the entry's own name, with the owner of the one that it replaces.
fn link(dir: &OwnedFd, temp: &[u8], slot: &Slot<'_>, after: &Image) -> std::io::Result<()> {
    fault::at("stage")?;
    rustix::fs::symlinkat(&after.bytes[..], dir, temp)?;
    let Some(old) = slot.stat.filter(|_| slot.before().is_some_and(Image::is_link)) else { return Ok(()) };
    let new = rustix::fs::statat(dir, temp, AtFlags::SYMLINK_NOFOLLOW)?;
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid) {
        // A link's owner lends no rights.
        let (uid, gid) = (Some(Uid::from_raw(old.st_uid)), Some(Gid::from_raw(old.st_gid)));
        let _ = rustix::fs::chownat(dir, temp, uid, gid, AtFlags::SYMLINK_NOFOLLOW);
    }
    Ok(())
}

fn set_time(file: &File, (seconds, nanos): Time) -> std::io::Result<()> {
    let time = Timespec { tv_sec: seconds, tv_nsec: i64::from(nanos) as _ };
    let times = Timestamps { last_access: time, last_modification: time };
    Ok(rustix::fs::futimens(file, &times)?)
}

/// A new file under the entry's own name. That of a new target gets the usual mode from the start, so
/// that the system takes the umask off; one that replaces a file stays closed until it is dressed.
fn create(dir: &OwnedFd, temp: &[u8], deed: Deed, slot: &Slot<'_>) -> std::io::Result<File> {
    let mode =
        match (deed, &slot.change.after) {
            (Deed::Create | Deed::Replace, Some(image)) if is_fresh(slot.change) => {
                if image.mode & 0o111 == 0 { 0o666 } else { 0o777 }
            }
            (_, Some(image)) => at_first(image.mode),
            (_, None) => CLOSED,
        };
    fault::at("stage")?;
    Ok(rustix::fs::openat(dir, temp, NEW, Mode::from_raw_mode(mode as _))?.into())
}

/// Nothing stood there whose mode and owner could be kept.
fn is_fresh(change: &Change) -> bool {
    change.before.as_ref().is_none_or(|image| !image.is_file()) && change.moved_from.is_none()
}

fn fill(mut file: &File, pieces: &[Cow<'_, [u8]>]) -> std::io::Result<()> {
    fault::at("write")?;
    pieces.iter().try_for_each(|piece| file.write_all(piece))
}

/// The file whose owner and attributes the new content keeps: what it replaces, or what moves here. One without
/// attributes need not be opened.
fn source(batch: &Batch<'_>, slot: &Slot<'_>) -> Option<(Option<File>, Stat)> {
    if let Some(stat) = slot.stat.filter(|_| slot.bare) {
        return Some((None, stat));
    }
    let opened = if slot.stat.is_some() {
        open_leaf(&*slot.dir().ok()?, slot.change.path.base())
    } else {
        let from = slot.change.moved_from.as_ref().filter(|from| **from != slot.change.path)?;
        let goes = batch.record.entries.iter().any(|entry| entry.deed.removes() && entry.path == *from);
        if goes { batch.root.open_file(from) } else { Ok(None) }
    };
    opened.ok().flatten().map(|(file, stat)| (Some(file), stat))
}

/// Mode, owner and attributes of what is replaced or moved. What lends rights goes when the content changes.
/// Says what there is to tell, and the mode that the file has now, if that is known.
fn dress(
    file: &File,
    change: &Change,
    after: &Image,
    source: Option<&(Option<File>, Stat)>,
) -> std::io::Result<(Vec<String>, Option<u32>)> {
    let mut notes = Vec::new();
    if is_fresh(change) {
        return Ok((notes, None));
    }
    let wanted = after.mode & 0o7777 & !SET_ID;
    let mut kept = None;
    if let Some((old, stat)) = source {
        let new = rustix::fs::fstat(file)?;
        // Where the system gave the mode that was asked for, it will do so again.
        kept = (permissions(&new) == at_first(after.mode)).then_some(wanted);
        notes.extend(keep_owner(file, &new, stat)?);
        match old {
            Some(old) => notes.extend(xattr::copy(old, file)?),
            None => xattr::clear(file)?,
        }
        if stat.st_nlink > 1 {
            notes.push(format!(
                "has {} other name(s) by hard links, which keep the old content",
                stat.st_nlink - 1
            ));
        }
    }
    if after.mode & SET_ID != 0 {
        notes.push("set-user-id and set-group-id bits were dropped".into());
    }
    fault::at("chmod")?;
    // An access list that was copied may have changed it.
    let is_so = kept.is_some() && at_first(after.mode) == wanted && matches!(source, Some((None, _)));
    if !is_so {
        rustix::fs::fchmod(file, Mode::from_raw_mode(wanted as _))?;
    }
    Ok((notes, kept))
}

fn keep_owner(file: &File, new: &Stat, old: &Stat) -> std::io::Result<Option<String>> {
    if (new.st_uid, new.st_gid) == (old.st_uid, old.st_gid) {
        return Ok(None);
    }
    match rustix::fs::fchown(file, Some(Uid::from_raw(old.st_uid)), Some(Gid::from_raw(old.st_gid))) {
        Ok(()) => Ok(None),
        Err(Errno::PERM) if new.st_gid == old.st_gid => Ok(Some("is now owned by you".into())),
        Err(error) => Err(error.into()),
    }
}
