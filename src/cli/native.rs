//! The native face's options. Help, man page and completions are made from these definitions.

use std::{path::PathBuf, time::Duration};

use clap::{
    Args, Parser, Subcommand, ValueEnum,
    builder::{OsStringValueParser, TypedValueParser},
};
use regex::bytes::Regex;

use crate::{
    commit::{Sync, Writer},
    edit::Format,
    place::View,
    plan::{Policy, Spelling},
    report::Mode,
    request::{Checks, Expect, Glob, Limits, Request, Source, Task, version_of},
};

/// Applies any edit that a program or a language model writes.
///
/// Reads a reply, a patch or a diff, finds the edits in it, and carries them out: every file changes, or
/// none. An edit goes to the one place that fits; if two fit, or none, it is refused and the message says
/// what to do.
#[derive(Debug, Parser)]
#[command(name = "edapply", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(
    after_help = "`edapply patch` takes GNU patch's options and works as it does, `edapply git-apply` those of `git \
        apply`; each has its own --help.\n\nExit codes: 0 everything applied, 1 some edit refused and nothing written, 2 trouble, \
        3 the result failed --verify or --expect and nothing is left changed, 130 and 143 interrupted and \
        rolled back. Once files are written the code stands, even if the report cannot be written; the other \
        stream then tells."
)]
pub(super) struct Native {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub apply: Apply,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the edits that an input holds, without applying them
    Inspect {
        /// One JSON object instead of lines
        #[arg(long)]
        json: bool,
        /// Read this format only
        #[arg(long, value_name = "NAME")]
        format: Option<Format>,
        /// The folder that the edits are for: if a run died there, that is told, with exit 2
        #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR")]
        root: Option<PathBuf>,
        /// The journal lies in this folder (default: the git folder, or the user's state folder)
        #[arg(long, value_name = "DIR")]
        state_dir: Option<PathBuf>,
        /// Files to read; none or - is standard input
        #[arg(value_name = "INPUT", value_parser = source_parser())]
        inputs: Vec<Source>,
    },
    /// Take a batch back: the last one, or the one named
    Undo {
        /// Its name, as `edapply log` shows it
        id: Option<String>,
        /// List what can be undone, and undo nothing
        #[arg(long, conflicts_with = "id")]
        list: bool,
        #[command(flatten)]
        keep: Keep,
        /// The folder in which the batch was made
        #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR")]
        root: Option<PathBuf>,
    },
    /// Put in order what a killed run left
    Recover {
        #[command(flatten)]
        keep: Keep,
        /// The folder in which it ran
        #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR")]
        root: Option<PathBuf>,
    },
    /// List the batches that were applied, the newest first
    Log {
        /// One JSON object instead of lines
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        keep: Keep,
        /// The folder in which they were made
        #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR")]
        root: Option<PathBuf>,
    },
    /// Print files for a model: numbered, tagged, their version remembered
    Read {
        /// Files, each with the lines to show if not all: FILE, FILE:A, FILE:A-B
        #[arg(value_name = "FILE[:A-B]", required = true)]
        files: Vec<std::ffi::OsString>,
        /// The lines as they are, without header and numbers
        #[arg(long)]
        plain: bool,
        /// One JSON array
        #[arg(long, conflicts_with = "plain")]
        json: bool,
        /// Take paths from this folder
        #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR")]
        root: Option<PathBuf>,
        /// Remember the versions in this folder (default: the git folder, or the user's state folder)
        #[arg(long, value_name = "DIR")]
        state_dir: Option<PathBuf>,
    },
    /// Write the same edits in another format
    ///
    /// With a tree (-C) the edits are planned first, and what is written is the change itself: a diff that
    /// `git apply` takes, or blocks whose old text stands once in the file. Exit codes: 0 written, 1 an edit
    /// has no meaning in that format or is refused, 2 trouble.
    Convert {
        /// The format to write
        #[arg(long, value_name = "FORMAT")]
        to: Written,
        /// Plan the edits on the files of this folder
        #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR")]
        root: Option<PathBuf>,
        /// Read this format only
        #[arg(long, value_name = "NAME")]
        format: Option<Format>,
        /// Files to read; none or - is standard input
        #[arg(value_name = "INPUT", value_parser = source_parser())]
        inputs: Vec<Source>,
    },
    /// What to tell a model so that it writes a format well
    Prompt {
        /// The format that the model shall write
        format: Taught,
        /// With a worked example
        #[arg(long)]
        long: bool,
    },
    /// Count ok, FAIL and WRONG over folders of cases with known truth
    ///
    /// A case is a folder with before/, reply.txt, after/ and meta.json (format, behavior, expect; `verify`
    /// may hold a command for task success). Exit codes: 0, or 1 if anything is WRONG, PARTIAL or TIME,
    /// 2 trouble.
    Bench(Bench),
    /// What each format would cost for the same change: characters, tokens, seconds
    Cost(Cost),
    /// Which format a model should use for a change, and why
    ///
    /// Rules in order: a new file is written whole; adding or deleting files takes a patch; a model that
    /// nobody measured writes whole files; a file of at most 60 lines is written whole by a model that
    /// misquotes lines; reliable tool calls take the edit tool; else blocks.
    Choose(Choose),
    /// Say what a code in a message means, or list all codes
    Explain {
        /// The code in brackets
        code: Option<String>,
    },
    /// Print the completion script of a shell
    Completions { shell: Shell },
    /// Print the man page
    Man,
}

