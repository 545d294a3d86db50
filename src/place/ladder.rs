//! The ladder of views: the first view with a match decides where a hunk may go.

use std::borrow::Cow;

use super::{
    View, align, artefact, dots,
    index::{Index, Kind, key},
    shift,
};
use crate::{
    edit::{Body, HunkLine, Origin, Tag},
    text::{indent::indent, is_blank, is_word, word_chars},
};

/// One place where a hunk's old side stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// The file's lines `start..end`, from 0.
    pub start: usize,
    pub end: usize,
    /// As [`super::Place::pairs`]; `None`: line by line.
    pub pairs: Option<Vec<Option<usize>>>,
}

impl Site {
    fn run(start: usize, len: usize) -> Site {
        Site { start, end: start + len, pairs: None }
    }

    /// The file's line for the old side's line `at`.
    pub fn line(&self, at: usize) -> Option<usize> {
        match &self.pairs {
            Some(pairs) => pairs[at],
            None => Some(self.start + at),
        }
    }
}

/// All places of one reading under the first view that has any.
#[derive(Clone, Debug)]
pub(crate) struct Candidates<'b, 'i> {
    pub view: View,
    /// The reading as it was placed (cleaned of artefacts, or rebuilt for a part of a line).
    pub body: Cow<'b, Body<'i>>,
    /// Ascending, never empty.
    pub sites: Vec<Site>,
}

/// What the ladder came to.
pub(crate) enum Search<'b, 'i> {
    Found(Candidates<'b, 'i>),
    Missing,
    /// Places were found, but none may be trusted; the sentence says why.
    Distrusted(String),
}

/// Climbs the ladder up to `loosest`. `body`'s old side is not empty.
pub(crate) fn search<'b, 'i>(index: &Index, body: &'b Body<'i>, loosest: View) -> Search<'b, 'i> {
    match plain_views(index, body, loosest) {
        Search::Missing => {}
        found => return found,
    }
    if loosest >= View::Artefacts
        && let Some(clean) = artefact::cleaned(body)
        && let Some((_, sites)) = strict_or_shifted(index, &clean, loosest)
    {
        return Search::Found(Candidates { view: View::Artefacts, body: Cow::Owned(clean), sites });
    }
    let sites = if loosest >= View::Elisions { dots::sites(index, body) } else { Vec::new() };
    if !sites.is_empty() {
        return Search::Found(Candidates { view: View::Elisions, body: Cow::Borrowed(body), sites });
    }
    if loosest >= View::ContextForgiven {
        let sites = align::sites(index, body);
        if !sites.is_empty() {
            return Search::Found(Candidates {
                view: View::ContextForgiven,
                body: Cow::Borrowed(body),
                sites,
            });
        }
    }
    match (loosest >= View::PartOfLine).then(|| part_of_a_line(index, body)).flatten() {
        Some(found) => Search::Found(found),
        None => Search::Missing,
    }
}

/// The old side's lines.
pub(crate) fn old_lines<'b>(body: &'b Body<'_>) -> Vec<&'b [u8]> {
    let mut old = Vec::with_capacity(body.lines.len());
    old.extend(body.old().map(|line| line.text.as_ref()));
    old
}

fn plain_views<'b, 'i>(index: &Index, body: &'b Body<'i>, loosest: View) -> Search<'b, 'i> {
    let Some((view, sites)) = strict_or_shifted(index, body, loosest) else { return Search::Missing };
    if view >= View::Indentation
        && let Some(why) = distrust(index, body, view, &sites)
    {
        return Search::Distrusted(why);
    }
    Search::Found(Candidates { view, body: Cow::Borrowed(body), sites })
}

/// Views 1 to 7.
fn strict_or_shifted(index: &Index, body: &Body, loosest: View) -> Option<(View, Vec<Site>)> {
    let old = old_lines(body);
    let runs =
        |kind| index.runs(kind, &old).into_iter().map(|at| Site::run(at, old.len())).collect::<Vec<_>>();
    let steps: [(View, &dyn Fn() -> Vec<Site>); 6] = [
        (View::LineEnds, &|| runs(Kind::Body)),
        (View::TrailingBlanks, &|| runs(Kind::Trailing)),
        (View::Typography, &|| runs(Kind::Folded)),
        (View::Indentation, &|| shifted(index, &old)),
        (View::BlankRuns, &|| respaced(index, &old)),
        (View::BlankLines, &|| blank_lines(index, body)),
    ];
    for (view, find) in steps {
        if view > loosest {
            return None;
        }
        let sites = find();
        if !sites.is_empty() {
            return Some((view, sites));
        }
    }
    None
}

/// View 5: the same lines under one shift of the indentation.
fn shifted(index: &Index, old: &[&[u8]]) -> Vec<Site> {
    let fits = |start: &usize| {
        let pairs = old.iter().enumerate().map(|(i, line)| (*line, index.text.body(start + i)));
        shift::uniform(pairs.filter(|(line, _)| !is_blank(line)))
    };
    index.runs(Kind::Stripped, old).into_iter().filter(fits).map(|at| Site::run(at, old.len())).collect()
}

