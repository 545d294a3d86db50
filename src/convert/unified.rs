//! Unified diffs from what an input says: with line numbers where it states them, else without.

use super::{BINARY, BY_NUMBER, Cannot, Converted, is_one_place, path, plain_name};
use crate::{
    edit::{Body, Edit, Hunk, HunkLine, Line, Op, Tag},
    report::escape,
    text::Eol,
};

pub(super) fn write(edits: &[Edit<'_>]) -> Result<Converted, Cannot> {
    let mut out = Converted::default();
    for edit in edits {
        header(edit, &mut out.text)?;
        match &edit.op {
            Op::Create { lines } => whole(&lines.cut(), Tag::Add, &mut out.text),
            Op::Append { lines } => {
                whole(&lines.cut(), Tag::Add, &mut out.text);
                out.notes.push(format!("edit {}: as a diff it creates the file and never appends", edit.id));
            }
            Op::Delete { old: Some(lines) } => whole(&lines.cut(), Tag::Remove, &mut out.text),
            Op::Delete { old: None } | Op::Whole { .. } => {
                return Err(Cannot::without_tree(edit, "a diff must say what stood there before"));
            }
            Op::Lines(_) => return Err(Cannot::without_tree(edit, BY_NUMBER)),
            Op::Binary(_) => return Err(Cannot::without_tree(edit, BINARY)),
            Op::Update { hunks } => {
                hunks.iter().try_for_each(|hunk| write_hunk(edit, hunk, &mut out.text))?;
            }
        }
    }
    Ok(out)
}

fn header(edit: &Edit<'_>, out: &mut Vec<u8>) -> Result<(), Cannot> {
    let old = path(edit)?;
    let new = edit.move_to.as_ref().map_or(old, plain_name);
    let (a, b) = (escape::header("a/", old), escape::header("b/", new));
    let mut lines = vec![format!("diff --git {a} {b}")];
    match (&edit.op, edit.mode.old, edit.mode.new) {
        (Op::Create { .. } | Op::Append { .. }, _, mode) => {
            lines.push(format!("new file mode {:o}", mode.unwrap_or(0o100_644)));
        }
        (Op::Delete { .. }, mode, _) => {
            lines.push(format!("deleted file mode {:o}", mode.unwrap_or(0o100_644)));
        }
        (_, Some(old), Some(new)) => lines.extend([format!("old mode {old:o}"), format!("new mode {new:o}")]),
        _ => {}
    }
    if let Some(to) = &edit.move_to {
        let word = if edit.copy { "copy" } else { "rename" };
        let (from, to) = (escape::header("", old), escape::header("", plain_name(to)));
        lines.extend([format!("{word} from {from}"), format!("{word} to {to}")]);
    }
    let text = match &edit.op {
        Op::Update { hunks } => !hunks.is_empty(),
        Op::Create { lines } | Op::Append { lines } | Op::Delete { old: Some(lines) } => !lines.is_empty(),
        _ => false,
    };
    if text {
        let none = || "/dev/null".to_owned();
        let before = matches!(edit.op, Op::Create { .. } | Op::Append { .. });
        let after = matches!(edit.op, Op::Delete { .. });
        lines.push(format!("--- {}", if before { none() } else { a }));
        lines.push(format!("+++ {}", if after { none() } else { b }));
    }
    lines.iter().for_each(|line| {
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    });
    Ok(())
}

fn whole(lines: &[Line<'_>], tag: Tag, out: &mut Vec<u8>) {
    if lines.is_empty() {
        return;
    }
    let range = if lines.len() == 1 { "1".to_owned() } else { format!("1,{}", lines.len()) };
    let at =
        if tag == Tag::Add { format!("@@ -0,0 +{range} @@\n") } else { format!("@@ -{range} +0,0 @@\n") };
    out.extend_from_slice(at.as_bytes());
    lines.iter().for_each(|line| push(tag, &line.text, line.eol, out));
}

fn write_hunk(edit: &Edit<'_>, hunk: &Hunk<'_>, out: &mut Vec<u8>) -> Result<(), Cannot> {
    is_one_place(edit, hunk)?;
    if hunk.hints.at_eof && hunk.body().old().next().is_none() {
        return Err(Cannot::without_tree(edit, "it quotes no line of the file"));
    }
    let body = hunk.body();
    let at = match (&hunk.hints.stated, &hunk.hints.anchors[..]) {
        (Some(stated), []) if edit.format == crate::edit::Format::Unified => {
            let count = |tag: Tag| body.lines.iter().filter(|line| line.tag != tag).count();
            let (old, new) = (count(Tag::Add), count(Tag::Remove));
            format!("@@ -{},{old} +{},{new} @@", stated.old_start, stated.new_start)
        }
        (_, []) => "@@ ... @@".to_owned(),
        (_, [anchor]) => format!("@@ {} @@", String::from_utf8_lossy(anchor)),
        _ => return Err(Cannot::edit(edit, "a diff names one line that a hunk stands below, not several")),
    };
    out.extend_from_slice(at.as_bytes());
    out.push(b'\n');
    push_body(body, out);
    Ok(())
}

/// The lines of a hunk with their signs.
pub(super) fn push_body(body: &Body<'_>, out: &mut Vec<u8>) {
    let line = |line: &HunkLine<'_>, out: &mut Vec<u8>| push(line.tag, &line.text, line.eol, out);
    body.lines.iter().for_each(|one| line(one, out));
}

fn push(tag: Tag, text: &[u8], eol: Eol, out: &mut Vec<u8>) {
    let sign = match tag {
        Tag::Keep => b' ',
        Tag::Remove => b'-',
        Tag::Add => b'+',
    };
    out.push(sign);
    out.extend_from_slice(text);
    let end: &[u8] = if eol == Eol::None { b"\n\\ No newline at end of file\n" } else { eol.bytes() };
    out.extend_from_slice(end);
}
