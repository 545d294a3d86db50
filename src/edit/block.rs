//! The line diff of a block's two texts.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{HunkLine, Line, Tag};

/// Equal lines are kept, the others removed and added. Line ends don't count as a difference here.
pub(super) fn diff<'i>(old: Vec<Line<'i>>, new: Vec<Line<'i>>) -> Vec<HunkLine<'i>> {
    let old_keys: Vec<&[u8]> = old.iter().map(|line| line.text.as_ref()).collect();
    let new_keys: Vec<&[u8]> = new.iter().map(|line| line.text.as_ref()).collect();
    let ops = capture_diff_slices(Algorithm::Patience, &old_keys, &new_keys);
    let mut out = Vec::with_capacity(old.len() + new.len());
    let tagged = |tag: Tag, lines: &[Line<'i>]| {
        lines
            .iter()
            .map(move |line| HunkLine { tag, text: line.text.clone(), eol: line.eol })
            .collect::<Vec<_>>()
    };
    for op in ops {
        let (old_range, new_range) = (op.old_range(), op.new_range());
        if let DiffOp::Equal { .. } = op {
            out.extend(tagged(Tag::Keep, &old[old_range]));
        } else {
            out.extend(tagged(Tag::Remove, &old[old_range]));
            out.extend(tagged(Tag::Add, &new[new_range]));
        }
    }
    out
}
