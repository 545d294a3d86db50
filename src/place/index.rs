//! An index over a file's lines, so that finding a hunk costs about its own length.
//!
//! For each kind of key (the line as it is, without trailing blanks, ...) the lines are hashed once and
//! chained by hash. A hunk is sought by its rarest line; hashes find, bytes decide.

use std::{
    borrow::Cow,
    cell::OnceCell,
    collections::HashMap,
    hash::{BuildHasher, Hasher},
};

use foldhash::fast::FixedState;

use super::telling::{Telling, longest};
use crate::{
    edit::Hunk,
    text::{Text, is_blank, is_word, token, view},
};

/// What of a line is compared. Each kind stands on the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The line without its end.
    Body,
    /// Without trailing blanks.
    Trailing,
    /// Typography folded.
    Folded,
    /// Folded, without indentation.
    Stripped,
    /// Tokens: white space does not count.
    Tokens,
}

/// A line's key of one kind.
pub(crate) fn key(kind: Kind, line: &[u8]) -> Cow<'_, [u8]> {
    match kind {
        Kind::Body => Cow::Borrowed(line),
        Kind::Trailing => Cow::Borrowed(view::trim_end(line)),
        Kind::Folded => view::typography(line),
        Kind::Stripped => match view::typography(line) {
            Cow::Borrowed(folded) => Cow::Borrowed(view::trim_start(folded)),
            Cow::Owned(folded) => Cow::Owned(view::trim_start(&folded).to_vec()),
        },
        Kind::Tokens => Cow::Owned(token::key(&view::typography(line))),
    }
}

/// A key's hash. The seed is fixed: no output depends on it, since bytes decide.
pub(crate) fn hash(key: &[u8]) -> u64 {
    let mut hasher = FixedState::with_seed(0x0eda_9917).build_hasher();
    hasher.write(key);
    hasher.finish()
}

/// What a line's key is found by. For tokens the bytes between the blanks are hashed, which lines with equal
/// tokens have in common: tokens are made of the candidates only.
pub(crate) fn digest(kind: Kind, line: &[u8]) -> u64 {
    if kind != Kind::Tokens {
        return hash(&key(kind, line));
    }
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let line = view::typography(line);
    let solid = line.iter().filter(|&&b| !token::is_gap(b));
    solid.fold(0, |sum: u64, &b| (sum.rotate_left(5) ^ u64::from(b)).wrapping_mul(FACTOR))
}

fn digests(kind: Kind, lines: &[&[u8]]) -> Vec<u64> {
    lines.iter().map(|line| digest(kind, line)).collect()
}

const NONE: u32 = u32::MAX;
/// So few hunks are sought by their bytes, if the file has so many bytes for each of them.
const FEW: usize = 6;
const MANY_BYTES: usize = 4_000;
/// Shorter lines stand in too many places to be sought so.
const TELLING: usize = 6;

/// The lines of one kind, chained by hash.
struct Table {
    hashes: Vec<u64>,
    /// hash -> (first line, number of lines)
    heads: HashMap<u64, (u32, u32), FixedState>,
    /// The next line with the same hash.
    next: Vec<u32>,
}

impl Table {
    fn new(hashes: Vec<u64>) -> Table {
        let mut heads: HashMap<u64, (u32, u32), FixedState> =
            HashMap::with_capacity_and_hasher(hashes.len(), FixedState::default());
        let mut next = vec![NONE; hashes.len()];
        for at in (0..hashes.len()).rev() {
            let line = u32::try_from(at).unwrap_or(NONE);
            heads
                .entry(hashes[at])
                .and_modify(|(first, count)| {
                    next[at] = *first;
                    *first = line;
                    *count += 1;
                })
                .or_insert((line, 1));
        }
        Table { hashes, heads, next }
    }

    fn count(&self, hash: u64) -> usize {
        self.heads.get(&hash).map_or(0, |&(_, count)| count as usize)
    }

