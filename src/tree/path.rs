//! What a path from an input may be.
//!
//! The rules are those of the worst system that the tree may ever be checked out on: a name that is
//! `.git` to NTFS or HFS+ is refused on every system. Components are checked one by one, never as
//! substrings, so that `.gitignore`, `..foo` and `foo.git` stay what they are.

use std::{borrow::Cow, fmt};

use unicode_normalization::UnicodeNormalization;

use crate::refusal::Refusal;

const MAX_PATH: usize = 4096;
const MAX_COMPONENT: usize = 255;
const MAX_DEPTH: usize = 256;

/// A confined path: relative, `/` between components, no `.` or `..`, nothing empty, no `.git`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(Vec<u8>);

impl RelPath {
    /// Takes bytes that were checked already.
    pub(crate) fn trusted(bytes: impl Into<Vec<u8>>) -> RelPath {
        RelPath(bytes.into())
    }

    /// A path as an input wrote it; `.` and doubled slashes are dropped, everything else must hold.
    ///
    /// # Errors
    /// Each rule of this module has its own refusal.
    pub fn parse(bytes: &[u8]) -> Result<RelPath, Refusal> {
        if bytes.contains(&0) {
            return Err(Refusal::PathNul);
        }
        if bytes.first() == Some(&b'/') {
            return Err(Refusal::PathAbsolute);
        }
        if bytes.len() > MAX_PATH {
            return Err(Refusal::PathLong { what: format!("{} bytes, over {MAX_PATH}", bytes.len()) });
        }
        let parts: Vec<&[u8]> = components(bytes).collect();
        for part in &parts {
            check_component(part)?;
        }
        if parts.is_empty() || bytes.ends_with(b"/") || bytes.ends_with(b"/.") {
            return Err(Refusal::PathEmpty);
        }
        if parts.len() > MAX_DEPTH {
            return Err(Refusal::PathDeep { depth: parts.len() - 1, limit: MAX_DEPTH - 1 });
        }
        Ok(RelPath(parts.join(&b'/')))
    }

    /// The path as the system takes it.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The last component.
    pub fn base(&self) -> &[u8] {
        base(&self.0)
    }

    /// All components, outermost first.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.0.split(|&b| b == b'/')
    }

    /// The folder that holds it; `None` if that is the root.
    pub fn parent(&self) -> Option<RelPath> {
        let cut = memchr::memrchr(b'/', &self.0)?;
        Some(RelPath(self.0[..cut].to_vec()))
    }

    /// This path with another last component.
    pub(crate) fn sibling(&self, name: &[u8]) -> RelPath {
        match self.parent() {
            Some(parent) => RelPath([&parent.0, &b"/"[..], name].concat()),
            None => RelPath(name.to_vec()),
        }
    }

    /// `folder` stands on the way to this path.
    pub fn is_below(&self, folder: &RelPath) -> bool {
        self.0.strip_prefix(folder.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'/'))
    }

    /// The path as a file system sees it that ignores case and composition: two planned paths with the
    /// same fold are one file there.
    pub fn fold(&self) -> String {
        let text = String::from_utf8_lossy(&self.0);
        if text.is_ascii() {
            return text.to_ascii_lowercase();
        }
        text.nfc().flat_map(char::to_lowercase).nfc().collect()
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0))
    }
}

/// The components of a path: nothing empty, no `.`.
pub(super) fn components(path: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    path.split(|&b| b == b'/').filter(|part| !part.is_empty() && *part != b".")
}

/// What follows the last slash.
pub(super) fn base(path: &[u8]) -> &[u8] {
    memchr::memrchr(b'/', path).map_or(path, |cut| &path[cut + 1..])
}

