//! Hunks of context diffs. A half that holds nothing but context may be left out; it is then made from
//! the other one.

use std::borrow::Cow;

use super::{Hunk, HunkLine, Lines, Mark, ReadError, cut_newline, number::Header};

/// So many lines that are missing at the end of the input are taken for blank ones that were cut off.
const CHOPPED: i64 = 3;

/// A first half that is longer than announced is given up after so many lines, or twice as many, and so on.
const PATIENCE: i64 = 125;

/// How a diff's hunks are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// The range lines end in stars or dashes, or an earlier hunk showed that they might.
    pub new: bool,
    /// Runs of blanks will be compared loosely.
    pub ignore_blanks: bool,
    /// The hunk before in the same diff: its first old line and how many there were. They stand in for a
    /// range line that was lost.
    pub past: (i64, i64),
    /// The context lines at the head of whatever hunk was read before. With some, a second half of one line
    /// counts as left out less readily.
    pub past_head: usize,
}

/// The next hunk; `None` if something else stands here, which is then still to be read.
///
/// # Errors
/// A range line or a half breaks a rule.
pub fn read<'p>(lines: &mut Lines<'p>, style: Style) -> Result<Option<Hunk<'p>>, ReadError> {
    let before = lines.place();
    let Some(stars) = lines.next_line().filter(|line| line.starts_with(b"********")) else {
        lines.seek(before);
        return Ok(None);
    };
    let mut hunk = Hunk { function: function(&stars), begun: lines.number() + 1, ..Hunk::default() };
    let mut reader = Reader { lines, begun: hunk.begun, divided: 0, style };
    let head = reader.head()?;
    let mut old = reader.old_half(&head)?;
    let old_count = if old.is_missing { usize::try_from(head.count).unwrap_or(0) } else { old.lines.len() };
    reader.divided = hunk.begun.saturating_add(old_count + 1 + usize::from(old.gap));
    let (new_first, new_count) = reader.range(&old.divider, false)?;
    (hunk.old_first, hunk.new_first) = (head.first, new_first);
    let kept = copied(&old.lines) + usize::from(head.stray == Some(Mark::Context));
    let one = style.past_head == 0 && old.tail == 0 && new_count == 1;
    let may_lack = !old.seen_new && (new_count == kept as i64 || one);
    let new = match reader.new_half(new_count, may_lack)? {
        NewHalf::Read(new) => Some(new),
        NewHalf::Lacking { tail } => {
            // As in the model, what was read of it in vain counts for the context at the end.
            old.tail = tail.map_or(old.tail, |tail| old.tail.min(tail));
            None
        }
    };
    let filled = match &new {
        // A lone number stands for one line, and also for none behind that line; the model knows that of
        // the first half only.
        None if new_count == 1 && copied(&old.lines) == 0 => {
            hunk.new_first += 1;
            false
        }
        None => new_count > 0,
        Some(new) if old.is_missing => {
            let appends = head.count == 1 && copied(new) == 0;
            hunk.old_first += i64::from(appends);
            !appends
        }
        Some(new) if kept != copied(new) => return Err(reader.mangled("context mangled in hunk")),
        Some(_) => false,
    };
    (hunk.head, hunk.tail) = context(&old, new.as_deref())
        .ok_or_else(|| reader.mangled("replacement text or line numbers mangled in hunk"))?;
    let inner = hunk.old_first > 1 && hunk.head + hunk.tail < kept;
    hunk.restyled = !style.new && (filled || inner);
    hunk.gap = old.gap;
    (hunk.old, hunk.new) = match new {
        None if !filled => (old.lines, Vec::new()),
        None => (old.lines.clone(), reader.fill(&old.lines, new_count)?),
        Some(new) if old.is_missing && filled => (reader.fill(&new, head.count)?, new),
        Some(new) => (old.lines, new),
    };
    hunk.stray = head.stray.is_some();
    Ok(Some(hunk))
}

fn function(stars: &[u8]) -> Vec<u8> {
    let rest = &stars[stars.iter().take_while(|b| **b == b'*').count()..];
    let rest = rest.strip_suffix(b"\n").unwrap_or(rest);
    if rest.starts_with(b" ") { rest.to_vec() } else { Vec::new() }
}

