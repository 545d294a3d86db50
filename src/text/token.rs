//! Tokens of a line: words, operators, quoted strings. Used by the view that ignores runs of white space
//! and by the merge of a changed line.

use std::borrow::Cow;

use super::{is_word, view};

/// A token's bytes in its line: `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub fn of<'l>(&self, line: &'l [u8]) -> &'l [u8] {
        &line[self.start..self.end]
    }
}

/// Operators of several characters, longest first, so that the first that fits is the right one.
const OPERATORS: &[&[u8]] = &[
    b"<!--", b">>>=", b"===", b"!==", b"<=>", b"...", b"..=", b"<<=", b">>=", b">>>", b"**=", b"&&=", b"||=",
    b"??=", b"-->", b"==", b"!=", b"<=", b">=", b"=>", b"->", b"<-", b"::", b":=", b"&&", b"||", b"+=",
    b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"~=", b"<<", b">>", b"++", b"--", b"**", b"//", b"/*",
    b"*/", b"..", b"??", b"?.", b"?:", b"=~", b"!~", b"|>", b"<|", b"<>", b"##", b"@@", b"</", b"/>",
];

/// What an operator has at its second character.
const JOINING: &[u8] = b"=<>-&|+*/.?:#@~!";

/// Words, operators, closed quoted strings (each one token, blanks included), single characters.
/// Typographic characters count as the plain ones that they stand for.
pub fn tokens(line: &[u8]) -> Vec<Token> {
    mapped(line, true)
}

/// [`tokens`] that look into quoted strings: what a merge works on, so that quotes and words of a string
/// can be merged apart.
pub fn fine_tokens(line: &[u8]) -> Vec<Token> {
    mapped(line, false)
}

/// The line's key under the view that ignores runs of white space, also none, and indentation. Two words
/// stay apart, `- -` is not `--`, blanks in a closed quoted string count.
pub fn key(line: &[u8]) -> Vec<u8> {
    let folded = view::fold(line);
    let mut out = Vec::with_capacity(folded.len());
    let mut last_end = 0;
    for token in lex(&folded, true) {
        let text = token.of(&folded);
        if last_end > 0 && token.start > last_end && must_part(folded[last_end - 1], text[0]) {
            out.push(b' ');
        }
        out.extend_from_slice(text);
        last_end = token.end;
    }
    out
}

/// Without a blank between them, the two would read as one word or one operator, or as one selector (`a .b` is
/// another rule of a style sheet than `a.b`).
fn must_part(before: u8, after: u8) -> bool {
    is_word(before) && (is_word(after) || matches!(after, b'.' | b'#'))
        || JOINING.contains(&after)
            && OPERATORS.iter().any(|op| op.len() == 2 && op[0] == before && op[1] == after)
}

fn mapped(line: &[u8], strings: bool) -> Vec<Token> {
    if line.is_ascii() {
        return lex(line, strings);
    }
    let (folded, raw) = fold_with_map(line);
    lex(&folded, strings)
        .into_iter()
        .map(|token| Token { start: raw[token.start], end: raw[token.end] })
        .filter(|token| token.start < token.end)
        .collect()
}

/// The folded line, and for each of its bytes (and its end) where the raw line has it.
fn fold_with_map(line: &[u8]) -> (Cow<'_, [u8]>, Vec<usize>) {
    let (mut folded, mut raw, mut at) =
        (Vec::with_capacity(line.len()), Vec::with_capacity(line.len() + 1), 0);
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            let mut utf8 = [0; 4];
            let plain = view::fold_char(c).unwrap_or_else(|| c.encode_utf8(&mut utf8));
            folded.extend_from_slice(plain.as_bytes());
            raw.extend(std::iter::repeat_n(at, plain.len()));
            at += c.len_utf8();
        }
        folded.extend_from_slice(chunk.invalid());
        raw.extend(at..at + chunk.invalid().len());
        at += chunk.invalid().len();
    }
    raw.push(at);
    (Cow::Owned(folded), raw)
}

fn lex(line: &[u8], strings: bool) -> Vec<Token> {
    let mut out = Vec::with_capacity(line.len() / 3 + 1);
    let mut unclosed = Unclosed::default();
    let mut at = 0;
    while at < line.len() {
        if is_gap(line[at]) {
            at += 1;
            continue;
        }
        let end = token_end(line, at, strings, &mut unclosed);
        out.push(Token { start: at, end });
        at = end;
    }
    out
}

