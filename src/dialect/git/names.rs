//! Names in headers.

use super::{quote, stamp};

/// What the caller said about names.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub strip: usize,
    pub strip_known: bool,
    /// Goes before each name, and ends in a slash unless empty.
    pub directory: Vec<u8>,
    /// Where the caller stands below the top; ends in a slash unless empty.
    pub prefix: Vec<u8>,
}

/// White space as git knows it.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The rest of the header's line is `/dev/null`.
pub fn is_dev_null(line: &[u8]) -> bool {
    line.strip_prefix(b"/dev/null").is_some_and(|rest| rest.first().is_some_and(|b| is_space(*b)))
}

impl Rules {
    /// The name that a header's line begins with, `strip` folders less. `tab`: a tab ends it.
    pub fn plain(&self, line: &[u8], strip: usize, tab: bool, shorter: Option<&[u8]>) -> Option<Vec<u8>> {
        if let Some(name) = self.quoted(line, strip) {
            return Some(name);
        }
        let ends = |b: &u8| match b {
            b'\n' | b'\r' => true,
            b'\t' => tab,
            _ => false,
        };
        let end = line.iter().position(ends).unwrap_or(line.len());
        self.bare(&line[..end], strip, shorter)
    }

    fn quoted(&self, line: &[u8], strip: usize) -> Option<Vec<u8>> {
        let (name, _) = quote::unquote(line)?;
        let name = after_slashes(&name, strip)?;
        Some(squash([&self.directory[..], name].concat()))
    }

    /// `shorter` is the other name; it counts if this one only says more behind it.
    fn bare(&self, text: &[u8], strip: usize, shorter: Option<&[u8]>) -> Option<Vec<u8>> {
        let rest = after_slashes(text, strip).filter(|rest| !rest.is_empty());
        match (rest, shorter) {
            (None, shorter) => shorter.map(|name| squash(name.to_vec())),
            (Some(rest), Some(name)) if name.len() < rest.len() && rest.starts_with(name) => {
                Some(squash(name.to_vec()))
            }
            (Some(rest), _) => Some(squash([&self.directory[..], rest].concat())),
        }
    }

    /// The name in a header that is not git's, where a time stamp may follow.
    pub fn traditional(&self, line: &[u8], strip: usize, shorter: Option<&[u8]>) -> Option<Vec<u8>> {
        if let Some(name) = self.quoted(line, strip) {
            return Some(name);
        }
        let whole = line.split(|b| *b == b'\n').next().unwrap_or_default();
        match stamp::length(whole) {
            0 => self.plain(line, strip, true, shorter),
            stamp => self.bare(&whole[..whole.len() - stamp], strip, shorter),
        }
    }

    /// How many folders to strip, judged by one name; `None` if it says nothing.
    pub fn guess(&self, line: &[u8]) -> Option<usize> {
        if is_dev_null(line) {
            return None;
        }
        let bare = Rules { directory: self.directory.clone(), ..Rules::default() };
        let name = bare.traditional(line, 0, None)?;
        let Some(slash) = memchr::memchr(b'/', &name) else { return Some(0) };
        if self.prefix.is_empty() {
            return None;
        }
        let folders = memchr::memchr_iter(b'/', &self.prefix).count();
        if name.starts_with(&self.prefix) {
            return Some(folders);
        }
        name[slash + 1..].starts_with(&self.prefix).then_some(folders + 1)
    }

    /// The name that both halves of a `diff --git` line agree on, behind that word.
    pub fn agreed(&self, line: &[u8]) -> Option<Vec<u8>> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let name = agreed(line, self.strip)?;
        Some(squash([&self.directory[..], &name].concat()))
    }
}

