//! Ways to look at a line for comparing. A view never changes what is written: it only decides whether
//! two lines count as equal. Each function here gives a line's *key* under one rule; keys are compared
//! byte for byte.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The line without trailing blanks.
pub fn trim_end(line: &[u8]) -> &[u8] {
    let end =
        line.iter().rposition(|b| !matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)).map_or(0, |at| at + 1);
    &line[..end]
}

/// The line without leading spaces and tabs.
pub fn trim_start(line: &[u8]) -> &[u8] {
    let start = line.iter().position(|b| !matches!(b, b' ' | b'\t')).unwrap_or(line.len());
    &line[start..]
}

/// Typography folded (curly quotes, dashes, the ellipsis, special blanks, NFC), trailing blanks cut.
/// Bytes that are no UTF-8 stay as they are.
pub fn typography(line: &[u8]) -> Cow<'_, [u8]> {
    if line.is_ascii() {
        return Cow::Borrowed(trim_end(line));
    }
    let folded = fold(line);
    Cow::Owned(trim_end(&folded).to_vec())
}

/// [`typography`] without cutting trailing blanks.
pub fn fold(line: &[u8]) -> Cow<'_, [u8]> {
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let mut out = Vec::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        let valid = chunk.valid();
        if is_nfc_quick(valid.chars()) == IsNormalized::Yes {
            valid.chars().for_each(|c| push_folded(&mut out, c));
        } else {
            valid.nfc().for_each(|c| push_folded(&mut out, c));
        }
        out.extend_from_slice(chunk.invalid());
    }
    Cow::Owned(out)
}

fn push_folded(out: &mut Vec<u8>, c: char) {
    match fold_char(c) {
        Some(plain) => out.extend_from_slice(plain.as_bytes()),
        None => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// The plain spelling of a typographic character; `None` if the character is no such thing.
pub fn fold_char(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => "-",
        '\u{2018}'..='\u{201b}' | '\u{2032}' => "'",
        '\u{201c}'..='\u{201f}' | '\u{2033}' => "\"",
        '\u{2026}' => "...",
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => " ",
        '\u{200b}' | '\u{feff}' => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typography_folds_and_trims() {
        let curly = "\u{201c}a\u{201d} \u{2013} b,\u{a0}c\u{2026} \u{a0}".as_bytes();
        assert_eq!(typography(curly).as_ref(), b"\"a\" - b, c...");
    }

    #[test]
    fn composed_and_decomposed_are_equal() {
        assert_eq!(typography("e\u{301}".as_bytes()), typography("\u{e9}".as_bytes()));
    }

    #[test]
    fn foreign_bytes_stay() {
        assert_eq!(fold(b"caf\xe9 \xe2\x80\x9cx").as_ref(), b"caf\xe9 \"x");
    }
}
