//! A changed line merged by token, three ways: base is the quoted line, ours the file's, theirs the new.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::text::{
    is_word,
    token::{Token, fine_tokens},
    view::fold,
};

/// A line's content (no indentation) cut into tokens.
struct Cut<'l> {
    line: &'l [u8],
    tokens: Vec<Token>,
}

impl<'l> Cut<'l> {
    fn new(line: &'l [u8]) -> Cut<'l> {
        Cut { line, tokens: fine_tokens(line) }
    }

    fn token(&self, at: usize) -> &'l [u8] {
        self.tokens[at].of(self.line)
    }

    /// What stands before token `at`: after the token before it, or from the line's start.
    fn gap(&self, at: usize) -> &'l [u8] {
        let from = at.checked_sub(1).map_or(0, |before| self.tokens[before].end);
        &self.line[from..self.tokens[at].start]
    }

    fn tail(&self) -> &'l [u8] {
        &self.line[self.tokens.last().map_or(0, |token| token.end)..]
    }

    fn keys(&self) -> Vec<Vec<u8>> {
        self.tokens.iter().map(|token| fold(token.of(self.line)).into_owned()).collect()
    }
}

/// Merges the contents of three lines, all without their indentation. What the reply kept is as the file
/// has it; what it changed is the reply's, trailing blanks too.
pub fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    if base == ours {
        return theirs.to_vec();
    }
    let (base, ours, theirs) = (Cut::new(base), Cut::new(ours), Cut::new(theirs));
    if base.tokens.len() != ours.tokens.len() {
        return theirs.line.to_vec();
    }
    let links = links(&base.keys(), &theirs.keys());
    let mut out = Vec::with_capacity(theirs.line.len());
    for at in 0..theirs.tokens.len() {
        if at > 0 {
            out.extend_from_slice(merged_gap(&base, &ours, &theirs, &links, at));
        }
        match links[at] {
            Some(Link { base: from, kept: true }) => {
                out.extend_from_slice(three_ways(base.token(from), ours.token(from), theirs.token(at)));
            }
            _ => out.extend_from_slice(theirs.token(at)),
        }
    }
    out.extend_from_slice(theirs.tail());
    out
}

/// White space is merged only between two tokens that were neighbours in the base; else it is the reply's.
fn merged_gap<'l>(
    base: &Cut<'l>,
    ours: &Cut<'l>,
    theirs: &Cut<'l>,
    links: &[Option<Link>],
    at: usize,
) -> &'l [u8] {
    match (links[at - 1], links[at]) {
        (Some(before), Some(after)) if before.base + 1 == after.base => {
            let changed = fold(theirs.gap(at)) != fold(base.gap(after.base));
            if changed { theirs.gap(at) } else { ours.gap(after.base) }
        }
        _ => theirs.gap(at),
    }
}

fn three_ways<'l>(base: &[u8], ours: &'l [u8], theirs: &'l [u8]) -> &'l [u8] {
    if theirs == base || base != ours { ours } else { theirs }
}

/// The token of the base that a new token stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link {
    base: usize,
    /// The same token, not a replacement of one by one.
    kept: bool,
}

fn links(base: &[Vec<u8>], theirs: &[Vec<u8>]) -> Vec<Option<Link>> {
    let mut out = vec![None; theirs.len()];
    for op in capture_diff_slices(Algorithm::Myers, base, theirs) {
        let (old, new) = (op.old_range(), op.new_range());
        let kept = matches!(op, DiffOp::Equal { .. });
        let alike = || base[old.clone()].iter().zip(&theirs[new.clone()]).all(|(a, b)| same_class(a, b));
        if old.len() == new.len() && (kept || alike()) {
            for (base, new) in old.zip(new) {
                out[new] = Some(Link { base, kept });
            }
        }
    }
    out
}

/// Two tokens around which the same blanks stand: words, or operators such as `==` and `<`. A comma and a
/// dot are no such pair.
fn same_class(a: &[u8], b: &[u8]) -> bool {
    let all = |token: &[u8], class: fn(u8) -> bool| token.iter().all(|&b| class(b));
    let operator = |b: u8| b"=+-*/%<>!&|^?".contains(&b);
    all(a, is_word) && all(b, is_word) || all(a, operator) && all(b, operator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges() {
        for (base, ours, theirs, want) in [
            // the file's own spacing stays, the changed token is the reply's
            ("int x=3;", "int x = 3;", "int x=4;", "int x = 4;"),
            ("f(a,b)", "f( a, b )", "f(a,c)", "f( a, c )"),
            ("f(a,b)", "f( a, b )", "f(a,b,c)", "f( a, b,c)"),
            // a spelling that the reply changes
            ("int x=3;", "int x=3;", "int x = 3;", "int x = 3;"),
            ("x=1", "x=1", "x =1", "x =1"),
            // typography: the file's where kept
            ("s = \u{201c}a\u{201d}", "s = \"a\"", "s = \u{201c}b\u{201d}", "s = \"b\""),
            ("s = \"a\"", "s = \u{201c}a\u{201d}", "s = \"a b\"", "s = \u{201c}a b\u{201d}"),
            ("a\u{a0}b", "a b", "a\u{a0}c", "a c"),
            // gaps never move to other tokens
            ("index.order", "index .order", "index[0].order", "index[0].order"),
            ("token)", "token )", "token, more)", "token, more)"),
            ("a= b", "a = b", "a == b", "a == b"),
            ("a==b", "a == b", "a!=b", "a != b"),
            ("f(a,b)", "f(a, b)", "f(a.b)", "f(a.b)"),
            ("f(a,\u{a0}b,\u{a0}1)", "f(a, b, 1)", "f(a.c,\u{a0}1)", "f(a.c, 1)"),
            ("a,b", "a, b", "a.c", "a.c"),
            // no common ground
            ("a", "a b", "c", "c"),
            ("", "", "x", "x"),
            // trailing blanks are the reply's
            ("a b", "a  b", "a c  ", "a  c  "),
        ] {
            let merged = merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
            assert_eq!(String::from_utf8_lossy(&merged), want, "{base} | {ours} | {theirs}");
        }
    }
}
