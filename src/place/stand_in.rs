//! Comments that may stand for lines left out, and may be ordinary ones: told by what goes where they come.
//!
//! `# unchanged` in place of ten lines of code stands for them; beside code that stays it is a comment.

use std::collections::HashSet;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::text::{
    elision::{is_elision, may_be_elision},
    is_blank,
};

/// For each new line whether it stands for old lines that go: the old text lacks it, and more lines of
/// code go where it comes than come beside it.
pub fn stand_ins(old: &[&[u8]], new: &[&[u8]]) -> Vec<bool> {
    let mut suspect: Vec<bool> = new.iter().map(|line| may_be_elision(line)).collect();
    if !suspect.contains(&true) {
        return suspect;
    }
    let held: HashSet<&[u8]> = old.iter().map(|line| line.trim_ascii()).collect();
    for (suspect, line) in suspect.iter_mut().zip(new) {
        *suspect &= !held.contains(line.trim_ascii());
    }
    let trim = |lines: &[&[u8]]| lines.iter().map(|line| line.trim_ascii().to_vec()).collect::<Vec<_>>();
    let mut found = vec![false; new.len()];
    for op in capture_diff_slices(Algorithm::Patience, &trim(old), &trim(new)) {
        if let DiffOp::Replace { old_index, old_len, new_index, new_len } = op {
            let come = new_index..new_index + new_len;
            let gone = old[old_index..old_index + old_len].iter().filter(|line| is_code(line)).count();
            let shown = come.clone().filter(|&at| !suspect[at] && is_code(new[at])).count();
            come.filter(|&at| suspect[at]).for_each(|at| found[at] = gone > shown);
        }
    }
    found
}

/// Neither blank, nor a comment of its own, nor a bracket alone.
fn is_code(line: &[u8]) -> bool {
    const COMMENTS: [&[u8]; 9] = [b"//", b"#", b"/*", b"* ", b"*/", b"-- ", b"<!--", b"\"\"\"", b"'''"];
    let line = line.trim_ascii();
    let comment = COMMENTS.iter().any(|mark| line.starts_with(mark)) && !line.starts_with(b"#[");
    !is_blank(line)
        && !comment
        && line.iter().any(|&b| b.is_ascii_alphanumeric() || b >= 0x80)
        && !is_elision(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_by_what_goes() {
        for (old, new, want) in [
            ("a\nb\nc", "a\n# unchanged", Some(1)),
            ("a\nb", "a\nb\n# unchanged", None),
            ("a\nb", "a\nB\n# unchanged", None),
            ("a\nb\nc\nd", "a\nx\n# same as before\nd", Some(2)),
            ("a\n# same as above\nb", "a\n# same as before\nb", None),
            ("a\n# unchanged\nb", "# unchanged\na", None),
            ("int f() {\n  return 1;\n}", "int f() { /* ... */ }", Some(0)),
            ("f()\n  pass", "f()\n  pass  # same as before", Some(1)),
            ("a\nb\nc", "a\nx # unchanged since v2", None),
            ("", "# unchanged", None),
            ("x\ny", "\u{2026}", Some(0)),
        ] {
            let split = |text: &'static str| text.lines().map(str::as_bytes).collect::<Vec<_>>();
            let found = stand_ins(&split(old), &split(new)).iter().position(|found| *found);
            assert_eq!(found, want, "{old:?} {new:?}");
        }
    }
}
