//! Each reader, alone and together: the first byte says which. Lines of an edit stand in the input.
#![no_main]

use edapply::{edit::Format, input};
use libfuzzer_sys::fuzz_target;

const FORMATS: [Option<Format>; 11] = [
    None,
    Some(Format::SearchReplace),
    Some(Format::WholeFile),
    Some(Format::Elided),
    Some(Format::Unified),
    Some(Format::Context),
    Some(Format::Normal),
    Some(Format::Ed),
    Some(Format::V4a),
    Some(Format::EditCall),
    Some(Format::Hashline),
];

fuzz_target!(|data: &[u8]| {
    let Some((&which, bytes)) = data.split_first() else { return };
    let parsed = input::read(bytes, FORMATS[usize::from(which) % FORMATS.len()]);
    let lines = input::lines(bytes).len().max(1);
    for edit in &parsed.edits {
        assert!(edit.span.first >= 1 && edit.span.first <= edit.span.last && edit.span.last <= lines);
    }
});
