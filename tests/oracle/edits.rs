//! True edits: a file before and after, and the hunks between.

use super::{
    files::{self, Language},
    rng::Rng,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    Keep,
    Remove,
    Add,
}

pub type Op = (Tag, String);

/// One hunk: where it begins in both files (from 0), and its lines.
#[derive(Clone, Debug)]
pub struct Hunk {
    pub before: usize,
    pub after: usize,
    pub ops: Vec<Op>,
}

impl Hunk {
    pub fn old(&self) -> Vec<&str> {
        old(&self.ops)
    }

    pub fn new_side(&self) -> Vec<&str> {
        new_side(&self.ops)
    }
}

pub fn old(ops: &[Op]) -> Vec<&str> {
    ops.iter().filter(|(tag, _)| *tag != Tag::Add).map(|(_, text)| text.as_str()).collect()
}

pub fn new_side(ops: &[Op]) -> Vec<&str> {
    ops.iter().filter(|(tag, _)| *tag != Tag::Remove).map(|(_, text)| text.as_str()).collect()
}

/// `before[i1..i2]` becomes `after[j1..j2]`.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub i1: usize,
    pub i2: usize,
    pub j1: usize,
    pub j2: usize,
}

/// One file's true edit.
#[derive(Clone, Debug)]
pub struct FileEdit {
    pub path: String,
    pub language: Language,
    pub before: Vec<String>,
    pub after: Vec<String>,
    pub changes: Vec<Change>,
    pub hunks: Vec<Hunk>,
}

/// An invented file and an edit of it whose every hunk quotes text that stands exactly once.
pub fn file_edit(rng: &mut Rng, number: usize) -> Option<FileEdit> {
    let language = *rng.pick(&Language::ALL);
    let before = files::lines(rng, language);
    let folder = *rng.pick(&["src", "lib/core", "docs", "."]);
    let stem = format!("{}_{}{number}", files::word(rng), files::word(rng));
    let path = format!("{folder}/{stem}.{}", language.extension()).trim_start_matches("./").to_owned();
    let mut script: Vec<Op> = before.iter().map(|line| (Tag::Keep, line.clone())).collect();
    for _ in 0..rng.range(1, 3) {
        change(rng, &mut script, language);
    }
    let after: Vec<String> = new_side(&script).into_iter().map(str::to_owned).collect();
    if before == after {
        return None;
    }
    let hunks = (3..=10).map(|context| hunks(&script, context)).find(|hunks| are_unique(&before, hunks))?;
    let changes = changes(&script);
    Some(FileEdit { path, language, before, after, changes, hunks })
}

/// Every old text stands once, and none is made by another hunk.
fn are_unique(before: &[String], hunks: &[Hunk]) -> bool {
    hunks.iter().enumerate().all(|(at, hunk)| {
        let old = hunk.old();
        count(before, &old) == 1
            && hunks.iter().enumerate().all(|(other, by)| other == at || count(&by.new_side(), &old) == 0)
    })
}

/// How often `block` stands in `lines`.
pub fn count<S: AsRef<str>>(lines: &[S], block: &[&str]) -> usize {
    if block.is_empty() {
        return 0;
    }
    lines.windows(block.len()).filter(|at| at.iter().zip(block).all(|(a, b)| a.as_ref() == *b)).count()
}

/// Changes some lines that nothing has changed yet.
fn change(rng: &mut Rng, script: &mut Vec<Op>, language: Language) {
    let len = rng.range(1, 3).min(script.len());
    let at = rng.below(script.len() - len + 1);
    let margin = at.saturating_sub(1)..(at + len + 1).min(script.len());
    if script[margin].iter().any(|(tag, _)| *tag != Tag::Keep) || script[at].1.trim().is_empty() {
        return;
    }
    let kept: Vec<String> = script[at..at + len].iter().map(|(_, text)| text.clone()).collect();
    let removed = || kept.iter().map(|text| (Tag::Remove, text.clone()));
    let ops: Vec<Op> = match rng.below(10) {
        0..4 => {
            let new = kept.iter().map(|text| files::reworded(rng, text).unwrap_or_else(|| text.clone()));
            let new: Vec<String> = new.collect();
            line_diff(&kept, &new)
        }
        4..7 => {
            let count = rng.range(1, 3);
            let added = (0..count).map(|_| (Tag::Add, invented(rng, language, &kept[0]))).collect::<Vec<_>>();
            let keep = kept.iter().map(|text| (Tag::Keep, text.clone()));
            if rng.chance(50) { added.into_iter().chain(keep).collect() } else { keep.chain(added).collect() }
        }
        7..9 => removed().collect(),
        _ => {
            let added = (0..rng.range(1, 3)).map(|_| (Tag::Add, invented(rng, language, &kept[0])));
            removed().chain(added.collect::<Vec<_>>()).collect()
        }
    };
    script.splice(at..at + len, ops);
}

/// Equal lines are kept.
fn line_diff(old: &[String], new: &[String]) -> Vec<Op> {
    let mut out: Vec<Op> = Vec::new();
    let mut added: Vec<Op> = Vec::new();
    for (a, b) in old.iter().zip(new) {
        if a == b {
            out.append(&mut added);
            out.push((Tag::Keep, a.clone()));
        } else {
            out.push((Tag::Remove, a.clone()));
            added.push((Tag::Add, b.clone()));
        }
    }
    out.append(&mut added);
    out
}

/// A new line that fits beside `near`.
fn invented(rng: &mut Rng, language: Language, near: &str) -> String {
    let pad = indent(near);
    let kind = near.trim_start();
    match language {
        Language::Python | Language::C | Language::Script => {
            pad.to_owned() + &files::statement(rng, language)
        }
        Language::Yaml if kind.starts_with("- ") => format!("{pad}- {}_{}", files::word(rng), rng.below(99)),
        Language::Yaml => format!("{pad}{}: {}", files::word(rng), rng.below(99)),
        Language::Markdown if kind.starts_with("- ") => {
            format!("- `{}`: for the {}", files::word(rng), files::word(rng))
        }
        Language::Markdown if kind.starts_with('|') => {
            format!("| `{}` | {} |", files::word(rng), rng.below(999))
        }
        _ => format!("{pad}A {} may {} the {}.", files::word(rng), files::word(rng), files::word(rng)),
    }
}

pub fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Groups the changes of a script with so many lines of context.
fn hunks(script: &[Op], context: usize) -> Vec<Hunk> {
    let changed: Vec<usize> = (0..script.len()).filter(|&at| script[at].0 != Tag::Keep).collect();
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for at in changed {
        let (start, end) = (at.saturating_sub(context), (at + context + 1).min(script.len()));
        match spans.last_mut() {
            Some(last) if start <= last.1 => last.1 = end,
            _ => spans.push((start, end)),
        }
    }
    let position = |at: usize, without: Tag| script[..at].iter().filter(|(tag, _)| *tag != without).count();
    spans
        .into_iter()
        .map(|(start, end)| Hunk {
            before: position(start, Tag::Add),
            after: position(start, Tag::Remove),
            ops: script[start..end].to_vec(),
        })
        .collect()
}

fn changes(script: &[Op]) -> Vec<Change> {
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    for group in script.chunk_by(|a, b| (a.0 == Tag::Keep) == (b.0 == Tag::Keep)) {
        let (old, new) = (old(group).len(), new_side(group).len());
        if group[0].0 != Tag::Keep {
            out.push(Change { i1: i, i2: i + old, j1: j, j2: j + new });
        }
        (i, j) = (i + old, j + new);
    }
    out
}
