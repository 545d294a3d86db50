//! A path out of a line: a line that is a name, a sentence that mentions one, a fence's info string, a
//! comment. Only the words are looked at; whether such a file exists is not known here.

use std::borrow::Cow;

use bstr::ByteSlice;

use crate::edit::{Name, Reading};

mod words;

mod mention;

pub use mention::{Mention, mentions};
use words::{is_bare_name, is_command, is_product, is_sentence_word, known_extension};

/// Longer lines are prose.
const MAX_LINE: usize = 400;
const MAX_PATH: usize = 250;

/// What the words beside a name say about the text that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The file.
    File,
    /// A part of it: not a whole file, but a block may still edit it.
    Excerpt,
    /// Shown only; the reply says that nothing changes.
    Unchanged,
}

/// A name and what stood beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<'i> {
    pub path: Cow<'i, [u8]>,
    pub role: Role,
    /// Set off as a name: heading, bold, backticks, quotes, a label.
    pub marked: bool,
    pub heading: bool,
    /// It stands behind a list mark.
    pub listed: bool,
    /// How else the line may be read.
    also: Vec<Reading<'i>>,
}

impl<'i> Named<'i> {
    pub fn name(self) -> Name<'i> {
        Name::plain(self.path).also(self.also)
    }
}

/// How a text was set off so far.
#[derive(Clone, Copy, Default)]
struct Marks {
    heading: bool,
    bold: bool,
    code: bool,
    label: bool,
    listed: bool,
}

impl Marks {
    fn any(self) -> bool {
        self.heading || self.bold || self.code || self.label
    }
}

/// The path that this line is, all decoration taken off; `None` if it is anything but a name.
pub fn line(line: &[u8]) -> Option<Named<'_>> {
    if line.len() > MAX_LINE {
        return None;
    }
    let mut marks = Marks::default();
    let text = strip_ends(line, &mut marks);
    // What is quoted is the name, parentheses included.
    let (text, remark) = if marks.code { (text, None) } else { cut_remark(text) };
    let text = strip_ends(text, &mut marks);
    let (path, part, mut also) = read(text, marks)?;
    if let tight @ [b'#', ..] = line.trim_ascii()
        && !tight.contains(&b' ')
    {
        also.push(Reading::First(Cow::Borrowed(tight)));
    }
    let role = if part { Role::Excerpt } else { remark.map_or(Role::File, role_of) };
    Some(Named {
        path,
        role,
        also,
        marked: marks.any(),
        heading: marks.heading || marks.bold,
        listed: marks.listed,
    })
}

/// The name that `text` is, whether that is a part of a file, and how else it may be read.
fn read(text: &[u8], marks: Marks) -> Option<(Cow<'_, [u8]>, bool, Vec<Reading<'_>>)> {
    let bare = undecorated(text).filter(|bare| extension(bare.name).is_some_and(known_extension));
    let bare = bare.filter(|bare| is_path(bare.name, true, marks.code));
    let Some(path) = accept(text, marks) else {
        let bare = bare?;
        let also = vec![Reading::Bare(Cow::Borrowed(bare.name)), Reading::Existing];
        return Some((Cow::Borrowed(text), bare.part, also));
    };
    let part = bare.as_ref().is_some_and(|bare| bare.part);
    let mut also: Vec<_> = bare.map(|bare| Reading::Bare(Cow::Borrowed(bare.name))).into_iter().collect();
    if text.contains(&b' ') && !(marks.code || marks.label) {
        also.push(Reading::Existing);
    }
    Some((path, part, also))
}

/// A name without what mentions and links add to it.
#[derive(Debug, PartialEq, Eq)]
struct Bare<'i> {
    name: &'i [u8],
    /// The addition points at a part of the file.
    part: bool,
}

