//! Where a hunk goes, and what it makes of the text there.

use std::borrow::Cow;

use super::{
    header::{Spaces, first_line},
    image::{Image, Line, concat},
    options::{OnSpace, Options},
    patch::{FilePatch, Hunk},
    say::Say,
    space::{Found, Rule, is_blank, same_but_spaces},
};
use crate::dialect::{Fate, HunkTold};

/// What placing needs to know of the run.
pub struct Placer<'p, 's> {
    pub text: &'p [u8],
    pub source: &'p [u8],
    pub options: &'p Options,
    pub ignore_space: bool,
    pub spaces: &'p mut Spaces,
    pub say: &'p mut Say<'s>,
    pub told: &'p mut Vec<HunkTold>,
}

/// A hunk does not fit.
pub struct Misfit;

/// Both sides of a hunk, as far as context was not given up.
#[derive(Default)]
struct Sides<'t> {
    old: Vec<Line<'t>>,
    new: Vec<Line<'t>>,
    /// The old side as the patch has it, if it may be told.
    quoted: Vec<u8>,
    /// New blank lines at the end, and the patch's line of the first.
    blank_end: u64,
    blank_line: u64,
}

impl<'p> Placer<'p, '_> {
    /// All hunks of a file, in order, each on what the one before made. With `--reject` one that does not
    /// fit is marked instead.
    pub fn apply(&mut self, patch: &mut FilePatch, image: &mut Image<'p>) -> Result<(), Misfit> {
        let name = patch.old().to_vec();
        let rule = patch.rule;
        for (at, hunk) in patch.hunks.iter_mut().enumerate() {
            let done = self.one(hunk, at + 1, rule, image);
            let fits = done.is_ok();
            if self.options.json {
                let line = usize::try_from(hunk.line).unwrap_or(usize::MAX);
                let fate = done.unwrap_or(Fate::Refused { why: None });
                self.told.push(HunkTold { name: name.clone(), number: at + 1, line, fate });
            }
            if fits {
                continue;
            }
            self.say
                .error([b"patch failed: ", &name[..], format!(":{}", hunk.old_start).as_bytes()].concat());
            if !self.options.reject {
                return Err(Misfit);
            }
            hunk.rejected = true;
        }
        Ok(())
    }

    fn one(&mut self, hunk: &Hunk, number: usize, rule: Rule, image: &mut Image<'p>) -> Result<Fate, Misfit> {
        let mut sides = self.sides(hunk, rule);
        if self.options.inaccurate_eof {
            sides.drop_end();
        }
        let (mut leading, mut trailing) = (hunk.leading, hunk.trailing);
        let zero = self.options.unidiff_zero;
        let mut at_start = hunk.old_start == 0 || (hunk.old_start == 1 && !zero);
        let mut at_end = !zero && trailing == 0;
        // The model keeps 32 bits of it.
        let low = hunk.new_start.saturating_sub(1).to_le_bytes();
        let mut wanted = i64::from(i32::from_le_bytes([low[0], low[1], low[2], low[3]]));
        let least = self.options.context.unwrap_or(u64::MAX);
        let found = loop {
            if let Some(found) = self.find(image, &mut sides, wanted, rule, at_start, at_end) {
                break found;
            }
            if leading <= least && trailing <= least {
                self.not_found(&sides);
                return Err(Misfit);
            }
            if at_start || at_end {
                (at_start, at_end) = (false, false);
                continue;
            }
            if leading >= trailing {
                remove_first(&mut sides.old);
                remove_first(&mut sides.new);
                wanted -= 1;
                leading -= 1;
            }
            if trailing > leading {
                sides.old.pop();
                sides.new.pop();
                trailing -= 1;
            }
        };
        self.blank_end(&mut sides, found, rule, image);
        let offset = self.tell_offset(number, found, wanted);
        if (leading, trailing) != (hunk.leading, hunk.trailing) {
            let place = found + 1;
            self.say.line(format!("Context reduced to ({leading}/{trailing}) to apply fragment at {place}"));
        }
        self.replace(image, found, sides);
        let fuzz = hunk.leading - leading + (hunk.trailing - trailing);
        Ok(Fate::Placed { line: i64::try_from(found + 1).unwrap_or(i64::MAX), offset, fuzz })
    }

    fn not_found(&mut self, sides: &Sides<'_>) {
        if self.say.is_verbose() {
            self.say.error([b"while searching for:\n", &sides.quoted[..]].concat());
        }
    }

    /// How many lines below the stated one it is.
    fn tell_offset(&mut self, number: usize, found: usize, wanted: i64) -> i64 {
        let offset = i64::try_from(found).unwrap_or(i64::MAX).wrapping_sub(wanted);
        if offset == 0 {
            return offset;
        }
        let shown = if self.options.reverse { offset.wrapping_neg() } else { offset };
        let s = if shown == 1 { "" } else { "s" };
        self.say.detail(format!("Hunk #{number} succeeded at {} (offset {shown} line{s}).", found + 1));
        offset
    }

    /// Cuts the hunk's body into its two sides.
    fn sides(&mut self, hunk: &Hunk, rule: Rule) -> Sides<'p> {
        let mut sides = Sides::default();
        let text = self.text;
        let mut rest = &text[hunk.text.clone()];
        let mut number = hunk.line;
        while !rest.is_empty() {
            let line = first_line(rest);
            rest = &rest[line.len()..];
            self.side_line(&mut sides, line, rest.first() == Some(&b'\\'), rule, number);
            number += 1;
        }
        if self.say.is_verbose() {
            sides.quoted = concat(&sides.old);
        }
        sides
    }

    fn side_line(&mut self, sides: &mut Sides<'p>, line: &'p [u8], endless: bool, rule: Rule, number: u64) {
        let body = if endless { line.strip_suffix(b"\n").unwrap_or(line) } else { line };
        let kind = match (line[0], self.options.reverse) {
            (b'-', true) => b'+',
            (b'+', true) => b'-',
            (kind, _) => kind,
        };
        let content = body.get(1..).unwrap_or_default();
        let blank = rule.blank_at_eof && is_blank(content);
        match kind {
            b'\n' if body.is_empty() => {}
            b'\n' => sides.context(b"\n"),
            b' ' => {
                sides.context(content);
                if !blank || content.is_empty() {
                    sides.blank_end = 0;
                }
            }
            b'-' => {
                sides.old.push(Line::new(content));
                sides.blank_end = 0;
            }
            b'+' if !self.options.no_add => {
                sides.new.push(Line::new(self.added(content, rule)));
                if !blank {
                    sides.blank_end = 0;
                } else {
                    if sides.blank_end == 0 {
                        sides.blank_line = number;
                    }
                    sides.blank_end += 1;
                }
            }
            _ => sides.blank_end = 0,
        }
    }

    fn added(&mut self, content: &'p [u8], rule: Rule) -> Cow<'p, [u8]> {
        if self.spaces.found == 0 || self.spaces.on_space != OnSpace::Fix {
            return Cow::Borrowed(content);
        }
        let mut line = Vec::with_capacity(content.len());
        self.spaces.mended += u64::from(rule.mend(&mut line, content));
        Cow::Owned(line)
    }

    /// The place of the old side: where the header says, or only at an end, or the nearest.
    fn find(
        &self,
        image: &Image<'p>,
        sides: &mut Sides<'p>,
        wanted: i64,
        rule: Rule,
        at_start: bool,
        at_end: bool,
    ) -> Option<usize> {
        let count = image.len();
        let size = sides.old.len();
        let at_start = at_start && !(self.options.allow_overlap && at_end && count != size);
        let wanted = match (at_start, at_end) {
            (true, _) => 0,
            (_, true) => count.checked_sub(size).unwrap_or(count),
            _ => usize::try_from(wanted).unwrap_or(usize::MAX).min(count),
        };
        let mut fits = |at: usize| self.fits(image, sides, at, rule, at_start, at_end);
        if fits(wanted) {
            return Some(wanted);
        }
        let (mut back, mut forth) = (wanted, wanted);
        while back > 0 || forth < count {
            if forth < count {
                forth += 1;
                if fits(forth) {
                    return Some(forth);
                }
            }
            if back > 0 {
                back -= 1;
                if fits(back) {
                    return Some(back);
                }
            }
        }
        None
    }

    /// Whether the old side stands at a line. With white space forgiven, both sides take over the file's.
    fn fits(
        &self,
        image: &Image<'p>,
        sides: &mut Sides<'p>,
        at: usize,
        rule: Rule,
        at_start: bool,
        at_end: bool,
    ) -> bool {
        let size = sides.old.len();
        let fix = self.spaces.on_space == OnSpace::Fix;
        let limit = if size + at <= image.len() {
            if at_end && size + at != image.len() {
                return false;
            }
            size
        } else if fix && rule.blank_at_eof {
            image.len() - at
        } else {
            return false;
        };
        if at_start && at > 0 {
            return false;
        }
        let there = &image.lines[at..at + limit];
        if limit == size && stands(there, &sides.old, at_end) {
            return true;
        }
        let forgives = self.ignore_space || fix;
        if !forgives
            || there.iter().zip(&sides.old).any(|(line, old)| line.patched || !line.has_letters_of(old))
        {
            return false;
        }
        if limit < size && sides.old[..limit].iter().all(|line| is_blank(&line.bytes)) {
            return false;
        }
        let fixed =
            if self.ignore_space { alike(there, &sides.old) } else { mended(there, &sides.old, rule) };
        match fixed {
            Some(lines) => {
                sides.take_over(lines);
                true
            }
            None => false,
        }
    }

    /// New blank lines at the end of the file.
    fn blank_end(&mut self, sides: &mut Sides<'_>, found: usize, rule: Rule, image: &Image<'_>) {
        let ends = sides.old.len() + found >= image.len();
        if sides.blank_end == 0 || !ends || !rule.blank_at_eof || self.spaces.on_space == OnSpace::Ignore {
            return;
        }
        let error = Found { at_eof: true, ..Found::default() };
        self.spaces.record(self.say, self.source, sides.blank_line, error, b"+");
        if self.spaces.on_space == OnSpace::Fix {
            let kept = sides.new.len().saturating_sub(usize::try_from(sides.blank_end).unwrap_or(0));
            sides.new.truncate(kept);
        }
    }

    fn replace(&self, image: &mut Image<'p>, at: usize, sides: Sides<'p>) {
        let end = (at + sides.old.len()).min(image.len());
        let mut new = sides.new;
        if !self.options.allow_overlap {
            new.iter_mut().for_each(|line| line.patched = true);
        }
        image.lines.splice(at..end, new);
    }
}

