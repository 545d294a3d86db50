//! File names in headers, and which of them is meant.

/// A name and what follows it on its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Stripped; `None` if it has too few folders for that, or is no name.
    pub name: Option<Vec<u8>>,
    /// `/dev/null`.
    pub null: bool,
    /// From the blank behind the name to the end of the line.
    pub tail: Vec<u8>,
}

/// Reads a name behind a header's mark. A name may hold blanks only if a tab comes behind it.
pub fn fetch(rest: &[u8], strip: Option<u64>) -> Option<Fetched> {
    let rest = rest.strip_suffix(b"\n").unwrap_or(rest);
    let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
    let rest = rest.trim_ascii_start();
    let (name, tail) = if rest.first() == Some(&b'"') {
        let (name, used) = c_string(rest)?;
        (name, &rest[used..])
    } else {
        let end = name_end(rest);
        (rest[..end].to_vec(), &rest[end..])
    };
    if name == b"/dev/null" {
        return Some(Fetched { name: None, null: true, tail: tail.to_vec() });
    }
    let name = if name.contains(&0) { None } else { stripped(&name, strip) };
    Some(Fetched { name, null: false, tail: tail.to_vec() })
}

/// Reads a name that takes the rest of its line, blanks inside included.
pub fn fetch_whole(rest: &[u8], strip: Option<u64>) -> Option<Vec<u8>> {
    let rest = rest.strip_suffix(b"\n").unwrap_or(rest).trim_ascii_start();
    let name = if rest.first() == Some(&b'"') {
        c_string(rest).filter(|(_, used)| *used == rest.len())?.0
    } else {
        let ends_blank = rest.last().is_some_and(u8::is_ascii_whitespace);
        (!ends_blank && !rest.contains(&b'\t')).then(|| rest.to_vec())?
    };
    if name == b"/dev/null" || name.contains(&0) { None } else { stripped(&name, strip) }
}

fn name_end(rest: &[u8]) -> usize {
    let mut at = 0;
    while at < rest.len() {
        if rest[at].is_ascii_whitespace() {
            let mut blank = at;
            while rest[blank] != b'\t' && rest.get(blank + 1).is_some_and(u8::is_ascii_whitespace) {
                blank += 1;
            }
            if rest[blank] == b'\t' || !rest[blank + 1..].contains(&b'\t') {
                return at;
            }
        }
        at += 1;
    }
    rest.len()
}

/// The two names of a `diff --git` line, stripped. Both must be there, and nothing else.
pub fn git_pair(rest: &[u8], strip: Option<u64>) -> Option<(Vec<u8>, Vec<u8>)> {
    let (old, rest) = git_name(rest)?;
    let (new, rest) = git_name(rest)?;
    let pair = (stripped(&old, strip)?, stripped(&new, strip)?);
    rest.iter().all(u8::is_ascii_whitespace).then_some(pair)
}

fn git_name(rest: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let rest = rest.trim_ascii_start();
    if rest.first() == Some(&b'"') {
        let (name, used) = c_string(rest)?;
        return Some((name, &rest[used..]));
    }
    let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    (end > 0).then(|| (rest[..end].to_vec(), &rest[end..]))
}

