//! The paths of a tree, for names that fit no file. Walked only when such a name comes up.

use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use super::RelPath;

/// The walk stops here: a guess is not worth more.
const MAX_ENTRIES: usize = 100_000;

/// Folders that hold nothing a person edits.
const SKIPPED: [&str; 22] = [
    ".bzr",
    ".cache",
    ".eggs",
    ".git",
    ".gradle",
    ".hg",
    ".jj",
    ".mypy_cache",
    ".next",
    ".nox",
    ".nuxt",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".terraform",
    ".tox",
    ".venv",
    "CVS",
    "__pycache__",
    "node_modules",
    "target",
    "venv",
];

/// All regular files below `root`, sorted.
pub(super) fn walk(root: &Path) -> Vec<RelPath> {
    let entries = WalkDir::new(root).min_depth(1).max_open(16).sort_by_file_name().into_iter();
    let mut paths: Vec<RelPath> = entries
        .filter_entry(|entry| !is_skipped(entry))
        .take(MAX_ENTRIES)
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| relative(root, &entry))
        .collect();
    paths.sort();
    paths
}

fn is_skipped(entry: &DirEntry) -> bool {
    entry.depth() > 0
        && entry.file_type().is_dir()
        && entry.file_name().to_str().is_some_and(|name| SKIPPED.binary_search(&name).is_ok())
}

fn relative(root: &Path, entry: &DirEntry) -> Option<RelPath> {
    use std::os::unix::ffi::OsStrExt;
    let path = entry.path().strip_prefix(root).ok()?;
    RelPath::parse(path.as_os_str().as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skip_list_is_sorted() {
        assert!(SKIPPED.is_sorted());
    }

    #[test]
    fn lists_files_without_ignored_folders() {
        let base = tempfile::tempdir().expect("a folder");
        for path in ["b.c", "a/x.py", "node_modules/y.js", ".git/config", "a/target/z", ".github/w.yml"] {
            let path = base.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            std::fs::write(path, "").expect("a file");
        }
        let names: Vec<String> = walk(base.path()).iter().map(ToString::to_string).collect();
        assert_eq!(names, [".github/w.yml", "a/x.py", "b.c"]);
    }
}
