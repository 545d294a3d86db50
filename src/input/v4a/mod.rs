//! V4A (`*** Begin Patch`).
//!
//! An envelope of sections, each a file that is added, deleted or updated by chunks. Headers are taken in
//! any case and with any blanks; what has no `*** End Patch` is taken for cut off, unless it never had a
//! `*** Begin Patch` either.

mod chunk;
mod marker;
mod wrapper;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use self::{
    chunk::Chunks,
    marker::{Kind, Marker},
    wrapper::{Folder, Wrapper},
};
use super::{
    InputLine,
    section::{End, Item, Section},
    unified::body::Class,
};
use crate::{
    edit::{Call, Edit, Fault, Format, Line, ModeChange, Name, Op, Span},
    refusal::Refusal,
    text::{Eol, indent::indent},
};

/// Whether an envelope, or a section without one, begins at `at`.
pub fn starts(lines: &[InputLine<'_>], at: usize) -> bool {
    let text = lines[at].text;
    let next = || lines[at + 1..].iter().find(|line| !line.text.trim_ascii().is_empty());
    match Marker::parse(text) {
        Some(Marker::Begin) => true,
        Some(Marker::Section(kind, path)) => !path.is_empty() && follows(kind, next().map(|line| line.text)),
        Some(_) => false,
        None => {
            Wrapper::parse(text).is_some()
                && next().is_some_and(|line| Marker::parse(line.text) == Some(Marker::Begin))
        }
    }
}

/// The line after a section's header reads like the section's own.
fn follows(kind: Kind, next: Option<&[u8]>) -> bool {
    let Some(next) = next else { return kind == Kind::Delete };
    if let Some(marker) = Marker::parse(next) {
        return kind != Kind::Update || matches!(marker, Marker::MoveTo(_));
    }
    match kind {
        Kind::Add => next.starts_with(b"+"),
        Kind::Delete => false,
        Kind::Update => {
            next.starts_with(b"@@") || matches!(Class::of(next), Class::Keep | Class::Add | Class::Remove)
        }
    }
}

/// Reads one envelope, or sections without one.
pub fn read<'i>(lines: &[InputLine<'i>], end: End) -> Section<'i> {
    let (first, wrapper) = match Wrapper::parse(lines[0].text) {
        Some(wrapper) if Marker::parse(lines[0].text).is_none() => (1, Some(wrapper)),
        _ => (0, None),
    };
    let mut reader = Reader::new(lines, first, wrapper, end);
    reader.envelope();
    Section { items: reader.items, used: reader.at.clamp(1, lines.len()) }
}

struct Reader<'l, 'i> {
    /// The lines of the envelope, with its own indentation cut.
    lines: Cow<'l, [InputLine<'i>]>,
    at: usize,
    /// The index of the closing `*** End Patch`, or where the sections must end without it.
    stop: usize,
    /// `*** End Patch` stands at `stop`.
    sealed: bool,
    begun: bool,
    end: End,
    wrapper: Option<Wrapper<'i>>,
    items: Vec<Item<'i>>,
}

