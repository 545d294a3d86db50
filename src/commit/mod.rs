//! The plan carried out: all files change, or none.
//!
//! Four steps, each over the whole batch: *pin* (every folder opened, every target compared with the
//! plan's own copy), *stage* (the new contents written beside their targets), *swap* (one rename a file)
//! and *tidy* (the old images removed). Until the swap nothing that anybody reads has changed; if a step
//! fails, what was done is undone by content, so that a file which somebody saved meanwhile is never lost.

use std::io;

use crate::{
    plan::Plan,
    refusal::Refusal,
    tree::{RelPath, Root, root::plain_error},
};

mod batch;
mod stage;
pub mod state;
mod swap;

use batch::Batch;

/// How carefully to write.
#[derive(Clone, Copy, Debug)]
pub struct CommitOptions {
    /// Contents reach the disk before they replace anything: a power cut leaves each file old or new.
    pub durable: bool,
}

impl Default for CommitOptions {
    fn default() -> CommitOptions {
        CommitOptions { durable: true }
    }
}

/// What there is to tell of a batch that was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    pub notes: Vec<(RelPath, String)>,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    #[error("{path}: was changed by another program meanwhile")]
    Changed { path: RelPath },
    #[error("{path}: {refusal}")]
    Refused { path: RelPath, refusal: Refusal },
    #[error("{path}: cannot {step}: {}", plain_error(.source))]
    Io { path: RelPath, step: &'static str, source: io::Error },
    /// Worse than nothing written: what is listed could not be put back.
    #[error("{cause}; not put back: {}", .left.join("; "))]
    NotRestored { cause: Box<CommitError>, left: Vec<String> },
}

impl CommitError {
    /// A stable name, as [`Refusal::code`].
    pub fn code(&self) -> &'static str {
        match self {
            CommitError::Changed { .. } => "changed-meanwhile",
            CommitError::Refused { refusal, .. } => refusal.code(),
            CommitError::Io { source, .. } if is_denied(source) => "not-writable",
            CommitError::Io { source, .. } if is_full(source) => "no-space",
            CommitError::Io { .. } => "io",
            CommitError::NotRestored { .. } => "not-restored",
        }
    }

    /// The tree is as before and the caller can do something about it; anything else is trouble.
    pub fn is_refusal(&self) -> bool {
        !matches!(self.code(), "io" | "not-restored")
    }

    /// The file at fault.
    pub fn path(&self) -> &RelPath {
        match self {
            CommitError::Changed { path }
            | CommitError::Refused { path, .. }
            | CommitError::Io { path, .. } => path,
            CommitError::NotRestored { cause, .. } => cause.path(),
        }
    }
}

