//! Unified diffs: plain, git's extended headers, numberless hunks, wrong counts.
//!
//! The body of a hunk is what counts, not its header. A hunk runs to the next line that can't be its own:
//! another `@@`, another file's header, or, outside a fence, prose. Where a line may be read two ways (a
//! blank line before the next header, context that lost its prefix), the hunk has several readings, and
//! the files decide.

pub(crate) mod at;
pub(crate) mod body;
mod header;
mod hunk;
mod name;
mod section;
pub(crate) mod stream;

#[cfg(test)]
mod tests;

use self::{at::At, body::Class};
use super::{
    InputLine,
    section::{End, Section},
};

/// Whether a diff begins at `at`.
pub fn starts(lines: &[InputLine<'_>], at: usize) -> bool {
    lines[at].text.first().is_some_and(|b| b"-+@dIBG".contains(b))
        && (header::opens(lines, at) || opens_hunk(lines, at))
}

/// An `@@` line with numbers, or one that a changed line follows before the next.
fn opens_hunk(lines: &[InputLine<'_>], at: usize) -> bool {
    let Some(parsed) = At::parse(lines[at].text) else { return false };
    let body = lines[at + 1..].iter().map(|line| Class::of(line.text));
    let first = body.clone().next();
    if parsed.stated.is_some() {
        return first.is_some_and(|class| class != Class::Plain);
    }
    matches!(first, Some(Class::Keep | Class::Add | Class::Remove | Class::Bare))
        && body.take(64).take_while(|&class| class != Class::Plain).any(Class::is_change)
}

/// Reads the diff that begins at the first line: one or several files' sections, up to the first line
/// that is none of theirs.
pub fn read<'i>(lines: &[InputLine<'i>], end: End) -> Section<'i> {
    section::Reader::new(lines, end).read()
}