impl<'l, 'i> Reader<'l, 'i> {
    fn new(lines: &'l [InputLine<'i>], at: usize, wrapper: Option<Wrapper<'i>>, end: End) -> Reader<'l, 'i> {
        let mut reader = Reader {
            lines: Cow::Borrowed(lines),
            at,
            stop: at,
            sealed: false,
            begun: false,
            end,
            wrapper,
            items: Vec::new(),
        };
        reader.bound();
        reader.dedent();
        reader
    }

    /// Finds the end of the envelope: the first `*** End Patch` at the margin, else the last indented one,
    /// both before the next `*** Begin Patch`.
    fn bound(&mut self) {
        let mut indented = None;
        let mut sections = false;
        self.sealed = true;
        for at in self.at..self.lines.len() {
            let text = self.lines[at].text;
            let margin = !text.starts_with(b" ") && !text.starts_with(b"\t");
            match Marker::parse(text) {
                Some(Marker::End) if margin => {
                    self.stop = at;
                    return;
                }
                Some(Marker::End) => indented = Some(at),
                Some(Marker::Begin) if margin && sections => {
                    self.finish_bound(indented, at);
                    return;
                }
                Some(Marker::Section(..)) => sections = true,
                _ => {}
            }
        }
        self.finish_bound(indented, self.lines.len());
    }

    fn finish_bound(&mut self, indented: Option<usize>, stop: usize) {
        self.sealed = indented.is_some();
        self.stop = indented.unwrap_or(stop);
    }

    /// Cuts an indentation that the whole envelope has.
    fn dedent(&mut self) {
        let pad = self.lines.get(self.at).map_or(&b""[..], |line| indent(line.text));
        let inside = self.at..(self.stop + 1).min(self.lines.len());
        let padded = |line: &InputLine<'_>| line.text.starts_with(pad) || line.text.trim_ascii().is_empty();
        if pad.is_empty() || !self.lines[inside.clone()].iter().all(padded) {
            return;
        }
        for line in &mut self.lines.to_mut()[inside] {
            line.text = line.text.strip_prefix(pad).unwrap_or_default();
        }
    }

    fn envelope(&mut self) {
        let first = self.at;
        if let Some(Wrapper { folder: Folder::Unclear, .. }) = self.wrapper {
            let what = "the patch is to be applied in a folder that only a shell can find".to_owned();
            self.fault(first, None, Refusal::Malformed { what });
            self.at = self.stop + usize::from(self.sealed);
            return;
        }
        self.sections();
        while self.sealed && self.at == self.stop && self.close() {
            self.sections();
        }
        if self.is_cut_off() {
            self.cut_off(first);
        } else if self.items.is_empty() {
            let what = "the patch holds no section".to_owned();
            self.fault(first, None, Refusal::Malformed { what });
        }
    }

    /// Reads sections up to `stop` or to a line that is no section's.
    fn sections(&mut self) {
        let first = self.at;
        while self.at < self.stop {
            let text = self.lines[self.at].text;
            match Marker::parse(text) {
                Some(Marker::Begin) => self.begun = true,
                Some(Marker::Section(kind, path)) => {
                    self.section(kind, path);
                    continue;
                }
                Some(Marker::Environment) => {}
                None if text.trim_ascii().is_empty() => {}
                _ if !self.begun && !self.sealed => return,
                _ => {
                    let what = format!("{} is no part of a patch here", shown(text));
                    self.fault(self.at, None, Refusal::Malformed { what });
                }
            }
            self.at += 1;
        }
        if self.sealed && self.items.is_empty() {
            let what = "the patch holds no section".to_owned();
            self.fault(first, None, Refusal::Malformed { what });
        }
    }

    /// Takes the closing line, its doubles, and the heredoc's end; says whether sections follow.
    fn close(&mut self) -> bool {
        self.at += 1;
        loop {
            let next = self.skip_blank(self.at);
            let Some(line) = self.lines.get(next) else { return false };
            let tag = self.wrapper.as_ref().map(|wrapper| wrapper.tag);
            match Marker::parse(line.text) {
                Some(Marker::End) => self.at = next + 1,
                _ if Some(line.text.trim_ascii()) == tag => {
                    self.at = next + 1;
                    self.wrapper = None;
                }
                Some(Marker::Section(..)) => {
                    self.at = next;
                    self.begun = true;
                    self.bound();
                    return true;
                }
                _ => return false,
            }
        }
    }

    fn skip_blank(&self, at: usize) -> usize {
        at + self.lines[at..].iter().take_while(|line| line.text.trim_ascii().is_empty()).count()
    }

    /// No closing line, although there was an opening one or the text stops in the middle of a line.
    fn is_cut_off(&self) -> bool {
        let stops = match self.end {
            End::Closed => false,
            End::Input { newline } => !newline,
            End::Unclosed { .. } => true,
        };
        !self.sealed && (self.begun || self.at >= self.lines.len() && stops)
    }

    /// The last section can't be trusted.
    fn cut_off(&mut self, first: usize) {
        let refusal = Refusal::Unfinished { expected: "`*** End Patch`" };
        match self.items.pop_if(|item| matches!(item, Item::Edit(_))) {
            Some(Item::Edit(edit)) => self.items.push(Item::Fault(Fault {
                id: 0,
                format: Format::V4a,
                span: edit.span,
                path: edit.path,
                refusal,
                call: Call::default(),
            })),
            _ => self.fault(first, None, refusal),
        }
    }

    fn fault(&mut self, first: usize, path: Option<Name<'i>>, refusal: Refusal) {
        let span = self.span(first, self.at.max(first + 1));
        self.items.push(Item::Fault(Fault {
            id: 0,
            format: Format::V4a,
            span,
            path,
            refusal,
            call: Call::default(),
        }));
    }

    /// The span of the lines `first..stop`.
    fn span(&self, first: usize, stop: usize) -> Span {
        let number = |at: usize| self.lines[at.min(self.lines.len() - 1)].number;
        Span::new(number(first), number(stop.max(1) - 1))
    }

    /// Reads the section whose header is at `self.at`.
    fn section(&mut self, kind: Kind, path: &'i [u8]) {
        let first = self.at;
        self.at += 1;
        let name = (!path.is_empty()).then(|| self.name(path));
        let made = match kind {
            Kind::Add => self.add().map(|lines| (Op::Create { lines: lines.into() }, None)),
            Kind::Delete => self.delete().map(|()| (Op::Delete { old: None }, None)),
            Kind::Update => self.update(),
        };
        let made = made.and_then(|made| match name {
            Some(_) => Ok(made),
            None => Err(Refusal::Malformed { what: "the section's header names no file".into() }),
        });
        match made {
            Ok((op, move_to)) => {
                let span = self.span(first, self.last_used(first) + 1);
                self.items.push(Item::Edit(Edit {
                    id: 0,
                    format: Format::V4a,
                    span,
                    path: name,
                    move_to,
                    copy: false,
                    mode: ModeChange::default(),
                    op,
                    notes: Vec::new(),
                    call: Call::default(),
                }));
            }
            Err(refusal) => self.fault(first, name, refusal),
        }
    }

    /// The last line before `self.at` that is not blank.
    fn last_used(&self, first: usize) -> usize {
        let mut used = self.lines[first..self.at.min(self.lines.len())].iter();
        first + used.rposition(|line| !line.text.trim_ascii().is_empty()).unwrap_or(0)
    }

    fn name(&self, path: &'i [u8]) -> Name<'i> {
        match &self.wrapper {
            Some(Wrapper { folder: Folder::In(folder), .. }) => {
                Name::plain([folder.strip_suffix(b"/").unwrap_or(folder), b"/", path].concat())
            }
            _ => Name::plain(path),
        }
    }

    /// The lines of a new file. Blank lines inside lost their sign, those at the end are separators.
    fn add(&mut self) -> Result<Vec<Line<'i>>, Refusal> {
        let start = self.at;
        self.at = (start..self.stop).find(|&at| is_header(self.lines[at].text)).unwrap_or(self.stop);
        let body = &self.lines[start..self.at];
        let signed = body.iter().any(|line| line.text.starts_with(b"+"));
        let used = body.iter().rposition(|line| !line.text.trim_ascii().is_empty()).map_or(0, |at| at + 1);
        let mut out: Vec<Line<'i>> = Vec::with_capacity(used);
        for (offset, line) in body[..used].iter().enumerate() {
            let text = match Class::of(line.text) {
                Class::Add => &line.text[1..],
                Class::Marker => {
                    if let Some(last) = out.last_mut() {
                        last.eol = Eol::None;
                    }
                    continue;
                }
                _ if line.text.trim_ascii().is_empty() => b"",
                _ if offset == 0 && line.text.trim_ascii() == b"@@" => continue,
                _ if !signed && self.sealed => line.text,
                _ if !self.sealed && !self.begun => {
                    self.at = start + offset;
                    break;
                }
                _ => {
                    let what = format!("{} in a new file's section lacks its `+`", shown(line.text));
                    return Err(Refusal::Malformed { what });
                }
            };
            let eol = if line.eol == Eol::None { Eol::Lf } else { line.eol };
            out.push(Line { text: Cow::Borrowed(text), eol });
        }
        Ok(out)
    }

    /// Nothing but blank lines may follow a deletion.
    fn delete(&mut self) -> Result<(), Refusal> {
        self.at = self.skip_blank(self.at).min(self.stop);
        match self.lines.get(self.at) {
            Some(line) if self.at < self.stop && !is_header(line.text) && self.begun => {
                let what = format!("{} follows a deletion, which has no lines", shown(line.text));
                self.at =
                    (self.at..self.stop).find(|&at| is_header(self.lines[at].text)).unwrap_or(self.stop);
                Err(Refusal::Malformed { what })
            }
            _ => Ok(()),
        }
    }

    fn update(&mut self) -> Result<(Op<'i>, Option<Name<'i>>), Refusal> {
        let mut move_to = None;
        let next = self.skip_blank(self.at);
        if let Some(Marker::MoveTo(path)) = self.lines.get(next).and_then(|line| Marker::parse(line.text)) {
            if path.is_empty() {
                return Err(Refusal::Malformed { what: "`*** Move to:` names no file".into() });
            }
            move_to = Some(self.name(path));
            self.at = next + 1;
        }
        let mut chunks = Chunks::new(&self.lines, self.stop, !self.sealed && !self.begun);
        let (at, read) = chunks.read(self.at);
        self.at = at;
        let hunks = read?;
        if hunks.is_empty() && move_to.is_none() {
            return Err(Refusal::Malformed { what: "the section holds no change".into() });
        }
        Ok((Op::Update { hunks }, move_to))
    }
}

/// A line that ends an added file: any marker but those that stand inside updates.
fn is_header(text: &[u8]) -> bool {
    matches!(Marker::parse(text), Some(Marker::Begin | Marker::End | Marker::Section(..)))
}

/// A line for a message, cut where it is long.
fn shown(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text.trim_ascii());
    let cut: String = text.chars().take(60).collect();
    if cut.len() < text.len() { format!("`{cut}…`") } else { format!("`{cut}`") }
}
