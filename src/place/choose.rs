//! All hunks of one file against one text: the places of each, and the hints that choose among them.

use std::{borrow::Cow, collections::HashMap};

use super::{
    Index, Located, Place, Placed, Rules, Slice, View, anchor, closest, exact_or_line_ends,
    index::{Kind, key},
    ladder::{self, Candidates, Search, Site},
    literal, same_hunk,
    standing::{self, Standing},
    telling::rough,
    tried,
};
use crate::{
    edit::{Body, Hunk, HunkLine, Origin, Tag},
    refusal::Refusal,
    text::is_blank,
};

/// One reading's places, as far as the text and the anchors decide.
enum Option1<'h, 'i> {
    Places(Candidates<'h, 'i>),
    Slices(View, Vec<Slice>),
    Already(usize),
    Missing,
    Refused(Refusal),
}

/// Places every hunk of a file against one text.
pub fn locate<'h, 'i>(index: &Index, hunks: &[&'h Hunk<'i>], rules: &Rules) -> Vec<Located<'h, 'i>> {
    let sought: Vec<Vec<Option1>> = hunks.iter().map(|hunk| readings(index, hunk, rules)).collect();
    let known = Known::new(hunks, &sought);
    let mut out = Vec::with_capacity(hunks.len());
    for (at, options) in sought.into_iter().enumerate() {
        if let Some(before) = known.peers.twin(at)
            && !has_several(&options)
        {
            out.push(Located::Twice(before));
            continue;
        }
        out.push(settle(index, hunks, at, options, &known, rules));
    }
    out
}

fn has_several(options: &[Option1]) -> bool {
    match options {
        [Option1::Places(found), ..] => found.sites.len() > 1,
        [Option1::Slices(_, slices), ..] => slices.len() > 1,
        _ => false,
    }
}

/// Every place is meant, or a stated number of them.
fn wants_every(hunk: &Hunk, rules: &Rules) -> bool {
    rules.every || hunk.hints.every || hunk.hints.count.is_some()
}

/// Searches each reading of a hunk.
fn readings<'h, 'i>(index: &Index, hunk: &'h Hunk<'i>, rules: &Rules) -> Vec<Option1<'h, 'i>> {
    let blocks = match anchor::blocks(index, &hunk.hints.anchors) {
        Ok(blocks) => (!hunk.hints.anchors.is_empty()).then_some(blocks),
        Err(depth) => {
            let anchor = String::from_utf8_lossy(&hunk.hints.anchors[depth]).into_owned();
            return vec![Option1::Refused(Refusal::AnchorNotFound { anchor })];
        }
    };
    if let Some(literal) = &hunk.hints.literal {
        match literal::search(index, literal, wants_every(hunk, rules), rules.loosest) {
            literal::Found::Lines => {}
            literal::Found::Slices { view, slices } => return vec![Option1::Slices(view, slices)],
            literal::Found::Already(line) => return vec![already(line, rules)],
            literal::Found::Refused(refusal) => return vec![Option1::Refused(refusal)],
        }
    }
    hunk.readings.iter().map(|body| reading(index, hunk, body, blocks.as_deref(), rules)).collect()
}

fn already<'h, 'i>(line: usize, rules: &Rules) -> Option1<'h, 'i> {
    if rules.strict_state {
        Option1::Refused(Refusal::AlreadyApplied { line: line + 1 })
    } else {
        Option1::Already(line)
    }
}

fn reading<'h, 'i>(
    index: &Index,
    hunk: &'h Hunk<'i>,
    body: &'h Body<'i>,
    blocks: Option<&[anchor::Block]>,
    rules: &Rules,
) -> Option1<'h, 'i> {
    if body.old().next().is_none() {
        return contextless(index, hunk, body, blocks);
    }
    let search = search(index, body, rules);
    match standing::judge(index, body, &hunk.hints, &search) {
        Standing::No => {}
        Standing::Already(line) => return already(line, rules),
        Standing::Contradiction(what) => return Option1::Refused(Refusal::Doubtful { what }),
    }
    match search {
        Search::Missing => Option1::Missing,
        Search::Distrusted(what) => Option1::Refused(Refusal::Doubtful { what }),
        Search::Found(found) => match bound(found, hunk, blocks) {
            Option1::Places(found) if hunk.hints.at_eof => at_end(index, found),
            option => option,
        },
    }
}

