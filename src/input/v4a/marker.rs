//! The lines that V4A rules by: `*** Begin Patch`, `*** Update File: x` and their kin.

use crate::text::BOM;

/// What a section does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Add,
    Delete,
    Update,
}

/// A marker line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker<'i> {
    Begin,
    End,
    EndOfFile,
    Environment,
    Section(Kind, &'i [u8]),
    MoveTo(&'i [u8]),
}

impl<'i> Marker<'i> {
    /// Reads a marker in any case, with any blanks around it and around its colon.
    pub fn parse(line: &'i [u8]) -> Option<Marker<'i>> {
        if matches!(line.first(), Some(b'+' | b'-' | b'@')) {
            return None;
        }
        let line = line.strip_prefix(BOM).unwrap_or(line).trim_ascii_start();
        let words = line.strip_prefix(b"***")?.trim_ascii();
        let whole = words.strip_suffix(b"***").unwrap_or(words).trim_ascii_end();
        if whole.eq_ignore_ascii_case(b"begin patch") {
            return Some(Marker::Begin);
        }
        if whole.eq_ignore_ascii_case(b"end patch") {
            return Some(Marker::End);
        }
        if whole.eq_ignore_ascii_case(b"end of file") {
            return Some(Marker::EndOfFile);
        }
        let (key, value) = words.split_at(memchr::memchr(b':', words)?);
        let value = bare(value[1..].trim_ascii());
        let key = key.trim_ascii();
        let is = |name: &[u8]| key.eq_ignore_ascii_case(name);
        if is(b"add file") || is(b"create file") {
            Some(Marker::Section(Kind::Add, value))
        } else if is(b"delete file") {
            Some(Marker::Section(Kind::Delete, value))
        } else if is(b"update file") {
            Some(Marker::Section(Kind::Update, value))
        } else if is(b"move to") {
            Some(Marker::MoveTo(value))
        } else {
            is(b"environment id").then_some(Marker::Environment)
        }
    }
}

/// A path without the decoration that Markdown gives it.
fn bare(path: &[u8]) -> &[u8] {
    match path {
        [b'`', inner @ .., b'`'] | [b'\'', inner @ .., b'\''] | [b'"', inner @ .., b'"']
            if !inner.is_empty() =>
        {
            inner
        }
        [b'*', b'*', inner @ .., b'*', b'*'] if !inner.is_empty() => inner,
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        for line in ["*** Begin Patch", " *** begin patch ", "\u{feff}*** Begin Patch", "*** Begin Patch ***"]
        {
            assert_eq!(Marker::parse(line.as_bytes()), Some(Marker::Begin), "{line}");
        }
        for line in
            ["*** Update File: f", "*** update file:f", "***Update File:  `f`  ", "*** UPDATE FILE : f"]
        {
            assert_eq!(Marker::parse(line.as_bytes()), Some(Marker::Section(Kind::Update, b"f")), "{line}");
        }
        assert_eq!(Marker::parse(b"  *** Move to: a b"), Some(Marker::MoveTo(b"a b")));
        assert_eq!(Marker::parse(b"*** Environment ID: 1"), Some(Marker::Environment));
    }

    #[test]
    fn other_lines() {
        for line in
            ["*** a/f.c\t2020", "+*** Begin Patch", "Begin Patch", "***", "*** 1,2 ****", "** End Patch"]
        {
            assert_eq!(Marker::parse(line.as_bytes()), None, "{line}");
        }
    }
}
