//! Bytes that are no UTF-8, lost when a model read the file: a reply that gives the file whole shows
//! U+FFFD, `?` or a letter in their place. Such a line is the file's own and keeps its bytes.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, HashSet},
};

use crate::{edit::Line, refusal::Refusal, text::Text};

/// The reply's lines with the file's bytes put back; `None` if there is nothing to put back.
///
/// # Errors
/// A line may stand for several lines of the file that differ in such bytes.
pub fn restored<'n>(old: &Text<'_>, new: &[Line<'n>]) -> Result<Option<Vec<Line<'n>>>, Refusal> {
    let ours: Vec<&[u8]> = old.bodies().filter(|line| std::str::from_utf8(line).is_err()).collect();
    if ours.is_empty() {
        return Ok(None);
    }
    let standing: HashSet<&[u8]> = old.bodies().collect();
    let mut blurred: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
    for (at, line) in new.iter().enumerate().filter(|(_, line)| !standing.contains(line.text.as_ref())) {
        let key = if line.text.is_ascii() { line.text.to_vec() } else { blur(&line.text, Blur::Run) };
        blurred.entry(key).or_default().push(at);
    }
    let shown: HashSet<&[u8]> = new.iter().map(|line| line.text.as_ref()).collect();
    let mut lost: BTreeMap<Vec<u8>, Vec<&[u8]>> = BTreeMap::new();
    for line in ours.into_iter().filter(|line| !shown.contains(line)) {
        lost.entry(blur(line, Blur::Run)).or_default().push(line);
        lost.entry(blur(line, Blur::Byte)).or_default().push(line);
    }
    let mut out: Vec<Line<'n>> = new.to_vec();
    for (key, ours) in lost {
        let Some(theirs) = blurred.get(&key) else { continue };
        let same = ours.windows(2).all(|pair| pair[0] == pair[1]);
        if !same && ours.len() != theirs.len() {
            return Err(several(&new[theirs[0]]));
        }
        for (number, &at) in theirs.iter().enumerate() {
            let line = if same { ours[0] } else { ours[number] };
            out[at].text = Cow::Owned(line.to_vec());
        }
    }
    Ok(Some(out))
}

fn several(line: &Line<'_>) -> Refusal {
    let shown = String::from_utf8_lossy(line.text.trim_ascii()).into_owned();
    Refusal::Doubtful {
        what: format!(
            "the line `{shown}` may be several lines of the file, which hold bytes that are no UTF-8: change \
             single lines instead of sending the whole file"
        ),
    }
}

/// What stands for bytes that cannot be shown.
#[derive(Clone, Copy)]
enum Blur {
    /// One mark for all of a run, whatever characters it may be taken for.
    Run,
    /// A `?` for each byte.
    Byte,
}

/// The line without what is not ASCII.
fn blur(line: &[u8], how: Blur) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    for run in line.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        match how {
            _ if run.is_ascii() => out.extend_from_slice(run),
            Blur::Run => out.push(0xff),
            Blur::Byte => out.resize(out.len() + run.len(), b'?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Eol;

    fn run(old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
        let new = Text::new(new);
        let lines: Vec<Line<'_>> =
            new.bodies().map(|body| Line { text: body.into(), eol: Eol::Lf }).collect();
        let lines = restored(&Text::new(old), &lines).ok()?.unwrap_or(lines);
        Some(lines.iter().flat_map(|line| [&line.text, &b"\n"[..]].concat()).collect())
    }

    #[test]
    fn the_files_bytes_come_back() {
        for (old, new, want) in [
            (&b"caf\xe9\nb\n"[..], "caf\u{fffd}\nB\n".as_bytes(), Some(&b"caf\xe9\nB\n"[..])),
            (b"caf\xe9\nb\n", "caf\u{e9}\nB\n".as_bytes(), Some(b"caf\xe9\nB\n")),
            (b"caf\xe9 x\nb\n", b"caf? x\nB\n", Some(b"caf\xe9 x\nB\n")),
            (b"caf\xe9\n", b"caf\xe9\n", Some(b"caf\xe9\n")),
            // changed elsewhere in the line
            (b"caf\xe9 1\n", "caf\u{e9} 2\n".as_bytes(), Some("caf\u{e9} 2\n".as_bytes())),
            // stands in the file as UTF-8, too
            (b"caf\xe9\ncaf\xc3\xa9\n", "caf\u{e9}\n".as_bytes(), Some("caf\u{e9}\n".as_bytes())),
            // told apart by their order, or not at all
            (b"\xe9\n\xe8\n", "\u{fffd}\nx\n\u{fffd}\n".as_bytes(), Some(b"\xe9\nx\n\xe8\n")),
            (b"\xe9\n\xe8\n", "\u{fffd}\nx\n".as_bytes(), None),
            (b"\xe9\n\xe9\n", "\u{fffd}\nx\n".as_bytes(), Some(b"\xe9\nx\n")),
        ] {
            assert_eq!(run(old, new).as_deref(), want, "{old:?} {new:?}");
        }
    }
}
