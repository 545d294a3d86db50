//! All line operations that one input makes on one file.
//!
//! The numbers count lines of a text that the tag names. If the file has that tag, they count its lines;
//! if not, only an old text with the tag can say where the lines stand now (`stale`).

use std::{borrow::Cow, collections::BTreeMap};

use super::{HunkOutcome, HunkVerdict, guards::Guards};
use crate::{
    edit::{Deed, Edit, Gap, Line, LineEdit, LineOp, Lines, Op, Register, Span},
    merge::{self, Env, OutLine, Splice},
    place::View,
    refusal::Refusal,
    text::{
        Eol, Text, is_blank,
        tag::{self, shown},
        view::trim_end,
    },
};

mod block;
mod echo;
mod resolve;
mod stale;
#[cfg(test)]
mod tests;

use resolve::{At, Base, resolve};

/// What became of a file's line operations.
#[derive(Debug)]
pub(super) struct Outcome {
    pub bytes: Vec<u8>,
    /// Per edit, in the order given.
    pub hunks: Vec<Vec<HunkVerdict>>,
}

/// The line operations of an edit.
pub(super) fn of<'e, 'i>(edit: &'e Edit<'i>) -> Option<&'e LineEdit<'i>> {
    match &edit.op {
        Op::Lines(lines) => Some(lines),
        _ => None,
    }
}

/// Carries out all line operations on one file. `olds`: earlier contents of it, asked for only if the tag
/// is not the file's.
///
/// # Errors
/// The file is not the text that was read, or the operations contradict the file or each other.
pub(super) fn apply(
    bytes: &[u8],
    edits: &[&Edit],
    path: &[u8],
    olds: impl FnOnce() -> Vec<Vec<u8>>,
) -> Result<Outcome, Refusal> {
    let tag = one_tag(edits)?;
    let text = Text::new(bytes);
    let all: Vec<(usize, &LineOp)> = edits
        .iter()
        .enumerate()
        .flat_map(|(at, edit)| {
            of(edit).into_iter().flat_map(move |lines| lines.ops.iter().map(move |op| (at, op)))
        })
        .collect();
    let ops: Vec<&LineOp> = all.iter().map(|(_, op)| *op).collect();
    let (places, how) = places(&text, tag, &ops, path, olds)?;
    let mut file = File { text: &text, env: Env::default(), registers: BTreeMap::new(), steps: Vec::new() };
    for (op, at) in ops.iter().zip(&places) {
        file.step(op, *at, &how)?;
    }
    file.settle_same_ranges()?;
    file.check_overlaps()?;
    let bytes = file.write()?;
    let mut hunks = vec![Vec::new(); edits.len()];
    for ((edit, op), step) in all.iter().zip(file.steps) {
        hunks[*edit].push(HunkVerdict { span: op.span, outcome: step.outcome, turn: 0 });
    }
    Ok(Outcome { bytes, hunks })
}

/// Whether the file is still the text that edits without operations (a move, a removal) were written for.
///
/// # Errors
/// It is not.
pub(super) fn unchanged(bytes: &[u8], edits: &[&Edit]) -> Result<(), Refusal> {
    let (tag, now) = (one_tag(edits)?, tag::tag(bytes));
    if tag == now {
        return Ok(());
    }
    Err(Refusal::ChangedSinceRead { what: format!("(the file's tag is {}, not {})", shown(now), shown(tag)) })
}

/// The sections of one file were written for one text.
fn one_tag(edits: &[&Edit]) -> Result<u16, Refusal> {
    let tags: Vec<u16> = edits.iter().filter_map(|edit| of(edit)).map(|lines| lines.tag).collect();
    match tags[..] {
        [tag, ref rest @ ..] if rest.iter().all(|other| *other == tag) => Ok(tag),
        [tag, ref rest @ ..] => {
            let other = rest.iter().find(|other| **other != tag).copied().unwrap_or(tag);
            let (one, two) = (shown(tag), shown(other));
            Err(Refusal::Doubtful { what: format!("sections of one file have two tags, {one} and {two}") })
        }
        [] => Err(Refusal::NothingToDo),
    }
}

/// How the numbers came to count the file's own lines.
#[derive(Debug, Default)]
struct How {
    offset: Option<i64>,
    note: Option<String>,
}

/// Where each operation goes in the file as it is.
fn places(
    text: &Text,
    tag: u16,
    ops: &[&LineOp],
    path: &[u8],
    olds: impl FnOnce() -> Vec<Vec<u8>>,
) -> Result<(Vec<At>, How), Refusal> {
    let now = tag::tag(text.bytes());
    if now == tag {
        let base = Base::new(text, path);
        let places = ops.iter().map(|op| resolve(&base, op)).collect::<Result<_, _>>()?;
        return Ok((places, How::default()));
    }
    if let Some(places) = ops.iter().map(|op| at_edge(text, op)).collect::<Option<Vec<_>>>() {
        let note =
            format!("the file is not the text with tag {} any more; head and tail still are", shown(tag));
        return Ok((places, How { offset: None, note: Some(note) }));
    }
    let (places, offset) = stale::recover(text, tag, ops, path, olds())?;
    let note =
        format!("the file changed since it was read; the lines stand unchanged, {offset:+} lines from there");
    Ok((places, How { offset: Some(offset), note: Some(note) }))
}

