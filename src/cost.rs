//! What each format would cost for the same change: characters, estimated tokens, seconds.
//!
//! A model writes a token at a time, so that the length of an edit is the time it takes. Each format is
//! written here as short as it goes: without a fence, a path alone on its line, and two quoted lines above
//! a change, or as many as it takes to name one place.

use serde::Serialize;

use crate::{
    convert::{Context, blocks},
    edit::{Body, Hunk, Tag},
    report::json::Document,
    text::Text,
};

/// How characters become tokens, and tokens seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    pub chars_per_token: f64,
    pub tokens_per_second: f64,
}

impl Default for Rate {
    fn default() -> Rate {
        Rate { chars_per_token: 3.09, tokens_per_second: 12.0 }
    }
}

/// What one format costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Row {
    pub format: &'static str,
    pub chars: usize,
    pub tokens: u64,
    pub seconds: f64,
}

/// What changes would cost, for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    pub files: Vec<Costed>,
}

/// A file and what its change would cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Costed {
    pub path: String,
    /// Lines of the file.
    pub lines: usize,
    /// What is changed, in words.
    pub change: String,
    pub formats: Vec<Row>,
}

impl Document for Report {
    const REPORT: &'static str = "cost";
}

/// A file before and after the change.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'c> {
    pub path: &'c [u8],
    pub before: &'c [u8],
    pub after: &'c [u8],
}

/// The formats and what writes them.
type Writer = fn(&Pair<'_>, &[Hunk<'_>]) -> Vec<u8>;
const WRITERS: [(&str, Writer); 5] = [
    ("whole-file", whole_file),
    ("search-replace", search_replace),
    ("unified", unified),
    ("v4a", v4a),
    ("edit-call", edit_call),
];

/// A change in all formats.
pub fn rows(pair: &Pair<'_>, rate: Rate) -> Vec<Row> {
    let hunks = blocks(pair.before, pair.after, Context { above: 2, below: 0 });
    WRITERS.iter().map(|(format, write)| row(format, chars(&write(pair, &hunks)), rate)).collect()
}

/// Characters as a row of the table.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an estimate of a length"
)]
fn row(format: &'static str, chars: usize, rate: Rate) -> Row {
    let tokens = (chars as f64 / rate.chars_per_token).ceil();
    Row { format, chars, tokens: tokens as u64, seconds: tokens / rate.tokens_per_second }
}

fn chars(text: &[u8]) -> usize {
    String::from_utf8_lossy(text).chars().count()
}

/// A one-line change in the middle of a file, for a file alone: the line is written anew.
pub fn sample(before: &[u8]) -> (usize, Vec<u8>) {
    let text = Text::new(before);
    let middle = text.len() / 2;
    let solid = |at: &usize| !crate::text::is_blank(text.body(*at));
    let at = (middle..text.len()).find(solid).or_else(|| (0..middle).rfind(solid)).unwrap_or(0);
    if text.is_empty() {
        return (1, b"x\n".to_vec());
    }
    let mut after = before.to_vec();
    let last = text.offset(at) + text.body(at).len();
    if let Some(byte) = after[..last].last_mut() {
        *byte = if *byte == b'~' { b'#' } else { b'~' };
    }
    (at + 1, after)
}

fn whole_file(pair: &Pair<'_>, _: &[Hunk<'_>]) -> Vec<u8> {
    [pair.path, b"\n", pair.after].concat()
}

fn search_replace(pair: &Pair<'_>, hunks: &[Hunk<'_>]) -> Vec<u8> {
    let mut out = [pair.path, b"\n"].concat();
    for hunk in hunks {
        out.extend_from_slice(b"<<<<<<< SEARCH\n");
        out.extend(side(hunk.body(), Tag::Add));
        out.extend_from_slice(b"=======\n");
        out.extend(side(hunk.body(), Tag::Remove));
        out.extend_from_slice(b">>>>>>> REPLACE\n");
    }
    out
}

