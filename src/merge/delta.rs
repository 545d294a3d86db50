//! Differences between two byte strings, as git's packs hold them: copies from the old one, and new bytes.

/// What `delta` makes of `source`, at most `most` bytes; none if it does not fit.
pub fn apply(source: &[u8], delta: &[u8], most: u64) -> Option<Vec<u8>> {
    let (size, rest) = number(delta)?;
    if size != source.len() as u64 {
        return None;
    }
    let (size, ops) = number(rest)?;
    if size > most || total(ops)? != size {
        return None;
    }
    let mut out = Vec::with_capacity(usize::try_from(size).ok()?);
    let mut rest = ops;
    while let Some((op, behind)) = next(rest)? {
        match op {
            Op::Copy { from, size } => out.extend_from_slice(source.get(from..from.checked_add(size)?)?),
            Op::Insert(bytes) => out.extend_from_slice(bytes),
        }
        rest = behind;
    }
    Some(out)
}

enum Op<'d> {
    Copy { from: usize, size: usize },
    Insert(&'d [u8]),
}

/// The size of the result, summed before anything is built.
fn total(ops: &[u8]) -> Option<u64> {
    let mut rest = ops;
    let mut sum = 0_u64;
    while let Some((op, behind)) = next(rest)? {
        sum += match op {
            Op::Copy { size, .. } => size as u64,
            Op::Insert(bytes) => bytes.len() as u64,
        };
        rest = behind;
    }
    Some(sum)
}

/// The first operation and what follows it; inner none at the end, outer none for nonsense.
#[allow(clippy::option_option)]
fn next(text: &[u8]) -> Option<Option<(Op<'_>, &[u8])>> {
    let Some((&code, mut rest)) = text.split_first() else { return Some(None) };
    if code & 0x80 == 0 {
        let size = usize::from(code);
        return (size > 0 && size <= rest.len()).then(|| {
            let (bytes, behind) = rest.split_at(size);
            Some((Op::Insert(bytes), behind))
        });
    }
    let mut values = [0_usize; 7];
    for (bit, value) in values.iter_mut().enumerate() {
        if code & (1 << bit) != 0 {
            let (&byte, behind) = rest.split_first()?;
            *value = usize::from(byte);
            rest = behind;
        }
    }
    let [a, b, c, d, x, y, z] = values;
    let from = a | (b << 8) | (c << 16) | (d << 24);
    let size = x | (y << 8) | (z << 16);
    let size = if size == 0 { 0x10000 } else { size };
    Some(Some((Op::Copy { from, size }, rest)))
}

/// Seven bits a byte, the lowest first.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0_u64;
    for (at, byte) in text.iter().enumerate().take(9) {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((value, &text[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_and_inserts() {
        assert_eq!(apply(b"abcdef", &[6, 5, 0x91, 2, 3, 2, b'X', b'Y'], 5), Some(b"cdeXY".to_vec()));
        assert_eq!(apply(b"ab", &[2, 2, 0x90, 2], 5), Some(b"ab".to_vec()));
    }

    #[test]
    fn results_have_a_limit() {
        assert_eq!(apply(b"ab", &[2, 2, 0x90, 2], 1), None);
        let mut bomb = vec![2, 0x80, 0x80, 0x80, 0x80, 0x10];
        bomb.extend([0x80; 1000]);
        assert_eq!(apply(b"ab", &bomb, 1 << 20), None);
    }

    #[test]
    fn nonsense() {
        for delta in [
            &[][..],
            &[5, 1, 1, b'x'],
            &[2, 3, 0x90, 2],
            &[2, 1, 0],
            &[2, 2, 0x91, 1, 2],
            &[2, 1, 2, b'x'],
            &[2, 0x80],
            &[2, 2, 0x80],
        ] {
            assert_eq!(apply(b"ab", delta, 100), None, "{delta:?}");
        }
    }
}
