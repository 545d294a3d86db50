//! From headers and hunks to edits.

use std::borrow::Cow;

use super::{
    body::{Class, Counts, Lines},
    header::{self, Header},
    hunk::{RawHunk, Scanner},
};
use crate::{
    edit::{Binary, Blob, Call, Edit, Fault, Format, Hints, Hunk, Line, Name, Note, Op, Signed, Span, Tag},
    input::{
        InputLine, binary,
        section::{End, Item, Section},
    },
    refusal::Refusal,
};

/// Larger contents of binary files are refused.
const MAX_BINARY: u64 = 256 << 20;
/// Shorter ids of contents tell too little.
const MIN_ID: usize = 7;

/// Reads the sections of one diff, file by file.
#[derive(Debug)]
pub(super) struct Reader<'l, 'i> {
    scan: Scanner<'l, 'i>,
    sum: Sum<'i>,
}

/// What was read so far.
#[derive(Debug, Default)]
pub(super) struct Sum<'i> {
    pub items: Vec<Item<'i>>,
    hunks: usize,
    miscounted: usize,
    /// The last hunk of the last file.
    last: Option<Last>,
}

/// What tells whether a diff's last hunk is cut off.
#[derive(Clone, Copy, Debug)]
struct Last {
    /// Reaches the end of the lines given.
    open: bool,
    /// The header's counts, if it has some.
    claimed: Option<Counts>,
    /// The most lines that the body may be said to have.
    counts: Counts,
    /// Context lines at both ends.
    margins: (usize, usize),
    /// Some line is removed or added.
    changes: bool,
    /// The last line is an added one.
    adds_last: bool,
    empty: bool,
}

