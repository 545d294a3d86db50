//! Which objects of a JSON value are calls: bare arguments, or arguments in the frame of a transcript.

use crate::edit::Span;

use super::super::json::{self, Object, Value, Wrong};

/// A call as it stands, its arguments not yet read.
#[derive(Clone, Debug)]
pub struct Found {
    pub span: Span,
    pub id: Option<String>,
    pub name: Option<Vec<u8>>,
    pub args: Result<Args, Wrong>,
}

/// What a call was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Args {
    Object(Object),
    /// A text that is no JSON (Codex's custom tools).
    Text(Vec<u8>),
}

/// Members that hold what a tool answered, or what tools there are: no calls.
const ANSWERS: &[&str] = &[
    "toolUseResult",
    "tool_result",
    "tool_results",
    "toolResult",
    "tool_response",
    "functionResponse",
    "result",
    "results",
    "output",
    "response",
    "metadata",
    "tools",
    "functions",
    "functionDeclarations",
    "input_schema",
    "inputSchema",
    "properties",
    "schema",
    "definitions",
    "$defs",
];

/// Finds the calls of a value, in order.
pub fn calls(value: Value, line: usize, out: &mut Vec<Found>) {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(values) => waiting.extend(values.into_iter().rev()),
            Value::Object(object) => {
                if is_answer(&object) {
                    continue;
                }
                match call(object, line) {
                    Ok(mut found) => {
                        waiting.extend(batched(&mut found));
                        out.push(found);
                    }
                    Err(object) => waiting.extend(inner(object)),
                }
            }
            _ => {}
        }
    }
}

/// The members that may hold calls, the last first.
fn inner(object: Object) -> Vec<Value> {
    let own = |name: &[u8]| !ANSWERS.iter().any(|answer| answer.as_bytes() == name);
    let mut values: Vec<Value> =
        object.members.into_iter().filter(|(name, _)| own(name)).map(|(_, value)| value).collect();
    values.reverse();
    values
}

/// The calls that a call of several carries, the last first.
fn batched(found: &mut Found) -> Vec<Value> {
    let Ok(Args::Object(object)) = &mut found.args else { return Vec::new() };
    let lists = ["tool_calls", "tool_uses", "calls", "invocations"];
    let list = object.members.iter_mut().find(|(name, _)| lists.iter().any(|list| list.as_bytes() == name));
    match list.map(|(_, value)| std::mem::replace(value, Value::Null)) {
        Some(Value::Array(mut values)) => {
            values.reverse();
            values
        }
        _ => Vec::new(),
    }
}

fn is_answer(object: &Object) -> bool {
    let kind = object.str("type").unwrap_or_default();
    let role = object.str("role").unwrap_or_default();
    let answers: [&[u8]; 8] = [
        b"tool_result",
        b"tool-result",
        b"toolResult",
        b"function_call_output",
        b"custom_tool_call_output",
        b"functionResponse",
        b"thinking",
        b"reasoning",
    ];
    answers.contains(&kind) || matches!(role, b"tool" | b"function" | b"toolResult")
}

/// The call that an object is, else the object again.
fn call(mut object: Object, line: usize) -> Result<Found, Object> {
    let span = Span::new(object.first.max(line), object.last);
    if let Some(frame) = frame(&object) {
        let id = ["id", "call_id", "callId", "tool_use_id", "toolCallId", "tool_call_id", "callID"]
            .iter()
            .find_map(|key| object.str(key))
            .map(printable);
        let args = take(&mut object, &frame.args);
        return Ok(Found { span, id, name: frame.name, args: arguments(args, span.first) });
    }
    if is_bare(&object) {
        let id = ["id", "call_id", "toolCallId"].iter().find_map(|key| object.str(key)).map(printable);
        let name = object.str("tool").or_else(|| object.str("name")).map(<[u8]>::to_vec);
        return Ok(Found { span, id, name, args: Ok(Args::Object(object)) });
    }
    Err(object)
}

/// An id as messages show it.
fn printable(id: &[u8]) -> String {
    String::from_utf8_lossy(id).chars().take(80).collect()
}

/// Where a frame keeps the tool's name and arguments.
struct Frame {
    name: Option<Vec<u8>>,
    /// The keys on the way to the arguments.
    args: Vec<&'static str>,
}

