//! The conductor: input, plan, commit or preview, report.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
    path::{Path, PathBuf},
};

use crate::{
    commit::{
        CommitError, KeptTexts, Outcome as Recovery, Receipt, Recovered, Signals, Writer,
        ledger::{self, Ledger, Version},
    },
    edit::Parsed,
    input,
    plan::{Change, Plan, Policy},
    refusal::Refusal,
    report::{Failure, InputReport, Mode, Report, escape, retry},
    request::{Limits, Request, Source, series},
    tree::{Content, Files, Layer, Reading, RelPath, Root, WithOld, git::GitBlobs, root::Seen},
};

mod check;
mod expect;
mod gates;
mod seen;
mod select;
mod shell;
mod sought;
mod top;
pub mod watch;

use gates::Gates;
use select::Selection;
use watch::{Alone, Stage, Watch};

/// How often a plan is made anew because another run was faster.
const MAX_TURNS: usize = 5;

/// An input as it was read.
struct Loaded<'s> {
    source: &'s Source,
    name: String,
    bytes: Content,
}

/// The edits that were chosen, by input, as far as anybody was asked.
type Chosen = BTreeMap<usize, BTreeSet<usize>>;

/// Carries a request out; one report a transaction.
pub fn apply(request: &Request, stdin: &mut dyn Read) -> Vec<Report> {
    apply_watched(request, stdin, &mut Alone)
}

/// As [`apply`], while somebody looks on.
pub fn apply_watched(request: &Request, stdin: &mut dyn Read, watch: &mut dyn Watch) -> Vec<Report> {
    let sources = match series::expand(&request.inputs) {
        Ok(sources) => sources,
        Err(failure) => {
            let here = request.root.clone().unwrap_or_else(|| PathBuf::from("."));
            return vec![Report { failure: Some(failure), ..Report::new(here, request.mode) }];
        }
    };
    if !request.each {
        return vec![transaction(request, &sources, stdin, watch)];
    }
    let one = |source| transaction(request, std::slice::from_ref(source), stdin, watch);
    sources.iter().map(one).collect()
}

fn transaction(request: &Request, sources: &[Source], stdin: &mut dyn Read, watch: &mut dyn Watch) -> Report {
    let here = request.root.clone().unwrap_or_else(|| PathBuf::from("."));
    let mut report = Report::new(here.clone(), request.mode);
    report.partial = request.policy.partial;
    watch.stage(Stage::Reading { inputs: sources.len() });
    let loaded = match load(sources, stdin) {
        Ok(loaded) => loaded,
        Err(failure) => {
            report.failure = Some(failure);
            return report;
        }
    };
    let read = || loaded.iter().map(|one| input::read_held(&one.bytes, request.format)).collect::<Vec<_>>();
    let parsed = read();
    let root = match open_root(request, &here, &parsed, &mut report.notes) {
        Ok(root) => root,
        Err(failure) => {
            report.failure = Some(failure);
            return report;
        }
    };
    report.root = root.path().to_path_buf();
    if let Err(error) = look_around(request, &root, &mut report) {
        report.failure = Some(commit_failure(&error));
        return report;
    }
    let mut chosen = Chosen::new();
    let mut first = Some(parsed);
    for _ in 0..MAX_TURNS {
        let mut turn = report.clone();
        let parsed = first.take().unwrap_or_else(&read);
        let mut planner = Planner { request, root: &root, chosen: &mut chosen, watch };
        let seen = match planner.plan_all(&loaded, parsed, &mut turn) {
            Ok(seen) => seen,
            Err(failure) => {
                turn.failure = Some(failure);
                return turn;
            }
        };
        let verify = request.checks.verify.is_some();
        watch.stage(Stage::Writing { files: turn.changes.len(), verify });
        match finish(request, &root, turn, seen) {
            Finished::Stale => {}
            Finished::Done(done) => return *done,
        }
    }
    let busy = CommitError::Busy { limit: request.writer.lock_timeout };
    report.failure = Some(commit_failure(&busy));
    report
}

/// A run that died here before: a writing run puts that in order, another one refuses to look at it.
fn look_around(request: &Request, root: &Root, report: &mut Report) -> Result<(), CommitError> {
    if request.mode != Mode::Write {
        return request.writer.refuse_torn(root);
    }
    let recovered = request.writer.recover(root)?;
    report.notes.extend(recovered.iter().flat_map(recovery_notes));
    Ok(())
}

/// Fails if a run died in this folder before; one that is not there has seen none.
///
/// # Errors
/// One did.
pub fn refuse_torn(root: &Path, writer: &Writer) -> Result<(), Failure> {
    let Ok(root) = Root::open(root) else { return Ok(()) };
    writer.refuse_torn(&root).map_err(|error| Failure { trouble: true, ..commit_failure(&error) })
}

