//! The change as a diff that GNU patch and `git apply` take.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    ops::Range,
};

use similar::{DiffOp, group_diff_ops};

use anstyle::Style;

use super::{
    delta::Delta,
    emphasis::{self, Lines},
    escape,
    ink::{BOLD, CYAN, GREEN, Ink, RED, strong},
};
use crate::{
    input::binary,
    merge,
    plan::Change,
    tree::{Image, RelPath},
};

const CONTEXT: usize = 3;

/// Which new files are old ones under another name.
pub struct Moves<'c> {
    /// The file that goes, with the one that takes its content; one only, others are creations.
    by_source: BTreeMap<&'c RelPath, (&'c Change, &'c RelPath)>,
}

impl<'c> Moves<'c> {
    /// Looks for files that go and come.
    pub fn new(changes: &'c [Change]) -> Moves<'c> {
        let gone = |change: &&Change| change.before.is_some() && change.after.is_none();
        let gone: BTreeMap<_, _> = changes.iter().filter(gone).map(|change| (&change.path, change)).collect();
        let mut by_source = BTreeMap::new();
        for change in changes.iter().filter(|change| change.before.is_none() && change.after.is_some()) {
            if let Some(source) = change.moved_from.as_ref().and_then(|from| gone.get(from)) {
                by_source.entry(&source.path).or_insert((*source, &change.path));
            }
        }
        Moves { by_source }
    }

    /// The file that `change` moves here.
    pub fn source(&self, change: &Change) -> Option<&'c Change> {
        let (source, target) = self.by_source.get(change.moved_from.as_ref()?)?;
        (**target == change.path).then_some(*source)
    }

    /// The deletion is told by a move already.
    pub fn is_told(&self, change: &Change) -> bool {
        change.after.is_none() && self.by_source.contains_key(&change.path)
    }
}

/// For whom a diff is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// For programs: every byte as it is.
    Raw,
    /// For a terminal: control characters escaped.
    Safe,
    /// Also coloured, with changed words marked.
    Color,
}

/// Prints all changes. `safe`: for a terminal, with control characters escaped.
pub fn write(changes: &[Change], safe: bool, out: &mut dyn Write) -> io::Result<()> {
    show(changes, if safe { Show::Safe } else { Show::Raw }, out)
}

/// Prints all changes.
///
/// # Errors
/// The output cannot be written.
pub fn show(changes: &[Change], show: Show, out: &mut dyn Write) -> io::Result<()> {
    let moves = Moves::new(changes);
    let mut printer = Printer { show, ink: Ink(show == Show::Color), out };
    changes
        .iter()
        .filter(|change| !moves.is_told(change))
        .try_for_each(|change| printer.change(change, moves.source(change)))
}

/// Prints a change, every byte as it is; `from`: the file that moves here.
pub(super) fn show_one(change: &Change, from: Option<&Change>, out: &mut dyn Write) -> io::Result<()> {
    Printer { show: Show::Raw, ink: Ink(false), out }.change(change, from)
}

struct Printer<'o> {
    show: Show,
    ink: Ink,
    out: &'o mut dyn Write,
}

