//! What a run has written so far, and in which order it counts.
//!
//! git's diffs describe one change of a whole tree: a file that they replace stays readable as it was
//! until the diff is over, and what is removed goes last of all.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    backup,
    disk::{Disk, Fault, Key, New, Node, NodeKind},
    options::Options,
    say::Say,
};

/// A file of the run.
#[derive(Clone, Debug)]
pub struct Target {
    /// The name as the patch or the caller wrote it.
    pub name: Vec<u8>,
    pub key: Key,
}

struct Pending {
    target: Target,
    /// The file that will be replaced.
    replaces: Option<u64>,
    new: New,
    backup: bool,
}

struct Removal {
    target: Target,
    id: u64,
    backup: bool,
}

/// Writes and removals that wait, and what was made already.
#[derive(Default)]
pub struct Queue {
    pending: Vec<Pending>,
    /// How many of them replace a file.
    replaced: BTreeMap<u64, usize>,
    removals: Vec<Removal>,
    /// Files that will be removed.
    doomed: BTreeSet<u64>,
    /// Files that this run made: they need no backup.
    made: BTreeSet<u64>,
}

/// What went wrong, with the name that it went wrong for.
pub type Failed = (Vec<u8>, Fault);

impl Queue {
    /// The file counts as missing from here on.
    pub fn is_doomed(&self, node: &Node) -> bool {
        self.doomed.contains(&node.id)
    }

    /// A change of this file waits.
    pub fn holds(&self, node: &Node) -> bool {
        self.replaced.contains_key(&node.id)
    }

    /// Writes a file now, or when its diff is over.
    pub fn write(
        &mut self,
        disk: &mut Disk,
        options: &Options,
        target: Target,
        new: New,
        (backup, later): (bool, bool),
    ) -> Result<(), Failed> {
        let there = disk.node(&target.key).map_err(|fault| (target.name.clone(), fault))?;
        let pending = Pending { replaces: there.map(|node| node.id), target, new, backup };
        if later {
            if let Some(id) = pending.replaces {
                *self.replaced.entry(id).or_default() += 1;
            }
            self.pending.push(pending);
            return Ok(());
        }
        self.put(disk, options, pending)
    }

    /// Removes a file when the run is over.
    pub fn remove(&mut self, target: Target, node: &Node, backup: bool) {
        self.doomed.insert(node.id);
        self.removals.push(Removal { target, id: node.id, backup });
    }

    /// Writes what waits: up to the change of one file, or all.
    pub fn flush(&mut self, disk: &mut Disk, options: &Options, until: Option<u64>) -> Result<(), Failed> {
        let end = match until {
            Some(id) => {
                self.pending.iter().position(|pending| pending.replaces == Some(id)).map_or(0, |at| at + 1)
            }
            None => self.pending.len(),
        };
        let ready: Vec<Pending> = self.pending.drain(..end).collect();
        for pending in ready {
            if let Some(id) = pending.replaces
                && let Some(count) = self.replaced.get_mut(&id)
            {
                *count -= 1;
                if *count == 0 {
                    self.replaced.remove(&id);
                }
            }
            self.put(disk, options, pending)?;
        }
        Ok(())
    }

    fn put(&mut self, disk: &mut Disk, options: &Options, pending: Pending) -> Result<(), Failed> {
        if pending.backup {
            self.back_up(disk, options, &pending.target)?;
        }
        let id = disk.put(&pending.target.key, pending.new);
        self.made.insert(id);
        Ok(())
    }

    /// Keeps the first version of a file that this run changes.
    pub fn back_up(&mut self, disk: &mut Disk, options: &Options, target: &Target) -> Result<(), Failed> {
        let failed = |fault| (target.name.clone(), fault);
        let there = disk.node(&target.key).map_err(failed)?;
        if there.as_ref().is_some_and(|node| self.made.contains(&node.id)) {
            return Ok(());
        }
        let bytes = disk.bytes(&target.key).map_err(failed)?;
        let name = backup::name(options, &target.name, |_| disk.siblings(&target.key));
        let key = disk.backup_place(target, &name, options.moves_backups());
        let key = key.map_err(|fault| (name.clone(), fault))?;
        let new = match there {
            Some(node) => {
                New { kind: node.kind, bytes, mode: node.mode, exact: true, modified: node.modified }
            }
            None => New::file(Vec::new()),
        };
        let id = disk.put(&key, new);
        self.made.insert(id);
        Ok(())
    }

    /// Carries the removals out; a name that was written anew stays.
    pub fn finish(&mut self, disk: &mut Disk, options: &Options, say: &mut Say<'_>) -> Result<(), Failed> {
        for removal in std::mem::take(&mut self.removals) {
            let node = disk.node(&removal.target.key).ok().flatten();
            let Some(node) = node.filter(|node| node.id == removal.id) else { continue };
            if options.verbose() {
                let what = if node.kind == NodeKind::Link { "symbolic link" } else { "file" };
                say.named(&format!("Removing {what} "), &removal.target.name, "\n");
            }
            if removal.backup {
                self.back_up(disk, options, &removal.target)?;
            }
            disk.remove(&removal.target.key);
            if options.verbose() && removal.target.key.base.is_none() {
                for folder in disk.emptied_above(&removal.target.key.path) {
                    say.named("Removed empty directory ", folder.as_bytes(), "\n");
                }
            }
        }
        Ok(())
    }

    /// Writes a file of the run's own at once, such as rejects.
    pub fn put_own(&mut self, disk: &mut Disk, key: &Key, bytes: Vec<u8>) {
        let id = disk.put(key, New::file(bytes));
        self.made.insert(id);
    }
}
