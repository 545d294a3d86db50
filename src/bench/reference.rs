//! Simple policies to compare with. They compute a tree and never write one.

use std::io;

use memchr::memmem;

use super::{Case, Left, Snapshot, snapshot::Entry};
use crate::{
    convert::plain_name,
    edit::{Edit, Hunk, HunkLine, Line, Op, Tag},
    input,
    text::Text,
};

/// What a simple applier does with the edits of its own format; all others it refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Reference {
    /// Old text by new, at the first place that is exactly the same
    FirstMatch,
    /// The same, only where there is one place
    UniqueMatch,
    /// A diff's hunks, exactly at the line that they state
    StrictPosition,
    /// A whole file, written as it is
    WholeAsIs,
}

pub(super) fn apply(case: &Case, reference: Reference, before: &Snapshot) -> io::Result<Left> {
    let bytes = std::fs::read(case.reply())?;
    let parsed = input::read(&bytes, None);
    let mut tree = before.clone();
    let done = parsed.faults.is_empty()
        && !parsed.edits.is_empty()
        && parsed.edits.iter().all(|edit| carry_out(edit, reference, &mut tree).is_some());
    Ok(Left { accepted: Some(done), tree: if done { tree } else { before.clone() } })
}

fn carry_out(edit: &Edit<'_>, reference: Reference, tree: &mut Snapshot) -> Option<()> {
    let path = plain_name(edit.path.as_ref()?).to_vec();
    if edit.move_to.is_some() || edit.copy || !is_inside(&path) {
        return None;
    }
    let known = tree.entries.get(&path);
    let (executable, old) = match known {
        Some(Entry::File { executable, bytes }) => (*executable, Some(bytes.clone())),
        Some(Entry::Link(_)) => return None,
        None => (0, None),
    };
    let bytes = match (&edit.op, reference) {
        (Op::Whole { lines } | Op::Create { lines } | Op::Append { lines }, Reference::WholeAsIs) => {
            joined(&lines.cut())
        }
        (_, Reference::WholeAsIs) => return None,
        (Op::Create { lines }, _) if old.is_none() => joined(&lines.cut()),
        (Op::Append { lines }, _) => [old.unwrap_or_default(), joined(&lines.cut())].concat(),
        (Op::Delete { .. }, _) => {
            return tree.entries.remove(&path).map(drop);
        }
        (Op::Update { hunks }, Reference::StrictPosition) => at_lines(&old?, hunks)?,
        (Op::Update { hunks }, _) => {
            let mut bytes = old?;
            for hunk in hunks {
                bytes = replaced(&bytes, hunk, reference == Reference::UniqueMatch)?;
            }
            bytes
        }
        _ => return None,
    };
    tree.entries.insert(path, Entry::File { executable, bytes });
    Some(())
}

fn is_inside(path: &[u8]) -> bool {
    !path.starts_with(b"/") && !path.split(|b| *b == b'/').any(|part| part == b"..")
}

fn joined(lines: &[Line<'_>]) -> Vec<u8> {
    lines.iter().flat_map(|line| [&line.text[..], line.eol.bytes()]).collect::<Vec<_>>().concat()
}

/// The lines of one side: all but those of the other.
fn side<'h>(hunk: &'h Hunk<'_>, other: Tag) -> impl Iterator<Item = &'h HunkLine<'h>> {
    hunk.body().lines.iter().filter(move |line| line.tag != other)
}

fn text(hunk: &Hunk<'_>, other: Tag) -> Vec<u8> {
    side(hunk, other).flat_map(|line| [&line.text[..], line.eol.bytes()]).collect::<Vec<_>>().concat()
}

fn replaced(bytes: &[u8], hunk: &Hunk<'_>, unique: bool) -> Option<Vec<u8>> {
    let (old, new) = match &hunk.hints.literal {
        Some(literal) => (literal.old.to_vec(), literal.new.to_vec()),
        None => (text(hunk, Tag::Add), text(hunk, Tag::Remove)),
    };
    if old.is_empty() || old == new {
        return None;
    }
    let at = memmem::find(bytes, &old)?;
    if unique && memmem::find(&bytes[at + 1..], &old).is_some() {
        return None;
    }
    Some([&bytes[..at], &new, &bytes[at + old.len()..]].concat())
}

/// All hunks at their stated lines, from the last to the first.
fn at_lines(bytes: &[u8], hunks: &[Hunk<'_>]) -> Option<Vec<u8>> {
    let file = Text::new(bytes);
    let mut lines: Vec<Vec<u8>> = (0..file.len()).map(|at| file.full(at).to_vec()).collect();
    let mut below = lines.len();
    for hunk in hunks.iter().rev() {
        let stated = hunk.hints.stated?;
        let old: Vec<&HunkLine<'_>> = side(hunk, Tag::Add).collect();
        let start = usize::try_from(stated.old_start).ok()?;
        let start = if old.is_empty() { start } else { start.checked_sub(1)? };
        let end = start.checked_add(old.len()).filter(|end| *end <= below)?;
        let same = |(line, file): (&&HunkLine<'_>, &Vec<u8>)| line.text[..] == *crate::text::cut_eol(file).0;
        if !old.iter().zip(&lines[start..end]).all(same) {
            return None;
        }
        let new = side(hunk, Tag::Remove).map(|line| [&line.text[..], line.eol.bytes()].concat());
        lines.splice(start..end, new.collect::<Vec<_>>());
        below = start;
    }
    Some(lines.concat())
}
