//! `edapply undo`, `recover` and `log`: what earlier runs did here.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{Streams, tell_trouble, trouble};
use crate::{
    commit::{self, Outcome, Recovered, UndoError, Undone, Writer},
    report::{
        Exit, Failure, escape,
        json::{self, BatchJson, Detail, FileOp, Log, Recovery, RunJson, RunWord, UndoJson},
        stat,
    },
    run,
    tree::Root,
};

/// Names that a line of the log shows.
const MAX_NAMES: usize = 4;

/// Where to look.
pub(super) struct Past {
    pub writer: Writer,
    /// A folder that was named counts alone; else also what was done elsewhere in its work tree.
    pub root: Option<PathBuf>,
}

impl Past {
    fn open(&self) -> Result<Root, Failure> {
        let path = self.root.as_deref().unwrap_or(Path::new("."));
        Root::open(path).map_err(|error| {
            let (name, why) =
                (escape::name(path.to_string_lossy().as_bytes()), crate::tree::root::plain_error(&error));
            Failure::trouble("unreadable-root", format!("cannot open the root {name}: {why}"))
        })
    }

    pub(super) fn undo(&self, id: Option<&str>, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let root = match self.open() {
            Ok(root) => root,
            Err(failure) => return trouble(&failure, streams),
        };
        match self.writer.undo(&root, self.root.is_some(), id) {
            Ok(undone) => {
                streams.settled = true;
                let id = undone.id.clone();
                let told = self.tell(undone, streams).and_then(|()| streams.stderr.flush());
                if let Err(error) = super::quiet_pipe(told) {
                    let why = crate::tree::root::plain_error(&error);
                    let other: &mut dyn Write =
                        if streams.as_json { &mut *streams.stderr } else { &mut *streams.stdout };
                    let _ = writeln!(
                        other,
                        "edapply: the report cannot be written ({why}); batch {id} is undone"
                    );
                }
                Ok(Exit::Ok)
            }
            Err(error) => fail(&undo_failure(&error), streams),
        }
    }

    fn tell(&self, undone: Undone, streams: &mut Streams<'_>) -> io::Result<()> {
        let receipt = undone.receipt;
        let of = Root::open(&undone.root).ok();
        let named = self.writer.state_dir.as_deref();
        let unknown = of.and_then(|of| run::remember(&of, named, &undone.changes, false));
        let notes = receipt.recovered.iter().flat_map(run::recovery_notes);
        let notes: Vec<String> = notes.chain(receipt.warnings).chain(unknown).collect();
        if streams.as_json {
            let of_files = receipt.notes.iter().map(|(path, note)| format!("{path}: {note}"));
            let report = UndoJson {
                undone: undone.id,
                batch: receipt.id,
                root: undone.root.to_string_lossy().into_owned(),
                files: json::files(&undone.changes, Detail::Short),
                notes: notes.into_iter().chain(of_files).collect(),
            };
            writeln!(streams.stdout, "{}", json::line(&report)?)?;
            return streams.stdout.flush();
        }
        let out = &mut *streams.stderr;
        for note in notes {
            writeln!(out, "note  {}", escape::text(&note))?;
        }
        for (path, note) in &receipt.notes {
            writeln!(out, "note  {}: {}", escape::name(path.as_bytes()), escape::text(note))?;
        }
        writeln!(out, "ok    batch {} is undone", undone.id)?;
        for file in stat::files(&undone.changes) {
            writeln!(out, "[{}] {} (+{} -{})", file.kind, file.shown(), file.added, file.removed)?;
        }
        Ok(())
    }

