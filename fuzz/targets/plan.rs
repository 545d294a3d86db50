//! A file, a byte 255, and a reply: whatever is planned, nothing of the file is lost but by a change, and
//! a refused plan changes nothing.
#![no_main]

use edapply::{
    input, plan,
    tree::{Image, Memory, RelPath},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(cut) = data.iter().position(|&b| b == 255) else { return };
    let (file, reply) = (&data[..cut], &data[cut + 1..]);
    let mut files = Memory::default();
    for path in ["a.txt", "src/a.rs", "b.py"] {
        let Ok(path) = RelPath::parse(path.as_bytes()) else { return };
        files.files.insert(path, Image { bytes: file.into(), mode: 0o644 });
    }
    let plan = plan::make(&input::read(reply, None), &files, &plan::Policy::default());
    assert!(plan.is_ok() || plan.changes.is_empty());
    for change in &plan.changes {
        assert_eq!(change.before.as_ref(), files.files.get(&change.path));
    }
});
