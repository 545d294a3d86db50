//! The report for people and for models: one line an edit, and under a refusal what helps to mend it.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use anstyle::{Effects, Style};

use super::{
    Diagnosis, Failure, InputReport, Mode, Report, SoughtLine, beside, diff, escape,
    ink::{GREEN, Ink, RED, YELLOW},
    retry::What,
    stat::{self, FileLine},
    words,
};
use crate::{
    edit::Span,
    plan::{Change, HunkOutcome, HunkVerdict, Outcome, Verdict},
    refusal::{Closest, Quote, Refusal},
    tree::RelPath,
};

/// Quotes in messages end here.
const MAX_QUOTED: usize = 12;
/// Names are padded to a common width up to this.
const MAX_PADDED: usize = 40;

/// How a report looks.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// With colours.
    pub color: bool,
    /// -1: refusals only; 0: a line an edit; 1: hunks and notes; 2: all that is known.
    pub verbosity: i8,
    /// Columns of the terminal, if it is one.
    pub width: Option<usize>,
    /// Name the input though it is the only one.
    pub heads: bool,
}

impl Look {
    /// For programs and logs.
    pub const PLAIN: Look = Look { color: false, verbosity: 0, width: None, heads: false };
}

/// Prints a report.
pub fn write(report: &Report, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let by_path = |change: &Change| change.path.clone();
    let moved = report.changes.iter().filter_map(|change| Some((change.moved_from.clone()?, change)));
    let changes = report.changes.iter().map(|change| (by_path(change), change)).chain(moved).collect();
    Printer { report, look, changes, held_back: held_back(report), out }.print()
}

struct Printer<'r> {
    report: &'r Report,
    look: Look,
    /// By path, the new path of what moved standing in for its old one.
    changes: BTreeMap<RelPath, &'r Change>,
    /// Why good edits were not applied.
    held_back: Option<String>,
    out: &'r mut dyn Write,
}

