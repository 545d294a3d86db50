//! Hunks of context diffs. A half that holds nothing but context may be left out; it is then made from
//! the other one.

use std::borrow::Cow;

use super::{Hunk, HunkLine, Lines, Mark, Place, ReadError, cut_newline, number::Header};

/// So many lines that are missing at the end of the input are taken for blank ones that were cut off.
const CHOPPED: i64 = 3;

/// A first half that is longer than announced is given up after so many lines.
const PATIENCE: usize = 125;

/// The next hunk; `None` if something else stands here, which is then still to be read.
///
/// # Errors
/// A range line or a half breaks a rule.
pub fn read<'p>(lines: &mut Lines<'p>) -> Result<Option<Hunk<'p>>, ReadError> {
    let before = lines.place();
    let Some(stars) = lines.next_line().filter(|line| line.starts_with(b"********")) else {
        lines.seek(before);
        return Ok(None);
    };
    let begun = lines.number() + 1;
    let function = function(&stars);
    let mut reader = Reader { lines, begun };
    let (mut old_first, old_count) = reader.old_range()?;
    let mut old = reader.old_half(old_count)?;
    let (mut new_first, new_count) = reader.range(&old.divider)?;
    let kept = copied(&old.lines) as i64;
    let may_lack_new = !old.seen_new && (new_count == kept || (new_count == 1 && kept == 0));
    let new = reader.new_half(new_count, may_lack_new)?;
    let missing_old = old.lines.is_empty() && old_count > 0;
    let (old_lines, new_lines) = match new {
        None => {
            let new = reader.fill(&old.lines, &mut new_first, new_count)?;
            (std::mem::take(&mut old.lines), new)
        }
        Some(new) if missing_old => (reader.fill(&new, &mut old_first, old_count)?, new),
        Some(new) if copied(&old.lines) != copied(&new) => {
            return Err(reader.mangled("context mangled in hunk"));
        }
        Some(new) => (std::mem::take(&mut old.lines), new),
    };
    let Some((head, tail)) = context(&old_lines, &new_lines) else {
        return Err(reader.mangled("replacement text or line numbers mangled in hunk"));
    };
    Ok(Some(Hunk { old_first, new_first, old: old_lines, new: new_lines, head, tail, function }))
}

fn function(stars: &[u8]) -> Vec<u8> {
    let rest = &stars[stars.iter().take_while(|b| **b == b'*').count()..];
    let rest = rest.strip_suffix(b"\n").unwrap_or(rest);
    if rest.starts_with(b" ") { rest.to_vec() } else { Vec::new() }
}

fn copied(side: &[HunkLine<'_>]) -> usize {
    side.iter().filter(|line| line.mark == Mark::Context).count()
}

/// Context lines at both ends: of the halves that hold a change, the fewest.
fn context(old: &[HunkLine<'_>], new: &[HunkLine<'_>]) -> Option<(usize, usize)> {
    let changed = |line: &HunkLine<'_>| line.mark != Mark::Context;
    let sides = [old, new].into_iter().filter(|side| side.iter().any(changed));
    let ends = sides.map(|side| {
        let head = side.iter().take_while(|line| !changed(line)).count();
        (head, side.iter().rev().take_while(|line| !changed(line)).count())
    });
    ends.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)))
}

/// The first half, and the line that ended it.
struct OldHalf<'p> {
    lines: Vec<HunkLine<'p>>,
    /// Lines that the second half must answer.
    seen_new: bool,
    divider: Cow<'p, [u8]>,
}

struct Reader<'l, 'p> {
    lines: &'l mut Lines<'p>,
    /// The line that the hunk begins at.
    begun: usize,
}

