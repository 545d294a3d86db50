//! File names in a diff's headers.

use std::borrow::Cow;

/// One side of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Side<'i> {
    /// `None`: `/dev/null`.
    pub name: Option<Cow<'i, [u8]>>,
    /// A time of 1970-01-01, by which diff marks a side that does not exist.
    pub epoch: bool,
}

impl<'i> Side<'i> {
    /// Reads what follows `--- ` or `+++ `.
    pub fn parse(rest: &'i [u8]) -> Side<'i> {
        let rest = rest.trim_ascii_start();
        let (name, stamp) = match quoted(rest) {
            Some((name, rest)) => (name, rest),
            None => {
                let (name, stamp) = cut_stamp(rest);
                (Cow::Borrowed(bare(name)), stamp)
            }
        };
        let null = matches!(name.as_ref(), b"/dev/null" | b"dev/null" | b"a//dev/null" | b"b//dev/null");
        Side { name: (!null).then_some(name), epoch: is_epoch(stamp) }
    }
}

/// The names of both sides.
pub(super) type Names<'i> = (Cow<'i, [u8]>, Cow<'i, [u8]>);

/// Both names are the same file's, or one is no file.
pub(super) fn agree(old: &Side<'_>, new: &Side<'_>) -> bool {
    match (&old.name, &new.name) {
        (Some(old), Some(new)) => unprefixed(old) == unprefixed(new),
        _ => true,
    }
}

/// The name without `a/`, `b/` or another prefix of git's.
pub(super) fn unprefixed(name: &[u8]) -> &[u8] {
    match name {
        [b'a' | b'b' | b'c' | b'i' | b'o' | b'w', b'/', rest @ ..] => rest,
        _ => name,
    }
}

/// The two names of a `diff --git` line.
pub(super) fn git_pair<'i>(rest: &'i [u8]) -> Option<Names<'i>> {
    let rest = rest.trim_ascii();
    if let Some((old, rest)) = quoted(rest) {
        let rest = rest.trim_ascii_start();
        let new = quoted(rest).map_or(Cow::Borrowed(rest), |(new, _)| new);
        return Some((old, new));
    }
    if let Some(at) = memchr::memmem::find(rest, b" \"")
        && let Some((new, b"")) = quoted(&rest[at + 1..])
    {
        return Some((Cow::Borrowed(&rest[..at]), new));
    }
    let split = |at: usize| (&rest[..at], &rest[at + 1..]);
    let same = |&at: &usize| {
        let (old, new) = split(at);
        unprefixed(old) == unprefixed(new)
    };
    let middle = rest.len() / 2;
    let cut = [middle.saturating_sub(1), middle].into_iter().filter(|&at| rest.get(at) == Some(&b' '));
    let cut = cut.rev().find(same).or_else(|| memchr::memmem::rfind(rest, b" b/"))?;
    let (old, new) = split(cut);
    Some((Cow::Borrowed(old), Cow::Borrowed(new)))
}

/// A name after `rename from ` and the like.
pub(super) fn plain(rest: &[u8]) -> Cow<'_, [u8]> {
    let rest = rest.trim_ascii();
    quoted(rest).map_or(Cow::Borrowed(rest), |(name, _)| name)
}

/// A name without the decoration that Markdown gives it.
fn bare(name: &[u8]) -> &[u8] {
    let name = name.trim_ascii();
    match name {
        [b'`', inner @ .., b'`'] | [b'\'', inner @ .., b'\''] if !inner.is_empty() => inner,
        [b'*', b'*', inner @ .., b'*', b'*'] if !inner.is_empty() => inner,
        _ => name,
    }
}

/// Cuts what follows a tab, or blanks and a date.
fn cut_stamp(rest: &[u8]) -> (&[u8], &[u8]) {
    if let Some(tab) = memchr::memchr(b'\t', rest) {
        return rest.split_at(tab);
    }
    let is_stamp = |&at: &usize| is_date(&rest[at + 1..]);
    memchr::memchr_iter(b' ', rest).find(is_stamp).map_or((rest, b""), |at| rest.split_at(at))
}

/// `YYYY-MM-DD hh:mm` begins here.
fn is_date(text: &[u8]) -> bool {
    let shape = |pattern: &[u8]| {
        text.len() >= pattern.len()
            && pattern.iter().zip(text).all(|(p, b)| if *p == b'0' { b.is_ascii_digit() } else { p == b })
    };
    shape(b"0000-00-00 00:00") || shape(b"0000-00-00T00:00")
}

