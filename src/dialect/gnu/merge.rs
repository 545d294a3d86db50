//! `--merge`: a hunk that does not fit is merged with what the file has there; where both changed the
//! same lines, both stand between conflict marks.

use super::{
    apply::{Clash, Output},
    locate::{Target, similar},
    myers,
    options::MergeStyle,
};
use crate::input::strict::{Hunk, Mark};

/// What became of a hunk.
pub(super) struct Merged {
    pub conflict: bool,
    /// What there is to say, without the hunk's number.
    pub told: String,
}

/// How a hunk is merged.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    pub style: MergeStyle,
    /// How far the last hunk stood from its stated line.
    pub offset: i64,
    /// Hunks that fit, or were merged without a conflict, are told too.
    pub tells: Tells,
}

/// Which results are told; conflicts and what was applied already always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tells {
    Conflicts,
    Merges,
    All,
}

/// Merges a hunk.
pub(super) fn hunk(
    target: &Target<'_>,
    output: &mut Output<'_>,
    hunk: &Hunk<'_>,
    place: Option<i64>,
    manner: Manner,
) -> Result<Merged, Clash> {
    let old: Vec<Line<'_>> = lines(&hunk.old);
    let new: Vec<Line<'_>> = lines(&hunk.new);
    let (first, count) = match place {
        Some(place) => (place, old.len() as i64),
        None => locate(target, hunk, &old, manner.offset, output.frozen),
    };
    let start = usize::try_from(first - 1).unwrap_or(0).min(target.lines().len());
    let end = start.saturating_add(usize::try_from(count).unwrap_or(0)).min(target.lines().len());
    let there = &target.lines()[start..end];
    let same = |x: usize, y: usize| target.same(old[x].text, there[y]);
    let (lost, extra) = match place {
        Some(_) => (vec![false; old.len()], vec![false; there.len()]),
        None => myers::changes(same, (old.len(), there.len())),
    };
    if output.frozen < first - 1 {
        output.copy_to(target, first - 1)?;
    }
    let told = matches!((manner.tells, place), (Tells::All, _) | (Tells::Merges, None));
    let sides = Sides { old, new, lost, extra };
    let mut weaver = Weaver { sides, target, output, style: manner.style, place: first, told: Vec::new() };
    weaver.weave(told)?;
    let conflict = weaver.told.iter().any(|(what, _)| *what == "NOT MERGED");
    Ok(Merged { conflict, told: sentence(&weaver.told) })
}

/// A line of the hunk, and whether the hunk changes it.
#[derive(Clone, Copy)]
struct Line<'h> {
    text: &'h [u8],
    changes: bool,
}

fn lines<'h>(side: &'h [crate::input::strict::HunkLine<'_>]) -> Vec<Line<'h>> {
    side.iter().map(|line| Line { text: &line.text, changes: line.mark != Mark::Context }).collect()
}

/// What the patch does to its old side, and what the file did to it.
struct Sides<'h> {
    old: Vec<Line<'h>>,
    new: Vec<Line<'h>>,
    /// Old lines that the file lacks.
    lost: Vec<bool>,
    /// Lines that only the file has.
    extra: Vec<bool>,
}

/// How far each side was gone through.
#[derive(Clone, Copy)]
struct At {
    old: usize,
    new: usize,
    there: usize,
}