impl<'p> Reader<'_, 'p> {
    fn old_range(&mut self) -> Result<(i64, i64), ReadError> {
        let line = self.lines.next_line().ok_or(ReadError::UnexpectedEnd)?;
        if line.starts_with(b"********") {
            return Err(ReadError::EndOfHunk { line: self.lines.number() });
        }
        if line.first() != Some(&b'*') {
            return Err(self.malformed(&line));
        }
        self.range(&line)
    }

    /// `*** A,B ****` or `--- A,B ----` as first line and count.
    fn range(&self, line: &[u8]) -> Result<(i64, i64), ReadError> {
        let start = line.iter().position(u8::is_ascii_digit).unwrap_or(line.len());
        let mut head = Header::new(line, start, self.lines.number());
        let first = head.number()?;
        head.blanks();
        let (first, count) = if head.skip(b",") {
            let start = head.rest().iter().position(u8::is_ascii_digit).ok_or_else(|| head.malformed())?;
            head.skip(&head.rest()[..start]);
            let last = head.number()?;
            if (first, last) == (0, 0) {
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

    fn old_half(&mut self, count: i64) -> Result<OldHalf<'p>, ReadError> {
        let patience = PATIENCE.max(usize::try_from(count).unwrap_or(usize::MAX).saturating_add(6));
        let mut half = OldHalf { lines: Vec::new(), seen_new: false, divider: Cow::Borrowed(b"") };
        let mut blank_last = false;
        loop {
            let line = match self.lines.next_line() {
                Some(line) => line,
                None => return Err(ReadError::UnexpectedEnd),
            };
            if line.starts_with(b"--") {
                half.divider = line;
                return self.closed(half, count, blank_last);
            }
            if half.lines.len() + 1 >= patience {
                let text = line.to_vec();
                return Err(ReadError::Unterminated { begun: self.begun, line: self.lines.number(), text });
            }
            if line.starts_with(b"********") {
                return Err(ReadError::EndOfHunk { line: self.lines.number() });
            }
            if line.first() == Some(&b'*') {
                let text = line.to_vec();
                return Err(ReadError::Unexpected { what: "***", line: self.lines.number(), text });
            }
            blank_last = line.as_ref() == b"\n";
            let line = body_line(&line).ok_or_else(|| self.malformed(&line))?;
            half.seen_new |= matches!(line.mark, Mark::Added | Mark::Changed);
            half.lines.push(line);
            if half.lines.len() as i64 == count && self.lines.no_newline() {
                half.lines.last_mut().into_iter().for_each(cut_newline);
            }
        }
    }

    /// The first half must be as long as announced, or be left out. A blank line behind it is forgiven.
    fn closed(&self, mut half: OldHalf<'p>, count: i64, blank_last: bool) -> Result<OldHalf<'p>, ReadError> {
        let found = half.lines.len() as i64;
        if blank_last && found == count + 1 {
            half.lines.pop();
        } else if found != count && found != 0 {
            let how = if found < count { "Premature" } else { "Overdue" };
            return Err(ReadError::Divider { how, line: self.lines.number(), begun: self.begun });
        }
        Ok(half)
    }

    /// The second half; `None` if it was left out.
    fn new_half(&mut self, count: i64, may_lack: bool) -> Result<Option<Vec<HunkLine<'p>>>, ReadError> {
        let before = self.lines.place();
        let mut may_lack = may_lack;
        let mut half: Vec<HunkLine<'p>> = Vec::new();
        while (half.len() as i64) < count {
            match self.new_line(count - half.len() as i64, may_lack) {
                Ok(line) => {
                    may_lack &= !matches!(line.mark, Mark::Added | Mark::Changed);
                    half.push(line);
                    if half.len() as i64 == count && self.lines.no_newline() {
                        half.last_mut().into_iter().for_each(cut_newline);
                    }
                }
                Err(_) if may_lack => return Ok(self.lacking(before)),
                Err(error) => return Err(error),
            }
        }
        Ok(Some(half))
    }

    fn lacking(&mut self, before: Place) -> Option<Vec<HunkLine<'p>>> {
        self.lines.seek(before);
        None
    }

    fn new_line(&mut self, left: i64, may_lack: bool) -> Result<HunkLine<'p>, ReadError> {
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
            return Err(ReadError::Divider { how: "duplicate", line: number, begun: self.begun });
        }
        let bare = matches!(line.first(), Some(b' ' | b'-')) && !matches!(line.get(1), Some(b' ' | b'\t'));
        body_line(&line).filter(|_| !bare || !may_lack).ok_or_else(|| self.malformed(&line))
    }

    /// A half made from the context of the other one. A single number in a range stands for one line, and
    /// also for none behind that line.
    fn fill(
        &self,
        other: &[HunkLine<'p>],
        first: &mut i64,
        count: i64,
    ) -> Result<Vec<HunkLine<'p>>, ReadError> {
        let lines: Vec<_> = other.iter().filter(|line| line.mark == Mark::Context).cloned().collect();
        if lines.is_empty() && count == 1 {
            *first += 1;
            return Ok(lines);
        }
        if lines.len() as i64 != count {
            return Err(self.mangled("replacement text or line numbers mangled in hunk"));
        }
        Ok(lines)
    }

    fn mangled(&self, what: &'static str) -> ReadError {
        ReadError::Mangled { what, line: self.begun }
    }

    fn malformed(&self, line: &[u8]) -> ReadError {
        ReadError::Malformed { line: self.lines.number(), text: line.to_vec() }
    }
}

/// A line of a half: its mark, a blank, the text. An editor may have eaten the blanks of context.
fn body_line<'p>(line: &Cow<'p, [u8]>) -> Option<HunkLine<'p>> {
    let (mark, start) = match line.first()? {
        b' ' => (Mark::Context, 1),
        b'-' => (Mark::Removed, 1),
        b'+' => (Mark::Added, 1),
        b'!' => (Mark::Changed, 1),
        b'\n' => return Some(HunkLine { mark: Mark::Context, text: line.clone() }),
        b'\t' => (Mark::Context, 0),
        _ => return None,
    };
    let start = start + usize::from(matches!(line.get(start), Some(b' ' | b'\t')));
    let text = match line {
        Cow::Borrowed(line) => Cow::Borrowed(&line[start..]),
        Cow::Owned(line) => Cow::Owned(line[start..].to_vec()),
    };
    Some(HunkLine { mark, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(patch: &str) -> Result<(i64, usize, i64, usize, usize, usize), String> {
        match read(&mut Lines::new(patch.as_bytes())) {
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
