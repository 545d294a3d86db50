//! Where a hunk goes.

/// A way to look at text for comparing, strictest first; the numbers are those of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
