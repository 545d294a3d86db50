//! UTF-16 files with a byte-order mark: decoded for editing, encoded back, refused when the round trip
//! would change a byte.

use std::borrow::Cow;

use encoding_rs::{UTF_16BE, UTF_16LE};

use super::BOM;

/// How a file's bytes are to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// As they are: ASCII, UTF-8, or anything else whose line ends are plain bytes.
    #[default]
    Bytes,
    Utf16Le,
    Utf16Be,
}

/// UTF-16 that does not come back the same when it is decoded and encoded: a lone surrogate, an odd byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the file claims to be UTF-16 but is not valid UTF-16")]
pub struct NotReversible;

const LE: &[u8] = b"\xff\xfe";
const BE: &[u8] = b"\xfe\xff";

/// The bytes to edit: UTF-16 as UTF-8 with a UTF-8 byte-order mark, all else as it is.
///
/// # Errors
/// UTF-16 that would not be encoded back to the same bytes.
pub fn decode(bytes: &[u8]) -> Result<(Encoding, Cow<'_, [u8]>), NotReversible> {
    let Some(encoding) = detect(bytes) else { return Ok((Encoding::Bytes, Cow::Borrowed(bytes))) };
    let rules = if encoding == Encoding::Utf16Le { UTF_16LE } else { UTF_16BE };
    let text = rules.decode_without_bom_handling_and_without_replacement(&bytes[2..]).ok_or(NotReversible)?;
    let mut out = Vec::with_capacity(BOM.len() + text.len());
    out.extend_from_slice(BOM);
    out.extend_from_slice(text.as_bytes());
    if encode(encoding, &out).is_none_or(|back| back.as_ref() != bytes) {
        return Err(NotReversible);
    }
    Ok((encoding, Cow::Owned(out)))
}

/// [`decode`] undone. `None` if the bytes are no UTF-8, so that they have no UTF-16 form.
pub fn encode(encoding: Encoding, bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let little = match encoding {
        Encoding::Bytes => return Some(Cow::Borrowed(bytes)),
        Encoding::Utf16Le => true,
        Encoding::Utf16Be => false,
    };
    let unit = |unit: u16| if little { unit.to_le_bytes() } else { unit.to_be_bytes() };
    let text = std::str::from_utf8(bytes.strip_prefix(BOM).unwrap_or(bytes)).ok()?;
    let mut out = Vec::with_capacity(2 + 2 * text.len());
    out.extend_from_slice(if little { LE } else { BE });
    out.extend(text.encode_utf16().flat_map(unit));
    Some(Cow::Owned(out))
}

/// UTF-32 begins with the same two bytes as UTF-16 and is left alone.
fn detect(bytes: &[u8]) -> Option<Encoding> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] => None,
        [0xff, 0xfe, ..] => Some(Encoding::Utf16Le),
        [0xfe, 0xff, ..] => Some(Encoding::Utf16Be),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(unit).collect()
    }

    #[test]
    fn there_and_back() {
        for text in ["", "a\r\nb\n", "\u{1f600} ü\u{feff}x"] {
            for (encoding, bytes) in [
                (Encoding::Utf16Le, utf16(text, u16::to_le_bytes)),
                (Encoding::Utf16Be, utf16(text, u16::to_be_bytes)),
            ] {
                let (found, plain) = decode(&bytes).unwrap();
                assert_eq!((found, &plain[..3], &plain[3..]), (encoding, BOM, text.as_bytes()));
                assert_eq!(encode(encoding, &plain).unwrap().as_ref(), bytes);
            }
        }
    }

    #[test]
    fn what_does_not_come_back_is_refused() {
        for bytes in [&b"\xff\xfea"[..], b"\xff\xfe\x00\xd8a\x00", b"\xfe\xff\xd8\x00"] {
            assert_eq!(decode(bytes), Err(NotReversible), "{bytes:?}");
        }
    }

    #[test]
    fn other_bytes_stay() {
        for bytes in [&b""[..], b"\xff", b"a\xff\xfe", b"\xff\xfe\0\0a\0\0\0", b"\xef\xbb\xbfa"] {
            assert_eq!(decode(bytes).unwrap(), (Encoding::Bytes, Cow::Borrowed(bytes)));
        }
    }

    #[test]
    fn no_utf16_for_foreign_bytes() {
        assert_eq!(encode(Encoding::Utf16Le, b"\xff"), None);
    }
}
