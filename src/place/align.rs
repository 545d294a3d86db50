//! View 10: the removed lines stand, but a line of context is missing, invented or misspelt.
//!
//! A semi-global alignment (free ends in the file) in a band around the likeliest starts. Costs: an equal
//! line 0, one indented otherwise 2, a blank line skipped 1, a wrong line of context 100.

use std::collections::BTreeMap;

use super::{
    index::{Index, Kind, hash, key},
    ladder::Site,
    likeness::misspelt,
};
use crate::{
    edit::{Body, Tag},
    text::{is_blank, word_chars},
};

const WRONG: u32 = 100;
const NEVER: u32 = u32::MAX / 4;
/// Table cells for one hunk: about 50 ms.
const CELLS: usize = 8_000_000;
/// Occurrences of quoted lines that vote for a start.
const VOTES: usize = 100_000;
const STARTS: usize = 24;

/// A line of the hunk's old side.
struct Quoted<'b> {
    text: &'b [u8],
    tag: Tag,
    folded: u64,
    stripped: u64,
    blank: bool,
    /// Lines are inserted right before it, and neither neighbour is removed.
    insertion: bool,
}

/// The places where `body` stands within the limits; the first is acceptable itself, the others are
/// rivals. Empty if none is.
pub(crate) fn sites(index: &Index, body: &Body) -> Vec<Site> {
    let (quoted, tail) = quoted(body);
    let context = quoted.iter().filter(|q| q.tag == Tag::Keep && !q.blank).count();
    if context < 2 || tail || quoted.first().is_some_and(|q| q.insertion) {
        return Vec::new();
    }
    let slack = 3 + quoted.len() / 8;
    let band = 2 * slack + 1;
    let affordable = (CELLS / (quoted.len() * band).max(1)).min(STARTS);
    let mut found: Vec<Alignment> = Vec::new();
    for start in likely_starts(index, &quoted, slack, affordable) {
        let Some(got) = align(index, &quoted, start, slack) else { continue };
        if !found.iter().any(|other| other.same_edit(&got, &quoted)) {
            found.push(got);
        }
    }
    found.sort_by_key(|a| (a.cost, a.start()));
    choose(index, &quoted, context, found)
}

fn choose(index: &Index, quoted: &[Quoted], context: usize, found: Vec<Alignment>) -> Vec<Site> {
    let allowed = if context >= 16 { context / 8 } else { 1 };
    let Some(best) = found.first() else { return Vec::new() };
    if !best.acceptable(index, quoted, context, allowed) {
        return Vec::new();
    }
    let rival = |a: &&Alignment| {
        let wrong = a.wrong(index, quoted, 1);
        wrong <= (context / 5).max(1) && wrong * 3 <= context && !a.overlaps(best, quoted)
    };
    let rivals: Vec<Site> = found[1..].iter().filter(rival).map(Alignment::site).collect();
    let mut sites = vec![best.site()];
    sites.extend(rivals);
    sites
}

/// The old side, and whether lines are inserted behind its last line without one removed there.
fn quoted<'b>(body: &'b Body) -> (Vec<Quoted<'b>>, bool) {
    let (mut out, mut added, mut removed): (Vec<Quoted>, bool, bool) = (Vec::new(), false, false);
    for line in &body.lines {
        match line.tag {
            Tag::Add => added = true,
            tag => {
                let removing = tag == Tag::Remove;
                out.push(Quoted {
                    text: &line.text,
                    tag,
                    folded: hash(&key(Kind::Folded, &line.text)),
                    stripped: hash(&key(Kind::Stripped, &line.text)),
                    blank: is_blank(&line.text),
                    insertion: added && !removed && !removing,
                });
                removed = removing;
                added = false;
            }
        }
    }
    (out, added && !removed)
}

/// Starts (file line minus quoted line, so maybe negative) by how many quoted lines vote for them.
fn likely_starts(index: &Index, quoted: &[Quoted], slack: usize, most: usize) -> Vec<i64> {
    let mut votes: BTreeMap<i64, usize> = BTreeMap::new();
    let mut left = VOTES;
    for (i, line) in quoted.iter().enumerate() {
        let count = index.count(Kind::Stripped, line.text);
        if line.blank || count == 0 || count > left.min(2_000) {
            continue;
        }
        left -= count;
        for at in index.lines(Kind::Stripped, line.text) {
            *votes.entry(signed(at) - signed(i)).or_default() += 1;
        }
    }
    let mut ranked: Vec<(i64, usize)> = votes.into_iter().collect();
    ranked.sort_by_key(|&(start, count)| (std::cmp::Reverse(count), start));
    let mut chosen: Vec<i64> = Vec::new();
    for (start, _) in ranked.into_iter().take(4 * most) {
        if chosen.len() < most && chosen.iter().all(|other| other.abs_diff(start) as usize > slack / 2) {
            chosen.push(start);
        }
    }
    chosen
}

fn signed(at: usize) -> i64 {
    i64::try_from(at).unwrap_or(i64::MAX)
}

