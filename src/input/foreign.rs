//! Formats that are recognised here and read elsewhere or not yet, so that none of them passes for prose
//! or for another format.

use bstr::ByteSlice;

use crate::{edit::Format, text::is_blank};

use super::InputLine;

/// The format that begins at `lines[at]` and how many lines it takes; `lines` ends where its fence does.
/// `fresh`: nothing but blank lines stands before it.
pub fn starts(lines: &[InputLine<'_>], at: usize, fresh: bool) -> Option<(Format, usize)> {
    match lines[at].text.trim_ascii_start().first()? {
        b'*' if is_context(lines, at) => Some((Format::Context, run(lines, at, is_context_line))),
        b'0'..=b'9' if is_normal(lines, at) => Some((Format::Normal, run(lines, at, is_normal_line))),
        b'0'..=b'9' if fresh && is_ed(lines, at) => Some((Format::Ed, lines.len() - at)),
        _ => None,
    }
}

fn run(lines: &[InputLine<'_>], at: usize, belongs: fn(&[u8]) -> bool) -> usize {
    1 + lines[at + 1..].iter().take_while(|line| belongs(line.text)).count()
}

/// `*** a`, `--- b` and a row of stars.
fn is_context(lines: &[InputLine<'_>], at: usize) -> bool {
    let starts =
        |offset: usize, with: &[u8]| lines.get(at + offset).is_some_and(|l| l.text.starts_with(with));
    starts(0, b"*** ") && starts(1, b"--- ") && starts(2, b"***************")
}

fn is_context_line(line: &[u8]) -> bool {
    line.first().is_some_and(|b| b"*-+! \\".contains(b))
}

/// `3,4c3` before a line with `<` or `>`.
fn is_normal(lines: &[InputLine<'_>], at: usize) -> bool {
    let next = lines.get(at + 1).and_then(|line| line.text.first());
    is_normal_command(lines[at].text) && next.is_some_and(|b| matches!(b, b'<' | b'>'))
}

fn is_normal_command(line: &[u8]) -> bool {
    let rest = range(line.trim_ascii_end());
    rest.is_some_and(|(command, rest)| b"acd".contains(&command) && range_end(rest))
}

fn is_normal_line(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'<' | b'>' | b'\\')) || line == b"---" || is_normal_command(line)
}

/// `N` or `N,M`, the letter behind it, and the rest.
fn range(line: &[u8]) -> Option<(u8, &[u8])> {
    let rest = line.trim_start_with(|c| c.is_ascii_digit());
    let rest = match rest.strip_prefix(b",") {
        Some(end) if end.first().is_some_and(u8::is_ascii_digit) => {
            end.trim_start_with(|c| c.is_ascii_digit())
        }
        _ => rest,
    };
    (rest.len() < line.len()).then(|| rest.split_first()).flatten().map(|(&letter, rest)| (letter, rest))
}

fn range_end(rest: &[u8]) -> bool {
    let plain = rest.iter().all(|b| b.is_ascii_digit() || *b == b',');
    plain && rest.first().is_some_and(u8::is_ascii_digit)
}

/// An ed command, and for one that takes text, a line with a dot.
fn is_ed(lines: &[InputLine<'_>], at: usize) -> bool {
    match range(lines[at].text.trim_ascii_end()) {
        Some((b'a' | b'c' | b'i', [])) => {
            lines[at + 1..].iter().any(|line| line.text.trim_ascii_end() == b".")
        }
        Some((b'd', [])) => lines[at + 1..].iter().all(|line| {
            is_blank(line.text) || range(line.text).is_some() || [&b"w"[..], b"q", b"wq"].contains(&line.text)
        }),
        Some((b's', rest)) => rest.starts_with(b"/"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::lines;

    #[test]
    fn what_is_recognised() {
        for (input, expected) in [
            ("[link](x) has \"oldText\"\n", None),
            ("*** a\n--- b\n***************\n*** 1 ****\n! x\n", Some((Format::Context, 5))),
            ("3,4c3\n< a\n< b\n---\n> c\nwords\n", Some((Format::Normal, 5))),
            ("2a\nx\n.\n", Some((Format::Ed, 3))),
            ("2a\nx\n", None),
            ("3d\n", Some((Format::Ed, 1))),
            ("100\n", None),
            ("3d models\n", None),
        ] {
            assert_eq!(starts(&lines(input.as_bytes()), 0, true), expected, "{input}");
        }
    }
}
