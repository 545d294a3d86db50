//! A file, a byte 255, and hunks: every place lies in the file, and its lines ascend.
#![no_main]

use edapply::{
    edit::{Hunk, Op},
    input,
    place::{Index, Located, Rules, locate},
    text::Text,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(cut) = data.iter().position(|&b| b == 255) else { return };
    let text = Text::new(&data[..cut]);
    let parsed = input::read(&data[cut + 1..], None);
    let index = Index::new(&text);
    for edit in &parsed.edits {
        let Op::Update { hunks } = &edit.op else { continue };
        let hunks: Vec<&Hunk<'_>> = hunks.iter().collect();
        let located = locate(&index, &hunks, &Rules::default());
        assert_eq!(located.len(), hunks.len());
        for located in located {
            let Located::Placed(all) = located else { continue };
            for placed in all {
                let place = placed.place;
                assert!(place.start <= place.end && place.end <= text.len());
                let lines: Vec<usize> = place.pairs.iter().flatten().copied().collect();
                assert!(lines.is_sorted_by(|a, b| a < b) && lines.iter().all(|&at| at < text.len()));
            }
        }
    }
});
