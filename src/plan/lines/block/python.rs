//! Blocks of Python: indentation, with brackets and strings that go over several lines.

use super::{Depth, depth, string_end};
use crate::text::{Text, indent::indent};

/// The line after the block that begins at `first`.
pub(super) fn end(text: &Text, first: usize) -> Result<usize, &'static str> {
    let mut scan = Scan::default();
    for at in 0..first {
        scan.line(text.body(at))?;
    }
    if scan.is_inside() {
        return Err("the line stands inside brackets or a string");
    }
    let head = text.body(first).trim_ascii();
    if head.is_empty() || head.starts_with(b"#") {
        return Err("no statement begins there");
    }
    let own = indent(text.body(first));
    let mut decorated = head.starts_with(b"@");
    let mut end = first + 1;
    scan.line(text.body(first))?;
    for at in first + 1..text.len() {
        let line = text.body(at);
        if scan.is_inside() {
            end = at + 1;
            scan.line(line)?;
            continue;
        }
        let trimmed = line.trim_ascii();
        match depth(line, own) {
            Depth::Deeper if !decorated => end = at + 1,
            Depth::Blank => {}
            _ if trimmed.starts_with(b"#") => {}
            Depth::Same if decorated => {
                decorated = trimmed.starts_with(b"@");
                if !decorated && !defines(trimmed) {
                    return Err("a decorator stands above no definition");
                }
                end = at + 1;
            }
            Depth::Same if goes_on(head, trimmed) => end = at + 1,
            Depth::Same | Depth::Outside => break,
            Depth::Deeper | Depth::Unclear => return Err("the indentation is not even"),
        }
        scan.line(line)?;
    }
    if scan.is_inside() { Err("a bracket or string is not closed") } else { Ok(end) }
}

fn defines(line: &[u8]) -> bool {
    [&b"def "[..], b"class ", b"async def "].iter().any(|word| line.starts_with(word))
}

/// A clause at the same indentation that belongs to the statement above.
fn goes_on(head: &[u8], line: &[u8]) -> bool {
    let word = |line: &[u8]| {
        let len = line.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        line[..len].to_vec()
    };
    let clause = word(line);
    match &word(head)[..] {
        b"if" => clause == b"elif" || clause == b"else",
        b"for" | b"while" | b"async" => clause == b"else",
        b"try" => [&b"except"[..], b"else", b"finally"].contains(&&clause[..]),
        _ => false,
    }
}

/// Brackets and strings that are open.
#[derive(Debug, Default)]
struct Scan {
    depth: usize,
    /// The quote of a string over several lines.
    string: Option<u8>,
    /// The line goes on below after a backslash.
    continued: bool,
}

impl Scan {
    fn is_inside(&self) -> bool {
        self.depth > 0 || self.string.is_some() || self.continued
    }

    fn line(&mut self, line: &[u8]) -> Result<(), &'static str> {
        self.continued = false;
        let mut at = 0;
        while at < line.len() {
            let byte = line[at];
            if let Some(quote) = self.string {
                match byte {
                    b'\\' => at += 1,
                    _ if line[at..].starts_with(&[quote; 3]) => {
                        self.string = None;
                        at += 2;
                    }
                    _ => {}
                }
                at += 1;
                continue;
            }
            at = match byte {
                b'#' => line.len(),
                b'\\' => {
                    self.continued = at + 1 == line.len();
                    at + 1
                }
                b'(' | b'[' | b'{' => {
                    self.depth += 1;
                    at + 1
                }
                b')' | b']' | b'}' => {
                    self.depth = self.depth.checked_sub(1).ok_or("brackets do not match")?;
                    at + 1
                }
                b'"' | b'\'' if line[at..].starts_with(&[byte; 3]) => {
                    self.string = Some(byte);
                    at + 3
                }
                b'"' | b'\'' => string_end(line, at).ok_or("a string is not closed")?,
                _ => at + 1,
            };
        }
        Ok(())
    }
}
