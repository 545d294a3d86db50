//! Bytes in the making.

use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    ops::Deref,
};

use memmap2::MmapMut;

/// So many bytes have pages of their own.
const LARGE: usize = 512 << 10;
/// What the system hands out at once where it can: a page is a fault, and a large file has thousands of them.
const HUGE: usize = 2 << 20;

/// Bytes of a file or of an input, while they are put together.
#[derive(Default)]
pub struct Buffer(Bytes);

enum Bytes {
    Heap(Vec<u8>),
    /// Large ones: the first `len` bytes.
    Pages {
        pages: MmapMut,
        len: usize,
    },
}

impl Buffer {
    /// With room for so many bytes.
    pub fn with_capacity(size: usize) -> Buffer {
        let pages = (size >= LARGE).then(|| pages(size)).flatten();
        Buffer(match pages {
            Some(pages) => Bytes::Pages { pages, len: 0 },
            None => Bytes::Heap(Vec::with_capacity(size)),
        })
    }

    /// Adds bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        match &mut self.0 {
            Bytes::Heap(all) => all.extend_from_slice(bytes),
            Bytes::Pages { pages, len } => match pages.get_mut(*len..*len + bytes.len()) {
                Some(room) => {
                    room.copy_from_slice(bytes);
                    *len += bytes.len();
                }
                None => *self = Buffer(Bytes::Heap([self, bytes].concat())),
            },
        }
    }

    /// Reads once, into the room that is left.
    pub(crate) fn read(&mut self, file: &File) -> rustix::io::Result<usize> {
        match &mut self.0 {
            Bytes::Heap(bytes) => rustix::io::read(file, rustix::buffer::spare_capacity(bytes)),
            Bytes::Pages { pages, len } => {
                rustix::io::read(file, &mut pages[*len..]).inspect(|read| *len += read)
            }
        }
    }

    /// Reads on to the end.
    ///
    /// # Errors
    /// Reading fails.
    pub fn read_on(&mut self, mut from: impl Read) -> io::Result<()> {
        while let Bytes::Pages { pages, len } = &mut self.0
            && *len < pages.len()
        {
            match from.read(&mut pages[*len..]) {
                Ok(0) => return Ok(()),
                Ok(read) => *len += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let mut bytes = Vec::from(std::mem::take(self));
        let read = from.read_to_end(&mut bytes);
        *self = Buffer(Bytes::Heap(bytes));
        read.map(drop)
    }
}

/// Fresh pages with room for so many bytes; `None` if there are none.
fn pages(size: usize) -> Option<MmapMut> {
    let pages = MmapMut::map_anon(size.checked_next_multiple_of(HUGE)?).ok()?;
    // Where the system has only small ones, they do as well.
    #[cfg(target_os = "linux")]
    let _ = pages.advise(memmap2::Advice::HugePage);
    Some(pages)
}

impl Default for Bytes {
    fn default() -> Bytes {
        Bytes::Heap(Vec::new())
    }
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Buffer {
        Buffer(Bytes::Heap(bytes))
    }
}

impl From<Buffer> for Vec<u8> {
    fn from(buffer: Buffer) -> Vec<u8> {
        match buffer.0 {
            Bytes::Heap(bytes) => bytes,
            Bytes::Pages { .. } => buffer.to_vec(),
        }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Bytes::Heap(bytes) => bytes,
            Bytes::Pages { pages, len } => &pages[..*len],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_large(buffer: &Buffer) -> bool {
        matches!(buffer.0, Bytes::Pages { .. })
    }

    #[test]
    fn a_large_content_is_what_was_put_in() {
        let piece: Vec<u8> = (0..=255).cycle().take(HUGE / 2).collect();
        let (mut buffer, mut plain) = (Buffer::with_capacity(HUGE), Vec::new());
        for large in [true, true, false] {
            buffer.push(&piece);
            plain.extend_from_slice(&piece);
            assert!(*buffer == *plain);
            assert_eq!(is_large(&buffer), large);
        }
        assert!(Vec::from(buffer) == plain);
    }

    #[test]
    fn more_or_less_may_be_read_than_was_expected() {
        let bytes: Vec<u8> = (0..=255).cycle().take(3 * HUGE).collect();
        for (size, expected, large) in [
            (0, 0, false),
            (7, 0, false),
            (0, LARGE, true),
            (7, LARGE, true),
            (HUGE - 1, LARGE, true),
            (HUGE, LARGE, false),
            (3 * HUGE, LARGE, false),
            (3 * HUGE, 3 * HUGE + 1, true),
        ] {
            let mut buffer = Buffer::with_capacity(expected);
            buffer.read_on(&bytes[..size]).expect("bytes");
            assert!(*buffer == bytes[..size], "{size} {expected}");
            assert_eq!(is_large(&buffer), large, "{size} {expected}");
        }
    }
}