impl Printer<'_> {
    fn change(&mut self, change: &Change, from: Option<&Change>) -> io::Result<()> {
        let before = from.map_or(&change.before, |from| &from.before).as_ref();
        let after = change.after.as_ref();
        if let (Some(before), Some(after)) = (before, after)
            && before.is_link() != after.is_link()
        {
            // As git has it: the one goes, the other comes.
            let side = |before, after| Change { before, after, ..change.clone() };
            self.change(&side(Some(before.clone()), None), None)?;
            return self.change(&side(None, Some(after.clone())), None);
        }
        let names = [from.map_or(&change.path, |from| &from.path).as_bytes(), change.path.as_bytes()];
        self.head(before, after, names, from.is_some())?;
        self.content(before, after, names)
    }

    /// Git's own line, and what changes beside the content.
    fn head(
        &mut self,
        before: Option<&Image>,
        after: Option<&Image>,
        [old_name, new_name]: [&[u8]; 2],
        moves: bool,
    ) -> io::Result<()> {
        self.header(format!(
            "diff --git {} {}",
            escape::header("a/", old_name),
            escape::header("b/", new_name)
        ))?;
        match (before.map(Image::git_mode), after.map(Image::git_mode)) {
            (None, Some(new)) => self.header(format!("new file mode {new}"))?,
            (Some(old), None) => self.header(format!("deleted file mode {old}"))?,
            (Some(old), Some(new)) if old != new => {
                self.header(format!("old mode {old}"))?;
                self.header(format!("new mode {new}"))?;
            }
            _ => {}
        }
        if moves {
            self.header(format!("rename from {}", escape::header("", old_name)))?;
            self.header(format!("rename to {}", escape::header("", new_name)))?;
        }
        Ok(())
    }

    fn content(
        &mut self,
        before: Option<&Image>,
        after: Option<&Image>,
        names: [&[u8]; 2],
    ) -> io::Result<()> {
        let (old, new) = (content(before), content(after));
        if old == new {
            return Ok(());
        }
        let any = |is: fn(&Image) -> bool| before.into_iter().chain(after).any(is);
        if any(Image::is_binary) {
            if self.show != Show::Raw {
                let sizes = format!("{} bytes before, {} now", old.len(), new.len());
                return writeln!(self.out, "Binary file changed, {sizes}");
            }
            self.header(index_line(before, after))?;
            self.header("GIT binary patch".to_owned())?;
            binary::write(new, self.out)?;
            return binary::write(old, self.out);
        }
        if any(Image::is_link) {
            self.header(index_line(before, after))?;
        }
        let old_header = before.map_or("/dev/null".into(), |_| escape::header("a/", names[0]));
        let new_header = after.map_or("/dev/null".into(), |_| escape::header("b/", names[1]));
        self.header(format!("--- {}", tabbed(&old_header)))?;
        self.header(format!("+++ {}", tabbed(&new_header)))?;
        self.hunks(&Delta::new(old, new))
    }

    fn header(&mut self, line: String) -> io::Result<()> {
        writeln!(self.out, "{}", self.ink.paint(BOLD, line))
    }

    fn hunks(&mut self, delta: &Delta<'_>) -> io::Result<()> {
        for group in group_diff_ops(delta.ops.clone(), CONTEXT) {
            let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
            let old = first.old_range().start..last.old_range().end;
            let new = first.new_range().start..last.new_range().end;
            let head = format!("@@ -{} +{} @@", range(&old), range(&new));
            writeln!(self.out, "{}", self.ink.paint(CYAN, head))?;
            for op in &group {
                let (old, new) = (&delta.old[op.old_range()], &delta.new[op.new_range()]);
                if let DiffOp::Equal { .. } = op {
                    self.lines(" ", Style::new(), old, None)?;
                    continue;
                }
                let (removed, added) = (bodies(old), bodies(new));
                let marks = self.ink.0.then(|| emphasis::parts(&removed, &added)).flatten();
                let (removed, added) = marks.unzip();
                self.lines("-", RED, old, removed)?;
                self.lines("+", GREEN, new, added)?;
            }
        }
        Ok(())
    }

    fn lines(
        &mut self,
        sign: &str,
        style: Style,
        lines: &[&[u8]],
        marks: Option<Lines<'_>>,
    ) -> io::Result<()> {
        for (at, line) in lines.iter().enumerate() {
            let (body, newline) = body(line);
            match (&marks, self.show) {
                (_, Show::Raw) => {
                    self.out.write_all(sign.as_bytes())?;
                    self.out.write_all(body)?;
                }
                (Some(marks), _) => {
                    write!(self.out, "{}", self.ink.paint(style, sign))?;
                    for part in &marks[at] {
                        let style = if part.changed { strong(style) } else { style };
                        write!(self.out, "{}", self.ink.paint(style, escape::whole(part.text)))?;
                    }
                }
                _ => {
                    let text = format!("{sign}{}", escape::whole(body));
                    let plain = style == Style::new();
                    write!(self.out, "{}", if plain { text } else { self.ink.paint(style, text) })?;
                }
            }
            self.out.write_all(if newline { b"\n" } else { b"\n\\ No newline at end of file\n" })?;
        }
        Ok(())
    }
}

fn content(image: Option<&Image>) -> &[u8] {
    image.map_or(&[], |image| &image.bytes)
}

/// What git calls both contents; and the mode, where no other line tells it.
fn index_line(before: Option<&Image>, after: Option<&Image>) -> String {
    const DIGITS: usize = 40;
    let name = |image: Option<&Image>| {
        image.map_or_else(|| "0".repeat(DIGITS), |image| merge::binary::id(&image.bytes, DIGITS))
    };
    let (old, new) = (before.map(Image::git_mode), after.map(Image::git_mode));
    let mode = old.filter(|_| old == new).map_or(String::new(), |mode| format!(" {mode}"));
    format!("index {}..{}{mode}", name(before), name(after))
}

/// A tab after a name with blanks tells readers where it ends, as git and GNU diff write it.
fn tabbed(name: &str) -> String {
    if name.contains(' ') && !name.starts_with('"') { format!("{name}\t") } else { name.to_owned() }
}

fn bodies<'l>(lines: &[&'l [u8]]) -> Vec<&'l [u8]> {
    lines.iter().map(|line| body(line).0).collect()
}

/// A line without its newline, and whether it has one.
fn body(line: &[u8]) -> (&[u8], bool) {
    line.strip_suffix(b"\n").map_or((line, false), |body| (body, true))
}

