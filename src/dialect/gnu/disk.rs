//! The files as the run sees them: what stands on the disk, and over it what was written so far.
//!
//! Nothing is written here. Names that an input gives stay beneath the root: a symbolic link on the way
//! is followed only if it leads to a place that the path rules allow. Names that the caller gives go
//! where the caller says.

use std::{
    cell::Cell,
    collections::{BTreeMap, VecDeque},
    ffi::OsStr,
    os::{
        fd::OwnedFd,
        unix::ffi::{OsStrExt, OsStringExt},
    },
    path::{Path, PathBuf},
    rc::Rc,
};

use rustix::fs::{Access, AtFlags, FileType, Stat};

use super::stamp::Stamp;
use crate::{
    refusal::Refusal,
    tree::{
        Content, Folders, RelPath, Root,
        root::{Seen, plain_error, read_seen, stat_leaf},
    },
};

/// More links than this on the way are a circle.
const MAX_LINKS: usize = 40;

/// Where a file stands: a folder that the caller named, or the root, and a path beneath it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub base: Option<PathBuf>,
    pub path: RelPath,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    File,
    Link,
    Folder,
    /// A device, a FIFO, a socket.
    Other,
}

/// What stands somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The same for all names of one file.
    pub id: u64,
    pub kind: NodeKind,
    pub size: u64,
    /// The permission bits.
    pub mode: u32,
    pub modified: Option<Stamp>,
    pub writable: bool,
    /// The mode stands as it is, whatever the umask says.
    pub exact_mode: bool,
    /// The content or a link's target, once known.
    pub bytes: Option<Content>,
    /// What the system said of the file that they were read from.
    pub seen: Option<Seen>,
}

/// Something to be put in place.
#[derive(Clone, Debug)]
pub struct New {
    pub kind: NodeKind,
    pub bytes: Content,
    pub mode: u32,
    /// The mode stands as it is, whatever the umask says.
    pub exact: bool,
    pub modified: Option<Stamp>,
}

impl New {
    /// A regular file as the system makes new ones.
    pub fn file(bytes: Vec<u8>) -> New {
        New { kind: NodeKind::File, bytes: bytes.into(), mode: 0o666, exact: false, modified: None }
    }

    /// A regular file with a known mode, if there is one.
    pub fn with_mode(bytes: Vec<u8>, mode: Option<u32>) -> New {
        New { mode: mode.unwrap_or(0o666), exact: mode.is_some(), ..New::file(bytes) }
    }
}

/// Why a name leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Against the path rules.
    Closed,
    /// Through a link that leaves the tree, or in a circle.
    Outside,
    /// Through a link to a path below the root that climbs out of it.
    Climbs,
    /// A file where a folder should be.
    NotFolder,
    Io(String),
}

impl Fault {
    fn io(error: &std::io::Error) -> Fault {
        let text = plain_error(error);
        let mut letters = text.chars();
        let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        Fault::Io(first + letters.as_str())
    }

    /// The system's words for it.
    pub fn reason(&self) -> String {
        match self {
            Fault::Closed | Fault::Outside => "Invalid cross-device link".into(),
            Fault::Climbs => "No such file or directory".into(),
            Fault::NotFolder => "Not a directory".into(),
            Fault::Io(text) => text.clone(),
        }
    }
}

/// The files of a run.
pub struct Disk {
    root: Rc<Root>,
    others: BTreeMap<PathBuf, Rc<Root>>,
    /// What stands now, as far as anybody looked.
    now: BTreeMap<Key, Option<Node>>,
    /// What stood at first under the names that were changed.
    first: BTreeMap<Key, Option<Node>>,
    ids: BTreeMap<(u64, u64), u64>,
    next_id: u64,
    /// Links were made in this run.
    new_links: bool,
    /// The system failed to read what is there.
    broken: Cell<bool>,
    folders: Folders<Option<PathBuf>>,
}

impl Disk {
    pub fn new(root: Root) -> Disk {
        Disk {
            root: Rc::new(root),
            others: BTreeMap::new(),
            now: BTreeMap::new(),
            first: BTreeMap::new(),
            ids: BTreeMap::new(),
            next_id: 0,
            new_links: false,
            broken: Cell::new(false),
            folders: Folders::default(),
        }
    }

