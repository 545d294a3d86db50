//! What a place becomes: the file's own bytes wherever the edit does not mean to change them.

use std::cell::OnceCell;

use crate::{
    edit::Body,
    place::{Place, View},
    text::{
        Buffer, Content, Eol, Text,
        indent::{Swap, Unit, is_pure, lead, unit_of},
        is_blank,
    },
};

pub mod binary;
pub mod delta;
mod elided;
mod line;
mod lost;
mod pairing;
mod splice;
mod whole;

pub use elided::elided;
pub use lost::restored;
pub use splice::splice;
pub use whole::{Spelling, ruled_by_indentation, whole};

/// A line to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutLine {
    pub text: Vec<u8>,
    pub eol: Eol,
}

/// The file's lines `start..end` (from 0) give way to `lines`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    pub start: usize,
    pub end: usize,
    pub lines: Vec<OutLine>,
}

/// What is known of the reply and the file beyond one hunk.
#[derive(Debug, Default)]
pub struct Env {
    swap: Swap,
    unit: OnceCell<Option<Unit>>,
    pure: OnceCell<bool>,
    eol: OnceCell<Eol>,
}

impl Env {
    /// For one file; `evidence` comes from all placed hunks of the reply.
    pub fn new(evidence: Evidence) -> Env {
        Env { swap: evidence.swap, ..Env::default() }
    }

    fn unit(&self, text: &Text<'_>) -> Option<Unit> {
        *self.unit.get_or_init(|| unit_of(text))
    }

    /// All of the file's indentation is in its one unit.
    fn pure(&self, text: &Text<'_>) -> bool {
        *self.pure.get_or_init(|| self.unit(text).is_some_and(|unit| is_pure(text, unit)))
    }

    /// The line end of most lines.
    fn majority(&self, text: &Text<'_>) -> Eol {
        *self.eol.get_or_init(|| majority(text))
    }
}

/// What a reply's matched lines say about how it writes indentation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    swap: Swap,
}

impl Evidence {
    /// Learns what another file's hunks showed.
    pub fn join(&mut self, other: Evidence) {
        self.swap.tabs |= other.swap.tabs;
        self.swap.spaces = self.swap.spaces.or(other.swap.spaces);
    }

    /// Learns from a hunk that has its place.
    pub fn observe(&mut self, text: &Text<'_>, body: &Body<'_>, place: &Place) {
        if place.view <= View::LineEnds {
            return;
        }
        for (line, at) in body.old().zip(&place.pairs) {
            let Some(at) = at.filter(|&at| line.text != text.body(at) && !is_blank(&line.text)) else {
                continue;
            };
            let (quoted, file) = (lead(&line.text).0, lead(text.body(at)).0);
            if quoted != file {
                self.swap.observe(&quoted, &file);
            }
        }
    }
}

/// The commonest line end; `\n` if there is none.
fn majority(text: &Text<'_>) -> Eol {
    let crlf = (0..text.len()).filter(|&at| text.eol(at) == Eol::CrLf).count();
    let lf = (0..text.len()).filter(|&at| text.eol(at) == Eol::Lf).count();
    if crlf > lf { Eol::CrLf } else { Eol::Lf }
}

/// The line end for a new line at `at`: that of the line there, else of the one above.
fn eol_near(text: &Text<'_>, at: usize, env: &Env) -> Eol {
    let own = |at: usize| (at < text.len()).then(|| text.eol(at)).filter(|&eol| eol != Eol::None);
    own(at).or_else(|| own(at.checked_sub(1)?)).unwrap_or_else(|| env.majority(text))
}

/// How a new line beside line `at` ends: as that line does, else as the one above or as most do.
pub fn line_end(text: &Text<'_>, at: usize, env: &Env) -> Eol {
    eol_near(text, at, env)
}

/// Whether the last line of the file has no end.
fn unterminated(text: &Text<'_>) -> bool {
    !text.is_empty() && text.eol(text.len() - 1) == Eol::None
}

/// The file with `splices` carried out: sorted by place, not overlapping; insertions at one point keep
/// their order. Only the last line of the result may be without an end.
pub fn apply(text: &Text<'_>, splices: &[Splice]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(most(text, splices));
    carry_out(text, splices, &mut |part| bytes.extend_from_slice(part));
    bytes
}

