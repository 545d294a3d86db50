//! From a call's arguments to edits: the spelling tells the tool's family, and the family what is meant.

use std::collections::HashMap;

use super::{
    carried,
    envelope::{Args, Found},
    refusal_of, texts,
};
use crate::{
    edit::{Against, Call, Edit, Fault, Format, Hunk, ModeChange, Name, Op},
    input::{
        json::{self, Object, Value},
        section::Item,
    },
    refusal::Refusal,
};

type Result<T> = std::result::Result<T, Refusal>;

/// Tools that change files, in any case and spelling: a call of theirs that can't be read is a fault.
const EDITORS: &[&str] = &[
    "edit",
    "multiedit",
    "write",
    "strreplace",
    "strreplaceeditor",
    "strreplacebasededittool",
    "texteditor",
    "editfile",
    "writefile",
    "writetofile",
    "createfile",
    "replace",
    "replaceinfile",
    "applydiff",
    "applypatch",
    "patch",
    "searchreplace",
    "searchandreplace",
    "insertcontent",
    "notebookedit",
    "windowededit",
    "editor",
    "deletefile",
];

/// The edits of all calls. A call that stands twice under one id is one.
pub fn items(calls: &[Found]) -> Vec<Item<'static>> {
    let mut seen: HashMap<String, Vec<usize>> = HashMap::new();
    let mut out = Vec::new();
    for (at, call) in calls.iter().enumerate() {
        if let Some(id) = &call.id {
            let before = seen.entry(id.clone()).or_default();
            if before.iter().take(8).any(|&other| calls[other].args == call.args) {
                continue;
            }
            before.push(at);
        }
        out.extend(of_call(call));
    }
    out
}

/// A call that is no edit.
pub fn makes_none(call: &Found) -> bool {
    of_call(call).is_empty()
}

fn of_call(call: &Found) -> Vec<Item<'static>> {
    let made = match &call.args {
        Err(wrong) => Err(refusal_of(wrong.clone())),
        Ok(Args::Text(text)) => of_text(call, text),
        Ok(Args::Object(object)) => Reader { object, call }.items(),
    };
    made.unwrap_or_else(|refusal| {
        let path = match &call.args {
            Ok(Args::Object(object)) => path_of(object).ok().flatten(),
            _ => None,
        };
        vec![Item::Fault(Fault {
            id: 0,
            format: Format::EditCall,
            span: call.span,
            path: path.map(|path| Name::plain(path.to_vec())),
            refusal,
            call: Call { id: call.id.clone(), ..Call::default() },
        })]
    })
}

fn of_text(call: &Found, text: &[u8]) -> Result<Vec<Item<'static>>> {
    if carried::is_patch(text) {
        return carried::items(text, call, None);
    }
    if is_editor(call) {
        Err(malformed("the call's input is no patch that can be read"))
    } else {
        Ok(Vec::new())
    }
}

fn malformed(what: impl Into<String>) -> Refusal {
    Refusal::Malformed { what: what.into() }
}

/// The tool's name without its decoration: `functions.str_replace-editor` is `strreplaceeditor`.
fn is_editor(call: &Found) -> bool {
    let Some(name) = &call.name else { return false };
    let name = name.rsplit(|&b| matches!(b, b'.' | b'/' | b':')).next().unwrap_or_default();
    let plain: String = name
        .iter()
        .filter(|b| b.is_ascii_alphanumeric())
        .map(|b| char::from(b.to_ascii_lowercase()))
        .collect();
    EDITORS.contains(&plain.as_str())
}

const PATHS: [&str; 8] =
    ["file_path", "filePath", "path", "target_file", "target_file_path", "targetFile", "filename", "file"];

fn path_of(object: &Object) -> Result<Option<&[u8]>> {
    let mut found: Option<&[u8]> = None;
    for key in PATHS {
        let Some(path) = object.get(key).filter(|value| **value != Value::Null) else { continue };
        let path = path.as_str().ok_or_else(|| malformed(format!("`{key}` must be a string")))?;
        if found.is_some_and(|other| other != path) {
            return Err(malformed("the call names two files"));
        }
        found = Some(path);
    }
    Ok(found)
}

