//! `--safe`: hunks go where the native rules put them, one place or none. What is said stays as callers
//! know it; why a hunk failed is told too.

use std::rc::Rc;

use super::{
    header::{Stop, first_line},
    patch::{FilePatch, Hunk},
    session::Session,
};
use crate::{
    dialect::{Fate, HunkTold},
    edit::{Body, Edit, Format, Hints, HunkLine, Span, Stated, Tag},
    plan::{self, HunkOutcome, Policy},
    text::Eol,
    tree::Content,
};

impl Session<'_, '_> {
    pub(super) fn apply_safely(&mut self, patch: &FilePatch, bytes: &mut Content) -> Result<(), Stop> {
        let text = Rc::clone(&self.text);
        let bodies: Vec<Vec<HunkLine<'_>>> =
            patch.hunks.iter().map(|hunk| body(&text[hunk.text.clone()], self.options.reverse)).collect();
        let added = bodies.iter().flatten().all(|line| line.tag == Tag::Add);
        if bytes.is_empty() && added {
            // Nothing stands there that a place could be chosen in.
            let lines = bodies.iter().flatten();
            let text = lines.flat_map(|line| [&line.text[..], line.eol.bytes()]).collect::<Vec<_>>().concat();
            *bytes = text.into();
            for (at, hunk) in patch.hunks.iter().enumerate() {
                self.note(patch, (at + 1, hunk), Fate::Placed { line: 1, offset: 0, fuzz: 0 });
            }
            return Ok(());
        }
        let name = patch.old().to_vec();
        let policy = Policy { strict_state: self.options.reverse, ..Policy::default() };
        let edit = edit(&patch.hunks, bodies);
        let (made, verdicts) = match plan::hunks(bytes, &edit, &policy) {
            Ok(done) => done,
            Err(refusal) => return Err(self.refuse([&name[..], format!(": {refusal}").as_bytes()].concat())),
        };
        let mut growth = 0_i64;
        for (at, (hunk, verdict)) in patch.hunks.iter().zip(&verdicts).enumerate() {
            let number = at + 1;
            let stated = i64::try_from(hunk.old_start).unwrap_or(i64::MAX).saturating_add(growth);
            self.note(patch, (number, hunk), Fate::of(&verdict.outcome, stated));
            if matches!(verdict.outcome, HunkOutcome::Placed { .. }) {
                growth += hunk.new_count.cast_signed().wrapping_sub(hunk.old_count.cast_signed());
            }
            match &verdict.outcome {
                HunkOutcome::Placed { first, offset, .. } => match offset.unwrap_or(0) {
                    0 => {}
                    offset => {
                        let s = if offset == 1 { "" } else { "s" };
                        self.say.detail(format!(
                            "Hunk #{number} succeeded at {first} (offset {offset} line{s})."
                        ));
                    }
                },
                HunkOutcome::Twice => {}
                HunkOutcome::Already { first } => {
                    self.say.detail(format!("Hunk #{number} is already applied at {first}."));
                }
                HunkOutcome::Refused(refusal) => {
                    let why = format!(": hunk {number}: {refusal}");
                    self.say.error([&name[..], why.as_bytes()].concat());
                    let place = format!(":{}", hunk.old_start);
                    return Err(self.refuse([b"patch failed: ", &name[..], place.as_bytes()].concat()));
                }
            }
        }
        *bytes = made.into();
        Ok(())
    }

    fn note(&mut self, patch: &FilePatch, (number, hunk): (usize, &Hunk), fate: Fate) {
        let line = usize::try_from(hunk.line).unwrap_or(usize::MAX);
        self.told.hunks.push(HunkTold { name: patch.old().to_vec(), number, line, fate });
    }
}

/// All hunks of a file's part as one edit.
fn edit<'h>(hunks: &[Hunk], bodies: Vec<Vec<HunkLine<'h>>>) -> Edit<'h> {
    let hunks = hunks.iter().zip(bodies).map(|(hunk, lines)| {
        let stated = Stated {
            old_start: hunk.old_start,
            old_count: hunk.old_count,
            new_start: hunk.new_start,
            new_count: hunk.new_count,
        };
        let hints = Hints { stated: Some(stated), ordered: true, ..Hints::default() };
        let line = usize::try_from(hunk.line).unwrap_or(usize::MAX);
        crate::edit::Hunk::new(Span::new(line, line), Body::diff(lines), hints)
    });
    Edit::of_hunks(Format::Unified, hunks.collect())
}

/// A hunk's lines behind its header; between two lines that stay, what goes stands before what comes.
fn body(text: &[u8], reverse: bool) -> Vec<HunkLine<'_>> {
    let mut lines: Vec<HunkLine<'_>> = Vec::new();
    let mut rest = &text[first_line(text).len()..];
    while !rest.is_empty() {
        let line = first_line(rest);
        rest = &rest[line.len()..];
        let endless = rest.first() == Some(&b'\\');
        let tag = match (line[0], reverse) {
            (b'-', false) | (b'+', true) => Tag::Remove,
            (b'+', false) | (b'-', true) => Tag::Add,
            (b'\\', _) => continue,
            _ => Tag::Keep,
        };
        let content = if line == b"\n" { line } else { &line[1..] };
        let (text, eol) = match content {
            [text @ .., b'\n'] if endless => (text, Eol::None),
            [text @ .., b'\r', b'\n'] => (text, Eol::CrLf),
            [text @ .., b'\n'] => (text, Eol::Lf),
            text => (text, Eol::None),
        };
        let late = tag == Tag::Remove;
        let added = lines.iter().rev().take_while(|line| late && line.tag == Tag::Add).count();
        lines.insert(lines.len() - added, HunkLine { tag, text: text.into(), eol });
    }
    lines
}
