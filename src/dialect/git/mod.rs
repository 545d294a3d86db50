//! `git apply`, as its callers know it.
//!
//! Each operand is read whole, placed in memory and written as one transaction. What git knows better
//! (the index, the object store, attributes) is asked of git's own plumbing commands, without a shell.

mod ancestor;
mod apply_binary;
mod attributes;
mod binary;
mod check;
mod config;
mod convert;
mod discover;
mod driver;
mod extended;
mod header;
mod hunks;
mod image;
mod index;
mod locate;
mod names;
mod objects;
pub mod options;
mod patch;
mod place;
mod quote;
mod repo;
mod safe;
mod say;
mod session;
mod show;
mod space;
mod stamp;
mod three_way;
mod wild;
mod world;
mod write;

pub use session::{Streams, run};
