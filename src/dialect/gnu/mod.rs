//! GNU patch, as its callers know it.
//!
//! File by file in effect, but planned in memory: what a run comes to stands in a `Disk`, and is
//! written at its end as one transaction. A fatal error writes what was finished before it.

mod apply;
mod backup;
mod choose;
mod disk;
mod header;
mod hunks;
mod locate;
mod merge;
mod myers;
mod names;
pub mod options;
mod patch;
mod queue;
mod quote;
mod reject;
mod safe;
mod say;
mod session;
mod stamp;
mod write;
mod zone;

pub use session::{Streams, run};
