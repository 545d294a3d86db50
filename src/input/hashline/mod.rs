//! Hashline: operations by line number, in sections that name a file and the tag of the text that the
//! numbers count in.
//!
//! ```text
//! [src/a.rs#2914]
//! PUT 2.=3:
//! +new line
//! CUT 7
//! ```
//!
//! Spellings of earlier versions are recognised and refused by name.

use std::borrow::Cow;

use super::{
    InputLine, fence,
    section::{End, Item, Section},
};
use crate::{
    edit::{Call, Edit, Fault, Format, LineEdit, ModeChange, Name, Note, Op, Span},
    refusal::Refusal,
};

mod body;
mod build;
mod header;
mod old;
mod op;

use body::Next;
use build::Builder;
use header::Header;

/// How far below a header its first operation may stand.
const NEAR: usize = 4;

/// Does a section, an envelope around one, or an edit of an earlier version begin at `lines[at]`?
pub fn starts(lines: &[InputLine<'_>], at: usize) -> bool {
    match lines[at].text.trim_ascii_start().first() {
        Some(b'[') => section(lines, at).is_some() || old::starts(lines, at).is_some(),
        Some(b'*') => section(lines, at).is_some() || enveloped(lines, at).is_some(),
        Some(b'@' | b'{' | 0xc2) => old::starts(lines, at).is_some(),
        _ => false,
    }
}

/// The first section of the envelope that begins here.
fn enveloped(lines: &[InputLine<'_>], at: usize) -> Option<usize> {
    let head = lines[at].text.trim_ascii() == b"*** Begin Patch";
    let next = head.then(|| fence::first_filled(lines, at + 1, at + NEAR)).flatten()?;
    section(lines, next).map(|_| next)
}

/// The header that stands here, if a section begins with it.
fn section<'i>(lines: &[InputLine<'i>], at: usize) -> Option<Header<'i>> {
    let header = header::header(lines[at].text)?;
    let next = fence::first_filled(lines, at + 1, at + NEAR).map(|next| (next, lines[next].text));
    let follows = next.is_some_and(|(next, line)| {
        let operation = op::head(line).is_some();
        let loose = || {
            op::row(line).is_some()
                || op::bare_range(line, false).is_some()
                || old::operation(line).is_some()
                || header.is_sure() && (next == at + 1 || line.starts_with(b"#"))
        };
        operation || header.tag.is_some() && loose()
    });
    follows.then_some(header)
}

/// Reads the sections that begin at `lines[at]`; `lines` ends where its fence does.
pub fn read<'i>(lines: &[InputLine<'i>], at: usize, end: End) -> Section<'i> {
    if let Some((what, used)) = old::starts(lines, at).filter(|_| section(lines, at).is_none()) {
        let span = Span::new(lines[at].number, lines[at + used - 1].number);
        let fault = Fault {
            id: 0,
            format: Format::Hashline,
            span,
            path: None,
            refusal: Refusal::Malformed { what },
            call: Call::default(),
        };
        return Section { items: vec![Item::Fault(fault)], used };
    }
    let mut patch = Patch { lines, at, end, envelope: false, over: false, items: Vec::new() };
    if let Some(first) = enveloped(lines, at) {
        patch.envelope = true;
        patch.at = first;
    }
    while !patch.over
        && let Some(header) = (patch.at < lines.len()).then(|| section(lines, patch.at)).flatten()
    {
        patch.section(header);
    }
    Section { used: patch.at - at, items: patch.items }
}

struct Patch<'a, 'i> {
    lines: &'a [InputLine<'i>],
    at: usize,
    end: End,
    envelope: bool,
    /// Its end was seen.
    over: bool,
    items: Vec<Item<'i>>,
}

impl<'i> Patch<'_, 'i> {
    /// Reads one section, from its header to the next.
    fn section(&mut self, header: Header<'i>) {
        let first = self.at;
        let mut builder = Builder::new(self.is_open());
        let mut cut_by_fence = false;
        self.at += 1;
        while self.at < self.lines.len() && section(self.lines, self.at).is_none() {
            let line = self.lines[self.at];
            if self.is_open() && fence::opener(line.text).is_some() {
                cut_by_fence = true;
                break;
            }
            self.at += 1;
            match line.text.trim_ascii() {
                b"*** Begin Patch" => {}
                b"*** End Patch" => self.over = true,
                b"*** Abort" => {
                    builder.aborted();
                    self.at = self.lines.len();
                    self.over = true;
                }
                _ => builder.line(line),
            }
            if self.over {
                break;
            }
        }
        let last = self.lines[self.at.min(self.lines.len()) - 1].number;
        let next = if self.is_open() { Next::Open } else { Next::Closed };
        let built = self.unfinished().map_or(Ok(()), Err);
        let built = built
            .and_then(|()| builder.finish(next, cut_by_fence).map_err(|what| Refusal::Malformed { what }));
        self.item(header, Span::new(self.lines[first].number, last), built);
    }

    fn item(&mut self, header: Header<'i>, span: Span, built: Result<build::Built<'i>, Refusal>) {
        let path = Some(Name::plain(header.path));
        let tag = header.number().map_err(|what| Refusal::Malformed { what });
        let item = match tag.and_then(|tag| Ok((tag, built?))) {
            Err(refusal) => Item::Fault(Fault {
                id: 0,
                format: Format::Hashline,
                span,
                path,
                refusal,
                call: Call::default(),
            }),
            Ok((tag, built)) => Item::Edit(Edit {
                id: 0,
                format: Format::Hashline,
                span,
                path,
                move_to: built.move_to.map(Name::plain),
                copy: false,
                mode: ModeChange::default(),
                op: Op::Lines(LineEdit { tag, ops: built.ops, remove: built.remove }),
                notes: built.notes.into_iter().map(|(span, text)| Note { span: Some(span), text }).collect(),
                call: Call::default(),
            }),
        };
        self.items.push(item);
    }

    /// A reply may go on in prose.
    fn is_open(&self) -> bool {
        matches!(self.end, End::Input { .. }) && !self.envelope
    }

    /// The input breaks off in the middle of a line that something has to follow.
    fn unfinished(&self) -> Option<Refusal> {
        if self.over || self.at < self.lines.len() {
            return None;
        }
        match self.end {
            End::Unclosed { newline: false } => Some(Refusal::Unfinished { expected: "the closing fence" }),
            End::Input { newline: false } if self.envelope => {
                Some(Refusal::Unfinished { expected: "`*** End Patch`" })
            }
            _ => None,
        }
    }
}

/// A register's name, owned by the operation.
type Bytes<'i> = Cow<'i, [u8]>;

#[cfg(test)]
mod tests;