/// One way to lay the old side over the file.
struct Alignment {
    cost: u32,
    pairs: Vec<Option<usize>>,
}

impl Alignment {
    fn start(&self) -> usize {
        self.pairs.iter().flatten().next().copied().unwrap_or(0)
    }

    fn end(&self) -> usize {
        self.pairs.iter().flatten().last().map_or(0, |at| at + 1)
    }

    fn site(&self) -> Site {
        Site { start: self.start(), end: self.end(), pairs: Some(self.pairs.clone()) }
    }

    /// Changes lines that `other` changes too. Context may be shared: the end of one place is often the
    /// beginning of a twin.
    fn overlaps(&self, other: &Alignment, quoted: &[Quoted]) -> bool {
        let ((first, last), (other_first, other_last)) = (self.edited(quoted), other.edited(quoted));
        first <= other_last && other_first <= last
    }

    /// The first and the last line that is removed or inserted before.
    fn edited(&self, quoted: &[Quoted]) -> (usize, usize) {
        let touched = |i: &usize| quoted[*i].tag == Tag::Remove || quoted[*i].insertion;
        let mut lines = (0..quoted.len()).filter(touched).filter_map(|i| self.pairs[i]);
        let first = lines.next().unwrap_or_else(|| self.start());
        (first, lines.next_back().unwrap_or(first))
    }

    /// Removes the same lines and inserts at the same points.
    fn same_edit(&self, other: &Alignment, quoted: &[Quoted]) -> bool {
        (0..quoted.len()).all(|i| {
            let touched = quoted[i].tag == Tag::Remove || quoted[i].insertion;
            !touched || self.pairs[i] == other.pairs[i]
        })
    }

    /// How many lines of context are missing, invented or misspelt; another line in its place counts as
    /// `replaced`: two (one missing, one invented) where the place is to be trusted, one for a rival.
    fn wrong(&self, index: &Index, quoted: &[Quoted], replaced: usize) -> usize {
        let mut wrong = 0;
        let mut last: Option<usize> = None;
        for (line, pair) in quoted.iter().zip(&self.pairs) {
            match *pair {
                Some(at) => {
                    if let Some(last) = last {
                        wrong +=
                            (last + 1..at).filter(|&skipped| !is_blank(index.text.body(skipped))).count();
                    }
                    last = Some(at);
                    wrong += match fit(index, line, at) {
                        Fit::Equal | Fit::Shifted => 0,
                        Fit::Misspelt => 1,
                        Fit::Other => replaced,
                    };
                }
                None => wrong += usize::from(!line.blank),
            }
        }
        wrong
    }

    /// A line of the file stands unquoted right beside a removed one: what is added there could belong before
    /// or behind it.
    fn skips_beside_removed(&self, index: &Index, quoted: &[Quoted]) -> bool {
        let paired: Vec<(usize, usize)> =
            self.pairs.iter().enumerate().filter_map(|(i, at)| Some((i, (*at)?))).collect();
        paired.windows(2).any(|two| {
            let [(above, from), (below, to)] = [two[0], two[1]];
            let removed = quoted[above].tag == Tag::Remove || quoted[below].tag == Tag::Remove;
            removed && (from + 1..to).any(|at| !is_blank(index.text.body(at)))
        })
    }

