//! One operation line: `PUT 2.=3:`, `CUT 4* @r`, `REM`, `MV b.txt`.

use std::borrow::Cow;

use bstr::ByteSlice;

use crate::edit::{Gap, Lines};

/// Ranges of more lines are never meant.
const MAX_RANGE: usize = 100_000;

/// An operation line, without its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head<'i> {
    Put { at: Lines },
    Insert { at: Gap },
    Cut { at: Lines, register: Option<&'i [u8]> },
    Paste { at: Gap, register: Option<&'i [u8]> },
    PasteOver { at: Lines, register: &'i [u8] },
    Remove,
    Move(&'i [u8]),
}

impl Head<'_> {
    /// Rows below it are its body.
    pub fn takes_body(&self) -> bool {
        matches!(self, Head::Put { .. } | Head::Insert { .. })
    }
}

/// What a line is: no operation, one, or one that is written wrongly.
pub fn head(line: &[u8]) -> Option<Result<Head<'_>, String>> {
    let line = line.trim_ascii();
    let (word, rest) = line.split_at(line.find_byteset(b" \t:").unwrap_or(line.len()));
    match word {
        b"REM" if matches!(rest, b"" | b":") => Some(Ok(Head::Remove)),
        b"MV" if rest.starts_with(b" ") => Some(destination(rest.trim_ascii())),
        b"PUT" | b"CUT" => {
            let rest = rest.trim_ascii();
            let place = rest.first().is_some_and(|b| b.is_ascii_digit() || matches!(b, b'<' | b'>'));
            place.then(|| if word == b"PUT" { put(rest) } else { cut(rest) })
        }
        _ => None,
    }
}

/// `2.=3:` without a word: a replacement. `sure`: only the spellings that nothing else has.
pub fn bare_range(line: &[u8], sure: bool) -> Option<Result<Head<'_>, String>> {
    let line = line.trim_ascii().strip_suffix(b":")?;
    let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = &line[digits..];
    let canonical = [&b".="[..], b"..", "…".as_bytes()].iter().any(|sep| rest.starts_with(sep));
    if digits == 0 || rest.is_empty() || sure && !canonical {
        return None;
    }
    let end = skip_separator(rest);
    (end.len() < rest.len() && end.iter().all(u8::is_ascii_digit))
        .then(|| lines(line).map(|(at, _)| Head::Put { at }))
}

/// `N:TEXT` or `N|TEXT`, as a file is read out: the line's number and text.
pub fn row(line: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = digits(line.trim_ascii_start())?;
    let text = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"|"))?;
    Some((number, text))
}

fn destination(text: &[u8]) -> Result<Head<'_>, String> {
    match unquoted(text) {
        b"" => Err("MV names no file to move to".to_owned()),
        to => Ok(Head::Move(to)),
    }
}

/// Without a pair of quotes around it.
pub fn unquoted(text: &[u8]) -> &[u8] {
    match text {
        [open @ (b'"' | b'\'' | b'`'), inner @ .., close] if open == close => inner,
        text => text,
    }
}

fn put(rest: &[u8]) -> Result<Head<'_>, String> {
    let shown = || short(rest);
    if matches!(rest.first(), Some(b'<' | b'>')) {
        let (at, rest) = gap(rest)?;
        let (register, colon) = tail(rest)?;
        return match (register, colon) {
            (Some(_), true) => {
                Err(format!("`PUT {}`: a register is pasted without a colon and a body", shown()))
            }
            (register, false) => Ok(Head::Paste { at, register }),
            (None, true) => Ok(Head::Insert { at }),
        };
    }
    let (at, rest) = lines(rest)?;
    match tail(rest)? {
        (Some(_), true) => Err(format!("`PUT {}`: a register is pasted without a colon and a body", shown())),
        (Some(register), false) => Ok(Head::PasteOver { at, register }),
        (None, true) => Ok(Head::Put { at }),
        (None, false) => {
            Err(format!("`PUT {}` has neither a colon with a body below nor a register", shown()))
        }
    }
}

