//! What a plan has to pass beyond its own rules: files that are protected, were not read, or are not
//! tracked, and white space that nobody wants.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    commit::ledger::{self, Ledger, Version},
    edit::{Edit, Parsed},
    plan::{self, Change, Outcome, Plan, Policy, Verdict, whitespace},
    refusal::Refusal,
    report::{Failure, escape, stat},
    request::{Limits, Request},
    tree::{Files, Image, RelPath, Root, git},
};

/// The gates of one run.
#[derive(Debug)]
pub(super) struct Gates<'r> {
    root: &'r Root,
    limits: &'r Limits,
    read: Option<Ledger>,
    tracked: Option<BTreeSet<RelPath>>,
    /// What stood before the batches that count in the budget.
    before: BTreeMap<RelPath, Option<Image>>,
}

impl<'r> Gates<'r> {
    /// The gates that a request asks for.
    ///
    /// # Errors
    /// Tracked files are asked for outside a work tree, or a file is not the version that the caller named.
    pub fn new(request: &'r Request, root: &'r Root) -> Result<Gates<'r>, Failure> {
        let limits = &request.limits;
        limits.if_match.iter().try_for_each(|(path, version)| if_match(root, path, version))?;
        let outside = || {
            let why = "git does not say which files it tracks here: there is no work tree, or no git";
            Failure::trouble("no-work-tree", why.to_owned())
        };
        let tracked = limits.tracked_only.then(|| git::tracked(root.path()).ok_or_else(outside));
        let read = limits.require_read.then(|| Ledger::open(root, request.writer.state_dir.as_deref()));
        let before = limits.since.as_ref().map(|id| request.writer.before(root, id)).transpose();
        let before =
            before.map_err(|error| Failure::trouble(error.code(), error.to_string()))?.unwrap_or_default();
        Ok(Gates { root, limits, read, tracked: tracked.transpose()?, before })
    }

    /// Whether all that changes is more than may: the inputs before this one, and the journal's batches that
    /// count, included.
    pub fn over_budget(&self, changes: &[Change], planned: &BTreeMap<RelPath, Change>) -> Option<Refusal> {
        if self.limits.max_files.is_none() && self.limits.max_lines.is_none() {
            return None;
        }
        let files = stat::files(&self.sum(changes, planned));
        let lines: usize = files.iter().map(|file| file.added + file.removed).sum();
        let over = |name: &str, found: usize, limit: Option<usize>| {
            let limit = limit.filter(|limit| found > *limit)?;
            Some(format!("{found} {name} change, at most {limit} may"))
        };
        let what = over("files", files.len(), self.limits.max_files);
        Some(Refusal::OverBudget { what: what.or_else(|| over("lines", lines, self.limits.max_lines))? })
    }

    fn sum(&self, changes: &[Change], planned: &BTreeMap<RelPath, Change>) -> Vec<Change> {
        let mut sum = planned.clone();
        for change in changes {
            super::add(&mut sum, change.clone());
        }
        for (path, before) in &self.before {
            let known = sum.remove(path);
            let after = known.map_or_else(|| self.root.image(path).ok().flatten(), |change| change.after);
            let before = before.clone();
            if before != after {
                sum.insert(path.clone(), Change { path: path.clone(), before, after, moved_from: None });
            }
        }
        sum.into_values().collect()
    }

    /// A plan that passes. With a partial policy the edits that do not are taken out and the others planned
    /// again. `planned`: what inputs before this one write.
    pub fn plan(
        &self,
        parsed: &Parsed<'_>,
        files: &dyn Files,
        planned: &BTreeMap<RelPath, Change>,
        policy: &Policy,
    ) -> Plan {
        let mut plan = plan::make(parsed, files, policy);
        let refused = self.refuse(&mut plan, parsed, planned);
        if refused.is_empty() {
            return plan;
        }
        if !policy.partial {
            plan.changes.clear();
            return plan;
        }
        let mut parsed = parsed.clone();
        parsed.edits.retain(|edit| !refused.contains_key(&edit.id));
        let mut plan = plan::make(&parsed, files, policy);
        plan.verdicts.extend(refused.into_values());
        plan.verdicts.sort_by_key(|verdict| verdict.id);
        plan
    }

    /// Refuses the edits that do not pass; which they are.
    fn refuse(
        &self,
        plan: &mut Plan,
        parsed: &Parsed<'_>,
        planned: &BTreeMap<RelPath, Change>,
    ) -> BTreeMap<usize, Verdict> {
        let edits: BTreeMap<usize, &Edit<'_>> = parsed.edits.iter().map(|edit| (edit.id, edit)).collect();
        let stopped: BTreeMap<RelPath, Refusal> = plan
            .changes
            .iter()
            .filter_map(|change| Some((change, self.stops(change, planned)?)))
            .flat_map(|(change, refusal)| {
                let paths = [Some(change.path.clone()), change.moved_from.clone()];
                paths.into_iter().flatten().map(move |path| (path, refusal.clone()))
            })
            .collect();
        let mut refused = BTreeMap::new();
        for verdict in plan.verdicts.iter_mut().filter(|verdict| verdict.outcome == Outcome::Applied) {
            let stops = || verdict.path.as_ref().and_then(|path| stopped.get(path)).cloned();
            if let Some(refusal) = self.protects(verdict, edits.get(&verdict.id).copied()).or_else(stops) {
                verdict.outcome = Outcome::Refused(refusal);
                refused.insert(verdict.id, verdict.clone());
            }
        }
        refused
    }

    fn protects(&self, verdict: &Verdict, edit: Option<&Edit<'_>>) -> Option<Refusal> {
        let target = edit.and_then(|edit| edit.move_to.as_ref());
        let names = verdict.path.as_ref().map(RelPath::as_bytes).into_iter();
        let mut names = names.chain(target.map(|name| name.text.as_ref()));
        let glob = names.find_map(|name| self.limits.protector(name))?;
        Some(Refusal::Protected { pattern: glob.text.clone() })
    }

    /// Why this change may not be. What an input before this one wrote is known to the caller.
    fn stops(&self, change: &Change, planned: &BTreeMap<RelPath, Change>) -> Option<Refusal> {
        let before = change.before.as_ref().filter(|_| !planned.contains_key(&change.path));
        if let (Some(_), Some(tracked)) = (before, &self.tracked)
            && !tracked.contains(&change.path)
        {
            return Some(Refusal::Untracked);
        }
        if let (Some(image), Some(ledger)) = (before, &self.read)
            && let Some(refusal) = unread(ledger, self.root, &change.path, &image.bytes)
        {
            return Some(refusal);
        }
        let complaint = self.limits.check_whitespace.then(|| whitespace::complaint(change)).flatten();
        complaint.map(|(line, what)| Refusal::Whitespace { line, what })
    }
}

/// The caller does not know this content of the file.
fn unread(ledger: &Ledger, root: &Root, path: &RelPath, bytes: &[u8]) -> Option<Refusal> {
    let Some(reading) = ledger.reading(root, path) else {
        return Some(Refusal::NotRead);
    };
    let what = format!("at {}", ledger::clock(reading.time));
    (reading.version != ledger::version(bytes)).then_some(Refusal::ChangedSinceRead { what })
}

/// The file is the version that the caller names.
fn if_match(root: &Root, path: &RelPath, version: &Version) -> Result<(), Failure> {
    let name = escape::name(path.as_bytes());
    let refuse = |message: String| Err(Failure::new("changed-since-read", message, false));
    match root.read(path) {
        Ok(Some(image)) => {
            let now = ledger::version(&image.bytes);
            if now == *version {
                return Ok(());
            }
            refuse(format!(
                "{name} is another version than --if-match says ({}): read it again",
                ledger::shown(&now)
            ))
        }
        Ok(None) => refuse(format!("{name} does not exist, but --if-match names a version of it")),
        Err(refusal) => refuse(format!("{name}: {}", escape::text(&refusal.to_string()))),
    }
}
