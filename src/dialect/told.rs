//! What a drop-in tells programs, beside the texts that its model prints.

use crate::plan::{Change, HunkOutcome};

/// What a run came to.
#[derive(Debug, Default)]
pub struct Told {
    /// The files that were written, or in a dry run would be.
    pub changes: Vec<Change>,
    /// Files were written.
    pub written: bool,
    /// Each hunk that was tried, in the order of the input.
    pub hunks: Vec<HunkTold>,
}

/// What became of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HunkTold {
    /// The name of its file, as the messages have it.
    pub name: Vec<u8>,
    /// Counted from 1 in its file's part.
    pub number: usize,
    /// The line of the input at which it begins.
    pub line: usize,
    pub fate: Fate,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    Placed {
        /// Where its text stands, once the hunks above are in.
        line: i64,
        /// From the line that it states.
        offset: i64,
        /// Lines of context that were left out to make it fit.
        fuzz: u64,
    },
    /// Merged, and a conflict is left in the file.
    Conflict,
    Already {
        line: usize,
    },
    /// The same as another hunk.
    Twice,
    /// Not tried: its file's part is left out.
    Skipped,
    Refused {
        /// With --safe: why.
        why: Option<String>,
    },
}

impl Fate {
    /// That of a hunk placed by the native rules. `stated`: the line at which it would stand unmoved.
    pub fn of(outcome: &HunkOutcome, stated: i64) -> Fate {
        match outcome {
            HunkOutcome::Placed { offset, .. } => {
                let offset = offset.unwrap_or(0);
                Fate::Placed { line: stated.saturating_add(offset), offset, fuzz: 0 }
            }
            HunkOutcome::Already { first } => Fate::Already { line: *first },
            HunkOutcome::Twice => Fate::Twice,
            HunkOutcome::Refused(refusal) => Fate::Refused { why: Some(refusal.to_string()) },
        }
    }
}
