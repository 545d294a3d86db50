//! The lines of a hunk, and the ways to read them.

use std::borrow::Cow;

use crate::{
    edit::{Body, HunkLine, Stated, Tag},
    input::InputLine,
    text::Eol,
};

/// What a line's first byte says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Begins with a blank.
    Keep,
    /// Empty: a blank context line that lost its prefix, or a separator.
    Bare,
    /// Begins with anything else: a context line without its prefix.
    Plain,
    Remove,
    Add,
    /// `\ No newline at end of file`, in any language.
    Marker,
}

impl Class {
    pub fn of(text: &[u8]) -> Class {
        match text {
            [] => Class::Bare,
            [b' ', ..] => Class::Keep,
            [b'-', ..] => Class::Remove,
            [b'+', ..] => Class::Add,
            [b'\\', b' ', ..] => Class::Marker,
            [b'\\', rest @ ..] if rest.get(..10).is_some_and(|t| t.eq_ignore_ascii_case(b"no newline")) => {
                Class::Marker
            }
            _ => Class::Plain,
        }
    }

    pub fn is_change(self) -> bool {
        matches!(self, Class::Remove | Class::Add)
    }
}

/// How many old and new lines there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub old: u64,
    pub new: u64,
}

impl Counts {
    pub fn claimed(stated: &Stated) -> Counts {
        Counts { old: stated.old_count, new: stated.new_count }
    }

    pub fn add(&mut self, class: Class) {
        self.old += u64::from(!matches!(class, Class::Add | Class::Marker));
        self.new += u64::from(!matches!(class, Class::Remove | Class::Marker));
    }

    /// At least as many on both sides.
    pub fn reach(self, claimed: Counts) -> bool {
        self.old >= claimed.old && self.new >= claimed.new
    }
}

/// A hunk's line as it stands in the input.
#[derive(Clone, Copy, Debug)]
struct Raw<'i> {
    class: Class,
    text: &'i [u8],
    eol: Eol,
    /// A marker said that no newline follows.
    unterminated: bool,
}

/// The lines of one hunk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines<'i> {
    raw: Vec<Raw<'i>>,
    /// How many there are of each class.
    tally: [usize; 6],
}

impl<'i> Lines<'i> {
    /// Room for so many.
    pub fn with_capacity(len: usize) -> Lines<'i> {
        Lines { raw: Vec::with_capacity(len), ..Lines::default() }
    }

    /// Takes a line; markers change the line before them.
    pub fn push(&mut self, line: &InputLine<'i>) {
        let class = Class::of(line.text);
        if class == Class::Marker {
            if let Some(last) = self.raw.last_mut() {
                last.unterminated = true;
            }
            return;
        }
        // The input's own last line is not a statement about the file.
        let eol = match line.eol {
            Eol::None => self.raw.last().map_or(Eol::Lf, |last| last.eol),
            eol => eol,
        };
        self.take(Raw { class, text: line.text, eol, unterminated: false });
    }

    fn take(&mut self, line: Raw<'i>) {
        self.tally[line.class as usize] += 1;
        self.raw.push(line);
    }

    pub fn len(&self) -> usize {
        self.raw.len()
    }

    pub fn is_empty(&self) -> bool {
        self.tally[Class::Bare as usize] == self.len()
    }

    pub fn class(&self, at: usize) -> Class {
        self.raw[at].class
    }

    pub fn any(&self, class: Class) -> bool {
        self.tally[class as usize] > 0
    }

    /// Some line is removed or added.
    pub fn changes(&self) -> bool {
        self.any(Class::Remove) || self.any(Class::Add)
    }

    /// The content of the first line, if it is a context line.
    pub fn first_context(&self) -> Option<&'i [u8]> {
        let first = self.raw.first()?;
        match first.class {
            Class::Keep => Some(&first.text[1..]),
            Class::Plain => Some(first.text),
            _ => None,
        }
    }

    /// Only the first `len` lines.
    pub fn truncated(&self, len: usize) -> Lines<'i> {
        let mut lines = Lines::default();
        self.raw[..len].iter().for_each(|line| lines.take(*line));
        lines
    }

    /// The length without blank lines at the end that have no prefix.
    pub fn core(&self) -> usize {
        let last = self.raw.iter().rposition(|line| line.class != Class::Bare);
        last.map_or(0, |at| at + 1)
    }

    /// No newline follows the last line that is not a separator, so the blanks behind it are none of the
    /// file's.
    fn closed(&self) -> bool {
        self.core().checked_sub(1).is_some_and(|at| self.raw[at].unterminated)
    }

    pub fn counts(&self, len: usize) -> Counts {
        // Few lines stand behind those that are asked for.
        let total = |class: Class| self.tally[class as usize] as u64;
        let both = total(Class::Keep) + total(Class::Bare) + total(Class::Plain);
        let mut behind = Counts::default();
        self.raw[len..].iter().for_each(|line| behind.add(line.class));
        Counts { old: both + total(Class::Remove) - behind.old, new: both + total(Class::Add) - behind.new }
    }

    /// Context lines before the first change, and after the last one of `len` lines.
    pub fn margins(&self, len: usize) -> (usize, usize) {
        let lines = &self.raw[..len];
        let lead = lines.iter().take_while(|line| !line.class.is_change()).count();
        let trail = lines.iter().rev().take_while(|line| !line.class.is_change()).count();
        (lead, trail)
    }

    /// The lengths that the hunk may have: with the blank lines at its end, without them, or as `claimed`.
    pub fn lengths(&self, claimed: Option<Counts>) -> Vec<usize> {
        let core = self.core();
        if self.closed() {
            return vec![core];
        }
        let exact = |len: &usize| Some(self.counts(*len)) == claimed;
        if let Some(len) = (core..=self.len()).find(exact) {
            return vec![len];
        }
        let mut lengths = vec![core, self.len(), self.len().min(core + 1)];
        lengths.dedup();
        if lengths.first() == lengths.last() {
            lengths.truncate(1);
        }
        lengths
    }

    /// The first `len` lines, each without its prefix.
    pub fn prefixed(&self, len: usize) -> impl Iterator<Item = HunkLine<'i>> {
        self.raw[..len].iter().map(|line| line.read(true))
    }

    /// The readings of the hunk for each length that it may have, likeliest first.
    ///
    /// If a context line lacks its prefix, perhaps all do: then the blank that others begin with is theirs.
    pub fn readings(&self, lengths: &[usize]) -> Vec<Body<'i>> {
        let mut out: Vec<Body<'i>> = Vec::with_capacity(2);
        for &len in lengths {
            let lines = &self.raw[..len];
            let mut cut: Vec<bool> = vec![true];
            if self.any(Class::Plain) && lines.iter().any(|line| line.class == Class::Plain) {
                cut.push(false);
            }
            for prefixed in cut {
                let body = Body::diff(lines.iter().map(|line| line.read(prefixed)).collect());
                if !out.contains(&body) {
                    out.push(body);
                }
            }
        }
        out
    }
}

impl<'i> Raw<'i> {
    /// The line without its prefix; `prefixed`: a context line's leading blank is one.
    fn read(&self, prefixed: bool) -> HunkLine<'i> {
        let (tag, cut) = match self.class {
            Class::Add => (Tag::Add, 1),
            Class::Remove => (Tag::Remove, 1),
            Class::Keep => (Tag::Keep, usize::from(prefixed)),
            Class::Bare | Class::Plain | Class::Marker => (Tag::Keep, 0),
        };
        let eol = if self.unterminated { Eol::None } else { self.eol };
        HunkLine { tag, text: Cow::Borrowed(&self.text[cut..]), eol }
    }
}
