//! Anchors: lines that must stand above a place (`@@ class A`), and the blocks that they head.

use super::{
    index::{Index, Kind},
    ladder::{Site, width},
};
use crate::text::{is_blank, is_word, view};

/// More lines than this that fit an anchor tell nothing.
const MOST: usize = 10_000;

/// A line that fits an anchor, and where its block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub line: usize,
    /// One past the block's last line.
    pub end: usize,
}

impl Block {
    /// The site begins inside the block, or quotes the anchor line itself.
    pub fn admits(self, site: &Site) -> bool {
        (self.line < site.start && site.start < self.end) || (site.start <= self.line && self.line < site.end)
    }
}

/// The blocks of the innermost anchor, each inside a block of the one before; `None` if an anchor stands
/// nowhere (its index is given).
pub(crate) fn blocks(index: &Index, anchors: &[impl AsRef<[u8]>]) -> Result<Vec<Block>, usize> {
    let mut outer = vec![Block { line: 0, end: index.text.len() }];
    for (depth, anchor) in anchors.iter().enumerate() {
        let inside = |at: &usize| depth == 0 || outer.iter().any(|block| block.line < *at && *at < block.end);
        let found: Vec<Block> = matching(index, anchor.as_ref(), inside)
            .into_iter()
            .map(|line| Block { line, end: end_of_block(index, line) })
            .collect();
        if found.is_empty() {
            return Err(depth);
        }
        outer = found;
    }
    Ok(outer)
}

/// The lines that fit an anchor: equal, else equal but for indentation, else but for spacing, else those
/// that begin with it, else those that hold it.
fn matching(index: &Index, anchor: &[u8], inside: impl Fn(&usize) -> bool) -> Vec<usize> {
    let wanted = anchor.trim_ascii();
    if wanted.is_empty() {
        return Vec::new();
    }
    for kind in [Kind::Trailing, Kind::Stripped, Kind::Tokens] {
        let found: Vec<usize> = index.lines(kind, anchor).filter(&inside).take(MOST).collect();
        if !found.is_empty() {
            return found;
        }
    }
    let scan = |fits: &dyn Fn(&[u8]) -> bool| -> Vec<usize> {
        (0..index.text.len()).filter(|at| fits(index.text.body(*at)) && inside(at)).take(MOST).collect()
    };
    let begins = scan(&|line| ends_a_word(view::trim_start(line), wanted));
    if !begins.is_empty() {
        return begins;
    }
    let finder = memchr::memmem::Finder::new(wanted);
    scan(&|line| {
        finder.find(line).is_some_and(|at| {
            let before = at == 0 || !is_word(line[at - 1]) || !is_word(wanted[0]);
            before && ends_a_word(&line[at..], wanted)
        })
    })
}

/// The line begins with `wanted`, and no word is cut.
fn ends_a_word(line: &[u8], wanted: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(wanted) else { return false };
    !(rest.first().is_some_and(|b| is_word(*b)) && wanted.last().is_some_and(|b| is_word(*b)))
}

/// If the line heads an indentation block, the end of that block, closers at the head's own depth
/// included; else the end of the file.
fn end_of_block(index: &Index, line: usize) -> usize {
    let total = index.text.len();
    let depth = width(index.text.body(line));
    let mut solid = (line + 1..total).filter(|&at| !is_blank(index.text.body(at))).peekable();
    let opener = |at: usize| width(index.text.body(at)) == depth && starts_with_any(index, at, b"{([");
    if let Some(&next) = solid.peek()
        && opener(next)
    {
        solid.next();
    }
    match solid.peek() {
        Some(&next) if width(index.text.body(next)) > depth => {}
        _ => return total,
    }
    for at in solid {
        let here = width(index.text.body(at));
        if here < depth || (here == depth && !starts_with_any(index, at, b"})]")) {
            return at;
        }
    }
    total
}

fn starts_with_any(index: &Index, at: usize, bytes: &[u8]) -> bool {
    view::trim_start(index.text.body(at)).first().is_some_and(|b| bytes.contains(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    const FILE: &str = "class A:\n  def f():\n    x\n  def g():\n    x\nclass B(A):\n  def g():\n    x\n";

    fn lines(anchors: &[&str]) -> Vec<(usize, usize)> {
        let text = Text::new(FILE.as_bytes());
        let found = blocks(&Index::new(&text), anchors).unwrap_or_default();
        found.into_iter().map(|block| (block.line, block.end)).collect()
    }

    #[test]
    fn anchors_narrow_step_by_step() {
        assert_eq!(lines(&["class A:"]), [(0, 5)]);
        assert_eq!(lines(&["class B"]), [(5, 8)]);
        assert_eq!(lines(&["def g():"]), [(3, 5), (6, 8)]);
        assert_eq!(lines(&["class B", "def g():"]), [(6, 8)]);
        assert_eq!(lines(&["class C"]), []);
        assert_eq!(lines(&["class B", "def f():"]), []);
    }
}
