//! The small algebra that all formats share.
//!
//! Readers produce [`Edit`]s and know nothing of files; placing, merging and planning consume them and
//! know nothing of formats. Text is borrowed from the input where it stands there, owned where a format
//! had to decode it.

use std::borrow::Cow;

use crate::{
    refusal::Refusal,
    text::{Content, Eol},
};

mod block;
mod lines;
mod new;
mod own;

pub use lines::{Deed, Gap, LineEdit, LineOp, Lines, Register};
pub use new::NewLines;
pub(crate) use new::Signed;

/// Lines of the input, counted from 1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first line.
    pub first: usize,
    /// The last line.
    pub last: usize,
}

impl Span {
    /// Lines `first` to `last`; a span never ends before it starts.
    pub fn new(first: usize, last: usize) -> Span {
        Span { first, last: last.max(first) }
    }
}

/// A way to write edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Format {
    /// Blocks of old and new text between markers.
    SearchReplace,
    /// A path and the whole file.
    WholeFile,
    /// A whole file in which comments stand for lines that stay.
    Elided,
    /// `diff -u` and `git diff`.
    Unified,
    /// `diff -c`.
    Context,
    /// `diff` without options.
    Normal,
    /// A script for `ed`.
    Ed,
    /// `*** Begin Patch`.
    V4a,
    /// Calls of coding tools as JSON.
    EditCall,
    /// Operations by line number on a text known by its tag.
    Hashline,
}

impl Format {
    /// The name that people type and reports print.
    pub fn name(self) -> &'static str {
        match self {
            Format::SearchReplace => "search-replace",
            Format::WholeFile => "whole-file",
            Format::Elided => "elided",
            Format::Unified => "unified",
            Format::Context => "context",
            Format::Normal => "normal",
            Format::Ed => "ed",
            Format::V4a => "v4a",
            Format::EditCall => "edit-call",
            Format::Hashline => "hashline",
        }
    }
}

/// What an edit does with a line of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Quoted to show the place; stays as the file has it.
    Keep,
    /// Quoted, and goes.
    Remove,
    /// Comes.
    Add,
}

/// A line as the reply wrote it, without its line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'i> {
    /// Its bytes.
    pub text: Cow<'i, [u8]>,
    /// As written; [`Eol::None`] only where the format says that the file ends without a newline.
    pub eol: Eol,
}

/// A line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HunkLine<'i> {
    /// Kept, removed or added.
    pub tag: Tag,
    /// Its bytes.
    pub text: Cow<'i, [u8]>,
    /// As [`Line::eol`].
    pub eol: Eol,
}

/// How a hunk's lines came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Prefixed lines: the reply itself said which are kept, removed and added.
    Diff,
    /// An old and a new text, diffed by us.
    Block,
}

/// One reading of a hunk: lines kept, removed and added, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body<'i> {
    /// In the order of the file.
    pub lines: Vec<HunkLine<'i>>,
    /// How they came to be.
    pub origin: Origin,
}

impl<'i> Body<'i> {
    /// A body from prefixed lines.
    pub fn diff(lines: Vec<HunkLine<'i>>) -> Body<'i> {
        Body { lines, origin: Origin::Diff }
    }

    /// A body from an old and a new text: equal lines are kept, the others removed and added.
    pub fn block(old: Vec<Line<'i>>, new: Vec<Line<'i>>) -> Body<'i> {
        Body { lines: block::diff(old, new), origin: Origin::Block }
    }

    /// The lines that the file must show: kept and removed.
    pub fn old(&self) -> impl DoubleEndedIterator<Item = &HunkLine<'i>> {
        self.lines.iter().filter(|line| line.tag != Tag::Add)
    }

    /// The lines that the file will show: kept and added.
    pub fn new_side(&self) -> impl DoubleEndedIterator<Item = &HunkLine<'i>> {
        self.lines.iter().filter(|line| line.tag != Tag::Remove)
    }

    /// Nothing is removed or added.
    pub fn changes_nothing(&self) -> bool {
        self.lines.iter().all(|line| line.tag == Tag::Keep)
    }

    /// Old and new sides exchanged; the order within a change is kept as removed, then added.
    pub fn reversed(&self) -> Body<'i> {
        let mut lines = Vec::with_capacity(self.lines.len());
        for group in self.lines.chunk_by(|a, b| (a.tag == Tag::Keep) == (b.tag == Tag::Keep)) {
            let flip = |from: Tag, to: Tag| {
                group.iter().filter(move |l| l.tag == from).map(move |l| HunkLine { tag: to, ..l.clone() })
            };
            lines.extend(flip(Tag::Keep, Tag::Keep));
            lines.extend(flip(Tag::Add, Tag::Remove));
            lines.extend(flip(Tag::Remove, Tag::Add));
        }
        Body { lines, origin: self.origin }
    }
}

