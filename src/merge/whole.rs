//! Whole-file replies: the file itself is the base, since such a reply quotes nothing.
//!
//! A model that copies a file makes slips: a lost indentation, a blank less. Lines that differ from the
//! file's in white space alone keep the file's spelling while they are few and something else really
//! changed; otherwise the reply is a reformat, and its spelling is taken.

use std::{borrow::Cow, ops::Range};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{Env, OutLine, Splice, apply, eol_near, unterminated};
use crate::{
    edit::Line,
    text::{Eol, Text, cut_eol, indent::indent, is_blank, token, view::trim_end},
};

/// Whose spelling a line keeps in a whole-file reply when only white space differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Spelling {
    /// The file's for copying slips, the reply's for a reformat.
    #[default]
    Auto,
    /// The file's.
    File,
    /// The reply's.
    Reply,
}

/// Whether a file's indentation has meaning, by its name. A name that says nothing counts as such.
pub fn ruled_by_indentation(path: &[u8]) -> bool {
    const RULED: &[&str] = &[
        "py", "pyi", "pyx", "pxd", "yml", "yaml", "md", "markdown", "rst", "mk", "mak", "txt", "adoc",
        "coffee", "haml", "pug", "jade", "slim", "sass", "styl", "nim", "hs", "lhs", "elm", "fs", "fsx",
        "gd", "bzl", "star", "tsv", "patch", "diff", "feature", "org", "cabal", "ml", "mli", "scala", "cob",
        "cbl", "f", "for", "f77",
    ];
    let name = path.rsplit(|&b| b == b'/').next().unwrap_or(path);
    match name.iter().rposition(|&b| b == b'.') {
        Some(dot) if dot > 0 => {
            let extension = name[dot + 1..].to_ascii_lowercase();
            RULED.iter().any(|known| known.as_bytes() == extension)
        }
        _ => true,
    }
}

/// The new content of a file that the reply gives whole. Unchanged lines keep their own ends, new lines
/// take those of their neighbours; byte-order mark and final newline stay as they are. `ruled`: the file's
/// indentation has meaning ([`ruled_by_indentation`]).
pub fn whole(old: &Text<'_>, new: &[Line<'_>], spelling: Spelling, ruled: bool) -> Vec<u8> {
    let ours: Vec<&[u8]> = old.bodies().collect();
    let theirs: Vec<&[u8]> = new.iter().map(|line| line.text.as_ref()).collect();
    let mut partners = equal_lines(&ours, &theirs);
    let slips = if spelling == Spelling::Reply {
        Vec::new()
    } else {
        let same = pair_by_tokens(&ours, &theirs, &mut partners);
        slips(&ours, &theirs, &partners, &same, spelling, ruled)
    };
    let texts = spelled(&ours, &theirs, &partners, &slips);
    let mut out = apply(old, &splices(old, &partners, &texts));
    if unterminated(old) || new.last().is_some_and(|line| line.eol == Eol::None) {
        out.truncate(cut_eol(&out).0.len());
    }
    out
}

/// For each new line the old line that it is, trailing blanks aside.
fn equal_lines(ours: &[&[u8]], theirs: &[&[u8]]) -> Vec<Option<usize>> {
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) =
        (ours.iter().map(|l| trim_end(l)).collect(), theirs.iter().map(|l| trim_end(l)).collect());
    let mut partners = vec![None; theirs.len()];
    for op in capture_diff_slices(Algorithm::Patience, &old, &new) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            (0..len).for_each(|at| partners[new_index + at] = Some(old_index + at));
        }
    }
    partners
}

/// Pairs lines that differ only in white space, between those that are equal. `true` where that is so.
fn pair_by_tokens(ours: &[&[u8]], theirs: &[&[u8]], partners: &mut [Option<usize>]) -> Vec<bool> {
    let mut same = vec![false; theirs.len()];
    for (old, new) in gaps(partners, ours.len()) {
        if old.is_empty() || new.is_empty() {
            continue;
        }
        let keys = |lines: &[&[u8]]| lines.iter().map(|line| token::key(line)).collect::<Vec<_>>();
        let (left, right) = (keys(&ours[old.clone()]), keys(&theirs[new.clone()]));
        for op in capture_diff_slices(Algorithm::Myers, &left, &right) {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                for at in (0..len).filter(|at| !right[new_index + at].is_empty()) {
                    partners[new.start + new_index + at] = Some(old.start + old_index + at);
                    same[new.start + new_index + at] = true;
                }
            }
        }
    }
    same
}

