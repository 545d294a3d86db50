//! The walk over an input: what stands where, read by whose rules.
//!
//! Prose is passed over line by line. Blocks with markers are found wherever they stand; a fence is
//! looked at once, as a whole, and is a diff, a file, the frame around blocks, or prose.

use crate::{
    edit::{Call, Edit, Fault, Format, ModeChange, Name, Op, Reading, Span},
    refusal::Refusal,
    text::{Eol, is_blank},
};

use super::{
    InputLine,
    diffs::{self, Wanted},
    edit_call::Known,
    fence::{self, Fences, Opener},
    naming::{self, ForBlock},
    search_replace,
    section::{End, Item},
    tagged, whole_file,
};

mod doubt;
mod framed;

/// A carried name keeps no more other readings than this.
const MAX_READINGS: usize = 6;

/// What was found, not yet numbered.
#[derive(Debug, Default)]
pub struct Found<'i> {
    pub items: Vec<Item<'i>>,
    /// Code fences that are no edits.
    pub skipped: usize,
}

/// Walks the lines of an input.
pub fn walk<'i>(lines: &[InputLine<'i>], only: Option<Format>) -> Found<'i> {
    let mut walk = Walk {
        lines,
        fences: Fences::new(lines),
        wanted: Wanted(only),
        at: 0,
        first: fence::first_filled(lines, 0, lines.len()).unwrap_or(0),
        known: Known::default(),
        floor: 0,
        inside: None,
        escaped: false,
        carried: None,
        found: Found::default(),
    };
    while walk.at < lines.len() {
        walk.step();
    }
    walk.cut_off_in_an_opener();
    walk.found
}

struct Walk<'a, 'i> {
    lines: &'a [InputLine<'i>],
    fences: Fences<'i>,
    wanted: Wanted,
    at: usize,
    /// The first line that is not blank.
    first: usize,
    known: Known,
    /// Names are looked for from here on: the end of the last edit.
    floor: usize,
    /// The fence around the lines that are walked.
    inside: Option<Opener<'i>>,
    /// Within `<apply_diff>`, where markers in the text are escaped.
    escaped: bool,
    /// The file of the last edit.
    carried: Option<Name<'i>>,
    found: Found<'i>,
}

