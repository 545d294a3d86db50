//! Batches that stand: their old images, kept so that they can be undone, and what is dropped in time.

use std::{collections::BTreeSet, fs::File, io, os::fd::OwnedFd};

use rustix::fs::{AtFlags, Mode, OFlags};

use super::{
    Writer,
    back::remove_folder,
    batch::sync_folder,
    journal::{Deed, Entry, Inode, Record, is_id},
    names,
    recover::root_of,
    state::{State, own_folder},
    tx::{self, COMMITTED, JOURNAL, Tx},
};
use crate::tree::{
    Image, RelPath, Root,
    root::{open_leaf, read_image},
};

const MAX_BATCHES: usize = 20;
const MAX_BYTES: u64 = 64 << 20;
const UNDO: &str = "undo";

/// Moves the old images of a committed batch to where undo finds them, and removes what is not needed any
/// more. Can be repeated and killed at any point. Says what could not be done; then the next run tries
/// again, and on that `last` try an image that cannot be kept goes.
pub(super) fn finish(state: &State, tx: &Tx, root: &Root, record: &Record, last: bool) -> Vec<String> {
    let name = format!("{}.{}", record.id, record.old_size());
    let kept = state.history.then(|| {
        let undo = own_folder(&state.dir, UNDO, true)?;
        Ok::<_, io::Error>((own_folder(&undo, &name, true)?, undo))
    });
    let (kept, mut notes) = match kept.transpose() {
        Ok(kept) => (kept, Vec::new()),
        Err(error) => (None, vec![format!("this batch cannot be undone: {error}")]),
    };
    let mut whole = true;
    for (at, entry) in record.entries.iter().enumerate() {
        let dir = root.folder(entry.path.parent().as_ref());
        if let Ok(Some(dir)) = dir
            && let Err(error) = put_away(&dir, entry, kept.as_ref().map(|kept| &kept.0), at)
        {
            whole = false;
            if last {
                let _ = put_away(&dir, entry, None, at);
                notes.push(format!("the old content of {} could not be kept: {error}", entry.path));
            } else {
                notes.push(format!("the old content of {} is still beside it: {error}", entry.path));
            }
        }
    }
    remove_emptied(root, record);
    if !whole && !last {
        return notes;
    }
    if let Some((into, undo)) = &kept
        && rustix::fs::renameat(&tx.dir, COMMITTED, into, JOURNAL).is_ok()
    {
        let _ = prune(undo);
    }
    tx.remove();
    notes
}

/// The old images of a batch that nobody will undo go at once.
pub(super) fn forget(root: &Root, record: &Record) {
    for entry in &record.entries {
        if let Ok(Some(dir)) = root.folder(entry.path.parent().as_ref()) {
            let _ = put_away(&dir, entry, None, 0);
        }
    }
    remove_emptied(root, record);
}

fn put_away(dir: &OwnedFd, entry: &Entry, into: Option<&OwnedFd>, at: usize) -> io::Result<()> {
    let spare = entry.spare();
    let name = [&spare, &entry.temp].into_iter().find(|name| names::inode(dir, name).is_some());
    let Some(name) = name else { return Ok(()) };
    let Some(into) = into else { return Ok(names::remove(dir, name)?) };
    match rustix::fs::renameat(dir, &name[..], into, at.to_string()) {
        Ok(()) => Ok(()),
        // Another file system, or one that will not rename: the bytes are what counts.
        Err(_) => {
            copy(dir, name, into, &at.to_string())?;
            Ok(names::remove(dir, name)?)
        }
    }
}

fn copy(from: &OwnedFd, name: &[u8], into: &OwnedFd, to: &str) -> io::Result<()> {
    let opened = open_leaf(from, name).map_err(|refusal| io::Error::other(refusal.to_string()))?;
    let Some((mut old, stat)) = opened else { return Ok(()) };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut new = File::from(rustix::fs::openat(into, to, flags, Mode::RUSR | Mode::WUSR)?);
    io::copy(&mut old, &mut new)?;
    rustix::fs::fchmod(&new, Mode::from_raw_mode((stat.st_mode & 0o777) as _))?;
    new.sync_data()?;
    sync_folder(into)
}

