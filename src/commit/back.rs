//! The way back, for a run that fails and for one that was killed alike.
//!
//! It goes by content, never by what a run remembers to have done, so that it can be repeated and killed
//! at any point. A name that holds neither the old nor the new was saved by somebody since, and stays.

use std::os::fd::OwnedFd;

use super::{
    journal::{Deed, Entry, Record},
    names::{exchange, inode, is_unsupported, remove, rename_new},
    print::Found,
};
use crate::tree::{RelPath, Root};

/// How often somebody may save while a file is handed back.
const MAX_SAVES: usize = 64;

/// How far the run had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reached {
    /// No target was touched.
    Stage,
    /// Any of them may have been.
    Swap,
}

/// Puts everything back as it was. Says what could not be, and where its old content lies. In the entries
/// of `foreign` a save of somebody came out of the swap; if a later one stands there, it is superseded.
pub(super) fn roll_back(root: &Root, record: &Record, reached: Reached, foreign: &[&RelPath]) -> Vec<String> {
    let mut left = Vec::new();
    for entry in record.entries.iter().rev() {
        let done = match root.folder(entry.path.parent().as_ref()) {
            Ok(None) => Ok(()),
            Ok(Some(dir)) if reached == Reached::Stage => discard(&dir, entry),
            Ok(Some(dir)) => put_back(&dir, entry, foreign.contains(&&entry.path)),
            Err(refusal) => Err(refusal.to_string()),
        };
        if let Err(why) = done {
            left.push(format!("{}: {why}", entry.path));
        }
    }
    for folder in record.made.iter().rev() {
        remove_folder(root, folder);
    }
    left
}

/// Removes a folder if it is empty.
pub(super) fn remove_folder(root: &Root, path: &RelPath) -> bool {
    let Ok(Some(dir)) = root.folder(path.parent().as_ref()) else { return false };
    rustix::fs::unlinkat(&dir, path.base(), rustix::fs::AtFlags::REMOVEDIR).is_ok()
}

/// The staged content of a run that touched no target; the name is ours alone.
fn discard(dir: &OwnedFd, entry: &Entry) -> Result<(), String> {
    match Found::at(dir, &entry.temp) {
        Found::Nothing => Ok(()),
        Found::Other => Err(not_ours(entry, &entry.temp)),
        _ => remove(dir, &entry.temp).map_err(|error| error.to_string()),
    }
}

fn put_back(dir: &OwnedFd, entry: &Entry, foreign: bool) -> Result<(), String> {
    let target = entry.path.base();
    let stands = Found::at(dir, target);
    match entry.deed {
        Deed::Replace if stands.is(entry.new) && !stands.is(entry.old) => give_back(dir, entry)?,
        Deed::Create if stands.is(entry.new) => take_away(dir, entry)?,
        Deed::Remove if stands == Found::Nothing && Found::at(dir, &entry.temp) != Found::Nothing => {
            rename_new(dir, &entry.temp, target).map_err(|error| error.to_string())?;
        }
        _ => {}
    }
    let restored = match entry.old {
        Some(_) => Found::at(dir, target).holds(entry.old),
        None => true,
    };
    clear(dir, entry, &entry.temp, restored, foreign)?;
    clear(dir, entry, &entry.spare(), restored, foreign)
}

/// Removes what lies under one of our names, if it is needed no more and nobody else's.
fn clear(dir: &OwnedFd, entry: &Entry, name: &[u8], restored: bool, foreign: bool) -> Result<(), String> {
    let found = Found::at(dir, name);
    let is_old = found.holds(entry.old) && (!found.holds(entry.new) || found.is(entry.old));
    if found == Found::Nothing {
        return Ok(());
    }
    if is_old && !restored {
        let kept = entry.path.sibling(name);
        return Err(format!("was changed since; its old content is in {kept}"));
    }
    if is_old || found.holds(entry.new) || foreign {
        return remove(dir, name).map_err(|error| error.to_string());
    }
    Err(not_ours(entry, name))
}

fn not_ours(entry: &Entry, name: &[u8]) -> String {
    format!("{} holds a file that is not ours", entry.path.sibling(name))
}

/// The old image takes its name again. What comes out must be our content; anything else is a save that
/// slipped in, newer than what was sent there, and goes back.
fn give_back(dir: &OwnedFd, entry: &Entry) -> Result<(), String> {
    let target = entry.path.base();
    let text = |error: rustix::io::Errno| error.to_string();
    if matches!(Found::at(dir, &entry.spare()), Found::File(_)) {
        return rustix::fs::renameat(dir, entry.spare(), dir, target).map_err(text);
    }
    if Found::at(dir, &entry.temp) == Found::Nothing {
        return Err("its old content is gone".into());
    }
    let mut due = inode(dir, target);
    for turn in 0..MAX_SAVES {
        let sent = inode(dir, &entry.temp);
        match exchange(dir, &entry.temp, target) {
            Err(error) if is_unsupported(error) => {
                return rustix::fs::renameat(dir, &entry.temp[..], dir, target).map_err(text);
            }
            other => other.map_err(text)?,
        }
        let came = inode(dir, &entry.temp);
        if came == due && (turn > 0 || Found::at(dir, &entry.temp).is(entry.new)) {
            return Ok(());
        }
        due = sent;
    }
    Err("is saved over and over by another program".into())
}

/// A new file goes; if somebody saved it in the last moment, it stays.
fn take_away(dir: &OwnedFd, entry: &Entry) -> Result<(), String> {
    let target = entry.path.base();
    let text = |error: rustix::io::Errno| error.to_string();
    if Found::at(dir, &entry.temp).holds(entry.new) {
        remove(dir, &entry.temp).map_err(text)?;
    }
    rename_new(dir, target, &entry.temp).map_err(text)?;
    if Found::at(dir, &entry.temp).holds(entry.new) {
        return Ok(());
    }
    rename_new(dir, &entry.temp, target).map_err(text)?;
    Err("was changed since; it stays".into())
}
