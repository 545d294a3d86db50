//! White space that a change adds and that `git diff --check` would complain of.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::Change;
use crate::text::{Text, is_blank};

/// The first complaint about a change: the line of the new content (from 1) and what is wrong.
///
/// A carriage return before a newline is a line end here, not a trailing blank.
pub fn complaint(change: &Change) -> Option<(usize, &'static str)> {
    let after = change.after.as_ref().filter(|image| image.is_file())?;
    let after = &after.bytes;
    if after.contains(&0) {
        return None;
    }
    let before: &[u8] = change.before.as_ref().map_or(b"", |image| &image.bytes);
    let (old, new) = (Text::new(before), Text::new(after));
    let added = added(&old, &new);
    let (old_tail, new_tail) = (blank_tail(&old), blank_tail(&new));
    let at_end = |line: usize| new_tail > old_tail && line + new_tail >= new.len();
    added.into_iter().find_map(|line| {
        let body = new.body(line);
        let what =
            wrong(body).or_else(|| (at_end(line) && is_blank(body)).then_some("is a blank line at the end"));
        what.map(|what| (line + 1, what))
    })
}

/// The lines of the new text that the old one has not.
fn added(old: &Text, new: &Text) -> Vec<usize> {
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (old.bodies().collect(), new.bodies().collect());
    let ops = capture_diff_slices(Algorithm::Patience, &old, &new);
    ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).flat_map(DiffOp::new_range).collect()
}

fn wrong(line: &[u8]) -> Option<&'static str> {
    let lead = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    if line.last().is_some_and(u8::is_ascii_whitespace) {
        Some("ends in white space")
    } else if line[..lead].windows(2).any(|pair| pair == b" \t") {
        Some("has a space before a tab in its indentation")
    } else if is_marker(line) {
        Some("is a conflict marker")
    } else {
        None
    }
}

/// Seven equal marks, alone or before white space.
fn is_marker(line: &[u8]) -> bool {
    let Some((&mark, _)) = line.split_first().filter(|(mark, _)| b"<=>|".contains(mark)) else {
        return false;
    };
    let len = line.iter().take_while(|&&b| b == mark).count();
    len == 7 && line.get(len).is_none_or(u8::is_ascii_whitespace)
}

fn blank_tail(text: &Text) -> usize {
    (0..text.len()).rev().take_while(|&line| is_blank(text.body(line))).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Image, RelPath};

    #[test]
    fn complaints() {
        let image = |text: &str| Some(Image { bytes: text.into(), mode: 0o644 });
        for (before, after, want) in [
            ("a\n", "a\nb \n", Some((2, "ends in white space"))),
            ("a \n", "a \nb\n", None),
            ("a\r\n", "a\r\nb\r\n", None),
            ("a\n", "a\n \tb\n", Some((2, "has a space before a tab in its indentation"))),
            ("a\n", "a\n\t b\n", None),
            ("a\n", "a\n=======\n", Some((2, "is a conflict marker"))),
            ("a\n", "a\n========\n", None),
            ("a\n", "a\n\n", Some((2, "is a blank line at the end"))),
            ("a\n\n", "b\n\n", None),
            ("a\n", "b\n\nc\n", None),
        ] {
            let path = RelPath::trusted("f");
            let change = Change { path, before: image(before), after: image(after), moved_from: None };
            assert_eq!(complaint(&change), want, "{before:?} {after:?}");
        }
    }
}
