//! Line operations against the text that stands in the tree.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices, group_diff_ops};

use super::{Cannot, Converted};
use crate::{
    plan::Change,
    report::diff::Moves,
    text::{Text, tag},
};

/// Each change with `around` unchanged lines beside it: a text that ends like the line behind it may be doubted.
pub(super) fn write(changes: &[Change], around: usize) -> Result<Converted, Cannot> {
    let moves = Moves::new(changes);
    let mut out = Converted::default();
    for change in changes.iter().filter(|change| !moves.is_told(change)) {
        let source = moves.source(change);
        let old = source.unwrap_or(change);
        let Some(before) = &old.before else {
            return Err(Cannot::change(change, "hashline has no words for creating a file"));
        };
        let tag = tag::shown(tag::tag(&before.bytes));
        out.text.extend_from_slice(&[b"[", old.path.as_bytes(), b"#", tag.as_bytes(), b"]\n"].concat());
        match &change.after {
            None => out.text.extend_from_slice(b"REM\n"),
            Some(after) => {
                if (before.mode & 0o111 != 0) != (after.mode & 0o111 != 0) {
                    return Err(Cannot::change(change, "hashline has no words for a file's mode"));
                }
                operations(&before.bytes, &after.bytes, around, &mut out.text);
                if source.is_some() {
                    out.text.extend_from_slice(&[b"MV ", change.path.as_bytes(), b"\n"].concat());
                }
            }
        }
        out.text.push(b'\n');
    }
    Ok(out)
}

fn operations(before: &[u8], after: &[u8], around: usize, out: &mut Vec<u8>) {
    let (old, new) = (Text::new(before), Text::new(after));
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (old.bodies().collect(), new.bodies().collect());
    let ops = capture_diff_slices(Algorithm::Patience, &old, &new);
    if around == 0 {
        for op in ops.iter().filter(|op| op.tag() != DiffTag::Equal) {
            operation(&op.old_range(), &new[op.new_range()], out);
        }
        return;
    }
    for group in group_diff_ops(ops, around.min(old.len())) {
        if let (Some(first), Some(last)) = (group.first(), group.last()) {
            let lines = &new[first.new_range().start..last.new_range().end];
            operation(&(first.old_range().start..last.old_range().end), lines, out);
        }
    }
}

fn operation(at: &Range<usize>, lines: &[&[u8]], out: &mut Vec<u8>) {
    let range = match at.len() {
        1 => (at.start + 1).to_string(),
        _ => format!("{}.={}", at.start + 1, at.end),
    };
    let head = match (at.is_empty(), lines.is_empty()) {
        (true, _) if at.start == 0 => "PUT <1:\n".to_owned(),
        (true, _) => format!("PUT >{}:\n", at.start),
        (false, true) => format!("CUT {range}\n"),
        (false, false) => format!("PUT {range}:\n"),
    };
    out.extend_from_slice(head.as_bytes());
    for line in lines {
        out.extend_from_slice(&[b"+", *line, b"\n"].concat());
    }
}
