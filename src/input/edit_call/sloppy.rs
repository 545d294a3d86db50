//! OMP's sloppy mode: `<SM:EDIT path="a">` with `<SM:FIND>` and `<SM:PUT>`, later `*** Edit File: a` with
//! `*** Find` and `*** Replace`.

use super::{fault, texts};
use crate::{
    edit::{Call, Edit, Format, Hunk, ModeChange, Name, Op, Span},
    input::{
        InputLine, fence,
        section::{Item, Section},
    },
    refusal::Refusal,
};

/// Does an edit of this kind begin here?
pub fn starts(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.starts_with(b"<SM:EDIT ") || line.starts_with(b"*** Edit File:")
}

pub fn read<'i>(lines: &[InputLine<'i>], at: usize) -> Section<'i> {
    let tagged = lines[at].text.trim_ascii().starts_with(b"<SM:");
    let used = if tagged { tagged_len(&lines[at..]) } else { starred_len(&lines[at..]) };
    let own = &lines[at..at + used];
    let span = Span::new(own[0].number, own[used - 1].number);
    let item = match parse(own, tagged) {
        Ok((path, hunks)) => Item::Edit(Edit {
            id: 0,
            format: Format::EditCall,
            span,
            path: Some(Name::plain(path)),
            move_to: None,
            copy: false,
            mode: ModeChange::default(),
            op: Op::Update { hunks },
            notes: Vec::new(),
            call: Call::default(),
        }),
        Err(refusal) => fault(span, refusal),
    };
    Section { items: vec![item], used }
}

