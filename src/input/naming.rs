//! Which line names the file that a block or a fence is for.

use std::borrow::Cow;

use crate::{
    edit::{Name, Reading},
    text::is_blank,
};

use super::{
    InputLine, fence,
    name::{self, Mention, Named, Role},
};

/// A name further up than this many lines of prose is too far from its block.
const REACH: usize = 40;

/// A name for a block, and how much it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForBlock<'i> {
    /// It stands as a name, or in a line that introduces the block.
    Sure(Name<'i>),
    /// The sentence before the block speaks of it; the file of the last block comes first.
    Weak(Name<'i>),
    Nothing,
}

/// The name for the block at `at`: on the lines just above, past fences, wrapping tags and blank lines;
/// else a heading further up. Nothing above `floor`, where the last edit ended, counts.
pub fn for_block<'i>(lines: &[InputLine<'i>], floor: usize, at: usize) -> ForBlock<'i> {
    let mut near = true;
    let mut spoken = ForBlock::Nothing;
    for line in lines[floor.max(at.saturating_sub(REACH))..at].iter().rev() {
        if is_blank(line.text) || is_wrapper(line.text) {
            continue;
        }
        if let Some(path) = wrapped_path(line.text) {
            return ForBlock::Sure(Name::plain(path));
        }
        if let Some(opener) = fence::opener(line.text) {
            match name::info(opener.info).path.filter(|_| near) {
                Some(path) => return ForBlock::Sure(path),
                None => continue,
            }
        }
        if let Some(named) = name::line(line.text).filter(|named| near || named.heading) {
            return ForBlock::Sure(named.name());
        }
        if near && let Some(mention) = only(name::mentions(line.text)) {
            if line.text.trim_ascii_end().ends_with(b":") {
                return ForBlock::Sure(mention.name());
            }
            spoken = ForBlock::Weak(mention.name());
        }
        near = false;
    }
    spoken
}

/// The one word on the line just above the block at `at` or its fence. Names such as `Makefile` look like
/// any word: the caller takes it only where nothing else names the file, and never to make one.
pub fn lone_word<'i>(lines: &[InputLine<'i>], floor: usize, at: usize) -> Option<Cow<'i, [u8]>> {
    let above = &lines[floor..at];
    let mut near = above.iter().rev().take(REACH).map(|line| line.text);
    word(near.find(|text| fence::opener(text).is_none())?)
}

/// The word that is all of a line.
fn word(line: &[u8]) -> Option<Cow<'_, [u8]>> {
    let word = line.trim_ascii();
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'+');
    (!word.is_empty() && word.iter().all(plain)).then_some(Cow::Borrowed(word))
}

/// The nearest heading that is a name, between `floor` and `at`.
pub fn heading_above<'i>(lines: &[InputLine<'i>], floor: usize, at: usize) -> Option<Name<'i>> {
    let above = lines[floor.max(at.saturating_sub(REACH))..at].iter().rev();
    above.filter_map(|line| name::line(line.text)).find(|named| named.heading).map(Named::name)
}

fn only<T>(found: Vec<T>) -> Option<T> {
    let mut found = found.into_iter();
    found.next().filter(|_| found.next().is_none())
}

/// Tags around a block that say nothing about its file.
fn is_wrapper(line: &[u8]) -> bool {
    const TAGS: [&[u8]; 12] = [
        b"diff",
        b"content",
        b"file",
        b"args",
        b"apply_diff",
        b"replace_in_file",
        b"search_and_replace",
        b"edit",
        b"edits",
        b"search_replace",
        b"change",
        b"tool_use",
    ];
    let line = line.trim_ascii();
    let line = line.strip_suffix(b"<![CDATA[").unwrap_or(line);
    line.is_empty() || tag_name(line).is_some_and(|tag| TAGS.contains(&tag))
}

/// The name of a tag that is alone on its line.
pub fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let inner = line.trim_ascii().strip_prefix(b"<")?.strip_suffix(b">")?;
    let plain =
        !inner.is_empty() && inner.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    plain.then_some(inner)
}

