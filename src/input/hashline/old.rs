//! The spellings of earlier versions: known by name, so that the refusal can give the new one.

use bstr::ByteSlice;

use super::super::InputLine;

/// What to write now.
const NEW: &str =
    "write `[PATH#TAG]`, then `PUT A.=B:` with `+` rows below, `CUT A.=B`, `PUT <A:` or `PUT >A:`";

/// Words of operations before `PUT` and `CUT`.
const WORDS: [(&str, &str); 7] = [
    ("SWAP", "PUT A.=B:"),
    ("DEL", "CUT A.=B"),
    ("INS.PRE", "PUT <A:"),
    ("INS.POST", "PUT >A:"),
    ("INS.HEAD", "PUT <1:"),
    ("INS.TAIL", "PUT >$:"),
    ("PASTE", "PUT >A @name"),
];

/// An operation of an earlier version inside a section: what it is now.
pub fn operation(line: &[u8]) -> Option<String> {
    let line = line.trim_ascii();
    let (word, rest) = line.split_at(line.find_byteset(b" \t:").unwrap_or(line.len()));
    let numbered =
        rest.trim_start_with(|c| c == ' ').first().is_none_or(|b| b.is_ascii_digit() || *b == b':');
    let upper = |(name, now): &(&str, &str)| {
        let word = word.strip_suffix(b".BLK").unwrap_or(word);
        (word == name.as_bytes() && numbered).then(|| say(name, now))
    };
    if let Some(said) = WORDS.iter().find_map(upper) {
        return Some(said);
    }
    let lower = |name: &'static str, now: &str, places: &[&[u8]]| {
        let next = rest.trim_ascii();
        let placed =
            next.first().is_some_and(u8::is_ascii_digit) || places.iter().any(|p| next.starts_with(p));
        (word == name.as_bytes() && placed).then(|| say(name, now))
    };
    lower("replace", "PUT A.=B:", &[b"block"]).or_else(|| lower("delete", "CUT A.=B", &[b"block"])).or_else(
        || lower("insert", "PUT <A:, PUT >A:, PUT <1: or PUT >$:", &[b"before", b"after", b"head", b"tail"]),
    )
}

fn say(old: &str, now: &str) -> String {
    format!("`{old}` is hashline of an earlier version: write `{now}`")
}

/// Whole edits of an earlier version that begin here, and how many lines they take.
pub fn starts(lines: &[InputLine<'_>], at: usize) -> Option<(String, usize)> {
    let line = lines[at].text.trim_ascii();
    let what = if line.starts_with("¶".as_bytes()) && is_pilcrow(line) {
        "`¶PATH#TAG`"
    } else if line.starts_with(b"@@ ") && lines.get(at + 1).is_some_and(|next| is_bigram_op(next.text)) {
        "`@@ PATH` with `= A..B` and `~` rows"
    } else if is_loc_call(lines, at) {
        "the call with `loc` and `content`"
    } else {
        return None;
    };
    Some((format!("{what} is hashline of an earlier version: {NEW}"), len(lines, at)))
}

/// To the next blank line before prose would be a guess: all of the rest is theirs.
fn len(lines: &[InputLine<'_>], at: usize) -> usize {
    lines.len() - at
}

/// `¶src/a.rs#1a2b`
fn is_pilcrow(line: &[u8]) -> bool {
    line.rsplit_once_str("#")
        .is_some_and(|(_, tag)| (3..=4).contains(&tag.len()) && tag.iter().all(u8::is_ascii_hexdigit))
}

/// `= 12ab..14cd`, `- 3xy`, `+ 3xy`, `< BOF`
fn is_bigram_op(line: &[u8]) -> bool {
    let Some(rest) = [b"= ", b"- ", b"+ ", b"< "].iter().find_map(|op| line.strip_prefix(*op)) else {
        return false;
    };
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let letters = rest[digits..].iter().take_while(|b| b.is_ascii_lowercase()).count();
    let end = rest[digits + letters..].trim_ascii_end();
    rest == b"BOF"
        || rest == b"EOF"
        || digits > 0 && letters == 2 && (end.is_empty() || end.starts_with(b".."))
}

/// JSON whose edits have `loc` and `content`.
fn is_loc_call(lines: &[InputLine<'_>], at: usize) -> bool {
    if !matches!(lines[at].text.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return false;
    }
    let (mut loc, mut content, mut edits) = (false, false, false);
    for line in &lines[at..lines.len().min(at + LOOK)] {
        for word in line.text.split(|&b| b == b'"').skip(1) {
            loc |= word == b"loc";
            content |= word == b"content";
            edits |= word == b"edits";
        }
    }
    loc && content && edits
}

/// How many lines of a JSON text are searched.
const LOOK: usize = 24;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::lines;

    #[test]
    fn operations_are_known_by_name() {
        for (line, now) in [
            ("SWAP 2.=3:", "PUT A.=B:"),
            ("DEL 4", "CUT A.=B"),
            ("INS.POST 4:", "PUT >A:"),
            ("INS.POST.BLK 4:", "PUT >A:"),
            ("PASTE 4", "PUT >A @name"),
            ("replace 2..3:", "PUT A.=B:"),
            ("delete 3", "CUT A.=B"),
            ("insert after 3:", "PUT <A:"),
        ] {
            assert!(operation(line.as_bytes()).is_some_and(|said| said.contains(now)), "{line}");
        }
        for line in ["delete the line", "SWAP the two", "insert coins", "PUT 2:", "replaced 3"] {
            assert_eq!(operation(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn whole_edits_are_known() {
        for (input, known) in [
            ("¶src/a.rs#1a2\n2-3:\n", true),
            ("@@ src/a.rs\n= 3wr..5xa\n~x\n", true),
            ("@@ class A\n-x\n+y\n", false),
            ("{\"path\": \"a\", \"edits\": [{\"loc\": {\"append\": \"3#XQ\"}, \"content\": \"x\"}]}\n", true),
            ("{\"loc\": 1}\n", false),
            ("¶ a sign\n", false),
        ] {
            assert_eq!(starts(&lines(input.as_bytes()), 0).is_some(), known, "{input}");
        }
    }
}