/// How a family spells the old and the new text.
const SPELLINGS: [(&str, &str); 6] = [
    ("old_string", "new_string"),
    ("oldString", "newString"),
    ("oldText", "newText"),
    ("old_text", "new_text"),
    ("old_str", "new_str"),
    ("search", "replace"),
];

/// An old and a new text in one spelling.
struct Pair<'o> {
    spelling: usize,
    old: Option<&'o [u8]>,
    new: Option<&'o [u8]>,
}

fn pair(object: &Object) -> Result<Option<Pair<'_>>> {
    let mut found: Option<Pair<'_>> = None;
    for (spelling, (old, new)) in SPELLINGS.iter().enumerate() {
        let (old, new) = (text(object, old)?, text(object, new)?);
        if old.is_none() && new.is_none() {
            continue;
        }
        if found.is_some() {
            return Err(malformed("the call mixes the argument names of two tools"));
        }
        found = Some(Pair { spelling, old, new });
    }
    Ok(found)
}

fn text<'o>(object: &'o Object, key: &str) -> Result<Option<&'o [u8]>> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(malformed(format!("`{key}` must be a string"))),
    }
}

/// A switch; some models write it in quotes.
fn switch(object: &Object, keys: &[&str]) -> Result<bool> {
    let mut on = false;
    for key in keys {
        on |= match object.get(key) {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(Value::String(text)) if text.eq_ignore_ascii_case(b"true") => true,
            Some(Value::String(text)) if text.eq_ignore_ascii_case(b"false") => false,
            Some(_) => return Err(malformed(format!("`{key}` must be true or false"))),
        };
    }
    Ok(on)
}

fn number(object: &Object, key: &str) -> Result<Option<u64>> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(digits)) => {
            let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
            number.map(Some).ok_or_else(|| malformed(format!("`{key}` must be a whole number from 0")))
        }
        Some(_) => Err(malformed(format!("`{key}` must be a number, and not in quotes"))),
    }
}

/// Which places a replacement means.
#[derive(Clone, Copy, Debug, Default)]
struct Places {
    every: bool,
    count: Option<u64>,
}

fn places(object: &Object) -> Result<Places> {
    const EVERY: [&str; 5] = ["replace_all", "replaceAll", "replace-all", "allow_multiple", "allowMultiple"];
    let every = switch(object, &EVERY)?;
    let counts = [number(object, "expected_replacements")?, number(object, "expectedReplacements")?];
    let count = counts.into_iter().flatten().next();
    if count == Some(0) {
        return Err(malformed("`expected_replacements` is 0: nothing is to be replaced"));
    }
    if switch(
        object,
        &["use_regex", "useRegex", "regex", "is_regex", "isRegex", "ignore_case", "ignoreCase"],
    )? {
        return Err(malformed(
            "the call searches by a pattern or in any case; only literal text is replaced",
        ));
    }
    Ok(Places { every, count: count.filter(|&count| count > 1 || every) })
}

/// What an edit is before it is given its frame.
struct Made {
    op: Op<'static>,
    format: Format,
    against: Against,
    move_to: Option<Vec<u8>>,
}

impl From<Op<'static>> for Made {
    fn from(op: Op<'static>) -> Made {
        Made { op, format: Format::EditCall, against: Against::Either, move_to: None }
    }
}

struct Reader<'o> {
    object: &'o Object,
    call: &'o Found,
}

