//! The line that begins a hunk: `@@ -1,2 +3,4 @@ heading`, `@@ ... @@`, `@@ class A`.

use crate::edit::Stated;

/// What a hunk's `@@` line says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct At<'i> {
    pub stated: Option<Stated>,
    /// The text after `@@`, where no numbers stand: a line that the hunk stands below.
    pub anchor: Option<&'i [u8]>,
    /// The text behind the closing `@@`.
    pub heading: Option<&'i [u8]>,
}

impl<'i> At<'i> {
    /// Reads an `@@` line as diffs have it: a blank, a number or nothing follows the two signs.
    pub fn parse(line: &'i [u8]) -> Option<At<'i>> {
        let rest = line.strip_prefix(b"@@")?;
        match rest.first() {
            None | Some(b' ' | b'\t') => Some(At::lenient(rest)),
            Some(b'-' | b'+') => ranges(rest).map(|_| At::lenient(rest)),
            _ => None,
        }
    }

    /// Reads an `@@` line as V4A has it: any text may follow the two signs at once.
    pub fn parse_glued(line: &'i [u8]) -> Option<At<'i>> {
        let rest = line.strip_prefix(b"@@")?;
        (rest.first() != Some(&b'@')).then(|| At::lenient(rest))
    }

    fn lenient(rest: &'i [u8]) -> At<'i> {
        if let Some((stated, tail)) = ranges(rest) {
            let tail = tail.trim_ascii_start();
            let heading = tail.strip_prefix(b"@@").unwrap_or(tail);
            return At { stated: Some(stated), anchor: None, heading: text(heading) };
        }
        let rest = rest.strip_prefix(b" ").unwrap_or(rest);
        let (inside, behind) = closing(rest);
        At { stated: None, anchor: text(inside).filter(|t| !is_filler(t)), heading: text(behind) }
    }
}

/// What stands before and behind a closing `@@`, which is a word of its own.
fn closing(rest: &[u8]) -> (&[u8], &[u8]) {
    let ends = |&at: &usize| rest.get(at + 2).is_none_or(|b| matches!(b, b' ' | b'\t'));
    let found = memchr::memmem::find_iter(rest, b"@@").find(ends);
    found.map_or((rest, &b""[..]), |at| (&rest[..at], &rest[at + 2..]))
}

/// The text without trailing blanks and the one blank before it; leading indentation is an anchor's own.
fn text(bytes: &[u8]) -> Option<&[u8]> {
    let bytes = bytes.trim_ascii_end();
    (!bytes.is_empty()).then_some(bytes)
}

/// `...`, `-XX,XX +XX,XX` and other signs that stand for nothing.
fn is_filler(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii();
    let dots = bytes == "\u{2026}".as_bytes() || bytes.iter().all(|b| matches!(b, b'.' | b' '));
    let blanked = bytes.starts_with(b"-")
        && bytes.iter().all(|b| matches!(b, b'-' | b'+' | b',' | b'?' | b'.' | b' ' | b'_' | b'0'..=b'9'))
        || bytes.starts_with(b"-")
            && bytes
                .iter()
                .all(|b| matches!(b.to_ascii_lowercase(), b'-' | b'+' | b',' | b' ' | b'x' | b'n' | b'y'));
    dots || blanked
}

/// `-a[,b] +c[,d]`, and what follows.
fn ranges(rest: &[u8]) -> Option<(Stated, &[u8])> {
    let (old_start, old_count, rest) = range(rest.trim_ascii_start().strip_prefix(b"-")?)?;
    let (new_start, new_count, rest) = range(rest.trim_ascii_start().strip_prefix(b"+")?)?;
    rest.first().is_none_or(|b| matches!(b, b' ' | b'\t' | b'@')).then_some(())?;
    Some((Stated { old_start, old_count, new_start, new_count }, rest))
}

/// `a` or `a,b`; a missing count is one.
fn range(rest: &[u8]) -> Option<(u64, u64, &[u8])> {
    let (start, rest) = number(rest)?;
    match rest.strip_prefix(b",") {
        Some(after) => number(after).map(|(count, rest)| (start, count, rest)),
        None => Some((start, 1, rest)),
    }
}

fn number(rest: &[u8]) -> Option<(u64, &[u8])> {
    let end = rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
    let digits = std::str::from_utf8(&rest[..end]).ok()?;
    Some((digits.parse().ok()?, &rest[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(line: &str) -> Option<(u64, u64, u64, u64)> {
        let stated = At::parse(line.as_bytes())?.stated?;
        Some((stated.old_start, stated.old_count, stated.new_start, stated.new_count))
    }

    #[test]
    fn numbers_in_all_spellings() {
        assert_eq!(numbers("@@ -1,2 +3,4 @@"), Some((1, 2, 3, 4)));
        assert_eq!(numbers("@@ -1 +3,4 @@ fn x"), Some((1, 1, 3, 4)));
        assert_eq!(numbers("@@ -1,2 +3,4"), Some((1, 2, 3, 4)));
        assert_eq!(numbers("@@-1,2 +3,4@@"), Some((1, 2, 3, 4)));
        assert_eq!(numbers("@@ -1,2 +99999999999999999999999,4 @@"), None);
    }

    #[test]
    fn texts() {
        let at = At::parse(b"@@ -1,2 +3,4 @@ def f():  ").unwrap();
        assert_eq!((at.anchor, at.heading), (None, Some(&b" def f():"[..])));
        let at = At::parse(b"@@ class A:").unwrap();
        assert_eq!((at.anchor, at.heading), (Some(&b"class A:"[..]), None));
        let at = At::parse(b"@@   def g(): @@").unwrap();
        assert_eq!(at.anchor, Some(&b"  def g():"[..]));
        for filler in ["@@", "@@ @@", "@@ ... @@", "@@ -XX,XX +XX,XX @@", "@@ -?,? +?,? @@", "@@   "] {
            assert_eq!(At::parse(filler.as_bytes()), Some(At::default()), "{filler}");
        }
    }

    #[test]
    fn other_lines() {
        assert_eq!(At::parse(b"@@@ -1 -1 +1 @@@"), None);
        assert_eq!(At::parse(b"@@count = 0"), None);
        assert_eq!(At::parse_glued(b"@@count = 0").unwrap().anchor, Some(&b"count = 0"[..]));
        assert_eq!(At::parse(b"@@ @@count = 0").unwrap().anchor, Some(&b"@@count = 0"[..]));
    }
}
