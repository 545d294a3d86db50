//! `edapply read`: a file for a model, in the form that its line edits refer to.
//!
//! A header names the file and the tag of its text, then each line has its number. The version that was
//! shown is remembered, so that `--require-read` can tell whether the file is still the same.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    commit::ledger::{self, Version},
    report::{
        Failure, escape,
        json::{self, ShownJson},
    },
    text::{Text, encoding, tag},
    tree::{Files, RelPath, Root, root::plain_error},
};

/// How a file is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `[PATH#TAG]`, then `N:TEXT`.
    Numbered,
    /// The lines as they are.
    Plain,
    /// One JSON object.
    Json,
}

/// What to read.
#[derive(Clone, Debug)]
pub struct ReadRequest {
    pub root: PathBuf,
    /// `FILE`, `FILE:A`, `FILE:A-B` or `FILE:A-`.
    pub files: Vec<Vec<u8>>,
    pub form: Form,
    pub state_dir: Option<PathBuf>,
}

/// A file and the lines of it that are shown.
struct Shown {
    path: RelPath,
    bytes: Vec<u8>,
    version: Version,
    /// From 0.
    first: usize,
    end: usize,
}

/// Prints the files and remembers their versions. The second value is what could not be remembered.
///
/// # Errors
/// The output cannot be written; the inner one: a file cannot be read.
pub fn read(request: &ReadRequest, out: &mut dyn Write) -> io::Result<Result<Option<String>, Failure>> {
    let root = match Root::open(&request.root) {
        Ok(root) => root,
        Err(error) => {
            let name = escape::name(request.root.to_string_lossy().as_bytes());
            let message = format!("cannot open the root {name}: {}", plain_error(&error));
            return Ok(Err(Failure::trouble("unreadable-root", message)));
        }
    };
    let shown: Result<Vec<Shown>, Failure> = request.files.iter().map(|file| open(&root, file)).collect();
    let shown = match shown {
        Ok(shown) => shown,
        Err(failure) => return Ok(Err(failure)),
    };
    match request.form {
        Form::Numbered => shown.iter().try_for_each(|one| numbered(one, out))?,
        Form::Plain => shown.iter().try_for_each(|one| plain(one, out))?,
        Form::Json => {
            let files = shown.iter().map(as_json).collect();
            writeln!(out, "{}", json::line(&json::Read { files })?)?;
        }
    }
    out.flush()?;
    let files: Vec<(RelPath, Version)> = shown.iter().map(|one| (one.path.clone(), one.version)).collect();
    let remembered = ledger::remember(&root, request.state_dir.as_deref(), &files);
    Ok(Ok(remembered.err().map(|error| format!("the reading is not remembered: {}", plain_error(&error)))))
}

fn open(root: &Root, file: &[u8]) -> Result<Shown, Failure> {
    let whole = find(root, file);
    let (path, bytes, first, last) = match (whole, split(file)) {
        (Ok((path, bytes)), _) => (path, bytes, 1, usize::MAX),
        (Err(_), Some((name, first, last))) => {
            let (path, bytes) = find(root, name)?;
            (path, bytes, first, last)
        }
        (Err(failure), None) => return Err(failure),
    };
    let version = ledger::version(&bytes);
    let name = || escape::name(path.as_bytes());
    let trouble =
        |what: String, next: String| Failure { advice: Some(next), ..Failure::trouble("unreadable", what) };
    let text_only = || "Only text is read and edited.".to_owned();
    let (_, decoded) =
        encoding::decode(&bytes).map_err(|why| trouble(format!("{}: {why}", name()), text_only()))?;
    if decoded.contains(&0) {
        return Err(trouble(format!("{} is no text: it holds NUL bytes", name()), text_only()));
    }
    let lines = Text::new(&decoded).len();
    if first == 0 || first > lines.max(1) || last < first {
        let what = format!("{} has {lines} lines, none of which are asked for", name());
        return Err(trouble(what, format!("Ask for lines from 1 to {lines}, as FILE:A-B.")));
    }
    Ok(Shown { version, first: first - 1, end: last.min(lines), bytes: decoded.into_owned(), path })
}