impl Sides<'_> {
    fn keeps(&self, at: At) -> bool {
        self.old.get(at.old).is_some_and(|line| !line.changes)
    }

    fn removes(&self, at: At) -> bool {
        self.old.get(at.old).is_some_and(|line| line.changes)
    }

    fn adds(&self, at: At) -> bool {
        self.new.get(at.new).is_some_and(|line| line.changes)
    }

    fn lost(&self, at: At) -> bool {
        self.lost.get(at.old).copied().unwrap_or(false)
    }

    fn extra(&self, at: At) -> bool {
        self.extra.get(at.there).copied().unwrap_or(false)
    }

    fn past_added(&self, mut at: At) -> At {
        while self.adds(at) {
            at.new += 1;
        }
        at
    }

    fn past_extra(&self, mut at: At) -> At {
        while self.extra(at) {
            at.there += 1;
        }
        at
    }

    /// Behind a change of the patch that the file left alone; or where the file did not.
    fn past_change(&self, mut at: At) -> Result<At, At> {
        while self.removes(at) {
            if self.lost(at) || self.extra(at) {
                return Err(at);
            }
            at = At { old: at.old + 1, there: at.there + 1, ..at };
        }
        if self.lost(at) || self.extra(at) { Err(at) } else { Ok(self.past_added(at)) }
    }

    /// Behind context that the file lost; or where the patch changes something there.
    fn past_loss(&self, mut at: At) -> Result<At, At> {
        while self.keeps(at) && self.lost(at) {
            if self.adds(at) {
                return Err(at);
            }
            at = At { old: at.old + 1, new: at.new + 1, ..at };
        }
        if self.removes(at) || self.adds(at) { Err(at) } else { Ok(at) }
    }

    fn past_common(&self, mut at: At) -> At {
        let common = |at: At| {
            self.keeps(at)
                && !self.lost(at)
                && !self.adds(at)
                && at.there < self.extra.len()
                && !self.extra(at)
        };
        while common(at) {
            at = At { old: at.old + 1, new: at.new + 1, there: at.there + 1 };
        }
        at
    }

    /// Behind everything that both changed without a common line between.
    fn past_conflict(&self, mut at: At) -> At {
        loop {
            if self.removes(at) {
                at = self.past_extra(at);
                at.there += usize::from(!self.lost(at));
                at.old += 1;
            } else if self.lost(at) {
                at = self.past_added(at);
                at.new += usize::from(self.keeps(at));
                at.old += 1;
            } else if self.adds(at) {
                at = self.past_added(at);
            } else if self.extra(at) {
                at = self.past_extra(at);
            } else {
                return at;
            }
        }
    }
}

struct Weaver<'w, 'o, 'h, 'f> {
    sides: Sides<'h>,
    target: &'w Target<'f>,
    output: &'w mut Output<'o>,
    style: MergeStyle,
    /// The file's next line, from 1.
    place: i64,
    told: Vec<(&'static str, (i64, i64))>,
}

impl Weaver<'_, '_, '_, '_> {
    fn weave(&mut self, tells_merges: bool) -> Result<(), Clash> {
        let mut at = At { old: 0, new: 0, there: 0 };
        loop {
            let sides = &self.sides;
            let step = if sides.removes(at) || sides.adds(at) {
                match sides.past_change(at) {
                    Ok(end) => {
                        self.change(at, end, tells_merges);
                        Ok(end)
                    }
                    met => met,
                }
            } else if !sides.keeps(at) {
                return Ok(());
            } else if sides.lost(at) {
                sides.past_loss(at)
            } else {
                let end = if sides.extra(at) { sides.past_extra(at) } else { sides.past_common(at) };
                if end.there == at.there {
                    return Ok(());
                }
                self.copy(end.there - at.there)?;
                Ok(end)
            };
            at = match step {
                Ok(end) => end,
                Err(met) => self.conflict(at, self.sides.past_conflict(met))?,
            };
        }
    }

    /// Copies so many lines of the file.
    fn copy(&mut self, count: usize) -> Result<(), Clash> {
        self.place += count as i64;
        self.output.copy_to(self.target, self.place - 1)
    }

    fn put(&mut self, from: usize, to: usize) {
        for line in &self.sides.new[from..to] {
            self.output.emit(line.text);
        }
    }

    fn change(&mut self, at: At, end: At, tells: bool) {
        let (gone, come) = ((end.old - at.old) as i64, (end.new - at.new) as i64);
        if tells {
            self.tell("merged", come);
        }
        self.output.frozen += gone;
        self.place += gone;
        self.output.growth += come;
        self.put(at.new, end.new);
    }

    /// Notes what became of so many lines of the output. The model does not count lines that were replaced.
    fn tell(&mut self, what: &'static str, count: i64) {
        let first = self.place + self.output.growth;
        self.told.push((what, (first, first + count - 1)));
    }

    fn begins_alike(&self, at: At, end: At) -> usize {
        let most = (end.there - at.there).min(end.new - at.new);
        (0..most).take_while(|n| self.is_there(at.new + n, self.place + *n as i64)).count()
    }

