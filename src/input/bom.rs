//! Byte-order marks inside an edit: a quote of a file's first line may carry the file's mark. Matching and
//! writing keep the mark aside, so it is taken off the lines; an edit that adds or drops one is refused.

use std::borrow::Cow;

use crate::{
    edit::{Body, Edit, NewLines, Op, Tag},
    refusal::Refusal,
    text::BOM,
};

/// Takes the marks off an edit's lines.
///
/// # Errors
/// The edit would add a mark, or take the file's away.
pub(super) fn settle(edit: &mut Edit<'_>) -> Result<(), Refusal> {
    match &mut edit.op {
        Op::Whole { lines } | Op::Append { lines } | Op::Delete { old: Some(lines) } => strip_first(lines),
        Op::Update { hunks } => {
            for body in hunks.iter_mut().flat_map(|hunk| &mut hunk.readings) {
                settle_body(body)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn strip_first(new: &mut NewLines<'_>) {
    if new.cut().first().is_some_and(|line| line.text.starts_with(BOM)) {
        let mut lines = Vec::from(std::mem::take(new));
        lines.iter_mut().take(1).for_each(|line| strip(&mut line.text));
        *new = lines.into();
    }
}

fn settle_body(body: &mut Body<'_>) -> Result<(), Refusal> {
    if !body.lines.iter().any(|line| line.text.starts_with(BOM)) {
        return Ok(());
    }
    let marked = |other: Tag| body.lines.iter().any(|line| line.tag != other && line.text.starts_with(BOM));
    if marked(Tag::Add) != marked(Tag::Remove) {
        let what = "the edit adds or drops a byte-order mark, which belongs to the file and not to a line";
        return Err(Refusal::Malformed { what: what.to_owned() });
    }
    body.lines.iter_mut().for_each(|line| strip(&mut line.text));
    Ok(())
}

fn strip(text: &mut Cow<'_, [u8]>) {
    match text {
        Cow::Borrowed(bytes) => *bytes = bytes.strip_prefix(BOM).unwrap_or(bytes),
        Cow::Owned(bytes) if bytes.starts_with(BOM) => drop(bytes.drain(..BOM.len())),
        Cow::Owned(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::input::read;

    fn first_removed(reply: &str) -> Option<Vec<u8>> {
        let parsed = read(reply.as_bytes(), None);
        let crate::edit::Op::Update { hunks } = &parsed.edits.first()?.op else { return None };
        Some(hunks[0].body().old().next()?.text.to_vec())
    }

    #[test]
    fn a_mark_on_both_sides_stands_aside() {
        let diff = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-\u{feff}a\n+\u{feff}b\n c\n";
        assert_eq!(first_removed(diff).as_deref(), Some(&b"a"[..]));
        let block = "f.txt\n<<<<<<< SEARCH\n\u{feff}a\n=======\n\u{feff}b\n>>>>>>> REPLACE\n";
        assert_eq!(first_removed(block).as_deref(), Some(&b"a"[..]));
    }

    #[test]
    fn a_mark_on_one_side_is_refused() {
        let diff = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-\u{feff}a\n+a\n c\n";
        let parsed = read(diff.as_bytes(), None);
        assert_eq!((parsed.edits.len(), parsed.faults.len()), (0, 1));
        assert_eq!(parsed.faults[0].refusal.code(), "malformed");
    }
}
