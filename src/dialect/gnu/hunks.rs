//! The hunks of one patch, placed one after the other.

use super::{
    apply::{Clash, Output, differs_in_line_ends},
    choose::Patch,
    header::Absence,
    locate::{State, Target},
    merge::{self, Manner, Tells},
    options::{Kind, Verbosity},
    reject::Rejects,
    session::{Fatal, Session},
};
use crate::{
    dialect::{Fate, HunkTold},
    input::strict::{Hunk, Lines, ReadError, context, normal, unified},
};

/// What the hunks came to.
pub(super) struct Outcome {
    pub hunks: usize,
    pub failed: usize,
    /// Some hunk needed an offset or fuzz, or failed.
    pub mismatch: bool,
    /// A merge left a conflict.
    pub conflict: bool,
    pub bytes: Vec<u8>,
    pub rejects: Rejects,
}

/// The work on one file.
struct Work<'w, 'f> {
    target: Target<'f>,
    state: State,
    output: Output<'w>,
    out: Outcome,
    /// Whether it looks reversed is not asked (again).
    apply_anyway: bool,
}

/// Where a hunk goes, and how well it fits there.
#[derive(Clone, Copy)]
struct Placed {
    place: Option<i64>,
    fuzz: i64,
}

impl<'r> Session<'r> {
    /// Reads the hunks and puts them in, or only reads them if the patch is skipped.
    pub(super) fn apply_hunks(&mut self, patch: &mut Patch, file: &[u8]) -> Result<Outcome, Fatal> {
        let options = self.options;
        if options.safe && !patch.skip {
            return self.safe_hunks(patch, file);
        }
        let rejects = Rejects::new(options.reject_format);
        let out =
            Outcome { hunks: 0, failed: 0, mismatch: false, conflict: false, bytes: Vec::new(), rejects };
        let mut work = Work {
            target: Target::new(file, options.ignore_blanks),
            state: State::default(),
            // Room for what hunks mostly add: to move a file that has grown costs more.
            output: Output::new(file.len() + file.len() / 16 + 256, options.ifdef.as_deref()),
            out,
            apply_anyway: options.merge.is_some(),
        };
        let mut past = None;
        while let Some(mut hunk) = self.next_patch_hunk(patch, past.as_ref())? {
            work.out.hunks += 1;
            self.one_hunk(patch, &mut work, &mut hunk)?;
            past = Some(hunk);
        }
        if !patch.skip {
            work.output.finish(&work.target);
        }
        work.out.bytes = work.output.bytes;
        Ok(work.out)
    }

