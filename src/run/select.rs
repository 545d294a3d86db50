//! Edit by edit: which ones somebody wants.
//!
//! Every question shows what its edit changes on top of those that are wanted so far. An edit that cannot
//! stand without one that was left out is left out with it.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    gates::Gates,
    watch::{Answer, Question, Watch},
};
use crate::{
    edit::Parsed,
    plan::{Change, Outcome, Plan, Policy, Verdict},
    refusal::Refusal,
    report::Failure,
    text::Text,
    tree::{Files, RelPath},
};

/// What the questions are about.
pub(super) struct Selection<'s, 'i> {
    pub gates: &'s Gates<'s>,
    pub parsed: &'s Parsed<'i>,
    pub files: &'s dyn Files,
    pub planned: &'s BTreeMap<RelPath, Change>,
    pub policy: &'s Policy,
    pub input: &'s [u8],
}

/// How far the questions have come.
#[derive(Default)]
struct Progress {
    /// The edits that are wanted.
    wanted: BTreeSet<usize>,
    /// Questions that were asked, for the way back.
    asked: Vec<usize>,
    /// Files whose edits are wanted, and since which question.
    always: Vec<(usize, RelPath)>,
}

impl Selection<'_, '_> {
    /// The edits that are wanted, of those that `full` would apply.
    ///
    /// # Errors
    /// Nothing shall be written.
    pub fn ask(&self, full: &Plan, watch: &mut dyn Watch) -> Result<BTreeSet<usize>, Failure> {
        let (open, settled): (Vec<&Verdict>, Vec<&Verdict>) =
            full.verdicts.iter().partition(|verdict| verdict.outcome == Outcome::Applied);
        let settled: BTreeSet<usize> = settled.iter().map(|verdict| verdict.id).collect();
        let mut so_far = Progress::default();
        let mut at = 0;
        while at < open.len() {
            let verdict = open[at];
            so_far.wanted.retain(|id| open[..at].iter().any(|before| before.id == *id));
            let base = self.plan(&so_far.wanted, &settled, None);
            let with = self.plan(&so_far.wanted, &settled, Some(verdict.id));
            if let Some(refusal) = refused(&with, &settled) {
                let id = verdict.id;
                watch.tell(&format!("edit {id} is left out: without those left out before, {refusal}"));
                at += 1;
                continue;
            }
            let changes = difference(&base.changes, &with.changes);
            let deletes = changes.iter().any(|change| change.after.is_none() && !is_moved(change, &changes));
            if !deletes && so_far.is_always(verdict) {
                so_far.wanted.insert(verdict.id);
                at += 1;
                continue;
            }
            let text = self.text(verdict);
            let question =
                Question { at: at + 1, of: open.len(), verdict, changes: &changes, deletes, text: &text };
            match watch.ask(&question)? {
                Answer::Yes => so_far.yes(at, verdict),
                Answer::Always => {
                    so_far.always.extend(verdict.path.clone().map(|path| (at, path)));
                    so_far.yes(at, verdict);
                }
                Answer::No => so_far.asked.push(at),
                Answer::Done => break,
                Answer::Quit => return Err(Failure::refused(&Refusal::Stopped)),
                Answer::Previous => {
                    at = so_far.back(at);
                    continue;
                }
            }
            at += 1;
        }
        Ok(so_far.wanted.union(&settled).copied().collect())
    }

    fn plan(&self, wanted: &BTreeSet<usize>, settled: &BTreeSet<usize>, one_more: Option<usize>) -> Plan {
        let mut parsed = self.parsed.clone();
        let is_in = |id: &usize| wanted.contains(id) || settled.contains(id) || one_more == Some(*id);
        parsed.edits.retain(|edit| is_in(&edit.id));
        self.gates.plan(&parsed, self.files, self.planned, self.policy)
    }

    /// The lines of the input that are this edit.
    fn text(&self, verdict: &Verdict) -> Vec<u8> {
        let text = Text::new(self.input);
        let last = verdict.span.last.min(text.len());
        let lines = (verdict.span.first.saturating_sub(1)..last).map(|at| text.body(at));
        lines.flat_map(|line| [line, b"\n"]).collect::<Vec<_>>().concat()
    }
}

impl Progress {
    fn yes(&mut self, at: usize, verdict: &Verdict) {
        self.wanted.insert(verdict.id);
        self.asked.push(at);
    }

    fn is_always(&self, verdict: &Verdict) -> bool {
        self.always.iter().any(|(_, path)| verdict.path.as_ref() == Some(path))
    }

    /// The question before; this one, if it is the first.
    fn back(&mut self, at: usize) -> usize {
        let before = self.asked.pop().unwrap_or(at);
        self.always.retain(|(since, _)| *since < before);
        before
    }
}

/// Why an edit that the full plan applies is refused in this one.
fn refused<'p>(plan: &'p Plan, settled: &BTreeSet<usize>) -> Option<&'p Refusal> {
    plan.verdicts.iter().find_map(|verdict| match &verdict.outcome {
        Outcome::Refused(refusal) if !settled.contains(&verdict.id) => Some(refusal),
        _ => None,
    })
}

/// The content goes on under another name.
fn is_moved(gone: &Change, changes: &[Change]) -> bool {
    changes.iter().any(|change| change.moved_from.as_ref() == Some(&gone.path))
}

/// What the second plan changes on top of the first.
fn difference(base: &[Change], with: &[Change]) -> Vec<Change> {
    let find = |changes: &[Change], path: &RelPath| changes.iter().find(|c| c.path == *path).cloned();
    let mut paths: Vec<&RelPath> = base.iter().chain(with).map(|change| &change.path).collect();
    paths.sort_unstable();
    paths.dedup();
    let on_top = |path: &RelPath| match (find(base, path), find(with, path)) {
        (None, Some(with)) => Some(with),
        (Some(base), Some(with)) => Some(Change { before: base.after, ..with }),
        (Some(base), None) => Some(Change { before: base.after, after: base.before, ..base }),
        (None, None) => None,
    };
    paths.into_iter().filter_map(on_top).filter(|change| change.before != change.after).collect()
}
