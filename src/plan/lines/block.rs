//! Where a block of syntax ends, without a parser.
//!
//! Brackets and indentation are asked, each for itself; only where they agree is the answer given.

use crate::{
    refusal::Refusal,
    text::{Text, indent::indent, is_blank},
};

mod brackets;
mod python;

/// The line after the last of the block that begins at line `first` (from 0).
///
/// # Errors
/// No block of more than one line certainly begins there.
pub(super) fn end(text: &Text, first: usize, path: &[u8]) -> Result<usize, Refusal> {
    let found = match kind(path) {
        Some(Kind::Markdown) => heading(text, first),
        Some(Kind::Python) => python::end(text, first),
        Some(Kind::Yaml) => yaml(text, first),
        Some(Kind::Brackets(rules)) => brackets::end(text, first, rules),
        None => Err("nothing is known of blocks in such a file"),
    };
    let found = found.and_then(|end| if end > first + 1 { Ok(end) } else { Err("it is one line") });
    found.map_err(|why| Refusal::Doubtful {
        what: format!("the block at line {} has no certain end ({why}): give its lines as `A.=B`", first + 1),
    })
}

enum Kind {
    Markdown,
    Python,
    Yaml,
    Brackets(brackets::Rules),
}

fn kind(path: &[u8]) -> Option<Kind> {
    let base = path.rsplit(|&b| b == b'/').next()?;
    let dot = base.iter().rposition(|&b| b == b'.')?;
    let extension = String::from_utf8_lossy(&base[dot + 1..]).to_ascii_lowercase();
    Some(match extension.as_str() {
        "md" | "markdown" => Kind::Markdown,
        "py" | "pyi" => Kind::Python,
        "yml" | "yaml" => Kind::Yaml,
        other => Kind::Brackets(brackets::Rules::of(other)?),
    })
}

/// The level of a heading line; 0: none.
fn level(line: &[u8]) -> usize {
    let hashes = line.iter().take_while(|&&b| b == b'#').count();
    if (1..=6).contains(&hashes) && matches!(line.get(hashes), None | Some(b' ' | b'\t')) {
        hashes
    } else {
        0
    }
}

/// A heading's section runs to the next heading of its level or a higher one; those in fences are text.
fn heading(text: &Text, first: usize) -> Result<usize, &'static str> {
    let own = level(text.body(first));
    if own == 0 {
        return Err("the line is no heading");
    }
    let mut fence: Option<&[u8]> = None;
    for at in first + 1..text.len() {
        let line = text.body(at).trim_ascii();
        let mark = [&b"```"[..], b"~~~"].into_iter().find(|mark| line.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) if (1..=own).contains(&level(text.body(at))) => return Ok(at),
            _ => {}
        }
    }
    if fence.is_some() { Err("a fence is not closed") } else { Ok(text.len()) }
}

/// How a line's indentation stands to that of the block's first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    Blank,
    Deeper,
    Same,
    Outside,
    /// Tabs against blanks.
    Unclear,
}

/// After the closing quote of the string that opens at `at`.
fn string_end(line: &[u8], at: usize) -> Option<usize> {
    let mut next = at + 1;
    while let Some(&byte) = line.get(next) {
        match byte {
            b'\\' => next += 2,
            byte if byte == line[at] => return Some(next + 1),
            _ => next += 1,
        }
    }
    None
}

fn depth(line: &[u8], own: &[u8]) -> Depth {
    let here = indent(line);
    if is_blank(line) {
        Depth::Blank
    } else if here == own {
        Depth::Same
    } else if here.starts_with(own) {
        Depth::Deeper
    } else if own.starts_with(here) {
        Depth::Outside
    } else {
        Depth::Unclear
    }
}

/// A key or list item and what is indented below it; a key's list may stand at its own indentation.
fn yaml(text: &Text, first: usize) -> Result<usize, &'static str> {
    let head = text.body(first);
    let own = indent(head);
    let trimmed = head.trim_ascii();
    if trimmed.is_empty() || trimmed.starts_with(b"#") {
        return Err("no key stands there");
    }
    let is_key = trimmed.ends_with(b":") && !trimmed.starts_with(b"-");
    let mut end = first + 1;
    for at in first + 1..text.len() {
        let line = text.body(at);
        match depth(line, own) {
            Depth::Deeper => end = at + 1,
            Depth::Same if is_key && line.trim_ascii().starts_with(b"- ") => end = at + 1,
            Depth::Blank => {}
            Depth::Same | Depth::Outside if line.trim_ascii().starts_with(b"#") => {}
            Depth::Same | Depth::Outside => break,
            Depth::Unclear => return Err("tabs and blanks are mixed"),
        }
    }
    let closes = |line: usize| matches!(text.body(line).trim_ascii().first(), Some(b'}' | b']'));
    if end < text.len() && closes(end) { Err("a bracket closes below it") } else { Ok(end) }
}

#[cfg(test)]
mod tests;
