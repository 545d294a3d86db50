//! What a run was asked to do, whichever face asked.

use std::{io::Read, path::PathBuf, time::Duration};

use regex::bytes::Regex;

use crate::{
    commit::{
        Writer,
        ledger::{self, Version},
    },
    edit::Format,
    plan::Policy,
    report::{Failure, Mode, escape},
    tree::{Buffer, RelPath},
};

mod clipboard;
pub mod series;

pub use series::Patch;

/// Larger inputs are refused.
const MAX_INPUT: u64 = 256 << 20;

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    Stdin,
    /// A file, or a folder of patches.
    File(PathBuf),
    /// One patch of a folder.
    Patch(Patch),
    Clipboard,
}

impl Source {
    /// As people name it: `-` is standard input.
    pub fn name(&self) -> String {
        match self {
            Source::Stdin => "-".into(),
            Source::File(path) | Source::Patch(Patch { path, .. }) => path.to_string_lossy().into_owned(),
            Source::Clipboard => "clipboard".into(),
        }
    }

    /// It stands for the patches in it.
    pub fn is_folder(&self) -> bool {
        matches!(self, Source::File(path) if path.is_dir())
    }

    /// All its bytes.
    ///
    /// # Errors
    /// It cannot be read, is a folder, or is too large.
    pub fn read(&self, stdin: &mut dyn Read) -> Result<Buffer, Failure> {
        let failed = |why: &str| {
            let name = escape::name(self.name().as_bytes());
            Failure::trouble("unreadable-input", format!("cannot read {name}: {why}"))
        };
        let fail = |error: std::io::Error| failed(&crate::tree::root::plain_error(&error));
        let mut bytes = Buffer::default();
        match self {
            Source::Stdin => bytes.read_on(stdin.take(MAX_INPUT + 1)).map_err(fail)?,
            Source::Clipboard => bytes = clipboard::read(MAX_INPUT)?.into(),
            Source::File(path) | Source::Patch(Patch { path, .. }) => {
                let file = std::fs::File::open(path).map_err(fail)?;
                let known = file.metadata().map_err(fail)?;
                if known.is_dir() {
                    return Err(failed("it is a folder"));
                }
                bytes = Buffer::with_capacity(usize::try_from(known.len().min(MAX_INPUT)).unwrap_or(0) + 1);
                bytes.read_on(file.take(MAX_INPUT + 1)).map_err(fail)?;
            }
        }
        if bytes.len() as u64 > MAX_INPUT {
            return Err(Failure::trouble("too-large", "the input is over 256 MiB".into()));
        }
        Ok(bytes)
    }
}

/// A pattern of `--protect`, as people write globs: without a slash it names a file or folder at any
/// depth, and a folder stands for all below it.
#[derive(Clone, Debug)]
pub struct Glob {
    pub text: String,
    pattern: Regex,
}

impl Glob {
    /// # Errors
    /// A bracket is not closed, or a range is empty.
    pub fn new(text: &str) -> Result<Glob, String> {
        let anywhere = !text.trim_end_matches('/').contains('/');
        let body = translate(text.trim_start_matches('/').trim_end_matches('/'));
        let start = if anywhere { "^(?:.*/)?" } else { "^" };
        let pattern = Regex::new(&format!("(?s-u){start}{body}(?:/.*)?$"));
        match pattern {
            Ok(pattern) => Ok(Glob { text: text.to_owned(), pattern }),
            Err(_) => Err(format!("`{text}` is no pattern: a bracket is not closed, or a range is empty")),
        }
    }

    pub fn matches(&self, path: &[u8]) -> bool {
        self.pattern.is_match(path)
    }
}

fn translate(glob: &str) -> String {
    let mut out = String::new();
    let mut rest = glob;
    while let Some(c) = rest.chars().next() {
        let (taken, pattern) = match c {
            '*' if rest.starts_with("**/") => (3, "(?:.*/)?".to_owned()),
            '*' if rest.starts_with("**") => (2, ".*".to_owned()),
            '*' => (1, "[^/]*".to_owned()),
            '?' => (1, "[^/]".to_owned()),
            '[' if rest.starts_with("[!") => (2, "[^/".to_owned()),
            '[' | ']' | '-' => (1, c.to_string()),
            c => (c.len_utf8(), bytes_pattern(c)),
        };
        out.push_str(&pattern);
        rest = &rest[taken..];
    }
    out
}

