//! SEARCH/REPLACE blocks and their kin.
//!
//! A block is found by its markers alone; fences around it do not matter, since the text of a block may
//! hold fences of its own. Markers of another length or indentation than the block's own, and dividers
//! inside a conflict that the block resolves, are text if the block closes without them.

use std::borrow::Cow;

use crate::{
    edit::{Body, Hints, Hunk, Line, Name, Op, Span, Stated},
    refusal::Refusal,
    text::{Eol, indent::indent, is_blank},
};

use super::{InputLine, fence};

mod marker;

use marker::{Family, closes_conflict, divider, end, opens_conflict};
pub use marker::{Head, Word, head};

/// More dividers than this in one block are not tried one by one.
const MAX_READINGS: usize = 12;

/// A block, or the place where one begins and cannot be read.
#[derive(Debug)]
pub struct Block<'i> {
    pub span: Span,
    /// What the marker's own line says behind SEARCH.
    pub path: Option<Name<'i>>,
    pub op: Result<Op<'i>, Refusal>,
    /// How many lines it takes, from the head on.
    pub used: usize,
}

/// Reads the block whose head is `lines[at]`; `None` if no block begins there. `escaped`: markers in the
/// text are escaped by a back-slash (Roo).
pub fn read<'i>(lines: &[InputLine<'i>], at: usize, escaped: bool) -> Option<Block<'i>> {
    let head = head(lines[at].text)?;
    let extent = extent(lines, at, &head)?;
    let last = match &extent {
        Extent::Closed(last) => *last,
        Extent::Open { last, .. } => *last,
    };
    let op = match extent {
        Extent::Closed(last) => closed_block(lines, at, last, &head, escaped),
        Extent::Open { refusal, .. } => Err(refusal),
    };
    let span = Span::new(lines[at].number, lines[last].number);
    Some(Block { span, path: head.path, op, used: last + 1 - at })
}

/// How far a block goes.
enum Extent {
    /// The line of its end marker.
    Closed(usize),
    /// It has none: the last line that belongs to it, and why it is refused.
    Open { last: usize, refusal: Refusal },
}

