//! Patches with `*** Begin Patch`.

use super::{BINARY, BY_NUMBER, Cannot, Converted, is_link, is_one_place, path, plain_name};
use crate::{
    edit::{Edit, Hunk, HunkLine, Op, Tag},
    text::Eol,
};

pub(super) fn write(edits: &[Edit<'_>]) -> Result<Converted, Cannot> {
    let mut out = Converted { text: b"*** Begin Patch\n".to_vec(), notes: Vec::new() };
    for edit in edits {
        section(edit, &mut out)?;
    }
    out.text.extend_from_slice(b"*** End Patch\n");
    Ok(out)
}

fn section(edit: &Edit<'_>, out: &mut Converted) -> Result<(), Cannot> {
    let path = path(edit)?;
    let no = |what: &str| Err(Cannot::edit(edit, what));
    if edit.copy {
        return no("v4a has no words for copying a file");
    }
    if is_link(edit) {
        return no("v4a has no words for a symbolic link");
    }
    if edit.mode.new.is_some_and(|mode| mode & 0o111 != 0) {
        return no("v4a has no words for a file's mode");
    }
    match &edit.op {
        Op::Create { lines } | Op::Append { lines } => {
            line(&mut out.text, b"*** Add File: ", path);
            lines
                .cut()
                .iter()
                .for_each(|one| line(&mut out.text, b"+", &[&one.text[..], cr(one.eol)].concat()));
            if matches!(edit.op, Op::Append { .. }) {
                out.notes.push(format!("edit {}: as v4a it creates the file and never appends", edit.id));
            }
            Ok(())
        }
        Op::Delete { old } => {
            line(&mut out.text, b"*** Delete File: ", path);
            if old.is_some() {
                out.notes.push(format!("edit {}: v4a deletes the file whatever stands in it", edit.id));
            }
            Ok(())
        }
        Op::Lines(_) => Err(Cannot::without_tree(edit, BY_NUMBER)),
        Op::Binary(_) => no(BINARY),
        Op::Whole { .. } => Err(Cannot::without_tree(edit, "v4a cannot replace a whole file")),
        Op::Update { hunks } => {
            line(&mut out.text, b"*** Update File: ", path);
            if let Some(to) = &edit.move_to {
                line(&mut out.text, b"*** Move to: ", plain_name(to));
            } else if hunks.is_empty() {
                return no("v4a has no words for a file's mode");
            }
            hunks.iter().try_for_each(|hunk| chunk(edit, hunk, &mut out.text))
        }
    }
}

fn chunk(edit: &Edit<'_>, hunk: &Hunk<'_>, out: &mut Vec<u8>) -> Result<(), Cannot> {
    is_one_place(edit, hunk)?;
    if hunk.hints.anchors.is_empty() {
        out.extend_from_slice(b"@@\n");
    }
    hunk.hints.anchors.iter().for_each(|anchor| line(out, b"@@ ", anchor));
    let ends = |wanted: Tag| {
        let last = hunk.body().lines.iter().rfind(|line| line.tag != wanted);
        last.is_some_and(|line| line.eol == Eol::None)
    };
    if ends(Tag::Add) != ends(Tag::Remove) {
        return Err(Cannot::edit(edit, "v4a cannot say that the file's last newline comes or goes"));
    }
    for one in &hunk.body().lines {
        let HunkLine { tag, text, eol } = one;
        let sign: &[u8] = match tag {
            Tag::Keep => b" ",
            Tag::Remove => b"-",
            Tag::Add => b"+",
        };
        line(out, sign, &[&text[..], cr(*eol)].concat());
    }
    if hunk.hints.at_eof {
        out.extend_from_slice(b"*** End of File\n");
    }
    Ok(())
}

fn cr(eol: Eol) -> &'static [u8] {
    if eol == Eol::CrLf { b"\r" } else { b"" }
}

fn line(out: &mut Vec<u8>, sign: &[u8], text: &[u8]) {
    out.extend_from_slice(&[sign, text, b"\n"].concat());
}
