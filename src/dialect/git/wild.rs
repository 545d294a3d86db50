//! Patterns of `--include` and `--exclude`: shell wildcards whose `*` crosses slashes.

/// Whether the whole text fits.
pub fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        let step = match pattern.get(p) {
            Some(b'*') => {
                while pattern.get(p) == Some(&b'*') {
                    p += 1;
                }
                star = Some((p, t));
                continue;
            }
            Some(_) => one(&pattern[p..], text[t]),
            None => None,
        };
        match (step, star) {
            (Some(used), _) => {
                p += used;
                t += 1;
            }
            (None, Some((behind, from))) => {
                p = behind;
                t = from + 1;
                star = Some((behind, t));
            }
            (None, None) => return false,
        }
    }
    pattern[p..].iter().all(|b| *b == b'*')
}

/// How much of the pattern takes this one byte.
fn one(pattern: &[u8], byte: u8) -> Option<usize> {
    match pattern[0] {
        b'?' => Some(1),
        b'\\' => (pattern.get(1) == Some(&byte)).then_some(2),
        b'[' => class(pattern, byte),
        other => (other == byte).then_some(1),
    }
}

/// `[a-z]`, `[!a]`, `[[:alpha:]]`; a class that is not closed fits nothing.
fn class(pattern: &[u8], byte: u8) -> Option<usize> {
    let negated = matches!(pattern.get(1), Some(b'!' | b'^'));
    let first = 1 + usize::from(negated);
    let mut at = first;
    let mut found = false;
    loop {
        let here = *pattern.get(at)?;
        if here == b']' && at > first {
            return (found != negated).then_some(at + 1);
        }
        if pattern[at..].starts_with(b"[:") {
            let end = pattern[at + 2..].windows(2).position(|pair| pair == b":]")?;
            found |= is_named(&pattern[at + 2..at + 2 + end], byte)?;
            at += end + 4;
            continue;
        }
        let (low, used) = letter(&pattern[at..])?;
        at += used;
        if pattern.get(at) == Some(&b'-') && pattern.get(at + 1).is_some_and(|b| *b != b']') {
            let (high, used) = letter(&pattern[at + 1..])?;
            at += 1 + used;
            found |= (low..=high).contains(&byte);
        } else {
            found |= low == byte;
        }
    }
}

fn letter(pattern: &[u8]) -> Option<(u8, usize)> {
    match pattern.first()? {
        b'\\' => pattern.get(1).map(|b| (*b, 2)),
        b => Some((*b, 1)),
    }
}

fn is_named(name: &[u8], byte: u8) -> Option<bool> {
    Some(match name {
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"alpha" => byte.is_ascii_alphabetic(),
        b"blank" => matches!(byte, b' ' | b'\t'),
        b"cntrl" => byte.is_ascii_control(),
        b"digit" => byte.is_ascii_digit(),
        b"graph" => byte.is_ascii_graphic(),
        b"lower" => byte.is_ascii_lowercase(),
        b"print" => byte.is_ascii_graphic() || byte == b' ',
        b"punct" => byte.is_ascii_punctuation(),
        b"space" => byte.is_ascii_whitespace() || byte == 0x0b,
        b"upper" => byte.is_ascii_uppercase(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text, want) in [
            ("*.c", "d/x.c", true),
            ("*", "", true),
            ("d/*/x", "d/a/b/x", true),
            ("**/x", "a/x", true),
            ("a?c", "abc", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]]", "]", true),
            ("[[:digit:]_]", "_", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("[a", "[a", false),
            ("a*b*c", "a1b2b3c", true),
            ("a", "ab", false),
        ] {
            assert_eq!(fits(pattern.as_bytes(), text.as_bytes()), want, "{pattern} {text}");
        }
    }
}
