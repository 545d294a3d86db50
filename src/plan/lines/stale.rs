//! Line operations written for an earlier content of the file.
//!
//! They are carried out only if that content is known, and every line that they touch stands unchanged,
//! all of them the same number of lines away, between neighbours that moved with them.

use std::collections::HashMap;

use super::{At, Base, LineOp, resolve};
use crate::{
    refusal::Refusal,
    text::{
        Text,
        tag::{shown, tag as tag_of},
        view::trim_end,
    },
};

/// Where the operations go now, and how far that is from where they were meant.
///
/// # Errors
/// No old text has the tag, or the lines changed.
pub(super) fn recover(
    live: &Text,
    tag: u16,
    ops: &[&LineOp],
    path: &[u8],
    mut olds: Vec<Vec<u8>>,
) -> Result<(Vec<At>, i64), Refusal> {
    olds.retain(|old| tag_of(old) == tag);
    olds.sort();
    olds.dedup();
    let known = !olds.is_empty();
    let mut found: Option<(Vec<At>, i64)> = None;
    for old in &olds {
        let here = from(&Text::new(old), live, ops, path)?;
        match (here, &found) {
            (Some(here), None) => found = Some(here),
            (Some(here), Some(other)) if here == *other => {}
            _ => return Err(changed(live, tag, known)),
        }
    }
    found.ok_or_else(|| changed(live, tag, known))
}

fn changed(live: &Text, tag: u16, known: bool) -> Refusal {
    let now = shown(tag_of(live.bytes()));
    let tag = shown(tag);
    let what = if known {
        format!("(the lines of the text with tag {tag} are not as they were; the file's tag is {now} now)")
    } else {
        format!("(the file's tag is {now}, not {tag})")
    };
    Refusal::ChangedSinceRead { what }
}

fn from(old: &Text, live: &Text, ops: &[&LineOp], path: &[u8]) -> Result<Option<(Vec<At>, i64)>, Refusal> {
    let base = Base::new(old, path);
    let places = ops.iter().map(|op| resolve(&base, op)).collect::<Result<Vec<_>, _>>()?;
    let touched: Vec<(usize, usize)> = places.iter().filter_map(|at| at.touched).collect();
    let Some(offset) = Map::new(old, live).offset(&touched) else { return Ok(None) };
    let shifted: Option<Vec<At>> = places.into_iter().map(|at| shift(at, live, offset)).collect();
    Ok(shifted.map(|places| (places, offset)))
}

fn shift(at: At, live: &Text, offset: i64) -> Option<At> {
    if at.tail {
        return Some(At::end(live));
    }
    if at.touched.is_none() {
        return Some(at);
    }
    let line = |line: usize| usize::try_from(i64::try_from(line).ok()? + offset).ok();
    let (start, end) = (line(at.start)?, line(at.end)?);
    (end <= live.len()).then_some(At { start, end, ..at })
}

/// Which line of the file each line of the old text is, where it is unchanged.
struct Map<'t> {
    old: &'t Text<'t>,
    live: &'t Text<'t>,
    lines: Vec<Option<usize>>,
    /// How often each line stands in either text.
    times: HashMap<&'t [u8], (usize, usize)>,
}

impl<'t> Map<'t> {
    fn new(old: &'t Text<'t>, live: &'t Text<'t>) -> Map<'t> {
        let (old_keys, live_keys): (Vec<&[u8]>, Vec<&[u8]>) =
            (old.bodies().map(trim_end).collect(), live.bodies().map(trim_end).collect());
        let mut times: HashMap<&[u8], (usize, usize)> = HashMap::new();
        old_keys.iter().for_each(|key| times.entry(key).or_default().0 += 1);
        live_keys.iter().for_each(|key| times.entry(key).or_default().1 += 1);
        let lines = align(&old_keys, &live_keys, &times);
        Map { old, live, lines, times }
    }

    /// The one offset by which all touched lines moved.
    fn offset(&self, touched: &[(usize, usize)]) -> Option<i64> {
        let first = touched.first()?.0;
        let offset = i64::try_from((*self.lines.get(first)?)?).ok()? - i64::try_from(first).ok()?;
        let moved = |&(start, end): &(usize, usize)| (start..end).all(|line| self.holds(line, offset));
        touched.iter().all(moved).then_some(offset)
    }

    /// The line moved by `offset`, and so did a neighbour; both, if the line stands more than once.
    fn holds(&self, line: usize, offset: i64) -> bool {
        let (above, below) = (self.above(line, offset), self.moved(line + 1, offset));
        let unique = self.times.get(trim_end(self.old.body(line))) == Some(&(1, 1));
        self.moved(line, offset) && (above && below || unique && (above || below))
    }

    fn above(&self, line: usize, offset: i64) -> bool {
        line.checked_sub(1).map_or(offset == 0, |above| self.moved(above, offset))
    }

    /// The end of the text counts as a line below the last.
    fn moved(&self, line: usize, offset: i64) -> bool {
        let now =
            i64::try_from(line).ok().map(|line| line + offset).and_then(|line| usize::try_from(line).ok());
        match self.lines.get(line) {
            Some(found) => found.is_some() && *found == now,
            None => line == self.old.len() && now == Some(self.live.len()),
        }
    }
}

