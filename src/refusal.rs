//! Every reason to refuse: a stable code, a sentence, a next step.

use crate::edit::Span;

mod explain;
mod next;

pub use explain::{EXPLANATIONS, Explanation, explain};

/// Lines of a file that a message quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The first quoted line, from 1.
    pub first: usize,
    /// Without their ends.
    pub lines: Vec<Vec<u8>>,
}

/// What a hunk looked for, and the closest that the file has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closest {
    /// Where it is, and what it says.
    pub quote: Quote,
    /// What differs there, in words: a typo, an indentation, a missing line.
    pub difference: String,
}

/// A reason to refuse. `Display` is one sentence without the path and edit number, which the report adds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "each sentence in `#[error]` says what its variant is, and its fields are the words of it"
)]
pub enum Refusal {
    // -- reading
    #[error("the input is empty")]
    EmptyInput,
    #[error("the input is no text: {what}")]
    BinaryInput { what: &'static str, advice: Option<&'static str> },
    #[error("no edit found in the input: {seen}")]
    NoEdit { seen: String, advice: Option<&'static str> },
    #[error("the block is cut off: expected {expected} before the end of the input")]
    Unfinished { expected: &'static str },
    #[error("the block that begins here has no {expected} before line {line}")]
    MissingMarker { expected: &'static str, line: usize },
    #[error("{what}")]
    Malformed { what: String },
    #[error("{what}")]
    Binary { what: &'static str },
    #[error("this looks like {format}, a format that is not read yet")]
    FormatNotSupported { format: &'static str },
    #[error("no file is named for this edit{}", held_by(.holders))]
    NoPath { holders: Vec<String> },

    #[error("you stopped before all edits were answered")]
    Stopped,
    #[error("you chose none of the edits")]
    NoneChosen,

    // -- placing
    #[error("old text not found{}", closest_line(.closest))]
    NotFound {
        closest: Vec<Closest>,
        /// Each view that was tried, and why nothing fits under it.
        tried: Vec<String>,
    },
    #[error("the old text fits {} places, lines {}: add lines that tell them apart", .lines.len(), list(.lines))]
    Ambiguous { lines: Vec<usize> },
    #[error("two edits change the same {} of the file (the other begins at input line {})", span_words(*first, *last), .other.first)]
    Overlap { first: usize, last: usize, other: Span },
    #[error("old and new text are the same: nothing would change")]
    NothingToDo,
    #[error("{what}")]
    Doubtful { what: String },
    #[error("the anchor `{anchor}` stands nowhere in the file")]
    AnchorNotFound { anchor: String },
    #[error("the old text stands outside the block of the anchor `{anchor}`, at line {}", list(.lines))]
    OutsideAnchor { anchor: String, lines: Vec<usize> },
    #[error("already applied: the new text stands at line {line}")]
    AlreadyApplied { line: usize },
    #[error("not applied here, nothing to take back: the text from before the change stands at line {line}")]
    NotApplied { line: usize },
    #[error("the old text stands at line {line}, {} lines from the stated one; at most {most} are allowed", .offset.unsigned_abs())]
    TooFar { line: usize, offset: i64, most: u64 },

    #[error("line {line} does not exist: the file has {lines} line{}", if *.lines == 1 { "" } else { "s" })]
    NoSuchLine { line: usize, lines: usize },
    #[error("changed since read {what}: read it again")]
    ChangedSinceRead { what: String },

    // -- guards
    #[error(
        "the edit would write the elision comment `{line}` into the file: write out the lines that it stands for"
    )]
    ElisionLiteral { line: String },
    #[error("the edit would add the conflict marker `{line}` to the file")]
    ConflictMarker { line: String },
    #[error("the file would shrink from {before} lines to {after}, and {vanished} of its lines would vanish")]
    Shrinks { before: usize, after: usize, vanished: usize },

    // -- whole files
    #[error("the file exists already, with another content")]
    FileExists,
    #[error("`{to}` exists already: moving there would overwrite it")]
    MoveOver { to: String },
    #[error("an earlier edit of this input (input line {}) already set the whole file", .other.first)]
    SecondWhole { other: Span },
    #[error("deleting is switched off")]
    NoDelete,
    #[error("a {format} edit has no reverse")]
    NoReverse { format: &'static str },
    #[error("over a third of the text to append stands in the file already: this looks like a rewrite of it")]
    AppendIsRewrite,

    #[error("the file is not the version that the call names in `if_match`: it {found}")]
    OtherVersion { found: String },

    // -- policy
    #[error("the file is protected by `{pattern}`")]
    Protected { pattern: String },
    #[error("the file was never read: read it first")]
    NotRead,
    #[error("git does not track the file")]
    Untracked,
    #[error("line {line} of the result {what}")]
    Whitespace { line: usize, what: &'static str },
    #[error("over the limit: {what}")]
    OverBudget { what: String },

    #[error("the edit concerns {what}, which is not carried out")]
    SpecialMode { what: &'static str },

    // -- paths
    #[error("absolute path: names in an edit are relative to the root")]
    PathAbsolute,
    #[error("the path climbs out with `..`")]
    PathParent,
    #[error(
        "the path names a version-control folder ({component}), under this or another file system's spelling"
    )]
    PathGitDir { component: String },
    #[error("the path means something else on Windows: {what}")]
    PathNtfs { what: String },
    #[error("the path holds a NUL byte")]
    PathNul,
    #[error("the path is empty or names a folder")]
    PathEmpty,
    #[error("the path is too long: {what}")]
    PathLong { what: String },
    #[error("the path has {depth} folders, over {limit}")]
    PathDeep { depth: usize, limit: usize },
    #[error("`{link}` on the way is a symbolic link: nothing is read or written through links")]
    PathThroughSymlink { link: String },
    #[error("the target is a symbolic link")]
    TargetSymlink,
    #[error("`{folder}` lies on another file system than the root")]
    OtherDevice { folder: String },
    #[error("the symbolic link would lead out of the root, or in a circle: {target}")]
    LinkOutside { target: String },
    #[error("the target is {what}, not a regular file")]
    TargetNotFile { what: &'static str },
    #[error("`{on_the_way}` on the way is a file, not a folder")]
    PathThroughFile { on_the_way: String },
    #[error("this path and `{other}` differ only in case or in how their letters are composed")]
    PathCaseClash { other: String },
    #[error("no such file{}{}{}", in_folder(.searched), stands_above(.above), did_you_mean(.closest))]
    NoSuchFile {
        closest: Vec<String>,
        /// The root.
        searched: Option<String>,
        /// A folder from which the path names a file.
        above: Option<String>,
        /// How many components `-p` must strip so that the path names a file.
        strip: Option<usize>,
    },
    #[error("the name fits {} files: {}", .paths.len(), .paths.join(", "))]
    PathAmbiguous { paths: Vec<String> },
    #[error("too large: {what}")]
    TooLarge { what: String },
    #[error("cannot be read: {why}")]
    Unreadable { why: String },
    #[error("{what}")]
    BadEncoding { what: String },
}

impl Refusal {
    /// No such file, where nothing more is known of it.
    pub fn missing() -> Refusal {
        Refusal::NoSuchFile { closest: Vec::new(), searched: None, above: None, strip: None }
    }

    /// A stable name for programs and for `edapply explain`.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::EmptyInput => "empty-input",
            Refusal::BinaryInput { .. } => "binary-input",
            Refusal::NoEdit { .. } => "no-edit",
            Refusal::Unfinished { .. } => "unfinished",
            Refusal::MissingMarker { .. } => "missing-marker",
            Refusal::Malformed { .. } => "malformed",
            Refusal::Binary { .. } => "binary",
            Refusal::FormatNotSupported { .. } => "format-not-supported",
            Refusal::NoPath { .. } => "no-path",
            Refusal::Stopped => "stopped",
            Refusal::NoneChosen => "none-chosen",
            Refusal::NotFound { .. } => "not-found",
            Refusal::Ambiguous { .. } => "ambiguous",
            Refusal::Overlap { .. } => "overlap",
            Refusal::NothingToDo => "nothing-to-do",
            Refusal::ElisionLiteral { .. } => "elision-literal",
            Refusal::ConflictMarker { .. } => "conflict-marker",
            Refusal::Shrinks { .. } => "shrinks",
            Refusal::Doubtful { .. } => "doubtful",
            Refusal::AnchorNotFound { .. } => "anchor-not-found",
            Refusal::OutsideAnchor { .. } => "outside-anchor",
            Refusal::AlreadyApplied { .. } => "already-applied",
            Refusal::NotApplied { .. } => "not-applied",
            Refusal::TooFar { .. } => "too-far",
            Refusal::NoSuchLine { .. } => "no-such-line",
            Refusal::ChangedSinceRead { .. } => "changed-since-read",
            Refusal::FileExists => "file-exists",
            Refusal::MoveOver { .. } => "move-over",
            Refusal::SecondWhole { .. } => "second-whole",
            Refusal::NoDelete => "no-delete",
            Refusal::NoReverse { .. } => "no-reverse",
            Refusal::AppendIsRewrite => "append-is-rewrite",
            Refusal::OtherVersion { .. } => "other-version",
            Refusal::Protected { .. } => "protected",
            Refusal::NotRead => "not-read",
            Refusal::Untracked => "untracked",
            Refusal::Whitespace { .. } => "whitespace",
            Refusal::OverBudget { .. } => "over-budget",
            Refusal::SpecialMode { .. } => "special-mode",
            Refusal::PathAbsolute => "path-absolute",
            Refusal::PathParent => "path-parent",
            Refusal::PathGitDir { .. } => "path-git-dir",
            Refusal::PathNtfs { .. } => "path-ntfs",
            Refusal::PathNul => "path-nul",
            Refusal::PathEmpty => "path-empty",
            Refusal::PathLong { .. } => "path-long",
            Refusal::PathDeep { .. } => "path-deep",
            Refusal::PathThroughSymlink { .. } => "path-through-symlink",
            Refusal::TargetSymlink => "target-symlink",
            Refusal::OtherDevice { .. } => "other-device",
            Refusal::LinkOutside { .. } => "link-outside",
            Refusal::TargetNotFile { .. } => "target-not-file",
            Refusal::PathThroughFile { .. } => "path-through-file",
            Refusal::PathCaseClash { .. } => "path-case-clash",
            Refusal::NoSuchFile { .. } => "no-such-file",
            Refusal::PathAmbiguous { .. } => "path-ambiguous",
            Refusal::TooLarge { .. } => "too-large",
            Refusal::Unreadable { .. } => "unreadable",
            Refusal::BadEncoding { .. } => "bad-encoding",
        }
    }
}

fn span_words(first: usize, last: usize) -> String {
    if last > first { format!("lines {first} to {last}") } else { format!("line {first}") }
}

fn list(lines: &[usize]) -> String {
    let shown: Vec<String> = lines.iter().take(8).map(ToString::to_string).collect();
    let more = if lines.len() > 8 { format!(" and {} more", lines.len() - 8) } else { String::new() };
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() && more.is_empty() => {
            format!("{} and {last}", rest.join(", "))
        }
        _ => shown.join(", ") + &more,
    }
}

fn closest_line(closest: &[Closest]) -> String {
    closest
        .first()
        .map_or(String::new(), |c| format!("; closest is line {}: {}", c.quote.first, c.difference))
}

fn held_by(holders: &[String]) -> String {
    if holders.is_empty() { String::new() } else { format!("; its text stands in {}", holders.join(", ")) }
}

fn in_folder(searched: &Option<String>) -> String {
    searched.as_ref().map_or(String::new(), |folder| format!(" in {folder}"))
}

fn stands_above(above: &Option<String>) -> String {
    above.as_ref().map_or(String::new(), |folder| format!("; it stands in {folder}: use `-C {folder}`"))
}

fn did_you_mean(closest: &[String]) -> String {
    if closest.is_empty() { String::new() } else { format!("; closest is {}", closest.join(", ")) }
}