/// View 6: the same tokens, and deeper, same or shallower as quoted.
fn respaced(index: &Index, old: &[&[u8]]) -> Vec<Site> {
    let fits = |start: &usize| {
        let solid: Vec<(&[u8], &[u8])> = old
            .iter()
            .enumerate()
            .map(|(i, line)| (*line, index.text.body(start + i)))
            .filter(|(line, _)| !is_blank(line))
            .collect();
        solid
            .windows(2)
            .all(|two| width(two[0].0).cmp(&width(two[1].0)) == width(two[0].1).cmp(&width(two[1].1)))
    };
    index.runs(Kind::Tokens, old).into_iter().filter(fits).map(|at| Site::run(at, old.len())).collect()
}

/// The width of a line's indentation, a tab reaching to the next multiple of eight.
pub(crate) fn width(line: &[u8]) -> usize {
    indent(line).iter().fold(0, |at, b| if *b == b'\t' { at / 8 * 8 + 8 } else { at + 1 })
}

/// View 7: blank lines added or lost; the others as they stand, or under one shift.
fn blank_lines(index: &Index, body: &Body) -> Vec<Site> {
    let old: Vec<&HunkLine> = body.old().collect();
    let solid: Vec<&[u8]> = old.iter().map(|l| l.text.as_ref()).filter(|l| !is_blank(l)).collect();
    if solid.is_empty() {
        return Vec::new();
    }
    let mut starts = index.solid_runs(Kind::Folded, &solid);
    if starts.is_empty() {
        let lines = index.solid();
        starts = index.solid_runs(Kind::Stripped, &solid);
        starts.retain(|at| {
            shift::uniform(solid.iter().enumerate().map(|(i, line)| (*line, index.text.body(lines[at + i]))))
        });
    }
    starts
        .into_iter()
        .filter_map(|at| with_blanks(index, body, &index.solid()[at..at + solid.len()]))
        .collect()
}

/// Pairs the quoted blank lines with those that the file has in the same gap. A gap of blank lines that
/// holds many more than were quoted is no slip.
fn with_blanks(index: &Index, body: &Body, solid: &[usize]) -> Option<Site> {
    let old: Vec<&[u8]> = old_lines(body);
    let (mut pairs, mut next, mut cursor) = (Vec::with_capacity(old.len()), 0, solid[0]);
    for line in &old {
        if !is_blank(line) {
            cursor = solid[next] + 1;
            pairs.push(Some(solid[next]));
            next += 1;
            continue;
        }
        let open = next > 0 && next < solid.len() && cursor < solid[next];
        let beyond = next == solid.len() && cursor < index.text.len() && is_blank(index.text.body(cursor));
        if open || beyond {
            pairs.push(Some(cursor));
            cursor += 1;
        } else {
            pairs.push(None);
        }
    }
    leading_blanks(index, &old, &mut pairs);
    if removes_a_missing_edge(body, &pairs) {
        return None;
    }
    let start = pairs.iter().flatten().next().copied()?;
    let end = pairs.iter().flatten().last().copied()? + 1;
    (end - start <= 2 * old.len() + 4).then_some(Site { start, end, pairs: Some(pairs) })
}

/// A blank line at the hunk's edge is to be removed, but stands not next to the rest.
fn removes_a_missing_edge(body: &Body, pairs: &[Option<usize>]) -> bool {
    let lost = |(line, pair): &(&HunkLine, &Option<usize>)| is_blank(&line.text) && pair.is_none();
    let edge = |mut lines: Box<dyn Iterator<Item = (&HunkLine, &Option<usize>)> + '_>| {
        lines.by_ref().take_while(lost).any(|(line, _)| line.tag == Tag::Remove)
    };
    let lines: Vec<(&HunkLine, &Option<usize>)> = body.old().zip(pairs).collect();
    edge(Box::new(lines.iter().copied())) || edge(Box::new(lines.iter().rev().copied()))
}

/// Blank lines quoted at the top take the blank lines above the first other line, from below.
fn leading_blanks(index: &Index, old: &[&[u8]], pairs: &mut [Option<usize>]) {
    let top = old.iter().take_while(|line| is_blank(line)).count();
    let Some(Some(first)) = pairs.get(top).copied() else { return };
    for back in 1..=top {
        if back > first || !is_blank(index.text.body(first - back)) {
            break;
        }
        pairs[top - back] = Some(first - back);
    }
}

