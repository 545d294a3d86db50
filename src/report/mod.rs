//! What came of it, told to people, to programs and to models.
//!
//! A [`Report`] is plain data: what each edit came to and which files change. `text` prints it for
//! people, `json` for programs, `diff` shows the change itself. Nothing here decides anything.

use std::{collections::BTreeMap, path::PathBuf};

use crate::{
    plan::{Change, Outcome, Verdict},
    refusal::{Refusal, explain},
    tree::RelPath,
};

pub mod annotate;
mod beside;
pub mod delta;
pub mod diff;
mod emphasis;
pub mod escape;
mod ink;
#[doc(hidden)]
pub mod json;
#[doc(hidden)]
pub mod retry;
#[doc(hidden)]
pub mod stat;
pub mod text;
mod words;

/// The exit code, by what it promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Everything applied, or would.
    Ok = 0,
    /// Some edit was refused; nothing was written, or with `--partial` the good ones.
    Fail = 1,
    /// Usage, unreadable input, input and output.
    Trouble = 2,
    /// The result is not what was promised; nothing is left changed.
    Wrong = 3,
    /// As `git apply` has it: the input is of no use.
    Unusable = 128,
    /// As git has it: misuse.
    Usage = 129,
    /// By SIGINT; rolled back.
    Interrupted = 130,
    /// By SIGTERM; rolled back.
    Terminated = 143,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        std::process::ExitCode::from(exit as u8)
    }
}

/// How far a run went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Writes what was planned.
    Write,
    /// Shows the change as a diff, writes nothing.
    DryRun,
    /// Tells whether it would apply, writes nothing.
    Check,
}

/// Why a whole run came to nothing, beyond what its edits tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// A stable name for programs and for `edapply explain`.
    pub code: &'static str,
    /// One sentence, names escaped.
    pub message: String,
    /// No edit's fault: exit 2.
    pub trouble: bool,
    /// What to do next, where more is known than the code tells.
    pub advice: Option<String>,
}

impl Failure {
    /// An input that is refused as a whole.
    pub fn refused(refusal: &Refusal) -> Failure {
        let advice = Some(escape::text(&refusal.next()));
        Failure { advice, ..Failure::new(refusal.code(), escape::text(&refusal.to_string()), false) }
    }

    /// Trouble beside the edits.
    pub fn trouble(code: &'static str, message: String) -> Failure {
        Failure::new(code, message, true)
    }

    /// One that `edapply explain` says what to do about.
    pub fn new(code: &'static str, message: String, trouble: bool) -> Failure {
        Failure { code, message, trouble, advice: None }
    }

    /// The exit code of a run that ends so.
    pub fn exit(&self) -> Exit {
        match self.code {
            "verify-failed" | "not-expected" => Exit::Wrong,
            "interrupted" => Exit::Interrupted,
            "terminated" => Exit::Terminated,
            _ if self.trouble => Exit::Trouble,
            _ => Exit::Fail,
        }
    }

    /// What to do next.
    pub fn next(&self) -> &str {
        let known = || explain(self.code).map_or("", |explanation| explanation.next);
        self.advice.as_deref().unwrap_or_else(known)
    }
}

/// An error that a command reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// As the command names it.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: Option<usize>,
    /// What it says.
    pub text: String,
}

/// What a command said of the result. It decides nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// As it was given.
    pub command: String,
    /// Why it came to no end; then nothing found does not mean that all is well.
    pub unfinished: Option<String>,
    /// The first errors.
    pub findings: Vec<Finding>,
    /// Found and left out.
    pub more: usize,
}

/// A line that a hunk looked for, with its number in the input where it stands there as it is.
pub type SoughtLine = (Option<usize>, Vec<u8>);

/// One input and the verdicts on its edits.
#[derive(Clone, Debug, Default)]
pub struct InputReport {
    /// The file's name, `-` for standard input.
    pub name: String,
    /// In the order of the input.
    pub verdicts: Vec<Verdict>,
    /// What refused hunks looked for, by edit and by the hunk's first line in the input.
    pub sought: BTreeMap<(usize, usize), Vec<SoughtLine>>,
    /// What refused edits may quote instead; looked up for old texts that fit several places, for others only
    /// if it was asked for.
    pub offers: retry::Offers,
    /// Nothing could be read as an edit, or the input as a whole was refused.
    pub failure: Option<Failure>,
}

impl InputReport {
    /// The ids of refused edits.
    pub fn refused(&self) -> Vec<usize> {
        let is_refused = |verdict: &&Verdict| matches!(verdict.outcome, Outcome::Refused(_));
        self.verdicts.iter().filter(is_refused).map(|verdict| verdict.id).collect()
    }

    /// Nothing was refused.
    pub fn is_ok(&self) -> bool {
        let refused = |verdict: &Verdict| matches!(verdict.outcome, Outcome::Refused(_));
        self.failure.is_none() && !self.verdicts.iter().any(refused)
    }
}

/// One transaction.
#[derive(Clone, Debug)]
pub struct Report {
    /// The folder that all paths are relative to.
    pub root: PathBuf,
    /// How far the run was to go.
    pub mode: Mode,
    /// In the order in which they were given.
    pub inputs: Vec<InputReport>,
    /// What was written, or would be; empty if refused.
    pub changes: Vec<Change>,
    /// Files were written.
    pub written: bool,
    /// Good edits are written though others are refused.
    pub partial: bool,
    /// Why the run came to nothing, beyond what its edits tell.
    pub failure: Option<Failure>,
    /// What a failed command wrote last.
    pub details: Vec<String>,
    /// Where the result would not be what was expected: from that to what was planned.
    pub differences: Vec<Change>,
    /// What the command of `--diagnose` said.
    pub diagnosis: Option<Diagnosis>,
    /// By this name it can be undone.
    pub batch: Option<String>,
    /// To be told of single files.
    pub file_notes: Vec<(RelPath, String)>,
    /// To be told of the run.
    pub notes: Vec<String>,
}

impl Report {
    /// A run that did nothing yet.
    pub fn new(root: PathBuf, mode: Mode) -> Report {
        Report {
            root,
            mode,
            inputs: Vec::new(),
            changes: Vec::new(),
            written: false,
            partial: false,
            failure: None,
            details: Vec::new(),
            differences: Vec::new(),
            diagnosis: None,
            batch: None,
            file_notes: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The exit code of the run.
    pub fn exit(&self) -> Exit {
        let failures =
            self.failure.iter().chain(self.inputs.iter().filter_map(|input| input.failure.as_ref()));
        let worst = failures.map(Failure::exit).max();
        let refused = self.inputs.iter().any(|input| !input.is_ok());
        worst.unwrap_or(if refused { Exit::Fail } else { Exit::Ok })
    }
}
