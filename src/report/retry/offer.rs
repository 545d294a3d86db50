//! Real lines of a file that an edit may quote.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::{
    edit::{Body, Hunk, Tag},
    text::{Text, is_blank},
};

/// A block grows by this many lines at most to stand once.
const GROWTH: usize = 24;
/// Places that are the same; where there are more, nothing short tells them apart.
const OTHERS: usize = 1_000;
/// Lines beside a place that may belong to it although they were not quoted.
const SLACK: usize = 3;

/// A line to quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// From 1.
    pub number: usize,
    pub text: Vec<u8>,
    /// Kept or removed, as the reply has it.
    pub tag: Tag,
    /// The reply quotes it otherwise, or not at all.
    pub wrong: bool,
}

/// Lines to quote, one after the other in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub lines: Vec<Shown>,
    /// The first and last line of what the reply quoted.
    pub own: (usize, usize),
}

impl Offer {
    pub fn first(&self) -> usize {
        self.lines.first().map_or(0, |line| line.number)
    }

    pub fn last(&self) -> usize {
        self.lines.last().map_or(0, |line| line.number)
    }
}

/// The shortest block around the place at line `at` (from 0) that stands once.
pub(super) fn at(text: &Text<'_>, hunk: &Hunk<'_>, at: usize) -> Option<Offer> {
    let tags: Vec<Tag> = hunk.body().old().map(|line| line.tag).collect();
    let count = tags.len().max(1);
    let end = at.checked_add(count).filter(|end| *end <= text.len())?;
    let own: Vec<(usize, Tag, bool)> =
        (at..end).map(|line| (line, tags.get(line - at).copied().unwrap_or(Tag::Keep), false)).collect();
    grown(text, own)
}

/// The real lines near `start` (from 0) that the old text means, and how many of them it gets wrong.
pub(super) fn near(text: &Text<'_>, body: &Body<'_>, start: usize) -> Option<(usize, Offer)> {
    let old: Vec<(&[u8], Tag)> = body.old().map(|line| (line.text.trim_ascii(), line.tag)).collect();
    let lead = old.iter().take_while(|(line, _)| is_blank(line)).count();
    let all = &old[..];
    let mut old = &all[lead..];
    while let [rest @ .., (last, _)] = old
        && is_blank(last)
    {
        old = rest;
    }
    // An end that stands where it should has nothing beside it.
    let stands = |line: Option<&(&[u8], Tag)>, at: usize| {
        at < text.len() && line.is_some_and(|(line, _)| *line == text.body(at).trim_ascii())
    };
    let from = if stands(old.first(), start) { start } else { start.saturating_sub(SLACK) };
    let last = start + old.len().saturating_sub(1);
    let to = if stands(old.last(), last) { last + 1 } else { (last + 1 + SLACK).min(text.len()) };
    if from >= to {
        return None;
    }
    let file: Vec<&[u8]> = (from..to).map(|at| text.body(at).trim_ascii()).collect();
    let keys: Vec<&[u8]> = old.iter().map(|(line, _)| *line).collect();
    let ops = capture_diff_slices(Algorithm::Patience, &keys, &file);
    let is_outer = |op: &&DiffOp| matches!(op, DiffOp::Insert { .. });
    let head = ops.iter().take_while(is_outer).count();
    let tail = ops.iter().rev().take_while(is_outer).count();
    let mut own: Vec<(usize, Tag, bool)> = Vec::new();
    let mut wrong = 0;
    for op in ops.get(head..ops.len().checked_sub(tail)?)? {
        let (quoted, real) = (op.old_range(), op.new_range());
        match op {
            DiffOp::Equal { .. } => {
                own.extend(quoted.zip(real).map(|(q, r)| (from + r, old[q].1, false)));
            }
            DiffOp::Delete { .. } => wrong += quoted.len(),
            DiffOp::Insert { .. } => {
                wrong += real.len();
                own.extend(real.map(|r| (from + r, Tag::Keep, true)));
            }
            DiffOp::Replace { .. } => {
                wrong += quoted.len().max(real.len());
                let real = trimmed(&quoted, real, old.len(), file.len());
                let removed = old[quoted.clone()].iter().any(|(_, tag)| *tag == Tag::Remove);
                let even = quoted.len() == real.len();
                for (n, r) in real.enumerate() {
                    let tag = if even {
                        old[quoted.start + n].1
                    } else {
                        [Tag::Keep, Tag::Remove][usize::from(removed)]
                    };
                    own.push((from + r, tag, true));
                }
            }
        }
    }
    let (head, tail) = (&all[..lead], &all[lead + old.len()..]);
    blank_ends(text, head, tail, &mut own);
    let whole = own.windows(2).all(|pair| pair[0].0 + 1 == pair[1].0);
    if own.is_empty() || !whole {
        return None;
    }
    Some((wrong, grown(text, own)?))
}

