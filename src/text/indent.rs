//! Indentation: a line's leading blanks, a file's unit, and how the indentation of a reply maps to that
//! of the file.

use std::{borrow::Cow, collections::BTreeMap};

use super::{Text, is_blank, view};

/// The leading spaces and tabs of a line.
pub fn indent(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|b| !matches!(b, b' ' | b'\t')).unwrap_or(line.len());
    &line[..end]
}

/// A line's leading blanks, special ones as plain spaces, and where its content starts.
pub fn lead(line: &[u8]) -> (Cow<'_, [u8]>, usize) {
    let plain = indent(line);
    if line.get(plain.len()).is_none_or(u8::is_ascii) {
        return (Cow::Borrowed(plain), plain.len());
    }
    let (mut folded, mut end) = (plain.to_vec(), plain.len());
    let chunk = line[end..].utf8_chunks().next().map_or("", |chunk| chunk.valid());
    for c in chunk.chars() {
        match view::fold_char(c) {
            Some(" ") => folded.push(b' '),
            Some("") => {}
            _ if c == ' ' || c == '\t' => folded.push(c as u8),
            _ => break,
        }
        end += c.len_utf8();
    }
    (Cow::Owned(folded), end)
}

/// What one level of indentation is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Tab,
    /// Never 0.
    Spaces(usize),
}

impl Unit {
    fn push(self, out: &mut Vec<u8>, levels: usize) {
        match self {
            Unit::Tab => out.extend(std::iter::repeat_n(b'\t', levels)),
            Unit::Spaces(width) => out.extend(std::iter::repeat_n(b' ', levels.saturating_mul(width))),
        }
    }

    /// Whole levels of this unit and nothing else.
    pub fn divides(self, indent: &[u8]) -> bool {
        match self {
            Unit::Tab => indent.iter().all(|&b| b == b'\t'),
            Unit::Spaces(width) => indent.len().is_multiple_of(width) && indent.iter().all(|&b| b == b' '),
        }
    }
}

/// The unit of a file: tabs if more lines begin with one than with a space, else the commonest step from
/// one line to the next. `None`: nothing is indented.
pub fn unit_of(text: &Text<'_>) -> Option<Unit> {
    let (mut tabs, mut spaces, mut steps, mut last) = (0usize, 0usize, [0usize; 9], 0);
    for line in text.bodies().filter(|line| !is_blank(line)) {
        let own = indent(line);
        match own.first() {
            Some(b'\t') => tabs += 1,
            Some(_) => spaces += 1,
            None => {}
        }
        let step = own.len().saturating_sub(last);
        let star = own.len() % 2 == 1 && line.get(own.len()) == Some(&b'*');
        if (1..=8).contains(&step) && !star {
            steps[step] += 1;
        }
        if !star {
            last = own.len();
        }
    }
    if tabs > spaces {
        return Some(Unit::Tab);
    }
    (1..=8).rev().max_by_key(|&step| steps[step]).filter(|&step| steps[step] > 0).map(Unit::Spaces)
}

/// One way to explain all pairs of quoted and real indentation.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reading {
    Add(Vec<u8>),
    Cut(Vec<u8>),
    Convert { from: Unit, to: Unit, shift: isize },
}

impl Reading {
    fn map(&self, indent: &[u8]) -> Option<Vec<u8>> {
        match self {
            Reading::Add(prefix) => Some([prefix, indent].concat()),
            Reading::Cut(prefix) => indent.strip_prefix(prefix.as_slice()).map(<[u8]>::to_vec),
            Reading::Convert { from, to, shift } => convert(indent, *from, *to, *shift),
        }
    }

    fn explains(&self, quoted: &[u8], file: &[u8]) -> bool {
        self.map(quoted).is_some_and(|mapped| match self {
            Reading::Convert { from: Unit::Spaces(width), to: Unit::Tab, .. }
            | Reading::Convert { from: Unit::Tab, to: Unit::Spaces(width), .. } => {
                columns(&mapped, *width) == columns(file, *width)
            }
            _ => mapped == file,
        })
    }

