//! What is never let through: elision comments written as if they were text, conflict markers, a file that
//! shrinks to a fraction, a match out of all proportion.

use std::{
    cell::OnceCell,
    collections::{HashMap, HashSet},
};

use crate::{
    edit::{Body, Line, Tag},
    place::{Place, View, stand_ins},
    refusal::Refusal,
    text::{
        Text,
        elision::{ends_in_elision, is_elision, is_plain, may_be_any, may_be_elision, may_begin_elision},
        is_blank, token,
        view::trim_end,
    },
};

/// The guards of one file.
pub(super) struct Guards<'t> {
    text: &'t Text<'t>,
    /// The lines of the old file that no edit may add, and that it may therefore hold on to.
    held: OnceCell<HashSet<&'t [u8]>>,
}

impl<'t> Guards<'t> {
    pub fn new(text: &'t Text<'t>) -> Guards<'t> {
        Guards { text, held: OnceCell::new() }
    }

    /// A hunk that has its place.
    ///
    /// # Errors
    /// It adds an elision comment or a conflict marker, or spans far more than it quotes.
    pub fn hunk(&self, body: &Body<'_>, place: &Place) -> Result<(), Refusal> {
        let quoted = body.old().count();
        if place.view != View::Elisions && place.end.saturating_sub(place.start) > 2 * quoted + 10 {
            return Err(Refusal::Doubtful {
                what: format!(
                    "the old text has {quoted} lines, but the place found for it spans lines {} to {}",
                    place.start + 1,
                    place.end
                ),
            });
        }
        let added = || body.lines.iter().filter(|line| line.tag == Tag::Add);
        let tells = |line: &[u8]| may_begin_marker(line) || !is_plain(line);
        if !added().any(|line| tells(&line.text) && (may_be_bad(&line.text) || may_be_elision(&line.text))) {
            return Ok(());
        }
        let side: Vec<(&[u8], bool)> =
            body.new_side().map(|line| (line.text.as_ref(), line.tag == Tag::Add)).collect();
        let above = place.start.checked_sub(1).map_or(&b""[..], |at| self.text.body(at));
        self.added(&side, above)?;
        let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (
            body.old().map(|line| line.text.as_ref()).collect(),
            side.iter().map(|(line, _)| *line).collect(),
        );
        self.stand_ins(&old, &new)
    }

    /// A whole file in place of the old one.
    ///
    /// # Errors
    /// As [`Guards::lines`]; or a line that may be an elision comment comes where lines go.
    pub fn whole(&self, lines: &[Line<'_>]) -> Result<(), Refusal> {
        self.lines(lines, b"")?;
        let old: Vec<&[u8]> = self.text.bodies().collect();
        self.stand_ins(&old, &lines.iter().map(|line| line.text.as_ref()).collect::<Vec<_>>())
    }

    /// Lines that come in place of others.
    ///
    /// # Errors
    /// One may be an elision comment, and more goes than comes.
    pub fn stand_ins(&self, old: &[&[u8]], new: &[&[u8]]) -> Result<(), Refusal> {
        let found = stand_ins(old, new).into_iter().zip(new).filter(|(stands, _)| *stands);
        let held = |line: &[u8]| self.text.bodies().any(|ours| ours.trim_ascii() == line.trim_ascii());
        match found.map(|(_, line)| *line).find(|line| !held(line)) {
            Some(line) => Err(Refusal::ElisionLiteral { line: shown(line) }),
            None => Ok(()),
        }
    }

    /// The lines of a new file, of a whole file, or of text to append below `above`.
    ///
    /// # Errors
    /// One is an elision comment or a conflict marker that the old file lacks.
    pub fn lines(&self, lines: &[Line<'_>], above: &[u8]) -> Result<(), Refusal> {
        if !lines.iter().any(|line| may_be_bad(&line.text)) {
            return Ok(());
        }
        let side: Vec<(&[u8], bool)> = lines.iter().map(|line| (line.text.as_ref(), true)).collect();
        self.added(&side, above)
    }

    /// `side`: the lines that the file will show, and whether each is added.
    fn added(&self, side: &[(&[u8], bool)], above: &[u8]) -> Result<(), Refusal> {
        for (at, &(line, added)) in side.iter().enumerate() {
            if !added || !suspect(line) && !holds_lost(line) || self.holds(line) {
                continue;
            }
            if is_elision(line) || ends_in_elision(line) {
                return Err(Refusal::ElisionLiteral { line: shown(line) });
            }
            if holds_lost(line) && !holds_lost(self.text.bytes()) {
                return Err(Refusal::Doubtful {
                    what: format!(
                        "`{}` holds U+FFFD, the sign for a character that was lost in reading, and the file \
                         holds none",
                        shown(line)
                    ),
                });
            }
            let before = at.checked_sub(1).map_or(above, |before| side[before].0);
            if is_marker(line) || is_divider(line) && !underlines(before, &side[at + 1..]) {
                return Err(Refusal::ConflictMarker { line: shown(line) });
            }
        }
        Ok(())
    }

    /// Whether the old file has this line; asked only of lines that are suspect.
    fn holds(&self, line: &[u8]) -> bool {
        if !suspect(line) {
            return false;
        }
        let held = self.held.get_or_init(|| {
            self.text.bodies().filter(|line| suspect(line)).map(<[u8]>::trim_ascii).collect()
        });
        held.contains(line.trim_ascii())
    }
}

/// U+FFFD stands there, in place of what could not be read.
fn holds_lost(text: &[u8]) -> bool {
    !text.is_ascii() && memchr::memmem::find(text, "\u{fffd}".as_bytes()).is_some()
}

fn shown(line: &[u8]) -> String {
    String::from_utf8_lossy(line.trim_ascii()).into_owned()
}

/// Whether some line of a new file may be refused. The bytes that they come to tell at once of most lines that they
/// are none to look at.
pub(super) fn may_be_refused<'l>(mut lines: impl Iterator<Item = &'l [u8]>, bytes: &[u8]) -> bool {
    let plain = bytes.is_ascii() && memchr::memmem::find(bytes, b"...").is_none();
    lines.any(|line| (!plain || may_begin_bad(line)) && may_be_bad(line))
}

