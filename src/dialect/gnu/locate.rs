//! Where a hunk goes by GNU patch's rules: the stated line, then ever farther from it, with context lines
//! left out at the ends as far as the fuzz allows. The first place that fits is taken.

use std::{cell::OnceCell, ops::Range};

use crate::{
    dialect::{
        offsets::Offsets,
        places::{self, Places},
    },
    input::strict::Hunk,
};

/// A file's lines with their ends, and how much of it is settled.
pub struct Target<'f> {
    bytes: &'f [u8],
    offsets: Offsets<'f>,
    lines: OnceCell<Vec<&'f [u8]>>,
    pub ignore_blanks: bool,
    places: Places,
}

/// What earlier hunks of the file left behind.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    /// How far the last hunk stood from its stated line.
    pub offset: i64,
    /// Lines of the file that are used up.
    pub frozen: i64,
}

impl<'f> Target<'f> {
    pub fn new(bytes: &'f [u8], ignore_blanks: bool) -> Target<'f> {
        let offsets = Offsets::new(bytes);
        let places = Places::new(offsets.lines());
        Target { bytes, offsets, lines: OnceCell::new(), ignore_blanks, places }
    }

    /// What two lines have in common that count as equal.
    fn key(&self, line: &[u8]) -> u64 {
        if !self.ignore_blanks {
            return places::key(line);
        }
        places::key_of(line.iter().copied().filter(|b| !is_blank(*b) && *b != b'\n'))
    }

    pub fn len(&self) -> i64 {
        self.offsets.lines() as i64
    }

    /// All lines; a few are had for less.
    pub fn lines(&self) -> &[&'f [u8]] {
        let cut = |ends: &[usize]| &self.bytes[ends[0]..ends[1]];
        self.lines.get_or_init(|| self.offsets.list().windows(2).map(cut).collect())
    }

    /// A line of the file, from 0.
    pub fn line(&self, at: usize) -> Option<&'f [u8]> {
        (at < self.offsets.lines()).then(|| self.run(at..at + 1))
    }

    /// Lines that follow each other, as they stand in the file.
    pub fn run(&self, lines: Range<usize>) -> &'f [u8] {
        if lines.is_empty() {
            return &[];
        }
        &self.bytes[self.offsets.start(lines.start)..self.offsets.start(lines.end)]
    }

    /// The place of a hunk, from 1, with this much fuzz; the running offset follows it.
    pub fn locate(&self, hunk: &Hunk<'_>, fuzz: i64, state: &mut State) -> Option<i64> {
        let guess = hunk.old_first.saturating_add(state.offset);
        let pattern = hunk.old.len() as i64;
        if pattern == 0 {
            return Some(guess);
        }
        let search = Search::new(self, hunk, fuzz, guess, *state);
        let offset = search.run()?;
        state.offset += offset;
        Some(guess + offset)
    }

    /// The old side, without `head` and `tail` lines at its ends, stands at `at` (from 1).
    fn fits(&self, hunk: &Hunk<'_>, at: i64, head: i64, tail: i64) -> bool {
        let end = hunk.old.len() as i64 - tail;
        let Some(first) = at.checked_add(head - 1).and_then(|at| usize::try_from(at).ok()) else {
            return false;
        };
        let pattern = &hunk.old[(head as usize).min(hunk.old.len())..end.max(head) as usize];
        if pattern.is_empty() || first.saturating_add(pattern.len()) > self.offsets.lines() {
            return pattern.is_empty();
        }
        let mut rest = &self.bytes[self.offsets.start(first)..];
        pattern.iter().all(|want| {
            if self.ignore_blanks {
                let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
                return similar(rest.split_off(..end).unwrap_or_default(), &want.text);
            }
            let Some(behind) = rest.strip_prefix(&want.text[..]) else { return false };
            rest = behind;
            want.text.ends_with(b"\n") || (rest.is_empty() && !want.text.is_empty())
        })
    }
}

struct Search<'t, 'f, 'h, 'p> {
    target: &'t Target<'f>,
    hunk: &'h Hunk<'p>,
    guess: i64,
    frozen: i64,
    head_fuzz: i64,
    tail_fuzz: i64,
    most_down: i64,
    most_up: i64,
}

impl<'t, 'f, 'h, 'p> Search<'t, 'f, 'h, 'p> {
    fn new(target: &'t Target<'f>, hunk: &'h Hunk<'p>, fuzz: i64, guess: i64, state: State) -> Self {
        let (head, tail) = (hunk.head as i64, hunk.tail as i64);
        let context = head.max(tail);
        let (head_fuzz, tail_fuzz) = (fuzz + head - context, fuzz + tail - context);
        let last = target.len() - (hunk.old.len() as i64 - tail_fuzz) + 1;
        let most_up = guess.saturating_sub(state.frozen + 1);
        let most_up = if guess <= most_up { guess - 1 } else { most_up };
        let most_down = last.saturating_sub(guess);
        Search { target, hunk, guess, frozen: state.frozen, head_fuzz, tail_fuzz, most_down, most_up }
    }

