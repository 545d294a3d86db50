//! Hunks that did not go in, written as a diff of their own.

use super::{
    header::{Header, INDEX},
    options::{Kind, RejectFormat},
    quote,
};
use crate::input::strict::{Hunk, HunkLine, Mark};

/// The rejects of one patch.
pub struct Rejects {
    pub bytes: Vec<u8>,
    format: RejectFormat,
    /// What old-fashioned context diffs write behind their ranges.
    stars: &'static str,
    dashes: &'static str,
    /// Both sides of a change get `!`; a normal diff keeps its own marks.
    marks_changes: bool,
}

impl Rejects {
    pub fn new(kind: Kind, wanted: Option<RejectFormat>) -> Rejects {
        let unified = matches!(kind, Kind::Unified | Kind::GitBinary);
        let format = match wanted {
            Some(format) => format,
            None if unified => RejectFormat::Unified,
            None => RejectFormat::Context,
        };
        let new_style = unified || kind == Kind::NewContext;
        let (stars, dashes) = if new_style { (" ****", " ----") } else { ("", " -----") };
        Rejects { bytes: Vec::new(), format, stars, dashes, marks_changes: kind != Kind::Normal }
    }

    /// Adds a hunk; `growth` is how many lines the hunks before it added to the file.
    pub fn push(&mut self, hunk: &Hunk<'_>, growth: i64, header: &Header, reverse: bool) {
        if self.bytes.is_empty() {
            self.header(header, reverse);
        }
        let old = (hunk.old_first + growth, hunk.old.len());
        let new = (hunk.new_first + growth, hunk.new.len());
        match self.format {
            RejectFormat::Unified => self.unified(hunk, old, new),
            RejectFormat::Context => self.context(hunk, old, new),
        }
    }

    fn header(&mut self, header: &Header, reverse: bool) {
        if let Some(index) = &header.names[INDEX] {
            self.bytes.extend([b"Index: ", &index[..], b"\n"].concat());
        }
        let marks = match self.format {
            RejectFormat::Unified => ["--- ", "+++ "],
            RejectFormat::Context => ["*** ", "--- "],
        };
        for (mark, side) in marks.into_iter().zip([usize::from(reverse), usize::from(!reverse)]) {
            let name = header.names[side].as_deref().map_or(b"/dev/null".to_vec(), quote::header);
            self.bytes.extend([mark.as_bytes(), &name, &header.tails[side], b"\n"].concat());
        }
    }

    fn unified(&mut self, hunk: &Hunk<'_>, old: (i64, usize), new: (i64, usize)) {
        let range = |(first, count): (i64, usize)| match count {
            0 => format!("{},0", first - 1),
            1 => first.to_string(),
            _ => format!("{first},{count}"),
        };
        self.bytes.extend(format!("@@ -{} +{} @@", range(old), range(new)).bytes());
        self.bytes.extend_from_slice(&hunk.function);
        self.bytes.push(b'\n');
        let (mut old, mut new) = (hunk.old.iter().peekable(), hunk.new.iter().peekable());
        loop {
            while let Some(line) = old.next_if(|line| line.mark != Mark::Context) {
                self.line("-", line);
            }
            while let Some(line) = new.next_if(|line| line.mark != Mark::Context) {
                self.line("+", line);
            }
            match (old.next(), new.next()) {
                (Some(line), _) | (None, Some(line)) => self.line(" ", line),
                (None, None) => break,
            }
        }
    }

    fn context(&mut self, hunk: &Hunk<'_>, old: (i64, usize), new: (i64, usize)) {
        let range = |(first, count): (i64, usize)| match count {
            0 => "0".to_owned(),
            1 => first.to_string(),
            _ => format!("{first},{}", first + count as i64 - 1),
        };
        self.bytes.extend_from_slice(b"***************");
        self.bytes.extend_from_slice(&hunk.function);
        self.bytes.extend(format!("\n*** {}{}\n", range(old), self.stars).bytes());
        let marks = context_marks(hunk, self.marks_changes);
        for (line, mark) in hunk.old.iter().zip(marks.0) {
            self.line(mark, line);
        }
        self.bytes.extend(format!("--- {}{}\n", range(new), self.dashes).bytes());
        for (line, mark) in hunk.new.iter().zip(marks.1) {
            self.line(mark, line);
        }
    }

    /// A line without an end stays so: the model has no mark for it here.
    fn line(&mut self, mark: &str, line: &HunkLine<'_>) {
        self.bytes.extend_from_slice(mark.as_bytes());
        self.bytes.extend_from_slice(&line.text);
    }
}

/// The marks of a context diff: a change that has both sides is `!`.
fn context_marks(hunk: &Hunk<'_>, marks_changes: bool) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut old_marks, mut new_marks) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (0, 0);
    while old < hunk.old.len() || new < hunk.new.len() {
        let run = |side: &[HunkLine<'_>], from: usize| {
            side[from..].iter().take_while(|line| line.mark != Mark::Context).count()
        };
        let (gone, come) = (run(&hunk.old, old), run(&hunk.new, new));
        let unified = |mark| matches!(mark, Mark::Removed | Mark::Added);
        let both = marks_changes && gone > 0 && come > 0;
        for line in &hunk.old[old..old + gone] {
            old_marks.push(if both || !unified(line.mark) { "! " } else { "- " });
        }
        for line in &hunk.new[new..new + come] {
            new_marks.push(if both || !unified(line.mark) { "! " } else { "+ " });
        }
        (old, new) = (old + gone, new + come);
        if old < hunk.old.len() {
            old_marks.push("  ");
            old += 1;
        }
        if new < hunk.new.len() {
            new_marks.push("  ");
            new += 1;
        }
    }
    (old_marks, new_marks)
}
