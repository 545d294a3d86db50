//! How the program is linked.
//!
//! A program that may be loaded anywhere has its ten thousand pointers set at each start: a hundred pages are read
//! and fifty copied, a fifth of what a small edit costs. Loaded at a fixed place it starts at once. Libraries, stack
//! and heap stand at random places all the same, and the crate has no `unsafe` code.

#![allow(clippy::print_stdout, reason = "that is how cargo is told")]

fn main() {
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    println!("cargo::rerun-if-changed=src/build.rs");
}
