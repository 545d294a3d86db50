//! The existing paths closest to a name that fits none: for messages only, never for choosing.

use std::{
    cell::{Cell, OnceCell},
    collections::{HashMap, HashSet},
};

use super::{Files, Kind, RelPath, path::base};
use crate::{
    edit::Line,
    text::{Text, is_blank, view},
};

const SHOWN: usize = 3;
/// Longer names are compared by equality alone, so that the work stays bounded.
const LONGEST_COMPARED: usize = 64;
/// So many names of one input get a "did you mean".
const MAX_SEARCHES: usize = 50;

/// The tree's paths, listed once for an input and only when a name fits no file.
#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    by_base: OnceCell<HashMap<Vec<u8>, Vec<RelPath>>>,
    searches: Cell<usize>,
}

impl Listing {
    fn by_base(&self, files: &dyn Files) -> &HashMap<Vec<u8>, Vec<RelPath>> {
        self.by_base.get_or_init(|| {
            let mut map: HashMap<Vec<u8>, Vec<RelPath>> = HashMap::new();
            for path in files.paths() {
                map.entry(path.base().to_vec()).or_default().push(path);
            }
            map
        })
    }

    /// The files with this base name that still stand, sorted.
    pub(super) fn holders(&self, files: &dyn Files, name: &[u8]) -> Vec<RelPath> {
        let found = self.by_base(files).get(name).map_or(&[][..], Vec::as_slice);
        found.iter().take(SHOWN * 8).filter(|path| files.kind(path) == Kind::File).cloned().collect()
    }

    /// Up to three paths whose base name is that of `name`, or nearly.
    pub(super) fn closest(&self, files: &dyn Files, name: &[u8]) -> Vec<String> {
        self.searches.set(self.searches.get() + 1);
        if self.searches.get() > MAX_SEARCHES {
            return Vec::new();
        }
        let wanted = base(name);
        let mut scored: Vec<(usize, usize, &RelPath)> = Vec::new();
        #[allow(clippy::iter_over_hash_type)] // sorted below
        for (other, paths) in self.by_base(files) {
            if let Some(distance) = near(wanted, other) {
                scored.extend(paths.iter().map(|path| (distance, uncommon(name, path.as_bytes()), path)));
            }
        }
        scored.sort();
        scored.into_iter().take(SHOWN).map(|(_, _, path)| path.to_string()).collect()
    }
}

/// The share of the file's lines with content that `lines` hold too, trailing blanks aside.
pub(super) fn share(file: &[u8], lines: &[Line<'_>]) -> f64 {
    let ours: HashSet<&[u8]> = lines.iter().map(|line| view::trim_end(&line.text)).collect();
    let text = Text::new(file);
    let theirs: Vec<&[u8]> = text.bodies().map(view::trim_end).filter(|line| !is_blank(line)).collect();
    if theirs.is_empty() {
        return 0.0;
    }
    theirs.iter().filter(|line| ours.contains(**line)).count() as f64 / theirs.len() as f64
}

/// The edit distance of two names without regard to case, if it is at most a third of the longer one.
fn near(a: &[u8], b: &[u8]) -> Option<usize> {
    if a.eq_ignore_ascii_case(b) {
        return Some(usize::from(a != b));
    }
    let limit = a.len().max(b.len()) / 3;
    if a.len().abs_diff(b.len()) > limit || a.len().max(b.len()) > LONGEST_COMPARED {
        return None;
    }
    Some(distance(a, b) + 1).filter(|&d| d <= limit)
}

/// Levenshtein's distance, letters' case aside.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// How many folders of the two paths have no counterpart at the same distance from the end.
fn uncommon(a: &[u8], b: &[u8]) -> usize {
    let folders =
        |path: &[u8]| path.split(|&b| b == b'/').rev().skip(1).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (a, b) = (folders(a), folders(b));
    let common = a.iter().zip(&b).filter(|(x, y)| x == y).count();
    a.len().max(b.len()) - common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_only() {
        assert_eq!(near(b"file2.txt", b"file1.txt"), Some(2));
        assert_eq!(near(b"README", b"Readme"), Some(1));
        assert_eq!(near(b"main.rs", b"lib.rs"), None);
    }
}
