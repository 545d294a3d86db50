//! `--merge`: a hunk that does not fit is merged with what the file has there; where both changed the
//! same lines, both stand between conflict marks.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::{apply::Output, locate::Target, options::MergeStyle};
use crate::input::strict::{Hunk, Mark};

/// What became of a hunk.
pub(super) struct Merged {
    pub conflict: bool,
    /// What there is to say, without the hunk's number; nothing of a hunk that fits.
    pub told: String,
}

/// One run of lines that differ: where in the old side, and where in the other.
#[derive(Clone, Copy, Debug)]
struct Change {
    old: (usize, usize),
    other: (usize, usize),
}

/// Merges a hunk; `None` if its place is used already.
pub(super) fn hunk(
    target: &Target<'_>,
    output: &mut Output<'_>,
    hunk: &Hunk<'_>,
    place: Option<i64>,
    offset: i64,
    style: MergeStyle,
) -> Option<Merged> {
    let old: Vec<&[u8]> = hunk.old.iter().map(|line| &line.text[..]).collect();
    let new: Vec<&[u8]> = hunk.new.iter().map(|line| &line.text[..]).collect();
    let (first, count) = match place {
        Some(place) => (place, old.len() as i64),
        None => locate(target, hunk, &old, offset, output.frozen),
    };
    output.copy_to(target, first - 1).ok()?;
    let start = usize::try_from(first - 1).unwrap_or(0).min(target.lines.len());
    let end = (start + usize::try_from(count).unwrap_or(0)).min(target.lines.len());
    let there = &target.lines[start..end];
    let mut weaver = Weaver { old: &old, new: &new, there, style, output, line: 0, told: Vec::new() };
    weaver.line = first + weaver.output.growth;
    let changed = if place.is_some() { Vec::new() } else { file_changes(&old, there) };
    weaver.weave(&patch_changes(hunk), &changed);
    let told = std::mem::take(&mut weaver.told);
    let grown = weaver.line - (first + weaver.output.growth) - there.len() as i64;
    output.growth += grown;
    output.frozen = (end as i64).max(output.frozen);
    let conflict = told.iter().any(|(what, _)| *what == "NOT MERGED");
    let told = sentence(&told);
    Some(Merged { conflict, told })
}

/// The changes that the patch makes.
fn patch_changes(hunk: &Hunk<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut old, mut new) = (0, 0);
    let run = |side: &[crate::input::strict::HunkLine<'_>], from: usize| {
        side[from..].iter().take_while(|line| line.mark != Mark::Context).count()
    };
    while old < hunk.old.len() || new < hunk.new.len() {
        let (gone, come) = (run(&hunk.old, old), run(&hunk.new, new));
        if gone + come > 0 {
            changes.push(Change { old: (old, old + gone), other: (new, new + come) });
        }
        old = (old + gone + 1).min(hunk.old.len().max(old + gone));
        new = (new + come + 1).min(hunk.new.len().max(new + come));
    }
    changes
}

/// The changes that the file has had.
fn file_changes(old: &[&[u8]], there: &[&[u8]]) -> Vec<Change> {
    let ops = capture_diff_slices(Algorithm::Myers, old, there);
    let changed = ops.iter().filter(|op| op.tag() != DiffTag::Equal);
    changed
        .map(|op| {
            let (old, other) = (op.old_range(), op.new_range());
            Change { old: (old.start, old.end), other: (other.start, other.end) }
        })
        .collect()
}

struct Weaver<'w, 'o, 'h> {
    old: &'h [&'h [u8]],
    new: &'h [&'h [u8]],
    there: &'h [&'h [u8]],
    style: MergeStyle,
    output: &'w mut Output<'o>,
    /// The output's next line, from 1.
    line: i64,

    told: Vec<(&'static str, (i64, i64))>,
}