fn tagged_len(lines: &[InputLine<'_>]) -> usize {
    let ends = |line: &InputLine<'_>| line.text.trim_ascii().ends_with(b"</SM:EDIT>");
    lines.iter().position(ends).map_or(lines.len(), |at| at + 1)
}

fn starred_len(lines: &[InputLine<'_>]) -> usize {
    let mut len = 1;
    for line in &lines[1..] {
        let text = line.text.trim_ascii();
        let ends =
            [&b"*** End"[..], b"*** Edit File:", b"*** Begin Patch"].iter().any(|end| text.starts_with(end));
        if text.starts_with(b"*** End") {
            return len + 1;
        }
        if ends || fence::opener(line.text).is_some() {
            return len;
        }
        len += 1;
    }
    len
}

type Parsed = (Vec<u8>, Vec<Hunk<'static>>);

fn parse(lines: &[InputLine<'_>], tagged: bool) -> Result<Parsed, Refusal> {
    let malformed = |what: &str| Refusal::Malformed { what: what.to_owned() };
    let head = lines[0].text.trim_ascii();
    let (path, every) =
        if tagged { head_of_tag(head) } else { (head[b"*** Edit File:".len()..].trim_ascii(), false) };
    if path.is_empty() {
        return Err(malformed("the edit names no file"));
    }
    let mut hunks = Vec::new();
    let mut find: Option<(Vec<u8>, usize)> = None;
    for (kind, text, line) in parts(&lines[1..], tagged)? {
        let first = line;
        match (kind, find.take()) {
            (Kind::Find, None) => find = Some((text, first)),
            (Kind::Find, Some(_)) => return Err(malformed("a text to find is followed by no replacement")),
            (_, None) => return Err(malformed("a replacement stands before any text to find")),
            (kind, Some((old, first))) => {
                let new = match kind {
                    Kind::After => [&old[..], &text].concat(),
                    Kind::Before => [&text[..], &old].concat(),
                    _ => text,
                };
                hunks.push(hunk(Span::new(first, line), &old, &new, every)?);
            }
        }
    }
    if hunks.is_empty() || find.is_some() {
        return Err(malformed("a text to find is followed by no replacement"));
    }
    Ok((path.to_vec(), hunks))
}

/// A gap (`…`) in the text to find is an elision, which placing knows as three dots.
fn hunk(span: Span, old: &[u8], new: &[u8], every: bool) -> Result<Hunk<'static>, Refusal> {
    if old.trim_ascii().is_empty() {
        return Err(Refusal::Malformed { what: "the text to find is empty".into() });
    }
    let gap = "\u{2026}".as_bytes();
    let dotted = |text: &[u8]| {
        let line = |line: &[u8]| match line.trim_ascii() == gap {
            true => b"...\n".to_vec(),
            false => line.to_vec(),
        };
        text.split_inclusive(|&b| b == b'\n').flat_map(line).collect::<Vec<u8>>()
    };
    let mut hunk = texts::replacement(span, &dotted(old), &dotted(new), every, None);
    let gaps = old.split(|&b| b == b'\n').any(|line| line.trim_ascii() == gap);
    if gaps {
        hunk.hints.literal = None;
    }
    Ok(hunk)
}

fn head_of_tag(head: &[u8]) -> (&[u8], bool) {
    let rest = &head[b"<SM:EDIT ".len()..];
    let path = memchr::memmem::find(rest, b"path=\"").map(|at| &rest[at + 6..]);
    let Some(path) = path else { return (b"", false) };
    let Some(end) = memchr::memchr(b'"', path) else { return (b"", false) };
    let every = path[end + 1..].split(|b| b" >".contains(b)).any(|word| word == b"all");
    (&path[..end], every)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Find,
    Put,
    After,
    Before,
}

/// The texts of an edit, whole lines, each with the number of its first line.
fn parts(lines: &[InputLine<'_>], tagged: bool) -> Result<Vec<(Kind, Vec<u8>, usize)>, Refusal> {
    if tagged { in_tags(lines) } else { Ok(under_stars(lines)) }
}

fn under_stars(lines: &[InputLine<'_>]) -> Vec<(Kind, Vec<u8>, usize)> {
    let mut out: Vec<(Kind, Vec<u8>, usize)> = Vec::new();
    for line in lines {
        let kind = match line.text.trim_ascii() {
            b"*** Find" => Some(Kind::Find),
            b"*** Replace" => Some(Kind::Put),
            b"*** Insert Before" => Some(Kind::Before),
            b"*** Insert After" => Some(Kind::After),
            text if text.starts_with(b"*** End") => break,
            _ => None,
        };
        match (kind, out.last_mut()) {
            (Some(kind), _) => out.push((kind, Vec::new(), line.number)),
            (None, Some((_, text, _))) => push_line(text, line.text),
            (None, None) => {}
        }
    }
    out
}

fn push_line(text: &mut Vec<u8>, line: &[u8]) {
    text.extend_from_slice(line);
    text.push(b'\n');
}

const TAGS: [(&str, Kind); 4] = [
    ("SM:FIND>", Kind::Find),
    ("SM:PUT>", Kind::Put),
    ("SM:AFTER>", Kind::After),
    ("SM:BEFORE>", Kind::Before),
];

fn in_tags(lines: &[InputLine<'_>]) -> Result<Vec<(Kind, Vec<u8>, usize)>, Refusal> {
    let mut out: Vec<(Kind, Vec<u8>, usize)> = Vec::new();
    let mut open: Option<&str> = None;
    for line in lines {
        let mut rest = line.text;
        if open.is_none() {
            let text = rest.trim_ascii();
            if text == b"</SM:EDIT>" {
                return Ok(out);
            }
            let tag = TAGS
                .iter()
                .find(|(tag, _)| text.strip_prefix(b"<").is_some_and(|t| t.starts_with(tag.as_bytes())));
            let Some((tag, kind)) = tag else { continue };
            out.push((*kind, Vec::new(), line.number));
            open = Some(tag);
            rest = &text[1 + tag.len()..];
            if rest.is_empty() {
                continue;
            }
        }
        let (Some(tag), Some((_, text, _))) = (open, out.last_mut()) else { continue };
        let close = ["</", tag].concat();
        match memchr::memmem::find(rest, close.as_bytes()) {
            None => push_line(text, rest),
            Some(end) => {
                if !rest[..end].trim_ascii().is_empty() {
                    push_line(text, &rest[..end]);
                }
                open = None;
                if rest[end + close.len()..].trim_ascii() == b"</SM:EDIT>" {
                    return Ok(out);
                }
            }
        }
    }
    Err(Refusal::Unfinished { expected: "`</SM:EDIT>`" })
}