/// The runs between paired lines: old lines and new lines, either may be empty.
fn gaps(partners: &[Option<usize>], old_len: usize) -> Vec<(Range<usize>, Range<usize>)> {
    let (mut out, mut old, mut new) = (Vec::new(), 0, 0);
    let paired = partners.iter().enumerate().filter_map(|(new, old)| Some((new, (*old)?)));
    for (at, partner) in paired.chain([(partners.len(), old_len)]) {
        if old < partner || new < at {
            out.push((old..partner, new..at));
        }
        (old, new) = (partner + 1, at + 1);
    }
    out
}

/// New lines that are the file's but for a slip in copying.
fn slips(
    ours: &[&[u8]],
    theirs: &[&[u8]],
    partners: &[Option<usize>],
    same: &[bool],
    spelling: Spelling,
    ruled: bool,
) -> Vec<usize> {
    let differ = |at: &usize| partners[*at].is_some_and(|old| ours[old] != theirs[*at]);
    let mut out: Vec<usize> = (0..theirs.len()).filter(differ).collect();
    if spelling == Spelling::File || out.is_empty() {
        return out;
    }
    let unchanged = partners.iter().flatten().count() - out.len();
    if ruled {
        out.retain(|&at| partners[at].is_some_and(|old| indent(ours[old]) == indent(theirs[at])));
    } else {
        let (before, after) = (depths(ours), depths(theirs));
        out.retain(|&at| !same[at] || partners[at].is_some_and(|old| before[old] == after[at]));
    }
    let few = out.len() <= 3.max(unchanged / 5);
    if few && changes_words(ours, theirs, partners) { out } else { Vec::new() }
}

/// Something changed beside white space.
fn changes_words(ours: &[&[u8]], theirs: &[&[u8]], partners: &[Option<usize>]) -> bool {
    let solid = |lines: &[&[u8]], range: Range<usize>| lines[range].iter().any(|line| !is_blank(line));
    gaps(partners, ours.len()).into_iter().any(|(old, new)| solid(ours, old) || solid(theirs, new))
}

/// How many brackets are open where each line starts; brackets in quoted strings don't count.
fn depths(lines: &[&[u8]]) -> Vec<i64> {
    let mut depth = 0;
    lines
        .iter()
        .map(|line| {
            let at_start = depth;
            for token in token::tokens(line) {
                match token.of(line) {
                    b"(" | b"[" | b"{" => depth += 1,
                    b")" | b"]" | b"}" => depth -= 1,
                    _ => {}
                }
            }
            at_start
        })
        .collect()
}

/// What the reply's indentation lost, or has too much.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shift<'l> {
    Add(&'l [u8]),
    Cut(&'l [u8]),
}

impl<'l> Shift<'l> {
    fn between(new: &'l [u8], old: &'l [u8]) -> Option<Shift<'l>> {
        let (new, old) = (indent(new), indent(old));
        match (old.strip_suffix(new), new.strip_suffix(old)) {
            (Some(b""), _) => None,
            (Some(prefix), _) => Some(Shift::Add(prefix)),
            (_, prefix) => prefix.map(Shift::Cut),
        }
    }

    fn apply<'t>(self, line: &'t [u8]) -> Cow<'t, [u8]> {
        match self {
            Shift::Add(prefix) if !is_blank(line) => Cow::Owned([prefix, line].concat()),
            Shift::Cut(prefix) => Cow::Borrowed(line.strip_prefix(prefix).unwrap_or(line)),
            Shift::Add(_) => Cow::Borrowed(line),
        }
    }
}

/// The new lines as they are to be written: slips as the file has them, changed lines between two slips of
/// the same shift with that shift.
fn spelled<'l>(
    ours: &[&'l [u8]],
    theirs: &[&'l [u8]],
    partners: &[Option<usize>],
    slips: &[usize],
) -> Vec<Cow<'l, [u8]>> {
    let mut texts: Vec<Cow<'l, [u8]>> = theirs.iter().map(|line| Cow::Borrowed(*line)).collect();
    let mut slipped = vec![None; theirs.len()];
    for &at in slips {
        if let Some(old) = partners[at] {
            texts[at] = Cow::Borrowed(ours[old]);
            slipped[at] = Shift::between(theirs[at], ours[old]);
        }
    }
    let solid: Vec<usize> = (0..theirs.len()).filter(|&at| !is_blank(theirs[at])).collect();
    let mut above: Option<Shift<'_>> = None;
    for run in solid.chunk_by(|&a, &b| partners[a].is_none() && partners[b].is_none()) {
        let Some(&first) = run.first() else { continue };
        if partners[first].is_some() {
            above = slipped[first];
            continue;
        }
        let after = solid.partition_point(|&at| at <= run[run.len() - 1]);
        let below = solid.get(after).and_then(|&at| slipped[at]);
        if let Some(shift) = above.filter(|_| above == below) {
            run.iter().for_each(|&at| texts[at] = shift.apply(theirs[at]));
        }
    }
    texts
}

