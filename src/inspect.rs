//! `edapply inspect`: what edits an input holds, where, in which format.

use std::io::{self, Read, Write};

use crate::{
    edit::{Format, Parsed, Span},
    input,
    report::{Exit, Failure, escape, json},
    request::Source,
};

/// Lists the edits of all inputs.
///
/// # Errors
/// The output cannot be written.
pub fn inspect(
    sources: &[Source],
    format: Option<Format>,
    as_json: bool,
    stdin: &mut dyn Read,
    out: &mut dyn Write,
) -> io::Result<Result<Exit, Failure>> {
    let mut loaded = Vec::new();
    for source in sources {
        match source.read(stdin) {
            Ok(bytes) => loaded.push(bytes),
            Err(failure) => return Ok(Err(failure)),
        }
    }
    let parsed: Vec<Parsed<'_>> = loaded.iter().map(|bytes| input::read(bytes, format)).collect();
    if as_json {
        let name = |source: &Source| (sources.len() > 1).then(|| source.name());
        let named: Vec<_> = sources.iter().map(name).zip(&parsed).collect();
        writeln!(out, "{}", json::line(&json::inspected(&named))?)?;
    } else {
        for (source, one) in sources.iter().zip(&parsed) {
            if sources.len() > 1 {
                writeln!(out, "{}:", escape::name(source.name().as_bytes()))?;
            }
            write_list(one, out)?;
        }
    }
    let found = parsed.iter().any(|one| !one.edits.is_empty() || !one.faults.is_empty());
    Ok(Ok(if found { Exit::Ok } else { Exit::Fail }))
}

fn write_list(parsed: &Parsed<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for edit in &parsed.edits {
        let path = edit.path.as_ref().map_or("(no file)".into(), |name| escape::name(&name.text));
        let to =
            edit.move_to.as_ref().map_or(String::new(), |name| format!(" → {}", escape::name(&name.text)));
        let what = json::op_name(edit).name();
        lines.push((edit.id, row(edit.id, edit.span, edit.format, what, &format!("{path}{to}"))));
    }
    for fault in &parsed.faults {
        let path = fault.path.as_ref().map_or("(no file)".into(), |name| escape::name(&name.text));
        let why = escape::text(&fault.refusal.to_string());
        lines.push((fault.id, row(fault.id, fault.span, fault.format, "fault", &format!("{path}: {why}"))));
    }
    lines.sort();
    for (_, line) in lines {
        writeln!(out, "{line}")?;
    }
    if parsed.skipped > 0 {
        writeln!(out, "{} code fence(s) left alone", parsed.skipped)?;
    }
    Ok(())
}

fn row(id: usize, span: Span, format: Format, what: &str, path: &str) -> String {
    let lines = format!("{}-{}", span.first, span.last);
    format!("{id:3}  lines {lines:9}  {:14}  {what:6}  {path}", format.name())
}
