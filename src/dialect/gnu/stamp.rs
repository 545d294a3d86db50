//! Time stamps in headers.

/// Seconds and nanoseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp {
    pub seconds: i64,
    pub nanos: u32,
}

/// The stamp by which diff marks a side that does not exist.
pub const EPOCH: Stamp = Stamp { seconds: 0, nanos: 0 };

/// Reads a date as diff, git and other tools write it. A stamp without a zone is `zone` seconds east.
pub fn parse(text: &[u8], zone: &dyn Fn(i64) -> i64) -> Option<Stamp> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let mut date = Date::default();
    for word in text.split_ascii_whitespace() {
        date.word(word)?;
    }
    date.stamp(zone)
}

impl Stamp {
    /// The listed time is local, and zones lie within -25 to +26 hours: any of these may be the epoch.
    pub fn may_be_epoch(self) -> bool {
        self.seconds > -25 * 3600 && self.seconds < 26 * 3600
    }
}

#[derive(Default)]
struct Date {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    clock: Option<(i64, u32)>,
    zone: Option<i64>,
}

impl Date {
    fn word(&mut self, word: &str) -> Option<()> {
        if let Some((day, clock)) = word.split_once('T')
            && day.contains('-')
        {
            self.word(day)?;
            return self.word(clock);
        }
        let word = match word.strip_suffix('Z') {
            Some(rest) if rest.contains(':') => {
                self.zone = Some(0);
                rest
            }
            _ => word,
        };
        if word.contains(':') && !word.starts_with(['+', '-']) {
            self.clock = Some(clock(word)?);
        } else if let Some(zone) = zone(word).filter(|_| self.clock.is_some()) {
            self.zone = Some(zone);
        } else if let Some(month) = month(word) {
            self.month = Some(month);
        } else if let Some(parts) = dashed(word) {
            [self.year, self.month, self.day] = parts.map(Some);
        } else if word.bytes().all(|b| b.is_ascii_digit()) {
            self.bare(word.parse().ok()?);
        } else if !is_weekday(word) {
            return None;
        }
        Some(())
    }

    fn bare(&mut self, number: i64) {
        if number > 31 || self.day.is_some() {
            self.year = Some(number);
        } else {
            self.day = Some(number);
        }
    }

    fn stamp(&self, zone: &dyn Fn(i64) -> i64) -> Option<Stamp> {
        let (year, month, day) = (self.year?, self.month?, self.day?);
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) || !(0..=100_000).contains(&year) {
            return None;
        }
        let (seconds, nanos) = self.clock.unwrap_or((0, 0));
        let local = days(year, month, day) * 86_400 + seconds;
        let zone = self.zone.unwrap_or_else(|| zone(local));
        Some(Stamp { seconds: local - zone, nanos })
    }
}

/// Days since 1970-01-01 in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let shifted = year - i64::from(month <= 2);
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// `hh:mm[:ss[.fraction]]`
fn clock(word: &str) -> Option<(i64, u32)> {
    let (whole, fraction) = word.split_once(['.', ',']).unwrap_or((word, ""));
    let mut parts = whole.split(':').map(|part| part.parse::<i64>().ok().filter(|n| (0..=60).contains(n)));
    let (hours, minutes) = (parts.next()??, parts.next()??);
    let seconds = match parts.next() {
        Some(seconds) => seconds?,
        None => 0,
    };
    if !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let nanos = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    let nanos = nanos.fold(0_u32, |sum, b| sum * 10 + u32::from(b - b'0'));
    (hours < 25).then_some((hours * 3600 + minutes * 60 + seconds, nanos))
}

/// `+hhmm`, `-hh:mm`, `UTC`
fn zone(word: &str) -> Option<i64> {
    if matches!(word, "UTC" | "GMT" | "Z") {
        return Some(0);
    }
    let (sign, digits) = match word.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let digits = digits.replace(':', "");
    let number: i64 = digits.parse().ok()?;
    let minutes = if digits.len() <= 2 { number * 60 } else { number / 100 * 60 + number % 100 };
    (minutes <= 26 * 60).then_some(sign * minutes * 60)
}

/// `YYYY-MM-DD` or `YYYY/MM/DD`
fn dashed(word: &str) -> Option<[i64; 3]> {
    let mut parts = word.split(['-', '/']).map(|part| part.parse::<i64>().ok());
    let date = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(date)
}

fn month(word: &str) -> Option<i64> {
    const NAMES: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let head = word.get(..3)?.to_ascii_lowercase();
    word.bytes().all(|b| b.is_ascii_alphabetic()).then_some(())?;
    NAMES.iter().position(|name| *name == head).map(|at| at as i64 + 1)
}

fn is_weekday(word: &str) -> bool {
    let head = word.get(..3).unwrap_or_default().to_ascii_lowercase();
    matches!(&head[..], "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<i64> {
        parse(text.as_bytes(), &|_| 3600).map(|stamp| stamp.seconds)
    }

    #[test]
    fn forms() {
        assert_eq!(seconds("1970-01-01 00:00:00.000000000 +0000"), Some(0));
        assert_eq!(seconds("2021-01-01 00:00:00 +0000"), Some(1_609_459_200));
        assert_eq!(seconds("Sat Jan  1 00:00:00 2000"), Some(946_684_800 - 3600));
        assert_eq!(seconds("2000-01-01T00:00:00Z"), Some(946_684_800));
        assert_eq!(seconds("1969-12-31 19:00:00.000000000 -0500"), Some(0));
        assert_eq!(seconds("(revision 1)"), None);
        assert_eq!(seconds(""), None);
    }

    #[test]
    fn fractions() {
        let stamp = parse(b"2020-01-01 00:00:00.5 +0000", &|_| 0).expect("a stamp");
        assert_eq!(stamp.nanos, 500_000_000);
        assert!(Stamp { seconds: 7200, nanos: 0 }.may_be_epoch());
    }
}
