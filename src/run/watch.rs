//! Who looks on while a run goes: told of each stage, and asked which edits are wanted.

use crate::{
    plan::{Change, Verdict},
    report::Failure,
};

/// What a run is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Cases of a measurement.
    Measuring {
        done: usize,
        of: usize,
    },
    Reading {
        inputs: usize,
    },
    Planning {
        edits: usize,
    },
    /// Also runs the command of `--verify`, if there is one.
    Writing {
        files: usize,
        verify: bool,
    },
}

/// One edit, to be wanted or not.
#[derive(Debug)]
pub struct Question<'q> {
    /// Which of the questions of this input it is, from 1.
    pub at: usize,
    pub of: usize,
    pub verdict: &'q Verdict,
    /// What this edit changes on top of those that were wanted before.
    pub changes: &'q [Change],
    /// A file goes: this is asked for each file alone.
    pub deletes: bool,
    /// The edit as the input has it.
    pub text: &'q [u8],
}

/// What somebody says to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Yes,
    No,
    /// Yes, also to all that follow for this file, but not to its deletion.
    Always,
    /// Back to the question before.
    Previous,
    /// Neither this one nor any that follows.
    Done,
    /// Nothing at all shall be written.
    Quit,
}

/// Looks on. All but the answers may be left as it is.
pub trait Watch {
    fn stage(&mut self, _: Stage) {}

    /// Whether each edit is asked about.
    fn asks(&self) -> bool {
        false
    }

    /// # Errors
    /// Nobody can be asked, or the run was interrupted.
    fn ask(&mut self, _: &Question<'_>) -> Result<Answer, Failure> {
        Ok(Answer::Yes)
    }

    /// Something to know between two questions.
    fn tell(&mut self, _: &str) {}
}

/// Nobody looks on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Watch for Alone {}
