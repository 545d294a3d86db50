//! The files of one transaction, and the folders that hold them.

use std::{
    collections::{BTreeMap, hash_map::RandomState},
    hash::{BuildHasher, Hasher},
    io,
    os::fd::OwnedFd,
    rc::Rc,
};

use rustix::{
    fs::{AtFlags, Stat},
    io::Errno,
};

use super::{
    CommitError, fault,
    journal::{Deed, Entry, Record},
    print::Print,
    way::Way,
};
use crate::{
    plan::{Change, Plan, Time},
    refusal::Refusal,
    tree::{
        Image, RelPath, Root,
        root::{Seen, file_is, is_bare, leaf_is, permissions, stat_leaf},
    },
};

/// How carefully targets are looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pinning {
    /// They are written over, so that nothing comes out that could be looked at.
    pub in_place: bool,
    /// Another run wrote between the plan and now.
    pub stale: bool,
    /// As [`super::Writer::trusts_times`].
    pub trusts_times: bool,
}

/// What is known of one entry of the record while the process lives.
#[derive(Debug)]
pub(super) struct Slot<'p> {
    pub change: &'p Change,
    /// The folder that holds it, kept open from the check to the rename; none before it is made.
    dir: Option<Rc<OwnedFd>>,
    /// The folder of its temporary name, if that is another.
    aside: Option<Rc<OwnedFd>>,
    /// What stood there when it was pinned.
    pub stat: Option<Stat>,
    /// What the system says of it is enough to tell whether it changed.
    pub by_mark: bool,
    /// It has no extended attributes.
    pub bare: bool,
    /// What came out of the swap has other names.
    pub linked: bool,
    /// Something else than the plan knew came out of the swap.
    pub foreign: bool,
    /// It is being written over, or was.
    pub begun: bool,
    /// The name under which the old image lies after the swap.
    pub came_out: Option<Vec<u8>>,
}

impl Slot<'_> {
    pub(super) fn dir(&self) -> Result<Rc<OwnedFd>, CommitError> {
        self.dir.clone().ok_or_else(|| CommitError::Changed { path: self.change.path.clone() })
    }

    /// The folder of its temporary name.
    pub(super) fn temp_dir(&self) -> Result<Rc<OwnedFd>, CommitError> {
        self.aside.clone().map_or_else(|| self.dir(), Ok)
    }

    /// What the plan knows to stand there, as far as it is a file or a link.
    pub(super) fn before(&self) -> Option<&Image> {
        self.change.before.as_ref().filter(|image| !image.is_folder())
    }

    pub(super) fn after(&self) -> Option<&Image> {
        self.change.after.as_ref().filter(|image| !image.is_folder())
    }
}

/// A transaction under way: what is written down, and beside each entry what is open.
#[derive(Debug)]
pub(super) struct Batch<'p> {
    pub root: &'p Root,
    pub record: Record,
    pub slots: Vec<Slot<'p>>,
    pub notes: Vec<(RelPath, String)>,
    /// Where the contents of files lie that are written over; such files have no temporary names.
    pub images: Option<OwnedFd>,
    /// Names could not be exchanged, so that a save in the last moment would be lost.
    pub unguarded: bool,
    /// Times that files shall have, where it is not the time of writing.
    pub times: &'p BTreeMap<RelPath, Time>,
    seen: &'p BTreeMap<RelPath, Seen>,
    pinning: Pinning,
    dirs: BTreeMap<Option<RelPath>, Option<Rc<OwnedFd>>>,
    salt: RandomState,
}

