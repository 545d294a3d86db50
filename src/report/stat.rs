//! `--stat`, `--numstat` and `--summary`: the size of a change.

use std::io::{self, Write};

use super::{delta, diff::Moves, escape};
use crate::{plan::Change, tree::Image};

/// Columns for names and bars together, as on an 80-column terminal.
const WIDTH: usize = 78;

/// One file of the list, with what happened to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLine {
    /// `M`, `A`, `D` or `R`.
    pub kind: char,
    pub path: Vec<u8>,
    /// The old name of a file that moved.
    pub from: Option<Vec<u8>>,
    pub added: usize,
    pub removed: usize,
    /// Of what is no text: bytes before and after.
    pub bytes: Option<(usize, usize)>,
    /// A symbolic link stands there, or stood.
    pub link: bool,
}

impl FileLine {
    /// What it is, if it is no text.
    pub fn what(&self) -> Option<&'static str> {
        if self.link { Some("link") } else { self.bytes.map(|_| "binary") }
    }

    /// The name, or both.
    pub fn shown(&self) -> String {
        match &self.from {
            Some(from) => format!("{} → {}", escape::name(from), escape::name(&self.path)),
            None => escape::name(&self.path),
        }
    }
}

/// All files of a change, in order of their paths.
pub fn files(changes: &[Change]) -> Vec<FileLine> {
    let moves = Moves::new(changes);
    let seen = changes.iter().filter(|change| !moves.is_told(change));
    seen.map(|change| file(change, moves.source(change))).collect()
}

fn file(change: &Change, from: Option<&Change>) -> FileLine {
    let before = from.map_or(&change.before, |from| &from.before);
    let (added, removed) = counts(before, &change.after);
    let binary = before.iter().chain(&change.after).any(Image::is_binary);
    let link = before.iter().chain(&change.after).any(Image::is_link);
    let sizes = binary.then(|| (bytes(before).len(), bytes(&change.after).len()));
    let kind = match (from, &change.before, &change.after) {
        (Some(_), ..) => 'R',
        (_, None, _) => 'A',
        (_, _, None) => 'D',
        _ => 'M',
    };
    let from = from.map(|from| from.path.as_bytes().to_vec());
    FileLine { kind, path: change.path.as_bytes().to_vec(), from, added, removed, bytes: sizes, link }
}

/// Lines added and lines removed. How a content was made may tell.
fn counts(before: &Option<Image>, after: &Option<Image>) -> (usize, usize) {
    match (before, after) {
        (None, Some(after)) => (after.bytes.line_count(), 0),
        (Some(before), Some(after)) if after.bytes.is_line_changed(&before.bytes) => (1, 1),
        _ => delta::counts(bytes(before), bytes(after)),
    }
}

fn bytes(image: &Option<Image>) -> &[u8] {
    image.as_ref().map_or(&[], |image| &image.bytes)
}

/// A bar a file and a total.
pub fn write_stat(files: &[FileLine], out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = files.iter().map(FileLine::shown).collect();
    let name_width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(50);
    let text = || files.iter().filter(|file| file.bytes.is_none());
    let most = text().map(|file| file.added + file.removed).max().unwrap_or(0);
    let digits = most.to_string().len();
    let room = WIDTH.saturating_sub(name_width + digits + 5).max(10);
    for (file, name) in files.iter().zip(&names) {
        if let Some((before, after)) = file.bytes {
            writeln!(out, " {name:name_width$} | Bin {before} -> {after} bytes")?;
            continue;
        }
        let total = file.added + file.removed;
        let scale = |count: usize| if most <= room { count } else { (count * room).div_ceil(most) };
        let (plus, minus) = ("+".repeat(scale(file.added)), "-".repeat(scale(file.removed)));
        writeln!(out, " {name:name_width$} | {total:digits$} {plus}{minus}")?;
    }
    let sum = |count: fn(&FileLine) -> usize| text().map(count).sum::<usize>();
    let (added, removed) = (sum(|file| file.added), sum(|file| file.removed));
    writeln!(out, " {} file(s) changed, {added} insertion(s)(+), {removed} deletion(s)(-)", files.len())
}

/// Added, removed and the name, for programs.
pub fn write_numstat(files: &[FileLine], out: &mut dyn Write) -> io::Result<()> {
    for file in files {
        let count = |lines: usize| file.bytes.map_or_else(|| lines.to_string(), |_| "-".into());
        let name = escape::header("", &file.path);
        writeln!(out, "{}\t{}\t{name}", count(file.added), count(file.removed))?;
    }
    Ok(())
}

/// Creations, deletions, moves and changed modes.
pub fn write_summary(changes: &[Change], out: &mut dyn Write) -> io::Result<()> {
    let moves = Moves::new(changes);
    for (change, line) in changes.iter().filter(|change| !moves.is_told(change)).zip(files(changes)) {
        let name = line.shown();
        match (line.kind, &change.before, &change.after) {
            ('A', _, Some(after)) => writeln!(out, " create mode {} {name}", after.git_mode())?,
            ('D', Some(before), _) => writeln!(out, " delete mode {} {name}", before.git_mode())?,
            ('R', ..) => writeln!(out, " rename {name}")?,
            (_, Some(before), Some(after)) if before.git_mode() != after.git_mode() => {
                writeln!(out, " mode change {} => {} {name}", before.git_mode(), after.git_mode())?;
            }
            _ => {}
        }
    }
    Ok(())
}
