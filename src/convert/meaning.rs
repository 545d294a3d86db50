//! What edits say, whatever format says it.

use crate::edit::{Body, Edit, Hunk, HunkLine, Line, Name, Op};

/// One thing that an input asks for. Two inputs that ask for the same things in the same order mean the
/// same; a hunk's stated line and what is quoted as kept or as removed and added again don't count.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are named for what they hold")]
pub enum Meaning {
    /// The whole content of a file, new or not.
    Content { path: Vec<u8>, text: Vec<u8> },
    /// The file goes.
    Delete { path: Vec<u8> },
    /// Also a mode, which only diffs state.
    Move { path: Vec<u8>, to: Vec<u8>, copy: bool },
    /// The file becomes a program, or none.
    Mode { path: Vec<u8>, mode: u32 },
    /// By line number: the same only if every word is.
    Lines { path: Vec<u8>, text: String },
    /// Old text gives way to new, where it stands.
    Change { path: Vec<u8>, old: Vec<u8>, new: Vec<u8>, anchors: Vec<Vec<u8>>, every: bool },
}

/// The meanings of edits, in order.
pub fn meaning(edits: &[Edit<'_>]) -> Vec<Meaning> {
    let mut out = Vec::new();
    for edit in edits {
        let path = edit.path.as_ref().map_or(Vec::new(), |name| plain_name(name).to_vec());
        if let Some(to) = &edit.move_to {
            out.push(Meaning::Move { path: path.clone(), to: plain_name(to).to_vec(), copy: edit.copy });
        }
        let executable = edit.mode.new.map(|mode| mode & 0o111 != 0);
        let was = edit.mode.old.is_some_and(|mode| mode & 0o111 != 0);
        if let Some(mode) = edit.mode.new.filter(|_| executable.is_some_and(|now| now != was)) {
            out.push(Meaning::Mode { path: path.clone(), mode });
        }
        match &edit.op {
            Op::Create { lines } | Op::Whole { lines } | Op::Append { lines } => {
                out.push(Meaning::Content { path, text: joined(&lines.cut()) });
            }
            Op::Delete { .. } => out.push(Meaning::Delete { path }),
            Op::Lines(_) | Op::Binary(_) => out.push(Meaning::Lines { path, text: format!("{:?}", edit.op) }),
            Op::Update { hunks } => out.extend(hunks.iter().map(|hunk| change(&path, hunk))),
        }
    }
    out
}

fn change(path: &[u8], hunk: &Hunk<'_>) -> Meaning {
    let (old, new) = texts(hunk);
    Meaning::Change {
        path: path.to_vec(),
        old,
        new,
        anchors: hunk.hints.anchors.iter().map(|anchor| anchor.trim_ascii().to_vec()).collect(),
        every: hunk.hints.every,
    }
}

/// A name without the prefix that diffs put before it.
pub fn plain_name<'n>(name: &'n Name<'_>) -> &'n [u8] {
    let text = &name.text[..];
    let cut = |prefix: &[u8]| text.strip_prefix(prefix).filter(|rest| !rest.is_empty());
    if name.from_diff { cut(b"a/").or_else(|| cut(b"b/")).unwrap_or(text) } else { text }
}

pub(super) fn joined(lines: &[Line<'_>]) -> Vec<u8> {
    lines.iter().flat_map(|line| [&line.text[..], line.eol.bytes()]).collect::<Vec<_>>().concat()
}

/// The old and the new text; of a call, as it gives them.
pub(super) fn texts(hunk: &Hunk<'_>) -> (Vec<u8>, Vec<u8>) {
    match &hunk.hints.literal {
        Some(literal) => (literal.old.to_vec(), literal.new.to_vec()),
        None => (old_text(hunk.body()), new_text(hunk.body())),
    }
}

pub(super) fn old_text(body: &Body<'_>) -> Vec<u8> {
    body.old().flat_map(line_parts).collect::<Vec<_>>().concat()
}

pub(super) fn new_text(body: &Body<'_>) -> Vec<u8> {
    body.new_side().flat_map(line_parts).collect::<Vec<_>>().concat()
}

fn line_parts<'l>(line: &'l HunkLine<'_>) -> [&'l [u8]; 2] {
    [&line.text, line.eol.bytes()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input;

    #[test]
    fn a_block_and_a_diff_can_mean_the_same() {
        let block = input::read(b"f.c\n<<<<<<< SEARCH\na\nb\n=======\na\nc\n>>>>>>> REPLACE\n", None);
        let diff = input::read(b"--- a/f.c\n+++ b/f.c\n@@ -7,2 +7,2 @@\n a\n-b\n+c\n", None);
        assert_eq!(meaning(&block.edits), meaning(&diff.edits));
        let other = input::read(b"--- a/f.c\n+++ b/f.c\n@@ -7,2 +7,2 @@\n a\n-b\n+d\n", None);
        assert_ne!(meaning(&block.edits), meaning(&other.edits));
    }
}
