//! Whole files and snippets with elision comments, written piece by piece.

use std::borrow::Cow;

use super::{Env, Splice, apply, splice};
use crate::{
    edit::{Body, Line},
    place::{
        Place, View,
        elided::{self, Piece},
    },
    refusal::Refusal,
    text::{
        Eol, Text,
        indent::{IndentMap, lead},
        is_blank,
        view::trim_end,
    },
};

/// The new content of a file that the reply gives in pieces, with comments for what stays.
///
/// # Errors
/// A piece has no one place.
pub fn elided(old: &Text<'_>, new: &[Line<'_>]) -> Result<Vec<u8>, Refusal> {
    let mut splices = Vec::new();
    let env = Env::default();
    for piece in elided::pieces(old, new)? {
        splices.extend(write(old, new, &piece, &env)?);
    }
    Ok(apply(old, &splices))
}

/// The piece as splices: its lines take the file's indentation, and lines that are as the file's stay.
fn write(old: &Text<'_>, new: &[Line<'_>], piece: &Piece, env: &Env) -> Result<Vec<Splice>, Refusal> {
    let ours: Vec<Line<'_>> =
        piece.old.clone().map(|at| Line { text: old.body(at).into(), eol: old.eol(at) }).collect();
    let lines = shifted(old, new, piece, env)?;
    let theirs = spelled_as_the_file(&ours, lines);
    let ours = ours.into_iter().map(|line| Line { eol: Eol::Lf, ..line }).collect();
    let body = Body::block(ours, theirs);
    let place = Place {
        view: View::Elisions,
        start: piece.old.start,
        end: piece.old.end,
        pairs: piece.old.clone().map(Some).collect(),
    };
    splice(old, &body, &place, env)
}

/// The piece's lines with the indentation that its anchors have in the file.
fn shifted<'n>(
    old: &Text<'_>,
    new: &'n [Line<'_>],
    piece: &Piece,
    env: &Env,
) -> Result<Vec<Line<'n>>, Refusal> {
    let solid = |line: &&Line<'_>| !is_blank(&line.text);
    let anchors: Vec<_> = piece
        .anchors
        .iter()
        .filter(|(at, _)| !is_blank(&new[*at].text))
        .map(|&(at, there)| (lead(&new[at].text).0, lead(old.body(there)).0))
        .collect();
    let pairs: Vec<(&[u8], &[u8])> =
        anchors.iter().map(|(quoted, file)| (quoted.as_ref(), file.as_ref())).collect();
    let leads: Vec<_> = new[piece.new.clone()].iter().filter(solid).map(|line| lead(&line.text).0).collect();
    let map = IndentMap::new(&pairs, leads.iter().map(AsRef::as_ref), || env.unit(old));
    new[piece.new.clone()]
        .iter()
        .map(|line| {
            let (own, len) = lead(&line.text);
            if map.is_identity() || is_blank(&line.text) {
                return Ok(Line { text: Cow::Borrowed(line.text.as_ref()), eol: Eol::Lf });
            }
            let indent = map.map(&own).ok_or_else(|| Refusal::Doubtful {
                what: format!(
                    "how far the line `{}` is to be indented can't be told from the lines around it",
                    String::from_utf8_lossy(line.text.trim_ascii())
                ),
            })?;
            Ok(Line { text: Cow::Owned([&indent, &line.text[len..]].concat()), eol: Eol::Lf })
        })
        .collect()
}

/// Trailing blanks of the file's own lines are put back, so that such lines count as equal.
fn spelled_as_the_file<'n>(ours: &[Line<'_>], theirs: Vec<Line<'n>>) -> Vec<Line<'n>> {
    let trimmed = |line: &Line<'_>| trim_end(&line.text).to_vec();
    let (old, new): (Vec<_>, Vec<_>) =
        (ours.iter().map(trimmed).collect(), theirs.iter().map(trimmed).collect());
    let mut theirs = theirs;
    for op in similar::capture_diff_slices(similar::Algorithm::Patience, &old, &new) {
        if let similar::DiffOp::Equal { old_index, new_index, len } = op {
            for at in 0..len {
                theirs[new_index + at].text = Cow::Owned(ours[old_index + at].text.to_vec());
            }
        }
    }
    theirs
}