fn copied(side: &[HunkLine<'_>]) -> usize {
    side.iter().filter(|line| line.mark == Mark::Context).count()
}

fn is_change(line: &HunkLine<'_>) -> bool {
    line.mark != Mark::Context
}

/// Context lines at both ends: the fewest of the halves that are there. A second half without a change
/// does not count at its head.
fn context(old: &OldHalf<'_>, new: Option<&[HunkLine<'_>]>) -> Option<(usize, usize)> {
    let run = |side: &[HunkLine<'_>]| side.iter().take_while(|line| !is_change(line)).count();
    let old_ends = (!old.is_missing).then(|| (run(&old.lines), old.tail));
    let new_head = new.filter(|new| new.iter().any(is_change)).map(run);
    let new_tail = new.map_or(old.tail, |new| new.iter().rev().take_while(|line| !is_change(line)).count());
    let head = [old_ends.map(|(head, _)| head), new_head].into_iter().flatten().min()?;
    let tail = old_ends.map_or(new_tail, |(_, tail)| tail.min(new_tail));
    Some((head, tail))
}

/// What stands where the first range line should.
struct Head {
    first: i64,
    count: i64,
    /// A line of the body stood there.
    stray: Option<Mark>,
}

/// The first half, and the line that ended it.
struct OldHalf<'p> {
    lines: Vec<HunkLine<'p>>,
    /// Lines that the second half must answer.
    seen_new: bool,
    divider: Cow<'p, [u8]>,
    /// Context lines before the divider.
    tail: usize,
    /// It was left out.
    is_missing: bool,
    /// A blank line stood before the divider.
    gap: bool,
}

enum NewHalf<'p> {
    Read(Vec<HunkLine<'p>>),
    /// It was left out; `tail`: context lines before what looks like another divider.
    Lacking {
        tail: Option<usize>,
    },
}

struct Reader<'l, 'p> {
    lines: &'l mut Lines<'p>,
    /// The line that the hunk begins at.
    begun: usize,
    /// The line of the divider, if the hunk has all its lines.
    divided: usize,
    style: Style,
}

