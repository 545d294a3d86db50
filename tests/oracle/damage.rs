//! The ways in which models err. Each changes a draft, or says that it can't.

use super::{
    edits::{Op, Tag, count, indent, new_side, old},
    rng::Rng,
    write::{Draft, Expect, Format, solid},
};

/// A way to err: its name, the formats that can, and what it does.
pub struct Behavior {
    pub name: &'static str,
    pub formats: fn(Format) -> bool,
    pub damage: fn(&mut Draft, &mut Rng) -> Option<()>,
    /// Changes the finished text.
    pub finish: Option<Finish>,
}

type Finish = fn(&Draft, &mut Rng, String) -> Option<String>;

const fn of_draft(
    name: &'static str,
    formats: fn(Format) -> bool,
    damage: fn(&mut Draft, &mut Rng) -> Option<()>,
) -> Behavior {
    Behavior { name, formats, damage, finish: None }
}

const fn of_text(name: &'static str, finish: Finish) -> Behavior {
    Behavior { name, formats: any, damage: nothing, finish: Some(finish) }
}

fn any(_: Format) -> bool {
    true
}

fn blocks(format: Format) -> bool {
    format.quotes()
}

fn diffs(format: Format) -> bool {
    format.is_diff()
}

fn unified(format: Format) -> bool {
    format == Format::Unified
}

fn searches(format: Format) -> bool {
    format.is_block()
}

fn blocks_and_whole(format: Format) -> bool {
    format.quotes() || format == Format::WholeFile
}

fn nothing(_: &mut Draft, _: &mut Rng) -> Option<()> {
    Some(())
}

pub const BEHAVIORS: &[Behavior] = &[
    of_draft("correct", any, nothing),
    of_draft("dedented", blocks, dedented),
    of_draft("tabs-spaces", blocks, tabs_spaces),
    of_draft("trailing-space-dropped", blocks, trailing_space_dropped),
    of_draft("respaced", blocks, respaced),
    of_draft("typographic", blocks, typographic),
    of_draft("stale-numbers", unified, stale_numbers),
    of_draft("miscounted", unified, miscounted),
    of_draft("blank-context-bare", diffs, blank_context_bare),
    of_draft("context-unprefixed", diffs, context_unprefixed),
    of_draft("line-numbers-copied", blocks_and_whole, line_numbers_copied),
    of_draft("middle-elided", searches, middle_elided),
    of_draft("context-invented", blocks, context_invented),
    of_draft("context-dropped", blocks, context_dropped),
    of_draft("typo-in-context", blocks, |draft, rng| typo_in(draft, rng, Tag::Keep)),
    of_draft("typo-in-removed", blocks, |draft, rng| typo_in(draft, rng, Tag::Remove)),
    of_draft("path-prefix", any, path_prefix),
    of_draft("crlf-file", any, crlf_file),
    of_draft("already-applied", any, already_applied),
    of_draft("block-twice", blocks, block_twice),
    of_draft("blocks-reversed", blocks, blocks_reversed),
    of_draft("html-escaped", blocks_and_whole, html_escaped),
    of_draft("ambiguous", blocks, ambiguous),
    of_text("no-final-newline", |_, _, text| Some(text.trim_end_matches('\n').to_owned())),
    of_text("crlf-reply", |_, _, text| Some(text.replace('\n', "\r\n"))),
    Behavior {
        name: "truncated",
        formats: any,
        damage: |draft, _| {
            draft.expect = Expect::Refusal;
            Some(())
        },
        finish: Some(truncated),
    },
    of_text("prose-and-fences", prose_and_fences),
];

pub fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The file's step of indentation where all lines keep to it.
fn unit(draft: &Draft, file: usize) -> Option<&'static str> {
    let edit = &draft.edits[file];
    let unit = edit.language.unit();
    let fits = |line: &&String| {
        let pad = indent(line);
        pad.len().is_multiple_of(unit.len()) && pad.chars().all(|c| unit.contains(c))
    };
    edit.before.iter().all(|line| fits(&line)).then_some(unit)
}

/// The old text of every block is unique when all white space is ignored.
fn loosely_unique(draft: &Draft) -> bool {
    draft.blocks.iter().all(|block| {
        let file: Vec<String> = draft.edits[block.file].before.iter().map(|line| squeeze(line)).collect();
        let old: Vec<String> = block.hunk.old().into_iter().map(squeeze).collect();
        count(&file, &old.iter().map(String::as_str).collect::<Vec<_>>()) == 1
    })
}

