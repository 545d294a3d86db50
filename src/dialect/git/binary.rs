//! Binary patches: base85 lines around a zlib stream, once for each direction.

use std::io::Read;

use super::{
    delta::MAX_RESULT,
    header::{Reader, Stop, first_line},
    patch::FilePatch,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The content itself.
    Literal,
    /// How to make it from the old content.
    Delta,
}

/// One direction of a binary patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    pub method: Method,
    pub bytes: Vec<u8>,
}

/// Reads what follows the line `GIT binary patch`: one direction, perhaps the other too.
pub fn read(reader: &mut Reader<'_, '_>, patch: &mut FilePatch) -> Result<(), Stop> {
    let Some(forward) = blob(reader)? else {
        let message = format!("unrecognized binary patch at line {}", reader.line - 1);
        reader.say.error(message);
        return Err(Stop::Broken);
    };
    patch.blobs.push(forward);
    patch.blobs.extend(blob(reader)?);
    patch.is_binary = true;
    Ok(())
}

fn blob(reader: &mut Reader<'_, '_>) -> Result<Option<Blob>, Stop> {
    let text = reader.text;
    let line = first_line(&text[reader.at..]);
    let (method, size) = match (line.strip_prefix(b"literal "), line.strip_prefix(b"delta ")) {
        (Some(size), _) => (Method::Literal, size),
        (_, Some(size)) => (Method::Delta, size),
        _ => return Ok(None),
    };
    let digits = size.iter().take_while(|b| b.is_ascii_digit());
    let size = digits.fold(0_u64, |sum, b| sum.saturating_mul(10).saturating_add(u64::from(b - b'0')));
    reader.at += line.len();
    reader.line += 1;
    let mut packed = Vec::new();
    let bytes = loop {
        let line = first_line(&text[reader.at..]);
        reader.line += 1;
        if line == b"\n" {
            reader.at += 1;
            match inflate(&packed, size) {
                Some(bytes) => break bytes,
                None => return Err(corrupt(reader, b"")),
            }
        }
        if let Err(why) = decode(line, &mut packed) {
            if !why.is_empty() {
                reader.say.error(why);
            }
            return Err(corrupt(reader, line.strip_suffix(b"\n").unwrap_or(line)));
        }
        reader.at += line.len();
    };
    Ok(Some(Blob { method, bytes }))
}

fn corrupt(reader: &mut Reader<'_, '_>, line: &[u8]) -> Stop {
    let place = format!("corrupt binary patch at line {}: ", reader.line - 1);
    reader.say.error([place.as_bytes(), line].concat());
    Stop::Broken
}

/// The whole stream, which must come to `size` bytes.
fn inflate(packed: &[u8], size: u64) -> Option<Vec<u8>> {
    if size > MAX_RESULT {
        return None;
    }
    let mut bytes = Vec::new();
    flate2::read::ZlibDecoder::new(packed).take(size + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == size).then_some(bytes)
}

const ALPHABET: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// One line: a letter for the number of bytes, and groups of five digits for four bytes each.
fn decode(line: &[u8], out: &mut Vec<u8>) -> Result<(), Vec<u8>> {
    let shape = || Vec::new();
    if line.len() < 7 || !(line.len() - 2).is_multiple_of(5) || !line.ends_with(b"\n") {
        return Err(shape());
    }
    let length = match line[0] {
        letter @ b'A'..=b'Z' => usize::from(letter - b'A') + 1,
        letter @ b'a'..=b'z' => usize::from(letter - b'a') + 27,
        _ => return Err(shape()),
    };
    let groups = &line[1..line.len() - 1];
    let most = groups.len() / 5 * 4;
    if most < length || length + 4 <= most {
        return Err(shape());
    }
    let mut left = length;
    for group in groups.chunks_exact(5) {
        let bytes = four(group)?.to_be_bytes();
        let kept = left.min(4);
        out.extend_from_slice(&bytes[..kept]);
        left -= kept;
    }
    Ok(())
}

fn four(group: &[u8]) -> Result<u32, Vec<u8>> {
    let mut value = 0_u64;
    for digit in group {
        let Some(digit) = ALPHABET.iter().position(|b| b == digit) else {
            return Err([b"invalid base85 alphabet ", &[*digit][..]].concat());
        };
        value = value * 85 + digit as u64;
    }
    u32::try_from(value).map_err(|_| [b"invalid base85 sequence ", group].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let mut out = Vec::new();
        assert_eq!(decode(b"A00000\n", &mut out), Ok(()));
        assert_eq!(out, [0]);
        assert_eq!(decode(b"D~~~~~\n", &mut Vec::new()), Err(b"invalid base85 sequence ~~~~~".to_vec()));
        assert_eq!(decode(b"D000 0\n", &mut Vec::new()), Err(b"invalid base85 alphabet  ".to_vec()));
        for bad in [&b"E00000\n"[..], b"A000000000\n", b"A0000\n", b"\n", b"A00000", b"10000 \n"] {
            assert!(decode(bad, &mut Vec::new()).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn bombs_are_told_by_their_size() {
        use std::io::Write;
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(&[0; 100_000]).expect("packed");
        let packed = packer.finish().expect("packed");
        assert_eq!(inflate(&packed, 10), None);
        assert_eq!(inflate(&packed, 100_000).map(|bytes| bytes.len()), Some(100_000));
        assert_eq!(inflate(&packed, u64::MAX), None);
    }
}
