//! Line operations: changes by line number, against a text that was read before and is known by its tag.

use std::borrow::Cow;

use super::Span;

/// Operations on the lines of one text. All numbers count lines of that text, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineEdit<'i> {
    /// The tag of the text that the numbers count in (`text::tag`).
    pub tag: u16,
    /// In the order of the input.
    pub ops: Vec<LineOp<'i>>,
    /// The file goes.
    pub remove: bool,
}

/// One operation and where it stands in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineOp<'i> {
    /// Where it stands in the input.
    pub span: Span,
    /// What it does.
    pub deed: Deed<'i>,
}

/// What an operation does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum Deed<'i> {
    /// The lines give way to `body`; an empty one deletes them. `old`: lines that the reply says stand there.
    Put { at: Lines, body: Vec<Cow<'i, [u8]>>, old: Vec<Cow<'i, [u8]>> },
    /// Lines come between others.
    Insert { at: Gap, body: Vec<Cow<'i, [u8]>> },
    /// The lines go, into a register.
    Cut { at: Lines, register: Register<'i> },
    /// What a register holds is inserted.
    Paste { at: Gap, register: Register<'i> },
    /// The lines give way to what a register holds.
    PasteOver { at: Lines, register: Register<'i> },
}

/// Which register; `None`: the one without a name.
pub type Register<'i> = Option<Cow<'i, [u8]>>;

/// Lines that an operation replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "first and last are lines")]
pub enum Lines {
    /// From one line to another.
    Range { first: usize, last: usize },
    /// The block of syntax that begins at this line.
    Block(usize),
}

/// Where an operation inserts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Above a line.
    Before(usize),
    /// Below a line.
    After(usize),
    /// Below the block that a line begins.
    AfterBlock(usize),
    /// Below the last line.
    End,
}
