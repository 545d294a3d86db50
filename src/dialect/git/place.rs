//! Where a hunk goes, and what it makes of the text there.

use std::borrow::Cow;

use super::{
    header::{Spaces, first_line},
    image::{Image, Line, concat},
    locate::{Search, Terms},
    options::{OnSpace, Options},
    patch::{FilePatch, Hunk},
    say::Say,
    space::{Found, Rule, is_blank},
};
use crate::dialect::{Fate, HunkTold, places::Places};

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sides<'t> {
    pub old: Vec<Line<'t>>,
    pub new: Vec<Line<'t>>,
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
        let places = Places::new(image.len());
        for (at, hunk) in patch.hunks.iter_mut().enumerate() {
            let done = self.one(hunk, at + 1, rule, (image, &places));
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

    fn one(
        &mut self,
        hunk: &Hunk,
        number: usize,
        rule: Rule,
        (image, places): (&mut Image<'p>, &Places),
    ) -> Result<Fate, Misfit> {
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
        let terms = Terms {
            ignore_space: self.ignore_space,
            fix: self.spaces.on_space == OnSpace::Fix,
            allow_overlap: self.options.allow_overlap,
            rule,
        };
        let found = loop {
            let search = Search { image, places, terms, at_start, at_end };
            if let Some(found) = search.find(&mut sides, wanted) {
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
        let end = (found + sides.old.len()).min(image.len());
        image.replace(found..end, sides.new);
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
        if offset == 0 || !self.say.is_verbose() {
            return offset;
        }
        let shown = if self.options.reverse { offset.wrapping_neg() } else { offset };
        let s = if shown == 1 { "" } else { "s" };
        self.say.detail(format!("Hunk #{number} succeeded at {} (offset {shown} line{s}).", found + 1));
        offset
    }

    /// Cuts the hunk's body into its two sides.
    fn sides(&mut self, hunk: &Hunk, rule: Rule) -> Sides<'p> {
        let room = |count: u64| usize::try_from(count).unwrap_or(0).min(hunk.text.len());
        let mut sides = Sides {
            old: Vec::with_capacity(room(hunk.old_count)),
            new: Vec::with_capacity(room(hunk.new_count)),
            ..Sides::default()
        };
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
    pub fn take_over(&mut self, mut lines: Vec<Line<'t>>) {
        for (line, old) in lines.iter_mut().zip(&self.old) {
            line.common = old.common;
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
