//! Whole files in which a comment stands for the lines that stay.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{Cannot, Converted, search_replace::fence};
use crate::{plan::Change, report::diff::Moves, tree::RelPath};

/// `around`: lines that are written on each side of a change.
pub(super) fn write(changes: &[Change], around: usize) -> Result<Converted, Cannot> {
    let moves = Moves::new(changes);
    let mut out = Converted::default();
    for change in changes {
        let (Some(before), Some(after)) = (&change.before, &change.after) else {
            return Err(Cannot::change(change, "there are no lines that stay"));
        };
        if moves.source(change).is_some() {
            return Err(Cannot::change(change, "an elided file has no words for moving"));
        }
        if (before.mode & 0o111 != 0) != (after.mode & 0o111 != 0) {
            return Err(Cannot::change(change, "an elided file has no words for its mode"));
        }
        let text = elided(&before.bytes, &after.bytes, &comment(&change.path), around);
        let fence = fence(&[&text]);
        let parts: [&[u8]; 7] = [change.path.as_bytes(), b"\n", &fence, b"\n", &text, &fence, b"\n\n"];
        out.text.extend_from_slice(&parts.concat());
    }
    Ok(out)
}

fn elided(before: &[u8], after: &[u8], comment: &str, around: usize) -> Vec<u8> {
    let lines = |bytes| <[u8]>::split_inclusive(bytes, |b| *b == b'\n').collect::<Vec<&[u8]>>();
    let (old, new) = (lines(before), lines(after));
    let ops = capture_diff_slices(Algorithm::Patience, &old, &new);
    let mut out = Vec::with_capacity(after.len());
    for (nth, op) in ops.iter().enumerate() {
        let range = op.new_range();
        let (head, tail) = (if nth == 0 { 0 } else { around }, if nth + 1 == ops.len() { 0 } else { around });
        // To leave out a line or two saves nothing.
        if matches!(op, DiffOp::Equal { .. }) && range.len() > head + tail + 2 {
            out.extend(new[range.start..range.start + head].concat());
            out.extend_from_slice(comment.as_bytes());
            out.extend(new[range.end - tail..range.end].concat());
        } else {
            out.extend(new[range].concat());
        }
    }
    if !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    out
}

/// The comment in the file's own style.
fn comment(path: &RelPath) -> String {
    let name = path.to_string();
    let (open, close) = match name.rsplit('.').next().unwrap_or_default() {
        "py" | "sh" | "bash" | "zsh" | "rb" | "pl" | "yml" | "yaml" | "toml" | "mk" | "r" | "ex" | "nix" => {
            ("# ", "")
        }
        "html" | "xml" | "md" | "svg" | "vue" => ("<!-- ", " -->"),
        "css" | "scss" => ("/* ", " */"),
        "sql" | "lua" | "hs" | "elm" => ("-- ", ""),
        "lisp" | "el" | "clj" | "scm" | "ini" => ("; ", ""),
        "tex" | "erl" | "m" => ("% ", ""),
        _ => ("// ", ""),
    };
    format!("{open}... existing code ...{close}\n")
}
