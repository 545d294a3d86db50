//! A true oracle: invented files with near-twins in them, true edits of these files, written in every
//! format and damaged in every way that models err. What comes of each is the truth, a refusal, or WRONG.
//!
//! `cargo test` judges a fixed number; `cargo run --release --example oracle -- --count 100000 --seed 1`
//! judges more. `--seed N --count 1 --show` prints one case.
#![allow(
    dead_code,
    clippy::print_stdout,
    reason = "a test and a command share it; the report is its purpose"
)]

mod damage;
mod edits;
mod files;
pub mod judge;
mod moved;
mod rng;
mod write;

use std::collections::BTreeMap;

pub use judge::{Case, Verdict};

/// How many cases came to what, by format, behaviour and movement.
#[derive(Default)]
pub struct Tally {
    by_kind: BTreeMap<String, [usize; 3]>,
    pub wrong: Vec<u64>,
}

impl Tally {
    fn add(&mut self, seed: u64, case: &Case) {
        let at = case.verdict as usize;
        let moved = case.moved.unwrap_or("-");
        if case.moved.is_none() {
            self.by_kind.entry(format!("unmoved {}", case.behavior)).or_default()[at] += 1;
        }
        for key in [
            "all".to_owned(),
            format!("format {}", case.format.name()),
            format!("behaviour {}", case.behavior),
            format!("moved {moved}"),
        ] {
            self.by_kind.entry(key).or_default()[at] += 1;
        }
        if case.verdict == Verdict::Wrong {
            self.wrong.push(seed);
        }
    }

    pub fn of(&self, key: &str) -> [usize; 3] {
        self.by_kind.get(key).copied().unwrap_or_default()
    }
}

pub fn run(seeds: std::ops::Range<u64>, mut each: impl FnMut(u64, &Case)) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let case = judge::case(seed);
        tally.add(seed, &case);
        each(seed, &case);
    }
    tally
}

pub fn show(seed: u64, case: &Case) {
    println!("== seed {seed}: {:?}", case.verdict);
    println!(
        "{} / {} / {} / {:?}",
        case.format.name(),
        case.behavior,
        case.moved.unwrap_or("-"),
        case.expect
    );
    println!("-- reply\n{}", case.reply);
    println!("-- told\n{}", case.told);
    for (title, tree) in [("before", &case.before), ("truth", &case.truth), ("got", &case.got)] {
        for (path, bytes) in tree {
            println!("-- {title} {path}\n{}", String::from_utf8_lossy(bytes));
        }
    }
}

pub fn report(tally: &Tally) {
    println!("{:40} {:>7} {:>7} {:>7}", "", "ok", "FAIL", "WRONG");
    for (key, [ok, fail, wrong]) in &tally.by_kind {
        println!("{key:40} {ok:7} {fail:7} {wrong:7}");
    }
}
