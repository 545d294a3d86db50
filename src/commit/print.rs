//! What tells one content from another in a journal.
//!
//! Recovery goes by content: a file is put back only while it holds what we put there. The hash guards
//! against chance, not against forgery; whoever can write into the state folder can write into the tree.

use std::{borrow::Cow, os::fd::OwnedFd};

use twox_hash::XxHash3_128;

use crate::tree::{Image, is_link_mode, root::read_leaf};

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

/// XXH3 of 128 bits: the fastest that was measured of those with a written specification.
pub(super) fn hash(bytes: &[u8]) -> u128 {
    XxHash3_128::oneshot(bytes)
}

/// The hash of what the pieces come to.
pub(super) fn hash_all(pieces: &[Cow<'_, [u8]>]) -> u128 {
    if let [whole] = pieces {
        return hash(whole);
    }
    let mut hasher = XxHash3_128::new();
    pieces.iter().for_each(|piece| hasher.write(piece));
    hasher.finish_128()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_hash_never_changes() {
        assert_eq!(format!("{:032x}", hash(b"")), "99aa06d3014798d86001c324468d497f");
        assert_eq!(
            format!("{:032x}", hash(b"edapply: all files change, or none\n")),
            "0e59a07d3554598789bc4f24ca640c4f"
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
