//! A true oracle: invented files with near-twins in them, true edits of these files, written in every
//! format and damaged in every way that models err. What comes of each is the truth, a refusal, or WRONG.
//!
//! `cargo test` judges a fixed number; `cargo run --release --example oracle -- --count 100000 --seed 1`
//! judges more. `--seed N --count 1 --show` prints one case.
#![allow(clippy::print_stdout, reason = "the program's whole purpose is its report")]

mod damage;
mod edits;
mod files;
mod judge;
mod moved;
mod rng;
mod write;

use std::{collections::BTreeMap, process::ExitCode};

use judge::{Case, Verdict};

/// How many cases came to what, by format, behaviour and movement.
#[derive(Default)]
struct Tally {
    by_kind: BTreeMap<String, [usize; 3]>,
    wrong: Vec<u64>,
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

    #[cfg(test)]
    fn of(&self, key: &str) -> [usize; 3] {
        self.by_kind.get(key).copied().unwrap_or_default()
    }
}

fn run(seeds: std::ops::Range<u64>, mut each: impl FnMut(u64, &Case)) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let case = judge::case(seed);
        tally.add(seed, &case);
        each(seed, &case);
    }
    tally
}

fn show(seed: u64, case: &Case) {
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

fn report(tally: &Tally) {
    println!("{:40} {:>7} {:>7} {:>7}", "", "ok", "FAIL", "WRONG");
    for (key, [ok, fail, wrong]) in &tally.by_kind {
        println!("{key:40} {ok:7} {fail:7} {wrong:7}");
    }
}

#[cfg_attr(test, expect(dead_code, reason = "the test harness has its own"))]
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, default: u64| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1)?.parse().ok().or(Some(default))
    };
    let (seed, count) = (number("--seed", 1).unwrap_or(1), number("--count", 1000).unwrap_or(1000));
    let all = args.iter().any(|arg| arg == "--show");
    let fails = args.iter().any(|arg| arg == "--fails");
    let first = seed.wrapping_mul(1 << 32);
    let range = if count == 1 { seed..seed + 1 } else { first..first + count };
    let tally = run(range, |seed, case| {
        if all || case.verdict == Verdict::Wrong || fails && case.verdict == Verdict::Fail {
            show(seed, case);
        }
    });
    report(&tally);
    if tally.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs seeds and prints the first WRONG in full.
    fn judged(seeds: std::ops::Range<u64>) -> Tally {
        let tally = run(seeds, |_, _| {});
        if let Some(&seed) = tally.wrong.first() {
            show(seed, &judge::case(seed));
        }
        tally
    }

    #[test]
    fn nothing_is_wrong() {
        let tally = judged(0..3000);
        assert_eq!(tally.wrong, [] as [u64; 0]);
    }

    #[test]
    fn what_is_written_right_is_applied() {
        let tally = judged(1 << 20..(1 << 20) + 3000);
        let [ok, fail, _] = tally.of("unmoved correct");
        assert!(ok > 100 && ok >= 30 * fail, "correct: {ok} ok, {fail} refused");
        let [ok, fail, _] = tally.of("all");
        assert!(ok >= 6 * fail, "all: {ok} ok, {fail} refused");
    }
}
