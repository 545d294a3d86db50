//! What earlier runs did: `undo`, `recover` and `log`.

use serde::Serialize;

use super::{Document, FileJson, PathJson};

/// The batches that were applied, the newest first.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Log {
    pub batches: Vec<BatchJson>,
}

impl Document for Log {
    const REPORT: &'static str = "log";
}

/// A batch.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BatchJson {
    /// By this name `edapply undo` takes it back.
    pub id: String,
    /// When it was applied, in UTC, as RFC 3339 has it.
    pub time: String,
    /// The batch that this one took back.
    pub undoes: Option<String>,
    /// It was taken back since.
    pub undone: bool,
    /// The folder in which it was applied.
    pub root: String,
    pub files: Vec<FileOp>,
}

/// A file of a batch.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileOp {
    /// `A`: created, `M`: modified, `D`: deleted, `R`: moved.
    pub op: char,
    #[serde(flatten)]
    pub path: PathJson,
}

/// A batch that was taken back.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UndoJson {
    /// The batch.
    pub undone: String,
    /// The undoing, by which it can be undone itself.
    pub batch: Option<String>,
    pub root: String,
    pub files: Vec<FileJson>,
    pub notes: Vec<String>,
}

impl Document for UndoJson {
    const REPORT: &'static str = "undo";
}

/// What killed runs had left.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Recovery {
    /// The exit code: 1 if something could not be put back.
    pub exit: u8,
    pub runs: Vec<RunJson>,
}

impl Document for Recovery {
    const REPORT: &'static str = "recover";
}

/// A run that was killed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunJson {
    pub id: String,
    pub outcome: RunWord,
    /// How many files it was about.
    pub files: usize,
    /// What could not be put back, and where its old content lies.
    pub left: Vec<String>,
}

/// What became of it.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum RunWord {
    RolledBack,
    /// It had committed.
    Finished,
    /// It had changed nothing.
    Cleared,
    /// It was not made here; it is left alone.
    Foreign,
}
