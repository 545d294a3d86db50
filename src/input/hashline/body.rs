//! The rows below an operation, and what they come to.

use std::borrow::Cow;

use super::op;
use crate::text::is_blank;

/// A row below an operation.
#[derive(Clone, Copy, Debug)]
pub struct Row<'i> {
    pub kind: Kind,
    /// Without the `+` of a row that has one; else the whole line.
    pub text: &'i [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Plus,
    Minus,
    Bare,
    Blank,
}

/// What follows the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Operation,
    /// The section ends; in a fence or an envelope, its text is all meant.
    Closed,
    /// The section ends outside any fence, where a reply may go on in prose.
    Open,
}

/// The text that rows give, the lines that they say it replaces, and what to tell.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Body<'i> {
    pub text: Vec<Cow<'i, [u8]>>,
    pub old: Vec<Cow<'i, [u8]>>,
    pub notes: Vec<&'static str>,
}

/// Reads the rows of one operation.
///
/// # Errors
/// They have no one reading.
pub fn read<'i>(rows: &[Row<'i>], next: Next) -> Result<Body<'i>, String> {
    let mut rows = trimmed(rows);
    let has = |rows: &[Row<'_>], kind: Kind| rows.iter().any(|row| row.kind == kind);
    let plus = has(rows, Kind::Plus);
    if next == Next::Operation {
        let kept = rows.iter().rposition(|row| !is_remark(row)).map_or(0, |last| last + 1);
        if kept < rows.len() && !plus {
            return Err(
                "a `#` line stands above the next operation: text of this one, or a remark?".to_owned()
            );
        }
        rows = trimmed(&rows[..kept]);
    }
    if plus { with_plus(rows) } else { without_plus(rows, next) }
}

/// Some rows have their `+`: those with `-` say what stands there now.
fn with_plus<'i>(rows: &[Row<'i>]) -> Result<Body<'i>, String> {
    let mut body = Body::default();
    let stripped = strips(rows);
    let (mut seen_plus, mut gap) = (false, false);
    for row in rows {
        match row.kind {
            Kind::Minus => body.old.push(Cow::Borrowed(&row.text[1..])),
            Kind::Bare if seen_plus && gap => {
                let what = "a line without `+` stands below a blank one: is it text or a remark?";
                return Err(what.to_owned());
            }
            _ => body.text.push(text(row, stripped)),
        }
        seen_plus |= row.kind == Kind::Plus;
        gap = row.kind == Kind::Blank;
        if row.kind == Kind::Bare {
            note(&mut body, "rows without `+` are taken as text");
        }
    }
    if !body.old.is_empty() {
        note(&mut body, "rows with `-` are taken as the old lines");
    }
    Ok(body)
}

/// No row has a `+`.
fn without_plus<'i>(rows: &[Row<'i>], next: Next) -> Result<Body<'i>, String> {
    let mut body = Body::default();
    if rows.is_empty() {
        return Ok(body);
    }
    let minus = rows.iter().filter(|row| row.kind == Kind::Minus);
    if minus.clone().any(|row| !row.text.starts_with(b"- ")) {
        return Err("rows with `-` and none with `+`: lines are deleted by `CUT A.=B`".to_owned());
    }
    if minus.count() > 0 {
        note(&mut body, "rows with `- ` alone are taken as a list");
    }
    let paragraphs = rows.iter().any(|row| row.kind == Kind::Blank);
    let last = rows.iter().rposition(|row| row.kind == Kind::Blank).map_or(0, |blank| blank + 1);
    if next == Next::Open && paragraphs && rows[last..].iter().all(|row| is_prose(row.text)) {
        return Err("text without `+`, and prose below it: where the text ends can't be told".to_owned());
    }
    let stripped = strips(rows);
    note(&mut body, "rows without `+` are taken as text");
    body.text = rows.iter().map(|row| text(row, stripped)).collect();
    Ok(body)
}

fn note(body: &mut Body<'_>, text: &'static str) {
    if !body.notes.contains(&text) {
        body.notes.push(text);
    }
}

fn text<'i>(row: &Row<'i>, stripped: bool) -> Cow<'i, [u8]> {
    let text = match (row.kind, stripped) {
        (Kind::Blank, _) => b"",
        (Kind::Bare, true) => op::row(row.text).map_or(row.text, |(_, text)| text),
        _ => row.text,
    };
    Cow::Borrowed(text)
}

