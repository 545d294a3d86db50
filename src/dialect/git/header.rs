//! From the text of a patch to the files that it speaks of.

use super::{
    binary, extended,
    names::{Rules, is_dev_null},
    options::{OnSpace, Options},
    patch::{FilePatch, Said},
    say::Say,
    space::{Found, Rule},
    stamp,
};

/// Why reading or checking stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The input is of no use: exit 128.
    Unusable,
    /// The rest of the input is: exit 128 as well.
    Broken,
    /// The patch does not apply: exit 1.
    Refused,
}

/// White-space errors as they are counted and listed.
#[derive(Debug)]
pub struct Spaces {
    pub on_space: OnSpace,
    pub found: u64,
    pub mended: u64,
    /// After so many nothing is listed any more; none: all are.
    pub listed: Option<u64>,
}

impl Spaces {
    pub fn record(&mut self, say: &mut Say<'_>, source: &[u8], line: u64, found: Found, text: &[u8]) {
        if !found.any() {
            return;
        }
        self.found += 1;
        if self.listed.is_some_and(|most| most < self.found) {
            return;
        }
        let place = format!(":{line}: {}.\n", found.words());
        say.line([source, place.as_bytes(), text].concat());
    }
}

/// What decides about single files.
pub trait Files {
    /// The file is to be left alone.
    fn skips(&self, patch: &FilePatch) -> bool;
    fn rule(&mut self, name: &[u8]) -> Rule;
}

/// Reads a patch from front to end.
pub struct Reader<'p, 's> {
    pub text: &'p [u8],
    pub at: usize,
    /// The line at which it stands, from 1.
    pub line: u64,
    /// What the text is called in messages.
    pub source: &'p [u8],
    pub options: &'p Options,
    /// Digits of an object name here.
    pub id_size: usize,
    pub rules: &'p mut Rules,
    pub spaces: &'p mut Spaces,
    pub say: &'p mut Say<'s>,
}

/// The line that a text begins with, its end included.
pub fn first_line(text: &[u8]) -> &[u8] {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // Most lines are shorter than what a search is made for.
    let words = text.as_chunks::<8>().0.iter().take(8);
    let mut past = 0;
    for word in words {
        let odd = u64::from_le_bytes(*word) ^ (u64::from(b'\n') * EACH);
        // The lowest of these bits is that of the first byte that is zero.
        let ends = odd.wrapping_sub(EACH) & !odd & (0x80 * EACH);
        if ends != 0 {
            return &text[..=past + ends.trailing_zeros() as usize / 8];
        }
        past += 8;
    }
    let end = memchr::memchr(b'\n', &text[past..]).map_or(text.len(), |at| past + at + 1);
    &text[..end]
}