/// Midnight of 1970-01-01 in UTC, told in its own zone, which may be the evening before.
fn is_epoch(stamp: &[u8]) -> bool {
    let stamp = stamp.trim_ascii();
    let Some((day, clock)) = stamp.split_at_checked(11) else { return false };
    let number =
        |range: std::ops::Range<usize>| std::str::from_utf8(clock.get(range)?).ok()?.parse::<i32>().ok();
    let zone = clock.rsplit(|&b| b == b' ').next().unwrap_or_default();
    let offset = match zone {
        [sign @ (b'+' | b'-'), h1, h2, m1, m2] if [h1, h2, m1, m2].iter().all(|b| b.is_ascii_digit()) => {
            let minutes = i32::from(h1 - b'0') * 600
                + i32::from(h2 - b'0') * 60
                + i32::from(m1 - b'0') * 10
                + i32::from(m2 - b'0');
            if *sign == b'-' { -minutes } else { minutes }
        }
        b"Z" => 0,
        _ => return false,
    };
    let (Some(hours), Some(minutes), Some(0)) = (number(0..2), number(3..5), number(6..8)) else {
        return false;
    };
    let day_minutes = match day {
        b"1970-01-01 " => 0,
        b"1969-12-31 " => -24 * 60,
        _ => return false,
    };
    day_minutes + hours * 60 + minutes == offset
}

/// A C-quoted name at the start of `rest`, and what follows it.
fn quoted(rest: &[u8]) -> Option<(Cow<'_, [u8]>, &[u8])> {
    let inner = rest.strip_prefix(b"\"")?;
    let mut out = Vec::new();
    let mut at = 0;
    loop {
        match *inner.get(at)? {
            b'"' => {
                let after = &inner[at + 1..];
                let name = if out.len() == at { Cow::Borrowed(&inner[..at]) } else { Cow::Owned(out) };
                return Some((name, after));
            }
            b'\\' => {
                let (byte, used) = escape(&inner[at + 1..])?;
                out.push(byte);
                at += 1 + used;
            }
            byte => {
                out.push(byte);
                at += 1;
            }
        }
    }
}

/// What an escape stands for, and how many bytes follow the back-slash.
fn escape(rest: &[u8]) -> Option<(u8, usize)> {
    Some(match *rest.first()? {
        b'a' => (7, 1),
        b'b' => (8, 1),
        b't' => (b'\t', 1),
        b'n' => (b'\n', 1),
        b'v' => (11, 1),
        b'f' => (12, 1),
        b'r' => (b'\r', 1),
        byte @ (b'"' | b'\\') => (byte, 1),
        b'0'..=b'3' => {
            let digits = rest.get(..3)?;
            let octal = |b: &u8| matches!(b, b'0'..=b'7');
            digits.iter().all(octal).then_some(())?;
            (digits.iter().fold(0, |sum, b| sum * 8 + (b - b'0')), 3)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(rest: &str) -> Option<String> {
        Side::parse(rest.as_bytes()).name.map(|n| String::from_utf8_lossy(&n).into_owned())
    }

    #[test]
    fn names_without_their_times() {
        assert_eq!(name("a/x y.c\t2023-04-10 12:34:56.000000000 +0800").as_deref(), Some("a/x y.c"));
        assert_eq!(name("before.c 2023-04-15 15:37:12.89 -0700 (master)").as_deref(), Some("before.c"));
        assert_eq!(name("my dir/f.txt").as_deref(), Some("my dir/f.txt"));
        assert_eq!(name("`src/a.py`").as_deref(), Some("src/a.py"));
        assert_eq!(name("/dev/null"), None);
    }

    #[test]
    fn quoted_names() {
        assert_eq!(name(r#""a/t\303\244st\t\"x\".c""#).as_deref(), Some("a/t\u{e4}st\t\"x\".c"));
        assert_eq!(name(r#""a/b\q""#).as_deref(), Some(r#""a/b\q""#));
        assert_eq!(name(r#""open"#).as_deref(), Some(r#""open"#));
        assert_eq!(name(r#""a/\377\3""#).as_deref(), Some(r#""a/\377\3""#));
    }

    #[test]
    fn sides_that_do_not_exist() {
        let epoch = |rest: &str| Side::parse(rest.as_bytes()).epoch;
        assert!(epoch("f\t1970-01-01 00:00:00.000000000 +0000"));
        assert!(epoch("f\t1970-01-01 01:00:00.000000000 +0100"));
        assert!(epoch("f\t1969-12-31 19:00:00.000000000 -0500"));
        assert!(!epoch("f\t1970-01-01 01:00:00.000000000 +0000"));
        assert!(!epoch("f\t2023-04-10 12:34:56.000000000 +0800"));
    }

    #[test]
    fn git_names() {
        let pair = |rest: &str| {
            git_pair(rest.as_bytes()).map(|(old, new)| {
                (String::from_utf8_lossy(&old).into_owned(), String::from_utf8_lossy(&new).into_owned())
            })
        };
        let both = |old: &str, new: &str| Some((old.to_owned(), new.to_owned()));
        assert_eq!(pair("a/x y.c b/x y.c"), both("a/x y.c", "b/x y.c"));
        assert_eq!(pair("f f"), both("f", "f"));
        assert_eq!(pair("a/x.c b/y.c"), both("a/x.c", "b/y.c"));
        assert_eq!(pair(r#""a/\t" b/z"#), both("a/\t", "b/z"));
        assert_eq!(pair(r#"a/z "b/\t""#), both("a/z", "b/\t"));
        assert_eq!(pair("x"), None);
    }
}
