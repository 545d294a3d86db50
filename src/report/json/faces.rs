//! What the drop-ins came to.

use serde::Serialize;

use super::{Document, FileJson, Status};
use crate::report::Exit;

/// What a drop-in came to: its model's texts and exit code, and the files that it wrote.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DropIn {
    pub status: Status,
    /// The exit code, as the model has it.
    pub exit: u8,
    /// Files were written.
    pub written: bool,
    /// What was written, rejects and backups among it. Nothing in a dry run.
    pub files: Vec<FileJson>,
    /// What would stand on standard output.
    pub stdout: String,
    /// What would stand on standard error.
    pub stderr: String,
}

impl DropIn {
    pub fn new(exit: Exit, files: Vec<FileJson>, stdout: &[u8], stderr: &[u8]) -> DropIn {
        DropIn {
            status: exit.into(),
            exit: exit as u8,
            written: !files.is_empty(),
            files,
            stdout: super::lossy(stdout),
            stderr: super::lossy(stderr),
        }
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
