//! The bytes of a file, shared by all who look at them.

use std::{
    borrow::Cow,
    fmt,
    ops::{Deref, Range},
    sync::{Arc, OnceLock},
};

use super::{Buffer, line_count};

/// Bytes that never change: a clone is another look at the same ones, however many there are.
///
/// What is made of other bytes in a plain way is put together only for who wants it in one piece; to write it,
/// `pieces` will do.
#[derive(Clone)]
pub struct Content(Form);

#[derive(Clone)]
enum Form {
    Flat(Arc<Buffer>),
    Made(Arc<Made>),
}

/// Bytes made of others.
struct Made {
    of: Arc<Buffer>,
    how: How,
    len: usize,
    flat: OnceLock<Vec<u8>>,
}

enum How {
    /// Lines, all ended by `\n`, without the first byte of each.
    Unsigned { body: Range<usize>, lines: usize },
    /// With other bytes in place of some that lie within a line; neither hold a line end.
    Replaced { gone: Range<usize>, new: Vec<u8> },
}

impl Content {
    /// `body` of this content, which is so many lines, without the first byte of each. They all end with `\n`, and none
    /// is empty.
    pub(crate) fn unsigned(&self, body: Range<usize>, lines: usize) -> Content {
        let len = body.len() - lines;
        self.made(How::Unsigned { body, lines }, len)
    }

    /// This content with other bytes in place of some. Both lie within a line, and differ.
    pub(crate) fn replaced(&self, gone: Range<usize>, new: Vec<u8>) -> Content {
        let len = self.len() - gone.len() + new.len();
        self.made(How::Replaced { gone, new }, len)
    }

    fn made(&self, how: How, len: usize) -> Content {
        let of = match &self.0 {
            Form::Flat(bytes) => Arc::clone(bytes),
            Form::Made(_) => Arc::new(self.to_vec().into()),
        };
        Content(Form::Made(Arc::new(Made { of, how, len, flat: OnceLock::new() })))
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        match &self.0 {
            Form::Flat(bytes) => bytes.len(),
            Form::Made(made) => made.len,
        }
    }

    /// No byte at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of lines, the last one perhaps without an end.
    pub(crate) fn line_count(&self) -> usize {
        match &self.0 {
            Form::Made(made) => match made.how {
                How::Unsigned { lines, .. } => lines,
                How::Replaced { .. } => line_count(&made.of),
            },
            Form::Flat(bytes) => line_count(bytes),
        }
    }

    /// Bytes that hold the first `len` ones, in order; others may stand between and behind them.
    pub(crate) fn around_head(&self, len: usize) -> &[u8] {
        let bytes = match &self.0 {
            Form::Made(made) => match &made.how {
                How::Unsigned { body, .. } => {
                    return &made.of[body.start..body.end.min(body.start + 2 * len)];
                }
                How::Replaced { gone, .. } if gone.start >= len => &made.of[..],
                How::Replaced { .. } => self,
            },
            Form::Flat(bytes) => bytes,
        };
        &bytes[..bytes.len().min(len)]
    }

