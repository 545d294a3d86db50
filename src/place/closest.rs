//! The closest real lines, for messages: where the old text nearly stands, and what differs there.

use std::collections::BTreeMap;

use super::{
    index::{Index, Kind, key},
    ladder::old_lines,
    likeness::{likeness, share},
};
use crate::{
    edit::Body,
    refusal::{Closest, Quote},
    text::{indent::indent, is_blank, word_chars},
};

/// Occurrences of quoted lines that are weighed.
const VOTES: usize = 20_000;
/// Lines compared by likeness for one miss.
const COMPARED: usize = 256;
const ALIKE: f64 = 0.6;
const SHOWN: usize = 3;
/// Quotes that are looked for letter by letter, and lines looked through.
const SHORT: usize = 60;
const LOOKED_THROUGH: usize = 5_000;
/// Quoted lines shown at most.
const LINES: usize = 12;

/// A window of the file and how well the old text fits it, from 0 to 1.
pub(crate) struct Window {
    pub start: usize,
    pub score: f64,
}

/// The windows in which the old side nearly stands, best first.
pub(crate) fn windows(index: &Index, body: &Body) -> Vec<Window> {
    let old = quoted(body);
    let solid: Vec<usize> = (0..old.len()).filter(|&i| !is_blank(old[i])).collect();
    let mut starts = votes(index, &old, &solid);
    if starts.is_empty() {
        starts = by_words(index, &old, &solid);
    }
    let mut windows: Vec<Window> =
        starts.into_iter().map(|start| Window { start, score: score(index, &old, &solid, start) }).collect();
    windows.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.start.cmp(&b.start)));
    windows.dedup_by(|a, b| a.start.abs_diff(b.start) < old.len().max(1) && a.score <= b.score);
    windows.retain(|window| window.score >= 0.4);
    windows
}

/// The old side from its first line that is not blank.
fn quoted<'b>(body: &'b Body) -> Vec<&'b [u8]> {
    let mut old = old_lines(body);
    let blank = old.iter().take_while(|line| is_blank(line)).count();
    old.drain(..blank);
    old
}

fn votes(index: &Index, old: &[&[u8]], solid: &[usize]) -> Vec<usize> {
    let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
    let mut left = VOTES;
    for &i in solid {
        let count = index.count(Kind::Stripped, old[i]);
        if count == 0 || count > left.min(1_000) || word_chars(old[i]) == 0 {
            continue;
        }
        left -= count;
        for at in index.lines(Kind::Stripped, old[i]) {
            *votes.entry(at.saturating_sub(i)).or_default() += 1;
        }
    }
    let mut ranked: Vec<(usize, usize)> = votes.into_iter().collect();
    ranked.sort_by_key(|&(start, count)| (std::cmp::Reverse(count), start));
    ranked.into_iter().take(16).map(|(start, _)| start).collect()
}

/// Starts by lines that share rare words with the wordiest quoted lines.
fn by_words(index: &Index, old: &[&[u8]], solid: &[usize]) -> Vec<usize> {
    let mut wordy = solid.to_vec();
    wordy.sort_by_key(|&i| (std::cmp::Reverse(word_chars(old[i])), i));
    let mut starts = Vec::new();
    for &i in wordy.iter().take(3) {
        let alike = index
            .sharing_words(old[i], COMPARED)
            .into_iter()
            .map(|at| (at, likeness(old[i].trim_ascii(), index.text.body(at).trim_ascii())))
            .filter(|(_, alike)| *alike >= ALIKE);
        let mut alike: Vec<(usize, f64)> = alike.collect();
        alike.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        starts.extend(alike.into_iter().take(4).map(|(at, _)| at.saturating_sub(i)));
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// Where a short quote of one line shares no rare word with the file: lines of like letters.
fn by_letters(index: &Index, old: &[&[u8]]) -> Vec<Window> {
    let solid: Vec<&[u8]> =
        old.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty()).collect();
    let [line] = solid[..] else { return Vec::new() };
    if line.len() > SHORT {
        return Vec::new();
    }
    let alike = (0..index.text.len().min(LOOKED_THROUGH))
        .map(|start| (start, index.text.body(start).trim_ascii()))
        .filter(|(_, file)| file.len() <= 2 * SHORT)
        .map(|(start, file)| Window { start, score: likeness(line, file) })
        .filter(|window| window.score >= ALIKE);
    let mut alike: Vec<Window> = alike.collect();
    alike.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.start.cmp(&b.start)));
    alike
}

