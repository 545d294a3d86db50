//! Line numbers in hunk headers.

use super::ReadError;

/// A header line being read from left to right.
pub(super) struct Header<'l> {
    line: &'l [u8],
    at: usize,
    number: usize,
}

impl<'l> Header<'l> {
    pub fn new(line: &'l [u8], at: usize, number: usize) -> Header<'l> {
        Header { line, at, number }
    }

    pub fn rest(&self) -> &'l [u8] {
        &self.line[self.at.min(self.line.len())..]
    }

    /// Passes `what` if it stands here.
    pub fn skip(&mut self, what: &[u8]) -> bool {
        let found = self.rest().starts_with(what);
        self.at += if found { what.len() } else { 0 };
        found
    }

    pub fn blanks(&mut self) {
        while matches!(self.rest().first(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Passes `what` or stops.
    pub fn need(&mut self, what: &[u8]) -> Result<(), ReadError> {
        if self.skip(what) { Ok(()) } else { Err(self.malformed()) }
    }

    pub fn number(&mut self) -> Result<i64, ReadError> {
        self.blanks();
        let digits = self.rest().iter().take_while(|b| b.is_ascii_digit()).count();
        let digits = &self.rest()[..digits];
        if digits.is_empty() {
            return Err(ReadError::MissingNumber { line: self.number, text: self.line.to_vec() });
        }
        self.at += digits.len();
        let value =
            digits.iter().try_fold(0_i64, |sum, b| sum.checked_mul(10)?.checked_add(i64::from(b - b'0')));
        value.ok_or_else(|| ReadError::NumberTooLarge {
            digits: digits.to_vec(),
            line: self.number,
            text: self.line.to_vec(),
        })
    }

    pub fn malformed(&self) -> ReadError {
        ReadError::Malformed { line: self.number, text: self.line.to_vec() }
    }
}
