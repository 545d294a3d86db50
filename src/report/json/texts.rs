//! Reports that hold a text, or a list.

use serde::Serialize;

use super::{Document, PathJson};
use crate::{edit::Format, manual::Page, refusal::Explanation};

/// The same edits in another format.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Convert {
    pub to: Format,
    /// Bytes that are no UTF-8 are shown as U+FFFD.
    pub text: String,
    /// The bytes of a text that is no UTF-8, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_b64: Option<String>,
    pub notes: Vec<String>,
}

impl Document for Convert {
    const REPORT: &'static str = "convert";
}

/// Files as `edapply read` shows them.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Read {
    pub files: Vec<ShownJson>,
}

impl Document for Read {
    const REPORT: &'static str = "read";
}

/// A file and the lines of it that are shown.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShownJson {
    #[serde(flatten)]
    pub path: PathJson,
    /// Of the text, as hashline edits name it.
    pub tag: String,
    pub sha256: String,
    /// How many the file has.
    pub lines: usize,
    /// The first line that is shown, from 1.
    pub first: usize,
    pub last: usize,
    pub text: String,
}

/// What to tell a model.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Prompt {
    pub format: Format,
    /// With a worked example.
    pub long: bool,
    pub text: String,
}

impl Document for Prompt {
    const REPORT: &'static str = "prompt";
}

/// What codes in messages mean.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Codes {
    pub codes: Vec<CodeJson>,
}

impl Document for Codes {
    const REPORT: &'static str = "explain";
}

/// A code.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CodeJson {
    pub code: &'static str,
    pub title: &'static str,
    /// What was found.
    pub sentence: &'static str,
    /// Why that is refused.
    pub why: &'static str,
    /// What to do now.
    pub next: &'static str,
}

impl From<&Explanation> for CodeJson {
    fn from(e: &Explanation) -> CodeJson {
        CodeJson { code: e.code, title: e.title, sentence: e.sentence, why: e.why, next: e.next }
    }
}

/// A completion script.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Completions {
    pub shell: String,
    pub text: &'static str,
}

impl Document for Completions {
    const REPORT: &'static str = "completions";
}

/// Pages of the manual.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Man {
    pub pages: Vec<PageJson>,
}

/// A page of the manual.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PageJson {
    /// As `man` knows it.
    pub name: &'static str,
    pub section: u8,
    /// In the language of `man`.
    pub text: &'static str,
}

impl From<&Page> for PageJson {
    fn from(page: &Page) -> PageJson {
        PageJson { name: page.name, section: page.section, text: page.text }
    }
}

impl Document for Man {
    const REPORT: &'static str = "man";
}

/// What `edapply install` put where.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Installed {
    /// Files were written; false with `--dry-run`.
    pub written: bool,
    pub files: Vec<InstalledFile>,
}

impl Document for Installed {
    const REPORT: &'static str = "install";
}

/// A file, or a link.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InstalledFile {
    #[serde(flatten)]
    pub path: PathJson,
    /// What a link points at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_to: Option<String>,
}
