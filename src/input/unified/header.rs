//! What stands before a file's hunks: names, modes, renames.

use std::borrow::Cow;

use super::{
    at::At,
    name::{self, Side},
};
use crate::{edit::ModeChange, input::InputLine, refusal::Refusal};

/// The header of one file's section.
#[derive(Clone, Debug, Default)]
pub(super) struct Header<'i> {
    /// The names of the `diff --git` line.
    pub git: Option<name::Names<'i>>,
    pub old: Option<Side<'i>>,
    pub new: Option<Side<'i>>,
    /// `rename from` or `copy from`.
    pub from: Option<Cow<'i, [u8]>>,
    /// `rename to` or `copy to`.
    pub to: Option<Cow<'i, [u8]>>,
    pub copy: bool,
    pub mode: ModeChange,
    /// `new file mode` stands there.
    pub created: bool,
    /// `deleted file mode` stands there.
    pub deleted: bool,
    /// `similarity index` below 100, so hunks must follow.
    pub dissimilar: bool,
    /// The `index` line says that the old file exists and is empty.
    pub empty_before: bool,
    /// What git calls the contents of both sides.
    pub ids: Option<(&'i [u8], &'i [u8])>,
    /// Binary data follow, not hunks.
    pub binary: bool,
    /// Why the section cannot be read.
    pub refusal: Option<Refusal>,
    /// Where the hunks begin.
    pub end: usize,
}

