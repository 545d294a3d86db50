//! `edapply cost` and `edapply choose`.

use std::path::Path;

use super::{Streams, commands, trouble};
use crate::{
    choose::{self, Situation, choose},
    commit::Writer,
    cost::{self, Costed, Pair, Rate, Row},
    measure,
    plan::{Change, Policy},
    report::{Exit, Failure, Mode, escape, json, text},
    request::{Checks, Limits, Request, Source},
    run,
    text::Text,
    tree::{Files, RelPath, Root},
};

pub(super) fn open(root: Option<&Path>) -> Result<Root, Failure> {
    let path = root.unwrap_or(Path::new("."));
    Root::open(path).map_err(|error| {
        let why = crate::tree::root::plain_error(&error);
        let name = escape::name(path.to_string_lossy().as_bytes());
        Failure::trouble("unreadable-root", format!("cannot open the root {name}: {why}"))
    })
}

/// Measurements cannot be kept, or read again.
pub(super) fn unmeasured(what: &str, error: &std::io::Error) -> Failure {
    let advice = match error.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            Some("Name a folder in which you may write with `--state-dir DIR`.".to_owned())
        }
        _ => None,
    };
    let message = format!("{what}: {}", crate::tree::root::plain_error(error));
    Failure { advice, ..Failure::trouble("io", message) }
}

pub(super) fn cost(ask: &commands::Cost, streams: &mut Streams<'_>) -> std::io::Result<Exit> {
    let costed = match &ask.edit {
        Some(reply) => match changes(ask, reply, streams)? {
            Ok(changes) => of_reply(ask, &changes),
            Err(exit) => return Ok(exit),
        },
        None => of_files(ask),
    };
    let costed = match costed {
        Ok(costed) => costed,
        Err(failure) => return trouble(&failure, streams),
    };
    if ask.json {
        writeln!(streams.stdout, "{}", json::line(&cost::Report { files: costed })?)?;
        return Ok(Exit::Ok);
    }
    for one in &costed {
        writeln!(
            streams.stdout,
            "{} ({} lines), {}",
            escape::name(one.path.as_bytes()),
            one.lines,
            one.change
        )?;
        writeln!(streams.stdout, "  {:14} {:>9} {:>8} {:>9}", "format", "chars", "~tokens", "~seconds")?;
        for Row { format, chars, tokens, seconds } in &one.formats {
            writeln!(streams.stdout, "  {format:14} {chars:>9} {tokens:>8} {seconds:>9.1}")?;
        }
    }
    Ok(Exit::Ok)
}

/// What the reply changes; its report and exit code if it is refused.
fn changes(
    ask: &commands::Cost,
    reply: &Source,
    streams: &mut Streams<'_>,
) -> std::io::Result<Result<Vec<Change>, Exit>> {
    let root = ask.root.clone().unwrap_or_else(|| ".".into());
    let request = Request {
        inputs: vec![reply.clone()],
        each: false,
        root: Some(root),
        format: None,
        policy: Policy::default(),
        limits: Limits::default(),
        mode: Mode::Check,
        retry: false,
        writer: Writer::default(),
        checks: Checks::default(),
    };
    let Some(report) = run::apply(&request, streams.stdin).pop() else { return Ok(Ok(Vec::new())) };
    if report.exit() != Exit::Ok {
        text::write(&report, text::Look::PLAIN, streams.stderr)?;
        let failure =
            Failure::trouble("no-change", "the reply cannot be applied, so that it has no cost".into());
        super::tell_trouble(&failure, streams)?;
        return Ok(Err(Exit::Trouble));
    }
    Ok(Ok(report.changes))
}

fn of_reply(ask: &commands::Cost, changes: &[Change]) -> Result<Vec<Costed>, Failure> {
    let mut out = Vec::new();
    for name in &ask.files {
        let path = confined(name)?;
        let change = changes.iter().find(|change| change.path == path);
        let bytes =
            |image: &Option<crate::tree::Image>| image.as_ref().map_or(Vec::new(), |i| i.bytes.to_vec());
        let Some(change) = change else {
            let name = escape::name(path.as_bytes());
            return Err(Failure::trouble("no-edit", format!("the reply does not change {name}")));
        };
        out.push(costed(
            ask,
            path,
            &bytes(&change.before),
            &bytes(&change.after),
            "as the reply changes it".into(),
        ));
    }
    Ok(out)
}