fn dedented(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    loosely_unique(draft).then_some(())?;
    let mut done = false;
    for at in 0..draft.blocks.len() {
        let Some(unit) = unit(draft, draft.blocks[at].file) else { continue };
        let ops = &mut draft.blocks[at].ops;
        if ops.iter().all(|(_, text)| text.trim().is_empty() || text.starts_with(unit)) {
            for (_, text) in ops.iter_mut().filter(|(_, text)| !text.trim().is_empty()) {
                text.drain(..unit.len());
            }
            done = true;
        }
    }
    done.then_some(())
}

fn tabs_spaces(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    loosely_unique(draft).then_some(())?;
    let mut done = false;
    for at in 0..draft.blocks.len() {
        let unit = unit(draft, draft.blocks[at].file)?;
        let other = if unit == "\t" { "    " } else { "\t" };
        let ops = &mut draft.blocks[at].ops;
        let misfit = |text: &str| {
            !indent(text).len().is_multiple_of(unit.len()) || !indent(text).chars().all(|c| unit.contains(c))
        };
        if ops.iter().any(|(_, text)| misfit(text)) {
            return None;
        }
        done |= ops
            .iter()
            .any(|(tag, text)| *tag != Tag::Add && !text.trim().is_empty() && !indent(text).is_empty());
        for (_, text) in ops {
            let depth = indent(text).len() / unit.len();
            *text = other.repeat(depth) + text.trim_start_matches([' ', '\t']);
        }
    }
    done.then_some(())
}

/// The file has blanks at the end of some context lines, which the reply lacks.
fn trailing_space_dropped(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    loosely_unique(draft).then_some(())?;
    let mut spots: Vec<(usize, usize, usize)> = Vec::new();
    for block in &draft.blocks {
        let (mut i, mut j, mut mine) = (block.hunk.before, block.hunk.after, Vec::new());
        for (tag, text) in &block.ops {
            let twice = block.ops.iter().filter(|(_, other)| other.trim() == text.trim()).count() > 1;
            if *tag == Tag::Keep && !text.trim().is_empty() && !(draft.format.is_block() && twice) {
                mine.push((block.file, i, j));
            }
            i += usize::from(*tag != Tag::Add);
            j += usize::from(*tag != Tag::Remove);
        }
        rng.shuffle(&mut mine);
        spots.extend(mine.into_iter().take(2));
    }
    spots.sort_unstable();
    spots.dedup();
    for &(file, i, j) in &spots {
        draft.before[file][i] += "  ";
        draft.after[file][j] += "  ";
    }
    draft.alt = draft.format.is_block();
    (!spots.is_empty()).then_some(())
}

/// The line with other blanks around its signs; a line with quotes stays.
fn respace(text: &str) -> String {
    let pad = indent(text);
    let body = text.trim();
    if body.contains(['\'', '"', '`']) {
        return text.to_owned();
    }
    let mut tight = body.to_owned();
    for sign in [" += ", " = ", ", ", " + ", ": ", " < ", " * "] {
        let short = sign.trim();
        tight = tight.replace(sign, short);
    }
    if tight != body {
        return pad.to_owned() + &tight;
    }
    let mut loose = String::new();
    let chars: Vec<char> = body.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let inner = at > 0
            && at + 1 < chars.len()
            && chars[at - 1].is_alphanumeric()
            && chars[at + 1].is_alphanumeric();
        if inner && matches!(c, ',' | '=' | '+') {
            loose.extend([' ', *c, ' ']);
        } else {
            loose.push(*c);
        }
    }
    pad.to_owned() + &loose
}

fn respaced(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    loosely_unique(draft).then_some(())?;
    let before: Vec<Vec<Op>> = draft.blocks.iter().map(|block| block.ops.clone()).collect();
    draft.map_lines(&[Tag::Keep, Tag::Remove], respace);
    let mut pairs = draft.blocks.iter().zip(&before);
    let context = |now: &[Op], then: &[Op]| now.iter().zip(then).any(|(a, b)| a.0 == Tag::Keep && a.1 != b.1);
    draft.alt = draft.format.is_block() && pairs.clone().any(|(block, then)| context(&block.ops, then));
    pairs.any(|(block, then)| block.ops != *then).then_some(())
}

