//! Trees that have moved on under a reply: somebody changed the file near the edit.

use super::{
    damage::squeeze,
    edits::{Change, Tag},
    files::reworded,
    rng::Rng,
    write::{Draft, Expect, Format},
};

/// A name, and what somebody does to the files.
pub type Kind = (&'static str, fn(&mut Draft, &mut Rng) -> Option<()>);

pub const KINDS: &[Kind] = &[
    ("gone", gone),
    ("digit", digit),
    ("between", between),
    ("lookalike", lookalike),
    ("ctx", ctx),
    ("ctxins", ctxins),
    ("dup", dup),
    ("vary", vary),
];

/// The file and change to disturb.
fn site(draft: &Draft, rng: &mut Rng) -> (usize, Change) {
    let file = rng.below(draft.edits.len());
    (file, *rng.pick(&draft.edits[file].changes))
}

fn around(draft: &Draft, file: usize, change: Change, reach: usize) -> (usize, usize) {
    (change.i1.saturating_sub(reach), (change.i2 + reach).min(draft.before[file].len()))
}

/// The lines to change are missing, and two on either side.
fn gone(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (file, change) = site(draft, rng);
    let (low, high) = around(draft, file, change, 2);
    draft.before[file].drain(low..high);
    draft.expect = Expect::Refusal;
    Some(())
}

/// A line to be removed has another word in it.
fn digit(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (file, change) = site(draft, rng);
    if change.i1 == change.i2 {
        return None;
    }
    let at = rng.range(change.i1, change.i2 - 1);
    let new = reworded(rng, &draft.before[file][at])?;
    if draft.before[file].contains(&new) || draft.after[file].contains(&new) {
        return None;
    }
    draft.before[file][at] = new;
    draft.expect = Expect::Refusal;
    Some(())
}

/// A new line stands between two lines to be removed.
fn between(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (file, change) = site(draft, rng);
    if change.i2 - change.i1 < 2 {
        return None;
    }
    let at = rng.range(change.i1 + 1, change.i2 - 1);
    // The lines on both sides must be told apart from a deletion that slides.
    let lines = &draft.before[file];
    if lines[change.i1..change.i2].iter().any(|line| line.trim().is_empty()) || slides(draft, file, change) {
        return None;
    }
    draft.before[file].insert(at, "    keep_me_here(42)".into());
    draft.expect = Expect::Refusal;
    Some(())
}

/// The change can move up or down and still be the same.
fn slides(draft: &Draft, file: usize, change: Change) -> bool {
    let pure = change.i1 == change.i2 || change.j1 == change.j2;
    let (lines, low, high) = if change.i1 == change.i2 {
        (&draft.edits[file].after, change.j1, change.j2)
    } else {
        (&draft.edits[file].before, change.i1, change.i2)
    };
    let up = low > 0 && lines[low - 1].trim() == lines[high - 1].trim();
    let down = high < lines.len() && lines[high].trim() == lines[low].trim();
    pure && (up || down)
}

/// The lines are rewritten, and a block much like the old one stands at the end.
fn lookalike(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (file, change) = site(draft, rng);
    let (low, high) = around(draft, file, change, 4);
    let old = draft.before[file][low..high].to_vec();
    let twin = varied(rng, &old, 30);
    let target = varied(rng, &old, 70);
    let hurt = (change.i1..change.i2).any(|at| old[at - low] != target[at - low]);
    if !hurt {
        return None;
    }
    draft.before[file].splice(low..high, target);
    draft.before[file].push("# other".into());
    draft.before[file].extend(twin);
    draft.expect = Expect::Refusal;
    Some(())
}

fn varied(rng: &mut Rng, lines: &[String], percent: usize) -> Vec<String> {
    let change = |line: &String| match rng.chance(percent) {
        true => reworded(rng, line).unwrap_or_else(|| line.clone()),
        false => line.clone(),
    };
    lines.iter().map(change).collect()
}

/// A line beside the change that is context in both trees: its indices, and whether it is below.
fn beside(draft: &Draft, rng: &mut Rng) -> Option<(usize, usize, usize, bool)> {
    let (file, change) = site(draft, rng);
    let far = rng.range(1, 2);
    let below = rng.chance(50);
    let (i, j) = match below {
        false => (change.i1.checked_sub(far)?, change.j1.checked_sub(far)?),
        true => (change.i2 + far - 1, change.j2 + far - 1),
    };
    let edit = &draft.edits[file];
    let inside = |other: &Change| (other.i1..other.i2).contains(&i) || (other.j1..other.j2).contains(&j);
    let same = edit.before.get(i)? == edit.after.get(j)?;
    let usable = same && !slides(draft, file, change) && !edit.changes.iter().any(inside);
    usable.then_some((file, i, j, below))
}

/// A line beside the change has another word in it.
fn ctx(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (file, i, j, _) = beside(draft, rng)?;
    let new = reworded(rng, &draft.before[file][i])?;
    draft.before[file][i].clone_from(&new);
    draft.after[file][j] = new;
    Some(())
}

/// A new line stands near the change.
fn ctxins(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (file, i, j, below) = beside(draft, rng)?;
    let shift = usize::from(below);
    draft.before[file].insert(i + shift, "    stray_line(17)".into());
    draft.after[file].insert(j + shift, "    stray_line(17)".into());
    Some(())
}

/// The lines around the change stand once more at the end.
fn dup(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (file, change) = site(draft, rng);
    let (low, high) = around(draft, file, change, 12);
    let mut more = vec![String::new(), "# copy".into()];
    more.extend(draft.before[file][low..high].to_vec());
    draft.before[file].extend(more.clone());
    draft.after[file].extend(more);
    Some(())
}

/// A block like them but for some words stands at one end of the file.
fn vary(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (file, change) = site(draft, rng);
    let (low, high) = around(draft, file, change, 6);
    let old = draft.before[file][low..high].to_vec();
    let mut more = vec!["# other".to_owned()];
    more.extend(varied(rng, &old, 35));
    let at_top = rng.chance(50);
    for tree in [&mut draft.before[file], &mut draft.after[file]] {
        let at = if at_top { 0 } else { tree.len() };
        tree.splice(at..at, more.clone());
    }
    Some(())
}

/// How well a block fits a place: the kind of likeness, then the number of wrong context lines.
type Fit = (u8, usize);

/// A line that is not blank, as it is compared.
struct Line<'l> {
    at: usize,
    tag: Tag,
    text: &'l str,
    folded: String,
    squeezed: String,
}