    /// The system failed to read what is there, so that nothing may be written.
    pub fn is_broken(&self) -> bool {
        self.broken.get()
    }

    fn seen_fault(&self, refusal: &Refusal) -> Fault {
        if matches!(refusal, Refusal::Unreadable { .. }) {
            self.broken.set(true);
        }
        io_fault(refusal)
    }

    /// The root is the whole file system: absolute names lie in it.
    pub fn is_everything(&self) -> bool {
        self.root.path() == Path::new("/")
    }

    pub fn root_of(&self, key: &Key) -> Rc<Root> {
        match key.base.as_ref().and_then(|base| self.others.get(base)) {
            Some(root) => Rc::clone(root),
            None => Rc::clone(&self.root),
        }
    }

    /// The place that a name of the input means.
    pub fn place(&self, name: &[u8]) -> Result<Key, Fault> {
        let absolute = name.first() == Some(&b'/') && self.is_everything();
        let name = if absolute { name.trim_ascii_start() } else { name };
        let name = if absolute { &name[name.iter().take_while(|b| **b == b'/').count()..] } else { name };
        let path = RelPath::parse(name).map_err(|_| Fault::Closed)?;
        Ok(Key { base: None, path: self.unlinked(path)? })
    }

    /// The place that a name on the command line means.
    pub fn callers_place(&mut self, name: &[u8]) -> Result<Key, Fault> {
        if let Ok(path) = RelPath::parse(name)
            && let Ok(path) = self.unlinked(path)
        {
            return Ok(Key { base: None, path });
        }
        let path = Path::new(OsStr::from_bytes(name));
        let path = if path.is_absolute() { path.to_owned() } else { self.root.path().join(path) };
        let (base, below) = existing_ancestor(&path)?;
        let below = RelPath::parse(&below).map_err(|_| Fault::Closed)?;
        let whole = base.join(OsStr::from_bytes(below.as_bytes()));
        check_open(&whole)?;
        if let Ok(inside) = whole.strip_prefix(self.root.path())
            && let Ok(path) = RelPath::parse(inside.as_os_str().as_bytes())
        {
            return Ok(Key { base: None, path });
        }
        if !self.others.contains_key(&base) {
            let root = Root::open(&base).map_err(|error| Fault::io(&error))?;
            self.others.insert(base.clone(), Rc::new(root));
        }
        Ok(Key { base: Some(base), path: below })
    }

    /// The path that a name on the command line means to the system, a link as last component followed.
    pub fn real_path(&self, name: &[u8]) -> PathBuf {
        let path = self.root.path().join(OsStr::from_bytes(name));
        match (path.canonicalize(), std::fs::read_link(&path)) {
            (Ok(real), _) => real,
            (Err(_), Ok(target)) => path.parent().unwrap_or(Path::new("/")).join(target),
            (Err(_), Err(_)) => path,
        }
    }

    /// The path without links on the way.
    fn unlinked(&self, path: RelPath) -> Result<RelPath, Fault> {
        if self.new_links {
            return self.follow(&path, false);
        }
        let key = Key { base: None, path };
        let folder = self.folder(&key);
        let path = key.path;
        match folder {
            Ok(_) => Ok(path),
            Err(Refusal::PathThroughSymlink { .. }) => self.follow(&path, false),
            Err(Refusal::PathThroughFile { .. }) => Ok(path),
            Err(refusal) => Err(io_fault(&refusal)),
        }
    }

    /// Follows the links on the way, and the last component too if `last`.
    fn follow(&self, path: &RelPath, last: bool) -> Result<RelPath, Fault> {
        let mut todo: VecDeque<Vec<u8>> = path.parts().map(<[u8]>::to_vec).collect();
        let mut done: Vec<Vec<u8>> = Vec::new();
        let mut links = 0;
        while let Some(part) = todo.pop_front() {
            match &part[..] {
                b"" | b"." => continue,
                b".." => {
                    done.pop().ok_or(Fault::Outside)?;
                    continue;
                }
                _ => done.push(part),
            }
            if todo.is_empty() && !last {
                break;
            }
            let Some(target) = self.link_at(&done) else { continue };
            links += 1;
            if links > MAX_LINKS {
                return Err(Fault::Outside);
            }
            done.pop();
            let mut rest = &target[..];
            if target.first() == Some(&b'/') {
                rest = target.strip_prefix(self.root.path().as_os_str().as_bytes()).ok_or(Fault::Outside)?;
                if !rest.is_empty() && rest[0] != b'/' {
                    return Err(Fault::Outside);
                }
                if rest.split(|b| *b == b'/').any(|part| part == b"..") {
                    return Err(Fault::Climbs);
                }
                done.clear();
            }
            for part in rest.split(|b| *b == b'/').rev() {
                todo.push_front(part.to_vec());
            }
        }
        RelPath::parse(&done.join(&b'/')).map_err(|_| Fault::Outside)
    }

