//! Diffs read to the letter, as GNU patch reads them.
//!
//! The other readers forgive; these do not: counts bind, and a line that fits no rule stops the run with
//! its number. What they yield is a [`Hunk`], the same for all formats.

pub mod context;
pub mod ed;
mod error;
mod lines;
pub mod normal;
mod number;
pub mod unified;

use std::borrow::Cow;

pub use error::ReadError;
pub use lines::{Dress, Lines, Place};

/// What a hunk says of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Context,
    Removed,
    Added,
    /// One side of a change, in a context diff.
    Changed,
}

/// One line of one side, with its line end; without one if the file ends there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HunkLine<'p> {
    pub mark: Mark,
    pub text: Cow<'p, [u8]>,
}

/// Both sides of a change, each whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk<'p> {
    /// The first old line, from 1. An empty side counts the line after the one that the header names.
    pub old_first: i64,
    pub new_first: i64,
    pub old: Vec<HunkLine<'p>>,
    pub new: Vec<HunkLine<'p>>,
    /// Context lines at the head and at the tail.
    pub head: usize,
    pub tail: usize,
    /// What follows the header's `@@` or stars, with the blank in between.
    pub function: Vec<u8>,
    /// The line of the input behind the one that begins the hunk, from 1.
    pub begun: usize,
    /// In a context diff, a blank line that belongs to neither half stood between them.
    pub gap: bool,
    /// In a context diff, a line of the body stood where the first range should; the hunk is without it.
    pub stray: bool,
    /// An old-style context diff showed that it is a new-style one, without the stars.
    pub restyled: bool,
}

impl Hunk<'_> {
    /// The hunk that undoes this one.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.old, &mut self.new);
        std::mem::swap(&mut self.old_first, &mut self.new_first);
        // Marks that don't belong on their side, which only a mangled context diff has, stay.
        let turn = |side: &mut [HunkLine<'_>], from: Mark, to: Mark| {
            side.iter_mut().filter(|line| line.mark == from).for_each(|line| line.mark = to);
        };
        turn(&mut self.old, Mark::Added, Mark::Removed);
        turn(&mut self.new, Mark::Removed, Mark::Added);
    }

    /// The lines of the input at which line `old` of the one side and line `new` of the other, from 0,
    /// disagree. A context diff counts its divider too, and other diffs are numbered as if they were one.
    pub fn disagreement(&self, old: usize, new: usize) -> (usize, usize) {
        let divider = 1 + usize::from(self.gap);
        (self.begun + old + 1, self.begun + self.old.len() + divider + new + 1)
    }

    /// How many lines the file gains.
    pub fn growth(&self) -> i64 {
        self.new.len() as i64 - self.old.len() as i64
    }
}

/// Takes the line end off the last line of a side whose file ends without one.
fn cut_newline(line: &mut HunkLine<'_>) {
    match &mut line.text {
        Cow::Borrowed(text) => *text = text.strip_suffix(b"\n").unwrap_or(text),
        Cow::Owned(text) => {
            text.pop_if(|last| *last == b'\n');
        }
    }
}
