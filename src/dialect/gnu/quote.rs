//! Names in messages.

use super::options::Quoting;

/// A name in the style asked for. What a terminal would obey is escaped in every style.
pub fn name(style: Quoting, name: &[u8]) -> Vec<u8> {
    match style {
        Quoting::C => c_quoted(name),
        Quoting::Escape => inner(name, b"\\"),
        _ if name.split(|b| *b == b'\t').any(is_unsafe) => dollar(name),
        Quoting::Literal => name.to_vec(),
        Quoting::Shell if is_plain(name) => name.to_vec(),
        Quoting::Shell | Quoting::ShellAlways => shell(name),
    }
}

/// A name in a reject's header: as it is, unless it would break the line or a terminal would obey it.
pub fn header(name: &[u8]) -> Vec<u8> {
    let odd = |b: &u8| (*b < b' ' && *b != b'\t') || *b == 0x7f;
    if name.iter().any(odd) { c_quoted(name) } else { name.to_vec() }
}

/// A line quoted in a message, made safe to print; its line end stays.
pub fn line(text: &[u8]) -> Vec<u8> {
    let (body, end) = match text {
        [body @ .., b'\r', b'\n'] => (body, &b"\r\n"[..]),
        [body @ .., b'\n'] => (body, &b"\n"[..]),
        body => (body, &b""[..]),
    };
    let mut out = Vec::with_capacity(text.len());
    for chunk in body.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c != '\t' && is_unsafe_char(c) {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| octal(&mut out, b));
            } else {
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        for &byte in chunk.invalid() {
            if (0x80..0xa0).contains(&byte) { octal(&mut out, byte) } else { out.push(byte) }
        }
    }
    out.extend_from_slice(end);
    out
}

fn is_unsafe_char(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_unsafe(name: &[u8]) -> bool {
    name.utf8_chunks().any(|chunk| {
        chunk.valid().chars().any(is_unsafe_char) || chunk.invalid().iter().any(|b| (0x80..0xa0).contains(b))
    })
}

fn octal(out: &mut Vec<u8>, byte: u8) {
    out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
}

/// Nothing in it that a shell would read.
fn is_plain(name: &[u8]) -> bool {
    let special = b"!\"$&'()*;<=>?[\\]^`{|}~# \t";
    let leading = |at: usize, b: u8| match b {
        b'#' | b'~' => at == 0,
        b'{' | b'}' => name.len() == 1,
        b'=' => true,
        _ => special.contains(&b),
    };
    !name.is_empty() && !name.iter().enumerate().any(|(at, &b)| special.contains(&b) && leading(at, b))
}

fn shell(name: &[u8]) -> Vec<u8> {
    let doubled =
        name.contains(&b'\'') && !name.iter().any(|b| matches!(b, b'"' | b'$' | b'`' | b'\\' | b'!'));
    if doubled {
        return [b"\"", name, b"\""].concat();
    }
    let mut out = vec![b'\''];
    for &byte in name {
        if byte == b'\'' { out.extend_from_slice(b"'\\''") } else { out.push(byte) }
    }
    out.push(b'\'');
    out
}

fn dollar(name: &[u8]) -> Vec<u8> {
    [b"$'", &inner(name, b"\\'")[..], b"'"].concat()
}

fn c_quoted(name: &[u8]) -> Vec<u8> {
    [b"\"", &inner(name, b"\\\"")[..], b"\""].concat()
}

/// With C's escapes; `special` gets a back-slash.
fn inner(name: &[u8], special: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            let short = "\x07\x08\t\n\x0b\x0c\r".find(c).map(|at| b"abtnvfr"[at]);
            match short {
                Some(letter) => out.extend_from_slice(&[b'\\', letter]),
                None if is_unsafe_char(c) => {
                    c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| octal(&mut out, b));
                }
                None => {
                    if c.is_ascii() && special.contains(&(c as u8)) {
                        out.push(b'\\');
                    }
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
        }
        chunk.invalid().iter().for_each(|b| octal(&mut out, *b));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles() {
        for (style, raw, want) in [
            (Quoting::Shell, "a b", "'a b'"),
            (Quoting::Shell, "a'b c", "\"a'b c\""),
            (Quoting::Shell, "für.c", "für.c"),
            (Quoting::Shell, "a\nb", "$'a\\nb'"),
            (Quoting::Shell, "a\tb", "'a\tb'"),
            (Quoting::ShellAlways, "a", "'a'"),
            (Quoting::C, "a b", "\"a b\""),
            (Quoting::C, "a\"b\x1b", "\"a\\\"b\\033\""),
            (Quoting::Escape, "a b\t", "a b\\t"),
            (Quoting::Literal, "a b", "a b"),
        ] {
            assert_eq!(String::from_utf8_lossy(&name(style, raw.as_bytes())), want);
        }
    }

    #[test]
    fn quoted_lines_obey_nothing() {
        assert_eq!(line(b"a\x1b[2J\tb\r\n"), b"a\\033[2J\tb\r\n");
    }
}
