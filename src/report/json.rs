//! The report for programs: one JSON object.

use serde::Serialize;

use super::{Diagnosis, Exit, Failure, Finding, InputReport, Mode, Report, diff, stat, words};
use crate::{
    edit::{Edit, Fault, Op, Parsed, Span},
    plan::{HunkOutcome, HunkVerdict, Outcome, Verdict},
    refusal::Refusal,
};

#[derive(Serialize)]
struct ReportJson<'r> {
    version: u32,
    status: &'static str,
    exit: u8,
    mode: &'static str,
    written: bool,
    root: String,
    inputs: Vec<InputJson<'r>>,
    files: Vec<FileJson>,
    notes: Vec<String>,
    /// By this name `edapply undo` takes it back.
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorJson>,
    /// What a failed command wrote last.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    details: &'r [String],
    /// From what was expected to what was planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnosis: Option<DiagnosisJson<'r>>,
}

#[derive(Serialize)]
struct DiagnosisJson<'r> {
    command: &'r str,
    finished: bool,
    errors: Vec<FindingJson<'r>>,
    more: usize,
}

#[derive(Serialize)]
struct FindingJson<'r> {
    file: &'r str,
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    text: &'r str,
}

#[derive(Serialize)]
struct InputJson<'r> {
    input: &'r str,
    edits: Vec<VerdictJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorJson>,
}

#[derive(Serialize)]
struct ErrorJson {
    code: &'static str,
    message: String,
    next: String,
}

/// A path; its bytes too if they are no UTF-8.
#[derive(Serialize)]
pub(crate) struct PathJson {
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_b64: Option<String>,
}

#[derive(Serialize)]
struct VerdictJson {
    id: usize,
    format: &'static str,
    #[serde(flatten)]
    path: PathJson,
    named: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    input_lines: [usize; 2],
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<RefusalJson>,
    hunks: Vec<HunkJson>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct RefusalJson {
    code: &'static str,
    message: String,
    next: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    closest: Vec<ClosestJson>,
}

#[derive(Serialize)]
struct ClosestJson {
    first: usize,
    lines: Vec<String>,
    difference: String,
}

#[derive(Serialize)]
struct HunkJson {
    input_lines: [usize; 2],
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<RefusalJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Serialize)]
struct FileJson {
    op: char,
    #[serde(flatten)]
    path: PathJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    added: usize,
    removed: usize,
    /// What is no text: a symbolic link or a binary file.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
}

/// The report as one line of JSON.
///
/// # Errors
/// None in practice: everything in it is a string or a number.
pub fn report(report: &Report) -> serde_json::Result<String> {
    let exit = report.exit();
    let file = |file: stat::FileLine| FileJson {
        op: file.kind,
        path: path(Some(&file.path)),
        from: file.from.as_deref().map(lossy),
        added: file.added,
        removed: file.removed,
        kind: file.what(),
    };
    let file_notes = report.file_notes.iter().map(|(path, note)| format!("{path}: {note}"));
    serde_json::to_string(&ReportJson {
        version: 1,
        status: match exit {
            Exit::Ok => "ok",
            Exit::Fail => "fail",
            Exit::Wrong => "wrong",
            _ => "trouble",
        },
        exit: exit as u8,
        mode: match report.mode {
            Mode::Write => "write",
            Mode::DryRun => "dry-run",
            Mode::Check => "check",
        },
        written: report.written,
        root: report.root.to_string_lossy().into_owned(),
        inputs: report.inputs.iter().map(input).collect(),
        files: stat::files(&report.changes).into_iter().map(file).collect(),
        notes: report.notes.iter().cloned().chain(file_notes).collect(),
        batch: report.batch.as_deref(),
        error: report.failure.as_ref().map(failure),
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

fn input(input: &InputReport) -> InputJson<'_> {
    InputJson {
        input: &input.name,
        edits: input.verdicts.iter().map(verdict).collect(),
        error: input.failure.as_ref().map(failure),
    }
}

fn failure(failure: &Failure) -> ErrorJson {
    ErrorJson { code: failure.code, message: failure.message.clone(), next: failure.next().to_owned() }
}

fn verdict(verdict: &Verdict) -> VerdictJson {
    let (outcome, refused) = match &verdict.outcome {
        Outcome::Applied => ("applied", None),
        Outcome::Already => ("already", None),
        Outcome::Refused(refused) => ("refused", Some(refusal(refused))),
    };
    VerdictJson {
        id: verdict.id,
        format: verdict.format.name(),
        path: path(verdict.path.as_ref().map(|path| path.as_bytes())),
        named: verdict.named.as_deref().map(lossy),
        call: verdict.call.clone(),
        input_lines: span(verdict.span),
        outcome,
        refusal: refused,
        hunks: verdict.hunks.iter().map(hunk).collect(),
        notes: verdict.notes.iter().map(|note| note.text.clone()).collect(),
    }
}

fn hunk(hunk: &HunkVerdict) -> HunkJson {
    let mut json = HunkJson {
        input_lines: span(hunk.span),
        outcome: "placed",
        view: None,
        lines: None,
        removed: None,
        added: None,
        offset: None,
        refusal: None,
        notes: Vec::new(),
    };
    match &hunk.outcome {
        HunkOutcome::Placed { view, first, last, removed, added, offset, notes } => {
            json.view = Some(words::view_code(*view));
            json.lines = Some([*first, *last]);
            (json.removed, json.added) = (Some(*removed), Some(*added));
            json.offset = *offset;
            json.notes.clone_from(notes);
        }
        HunkOutcome::Already { first } => {
            json.outcome = "already";
            json.lines = Some([*first, *first]);
        }
        HunkOutcome::Twice => json.outcome = "twice",
        HunkOutcome::Refused(why) => {
            json.outcome = "refused";
            json.refusal = Some(refusal(why));
        }
    }
    json
}

fn refusal(refusal: &Refusal) -> RefusalJson {
    let mut json = RefusalJson {
        code: refusal.code(),
        message: refusal.to_string(),
        next: refusal.next().into_owned(),
        lines: Vec::new(),
        closest: Vec::new(),
    };
    match refusal {
        Refusal::Ambiguous { lines } => json.lines.clone_from(lines),
        Refusal::NotFound { closest, .. } => {
            json.closest.extend(closest.iter().map(|closest| ClosestJson {
                first: closest.quote.first,
                lines: closest.quote.lines.iter().map(|line| lossy(line)).collect(),
                difference: closest.difference.clone(),
            }));
        }
        _ => {}
    }
    json
}

fn span(span: Span) -> [usize; 2] {
    [span.first, span.last]
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(crate) fn path(bytes: Option<&[u8]>) -> PathJson {
    let path_b64 = bytes.filter(|bytes| std::str::from_utf8(bytes).is_err()).map(base64);
    PathJson { path: bytes.map(lossy), path_b64 }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * at) & 63) as usize];
            out.push(if at > chunk.len() { '=' } else { char::from(letter) });
        }
    }
    out
}

