//! Entry: which face was called, and the exit code.

fn main() {}
