//! The native face's options. Help, man page and completions are made from these definitions.

use std::{path::PathBuf, time::Duration};

use clap::{
    Args, Parser, ValueEnum,
    builder::{OsStringValueParser, TypedValueParser},
};
use regex::bytes::Regex;

use super::commands::Command;
use crate::{
    commit::{Sync, Writer},
    edit::Format,
    place::View,
    plan::{Policy, Spelling},
    report::{Mode, json::Detail},
    request::{Checks, Expect, Glob, Limits, Request, Source, Task, version_of},
};

/// Applies any edit that a program or a language model writes.
///
/// Reads a reply, a patch or a diff, finds the edits in it, and carries them out: every file changes, or
/// none. An edit goes to the one place that fits; if two fit, or none, it is refused and the message says
/// what to do.
#[derive(Debug, Parser)]
#[command(name = "edapply", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
pub(super) struct Native {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub apply: Apply,
}

impl Native {
    /// The definition of what applies edits; those of the commands take as long again.
    pub(super) fn without_commands() -> clap::Command {
        Apply::augment_args(clap::Command::new("edapply").version(env!("CARGO_PKG_VERSION")))
    }
}

/// How much a report for programs holds.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum JsonDetail {
    Short,
    Full,
}

impl JsonDetail {
    pub(super) fn detail(self) -> Detail {
        match self {
            JsonDetail::Short => Detail::Short,
            JsonDetail::Full => Detail::Full,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    pub(super) fn wanted(self, terminal: bool) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if anstyle_query::no_color() => false,
            Color::Auto if anstyle_query::clicolor_force() => true,
            Color::Auto if anstyle_query::clicolor() == Some(false) => false,
            Color::Auto => terminal && anstyle_query::term_supports_color(),
        }
    }
}

/// How far from the quoted text a place may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Match {
    /// Equal but for line ends
    Strict,
    /// Also trailing blanks and typography
    Typography,
    /// Every view that never forgives a letter or digit in removed text
    #[default]
    Default,
}

/// Where the journal lies, and how it is kept.
#[derive(Debug, Args)]
pub(super) struct Keep {
    /// Keep the journal in this folder (default: the git folder, or the user's state folder)
    #[arg(long, value_name = "DIR", help_heading = "Journal")]
    state_dir: Option<PathBuf>,
    /// Seconds to wait for another run in the same tree
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, help_heading = "Journal")]
    lock_timeout: Duration,
    /// What a batch survives
    #[arg(long, value_name = "WHAT", default_value = "power", help_heading = "Journal")]
    sync: Survive,
    /// Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only;
    /// others may see them half written
    #[arg(long, help_heading = "Journal")]
    in_place: bool,
}

/// What a batch survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Survive {
    /// A power cut
    #[default]
    Power,
    /// The death of the process
    Process,
    /// Its own failure only; it cannot be undone
    None,
}

/// As the definition has it.
impl Default for Keep {
    fn default() -> Keep {
        let lock_timeout = Duration::from_secs(10);
        Keep { state_dir: None, lock_timeout, sync: Survive::default(), in_place: false }
    }
}

impl Keep {
    pub(super) fn writer(&self) -> Writer {
        Writer {
            sync: match self.sync {
                Survive::Power => Sync::Power,
                Survive::Process => Sync::Process,
                Survive::None => Sync::None,
            },
            state_dir: self.state_dir.clone(),
            lock_timeout: self.lock_timeout,
            in_place: self.in_place,
            beside: None,
            trusts_times: false,
        }
    }
}

pub(super) fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "not a whole number, such as 1".to_owned())
}

pub(super) fn distance(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "not a whole number of lines, such as 20".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(value).map_err(|_| "not a number of seconds".to_owned())
}

