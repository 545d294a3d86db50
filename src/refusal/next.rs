//! What to do next, where the refusal itself knows better than its code.

use std::borrow::Cow;

use super::{Refusal, explain};

impl Refusal {
    /// What to do next; empty if nothing is known.
    pub fn next(&self) -> Cow<'static, str> {
        match self {
            Refusal::NoSuchFile { strip: Some(count), .. } => {
                format!("Use `-p{count}`, or leave `-p` out: it is then chosen as the files fit.").into()
            }
            Refusal::NoSuchFile { above: Some(_), .. } => {
                "Run it in that folder, or name that folder with `-C`.".into()
            }
            Refusal::NoSuchFile { closest, .. } => missing(closest),
            Refusal::NoEdit { advice: Some(advice), .. }
            | Refusal::BinaryInput { advice: Some(advice), .. } => (*advice).into(),
            _ => explain(self.code()).map_or("", |explanation| explanation.next).into(),
        }
    }
}

fn missing(closest: &[String]) -> Cow<'static, str> {
    const NEW: &str = "to create a file, leave the old text empty.";
    match closest {
        [] => format!(
            "Run it in the folder that the paths start from, or name that folder with `-C DIR`; {NEW}"
        )
        .into(),
        [first, ..] => format!("If {first} is meant, write its path so; {NEW}").into(),
    }
}
