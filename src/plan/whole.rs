//! Edits that give a file's whole content: creations, whole files, appending, deletions.

use std::borrow::Cow;

use super::{
    Policy,
    guards::{self, Guards},
};
use crate::{
    edit::{Line, NewLines},
    merge,
    place::{self, elided},
    refusal::{Closest, Quote, Refusal},
    text::{
        Content, Eol, Text,
        encoding::{self, Encoding},
        is_blank, view,
    },
    tree::RelPath,
};

/// The file's bytes as UTF-8 or single bytes, and how to write them back.
pub(super) fn decode(bytes: &[u8]) -> Result<(Encoding, Cow<'_, [u8]>), Refusal> {
    encoding::decode(bytes).map_err(|why| Refusal::BadEncoding { what: why.to_string() })
}

/// The inverse of [`decode`].
pub(super) fn encode(encoding: Encoding, bytes: Vec<u8>) -> Result<Vec<u8>, Refusal> {
    match encoding::encode(encoding, &bytes) {
        Some(Cow::Owned(encoded)) => Ok(encoded),
        Some(Cow::Borrowed(_)) => Ok(bytes),
        None => Err(Refusal::Doubtful {
            what: "the new text cannot be written in the file's encoding".to_owned(),
        }),
    }
}

/// A file that must not exist yet, unless with this very content.
pub(super) fn create(before: Option<&[u8]>, lines: &NewLines, policy: &Policy) -> Result<Content, Refusal> {
    let content = written_anew(lines)?;
    match before {
        None | Some([]) => Ok(content),
        Some(before) if same_text(before, &lines.cut()) => Ok(before.into()),
        Some(_) if policy.overwrite => Ok(content),
        Some(_) => Err(Refusal::FileExists),
    }
}

/// The same lines, trailing blanks and line ends aside.
fn same_text(before: &[u8], lines: &[Line]) -> bool {
    let text = Text::new(before);
    text.len() == lines.len()
        && lines
            .iter()
            .enumerate()
            .all(|(at, line)| view::trim_end(&line.text) == view::trim_end(text.body(at)))
}

/// An empty old text: a new file, or more text at the end of one that exists.
pub(super) fn append(before: Option<&[u8]>, lines: &NewLines) -> Result<Content, Refusal> {
    if lines.is_empty() && before.is_some_and(|before| !before.is_empty()) {
        return Err(Refusal::NothingToDo);
    }
    let Some(before) = before.filter(|before| !before.iter().all(u8::is_ascii_whitespace)) else {
        return written_anew(lines);
    };
    let lines = &lines.cut()[..];
    let text = Text::new(before);
    let last = text.len() - 1;
    Guards::new(&text).lines(lines, text.body(last))?;
    let solid: Vec<&Line> = lines.iter().filter(|line| !is_blank(&line.text)).collect();
    let standing: std::collections::HashSet<&[u8]> = text.bodies().map(view::trim_end).collect();
    let there = solid.iter().filter(|line| standing.contains(view::trim_end(&line.text))).count();
    let tail = text.len().checked_sub(lines.len());
    let is_tail =
        |at: usize| lines.iter().enumerate().all(|(i, line)| text.body(at + i) == line.text.as_ref());
    if !solid.is_empty() && tail.is_some_and(is_tail) {
        return Ok(before.into());
    }
    if 3 * there > solid.len() {
        return Err(Refusal::AppendIsRewrite);
    }
    let eol = if text.eol(last) == Eol::CrLf || (text.len() > 1 && text.eol(last - 1) == Eol::CrLf) {
        Eol::CrLf
    } else {
        Eol::Lf
    };
    let mut out = before.to_vec();
    if text.eol(last) == Eol::None {
        out.extend_from_slice(eol.bytes());
    }
    for line in lines {
        out.extend_from_slice(&line.text);
        out.extend_from_slice(if line.eol == Eol::None { b"" } else { eol.bytes() });
    }
    Ok(out.into())
}

/// A whole file, with or without elisions.
pub(super) fn replace(
    before: Option<&[u8]>,
    lines: &NewLines,
    path: &RelPath,
    policy: &Policy,
) -> Result<Content, Refusal> {
    let Some(before) = before.filter(|before| !before.is_empty()) else {
        return written_anew(lines);
    };
    let lines = &lines.cut()[..];
    let (encoding, bytes) = decode(before)?;
    let text = Text::new(&bytes);
    let cleaned = place::cleaned_file(&text, lines);
    if cleaned.is_none() && place::entities_in_doubt(&text, lines) {
        let what = "every `<`, `>` and `&` of the reply is written as an HTML entity, as none of the file is: write them plainly, or change single lines if entities are meant";
        return Err(Refusal::Doubtful { what: what.to_owned() });
    }
    let lines = cleaned.as_deref().unwrap_or(lines);
    let restored = merge::restored(&text, lines)?;
    let lines = restored.as_deref().unwrap_or(lines);
    let elided = elided::elisions(&text, lines);
    let guards = Guards::new(&text);
    let new = if elided.contains(&true) {
        let shown = lines.iter().zip(&elided).filter(|(_, elided)| !**elided);
        guards.lines(&shown.map(|(line, _)| line.clone()).collect::<Vec<_>>(), b"")?;
        merge::elided(&text, lines)?
    } else {
        guards.whole(lines)?;
        if !policy.allow_shrink {
            guards::shrink(&text, lines)?;
        }
        merge::whole(&text, lines, policy.spelling, merge::ruled_by_indentation(path.as_bytes()))
    };
    Ok(encode(encoding, new)?.into())
}