    fn converts(&self) -> bool {
        matches!(self, Reading::Convert { .. })
    }
}

fn columns(indent: &[u8], tab: usize) -> usize {
    indent.iter().map(|&b| if b == b'\t' { tab } else { 1 }).sum()
}

/// Whole levels are written in the other unit and shifted, spaces beyond them stay.
fn convert(indent: &[u8], from: Unit, to: Unit, shift: isize) -> Option<Vec<u8>> {
    let (levels, rest) = match (from, to) {
        (Unit::Spaces(width), _) => {
            let total = columns(indent, width);
            (total / width, total % width)
        }
        (Unit::Tab, Unit::Spaces(width)) => {
            let total = columns(indent, width);
            (total / width, total % width)
        }
        (Unit::Tab, Unit::Tab) => {
            let levels = indent.iter().take_while(|&&b| b == b'\t').count();
            (levels, indent.len() - levels)
        }
    };
    let mut out = Vec::with_capacity(indent.len());
    to.push(&mut out, levels.checked_add_signed(shift)?);
    out.extend(std::iter::repeat_n(b' ', rest));
    Some(out)
}

/// How indentation as the reply writes it becomes the file's, learnt from the lines that both have.
#[derive(Clone, Debug)]
pub struct IndentMap {
    /// Every pair shows the same indentation twice.
    identity: bool,
    /// No pair has any indentation.
    flat: bool,
    /// What each quoted indentation stands for; `None` if for more than one.
    known: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    readings: Vec<Reading>,
    unit: Option<Unit>,
}

impl IndentMap {
    /// From pairs (quoted, file) of lines that are not blank; `reply` has all indentations of the hunk.
    pub fn new<'a>(
        pairs: &[(&[u8], &[u8])],
        reply: impl Iterator<Item = &'a [u8]>,
        unit: impl FnOnce() -> Option<Unit>,
    ) -> IndentMap {
        let identity = pairs.iter().all(|(quoted, file)| quoted == file);
        let flat = identity && pairs.iter().all(|(quoted, _)| quoted.is_empty());
        if identity {
            return IndentMap { identity, flat, known: BTreeMap::new(), readings: Vec::new(), unit: None };
        }
        let mut known: BTreeMap<Vec<u8>, Option<Vec<u8>>> = BTreeMap::new();
        for (quoted, file) in pairs {
            let entry = known.entry(quoted.to_vec()).or_insert_with(|| Some(file.to_vec()));
            if entry.as_deref() != Some(*file) {
                *entry = None;
            }
        }
        let unit = unit().or_else(|| unit_of_pairs(pairs));
        let distinct: Vec<(&[u8], &[u8])> = known
            .iter()
            .filter_map(|(quoted, file)| file.as_ref().map(|file| (quoted.as_slice(), file.as_slice())))
            .collect();
        let readings =
            if distinct.len() < known.len() { Vec::new() } else { readings(&distinct, reply, unit) };
        IndentMap { identity, flat, known, readings, unit }
    }

    /// Nothing is mapped: the reply's indentation is the file's wherever both show a line.
    pub fn is_identity(&self) -> bool {
        self.identity
    }

    /// No pair says anything about indentation.
    pub fn is_flat(&self) -> bool {
        self.flat
    }

    /// The file's indentation for `indent`; `None` if it has no one reading.
    pub fn map(&self, indent: &[u8]) -> Option<Vec<u8>> {
        if self.identity {
            return Some(indent.to_vec());
        }
        if let Some(Some(file)) = self.known.get(indent) {
            return Some(file.clone());
        }
        let results: Vec<(&Reading, Vec<u8>)> =
            self.readings.iter().filter_map(|reading| Some((reading, reading.map(indent)?))).collect();
        let (_, first) = results.first()?;
        if results.iter().all(|(_, result)| result == first) {
            return Some(first.clone());
        }
        self.choose(&results)
    }

    /// Readings disagree: the file's grid decides, and a prefix before a conversion.
    fn choose(&self, results: &[(&Reading, Vec<u8>)]) -> Option<Vec<u8>> {
        let unit = self.unit?;
        if results.iter().all(|(reading, _)| reading.converts()) {
            return None;
        }
        let on_grid: Vec<&(&Reading, Vec<u8>)> =
            results.iter().filter(|(_, result)| unit.divides(result)).collect();
        let (_, first) = on_grid.first()?;
        if on_grid.iter().all(|(_, result)| result == first) {
            return Some(first.clone());
        }
        let prefix = on_grid.iter().find(|(reading, _)| !reading.converts())?;
        Some(prefix.1.clone())
    }
}

