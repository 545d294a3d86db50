//! Follows a retry text to the letter: the quoted old text is replaced by the lines that it shows.

use std::{borrow::Cow, path::Path};

use edapply::{
    commit::Writer,
    convert,
    edit::{Body, Edit, Format, Hunk, HunkLine, Line, Op, Tag},
    input,
    plan::{HunkOutcome, Policy},
    report::{Exit, Mode, Report, retry},
    request::{Checks, Limits, Request, Source},
    run,
    text::Eol,
};

/// One edit's part of the text: the hunk's line in the reply, and the blocks to choose from.
pub struct Part {
    pub id: usize,
    pub line: usize,
    pub blocks: Vec<Block>,
}

/// Lines as shown, and which of them stand for the reply's own.
pub struct Block {
    pub lines: Vec<String>,
    /// Lines that tell the place, at the head and at the end.
    pub beyond: (usize, usize),
    /// The first and last line of the file that stand for the reply's own.
    pub own: (usize, usize),
}

/// Plans a reply on a folder; nothing is written there.
pub fn plan(root: &Path, reply: &Path, state: &Path) -> Report {
    let request = Request {
        inputs: vec![Source::File(reply.into())],
        each: false,
        root: Some(root.into()),
        format: None,
        policy: Policy::default(),
        limits: Limits::default(),
        mode: Mode::Check,
        retry: true,
        writer: Writer { state_dir: Some(state.into()), ..Writer::default() },
        checks: Checks::default(),
    };
    run::apply(&request, &mut std::io::empty()).pop().expect("a report")
}

/// What the program says to a refused reply.
pub fn text(report: &Report) -> String {
    let mut out = Vec::new();
    retry::write(report, &mut out).expect("memory");
    String::from_utf8(out).expect("text")
}

/// Reads the text as a careful model would.
pub fn parts(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut lines = text.lines();
    let mut said = String::new();
    while let Some(line) = lines.next() {
        if let Some(rest) = line.strip_prefix("Edit ") {
            let numbers: Vec<usize> = rest
                .split(|c: char| !c.is_ascii_digit())
                .filter_map(|word| word.parse().ok())
                .take(2)
                .collect();
            parts.push(Part { id: numbers[0], line: numbers[1], blocks: Vec::new() });
        }
        if let Some(fence) = line.strip_suffix("text").filter(|fence| fence.starts_with("```")) {
            let shown: Vec<String> =
                lines.by_ref().take_while(|line| *line != fence).map(str::to_owned).collect();
            if let (Some(first), Some(part)) = (number_after(&said, "ines "), parts.last_mut()) {
                let beyond = beyond(&said);
                let last = number_after(&said[said.find("ines ").unwrap_or(0)..], " to ").unwrap_or(first);
                let own = if said.contains("For lines") {
                    (first, last)
                } else {
                    (first + beyond.0, last - beyond.1)
                };
                part.blocks.push(Block { lines: shown, beyond, own });
            }
        }
        said = line.to_owned();
    }
    parts
}

fn number_after(text: &str, word: &str) -> Option<usize> {
    let rest = &text[text.find(word)? + word.len()..];
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn beyond(said: &str) -> (usize, usize) {
    let side = |word: &str| match (
        said.contains(&format!("the {word} line")),
        number_after(said, &format!("the {word} ")),
    ) {
        (_, Some(count)) => count,
        (true, None) => 1,
        (false, None) => 0,
    };
    (side("first"), side("last"))
}

/// The edits with one hunk's old text replaced by a block.
pub fn corrected<'i>(edits: &[Edit<'i>], part: &Part, block: &Block) -> Option<Vec<Edit<'i>>> {
    let mut edits = edits.to_vec();
    let edit = edits.iter_mut().find(|edit| edit.id == part.id)?;
    let format = edit.format;
    let Op::Update { hunks } = &mut edit.op else { return None };
    let hunk = hunks.iter_mut().find(|hunk| hunk.span.first == part.line)?;
    let body = match format {
        Format::Unified | Format::V4a => diffed(hunk, block),
        Format::EditCall => {
            let text: String = serde_json::from_str(&block.lines.join("\n")).ok()?;
            blocked(hunk, block, &text.lines().map(str::to_owned).collect::<Vec<_>>())
        }
        _ => blocked(hunk, block, &block.lines),
    };
    hunk.readings = vec![body];
    hunk.hints.literal = None;
    Some(edits)
}

fn line(text: &str) -> Line<'static> {
    Line { text: Cow::Owned(text.as_bytes().to_vec()), eol: Eol::Lf }
}