fn cut(rest: &[u8]) -> Result<Head<'_>, String> {
    let (at, rest) = lines(rest)?;
    let (register, _) = tail(rest)?;
    Ok(Head::Cut { at, register })
}

/// `@name` and a colon, both of which may be missing.
fn tail(rest: &[u8]) -> Result<(Option<&[u8]>, bool), String> {
    let rest = rest.trim_ascii();
    let (rest, colon) = match rest.strip_suffix(b":") {
        Some(rest) => (rest.trim_ascii_end(), true),
        None => (rest, false),
    };
    match rest.strip_prefix(b"@") {
        Some(name)
            if !name.is_empty() && name.iter().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(b)) =>
        {
            Ok((Some(name), colon))
        }
        None if rest.is_empty() => Ok((None, colon)),
        _ => Err(format!("`{}` behind the line numbers is neither a register nor a colon", short(rest))),
    }
}

fn gap(rest: &[u8]) -> Result<(Gap, &[u8]), String> {
    let (side, rest) = (rest[0], rest[1..].trim_ascii_start());
    if let Some(after) = rest.strip_prefix(b"$") {
        return match side {
            b'>' => Ok((Gap::End, after)),
            _ => Err("`<$` is no place; `>$` is the end of the file".to_owned()),
        };
    }
    let (line, rest) = number(rest)?;
    match (side, rest.strip_prefix(b"*")) {
        (b'>', Some(rest)) => Ok((Gap::AfterBlock(line), rest)),
        (b'>', None) => Ok((Gap::After(line), rest)),
        (_, None) => Ok((Gap::Before(line), rest)),
        (_, Some(_)) => Err(format!("`<{line}*` is no place; `<{line}` is before the block's first line")),
    }
}

fn lines(rest: &[u8]) -> Result<(Lines, &[u8]), String> {
    let (first, rest) = number(rest)?;
    if let Some(rest) = rest.strip_prefix(b"*") {
        return Ok((Lines::Block(first), rest));
    }
    let after = skip_separator(rest);
    if !after.first().is_some_and(u8::is_ascii_digit) {
        return Ok((Lines::Range { first, last: first }, after));
    }
    let (last, rest) = number(after)?;
    if last < first {
        return Err(format!(
            "lines {first} to {last} end before they start; did you mean `{last}.={first}`?"
        ));
    }
    if last - first >= MAX_RANGE {
        return Err(format!("lines {first} to {last} are over {MAX_RANGE} lines"));
    }
    Ok((Lines::Range { first, last }, rest))
}

/// What follows `.=`, `..`, `…`, `.`, `-`, `=`, blanks or a mixture of them.
fn skip_separator(mut rest: &[u8]) -> &[u8] {
    loop {
        rest = match rest {
            [b'.' | b'=' | b'-' | b' ' | b'\t', rest @ ..] => rest,
            [0xe2, 0x80, 0xa6, rest @ ..] => rest,
            rest => return rest,
        };
    }
}

fn number(rest: &[u8]) -> Result<(usize, &[u8]), String> {
    match digits(rest) {
        Some((0, _)) => Err("lines are counted from 1; there is no line 0".to_owned()),
        Some(found) => Ok(found),
        None => Err(format!("a line number is missing before `{}`", short(rest))),
    }
}

/// As much as a message shows.
fn short(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(60)]).into_owned()
}

/// A number of at most nine digits, and what follows it.
fn digits(text: &[u8]) -> Option<(usize, &[u8])> {
    let len = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(len);
    let value = std::str::from_utf8(digits).ok().filter(|_| (1..=9).contains(&len))?.parse().ok()?;
    Some((value, rest))
}