/// A string in C's quotes at the start, and how many bytes it takes.
fn c_string(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut out = Vec::new();
    let mut at = 1;
    loop {
        match *text.get(at)? {
            b'"' => return Some((out, at + 1)),
            b'\\' => {
                let letter = *text.get(at + 1)?;
                at += 2;
                let plain = b"abfnrtv\\\"".iter().position(|b| *b == letter);
                match (plain, letter) {
                    (Some(which), _) => out.push(b"\x07\x08\x0c\n\r\t\x0b\\\""[which]),
                    (None, b'0'..=b'7') => {
                        let digits = text[at - 1..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7'));
                        let (value, count) =
                            digits.fold((0_u32, 0), |(sum, n), b| (sum * 8 + u32::from(b - b'0'), n + 1));
                        out.push(u8::try_from(value).ok()?);
                        at += count - 1;
                    }
                    _ => return None,
                }
            }
            byte => {
                out.push(byte);
                at += 1;
            }
        }
    }
}

/// The name without its first `count` folders; without a count, its base name. A run of slashes is one.
fn stripped(name: &[u8], count: Option<u64>) -> Option<Vec<u8>> {
    let mut left = count;
    let mut start = 0;
    let mut at = 0;
    while at < name.len() {
        if name[at] == b'/' {
            while name.get(at + 1) == Some(&b'/') {
                at += 1;
            }
            match &mut left {
                Some(0) => break,
                Some(count) => {
                    *count -= 1;
                    start = at + 1;
                }
                None => start = at + 1,
            }
        }
        at += 1;
    }
    let enough = left.is_none_or(|left| left == 0);
    (enough && start < name.len()).then(|| name[start..].to_vec())
}

/// The number of components.
pub fn depth(name: &[u8]) -> usize {
    name.split(|b| *b == b'/').filter(|part| !part.is_empty()).count()
}

/// The best of the names that `fits`: fewest components, then shortest base name, then shortest, then first.
/// As in the model, each is measured by the best figures of all before it, so that there may be none.
pub fn best<const N: usize>(names: &[Option<Vec<u8>>; N], fits: impl Fn(usize) -> bool) -> Option<usize> {
    let base = |name: &[u8]| name.len() - memchr::memrchr(b'/', name).map_or(0, |at| at + 1);
    let ranks = names.each_ref().map(|name| name.as_ref().map(|name| [depth(name), base(name), name.len()]));
    let mut least = [usize::MAX; 3];
    for rank in ranks.iter().enumerate().filter(|(at, _)| fits(*at)).filter_map(|(_, rank)| rank.as_ref()) {
        for (least, mine) in least.iter_mut().zip(rank) {
            if *least < *mine {
                break;
            }
            *least = *mine;
        }
    }
    (0..N).find(|at| ranks[*at] == Some(least) && fits(*at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(rest: &[u8], strip: Option<u64>) -> Option<String> {
        let name = fetch(rest, strip)?.name?;
        Some(String::from_utf8_lossy(&name).into_owned())
    }

    #[test]
    fn names_end_at_a_blank_unless_a_tab_follows() {
        assert_eq!(name(b"a b\n", Some(0)).as_deref(), Some("a"));
        assert_eq!(name(b"a b\t\n", Some(0)).as_deref(), Some("a b"));
        assert_eq!(name(b"a/b\t2020-01-01\n", Some(1)).as_deref(), Some("b"));
        assert_eq!(name(b"\"a/\\303\\251\\n\"\n", Some(1)).as_deref(), Some("\u{e9}\n"));
        assert_eq!(fetch_whole(b" a b\n", Some(0)), Some(b"a b".to_vec()));
        for odd in ["a b \n", "a\r\n", "a\t(x)\n", "/dev/null\n", "\"a\" b\n"] {
            assert_eq!(fetch_whole(odd.as_bytes(), Some(0)), None, "{odd}");
        }
    }

    #[test]
    fn strips_as_asked() {
        assert_eq!(name(b"a//b/c\n", Some(1)).as_deref(), Some("b/c"));
        assert_eq!(name(b"a/b/c\n", None).as_deref(), Some("c"));
        assert_eq!(name(b"a\n", Some(1)), None);
        assert_eq!(name(b"a/\n", Some(1)), None);
    }

    #[test]
    fn the_best_name() {
        let names = [Some(b"f.orig".to_vec()), Some(b"f".to_vec()), None];
        assert_eq!(best(&names, |_| true), Some(1));
        let names = [Some(b"a/f".to_vec()), Some(b"b/f".to_vec()), None];
        assert_eq!(best(&names, |_| true), Some(0));
        assert_eq!(best(&names, |_| false), None);
        let names = [Some(b"d/a".to_vec()), Some(b"longer".to_vec()), None];
        assert_eq!((best(&names, |_| true), best(&names, |at| at == 1)), (None, Some(1)));
    }

    #[test]
    fn git_names() {
        assert_eq!(git_pair(b"a/x b/y\n", Some(1)), Some((b"x".to_vec(), b"y".to_vec())));
        assert_eq!(git_pair(b"a/x y b/x y\n", Some(1)), None);
    }
}