/// Cuts `@n.txt`, `/n.txt`, `<n.txt>`, `file://n.txt`, `n.txt:12`, `n.txt#L2` and `n.txt::f` to the name.
fn undecorated(text: &[u8]) -> Option<Bare<'_>> {
    let link = || text.strip_prefix(b"file://");
    let angles = || text.strip_prefix(b"<")?.strip_suffix(b">");
    let rooted = || text.strip_prefix(b"/").filter(|rest| !rest.contains(&b'/'));
    let whole = link().or_else(angles).or_else(rooted).or_else(|| text.strip_prefix(b"@"));
    if let Some(name) = whole {
        return Some(Bare { name, part: false });
    }
    let numbers = |rest: &[u8]| {
        rest.iter().any(u8::is_ascii_digit)
            && rest.iter().all(|b| b.is_ascii_digit() || matches!(b, b':' | b'-' | b',' | b'L'))
    };
    let (name, rest) = text.split_once_str(":").or_else(|| text.split_once_str("#"))?;
    let item = |rest: &[u8]| {
        rest.strip_prefix(b":").is_some_and(|item| {
            !item.is_empty()
                && item
                    .iter()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.' | b'(' | b')'))
        })
    };
    (numbers(rest) || item(rest)).then_some(Bare { name, part: true })
}

/// Takes decoration off both ends until none is left. What stands in quotes is taken as it is.
fn strip_ends<'i>(line: &'i [u8], marks: &mut Marks) -> &'i [u8] {
    let mut text = line.trim_ascii();
    for _ in 0..12 {
        if marks.code {
            break;
        }
        let before = text;
        text = strip_heading(text, marks);
        text = strip_list_mark(text, marks);
        text = strip_comment(text);
        text = strip_label(text, marks);
        text = strip_pairs(text, marks);
        text = text.strip_suffix(b":").unwrap_or(text).trim_ascii();
        if text.len() == before.len() {
            break;
        }
    }
    text
}

fn strip_heading<'i>(text: &'i [u8], marks: &mut Marks) -> &'i [u8] {
    let rest = text.trim_start_with(|c| c == '#');
    marks.heading |= rest.len() < text.len();
    rest.trim_end_with(|c| c == '#').trim_ascii()
}

fn strip_list_mark<'i>(text: &'i [u8], marks: &mut Marks) -> &'i [u8] {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = match &text[digits..] {
        [b'-' | b'*' | b'+', b' ', rest @ ..] if digits == 0 => rest,
        [b'.' | b')', b' ', rest @ ..] if (1..4).contains(&digits) => rest,
        _ => return text,
    };
    marks.listed = true;
    rest.trim_ascii()
}

/// Comment marks around a whole text.
fn strip_comment(text: &[u8]) -> &[u8] {
    let paired = |open: &[u8], close: &[u8]| text.strip_prefix(open)?.strip_suffix(close);
    let inner = paired(b"<!--", b"-->").or_else(|| paired(b"/*", b"*/"));
    let inner = inner.or_else(|| text.strip_prefix(b"// ")).or_else(|| text.strip_prefix(b"-- "));
    inner.map_or(text, |inner| inner.trim_ascii())
}

/// Words that introduce a path when a colon follows them.
const LABELS: &[&str] = &[
    "file",
    "filename",
    "file name",
    "filepath",
    "file path",
    "path",
    "new file",
    "updated file",
    "modified file",
    "update file",
    "create file",
    "edit file",
    "add file",
    "target file",
];

fn strip_label<'i>(text: &'i [u8], marks: &mut Marks) -> &'i [u8] {
    let bold = text.iter().take_while(|&&b| b == b'*').count();
    let Some(colon) = memchr::memchr(b':', text).filter(|&at| at >= bold && at < 40) else { return text };
    let label = text[bold..colon].trim_with(|c| c == '*' || c == ' ');
    let is_link = text[colon + 1..].starts_with(b"//");
    if is_link || !LABELS.iter().any(|known| label.eq_ignore_ascii_case(known.as_bytes())) {
        return text;
    }
    marks.label = true;
    text[colon + 1..].trim_start_with(|c| c == '*').trim_ascii()
}

