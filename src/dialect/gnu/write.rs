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
pub fn write(disk: &Disk, sync: bool, told: &mut Told) -> Result<(), Unwritten> {
    let mut plans: BTreeMap<Option<PathBuf>, Plan> = BTreeMap::new();
    for (key, before, after) in disk.changes() {
        if before.map(|node| node.id) == after.map(|node| node.id) {
            continue;
        }
        let plan = plans.entry(key.base.clone()).or_default();
        plan.changes.push(change(&key.path, before, after)?);
        if let Some(Node { modified: Some(time), kind: NodeKind::File, .. }) = after {
            plan.times.insert(key.path.clone(), (time.seconds, time.nanos));
        }
    }
    for (base, plan) in &plans {
        let first = plan.changes.first().map(|change| change.path.clone());
        let Some(path) = first else { continue };
        let root = disk.root_of(&Key { base: base.clone(), path });
        let options = CommitOptions { durable: sync };
        commit::apply(&root, plan, &options).map_err(|error| Unwritten::from(&error))?;
        told.changes.extend_from_slice(&plan.changes);
        told.written = true;
    }
    Ok(())
}

fn change(path: &RelPath, before: Option<&Node>, after: Option<&Node>) -> Result<Change, Unwritten> {
    let is_file = |node: Option<&Node>| node.is_some_and(|node| node.kind == NodeKind::File);
    let replaces = is_file(before);
    let image = |node: Option<&Node>| node.map(|node| image(path, node, replaces)).transpose();
    let exact = !replaces && is_file(after) && after.is_some_and(|node| node.exact_mode);
    Ok(Change {
        path: path.clone(),
        before: image(before)?,
        after: image(after)?,
        moved_from: exact.then(|| path.clone()),
    })
}

/// `replaces`: a regular file stands there, whose mode the new one takes as it is said.
fn image(path: &RelPath, node: &Node, replaces: bool) -> Result<Image, Unwritten> {
    let bytes = node.bytes.as_deref().cloned().unwrap_or_default();
    match node.kind {
        NodeKind::File if node.exact_mode || !replaces => Ok(Image { bytes, mode: node.mode }),
        NodeKind::File => Ok(Image { bytes, mode: node.mode & !umask() }),
        NodeKind::Link => Ok(Image::link(bytes)),
        NodeKind::Folder => Ok(Image::folder()),
        NodeKind::Other => {
            Err(Unwritten { name: path.as_bytes().to_vec(), reason: "Not a regular file".into() })
        }
    }
}
