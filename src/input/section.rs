//! What a reader hands back: the edits and faults of one section of the input.

use crate::edit::{Edit, Fault};

/// Something read; its `id` is 0 until the whole input is numbered.
#[derive(Clone, Debug)]
pub enum Item<'i> {
    Edit(Edit<'i>),
    Fault(Fault<'i>),
}

/// What a reader made of the lines it was given.
#[derive(Clone, Debug, Default)]
pub struct Section<'i> {
    pub items: Vec<Item<'i>>,
    /// How many lines were consumed; at least 1 if there is an item.
    pub used: usize,
}

/// Why the lines that a reader was given end where they end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A closing fence or tag follows.
    Closed,
    /// The input ends, outside any fence. `newline`: its last line is terminated.
    Input { newline: bool },
    /// The input ends inside a fence that was opened and never closed.
    Unclosed { newline: bool },
}
