//! The conductor: input, plan, commit or preview, report.

use std::{
    collections::BTreeMap,
    io::Read,
    path::{Path, PathBuf},
};

use crate::{
    commit::{
        CommitError, KeptTexts, Outcome as Recovery, Receipt, Recovered, Signals,
        ledger::{self, Ledger, Version},
    },
    edit::{Op, Parsed, Tag},
    input,
    plan::{Change, Outcome, Plan},
    refusal::Refusal,
    report::{Failure, InputReport, Mode, Report, escape, retry},
    request::{Limits, Request, Source},
    tree::{Files, Layer, RelPath, Root, WithOld, git::GitBlobs},
};

mod check;
mod expect;
mod gates;
mod seen;
mod shell;
mod top;

use gates::Gates;

/// Lines of a refused hunk that a report can show.
const MAX_SOUGHT: usize = 200;

/// How often a plan is made anew because another run was faster.
const MAX_TURNS: usize = 5;

/// An input as it was read.
struct Loaded {
    name: String,
    bytes: Vec<u8>,
}

/// Carries a request out; one report a transaction.
pub fn apply(request: &Request, stdin: &mut dyn Read) -> Vec<Report> {
    if !request.each {
        return vec![transaction(request, &request.inputs, stdin)];
    }
    request.inputs.iter().map(|source| transaction(request, std::slice::from_ref(source), stdin)).collect()
}

