//! Parts of lines: where a call's old text stands as it is, byte for byte but for line ends, or but for
//! typography. Every occurrence counts, also inside words.

use super::{
    View,
    index::{Index, Kind},
};
use crate::{
    edit::{Hunk, Literal},
    refusal::Refusal,
    text::{Eol, Text, view, word_chars},
};

/// Bytes of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slice {
    pub start: usize,
    pub end: usize,
}

/// What the search for a part came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Whole lines are meant, or the text stands nowhere as it is: the views of lines decide.
    Lines,
    /// Ascending, never empty, apart from each other if all are meant.
    Slices {
        view: View,
        slices: Vec<Slice>,
    },
    /// The new text stands at this line (from 0) already.
    Already(usize),
    Refused(Refusal),
}

/// More places of one text are not looked for: a text of one letter stands nearly everywhere.
const MOST_PLACES: usize = 4_000_000;

/// Searches for the parts that a hunk means. `every`: all places.
pub(crate) fn search(index: &Index, literal: &Literal, every: bool, loosest: View) -> Found {
    let (old, new) = (&literal.old[..], &literal.new[..]);
    if old.ends_with(b"\n") && !new.is_empty() && !new.ends_with(b"\n") {
        return Found::Refused(Refusal::Doubtful {
            what: "the old text ends with a line end and the new one does not: the next line would be joined to it, or \
                   not"
                .to_owned(),
        });
    }
    let mut view = View::Exact;
    let mut slices = exact(index, old);
    if slices.is_empty() && loosest >= View::Typography && !old.contains(&b'\n') {
        view = View::Typography;
        slices = folded(index.text, old);
    }
    if slices.is_empty() || !every && slices.iter().all(|slice| is_lines(index.text, slice)) {
        return Found::Lines;
    }
    if let Some(found) = standing(index.text, literal, &slices, every) {
        return found;
    }
    if every && slices.len() > MOST_PLACES {
        let what = format!("the old text stands at over {MOST_PLACES} places");
        return Found::Refused(Refusal::TooLarge { what });
    }
    if every {
        apart(&mut slices);
    }
    Found::Slices { view, slices }
}

/// Keeps, from the top, what does not overlap.
fn apart(slices: &mut Vec<Slice>) {
    let mut reached = 0;
    slices.retain(|slice| {
        let free = slice.start >= reached;
        if free {
            reached = slice.end;
        }
        free
    });
}

/// The line that a byte belongs to.
pub fn line_of(text: &Text, byte: usize) -> usize {
    text.line_at(byte)
}

/// The slice begins and ends where lines do.
fn is_lines(text: &Text, slice: &Slice) -> bool {
    let first = line_of(text, slice.start);
    let last = line_of(text, slice.end - 1);
    let body_end = text.offset(last) + text.body(last).len();
    text.offset(first) == slice.start && (slice.end == body_end || slice.end == text.offset(last + 1))
}

/// Every place of `old`, ascending; line ends of either kind are one.
fn exact(index: &Index, old: &[u8]) -> Vec<Slice> {
    let parts: Vec<&[u8]> = old.split(|&b| b == b'\n').collect();
    match &parts[..] {
        [] => Vec::new(),
        [line] => in_lines(index.text, line),
        [first, inner @ .., last] => across_lines(index, first, inner, last),
    }
}

fn in_lines(text: &Text, old: &[u8]) -> Vec<Slice> {
    let from = text.bom().len();
    let bytes = &text.bytes()[from..];
    let finder = memchr::memmem::Finder::new(old);
    let slice = |at: usize| Slice { start: from + at, end: from + at + old.len() };
    let mut slices: Vec<Slice> = finder.find_iter(bytes).map(slice).take(MOST_PLACES + 1).collect();
    if let [only] = slices[..] {
        // A place that overlaps the only one is another place.
        let near = &bytes[only.start - from + 1..bytes.len().min(only.end - from + old.len() - 1)];
        slices.extend(finder.find(near).map(|at| slice(only.start - from + 1 + at)));
    }
    slices
}

fn across_lines(index: &Index, first: &[u8], inner: &[&[u8]], last: &[u8]) -> Vec<Slice> {
    let text = index.text;
    let count = inner.len() + 1;
    let fits = |start: &usize| {
        let end = start + count;
        end <= text.len()
            && text.body(*start).ends_with(first)
            && text.eol(end - 1) != Eol::None
            && if end < text.len() { text.body(end).starts_with(last) } else { last.is_empty() }
    };
    // A text that ends with a line end is whole lines; if it begins with one, that ends the line above.
    let whole = last.is_empty() && !first.is_empty();
    let begins = |start: &usize| !whole || text.body(*start).len() == first.len();
    let starts: Vec<usize> = if inner.is_empty() {
        (0..text.len()).filter(fits).collect()
    } else {
        let runs = index.runs(Kind::Body, inner);
        runs.into_iter().filter_map(|at| at.checked_sub(1)).filter(fits).collect()
    };
    let slice = |start: usize| Slice {
        start: text.offset(start) + text.body(start).len() - first.len(),
        end: text.offset(start + count) + last.len(),
    };
    starts.into_iter().filter(begins).map(slice).collect()
}