    fn acceptable(&self, index: &Index, quoted: &[Quoted], context: usize, allowed: usize) -> bool {
        let wrong = self.wrong(index, quoted, 2);
        let fits = |i: usize| self.pairs[i].map(|at| fit(index, &quoted[i], at));
        let matching = (0..quoted.len())
            .filter(|&i| quoted[i].tag == Tag::Keep && !quoted[i].blank)
            .filter(|&i| matches!(fits(i), Some(Fit::Equal | Fit::Shifted)))
            .count();
        let telling = (0..quoted.len()).any(|i| {
            fits(i) == Some(Fit::Equal)
                && word_chars(quoted[i].text) >= 4
                && index.count(Kind::Folded, quoted[i].text) == 1
        });
        let touching = (1..quoted.len())
            .filter(|&i| quoted[i].insertion)
            .all(|i| self.pairs[i - 1].is_some() && self.pairs[i] == self.pairs[i - 1].map(|at| at + 1));
        // A first or last line that is not there more likely tells of another place than of a slip.
        let framed = [self.pairs.first(), self.pairs.last()].iter().flatten().all(|pair| pair.is_some());
        !self.skips_beside_removed(index, quoted)
            && wrong <= allowed
            && wrong * 3 <= context
            && matching >= 2
            && telling
            && touching
            && framed
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    Equal,
    /// Equal but for the indentation; only context may be.
    Shifted,
    /// Context with a slip in it.
    Misspelt,
    Other,
}

fn fit(index: &Index, line: &Quoted, at: usize) -> Fit {
    if index.hash_at(Kind::Folded, at) == line.folded {
        return Fit::Equal;
    }
    if index.hash_at(Kind::Stripped, at) == line.stripped {
        return Fit::Shifted;
    }
    if misspelt(line.text.trim_ascii(), index.text.body(at).trim_ascii()) {
        Fit::Misspelt
    } else {
        Fit::Other
    }
}

/// The cheapest alignment near `start`, by dynamic programming over (quoted lines used, file lines used) in
/// a band around the diagonal.
fn align(index: &Index, quoted: &[Quoted], start: i64, slack: usize) -> Option<Alignment> {
    let most = most_cost(quoted);
    let band = Band { first: start - signed(slack), width: 2 * slack + 1, lines: index.text.len() };
    let table = fill(index, quoted, band, most);
    let last = &table[quoted.len() * band.width..];
    let (end, &(cost, _)) = last.iter().enumerate().min_by_key(|(_, (cost, _))| *cost)?;
    (cost <= most).then(|| Alignment { cost, pairs: walk_back(&table, quoted.len(), band, end) })
}

/// Which of the file's lines an alignment may use: with `i` quoted lines used, column `k` stands before the
/// file's line `first + i + k`.
#[derive(Clone, Copy)]
struct Band {
    first: i64,
    width: usize,
    lines: usize,
}

impl Band {
    /// The file's line behind column `k`, if there is one.
    fn line(self, i: usize, k: usize) -> Option<usize> {
        usize::try_from(self.first + signed(i + k)).ok().filter(|&at| at < self.lines)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Start,
    Pair,
    SkipQuoted,
    SkipFile,
}

/// No alignment that costs more can be acceptable or a rival.
fn most_cost(quoted: &[Quoted]) -> u32 {
    let context = quoted.iter().filter(|line| line.tag == Tag::Keep && !line.blank).count();
    let small = 4 * quoted.len();
    u32::try_from((context / 5).max(1))
        .map_or(NEVER, |wrong| wrong.saturating_mul(WRONG))
        .saturating_add(u32::try_from(small).unwrap_or(NEVER))
        .min(NEVER - 1)
}

fn fill(index: &Index, quoted: &[Quoted], band: Band, most: u32) -> Vec<(u32, Step)> {
    let width = band.width;
    let mut table = vec![(NEVER, Step::Start); width * (quoted.len() + 1)];
    table[..width].fill((0, Step::Start));
    for (i, line) in quoted.iter().enumerate() {
        let (row, next) = (i * width, (i + 1) * width);
        for k in 0..width {
            let (cost, _) = table[row + k];
            if cost > most {
                continue;
            }
            if let Some(at) = band.line(i, k) {
                relax(&mut table[next + k], cost + pair(index, line, at, most - cost), Step::Pair);
                if i > 0 && k + 1 < width {
                    relax(&mut table[row + k + 1], cost + skip_file(index, quoted, i, at), Step::SkipFile);
                }
            }
            if k > 0 {
                relax(&mut table[next + k - 1], cost + skip_quoted(line), Step::SkipQuoted);
            }
        }
    }
    table
}

fn relax(cell: &mut (u32, Step), cost: u32, step: Step) {
    if cost < cell.0 {
        *cell = (cost, step);
    }
}

/// The cost of taking the file's line for the quoted one; more than `left` is as good as never.
fn pair(index: &Index, line: &Quoted, at: usize, left: u32) -> u32 {
    if index.hash_at(Kind::Folded, at) == line.folded {
        return 0;
    }
    if line.tag == Tag::Remove || line.blank || is_blank(index.text.body(at)) {
        return NEVER;
    }
    if index.hash_at(Kind::Stripped, at) == line.stripped {
        return 2;
    }
    if left < WRONG {
        return NEVER;
    }
    // The last resort: a line left out is likelier than one that stands for another.
    if fit(index, line, at) == Fit::Misspelt { WRONG } else { WRONG + 1 }
}

fn skip_quoted(line: &Quoted) -> u32 {
    match (line.blank, line.tag) {
        (true, _) => 1,
        // A little dearer than a misspelt line, so that the first and last line are paired if they can be.
        (false, Tag::Keep) => WRONG + 1,
        (false, _) => NEVER,
    }
}

/// The cost of a file line that stands between quoted lines `i - 1` and `i` without being quoted.
fn skip_file(index: &Index, quoted: &[Quoted], i: usize, at: usize) -> u32 {
    let blank = is_blank(index.text.body(at));
    // Right beside a removed line it could belong before or behind what is added there.
    let beside_removed = quoted[i - 1].tag == Tag::Remove || quoted[i].tag == Tag::Remove;
    match (blank, quoted[i].insertion || (beside_removed && !blank)) {
        (_, true) => NEVER,
        (true, false) => 1,
        (false, false) => WRONG,
    }
}

fn walk_back(table: &[(u32, Step)], lines: usize, band: Band, end: usize) -> Vec<Option<usize>> {
    let (mut i, mut k) = (lines, end);
    let mut pairs = vec![None; lines];
    while i > 0 {
        match table[i * band.width + k].1 {
            Step::Pair => {
                i -= 1;
                pairs[i] = band.line(i, k);
            }
            Step::SkipQuoted => {
                i -= 1;
                k += 1;
            }
            Step::SkipFile => k -= 1,
            Step::Start => break,
        }
    }
    pairs
}
