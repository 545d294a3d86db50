//! The file system, confined to one root: what a path from an input may be, and reading.

use std::{collections::BTreeMap, fmt};

use crate::refusal::Refusal;

/// A confined path: relative, `/` between components, no `.` or `..`, nothing empty, no `.git`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(Vec<u8>);

impl RelPath {
    /// Takes bytes that were checked already.
    pub(crate) fn trusted(bytes: impl Into<Vec<u8>>) -> RelPath {
        RelPath(bytes.into())
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0))
    }
}

/// A regular file's content and permission bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub bytes: Vec<u8>,
    /// The permission bits (`0o644`).
    pub mode: u32,
}

/// Where a plan reads files from: the real root, or memory.
pub trait Files {
    /// The file at `path`, `None` if nothing stands there.
    ///
    /// # Errors
    /// A directory, a symlink on the way, something unreadable.
    fn read(&self, path: &RelPath) -> Result<Option<Image>, Refusal>;

    /// Paths of regular files, sorted, for "did you mean": ignored folders left out, at most 100,000.
    fn paths(&self) -> Vec<RelPath>;
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