    /// The target of the link that stands at this path.
    fn link_at(&self, parts: &[Vec<u8>]) -> Option<Vec<u8>> {
        let path = RelPath::trusted(parts.join(&b'/'));
        let key = Key { base: None, path };
        match self.now.get(&key) {
            Some(Some(node)) if node.kind == NodeKind::Link && node.bytes.is_some() => {
                node.bytes.as_deref().map(<[u8]>::to_vec)
            }
            Some(Some(node)) if node.kind != NodeKind::Link => None,
            Some(None) => None,
            _ => {
                let dir = self.root.folder(key.path.parent().as_ref()).ok().flatten()?;
                rustix::fs::readlinkat(&dir, key.path.base(), Vec::new()).ok().map(|link| link.into_bytes())
            }
        }
    }

    /// Where a file's backup goes: beside it, or under a prefix that the caller gave. A prefix within the
    /// tree keeps to the tree's rules, since links in it are not the caller's.
    pub fn backup_place(
        &mut self,
        target: &super::queue::Target,
        name: &[u8],
        prefixed: bool,
    ) -> Result<Key, Fault> {
        if !prefixed {
            let base = memchr::memrchr(b'/', name).map_or(name, |at| &name[at + 1..]);
            let path = target.key.path.sibling(base);
            RelPath::parse(path.as_bytes()).map_err(|_| Fault::Closed)?;
            return Ok(Key { base: target.key.base.clone(), path });
        }
        match RelPath::parse(name) {
            Ok(path) => Ok(Key { base: None, path: self.unlinked(path)? }),
            Err(_) => self.callers_place(name),
        }
    }

    /// The names in the folder of a file.
    pub fn siblings(&self, key: &Key) -> Vec<Vec<u8>> {
        let folder = key.path.parent();
        let below = folder.as_ref().map_or(&b""[..], RelPath::as_bytes);
        let real = self.root_of(key).path().join(OsStr::from_bytes(below));
        let listed = std::fs::read_dir(real).into_iter().flatten().flatten();
        let mut names: Vec<Vec<u8>> = listed.map(|entry| entry.file_name().into_vec()).collect();
        let mine = self.now.iter().filter(|(other, node)| {
            node.is_some() && other.base == key.base && other.path.parent() == folder
        });
        names.extend(mine.map(|(other, _)| other.path.base().to_vec()));
        names
    }

    /// The file that a link leads to, within the rules.
    pub fn behind(&mut self, key: &Key) -> Result<Key, Fault> {
        match &key.base {
            None => Ok(Key { base: None, path: self.follow(&key.path, true)? }),
            Some(base) => {
                let path = base.join(OsStr::from_bytes(key.path.as_bytes()));
                let real = path.canonicalize().map_err(|error| Fault::io(&error))?;
                self.callers_place(real.as_os_str().as_bytes())
            }
        }
    }

    /// What stands at a place; nothing, if a folder on the way is missing.
    pub fn node(&mut self, key: &Key) -> Result<Option<Node>, Fault> {
        if let Some(known) = self.now.get(key) {
            return Ok(known.clone());
        }
        let found = self.look(key)?;
        self.now.insert(key.clone(), found.clone());
        Ok(found)
    }

