//! The header that git writes: a `diff --git` line and what follows it.

use super::{
    header::{Reader, Stop, first_line},
    names::{is_dev_null, is_space},
    patch::{FilePatch, Said, canonical},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Hunk,
    Old,
    New,
    OldMode,
    NewMode,
    Deleted,
    Created,
    CopyFrom,
    CopyTo,
    RenameFrom,
    RenameTo,
    Score,
    Index,
}

const LINES: [(&[u8], Line); 16] = [
    (b"@@ -", Line::Hunk),
    (b"--- ", Line::Old),
    (b"+++ ", Line::New),
    (b"old mode ", Line::OldMode),
    (b"new mode ", Line::NewMode),
    (b"deleted file mode ", Line::Deleted),
    (b"new file mode ", Line::Created),
    (b"copy from ", Line::CopyFrom),
    (b"copy to ", Line::CopyTo),
    (b"rename old ", Line::RenameFrom),
    (b"rename new ", Line::RenameTo),
    (b"rename from ", Line::RenameFrom),
    (b"rename to ", Line::RenameTo),
    (b"similarity index ", Line::Score),
    (b"dissimilarity index ", Line::Score),
    (b"index ", Line::Index),
];

/// A header as far as it was read.
struct Header<'p> {
    patch: FilePatch,
    agreed: Option<Vec<u8>>,
    /// Line of the first creation, deletion, copy or rename.
    kind_line: Option<u64>,
    text: &'p [u8],
    /// The line that messages name: the one below `diff --git`, whichever is at fault.
    named_line: u64,
}

/// Reads the header at which the reader stands. Nothing but its first line: no header, `None`; the model
/// then holds the next header to that line's name, which is left in `stale`.
pub fn read(reader: &mut Reader<'_, '_>, stale: &mut Option<Vec<u8>>) -> Result<Option<FilePatch>, Stop> {
    let text = reader.text;
    let first = first_line(&text[reader.at..]);
    let agreed = reader.rules.agreed(&first[b"diff --git ".len()..]);
    let mut header =
        Header { patch: FilePatch::default(), agreed, kind_line: None, text, named_line: reader.line + 1 };
    header.patch.from_top = true;
    header.patch.old_name.clone_from(stale);
    header.patch.new_name.clone_from(stale);
    reader.at += first.len();
    reader.line += 1;
    let behind_first = reader.at;
    loop {
        let line = first_line(&text[reader.at..]);
        if !line.ends_with(b"\n") {
            break;
        }
        let Some((word, kind)) = LINES.iter().find(|(word, _)| line.starts_with(word)) else { break };
        if *kind == Line::Hunk {
            break;
        }
        header.take(reader, *kind, reader.at + word.len())?;
        header.check_kinds(reader)?;
        reader.at += line.len();
        reader.line += 1;
    }
    let patch = header.finish(reader)?;
    if reader.at > behind_first {
        return Ok(Some(patch));
    }
    *stale = patch.old_name;
    Ok(None)
}