fn typographic(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    let curl = |text: &str| {
        let pad = indent(text);
        let mut open = false;
        let body: String = text[pad.len()..]
            .chars()
            .map(|c| match c {
                '"' => {
                    open = !open;
                    if open { '\u{201c}' } else { '\u{201d}' }
                }
                '\'' => {
                    open = !open;
                    if open { '\u{2018}' } else { '\u{2019}' }
                }
                c => c,
            })
            .collect();
        let body = body.replace(" - ", " \u{2013} ");
        let changed = body != text[pad.len()..];
        pad.to_owned() + &if changed { body.replace(", ", ",\u{a0}") } else { body }
    };
    let before: Vec<Vec<Op>> = draft.blocks.iter().map(|block| block.ops.clone()).collect();
    draft.map_lines(&[Tag::Keep, Tag::Remove], curl);
    draft.blocks.iter().zip(&before).any(|(block, then)| block.ops != *then).then_some(())
}

fn stale_numbers(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let by = rng.range(1, 60) as i64;
    draft.numbers = if rng.chance(50) { by } else { -by };
    Some(())
}

fn miscounted(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    for by in &mut draft.counts {
        *by = *rng.pick(&[-2, -1, 1, 2, 3]);
    }
    Some(())
}

fn blank_context_bare(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    draft.bare_blanks = true;
    let blank = |(tag, text): &Op| *tag == Tag::Keep && text.is_empty();
    draft.blocks.iter().any(|block| block.ops.iter().any(blank)).then_some(())
}

fn context_unprefixed(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    loosely_unique(draft).then_some(())?;
    let context = || draft.blocks.iter().flat_map(|block| &block.ops).filter(|(tag, _)| *tag == Tag::Keep);
    let bad = |text: &str| {
        text.starts_with(['-', '+', '@', '\\', '*', '`'])
            || text.starts_with("diff ")
            || text.starts_with("index ")
    };
    if context().any(|(_, text)| bad(text))
        || !context().any(|(_, text)| !text.is_empty() && !text.starts_with(' '))
    {
        return None;
    }
    draft.unprefixed = true;
    Some(())
}

/// Every line with its number before it, as tools show files.
fn line_numbers_copied(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    let diff = draft.format.is_diff();
    for block in &mut draft.blocks {
        let (mut i, mut j) = (block.hunk.before + 1, block.hunk.after + 1);
        for (tag, text) in &mut block.ops {
            let number = if *tag == Tag::Remove || *tag == Tag::Keep { i } else { j };
            // In a block a kept line is in both texts: it shows the number of the old one.
            let number = if diff || *tag != Tag::Add { number } else { j };
            *text = format!("{number:4}| {text}");
            i += usize::from(*tag != Tag::Add);
            j += usize::from(*tag != Tag::Remove);
        }
    }
    for lines in &mut draft.whole {
        for (at, line) in lines.iter_mut().enumerate() {
            *line = format!("{:4}| {line}", at + 1);
        }
    }
    Some(())
}

/// A block starts some lines earlier, and `...` stands for the lines between.
fn middle_elided(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = rng.below(draft.blocks.len());
    let block = &draft.blocks[at];
    let edit = &draft.edits[block.file];
    let first = block.hunk.before;
    let start = first.checked_sub(rng.range(3, 8) + 2)?;
    let ends = |hunk: &super::edits::Hunk| hunk.before + hunk.old().len();
    let floor = edit.hunks.iter().filter(|hunk| hunk.before < first).map(ends).max().unwrap_or(0);
    let head: Vec<&str> = edit.before[start..start + 2].iter().map(String::as_str).collect();
    if start < floor || !solid(&head) || count(&edit.before, &head) != 1 {
        return None;
    }
    let dots = format!("{}...", indent(head[1]));
    let mut ops: Vec<Op> = head.iter().map(|line| (Tag::Keep, (*line).to_owned())).collect();
    ops.push((Tag::Keep, dots));
    ops.append(&mut draft.blocks[at].ops);
    draft.blocks[at].ops = ops;
    Some(())
}

/// A context line with a word, its neighbours context too.
fn inner_context(ops: &[Op], rng: &mut Rng) -> Option<usize> {
    let solid = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count() >= 4;
    let spots: Vec<usize> = (1..ops.len().saturating_sub(1))
        .filter(|&at| ops[at - 1..=at + 1].iter().all(|(tag, _)| *tag == Tag::Keep) && solid(&ops[at].1))
        .collect();
    (!spots.is_empty()).then(|| *rng.pick(&spots))
}

