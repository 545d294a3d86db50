//! Where each line of a text stands: an index that is made once plain looking has gone far.

use std::{
    cell::{Cell, OnceCell},
    collections::HashMap,
    hash::BuildHasher,
};

use foldhash::fast::FixedState;

/// So many lines are always looked at without an index.
const NEAR: usize = 16;

/// The lines of a text by their keys. Lines that count as equal have the same key; others may have it too.
#[derive(Debug)]
pub struct Places {
    table: OnceCell<Table>,
    /// So many lines may still be looked at without it.
    patience: Cell<usize>,
}

/// The lines with a key follow each other.
#[derive(Debug)]
struct Table {
    ranks: HashMap<u64, u32, FixedState>,
    /// Of each rank, where its lines end.
    ends: Vec<u32>,
    lines: Vec<u32>,
}

impl Places {
    /// For a text of so many lines.
    pub fn new(lines: usize) -> Places {
        // To index a line costs about as much as to look at one on both sides. Beyond 32 bits no index is made.
        let patience = u32::try_from(lines).map_or(usize::MAX, |_| lines);
        Places { table: OnceCell::new(), patience: Cell::new(patience) }
    }

    /// How many lines to look at one by one, of so many: one hunk of a large text needs no index for it.
    pub fn patience(&self, wanted: usize) -> usize {
        let left = if self.table.get().is_some() { 0 } else { self.patience.get() };
        let granted = wanted.min(left);
        self.patience.set(left - granted);
        granted.max(NEAR)
    }

    /// Of those that were granted, so many were not needed.
    pub fn spare(&self, lines: usize) {
        self.patience.set(self.patience.get().saturating_add(lines));
    }

    /// Which of `sought` stands in the fewest lines, and in which, ascending. `all`: the keys of the text.
    pub fn rarest<I: Iterator<Item = u64>>(
        &self,
        sought: impl Iterator<Item = u64>,
        all: impl FnOnce() -> I,
    ) -> Option<(usize, &[u32])> {
        let table = self.table.get_or_init(|| Table::new(all()));
        sought.map(|key| table.of(key)).enumerate().min_by_key(|(_, lines)| lines.len())
    }
}

impl Table {
    fn new(keys: impl Iterator<Item = u64>) -> Table {
        let mut ranks: HashMap<u64, u32, FixedState> =
            HashMap::with_capacity_and_hasher(keys.size_hint().0, FixedState::default());
        let mut counts = Vec::new();
        let ranked: Vec<u32> = keys
            .map(|key| {
                let rank = *ranks.entry(key).or_insert_with(|| {
                    counts.push(0);
                    counts.len() as u32 - 1
                });
                counts[rank as usize] += 1;
                rank
            })
            .collect();
        let starts = counts.iter().scan(0, |sum, count| Some(std::mem::replace(sum, *sum + count)));
        let mut ends: Vec<u32> = starts.collect();
        let mut lines = vec![0; ranked.len()];
        for (line, rank) in (0..).zip(ranked) {
            let end = &mut ends[rank as usize];
            lines[*end as usize] = line;
            *end += 1;
        }
        Table { ranks, ends, lines }
    }

    fn of(&self, key: u64) -> &[u32] {
        let Some(&rank) = self.ranks.get(&key) else { return &[] };
        let start = rank.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.lines[start as usize..self.ends[rank as usize] as usize]
    }
}

/// The key of bytes that all count.
pub fn key(bytes: &[u8]) -> u64 {
    FixedState::default().hash_one(bytes)
}

/// The key of those of a line's bytes that count.
pub fn key_of(bytes: impl Iterator<Item = u8>) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    bytes.fold(0, |sum: u64, byte| (sum.rotate_left(5) ^ u64::from(byte)).wrapping_mul(FACTOR))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_by_their_keys() {
        let text = ["a", "b", "a", "c", "a"].map(|line| key(line.as_bytes()));
        let rarest = |sought: &[&str]| {
            let places = Places::new(text.len());
            let found = places.rarest(sought.iter().map(|line| key(line.as_bytes())), || text.into_iter());
            found.map(|(at, lines)| (at, lines.to_vec()))
        };
        assert_eq!(rarest(&["a"]), Some((0, vec![0, 2, 4])));
        assert_eq!(rarest(&["a", "b", "c"]), Some((1, vec![1])));
        assert_eq!(rarest(&["a", "d"]), Some((1, vec![])));
        assert_eq!(rarest(&[]), None);
    }

    #[test]
    fn patience_ends() {
        let places = Places::new(40);
        assert_eq!(places.patience(30), 30);
        places.spare(10);
        assert_eq!([places.patience(100), places.patience(100)], [20, NEAR]);
    }
}
