//! A folder of patches as inputs: what a `series` file lists, as quilt has it, or all by name.

use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::Source;
use crate::report::{Failure, escape};

/// Files that are patches by their name.
const ENDINGS: [&str; 2] = ["patch", "diff"];

/// A patch of a folder, and what its `series` says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    pub path: PathBuf,
    /// The folder.
    pub series: PathBuf,
    pub strip: Option<usize>,
    pub reverse: bool,
}

/// The sources with each folder replaced by its patches.
///
/// # Errors
/// A folder holds no patch, or cannot be read.
pub fn expand(sources: &[Source]) -> Result<Vec<Source>, Failure> {
    let mut all = Vec::new();
    for source in sources {
        match source {
            Source::File(path) if source.is_folder() => {
                all.extend(patches(path)?.into_iter().map(Source::Patch))
            }
            other => all.push(other.clone()),
        }
    }
    Ok(all)
}

fn patches(folder: &Path) -> Result<Vec<Patch>, Failure> {
    let shown = escape::name(folder.as_os_str().as_bytes());
    let failed = |error: &std::io::Error| {
        let why = crate::tree::root::plain_error(error);
        Failure::trouble("unreadable-input", format!("cannot read {shown}: {why}"))
    };
    let list = folder.join("series");
    let patches = if list.is_file() {
        listed(folder, &fs::read(&list).map_err(|error| failed(&error))?)
            .map_err(|what| Failure::trouble("bad-series", format!("{shown}/series: {what}")))?
    } else {
        by_name(folder).map_err(|error| failed(&error))?
    };
    if patches.is_empty() {
        let what = format!("{shown} is a folder that holds no *.patch or *.diff and no `series`");
        return Err(Failure::trouble("no-patches", what));
    }
    Ok(patches)
}

fn by_name(folder: &Path) -> std::io::Result<Vec<Patch>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_patch = path.extension().and_then(OsStr::to_str).is_some_and(|end| ENDINGS.contains(&end));
        if is_patch && path.is_file() {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    let patch = |path| Patch { path, series: folder.to_path_buf(), strip: None, reverse: false };
    Ok(paths.into_iter().map(patch).collect())
}

/// The patches of a `series`: a name a line, behind it `-pN` and `-R`; `#` begins a comment.
fn listed(folder: &Path, series: &[u8]) -> Result<Vec<Patch>, String> {
    let mut patches = Vec::new();
    for (at, line) in series.split(|&b| b == b'\n').enumerate() {
        let comment = line
            .iter()
            .enumerate()
            .find(|&(at, &b)| b == b'#' && (at == 0 || line[at - 1].is_ascii_whitespace()));
        let line = comment.map_or(line, |(at, _)| &line[..at]);
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let Some(name) = words.next() else { continue };
        let path = folder.join(OsStr::from_bytes(name));
        let mut patch = Patch { path, series: folder.to_path_buf(), strip: None, reverse: false };
        for option in words {
            match option.strip_prefix(b"-p") {
                Some(b"ab") => patch.strip = Some(1),
                Some(number) => {
                    let number = std::str::from_utf8(number).ok().and_then(|text| text.parse().ok());
                    patch.strip = Some(number.ok_or_else(|| unknown(at + 1, option))?);
                }
                None if option == b"-R" => patch.reverse = true,
                None => return Err(unknown(at + 1, option)),
            }
        }
        patches.push(patch);
    }
    Ok(patches)
}

fn unknown(line: usize, option: &[u8]) -> String {
    format!("line {line}: {} is none of -pN and -R", escape::name(option))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(series: &str) -> String {
        let patches = match listed(Path::new("d"), series.as_bytes()) {
            Ok(patches) => patches,
            Err(why) => return why,
        };
        let shown = |patch: &Patch| format!("{} {:?} {}", patch.path.display(), patch.strip, patch.reverse);
        patches.iter().map(shown).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_series_as_quilt_writes_it() {
        assert_eq!(
            said("# all\n\nb.patch -p0\na#1.diff   # later\nsub/c.patch -R -pab\n"),
            "d/b.patch Some(0) false; d/a#1.diff None false; d/sub/c.patch Some(1) true"
        );
        assert_eq!(said("a.patch\nb.patch --fuzz=3\n"), "line 2: --fuzz=3 is none of -pN and -R");
        assert_eq!(said("a.patch -p\n"), "line 1: -p is none of -pN and -R");
    }
}
