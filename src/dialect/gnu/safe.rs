//! `--safe`: hunks go where the native rules put them, one place or none, and nothing is written unless
//! every hunk of the run went in. What is said stays as callers know it; why a hunk failed is told on
//! standard error.

use super::{
    choose::Patch,
    header::Absence,
    hunks::Outcome,
    reject::Rejects,
    session::{Fatal, Session},
};
use crate::{
    dialect::Fate,
    edit::{Body, Edit, Format, Hints, HunkLine, Span, Stated, Tag},
    input::strict::{self, Mark},
    place::View,
    plan::{self, HunkOutcome, HunkVerdict, Policy},
    refusal::Refusal,
    text::Eol,
};

impl<'r> Session<'r> {
    /// Reads the hunks of a patch and places them together.
    pub(super) fn safe_hunks(&mut self, patch: &mut Patch, file: &[u8]) -> Result<Outcome, Fatal> {
        let mut hunks: Vec<strict::Hunk<'r>> = Vec::new();
        while let Some(hunk) = self.next_patch_hunk(patch, hunks.last())? {
            hunks.push(hunk);
        }
        let rejects = Rejects::new(self.options.reject_format);
        let mut out = Outcome {
            hunks: hunks.len(),
            failed: 0,
            mismatch: false,
            conflict: false,
            bytes: file.to_vec(),
            rejects,
        };
        if hunks.is_empty() {
            return Ok(out);
        }
        let policy = Policy { loosest: self.loosest(), strict_state: patch.reverse, ..Policy::default() };
        let (bytes, verdicts) = match placed(patch, &hunks, file, &policy) {
            Ok(done) => done,
            Err(refusal) => (file.to_vec(), vec![refused(&refusal); hunks.len()]),
        };
        out.bytes = bytes;
        let mut growth = 0;
        for (at, (hunk, verdict)) in hunks.iter().zip(&verdicts).enumerate() {
            self.tell_verdict(patch, &mut out, (at + 1, hunk), &verdict.outcome, &mut growth);
        }
        Ok(out)
    }

    /// Without fuzz, only line ends may differ.
    fn loosest(&self) -> View {
        match (self.options.fuzz, self.options.ignore_blanks) {
            (0, false) => View::LineEnds,
            (0, true) => View::BlankRuns,
            _ => View::PartOfLine,
        }
    }

    fn tell_verdict(
        &mut self,
        patch: &Patch,
        out: &mut Outcome,
        (number, hunk): (usize, &strict::Hunk<'_>),
        outcome: &HunkOutcome,
        growth: &mut i64,
    ) {
        let silent = self.options.silent();
        self.note(patch, (number, hunk), Fate::of(outcome, hunk.old_first + *growth));
        match outcome {
            HunkOutcome::Placed { view, offset, .. } => {
                let offset = offset.unwrap_or(0);
                let fuzz = i64::from(*view > View::LineEnds);
                out.mismatch |= offset != 0 || fuzz > 0;
                let line = hunk.old_first + offset + *growth;
                self.tell_placed(number, line, (fuzz, offset));
                *growth += hunk.growth();
            }
            HunkOutcome::Twice => {}
            HunkOutcome::Already { first } => {
                if !silent {
                    self.say.text(&format!("Hunk #{number} already applied at {first}.\n"));
                }
            }
            HunkOutcome::Refused(refusal) => {
                out.failed += 1;
                if !silent {
                    let line = hunk.old_first + *growth;
                    self.say.text(&format!("Hunk #{number} FAILED at {line}.\n"));
                }
                let name = patch.name.clone().unwrap_or_default();
                let name = String::from_utf8_lossy(&self.say.quoted(&name)).into_owned();
                let why = format!("{}: {name}: hunk {number}: {refusal}\n", self.options.program);
                self.say.aside(why.as_bytes());
            }
        }
    }
}

fn refused(refusal: &Refusal) -> HunkVerdict {
    HunkVerdict { span: Span::new(1, 1), outcome: HunkOutcome::Refused(refusal.clone()), turn: 0 }
}

/// The new content, and what became of each hunk.
fn placed(
    patch: &Patch,
    hunks: &[strict::Hunk<'_>],
    file: &[u8],
    policy: &Policy,
) -> Result<(Vec<u8>, Vec<HunkVerdict>), Refusal> {
    if !file.is_empty() || hunks.iter().any(|hunk| !hunk.old.is_empty()) {
        if patch.absent_before() == Absence::Missing && !file.is_empty() {
            return Err(Refusal::Doubtful {
                what: "the patch creates the file, which exists already".into(),
            });
        }
        return plan::hunks(file, &edit(hunks), policy);
    }
    // Nothing stands there that a place could be chosen in.
    let text = hunks.iter().flat_map(|hunk| &hunk.new).map(|line| &line.text[..]);
    let outcome = |hunk: &strict::Hunk<'_>| HunkOutcome::Placed {
        view: View::Exact,
        first: 1,
        last: 0,
        removed: 0,
        added: hunk.new.len(),
        offset: None,
        notes: Vec::new(),
    };
    let verdicts =
        hunks.iter().map(|hunk| HunkVerdict { span: Span::new(1, 1), outcome: outcome(hunk), turn: 0 });
    Ok((text.collect::<Vec<_>>().concat(), verdicts.collect()))
}

/// All hunks of a patch as one edit.
fn edit<'h>(hunks: &'h [strict::Hunk<'_>]) -> Edit<'h> {
    let number = |first: i64| u64::try_from(first).unwrap_or(0);
    let hunk = |hunk: &'h strict::Hunk<'_>| {
        let stated = Stated {
            old_start: number(hunk.old_first - i64::from(hunk.old.is_empty())),
            old_count: hunk.old.len() as u64,
            new_start: number(hunk.new_first - i64::from(hunk.new.is_empty())),
            new_count: hunk.new.len() as u64,
        };
        let hints = Hints { stated: Some(stated), ordered: true, ..Hints::default() };
        crate::edit::Hunk::new(Span::new(hunk.begun, hunk.begun), Body::diff(lines(hunk)), hints)
    };
    Edit::of_hunks(Format::Unified, hunks.iter().map(hunk).collect())
}

/// The lines of both sides in one order: what goes, what comes, what stays.
fn lines<'h>(hunk: &'h strict::Hunk<'_>) -> Vec<HunkLine<'h>> {
    let (mut old, mut new) = (hunk.old.iter().peekable(), hunk.new.iter().peekable());
    let mut lines = Vec::new();
    loop {
        while let Some(line) = old.next_if(|line| line.mark != Mark::Context) {
            lines.push(tagged(Tag::Remove, line));
        }
        while let Some(line) = new.next_if(|line| line.mark != Mark::Context) {
            lines.push(tagged(Tag::Add, line));
        }
        match (old.next(), new.next()) {
            (Some(line), _) | (None, Some(line)) => lines.push(tagged(Tag::Keep, line)),
            (None, None) => return lines,
        }
    }
}

fn tagged<'h>(tag: Tag, line: &'h strict::HunkLine<'_>) -> HunkLine<'h> {
    let (text, eol) = match &line.text[..] {
        [text @ .., b'\r', b'\n'] => (text, Eol::CrLf),
        [text @ .., b'\n'] => (text, Eol::Lf),
        text => (text, Eol::None),
    };
    HunkLine { tag, text: text.into(), eol }
}
