//! What the run came to, written: one transaction for each folder tree that is touched.

use std::{collections::BTreeMap, path::PathBuf};

use rustix::fs::{AtFlags, Timespec, Timestamps};

use super::disk::{Disk, Key, Node, NodeKind};
use crate::{
    commit::{self, CommitOptions},
    dialect::{
        links,
        unwritten::{Unwritten, capital},
    },
    plan::{Change, Plan},
    tree::{Image, RelPath, Root, root::plain_error},
};

/// Writes all changes.
pub fn write(disk: &Disk, sync: bool) -> Result<(), Unwritten> {
    let mut plans: BTreeMap<Option<PathBuf>, Plan> = BTreeMap::new();
    let mut odd: Vec<(&Key, Option<&Node>)> = Vec::new();
    for (key, before, after) in disk.changes() {
        let plain = |node: Option<&Node>| node.is_none_or(|node| node.kind == NodeKind::File);
        if !plain(before) || !plain(after) {
            odd.push((key, after));
        } else if before.map(|node| node.id) != after.map(|node| node.id) {
            let plan = plans.entry(key.base.clone()).or_default();
            plan.changes.push(change(&key.path, before, after));
        }
    }
    for (base, plan) in &plans {
        let first = plan.changes.first().map(|change| change.path.clone());
        let Some(path) = first else { continue };
        let root = disk.root_of(&Key { base: base.clone(), path });
        let options = CommitOptions { durable: sync };
        commit::apply(&root, plan, &options).map_err(|error| Unwritten::from(&error))?;
    }
    for (key, after) in odd {
        replace(&disk.root_of(key), &key.path, after).map_err(|error| Unwritten {
            name: key.path.as_bytes().to_vec(),
            reason: capital(&plain_error(&error)),
        })?;
    }
    set_times(disk);
    Ok(())
}

fn change(path: &RelPath, before: Option<&Node>, after: Option<&Node>) -> Change {
    let image = |node: &Node| Image {
        bytes: node.bytes.as_deref().cloned().unwrap_or_default(),
        mode: if node.exact_mode || before.is_none() { node.mode } else { node.mode & !links::umask() },
    };
    let exact = before.is_none() && after.is_some_and(|node| node.exact_mode);
    Change {
        path: path.clone(),
        before: before.map(image),
        after: after.map(image),
        moved_from: exact.then(|| path.clone()),
    }
}

/// Where a link stands or shall stand.
fn replace(root: &Root, path: &RelPath, after: Option<&Node>) -> std::io::Result<()> {
    let Some(node) = after else { return links::remove(root, path) };
    let bytes = node.bytes.as_deref().map_or(&b""[..], Vec::as_slice);
    match node.kind {
        NodeKind::Link => links::put_link(root, path, bytes),
        _ => links::put_file(root, path, bytes, node.mode),
    }
}

/// Gives the times that were asked for; a file that is gone again needs none.
fn set_times(disk: &Disk) {
    for (key, _, after) in disk.changes() {
        let Some(Node { modified: Some(time), kind: NodeKind::File, .. }) = after else { continue };
        let Ok(Some(dir)) = disk.root_of(key).folder(key.path.parent().as_ref()) else { continue };
        let time = Timespec { tv_sec: time.seconds, tv_nsec: i64::from(time.nanos) as _ };
        let times = Timestamps { last_access: time, last_modification: time };
        let _ = rustix::fs::utimensat(dir, key.path.base(), &times, AtFlags::SYMLINK_NOFOLLOW);
    }
}