/// The path in `<path>src/a.py</path>`.
pub fn wrapped_path(line: &[u8]) -> Option<Cow<'_, [u8]>> {
    for tag in ["path", "file_path", "filepath", "file", "filename", "target_file"] {
        let inner = || {
            let rest =
                line.trim_ascii().strip_prefix(b"<")?.strip_prefix(tag.as_bytes())?.strip_prefix(b">")?;
            rest.strip_suffix(b">")?.strip_suffix(tag.as_bytes())?.strip_suffix(b"</")
        };
        if let Some(path) = inner().map(<[u8]>::trim_ascii).filter(|path| !path.is_empty()) {
            return Some(Cow::Borrowed(path));
        }
    }
    None
}

/// What the lines above a fence say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Above<'i> {
    /// The whole file of this name.
    File(Name<'i>),
    /// A part of a file, or a file that stays as it is.
    NoEdit,
    Nothing,
}

/// The name that a fence at `at` has by the lines above it: a line that is a name, at most two blank lines
/// away, or the only file that the paragraph before presents.
pub fn for_fence<'i>(lines: &[InputLine<'i>], floor: usize, at: usize) -> Above<'i> {
    let blanks = lines[floor..at].iter().rev().take_while(|line| is_blank(line.text)).count();
    let end = at - blanks;
    if end == floor || blanks > 2 {
        return Above::Nothing;
    }
    let line = lines[end - 1].text;
    if name::says_unchanged(line) {
        return Above::NoEdit;
    }
    match name::line(line) {
        Some(named) if is_one_of_a_list(lines, floor, end - 1, &named) => Above::Nothing,
        Some(named) if named.role == Role::File => Above::File(named.name()),
        Some(_) => Above::NoEdit,
        None => {
            let lone = || word(line).filter(|word| blanks == 0 && name::is_lone_name(word));
            match presented(paragraph(lines, floor, end)) {
                Above::Nothing => lone()
                    .map_or(Above::Nothing, |word| Above::File(Name::plain(word).also([Reading::Existing]))),
                found => found,
            }
        }
    }
}

/// A list of files is no name for the fence below it.
fn is_one_of_a_list(lines: &[InputLine<'_>], floor: usize, at: usize, named: &Named<'_>) -> bool {
    let above = lines[floor..at].iter().rev().find(|line| !is_blank(line.text));
    named.listed && above.and_then(|line| name::line(line.text)).is_some_and(|other| other.listed)
}

fn paragraph<'a, 'i>(lines: &'a [InputLine<'i>], floor: usize, end: usize) -> &'a [InputLine<'i>] {
    let len = lines[floor..end].iter().rev().take(8).take_while(|line| !is_blank(line.text)).count();
    &lines[end - len..end]
}

/// A paragraph that presents a file (`Here is the changed a.py:`), rather than speaking of its parts or use.
fn presented<'i>(paragraph: &[InputLine<'i>]) -> Above<'i> {
    let mut found: Vec<Mention<'i>> = Vec::new();
    for line in paragraph {
        for mention in name::mentions(line.text) {
            if !found.iter().any(|known| known.path == mention.path) {
                found.push(mention);
            }
        }
    }
    let words =
        || paragraph.iter().flat_map(|line| line.text.split(|b| !b.is_ascii_alphabetic() && *b != b'\''));
    match only(found) {
        Some(mention) if mention.marked && shows_state(&words) => Above::NoEdit,
        Some(mention)
            if mention.marked
                && !is_part(mention.after)
                && words().any(presents)
                && !words().any(speaks_of_use) =>
        {
            Above::File(mention.name())
        }
        _ => Above::Nothing,
    }
}

/// `in a.py`, `to a.py`: what follows is a part.
fn is_part(before: Option<&[u8]>) -> bool {
    const WORDS: &str = "in to into inside within from for at by with via using like";
    before.is_some_and(|before| WORDS.split(' ').any(|word| before.eq_ignore_ascii_case(word.as_bytes())))
}

