//! Git's binary patches: lines in base 85 around a zlib stream. Read here for every dialect.

use std::io::{Read, Write};

use crate::edit::{Blob, Method};

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bad {
    /// Its length is none that such a line may have.
    Shape,
    Digit(u8),
    /// Five digits that come to more than four bytes.
    Group(Vec<u8>),
}

/// `literal N` or `delta N`, where N is the size once inflated.
pub fn head(line: &[u8]) -> Option<(Method, u64)> {
    let (method, size) = match (line.strip_prefix(b"literal "), line.strip_prefix(b"delta ")) {
        (Some(size), _) => (Method::Literal, size),
        (_, Some(size)) => (Method::Delta, size),
        _ => return None,
    };
    let digits = size.iter().take_while(|b| b.is_ascii_digit());
    let size = digits.fold(0_u64, |sum, b| sum.saturating_mul(10).saturating_add(u64::from(b - b'0')));
    Some((method, size))
}

/// The whole stream, which must come to `size` bytes, at most `most`.
pub fn inflate(packed: &[u8], size: u64, most: u64) -> Option<Vec<u8>> {
    if size > most {
        return None;
    }
    // Nothing packs tighter than that: what a head claims reserves no memory by itself.
    let room = size.min(packed.len() as u64 * TIGHTEST);
    let mut bytes = Vec::with_capacity(usize::try_from(room).ok()? + 1);
    flate2::bufread::ZlibDecoder::new(packed).take(size + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == size).then_some(bytes)
}

const ALPHABET: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
/// No digit.
const NONE: u8 = u8::MAX;
/// What each byte is worth as a digit.
const VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut at = 0;
    while at < ALPHABET.len() {
        values[ALPHABET[at] as usize] = at as u8;
        at += 1;
    }
    values
};
/// How many bytes a packed one comes to at most.
const TIGHTEST: u64 = 1032;
/// Bytes that a line holds at most.
const FULL: usize = 52;

/// One line: a letter for the number of bytes, and groups of five digits for four bytes each.
///
/// # Errors
/// It is no such line; what it held is in `out` up to there.
pub fn decode(line: &[u8], out: &mut Vec<u8>) -> Result<(), Bad> {
    let (letter, groups) = line.split_first().ok_or(Bad::Shape)?;
    let length = match letter {
        b'A'..=b'Z' => usize::from(letter - b'A') + 1,
        b'a'..=b'z' => usize::from(letter - b'a') + 27,
        _ => return Err(Bad::Shape),
    };
    let most = groups.len() / 5 * 4;
    if groups.is_empty() || !groups.len().is_multiple_of(5) || most < length || length + 4 <= most {
        return Err(Bad::Shape);
    }
    let mut bytes = [0; FULL];
    for (at, group) in groups.chunks_exact(5).enumerate() {
        match four(group) {
            Ok(four) => bytes[4 * at..][..4].copy_from_slice(&four.to_be_bytes()),
            Err(bad) => {
                out.extend_from_slice(&bytes[..4 * at]);
                return Err(bad);
            }
        }
    }
    out.extend_from_slice(&bytes[..length]);
    Ok(())
}

fn four(group: &[u8]) -> Result<u32, Bad> {
    let mut value = 0_u64;
    for digit in group {
        match VALUES[usize::from(*digit)] {
            NONE => return Err(Bad::Digit(*digit)),
            worth => value = value * 85 + u64::from(worth),
        }
    }
    u32::try_from(value).map_err(|_| Bad::Group(group.to_vec()))
}

/// One direction of a binary patch, the blank line at its end included.
///
/// # Errors
/// `out` takes no more.
pub fn write(bytes: &[u8], out: &mut dyn Write) -> std::io::Result<()> {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes)?;
    let packed = packer.finish()?;
    writeln!(out, "literal {}", bytes.len())?;
    for piece in packed.chunks(FULL) {
        let length = u8::try_from(piece.len()).unwrap_or(0);
        let mut line = vec![if length <= 26 { b'A' + length - 1 } else { b'a' + length - 27 }];
        for four in piece.chunks(4) {
            let mut word = [0; 4];
            word[..four.len()].copy_from_slice(four);
            let word = u32::from_be_bytes(word) as usize;
            line.extend([4, 3, 2, 1, 0].map(|power| ALPHABET[word / 85_usize.pow(power) % 85]));
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    out.write_all(b"\n")
}

/// Reads one direction from lines without their ends, and says how many they are: its head and its data,
/// up to a line that is none of theirs. Nothing, if there is no head.
///
/// # Errors
/// The data do not come to what the head says.
pub fn read<'l>(
    mut lines: impl Iterator<Item = &'l [u8]>,
    most: u64,
) -> Result<Option<(Blob, usize)>, &'static str> {
    let Some((method, size)) = lines.next().and_then(head) else { return Ok(None) };
    let mut packed = Vec::new();
    // The stream itself tells whether it is whole.
    let used = 1 + lines.take_while(|line| decode(line.trim_ascii_end(), &mut packed).is_ok()).count();
    if size > most {
        return Err("the binary patch's content is too large");
    }
    let bytes = inflate(&packed, size, most).ok_or("the binary patch's data are damaged or cut off")?;
    Ok(Some((Blob { method, bytes: bytes.into() }, used)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines() {
        let mut out = Vec::new();
        assert_eq!(decode(b"A00000", &mut out), Ok(()));
        assert_eq!(out, [0]);
        assert_eq!(decode(b"D~~~~~", &mut Vec::new()), Err(Bad::Group(b"~~~~~".to_vec())));
        assert_eq!(decode(b"D000 0", &mut Vec::new()), Err(Bad::Digit(b' ')));
        for bad in [&b"E00000"[..], b"A000000000", b"A0000", b"", b"A", b"10000 "] {
            assert_eq!(decode(bad, &mut Vec::new()), Err(Bad::Shape), "{bad:?}");
        }
    }

    #[test]
    fn bombs_are_told_by_their_size() {
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&[0; 100_000]).expect("packed");
        let packed = packer.finish().expect("packed");
        assert_eq!(inflate(&packed, 10, 1 << 20), None);
        assert_eq!(inflate(&packed, 100_000, 1 << 20).map(|bytes| bytes.len()), Some(100_000));
        assert_eq!(inflate(&packed, 100_000, 99_999), None);
        assert_eq!(inflate(&packed, u64::MAX, u64::MAX - 1), None);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(bytes in proptest::collection::vec(any::<u8>(), 0..500)) {
            let mut out = Vec::new();
            write(&bytes, &mut out).expect("memory");
            let lines: Vec<&[u8]> = out.split(|b| *b == b'\n').collect();
            let read = read(lines.iter().copied(), 1 << 20).expect("whole").expect("one");
            prop_assert_eq!(read, (Blob { method: Method::Literal, bytes: bytes.into() }, lines.len() - 2));
        }
    }
}