impl Weaver<'_, '_, '_> {
    /// Goes through the old side; changes that overlap or touch are one.
    fn weave(&mut self, patch: &[Change], file: &[Change]) {
        let (mut ours, mut theirs) = (file.iter().peekable(), patch.iter().peekable());
        let mut at = (0, 0, 0);
        loop {
            let begin = match (ours.peek(), theirs.peek()) {
                (Some(a), Some(b)) => a.old.0.min(b.old.0),
                (Some(a), None) => a.old.0,
                (None, Some(b)) => b.old.0,
                (None, None) => break,
            };
            let kept = begin - at.0;
            self.copy(at.2, at.2 + kept);
            at = (begin, at.1 + kept, at.2 + kept);
            let mut end = at;
            let (mut by_file, mut by_patch) = (false, false);
            loop {
                let touches = |change: &&Change| change.old.0 <= end.0;
                if let Some(change) = ours.next_if(touches) {
                    by_file = true;
                    end = self.widen(end, change, false);
                } else if let Some(change) = theirs.next_if(touches) {
                    by_patch = true;
                    end = self.widen(end, change, true);
                } else {
                    break;
                }
            }
            self.region(at, end, by_file, by_patch);
            at = end;
        }
        let rest = self.there.len();
        self.copy(at.2, rest);
    }

    /// The end of a region that takes one more change in: old, new and file lines.
    fn widen(&self, end: (usize, usize, usize), change: &Change, is_patch: bool) -> (usize, usize, usize) {
        let (old, new, there) = end;
        let grown = change.old.1.max(old) - old;
        let length = |range: (usize, usize)| range.1 - range.0;
        let gain = length(change.other) as i64 - length(change.old) as i64;
        let moved = |at: usize, gain: i64| (at as i64 + grown as i64 + gain).max(0) as usize;
        match is_patch {
            true => (old + grown, moved(new, gain), there + grown),
            false => (old + grown, new + grown, moved(there, gain)),
        }
    }

    fn copy(&mut self, from: usize, to: usize) {
        for line in &self.there[from.min(self.there.len())..to.min(self.there.len())] {
            self.output.emit(line);
            self.line += 1;
        }
    }

    fn region(
        &mut self,
        at: (usize, usize, usize),
        end: (usize, usize, usize),
        by_file: bool,
        by_patch: bool,
    ) {
        let (new, there) = (self.new, self.there);
        let new = &new[at.1.min(new.len())..end.1.min(new.len())];
        let there = &there[at.2.min(there.len())..end.2.min(there.len())];
        if !by_patch {
            return self.copy(at.2, end.2);
        }
        if by_file && new != there {
            return self.conflict(&self.old[at.0..end.0], there, new);
        }
        let begin = self.line;
        self.put(new);
        self.tell(if by_file { "already applied" } else { "merged" }, begin);
        if !by_file {
            self.output.phantom += (end.0 - at.0) as i64;
        }
    }

    /// Notes what became of the lines from `begin` on.
    fn tell(&mut self, what: &'static str, begin: i64) {
        let phantom = self.output.phantom;
        self.told.push((what, (begin + phantom, self.line - 1 + phantom)));
    }

    fn put(&mut self, lines: &[&[u8]]) {
        for line in lines {
            self.output.emit(line);
            self.line += 1;
        }
    }

    fn mark(&mut self, mark: &str) {
        self.output.emit(&[mark.as_bytes(), b"\n"].concat());
        self.line += 1;
    }

    /// Both versions between marks. Without the old one between them, what both begin or end with stands
    /// outside.
    fn conflict(&mut self, old: &[&[u8]], there: &[&[u8]], new: &[&[u8]]) {
        let (mut head, mut tail) = (0, 0);
        if self.style == MergeStyle::Merge {
            head = there.iter().zip(new).take_while(|(a, b)| a == b).count();
            let rest = there.len().min(new.len()) - head;
            tail = there.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        }
        self.put(&there[..head]);
        let begin = self.line;
        self.mark("<<<<<<<");
        self.put(&there[head..there.len() - tail]);
        if self.style == MergeStyle::Diff3 {
            self.mark("|||||||");
            self.put(old);
        }
        self.mark("=======");
        self.put(&new[head..new.len() - tail]);
        self.mark(">>>>>>>");
        self.tell("NOT MERGED", begin);
        self.put(&there[there.len() - tail..]);
    }
}

