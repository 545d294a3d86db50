//! The report of a run that applies edits, or would.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Document, ErrorJson, FileJson, PathJson, RefusalJson, Status, files, lossy, path, refusal};
use crate::{
    edit::{Format, Span},
    place::View,
    plan::{HunkOutcome, HunkVerdict, Outcome, Verdict},
    report::{Diagnosis, Finding, InputReport, Mode, Report, diff},
    tree::RelPath,
};

/// How much a report holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    #[default]
    Short,
    /// Also the whole content of every file before and after.
    Full,
}

/// What came of the edits of a transaction.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Apply<'r> {
    status: Status,
    /// The exit code.
    exit: u8,
    mode: ModeJson,
    /// Files were written.
    written: bool,
    /// The folder that all paths are relative to.
    root: String,
    inputs: Vec<InputJson<'r>>,
    /// What was written, or would be; none if the run came to nothing.
    files: Vec<FileJson>,
    notes: Vec<String>,
    /// By this name `edapply undo` takes it back.
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<&'r str>,
    /// Why the whole run came to nothing, beyond what its edits tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorJson>,
    /// What a failed command wrote last.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    details: &'r [String],
    /// A diff from what `--expect` names to what was planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
    /// What the command of `--diagnose` said.
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnosis: Option<DiagnosisJson<'r>>,
}

impl Document for Apply<'_> {
    const REPORT: &'static str = "apply";
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum ModeJson {
    Write,
    /// Shows the change, writes nothing.
    DryRun,
    /// Tells whether it would apply, writes nothing.
    Check,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DiagnosisJson<'r> {
    command: &'r str,
    /// False: nothing found does not mean that all is well.
    finished: bool,
    errors: Vec<FindingJson<'r>>,
    /// Errors that are left out.
    more: usize,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FindingJson<'r> {
    file: &'r str,
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    text: &'r str,
}

/// One input and the verdicts on its edits.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct InputJson<'r> {
    /// The file's name, `-` for standard input.
    input: &'r str,
    edits: Vec<EditJson>,
    /// Nothing could be read as an edit, or the input as a whole was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorJson>,
}

/// What became of an edit or of a hunk.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
enum VerdictWord {
    /// It fits, and was applied unless something else was refused.
    Applied,
    /// What it asks for stands already.
    Already,
    /// The same hunk was sent before; it means one change.
    Twice,
    Refused,
}

/// One block, call or file section of an input.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EditJson {
    /// Counted from 0 over all inputs of the run.
    index: usize,
    /// Counted from 1 in its input.
    id: usize,
    format: Format,
    /// The file, once it is known which one is meant.
    #[serde(flatten)]
    path: PathJson,
    /// The path as the input writes it.
    named: Option<String>,
    /// The id of the tool call that the edit is.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    /// First and last line in the input, from 1.
    input_lines: [usize; 2],
    verdict: VerdictWord,
    /// The code of the refusal.
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<RefusalJson>,
    hunks: Vec<HunkJson>,
    notes: Vec<String>,
}

/// One change of lines.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct HunkJson {
    /// First and last line in the input, from 1.
    input_lines: [usize; 2],
    verdict: VerdictWord,
    /// The way to compare under which the old text matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<View>,
    /// First and last line that change, from 1, as the hunk found the file: as the input did, or, where hunks are
    /// placed one after another, as the one before left it. The last is one less than the first where lines are only
    /// added.
    #[serde(skip_serializing_if = "Option::is_none")]
    old_lines: Option<[usize; 2]>,
    /// The same lines after all edits of the input; the last is one less than the first where lines only go.
    #[serde(skip_serializing_if = "Option::is_none")]
    new_lines: Option<[usize; 2]>,
    /// Lines removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<usize>,
    /// Lines added.
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<usize>,
    /// How many lines the place is below the one that the input states.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<RefusalJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The report as one line of JSON.
///
/// # Errors
/// None in practice: everything in it is a string or a number.
pub fn report(report: &Report, detail: Detail) -> serde_json::Result<String> {
    let exit = report.exit();
    let file_notes = report.file_notes.iter().map(|(path, note)| format!("{path}: {note}"));
    let mut index = 0;
    super::line(&Apply {
        status: exit.into(),
        exit: exit as u8,
        mode: match report.mode {
            Mode::Write => ModeJson::Write,
            Mode::DryRun => ModeJson::DryRun,
            Mode::Check => ModeJson::Check,
        },
        written: report.written,
        root: report.root.to_string_lossy().into_owned(),
        inputs: report.inputs.iter().map(|one| input(one, &mut index)).collect(),
        files: files(&report.changes, detail),
        notes: report.notes.iter().cloned().chain(file_notes).collect(),
        batch: report.batch.as_deref(),
        error: report.failure.as_ref().map(ErrorJson::from),
        details: &report.details,
        difference: difference(report),
        diagnosis: report.diagnosis.as_ref().map(diagnosis),
    })
}

fn difference(report: &Report) -> Option<String> {
    let mut text = Vec::new();
    diff::write(&report.differences, false, &mut text).ok()?;
    (!text.is_empty()).then(|| lossy(&text))
}

fn finding(finding: &Finding) -> FindingJson<'_> {
    let Finding { file, line, column, text } = finding;
    FindingJson { file, line: *line, column: *column, text }
}

fn diagnosis(diagnosis: &Diagnosis) -> DiagnosisJson<'_> {
    DiagnosisJson {
        command: &diagnosis.command,
        finished: diagnosis.unfinished.is_none(),
        errors: diagnosis.findings.iter().map(finding).collect(),
        more: diagnosis.more,
    }
}

