//! An edit on its way to becoming a reply, and the formats that it is written in.

use super::{
    edits::{FileEdit, Hunk, Op, Tag, count, indent, new_side, old},
    rng::Rng,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    SearchReplace,
    Fenced,
    WholeFile,
    Elided,
    Unified,
    Numberless,
    V4a,
}

impl Format {
    pub const ALL: [Format; 7] = [
        Format::SearchReplace,
        Format::Fenced,
        Format::WholeFile,
        Format::Elided,
        Format::Unified,
        Format::Numberless,
        Format::V4a,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Format::SearchReplace => "search-replace",
            Format::Fenced => "search-replace-fenced",
            Format::WholeFile => "whole-file",
            Format::Elided => "elided",
            Format::Unified => "unified",
            Format::Numberless => "udiff",
            Format::V4a => "v4a",
        }
    }

    /// An old and a new text.
    pub fn is_block(self) -> bool {
        matches!(self, Format::SearchReplace | Format::Fenced)
    }

    /// Prefixed lines.
    pub fn is_diff(self) -> bool {
        matches!(self, Format::Unified | Format::Numberless | Format::V4a)
    }

    /// The old text is quoted.
    pub fn quotes(self) -> bool {
        self.is_block() || self.is_diff()
    }
}

/// What only refusing or the truth may come of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The edit carried out, or a refusal.
    Truth,
    /// An unchanged tree, accepted or refused.
    Unchanged,
    /// A refusal.
    Refusal,
}

/// One block or hunk as written: which file, the true hunk, the lines as the model wrote them.
#[derive(Clone, Debug)]
pub struct Written {
    pub file: usize,
    pub hunk: Hunk,
    pub ops: Vec<Op>,
}

/// Which bytes a file is stored as.
#[derive(Clone, Copy, Debug)]
pub struct Storage {
    pub crlf: bool,
    pub bom: bool,
    pub newline: bool,
}

/// The reply while it is made.
#[derive(Clone, Debug)]
pub struct Draft {
    pub format: Format,
    pub edits: Vec<FileEdit>,
    pub blocks: Vec<Written>,
    /// Per file: the path as written, both trees, the whole file as written.
    pub paths: Vec<String>,
    pub before: Vec<Vec<String>>,
    pub after: Vec<Vec<String>>,
    pub whole: Vec<Vec<String>>,
    pub storage: Vec<Storage>,
    pub expect: Expect,
    /// The model's white space on context lines is tolerable.
    pub alt: bool,
    /// Added to the header's line numbers, and to both counts.
    pub numbers: i64,
    pub counts: Vec<i64>,
    pub unprefixed: bool,
    pub bare_blanks: bool,
    pub git_header: bool,
}

impl Draft {
    pub fn new(format: Format, edits: Vec<FileEdit>, storage: Vec<Storage>) -> Draft {
        let mut blocks = Vec::new();
        for (file, edit) in edits.iter().enumerate() {
            blocks.extend(edit.hunks.iter().map(|hunk| Written {
                file,
                hunk: hunk.clone(),
                ops: hunk.ops.clone(),
            }));
        }
        Draft {
            format,
            paths: edits.iter().map(|edit| edit.path.clone()).collect(),
            before: edits.iter().map(|edit| edit.before.clone()).collect(),
            after: edits.iter().map(|edit| edit.after.clone()).collect(),
            whole: edits.iter().map(|edit| edit.after.clone()).collect(),
            counts: vec![0; blocks.len()],
            blocks,
            edits,
            storage,
            expect: Expect::Truth,
            alt: false,
            numbers: 0,
            unprefixed: false,
            bare_blanks: false,
            git_header: true,
        }
    }

    /// Changes the text of all written lines with one of the tags.
    pub fn map_lines(&mut self, tags: &[Tag], change: impl Fn(&str) -> String) {
        for (tag, text) in self.blocks.iter_mut().flat_map(|block| &mut block.ops) {
            if tags.contains(tag) {
                *text = change(text);
            }
        }
    }

    /// The trees that an applier leaves which takes the model's context lines literally.
    pub fn literal(&self) -> Vec<Vec<String>> {
        let mut out = self.after.clone();
        for block in self.blocks.iter().rev() {
            let new: Vec<String> = new_side(&block.ops).into_iter().map(str::to_owned).collect();
            let start = block.hunk.after;
            out[block.file].splice(start..start + block.hunk.new_side().len(), new);
        }
        out
    }

    /// The reply; `None` if the format can't hold this text.
    pub fn write(&self) -> Option<String> {
        match self.format {
            Format::SearchReplace | Format::Fenced => self.search_replace(),
            Format::Unified => Some(self.unified()),
            Format::Numberless => self.numberless(),
            Format::V4a => Some(self.v4a()),
            Format::WholeFile => self.whole_file(&self.whole),
            Format::Elided => {
                let elided: Option<Vec<Vec<String>>> = self.edits.iter().map(elide).collect();
                self.whole_file(&elided?)
            }
        }
    }

    fn search_replace(&self) -> Option<String> {
        let mut out = Vec::new();
        for block in &self.blocks {
            let (old, new) = (old(&block.ops), new_side(&block.ops));
            let fenced = self.format == Format::Fenced;
            if fenced && old.iter().chain(&new).any(|line| line.trim_start().starts_with("```")) {
                return None;
            }
            out.push(self.paths[block.file].clone());
            if fenced {
                out.push(format!("```{}", self.edits[block.file].language.fence()));
            }
            out.push("<<<<<<< SEARCH".into());
            out.extend(old.into_iter().map(str::to_owned));
            out.push("=======".into());
            out.extend(new.into_iter().map(str::to_owned));
            out.push(">>>>>>> REPLACE".into());
            if fenced {
                out.push("```".into());
            }
            out.push(String::new());
        }
        Some(out.join("\n"))
    }

