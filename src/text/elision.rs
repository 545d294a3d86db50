//! Elision comments: `// ... existing code ...` and its kin, by which a model stands for lines that it
//! did not write out. They are never written into a file that did not hold them.
//!
//! A comment counts if its *form* stands for left-out code: dots on both sides of it, or dots or
//! brackets and a phrase that speaks of code being kept, or such a phrase alone. An ordinary comment that
//! merely trails off (`# waiting ...`) is none.

use super::{is_blank, view};

/// Longer lines are no elision: nobody writes an essay for code that is left out.
const MAX_LEN: usize = 200;
const MAX_WORDS: usize = 14;

/// A line that stands for lines left out, in any comment style.
pub fn is_elision(line: &[u8]) -> bool {
    if !may_be_any(line) || is_blank(line) {
        return false;
    }
    let folded = view::fold(line);
    let Ok(text) = std::str::from_utf8(&folded) else { return false };
    if text.is_ascii() {
        return says_elision(text.trim());
    }
    says_elision(&text.trim().replace(['\u{22ee}', '\u{fe19}', '\u{22ef}'], "..."))
}

/// Quick, for all lines of a file: false if no form of elision can be in the line.
pub fn may_be_any(line: &[u8]) -> bool {
    line.len() <= MAX_LEN
        && (!line.is_ascii() || begins_comment(line) || may_be_wrapped(line) || holds_dots(line))
}

/// Quick: an elision without dots, all in ASCII, begins so.
pub fn may_begin_elision(line: &[u8]) -> bool {
    begins_comment(line) || view::trim_start(line).first() == Some(&b'[')
}

/// Quick, for all lines that an edit adds: true if no form of elision can be in the line, nor what may be one.
pub fn is_plain(line: &[u8]) -> bool {
    line.is_ascii()
        && !begins_comment(line)
        && !may_be_wrapped(line)
        && memchr::memchr2(b'#', b'/', line).is_none()
        && !holds_dots(line)
}

/// Quick: the line begins as a comment may, or is not plain ASCII.
fn may_be_comment(line: &[u8]) -> bool {
    begins_comment(line) || !line.is_ascii()
}

fn begins_comment(line: &[u8]) -> bool {
    let first = view::trim_start(line).first();
    let begins = |b: &u8| {
        matches!(b, b'{' | b'/' | b'<' | b'(' | b'#' | b'-' | b';' | b'%' | b'R' | b'\'' | b'"' | b'!' | b'*')
            || matches!(b, 0x0b | 0x0c | b'\r')
    };
    first.is_some_and(begins)
}

/// Quick: three dots stand in the line, or it is not plain ASCII.
fn may_hold_dots(line: &[u8]) -> bool {
    holds_dots(line) || !line.is_ascii()
}

/// Every third byte is looked at: three dots in a row leave none out.
fn holds_dots(line: &[u8]) -> bool {
    let dots = |at: usize| line[at.saturating_sub(2)..line.len().min(at + 3)].windows(3).any(|w| w == b"...");
    (2..line.len()).step_by(3).any(|at| line[at] == b'.' && dots(at))
}

fn says_elision(text: &str) -> bool {
    match inside_comment(text) {
        Some(inner) => Phrase::new(inner).is_elision_comment(),
        None => text.contains("...") && is_bare_elision(text) || is_wrapped_elision(text),
    }
}

/// Without comment mark and dots: `<rest of file>`, `(the rest of the file is unchanged)`.
fn is_wrapped_elision(text: &str) -> bool {
    may_be_wrapped(text.as_bytes()) && {
        let phrase = Phrase::new(text);
        phrase.wrapped && (phrase.stands_alone() || phrase.all_known() && phrase.says_rest())
    }
}

fn may_be_wrapped(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    matches!(
        (line.first(), line.last()),
        (Some(b'('), Some(b')')) | (Some(b'['), Some(b']')) | (Some(b'<'), Some(b'>'))
    )
}

/// A line that may stand for lines left out and may be an ordinary comment: `# unchanged`,
/// `# same as before`, `int f() { /* ... */ }`. What it is must be told from the lines that go.
pub fn may_be_elision(line: &[u8]) -> bool {
    may_be(line, may_end_in_elision)
}

