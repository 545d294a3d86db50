//! Batches that stand: their old images, kept so that they can be undone, and what is dropped in time.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, Write},
    os::fd::OwnedFd,
};

use rustix::fs::{AtFlags, Mode, OFlags};

use super::{
    Writer,
    back::remove_folder,
    batch::{Slot, sync_folder},
    beside, in_place,
    journal::{Deed, Entry, Inode, Record, is_id},
    names,
    print::Print,
    recover::root_of,
    state::{State, own_folder},
    tx::{self, COMMITTED, JOURNAL, Tx},
};
use crate::tree::{
    Image, RelPath, Root,
    root::{read_leaf, stat_leaf},
};

const MAX_BATCHES: usize = 20;
const MAX_BYTES: u64 = 64 << 20;
const UNDO: &str = "undo";

/// Moves the old images of a committed batch to where undo finds them, and removes what is not needed any
/// more. Can be repeated and killed at any point. Says what could not be done; then the next run tries
/// again, and on that `last` try an image that cannot be kept goes.
pub(super) fn finish(
    state: &State,
    tx: &Tx,
    (root, record, slots): (&Root, &Record, &[Slot<'_>]),
    last: bool,
) -> Vec<String> {
    let name = format!("{}.{}", record.id, record.old_size());
    let kept = state.history.then(|| {
        let undo = own_folder(&state.dir, UNDO, true)?;
        Ok::<_, io::Error>((own_folder(&undo, &name, true)?, undo))
    });
    let (kept, mut notes) = match kept.transpose() {
        Ok(kept) => (kept, Vec::new()),
        Err(error) => (None, vec![format!("this batch cannot be undone: {error}")]),
    };
    let outside = record.beside.as_ref().map_or(Ok(()), |path| beside::finish(&tx.dir, path));
    notes.extend(outside.err().map(|error| format!("what belongs to this batch is not in place: {error}")));
    let mut whole = true;
    for (at, entry) in record.entries.iter().enumerate() {
        if entry.deed == Deed::Overwrite {
            if let Some((into, _)) = &kept {
                let _ = rustix::fs::renameat(&tx.dir, in_place::old_name(at), into, at.to_string());
            }
            continue;
        }
        let into = kept.as_ref().map(|kept| &kept.0);
        let done = match slots.get(at) {
            Some(slot) => put_slot_away(slot, into, at, tx.durable),
            None => put_away(root, entry, into, at, tx.durable),
        };
        if let Err(error) = done {
            whole = false;
            if last {
                let _ = put_away(root, entry, None, at, false);
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
        let _ = put_away(root, entry, None, 0, false);
    }
    remove_emptied(root, record);
}

/// Of a run that goes on still, which knows where the old image lies.
fn put_slot_away(slot: &Slot<'_>, into: Option<&OwnedFd>, at: usize, durable: bool) -> io::Result<()> {
    match (&slot.came_out, slot.temp_dir()) {
        (Some(name), Ok(dir)) => move_away(&dir, (name, slot.linked), into, at, durable),
        _ => Ok(()),
    }
}

fn put_away(root: &Root, entry: &Entry, into: Option<&OwnedFd>, at: usize, durable: bool) -> io::Result<()> {
    let Ok(Some(dir)) = root.folder(entry.beside.parent().as_ref()) else { return Ok(()) };
    let spare = entry.spare();
    let name = [&spare, &entry.temp].into_iter().find(|name| names::inode(&dir, name).is_some());
    match name {
        Some(name) => move_away(&dir, (name, has_other_names(&dir, name)), into, at, durable),
        None => Ok(()),
    }
}

/// A file with other names goes on living under them: what is kept must not change with it, nor count as one
/// name more.
fn move_away(
    dir: &OwnedFd,
    (name, linked): (&[u8], bool),
    into: Option<&OwnedFd>,
    at: usize,
    durable: bool,
) -> io::Result<()> {
    let Some(into) = into else { return Ok(names::remove(dir, name)?) };
    let to = at.to_string();
    if linked || rustix::fs::renameat(dir, name, into, &to).is_err() {
        copy(dir, name, into, &to, durable)?;
        names::remove(dir, name)?;
    }
    Ok(())
}

fn has_other_names(dir: &OwnedFd, name: &[u8]) -> bool {
    stat_leaf(dir, name).ok().flatten().is_some_and(|stat| stat.st_nlink > 1)
}

/// Also where files cannot be renamed: to another file system, for one. The bytes are what counts.
fn copy(from: &OwnedFd, name: &[u8], into: &OwnedFd, to: &str, durable: bool) -> io::Result<()> {
    let other = |refusal: crate::refusal::Refusal| io::Error::other(refusal.to_string());
    let Some((image, _)) = read_leaf(from, name).map_err(other)? else { return Ok(()) };
    names::remove(into, to.as_bytes())?;
    if image.is_link() {
        rustix::fs::symlinkat(&image.bytes[..], into, to)?;
        return if durable { sync_folder(into) } else { Ok(()) };
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut new = File::from(rustix::fs::openat(into, to, flags, Mode::RUSR | Mode::WUSR)?);
    new.write_all(&image.bytes)?;
    rustix::fs::fchmod(&new, Mode::from_raw_mode((image.mode & 0o777) as _))?;
    if durable {
        new.sync_data()?;
        sync_folder(into)?;
    }
    Ok(())
}

/// Folders that became empty because their last file was removed.
fn remove_emptied(root: &Root, record: &Record) {
    let parents = record.entries.iter().filter(|entry| entry.deed.removes()).map(|entry| entry.path.parent());
    for folder in record.emptied.iter().cloned().map(Some).chain(parents) {
        let mut folder = folder;
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
    /// Where it stood, or stands now if it was created.
    pub path: &'p RelPath,
}

impl Past {
    /// By this it can be undone.
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

    /// The folder in which it was applied.
    pub fn root(&self) -> &std::path::Path {
        &self.record.root_path
    }

    pub(super) fn root_inode(&self) -> Inode {
        self.record.root
    }

    /// All files that it changed.
    pub fn files(&self) -> impl Iterator<Item = PastFile<'_>> {
        self.record.entries.iter().map(|entry| PastFile { op: entry.deed.letter(), path: &entry.path })
    }

    /// Its root, if that shares the state folder.
    pub(super) fn shares(&self, state: &State, writer: &Writer) -> Option<Root> {
        root_of(&self.record, state, writer)
    }

    /// A folder took the place of what stood at this name.
    pub(super) fn made_late(&self, path: &RelPath) -> bool {
        self.record.late.contains(path)
    }

    /// Something else took the place of a folder above this name.
    pub(super) fn replaced_above(&self, path: &RelPath) -> bool {
        self.record.gone.iter().any(|(folder, _)| path.is_below(folder))
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.record.entries
    }

    /// The content that an entry had before; what it is, the journal says.
    pub(super) fn image(&self, at: usize) -> io::Result<Image> {
        let other = |refusal: crate::refusal::Refusal| io::Error::other(refusal.to_string());
        let kept = read_leaf(&self.dir, at.to_string().as_bytes()).map_err(other)?;
        let (image, _) = kept.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        let was_link = self.record.entries[at].old.is_some_and(Print::is_link);
        if image.is_link() == was_link { Ok(image) } else { Err(io::Error::from(io::ErrorKind::InvalidData)) }
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
