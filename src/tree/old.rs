//! Earlier contents of files, from wherever they are known.

use std::path::Path;

use super::{Files, Image, Kind, RelPath};
use crate::refusal::Refusal;

/// Something that knows earlier contents of files: a journal, a repository.
pub trait OldTexts {
    /// Earlier contents of the file at `path`, newest first; none if nothing is known.
    fn old_texts(&self, path: &RelPath) -> Vec<Vec<u8>>;
}

/// Files, and what is known of their past.
pub struct WithOld<'f> {
    /// The files as they are.
    pub below: &'f dyn Files,
    /// What is known of their past.
    pub olds: Vec<&'f dyn OldTexts>,
}

impl Files for WithOld<'_> {
    fn read(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        self.below.read(path)
    }

    fn image(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        self.below.image(path)
    }

    fn follow(&self, path: &RelPath) -> Result<RelPath, Refusal> {
        self.below.follow(path)
    }

    fn kind(&self, path: &RelPath) -> Kind {
        self.below.kind(path)
    }

    fn old_texts(&self, path: &RelPath) -> Vec<Vec<u8>> {
        let mut texts = self.below.old_texts(path);
        texts.extend(self.olds.iter().flat_map(|olds| olds.old_texts(path)));
        texts
    }

    fn root(&self) -> Option<&Path> {
        self.below.root()
    }

    fn paths(&self) -> Vec<RelPath> {
        self.below.paths()
    }
}