#[derive(Debug, Args)]
pub(super) struct Bench {
    /// Folders of cases, or of such folders
    #[arg(value_name = "CASES", required = true)]
    pub folders: Vec<PathBuf>,
    /// Measure another program: a shell line, with {reply}, {dir} and {format} filled in
    #[arg(long, value_name = "CMD", conflicts_with = "reference")]
    pub applier: Option<String>,
    /// Measure a simple policy for comparison
    #[arg(long, value_name = "POLICY")]
    pub reference: Option<crate::bench::Reference>,
    /// How far from the quoted text a place may be
    #[arg(long = "match", value_name = "LEVEL", default_value = "default")]
    pub level: Match,
    /// A hunk may stand at most N lines from the line that it states (default: any distance)
    #[arg(long, value_name = "N", value_parser = distance)]
    pub max_offset: Option<u64>,
    /// Only cases of this format
    #[arg(long = "format", value_name = "NAME")]
    pub formats: Vec<String>,
    /// Cases at a time (default: one a processor)
    #[arg(long, value_name = "N", value_parser = count)]
    pub jobs: Option<usize>,
    /// Seconds that --applier may take for a case
    #[arg(long, value_name = "SECONDS", default_value = "20")]
    pub limit: u64,
    /// Name the cases with this outcome
    #[arg(long, value_name = "OUTCOME")]
    pub list: Vec<String>,
    /// Keep the result as a measurement of this model, for `edapply choose`
    #[arg(long, value_name = "NAME", conflicts_with_all = ["applier", "reference"])]
    pub model: Option<String>,
    /// Where measurements are kept
    #[arg(long, value_name = "DIR")]
    pub state_dir: Option<PathBuf>,
    /// One JSON object instead of tables
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(super) struct Cost {
    /// Files, relative to the root
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// The change that this reply makes; without it, one changed line in the middle
    #[arg(long, value_name = "REPLY", value_parser = source_parser())]
    pub edit: Option<Source>,
    /// Take paths from this folder
    #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// Characters that make a token
    #[arg(long, value_name = "N", default_value = "3.09", value_parser = positive)]
    pub chars_per_token: f64,
    /// Tokens that the model writes in a second
    #[arg(long, value_name = "N", default_value = "12", value_parser = positive)]
    pub tokens_per_second: f64,
    /// One JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "a number above 0".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a number from 0 to 1".to_owned())
}

#[derive(Debug, Args)]
pub(super) struct Choose {
    /// The file to change, relative to the root; one that does not exist is new
    #[arg(value_name = "FILE")]
    pub file: Option<String>,
    /// Lines of the file (default: as FILE has)
    #[arg(long, value_name = "N", value_parser = count)]
    pub lines: Option<usize>,
    /// The file is new
    #[arg(long)]
    pub new: bool,
    /// The change adds, deletes or moves files
    #[arg(long)]
    pub adds_or_deletes: bool,
    /// The model's tool calls are reliable
    #[arg(long)]
    pub tools: bool,
    /// The share of edits that the model copies exactly, from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub accuracy: Option<f64>,
    /// Take the share that `bench --model` measured
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Where measurements are kept
    #[arg(long, value_name = "DIR")]
    pub state_dir: Option<PathBuf>,
    /// Take paths from this folder
    #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// One JSON object instead of a sentence
    #[arg(long)]
    pub json: bool,
}

/// The formats that models are asked for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Taught {
    SearchReplace,
    WholeFile,
    Elided,
    Unified,
    V4a,
    EditCall,
}

