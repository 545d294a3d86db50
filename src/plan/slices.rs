//! Parts of lines that give way to a call's literal text: all that touch the same lines become one change of
//! these lines.

use super::{HunkOutcome, guards::Guards};
use crate::{
    edit::{Body, Line, Literal},
    merge::{self, Env, OutLine, Splice},
    place::{Place, Slice, View, line_of},
    refusal::Refusal,
    text::{Eol, Text, cut_eol},
};

/// Bytes of the file that give way.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub slice: Slice,
    /// Line ends written `\n`.
    pub new: Vec<u8>,
}

/// The cuts of a hunk. What the file spells in its own typography keeps it where the edit kept it.
///
/// # Errors
/// As [`merge::splice`].
pub(super) fn cuts(
    text: &Text,
    literal: &Literal,
    view: View,
    slices: &[Slice],
    env: &Env,
) -> Result<Vec<Cut>, Refusal> {
    let new = |slice: &Slice| match view {
        View::Exact => Ok(literal.new.to_vec()),
        _ => respelled(&text.bytes()[slice.start..slice.end], literal, env),
    };
    slices.iter().map(|slice| Ok(Cut { slice: *slice, new: new(slice)? })).collect()
}

/// The new text for a slice of one line that the old text spells otherwise.
fn respelled(slice: &[u8], literal: &Literal, env: &Env) -> Result<Vec<u8>, Refusal> {
    let text = Text::new(slice);
    let body = Body::block(lines(&literal.old, Eol::Lf), lines(&literal.new, Eol::Lf));
    let pairs = body.old().map(|_| Some(0)).collect();
    let place = Place { view: View::Typography, start: 0, end: 1, pairs };
    let splices = merge::splice(&text, &body, &place, env)?;
    let mut out = merge::apply(&text, &splices);
    // The slice had no line end: whether there is one now is the new text's matter.
    if literal.new.ends_with(b"\n") && !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    Ok(out)
}

/// Shorter lines are put together anew; nothing that a guard looks for is so long.
const LONG: usize = 4096;
/// Bytes on both sides of a cut that belong to its line, and tell what the new text touches.
const MARGIN: usize = 16;

/// A cut far inside a long line that changes nothing else, and that no guard can refuse: it comes to the file's bytes
/// with the new ones in their place.
pub(super) fn is_plain(text: &Text, Cut { slice, new }: &Cut) -> bool {
    let line = line_of(text, slice.start);
    let (bytes, from, body) = (text.bytes(), text.offset(line), text.body(line));
    let (end, gone) = (from + body.len(), &bytes[slice.start..slice.end]);
    let inside = slice.start >= from + MARGIN && slice.end + MARGIN <= end && body.len() - gone.len() >= LONG;
    let plain = |bytes: &[u8]| bytes.is_ascii() && memchr::memchr2(b'\n', b'\r', bytes).is_none();
    inside
        && plain(new)
        && plain(&bytes[slice.start - MARGIN..slice.start])
        && plain(&bytes[slice.end..slice.end + MARGIN])
        && gone != new
        && !matches!(body.first(), Some(b'<' | b'>' | b'='))
        && body.last() != Some(&b'\r')
}

/// What becomes of a hunk's cuts, as reports say it.
pub(super) fn outcome(text: &Text, view: View, cuts: &[Cut], notes: Vec<String>) -> HunkOutcome {
    let breaks = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count();
    let (mut removed, mut added, mut last) = (0, 0, None);
    for Cut { slice, new } in cuts {
        let first = line_of(text, slice.start);
        let end = line_of(text, slice.end - 1);
        let fresh = usize::from(last != Some(first));
        let within = text.offset(first) == slice.start && new.is_empty() && slice.end == text.offset(end + 1);
        removed += end - first + fresh;
        added += if within { 0 } else { fresh + breaks(new.strip_suffix(b"\n").unwrap_or(new)) };
        last = Some(end);
    }
    HunkOutcome::Placed {
        view,
        first: cuts.first().map_or(0, |cut| line_of(text, cut.slice.start)) + 1,
        last: last.map_or(0, |last| last + 1),
        removed,
        added,
        offset: None,
        notes,
    }
}

/// Cuts that touch the same lines, each with the hunk that it belongs to.
pub(super) struct Group {
    pub hunks: Vec<usize>,
    pub made: Result<Vec<Splice>, Refusal>,
}

/// Two hunks whose cuts overlap, and the line where.
pub(super) struct Clash {
    pub hunks: [usize; 2],
    pub line: usize,
}

/// The lines `first..end` and the cuts that touch them, each with its hunk.
type Touched = (usize, usize, Vec<(usize, Cut)>);