/// The end-of-file mark binds: only blank lines may follow the place.
fn at_end<'h, 'i>(index: &Index, mut found: Candidates<'h, 'i>) -> Option1<'h, 'i> {
    let line = found.sites.last().map_or(0, |site| site.start + 1);
    found.sites.retain(|site| (site.end..index.text.len()).all(|at| is_blank(index.text.body(at))));
    if found.sites.is_empty() {
        let what =
            format!("it is marked to stand at the end of the file, but its old text stands at line {line}");
        return Option1::Refused(Refusal::Doubtful { what });
    }
    Option1::Places(found)
}

/// The search, and for diffs the reading in which context lost its prefix: if the hunk does not stand
/// under views 1 to 4, but does once every context line gets its blank back.
fn search<'h, 'i>(index: &Index, body: &'h Body<'i>, rules: &Rules) -> Search<'h, 'i> {
    let found = ladder::search(index, body, rules.loosest);
    if body.origin != Origin::Diff || matches!(&found, Search::Found(f) if f.view <= View::Typography) {
        return found;
    }
    let loosest = rules.loosest.min(View::Typography);
    let restored = with_blanks_restored(body);
    match ladder::search(index, &restored, loosest) {
        Search::Found(Candidates { view, sites, .. }) => {
            Search::Found(Candidates { view, sites, body: Cow::Owned(restored) })
        }
        _ => found,
    }
}

fn with_blanks_restored<'i>(body: &Body<'i>) -> Body<'i> {
    let mut restored = body.clone();
    for line in &mut restored.lines {
        if line.tag == Tag::Keep && !is_blank(&line.text) && line.text.first() == Some(&b' ') {
            line.text = Cow::Owned([b" ", line.text.as_ref()].concat());
        }
    }
    restored
}

/// Drops the places that no anchor's block admits.
fn bound<'h, 'i>(
    mut found: Candidates<'h, 'i>,
    hunk: &Hunk,
    blocks: Option<&[anchor::Block]>,
) -> Option1<'h, 'i> {
    let Some(blocks) = blocks else { return Option1::Places(found) };
    let outside: Vec<usize> = found.sites.iter().map(|site| site.start + 1).collect();
    found.sites.retain(|site| blocks.iter().any(|block| block.admits(site)));
    if found.sites.is_empty() {
        let anchor =
            hunk.hints.anchors.last().map(|a| String::from_utf8_lossy(a).into_owned()).unwrap_or_default();
        return Option1::Refused(Refusal::OutsideAnchor { anchor, lines: outside });
    }
    Option1::Places(found)
}

/// A hunk that only adds: below its one anchor, at the end without any; by its stated line only where
/// the other hunks vouch for the numbers.
fn contextless<'h, 'i>(
    index: &Index,
    hunk: &Hunk,
    body: &'h Body<'i>,
    blocks: Option<&[anchor::Block]>,
) -> Option1<'h, 'i> {
    let len = index.text.len();
    let site = |at: usize| Site { start: at, end: at, pairs: Some(Vec::new()) };
    let outside = |at: u64| {
        let what = format!("it inserts behind line {at}, but the file has {len} lines");
        Option1::Refused(Refusal::Doubtful { what })
    };
    if let Some(behind) = hunk.hints.behind
        && usize::try_from(behind).ok().is_none_or(|at| at > len)
    {
        return outside(behind);
    }
    let behind = hunk.hints.behind.and_then(|at| usize::try_from(at).ok());
    let sites: Vec<Site> = match (blocks, hunk.hints.stated) {
        _ if behind.is_some() => behind.into_iter().map(site).collect(),
        (Some(blocks), _) => blocks.iter().map(|block| site(block.line + 1)).collect(),
        (None, None) => vec![site(len)],
        (None, Some(stated)) => {
            let at = usize::try_from(stated.old_start).unwrap_or(usize::MAX);
            if at > len {
                return outside(stated.old_start);
            }
            vec![site(at)]
        }
    };
    let new: Vec<&[u8]> = body.new_side().map(|line| line.text.as_ref()).collect();
    let words: usize = new.iter().map(|line| crate::text::word_chars(line)).sum();
    let stands =
        |at: usize| at + new.len() <= len && (0..new.len()).all(|i| index.text.body(at + i) == new[i]);
    if let [only] = &sites[..]
        && words > 0
    {
        let above = only.start.checked_sub(new.len()).filter(|&at| only.start == len && stands(at));
        if let Some(at) = above.or_else(|| stands(only.start).then_some(only.start)) {
            return Option1::Already(at);
        }
    }
    Option1::Places(Candidates { view: View::Exact, body: Cow::Borrowed(body), sites })
}

