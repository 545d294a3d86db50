//! The texts of a call as lines.

use crate::{
    edit::{Body, Hints, Hunk, HunkLine, Line, Literal, Span, Tag},
    text::{Eol, cut_eol},
};

/// A whole file's lines; the last has no end if the text has none.
pub fn file(text: &[u8]) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = text.split_inclusive(|&b| b == b'\n').map(line).collect();
    if let Some(last) = lines.last_mut()
        && last.eol == Eol::None
    {
        last.eol = Eol::Lf;
    }
    lines
}

fn line(line: &[u8]) -> Line<'static> {
    let (text, eol) = cut_eol(line);
    Line { text: text.to_vec().into(), eol }
}

/// The lines of a part of a file. `whole`: a line end at the end closes the last line, else an empty line
/// follows it.
pub fn lines(text: &[u8], whole: bool, eol: Eol) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = text.split_inclusive(|&b| b == b'\n').map(line).collect();
    match lines.last_mut() {
        Some(last) if last.eol == Eol::None => last.eol = eol,
        _ if whole => {}
        _ => lines.push(Line { text: Vec::new().into(), eol }),
    }
    lines
}

/// `\r\n` written `\n`.
fn plain(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&b| b == b'\n') {
        let (body, eol) = cut_eol(line);
        out.extend_from_slice(body);
        out.extend_from_slice(if eol == Eol::None { b"" } else { b"\n" });
    }
    out
}

/// An old text, not empty, that gives way to a new one.
pub fn replacement(span: Span, old: &[u8], new: &[u8], every: bool, count: Option<u64>) -> Hunk<'static> {
    let whole = old.ends_with(b"\n");
    let crlf = [old, new].iter().any(|text| text.windows(2).any(|two| two == b"\r\n"));
    let eol = if crlf { Eol::CrLf } else { Eol::Lf };
    let body = Body::block(lines(old, whole, eol), lines(new, whole, eol));
    let literal = Literal { old: plain(old).into(), new: plain(new).into() };
    Hunk::new(span, body, Hints { every, count, literal: Some(literal), ..Hints::default() })
}

/// Lines that go in behind line `behind`.
pub fn insertion(span: Span, behind: u64, new: &[u8]) -> Hunk<'static> {
    let added = lines(new, true, Eol::Lf);
    let tagged = |line: Line<'static>| HunkLine { tag: Tag::Add, text: line.text, eol: line.eol };
    let body = Body { lines: added.into_iter().map(tagged).collect(), origin: crate::edit::Origin::Block };
    Hunk::new(span, body, Hints { behind: Some(behind), ..Hints::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, whole: bool) -> Vec<String> {
        lines(text.as_bytes(), whole, Eol::Lf)
            .iter()
            .map(|line| String::from_utf8_lossy(&line.text).into_owned())
            .collect()
    }

    #[test]
    fn a_final_line_end_closes_a_line_or_opens_one() {
        assert_eq!(cut("a\nb\n", true), ["a", "b"]);
        assert_eq!(cut("a\nb\n", false), ["a", "b", ""]);
        assert_eq!(cut("a", true), ["a"]);
        assert_eq!(cut("", true), [] as [&str; 0]);
        assert_eq!(cut("", false), [""]);
    }

    #[test]
    fn carriage_returns_are_no_text() {
        let hunk = replacement(Span::new(1, 1), b"a\r\nb", b"c\r\n", false, None);
        let literal = hunk.hints.literal.unwrap();
        assert_eq!((&literal.old[..], &literal.new[..]), (&b"a\nb"[..], &b"c\n"[..]));
    }
}
