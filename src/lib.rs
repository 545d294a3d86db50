//! Applies any edit that a program or a language model writes.
//!
//! Bytes become an input, an input becomes edits, edits become a plan, a plan is committed:
//!
//! ```text
//! bytes -> input -> edits -> plan -> commit
//!                     |       |        |
//!                   convert  report <- report
//! ```
//!
//! Imports point one way: `cli -> run -> {report, commit} -> plan -> {place, merge, input} -> {tree, edit} -> text`.

#[cfg(not(unix))]
compile_error!("edapply runs on Unix: it relies on its file permissions, renames and symlink rules");

pub mod bench;
pub mod choose;
pub mod cli;
pub mod commit;
pub mod convert;
pub mod cost;
pub mod dialect;
pub mod edit;
pub mod input;
pub mod inspect;
pub mod measure;
pub mod merge;
pub mod place;
pub mod plan;
pub mod prompt;
pub mod read;
pub mod refusal;
pub mod report;
pub mod request;
pub mod run;
pub mod text;
pub mod tree;
