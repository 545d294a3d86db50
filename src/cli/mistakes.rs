//! Slips on the command line that have a better answer than "no such file".

use std::{ffi::OsString, path::Path};

use similar::TextDiff;

use crate::{
    report::{Failure, escape},
    request::Source,
};

/// Names this like a known one are taken for it.
const ALIKE: f32 = 0.75;

/// An input that is no file, where it is clear what was meant.
pub(super) fn misnamed(inputs: &[Source], commands: &[&str]) -> Option<Failure> {
    inputs.iter().find_map(|input| match input {
        Source::File(path) if path.symlink_metadata().is_err() => misnamed_one(path, commands),
        _ => None,
    })
}

fn misnamed_one(path: &Path, commands: &[&str]) -> Option<Failure> {
    let text = path.to_str()?;
    let name = escape::name(text.as_bytes());
    let advice = if text.contains("://") {
        format!("Nothing is fetched: run `curl -fsSL {name} | edapply`.")
    } else if text.starts_with('-') {
        "Behind `--` every word is a file; write options before it.".to_owned()
    } else if text == "apply" {
        "Leave the word out: `edapply INPUT` applies.".to_owned()
    } else if text.contains(['/', '.']) {
        return None;
    } else {
        format!("`{}` is a command; name a file in full if that was meant.", closest(text, commands)?)
    };
    let message = format!("cannot read {name}: no such file or directory");
    Some(Failure { advice: Some(advice), ..Failure::trouble("unreadable-input", message) })
}

/// The known name that is most like this one, if any is like it.
pub(super) fn closest<'n>(text: &str, names: &[&'n str]) -> Option<&'n str> {
    let likeness = |name: &&str| TextDiff::from_chars(text, *name).ratio();
    let best = names.iter().map(|name| (likeness(name), *name)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= ALIKE).then_some(best.1)
}

/// Somebody gave the text of a patch where a file's name belongs.
pub(super) fn is_text(args: &[OsString]) -> bool {
    args.iter().skip(1).any(|arg| arg.as_encoded_bytes().contains(&b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_alike_name() {
        let names = ["inspect", "undo", "recover"];
        assert_eq!(closest("inspekt", &names), Some("inspect"));
        assert_eq!(closest("apple", &names), None);
    }
}
