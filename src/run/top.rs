//! The top of the work tree as root, where the input's paths clearly mean it.
//!
//! `git diff` names files from the top of the work tree, wherever it is run. `git apply` in a folder
//! below silently does nothing with such a diff; here the top is taken, and said so.

use std::{os::unix::fs::MetadataExt, path::PathBuf};

use crate::{
    edit::{Name, Op, Parsed},
    tree::{Files, Kind, RelPath, Resolver, Root, Want},
};

/// The top of the work tree, if we own it, none of the existing files that the input edits is below
/// `here`, and all of them are below the top.
pub(super) fn instead_of(here: &Root, parsed: &[Parsed<'_>], strip: Option<usize>) -> Option<Root> {
    let top = find(here)?;
    let names: Vec<&Name<'_>> = parsed.iter().flat_map(edited).collect();
    if names.is_empty() {
        return None;
    }
    let top = Root::open(&top).ok()?;
    let wants: Vec<(&Name<'_>, Want)> = names.iter().map(|name| (*name, Want::Existing)).collect();
    let stands = |root: &Root, resolver: &Resolver, name: &Name<'_>| {
        let literal = |path: &RelPath| name.text.ends_with(path.as_bytes()) && root.kind(path) == Kind::File;
        name.text.contains(&b'/')
            && resolver.resolve(root, name, Want::Existing).is_ok_and(|path| literal(&path))
            || RelPath::parse(&name.text).is_ok_and(|path| root.kind(&path) == Kind::File)
    };
    let below = Resolver::new(here, &wants, strip);
    if names.iter().any(|name| stands(here, &below, name)) {
        return None;
    }
    let above = Resolver::new(&top, &wants, strip);
    names.iter().all(|name| stands(&top, &above, name)).then_some(top)
}

/// The names of files that must exist.
fn edited<'p>(parsed: &'p Parsed<'_>) -> impl Iterator<Item = &'p Name<'p>> {
    let existing = parsed.edits.iter().filter(|edit| match &edit.op {
        Op::Update { .. } | Op::Delete { .. } | Op::Lines(_) => true,
        Op::Binary(binary) => binary.old.is_some(),
        Op::Create { .. } | Op::Whole { .. } | Op::Append { .. } => false,
    });
    existing.filter_map(|edit| edit.path.as_ref())
}

/// The folder above `here` that holds `.git`, if it is not `here` itself and belongs to us.
fn find(here: &Root) -> Option<PathBuf> {
    let top = here.dot_git()?.parent()?;
    let ours = top.metadata().ok()?.uid() == rustix::process::geteuid().as_raw();
    (top != here.path() && ours).then(|| top.to_path_buf())
}