/// Folders that became empty because their last file was removed.
fn remove_emptied(root: &Root, record: &Record) {
    for entry in record.entries.iter().filter(|entry| entry.deed == Deed::Remove) {
        let mut folder = entry.path.parent();
        while let Some(path) = folder {
            folder = if remove_folder(root, &path) { path.parent() } else { None };
        }
    }
}

/// The newest batch is kept, and those before it while neither their number nor their size is too large.
fn prune(undo: &OwnedFd) -> io::Result<()> {
    let mut names = Vec::new();
    for entry in rustix::fs::Dir::read_from(undo)? {
        if let Ok(name) = entry?.file_name().to_str()
            && let Some(size) = size_in(name)
        {
            names.push((name.to_owned(), size));
        }
    }
    names.sort();
    let mut total = 0_u64;
    for (at, (name, size)) in names.iter().rev().enumerate() {
        total = total.saturating_add(*size);
        if at > 0 && (at >= MAX_BATCHES || total > MAX_BYTES) {
            remove_batch(undo, name)?;
        }
    }
    Ok(())
}

fn size_in(name: &str) -> Option<u64> {
    let (id, size) = name.split_once('.')?;
    if is_id(id) { size.parse().ok() } else { None }
}

fn remove_batch(undo: &OwnedFd, name: &str) -> io::Result<()> {
    let dir = own_folder(undo, name, false)?;
    for entry in rustix::fs::Dir::read_from(&dir)? {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            let _ = rustix::fs::unlinkat(&dir, entry.file_name(), AtFlags::empty());
        }
    }
    Ok(rustix::fs::unlinkat(undo, name, AtFlags::REMOVEDIR)?)
}

/// A batch that stands.
#[derive(Debug)]
pub struct Past {
    record: Record,
    dir: OwnedFd,
}

/// One file of a batch.
#[derive(Debug, PartialEq, Eq)]
pub struct PastFile<'p> {
    /// `M`, `A` or `D`.
    pub op: char,
    pub path: &'p RelPath,
}

impl Past {
    pub fn id(&self) -> &str {
        &self.record.id
    }

    /// The batch that this one undid.
    pub fn undoes(&self) -> Option<&str> {
        self.record.undoes()
    }

    /// Date and time, UTC.
    pub fn when(&self) -> String {
        let (date, clock) = tx::calendar(self.record.time);
        format!("{date} {clock}")
    }

    pub fn root(&self) -> &std::path::Path {
        &self.record.root_path
    }

    pub(super) fn root_inode(&self) -> Inode {
        self.record.root
    }

    pub fn files(&self) -> impl Iterator<Item = PastFile<'_>> {
        self.record.entries.iter().map(|entry| PastFile { op: entry.deed.letter(), path: &entry.path })
    }

    /// Its root, if that shares the state folder.
    pub(super) fn shares(&self, state: &State, writer: &Writer) -> Option<Root> {
        root_of(&self.record, state, writer)
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.record.entries
    }

    /// The content that an entry had before.
    pub(super) fn image(&self, at: usize) -> io::Result<Image> {
        let other = |refusal: crate::refusal::Refusal| io::Error::other(refusal.to_string());
        let opened = open_leaf(&self.dir, at.to_string().as_bytes()).map_err(other)?;
        let (file, stat) = opened.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        read_image(file, &stat).map_err(other)
    }
}

/// All batches that are kept, newest first.
pub(super) fn list(state: &State) -> io::Result<Vec<Past>> {
    let names = tx::list_folder(state, UNDO)?;
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let undo = own_folder(&state.dir, UNDO, false)?;
    let mut found = Vec::new();
    for name in names.iter().rev().filter(|name| size_in(name).is_some()) {
        let dir = own_folder(&undo, name, false)?;
        if let Some(Some(record)) = tx::read_record(&dir, JOURNAL) {
            found.push(Past { record, dir });
        }
    }
    Ok(found)
}

/// The batches that are undone: an undo of an undo brings the first one back.
pub fn undone(all: &[Past]) -> BTreeSet<&str> {
    let mut undone = BTreeSet::new();
    for past in all {
        if let Some(id) = past.undoes()
            && !undone.contains(past.id())
        {
            undone.insert(id);
        }
    }
    undone
}