fn is_denied(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Writes a plan beneath `root`.
///
/// # Errors
/// A target changed meanwhile, something cannot be written; the tree is then as before.
pub fn apply(root: &Root, plan: &Plan, options: &CommitOptions) -> Result<Receipt, CommitError> {
    let mut batch = Batch::new(root);
    let done = batch
        .pin(&plan.changes)
        .and_then(|()| stage::stage(&mut batch, options))
        .and_then(|()| swap::swap(&mut batch));
    match done {
        Ok(()) => Ok(swap::tidy(batch, options)),
        Err(cause) => Err(swap::roll_back(batch, cause)),
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeMap,
        fs,
        os::unix::fs::{MetadataExt, PermissionsExt},
        path::Path,
    };

    use super::*;
    use crate::{
        plan::Change,
        tree::{Files, Image},
    };

    struct World {
        base: tempfile::TempDir,
        root: Root,
    }

    fn world(files: &[(&str, &str, u32)]) -> World {
        let base = tempfile::tempdir().expect("a folder");
        for (path, text, mode) in files {
            let path = base.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            fs::write(&path, text).expect("a file");
            fs::set_permissions(&path, PermissionsExt::from_mode(*mode)).expect("a mode");
        }
        let root = Root::open(base.path()).expect("a root");
        World { base, root }
    }

    impl World {
        fn image(&self, path: &str) -> Option<Image> {
            self.root.read(&RelPath::trusted(path)).expect("readable")
        }

        fn change(&self, path: &str, after: Option<&str>) -> Change {
            let before = self.image(path);
            let mode = before.as_ref().map_or(0o644, |image| image.mode);
            let after = after.map(|text| Image { bytes: text.into(), mode });
            Change { path: RelPath::trusted(path), before, after, moved_from: None }
        }

        fn apply(&self, changes: Vec<Change>) -> Result<Receipt, CommitError> {
            let plan = Plan { changes, ..Plan::default() };
            apply(&self.root, &plan, &CommitOptions { durable: false })
        }

        fn tree(&self) -> BTreeMap<String, String> {
            let mut tree = BTreeMap::new();
            list(self.base.path(), "", &mut tree);
            tree
        }
    }

    fn list(dir: &Path, prefix: &str, tree: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(dir).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let meta = entry.metadata().expect("metadata");
            if meta.is_dir() {
                tree.insert(format!("{name}/"), String::new());
                list(&entry.path(), &format!("{name}/"), tree);
            } else {
                let text = fs::read_to_string(entry.path()).expect("text");
                tree.insert(name, format!("{:o} {text}", meta.mode() & 0o7777));
            }
        }
    }

    fn tree(entries: &[(&str, &str)]) -> BTreeMap<String, String> {
        entries.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn all_kinds_of_change_at_once() {
        let w = world(&[("a", "old", 0o755), ("gone/b", "b", 0o644), ("old/c", "c", 0o600)]);
        let moved = Change {
            path: RelPath::trusted("new/deep/c"),
            before: None,
            after: Some(Image { bytes: b"c2".to_vec(), mode: 0o600 }),
            moved_from: Some(RelPath::trusted("old/c")),
        };
        let changes = vec![
            w.change("a", Some("new")),
            w.change("d", Some("d")),
            w.change("gone/b", None),
            moved,
            w.change("old/c", None),
        ];
        w.apply(changes).expect("written");
        let want =
            [("a", "755 new"), ("d", "644 d"), ("new/", ""), ("new/deep/", ""), ("new/deep/c", "600 c2")];
        assert_eq!(w.tree(), tree(&want));
    }

    #[test]
    fn a_target_that_changed_meanwhile_stops_the_batch() {
        let w = world(&[("a", "a", 0o644), ("b", "b", 0o644)]);
        let changes = vec![w.change("a", Some("A")), w.change("b", Some("B")), w.change("x/y", Some("y"))];
        fs::write(w.base.path().join("b"), "saved").expect("a file");
        let error = w.apply(changes).expect_err("refused");
        assert_eq!((error.code(), error.path().to_string()), ("changed-meanwhile", "b".into()));
        assert!(error.is_refusal());
        assert_eq!(w.tree(), tree(&[("a", "644 a"), ("b", "644 saved")]));
    }

    #[test]
    fn a_file_that_appeared_is_not_overwritten() {
        let w = world(&[("a", "a", 0o644)]);
        let changes = vec![w.change("a", Some("A")), w.change("n", Some("n"))];
        fs::write(w.base.path().join("n"), "theirs").expect("a file");
        assert_eq!(w.apply(changes).expect_err("refused").code(), "changed-meanwhile");
        assert_eq!(w.tree(), tree(&[("a", "644 a"), ("n", "644 theirs")]));
    }

    #[test]
    fn a_failing_step_puts_everything_back() {
        let w = world(&[("a", "a", 0o644), ("f", "f", 0o644)]);
        let mut batch = Batch::new(&w.root);
        let changes = [w.change("a", Some("A")), w.change("f", None), w.change("k/n", Some("n"))];
        batch.pin(&changes).expect("pinned");
        stage::stage(&mut batch, &CommitOptions::default()).expect("staged");
        swap::swap(&mut batch).expect("swapped");
        assert!(w.image("k/n").is_some() && w.image("f").is_none());
        let cause = CommitError::Changed { path: RelPath::trusted("a") };
        assert!(matches!(swap::roll_back(batch, cause), CommitError::Changed { .. }));
        assert_eq!(w.tree(), tree(&[("a", "644 a"), ("f", "644 f")]));
    }

    #[test]
    fn rolling_back_keeps_what_somebody_saved() {
        let w = world(&[("a", "a", 0o644)]);
        let mut batch = Batch::new(&w.root);
        let changes = [w.change("a", Some("A"))];
        batch.pin(&changes).expect("pinned");
        stage::stage(&mut batch, &CommitOptions::default()).expect("staged");
        swap::swap(&mut batch).expect("swapped");
        fs::write(w.base.path().join("a"), "saved").expect("a file");
        let error = swap::roll_back(batch, CommitError::Changed { path: RelPath::trusted("a") });
        assert_eq!(error.code(), "not-restored");
        assert_eq!(w.tree()["a"], "644 saved");
        assert_eq!(w.tree().len(), 2, "the old image is kept: {error}");
    }

    #[test]
    fn set_id_bits_go_and_hard_links_are_told() {
        let w = world(&[("a", "a", 0o4755)]);
        fs::hard_link(w.base.path().join("a"), w.base.path().join("b")).expect("a link");
        let receipt = w.apply(vec![w.change("a", Some("A"))]).expect("written");
        assert_eq!(w.tree(), tree(&[("a", "755 A"), ("b", "4755 a")]));
        assert_eq!(receipt.notes.len(), 2, "{receipt:?}");
    }

    #[test]
    fn names_as_long_as_they_may_be() {
        let name = "n".repeat(255);
        let w = world(&[(&name, "a", 0o644)]);
        w.apply(vec![w.change(&name, Some("A"))]).expect("written");
        assert_eq!(w.tree()[&name], "644 A");
    }
}