/// `NOT MERGED at 2-6, merged at 8,12-13`
fn sentence(told: &[(&'static str, (i64, i64))]) -> String {
    let mut text = String::new();
    for (at, (what, (first, end))) in told.iter().enumerate() {
        // A list goes on without the word only if it is the first one's.
        if at > 0 && *what == told[0].0 {
            text.push(',');
        } else {
            text += &format!("{}{what} at ", if at == 0 { "" } else { ", " });
        }
        text += &if end > first { format!("{first}-{end}") } else { first.to_string() };
    }
    text
}

/// The best place for a hunk that fits nowhere: the fewest differing lines, the nearest of equals.
fn locate(target: &Target<'_>, hunk: &Hunk<'_>, old: &[&[u8]], offset: i64, frozen: i64) -> (i64, i64) {
    let guess = hunk.old_first.saturating_add(offset);
    let context = hunk.old.iter().filter(|line| line.mark == Mark::Context).count() as i64;
    let floor = frozen + 1;
    if context == 0 {
        return (guess.max(floor), 0);
    }
    let to_end = hunk.tail < hunk.head;
    let at_start = hunk.head < hunk.tail && hunk.old_first <= 1;
    let down = target.len() - (old.len() as i64 - context) + 1 - guess;
    let up = if guess <= guess - floor { guess - 1 } else { guess - floor };
    let mut best = (guess, 0);
    let mut most = 2 * context;
    for distance in 0..=if at_start { 0 } else { down.max(up) } {
        let sides = [(distance <= down, distance), (distance > 0 && distance <= up, -distance)];
        for (_, step) in sides.into_iter().filter(|(on, _)| *on) {
            let at = guess + step;
            let Some(start) = usize::try_from(at - 1).ok().filter(|start| *start <= target.lines.len())
            else {
                continue;
            };
            let rest = &target.lines[start..];
            let least = if to_end { rest.len() } else { old.len().saturating_sub(context as usize) };
            if let Some((changes, matched)) = edit_distance(old, rest, least, most)
                && matched > best.1
            {
                best = (at, matched);
                if changes == 0 {
                    return best;
                }
                most = changes - 1;
            }
        }
    }
    (best.0.max(floor), best.1)
}

/// The fewest insertions and deletions, at most `most`, that turn all of `old` into a beginning of `lines`
/// of at least `least` lines, and how long that beginning is.
fn edit_distance(old: &[&[u8]], lines: &[&[u8]], least: usize, most: i64) -> Option<(i64, i64)> {
    let most = usize::try_from(most).ok()?;
    if lines.len() < least || least > old.len() + most {
        return None;
    }
    let reach = lines.len().min(old.len() + most);
    let lines = &lines[..reach];
    // Furthest old line reached on each diagonal (lines used minus old lines used), by number of changes.
    let width = most + 1;
    let mut furthest = vec![None::<usize>; 2 * width + 1];
    let slide = |mut x: usize, diagonal: i64| {
        while x < old.len() {
            let y = x as i64 + diagonal;
            match usize::try_from(y).ok().and_then(|y| lines.get(y)) {
                Some(line) if *line == old[x] => x += 1,
                _ => break,
            }
        }
        x
    };
    for changes in 0..=most as i64 {
        let mut found: Option<i64> = None;
        for diagonal in (-changes..=changes).step_by(2) {
            let index = |diagonal: i64| usize::try_from(diagonal + width as i64).unwrap_or(0);
            let x = if changes == 0 {
                Some(0)
            } else {
                let removed = furthest[index(diagonal + 1)].map(|x| x + 1);
                let added = furthest[index(diagonal - 1)];
                removed.max(added)
            };
            let Some(x) = x.filter(|x| *x <= old.len() && (*x as i64 + diagonal) <= lines.len() as i64)
            else {
                furthest[index(diagonal)] = None;
                continue;
            };
            if x as i64 + diagonal < 0 {
                furthest[index(diagonal)] = None;
                continue;
            }
            let x = slide(x, diagonal);
            furthest[index(diagonal)] = Some(x);
            let end = x as i64 + diagonal;
            if x == old.len() && end >= least as i64 {
                found = Some(found.map_or(end, |found| found.max(end)));
            }
        }
        if let Some(end) = found {
            return Some((changes, end));
        }
    }
    None
}