    /// All bytes, piece by piece.
    pub(crate) fn pieces(&self) -> Vec<Cow<'_, [u8]>> {
        match &self.0 {
            Form::Flat(bytes) => vec![Cow::Borrowed(&bytes[..])],
            Form::Made(made) => made.pieces(),
        }
    }

    /// It was made by replacing a part of one line of `other`.
    pub(crate) fn is_line_changed(&self, other: &Content) -> bool {
        self.replaces(other).is_some()
    }

    /// What gave way, and what came in its place, if this content was made so of the other one.
    fn replaces<'c>(&'c self, other: &'c Content) -> Option<(&'c [u8], &'c [u8])> {
        match (&self.0, &other.0) {
            (Form::Made(made), Form::Flat(bytes)) if Arc::ptr_eq(&made.of, bytes) => match &made.how {
                How::Replaced { gone, new } => Some((&bytes[gone.clone()], new)),
                How::Unsigned { .. } => None,
            },
            _ => None,
        }
    }

    fn is_same(&self, other: &Content) -> bool {
        match (&self.0, &other.0) {
            (Form::Flat(a), Form::Flat(b)) => Arc::ptr_eq(a, b),
            (Form::Made(a), Form::Made(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Made {
    fn pieces(&self) -> Vec<Cow<'_, [u8]>> {
        if let Some(bytes) = self.flat.get() {
            return vec![Cow::Borrowed(&bytes[..])];
        }
        match &self.how {
            How::Unsigned { body, .. } => vec![Cow::Owned(unsigned(&self.of[body.clone()]))],
            How::Replaced { gone, new } => {
                [&self.of[..gone.start], new, &self.of[gone.end..]].map(Cow::Borrowed).into()
            }
        }
    }

    fn flat(&self) -> &[u8] {
        self.flat.get_or_init(|| match &self.how {
            How::Unsigned { body, .. } => unsigned(&self.of[body.clone()]),
            How::Replaced { gone, new } => [&self.of[..gone.start], new, &self.of[gone.end..]].concat(),
        })
    }
}

/// Lines, all ended by `\n`, without the first byte of each.
pub(crate) fn unsigned(body: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(body.len());
    let mut from = 0;
    for end in memchr::memchr_iter(b'\n', body).map(|at| at + 1) {
        text.extend_from_slice(&body[from + 1..end]);
        from = end;
    }
    text
}

impl Deref for Content {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Form::Flat(bytes) => bytes,
            Form::Made(made) => made.flat(),
        }
    }
}

impl Default for Content {
    fn default() -> Content {
        Vec::new().into()
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Content {
        Buffer::from(bytes).into()
    }
}

impl From<Buffer> for Content {
    fn from(bytes: Buffer) -> Content {
        Content(Form::Flat(Arc::new(bytes)))
    }
}

impl From<&[u8]> for Content {
    fn from(bytes: &[u8]) -> Content {
        bytes.to_vec().into()
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Content {
        text.as_bytes().into()
    }
}

impl AsRef<[u8]> for Content {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<Content> for Vec<u8> {
    fn from(content: Content) -> Vec<u8> {
        match content.0 {
            Form::Flat(bytes) => Arc::try_unwrap(bytes).map_or_else(|shared| shared.to_vec(), Vec::from),
            Form::Made(made) => made.flat().to_vec(),
        }
    }
}

/// The same bytes are equal without a look at them, and so are those that differ only where some were replaced.
impl PartialEq for Content {
    fn eq(&self, other: &Content) -> bool {
        if let Some((gone, new)) = self.replaces(other).or_else(|| other.replaces(self)) {
            return gone == new;
        }
        self.is_same(other) || self.len() == other.len() && **self == **other
    }
}

impl Eq for Content {}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(content: &Content) -> Vec<u8> {
        content.pieces().concat()
    }

    #[test]
    fn what_is_made_is_what_it_says() {
        let base = Content::from("head\n+one\n+\n++two\n");
        let (new, changed) = (base.unsigned(5..18, 3), base.replaced(6..9, b"three".to_vec()));
        for (content, want) in [(&new, "one\n\n+two\n"), (&changed, "head\n+three\n+\n++two\n")] {
            assert_eq!((content.len(), content.is_empty()), (want.len(), false));
            assert_eq!(joined(content), want.as_bytes());
            assert_eq!(content.line_count(), want.lines().count());
            let head = content.around_head(4);
            assert!(want.bytes().take(4).all(|byte| head.contains(&byte)) && head.len() <= 8, "{want}");
            assert_eq!(content, &Content::from(want));
            assert_eq!(joined(content), want.as_bytes(), "put together");
        }
        assert!(
            changed.is_line_changed(&base) && !new.is_line_changed(&base) && !base.is_line_changed(&changed)
        );
        assert_ne!(changed, base);
        assert_ne!(base, changed);
        assert_ne!(new, base);
        assert_eq!(base.replaced(6..9, b"one".to_vec()), base);
        assert_eq!(Vec::from(new.replaced(0..3, b"1".to_vec())), b"1\n\n+two\n");
    }
}
