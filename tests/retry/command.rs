//! Follows the retry texts of folders of cases: `cargo run --example retry -- CASES…`. Fails if one leads to a
//! wrong place, or fewer than four of five lead to the right one.

#![allow(clippy::print_stdout, reason = "it is a program")]

mod cases;
mod follow;

use std::{collections::BTreeMap, path::PathBuf, process::ExitCode};

use follow::Followed;

fn main() -> ExitCode {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let followed = cases::follow_all(&folders);
    let mut counts: BTreeMap<(&str, &str, Followed), usize> = BTreeMap::new();
    for case in &followed.cases {
        for outcome in &case.outcomes {
            *counts.entry((&case.behavior, &case.format, *outcome)).or_default() += 1;
            if *outcome != Followed::Right {
                println!("{outcome:?} {}", case.dir.display());
            }
        }
    }
    for ((behavior, format, outcome), count) in counts {
        println!("{behavior:18} {format:22} {outcome:?} {count}");
    }
    let [right, fail, wrong] = followed.counts();
    let (cases, applied) = (followed.cases.len(), followed.applied);
    println!("{cases} refused, {applied} applied as they are: {right} right, {fail} FAIL, {wrong} WRONG");
    if followed.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