impl<'p> Batch<'p> {
    /// Compares every target with the plan's own copy and opens every folder. A target that is exchanged and whose
    /// times say that nobody wrote to it is read again only when it has come out; if times are trusted, never, and it
    /// is looked at in the moment of change only, unless the plan may be stale. What is in the way comes first; then
    /// what is written, and then what is removed, so that a move never leaves a moment without either. Nothing is
    /// written.
    pub(super) fn pin(
        root: &'p Root,
        plan: &'p Plan,
        what: &str,
        pinning: Pinning,
    ) -> Result<Batch<'p>, CommitError> {
        let mut batch = Batch {
            root,
            record: Record {
                what: what.to_owned(),
                root: root.inode().map_err(CommitError::state(root.path()))?,
                root_path: root.path().to_path_buf(),
                ..Record::default()
            },
            slots: Vec::new(),
            notes: Vec::new(),
            images: None,
            unguarded: false,
            times: &plan.times,
            seen: &plan.seen,
            pinning,
            dirs: BTreeMap::new(),
            salt: RandomState::new(),
        };
        let changed = || {
            let timed = |path| plan.times.contains_key(path);
            plan.changes.iter().filter(move |change| change.before != change.after || timed(&change.path))
        };
        let way = Way::new(changed());
        batch.plan_gone(&way)?;
        for order in [Deed::Clear, Deed::Replace, Deed::Remove] {
            for change in changed().filter(|change| order_of(change, &way) == order) {
                batch.add(change, &way)?;
            }
        }
        if pinning.in_place {
            batch.write_over();
        }
        raise_file_limit(batch.dirs.len());
        Ok(batch)
    }

    /// Regular files that stay regular files are written over instead of exchanged.
    fn write_over(&mut self) {
        for (entry, slot) in self.record.entries.iter_mut().zip(&self.slots) {
            let is_file = |image: &Option<Image>| image.as_ref().is_some_and(Image::is_file);
            if entry.deed == Deed::Replace && is_file(&slot.change.before) && is_file(&slot.change.after) {
                entry.deed = Deed::Overwrite;
            }
        }
    }

    /// Folders that must go need to be there, with modes that can be given back.
    fn plan_gone(&mut self, way: &Way<'_>) -> Result<(), CommitError> {
        for path in way.gone() {
            let refused = |refusal| CommitError::Refused { path: path.clone(), refusal };
            let dir = self.folder(Some(path.clone())).map_err(refused)?;
            let dir = dir.ok_or_else(|| CommitError::Changed { path: path.clone() })?;
            let stat = rustix::fs::fstat(&*dir);
            let stat = stat.map_err(|error| CommitError::io(&path, "look at it", error.into()))?;
            self.record.gone.push((path, permissions(&stat)));
        }
        Ok(())
    }

    fn add(&mut self, change: &'p Change, way: &Way<'p>) -> Result<(), CommitError> {
        let refused = |refusal| CommitError::Refused { path: change.path.clone(), refusal };
        let is_folder = |image: &Option<Image>| image.as_ref().is_some_and(Image::is_folder);
        if is_folder(&change.after) {
            self.plan_folders(&change.path, true, way).map_err(refused)?;
        }
        if is_folder(&change.before) && change.after.is_none() {
            self.record.emptied.push(change.path.clone());
        }
        let file = |image: &Option<Image>| image.as_ref().is_some_and(|image| !image.is_folder());
        let deed = match (file(&change.before), file(&change.after)) {
            (false, false) => return Ok(()),
            (false, true) => Deed::Create,
            (true, true) => Deed::Replace,
            (true, false) if order_of(change, way) == Deed::Clear => Deed::Clear,
            (true, false) => Deed::Remove,
        };
        self.add_entry(change, deed, way)
    }

    fn add_entry(&mut self, change: &'p Change, deed: Deed, way: &Way<'p>) -> Result<(), CommitError> {
        let changed = || CommitError::Changed { path: change.path.clone() };
        let refused = |refusal| CommitError::Refused { path: change.path.clone(), refusal };
        let cleared = way.cleared_above(&change.path).filter(|_| deed == Deed::Create);
        let dir = match &cleared {
            Some(_) => None,
            None => self.folder(change.path.parent()).map_err(refused)?,
        };
        let seen = self.seen.get(&change.path).filter(|_| !self.pinning.in_place);
        let pin = match &dir {
            Some(_) if change.before.as_ref().is_some_and(Image::is_folder) => Pin::default(),
            Some(dir) => pinned(dir, change, seen, self.pinning).map_err(refused)?.ok_or_else(changed)?,
            None if deed == Deed::Create => {
                self.plan_folders(&change.path, false, way).map_err(refused)?;
                Pin::default()
            }
            None => return Err(changed()),
        };
        let beside = cleared.or_else(|| way.replaced_above(&change.path).filter(|_| deed == Deed::Clear));
        let aside = match &beside {
            Some(path) => Some(self.folder(path.parent()).map_err(refused)?.ok_or_else(changed)?),
            None => None,
        };
        let (temp, path) = (self.temp_name(), change.path.clone());
        let old = change.before.as_ref().filter(|image| !image.is_folder()).map(Print::of);
        let beside = beside.unwrap_or_else(|| path.clone());
        self.record.entries.push(Entry { deed, path, temp, beside, old, new: None });
        let Pin { stat, by_mark, bare } = pin;
        let (foreign, begun, linked, came_out) = (false, false, false, None);
        self.slots.push(Slot { change, dir, aside, stat, by_mark, bare, foreign, begun, linked, came_out });
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

    /// Notes which folders above a new name are missing, and with `last` at it.
    fn plan_folders(&mut self, path: &RelPath, last: bool, way: &Way<'p>) -> Result<(), Refusal> {
        let whole = last.then_some(path.as_bytes().len());
        for cut in memchr::memchr_iter(b'/', path.as_bytes()).chain(whole) {
            let folder = RelPath::trusted(&path.as_bytes()[..cut]);
            if self.record.made.contains(&folder) || self.record.late.contains(&folder) {
                continue;
            }
            if way.is_cleared(&folder) {
                self.record.late.push(folder);
            } else if self.folder(Some(folder.clone()))?.is_none() {
                self.record.made.push(folder);
            }
        }
        Ok(())
    }

    /// Makes the missing folders, outermost first, and opens them for the entries that wait for them.
    pub(super) fn make_folders(&mut self) -> Result<(), CommitError> {
        let made = self.record.made.clone();
        self.make(&made)?;
        self.open_folders()
    }

    /// Removes the folders that make room, and makes those that have room now.
    pub(super) fn change_folders(&mut self) -> Result<(), CommitError> {
        for (path, _) in &self.record.gone {
            let io = |error: Errno| CommitError::io(path, "remove the folder", error.into());
            let refused = |refusal| CommitError::Refused { path: path.clone(), refusal };
            let above = self.root.folder(path.parent().as_ref()).map_err(refused)?;
            let above = above.ok_or_else(|| CommitError::Changed { path: path.clone() })?;
            fault::at("rmdir").map_err(io)?;
            rustix::fs::unlinkat(&above, path.base(), AtFlags::REMOVEDIR).map_err(io)?;
            self.dirs.remove(&Some(path.clone()));
        }
        let late = self.record.late.clone();
        self.make(&late)?;
        self.open_folders()
    }

    fn make(&mut self, folders: &[RelPath]) -> Result<(), CommitError> {
        for folder in folders {
            let io = |error: Errno| CommitError::io(folder, "make the folder", error.into());
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
        Ok(())
    }

    /// Opens the folders of the entries that wait for them, as far as they are there.
    fn open_folders(&mut self) -> Result<(), CommitError> {
        for at in 0..self.slots.len() {
            if self.slots[at].dir.is_none() {
                let path = &self.slots[at].change.path;
                let refused = |refusal| CommitError::Refused { path: path.clone(), refusal };
                let parent = path.parent();
                if parent.as_ref().is_some_and(|parent| self.record.late.contains(parent)) {
                    let opened = self.root.folder(parent.as_ref());
                    self.slots[at].dir = opened.ok().flatten().map(Rc::new);
                } else {
                    self.slots[at].dir = self.folder(parent).map_err(refused)?;
                }
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
        format!(".edapply-{:016x}.tmp", hasher.finish()).into_bytes()
    }
}

/// In which order a change is carried out: what clears the way, what puts in place, what only removes.
fn order_of(change: &Change, way: &Way<'_>) -> Deed {
    let stays = change.after.as_ref().is_some_and(|image| !image.is_folder());
    if stays {
        return Deed::Replace;
    }
    let clears = way.is_in_the_way(&change.path) || way.replaced_above(&change.path).is_some();
    if clears { Deed::Clear } else { Deed::Remove }
}

/// How a target was found.
#[derive(Default)]
struct Pin {
    stat: Option<Stat>,
    by_mark: bool,
    bare: bool,
}

/// The target's state if exactly the plan's copy stands there, or nothing as planned.
fn pinned(
    dir: &OwnedFd,
    change: &Change,
    seen: Option<&Seen>,
    pinning: Pinning,
) -> Result<Option<Pin>, Refusal> {
    let name = change.path.base();
    let Some(before) = &change.before else {
        return Ok(stat_leaf(dir, name)?.is_none().then(Pin::default));
    };
    let by_mark = pinning.trusts_times;
    if let Some((seen, then)) = seen.and_then(|seen| Some((seen, seen.settled()?))) {
        let now = if by_mark && !pinning.stale { Some(then) } else { stat_leaf(dir, name)? };
        if let Some(stat) = now.filter(|now| seen.is_still(now)) {
            return Ok(Some(Pin { stat: Some(stat), by_mark, bare: seen.bare }));
        }
    }
    if before.is_link() {
        let found = leaf_is(dir, name, before)?;
        return Ok(found.map(|stat| Pin { stat: Some(stat), ..Pin::default() }));
    }
    let found = file_is(dir, name, before)?;
    Ok(found.map(|(file, stat)| Pin { stat: Some(stat), by_mark: false, bare: is_bare(&file) }))
}

/// Whether exactly this image stands under a name.
pub(super) fn is_image(dir: &OwnedFd, name: &[u8], image: Option<&Image>) -> Result<bool, Refusal> {
    match image {
        Some(image) => Ok(leaf_is(dir, name, image)?.is_some()),
        None => Ok(stat_leaf(dir, name)?.is_none()),
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
    write_out(&opened)
}

/// The same of a folder that is open for reading.
pub(super) fn write_out(dir: &OwnedFd) -> io::Result<()> {
    match rustix::fs::fsync(dir) {
        Err(Errno::INVAL | Errno::ROFS | Errno::NOSYS) => Ok(()),
        other => Ok(other?),
    }
}
