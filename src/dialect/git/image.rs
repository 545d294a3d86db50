//! A text as lines that hunks are compared with.

use std::borrow::Cow;

use super::names::is_space;

/// One line, its end included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'t> {
    pub bytes: Cow<'t, [u8]>,
    /// Context: the same on both sides of a hunk.
    pub common: bool,
    /// An earlier hunk made it.
    pub patched: bool,
}

impl<'t> Line<'t> {
    pub fn new(bytes: impl Into<Cow<'t, [u8]>>) -> Line<'t> {
        Line { bytes: bytes.into(), common: false, patched: false }
    }

    /// The same letters in the same order, whatever white space is between them.
    pub fn has_letters_of(&self, other: &Line<'_>) -> bool {
        let [mine, others] = [&self.bytes, &other.bytes].map(|line| line.iter().filter(|b| !is_space(**b)));
        mine.eq(others)
    }
}

/// A text, its lines slices of what was read.
#[derive(Clone, Debug, Default)]
pub struct Image<'t> {
    pub lines: Vec<Line<'t>>,
}

impl<'t> Image<'t> {
    pub fn new(bytes: &'t [u8]) -> Image<'t> {
        let mut lines = Vec::with_capacity(bytes.len() / 24 + 1);
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', bytes) {
            lines.push(Line::new(&bytes[start..=end]));
            start = end + 1;
        }
        if start < bytes.len() {
            lines.push(Line::new(&bytes[start..]));
        }
        Image { lines }
    }

    pub fn bytes(&self) -> Vec<u8> {
        concat(&self.lines)
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }
}

pub fn concat(lines: &[Line<'_>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(lines.iter().map(|line| line.bytes.len()).sum());
    lines.iter().for_each(|line| out.extend_from_slice(&line.bytes));
    out
}
