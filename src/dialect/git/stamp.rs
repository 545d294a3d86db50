//! Time stamps behind names in headers that are not git's.

/// How many bytes at the end of a name's line are a time stamp with the blanks before it.
pub fn length(line: &[u8]) -> usize {
    let whole = line.len();
    let mut rest = line;
    if !rest.last().is_some_and(u8::is_ascii_digit) {
        return 0;
    }
    if let Some(shorter) = cut(rest, b" +dddd").or_else(|| cut(rest, b" +dd:dd")) {
        rest = shorter;
    }
    if let Some(shorter) = fraction(rest) {
        rest = shorter;
    }
    let Some(shorter) = cut(rest, b" dd:dd:dd").and_then(date) else { return 0 };
    rest = shorter;
    match rest.last() {
        Some(b'\t') => whole - (rest.len() - 1),
        Some(b' ') => {
            let kept = rest.iter().rposition(|b| *b != b' ').map_or(0, |at| at + 1);
            whole - kept
        }
        _ => 0,
    }
}

/// Cuts what looks like `shape` off the end: `d` a digit, `+` a sign.
fn cut<'t>(text: &'t [u8], shape: &[u8]) -> Option<&'t [u8]> {
    let (rest, end) = text.split_at_checked(text.len().checked_sub(shape.len())?)?;
    let fits = |(byte, like): (&u8, &u8)| match like {
        b'd' => byte.is_ascii_digit(),
        b'+' => matches!(byte, b'+' | b'-'),
        like => byte == like,
    };
    end.iter().zip(shape).all(fits).then_some(rest)
}

fn fraction(text: &[u8]) -> Option<&[u8]> {
    let digits = text.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let rest = &text[..text.len() - digits];
    rest.strip_suffix(b".").filter(|_| digits > 0)
}

fn date(text: &[u8]) -> Option<&[u8]> {
    cut(text, b"dddd-dd-dd").or_else(|| cut(text, b"dd-dd-dd"))
}

/// The stamp is the beginning of 1970 in Greenwich, which stands for a file that is not there.
pub fn is_epoch(line: &[u8]) -> bool {
    let line = line.split(|b| *b == b'\n').next().unwrap_or_default();
    let Some(tab) = memchr::memrchr(b'\t', line) else { return false };
    let stamp = &line[tab + 1..];
    let (time, day_ends) = match (stamp.strip_prefix(b"1969-12-31 "), stamp.strip_prefix(b"1970-01-01 ")) {
        (Some(time), _) => (time, 24 * 60),
        (_, Some(time)) => (time, 0),
        _ => return false,
    };
    minutes(time).is_some_and(|minutes| minutes == day_ends)
}

/// Minutes since midnight in Greenwich; nothing if there are seconds.
fn minutes(time: &[u8]) -> Option<i64> {
    let two = |at: usize| -> Option<i64> {
        let digits = time.get(at..at + 2).filter(|digits| digits.iter().all(u8::is_ascii_digit))?;
        Some(i64::from(digits[0] - b'0') * 10 + i64::from(digits[1] - b'0'))
    };
    let (hour, minute, second) = (two(0)?, two(3)?, two(6)?);
    if time.get(2) != Some(&b':') || time.get(5) != Some(&b':') || second != 0 || hour > 29 {
        return None;
    }
    let mut at = 8;
    if time.get(at) == Some(&b'.') {
        let zeros = time[at + 1..].iter().take_while(|b| **b == b'0').count();
        if zeros == 0 {
            return None;
        }
        at += 1 + zeros;
    }
    if time.get(at) != Some(&b' ') {
        return None;
    }
    let sign = match time.get(at + 1)? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let hours = two(at + 2)?;
    let colon = usize::from(time.get(at + 4) == Some(&b':'));
    let zone = hours * 60 + two(at + 4 + colon)?;
    Some(hour * 60 + minute - sign * zone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        for (line, want) in [
            ("a\t2020-01-02 03:04:05", 20),
            ("a\t2020-01-02 03:04:05.000000000 +0100", 36),
            ("a  2020-01-02 03:04:05 +01:00", 28),
            ("a b", 0),
            ("a 2020", 0),
            ("2020-01-02 03:04:05", 0),
        ] {
            assert_eq!(length(line.as_bytes()), want, "{line}");
        }
    }

    #[test]
    fn epochs() {
        for (line, want) in [
            ("a\t1970-01-01 00:00:00.000000000 +0000\n", true),
            ("a\t1970-01-01 01:00:00 +01:00\n", true),
            ("a\t1969-12-31 19:00:00 -0500\n", true),
            ("a\t1970-01-01 00:00:01 +0000\n", false),
            ("a\t1970-01-01 00:00:00\n", false),
            ("a 1970-01-01 00:00:00 +0000\n", false),
            ("a\t1970-01-01 00:\n", false),
        ] {
            assert_eq!(is_epoch(line.as_bytes()), want, "{line}");
        }
    }
}
