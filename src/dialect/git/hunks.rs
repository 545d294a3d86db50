//! Hunks as git reads them: the counts of the header decide where one ends.

use super::{
    header::{Reader, Stop, first_line},
    options::OnSpace,
    patch::{FilePatch, Hunk, Said},
};

/// A line that says that the line above has no end, in whatever language.
pub fn is_no_newline(line: &[u8]) -> bool {
    line.len() >= 12 && line.starts_with(b"\\ ")
}

/// Old start and count, new start and count, and what of the line they took.
pub fn ranges(line: &[u8]) -> Option<([u64; 4], usize)> {
    if !line.ends_with(b"\n") {
        return None;
    }
    let rest = line.strip_prefix(b"@@ -")?;
    let (old, rest) = range(rest)?;
    let (new, rest) = range(rest.strip_prefix(b" +")?)?;
    let rest = rest.strip_prefix(b" @@")?;
    Some(([old.0, old.1, new.0, new.1], line.len() - rest.len()))
}

fn range(text: &[u8]) -> Option<((u64, u64), &[u8])> {
    let (start, rest) = number(text)?;
    match rest.strip_prefix(b",") {
        Some(rest) => number(rest).map(|(count, rest)| ((start, count), rest)),
        None => Some(((start, 1), rest)),
    }
}

fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let value =
        |b: &[u8]| b.iter().fold(0_u64, |sum, b| sum.saturating_mul(10).saturating_add(u64::from(b - b'0')));
    (digits > 0).then(|| (value(&text[..digits]), &text[digits..]))
}

/// Counts of a hunk's body as it is read.
#[derive(Default)]
struct Seen {
    leading: u64,
    trailing: u64,
    added: u64,
    deleted: u64,
}

impl Reader<'_, '_> {
    /// All hunks behind a header.
    pub(super) fn hunks(&mut self, patch: &mut FilePatch) -> Result<(), Stop> {
        let (mut old, mut new) = (0_u64, 0_u64);
        while self.rest().len() > 4 && self.rest().starts_with(b"@@ -") {
            let Some(hunk) = self.hunk(patch) else {
                let message = format!("corrupt patch at line {}", self.line);
                return Err(self.fail(message));
            };
            old = old.saturating_add(hunk.old_count);
            new = new.saturating_add(hunk.new_count);
            patch.hunks.push(hunk);
        }
        let several = patch.hunks.len() > 1;
        if patch.is_new == Said::Perhaps && (old > 0 || several) {
            patch.is_new = Said::No;
        }
        if patch.is_delete == Said::Perhaps && (new > 0 || several) {
            patch.is_delete = Said::No;
        }
        if patch.is_new() && old > 0 {
            let name = patch.name().to_vec();
            return Err(self.fail([b"new file ", &name[..], b" depends on old contents"].concat()));
        }
        if patch.is_delete() && new > 0 {
            let name = patch.old().to_vec();
            return Err(self.fail([b"deleted file ", &name[..], b" still has contents"].concat()));
        }
        self.lost_lines(patch)
    }

    /// Counts that are too small would drop lines in silence: what follows the last hunk looks like its body.
    fn lost_lines(&mut self, patch: &FilePatch) -> Result<(), Stop> {
        let line = first_line(self.rest());
        let body = matches!(line.first(), Some(b'+' | b'-')) && !is_between(self.rest());
        if patch.hunks.is_empty() || !(body || self.context_then_change()) {
            return Ok(());
        }
        let message = format!("corrupt patch at line {}", self.line);
        Err(self.fail(message))
    }

    /// Context lines behind the last hunk, and then changed ones.
    fn context_then_change(&self) -> bool {
        let mut rest = self.rest();
        let mut context = false;
        loop {
            let line = first_line(rest);
            match line.first() {
                Some(b' ') => context = true,
                Some(b'+' | b'-') if context => return !is_between(rest),
                _ => return false,
            }
            rest = &rest[line.len()..];
        }
    }