impl Header<'_> {
    /// One line of the header, from `at` behind its word.
    fn take(&mut self, reader: &mut Reader<'_, '_>, kind: Line, at: usize) -> Result<(), Stop> {
        let text = &self.text[at..];
        let line = first_line(text);
        let moved = reader.rules.strip.saturating_sub(1);
        let name = |reader: &Reader<'_, '_>| reader.rules.plain(line, moved, false, None);
        let named = self.named_line;
        let patch = &mut self.patch;
        match kind {
            Line::Hunk => {}
            Line::Old => self.name_line(reader, line, true)?,
            Line::New => self.name_line(reader, line, false)?,
            Line::OldMode => patch.old_mode = mode(reader, text, named)?,
            Line::NewMode => patch.new_mode = mode(reader, text, named)?,
            Line::Deleted => {
                patch.is_delete = Said::Yes;
                patch.old_name = self.agreed.clone();
                patch.old_mode = mode(reader, text, named)?;
            }
            Line::Created => {
                patch.is_new = Said::Yes;
                patch.new_name = self.agreed.clone();
                patch.new_mode = mode(reader, text, named)?;
            }
            Line::CopyFrom => (patch.is_copy, patch.old_name) = (true, name(reader)),
            Line::CopyTo => (patch.is_copy, patch.new_name) = (true, name(reader)),
            Line::RenameFrom => (patch.is_rename, patch.old_name) = (true, name(reader)),
            Line::RenameTo => (patch.is_rename, patch.new_name) = (true, name(reader)),
            Line::Score => {
                let score = leading_number(line);
                if score <= 100 {
                    patch.score = u32::try_from(score).unwrap_or(0);
                }
            }
            Line::Index => self.index_line(reader, text)?,
        }
        Ok(())
    }

    /// `--- NAME` or `+++ NAME`; must agree with what is known already.
    fn name_line(&mut self, reader: &mut Reader<'_, '_>, line: &[u8], old: bool) -> Result<(), Stop> {
        let absent = if old { self.patch.is_new } else { self.patch.is_delete } == Said::Yes;
        let slot = if old { &mut self.patch.old_name } else { &mut self.patch.new_name };
        let number = self.named_line;
        let bad = |text: &str| format!("git apply: bad git-diff - {text} on line {number}");
        let strip = reader.rules.strip;
        match slot {
            None if !absent => {
                *slot = reader.rules.plain(line, strip, true, None);
                Ok(())
            }
            Some(name) if absent => {
                let text = [b"git apply: bad git-diff - expected /dev/null, got ", &name[..]].concat();
                Err(reader.fail([&text[..], format!(" on line {number}").as_bytes()].concat()))
            }
            Some(name) => {
                if reader.rules.plain(line, strip, true, None).as_ref() == Some(name) {
                    return Ok(());
                }
                let side = if old { "old" } else { "new" };
                Err(reader.fail(bad(&format!("inconsistent {side} filename"))))
            }
            None if is_dev_null(line) => Ok(()),
            None => Err(reader.fail(bad("expected /dev/null"))),
        }
    }

    /// `OLD..NEW`, and perhaps a mode.
    fn index_line(&mut self, reader: &mut Reader<'_, '_>, text: &[u8]) -> Result<(), Stop> {
        let line = first_line(text);
        let body = line.strip_suffix(b"\n").unwrap_or(line);
        let Some(dot) = memchr::memchr(b'.', body) else { return Ok(()) };
        if body.get(dot + 1) != Some(&b'.') || dot > reader.id_size {
            return Ok(());
        }
        let behind = &body[dot + 2..];
        let end = memchr::memchr(b' ', behind).unwrap_or(behind.len());
        if end > reader.id_size {
            return Ok(());
        }
        self.patch.old_id = body[..dot].to_vec();
        self.patch.new_id = behind[..end].to_vec();
        if end < behind.len() {
            self.patch.old_mode = mode(reader, &text[dot + 2 + end + 1..], self.named_line)?;
        }
        Ok(())
    }

    /// A file cannot be, say, both created and renamed.
    fn check_kinds(&mut self, reader: &mut Reader<'_, '_>) -> Result<(), Stop> {
        let patch = &self.patch;
        let kinds = [patch.is_new(), patch.is_delete(), patch.is_rename, patch.is_copy];
        let count = kinds.iter().filter(|is| **is).count();
        if count > 1 {
            let first = self.kind_line.unwrap_or(reader.line);
            let message = format!("inconsistent header lines {first} and {}", reader.line);
            return Err(reader.fail(message));
        }
        if count == 1 && self.kind_line.is_none() {
            self.kind_line = Some(reader.line);
        }
        Ok(())
    }

    fn finish(mut self, reader: &mut Reader<'_, '_>) -> Result<FilePatch, Stop> {
        let line = reader.line;
        if self.patch.old_name.is_none() && self.patch.new_name.is_none() {
            let Some(name) = self.agreed.take() else {
                let strip = reader.rules.strip;
                let s = if strip == 1 { "" } else { "s" };
                let message = format!(
                    "git diff header lacks filename information when removing {strip} leading pathname component{s} (line {line})"
                );
                return Err(reader.fail(message));
            };
            self.patch.old_name = Some(name.clone());
            self.patch.new_name = Some(name);
        }
        let old_missing = self.patch.old_name.is_none() && !self.patch.is_new();
        let new_missing = self.patch.new_name.is_none() && !self.patch.is_delete();
        if old_missing || new_missing {
            return Err(reader.fail(format!("git diff header lacks filename information (line {line})")));
        }
        Ok(self.patch)
    }
}

/// An octal mode; behind it must be white space. The message shows all the rest of the input.
fn mode(reader: &mut Reader<'_, '_>, text: &[u8], line: u64) -> Result<u32, Stop> {
    let digits = text.iter().take_while(|b| (b'0'..=b'7').contains(b)).count();
    if digits == 0 || !text.get(digits).is_some_and(|b| is_space(*b)) {
        let place = format!("invalid mode on line {line}: ");
        return Err(reader.fail([place.as_bytes(), text].concat()));
    }
    let value = text[..digits].iter().fold(0_u32, |sum, b| (sum << 3) | u32::from(b - b'0'));
    Ok(canonical(value))
}

fn leading_number(line: &[u8]) -> u64 {
    let digits = line.iter().take_while(|b| b.is_ascii_digit());
    digits.fold(0_u64, |sum, b| sum.saturating_mul(10).saturating_add(u64::from(b - b'0')))
}