/// Which line of the new text each old line is: from both ends inwards, then from the lines that stand once
/// in either text, in order. What is left between them is taken for changed.
fn align(old: &[&[u8]], live: &[&[u8]], times: &HashMap<&[u8], (usize, usize)>) -> Vec<Option<usize>> {
    let mut lines = vec![None; old.len()];
    let most = old.len().min(live.len());
    let head = (0..most).take_while(|&at| old[at] == live[at]).count();
    let foot = (1..=most - head).take_while(|&at| old[old.len() - at] == live[live.len() - at]).count();
    (0..head).for_each(|at| lines[at] = Some(at));
    (1..=foot).for_each(|at| lines[old.len() - at] = Some(live.len() - at));
    let (old_end, live_end) = (old.len() - foot, live.len() - foot);
    let once = |key: &[u8]| times.get(key) == Some(&(1, 1));
    let places: HashMap<&[u8], usize> =
        (head..live_end).filter(|&at| once(live[at])).map(|at| (live[at], at)).collect();
    let shared: Vec<(usize, usize)> =
        (head..old_end).filter_map(|at| Some((at, *places.get(old[at])?))).collect();
    let mut bounds = ascending(&shared);
    bounds.push((old_end, live_end));
    let mut low = (head, head);
    for (at, now) in bounds {
        let mut back = 0;
        while at - back > low.0 && now - back > low.1 && old[at - back - 1] == live[now - back - 1] {
            back += 1;
            lines[at - back] = Some(now - back);
        }
        if at == old_end {
            break;
        }
        let mut on = 0;
        while at + on < old_end && now + on < live_end && old[at + on] == live[now + on] {
            lines[at + on] = Some(now + on);
            on += 1;
        }
        low = (low.0.max(at + on), low.1.max(now + on));
    }
    lines
}

/// The longest run of pairs that ascend on both sides.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let at = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(at.checked_sub(1).map(|below| ends[below]));
        if at == ends.len() { ends.push(index) } else { ends[at] = index }
    }
    let mut out: Vec<(usize, usize)> = Vec::new();
    let mut next = ends.last().copied();
    while let Some(index) = next {
        out.push(pairs[index]);
        next = before[index];
    }
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_lines_are_found() {
        for (old, live, want) in [
            ("abc", "abc", "012"),
            ("abc", "xabc", "123"),
            ("abcd", "axcd", "0-23"),
            ("abcde", "xbcye", "-12-4"),
            ("aabb", "aaxbb", "0134"),
            ("abcd", "cdab", "--01"),
            ("abc", "", "---"),
            ("", "abc", ""),
            ("xx", "xxx", "01"),
            ("axbxc", "1axb2xc3", "12356"),
        ] {
            let (old_text, live_text) = (split(old), split(live));
            let (old_text, live_text) = (Text::new(&old_text), Text::new(&live_text));
            let map = Map::new(&old_text, &live_text);
            let shown: String =
                map.lines.iter().map(|line| line.map_or("-".to_owned(), |line| line.to_string())).collect();
            assert_eq!(shown, want, "{old} {live}");
        }
    }

    fn split(letters: &str) -> Vec<u8> {
        letters.bytes().flat_map(|letter| [letter, b'\n']).collect()
    }

    #[test]
    fn large_texts_that_share_nothing_are_told_at_once() {
        let text =
            |word: &str| (0..200_000).map(|at| format!("{word} {at}\n")).collect::<String>().into_bytes();
        let (old, live) = (text("old"), text("live"));
        assert!(Map::new(&Text::new(&old), &Text::new(&live)).lines.iter().all(Option::is_none));
        let same = b"}\n".repeat(200_000);
        let longer = b"}\n".repeat(200_001);
        assert_eq!(Map::new(&Text::new(&same), &Text::new(&longer)).lines.last(), Some(&Some(199_999)));
    }
}
