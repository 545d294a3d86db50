//! A text as lines that hunks are compared with, and that they replace.

use std::{borrow::Cow, ops::Range};

use super::{header::first_line, names::is_space};
use crate::dialect::offsets::Offsets;

/// One line, its end included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'t> {
    pub bytes: Cow<'t, [u8]>,
    /// Context: the same on both sides of a hunk.
    pub common: bool,
}

impl<'t> Line<'t> {
    pub fn new(bytes: impl Into<Cow<'t, [u8]>>) -> Line<'t> {
        Line { bytes: bytes.into(), common: false }
    }
}

/// A line as it stands in a text now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct There<'i> {
    pub bytes: &'i [u8],
    /// An earlier hunk made it.
    pub made: bool,
}

impl There<'_> {
    /// The same letters in the same order, whatever white space is between them.
    pub fn has_letters_of(&self, other: &Line<'_>) -> bool {
        let [mine, others] = [self.bytes, &other.bytes].map(|line| line.iter().filter(|b| !is_space(**b)));
        mine.eq(others)
    }
}

/// A text, its lines slices of what was read. Hunks cut it in pieces, so that each costs about its own length.
#[derive(Clone, Debug)]
pub struct Image<'t> {
    text: &'t [u8],
    offsets: Offsets<'t>,
    /// In their order, none of them empty.
    pieces: Vec<Piece<'t>>,
    len: usize,
}

/// Lines that follow each other.
#[derive(Clone, Debug)]
struct Piece<'t> {
    /// So many lines stand before it.
    at: usize,
    /// So many lines of the text stood before it.
    from: usize,
    lines: Lines<'t>,
}

#[derive(Clone, Debug)]
enum Lines<'t> {
    /// So many of the text, and where they stand.
    Kept(usize, Range<usize>),
    Made(Vec<Line<'t>>),
}

impl Lines<'_> {
    fn len(&self) -> usize {
        match self {
            Lines::Kept(count, _) => *count,
            Lines::Made(lines) => lines.len(),
        }
    }
}

impl<'t> Image<'t> {
    pub fn new(text: &'t [u8]) -> Image<'t> {
        let offsets = Offsets::new(text);
        let len = offsets.lines();
        let all = Lines::Kept(len, 0..text.len());
        let whole = (len > 0).then_some(Piece { at: 0, from: 0, lines: all });
        Image { text, offsets, pieces: Vec::from_iter(whole), len }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let size = |piece: &Piece<'_>| match &piece.lines {
            Lines::Kept(_, bytes) => bytes.len(),
            Lines::Made(lines) => size(lines),
        };
        let mut out = Vec::with_capacity(self.pieces.iter().map(size).sum());
        for piece in &self.pieces {
            match &piece.lines {
                Lines::Kept(_, bytes) => out.extend_from_slice(&self.text[bytes.clone()]),
                Lines::Made(lines) => lines.iter().for_each(|line| out.extend_from_slice(&line.bytes)),
            }
        }
        out
    }

    /// How many lines there are now.
    pub fn len(&self) -> usize {
        self.len
    }