/// Only such a line can be refused for itself.
fn may_be_bad(line: &[u8]) -> bool {
    suspect(line) || holds_lost(line)
}

/// Quick: of plain ASCII without three dots in a row, only a line that begins so may be bad.
fn may_begin_bad(line: &[u8]) -> bool {
    may_begin_elision(line) || may_begin_marker(line)
}

fn may_begin_marker(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'<' | b'>' | b'='))
}

fn suspect(line: &[u8]) -> bool {
    is_marker(line) || is_divider(line) || may_be_any(line) && (is_elision(line) || ends_in_elision(line))
}

/// `<<<<<<<` or `>>>>>>>`, alone or before a blank.
fn is_marker(line: &[u8]) -> bool {
    [b"<<<<<<<", b">>>>>>>"].iter().any(|marker| {
        line.strip_prefix(*marker)
            .is_some_and(|rest| matches!(rest.first(), None | Some(b' ' | b'\t' | b'\r')))
    })
}

fn is_divider(line: &[u8]) -> bool {
    line.first() == Some(&b'=') && trim_end(line) == b"======="
}

/// A heading's underline, or the line above a heading that is underlined as well.
fn underlines(before: &[u8], below: &[(&[u8], bool)]) -> bool {
    let heading = |line: &[u8]| !is_blank(line) && !suspect(line);
    heading(before) || matches!(below, [(title, _), (rule, _), ..] if heading(title) && is_divider(rule))
}

/// Refuses a whole file that loses most of what stood there.
///
/// # Errors
/// Over half of the lines vanish and the reply has under 60 % of the lines, or nine of ten vanish; for a
/// file of 6 or 7 lines only if nothing survives and the reply is a quarter or less.
pub(super) fn shrink(old: &Text<'_>, new: &[Line<'_>]) -> Result<(), Refusal> {
    let solid = old.bodies().filter(|line| !is_blank(line)).count();
    if solid < 6 {
        return Ok(());
    }
    let shown = new.iter().filter(|line| !is_blank(&line.text)).count();
    let vanished = vanished(old, new);
    let refused = if solid >= 8 {
        2 * vanished > solid && 10 * shown < 6 * solid || 10 * vanished >= 9 * solid
    } else {
        vanished == solid && 4 * shown <= solid
    };
    if refused { Err(Refusal::Shrinks { before: solid, after: shown, vanished }) } else { Ok(()) }
}