/// Every place of `old` within a line once typography is folded.
fn folded(text: &Text, old: &[u8]) -> Vec<Slice> {
    let wanted = view::fold(old);
    if wanted.is_empty() {
        return Vec::new();
    }
    let finder = memchr::memmem::Finder::new(&wanted[..]);
    let mut out = Vec::new();
    for at in 0..text.len() {
        let (line, from) = (text.body(at), text.offset(at));
        if line.is_ascii() {
            let slice = |at: usize| Slice { start: from + at, end: from + at + wanted.len() };
            out.extend(finder.find_iter(line).map(slice));
        } else {
            let map = Folding::new(line);
            let slices = finder.find_iter(&map.bytes).filter_map(|hit| map.slice(hit, wanted.len()));
            out.extend(slices.map(|slice| Slice { start: from + slice.start, end: from + slice.end }));
        }
    }
    out
}

/// A folded line, and for each of its bytes the character that it came from.
struct Folding {
    bytes: Vec<u8>,
    origins: Vec<Slice>,
}

impl Folding {
    fn new(line: &[u8]) -> Folding {
        let mut map =
            Folding { bytes: Vec::with_capacity(line.len()), origins: Vec::with_capacity(line.len()) };
        let mut at = 0;
        for chunk in line.utf8_chunks() {
            for char in chunk.valid().chars() {
                let origin = Slice { start: at, end: at + char.len_utf8() };
                let mut buffer = [0; 4];
                let plain = view::fold_char(char).unwrap_or_else(|| char.encode_utf8(&mut buffer));
                map.push(plain.as_bytes(), origin);
                at = origin.end;
            }
            for byte in chunk.invalid() {
                map.push(&[*byte], Slice { start: at, end: at + 1 });
                at += 1;
            }
        }
        map
    }

    fn push(&mut self, plain: &[u8], origin: Slice) {
        self.bytes.extend_from_slice(plain);
        self.origins.extend(plain.iter().map(|_| origin));
    }

    /// The characters behind a hit; `None` if it cuts through one.
    fn slice(&self, hit: usize, len: usize) -> Option<Slice> {
        let (first, last) = (self.origins[hit], self.origins[hit + len - 1]);
        let cut_at_start = hit > 0 && self.origins[hit - 1] == first;
        let cut_at_end = self.origins.get(hit + len) == Some(&last);
        (!cut_at_start && !cut_at_end).then_some(Slice { start: first.start, end: last.end })
    }
}

/// The new text holds the old one and stands around its places already.
fn standing(text: &Text, literal: &Literal, slices: &[Slice], every: bool) -> Option<Found> {
    if !every && slices.len() > 1 {
        return None;
    }
    let (old, new) = (&literal.old[..], &literal.new[..]);
    let offsets: Vec<usize> = memchr::memmem::find_iter(new, old).take(16).collect();
    let around = |slice: &Slice| offsets.iter().any(|&before| stands_around(text, slice, before, new));
    if old == new || offsets.is_empty() || !slices.iter().all(around) {
        return None;
    }
    let line = line_of(text, slices[0].start);
    if word_chars(new) >= word_chars(old) + 4 {
        return Some(Found::Already(line));
    }
    let what = format!("the new text stands at line {} already, around the old one", line + 1);
    (!every).then_some(Found::Refused(Refusal::Doubtful { what }))
}

/// `new` stands in the file so that its byte `before` is the slice's first.
fn stands_around(text: &Text, slice: &Slice, before: usize, new: &[u8]) -> bool {
    let bytes = text.bytes();
    let mut at = slice.start;
    for &byte in new[..before].iter().rev() {
        let Some(previous) = at.checked_sub(1).filter(|&at| bytes[at] == byte) else { return false };
        at = previous;
        if byte == b'\n' && at > 0 && bytes[at - 1] == b'\r' {
            at -= 1;
        }
    }
    at = slice.start;
    new[before..].iter().all(|&byte| {
        if byte == b'\n' && bytes.get(at..at + 2) == Some(b"\r\n") {
            at += 1;
        }
        at += 1;
        bytes.get(at - 1) == Some(&byte)
    })
}

