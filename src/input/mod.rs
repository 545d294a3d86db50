//! From bytes to edits. A reader never sees the file system.
//!
//! [`read`] cuts the input into lines, walks them once and numbers what it finds. Each format has a reader
//! of its own; `detect` decides which one is asked.

#[doc(hidden)]
pub mod binary;
mod bom;
mod detect;
mod diffs;
mod edit_call;
mod fence;
mod foreign;
mod hashline;
mod json;
mod name;
mod naming;
mod search_replace;
#[doc(hidden)]
pub mod section;
#[doc(hidden)]
pub mod strict;
mod tagged;
#[doc(hidden)]
pub mod unified;
#[doc(hidden)]
pub mod v4a;
mod whole_file;

use crate::{
    edit::{Fault, Format, Parsed},
    text::{BOM, Content, Eol, cut_eol, each_line_end, line_count},
};

use diffs::Wanted;
use section::Item;

/// A line of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputLine<'i> {
    /// Without its line end.
    pub text: &'i [u8],
    /// How it ends.
    pub eol: Eol,
    /// Counted from 1.
    pub number: usize,
}

/// Cuts an input into lines; a byte-order mark is dropped.
pub fn lines(input: &[u8]) -> Vec<InputLine<'_>> {
    let input = input.strip_prefix(BOM).unwrap_or(input);
    let mut lines = Vec::with_capacity(line_count(input));
    let mut from = 0;
    let mut take = |end: usize| {
        if from < end {
            let (text, eol) = cut_eol(&input[from..end]);
            lines.push(InputLine { text, eol, number: lines.len() + 1 });
        }
        from = end;
    };
    each_line_end(input, |at| take(at + 1));
    take(input.len());
    lines
}

/// How often an input may be quoted (`> > `).
const MAX_QUOTED: usize = 3;

/// Reads all edits of an input; `only` forces one format. If nothing is found, quoted lines (`> `) are
/// read without their mark.
pub fn read(input: &[u8], only: Option<Format>) -> Parsed<'_> {
    read_any(input, None, only)
}

/// As [`read`], for an input that edits may go on to hold: they copy less of it.
pub fn read_held(input: &Content, only: Option<Format>) -> Parsed<'_> {
    read_any(input, Some(input), only)
}

fn read_any<'i>(input: &'i [u8], held: Option<&Content>, only: Option<Format>) -> Parsed<'i> {
    let diff = Wanted(only).has(Format::Unified).then(|| unified::stream::read(input, held)).flatten();
    match diff {
        Some(mut items) => {
            diffs::fill_paths(&mut items, None);
            number(detect::Found { items, skipped: 0 })
        }
        None => read_lines(input, only),
    }
}

fn read_lines(input: &[u8], only: Option<Format>) -> Parsed<'_> {
    let mut lines = lines(input);
    let mut found = detect::walk(&lines, only);
    for _ in 0..MAX_QUOTED {
        if !found.items.is_empty() || !unquote(&mut lines) {
            break;
        }
        found = detect::walk(&lines, only);
    }
    number(found)
}

/// Takes one quotation mark off each quoted line; false if there is none. A run of them is a marker.
fn unquote(lines: &mut [InputLine<'_>]) -> bool {
    let mut quoted = false;
    for line in lines {
        let Some(rest) = line.text.strip_prefix(b">").filter(|rest| !rest.starts_with(b">>>>")) else {
            continue;
        };
        line.text = rest.strip_prefix(b" ").unwrap_or(rest);
        quoted = true;
    }
    quoted
}

fn number(found: detect::Found<'_>) -> Parsed<'_> {
    let mut faults = Vec::new();
    let numbered = found.items.into_iter().enumerate().filter_map(|(index, item)| match item {
        Item::Edit(mut edit) => {
            edit.id = index + 1;
            let Err(refusal) = bom::settle(&mut edit) else { return Some(edit) };
            faults.push(Fault {
                id: edit.id,
                format: edit.format,
                span: edit.span,
                path: edit.path,
                call: edit.call,
                refusal,
            });
            None
        }
        Item::Fault(mut fault) => {
            fault.id = index + 1;
            faults.push(fault);
            None
        }
    });
    Parsed { edits: numbered.collect(), faults, skipped: found.skipped }
}
