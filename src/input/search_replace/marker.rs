//! The marker lines of SEARCH/REPLACE blocks.

use crate::{
    edit::Name,
    input::name,
    text::{indent::indent, view::trim_end},
};

/// What a family of markers is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `<<<<<<<` and `>>>>>>>`, five to nine.
    Angle,
    /// `-------` and `+++++++`, three or more.
    Dash,
}

/// The word behind the head's marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Search,
    Original,
    /// As in a conflict that git wrote; a block only if its end marker says so.
    Head,
}

/// The line that begins a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head<'i> {
    pub family: Family,
    pub word: Word,
    /// How many marks it is drawn with.
    pub len: usize,
    /// Its leading blanks.
    pub lead: &'i [u8],
    /// A path behind the word.
    pub path: Option<Name<'i>>,
}

impl Head<'_> {
    /// Is this end marker drawn as the head is?
    pub fn owns_end(&self, end: &End<'_>) -> bool {
        let same = self.family == Family::Dash || end.len == self.len;
        end.family == self.family && same && end.lead == self.lead
    }

    /// Is this head drawn as the other is, so that it begins a block of the same rank?
    pub fn is_like(&self, other: &Head<'_>) -> bool {
        let same = self.family == Family::Dash || other.len == self.len;
        other.family == self.family
            && same
            && other.lead == self.lead
            && (other.word != Word::Head || self.word == Word::Head)
    }
}

/// The line that ends a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End<'i> {
    pub family: Family,
    pub len: usize,
    pub lead: &'i [u8],
}

/// Could this line be any marker? Cheap, asked of every line of a block.
pub fn may_be_one(line: &[u8]) -> bool {
    line[indent(line).len()..].first().is_some_and(|b| b"<>=+-".contains(b))
}

/// The marks at the start of a line, and what follows them.
fn marks(line: &[u8], byte: u8) -> Option<(&[u8], usize, &[u8])> {
    let lead = indent(line);
    let text = &line[lead.len()..];
    let len = text.iter().take_while(|&&b| b == byte).count();
    (len > 0).then(|| (lead, len, text[len..].trim_ascii()))
}

fn fits(family: Family, len: usize) -> bool {
    match family {
        Family::Angle => (5..=9).contains(&len),
        Family::Dash => len >= 3,
    }
}

/// Reads a head: `<<<<<<< SEARCH`, `<<<<<<< ORIGINAL`, `------- SEARCH`, with a path or `>` behind the word.
pub fn head(line: &[u8]) -> Option<Head<'_>> {
    let line = unwrapped(line);
    let family = match line[indent(line).len()..].first()? {
        b'<' => Family::Angle,
        b'-' => Family::Dash,
        _ => return None,
    };
    let (lead, len, rest) = marks(line, if family == Family::Angle { b'<' } else { b'-' })?;
    if !fits(family, len) {
        return None;
    }
    let (word, rest) = head_word(family, rest)?;
    let path = if rest.is_empty() { None } else { name::line(rest).map(name::Named::name) };
    let bare = rest.is_empty() || path.is_some();
    (bare || word == Word::Search).then_some(Head { family, word, len, lead, path })
}

/// The line without the tags that a frame may open on it.
fn unwrapped(line: &[u8]) -> &[u8] {
    let mut text = line;
    for open in [&b"<diff>"[..], b"<content>", b"<![CDATA["] {
        text = text[indent(text).len()..].strip_prefix(open).unwrap_or(text);
    }
    text
}

fn head_word(family: Family, rest: &[u8]) -> Option<(Word, &[u8])> {
    let words: &[(&[u8], Word)] = match family {
        Family::Angle => &[(b"SEARCH", Word::Search), (b"ORIGINAL", Word::Original), (b"HEAD", Word::Head)],
        Family::Dash => &[(b"SEARCH", Word::Search)],
    };
    let (word, rest) = words.iter().find_map(|(text, word)| {
        let (start, rest) = rest.split_at_checked(text.len())?;
        start.eq_ignore_ascii_case(text).then_some((*word, rest))
    })?;
    let rest = rest.strip_prefix(b">").unwrap_or(rest);
    let ends = rest.first().is_none_or(|b| matches!(b, b' ' | b'\t' | b':' | b'('));
    let rest = rest.trim_ascii().strip_prefix(b":").unwrap_or(rest).trim_ascii();
    (ends && (rest.is_empty() || word != Word::Head)).then_some((word, rest))
}

/// Reads an end: `>>>>>>> REPLACE`, `>>>>>>> UPDATED`, `+++++++ REPLACE`.
pub fn end(line: &[u8]) -> Option<End<'_>> {
    let family = match line[indent(line).len()..].first()? {
        b'>' => Family::Angle,
        b'+' => Family::Dash,
        _ => return None,
    };
    let (lead, len, rest) = marks(line, if family == Family::Angle { b'>' } else { b'+' })?;
    let letters = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let (word, after) = rest.split_at(letters);
    let known: &[&[u8]] = match family {
        Family::Angle => &[b"REPLACE", b"UPDATED", b"REPLACEMENT"],
        Family::Dash => &[b"REPLACE"],
    };
    let word = known.iter().any(|known| word.eq_ignore_ascii_case(known)) && is_closing(after);
    (word && fits(family, len)).then_some(End { family, len, lead })
}

/// What may share a line with an end marker: nothing, or what closes the frame around the block.
fn is_closing(after: &[u8]) -> bool {
    let after = after.trim_ascii();
    after.is_empty() || [&b"```"[..], b"~~~", b"</", b"]]>"].iter().any(|close| after.starts_with(close))
}

/// Is this line a divider of a block with this head, and drawn as the head is?
pub fn divider(line: &[u8], head: &Head<'_>) -> Option<bool> {
    let (lead, len, rest) = marks(line, b'=')?;
    (rest.is_empty() && fits(head.family, len)).then_some(len == head.len && lead == head.lead)
}

/// `-------` alone.
pub fn is_rule(line: &[u8]) -> bool {
    marks(line, b'-').is_some_and(|(_, len, rest)| len >= 3 && rest.is_empty())
}

/// `<<<<<<< ours` as git writes it.
pub fn opens_conflict(line: &[u8]) -> bool {
    line.starts_with(b"<<<<<<<") && matches!(line.get(7), None | Some(b' '))
}

/// `>>>>>>> theirs` as git writes it.
pub fn closes_conflict(line: &[u8]) -> bool {
    let line = trim_end(line);
    line.starts_with(b">>>>>>>") && matches!(line.get(7), None | Some(b' ')) && end(line).is_none()
}