impl Printer<'_> {
    fn print(&mut self) -> io::Result<()> {
        if self.look.verbosity >= 0 {
            for note in &self.report.notes {
                writeln!(self.out, "note  {}", escape::text(note))?;
            }
        }
        for input in &self.report.inputs {
            self.input(input)?;
        }
        if let Some(failure) = &self.report.failure {
            self.failure("", failure, &self.report.details)?;
            let show = if self.look.color { diff::Show::Color } else { diff::Show::Safe };
            diff::show(&self.report.differences, show, self.out)?;
        }
        if self.look.verbosity >= 0 {
            self.files()?;
        }
        self.report.diagnosis.as_ref().map_or(Ok(()), |diagnosis| self.diagnosis(diagnosis))
    }

    fn diagnosis(&mut self, diagnosis: &Diagnosis) -> io::Result<()> {
        let command = escape::text(&diagnosis.command);
        let found = diagnosis.findings.len() + diagnosis.more;
        match &diagnosis.unfinished {
            Some(why) => {
                writeln!(self.out, "note  `{command}` {}: not known to be clean", escape::text(why))?
            }
            None if found == 0 => writeln!(self.out, "note  `{command}` reports no error")?,
            None => writeln!(self.out, "note  `{command}` reports {}:", words::plural(found, "error"))?,
        }
        for finding in &diagnosis.findings {
            let column = finding.column.map_or(String::new(), |column| format!(":{column}"));
            let (file, text) = (escape::name(finding.file.as_bytes()), escape::text(&finding.text));
            writeln!(self.out, "      {file}:{}{column}: error: {text}", finding.line)?;
        }
        match diagnosis.more {
            0 => Ok(()),
            more => writeln!(self.out, "      and {more} more"),
        }
    }

    fn input(&mut self, input: &InputReport) -> io::Result<()> {
        let several = self.report.inputs.len() > 1 || self.look.heads;
        let told = self.look.verbosity >= 0 || !input.is_ok();
        if several && told {
            writeln!(self.out, "{}:", escape::name(input.name.as_bytes()))?;
        }
        if let Some(failure) = &input.failure {
            self.failure(&input.name, failure, &[])?;
        }
        let locations: Vec<String> = input.verdicts.iter().map(location).collect();
        let width = locations.iter().map(|at| at.chars().count()).max();
        let width = width.unwrap_or(0).min(MAX_PADDED);
        for (verdict, at) in input.verdicts.iter().zip(&locations) {
            self.verdict(verdict, input, at, width)?;
        }
        Ok(())
    }

    fn failure(&mut self, input: &str, failure: &Failure, details: &[String]) -> io::Result<()> {
        let name = if input.is_empty() || input == "-" {
            String::new()
        } else {
            format!("{}: ", escape::name(input.as_bytes()))
        };
        let word = self.word(if failure.trouble { "error" } else { "FAIL" }, RED);
        writeln!(self.out, "{word} {name}{} [{}]", failure.message, failure.code)?;
        for line in details {
            writeln!(self.out, "      | {}", escape::text(line))?;
        }
        let next = failure.next();
        if next.is_empty() { Ok(()) } else { writeln!(self.out, "      next: {next}") }
    }

    fn verdict(&mut self, verdict: &Verdict, input: &InputReport, at: &str, width: usize) -> io::Result<()> {
        match &verdict.outcome {
            Outcome::Refused(refusal) => self.refused(verdict, refusal, input, at, width),
            _ if self.look.verbosity < 0 => Ok(()),
            Outcome::Already => {
                let word = self.word("ok", GREEN);
                writeln!(self.out, "{word} {at:width$}  {}", already(verdict))?;
                self.notes(verdict)
            }
            Outcome::Applied => {
                self.applied(verdict, at, width)?;
                self.notes(verdict)
            }
        }
    }

    fn applied(&mut self, verdict: &Verdict, at: &str, width: usize) -> io::Result<()> {
        if let Some(why) = &self.held_back {
            let word = self.word("fine", YELLOW);
            writeln!(self.out, "{word} {at:width$}  edit {} is fine and was not applied, {why}", verdict.id)?;
        } else {
            let word = self.word("ok", GREEN);
            let change = verdict.path.as_ref().and_then(|path| self.changes.get(path).copied());
            let deed = words::deed(verdict, change);
            writeln!(self.out, "{word} {at:width$}  {deed}{}", escape::text(&words::manner(verdict)))?;
        }
        if self.look.verbosity >= 1 && verdict.hunks.len() > 1 {
            verdict.hunks.iter().try_for_each(|hunk| self.hunk(hunk))?;
        }
        Ok(())
    }

    fn refused(
        &mut self,
        verdict: &Verdict,
        refusal: &Refusal,
        input: &InputReport,
        at: &str,
        width: usize,
    ) -> io::Result<()> {
        let bad: Vec<(&HunkVerdict, &Refusal)> = verdict.hunks.iter().filter_map(refused_hunk).collect();
        let span = bad.first().map_or(verdict.span, |(hunk, _)| hunk.span);
        let word = self.word("FAIL", RED);
        let (id, code) = (verdict.id, refusal.code());
        let message = self.message(refusal, input.sought.get(&(id, span.first)));
        let call = verdict.call.as_deref().map(|call| format!(", call {}", escape::text(call)));
        let call = call.unwrap_or_default();
        writeln!(
            self.out,
            "{word} {at:width$}  edit {id} (input line {}{call}): {message} [{code}]",
            span.first
        )?;
        self.details(verdict, refusal, span, input)?;
        for (hunk, other) in bad.iter().skip(1).filter(|(_, other)| *other != refusal) {
            let message = self.message(other, input.sought.get(&(id, hunk.span.first)));
            writeln!(self.out, "      also (input line {}): {message} [{}]", hunk.span.first, other.code())?;
            self.details(verdict, other, hunk.span, input)?;
        }
        let fine = verdict.hunks.len() - bad.len();
        if fine > 0 && !bad.is_empty() {
            let (fine, all) = (words::plural(fine, "hunk"), verdict.hunks.len());
            writeln!(self.out, "      {fine} of {all} would apply")?;
        }
        self.notes(verdict)?;
        let next = escape::text(&refusal.next());
        if next.is_empty() { Ok(()) } else { writeln!(self.out, "      next: {next}") }
    }

    /// The columns in which both sides of a refusal stand beside each other, if they do.
    fn columns(&self, sought: Option<&Vec<SoughtLine>>, closest: &[Closest]) -> Option<usize> {
        self.look.width.filter(|width| *width >= beside::NARROWEST && sought.is_some() && !closest.is_empty())
    }

    /// A refusal in one sentence; without the difference, where that is seen beside.
    fn message(&self, refusal: &Refusal, sought: Option<&Vec<SoughtLine>>) -> String {
        match refusal {
            Refusal::NotFound { closest, .. } if self.columns(sought, closest).is_some() => {
                let line = closest.first().map_or(0, |closest| closest.quote.first);
                format!("old text not found; closest is line {line}")
            }
            _ => escape::text(&refusal.to_string()),
        }
    }

    /// What was looked for, and the closest that the file has.
    fn details(
        &mut self,
        verdict: &Verdict,
        refusal: &Refusal,
        span: Span,
        input: &InputReport,
    ) -> io::Result<()> {
        let (closest, tried) = match refusal {
            Refusal::NotFound { closest, tried } => (closest, tried),
            Refusal::Ambiguous { .. } => return self.places(verdict, span, input),
            _ => return Ok(()),
        };
        let sought = input.sought.get(&(verdict.id, span.first));
        match (self.columns(sought, closest), sought, &closest[..]) {
            (Some(width), Some(lines), [first, rest @ ..]) => {
                let path = verdict.path.as_ref().map_or(String::new(), |path| escape::name(path.as_bytes()));
                beside::write(lines, &first.quote, &path, width, Ink(self.look.color), self.out)?;
                rest.iter().try_for_each(|closest| self.closest(closest))?;
            }
            _ => {
                if let Some(lines) = sought {
                    writeln!(self.out, "      looked for:")?;
                    let lines: Vec<&[u8]> = lines.iter().map(|(_, text)| &text[..]).collect();
                    self.quote(None, &lines)?;
                }
                closest.iter().try_for_each(|closest| self.closest(closest))?;
            }
        }
        if self.look.verbosity < 2 {
            return Ok(());
        }
        tried.iter().try_for_each(|why| writeln!(self.out, "      tried {}", escape::text(why)))
    }

    /// For each place that an old text fits, lines to quote instead that stand once.
    fn places(&mut self, verdict: &Verdict, span: Span, input: &InputReport) -> io::Result<()> {
        let known = input.offers.get(&verdict.id).into_iter().flatten();
        for advice in known.filter(|advice| advice.line == span.first) {
            let What::OneOf(offers) = &advice.what else { continue };
            for offer in offers {
                writeln!(self.out, "      for line {} quote these, which stand once:", offer.own.0)?;
                let lines: Vec<&[u8]> = offer.lines.iter().map(|line| &line.text[..]).collect();
                self.quote(Some(offer.first()), &lines)?;
            }
        }
        Ok(())
    }

    fn closest(&mut self, closest: &Closest) -> io::Result<()> {
        let Quote { first, lines } = &closest.quote;
        let last = first + lines.len().saturating_sub(1);
        let which = if last > *first { format!("lines {first} to {last}") } else { format!("line {first}") };
        writeln!(self.out, "      closest, {which} ({}):", escape::text(&closest.difference))?;
        let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
        self.quote(Some(*first), &lines)
    }

    fn quote(&mut self, first: Option<usize>, lines: &[&[u8]]) -> io::Result<()> {
        for (at, line) in lines.iter().take(MAX_QUOTED).enumerate() {
            let number = first.map_or(String::new(), |first| (first + at).to_string());
            writeln!(self.out, "      {number:>6} | {}", escape::line(line))?;
        }
        match lines.len().saturating_sub(MAX_QUOTED) {
            0 => Ok(()),
            more => writeln!(self.out, "             ({} more)", words::plural(more, "line")),
        }
    }

    fn hunk(&mut self, hunk: &HunkVerdict) -> io::Result<()> {
        let at = hunk.span.first;
        match &hunk.outcome {
            HunkOutcome::Placed { view, first, last, removed, added, .. } => {
                let lines = if last < first {
                    format!("after line {last}")
                } else {
                    format!("lines {first} to {last}")
                };
                let view = words::view(*view).map_or("exact".into(), |phrase| format!("matched {phrase}"));
                writeln!(self.out, "      hunk at input line {at}: {lines}, -{removed} +{added}, {view}")
            }
            HunkOutcome::Already { first } => {
                writeln!(self.out, "      hunk at input line {at}: stands already at line {first}")
            }
            HunkOutcome::Twice => {
                writeln!(self.out, "      hunk at input line {at}: said twice, counts once")
            }
            HunkOutcome::Refused(refusal) => {
                writeln!(self.out, "      hunk at input line {at}: {}", escape::text(&refusal.to_string()))
            }
        }
    }

    fn notes(&mut self, verdict: &Verdict) -> io::Result<()> {
        if self.look.verbosity < 0 {
            return Ok(());
        }
        for note in &verdict.notes {
            let at = note.span.map_or(String::new(), |span| format!(" (input line {})", span.first));
            writeln!(self.out, "      note{at}: {}", escape::text(&note.text))?;
        }
        Ok(())
    }

    fn files(&mut self) -> io::Result<()> {
        for (path, note) in &self.report.file_notes {
            writeln!(self.out, "note  {}: {}", escape::name(path.as_bytes()), escape::text(note))?;
        }
        match self.report.mode {
            Mode::Write if self.report.written => {
                stat::files(&self.report.changes).iter().try_for_each(|file| self.file(file))
            }
            Mode::Write => self.nothing_written(),
            Mode::DryRun | Mode::Check => Ok(()),
        }
    }

    fn nothing_written(&mut self) -> io::Result<()> {
        if self.report.exit() == super::Exit::Ok { Ok(()) } else { writeln!(self.out, "nothing was written") }
    }

    fn file(&mut self, file: &FileLine) -> io::Result<()> {
        let size = match file.bytes {
            None => format!("+{} -{}", file.added, file.removed),
            Some((before, after)) => format!("{before} -> {after} bytes"),
        };
        writeln!(self.out, "[{}] {} ({size})", file.kind, file.shown())
    }

    fn word(&self, word: &str, style: Style) -> String {
        Ink(self.look.color).paint(style.effects(Effects::BOLD), format!("{word:5}"))
    }
}

