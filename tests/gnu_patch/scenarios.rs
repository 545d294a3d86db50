//! What GNU patch 2.7.6 or 2.8 did in scenarios: `scenarios/*.sh` say what is done, `expected/*.txt` what came
//! of it. `run.sh` with GNU patch itself makes the latter anew, but for one block: it refuses the context diff
//! that only deletes and has no context.

use std::{path::Path, process::Command};

use crate::OURS;

/// The blocks of a transcript, each with its name in front.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        match blocks.last_mut().filter(|_| !line.starts_with("== ")) {
            Some(block) => block.push_str(line),
            None => blocks.push(line.to_owned()),
        }
    }
    blocks
}

fn check(area: &str) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gnu_patch");
    let scenarios = here.join(format!("scenarios/{area}.sh"));
    let out = Command::new("sh").arg(here.join("run.sh")).arg(OURS).arg(scenarios).output();
    let got = String::from_utf8_lossy(&out.expect("it runs").stdout).into_owned();
    let want = std::fs::read_to_string(here.join(format!("expected/{area}.txt"))).expect("readable");
    let (got, want) = (blocks(&got), blocks(&want));
    let odd: Vec<_> = want.iter().filter(|block| !got.contains(block)).collect();
    let instead: Vec<_> = got.iter().filter(|block| !want.contains(block)).collect();
    assert!(
        odd.is_empty() && instead.is_empty(),
        "expected:\n{}\ngot:\n{}",
        odd.iter().map(|block| block.as_str()).collect::<String>(),
        instead.iter().map(|block| block.as_str()).collect::<String>()
    );
}

#[test]
fn formats() {
    check("formats");
}

#[test]
fn files() {
    check("files");
}

#[test]
fn output() {
    check("output");
}

#[test]
fn git() {
    check("git");
}

#[test]
fn options() {
    check("options");
}

/// As the programs that call it most call it.
#[test]
fn calls() {
    check("calls");
}
