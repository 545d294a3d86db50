//! View 8: what a model copied from the display of a file and not from the file itself: line numbers,
//! HTML entities, doubled escapes. Only where both texts of a hunk carry them throughout.

use std::{borrow::Cow, collections::HashSet};

use crate::{
    edit::{Body, HunkLine, Line, Origin, Tag},
    text::{Text, is_blank},
};

/// The body without its artefacts; `None` if it carries none, or not throughout.
pub(crate) fn cleaned<'i>(body: &Body<'i>) -> Option<Body<'i>> {
    let lines: Vec<(Tag, &[u8])> = body.lines.iter().map(|line| (line.tag, line.text.as_ref())).collect();
    let texts = numbers(&lines).or_else(|| entities(&lines)).or_else(|| escapes(&lines))?;
    let cleaned: Vec<HunkLine> = body
        .lines
        .iter()
        .zip(texts)
        .flat_map(|(line, texts)| {
            texts.into_iter().map(|text| HunkLine { text: Cow::Owned(text), ..line.clone() })
        })
        .collect();
    Some(match body.origin {
        Origin::Diff => Body::diff(cleaned),
        Origin::Block => rediffed(&cleaned),
    })
}

/// A whole file without its artefacts: the old file is the second text, and the cleaned lines must be much
/// closer to it. `None` if there is nothing to clean.
pub(crate) fn cleaned_file<'i>(old: &Text<'_>, new: &[Line<'i>]) -> Option<Vec<Line<'i>>> {
    if old.is_empty() {
        return None;
    }
    let lines: Vec<(Tag, &[u8])> = new.iter().map(|line| (Tag::Remove, line.text.as_ref())).collect();
    let texts = numbers(&lines).or_else(|| entities(&lines)).or_else(|| escapes(&lines))?;
    let cleaned: Vec<Line<'i>> = new
        .iter()
        .zip(texts)
        .flat_map(|(line, texts)| {
            texts.into_iter().map(|text| Line { text: Cow::Owned(text), eol: line.eol })
        })
        .collect();
    let standing: HashSet<&[u8]> = old.bodies().map(<[u8]>::trim_ascii).filter(|l| !l.is_empty()).collect();
    let hits = |lines: &[Line<'_>], other: &[Line<'_>]| {
        let known: HashSet<&[u8]> = other.iter().map(|line| line.text.as_ref()).collect();
        let own: Vec<&Line> =
            lines.iter().filter(|l| !is_blank(&l.text) && !known.contains(l.text.as_ref())).collect();
        (own.iter().filter(|l| standing.contains(l.text.trim_ascii())).count(), own.len())
    };
    // Only the lines that the cleaning touches can tell.
    let ((cleaned_hits, touched), (raw_hits, _)) = (hits(&cleaned, new), hits(new, &cleaned));
    (cleaned_hits > raw_hits && 3 * (cleaned_hits - raw_hits) >= touched).then_some(cleaned)
}

/// The old file has bare `<`, `>` or `&` and no entity, the reply none but entities, and nothing was cleaned:
/// no unchanged line tells whether they are meant.
pub(crate) fn entities_in_doubt(old: &Text<'_>, new: &[Line<'_>]) -> bool {
    let lines: Vec<(Tag, &[u8])> = new.iter().map(|line| (Tag::Remove, line.text.as_ref())).collect();
    let bare = |line: &[u8]| line.iter().any(|b| b"<>&".contains(b));
    entities(&lines).is_some()
        && old.bodies().any(bare)
        && !old.bodies().any(|line| matches!(decode_entities(line), Some((_, 1..))))
}

/// A block's texts are compared anew: their numbers may have made equal lines differ.
fn rediffed<'i>(lines: &[HunkLine<'i>]) -> Body<'i> {
    let side = |other: Tag| -> Vec<Line<'i>> {
        let kept = lines.iter().filter(|line| line.tag != other);
        kept.map(|line| Line { text: line.text.clone(), eol: line.eol }).collect()
    };
    Body::block(side(Tag::Add), side(Tag::Remove))
}