#[derive(Debug, Args)]
pub(super) struct Checking {
    /// Run CMD on the result before it counts; if it fails, everything is put back (exit 3)
    #[arg(long, value_name = "CMD", help_heading = "Checks", conflicts_with_all = ["dry_run", "check"])]
    verify: Option<String>,
    /// Seconds that --verify may take
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds, help_heading = "Checks")]
    verify_timeout: Duration,
    /// Run CMD once the result stands, and report its errors; it decides nothing
    #[arg(long, value_name = "CMD", help_heading = "Checks", conflicts_with_all = ["dry_run", "check"])]
    diagnose: Option<String>,
    /// Seconds that --diagnose may take
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds, help_heading = "Checks")]
    diagnose_timeout: Duration,
    /// The result must be this file, this folder, or what git has for REV; else nothing is written (exit 3)
    #[arg(long, value_name = "PATH|git:REV", help_heading = "Checks")]
    expect: Option<String>,
}

/// As the definition has it.
impl Default for Checking {
    fn default() -> Checking {
        let (verify_timeout, diagnose_timeout) = (Duration::from_secs(300), Duration::from_secs(30));
        Checking { verify: None, verify_timeout, diagnose: None, diagnose_timeout, expect: None }
    }
}

impl Checking {
    fn checks(&self) -> Checks {
        let task = |command: &Option<String>, limit| command.clone().map(|command| Task { command, limit });
        Checks {
            verify: task(&self.verify, self.verify_timeout),
            diagnose: task(&self.diagnose, self.diagnose_timeout),
            expect: self.expect.as_deref().map(Expect::from),
        }
    }
}

impl Match {
    pub(super) fn loosest(self) -> View {
        match self {
            Match::Strict => View::LineEnds,
            Match::Typography => View::Typography,
            Match::Default => View::PartOfLine,
        }
    }
}

#[derive(Debug, Default, Args)]
pub(super) struct Apply {
    /// Replies, patches, or folders of patches to read; none or - is standard input. Several are one transaction
    #[arg(value_name = "INPUT", value_parser = source_parser(), help_heading = "Input")]
    pub inputs: Vec<Source>,
    /// Another input, read before the others
    #[arg(short = 'i', long = "input", value_name = "FILE", value_parser = source_parser(), help_heading = "Input")]
    more: Vec<Source>,
    /// Take paths from this folder; nothing ever leaves it (default: the current folder, or the top of its
    /// git work tree if only there the paths exist)
    #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR", help_heading = "Input")]
    pub root: Option<PathBuf>,
    /// Read the clipboard (by pbpaste, wl-paste, xclip, xsel or PowerShell, the first that is there)
    #[arg(long, help_heading = "Input")]
    paste: bool,
    /// Each input is a transaction of its own (default: all are one)
    #[arg(long, help_heading = "Input")]
    pub each: bool,
    /// Read this format only (default: each section is told by its form)
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    format: Option<Format>,