/// The like that the whole line is, without code before it.
pub fn may_be_elision_line(line: &[u8]) -> bool {
    may_be(line, |_| false)
}

fn may_be(line: &[u8], behind_code: impl Fn(&str) -> bool) -> bool {
    if line.len() > MAX_LEN || is_blank(line) {
        return false;
    }
    let comment = may_be_comment(line) || may_be_wrapped(line);
    if !comment && !may_hold_comment(line) {
        return false;
    }
    let folded = view::fold(line);
    let Ok(text) = std::str::from_utf8(&folded) else { return false };
    let text = text.trim();
    match inside_comment(text) {
        Some(inner) => Phrase::new(inner).may_be_elision_comment(),
        None => text == "[...]" || !line.is_ascii() && text == "..." || behind_code(text),
    }
}

/// Quick: a comment may begin behind code.
fn may_hold_comment(line: &[u8]) -> bool {
    memchr::memchr2_iter(b'#', b'/', line)
        .any(|at| line[at] == b'#' || matches!(line.get(at + 1), Some(b'/' | b'*')))
}

/// A body that is nothing but a comment, or code with dots and talk of code that is kept behind it.
fn may_end_in_elision(text: &str) -> bool {
    let Some((code, inner)) = comment_behind(text) else { return false };
    let phrase = Phrase::new(inner);
    if phrase.heading || phrase.words.len() > MAX_WORDS {
        return false;
    }
    let code = code.trim_end().trim_end_matches(';');
    let opens = code.ends_with('{') || matches!(code, "pass" | "..." | "return" | "{");
    if phrase.words.is_empty() {
        return opens && phrase.lead && code.ends_with('{');
    }
    if opens {
        return phrase.may_be_elision_comment();
    }
    phrase.lead && phrase.words.len() >= 2 && phrase.speaks_of_kept_code()
}

/// Code and what stands in the comment behind it.
fn comment_behind(text: &str) -> Option<(&str, &str)> {
    let marks = [("/*", "*/"), ("//", ""), ("#", "")];
    marks.iter().find_map(|(open, close)| {
        let at = text.find(open).filter(|&at| at > 0)?;
        let (code, inner) = (&text[..at], &text[at + open.len()..]);
        let inner = if close.is_empty() { inner } else { inner.split_once(close)?.0 };
        code.ends_with([' ', '\t', '{', '(', ';', ',', '>']).then_some((code, inner))
    })
}

/// Code with an elision behind it or inside it: `{ /* ... existing code ... */ }`. Only what is framed by dots
/// and speaks of code that is kept.
pub fn ends_in_elision(line: &[u8]) -> bool {
    if line.len() > MAX_LEN || !may_hold_dots(line) {
        return false;
    }
    let folded = view::fold(line);
    let Ok(text) = std::str::from_utf8(&folded) else { return false };
    if !text.contains("...") {
        return false;
    }
    [("/*", "*/"), ("<!--", "-->"), ("//", ""), ("#", "")].iter().any(|(open, close)| {
        let Some(at) = text.rfind(open).filter(|&at| at > 0) else { return false };
        let inner = &text[at + open.len()..];
        let inner = if close.is_empty() { Some(inner) } else { inner.split_once(close).map(|cut| cut.0) };
        let apart = text[..at].ends_with([' ', '\t', '{', '(', ';', ',', '>']);
        inner.filter(|_| apart).is_some_and(|inner| {
            let phrase = Phrase::new(inner);
            phrase.lead && phrase.trail && phrase.words.len() >= 2 && phrase.speaks_of_kept_code()
        })
    })
}

/// A line of nothing but three dots or more.
pub fn is_dots(line: &[u8]) -> bool {
    let folded = view::typography(line);
    let line = view::trim_start(&folded);
    line.len() >= 3 && line.iter().all(|&b| b == b'.')
}

/// Comment marks with a closing half.
const PAIRED: [(&str, &str); 9] = [
    ("{/*", "*/}"),
    ("/*", "*/"),
    ("<!--", "-->"),
    ("<%--", "--%>"),
    ("{{!--", "--}}"),
    ("{{!", "}}"),
    ("{#", "#}"),
    ("(*", "*)"),
    ("{-", "-}"),
];

