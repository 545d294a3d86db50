//! All edits by hunks that one input makes to one file.
//!
//! All hunks are placed against the file as the input found it. Only if one is not found, or two
//! overlap, is the sequential reading tried: each hunk against what the one before left.

use super::{
    HunkOutcome, HunkVerdict, Policy,
    budget::{MOST_WRITTEN, affordable, is_too_large},
    guards::Guards,
    slices::{self, Cut},
};
use std::collections::HashSet;

use crate::{
    edit::{Against, Body, Edit, Format, Hunk, HunkLine, Op, Origin, Span, Tag},
    merge::{self, Env, Evidence, Splice},
    place::{self, Index, Located, Placed, Rules, View},
    refusal::Refusal,
    text::{Content, Text},
};

/// What became of a batch: the new content if nothing is refused, and each edit's hunks.
pub(super) struct Outcome {
    pub bytes: Content,
    /// Per edit, in the order given.
    pub hunks: Vec<Vec<HunkVerdict>>,
    /// What the placed hunks show about the reply's indentation.
    pub evidence: Evidence,
    /// A hunk that removes lines stands already: the reply was written for an earlier state.
    pub stale: bool,
}

impl Outcome {
    pub(super) fn is_ok(&self) -> bool {
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

    /// Refuses what is last and not refused yet.
    fn refuse_last(&mut self, what: &str) {
        let placed = |hunk: &&mut HunkVerdict| matches!(hunk.outcome, HunkOutcome::Placed { .. });
        if let Some(hunk) = self.hunks.iter_mut().flatten().filter(placed).last() {
            hunk.outcome = HunkOutcome::Refused(Refusal::Doubtful { what: what.to_owned() });
        }
    }

    /// The first hunk stands nowhere: it does not either if it is applied alone.
    fn misses_first(&self) -> bool {
        let first = self.hunks.iter().flatten().next();
        matches!(
            first.map(|hunk| &hunk.outcome),
            Some(HunkOutcome::Refused(Refusal::NotFound { .. } | Refusal::AnchorNotFound { .. }))
        )
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
    apply_to(bytes, None, edits, policy, known)
}

/// As [`apply`]. `held`: the same bytes as a content that the new one may share.
pub(super) fn apply_to(
    bytes: &[u8],
    held: Option<&Content>,
    edits: &[&Edit],
    policy: &Policy,
    known: Evidence,
) -> Outcome {
    let mut at_once = at_once(bytes, held, edits, policy, known);
    if edits.iter().map(|edit| hunks(edit).len()).sum::<usize>() < 2 {
        return at_once;
    }
    match order(edits) {
        Order::Same => {}
        Order::Sequence => {
            if let Some(outcome) = one_by_one(bytes, edits, policy, known).filter(Outcome::is_ok) {
                return outcome;
            }
            if at_once.is_ok() {
                at_once.refuse_last("one after another, as this tool applies them, the edits don't fit");
            }
            return at_once;
        }
        Order::Matters => {
            if at_once.is_ok()
                && let Some(outcome) = one_by_one(bytes, edits, policy, known).filter(Outcome::is_ok)
                && outcome.bytes != at_once.bytes
            {
                at_once.refuse_last(
                    "an earlier edit writes what this one is to replace: all at once they come to another text than one \
                     after another",
                );
            }
        }
    }
    if at_once.is_ok() || !at_once.may_be_sequential() || at_once.misses_first() || is_one_unit(edits) {
        return at_once;
    }
    match one_by_one(bytes, edits, policy, known) {
        Some(outcome) if outcome.is_ok() => outcome,
        _ => at_once,
    }
}

/// Whether it matters that edits are applied one after another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// No edit concerns what another one writes.
    Same,
    /// One does, and nothing says which text it means.
    Matters,
    /// One does, and the tool applies one after another.
    Sequence,
}

/// More bytes are not compared to find out about the order.
const COMPARED: usize = 256 << 20;

fn order(edits: &[&Edit]) -> Order {
    if edits.iter().any(|edit| edit.format != Format::EditCall) {
        return Order::Same;
    }
    let all: Vec<(usize, &Hunk)> = edits
        .iter()
        .enumerate()
        .flat_map(|(at, edit)| hunks(edit).iter().map(move |hunk| (at, hunk)))
        .collect();
    let literals = || all.iter().filter_map(|(_, hunk)| hunk.hints.literal.as_ref());
    let written: usize = literals().map(|text| text.new.len()).sum();
    if written.saturating_mul(all.len()) > COMPARED {
        return Order::Same;
    }
    let mut order = Order::Same;
    for (later, &(at, hunk)) in all.iter().enumerate() {
        if hunk.hints.behind.is_some() && later > 0 {
            return Order::Sequence;
        }
        let Some(text) = &hunk.hints.literal else { continue };
        let finder = memchr::memmem::Finder::new(text.old.trim_ascii());
        let concerns = |&&(other, before): &&(usize, &Hunk)| {
            let apart = other != at || edits[at].call.against != Against::Original;
            let writes = before.hints.literal.as_ref().filter(|before| before.old != text.old);
            apart && writes.is_some_and(|before| finder.find(&before.new).is_some())
        };
        if all[..later].iter().any(|before| concerns(&before)) {
            let sequence = edits[at].call.against == Against::Sequence;
            if sequence {
                return Order::Sequence;
            }
            order = Order::Matters;
        }
    }
    order
}

/// All hunks are meant for the text that the one edit found.
fn is_one_unit(edits: &[&Edit]) -> bool {
    matches!(edits, [only] if only.call.against == Against::Original)
}

/// A hunk's way into the file.
struct Step<'h, 'i> {
    edit: usize,
    hunk: &'h Hunk<'i>,
    splices: Vec<Splice>,
    /// Parts of lines, until they are woven into splices.
    cuts: Vec<Cut>,
    outcome: HunkOutcome,
}

impl Step<'_, '_> {
    fn tells_of_an_earlier_state(&self) -> bool {
        matches!(self.outcome, HunkOutcome::Already { .. })
            && self.hunk.body().lines.iter().any(|line| line.tag == Tag::Remove)
    }
}

fn at_once(
    bytes: &[u8],
    held: Option<&Content>,
    edits: &[&Edit],
    policy: &Policy,
    mut evidence: Evidence,
) -> Outcome {
    let text = Text::new(bytes);
    let mut steps = steps(&text, edits, policy, &mut evidence);
    if let Some(held) = held
        && let [only] = &mut steps[..]
        && only.cuts.len() == 1
        && let Some(cut) = only.cuts.pop_if(|cut| slices::is_plain(&text, cut))
    {
        let bytes = held.replaced(cut.slice.start..cut.slice.end, cut.new);
        return Outcome { bytes, hunks: per_edit(steps, edits), evidence, stale: false };
    }
    refuse_parts_if_stale(&mut steps);
    let shared = weave_cuts(&text, &mut steps, policy, &Env::new(evidence), &Guards::new(&text));
    refuse_overlaps(&mut steps);
    refuse_overwritten(&mut steps);
    if policy.partial {
        refuse_shared(&mut steps, &shared);
        drop_refused_edits(&mut steps, edits.len());
    }
    let mut splices: Vec<Splice> = Vec::with_capacity(steps.len());
    steps.iter_mut().for_each(|step| splices.extend(std::mem::take(&mut step.splices)));
    let stale = steps.iter().any(Step::tells_of_an_earlier_state);
    splices.sort_by_key(|splice| (splice.start, splice.end));
    let bytes = merge::apply_all(&text, splices);
    Outcome { bytes, hunks: per_edit(steps, edits), evidence, stale }
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
    let sought: Vec<&Hunk> = all.iter().map(|(_, hunk)| *hunk).collect();
    let located = place::locate(&Index::for_hunks(text, &sought), &sought, &policy.rules());
    observe(text, &located, evidence);
    let env = Env::new(*evidence);
    let guards = Guards::new(text);
    let idle: Vec<bool> = edits.iter().map(|edit| is_idle(edit)).collect();
    let mut left = MOST_WRITTEN;
    let located =
        located.into_iter().zip(&sought).map(|(located, hunk)| affordable(located, hunk, &mut left));
    let located: Vec<Located> = located.collect();
    let step = |((edit, hunk), located)| match idle[edit] {
        true => Step {
            edit,
            hunk,
            splices: Vec::new(),
            cuts: Vec::new(),
            outcome: HunkOutcome::Refused(Refusal::NothingToDo),
        },
        false => step(text, edit, hunk, located, &env, &guards),
    };
    all.into_iter().zip(located).map(step).collect()
}

/// Nothing but quoted lines, perhaps since they lost their signs: what was meant to change is not known.
fn is_idle(edit: &Edit) -> bool {
    let quotes = |hunk: &Hunk| hunk.readings.iter().all(Body::changes_nothing);
    edit.move_to.is_none() && edit.mode.new.is_none() && hunks(edit).iter().all(quotes)
}

/// Learns what the placed hunks say about how the reply writes indentation.
fn observe(text: &Text, located: &[Located], evidence: &mut Evidence) {
    for placed in located {
        if let Located::Placed(readings) | Located::Every(readings) = placed
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
    let made = |splices, cuts, outcome| Step { edit, hunk, splices, cuts, outcome };
    let refuse = |refusal| made(Vec::new(), Vec::new(), HunkOutcome::Refused(refusal));
    if hunk.body().changes_nothing() && hunk.body().origin == Origin::Block {
        return refuse(Refusal::NothingToDo);
    }
    let outcome = |outcome| made(Vec::new(), Vec::new(), outcome);
    match located {
        Located::Refused(refusal) => refuse(refusal),
        Located::Already(line) => outcome(HunkOutcome::Already { first: line + 1 }),
        Located::Twice(_) => outcome(HunkOutcome::Twice),
        Located::Placed(placed) => match weave(text, &placed, env, guards) {
            Ok((splices, taken)) => {
                let outcome = placed_outcome(&placed[taken], &splices);
                made(splices, Vec::new(), outcome)
            }
            Err(refusal) => refuse(refusal),
        },
        Located::Every(placed) => match weave_every(text, &placed, env, guards) {
            Ok((splices, outcome)) => made(splices, Vec::new(), outcome),
            Err(refusal) => refuse(refusal),
        },
        Located::Slices { view, slices, notes } => {
            let Some(literal) = &hunk.hints.literal else { return refuse(Refusal::NothingToDo) };
            match slices::cuts(text, literal, view, &slices, env) {
                Ok(cuts) => {
                    let outcome = slices::outcome(text, view, &cuts, notes);
                    made(Vec::new(), cuts, outcome)
                }
                Err(refusal) => refuse(refusal),
            }
        }
    }
}

/// The splices of a hunk at all its places.
fn weave_every(
    text: &Text,
    placed: &[Placed],
    env: &Env,
    guards: &Guards,
) -> Result<(Vec<Splice>, HunkOutcome), Refusal> {
    let mut all = Vec::new();
    for one in placed {
        all.extend(weave(text, std::slice::from_ref(one), env, guards)?.0);
    }
    let first = placed.first().ok_or(Refusal::NothingToDo)?;
    Ok((all.clone(), placed_outcome(first, &all)))
}

/// Beside hunks that stand already, a part of a line may well be a part of what they wrote.
fn refuse_parts_if_stale(steps: &mut [Step]) {
    if !steps.iter().any(Step::tells_of_an_earlier_state) {
        return;
    }
    for step in steps.iter_mut().filter(|step| !step.cuts.is_empty()) {
        let what = "other edits of this input stand in the file already, and this one fits a part of a line: it may be \
                    meant for an earlier state of the file"
            .to_owned();
        step.cuts.clear();
        step.outcome = HunkOutcome::Refused(Refusal::Doubtful { what });
    }
}

/// Turns the cuts of all steps into splices, one change a line. Steps that share a change are named together;
/// the first of them carries it.
fn weave_cuts(
    text: &Text,
    steps: &mut [Step],
    policy: &Policy,
    env: &Env,
    guards: &Guards,
) -> Vec<Vec<usize>> {
    let bad: HashSet<usize> = steps
        .iter()
        .filter(|step| policy.partial && matches!(step.outcome, HunkOutcome::Refused(_)))
        .map(|step| step.edit)
        .collect();
    let mut cuts: Vec<(usize, Cut)> = Vec::new();
    for (at, step) in steps.iter_mut().enumerate() {
        let own = std::mem::take(&mut step.cuts);
        if !bad.contains(&step.edit) {
            cuts.extend(own.into_iter().map(|cut| (at, cut)));
        }
    }
    let groups = match slices::weave(text, cuts, env, guards) {
        Ok(groups) => groups,
        Err(clashes) => {
            for clash in clashes {
                let [a, b] = clash.hunks;
                let line = clash.line + 1;
                for (at, other) in [(a, steps[b].hunk.span), (b, steps[a].hunk.span)] {
                    steps[at].outcome =
                        HunkOutcome::Refused(Refusal::Overlap { first: line, last: line, other });
                }
            }
            return Vec::new();
        }
    };
    let mut shared = Vec::new();
    for group in groups {
        match group.made {
            Ok(splices) => steps[group.hunks[0]].splices.extend(splices),
            Err(refusal) => {
                for &at in &group.hunks {
                    steps[at].outcome = HunkOutcome::Refused(refusal.clone());
                }
            }
        }
        if group.hunks.len() > 1 {
            shared.push(group.hunks);
        }
    }
    shared
}

/// Under a partial policy a change of a line that several hunks share is made for all of them or for none.
fn refuse_shared(steps: &mut [Step], shared: &[Vec<usize>]) {
    let refused = |step: &Step| matches!(step.outcome, HunkOutcome::Refused(_));
    let mut bad: HashSet<usize> = steps.iter().filter(|step| refused(step)).map(|step| step.edit).collect();
    let mut left: Vec<&Vec<usize>> = shared.iter().collect();
    loop {
        let (hit, free): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|group| group.iter().any(|&at| bad.contains(&steps[at].edit)));
        if hit.is_empty() {
            return;
        }
        for &at in hit.into_iter().flatten() {
            bad.insert(steps[at].edit);
            if !refused(&steps[at]) {
                let what = "it changes a line together with an edit that is refused".to_owned();
                steps[at].outcome = HunkOutcome::Refused(Refusal::Doubtful { what });
            }
        }
        left = free;
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
    let left_out = |line: &HunkLine| {
        format!(
            "context line not in the file, left out: `{}`",
            String::from_utf8_lossy(line.text.trim_ascii())
        )
    };
    let notes = match place.view {
        View::ContextForgiven => {
            let old = placed.body.old().zip(&place.pairs);
            let missing = old.filter(|(line, pair)| pair.is_none() && line.tag == Tag::Keep);
            let missing = missing.filter(|(line, _)| !crate::text::is_blank(&line.text));
            missing.map(|(line, _)| left_out(line)).collect()
        }
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

/// What a call wrote stands already where another hunk is about to replace it: both can't be.
fn refuse_overwritten(steps: &mut [Step]) {
    let calls = |step: &&mut Step| step.hunk.hints.literal.is_some();
    let replaced: Vec<(usize, usize)> = steps
        .iter()
        .flat_map(|step| step.splices.iter().map(|splice| (splice.start, splice.end)))
        .filter(|(start, end)| start < end)
        .collect();
    for step in steps.iter_mut().filter(calls) {
        let HunkOutcome::Already { first } = step.outcome else { continue };
        if replaced.iter().any(|&(start, end)| start < first && first <= end) {
            let what = format!(
                "its old text is not found, and its new one, at line {first}, is replaced by another edit"
            );
            step.outcome = HunkOutcome::Refused(Refusal::Doubtful { what });
        }
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

fn per_edit(steps: Vec<Step>, edits: &[&Edit]) -> Vec<Vec<HunkVerdict>> {
    let mut out: Vec<_> = edits.iter().map(|edit| Vec::with_capacity(hunks(edit).len())).collect();
    for step in steps {
        out[step.edit].push(HunkVerdict { span: step.hunk.span, outcome: step.outcome, turn: 0 });
    }
    out
}

/// The sequential reading; `None` as soon as a hunk is refused.
fn one_by_one(bytes: &[u8], edits: &[&Edit], policy: &Policy, mut evidence: Evidence) -> Option<Outcome> {
    let mut bytes = Content::from(bytes);
    let mut verdicts = vec![Vec::new(); edits.len()];
    let mut done: Vec<&Hunk> = Vec::new();
    let mut turn = 0;
    for (at, edit) in edits.iter().enumerate() {
        // A diff's hunks follow each other down the file: one that only fits above the hunk before it fits
        // what that hunk made, by chance.
        let mut reached = 0;
        if edit.call.against == Against::Original {
            let unit = at_once(&bytes, None, &[*edit], policy, evidence);
            if !unit.is_ok() {
                return None;
            }
            evidence = unit.evidence;
            bytes = unit.bytes;
            if is_too_large(&bytes) {
                return None;
            }
            verdicts[at] =
                unit.hunks.into_iter().flatten().map(|hunk| HunkVerdict { turn, ..hunk }).collect();
            turn += 1;
            continue;
        }
        for hunk in hunks(edit) {
            let outcome = if done.iter().any(|other| place::same_hunk(other, hunk)) {
                HunkOutcome::Twice
            } else {
                done.push(hunk);
                let (next, outcome) = one(&bytes, hunk, policy, &mut evidence)?;
                bytes = next;
                if is_too_large(&bytes) {
                    return None;
                }
                outcome
            };
            if let (HunkOutcome::Placed { first, .. }, true) = (&outcome, hunk.hints.ordered) {
                if *first < reached {
                    return None;
                }
                reached = *first;
            }
            verdicts[at].push(HunkVerdict { span: hunk.span, outcome, turn });
            turn += 1;
        }
    }
    Some(Outcome { bytes, hunks: verdicts, evidence, stale: false })
}

fn one(
    bytes: &[u8],
    hunk: &Hunk,
    policy: &Policy,
    evidence: &mut Evidence,
) -> Option<(Content, HunkOutcome)> {
    let text = Text::new(bytes);
    let rules = Rules { describe: false, ..policy.rules() };
    let located = place::locate(&Index::for_hunks(&text, &[hunk]), &[hunk], &rules).pop()?;
    let located = affordable(located, hunk, &mut { MOST_WRITTEN });
    observe(&text, std::slice::from_ref(&located), evidence);
    let env = Env::new(*evidence);
    let guards = Guards::new(&text);
    let mut steps = [step(&text, 0, hunk, located, &env, &guards)];
    weave_cuts(&text, &mut steps, policy, &env, &guards);
    let [step] = steps;
    match step.outcome {
        HunkOutcome::Refused(_) => None,
        outcome => Some((merge::apply_all(&text, step.splices), outcome)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::input;

    /// Lines that lost their signs all read as context.
    #[test]
    fn an_edit_that_only_quotes_is_no_edit() {
        let patch = "*** Begin Patch\n*** Update File: f\n@@\n a\n b\n*** End Patch\n";
        let diff = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n b\n";
        let mixed = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n b\n@@ -3,1 +3,1 @@\n-c\n+C\n";
        for (input, want) in [(patch, false), (diff, false), (mixed, true)] {
            let parsed = input::read(input.as_bytes(), None);
            let edits: Vec<&Edit> = parsed.edits.iter().collect();
            assert_eq!(edits.len(), 1, "{input}");
            let outcome = apply(b"a\nb\nc\n", &edits, &Policy::default(), Evidence::default());
            assert_eq!(outcome.is_ok(), want, "{input}");
        }
    }

    fn long_line(parts: [&str; 3], at: usize) -> String {
        let [above, within, below] = parts;
        let long = "some words, and more; ".repeat(400);
        format!("{above}{}{within}MARK{within}{}{below}", &long[..at], &long[at..])
    }

    const ODD: [&str; 12] = [
        "",
        "x",
        "MARK",
        "a\n",
        "\r",
        "\u{e9}",
        "\u{fffd}",
        "// ... existing code ...",
        "<<<<<<< a",
        "\r\n",
        "\n\n",
        "==",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// A part of a long line that is replaced without the file being put together anew.
        #[test]
        fn a_long_line_is_as_any_line(
            (above, within, below, new) in (0..12_usize, 0..12_usize, 0..12_usize, 0..12_usize),
            at in prop_oneof![Just(0), Just(7), 0..8800_usize, Just(8800)],
        ) {
            let file = long_line([ODD[above], ODD[within], ODD[below]], at);
            let call = serde_json::json!({ "file_path": "f", "old_string": "MARK", "new_string": ODD[new] }).to_string();
            let parsed = input::read(call.as_bytes(), None);
            let edits: Vec<&Edit> = parsed.edits.iter().collect();
            let held = Content::from(&file[..]);
            let apply = |held| apply_to(file.as_bytes(), held, &edits, &Policy::default(), Evidence::default());
            let (shared, anew) = (apply(Some(&held)), apply(None));
            prop_assert_eq!(&shared.hunks, &anew.hunks);
            prop_assert!(shared.bytes == anew.bytes && shared.stale == anew.stale);
        }
    }

    #[test]
    fn a_long_line_is_not_copied() {
        let file = long_line(["a\n", " ", "\nz\n"], 5000);
        let call = r#"{"file_path": "f", "old_string": "MARK", "new_string": "done"}"#;
        let parsed = input::read(call.as_bytes(), None);
        let held = Content::from(&file[..]);
        let outcome = apply_to(
            file.as_bytes(),
            Some(&held),
            &[&parsed.edits[0]],
            &Policy::default(),
            Evidence::default(),
        );
        assert!(outcome.is_ok() && outcome.bytes.is_line_changed(&held));
        assert_eq!(outcome.bytes, Content::from(&file.replace("MARK", "done")[..]));
    }

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
