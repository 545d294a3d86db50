//! Calls of an edit tool: one JSON object a line.

use serde::Serialize;

use super::{
    Cannot, Converted,
    meaning::{joined, texts},
    only_hunks, path, search_replace,
};
use crate::edit::{Edit, Op};

const NAME: &str = "edit-call";

#[derive(Serialize)]
struct Call<'c> {
    #[serde(rename = "type")]
    kind: &'static str,
    name: &'static str,
    input: Input<'c>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Input<'c> {
    Write {
        file_path: &'c str,
        content: &'c str,
    },
    Edit {
        file_path: &'c str,
        old_string: &'c str,
        new_string: &'c str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        replace_all: bool,
    },
}

pub(super) fn write(edits: &[Edit<'_>]) -> Result<Converted, Cannot> {
    let mut out = Converted::default();
    for edit in edits {
        let hunks = only_hunks(edit, NAME)?;
        let file_path = utf8(edit, path(edit)?)?;
        if let Op::Create { lines } | Op::Whole { lines } | Op::Append { lines } = &edit.op {
            let content = joined(&lines.cut());
            push(&mut out.text, "Write", Input::Write { file_path, content: utf8(edit, &content)? });
            if !matches!(edit.op, Op::Whole { .. }) {
                out.notes.push(format!("edit {}: as a call it also replaces a file that exists", edit.id));
            }
        }
        for hunk in hunks {
            if hunk.hints.behind.is_some() || hunk.hints.count.is_some() {
                return Err(Cannot::without_tree(edit, "this call has no words for its place"));
            }
            search_replace::check(edit, hunk)?;
            let (old, new) = texts(hunk);
            let (old_string, new_string) = (utf8(edit, &old)?, utf8(edit, &new)?);
            let replace_all = hunk.hints.every;
            push(&mut out.text, "Edit", Input::Edit { file_path, old_string, new_string, replace_all });
        }
    }
    Ok(out)
}

fn push(out: &mut Vec<u8>, name: &'static str, input: Input<'_>) {
    let call = Call { kind: "tool_use", name, input };
    out.extend_from_slice(&serde_json::to_vec(&call).unwrap_or_default());
    out.push(b'\n');
}

fn utf8<'t>(edit: &Edit<'_>, text: &'t [u8]) -> Result<&'t str, Cannot> {
    std::str::from_utf8(text).map_err(|_| Cannot::edit(edit, "its text is no UTF-8, as JSON must be"))
}
