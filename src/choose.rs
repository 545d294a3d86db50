//! Which format a model should use for a change, and why.

use serde::Serialize;

use crate::{edit::Format, report::json::Document};

/// Shorter files may be written whole by a model that copies badly.
pub const SHORT: usize = 60;
/// From this share of exact copies on, quoting lines is reliable.
pub const RELIABLE: f64 = 0.9;

/// What is known of the change and the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Situation {
    /// Lines of the file.
    pub lines: usize,
    pub new_file: bool,
    pub adds_or_deletes: bool,
    /// The model's tool calls arrive as they should.
    pub reliable_tools: bool,
    /// The share of edits whose quoted lines are exact; `None`: not measured.
    pub accuracy: Option<f64>,
}

/// A format and the reason for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Choice {
    pub format: &'static str,
    pub why: &'static str,
}

/// A choice and what was measured, for programs.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    pub choice: Choice,
    /// The share of edits that the model copies exactly; null if nobody measured it.
    pub accuracy: Option<f64>,
}

impl Document for Report {
    const REPORT: &'static str = "choose";
}

/// Applies the rules in order.
pub fn choose(situation: &Situation) -> Choice {
    let choice = |format: Format, why| Choice { format: format.name(), why };
    if situation.new_file {
        return choice(Format::WholeFile, "a new file has no old text that could be missed");
    }
    if situation.adds_or_deletes {
        return choice(Format::V4a, "one patch can add, delete, move and change files");
    }
    let Some(accuracy) = situation.accuracy else {
        return choice(
            Format::WholeFile,
            "nothing was measured for this model, and a whole file quotes nothing; measure it with `edapply bench --model`",
        );
    };
    if situation.lines <= SHORT && accuracy < RELIABLE {
        return choice(Format::WholeFile, "the file is short, and the model often misquotes lines");
    }
    if situation.reliable_tools {
        return choice(Format::EditCall, "tool calls are reliable, and their arguments arrive checked");
    }
    if accuracy >= RELIABLE {
        return choice(
            Format::SearchReplace,
            "the model quotes well, and a block is short and needs no escapes",
        );
    }
    choice(
        Format::SearchReplace,
        "the model often misquotes lines: keep matching loose, send refusals back, and measure a larger model",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_situations() {
        let at = |lines, accuracy| Situation { lines, accuracy: Some(accuracy), ..Situation::default() };
        let tools = |situation| Situation { reliable_tools: true, ..situation };
        let told = |situation: &Situation| {
            let choice = choose(situation);
            (choice.format, choice.why.split([' ', ',']).next_back().unwrap_or(""), choice.why.len() > 20)
        };
        let new = Situation { new_file: true, ..tools(at(0, 0.95)) };
        let rename = Situation { adds_or_deletes: true, ..tools(at(300, 0.95)) };
        assert_eq!(told(&new), ("whole-file", "missed", true));
        assert_eq!(told(&rename), ("v4a", "files", true));
        assert_eq!(told(&at(40, 0.70)), ("whole-file", "lines", true));
        assert_eq!(told(&tools(at(800, 0.95))), ("edit-call", "checked", true));
        assert_eq!(told(&at(800, 0.93)), ("search-replace", "escapes", true));
        assert_eq!(told(&at(800, 0.60)), ("search-replace", "model", true));
    }

    #[test]
    fn a_model_that_nobody_measured_writes_whole_files() {
        let choice = choose(&Situation { lines: 800, reliable_tools: true, ..Situation::default() });
        assert_eq!(choice.format, "whole-file");
        assert!(choice.why.contains("nothing was measured"));
    }
}