    fn lines(&self, hash: u64) -> impl Iterator<Item = usize> + '_ {
        let mut at = self.heads.get(&hash).map_or(NONE, |&(first, _)| first);
        std::iter::from_fn(move || {
            if at == NONE {
                return None;
            }
            let line = at as usize;
            at = self.next[line];
            Some(line)
        })
    }
}

/// A file's lines, ready for being searched under every view.
pub struct Index<'t> {
    pub(crate) text: &'t Text<'t>,
    tables: [OnceCell<Table>; 5],
    /// The lines that are not blank, for the view that ignores blank lines.
    solid: OnceCell<Vec<usize>>,
    solid_tables: [OnceCell<Table>; 2],
    /// Which kinds come to the same as another one in this file.
    same: OnceCell<Same>,
    /// The words of all lines; only for messages.
    words: OnceCell<Words>,
    /// How lines are sought without a table.
    quick: Quick,
}

/// How lines as they are can be sought without hashing all of the file's lines.
enum Quick {
    No,
    /// Few hunks in a large file: by their bytes.
    Bytes,
    /// By the lines that tell most.
    Telling(Telling),
}

/// What of a file needs no table of its own.
struct Same {
    /// No line ends in blanks.
    trailing: bool,
    /// All is ASCII.
    folded: bool,
}

/// The words of a file, chained by hash, and the line of each.
struct Words {
    table: Table,
    lines: Vec<u32>,
}

