//! `[PATH#TAG]`: which file a section edits, and what text its numbers count in.

use bstr::ByteSlice;

use super::op::unquoted;

/// What a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header<'i> {
    pub path: &'i [u8],
    /// As written; `None`: no `#` at all.
    pub tag: Option<&'i [u8]>,
}

impl Header<'_> {
    /// The tag as a number.
    ///
    /// # Errors
    /// It is missing, or not four hexadecimal digits.
    pub fn number(&self) -> Result<u16, String> {
        let Some(tag) = self.tag else {
            return Err(
                "the header has no tag: read the file and write `[PATH#TAG]` as it was shown".to_owned()
            );
        };
        let digits = (tag.len() == 4).then(|| std::str::from_utf8(tag).ok()).flatten();
        digits
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|digits| u16::from_str_radix(digits, 16).ok())
            .ok_or_else(|| {
                format!("the tag `{}` is not four hexadecimal digits", tag[..tag.len().min(60)].as_bstr())
            })
    }

    /// So much like a header that nothing need follow it.
    pub fn is_sure(&self) -> bool {
        let tagged =
            self.tag.is_some_and(|tag| (3..=8).contains(&tag.len()) && tag.iter().all(u8::is_ascii_hexdigit));
        tagged && self.path.iter().any(|b| matches!(b, b'.' | b'/')) && !self.path.contains(&b' ')
    }
}

/// Marks of another format that models write before a path.
const SENTINELS: [&[u8]; 3] = [b"*** Update File:", b"*** Add File:", b"*** File:"];

/// The header that this line may be.
pub fn header(line: &[u8]) -> Option<Header<'_>> {
    let inner = without_sentinel(line.trim_ascii()).strip_prefix(b"[")?.strip_suffix(b"]")?;
    let inner = without_sentinel(inner.trim_ascii());
    let (path, tag) = match inner.rsplit_once_str("#") {
        Some((path, tag)) => (path, Some(tag.trim_ascii())),
        None => (inner, None),
    };
    let path = unquoted(path.trim_ascii());
    let plain = !path.is_empty() && !path.iter().any(|b| matches!(b, b'#' | b'[' | b']'));
    (plain && tag.is_none_or(|tag| !tag.is_empty())).then_some(Header { path, tag })
}

fn without_sentinel(line: &[u8]) -> &[u8] {
    let rest = SENTINELS.iter().find_map(|sentinel| line.strip_prefix(*sentinel));
    rest.map_or(line, |rest| rest.trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let tagged = |path: &'static str, tag: &'static str| {
            Some(Header { path: path.as_bytes(), tag: Some(tag.as_bytes()) })
        };
        for (line, want) in [
            ("[a.txt#2914]", tagged("a.txt", "2914")),
            ("  [ src/my file.rs # 29aF ]", tagged("src/my file.rs", "29aF")),
            ("[\"a.txt\"#2914]", tagged("a.txt", "2914")),
            ("*** Update File: [a.txt#2914]", tagged("a.txt", "2914")),
            ("[*** Update File: a.txt#2914]", tagged("a.txt", "2914")),
            ("[a.txt]", Some(Header { path: b"a.txt", tag: None })),
            ("[#2914]", None),
            ("[a#b#2914]", None),
            ("[a](b#c)", None),
            ("a.txt#2914", None),
        ] {
            assert_eq!(header(line.as_bytes()), want, "{line}");
        }
    }

    #[test]
    fn tags() {
        let number = |line: &str| header(line.as_bytes()).expect("a header").number();
        assert_eq!(number("[a.txt#29aF]"), Ok(0x29af));
        for line in ["[a.txt#12345]", "[a.txt#12G4]", "[a.txt#+123]", "[a.txt]"] {
            assert!(number(line).is_err(), "{line}");
        }
    }
}