    fn look(&mut self, key: &Key) -> Result<Option<Node>, Fault> {
        let dir = match self.folder(key) {
            Ok(Some(dir)) => dir,
            Ok(None) => return Ok(None),
            Err(Refusal::PathThroughFile { .. }) => return Err(Fault::NotFolder),
            Err(refusal) => return Err(self.seen_fault(&refusal)),
        };
        let stat = stat_leaf(&dir, key.path.base()).map_err(|refusal| self.seen_fault(&refusal))?;
        let Some(stat) = stat else { return Ok(None) };
        let mut node = self.seen(&stat);
        node.writable = node.kind == NodeKind::Link
            || rustix::fs::accessat(&*dir, key.path.base(), Access::WRITE_OK, AtFlags::empty()).is_ok();
        Ok(Some(node))
    }

    #[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // widths differ between systems
    fn seen(&mut self, stat: &Stat) -> Node {
        let file = (stat.st_dev as u64, stat.st_ino as u64);
        let id = match self.ids.get(&file) {
            Some(id) => *id,
            None => {
                let id = self.fresh();
                self.ids.insert(file, id);
                id
            }
        };
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => NodeKind::File,
            FileType::Symlink => NodeKind::Link,
            FileType::Directory => NodeKind::Folder,
            _ => NodeKind::Other,
        };
        let modified = Stamp { seconds: stat.st_mtime as i64, nanos: stat.st_mtime_nsec as u32 };
        Node {
            id,
            kind,
            size: u64::try_from(stat.st_size).unwrap_or(0),
            mode: u32::from(stat.st_mode) & 0o7777,
            modified: Some(modified),
            writable: true,
            exact_mode: true,
            bytes: None,
            seen: None,
        }
    }

    fn fresh(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// The content of the file, or the target of the link, that stands at a place.
    pub fn bytes(&mut self, key: &Key) -> Result<Content, Fault> {
        let Some(node) = self.node(key)? else { return Ok(Content::default()) };
        if let Some(bytes) = node.bytes {
            return Ok(bytes);
        }
        let (bytes, seen) = self.read(key, node.kind)?;
        if let Some(Some(node)) = self.now.get_mut(key) {
            (node.bytes, node.seen) = (Some(bytes.clone()), seen);
        }
        Ok(bytes)
    }

    fn read(&self, key: &Key, kind: NodeKind) -> Result<(Content, Option<Seen>), Fault> {
        let dir = self.folder(key).map_err(|refusal| self.seen_fault(&refusal))?;
        let Some(dir) = dir else { return Ok((Content::default(), None)) };
        if kind == NodeKind::Link {
            let link = rustix::fs::readlinkat(&*dir, key.path.base(), Vec::new());
            return link
                .map(|link| (link.into_bytes().into(), None))
                .map_err(|error| Fault::io(&error.into()));
        }
        match read_seen(&dir, key.path.base(), kind == NodeKind::File) {
            Ok(Some((image, seen))) => Ok((image.bytes, Some(seen))),
            Ok(None) => Ok((Content::default(), None)),
            Err(refusal) => Err(self.seen_fault(&refusal)),
        }
    }

    /// The folder of a place.
    fn folder(&self, key: &Key) -> Result<Option<Rc<OwnedFd>>, Refusal> {
        self.folders.of(key.base.clone(), &self.root_of(key), &key.path)
    }

    /// A folder stands at a place, on the disk or because something was put below it.
    pub fn has_folder(&self, path: &RelPath) -> bool {
        let below = |(key, node): (&Key, &Option<Node>)| {
            key.base.is_none() && node.is_some() && key.path.is_below(path)
        };
        matches!(self.root.folder(Some(path)), Ok(Some(_))) || {
            let start = Key { base: None, path: path.clone() };
            self.now
                .range(start..)
                .take_while(|(key, _)| key.path.as_bytes().starts_with(path.as_bytes()))
                .any(below)
        }
    }

    /// The folder of a place is there already.
    pub fn has_parent(&self, key: &Key) -> bool {
        match (&key.base, key.path.parent()) {
            (_, None) => true,
            (None, Some(folder)) => self.has_folder(&folder),
            // The base is the longest part that exists.
            (Some(_), Some(_)) => false,
        }
    }

    /// Puts something in place; its identity is new.
    pub fn put(&mut self, key: &Key, new: New) -> u64 {
        let id = self.fresh();
        self.keep_first(key);
        self.new_links |= new.kind == NodeKind::Link;
        let node = Node {
            id,
            kind: new.kind,
            size: new.bytes.len() as u64,
            mode: new.mode,
            modified: new.modified,
            writable: new.mode & 0o200 != 0 || rustix::process::geteuid().is_root(),
            exact_mode: new.exact,
            bytes: Some(new.bytes),
            seen: None,
        };
        self.now.insert(key.clone(), Some(node));
        id
    }

    /// The mode of the file that stood there before the run.
    pub fn first_mode(&self, key: &Key) -> Option<u32> {
        let first = self.first.get(key)?.as_ref()?;
        (first.kind == NodeKind::File).then_some(first.mode)
    }

    /// Takes away what stands there.
    pub fn remove(&mut self, key: &Key) {
        self.keep_first(key);
        self.now.insert(key.clone(), None);
    }

    fn keep_first(&mut self, key: &Key) {
        if self.first.contains_key(key) {
            return;
        }
        let _ = self.bytes(key);
        let before = self.node(key).ok().flatten();
        self.first.insert(key.clone(), before);
    }

    /// Every name that was changed: what stood there, what shall stand there. They are handed out once.
    pub fn take_changes(&mut self) -> Vec<(Key, Option<Node>, Option<Node>)> {
        self.folders.close();
        let first = std::mem::take(&mut self.first).into_iter();
        first
            .map(|(key, before)| {
                let after = self.now.remove(&key).flatten();
                (key, before, after)
            })
            .collect()
    }

    /// Folders that hold nothing any more once `path` is gone, innermost first.
    pub fn emptied_above(&self, path: &RelPath) -> Vec<RelPath> {
        let mut emptied = Vec::new();
        let mut gone = vec![path.clone()];
        let mut folder = path.parent();
        while let Some(path) = folder {
            if !self.only_holds(&path, &gone) {
                break;
            }
            folder = path.parent();
            gone.push(path.clone());
            emptied.push(path);
        }
        emptied
    }

    fn only_holds(&self, folder: &RelPath, gone: &[RelPath]) -> bool {
        let stands = |key: &Key| self.now.get(key).is_some_and(Option::is_some);
        let kept = self.now.keys().any(|key| {
            key.base.is_none() && stands(key) && key.path.is_below(folder) && !gone.contains(&key.path)
        });
        let real = self.root.path().join(OsStr::from_bytes(folder.as_bytes()));
        let Ok(mut entries) = std::fs::read_dir(real) else { return false };
        !kept
            && entries.all(|entry| {
                entry.is_ok_and(|entry| {
                    let name = entry.file_name().into_vec();
                    let path = RelPath::trusted([folder.as_bytes(), b"/", &name].concat());
                    let key = Key { base: None, path: path.clone() };
                    gone.contains(&path) || matches!(self.now.get(&key), Some(None))
                })
            })
    }
}

