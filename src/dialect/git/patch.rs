//! One file's part of a patch.

use super::space::Rule;
use crate::{edit::Blob, tree::Content};

/// The bits of a mode that say what kind of thing it is.
const KIND: u32 = 0o170_000;
pub const REGULAR: u32 = 0o100_644;
pub const PROGRAM: u32 = 0o100_755;
pub const LINK: u32 = 0o120_000;
pub const SUBMODULE: u32 = 0o160_000;

pub fn kind(mode: u32) -> u32 {
    mode & KIND
}

/// The mode as git keeps it.
pub fn canonical(mode: u32) -> u32 {
    match kind(mode) {
        0o100_000 if mode & 0o100 != 0 => PROGRAM,
        0o100_000 => REGULAR,
        0o120_000 => LINK,
        0o040_000 => 0o040_000,
        _ => SUBMODULE,
    }
}

/// Whether a header says something; headers that are not git's leave it open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Said {
    #[default]
    No,
    Perhaps,
    Yes,
}

/// A hunk: where its text stands in the patch, and what its header says.
#[derive(Clone, Debug)]
pub struct Hunk {
    pub old_start: u64,
    pub new_start: u64,
    pub old_count: u64,
    pub new_count: u64,
    pub leading: u64,
    pub trailing: u64,
    /// Where it stands in the patch, header and all.
    pub text: std::ops::Range<usize>,
    /// The line of its header.
    pub line: u64,
    pub rejected: bool,
}

/// Where a three-way merge left a conflict: base, ours, theirs.
#[derive(Clone, Debug, Default)]
pub struct Stages(pub [Option<String>; 3]);

#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools)]
pub struct FilePatch {
    pub old_name: Option<Vec<u8>>,
    pub new_name: Option<Vec<u8>>,
    pub old_mode: u32,
    pub new_mode: u32,
    pub is_new: Said,
    pub is_delete: Said,
    pub is_rename: bool,
    pub is_copy: bool,
    pub is_binary: bool,
    /// Similarity or dissimilarity, in percent.
    pub score: u32,
    pub old_id: Vec<u8>,
    pub new_id: Vec<u8>,
    /// Names are given from the top of the work tree.
    pub from_top: bool,
    pub hunks: Vec<Hunk>,
    pub blobs: Vec<Blob>,
    pub added: u64,
    pub deleted: u64,
    pub rule: Rule,
    /// Old lines end in CR LF.
    pub crlf: bool,
    /// What the file becomes; none until it was checked.
    pub result: Option<Content>,
    pub rejected: bool,
    pub merge_only: bool,
    pub conflict: Option<Stages>,
}

impl FilePatch {
    pub fn is_new(&self) -> bool {
        self.is_new == Said::Yes
    }

    pub fn is_delete(&self) -> bool {
        self.is_delete == Said::Yes
    }

    /// The name that messages and filters go by.
    pub fn name(&self) -> &[u8] {
        self.new_name.as_deref().or(self.old_name.as_deref()).unwrap_or_default()
    }

    pub fn old(&self) -> &[u8] {
        self.old_name.as_deref().or(self.new_name.as_deref()).unwrap_or_default()
    }

    /// It changes more than content.
    pub fn changes_more(&self) -> bool {
        let mode = self.old_mode != 0 && self.new_mode != 0 && self.old_mode != self.new_mode;
        self.is_rename || self.is_copy || self.is_new() || self.is_delete != Said::No || mode
    }

    /// Swaps both sides.
    pub fn reverse(&mut self) {
        std::mem::swap(&mut self.old_name, &mut self.new_name);
        // The model forgets the mode of a file that is to be made again.
        if self.new_mode != 0 {
            std::mem::swap(&mut self.old_mode, &mut self.new_mode);
        }
        std::mem::swap(&mut self.is_new, &mut self.is_delete);
        std::mem::swap(&mut self.added, &mut self.deleted);
        std::mem::swap(&mut self.old_id, &mut self.new_id);
        for hunk in &mut self.hunks {
            std::mem::swap(&mut hunk.old_start, &mut hunk.new_start);
            std::mem::swap(&mut hunk.old_count, &mut hunk.new_count);
        }
    }

    /// `A => B`, or the one name; quoted by `quoted`.
    pub fn shown(&self, quoted: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
        match (&self.old_name, &self.new_name) {
            (Some(old), Some(new)) if old != new => [&quoted(old)[..], b" => ", &quoted(new)].concat(),
            _ => quoted(self.name()),
        }
    }
}
