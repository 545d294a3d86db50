//! What the caller of GNU patch may ask for.

use std::ffi::OsString;

/// A kind of diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Unified,
    Context,
    /// A context diff whose range lines end in stars.
    NewContext,
    Normal,
    Ed,
    GitBinary,
}

/// How a name in a message is quoted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quoting {
    Literal,
    #[default]
    Shell,
    ShellAlways,
    C,
    Escape,
}

/// How backups are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Versions {
    Simple,
    Numbered,
    /// Numbered if numbered ones exist.
    #[default]
    Existing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeStyle {
    Merge,
    Diff3,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReadOnly {
    Ignore,
    #[default]
    Warn,
    Fail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectFormat {
    Context,
    Unified,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verbosity {
    Silent,
    #[default]
    Default,
    Verbose,
}

/// Whose zone a time stamp without one is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetTime {
    Local,
    Utc,
}

/// Everything that was typed, and what the environment says.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name by which the program was called.
    pub program: String,
    pub original: Option<Vec<u8>>,
    /// `None`: standard input.
    pub patch: Option<OsString>,
    pub directory: Vec<OsString>,
    pub kind: Option<Kind>,
    /// `None`: the base name only.
    pub strip: Option<u64>,
    pub fuzz: u64,
    pub ignore_blanks: bool,
    pub forward: bool,
    pub reverse: bool,
    pub force: bool,
    pub batch: bool,
    pub verbosity: Verbosity,
    pub dry_run: bool,
    /// Report for programs.
    pub json: bool,
    pub posix: bool,
    pub binary: bool,
    pub remove_empty: bool,
    pub output: Option<Vec<u8>>,
    pub reject_file: Option<Vec<u8>>,
    pub reject_format: Option<RejectFormat>,
    pub ifdef: Option<Vec<u8>>,
    pub merge: Option<MergeStyle>,
    pub backup: bool,
    pub backup_if_mismatch: Option<bool>,
    pub versions: Versions,
    pub backup_prefix: Option<Vec<u8>>,
    pub backup_base_prefix: Option<Vec<u8>>,
    pub backup_suffix: Option<Vec<u8>>,
    pub default_suffix: Vec<u8>,
    pub set_time: Option<SetTime>,
    pub quoting: Quoting,
    pub read_only: ReadOnly,
    pub follow_symlinks: bool,
    /// One place or none, all files or none.
    pub safe: bool,
    /// New contents reach the disk before they replace anything.
    pub sync: bool,
    /// Printed first: what was said of an obsolete way to call.
    pub warnings: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            program: "patch".into(),
            original: None,
            patch: None,
            directory: Vec::new(),
            kind: None,
            strip: None,
            fuzz: 2,
            ignore_blanks: false,
            forward: false,
            reverse: false,
            force: false,
            batch: false,
            verbosity: Verbosity::Default,
            dry_run: false,
            json: false,
            posix: false,
            binary: false,
            remove_empty: false,
            output: None,
            reject_file: None,
            reject_format: None,
            ifdef: None,
            merge: None,
            backup: false,
            backup_if_mismatch: None,
            versions: Versions::Existing,
            backup_prefix: None,
            backup_base_prefix: None,
            backup_suffix: None,
            default_suffix: b".orig".to_vec(),
            set_time: None,
            quoting: Quoting::Shell,
            read_only: ReadOnly::Warn,
            follow_symlinks: false,
            safe: false,
            sync: false,
            warnings: Vec::new(),
        }
    }
}

impl Options {
    pub fn silent(&self) -> bool {
        self.verbosity == Verbosity::Silent
    }

    pub fn verbose(&self) -> bool {
        self.verbosity == Verbosity::Verbose
    }

    /// Backups go to another folder than their files.
    pub fn moves_backups(&self) -> bool {
        self.backup_prefix.is_some() || self.backup_base_prefix.as_ref().is_some_and(|p| p.contains(&b'/'))
    }

    /// Whether an inexact match alone makes a backup.
    pub fn backs_up_mismatches(&self) -> bool {
        self.backup_if_mismatch.unwrap_or(!self.posix)
    }
}
