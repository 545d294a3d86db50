//! The cases in a folder.

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::Found;

/// A reply, the tree that it was written for, and what should come of it.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub dir: PathBuf,
    pub format: String,
    pub behavior: String,
    /// `ok`, `refuse`, `noop`, `unknown` or `parses`.
    pub expect: String,
    /// Refusing is as right as what `expect` says.
    pub or_refuse: bool,
    /// A shell line that exits with 0 where the task is done.
    pub verify: Option<String>,
    edits: usize,
    paths: Vec<String>,
}

#[derive(Deserialize)]
struct Meta {
    format: String,
    behavior: String,
    expect: String,
    #[serde(default, rename = "or")]
    or: Option<String>,
    #[serde(default)]
    verify: Option<String>,
    #[serde(default)]
    edits: usize,
    #[serde(default)]
    paths: Vec<String>,
}

impl Case {
    pub fn reply(&self) -> PathBuf {
        self.dir.join("reply.txt")
    }

    /// Whether these are the edits that the reply holds.
    pub(super) fn is_read_as(&self, names: &[String]) -> bool {
        let set = |names: &[String]| names.iter().cloned().collect::<std::collections::BTreeSet<_>>();
        names.len() == self.edits && set(names) == set(&self.paths)
    }

    fn read(dir: PathBuf) -> io::Result<Option<Case>> {
        let bytes = match std::fs::read(dir.join("meta.json")) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let named = |error: serde_json::Error| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                format!("{}: {error}", dir.join("meta.json").display()),
            )
        };
        let meta: Meta = serde_json::from_slice(&bytes).map_err(named)?;
        let name = dir.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        Ok(Some(Case {
            name,
            format: meta.format,
            behavior: meta.behavior,
            expect: meta.expect,
            or_refuse: meta.or.as_deref() == Some("refuse"),
            verify: meta.verify,
            edits: meta.edits,
            paths: meta.paths,
            dir,
        }))
    }
}

/// The cases of folders, by name; a folder without any stands for the folders in it.
///
/// # Errors
/// A folder or a `meta.json` cannot be read.
pub fn find(folders: &[PathBuf]) -> io::Result<Found> {
    let mut found = Found::default();
    for folder in folders {
        let inner = entries(folder)?;
        let mut cases = cases_of(&inner)?;
        if cases.is_empty() {
            for set in inner.iter().filter(|path| path.is_dir()) {
                cases.extend(cases_of(&entries(set)?)?);
            }
        }
        let (replies, cases): (Vec<Case>, Vec<Case>) =
            cases.into_iter().partition(|case| case.expect == "parses");
        found.cases.extend(cases);
        found.replies.extend(replies);
        found.folders.push(folder.clone());
    }
    Ok(found)
}

fn cases_of(folders: &[PathBuf]) -> io::Result<Vec<Case>> {
    let mut out = Vec::new();
    for folder in folders {
        out.extend(Case::read(folder.clone())?);
    }
    Ok(out)
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let named = |error: io::Error| {
        let why = crate::tree::root::plain_error(&error);
        io::Error::new(error.kind(), format!("cannot read the folder {}: {why}", folder.display()))
    };
    let mut out: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(named)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    out.sort();
    Ok(out)
}