/// Comment marks up to the end of the line; the mark may be repeated (`##`, `;;`).
const LEADERS: [&str; 9] = ["//", "#", "--", ";", "%", "REM", "'", "\"", "!"];

/// What stands in the comment that the whole line is; `None` if the line is no comment.
fn inside_comment(text: &str) -> Option<&str> {
    for (open, close) in PAIRED {
        if let Some(inner) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            return Some(inner.trim());
        }
    }
    LEADERS.iter().find_map(|mark| after_leader(text, mark))
}

fn after_leader<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(mark)?;
    let (rest, tight) = match mark {
        "//" => (rest, true),
        "#" => (rest.trim_start_matches('#'), true),
        ";" | "%" => (rest.trim_start_matches(mark), false),
        "'" | "\"" if rest.ends_with(mark) => return None,
        _ => (rest, false),
    };
    let next = rest.chars().next()?;
    let fits = next.is_whitespace() || tight && (next == '.' || next == '(' || next.is_alphabetic());
    fits.then(|| rest.trim())
}

/// Without a comment mark: `... existing code ...`, `(rest of methods ...)`, `...  # unchanged`.
fn is_bare_elision(text: &str) -> bool {
    if let Some(rest) = text.strip_prefix("...").filter(|rest| rest.starts_with(' '))
        && let Some(inner) = inside_comment(rest.trim())
    {
        return Phrase::new(inner).is_elision_comment();
    }
    let star = text.strip_prefix("* ").unwrap_or(text);
    let phrase = Phrase::new(star);
    let framed = phrase.lead && phrase.trail || phrase.wrapped && (phrase.lead || phrase.trail);
    framed && phrase.words.len() >= 2 && phrase.speaks_of_kept_code()
}

/// A comment's words and the dots and brackets around them.
struct Phrase {
    lead: bool,
    trail: bool,
    wrapped: bool,
    heading: bool,
    words: Vec<String>,
}

