//! Indentation: a line's leading blanks, a file's unit.

/// The leading spaces and tabs of a line.
pub fn indent(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|b| !matches!(b, b' ' | b'\t')).unwrap_or(line.len());
    &line[..end]
}
