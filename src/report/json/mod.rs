//! Reports for programs: one JSON object a line, as `edapply schema` describes them.
//!
//! Every object begins with `version` and `report`, which tells what the rest is. The version counts up when
//! a field goes, or means something else; new fields come without notice.

use serde::Serialize;

use super::{Exit, Failure};
use crate::refusal::Refusal;

mod apply;
mod faces;
mod file;
mod found;
mod past;
mod texts;

#[cfg(test)]
pub(crate) use apply::Apply;
pub use apply::{Detail, report};
pub use faces::{DropIn, GitApply, Patch};
pub use file::{FileJson, files};
pub use found::{Inspected, inspected, op_name};
pub use past::{BatchJson, FileOp, Log, Recovery, RunJson, RunWord, UndoJson};
pub use texts::{
    CodeJson, Codes, Completions, Convert, Installed, InstalledFile, Man, PageJson, Prompt, Read, ShownJson,
};

/// The version of all reports.
pub const VERSION: u32 = 1;

/// A kind of report.
pub trait Document: Serialize {
    /// Its name, in `report`.
    const REPORT: &'static str;
}

#[derive(Serialize)]
struct Envelope<'d, D> {
    version: u32,
    report: &'static str,
    #[serde(flatten)]
    document: &'d D,
}

/// A report as one line of JSON.
///
/// # Errors
/// None in practice: everything in it is a string or a number.
pub fn line<D: Document>(document: &D) -> serde_json::Result<String> {
    serde_json::to_string(&Envelope { version: VERSION, report: D::REPORT, document })
}

/// How a run ended, as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Status {
    /// Everything applied, or would.
    Ok,
    /// Something was refused.
    Fail,
    /// The result is not what was promised; nothing is left changed.
    Wrong,
    /// Usage, unreadable input, input and output; or interrupted.
    Trouble,
}

impl From<Exit> for Status {
    fn from(exit: Exit) -> Status {
        match exit {
            Exit::Ok => Status::Ok,
            Exit::Fail => Status::Fail,
            Exit::Wrong => Status::Wrong,
            _ => Status::Trouble,
        }
    }
}

/// A run that came to nothing.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorReport {
    pub status: Status,
    /// The exit code.
    pub exit: u8,
    pub error: ErrorJson,
}

impl Document for ErrorReport {
    const REPORT: &'static str = "error";
}

impl ErrorReport {
    pub fn new(failure: &Failure) -> ErrorReport {
        let exit = failure.exit();
        ErrorReport { status: exit.into(), exit: exit as u8, error: failure.into() }
    }
}

/// Why something came to nothing.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorJson {
    /// A stable name, which `edapply explain` knows.
    pub code: &'static str,
    pub message: String,
    /// What to do next; empty if nothing more is known.
    pub next: String,
}

impl From<&Failure> for ErrorJson {
    fn from(failure: &Failure) -> ErrorJson {
        ErrorJson { code: failure.code, message: failure.message.clone(), next: failure.next().to_owned() }
    }
}

/// A path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PathJson {
    /// Bytes that are no UTF-8 are shown as U+FFFD; null if no file is named.
    path: Option<String>,
    /// The bytes of a path that is no UTF-8, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
}

/// A path in a report.
pub fn path(bytes: Option<&[u8]>) -> PathJson {
    PathJson { path: bytes.map(lossy), path_b64: bytes.and_then(exactly) }
}

/// Why an edit or a hunk was refused.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RefusalJson {
    /// A stable name, which `edapply explain` knows.
    code: &'static str,
    message: String,
    /// What to do next.
    next: String,
    /// Lines of the file at which the old text fits, where it fits several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<usize>,
    /// Files that the name may mean, or that hold the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidate_paths: Vec<String>,
    /// The closest lines that the file has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    closest: Vec<ClosestJson>,
    /// Each way to compare that was tried, and why nothing fits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tried: Vec<String>,
}

/// Lines of the file that are nearly the old text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ClosestJson {
    /// The number of the first, from 1.
    first: usize,
    lines: Vec<String>,
    /// What differs, in words.
    difference: String,
}

fn refusal(refusal: &Refusal) -> RefusalJson {
    let mut json = RefusalJson {
        code: refusal.code(),
        message: refusal.to_string(),
        next: refusal.next().into_owned(),
        candidates: Vec::new(),
        candidate_paths: Vec::new(),
        closest: Vec::new(),
        tried: Vec::new(),
    };
    match refusal {
        Refusal::Ambiguous { lines } | Refusal::OutsideAnchor { lines, .. } => {
            json.candidates.clone_from(lines);
        }
        Refusal::NoPath { holders: paths }
        | Refusal::NoSuchFile { closest: paths, .. }
        | Refusal::PathAmbiguous { paths } => json.candidate_paths.clone_from(paths),
        Refusal::NotFound { closest, tried } => {
            json.closest.extend(closest.iter().map(|closest| ClosestJson {
                first: closest.quote.first,
                lines: closest.quote.lines.iter().map(|line| lossy(line)).collect(),
                difference: closest.difference.clone(),
            }));
            json.tried.clone_from(tried);
        }
        _ => {}
    }
    json
}

/// Text as JSON can hold it.
pub fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The bytes in base64, if they are no UTF-8.
pub fn exactly(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).is_err().then(|| base64(bytes))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * at) & 63) as usize];
            out.push(if at > chunk.len() { '=' } else { char::from(letter) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_as_everywhere() {
        let all = [&b""[..], b"f", b"fo", b"foo", b"caf\xe9"].map(base64);
        assert_eq!(all, ["", "Zg==", "Zm8=", "Zm9v", "Y2Fm6Q=="]);
    }

    #[test]
    fn names_that_are_no_utf8_come_in_full() {
        let json = serde_json::to_string(&path(Some(b"caf\xe9"))).expect("JSON");
        assert_eq!(json, "{\"path\":\"caf\u{fffd}\",\"path_b64\":\"Y2Fm6Q==\"}");
    }
}
