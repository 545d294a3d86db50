//! Where a hunk ends.

use super::{
    at::At,
    body::{Class, Counts, Lines},
    header::{self, Begins},
};
use crate::{
    edit::Body,
    input::{InputLine, section::End},
};

/// One hunk as it stands in the input.
#[derive(Clone, Debug)]
pub(super) struct RawHunk<'i> {
    /// The index of its `@@` line, or of its first line if there is none.
    pub first: usize,
    /// The index after its last line.
    pub stop: usize,
    pub at: Option<At<'i>>,
    pub lines: Lines<'i>,
    /// The same with a tail that reads like prose.
    pub with_tail: Option<Lines<'i>>,
    /// The lines run to the end of those that the reader was given.
    pub open: bool,
}

impl<'i> RawHunk<'i> {
    /// What the `@@` line says about the number of lines.
    pub fn claimed(&self) -> Option<Counts> {
        self.at?.stated.as_ref().map(Counts::claimed)
    }

    /// The counts of the body disagree with the header's, whichever way the end is read.
    pub fn miscounted(&self) -> Option<(Counts, Counts)> {
        let claimed = self.claimed()?;
        let lengths = self.lines.lengths(Some(claimed));
        let found = self.lines.counts(lengths[0]);
        (found != claimed).then_some((claimed, found))
    }

    /// The readings of the body, likeliest first.
    pub fn readings(&self) -> Vec<Body<'i>> {
        let mut out = self.lines.readings(&self.lines.lengths(self.claimed()));
        if let Some(lines) = &self.with_tail {
            let more = lines.readings(&lines.lengths(self.claimed()));
            out.extend(more.into_iter().filter(|body| !out.contains(body)).collect::<Vec<_>>());
        }
        out
    }
}

/// Finds the ends of hunks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'l, 'i> {
    pub lines: &'l [InputLine<'i>],
    pub end: End,
}

