//! A batch taken back: a transaction like any other, so that it can be taken back itself.

use std::{collections::BTreeMap, io};

use super::{CommitError, Past, Receipt, Writer, history, journal::Entry, print::Print, state::State};
use crate::{
    plan::{Change, Plan},
    refusal::Refusal,
    tree::{Files, Image, RelPath, Root, root::plain_error},
};

/// A batch that was taken back.
#[derive(Debug)]
pub struct Undone {
    /// The batch that was taken back.
    pub id: String,
    /// The folder in which it had been applied.
    pub root: std::path::PathBuf,
    /// What the undoing changed.
    pub changes: Vec<Change>,
    /// The undoing is a batch itself.
    pub receipt: Receipt,
}

/// Why nothing was taken back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "each sentence in `#[error]` says what its variant is, and its fields are the words of it"
)]
pub enum UndoError {
    #[error("there is nothing to undo here")]
    Nothing,
    #[error("no batch {id} is kept; `edapply log` lists them")]
    Unknown { id: String },
    #[error("batch {id} was made in {root}, which is not there any more")]
    RootGone { id: String, root: String },
    #[error("changed since: {}", .paths.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    ChangedSince { paths: Vec<RelPath> },
    #[error("the old content of {path} is not kept: {}", plain_error(.source))]
    NotKept { path: RelPath, source: io::Error },
    #[error(transparent)]
    Commit(#[from] CommitError),
}

impl UndoError {
    /// A stable name, which `edapply explain` knows.
    pub fn code(&self) -> &'static str {
        match self {
            UndoError::Nothing | UndoError::Unknown { .. } | UndoError::RootGone { .. } => "nothing-to-undo",
            UndoError::ChangedSince { .. } => "changed-since",
            UndoError::NotKept { .. } => "io",
            UndoError::Commit(error) => error.code(),
        }
    }

    /// Something stands against it; else it is trouble.
    pub fn is_refusal(&self) -> bool {
        match self {
            UndoError::NotKept { .. } => false,
            UndoError::Commit(error) => error.is_refusal(),
            _ => true,
        }
    }
}

impl Writer {
    /// The batches that are kept for `root`, newest first. With `only` those of this very folder; else
    /// also those of other folders of the same work tree. What was made elsewhere, or came with the tree,
    /// counts for nothing.
    ///
    /// # Errors
    /// The state folder cannot be read.
    pub fn history(&self, root: &Root, only: bool) -> Result<Vec<Past>, CommitError> {
        let here = root.inode().map_err(CommitError::state(root.path()))?;
        let mut all = Vec::new();
        for state in self.existing(root) {
            let mut found = history::list(&state).map_err(CommitError::state(&state.path))?;
            found.retain(|past| past.root_inode() == here || !only && past.shares(&state, self).is_some());
            all.extend(found);
        }
        all.sort_by(|a, b| b.id().cmp(a.id()));
        Ok(all)
    }

    /// Takes a batch back: the one named, or the last that is neither an undo nor undone.
    ///
    /// # Errors
    /// There is none, a file of it changed since, or it cannot be written.
    pub fn undo(&self, root: &Root, only: bool, id: Option<&str>) -> Result<Undone, UndoError> {
        let all = self.history(root, only)?;
        let past = match id {
            Some(id) => all.iter().find(|past| past.id() == id),
            None => {
                let undone = history::undone(&all);
                all.iter().find(|past| past.undoes().is_none() && !undone.contains(past.id()))
            }
        };
        let past =
            past.ok_or_else(|| id.map_or(UndoError::Nothing, |id| UndoError::Unknown { id: id.to_owned() }))?;
        let other;
        let root = if root.inode().is_ok_and(|inode| inode == past.root_inode()) {
            root
        } else {
            other = self.root_of(root, past)?;
            &other
        };
        let changes = changes_back(root, past)?;
        let plan = Plan { changes, ..Plan::default() };
        let receipt = self.write_as(&format!("undo {}", past.id()), root, &plan, None)?;
        let root = root.path().to_path_buf();
        Ok(Undone { id: past.id().to_owned(), root, changes: plan.changes, receipt })
    }

    /// What stood in this root before the batch `id` and all later ones, by path.
    ///
    /// # Errors
    /// There is no such batch, or its old contents are not kept.
    pub fn before(&self, root: &Root, id: &str) -> Result<BTreeMap<RelPath, Option<Image>>, UndoError> {
        let all = self.history(root, true)?;
        let Some(first) = all.iter().position(|past| past.id() == id) else {
            return Err(UndoError::Unknown { id: id.to_owned() });
        };
        let mut before = BTreeMap::new();
        for past in all[..=first].iter().rev() {
            for (at, entry) in past.entries().iter().enumerate() {
                if !before.contains_key(&entry.path) {
                    let old = entry.old.as_ref().map(|old| old_image(past, at, old.mode, &entry.path));
                    before.insert(entry.path.clone(), old.transpose()?);
                }
            }
        }
        Ok(before)
    }

    fn root_of(&self, root: &Root, past: &Past) -> Result<Root, UndoError> {
        let shared = |state: &State| past.shares(state, self);
        self.existing(root).find_map(|state| shared(&state)).ok_or_else(|| UndoError::RootGone {
            id: past.id().to_owned(),
            root: past.root().display().to_string(),
        })
    }
}

/// Every file must be as the batch left it.
fn changes_back(root: &Root, past: &Past) -> Result<Vec<Change>, UndoError> {
    let mut changes = Vec::new();
    let mut changed = Vec::new();
    for (at, entry) in past.entries().iter().enumerate() {
        let now = standing(root, past, entry);
        let print = |image: &Image| (!image.is_folder()).then(|| Print::of(image));
        let as_left = now.as_ref().is_some_and(|now| now.as_ref().and_then(print) == entry.new);
        let Some(before) = now.filter(|_| as_left) else {
            changed.push(entry.path.clone());
            continue;
        };
        let after = match entry.old {
            Some(old) => Some(old_image(past, at, old.mode, &entry.path)?),
            None => None,
        };
        // The mode is restored to the bit, also of a file that is made anew.
        let moved_from = after.is_some().then(|| entry.path.clone());
        changes.push(Change { path: entry.path.clone(), before, after, moved_from });
    }
    if changed.is_empty() { Ok(changes) } else { Err(UndoError::ChangedSince { paths: changed }) }
}

/// What stands at an entry's name now; none if it cannot be told.
fn standing(root: &Root, past: &Past, entry: &Entry) -> Option<Option<Image>> {
    match root.image(&entry.path) {
        Ok(image) => Some(image),
        // The batch made a folder of it.
        Err(Refusal::TargetNotFile { .. }) if past.made_late(&entry.path) => Some(Some(Image::folder())),
        // The batch put something else in place of its folder.
        Err(Refusal::PathThroughFile { .. } | Refusal::PathThroughSymlink { .. })
            if entry.new.is_none() && past.replaced_above(&entry.path) =>
        {
            Some(None)
        }
        Err(_) => None,
    }
}

fn old_image(past: &Past, at: usize, mode: u32, path: &RelPath) -> Result<Image, UndoError> {
    let image = past.image(at).map_err(|source| UndoError::NotKept { path: path.clone(), source })?;
    Ok(if image.is_link() { image } else { Image { mode, ..image } })
}