/// Why a place found by a loose view is not to be trusted, if so.
fn distrust(index: &Index, body: &Body, view: View, sites: &[Site]) -> Option<String> {
    let old = old_lines(body);
    if !old.iter().any(|line| word_chars(line) > 0) {
        return Some(format!(
            "the old text holds no word, and it fits only {} at line {}: quote a line with a word in it",
            view.how(),
            sites[0].start + 1
        ));
    }
    let [site] = sites else { return None };
    // A blank line too many or too few is as much of a slip as a wrong line of context.
    let kind = if view == View::BlankLines { Kind::Stripped } else { Kind::Folded };
    if kind == Kind::Folded && !moved(index, &old, site) {
        return None;
    }
    let rival = nearly_there(index, &old, body, site, kind)?;
    Some(format!(
        "it fits line {} only {}, but line {} fits save for one line of context",
        site.start + 1,
        view.how(),
        rival + 1
    ))
}

/// Some paired line stands at another indentation than it was quoted at.
fn moved(index: &Index, old: &[&[u8]], site: &Site) -> bool {
    old.iter().enumerate().any(|(i, line)| {
        !is_blank(line) && site.line(i).is_some_and(|at| indent(index.text.body(at)) != indent(line))
    })
}

/// Another place where all lines but one of context stand.
fn nearly_there(index: &Index, old: &[&[u8]], body: &Body, site: &Site, kind: Kind) -> Option<usize> {
    let tags: Vec<Tag> = body.old().map(|line| line.tag).collect();
    let solid: Vec<usize> = (0..old.len()).filter(|&i| !is_blank(old[i])).collect();
    if solid.len() < 3 {
        return None;
    }
    let mut by_count = solid.clone();
    by_count.sort_by_key(|&i| index.count(kind, old[i]));
    for &seed in by_count.iter().take(2) {
        for at in index.lines(kind, old[seed]).take(200) {
            let Some(start) = at.checked_sub(seed) else { continue };
            if start + old.len() > index.text.len() || (start < site.end && site.start < start + old.len()) {
                continue;
            }
            let wrong: Vec<usize> = solid
                .iter()
                .copied()
                .filter(|&i| key(kind, old[i]) != key(kind, index.text.body(start + i)))
                .collect();
            if wrong.is_empty() || (wrong.len() == 1 && tags[wrong[0]] == Tag::Keep) {
                return Some(start);
            }
        }
    }
    None
}

/// A one-line old text that is a part of lines: every occurrence, rebuilt as a change of the whole line.
fn part_of_a_line<'b, 'i>(index: &Index, body: &'b Body<'i>) -> Option<Candidates<'b, 'i>> {
    let old: Vec<&HunkLine> = body.old().collect();
    let [line] = old[..] else { return None };
    let wanted = line.text.trim_ascii();
    if body.origin != Origin::Block || line.tag != Tag::Remove || word_chars(wanted) < 4 {
        return None;
    }
    let finder = memchr::memmem::Finder::new(wanted);
    let mut hits =
        (0..index.text.len()).flat_map(|at| finder.find_iter(index.text.body(at)).map(move |col| (at, col)));
    let (at, column) = hits.next()?;
    let more: Vec<usize> = hits.map(|(at, _)| at).take(64).collect();
    let whole = index.text.body(at);
    if !stands_apart(whole, column, wanted.len()) {
        return None;
    }
    let mut sites = vec![Site::run(at, 1)];
    sites.extend(more.iter().map(|&at| Site::run(at, 1)));
    let rebuilt = rebuild(whole, column, wanted.len(), body)?;
    Some(Candidates { view: View::PartOfLine, body: Cow::Owned(rebuilt), sites })
}

/// The part begins and ends where words do. If it begins the line, nothing but marks or a comment may follow:
/// `return total` is no part of `return total - tax`, but another statement.
fn stands_apart(line: &[u8], column: usize, len: usize) -> bool {
    let (before, rest) = line.split_at(column);
    let (part, after) = rest.split_at(len);
    let joined =
        |a: Option<&u8>, b: Option<&u8>| a.is_some_and(|b| is_word(*b)) && b.is_some_and(|b| is_word(*b));
    if joined(before.last(), part.first()) || joined(part.last(), after.first()) {
        return false;
    }
    let marks = after.iter().take_while(|b| b"; ,:{}()[]\t".contains(b)).count();
    let after = after[marks..].trim_ascii();
    let comment = [&b"//"[..], b"#", b"/*", b"--", b"<!--"].iter().any(|mark| after.starts_with(mark));
    !is_blank(before) || after.is_empty() || comment
}

/// The line `whole`, with the part at `column` replaced by the body's added lines.
fn rebuild<'i>(whole: &[u8], column: usize, len: usize, body: &Body<'i>) -> Option<Body<'i>> {
    let added: Vec<&HunkLine> = body.lines.iter().filter(|line| line.tag == Tag::Add).collect();
    let [new] = added[..] else { return None };
    let text = [&whole[..column], new.text.trim_ascii(), &whole[column + len..]].concat();
    let line = |tag, text: Vec<u8>| HunkLine { tag, text: Cow::Owned(text), eol: new.eol };
    Some(Body { lines: vec![line(Tag::Remove, whole.to_vec()), line(Tag::Add, text)], origin: Origin::Block })
}
