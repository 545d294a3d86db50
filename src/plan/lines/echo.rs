//! New lines that repeat the lines beside the range which they replace.
//!
//! A writer shows where the text goes by the lines around it; written as they are they would stand there
//! twice. What is left out must be certain; what was asked for is written wherever it may be meant.

use std::borrow::Cow;

use super::{At, same};
use crate::{
    refusal::Refusal,
    text::{Text, word_chars},
};

/// Longer repetitions are not looked for.
const MOST: usize = 64;

/// The body without what it repeats.
///
/// # Errors
/// It repeats a neighbouring line and is too short for the range: whether that line shall go or stay is
/// not certain.
pub(super) fn trim<'b, 'i>(
    text: &Text,
    at: At,
    body: &'b [Cow<'i, [u8]>],
) -> Result<&'b [Cow<'i, [u8]>], Refusal> {
    let len = at.end - at.start;
    let (above, below) = (lengths_above(text, at, body), lengths_below(text, at, body));
    if len == 0 || above.is_empty() && below.is_empty() {
        return Ok(body);
    }
    if let Some(kept) = both_sides(body, len, &above, &below) {
        return Ok(kept);
    }
    match (above.last(), below.last()) {
        (Some(&top), None) => one_side(text, at, body, &body[top..], &body[..top]),
        (None, Some(&foot)) => {
            let cut = body.len() - foot;
            one_side(text, at, body, &body[..cut], &body[cut..])
        }
        _ => Ok(body),
    }
}

/// Repeated on both sides, and what is left is as long as the range.
fn both_sides<'b, 'i>(
    body: &'b [Cow<'i, [u8]>],
    len: usize,
    above: &[usize],
    below: &[usize],
) -> Option<&'b [Cow<'i, [u8]>]> {
    let spare = body.len().checked_sub(len)?;
    let fits = |top: &&usize| spare.checked_sub(**top).is_some_and(|foot| foot > 0 && below.contains(&foot));
    let top = *above.iter().find(fits)?;
    Some(&body[top..top + len])
}

fn one_side<'b, 'i>(
    text: &Text,
    at: At,
    body: &'b [Cow<'i, [u8]>],
    kept: &'b [Cow<'i, [u8]>],
    echo: &[Cow<'i, [u8]>],
) -> Result<&'b [Cow<'i, [u8]>], Refusal> {
    let replaced = || (at.start..at.end).map(|line| text.body(line));
    let was = balance(replaced());
    let whole_fits = balance(body.iter().map(AsRef::as_ref)) == was;
    let kept_fits = balance(kept.iter().map(AsRef::as_ref)) == was;
    let words = echo.iter().any(|line| word_chars(line) > 0);
    let len = at.end - at.start;
    if len == 1 {
        let decorators = echo.iter().all(|line| is_decorator(line)) && !kept.is_empty();
        return Ok(if decorators && body.starts_with(echo) { kept } else { body });
    }
    let asked = if words { whole_fits && !kept_fits } else { whole_fits || !kept_fits };
    if asked {
        return Ok(body);
    }
    // What the range held already is no repetition of its neighbour.
    let stood = echo.iter().all(|line| replaced().any(|old| same(old, line)));
    match (kept.len() >= len, stood) {
        (true, false) => Ok(kept),
        (_, true) => Ok(body),
        (false, false) => Err(Refusal::Doubtful {
            what: format!(
                "the new text repeats the line beside lines {} to {} and is shorter than they are: shall that \
                 line be replaced too?",
                at.start + 1,
                at.end
            ),
        }),
    }
}

/// How many of the body's first lines repeat the lines just above the range: all lengths that fit.
fn lengths_above(text: &Text, at: At, body: &[Cow<'_, [u8]>]) -> Vec<usize> {
    let fits = |&len: &usize| (0..len).all(|nth| same(&body[nth], text.body(at.start - len + nth)));
    (1..=body.len().min(at.start).min(MOST)).filter(fits).collect()
}

/// The same for its last lines and the lines just below.
fn lengths_below(text: &Text, at: At, body: &[Cow<'_, [u8]>]) -> Vec<usize> {
    let fits =
        |&len: &usize| (0..len).all(|nth| same(&body[body.len() - len + nth], text.body(at.end + nth)));
    (1..=body.len().min(text.len() - at.end).min(MOST)).filter(fits).collect()
}

/// Opening brackets less closing ones, of each kind.
fn balance<'l>(lines: impl Iterator<Item = &'l [u8]>) -> [i64; 3] {
    let mut out = [0; 3];
    for byte in lines.flatten() {
        match byte {
            b'(' => out[0] += 1,
            b')' => out[0] -= 1,
            b'[' => out[1] += 1,
            b']' => out[1] -= 1,
            b'{' => out[2] += 1,
            b'}' => out[2] -= 1,
            _ => {}
        }
    }
    out
}

fn is_decorator(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.starts_with(b"@") || line.starts_with(b"#[")
}
