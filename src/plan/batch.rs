//! All edits by hunks that one input makes to one file.
//!
//! All hunks are placed against the file as the input found it. Only if one is not found, or two
//! overlap, is the sequential reading tried: each hunk against what the one before left.

use super::{HunkOutcome, HunkVerdict, Policy, guards::Guards};
use crate::{
    edit::{Edit, Hunk, HunkLine, Op, Origin, Span, Tag},
    merge::{self, Env, Evidence, Splice},
    place::{self, Index, Located, Placed, View},
    refusal::Refusal,
    text::Text,
};

/// What became of a batch: the new content if nothing is refused, and each edit's hunks.
pub(super) struct Outcome {
    pub bytes: Vec<u8>,
    /// Per edit, in the order given.
    pub hunks: Vec<Vec<HunkVerdict>>,
    /// What the placed hunks show about the reply's indentation.
    pub evidence: Evidence,
    /// A hunk that removes lines stands already: the reply was written for an earlier state.
    pub stale: bool,
}

impl Outcome {
    fn is_ok(&self) -> bool {
        self.hunks.iter().flatten().all(|hunk| !matches!(hunk.outcome, HunkOutcome::Refused(_)))
    }

    /// Beside hunks that stand already, one that fits only loosely more likely stands already too, and
    /// found a twin: it is refused. Says whether one was.
    pub fn distrust_loose(&mut self) -> bool {
        let mut any = false;
        for hunk in self.hunks.iter_mut().flatten() {
            let HunkOutcome::Placed { view, first, .. } = hunk.outcome else { continue };
            if view >= View::Indentation {
                let what = format!(
                    "other edits of this input stand in the files already, and this one fits line {first} only {}: it may \
                     be meant for an earlier state of the file",
                    view.how()
                );
                hunk.outcome = HunkOutcome::Refused(Refusal::Doubtful { what });
                any = true;
            }
        }
        any
    }

    /// The failures that another order of applying could mend.
    fn may_be_sequential(&self) -> bool {
        self.hunks.iter().flatten().any(|hunk| {
            matches!(
                hunk.outcome,
                HunkOutcome::Refused(
                    Refusal::NotFound { .. } | Refusal::Overlap { .. } | Refusal::AnchorNotFound { .. }
                )
            )
        })
    }
}

/// The hunks of an edit, or none.
pub(super) fn hunks<'e, 'i>(edit: &'e Edit<'i>) -> &'e [Hunk<'i>] {
    match &edit.op {
        Op::Update { hunks } => hunks,
        _ => &[],
    }
}

/// Applies the edits (all of them updates) to a file's content. `known`: what other files of the same
/// reply showed.
pub(super) fn apply(bytes: &[u8], edits: &[&Edit], policy: &Policy, known: Evidence) -> Outcome {
    let at_once = at_once(bytes, edits, policy, known);
    if at_once.is_ok() || !at_once.may_be_sequential() {
        return at_once;
    }
    match one_by_one(bytes, edits, policy, known) {
        Some(outcome) if outcome.is_ok() => outcome,
        _ => at_once,
    }
}

/// A hunk's way into the file.
struct Step<'h, 'i> {
    edit: usize,
    hunk: &'h Hunk<'i>,
    splices: Vec<Splice>,
    outcome: HunkOutcome,
}

impl Step<'_, '_> {
    fn tells_of_an_earlier_state(&self) -> bool {
        matches!(self.outcome, HunkOutcome::Already { .. })
            && self.hunk.body().lines.iter().any(|line| line.tag == Tag::Remove)
    }
}

fn at_once(bytes: &[u8], edits: &[&Edit], policy: &Policy, mut evidence: Evidence) -> Outcome {
    let text = Text::new(bytes);
    let mut steps = steps(&text, edits, policy, &mut evidence);
    refuse_overlaps(&mut steps);
    if policy.partial {
        drop_refused_edits(&mut steps, edits.len());
    }
    let mut splices: Vec<(usize, Splice)> = Vec::new();
    for (order, step) in steps.iter().enumerate() {
        splices.extend(step.splices.iter().map(|splice| (order, splice.clone())));
    }
    let stale = steps.iter().any(Step::tells_of_an_earlier_state);
    splices.sort_by_key(|(order, splice)| (splice.start, splice.end, *order));
    let splices: Vec<Splice> = splices.into_iter().map(|(_, splice)| splice).collect();
    Outcome { bytes: merge::apply(&text, &splices), hunks: per_edit(steps, edits.len()), evidence, stale }
}

