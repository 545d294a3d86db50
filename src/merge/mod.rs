//! What a place becomes: the file's own bytes wherever the edit does not mean to change them.

use crate::text::Eol;

/// A line to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutLine {
    pub text: Vec<u8>,
    pub eol: Eol,
}

/// The file's lines `start..end` (from 0) give way to `lines`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    pub start: usize,
    pub end: usize,
    pub lines: Vec<OutLine>,
}
