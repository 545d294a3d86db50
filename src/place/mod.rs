//! Where a hunk goes: one place that fits, or none.
//!
//! [`locate`] places all hunks of one file against one text. Each hunk climbs the ladder of views
//! (`ladder`); hints choose between equal places (`choose`); what stands already is told from what is
//! missing (`standing`). Similarity never places anything: it only finds the closest lines for messages.

use std::borrow::Cow;

use crate::{
    edit::{Body, Hunk},
    refusal::Refusal,
    text::Eol,
};

mod align;
mod anchor;
mod artefact;
mod choose;
mod closest;
mod dots;
pub mod elided;
mod index;
mod ladder;
mod likeness;
mod literal;
mod shift;
mod stand_in;
mod standing;
mod telling;
#[cfg(test)]
mod tests;
mod tried;

pub(crate) use artefact::{cleaned_file, entities_in_doubt};
pub use choose::locate;
pub use index::Index;
pub use literal::{Slice, line_of};
pub use stand_in::stand_ins;

/// A way to look at text for comparing, strictest first; the numbers are those of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum View {
    Exact = 1,
    LineEnds = 2,
    TrailingBlanks = 3,
    Typography = 4,
    Indentation = 5,
    BlankRuns = 6,
    BlankLines = 7,
    Artefacts = 8,
    Elisions = 9,
    ContextForgiven = 10,
    /// A one-line text that is a part of one line.
    PartOfLine = 11,
}

impl View {
    /// How the text was matched, as reports say it.
    pub fn how(self) -> &'static str {
        match self {
            View::Exact => "exactly",
            View::LineEnds => "ignoring line ends",
            View::TrailingBlanks => "ignoring trailing blanks",
            View::Typography => "ignoring typography",
            View::Indentation => "ignoring indentation",
            View::BlankRuns => "ignoring runs of white space",
            View::BlankLines => "ignoring blank lines",
            View::Artefacts => "without copied line numbers or escapes",
            View::Elisions => "with elided lines",
            View::ContextForgiven => "with context forgiven",
            View::PartOfLine => "as a part of a line",
        }
    }
}

/// Where a hunk's old text stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub view: View,
    /// The file's lines `start..end`, from 0.
    pub start: usize,
    pub end: usize,
    /// For each line of the hunk's old side, in order, the file's line that it stands for. `None`: not in
    /// the file (a blank line too many, an invented context line). Ascending where present.
    pub pairs: Vec<Option<usize>>,
}

/// How strictly hunks are placed.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The loosest view that may decide.
    pub loosest: View,
    /// How far a hunk may stand from its stated line.
    pub max_offset: Option<u64>,
    /// Of equal places, the nearest to the stated line.
    pub nearest: bool,
    /// What stands already is refused.
    pub strict_state: bool,
    /// Every exact place, not one.
    pub every: bool,
    /// What is not found is told with the closest lines.
    pub describe: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            loosest: View::PartOfLine,
            max_offset: None,
            nearest: false,
            strict_state: false,
            every: false,
            describe: true,
        }
    }
}

/// What became of one hunk.
#[derive(Clone, Debug)]
pub enum Located<'h, 'i> {
    /// It goes there. More than one reading only if the readings differ in what they quote; which of
    /// them is taken must not matter.
    Placed(Vec<Placed<'h, 'i>>),
    /// All of these places are meant.
    Every(Vec<Placed<'h, 'i>>),
    /// Parts of lines give way to the hunk's literal new text.
    Slices {
        view: View,
        slices: Vec<Slice>,
        notes: Vec<String>,
    },
    /// The new text stands at this line (from 0) already.
    Already(usize),
    /// The same hunk was sent before (its position among the hunks is given); it means one change.
    Twice(usize),
    Refused(Refusal),
}

/// A reading of a hunk and its place.
#[derive(Clone, Debug)]
pub struct Placed<'h, 'i> {
    pub body: Cow<'h, Body<'i>>,
    pub place: Place,
    /// How far from the stated line, if one was stated.
    pub offset: Option<i64>,
}

/// Whether the first hunk alone can't be told from a later one that it equals.
pub(crate) fn same_hunk(a: &Hunk, b: &Hunk) -> bool {
    a.readings == b.readings
        && a.hints.anchors == b.hints.anchors
        && a.hints.at_eof == b.hints.at_eof
        && a.hints.literal == b.hints.literal
        && a.hints.behind == b.hints.behind
        && a.hints.every == b.hints.every
}

/// The exactness of views 1 and 2 told apart: whether the quoted line ends agree with the file's.
fn exact_or_line_ends(ends: impl Iterator<Item = (Eol, Eol)>) -> View {
    let mut ends = ends;
    if ends.all(|(quoted, file)| quoted == file || file == Eol::None) { View::Exact } else { View::LineEnds }
}