/// Blank lines at the ends of the old text, as far as the file has them.
fn blank_ends(
    text: &Text<'_>,
    head: &[(&[u8], Tag)],
    tail: &[(&[u8], Tag)],
    own: &mut Vec<(usize, Tag, bool)>,
) {
    let (Some(first), Some(last)) = (own.first().map(|line| line.0), own.last().map(|line| line.0)) else {
        return;
    };
    let blank = |at: &usize| *at < text.len() && is_blank(text.body(*at));
    let above = (0..first).rev().take(head.len()).take_while(blank).count();
    let below = (last + 1..=last + tail.len()).take_while(blank).count();
    let tags = head[head.len() - above..].iter().map(|line| line.1);
    let lead: Vec<_> = (first - above..first).zip(tags).map(|(at, tag)| (at, tag, false)).collect();
    own.splice(0..0, lead);
    own.extend((last + 1..=last + below).zip(tail).map(|(at, line)| (at, line.1, false)));
}

/// A change at the edge of the old text takes as many lines as it quotes, not the slack beside it.
fn trimmed(
    quoted: &std::ops::Range<usize>,
    real: std::ops::Range<usize>,
    old: usize,
    file: usize,
) -> std::ops::Range<usize> {
    let mut real = real;
    if quoted.start == 0 && real.start == 0 && real.len() > quoted.len() {
        real.start = real.end - quoted.len();
    }
    if quoted.end == old && real.end == file && real.len() > quoted.len() {
        real.end = real.start + quoted.len();
    }
    real
}

/// The lines with the fewest around them that make them stand once; as they are if nothing does.
fn grown(text: &Text<'_>, own: Vec<(usize, Tag, bool)>) -> Option<Offer> {
    let (first, last) = (own.first()?.0, own.last()?.0);
    let more = growth(text, first, last);
    let line = |number: usize, tag: Tag, wrong: bool| Shown {
        number: number + 1,
        text: text.body(number).to_vec(),
        tag,
        wrong,
    };
    let keep = |number: usize| line(number, Tag::Keep, false);
    let mut lines: Vec<Shown> = (first - more.0..first).map(keep).collect();
    lines.extend(own.iter().map(|(number, tag, wrong)| line(*number, *tag, *wrong)));
    lines.extend((last + 1..=last + more.1).map(keep));
    Some(Offer { lines, own: (first + 1, last + 1) })
}

/// How many lines above and below tell these from all others that are the same; none if nothing does.
fn growth(text: &Text<'_>, first: usize, last: usize) -> (usize, usize) {
    let count = last - first + 1;
    let same = |at: &usize| (0..count).all(|i| text.body(at + i) == text.body(first + i));
    let others: Vec<usize> =
        (0..=text.len() - count).filter(|at| *at != first).filter(same).take(OTHERS).collect();
    let differs = |other: usize, above: usize, below: usize| {
        let up = (1..=above).any(|i| other < i || text.body(other - i) != text.body(first - i));
        let down = (1..=below).any(|i| {
            let at = other + count - 1 + i;
            at >= text.len() || text.body(at) != text.body(last + i)
        });
        up || down
    };
    // A blank line at an end tells little: it may be lost, and in a string the line end before a text looks like one.
    let tells = |above: usize, below: usize| {
        (above == 0 || !is_blank(text.body(first - above)))
            && (below == 0 || !is_blank(text.body(last + below)))
    };
    let sizes = || (0..=GROWTH).flat_map(|extra| (0..=extra).map(move |below| (extra - below, below)));
    let mut fitting = sizes().filter(|(above, below)| {
        let fits = *above <= first && last + below < text.len();
        fits && others.iter().all(|other| differs(*other, *above, *below))
    });
    let first_fit = fitting.next();
    let best = first_fit.into_iter().chain(fitting).find(|(above, below)| tells(*above, *below));
    best.or(first_fit).unwrap_or_default()
}