/// Line-number prefixes: on every line, with one separator, counting up on the old side.
fn numbers(lines: &[(Tag, &[u8])]) -> Option<Vec<Vec<Vec<u8>>>> {
    let parsed: Vec<Numbered> = lines.iter().map(|(_, text)| numbered(text)).collect::<Option<_>>()?;
    let first = parsed.first()?;
    if parsed.iter().any(|line| line.separator != first.separator) {
        return None;
    }
    let old: Vec<u64> =
        lines.iter().zip(&parsed).filter(|((tag, _), _)| *tag != Tag::Add).map(|(_, n)| n.number).collect();
    if old.is_empty() || !old.windows(2).all(|two| two[1] == two[0] + 1) {
        return None;
    }
    let spaced = parsed.iter().all(|line| line.text.is_empty() || line.text.starts_with(b" "));
    let cut = |line: &Numbered| {
        if spaced { line.text.get(1..).unwrap_or(b"").to_vec() } else { line.text.to_vec() }
    };
    Some(parsed.iter().map(|line| vec![cut(line)]).collect())
}

struct Numbered<'l> {
    number: u64,
    separator: &'l [u8],
    text: &'l [u8],
}

/// `  12| text`, `12: text`, `12<tab>text`, `12 | text`.
fn numbered(line: &[u8]) -> Option<Numbered<'_>> {
    let rest = line.trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok().filter(|_| digits <= 7)?;
    let rest = &rest[digits..];
    for separator in [&b" |"[..], b"|", b":", b"\t", "\u{2192}".as_bytes()] {
        if let Some(text) = rest.strip_prefix(separator) {
            return Some(Numbered { number, separator, text });
        }
    }
    None
}

/// HTML entities: every `&` begins one, no `<` or `>` stands bare, the old side has at least one.
fn entities(lines: &[(Tag, &[u8])]) -> Option<Vec<Vec<Vec<u8>>>> {
    let mut seen = false;
    let mut out = Vec::with_capacity(lines.len());
    for (tag, text) in lines {
        let (decoded, count) = decode_entities(text)?;
        seen |= *tag != Tag::Add && count > 0;
        out.push(vec![decoded]);
    }
    seen.then_some(out)
}

/// The line with its entities decoded, and how many there were; `None` if a bare `<`, `>` or `&` stands.
pub(crate) fn decode_entities(line: &[u8]) -> Option<(Vec<u8>, usize)> {
    const NAMES: [(&[u8], u8); 8] = [
        (b"&lt;", b'<'),
        (b"&gt;", b'>'),
        (b"&amp;", b'&'),
        (b"&quot;", b'"'),
        (b"&apos;", b'\''),
        (b"&#39;", b'\''),
        (b"&#x27;", b'\''),
        (b"&#34;", b'"'),
    ];
    let (mut out, mut rest, mut count) = (Vec::with_capacity(line.len()), line, 0);
    while let Some(&byte) = rest.first() {
        if matches!(byte, b'<' | b'>') {
            return None;
        }
        let step = if byte == b'&' {
            let (name, plain) = NAMES.iter().find(|(name, _)| rest.starts_with(name))?;
            out.push(*plain);
            count += 1;
            name.len()
        } else {
            out.push(byte);
            1
        };
        rest = &rest[step..];
    }
    Some((out, count))
}

/// Doubled escapes: every backslash begins `\n`, `\t`, `\"`, `\'` or `\\`, no bare double quote stands, and the
/// old side has at least one. A `\n` becomes a line end.
fn escapes(lines: &[(Tag, &[u8])]) -> Option<Vec<Vec<Vec<u8>>>> {
    let mut seen = false;
    let mut out = Vec::with_capacity(lines.len());
    for (tag, text) in lines {
        let decoded = decode_escapes(text)?;
        seen |= *tag != Tag::Add && text.contains(&b'\\');
        out.push(decoded);
    }
    seen.then_some(out)
}

