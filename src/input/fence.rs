//! Code fences: runs of backticks or tildes of any length, and the tags that stand for them.

use crate::text::{indent::indent, is_blank, view::trim_end};

use super::InputLine;

/// Tags that models use in place of backticks when the text itself holds backticks.
const TAGS: [&[u8]; 5] = [b"source", b"code", b"pre", b"codeblock", b"sourcecode"];

/// What draws a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A run of this byte, this long.
    Run { byte: u8, len: usize },
    /// `<source>` and its kin, by their place in [`TAGS`].
    Tag(usize),
}

/// A line that opens a fence. A bare run may as well close one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opener<'i> {
    pub kind: Kind,
    /// The width of its leading blanks, in bytes.
    pub indent: usize,
    /// What follows the run or the tag, trimmed.
    pub info: &'i [u8],
}

impl Opener<'_> {
    /// Nothing follows the run: it may open a fence or close one.
    pub fn is_bare(&self) -> bool {
        self.info.is_empty()
    }

    fn closed_by_run(&self, other: &Opener<'_>) -> bool {
        match (self.kind, other.kind) {
            (Kind::Run { byte, len }, Kind::Run { byte: b, len: l }) => {
                other.is_bare() && b == byte && l >= len && other.indent <= self.indent
            }
            _ => false,
        }
    }

    fn nests(&self, other: &Opener<'_>) -> bool {
        match (self.kind, other.kind) {
            (Kind::Run { byte, len }, Kind::Run { byte: b, len: l }) => {
                !other.is_bare() && b == byte && l >= len
            }
            _ => false,
        }
    }

    /// Does `line` close this fence, whatever stands in between?
    pub fn closed_by(&self, line: &[u8]) -> bool {
        match self.kind {
            Kind::Run { .. } => opener(line).is_some_and(|other| self.closed_by_run(&other)),
            Kind::Tag(tag) => closing_tag(line) == Some(tag),
        }
    }
}

/// Does this line open (or, if bare, perhaps close) a fence?
pub fn opener(line: &[u8]) -> Option<Opener<'_>> {
    let lead = indent(line).len();
    let rest = &line[lead..];
    match rest.first()? {
        b'<' => tag_opener(trim_end(rest), lead),
        &byte @ (b'`' | b'~') => run_opener(trim_end(rest), byte, lead),
        _ => None,
    }
}

fn run_opener(rest: &[u8], byte: u8, indent: usize) -> Option<Opener<'_>> {
    let len = rest.iter().take_while(|&&b| b == byte).count();
    let info = rest[len..].trim_ascii();
    if len < 3 || (byte == b'`' && info.contains(&b'`')) {
        return None;
    }
    Some(Opener { kind: Kind::Run { byte, len }, indent, info })
}

/// A tag stands for a fence only alone on its line or before one word (a language or a path).
fn tag_opener(rest: &[u8], indent: usize) -> Option<Opener<'_>> {
    let close = memchr::memchr(b'>', rest)?;
    let tag = TAGS.iter().position(|tag| *tag == &rest[1..close])?;
    let info = rest[close + 1..].trim_ascii();
    let wordlike = !info.iter().any(|b| b.is_ascii_whitespace() || matches!(b, b'<' | b'>' | b'(' | b'='));
    wordlike.then_some(Opener { kind: Kind::Tag(tag), indent, info })
}

fn closing_tag(line: &[u8]) -> Option<usize> {
    let name = line.trim_ascii().strip_prefix(b"</")?.strip_suffix(b">")?;
    TAGS.iter().position(|tag| *tag == name)
}

/// Which fence lines an input has and where each fence closes; every answer is computed once, so that
/// an input of nothing but fences stays linear.
pub struct Fences<'i> {
    /// All lines that look like fences, in order.
    runs: Vec<(usize, Opener<'i>)>,
    closers: Vec<(usize, usize)>,
    /// For openers with an info string that a scan met: where they close.
    known: Vec<Option<Option<usize>>>,
}

