//! What the engine's parts come to when they speak as another program.

pub mod gnu;