/// Which hunks of a file are equal, in whole or in their old text.
#[derive(Default)]
struct Peers {
    /// Per hunk: the first hunk that equals it. Nothing is noted of any hunk if all old texts differ.
    twin: Vec<Option<usize>>,
    /// Per hunk: how many hunks with its old text came before, and which group these are.
    rank: Vec<(usize, usize)>,
    /// Per group: how many hunks it has.
    size: Vec<usize>,
}

impl Peers {
    fn new(hunks: &[&Hunk]) -> Peers {
        let mut peers = Peers::default();
        if all_differ(hunks.iter().map(|hunk| digest(hunk.body().old())).collect()) {
            return peers;
        }
        let mut whole: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut old: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
        for (at, hunk) in hunks.iter().enumerate() {
            let same = whole.entry(digest(hunk.body().lines.iter())).or_default();
            let twin = same.iter().copied().find(|&other| same_hunk(hunks[other], hunk));
            if twin.is_none() {
                same.push(at);
            }
            peers.twin.push(twin);
            let same = old.entry(digest(hunk.body().old())).or_default();
            let group =
                same.iter().find(|&&(_, other)| same_old(hunks[other], hunk)).map(|&(group, _)| group);
            let group = group.unwrap_or_else(|| {
                same.push((peers.size.len(), at));
                peers.size.push(0);
                peers.size.len() - 1
            });
            peers.rank.push((peers.size[group], group));
            peers.size[group] += 1;
        }
        peers
    }

    fn twin(&self, at: usize) -> Option<usize> {
        self.twin.get(at).copied().flatten()
    }

    /// As many hunks with this old text as places: they take them in order.
    fn among_equals(&self, at: usize, places: usize) -> Option<usize> {
        let &(rank, group) = self.rank.get(at)?;
        (places > 1 && self.size[group] == places).then_some(rank)
    }
}

fn all_differ(mut digests: Vec<u64>) -> bool {
    digests.sort_unstable();
    digests.windows(2).all(|two| two[0] != two[1])
}

fn same_old(a: &Hunk, b: &Hunk) -> bool {
    let literal = |hunk: &Hunk| hunk.hints.literal.as_ref().map(|text| text.old.ends_with(b"\n"));
    literal(a) == literal(b)
        && a.body().old().map(|line| &line.text).eq(b.body().old().map(|line| &line.text))
}

fn digest<'l, 'i: 'l>(lines: impl Iterator<Item = &'l HunkLine<'i>>) -> u64 {
    lines.fold(0, |sum: u64, line| sum.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ rough(&line.text))
}

