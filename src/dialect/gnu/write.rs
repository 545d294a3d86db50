//! What the run came to, written: one transaction for each folder tree that is touched.

use std::{collections::BTreeMap, ffi::OsStr, os::unix::ffi::OsStrExt, path::PathBuf};

use rustix::{
    fs::{AtFlags, Mode, OFlags, Timespec, Timestamps},
    io::Errno,
};

use super::disk::{Disk, Key, Node, NodeKind};
use crate::{
    commit::{self, CommitError, CommitOptions},
    plan::{Change, Plan},
    tree::{Image, RelPath, Root, root::plain_error},
};

/// What could not be written, and why.
pub struct Unwritten {
    pub name: Vec<u8>,
    pub reason: String,
}

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
        commit::apply(&root, plan, &options).map_err(|error| unwritten(&error))?;
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
        mode: if node.exact_mode || before.is_none() { node.mode } else { node.mode & !umask() },
    };
    let exact = before.is_none() && after.is_some_and(|node| node.exact_mode);
    Change {
        path: path.clone(),
        before: before.map(image),
        after: after.map(image),
        moved_from: exact.then(|| path.clone()),
    }
}

/// What the system takes off the mode of new files; there is no way to ask without setting it.
#[allow(clippy::useless_conversion)] // 16 bits wide on some systems
fn umask() -> u32 {
    let mask = rustix::process::umask(Mode::from_raw_mode(0o077));
    rustix::process::umask(mask);
    u32::from(mask.as_raw_mode())
}

fn unwritten(error: &CommitError) -> Unwritten {
    let reason = match error {
        CommitError::Io { source, .. } => plain_error(source),
        CommitError::Refused { refusal, .. } => refusal.to_string(),
        CommitError::Changed { .. } => "was changed by another program meanwhile".into(),
        other => other.to_string(),
    };
    Unwritten { name: error.path().as_bytes().to_vec(), reason: capital(&reason) }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default() + letters.as_str()
}

/// Where a link stands or shall stand: staged beside it, then renamed over it.
fn replace(root: &Root, path: &RelPath, after: Option<&Node>) -> std::io::Result<()> {
    let dir = folder(root, path)?;
    let Some(node) = after else {
        rustix::fs::unlinkat(&dir, path.base(), AtFlags::empty())?;
        let mut above = path.parent();
        while let Some(folder) = above {
            let Ok(Some(dir)) = root.folder(folder.parent().as_ref()) else { break };
            let gone = rustix::fs::unlinkat(&dir, folder.base(), AtFlags::REMOVEDIR);
            above = gone.ok().and_then(|()| folder.parent());
        }
        return Ok(());
    };
    let temp = format!(".edapply-{}-{}.tmp", std::process::id(), node.id);
    let bytes = node.bytes.as_deref().map_or(&b""[..], Vec::as_slice);
    if node.kind == NodeKind::Link {
        rustix::fs::symlinkat(OsStr::from_bytes(bytes), &dir, &temp[..])?;
    } else {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode((node.mode & 0o777) as _);
        let mut file = std::fs::File::from(rustix::fs::openat(&dir, &temp[..], flags, mode)?);
        std::io::Write::write_all(&mut file, bytes)?;
    }
    let renamed = rustix::fs::renameat(&dir, &temp[..], &dir, path.base());
    if renamed.is_err() {
        let _ = rustix::fs::unlinkat(&dir, &temp[..], AtFlags::empty());
    }
    Ok(renamed?)
}

/// The folder above `path`, made if it is missing.
fn folder(root: &Root, path: &RelPath) -> std::io::Result<std::os::fd::OwnedFd> {
    let open = |folder: Option<&RelPath>| {
        let opened = root.folder(folder).map_err(|refusal| std::io::Error::other(refusal.to_string()))?;
        opened.ok_or_else(|| std::io::Error::from(Errno::NOENT))
    };
    let mut above: Option<RelPath> = None;
    for cut in memchr::memchr_iter(b'/', path.as_bytes()) {
        let next = RelPath::trusted(&path.as_bytes()[..cut]);
        match rustix::fs::mkdirat(open(above.as_ref())?, next.base(), 0o777.into()) {
            Ok(()) | Err(Errno::EXIST) => above = Some(next),
            Err(error) => return Err(error.into()),
        }
    }
    open(above.as_ref())
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