/// The register's name as an operation holds it.
pub fn register<'i>(name: Option<&'i [u8]>) -> Option<Cow<'i, [u8]>> {
    name.map(Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> String {
        match head(line.as_bytes()) {
            None => "none".to_owned(),
            Some(Err(why)) => format!("error: {why}"),
            Some(Ok(head)) => format!("{head:?}"),
        }
    }

    fn range(first: usize, last: usize) -> Lines {
        Lines::Range { first, last }
    }

    #[test]
    fn operations() {
        for (line, want) in [
            ("PUT 2.=3:", Head::Put { at: range(2, 3) }),
            ("  PUT 2:", Head::Put { at: range(2, 2) }),
            ("PUT 2..3:", Head::Put { at: range(2, 3) }),
            ("PUT 2…3 :", Head::Put { at: range(2, 3) }),
            ("PUT 2 - 3:", Head::Put { at: range(2, 3) }),
            ("PUT 2 3:", Head::Put { at: range(2, 3) }),
            ("PUT 5.=:", Head::Put { at: range(5, 5) }),
            ("PUT 7*:", Head::Put { at: Lines::Block(7) }),
            ("PUT <1:", Head::Insert { at: Gap::Before(1) }),
            ("PUT >4:", Head::Insert { at: Gap::After(4) }),
            ("PUT >$:", Head::Insert { at: Gap::End }),
            ("PUT >4*:", Head::Insert { at: Gap::AfterBlock(4) }),
            ("PUT >4", Head::Paste { at: Gap::After(4), register: None }),
            ("PUT >$ @fn", Head::Paste { at: Gap::End, register: Some(b"fn") }),
            ("PUT 2.=3 @a", Head::PasteOver { at: range(2, 3), register: b"a" }),
            ("PUT 2* @a", Head::PasteOver { at: Lines::Block(2), register: b"a" }),
            ("CUT 2", Head::Cut { at: range(2, 2), register: None }),
            ("CUT 2.=4:", Head::Cut { at: range(2, 4), register: None }),
            ("CUT 2* @r", Head::Cut { at: Lines::Block(2), register: Some(b"r") }),
            ("REM", Head::Remove),
            ("MV \"a b.txt\"", Head::Move(b"a b.txt")),
        ] {
            assert_eq!(head(line.as_bytes()), Some(Ok(want)), "{line}");
        }
    }

    #[test]
    fn what_is_none_and_what_is_wrong() {
        for line in ["put 2:", "PUT the cat out", "CUT", "REM a remark", "MV", "PUTS 2", "+PUT 2:", "PUT"] {
            assert_eq!(said(line), "none", "{line}");
        }
        for (line, part) in [
            ("PUT 0.=1:", "no line 0"),
            ("PUT 4.=2:", "`2.=4`"),
            ("PUT 1.=100001:", "over 100000"),
            ("PUT 2", "neither"),
            ("PUT 2: X", "neither a register"),
            ("PUT >2 @fn:", "without a colon"),
            ("PUT 2 @fn:", "without a colon"),
            ("PUT <$:", "`>$`"),
            ("PUT <2*:", "`<2`"),
            ("PUT >:", "missing"),
            ("CUT 99999999999", "missing"),
            ("CUT 2 @", "neither"),
        ] {
            assert!(said(line).contains(part), "{line}: {}", said(line));
        }
    }

    #[test]
    fn rows_and_bare_ranges() {
        assert_eq!(row(b"2:TWO"), Some((2, &b"TWO"[..])));
        assert_eq!(row(b" 12|"), Some((12, &b""[..])));
        assert_eq!(row(b"a:b"), None);
        let put = |first, last| Some(Ok(Head::Put { at: range(first, last) }));
        for (line, sure, want) in [
            ("2.=3:", true, put(2, 3)),
            ("2..3:", true, put(2, 3)),
            ("5.=:", true, put(5, 5)),
            ("2-3:", true, None),
            ("2-3:", false, put(2, 3)),
            ("2:", false, None),
            ("2.=3", false, None),
            ("2.=x:", false, None),
        ] {
            assert_eq!(bare_range(line.as_bytes(), sure), want, "{line}");
        }
    }
}