/// Line numbers as a diff's header or a call states them; all from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stated {
    /// First line of the old side.
    pub old_start: u64,
    /// Lines of the old side.
    pub old_count: u64,
    /// First line of the new side.
    pub new_start: u64,
    /// Lines of the new side.
    pub new_count: u64,
}

/// What chooses between equal places, beside the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints<'i> {
    /// The line that the reply states.
    pub stated: Option<Stated>,
    /// Lines that must stand above the place, outermost first (`@@ class A` of V4A and numberless diffs).
    pub anchors: Vec<Cow<'i, [u8]>>,
    /// The function text behind a numbered `@@ -1 +1 @@`: it only hints.
    pub heading: Option<Cow<'i, [u8]>>,
    /// The hunk stands at the end of the file.
    pub at_eof: bool,
    /// The format lists hunks in file order (unified, V4A), so that order may choose.
    pub ordered: bool,
    /// Every place, not one (`replace_all`).
    pub every: bool,
    /// How many places there must be; all of them are meant.
    pub count: Option<u64>,
    /// Goes in behind this line of the file (0: at its head), whatever stands there.
    pub behind: Option<u64>,
    /// The texts as given, where the format finds parts of lines.
    pub literal: Option<Literal<'i>>,
}

/// An old and a new text of which a part of a line may be meant. `\r\n` is written `\n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal<'i> {
    /// What must stand there.
    pub old: Cow<'i, [u8]>,
    /// What shall stand there.
    pub new: Cow<'i, [u8]>,
}

/// Old text, new text and hints. The first reading is the likeliest; others are weighed against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk<'i> {
    /// Where it stands in the input.
    pub span: Span,
    /// Never empty.
    pub readings: Vec<Body<'i>>,
    /// What chooses between equal places.
    pub hints: Hints<'i>,
}

impl<'i> Hunk<'i> {
    /// A hunk with one reading.
    pub fn new(span: Span, body: Body<'i>, hints: Hints<'i>) -> Hunk<'i> {
        Hunk { span, readings: vec![body], hints }
    }

    /// The likeliest reading.
    pub fn body(&self) -> &Body<'i> {
        &self.readings[0]
    }
}

/// A path as the reply wrote it, without decoration (bold, backticks, quotes) but not resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name<'i> {
    /// Its bytes.
    pub text: Cow<'i, [u8]>,
    /// From a diff's header, where `a/` and `b/` are prefixes and `-p` counts.
    pub from_diff: bool,
    /// The name on a diff header's other side, where it differs: the file is there if it is not here.
    pub other: Option<Cow<'i, [u8]>>,
    /// Other ways to read the words that the name was taken from.
    pub also: Vec<Reading<'i>>,
}

