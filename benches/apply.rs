//! Reading and planning in memory, each at three sizes: what grows faster than the sizes do is a fault.
//!
//! `cargo bench`; whole runs of the program beside its peers are in `RESULTS.md`.

use std::fmt::Write;

use divan::{Bencher, black_box, counter::BytesCount};
use edapply::{
    input,
    plan::{self, Policy},
    tree::{Image, Memory, RelPath},
};

/// Lines of the file.
const SIZES: [usize; 3] = [10_000, 20_000, 40_000];
/// A hunk or block every so many lines.
const EVERY: usize = 100;

fn main() {
    divan::main();
}

/// Lines that look like code: most are unique, braces and blank lines repeat.
fn lines(count: usize) -> Vec<String> {
    let line = |n: usize| match n % 8 {
        0 => format!("fn step_{n}(input: u32) -> u32 {{"),
        6 => "}".to_owned(),
        7 => String::new(),
        _ => format!("    let value_{n} = input.part({});", n * 7919 % 10_007),
    };
    (0..count).map(line).collect()
}

/// The places that are edited: lines of their own text.
fn places(count: usize) -> impl Iterator<Item = usize> {
    (EVERY..count - EVERY).step_by(EVERY).map(|at| at / 8 * 8 + 3)
}

fn memory(lines: &[String]) -> Memory {
    let mut memory = Memory::default();
    let path = RelPath::parse(b"src/file.rs").expect("a plain path");
    memory.files.insert(path, Image { bytes: (lines.join("\n") + "\n").into_bytes().into(), mode: 0o644 });
    memory
}

/// A diff with three lines of context whose numbers are `shift` too small.
fn diff(lines: &[String], shift: usize) -> String {
    let mut out = "--- a/src/file.rs\n+++ b/src/file.rs\n".to_owned();
    for at in places(lines.len()) {
        let first = at - 2 - shift.min(at - 3);
        writeln!(out, "@@ -{first},7 +{first},7 @@").expect("memory");
        for (n, line) in lines[at - 3..=at + 3].iter().enumerate() {
            match n {
                3 => writeln!(out, "-{line}\n+{line} // new").expect("memory"),
                _ => writeln!(out, " {line}").expect("memory"),
            }
        }
    }
    out
}

/// SEARCH/REPLACE blocks; `slip`: with a word in each quoted line that the file lacks.
fn blocks(lines: &[String], slip: &str) -> String {
    let mut out = "src/file.rs\n".to_owned();
    for at in places(lines.len()) {
        let [above, line, below] = [at - 1, at, at + 1].map(|at| format!("{}{slip}", lines[at]));
        let search = format!("<<<<<<< SEARCH\n{above}\n{line}\n{below}\n");
        writeln!(out, "```rust\n{search}=======\n{above}\n{line} // new\n{below}\n>>>>>>> REPLACE\n```\n")
            .expect("memory");
    }
    out
}

fn run(bencher: Bencher, lines: &[String], input: &str, applies: bool) {
    let (files, policy) = (memory(lines), Policy::default());
    let make = || plan::make(&input::read(input.as_bytes(), None), &files, &policy);
    assert_eq!(make().is_ok(), applies, "the workload is wrong");
    bencher.counter(BytesCount::of_str(input)).bench(|| black_box(make()));
}

#[divan::bench(args = SIZES)]
fn diff_in_place(bencher: Bencher, size: usize) {
    let lines = lines(size);
    run(bencher, &lines, &diff(&lines, 0), true);
}

#[divan::bench(args = SIZES)]
fn diff_at_one_offset(bencher: Bencher, size: usize) {
    let lines = lines(size);
    run(bencher, &lines, &diff(&lines, 37), true);
}

#[divan::bench(args = SIZES)]
fn search_replace(bencher: Bencher, size: usize) {
    let lines = lines(size);
    run(bencher, &lines, &blocks(&lines, ""), true);
}

#[divan::bench(args = SIZES, sample_count = 10)]
fn search_replace_that_misses(bencher: Bencher, size: usize) {
    let lines = lines(size);
    run(bencher, &lines, &blocks(&lines, "x"), false);
}

#[divan::bench(args = SIZES)]
fn new_file(bencher: Bencher, size: usize) {
    let lines = lines(size);
    let mut input = format!("--- /dev/null\n+++ b/src/new.rs\n@@ -0,0 +1,{size} @@\n");
    lines.iter().for_each(|line| writeln!(input, "+{line}").expect("memory"));
    run(bencher, &[], &input, true);
}