/// The file's path below the root, and its bytes.
fn find(root: &Root, name: &[u8]) -> Result<(RelPath, Vec<u8>), Failure> {
    let trouble =
        |why: String| Failure::trouble("unreadable", format!("cannot read {}: {why}", escape::name(name)));
    let below = below(root.path(), name);
    let path = RelPath::parse(below).map_err(|refusal| trouble(refusal.to_string()))?;
    match root.read(&path) {
        Ok(Some(image)) => Ok((path, image.bytes.into())),
        Ok(None) => Err(Failure {
            advice: Some("Name a file as it is from the current folder, or from that of `-C DIR`.".into()),
            ..trouble("no such file".to_owned())
        }),
        Err(refusal) => Err(trouble(refusal.to_string())),
    }
}

/// An absolute name below the root as one in it.
fn below<'n>(root: &Path, name: &'n [u8]) -> &'n [u8] {
    let inside = name.strip_prefix(root.as_os_str().as_encoded_bytes());
    inside.and_then(|inside| inside.strip_prefix(b"/")).unwrap_or(name)
}

/// `FILE:A-B` as its name and first and last line.
fn split(file: &[u8]) -> Option<(&[u8], usize, usize)> {
    let colon = file.iter().rposition(|&b| b == b':')?;
    let range = std::str::from_utf8(&file[colon + 1..]).ok()?;
    let (first, last) = match range.split_once('-') {
        Some((first, "")) => (first.parse().ok()?, usize::MAX),
        Some((first, last)) => (first.parse().ok()?, last.parse().ok()?),
        None => (range.parse().ok()?, range.parse().ok()?),
    };
    Some((&file[..colon], first, last))
}

fn numbered(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let text = Text::new(&shown.bytes);
    out.write_all(b"[")?;
    out.write_all(shown.path.as_bytes())?;
    writeln!(out, "#{}]", tag::shown(tag::tag(&shown.bytes)))?;
    if shown.first > 0 {
        writeln!(out, "1-{}: …", shown.first)?;
    }
    for at in shown.first..shown.end {
        write!(out, "{}:", at + 1)?;
        out.write_all(text.body(at))?;
        out.write_all(b"\n")?;
    }
    match text.len() - shown.end {
        0 => Ok(()),
        1 => writeln!(out, "[1 more line in {}]", escape::name(shown.path.as_bytes())),
        more => writeln!(out, "[{more} more lines in {}]", escape::name(shown.path.as_bytes())),
    }
}

fn plain(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    let text = Text::new(&shown.bytes);
    out.write_all(&shown.bytes[text.offset(shown.first)..text.offset(shown.end)])
}

fn as_json(shown: &Shown) -> ShownJson {
    let text = Text::new(&shown.bytes);
    let lines = &shown.bytes[text.offset(shown.first)..text.offset(shown.end)];
    ShownJson {
        path: json::path(Some(shown.path.as_bytes())),
        tag: tag::shown(tag::tag(&shown.bytes)),
        sha256: ledger::shown(&shown.version),
        lines: text.len(),
        first: shown.first + 1,
        last: shown.end,
        text: String::from_utf8_lossy(lines).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_behind_names() {
        for (text, want) in [
            ("a.rs:3-9", Some(("a.rs", 3, 9))),
            ("a.rs:3", Some(("a.rs", 3, 3))),
            ("a.rs:3-", Some(("a.rs", 3, usize::MAX))),
            ("a:b.rs", None),
            ("a.rs", None),
            ("a.rs:-3", None),
        ] {
            let want = want.map(|(name, first, last)| (name.as_bytes(), first, last));
            assert_eq!(split(text.as_bytes()), want, "{text}");
        }
    }
}
