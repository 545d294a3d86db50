//! Whole files and snippets in which comments stand for unchanged lines: where each piece between two such
//! comments goes.
//!
//! A piece is anchored at both ends: by its first lines and by its last lines, each a run that stands once
//! in what is left of the file. The file's start and end count as anchors only where the reply shows them.

use std::{borrow::Cow, collections::HashSet, ops::Range};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{likeness::likeness, stand_in::stand_ins};
use crate::{
    edit::Line,
    refusal::Refusal,
    text::{
        Text,
        elision::{is_dots, is_elision, may_be_elision_line},
        is_blank,
        view::{trim_start, typography},
        word_chars,
    },
};

/// Lines less alike are no two forms of one line.
const ALIKE: f64 = 0.5;

/// A first line this alike is the file's first line, changed.
const ALIKE_AT_START: f64 = 0.6;

/// Pieces times lines of the file: each piece looks through the file.
const MAX_WORK: usize = 50_000_000;

/// The lines of the reply between two elisions, and the file's lines that they stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Lines of the reply.
    pub new: Range<usize>,
    /// Lines of the file.
    pub old: Range<usize>,
    /// (line of the reply, line of the file) that anchor the piece.
    pub anchors: Vec<(usize, usize)>,
}

/// For each line whether it stands for lines left out: an elision comment, or bare dots, that the file does
/// not hold itself; or a comment that may be either, where lines go.
pub fn elisions(old: &Text<'_>, new: &[Line<'_>]) -> Vec<bool> {
    let (ours, theirs): (Vec<&[u8]>, Vec<&[u8]>) =
        (old.bodies().collect(), new.iter().map(|line| line.text.as_ref()).collect());
    let stand_ins = stand_ins(&ours, &theirs);
    let mut found: Vec<bool> = theirs
        .iter()
        .zip(stand_ins)
        .map(|(line, stands)| is_elision(line) || is_dots(line) || stands && may_be_elision_line(line))
        .collect();
    if found.contains(&true) {
        let held: HashSet<&[u8]> =
            old.bodies().map(<[u8]>::trim_ascii).filter(|line| is_elision(line) || is_dots(line)).collect();
        for (found, line) in found.iter_mut().zip(new) {
            *found &= !held.contains(line.text.trim_ascii());
        }
    }
    found
}

/// Finds the place of every piece, in order.
///
/// # Errors
/// A piece does not anchor at both ends, or would swallow lines that it does not show.
pub fn pieces(old: &Text<'_>, new: &[Line<'_>]) -> Result<Vec<Piece>, Refusal> {
    let cuts = cuts(new, &elisions(old, new));
    if cuts.len().saturating_mul(old.len()) > MAX_WORK {
        return Err(doubtful(format!(
            "{} pieces between elision comments are too many to place",
            cuts.len()
        )));
    }
    let finder = Finder::new(old, new);
    let mut out: Vec<Piece> = Vec::new();
    for cut in cuts {
        let from = out.last().map_or(0, |piece| piece.old.end);
        let piece = finder.place(&cut, from)?;
        guard(&piece, &finder)?;
        out.push(piece);
    }
    if out.is_empty() {
        return Err(doubtful("the reply holds nothing but elision comments".into()));
    }
    Ok(out)
}

fn doubtful(what: String) -> Refusal {
    Refusal::Doubtful { what }
}

/// A piece on its way.
struct Cut {
    new: Range<usize>,
    elided_above: bool,
    elided_below: bool,
}

/// The runs between elisions, without blank lines where they were cut and at the end of the reply.
fn cuts(new: &[Line<'_>], elided: &[bool]) -> Vec<Cut> {
    let (mut out, mut start) = (Vec::new(), 0);
    let marks = (0..new.len()).filter(|&at| elided[at]).chain([new.len()]);
    for at in marks {
        let (above, below) = (start > 0, at < new.len());
        let (mut first, mut end) = (start, at);
        while above && first < end && is_blank(&new[first].text) {
            first += 1;
        }
        while first < end && is_blank(&new[end - 1].text) {
            end -= 1;
        }
        if new[first..end].iter().any(|line| !is_blank(&line.text)) {
            out.push(Cut { new: first..end, elided_above: above, elided_below: below });
        }
        start = at + 1;
    }
    out
}

/// How lines are compared: with their indentation, or without.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ease {
    Own,
    Stripped,
}