/// Byte for byte, and no line made by an earlier hunk; unless the end is asked for, the last line may go on
/// with white space.
fn stands(there: &[Line<'_>], old: &[Line<'_>], at_end: bool) -> bool {
    let (Some((last, there)), Some((old_last, old))) = (there.split_last(), old.split_last()) else {
        return true;
    };
    let ends = |line: &Line<'_>| match line.bytes.strip_prefix(&*old_last.bytes) {
        Some(rest) => rest.is_empty() || (!at_end && is_blank(rest)),
        None => false,
    };
    there.iter().zip(old).all(|(line, old)| line.bytes == old.bytes && !line.patched)
        && ends(last)
        && !last.patched
}

/// The file's lines, if they are those of the hunk but for white space.
fn alike<'t>(there: &[Line<'t>], old: &[Line<'t>]) -> Option<Vec<Line<'t>>> {
    let same = there.iter().zip(old).all(|(line, old)| same_but_spaces(&line.bytes, &old.bytes));
    let beyond = &old[there.len()..];
    (same && beyond.iter().all(|line| is_blank(&line.bytes)))
        .then(|| there.iter().chain(beyond).cloned().collect())
}

/// The hunk's lines mended, if the file's come to the same.
fn mended<'t>(there: &[Line<'t>], old: &[Line<'t>], rule: Rule) -> Option<Vec<Line<'t>>> {
    let mend = |line: &Line<'_>| {
        let mut out = Vec::with_capacity(line.bytes.len());
        rule.mend(&mut out, &line.bytes);
        out
    };
    let lines: Vec<Vec<u8>> = old.iter().map(mend).collect();
    let (inside, beyond) = lines.split_at(there.len());
    let same = there.iter().zip(inside).all(|(line, fixed)| mend(line) == *fixed);
    (same && beyond.iter().all(|line| is_blank(line))).then(|| lines.into_iter().map(Line::new).collect())
}