/// A character as the bytes that spell it.
fn bytes_pattern(c: char) -> String {
    if c.is_ascii() {
        return regex::escape(&c.to_string());
    }
    let spell = |byte: u8| format!("\\x{byte:02x}");
    c.encode_utf8(&mut [0; 4]).bytes().map(spell).collect()
}

/// Which edits count, and what they may touch.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Only edits whose path matches one of these, if there are any.
    pub only: Vec<Regex>,
    /// No edit whose path matches one of these.
    pub skip: Vec<Regex>,
    pub protect: Vec<Glob>,
    pub max_files: Option<usize>,
    pub max_lines: Option<usize>,
    /// The batch from which on the journal's changes count in these two.
    pub since: Option<String>,
    /// Files of which no reading is remembered, or another version, may not be edited.
    pub require_read: bool,
    /// Versions that files must be.
    pub if_match: Vec<(RelPath, Version)>,
    pub tracked_only: bool,
    /// What `git diff --check` would complain of is refused.
    pub check_whitespace: bool,
    /// Nothing on another file system than the root's.
    pub no_xdev: bool,
}

impl Limits {
    /// Whether an edit of this path counts.
    pub fn admit(&self, path: &[u8]) -> bool {
        let any = |patterns: &[Regex]| patterns.iter().any(|pattern| pattern.is_match(path));
        (self.only.is_empty() || any(&self.only)) && !any(&self.skip)
    }

    /// The pattern that protects this path.
    pub fn protector(&self, path: &[u8]) -> Option<&Glob> {
        self.protect.iter().find(|glob| glob.matches(path))
    }
}

/// `PATH=SHA256`, as people give the version that a file must be.
///
/// # Errors
/// No such pair, or a path that no edit may have.
pub fn version_of(text: &[u8]) -> Result<(RelPath, Version), String> {
    let shown = || escape::name(text);
    let at = text.iter().rposition(|&b| b == b'=').ok_or_else(|| format!("{} is no PATH=SHA256", shown()))?;
    let version = std::str::from_utf8(&text[at + 1..]).ok().and_then(ledger::parse);
    let version = version.ok_or_else(|| format!("{} does not end in a SHA-256 of 64 digits", shown()))?;
    let path = RelPath::parse(&text[..at]).map_err(|refusal| format!("{}: {refusal}", shown()))?;
    Ok((path, version))
}

/// One run.
#[derive(Clone, Debug)]
pub struct Request {
    /// At least one.
    pub inputs: Vec<Source>,
    /// Each input is a transaction of its own.
    pub each: bool,
    /// `None`: the current folder, or the top of the work tree that it lies in.
    pub root: Option<PathBuf>,
    pub format: Option<Format>,
    pub policy: Policy,
    pub limits: Limits,
    pub mode: Mode,
    /// Look up what refused edits may quote instead.
    pub retry: bool,
    pub writer: Writer,
    pub checks: Checks,
}

/// What the result should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// A file, if one file changes; or a folder.
    Path(PathBuf),
    /// What git has for a commit, branch or tag.
    Git(String),
}

impl From<&str> for Expect {
    fn from(text: &str) -> Expect {
        match text.strip_prefix("git:") {
            Some(rev) => Expect::Git(rev.to_owned()),
            None => Expect::Path(text.into()),
        }
    }
}

/// A command of the caller, and how long it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    pub command: String,
    pub limit: Duration,
}

/// What the caller wants to know of the result.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// Decides, before the result counts.
    pub verify: Option<Task>,
    /// Tells, once it stands.
    pub diagnose: Option<Task>,
    pub expect: Option<Expect>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(glob: &str, path: &str) -> bool {
        Glob::new(glob).expect("a pattern").matches(path.as_bytes())
    }

    #[test]
    fn globs_as_people_write_them() {
        for (glob, path) in [
            ("*.lock", "a/Cargo.lock"),
            ("vendor", "x/vendor/y/z.c"),
            ("vendor/", "vendor/z.c"),
            ("src/*.rs", "src/a.rs"),
            ("src/**/x.rs", "src/a/b/x.rs"),
            ("src/**", "src/a/b"),
            ("/top", "top"),
            ("f[a-c]", "fb"),
            ("für*", "für.rs"),
            ("?.c", "a.c"),
        ] {
            assert!(matches(glob, path), "{glob} {path}");
        }
        for (glob, path) in [
            ("*.lock", "a/b.locked"),
            ("src/*.rs", "src/a/b.rs"),
            ("f[!a]", "fa"),
            ("a.c", "abc"),
            ("a+", "aa"),
        ] {
            assert!(!matches(glob, path), "{glob} {path}");
        }
    }
}
