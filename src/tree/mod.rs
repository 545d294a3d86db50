//! The file system, confined to one root: what a path from an input may be, and reading.

use std::{collections::BTreeMap, path::Path};

use crate::refusal::Refusal;

mod closest;
mod dates;
mod folders;
pub mod git;
mod index;
mod links;
mod old;
mod path;
mod reading;
mod resolve;
pub(crate) mod root;

pub use crate::text::{Buffer, Content};
pub(crate) use folders::Folders;
pub use links::check_target;
pub use old::{OldTexts, WithOld};
pub use path::RelPath;
pub use reading::Reading;
pub use resolve::{Resolver, Want};
pub use root::Root;

/// The bits of a mode that tell what kind of thing it is, as git has them.
const KIND: u32 = 0o170_000;
const LINK: u32 = 0o120_000;
const FOLDER: u32 = 0o040_000;

/// Whether a mode as git has it is a symbolic link's.
pub fn is_link_mode(mode: u32) -> bool {
    mode & KIND == LINK
}

/// What stands under a name: a regular file's content and permission bits; or a link, or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// A file's content, a link's target; nothing of a folder.
    pub bytes: Content,
    /// The permission bits of a file (`0o644`); what is no file has only the bits that say so.
    pub mode: u32,
}

impl Image {
    /// A symbolic link.
    pub fn link(target: impl Into<Vec<u8>>) -> Image {
        Image { bytes: target.into().into(), mode: LINK }
    }

    /// A folder for its own sake: it comes empty, and goes only if it is empty.
    pub fn folder() -> Image {
        Image { bytes: Content::default(), mode: FOLDER }
    }

    /// A symbolic link.
    pub fn is_link(&self) -> bool {
        is_link_mode(self.mode)
    }

    /// A folder for its own sake.
    pub fn is_folder(&self) -> bool {
        self.mode & KIND == FOLDER
    }

    /// A regular file.
    pub fn is_file(&self) -> bool {
        self.mode & KIND == 0
    }

    /// The mode as git has it.
    pub fn git_mode(&self) -> &'static str {
        match self.mode & KIND {
            LINK => "120000",
            FOLDER => "040000",
            _ if self.mode & 0o111 == 0 => "100644",
            _ => "100755",
        }
    }

    /// As git tells it: a NUL byte stands near the start.
    pub fn is_binary(&self) -> bool {
        const LOOKED_AT: usize = 8000;
        let is_near = |bytes: &[u8]| memchr::memchr(0, bytes).is_some();
        is_near(self.bytes.around_head(LOOKED_AT)) && is_near(&self.bytes[..self.bytes.len().min(LOOKED_AT)])
    }
}

/// Links are nothing that a text edit may change.
pub(crate) fn no_link(image: Option<Image>) -> Result<Option<Image>, Refusal> {
    match image {
        Some(image) if image.is_link() => Err(Refusal::TargetSymlink),
        other => Ok(other),
    }
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Missing,
    /// A regular file.
    File,
    /// A folder.
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

    /// The file or the link itself that stands at `path`. Files that know no links have none.
    ///
    /// # Errors
    /// As [`Files::read`], but for a link as last component.
    fn image(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        self.read(path)
    }

    /// The path that a link at `path`, or links on the way to it, lead to, as long as that is beneath the
    /// root.
    ///
    /// # Errors
    /// It is not, or the links lead in a circle.
    fn follow(&self, path: &RelPath) -> Result<RelPath, Refusal> {
        Ok(path.clone())
    }

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
    /// What shows where the layer holds nothing.
    pub below: &'f dyn Files,
    /// `None`: removed.
    pub files: BTreeMap<RelPath, Option<Image>>,
}

impl Files for Layer<'_> {
    fn old_texts(&self, path: &RelPath) -> Vec<Vec<u8>> {
        let mut texts = self.below.old_texts(path);
        if self.files.contains_key(path) {
            texts.extend(self.below.read(path).ok().flatten().map(|image| image.bytes.into()));
        }
        texts
    }

    fn read(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        match self.files.get(path) {
            Some(known) => no_link(known.clone()),
            None => self.below.read(path),
        }
    }

    fn image(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        match self.files.get(path) {
            Some(known) => Ok(known.clone()),
            None => self.below.image(path),
        }
    }

    fn follow(&self, path: &RelPath) -> Result<RelPath, Refusal> {
        self.below.follow(path)
    }

    fn kind(&self, path: &RelPath) -> Kind {
        match self.files.get(path) {
            Some(Some(image)) if image.is_link() => Kind::Other,
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
        let stands = |image: &Option<Image>| image.as_ref().is_some_and(Image::is_file);
        paths.extend(self.files.iter().filter(|(_, image)| stands(image)).map(|(path, _)| path.clone()));
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
    /// All there are.
    pub files: BTreeMap<RelPath, Image>,
}

impl Files for Memory {
    fn read(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        no_link(self.files.get(path).cloned())
    }

    fn image(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        Ok(self.files.get(path).cloned())
    }

    fn paths(&self) -> Vec<RelPath> {
        self.files.keys().cloned().collect()
    }
}
