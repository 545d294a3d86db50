//! A fixed number of the oracle's cases; the command `cargo run --release --example oracle` runs more.

#[path = "oracle/mod.rs"]
mod oracle;

use oracle::Tally;

/// Runs seeds and prints the first WRONG in full.
fn judged(seeds: std::ops::Range<u64>) -> Tally {
    let tally = oracle::run(seeds, |_, _| {});
    if let Some(&seed) = tally.wrong.first() {
        oracle::show(seed, &oracle::judge::case(seed));
    }
    tally
}

#[test]
fn nothing_is_wrong_and_what_is_written_right_is_applied() {
    let tally = judged(0..4000);
    assert_eq!(tally.wrong, [] as [u64; 0]);
    let [ok, fail, _] = tally.of("unmoved correct");
    assert!(ok >= 150 && ok >= 50 * fail, "correct: {ok} ok, {fail} refused");
    let [ok, fail, _] = tally.of("all");
    assert!(ok >= 7 * fail, "all: {ok} ok, {fail} refused");
}