fn decode_escapes(line: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut out = vec![Vec::new()];
    let mut bytes = line.iter();
    while let Some(&byte) = bytes.next() {
        let plain = match byte {
            b'"' => return None,
            b'\\' => match bytes.next()? {
                b'n' => {
                    out.push(Vec::new());
                    continue;
                }
                b't' => b'\t',
                quoted @ (b'"' | b'\'' | b'\\') => *quoted,
                _ => return None,
            },
            other => other,
        };
        if let Some(last) = out.last_mut() {
            last.push(plain);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Eol;

    fn body(lines: &[(Tag, &str)]) -> Body<'static> {
        let line = |(tag, text): &(Tag, &str)| HunkLine {
            tag: *tag,
            text: Cow::Owned(text.as_bytes().to_vec()),
            eol: Eol::Lf,
        };
        Body::diff(lines.iter().map(line).collect())
    }

    fn clean(lines: &[(Tag, &str)]) -> Option<Vec<String>> {
        let cleaned = cleaned(&body(lines))?;
        Some(cleaned.lines.iter().map(|line| String::from_utf8_lossy(&line.text).into_owned()).collect())
    }

    #[test]
    fn whole_files_are_cleaned_if_that_brings_them_closer() {
        let clean = |old: &str, new: &[&str]| {
            let lines: Vec<Line> =
                new.iter().map(|line| Line { text: line.as_bytes().into(), eol: Eol::Lf }).collect();
            let cleaned = cleaned_file(&Text::new(old.as_bytes()), &lines)?;
            Some(
                cleaned
                    .iter()
                    .map(|line| String::from_utf8_lossy(&line.text).into_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(clean("a\n\nb\n", &["   1| a", "   2| ", "   3| c"]).unwrap(), ["a", "", "c"]);
        let (old, new) = ("a < b\nc && d\ne\n", ["a &lt; b", "c &amp;&amp; d", "f"]);
        assert_eq!(clean(old, &new).unwrap(), ["a < b", "c && d", "f"]);
        assert_eq!(clean("x\n", &["a &lt; b"]), None);
        assert_eq!(clean("1: x\n2: y\n", &["1: x", "2: z"]), None);
        assert_eq!(clean("", &["1: x"]), None);
    }

    #[test]
    fn entities_that_no_line_of_the_file_explains() {
        let doubt = |old: &str, new: &str| {
            entities_in_doubt(
                &Text::new(old.as_bytes()),
                &[Line { text: new.as_bytes().into(), eol: Eol::Lf }],
            )
        };
        assert!(doubt("a < b\n", "c &lt; d"));
        assert!(!doubt("a < b\n", "c < d &lt;"));
        assert!(!doubt("a b\n", "c &lt; d"));
        assert!(!doubt("a &lt; b\nc > d\n", "c &gt; d"));
    }

    #[test]
    fn line_numbers_on_every_line() {
        let got = clean(&[
            (Tag::Keep, "  11| def f():"),
            (Tag::Remove, "  12|     return 1"),
            (Tag::Add, "  12|     return 2"),
        ]);
        assert_eq!(got.unwrap(), ["def f():", "    return 1", "    return 2"]);
        assert_eq!(clean(&[(Tag::Keep, "11| a"), (Tag::Remove, "12| b"), (Tag::Add, "c")]), None);
        assert_eq!(clean(&[(Tag::Keep, "11| a"), (Tag::Remove, "19| b")]), None);
    }

    #[test]
    fn entities_throughout() {
        let got = clean(&[(Tag::Remove, "a &lt; b &amp;&amp; c"), (Tag::Add, "a")]);
        assert_eq!(got.unwrap(), ["a < b && c", "a"]);
        assert_eq!(clean(&[(Tag::Remove, "a &lt; b"), (Tag::Add, "a < b")]), None);
        assert_eq!(clean(&[(Tag::Remove, "a"), (Tag::Add, "&lt;")]), None);
    }

    #[test]
    fn doubled_escapes() {
        let got = clean(&[(Tag::Remove, r#"say(\"hi\")\nend"#), (Tag::Add, r#"say(\"ho\")\nend"#)]);
        assert_eq!(got.unwrap(), ["say(\"hi\")", "end", "say(\"ho\")", "end"]);
        assert_eq!(clean(&[(Tag::Remove, r"a\d"), (Tag::Add, "b")]), None);
    }
}