fn agreed(line: &[u8], strip: usize) -> Option<Vec<u8>> {
    if line.first() == Some(&b'"') {
        let (first, used) = quote::unquote(line)?;
        let first = below(&first, strip)?.to_vec();
        let rest = &line[used..];
        let second = &rest[rest.iter().take_while(|b| is_space(**b)).count()..];
        if second.len() == rest.len() {
            return None;
        }
        let name = match quote::unquote(second) {
            Some((second, _)) => below(&second, strip)?.to_vec(),
            None => below(second, strip)?.to_vec(),
        };
        return (name == first).then_some(first);
    }
    let name = below(line, strip)?;
    if let Some(at) = memchr::memchr(b'"', name) {
        let (second, _) = quote::unquote(&name[at..])?;
        let second = below(&second, strip)?;
        let fits = second.len() < at && name.starts_with(second) && is_space(name[second.len()]);
        return fits.then(|| second.to_vec());
    }
    let cut = name.iter().enumerate().filter(|(_, b)| matches!(b, b' ' | b'\t')).map(|(at, _)| at);
    for at in cut {
        let behind = &name[at + 1..];
        if behind.is_empty() {
            return None;
        }
        if below(behind, strip).is_some_and(|second| second == &name[..at]) {
            return Some(name[..at].to_vec());
        }
    }
    None
}

/// What follows so many slashes.
fn after_slashes(text: &[u8], count: usize) -> Option<&[u8]> {
    match count.checked_sub(1) {
        None => Some(text),
        Some(before) => memchr::memchr_iter(b'/', text).nth(before).map(|at| &text[at + 1..]),
    }
}

/// The same for names that must be relative.
fn below(text: &[u8], strip: usize) -> Option<&[u8]> {
    match strip {
        0 => (text.first() != Some(&b'/')).then_some(text),
        _ => {
            let rest = after_slashes(text, strip)?;
            (text.len() - rest.len() > 1).then_some(rest)
        }
    }
}

/// One slash where there are several.
fn squash(mut name: Vec<u8>) -> Vec<u8> {
    name.dedup_by(|b, a| *a == b'/' && *b == b'/');
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(prefix: &str) -> Rules {
        Rules { strip: 1, prefix: prefix.into(), ..Rules::default() }
    }

    fn text(name: Option<Vec<u8>>) -> Option<String> {
        name.map(|name| String::from_utf8_lossy(&name).into_owned())
    }

    #[test]
    fn names_that_halves_agree_on() {
        for (line, want) in [
            ("a/x b/x\n", Some("x")),
            ("a/x y b/x y\n", Some("x y")),
            ("a/x b/y\n", None),
            ("\"a/\\tx\" \"b/\\tx\"\n", Some("\tx")),
            ("a/x \"b/x\"\n", Some("x")),
            ("\"a/x\" b/x\n", Some("x")),
            ("x x\n", None),
            ("a/x \n", None),
        ] {
            assert_eq!(text(rules("").agreed(line.as_bytes())).as_deref(), want, "{line}");
        }
    }

    #[test]
    fn the_shorter_name_counts() {
        let name = rules("").traditional(b"b/f.orig\n", 1, Some(b"f"));
        assert_eq!(text(name).as_deref(), Some("f"));
        let name = rules("").traditional(b"b/f  2020-01-02 03:04:05\n", 1, None);
        assert_eq!(text(name).as_deref(), Some("f"));
        assert_eq!(rules("").plain(b"f\n", 1, true, None), None);
        assert_eq!(text(rules("").plain(b"a//b///c d\r\n", 1, true, None)).as_deref(), Some("/b/c d"));
    }

    #[test]
    fn guesses() {
        for (prefix, line, want) in [
            ("", "f\n", Some(0)),
            ("", "a/f\n", None),
            ("sub/", "sub/f\n", Some(1)),
            ("sub/", "a/sub/f\n", Some(2)),
            ("sub/", "a/f\n", None),
            ("", "/dev/null\n", None),
        ] {
            assert_eq!(rules(prefix).guess(line.as_bytes()), want, "{prefix} {line}");
        }
    }
}
