//! From bytes to edits. A reader never sees the file system.

pub mod section;
pub mod unified;
pub mod v4a;

use crate::{
    edit::{Format, Parsed},
    text::{Eol, Text},
};

/// A line of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputLine<'i> {
    /// Without its line end.
    pub text: &'i [u8],
    pub eol: Eol,
    /// Counted from 1.
    pub number: usize,
}

/// Cuts an input into lines; a byte-order mark is dropped.
pub fn lines(input: &[u8]) -> Vec<InputLine<'_>> {
    let text = Text::new(input);
    (0..text.len()).map(|at| InputLine { text: text.body(at), eol: text.eol(at), number: at + 1 }).collect()
}

/// Reads all edits of an input; `only` forces one format.
pub fn read(input: &[u8], only: Option<Format>) -> Parsed<'_> {
    let _ = (lines(input), only);
    Parsed::default()
}
