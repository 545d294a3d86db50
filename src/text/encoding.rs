//! UTF-16 files with a byte-order mark: decoded for editing, encoded back, refused when the round trip
//! would change a byte.
