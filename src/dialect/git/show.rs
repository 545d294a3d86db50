//! What `--stat`, `--numstat` and `--summary` print.

use super::{
    patch::{FilePatch, Said},
    say::{Say, harmless},
};

/// The widest name and the greatest change of all that was read so far.
#[derive(Debug, Default)]
pub struct Scale {
    pub name: usize,
    pub change: u64,
}

impl Scale {
    pub fn see(&mut self, patch: &FilePatch, quoted: impl Fn(&[u8]) -> Vec<u8>) {
        self.change = self.change.max(patch.added + patch.deleted);
        for name in [&patch.old_name, &patch.new_name].into_iter().flatten() {
            self.name = self.name.max(quoted(name).len());
        }
    }
}

pub fn stat(say: &mut Say<'_>, scale: &Scale, patches: &[FilePatch]) {
    let (mut added, mut deleted) = (0, 0);
    for patch in patches {
        let line = bar(&say.quoted(patch.name()), scale, patch);
        say.out(&line);
        added += patch.added;
        deleted += patch.deleted;
    }
    let files = patches.len();
    let mut text = format!(" {files} file{} changed", s(files as u64));
    if files > 0 && (added > 0 || deleted == 0) {
        text += &format!(", {added} insertion{}(+)", s(added));
    }
    if files > 0 && (deleted > 0 || added == 0) {
        text += &format!(", {deleted} deletion{}(-)", s(deleted));
    }
    say.out(format!("{text}\n").as_bytes());
}

fn s(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// One file's line: its name, how much changes, and a bar.
fn bar(name: &[u8], scale: &Scale, patch: &FilePatch) -> Vec<u8> {
    let width = scale.name.min(50);
    let mut shown = name.to_vec();
    if name.len() > width {
        let from = (name.len() + 3).saturating_sub(width);
        let from = memchr::memchr(b'/', &name[from..]).map_or(from, |at| from + at);
        shown = [b"...", &name[from..]].concat();
    }
    let pad = " ".repeat(width.saturating_sub(shown.len()));
    let mut line = [b" ", &shown[..], pad.as_bytes(), b" |"].concat();
    if patch.is_binary {
        line.extend_from_slice(b"  Bin\n");
        return line;
    }
    let room = if width as u64 + scale.change > 70 { 70 - width as u64 } else { scale.change };
    let scaled = |count: u64| (count * room + scale.change / 2).checked_div(scale.change).unwrap_or(0);
    let sum = patch.added + patch.deleted;
    let plus = scaled(patch.added);
    let minus = scaled(sum).saturating_sub(plus);
    let (plus, minus) = (usize::try_from(plus).unwrap_or(0), usize::try_from(minus).unwrap_or(0));
    line.extend_from_slice(format!("{sum:5} {}{}\n", "+".repeat(plus), "-".repeat(minus)).as_bytes());
    line
}

pub fn numstat(say: &mut Say<'_>, patches: &[FilePatch], nul: bool) {
    for patch in patches {
        let counts = if patch.is_binary {
            "-\t-\t".to_owned()
        } else {
            format!("{}\t{}\t", patch.added, patch.deleted)
        };
        let name = if nul { patch.name().to_vec() } else { say.quoted(patch.name()) };
        let end: &[u8] = if nul { b"\0" } else { b"\n" };
        say.out(&[counts.as_bytes(), &name, end].concat());
    }
}

pub fn summary(say: &mut Say<'_>, patches: &[FilePatch]) {
    for patch in patches {
        let mut text = Vec::new();
        if patch.is_new != Said::No {
            text = whole_file("create", patch.new_mode, patch.name());
        } else if patch.is_delete != Said::No {
            text = whole_file("delete", patch.old_mode, patch.old());
        } else if patch.is_rename || patch.is_copy {
            text.extend(moved(patch));
            text.extend(mode_change(patch, false));
        } else if patch.score > 0 {
            text = [b" rewrite ", patch.name(), format!(" ({}%)\n", patch.score).as_bytes()].concat();
            text.extend(mode_change(patch, false));
        } else {
            text = mode_change(patch, true);
        }
        say.out(&harmless(&text));
    }
}

fn whole_file(word: &str, mode: u32, name: &[u8]) -> Vec<u8> {
    let mode = if mode > 0 { format!("mode {mode:06o} ") } else { String::new() };
    [format!(" {word} {mode}").as_bytes(), name, b"\n"].concat()
}

fn mode_change(patch: &FilePatch, named: bool) -> Vec<u8> {
    let (old, new) = (patch.old_mode, patch.new_mode);
    if old == 0 || new == 0 || old == new {
        return Vec::new();
    }
    let name = if named { [b" ", patch.name()].concat() } else { Vec::new() };
    [format!(" mode change {old:06o} => {new:06o}").as_bytes(), &name, b"\n"].concat()
}

/// Folders that both names begin with stand before the brace.
fn moved(patch: &FilePatch) -> Vec<u8> {
    let word = if patch.is_rename { " rename " } else { " copy " };
    let (old, new) = (patch.old(), patch.name());
    let mut same = 0;
    for (at, byte) in old.iter().enumerate() {
        if new.get(at) != Some(byte) {
            break;
        }
        if *byte == b'/' {
            same = at + 1;
        }
    }
    let score = format!(" ({}%)\n", patch.score);
    let arrow = b" => ";
    if same == 0 {
        return [word.as_bytes(), old, arrow, new, score.as_bytes()].concat();
    }
    let (common, old, new) = (&old[..same], &old[same..], &new[same..]);
    [word.as_bytes(), common, b"{", old, arrow, new, b"}", score.as_bytes()].concat()
}
