//! The way back, for a run that fails and for one that was killed alike.
//!
//! It goes by content, never by what a run remembers to have done, so that it can be repeated and killed
//! at any point. A name that holds neither the old nor the new was saved by somebody since, and stays.

use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Mode};

use super::{
    in_place,
    journal::{Deed, Entry, Record},
    names::{At, exchange, inode, is_unsupported, remove, rename_new},
    print::Found,
};
use crate::{
    refusal::Refusal,
    tree::{RelPath, Root, root::is_current},
};

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
/// `images`: where the contents of files lie that were written over.
pub(super) fn roll_back(
    root: &Root,
    record: &Record,
    reached: Reached,
    foreign: &[&RelPath],
    images: Option<&OwnedFd>,
) -> Vec<String> {
    let mut left = Vec::new();
    let first = record.entries.iter().take_while(|entry| entry.deed == Deed::Clear).count();
    let (clears, others) = record.entries.split_at(first);
    let mut entry_back = |(at, entry): (usize, &Entry)| {
        let done = Places::of(root, entry).and_then(|places| match (reached, images, &places.target) {
            (_, Some(_), _) if entry.deed == Deed::Overwrite && foreign.contains(&&entry.path) => Ok(()),
            (_, Some(images), Some(dir)) if entry.deed == Deed::Overwrite => {
                in_place::put_back(images, at, dir, entry)
            }
            (Reached::Stage, ..) => discard(&places, entry),
            (Reached::Swap, ..) => put_back(&places, entry, foreign.contains(&&entry.path)),
        });
        if let Err(why) = done {
            left.push(format!("{}: {why}", entry.path));
        }
    };
    let others = others.iter().enumerate().map(|(at, entry)| (first + at, entry));
    others.rev().for_each(&mut entry_back);
    for folder in record.late.iter().rev() {
        remove_folder(root, folder);
    }
    if reached == Reached::Swap {
        record.gone.iter().rev().for_each(|(folder, mode)| make_folder(root, folder, *mode));
    }
    clears.iter().enumerate().rev().for_each(&mut entry_back);
    for folder in record.made.iter().rev() {
        remove_folder(root, folder);
    }
    left
}

/// The folders of an entry's two names.
struct Places {
    /// None: the folder is not there, and so neither is anything in it.
    target: Option<OwnedFd>,
    temp: Option<OwnedFd>,
}

impl Places {
    fn of(root: &Root, entry: &Entry) -> Result<Places, String> {
        let open = |path: &RelPath| root.folder(path.parent().as_ref());
        let aside = entry.beside != entry.path;
        let target = match open(&entry.path) {
            // What it was to make room for stands in the way still, or again.
            Err(Refusal::PathThroughFile { .. } | Refusal::PathThroughSymlink { .. }) if aside => None,
            other => other.map_err(|refusal| refusal.to_string())?,
        };
        let temp = if aside {
            open(&entry.beside)
        } else {
            target
                .as_ref()
                .map(OwnedFd::try_clone)
                .transpose()
                .map_err(|error| Refusal::Unreadable { why: error.to_string() })
        };
        Ok(Places { target, temp: temp.map_err(|refusal| refusal.to_string())? })
    }

    fn target<'n>(&'n self, entry: &'n Entry) -> Option<At<'n>> {
        self.target.as_ref().map(|dir| At { dir, name: entry.path.base() })
    }

    fn temp<'n>(&'n self, name: &'n [u8]) -> Option<At<'n>> {
        self.temp.as_ref().map(|dir| At { dir, name })
    }
}

fn found(at: Option<At<'_>>) -> Found {
    at.map_or(Found::Nothing, |at| Found::at(at.dir, at.name))
}

fn make_folder(root: &Root, path: &RelPath, mode: u32) {
    let Ok(Some(above)) = root.folder(path.parent().as_ref()) else { return };
    if rustix::fs::mkdirat(&above, path.base(), Mode::RWXU).is_ok()
        && let Ok(Some(dir)) = root.folder(Some(path))
    {
        let _ = rustix::fs::chmodat(&dir, ".", Mode::from_raw_mode(mode as _), AtFlags::empty());
    }
}

/// Removes a folder if it is empty, and not the one in which this process was started.
pub(super) fn remove_folder(root: &Root, path: &RelPath) -> bool {
    let Ok(Some(dir)) = root.folder(path.parent().as_ref()) else { return false };
    !is_current(&dir, path.base()) && rustix::fs::unlinkat(&dir, path.base(), AtFlags::REMOVEDIR).is_ok()
}

/// The staged content of a run that touched no target; the name is ours alone.
fn discard(places: &Places, entry: &Entry) -> Result<(), String> {
    let Some(temp) = places.temp(&entry.temp) else { return Ok(()) };
    match Found::at(temp.dir, temp.name) {
        Found::Nothing => Ok(()),
        Found::Other => Err(not_ours(entry, &entry.temp)),
        _ => remove(temp.dir, temp.name).map_err(|error| error.to_string()),
    }
}

fn put_back(places: &Places, entry: &Entry, foreign: bool) -> Result<(), String> {
    let (target, temp) = (places.target(entry), places.temp(&entry.temp));
    let stands = found(target);
    if let (Some(target), Some(temp)) = (target, temp) {
        match entry.deed {
            Deed::Replace if stands.is(entry.new) && !stands.is(entry.old) => give_back(target.dir, entry)?,
            Deed::Create if stands.is(entry.new) => take_away(target, temp, entry)?,
            Deed::Remove | Deed::Clear if stands == Found::Nothing && found(Some(temp)) != Found::Nothing => {
                rename_new(temp, target).map_err(|error| error.to_string())?;
            }
            _ => {}
        }
    }
    let restored = match entry.old {
        Some(_) => found(target).holds(entry.old),
        None => true,
    };
    clear(temp, entry, restored, foreign)?;
    clear(places.temp(&entry.spare()), entry, restored, foreign)
}

/// Removes what lies under one of our names, if it is needed no more and nobody else's.
fn clear(at: Option<At<'_>>, entry: &Entry, restored: bool, foreign: bool) -> Result<(), String> {
    let Some(at) = at else { return Ok(()) };
    let found = Found::at(at.dir, at.name);
    let is_old = found.holds(entry.old) && (!found.holds(entry.new) || found.is(entry.old));
    if found == Found::Nothing {
        return Ok(());
    }
    if is_old && !restored {
        let kept = entry.beside.sibling(at.name);
        return Err(format!("was changed since; its old content is in {kept}"));
    }
    if is_old || found.holds(entry.new) || foreign {
        return remove(at.dir, at.name).map_err(|error| error.to_string());
    }
    Err(not_ours(entry, at.name))
}

fn not_ours(entry: &Entry, name: &[u8]) -> String {
    format!("{} holds a file that is not ours", entry.beside.sibling(name))
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
fn take_away(target: At<'_>, temp: At<'_>, entry: &Entry) -> Result<(), String> {
    let text = |error: rustix::io::Errno| error.to_string();
    if found(Some(temp)).holds(entry.new) {
        remove(temp.dir, temp.name).map_err(text)?;
    }
    rename_new(target, temp).map_err(text)?;
    if found(Some(temp)).holds(entry.new) {
        return Ok(());
    }
    rename_new(temp, target).map_err(text)?;
    Err("was changed since; it stays".into())
}