/// What the hunks with one place tell about the others.
struct Known {
    peers: Peers,
    /// Per hunk: its one place, if it has one.
    unique: Vec<Option<(usize, usize)>>,
    /// The offset from the stated lines that all uniquely placed hunks share.
    offset: Offset,
    /// The same of those that stand under views 1 to 4, if they agree.
    numbers: Option<i64>,
    /// The uniquely placed hunks ascend.
    ascending: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Offset {
    /// No uniquely placed hunk states a line.
    Unknown,
    Constant(i64),
    Varying,
}

impl Known {
    fn new(hunks: &[&Hunk], sought: &[Vec<Option1>]) -> Known {
        let one = |options: &Vec<Option1>| match &options[..] {
            [Option1::Places(found), ..] if found.body.old().next().is_some() => match &found.sites[..] {
                [site] => Some((site.start, site.end)),
                _ => None,
            },
            _ => None,
        };
        let unique: Vec<Option<(usize, usize)>> = sought.iter().map(one).collect();
        let mut offset = Offset::Unknown;
        for (hunk, place) in hunks.iter().zip(&unique) {
            if let (Some(by), Some(_)) =
                (place.and_then(|(start, _)| offset_of(hunk, start)), hunk.hints.stated)
            {
                offset = match offset {
                    Offset::Unknown => Offset::Constant(by),
                    Offset::Constant(other) if other == by => offset,
                    _ => Offset::Varying,
                };
            }
        }
        let starts: Vec<usize> = unique.iter().flatten().map(|place| place.0).collect();
        let strict = |options: &Vec<Option1>| matches!(&options[..], [Option1::Places(found), ..] if found.view <= View::Typography);
        let mut offsets = hunks
            .iter()
            .zip(sought)
            .zip(&unique)
            .filter(|((_, options), _)| strict(options))
            .filter_map(|((hunk, _), place)| offset_of(hunk, place.as_ref()?.0));
        let numbers = offsets.next().filter(|first| offsets.all(|by| by == *first));
        Known { numbers, peers: Peers::new(hunks), ascending: starts.is_sorted(), unique, offset }
    }
}

/// How far a place that begins at `start` (from 0) lies from the hunk's stated line.
fn offset_of(hunk: &Hunk, start: usize) -> Option<i64> {
    let stated = hunk.hints.stated?;
    let line = i64::try_from(stated.old_start).ok()?;
    let contextless = hunk.body().old().next().is_none();
    Some(i64::try_from(start).ok()? + i64::from(!contextless) - line)
}

/// Decides one hunk: every reading that was found must be unambiguous.
fn settle<'h, 'i>(
    index: &Index,
    hunks: &[&'h Hunk<'i>],
    at: usize,
    options: Vec<Option1<'h, 'i>>,
    known: &Known,
    rules: &Rules,
) -> Located<'h, 'i> {
    let hunk = hunks[at];
    let strict =
        |option: &Option1| matches!(option, Option1::Places(found) if found.view <= View::Typography);
    let any_strict = options.iter().any(strict);
    let (mut placed, mut already, mut refused) = (Vec::with_capacity(options.len()), None, None);
    for option in options {
        if any_strict && !strict(&option) {
            continue;
        }
        match option {
            Option1::Missing => {}
            Option1::Already(line) => already = already.or(Some(line)),
            Option1::Refused(refusal) => refused = refused.or(Some(refusal)),
            Option1::Slices(view, slices) => {
                return parts(
                    index,
                    hunk,
                    (view, slices),
                    |places| known.peers.among_equals(at, places),
                    rules,
                );
            }
            Option1::Places(found) if wants_every(hunk, rules) && found.body.old().next().is_some() => {
                return every(index, hunk, &found);
            }
            Option1::Places(found) => match pick(index, hunks, at, &found, known, rules) {
                Ok(site) => placed.push(finish(index, hunk, &found, &site)),
                Err(refusal) => return Located::Refused(refusal),
            },
        }
    }
    match (placed.is_empty(), already, refused) {
        (false, None, _) => Located::Placed(placed),
        (false, Some(line), _) => Located::Refused(Refusal::Doubtful {
            what: format!(
                "read one way it is already there at line {}, read another way it is not",
                line + 1
            ),
        }),
        (true, Some(line), _) => Located::Already(line),
        (true, None, Some(refusal)) => Located::Refused(refusal),
        (true, None, None) => Located::Refused(not_found(index, hunk, rules)),
    }
}

/// The parts of lines that a hunk means: all, or the one.
fn parts<'h, 'i>(
    index: &Index,
    hunk: &Hunk,
    (view, slices): (View, Vec<Slice>),
    among_equals: impl Fn(usize) -> Option<usize>,
    rules: &Rules,
) -> Located<'h, 'i> {
    let line = |slice: &Slice| literal::line_of(index.text, slice.start);
    if wants_every(hunk, rules) {
        if let Some(refusal) = miscounted(hunk, slices.len()) {
            return Located::Refused(refusal);
        }
        let notes = also_at(&literal::lookalikes(index, hunk, &slices));
        return Located::Slices { view, slices, notes };
    }
    let chosen = match &slices[..] {
        [only] => Some(*only),
        _ => among_equals(slices.len()).map(|nth| slices[nth]),
    };
    match chosen {
        Some(slice) => Located::Slices { view, slices: vec![slice], notes: Vec::new() },
        None => Located::Refused(Refusal::Ambiguous {
            lines: slices.iter().map(|slice| line(slice) + 1).collect(),
        }),
    }
}

/// Names the places in another spelling, which are left as they are.
fn also_at(lines: &[usize]) -> Vec<String> {
    if lines.is_empty() {
        return Vec::new();
    }
    let shown: Vec<String> = lines.iter().take(8).map(|line| (line + 1).to_string()).collect();
    let more = if lines.len() > shown.len() { " and more" } else { "" };
    vec![format!("left as it is in another spelling at {}{more}", shown.join(", "))]
}

/// The call says how many places there are, and there are more or fewer.
fn miscounted(hunk: &Hunk, found: usize) -> Option<Refusal> {
    let wanted = hunk.hints.count?;
    (u64::try_from(found) != Ok(wanted)).then(|| Refusal::Doubtful {
        what: format!("{wanted} replacements are expected, but the old text stands at {found} places"),
    })
}

/// All places of whole lines, from the top, those that overlap one before left out.
fn every<'h, 'i>(index: &Index, hunk: &Hunk, found: &Candidates<'h, 'i>) -> Located<'h, 'i> {
    if found.view >= View::Elisions && found.sites.len() > 1 {
        return Located::Refused(Refusal::Ambiguous {
            lines: found.sites.iter().map(|site| site.start + 1).collect(),
        });
    }
    let mut reached = 0;
    let mut placed = Vec::with_capacity(found.sites.len());
    for site in &found.sites {
        if site.start >= reached {
            reached = site.end;
            placed.push(finish(index, hunk, found, site));
        }
    }
    match miscounted(hunk, placed.len()) {
        Some(refusal) => Located::Refused(refusal),
        None => Located::Every(placed),
    }
}

fn not_found(index: &Index, hunk: &Hunk, rules: &Rules) -> Refusal {
    if !rules.describe {
        return Refusal::NotFound { closest: Vec::new(), tried: Vec::new() };
    }
    let tried = tried::views(index, hunk.body(), rules.loosest);
    Refusal::NotFound { closest: closest::describe(index, hunk.body()), tried }
}

/// The one place, or why there is none.
fn pick(
    index: &Index,
    hunks: &[&Hunk],
    at: usize,
    found: &Candidates,
    known: &Known,
    rules: &Rules,
) -> Result<Site, Refusal> {
    let hunk = hunks[at];
    let site = match &found.sites[..] {
        [site] => site.clone(),
        _ => choose(index, hunks, at, found, known, rules).ok_or_else(|| Refusal::Ambiguous {
            lines: found.sites.iter().map(|site| site.start + 1).collect(),
        })?,
    };
    if found.view >= View::Indentation
        && let Some(line) = by_number_elsewhere(index, hunk, &found.body, &site, known)
    {
        return Err(Refusal::Doubtful {
            what: format!(
                "it fits line {} only {}, but its number means line {line}, where the lines to remove stand too",
                site.start + 1,
                found.view.how()
            ),
        });
    }
    let by = offset_of(hunk, site.start);
    if let (Some(most), Some(by)) = (rules.max_offset, by)
        && by.unsigned_abs() > most
    {
        return Err(Refusal::TooFar { line: site.start + 1, offset: by, most });
    }
    if found.body.old().next().is_none() && hunk.hints.stated.is_some() {
        return vouched(index, hunk, site, known, rules);
    }
    Ok(site)
}

/// The line (from 1) that the hunk's number means, if the hunks that stand strictly confirm the numbers, it is
/// not at `site`, and every line to be removed stands there, in order.
fn by_number_elsewhere(index: &Index, hunk: &Hunk, body: &Body, site: &Site, known: &Known) -> Option<usize> {
    let by = known.numbers.filter(|&by| offset_of(hunk, site.start) != Some(by))?;
    let stated = i64::try_from(hunk.hints.stated?.old_start).ok()?;
    let start = usize::try_from(stated.checked_add(by)?.checked_sub(1)?).ok()?;
    let removed = body.lines.iter().filter(|line| line.tag == Tag::Remove && !is_blank(&line.text));
    let mut removed = removed.map(|line| key(Kind::Folded, &line.text)).peekable();
    removed.peek()?;
    let end = (start + body.old().count() + 3).min(index.text.len());
    for at in start..end {
        removed.next_if(|wanted| *wanted == key(Kind::Folded, index.text.body(at)));
    }
    removed.next().is_none().then_some(start + 1)
}

/// An insertion that quotes nothing goes by its number alone: only where other hunks of the file confirm
/// the numbers, the caller trusts them, or the place is the end of the file or an empty file.
fn vouched(index: &Index, hunk: &Hunk, site: Site, known: &Known, rules: &Rules) -> Result<Site, Refusal> {
    let shifted =
        |by: i64| usize::try_from(i64::try_from(site.start).unwrap_or(i64::MAX).saturating_add(by)).ok();
    match known.offset {
        Offset::Constant(by) => {
            let at = shifted(by).filter(|&at| at <= index.text.len());
            at.map(|at| Site { start: at, end: at, pairs: Some(Vec::new()) }).ok_or_else(|| unvouched(hunk))
        }
        _ if rules.max_offset == Some(0) || index.text.is_empty() => Ok(site),
        _ => Err(unvouched(hunk)),
    }
}

fn unvouched(hunk: &Hunk) -> Refusal {
    let line = hunk.hints.stated.map_or(0, |stated| stated.old_start);
    Refusal::Doubtful {
        what: format!("it inserts behind line {line} and quotes no line that would confirm the place"),
    }
}

/// Hints among several equal places.
fn choose(
    index: &Index,
    hunks: &[&Hunk],
    at: usize,
    found: &Candidates,
    known: &Known,
    rules: &Rules,
) -> Option<Site> {
    let hunk = hunks[at];
    let loose = found.view == View::ContextForgiven;
    let sites: Vec<&Site> = found.sites.iter().collect();
    if loose {
        return by_stated_line(hunk, &sites, known).cloned();
    }
    if let Some(nth) = known.peers.among_equals(at, sites.len()) {
        return Some(sites[nth].clone());
    }
    let by_order = by_order(hunk, at, &sites, known);
    let by_line = by_stated_line(hunk, &sites, known);
    match (by_order, by_line) {
        (Some(a), Some(b)) => (a == b).then(|| a.clone()),
        (Some(a), None) | (None, Some(a)) => Some(a.clone()),
        (None, None) => by_heading(index, hunk, &sites)
            .or_else(|| rules.nearest.then(|| nearest(hunk, &sites)).flatten())
            .cloned(),
    }
}

/// The one place between the uniquely placed hunks before and after, where the format lists hunks in
/// file order and these keep to it.
fn by_order<'s>(hunk: &Hunk, at: usize, sites: &[&'s Site], known: &Known) -> Option<&'s Site> {
    if !hunk.hints.ordered || !known.ascending {
        return None;
    }
    let before = known.unique[..at].iter().rev().flatten().next().map(|place| place.1);
    let after = known.unique[at + 1..].iter().flatten().next().map(|place| place.0);
    if before.is_none() && after.is_none() {
        return None;
    }
    let between = |site: &&&Site| {
        before.is_none_or(|end| site.start >= end) && after.is_none_or(|start| site.end <= start)
    };
    let mut fits = sites.iter().filter(between);
    match (fits.next(), fits.next()) {
        (Some(site), None) => Some(site),
        _ => None,
    }
}