/// Lines where a text of which every exact place is meant stands in another spelling, for a note.
pub(crate) fn lookalikes(index: &Index, hunk: &Hunk, slices: &[Slice]) -> Vec<usize> {
    let Some(literal) = &hunk.hints.literal else { return Vec::new() };
    let text = index.text;
    let mut lines: Vec<usize> = if literal.old.contains(&b'\n') {
        let old: Vec<&[u8]> = hunk.body().old().map(|line| line.text.as_ref()).collect();
        index.runs(Kind::Tokens, &old)
    } else {
        folded(text, &literal.old).iter().map(|slice| line_of(text, slice.start)).collect()
    };
    let exact: std::collections::HashSet<usize> =
        slices.iter().map(|slice| line_of(text, slice.start)).collect();
    lines.retain(|line| !exact.contains(line));
    lines.dedup();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(file: &str, old: &str, new: &str, every: bool) -> Found {
        let text = Text::new(file.as_bytes());
        let literal = Literal { old: old.as_bytes().into(), new: new.as_bytes().into() };
        search(&Index::new(&text), &literal, every, View::ContextForgiven)
    }

    #[test]
    fn a_letter_that_stands_nearly_everywhere_is_refused() {
        let literal = Literal { old: b"x"[..].into(), new: b"y"[..].into() };
        for (more, fits) in [(0, true), (1, false)] {
            let file = "x".repeat(MOST_PLACES + more);
            let text = Text::new(file.as_bytes());
            let found = search(&Index::for_hunks(&text, &[]), &literal, true, View::Exact);
            assert_eq!(matches!(found, Found::Slices { .. }), fits, "{more}");
        }
    }

    fn places(file: &str, old: &str, every: bool) -> Vec<(usize, usize)> {
        let new = if old.ends_with('\n') { "zzzz\n" } else { "zzzz" };
        match find(file, old, new, every) {
            Found::Slices { slices, .. } => slices.iter().map(|slice| (slice.start, slice.end)).collect(),
            Found::Lines => Vec::new(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_occurrence_counts() {
        assert_eq!(places("ab xab\nb\n", "ab", false), [(0, 2), (4, 6)]);
        assert_eq!(places("xaaay\n", "aa", false), [(1, 3), (2, 4)]);
        assert_eq!(places("xaaay aa\n", "aa", true), [(1, 3), (6, 8)]);
        assert_eq!(places("\u{feff}ab c\n", "ab", false), [(3, 5)]);
        assert_eq!(places("xa\r\nb\r\nca\nbd\n", "a\nb", false), [(1, 5), (8, 11)]);
        assert_eq!(places("xa\nm\nby\n", "a\nm\nb", false), [(1, 6)]);
        assert_eq!(places("xa\n\nb", "a\n\nb", false), [(1, 5)]);
        assert_eq!(places("x\nfoo\ny\n", "\nfoo\n", false), [(1, 6)]);
    }

    #[test]
    fn whole_lines_are_the_ladders() {
        for (file, old) in [
            ("a\nb\nc\n", "b"),
            ("a\nb\nc\n", "b\n"),
            ("ab\nc\n", "b\n"),
            ("a\r\nb\r\n", "a\nb"),
            ("a\n", "z"),
        ] {
            assert_eq!(find(file, old, "", false), Found::Lines, "{file} {old}");
        }
        assert_eq!(places("b\nb\n", "b", true), [(0, 1), (2, 3)]);
    }

    #[test]
    fn typography_by_characters() {
        let curly = "x = f(\u{201c}a\u{201d}, 1\u{2026})\n";
        assert_eq!(places(curly, "\"a\"", false), [(6, 13)]);
        assert_eq!(places(curly, "1..", false), [] as [(usize, usize); 0]);
        assert_eq!(places("a \u{201c}x\u{201d} \"x\"\n", "\"x\"", false), [(10, 13)]);
        assert_eq!(places("x = \"a\"\n", "\u{201c}a\u{201d}", false), [(4, 7)]);
    }

    #[test]
    fn what_stands_around_the_old_text() {
        assert_eq!(find("x = foobarbaz\n", "foo", "foobarbaz", false), Found::Already(0));
        assert!(matches!(find("x = 10\n", "1", "10", false), Found::Refused(_)));
        assert_eq!(find("a = x\r\n  second\r\n", "= x", "= x\n  second", false), Found::Already(0));
        assert!(matches!(find("foo foo_x\n", "foo", "foo_x", true), Found::Slices { .. }));
        assert!(matches!(find("ab\nc\n", "ab\n", "x", false), Found::Refused(_)));
    }
}
