//! A tree in memory: every file's bytes and executable bits, every link's target. `.git` is left out.

use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        fs::{PermissionsExt, symlink},
    },
    path::Path,
};

use walkdir::WalkDir;

use crate::{
    plan::Change,
    refusal::Refusal,
    tree::{Files, Image, RelPath},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    File { executable: u32, bytes: Vec<u8> },
    Link(Vec<u8>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Snapshot {
    pub entries: BTreeMap<Vec<u8>, Entry>,
}

impl Snapshot {
    /// The tree below `dir`; `None` if there is no such folder.
    pub fn read(dir: &Path) -> io::Result<Option<Snapshot>> {
        if !dir.is_dir() {
            return Ok(None);
        }
        let mut tree = Snapshot::default();
        let walk = WalkDir::new(dir).into_iter();
        let walk = walk.filter_entry(|entry| !(entry.file_type().is_dir() && entry.file_name() == ".git"));
        for entry in walk {
            let entry = entry.map_err(io::Error::from)?;
            let name = entry.path().strip_prefix(dir).unwrap_or(entry.path());
            let name = name.as_os_str().as_bytes().to_vec();
            if entry.path_is_symlink() {
                // A link to a folder is no file, and is left out.
                if !entry.path().is_dir() {
                    let target = fs::read_link(entry.path())?.into_os_string().into_vec();
                    tree.entries.insert(name, Entry::Link(target));
                }
            } else if entry.file_type().is_file() {
                let mode = entry.metadata().map_err(io::Error::from)?.permissions().mode();
                let bytes = fs::read(entry.path())?;
                tree.entries.insert(name, Entry::File { executable: mode & 0o111, bytes });
            }
        }
        Ok(Some(tree))
    }

    pub fn read_or_empty(dir: &Path) -> io::Result<Snapshot> {
        Ok(Snapshot::read(dir)?.unwrap_or_default())
    }

    /// The tree after these changes.
    pub fn with(&self, changes: &[Change]) -> Snapshot {
        let mut tree = self.clone();
        for change in changes {
            let path = change.path.as_bytes().to_vec();
            match &change.after {
                Some(image) if image.is_link() => {
                    tree.entries.insert(path, Entry::Link(image.bytes.to_vec()));
                }
                Some(Image { bytes, mode }) => {
                    let file = Entry::File { executable: mode & 0o111, bytes: bytes.to_vec() };
                    tree.entries.insert(path, file);
                }
                None => drop(tree.entries.remove(&path)),
            }
        }
        tree
    }

    /// Writes the tree into an empty folder.
    pub fn write(&self, dir: &Path) -> io::Result<()> {
        for (name, entry) in &self.entries {
            let path = dir.join(std::ffi::OsStr::from_bytes(name));
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            match entry {
                Entry::File { executable, bytes } => {
                    fs::write(&path, bytes)?;
                    fs::set_permissions(&path, fs::Permissions::from_mode(0o644 | executable))?;
                }
                Entry::Link(target) => symlink(std::ffi::OsStr::from_bytes(target), &path)?,
            }
        }
        Ok(())
    }
}

impl Files for Snapshot {
    fn read(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        match self.entries.get(path.as_bytes()) {
            Some(Entry::File { executable, bytes }) => {
                Ok(Some(Image { bytes: bytes.clone().into(), mode: 0o644 | executable }))
            }
            Some(Entry::Link(_)) => Err(Refusal::TargetSymlink),
            None => Ok(None),
        }
    }

    fn image(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        match self.entries.get(path.as_bytes()) {
            Some(Entry::Link(target)) => Ok(Some(Image::link(target.clone()))),
            _ => self.read(path),
        }
    }

    fn paths(&self) -> Vec<RelPath> {
        self.entries.keys().map(|path| RelPath::trusted(path.clone())).collect()
    }
}
