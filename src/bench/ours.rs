//! This program on a case: the plan made on the case's own tree, which is only read.

use std::io;

use super::{Case, Left, Snapshot};
use crate::{
    commit::Writer,
    plan::Policy,
    report::{Exit, Mode},
    request::{Checks, Limits, Request, Source},
    run,
};

pub(super) fn apply(case: &Case, policy: &Policy, before: &Snapshot) -> io::Result<Left> {
    let beside = tempfile::tempdir()?;
    let tree = case.dir.join("before");
    let root = if tree.is_dir() { tree } else { beside.path().join("tree") };
    std::fs::create_dir_all(&root)?;
    let request = Request {
        inputs: vec![Source::File(case.reply())],
        each: false,
        root: Some(root),
        format: None,
        policy: policy.clone(),
        limits: Limits::default(),
        mode: Mode::Check,
        retry: false,
        writer: Writer { state_dir: Some(beside.path().join("state")), ..Writer::default() },
        checks: Checks::default(),
    };
    let report = run::apply(&request, &mut io::empty()).pop();
    let report = report.filter(|report| report.exit() == Exit::Ok);
    let tree = report.as_ref().map_or_else(|| before.clone(), |report| before.with(&report.changes));
    Ok(Left { accepted: Some(report.is_some()), tree })
}