/// Groups cuts by the lines that they touch and weaves each group into its lines.
///
/// # Errors
/// Cuts of two hunks overlap.
pub(super) fn weave(
    text: &Text,
    mut cuts: Vec<(usize, Cut)>,
    env: &Env,
    guards: &Guards,
) -> Result<Vec<Group>, Vec<Clash>> {
    cuts.sort_by_key(|(hunk, cut)| (cut.slice, *hunk));
    let clash = |two: &[(usize, Cut)]| Clash {
        hunks: [two[0].0, two[1].0],
        line: line_of(text, two[1].1.slice.start),
    };
    let clashes: Vec<Clash> =
        cuts.windows(2).filter(|two| two[1].1.slice.start < two[0].1.slice.end).map(clash).collect();
    if !clashes.is_empty() {
        return Err(clashes);
    }
    let mut groups: Vec<Touched> = Vec::new();
    for (hunk, cut) in cuts {
        let (first, end) = touched(text, &cut);
        match groups.last_mut() {
            Some((_, reached, group)) if first < *reached => {
                *reached = end.max(*reached);
                group.push((hunk, cut));
            }
            _ => groups.push((first, end, vec![(hunk, cut)])),
        }
    }
    let group = |(first, end, cuts): Touched| {
        let mut hunks: Vec<usize> = cuts.iter().map(|(hunk, _)| *hunk).collect();
        hunks.sort_unstable();
        hunks.dedup();
        Group { hunks, made: woven(text, first, end, &cuts, env, guards) }
    };
    Ok(groups.into_iter().map(group).collect())
}

/// The lines `first..end` that a cut changes. A line end that goes joins the next line.
fn touched(text: &Text, Cut { slice, new }: &Cut) -> (usize, usize) {
    let first = line_of(text, slice.start);
    let last = line_of(text, slice.end - 1);
    let closed = slice.end == text.offset(last + 1) && text.eol(last) != Eol::None;
    let stays = new.ends_with(b"\n") || new.is_empty() && text.offset(first) == slice.start;
    (first, (last + 1 + usize::from(closed && !stays)).min(text.len()))
}

fn woven(
    text: &Text,
    first: usize,
    end: usize,
    cuts: &[(usize, Cut)],
    env: &Env,
    guards: &Guards,
) -> Result<Vec<Splice>, Refusal> {
    let added: usize = cuts.iter().map(|(_, cut)| cut.new.len()).sum();
    let mut new = Vec::with_capacity(text.offset(end) - text.offset(first) + added);
    let mut at = text.offset(first);
    for (_, cut) in cuts {
        push_plain(&mut new, &text.bytes()[at..cut.slice.start]);
        new.extend_from_slice(&cut.new);
        at = cut.slice.end;
    }
    push_plain(&mut new, &text.bytes()[at..text.offset(end)]);
    if let Some(splice) = one_line(text, first, end, &mut new) {
        let old = Line { text: text.body(first).into(), eol: Eol::Lf };
        let line = Line { text: splice.lines[0].text.as_slice().into(), eol: Eol::Lf };
        let place = Place { view: View::Exact, start: first, end, pairs: vec![Some(0)] };
        guards.hunk(&Body::block(vec![old], vec![line]), &place)?;
        return Ok(vec![splice]);
    }
    let eol = if text.eol(first) == Eol::CrLf { Eol::CrLf } else { Eol::Lf };
    let old = (first..end).map(|at| Line { text: text.body(at).into(), eol });
    let body = Body::block(old.collect(), lines(&new, eol));
    if body.changes_nothing() {
        return Ok(Vec::new());
    }
    let pairs = (first..end).map(Some).collect();
    let place = Place { view: View::Exact, start: first, end, pairs };
    guards.hunk(&body, &place)?;
    merge::splice(text, &body, &place, env)
}

/// One line that stays one, and differs: it keeps its end. Lines may be as long as their file, so they are not
/// copied more often than needed.
fn one_line(text: &Text, first: usize, end: usize, new: &mut Vec<u8>) -> Option<Splice> {
    let breaks = memchr::memchr_iter(b'\n', new).take(2).count();
    let closed = new.ends_with(b"\n");
    if end != first + 1 || breaks != usize::from(closed) || closed != (text.eol(first) != Eol::None) {
        return None;
    }
    new.truncate(new.len() - breaks);
    if new == text.body(first) || new.ends_with(b"\r") {
        new.extend_from_slice(&b"\n"[..breaks]);
        return None;
    }
    Some(Splice {
        start: first,
        end,
        lines: vec![OutLine { text: std::mem::take(new), eol: text.eol(first) }],
    })
}

fn push_plain(out: &mut Vec<u8>, bytes: &[u8]) {
    let mut from = 0;
    for at in memchr::memmem::find_iter(bytes, b"\r\n") {
        out.extend_from_slice(&bytes[from..at]);
        from = at + 1;
    }
    out.extend_from_slice(&bytes[from..]);
}

fn lines(text: &[u8], eol: Eol) -> Vec<Line<'_>> {
    let text = text.split_inclusive(|&b| b == b'\n');
    text.map(|line| Line { text: cut_eol(line).0.into(), eol }).collect()
}
