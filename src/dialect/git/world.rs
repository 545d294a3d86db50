//! The work tree: what stands in it, and the one transaction that changes it.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    ffi::OsStr,
    os::{fd::OwnedFd, unix::ffi::OsStrExt},
    path::{Path, PathBuf},
    rc::Rc,
};

use rustix::fs::FileType;

use super::patch::{LINK, PROGRAM, REGULAR, SUBMODULE};
use crate::{
    commit::{Beside, CommitError, Sync, Writer},
    dialect::{
        Told,
        mask::umask,
        unwritten::{Unwritten, capital},
    },
    plan::{Change, Plan},
    refusal::Refusal,
    tree::{
        Content, Folders, Image, RelPath, Root,
        root::{Seen, permissions, plain_error, read_seen, stat_leaf},
    },
};

/// Why something cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Against the path rules.
    Invalid,
    /// A symbolic link stands on the way.
    BehindLink,
    /// The system's words.
    Io(String),
}

/// What stands under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thing {
    /// As git keeps it; a folder counts as a submodule.
    pub mode: u32,
    pub is_folder: bool,
    /// The permission bits.
    pub permissions: u32,
}

/// What shall stand under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct New {
    pub mode: u32,
    pub bytes: Content,
}

pub struct World {
    root: Root,
    /// The whole file system, for names that may leave the root.
    all: Option<Root>,
    /// Files as they were read, and what the system said of them.
    read: BTreeMap<Vec<u8>, (Image, Seen)>,
    /// In the root, or in the whole file system.
    folders: Folders<bool>,
    /// The name that was asked for last, and where it lies: mostly it is asked for again.
    last: RefCell<(Vec<u8>, Option<Place>)>,
}

/// Where a name lies: whether in the root, and its path there.
#[derive(Clone, Debug)]
struct Place {
    near: bool,
    path: Rc<RelPath>,
    /// A regular file was seen there.
    is_file: bool,
}

fn fault(refusal: &Refusal) -> Fault {
    match refusal {
        Refusal::PathThroughSymlink { .. } => Fault::BehindLink,
        Refusal::PathThroughFile { .. } => Fault::Io("Not a directory".into()),
        Refusal::Unreadable { why } => Fault::Io(capital(why)),
        other => Fault::Io(other.to_string()),
    }
}

impl World {
    /// `unsafe_paths`: names may leave the folder.
    pub fn open(top: &Path, unsafe_paths: bool) -> std::io::Result<World> {
        let all = if unsafe_paths { Some(Root::open(Path::new("/"))?) } else { None };
        let root = Root::open(top)?;
        Ok(World { root, all, read: BTreeMap::new(), folders: Folders::default(), last: RefCell::default() })
    }

    /// The path that a name means, and the folder that it lies beneath.
    fn place(&self, name: &[u8]) -> Result<(&Root, Rc<RelPath>), Fault> {
        let (last, place) = &mut *self.last.borrow_mut();
        if last != name || place.is_none() {
            *place = self.found(name);
            name.clone_into(last);
        }
        let Place { near, path, .. } = place.clone().ok_or(Fault::Invalid)?;
        Ok((self.all.as_ref().filter(|_| !near).unwrap_or(&self.root), path))
    }

    fn found(&self, name: &[u8]) -> Option<Place> {
        if let Ok(path) = RelPath::parse(name) {
            return Some(Place { near: true, path: path.into(), is_file: false });
        }
        self.all.as_ref()?;
        let whole = lexical(self.root.path(), name);
        let whole = whole.as_os_str().as_bytes();
        let path = RelPath::parse(whole.strip_prefix(b"/").unwrap_or(whole)).ok()?;
        Some(Place { near: false, path: path.into(), is_file: false })
    }

    /// The folder that holds a name.
    fn folder(&self, root: &Root, path: &RelPath) -> Result<Option<Rc<OwnedFd>>, Refusal> {
        self.folders.of(std::ptr::eq(root, &self.root), root, path)
    }

    /// The folder that holds a name is there, and no link is on the way to it.
    pub fn has_folder_of(&self, name: &[u8]) -> bool {
        let place = self.place(name);
        place.is_ok_and(|(root, path)| matches!(self.folder(root, &path), Ok(Some(_))))
    }

    pub fn is_valid(&self, name: &[u8]) -> bool {
        self.place(name).is_ok()
    }

