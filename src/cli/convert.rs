//! `edapply convert`.

use std::path::PathBuf;

use super::{Streams, tell_trouble, trouble, usage};
use crate::{
    commit::Writer,
    convert::{self, Converted},
    edit::{Edit, Format},
    input,
    plan::Policy,
    refusal::Refusal,
    report::{
        Exit, Failure, Mode, escape,
        json::{self, Detail},
        text,
    },
    request::{Checks, Limits, Request, Source, series},
    run,
    tree::Root,
};

/// What was asked for.
pub(super) struct Ask {
    pub to: Format,
    pub root: Option<PathBuf>,
    pub format: Option<Format>,
    pub inputs: Vec<Source>,
}

pub(super) fn run(ask: &Ask, streams: &mut Streams<'_>) -> std::io::Result<Exit> {
    let inputs = ask.inputs.clone();
    if inputs.contains(&Source::Stdin) && streams.stdin_is_terminal {
        return usage(streams);
    }
    match &ask.root {
        Some(root) => planned(ask, root.clone(), inputs, streams),
        None => alone(ask, &inputs, streams),
    }
}

/// Without a look at any file.
fn alone(ask: &Ask, inputs: &[Source], streams: &mut Streams<'_>) -> std::io::Result<Exit> {
    let inputs = match series::expand(inputs) {
        Ok(inputs) => inputs,
        Err(failure) => return trouble(&failure, streams),
    };
    if let Some(Source::Patch(patch)) = inputs.iter().find(|input| is_bent(input)) {
        let name = escape::name(patch.path.as_os_str().as_encoded_bytes());
        let message =
            format!("the series has -R or -pN for {name}: only a tree (-C DIR) shows what that means");
        return refused(&Failure::new("not-convertible", message, false), streams);
    }
    let mut loaded = Vec::new();
    for source in &inputs {
        match source.read(streams.stdin) {
            Ok(bytes) => loaded.push(bytes),
            Err(failure) => return trouble(&failure, streams),
        }
    }
    let parsed: Vec<_> = loaded.iter().map(|bytes| input::read(bytes, ask.format)).collect();
    if let Some(fault) = parsed.iter().find_map(|one| one.faults.first()) {
        let why = escape::text(&fault.refusal.to_string());
        let message = format!("edit {} (input line {}): {why}", fault.id, fault.span.first);
        return refused(&Failure::new(fault.refusal.code(), message, false), streams);
    }
    let edits: Vec<Edit<'_>> = parsed.into_iter().flat_map(|one| one.edits).collect();
    if edits.is_empty() {
        let refusal = Refusal::NoEdit { seen: "text without an edit in a known format".into(), advice: None };
        return refused(&Failure::refused(&refusal), streams);
    }
    finish(ask.to, convert::text(&edits, ask.to), streams)
}

/// A patch that its series turns round, or whose names it shortens.
fn is_bent(input: &Source) -> bool {
    matches!(input, Source::Patch(patch) if patch.reverse || patch.strip.is_some_and(|count| count != 1))
}

/// Planned on the tree; a refusal is told as when applying.
fn planned(
    ask: &Ask,
    root: PathBuf,
    inputs: Vec<Source>,
    streams: &mut Streams<'_>,
) -> std::io::Result<Exit> {
    let request = Request {
        inputs,
        each: false,
        root: Some(root.clone()),
        format: ask.format,
        policy: Policy::default(),
        limits: Limits::default(),
        mode: Mode::Check,
        retry: false,
        writer: Writer::default(),
        checks: Checks::default(),
    };
    let Some(report) = run::apply(&request, streams.stdin).pop() else { return Ok(Exit::Ok) };
    if report.exit() != Exit::Ok {
        text::write(&report, text::Look::PLAIN, streams.stderr)?;
        if streams.as_json {
            writeln!(streams.stdout, "{}", json::report(&report, Detail::Short)?)?;
        }
        return Ok(report.exit());
    }
    match Root::open(&root) {
        Ok(files) => finish(ask.to, convert::planned(&report.changes, &files, ask.to), streams),
        Err(error) => {
            let why = crate::tree::root::plain_error(&error);
            trouble(&Failure::trouble("unreadable-root", why), streams)
        }
    }
}

fn finish(
    to: Format,
    converted: Result<Converted, convert::Cannot>,
    streams: &mut Streams<'_>,
) -> std::io::Result<Exit> {
    let converted = match converted {
        Ok(converted) => converted,
        Err(cannot) => {
            let message = escape::text(&cannot.to_string());
            return refused(&Failure::new("not-convertible", message, false), streams);
        }
    };
    if streams.as_json {
        let (text, text_b64) = (json::lossy(&converted.text), json::exactly(&converted.text));
        let report = json::Convert { to, text, text_b64, notes: converted.notes };
        writeln!(streams.stdout, "{}", json::line(&report)?)?;
        return Ok(Exit::Ok);
    }
    for note in &converted.notes {
        writeln!(streams.stderr, "note  {}", escape::text(note))?;
    }
    streams.stdout.write_all(&converted.text)?;
    Ok(Exit::Ok)
}

fn refused(failure: &Failure, streams: &mut Streams<'_>) -> std::io::Result<Exit> {
    writeln!(streams.stderr, "edapply: {} [{}]", failure.message, failure.code)?;
    tell_trouble(failure, streams)?;
    Ok(Exit::Fail)
}