/// `pairs` holds each quoted indentation once.
fn readings<'a>(
    pairs: &[(&[u8], &[u8])],
    reply: impl Iterator<Item = &'a [u8]>,
    unit: Option<Unit>,
) -> Vec<Reading> {
    let Some((quoted, file)) = pairs.first() else { return Vec::new() };
    let added = file.strip_suffix(*quoted).map(|prefix| Reading::Add(prefix.to_vec()));
    let cut = quoted.strip_suffix(*file).map(|prefix| Reading::Cut(prefix.to_vec()));
    let mut out: Vec<Reading> = added.into_iter().chain(cut).collect();
    if let Some(to) = unit {
        for from in reply_units(pairs, reply, to).into_iter().filter(|from| *from != to) {
            out.extend(conversion(quoted, file, from, to));
        }
    }
    out.retain(|reading| pairs.iter().all(|(quoted, file)| reading.explains(quoted, file)));
    out
}

/// The conversion whose shift the first pair shows.
fn conversion(quoted: &[u8], file: &[u8], from: Unit, to: Unit) -> Option<Reading> {
    let unshifted = convert(quoted, from, to, 0)?;
    let tab = match (from, to) {
        (Unit::Spaces(width), Unit::Tab) | (_, Unit::Spaces(width)) => width,
        (Unit::Tab, Unit::Tab) => 1,
    };
    let distance = columns(file, tab).cast_signed() - columns(&unshifted, tab).cast_signed();
    let width = tab.cast_signed();
    (distance % width == 0).then(|| Reading::Convert { from, to, shift: distance / width })
}

/// What the reply's unit may be: a tab, the common divisor of its space indents, what shift 0 implies.
fn reply_units<'a>(pairs: &[(&[u8], &[u8])], reply: impl Iterator<Item = &'a [u8]>, to: Unit) -> Vec<Unit> {
    let spaces = |indent: &[u8]| indent.iter().all(|&b| b == b' ').then_some(indent.len());
    let (mut tabs, mut divisor) = (false, 0);
    for indent in reply {
        tabs |= indent.contains(&b'\t');
        divisor = gcd(divisor, spaces(indent).unwrap_or(0));
    }
    let implied = pairs.iter().find_map(|(quoted, file)| {
        let levels = match to {
            Unit::Tab => file.iter().filter(|&&b| b == b'\t').count(),
            Unit::Spaces(width) => file.len() / width,
        };
        spaces(quoted).filter(|&len| levels > 0 && len > 0 && len % levels == 0).map(|len| len / levels)
    });
    let mut out: Vec<Unit> = tabs.then_some(Unit::Tab).into_iter().collect();
    for width in [Some(divisor), implied].into_iter().flatten().filter(|&width| width > 1) {
        if !out.contains(&Unit::Spaces(width)) {
            out.push(Unit::Spaces(width));
        }
    }
    out
}