fn strip_pairs<'i>(text: &'i [u8], marks: &mut Marks) -> &'i [u8] {
    if let [b'`', inner @ .., b'`'] = text {
        let inner = inner.trim_with(|c| c == '`');
        if !inner.contains(&b'`') {
            marks.code = true;
            return inner.trim_ascii();
        }
    }
    if let [quote @ (b'"' | b'\''), inner @ .., end] = text
        && quote == end
        && !inner.contains(quote)
    {
        marks.code = true;
        return inner.trim_ascii();
    }
    if let Some(inner) = link_text(text) {
        return inner.trim_ascii();
    }
    strip_bold(text, marks)
}

/// `**x**`, `*x*`; an underscore is part of a name.
fn strip_bold<'i>(text: &'i [u8], marks: &mut Marks) -> &'i [u8] {
    let inner = text.trim_with(|c| c == '*');
    if inner.len() == text.len() || inner.contains(&b'*') {
        return text;
    }
    marks.bold |= text.starts_with(b"*");
    inner.trim_ascii()
}

/// The text of a Markdown link that is the whole text.
fn link_text(text: &[u8]) -> Option<&[u8]> {
    let (label, target) = text.strip_prefix(b"[")?.split_once_str("](")?;
    let closed = target.find_byte(b')').is_some_and(|at| at + 1 == target.len());
    (closed && !label.contains(&b']')).then_some(label)
}

/// Cuts a remark in parentheses off the end: `src/a.py (new file)`.
fn cut_remark(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let cut = || {
        let inner = text.strip_suffix(b")")?;
        let open = inner.rfind(b" (")?;
        Some((text[..open].trim_ascii(), &inner[open + 2..]))
    };
    cut().map_or((text, None), |(path, remark)| (path, Some(remark)))
}

fn role_of(remark: &[u8]) -> Role {
    let remark = remark.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| remark.contains_str(word));
    if says(&[
        "no change",
        "unchanged",
        "not changed",
        "no modif",
        "reference",
        "as is",
        "original",
        "before",
    ]) || says_state(&remark)
    {
        Role::Unchanged
    } else if says(&["line", "excerpt", "snippet", "partial", "relevant", "section", "example", "part"]) {
        Role::Excerpt
    } else {
        Role::File
    }
}

/// `old`, `current`: what stands in the file now, unless the remark also speaks of what is new.
fn says_state(remark: &[u8]) -> bool {
    let has = |known: &[&str]| {
        remark
            .split(|b| !b.is_ascii_alphabetic())
            .any(|word| known.iter().any(|known| known.as_bytes() == word))
    };
    has(&[
        "old",
        "current",
        "currently",
        "existing",
        "previous",
        "previously",
        "bad",
        "wrong",
        "broken",
        "buggy",
        "now",
    ]) && !has(&["new", "updated", "fixed", "changed", "modified", "replaces", "replacing"])
}

/// Does this line say that its file stays as it is?
pub fn says_unchanged(line: &[u8]) -> bool {
    let line = line.to_ascii_lowercase();
    ["no changes", "no change needed", "unchanged", "not changed", "remains the same", "stays the same"]
        .iter()
        .any(|words| line.contains_str(words))
}

/// The path in `text`, if it can be one.
fn accept(text: &[u8], marks: Marks) -> Option<Cow<'_, [u8]>> {
    let plain = unescape(text, marks.code);
    (is_path(&plain, marks.code || marks.label, marks.code || marks.label)
        && (marks.code || !is_product(&plain)))
    .then_some(plain)
}

/// Markdown escapes underscores; inside backticks a back-slash is itself.
fn unescape(text: &[u8], code: bool) -> Cow<'_, [u8]> {
    if code || !text.contains(&b'\\') { Cow::Borrowed(text) } else { Cow::Owned(text.replace("\\_", "_")) }
}