fn input<'r>(input: &'r InputReport, index: &mut usize) -> InputJson<'r> {
    let steps = Steps::new(&input.verdicts);
    let mut edits = Vec::with_capacity(input.verdicts.len());
    for one in &input.verdicts {
        edits.push(verdict(one, *index, &steps));
        *index += 1;
    }
    InputJson { input: &input.name, edits, error: input.failure.as_ref().map(ErrorJson::from) }
}

/// A hunk in its place.
#[derive(Clone, Copy)]
struct Step {
    first: usize,
    last: usize,
    /// How many lines it adds.
    shift: isize,
}

impl Step {
    fn of(hunk: &HunkVerdict) -> Option<Step> {
        let HunkOutcome::Placed { first, last, removed, added, .. } = hunk.outcome else { return None };
        Some(Step { first, last, shift: added.cast_signed() - removed.cast_signed() })
    }

    /// It only adds lines, above `first`.
    fn inserts(self) -> bool {
        self.last < self.first
    }
}

/// The steps on a file, by turn.
type Turns<'v> = BTreeMap<usize, Vec<(&'v HunkVerdict, Step)>>;

/// The steps of an input.
struct Steps<'v>(BTreeMap<&'v RelPath, Turns<'v>>);

impl<'v> Steps<'v> {
    fn new(verdicts: &'v [Verdict]) -> Steps<'v> {
        let mut all: BTreeMap<&RelPath, Turns<'v>> = BTreeMap::new();
        for verdict in verdicts.iter().filter(|verdict| verdict.outcome == Outcome::Applied) {
            let Some(path) = &verdict.path else { continue };
            let turns = all.entry(path).or_default();
            for hunk in &verdict.hunks {
                turns.entry(hunk.turn).or_default().extend(Step::of(hunk).map(|step| (hunk, step)));
            }
        }
        Steps(all)
    }

    /// Where the `count` lines that a hunk leaves stand after the last turn: the first, and the one behind them.
    fn after(&self, path: Option<&RelPath>, hunk: &HunkVerdict, mine: Step, count: usize) -> [usize; 2] {
        let turns = path.and_then(|path| self.0.get(path));
        let mut turns = turns.into_iter().flat_map(|turns| turns.range(hunk.turn..)).peekable();
        let mut start = mine.first;
        if let Some((_, steps)) = turns.next_if(|(turn, _)| **turn == hunk.turn) {
            let at = steps.iter().position(|(other, _)| std::ptr::eq(*other, hunk)).unwrap_or(steps.len());
            let is_above = |(nth, step): (usize, Step)| {
                let beside = step.first == mine.first && nth != at && step.inserts();
                step.first < mine.first || (beside && (nth < at || !mine.inserts()))
            };
            let above = steps.iter().map(|(_, step)| *step).enumerate().filter(|step| is_above(*step));
            start = start.saturating_add_signed(above.map(|(_, step)| step.shift).sum());
        }
        turns.fold([start, start + count], |[start, end], (_, steps)| {
            let sum = |is_above: &dyn Fn(Step) -> bool| -> isize {
                steps
                    .iter()
                    .map(|(_, step)| *step)
                    .filter(|step| is_above(*step))
                    .map(|step| step.shift)
                    .sum()
            };
            let above = sum(&|step| step.first < start || (step.first == start && step.inserts()));
            let within = sum(&|step| step.first < end);
            [start.saturating_add_signed(above), end.saturating_add_signed(within)]
        })
    }
}

fn verdict(verdict: &Verdict, index: usize, steps: &Steps<'_>) -> EditJson {
    let (word, refused) = match &verdict.outcome {
        Outcome::Applied => (VerdictWord::Applied, None),
        Outcome::Already => (VerdictWord::Already, None),
        Outcome::Refused(refused) => (VerdictWord::Refused, Some(refusal(refused))),
    };
    EditJson {
        index,
        id: verdict.id,
        format: verdict.format,
        path: path(verdict.path.as_ref().map(|path| path.as_bytes())),
        named: verdict.named.as_deref().map(lossy),
        call: verdict.call.clone(),
        input_lines: span(verdict.span),
        verdict: word,
        code: refused.as_ref().map(|refused| refused.code),
        refusal: refused,
        hunks: verdict.hunks.iter().map(|one| hunk(one, verdict.path.as_ref(), steps)).collect(),
        notes: verdict.notes.iter().map(|note| note.text.clone()).collect(),
    }
}

fn hunk(hunk: &HunkVerdict, path: Option<&RelPath>, steps: &Steps<'_>) -> HunkJson {
    let mut json = HunkJson {
        input_lines: span(hunk.span),
        verdict: VerdictWord::Applied,
        view: None,
        old_lines: None,
        new_lines: None,
        removed: None,
        added: None,
        offset: None,
        refusal: None,
        notes: Vec::new(),
    };
    match &hunk.outcome {
        HunkOutcome::Placed { view, first, last, removed, added, offset, notes } => {
            json.view = Some(*view);
            json.old_lines = Some([*first, *last]);
            let kept = (last + 1).saturating_sub(first + removed);
            let mine = Step::of(hunk).unwrap_or(Step { first: *first, last: *last, shift: 0 });
            let [start, end] = steps.after(path, hunk, mine, kept + added);
            json.new_lines = Some([start, end.saturating_sub(1)]);
            (json.removed, json.added) = (Some(*removed), Some(*added));
            json.offset = *offset;
            json.notes.clone_from(notes);
        }
        HunkOutcome::Already { first } => {
            json.verdict = VerdictWord::Already;
            json.old_lines = Some([*first, *first]);
        }
        HunkOutcome::Twice => json.verdict = VerdictWord::Twice,
        HunkOutcome::Refused(why) => {
            json.verdict = VerdictWord::Refused;
            json.refusal = Some(refusal(why));
        }
    }
    json
}

pub(super) fn span(span: Span) -> [usize; 2] {
    [span.first, span.last]
}