    /// All lines of the text as it was.
    pub fn originals(&self) -> impl ExactSizeIterator<Item = &'t [u8]> {
        self.offsets.list().windows(2).map(|ends| &self.text[ends[0]..ends[1]])
    }

    /// Many lines will be asked for.
    pub fn list(&self) {
        self.offsets.list();
    }

    /// Where a line of the text is now; if it is gone, where the next one is.
    pub fn now(&self, original: usize) -> (usize, bool) {
        let behind = self.pieces.partition_point(|piece| piece.from <= original);
        let Some(piece) = behind.checked_sub(1).map(|last| &self.pieces[last]) else { return (0, false) };
        let inside = original - piece.from;
        match piece.lines {
            Lines::Kept(count, _) if inside < count => (piece.at + inside, true),
            _ => (piece.at + piece.lines.len(), false),
        }
    }

    /// The piece that holds a line, or the one behind all.
    fn piece_of(&self, at: usize) -> usize {
        match self.pieces.last() {
            _ if at >= self.len => self.pieces.len(),
            // Hunks come in order, mostly.
            Some(last) if last.at <= at => self.pieces.len() - 1,
            _ => self.pieces.partition_point(|piece| piece.at <= at) - 1,
        }
    }

    /// The lines from `at` on.
    pub fn lines_from(&self, at: usize) -> LinesFrom<'_, 't> {
        let first = self.piece_of(at);
        let mut lines = LinesFrom { image: self, pieces: [].iter(), kept: b"", made: [].iter() };
        if let Some(piece) = self.pieces.get(first) {
            lines.enter(piece, at - piece.at);
            lines.pieces = self.pieces[first + 1..].iter();
        }
        lines
    }

    /// Puts other lines in the place of some.
    pub fn replace(&mut self, lines: Range<usize>, new: Vec<Line<'t>>) {
        let (first, last) = (self.cut(lines.start), self.cut(lines.end));
        let from = self.pieces.get(first).map_or(self.offsets.lines(), |piece| piece.from);
        let count = new.len();
        let made = (count > 0).then_some(Piece { at: lines.start, from, lines: Lines::Made(new) });
        let behind = first + usize::from(count > 0);
        self.pieces.splice(first..last, made);
        for piece in &mut self.pieces[behind..] {
            piece.at = piece.at - lines.len() + count;
        }
        self.len = self.len - lines.len() + count;
    }

    /// The piece that begins with a line, which another one may have gone on with until now.
    fn cut(&mut self, at: usize) -> usize {
        let found = self.piece_of(at);
        let Some(piece) = self.pieces.get_mut(found) else { return found };
        let inside = at - piece.at;
        if inside == 0 {
            return found;
        }
        let (from, lines) = match &mut piece.lines {
            Lines::Made(lines) => (piece.from, Lines::Made(lines.split_off(inside))),
            Lines::Kept(count, bytes) => {
                let from = piece.from + inside;
                let start = self.offsets.start(from);
                let behind = Lines::Kept(*count - inside, start..bytes.end);
                (*count, bytes.end) = (inside, start);
                (from, behind)
            }
        };
        self.pieces.insert(found + 1, Piece { at, from, lines });
        found + 1
    }
}

/// Lines as they follow each other now, across pieces.
#[derive(Clone, Debug)]
pub struct LinesFrom<'i, 't> {
    image: &'i Image<'t>,
    pieces: std::slice::Iter<'i, Piece<'t>>,
    /// What is left of the piece: it is either kept or made.
    kept: &'i [u8],
    made: std::slice::Iter<'i, Line<'t>>,
}

impl<'i, 't> LinesFrom<'i, 't> {
    /// Goes on with a piece, but for its first lines.
    fn enter(&mut self, piece: &'i Piece<'t>, skipped: usize) {
        match &piece.lines {
            Lines::Kept(_, bytes) => {
                let start =
                    if skipped > 0 { self.image.offsets.start(piece.from + skipped) } else { bytes.start };
                self.kept = &self.image.text[start..bytes.end];
            }
            Lines::Made(lines) => self.made = lines[skipped..].iter(),
        }
    }
}

impl<'i> LinesFrom<'i, '_> {
    /// Goes past the next line, if it begins with these of a line's bytes: what more it holds.
    pub fn past(&mut self, start: &[u8]) -> Option<There<'i>> {
        loop {
            if !self.kept.is_empty() {
                let rest = self.kept.strip_prefix(start)?;
                let more = if start.ends_with(b"\n") { b"" } else { first_line(rest) };
                self.kept = &rest[more.len()..];
                return Some(There { bytes: more, made: false });
            }
            if let Some(line) = self.made.next() {
                return line.bytes.strip_prefix(start).map(|bytes| There { bytes, made: true });
            }
            let piece = self.pieces.next()?;
            self.enter(piece, 0);
        }
    }
}

impl<'i> Iterator for LinesFrom<'i, '_> {
    type Item = There<'i>;

    fn next(&mut self) -> Option<There<'i>> {
        self.past(b"")
    }
}

fn size(lines: &[Line<'_>]) -> usize {
    lines.iter().map(|line| line.bytes.len()).sum()
}

pub fn concat(lines: &[Line<'_>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(size(lines));
    lines.iter().for_each(|line| out.extend_from_slice(&line.bytes));
    out
}
