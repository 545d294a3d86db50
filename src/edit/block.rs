//! The line diff of a block's two texts.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{HunkLine, Line, Tag};

/// Equal lines are kept, the others removed and added. Line ends don't count as a difference here.
pub(super) fn diff<'i>(old: Vec<Line<'i>>, new: Vec<Line<'i>>) -> Vec<HunkLine<'i>> {
    let mut out = Vec::with_capacity(old.len() + new.len());
    let tagged = |tag: Tag| move |line: &Line<'i>| HunkLine { tag, text: line.text.clone(), eol: line.eol };
    for op in ops(&old, &new) {
        let (old, new) = (&old[op.old_range()], &new[op.new_range()]);
        if let DiffOp::Equal { .. } = op {
            out.extend(old.iter().map(tagged(Tag::Keep)));
        } else {
            out.extend(old.iter().map(tagged(Tag::Remove)));
            out.extend(new.iter().map(tagged(Tag::Add)));
        }
    }
    out
}

fn ops(old: &[Line<'_>], new: &[Line<'_>]) -> Vec<DiffOp> {
    fn keys<'l>(lines: &'l [Line<'_>]) -> Vec<&'l [u8]> {
        lines.iter().map(|line| line.text.as_ref()).collect()
    }
    let (old, new) = (keys(old), keys(new));
    evident(&old, &new).unwrap_or_else(|| capture_diff_slices(Algorithm::Patience, &old, &new))
}

/// Larger tables are not compared to find out.
const MAX_CELLS: usize = 10_000;

/// The one answer, if what is left between equal lines at both ends has nothing in common with the other text.
fn evident(old: &[&[u8]], new: &[&[u8]]) -> Option<Vec<DiffOp>> {
    let equal = |(a, b): &(&&[u8], &&[u8])| a == b;
    let above = old.iter().zip(new).take_while(equal).count();
    let below = old[above..].iter().rev().zip(new[above..].iter().rev()).take_while(equal).count();
    let (old_end, new_end) = (old.len() - below, new.len() - below);
    let (gone, come) = (&old[above..old_end], &new[above..new_end]);
    if gone.len() * new.len() + come.len() * old.len() > MAX_CELLS
        || gone.iter().any(|line| new.contains(line))
        || come.iter().any(|line| old.contains(line))
    {
        return None;
    }
    let (old_len, new_len) = (gone.len(), come.len());
    Some(vec![
        DiffOp::Equal { old_index: 0, new_index: 0, len: above },
        DiffOp::Replace { old_index: above, old_len, new_index: above, new_len },
        DiffOp::Equal { old_index: old_end, new_index: new_end, len: below },
    ])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::Eol;

    fn lines(text: &str) -> Vec<Line<'_>> {
        text.lines().map(|line| Line { text: line.as_bytes().into(), eol: Eol::Lf }).collect()
    }

    /// The whole texts compared, without a look at what they share at their ends.
    fn plain<'i>(old: &[Line<'i>], new: &[Line<'i>]) -> Vec<HunkLine<'i>> {
        let keys = |lines: &[Line<'i>]| lines.iter().map(|line| line.text.to_vec()).collect::<Vec<_>>();
        let mut out = Vec::new();
        for op in capture_diff_slices(Algorithm::Patience, &keys(old), &keys(new)) {
            let mut push = |tag: Tag, lines: &[Line<'i>]| {
                out.extend(lines.iter().map(|l| HunkLine { tag, text: l.text.clone(), eol: l.eol }));
            };
            if let DiffOp::Equal { .. } = op {
                push(Tag::Keep, &old[op.old_range()]);
            } else {
                push(Tag::Remove, &old[op.old_range()]);
                push(Tag::Add, &new[op.new_range()]);
            }
        }
        out
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn the_evident_answer_is_that_of_the_diff(old in "([a-d]?\n){0,12}", new in "([a-h]?\n){0,12}") {
            let (old, new) = (lines(&old), lines(&new));
            prop_assert_eq!(diff(old.clone(), new.clone()), plain(&old, &new));
        }
    }
}
