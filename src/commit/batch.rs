//! The files of one transaction, and the folders that hold them.

use std::{
    collections::{BTreeMap, hash_map::RandomState},
    hash::{BuildHasher, Hasher},
    io,
    os::fd::OwnedFd,
    rc::Rc,
};

use rustix::{fs::Stat, io::Errno};

use super::{
    CommitError, fault,
    journal::{Deed, Entry, Record},
    print::Print,
};
use crate::{
    plan::Change,
    refusal::Refusal,
    tree::{
        Image, RelPath, Root,
        root::{open_leaf, read_image},
    },
};

/// What is known of one entry of the record while the process lives.
#[derive(Debug)]
pub(super) struct Slot<'p> {
    pub change: &'p Change,
    /// The folder that holds it, kept open from the check to the rename; none before it is made.
    dir: Option<Rc<OwnedFd>>,
    /// What stood there when it was pinned.
    pub stat: Option<Stat>,
    /// Something else than the plan knew came out of the swap.
    pub foreign: bool,
}

impl Slot<'_> {
    pub(super) fn dir(&self) -> Result<Rc<OwnedFd>, CommitError> {
        self.dir.clone().ok_or_else(|| CommitError::Changed { path: self.change.path.clone() })
    }
}

/// A transaction under way: what is written down, and beside each entry what is open.
#[derive(Debug)]
pub(super) struct Batch<'p> {
    pub root: &'p Root,
    pub record: Record,
    pub slots: Vec<Slot<'p>>,
    pub notes: Vec<(RelPath, String)>,
    dirs: BTreeMap<Option<RelPath>, Option<Rc<OwnedFd>>>,
    salt: RandomState,
}

impl<'p> Batch<'p> {
    /// Compares every target with the plan's own copy and opens every folder. What is written comes
    /// before what is removed, so that a move never leaves a moment without either. Nothing is written.
    pub(super) fn pin(root: &'p Root, changes: &'p [Change], what: &str) -> Result<Batch<'p>, CommitError> {
        let mut batch = Batch {
            root,
            record: Record {
                id: String::new(),
                what: what.to_owned(),
                time: 0,
                root: root.inode().map_err(CommitError::state(root.path()))?,
                root_path: root.path().to_path_buf(),
                home: (0, 0),
                made: Vec::new(),
                entries: Vec::new(),
            },
            slots: Vec::new(),
            notes: Vec::new(),
            dirs: BTreeMap::new(),
            salt: RandomState::new(),
        };
        let changed = || changes.iter().filter(|change| change.before != change.after);
        let kept = changed().filter(|change| change.after.is_some());
        for change in kept.chain(changed().filter(|change| change.after.is_none())) {
            batch.add(change)?;
        }
        raise_file_limit(batch.dirs.len());
        Ok(batch)
    }

    fn add(&mut self, change: &'p Change) -> Result<(), CommitError> {
        let changed = || CommitError::Changed { path: change.path.clone() };
        let refused = |refusal| CommitError::Refused { path: change.path.clone(), refusal };
        let deed = match (&change.before, &change.after) {
            (_, None) => Deed::Remove,
            (None, Some(_)) => Deed::Create,
            (Some(_), Some(_)) => Deed::Replace,
        };
        let dir = self.folder(change.path.parent()).map_err(refused)?;
        let stat = match &dir {
            Some(dir) => pinned(dir, change).map_err(refused)?.ok_or_else(changed)?,
            None if deed == Deed::Create => {
                self.plan_folders(&change.path).map_err(refused)?;
                None
            }
            None => return Err(changed()),
        };
        let temp = self.temp_name();
        let old = change.before.as_ref().map(Print::of);
        self.record.entries.push(Entry { deed, path: change.path.clone(), temp, old, new: None });
        self.slots.push(Slot { change, dir, stat, foreign: false });
        Ok(())
    }

    fn folder(&mut self, path: Option<RelPath>) -> Result<Option<Rc<OwnedFd>>, Refusal> {
        if let Some(known) = self.dirs.get(&path) {
            return Ok(known.clone());
        }
        let dir = self.root.folder(path.as_ref())?.map(Rc::new);
        self.dirs.insert(path, dir.clone());
        Ok(dir)
    }

    /// Notes which folders above a new file are missing.
    fn plan_folders(&mut self, path: &RelPath) -> Result<(), Refusal> {
        for cut in memchr::memchr_iter(b'/', path.as_bytes()) {
            let folder = RelPath::trusted(&path.as_bytes()[..cut]);
            if self.folder(Some(folder.clone()))?.is_none() && !self.record.made.contains(&folder) {
                self.record.made.push(folder);
            }
        }
        Ok(())
    }

    /// Makes the missing folders, outermost first, and opens them for the entries that wait for them.
    pub(super) fn make_folders(&mut self) -> Result<(), CommitError> {
        for at in 0..self.record.made.len() {
            let folder = self.record.made[at].clone();
            let io = |error: Errno| CommitError::io(&folder, "make the folder", error.into());
            let refused = |refusal| CommitError::Refused { path: folder.clone(), refusal };
            let above = self.folder(folder.parent()).map_err(refused)?;
            let above = above.ok_or_else(|| CommitError::Changed { path: folder.clone() })?;
            fault::at("mkdir").map_err(io)?;
            match rustix::fs::mkdirat(&*above, folder.base(), 0o777.into()) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(io(error)),
            }
            self.dirs.remove(&Some(folder.clone()));
            self.folder(Some(folder.clone())).map_err(refused)?;
        }
        for at in 0..self.slots.len() {
            if self.slots[at].dir.is_none() {
                let path = &self.slots[at].change.path;
                let refused = |refusal| CommitError::Refused { path: path.clone(), refusal };
                self.slots[at].dir = self.folder(path.parent()).map_err(refused)?;
            }
        }
        Ok(())
    }

    /// Every folder that holds an entry or a new folder, once.
    pub(super) fn folders(&self) -> impl Iterator<Item = &Rc<OwnedFd>> {
        self.dirs.values().flatten()
    }

    /// A name that nobody else uses, short enough for any folder.
    fn temp_name(&self) -> Vec<u8> {
        let mut hasher = self.salt.build_hasher();
        hasher.write_usize(self.slots.len());
        hasher.write_u32(std::process::id());
        format!(".edapply-{:016x}.tmp", hasher.finish()).into_bytes()
    }
}

/// The target's state if exactly the plan's copy stands there (`Some(None)`: nothing, as planned).
fn pinned(dir: &OwnedFd, change: &Change) -> Result<Option<Option<Stat>>, Refusal> {
    match (open_leaf(dir, change.path.base())?, &change.before) {
        (None, None) => Ok(Some(None)),
        (Some((file, stat)), Some(before)) if stat.st_size as u64 == before.bytes.len() as u64 => {
            Ok((read_image(file, &stat)? == *before).then_some(Some(stat)))
        }
        _ => Ok(None),
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

/// Each folder of a batch stays open: more of them than a process usually may have want a higher limit.
fn raise_file_limit(folders: usize) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| (current as usize) < folders + 256) {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    }
}

/// One folder opened so that it can be written out; its names are then on the disk.
pub(super) fn sync_folder(dir: &OwnedFd) -> io::Result<()> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let opened = match rustix::fs::openat(dir, ".", flags, Mode::empty()) {
        Err(Errno::ACCESS) => return Ok(()),
        opened => opened?,
    };
    match rustix::fs::fsync(&opened) {
        Err(Errno::INVAL | Errno::ROFS | Errno::NOSYS) => Ok(()),
        other => Ok(other?),
    }
}