/// What to tell of a run that died before.
pub fn recovery_notes(recovered: &Recovered) -> Vec<String> {
    let Recovered { id, outcome, files, left } = recovered;
    let told = match outcome {
        Recovery::RolledBack => format!("unfinished run {id} of {files} file(s) was rolled back"),
        Recovery::Finished => format!("run {id} had committed; it is tidied up now"),
        Recovery::Cleared => format!("unfinished run {id} had changed nothing; its files are removed"),
        Recovery::Foreign => format!("journal {id} was not made here, or its root is gone; it is left alone"),
    };
    std::iter::once(told).chain(left.iter().cloned()).collect()
}

fn load<'s>(sources: &'s [Source], stdin: &mut dyn Read) -> Result<Vec<Loaded<'s>>, Failure> {
    let load =
        |source: &'s Source| Ok(Loaded { source, name: source.name(), bytes: source.read(stdin)?.into() });
    sources.iter().map(load).collect()
}

fn open_root(
    request: &Request,
    here: &Path,
    parsed: &[Parsed<'_>],
    notes: &mut Vec<String>,
) -> Result<Root, Failure> {
    let open = |path: &Path| {
        let opened =
            Root::open(path).map(|root| if request.limits.no_xdev { root.within_device() } else { root });
        opened.map_err(|error| {
            let name = escape::name(path.to_string_lossy().as_bytes());
            let why = crate::tree::root::plain_error(&error);
            Failure::trouble("unreadable-root", format!("cannot open the root {name}: {why}"))
        })
    };
    let root = open(here)?;
    if request.root.is_some() {
        return Ok(root);
    }
    match top::instead_of(&root, parsed, request.policy.strip) {
        Some(top) => {
            notes.push(format!("paths are taken from the top of the work tree, {}", top.path().display()));
            Ok(if request.limits.no_xdev { top.within_device() } else { top })
        }
        None => Ok(root),
    }
}

/// Plans the inputs of a transaction.
struct Planner<'p> {
    request: &'p Request,
    root: &'p Root,
    chosen: &'p mut Chosen,
    watch: &'p mut dyn Watch,
}

impl Planner<'_> {
    /// Plans each input on the result of those before it. What the system said of the files comes back.
    fn plan_all(
        &mut self,
        loaded: &[Loaded<'_>],
        parsed: Vec<Parsed<'_>>,
        report: &mut Report,
    ) -> Result<BTreeMap<RelPath, Seen>, Failure> {
        let (request, root) = (self.request, self.root);
        let gates = Gates::new(request, root)?;
        let blobs = GitBlobs::new(root.path());
        let kept = KeptTexts { writer: &request.writer, root };
        let reading = Reading::new(root);
        let disk = WithOld { below: &reading, olds: vec![&kept, &blobs] };
        let mut sum: BTreeMap<RelPath, Change> = BTreeMap::new();
        for (at, (one, parsed)) in loaded.iter().zip(parsed).enumerate() {
            let files = Layer {
                below: &disk,
                files: sum.iter().map(|(path, change)| (path.clone(), change.after.clone())).collect(),
            };
            let turn = Turn { at, loaded: one, gates: &gates, files: &files, planned: &sum };
            let (input, changes) = self.plan_one(&turn, parsed, &mut report.notes)?;
            let fails = !input.is_ok();
            report.inputs.push(input);
            if fails && let Some(note) = end_of_series(loaded, at, request) {
                report.notes.push(note);
                break;
            }
            changes.into_iter().for_each(|change| add(&mut sum, change));
        }
        let ok = report.inputs.iter().all(InputReport::is_ok);
        if ok || request.policy.partial {
            report.changes = sum.into_values().filter(|change| change.before != change.after).collect();
        }
        Ok(reading.seen())
    }

    fn plan_one(
        &mut self,
        turn: &Turn<'_>,
        mut parsed: Parsed<'_>,
        notes: &mut Vec<String>,
    ) -> Result<(InputReport, Vec<Change>), Failure> {
        let Turn { loaded, gates, files, planned, .. } = *turn;
        let request = self.request;
        let mut input = InputReport { name: loaded.name.clone(), ..InputReport::default() };
        if let Some(refusal) = seen::refuse(&loaded.bytes, &loaded.name, &parsed, request.format) {
            input.failure = Some(Failure::refused(&refusal));
            return Ok((input, Vec::new()));
        }
        leave_out(&mut parsed, &request.limits, notes);
        if parsed.edits.is_empty() && parsed.faults.is_empty() {
            let seen = "all edits are left out by --only or --skip".to_owned();
            let advice = Some("Loosen the patterns of --only and --skip; `edapply inspect` lists the edits.");
            input.failure = Some(Failure::refused(&Refusal::NoEdit { seen, advice }));
            return Ok((input, Vec::new()));
        }
        self.watch.stage(Stage::Planning { edits: parsed.edits.len() });
        let policy = policy_for(loaded.source, &request.policy);
        let mut plan = gates.plan(&parsed, files, planned, &policy);
        if self.watch.asks() && (plan.is_ok() || policy.partial) {
            let selection =
                Selection { gates, parsed: &parsed, files, planned, policy: &policy, input: &loaded.bytes };
            let all = parsed.edits.len();
            let chosen = match self.chosen.get(&turn.at) {
                Some(chosen) => chosen.clone(),
                None => selection.ask(&plan, self.watch)?,
            };
            parsed.edits.retain(|edit| chosen.contains(&edit.id));
            self.chosen.insert(turn.at, chosen);
            if parsed.edits.is_empty() && parsed.faults.is_empty() {
                input.failure = Some(Failure::refused(&Refusal::NoneChosen));
                return Ok((input, Vec::new()));
            }
            let gone = all - parsed.edits.len();
            notes.extend((gone > 0).then(|| format!("{gone} of {all} edits left out, as you chose")));
            plan = gates.plan(&parsed, files, planned, &policy);
        }
        input.sought = sought::sought(&parsed, &plan, &loaded.bytes);
        let offers = if request.retry { retry::offers } else { retry::places };
        input.offers = offers(&parsed, &plan.verdicts, files);
        let over = gates.over_budget(&plan.changes, planned);
        input.failure = over.map(|refusal| Failure::refused(&refusal));
        input.verdicts = plan.verdicts;
        let changes = if input.failure.is_some() { Vec::new() } else { plan.changes };
        Ok((input, changes))
    }
}

