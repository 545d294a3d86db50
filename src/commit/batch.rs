//! The files of one transaction, and the folders that hold them.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    os::fd::OwnedFd,
};

use rustix::{fs::Stat, io::Errno};

use super::CommitError;
use crate::{
    plan::Change,
    refusal::Refusal,
    tree::{
        Image, RelPath, Root,
        root::{open_leaf, read_image, stat_leaf},
    },
};

/// What happens to one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Replace,
    Create,
    Remove,
}

/// One name of the batch.
#[derive(Debug)]
pub(super) struct Entry<'p> {
    pub change: &'p Change,
    pub deed: Deed,
    /// The folder that holds it, kept open from the check to the rename.
    pub dir: OwnedFd,
    /// The name beside the target: the new content until the swap, the old image after it.
    pub temp: Vec<u8>,
    /// Something of ours may stand under `temp`.
    pub staged: bool,
    pub swapped: bool,
    /// What stood there when it was pinned.
    pub stat: Option<Stat>,
}

/// A transaction under way.
#[derive(Debug)]
pub(super) struct Batch<'p> {
    root: &'p Root,
    pub entries: Vec<Entry<'p>>,
    /// Folders that were made, outermost first.
    pub made: Vec<RelPath>,
    pub notes: Vec<(RelPath, String)>,
    salt: RandomState,
    named: usize,
}

impl<'p> Batch<'p> {
    pub(super) fn new(root: &'p Root) -> Batch<'p> {
        Batch {
            root,
            entries: Vec::new(),
            made: Vec::new(),
            notes: Vec::new(),
            salt: RandomState::new(),
            named: 0,
        }
    }

    /// Compares every target with the plan's own copy, then opens every folder; what is written comes
    /// before what is removed, so that a move never leaves a moment without either.
    pub(super) fn pin(&mut self, changes: &'p [Change]) -> Result<(), CommitError> {
        let changed = || changes.iter().filter(|change| change.before != change.after);
        for change in changed() {
            self.check(change)?;
        }
        let kept = changed().filter(|change| change.after.is_some());
        for change in kept.chain(changed().filter(|change| change.after.is_none())) {
            let entry = self.open(change)?;
            self.entries.push(entry);
        }
        Ok(())
    }

    fn check(&self, change: &Change) -> Result<(), CommitError> {
        let refused = |refusal| CommitError::Refused { path: change.path.clone(), refusal };
        let dir = self.root.folder(change.path.parent().as_ref()).map_err(refused)?;
        let same = match dir {
            Some(dir) => is_image(&dir, change.path.base(), change.before.as_ref()).map_err(refused)?,
            None => change.before.is_none(),
        };
        if same { Ok(()) } else { Err(CommitError::Changed { path: change.path.clone() }) }
    }

    fn open(&mut self, change: &'p Change) -> Result<Entry<'p>, CommitError> {
        let refused = |refusal| CommitError::Refused { path: change.path.clone(), refusal };
        let parent = change.path.parent();
        let deed = match (&change.before, &change.after) {
            (_, None) => Deed::Remove,
            (None, Some(_)) => Deed::Create,
            (Some(_), Some(_)) => Deed::Replace,
        };
        let dir = match self.root.folder(parent.as_ref()).map_err(refused)? {
            Some(dir) => dir,
            None if deed == Deed::Create => self.make_folders(change)?,
            None => return Err(CommitError::Changed { path: change.path.clone() }),
        };
        let stat = stat_leaf(&dir, change.path.base()).map_err(refused)?;
        let temp = self.temp_name();
        Ok(Entry { change, deed, dir, temp, staged: false, swapped: false, stat })
    }

    /// Makes the folders above a new file, one by one, and remembers those that were not there.
    fn make_folders(&mut self, change: &Change) -> Result<OwnedFd, CommitError> {
        let io = |source: std::io::Error| CommitError::Io {
            path: change.path.clone(),
            step: "make its folder",
            source,
        };
        let refused = |refusal| CommitError::Refused { path: change.path.clone(), refusal };
        let path = change.path.as_bytes();
        let mut above: Option<RelPath> = None;
        for cut in memchr::memchr_iter(b'/', path) {
            let folder = RelPath::trusted(&path[..cut]);
            let dir = self.root.folder(above.as_ref()).map_err(refused)?;
            let dir = dir.ok_or_else(|| CommitError::Changed { path: folder.clone() })?;
            match rustix::fs::mkdirat(&dir, folder.base(), 0o777.into()) {
                Ok(()) => self.made.push(folder.clone()),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(io(error.into())),
            }
            above = Some(folder);
        }
        let dir = self.root.folder(above.as_ref()).map_err(refused)?;
        dir.ok_or_else(|| CommitError::Changed { path: change.path.clone() })
    }

    /// The folder above `path`, if it still stands.
    pub(super) fn holder(&self, path: &RelPath) -> Option<OwnedFd> {
        self.root.folder(path.parent().as_ref()).ok().flatten()
    }

    /// A name that nobody else uses, short enough for any folder.
    pub(super) fn temp_name(&mut self) -> Vec<u8> {
        let mut hasher = self.salt.build_hasher();
        self.named += 1;
        hasher.write_usize(self.named);
        hasher.write_u32(std::process::id());
        format!(".edapply-{:016x}.tmp", hasher.finish()).into_bytes()
    }
}

/// Whether exactly this image stands under a name.
pub(super) fn is_image(dir: &OwnedFd, name: &[u8], image: Option<&Image>) -> Result<bool, Refusal> {
    match (open_leaf(dir, name)?, image) {
        (None, None) => Ok(true),
        (Some((_, stat)), Some(image)) if stat.st_size as u64 != image.bytes.len() as u64 => Ok(false),
        (Some((file, stat)), Some(image)) => Ok(read_image(file, &stat)? == *image),
        _ => Ok(false),
    }
}

/// Whether a regular file with these bytes stands under a name.
pub(super) fn holds(dir: &OwnedFd, name: &[u8], bytes: &[u8]) -> bool {
    let read = || read_image_of(dir, name).ok().flatten();
    read().is_some_and(|image| image.bytes == bytes)
}

fn read_image_of(dir: &OwnedFd, name: &[u8]) -> Result<Option<Image>, Refusal> {
    match open_leaf(dir, name)? {
        Some((file, stat)) => read_image(file, &stat).map(Some),
        None => Ok(None),
    }
}
