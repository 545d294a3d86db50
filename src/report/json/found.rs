//! What edits an input holds.

use serde::Serialize;

use super::{Document, PathJson, RefusalJson, apply::span, exactly, lossy, path, refusal};
use crate::edit::{Edit, Fault, Format, Op, Parsed};

/// The edits of all inputs, in order.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Inspected {
    edits: Vec<InspectedJson>,
    /// Code fences that are no edits.
    skipped: usize,
}

impl Document for Inspected {
    const REPORT: &'static str = "inspect";
}

/// One block, call or file section, or a place where one begins that cannot be read.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct InspectedJson {
    /// The input's name; only where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<String>,
    /// Counted from 1 in its input.
    id: usize,
    format: Format,
    /// The name as the input gives it, without decoration; not looked up.
    #[serde(flatten)]
    path: PathJson,
    /// First and last line in the input, from 1.
    input_lines: [usize; 2],
    op: OpWord,
    /// The new name of a file that moves or is copied.
    #[serde(skip_serializing_if = "Option::is_none")]
    move_to: Option<String>,
    /// The bytes of `move_to` if it is no UTF-8, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    move_to_b64: Option<String>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<RefusalJson>,
}

/// What an edit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum OpWord {
    Create,
    /// Sets the whole content.
    Write,
    Append,
    Delete,
    Move,
    Copy,
    Update,
    /// Cannot be read.
    Fault,
}

impl OpWord {
    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            OpWord::Create => "create",
            OpWord::Write => "write",
            OpWord::Append => "append",
            OpWord::Delete => "delete",
            OpWord::Move => "move",
            OpWord::Copy => "copy",
            OpWord::Update => "update",
            OpWord::Fault => "fault",
        }
    }
}

/// What the inputs hold; an input has a name if there are several.
pub fn inspected(inputs: &[(Option<String>, &Parsed<'_>)]) -> Inspected {
    let mut edits = Vec::new();
    for (name, parsed) in inputs {
        let mut all: Vec<InspectedJson> = parsed.edits.iter().map(edit).collect();
        all.extend(parsed.faults.iter().map(fault));
        all.sort_by_key(|edit| edit.id);
        edits.extend(all.into_iter().map(|edit| InspectedJson { input: name.clone(), ..edit }));
    }
    Inspected { edits, skipped: inputs.iter().map(|(_, parsed)| parsed.skipped).sum() }
}

fn edit(edit: &Edit<'_>) -> InspectedJson {
    InspectedJson {
        input: None,
        id: edit.id,
        format: edit.format,
        path: path(edit.path.as_ref().map(|name| name.text.as_ref())),
        input_lines: span(edit.span),
        op: op_name(edit),
        move_to: edit.move_to.as_ref().map(|name| lossy(&name.text)),
        move_to_b64: edit.move_to.as_ref().and_then(|name| exactly(&name.text)),
        refusal: None,
    }
}

fn fault(fault: &Fault<'_>) -> InspectedJson {
    InspectedJson {
        input: None,
        id: fault.id,
        format: fault.format,
        path: path(fault.path.as_ref().map(|name| name.text.as_ref())),
        input_lines: span(fault.span),
        op: OpWord::Fault,
        move_to: None,
        move_to_b64: None,
        refusal: Some(refusal(&fault.refusal)),
    }
}

/// The word for what an edit does.
pub fn op_name(edit: &Edit<'_>) -> OpWord {
    match (&edit.op, &edit.move_to) {
        (Op::Create { .. }, _) => OpWord::Create,
        (Op::Whole { .. }, _) => OpWord::Write,
        (Op::Append { .. }, _) => OpWord::Append,
        (Op::Delete { .. }, _) => OpWord::Delete,
        (Op::Lines(lines), _) if lines.remove => OpWord::Delete,
        (Op::Binary(binary), None) if binary.old.is_none() => OpWord::Create,
        (Op::Binary(binary), None) if binary.new.is_none() => OpWord::Delete,
        (Op::Lines(_) | Op::Update { .. } | Op::Binary(_), None) => OpWord::Update,
        (Op::Update { .. } | Op::Binary(_), Some(_)) if edit.copy => OpWord::Copy,
        (Op::Lines(_) | Op::Update { .. } | Op::Binary(_), Some(_)) => OpWord::Move,
    }
}