impl<'i> Header<'i> {
    /// Reads the header that begins at `at`; it is empty if none does.
    pub fn read(lines: &[InputLine<'i>], at: usize) -> Header<'i> {
        let mut header = Header { end: at, ..Header::default() };
        while let Some(line) = lines.get(header.end) {
            if !header.take(line.text, header.end > at) {
                break;
            }
            header.end += 1;
            let binary = matches!(header.refusal, Some(Refusal::Binary { .. }));
            if binary || header.binary || header.new.is_some() && !continues(lines, header.end) {
                break;
            }
        }
        header
    }

    /// Both names of `--- ` and `+++ ` lines stand there, or one of them.
    pub fn has_sides(&self) -> bool {
        self.old.is_some() || self.new.is_some()
    }

    /// Takes in a line if it belongs to the header.
    fn take(&mut self, text: &'i [u8], begun: bool) -> bool {
        if let Some(refusal) = refused(text) {
            if begun && text.starts_with(b"diff ") {
                return false;
            }
            self.refusal.get_or_insert(refusal);
        } else if is_binary_head(text) {
            self.binary = true;
        } else if let Some(rest) = text.strip_prefix(b"diff --git ") {
            if begun && (self.git.is_some() || self.has_sides() || self.refusal.is_some()) {
                return false;
            }
            self.git = name::git_pair(rest);
        } else if let Some(rest) = text.strip_prefix(b"--- ") {
            if self.has_sides() {
                return false;
            }
            self.old = Some(Side::parse(rest));
        } else if let Some(rest) = text.strip_prefix(b"+++ ") {
            if self.new.is_some() {
                return false;
            }
            self.new = Some(Side::parse(rest));
        } else {
            return self.take_extended(text) || is_lead(text) && !self.has_sides();
        }
        true
    }

    /// Takes in one of git's extended header lines.
    fn take_extended(&mut self, text: &'i [u8]) -> bool {
        let after = |prefix: &str| text.strip_prefix(prefix.as_bytes());
        if let Some(mode) = after("old mode ") {
            self.mode.old = octal(mode);
        } else if let Some(mode) = after("new mode ") {
            self.mode.new = octal(mode);
        } else if let Some(mode) = after("new file mode ") {
            self.created = true;
            self.mode.new = octal(mode);
        } else if let Some(mode) = after("deleted file mode ") {
            self.deleted = true;
            self.mode.old = octal(mode);
        } else if let Some(from) = after("rename from ").or_else(|| after("rename old ")) {
            self.from = Some(name::plain(from));
        } else if let Some(to) = after("rename to ").or_else(|| after("rename new ")) {
            self.to = Some(name::plain(to));
        } else if let Some(from) = after("copy from ") {
            (self.from, self.copy) = (Some(name::plain(from)), true);
        } else if let Some(to) = after("copy to ") {
            (self.to, self.copy) = (Some(name::plain(to)), true);
        } else if let Some(share) = after("similarity index ") {
            self.dissimilar = share.trim_ascii() != b"100%";
        } else if let Some(blobs) = after("index ") {
            return self.take_index(blobs);
        } else {
            return after("dissimilarity index ").is_some();
        }
        true
    }

    /// `index OLD..NEW[ MODE]`.
    fn take_index(&mut self, blobs: &'i [u8]) -> bool {
        let hex = blobs.iter().take_while(|b| b.is_ascii_hexdigit()).count();
        // The ids of the empty blob, in SHA-1 and SHA-256.
        let empty = hex >= 7
            && (b"e69de29bb2d1d6434b8b".starts_with(&blobs[..hex.min(20)])
                || b"473a0f4c3be8a93681a2".starts_with(&blobs[..hex.min(20)]));
        self.empty_before |= empty;
        if blobs.ends_with(b" 160000") {
            self.refusal =
                Some(Refusal::Malformed { what: "a submodule change can't be applied to files".into() });
        }
        // A link that only leads elsewhere is told by this line alone.
        if blobs.trim_ascii_end().ends_with(b" 120000") && self.mode == ModeChange::default() {
            self.mode = ModeChange { old: Some(0o120_000), new: Some(0o120_000) };
        }
        let Some(dots) = memchr::memmem::find(blobs, b"..") else { return false };
        let (old, rest) = (&blobs[..dots], &blobs[dots + 2..]);
        let new = &rest[..rest.iter().take_while(|b| b.is_ascii_hexdigit()).count()];
        self.ids = Some((old, new));
        true
    }
}

/// A line of the header may still follow its `+++ ` line.
fn continues(lines: &[InputLine<'_>], at: usize) -> bool {
    let Some(line) = lines.get(at) else { return false };
    refused(line.text).is_some() || is_binary_head(line.text) || Header::default().take_extended(line.text)
}

/// `Index:`, a ruler of equals signs, the command line of a recursive diff.
fn is_lead(text: &[u8]) -> bool {
    text.starts_with(b"Index: ") || is_ruler(text) || text.starts_with(b"diff -")
}

fn is_ruler(text: &[u8]) -> bool {
    text.len() >= 20 && text.iter().all(|&b| b == b'=')
}

/// What can't be applied, told from its first line.
fn refused(text: &[u8]) -> Option<Refusal> {
    if is_binary_notice(text) {
        return Some(Refusal::Binary {
            what: "the diff only says that binary files differ: it does not hold the change",
        });
    }
    if text.starts_with(b"diff --cc ") || text.starts_with(b"diff --combined ") || is_combined(text) {
        return Some(Refusal::Malformed {
            what: "a combined diff has several old sides: write a diff against one".into(),
        });
    }
    if text.starts_with(b"new file mode 160000") || text.starts_with(b"deleted file mode 160000") {
        return Some(Refusal::Malformed { what: "a submodule change can't be applied to files".into() });
    }
    None
}

fn is_binary_head(text: &[u8]) -> bool {
    text.trim_ascii_end() == b"GIT binary patch"
}

/// `@@@ -1,2 -1,2 +1,3 @@@`
fn is_combined(text: &[u8]) -> bool {
    text.starts_with(b"@@@ -") && memchr::memmem::find(&text[3..], b"@@@").is_some()
}

fn is_binary_notice(text: &[u8]) -> bool {
    text.starts_with(b"Binary files ")
        && text.ends_with(b" differ")
        && memchr::memmem::find(text, b" and ").is_some()
}

/// An octal mode.
fn octal(text: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(text.trim_ascii()).ok()?, 8).ok()
}

/// How the line at `at` could begin another file's section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begins {
    No,
    Yes,
    /// `--- ` and `+++ ` with names that are not the same, followed by an `@@` line: perhaps a removed and
    /// an added line.
    Perhaps,
}

/// Whether a file's section begins at `at`; a lone `--- ` or `+++ ` line is no sign here.
pub(super) fn begins(lines: &[InputLine<'_>], at: usize) -> Begins {
    let text = lines[at].text;
    let next = lines.get(at + 1).map_or(&b""[..], |line| line.text);
    let sure = match text.first() {
        Some(b'd') => {
            text.starts_with(b"diff --git ")
                || text.starts_with(b"diff --c") && refused(text).is_some()
                || text.starts_with(b"diff -") && next.starts_with(b"--- ")
        }
        Some(b'I') => text.starts_with(b"Index: ") && (is_ruler(next) || next.starts_with(b"--- ")),
        Some(b'B') => refused(text).is_some(),
        Some(b'G') => is_binary_head(text),
        Some(b'@') => is_combined(text),
        Some(b'-') => return pair(lines, at),
        _ => false,
    };
    if sure { Begins::Yes } else { Begins::No }
}

/// `--- X` and `+++ Y`.
fn pair(lines: &[InputLine<'_>], at: usize) -> Begins {
    let side = |at: usize, sign: &[u8]| {
        let rest = lines.get(at)?.text.strip_prefix(sign)?;
        (!rest.trim_ascii().is_empty()).then(|| Side::parse(rest))
    };
    let (Some(old), Some(new)) = (side(at, b"--- "), side(at + 1, b"+++ ")) else { return Begins::No };
    if name::agree(&old, &new) {
        return Begins::Yes;
    }
    match lines.get(at + 2).and_then(|line| At::parse(line.text)) {
        Some(_) => Begins::Perhaps,
        None => Begins::No,
    }
}

/// Whether a diff begins at `at`, at the start of a section.
pub(super) fn opens(lines: &[InputLine<'_>], at: usize) -> bool {
    let text = lines[at].text;
    let next = lines.get(at + 1).map_or(&b""[..], |line| line.text);
    let named =
        |sign: &[u8], line: &[u8]| line.strip_prefix(sign).is_some_and(|rest| !rest.trim_ascii().is_empty());
    if named(b"--- ", text) {
        return named(b"+++ ", next) || At::parse(next).is_some_and(|at| at.stated.is_some());
    }
    if named(b"+++ ", text) {
        return At::parse(next).is_some_and(|at| at.stated.is_some());
    }
    begins(lines, at) == Begins::Yes
}
