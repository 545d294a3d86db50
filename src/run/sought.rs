//! What refused hunks looked for, and where the input says it.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    edit::{Op, Parsed, Span, Tag},
    plan::{Outcome, Plan},
    report::SoughtLine,
    text::Text,
};

/// Lines of a refused hunk that a report can show.
const MAX_LINES: usize = 200;
/// A line's number in the input is looked for so many lines ahead.
const AHEAD: usize = 40;
/// What may stand before a line in the input: a sign, or a quotation mark.
const MAX_PREFIX: usize = 3;

/// By edit and the first line of the hunk: each line, with its number in the input if it stands there.
pub(super) type Sought = BTreeMap<(usize, usize), Vec<SoughtLine>>;

/// The old text of each refused hunk.
pub(super) fn sought(parsed: &Parsed<'_>, plan: &Plan, input: &[u8]) -> Sought {
    let refused = plan.verdicts.iter().filter(|verdict| matches!(verdict.outcome, Outcome::Refused(_)));
    let refused: BTreeSet<usize> = refused.map(|verdict| verdict.id).collect();
    let mut out = Sought::new();
    if refused.is_empty() {
        return out;
    }
    let text = Text::new(input);
    for edit in parsed.edits.iter().filter(|edit| refused.contains(&edit.id)) {
        if let Op::Update { hunks } = &edit.op {
            for hunk in hunks {
                let old = hunk.body().lines.iter().filter(|line| line.tag != Tag::Add);
                let old: Vec<&[u8]> = old.take(MAX_LINES).map(|line| &*line.text).collect();
                out.insert((edit.id, hunk.span.first), numbered(&old, &text, hunk.span));
            }
        }
    }
    out
}

fn numbered(lines: &[&[u8]], input: &Text<'_>, span: Span) -> Vec<SoughtLine> {
    let mut next = span.first.saturating_sub(1);
    let number = |line: &&[u8]| {
        let end = (next + AHEAD).min(span.last).min(input.len());
        let stands = |at: &usize| {
            let text = input.body(*at);
            text.ends_with(line)
                && text.len() - line.len() <= MAX_PREFIX
                && (!line.is_empty() || text.trim_ascii().is_empty())
        };
        let found = (next..end).find(stands);
        next = found.map_or(next, |at| at + 1);
        (found.map(|at| at + 1), line.to_vec())
    };
    lines.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_behind_their_signs() {
        let input = Text::new(b"@@ -1,3 +1,3 @@\n one\n-two\n+2\n\n three\n");
        let found = numbered(&[b"one", b"two", b"", b"three", b"gone"], &input, Span::new(1, 6));
        let numbers: Vec<Option<usize>> = found.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [Some(2), Some(3), Some(5), Some(6), None]);
    }
}