/// Insertions before the first line and after the last need no line of the text.
fn at_edge(text: &Text, op: &LineOp) -> Option<At> {
    match op.deed {
        Deed::Insert { at: Gap::Before(1), .. } => Some(At::HEAD),
        Deed::Insert { at: Gap::End, .. } => Some(At::end(text)),
        _ => None,
    }
}

/// Which lines a body's own numbers and rows say stand there.
fn check_body(text: &Text, at: At, body: &[Cow<'_, [u8]>], old: &[Cow<'_, [u8]>]) -> Result<(), Refusal> {
    let mut lines = (at.start..at.end).map(|line| text.body(line).trim_ascii());
    for row in old.iter().filter(|row| !is_blank(row)) {
        if !lines.any(|line| line == row.trim_ascii()) {
            let row = String::from_utf8_lossy(row.trim_ascii()).into_owned();
            let (first, last) = (at.start + 1, at.end);
            return Err(Refusal::Doubtful {
                what: format!("the row `-{row}` is not what stands in lines {first} to {last}"),
            });
        }
    }
    let prefix = |number: usize| format!("{number}:").into_bytes();
    let numbered = |(nth, row): (usize, &Cow<'_, [u8]>)| row.starts_with(&prefix(at.start + 1 + nth));
    if body.len() > 1
        && body.iter().enumerate().all(numbered)
        && !text.body(at.start).starts_with(&prefix(at.start + 1))
    {
        return Err(Refusal::Doubtful {
            what: "the new lines carry the line numbers of the read-out".to_owned(),
        });
    }
    Ok(())
}

/// An operation in its place.
#[derive(Debug)]
struct Step {
    span: Span,
    at: At,
    lines: Vec<OutLine>,
    /// A plain replacement: a later one of the same lines may take its place.
    replaces: bool,
    /// A cut: something else may stand in its place.
    cuts: bool,
    outcome: HunkOutcome,
}

struct File<'t> {
    text: &'t Text<'t>,
    env: Env,
    registers: BTreeMap<Option<Vec<u8>>, Held>,
    steps: Vec<Step>,
}

/// What a register holds.
#[derive(Debug)]
enum Held {
    Lines(Vec<Vec<u8>>),
    /// Cut twice, and not pasted between.
    Twice,
}

