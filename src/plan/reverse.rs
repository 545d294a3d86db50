//! `-R`: an edit that undoes another.

use super::{HunkOutcome, Outcome, Verdict};
use crate::{
    edit::{Binary, Edit, Hunk, Literal, ModeChange, Op, Stated},
    refusal::Refusal,
};

/// The edit with old and new exchanged, creations and deletions, both ends of a move.
pub(super) fn edit<'i>(edit: &Edit<'i>) -> Result<Edit<'i>, Refusal> {
    let no_reverse = Refusal::NoReverse { format: edit.format.name() };
    let op = match &edit.op {
        Op::Update { hunks } => Op::Update { hunks: hunks.iter().map(hunk).collect() },
        Op::Create { lines } => Op::Delete { old: Some(lines.clone()) },
        Op::Delete { old: Some(lines) } => Op::Create { lines: lines.clone() },
        Op::Binary(binary) => {
            let reverse = binary.reverse.clone().ok_or(no_reverse.clone())?;
            Op::Binary(Binary {
                old: binary.new.clone(),
                new: binary.old.clone(),
                forward: reverse,
                reverse: Some(binary.forward.clone()),
            })
        }
        Op::Delete { old: None } | Op::Whole { .. } | Op::Append { .. } | Op::Lines(_) => {
            return Err(no_reverse);
        }
    };
    if edit.copy {
        return Err(no_reverse);
    }
    let (path, move_to) = match (&edit.path, &edit.move_to) {
        (from, Some(to)) => (Some(to.clone()), from.clone()),
        (path, None) => (path.clone(), None),
    };
    let mode = ModeChange { old: edit.mode.new, new: edit.mode.old };
    Ok(Edit { path, move_to, mode, op, ..edit.clone() })
}

/// What stands already when a change is taken back was never applied.
pub(super) fn name(verdict: &mut Verdict) {
    let rename = |refusal: &mut Refusal| {
        if let Refusal::AlreadyApplied { line } = *refusal {
            *refusal = Refusal::NotApplied { line };
        }
    };
    if let Outcome::Refused(refusal) = &mut verdict.outcome {
        rename(refusal);
    }
    for hunk in &mut verdict.hunks {
        if let HunkOutcome::Refused(refusal) = &mut hunk.outcome {
            rename(refusal);
        }
    }
}

fn hunk<'i>(hunk: &Hunk<'i>) -> Hunk<'i> {
    let mut hunk = hunk.clone();
    hunk.readings = hunk.readings.iter().map(crate::edit::Body::reversed).collect();
    hunk.hints.stated = hunk.hints.stated.map(|stated| Stated {
        old_start: stated.new_start,
        old_count: stated.new_count,
        new_start: stated.old_start,
        new_count: stated.old_count,
    });
    hunk.hints.literal = hunk
        .hints
        .literal
        .map(|text| Literal { old: text.new, new: text.old })
        .filter(|text| !text.old.is_empty());
    hunk.hints.behind = None;
    hunk
}