/// The lines that are not blank.
fn solid<'l>(lines: impl Iterator<Item = (Tag, &'l str)>) -> Vec<Line<'l>> {
    let line = |(at, (tag, text)): (usize, (Tag, &'l str))| {
        let folded = fold(text);
        Line { at, tag, text, squeezed: squeeze(&folded), folded }
    };
    lines.enumerate().filter(|(_, (_, text))| !text.trim().is_empty()).map(line).collect()
}

/// Nothing in the trees fits a written block better than its true place, or at all where the truth is a
/// refusal: else nobody could know the truth.
pub fn is_knowable(draft: &Draft) -> bool {
    let files: Vec<Vec<Line>> =
        draft.before.iter().map(|lines| solid(lines.iter().map(|line| (Tag::Keep, line.as_str())))).collect();
    draft.blocks.iter().all(|block| {
        let lines = &files[block.file];
        let old = block.ops.iter().filter(|(tag, _)| *tag != Tag::Add);
        let old = solid(old.map(|(tag, text)| (*tag, text.as_str())));
        let best = |fits: &dyn Fn(usize) -> bool| {
            (0..lines.len()).filter(|&at| fits(lines[at].at)).filter_map(|at| fit(&lines[at..], &old)).min()
        };
        // A stale number may mean a copy by chance.
        let meant = block.hunk.before as i64 + draft.numbers;
        let hit = |line: &Line| line.at as i64 == meant && draft.numbers != 0;
        if (0..lines.len()).any(|at| hit(&lines[at]) && fit(&lines[at..], &old).is_some()) {
            return false;
        }
        if draft.expect == Expect::Refusal {
            return best(&|_| true).is_none();
        }
        let place = true_place(draft, block);
        // Numbers tell a twin close by from the place that is meant.
        let reach = if draft.format == Format::Unified { block.hunk.ops.len() + 6 } else { 5 };
        let rival = best(&|at| at + reach <= place || at >= place + reach);
        let truth = || best(&|at| at + 4 >= place && at < place + 5);
        rival.is_none_or(|rival| truth().is_some_and(|truth| truth <= rival))
    })
}

/// Where the block's first true line stands in the tree that the reply meets.
fn true_place(draft: &Draft, block: &super::write::Written) -> usize {
    let now = &draft.before[block.file];
    let shifted = now.first().is_some_and(|line| line == "# other");
    let by = if shifted { now.len() - draft.edits[block.file].before.len() } else { 0 };
    block.hunk.before + by
}

/// How well the old text fits where `lines` begin.
fn fit(lines: &[Line], old: &[Line]) -> Option<Fit> {
    if old.is_empty() {
        return None;
    }
    let equal = |same: &dyn Fn(&Line, &Line) -> bool| {
        lines.len() >= old.len() && old.iter().zip(lines).all(|(quoted, line)| same(quoted, line))
    };
    if !equal(&|quoted, line| quoted.squeezed == line.squeezed) {
        let window = &lines[..lines.len().min(old.len() + 2)];
        return wrong_context(old, window).map(|wrong| (3, wrong));
    }
    match (
        equal(&|quoted, line| quoted.text == line.text),
        equal(&|quoted, line| quoted.folded == line.folded),
    ) {
        (true, _) => Some((0, 0)),
        (false, true) => Some((1, 0)),
        (false, false) => Some((2, 0)),
    }
}

/// Context lines that the window lacks, while every removed line is there, in order.
fn wrong_context(old: &[Line], window: &[Line]) -> Option<usize> {
    let limit = (old.len() / 5).max(2);
    let (mut at, mut wrong) = (0, 0);
    for quoted in old {
        match window[at..].iter().take(3).position(|line| line.squeezed == quoted.squeezed) {
            Some(offset) => at += offset + 1,
            None if quoted.tag == Tag::Remove => return None,
            None => wrong += 1,
        }
        if wrong > limit {
            return None;
        }
    }
    (wrong < old.len()).then_some(wrong)
}

fn fold(text: &str) -> String {
    let text = text.trim_end();
    if text.is_ascii() {
        return text.to_owned();
    }
    text.replace(['\u{201c}', '\u{201d}'], "\"")
        .replace(['\u{2018}', '\u{2019}'], "'")
        .replace('\u{2013}', "-")
        .replace('\u{a0}', " ")
}
