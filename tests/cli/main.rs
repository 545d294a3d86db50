//! The program as people and programs call it: what it says, its exit code, and the tree after.

mod apply;
mod bench;
mod calls;
mod ci;
mod convert;
mod faces;
mod generated;
mod journal;
mod limits;
mod links;
mod measure;
mod mistakes;
mod picture;
mod preview;
mod read;
mod refuse;
mod root;
mod terminal;
mod world;