fn of_files(ask: &commands::Cost) -> Result<Vec<Costed>, Failure> {
    let root = open(ask.root.as_deref())?;
    let mut out = Vec::new();
    for name in &ask.files {
        let path = confined(name)?;
        let failed = |why: String| {
            let name = escape::name(path.as_bytes());
            Failure::trouble("unreadable-input", format!("cannot read {name}: {why}"))
        };
        let image = root.read(&path).map_err(|refusal| failed(refusal.to_string()))?;
        let image = image.ok_or_else(|| failed("no such file".into()))?;
        let (line, after) = cost::sample(&image.bytes);
        let what = format!("one line changed, line {line}");
        out.push(costed(ask, path, &image.bytes, &after, what));
    }
    Ok(out)
}

fn confined(name: &str) -> Result<RelPath, Failure> {
    let fail = |refusal: crate::refusal::Refusal| {
        Failure::trouble(refusal.code(), format!("{}: {refusal}", escape::name(name.as_bytes())))
    };
    RelPath::parse(name.as_bytes()).map_err(fail)
}

fn costed(ask: &commands::Cost, path: RelPath, before: &[u8], after: &[u8], what: String) -> Costed {
    let rate = Rate { chars_per_token: ask.chars_per_token, tokens_per_second: ask.tokens_per_second };
    let formats = cost::rows(&Pair { path: path.as_bytes(), before, after }, rate);
    let lines = Text::new(before).len();
    Costed { path: path.to_string(), lines, change: what, formats }
}

pub(super) fn choice(ask: &commands::Choose, streams: &mut Streams<'_>) -> std::io::Result<Exit> {
    let situation = match situation(ask) {
        Ok(situation) => situation,
        Err(failure) => return trouble(&failure, streams),
    };
    let choice = choose(&situation);
    if ask.json {
        let report = choose::Report { choice, accuracy: situation.accuracy };
        writeln!(streams.stdout, "{}", json::line(&report)?)?;
        return Ok(Exit::Ok);
    }
    writeln!(streams.stdout, "{}: {}", choice.format, choice.why)?;
    if let (Some(model), Some(accuracy)) = (&ask.model, situation.accuracy) {
        let model = escape::name(model.as_bytes());
        writeln!(
            streams.stdout,
            "(measured for {model}: {:.0} % of edits right under strict matching)",
            accuracy * 100.0
        )?;
    }
    Ok(Exit::Ok)
}

fn situation(ask: &commands::Choose) -> Result<Situation, Failure> {
    let root = open(ask.root.as_deref())?;
    let mut lines = ask.lines;
    let mut new_file = ask.new;
    if let Some(name) = &ask.file {
        let path = confined(name)?;
        match root.read(&path) {
            Ok(Some(image)) => lines = lines.or(Some(Text::new(&image.bytes).len())),
            Ok(None) => new_file = true,
            Err(refusal) => return Err(Failure::trouble(refusal.code(), refusal.to_string())),
        }
    }
    let stored = match (&ask.model, ask.accuracy) {
        (Some(model), None) => measure::load(&root, ask.state_dir.as_deref(), model)
            .map_err(|error| unmeasured("cannot read the measurements", &error))?,
        _ => None,
    };
    let measured = stored.and_then(|measured| measured.strict.ratio());
    if lines.is_none() && !new_file && !ask.adds_or_deletes {
        return Err(Failure::trouble(
            "usage",
            "name a file, or say --lines, --new or --adds-or-deletes".into(),
        ));
    }
    Ok(Situation {
        lines: lines.unwrap_or(0),
        new_file,
        adds_or_deletes: ask.adds_or_deletes,
        reliable_tools: ask.tools,
        accuracy: ask.accuracy.or(measured),
    })
}