impl<'p> Reader<'_, 'p> {
    fn head(&mut self) -> Result<Head, ReadError> {
        let line = self.lines.next_line().ok_or(ReadError::UnexpectedEnd)?;
        if line.starts_with(b"********") {
            return Err(ReadError::EndOfHunk { line: self.lines.number() });
        }
        if line.starts_with(b"--") {
            return Err(self.divider("Premature"));
        }
        if line.first() == Some(&b'*') {
            let (first, count) = self.range(&line, true)?;
            return Ok(Head { first, count, stray: None });
        }
        let (first, count) = self.style.past;
        let stray = self.body_line(&line).ok_or_else(|| self.malformed(&line))?;
        Ok(Head { first, count, stray: Some(stray.mark) })
    }

    /// `*** A,B ****` or `--- A,B ----` as first line and count.
    fn range(&self, line: &[u8], is_old: bool) -> Result<(i64, i64), ReadError> {
        let start = line.iter().position(u8::is_ascii_digit).unwrap_or(line.len());
        let mut head = Header::new(line, start, self.lines.number());
        let first = head.number()?;
        head.blanks();
        let (first, count) = if head.skip(b",") {
            let start = head.rest().iter().position(u8::is_ascii_digit).ok_or_else(|| head.malformed())?;
            head.skip(&head.rest()[..start]);
            let last = head.number()?;
            if is_old && (first, last) == (0, 0) {
                (1, 0)
            } else {
                (first, last.saturating_sub(first).saturating_add(1))
            }
        } else if first > 0 {
            (first, 1)
        } else {
            (1, 0)
        };
        if count < 0 || first.checked_add(count).is_none_or(|end| end >= i64::MAX - 6) {
            return Err(head.malformed());
        }
        Ok((first, count))
    }

    /// So many lines may come before the divider.
    fn patience(count: i64) -> i64 {
        let mut most = PATIENCE;
        while count.saturating_add(7) >= most && most < i64::MAX / 2 {
            most *= 2;
        }
        most
    }

    fn old_half(&mut self, head: &Head) -> Result<OldHalf<'p>, ReadError> {
        let patience = Self::patience(head.count);
        let mut lines: Vec<HunkLine<'p>> = Vec::new();
        let (mut seen_new, mut tail) = (matches!(head.stray, Some(Mark::Added | Mark::Changed)), 0);
        let mut gap = false;
        loop {
            let line = match self.lines.next_line() {
                Some(line) => line,
                None if patience - lines.len() as i64 <= CHOPPED => Cow::Borrowed(&b"  \n"[..]),
                None => return Err(ReadError::UnexpectedEnd),
            };
            if lines.len() as i64 + 1 >= patience {
                let text = line.to_vec();
                return Err(ReadError::Unterminated { begun: self.begun, line: self.lines.number(), text });
            }
            if line.starts_with(b"--") {
                let half = OldHalf { lines, seen_new, divider: line, tail, is_missing: false, gap };
                return self.closed(half, head.count);
            }
            if line.starts_with(b"********") {
                return Err(ReadError::EndOfHunk { line: self.lines.number() });
            }
            if line.first() == Some(&b'*') {
                let text = line.to_vec();
                return Err(ReadError::Unexpected { what: "***", line: self.lines.number(), text });
            }
            let ends_half = lines.len() as i64 + 1 == head.count;
            // One blank line behind the half is no part of it.
            gap = lines.len() as i64 == head.count && line.as_ref() == b"\n";
            let mut line = self.body_line(&line).ok_or_else(|| self.malformed(&line))?;
            self.end(&mut line, ends_half);
            seen_new |= matches!(line.mark, Mark::Added | Mark::Changed);
            tail = if is_change(&line) { 0 } else { tail + usize::from(!gap) };
            lines.push(line);
        }
    }

    /// The last line of a half may lack its line end; one that holds nothing else cannot.
    fn end(&mut self, line: &mut HunkLine<'p>, is_last: bool) {
        if is_last && line.text.len() > 1 && self.lines.no_newline() {
            cut_newline(line);
        }
    }

    /// The first half must be as long as announced, or be left out. A blank line behind it is forgiven.
    fn closed(&self, mut half: OldHalf<'p>, count: i64) -> Result<OldHalf<'p>, ReadError> {
        let found = half.lines.len() as i64;
        if half.gap {
            half.lines.pop();
            return Ok(half);
        }
        half.is_missing = found == 0 && count > 0;
        if found != count && found != 0 {
            return Err(self.divider(if found <= count { "Premature" } else { "Overdue" }));
        }
        Ok(half)
    }

    /// The second half, which may have been left out.
    fn new_half(&mut self, count: i64, may_lack: bool) -> Result<NewHalf<'p>, ReadError> {
        let before = self.lines.place();
        let mut may_lack = may_lack;
        let mut blanks_eaten = false;
        let mut half: Vec<HunkLine<'p>> = Vec::new();
        while (half.len() as i64) < count {
            let left = count - half.len() as i64;
            match self.new_line(left, may_lack, &mut blanks_eaten) {
                Ok(mut line) => {
                    may_lack &= !matches!(line.mark, Mark::Added | Mark::Changed);
                    self.end(&mut line, left == 1);
                    half.push(line);
                }
                Err(error) if may_lack => {
                    self.lines.seek(before);
                    let run = half.iter().rev().take_while(|line| !is_change(line)).count();
                    let tail = matches!(error, ReadError::Divider { .. }).then_some(run);
                    return Ok(NewHalf::Lacking { tail });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(NewHalf::Read(half))
    }

    fn new_line(
        &mut self,
        left: i64,
        may_lack: bool,
        blanks_eaten: &mut bool,
    ) -> Result<HunkLine<'p>, ReadError> {
        let line = match self.lines.next_line() {
            Some(line) => line,
            None if left <= CHOPPED && !may_lack => Cow::Borrowed(&b"  \n"[..]),
            None => return Err(ReadError::UnexpectedEnd),
        };
        let number = self.lines.number();
        if line.starts_with(b"********") {
            return Err(ReadError::EndOfHunk { line: number });
        }
        if line.first() == Some(&b'*') {
            return Err(ReadError::Unexpected { what: "***", line: number, text: line.to_vec() });
        }
        if line.starts_with(b"--") {
            return Err(ReadError::Divider { how: "duplicate", line: number, begun: self.divided });
        }
        let bare = match line.first() {
            Some(b' ' | b'-') => !matches!(line.get(1), Some(b' ' | b'\t')),
            Some(b'\t' | b'\n') => {
                let unusual = !*blanks_eaten || self.style.new;
                *blanks_eaten = true;
                unusual
            }
            _ => false,
        };
        self.body_line(&line).filter(|_| !bare || !may_lack).ok_or_else(|| self.malformed(&line))
    }

    /// A half made from the context of the other one.
    fn fill(&self, other: &[HunkLine<'p>], count: i64) -> Result<Vec<HunkLine<'p>>, ReadError> {
        let lines: Vec<_> = other.iter().filter(|line| !is_change(line)).cloned().collect();
        if lines.len() as i64 != count {
            return Err(self.mangled("replacement text or line numbers mangled in hunk"));
        }
        Ok(lines)
    }

    /// A line of a half: its mark, a blank, the text. An editor may have eaten the blanks of context.
    fn body_line(&self, line: &Cow<'p, [u8]>) -> Option<HunkLine<'p>> {
        let (mark, start) = match line.first()? {
            b' ' => (Mark::Context, 1),
            b'-' => (Mark::Removed, 1),
            b'+' => (Mark::Added, 1),
            b'!' => (Mark::Changed, 1),
            b'\n' => return Some(HunkLine { mark: Mark::Context, text: line.clone() }),
            // As in the model, which loses the line end here, so that the line fits nowhere.
            b'\t' => return Some(HunkLine { mark: Mark::Context, text: cut(line, 0, 1) }),
            _ => return None,
        };
        let is_bare = line.get(1) == Some(&b'\n');
        if is_bare && self.style.ignore_blanks && mark == Mark::Context {
            // The model fills this line up with a NUL.
            return Some(HunkLine { mark, text: Cow::Borrowed(b"\n\0") });
        }
        let start = start + usize::from(matches!(line.get(start), Some(b' ' | b'\t')));
        Some(HunkLine { mark, text: cut(line, start, 0) })
    }

    fn divider(&self, how: &'static str) -> ReadError {
        ReadError::Divider { how, line: self.lines.number(), begun: self.begun }
    }

    fn mangled(&self, what: &'static str) -> ReadError {
        ReadError::Mangled { what, line: self.begun }
    }

    fn malformed(&self, line: &[u8]) -> ReadError {
        ReadError::Malformed { line: self.lines.number(), text: line.to_vec() }
    }
}

/// The line without some bytes at its ends.
fn cut<'p>(line: &Cow<'p, [u8]>, head: usize, tail: usize) -> Cow<'p, [u8]> {
    let end = line.len() - tail;
    match line {
        Cow::Borrowed(line) => Cow::Borrowed(&line[head..end]),
        Cow::Owned(line) => Cow::Owned(line[head..end].to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(patch: &str) -> Result<(i64, usize, i64, usize, usize, usize), String> {
        match read(&mut Lines::new(patch.as_bytes()), Style { new: true, ..Style::default() }) {
            Ok(Some(h)) => Ok((h.old_first, h.old.len(), h.new_first, h.new.len(), h.head, h.tail)),
            Ok(None) => Err("none".into()),
            Err(error) => Err(String::from_utf8_lossy(&error.message()).into_owned()),
        }
    }

    #[test]
    fn both_halves_and_one() {
        let full = "***************\n*** 4,6 ****\n  4\n! 5\n  6\n--- 4,6 ----\n  4\n! V\n  6\n";
        assert_eq!(shape(full), Ok((4, 3, 4, 3, 1, 1)));
        let added = "***************\n*** 4,6 ****\n--- 4,7 ----\n  4\n  5\n+ x\n  6\n";
        assert_eq!(shape(added), Ok((4, 3, 4, 4, 2, 1)));
        let removed = "***************\n*** 4,6 ****\n  4\n- 5\n  6\n--- 4,5 ----\n";
        assert_eq!(shape(removed), Ok((4, 3, 4, 2, 1, 1)));
        let removed_all = "***************\n*** 6 ****\n- b\n--- 5 ----\n";
        assert_eq!(shape(removed_all), Ok((6, 1, 6, 0, 0, 0)));
        let added_alone = "***************\n*** 5 ****\n--- 6 ----\n+ b\n";
        assert_eq!(shape(added_alone), Ok((6, 0, 6, 1, 0, 0)));
        let created = "***************\n*** 0 ****\n--- 1 ----\n+ x\n";
        assert_eq!(shape(created), Ok((1, 0, 1, 1, 0, 0)));
    }

    #[test]
    fn faults() {
        for (patch, want) in [
            ("***\n", "none"),
            ("***************\n***************\n", "unexpected end of hunk at line 2"),
            (
                "***************\n*** 4,6 ****\n  4\n--- 4 ----\n",
                "Premature '---' at line 4; check line numbers at line 2",
            ),
            (
                "***************\n*** 4 ****\n  4\n  5\n  6\n--- 4 ----\n",
                "Overdue '---' at line 6; check line numbers at line 2",
            ),
            ("***************\n*** 4,5 ****\n  4\n! 5\n*** 4\n", "unexpected '***' at line 5: *** 4\n"),
            (
                "***************\n*** 4,5 ****\n  4\n! 5\n--- 4,5 ----\n! x\n! y\n",
                "context mangled in hunk at line 2",
            ),
        ] {
            assert_eq!(shape(patch), Err(want.into()), "{patch}");
        }
    }
}
