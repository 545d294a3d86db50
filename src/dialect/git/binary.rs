//! Binary patches, once for each direction, in git's words.

use super::{
    header::{Reader, Stop, first_line},
    patch::FilePatch,
};
use crate::{
    edit::Blob,
    input::binary::{Bad, decode, head, inflate},
};

/// Results beyond this are refused.
pub const MAX_RESULT: u64 = 1 << 30;

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
    let Some((method, size)) = head(line) else { return Ok(None) };
    reader.at += line.len();
    reader.line += 1;
    let mut packed = Vec::new();
    let bytes = loop {
        let line = first_line(&text[reader.at..]);
        reader.line += 1;
        if line == b"\n" {
            reader.at += 1;
            match inflate(&packed, size, MAX_RESULT) {
                Some(bytes) => break bytes,
                None => return Err(corrupt(reader, b"")),
            }
        }
        let body = line.strip_suffix(b"\n");
        if let Err(why) = body.ok_or(Bad::Shape).and_then(|body| decode(body, &mut packed)) {
            match why {
                Bad::Shape => {}
                Bad::Digit(digit) => reader.say.error([b"invalid base85 alphabet ", &[digit][..]].concat()),
                Bad::Group(group) => reader.say.error([b"invalid base85 sequence ", &group[..]].concat()),
            }
            return Err(corrupt(reader, body.unwrap_or(line)));
        }
        reader.at += line.len();
    };
    Ok(Some(Blob { method, bytes: bytes.into() }))
}

fn corrupt(reader: &mut Reader<'_, '_>, line: &[u8]) -> Stop {
    let place = format!("corrupt binary patch at line {}: ", reader.line - 1);
    reader.say.error([place.as_bytes(), line].concat());
    Stop::Broken
}
