//! What tells one content from another in a journal.
//!
//! Recovery goes by content: a file is put back only while it holds what we put there. The hash guards
//! against chance, not against forgery; whoever can write into the state folder can write into the tree.

use std::os::fd::OwnedFd;

use crate::tree::{Image, is_link_mode, root::read_leaf};

const KEYS: [u64; 4] =
    [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03, 0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db];

/// A content and its permission bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Print {
    pub hash: u128,
    pub size: u64,
    pub mode: u32,
}

impl Print {
    pub(super) fn of(image: &Image) -> Print {
        Print { hash: hash(&image.bytes), size: image.bytes.len() as u64, mode: image.mode }
    }

    pub(super) fn is_link(self) -> bool {
        is_link_mode(self.mode)
    }
}

/// What stands under a name, as far as a journal's entry is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    /// A file or a link.
    File(Print),
    /// A folder, a device; or unreadable.
    Other,
}

impl Found {
    pub(super) fn at(dir: &OwnedFd, name: &[u8]) -> Found {
        match read_leaf(dir, name) {
            Ok(None) => Found::Nothing,
            Ok(Some((image, _))) => Found::File(Print::of(&image)),
            Err(_) => Found::Other,
        }
    }

    pub(super) fn is(self, print: Option<Print>) -> bool {
        matches!((self, print), (Found::File(found), Some(print)) if found == print)
    }

    /// Equal in kind and content, whatever the mode.
    pub(super) fn holds(self, print: Option<Print>) -> bool {
        let same = |a: Print, b: Print| (a.hash, a.size, a.is_link()) == (b.hash, b.size, b.is_link());
        matches!((self, print), (Found::File(found), Some(print)) if same(found, print))
    }
}

/// Two lanes of multiply and fold over 16 bytes at a time.
pub(super) fn hash(bytes: &[u8]) -> u128 {
    let mut lanes = [KEYS[0] ^ bytes.len() as u64, KEYS[1]];
    let mut chunks = bytes.chunks_exact(16);
    for chunk in &mut chunks {
        mix(&mut lanes, chunk);
    }
    let mut last = [0; 16];
    let rest = chunks.remainder();
    last[..rest.len()].copy_from_slice(rest);
    mix(&mut lanes, &last);
    mix(&mut lanes, &[0x5a; 16]);
    (u128::from(lanes[0]) << 64) | u128::from(lanes[1])
}

fn mix(lanes: &mut [u64; 2], chunk: &[u8]) {
    let word = |at: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&chunk[at..at + 8]);
        u64::from_le_bytes(word)
    };
    let (low, high) = (word(0), word(8));
    let first = fold(lanes[0] ^ low, KEYS[2] ^ high);
    let second = fold(lanes[1] ^ high.rotate_left(32), KEYS[3] ^ low);
    *lanes = [first ^ lanes[1].rotate_left(17), second.wrapping_add(lanes[0].rotate_left(41))];
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_hash_never_changes() {
        assert_eq!(format!("{:032x}", hash(b"")), "e39ee22eb6a311d00b6e1e953db1e5b8");
        assert_eq!(
            format!("{:032x}", hash(b"edapply: all files change, or none\n")),
            "c21edb644be09f384cfc7f074dff0480"
        );
    }

    #[test]
    fn small_differences_show() {
        let mut seen = BTreeSet::new();
        for len in 0..70 {
            let zeros = vec![0; len];
            assert!(seen.insert(hash(&zeros)), "{len} zeros");
            for at in 0..len * 8 {
                let mut bytes = zeros.clone();
                bytes[at / 8] ^= 1 << (at % 8);
                assert!(seen.insert(hash(&bytes)), "bit {at} of {len}");
            }
        }
    }

    #[test]
    fn exchanged_blocks_show() {
        assert_ne!(hash(&[[1; 16], [2; 16]].concat()), hash(&[[2; 16], [1; 16]].concat()));
        assert_ne!(hash(&[[1; 8], [2; 8]].concat()), hash(&[[2; 8], [1; 8]].concat()));
    }
}