/// An empty fence under the name of a file that holds text: something to be shown may as well be missing.
pub(super) fn refuse_empty_fence(before: Option<&[u8]>, lines: &[Line]) -> Result<(), Refusal> {
    let holds_text = before.is_some_and(|before| !before.iter().all(u8::is_ascii_whitespace));
    if holds_text && lines.iter().all(|line| is_blank(&line.text)) {
        let what = "the fence is empty, and the file is not: write what it is to hold, or delete it";
        return Err(Refusal::Doubtful { what: what.to_owned() });
    }
    Ok(())
}

/// A file that does not stand yet, or is empty: each line with its end, `\n` unless the edit says otherwise.
fn written_anew(lines: &NewLines) -> Result<Content, Refusal> {
    let (content, doubtful) = match lines.uncut() {
        Some(signed) => (signed.content(), guards::may_be_refused(signed.lines(), signed.body)),
        None => {
            let lines = lines.cut();
            let bytes = joined(&lines);
            let doubtful = guards::may_be_refused(lines.iter().map(|line| &line.text[..]), &bytes);
            (bytes.into(), doubtful)
        }
    };
    if doubtful {
        Guards::new(&Text::new(b"")).lines(&lines.cut(), b"")?;
    }
    Ok(content)
}

fn joined(lines: &[Line]) -> Vec<u8> {
    let mut out = Vec::with_capacity(lines.iter().map(|line| line.text.len() + 1).sum());
    for line in lines {
        out.extend_from_slice(&line.text);
        out.extend_from_slice(if line.eol == Eol::None { b"" } else { b"\n" });
    }
    out
}

/// A deletion that quotes the file: what stands there must be just that.
pub(super) fn must_equal(before: &[u8], old: &[Line]) -> Result<(), Refusal> {
    let text = Text::new(before);
    let differs = |at: &usize| {
        let quoted = old.get(*at).map(|line| view::typography(&line.text));
        let file = (*at < text.len()).then(|| view::typography(text.body(*at)));
        quoted != file
    };
    let Some(at) = (0..text.len().max(old.len())).find(differs) else { return Ok(()) };
    let show = |line: &[u8]| String::from_utf8_lossy(line.trim_ascii()).into_owned();
    let difference = match (old.get(at), at < text.len()) {
        (Some(line), true) => {
            format!("the file reads `{}`, the deletion `{}`", show(text.body(at)), show(&line.text))
        }
        (None, _) => format!("the file goes on with `{}`", show(text.body(at))),
        (Some(line), false) => format!("the file ends before `{}`", show(&line.text)),
    };
    let lines = (at < text.len()).then(|| text.body(at).to_vec()).into_iter().collect();
    let closest = vec![Closest { quote: Quote { first: at + 1, lines }, difference }];
    Err(Refusal::NotFound { closest, tried: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(before: &[u8], reply: &str) -> Result<Vec<u8>, &'static str> {
        let lines: Vec<Line<'_>> =
            reply.lines().map(|line| Line { text: line.as_bytes().into(), eol: Eol::Lf }).collect();
        let lines = lines.into();
        let path = RelPath::parse(b"a.py").expect("a path");
        let made = replace(Some(before), &lines, &path, &Policy::default());
        made.map(Vec::from).map_err(|refusal| refusal.code())
    }

    #[test]
    fn bytes_that_are_no_utf_8_stay() {
        let file = b"a = 1\nname = 'caf\xe9'\nb = 2\n";
        let want = b"a = 3\nname = 'caf\xe9'\nb = 2\n".to_vec();
        for shown in ["caf\u{fffd}", "caf\u{e9}", "caf?"] {
            let reply = format!("a = 3\nname = '{shown}'\nb = 2\n");
            assert_eq!(replaced(file, &reply), Ok(want.clone()), "{reply}");
        }
        assert_eq!(replaced(file, "a = 3\nnames = 'caf\u{fffd}'\nb = 2\n"), Err("doubtful"));
        assert_eq!(replaced(b"a\n", "a\n\u{fffd}\n"), Err("doubtful"));
        assert_eq!(replaced("\u{fffd}\n".as_bytes(), "b \u{fffd}\n"), Ok("b \u{fffd}\n".into()));
    }

    #[test]
    fn a_comment_in_place_of_lines_is_never_written() {
        let file =
            b"import a\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n\n\ndef h():\n    return 3\n";
        for comment in [
            "# unchanged",
            "# same as before",
            "# (rest as is)",
            "# snip",
            "[...]",
            "\u{2026}",
            "<rest of file>",
            "(the rest of the file is unchanged)",
            "# TODO: keep the rest",
            "# no changes here",
            "# omitted",
        ] {
            let reply = format!("import a\n\n\ndef f():\n    return 4\n\n\n{comment}\n");
            match replaced(file, &reply) {
                Ok(written) => {
                    let want = String::from_utf8_lossy(file).replacen("return 1", "return 4", 1);
                    assert_eq!(String::from_utf8_lossy(&written), want, "{comment}");
                }
                Err(code) => assert!(
                    ["doubtful", "elision-literal", "ambiguous", "not-found"].contains(&code),
                    "{comment} {code}"
                ),
            }
        }
    }

    #[test]
    fn an_empty_fence_empties_no_file() {
        let blank = [Line { text: Cow::Borrowed(b"  "), eol: Eol::Lf }];
        for (before, lines, refused) in [
            (Some(&b"x\n"[..]), &[][..], true),
            (Some(b"x\n"), &blank, true),
            (Some(b"\n"), &[], false),
            (None, &[], false),
        ] {
            assert_eq!(refuse_empty_fence(before, lines).is_err(), refused, "{before:?}");
        }
    }
}
