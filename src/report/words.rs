//! Phrases of the verdict lines.

use super::escape::name;
use crate::{
    place::View,
    plan::{Change, HunkOutcome, Verdict},
    tree::Image,
};

/// How a place matched, where it was not exact.
pub(super) fn view(view: View) -> Option<&'static str> {
    Some(match view {
        View::Exact => return None,
        View::LineEnds => "ignoring line ends",
        View::TrailingBlanks => "ignoring trailing blanks",
        View::Typography => "ignoring typography",
        View::Indentation => "ignoring indentation",
        View::BlankRuns => "ignoring runs of white space",
        View::BlankLines => "ignoring blank lines",
        View::Artefacts => "without copied artefacts",
        View::Elisions => "across `...`",
        View::ContextForgiven => "with context forgiven",
        View::PartOfLine => "as a part of a line",
    })
}

/// What an edit did, from its hunks or from the file as a whole.
pub(super) fn deed(verdict: &Verdict, change: Option<&Change>) -> String {
    let placed = verdict.hunks.iter().filter_map(|hunk| match hunk.outcome {
        HunkOutcome::Placed { removed, added, .. } => Some((removed, added)),
        _ => None,
    });
    let (count, removed, added) =
        placed.fold((0, 0, 0), |(n, r, a), (removed, added)| (n + 1, r + removed, a + added));
    match (count, change) {
        (0, Some(change)) => whole(change),
        (0, None) => "applied".into(),
        (1, _) => lines(removed, added),
        (n, _) => format!("{n} hunks: {}", lines(removed, added)),
    }
}

fn whole(change: &Change) -> String {
    match (&change.before, &change.after) {
        (None, Some(_)) if change.moved_from.is_some() => "moved here".into(),
        (_, None) => "deleted".into(),
        (None, Some(after)) if after.is_link() => format!("created, a link to {}", name(&after.bytes)),
        (None, Some(after)) => format!("created, {}", size(after)),
        (Some(before), Some(after)) if after.is_link() => {
            let was = if before.is_link() { name(&before.bytes) } else { "a file before".into() };
            format!("is a link to {} now ({was})", name(&after.bytes))
        }
        (Some(before), Some(after)) if before.bytes == after.bytes => "mode changed".into(),
        (Some(_), Some(after)) => format!("rewritten, {}", size(after)),
    }
}

fn size(image: &Image) -> String {
    match image.is_binary() {
        true => plural(image.bytes.len(), "byte"),
        false => plural(image.bytes.line_count(), "line"),
    }
}

fn lines(removed: usize, added: usize) -> String {
    match (removed, added) {
        (0, 0) => "no line changed".into(),
        (0, added) => format!("added {}", plural(added, "line")),
        (removed, 0) => format!("removed {}", plural(removed, "line")),
        (removed, added) if removed == added => format!("replaced {}", plural(removed, "line")),
        (removed, added) => format!("replaced {} with {added}", plural(removed, "line")),
    }
}

/// `1 line`, `2 lines`.
pub(super) fn plural(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// How the places of an edit matched: every view and note once, in order.
pub(super) fn manner(verdict: &Verdict) -> String {
    let mut parts: Vec<String> = Vec::new();
    for hunk in &verdict.hunks {
        if let HunkOutcome::Placed { view: found, offset, notes, .. } = &hunk.outcome {
            let matched = view(*found).map(|phrase| format!("matched {phrase}"));
            let moved = offset.filter(|offset| *offset != 0).map(|offset| format!("offset {offset:+}"));
            for part in matched.into_iter().chain(moved).chain(notes.iter().cloned()) {
                if !parts.contains(&part) && parts.len() < 6 {
                    parts.push(part);
                }
            }
        }
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}