fn presents(word: &[u8]) -> bool {
    const WORDS: &str = "here here's updated updating new create created creating full complete changed modified \
        rewritten revised final replaced content contents version fixed file becomes";
    WORDS.split(' ').any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// What stands in the file now, and no word of what it becomes.
fn shows_state<'a, I: Iterator<Item = &'a [u8]>>(words: &impl Fn() -> I) -> bool {
    const STATE: &str = "current currently existing present previous previously original old before bad wrong broken \
        buggy incorrect faulty outdated understand understood remember now";
    const CHANGE: &str = "new updated updating changed modified rewritten revised final replaced replace replacing \
        fixed fix corrected becomes create created improved update change rewrite";
    let says =
        |known: &str| words().any(|word| known.split(' ').any(|k| word.eq_ignore_ascii_case(k.as_bytes())));
    says(STATE) && !says(CHANGE)
}

/// Do the words above the fence at `at` call it an example of a format?
pub fn shows_format(lines: &[InputLine<'_>], floor: usize, at: usize) -> bool {
    const WORDS: &str = "example examples format formats syntax template sample";
    let blanks = lines[floor..at].iter().rev().take_while(|line| is_blank(line.text)).count();
    let above = paragraph(lines, floor, at - blanks).iter();
    let mut words = above.flat_map(|line| line.text.split(|b| !b.is_ascii_alphabetic()));
    blanks <= 2 && words.any(|word| WORDS.split(' ').any(|known| word.eq_ignore_ascii_case(known.as_bytes())))
}

fn speaks_of_use(word: &[u8]) -> bool {
    const WORDS: &str = "example examples usage use uses using run running call calls calling import output prints \
        snippet part section excerpt function method lines line currently was old error command diff original append \
        test";
    WORDS.split(' ').any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::lines;

    fn block_name(input: &str) -> Option<String> {
        let lines = lines(input.as_bytes());
        match for_block(&lines, 0, lines.len()) {
            ForBlock::Sure(name) => Some(String::from_utf8_lossy(&name.text).into_owned()),
            ForBlock::Weak(name) => Some(format!("{}?", String::from_utf8_lossy(&name.text))),
            ForBlock::Nothing => None,
        }
    }

    #[test]
    fn names_of_blocks() {
        for (above, path) in [
            ("a.py\n", Some("a.py")),
            ("a.py\n```python\n", Some("a.py")),
            ("a.py\n\n```python\n", Some("a.py")),
            ("b.py\n```python\na.py\n", Some("a.py")),
            ("Change:\n\n ```python\na.py\n```\n```python\n", Some("a.py")),
            ("```src/a.py\n", Some("src/a.py")),
            ("<apply_diff>\n<path>a.txt</path>\n<diff>\n", Some("a.txt")),
            ("## `a.py`\n\nThis fixes it.\n\n```python\n", Some("a.py")),
            ("And in `src/a.py`, call it:\n```python\n", Some("src/a.py")),
            ("## `a.py`\n\nAs in `b.py`.\n\n```python\n", Some("a.py")),
            ("As in `b.py`.\n\n```python\n", Some("b.py?")),
            ("a.py\n\nSome words.\n\n```python\n", None),
            ("Use `a.py` or `b.py`:\n", None),
            ("...\n\n", None),
        ] {
            assert_eq!(block_name(above).as_deref(), path, "{above}");
        }
    }

    #[test]
    fn names_of_fences() {
        let file = |path: &'static str| Above::File(Name::plain(path.as_bytes()));
        for (above, expected) in [
            ("a.py\n", file("a.py")),
            ("a.py\n\n", file("a.py")),
            ("A new `a.txt` for you:\n\n", file("a.txt")),
            ("And here is `b.txt`:\n\n", file("b.txt")),
            ("Updated `src/s.ts`\n", file("src/s.ts")),
            ("Here is the changed `acc.py` with the loop:\n", file("acc.py")),
            ("a.ts (no changes needed)\n", Above::NoEdit),
            ("a.ts (lines 3-9)\n", Above::NoEdit),
            ("### 1. Update `src/a.ts`\n\n", Above::Nothing),
            ("Here is the new fix for `a.py`:\n", Above::Nothing),
            ("Creating new file `b.ts`\n", file("b.ts")),
            ("Here is an example for `a.py`:\n", Above::Nothing),
            ("Add this new function to `a.py`:\n", Above::Nothing),
            ("Run this new script with `a.py`:\n", Above::Nothing),
            ("Here is a.py:\n", Above::Nothing),
            ("Files:\n- a.py\n- b.py\n\n", Above::Nothing),
            ("To print it you can use:\n\n", Above::Nothing),
            ("a.py\n\n\n\n", Above::Nothing),
            ("", Above::Nothing),
        ] {
            let lines = lines(above.as_bytes());
            assert_eq!(for_fence(&lines, 0, lines.len()), expected, "{above}");
        }
    }
}