    /// Ask on the terminal about each edit: yes, no, always for this file, previous, view, done, quit
    #[arg(long, help_heading = "Mode", conflicts_with = "check")]
    pub interactive: bool,
    /// Show the change as a diff and write nothing
    #[arg(long, help_heading = "Mode")]
    pub dry_run: bool,
    /// Say whether the edits would apply and write nothing
    #[arg(long, help_heading = "Mode", conflicts_with = "dry_run")]
    pub check: bool,
    /// Show the size of the change as bars and write nothing
    #[arg(long, help_heading = "Mode")]
    pub stat: bool,
    /// Show the size of the change as numbers and write nothing
    #[arg(long, help_heading = "Mode")]
    pub numstat: bool,
    /// Show creations, deletions, moves and modes and write nothing
    #[arg(long, help_heading = "Mode")]
    pub summary: bool,
    /// Print each refusal as an annotation of a CI job (`::error file=...::`, as GitHub reads it); a diff then gives the
    /// job no commands
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub annotate: bool,
    /// Report as one JSON object on standard output; full: with all files before and after
    #[arg(
        long,
        value_name = "DETAIL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "short",
        help_heading = "Output"
    )]
    pub json: Option<JsonDetail>,
    /// Print what to send back to the model, if an edit is refused
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub retry_prompt: bool,
    /// Tell of refusals only (default: a line an edit)
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    /// Tell more; twice: all that is known
    #[arg(short, long, action = clap::ArgAction::Count, help_heading = "Output", conflicts_with = "quiet")]
    verbose: u8,
    /// Color report and diff; auto: on a terminal, as NO_COLOR, CLICOLOR_FORCE and TERM say
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: Color,

    /// Strip N components from the names in diffs (default: as the files fit)
    #[arg(short = 'p', long = "strip", value_name = "N", value_parser = count, help_heading = "Policy")]
    pub strip: Option<usize>,
    /// Take the edits back: swap old and new
    #[arg(short = 'R', long, help_heading = "Policy")]
    pub reverse: bool,
    /// What is applied already is fine (the default)
    #[arg(short = 'N', long, help_heading = "Policy", conflicts_with = "strict_state")]
    forward: bool,
    /// Write the edits that fit, though others are refused
    #[arg(long, help_heading = "Policy")]
    partial: bool,
    /// How far from the quoted text a place may be
    #[arg(long = "match", value_name = "LEVEL", default_value = "default", help_heading = "Policy")]
    level: Match,
    /// A hunk may stand at most N lines from the line that it states; 0: only there (default: any distance)
    #[arg(long, value_name = "N", value_parser = distance, help_heading = "Policy")]
    max_offset: Option<u64>,
    /// Of several places that fit, take the nearest to the stated line (default: refuse)
    #[arg(long, help_heading = "Policy")]
    nearest: bool,
    /// Change every exact place of a block's old text
    #[arg(long, help_heading = "Policy")]
    replace_all: bool,
    /// A whole file may lose most of its lines
    #[arg(long, help_heading = "Policy")]
    allow_shrink: bool,
    /// Creations and moves may replace existing files
    #[arg(long, help_heading = "Policy")]
    overwrite: bool,
    /// Refuse to delete files
    #[arg(long, help_heading = "Policy")]
    no_delete: bool,
    /// Refuse what is applied already
    #[arg(long, help_heading = "Policy")]
    strict_state: bool,
    /// Edit the file that a symbolic link leads to, if that lies under the root
    #[arg(long, help_heading = "Policy")]
    follow_symlinks: bool,
    /// Refuse to go into other file systems
    #[arg(long, help_heading = "Policy")]
    no_xdev: bool,
    /// Whose spelling a line of a whole file keeps where only white space differs
    #[arg(long, value_name = "WHOSE", default_value = "auto", help_heading = "Policy")]
    spelling: Spelling,

    /// Only edits whose path matches (default: all); may be given several times
    #[arg(long, value_name = "REGEX", help_heading = "Limits")]
    only: Vec<String>,
    /// No edit whose path matches (default: none is left out); may be given several times
    #[arg(long, value_name = "REGEX", help_heading = "Limits")]
    skip: Vec<String>,
    /// Refuse to touch files that match (default: none); may be given several times
    #[arg(long, value_name = "GLOB", help_heading = "Limits")]
    protect: Vec<String>,
    /// Refuse to change more than N files (default: no limit)
    #[arg(long, value_name = "N", value_parser = count, help_heading = "Limits")]
    max_files: Option<usize>,
    /// Refuse to add and remove more than N lines in all (default: no limit)
    #[arg(long, value_name = "N", value_parser = count, help_heading = "Limits")]
    max_lines: Option<usize>,
    /// Count the changes of this batch and all later ones in --max-files and --max-lines (default: this run's)
    #[arg(long, value_name = "ID", help_heading = "Limits")]
    since: Option<String>,
    /// Refuse to edit files that were not read with `edapply read`, or changed since
    #[arg(long, help_heading = "Limits")]
    require_read: bool,
    /// Refuse all unless the file is this version of it
    #[arg(long, value_name = "PATH=SHA256", help_heading = "Limits")]
    if_match: Vec<std::ffi::OsString>,
    /// Refuse to change files that git does not track
    #[arg(long, help_heading = "Limits")]
    tracked_only: bool,
    /// Refuse white space that `git diff --check` would complain of
    #[arg(long, help_heading = "Limits")]
    check_whitespace: bool,

    #[command(flatten)]
    checking: Checking,
    #[command(flatten)]
    keep: Keep,
}

