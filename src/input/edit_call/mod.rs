//! Calls of edit tools: JSON alone, in arrays, line by line, in fences, in transcripts.
//!
//! `envelope` finds the calls in a value, `args` tells the tool's family by the spelling of its arguments
//! and makes edits of them. JSON that holds no call is no edit and is passed over.

mod args;
mod carried;
mod envelope;
mod sloppy;
mod texts;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use crate::{
    edit::{Call, Fault, Format, Span},
    refusal::Refusal,
    text::is_blank,
};

use super::{
    InputLine,
    json::{self, Cursor, Value, Wrong},
    section::{Item, Section},
};

/// How many lines of a text are searched for the names of an edit's arguments.
const LOOK: usize = 24;

/// Names of arguments that only edit tools have, and of the frames that calls stand in.
const KEYS: &[&[u8]] = &[
    b"old_string",
    b"oldString",
    b"oldText",
    b"old_text",
    b"old_str",
    b"new_str",
    b"new_text",
    b"insert_line",
    b"code_edit",
    b"patchText",
    b"tool_use",
    b"tool_calls",
    b"tool-call",
    b"tool_call",
    b"toolCall",
    b"toolName",
    b"function_call",
    b"functionCall",
    b"custom_tool_call",
    b"arguments",
    b"tool",
    b"replaceAll",
    b"replace_all",
    b"edits",
];

/// What is known of the JSON texts among some lines, so that none is read over and over.
#[derive(Debug, Default)]
pub struct Known {
    /// How many lines there are; of others nothing is known.
    len: usize,
    /// Rows where a text begins without an edit in it, or in any that follows up to where JSON ends.
    barren: HashSet<usize>,
    /// A row, and what stands there.
    found: Option<(usize, Section<'static>)>,
}

impl Known {
    fn of(&mut self, lines: &[InputLine<'_>]) -> &mut Known {
        if self.len != lines.len() {
            *self = Known { len: lines.len(), ..Known::default() };
        }
        self
    }
}

/// Does a call, or JSON around calls, begin at `lines[at]`?
pub fn starts(lines: &[InputLine<'_>], at: usize, known: &mut Known) -> bool {
    if sloppy::starts(lines[at].text) {
        return true;
    }
    let found = in_json(lines, at, known.of(lines));
    known.found = found.map(|section| (at, section));
    known.found.is_some()
}

/// Reads the calls that begin at `lines[at]`, if one does: all values up to the first line that begins none.
pub fn read<'i>(lines: &[InputLine<'i>], at: usize, known: &mut Known) -> Option<Section<'i>> {
    if sloppy::starts(lines[at].text) {
        return Some(sloppy::read(lines, at));
    }
    let known = known.of(lines);
    match known.found.take_if(|(row, _)| *row == at) {
        Some((_, section)) => Some(section),
        None => in_json(lines, at, known),
    }
}