#[derive(Serialize)]
struct InspectJson {
    edits: Vec<InspectedJson>,
    skipped: usize,
}

#[derive(Serialize)]
struct InspectedJson {
    /// Only where there are several inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<String>,
    id: usize,
    format: &'static str,
    #[serde(flatten)]
    path: PathJson,
    input_lines: [usize; 2],
    op: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    move_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<RefusalJson>,
}

/// What the inputs hold, as one line of JSON; an input has a name if there are several.
///
/// # Errors
/// As [`report()`].
pub fn inspected(inputs: &[(Option<String>, &Parsed<'_>)]) -> serde_json::Result<String> {
    let mut edits = Vec::new();
    for (name, parsed) in inputs {
        let mut all: Vec<InspectedJson> = parsed.edits.iter().map(inspected_edit).collect();
        all.extend(parsed.faults.iter().map(inspected_fault));
        all.sort_by_key(|edit| edit.id);
        edits.extend(all.into_iter().map(|edit| InspectedJson { input: name.clone(), ..edit }));
    }
    serde_json::to_string(&InspectJson {
        edits,
        skipped: inputs.iter().map(|(_, parsed)| parsed.skipped).sum(),
    })
}

fn inspected_edit(edit: &Edit<'_>) -> InspectedJson {
    InspectedJson {
        input: None,
        id: edit.id,
        format: edit.format.name(),
        path: path(edit.path.as_ref().map(|name| name.text.as_ref())),
        input_lines: span(edit.span),
        op: op_name(edit),
        move_to: edit.move_to.as_ref().map(|name| lossy(&name.text)),
        refusal: None,
    }
}

fn inspected_fault(fault: &Fault<'_>) -> InspectedJson {
    InspectedJson {
        input: None,
        id: fault.id,
        format: fault.format.name(),
        path: path(fault.path.as_ref().map(|name| name.text.as_ref())),
        input_lines: span(fault.span),
        op: "fault",
        move_to: None,
        refusal: Some(refusal(&fault.refusal)),
    }
}

/// The word for what an edit does.
pub fn op_name(edit: &Edit<'_>) -> &'static str {
    match (&edit.op, &edit.move_to) {
        (Op::Create { .. }, _) => "create",
        (Op::Whole { .. }, _) => "write",
        (Op::Append { .. }, _) => "append",
        (Op::Delete { .. }, _) => "delete",
        (Op::Lines(lines), _) if lines.remove => "delete",
        (Op::Lines(_), Some(_)) => "move",
        (Op::Lines(_), None) => "update",
        (Op::Binary(binary), None) if binary.old.is_none() => "create",
        (Op::Binary(binary), None) if binary.new.is_none() => "delete",
        (Op::Update { .. } | Op::Binary(_), Some(_)) if edit.copy => "copy",
        (Op::Update { .. } | Op::Binary(_), Some(_)) => "move",
        (Op::Update { .. } | Op::Binary(_), None) => "update",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_as_everywhere() {
        let all = [&b""[..], b"f", b"fo", b"foo", b"caf\xe9"].map(base64);
        assert_eq!(all, ["", "Zg==", "Zm8=", "Zm9v", "Y2Fm6Q=="]);
    }

    #[test]
    fn names_that_are_no_utf8_come_in_full() {
        let json = serde_json::to_string(&path(Some(b"caf\xe9"))).expect("JSON");
        assert_eq!(json, "{\"path\":\"caf\u{fffd}\",\"path_b64\":\"Y2Fm6Q==\"}");
    }
}
