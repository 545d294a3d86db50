//! What the drop-ins came to.

use serde::Serialize;

use super::{Detail, Document, FileJson, PathJson, Status, files, path};
use crate::{
    dialect::{Fate, HunkTold, Told},
    report::Exit,
};

/// What a drop-in came to: its model's texts and exit code, and what became of hunks and files.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DropIn {
    pub status: Status,
    /// The exit code, as the model has it.
    pub exit: u8,
    /// Files were written.
    pub written: bool,
    /// What was written, rejects and backups among it. In a dry run, what would be: without rejects and backups,
    /// and without files that a filter of git's configuration converts.
    pub files: Vec<FileJson>,
    /// Each hunk that was tried, in the order of the input. `git apply` tries none of a file's hunks behind one that
    /// does not fit.
    pub hunks: Vec<FaceHunk>,
    /// What would stand on standard output.
    pub stdout: String,
    /// What would stand on standard error.
    pub stderr: String,
}

impl DropIn {
    pub fn new(exit: Exit, told: &Told, stdout: &[u8], stderr: &[u8]) -> DropIn {
        DropIn {
            status: exit.into(),
            exit: exit as u8,
            written: told.written,
            files: files(&told.changes, Detail::Short),
            hunks: told.hunks.iter().map(FaceHunk::from).collect(),
            stdout: super::lossy(stdout),
            stderr: super::lossy(stderr),
        }
    }
}

/// What became of a hunk. That it fits does not mean that it was written: `written` says so.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FaceHunk {
    #[serde(flatten)]
    path: PathJson,
    /// Counted from 1 in its file's part.
    hunk: usize,
    /// The line of the input at which it begins, from 1.
    input_line: usize,
    verdict: FaceWord,
    /// Where its text stands in the file once the hunks above are in, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<i64>,
    /// How many lines that is below the line that it states.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<i64>,
    /// Lines of context that were given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    fuzz: Option<u64>,
    /// With `--safe`: why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum FaceWord {
    Applied,
    /// Merged, with a conflict left in the file.
    Conflict,
    /// Its new text stands there.
    Already,
    /// The same as another hunk.
    Twice,
    /// Its file's part was left out.
    Skipped,
    Refused,
}

impl From<&HunkTold> for FaceHunk {
    fn from(told: &HunkTold) -> FaceHunk {
        let mut json = FaceHunk {
            path: path(Some(&told.name)),
            hunk: told.number,
            input_line: told.line,
            verdict: FaceWord::Refused,
            line: None,
            offset: None,
            fuzz: None,
            why: None,
        };
        json.verdict = match &told.fate {
            Fate::Placed { line, offset, fuzz } => {
                (json.line, json.offset, json.fuzz) = (Some(*line), Some(*offset), Some(*fuzz));
                FaceWord::Applied
            }
            Fate::Conflict => FaceWord::Conflict,
            Fate::Already { line } => {
                json.line = i64::try_from(*line).ok();
                FaceWord::Already
            }
            Fate::Twice => FaceWord::Twice,
            Fate::Skipped => FaceWord::Skipped,
            Fate::Refused { why } => {
                json.why.clone_from(why);
                FaceWord::Refused
            }
        };
        json
    }
}

/// The face that replaces GNU patch.
#[derive(Debug, Serialize)]
#[serde(transparent)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Patch(pub DropIn);

impl Document for Patch {
    const REPORT: &'static str = "patch";
}

/// The face that replaces `git apply`.
#[derive(Debug, Serialize)]
#[serde(transparent)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GitApply(pub DropIn);

impl Document for GitApply {
    const REPORT: &'static str = "git-apply";
}
