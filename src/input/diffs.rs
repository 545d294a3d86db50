//! The way from the walk to the readers of diffs (unified, V4A, hashline), and the formats that `foreign` knows.

use crate::{
    edit::{Call, Edit, Fault, Format, Name, Span},
    refusal::Refusal,
    text::{indent::indent, is_blank},
};

use super::{
    InputLine,
    edit_call::{self, Known},
    fence, foreign, hashline,
    section::{End, Item, Section},
    unified, v4a,
};

/// Which formats the input may hold.
#[derive(Clone, Copy, Debug)]
pub struct Wanted(pub Option<Format>);

impl Wanted {
    pub fn has(self, format: Format) -> bool {
        self.0.is_none_or(|only| only == format)
    }

    /// Whole files and elided ones look the same from outside.
    pub fn has_whole(self) -> bool {
        self.has(Format::WholeFile) || self.has(Format::Elided)
    }
}

/// How many lines decide whether an indented diff begins.
const LOOK: usize = 16;

/// Does a diff or another format with marks of its own begin at `lines[at]`?
pub fn starts(lines: &[InputLine<'_>], at: usize, fresh: bool, wanted: Wanted, known: &mut Known) -> bool {
    (wanted.has(Format::Hashline) && hashline::starts(lines, at))
        || foreign::starts(lines, at, fresh).is_some_and(|(format, _)| wanted.has(format))
        || (wanted.has(Format::EditCall) && edit_call::starts(lines, at, known))
        || (wanted.has(Format::V4a) && v4a::starts(lines, at))
        || (wanted.has(Format::Unified) && unified::starts(lines, at))
}

/// Reads the section that begins at `lines[at]`, if one does; `lines` ends where its fence does.
pub fn read<'i>(
    lines: &[InputLine<'i>],
    at: usize,
    end: End,
    fresh: bool,
    wanted: Wanted,
    known: &mut Known,
) -> Option<Section<'i>> {
    if wanted.has(Format::Hashline) && hashline::starts(lines, at) {
        return Some(hashline::read(lines, at, end));
    }
    if let Some((format, used)) = foreign::starts(lines, at, fresh).filter(|(format, _)| wanted.has(*format))
    {
        return Some(unsupported(&lines[at..at + used], format));
    }
    if wanted.has(Format::EditCall)
        && let Some(section) = edit_call::read(lines, at, known)
    {
        return Some(section);
    }
    if wanted.has(Format::V4a) && v4a::starts(lines, at) {
        return Some(v4a::read(&lines[at..], end));
    }
    (wanted.has(Format::Unified) && unified::starts(lines, at)).then(|| unified::read(&lines[at..], end))
}

fn unsupported<'i>(lines: &[InputLine<'i>], format: Format) -> Section<'i> {
    let span = Span::new(lines[0].number, lines[lines.len() - 1].number);
    let refusal = Refusal::FormatNotSupported { format: format.name() };
    Section {
        items: vec![Item::Fault(Fault { id: 0, format, span, path: None, refusal, call: Call::default() })],
        used: lines.len(),
    }
}

/// Does a diff that is indented as a whole begin at `lines[at]`?
pub fn starts_indented(lines: &[InputLine<'_>], at: usize, wanted: Wanted) -> bool {
    let width = indent(lines[at].text).len();
    let first = &lines[at].text[width..];
    let likely = || {
        [&b"--- "[..], b"diff --git ", b"*** ", b"Index: ", b"@@ "]
            .iter()
            .any(|start| first.starts_with(start))
    };
    width > 0 && likely() && {
        let near = fence::dedent(&lines[at..lines.len().min(at + LOOK)], width);
        starts(&near, 0, false, wanted, &mut Known::default())
    }
}

/// As [`read`], for a section that is indented as a whole.
pub fn read_indented<'i>(
    lines: &[InputLine<'i>],
    at: usize,
    end: End,
    wanted: Wanted,
) -> Option<Section<'i>> {
    let width = indent(lines[at].text).len();
    let len = lines[at..].iter().take_while(|line| belongs(line.text, width)).count();
    read(&fence::dedent(&lines[at..at + len], width), 0, end, false, wanted, &mut Known::default())
}

fn belongs(line: &[u8], width: usize) -> bool {
    indent(line).len() >= width || is_blank(line)
}

/// Reads every section of a fence, and a diff that has no header as its first.
pub fn read_fence<'i>(lines: &[InputLine<'i>], end: End, headerless: bool, wanted: Wanted) -> Vec<Item<'i>> {
    let (mut items, mut known) = (Vec::new(), Known::default());
    let mut at = 0;
    while at < lines.len() {
        let fresh = items.is_empty();
        let section = read(lines, at, end, fresh, wanted, &mut known).or_else(|| {
            let begins = headerless && fresh && wanted.has(Format::Unified) && is_prefixed(lines[at].text);
            begins.then(|| unified::read(&lines[at..], end))
        });
        match section {
            Some(section) => {
                at += section.used.max(1);
                items.extend(section.items);
            }
            None => at += 1,
        }
    }
    items
}

/// A hunk's head or body line, where no file header stands before it.
fn is_prefixed(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'@' | b'+' | b'-' | b' ')) && !line.trim_ascii().is_empty()
}

/// Gives the path of the context to what a diff left nameless; a name holds for what follows it.
pub fn fill_paths<'i>(items: &mut [Item<'i>], context: Option<Name<'i>>) {
    let mut name = context;
    for item in items {
        let (Item::Edit(Edit { path, .. }) | Item::Fault(Fault { path, .. })) = item;
        match path {
            Some(path) => name = Some(path.clone()),
            None => *path = name.clone(),
        }
    }
}