impl Reader<'_> {
    fn items(&self) -> Result<Vec<Item<'static>>> {
        if switch(self.object, &["dryRun", "dry_run"])? {
            return Ok(Vec::new());
        }
        if let Some(carried) = self.carried()? {
            return self.framed(carried);
        }
        let made = match self.commanded()? {
            Some(made) => made,
            None => self.by_spelling()?,
        };
        if made.is_empty() {
            return Ok(Vec::new());
        }
        let path = path_of(self.object)?;
        let if_match = if_match(self.object)?;
        let edit = |made: Made| {
            Item::Edit(Edit {
                id: 0,
                format: made.format,
                span: self.call.span,
                path: path.map(|path| Name::plain(path.to_vec())),
                move_to: made.move_to.map(Name::plain),
                copy: false,
                mode: ModeChange::default(),
                op: made.op,
                notes: Vec::new(),
                call: Call { id: self.call.id.clone(), against: made.against, if_match: if_match.clone() },
            })
        };
        Ok(made.into_iter().map(edit).collect())
    }

    /// Gives a carried patch what the call says around it.
    fn framed(&self, mut items: Vec<Item<'static>>) -> Result<Vec<Item<'static>>> {
        let if_match = if_match(self.object)?;
        if if_match.is_some() && items.len() > 1 {
            return Err(malformed("`if_match` beside a patch of several files names none of them"));
        }
        for item in &mut items {
            if let Item::Edit(edit) = item {
                edit.call.if_match.clone_from(&if_match);
            }
        }
        Ok(items)
    }

    /// A patch or blocks in one of the arguments.
    fn carried(&self) -> Result<Option<Vec<Item<'static>>>> {
        let path = path_of(self.object)?;
        for key in ["patchText", "patch", "input"] {
            if let Some(text) = self.object.str(key).filter(|text| carried::is_patch(text)) {
                return carried::items(text, self.call, path).map(Some);
            }
        }
        if self.object.get("patchText").is_some() {
            return Err(malformed("`patchText` holds no patch that can be read"));
        }
        if let Some(text) = self.object.str("diff").filter(|_| path.is_some()) {
            return carried::items(text, self.call, path).map(Some);
        }
        let command = self.object.get("command").or_else(|| self.object.get("cmd"));
        match command.filter(|command| carried::commands_patch(command)) {
            Some(command) => carried::command(command, self.object, self.call).map(Some),
            None => Ok(None),
        }
    }

    /// The text editor's commands.
    fn commanded(&self) -> Result<Option<Vec<Made>>> {
        let Some(command) =
            self.object.str("command").filter(|_| path_of(self.object).is_ok_and(|p| p.is_some()))
        else {
            return Ok(None);
        };
        Ok(Some(match command {
            b"view" => Vec::new(),
            b"create" => vec![self.create()?],
            b"str_replace" => {
                let old = text(self.object, "old_str")?.ok_or_else(|| malformed("`old_str` is missing"))?;
                let new = text(self.object, "new_str")?.unwrap_or_default();
                vec![self.replace(old, new, places(self.object)?)?]
            }
            b"insert" => vec![self.insert_behind()?],
            b"undo_edit" => {
                return Err(malformed(
                    "undo_edit takes back an edit that only the tool's own history knows; use `edapply undo`",
                ));
            }
            _ => return Ok(None),
        }))
    }

    fn create(&self) -> Result<Made> {
        let text = text(self.object, "file_text")?.or(text(self.object, "content")?);
        let text = text.ok_or_else(|| malformed("`file_text` is missing"))?;
        Ok(Op::Create { lines: texts::file(text).into() }.into())
    }

    fn by_spelling(&self) -> Result<Vec<Made>> {
        let object = self.object;
        if let Some(text) = text(object, "code_edit")? {
            if path_of(object)?.is_none() {
                return Err(malformed("`target_file` is missing"));
            }
            let op = Op::Whole { lines: texts::file(text).into() };
            return Ok(vec![Made { format: Format::Elided, ..op.into() }]);
        }
        if let Some(edits) = object.get("edits").filter(|edits| **edits != Value::Null) {
            return self.listed(edits);
        }
        if object.get("insert_line").is_some_and(|line| *line != Value::Null) {
            return Ok(vec![self.insert()?]);
        }
        match pair(object)? {
            Some(pair) => self.of_pair(&pair).map(|made| vec![made]),
            None => self.written(),
        }
    }

    /// A whole file, or a call that is no edit.
    fn written(&self) -> Result<Vec<Made>> {
        let path = path_of(self.object)?;
        if path.is_some()
            && let Some(text) = text(self.object, "content")?.or(text(self.object, "file_text")?)
        {
            return Ok(vec![Op::Whole { lines: texts::file(text).into() }.into()]);
        }
        if is_editor(self.call) {
            let name = self.call.name.as_deref().unwrap_or_default();
            let name = String::from_utf8_lossy(name);
            return Err(malformed(format!(
                "the arguments of this call of `{name}` fit no edit tool that is known"
            )));
        }
        Ok(Vec::new())
    }

    fn of_pair(&self, pair: &Pair<'_>) -> Result<Made> {
        let (old_key, new_key) = SPELLINGS[pair.spelling];
        match (pair.old, pair.new) {
            (Some(old), Some(new)) => self.replace(old, new, places(self.object)?),
            // Cline's editor creates a file that way.
            (None, Some(new)) if old_key == "old_text" => {
                Ok(Op::Create { lines: texts::file(new).into() }.into())
            }
            (None, _) => Err(malformed(format!("`{old_key}` is missing"))),
            (_, None) => Err(malformed(format!("`{new_key}` is missing"))),
        }
    }

    fn replace(&self, old: &[u8], new: &[u8], places: Places) -> Result<Made> {
        if old.is_empty() {
            if places.every {
                return Err(malformed("the old text is empty: it stands everywhere and nowhere"));
            }
            return Ok(Op::Create { lines: texts::file(new).into() }.into());
        }
        Ok(update(vec![self.hunk(old, new, places)]))
    }

    fn hunk(&self, old: &[u8], new: &[u8], places: Places) -> Hunk<'static> {
        texts::replacement(self.call.span, old, new, places.every, places.count)
    }

    /// `insert_line`: in Cline's spelling before a line counted from 1, in Anthropic's behind one (0: the
    /// head).
    fn insert(&self) -> Result<Made> {
        let cline = text(self.object, "new_text")?;
        let anthropic = self.object.get("new_str").is_some() || self.object.get("insert_text").is_some();
        match cline {
            Some(_) if anthropic => Err(malformed("the call mixes the argument names of two tools")),
            Some(new) if text(self.object, "old_text")?.is_none_or(<[u8]>::is_empty) => {
                let before = number(self.object, "insert_line")?.unwrap_or_default();
                let behind = before.checked_sub(1);
                let behind =
                    behind.ok_or_else(|| malformed("`insert_line` counts from 1 in this tool, and is 0"))?;
                Ok(update(vec![texts::insertion(self.call.span, behind, new)]))
            }
            Some(_) => Err(malformed("the call both replaces a text and inserts at a line")),
            None if anthropic => self.insert_behind(),
            None => Err(malformed(
                "`insert_line` counts in one way with `new_text` and in another with `insert_text` or `new_str`; \
                 this call has neither",
            )),
        }
    }

    fn insert_behind(&self) -> Result<Made> {
        let behind =
            number(self.object, "insert_line")?.ok_or_else(|| malformed("`insert_line` is missing"))?;
        let new = text(self.object, "insert_text")?.or(text(self.object, "new_str")?);
        let new = new.ok_or_else(|| malformed("`insert_text` is missing"))?;
        if text(self.object, "old_str")?.is_some_and(|old| !old.is_empty()) {
            return Err(malformed("the call both replaces a text and inserts at a line"));
        }
        Ok(update(vec![texts::insertion(self.call.span, behind, new)]))
    }

    /// `edits`: a list, one object, or either of them in a string.
    fn listed(&self, edits: &Value) -> Result<Vec<Made>> {
        if let Some(text) = edits.as_str() {
            let value = json::read_all(text, self.call.span.first).map_err(refusal_of)?;
            if value.as_str().is_some() {
                return Err(malformed("`edits` holds no list"));
            }
            return self.listed(&value);
        }
        let list: Vec<&Object> = match edits {
            Value::Object(object) => vec![object],
            Value::Array(values) => values
                .iter()
                .map(|value| {
                    value.as_object().ok_or_else(|| malformed("`edits` holds something else than edits"))
                })
                .collect::<Result<_>>()?,
            _ => return Err(malformed("`edits` holds no list")),
        };
        if list.is_empty() {
            // The old form beside an empty list.
            return match pair(self.object)? {
                Some(pair) => self.of_pair(&pair).map(|made| vec![made]),
                None => Err(malformed("`edits` is empty")),
            };
        }
        if list.iter().any(|edit| edit.get("loc").is_some()) {
            return Err(Refusal::FormatNotSupported {
                format: "an old dialect of hashline (`loc` with a line's tag); write `[path#TAG]` sections",
            });
        }
        if list.iter().all(|edit| edit.get("op").is_some()) {
            return list.into_iter().map(|edit| self.patched(edit)).collect();
        }
        self.replacements(&list)
    }

    fn replacements(&self, list: &[&Object]) -> Result<Vec<Made>> {
        let mut pairs = Vec::with_capacity(list.len() + 1);
        // Pi's old form may stand beside the list.
        if let Some(outer) = pair(self.object)? {
            pairs.push((outer, places(self.object)?));
        }
        for (at, edit) in list.iter().enumerate() {
            let pair = pair(edit)?.ok_or_else(|| malformed(format!("edits[{at}] has no old text")))?;
            pairs.push((pair, places(edit)?));
        }
        let spelling = pairs[0].0.spelling;
        if pairs.iter().any(|(pair, _)| pair.spelling != spelling) {
            return Err(malformed("`edits` mixes the argument names of two tools"));
        }
        let against = match SPELLINGS[spelling].0 {
            "oldText" => Against::Original,
            "old_string" | "oldString" => Against::Sequence,
            _ => Against::Either,
        };
        let mut made: Vec<Made> = Vec::new();
        let mut hunks = Vec::new();
        for (at, (pair, places)) in pairs.iter().enumerate() {
            let (Some(old), Some(new)) = (pair.old, pair.new) else {
                return Err(malformed(format!("edits[{at}] lacks its old or its new text")));
            };
            if !old.is_empty() {
                hunks.push(self.hunk(old, new, *places));
            } else if at == 0 && against == Against::Sequence {
                made.push(self.replace(old, new, *places)?);
            } else {
                return Err(malformed(format!("the old text of edits[{at}] is empty")));
            }
        }
        if !hunks.is_empty() {
            made.push(Made { against, ..update(hunks) });
        }
        Ok(made)
    }

    /// One of OMP's patches: `{op, rename, diff}`.
    fn patched(&self, edit: &Object) -> Result<Made> {
        let diff = text(edit, "diff")?;
        let move_to = text(edit, "rename")?.filter(|to| !to.is_empty()).map(<[u8]>::to_vec);
        let op = match (edit.str("op").unwrap_or_default(), diff) {
            (b"create", Some(text)) => Op::Create { lines: texts::file(text).into() },
            (b"delete", None | Some([])) => Op::Delete { old: None },
            (b"update", None | Some([])) if move_to.is_some() => Op::Update { hunks: Vec::new() },
            (b"update", Some(diff)) => Op::Update { hunks: carried::hunks(diff, self.call.span)? },
            _ => return Err(malformed("`op` is not create, update or delete with what it needs")),
        };
        Ok(Made { move_to, ..op.into() })
    }
}

fn update(hunks: Vec<Hunk<'static>>) -> Made {
    Op::Update { hunks }.into()
}

fn if_match(object: &Object) -> Result<Option<String>> {
    let Some(tag) = text(object, "if_match")? else { return Ok(None) };
    let tag = tag.trim_ascii();
    let hex = tag.strip_prefix(b"sha256:").or_else(|| tag.strip_prefix(b"sha256-")).unwrap_or(tag);
    if hex.len() != 64 || !hex.iter().all(u8::is_ascii_hexdigit) {
        return Err(malformed("`if_match` must be a SHA-256: 64 hex digits"));
    }
    Ok(Some(String::from_utf8_lossy(hex).to_ascii_lowercase()))
}