fn unit_of_pairs(pairs: &[(&[u8], &[u8])]) -> Option<Unit> {
    if pairs.iter().any(|(_, file)| file.contains(&b'\t')) {
        return Some(Unit::Tab);
    }
    let divisor = pairs.iter().fold(0, |divisor, (_, file)| gcd(divisor, file.len()));
    (divisor > 0).then_some(Unit::Spaces(divisor))
}

fn gcd(mut a: usize, mut b: usize) -> usize {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// How a reply is known to write indentation where the file writes it otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swap {
    /// Tabs where the file has spaces.
    pub tabs: bool,
    /// So many spaces where the file has a tab.
    pub spaces: Option<usize>,
}

impl Swap {
    /// Learns from a line that both have.
    pub fn observe(&mut self, quoted: &[u8], file: &[u8]) {
        let only = |indent: &[u8], byte: u8| !indent.is_empty() && indent.iter().all(|&b| b == byte);
        self.tabs |= only(quoted, b'\t') && only(file, b' ');
        if only(quoted, b' ') && only(file, b'\t') && quoted.len().is_multiple_of(file.len()) {
            self.spaces.get_or_insert(quoted.len() / file.len());
        }
    }

    /// The indentation in the file's unit, if this is a swap that the file needs. A reply that is known to
    /// swap the other way round is believed only where the file holds no other unit (`pure`); `width` is what
    /// the hunk itself shows of the width of a level.
    pub fn convert(
        &self,
        indent: &[u8],
        unit: Option<Unit>,
        pure: impl FnOnce() -> bool,
        width: usize,
    ) -> Option<Vec<u8>> {
        match unit? {
            to @ Unit::Spaces(_) if indent.starts_with(b"\t") => {
                let known = self.tabs || self.spaces.is_some() && pure();
                known.then(|| convert(indent, Unit::Tab, to, 0)).flatten()
            }
            Unit::Tab if indent.starts_with(b" ") => {
                let seen = || (self.tabs && matches!(width, 2 | 4 | 8) && pure()).then_some(width);
                let width = self.spaces.filter(|&width| width > 0).or_else(seen)?;
                convert(indent, Unit::Spaces(width), Unit::Tab, 0)
            }
            _ => None,
        }
    }
}

/// The common divisor of indentations in spaces; 0 if there is none.
pub fn step<'a>(indents: impl Iterator<Item = &'a [u8]>) -> usize {
    indents.filter(|indent| indent.iter().all(|&b| b == b' ')).fold(0, |step, indent| gcd(step, indent.len()))
}

