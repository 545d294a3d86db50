//! Changes of files as hunks that quote enough to stand once in their file.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use memchr::memmem;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::{
    edit::{Body, Call, Edit, Format, Hints, Hunk, HunkLine, Line, ModeChange, Name, Op, Span, Tag},
    plan::Change,
    report::diff::Moves,
    text::Text,
};

/// Texts searched for at most; beyond that a block grows until it holds a line that stands once.
const SEARCHES: usize = 2_000;

/// How many lines a block quotes around the change before more are needed to tell its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Lines above.
    pub above: usize,
    /// Lines below.
    pub below: usize,
}

/// The changes as edits of a format.
pub(super) fn edits(changes: &[Change], to: Format, context: Context) -> Vec<Edit<'static>> {
    let moves = Moves::new(changes);
    let mut out: Vec<Edit<'static>> = Vec::new();
    for change in changes.iter().filter(|change| !moves.is_told(change)) {
        let source = moves.source(change);
        let mut edit = Edit {
            id: out.len() + 1,
            format: to,
            span: Span::new(1, 1),
            path: Some(Name::plain(source.unwrap_or(change).path.as_bytes().to_vec())),
            move_to: source.map(|_| Name::plain(change.path.as_bytes().to_vec())),
            copy: false,
            mode: ModeChange::default(),
            op: Op::Update { hunks: Vec::new() },
            notes: Vec::new(),
            call: Call::default(),
        };
        let before = source.map_or(&change.before, |source| &source.before);
        let modes = [before, &change.after].map(|image| image.as_ref().map(|image| 0o100_000 | image.mode));
        if modes[1].is_some_and(|mode| (mode & 0o111 != 0) != modes[0].is_some_and(|m| m & 0o111 != 0)) {
            edit.mode = ModeChange { old: modes[0], new: modes[1] };
        }
        edit.op = match (before, &change.after) {
            (Some(before), Some(after)) => update(&before.bytes, &after.bytes, to, context),
            (None, Some(after)) => Op::Create { lines: lines(&after.bytes).into() },
            (Some(before), None) => Op::Delete { old: Some(lines(&before.bytes).into()) },
            (None, None) => continue,
        };
        out.push(edit);
    }
    out
}

fn update(before: &[u8], after: &[u8], to: Format, context: Context) -> Op<'static> {
    let text = Text::new(before);
    match to {
        Format::WholeFile => Op::Whole { lines: lines(after).into() },
        Format::EditCall if text.is_empty() => Op::Whole { lines: lines(after).into() },
        Format::SearchReplace if text.is_empty() => Op::Append { lines: lines(after).into() },
        _ => Op::Update { hunks: blocks(before, after, context) },
    }
}

fn lines(bytes: &[u8]) -> Vec<Line<'static>> {
    let text = Text::new(bytes);
    let line = |at: usize| Line { text: Cow::Owned(text.body(at).to_vec()), eol: text.eol(at) };
    (0..text.len()).map(line).collect()
}

/// The difference of two contents as hunks, each of which quotes lines that stand once in the old one.
pub fn blocks(before: &[u8], after: &[u8], context: Context) -> Vec<Hunk<'static>> {
    let (old, new) = (Text::new(before), Text::new(after));
    let full = |text: &Text<'_>, at: usize| text.full(at).to_vec();
    let old_lines: Vec<Vec<u8>> = (0..old.len()).map(|at| full(&old, at)).collect();
    let new_lines: Vec<Vec<u8>> = (0..new.len()).map(|at| full(&new, at)).collect();
    let ops = capture_diff_slices(Algorithm::Patience, &old_lines, &new_lines);
    let mut unique = Unique::new(&old);
    let mut spans: Vec<Range<usize>> = Vec::new();
    for op in ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
        let span = unique.grown(op.old_range(), context);
        match spans.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => spans.push(span),
        }
    }
    while join_touching(&mut spans) {}
    spans.into_iter().map(|span| hunk(&old, &new, &ops, &span)).collect()
}

/// A block that grew upwards may reach the one before the last.
fn join_touching(spans: &mut Vec<Range<usize>>) -> bool {
    spans.sort_by_key(|span| span.start);
    let count = spans.len();
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(count);
    for span in spans.drain(..) {
        match joined.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    *spans = joined;
    spans.len() < count
}

/// Which runs of lines stand once in a text.
struct Unique<'t> {
    text: &'t Text<'t>,
    counts: HashMap<&'t [u8], usize>,
    searches: usize,
}