/// `C:\x` or `C:/x`.
pub(super) fn has_drive_letter(path: &[u8]) -> bool {
    matches!(path, [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

fn check_component(part: &[u8]) -> Result<(), Refusal> {
    if is_plain(part) { Ok(()) } else { check_odd(part) }
}

fn check_odd(part: &[u8]) -> Result<(), Refusal> {
    if part == b".." {
        return Err(Refusal::PathParent);
    }
    if part.len() > MAX_COMPONENT {
        return Err(Refusal::PathLong {
            what: format!("a name of {} bytes, over {MAX_COMPONENT}", part.len()),
        });
    }
    if is_control_folder(part) {
        return Err(Refusal::PathGitDir { component: String::from_utf8_lossy(part).into_owned() });
    }
    let bare = ntfs_bare(part);
    if bare.is_empty() && part.contains(&b' ') {
        return Err(Refusal::PathNtfs { what: "a name of dots and blanks".into() });
    }
    Ok(())
}

/// Nothing that any rule is about: most names are so, and are told by one look.
fn is_plain(part: &[u8]) -> bool {
    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let plain = part.iter().all(|b| word(b) || *b == b'.');
    let ends = part.first().is_some_and(word) && part.last().is_some_and(word);
    plain && ends && part.len() <= MAX_COMPONENT && !part.eq_ignore_ascii_case(b"CVS")
}

/// A version-control folder under any spelling that some file system takes for it.
fn is_control_folder(part: &[u8]) -> bool {
    let seen = hfs_bare(part);
    part.split(|&b| b == b'\\').chain(seen.split(|&b| b == b'\\')).any(|piece| {
        let bare = ntfs_bare(piece);
        const NAMES: [&[u8]; 7] = [b".git", b"git~1", b".hg", b".svn", b".jj", b".bzr", b"CVS"];
        NAMES.iter().any(|name| bare.eq_ignore_ascii_case(name))
    })
}

/// What NTFS makes of a name: no stream (`:`...), no trailing dots and blanks.
fn ntfs_bare(part: &[u8]) -> &[u8] {
    let name = part.split(|&b| b == b':').next().unwrap_or(part);
    let end = name.iter().rposition(|b| !matches!(b, b'.' | b' ')).map_or(0, |at| at + 1);
    &name[..end]
}

/// What HFS+ makes of a name: code points that it ignores are gone, letters composed and compatible.
fn hfs_bare(part: &[u8]) -> Cow<'_, [u8]> {
    if part.is_ascii() {
        return Cow::Borrowed(part);
    }
    let mut out = Vec::with_capacity(part.len());
    for chunk in part.utf8_chunks() {
        let kept = chunk.valid().chars().filter(|c| !hfs_ignores(*c));
        kept.nfkc().for_each(|c| out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()));
        out.extend_from_slice(chunk.invalid());
    }
    Cow::Owned(out)
}

fn hfs_ignores(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn code(path: &[u8]) -> &'static str {
        RelPath::parse(path).err().map_or("ok", |refusal| refusal.code())
    }

    #[test]
    fn honest_look_alikes_pass() {
        for path in [
            &b"..foo"[..],
            b"a..b/...",
            b".gitignore",
            b".github/x.yml",
            b"foo.git/config",
            b"aux.c",
            b"sub/x:y",
            b"$(touch pwn);`touch pwn`&",
            b"caf\xe9",
            b"~/x",
            b"git~2",
            b"cvs.c",
        ] {
            assert_eq!(code(path), "ok", "{}", String::from_utf8_lossy(path));
        }
    }

    #[test]
    fn each_rule_has_its_code() {
        let long = [b'n'; 256];
        let far = b"d/".repeat(2048);
        let deep = [&b"d/".repeat(256)[..], b"f"].concat();
        for (path, want) in [
            (&b"/etc/passwd"[..], "path-absolute"),
            (b"../x", "path-parent"),
            (b"a/../b", "path-parent"),
            (b"a/..", "path-parent"),
            (b"x\0y", "path-nul"),
            (b"", "path-empty"),
            (b"./", "path-empty"),
            (b"sub/", "path-empty"),
            (b".. /x", "path-ntfs"),
            (&long, "path-long"),
            (&[&far[..], b"x"].concat(), "path-long"),
            (&deep, "path-deep"),
        ] {
            assert_eq!(code(path), want, "{}", String::from_utf8_lossy(path));
        }
    }

    #[test]
    fn git_folder_in_every_spelling() {
        for path in [
            ".git/hooks/x",
            "a/.git",
            ".GIT/config2",
            "git~1/config",
            "GIT~1",
            ".g\u{200c}it/config",
            "\u{feff}.git",
            ".git./x",
            ".git /x",
            ".git . .",
            ".git::$INDEX_ALLOCATION/x",
            "a\\.git\\config",
            ".hg/x",
            "cvs/Root",
        ] {
            assert_eq!(code(path.as_bytes()), "path-git-dir", "{path:?}");
        }
    }

    proptest! {
        #[test]
        fn no_rule_is_about_plain_names(name in r"[.gitGITcvsCVS~1 :\\_\-\x00\u{200c}]{0,6}", long in 0..300_usize) {
            for name in [name, "n".repeat(long)] {
                prop_assert!(!is_plain(name.as_bytes()) || check_odd(name.as_bytes()).is_ok());
            }
        }
    }

    #[test]
    fn dots_and_doubled_slashes_go() {
        let path = RelPath::parse(b"./a//b/./c").expect("a plain path");
        assert_eq!(path.as_bytes(), b"a/b/c");
        assert_eq!(path.base(), b"c");
        assert_eq!(path.sibling(b"d").as_bytes(), b"a/b/d");
    }

    #[test]
    fn folds_case_and_composition() {
        let fold = |path: &str| RelPath::parse(path.as_bytes()).expect("a plain path").fold();
        assert_eq!(fold("README"), fold("Readme"));
        assert_eq!(fold("caf\u{e9}"), fold("cafe\u{301}"));
        assert_ne!(fold("a"), fold("b"));
    }
}