impl<'i> Walk<'_, 'i> {
    fn step(&mut self) {
        let line = self.lines[self.at].text;
        if is_blank(line) {
            self.at += 1;
            return;
        }
        let read = self.thought(line) || self.block() || self.tagged() || self.diff() || self.fence(line);
        if !read {
            self.wrapper(line);
            self.at += 1;
        }
    }

    /// Passes over what a model says to itself: no edit in there counts. If only the end of it is seen, it
    /// began with the input.
    fn thought(&mut self, line: &[u8]) -> bool {
        let Some(thought) = thought(line).filter(|_| self.inside.is_none()) else { return false };
        match thought {
            Thought::Begins(tag) => {
                let rest = &self.lines[self.at..];
                let close = rest.iter().position(|line| ends_thought(line.text, tag));
                self.at += close.map_or(rest.len(), |close| close + 1);
            }
            Thought::Ends => {
                self.found.skipped += self.found.items.len();
                self.found.items.clear();
                self.carried = None;
                self.at += 1;
            }
        }
        self.floor = self.at;
        true
    }

    /// Notes the tags around a tool's call; one without any block in it is a fault.
    fn wrapper(&mut self, line: &[u8]) {
        if line.trim_ascii() == b"</apply_diff>" {
            self.escaped = false;
        }
        let Some(tag) = naming::tag_name(line).filter(|tag| CALLS.contains(tag)) else { return };
        self.escaped = tag == CALLS[0];
        if self.wanted.has(Format::SearchReplace) && !self.holds_block(tag) {
            let what = format!("no SEARCH block stands in this <{}>", tag.escape_ascii());
            let number = self.lines[self.at].number;
            self.fault(Format::SearchReplace, Span::new(number, number), None, Refusal::Malformed { what });
        }
    }

    /// Is there a block before the tag that begins here ends, or another call begins?
    fn holds_block(&self, tag: &[u8]) -> bool {
        let closes = |line: &[u8]| {
            let inner = line.trim_ascii().strip_prefix(b"</").and_then(|line| line.strip_suffix(b">"));
            inner == Some(tag) || naming::tag_name(line).is_some_and(|tag| CALLS.contains(&tag))
        };
        let mut inner = self.lines[self.at + 1..].iter().take_while(|line| !closes(line.text));
        inner.any(|line| search_replace::head(line.text).is_some())
    }

    /// A SEARCH/REPLACE block.
    fn block(&mut self) -> bool {
        if !self.wanted.has(Format::SearchReplace) {
            return false;
        }
        let Some(block) = search_replace::read(self.lines, self.at, self.escaped) else { return false };
        let path = block.path.or_else(|| self.name_above());
        self.push_block(block.op, block.span, path, block.used);
        true
    }

    /// Old and new text in tags, or a file's content.
    fn tagged(&mut self) -> bool {
        if self.wanted.has_whole() && self.content() {
            return true;
        }
        if !self.wanted.has(Format::SearchReplace) {
            return false;
        }
        let Some(tagged) = tagged::read(self.lines, self.at) else { return false };
        let path = self.name_above();
        self.push_block(tagged.op, tagged.span, path, tagged.used);
        true
    }

    /// A file's text in `<content>`.
    fn content(&mut self) -> bool {
        let Some(content) = tagged::content(self.lines, self.at) else { return false };
        let span = Span::new(self.lines[self.at].number, self.lines[self.at + content.used - 1].number);
        match content.text {
            Ok(lines) => self.edit(whole_file::whole(lines, Name::plain(content.path), span)),
            Err(refusal) => self.fault(Format::WholeFile, span, Some(Name::plain(content.path)), refusal),
        }
        self.pass(content.used);
        true
    }

    /// The name that the lines above give, or that of the last edit.
    fn name_above(&self) -> Option<Name<'i>> {
        match naming::for_block(self.lines, self.floor, self.at) {
            ForBlock::Sure(name) => Some(name),
            ForBlock::Weak(name) => self.carried.clone().or(Some(name)),
            ForBlock::Nothing => {
                let lone = naming::lone_word(self.lines, self.floor, self.at).map(Reading::First);
                let carried = self.carried.clone();
                carried.map(|name| Name {
                    also: lone.into_iter().chain(name.also).take(MAX_READINGS).collect(),
                    ..name
                })
            }
        }
    }

    fn push_block(&mut self, op: Result<Op<'i>, Refusal>, span: Span, path: Option<Name<'i>>, used: usize) {
        let lone = || naming::lone_word(self.lines, self.floor, self.at).map(Name::plain);
        let path = path.or_else(|| if matches!(op, Ok(Op::Update { .. })) { lone() } else { None });
        match op {
            Ok(op) => self.edit(Edit {
                id: 0,
                format: Format::SearchReplace,
                span,
                path,
                move_to: None,
                copy: false,
                mode: ModeChange::default(),
                op,
                notes: Vec::new(),
                call: Call::default(),
            }),
            Err(refusal) => {
                self.carried = path.clone();
                self.items(vec![Item::Fault(Fault {
                    id: 0,
                    format: Format::SearchReplace,
                    span,
                    path,
                    refusal,
                    call: Call::default(),
                })]);
            }
        }
        self.pass(used);
    }

    /// A diff in prose, or in a fence that is being walked.
    fn diff(&mut self) -> bool {
        let fresh = self.at == self.first;
        let plain = diffs::starts(self.lines, self.at, fresh, self.wanted, &mut self.known);
        if !plain && !diffs::starts_indented(self.lines, self.at, self.wanted) {
            return false;
        }
        let (bound, end) = self.bound();
        let lines = &self.lines[..bound];
        let section = match plain {
            true => diffs::read(lines, self.at, end, fresh, self.wanted, &mut self.known),
            false => diffs::read_indented(lines, self.at, end, self.wanted),
        };
        let Some(mut section) = section else { return false };
        diffs::fill_paths(&mut section.items, self.name_above());
        self.items(section.items);
        self.pass(section.used.max(1));
        true
    }

    /// Where the lines that a diff may take end, and why there.
    fn bound(&self) -> (usize, End) {
        let close = self.inside.map(|opener| self.fences.close_flush(self.at, &opener));
        match close {
            None => (self.lines.len(), End::Input { newline: self.newline() }),
            Some(Some(close)) => (close, End::Closed),
            Some(None) => (self.lines.len(), End::Unclosed { newline: self.newline() }),
        }
    }

    /// The input stops where a fence opens, within the line or right behind it: another edit was to come.
    fn cut_off_in_an_opener(&mut self) {
        let Some(at) = self.lines.iter().rposition(|line| !is_blank(line.text)) else { return };
        let last = self.lines[at];
        let Some(info) = last.text.trim_ascii().strip_prefix(b"```") else { return };
        let named = info.first().is_some_and(u8::is_ascii_alphabetic) && !info.contains(&b'`');
        // A bare fence at the very end closes something, unless all before it are in pairs.
        let fences = || self.lines[..at].iter().filter(|line| line.text.trim_ascii().starts_with(b"```"));
        let opens = info.is_empty()
            && last.eol == Eol::None
            && at > 0
            && is_blank(self.lines[at - 1].text)
            && fences().count() % 2 == 0;
        match self.found.items.last() {
            Some(Item::Edit(edit)) if (named || opens) && edit.span.last < last.number => {
                let format = edit.format;
                let refusal = Refusal::Unfinished { expected: "what the last fence was to hold" };
                self.fault(format, Span::new(last.number, last.number), None, refusal);
            }
            _ => {}
        }
    }

    /// Goes on below what was read.
    fn pass(&mut self, used: usize) {
        self.at += used;
        self.floor = self.at;
    }

    fn newline(&self) -> bool {
        self.lines.last().is_none_or(|line| line.eol != Eol::None)
    }

    fn edit(&mut self, edit: Edit<'i>) {
        self.items(vec![Item::Edit(edit)]);
    }

    fn fault(&mut self, format: Format, span: Span, path: Option<Name<'i>>, refusal: Refusal) {
        self.items(vec![Item::Fault(Fault { id: 0, format, span, path, refusal, call: Call::default() })]);
    }

    fn items(&mut self, items: Vec<Item<'i>>) {
        if let Some(Item::Edit(edit)) = items.last() {
            self.carried = edit.move_to.clone().or_else(|| edit.path.clone());
        }
        self.found.items.extend(items);
    }
}

/// Tools whose calls hold SEARCH/REPLACE blocks; the first escapes markers in the text.
const CALLS: [&[u8]; 2] = [b"apply_diff", b"replace_in_file"];

enum Thought {
    Begins(&'static [u8]),
    Ends,
}

const THOUGHTS: [&[u8]; 3] = [b"think>", b"thinking>", b"reasoning>"];

fn thought(line: &[u8]) -> Option<Thought> {
    let line = line.trim_ascii();
    let rest = line.strip_prefix(b"<")?;
    if let Some(tag) = THOUGHTS.iter().find(|tag| rest.starts_with(tag)) {
        return Some(Thought::Begins(tag));
    }
    let close = rest.strip_prefix(b"/")?;
    THOUGHTS.contains(&close).then_some(Thought::Ends)
}

fn ends_thought(line: &[u8], tag: &[u8]) -> bool {
    memchr::memmem::find_iter(line, b"</").any(|at| line[at + 2..].starts_with(tag))
}

#[cfg(test)]
mod tests;
