//! Earlier contents of files, from the batches that are kept for undo.

use super::Writer;
use crate::tree::{OldTexts, RelPath, Root};

/// How many batches are looked into, from the newest.
const MOST: usize = 50;

/// What the batches kept for a root replaced.
#[derive(Debug)]
pub struct Kept<'w> {
    /// Says where the journal lies.
    pub writer: &'w Writer,
    /// The tree.
    pub root: &'w Root,
}

impl OldTexts for Kept<'_> {
    fn old_texts(&self, path: &RelPath) -> Vec<Vec<u8>> {
        let Ok(all) = self.writer.history(self.root, true) else { return Vec::new() };
        let mut texts = Vec::new();
        for past in all.iter().take(MOST) {
            let of_path =
                |(_, entry): &(usize, &super::journal::Entry)| entry.path == *path && entry.old.is_some();
            let images = past.entries().iter().enumerate().filter(of_path);
            texts.extend(images.filter_map(|(at, _)| past.image(at).ok()).map(|image| image.bytes.into()));
        }
        texts
    }
}
