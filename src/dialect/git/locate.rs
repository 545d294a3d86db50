//! The place of a hunk's old side: where its header says, or only at an end, or the nearest.

use super::{
    image::{Image, Line, There},
    names::is_space,
    place::Sides,
    space::{Rule, is_blank, same_but_spaces},
};
use crate::dialect::places::{self, Places};

/// What a run says about places.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Amounts of white space do not count.
    pub ignore_space: bool,
    /// White-space errors are mended, and do not count.
    pub fix: bool,
    /// A hunk may go where an earlier one went.
    pub allow_overlap: bool,
    pub rule: Rule,
}

/// A search in a text as earlier hunks left it.
#[derive(Clone, Copy)]
pub struct Search<'i, 't> {
    pub image: &'i Image<'t>,
    pub places: &'i Places,
    pub terms: Terms,
    pub at_start: bool,
    pub at_end: bool,
}

impl<'t> Search<'_, 't> {
    /// The place nearest to the wanted line; of two as near, the later one. With white space forgiven, both
    /// sides take over the file's.
    pub fn find(mut self, sides: &mut Sides<'t>, wanted: i64) -> Option<usize> {
        let wanted = self.begin(sides, wanted);
        if self.fits(sides, wanted) {
            return Some(wanted);
        }
        if self.at_start {
            return None;
        }
        self.image.list();
        let farthest = wanted.max(self.image.len() - wanted);
        if self.terms.allow_overlap {
            return self.around(sides, wanted, farthest);
        }
        let near = if self.at_end { 0 } else { self.places.patience(farthest) };
        let found = self.around(sides, wanted, near);
        if let Some(found) = found {
            self.places.spare(near.saturating_sub(found.abs_diff(wanted)));
            return Some(found);
        }
        if near < farthest { self.far(sides, wanted) } else { None }
    }

    /// The line that is tried first.
    fn begin(&mut self, sides: &Sides<'_>, wanted: i64) -> usize {
        let (count, size) = (self.image.len(), sides.old.len());
        // More is asked of the end than of the start.
        self.at_start &= !(self.terms.allow_overlap && self.at_end && count != size);
        match (self.at_start, self.at_end) {
            (true, _) => 0,
            (_, true) => count.checked_sub(size).unwrap_or(count),
            _ => usize::try_from(wanted).unwrap_or(usize::MAX).min(count),
        }
    }

    /// Line by line, at most so many away.
    fn around(&self, sides: &mut Sides<'t>, wanted: usize, most: usize) -> Option<usize> {
        for away in 1..=most {
            let forth = wanted.checked_add(away).filter(|at| *at <= self.image.len());
            let back = wanted.checked_sub(away);
            let mut both = forth.into_iter().chain(back);
            if let Some(found) = both.find(|at| self.fits(sides, *at)) {
                return Some(found);
            }
        }
        None
    }

    /// The same by the lines that hold the rarest of the old side. Lines that hunks made hold none of it.
    fn far(&self, sides: &mut Sides<'t>, wanted: usize) -> Option<usize> {
        let image = self.image;
        let last = image.len().checked_sub(sides.old.len());
        let (rarest, lines) = if self.at_end { None } else { self.rarest(sides) }.unwrap_or_default();
        let start = |line: &u32| {
            let (at, stands) = image.now(*line as usize);
            at.checked_sub(rarest).filter(|at| stands && last.is_some_and(|last| *at <= last))
        };
        let middle = lines.partition_point(|line| image.now(*line as usize).0 < wanted + rarest);
        // Beyond the end only blank lines may be missing.
        let beyond = if self.forgives_end() { last.map_or(0, |last| last + 1) } else { image.len() + 1 };
        let (above, below) = (beyond..wanted, beyond.max(wanted)..=image.len());
        let mut down = lines[middle..].iter().filter_map(start).chain(below).peekable();
        let mut up = above.rev().chain(lines[..middle].iter().rev().filter_map(start)).peekable();
        loop {
            let next = match (down.peek(), up.peek()) {
                (Some(below), Some(above)) if wanted - above < below - wanted => up.next(),
                (None, _) => up.next(),
                _ => down.next(),
            };
            let at = next?;
            if self.fits(sides, at) {
                return Some(at);
            }
        }
    }

    fn rarest(&self, sides: &Sides<'_>) -> Option<(usize, &[u32])> {
        let key = |line: &[u8]| self.key(line);
        let sought = sides.old.iter().map(|line| key(&line.bytes));
        self.places.rarest(sought, || self.image.originals().map(key))
    }

    /// What two lines have in common that may count as equal.
    fn key(&self, line: &[u8]) -> u64 {
        if self.forgives() {
            return places::key_of(line.iter().copied().filter(|b| !is_space(*b)));
        }
        let end = line.iter().rposition(|b| !is_space(*b)).map_or(0, |at| at + 1);
        places::key(&line[..end])
    }

    fn forgives(&self) -> bool {
        self.terms.ignore_space || self.terms.fix
    }

    fn forgives_end(&self) -> bool {
        self.terms.fix && self.terms.rule.blank_at_eof
    }

    /// Whether the old side stands at a line.
    fn fits(&self, sides: &mut Sides<'t>, at: usize) -> bool {
        let size = sides.old.len();
        let room = self.image.len() - at;
        if (self.at_start && at > 0) || (self.at_end && size < room) || (size > room && !self.forgives_end())
        {
            return false;
        }
        if size <= room && self.stands(&sides.old, at) {
            return true;
        }
        let inside = &sides.old[..size.min(room)];
        let letters = |(there, old): (There<'_>, &Line<'_>)| self.is_free(there) && there.has_letters_of(old);
        if !self.forgives() || !self.image.lines_from(at).zip(inside).all(letters) {
            return false;
        }
        if room < size && inside.iter().all(|line| is_blank(&line.bytes)) {
            return false;
        }
        let there: Vec<&[u8]> = self.image.lines_from(at).map(|there| there.bytes).take(size).collect();
        let fixed = if self.terms.ignore_space {
            alike(&there, &sides.old)
        } else {
            mended(&there, &sides.old, self.terms.rule)
        };
        fixed.map(|lines| sides.take_over(lines)).is_some()
    }

    /// No earlier hunk made it, or that does not count.
    fn is_free(&self, there: There<'_>) -> bool {
        self.terms.allow_overlap || !there.made
    }

    /// Byte for byte; unless the end is asked for, the last line may go on with white space.
    fn stands(&self, old: &[Line<'_>], at: usize) -> bool {
        let mut there = self.image.lines_from(at);
        old.iter().enumerate().all(|(number, line)| {
            let may_go_on = !self.at_end && number + 1 == old.len();
            let goes_on = |more: &[u8]| more.is_empty() || (may_go_on && is_blank(more));
            there.past(&line.bytes).is_some_and(|more| self.is_free(more) && goes_on(more.bytes))
        })
    }
}