fn in_json(lines: &[InputLine<'_>], at: usize, known: &mut Known) -> Option<Section<'static>> {
    if known.barren.contains(&at) || !is_likely(lines, at) {
        return None;
    }
    section(lines, at, &mut known.barren)
}

/// Reads the values one after another; what is no call is passed over. If none is one, the rows on which they begin
/// are noted.
fn section(lines: &[InputLine<'_>], at: usize, barren: &mut HashSet<usize>) -> Option<Section<'static>> {
    let (mut calls, mut rows) = (Vec::new(), Vec::new());
    let mut section = Section::default();
    let mut row = at;
    while row < lines.len() {
        let column = lines[row].text.len() - lines[row].text.trim_ascii_start().len();
        if !opens_json(&lines[row].text[column..]) {
            break;
        }
        rows.push(row);
        match values(lines, Cursor { row, column }, &mut calls) {
            Ok(next) => row = next,
            Err((wrong, here)) => {
                let broken = is_likely(lines, row) && (here || is_certain(lines, row));
                if broken {
                    let last = row + len_by_brackets(&lines[row..]);
                    let span = Span::new(lines[row].number, lines[last - 1].number);
                    section.items.push(fault(span, refusal_of(wrong)));
                    row = last;
                }
                break;
            }
        }
        section.used = row - at;
        row += lines[row..].iter().take_while(|line| is_blank(line.text)).count();
    }
    section.used = section.used.max(row.min(lines.len()).saturating_sub(at)).max(1);
    section.items.splice(0..0, args::items(&calls));
    if section.items.is_empty() && calls.iter().all(args::makes_none) {
        barren.extend(rows);
    }
    (!section.items.is_empty()).then_some(section)
}

/// Reads the values that begin on one line; returns the row below the last.
fn values<'i>(
    lines: &[InputLine<'i>],
    from: Cursor,
    calls: &mut Vec<envelope::Found>,
) -> Result<usize, (Wrong, bool)> {
    let mut at = from;
    loop {
        let (value, end) = json::read(lines, at).map_err(|wrong| (wrong, false))?;
        let before = calls.len();
        collect(value, lines[at.row].number, calls);
        let rest = lines.get(end.row).map_or(&b""[..], |line| &line.text[end.column..]);
        let tail = rest.trim_ascii_start();
        let next = tail.strip_prefix(b",").unwrap_or(tail).trim_ascii_start();
        if opens_json(next) {
            at = Cursor { row: end.row, column: end.column + rest.len() - next.len() };
            continue;
        }
        if calls.len() > before && !closes_line(next) {
            calls.truncate(before);
            let what = format!("`{}` behind the call", String::from_utf8_lossy(&next[..next.len().min(40)]));
            return Err((Wrong::Unexpected { what, line: lines[end.row].number }, true));
        }
        return Ok((end.row + 1).min(lines.len()));
    }
}

/// What may follow a call on its line: nothing that could be a part of it.
fn closes_line(rest: &[u8]) -> bool {
    !rest.iter().any(|b| matches!(b, b'"' | b'{' | b'}' | b'[' | b']' | b'\\'))
}

fn collect(value: Value, line: usize, calls: &mut Vec<envelope::Found>) {
    envelope::calls(value, line, calls);
}

fn fault(span: Span, refusal: Refusal) -> Item<'static> {
    Item::Fault(Fault { id: 0, format: Format::EditCall, span, path: None, refusal, call: Call::default() })
}

fn refusal_of(wrong: Wrong) -> Refusal {
    let malformed = |what: String| Refusal::Malformed { what };
    match wrong {
        Wrong::CutOff => Refusal::Unfinished { expected: "the end of the JSON text" },
        Wrong::TooDeep => malformed("the JSON text is nested too deep: at most 64 levels are read".into()),
        Wrong::TooLarge => Refusal::TooLarge {
            what: "a string of the JSON text is over 64 MiB, or it has over two million values".into(),
        },
        Wrong::Twice(key) => {
            malformed(format!("the key `{key}` stands twice in one object of the JSON text"))
        }
        Wrong::Unexpected { what, line } => malformed(format!(
            "the JSON text can't be read at input line {line}: {what} is not expected there (is a quote in a \
             string not escaped?)"
        )),
    }
}

/// JSON that may hold a call: the names in its first lines say so.
fn is_likely(lines: &[InputLine<'_>], at: usize) -> bool {
    if !opens_json(lines[at].text.trim_ascii()) {
        return false;
    }
    let (mut path, mut content, mut commanded) = (false, false, false);
    for word in lines[at..lines.len().min(at + LOOK)].iter().flat_map(|line| quoted_words(line.text)) {
        if KEYS.contains(&word) || matches!(word, b"input" | b"patch" | b"cmd") {
            return true;
        }
        path |= matches!(word, b"path" | b"file_path" | b"filePath");
        commanded |= word == b"command";
        content |= matches!(word, b"content" | b"command" | b"diff" | b"search" | b"input");
    }
    path && content || commanded || begins_deep(lines[at].text)
}

/// A heap of brackets is no prose either.
fn begins_deep(line: &[u8]) -> bool {
    line.iter().take_while(|b| matches!(b, b'[' | b'{' | b' ')).count() > 64
}

/// Broken JSON that was surely meant as a call: a key of its own kind stands on its first lines.
fn is_certain(lines: &[InputLine<'_>], at: usize) -> bool {
    let near = &lines[at..lines.len().min(at + LOOK)];
    near.iter().flat_map(|line| keys(line.text)).any(|key| {
        KEYS.contains(&key) || matches!(key, b"path" | b"file_path" | b"filePath" | b"target_file")
    }) || begins_deep(lines[at].text)
}

/// Quoted words that a colon follows.
fn keys(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = quoted_words(line);
    let next = line.split(|&b| b == b'"').skip(2);
    words.zip(next).filter(|(_, next)| next.trim_ascii_start().starts_with(b":")).map(|(word, _)| word)
}

/// `{` or `[`, alone or before a string or another bracket.
fn opens_json(line: &[u8]) -> bool {
    if !matches!(line.first(), Some(b'{' | b'[')) {
        return false;
    }
    let next = line.get(1..).unwrap_or_default().trim_ascii_start().first();
    next.is_none_or(|b| matches!(b, b'"' | b'{' | b'['))
}

/// What stands between one double quote and the next.
fn quoted_words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&b| b == b'"').skip(1)
}

/// The lines of one JSON text, by its brackets; all the rest if it never closes.
fn len_by_brackets(lines: &[InputLine<'_>]) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (index, line) in lines.iter().enumerate() {
        for &byte in line.text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                b'{' | b'[' if !quoted => depth += 1,
                b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        if depth == 0 && !quoted {
            return index + 1;
        }
    }
    lines.len()
}
