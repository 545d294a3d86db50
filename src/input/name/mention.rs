//! Paths that a sentence mentions.

use std::borrow::Cow;

use bstr::ByteSlice;

use crate::edit::{Name, Reading};

use super::{
    MAX_LINE, extension, is_path, unescape,
    words::{is_bare_name, is_product, known_extension},
};

/// As many words before a name may belong to it.
const MAX_WORDS: usize = 5;

/// A path inside a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention<'i> {
    pub path: Cow<'i, [u8]>,
    /// In backticks or bold.
    pub marked: bool,
    /// The word before it, if there is one.
    pub after: Option<&'i [u8]>,
    /// The path with words before it: where blanks are no bounds, they may belong to it.
    longer: Vec<&'i [u8]>,
}

impl<'i> Mention<'i> {
    pub fn name(self) -> Name<'i> {
        let longer = self.longer.into_iter().map(|text| Reading::Longer(Cow::Borrowed(text)));
        Name::plain(self.path).also(longer)
    }
}

/// A word, or a quoted text with blanks, by its place in the line.
#[derive(Clone, Copy)]
struct Unit {
    from: usize,
    to: usize,
    quoted: bool,
}

/// The paths that a sentence mentions, each once. Attribute names such as `os.path` are none, and nothing is
/// cut out of a quoted text.
pub fn mentions(line: &[u8]) -> Vec<Mention<'_>> {
    let mut found: Vec<Mention<'_>> = Vec::new();
    let mut after = None;
    if line.len() > 4 * MAX_LINE {
        return found;
    }
    let units = units(line);
    for (index, unit) in units.iter().enumerate() {
        let word = &line[unit.from..unit.to];
        let (inner, mention) = if unit.quoted { quoted(word) } else { plain(line, &units[..index], *unit) };
        if let Some(mention) = mention
            && !found.iter().any(|known| known.path == mention.path)
        {
            found.push(Mention { after, ..mention });
        }
        after = Some(inner).filter(|word| !word.is_empty()).or(after);
    }
    found
}

fn quoted(text: &[u8]) -> (&[u8], Option<Mention<'_>>) {
    let is_path = extension(text).is_some_and(known_extension) && is_path(text, true, true);
    let mention = Mention { path: Cow::Borrowed(text), marked: true, after: None, longer: Vec::new() };
    (text, is_path.then_some(mention))
}

fn plain<'i>(line: &'i [u8], before: &[Unit], unit: Unit) -> (&'i [u8], Option<Mention<'i>>) {
    let word = &line[unit.from..unit.to];
    let inner = word.trim_with(is_mark);
    if !is_mention(inner) {
        return (inner, None);
    }
    let code = word.contains(&b'`');
    let marked = inner.len() < word.len() && (code || word.starts_with(b"**"));
    let end = unit.to - (word.len() - word.trim_end_with(is_mark).len());
    let longer = if code { Vec::new() } else { longer(line, before, end) };
    (inner, Some(Mention { path: unescape(inner, marked), marked, after: None, longer }))
}

/// The texts that end at `end` and begin with a word before.
fn longer<'i>(line: &'i [u8], before: &[Unit], end: usize) -> Vec<&'i [u8]> {
    let joins = |unit: &&Unit| {
        let word = &line[unit.from..unit.to];
        !unit.quoted && !word.contains(&b'`') && !word.ends_with(b":") && !word.ends_with(b",")
    };
    let joined = before.iter().rev().take(MAX_WORDS).take_while(joins);
    joined
        .map(|unit| line[unit.from..end].trim_start_with(is_mark))
        .filter(|text| text.contains(&b' '))
        .collect()
}

fn is_mark(c: char) -> bool {
    "*`()[]{},.:;!?\"'\u{2019}".contains(c)
}

/// The words of a line, a quoted text with blanks in it as one.
fn units(line: &[u8]) -> Vec<Unit> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(skip) = line[at..].iter().position(|b| !b.is_ascii_whitespace()) {
        let from = at + skip;
        let len = line[from..].iter().take_while(|b| !b.is_ascii_whitespace()).count();
        let unit = quotation(line, from).unwrap_or(Unit { from, to: from + len, quoted: false });
        let rest = if unit.quoted {
            line[unit.to..].iter().take_while(|b| !b.is_ascii_whitespace()).count()
        } else {
            0
        };
        at = unit.to + rest;
        found.push(unit);
    }
    found
}

/// What stands in the quotes or backticks that open at `from`, if there is a blank in it.
fn quotation(line: &[u8], from: usize) -> Option<Unit> {
    let open = from + line[from..].iter().take_while(|b| b"*([{".contains(b)).count();
    let quote = *line.get(open).filter(|b| matches!(b, b'`' | b'"'))?;
    let from = open + line[open..].iter().take_while(|b| **b == quote).count();
    let to = from + memchr::memchr(quote, &line[from..])?;
    let inner = line[from..to].trim_ascii();
    let lead = line[from..to].len() - line[from..to].trim_ascii_start().len();
    let spaced = inner.iter().any(u8::is_ascii_whitespace);
    spaced.then_some(Unit { from: from + lead, to: from + lead + inner.len(), quoted: true })
}

fn is_mention(word: &[u8]) -> bool {
    let word: &[u8] = &unescape(word, false);
    let file = extension(word).is_some_and(known_extension) && !is_product(word);
    let named =
        is_bare_name(word) && !word.eq_ignore_ascii_case(b"readme") && !word.eq_ignore_ascii_case(b"license");
    (file || named) && is_path(word, false, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_cut_out_of_a_quoted_text() {
        for (text, paths) in [
            ("Update `my file.txt`:", vec!["my file.txt"]),
            ("Update \"my file.txt\" so:", vec!["my file.txt"]),
            ("Update **`a (1).txt`** so:", vec!["a (1).txt"]),
            ("Run `python a.py` first", vec![]),
            ("Say \"it is in a.py\" first", vec!["it is in a.py"]),
            ("`a.py` and `my file.txt`", vec!["a.py", "my file.txt"]),
            ("the 5\" a.py", vec!["a.py"]),
        ] {
            let found: Vec<_> =
                mentions(text.as_bytes()).iter().map(|m| m.path.to_str_lossy().into_owned()).collect();
            assert_eq!(found, paths, "{text}");
        }
    }

    #[test]
    fn words_before_a_name_may_belong_to_it() {
        for (text, longer) in [
            ("Update my file.txt:", vec!["my file.txt", "Update my file.txt"]),
            ("Note: **my file.txt**", vec!["my file.txt"]),
            ("Update my `file.txt`", vec![]),
            ("file.txt", vec![]),
        ] {
            let found = mentions(text.as_bytes());
            let found: Vec<_> = found[0].longer.iter().map(|text| text.to_str_lossy()).collect();
            assert_eq!(found, longer, "{text}");
        }
    }
}
