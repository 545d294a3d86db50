//! Bytes as lines.
//!
//! A file is never decoded: it is a run of lines, each with its own line end, and every byte that no
//! edit touches is written back as it was read. [`Text`] cuts bytes into lines; [`Eol`] is a line's
//! own end; `view` has the ways to look at a line for comparing.

mod buffer;
mod content;
pub mod elision;
pub mod encoding;
pub mod indent;
pub mod tag;
pub mod token;
pub mod view;

pub use buffer::Buffer;
pub use content::Content;
pub(crate) use content::unsigned;

/// How one line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Eol {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// The last line of a file, unterminated. In an edit: the format said so
    /// (`\ No newline at end of file`), not merely a reply that stops there.
    None,
}

impl Eol {
    /// The bytes that end the line.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Eol::Lf => b"\n",
            Eol::CrLf => b"\r\n",
            Eol::None => b"",
        }
    }
}

/// The UTF-8 byte-order mark.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// Bytes cut into lines. Only `\n` ends a line (`\r\n` counts as one end); a lone `\r`, form feeds and
/// Unicode separators are content. A UTF-8 byte-order mark is kept aside, so that line 1 can be quoted
/// without it.
#[derive(Clone, Debug)]
pub struct Text<'a> {
    bytes: &'a [u8],
    /// Where each line starts; one more entry marks the end of the text.
    starts: Vec<u32>,
}

impl<'a> Text<'a> {
    /// Cuts `bytes` into lines. `a\n` is one line, `a\nb` two, nothing none.
    ///
    /// # Panics
    /// On 4 GiB and more: files and inputs are refused from 1 GiB on.
    pub fn new(bytes: &'a [u8]) -> Text<'a> {
        assert!(u32::try_from(bytes.len()).is_ok(), "no text is so large");
        let first = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let mut starts = Vec::with_capacity(bytes.len() / 24 + 2);
        starts.push(first as u32);
        each_line_end(&bytes[first..], |at| starts.push((first + at + 1) as u32));
        if starts.last().is_some_and(|&end| (end as usize) < bytes.len()) {
            starts.push(bytes.len() as u32);
        }
        Text { bytes, starts }
    }

    /// All bytes, with the byte-order mark.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The byte-order mark, or nothing.
    pub fn bom(&self) -> &'a [u8] {
        &self.bytes[..self.offset(0)]
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// No line at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Line `at` (from 0) with its line end.
    pub fn full(&self, at: usize) -> &'a [u8] {
        &self.bytes[self.offset(at)..self.offset(at + 1)]
    }

    /// Line `at` (from 0) without its line end.
    pub fn body(&self, at: usize) -> &'a [u8] {
        cut_eol(self.full(at)).0
    }

    /// How line `at` (from 0) ends.
    pub fn eol(&self, at: usize) -> Eol {
        cut_eol(self.full(at)).1
    }

    /// Where line `at` starts, as a byte offset; `at == len()` is the end of the text.
    pub fn offset(&self, at: usize) -> usize {
        self.starts[at] as usize
    }

    /// The line that a byte belongs to.
    pub fn line_at(&self, byte: usize) -> usize {
        self.starts[1..].partition_point(|&end| end as usize <= byte)
    }

    /// The bodies of all lines.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = &'a [u8]> + '_ {
        self.starts.windows(2).map(|ends| cut_eol(&self.bytes[ends[0] as usize..ends[1] as usize]).0)
    }
}

/// Calls `found` for each `\n`. Lines are short, so 64 bytes are looked at at a time.
pub fn each_line_end(bytes: &[u8], mut found: impl FnMut(usize)) {
    let (blocks, rest) = bytes.as_chunks::<64>();
    for (nth, block) in blocks.iter().enumerate() {
        let mut ends = line_ends(block);
        while ends != 0 {
            found(64 * nth + ends.trailing_zeros() as usize);
            ends &= ends - 1;
        }
    }
    let from = bytes.len() - rest.len();
    (from..bytes.len()).filter(|&at| bytes[at] == b'\n').for_each(found);
}

/// A bit for each `\n`, eight bytes at a time.
fn line_ends(block: &[u8; 64]) -> u64 {
    const LOW: u64 = u64::MAX / 255 * 0x7f;
    let ends = |word: &[u8; 8]| {
        let other = u64::from_le_bytes(*word) ^ (u64::MAX / 255 * u64::from(b'\n'));
        let top_bits = !(((other & LOW) + LOW) | other | LOW);
        // The product brings the bits of all bytes together in the highest one.
        (top_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    let words = block.as_chunks().0.iter().enumerate();
    words.fold(0, |mask, (nth, word)| mask | ends(word) << (8 * nth))
}

/// The number of lines, the last one perhaps without an end.
pub fn line_count(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count() + usize::from(bytes.last().is_some_and(|&last| last != b'\n'))
}

/// A line cut into its content and its end.
pub fn cut_eol(line: &[u8]) -> (&[u8], Eol) {
    match line {
        [body @ .., b'\r', b'\n'] => (body, Eol::CrLf),
        [body @ .., b'\n'] => (body, Eol::Lf),
        body => (body, Eol::None),
    }
}

/// No byte but blanks (space, tab, form feed, vertical tab, carriage return).
pub fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|b| matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c))
}

/// The number of word characters: letters, digits, `_`, and every byte of a non-ASCII character.
pub fn word_chars(line: &[u8]) -> usize {
    line.iter().filter(|&&b| is_word(b)).count()
}

/// A letter, a digit, `_` or part of a non-ASCII character.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_own_ends() {
        let text = Text::new(b"a\r\nb\nc\rd");
        assert_eq!(text.len(), 3);
        assert_eq!(text.bodies().collect::<Vec<_>>(), [&b"a"[..], b"b", b"c\rd"]);
        assert_eq!([text.eol(0), text.eol(1), text.eol(2)], [Eol::CrLf, Eol::Lf, Eol::None]);
    }

    proptest::proptest! {
        #[test]
        fn line_ends_are_those_of_a_plain_search(bytes in proptest::collection::vec(
            proptest::prop_oneof![3 => proptest::num::u8::ANY, 1 => proptest::prelude::Just(b'\n'),
                1 => proptest::sample::select(vec![0x0b, 0x8a, 0x09, 0x0d, 0])], 0..300,
        )) {
            let mut found = Vec::new();
            each_line_end(&bytes, |at| found.push(at));
            proptest::prop_assert_eq!(found, memchr::memchr_iter(b'\n', &bytes).collect::<Vec<_>>());
        }
    }

    #[test]
    fn empty_and_blank() {
        assert_eq!(Text::new(b"").len(), 0);
        assert_eq!(Text::new(b"\n").len(), 1);
        assert_eq!(Text::new(b"a\n\n").len(), 2);
        assert_eq!([&b""[..], b"\n", b"a", b"a\nb", b"a\nb\n"].map(line_count), [0, 1, 1, 2, 2]);
    }

    #[test]
    fn bom_stands_aside() {
        let text = Text::new(b"\xef\xbb\xbfa\n");
        assert_eq!((text.bom(), text.body(0), text.len()), (BOM, &b"a"[..], 1));
        assert_eq!(Text::new(BOM).len(), 0);
    }
}
