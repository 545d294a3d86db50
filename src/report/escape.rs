//! Names and quoted text from files and inputs, made safe to print.
//!
//! A name may hold line ends that forge a verdict, escape sequences that a terminal obeys, or
//! characters that turn the reading direction. What is printed never does.

use std::fmt::Write;

/// Longer lines are cut in messages.
const MAX_SHOWN: usize = 300;

/// A sentence: control and bidi characters escaped, nothing else changed.
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|c| push(&mut out, c));
    out
}

/// A line of a file: as [`text()`], but tabs stay, bytes that are no UTF-8 show as `\xNN`, and very long
/// lines are cut.
pub fn line(bytes: &[u8]) -> String {
    push_line(bytes, MAX_SHOWN)
}

/// As [`line()`], but never cut: what somebody is asked to approve is shown in full.
pub fn whole(bytes: &[u8]) -> String {
    push_line(bytes, usize::MAX)
}

fn push_line(bytes: &[u8], most: usize) -> String {
    let mut out = String::with_capacity(bytes.len().min(most));
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c == '\t' {
                out.push(c);
            } else {
                push(&mut out, c);
            }
            if out.len() >= most {
                out.push_str("[...]");
                return out;
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// A file's name: as it is if nothing in it is special, else quoted as C and git do.
pub fn name(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        // At the head of a line, some CI jobs take what begins so for a command.
        Ok(name) if name.starts_with("::") || name.starts_with("##[") => quoted(bytes, false),
        Ok(name) if bytes.iter().all(is_plain) => name.to_owned(),
        Ok(name) if !name.chars().any(|c| is_unsafe(c) || c == '"' || c == '\\') => name.to_owned(),
        Ok(name) if name.chars().any(is_bidi) => format!("\"{}\"", text(name)),
        _ => quoted(bytes, false),
    }
}

/// ASCII that names have as it is.
fn is_plain(byte: &u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')
}

/// A name in a diff's header with its prefix, in git's quoting.
pub fn header(prefix: &str, bytes: &[u8]) -> String {
    let special = |b: &u8| *b < 0x20 || *b >= 0x7f || matches!(b, b'"' | b'\\');
    if bytes.iter().any(special) {
        quoted(&[prefix.as_bytes(), bytes].concat(), true)
    } else {
        format!("{prefix}{}", String::from_utf8_lossy(bytes))
    }
}

/// C's quoting; octal for what has no short form. `all`: also for bytes above ASCII.
fn quoted(bytes: &[u8], all: bool) -> String {
    let mut out = String::from("\"");
    let valid = !all && std::str::from_utf8(bytes).is_ok();
    if valid {
        for c in String::from_utf8_lossy(bytes).chars() {
            if c.is_ascii() || is_unsafe(c) {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_quoted(&mut out, byte));
            } else {
                out.push(c);
            }
        }
    } else {
        bytes.iter().for_each(|byte| push_quoted(&mut out, *byte));
    }
    out.push('"');
    out
}

fn push_quoted(out: &mut String, byte: u8) {
    match byte {
        b'"' | b'\\' => {
            out.push('\\');
            out.push(char::from(byte));
        }
        b'\n' => out.push_str("\\n"),
        b'\t' => out.push_str("\\t"),
        b'\r' => out.push_str("\\r"),
        0x20..=0x7e => out.push(char::from(byte)),
        _ => {
            let _ = write!(out, "\\{byte:03o}");
        }
    }
}

fn push(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\r' => out.push_str("\\r"),
        c if is_bidi(c) => {
            let _ = write!(out, "\\u{{{:04x}}}", u32::from(c));
        }
        c if c.is_control() => {
            let _ = write!(out, "\\x{:02x}", u32::from(c));
        }
        c => out.push(c),
    }
}

fn is_unsafe(c: char) -> bool {
    c.is_control() || is_bidi(c)
}

/// Turns the direction of reading, or is not seen at all: marks of direction, joiners and other
/// characters without a shape, and the tags that hide a text within a text.
fn is_bidi(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_comes_through() {
        assert_eq!(line(b"a\x1b[2J\tb\xff\r"), "a\\x1b[2J\tb\\xff\\r");
        assert_eq!(text("x\u{202e}y\u{9b}z\n"), "x\\u{202e}y\\x9bz\\n");
        assert_eq!(name(b"::error::x"), "\"::error::x\"");
        assert_eq!(name(b"x\nok    evil.c"), "\"x\\nok    evil.c\"");
        assert_eq!(name("a\u{202e}b".as_bytes()), "\"a\\u{202e}b\"");
    }

    #[test]
    fn plain_names_stay_and_odd_ones_are_quoted() {
        assert_eq!(name("src/für.rs".as_bytes()), "src/für.rs");
        assert_eq!(name(b"caf\xe9"), "\"caf\\351\"");
        assert_eq!(header("a/", "für".as_bytes()), "\"a/f\\303\\274r\"");
        assert_eq!(header("a/", b"x y"), "a/x y");
    }

    #[test]
    fn long_lines_are_cut() {
        assert!(line(&[b'x'; 5000]).len() < 400);
        assert_eq!(whole(&[b'x'; 5000]).len(), 5000);
    }

    #[test]
    fn what_is_not_seen_is_shown() {
        let hidden = "a\u{ad}b\u{61c}c\u{2066}d\u{200b}e\u{e0041}f\u{feff}";
        assert_eq!(text(hidden), "a\\u{00ad}b\\u{061c}c\\u{2066}d\\u{200b}e\\u{e0041}f\\u{feff}");
    }
}