fn context_invented(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = rng.below(draft.blocks.len());
    let (left, right) = draft.edits[draft.blocks[at].file].language.comment().unwrap_or(("# ", ""));
    let block = &mut draft.blocks[at];
    let spot = inner_context(&block.ops, rng)?;
    let text = *rng.pick(&["make sure the state is valid", "handle the common case first", "see above"]);
    let line = format!("{}{left}{text}{right}", indent(&block.ops[spot].1));
    block.ops.insert(spot, (Tag::Keep, line));
    Some(())
}

fn context_dropped(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = rng.below(draft.blocks.len());
    let spot = inner_context(&draft.blocks[at].ops, rng)?;
    draft.blocks[at].ops.remove(spot);
    Some(())
}

fn typo_in(draft: &mut Draft, rng: &mut Rng, tag: Tag) -> Option<()> {
    let at = rng.below(draft.blocks.len());
    let block = &mut draft.blocks[at];
    let spots: Vec<usize> = (0..block.ops.len())
        .filter(|&at| block.ops[at].0 == tag && !long_words(&block.ops[at].1).is_empty())
        .collect();
    if spots.is_empty() {
        return None;
    }
    let text = &mut block.ops[*rng.pick(&spots)].1;
    let (start, end) = *rng.pick(&long_words(text));
    let spot = rng.range(start + 1, end - 3);
    let mut bytes = text.clone().into_bytes();
    match rng.below(3) {
        0 => {
            bytes.remove(spot);
        }
        1 => bytes.swap(spot, spot + 1),
        _ => bytes.insert(spot, bytes[spot]),
    }
    let bad = String::from_utf8(bytes).ok()?;
    if bad == *text || draft.edits[block.file].before.contains(&bad) {
        return None;
    }
    *text = bad;
    Some(())
}

/// Where words of five letters or more stand.
fn long_words(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let len = bytes[at..].iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'_').count();
        if len >= 5 {
            out.push((at, at + len));
        }
        at += len.max(1);
    }
    out
}

fn path_prefix(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let mut kinds = vec!["./", "repo/", "/home/user/repo/"];
    if draft.format == Format::Unified {
        kinds.push("");
    }
    let kind = *rng.pick(&kinds);
    draft.git_header = kind == "repo/" || kind == "./" && rng.chance(50);
    if kind != "./" && draft.edits.iter().any(|edit| !edit.path.contains('/')) {
        return None;
    }
    draft.paths.iter_mut().for_each(|path| path.insert_str(0, kind));
    Some(())
}

fn crlf_file(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    draft.storage.iter_mut().for_each(|storage| storage.crlf = true);
    Some(())
}

fn squeezed(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| squeeze(line)).collect()
}

/// The new text stands once in the new file, the old nowhere, whatever the white space.
fn is_done_in(after: &[String], ops: &[Op]) -> bool {
    let old: Vec<String> = old(ops).into_iter().map(squeeze).collect();
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    count(&squeezed(after), &old) == 0 && count(after, &new_side(ops)) == 1
}

fn already_applied(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    if !draft.blocks.iter().all(|block| is_done_in(&draft.edits[block.file].after, &block.ops)) {
        return None;
    }
    draft.before = draft.after.clone();
    draft.expect = Expect::Unchanged;
    Some(())
}

fn block_twice(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = rng.below(draft.blocks.len());
    let block = draft.blocks[at].clone();
    is_done_in(&draft.edits[block.file].after, &block.ops).then_some(())?;
    draft.blocks.insert(at + 1, block);
    draft.counts.push(0);
    Some(())
}

fn blocks_reversed(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    let several = (0..draft.edits.len()).any(|file| draft.edits[file].hunks.len() > 1);
    draft.blocks.sort_by_key(|block| (block.file, std::cmp::Reverse(block.hunk.before)));
    several.then_some(())
}

fn html_escaped(draft: &mut Draft, _: &mut Rng) -> Option<()> {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let shows = |ops: &[Op]| old(ops).iter().any(|line| line.contains(['<', '>', '&']));
    if !draft.blocks.iter().all(|block| shows(&block.ops)) {
        return None;
    }
    draft.map_lines(&[Tag::Keep, Tag::Remove, Tag::Add], escape);
    draft.whole.iter_mut().flatten().for_each(|line| *line = escape(line));
    Some(())
}

