//! What a command line of this face asks for.

use std::ffi::OsString;

/// What to do about white-space errors in added lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnSpace {
    Ignore,
    Warn,
    Fail,
    Fix,
}

/// How to merge what both sides changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Favor {
    Ours,
    Theirs,
    Union,
}

/// `--include` or `--exclude`; the first that fits decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    pub pattern: Vec<u8>,
    pub include: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    Silent,
    Normal,
    Verbose,
}

#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // one for each option of the model
pub struct Options {
    pub operands: Vec<OsString>,
    pub apply: bool,
    /// Apply whatever else is asked for.
    pub force_apply: bool,
    pub check: bool,
    pub stat: bool,
    pub numstat: bool,
    pub summary: bool,
    pub nul: bool,
    pub index: bool,
    pub cached: bool,
    pub intent_to_add: bool,
    pub three_way: bool,
    pub favor: Option<Favor>,
    pub fake_ancestor: Option<OsString>,
    pub reverse: bool,
    pub reject: bool,
    pub strip: usize,
    /// The strip count came from the caller; else it is guessed for headers that are not git's.
    pub strip_known: bool,
    /// The least context that a hunk must keep; `None`: all of it.
    pub context: Option<u64>,
    pub unidiff_zero: bool,
    pub no_add: bool,
    pub recount: bool,
    pub inaccurate_eof: bool,
    pub allow_overlap: bool,
    pub allow_empty: bool,
    pub unsafe_paths: bool,
    pub filters: Vec<Filter>,
    /// Put before each name; ends in a slash unless empty.
    pub directory: Vec<u8>,
    pub on_space: OnSpace,
    /// All white-space errors are listed, not only five.
    pub list_all: bool,
    /// The white-space option was on the command line or in the configuration.
    pub space_given: bool,
    /// `None`: as configured.
    pub ignore_space: Option<bool>,
    pub verbosity: i32,
    /// Hunks go where the native rules put them.
    pub safe: bool,
    /// Report for programs.
    pub json: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            operands: Vec::new(),
            apply: true,
            force_apply: false,
            check: false,
            stat: false,
            numstat: false,
            summary: false,
            nul: false,
            index: false,
            cached: false,
            intent_to_add: false,
            three_way: false,
            favor: None,
            fake_ancestor: None,
            reverse: false,
            reject: false,
            strip: 1,
            strip_known: false,
            context: None,
            unidiff_zero: false,
            no_add: false,
            recount: false,
            inaccurate_eof: false,
            allow_overlap: false,
            allow_empty: false,
            unsafe_paths: false,
            filters: Vec::new(),
            directory: Vec::new(),
            on_space: OnSpace::Warn,
            list_all: false,
            space_given: false,
            ignore_space: None,
            verbosity: 0,
            safe: false,
            json: false,
        }
    }
}

impl Options {
    /// Sets what a value of `--whitespace` or `apply.whitespace` means; false if it means nothing.
    pub fn set_space(&mut self, value: &[u8]) -> bool {
        let (on_space, list_all) = match value {
            b"warn" => (OnSpace::Warn, self.list_all),
            b"nowarn" => (OnSpace::Ignore, self.list_all),
            b"error" => (OnSpace::Fail, self.list_all),
            b"error-all" => (OnSpace::Fail, true),
            b"strip" | b"fix" => (OnSpace::Fix, self.list_all),
            _ => return false,
        };
        self.on_space = on_space;
        self.list_all = list_all;
        self.space_given = true;
        true
    }

    pub fn level(&self) -> Verbosity {
        match self.verbosity {
            i32::MIN..=-1 => Verbosity::Silent,
            0 => Verbosity::Normal,
            1.. => Verbosity::Verbose,
        }
    }
}