    fn line(&self, (tag, text): &Op) -> String {
        match tag {
            Tag::Keep if self.unprefixed || (self.bare_blanks && text.is_empty()) => text.clone(),
            Tag::Keep => format!(" {text}"),
            Tag::Remove => format!("-{text}"),
            Tag::Add => format!("+{text}"),
        }
    }

    fn unified(&self) -> String {
        let (mut out, mut last) = (Vec::new(), None);
        for (at, block) in self.blocks.iter().enumerate() {
            if last.replace(block.file) != Some(block.file) {
                let path = &self.paths[block.file];
                let (a, b) = match self.git_header {
                    true => (format!("a/{path}"), format!("b/{path}")),
                    false => (path.clone(), path.clone()),
                };
                out.extend(self.git_header.then(|| format!("diff --git {a} {b}")));
                out.extend([format!("--- {a}"), format!("+++ {b}")]);
            }
            let (old, new) = (old(&block.ops).len(), new_side(&block.ops).len());
            let start = |at: usize, count: usize| {
                (at as i64 + i64::from(count > 0) + self.numbers).max(i64::from(self.numbers != 0))
            };
            let counted = |count: usize| match self.counts[at] {
                0 => count as i64,
                by => (count as i64 + by).max(1),
            };
            out.push(format!(
                "@@ -{},{} +{},{} @@",
                start(block.hunk.before, old),
                counted(old),
                start(block.hunk.after, new),
                counted(new)
            ));
            out.extend(block.ops.iter().map(|op| self.line(op)));
        }
        out.join("\n") + "\n"
    }

    fn numberless(&self) -> Option<String> {
        let (mut out, mut last) = (Vec::<String>::new(), None);
        for block in &self.blocks {
            if block.ops.iter().any(|op| self.line(op).starts_with("```")) {
                return None;
            }
            if last.replace(block.file) != Some(block.file) {
                if !out.is_empty() {
                    out.extend(["```".into(), String::new()]);
                }
                let path = &self.paths[block.file];
                out.extend(["```diff".into(), format!("--- {path}"), format!("+++ {path}")]);
            }
            out.push("@@ ... @@".into());
            out.extend(block.ops.iter().map(|op| self.line(op)));
        }
        Some(out.join("\n") + "\n```\n")
    }

    fn v4a(&self) -> String {
        let (mut out, mut last) = (vec!["*** Begin Patch".to_owned()], None);
        for block in &self.blocks {
            if last.replace(block.file) != Some(block.file) {
                out.push(format!("*** Update File: {}", self.paths[block.file]));
            }
            out.push("@@".into());
            out.extend(block.ops.iter().map(|op| self.line(op)));
        }
        out.join("\n") + "\n*** End Patch\n"
    }

    fn whole_file(&self, whole: &[Vec<String>]) -> Option<String> {
        let mut out = Vec::new();
        for (file, lines) in whole.iter().enumerate() {
            if lines.iter().any(|line| line.trim_start().starts_with("```")) {
                return None;
            }
            out.push(self.paths[file].clone());
            out.push(format!("```{}", self.edits[file].language.fence()));
            out.extend(lines.iter().cloned());
            out.extend(["```".into(), String::new()]);
        }
        Some(out.join("\n"))
    }
}

/// The new file with each stretch between the hunks replaced by a comment; the kept pieces end in text
/// that stands once.
fn elide(edit: &FileEdit) -> Option<Vec<String>> {
    let (left, right) = edit.language.comment()?;
    let dots = |pad: &str| format!("{pad}{left}... existing code ...{right}");
    let (mut out, mut at) = (Vec::new(), 0);
    for hunk in &edit.hunks {
        let lead = hunk.ops.iter().take_while(|(tag, _)| *tag == Tag::Keep);
        let tail = hunk.ops.iter().rev().take_while(|(tag, _)| *tag == Tag::Keep);
        let lead: Vec<&str> = lead.map(|(_, text)| text.as_str()).collect();
        let mut tail: Vec<&str> = tail.map(|(_, text)| text.as_str()).collect();
        tail.reverse();
        let end = hunk.before + hunk.old().len();
        let anchors = |lines: &[&str]| solid(lines) && count(&edit.before, lines) == 1;
        // Lines that go at an end of the file leave a piece that only looks like the file's end.
        if lead.is_empty() || tail.is_empty() {
            return None;
        }
        if hunk.before > 0 && !anchors(&lead) || end < edit.before.len() && !anchors(&tail) {
            return None;
        }
        if hunk.before > at {
            let new = hunk.new_side();
            let first = new.iter().find(|line| !line.trim().is_empty());
            out.push(dots(first.map_or("", |line| indent(line))));
        }
        out.extend(hunk.new_side().into_iter().map(str::to_owned));
        at = end;
    }
    if at < edit.before.len() {
        out.push(dots(""));
    }
    Some(out)
}

/// Two lines with a word in each.
pub fn solid(lines: &[&str]) -> bool {
    lines.iter().filter(|line| line.chars().filter(|c| c.is_alphanumeric()).count() >= 2).count() >= 2
}

/// How a file is stored; a last line without newline only where no edit touches it.
pub fn storage(rng: &mut Rng, format: Format, edit: &FileEdit) -> Storage {
    let touched = edit.changes.last().is_some_and(|change| change.i2 >= edit.before.len());
    let newline = touched || !format.quotes() || !rng.chance(10);
    Storage { crlf: rng.chance(8), bom: rng.chance(4), newline }
}
