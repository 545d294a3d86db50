//! What the run came to, written: one transaction for each folder tree that is touched.

use std::{collections::BTreeMap, path::PathBuf};

use super::disk::{Disk, Key, Node, NodeKind};
use crate::{
    commit::{self, CommitOptions},
    dialect::{Told, mask::umask, unwritten::Unwritten},
    plan::{Change, Plan},
    tree::{Image, RelPath},
};

/// Writes all changes, and lists them.
pub fn write(disk: &mut Disk, sync: bool, told: &mut Told) -> Result<(), Unwritten> {
    let mut plans: BTreeMap<Option<PathBuf>, Plan> = BTreeMap::new();
    for (key, before, after) in disk.take_changes() {
        if before.as_ref().map(|node| node.id) == after.as_ref().map(|node| node.id) {
            continue;
        }
        let plan = plans.entry(key.base).or_default();
        if let Some(Node { modified: Some(time), kind: NodeKind::File, .. }) = after {
            plan.times.insert(key.path.clone(), (time.seconds, time.nanos));
        }
        if let Some(seen) = before.as_ref().and_then(|node| node.seen) {
            plan.seen.insert(key.path.clone(), seen);
        }
        plan.changes.push(change(key.path, before, after)?);
    }
    for (base, mut plan) in plans {
        let first = plan.changes.first().map(|change| change.path.clone());
        let Some(path) = first else { continue };
        let root = disk.root_of(&Key { base, path });
        let options = CommitOptions { durable: sync };
        commit::apply(&root, &plan, &options).map_err(|error| Unwritten::from(&error))?;
        told.changes.append(&mut plan.changes);
        told.written = true;
    }
    Ok(())
}

fn change(path: RelPath, before: Option<Node>, after: Option<Node>) -> Result<Change, Unwritten> {
    let is_file = |node: &Option<Node>| node.as_ref().is_some_and(|node| node.kind == NodeKind::File);
    let replaces = is_file(&before);
    let image = |node: Option<Node>| node.map(|node| image(&path, node, replaces)).transpose();
    let exact = !replaces && is_file(&after) && after.as_ref().is_some_and(|node| node.exact_mode);
    let (before, after) = (image(before)?, image(after)?);
    Ok(Change { moved_from: exact.then(|| path.clone()), path, before, after })
}

/// `replaces`: a regular file stands there, whose mode the new one takes as it is said.
fn image(path: &RelPath, node: Node, replaces: bool) -> Result<Image, Unwritten> {
    let bytes = node.bytes.unwrap_or_default();
    match node.kind {
        NodeKind::File if node.exact_mode || !replaces => Ok(Image { bytes, mode: node.mode }),
        NodeKind::File => Ok(Image { bytes, mode: node.mode & !umask() }),
        NodeKind::Link => Ok(Image::link(Vec::from(bytes))),
        NodeKind::Folder => Ok(Image::folder()),
        NodeKind::Other => {
            Err(Unwritten { name: path.as_bytes().to_vec(), reason: "Not a regular file".into() })
        }
    }
}
