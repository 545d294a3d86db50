//! The local zone's offset from UTC, for time stamps that name none.

/// Seconds east of UTC at a local time: from `TZ` if that tells it, else from the system's zone file.
pub fn local(seconds: i64) -> i64 {
    let zone = std::env::var("TZ").ok();
    match zone.as_deref() {
        None => table("/etc/localtime").map_or(0, |table| offset(&table, seconds)),
        Some("" | "UTC" | "UTC0" | "GMT" | "GMT0") => 0,
        Some(rule) => {
            let name = rule.strip_prefix(':').unwrap_or(rule);
            let path =
                if name.starts_with('/') { name.into() } else { format!("/usr/share/zoneinfo/{name}") };
            match table(&path) {
                Some(table) => offset(&table, seconds),
                None => fixed(rule).unwrap_or(0),
            }
        }
    }
}

/// `EST5` and the like: hours west of UTC.
fn fixed(rule: &str) -> Option<i64> {
    let rest = rule.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let end = rest.find(|c: char| c.is_ascii_alphabetic() || c == ',').unwrap_or(rest.len());
    let (sign, digits) = match rest[..end].split_at_checked(1)? {
        ("-", digits) => (1, digits),
        ("+", digits) => (-1, digits),
        _ => (-1, &rest[..end]),
    };
    let mut parts = digits.split(':').map(|part| part.parse::<i64>().ok());
    let hours = parts.next()??;
    let minutes = parts.next().flatten().unwrap_or(0);
    (hours <= 24).then_some(sign * (hours * 3600 + minutes * 60))
}

fn table(path: &str) -> Option<Vec<(i64, i64)>> {
    let bytes = std::fs::read(path).ok()?;
    transitions(&bytes)
}

/// The moments at which the zone's offset changes, from a TZif file of version 2 or later.
fn transitions(bytes: &[u8]) -> Option<Vec<(i64, i64)>> {
    let (_, first) = counts(bytes)?;
    let second = bytes.get(44 + body_size(first, 4)..)?;
    let (version, counts) = self::counts(second)?;
    if version < b'2' {
        return None;
    }
    let body = second.get(44..)?;
    let [.., times, types, _] = counts;
    let kinds = body.get(times * 8..times * 9)?;
    let offsets = body.get(times * 9..times * 9 + types * 6)?;
    let kind = |at: usize| {
        let entry = offsets.get(at * 6..at * 6 + 4)?;
        Some(i64::from(i32::from_be_bytes(entry.try_into().ok()?)))
    };
    let mut table = vec![(i64::MIN, kind(0)?)];
    for (at, which) in kinds.iter().enumerate() {
        let moment = body.get(at * 8..at * 8 + 8)?;
        table.push((i64::from_be_bytes(moment.try_into().ok()?), kind(usize::from(*which))?));
    }
    Some(table)
}

/// The version and the six counts of a TZif header.
fn counts(bytes: &[u8]) -> Option<(u8, [usize; 6])> {
    let head = bytes.get(..44)?.strip_prefix(b"TZif")?;
    let number = |at: usize| {
        let bytes: [u8; 4] = head.get(16 + at * 4..20 + at * 4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok().filter(|count| *count < 1 << 20)
    };
    let counts = [number(0)?, number(1)?, number(2)?, number(3)?, number(4)?, number(5)?];
    Some((head[0], counts))
}

fn body_size([utc, standard, leaps, times, types, letters]: [usize; 6], width: usize) -> usize {
    times * (width + 1) + types * 6 + letters + leaps * (width + 4) + standard + utc
}

fn offset(table: &[(i64, i64)], local: i64) -> i64 {
    let at = table.iter().rev().find(|(moment, offset)| local.saturating_sub(*offset) >= *moment);
    at.or(table.first()).map_or(0, |(_, offset)| *offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_without_a_table() {
        assert_eq!(fixed("EST5"), Some(-5 * 3600));
        assert_eq!(fixed("XXX-5:30"), Some(5 * 3600 + 30 * 60));
        assert_eq!(fixed("Nowhere"), None);
    }

    #[test]
    fn a_table_is_asked_by_local_time() {
        let table = [(i64::MIN, 0), (1000, 3600)];
        assert_eq!((offset(&table, 500), offset(&table, 9000)), (0, 3600));
        assert_eq!(transitions(b"TZif"), None);
    }
}
