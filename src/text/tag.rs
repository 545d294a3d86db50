//! The tag of a text: four hexadecimal digits by which a line edit says which text its numbers count in.
//!
//! The tag is the low half of xxHash32 (seed 0) over the text without byte-order mark, with `\n` for every
//! line end and without blanks before line ends, so that what editors change in passing does not change
//! it. Sixteen bits tell a stale text from a fresh one; they do not prove that two texts are equal.

use super::BOM;

/// The tag of a file's bytes.
pub fn tag(bytes: &[u8]) -> u16 {
    let hash = xxh32(&normalized(bytes));
    u16::try_from(hash & 0xffff).unwrap_or(0)
}

/// Four upper-case hexadecimal digits.
pub fn shown(tag: u16) -> String {
    format!("{tag:04X}")
}

/// Without byte-order mark, with `\n` for every line end, without blanks before line ends.
fn normalized(bytes: &[u8]) -> Vec<u8> {
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let mut out = Vec::with_capacity(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => {}
            b'\r' | b'\n' => {
                cut_blanks(&mut out);
                out.push(b'\n');
            }
            byte => out.push(byte),
        }
    }
    cut_blanks(&mut out);
    out
}

fn cut_blanks(out: &mut Vec<u8>) {
    while matches!(out.last(), Some(b' ' | b'\t')) {
        out.pop();
    }
}

const PRIMES: [u32; 5] = [2_654_435_761, 2_246_822_519, 3_266_489_917, 668_265_263, 374_761_393];

/// xxHash32 with seed 0.
fn xxh32(bytes: &[u8]) -> u32 {
    let mut lanes = [PRIMES[0].wrapping_add(PRIMES[1]), PRIMES[1], 0, 0_u32.wrapping_sub(PRIMES[0])];
    let (stripes, rest) = bytes.as_chunks::<16>();
    for stripe in stripes {
        for (lane, word) in lanes.iter_mut().zip(stripe.as_chunks::<4>().0) {
            *lane = lane
                .wrapping_add(u32::from_le_bytes(*word).wrapping_mul(PRIMES[1]))
                .rotate_left(13)
                .wrapping_mul(PRIMES[0]);
        }
    }
    let mut hash = match stripes {
        [] => PRIMES[4],
        _ => lanes
            .iter()
            .zip([1, 7, 12, 18])
            .fold(0, |sum: u32, (lane, by)| sum.wrapping_add(lane.rotate_left(by))),
    };
    // The length enters modulo 2^32.
    hash = hash.wrapping_add(bytes.len() as u32);
    let (words, tail) = rest.as_chunks::<4>();
    for word in words {
        hash = hash.wrapping_add(u32::from_le_bytes(*word).wrapping_mul(PRIMES[2]));
        hash = hash.rotate_left(17).wrapping_mul(PRIMES[3]);
    }
    for &byte in tail {
        hash = hash.wrapping_add(u32::from(byte).wrapping_mul(PRIMES[4]));
        hash = hash.rotate_left(11).wrapping_mul(PRIMES[0]);
    }
    avalanche(hash)
}

fn avalanche(mut hash: u32) -> u32 {
    hash = (hash ^ (hash >> 15)).wrapping_mul(PRIMES[1]);
    hash = (hash ^ (hash >> 13)).wrapping_mul(PRIMES[2]);
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_as_specified() {
        for (text, hash) in [
            (&b""[..], 0x02cc_5d05),
            (b"a", 0x550d_7456),
            (b"abc", 0x32d1_53ff),
            (b"Nobody inspects the spammish repetition", 0xe229_3b2f),
        ] {
            assert_eq!(xxh32(text), hash, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn tags_of_texts() {
        for (text, want) in [
            ("", "5D05"),
            ("\n", "D352"),
            ("a\n", "9585"),
            ("a", "7456"),
            ("a  \n", "9585"),
            ("a\r\n", "9585"),
            ("a \t\r\n", "9585"),
            ("\u{feff}a\n", "9585"),
            ("hello\nworld\n", "3030"),
            ("hello\nworld", "4D07"),
            ("hello\rworld", "4D07"),
            ("a\n\n", "4F66"),
            ("a\n \n", "4F66"),
            ("😀 ünï\n", "F70C"),
            ("one\ntwo\nthree\nfour\nfive\n", "2914"),
            ("one\ntwo\nthree\nfour\nfive", "B10C"),
            ("const greeting = \"hi\";\nexport { greeting };\n", "AED8"),
        ] {
            assert_eq!(shown(tag(text.as_bytes())), want, "{text:?}");
        }
    }
}