impl Apply {
    /// How much the report says.
    pub(super) fn verbosity(&self) -> i8 {
        if self.quiet { -1 } else { i8::try_from(self.verbose).unwrap_or(2).min(2) }
    }

    fn mode(&self) -> Mode {
        if self.dry_run {
            Mode::DryRun
        } else if self.check || self.stat || self.numstat || self.summary {
            Mode::Check
        } else {
            Mode::Write
        }
    }

    fn policy(&self) -> Policy {
        Policy {
            loosest: self.level.loosest(),
            max_offset: self.max_offset,
            nearest: self.nearest,
            replace_all: self.replace_all,
            reverse: self.reverse,
            partial: self.partial,
            allow_shrink: self.allow_shrink,
            overwrite: self.overwrite,
            strict_state: self.strict_state,
            no_delete: self.no_delete,
            follow_links: self.follow_symlinks,
            spelling: self.spelling,
            strip: self.strip,
        }
    }

    fn limits(&self) -> Result<Limits, String> {
        let regexes = |option: &str, patterns: &[String]| -> Result<Vec<Regex>, String> {
            let compile = |pattern: &String| {
                Regex::new(pattern).map_err(|error| {
                    let why = error.to_string();
                    let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
                    format!("{option}: `{pattern}` is no regular expression: {why}")
                })
            };
            patterns.iter().map(compile).collect()
        };
        let glob = |text: &String| Glob::new(text).map_err(|why| format!("--protect: {why}"));
        Ok(Limits {
            only: regexes("--only", &self.only)?,
            skip: regexes("--skip", &self.skip)?,
            protect: self.protect.iter().map(glob).collect::<Result<_, _>>()?,
            max_files: self.max_files,
            max_lines: self.max_lines,
            since: self.since.clone(),
            require_read: self.require_read,
            if_match: self
                .if_match
                .iter()
                .map(|text| version_of(text.as_encoded_bytes()))
                .collect::<Result<_, _>>()?,
            tracked_only: self.tracked_only,
            check_whitespace: self.check_whitespace,
            no_xdev: self.no_xdev,
        })
    }
}

impl Native {
    /// What was typed, as a request.
    ///
    /// # Errors
    /// A pattern cannot be read, or standard input is named twice.
    pub(super) fn request(&self) -> Result<Request, String> {
        let apply = &self.apply;
        let mut inputs: Vec<Source> = apply.more.iter().chain(&apply.inputs).cloned().collect();
        inputs.extend(apply.paste.then_some(Source::Clipboard));
        if inputs.is_empty() {
            inputs.push(Source::Stdin);
        }
        if inputs.iter().filter(|source| **source == Source::Stdin).count() > 1 {
            return Err("standard input can be read once only: name `-` once, or none".into());
        }
        Ok(Request {
            inputs,
            each: apply.each,
            root: apply.root.clone(),
            format: apply.format,
            policy: apply.policy(),
            limits: apply.limits()?,
            mode: apply.mode(),
            retry: apply.retry_prompt,
            writer: apply.keep.writer(),
            checks: apply.checking.checks(),
        })
    }
}

pub(super) fn source_parser() -> impl TypedValueParser<Value = Source> {
    OsStringValueParser::new().map(|text| if text == "-" { Source::Stdin } else { Source::File(text.into()) })
}
