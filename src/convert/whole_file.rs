//! Whole files in fences.

use super::{
    Cannot, Converted,
    meaning::joined,
    only_hunks, path,
    search_replace::{fence, line_end},
};
use crate::edit::{Edit, Op};

const NAME: &str = "whole-file";

pub(super) fn write(edits: &[Edit<'_>]) -> Result<Converted, Cannot> {
    let mut out = Converted::default();
    for edit in edits {
        let path = path(edit)?;
        let text = match &edit.op {
            Op::Create { lines } | Op::Whole { lines } | Op::Append { lines } => joined(&lines.cut()),
            Op::Update { hunks } if !hunks.is_empty() => {
                return Err(Cannot::without_tree(edit, "it changes a part of the file"));
            }
            _ => Vec::new(),
        };
        only_hunks(edit, NAME)?;
        let fence = fence(&[&text]);
        let parts: [&[u8]; 8] = [path, b"\n", &fence, b"\n", &text, line_end(&text), &fence, b"\n\n"];
        out.text.extend_from_slice(&parts.concat());
        if matches!(edit.op, Op::Create { .. } | Op::Append { .. }) {
            out.notes.push(format!("edit {}: as a whole file it also replaces a file that exists", edit.id));
        }
    }
    Ok(out)
}