impl<'p> Reader<'p, '_> {
    pub fn rest(&self) -> &'p [u8] {
        &self.text[self.at..]
    }

    pub fn fail(&mut self, message: impl AsRef<[u8]>) -> Stop {
        self.say.error(message);
        Stop::Unusable
    }

    /// The next file's part, if there is one.
    pub fn next(&mut self, files: &mut dyn Files) -> Result<Option<FilePatch>, Stop> {
        let Some(mut patch) = self.find()? else { return Ok(None) };
        if !patch.from_top && !self.rules.prefix.is_empty() {
            for name in [&mut patch.old_name, &mut patch.new_name].into_iter().flatten() {
                *name = [&self.rules.prefix[..], name].concat();
            }
        }
        patch.rule = if files.skips(&patch) { Rule::none() } else { files.rule(patch.name()) };
        let start = self.at;
        self.hunks(&mut patch)?;
        if self.at == start {
            self.no_hunks(&mut patch)?;
        }
        Ok(Some(patch))
    }

    /// What may follow a header if no hunk does.
    fn no_hunks(&mut self, patch: &mut FilePatch) -> Result<(), Stop> {
        let line = first_line(self.rest());
        if line == b"GIT binary patch\n" {
            self.line += 1;
            self.at += line.len();
            binary::read(self, patch)?;
        } else if line.ends_with(b" differ\n")
            && (line.starts_with(b"Binary files ") || line.starts_with(b"Files "))
        {
            self.line += 1;
            self.at += line.len();
            patch.is_binary = true;
        }
        let wanted = self.options.apply || self.options.check;
        if wanted && !patch.is_binary && !patch.changes_more() {
            let message = format!("patch with only garbage at line {}", self.line);
            return Err(self.fail(message));
        }
        Ok(())
    }

    /// Scans for the next header and reads it.
    fn find(&mut self) -> Result<Option<FilePatch>, Stop> {
        let mut stale = None;
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let line = first_line(rest);
            if line.len() >= 6 {
                if line.starts_with(b"@@ -") && super::hunks::ranges(line).is_some() {
                    let shown = line.strip_suffix(b"\n").unwrap_or(line);
                    let place = format!("patch fragment without header at line {}: ", self.line);
                    return Err(self.fail([place.as_bytes(), shown].concat()));
                }
                if rest.len() < line.len() + 6 {
                    break;
                }
                if line.starts_with(b"diff --git ") {
                    let before = self.at;
                    if let Some(patch) = extended::read(self, &mut stale)? {
                        return Ok(Some(patch));
                    }
                    self.at = before;
                } else if self.is_traditional(rest, line) {
                    return self.traditional().map(Some);
                }
            }
            self.at += line.len();
            self.line += 1;
        }
        self.at = self.text.len();
        Ok(None)
    }

    /// Two name lines and a hunk.
    fn is_traditional(&self, rest: &[u8], line: &[u8]) -> bool {
        let second = &rest[line.len()..];
        let second_line = first_line(second);
        line.starts_with(b"--- ")
            && second_line.starts_with(b"+++ ")
            && second.len() >= second_line.len() + 14
            && second[second_line.len()..].starts_with(b"@@ -")
    }

    fn traditional(&mut self) -> Result<FilePatch, Stop> {
        let text = self.text;
        let old = first_line(&text[self.at..]);
        let new = first_line(&text[self.at + old.len()..]);
        self.guess_strip(&old[4..], &new[4..]);
        let patch = self.traditional_names(&old[4..], &new[4..]);
        if patch.old_name.is_none() && patch.new_name.is_none() {
            let message = format!("unable to find filename in patch at line {}", self.line);
            return Err(self.fail(message));
        }
        self.at += old.len() + new.len();
        self.line += 2;
        Ok(patch)
    }

    fn guess_strip(&mut self, old: &[u8], new: &[u8]) {
        if self.rules.strip_known {
            return;
        }
        let (first, second) = (self.rules.guess(old), self.rules.guess(new));
        let guess = first.or(second);
        if guess.is_some() && guess == second {
            self.rules.strip = guess.unwrap_or(1);
            self.rules.strip_known = true;
        }
    }

    fn traditional_names(&self, old: &[u8], new: &[u8]) -> FilePatch {
        let name = |line: &[u8], other: Option<&[u8]>| self.rules.traditional(line, self.rules.strip, other);
        let (created, deleted) = (Said::Yes, Said::Yes);
        let empty = FilePatch { is_new: Said::Perhaps, is_delete: Said::Perhaps, ..FilePatch::default() };
        if is_dev_null(old) {
            return FilePatch { is_new: created, is_delete: Said::No, new_name: name(new, None), ..empty };
        }
        if is_dev_null(new) {
            return FilePatch { is_new: Said::No, is_delete: deleted, old_name: name(old, None), ..empty };
        }
        let first = name(old, None);
        let name = name(new, first.as_deref());
        if stamp::is_epoch(old) {
            FilePatch { is_new: created, is_delete: Said::No, new_name: name, ..empty }
        } else if stamp::is_epoch(new) {
            FilePatch { is_new: Said::No, is_delete: deleted, old_name: name, ..empty }
        } else {
            FilePatch { old_name: name.clone(), new_name: name, ..empty }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_lengths() {
        for before in 0..100 {
            for behind in 0..10 {
                let line = vec![[b'\x0b', b'\t', b'\x8a', b'x'][behind % 4]; before];
                let text = [&line[..], b"\n", &b"\n\x0b".repeat(behind)].concat();
                assert_eq!(first_line(&text), &text[..=before]);
                assert_eq!(first_line(&line), &line[..]);
            }
        }
    }
}