impl<'l, 'i> Reader<'l, 'i> {
    pub fn new(lines: &'l [InputLine<'i>], end: End) -> Reader<'l, 'i> {
        Reader::resume(Sum::default(), lines, end)
    }

    /// Goes on with lines that follow those of which the sum is.
    pub fn resume(sum: Sum<'i>, lines: &'l [InputLine<'i>], end: End) -> Reader<'l, 'i> {
        Reader { scan: Scanner { lines, end }, sum }
    }

    pub fn read(mut self) -> Section<'i> {
        let used = self.files(self.scan.lines.len());
        Section { used: used.max(1).min(self.scan.lines.len()), items: self.close().items }
    }

    /// Reads all sections that begin before `bound`; returns the index behind the last.
    pub fn files(&mut self, bound: usize) -> usize {
        let mut at = 0;
        loop {
            let begun = at;
            at = self.file(at);
            let next = self.skip_blank(at);
            if at == begun || next >= bound || !header::opens(self.scan.lines, next) {
                return at;
            }
            at = next;
        }
    }

    /// What was read so far, if more follows.
    pub fn open(self) -> Sum<'i> {
        self.sum
    }

    /// A diff that is cut off is refused.
    pub fn close(mut self) -> Sum<'i> {
        if self.is_cut_off() {
            self.refuse_last();
        }
        self.sum
    }

    fn skip_blank(&self, at: usize) -> usize {
        let rest = self.scan.lines[at..].iter();
        at + rest.take_while(|line| line.text.is_empty()).count()
    }

    /// Reads one file's section from `first` on; returns the index behind it.
    fn file(&mut self, first: usize) -> usize {
        let header = Header::read(self.scan.lines, first);
        let mut at = header.end;
        if header.refusal.is_some() {
            at = self.skip_refused(at);
            self.finish(header, Vec::new(), first, at);
            return at;
        }
        if header.binary {
            return self.binary(header, first);
        }
        let mut hunks = Vec::new();
        if self.begins_headless(&header, first) {
            let (hunk, next) = self.scan.hunk(at);
            hunks.push(hunk);
            at = next;
        }
        while let Some(next) = self.next_hunk(at) {
            let (hunk, next) = self.scan.hunk(next);
            hunks.push(hunk);
            at = next;
        }
        let stop = hunks.last().map_or(header.end, |hunk| hunk.stop);
        self.finish(header, hunks, first, stop);
        at
    }

    /// The data of a binary patch, and the end of its section.
    fn binary(&mut self, mut header: Header<'i>, first: usize) -> usize {
        let mut at = header.end;
        let mut blobs = Vec::new();
        while blobs.len() < 2 {
            let lines = self.scan.lines[at..].iter().map(|line| line.text);
            match binary::read(lines, MAX_BINARY) {
                Err(what) => {
                    header.refusal = Some(Refusal::Binary { what });
                    at = self.skip_refused(at);
                    break;
                }
                Ok(None) => break,
                Ok(Some((blob, used))) => {
                    blobs.push(blob);
                    at += used;
                    let next = self.skip_blank(at);
                    let more =
                        self.scan.lines.get(next).is_some_and(|line| binary::head(line.text).is_some());
                    at = if more { next } else { at };
                }
            }
        }
        self.finish_with(header, Vec::new(), blobs, first, at);
        at
    }

    /// The `@@` line at `at`, blank lines before it skipped.
    fn next_hunk(&self, at: usize) -> Option<usize> {
        let at = self.skip_blank(at);
        let text = self.scan.lines.get(at)?.text;
        super::At::parse(text).map(|_| at)
    }

    /// The hunk that follows has no `@@` line.
    fn begins_headless(&self, header: &Header<'i>, first: usize) -> bool {
        let at = header.end;
        let none = at == first;
        self.next_hunk(at).is_none()
            && at < self.scan.lines.len()
            && (none || header.has_sides() && !header::opens(self.scan.lines, at))
            && self.scan.headless(at)
    }

    /// The lines of a section that is refused, up to the next file's.
    fn skip_refused(&self, at: usize) -> usize {
        let lines = self.scan.lines;
        (at..lines.len())
            .find(|&at| header::begins(lines, at) == header::Begins::Yes || is_marker(lines[at].text))
            .unwrap_or(lines.len())
    }

    fn finish(&mut self, header: Header<'i>, hunks: Vec<RawHunk<'i>>, first: usize, stop: usize) {
        self.finish_with(header, hunks, Vec::new(), first, stop);
    }

    fn finish_with(
        &mut self,
        header: Header<'i>,
        hunks: Vec<RawHunk<'i>>,
        blobs: Vec<Blob>,
        first: usize,
        stop: usize,
    ) {
        let lines = self.scan.lines;
        let number = |at: usize| lines[at.min(lines.len() - 1)].number;
        let span = Span::new(number(first), number(stop.max(first + 1) - 1));
        self.sum.hunks += hunks.len();
        self.sum.miscounted += hunks.iter().filter(|hunk| hunk.miscounted().is_some()).count();
        self.sum.last = Some(hunks.last().map_or(Last::none(stop == lines.len()), Last::of));
        let section = File { header, hunks, blobs, span, lines };
        self.sum.items.push(section.item());
    }

    /// The diff stops before its last hunk is complete.
    fn is_cut_off(&self) -> bool {
        let newline = match self.scan.end {
            End::Closed => return false,
            End::Input { newline } | End::Unclosed { newline } => newline,
        };
        if !newline && self.stops_in_a_header() {
            return true;
        }
        let Some(last) = self.sum.last.filter(|last| last.open) else { return false };
        let Some(claimed) = last.claimed else {
            let unclosed = matches!(self.scan.end, End::Unclosed { .. });
            return last.empty && self.sum.hunks > 0 || unclosed || !newline && last.adds_last;
        };
        if last.counts.reach(claimed) {
            return false;
        }
        let (lead, trail) = last.margins;
        // Behind three lines of context a hunk is over; one too many on both sides is a slip in counting.
        let one_off = claimed.old == last.counts.old + 1 && claimed.new == last.counts.new + 1;
        let slip = one_off && trail >= 3 && trail >= lead;
        let whole = last.changes
            && trail > 0
            && (self.sum.miscounted > 1 || self.sum.hunks == 1 && lead == trail || slip);
        !(newline && whole)
    }

    /// The input's last, unterminated line is the beginning of another hunk's or file's first line.
    fn stops_in_a_header(&self) -> bool {
        let last = self.scan.lines.last().map_or(&b""[..], |line| line.text);
        !last.is_empty() && [&b"@@"[..], b"diff --git ", b"Index: "].iter().any(|head| head.starts_with(last))
    }

    fn refuse_last(&mut self) {
        let Some(Item::Edit(edit)) = self.sum.items.pop_if(|item| matches!(item, Item::Edit(_))) else {
            return;
        };
        let refusal = Refusal::Unfinished { expected: "the rest of the last hunk" };
        self.sum.items.push(Item::Fault(Fault {
            id: 0,
            format: Format::Unified,
            span: edit.span,
            path: edit.path,
            refusal,
            call: Call::default(),
        }));
    }
}

