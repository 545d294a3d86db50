//! Names in C's quotes, as git writes and reads them.

/// A name as git prints it: quoted only if it must be. `high`: bytes above ASCII count as odd.
pub fn name(name: &[u8], high: bool) -> Vec<u8> {
    let odd = |b: u8| b < b' ' || b == 0x7f || b == b'"' || b == b'\\' || (high && b >= 0x80);
    if !name.iter().any(|b| odd(*b)) {
        return name.to_vec();
    }
    let mut out = vec![b'"'];
    for &byte in name {
        match letter(byte) {
            _ if !odd(byte) => out.push(byte),
            Some(letter) => out.extend_from_slice(&[b'\\', letter]),
            None => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        }
    }
    out.push(b'"');
    out
}

fn letter(byte: u8) -> Option<u8> {
    match byte {
        b'"' | b'\\' => Some(byte),
        _ => b"\x07\x08\t\n\x0b\x0c\r".iter().position(|b| *b == byte).map(|at| b"abtnvfr"[at]),
    }
}

/// The name in a quoted string that `text` begins with, and how many bytes it took.
pub fn unquote(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    if text.first() != Some(&b'"') {
        return None;
    }
    let mut out = Vec::new();
    let mut at = 1;
    loop {
        match *text.get(at)? {
            b'"' => return Some((out, at + 1)),
            b'\n' => return None,
            b'\\' => {
                let (byte, used) = escape(&text[at + 1..])?;
                out.push(byte);
                at += 1 + used;
            }
            byte => {
                out.push(byte);
                at += 1;
            }
        }
    }
}

fn escape(text: &[u8]) -> Option<(u8, usize)> {
    let first = *text.first()?;
    if let Some(at) = b"abtnvfr".iter().position(|b| *b == first) {
        return Some((b"\x07\x08\t\n\x0b\x0c\r"[at], 1));
    }
    match first {
        b'"' | b'\\' => Some((first, 1)),
        b'0'..=b'3' => {
            let digit = |at: usize| text.get(at).filter(|b| (b'0'..=b'7').contains(b)).map(|b| b - b'0');
            Some((((first - b'0') << 6) | (digit(1)? << 3) | digit(2)?, 3))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (raw, high, want) in [
            (&b"a b"[..], true, &b"a b"[..]),
            (b"a\tb", true, b"\"a\\tb\""),
            (b"a\x01\"\\", true, b"\"a\\001\\\"\\\\\""),
            (b"a\xc3\xa9", true, b"\"a\\303\\251\""),
            (b"a\xc3\xa9", false, b"a\xc3\xa9"),
        ] {
            let quoted = name(raw, high);
            assert_eq!(quoted, want);
            if quoted != raw {
                assert_eq!(unquote(&quoted), Some((raw.to_vec(), quoted.len())));
            }
        }
    }

    #[test]
    fn what_is_no_quoted_name() {
        for text in ["a", "\"a", "\"a\n\"", "\"\\x\"", "\"\\4\"", "\"\\400\"", "\"\\18\""] {
            assert_eq!(unquote(text.as_bytes()), None, "{text}");
        }
    }
}
