//! What a refused hunk looked for, beside what the file has: two columns, for a terminal.
//!
//! Between the columns stands `|` where two lines differ, `<` where only the reply has the line, `>` where
//! only the file has it.

use std::io::{self, Write};

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{
    SoughtLine,
    emphasis::{self, Part},
    escape,
    ink::{DIM, GREEN, Ink, RED, strong},
};
use crate::refusal::Quote;

/// Terminals narrower than this get one text under the other.
pub(super) const NARROWEST: usize = 72;
/// More rows are left out.
const MAX_ROWS: usize = 16;
/// Columns before the first text, between the two and for the numbers.
const MARGIN: usize = 6;
const GUTTER: usize = 3;

/// A line of one side: its number, if it is known, and its text.
type Line<'l> = (Option<usize>, &'l [u8]);

/// A line in parts, each with whether it differs.
type Spelt = Vec<(String, bool)>;

/// Prints both sides in `width` columns.
pub(super) fn write(
    sought: &[SoughtLine],
    found: &Quote,
    path: &str,
    width: usize,
    ink: Ink,
    out: &mut dyn Write,
) -> io::Result<()> {
    let left: Vec<Line<'_>> = sought.iter().map(|(number, text)| (*number, &text[..])).collect();
    let right: Vec<Line<'_>> =
        found.lines.iter().enumerate().map(|(at, text)| (Some(found.first + at), &text[..])).collect();
    let rows = rows(&left, &right);
    let digits = |lines: &[Line<'_>]| {
        lines.iter().filter_map(|line| line.0).max().map_or(0, |number| number.to_string().len())
    };
    let page = Page { digits: (digits(&left), digits(&right)), side: (width - MARGIN - GUTTER) / 2, ink };
    page.head(path, out)?;
    rows.iter().take(MAX_ROWS).try_for_each(|row| page.row(row, out))?;
    match rows.len().saturating_sub(MAX_ROWS) {
        0 => Ok(()),
        more => writeln!(out, "{:MARGIN$}({more} more rows)", ""),
    }
}

/// Lines that stand side by side.
struct Row<'l> {
    left: Option<Line<'l>>,
    right: Option<Line<'l>>,
}

fn rows<'l>(left: &[Line<'l>], right: &[Line<'l>]) -> Vec<Row<'l>> {
    let keys = |lines: &[Line<'l>]| lines.iter().map(|line| line.1.trim_ascii()).collect::<Vec<_>>();
    let mut rows = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &keys(left), &keys(right)) {
        let (old, new) = (op.old_range(), op.new_range());
        if let DiffOp::Equal { .. } | DiffOp::Replace { .. } = op {
            for at in 0..old.len().max(new.len()) {
                let line = |lines: &[Line<'l>], range: &std::ops::Range<usize>| {
                    lines[range.clone()].get(at).copied()
                };
                rows.push(Row { left: line(left, &old), right: line(right, &new) });
            }
        } else {
            rows.extend(left[old].iter().map(|line| Row { left: Some(*line), right: None }));
            rows.extend(right[new].iter().map(|line| Row { left: None, right: Some(*line) }));
        }
    }
    rows
}

struct Page {
    /// Columns for the numbers of each side.
    digits: (usize, usize),
    /// Columns of a side, numbers included.
    side: usize,
    ink: Ink,
}

impl Page {
    fn head(&self, path: &str, out: &mut dyn Write) -> io::Result<()> {
        let left = cut("looked for", self.side);
        let right = cut(&format!("closest in {path}"), self.side);
        let pad = " ".repeat(self.side - left.width() + GUTTER);
        writeln!(out, "{:MARGIN$}{}{pad}{}", "", self.ink.paint(DIM, &left), self.ink.paint(DIM, right))
    }

    fn row(&self, row: &Row<'_>, out: &mut dyn Write) -> io::Result<()> {
        let sign = match (row.left, row.right) {
            (Some((_, left)), Some((_, right))) if left == right => " ",
            (Some(_), Some(_)) => "|",
            (Some(_), None) => "<",
            _ => ">",
        };
        let room = (self.room(self.digits.0), self.room(self.digits.1));
        let (left, right) = match (row.left, row.right) {
            (Some((_, left)), Some((_, right))) if left != right => {
                differing(left, right, room.0.min(room.1))
            }
            (left, right) => {
                let plain = |line: Option<Line<'_>>| {
                    line.map_or(Vec::new(), |line| vec![(spell(line.1, false), false)])
                };
                (plain(left), plain(right))
            }
        };
        let (left, left_width) = self.text(&left, room.0, RED, sign != " ");
        let (right, _) = self.text(&right, room.1, GREEN, sign != " ");
        let pad = " ".repeat(room.0.saturating_sub(left_width));
        let number = |line: Option<Line<'_>>, digits: usize| {
            let number = line.and_then(|line| line.0).map_or(String::new(), |number| number.to_string());
            if digits == 0 { String::new() } else { self.ink.paint(DIM, format!("{number:>digits$}  ")) }
        };
        let line = format!(
            "{:MARGIN$}{}{left}{pad} {sign} {}{right}",
            "",
            number(row.left, self.digits.0),
            number(row.right, self.digits.1)
        );
        writeln!(out, "{}", line.trim_end())
    }

    /// Columns of a side's text.
    fn room(&self, digits: usize) -> usize {
        self.side - if digits == 0 { 0 } else { digits + 2 }
    }

    /// The text of a side, painted and cut to `room` columns, and how many it takes.
    fn text(
        &self,
        parts: &[(String, bool)],
        room: usize,
        style: anstyle::Style,
        differs: bool,
    ) -> (String, usize) {
        let whole: usize = parts.iter().map(|(text, _)| text.width()).sum();
        let mut left = if whole > room { room.saturating_sub(1) } else { room };
        let mut out = String::new();
        let mut taken = 0;
        for (text, changed) in parts {
            let text = cut(text, left);
            left -= text.width();
            taken += text.width();
            out += &match (differs, *changed) {
                (false, _) => text,
                (true, false) => self.ink.paint(style, text),
                (true, true) => self.ink.paint(strong(style), text),
            };
        }
        if whole > room {
            out.push('…');
            taken += 1;
        }
        (out, taken)
    }
}