fn frame(object: &Object) -> Option<Frame> {
    for outer in ["functionCall", "function_call", "function"] {
        if let Some(inner) = object.get(outer).and_then(Value::as_object)
            && let Some(frame) = named(inner)
        {
            let args = std::iter::once(outer).chain(frame.args).collect();
            return Some(Frame { args, ..frame });
        }
    }
    let state = object.get("state").and_then(Value::as_object);
    if let Some(name) = object.str("tool")
        && state.is_some_and(|state| state.get("input").is_some())
    {
        return Some(Frame { name: Some(name.to_vec()), args: vec!["state", "input"] });
    }
    named(object)
}

/// A name and, beside it, arguments.
fn named(object: &Object) -> Option<Frame> {
    let name = ["name", "toolName", "tool_name", "tool", "recipient_name"]
        .iter()
        .find_map(|key| object.str(key))
        .filter(|name| !name.is_empty() && name.len() <= 100)?;
    let key =
        ["input", "arguments", "args", "parameters", "params", "tool_input"].into_iter().find(|key| {
            match object.get(key) {
                Some(Value::Object(args)) => !is_schema(args),
                Some(Value::String(_)) => true,
                _ => false,
            }
        })?;
    // Text beside a name is a call only where the frame says so or the text is JSON.
    let framed = object.get("type").or(object.get("call_id")).or(object.get("id")).is_some();
    let json = object.str(key).is_none_or(|text| text.trim_ascii_start().starts_with(b"{"));
    (framed || json).then(|| Frame { name: Some(name.to_vec()), args: vec![key] })
}

fn is_schema(args: &Object) -> bool {
    args.get("properties").and_then(Value::as_object).is_some()
}

fn take(object: &mut Object, way: &[&'static str]) -> Value {
    let mut value = Value::Object(std::mem::take(object));
    for key in way {
        let Value::Object(object) = value else { return Value::Null };
        let found = object.members.into_iter().find(|(name, _)| name == key.as_bytes());
        value = found.map_or(Value::Null, |(_, value)| value);
    }
    value
}

/// Arguments as an object, as JSON in a string, or as plain text.
fn arguments(value: Value, line: usize) -> Result<Args, Wrong> {
    match value {
        Value::Object(object) => Ok(Args::Object(object)),
        Value::String(text) if text.trim_ascii_start().starts_with(b"{") => {
            match json::read_all(&text, line)? {
                Value::Object(object) => Ok(Args::Object(object)),
                _ => Ok(Args::Text(text)),
            }
        }
        Value::String(text) => Ok(Args::Text(text)),
        _ => Ok(Args::Object(Object::default())),
    }
}

/// Arguments without any frame.
fn is_bare(object: &Object) -> bool {
    let text = |key: &str| object.str(key).is_some();
    let has = |keys: &[&str]| keys.iter().any(|key| text(key));
    let path = has(&["path", "file_path", "filePath", "target_file", "target_file_path"]);
    let olds = has(&["old_string", "oldString", "oldText", "old_text", "old_str"]);
    let news = has(&["new_string", "newString", "newText", "new_text", "new_str", "insert_text"]);
    let listed = matches!(object.get("edits"), Some(Value::Array(_) | Value::Object(_) | Value::String(_)));
    let commanded = object.str("command").is_some_and(|command| {
        matches!(command, b"view" | b"create" | b"str_replace" | b"insert" | b"undo_edit")
    });
    let patched = |key: &str| object.str(key).is_some_and(super::carried::is_patch);
    olds && (news || path)
        || news && path
        || text("code_edit")
        || path && (commanded || listed)
        || path && text("search") && text("replace")
        || path && object.str("diff").is_some_and(super::carried::is_change)
        || text("patchText")
        || patched("patch")
        || patched("input")
        || object.get("command").is_some_and(super::carried::commands_patch)
        || is_write(object)
}

/// A path and a content, and nothing that a tool would not be given.
fn is_write(object: &Object) -> bool {
    let sure = object.str("file_path").or_else(|| object.str("filePath")).is_some();
    let path = sure || object.str("path").is_some();
    let known = |(name, _): &(Vec<u8>, Value)| {
        ["path", "file_path", "filePath", "content", "if_match", "description", "instruction"]
            .iter()
            .any(|key| key.as_bytes() == name)
    };
    path && object.str("content").is_some() && object.members.iter().all(known)
}