    /// What stands there, even behind a link or where no name may lead; none: nothing.
    pub fn anything(&self, name: &[u8]) -> Option<u32> {
        let there = std::fs::symlink_metadata(self.root.path().join(OsStr::from_bytes(name))).ok()?;
        Some(match there.file_type() {
            kind if kind.is_dir() => SUBMODULE,
            kind if kind.is_symlink() => LINK,
            _ if std::os::unix::fs::PermissionsExt::mode(&there.permissions()) & 0o100 != 0 => PROGRAM,
            _ => REGULAR,
        })
    }

    pub fn look(&self, name: &[u8]) -> Result<Option<Thing>, Fault> {
        let (root, path) = self.place(name)?;
        let Some(dir) = self.folder(root, &path).map_err(|refusal| fault(&refusal))? else {
            return Ok(None);
        };
        let Some(stat) = stat_leaf(&dir, path.base()).map_err(|refusal| fault(&refusal))? else {
            return Ok(None);
        };
        let kind = FileType::from_raw_mode(stat.st_mode);
        if let (_, Some(place)) = &mut *self.last.borrow_mut() {
            place.is_file = kind == FileType::RegularFile;
        }
        let permissions = permissions(&stat);
        let (mode, is_folder) = match kind {
            FileType::RegularFile if permissions & 0o100 != 0 => (PROGRAM, false),
            FileType::RegularFile => (REGULAR, false),
            FileType::Symlink => (LINK, false),
            FileType::Directory => (SUBMODULE, true),
            _ => (0, false),
        };
        Ok(Some(Thing { mode, is_folder, permissions }))
    }

    /// The content of a file, or a link's target, as it stands.
    pub fn bytes(&mut self, name: &[u8]) -> Result<Content, Fault> {
        let (root, path) = self.place(name)?;
        let dir = self.folder(root, &path).map_err(|refusal| fault(&refusal))?;
        let dir = dir.ok_or_else(|| Fault::Io("No such file or directory".into()))?;
        let is_file = self.last.borrow().1.as_ref().is_some_and(|place| place.is_file);
        let read = match read_seen(&dir, path.base(), is_file) {
            Err(Refusal::TargetSymlink) => {
                let target = rustix::fs::readlinkat(&*dir, path.base(), Vec::new());
                let why = |error: rustix::io::Errno| Fault::Io(capital(&plain_error(&error.into())));
                return target.map(|target| target.into_bytes().into()).map_err(why);
            }
            other => other.map_err(|refusal| fault(&refusal))?,
        };
        let (image, seen) = read.ok_or_else(|| Fault::Io("No such file or directory".into()))?;
        let bytes = image.bytes.clone();
        self.read.insert(name.to_vec(), (image, seen));
        Ok(bytes)
    }

    /// Puts in order what a killed run left here.
    pub fn recover(&self) {
        let _ = Writer::default().recover(&self.root);
    }

    /// Puts everything in place, or nothing, and lists it; with it a file `beside` the tree. False if that
    /// was not done. The contents are taken out of `wanted`.
    pub fn write(
        &mut self,
        wanted: &mut BTreeMap<Vec<u8>, Option<New>>,
        beside: Option<Beside>,
        told: &mut Told,
    ) -> Result<bool, Unwritten> {
        let mut work = self.sorted(wanted)?;
        self.make_room(&work, wanted)?;
        self.read.clear();
        self.last.take();
        self.folders.close();
        let mut writer = Writer { sync: Sync::Process, beside, trusts_times: true, ..Writer::default() };
        let mut done = false;
        if !work.near.changes.is_empty() {
            done = writer.beside.is_some();
            let mut result = writer.write(&self.root, &work.near, None);
            if let Err(CommitError::Beside { source }) = &result
                && source.kind() == std::io::ErrorKind::CrossesDevices
            {
                (done, writer.beside) = (false, None);
                result = writer.write(&self.root, &work.near, None);
            }
            result.map_err(|error| Unwritten::from(&error))?;
            told.changes.append(&mut work.near.changes);
            told.written = true;
        }
        if !work.far.changes.is_empty() {
            writer.beside = None;
            let root = self.all.as_ref().unwrap_or(&self.root);
            writer.write(root, &work.far, None).map_err(|error| Unwritten::from(&error))?;
            told.changes.append(&mut work.far.changes);
            told.written = true;
        }
        self.keep_folders(wanted);
        Ok(done)
    }

    /// What writing would change.
    pub fn changes(&mut self, wanted: &mut BTreeMap<Vec<u8>, Option<New>>) -> Vec<Change> {
        let work = self.sorted(wanted).unwrap_or_default();
        [work.near.changes, work.far.changes].concat()
    }

