//! Measures an applier on a folder of cases with known truth.
//!
//! A case is `before/`, `reply.txt`, `after/` and `meta.json`. Our own applier and the reference policies
//! compute the tree that they would leave, without writing it; another program is run in a copy of
//! `before/`. What is left is compared with what was meant.

use std::{
    collections::BTreeMap,
    io,
    path::PathBuf,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde::Serialize;

use crate::{input, plan::Policy, report::json};

mod applier;
mod case;
mod ours;
mod reference;
mod snapshot;
pub mod table;

pub use case::{Case, find};
pub use reference::Reference;
use snapshot::Snapshot;

/// What is measured.
#[derive(Clone, Debug)]
pub enum Applier {
    /// This program, under a policy.
    Ours(Box<Policy>),
    Reference(Reference),
    /// A shell line, run in a copy of the case's tree; `{reply}`, `{dir}` and `{format}` are filled in.
    Command {
        line: String,
        limit: Duration,
    },
}

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Outcome {
    /// The tree is what was meant, or was refused as it should be.
    #[serde(rename = "ok")]
    Ok,
    /// Not what was meant, but tolerable: `after.alt/`.
    #[serde(rename = "alt")]
    Alt,
    /// Refused, nothing changed.
    #[serde(rename = "FAIL")]
    Fail,
    /// Accepted, and the tree is another.
    #[serde(rename = "WRONG")]
    Wrong,
    /// Refused, yet something changed.
    #[serde(rename = "PARTIAL")]
    Partial,
    /// It took too long.
    #[serde(rename = "TIME")]
    Time,
    /// There is no truth: accepted.
    #[serde(rename = "acc")]
    Accepted,
    /// There is no truth: refused.
    #[serde(rename = "ref")]
    Refused,
}

impl Outcome {
    /// In the order of columns.
    pub const ALL: [Outcome; 8] = [
        Outcome::Ok,
        Outcome::Alt,
        Outcome::Fail,
        Outcome::Wrong,
        Outcome::Partial,
        Outcome::Time,
        Outcome::Accepted,
        Outcome::Refused,
    ];

    pub fn name(self) -> &'static str {
        ["ok", "alt", "FAIL", "WRONG", "PARTIAL", "TIME", "acc", "ref"][self as usize]
    }

    /// Counts where a share of right edits is asked for.
    pub fn has_truth(self) -> bool {
        !matches!(self, Outcome::Accepted | Outcome::Refused)
    }
}

/// A case and what became of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Scored {
    pub case: String,
    pub format: String,
    pub behavior: String,
    pub expect: String,
    pub outcome: Outcome,
    /// What the case's own `verify` command says of the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<bool>,
}

/// What all cases came to, for programs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report<'b> {
    pub cases: &'b [Scored],
    /// Counts of outcomes by `format / behavior`.
    pub groups: BTreeMap<String, BTreeMap<Outcome, usize>>,
    pub total: BTreeMap<Outcome, usize>,
    /// Cases that are right, and that strict matching refuses; null for other appliers.
    pub retries_saved: Option<usize>,
    pub tasks: Tasks,
    pub replies: Replies,
    /// Where the measurement is kept, with `--model`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<&'b str>,
}

/// Cases with a command of their own.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tasks {
    /// The command succeeds on the tree.
    pub done: usize,
    pub all: usize,
}

/// Replies without their files.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Replies {
    /// Read as they should be.
    pub read: usize,
    pub all: usize,
}

impl json::Document for Report<'_> {
    const REPORT: &'static str = "bench";
}

/// What an applier left, and whether it said yes; `None`: it ran out of time.
struct Left {
    accepted: Option<bool>,
    tree: Snapshot,
}

/// Runs all cases, several at a time; the result is in their order. `seen` is told how many are done.
///
/// # Errors
/// A case cannot be read, or a command not be run.
pub fn run(
    cases: &[Case],
    applier: &Applier,
    jobs: usize,
    seen: &(dyn Fn(usize) + Sync),
) -> io::Result<Vec<Scored>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, io::Result<Scored>)>> = Mutex::new(Vec::with_capacity(cases.len()));
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, cases.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(at) else { return };
                    let scored = score(case, applier);
                    if let Ok(mut done) = done.lock() {
                        done.push((at, scored));
                        seen(done.len());
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, scored)| scored).collect()
}

fn score(case: &Case, applier: &Applier) -> io::Result<Scored> {
    let before = Snapshot::read_or_empty(&case.dir.join("before"))?;
    let left = match applier {
        Applier::Ours(policy) => ours::apply(case, policy, &before)?,
        Applier::Reference(reference) => reference::apply(case, *reference, &before)?,
        Applier::Command { line, limit } => applier::apply(case, line, *limit, &before)?,
    };
    let mut outcome = judge(case, &left, &before)?;
    if outcome == Outcome::Fail && case.or_refuse {
        outcome = Outcome::Ok;
    }
    let task = match &case.verify {
        Some(command) if left.accepted == Some(true) => Some(applier::verify(command, &left.tree)?),
        Some(_) => Some(false),
        None => None,
    };
    Ok(Scored {
        case: case.name.clone(),
        format: case.format.clone(),
        behavior: case.behavior.clone(),
        expect: case.expect.clone(),
        outcome,
        task,
    })
}

fn judge(case: &Case, left: &Left, before: &Snapshot) -> io::Result<Outcome> {
    let Some(accepted) = left.accepted else { return Ok(Outcome::Time) };
    let unchanged = left.tree == *before;
    if case.expect == "noop" {
        return Ok(match (unchanged, accepted) {
            (true, _) => Outcome::Ok,
            (false, true) => Outcome::Wrong,
            (false, false) => Outcome::Partial,
        });
    }
    if !accepted {
        return Ok(match (unchanged, case.expect.as_str()) {
            (false, _) => Outcome::Partial,
            (true, "refuse") => Outcome::Ok,
            (true, "unknown") => Outcome::Refused,
            (true, _) => Outcome::Fail,
        });
    }
    if case.expect == "unknown" {
        return Ok(Outcome::Accepted);
    }
    let is = |name: &str, or_empty: bool| {
        let found = Snapshot::read(&case.dir.join(name))?;
        let found = found.or_else(|| or_empty.then(Snapshot::default));
        Ok::<bool, io::Error>(found.is_some_and(|tree| tree == left.tree))
    };
    if is("after", case.expect == "ok")? {
        return Ok(Outcome::Ok);
    }
    Ok(if is("after.alt", false)? { Outcome::Alt } else { Outcome::Wrong })
}

/// Of the cases that hold a reply without its files, those that are read as their `meta.json` says.
///
/// # Errors
/// A reply cannot be read.
pub fn readable(cases: &[Case]) -> io::Result<usize> {
    let mut count = 0;
    for case in cases {
        let bytes = std::fs::read(case.reply())?;
        let parsed = input::read(&bytes, None);
        let names = parsed.edits.iter().map(|edit| &edit.path).chain(parsed.faults.iter().map(|f| &f.path));
        let names: Vec<String> = names
            .map(|name| {
                name.as_ref().map_or(String::new(), |name| String::from_utf8_lossy(&name.text).into_owned())
            })
            .collect();
        count += usize::from(case.is_read_as(&names));
    }
    Ok(count)
}

/// Where the cases lie.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub cases: Vec<Case>,
    /// Replies without their files.
    pub replies: Vec<Case>,
    pub folders: Vec<PathBuf>,
}