    /// One hunk; none if it is corrupt, and then the line at fault is the reader's.
    fn hunk(&mut self, patch: &mut FilePatch) -> Option<Hunk> {
        let text = self.text;
        let start = self.at;
        let number = self.line;
        let header = first_line(&text[start..]);
        let ([old_start, mut old, new_start, mut new], _) = ranges(header)?;
        if self.options.recount
            && let Some(counted) = self.recount(start + header.len())
        {
            (old, new) = counted;
        }
        let counts = (old, new);
        self.at += header.len();
        self.line += 1;
        let mut seen = Seen::default();
        while self.at < text.len() && (old, new) != (0, 0) {
            let line = first_line(&text[self.at..]);
            if !line.ends_with(b"\n") {
                return None;
            }
            self.body_line(patch, line, &mut seen, (&mut old, &mut new))?;
            self.at += line.len();
            self.line += 1;
        }
        if (old, new) != (0, 0) || (!self.options.recount && seen.added == 0 && seen.deleted == 0) {
            return None;
        }
        let line = first_line(&text[self.at..]);
        if text.len() - self.at > 12 && line.starts_with(b"\\ ") {
            self.at += line.len();
        }
        patch.added += seen.added;
        patch.deleted += seen.deleted;
        Some(Hunk {
            old_start,
            new_start,
            old_count: counts.0,
            new_count: counts.1,
            leading: seen.leading,
            trailing: seen.trailing,
            text: start..self.at,
            line: number,
            rejected: false,
        })
    }

    /// A count that is used up wraps around: the hunk then reads on until a line is none of its own.
    fn body_line(
        &mut self,
        patch: &mut FilePatch,
        line: &[u8],
        seen: &mut Seen,
        (old, new): (&mut u64, &mut u64),
    ) -> Option<()> {
        let reverse = self.options.reverse;
        let reports = self.spaces.on_space != OnSpace::Ignore;
        let crlf = line.ends_with(b"\r\n");
        match line[0] {
            b'\n' | b' ' => {
                (*old, *new) = (old.wrapping_sub(1), new.wrapping_sub(1));
                seen.leading += u64::from(seen.added == 0 && seen.deleted == 0);
                seen.trailing += 1;
                mark_crlf(patch, crlf);
                if !reverse && self.spaces.on_space == OnSpace::Fix {
                    self.check_space(patch, line);
                }
            }
            b'-' => {
                *old = old.wrapping_sub(1);
                mark_crlf(patch, crlf && !reverse);
                if reverse && reports {
                    self.check_space(patch, line);
                }
                seen.deleted += 1;
                seen.trailing = 0;
            }
            b'+' => {
                *new = new.wrapping_sub(1);
                mark_crlf(patch, crlf && reverse);
                if !reverse && reports {
                    self.check_space(patch, line);
                }
                seen.added += 1;
                seen.trailing = 0;
            }
            b'\\' if is_no_newline(line) => {}
            _ => return None,
        }
        Some(())
    }

    fn check_space(&mut self, patch: &FilePatch, line: &[u8]) {
        if line.len() < 2 {
            return;
        }
        let found = patch.rule.check(&line[1..]);
        if found.any() {
            let shown = &line[1..line.len() - 1];
            self.spaces.record(self.say, self.source, self.line, found, shown);
        }
    }

    /// The counts of the body from `at` on, whatever its header says.
    fn recount(&mut self, at: usize) -> Option<(u64, u64)> {
        let mut rest = &self.text[at..];
        let (mut old, mut new) = (0, 0);
        while !rest.is_empty() {
            let line = first_line(rest);
            match line[0] {
                b' ' | b'\n' => (old, new) = (old + 1, new + 1),
                b'-' => old += 1,
                b'+' => new += 1,
                b'\\' => {}
                _ if rest.starts_with(b"@@ ") || rest.starts_with(b"diff ") => break,
                _ => {
                    self.say.warning([b"recount: unexpected line: ", line].concat());
                    return None;
                }
            }
            rest = &rest[line.len()..];
        }
        Some((old, new))
    }
}

/// A header, a mail's signature or a rule, rather than a line of a hunk.
fn is_between(text: &[u8]) -> bool {
    let line = first_line(text);
    let bare = line.trim_ascii_end();
    let header = line.starts_with(b"--- ") && text[line.len()..].starts_with(b"+++ ");
    header || bare == b"--" || bare == b"---"
}

fn mark_crlf(patch: &mut FilePatch, crlf: bool) {
    if crlf {
        patch.rule.cr_at_eol = true;
        patch.crlf = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunk_headers() {
        let read = |line: &str| ranges(line.as_bytes()).map(|(numbers, _)| numbers);
        assert_eq!(read("@@ -1,2 +3 @@ fn\n"), Some([1, 2, 3, 1]));
        for bad in ["@@ -1 +1 @@", "@@ -1, +1 @@\n", "@@ -a +1 @@\n", "@@ -1 +1\n"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
