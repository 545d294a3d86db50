//! Text between the work tree and the repository: line ends by us, filters by git.

use super::{
    attributes::Attributes,
    repo::{Repo, fed},
    session::Session,
};
use crate::tree::Content;

/// What is done about line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends {
    /// Converted at all.
    text: bool,
    /// Only what looks like text.
    guessed: bool,
    /// The work tree has CR LF.
    crlf: bool,
}

/// Git itself is asked where an attribute names something beyond line ends.
fn needs_git(attributes: &Attributes) -> bool {
    let set = |key: &str| attributes.get(key.as_bytes()).is_some_and(|value| value != b"unset");
    set("ident") || set("working-tree-encoding") || set("filter")
}

fn ends(repo: &Repo, attributes: &Attributes) -> Ends {
    let value = |key: &str| attributes.get(key.as_bytes()).map(Vec::as_slice);
    let automatic = repo.config("core.autocrlf").map(<[u8]>::to_ascii_lowercase);
    let input = automatic.as_deref() == Some(b"input");
    let on = !input && repo.flag("core.autocrlf") == Some(true);
    let configured =
        on || (!input && repo.config("core.eol").is_some_and(|eol| eol.eq_ignore_ascii_case(b"crlf")));
    let eol = value("eol");
    let crlf = match eol {
        Some(b"crlf") => true,
        Some(b"lf") => false,
        _ => configured,
    };
    match value("text").or_else(|| value("crlf")) {
        Some(b"unset") => Ends { text: false, guessed: false, crlf: false },
        Some(b"set") => Ends { text: true, guessed: false, crlf },
        Some(b"input") => Ends { text: true, guessed: false, crlf: false },
        Some(b"auto") => Ends { text: true, guessed: true, crlf },
        _ if matches!(eol, Some(b"crlf" | b"lf")) => Ends { text: true, guessed: false, crlf },
        _ => Ends { text: on || input, guessed: true, crlf: on },
    }
}

/// What a text is made of.
#[derive(Default)]
struct Census {
    nul: bool,
    lone_cr: bool,
    lone_lf: bool,
    crlf: bool,
    printable: u64,
    odd: u64,
}

impl Census {
    fn take(bytes: &[u8]) -> Census {
        let mut census = Census::default();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'\r' if bytes.get(at) == Some(&b'\n') => {
                    census.crlf = true;
                    at += 1;
                }
                b'\r' => census.lone_cr = true,
                b'\n' => census.lone_lf = true,
                0x7f => census.odd += 1,
                // BS, TAB, ESC and FF are found in texts.
                0x08 | b'\t' | 0x1b | 0x0c => census.printable += 1,
                0 => {
                    census.nul = true;
                    census.odd += 1;
                }
                1..b' ' => census.odd += 1,
                _ => census.printable += 1,
            }
        }
        // An old end-of-file mark is no reason to take a text for binary.
        if bytes.last() == Some(&0x1a) {
            census.odd -= 1;
        }
        census
    }

    fn is_binary(&self) -> bool {
        self.lone_cr || self.nul || (self.printable >> 7) < self.odd
    }
}

impl Session<'_, '_> {
    /// The content as the repository has it. `keep`: CR LF is the patch's own and stays.
    pub(super) fn cleaned(&mut self, name: &[u8], bytes: Content, keep: bool) -> Result<Content, Vec<u8>> {
        let attributes = self.repo.attributes(name);
        if needs_git(&attributes) {
            return clean(&mut self.repo, name, &bytes).map(Content::from);
        }
        let ends = ends(&self.repo, &attributes);
        if !ends.text || keep {
            return Ok(bytes);
        }
        let census = Census::take(&bytes);
        if !census.crlf || (ends.guessed && census.is_binary()) {
            return Ok(bytes);
        }
        Ok(without_cr(&bytes).into())
    }

    /// Git itself converts the file.
    pub(super) fn is_filtered(&mut self, name: &[u8]) -> bool {
        needs_git(&self.repo.attributes(name))
    }

    /// The content as the work tree has it.
    pub(super) fn smudged(&mut self, name: &[u8], bytes: Content) -> Result<Content, Vec<u8>> {
        let attributes = self.repo.attributes(name);
        if needs_git(&attributes) {
            return smudge(&self.repo, name, &bytes).map(Content::from);
        }
        let ends = ends(&self.repo, &attributes);
        if !ends.text || !ends.crlf {
            return Ok(bytes);
        }
        let census = Census::take(&bytes);
        let leave = ends.guessed && (census.lone_cr || census.crlf || census.is_binary());
        Ok(if !census.lone_lf || leave { bytes } else { with_cr(&bytes).into() })
    }
}

fn without_cr(bytes: &[u8]) -> Vec<u8> {
    let next = bytes.iter().skip(1).map(Some).chain(std::iter::once(None));
    let kept = bytes.iter().zip(next).filter(|(byte, next)| !(**byte == b'\r' && *next == Some(&b'\n')));
    kept.map(|(byte, _)| *byte).collect()
}

fn with_cr(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 16);
    let mut last = 0;
    for &byte in bytes {
        if byte == b'\n' && last != b'\r' {
            out.push(b'\r');
        }
        out.push(byte);
        last = byte;
    }
    out
}

fn as_path(name: &[u8]) -> std::ffi::OsString {
    use std::os::unix::ffi::OsStringExt;
    let mut option = b"--path=".to_vec();
    option.extend_from_slice(name);
    std::ffi::OsString::from_vec(option)
}

/// What git and the filter say when it fails.
fn words(error: &std::io::Error) -> Vec<u8> {
    error.to_string().into_bytes()
}

fn clean(repo: &mut Repo, name: &[u8], bytes: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
    let mut command = repo.git(["hash-object", "-w", "--stdin"]);
    command.arg(as_path(name));
    let id = fed(command, bytes).map_err(|error| words(&error))?;
    let found = repo.blob(id.trim_ascii_end());
    found.map(|(_, bytes)| bytes).ok_or_else(|| [b"error: failed to read ", name].concat())
}

fn smudge(repo: &Repo, name: &[u8], bytes: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
    let id = repo.store(&[bytes]).map_err(|error| words(&error))?.pop().unwrap_or_default();
    let mut command = repo.git(["cat-file", "--filters"]);
    command.arg(as_path(name)).arg(id);
    fed(command, b"").map_err(|error| words(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_there_and_back() {
        assert_eq!(without_cr(b"a\r\nb\rc\r\r\n"), b"a\nb\rc\r\n");
        assert_eq!(with_cr(b"a\nb\r\n"), b"a\r\nb\r\n");
    }

    #[test]
    fn what_looks_binary() {
        for (bytes, want) in
            [(&b"a\r\nb"[..], false), (b"a\0", true), (b"a\rb", true), (b"\x01\x02", true), (b"a\x1a", false)]
        {
            assert_eq!(Census::take(bytes).is_binary(), want, "{bytes:?}");
        }
    }
}