impl<'i> Sum<'i> {
    /// Takes in a file that comes by one hunk, whose `@@` line is the last of `head` and whose lines are all added, as
    /// [`Reader::files`] does, which looks at each line. Says how many bytes and lines are added; `None` if the head says
    /// anything else.
    pub fn create(&mut self, head: &[InputLine<'i>], added: Signed<'i>) -> Option<(usize, usize)> {
        let [first, .., at] = head else { return None };
        let size = (added.body.len(), added.count);
        let header = Header::read(head, 0);
        let whole = header.end + 1 == head.len() && header.refusal.is_none() && !header.binary;
        let span = Span::new(first.number, at.number + added.count);
        let file = File { header, hunks: Vec::new(), blobs: Vec::new(), span, lines: head };
        if !whole || !file.creates() || file.deletes() {
            return None;
        }
        self.hunks += 1;
        self.last = None;
        let path = file.path();
        self.items.push(Item::Edit(file.edit(path, Op::Create { lines: added.into() })));
        Some(size)
    }
}

impl Last {
    /// A section without hunks.
    fn none(open: bool) -> Last {
        let counts = Counts::default();
        Last {
            open,
            claimed: Some(counts),
            counts,
            margins: (0, 0),
            changes: false,
            adds_last: false,
            empty: true,
        }
    }

    fn of(hunk: &RawHunk<'_>) -> Last {
        let lines = &hunk.lines;
        let core = lines.core();
        Last {
            open: hunk.open,
            claimed: hunk.claimed(),
            counts: lines.counts(lines.len()),
            margins: lines.margins(core),
            changes: lines.changes(),
            adds_last: core > 0 && lines.class(core - 1) == Class::Add,
            empty: core == 0,
        }
    }
}

/// A line that begins a section of another format, or a fence.
fn is_marker(text: &[u8]) -> bool {
    [&b"```"[..], b"~~~", b"<<<<<", b"*** Begin"].iter().any(|marker| text.starts_with(marker))
}

/// One file's header and hunks.
struct File<'l, 'i> {
    header: Header<'i>,
    hunks: Vec<RawHunk<'i>>,
    /// Of a binary patch: forward, and back if it is there.
    blobs: Vec<Blob>,
    span: Span,
    lines: &'l [InputLine<'i>],
}