fn unified(pair: &Pair<'_>, hunks: &[Hunk<'_>]) -> Vec<u8> {
    let mut out = [b"--- ", pair.path, b"\n+++ ", pair.path, b"\n"].concat();
    hunks.iter().for_each(|hunk| push_hunk(b"@@ ... @@\n", hunk.body(), &mut out));
    out
}

fn v4a(pair: &Pair<'_>, hunks: &[Hunk<'_>]) -> Vec<u8> {
    let mut out = [&b"*** Begin Patch\n*** Update File: "[..], pair.path, b"\n"].concat();
    hunks.iter().for_each(|hunk| push_hunk(b"@@\n", hunk.body(), &mut out));
    out.extend_from_slice(b"*** End Patch\n");
    out
}

fn edit_call(pair: &Pair<'_>, hunks: &[Hunk<'_>]) -> Vec<u8> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut out = Vec::new();
    for hunk in hunks {
        let call = serde_json::json!({
            "file_path": text(pair.path),
            "old_string": text(&side(hunk.body(), Tag::Add)),
            "new_string": text(&side(hunk.body(), Tag::Remove)),
        });
        out.extend_from_slice(call.to_string().as_bytes());
    }
    out
}

/// The lines of one side: all but those of the other.
fn side(body: &Body<'_>, other: Tag) -> Vec<u8> {
    let lines = body.lines.iter().filter(|line| line.tag != other);
    lines.flat_map(|line| [&line.text[..], b"\n"]).collect::<Vec<_>>().concat()
}

fn push_hunk(at: &[u8], body: &Body<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(at);
    for line in &body.lines {
        let sign: &[u8] = match line.tag {
            Tag::Keep => b" ",
            Tag::Remove => b"-",
            Tag::Add => b"+",
        };
        out.extend_from_slice(&[sign, &line.text, b"\n"].concat());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class of `count` methods.
    fn calc(count: usize) -> String {
        let method = |n: usize| {
            format!("    public int value{n}() {{\n        int x = {n};\n        return x * 2;\n    }}\n\n")
        };
        let methods: String = (1..=count).map(method).collect();
        format!("package app;\n\npublic class Calc {{\n{methods}}}\n")
    }

    fn rows_of(count: usize) -> Vec<Row> {
        let before = calc(count);
        let (old, new) = ("x = 3;\n        return x * 2;", "x = 3;\n        return x * 3;");
        let after = before.replace(old, new);
        let pair = Pair { path: b"src/Calc.java", before: before.as_bytes(), after: after.as_bytes() };
        rows(&pair, Rate::default())
    }

    #[test]
    fn whole_files_grow_and_edits_do_not() {
        for (count, lines, chars, tokens, seconds) in
            [(10, 54, 792, 257, "21.4"), (40, 204, 3_072, 995, "82.9"), (160, 804, 12_314, 3_986, "332.2")]
        {
            assert_eq!(calc(count).lines().count(), lines);
            let rows = rows_of(count);
            let shown = |at: usize| {
                let Row { format, chars, tokens, seconds } = &rows[at];
                (*format, *chars, *tokens, format!("{seconds:.1}"))
            };
            assert_eq!(shown(0), ("whole-file", chars, tokens, seconds.to_owned()));
            assert_eq!(shown(1), ("search-replace", 187, 61, "5.1".to_owned()));
            assert_eq!(shown(2), ("unified", 139, 45, "3.8".to_owned()));
        }
    }

    #[test]
    fn json_escapes_cost() {
        let text = "    int a() {\n        return \"one\".length();\n    }";
        assert_eq!(text.len(), 50);
        assert_eq!(serde_json::to_string(text).expect("a string").len(), 56);
        let pair = Pair { path: b"f", before: b"", after: text.as_bytes() };
        let calls = edit_call(&pair, &blocks(b"", text.as_bytes(), Context { above: 2, below: 0 }));
        assert!(String::from_utf8_lossy(&calls).contains(r#"return \"one\".length();\n"#));
    }

    #[test]
    fn a_file_alone_is_changed_in_its_middle() {
        assert_eq!(sample(b"a\nb\n\nc\n"), (4, b"a\nb\n\n~\n".to_vec()));
        assert_eq!(sample(b"").0, 1);
    }
}