impl Phrase {
    fn new(text: &str) -> Phrase {
        let mut core = text.trim();
        let (mut lead, mut trail, mut wrapped) = (false, false, false);
        let heading = core.ends_with(':');
        loop {
            let before = core;
            if let Some(rest) = core.strip_prefix("...") {
                (core, lead) = (rest.trim_start_matches('.'), true);
            }
            if let Some(rest) = core.strip_suffix("...") {
                (core, trail) = (rest.trim_end_matches('.'), true);
            }
            for (open, close) in [('(', ')'), ('[', ']'), ('<', '>'), ('{', '}')] {
                if let Some(inner) = core.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
                    (core, wrapped) = (inner, true);
                }
            }
            core = core.trim_matches(['-', '=', '*', '~', ' ', '\t']).trim_end_matches(['!', ':']);
            if core == before {
                break;
            }
        }
        Phrase { lead, trail, wrapped, heading, words: words(core.trim_end_matches('.')) }
    }

    fn is_elision_comment(&self) -> bool {
        if self.words.is_empty() {
            return self.lead || self.trail;
        }
        if self.heading || self.words.len() > MAX_WORDS {
            return false;
        }
        if self.lead && self.trail {
            return true;
        }
        if self.lead {
            return self.says_unchanged() || !self.goes_on() && self.speaks_of_kept_code();
        }
        if self.trail || self.wrapped {
            return self.all_known() && (self.says_kept() && self.has_subject() || self.is_other_code());
        }
        self.stands_alone()
    }

    /// What an ordinary comment may say as well.
    fn may_be_elision_comment(&self) -> bool {
        if self.is_elision_comment() {
            return true;
        }
        let task = self.words.first().is_some_and(|word| has("todo note fixme", word));
        let words = &self.words[usize::from(task)..];
        if self.heading || words.is_empty() || words.len() > MAX_WORDS {
            return false;
        }
        let said = Phrase { words: words.to_vec(), ..*self };
        let known = said.all_known();
        let short = words.len() <= 6;
        let rest = said.starts("rest remaining remainder");
        known && (rest || said.says_unchanged() || said.says_same() || said.has_pair("no", "changes"))
            || known && said.starts("existing keep") && words.len() >= 2
            || known && said.starts("previous original") && said.any(CODE)
            || known && said.starts("other more") && (said.any(CODE) || said.any(PARTS))
            || short && said.starts("rest") && said.has_pair("rest", "of")
            || words == ["and", "so", "on"]
            || words == ["code", "continues"]
    }

    fn says_same(&self) -> bool {
        self.as_before()
            || self.has_pair("same", "as")
            || matches!(&self.words[..], [word] if has("same identical ditto", word))
    }

    /// `as before`, `as is`
    fn as_before(&self) -> bool {
        ["is", "was", "before", "above"].iter().any(|end| self.has_pair("as", end))
    }

    /// Starts as the rest of a sentence that began on the line before.
    fn goes_on(&self) -> bool {
        const CONJUNCTIONS: &str = "and or but then so which because if when unless as to";
        self.words.first().is_some_and(|word| has(CONJUNCTIONS, word))
    }

    fn any(&self, list: &str) -> bool {
        self.words.iter().any(|word| has(list, word))
    }

    fn all_known(&self) -> bool {
        self.words
            .iter()
            .all(|word| [CHANGELESS, KEPT, CODE, PARTS, SMALL].iter().any(|list| has(list, word)))
    }

    fn starts(&self, list: &str) -> bool {
        let word = self.words.iter().find(|word| !has("the all your our of my", word));
        word.is_some_and(|word| has(list, word))
    }

    /// `value5 and value6 unchanged`: whatever it is, it is said not to change.
    fn says_unchanged(&self) -> bool {
        let at = self.words.iter().rposition(|word| has(CHANGELESS, word));
        at.is_some_and(|at| self.words[at + 1..].iter().all(|word| has(SMALL, word) || has(KEPT, word)))
    }

    /// Something is kept: said as a verb, an adjective or `the rest`.
    fn says_kept(&self) -> bool {
        self.any(CHANGELESS)
            || self.starts("existing rest remaining remainder keep previous same")
            || self.has_pair("the", "same")
            || self.has_pair("no", "changes")
    }

    fn has_subject(&self) -> bool {
        self.words.len() == 1 && self.any(CHANGELESS)
            || self.starts("rest remaining") && self.as_before()
            || self.any(CODE)
            || self.any(PARTS)
            || self.any("changes before brevity")
    }

    /// `other methods ...`
    fn is_other_code(&self) -> bool {
        self.any(CODE) && self.starts("other more")
    }

    fn has_pair(&self, first: &str, second: &str) -> bool {
        self.words.windows(2).any(|pair| pair[0] == first && pair[1] == second)
    }

    /// Every word belongs to the talk about code that is kept, and one carries it.
    fn speaks_of_kept_code(&self) -> bool {
        self.all_known() && (self.any(CHANGELESS) || self.any(KEPT) || self.any(CODE) || self.any(PARTS))
    }

    /// Without dots or brackets: only what can be said of nothing but code that is left out.
    fn stands_alone(&self) -> bool {
        if let [word] = &self.words[..] {
            return has("omitted elided snip snipped truncated", word);
        }
        if !self.all_known() || self.words.is_empty() {
            return false;
        }
        let whole = self.any("code file") && self.starts("rest remaining remainder");
        let rest_of = self.has_pair("rest", "of") && self.any(CODE);
        let existing = self.starts("existing keep") && self.any("existing") && self.any(CODE);
        let brevity = self.any("omitted elided truncated") && self.any("brevity clarity");
        let said = self.says_unchanged() || self.has_pair("the", "same") || self.as_before();
        whole
            || rest_of
            || existing
            || brevity
            || said && (self.any(CODE) || self.says_rest() || self.starts("rest remaining remainder"))
    }

    fn says_rest(&self) -> bool {
        self.starts("rest remaining remainder") && (self.any(CODE) || self.any(PARTS))
            || self.starts("rest remaining") && self.as_before()
            || self.starts("everything")
    }
}

/// A list is its words with blanks between.
fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Lower-case words; anything that is neither letter, digit nor `_` parts them.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| c.is_ascii() && !(c.is_alphanumeric() || c == '_' || c == '\''))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Said of code that stays, whatever the code is.
const CHANGELESS: &str = "unchanged omitted elided untouched unmodified snip snipped truncated unaltered";

