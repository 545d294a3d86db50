//! What turns one content into another, line by line.

use std::{
    ops::{Range, RangeInclusive},
    time::{Duration, Instant},
};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::text::line_count;

/// A diff that takes longer is finished with less care for being small.
const PATIENCE: Duration = Duration::from_millis(800);
/// So many equal lines end a region that differs.
const ANCHOR: usize = 8;
/// Most changes are over within so many lines, nearly all the others within so many.
const NEAR: usize = 3;
const FAR: usize = 12;
/// No further than this many lines (of both sides together) is such a run sought.
const REACH: usize = 256;
/// Contents are compared in steps of so many bytes.
const STEP: usize = 256;
/// In larger regions no line is sought by comparing it with all of the other side.
const MAX_CELLS: usize = 256;

/// Old and new content as lines, and what turns the one into the other.
pub struct Delta<'c> {
    pub(super) old: Vec<&'c [u8]>,
    pub(super) new: Vec<&'c [u8]>,
    pub(super) ops: Vec<DiffOp>,
}

impl<'c> Delta<'c> {
    /// Compares two contents, line ends included.
    pub fn new(old: &'c [u8], new: &'c [u8]) -> Delta<'c> {
        let mut delta = Delta { old: lines(old).collect(), new: lines(new).collect(), ops: Vec::new() };
        let (mut from, deadline) = (0, Instant::now() + PATIENCE);
        for region in regions(old, new) {
            delta.equal(line_count(&old[from..region.old.start]));
            from = region.old.end;
            let (a, b) = delta.reached();
            delta.ops.extend(ops(&old[region.old], &new[region.new], deadline).map(|op| moved(op, a, b)));
        }
        delta.equal(line_count(&old[from..]));
        delta
    }

    fn equal(&mut self, len: usize) {
        let (old_index, new_index) = self.reached();
        if len > 0 {
            self.ops.push(DiffOp::Equal { old_index, new_index, len });
        }
    }

    fn reached(&self) -> (usize, usize) {
        self.ops.last().map_or((0, 0), |op| (op.old_range().end, op.new_range().end))
    }
}

/// Lines added and lines removed.
pub fn counts(old: &[u8], new: &[u8]) -> (usize, usize) {
    if within_a_line(old, new).is_some() {
        return (1, 1);
    }
    let mut deadline = None;
    let mut total = (0, 0);
    for region in regions(old, new) {
        let (old, new) = (&old[region.old], &new[region.new]);
        let (added, removed) = if old.is_empty() || new.is_empty() {
            (line_count(new), line_count(old))
        } else {
            let deadline = *deadline.get_or_insert_with(|| Instant::now() + PATIENCE);
            size(&lines(old).collect::<Vec<_>>(), &lines(new).collect::<Vec<_>>(), deadline)
        };
        total = (total.0 + added, total.1 + removed);
    }
    total
}

/// Lines added and removed in one region.
fn size(old: &[&[u8]], new: &[&[u8]], deadline: Instant) -> (usize, usize) {
    if old.len() * new.len() <= MAX_CELLS && !old.iter().any(|line| new.contains(line)) {
        return (new.len(), old.len());
    }
    let ops = capture_diff_slices_deadline(Algorithm::Myers, old, new, Some(deadline));
    let changed = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changed.fold((0, 0), |(a, r), op| (a + op.new_range().len(), r + op.old_range().len()))
}

fn ops(old: &[u8], new: &[u8], deadline: Instant) -> impl Iterator<Item = DiffOp> {
    let (old, new): (Vec<_>, Vec<_>) = (lines(old).collect(), lines(new).collect());
    capture_diff_slices_deadline(Algorithm::Myers, &old, &new, Some(deadline)).into_iter()
}

fn moved(op: DiffOp, a: usize, b: usize) -> DiffOp {
    match op {
        DiffOp::Equal { old_index, new_index, len } => {
            DiffOp::Equal { old_index: old_index + a, new_index: new_index + b, len }
        }
        DiffOp::Delete { old_index, old_len, new_index } => {
            DiffOp::Delete { old_index: old_index + a, old_len, new_index: new_index + b }
        }
        DiffOp::Insert { old_index, new_index, new_len } => {
            DiffOp::Insert { old_index: old_index + a, new_index: new_index + b, new_len }
        }
        DiffOp::Replace { old_index, old_len, new_index, new_len } => {
            DiffOp::Replace { old_index: old_index + a, old_len, new_index: new_index + b, new_len }
        }
    }
}

fn lines(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let end = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
        let (line, rest) = bytes.split_at(end);
        bytes = rest;
        (end > 0).then_some(line)
    })
}

/// Bytes of both contents, whole lines, that differ.
#[derive(Debug, PartialEq, Eq)]
struct Region {
    old: Range<usize>,
    new: Range<usize>,
}