/// Context is cut until the old text fits several places: a line number may decide, else nothing.
fn ambiguous(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = rng.below(draft.blocks.len());
    let file = draft.blocks[at].file;
    if draft.edits[file].hunks.len() > 1 || !draft.blocks[at].ops.iter().any(|(tag, _)| *tag == Tag::Remove) {
        return None;
    }
    let ops = draft.blocks[at].ops.clone();
    let (mut low, mut high) = (0, ops.len());
    while low < high {
        let (first, last) = (ops[low].0 == Tag::Keep, ops[high - 1].0 == Tag::Keep);
        match (first, last) {
            (true, true) if (high - low) % 2 == 0 => low += 1,
            (true, false) => low += 1,
            (_, true) => high -= 1,
            (false, false) => return None,
        }
        let part = &ops[low..high];
        if count(&draft.edits[file].before, &old(part)) > 1
            && old(part).iter().any(|line| !line.trim().is_empty())
        {
            break;
        }
    }
    let block = &mut draft.blocks[at];
    block.hunk.before += low;
    block.hunk.after += low;
    block.hunk.ops = ops[low..high].to_vec();
    block.ops = ops[low..high].to_vec();
    if draft.format != Format::Unified {
        draft.expect = Expect::Refusal;
    }
    Some(())
}

/// The reply stops somewhere, visibly unfinished.
fn truncated(draft: &Draft, rng: &mut Rng, text: String) -> Option<String> {
    let mut cut = text.len() * rng.range(25, 95) / 100;
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    let (kept, lost) = text.split_at(cut);
    let later = lost.split_once('\n').map_or("", |(_, later)| later);
    let changed = |line: &str| {
        (line.starts_with('-') && !line.starts_with("--"))
            || (line.starts_with('+') && !line.starts_with("++"))
    };
    if draft.format.is_diff() && !later.lines().any(changed) {
        return None;
    }
    let fences = kept.lines().filter(|line| line.starts_with("```")).count();
    // Between two hunks nothing shows the loss, and behind full context it may as well be a slip in counting.
    if draft.format == Format::Unified
        && kept.ends_with('\n')
        && (lost.starts_with(['@', 'd']) || reads_as_miscounted(kept))
    {
        return None;
    }
    let visible = match draft.format {
        Format::Unified => later.starts_with([' ', '+', '-', '\\']) && !later.starts_with("--- "),
        Format::SearchReplace | Format::Fenced => {
            kept.matches("<<<<<<< SEARCH\n").count() > kept.matches(">>>>>>> REPLACE").count()
        }
        Format::WholeFile | Format::Elided | Format::Numberless => fences % 2 == 1,
        Format::V4a => kept.contains("*** Begin Patch\n"),
    };
    visible.then(|| kept.to_owned())
}

/// The last hunk has as much context behind its changes as before them: one that was cut there and one whose
/// header counts too many lines are the same text.
fn reads_as_miscounted(kept: &str) -> bool {
    let Some((_, hunk)) = kept.rsplit_once("\n@@ ") else { return false };
    let lines: Vec<&str> = hunk.lines().skip(1).collect();
    let context = |line: &&&str| !line.starts_with(['-', '+']);
    let lead = lines.iter().take_while(context).count();
    let trail = lines.iter().rev().take_while(context).count();
    lead < lines.len() && trail > 0 && (trail >= 3 && trail >= lead || trail == lead)
}

fn prose_and_fences(draft: &Draft, rng: &mut Rng, text: String) -> Option<String> {
    let tag = match draft.format {
        Format::Unified => Some("diff"),
        Format::V4a => Some(""),
        _ => None,
    };
    let head = *rng.pick(&[
        "Sure! Here is the change you asked for:\n\n",
        "I looked at the code.\n\n1. The old lines were wrong.\n2. The new lines are right.\n\n",
    ]);
    let tail = *rng.pick(&[
        "\nLet me know if you want me to add tests.\n",
        "\n- this keeps the behaviour\n- of other callers\n",
    ]);
    match tag {
        Some(_) if text.contains("```") => None,
        Some(tag) => Some(format!("{head}```{tag}\n{text}```\n{tail}")),
        None => Some(format!("{head}{text}{tail}")),
    }
}
