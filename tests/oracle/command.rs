//! `cargo run --release --example oracle -- --count 100000 --seed 1`: the oracle over many seeds.
//! `--seed N --count 1 --show` prints one case in full, `--fails` also those that are refused.

use std::process::ExitCode;

#[path = "mod.rs"]
mod oracle;

use oracle::Verdict;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| args.iter().any(|arg| arg == name);
    let number = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1)?.parse::<u64>().ok()
    };
    let (seed, count) = (number("--seed").unwrap_or(1), number("--count").unwrap_or(1000));
    let first = if count == 1 { seed } else { seed << 32 };
    let tally = oracle::run(first..first + count, |seed, case| {
        if has("--show") || case.verdict == Verdict::Wrong || has("--fails") && case.verdict == Verdict::Fail
        {
            oracle::show(seed, case);
        }
    });
    oracle::report(&tally);
    if tally.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
