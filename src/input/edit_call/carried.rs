//! Patches and blocks that stand in a call's argument, and shell commands that carry one.

use std::borrow::Cow;

use super::envelope::Found;
use crate::{
    edit::{Edit, Fault, Format, Hunk, Name, Op, Span},
    input::{
        InputLine, detect,
        diffs::{self, Wanted},
        json::{Object, Value},
        lines as cut,
        section::{End, Item},
    },
    refusal::Refusal,
};

/// A patch that names its files: V4A, or hashline's sections.
pub fn is_patch(text: &[u8]) -> bool {
    let has =
        |start: &[u8]| text.split(|&b| b == b'\n').any(|line| line.trim_ascii_start().starts_with(start));
    has(b"*** Begin Patch")
        || has(b"*** Update File:")
        || has(b"*** Add File:")
        || has(b"*** Delete File:")
        || is_hashline(text)
}

fn is_hashline(text: &[u8]) -> bool {
    let first = text.split(|&b| b == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    let first = first.trim_ascii();
    first.starts_with(b"[") && first.ends_with(b"]") && first.contains(&b'#')
}

/// Blocks or hunks for a file that is named elsewhere.
pub fn is_change(text: &[u8]) -> bool {
    is_patch(text)
        || form(text) != Format::Unified
        || text.split(|&b| b == b'\n').any(|line| line.starts_with(b"@@"))
}

fn form(text: &[u8]) -> Format {
    let mut lines = text.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    let search = |line: &[u8]| line.ends_with(b"SEARCH") || line.ends_with(b"SEARCH>");
    if is_hashline(text) {
        Format::Hashline
    } else if is_patch(text) {
        Format::V4a
    } else if lines.any(|line| search(line) && matches!(line.first(), Some(b'<' | b'-'))) {
        Format::SearchReplace
    } else {
        Format::Unified
    }
}

/// The edits of a patch, as if they stood where the call stands.
pub fn items(text: &[u8], call: &Found, path: Option<&[u8]>) -> Result<Vec<Item<'static>>, Refusal> {
    let lines = lines_at(text, call.span.first);
    let form = form(text);
    let mut found = match form {
        Format::Unified => diffs::read_fence(&lines, end_of(&lines), true, Wanted(Some(form))),
        _ => detect::walk(&lines, Some(form)).items,
    };
    if found.is_empty() {
        return Err(Refusal::Malformed {
            what: "the call carries no patch or block that can be read".into(),
        });
    }
    diffs::fill_paths(&mut found, path.map(|path| Name::plain(path.to_vec())));
    Ok(found.into_iter().map(|item| settled(item, call)).collect())
}

fn lines_at(text: &[u8], number: usize) -> Vec<InputLine<'_>> {
    let mut lines = cut(text);
    lines.iter_mut().for_each(|line| line.number = number);
    lines
}

/// A string ends where its quote says: nothing is cut off.
fn end_of(_: &[InputLine<'_>]) -> End {
    End::Closed
}

fn settled(item: Item<'_>, call: &Found) -> Item<'static> {
    match item {
        Item::Edit(edit) => {
            let mut edit: Edit<'static> = edit.into_owned();
            edit.span = call.span;
            edit.call.id.clone_from(&call.id);
            if let Op::Update { hunks } = &mut edit.op {
                hunks.iter_mut().for_each(|hunk| hunk.span = call.span);
            }
            Item::Edit(edit)
        }
        Item::Fault(fault) => {
            let mut fault: Fault<'static> = fault.into_owned();
            fault.span = call.span;
            fault.call.id.clone_from(&call.id);
            Item::Fault(fault)
        }
    }
}

/// The hunks of a diff without headers.
pub fn hunks(diff: &[u8], span: Span) -> Result<Vec<Hunk<'static>>, Refusal> {
    let lines = lines_at(diff, span.first);
    let mut out = Vec::new();
    for item in diffs::read_fence(&lines, End::Closed, true, Wanted(Some(Format::Unified))) {
        match item {
            Item::Edit(edit) => match edit.into_owned().op {
                Op::Update { hunks } => out.extend(hunks),
                _ => return Err(Refusal::Malformed { what: "`diff` does more than change lines".into() }),
            },
            Item::Fault(fault) => return Err(fault.refusal),
        }
    }
    if out.is_empty() {
        return Err(Refusal::Malformed { what: "`diff` holds no hunk".into() });
    }
    out.iter_mut().for_each(|hunk| hunk.span = span);
    Ok(out)
}

/// A shell's command that holds a V4A patch.
pub fn commands_patch(command: &Value) -> bool {
    patch_in(command).is_some()
}

fn patch_in(command: &Value) -> Option<&[u8]> {
    let holds = |text: &&[u8]| {
        let has = |what: &[u8]| memchr::memmem::find(text, what).is_some();
        has(b"*** Begin Patch")
    };
    match command {
        Value::String(text) => Some(&text[..]).filter(holds).filter(|text| {
            memchr::memmem::find(text, b"apply_patch").is_some()
                || text.trim_ascii_start().starts_with(b"***")
        }),
        Value::Array(words) => words.iter().filter_map(Value::as_str).find(holds),
        _ => None,
    }
}

/// The edits of such a command; relative to the folder that it runs in.
pub fn command(command: &Value, object: &Object, call: &Found) -> Result<Vec<Item<'static>>, Refusal> {
    let text = patch_in(command).unwrap_or_default();
    let mut items = items(&unquoted(text), call, None)?;
    let folder = ["workdir", "cwd"].iter().find_map(|key| object.str(key)).unwrap_or_default();
    let folder = folder.strip_prefix(b"./").unwrap_or(folder);
    if !folder.is_empty() && folder != b"." && !folder.starts_with(b"/") {
        for item in &mut items {
            let (Item::Edit(Edit { path, .. }) | Item::Fault(Fault { path, .. })) = item;
            if let Some(name) = path.as_mut().filter(|name| !name.text.starts_with(b"/")) {
                name.text =
                    Cow::Owned([folder.strip_suffix(b"/").unwrap_or(folder), b"/", &name.text].concat());
            }
            if let Item::Edit(Edit { move_to: Some(name), .. }) = item {
                name.text =
                    Cow::Owned([folder.strip_suffix(b"/").unwrap_or(folder), b"/", &name.text].concat());
            }
        }
    }
    Ok(items)
}

/// A patch that begins behind a quote on the command's own line, begins on a line of its own.
fn unquoted(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(at) = memchr::memmem::find(text, b"*** Begin Patch") else { return Cow::Borrowed(text) };
    let line = text[..at].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let quote = match text[..at].last() {
        Some(quote @ (b'\'' | b'"')) if line < at => *quote,
        _ => return Cow::Borrowed(text),
    };
    let rest = &text[at..];
    let end = rest.iter().rposition(|&b| b == quote).unwrap_or(rest.len());
    Cow::Owned(rest[..end].to_vec())
}
