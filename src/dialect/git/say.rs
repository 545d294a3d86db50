//! What is printed.

use std::io::Write;

use super::options::Verbosity;

/// The streams of a run. Without a voice (`-q`) nothing is said at all.
pub struct Say<'s> {
    pub stdout: &'s mut dyn Write,
    pub stderr: &'s mut dyn Write,
    pub level: Verbosity,
    /// Names with bytes above ASCII are quoted.
    pub quote_high: bool,
}

impl Say<'_> {
    pub fn error(&mut self, text: impl AsRef<[u8]>) {
        self.line([b"error: ", &without_returns(text.as_ref())[..]].concat());
    }

    pub fn warning(&mut self, text: impl AsRef<[u8]>) {
        self.line([b"warning: ", &without_returns(text.as_ref())[..]].concat());
    }

    /// A line on standard error.
    pub fn line(&mut self, text: impl AsRef<[u8]>) {
        if self.level > Verbosity::Silent {
            let _ = self.stderr.write_all(&[&harmless(text.as_ref())[..], b"\n"].concat());
        }
    }

    pub fn detail(&mut self, text: impl AsRef<[u8]>) {
        if self.is_verbose() {
            self.line(text);
        }
    }

    pub fn is_verbose(&self) -> bool {
        self.level > Verbosity::Normal
    }

    /// Something that was asked for.
    pub fn out(&mut self, text: &[u8]) {
        if self.level > Verbosity::Silent {
            let _ = self.stdout.write_all(text);
        }
    }

    pub fn quoted(&self, name: &[u8]) -> Vec<u8> {
        super::quote::name(name, self.quote_high)
    }
}

/// Errors and warnings show no returns of the carriage, not even before a line's end.
fn without_returns(text: &[u8]) -> Vec<u8> {
    text.iter().map(|b| if *b == b'\r' { b'?' } else { *b }).collect()
}

/// The text without what a terminal would obey.
pub fn harmless(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let cut = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let (line, more) = rest.split_at(cut);
        harmless_line(&mut out, line);
        rest = more;
    }
    out
}

fn harmless_line(out: &mut Vec<u8>, line: &[u8]) {
    // A return of the carriage before the line's end does nothing; the end may still be to be written.
    let end = line.iter().rposition(|b| !matches!(b, b'\r' | b'\n')).map_or(0, |at| at + 1);
    let (body, end) = line.split_at(end);
    for chunk in body.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\t' => out.push(b'\t'),
                c if c.is_ascii_control() => out.push(b'?'),
                c if c.is_control()
                    || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
                {
                    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                        out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
                    }
                }
                c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        for &byte in chunk.invalid() {
            if (0x80..0xa0).contains(&byte) {
                out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
            } else {
                out.push(byte);
            }
        }
    }
    out.extend_from_slice(end);
}