/// An input, and what it is planned on.
#[derive(Clone, Copy)]
struct Turn<'t> {
    /// Which of the inputs it is.
    at: usize,
    loaded: &'t Loaded<'t>,
    gates: &'t Gates<'t>,
    files: &'t dyn Files,
    /// What the inputs before it change.
    planned: &'t BTreeMap<RelPath, Change>,
}

/// The policy with what a `series` says of its patch.
fn policy_for(source: &Source, policy: &Policy) -> Policy {
    match source {
        Source::Patch(patch) => Policy {
            strip: patch.strip.or(policy.strip),
            reverse: policy.reverse != patch.reverse,
            ..policy.clone()
        },
        _ => policy.clone(),
    }
}

/// What to tell of a series that ends at this patch: those behind it stand on it, and are not looked at.
fn end_of_series(loaded: &[Loaded<'_>], at: usize, request: &Request) -> Option<String> {
    let folder = |one: &Loaded<'_>| match one.source {
        Source::Patch(patch) => Some(patch.series.clone()),
        _ => None,
    };
    let series = folder(&loaded[at])?;
    let mine = |one: &&Loaded<'_>| folder(one).as_ref() == Some(&series);
    let (before, behind) =
        (loaded[..at].iter().filter(mine).count(), loaded[at + 1..].iter().filter(mine).count());
    if request.each || behind + before == 0 {
        return None;
    }
    let name = escape::name(loaded[at].name.as_bytes());
    Some(format!(
        "{name} is the first of {} patches that fails: {before} before it apply, {behind} behind it were not looked at",
        before + behind + 1
    ))
}

/// A change on top of one before.
fn add(sum: &mut BTreeMap<RelPath, Change>, change: Change) {
    match sum.get_mut(&change.path) {
        Some(known) => {
            known.after = change.after;
            known.moved_from = change.moved_from.or(known.moved_from.take());
        }
        None => {
            sum.insert(change.path.clone(), change);
        }
    }
}

fn leave_out(parsed: &mut Parsed<'_>, limits: &Limits, notes: &mut Vec<String>) {
    let before = parsed.edits.len() + parsed.faults.len();
    let admit = |name: &Option<crate::edit::Name<'_>>| {
        name.as_ref().map_or(limits.only.is_empty(), |name| limits.admit(&name.text))
    };
    parsed.edits.retain(|edit| admit(&edit.path));
    parsed.faults.retain(|fault| admit(&fault.path));
    let gone = before - parsed.edits.len() - parsed.faults.len();
    if gone > 0 {
        notes.push(format!("{gone} of {before} edits left out by --only or --skip"));
    }
}

enum Finished {
    Done(Box<Report>),
    /// Another run wrote meanwhile what the plan stands on.
    Stale,
}

