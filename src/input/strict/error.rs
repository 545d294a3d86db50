//! Why a strict reader stopped.

/// A diff that cannot be read on. Lines of the input are quoted as they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    Malformed {
        line: usize,
        text: Vec<u8>,
    },
    MissingNumber {
        line: usize,
        text: Vec<u8>,
    },
    NumberTooLarge {
        digits: Vec<u8>,
        line: usize,
        text: Vec<u8>,
    },
    UnexpectedEnd,
    /// The input ends behind `line`, inside a normal diff.
    EndAt {
        line: usize,
    },
    /// The input ends inside the hunk that begins at `line`.
    EndOfHunk {
        line: usize,
    },
    /// A range line stands where a line of the hunk should.
    Unexpected {
        what: &'static str,
        line: usize,
        text: Vec<u8>,
    },
    /// The divider between the halves comes too soon, too late, twice or never.
    Divider {
        how: &'static str,
        line: usize,
        begun: usize,
    },
    Mangled {
        what: &'static str,
        line: usize,
    },
    Unterminated {
        begun: usize,
        line: usize,
        text: Vec<u8>,
    },
    Expected {
        what: &'static str,
        line: usize,
    },
    /// A command that an ed script may not hold.
    EdFailed,
}

impl ReadError {
    /// The message as callers of GNU patch know it.
    pub fn message(&self) -> Vec<u8> {
        let quoted = |head: String, text: &[u8]| [head.as_bytes(), text].concat();
        match self {
            ReadError::Malformed { line, text } => quoted(format!("malformed patch at line {line}: "), text),
            ReadError::MissingNumber { line, text } => {
                quoted(format!("missing line number at line {line}: "), text)
            }
            ReadError::NumberTooLarge { digits, line, text } => {
                let digits = String::from_utf8_lossy(digits);
                quoted(format!("line number {digits} is too large at line {line}: "), text)
            }
            ReadError::Unexpected { what, line, text } => {
                quoted(format!("unexpected '{what}' at line {line}: "), text)
            }
            ReadError::Unterminated { begun, line, text } => quoted(
                format!("unterminated hunk starting at line {begun}; giving up at line {line}: "),
                text,
            ),
            other => other.plain().into_bytes(),
        }
    }

    fn plain(&self) -> String {
        match self {
            ReadError::UnexpectedEnd => "unexpected end of file in patch".into(),
            ReadError::EndAt { line } => format!("unexpected end of file in patch at line {line}"),
            ReadError::EndOfHunk { line } => format!("unexpected end of hunk at line {line}"),
            ReadError::Divider { how: "duplicate", line, begun } => {
                format!("duplicate '---' at line {line}; check line numbers at line {begun}")
            }
            ReadError::Divider { how, line, begun } => {
                format!("{how} '---' at line {line}; check line numbers at line {begun}")
            }
            ReadError::Mangled { what, line } => format!("{what} at line {line}"),
            ReadError::Expected { what, line } => format!("{what} expected at line {line} of patch"),
            _ => "ed FAILED".into(),
        }
    }
}
