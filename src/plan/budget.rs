//! How much one file's edits may write.

use crate::{
    edit::{Hunk, Tag},
    place::{Located, Placed},
    refusal::Refusal,
    text::Content,
};

/// Larger results are refused: edits may stand on one another.
const MAX_RESULT: u64 = 2 << 30;

/// Whether a result is refused for its size.
pub(super) fn is_too_large(result: &Content) -> bool {
    result.len() as u64 > MAX_RESULT
}

/// So many bytes may come of texts that replace another one at all its places: a short input could ask for more than
/// any memory holds.
pub(super) const MOST_WRITTEN: usize = 256 << 20;

/// The hunk as it was located, if what it writes at all its places is `left` to be written.
pub(super) fn affordable<'h, 'i>(located: Located<'h, 'i>, hunk: &Hunk, left: &mut usize) -> Located<'h, 'i> {
    let written = match &located {
        Located::Slices { slices, .. } => {
            let new = hunk.hints.literal.as_ref().map_or(0, |text| text.new.len());
            slices.len().saturating_mul(new)
        }
        Located::Every(placed) => {
            let new = |one: &Placed| {
                one.body.lines.iter().filter(|line| line.tag == Tag::Add).map(|line| line.text.len()).sum()
            };
            placed.len().saturating_mul(placed.first().map_or(0, new))
        }
        _ => 0,
    };
    match left.checked_sub(written) {
        Some(rest) => {
            *left = rest;
            located
        }
        None => {
            let what = "at all its places the new text comes to over 256 MiB".to_owned();
            Located::Refused(Refusal::TooLarge { what })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HunkOutcome, Policy, batch::apply};
    use crate::{edit::Edit, input, merge::Evidence};

    /// A short input must not ask for more than any memory holds.
    #[test]
    fn what_is_written_at_all_places_is_bounded() {
        let file = "a b\n".repeat(40_000);
        for (size, old, fits) in
            [(8_000, "a", false), (8_000, "a b", false), (80, "a", true), (80, "a b", true)]
        {
            let (old, new) = (old, "x".repeat(size));
            let call = format!(
                "{{\"name\":\"Edit\",\"input\":{{\"file_path\":\"f\",\"old_string\":\"{old}\",\
                 \"new_string\":\"{new}\",\"replace_all\":true}}}}"
            );
            let parsed = input::read(call.as_bytes(), None);
            let edits: Vec<&Edit> = parsed.edits.iter().collect();
            let outcome = apply(file.as_bytes(), &edits, &Policy::default(), Evidence::default());
            assert_eq!(outcome.is_ok(), fits, "{size} {old}");
            let HunkOutcome::Refused(refusal) = &outcome.hunks[0][0].outcome else { continue };
            assert_eq!(refusal.code(), "too-large");
        }
    }
}
