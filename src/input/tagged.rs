//! Edits in tags: `<old>`…`</old>` `<new>`…`</new>` and kin, and `<content>` below a `<path>`.

use std::borrow::Cow;

use crate::{
    edit::{Body, Hints, Hunk, Line, Op, Span},
    refusal::Refusal,
    text::is_blank,
};

use super::{InputLine, naming, search_replace};

/// A pair of tags; `sure`: the first alone already says that an edit begins.
struct Pair {
    old: &'static str,
    new: &'static str,
    sure: bool,
}

const fn pair(old: &'static str, new: &'static str, sure: bool) -> Pair {
    Pair { old, new, sure }
}

const PAIRS: [Pair; 8] = [
    pair("old", "new", true),
    pair("old_str", "new_str", true),
    pair("old_string", "new_string", true),
    pair("old_text", "new_text", true),
    pair("oldText", "newText", true),
    pair("search", "replace", false),
    pair("find", "replace", false),
    pair("original", "updated", false),
];

/// What stands in tags.
#[derive(Debug)]
pub struct Tagged<'i> {
    pub span: Span,
    pub op: Result<Op<'i>, Refusal>,
    pub used: usize,
}

/// An element: its text, and how many lines it takes.
struct Element<'i> {
    text: Vec<InputLine<'i>>,
    used: usize,
}

enum Found<'i> {
    Element(Element<'i>),
    Unclosed,
    Nothing,
}

/// Reads the element `tag` that begins at `lines[0]`. The text may share lines with the tags.
fn element<'i>(lines: &[InputLine<'i>], tag: &str) -> Found<'i> {
    let Some(rest) = lines.first().and_then(|line| after_open(line.text, tag)) else { return Found::Nothing };
    let mut text = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 && after_open(line.text, tag).is_some() {
            break;
        }
        let body = if index == 0 { rest } else { line.text };
        let closed = before_close(body, tag);
        let body = closed.unwrap_or(body);
        if !((index == 0 || closed.is_some()) && is_blank(body)) {
            text.push(InputLine { text: body, ..*line });
        }
        if closed.is_some() {
            return Found::Element(Element { text, used: index + 1 });
        }
    }
    Found::Unclosed
}

fn after_open<'i>(line: &'i [u8], tag: &str) -> Option<&'i [u8]> {
    line.trim_ascii_start().strip_prefix(b"<")?.strip_prefix(tag.as_bytes())?.strip_prefix(b">")
}

fn before_close<'i>(line: &'i [u8], tag: &str) -> Option<&'i [u8]> {
    line.trim_ascii_end().strip_suffix(b">")?.strip_suffix(tag.as_bytes())?.strip_suffix(b"</")
}

/// Reads the pair of tags that begins at `lines[at]`; `None` if none does.
pub fn read<'i>(lines: &[InputLine<'i>], at: usize) -> Option<Tagged<'i>> {
    if !lines[at].text.trim_ascii_start().starts_with(b"<") {
        return None;
    }
    let pair = PAIRS.iter().find(|pair| after_open(lines[at].text, pair.old).is_some())?;
    let refuse = |refusal, used: usize| {
        let span = Span::new(lines[at].number, lines[(at + used - 1).min(lines.len() - 1)].number);
        pair.sure.then_some(Tagged { span, op: Err(refusal), used })
    };
    let old = match element(&lines[at..], pair.old) {
        Found::Element(old) => old,
        _ => {
            return refuse(
                Refusal::Unfinished { expected: "the closing tag of the old text" },
                lines.len() - at,
            );
        }
    };
    let gap = lines[at + old.used..].iter().take_while(|line| is_blank(line.text)).count();
    let next = at + old.used + gap;
    match element(&lines[next..], pair.new) {
        Found::Element(new) => {
            let used = next + new.used - at;
            let span = Span::new(lines[at].number, lines[at + used - 1].number);
            Some(Tagged { span, op: Ok(op(span, &old, &new)), used })
        }
        Found::Nothing if next < lines.len() => {
            let line = lines[next].number;
            refuse(Refusal::MissingMarker { expected: "new text in tags", line }, old.used)
        }
        _ => refuse(Refusal::Unfinished { expected: "the new text in tags" }, lines.len() - at),
    }
}

fn op<'i>(span: Span, old: &Element<'i>, new: &Element<'i>) -> Op<'i> {
    let text = |element: &Element<'i>| search_replace::text(&element.text, 0, false);
    if old.text.iter().all(|line| is_blank(line.text)) {
        return Op::Append { lines: text(new).into() };
    }
    let body = Body::block(text(old), text(new));
    Op::Update { hunks: vec![Hunk::new(span, body, Hints::default())] }
}

/// A file that is written whole.
#[derive(Debug)]
pub struct Content<'i> {
    pub path: Cow<'i, [u8]>,
    pub text: Result<Vec<Line<'i>>, Refusal>,
    pub used: usize,
}

/// Reads `<content>`…`</content>` right below a `<path>`; `None` if there is none.
pub fn content<'i>(lines: &[InputLine<'i>], at: usize) -> Option<Content<'i>> {
    after_open(lines[at].text, "content")?;
    let above = lines[..at].iter().rev().take(3).find(|line| !is_blank(line.text))?;
    let path = naming::wrapped_path(above.text)?;
    let (text, used) = match element(&lines[at..], "content") {
        Found::Element(found) => (Ok(search_replace::text(&found.text, 0, false)), found.used),
        _ => (Err(Refusal::Unfinished { expected: "</content>" }), lines.len() - at),
    };
    Some(Content { path, text, used })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::lines;

    fn sides(input: &str) -> Option<(Vec<String>, Vec<String>)> {
        let lines = lines(input.as_bytes());
        let Op::Update { hunks } = read(&lines, 0)?.op.ok()? else { return None };
        let show = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let body = hunks[0].body();
        Some((body.old().map(|l| show(&l.text)).collect(), body.new_side().map(|l| show(&l.text)).collect()))
    }

    #[test]
    fn pairs() {
        let expected = (vec!["a".to_owned(), " b".to_owned()], vec!["c".to_owned()]);
        for input in [
            "<old>\na\n b\n</old>\n<new>\nc\n</new>\n",
            "<old_string>a\n b</old_string>\n\n<new_string>c</new_string>\n",
            "<search>\na\n b\n</search>\n<replace>\nc\n</replace>\n",
        ] {
            assert_eq!(sides(input), Some(expected.clone()), "{input}");
        }
    }

    #[test]
    fn halves_are_refused_or_prose() {
        let lines_of = |text: &'static str| lines(text.as_bytes());
        let half = lines_of("<old>\na\n</old>\nwords\n");
        assert!(matches!(read(&half, 0).map(|t| t.op), Some(Err(Refusal::MissingMarker { line: 4, .. }))));
        let cut = lines_of("<old>\na\n");
        assert!(matches!(read(&cut, 0).map(|t| t.op), Some(Err(Refusal::Unfinished { .. }))));
        assert!(read(&lines_of("<search>\n<form>\n</search>\n"), 0).is_none());
    }

    #[test]
    fn content_below_a_path() {
        let lines = lines(b"<path>a.py</path>\n<content>\nx = 1\n\n</content>\n");
        let found = content(&lines, 1).expect("content");
        assert_eq!((&*found.path, found.text.expect("text").len(), found.used), (&b"a.py"[..], 2, 4));
    }
}
