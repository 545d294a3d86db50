//! Whether what a hunk asks for stands in the file already.

use super::{
    View, closest,
    index::{Index, Kind, key},
    ladder::{Search, Site},
};
use crate::{
    edit::{Body, Hints, HunkLine, Tag},
    text::{is_blank, is_word, word_chars},
};

/// What the file says about a hunk's new text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    No,
    /// It stands at this line (from 0).
    Already(usize),
    /// Old and new both have a claim; the sentence says which.
    Contradiction(String),
}

/// The tags that a body has, beside the lines kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Insertion,
    Deletion,
    Replacement,
}

fn shape(body: &Body) -> Option<Shape> {
    let has = |tag| body.lines.iter().any(|line| line.tag == tag);
    match (has(Tag::Remove), has(Tag::Add)) {
        (true, true) => Some(Shape::Replacement),
        (true, false) => Some(Shape::Deletion),
        (false, true) => Some(Shape::Insertion),
        (false, false) => None,
    }
}

/// Weighs the new text against what the search for the old one came to.
pub(crate) fn judge(index: &Index, body: &Body, hints: &Hints, search: &Search) -> Standing {
    let Some(shape) = shape(body) else { return Standing::No };
    let new = || body.new_side().map(|line| line.text.as_ref());
    if shape == Shape::Replacement && matches!(search, Search::Found(found) if found.view < View::Indentation)
    {
        let wordy = || new().any(|line| line.iter().any(|&b| is_word(b)));
        let at = at_stated_line(index, body, hints).filter(|_| wordy());
        return at.map_or(Standing::No, Standing::Already);
    }
    let new: Vec<&[u8]> = new().collect();
    if shape == Shape::Deletion {
        return match search {
            Search::Found(found) if found.view >= View::Indentation => twice_loose(index, &new, found.view),
            Search::Found(_) => Standing::No,
            _ => deleted(index, body),
        };
    }
    if !new.iter().any(|line| line.iter().any(|&b| is_word(b))) {
        return Standing::No;
    }
    if let Some(at) = at_stated_line(index, body, hints) {
        return Standing::Already(at);
    }
    match search {
        Search::Found(found) if found.view < View::Indentation => {
            inserted_if(shape, index, body, &new, &found.sites)
        }
        Search::Found(found) => match inserted_if(shape, index, body, &new, &found.sites) {
            Standing::No => against_loose(index, &new, found.view),
            standing => standing,
        },
        Search::Missing | Search::Distrusted(_) => replaced(index, body, &new),
    }
}

/// The new text stands exactly at the stated line, and the old does not.
fn at_stated_line(index: &Index, body: &Body, hints: &Hints) -> Option<usize> {
    let stated = hints.stated?;
    let line = |start: u64| usize::try_from(start).ok()?.checked_sub(1);
    if line(stated.old_start).is_some_and(|at| stand_as_they_are(index, body.old(), at)) {
        return None;
    }
    line(stated.new_start).filter(|&at| stand_as_they_are(index, body.new_side(), at))
}

fn stand_as_they_are<'l, 'i: 'l>(
    index: &Index,
    mut lines: impl Iterator<Item = &'l HunkLine<'i>>,
    at: usize,
) -> bool {
    let mut file = (at..index.text.len()).map(|at| index.text.body(at));
    lines.all(|line| file.next() == Some(&line.text[..]))
}

fn stands_at(index: &Index, kind: Kind, lines: &[&[u8]], at: usize) -> bool {
    at + lines.len() <= index.text.len()
        && lines.iter().enumerate().all(|(i, line)| key(kind, line) == key(kind, index.text.body(at + i)))
}

fn inserted_if(shape: Shape, index: &Index, body: &Body, new: &[&[u8]], sites: &[Site]) -> Standing {
    if shape == Shape::Insertion { inserted(index, body, new, sites) } else { Standing::No }
}

/// An insertion whose one place lies inside a standing copy of the new text.
fn inserted(index: &Index, body: &Body, new: &[&[u8]], sites: &[Site]) -> Standing {
    let added: usize =
        body.lines.iter().filter(|line| line.tag == Tag::Add).map(|line| word_chars(&line.text)).sum();
    let [site] = sites else { return Standing::No };
    if added < 4 {
        return Standing::No;
    }
    let above = body.lines.iter().take_while(|line| line.tag == Tag::Add).count();
    match site.start.checked_sub(above) {
        Some(at) if stands_at(index, Kind::Folded, new, at) => Standing::Already(at),
        _ => Standing::No,
    }
}

/// The old text was found only by a loose view, yet the new stands exactly.
fn against_loose(index: &Index, new: &[&[u8]], view: View) -> Standing {
    match index.runs(Kind::Body, new).first() {
        Some(&at) if wordy(new) >= 2 => Standing::Already(at),
        Some(&at) => contradiction(at, view),
        None => twice_loose(index, new, view),
    }
}

/// Old and new text both stand, and both only loosely: the old may be a twin.
fn twice_loose(index: &Index, new: &[&[u8]], view: View) -> Standing {
    if wordy(new) < 2 {
        return Standing::No;
    }
    match index.runs(Kind::Stripped, new).first() {
        Some(&at) => contradiction(at, view),
        None => Standing::No,
    }
}

fn contradiction(at: usize, view: View) -> Standing {
    Standing::Contradiction(format!(
        "the new text stands at line {} already, while the old text fits only {}: say which is meant by quoting more lines",
        at + 1,
        view.how()
    ))
}

/// Lines that hold a word.
fn wordy(lines: &[&[u8]]) -> usize {
    lines.iter().filter(|line| word_chars(line) > 0).count()
}

/// The old text is nowhere; the whole new text stands once, and no other place nearly holds the old one.
fn replaced(index: &Index, body: &Body, new: &[&[u8]]) -> Standing {
    let found = index.runs(Kind::Folded, new);
    let [at] = found[..] else { return Standing::No };
    if new.iter().map(|line| word_chars(line)).sum::<usize>() < 4 {
        return Standing::No;
    }
    let elsewhere = closest::windows(index, body).into_iter().find(|window| {
        let end = window.start + body.old().count();
        window.score >= 0.6 && (end <= at || window.start >= at + new.len())
    });
    match elsewhere {
        None => Standing::Already(at),
        Some(window) => Standing::Contradiction(format!(
            "old text not found; the new text stands at line {} already, and line {} nearly holds the old one",
            at + 1,
            window.start + 1
        )),
    }
}

/// A pure deletion counts as done only if its context stands adjacent, once, on both sides, and nothing
/// of what was to go is left anywhere.
fn deleted(index: &Index, body: &Body) -> Standing {
    let kept: Vec<&[u8]> = body.new_side().map(|line| line.text.as_ref()).collect();
    let framed = |line: Option<&crate::edit::HunkLine>| line.is_some_and(|line| line.tag == Tag::Keep);
    if wordy(&kept) < 2 || !framed(body.lines.first()) || !framed(body.lines.last()) {
        return Standing::No;
    }
    let removed: Vec<&[u8]> =
        body.lines.iter().filter(|line| line.tag == Tag::Remove).map(|line| line.text.as_ref()).collect();
    let telling: Vec<&&[u8]> =
        removed.iter().filter(|line| !is_blank(line) && word_chars(line) >= 4).collect();
    if telling.is_empty() || telling.iter().any(|line| index.holds(Kind::Tokens, line)) {
        return Standing::No;
    }
    match index.runs(Kind::Folded, &kept)[..] {
        [at] => Standing::Already(at),
        _ => Standing::No,
    }
}