/// All rows without `+` begin with a line number, and what follows is not always a lone number or string,
/// as in a table of them.
fn strips(rows: &[Row<'_>]) -> bool {
    let bare = rows.iter().filter(|row| row.kind == Kind::Bare);
    let texts: Option<Vec<&[u8]>> = bare.map(|row| op::row(row.text).map(|(_, text)| text)).collect();
    texts.is_some_and(|texts| !texts.is_empty() && !texts.iter().all(|text| is_literal(text)))
}

/// A number or a string, with or without a comma.
fn is_literal(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let text = text.strip_suffix(b",").unwrap_or(text).trim_ascii();
    if let [open @ (b'"' | b'\''), inner @ .., close] = text {
        return open == close && !inner.contains(open);
    }
    let number = text.strip_prefix(b"-").unwrap_or(text);
    let dots = number.iter().filter(|&&b| b == b'.').count();
    !number.is_empty() && dots < 2 && number.iter().all(|b| b.is_ascii_digit() || *b == b'.')
}

fn is_remark(row: &Row<'_>) -> bool {
    row.kind == Kind::Blank || row.kind == Kind::Bare && row.text.trim_ascii_start().starts_with(b"#")
}

/// Without blank rows before and after.
fn trimmed<'r, 'i>(rows: &'r [Row<'i>]) -> &'r [Row<'i>] {
    let solid = |row: &Row<'_>| row.kind != Kind::Blank;
    match (rows.iter().position(solid), rows.iter().rposition(solid)) {
        (Some(first), Some(last)) => &rows[first..=last],
        _ => &[],
    }
}

/// A sentence, as people write it below an edit.
pub fn is_prose(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let words = line.split(|&b| b == b' ').filter(|word| !word.is_empty()).count();
    line.first().is_some_and(u8::is_ascii_uppercase)
        && line.last().is_some_and(|b| b".!?:".contains(b))
        && words >= 3
        && !line.iter().any(|b| b"{}=;<>".contains(b))
}

/// What a reader puts in place of lines that it does not show.
pub fn is_left_out(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let dots = |text: &[u8]| text == "…".as_bytes() || text == b"...";
    if line.starts_with(b"[") && line.ends_with(b"]") {
        return memchr::memmem::find(line, b" more line").is_some();
    }
    let range = |text: &[u8]| {
        text.contains(&b'-') && text.iter().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b' '))
    };
    let colon = line.iter().position(|&b| b == b':');
    dots(line) || colon.is_some_and(|at| range(&line[..at]) && dots(line[at + 1..].trim_ascii()))
}

/// The row that a line is in a body.
pub fn row(line: &[u8]) -> Row<'_> {
    let (kind, text) = match line {
        [b'+', text @ ..] => (Kind::Plus, text),
        [b'-', ..] => (Kind::Minus, line),
        line if is_blank(line) => (Kind::Blank, line),
        line => (Kind::Bare, line),
    };
    Row { kind, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, next: Next) -> String {
        let rows: Vec<Row<'_>> = text.lines().map(|line| row(line.as_bytes())).collect();
        let join = |lines: &[Cow<'_, [u8]>]| {
            lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect::<Vec<_>>().join("|")
        };
        match read(&rows, next) {
            Ok(body) if body.old.is_empty() => join(&body.text),
            Ok(body) => format!("{} for {}", join(&body.text), join(&body.old)),
            Err(_) => "refused".to_owned(),
        }
    }

    #[test]
    fn bodies() {
        use Next::{Closed, Open, Operation};
        for (text, next, want) in [
            ("+a\n+\n+ b\n", Open, "a|| b"),
            ("\n+a\n\n+b\n\n", Open, "a||b"),
            ("++x\n+-y\n", Open, "+x|-y"),
            ("+PUT 3:\n", Open, "PUT 3:"),
            ("a\nb\n", Open, "a|b"),
            ("+a\nb\n", Open, "a|b"),
            ("+a\n\nb\n", Open, "refused"),
            ("2:foo\n\n3:bar\n", Open, "foo||bar"),
            ("1: 2,\n2: \"x\",\n", Open, "1: 2,|2: \"x\","),
            ("1: foo\nbar\n", Open, "1: foo|bar"),
            ("-old\n+new\n", Open, "new for old"),
            ("-old\n", Open, "refused"),
            ("- a\n  - b\n", Open, "- a|  - b"),
            ("", Open, ""),
            ("\n\n", Open, ""),
            ("+a\n# next\n", Operation, "a"),
            ("+a\n\n# next\n", Operation, "a"),
            ("a\n# next\n", Operation, "refused"),
            ("# a\n", Open, "# a"),
            ("a\n\nThis changes the line.\n", Open, "refused"),
            ("a\n\nThis changes the line.\n", Closed, "a||This changes the line."),
        ] {
            assert_eq!(said(text, next), want, "{text:?} {next:?}");
        }
    }

    #[test]
    fn lines_left_out() {
        for (line, want) in [
            ("…", true),
            ("...", true),
            ("3-9: …", true),
            ("[12 more lines in a.txt]", true),
            ("3: …", false),
            ("[x]", false),
        ] {
            assert_eq!(is_left_out(line.as_bytes()), want, "{line}");
        }
    }
}