impl Taught {
    pub(super) fn format(self) -> Format {
        match self {
            Taught::SearchReplace => Format::SearchReplace,
            Taught::WholeFile => Format::WholeFile,
            Taught::Elided => Format::Elided,
            Taught::Unified => Format::Unified,
            Taught::V4a => Format::V4a,
            Taught::EditCall => Format::EditCall,
        }
    }
}

/// The formats that are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Written {
    SearchReplace,
    WholeFile,
    Unified,
    V4a,
    EditCall,
}

impl Written {
    pub(super) fn format(self) -> Format {
        match self {
            Written::SearchReplace => Format::SearchReplace,
            Written::WholeFile => Format::WholeFile,
            Written::Unified => Format::Unified,
            Written::V4a => Format::V4a,
            Written::EditCall => Format::EditCall,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Shell {
    Bash,
    Zsh,
    Fish,
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
        }
    }
}

fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "not a whole number, such as 1".to_owned())
}

fn distance(text: &str) -> Result<u64, String> {
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

#[derive(Debug, Args)]
pub(super) struct Apply {
    /// Replies, patches, or folders of patches to read; none or - is standard input. Several are one transaction
    #[arg(value_name = "INPUT", value_parser = source_parser(), help_heading = "Input")]
    inputs: Vec<Source>,
    /// Another input, read before the others
    #[arg(short = 'i', long = "input", value_name = "FILE", value_parser = source_parser(), help_heading = "Input")]
    more: Vec<Source>,
    /// Take paths from this folder; nothing ever leaves it (default: the current folder, or the top of its
    /// git work tree if only there the paths exist)
    #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR", help_heading = "Input")]
    root: Option<PathBuf>,
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
    dry_run: bool,
    /// Say whether the edits would apply and write nothing
    #[arg(long, help_heading = "Mode", conflicts_with = "dry_run")]
    check: bool,
    /// Show the size of the change as bars and write nothing
    #[arg(long, help_heading = "Mode")]
    pub stat: bool,
    /// Show the size of the change as numbers and write nothing
    #[arg(long, help_heading = "Mode")]
    pub numstat: bool,
    /// Show creations, deletions, moves and modes and write nothing
    #[arg(long, help_heading = "Mode")]
    pub summary: bool,
    /// Report as one JSON object on standard output
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Print each refusal as an annotation of a CI job (`::error file=...::`, as GitHub reads it)
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub annotate: bool,
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
    strip: Option<usize>,
    /// Take the edits back: swap old and new
    #[arg(short = 'R', long, help_heading = "Policy")]
    reverse: bool,
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

fn source_parser() -> impl TypedValueParser<Value = Source> {
    OsStringValueParser::new().map(|text| if text == "-" { Source::Stdin } else { Source::File(text.into()) })
}