    fn ends_alike(&self, at: At, end: At) -> usize {
        let most = (end.there - at.there).min(end.new - at.new);
        let last = self.place + (end.there - at.there) as i64 - 1;
        (0..most).take_while(|n| self.is_there(end.new - 1 - n, last - *n as i64)).count()
    }

    /// Whether a new line stands at a line of the file.
    fn is_there(&self, new: usize, place: i64) -> bool {
        let line = usize::try_from(place - 1).ok().and_then(|at| self.target.line(at));
        line.is_some_and(|line| self.target.same(self.sides.new[new].text, line))
    }

    /// Both texts, between marks; unless the file has the new one. What both begin or end with stands
    /// outside.
    fn conflict(&mut self, mut at: At, end: At) -> Result<At, Clash> {
        let head = self.begins_alike(at, end);
        if head == end.there - at.there && head == end.new - at.new {
            self.tell("already applied", head as i64);
            self.copy(head)?;
            return Ok(end);
        }
        let mut tail = 0;
        if self.style == MergeStyle::Merge {
            at = At { new: at.new + head, there: at.there + head, ..at };
            self.copy(head)?;
            tail = self.ends_alike(at, end);
        }
        let inner = At { new: end.new - tail, there: end.there - tail, ..end };
        self.marked(at, inner)?;
        self.copy(tail)?;
        Ok(end)
    }

    fn marked(&mut self, at: At, end: At) -> Result<(), Clash> {
        let there = end.there - at.there;
        let mut marks = 3 + (end.new - at.new);
        if self.style == MergeStyle::Diff3 {
            marks += 1 + (end.old - at.old);
        }
        self.tell("NOT MERGED", (marks + there) as i64);
        self.output.growth += marks as i64;
        self.output.mark("<<<<<<<");
        self.copy(there)?;
        if self.style == MergeStyle::Diff3 {
            self.output.mark("|||||||");
            for line in &self.sides.old[at.old..end.old] {
                self.output.emit(line.text);
            }
        }
        self.output.mark("=======");
        self.put(at.new, end.new);
        self.output.mark(">>>>>>>");
        Ok(())
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
fn locate(target: &Target<'_>, hunk: &Hunk<'_>, old: &[Line<'_>], offset: i64, frozen: i64) -> (i64, i64) {
    let guess = hunk.old_first.saturating_add(offset);
    let context = old.iter().filter(|line| !line.changes).count() as i64;
    let floor = frozen + 1;
    if context == 0 {
        return (guess.max(floor), 0);
    }
    let to_end = hunk.tail < hunk.head;
    let at_start = hunk.head < hunk.tail && hunk.old_first <= 1;
    let farthest_down = target.len() - old.len() as i64 + context + 1 - guess;
    let farthest_up = guess - floor;
    let down = if at_start { 0 } else { farthest_down };
    let up = if guess <= farthest_up { guess - 1 } else { farthest_up };
    let (mut best, mut matched) = (guess, 0);
    let (mut least, mut most) = (old.len() as i64 - context, 2 * context);
    for distance in 0..=farthest_down.max(farthest_up) {
        let sides = [(distance <= down, distance), (distance > 0 && distance <= up, -distance)];
        for (_, step) in sides.into_iter().filter(|(on, _)| *on) {
            let at = guess + step;
            let Some(rest) = usize::try_from(at - 1).ok().and_then(|start| target.lines().get(start..))
            else {
                continue;
            };
            let wanted = if to_end { rest.len() as i64 } else { least };
            let same = |x: usize, y: usize| target.same(old[x].text, rest[y]);
            let found = myers::beginning(same, (old.len(), rest.len()), at, (wanted, most));
            if let Some((changes, length)) = found.filter(|(_, length)| *length > matched) {
                (best, matched) = (at, length);
                if changes == 0 {
                    return (best.max(floor), matched);
                }
                (least, most) = (length, changes - 1);
            }
        }
    }
    (best.max(floor), matched)
}

impl Target<'_> {
    /// A line of the patch and one of the file count as equal.
    fn same(&self, patch: &[u8], file: &[u8]) -> bool {
        !file.is_empty() && if self.ignore_blanks { similar(patch, file) } else { patch == file }
    }
}