/// Old: what is shown. New: the reply's own, with the lines that tell the place around it.
fn blocked<'i>(hunk: &Hunk<'i>, block: &Block, shown: &[String]) -> Body<'i> {
    let (above, below) = block.beyond;
    let mut new: Vec<Line<'i>> = shown[..above].iter().map(|text| line(text)).collect();
    new.extend(hunk.body().new_side().map(|one| Line { text: one.text.clone(), eol: Eol::Lf }));
    new.extend(shown[shown.len() - below..].iter().map(|text| line(text)));
    Body::block(shown.iter().map(|text| line(text)).collect(), new)
}

/// The signed lines, with the reply's `+` lines behind the same ones as before.
fn diffed<'i>(hunk: &Hunk<'i>, block: &Block) -> Body<'i> {
    let (above, below) = block.beyond;
    let shown: Vec<HunkLine<'i>> = block
        .lines
        .iter()
        .map(|text| {
            let tag = if text.starts_with('-') { Tag::Remove } else { Tag::Keep };
            HunkLine { tag, text: Cow::Owned(text.as_bytes()[1..].to_vec()), eol: Eol::Lf }
        })
        .collect();
    let own = &shown[above..shown.len() - below];
    let mut lines: Vec<HunkLine<'i>> = shown[..above].to_vec();
    let even = own.len() == hunk.body().old().count();
    if even {
        let mut real = own.iter();
        for one in &hunk.body().lines {
            match one.tag {
                Tag::Add => lines.push(one.clone()),
                _ => lines.extend(real.next().cloned()),
            }
        }
    } else {
        let last = own.iter().rposition(|one| one.tag == Tag::Remove).map_or(0, |at| at + 1);
        lines.extend(own[..last].iter().cloned());
        lines.extend(hunk.body().lines.iter().filter(|one| one.tag == Tag::Add).cloned());
        lines.extend(own[last..].iter().cloned());
    }
    lines.extend(shown[shown.len() - below..].iter().cloned());
    Body::diff(lines)
}

/// What following a text came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Followed {
    /// Applied where it belongs.
    Right,
    /// Refused again, or the text shows no lines.
    Fail,
    /// Applied elsewhere.
    Wrong,
}

/// Follows every offered block of a refused reply. `is_right`: whether the tree is what was meant, where
/// one block only is offered; of several, each must land at its own place.
pub fn follow(root: &Path, reply: &Path, beside: &Path, is_right: impl Fn(&Report) -> bool) -> Vec<Followed> {
    let report = plan(root, reply, beside);
    assert_ne!(report.exit(), Exit::Ok, "a refused reply");
    let bytes = std::fs::read(reply).expect("a reply");
    let parsed = input::read(&bytes, None);
    let parts = parts(&text(&report));
    let [part] = &parts[..] else { return vec![Followed::Fail] };
    if part.blocks.is_empty() {
        return vec![Followed::Fail];
    }
    let one = part.blocks.len() == 1;
    part.blocks
        .iter()
        .map(|block| {
            let again = corrected(&parsed.edits, part, block)
                .and_then(|edits| convert::write(&edits, edits[0].format).ok());
            let Some(again) = again else { return Followed::Fail };
            let path = beside.join("again.txt");
            std::fs::write(&path, &again.text).expect("a file");
            let report = plan(root, &path, beside);
            if report.exit() != Exit::Ok {
                return Followed::Fail;
            }
            let alone = parsed.edits.iter().map(hunks).sum::<usize>() == 1;
            let right = if one { is_right(&report) } else { lands(&report, part, block) };
            let right = right && (!alone || keeps_the_rest(&report, block));
            if right { Followed::Right } else { Followed::Wrong }
        })
        .collect()
}

fn hunks(edit: &Edit<'_>) -> usize {
    if let Op::Update { hunks } = &edit.op { hunks.len() } else { 0 }
}

/// Whether all lines above and below the block that was shown are as before.
pub fn keeps_the_rest(report: &Report, block: &Block) -> bool {
    let [change] = &report.changes[..] else { return false };
    let lines = |image: &Option<edapply::tree::Image>| -> Vec<Vec<u8>> {
        let bytes = image.as_ref().map_or(&[][..], |image| &image.bytes[..]);
        bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect()
    };
    let (before, after) = (lines(&change.before), lines(&change.after));
    let head = block.own.0 - 1;
    let tail = before.len() - block.own.1.min(before.len());
    after.len() >= head + tail
        && before[..head] == after[..head]
        && before[before.len() - tail..] == after[after.len() - tail..]
}

/// Whether the hunk went to its own place.
fn lands(report: &Report, part: &Part, block: &Block) -> bool {
    let mine = report.inputs.iter().flat_map(|input| &input.verdicts).filter(|verdict| verdict.id >= part.id);
    let mut hunks = mine.flat_map(|verdict| &verdict.hunks);
    hunks.any(|hunk| match hunk.outcome {
        HunkOutcome::Placed { first, .. } => {
            first + block.beyond.0 >= block.own.0 && first <= block.own.1 + block.beyond.1 + 1
        }
        _ => false,
    })
}
