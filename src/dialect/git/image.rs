//! A text as lines that hunks are compared with.

use super::names::is_space;

/// One line, its end included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub bytes: Vec<u8>,
    /// Its letters, white space left out.
    pub sum: u64,
    /// Context: the same on both sides of a hunk.
    pub common: bool,
    /// An earlier hunk made it.
    pub patched: bool,
}

impl Line {
    pub fn new(bytes: Vec<u8>) -> Line {
        let sum = sum(&bytes);
        Line { bytes, sum, common: false, patched: false }
    }
}

fn sum(bytes: &[u8]) -> u64 {
    let letters = bytes.iter().filter(|b| !is_space(**b));
    letters.fold(0xcbf2_9ce4_8422_2325, |sum, b| (sum ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

/// A text; for a binary file it is never cut into lines.
#[derive(Clone, Debug, Default)]
pub struct Image {
    pub lines: Vec<Line>,
}

impl Image {
    pub fn new(bytes: &[u8]) -> Image {
        Image { lines: bytes.split_inclusive(|b| *b == b'\n').map(|line| Line::new(line.to_vec())).collect() }
    }

    pub fn bytes(&self) -> Vec<u8> {
        concat(&self.lines)
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }
}

pub fn concat(lines: &[Line]) -> Vec<u8> {
    let mut out = Vec::with_capacity(lines.iter().map(|line| line.bytes.len()).sum());
    lines.iter().for_each(|line| out.extend_from_slice(&line.bytes));
    out
}
