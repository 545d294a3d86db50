//! The same edits in another format.
//!
//! Two ways. [`text`] knows the input alone: it writes what each edit says, and refuses where the other
//! format has no words for it. [`planned`] knows the tree: the edits are planned first, and what is
//! written is the change itself, quoted so that each old text stands once in its file.
//!
//! Whatever is written is read again and compared with what was meant, so that a text which looks like
//! the format's own markers ends as an error and never as another edit.

use std::collections::BTreeMap;

use crate::{
    edit::{Edit, Format, Hunk, Op, Span},
    input,
    plan::{self, Change, Policy},
    report::diff,
    tree::{Files, is_link_mode},
};

mod blocks;
mod edit_call;
mod elided;
mod hashline;
mod meaning;
mod numbered;
mod search_replace;
mod unified;
mod v4a;
mod whole_file;

pub use blocks::{Context, blocks};
pub use meaning::{Meaning, meaning, plain_name};

/// Lines that an elided file shows on each side of a change, at most.
const MOST_AROUND: usize = 30;
/// Lines quoted above and below a change at first.
const FEW: usize = 2;

/// Why an edit cannot be said in the other format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "each sentence in `#[error]` says what its variant is, and its fields are the words of it"
)]
pub enum Cannot {
    #[error("edit {id} (input line {}): {why}{}", .span.first, hint(*.tree))]
    Edit {
        id: usize,
        span: Span,
        why: String,
        /// With the files at hand it can be said.
        tree: bool,
    },
    #[error("{path}: {why}")]
    Change { path: String, why: &'static str },
    #[error("{format} counts lines, or says what stays by naming what it stands for: give the tree with -C")]
    Format { format: &'static str },
    #[error(
        "the text cannot be told from the markers of {format}, or its white space would not survive there: \
         choose another format"
    )]
    NotTheSame { format: &'static str },
}

impl Cannot {
    fn edit(edit: &Edit<'_>, why: impl Into<String>) -> Cannot {
        Cannot::Edit { id: edit.id, span: edit.span, why: why.into(), tree: false }
    }

    fn without_tree(edit: &Edit<'_>, why: impl Into<String>) -> Cannot {
        Cannot::Edit { id: edit.id, span: edit.span, why: why.into(), tree: true }
    }

    fn change(change: &Change, why: &'static str) -> Cannot {
        Cannot::Change { path: change.path.to_string(), why }
    }

    /// The tree is given already.
    fn with_tree(self) -> Cannot {
        match self {
            Cannot::Edit { id, span, why, .. } => Cannot::Edit { id, span, why, tree: false },
            other => other,
        }
    }
}

fn hint(tree: bool) -> &'static str {
    if tree { ": give the tree with -C" } else { "" }
}

/// Edits written in another format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Converted {
    /// The edits in the other format.
    pub text: Vec<u8>,
    /// What the other format does not say, where that can only lead to a refusal.
    pub notes: Vec<String>,
}