impl<'t> Index<'t> {
    pub fn new(text: &'t Text<'t>) -> Index<'t> {
        Index {
            text,
            tables: Default::default(),
            solid: OnceCell::new(),
            solid_tables: Default::default(),
            same: OnceCell::new(),
            words: OnceCell::new(),
            quick: Quick::No,
        }
    }

    /// An index in which these hunks will be sought.
    pub fn for_hunks(text: &'t Text<'t>, hunks: &[&Hunk]) -> Index<'t> {
        let few = hunks.len() <= FEW && hunks.len() * MANY_BYTES <= text.bytes().len();
        let quick = if few { Quick::Bytes } else { Quick::Telling(Telling::new(text, hunks)) };
        Index { quick, ..Index::new(text) }
    }

    fn table(&self, kind: Kind) -> &Table {
        let kind = self.own_kind(kind);
        self.tables[kind as usize]
            .get_or_init(|| Table::new(self.text.bodies().map(|line| digest(kind, line)).collect()))
    }

    /// The strictest kind that gives the lines of this file the same keys.
    fn own_kind(&self, kind: Kind) -> Kind {
        if !matches!(kind, Kind::Trailing | Kind::Folded) {
            return kind;
        }
        let same = self.same.get_or_init(|| Same {
            trailing: self.text.bodies().all(|line| view::trim_end(line).len() == line.len()),
            folded: self.text.bytes().is_ascii(),
        });
        match kind {
            Kind::Folded if same.folded => self.own_kind(Kind::Trailing),
            Kind::Trailing if same.trailing => Kind::Body,
            kind => kind,
        }
    }

    /// The lines that are not blank.
    pub(crate) fn solid(&self) -> &[usize] {
        self.solid.get_or_init(|| (0..self.text.len()).filter(|&at| !is_blank(self.text.body(at))).collect())
    }

    fn solid_table(&self, kind: Kind) -> &Table {
        let slot = usize::from(kind == Kind::Stripped);
        self.solid_tables[slot].get_or_init(|| {
            let hashes = &self.table(kind).hashes;
            Table::new(self.solid().iter().map(|&at| hashes[at]).collect())
        })
    }

    /// A line with this key stands in the file.
    pub(crate) fn holds(&self, kind: Kind, line: &[u8]) -> bool {
        self.lines(kind, line).next().is_some()
    }

    /// How often a line with this key stands in the file (by hash).
    pub(crate) fn count(&self, kind: Kind, line: &[u8]) -> usize {
        match kind {
            Kind::Tokens => self.lines(kind, line).count(),
            _ => self.table(kind).count(digest(kind, line)),
        }
    }

    /// The lines with this key, ascending.
    pub(crate) fn lines<'a>(&'a self, kind: Kind, line: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        let wanted = key(kind, line);
        self.table(kind).lines(digest(kind, line)).filter(move |&at| key(kind, self.text.body(at)) == wanted)
    }

    /// The hash of line `at`'s key.
    pub(crate) fn hash_at(&self, kind: Kind, at: usize) -> u64 {
        self.table(kind).hashes[at]
    }

    /// Where `old` stands as a run of lines with equal keys: the first lines, ascending.
    pub(crate) fn runs(&self, kind: Kind, old: &[&[u8]]) -> Vec<usize> {
        if kind == Kind::Body
            && let Some(found) = self.quick_runs(old)
        {
            return found;
        }
        let found = runs_of(self.table(kind), &digests(kind, old));
        let agrees = |start: &usize| {
            old.iter().enumerate().all(|(i, line)| key(kind, self.text.body(start + i)) == key(kind, line))
        };
        found.into_iter().filter(agrees).collect()
    }

    /// The runs of these very lines; `None` if only the table can tell.
    fn quick_runs(&self, old: &[&[u8]]) -> Option<Vec<usize>> {
        let mut starts = match &self.quick {
            Quick::No => return None,
            Quick::Bytes => self.starts_by_bytes(old)?,
            Quick::Telling(telling) => telling.starts(old)?,
        };
        let text = self.text;
        let stands = |start: &usize| {
            start + old.len() <= text.len() && (0..old.len()).all(|i| text.body(start + i) == old[i])
        };
        starts.retain(stands);
        Some(starts)
    }

    /// Where these lines may begin, by a search for the longest of them; `None` if it is too short to tell much, or
    /// stands in so many places that to compare all of them would cost more than a table.
    fn starts_by_bytes(&self, old: &[&[u8]]) -> Option<Vec<usize>> {
        let (at, longest) = longest(old.iter().copied())?;
        if longest.len() < TELLING {
            return None;
        }
        let text = self.text;
        // No line holds a line end, so that no hit that begins above a line reaches into it.
        let hits = memchr::memmem::find_iter(text.bytes(), longest);
        let begins = |hit: &usize| *hit == text.offset(0) || *hit > 0 && text.bytes()[hit - 1] == b'\n';
        let most = text.len() / old.len() + 8;
        let starts = hits.filter(begins).filter_map(|hit| text.line_at(hit).checked_sub(at));
        let starts: Vec<usize> = starts.take(most + 1).collect();
        (starts.len() <= most).then_some(starts)
    }

    /// As [`Index::runs`] over the lines that are not blank; `old` has no blank line. The results are
    /// positions in [`Index::solid`].
    pub(crate) fn solid_runs(&self, kind: Kind, old: &[&[u8]]) -> Vec<usize> {
        let (keys, hashes): (Vec<_>, _) =
            (old.iter().map(|line| key(kind, line)).collect(), digests(kind, old));
        if hashes.iter().any(|&hash| self.table(kind).count(hash) == 0) {
            return Vec::new();
        }
        let found = runs_of(self.solid_table(kind), &hashes);
        let solid = self.solid();
        let agrees =
            |start: &usize| (0..keys.len()).all(|i| key(kind, self.text.body(solid[start + i])) == keys[i]);
        found.into_iter().filter(agrees).collect()
    }
}

impl Index<'_> {
    /// Lines that share words with `line`, those with rare words first; at most `most`.
    pub(crate) fn sharing_words(&self, line: &[u8], most: usize) -> Vec<usize> {
        let words = self.words.get_or_init(|| {
            let (mut hashes, mut lines) = (Vec::new(), Vec::new());
            for (at, line) in self.text.bodies().enumerate() {
                hashes.extend(words_of(line).map(hash));
                lines.resize(hashes.len(), u32::try_from(at).unwrap_or(NONE));
            }
            Words { table: Table::new(hashes), lines }
        });
        let mut sought: Vec<u64> = words_of(line).map(hash).collect();
        sought.sort_by_key(|&word| words.table.count(word));
        let holders = sought.into_iter().flat_map(|word| words.table.lines(word));
        let mut out: Vec<usize> = holders.take(most).map(|word| words.lines[word] as usize).collect();
        out.sort_unstable();
        out.dedup();
        out
    }
}