/// Another way to read the words that name a file. Readers see no files: which one holds is known only
/// when the name is resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reading<'i> {
    /// This, if there is such a file.
    First(Cow<'i, [u8]>),
    /// The name with words before it that may belong to it; both cannot exist.
    Longer(Cow<'i, [u8]>),
    /// The name without what is added to names (`:12`, `@`), if it does not exist as it stands.
    Bare(Cow<'i, [u8]>),
    /// The words are too weak a sign to create a file of that name.
    Existing,
}

impl<'i> Name<'i> {
    /// A name that stands alone.
    pub fn plain(text: impl Into<Cow<'i, [u8]>>) -> Name<'i> {
        Name { text: text.into(), from_diff: false, other: None, also: Vec::new() }
    }

    /// A name from the header of a diff.
    pub fn diff(text: impl Into<Cow<'i, [u8]>>) -> Name<'i> {
        Name { text: text.into(), from_diff: true, other: None, also: Vec::new() }
    }

    /// With the name of a diff header's other side.
    pub fn or(self, other: impl Into<Cow<'i, [u8]>>) -> Name<'i> {
        Name { other: Some(other.into()), ..self }
    }

    /// With another way to read it.
    pub fn also(mut self, readings: impl IntoIterator<Item = Reading<'i>>) -> Name<'i> {
        self.also.extend(readings);
        self
    }
}

/// What an edit does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are told of with their variants")]
pub enum Op<'i> {
    /// A new file; one that exists is refused unless its content is the same.
    Create { lines: NewLines<'i> },
    /// The whole new content of a file that may or may not exist.
    Whole { lines: NewLines<'i> },
    /// An empty old text: creates the file, or appends to one that exists.
    Append { lines: NewLines<'i> },
    /// The file goes. `old`: what the reply says stands in it, if it says so.
    Delete { old: Option<NewLines<'i>> },
    /// Changes by hunks; none if the edit only moves the file or changes its mode.
    Update { hunks: Vec<Hunk<'i>> },
    /// Changes by line number, against a text known by its tag.
    Lines(LineEdit<'i>),
    /// Bytes that are no text, from one content to another, each known by git's id for it.
    Binary(Binary),
}

/// How one direction of a binary patch holds its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The content itself.
    Literal,
    /// How to make it from the old content.
    Delta,
}

/// One direction of a binary patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// How the bytes are written.
    pub method: Method,
    /// As the patch writes them, decompressed.
    pub bytes: Content,
}

/// A binary patch of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    /// What git calls the content before, in hexadecimal digits; nothing: there is no file.
    pub old: Option<Vec<u8>>,
    /// And the content after.
    pub new: Option<Vec<u8>>,
    /// From old to new.
    pub forward: Blob,
    /// The way back, if the patch holds it.
    pub reverse: Option<Blob>,
}

/// File modes as git's extended headers state them (`100644`, `100755`, `120000`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModeChange {
    /// Before the edit.
    pub old: Option<u32>,
    /// After it.
    pub new: Option<u32>,
}

/// Against which text the hunks of an edit and its successors are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Against {
    /// The file as the input found it, or what the hunks before left, whichever fits.
    #[default]
    Either,
    /// All hunks of this edit: the text that it found.
    Original,
    /// What the hunks before left.
    Sequence,
}

/// What a tool's call says beside its change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The id that the log gives it.
    pub id: Option<String>,
    /// The text that the hunks mean.
    pub against: Against,
    /// The SHA-256 that the file must have before the edit, as 64 hex digits.
    pub if_match: Option<String>,
}

/// Something to tell that stopped nothing (`header says -2 +2, body has -2 +3`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where in the input, if at one place.
    pub span: Option<Span>,
    /// A sentence.
    pub text: String,
}

/// One block, call or file section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit<'i> {
    /// Counted from 1 in the order of the input, faults included.
    pub id: usize,
    /// How it is written.
    pub format: Format,
    /// Where it stands in the input.
    pub span: Span,
    /// The file that is edited; `None` if the reply names none.
    pub path: Option<Name<'i>>,
    /// The new name, if the file also moves.
    pub move_to: Option<Name<'i>>,
    /// The old file stays (a copy).
    pub copy: bool,
    /// The modes that it states.
    pub mode: ModeChange,
    /// What it does.
    pub op: Op<'i>,
    /// To be told, whatever becomes of it.
    pub notes: Vec<Note>,
    /// What a tool call says beside its change.
    pub call: Call,
}

impl<'i> Edit<'i> {
    /// One edit of one file by hunks, whose path the caller knows.
    pub(crate) fn of_hunks(format: Format, hunks: Vec<Hunk<'i>>) -> Edit<'i> {
        let lines = |pick: fn(&Span) -> usize| hunks.iter().map(move |hunk| pick(&hunk.span));
        let first = lines(|span| span.first).min().unwrap_or(1);
        Edit {
            id: 1,
            format,
            span: Span::new(first, lines(|span| span.last).max().unwrap_or(first)),
            path: None,
            move_to: None,
            copy: false,
            mode: ModeChange::default(),
            op: Op::Update { hunks },
            notes: Vec::new(),
            call: Call::default(),
        }
    }
}

/// A place in the input where an edit begins but cannot be read. It refuses the whole input.
#[derive(Clone, Debug)]
pub struct Fault<'i> {
    /// As [`Edit::id`].
    pub id: usize,
    /// The format that begins there.
    pub format: Format,
    /// Where it stands in the input.
    pub span: Span,
    /// The file, if one is named.
    pub path: Option<Name<'i>>,
    /// Why it cannot be read.
    pub refusal: Refusal,
    /// What a tool call says beside its change.
    pub call: Call,
}

/// What an input holds.
#[derive(Clone, Debug, Default)]
pub struct Parsed<'i> {
    /// In the order of the input.
    pub edits: Vec<Edit<'i>>,
    /// In the order of the input.
    pub faults: Vec<Fault<'i>>,
    /// Code fences that are no edits.
    pub skipped: usize,
}
