//! The bytes of a file, shared by all who look at them.

use std::{fmt, ops::Deref, sync::Arc};

/// Bytes that never change: a clone is another look at the same ones, however many there are.
#[derive(Clone, Default)]
pub struct Content(Arc<Vec<u8>>);

impl Deref for Content {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Content {
        Content(Arc::new(bytes))
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
        &self.0
    }
}

impl From<Content> for Vec<u8> {
    fn from(content: Content) -> Vec<u8> {
        Arc::unwrap_or_clone(content.0)
    }
}

/// The same bytes are equal without a look at them.
impl PartialEq for Content {
    fn eq(&self, other: &Content) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for Content {}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