impl<'t> Unique<'t> {
    fn new(text: &'t Text<'t>) -> Unique<'t> {
        let mut counts: HashMap<&[u8], usize> = HashMap::with_capacity(text.len());
        text.bodies().for_each(|line| *counts.entry(line).or_default() += 1);
        Unique { text, counts, searches: 0 }
    }

    /// The lines, with as many around them as it takes; lines above come first.
    fn grown(&mut self, changed: Range<usize>, context: Context) -> Range<usize> {
        let mut span = changed.start.saturating_sub(context.above)
            ..changed.end.saturating_add(context.below).min(self.text.len());
        let mut step = 1;
        while !self.stands_once(&span) && (span.start > 0 || span.end < self.text.len()) {
            span = span.start.saturating_sub(step)..(span.end + step).min(self.text.len());
            step *= 2;
        }
        span
    }

    fn stands_once(&mut self, span: &Range<usize>) -> bool {
        if span.is_empty() {
            return false;
        }
        if span.clone().any(|at| self.counts.get(self.text.body(at)) == Some(&1)) {
            return true;
        }
        self.searches += 1;
        self.searches <= SEARCHES && self.count(span) == 1
    }

    /// How often the lines stand in the text, as whole lines; two is as good as many.
    fn count(&self, span: &Range<usize>) -> usize {
        let (first, last) = (self.text.offset(span.start), self.text.offset(span.end));
        let hay = &self.text.bytes()[self.text.offset(0)..];
        let needle = &self.text.bytes()[first..last];
        let needle = needle.strip_suffix(b"\n").unwrap_or(needle);
        let finder = memmem::Finder::new(needle);
        let (mut from, mut found) = (0, 0);
        while let Some(at) = finder.find(&hay[from..]).map(|at| from + at) {
            let starts = at == 0 || hay[at - 1] == b'\n';
            let ends = hay.get(at + needle.len()).is_none_or(|b| matches!(b, b'\n' | b'\r'));
            found += usize::from(starts && ends);
            if found > 1 || needle.is_empty() {
                return 2;
            }
            from = at + 1;
        }
        found
    }
}

/// The part of the difference that lies in `span`.
fn hunk(old: &Text<'_>, new: &Text<'_>, ops: &[DiffOp], span: &Range<usize>) -> Hunk<'static> {
    let mut lines: Vec<HunkLine<'static>> = Vec::new();
    let mut push = |tag: Tag, text: &Text<'_>, range: Range<usize>| {
        let line = |at: usize| HunkLine { tag, text: Cow::Owned(text.body(at).to_vec()), eol: text.eol(at) };
        lines.extend(range.map(line));
    };
    let first = ops.partition_point(|op| op.old_range().end < span.start);
    for op in ops[first..].iter().take_while(|op| op.old_range().start <= span.end) {
        let range = op.old_range();
        if let DiffOp::Equal { .. } = op {
            push(Tag::Keep, old, range.start.max(span.start)..range.end.min(span.end));
        } else if span.start <= range.start && range.end <= span.end {
            push(Tag::Remove, old, range);
            push(Tag::Add, new, op.new_range());
        }
    }
    let hints = Hints { ordered: true, ..Hints::default() };
    Hunk::new(Span::new(1, 1), Body::diff(lines), hints)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: Context = Context { above: 2, below: 2 };

    fn shown(before: &str, after: &str, context: Context) -> Vec<String> {
        let line = |line: &HunkLine<'_>| {
            let sign = ["-", "+", " "]
                [[Tag::Remove, Tag::Add, Tag::Keep].iter().position(|t| *t == line.tag).unwrap()];
            format!("{sign}{}", String::from_utf8_lossy(&line.text))
        };
        let hunks = blocks(before.as_bytes(), after.as_bytes(), context);
        hunks.iter().map(|hunk| hunk.body().lines.iter().map(line).collect::<Vec<_>>().join("|")).collect()
    }

    #[test]
    fn a_block_grows_until_it_stands_once() {
        let file = "a\nx\nb\nx\nc\nx\n";
        let new = "a\nx\nb\ny\nc\nx\n";
        assert_eq!(shown(file, new, Context { above: 0, below: 0 }), [" b|-x|+y| c"]);
        let same = "x\n".repeat(9);
        let new = "x\n".repeat(4) + "y\n" + &"x\n".repeat(4);
        assert_eq!(shown(&same, &new, TWO).len(), 1);
        assert_eq!(shown(&same, &new, TWO)[0].matches('x').count(), 9, "the whole file");
    }

    #[test]
    fn neighbours_become_one_block() {
        let file: String = (0..20).map(|n| format!("l{n}\n")).collect();
        let new = file.replace("l3\n", "X\n").replace("l6\n", "Y\n").replace("l15\n", "");
        assert_eq!(
            shown(&file, &new, TWO),
            [" l1| l2|-l3|+X| l4| l5|-l6|+Y| l7| l8", " l13| l14|-l15| l16| l17"]
        );
    }

    #[test]
    fn insertions_at_both_ends() {
        assert_eq!(shown("a\nb\n", "0\na\nb\nc\n", TWO), ["+0| a| b|+c"]);
    }
}