/// Can `text` be a path? `sure`: it was set off as code or labelled as a file. `whole`: it was set off as one
/// text, whatever its words are.
fn is_path(text: &[u8], sure: bool, whole: bool) -> bool {
    let fits =
        !text.is_empty() && text.len() <= MAX_PATH && !(text.contains(&b':') && text.contains_str("://"));
    if !fits || !text.iter().any(|b| b.is_ascii_alphanumeric() || *b >= 0x80) {
        return false;
    }
    let foreign = |b: &u8| {
        b.is_ascii_control() || matches!(b, b'<' | b'>' | b'|' | b'"' | b'?' | b'*' | b'`' | b';' | b'=')
    };
    let last = text[text.len() - 1];
    if text.iter().any(foreign)
        || matches!(last, b'.' | b',' | b'!' | b':' | b')' | b'/' | b'\\')
        || text[0] == b'-'
    {
        return false;
    }
    if text.contains(&b' ') { is_spaced_path(text, whole) } else { is_word_path(text, sure) }
}

/// `a (1).txt`: a second file of one name.
fn is_copy(text: &[u8]) -> bool {
    let number = || text.rsplit_once_str(" (")?.1.split_once_str(").");
    number().is_some_and(|(number, _)| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}

/// A path with blanks in it: an extension, no command, no second name, and no word that makes it a
/// sentence unless it is set off as a `whole`.
fn is_spaced_path(text: &[u8], whole: bool) -> bool {
    let words = || text.split_str(" ");
    let first = words().next().unwrap_or_default();
    let plain = |word: &[u8]| {
        !matches!(word.first(), None | Some(b'-')) && !word.ends_with(b",") && !word.ends_with(b":")
    };
    let is_name = |word: &[u8]| extension(word).is_some_and(known_extension);
    is_name(base_name(text))
        && words().all(|word| plain(word) && (whole || is_copy(text) || !is_sentence_word(word)))
        && words().filter(|word| is_name(word)).count() == 1
        && (!is_command(first) || text.contains(&b'/') && !is_sentence_word(first))
        && words().count() <= 6
}

fn is_word_path(text: &[u8], sure: bool) -> bool {
    let base = base_name(text);
    if is_bare_name(base) {
        return true;
    }
    if base.len() < text.len() {
        return sure || text.split(|&b| b == b'/' || b == b'\\').any(|part| part.len() > 1 && part != b"..");
    }
    if text.contains(&b'(') || text.contains(&b'[') {
        return false;
    }
    match extension(base) {
        Some(ext) => {
            ext.iter().any(u8::is_ascii_alphabetic) && (ext.len() > 1 || known_extension(ext)) || sure
        }
        None => sure,
    }
}

pub fn base_name(path: &[u8]) -> &[u8] {
    let from = path.iter().rposition(|&b| b == b'/' || b == b'\\').map_or(0, |at| at + 1);
    &path[from..]
}

/// What follows the last dot, if it is short and plain.
pub fn extension(path: &[u8]) -> Option<&[u8]> {
    let base = base_name(path);
    let ext = &base[base.rfind_byte(b'.')? + 1..];
    let plain = ext.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    (plain && (1..=16).contains(&ext.len())).then_some(ext)
}

/// A file that is known by its bare name and holds code (`Makefile`), not prose (`README`).
pub fn is_build_file(path: &[u8]) -> bool {
    let base = base_name(path);
    is_bare_name(base) && !(base.len() > 5 && base.iter().all(u8::is_ascii_uppercase))
}

/// Can a word alone on its line be the name of a file, though it has no extension? Words of prose and names
/// of languages are none.
pub fn is_lone_name(word: &[u8]) -> bool {
    let lower = word.iter().all(|b| !b.is_ascii_uppercase()) && word.iter().any(u8::is_ascii_lowercase);
    (lower || word.ends_with(b"file"))
        && (word == b"run" || !words::is_sentence_word(word))
        && !is_command(word)
        && !known_extension(word)
        && !words::is_caption(word)
}

/// What a fence's info string says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info<'i> {
    /// In small letters; empty if there is none.
    pub language: String,
    pub path: Option<Name<'i>>,
    /// `12:40:src/a.ts`: existing lines are quoted, not changed.
    pub citation: bool,
}

