//! The program as people and programs call it: what it says, its exit code, and the tree after.

mod apply;
mod bench;
mod calls;
mod ci;
mod convert;
mod covered;
mod drop_ins;
mod exits;
mod faces;
mod generated;
mod install;
mod journal;
mod json;
mod limits;
mod links;
mod measure;
mod mistakes;
mod picture;
mod preview;
mod read;
mod refuse;
#[path = "../common/reports.rs"]
mod reports;
mod root;
mod terminal;
#[path = "../common/terminal.rs"]
mod tty;
mod world;