/// Writes edits in a format; the text and nothing else.
///
/// # Errors
/// The format has no words for one of them.
pub fn write(edits: &[Edit<'_>], to: Format) -> Result<Converted, Cannot> {
    match to {
        Format::SearchReplace => search_replace::write(edits),
        Format::WholeFile => whole_file::write(edits),
        Format::Unified => unified::write(edits),
        Format::V4a => v4a::write(edits),
        Format::EditCall => edit_call::write(edits),
        other => Err(Cannot::Format { format: other.name() }),
    }
}

/// Converts what an input says, without a look at any file.
///
/// # Errors
/// The meaning does not carry over.
pub fn text(edits: &[Edit<'_>], to: Format) -> Result<Converted, Cannot> {
    let written = write(edits, to)?;
    let back = input::read(&written.text, None);
    if !back.faults.is_empty() || meaning(edits) != meaning(&back.edits) {
        return Err(Cannot::NotTheSame { format: to.name() });
    }
    Ok(written)
}

/// Writes changes of files: as a diff that `git apply` takes, or quoting what stands once in its file.
///
/// # Errors
/// The format has no words for one of them, or planning what was written gives other changes.
pub fn planned(changes: &[Change], files: &dyn Files, to: Format) -> Result<Converted, Cannot> {
    if to == Format::Unified {
        let mut text = Vec::new();
        // Memory takes every byte.
        let _ = diff::write(changes, false, &mut text);
        return Ok(Converted { text, notes: Vec::new() });
    }
    if matches!(to, Format::Context | Format::Normal | Format::Ed) {
        return numbered::write(changes, to);
    }
    // A short quote may stand once and yet be doubted; a longer one says more.
    for around in [FEW, 8, usize::MAX] {
        let context = Context { above: around, below: around };
        let written = match to {
            // Its numbers tell the place: the shortest form quotes nothing.
            Format::Hashline => hashline::write(changes, if around == FEW { 0 } else { around })?,
            Format::Elided => elided::write(changes, around.min(MOST_AROUND))?,
            _ => write(&blocks::edits(changes, to, context), to).map_err(Cannot::with_tree)?,
        };
        let plan = plan::make(&input::read(&written.text, None), files, &exactly());
        if plan.is_ok() && results(&plan.changes) == results(changes) {
            return Ok(Converted { notes: Vec::new(), ..written });
        }
    }
    Err(Cannot::NotTheSame { format: to.name() })
}

/// Whole files may lose lines and be re-spaced: the first plan has decided that.
fn exactly() -> Policy {
    Policy { allow_shrink: true, spelling: plan::Spelling::Reply, ..Policy::default() }
}

/// What stands at each path after the changes: its content, and whether it is a link.
fn results(changes: &[Change]) -> BTreeMap<&[u8], Option<(&[u8], bool)>> {
    changes
        .iter()
        .map(|change| {
            let after = change.after.as_ref().map(|image| (&image.bytes[..], image.is_link()));
            (change.path.as_bytes(), after)
        })
        .collect()
}

fn is_link(edit: &Edit<'_>) -> bool {
    [edit.mode.old, edit.mode.new].into_iter().flatten().any(is_link_mode)
}

/// The hunks of an edit that does nothing else.
fn only_hunks<'e, 'i>(edit: &'e Edit<'i>, format: &str) -> Result<&'e [Hunk<'i>], Cannot> {
    let no = |what: &str| Err(Cannot::edit(edit, format!("{format} has no words for {what}")));
    if edit.copy {
        return no("copying a file");
    }
    if edit.move_to.is_some() {
        return no("moving a file");
    }
    if is_link(edit) {
        return no("a symbolic link");
    }
    if edit.mode.new.is_some_and(|mode| mode & 0o111 != 0) {
        return no("a file's mode");
    }
    match &edit.op {
        Op::Update { hunks } if hunks.is_empty() => no("a file's mode"),
        Op::Update { hunks } => Ok(hunks),
        Op::Delete { .. } => no("deleting a file"),
        Op::Lines(_) => Err(Cannot::without_tree(edit, BY_NUMBER)),
        Op::Binary(_) => Err(Cannot::edit(edit, BINARY)),
        Op::Create { .. } | Op::Whole { .. } | Op::Append { .. } => Ok(&[]),
    }
}

const BY_NUMBER: &str = "it names lines by number";
const BINARY: &str = "it changes a binary file";

/// Refuses what only a call of a tool can say of a place.
fn is_one_place(edit: &Edit<'_>, hunk: &Hunk<'_>) -> Result<(), Cannot> {
    let no = |why: &str| Err(Cannot::without_tree(edit, why));
    if hunk.hints.every || hunk.hints.count.is_some() {
        return no("it means several places, and this format one");
    }
    if hunk.hints.behind.is_some() {
        return no(BY_NUMBER);
    }
    if hunk.hints.literal.as_ref().is_some_and(|literal| !literal.old.ends_with(b"\n")) {
        return no("it may mean a part of a line, and this format whole lines");
    }
    Ok(())
}

/// The path of an edit, as it is without a diff's prefix.
fn path<'e>(edit: &'e Edit<'_>) -> Result<&'e [u8], Cannot> {
    let name = edit.path.as_ref().map(|name| plain_name(name));
    name.ok_or_else(|| Cannot::edit(edit, "no file is named for it"))
}