/// Words of three characters or more.
fn words_of(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|b| !is_word(*b)).filter(|word| word.len() >= 3)
}

/// The starts of all runs of `wanted` in the table, by hash.
fn runs_of(table: &Table, wanted: &[u64]) -> Vec<usize> {
    let Some(rarest) = (0..wanted.len()).min_by_key(|&i| table.count(wanted[i])) else { return Vec::new() };
    let total = table.hashes.len();
    let count = table.count(wanted[rarest]);
    if count.saturating_mul(wanted.len()) > total.saturating_mul(2).max(64) {
        return runs_by_automaton(&table.hashes, wanted);
    }
    table
        .lines(wanted[rarest])
        .filter(|&at| at >= rarest && at - rarest + wanted.len() <= total)
        .map(|at| at - rarest)
        .filter(|&start| table.hashes[start..start + wanted.len()] == *wanted)
        .collect()
}

/// Knuth, Morris and Pratt's search: linear also in a file of equal lines.
fn runs_by_automaton(hay: &[u64], wanted: &[u64]) -> Vec<usize> {
    let mut fallback = vec![0; wanted.len()];
    for i in 1..wanted.len() {
        let mut k = fallback[i - 1];
        while k > 0 && wanted[k] != wanted[i] {
            k = fallback[k - 1];
        }
        fallback[i] = k + usize::from(wanted[k] == wanted[i]);
    }
    let (mut found, mut k) = (Vec::new(), 0);
    for (at, value) in hay.iter().enumerate() {
        while k > 0 && (k == wanted.len() || wanted[k] != *value) {
            k = fallback[k - 1];
        }
        k += usize::from(wanted[k] == *value);
        if k == wanted.len() {
            found.push(at + 1 - k);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(file: &str, old: &[&str]) -> Vec<usize> {
        let text = Text::new(file.as_bytes());
        let old: Vec<&[u8]> = old.iter().map(|line| line.as_bytes()).collect();
        let found = Index::new(&text).runs(Kind::Body, &old);
        let by_bytes = Index { quick: Quick::Bytes, ..Index::new(&text) };
        assert_eq!(by_bytes.runs(Kind::Body, &old), found);
        found
    }

    #[test]
    fn a_few_hunks_are_found_by_their_bytes() {
        let file = "\u{feff}first line\r\nsecond\nx second\nsecond\nsecond line\nfirst line\r\nsecond";
        assert_eq!(starts(file, &["second"]), [1, 3, 6]);
        assert_eq!(starts(file, &["first line", "second"]), [0, 5]);
        assert_eq!(starts(file, &["second", "second line"]), [3]);
        assert_eq!(starts(file, &["second", "third"]), [] as [usize; 0]);
        assert_eq!(starts("aaaaaaaa\naaaaaa\naaaaaaa\n", &["aaaaaa"]), [1]);
    }

    #[test]
    fn finds_every_run() {
        assert_eq!(starts("a\nb\na\nb\nc\n", &["a", "b"]), [0, 2]);
        assert_eq!(starts("a\nb\na\nb\nc\n", &["b", "c"]), [3]);
        assert_eq!(starts("a\nb\n", &["b", "c"]), [] as [usize; 0]);
        assert_eq!(starts("a\n", &["a", "a"]), [] as [usize; 0]);
        assert_eq!(starts("", &["a"]), [] as [usize; 0]);
    }

    #[test]
    fn overlapping_runs_in_a_repetitive_file() {
        for line in ["x", "some line"] {
            let file = format!("{line}\n").repeat(500);
            assert_eq!(starts(&file, &[line; 300]).len(), 201);
        }
    }

    #[test]
    fn single_line_file_of_equal_lines() {
        assert_eq!(starts(&"x\n".repeat(200), &["x"]).len(), 200);
    }
}