    pub(super) fn recover(&self, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let root = match self.open() {
            Ok(root) => root,
            Err(failure) => return trouble(&failure, streams),
        };
        let recovered = match self.writer.recover(&root) {
            Ok(recovered) => recovered,
            Err(error) => return fail(&run::commit_failure(&error), streams),
        };
        let is_whole = |one: &Recovered| one.left.is_empty() || one.outcome == Outcome::Finished;
        let exit = if recovered.iter().all(is_whole) { Exit::Ok } else { Exit::Fail };
        if streams.as_json {
            let report = Recovery { exit: exit as u8, runs: recovered.iter().map(recovered_run).collect() };
            writeln!(streams.stdout, "{}", json::line(&report)?)?;
            return Ok(exit);
        }
        for one in &recovered {
            let whole = is_whole(one);
            let word = if whole { "ok   " } else { "FAIL " };
            let notes = run::recovery_notes(one);
            for (at, note) in notes.iter().enumerate() {
                let word = if at == 0 { word } else { "     " };
                writeln!(streams.stderr, "{word} {}", escape::text(note))?;
            }
        }
        if recovered.is_empty() {
            writeln!(streams.stderr, "ok    nothing to recover")?;
        }
        Ok(exit)
    }

    /// All batches, or only those that can be undone.
    pub(super) fn log(&self, undoable: bool, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let root = match self.open() {
            Ok(root) => root,
            Err(failure) => return trouble(&failure, streams),
        };
        let all = match self.writer.history(&root, self.root.is_some()) {
            Ok(all) => all,
            Err(error) => return fail(&run::commit_failure(&error), streams),
        };
        let undone = commit::undone(&all);
        if streams.as_json {
            let shown = all.iter().filter(|past| !(undoable && undone.contains(past.id())));
            let batches = shown.map(|past| batch(past, undone.contains(past.id()))).collect();
            writeln!(streams.stdout, "{}", json::line(&Log { batches })?)?;
            return Ok(Exit::Ok);
        }
        if all.is_empty() {
            writeln!(streams.stderr, "nothing was applied here, or none of it is kept")?;
        }
        for past in &all {
            let is_undone = undone.contains(past.id());
            if undoable && is_undone {
                continue;
            }
            let what = past.undoes().map_or("apply".into(), |id| format!("undo of {id}"));
            let state = if is_undone { ", undone since" } else { "" };
            let away = if past.root() == root.path() {
                String::new()
            } else {
                format!(" in {}", escape::name(past.root().as_os_str().as_encoded_bytes()))
            };
            let (id, when, files) = (past.id(), past.when(), names(past));
            writeln!(streams.stdout, "{id}  {when} UTC  {what}{state}{away}: {files}")?;
        }
        Ok(Exit::Ok)
    }
}

fn names(past: &commit::Past) -> String {
    let shown: Vec<String> = past
        .files()
        .take(MAX_NAMES)
        .map(|file| format!("[{}] {}", file.op, escape::name(file.path.as_bytes())))
        .collect();
    match past.files().count().saturating_sub(MAX_NAMES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn batch(past: &commit::Past, is_undone: bool) -> BatchJson {
    let file =
        |file: commit::PastFile<'_>| FileOp { op: file.op, path: json::path(Some(file.path.as_bytes())) };
    BatchJson {
        id: past.id().to_owned(),
        time: past.when().replace(' ', "T") + "Z",
        undoes: past.undoes().map(str::to_owned),
        undone: is_undone,
        root: past.root().to_string_lossy().into_owned(),
        files: past.files().map(file).collect(),
    }
}

fn recovered_run(one: &Recovered) -> RunJson {
    RunJson {
        id: one.id.clone(),
        outcome: match one.outcome {
            Outcome::RolledBack => RunWord::RolledBack,
            Outcome::Finished => RunWord::Finished,
            Outcome::Cleared => RunWord::Cleared,
            Outcome::Foreign => RunWord::Foreign,
        },
        files: one.files,
        left: one.left.clone(),
    }
}

fn undo_failure(error: &UndoError) -> Failure {
    match error {
        UndoError::Commit(error) => run::commit_failure(error),
        other => Failure::new(other.code(), escape::text(&other.to_string()), !other.is_refusal()),
    }
}

pub(super) fn fail(failure: &Failure, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let word = if failure.exit() == Exit::Fail { "FAIL " } else { "error" };
    writeln!(streams.stderr, "{word} {} [{}]", failure.message, failure.code)?;
    let next = failure.next();
    if !next.is_empty() {
        writeln!(streams.stderr, "      next: {next}")?;
    }
    tell_trouble(failure, streams)?;
    Ok(failure.exit())
}