/// The file's lines, if they are those of the hunk but for white space.
fn alike<'t>(there: &[&[u8]], old: &[Line<'t>]) -> Option<Vec<Line<'t>>> {
    let same = there.iter().zip(old).all(|(line, old)| same_but_spaces(line, &old.bytes));
    let beyond = &old[there.len()..];
    let theirs = there.iter().map(|line| Line::new(line.to_vec()));
    (same && beyond.iter().all(|line| is_blank(&line.bytes)))
        .then(|| theirs.chain(beyond.iter().cloned()).collect())
}

/// The hunk's lines mended, if the file's come to the same.
fn mended<'t>(there: &[&[u8]], old: &[Line<'t>], rule: Rule) -> Option<Vec<Line<'t>>> {
    let mend = |line: &[u8]| {
        let mut out = Vec::with_capacity(line.len());
        rule.mend(&mut out, line);
        out
    };
    let lines: Vec<Vec<u8>> = old.iter().map(|line| mend(&line.bytes)).collect();
    let (inside, beyond) = lines.split_at(there.len());
    let same = there.iter().zip(inside).all(|(line, fixed)| mend(line) == *fixed);
    (same && beyond.iter().all(|line| is_blank(line))).then(|| lines.into_iter().map(Line::new).collect())
}

#[cfg(test)]
mod tests {
    use proptest::{prelude::*, sample::Index};

    use super::*;

    const LINES: [&str; 8] = ["a\n", "a \n", " a\n", "a  b\n", "a\tb\r\n", "b\n", "\n", " \n"];
    const LAST: [&str; 4] = ["", "a", "a ", "b"];

    /// A hunk: what it says of its place, and its old side, copied from the text or invented.
    #[derive(Clone, Debug)]
    struct Sought {
        wanted: i64,
        at_start: bool,
        at_end: bool,
        copied: Option<(Index, usize)>,
        invented: Vec<&'static str>,
        common: Vec<bool>,
        added: Vec<&'static str>,
    }