    fn sorted(&mut self, wanted: &mut BTreeMap<Vec<u8>, Option<New>>) -> Result<Work, Unwritten> {
        let mut work = Work { mask: umask(), ..Work::default() };
        for (name, new) in wanted {
            self.sort(&mut work, name, new.as_mut()).map_err(|fault| Unwritten {
                name: name.clone(),
                reason: match fault {
                    Fault::Io(text) => text,
                    Fault::Invalid => "Invalid argument".into(),
                    Fault::BehindLink => "Not a directory".into(),
                },
            })?;
        }
        Ok(work)
    }

    /// A submodule's folder stays, also if it stood before for files that went, the last of which took it along.
    fn keep_folders(&self, wanted: &BTreeMap<Vec<u8>, Option<New>>) {
        let folders = wanted.iter().filter(|(_, new)| new.as_ref().is_some_and(|new| new.mode == SUBMODULE));
        for (name, _) in folders {
            let Ok((root, path)) = self.place(name) else { continue };
            if let Ok(Some(above)) = root.folder(path.parent().as_ref()) {
                let _ = rustix::fs::mkdirat(&above, path.base(), 0o777.into());
            }
        }
    }

    /// Where a file shall stand and a folder does, nothing may be in it that stays.
    fn make_room(&self, work: &Work, wanted: &BTreeMap<Vec<u8>, Option<New>>) -> Result<(), Unwritten> {
        let is_folder = |image: &Option<Image>| image.as_ref().is_some_and(Image::is_folder);
        let rooms = work.near.changes.iter();
        for change in rooms.filter(|change| is_folder(&change.before) && change.after.is_some()) {
            let path = self.root.path().join(OsStr::from_bytes(change.path.as_bytes()));
            for entry in walkdir::WalkDir::new(path) {
                let goes = entry.is_ok_and(|entry| {
                    let name = entry.path().strip_prefix(self.root.path()).unwrap_or(entry.path());
                    entry.file_type().is_dir()
                        || matches!(wanted.get(name.as_os_str().as_bytes()), Some(None))
                });
                if !goes {
                    return Err(Unwritten {
                        name: change.path.as_bytes().to_vec(),
                        reason: "File exists".into(),
                    });
                }
            }
        }
        Ok(())
    }

    /// What stands where something may be `made`, if nobody read it yet.
    fn standing(&mut self, name: &[u8], made: bool) -> Result<(Option<Image>, Option<Seen>), Fault> {
        let there = match self.look(name) {
            Err(Fault::Io(text)) if text == "Not a directory" => None,
            // The link on the way may be one that goes.
            Err(Fault::BehindLink) if made => None,
            other => other?,
        };
        Ok(match there.map(|thing| thing.mode) {
            None => (None, None),
            Some(LINK) => (Some(Image::link(self.bytes(name)?)), None),
            Some(SUBMODULE) => (Some(Image::folder()), None),
            Some(REGULAR | PROGRAM) => {
                self.bytes(name)?;
                self.read.remove(name).map(|(image, seen)| (Some(image), Some(seen))).unwrap_or_default()
            }
            Some(_) => return Err(Fault::Io("File exists".into())),
        })
    }

    fn sort(&mut self, work: &mut Work, name: &[u8], new: Option<&mut New>) -> Result<(), Fault> {
        let (before, known) = match self.read.remove(name) {
            Some((image, seen)) => (Some(image), Some(seen)),
            None => self.standing(name, new.is_some())?,
        };
        let (root, path) = self.place(name)?;
        let (far, path) = (!std::ptr::eq(root, &self.root), RelPath::clone(&path));
        let after = new.map(|new| match (new.mode, std::mem::take(&mut new.bytes)) {
            (LINK, target) => Image::link(target),
            (SUBMODULE, _) => Image::folder(),
            (mode, bytes) => Image { bytes, mode: permissions_for(mode, work.mask) },
        });
        if before != after {
            let plan = if far { &mut work.far } else { &mut work.near };
            if let Some(seen) = known {
                plan.seen.insert(path.clone(), seen);
            }
            plan.changes.push(Change { path, before, after, moved_from: None });
        }
        Ok(())
    }
}

/// The rights of a new file: every write is one to the model.
fn permissions_for(mode: u32, mask: u32) -> u32 {
    (if mode == PROGRAM { 0o777 } else { 0o666 }) & !mask
}

/// The name from `top` on, `.` and `..` resolved by their letters.
fn lexical(top: &Path, name: &[u8]) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in top.join(OsStr::from_bytes(name)).components() {
        match part {
            std::path::Component::ParentDir => {
                whole.pop();
            }
            std::path::Component::CurDir => {}
            other => whole.push(other),
        }
    }
    whole
}

#[derive(Default)]
struct Work {
    mask: u32,
    near: Plan,
    far: Plan,
}