/// The longest leading part that exists, links resolved, and the rest.
fn existing_ancestor(path: &Path) -> Result<(PathBuf, Vec<u8>), Fault> {
    let mut rest: Vec<&OsStr> = Vec::new();
    let mut above = path;
    loop {
        let Some(name) = above.file_name() else { return Err(Fault::Closed) };
        rest.push(name);
        above = above.parent().unwrap_or(Path::new("/"));
        match above.canonicalize() {
            Ok(base) if base.is_dir() => {
                let below: Vec<&[u8]> = rest.iter().rev().map(|part| part.as_bytes()).collect();
                return Ok((base, below.join(&b'/')));
            }
            Ok(_) => return Err(Fault::NotFolder),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Fault::io(&error)),
        }
    }
}

/// Version control's folders stay closed, whoever names them.
fn check_open(path: &Path) -> Result<(), Fault> {
    let whole = path.as_os_str().as_bytes();
    let relative = &whole[whole.iter().take_while(|b| **b == b'/').count()..];
    match RelPath::parse(relative) {
        Err(Refusal::PathGitDir { .. }) => Err(Fault::Closed),
        _ => Ok(()),
    }
}

fn io_fault(refusal: &Refusal) -> Fault {
    match refusal {
        Refusal::Unreadable { why } => Fault::io(&std::io::Error::other(why.clone())),
        Refusal::PathThroughFile { .. } => Fault::NotFolder,
        Refusal::PathThroughSymlink { .. } => Fault::Outside,
        other => Fault::Io(other.to_string()),
    }
}
