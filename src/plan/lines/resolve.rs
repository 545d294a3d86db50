//! An operation's numbers as a place in the text that they count in.

use super::{block, block_or_range};
use crate::{
    edit::{Deed, Gap, LineOp, Lines},
    refusal::Refusal,
    text::{Eol, Text},
};

/// Lines `start..end` from 0; `start == end`: between two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub start: usize,
    pub end: usize,
    /// An insertion named by the line below it: it comes after those named by the line above.
    pub below: bool,
    /// The lines that say where it is, if any do: those replaced, or the one beside the insertion.
    pub touched: Option<(usize, usize)>,
    /// At the end of the text.
    pub tail: bool,
}

impl At {
    pub const HEAD: At = At { start: 0, end: 0, below: true, touched: None, tail: false };

    pub fn end(text: &Text) -> At {
        At { start: text.len(), end: text.len(), below: false, touched: None, tail: true }
    }

    fn lines(start: usize, end: usize) -> At {
        At { start, end, below: false, touched: Some((start, end)), tail: false }
    }

    fn gap(at: usize, below: bool, touched: (usize, usize)) -> At {
        At { start: at, end: at, below, touched: Some(touched), tail: false }
    }
}

/// The text that numbers count in.
pub(super) struct Base<'t> {
    pub text: &'t Text<'t>,
    pub path: &'t [u8],
    /// The first line that holds a carriage return which ends no line.
    lone_return: Option<usize>,
}

impl<'t> Base<'t> {
    pub fn new(text: &'t Text<'t>, path: &'t [u8]) -> Base<'t> {
        let lone_return = text.bodies().position(|line| memchr::memchr(b'\r', line).is_some());
        Base { text, path, lone_return }
    }
}

/// Where an operation goes.
///
/// # Errors
/// A line does not exist, or a block has no certain end.
pub(super) fn resolve(base: &Base, op: &LineOp) -> Result<At, Refusal> {
    match &op.deed {
        Deed::Put { at, .. } | Deed::PasteOver { at, .. } => replaced(base, *at, true),
        Deed::Cut { at, .. } => replaced(base, *at, false),
        Deed::Insert { at, .. } | Deed::Paste { at, .. } => gap(base, *at),
    }
}

/// `appends`: the empty part after a final newline counts as a line, whose replacement is appended.
fn replaced(base: &Base, lines: Lines, appends: bool) -> Result<At, Refusal> {
    let text = base.text;
    let (first, last) = block_or_range(lines);
    let Some(last) = last else {
        exists(text, first)?;
        let end = block::end(text, first - 1, base.path)?;
        return Ok(At::lines(first - 1, end));
    };
    let most = shown_lines(text);
    if first == most && most > text.len() && last == most && appends {
        return Ok(At::end(text));
    }
    exists(text, first)?;
    if last > most {
        exists(text, last)?;
    }
    lone_returns(base, last)?;
    Ok(At::lines(first - 1, last.min(text.len())))
}

fn gap(base: &Base, gap: Gap) -> Result<At, Refusal> {
    let text = base.text;
    let most = shown_lines(text);
    match gap {
        Gap::End => Ok(At::end(text)),
        Gap::Before(1) => Ok(At::HEAD),
        Gap::Before(line) | Gap::After(line) if line == most && most > text.len() => Ok(At::end(text)),
        Gap::Before(line) => {
            exists(text, line)?;
            lone_returns(base, line)?;
            Ok(At::gap(line - 1, true, (line - 1, line)))
        }
        Gap::After(line) => {
            exists(text, line)?;
            lone_returns(base, line)?;
            Ok(At::gap(line, false, (line - 1, line)))
        }
        Gap::AfterBlock(line) => {
            exists(text, line)?;
            let end = block::end(text, line - 1, base.path)?;
            lone_returns(base, end)?;
            Ok(At::gap(end, false, (line - 1, end)))
        }
    }
}

fn exists(text: &Text, line: usize) -> Result<(), Refusal> {
    if (1..=text.len()).contains(&line) {
        Ok(())
    } else {
        Err(Refusal::NoSuchLine { line, lines: text.len() })
    }
}

/// The number of lines as a reader shows them: the empty part after a final newline is one.
fn shown_lines(text: &Text) -> usize {
    let open = !text.is_empty() && text.eol(text.len() - 1) == Eol::None;
    text.len() + usize::from(!open)
}

/// Some readers take a lone carriage return for a line end and count on from there.
fn lone_returns(base: &Base, last: usize) -> Result<(), Refusal> {
    match base.lone_return.filter(|&at| at < last) {
        None => Ok(()),
        Some(at) => Err(Refusal::Doubtful {
            what: format!("line {} holds a carriage return: whether it ends a line is not certain", at + 1),
        }),
    }
}