/// No line of the text is indented otherwise than by `unit`.
pub fn is_pure(text: &Text<'_>, unit: Unit) -> bool {
    let other = if unit == Unit::Tab { b' ' } else { b'\t' };
    text.bodies().all(|line| line.first() != Some(&other) || line.starts_with(b" *") || is_blank(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Indentation as text: `.` a space, `>` a tab.
    fn bytes(text: &str) -> Vec<u8> {
        text.bytes().map(|b| if b == b'>' { b'\t' } else { b' ' }).collect()
    }

    #[test]
    fn units() {
        for (text, unit) in [
            ("a\n    b\n        c\n    d\n", Some(Unit::Spaces(4))),
            ("a\n  b\n    c\n", Some(Unit::Spaces(2))),
            ("a\n\tb\n\t\tc\n        d\n", Some(Unit::Tab)),
            ("/**\n * a\n */\nf\n    g\n", Some(Unit::Spaces(4))),
            ("a\nb\n", None),
            ("", None),
        ] {
            assert_eq!(unit_of(&Text::new(text.as_bytes())), unit, "{text:?}");
        }
    }

    #[test]
    fn special_blanks_lead_a_line_too() {
        let line = "\u{a0} \tx\u{a0}y".as_bytes();
        assert_eq!(lead(line), (Cow::Owned(b"  \t".to_vec()), 4));
        assert_eq!(lead(b"  x").1, 2);
        assert_eq!(lead(b"  \xff").1, 2);
    }

    #[test]
    fn maps() {
        use Unit::{Spaces, Tab};
        // pairs, other indents of the reply, the file's unit, (asked, answer)
        type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, Unit, &'a [(&'a str, Option<&'a str>)]);
        let cases: &[Case<'_>] = &[
            // the same on both sides: verbatim
            (&[("....", "....")], "", Spaces(4), &[("..", Some("..")), (">", Some(">"))]),
            // one level lost
            (&[("", "...."), ("....", "........")], "", Spaces(4), &[("........", Some("............"))]),
            (&[("", "....")], "....", Spaces(4), &[("....", Some("........")), ("", Some("...."))]),
            // one level too many
            (
                &[("....", ""), ("........", "....")],
                "",
                Spaces(4),
                &[("............", Some("........")), ("", None)],
            ),
            // tabs for spaces
            (&[(">", "....")], ">>", Spaces(4), &[(">>", Some("........")), ("", Some(""))]),
            (&[("....", ">")], "........", Tab, &[("........", Some(">>")), ("......", Some(">.."))]),
            // tabs for spaces, one level lost as well
            (&[("", "...."), (">", "........")], ">>", Spaces(4), &[(">>", Some("............"))]),
            // two spaces for four
            (&[("..", "...."), ("....", "........")], "", Spaces(4), &[("......", Some("............"))]),
            // one level of four lost, or two for four: the grid can't tell, so a prefix wins
            (&[("....", "........")], "", Spaces(4), &[("........", Some("............"))]),
            // uneven: only what was quoted
            (
                &[("", ".."), ("..", "......."), ("....", ".........")],
                "",
                Spaces(2),
                &[("..", Some(".......")), ("...", None)],
            ),
            // the same indentation quoted for two
            (&[("..", "...."), ("..", "........")], "", Spaces(4), &[("..", None), ("....", None)]),
            // a continuation line in a file of tabs
            (&[("....", ">"), (".......", ">...")], "", Tab, &[("........", Some(">>"))]),
        ];
        for (pairs, more, unit, asked) in cases {
            let own: Vec<(Vec<u8>, Vec<u8>)> = pairs.iter().map(|(q, f)| (bytes(q), bytes(f))).collect();
            let more = bytes(more);
            let pairs: Vec<(&[u8], &[u8])> = own.iter().map(|(q, f)| (&q[..], &f[..])).collect();
            let reply = pairs.iter().map(|(quoted, _)| *quoted).chain([&more[..]]);
            let map = IndentMap::new(&pairs, reply, || Some(*unit));
            for (indent, want) in *asked {
                assert_eq!(map.map(&bytes(indent)), want.map(bytes), "{indent:?} under {map:?}");
            }
        }
    }

    #[test]
    fn swaps() {
        let mut swap = Swap::default();
        let ask = |swap: Swap, indent: &[u8], unit, pure| swap.convert(indent, Some(unit), || pure, 4);
        assert_eq!(ask(swap, b"\t", Unit::Spaces(2), true), None);
        swap.observe(b"\t\t", b"    ");
        assert_eq!(ask(swap, b"\t", Unit::Tab, true), None);
        assert_eq!(ask(swap, b"\t", Unit::Spaces(2), false), Some(b"  ".to_vec()));
        assert_eq!(ask(swap, b"    ", Unit::Tab, false), None);
        assert_eq!(ask(swap, b"    ", Unit::Tab, true), Some(b"\t".to_vec()));
        let mut swap = Swap::default();
        swap.observe(b"        ", b"\t\t");
        assert_eq!(ask(swap, b"        ", Unit::Tab, false), Some(b"\t\t".to_vec()));
        assert_eq!(ask(swap, b"\t", Unit::Spaces(4), false), None);
        assert_eq!(ask(swap, b"\t", Unit::Spaces(4), true), Some(b"    ".to_vec()));
    }
}
