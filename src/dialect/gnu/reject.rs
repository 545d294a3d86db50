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
    wanted: Option<RejectFormat>,
}

/// Lines of the input at which the two sides of a hunk disagree.
pub type OutOfSync = (usize, usize);

impl Rejects {
    pub fn new(wanted: Option<RejectFormat>) -> Rejects {
        Rejects { bytes: Vec::new(), wanted }
    }

    /// Adds a hunk; `growth` is how many lines the hunks before it added to the file.
    pub fn push(
        &mut self,
        hunk: &Hunk<'_>,
        kind: Kind,
        growth: i64,
        header: &Header,
        reverse: bool,
    ) -> Result<(), OutOfSync> {
        let format = match self.wanted {
            Some(format) => format,
            None if kind == Kind::Unified => RejectFormat::Unified,
            None => RejectFormat::Context,
        };
        if self.bytes.is_empty() {
            self.header(format, header, reverse);
        }
        let old = (hunk.old_first + growth, hunk.old.len());
        let new = (hunk.new_first + growth, hunk.new.len());
        match format {
            RejectFormat::Unified => self.unified(hunk, old, new),
            RejectFormat::Context => {
                self.context(hunk, kind, old, new);
                Ok(())
            }
        }
    }

    fn header(&mut self, format: RejectFormat, header: &Header, reverse: bool) {
        if let Some(index) = &header.names[INDEX] {
            self.bytes.extend([b"Index: ", &index[..], b"\n"].concat());
        }
        let marks = match format {
            RejectFormat::Unified => ["--- ", "+++ "],
            RejectFormat::Context => ["*** ", "--- "],
        };
        for (mark, side) in marks.into_iter().zip([usize::from(reverse), usize::from(!reverse)]) {
            let name = header.names[side].as_deref().map_or(b"/dev/null".to_vec(), quote::header);
            self.bytes.extend([mark.as_bytes(), &name, &header.tails[side], b"\n"].concat());
        }
    }

    fn unified(&mut self, hunk: &Hunk<'_>, old: (i64, usize), new: (i64, usize)) -> Result<(), OutOfSync> {
        let range = |(first, count): (i64, usize)| match count {
            0 => format!("{},0", first - 1),
            1 => first.to_string(),
            _ => format!("{first},{count}"),
        };
        self.bytes.extend(format!("@@ -{} +{} @@", range(old), range(new)).bytes());
        self.bytes.extend_from_slice(&hunk.function);
        self.bytes.push(b'\n');
        let (mut old, mut new) = (0, 0);
        loop {
            let gone = |line: &&HunkLine<'_>| matches!(line.mark, Mark::Removed | Mark::Changed);
            while let Some(line) = hunk.old.get(old).filter(gone) {
                self.line("-", line);
                old += 1;
            }
            let come = |line: &&HunkLine<'_>| matches!(line.mark, Mark::Added | Mark::Changed);
            while let Some(line) = hunk.new.get(new).filter(come) {
                self.line("+", line);
                new += 1;
            }
            match (hunk.old.get(old), hunk.new.get(new)) {
                (None, None) => return Ok(()),
                (Some(line), Some(same)) if line.mark == same.mark => self.line(" ", line),
                _ => return Err(hunk.disagreement(old, new)),
            }
            (old, new) = (old + 1, new + 1);
        }
    }

    fn context(&mut self, hunk: &Hunk<'_>, kind: Kind, old: (i64, usize), new: (i64, usize)) {
        // What old-fashioned context diffs write behind their ranges.
        let (stars, dashes) = match kind {
            Kind::Unified | Kind::NewContext => (" ****", " ----"),
            _ => ("", " -----"),
        };
        let range = |(first, count): (i64, usize)| match count {
            0 => "0".to_owned(),
            1 => first.to_string(),
            _ => format!("{first},{}", first + count as i64 - 1),
        };
        self.bytes.extend_from_slice(b"***************");
        self.bytes.extend_from_slice(&hunk.function);
        self.bytes.extend(format!("\n*** {}{stars}\n", range(old)).bytes());
        let marks = if kind == Kind::Unified { grouped_marks(hunk) } else { plain_marks(hunk) };
        for (line, mark) in hunk.old.iter().zip(marks.0) {
            self.line(mark, line);
        }
        if hunk.gap {
            self.bytes.push(b'\n');
        }
        self.bytes.extend(format!("--- {}{dashes}\n", range(new)).bytes());
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

/// The marks of both sides.
type Marks = (Vec<&'static str>, Vec<&'static str>);

/// As they were read.
fn plain_marks(hunk: &Hunk<'_>) -> Marks {
    let mark = |line: &HunkLine<'_>| match line.mark {
        Mark::Context => "  ",
        Mark::Removed => "- ",
        Mark::Added => "+ ",
        Mark::Changed => "! ",
    };
    (hunk.old.iter().map(mark).collect(), hunk.new.iter().map(mark).collect())
}

/// As in a context diff: a change that has both sides is `!`.
fn grouped_marks(hunk: &Hunk<'_>) -> Marks {
    let (mut old_marks, mut new_marks) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (0, 0);
    while old < hunk.old.len() || new < hunk.new.len() {
        let run = |side: &[HunkLine<'_>], from: usize| {
            side[from..].iter().take_while(|line| line.mark != Mark::Context).count()
        };
        let (gone, come) = (run(&hunk.old, old), run(&hunk.new, new));
        let both = gone > 0 && come > 0;
        old_marks.extend(std::iter::repeat_n(if both { "! " } else { "- " }, gone));
        new_marks.extend(std::iter::repeat_n(if both { "! " } else { "+ " }, come));
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