impl File<'_> {
    fn step(&mut self, op: &LineOp, at: At, how: &How) -> Result<(), Refusal> {
        let mut notes: Vec<String> = how.note.iter().filter(|_| self.steps.is_empty()).cloned().collect();
        let (body, replaces, cuts) = match &op.deed {
            Deed::Put { body, old, .. } => {
                check_body(self.text, at, body, old)?;
                let kept = echo::trim(self.text, at, body)?;
                let echoed = body.len() - kept.len();
                if echoed > 0 {
                    notes.push(format!(
                        "{echoed} of the new lines repeat the lines beside the range and are left out"
                    ));
                }
                (kept.iter().map(|line| line.to_vec()).collect(), true, false)
            }
            Deed::Insert { body, .. } => (body.iter().map(|line| line.to_vec()).collect(), false, false),
            Deed::Cut { register, .. } => {
                self.fill(register, at);
                (Vec::new(), false, true)
            }
            Deed::Paste { register, .. } | Deed::PasteOver { register, .. } => {
                (self.empty(register)?, false, false)
            }
        };
        let lines: Vec<OutLine> = self.with_ends(body, at);
        let outcome = HunkOutcome::Placed {
            view: View::Exact,
            first: at.start + 1,
            last: at.end,
            removed: at.end - at.start,
            added: lines.len(),
            offset: how.offset,
            notes,
        };
        self.steps.push(Step { span: op.span, at, lines, replaces, cuts, outcome });
        Ok(())
    }

    /// Takes lines into a register.
    fn fill(&mut self, register: &Register, at: At) {
        let lines = (at.start..at.end).map(|line| self.text.body(line).to_vec()).collect();
        let key = register.as_ref().map(|name| name.to_vec());
        let full = self.registers.remove(&key).is_some();
        self.registers.insert(key, if full { Held::Twice } else { Held::Lines(lines) });
    }

    /// What a register holds; the one without a name is empty afterwards.
    fn empty(&mut self, register: &Register) -> Result<Vec<Vec<u8>>, Refusal> {
        let key = register.as_ref().map(|name| name.to_vec());
        let name = register.as_ref().map_or("the register".to_owned(), |name| {
            format!("the register @{}", String::from_utf8_lossy(name))
        });
        let what = match self.registers.get(&key) {
            Some(Held::Lines(lines)) => {
                let lines = lines.clone();
                if key.is_none() {
                    self.registers.remove(&key);
                }
                return Ok(lines);
            }
            Some(Held::Twice) => format!("{name} was filled twice before it is pasted: give the cuts names"),
            None => format!("{name} holds nothing: a CUT of this file has to stand above"),
        };
        Err(Refusal::Doubtful { what })
    }

    /// New lines end as the line that they replace, or as the one above.
    fn with_ends(&self, body: Vec<Vec<u8>>, at: At) -> Vec<OutLine> {
        let beside = |nth: usize| {
            if at.start < at.end { (at.start + nth).min(at.end - 1) } else { at.start.saturating_sub(1) }
        };
        let end = |nth: usize| merge::line_end(self.text, beside(nth), &self.env);
        body.into_iter().enumerate().map(|(nth, text)| OutLine { text, eol: end(nth) }).collect()
    }

    /// Exactly the same lines replaced twice: the last word counts. Lines that are cut may be replaced.
    fn settle_same_ranges(&mut self) -> Result<(), Refusal> {
        let mut known: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for index in 0..self.steps.len() {
            let at = self.steps[index].at;
            if at.start == at.end {
                continue;
            }
            let Some(before) = known.insert((at.start, at.end), index) else { continue };
            let (earlier, later) = (&self.steps[before], &self.steps[index]);
            if !(later.replaces && (earlier.replaces || earlier.cuts)) {
                return Err(self.overlap(before, index));
            }
            let note = "the same lines are replaced once more below: that counts".to_owned();
            let span = self.steps[before].span;
            if self.steps[before].replaces
                && let HunkOutcome::Placed { notes, .. } = &mut self.steps[before].outcome
            {
                notes.push(note);
            }
            self.steps[before] = Step {
                span,
                at: At { end: at.start, ..at },
                lines: Vec::new(),
                replaces: false,
                cuts: false,
                outcome: self.steps[before].outcome.clone(),
            };
        }
        Ok(())
    }

    /// The steps in the order of the file.
    fn ordered(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.steps.len()).collect();
        order.sort_by_key(|&index| {
            let at = self.steps[index].at;
            (at.start, at.end, at.below, index)
        });
        order
    }

    fn check_overlaps(&self) -> Result<(), Refusal> {
        let mut reach: Option<(usize, usize)> = None;
        for index in self.ordered() {
            let at = self.steps[index].at;
            if self.steps[index].lines.is_empty() && at.start == at.end {
                continue;
            }
            if let Some((end, before)) = reach
                && at.start < end
            {
                return Err(self.overlap(before, index));
            }
            if reach.is_none_or(|(end, _)| at.end > end) {
                reach = Some((at.end, index));
            }
        }
        Ok(())
    }

    fn overlap(&self, one: usize, two: usize) -> Refusal {
        let (one, two) = (&self.steps[one], &self.steps[two]);
        let last = one.at.end.min(two.at.end).max(two.at.start + 1);
        Refusal::Overlap { first: two.at.start + 1, last, other: one.span }
    }

    /// The file's new bytes.
    fn write(&self) -> Result<Vec<u8>, Refusal> {
        let guards = Guards::new(self.text);
        let mut splices = Vec::with_capacity(self.steps.len());
        for index in self.ordered() {
            let Step { at, lines, .. } = &self.steps[index];
            let above = at.start.checked_sub(1).map_or(&b""[..], |line| self.text.body(line));
            let added: Vec<Line> =
                lines.iter().map(|line| Line { text: Cow::Borrowed(&line.text), eol: line.eol }).collect();
            guards.lines(&added, above)?;
            let gone: Vec<&[u8]> = (at.start..at.end).map(|line| self.text.body(line)).collect();
            guards.stand_ins(&gone, &added.iter().map(|line| line.text.as_ref()).collect::<Vec<_>>())?;
            splices.push(Splice { start: at.start, end: at.end, lines: lines.clone() });
        }
        let mut bytes = merge::apply(self.text, &splices);
        self.keep_last_end(&mut bytes);
        if bytes == self.text.bytes() { Err(Refusal::NothingToDo) } else { Ok(bytes) }
    }

    /// A file without a final newline stays one.
    fn keep_last_end(&self, bytes: &mut Vec<u8>) {
        let open = !self.text.is_empty() && self.text.eol(self.text.len() - 1) == Eol::None;
        if open && bytes.ends_with(b"\n") {
            bytes.pop();
            if bytes.ends_with(b"\r") {
                bytes.pop();
            }
        }
    }
}

/// Two lines are the same but for blanks at their ends, which the tag does not see.
fn same(a: &[u8], b: &[u8]) -> bool {
    trim_end(a) == trim_end(b)
}

/// A range as an operation wrote it.
fn block_or_range(at: Lines) -> (usize, Option<usize>) {
    match at {
        Lines::Range { first, last } => (first, Some(last)),
        Lines::Block(first) => (first, None),
    }
}