    fn lines(most: usize) -> impl Strategy<Value = Vec<&'static str>> {
        prop::collection::vec(prop::sample::select(&LINES[..]), 0..most)
    }

    fn sought() -> impl Strategy<Value = Sought> {
        let place = (-3..30_i64, prop::bool::weighted(0.1), prop::bool::weighted(0.2));
        let copied = prop::option::weighted(0.7, (any::<Index>(), 1..5_usize));
        let common = prop::collection::vec(any::<bool>(), 8);
        (place, copied, lines(4), common, lines(3)).prop_map(|(place, copied, invented, common, added)| {
            let (wanted, at_start, at_end) = place;
            Sought { wanted, at_start, at_end, copied, invented, common, added }
        })
    }

    fn terms() -> impl Strategy<Value = Terms> {
        (any::<bool>(), any::<bool>(), prop::bool::weighted(0.2), any::<bool>()).prop_map(
            |(ignore_space, fix, allow_overlap, blank_at_eof)| {
                let rule = Rule { blank_at_eof, ..Rule::default() };
                Terms { ignore_space, fix, allow_overlap, rule }
            },
        )
    }

    /// A text's lines, and which of the first ones each is.
    type Model = Vec<(Vec<u8>, Option<usize>)>;

    impl Sought {
        fn sides(&self, model: &Model) -> Sides<'static> {
            let here = match self.copied {
                Some((at, count)) if !model.is_empty() => model[at.index(model.len())..].iter().take(count),
                _ => [].iter().take(0),
            };
            let copied = here.map(|(line, _)| line.clone());
            let old = copied.chain(self.invented.iter().map(|line| line.as_bytes().to_vec()));
            let old = old.zip(&self.common).map(|(line, common)| Line { common: *common, ..Line::new(line) });
            let old: Vec<Line<'_>> = old.collect();
            let added = self.added.iter().map(|line| Line::new(line.as_bytes()));
            let new = old.iter().filter(|line| line.common).cloned().chain(added).collect();
            let mut sides = Sides::default();
            (sides.old, sides.new) = (old, new);
            sides
        }
    }

    fn check(image: &Image<'_>, model: &Model) {
        assert_eq!(image.len(), model.len());
        assert_eq!(image.bytes(), model.iter().flat_map(|(line, _)| line.clone()).collect::<Vec<_>>());
        for at in 0..=model.len() {
            let there = image.lines_from(at).map(|there| (there.bytes.to_vec(), there.made));
            let want = model[at..].iter().map(|(line, original)| (line.clone(), original.is_none()));
            assert!(there.eq(want), "{at}");
        }
        for original in 0..image.originals().len() {
            let at = model.iter().position(|(_, line)| *line == Some(original));
            let next = || model.iter().position(|(_, line)| line.is_some_and(|line| line > original));
            let (now, stands) = image.now(original);
            assert_eq!(stands.then_some(now), at);
            assert!(stands || now <= next().unwrap_or(model.len()));
        }
        let now: Vec<usize> = (0..image.originals().len()).map(|line| image.now(line).0).collect();
        assert!(now.is_sorted());
    }

    proptest! {
        /// The index gives the place that looking at line after line gives.
        #[test]
        fn far_places_as_line_by_line(
            text in lines(24),
            last in prop::sample::select(&LAST[..]),
            terms in terms(),
            hunks in prop::collection::vec(sought(), 1..8),
        ) {
            let text = [&text.concat(), last].concat();
            let mut image = Image::new(text.as_bytes());
            let originals = image.originals().enumerate();
            let mut model: Model = originals.map(|(at, line)| (line.to_vec(), Some(at))).collect();
            let places = Places::new(image.len());
            for hunk in &hunks {
                let (at_start, at_end) = (hunk.at_start, hunk.at_end);
                let mut search = Search { image: &image, places: &places, terms, at_start, at_end };
                let mut plain = hunk.sides(&model);
                let (mut found, mut far) = (plain.clone(), plain.clone());
                let place = search.find(&mut found, hunk.wanted);
                let wanted = search.begin(&plain, hunk.wanted);
                let tried = search.fits(&mut plain, wanted).then_some(wanted);
                let want = tried.or_else(|| search.around(&mut plain, wanted, image.len()));
                prop_assert_eq!((place, &found), (want, &plain));
                if !terms.allow_overlap {
                    let tried = search.fits(&mut far, wanted).then_some(wanted);
                    let there = tried.or_else(|| search.far(&mut far, wanted));
                    prop_assert_eq!((there, &far), (want, &plain));
                }
                let at = place.unwrap_or(wanted);
                let end = (at + found.old.len()).min(image.len());
                model.splice(at..end, found.new.iter().map(|line| (line.bytes.to_vec(), None)));
                image.replace(at..end, found.new);
                check(&image.clone(), &model);
            }
        }
    }
}
