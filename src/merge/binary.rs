//! Binary patches put to use: only on exactly the content that they were made for.

use sha2::Digest;

use super::delta;
use crate::{
    edit::{Binary, Method},
    refusal::Refusal,
    text::Content,
};

/// Larger results are refused.
const MAX_RESULT: u64 = 256 << 20;
/// Digits of a name by SHA-256.
const LONG: usize = 64;

/// What git calls a content, in as many hexadecimal digits: 64 by SHA-256, else 40 by SHA-1.
pub fn id(bytes: &[u8], digits: usize) -> String {
    let head = format!("blob {}\0", bytes.len());
    let hex = |sum: &[u8]| sum.iter().map(|byte| format!("{byte:02x}")).collect();
    if digits == LONG {
        return hex(&sha2::Sha256::new().chain_update(&head).chain_update(bytes).finalize());
    }
    let mut sum = sha1_checked::Sha1::builder().build();
    sha1_checked::Digest::update(&mut sum, &head);
    sha1_checked::Digest::update(&mut sum, bytes);
    hex(sum.try_finalize().hash())
}

/// The content after the patch, where `old` stands now. Nothing: it stands there already.
///
/// # Errors
/// The patch was made for another content, or is damaged.
pub fn apply(binary: &Binary, old: Option<&[u8]>) -> Result<Option<Content>, Refusal> {
    let refuse = |what| Err(Refusal::Binary { what });
    let is = |bytes: Option<&[u8]>, wanted: &Option<Vec<u8>>| match (bytes, wanted) {
        (Some(bytes), Some(wanted)) => id(bytes, wanted.len()).as_bytes().starts_with(wanted),
        (None, None) => true,
        _ => false,
    };
    if !is(old, &binary.old) {
        if is(old, &binary.new) {
            return Ok(None);
        }
        return match (&binary.old, old) {
            (None, _) => Err(Refusal::FileExists),
            (_, None) => Err(Refusal::missing()),
            _ => refuse("the binary patch was made for another content of the file"),
        };
    }
    let bytes = match binary.forward.method {
        _ if binary.new.is_none() => return Ok(Some(Content::default())),
        Method::Literal => Some(binary.forward.bytes.clone()),
        Method::Delta => {
            delta::apply(old.unwrap_or_default(), &binary.forward.bytes, MAX_RESULT).map(Content::from)
        }
    };
    match bytes {
        Some(bytes) if is(Some(&bytes), &binary.new) => Ok(Some(bytes)),
        _ => refuse("the binary patch is damaged: what it makes is not what its `index` line says"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::Blob;

    fn patch(old: Option<&[u8]>, new: Option<&[u8]>, forward: Blob) -> Binary {
        let name = |bytes: Option<&[u8]>| bytes.map(|bytes| id(bytes, 40).into_bytes());
        Binary { old: name(old), new: name(new), forward, reverse: None }
    }

    fn literal(bytes: &[u8]) -> Blob {
        Blob { method: Method::Literal, bytes: bytes.into() }
    }

    #[test]
    fn names_are_git_s() {
        assert_eq!(id(b"", 40), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(id(b"", 64), "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
    }

    #[test]
    fn only_what_it_was_made_for() {
        let made = |binary: &Binary, old: Option<&[u8]>| apply(binary, old).map_err(|refusal| refusal.code());
        let change = patch(Some(b"a\0"), Some(b"b\0"), literal(b"b\0"));
        assert_eq!(made(&change, Some(b"a\0")), Ok(Some("b\0".into())));
        assert_eq!(made(&change, Some(b"b\0")), Ok(None));
        assert_eq!(made(&change, Some(b"c\0")), Err("binary"));
        assert_eq!(made(&change, None), Err("no-such-file"));
        let wrong = patch(Some(b"a\0"), Some(b"b\0"), literal(b"x\0"));
        assert_eq!(made(&wrong, Some(b"a\0")), Err("binary"));
        let new = patch(None, Some(b"b\0"), literal(b"b\0"));
        assert_eq!(made(&new, None), Ok(Some("b\0".into())));
        assert_eq!(made(&new, Some(b"c")), Err("file-exists"));
        let delta = Blob { method: Method::Delta, bytes: vec![2, 3, 0x90, 2, 1, b'x'].into() };
        assert_eq!(made(&patch(Some(b"ab"), Some(b"abx"), delta), Some(b"ab")), Ok(Some("abx".into())));
        let gone = patch(Some(b"a\0"), None, literal(b""));
        assert_eq!(made(&gone, Some(b"a\0")), Ok(Some(Content::default())));
        assert_eq!(made(&gone, None), Ok(None));
    }

    #[test]
    fn a_short_name_is_enough_if_it_fits() {
        let mut change = patch(Some(b"a\0"), Some(b"b\0"), literal(b"b\0"));
        change.old.iter_mut().for_each(|id| id.truncate(7));
        assert_eq!(apply(&change, Some(b"a\0")), Ok(Some("b\0".into())));
        assert!(apply(&change, Some(b"x\0")).is_err());
    }
}