/// White space between tokens.
pub(crate) fn is_gap(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

/// Quote marks known not to be closed on the rest of the line, so that none is searched for twice.
#[derive(Default)]
struct Unclosed([bool; 3]);

fn token_end(line: &[u8], at: usize, strings: bool, unclosed: &mut Unclosed) -> usize {
    let rest = &line[at..];
    if is_word(rest[0]) {
        return at + rest.iter().position(|&b| !is_word(b)).unwrap_or(rest.len());
    }
    if strings && let Some(len) = string_len(line, at, unclosed) {
        return at + len;
    }
    if !rest.get(1).is_some_and(|next| JOINING.contains(next)) {
        return at + 1;
    }
    at + OPERATORS.iter().find(|op| rest.starts_with(op)).map_or(1, |op| op.len())
}

fn string_len(line: &[u8], at: usize, unclosed: &mut Unclosed) -> Option<usize> {
    let which = b"\"'`".iter().position(|&quote| quote == line[at])?;
    if unclosed.0[which] || line[at] == b'\'' && is_apostrophe(line, at) {
        return None;
    }
    let len = closing(&line[at..], line[at]);
    // a lone `'` may be a lifetime, and a later one may still open a string
    unclosed.0[which] = len.is_none() && line[at] != b'\'';
    len
}

/// Within a word, unless the word is a string prefix (`b'x'`, `f'x'`).
fn is_apostrophe(line: &[u8], at: usize) -> bool {
    let word = line[..at].iter().rev().take_while(|&&b| is_word(b)).count();
    word > 2 || word > 0 && !line[at - word..at].iter().all(|b| b"bBrRfFuULl".contains(b))
}

/// The length of the string that begins here, quotes included; a `'` before a word closes nothing. Long
/// strings in `'` are not searched to the end of every line: a lifetime would make that quadratic.
fn closing(rest: &[u8], quote: u8) -> Option<usize> {
    let limit = if quote == b'\'' { rest.len().min(1000) } else { rest.len() };
    let mut at = 1;
    while at < limit {
        match rest[at] {
            b'\\' => at += 1,
            byte if byte == quote && !before_word(rest.get(at + 1), quote) => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// A `'` that begins a lifetime, or stands within a word.
fn before_word(next: Option<&u8>, quote: u8) -> bool {
    quote == b'\'' && next.is_some_and(|&next| is_word(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(line: &str, strings: bool) -> Vec<&str> {
        let cut = if strings { tokens(line.as_bytes()) } else { fine_tokens(line.as_bytes()) };
        cut.iter().map(|t| &line[t.start..t.end]).collect()
    }

    #[test]
    fn words_operators_strings() {
        for (line, want) in [
            ("  int x=3;", vec!["int", "x", "=", "3", ";"]),
            ("a<=b == !c", vec!["a", "<=", "b", "==", "!", "c"]),
            ("s = \"a  b\" + 'c d'", vec!["s", "=", "\"a  b\"", "+", "'c d'"]),
            ("don't say \"no", vec!["don", "'", "t", "say", "\"", "no"]),
            ("f<'a>(x: &'a str)", vec!["f", "<", "'", "a", ">", "(", "x", ":", "&", "'", "a", "str", ")"]),
            (r#"p("a\"b", c)"#, vec!["p", "(", r#""a\"b""#, ",", "c", ")"]),
            ("\u{201c}a b\u{201d} \u{2013} c\u{a0}d", vec!["\u{201c}a b\u{201d}", "\u{2013}", "c", "d"]),
            ("x\u{2026} y", vec!["x", "\u{2026}", "y"]),
            ("", vec![]),
        ] {
            assert_eq!(cut(line, true), want);
        }
        assert_eq!(cut("'a b'", false), ["'", "a", "b", "'"]);
    }

    #[test]
    fn equal_keys() {
        for (a, b) in [
            ("int x = 3;", "\tint  x=3 ;"),
            ("x: &str", "x:&str"),
            ("foo( a,b )", "foo(a, b)"),
            ("\u{201c}a b\u{201d}", "\"a b\""),
            ("a \u{2013} b", "a-b"),
            ("fn f<'a>(x:&'a str)", "fn f<'a>( x: &'a str )"),
        ] {
            assert_eq!(key(a.as_bytes()), key(b.as_bytes()), "{a} and {b}");
        }
    }

    #[test]
    fn different_keys() {
        for (a, b) in [
            ("a - -b", "a --b"),
            ("x = = y", "x == y"),
            ("int x", "intx"),
            ("\"a b\"", "\"a  b\""),
            ("\"ab\"", "\"a b\""),
            ("a < -1", "a <- 1"),
            ("a : :b", "a::b"),
            ("x = 1", "x = 2"),
        ] {
            assert_ne!(key(a.as_bytes()), key(b.as_bytes()), "{a} and {b}");
        }
    }

    #[test]
    fn any_bytes() {
        let all: Vec<u8> = (0..=255).chain("\u{2026}\u{200b}\u{feff}e\u{301}".bytes()).collect();
        for line in [&all[..], b"\xff\"\xe2\x80", b"'\\", "\u{200b}".as_bytes(), ".\u{2026}".as_bytes()] {
            for token in tokens(line).iter().chain(&fine_tokens(line)) {
                assert!(token.start < token.end && token.end <= line.len());
            }
            key(line);
        }
    }
}
