//! Line operations against the text that stands in the tree.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{Cannot, Converted};
use crate::{
    plan::Change,
    report::diff::Moves,
    text::{Text, tag},
};

pub(super) fn write(changes: &[Change]) -> Result<Converted, Cannot> {
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
                operations(&before.bytes, &after.bytes, &mut out.text);
                if source.is_some() {
                    out.text.extend_from_slice(&[b"MV ", change.path.as_bytes(), b"\n"].concat());
                }
            }
        }
        out.text.push(b'\n');
    }
    Ok(out)
}

fn operations(before: &[u8], after: &[u8], out: &mut Vec<u8>) {
    let (old, new) = (Text::new(before), Text::new(after));
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (old.bodies().collect(), new.bodies().collect());
    for op in capture_diff_slices(Algorithm::Patience, &old, &new) {
        let at = op.old_range();
        let range = match at.len() {
            1 => (at.start + 1).to_string(),
            _ => format!("{}.={}", at.start + 1, at.end),
        };
        let head = match op {
            DiffOp::Equal { .. } => continue,
            DiffOp::Delete { .. } => format!("CUT {range}\n"),
            DiffOp::Insert { .. } if at.start == 0 => "PUT <1:\n".to_owned(),
            DiffOp::Insert { .. } => format!("PUT >{}:\n", at.start),
            DiffOp::Replace { .. } => format!("PUT {range}:\n"),
        };
        out.extend_from_slice(head.as_bytes());
        for line in &new[op.new_range()] {
            out.extend_from_slice(&[b"+", *line, b"\n"].concat());
        }
    }
}