/// As [`apply`]; a line in place of a whole file, which may be as long, is not copied.
pub fn apply_all(text: &Text<'_>, mut splices: Vec<Splice>) -> Content {
    if let [Splice { start: 0, end, lines }] = &mut splices[..]
        && let [line] = &mut lines[..]
        && *end == text.len()
        && text.bom().is_empty()
    {
        let mut bytes = std::mem::take(&mut line.text);
        bytes.extend_from_slice(line.eol.bytes());
        return bytes.into();
    }
    let mut bytes = Buffer::with_capacity(most(text, &splices));
    carry_out(text, &splices, &mut |part| bytes.push(part));
    bytes.into()
}

/// How many bytes the result has at most, or nearly so.
fn most(text: &Text<'_>, splices: &[Splice]) -> usize {
    let added = splices.iter().flat_map(|splice| &splice.lines).map(|line| line.text.len() + 2);
    text.bytes().len() + added.sum::<usize>()
}

fn carry_out(text: &Text<'_>, splices: &[Splice], put: &mut dyn FnMut(&[u8])) {
    put(text.bom());
    let mut out = Out { put, open: false, env: Env::default(), text };
    let mut at = 0;
    for splice in splices {
        let start = splice.start.clamp(at, text.len());
        out.copy(at, start);
        splice.lines.iter().for_each(|line| out.line(line));
        at = splice.end.clamp(start, text.len());
    }
    out.copy(at, text.len());
}

struct Out<'t> {
    put: &'t mut dyn FnMut(&[u8]),
    /// The last line written has no end yet.
    open: bool,
    env: Env,
    text: &'t Text<'t>,
}

impl Out<'_> {
    fn close(&mut self) {
        if std::mem::take(&mut self.open) {
            let eol = eol_near(self.text, self.text.len(), &self.env);
            let above = self.text.len().checked_sub(2).map(|at| self.text.eol(at));
            (self.put)(above.unwrap_or(eol).bytes());
        }
    }

    /// The file's lines `from..to` as they are.
    fn copy(&mut self, from: usize, to: usize) {
        if from < to {
            self.close();
            (self.put)(&self.text.bytes()[self.text.offset(from)..self.text.offset(to)]);
            self.open = self.text.eol(to - 1) == Eol::None;
        }
    }

    fn line(&mut self, line: &OutLine) {
        self.close();
        (self.put)(&line.text);
        (self.put)(line.eol.bytes());
        self.open = line.eol == Eol::None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(at: usize, text: &str, eol: Eol) -> Splice {
        Splice { start: at, end: at, lines: vec![OutLine { text: text.into(), eol }] }
    }

    #[test]
    fn splices_are_carried_out_in_order() {
        let text = Text::new(b"\xef\xbb\xbfa\nb\r\nc\n");
        let cut = Splice { start: 1, end: 2, lines: vec![] };
        let splices = [insert(1, "x", Eol::Lf), insert(1, "y", Eol::CrLf), cut];
        assert_eq!(apply(&text, &splices), b"\xef\xbb\xbfa\nx\ny\r\nc\n");
        assert_eq!(apply(&text, &[]), text.bytes());
    }

    #[test]
    fn one_line_in_place_of_all_is_carried_out_alike() {
        for file in ["a\nb\n", "a", "a\r\n", "\u{feff}a\n", ""] {
            let text = Text::new(file.as_bytes());
            for eol in [Eol::Lf, Eol::CrLf, Eol::None] {
                let line = OutLine { text: "x".into(), eol };
                let splice = Splice { start: 0, end: text.len(), lines: vec![line] };
                assert_eq!(
                    *apply_all(&text, vec![splice.clone()]),
                    *apply(&text, &[splice]),
                    "{file:?} {eol:?}"
                );
            }
        }
    }

    #[test]
    fn a_line_with_a_successor_gets_an_end() {
        let text = Text::new(b"a\r\nb");
        assert_eq!(apply(&text, &[insert(2, "c", Eol::None)]), b"a\r\nb\r\nc");
        let splices = [insert(2, "c", Eol::None), insert(2, "d", Eol::None)];
        assert_eq!(apply(&text, &splices), b"a\r\nb\r\nc\r\nd");
        assert_eq!(apply(&Text::new(b"a"), &[insert(1, "b", Eol::None)]), b"a\nb");
        assert_eq!(apply(&Text::new(b""), &[insert(0, "b", Eol::Lf)]), b"b\n");
    }
}
