//! What could not be written, in the words of the system.

use crate::{commit::CommitError, refusal::Refusal, tree::root::plain_error};

/// What could not be written, and why.
pub struct Unwritten {
    pub name: Vec<u8>,
    pub reason: String,
}

impl From<&CommitError> for Unwritten {
    fn from(error: &CommitError) -> Unwritten {
        let reason = match error {
            CommitError::Io { source, .. } => plain_error(source),
            CommitError::Refused { refusal: Refusal::PathThroughFile { .. }, .. } => "Not a directory".into(),
            CommitError::Refused { refusal, .. } => refusal.to_string(),
            CommitError::Changed { .. } => "was changed by another program meanwhile".into(),
            other => other.to_string(),
        };
        Unwritten { name: error.path().as_bytes().to_vec(), reason: capital(&reason) }
    }
}

/// With a capital first, as the models print what the system says.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default() + letters.as_str()
}
