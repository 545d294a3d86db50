//! Blocks of old and new text.

use super::{
    Cannot, Converted, is_one_place,
    meaning::{joined, new_text, old_text},
    only_hunks, path,
};
use crate::{
    edit::{Edit, Hunk, Op},
    text::Eol,
};

const NAME: &str = "search-replace";

pub(super) fn write(edits: &[Edit<'_>]) -> Result<Converted, Cannot> {
    let mut out = Converted::default();
    for edit in edits {
        let path = path(edit)?;
        match &edit.op {
            Op::Create { lines } | Op::Append { lines } => {
                only_hunks(edit, NAME)?;
                push(&mut out.text, path, b"", &joined(&lines.cut()));
            }
            Op::Whole { .. } => {
                return Err(Cannot::without_tree(edit, "a whole file does not say what stood there before"));
            }
            _ => {
                for hunk in only_hunks(edit, NAME)? {
                    is_one_place(edit, hunk)?;
                    check(edit, hunk)?;
                    push(&mut out.text, path, &old_text(hunk.body()), &new_text(hunk.body()));
                }
            }
        }
    }
    Ok(out)
}

/// Refuses a hunk whose place or text a block cannot tell.
pub(super) fn check(edit: &Edit<'_>, hunk: &Hunk<'_>) -> Result<(), Cannot> {
    let no = |why: &str| Err(Cannot::without_tree(edit, why));
    if hunk.body().old().next().is_none() {
        return no("it quotes no line of the file, so that a block has no place");
    }
    if !hunk.hints.anchors.is_empty() {
        return no("a block cannot name the line that it stands below");
    }
    let end = |eol: Option<Eol>| eol == Some(Eol::None);
    let ends = [hunk.body().old().last(), hunk.body().new_side().last()].map(|line| end(line.map(|l| l.eol)));
    if ends[0] != ends[1] {
        return no("a block cannot say that the file's last newline comes or goes");
    }
    Ok(())
}

/// Appends a block, its fence longer than any inside.
fn push(out: &mut Vec<u8>, path: &[u8], old: &[u8], new: &[u8]) {
    let fence = fence(&[old, new]);
    let parts: [&[u8]; 12] = [
        path,
        b"\n",
        &fence,
        b"\n<<<<<<< SEARCH\n",
        old,
        line_end(old),
        b"=======\n",
        new,
        line_end(new),
        b">>>>>>> REPLACE\n",
        &fence,
        b"\n\n",
    ];
    out.extend_from_slice(&parts.concat());
}

/// What the text lacks for its last line to end.
pub(super) fn line_end(text: &[u8]) -> &'static [u8] {
    if text.is_empty() || text.ends_with(b"\n") { b"" } else { b"\n" }
}

/// Back-ticks, more than any run of them in the texts.
pub(super) fn fence(texts: &[&[u8]]) -> Vec<u8> {
    let longest = |text: &&[u8]| text.split(|b| *b != b'`').map(<[u8]>::len).max().unwrap_or(0);
    let longest = texts.iter().map(longest).max().unwrap_or(0);
    vec![b'`'; (longest + 1).max(3)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_inside() {
        assert_eq!(fence(&[b"a ``` b", b"````x"]), b"`````");
        assert_eq!(fence(&[b""]), b"```");
    }
}
