//! Formats that are recognised here and read elsewhere or not yet, so that none of them passes for prose
//! or for another format.

use bstr::ByteSlice;

use crate::{edit::Format, text::is_blank};

use super::InputLine;

/// How many lines of a JSON text are searched for the names of an edit's arguments.
const LOOK: usize = 24;

/// The format that begins at `lines[at]` and how many lines it takes; `lines` ends where its fence does.
/// `fresh`: nothing but blank lines stands before it.
pub fn starts(lines: &[InputLine<'_>], at: usize, fresh: bool) -> Option<(Format, usize)> {
    match lines[at].text.trim_ascii_start().first()? {
        b'{' | b'[' if is_call(lines, at) => Some((Format::EditCall, json_len(lines, at))),
        b'*' if is_context(lines, at) => Some((Format::Context, run(lines, at, is_context_line))),
        b'0'..=b'9' if is_normal(lines, at) => Some((Format::Normal, run(lines, at, is_normal_line))),
        b'0'..=b'9' if fresh && is_ed(lines, at) => Some((Format::Ed, lines.len() - at)),
        _ => None,
    }
}

fn run(lines: &[InputLine<'_>], at: usize, belongs: fn(&[u8]) -> bool) -> usize {
    1 + lines[at + 1..].iter().take_while(|line| belongs(line.text)).count()
}

/// Names of arguments that only edit tools have, and of the frames that calls stand in.
const CALL_KEYS: &[&[u8]] = &[
    b"old_string",
    b"oldString",
    b"oldText",
    b"old_text",
    b"old_str",
    b"new_str",
    b"insert_line",
    b"code_edit",
    b"tool_use",
    b"tool_calls",
    b"functionCall",
    b"replaceAll",
];

/// JSON that holds the arguments of an edit tool.
fn is_call(lines: &[InputLine<'_>], at: usize) -> bool {
    if !opens_json(lines[at].text.trim_ascii()) {
        return false;
    }
    let (mut path, mut content, mut command, mut verb) = (false, false, false, false);
    for word in lines[at..lines.len().min(at + LOOK)].iter().flat_map(|line| quoted_words(line.text)) {
        if CALL_KEYS.contains(&word) {
            return true;
        }
        path |= matches!(word, b"path" | b"file_path" | b"filePath");
        content |= word == b"content";
        command |= word == b"command";
        verb |= matches!(word, b"view" | b"create" | b"insert" | b"str_replace");
    }
    path && (content || command && verb)
}

/// `{` or `[`, alone or before a string or another bracket.
fn opens_json(line: &[u8]) -> bool {
    let next = line.get(1..).unwrap_or_default().trim_ascii_start().first();
    next.is_none_or(|b| matches!(b, b'"' | b'{' | b'['))
}

/// What stands between one double quote and the next.
fn quoted_words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&b| b == b'"').skip(1)
}

/// The lines of one JSON text, by its brackets; all the rest if it never closes.
fn json_len(lines: &[InputLine<'_>], at: usize) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (index, line) in lines[at..].iter().enumerate() {
        for &byte in line.text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                b'{' | b'[' if !quoted => depth += 1,
                b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        if depth == 0 && !quoted {
            return index + 1;
        }
    }
    lines.len() - at
}

/// `*** a`, `--- b` and a row of stars.
fn is_context(lines: &[InputLine<'_>], at: usize) -> bool {
    let starts =
        |offset: usize, with: &[u8]| lines.get(at + offset).is_some_and(|l| l.text.starts_with(with));
    starts(0, b"*** ") && starts(1, b"--- ") && starts(2, b"***************")
}

fn is_context_line(line: &[u8]) -> bool {
    line.first().is_some_and(|b| b"*-+! \\".contains(b))
}

/// `3,4c3` before a line with `<` or `>`.
fn is_normal(lines: &[InputLine<'_>], at: usize) -> bool {
    let next = lines.get(at + 1).and_then(|line| line.text.first());
    is_normal_command(lines[at].text) && next.is_some_and(|b| matches!(b, b'<' | b'>'))
}

fn is_normal_command(line: &[u8]) -> bool {
    let rest = range(line.trim_ascii_end());
    rest.is_some_and(|(command, rest)| b"acd".contains(&command) && range_end(rest))
}

fn is_normal_line(line: &[u8]) -> bool {
    matches!(line.first(), Some(b'<' | b'>' | b'\\')) || line == b"---" || is_normal_command(line)
}

/// `N` or `N,M`, the letter behind it, and the rest.
fn range(line: &[u8]) -> Option<(u8, &[u8])> {
    let rest = line.trim_start_with(|c| c.is_ascii_digit());
    let rest = match rest.strip_prefix(b",") {
        Some(end) if end.first().is_some_and(u8::is_ascii_digit) => {
            end.trim_start_with(|c| c.is_ascii_digit())
        }
        _ => rest,
    };
    (rest.len() < line.len()).then(|| rest.split_first()).flatten().map(|(&letter, rest)| (letter, rest))
}

fn range_end(rest: &[u8]) -> bool {
    let plain = rest.iter().all(|b| b.is_ascii_digit() || *b == b',');
    plain && rest.first().is_some_and(u8::is_ascii_digit)
}

/// An ed command, and for one that takes text, a line with a dot.
fn is_ed(lines: &[InputLine<'_>], at: usize) -> bool {
    match range(lines[at].text.trim_ascii_end()) {
        Some((b'a' | b'c' | b'i', [])) => {
            lines[at + 1..].iter().any(|line| line.text.trim_ascii_end() == b".")
        }
        Some((b'd', [])) => lines[at + 1..].iter().all(|line| {
            is_blank(line.text) || range(line.text).is_some() || [&b"w"[..], b"q", b"wq"].contains(&line.text)
        }),
        Some((b's', rest)) => rest.starts_with(b"/"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::lines;

    #[test]
    fn what_is_recognised() {
        for (input, expected) in [
            (
                "{\"path\": \"a\", \"oldText\": \"x\", \"newText\": \"y\"}\nwords\n",
                Some((Format::EditCall, 1)),
            ),
            ("[\n  {\n    \"path\": \"a\",\n    \"oldText\": \"x]\"\n  }\n]\n", Some((Format::EditCall, 6))),
            ("{\"command\": \"view\", \"path\": \"a\"}\n", Some((Format::EditCall, 1))),
            ("{\n  \"name\": \"pkg\",\n  \"main\": \"a.js\"\n}\n", None),
            ("[link](x) has \"oldText\"\n", None),
            ("*** a\n--- b\n***************\n*** 1 ****\n! x\n", Some((Format::Context, 5))),
            ("3,4c3\n< a\n< b\n---\n> c\nwords\n", Some((Format::Normal, 5))),
            ("2a\nx\n.\n", Some((Format::Ed, 3))),
            ("2a\nx\n", None),
            ("3d\n", Some((Format::Ed, 1))),
            ("100\n", None),
            ("3d models\n", None),
        ] {
            assert_eq!(starts(&lines(input.as_bytes()), 0, true), expected, "{input}");
        }
    }
}
