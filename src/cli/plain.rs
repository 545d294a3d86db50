//! The commonest command lines.
//!
//! To build the whole definition and to fill in its defaults costs as much as a small edit. A line of operands and
//! of a few options means the same without it; all else, also what is wrong, is left to the definition.

use std::ffi::OsString;

use super::native::{Apply, JsonDetail, count};
use crate::request::Source;

/// What the definition would read from these arguments; `None`: it has to be asked.
pub(super) fn read(args: &[OsString]) -> Option<Apply> {
    let mut apply = Apply::default();
    let mut args = args.iter().skip(1);
    while let Some(arg) = args.next() {
        let done = match arg.as_encoded_bytes() {
            b"-" => {
                apply.inputs.push(Source::Stdin);
                true
            }
            b"-R" => set(&mut apply.reverse),
            b"-q" => set(&mut apply.quiet),
            b"--check" => !apply.dry_run && set(&mut apply.check),
            b"--dry-run" => !apply.check && set(&mut apply.dry_run),
            b"--json" => apply.json.replace(JsonDetail::Short).is_none(),
            b"-C" => {
                let dir = args.next().filter(|dir| is_operand(dir))?;
                apply.root.replace(dir.into()).is_none()
            }
            [b'-', b'p', number @ ..] if number.iter().all(u8::is_ascii_digit) => {
                let number = count(std::str::from_utf8(number).ok()?).ok()?;
                apply.strip.replace(number).is_none()
            }
            _ => {
                apply.inputs.push(Source::File(arg.into()));
                is_operand(arg)
            }
        };
        if !done {
            return None;
        }
    }
    Some(apply)
}

/// No option is given twice.
fn set(flag: &mut bool) -> bool {
    !std::mem::replace(flag, true)
}

fn is_operand(arg: &OsString) -> bool {
    !arg.is_empty() && !arg.as_encoded_bytes().starts_with(b"-")
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;
    use proptest::prelude::*;

    use super::{super::native::Native, *};

    fn defined(args: &[OsString]) -> Option<Apply> {
        let mut matches = Native::without_commands().try_get_matches_from(args).ok()?;
        Apply::from_arg_matches_mut(&mut matches).ok()
    }

    fn line(words: &[&str]) -> Vec<OsString> {
        ["edapply"].iter().chain(words).map(OsString::from).collect()
    }

    #[test]
    fn the_commonest_lines_need_no_definition() {
        for words in [
            &[][..],
            &["-"],
            &["reply.md"],
            &["-p1", "fix.patch"],
            &["-C", "sub", "-q", "a", "b"],
            &["--check", "-R", "-p0", "x.diff"],
            &["--dry-run"],
            &["--json", "-"],
        ] {
            let read = read(&line(words)).map(|apply| format!("{apply:?}"));
            assert_eq!(read, defined(&line(words)).map(|apply| format!("{apply:?}")), "{words:?}");
            assert!(read.is_some(), "{words:?}");
        }
        for words in [&["-p"][..], &["--"], &["-pq"], &["-C", "-q"], &["-q", "-q"], &["--check", "--dry-run"]]
        {
            assert!(read(&line(words)).is_none(), "{words:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_read_otherwise_than_defined(
            words in proptest::collection::vec(
                prop::sample::select(vec![
                    "", "-", "--", "a", "b.md", "-p1", "-p02", "-p", "1", "-p99999999999999999999", "-pq", "-R", "-RR",
                    "-q", "-qR", "--check", "--dry-run", "--json", "--json=full", "-C", "sub", "-Csub", "-v", "--quiet",
                    "-d", "--partial", "-i", "-h", "-V", "- ", "-\u{e4}",
                ]),
                0..6,
            )
        ) {
            let args = line(&words);
            if let Some(apply) = read(&args) {
                let defined = defined(&args).map(|apply| format!("{apply:?}"));
                prop_assert_eq!(Some(format!("{apply:?}")), defined);
            }
        }
    }
}
