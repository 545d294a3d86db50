//! Hunks of normal diffs (`5c5`).

use std::borrow::Cow;

use super::{Hunk, HunkLine, Lines, Mark, ReadError, cut_newline, number::Header};

/// The next hunk; `None` if something else stands here, which is then still to be read.
///
/// # Errors
/// The command or the lines break a rule.
pub fn read<'p>(lines: &mut Lines<'p>) -> Result<Option<Hunk<'p>>, ReadError> {
    let before = lines.place();
    let Some(line) = lines.next_line().filter(|line| line.first().is_some_and(u8::is_ascii_digit)) else {
        lines.seek(before);
        return Ok(None);
    };
    let mut head = Header::new(&line, 0, lines.number());
    let mut hunk = Hunk { old_first: head.number()?, ..Hunk::default() };
    let ranged = head.skip(b",");
    let old_last = if ranged { head.number()? } else { hunk.old_first };
    let command = *head.rest().first().unwrap_or(&b'\n');
    head.skip(&[command]);
    let (new_first, new_last) = {
        let first = head.number()?;
        (first, if head.skip(b",") { head.number()? } else { first })
    };
    let appends = command == b'a';
    let old_count = if appends && !ranged { 0 } else { count(hunk.old_first, old_last, &head)? };
    let new_count = if command == b'd' { 0 } else { count(new_first, new_last, &head)? };
    hunk.old_first += i64::from(appends);
    hunk.new_first = new_first + i64::from(command == b'd');
    side(lines, &mut hunk.old, old_count, b'<')?;
    if command == b'c' {
        divider(lines)?;
    }
    side(lines, &mut hunk.new, new_count, b'>')?;
    Ok(Some(hunk))
}

fn count(first: i64, last: i64, head: &Header<'_>) -> Result<i64, ReadError> {
    match last.checked_sub(first).and_then(|lines| lines.checked_add(1)) {
        Some(count) if count >= 1 && last < i64::MAX => Ok(count),
        _ => Err(head.malformed()),
    }
}

fn side<'p>(
    lines: &mut Lines<'p>,
    side: &mut Vec<HunkLine<'p>>,
    count: i64,
    sign: u8,
) -> Result<(), ReadError> {
    let (mark, what) = match sign {
        b'<' => (Mark::Removed, "'<' followed by space or tab"),
        _ => (Mark::Added, "'>' followed by space or tab"),
    };
    for left in (0..count).rev() {
        let line = next(lines)?;
        if !(line[0] == sign && matches!(line.get(1), Some(b' ' | b'\t'))) {
            return Err(ReadError::Expected { what, line: lines.number() });
        }
        let text = match line {
            Cow::Borrowed(line) => Cow::Borrowed(&line[2..]),
            Cow::Owned(line) => Cow::Owned(line[2..].to_vec()),
        };
        side.push(HunkLine { mark, text });
        if left == 0
            && lines.no_newline()
            && let Some(line) = side.last_mut()
        {
            cut_newline(line);
        }
    }
    Ok(())
}

fn next<'p>(lines: &mut Lines<'p>) -> Result<Cow<'p, [u8]>, ReadError> {
    lines.next_line().ok_or(ReadError::EndAt { line: lines.number() })
}

fn divider(lines: &mut Lines<'_>) -> Result<(), ReadError> {
    let line = next(lines)?;
    if line.first() == Some(&b'-') {
        return Ok(());
    }
    Err(ReadError::Expected { what: "'---'", line: lines.number() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_one(patch: &str) -> Result<(i64, usize, i64, usize), String> {
        match read(&mut Lines::new(patch.as_bytes())) {
            Ok(Some(h)) => Ok((h.old_first, h.old.len(), h.new_first, h.new.len())),
            Ok(None) => Err("none".into()),
            Err(error) => Err(String::from_utf8_lossy(&error.message()).into_owned()),
        }
    }

    #[test]
    fn commands() {
        assert_eq!(read_one("5c5\n< 5\n---\n> five\n"), Ok((5, 1, 5, 1)));
        assert_eq!(read_one("5a6,7\n> a\n> b\n"), Ok((6, 0, 6, 2)));
        assert_eq!(read_one("2,3d1\n< a\n< b\n"), Ok((2, 2, 2, 0)));
        assert_eq!(read_one("no\n"), Err("none".into()));
    }

    #[test]
    fn faults() {
        assert_eq!(
            read_one("5c5\n> 5\n"),
            Err("'<' followed by space or tab expected at line 2 of patch".into())
        );
        assert_eq!(read_one("5c5\n< 5\n> five\n"), Err("'---' expected at line 3 of patch".into()));
        assert_eq!(read_one("5,4d5\n< 5\n"), Err("malformed patch at line 1: 5,4d5\n".into()));
        assert_eq!(read_one("5d4\n"), Err("unexpected end of file in patch at line 1".into()));
    }
}