fn score(index: &Index, old: &[&[u8]], solid: &[usize], start: usize) -> f64 {
    let total: f64 = solid
        .iter()
        .map(|&i| {
            let at = start + i;
            if at >= index.text.len() {
                return 0.0;
            }
            let alike = likeness(old[i].trim_ascii(), index.text.body(at).trim_ascii());
            if alike >= ALIKE { alike } else { 0.0 }
        })
        .sum();
    total / share(solid.len().max(1), 1)
}

/// The closest places as messages show them.
pub(crate) fn describe(index: &Index, body: &Body) -> Vec<Closest> {
    let old = quoted(body);
    let mut found = windows(index, body);
    if found.is_empty() {
        found = by_letters(index, &old);
    }
    found
        .into_iter()
        .take(SHOWN)
        .map(|window| {
            let end = (window.start + old.len().clamp(1, LINES)).min(index.text.len());
            let lines = (window.start..end).map(|at| index.text.body(at).to_vec()).collect();
            let difference = difference(index, &old, window.start);
            Closest { quote: Quote { first: window.start + 1, lines }, difference }
        })
        .collect()
}

/// What differs first between the old side and the window, in words.
fn difference(index: &Index, old: &[&[u8]], start: usize) -> String {
    let differs = |i: &usize| {
        start + i >= index.text.len()
            || key(Kind::Folded, old[*i]) != key(Kind::Folded, index.text.body(start + i))
    };
    let Some(at) = (0..old.len()).find(differs) else { return "it stands there".to_owned() };
    let show = |line: &[u8]| String::from_utf8_lossy(line.trim_ascii()).into_owned();
    let number = start + at + 1;
    if start + at >= index.text.len() {
        return format!("the file ends before `{}`", show(old[at]));
    }
    let file = index.text.body(start + at);
    if key(Kind::Stripped, old[at]) == key(Kind::Stripped, file) {
        return format!(
            "line {number} is indented by {}, the quote by {}",
            spell_indent(indent(file)),
            spell_indent(indent(old[at]))
        );
    }
    if key(Kind::Tokens, old[at]) == key(Kind::Tokens, file) {
        return format!("line {number} is spaced otherwise: `{}`", show(file));
    }
    let next = |i: usize| {
        i < index.text.len() && key(Kind::Stripped, index.text.body(i)) == key(Kind::Stripped, old[at])
    };
    if next(start + at + 1) {
        return format!("the quote leaves out line {number}, `{}`", show(file));
    }
    if at + 1 < old.len() && key(Kind::Stripped, old[at + 1]) == key(Kind::Stripped, file) {
        return format!("`{}` is not in the file before line {number}", show(old[at]));
    }
    format!("line {number} reads `{}`, the quote `{}`", show(file), show(old[at]))
}

fn spell_indent(indent: &[u8]) -> String {
    let tabs = indent.iter().filter(|b| **b == b'\t').count();
    let plural = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    match (tabs, indent.len() - tabs) {
        (0, 0) => "nothing".to_owned(),
        (0, spaces) => plural(spaces, "space"),
        (tabs, 0) => plural(tabs, "tab"),
        (tabs, spaces) => format!("{} and {}", plural(tabs, "tab"), plural(spaces, "space")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::Line,
        text::{Eol, Text},
    };

    #[test]
    fn a_short_quote_finds_the_line_of_like_letters() {
        let text = Text::new(b"a = 1\nb = 22\nlonger line here\n");
        let line = |text: &'static [u8]| vec![Line { text: text.into(), eol: Eol::Lf }];
        let closest = |quote| describe(&Index::new(&text), &Body::block(line(quote), line(b"new")));
        let found = closest(b"b = 23");
        assert_eq!(found.first().map(|closest| closest.quote.first), Some(2));
        assert_eq!(found[0].difference, "line 2 reads `b = 22`, the quote `b = 23`");
        assert!(closest(b"zzz").is_empty());
    }
}