/// Two lines that differ, as parts; both begin behind what they share, if the difference would be cut off.
fn differing(left: &[u8], right: &[u8], room: usize) -> (Spelt, Spelt) {
    let blanks_only = left.trim_ascii() == right.trim_ascii();
    let spelt = |parts: &[Part<'_>]| -> Spelt {
        parts.iter().map(|part| (spell(part.text, blanks_only), part.changed)).collect()
    };
    let whole = |line: &[u8]| vec![(spell(line, blanks_only), false)];
    let (left, right) = match emphasis::parts(&[left], &[right]) {
        Some((l, r)) if l.len() == 1 && r.len() == 1 => (spelt(&l[0]), spelt(&r[0])),
        _ => (whole(left), whole(right)),
    };
    let before = |parts: &[(String, bool)]| -> usize {
        parts.iter().take_while(|(_, changed)| !changed).map(|(text, _)| text.width()).sum()
    };
    let start = before(&left).min(before(&right));
    let skip = if start + 12 > room { start.saturating_sub(room / 3) } else { 0 };
    (behind(left, skip), behind(right, skip))
}

/// The parts without their first `skip` columns, of which `…` tells.
fn behind(parts: Spelt, skip: usize) -> Spelt {
    if skip == 0 {
        return parts;
    }
    let mut left = skip + 1;
    let mut out = vec![("…".to_owned(), false)];
    for (text, changed) in parts {
        let gone = cut(&text, left);
        left -= gone.width();
        let rest = text[gone.len()..].to_owned();
        if !rest.is_empty() {
            out.push((rest, changed));
        }
    }
    out
}

/// A text without tabs; where only blanks differ, blanks are shown.
fn spell(text: &[u8], blanks: bool) -> String {
    let text = escape::line(text);
    if blanks { text.replace(' ', "·").replace('\t', "→   ") } else { text.replace('\t', "    ") }
}

/// As much of a text as fits.
fn cut(text: &str, room: usize) -> String {
    let mut width = 0;
    let fits = |c: &char| {
        width += c.width().unwrap_or(0);
        width <= room
    };
    text.chars().take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(left: &[(Option<usize>, &str)], first: usize, right: &[&str], width: usize) -> String {
        let sought: Vec<_> = left.iter().map(|(number, text)| (*number, text.as_bytes().to_vec())).collect();
        let quote = Quote { first, lines: right.iter().map(|line| line.as_bytes().to_vec()).collect() };
        let mut out = Vec::new();
        write(&sought, &quote, "src/a.c", width, Ink(false), &mut out).expect("memory");
        let text = String::from_utf8(out).expect("text");
        assert!(text.lines().all(|line| line.width() <= width), "{text}");
        text
    }

    #[test]
    fn lines_stand_beside_each_other() {
        let left =
            [(Some(12), "int b() {"), (Some(13), "    retrun 2;"), (Some(14), "    more();"), (None, "}")];
        let text = shown(&left, 4, &["int b() {", "    return 2;", "}"], 72);
        assert_eq!(
            text,
            "      looked for                        closest in src/a.c\n\
             \x20     12  int b() {                     4  int b() {\n\
             \x20     13      retrun 2;               | 5      return 2;\n\
             \x20     14      more();                 <\n\
             \x20         }                             6  }\n"
        );
    }

    #[test]
    fn a_difference_far_to_the_right_is_seen() {
        let long =
            |end: &str| format!("    call_of_a_function(with_many, arguments, and_more, of_them, {end});");
        let text = shown(&[(None, &long("one"))], 7, &[&long("two")], 80);
        let row = text.lines().nth(1).expect("a row");
        assert!(row.contains("one);") && row.contains("two);") && row.contains('…'), "{text}");
    }

    #[test]
    fn blanks_are_seen_where_nothing_else_differs() {
        let text = shown(&[(None, "  x")], 1, &["\tx"], 72);
        assert!(text.contains("··x") && text.contains("→   x"), "{text}");
    }
}
