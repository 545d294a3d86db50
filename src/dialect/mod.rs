//! What the engine's parts come to when they speak as another program.

pub mod git;
pub mod gnu;
mod mask;
mod offsets;
mod places;
mod told;
mod unwritten;

pub use told::{Fate, HunkTold, Told};