/// How many lines of the old file have no equal in the new one, white space aside.
fn vanished(old: &Text<'_>, new: &[Line<'_>]) -> usize {
    let mut stock: HashMap<Vec<u8>, usize> = HashMap::new();
    for line in new.iter().filter(|line| !is_blank(&line.text)) {
        *stock.entry(token::key(&line.text)).or_default() += 1;
    }
    let gone = |line: &&[u8]| match stock.get_mut(&token::key(line)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    old.bodies().filter(|line| !is_blank(line)).filter(gone).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Eol;

    fn lines(text: &str) -> Vec<Line<'_>> {
        text.lines().map(|line| Line { text: line.as_bytes().into(), eol: Eol::Lf }).collect()
    }

    #[test]
    fn added_lines() {
        for (old, new, code) in [
            ("a\n", "a\nb\n", None),
            ("a\n", "a\n# ... existing code ...\n", Some("elision-literal")),
            ("a\n", "f() { /* ... existing code ... */ }\n", Some("elision-literal")),
            ("a\n", "(rest of methods ...)\n", Some("elision-literal")),
            ("a\n  # ... existing code ...\n", "# ... existing code ...\n", None),
            ("a\n", "def f(): ...\n    ...\n", None),
            ("a\n", "<<<<<<< HEAD\n", Some("conflict-marker")),
            ("a\n", ">>>>>>>\n", Some("conflict-marker")),
            ("<<<<<<< HEAD\n", "x\n<<<<<<< HEAD\n", None),
            ("a\n", "<<<<<<<<\n>>>>>>>x\n", None),
            ("a\n", "Title\n=======\n", None),
            ("a\n", "\n=======\nTitle\n=======\n", None),
            ("a\n", "\n=======\nx\n", Some("conflict-marker")),
        ] {
            let refused = Guards::new(&Text::new(old.as_bytes())).lines(&lines(new), b"").err();
            assert_eq!(refused.as_ref().map(Refusal::code), code, "{new:?}");
        }
    }

    #[test]
    fn comments_that_may_be_elisions() {
        let text = Text::new(b"a\nb\nc\nd\n");
        for (old, new, ok) in [
            ("b\nc\n", "b\n# unchanged\n", false),
            ("b\nc\n", "b\nc\n# unchanged\n", true),
            ("b\nc\n", "b\n# unchanged since v2\n", true),
            ("b\nc\n", "pass  # ... same as before\n", false),
            ("b\nc\n", "int f() { /* ... */ }\n", false),
            ("b\nc\n", "b\n\u{2026}\n", false),
            ("b\nc\n", "b\nx\n# same as before\n", true),
        ] {
            let body = Body::block(lines(old), lines(new));
            let place = Place { view: View::Exact, start: 1, end: 3, pairs: vec![Some(1), Some(2)] };
            assert_eq!(Guards::new(&text).hunk(&body, &place).is_ok(), ok, "{new:?}");
        }
        assert!(Guards::new(&text).whole(&lines("a\nint f() { /* ... */ }\n")).is_err());
        assert!(Guards::new(&text).whole(&lines("a\nb\nc\nd\nint f() { /* ... */ }\n")).is_ok());
    }

    proptest::proptest! {
        #[test]
        fn a_plain_line_is_nothing_to_look_at(
            line in "[ \t]{0,2}([a-zR<>=#/*.\\[\\](){}\u{2026}\u{fffd};\"'!%-]|\\.\\.\\.|unchanged|rest of file| ){0,8}",
        ) {
            let line = line.as_bytes();
            if !may_begin_marker(line) && is_plain(line) {
                proptest::prop_assert!(!may_be_bad(line) && !may_be_elision(line));
            }
        }
    }

    #[test]
    fn a_place_out_of_proportion() {
        let text = Text::new(b"");
        let body = Body::block(lines("a\nb\n"), lines("a\nc\n"));
        for (end, ok) in [(2, true), (14, true), (15, false)] {
            let place = Place { view: View::BlankLines, start: 0, end, pairs: vec![Some(0), Some(end - 1)] };
            assert_eq!(Guards::new(&text).hunk(&body, &place).is_ok(), ok, "{end}");
        }
    }

    #[test]
    fn shrinking() {
        let file = |range: std::ops::Range<usize>| range.map(|n| format!("line {n}\n")).collect::<String>();
        for (old, new, ok) in [
            (file(0..10), file(0..6), true),
            (file(0..10), file(0..5), true),
            (file(0..10), file(0..4), false),
            (file(0..10), file(0..4) + &file(20..22), true),
            (file(0..10), file(0..4) + &file(20..21), false),
            (file(0..10), file(20..40), false),
            (file(0..10), file(0..10).replace("line", "  line  "), true),
            (file(0..7), file(20..21), false),
            (file(0..7), file(20..22), true),
            (file(0..7), file(0..1), true),
            (file(0..5), String::new(), true),
        ] {
            assert_eq!(shrink(&Text::new(old.as_bytes()), &lines(&new)).is_ok(), ok, "{old} {new}");
        }
    }
}