fn range(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => (lines.start + 1).to_string(),
        count => format!("{},{count}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(text: &[u8], mode: u32) -> Option<Image> {
        Some(Image { bytes: text.into(), mode })
    }

    fn change(path: &str, before: Option<Image>, after: Option<Image>, from: Option<&str>) -> Change {
        Change { path: RelPath::trusted(path), before, after, moved_from: from.map(RelPath::trusted) }
    }

    fn shown(changes: &[Change]) -> String {
        let mut out = Vec::new();
        write(changes, false, &mut out).expect("memory");
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn change_with_a_missing_newline() {
        let all = [change("f", image(b"a\nb", 0o644), image(b"a\nc\n", 0o755), None)];
        let want = "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n";
        assert_eq!(shown(&all), want);
    }

    #[test]
    fn creation_deletion_and_move() {
        let all = [
            change("gone", image(b"x\n", 0o644), None, None),
            change("new", None, image(b"", 0o644), None),
            change("old", image(b"1\n", 0o644), None, None),
            change("to", None, image(b"2\n", 0o644), Some("old")),
        ];
        let want = "diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
            diff --git a/new b/new\nnew file mode 100644\n\
            diff --git a/old b/to\nrename from old\nrename to to\n--- a/old\n+++ b/to\n@@ -1 +1 @@\n-1\n+2\n";
        assert_eq!(shown(&all), want);
    }

    #[test]
    fn links_and_what_becomes_one() {
        let link = |target: &str| Some(Image::link(target));
        let all =
            [change("l", link("a"), link("b"), None), change("t", image(b"x\n", 0o644), link("a"), None)];
        let want = "diff --git a/l b/l\nindex 2e65efe2a145dda7ee51d1741299f848e5bf752e..63d8dbd40c23542e740659a7168a0ce3138ea748 \
            120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n\
            diff --git a/t b/t\ndeleted file mode 100644\n--- a/t\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
            diff --git a/t b/t\nnew file mode 120000\nindex 0000000000000000000000000000000000000000..\
            2e65efe2a145dda7ee51d1741299f848e5bf752e\n--- /dev/null\n+++ b/t\n@@ -0,0 +1 @@\n+a\n\
            \\ No newline at end of file\n";
        assert_eq!(shown(&all), want);
    }

    #[test]
    fn bytes_that_are_no_text_stay_whole() {
        let all = [change("f", image(b"a\0b", 0o644), image(b"a\0c", 0o644), None)];
        let text = shown(&all);
        assert!(text.contains("\nGIT binary patch\nliteral 3\n"), "{text}");
        let parsed = crate::input::read(text.as_bytes(), None);
        let [edit] = &parsed.edits[..] else { panic!("{parsed:?}") };
        let crate::edit::Op::Binary(binary) = &edit.op else { panic!("{edit:?}") };
        assert_eq!(merge::binary::apply(binary, Some(b"a\0b")), Ok(Some("a\0c".into())));
        let back = binary.reverse.as_ref().map(|blob| &blob.bytes[..]);
        assert_eq!(back, Some(&b"a\0b"[..]));
        let mut safe = Vec::new();
        write(&all, true, &mut safe).expect("memory");
        assert!(String::from_utf8_lossy(&safe).ends_with("Binary file changed, 3 bytes before, 3 now\n"));
    }

    #[test]
    fn carriage_returns_are_content() {
        let all = [change("f", image(b"a\rb\nc\r\n", 0o644), image(b"a\rb\nd\r\n", 0o644), None)];
        assert!(shown(&all).ends_with("@@ -1,2 +1,2 @@\n a\rb\n-c\r\n+d\r\n"));
    }

    #[test]
    fn colours_mark_the_changed_words() {
        let all =
            [change("f", image(b"let rate = 19;\nx\n", 0o644), image(b"let rate = 7;\nx\n", 0o644), None)];
        let mut out = Vec::new();
        show(&all, Show::Color, &mut out).expect("memory");
        let shown = String::from_utf8(out).expect("text");
        for (sign, color, number) in [("-", "\x1b[31m", "19"), ("+", "\x1b[32m", "7")] {
            let line =
                shown.lines().find(|line| line.starts_with(&format!("{color}{sign}\x1b"))).expect("a line");
            assert!(line.contains(&format!("\x1b[1m\x1b[7m{color}{number}\x1b[0m")), "{line:?}");
            assert!(line.starts_with(&format!("{color}{sign}\x1b[0m{color}let rate = \x1b[0m")), "{line:?}");
        }
        assert!(shown.contains("\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n"), "{shown:?}");
        let plain = anstream::adapter::strip_str(&shown).to_string();
        assert_eq!(plain, super::tests::shown(&all));
    }

    #[test]
    fn a_terminal_obeys_nothing_in_a_diff() {
        let evil = "a\x1b[2J\u{202e}b\n";
        let all = [change("f\x1b[1m", image(b"a b\n", 0o644), image(evil.as_bytes(), 0o644), None)];
        for (as_what, escapes) in [(Show::Safe, false), (Show::Color, true)] {
            let mut out = Vec::new();
            show(&all, as_what, &mut out).expect("memory");
            let shown = String::from_utf8(out).expect("text");
            assert!(shown.contains("\\x1b[2J\\u{202e}"), "{shown:?}");
            assert!(!shown.contains("\x1b[2J") && !shown.contains('\u{202e}'), "{shown:?}");
            assert_eq!(shown.contains('\x1b'), escapes);
        }
    }
}