    /// The next hunk, turned round if the patch is. `past` is the one before.
    pub(super) fn next_patch_hunk(
        &mut self,
        patch: &mut Patch,
        past: Option<&Hunk<'r>>,
    ) -> Result<Option<Hunk<'r>>, Fatal> {
        let past = past.map_or((0, 0), |hunk| (hunk.old_first, hunk.old.len() as i64));
        let mut hunk = self.next_hunk(patch.found.kind, past)?;
        if let Some(hunk) = &mut hunk {
            if hunk.restyled {
                patch.found.kind = Kind::NewContext;
            }
            if patch.reverse {
                hunk.swap();
            }
        }
        Ok(hunk)
    }

    fn next_hunk(&mut self, kind: Kind, past: (i64, i64)) -> Result<Option<Hunk<'r>>, Fatal> {
        let style = self.context_style(kind, past);
        let lines = &mut self.lines;
        let read = match kind {
            Kind::Unified => unified::read(lines),
            Kind::Context | Kind::NewContext => context::read(lines, style),
            Kind::Normal => normal::read(lines),
            Kind::Ed | Kind::GitBinary => Ok(None),
        };
        self.tell_torn();
        let fatal = |error: ReadError| Fatal(error.message());
        let hunk = read.map_err(fatal)?;
        if let Some(hunk) = &hunk {
            self.past_head = hunk.head;
            self.tell_restyled(hunk.restyled);
        }
        if kind == Kind::Unified && hunk.is_some() {
            nothing_dropped(&self.lines).map_err(fatal)?;
        }
        Ok(hunk)
    }

    fn one_hunk(
        &mut self,
        patch: &mut Patch,
        work: &mut Work<'_, '_>,
        hunk: &mut Hunk<'r>,
    ) -> Result<(), Fatal> {
        let mut placed = Placed { place: None, fuzz: 0 };
        if !patch.skip {
            placed = self.place(patch, work, hunk);
        }
        let line = placed.place.unwrap_or(hunk.old_first) + work.output.growth;
        let growth = work.output.growth;
        let conflict = std::mem::take(&mut work.out.conflict);
        let put = !patch.skip && self.put(patch, work, hunk, placed)?;
        let fate = match (patch.skip, put) {
            (true, _) => Fate::Skipped,
            (_, false) => Fate::Refused { why: None },
            _ if work.out.conflict => Fate::Conflict,
            _ => Fate::Placed { line, offset: work.state.offset, fuzz: placed.fuzz.unsigned_abs() },
        };
        work.out.conflict |= conflict;
        self.note(patch, (work.out.hunks, hunk), fate);
        if hunk.stray {
            // The model would lose the line that stands where the range should.
            return Err(Fatal(ReadError::EndOfHunk { line: hunk.begun }.message()));
        }
        if !put {
            let pushed = work.out.rejects.push(hunk, patch.found.kind, growth, patch.header(), patch.reverse);
            pushed.map_err(|(old, new)| Fatal::out_of_sync(old, new))?;
            work.out.failed += 1;
            self.tell_failed(patch, work, hunk, line);
        } else if self.options.merge.is_none() {
            self.tell_placed(work.out.hunks, line, (placed.fuzz, work.state.offset));
        }
        Ok(())
    }

    /// Keeps what became of a hunk, if programs asked for it.
    pub(super) fn note(&mut self, patch: &Patch, (number, hunk): (usize, &Hunk<'_>), fate: Fate) {
        if !self.options.json {
            return;
        }
        let name = patch.name.clone().unwrap_or_default();
        let line = hunk.begun.saturating_sub(1);
        self.told.hunks.push(HunkTold { name, number, line, fate });
    }

    /// Looks for the hunk's place, with ever more fuzz. The first one may be the other way round.
    fn place(&mut self, patch: &mut Patch, work: &mut Work<'_, '_>, hunk: &mut Hunk<'r>) -> Placed {
        let context = hunk.head.max(hunk.tail) as i64;
        let most = match self.options.merge {
            Some(_) => 0,
            None => i64::try_from(self.options.fuzz).unwrap_or(i64::MAX).min(context),
        };
        let mut fuzz = 0;
        loop {
            let place = work.target.locate(hunk, fuzz, &mut work.state);
            work.out.mismatch |= place.is_none() || fuzz > 0 || work.state.offset != 0;
            if place.is_some() {
                return Placed { place, fuzz };
            }
            let first = work.out.hunks == 1 && patch.reverse == self.options.reverse;
            if first && !self.options.force && !work.apply_anyway {
                let reversed = self.try_reversed(patch, work, hunk, fuzz);
                if reversed.is_some() || patch.skip {
                    return Placed { place: reversed, fuzz };
                }
                if work.apply_anyway {
                    continue;
                }
            }
            fuzz += 1;
            if fuzz > most {
                return Placed { place: None, fuzz };
            }
        }
    }

    fn try_reversed(
        &mut self,
        patch: &mut Patch,
        work: &mut Work<'_, '_>,
        hunk: &mut Hunk<'r>,
        fuzz: i64,
    ) -> Option<i64> {
        hunk.swap();
        let place = work.target.locate(hunk, fuzz, &mut work.state);
        if place.is_some() {
            let what = if patch.reverse { "Unreversed" } else { "Reversed (or previously applied)" };
            if self.may_reverse(patch, format!("{what} patch detected!").as_bytes()) {
                patch.reverse = !patch.reverse;
                return place;
            }
            work.apply_anyway = true;
        }
        hunk.swap();
        None
    }

    /// Puts a placed hunk in; false if it does not go.
    fn put(
        &mut self,
        patch: &Patch,
        work: &mut Work<'_, '_>,
        hunk: &Hunk<'r>,
        placed: Placed,
    ) -> Result<bool, Fatal> {
        if let Some(style) = self.options.merge {
            return Ok(self.merge(work, hunk, placed.place, style));
        }
        let Some(place) = placed.place else { return Ok(false) };
        let exists_already = patch.absent_before() == Absence::Missing && work.target.len() > 0;
        if place == 1 && exists_already {
            return Ok(false);
        }
        let put = work.output.put(&work.target, hunk, place);
        work.state.frozen = work.output.frozen;
        match put {
            Ok(()) => Ok(true),
            Err(Clash::Misordered) => {
                self.say.text("misordered hunks! output would be garbled\n");
                Ok(false)
            }
            Err(Clash::OutOfSync(old, new)) => Err(Fatal::out_of_sync(old, new)),
        }
    }

    fn merge(
        &mut self,
        work: &mut Work<'_, '_>,
        hunk: &Hunk<'r>,
        place: Option<i64>,
        style: super::options::MergeStyle,
    ) -> bool {
        let tells = match self.options.verbosity {
            Verbosity::Silent => Tells::Conflicts,
            Verbosity::Default => Tells::Merges,
            Verbosity::Verbose => Tells::All,
        };
        let manner = Manner { style, offset: work.state.offset, tells };
        let merged = merge::hunk(&work.target, &mut work.output, hunk, place, manner);
        work.state.frozen = work.output.frozen;
        let Ok(merged) = merged else {
            self.say.text("misordered hunks! output would be garbled\n");
            return false;
        };
        work.out.conflict |= merged.conflict;
        if !merged.told.is_empty() {
            self.say.text(&format!("Hunk #{} {}.\n", work.out.hunks, merged.told));
        }
        true
    }

    fn tell_failed(&mut self, patch: &Patch, work: &Work<'_, '_>, hunk: &Hunk<'r>, line: i64) {
        if !self.options.verbose() && (patch.skip || self.options.silent()) {
            return;
        }
        let what = if patch.skip { "ignored" } else { "FAILED" };
        let ends = !patch.skip && differs_in_line_ends(&work.target, hunk, line);
        let ends = if ends { " (different line endings)" } else { "" };
        self.say.text(&format!("Hunk #{} {what} at {line}{ends}.\n", work.out.hunks));
    }

    pub(super) fn tell_placed(&mut self, number: usize, line: i64, (fuzz, offset): (i64, i64)) {
        let inexact = fuzz > 0 || offset != 0;
        if !self.options.verbose() && (self.options.silent() || !inexact) {
            return;
        }
        let mut text = format!("Hunk #{number} succeeded at {line}");
        if fuzz > 0 {
            text += &format!(" with fuzz {fuzz}");
        }
        if offset != 0 {
            let s = if offset == 1 { "" } else { "s" };
            text += &format!(" (offset {offset} line{s})");
        }
        self.say.text(&(text + ".\n"));
    }
}

/// The counts of a hunk may be too small, so that changes behind it would be lost in silence: that is an
/// error. What begins a header, a signature or prose is no such change.
fn nothing_dropped(lines: &Lines<'_>) -> Result<(), ReadError> {
    let mut ahead = lines.clone();
    while let Some(line) = ahead.next_line() {
        let is_header =
            [&b"--- "[..], b"+++ ", b"---\n", b"-- \n", b"--\n"].iter().any(|mark| line.starts_with(mark));
        match line.first() {
            Some(b'+' | b'-') if !is_header && !line.starts_with(b"- -- ") => {
                return Err(ReadError::Malformed { line: ahead.number(), text: line.into_owned() });
            }
            Some(b' ' | b'\\') => {}
            _ => break,
        }
    }
    Ok(())
}
