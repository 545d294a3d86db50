//! `edapply bench`.

use std::{collections::BTreeMap, io, path::Path, time::Duration};

use super::{
    Streams, commands,
    measure::{open, unmeasured},
    progress::Progress,
    trouble,
};
use crate::{
    bench::{self, Applier, Case, Outcome, Scored, table},
    measure::{self, Measured, Share},
    place::View,
    plan::Policy,
    report::{Exit, Failure, escape, json},
    run::watch::Stage,
};

pub(super) fn run(ask: &commands::Bench, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let progress = Progress::new(streams.stderr_is_terminal && anstyle_query::term_supports_color());
    let measured = measured(ask, &progress);
    drop(progress);
    match measured {
        Ok(found) => {
            show(ask, &found, streams)?;
            let bad = |row: &Scored| matches!(row.outcome, Outcome::Wrong | Outcome::Partial | Outcome::Time);
            Ok(if found.rows.iter().any(bad) { Exit::Fail } else { Exit::Ok })
        }
        Err(failure) => trouble(&failure, streams),
    }
}

/// What the run came to.
struct Counted {
    rows: Vec<Scored>,
    /// Replies without their files, and how many are read as they should be.
    replies: (usize, usize),
    /// Right, where strict matching refuses.
    saved: Option<usize>,
    stored: Option<String>,
}

fn measured(ask: &commands::Bench, progress: &Progress) -> Result<Counted, Failure> {
    let failed = |error: io::Error| Failure::trouble("unreadable-input", escape::text(&error.to_string()));
    let found = bench::find(&ask.folders).map_err(failed)?;
    if found.cases.is_empty() && found.replies.is_empty() {
        let named: Vec<String> =
            ask.folders.iter().map(|folder| escape::name(folder.as_os_str().as_encoded_bytes())).collect();
        let what = format!("no folder in {} holds a meta.json", named.join(", "));
        return Err(Failure::trouble("no-cases", what));
    }
    let cases: Vec<Case> = found.cases.into_iter().filter(|case| is_asked(ask, case)).collect();
    let jobs = ask.jobs.or_else(|| std::thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
    let applier = applier(ask);
    progress.at(Stage::Measuring { done: 0, of: cases.len() });
    let seen = |done: usize| progress.at(Stage::Measuring { done, of: cases.len() });
    let rows = bench::run(&cases, &applier, jobs, &seen).map_err(failed)?;
    let replies = (bench::readable(&found.replies).map_err(failed)?, found.replies.len());
    let mut counted = Counted { rows, replies, saved: None, stored: None };
    if matches!(applier, Applier::Ours(_)) {
        let strict = Policy { loosest: View::LineEnds, ..Policy::default() };
        let strict = bench::run(&cases, &Applier::Ours(Box::new(strict)), jobs, &seen).map_err(failed)?;
        let saved = |(row, strict): &(&Scored, &Scored)| {
            matches!(row.outcome, Outcome::Ok | Outcome::Alt) && strict.outcome == Outcome::Fail
        };
        counted.saved = Some(counted.rows.iter().zip(&strict).filter(saved).count());
        if let Some(model) = &ask.model {
            counted.stored = Some(store(ask, model, &counted.rows, &strict)?);
        }
    }
    Ok(counted)
}

fn is_asked(ask: &commands::Bench, case: &Case) -> bool {
    ask.formats.is_empty() || ask.formats.contains(&case.format)
}

fn applier(ask: &commands::Bench) -> Applier {
    match (&ask.applier, ask.reference) {
        (Some(line), _) => Applier::Command { line: line.clone(), limit: Duration::from_secs(ask.limit) },
        (None, Some(reference)) => Applier::Reference(reference),
        (None, None) => Applier::Ours(Box::new(Policy {
            loosest: ask.level.loosest(),
            max_offset: ask.max_offset,
            ..Policy::default()
        })),
    }
}

fn store(ask: &commands::Bench, model: &str, rows: &[Scored], strict: &[Scored]) -> Result<String, Failure> {
    let root = open(Some(Path::new(".")))?;
    let mut formats: BTreeMap<String, Share> = BTreeMap::new();
    for row in strict.iter().filter(|row| row.outcome.has_truth()) {
        add(formats.entry(row.format.clone()).or_default(), row);
    }
    let share = |rows: &[Scored]| {
        let mut share = Share::default();
        rows.iter().filter(|row| row.outcome.has_truth()).for_each(|row| add(&mut share, row));
        share
    };
    let measured = Measured { strict: share(strict), loose: share(rows), formats };
    let path = measure::store(&root, ask.state_dir.as_deref(), model, measured)
        .map_err(|error| unmeasured("cannot keep the measurement", &error))?;
    Ok(escape::name(path.to_string_lossy().as_bytes()))
}

fn add(share: &mut Share, row: &Scored) {
    share.cases += 1;
    share.ok += usize::from(row.outcome == Outcome::Ok);
}

fn show(ask: &commands::Bench, counted: &Counted, streams: &mut Streams<'_>) -> io::Result<()> {
    let out = &mut *streams.stdout;
    let (read, replies) = counted.replies;
    let (done, tasks) = table::tasks(&counted.rows);
    if ask.json {
        let groups = table::counts(&counted.rows, |row| format!("{} / {}", row.format, row.behavior));
        let total = table::counts(&counted.rows, |_| "total".into()).remove("total").unwrap_or_default();
        let report = bench::Report {
            cases: &counted.rows,
            groups,
            total,
            retries_saved: counted.saved,
            tasks: bench::Tasks { done, all: tasks },
            replies: bench::Replies { read, all: replies },
            stored: counted.stored.as_deref(),
        };
        return writeln!(out, "{}", json::line(&report)?);
    }
    if !counted.rows.is_empty() {
        table::write(&counted.rows, |row| format!("{} / {}", row.format, row.behavior), out)?;
        writeln!(out)?;
        table::write(&counted.rows, |row| row.format.clone(), out)?;
    }
    if let Some(saved) = counted.saved {
        writeln!(out, "\n{saved} right where strict matching refuses: as many retries saved")?;
    }
    if tasks > 0 {
        writeln!(out, "{done} of {tasks} tasks done, as their own commands say")?;
    }
    if replies > 0 {
        writeln!(out, "{read} of {replies} replies without files are read as they should be")?;
    }
    if let Some(stored) = &counted.stored {
        writeln!(out, "kept in {stored}")?;
    }
    for row in counted.rows.iter().filter(|row| ask.list.iter().any(|name| name == row.outcome.name())) {
        let name = escape::name(row.case.as_bytes());
        writeln!(out, "{} {name}  {} / {}", row.outcome.name(), row.format, row.behavior)?;
    }
    Ok(())
}