fn steps<'h, 'i>(
    text: &Text,
    edits: &[&'h Edit<'i>],
    policy: &Policy,
    evidence: &mut Evidence,
) -> Vec<Step<'h, 'i>> {
    let all: Vec<(usize, &Hunk)> = edits
        .iter()
        .enumerate()
        .flat_map(|(at, edit)| hunks(edit).iter().map(move |hunk| (at, hunk)))
        .collect();
    let index = Index::new(text);
    let located =
        place::locate(&index, &all.iter().map(|(_, hunk)| *hunk).collect::<Vec<_>>(), &policy.rules());
    observe(text, &located, evidence);
    let env = Env::new(*evidence);
    let guards = Guards::new(text);
    all.into_iter()
        .zip(located)
        .map(|((edit, hunk), located)| step(text, edit, hunk, located, &env, &guards))
        .collect()
}

/// Learns what the placed hunks say about how the reply writes indentation.
fn observe(text: &Text, located: &[Located], evidence: &mut Evidence) {
    for placed in located {
        if let Located::Placed(readings) = placed
            && let [reading, ..] = &readings[..]
        {
            evidence.observe(text, &reading.body, &reading.place);
        }
    }
}

fn step<'h, 'i>(
    text: &Text,
    edit: usize,
    hunk: &'h Hunk<'i>,
    located: Located<'h, 'i>,
    env: &Env,
    guards: &Guards,
) -> Step<'h, 'i> {
    let refuse = |refusal| Step { edit, hunk, splices: Vec::new(), outcome: HunkOutcome::Refused(refusal) };
    if hunk.body().changes_nothing() && hunk.body().origin == Origin::Block {
        return refuse(Refusal::NothingToDo);
    }
    let outcome = |outcome| Step { edit, hunk, splices: Vec::new(), outcome };
    match located {
        Located::Refused(refusal) => refuse(refusal),
        Located::Already(line) => outcome(HunkOutcome::Already { first: line + 1 }),
        Located::Twice(_) => outcome(HunkOutcome::Twice),
        Located::Placed(placed) => match weave(text, &placed, env, guards) {
            Ok((splices, taken)) => {
                let outcome = placed_outcome(&placed[taken], &splices);
                Step { edit, hunk, splices, outcome }
            }
            Err(refusal) => refuse(refusal),
        },
    }
}

/// The splices of a placed hunk; several readings must come to the same.
fn weave(
    text: &Text,
    placed: &[Placed],
    env: &Env,
    guards: &Guards,
) -> Result<(Vec<Splice>, usize), Refusal> {
    let mut woven: Option<(Vec<Splice>, usize)> = None;
    for (at, reading) in placed.iter().enumerate() {
        guards.hunk(&reading.body, &reading.place)?;
        let splices = merge::splice(text, &reading.body, &reading.place, env)?;
        match &woven {
            None => woven = Some((splices, at)),
            Some((first, _)) if merge::apply(text, first) == merge::apply(text, &splices) => {}
            Some(_) => {
                return Err(Refusal::Doubtful {
                    what: format!(
                        "the hunk can be read in two ways, and both fit (at lines {} and {})",
                        placed[0].place.start + 1,
                        reading.place.start + 1
                    ),
                });
            }
        }
    }
    woven.ok_or_else(|| Refusal::Doubtful { what: "the hunk has no reading".to_owned() })
}

fn placed_outcome(placed: &Placed, splices: &[Splice]) -> HunkOutcome {
    let place = &placed.place;
    let old: Vec<&HunkLine> = placed.body.old().collect();
    let left_out = old
        .iter()
        .zip(&place.pairs)
        .filter(|(line, pair)| pair.is_none() && line.tag == Tag::Keep && !crate::text::is_blank(&line.text));
    let notes = match place.view {
        View::ContextForgiven => left_out
            .map(|(line, _)| {
                format!(
                    "context line not in the file, left out: `{}`",
                    String::from_utf8_lossy(line.text.trim_ascii())
                )
            })
            .collect(),
        _ => Vec::new(),
    };
    HunkOutcome::Placed {
        view: place.view,
        first: splices.first().map_or(place.start, |splice| splice.start) + 1,
        last: splices.last().map_or(place.end, |splice| splice.end),
        removed: splices.iter().map(|splice| splice.end - splice.start).sum(),
        added: splices.iter().map(|splice| splice.lines.len()).sum(),
        offset: placed.offset,
        notes,
    }
}

/// Two hunks that change the same lines, or insert at the same point with nothing to order them.
fn refuse_overlaps(steps: &mut [Step]) {
    let mut spans: Vec<(usize, usize, usize)> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        spans.extend(step.splices.iter().map(|splice| (splice.start, splice.end, at)));
    }
    spans.sort_unstable();
    let mut refused: Vec<(usize, Refusal)> = Vec::new();
    let mut reach: Option<(usize, usize, usize)> = None;
    for (start, end, at) in spans {
        if let Some((other_start, other_end, other)) = reach
            && other != at
            && (start < other_end
                || (start == other_start && same_point(steps, (start, end), (other_end, other), at)))
        {
            let overlap =
                |other: Span| Refusal::Overlap { first: start + 1, last: other_end.max(start + 1), other };
            refused.push((at, overlap(steps[other].hunk.span)));
            refused.push((other, overlap(steps[at].hunk.span)));
        }
        if reach.is_none_or(|(_, other_end, _)| end >= other_end) {
            reach = Some((start, end, at));
        }
    }
    for (at, refusal) in refused {
        steps[at].splices.clear();
        steps[at].outcome = HunkOutcome::Refused(refusal);
    }
}

