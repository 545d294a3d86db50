//! Formats that count lines: context and normal diffs, ed scripts. They are made from the change itself, and
//! read by `edapply patch`.

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use super::{Cannot, Converted};
use crate::{
    edit::Format,
    plan::Change,
    report::{diff::Moves, escape},
};

const CONTEXT: usize = 3;
const NO_END: &[u8] = b"\\ No newline at end of file\n";

/// Old and new lines with their ends, and what turns the ones into the others.
struct Delta<'c> {
    old: Vec<&'c [u8]>,
    new: Vec<&'c [u8]>,
    ops: Vec<DiffOp>,
}

impl<'c> Delta<'c> {
    fn new(change: &'c Change) -> Delta<'c> {
        let lines = |image: &'c Option<crate::tree::Image>| -> Vec<&'c [u8]> {
            image.as_ref().map_or(Vec::new(), |image| image.bytes.split_inclusive(|b| *b == b'\n').collect())
        };
        let (old, new) = (lines(&change.before), lines(&change.after));
        let ops = capture_diff_slices(Algorithm::Patience, &old, &new);
        Delta { old, new, ops }
    }

    fn changes(&self) -> impl DoubleEndedIterator<Item = &DiffOp> {
        self.ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }))
    }
}

pub(super) fn write(changes: &[Change], to: Format) -> Result<Converted, Cannot> {
    let moves = Moves::new(changes);
    let named = to == Format::Context;
    if !named && changes.len() > 1 {
        return Err(Cannot::change(&changes[1], "the format names no file, so that it can change one only"));
    }
    let mut out = Converted::default();
    for change in changes {
        refuse(change, &moves, named)?;
        let delta = Delta::new(change);
        match to {
            Format::Context => context(change, &delta, &mut out.text),
            Format::Normal => normal(&delta, &mut out.text),
            _ => ed(change, &delta, &mut out.text)?,
        }
        if !named {
            let name = escape::name(change.path.as_bytes());
            out.notes.push(format!("the file is not named in it: apply it with `edapply patch {name}`"));
        }
    }
    Ok(out)
}

/// What these formats have no words for.
fn refuse(change: &Change, moves: &Moves<'_>, named: bool) -> Result<(), Cannot> {
    if moves.source(change).is_some() || moves.is_told(change) {
        return Err(Cannot::change(change, "the format has no words for moving a file"));
    }
    let (Some(before), Some(after)) = (&change.before, &change.after) else {
        let lone = change.before.as_ref().or(change.after.as_ref());
        if named && lone.is_some_and(|image| !image.bytes.is_empty()) {
            return Ok(());
        }
        return Err(Cannot::change(change, "the format has no words for creating or deleting it"));
    };
    if (before.mode & 0o111 != 0) != (after.mode & 0o111 != 0) {
        return Err(Cannot::change(change, "the format has no words for a file's mode"));
    }
    Ok(())
}

fn context(change: &Change, delta: &Delta<'_>, out: &mut Vec<u8>) {
    let name = |prefix: &str, is_there: bool| {
        if is_there { escape::header(prefix, change.path.as_bytes()) } else { "/dev/null".into() }
    };
    let (old, new) = (name("a/", change.before.is_some()), name("b/", change.after.is_some()));
    out.extend_from_slice(format!("*** {old}\n--- {new}\n").as_bytes());
    for group in group_diff_ops(delta.ops.clone(), CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let old = first.old_range().start..last.old_range().end;
        let new = first.new_range().start..last.new_range().end;
        out.extend_from_slice(b"***************\n");
        out.extend_from_slice(format!("*** {} ****\n", range(&old)).as_bytes());
        let is_old = |op: &DiffOp| matches!(op, DiffOp::Delete { .. } | DiffOp::Replace { .. });
        let is_new = |op: &DiffOp| matches!(op, DiffOp::Insert { .. } | DiffOp::Replace { .. });
        let mark = |op: &DiffOp, alone: &'static [u8]| match op {
            DiffOp::Equal { .. } => b"  ",
            DiffOp::Replace { .. } => b"! ",
            _ => alone,
        };
        if group.iter().any(is_old) {
            for op in group.iter().filter(|op| !matches!(op, DiffOp::Insert { .. })) {
                put(mark(op, b"- "), &delta.old[op.old_range()], out);
            }
        }
        out.extend_from_slice(format!("--- {} ----\n", range(&new)).as_bytes());
        if group.iter().any(is_new) {
            for op in group.iter().filter(|op| !matches!(op, DiffOp::Delete { .. })) {
                put(mark(op, b"+ "), &delta.new[op.new_range()], out);
            }
        }
    }
}

fn normal(delta: &Delta<'_>, out: &mut Vec<u8>) {
    for op in delta.changes() {
        let (old, new) = (op.old_range(), op.new_range());
        let letter = match op {
            DiffOp::Insert { .. } => 'a',
            DiffOp::Delete { .. } => 'd',
            _ => 'c',
        };
        out.extend_from_slice(format!("{}{letter}{}\n", range(&old), range(&new)).as_bytes());
        put(b"< ", &delta.old[old], out);
        if letter == 'c' {
            out.extend_from_slice(b"---\n");
        }
        put(b"> ", &delta.new[new], out);
    }
}

/// From the end of the file to its head, so that no number is out of date.
fn ed(change: &Change, delta: &Delta<'_>, out: &mut Vec<u8>) -> Result<(), Cannot> {
    for op in delta.changes().rev() {
        let (old, new) = (range(&op.old_range()), &delta.new[op.new_range()]);
        match op {
            DiffOp::Delete { .. } => {
                out.extend_from_slice(format!("{old}d\n").as_bytes());
                continue;
            }
            DiffOp::Insert { .. } => out.extend_from_slice(format!("{old}a\n").as_bytes()),
            _ => out.extend_from_slice(format!("{old}c\n").as_bytes()),
        }
        if new.iter().any(|line| *line == b".\n" || !line.ends_with(b"\n")) {
            let why = "an ed script cannot write a line that is a lone dot, or has no end";
            return Err(Cannot::change(change, why));
        }
        put(b"", new, out);
        out.extend_from_slice(b".\n");
    }
    match delta.old.last() {
        Some(last) if !last.ends_with(b"\n") => {
            Err(Cannot::change(change, "an ed script ends the last line, which has no end"))
        }
        _ => Ok(()),
    }
}

/// `3,5`, `3`, or the line before where there is none.
fn range(lines: &std::ops::Range<usize>) -> String {
    match lines.len() {
        0 => lines.start.to_string(),
        1 => (lines.start + 1).to_string(),
        _ => format!("{},{}", lines.start + 1, lines.end),
    }
}

fn put(mark: &[u8], lines: &[&[u8]], out: &mut Vec<u8>) {
    for line in lines {
        out.extend_from_slice(mark);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.push(b'\n');
            out.extend_from_slice(NO_END);
        }
    }
}
