//! The file system, confined to one root: what a path from an input may be, and reading.

use std::{collections::BTreeMap, path::Path};

use crate::refusal::Refusal;

mod closest;
pub mod git;
mod index;
mod old;
mod path;
mod resolve;
pub(crate) mod root;

pub use old::{OldTexts, WithOld};
pub use path::RelPath;
pub use resolve::{Resolver, Want};
pub use root::Root;

/// A regular file's content and permission bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub bytes: Vec<u8>,
    /// The permission bits (`0o644`).
    pub mode: u32,
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Missing,
    File,
    Folder,
    /// Nothing that may be edited: a symlink (also on the way), a device, something unreadable.
    Other,
}

/// Where a plan reads files from: the real root, or memory.
pub trait Files {
    /// The file at `path`, `None` if nothing stands there.
    ///
    /// # Errors
    /// A directory, a symlink on the way, something unreadable.
    fn read(&self, path: &RelPath) -> Result<Option<Image>, Refusal>;

    /// What stands at `path`, without reading it. A layer over other files should pass this on.
    fn kind(&self, path: &RelPath) -> Kind {
        match self.read(path) {
            Ok(Some(_)) => Kind::File,
            Ok(None) if self.paths().iter().any(|other| other.is_below(path)) => Kind::Folder,
            Ok(None) => Kind::Missing,
            Err(_) => Kind::Other,
        }
    }

    /// Earlier contents of the file that are known, newest first; asked only where an edit needs one.
    fn old_texts(&self, _path: &RelPath) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// Where the root lies, if it lies in a file system: absolute names below it are names in it.
    fn root(&self) -> Option<&Path> {
        None
    }

    /// Paths of regular files, sorted, for "did you mean": ignored folders left out, at most 100,000.
    fn paths(&self) -> Vec<RelPath>;
}

/// Files over other files: what an input before this one will have written.
pub struct Layer<'f> {
    pub below: &'f dyn Files,
    /// `None`: removed.
    pub files: BTreeMap<RelPath, Option<Image>>,
}

impl Files for Layer<'_> {
    fn old_texts(&self, path: &RelPath) -> Vec<Vec<u8>> {
        let mut texts = self.below.old_texts(path);
        if self.files.contains_key(path) {
            texts.extend(self.below.read(path).ok().flatten().map(|image| image.bytes));
        }
        texts
    }

    fn read(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        match self.files.get(path) {
            Some(known) => Ok(known.clone()),
            None => self.below.read(path),
        }
    }

    fn kind(&self, path: &RelPath) -> Kind {
        match self.files.get(path) {
            Some(Some(_)) => Kind::File,
            Some(None) => Kind::Missing,
            None => match self.below.kind(path) {
                Kind::Missing if self.holds_below(path) => Kind::Folder,
                kind => kind,
            },
        }
    }

    fn root(&self) -> Option<&Path> {
        self.below.root()
    }

    fn paths(&self) -> Vec<RelPath> {
        let mut paths = self.below.paths();
        paths.retain(|path| !self.files.contains_key(path));
        paths.extend(self.files.iter().filter(|(_, image)| image.is_some()).map(|(path, _)| path.clone()));
        paths.sort();
        paths
    }
}

impl Layer<'_> {
    fn holds_below(&self, folder: &RelPath) -> bool {
        let after = self.files.range(folder.clone()..);
        let near = after.take_while(|(path, _)| path.as_bytes().starts_with(folder.as_bytes()));
        near.into_iter().any(|(path, image)| image.is_some() && path.is_below(folder))
    }
}

/// Files in memory: for tests, and for inputs that stand on the result of one before.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub files: BTreeMap<RelPath, Image>,
}

impl Files for Memory {
    fn read(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        Ok(self.files.get(path).cloned())
    }

    fn paths(&self) -> Vec<RelPath> {
        self.files.keys().cloned().collect()
    }
}