/// Reads an info string: `rust src/a.rs`, `src/app.py`, `python:src/x.py`, `js title="a.js"`.
pub fn info(info: &[u8]) -> Info<'_> {
    let mut words = blank_separated(info);
    let Some(first) = words.next() else { return Info::default() };
    if is_citation(first) {
        return Info { citation: true, ..Info::default() };
    }
    if let Some(path) = attribute(info) {
        return Info { language: language(first), path: path.map(Name::plain), citation: false };
    }
    if let Some((lang, path)) = first.split_once_str(":")
        && lang.iter().all(u8::is_ascii_alphanumeric)
        && !lang.is_empty()
        && is_path(path, true, false)
    {
        return Info { language: language(lang), path: Some(Name::plain(path)), citation: false };
    }
    if is_info_path(first) {
        return Info {
            language: String::new(),
            path: Some(Name::plain(unescape(first, false))),
            citation: false,
        };
    }
    let next = words.find(|word| !matches!(*word, b"#" | b"//" | b"-" | b":"));
    let path = next.map(|word| word.trim_with(|c| "()`\"'*".contains(c))).filter(|word| is_info_path(word));
    // `my file.txt` may as well be a name.
    let longer = || Reading::Longer(Cow::Borrowed(info.trim_ascii()));
    let path = path.map(|path| Name::plain(unescape(path, false)).also([longer()]));
    Info { language: language(first), path, citation: false }
}

/// A word of an info string that is a path and no language (`asp.net`).
fn is_info_path(word: &[u8]) -> bool {
    let named = word.contains(&b'/') || extension(word).is_some_and(known_extension) || is_bare_name(word);
    named && is_path(word, false, false) && !is_product(word)
}

fn is_citation(word: &[u8]) -> bool {
    let mut parts = word.splitn_str(3, ":");
    let mut number =
        || parts.next().is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit));
    number() && number()
}

/// The value of `title=`, `file=` or the like, if it is a path; a file's may be anything else only by mistake.
fn attribute(info: &[u8]) -> Option<Option<&[u8]>> {
    for key in ["title=", "filename=", "file=", "path=", "name="] {
        let Some(at) = info.find(key) else { continue };
        let value = &info[at + key.len()..];
        let value = match value.first() {
            Some(&quote @ (b'"' | b'\'')) => {
                value[1..].split_once_str(&[quote]).map_or(&value[1..], |(v, _)| v)
            }
            _ => blank_separated(value).next().unwrap_or_default().trim_end_with(|c| c == '}'),
        };
        if is_path(value, false, true) {
            return Some(Some(value));
        }
        if key.starts_with("file") || key.starts_with("path") {
            return Some(None);
        }
    }
    None
}

fn language(word: &[u8]) -> String {
    let word = word.trim_start_with(|c| c == '{' || c == '.');
    let end =
        word.iter().position(|b| !(b.is_ascii_alphanumeric() || b"+#-_".contains(b))).unwrap_or(word.len());
    String::from_utf8_lossy(&word[..end]).to_ascii_lowercase()
}

/// The path that a comment on a fence's first line holds: `# File: src/x.py`, `// src/a.rs`.
pub fn comment(line: &[u8]) -> Option<Cow<'_, [u8]>> {
    let text = line.trim_ascii();
    if text.len() > MAX_LINE || text.starts_with(b"#!") {
        return None;
    }
    let paired = |open: &[u8], close: &[u8]| text.strip_prefix(open)?.strip_suffix(close);
    let inner = paired(b"<!--", b"-->")
        .or_else(|| paired(b"/*", b"*/"))
        .or_else(|| ["//", "#", "--", ";", "%"].iter().find_map(|mark| text.strip_prefix(mark.as_bytes())))?;
    let mut marks = Marks::default();
    let path = strip_label(inner.trim_ascii(), &mut marks);
    let path = strip_pairs(path, &mut marks);
    let certain = marks.label || extension(path).is_some_and(known_extension);
    (certain && !path.contains(&b' ')).then(|| accept(path, marks)).flatten()
}

