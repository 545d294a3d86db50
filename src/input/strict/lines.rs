//! The lines of a patch without what a mailer or an editor hung around them.

use std::borrow::Cow;

/// What surrounds every line of the present patch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dress {
    /// So many columns of blanks, tabs and `X` are cut off.
    pub indent: usize,
    /// So many `- ` of RFC 934 are unwrapped.
    pub nesting: usize,
    /// A carriage return before the line end is cut off.
    pub strip_cr: bool,
}

/// A position to come back to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub at: usize,
    /// Lines read so far.
    pub number: usize,
}

/// Lines, one after the other. Only whole lines count: an unterminated last one is never handed out.
#[derive(Clone, Debug)]
pub struct Lines<'p> {
    bytes: &'p [u8],
    place: Place,
    pub dress: Dress,
    /// How often the unterminated last line was met.
    torn: usize,
    /// Lines that announce a change without giving it.
    notices: Vec<&'p [u8]>,
}

impl<'p> Lines<'p> {
    pub fn new(bytes: &'p [u8]) -> Lines<'p> {
        Lines { bytes, place: Place::default(), dress: Dress::default(), torn: 0, notices: Vec::new() }
    }

    pub fn place(&self) -> Place {
        self.place
    }

    pub fn seek(&mut self, place: Place) {
        self.place = place;
    }

    /// The number of the line read last, from 1.
    pub fn number(&self) -> usize {
        self.place.number
    }

    /// Nothing is left, not even an unterminated line.
    pub fn at_end(&self) -> bool {
        self.place.at >= self.bytes.len()
    }

    /// No byte at all.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Takes over what another reader of the same input met.
    pub fn share_torn(&mut self, other: &mut Lines<'p>) {
        self.torn += other.take_torn();
    }

    /// How often an unterminated line was met since the last call.
    pub fn take_torn(&mut self) -> usize {
        std::mem::take(&mut self.torn)
    }

    /// Notes a line that announces a change without giving it.
    pub fn note(&mut self, line: &'p [u8]) {
        self.notices.push(line);
    }

    /// The lines noted since the last call.
    pub fn take_notices(&mut self) -> Vec<&'p [u8]> {
        std::mem::take(&mut self.notices)
    }

    /// The next line as it stands.
    pub fn raw(&mut self) -> Option<&'p [u8]> {
        let rest = &self.bytes[self.place.at.min(self.bytes.len())..];
        match memchr::memchr(b'\n', rest) {
            Some(end) => {
                self.place.at += end + 1;
                self.place.number += 1;
                Some(&rest[..=end])
            }
            None => {
                self.torn += usize::from(!rest.is_empty());
                self.place.at = self.bytes.len();
                None
            }
        }
    }

    /// The next line without its dress; lines that begin with `#` are remarks and left out.
    pub fn next_line(&mut self) -> Option<Cow<'p, [u8]>> {
        loop {
            let line = self.with_remarks()?;
            if line.first() != Some(&b'#') {
                return Some(line);
            }
        }
    }

    /// As [`Lines::next_line`], but remarks are lines too.
    pub fn with_remarks(&mut self) -> Option<Cow<'p, [u8]>> {
        let mut line = undent(self.raw()?, self.dress.indent);
        for _ in 0..self.dress.nesting {
            match line {
                [b'-', b' ', rest @ ..] if !rest.is_empty() => line = rest,
                _ => break,
            }
        }
        match line {
            [body @ .., b'\r', b'\n'] if self.dress.strip_cr => Some(Cow::Owned([body, &b"\n"[..]].concat())),
            line => Some(Cow::Borrowed(line)),
        }
    }

    /// Whether the line before is unterminated in its file: a line that begins with a back-slash says
    /// so. It is passed over, and not counted.
    pub fn no_newline(&mut self) -> bool {
        let rest = &self.bytes[self.place.at.min(self.bytes.len())..];
        if rest.first() != Some(&b'\\') {
            return false;
        }
        self.place.at += memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        true
    }
}

/// Cuts up to `width` columns of blanks and `X` off.
fn undent(line: &[u8], width: usize) -> &[u8] {
    let mut column = 0;
    for (at, byte) in line.iter().enumerate() {
        if column >= width {
            return &line[at..];
        }
        match byte {
            b' ' | b'X' => column += 1,
            b'\t' => column = (column + 8) & !7,
            _ => return &line[at..],
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dress_is_taken_off() {
        let mut lines = Lines::new(b"  a\r\n# no\n\tb\n- - c\nrest");
        lines.dress = Dress { indent: 2, nesting: 1, strip_cr: true };
        let all: Vec<Vec<u8>> = std::iter::from_fn(|| lines.next_line().map(Cow::into_owned)).collect();
        assert_eq!(all, [&b"a\n"[..], b"b\n", b"- c\n"]);
        assert_eq!((lines.number(), lines.take_torn(), lines.at_end()), (4, 1, true));
    }

    #[test]
    fn the_missing_newline_is_not_counted() {
        let mut lines = Lines::new(b"a\n\\ No\nb\n");
        assert!(lines.next_line().is_some() && lines.no_newline() && !lines.no_newline());
        assert_eq!((lines.next_line().as_deref(), lines.number()), (Some(&b"b\n"[..]), 2));
    }
}