impl<'i> File<'_, 'i> {
    fn item(mut self) -> Item<'i> {
        let path = self.path();
        let made = match self.header.refusal.take() {
            Some(refusal) => Err(refusal),
            None => self.op(),
        };
        match made {
            Ok(op) => Item::Edit(self.edit(path, op)),
            Err(refusal) => Item::Fault(Fault {
                id: 0,
                format: Format::Unified,
                span: self.span,
                path,
                refusal,
                call: Call::default(),
            }),
        }
    }

    fn edit(self, path: Option<Name<'i>>, op: Op<'i>) -> Edit<'i> {
        let moves = self.header.to.is_some() && !matches!(op, Op::Create { .. } | Op::Delete { .. });
        Edit {
            id: 0,
            format: Format::Unified,
            span: self.span,
            path,
            move_to: self.header.to.clone().filter(|_| moves).map(Name::plain),
            copy: self.header.copy && moves,
            mode: self.header.mode,
            op,
            notes: self.notes(),
            call: Call::default(),
        }
    }

    /// The file that is edited: the new side's name, unless the file goes or moves.
    fn path(&self) -> Option<Name<'i>> {
        let header = &self.header;
        if let Some(from) = &header.from {
            return Some(Name::plain(from.clone()));
        }
        let side = |side: &Option<super::name::Side<'i>>| side.as_ref().and_then(|side| side.name.clone());
        let (git_old, git_new) = header.git.clone().unzip();
        let (old, new) = (side(&header.old), side(&header.new));
        let named = old.is_some() || new.is_some();
        let (old, new) = if named { (old, new) } else { (git_old, git_new) };
        match (old, new) {
            (Some(old), Some(new)) if header.deleted => Some(two_names(old, new)),
            (Some(old), Some(new)) => Some(two_names(new, old)),
            (old, new) => new.or(old).map(Name::diff),
        }
    }

    fn op(&self) -> Result<Op<'i>, Refusal> {
        if self.header.binary {
            return self.binary().map(Op::Binary);
        }
        match (self.creates(), self.deletes()) {
            (true, true) => Err(malformed("the section both creates and deletes its file")),
            (true, false) => self.created().map(|lines| Op::Create { lines: lines.into() }),
            (false, true) => self.deleted().map(|lines| Op::Delete { old: Some(lines.into()) }),
            (false, false) => self.updated().map(|hunks| Op::Update { hunks }),
        }
    }

    fn binary(&self) -> Result<Binary, Refusal> {
        let refuse = |what| Err(Refusal::Binary { what });
        let header = &self.header;
        let Some((old, new)) = header.ids else {
            return refuse("the binary patch has no `index` line, which would tell what it was made for");
        };
        let mut blobs = self.blobs.iter().cloned();
        let Some(forward) = blobs.next() else { return refuse("the binary patch holds no data") };
        let known = |id: &[u8]| id.len() >= MIN_ID && id.iter().all(u8::is_ascii_hexdigit);
        let side = |id: &[u8]| (!id.iter().all(|b| *b == b'0')).then(|| id.to_ascii_lowercase());
        let binary = Binary { old: side(old), new: side(new), forward, reverse: blobs.next() };
        if !known(old) || !known(new) {
            return refuse("the binary patch's `index` line does not tell what it was made for");
        }
        if header.created != binary.old.is_none() || header.deleted != binary.new.is_none() {
            return Err(malformed("the header and its `index` line disagree on whether the file is there"));
        }
        Ok(binary)
    }

    /// The old side does not exist, as the header says or as the only hunk's numbers do.
    fn creates(&self) -> bool {
        let header = &self.header;
        let nothing_before = header.old.as_ref().is_some_and(|side| side.name.is_none());
        let from_nothing = match &self.hunks[..] {
            [only] => {
                let stated = only.at.and_then(|at| at.stated);
                stated.is_some_and(|stated| stated.old_start == 0 && stated.old_count == 0)
                    && !only.lines.any(Class::Keep)
                    && !only.lines.any(Class::Plain)
                    && !only.lines.any(Class::Remove)
                    && !header.empty_before
                    && header.from.is_none()
                    && (header.old.is_some() || header.new.is_some())
            }
            _ => false,
        };
        header.created || nothing_before || from_nothing
    }

    fn deletes(&self) -> bool {
        let header = &self.header;
        let goes = header.new.as_ref().is_some_and(|side| {
            side.name.is_none() || side.epoch && self.hunks.iter().all(|hunk| !hunk.lines.any(Class::Keep))
        });
        header.deleted || goes && self.header.from.is_none()
    }

    /// The lines of a new file.
    fn created(&self) -> Result<Vec<Line<'i>>, Refusal> {
        let mut out = Vec::with_capacity(self.hunks.iter().map(|hunk| hunk.lines.len()).sum());
        for hunk in &self.hunks {
            let (len, lines) = (created_len(hunk), &hunk.lines);
            let foreign = [Class::Keep, Class::Plain, Class::Remove];
            if foreign.iter().any(|class| lines.any(*class)) {
                return Err(malformed("a new file's diff holds lines that are not added"));
            }
            out.extend(side(lines, len, None));
        }
        if self.hunks.is_empty() && !self.header.created {
            return Err(Refusal::Unfinished { expected: "the new file's lines" });
        }
        Ok(out)
    }

    /// The lines that a deleted file is said to have.
    fn deleted(&self) -> Result<Vec<Line<'i>>, Refusal> {
        let mut out = Vec::new();
        for hunk in &self.hunks {
            if hunk.lines.any(Class::Add) {
                return Err(malformed("a deleted file's diff holds added lines"));
            }
            let len = hunk.lines.lengths(hunk.claimed())[0];
            out.extend(side(&hunk.lines, len, Some(Tag::Add)));
        }
        if self.hunks.is_empty() && !self.header.deleted {
            return Err(Refusal::Unfinished { expected: "the deleted file's lines" });
        }
        Ok(out)
    }

    fn updated(&self) -> Result<Vec<Hunk<'i>>, Refusal> {
        let header = &self.header;
        if self.hunks.iter().any(|hunk| hunk.lines.is_empty()) {
            return Err(malformed("a hunk has no lines"));
        }
        let moves = header.to.is_some() && !header.dissimilar;
        if self.hunks.is_empty() && !moves && header.mode.new.is_none() {
            return Err(malformed("the header is followed by no hunk"));
        }
        Ok(self.hunks.iter().map(|hunk| self.hunk(hunk)).collect())
    }

    fn hunk(&self, raw: &RawHunk<'i>) -> Hunk<'i> {
        let at = raw.at.unwrap_or_default();
        let owned = |text: Option<&'i [u8]>| text.map(Cow::Borrowed);
        let hints = Hints {
            stated: at.stated,
            anchors: owned(at.anchor).into_iter().collect(),
            heading: at.heading.map(<[u8]>::trim_ascii_start).map(Cow::Borrowed),
            ordered: true,
            ..Hints::default()
        };
        Hunk { span: self.hunk_span(raw), readings: raw.readings(), hints }
    }

    fn hunk_span(&self, raw: &RawHunk<'i>) -> Span {
        Span::new(self.lines[raw.first].number, self.lines[raw.stop.max(raw.first + 1) - 1].number)
    }

    /// Counts that disagree.
    fn notes(&self) -> Vec<Note> {
        let told = |hunk: &RawHunk<'i>| {
            let (claimed, found) = match self.creates() {
                true => return None,
                false => hunk.miscounted()?,
            };
            let text = format!(
                "header says -{} +{}, body has -{} +{}",
                claimed.old, claimed.new, found.old, found.new
            );
            Some(Note { span: Some(self.hunk_span(hunk)), text })
        };
        self.hunks.iter().filter_map(told).collect()
    }
}

