//! Hunks of unified diffs. Both counts bind; what follows them is no part of the hunk.

use std::borrow::Cow;

use super::{Hunk, HunkLine, Lines, Mark, ReadError, cut_newline, number::Header};

/// So many lines that are missing at the end of the input are taken for blank ones that a mailer cut off.
const CHOPPED: i64 = 3;

/// The next hunk; `None` if something else stands here, which is then still to be read.
///
/// # Errors
/// The header or the body breaks a rule.
pub fn read<'p>(lines: &mut Lines<'p>) -> Result<Option<Hunk<'p>>, ReadError> {
    let before = lines.place();
    let Some(line) = lines.next_line().filter(|line| line.starts_with(b"@@ -")) else {
        lines.seek(before);
        return Ok(None);
    };
    let (mut hunk, counts) = header(&line, lines.number())?;
    Body { lines, counts, context: 0, changed: false, hunk: &mut hunk }.read()?;
    if counts.old == 0 {
        hunk.old_first += 1;
    }
    if counts.new == 0 {
        hunk.new_first += 1;
    }
    Ok(Some(hunk))
}

#[derive(Clone, Copy)]
struct Counts {
    old: i64,
    new: i64,
}

fn header<'p>(line: &[u8], number: usize) -> Result<(Hunk<'p>, Counts), ReadError> {
    let mut head = Header::new(line, 4, number);
    let (old_first, old) = range(&mut head)?;
    head.need(b"+")?;
    let (new_first, new) = range(&mut head)?;
    head.need(b"@")?;
    let function = if head.skip(b"@") && head.rest().starts_with(b" ") {
        head.rest().strip_suffix(b"\n").unwrap_or(head.rest()).to_vec()
    } else {
        Vec::new()
    };
    if old_first.checked_add(old).is_none_or(|end| end == i64::MAX)
        || new_first.checked_add(new).is_none_or(|end| end == i64::MAX)
    {
        return Err(head.malformed());
    }
    let hunk = Hunk { old_first, new_first, function, begun: number + 1, ..Hunk::default() };
    Ok((hunk, Counts { old, new }))
}

/// `N` or `N,N`, and the blanks behind it.
fn range(head: &mut Header<'_>) -> Result<(i64, i64), ReadError> {
    let first = head.number()?;
    head.blanks();
    let count = if head.skip(b",") { head.number()? } else { 1 };
    head.blanks();
    Ok((first, count))
}

struct Body<'l, 'p, 'h> {
    lines: &'l mut Lines<'p>,
    counts: Counts,
    /// Context lines since the last change.
    context: usize,
    changed: bool,
    hunk: &'h mut Hunk<'p>,
}

impl<'p> Body<'_, 'p, '_> {
    fn read(mut self) -> Result<(), ReadError> {
        // Of a hunk without any line the model shows a range of its own making.
        let next = self.hunk.new_first + 1;
        let mut last = Cow::Owned(format!("--- {next},{} ----\n", next - 1).into_bytes());
        while self.old_left() > 0 || self.new_left() > 0 {
            last = self.line()?;
        }
        if !self.changed {
            return Err(self.malformed(&last));
        }
        self.hunk.tail = self.context;
        Ok(())
    }

    fn old_left(&self) -> i64 {
        self.counts.old - self.hunk.old.len() as i64
    }

    fn new_left(&self) -> i64 {
        self.counts.new - self.hunk.new.len() as i64
    }

    fn malformed(&self, line: &[u8]) -> ReadError {
        ReadError::Malformed { line: self.lines.number(), text: line.to_vec() }
    }