struct Finder<'f> {
    /// The file's lines and the reply's, typography folded.
    old: Vec<Cow<'f, [u8]>>,
    new: Vec<Cow<'f, [u8]>>,
}

impl<'f> Finder<'f> {
    fn new(old: &'f Text<'f>, new: &'f [Line<'f>]) -> Finder<'f> {
        Finder {
            old: old.bodies().map(typography).collect(),
            new: new.iter().map(|line| typography(&line.text)).collect(),
        }
    }

    fn same(&self, new: usize, old: usize, ease: Ease) -> bool {
        let (new, old) = (&self.new[new], &self.old[old]);
        match ease {
            Ease::Own => new == old,
            Ease::Stripped => trim_start(new) == trim_start(old),
        }
    }

    fn place(&self, cut: &Cut, from: usize) -> Result<Piece, Refusal> {
        let open_start = !cut.elided_above && self.starts_the_file(cut.new.start);
        let head = if open_start { Some(0..0) } else { self.head(&cut.new, from) };
        let below = head.as_ref().map_or(from, |head| head.start);
        let tail = if cut.elided_below { self.tail(&cut.new, below) } else { None };
        let found = if cut.elided_below {
            self.between(cut, from, head.clone(), tail.clone())?
        } else {
            self.to_the_end(cut, from, head.as_ref())?
        };
        let Some(old) = found else { return Err(self.unanchored(cut)) };
        let head = head.unwrap_or(0..0);
        let tail = tail.unwrap_or(0..0);
        let anchors = (cut.new.start..).zip(head).chain((cut.new.end - tail.len()..).zip(tail)).collect();
        Ok(Piece { new: cut.new.clone(), old, anchors })
    }

    /// The reply's first line is the file's, or that line changed and not another one of the file.
    fn starts_the_file(&self, first: usize) -> bool {
        if self.old.is_empty() {
            return false;
        }
        let alike = likeness(&self.new[first], &self.old[0]) >= ALIKE_AT_START;
        self.same(first, 0, Ease::Own)
            || alike && !(0..self.old.len()).any(|at| self.same(first, at, Ease::Own))
    }

    /// The shortest run of first lines that stands once at or below `from`.
    fn head(&self, new: &Range<usize>, from: usize) -> Option<Range<usize>> {
        [Ease::Own, Ease::Stripped].into_iter().find_map(|ease| {
            let mut found: Vec<usize> =
                (from..self.old.len()).filter(|&at| self.same(new.start, at, ease)).collect();
            for len in 1..=new.len() {
                found.retain(|&at| {
                    at + len <= self.old.len() && self.same(new.start + len - 1, at + len - 1, ease)
                });
                match found[..] {
                    [] => return None,
                    [at] if self.words(new.start..new.start + len) >= 3 => return Some(at..at + len),
                    _ => {}
                }
            }
            None
        })
    }

    /// The shortest run of last lines that stands once at or below `from`.
    fn tail(&self, new: &Range<usize>, from: usize) -> Option<Range<usize>> {
        [Ease::Own, Ease::Stripped].into_iter().find_map(|ease| {
            let mut found: Vec<usize> =
                (from + 1..=self.old.len()).filter(|&end| self.same(new.end - 1, end - 1, ease)).collect();
            for len in 1..=new.len() {
                found.retain(|&end| end >= from + len && self.same(new.end - len, end - len, ease));
                match found[..] {
                    [] => return None,
                    [end] if self.words(new.end - len..new.end) >= 3 => return Some(end - len..end),
                    _ => {}
                }
            }
            None
        })
    }

    fn words(&self, new: Range<usize>) -> usize {
        self.new[new].iter().map(|line| word_chars(line)).sum()
    }

    /// The file's lines for a piece with an elision below it.
    fn between(
        &self,
        cut: &Cut,
        from: usize,
        head: Option<Range<usize>>,
        tail: Option<Range<usize>>,
    ) -> Result<Option<Range<usize>>, Refusal> {
        let len = cut.new.len();
        Ok(match (head, tail) {
            (Some(head), Some(tail)) => {
                if tail.end < head.end || tail.end <= head.start {
                    return Ok(None);
                }
                let old = head.start..tail.end;
                self.weigh(cut, from, &old)?;
                Some(old)
            }
            (Some(head), None) => {
                let window = self.window(cut, from, head.start..head.start + len);
                let below = self.nearest_below(cut, head.end.max(head.start + 1)).map(|end| head.start..end);
                self.one_reading(cut, window, below)?
            }
            (None, Some(tail)) => {
                let window = self.window(cut, from, tail.end.saturating_sub(len)..tail.end);
                let above = self.nearest_above(cut, from..tail.start).map(|start| start..tail.end);
                self.one_reading(cut, window, above)?
            }
            (None, None) => None,
        })
    }

    /// One end is sure. The other is that of a run as long as the piece, or the nearest line that equals the
    /// piece's own; where both are near, and the run's end is another line, nothing tells which is meant.
    fn one_reading(
        &self,
        cut: &Cut,
        window: Option<Range<usize>>,
        nearest: Option<Range<usize>>,
    ) -> Result<Option<Range<usize>>, Refusal> {
        let (Some(run), Some(other)) = (&window, &nearest) else { return Ok(window.or(nearest)) };
        let whole = |new, old| self.same(new, old, Ease::Stripped);
        let agree = whole(cut.new.start, run.start) && whole(cut.new.end - 1, run.end - 1);
        if agree || run == other || other.len() > 2 * cut.new.len() {
            return Ok(window);
        }
        Err(self.two_places(cut, other, run))
    }

    fn two_places(&self, cut: &Cut, one: &Range<usize>, two: &Range<usize>) -> Refusal {
        doubtful(format!(
            "the lines that begin with `{}` could stand for lines {} to {} or {} to {} of the file",
            String::from_utf8_lossy(self.new[cut.new.start].trim_ascii()),
            one.start + 1,
            one.end,
            two.start + 1,
            two.end
        ))
    }

    /// Both ends stand in the file, but lines between would go, while the piece as a whole is like a run that
    /// begins or ends there: one of the ends may be a changed line that happens to stand elsewhere.
    fn weigh(&self, cut: &Cut, from: usize, old: &Range<usize>) -> Result<(), Refusal> {
        let len = cut.new.len();
        if self.lost(cut, old) == 0 {
            return Ok(());
        }
        let runs = [old.start..old.start + len, old.end.saturating_sub(len)..old.end];
        match runs.into_iter().filter_map(|run| self.window(cut, from, run)).find(|run| run != old) {
            Some(run) => Err(self.two_places(cut, old, &run)),
            None => Ok(()),
        }
    }

    /// How many of the file's lines the piece does not show.
    fn lost(&self, cut: &Cut, old: &Range<usize>) -> usize {
        let bare = |lines: &[Cow<'f, [u8]>]| -> Vec<Vec<u8>> {
            lines.iter().map(|line| trim_start(line).to_vec()).filter(|line| !line.is_empty()).collect()
        };
        let (there, shown) = (bare(&self.old[old.clone()]), bare(&self.new[cut.new.clone()]));
        let kept: usize = capture_diff_slices(Algorithm::Myers, &there, &shown)
            .iter()
            .filter(|op| matches!(op, DiffOp::Equal { .. }))
            .map(|op| op.old_range().len())
            .sum();
        there.len() - kept
    }

    /// A piece that changes lines but not their number: every line agrees with the file's or is like it.
    fn window(&self, cut: &Cut, from: usize, old: Range<usize>) -> Option<Range<usize>> {
        if old.start < from || old.end > self.old.len() || old.len() != cut.new.len() {
            return None;
        }
        let mut agree = false;
        for (new, at) in cut.new.clone().zip(old.clone()) {
            let same = self.same(new, at, Ease::Stripped);
            agree |= same && word_chars(&self.new[new]) > 0;
            if !same && likeness(trim_start(&self.new[new]), trim_start(&self.old[at])) < ALIKE {
                return None;
            }
        }
        agree.then_some(old)
    }

    /// The end of the nearest line that equals the piece's last, if the piece has that line once.
    fn nearest_below(&self, cut: &Cut, from: usize) -> Option<usize> {
        let last = cut.new.end - 1;
        if !self.stands_once(cut, last) {
            return None;
        }
        let find = |ease| (from..self.old.len()).find(|&at| self.same(last, at, ease));
        find(Ease::Own).or_else(|| find(Ease::Stripped)).map(|at| at + 1)
    }

    fn nearest_above(&self, cut: &Cut, within: Range<usize>) -> Option<usize> {
        let first = cut.new.start;
        if !self.stands_once(cut, first) {
            return None;
        }
        let find = |ease| within.clone().rfind(|&at| self.same(first, at, ease));
        find(Ease::Own).or_else(|| find(Ease::Stripped))
    }

    fn stands_once(&self, cut: &Cut, line: usize) -> bool {
        cut.new.clone().filter(|&at| self.new[at] == self.new[line]).count() == 1
    }

    /// The file's lines for the last piece, which no elision follows: it runs to the end of the file. Blank
    /// lines there are left out on both sides.
    fn to_the_end(
        &self,
        cut: &Cut,
        from: usize,
        head: Option<&Range<usize>>,
    ) -> Result<Option<Range<usize>>, Refusal> {
        let end = self.old.iter().rposition(|line| !is_blank(line)).map_or(0, |at| at + 1);
        let whole = end.checked_sub(cut.new.len()).filter(|&start| {
            let mut lines = cut.new.clone().zip(start..end);
            start >= from && lines.all(|(new, old)| self.same(new, old, Ease::Own))
        });
        if let Some(start) = whole {
            return Ok(Some(start..end));
        }
        let Some(head) = head.filter(|head| head.start < end) else { return Ok(None) };
        match self.stops_early(cut, head).filter(|&stop| stop < end) {
            Some(stop) => Err(doubtful(format!(
                "the reply stops at line {stop} of the file without an elision comment: the lines below could be \
                 meant to go or to stay; write them, or end with an elision comment",
            ))),
            None => Ok(Some(head.start..end)),
        }
    }

    /// Where the last piece may end if it does not run to the end of the file.
    fn stops_early(&self, cut: &Cut, head: &Range<usize>) -> Option<usize> {
        self.tail(&cut.new, head.start)
            .map(|tail| tail.end)
            .or_else(|| self.window(cut, 0, head.start..head.start + cut.new.len()).map(|run| run.end))
            .or_else(|| self.nearest_below(cut, head.end))
    }

    fn unanchored(&self, cut: &Cut) -> Refusal {
        let shown = cut.new.clone().find(|&at| !is_blank(&self.new[at])).unwrap_or(cut.new.start);
        doubtful(format!(
            "the lines that begin with `{}` can't be placed: their first and last lines must be lines that stand \
             once in the file",
            String::from_utf8_lossy(self.new[shown].trim_ascii())
        ))
    }
}