/// Two insertions at one point whose quoted lines are the same: nothing says which comes first.
fn same_point(
    steps: &[Step],
    (start, end): (usize, usize),
    (other_end, other): (usize, usize),
    at: usize,
) -> bool {
    let insertion = start == end && other_end == end;
    let old = |step: &Step| step.hunk.body().old().map(|line| line.text.to_vec()).collect::<Vec<_>>();
    let (mine, others) = (old(&steps[at]), old(&steps[other]));
    insertion && !mine.is_empty() && mine == others
}

/// Under a partial policy an edit with one refused hunk is left out as a whole.
fn drop_refused_edits(steps: &mut [Step], edits: usize) {
    let mut refused = vec![false; edits];
    for step in steps.iter() {
        refused[step.edit] |= matches!(step.outcome, HunkOutcome::Refused(_));
    }
    for step in steps.iter_mut().filter(|step| refused[step.edit]) {
        step.splices.clear();
    }
}

fn per_edit(steps: Vec<Step>, edits: usize) -> Vec<Vec<HunkVerdict>> {
    let mut out = vec![Vec::new(); edits];
    for step in steps {
        out[step.edit].push(HunkVerdict { span: step.hunk.span, outcome: step.outcome });
    }
    out
}

/// The sequential reading; `None` as soon as a hunk is refused.
fn one_by_one(bytes: &[u8], edits: &[&Edit], policy: &Policy, mut evidence: Evidence) -> Option<Outcome> {
    let mut bytes = bytes.to_vec();
    let mut verdicts = vec![Vec::new(); edits.len()];
    let mut done: Vec<&Hunk> = Vec::new();
    for (at, edit) in edits.iter().enumerate() {
        // A diff's hunks follow each other down the file: one that only fits above the hunk before it fits
        // what that hunk made, by chance.
        let mut reached = 0;
        for hunk in hunks(edit) {
            let outcome = if done.iter().any(|other| place::same_hunk(other, hunk)) {
                HunkOutcome::Twice
            } else {
                done.push(hunk);
                let (next, outcome) = one(&bytes, hunk, policy, &mut evidence)?;
                bytes = next;
                outcome
            };
            if let (HunkOutcome::Placed { first, .. }, true) = (&outcome, hunk.hints.ordered) {
                if *first < reached {
                    return None;
                }
                reached = *first;
            }
            verdicts[at].push(HunkVerdict { span: hunk.span, outcome });
        }
    }
    Some(Outcome { bytes, hunks: verdicts, evidence, stale: false })
}

fn one(
    bytes: &[u8],
    hunk: &Hunk,
    policy: &Policy,
    evidence: &mut Evidence,
) -> Option<(Vec<u8>, HunkOutcome)> {
    let text = Text::new(bytes);
    let located = place::locate(&Index::new(&text), &[hunk], &policy.rules()).pop()?;
    observe(&text, std::slice::from_ref(&located), evidence);
    let env = Env::new(*evidence);
    let step = step(&text, 0, hunk, located, &env, &Guards::new(&text));
    match step.outcome {
        HunkOutcome::Refused(_) => None,
        outcome => Some((merge::apply(&text, &step.splices), outcome)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input;

    /// The second hunk lost a line of its context, and fits what the first one makes of a look-alike above.
    #[test]
    fn a_diff_never_goes_back_up_to_what_it_made_itself() {
        let part = |name: &str| {
            format!(
                "function a() {{\n  start();\n  if (one) {{\n    filter();\n  }}\n  if ({name}) {{\n    job();\n    done();\n  }}\n}}\n\n"
            )
        };
        let file = part("two") + &part("worker");
        let reply = "```diff\n--- f.js\n+++ f.js\n@@ ... @@\n     filter();\n   }\n-  if (two) {\n     job();\n     done();\n@@ ... @@\n function a() {\n   start();\n-  if (one) {\n-    filter();\n   }\n     job();\n```\n";
        let parsed = input::read(reply.as_bytes(), None);
        let edits: Vec<&Edit> = parsed.edits.iter().collect();
        assert_eq!(hunks(edits[0]).len(), 2);
        let outcome = apply(file.as_bytes(), &edits, &Policy::default(), Evidence::default());
        assert!(!outcome.is_ok());
    }
}