/// Writes what was planned, if that was asked for and nothing stands against it.
fn finish(request: &Request, root: &Root, mut report: Report, seen: BTreeMap<RelPath, Seen>) -> Finished {
    report.file_notes = risky(&report.changes);
    let ok = report.inputs.iter().all(InputReport::is_ok);
    if (ok || !report.changes.is_empty()) && is_unexpected(request, root, &mut report) {
        report.changes.clear();
        return Finished::Done(Box::new(report));
    }
    if request.mode != Mode::Write || report.changes.is_empty() {
        return Finished::Done(Box::new(report));
    }
    match write(request, root, &mut report, seen) {
        Ok(()) => {}
        Err(CommitError::Stale { .. }) => return Finished::Stale,
        Err(error) => {
            report.failure = Some(commit_failure(&error));
            report.changes.clear();
        }
    }
    Finished::Done(Box::new(report))
}

/// The result would not be what `--expect` names.
fn is_unexpected(request: &Request, root: &Root, report: &mut Report) -> bool {
    let Some(expect) = &request.checks.expect else { return false };
    match expect::differences(root, &report.changes, expect) {
        Ok(different) if different.is_empty() => return false,
        Ok(different) => {
            let count = different.len();
            let message =
                format!("the result is not as expected in {count} file(s); from that to the result:");
            report.failure = Some(Failure::new("not-expected", message, false));
            report.differences = different;
        }
        Err(failure) => report.failure = Some(failure),
    }
    true
}

fn write(
    request: &Request,
    root: &Root,
    report: &mut Report,
    seen: BTreeMap<RelPath, Seen>,
) -> Result<(), CommitError> {
    let plan = Plan { changes: std::mem::take(&mut report.changes), seen, ..Plan::default() };
    let mut details = Vec::new();
    let mut look = |signals: &Signals| {
        let Some(task) = &request.checks.verify else { return Ok(()) };
        let seen = check::verify(&task.command, root, &plan.changes, task.limit, signals);
        seen.map_err(|(message, lines)| {
            details = lines;
            message
        })
    };
    let receipt = request.writer.write(root, &plan, Some(&mut look));
    report.details = details;
    let Receipt { id, notes, warnings, recovered } = receipt?;
    report.file_notes.extend(notes);
    report.notes.extend(recovered.iter().flat_map(recovery_notes));
    report.notes.extend(warnings);
    report.batch = id;
    report.written = true;
    report.changes = plan.changes;
    let named = request.writer.state_dir.as_deref();
    report.notes.extend(remember(root, named, &report.changes, request.limits.require_read));
    if let Some(task) = &request.checks.diagnose {
        let signals = Signals::watch();
        let said = check::diagnose(&task.command, root, &report.changes, task.limit, &signals);
        report.diagnosis = Some(said);
    }
    Ok(())
}

/// What we wrote ourselves counts as read, where anybody keeps count (or with `always`). What to tell if
/// it cannot be remembered.
pub fn remember(root: &Root, named: Option<&Path>, changes: &[Change], always: bool) -> Option<String> {
    if !always && !Ledger::stands(root, named) {
        return None;
    }
    let written = |change: &Change| {
        let after = change.after.as_ref().filter(|image| image.is_file())?;
        Some((change.path.clone(), ledger::version(&after.bytes)))
    };
    let files: Vec<(RelPath, Version)> = changes.iter().filter_map(written).collect();
    let error = ledger::remember(root, named, &files).err()?;
    Some(format!("what was written is not remembered as read: {}", crate::tree::root::plain_error(&error)))
}

/// Why a transaction came to nothing, as a report says it.
pub fn commit_failure(error: &CommitError) -> Failure {
    let message = escape::text(&error.to_string());
    let advice = match error {
        CommitError::State { .. } => Some("Name a folder in which you may write with `--state-dir DIR`."),
        CommitError::Io { step: crate::commit::OVER, .. } if error.code() == "not-writable" => Some(
            "Allow writing the file itself (`chmod u+w FILE`), which `--in-place` needs, or leave `--in-place` out.",
        ),
        _ => None,
    };
    Failure { advice: advice.map(str::to_owned), ..Failure::new(error.code(), message, !error.is_refusal()) }
}

/// Files that make other programs run commands: changed if asked, but told of.
fn risky(changes: &[Change]) -> Vec<(RelPath, String)> {
    const FOLDERS: [&str; 6] = [".vscode", ".idea", ".husky", ".claude", ".cursor", ".codex"];
    let is_risky = |path: &RelPath| {
        let text = path.to_string();
        FOLDERS.iter().any(|folder| text.split('/').any(|part| part.eq_ignore_ascii_case(folder)))
            || text.starts_with(".github/workflows/")
            || matches!(path.base(), b".envrc" | b"build.rs")
    };
    let told =
        |change: &Change| (change.path.clone(), "this file can make other programs run commands".to_owned());
    changes.iter().filter(|change| change.after.is_some() && is_risky(&change.path)).map(told).collect()
}
