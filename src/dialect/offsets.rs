//! Where the lines of a text start: counted by blocks, and listed once many are asked for.

use std::cell::{Cell, OnceCell};

const BLOCK: usize = 512;
/// A line so near behind the one asked for before is found from there.
const NEAR: usize = 16;

#[derive(Clone, Debug)]
pub struct Offsets<'t> {
    text: &'t [u8],
    lines: usize,
    /// How many lines end before each block.
    before: Vec<usize>,
    list: OnceCell<Vec<usize>>,
    /// The line that was asked for last, and where it starts.
    last: Cell<(usize, usize)>,
}

impl<'t> Offsets<'t> {
    pub fn new(text: &'t [u8]) -> Offsets<'t> {
        let mut lines = 0;
        let mut before = Vec::with_capacity(text.len() / BLOCK + 1);
        for block in text.chunks(BLOCK) {
            before.push(lines);
            lines += memchr::memchr_iter(b'\n', block).count();
        }
        lines += usize::from(text.last().is_some_and(|last| *last != b'\n'));
        Offsets { text, lines, before, list: OnceCell::new(), last: Cell::default() }
    }

    pub fn lines(&self) -> usize {
        self.lines
    }

    /// The starts of all lines, and the end of the last.
    pub fn list(&self) -> &[usize] {
        self.list.get_or_init(|| {
            let mut starts = Vec::with_capacity(self.lines + 1);
            starts.push(0);
            starts.extend(memchr::memchr_iter(b'\n', self.text).map(|end| end + 1));
            starts.truncate(self.lines);
            starts.push(self.text.len());
            starts
        })
    }

    /// Where a line starts, or the text ends.
    pub fn start(&self, line: usize) -> usize {
        if let Some(list) = self.list.get() {
            return list[line];
        }
        let (last, at) = self.last.get();
        let found = match line.checked_sub(last) {
            Some(near) if near <= NEAR => self.behind(at, near),
            _ => {
                let block = self.before.partition_point(|before| *before < line).saturating_sub(1);
                self.behind(block * BLOCK, line - self.before[block])
            }
        };
        self.last.set((line, found));
        found
    }

    /// Where the line starts that so many line ends are before, from `at` on.
    fn behind(&self, at: usize, ends: usize) -> usize {
        let Some(last) = ends.checked_sub(1) else { return at };
        let end = memchr::memchr_iter(b'\n', &self.text[at..]).nth(last);
        end.map_or(self.text.len(), |end| at + end + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_by_blocks_as_listed() {
        let mut text = String::new();
        for number in 0..300 {
            text.push_str(&"x".repeat(number * number % 41));
            text.push('\n');
        }
        for text in ["", "\n", "a", "a\n", "a\nb", &text, text.trim_end()] {
            let offsets = Offsets::new(text.as_bytes());
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let want: Vec<usize> = (0..=lines.len()).map(|line| lines[..line].concat().len()).collect();
            assert_eq!(offsets.lines(), lines.len());
            for line in (0..want.len()).chain((0..want.len()).rev()) {
                assert_eq!(offsets.start(line), want[line], "{line} of {text:?}");
            }
            assert_eq!(offsets.list(), want);
        }
    }
}