/// The new content as splices of the old.
fn splices(old: &Text<'_>, partners: &[Option<usize>], texts: &[Cow<'_, [u8]>]) -> Vec<Splice> {
    let env = Env::default();
    let mut out = Vec::new();
    for (gone, come) in gaps(partners, old.len()) {
        let beside = |at: usize| match gone.clone().nth(at).or(gone.clone().last()) {
            Some(replaced) => replaced,
            None => gone.start.saturating_sub(1),
        };
        let lines = come
            .enumerate()
            .map(|(number, at)| OutLine {
                text: texts[at].to_vec(),
                eol: eol_near(old, beside(number), &env),
            })
            .collect();
        out.push(Splice { start: gone.start, end: gone.end, lines });
    }
    for (text, partner) in texts.iter().zip(partners) {
        if let Some(at) = partner.filter(|&at| old.body(at) != text.as_ref()) {
            let line = OutLine { text: text.to_vec(), eol: old.eol(at) };
            out.push(Splice { start: at, end: at + 1, lines: vec![line] });
        }
    }
    out.sort_by_key(|splice| (splice.start, splice.end));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(old: &str, new: &str, spelling: Spelling, ruled: bool) -> String {
        let text = Text::new(new.as_bytes());
        let lines: Vec<Line<'_>> =
            text.bodies().map(|body| Line { text: body.into(), eol: Eol::Lf }).collect();
        String::from_utf8(whole(&Text::new(old.as_bytes()), &lines, spelling, ruled)).unwrap()
    }

    const CALC: &str = "class Calc {\n    int a() {\n        int x = 1;\n        return x * 2;\n    }\n    int b() {\n        int x = 2;\n        return x * 2;\n    }\n}\n";

    #[test]
    fn slips_keep_the_file() {
        let want = CALC.replacen("x * 2", "x * 3", 1);
        let dedented = want.replacen(
            "        int x = 1;\n        return x * 3;\n    }",
            "    int x = 1;\n    return x * 3;\n}",
            1,
        );
        assert_ne!(dedented, want);
        let respaced = want.replacen("int x = 1;", "int x=1;", 1);
        let trailing = want.replacen("int b() {", "int b() {  ", 1);
        for reply in [&dedented, &respaced, &trailing, &want] {
            assert_eq!(run(CALC, reply, Spelling::Auto, false), want, "{reply}");
            assert_eq!(&run(CALC, reply, Spelling::Reply, false), reply);
        }
    }

    #[test]
    fn reformats_take_the_reply() {
        let narrow = CALC.replace("    ", "  ");
        assert_eq!(run(CALC, &narrow, Spelling::Auto, false), narrow);
        assert_eq!(run(CALC, &narrow, Spelling::File, false), CALC);
        // all lines but one
        let changed = narrow.replacen("x * 2", "x * 3", 1);
        assert_eq!(run(CALC, &changed, Spelling::Auto, false), changed);
        // white space alone
        let one = CALC.replacen("int x = 1;", "int x=1;", 1);
        assert_eq!(run(CALC, &one, Spelling::Auto, false), one);
    }

    #[test]
    fn code_that_moves_into_a_block_is_no_slip() {
        let wrapped = CALC.replacen(
            "        int x = 1;\n        return x * 2;\n",
            "        if (on) {\n            int x = 1;\n            return x * 2;\n        }\n",
            1,
        );
        assert_eq!(run(CALC, &wrapped, Spelling::Auto, false), wrapped);
        let python = "def f():\n    a()\n    b( 1 )\n    c()\n";
        let inner = "def f():\n    if x:\n        a()\n    b(1)\n    c()\n";
        assert_eq!(run(python, inner, Spelling::Auto, true), inner.replace("b(1)", "b( 1 )"));
    }

    #[test]
    fn ends_stay() {
        for (old, new, want) in [
            ("a\r\nb\r\n", "a\nx\nb\ny\n", "a\r\nx\r\nb\r\ny\r\n"),
            ("a\nb\r\nc\n", "a\nB\nc\n", "a\nB\r\nc\n"),
            ("a\nb", "a\nc\n", "a\nc"),
            ("a\nb", "a\nb\nc\n", "a\nb\nc"),
            ("a\nb", "a\n", "a"),
            ("a\nb\n", "a\nc", "a\nc\n"),
            ("\u{feff}a\n", "b\n", "\u{feff}b\n"),
            ("", "a\n", "a\n"),
            ("a\n", "", ""),
        ] {
            assert_eq!(run(old, new, Spelling::Auto, false), want, "{old:?} {new:?}");
        }
    }

    #[test]
    fn names() {
        for (path, ruled) in
            [("a/b.py", true), ("Makefile", true), ("x.PY", true), ("a.rs", false), (".env", true)]
        {
            assert_eq!(ruled_by_indentation(path.as_bytes()), ruled, "{path}");
        }
    }
}