/// Said of code that stays, if the other words agree.
const KEPT: &str = "existing rest remaining remainder remain remains other others more previous original \
    keep kept keeps same stay stays before brevity clarity changes unrelated similar identical current \
    everything change changed ditto";

/// Code as a whole, and what a comment about ordinary things seldom names alone.
const CODE: &str = "code method methods function functions import imports implementation implementations \
    logic content contents";

/// Other parts of a file.
const PARTS: &str = "file files body class classes component components module modules line lines test \
    tests field fields prop props property properties member members statement statements definition \
    definitions declaration declarations section sections rule rules style styles script scripts html \
    markup jsx css handler handlers route routes case cases option options setup config configuration \
    constructor block blocks item items entry entries variable variables constant constants type types \
    part parts text document paragraph paragraphs helper helpers loop struct enum interface trait \
    dependencies param params parameters attributes elements columns rows fixtures getters setters \
    utilities state hooks checks branches keys values settings commands steps program";

/// Words that only join the others.
const SMALL: &str = "the of this that these those your our all is are and from in for as with to its it \
    any a an here goes go etc else above below after at be was were not shown no needed up until end \
    start exactly they which have has been left";

#[cfg(test)]
mod tests {
    use super::*;

    const ELISIONS: &[&str] = &[
        "// ... existing code ...",
        "    // ... existing code ...   ",
        "# ... existing methods ...",
        "/* ... */",
        "<!-- ... -->",
        "{/* ... */}",
        "-- ...",
        "; ...",
        "% ...",
        "# ...",
        "// ...",
        "// \u{2026}",
        "// \u{2026} existing code \u{2026}",
        "#... existing code ...",
        "//...",
        "    // ... value5 and value6 unchanged",
        "... keep existing code ...",
        "// ... keep existing code",
        "// rest of the code remains unchanged",
        "# ... rest of the code remains unchanged ...",
        "# Rest of the code remains the same.",
        "# (rest of methods ...)",
        "(rest of methods ...)",
        "    # ... (rest of the function unchanged) ...",
        "        # ... (existing test code remains unchanged)",
        "        # (existing test code remains unchanged)",
        "// (unchanged)",
        "// [existing code]",
        "// <existing code here>",
        "// --- rest of the code ---",
        "// Remaining methods unchanged",
        "// existing imports",
        "# keep existing code",
        "// existing implementation...",
        "# rest of the class...",
        "<!-- rest of the file unchanged -->",
        "{/* ... rest of the component ... */}",
        "/* existing styles ... */",
        "-- ... other columns ...",
        "// ... other methods",
        "# ... imports",
        "// ... 20 lines omitted",
        "// code omitted for brevity",
        "/* omitted for brevity */",
        "// other methods remain the same",
        "// Everything else remains unchanged",
        "// ... previous code",
        "// all other code stays as before",
        "(* ... *)",
        "{{!-- ... existing markup ... --}}",
        "' ... existing code ...",
        "REM ... existing code ...",
        " * ... existing methods ...",
        "- ... existing items ...",
        "## ... rest of the section ...",
        "...  # rest of the method unchanged",
        "// ... handle the other events ...",
        "// (same as before)",
        "// ... no changes ...",
        "# \u{22ee}",
        "// (... existing code ...)",
        "/* omitted */",
        "# omitted",
        "// snip",
        "-- snip --",
        "# --- snip ---",
        "[snip]",
        "# (rest as is)",
        "# rest as is",
        "# rest unchanged",
        "// remainder unchanged",
        "<rest of file>",
        "[rest of the code]",
        "(the rest of the file is unchanged)",
    ];

