//! What a fence holds: blocks, a diff, a file, or an example.

use crate::{
    edit::{Format, Name, Reading, Span},
    refusal::Refusal,
    text::is_blank,
};

use super::{
    super::{
        diffs,
        edit_call::Known,
        fence::{self, Opener},
        name::{self, Info},
        naming::{self, Above, ForBlock},
        search_replace,
        section::End,
        tagged, whole_file,
    },
    Walk, doubt,
};

/// How many lines of an unclosed fence are looked at for what it holds; the walk reads on in any case.
const LOOK: usize = 8;

/// What begins in a fence.
enum Start {
    /// Blocks with markers, from this line on.
    Blocks(usize),
    /// A diff or another format with marks of its own.
    Diff,
}

/// A fence, as far as it can be seen from its first line.
#[derive(Clone)]
struct Frame<'i> {
    opener: Opener<'i>,
    info: Info<'i>,
    /// The line that closes it.
    close: Option<usize>,
    above: Above<'i>,
}

impl<'i> Walk<'_, 'i> {
    /// A line that opens or closes a fence.
    pub(super) fn fence(&mut self, line: &'i [u8]) -> bool {
        if self.inside.is_some_and(|opener| opener.closed_by(line)) {
            self.inside = None;
            self.at += 1;
            return true;
        }
        let Some(opener) = fence::opener(line) else { return false };
        let info = name::info(opener.info);
        let above = match &info.path {
            Some(path) if !is_command(&info, &path.text) => Above::File(path.clone()),
            Some(_) => Above::Nothing,
            None => naming::for_fence(self.lines, self.floor, self.at),
        };
        let close = self.fences.close(self.at, &opener);
        let frame = Frame { opener, info, close, above };
        match self.start_in(&frame) {
            Some(start) if self.is_shown_format(&frame) => self.shown_format(&start, &frame),
            Some(Start::Blocks(at)) => self.enter(at, &frame),
            Some(Start::Diff) => self.framed_diff(frame, false),
            None if whole_file::is_diff(&frame.info.language) && self.wanted.has(Format::Unified) => {
                self.framed_diff(frame, true);
            }
            None => self.framed_text(frame),
        }
        true
    }

    /// The first edit inside a fence. One that does not stand at the top of a fence with a name is a part
    /// of that file's text.
    fn start_in(&self, frame: &Frame<'i>) -> Option<Start> {
        if frame.info.citation {
            return None;
        }
        let end = frame.close.unwrap_or_else(|| self.lines.len().min(self.at + LOOK));
        let named = matches!(frame.above, Above::File(_)) && !whole_file::is_diff(&frame.info.language);
        let lines = &self.lines[..end];
        let (mut fresh, mut known) = (true, Known::default());
        for at in self.at + 1..end {
            if is_blank(lines[at].text) {
                continue;
            }
            if fresh && is_data_file(frame, lines[at].text) {
                return None;
            }
            if let Some(start) = self.start_at(lines, at, fresh, &mut known) {
                return Some(start);
            }
            if named && name::line(lines[at].text).is_none() && name::comment(lines[at].text).is_none() {
                return None;
            }
            fresh = false;
        }
        None
    }

    fn start_at(
        &self,
        lines: &[super::InputLine<'i>],
        at: usize,
        fresh: bool,
        known: &mut Known,
    ) -> Option<Start> {
        let blocks = self.wanted.has(Format::SearchReplace)
            && (search_replace::head(lines[at].text).is_some() || tagged::read(lines, at).is_some());
        if blocks {
            return Some(Start::Blocks(at));
        }
        let diff = diffs::starts(lines, at, fresh, self.wanted, known)
            || diffs::starts_indented(lines, at, self.wanted);
        diff.then_some(Start::Diff)
    }

    /// Walks on inside the fence.
    fn enter(&mut self, at: usize, frame: &Frame<'i>) {
        if let Above::File(outer) = &frame.above
            && let Some(inner) = self.name_within(at)
            && !doubt::agree(outer, &inner)
        {
            let what = doubt::two_files(outer, &inner.text);
            return self.doubt(Format::SearchReplace, Some(outer.clone()), frame, what);
        }
        self.inside = Some(frame.opener);
        self.at = at;
        if !self.block() && !self.tagged() {
            self.at = at + 1;
        }
    }

    /// The name that stands between the fence's first line and the block at `at`, or on that block's marker.
    fn name_within(&self, at: usize) -> Option<Name<'i>> {
        let marked = search_replace::head(self.lines[at].text).and_then(|head| head.path);
        marked.or_else(|| match naming::for_block(self.lines, self.at + 1, at) {
            ForBlock::Sure(name) => Some(name),
            _ => None,
        })
    }

    /// A document without a name that the words above call an example of a format.
    fn is_shown_format(&self, frame: &Frame<'i>) -> bool {
        matches!(frame.above, Above::Nothing)
            && doubt::is_document(&frame.opener, &frame.info.language)
            && naming::shows_format(self.lines, self.floor, self.at)
    }

    fn shown_format(&mut self, start: &Start, frame: &Frame<'i>) {
        let format = match start {
            Start::Blocks(_) => Format::SearchReplace,
            Start::Diff => Format::Unified,
        };
        let what = "this is an edit, or an example of what edits look like".to_owned();
        self.doubt(format, None, frame, what);
    }

    /// Refuses a whole fence that has two readings.
    fn doubt(&mut self, format: Format, path: Option<Name<'i>>, frame: &Frame<'i>, what: String) {
        let last = frame.close.unwrap_or(self.lines.len() - 1);
        let span = Span::new(self.lines[self.at].number, self.lines[last].number);
        self.fault(format, span, path, Refusal::Doubtful { what });
        self.pass(last + 1 - self.at);
    }

    /// A fence around a diff. A diff's own lines are prefixed, so it closes by other rules.
    fn framed_diff(&mut self, frame: Frame<'i>, headerless: bool) {
        let Frame { opener, .. } = frame;
        let close = self.fences.close_flush(self.at, &opener);
        let end = match close {
            Some(_) => End::Closed,
            None => End::Unclosed { newline: self.newline() },
        };
        let bound = close.unwrap_or(self.lines.len());
        let body = fence::dedent(&self.lines[self.at + 1..bound], opener.indent);
        let mut items = diffs::read_fence(&body, end, headerless, self.wanted);
        if items.is_empty() {
            self.found.skipped += 1;
        } else if let Above::File(path) = &frame.above
            && let Some(what) = doubt::of_diff(path, &items)
        {
            let frame = Frame { close, ..frame.clone() };
            return self.doubt(Format::WholeFile, Some(path.clone()), &frame, what);
        } else {
            let context = frame.info.path.or_else(|| self.name_above());
            diffs::fill_paths(&mut items, context);
            self.items(items);
        }
        self.pass(bound + 1 - self.at);
        self.at = self.at.min(self.lines.len());
        self.floor = self.at;
    }

    /// A fence around a file's text, or an example.
    fn framed_text(&mut self, frame: Frame<'i>) {
        let path = match &frame.above {
            Above::File(path) if !frame.info.citation => Some(path.clone()),
            Above::Nothing if !frame.info.citation => self.commented_path(&frame),
            _ => None,
        };
        match path.filter(|_| self.wanted.has_whole()) {
            Some(path) => self.framed_file(path, &frame),
            None => self.example(&frame),
        }
    }

    /// The path in a comment on the first line of a fence.
    fn commented_path(&self, frame: &Frame<'i>) -> Option<Name<'i>> {
        let close = frame.close.filter(|_| !whole_file::is_shell(&frame.info.language))?;
        let first = fence::first_filled(self.lines, self.at + 1, close)?;
        name::comment(self.lines[first].text).map(Name::plain)
    }

    fn framed_file(&mut self, path: Name<'i>, frame: &Frame<'i>) {
        let first = self.lines[self.at].number;
        let Some(close) = frame.close else {
            let last = self.lines[self.lines.len() - 1].number;
            let refusal = Refusal::Unfinished { expected: "the closing fence" };
            self.fault(Format::WholeFile, Span::new(first, last), Some(path), refusal);
            self.pass(self.lines.len() - self.at);
            return;
        };
        let span = Span::new(first, self.lines[close].number);
        let first = fence::first_filled(self.lines, self.at + 1, close).map(|at| self.lines[at].text);
        if self.may_go_on(&path.text, close) {
            let what = "another fence follows, so that this file may end there or here".to_owned();
            return self.doubt(Format::WholeFile, Some(path), frame, what);
        } else if doubt::is_transcript(&path.text, &frame.info.language, first.unwrap_or_default()) {
            let what = "this looks like what a terminal showed, not like the text of the file".to_owned();
            return self.doubt(Format::WholeFile, Some(path), frame, what);
        } else {
            let body = &self.lines[self.at + 1..close];
            self.edit(whole_file::read(body, frame.opener.indent, path, span));
        }
        self.pass(close + 1 - self.at);
    }

    /// May the file whose fence seems to close at `close` go on? A bare fence that follows may be the one
    /// that closes it: always in texts that hold fences, elsewhere if that fence is not closed itself or text
    /// goes on right below this one.
    fn may_go_on(&mut self, path: &[u8], close: usize) -> bool {
        let Some((at, next)) = self.fences.next(close).filter(|(_, next)| next.is_bare()) else {
            return false;
        };
        match naming::for_fence(self.lines, close + 1, at) {
            Above::File(name) if !name.also.contains(&Reading::Existing) => return false,
            Above::NoEdit => return false,
            _ => {}
        }
        let goes_on = !is_blank(self.lines[close + 1].text);
        whole_file::holds_fences(path) || goes_on || self.fences.close(at, &next).is_none()
    }

    /// A fence that is no edit. If all it holds is a name, that may be for the block below it.
    fn example(&mut self, frame: &Frame<'i>) {
        self.found.skipped += 1;
        let Some(close) = frame.close else {
            self.inside = Some(frame.opener);
            self.at += 1;
            return;
        };
        let mut filled = self.lines[self.at + 1..close].iter().filter(|line| !is_blank(line.text));
        let names =
            filled.next().is_some_and(|line| name::line(line.text).is_some()) && filled.next().is_none();
        if names && !whole_file::is_shell(&frame.info.language) {
            self.at = close + 1;
            return;
        }
        if let Some(path) = naming::heading_above(self.lines, self.floor, self.at) {
            self.carried = Some(path);
        }
        self.pass(close + 1 - self.at);
    }
}

/// A shell's fence names the script that it holds, or the file that its commands are about.
fn is_command(info: &Info<'_>, path: &[u8]) -> bool {
    let script = || {
        let scripts: [&[u8]; 8] = [b"sh", b"bash", b"zsh", b"fish", b"bat", b"cmd", b"ps1", b"psm1"];
        name::extension(path).is_none_or(|ext| scripts.contains(&ext))
    };
    whole_file::is_shell(&info.language) && !script()
}

/// JSON in a fence that is named as a JSON file is that file's text, whatever its keys are.
fn is_data_file(frame: &Frame<'_>, line: &[u8]) -> bool {
    let Above::File(path) = &frame.above else { return false };
    let data = name::extension(&path.text)
        .is_some_and(|ext| [&b"json"[..], b"jsonl", b"ndjson", b"json5"].contains(&ext));
    data && matches!(line.trim_ascii_start().first(), Some(b'{' | b'['))
}
