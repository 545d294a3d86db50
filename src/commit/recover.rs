//! What a killed run left: found before anything else is done, and put in order.
//!
//! Back and never forward, unless it had committed: its caller saw no success, and will send the edit again.

use std::{fs::File, io};

use super::{
    CommitError, Writer,
    back::{Reached, roll_back},
    beside, history,
    journal::Record,
    state::{self, State},
    tx::{self, Stage, Tx},
};
use crate::tree::{RelPath, Root, root::inode};

/// What became of an unfinished run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It had committed; what it had not tidied is tidy now.
    Finished,
    /// Everything is as before it.
    RolledBack,
    /// It had changed nothing.
    Cleared,
    /// Its journal was made elsewhere, or its root is gone: nothing was done.
    Foreign,
}

/// One unfinished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// Its name.
    pub id: String,
    /// What became of it.
    pub outcome: Outcome,
    /// How many files it was about.
    pub files: usize,
    /// What could not be put back, and where its old content lies.
    pub left: Vec<String>,
}

/// Whether a run died between its first and its last change. Writes nothing.
pub(super) fn is_torn(state: &State) -> io::Result<bool> {
    for id in tx::list(state)? {
        let Ok(tx) = Tx::open(state, &id) else { continue };
        match tx.stage() {
            Stage::Damaged => return Ok(true),
            Stage::Journal(record) if is_home(&tx, &record) => return Ok(true),
            _ => {}
        }
    }
    Ok(false)
}

/// Puts everything in order. The caller holds the lock.
pub(super) fn recover(
    state: &State,
    _lock: &File,
    root: &Root,
    writer: &Writer,
) -> Result<Vec<Recovered>, CommitError> {
    let failed = |source| CommitError::State { path: state.path.clone(), source };
    let mut done = Vec::new();
    for id in tx::list(state).map_err(failed)? {
        let tx = Tx::open(state, &id).map_err(failed)?;
        let recovered = match tx.stage() {
            Stage::Damaged => {
                return Err(CommitError::Damaged { path: state.path.join("tx").join(&id) });
            }
            Stage::Empty => {
                tx.remove();
                continue;
            }
            Stage::Committed(record) => settle(state, &tx, &record, root, writer, Outcome::Finished),
            Stage::Journal(record) => settle(state, &tx, &record, root, writer, Outcome::RolledBack),
            Stage::Intent(record) => settle(state, &tx, &record, root, writer, Outcome::Cleared),
        };
        done.push(recovered);
    }
    Ok(done)
}

fn settle(
    state: &State,
    tx: &Tx,
    record: &Record,
    root: &Root,
    writer: &Writer,
    outcome: Outcome,
) -> Recovered {
    let files = record.entries.len();
    let told = |outcome, left| Recovered { id: tx.id.clone(), outcome, files, left };
    let other;
    let root = if is_home(tx, record) {
        match root.inode() {
            Ok(here) if here == record.root => root,
            _ => match root_of(record, state, writer) {
                Some(found) => {
                    other = found;
                    &other
                }
                None => return told(Outcome::Foreign, Vec::new()),
            },
        }
    } else {
        return told(Outcome::Foreign, Vec::new());
    };
    let left = match outcome {
        Outcome::Finished => return told(outcome, history::finish(state, tx, (root, record, &[]), true)),
        Outcome::RolledBack => roll_back(root, record, Reached::Swap, &[], Some(&tx.dir)),
        _ => roll_back(root, record, Reached::Stage, &[], Some(&tx.dir)),
    };
    if let Some(path) = &record.beside {
        beside::discard(&tx.dir, path);
    }
    sync_tree(root, record);
    tx.remove();
    told(outcome, left)
}

/// A journal counts only in the folder that it was written into: a copy, or one that came with a tree,
/// has another.
fn is_home(tx: &Tx, record: &Record) -> bool {
    record.id == tx.id && inode(&tx.dir).is_ok_and(|home| home == record.home)
}

/// The root of another run that shares this state folder, as folders of one work tree do.
pub(super) fn root_of(record: &Record, state: &State, writer: &Writer) -> Option<Root> {
    let root = Root::open(&record.root_path).ok()?;
    let same = root.inode().is_ok_and(|inode| inode == record.root);
    let shared =
        state::places(&root, writer.state_dir.as_deref()).iter().any(|place| place.path() == state.path);
    (same && shared).then_some(root)
}

/// What was put back is on the disk before the journal goes.
pub(super) fn sync_tree(root: &Root, record: &Record) {
    let parents = record.entries.iter().flat_map(|entry| [entry.path.parent(), entry.beside.parent()]);
    let folders: std::collections::BTreeSet<Option<RelPath>> = parents.collect();
    for folder in folders {
        if let Ok(Some(dir)) = root.folder(folder.as_ref()) {
            let _ = super::batch::sync_folder(&dir);
        }
    }
}
