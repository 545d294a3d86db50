//! Lines that tell where hunks may stand: one for each hunk, all of them found in one walk over the file.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::{edit::Hunk, text::Text};

/// A line that stands in more places tells too little.
const MOST: u32 = 16;
/// Shorter lines tell nothing.
const SHORTEST: usize = 8;
const NONE: u32 = u32::MAX;
/// Bits of the filter for each line sought: one in so many lines passes it by chance.
const ROOM: usize = 16;

/// The longest of these lines, and which it is.
pub(super) fn longest<'l>(lines: impl Iterator<Item = &'l [u8]>) -> Option<(usize, &'l [u8])> {
    lines.enumerate().max_by_key(|(_, line)| line.len())
}

/// A hash in a few steps: of the length and of the bytes at both ends and in the middle.
pub(super) fn rough(line: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let word = |from: usize| line[from..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let parts = match line.len().checked_sub(8) {
        Some(last) => [word(0), word(last / 2), word(last)],
        None => [line.iter().fold(0, |sum, &b| sum << 8 | u64::from(b)), 0, 0],
    };
    parts.iter().fold(line.len() as u64, |sum, part| (sum.rotate_left(23) ^ part).wrapping_mul(FACTOR))
}

/// The longest old line of each hunk's readings, and the file's lines that may be equal to it.
pub(super) struct Telling {
    /// rough hash -> (the last such line in `hits`, number of lines)
    heads: HashMap<u64, (u32, u32), FixedState>,
    /// (line of the file, the hit before with the same hash)
    hits: Vec<(u32, u32)>,
}

impl Telling {
    pub fn new(text: &Text, hunks: &[&Hunk]) -> Telling {
        let bodies = hunks.iter().flat_map(|hunk| &hunk.readings);
        let sought = bodies.filter_map(|body| longest(body.old().map(|line| line.text.as_ref())));
        let sought = sought.filter(|(_, line)| line.len() >= SHORTEST).map(|(_, line)| rough(line));
        let mut telling = Telling { heads: sought.map(|hash| (hash, (NONE, 0))).collect(), hits: Vec::new() };
        telling.walk(text);
        telling
    }

    fn walk(&mut self, text: &Text) {
        let bits = (self.heads.len() * ROOM).next_power_of_two().max(64);
        let bit = |hash: u64| (hash >> 32) as usize & (bits - 1);
        let mut filter = vec![0_u64; bits / 64];
        self.heads.keys().for_each(|&hash| filter[bit(hash) / 64] |= 1 << (bit(hash) % 64));
        for (at, line) in text.bodies().enumerate().filter(|(_, line)| line.len() >= SHORTEST) {
            let hash = rough(line);
            if filter[bit(hash) / 64] >> (bit(hash) % 64) & 1 == 0 {
                continue;
            }
            let Some((last, count)) = self.heads.get_mut(&hash) else { continue };
            *count += 1;
            if *count <= MOST {
                let hit = (u32::try_from(at).unwrap_or(NONE), *last);
                *last = u32::try_from(self.hits.len()).unwrap_or(NONE);
                self.hits.push(hit);
            }
        }
    }

    /// Where these lines may begin, ascending: to be compared. `None`: the longest of them was not sought, or tells
    /// too little.
    pub fn starts(&self, old: &[&[u8]]) -> Option<Vec<usize>> {
        let (nth, line) = longest(old.iter().copied()).filter(|(_, line)| line.len() >= SHORTEST)?;
        let &(mut hit, count) = self.heads.get(&rough(line)).filter(|(_, count)| *count <= MOST)?;
        let mut starts = Vec::with_capacity(count as usize);
        while hit != NONE {
            let (at, before) = self.hits[hit as usize];
            starts.extend((at as usize).checked_sub(nth));
            hit = before;
        }
        starts.reverse();
        Some(starts)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::place::{
        index::{Index, Kind},
        tests::block,
    };

    proptest! {
        #[test]
        fn what_tells_finds_what_the_table_finds(
            file in "((ab|cd|ef){0,6}\n){0,80}", old in prop::collection::vec("((ab|cd|ef){0,6}\n){1,3}", 7..12),
        ) {
            let hunks: Vec<Hunk> = old.iter().map(|old| block(old, "new\n")).collect();
            let text = Text::new(file.as_bytes());
            let index = Index::for_hunks(&text, &hunks.iter().collect::<Vec<_>>());
            for old in &old {
                let old: Vec<&[u8]> = old.lines().map(str::as_bytes).collect();
                prop_assert_eq!(index.runs(Kind::Body, &old), Index::new(&text).runs(Kind::Body, &old));
            }
        }
    }

    #[test]
    fn what_stands_in_many_places_or_is_short_tells_nothing() {
        let file = "a long line\n".repeat(17) + "another long line\nshort\n";
        let text = Text::new(file.as_bytes());
        let hunks =
            [block("a long line\n", ""), block("another long line\nshort\n", ""), block("short\n", "")];
        let telling = Telling::new(&text, &hunks.iter().collect::<Vec<_>>());
        assert_eq!(telling.starts(&[b"a long line"]), None);
        assert_eq!(telling.starts(&[b"short"]), None);
        assert_eq!(telling.starts(&[b"not sought"]), None);
        assert_eq!(telling.starts(&[b"short", b"another long line"]), Some(vec![16]));
    }
}
