//! View 9: a line `...` (or an elision comment) in both halves of a hunk stands for lines left out.

use super::{
    index::{Index, Kind},
    ladder::Site,
};
use crate::{
    edit::{Body, HunkLine, Tag},
    text::{elision, is_blank, word_chars},
};

/// More starts of a piece than this tell nothing.
const STARTS: usize = 64;

/// The places of a hunk whose pieces stand in order, each under views 1 to 4; empty if there are none.
pub(crate) fn sites(index: &Index, body: &Body) -> Vec<Site> {
    let old: Vec<&HunkLine> = body.old().collect();
    let is_gap = |line: &&HunkLine| is_gap(index, line);
    if !old.iter().any(is_gap) {
        return Vec::new();
    }
    let mut pieces = pieces(&old, is_gap);
    pieces.retain(|piece| !piece.is_empty());
    if pieces.is_empty() || pieces.iter().any(|piece| !telling(&old, piece)) {
        return Vec::new();
    }
    let starts: Vec<(usize, Vec<usize>)> =
        pieces.iter().map(|piece| (piece.len(), runs(index, &old, piece))).collect();
    chains(&starts).into_iter().map(|chain| site(old.len(), &pieces, &chain)).collect()
}

/// A line stands for lines left out, in both halves.
pub(crate) fn has_gap(index: &Index, body: &Body) -> bool {
    body.old().any(|line| is_gap(index, line))
}

fn is_gap(index: &Index, line: &HunkLine) -> bool {
    line.tag == Tag::Keep
        && (elision::is_dots(&line.text) || elision::is_elision(&line.text))
        && index.count(Kind::Stripped, &line.text) == 0
}

/// The runs of old lines between gaps, as positions in the old side; blank lines at their ends cut.
fn pieces(old: &[&HunkLine], is_gap: impl Fn(&&HunkLine) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    for at in 0..=old.len() {
        if at == old.len() || is_gap(&old[at]) {
            let solid: Vec<usize> = (start..at).filter(|&i| !is_blank(&old[i].text)).collect();
            out.push(match (solid.first(), solid.last()) {
                (Some(first), Some(last)) => *first..last + 1,
                _ => start..start,
            });
            start = at + 1;
        }
    }
    out
}

fn telling(old: &[&HunkLine], piece: &std::ops::Range<usize>) -> bool {
    old[piece.clone()].iter().any(|line| word_chars(&line.text) > 0)
}

fn runs(index: &Index, old: &[&HunkLine], piece: &std::ops::Range<usize>) -> Vec<usize> {
    let lines: Vec<&[u8]> = old[piece.clone()].iter().map(|line| line.text.as_ref()).collect();
    [Kind::Body, Kind::Trailing, Kind::Folded]
        .into_iter()
        .map(|kind| index.runs(kind, &lines))
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

/// All ways to take one start of each piece in ascending order; two ways are enough to be ambiguous.
fn chains(starts: &[(usize, Vec<usize>)]) -> Vec<Vec<usize>> {
    if starts.iter().any(|(_, found)| found.is_empty() || found.len() > STARTS) {
        return Vec::new();
    }
    let mut chains: Vec<Vec<usize>> = vec![Vec::new()];
    let mut end = vec![0];
    for (len, found) in starts {
        let mut next = Vec::new();
        let mut next_end = Vec::new();
        for (chain, end) in chains.iter().zip(&end) {
            for &start in found.iter().filter(|start| **start >= *end) {
                if next.len() < STARTS {
                    next.push([&chain[..], &[start]].concat());
                    next_end.push(start + len);
                }
            }
        }
        (chains, end) = (next, next_end);
    }
    chains
}

fn site(len: usize, pieces: &[std::ops::Range<usize>], chain: &[usize]) -> Site {
    let mut pairs = vec![None; len];
    for (piece, start) in pieces.iter().zip(chain) {
        for (offset, at) in piece.clone().enumerate() {
            pairs[at] = Some(start + offset);
        }
    }
    let start = chain.first().copied().unwrap_or(0);
    let end = pairs.iter().flatten().last().map_or(start, |at| at + 1);
    Site { start, end, pairs: Some(pairs) }
}