/// Refuses a piece that would swallow far more of the file than it shows.
fn guard(piece: &Piece, finder: &Finder<'_>) -> Result<(), Refusal> {
    let solid = |lines: &[Cow<'_, [u8]>]| lines.iter().filter(|line| !is_blank(line)).count();
    let (there, shown) = (solid(&finder.old[piece.old.clone()]), solid(&finder.new[piece.new.clone()]));
    let lost = there.saturating_sub(shown);
    if lost > 8 && there > 2 * shown {
        return Err(doubtful(format!(
            "lines {} to {} of the file would shrink to {shown}: too much to vanish between two elision comments",
            piece.old.start + 1,
            piece.old.end
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{merge::elided, text::Eol};

    fn run(old: &str, new: &str) -> Option<String> {
        let text = Text::new(new.as_bytes());
        let lines: Vec<Line<'_>> =
            text.bodies().map(|body| Line { text: body.into(), eol: Eol::Lf }).collect();
        let result = elided(&Text::new(old.as_bytes()), &lines).ok()?;
        Some(String::from_utf8(result).unwrap())
    }

    const JS: &str = "const a = 1;\nconst b = 2;\n\nfunction one() {\n  return a;\n}\n\nfunction two() {\n  return b;\n}\n";

    #[test]
    fn pieces_go_where_their_ends_stand() {
        let gap = "// ... existing code ...\n";
        for (name, new, want) in [
            (
                "in the middle",
                format!("{gap}function one() {{\n  return a + 1;\n}}\n{gap}"),
                JS.replace("return a;", "return a + 1;"),
            ),
            (
                "start and end",
                format!("const a = 1;\nconst b = 3;\n\n{gap}\nfunction two() {{\n  return b * 2;\n}}\n"),
                JS.replace("b = 2", "b = 3").replace("return b;", "return b * 2;"),
            ),
            (
                "appended",
                format!("{gap}function two() {{\n  return b;\n}}\n\nfunction three() {{\n  return 3;\n}}\n"),
                format!("{JS}\nfunction three() {{\n  return 3;\n}}\n"),
            ),
            (
                "a snippet without a mark above",
                format!("function one() {{\n  return a + 1;\n}}\n{gap}"),
                JS.replace("return a;", "return a + 1;"),
            ),
            (
                "lines inserted",
                format!("{gap}function one() {{\n  log();\n  return a;\n}}\n\nfunction two() {{\n{gap}"),
                JS.replace("  return a;", "  log();\n  return a;"),
            ),
            (
                "indented otherwise",
                format!("{gap}    function one() {{\n      return a + 1;\n    }}\n{gap}"),
                JS.replace("return a;", "return a + 1;"),
            ),
            (
                "lines that go deeper",
                format!(
                    "{gap}function one() {{\n  if (a) {{\n    return a;\n  }}\n}}\n\nfunction two() {{\n{gap}"
                ),
                JS.replace("  return a;", "  if (a) {\n    return a;\n  }"),
            ),
            ("nothing but what stands", format!("{gap}function one() {{\n{gap}"), JS.to_string()),
        ] {
            assert_eq!(run(JS, &new), Some(want), "{name}");
        }
    }

    #[test]
    fn trailing_blanks_ends_and_open_end_stay() {
        let old = JS.replace("one() {\n", "one() {  \n").replace('\n', "\r\n").trim_end().to_string();
        let new = "// ...\nfunction one() {\n  return a + 1;\n}\n// ...\n";
        assert_eq!(run(&old, new), Some(old.replace("return a;", "return a + 1;")));
    }

    #[test]
    fn doubtful_pieces_are_refused() {
        let gap = "// ... existing code ...\n";
        let clones = "def a():\n    return 1\n\ndef b():\n    return 2\n\ndef c():\n    return 3\n";
        for (name, old, new) in [
            ("no anchor", JS, format!("{gap}function nine() {{\n  return 9;\n}}\n{gap}")),
            ("only marks", JS, gap.to_string()),
            ("out of order", JS, format!("function two() {{\n{gap}function one() {{\n{gap}")),
            ("rest of the file unsaid", JS, format!("{gap}function one() {{\n  return a + 1;\n}}\n")),
            ("an end that is another line now", clones, format!("{gap}def a():\n    return 2\n{gap}")),
            ("only a brace", JS, format!("{gap}}}\n{gap}")),
            (
                "a line gone, or all lines changed",
                "# one\n- `a`: the a\n- `b`: the b\n- `c`: the c\n\n# two\n- `c`: the c\n",
                format!("{gap}# one\n- `a`: the a\n- `c`: the c\n{gap}"),
            ),
        ] {
            assert_eq!(run(old, &new), None, "{name}");
        }
    }

    #[test]
    fn a_piece_that_swallows_much_is_refused() {
        let lines: String = (0..30).map(|n| format!("line number {n}\n")).collect();
        let swallow = |to: usize| format!("# ...\nline number 3\nline number {to}\n# ...\n");
        assert_eq!(run(&lines, &swallow(20)), None);
        assert!(run(&lines, &swallow(4)).is_some());
    }

    #[test]
    fn comments_that_the_file_holds_are_no_elisions() {
        let text = Text::new(b"a\n  // ... existing code ...\n...\n");
        let new = ["// ... existing code ...", "...", "// ... other code ...", "x"];
        let lines: Vec<Line<'_>> =
            new.iter().map(|line| Line { text: line.as_bytes().into(), eol: Eol::Lf }).collect();
        assert_eq!(elisions(&text, &lines), [false, false, true, false]);
    }
}