/// Looks for the end marker: one of the head's own kind first, then any. A head of the same kind ends the
/// search. A conflict that is merely shown (`<<<<<<< HEAD` … `>>>>>>> topic`) is no block.
fn extent(lines: &[InputLine<'_>], at: usize, head: &Head<'_>) -> Option<Extent> {
    let mut other = None;
    let mut limit = lines.len();
    for (index, line) in lines.iter().enumerate().skip(at + 1) {
        let text = line.text;
        if !marker::may_be_one(text) {
            continue;
        }
        if let Some(end) = end(text) {
            if head.owns_end(&end) {
                return Some(Extent::Closed(index));
            }
            other = other.or(Some(index));
        } else if marker::head(text).is_some_and(|next| head.is_like(&next)) {
            limit = index;
            break;
        } else if head.word == Word::Head && other.is_none() && closes_conflict(text) {
            return None;
        }
    }
    Some(other.map_or_else(|| open_end(lines, at, limit, head), Extent::Closed))
}

fn open_end(lines: &[InputLine<'_>], at: usize, limit: usize, head: &Head<'_>) -> Extent {
    if let Some(last) = divider_as_end(lines, at, limit, head) {
        return Extent::Closed(last);
    }
    let divided = lines[at + 1..limit].iter().any(|line| divider(line.text, head).is_some());
    let expected = if divided { head.end_text() } else { head.divider_text() };
    let refusal = match lines.get(limit) {
        Some(next) => Refusal::MissingMarker { expected, line: next.number },
        None => Refusal::Unfinished { expected },
    };
    Extent::Open { last: limit - 1, refusal }
}

/// A second divider in place of the end marker, if nothing of the block can follow it: a slip that is seen
/// in genuine replies. A row that underlines the line above is text.
fn divider_as_end(lines: &[InputLine<'_>], at: usize, limit: usize, head: &Head<'_>) -> Option<usize> {
    let own: Vec<usize> =
        (at + 1..limit).filter(|&row| divider(lines[row].text, head) == Some(true)).take(3).collect();
    let &[_, second] = &own[..] else { return None };
    let next = fence::first_filled(lines, second + 1, limit);
    let ends =
        lines[second].eol != Eol::None && next.is_none_or(|next| fence::opener(lines[next].text).is_some());
    (ends && !underlines(lines, second)).then_some(second)
}

fn closed_block<'i>(
    lines: &[InputLine<'i>],
    at: usize,
    last: usize,
    head: &Head<'i>,
    escaped: bool,
) -> Result<Op<'i>, Refusal> {
    let (from, stated) = preamble(lines, at, last)?;
    let escaped = escaped || stated.is_some();
    let inner = &lines[from..last];
    let dividers = dividers(inner, head);
    let Some(&first) = dividers.first() else {
        return Err(Refusal::MissingMarker { expected: head.divider_text(), line: lines[last].number });
    };
    if dividers.len() > MAX_READINGS {
        let what = format!("{} lines of this block could be its divider", dividers.len());
        return Err(Refusal::Doubtful { what });
    }
    if stated.is_some() && inner[first..].iter().any(|line| line.text.starts_with(b":start_line:")) {
        let what = "the replacement holds a :start_line: of its own".to_owned();
        return Err(Refusal::Malformed { what });
    }
    let earliest = dividers.iter().copied().min().unwrap_or(first);
    if inner[..earliest].iter().all(|line| is_blank(line.text)) {
        return append(inner, earliest, &dividers, head, escaped);
    }
    let span = Span::new(lines[at].number, lines[last].number);
    let readings = dividers.iter().flat_map(|&cut| readings(inner, cut, head, escaped)).collect();
    let hints = Hints { stated: stated.map(|line| stated_at(line, first)), ..Hints::default() };
    Ok(Op::Update { hunks: vec![Hunk { span, readings, hints }] })
}

fn stated_at(line: u64, count: usize) -> Stated {
    Stated { old_start: line, old_count: count as u64, new_start: line, new_count: count as u64 }
}

/// Reads `:start_line:` and its like below the head; gives the first line of text and the stated line.
fn preamble(lines: &[InputLine<'_>], at: usize, last: usize) -> Result<(usize, Option<u64>), Refusal> {
    let mut from = at + 1;
    let mut stated = None;
    while let Some(rest) =
        lines[from..last].first().and_then(|line| line.text.trim_ascii().strip_prefix(b":"))
    {
        let Some(value) = rest.strip_prefix(b"start_line:").or_else(|| rest.strip_prefix(b"end_line:"))
        else {
            break;
        };
        let number = std::str::from_utf8(value).ok().and_then(|value| value.trim().parse::<u64>().ok());
        let Some(number) = number else {
            return Err(Refusal::Malformed { what: "the line number below SEARCH is no number".to_owned() });
        };
        if rest.starts_with(b"start") {
            stated = Some(number);
        }
        from += 1;
    }
    let ruled = from > at + 1 && lines[from..last].first().is_some_and(|line| marker::is_rule(line.text));
    Ok((from + usize::from(ruled), stated.filter(|&line| line > 0)))
}

/// The lines that may divide old from new, likeliest first.
fn dividers(inner: &[InputLine<'_>], head: &Head<'_>) -> Vec<usize> {
    let all: Vec<(usize, bool)> = inner
        .iter()
        .enumerate()
        .filter_map(|(index, line)| divider(line.text, head).map(|own| (index, own)))
        .collect();
    let own = all.iter().any(|(_, own)| *own);
    let mut found: Vec<usize> = all.into_iter().filter(|(_, o)| *o || !own).map(|(index, _)| index).collect();
    if found.len() > 1 {
        let conflicts = conflicts(inner);
        let outside = |at: &usize| !conflicts.iter().any(|(from, to)| (*from..=*to).contains(at));
        if found.iter().any(outside) {
            found.retain(outside);
        }
        found.sort_by_key(|&at| (underlines(inner, at), at));
    }
    found
}

/// The conflicts, marked by git, that a block's text holds whole.
fn conflicts(inner: &[InputLine<'_>]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut opened = None;
    for (index, line) in inner.iter().enumerate() {
        if opens_conflict(line.text) {
            opened = Some(index);
        } else if closes_conflict(line.text)
            && let Some(from) = opened.take()
        {
            found.push((from, index));
        }
    }
    found
}

/// Does this row of marks underline the line above, as headings do?
fn underlines(inner: &[InputLine<'_>], at: usize) -> bool {
    let width = |line: &InputLine<'_>| line.text.trim_ascii().len();
    let Some(title) = at.checked_sub(1).map(|above| &inner[above]).filter(|line| !is_blank(line.text)) else {
        return false;
    };
    let apart = at.checked_sub(2).is_none_or(|above| is_blank(inner[above].text));
    apart && width(title) <= width(&inner[at]) + 1
}

/// An empty old text: everything below the first divider is new.
fn append<'i>(
    inner: &[InputLine<'i>],
    cut: usize,
    dividers: &[usize],
    head: &Head<'_>,
    escaped: bool,
) -> Result<Op<'i>, Refusal> {
    let titled = |&at: &usize| at == cut || !is_blank(inner[at - 1].text);
    if !dividers.iter().all(titled) {
        let what = "two lines of this block could be its divider".to_owned();
        return Err(Refusal::Doubtful { what });
    }
    let new = &inner[cut + 1..];
    let width = if is_indented(new, head.lead) { head.lead.len() } else { 0 };
    Ok(Op::Append { lines: text(new, width, escaped).into() })
}

/// The readings of a block cut at `cut`: an indented block's text may be indented with it, as in a list
/// item, or may mean its blanks.
fn readings<'i>(inner: &[InputLine<'i>], cut: usize, head: &Head<'_>, escaped: bool) -> Vec<Body<'i>> {
    let (old, new) = (&inner[..cut], &inner[cut + 1..]);
    let read = |width| Body::block(text(old, width, escaped), text(new, width, escaped));
    let width = head.lead.len();
    if width > 0 && is_indented(old, head.lead) && is_indented(new, head.lead) {
        vec![read(width), read(0)]
    } else {
        vec![read(0)]
    }
}

fn is_indented(lines: &[InputLine<'_>], lead: &[u8]) -> bool {
    lines.iter().all(|line| line.text.starts_with(lead) || is_blank(line.text))
}

/// Lines as text, `width` leading blanks taken off.
pub fn text<'i>(lines: &[InputLine<'i>], width: usize, escaped: bool) -> Vec<Line<'i>> {
    let one = |line: &InputLine<'i>| {
        let blanks = indent(line.text).len().min(width);
        let text = &line.text[blanks..];
        let text = if escaped { unescape(text) } else { Cow::Borrowed(text) };
        Line { text, eol: if line.eol == Eol::None { Eol::Lf } else { line.eol } }
    };
    lines.iter().map(one).collect()
}

/// A marker that a back-slash makes text.
fn unescape(line: &[u8]) -> Cow<'_, [u8]> {
    let lead = indent(line);
    match line[lead.len()..].strip_prefix(b"\\") {
        Some(rest) if is_escapable(rest) => Cow::Owned([lead, rest].concat()),
        _ => Cow::Borrowed(line),
    }
}

fn is_escapable(rest: &[u8]) -> bool {
    const MARKERS: [&[u8]; 6] =
        [b"<<<<<<<", b"=======", b">>>>>>>", b"-------", b":start_line:", b":end_line:"];
    MARKERS.iter().any(|marker| rest.starts_with(marker))
}

impl Head<'_> {
    fn divider_text(&self) -> &'static str {
        "======="
    }

    fn end_text(&self) -> &'static str {
        match (self.family, self.word) {
            (Family::Dash, _) => "+++++++ REPLACE",
            (Family::Angle, Word::Search) => ">>>>>>> REPLACE",
            (Family::Angle, _) => ">>>>>>> UPDATED",
        }
    }
}

#[cfg(test)]
mod tests;
