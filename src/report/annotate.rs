//! Refusals as annotations of a CI job: lines that begin with `::`, as GitHub's runner reads them.
//!
//! Names and messages come from strangers. A line end in one would begin a command of its own, and a colon
//! or comma in a property would end it; both are escaped as the runner asks.

use std::{
    io::{self, Write},
    path::Path,
};

use sha2::{Digest, Sha256};

use super::{Failure, InputReport, Report, escape};
use crate::{
    plan::{HunkOutcome, Outcome, Verdict},
    refusal::Refusal,
    tree::RelPath,
};

/// Prints an annotation for each refusal and each warning. File names are taken from `here`.
///
/// # Errors
/// The output cannot be written.
pub fn write(report: &Report, here: &Path, out: &mut dyn Write) -> io::Result<()> {
    for input in &report.inputs {
        if let Some(failure) = &input.failure {
            let file = is_file(input).then(|| input.name.clone().into_bytes());
            failed(failure, file, out)?;
        }
        for verdict in &input.verdicts {
            if let Outcome::Refused(refusal) = &verdict.outcome {
                refused(report, input, verdict, refusal, here, out)?;
            }
        }
    }
    if let Some(failure) = &report.failure {
        failed(failure, None, out)?;
    }
    for (path, note) in &report.file_notes {
        let file = Some(from(here, report, path));
        annotate("warning", file, None, "edapply", note, out)?;
    }
    Ok(())
}

fn failed(failure: &Failure, file: Option<Vec<u8>>, out: &mut dyn Write) -> io::Result<()> {
    let message = format!("{}. {}", failure.message, failure.next());
    annotate("error", file, None, &format!("edapply: {}", failure.code), &message, out)
}

fn refused(
    report: &Report,
    input: &InputReport,
    verdict: &Verdict,
    refusal: &Refusal,
    here: &Path,
    out: &mut dyn Write,
) -> io::Result<()> {
    let hunk = verdict.hunks.iter().find(|hunk| matches!(hunk.outcome, HunkOutcome::Refused(_)));
    let said = hunk.map_or(verdict.span, |hunk| hunk.span).first;
    let named = verdict.named.as_deref().map_or("(no file)".into(), escape::name);
    let target = verdict.path.as_ref().map_or(named, |path| escape::name(path.as_bytes()));
    let (file, line) = if is_file(input) {
        (Some(input.name.clone().into_bytes()), Some(said))
    } else {
        (verdict.path.as_ref().map(|path| from(here, report, path)), in_file(refusal))
    };
    let (id, code) = (verdict.id, refusal.code());
    let next = refusal.next();
    let message = format!("{target}: edit {id} (input line {said}): {refusal}. {next}");
    annotate("error", file, line, &format!("edapply: {code}"), &message, out)
}

fn is_file(input: &InputReport) -> bool {
    input.name != "-" && input.name != "clipboard"
}

/// The line of the file that a refusal speaks of.
fn in_file(refusal: &Refusal) -> Option<usize> {
    match refusal {
        Refusal::NotFound { closest, .. } => closest.first().map(|closest| closest.quote.first),
        Refusal::Ambiguous { lines } => lines.first().copied(),
        Refusal::AlreadyApplied { line } => Some(*line),
        _ => None,
    }
}

/// The name of a file of the tree, as it is from `here`.
fn from(here: &Path, report: &Report, path: &RelPath) -> Vec<u8> {
    let prefix = report.root.strip_prefix(here).map(|prefix| prefix.as_os_str().as_encoded_bytes().to_vec());
    match prefix {
        Ok(prefix) if !prefix.is_empty() => [&prefix, &b"/"[..], path.as_bytes()].concat(),
        _ => path.as_bytes().to_vec(),
    }
}

fn annotate(
    kind: &str,
    file: Option<Vec<u8>>,
    line: Option<usize>,
    title: &str,
    message: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut properties = Vec::new();
    properties.extend(file.map(|file| format!("file={}", property(&String::from_utf8_lossy(&file)))));
    properties.extend(line.map(|line| format!("line={line}")));
    properties.push(format!("title={}", property(title)));
    writeln!(out, "::{kind} {}::{}", properties.join(","), data(message))
}

/// Text behind the second `::`.
fn data(text: &str) -> String {
    escape::text(&text.replace(['\r', '\n'], " ")).replace('%', "%25")
}

/// The value of a property: the runner takes `%XX` back, so that the name is the file's own.
fn property(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => out += "%25",
            '\r' => out += "%0D",
            '\n' => out += "%0A",
            ':' => out += "%3A",
            ',' => out += "%2C",
            c => out += &escape::text(c.encode_utf8(&mut [0; 4])),
        }
    }
    out
}

/// Prints content that is no command, though lines of it may look like one: the runner is told to take none until a
/// word that stands nowhere in it.
///
/// # Errors
/// The output cannot be written.
pub fn guarded(content: &[u8], out: &mut dyn Write) -> io::Result<()> {
    if content.is_empty() {
        return Ok(());
    }
    let digest = Sha256::digest(content);
    let word: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    writeln!(out, "::stop-commands::{word}")?;
    out.write_all(content)?;
    if !content.ends_with(b"\n") {
        writeln!(out)?;
    }
    writeln!(out, "::{word}::")
}

/// Text of a report, in which the runner shall find no command of the older form, which counts anywhere in a line.
pub fn plain(text: &[u8]) -> Vec<u8> {
    bstr::ByteSlice::replace(text, "##[", "#\\x23[")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_stands_between_the_words_that_stop_and_start_commands() {
        let mut out = Vec::new();
        guarded(b" ::error::pwn\n##[error]x", &mut out).expect("memory");
        let text = String::from_utf8(out).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        let [stop, " ::error::pwn", "##[error]x", start] = lines[..] else { panic!("{text}") };
        let word = stop.strip_prefix("::stop-commands::").expect("a word");
        assert_eq!((word.len(), start), (32, format!("::{word}::").as_str()));
        let mut none = Vec::new();
        guarded(b"", &mut none).expect("memory");
        assert_eq!((none.len(), plain(b"a ##[error]b").as_slice()), (0, &b"a #\\x23[error]b"[..]));
    }

    #[test]
    fn nothing_ends_a_line_or_a_property() {
        let mut out = Vec::new();
        let file = b"a,b\r\n::error file=x::pwn%3A\x1b".to_vec();
        annotate("error", Some(file), Some(3), "edapply: x", "no\n::warning::100%\r\u{202e}", &mut out)
            .expect("memory");
        let line = String::from_utf8(out).expect("text");
        assert_eq!(
            line,
            "::error file=a%2Cb%0D%0A%3A%3Aerror file=x%3A%3Apwn%253A\\x1b,line=3,title=edapply%3A x\
             ::no ::warning::100%25 \\u{202e}\n"
        );
    }
}
