//! Which added line is the new form of which removed line.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::text::{token::fine_tokens, view::fold};

/// Lines less alike are not the same line changed.
const ALIKE: f64 = 0.4;

/// Larger tables of removed by added lines are not computed; such lines pair by equal text alone.
const MAX_CELLS: usize = 40_000;

/// The tokens of a line, to compare it with others.
struct Bag(Vec<u64>);

impl Bag {
    fn new(line: &[u8]) -> Bag {
        let hasher = FixedState::default();
        let mut tokens: Vec<u64> =
            fine_tokens(line).iter().map(|token| hasher.hash_one(fold(token.of(line)))).collect();
        tokens.sort_unstable();
        Bag(tokens)
    }

    /// From 0 (no token in common) to 1 (all).
    fn likeness(&self, other: &Bag) -> f64 {
        let (mut a, mut b, mut common) = (0, 0, 0usize);
        while let (Some(x), Some(y)) = (self.0.get(a), other.0.get(b)) {
            common += usize::from(x == y);
            a += usize::from(x <= y);
            b += usize::from(y <= x);
        }
        let total = self.0.len() + other.0.len();
        if total == 0 { 0.0 } else { 2.0 * common as f64 / total as f64 }
    }
}

/// Pairs (removed, added), ascending on both sides, of the greatest likeness in sum.
pub fn pair(removed: &[&[u8]], added: &[&[u8]]) -> Vec<(usize, usize)> {
    if removed.is_empty() || added.is_empty() {
        return Vec::new();
    }
    if removed.len().saturating_mul(added.len()) > MAX_CELLS {
        return pair_equal(removed, added);
    }
    let left: Vec<Bag> = removed.iter().map(|line| Bag::new(line)).collect();
    let right: Vec<Bag> = added.iter().map(|line| Bag::new(line)).collect();
    best_path(left.len(), right.len(), |i, j| left[i].likeness(&right[j]))
}

fn pair_equal(removed: &[&[u8]], added: &[&[u8]]) -> Vec<(usize, usize)> {
    similar::capture_diff_slices(similar::Algorithm::Patience, removed, added)
        .iter()
        .filter(|op| matches!(op, similar::DiffOp::Equal { .. }))
        .flat_map(|op| op.old_range().zip(op.new_range()))
        .collect()
}

/// The ascending pairs of greatest total score; scores under [`ALIKE`] don't pair.
fn best_path(rows: usize, columns: usize, score: impl Fn(usize, usize) -> f64) -> Vec<(usize, usize)> {
    let width = columns + 1;
    let mut scores = vec![0.0f64; rows * columns];
    // total[i][j]: the best sum for rows from i and columns from j
    let mut total = vec![0.0f64; (rows + 1) * width];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            let own = score(i, j);
            scores[i * columns + j] = own;
            let paired = if own >= ALIKE { own + total[(i + 1) * width + j + 1] } else { 0.0 };
            total[i * width + j] = paired.max(total[(i + 1) * width + j]).max(total[i * width + j + 1]);
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < rows && j < columns {
        let (own, best) = (scores[i * columns + j], total[i * width + j]);
        if own >= ALIKE && own + total[(i + 1) * width + j + 1] >= best {
            out.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if total[(i + 1) * width + j] >= best {
            i += 1;
        } else {
            j += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_monotone_and_alike() {
        type Case = (&'static [&'static str], &'static [&'static str], &'static [(usize, usize)]);
        let cases: &[Case] = &[
            (&["int x = 3;"], &["int x = 4;"], &[(0, 0)]),
            (&["alpha beta"], &["gamma delta"], &[]),
            (&["a b c", "d e f"], &["new", "a b d", "d e f"], &[(0, 1), (1, 2)]),
            (&["d e f", "a b c"], &["a b c", "x", "d e"], &[(1, 0)]),
            (&[""], &[""], &[]),
            (&[], &["a"], &[]),
        ];
        for (removed, added, want) in cases {
            let lines = |side: &[&'static str]| side.iter().map(|l| l.as_bytes()).collect::<Vec<_>>();
            assert_eq!(pair(&lines(removed), &lines(added)), *want, "{removed:?} {added:?}");
        }
    }

    #[test]
    fn many_lines_pair_by_equal_text() {
        let own: Vec<String> = (0..400).map(|n| format!("line {n}")).collect();
        let lines: Vec<&[u8]> = own.iter().map(|line| line.as_bytes()).collect();
        assert_eq!(pair(&lines[1..], &lines).first(), Some(&(0, 1)));
    }
}