/// Why good edits were not applied.
fn held_back(report: &Report) -> Option<String> {
    if let Some(failure) = &report.failure {
        return Some(format!("since the run failed ({})", failure.code));
    }
    if report.partial && !report.changes.is_empty() {
        return None;
    }
    let bad = report.inputs.iter().find(|input| !input.is_ok())?;
    let several = report.inputs.len() > 1;
    let of = if several { format!(" of {}", escape::name(bad.name.as_bytes())) } else { String::new() };
    Some(match bad.refused()[..] {
        [] => format!("since input {} failed", escape::name(bad.name.as_bytes())),
        [id] => format!("since edit {id}{of} was refused"),
        [id, ref rest @ ..] => format!("since edit {id}{of} and {} more were refused", rest.len()),
    })
}

fn refused_hunk(hunk: &HunkVerdict) -> Option<(&HunkVerdict, &Refusal)> {
    match &hunk.outcome {
        HunkOutcome::Refused(refusal) => Some((hunk, refusal)),
        _ => None,
    }
}

/// `src/a.rs:12`, the path as resolved or else as written.
fn location(verdict: &Verdict) -> String {
    let named = || verdict.named.as_deref().map_or("(no file)".into(), escape::name);
    let path = verdict.path.as_ref().map_or_else(named, |path| escape::name(path.as_bytes()));
    let line = verdict.hunks.iter().find_map(|hunk| match hunk.outcome {
        HunkOutcome::Placed { first, .. } | HunkOutcome::Already { first } => Some(first),
        HunkOutcome::Twice | HunkOutcome::Refused(_) => None,
    });
    match (line, &verdict.outcome) {
        (Some(line), Outcome::Applied | Outcome::Already) => format!("{path}:{line}"),
        _ => path,
    }
}

fn already(verdict: &Verdict) -> String {
    let line = verdict.hunks.iter().find_map(|hunk| match hunk.outcome {
        HunkOutcome::Already { first } => Some(first),
        _ => None,
    });
    line.map_or("already applied".into(), |line| {
        format!("already applied: the new text stands at line {line}")
    })
}
