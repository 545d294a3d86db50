//! What the caller's own commands say of a result: before it counts (`--verify`), and after (`--diagnose`).

use std::{collections::BTreeMap, time::Duration};

use super::shell::{self, Ended};
use crate::{
    commit::Signals,
    plan::Change,
    report::{Diagnosis, Finding},
    tree::Root,
};

/// Lines of a failed command that a report shows.
const MAX_LINES: usize = 20;
/// Findings of one file that a report shows.
const MAX_FINDINGS: usize = 20;

/// Runs the command of `--verify`; the error says how it ended, the lines are the last it wrote.
pub(super) fn verify(
    command: &str,
    root: &Root,
    changes: &[Change],
    limit: Duration,
    signals: &Signals,
) -> Result<(), (String, Vec<String>)> {
    match shell::run(command, root.path(), changes, limit, signals) {
        Ok((ended, _)) if ended.is_success() => Ok(()),
        Ok((ended, output)) => {
            Err((format!("`{command}` {}; everything is as before", ended.said(limit)), last_lines(&output)))
        }
        Err(error) => {
            Err((format!("`{command}` could not be run: {error}; everything is as before"), Vec::new()))
        }
    }
}

fn last_lines(output: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(MAX_LINES)..].iter().map(|&line| line.to_owned()).collect()
}

/// Runs the command of `--diagnose`.
pub(super) fn diagnose(
    command: &str,
    root: &Root,
    changes: &[Change],
    limit: Duration,
    signals: &Signals,
) -> Diagnosis {
    match shell::run(command, root.path(), changes, limit, signals) {
        Ok((ended, output)) => {
            let (findings, more) = findings(&String::from_utf8_lossy(&output));
            let unfinished = (!matches!(ended, Ended::Exit(_))).then(|| ended.said(limit));
            Diagnosis { command: command.to_owned(), unfinished, findings, more }
        }
        Err(error) => Diagnosis {
            command: command.to_owned(),
            unfinished: Some(format!("could not be run: {error}")),
            ..Diagnosis::default()
        },
    }
}

/// Errors in the form `file:line:col: error: text`, at most some of each file; and how many more there are.
fn findings(output: &str) -> (Vec<Finding>, usize) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = Vec::new();
    let mut more = 0;
    for finding in output.lines().filter_map(finding) {
        let count = counts.entry(finding.file.clone()).or_default();
        *count += 1;
        if *count <= MAX_FINDINGS { found.push(finding) } else { more += 1 }
    }
    (found, more)
}

fn finding(line: &str) -> Option<Finding> {
    let at = [": error", ": fatal error"].iter().filter_map(|mark| line.find(mark)).min()?;
    let (place, rest) = (&line[..at], &line[at + 2..]);
    let text = rest.split_once(": ").filter(|(word, _)| is_error(word))?.1;
    let mut parts = place.rsplitn(3, ':');
    let last: usize = parts.next()?.parse().ok()?;
    let before = parts.next()?;
    let (file, line, column) = match (parts.next(), before.parse()) {
        (Some(file), Ok(line)) => (file.to_owned(), line, Some(last)),
        (Some(file), Err(_)) => (format!("{file}:{before}"), last, None),
        (None, _) => (before.to_owned(), last, None),
    };
    (!file.is_empty()).then(|| Finding { file, line, column, text: text.trim().to_owned() })
}

/// `error`, `fatal error`, `error[E0308]`, `error TS2304`.
fn is_error(word: &str) -> bool {
    let rest = word.strip_prefix("fatal ").unwrap_or(word).strip_prefix("error");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_as_compilers_write_them() {
        let said =
            |line: &str| finding(line).map(|f| format!("{} {} {:?} {}", f.file, f.line, f.column, f.text));
        for (line, want) in [
            ("src/a.c:3:7: error: expected ';'", Some("src/a.c 3 Some(7) expected ';'")),
            ("a.c:3: error: x: y", Some("a.c 3 None x: y")),
            ("a.c:3:1: fatal error: no.h: No such file", Some("a.c 3 Some(1) no.h: No such file")),
            ("a.rs:1:2: error[E0308]: mismatched", Some("a.rs 1 Some(2) mismatched")),
            ("odd:name.c:3:7: error: x", Some("odd:name.c 3 Some(7) x")),
            ("a.c:3:7: warning: unused", None),
            ("error: something", None),
            (":3:7: error: x", None),
            ("a.c:3:7: errors: 3", None),
        ] {
            assert_eq!(said(line).as_deref(), want, "{line}");
        }
    }

    #[test]
    fn twenty_of_each_file() {
        let line = |file: &str, at: usize| format!("{file}:{at}: error: x\n");
        let output: String = (0..25).map(|at| line("a", at)).chain([line("b", 1)]).collect();
        let (found, more) = findings(&output);
        assert_eq!((found.len(), more), (21, 5));
    }
}
