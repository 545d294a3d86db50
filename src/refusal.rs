//! Every reason to refuse: a stable code, a sentence, a next step.

use crate::edit::Span;

/// Lines of a file that a message quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The first quoted line, from 1.
    pub first: usize,
    pub lines: Vec<Vec<u8>>,
}

/// What a hunk looked for, and the closest that the file has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closest {
    pub quote: Quote,
    /// What differs there, in words: a typo, an indentation, a missing line.
    pub difference: String,
}

/// A reason to refuse. `Display` is one sentence without the path and edit number, which the report adds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    // -- reading
    #[error("no edit found in the input: {seen}")]
    NoEdit { seen: String },
    #[error("the block is cut off: expected {expected} before the end of the input")]
    Unfinished { expected: &'static str },
    #[error("the block that begins here has no {expected} before line {line}")]
    MissingMarker { expected: &'static str, line: usize },
    #[error("{what}")]
    Malformed { what: String },
    #[error("no file is named for this edit{}", held_by(.holders))]
    NoPath { holders: Vec<String> },

    // -- placing
    #[error("old text not found{}", closest_line(.closest))]
    NotFound { closest: Vec<Closest> },
    #[error("the old text fits {} places, lines {}: add lines that tell them apart", .lines.len(), list(.lines))]
    Ambiguous { lines: Vec<usize> },
    #[error("two edits change the same lines {first} to {last} of the file (the other begins at input line {})", .other.first)]
    Overlap { first: usize, last: usize, other: Span },
    #[error("old and new text are the same: nothing would change")]
    NothingToDo,
    #[error("{what}")]
    Doubtful { what: String },
}

impl Refusal {
    /// A stable name for programs and for `edapply explain`.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::NoEdit { .. } => "no-edit",
            Refusal::Unfinished { .. } => "unfinished",
            Refusal::MissingMarker { .. } => "missing-marker",
            Refusal::Malformed { .. } => "malformed",
            Refusal::NoPath { .. } => "no-path",
            Refusal::NotFound { .. } => "not-found",
            Refusal::Ambiguous { .. } => "ambiguous",
            Refusal::Overlap { .. } => "overlap",
            Refusal::NothingToDo => "nothing-to-do",
            Refusal::Doubtful { .. } => "doubtful",
        }
    }
}

fn list(lines: &[usize]) -> String {
    let shown: Vec<String> = lines.iter().take(8).map(ToString::to_string).collect();
    let more = if lines.len() > 8 { format!(" and {} more", lines.len() - 8) } else { String::new() };
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() && more.is_empty() => {
            format!("{} and {last}", rest.join(", "))
        }
        _ => shown.join(", ") + &more,
    }
}

fn closest_line(closest: &[Closest]) -> String {
    closest
        .first()
        .map_or(String::new(), |c| format!("; closest is line {}: {}", c.quote.first, c.difference))
}

fn held_by(holders: &[String]) -> String {
    if holders.is_empty() { String::new() } else { format!("; its text stands in {}", holders.join(", ")) }
}