impl<'i> Fences<'i> {
    pub fn new(lines: &[InputLine<'i>]) -> Fences<'i> {
        let mut runs = Vec::new();
        let mut closers = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            if !matches!(line.text.trim_ascii_start().first(), Some(b'`' | b'~' | b'<')) {
                continue;
            }
            if let Some(opener) = opener(line.text).filter(|o| matches!(o.kind, Kind::Run { .. })) {
                runs.push((at, opener));
            } else if let Some(tag) = closing_tag(line.text) {
                closers.push((at, tag));
            }
        }
        let known = vec![None; runs.len()];
        Fences { runs, closers, known }
    }

    /// The line that closes the fence opened at `at`. Inner fences are paired by their info strings: one
    /// that has an info string opens, a bare one closes the innermost.
    pub fn close(&mut self, at: usize, opener: &Opener<'i>) -> Option<usize> {
        if let Kind::Tag(tag) = opener.kind {
            return self.tag_close(at, tag);
        }
        let from = self.runs.partition_point(|(line, _)| *line < at);
        if let Some(known) = self.known.get(from).copied().flatten() {
            return known;
        }
        let mut stack = vec![(from, *opener)];
        for index in from + 1..self.runs.len() {
            let (line, other) = self.runs[index];
            let Some((opened, top)) = stack.last().copied() else { break };
            if top.nests(&other) {
                stack.push((index, other));
            } else if top.closed_by_run(&other) {
                stack.pop();
                self.known[opened] = Some(Some(line));
                if stack.is_empty() {
                    return Some(line);
                }
            }
        }
        for (opened, _) in stack {
            self.known[opened] = Some(None);
        }
        None
    }

    /// The line that closes a fence around a diff: the diff's own lines are prefixed, so only fences no
    /// deeper than the opening one count.
    pub fn close_flush(&self, at: usize, opener: &Opener<'i>) -> Option<usize> {
        if let Kind::Tag(tag) = opener.kind {
            return self.tag_close(at, tag);
        }
        let from = self.runs.partition_point(|(line, _)| *line <= at);
        let mut depth = 1_usize;
        for (line, other) in self.runs[from..].iter().filter(|(_, other)| other.indent <= opener.indent) {
            if opener.nests(other) {
                depth += 1;
            } else if opener.closed_by_run(other) {
                depth -= 1;
            }
            if depth == 0 {
                return Some(*line);
            }
        }
        None
    }

    fn tag_close(&self, at: usize, tag: usize) -> Option<usize> {
        let from = self.closers.partition_point(|(line, _)| *line <= at);
        self.closers[from..].iter().find(|(_, other)| *other == tag).map(|(line, _)| *line)
    }

    /// The first fence line after `at`.
    pub fn next(&self, at: usize) -> Option<(usize, Opener<'i>)> {
        let from = self.runs.partition_point(|(line, _)| *line <= at);
        self.runs.get(from).copied()
    }
}

/// The lines with up to `width` leading blanks taken off, as a fence that is indented indents its text.
pub fn dedent<'i>(lines: &[InputLine<'i>], width: usize) -> Vec<InputLine<'i>> {
    let cut = |line: &InputLine<'i>| {
        let lead = indent(line.text).len().min(width);
        InputLine { text: &line.text[lead..], ..*line }
    };
    lines.iter().map(cut).collect()
}

/// The first line from `from` on, before `to`, that is not blank.
pub fn first_filled(lines: &[InputLine<'_>], from: usize, to: usize) -> Option<usize> {
    (from..to.min(lines.len())).find(|&at| !is_blank(lines[at].text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::lines;

    fn closes(text: &str) -> Option<usize> {
        let lines = lines(text.as_bytes());
        let opener = opener(lines[0].text).expect("a fence");
        Fences::new(&lines).close(0, &opener)
    }

    #[test]
    fn where_fences_close() {
        for (text, close) in [
            ("```\na\n```\n", Some(2)),
            ("````\n```\n````\n", Some(2)),
            ("~~~ py\n```\n~~~\n", Some(2)),
            ("```md\n```sh\nx\n```\ny\n```\n", Some(5)),
            ("```md\n````\n", Some(1)),
            ("  ```\n  ```\n", Some(1)),
            ("```\n  ```\nx\n", None),
            ("```md\n```sh\n```\n", None),
            ("<source>python\n```\n</source>\n", Some(2)),
            ("<source>\n</pre>\n", None),
        ] {
            assert_eq!(closes(text), close, "{text:?}");
        }
    }

    #[test]
    fn what_opens() {
        for (line, info) in [
            ("```rust src/a.rs", Some("rust src/a.rs")),
            ("   ~~~~", Some("")),
            ("```inline```", None),
            ("``", None),
            ("<source>python", Some("python")),
            ("<pre class=\"x\">", None),
            ("<code>let x = 1</code>", None),
            ("<source> two words", None),
        ] {
            let found = opener(line.as_bytes()).map(|o| String::from_utf8_lossy(o.info).into_owned());
            assert_eq!(found.as_deref(), info, "{line}");
        }
    }

    #[test]
    fn a_diff_is_not_closed_by_its_own_context() {
        let lines = lines(b"```diff\n ```python\n+x\n```\n");
        let first = opener(lines[0].text).expect("a fence");
        assert_eq!(Fences::new(&lines).close_flush(0, &first), Some(3));
    }

    #[test]
    fn nothing_but_fences_stays_linear() {
        let text = b"```a\n".repeat(200_000);
        let lines = lines(&text);
        let mut fences = Fences::new(&lines);
        for (at, line) in lines.iter().enumerate() {
            let first = opener(line.text).expect("a fence");
            assert_eq!(fences.close(at, &first), None);
        }
    }
}