impl<'i> Scanner<'_, 'i> {
    /// Reads the hunk whose `@@` line or first line is at `first`; also says where reading goes on.
    pub fn hunk(self, first: usize) -> (RawHunk<'i>, usize) {
        let at = At::parse(self.lines[first].text);
        let start = first + usize::from(at.is_some());
        let claimed = at.and_then(|at| at.stated).as_ref().map(Counts::claimed);
        let limit = self.limit(start, claimed);
        let (stop, soft) = self.cut(start, limit, claimed);
        let full = self.collect(start, stop);
        let (lines, with_tail) = match soft {
            Some(soft) => (self.collect(start, soft), Some(full)),
            None => (full, None),
        };
        let stop = soft.unwrap_or(stop);
        let hunk = RawHunk { first, stop, at, lines, with_tail, open: stop == self.lines.len() };
        let goes_on = self.is_head(limit);
        (hunk, if goes_on { limit } else { stop })
    }

    /// A hunk without an `@@` line begins at `at`: some line of it is a change.
    pub fn headless(self, at: usize) -> bool {
        let limit = self.limit(at, None);
        self.lines[at..limit].iter().any(|line| Class::of(line.text).is_change())
    }

    /// A hunk or a file's section begins at `at`.
    fn is_head(self, at: usize) -> bool {
        let Some(line) = self.lines.get(at) else { return false };
        At::parse(line.text).is_some() || header::begins(self.lines, at) != Begins::No
    }

    fn collect(self, start: usize, stop: usize) -> Lines<'i> {
        let mut lines = Lines::with_capacity(stop - start);
        self.lines[start..stop].iter().for_each(|line| lines.push(line));
        lines
    }

    /// The first line from `start` on that can't be the hunk's own.
    fn limit(self, start: usize, claimed: Option<Counts>) -> usize {
        let mut counts = Counts::default();
        for at in start..self.lines.len() {
            if self.is_limit(at, counts, claimed) {
                return at;
            }
            counts.add(Class::of(self.lines[at].text));
        }
        self.lines.len()
    }

    fn is_limit(self, at: usize, counts: Counts, claimed: Option<Counts>) -> bool {
        let text = self.lines[at].text;
        let complete = claimed.is_none_or(|claimed| counts.reach(claimed));
        match text.first() {
            Some(b'@') => At::parse(text).is_some() || header::begins(self.lines, at) == Begins::Yes,
            Some(b'-') => self.is_header_pair(at, counts, claimed) || complete && self.is_signature(at),
            Some(b'd' | b'I' | b'B' | b'G') => header::begins(self.lines, at) == Begins::Yes,
            Some(b'O') => complete && text.starts_with(b"Only in ") && text.contains(&b':'),
            Some(b'P') => complete && text.starts_with(b"Property changes on: "),
            Some(b'*') => text.starts_with(b"*** Begin Patch") || text.starts_with(b"*** End Patch"),
            Some(b'`' | b'~') if self.end != End::Closed => {
                complete && (text.starts_with(b"```") || text.starts_with(b"~~~"))
            }
            Some(b'<') if self.end != End::Closed => complete && text.starts_with(b"<<<<<"),
            _ => false,
        }
    }

    /// `--- X` and `+++ Y` name another file, and are no removed and added lines that begin with `--`
    /// and `++`.
    fn is_header_pair(self, at: usize, counts: Counts, claimed: Option<Counts>) -> bool {
        match header::begins(self.lines, at) {
            Begins::Yes => true,
            Begins::No => false,
            Begins::Perhaps => {
                let filled = Counts { old: counts.old + 1, new: counts.new + 1 };
                claimed != Some(filled)
            }
        }
    }

    /// The line before the name and version of the program that mailed the patch.
    fn is_signature(self, at: usize) -> bool {
        let version = |line: &InputLine<'_>| {
            line.text.first().is_some_and(u8::is_ascii_digit) && line.text.contains(&b'.')
        };
        matches!(self.lines[at].text, b"-- " | b"--")
            && self.lines.get(at + 1).is_some_and(version)
            && self.lines.get(at + 2).is_none_or(|line| line.text.is_empty())
    }

    /// Where the hunk that can't go beyond `limit` ends, and where it ends if the rest is prose.
    fn cut(self, start: usize, limit: usize, claimed: Option<Counts>) -> (usize, Option<usize>) {
        if self.end == End::Closed {
            return (limit, None);
        }
        let class = |at: usize| Class::of(self.lines[at].text);
        let region = &self.lines[start..limit];
        let sure =
            region.iter().rposition(|line| is_surely_changed(line.text)).map_or(start, |at| start + at + 1);
        let mut counts = Counts::default();
        (start..sure).for_each(|at| counts.add(class(at)));
        let mut soft = None;
        let mut at = sure;
        while at < limit {
            let here = class(at);
            if claimed.is_some_and(|claimed| counts.reach(claimed)) {
                let next = (at..limit).find(|&at| class(at) != Class::Bare).unwrap_or(limit);
                let goes_on = next < limit && !matches!(class(next), Class::Plain | Class::Marker);
                if here == Class::Plain || here == Class::Bare && !goes_on {
                    let soft = soft.filter(|_| Some(counts) != claimed);
                    return (next, soft.filter(|&soft| self.is_prefixed(start, soft)));
                }
                (at..next).for_each(|at| counts.add(class(at)));
                at = next.max(at);
            } else if soft.is_none() && here == Class::Plain && at > start && class(at - 1) == Class::Bare {
                soft = Some(at);
            }
            if at < limit {
                counts.add(class(at));
                at += 1;
            }
        }
        (limit, soft.filter(|&soft| self.is_prefixed(start, soft)))
    }

    /// Some line is a change, and none is a context line without its prefix.
    fn is_prefixed(self, start: usize, stop: usize) -> bool {
        let classes = self.lines[start..stop].iter().map(|line| Class::of(line.text));
        classes.clone().any(Class::is_change) && !classes.clone().any(|class| class == Class::Plain)
    }
}

/// A changed line that is no item of a list in prose, and no ruler.
fn is_surely_changed(text: &[u8]) -> bool {
    match text {
        [b'-' | b'+', b' ', rest @ ..] => rest.first().is_none_or(|b| matches!(b, b' ' | b'\t')),
        [b'-', rest @ ..] => rest.len() < 2 || rest.iter().any(|&b| b != b'-'),
        [b'+', ..] => true,
        _ => false,
    }
}