    const ORDINARY: &[&str] = &[
        "",
        "   ",
        "...",
        "    ...",
        "\u{2026}",
        "# waiting ...",
        "// Loading...",
        "// loading the rest of the data...",
        "# and so on...",
        "// ...and then we return",
        "# ... or None if there is nothing",
        "// ... but the caller may still hold it",
        "# other users ...",
        "// existing users stay",
        "# keep the connection open",
        "// Keep the order that callers rely on.",
        "# unchanged",
        "# same as above",
        "// same as before",
        "# the rest of the arguments are passed through",
        "# rest of the arguments",
        "// remaining attempts",
        "# existing file",
        "# unchanged since v2",
        "// omitted in release builds",
        "# snip the wire",
        "// etc.",
        "// the same as before, but sorted",
        "<rest>",
        "[omit]",
        "(see the rest of the file)",
        "// no changes",
        "// No changes needed",
        "# values omitted here fall back to the defaults",
        "// the file is unchanged on error",
        "# x and y unchanged",
        "    return ...",
        "def f(): ...",
        "    ...args,",
        "  ...rest,",
        "...existing",
        "...other, more",
        "  ...props.rest",
        "#[...]",
        "#[derive(...)]",
        "#include <...>",
        "--existing",
        "--rest ...",
        "'...'",
        "\"...\"",
        "\"... existing code ...\"",
        "foo(); // ... existing code ...",
        "let code = rest;",
        "print(\"rest of the code remains unchanged\")",
        "The rest of the code remains unchanged.",
        "* ...",
        " * ...",
        "/// ...",
        "//! ...",
        "# Existing code:",
        "# Methods",
        "// imports",
        "# tests",
        "// Previous line",
        "# TODO: keep existing code",
        "// more tests...",
        "# fall through to the rest",
        "x = [1, 2, ...]",
        "match (a, ..) {",
        "..",
        "// ..",
    ];

    #[test]
    fn elisions_are_told_from_ordinary_comments() {
        let wrong: Vec<&&str> = ELISIONS
            .iter()
            .filter(|line| !is_elision(line.as_bytes()))
            .chain(ORDINARY.iter().filter(|line| is_elision(line.as_bytes())))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert!(ELISIONS.len() >= 40 && ORDINARY.len() >= 40);
    }

    #[test]
    fn comments_that_may_be_either() {
        for line in [
            "# unchanged",
            "// body unchanged",
            "# same as before",
            "# Same as above.",
            "// no changes here",
            "// No changes needed",
            "-- rest of the query",
            "# TODO: keep the rest",
            "# TODO: keep existing code",
            "# rest of the arguments",
            "// existing file",
            "# original code",
            "# ditto",
            "// and so on",
            "[...]",
            "\u{2026}",
            "int f() { /* ... */ }",
            "void g() { // unchanged",
            "fn h() { /* unchanged */ }",
            "pass  # ... same as before",
            "pass  # unchanged",
            "foo(); // ... same as before",
            "// ... existing code ...",
        ] {
            assert!(may_be_elision(line.as_bytes()), "{line}");
        }
        for line in [
            "",
            "...",
            "# unchanged since v2",
            "// omitted in release builds",
            "# snip the wire",
            "// etc.",
            "# keep the connection open",
            "// remains to be done",
            "# x and y unchanged",
            "// the file is unchanged on error",
            "# the rest of the arguments are passed through to the caller",
            "# Methods",
            "// imports",
            "x = 1  # unchanged",
            "return [...]",
            "f(/* ... */)",
            "pass  # nothing to do",
            "void g() { // first",
            "url = \"http://rest/of\"",
            "#[derive(Debug)]",
        ] {
            assert!(!may_be_elision(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn elisions_behind_code() {
        for line in [
            "function f() { /* ... existing code ... */ }",
            "foo(); // ... existing code ...",
            "x = 1  # ... rest of the method ...",
            "<ul><!-- ... existing items ... --></ul>",
        ] {
            assert!(ends_in_elision(line.as_bytes()), "{line}");
        }
        for line in [
            "foo(); // waiting ...",
            "print(\"// ... existing code ...\")",
            "x = 1  # ...",
            "f(/* ... */)",
            "x // existing code",
            "",
            "#",
        ] {
            assert!(!ends_in_elision(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn any_bytes() {
        assert!(!is_elision(b"// ... \xff ..."));
        assert!(!is_elision(&[b'.'; 4000]));
        assert!(!is_elision("// ... \u{1f600}".as_bytes()));
    }

    #[test]
    fn dots() {
        for line in ["...", "   ....", "\u{2026}", "...  "] {
            assert!(is_dots(line.as_bytes()), "{line:?}");
        }
        for line in ["", "..", "... x", ". . .", "# ..."] {
            assert!(!is_dots(line.as_bytes()), "{line:?}");
        }
    }
}
