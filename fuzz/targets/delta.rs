//! Binary patches: any data put to a content, and a whole patch read, applied, and reversed.
//!
//! The first byte cuts the input into a content and what is to be a delta.
#![no_main]

use edapply::{
    edit::{Binary, Blob, Method},
    input::binary,
    merge,
};
use libfuzzer_sys::fuzz_target;

const MOST: u64 = 1 << 20;

fuzz_target!(|data: &[u8]| {
    let Some((&cut, rest)) = data.split_first() else { return };
    let (content, delta) = rest.split_at(rest.len().min(usize::from(cut)));
    if let Some(made) = merge::delta::apply(content, delta, MOST) {
        assert!(made.len() as u64 <= MOST);
    }
    let _ = binary::read(delta.split(|b| *b == b'\n'), MOST);

    let mut lines = Vec::new();
    binary::write(delta, &mut lines).expect("memory");
    let read = binary::read(lines.split(|b| *b == b'\n'), MOST).expect("whole").expect("one");
    assert_eq!(read.0, Blob { method: Method::Literal, bytes: delta.into() });

    let name = |bytes: &[u8]| Some(merge::binary::id(bytes, 40).into_bytes());
    let patch = Binary { old: name(content), new: name(delta), forward: read.0, reverse: None };
    assert_eq!(merge::binary::apply(&patch, Some(content)), Ok(Some(delta.into())));
});