/// The place at the stated line, at the offset that the file's other hunks share.
fn by_stated_line<'s>(hunk: &Hunk, sites: &[&'s Site], known: &Known) -> Option<&'s Site> {
    let wanted = match known.offset {
        Offset::Unknown => 0,
        Offset::Constant(by) => by,
        Offset::Varying => return None,
    };
    sites.iter().copied().find(|site| offset_of(hunk, site.start) == Some(wanted))
}

/// The one place under the function that the header names.
fn by_heading<'s>(index: &Index, hunk: &Hunk, sites: &[&'s Site]) -> Option<&'s Site> {
    let heading = hunk.hints.heading.as_ref()?;
    let blocks = anchor::blocks(index, std::slice::from_ref(heading)).ok()?;
    let mut fits = sites.iter().filter(|site| blocks.iter().any(|block| block.admits(site)));
    match (fits.next(), fits.next()) {
        (Some(site), None) => Some(site),
        _ => None,
    }
}

fn nearest<'s>(hunk: &Hunk, sites: &[&'s Site]) -> Option<&'s Site> {
    let away = |site: &&&Site| offset_of(hunk, site.start).map(i64::unsigned_abs);
    sites.iter().filter(|site| away(site).is_some()).min_by_key(away).copied()
}

/// The place in its final shape.
fn finish<'h, 'i>(index: &Index, hunk: &Hunk, found: &Candidates<'h, 'i>, site: &Site) -> Placed<'h, 'i> {
    let count = found.body.old().count();
    let pairs: Vec<Option<usize>> = (0..count).map(|i| site.line(i)).collect();
    let view = if found.view == View::LineEnds || found.view == View::Exact {
        let ends =
            found.body.old().zip(&pairs).filter_map(|(line, at)| at.map(|at| (line.eol, index.text.eol(at))));
        exact_or_line_ends(ends)
    } else {
        found.view
    };
    let offset = offset_of(hunk, site.start);
    Placed {
        body: found.body.clone(),
        place: Place { view, start: site.start, end: site.end, pairs },
        offset,
    }
}
