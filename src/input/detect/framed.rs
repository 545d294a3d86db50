//! What a fence holds: blocks, a diff, a file, or an example.

use std::borrow::Cow;

use crate::{
    edit::{Format, Name, Span},
    refusal::Refusal,
    text::is_blank,
};

use super::{
    super::{
        diffs,
        fence::{self, Opener},
        name::{self, Info},
        naming::{self, Above},
        search_replace,
        section::End,
        tagged, whole_file,
    },
    Walk,
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
            Some(path) if !is_command(&info, path) => Above::File(path.clone()),
            Some(_) => Above::Nothing,
            None => naming::for_fence(self.lines, self.floor, self.at),
        };
        let close = self.fences.close(self.at, &opener);
        let frame = Frame { opener, info, close, above };
        match self.start_in(&frame) {
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
        let mut fresh = true;
        for at in self.at + 1..end {
            if is_blank(lines[at].text) {
                continue;
            }
            if fresh && is_data_file(frame, lines[at].text) {
                return None;
            }
            if let Some(start) = self.start_at(lines, at, fresh) {
                return Some(start);
            }
            if named && name::line(lines[at].text).is_none() && name::comment(lines[at].text).is_none() {
                return None;
            }
            fresh = false;
        }
        None
    }

    fn start_at(&self, lines: &[super::InputLine<'i>], at: usize, fresh: bool) -> Option<Start> {
        let blocks = self.wanted.has(Format::SearchReplace)
            && (search_replace::head(lines[at].text).is_some() || tagged::read(lines, at).is_some());
        if blocks {
            return Some(Start::Blocks(at));
        }
        let diff =
            diffs::starts(lines, at, fresh, self.wanted) || diffs::starts_indented(lines, at, self.wanted);
        diff.then_some(Start::Diff)
    }

    /// Walks on inside the fence.
    fn enter(&mut self, at: usize, frame: &Frame<'i>) {
        self.inside = Some(frame.opener);
        self.at = at;
        if !self.block() && !self.tagged() {
            self.at = at + 1;
        }
    }

    /// A fence around a diff. A diff's own lines are prefixed, so it closes by other rules.
    fn framed_diff(&mut self, frame: Frame<'i>, headerless: bool) {
        let Frame { opener, info, above, .. } = frame;
        let close = self.fences.close_flush(self.at, &opener);
        let end = match close {
            Some(_) => End::Closed,
            None => End::Unclosed { newline: self.newline() },
        };
        let bound = close.unwrap_or(self.lines.len());
        let body = fence::dedent(&self.lines[self.at + 1..bound], opener.indent);
        let mut items = diffs::read_fence(&body, end, headerless, self.wanted);
        let span = Span::new(self.lines[self.at].number, self.lines[bound.min(self.lines.len() - 1)].number);
        if items.is_empty() {
            self.found.skipped += 1;
        } else if let Above::File(path) = above.clone()
            && is_patch_file(&path)
        {
            let what = format!("this is a change, or the text of {}", path.escape_ascii());
            self.fault(Format::WholeFile, span, Some(path), Refusal::Doubtful { what });
        } else {
            let context = info.path.map(Name::plain).or_else(|| self.name_above());
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
    fn commented_path(&self, frame: &Frame<'i>) -> Option<Cow<'i, [u8]>> {
        let close = frame.close.filter(|_| !whole_file::is_shell(&frame.info.language))?;
        let first = fence::first_filled(self.lines, self.at + 1, close)?;
        name::comment(self.lines[first].text)
    }

    fn framed_file(&mut self, path: Cow<'i, [u8]>, frame: &Frame<'i>) {
        let first = self.lines[self.at].number;
        let Some(close) = frame.close else {
            let last = self.lines[self.lines.len() - 1].number;
            let refusal = Refusal::Unfinished { expected: "the closing fence" };
            self.fault(Format::WholeFile, Span::new(first, last), Some(path), refusal);
            self.pass(self.lines.len() - self.at);
            return;
        };
        let span = Span::new(first, self.lines[close].number);
        if self.may_go_on(&path, close) {
            let what = "another fence follows, so that this file may end there or here".to_owned();
            self.fault(Format::WholeFile, span, Some(path), Refusal::Doubtful { what });
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
        if !matches!(naming::for_fence(self.lines, close + 1, at), Above::Nothing) {
            return false;
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
            self.carried = Some(Name::plain(path));
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
    let data =
        name::extension(path).is_some_and(|ext| [&b"json"[..], b"jsonl", b"ndjson", b"json5"].contains(&ext));
    data && matches!(line.trim_ascii_start().first(), Some(b'{' | b'['))
}

fn is_patch_file(path: &[u8]) -> bool {
    name::extension(path).is_some_and(|ext| ext == b"patch" || ext == b"diff")
}