fn transaction(request: &Request, sources: &[Source], stdin: &mut dyn Read) -> Report {
    let here = request.root.clone().unwrap_or_else(|| PathBuf::from("."));
    let mut report = Report::new(here.clone(), request.mode);
    report.partial = request.policy.partial;
    let loaded = match load(sources, stdin) {
        Ok(loaded) => loaded,
        Err(failure) => {
            report.failure = Some(failure);
            return report;
        }
    };
    let parsed: Vec<Parsed<'_>> = loaded.iter().map(|one| input::read(&one.bytes, request.format)).collect();
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
    for _ in 0..MAX_TURNS {
        let mut turn = report.clone();
        let parsed = loaded.iter().map(|one| input::read(&one.bytes, request.format)).collect();
        plan_all(request, &root, &loaded, parsed, &mut turn);
        match finish(request, &root, turn) {
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

fn load(sources: &[Source], stdin: &mut dyn Read) -> Result<Vec<Loaded>, Failure> {
    sources.iter().map(|source| Ok(Loaded { name: source.name(), bytes: source.read(stdin)? })).collect()
}

fn open_root(
    request: &Request,
    here: &Path,
    parsed: &[Parsed<'_>],
    notes: &mut Vec<String>,
) -> Result<Root, Failure> {
    let open = |path: &Path| {
        Root::open(path).map_err(|error| {
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
            Ok(top)
        }
        None => Ok(root),
    }
}

/// Plans each input on the result of those before it.
fn plan_all(request: &Request, root: &Root, loaded: &[Loaded], parsed: Vec<Parsed<'_>>, report: &mut Report) {
    let gates = match Gates::new(request, root) {
        Ok(gates) => gates,
        Err(failure) => {
            report.failure = Some(failure);
            return;
        }
    };
    let blobs = GitBlobs::new(root.path());
    let kept = KeptTexts { writer: &request.writer, root };
    let disk = WithOld { below: root, olds: vec![&kept, &blobs] };
    let mut sum: BTreeMap<RelPath, Change> = BTreeMap::new();
    for (one, parsed) in loaded.iter().zip(parsed) {
        let files = Layer {
            below: &disk,
            files: sum.iter().map(|(path, change)| (path.clone(), change.after.clone())).collect(),
        };
        let (input, changes) = plan_one(request, &gates, &files, &sum, one, parsed, &mut report.notes);
        report.inputs.push(input);
        changes.into_iter().for_each(|change| add(&mut sum, change));
    }
    let ok = report.inputs.iter().all(InputReport::is_ok);
    if ok || request.policy.partial {
        report.changes = sum.into_values().filter(|change| change.before != change.after).collect();
    }
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

fn plan_one(
    request: &Request,
    gates: &Gates<'_>,
    files: &dyn Files,
    planned: &BTreeMap<RelPath, Change>,
    loaded: &Loaded,
    mut parsed: Parsed<'_>,
    notes: &mut Vec<String>,
) -> (InputReport, Vec<Change>) {
    let mut input = InputReport { name: loaded.name.clone(), ..InputReport::default() };
    if let Some(refusal) = seen::refuse(&loaded.bytes, &parsed, request.format) {
        input.failure = Some(Failure::refused(&refusal));
        return (input, Vec::new());
    }
    leave_out(&mut parsed, &request.limits, notes);
    if parsed.edits.is_empty() && parsed.faults.is_empty() {
        let seen = "all edits are left out by --only or --skip".to_owned();
        input.failure = Some(Failure::refused(&Refusal::NoEdit { seen }));
        return (input, Vec::new());
    }
    let plan = gates.plan(parsed.clone(), files, planned, &request.policy);
    input.sought = sought(&parsed, &plan);
    if request.retry {
        input.offers = retry::offers(&parsed, &plan.verdicts, files);
    }
    let over = gates.over_budget(&plan.changes, planned);
    input.failure = over.map(|refusal| Failure::refused(&refusal));
    input.verdicts = plan.verdicts;
    let changes = if input.failure.is_some() { Vec::new() } else { plan.changes };
    (input, changes)
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

/// The old text of each refused hunk, for the report.
fn sought(parsed: &Parsed<'_>, plan: &Plan) -> BTreeMap<(usize, usize), Vec<Vec<u8>>> {
    let refused = plan.verdicts.iter().filter(|verdict| matches!(verdict.outcome, Outcome::Refused(_)));
    let refused: std::collections::BTreeSet<usize> = refused.map(|verdict| verdict.id).collect();
    let mut out = BTreeMap::new();
    for edit in parsed.edits.iter().filter(|edit| refused.contains(&edit.id)) {
        if let Op::Update { hunks } = &edit.op {
            for hunk in hunks {
                let old = hunk.body().lines.iter().filter(|line| line.tag != Tag::Add);
                let old = old.take(MAX_SOUGHT).map(|line| line.text.to_vec()).collect();
                out.insert((edit.id, hunk.span.first), old);
            }
        }
    }
    out
}

enum Finished {
    Done(Box<Report>),
    /// Another run wrote meanwhile what the plan stands on.
    Stale,
}

/// Writes what was planned, if that was asked for and nothing stands against it.
fn finish(request: &Request, root: &Root, mut report: Report) -> Finished {
    report.file_notes = risky(&report.changes);
    let ok = report.inputs.iter().all(InputReport::is_ok);
    if (ok || !report.changes.is_empty()) && is_unexpected(request, root, &mut report) {
        report.changes.clear();
        return Finished::Done(Box::new(report));
    }
    if request.mode != Mode::Write || report.changes.is_empty() {
        return Finished::Done(Box::new(report));
    }
    match write(request, root, &mut report) {
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
            report.failure = Some(Failure { code: "not-expected", message, trouble: false });
            report.differences = different;
        }
        Err(failure) => report.failure = Some(failure),
    }
    true
}

fn write(request: &Request, root: &Root, report: &mut Report) -> Result<(), CommitError> {
    let plan = Plan { changes: std::mem::take(&mut report.changes), verdicts: Vec::new() };
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
    let written =
        |change: &Change| Some((change.path.clone(), ledger::version(&change.after.as_ref()?.bytes)));
    let files: Vec<(RelPath, Version)> = changes.iter().filter_map(written).collect();
    let error = ledger::remember(root, named, &files).err()?;
    Some(format!("what was written is not remembered as read: {}", crate::tree::root::plain_error(&error)))
}

/// Why a transaction came to nothing, as a report says it.
pub fn commit_failure(error: &CommitError) -> Failure {
    let message = escape::text(&error.to_string());
    Failure { code: error.code(), message, trouble: !error.is_refusal() }
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
