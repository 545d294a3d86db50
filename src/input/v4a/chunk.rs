//! The chunks of an updated file.

use std::borrow::Cow;

use super::marker::Marker;
use crate::{
    edit::{Hints, Hunk, Span, Stated},
    input::{
        InputLine,
        unified::{
            at::At,
            body::{Class, Lines},
        },
    },
    refusal::Refusal,
    text::indent::indent,
};

/// Room for the lines that most chunks have.
const USUAL: usize = 12;

/// Reads the chunks of one section.
pub(super) struct Chunks<'l, 'i> {
    lines: &'l [InputLine<'i>],
    stop: usize,
    /// Nothing says where the sections end, so prose may follow the last chunk.
    loose: bool,
    hunks: Vec<Hunk<'i>>,
    chunk: Chunk<'i>,
}

/// A chunk while it is read.
#[derive(Default)]
struct Chunk<'i> {
    first: usize,
    opened: bool,
    anchors: Vec<Cow<'i, [u8]>>,
    stated: Option<Stated>,
    lines: Lines<'i>,
    at_eof: bool,
}

impl<'l, 'i> Chunks<'l, 'i> {
    pub fn new(lines: &'l [InputLine<'i>], stop: usize, loose: bool) -> Chunks<'l, 'i> {
        Chunks { lines, stop, loose, hunks: Vec::new(), chunk: Chunk::default() }
    }

    /// Reads from `at` to the next section's header; says where that is.
    pub fn read(&mut self, at: usize) -> (usize, Result<Vec<Hunk<'i>>, Refusal>) {
        let mut at = self.skip_diff_header(at);
        self.chunk.first = at;
        let mut failed = None;
        while at < self.stop {
            let marker = Marker::parse(self.lines[at].text);
            if self.is_header(marker, at) {
                break;
            }
            if let Err(refusal) = self.line(marker, at) {
                failed.get_or_insert(refusal);
            }
            at += 1;
        }
        let (last, used) = self.finish(at, true);
        failed = failed.or(last.err());
        match failed {
            Some(refusal) => (at, Err(refusal)),
            None => (used, Ok(std::mem::take(&mut self.hunks))),
        }
    }

    /// `--- a/f` and `+++ b/f` before the first chunk say nothing new.
    fn skip_diff_header(&self, at: usize) -> usize {
        let starts = |at: usize, sign: &[u8]| at < self.stop && self.lines[at].text.starts_with(sign);
        let both = starts(at, b"--- ") && starts(at + 1, b"+++ ") && starts(at + 2, b"@@");
        if both { at + 2 } else { at }
    }

    fn line(&mut self, marker: Option<Marker<'_>>, at: usize) -> Result<(), Refusal> {
        let line = self.lines[at];
        match marker {
            Some(Marker::EndOfFile) if self.is_ruling(at) => {
                self.chunk.at_eof = true;
                return Ok(());
            }
            Some(Marker::MoveTo(_)) if indent(line.text).is_empty() => {
                return Err(malformed("`*** Move to:` must follow its section's header"));
            }
            _ => {}
        }
        if let Some(parsed) = At::parse_glued(line.text) {
            return self.open(at, parsed);
        }
        if self.chunk.at_eof {
            return match line.text.trim_ascii() {
                b"" => Ok(()),
                _ => Err(malformed("lines follow `*** End of File` without an `@@` line")),
            };
        }
        self.chunk.lines.push(&line);
        Ok(())
    }

    /// An `@@` line: it opens a chunk, or adds to the anchors of one that has no lines yet.
    fn open(&mut self, at: usize, parsed: At<'i>) -> Result<(), Refusal> {
        if !self.chunk.lines.is_empty() || self.chunk.at_eof {
            self.finish(at, false).0?;
        } else if !self.chunk.opened {
            self.chunk = Chunk { first: at, ..Chunk::default() };
        }
        self.chunk.opened = true;
        self.chunk.lines = Lines::with_capacity(USUAL);
        self.chunk.stated = parsed.stated.or(self.chunk.stated);
        let texts = [parsed.anchor, parsed.heading.map(<[u8]>::trim_ascii_start)];
        self.chunk.anchors.extend(texts.into_iter().flatten().map(Cow::Borrowed));
        Ok(())
    }

    /// Turns the chunk into a hunk; also says where it ends.
    ///
    /// A chunk of one context line before another chunk is an anchor for that one: its only work is to
    /// move on in the file.
    fn finish(&mut self, stop: usize, is_last: bool) -> (Result<(), Refusal>, usize) {
        let next = Chunk { first: stop, ..Chunk::default() };
        let chunk = std::mem::replace(&mut self.chunk, next);
        if chunk.lines.is_empty() {
            return match chunk.opened && (!chunk.anchors.is_empty() || self.hunks.is_empty()) {
                true => (Err(malformed("a chunk has no lines")), stop),
                false => (Ok(()), stop),
            };
        }
        let core = chunk.lines.core();
        if !is_last && core == 1 && !chunk.lines.changes() && !chunk.at_eof {
            self.chunk.anchors = chunk.anchors;
            self.chunk.anchors.extend(chunk.lines.first_context().map(Cow::Borrowed));
            return (Ok(()), stop);
        }
        let soft = if self.loose && is_last { prose_after(&chunk.lines) } else { None };
        let mut readings = chunk.lines.readings(&chunk.lines.lengths(None));
        if let Some(soft) = soft {
            let before = chunk.lines.truncated(soft);
            let likelier = before.readings(&before.lengths(None));
            readings.retain(|body| !likelier.contains(body));
            readings.splice(..0, likelier);
        }
        let used = soft.map_or(stop, |soft| stop - (chunk.lines.len() - soft));
        let hints = Hints {
            stated: chunk.stated,
            anchors: chunk.anchors,
            at_eof: chunk.at_eof,
            ordered: true,
            ..Hints::default()
        };
        let number = |at: usize| self.lines[at].number;
        let span = Span::new(number(chunk.first), number(used.max(chunk.first + 1) - 1));
        self.hunks.push(Hunk { span, readings, hints });
        (Ok(()), used)
    }

    /// A line that ends the section.
    fn is_header(&self, marker: Option<Marker<'_>>, at: usize) -> bool {
        matches!(marker, Some(Marker::Begin | Marker::End | Marker::Section(..))) && self.is_ruling(at)
    }

    /// A marker at the margin always rules. An indented one is context unless what follows is more of a
    /// patch: at one blank, which is what context begins with, an `@@` line; deeper, any sign.
    fn is_ruling(&self, at: usize) -> bool {
        let pad = indent(self.lines[at].text).len();
        if pad == 0 {
            return true;
        }
        let next = (at + 1..self.lines.len()).find(|&at| !self.lines[at].text.trim_ascii().is_empty());
        let Some(next) = next.filter(|&next| next <= self.stop) else { return true };
        let text = self.lines[next].text;
        let patch = text.starts_with(b"@@") || text.starts_with(b"*** ");
        patch
            || pad > 1 && (text.starts_with(b"+") || text.starts_with(b"-") || Marker::parse(text).is_some())
    }
}

/// Where prose begins behind a chunk: the first line without a sign after a blank one, if all lines before
/// have theirs.
fn prose_after(lines: &Lines<'_>) -> Option<usize> {
    let last = (0..lines.len()).rfind(|&at| lines.class(at).is_change())?;
    let soft = (last + 1..lines.len())
        .find(|&at| lines.class(at) == Class::Plain && lines.class(at - 1) == Class::Bare)?;
    (0..soft).all(|at| lines.class(at) != Class::Plain).then_some(soft)
}

fn malformed(what: &str) -> Refusal {
    Refusal::Malformed { what: what.into() }
}