/// The words of a line.
fn blank_separated(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.fields_with(|c| c.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Option<(String, Role)> {
        line(text.as_bytes()).map(|n| (String::from_utf8_lossy(&n.path).into_owned(), n.role))
    }

    #[test]
    fn a_link_that_stops_is_no_link() {
        for text in ["[src/a.py](", "[src/a.py](x", "[a](b)c", "[](", "[]()"] {
            assert!(link_text(text.as_bytes()).is_none_or(|label| label.is_empty()), "{text}");
        }
        assert_eq!(link_text(b"[src/a.py](b)"), Some(&b"src/a.py"[..]));
    }

    #[test]
    fn lines_that_are_names() {
        for (text, path) in [
            ("src/app.py", "src/app.py"),
            ("**src/app.py**", "src/app.py"),
            ("**`src/app.py`**:", "src/app.py"),
            ("`src/app.py`:", "src/app.py"),
            ("### 1. `src/a.ts`", "src/a.ts"),
            ("# src/util.py", "src/util.py"),
            ("- main.c", "main.c"),
            ("2) main.c:", "main.c"),
            ("File: src/x.py", "src/x.py"),
            ("**File:** `Makefile`", "Makefile"),
            ("**File: src/x.py**", "src/x.py"),
            ("\"my docs/c.txt\"", "my docs/c.txt"),
            ("my dir/f.txt", "my dir/f.txt"),
            ("[src/a.py](src/a.py)", "src/a.py"),
            ("lib/\\_\\_init\\_\\_.py", "lib/__init__.py"),
            ("src/__init__.py", "src/__init__.py"),
            ("src\\app.py", "src\\app.py"),
            ("src/a.py (new file)", "src/a.py"),
            ("// src/a.rs", "src/a.rs"),
            ("<!-- web/index.html -->", "web/index.html"),
            ("app/(group)/[id].tsx", "app/(group)/[id].tsx"),
            (".gitignore", ".gitignore"),
            ("/tmp/x.py", "/tmp/x.py"),
            ("../evil.py", "../evil.py"),
            ("Dockerfile", "Dockerfile"),
            ("my file.txt", "my file.txt"),
            ("`new file.txt`", "new file.txt"),
            ("`a (1).txt`", "a (1).txt"),
            ("a (1).txt", "a (1).txt"),
            ("`#a.txt`", "#a.txt"),
            ("`run`", "run"),
            ("bin/run", "bin/run"),
        ] {
            assert_eq!(named(text), Some((path.to_owned(), Role::File)), "{text}");
        }
    }

    #[test]
    fn lines_that_are_none() {
        for text in [
            "",
            "...",
            "Here is the file:",
            "Here is src/main.py",
            "python src/app.py",
            "Done.",
            "Before",
            "**Note**",
            "Version 2.0",
            "v1.2",
            "https://a.b/c.py",
            "## Node.js",
            "a.py and b.py",
            "e.g.",
            "foo.bar()",
            "--flag",
            "I multiply by the count.",
            "x = a.b",
            "src/",
            "N/A",
            "1. First",
            "<div>",
            "- a.py: the main module",
            "Fixed a.py",
            "`python a.py`",
            "a.py b.py",
            "12:30",
            "std::fs",
            "<div>",
        ] {
            assert_eq!(named(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_added_to_a_name_is_cut_only_as_another_reading() {
        for (text, bare) in [
            ("n.txt:12", Some("n.txt")),
            ("n.txt:12-20:", Some("n.txt")),
            ("<n.txt>", Some("n.txt")),
            ("n.txt#L2", Some("n.txt")),
            ("n.rs::f", Some("n.rs")),
            ("file://src/n.txt", Some("src/n.txt")),
            ("/n.txt", Some("n.txt")),
            ("@n.txt", Some("n.txt")),
            ("n.txt", None),
        ] {
            let named = line(text.as_bytes()).expect(text);
            let found = named.also.iter().find_map(|also| match also {
                Reading::Bare(text) => Some(text.to_str_lossy()),
                _ => None,
            });
            assert_eq!(
                (named.path.to_str_lossy(), found.as_deref()),
                (text.trim_end_matches(':').into(), bare)
            );
        }
    }

    #[test]
    fn remarks_say_what_follows() {
        for (text, role) in [
            ("layout.svelte (no changes needed)", Role::Unchanged),
            ("`a.py` (unchanged):", Role::Unchanged),
            ("a.py (lines 10-20)", Role::Excerpt),
            ("a.py:12", Role::Excerpt),
            ("a.py::f", Role::Excerpt),
            ("`a.py:12`:", Role::Excerpt),
            ("`a.py` (old)", Role::Unchanged),
            ("a.py (new, the old one is gone)", Role::File),
            ("a.py (in folder x)", Role::File),
            ("**a.py (updated)**", Role::File),
        ] {
            assert_eq!(named(text).map(|n| n.1), Some(role), "{text}");
        }
    }

    #[test]
    fn sentences_mention() {
        for (text, paths) in [
            ("Updated `a.ts`", vec!["a.ts"]),
            ("And here is **`b.txt`**:", vec!["b.txt"]),
            ("Change `os.path` in main.py and `main.py`.", vec!["main.py"]),
            ("`a.py` and `src/b.py`", vec!["a.py", "src/b.py"]),
            ("either and/or both", vec![]),
            ("Node.js is used", vec![]),
        ] {
            let found = mentions(text.as_bytes());
            let found: Vec<_> = found.iter().map(|m| String::from_utf8_lossy(&m.path).into_owned()).collect();
            assert_eq!(found, paths, "{text}");
        }
    }

    #[test]
    fn info_strings() {
        for (text, language, path) in [
            ("", "", None),
            ("python", "python", None),
            ("rust src/a.rs", "rust", Some("src/a.rs")),
            ("src/app.py", "", Some("src/app.py")),
            ("python:src/x.py", "python", Some("src/x.py")),
            ("js title=\"src/a.js\"", "js", Some("src/a.js")),
            ("ts {title=\"a.ts\" lines}", "ts", Some("a.ts")),
            ("rust,ignore", "rust", None),
            ("c++", "c++", None),
            ("asp.net", "asp", None),
            ("python (src/x.py)", "python", Some("src/x.py")),
            ("js // src/a.js", "js", Some("src/a.js")),
            ("console python src/app.py", "console", None),
            ("12:40:src/a.ts", "", None),
        ] {
            let found = info(text.as_bytes());
            let found_path = found.path.as_ref().map(|p| String::from_utf8_lossy(&p.text).into_owned());
            assert_eq!((found.language.as_str(), found_path.as_deref()), (language, path), "{text}");
        }
        assert!(info(b"12:40:src/a.ts").citation);
    }

    #[test]
    fn comments_on_the_first_line() {
        for (text, path) in [
            ("# File: src/x.py", Some("src/x.py")),
            ("// src/a.rs", Some("src/a.rs")),
            ("/* a.css */", Some("a.css")),
            ("<!-- index.html -->", Some("index.html")),
            ("-- schema.sql", Some("schema.sql")),
            ("#!/bin/sh", None),
            ("# e.g. main.py", None),
            ("# Python 3.10", None),
            ("import a.py", None),
        ] {
            let found = comment(text.as_bytes()).map(|p| String::from_utf8_lossy(&p).into_owned());
            assert_eq!(found.as_deref(), path, "{text}");
        }
    }
}
