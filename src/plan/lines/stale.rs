//! Line operations written for an earlier content of the file.
//!
//! They are carried out only if that content is known, and every line that they touch stands unchanged,
//! all of them the same number of lines away, between neighbours that moved with them.

use std::collections::HashMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{At, LineOp, resolve};
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
    let places = ops.iter().map(|op| resolve(old, op, path)).collect::<Result<Vec<_>, _>>()?;
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
        let old_keys: Vec<&[u8]> = old.bodies().map(trim_end).collect();
        let live_keys: Vec<&[u8]> = live.bodies().map(trim_end).collect();
        let mut lines = vec![None; old.len()];
        for op in capture_diff_slices(Algorithm::Patience, &old_keys, &live_keys) {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                (0..len).for_each(|nth| lines[old_index + nth] = Some(new_index + nth));
            }
        }
        let mut times: HashMap<&[u8], (usize, usize)> = HashMap::new();
        old_keys.into_iter().for_each(|key| times.entry(key).or_default().0 += 1);
        live_keys.into_iter().for_each(|key| times.entry(key).or_default().1 += 1);
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