    fn run(&self) -> Option<i64> {
        let pattern = self.hunk.old.len() as i64;
        if self.head_fuzz < 0 && self.hunk.old_first <= 1 {
            return self.at_start(pattern);
        }
        let head = self.head_fuzz.max(0);
        if self.tail_fuzz < 0 {
            let back = self.guess - (self.target.len() - pattern + 1);
            return (back <= self.most_up && self.fits(-back, head, 0)).then_some(-back);
        }
        let farthest = self.most_down.max(self.most_up);
        self.outward(head, farthest)
    }

    /// With too little context at its head, a hunk of the first line goes there or nowhere.
    fn at_start(&self, pattern: i64) -> Option<i64> {
        let head = self.hunk.head as i64;
        if self.tail_fuzz < 0 && (pattern != self.target.len() || head < self.frozen) {
            return None;
        }
        let offset = 1 - self.guess;
        let fits =
            self.frozen <= head && offset <= self.most_down && self.fits(offset, 0, self.tail_fuzz.max(0));
        fits.then_some(offset)
    }

    fn outward(&self, head: i64, farthest: i64) -> Option<i64> {
        if self.most_down >= 0 && self.most_up < 0 {
            return self.past_used(head);
        }
        // Nearer ones are past the end.
        let nearest = (-self.most_down).max(0);
        let room = usize::try_from(farthest.saturating_sub(nearest)).unwrap_or(0);
        let near = self.target.places.patience(room) as i64;
        let spare = |offset: i64| self.target.places.spare((near - (offset - nearest)) as usize);
        for offset in nearest..=farthest.min(nearest.saturating_add(near)) {
            if offset > nearest {
                self.target.offsets.list();
            }
            if offset <= self.most_down && self.fits(offset, head, self.tail_fuzz) {
                spare(offset);
                return Some(offset);
            }
            if offset > 0 && offset <= self.most_up && self.fits(-offset, head, self.tail_fuzz) {
                spare(offset);
                return Some(-offset);
            }
        }
        if farthest > nearest.saturating_add(near) { self.far(head) } else { None }
    }

    /// The stated line is used already. As in the model, places as far above it as it is above the used
    /// lines' end come first, and those below in their order.
    fn past_used(&self, head: i64) -> Option<i64> {
        let pattern = self.hunk.old.len() as i64;
        if pattern <= head + self.tail_fuzz {
            return (self.most_up <= self.most_down).then_some(self.most_up);
        }
        let above = self.fits(self.most_up, head, self.tail_fuzz);
        if !above && self.fits(-self.most_up, head, self.tail_fuzz) {
            return Some(-self.most_up);
        }
        let (rarest, places) = self.rarest(head)?;
        let offsets = places.iter().map(|place| self.offset(*place, rarest));
        offsets
            .filter(|offset| (self.most_up..=self.most_down).contains(offset))
            .find(|offset| self.fits(*offset, head, self.tail_fuzz))
    }

    fn offset(&self, place: u32, line: usize) -> i64 {
        i64::from(place) + 1 - line as i64 - self.guess
    }

    /// Of the hunk's lines that count, the one that the file has least often, and where it has it.
    fn rarest(&self, head: i64) -> Option<(usize, &[u32])> {
        let old = &self.hunk.old;
        let head = usize::try_from(head).ok()?;
        let lines = head..old.len().checked_sub(usize::try_from(self.tail_fuzz).ok()?)?;
        let target = self.target;
        let sought = old.get(lines)?.iter().map(|line| target.key(&line.text));
        let all = || target.lines().iter().map(|line| target.key(line));
        target.places.rarest(sought, all).map(|(at, places)| (head + at, places))
    }

    /// The nearest place beyond those, by the places of the rarest line; a tie goes to the later one.
    fn far(&self, head: i64) -> Option<i64> {
        let (rarest, places) = self.rarest(head)?;
        let offset_of = |place: u32| self.offset(place, rarest);
        let middle = places.partition_point(|place| offset_of(*place) < 0);
        let mut down = places[middle..]
            .iter()
            .map(|place| offset_of(*place))
            .filter(|o| *o <= self.most_down)
            .peekable();
        let mut up = places[..middle]
            .iter()
            .rev()
            .map(|place| offset_of(*place))
            .filter(|o| -*o <= self.most_up)
            .peekable();
        loop {
            let next = match (down.peek(), up.peek()) {
                (Some(below), Some(above)) if -*above < *below => up.next(),
                (None, _) => up.next(),
                _ => down.next(),
            };
            let offset = next?;
            if self.fits(offset, head, self.tail_fuzz) {
                return Some(offset);
            }
        }
    }

