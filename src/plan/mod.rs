//! All files in memory: what each edit comes to, and what would be written. Nothing is written here.

mod batch;
mod budget;
#[cfg(test)]
mod calls;
mod guards;
mod lines;
mod make;
mod overlay;
mod reverse;
mod slices;
pub mod whitespace;
mod whole;

pub use make::make;

use std::collections::BTreeMap;

use crate::{
    edit::{Edit, Format, Note, Span},
    merge::Evidence,
    place::View,
    refusal::Refusal,
    tree::{Image, RelPath, root::Seen},
};

/// Places the hunks of one file's edit, for faces that read and write files their own way: the new
/// content, if no hunk is refused, and what became of each hunk.
///
/// # Errors
/// The content is in no encoding that can be edited.
pub fn hunks(bytes: &[u8], edit: &Edit, policy: &Policy) -> Result<(Vec<u8>, Vec<HunkVerdict>), Refusal> {
    let (encoding, text) = whole::decode(bytes)?;
    let outcome = batch::apply(&text, &[edit], policy, Evidence::default());
    Ok((whole::encode(encoding, outcome.bytes.into())?, outcome.hunks.into_iter().flatten().collect()))
}

/// One file that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where it stands.
    pub path: RelPath,
    /// What stands there now; `None`: nothing.
    pub before: Option<Image>,
    /// What will stand there; `None`: nothing.
    pub after: Option<Image>,
    /// Where the content came from, if it moved or was copied here.
    pub moved_from: Option<RelPath>,
}

/// What became of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HunkVerdict {
    /// Where it stands in the input.
    pub span: Span,
    /// What became of it.
    pub outcome: HunkOutcome,
    /// Hunks of one turn count their lines in the same text: 0 in the file as the input found it, another number in
    /// what the turns before made of it.
    pub turn: usize,
}

/// What became of a hunk, in detail.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are told of with their variants")]
pub enum HunkOutcome {
    /// Placed: the file's lines (from 1; `last < first` for a pure insertion after line `last`).
    Placed {
        view: View,
        first: usize,
        last: usize,
        removed: usize,
        added: usize,
        offset: Option<i64>,
        notes: Vec<String>,
    },
    /// The same hunk was sent before; it means one change.
    Twice,
    /// The new text already stands at line `first`.
    Already { first: usize },
    /// It goes nowhere.
    Refused(Refusal),
}

/// What became of an edit, in a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It fits; it was applied unless something else was refused.
    Applied,
    /// Everything that the edit asks for stands already.
    Already,
    /// Nothing of it is applied.
    Refused(Refusal),
}

/// What became of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// As [`crate::edit::Edit::id`].
    pub id: usize,
    /// How it is written.
    pub format: Format,
    /// Where it stands in the input.
    pub span: Span,
    /// The file, once resolved.
    pub path: Option<RelPath>,
    /// The path as the reply wrote it.
    pub named: Option<Vec<u8>>,
    /// What became of it.
    pub outcome: Outcome,
    /// Its hunks in order; none of what is no change of lines.
    pub hunks: Vec<HunkVerdict>,
    /// To be told.
    pub notes: Vec<Note>,
    /// The id of the call that the edit is, if the log gives one.
    pub call: Option<String>,
}

/// Seconds since 1970, and nanoseconds.
pub type Time = (i64, u32);

/// Every file's old and new content, every edit's verdict.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// In the order of paths. Empty if anything is refused, unless the policy is partial.
    pub changes: Vec<Change>,
    /// When files shall be said to have been written, where that is not now.
    pub times: BTreeMap<RelPath, Time>,
    /// What the system said of files when they were read, where that shall do to tell whether they changed
    /// since; the others are read again.
    pub seen: BTreeMap<RelPath, Seen>,
    /// In the order of the input.
    pub verdicts: Vec<Verdict>,
}

impl Plan {
    /// No edit was refused.
    pub fn is_ok(&self) -> bool {
        self.verdicts.iter().all(|v| !matches!(v.outcome, Outcome::Refused(_)))
    }
}

/// How strict planning is.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The loosest view that may decide.
    pub loosest: View,
    /// How far a hunk may stand from its stated line; `Some(0)`: only there.
    pub max_offset: Option<u64>,
    /// Of equal places, the nearest to the stated line.
    pub nearest: bool,
    /// Every exact place.
    pub replace_all: bool,
    /// Swap old and new.
    pub reverse: bool,
    /// Write the good edits though others are refused.
    pub partial: bool,
    /// A whole file may lose most of its lines.
    pub allow_shrink: bool,
    /// Moves and creations may replace existing files.
    pub overwrite: bool,
    /// "Already applied" is refused.
    pub strict_state: bool,
    /// Refuse to delete files.
    pub no_delete: bool,
    /// Edit the file that a link leads to, as long as that lies beneath the root.
    pub follow_links: bool,
    /// Whose spelling a line of a whole file keeps where only white space differs.
    pub spelling: Spelling,
    /// Path components to strip from a diff's names; `None`: as fits.
    pub strip: Option<usize>,
}

pub use crate::merge::Spelling;

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            loosest: View::PartOfLine,
            max_offset: None,
            nearest: false,
            replace_all: false,
            reverse: false,
            partial: false,
            allow_shrink: false,
            overwrite: false,
            strict_state: false,
            no_delete: false,
            follow_links: false,
            spelling: Spelling::Auto,
            strip: None,
        }
    }
}