/// Cuts two contents where long runs of lines are equal, so that only what lies between is compared
/// closely: most edits change little of a file.
fn regions(old: &[u8], new: &[u8]) -> Vec<Region> {
    if let Some(change) = within_a_line(old, new) {
        return vec![change.whole_lines(old, new)];
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    loop {
        let same = equal_lines(&old[i..], &new[j..]);
        (i, j) = (i + same, j + same);
        if i == old.len() && j == new.len() {
            return out;
        }
        if i == old.len() || j == new.len() {
            out.push(Region { old: i..old.len(), new: j..new.len() });
            return out;
        }
        let next = resume(&old[i..], &new[j..]).map(|(a, b)| (i + a, j + b));
        let (end, new_end) = next.unwrap_or_else(|| {
            let same = equal_lines_at_end(&old[i..], &new[j..]);
            (old.len() - same, new.len() - same)
        });
        out.push(Region { old: i..end, new: j..new_end });
        if next.is_none() {
            return out;
        }
        (i, j) = (end, new_end);
    }
}

/// The bytes that differ, if they lie within one line of both contents. However long the line, it is looked at
/// once.
fn within_a_line(old: &[u8], new: &[u8]) -> Option<Region> {
    let head = equal_bytes(old, new);
    let tail = equal_bytes_at_end(&old[head..], &new[head..]);
    let (end, new_end) = (old.len() - tail, new.len() - tail);
    let parts = [&old[head..end], &new[head..new_end]];
    let in_a_line = |side: &[u8]| head < side.len() || !matches!(side.last(), None | Some(b'\n'));
    let one = in_a_line(old)
        && in_a_line(new)
        && parts.iter().any(|part| !part.is_empty())
        && parts.iter().all(|part| memchr::memchr(b'\n', part).is_none());
    one.then_some(Region { old: head..end, new: head..new_end })
}

impl Region {
    /// The lines that hold it.
    fn whole_lines(self, old: &[u8], new: &[u8]) -> Region {
        let start = memchr::memrchr(b'\n', &old[..self.old.start]).map_or(0, |at| at + 1);
        let end = |side: &[u8], from: usize| {
            memchr::memchr(b'\n', &side[from..]).map_or(side.len(), |at| from + at + 1)
        };
        Region { old: start..end(old, self.old.end), new: start..end(new, self.new.end) }
    }
}

/// The length of the whole lines that both begin with.
fn equal_lines(a: &[u8], b: &[u8]) -> usize {
    let same = equal_bytes(a, b);
    if same == a.len() && same == b.len() {
        return same;
    }
    memchr::memrchr(b'\n', &a[..same]).map_or(0, |at| at + 1)
}

fn equal_bytes(a: &[u8], b: &[u8]) -> usize {
    let steps = a.chunks_exact(STEP).zip(b.chunks_exact(STEP)).take_while(|(a, b)| a == b).count() * STEP;
    let (a, b) = (&a[steps..], &b[steps..]);
    let words = a.chunks_exact(8).zip(b.chunks_exact(8)).take_while(|(a, b)| a == b).count() * 8;
    steps + words + a[words..].iter().zip(&b[words..]).take_while(|(a, b)| a == b).count()
}

fn equal_bytes_at_end(a: &[u8], b: &[u8]) -> usize {
    let steps = a.rchunks_exact(STEP).zip(b.rchunks_exact(STEP)).take_while(|(a, b)| a == b).count() * STEP;
    let (a, b) = (&a[..a.len() - steps], &b[..b.len() - steps]);
    steps + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// The length of the whole lines that both end with.
fn equal_lines_at_end(a: &[u8], b: &[u8]) -> usize {
    let same = equal_bytes_at_end(a, b);
    let starts_line = |side: &[u8]| same == side.len() || side[side.len() - same - 1] == b'\n';
    if starts_line(a) && starts_line(b) {
        return same;
    }
    memchr::memchr(b'\n', &a[a.len() - same..]).map_or(0, |at| same - at - 1)
}

/// Where both go on alike for [`ANCHOR`] lines or to the end, with the fewest lines before it.
fn resume(old: &[u8], new: &[u8]) -> Option<(usize, usize)> {
    [1..=NEAR, NEAR + 1..=FAR, FAR + 1..=REACH].into_iter().find_map(|reach| resume_within(reach, old, new))
}

fn resume_within(reach: RangeInclusive<usize>, old: &[u8], new: &[u8]) -> Option<(usize, usize)> {
    let (a, b) = (starts(old, *reach.end()), starts(new, *reach.end()));
    for apart in reach {
        for i in (apart + 1).saturating_sub(b.len())..=apart.min(a.len() - 1) {
            let (rest, new_rest) = (&old[a[i]..], &new[b[apart - i]..]);
            let line = a.get(i + 1).map_or(&b""[..], |end| &old[a[i]..*end]);
            if new_rest.starts_with(line) && go_on_alike(rest, new_rest) {
                return Some((a[i], b[apart - i]));
            }
        }
    }
    None
}

/// Both begin with [`ANCHOR`] equal lines, or are equal.
fn go_on_alike(old: &[u8], new: &[u8]) -> bool {
    let same = equal_bytes(old, new);
    let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count();
    same == old.len().max(new.len())
        || lines(&old[..same.min(STEP)]) >= ANCHOR
        || same > STEP && lines(&old[..same]) >= ANCHOR
}

/// Where the first lines begin; one more entry is where the last of them ends.
fn starts(side: &[u8], most: usize) -> Vec<usize> {
    let mut starts = Vec::with_capacity(most + 1);
    starts.push(0);
    starts.extend(lines(side).take(most).scan(0, |end, line| {
        *end += line.len();
        Some(*end)
    }));
    starts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn counts_are_those_of_the_diff() {
        for (old, new, want) in [
            ("a\nb\nc\n", "a\nc\nd\ne\n", (2, 1)),
            ("", "a\nb", (2, 0)),
            ("a\nb", "", (0, 2)),
            ("a\n", "a", (1, 1)),
            ("same\n", "same\n", (0, 0)),
            ("a\nb\nc\n", "a\nx\nc\n", (1, 1)),
            ("a\nbc", "a\nbxc", (1, 1)),
            ("a\n", "a\nb", (1, 0)),
            ("a\nb", "a\n", (0, 1)),
            ("a\nb\n", "ab\n", (1, 2)),
        ] {
            assert_eq!(counts(old.as_bytes(), new.as_bytes()), want, "{old:?} {new:?}");
        }
    }

    #[test]
    fn far_apart_changes_are_regions_of_their_own() {
        let old: String = (0..2000).map(|n| format!("line {n}\n")).collect();
        let new = old.replace("line 10\n", "").replace("line 1000\n", "x\ny\nline 1000\n");
        let found = regions(old.as_bytes(), new.as_bytes());
        assert_eq!(found.iter().map(|r| (r.old.len(), r.new.len())).collect::<Vec<_>>(), [(8, 0), (0, 4)]);
        assert_eq!(counts(old.as_bytes(), new.as_bytes()), (2, 1));
    }

    #[test]
    fn a_long_insertion_is_compared_as_a_whole() {
        let old: String = (0..50).map(|n| format!("line {n}\n")).collect();
        let more: String = (0..900).map(|n| format!("new {n}\n")).collect();
        let new = old.replace("line 20\n", &more);
        assert_eq!(counts(old.as_bytes(), new.as_bytes()), (900, 1));
    }

    proptest! {
        #[test]
        fn whether_both_go_on_alike_is_told_by_their_lines(
            shared in "([ab]?\n){0,12}", old in "[ab]{0,2}\n?", new in "[ab]{0,2}\n?", long in any::<bool>(),
        ) {
            let shared = if long { shared.replace('a', &"a".repeat(STEP)) } else { shared };
            let (old, new) = (shared.clone() + &old, shared + &new);
            let first: [Vec<&[u8]>; 2] = [&old, &new].map(|side| lines(side.as_bytes()).take(ANCHOR).collect());
            let alike = old == new || first[0] == first[1] && first[0].len() == ANCHOR;
            prop_assert_eq!(go_on_alike(old.as_bytes(), new.as_bytes()), alike);
        }

        #[test]
        fn carried_out_it_gives_the_new_content(
            old in "([abc]?\n){0,60}[ab]?", new in "([abc]?\n){0,60}[ab]?", shared in "([ab]\n){0,40}",
        ) {
            let (old, new) = (format!("{old}\n{shared}{old}"), format!("{new}\n{shared}{new}"));
            let delta = Delta::new(old.as_bytes(), new.as_bytes());
            let (mut made, mut at, mut total) = (Vec::<&[u8]>::new(), 0, (0, 0));
            for op in &delta.ops {
                prop_assert_eq!(op.old_range().start, at);
                at = op.old_range().end;
                if let DiffOp::Equal { .. } = op {
                    prop_assert_eq!(&delta.old[op.old_range()], &delta.new[op.new_range()]);
                } else {
                    total = (total.0 + op.new_range().len(), total.1 + op.old_range().len());
                }
                made.extend_from_slice(&delta.new[op.new_range()]);
            }
            prop_assert_eq!(at, delta.old.len());
            prop_assert_eq!(made.concat(), new.as_bytes());
            prop_assert_eq!(counts(old.as_bytes(), new.as_bytes()), total);
        }
    }
}