    fn fits(&self, offset: i64, head: i64, tail: i64) -> bool {
        self.target.fits(self.hunk, self.guess + offset, head, tail)
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Equal but for the length of runs of blanks, blanks at the end and the line end.
pub fn similar(a: &[u8], b: &[u8]) -> bool {
    let mut a = a.strip_suffix(b"\n").unwrap_or(a);
    let mut b = b.strip_suffix(b"\n").unwrap_or(b);
    let skip = |text: &mut &[u8]| *text = &text[text.iter().take_while(|c| is_blank(**c)).count()..];
    loop {
        if b.first().is_none_or(|c| is_blank(*c)) {
            skip(&mut b);
            if !a.is_empty() {
                if !is_blank(a[0]) {
                    return false;
                }
                skip(&mut a);
            }
            if a.is_empty() || b.is_empty() {
                return a.len() == b.len();
            }
        } else if a.is_empty() || a[0] != b[0] {
            return false;
        } else {
            (a, b) = (&a[1..], &b[1..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::input::strict::{Lines, unified};

    fn place(file: &str, patch: &str, fuzz: i64) -> Option<i64> {
        let hunk = unified::read(&mut Lines::new(patch.as_bytes())).expect("readable").expect("a hunk");
        Target::new(file.as_bytes(), false).locate(&hunk, fuzz, &mut State::default())
    }

    const NUMBERS: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

    #[test]
    fn nearest_place_below_first() {
        let patch = "@@ -4,3 +4,3 @@\n x\n-y\n+Y\n z\n";
        assert_eq!(place("x\ny\nz\nq\nq\nq\nx\ny\nz\n", patch, 0), Some(7));
        let far = "@@ -100,3 +100,3 @@\n 4\n-5\n+V\n 6\n";
        assert_eq!(place(NUMBERS, far, 0), Some(4));
    }

    #[test]
    fn far_places_come_in_the_order_of_their_distance() {
        let filler = |count: usize| (0..count).map(|n| format!("{n} {count}\n")).collect::<String>();
        let place_of = |above: usize, below: usize| {
            let file = format!("x\ny\nz\n{}{}x\ny\nz\n", filler(above), filler(below));
            let stated = above + 4;
            place(&file, &format!("@@ -{stated},3 +{stated},3 @@\n x\n-y\n+Y\n z\n"), 0)
        };
        assert_eq!(place_of(60, 40), Some(104));
        assert_eq!(place_of(40, 60), Some(1));
        assert_eq!(place_of(57, 60), Some(121));
        assert_eq!(place_of(56, 60), Some(1));
    }

    proptest! {
        /// The index gives the place that looking at line after line gives.
        #[test]
        fn far_places_as_line_by_line(
            file in prop::collection::vec(prop::sample::select(&["a", "b", "a  b", "a b ", "c\td", ""][..]), 30..90),
            (stated, at, count) in (1..120_usize, any::<prop::sample::Index>(), 1..6_usize),
            (head, tail, fuzz) in (0..3_usize, 0..3_usize, 0..3_i64),
            (offset, frozen, ignore_blanks) in (-40..40_i64, 0..40_i64, any::<bool>()),
        ) {
            let start = at.index(file.len());
            let old = &file[start..(start + count).min(file.len())];
            let tail = old.len().saturating_sub(tail);
            let line = |(at, line): (usize, &&str)| {
                let mark = if at < head || at >= tail { ' ' } else { '-' };
                format!("{mark}{line}\n")
            };
            let body: String = old.iter().enumerate().map(line).collect();
            let kept = body.lines().filter(|line| line.starts_with(' ')).count();
            let patch = format!("@@ -{stated},{} +{stated},{} @@\n{body}+new\n", old.len(), kept + 1);
            let hunk = unified::read(&mut Lines::new(patch.as_bytes())).expect("readable").expect("a hunk");
            let fuzz = fuzz.min(hunk.head.max(hunk.tail) as i64);
            let text = file.iter().map(|line| format!("{line}\n")).collect::<String>();
            let place = |prepare: fn(&Places)| {
                let target = Target::new(text.as_bytes(), ignore_blanks);
                prepare(&target.places);
                let mut state = State { offset, frozen };
                (target.locate(&hunk, fuzz, &mut state), state.offset)
            };
            let by_index = |places: &Places| {
                places.patience(usize::MAX);
            };
            prop_assert_eq!(place(by_index), place(|places| places.spare(1 << 20)));
        }
    }

    #[test]
    fn short_context_anchors_at_the_ends() {
        let head = "@@ -1,3 +1,4 @@\n+new\n 1\n 2\n 3\n";
        assert_eq!(place(NUMBERS, head, 0), Some(1));
        assert_eq!(place(&format!("0\n{NUMBERS}"), head, 2), None);
        let tail = "@@ -8,3 +8,4 @@\n 8\n 9\n 10\n+new\n";
        assert_eq!(place(NUMBERS, tail, 0), Some(8));
        assert_eq!(place(&format!("{NUMBERS}11\n"), tail, 2), None);
    }

    #[test]
    fn fuzz_drops_context_from_the_longer_side_first() {
        let patch = "@@ -4,3 +4,3 @@\n four\n-5\n+V\n 6\n";
        assert_eq!((place(NUMBERS, patch, 0), place(NUMBERS, patch, 1)), (None, Some(4)));
    }

    #[test]
    fn blanks_only_loosely() {
        assert!(similar(b"\tb  c\n", b"     b c\n"));
        assert!(similar(b"d \n", b"d\n"));
        assert!(similar(b"\n", b"  \n"));
        assert!(!similar(b"ab\n", b"a b\n"));
        assert!(!similar(b"d\r\n", b"d\n"));
    }
}