    /// Reads one line of the body, and hands it out for messages.
    fn line(&mut self) -> Result<Cow<'p, [u8]>, ReadError> {
        let line = match self.lines.next_line() {
            Some(line) => line,
            None if self.new_left() <= CHOPPED => Cow::Borrowed(&b" \n"[..]),
            None => return Err(ReadError::UnexpectedEnd),
        };
        let (mark, text) = match line.first() {
            Some(b'-') => (Mark::Removed, tail(&line)),
            Some(b'+') => (Mark::Added, tail(&line)),
            Some(b' ' | b'=') => (Mark::Context, tail(&line)),
            Some(b'\t' | b'\n') => (Mark::Context, line.clone()),
            _ => return Err(self.malformed(&line)),
        };
        let (old, new) = (mark != Mark::Added, mark != Mark::Removed);
        if (old && self.old_left() == 0) || (new && self.new_left() == 0) {
            return Err(self.malformed(&line));
        }
        self.count(mark);
        let mut entry = HunkLine { mark, text };
        if old {
            self.end(&mut entry, self.old_left() == 1);
            self.hunk.old.push(entry.clone());
        }
        if new {
            self.end(&mut entry, self.new_left() == 1);
            self.hunk.new.push(entry);
        }
        Ok(line)
    }

    /// The last line of a side may lack its line end.
    fn end(&mut self, line: &mut HunkLine<'p>, is_last: bool) {
        if is_last && self.lines.no_newline() {
            cut_newline(line);
        }
    }

    fn count(&mut self, mark: Mark) {
        if mark == Mark::Context {
            self.context += 1;
            return;
        }
        if !self.changed {
            self.hunk.head = self.context;
        }
        self.changed = true;
        self.context = 0;
    }
}

fn tail<'p>(line: &Cow<'p, [u8]>) -> Cow<'p, [u8]> {
    match line {
        Cow::Borrowed(line) => Cow::Borrowed(&line[1..]),
        Cow::Owned(line) => Cow::Owned(line[1..].to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(patch: &str) -> Result<(i64, String, i64, String), String> {
        let join = |side: &[HunkLine<'_>]| {
            let texts: Vec<_> = side.iter().map(|line| String::from_utf8_lossy(&line.text)).collect();
            texts.concat()
        };
        let mut lines = Lines::new(patch.as_bytes());
        match read(&mut lines) {
            Ok(Some(h)) => Ok((h.old_first, join(&h.old), h.new_first, join(&h.new))),
            Ok(None) => Err("none".into()),
            Err(error) => Err(String::from_utf8_lossy(&error.message()).into_owned()),
        }
    }

    fn both(old: (i64, &str), new: (i64, &str)) -> Result<(i64, String, i64, String), String> {
        Ok((old.0, old.1.into(), new.0, new.1.into()))
    }

    #[test]
    fn bodies_are_counted() {
        assert_eq!(sides("@@ -4,2 +4,2 @@\n 4\n-5\n+V\n 6\n"), both((4, "4\n5\n"), (4, "4\nV\n")));
        assert_eq!(sides("@@ -7,0 +8 @@\n+x\n"), both((8, ""), (8, "x\n")));
        assert_eq!(sides("@@ -1 +1 @@\n-3\n\\ No\n+4\n\\ x\n"), both((1, "3"), (1, "4")));
        assert_eq!(sides("@@ -1,2 +1,2 @@\n\n-a\n+b\n"), both((1, "\na\n"), (1, "\nb\n")));
    }

    #[test]
    fn each_fault_has_its_message() {
        for (patch, want) in [
            ("@@ @@\n", "none"),
            ("@@ -,3 +,3 @@\n", "missing line number at line 1: @@ -,3 +,3 @@\n"),
            ("@@ -1 @@\n", "malformed patch at line 1: @@ -1 @@\n"),
            ("@@ -4,3 +4,3 @@\n 4\n-5\nfive\n", "malformed patch at line 4: five\n"),
            ("@@ -4,7 +4,7 @@\n 4\n-5\n+five\n 6\n", "unexpected end of file in patch"),
            ("@@ -4,2 +4,2 @@\n 4\n 5\n", "malformed patch at line 3:  5\n"),
            ("@@ -1,0 +1,0 @@\n", "malformed patch at line 1: --- 2,1 ----\n"),
            (
                "@@ -99999999999999999999 +1 @@\n",
                "line number 99999999999999999999 is too large at line 1: @@ -99999999999999999999 +1 @@\n",
            ),
        ] {
            assert_eq!(sides(patch), Err(want.into()), "{patch}");
        }
    }

    #[test]
    fn huge_counts_cost_nothing() {
        let patch = "@@ -1,2000000000 +1,2000000000 @@\n-old\n+new\n";
        assert_eq!(sides(patch), Err("unexpected end of file in patch".into()));
    }

    #[test]
    fn up_to_three_blank_lines_may_be_chopped() {
        assert_eq!(sides("@@ -1,3 +1,3 @@\n-a\n+b\n"), both((1, "a\n\n\n"), (1, "b\n\n\n")));
        assert!(sides("@@ -1,5 +1,5 @@\n-a\n+b\n").is_err());
    }
}
