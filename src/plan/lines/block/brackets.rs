//! Blocks of languages with brackets, which must agree with the indentation.

use super::{Depth, depth, string_end};
use crate::text::{Text, indent::indent, is_blank};

/// What differs between such languages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// `//` begins a comment.
    slashes: bool,
    /// A quote may stand alone (a lifetime).
    lone_quote: bool,
    /// A string in backticks may go over several lines.
    backticks: bool,
    /// A statement may go on in a line that begins with an operator.
    joins: bool,
    /// A line `@Name` belongs to what it stands above.
    annotations: bool,
}

impl Rules {
    /// The rules for files with this extension.
    pub fn of(extension: &str) -> Option<Rules> {
        let plain =
            Rules { slashes: true, lone_quote: false, backticks: false, joins: true, annotations: false };
        Some(match extension {
            "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" | "go" => {
                Rules { backticks: true, ..plain }
            }
            "rs" => Rules { lone_quote: true, ..plain },
            "java" | "kt" | "kts" => Rules { annotations: true, ..plain },
            "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "cs" | "swift" | "dart" | "php" | "zig" => {
                plain
            }
            "css" => Rules { slashes: false, joins: false, ..plain },
            "json" | "scss" | "less" | "proto" => Rules { joins: false, ..plain },
            _ => return None,
        })
    }
}

/// The line after the block that begins at `first`.
pub(super) fn end(text: &Text, first: usize, rules: Rules) -> Result<usize, &'static str> {
    let own = indent(text.body(first));
    let mut scan = Scan { rules, open: Vec::new(), comment: false, template: false, opened: false };
    let head = text.body(first).trim_ascii();
    if head.is_empty() || head.starts_with(b"//") || head.starts_with(b"/*") {
        return Err("no statement begins there");
    }
    let mut at = first;
    if rules.annotations {
        while at + 1 < text.len() && text.body(at).trim_ascii().starts_with(b"@") && plain(text.body(at)) {
            at += 1;
        }
        if indent(text.body(at)) != own {
            return Err("the indentation is not even");
        }
    }
    scan.line(text.body(at))?;
    let ended = text.body(at).trim_ascii().ends_with(b";");
    if scan.is_closed() && !ended && text.len() > at + 1 && opens_body(text.body(at + 1)) {
        at += 1;
        if indent(text.body(at)) != own {
            return Err("the indentation is not even");
        }
        scan.line(text.body(at))?;
    }
    if !scan.opened || scan.is_closed() {
        return Err("no bracket stays open at the end of the line");
    }
    for at in at + 1..text.len() {
        let line = text.body(at);
        let (inside, text_only) = (!scan.is_closed(), scan.comment || scan.template);
        let closes = matches!(line.trim_ascii().first(), Some(b'}' | b')' | b']'));
        scan.line(line)?;
        match depth(line, own) {
            _ if text_only => {}
            Depth::Blank | Depth::Deeper => {
                if scan.is_closed() && depth(line, own) == Depth::Deeper {
                    return Err("brackets and indentation do not agree");
                }
            }
            Depth::Same if inside && (closes || opens_body(line)) => {}
            _ => return Err("brackets and indentation do not agree"),
        }
        if scan.is_closed() {
            return after(text, at, own, rules);
        }
    }
    Err("a bracket is not closed")
}

/// An annotation alone on its line.
fn plain(line: &[u8]) -> bool {
    !line.contains(&b'{') && !line.contains(&b';')
}

/// A bracket that opens a body on a line of its own.
fn opens_body(line: &[u8]) -> bool {
    line.trim_ascii() == b"{"
}

/// The brackets close on line `last`: does the statement end there?
fn after(text: &Text, last: usize, own: &[u8], rules: Rules) -> Result<usize, &'static str> {
    let line = text.body(last).trim_ascii();
    let rest: Vec<u8> = line.iter().copied().skip_while(|b| b"})]".contains(b)).collect();
    let rest = rest.trim_ascii();
    if !rest.iter().all(|b| b";,)".contains(b)) && !rest.starts_with(b"//") {
        return Err("more stands behind the closing bracket");
    }
    let Some(next) = (last + 1..text.len()).find(|&at| !is_blank(text.body(at))) else { return Ok(last + 1) };
    let line = text.body(next);
    let trimmed = line.trim_ascii();
    let goes_on = [&b"else"[..], b"catch", b"finally", b"while (", b"while("]
        .iter()
        .any(|word| trimmed.starts_with(word));
    let comment = trimmed.starts_with(b"//") || trimmed.starts_with(b"/*") || trimmed.starts_with(b"*/");
    let joins = rules.joins
        && !comment
        && trimmed.first().is_some_and(|b| b".?:&|+*/%=<>".contains(b))
        && !rest.ends_with(b";");
    if goes_on || joins && depth(line, own) != Depth::Outside || depth(line, own) == Depth::Deeper {
        return Err("the statement may go on below");
    }
    Ok(last + 1)
}

struct Scan {
    rules: Rules,
    /// The brackets that are open, by what closes them.
    open: Vec<u8>,
    comment: bool,
    template: bool,
    /// Some bracket was opened.
    opened: bool,
}

impl Scan {
    fn is_closed(&self) -> bool {
        self.open.is_empty() && !self.comment && !self.template
    }

    fn line(&mut self, line: &[u8]) -> Result<(), &'static str> {
        let mut at = 0;
        while at < line.len() {
            at = self.token(line, at)?;
        }
        Ok(())
    }

    /// Takes what stands at `at`; where the next thing stands.
    fn token(&mut self, line: &[u8], at: usize) -> Result<usize, &'static str> {
        let rest = &line[at..];
        if self.comment {
            self.comment = !rest.starts_with(b"*/");
            return Ok(at + if self.comment { 1 } else { 2 });
        }
        if self.template {
            self.template = rest[0] != b'`';
            return Ok(at + if rest[0] == b'\\' { 2 } else { 1 });
        }
        match rest[0] {
            b'/' if self.rules.slashes && rest.starts_with(b"//") => return Ok(line.len()),
            b'/' if rest.starts_with(b"/*") => {
                self.comment = true;
                return Ok(at + 2);
            }
            b'`' if self.rules.backticks => self.template = true,
            b'\'' if self.rules.lone_quote => return Ok(at + char_len(rest)),
            b'"' | b'\'' => return string_end(line, at).ok_or("a string is not closed on its line"),
            b'(' => self.push(b')'),
            b'[' => self.push(b']'),
            b'{' => self.push(b'}'),
            close @ (b')' | b']' | b'}') if self.open.pop() != Some(close) => {
                return Err("brackets do not match");
            }
            _ => {}
        }
        Ok(at + 1)
    }

    fn push(&mut self, close: u8) {
        self.open.push(close);
        self.opened = true;
    }
}

/// The length of a character in quotes, or of a lone quote.
fn char_len(rest: &[u8]) -> usize {
    match rest {
        [b'\'', b'\\', _, b'\'', ..] => 4,
        [b'\'', _, b'\'', ..] => 3,
        _ => 1,
    }
}