/// A name, and the other side's if it is another file's, or if it is the same to the letter though it begins
/// with git's sign for the new side, which may then be a folder.
fn two_names<'i>(name: Cow<'i, [u8]>, other: Cow<'i, [u8]>) -> Name<'i> {
    let in_folder = name == other && name.starts_with(b"b/");
    if !in_folder && super::name::unprefixed(&name) == super::name::unprefixed(&other) {
        return Name::diff(name);
    }
    Name::diff(name).or(other)
}

/// How many lines a new file's hunk has: blank ones at its end only if the header counts them.
fn created_len(hunk: &RawHunk<'_>) -> usize {
    let core = hunk.lines.core();
    let Some(claimed) = hunk.claimed() else { return core };
    let reached = (core..=hunk.lines.len()).find(|&len| hunk.lines.counts(len).new >= claimed.new);
    reached.unwrap_or(core)
}

/// The first `len` lines but those tagged `without`.
fn side<'i>(lines: &Lines<'i>, len: usize, without: Option<Tag>) -> impl Iterator<Item = Line<'i>> {
    let kept = lines.prefixed(len).filter(move |line| Some(line.tag) != without);
    kept.map(|line| Line { text: line.text, eol: line.eol })
}

fn malformed(what: &str) -> Refusal {
    Refusal::Malformed { what: what.into() }
}
