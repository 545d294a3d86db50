//! Follows the retry texts of folders of cases: `cargo run --example retry -- CASES…`.

#![allow(clippy::print_stdout, reason = "it is a program")]

mod follow;

use std::{collections::BTreeMap, path::PathBuf};

use edapply::{bench, report::Exit};

fn main() {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let found = bench::find(&folders).expect("cases");
    let mut counts: BTreeMap<(String, String, follow::Followed), usize> = BTreeMap::new();
    for case in found.cases {
        let wanted = ["typo-in-removed", "ambiguous", "stale"];
        if !wanted.iter().any(|name| case.behavior.contains(name)) {
            continue;
        }
        let beside = tempfile::tempdir().expect("a folder");
        let root = case.dir.join("before");
        if follow::plan(&root, &case.reply(), beside.path()).exit() == Exit::Ok {
            continue;
        }
        let is_right = |report: &edapply::report::Report| {
            report.changes.iter().all(|change| {
                let want = std::fs::read(case.dir.join("after").join(change.path.to_string())).ok();
                change.after.as_ref().map(|image| image.bytes.clone()) == want
            })
        };
        for followed in follow::follow(&root, &case.reply(), beside.path(), is_right) {
            *counts.entry((case.behavior.clone(), case.format.clone(), followed)).or_default() += 1;
            if followed != follow::Followed::Right {
                println!("{followed:?} {}", case.dir.display());
            }
        }
    }
    for ((behavior, format, followed), count) in counts {
        println!("{behavior:18} {format:22} {followed:?} {count}");
    }
}
