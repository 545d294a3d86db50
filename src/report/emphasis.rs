//! Which words of changed lines changed.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::text::token::fine_tokens;

/// With more words than this, nobody looks for one that changed.
const MAX_WORDS: usize = 4000;

/// A part of a line, and whether it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part<'l> {
    pub text: &'l [u8],
    pub changed: bool,
}

/// The parts of each old and each new line; `None` if little is the same, so that marks would tell nothing.
pub(super) fn parts<'l>(old: &[&'l [u8]], new: &[&'l [u8]]) -> Option<(Lines<'l>, Lines<'l>)> {
    let (old, new) = (Words::of(old), Words::of(new));
    if old.words.len() + new.words.len() > MAX_WORDS {
        return None;
    }
    let ops = capture_diff_slices(Algorithm::Myers, &old.words, &new.words);
    let (mut kept_old, mut kept_new) = (vec![false; old.words.len()], vec![false; new.words.len()]);
    for op in ops.iter().filter(|op| matches!(op, DiffOp::Equal { .. })) {
        kept_old[op.old_range()].fill(true);
        kept_new[op.new_range()].fill(true);
    }
    let size = |words: &[&[u8]], kept: &[bool]| -> (usize, usize) {
        let visible = |word: &&[u8]| word.iter().filter(|b| !b.is_ascii_whitespace()).count();
        let all = words.iter().map(visible).sum();
        let same = words.iter().zip(kept).filter(|(_, kept)| **kept).map(|(word, _)| visible(word)).sum();
        (same, all)
    };
    let ((same, all_old), (_, all_new)) = (size(&old.words, &kept_old), size(&new.words, &kept_new));
    (same * 3 >= all_old.max(all_new)).then(|| (old.lines(&kept_old), new.lines(&kept_new)))
}

/// A line as its parts.
pub(super) type Lines<'l> = Vec<Vec<Part<'l>>>;

/// Lines as words and the blanks between them.
struct Words<'l> {
    words: Vec<&'l [u8]>,
    /// Each line with its first word and the one behind its last.
    lines: Vec<(&'l [u8], Range<usize>)>,
}

impl<'l> Words<'l> {
    fn of(lines: &[&'l [u8]]) -> Words<'l> {
        let mut words = Vec::new();
        let mut ranges = Vec::new();
        for line in lines {
            let first = words.len();
            let mut at = 0;
            for token in fine_tokens(line) {
                words.extend((token.start > at).then(|| &line[at..token.start]));
                words.push(token.of(line));
                at = token.end;
            }
            words.extend((at < line.len()).then(|| &line[at..]));
            ranges.push((*line, first..words.len()));
        }
        Words { words, lines: ranges }
    }

    /// Words that change alike, joined. Blanks between two changed words count as changed.
    fn lines(&self, kept: &[bool]) -> Lines<'l> {
        let line = |(line, range): &(&'l [u8], Range<usize>)| {
            let words = &self.words[range.clone()];
            let mut changed: Vec<bool> = kept[range.clone()].iter().map(|kept| !kept).collect();
            for at in 1..changed.len().saturating_sub(1) {
                let blank = words[at].iter().all(u8::is_ascii_whitespace);
                changed[at] |= blank && changed[at - 1] && changed[at + 1];
            }
            let mut parts: Vec<Part<'l>> = Vec::new();
            let mut start = 0;
            for run in changed.chunk_by(|a, b| a == b) {
                let done = parts.iter().map(|part| part.text.len()).sum::<usize>();
                let size: usize = words[start..start + run.len()].iter().map(|word| word.len()).sum();
                start += run.len();
                parts.push(Part { text: &line[done..done + size], changed: run[0] });
            }
            parts
        };
        self.lines.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Changed parts in brackets.
    fn shown(old: &[&str], new: &[&str]) -> Option<(String, String)> {
        let bytes = |lines: &[&'static str]| lines.iter().map(|line| line.as_bytes()).collect::<Vec<_>>();
        let marked = |lines: Lines<'_>| {
            let part = |part: &Part<'_>| {
                let text = String::from_utf8_lossy(part.text).into_owned();
                if part.changed { format!("[{text}]") } else { text }
            };
            let line = |parts: &Vec<Part<'_>>| parts.iter().map(part).collect::<String>();
            lines.iter().map(line).collect::<Vec<_>>().join("\n")
        };
        let leak = |lines: &[&str]| {
            lines.iter().map(|line| &*line.to_string().leak()).collect::<Vec<&'static str>>()
        };
        let (old, new) = (bytes(&leak(old)), bytes(&leak(new)));
        parts(&old, &new).map(|(old, new)| (marked(old), marked(new)))
    }

    #[test]
    fn changed_words_are_marked() {
        let (old, new) = shown(&["    return total * 19 / 100;"], &["    return total * 7 / 100;"])
            .expect("much is the same");
        assert_eq!(old, "    return total * [19] / 100;");
        assert_eq!(new, "    return total * [7] / 100;");
    }

    #[test]
    fn blanks_between_changed_words_are_marked_with_them() {
        let (old, new) =
            shown(&["let answer = one two;", "kept();"], &["let answer = three four;", "kept();"])
                .expect("much is the same");
        assert_eq!(old, "let answer = [one two];\nkept();");
        assert_eq!(new, "let answer = [three four];\nkept();");
    }

    #[test]
    fn a_new_text_has_no_marks() {
        assert_eq!(shown(&["alpha beta gamma"], &["one two three four"]), None);
    }
}
