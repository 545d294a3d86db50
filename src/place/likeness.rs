//! How alike two lines are. It only ever suggests: no removed text is matched by likeness.

/// Lines longer than this are compared by their common start and end alone.
const LONG: usize = 400;
/// Bytes that a slip of the finger changes at most.
const SLIP: usize = 3;

/// Twice the bytes in common (in order) over the bytes of both: 1 for equal lines, 0 for nothing alike.
pub(crate) fn likeness(a: &[u8], b: &[u8]) -> f64 {
    let total = a.len() + b.len();
    if total == 0 {
        return 1.0;
    }
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    let between = if a.len().max(b.len()) > LONG { 0 } else { common(a, b) };
    share(2 * (head + tail + between), total)
}

/// So alike that one is the other with a slip of the finger: at least three quarters alike, and what
/// differs is a few letters in one spot. A differing digit is no slip: it tells things apart.
pub(crate) fn misspelt(a: &[u8], b: &[u8]) -> bool {
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (rest_a, rest_b) = (&a[head..], &b[head..]);
    let tail = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(x, y)| x == y).count();
    let differs = [&rest_a[..rest_a.len() - tail], &rest_b[..rest_b.len() - tail]];
    differs.iter().all(|part| part.len() <= SLIP && !part.iter().any(u8::is_ascii_digit))
        && share(2 * (head + tail), a.len() + b.len()) >= 0.75
}

/// `part / whole` as a fraction; both are lengths of lines.
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    let exact = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    if whole == 0 { 1.0 } else { exact(part) / exact(whole) }
}

/// The length of the longest common subsequence. One row of the usual table at a time, its steps as bits: a bit of
/// `a` is zero where the length grows, and a whole word of them moves on by one addition.
fn common(a: &[u8], b: &[u8]) -> usize {
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let mut rows: Vec<u64> = vec![u64::MAX; a.len().div_ceil(64)];
    let mut places = vec![0_u64; 256 * rows.len()];
    for (at, byte) in a.iter().enumerate() {
        places[usize::from(*byte) * rows.len() + at / 64] |= 1 << (at % 64);
    }
    for byte in b {
        let places = &places[usize::from(*byte) * rows.len()..];
        let mut carry = false;
        for (row, places) in rows.iter_mut().zip(places) {
            let met = *row & places;
            let (sum, over) = row.overflowing_add(met);
            let (sum, more) = sum.overflowing_add(u64::from(carry));
            carry = over || more;
            *row = sum | (*row & !places);
        }
    }
    (0..a.len()).filter(|at| rows[at / 64] & (1 << (at % 64)) == 0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger() {
        assert!(misspelt(b"second_call()", b"secnod_call()"));
        assert!(misspelt(b"second_call()", b"secod_call()"));
        assert!(misspelt(b"first_entry = make()", b"fiXrst_entry = make()"));
        assert!(!misspelt(b"value1 = make(entry)", b"value2 = make(entry)"));
        assert!(!misspelt(b"def open_entry(result, segment):", b"def fetch_sensor(result, segment):"));
        assert!(!misspelt(b"ab", b"ac"));
    }

    /// By the definition, cell by cell.
    fn plain(a: &[u8], b: &[u8]) -> usize {
        let mut row = vec![0usize; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    proptest::proptest! {
        #[test]
        fn in_common_as_defined(a in "[a-d]{0,200}", b in "[a-d]{0,200}") {
            proptest::prop_assert_eq!(common(a.as_bytes(), b.as_bytes()), plain(a.as_bytes(), b.as_bytes()));
        }
    }

    #[test]
    fn shares() {
        assert!((likeness(b"abc", b"abc") - 1.0).abs() < 1e-9);
        assert!((likeness(b"abc", b"axc") - 2.0 / 3.0).abs() < 1e-9);
        assert!(likeness(b"return sum;", b"retrun sum;") > 0.9);
        assert!(likeness(b"abc", b"xyz") < 0.01);
        assert!((likeness(b"", b"") - 1.0).abs() < 1e-9);
    }
}