impl<'t> Sides<'t> {
    fn context(&mut self, content: &'t [u8]) {
        let line = Line { common: true, ..Line::new(content) };
        self.old.push(line.clone());
        self.new.push(line);
    }

    /// The last lines lose their ends, if both have one.
    fn drop_end(&mut self) {
        let ends = |lines: &[Line<'_>]| lines.last().is_some_and(|line| line.bytes.ends_with(b"\n"));
        if !ends(&self.old) || !ends(&self.new) {
            return;
        }
        for lines in [&mut self.old, &mut self.new] {
            if let Some(line) = lines.last_mut() {
                line.bytes = match std::mem::take(&mut line.bytes) {
                    Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..bytes.len() - 1]),
                    Cow::Owned(bytes) => Cow::Owned(bytes[..bytes.len() - 1].to_vec()),
                };
            }
        }
        self.quoted.pop();
    }

    /// The old side becomes `lines`, and so does the context of the new one.
    fn take_over(&mut self, mut lines: Vec<Line<'t>>) {
        for (line, old) in lines.iter_mut().zip(&self.old) {
            (line.common, line.patched) = (old.common, false);
        }
        let mut context = lines.iter().filter(|line| line.common);
        for line in self.new.iter_mut().filter(|line| line.common) {
            if let Some(fixed) = context.next() {
                *line = fixed.clone();
            }
        }
        self.old = lines;
    }
}

fn remove_first(lines: &mut Vec<Line<'_>>) {
    if !lines.is_empty() {
        lines.remove(0);
    }
}
