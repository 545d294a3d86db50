//! An old file, a byte 255, and a new one: a whole file merged with itself is itself, and no spelling
//! changes what the tokens are.
#![no_main]

use edapply::{
    edit::Line,
    merge::{self, Spelling},
    text::Text,
};
use libfuzzer_sys::fuzz_target;

fn lines<'t>(text: &Text<'t>) -> Vec<Line<'t>> {
    (0..text.len()).map(|at| Line { text: text.body(at).into(), eol: text.eol(at) }).collect()
}

fuzz_target!(|data: &[u8]| {
    let Some(cut) = data.iter().position(|&b| b == 255) else { return };
    let (old, new) = (Text::new(&data[..cut]), Text::new(&data[cut + 1..]));
    let ruled = data.len() % 2 == 0;
    for spelling in [Spelling::Auto, Spelling::File, Spelling::Reply] {
        let _ = merge::whole(&old, &lines(&new), spelling, ruled);
        assert_eq!(merge::whole(&old, &lines(&old), spelling, ruled), old.bytes());
    }
    let _ = merge::elided(&old, &lines(&new));
});
