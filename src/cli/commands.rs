//! The subcommands' options. Help, man pages and completions are made from these definitions.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use super::{
    native::{Keep, Match, count, distance, source_parser},
    past::Past,
};
use crate::{edit::Format, install::Link, request::Source};

/// What commands are called, so that a run of none need not define them.
const NAMES: [&str; 16] = [
    "inspect",
    "undo",
    "recover",
    "log",
    "read",
    "convert",
    "prompt",
    "bench",
    "cost",
    "choose",
    "explain",
    "schema",
    "completions",
    "man",
    "install",
    "help",
];

/// Some argument is called like a command.
pub(super) fn may_be_named(args: &[OsString]) -> bool {
    args.iter().skip(1).any(|arg| NAMES.iter().any(|name| arg == name))
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the edits that an input holds, without applying them
    Inspect {
        #[command(flatten)]
        inputs: Inputs,
        /// The folder that the edits are for: if a run died there, that is told, with exit 2
        #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR")]
        root: Option<PathBuf>,
        /// The journal lies in this folder (default: the git folder, or the user's state folder)
        #[arg(long, value_name = "DIR")]
        state_dir: Option<PathBuf>,
        #[command(flatten)]
        output: Output,
    },
    /// Take a batch back: the last one, or the one named
    Undo {
        /// Its name, as `edapply log` shows it
        id: Option<String>,
        /// List what can be undone, and undo nothing
        #[arg(long, conflicts_with = "id")]
        list: bool,
        #[command(flatten)]
        past: PastArgs,
        #[command(flatten)]
        output: Output,
    },
    /// Put in order what a killed run left
    Recover {
        #[command(flatten)]
        past: PastArgs,
        #[command(flatten)]
        output: Output,
    },
    /// List the batches that were applied, the newest first
    Log {
        #[command(flatten)]
        past: PastArgs,
        #[command(flatten)]
        output: Output,
    },
    /// Print files for a model: numbered, tagged, their version remembered
    Read {
        /// Files, each with the lines to show if not all: FILE, FILE:A, FILE:A-B
        #[arg(value_name = "FILE[:A-B]", required = true)]
        files: Vec<std::ffi::OsString>,
        /// The lines as they are, without header and numbers
        #[arg(long)]
        plain: bool,
        /// One JSON object instead of lines
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
    /// `git apply` takes, or blocks whose old text stands once in the file. Formats that count lines (context,
    /// normal, ed, hashline) and elided files need the tree. Normal diffs and ed scripts name no file.
    Convert {
        /// The format to write
        #[arg(long, value_name = "FORMAT")]
        to: Format,
        /// Plan the edits on the files of this folder
        #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR")]
        root: Option<PathBuf>,
        #[command(flatten)]
        inputs: Inputs,
        #[command(flatten)]
        output: Output,
    },
    /// What to tell a model so that it writes a format well
    Prompt {
        /// The format that the model shall write
        format: Taught,
        /// With a worked example
        #[arg(long)]
        long: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Count ok, FAIL and WRONG over folders of cases with known truth
    ///
    /// A case is a folder with before/, reply.txt, after/ and meta.json (format, behavior, expect; `verify`
    /// may hold a command for task success).
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
        #[command(flatten)]
        output: Output,
    },
    /// Print the JSON Schema of all reports
    ///
    /// Every report of --json is one object that begins with `version` and `report`. The version counts up
    /// when a field goes or means something else; new fields come without notice.
    Schema {
        /// Without effect: the schema is JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the completion script of a shell
    Completions {
        /// The shell
        shell: Shell,
        #[command(flatten)]
        output: Output,
    },
    /// Print a page of the manual
    Man {
        /// `edapply`, or a subcommand's or face's name; `codes` lists all codes of messages
        #[arg(value_name = "PAGE", default_value = "edapply")]
        page: String,
        /// List the pages
        #[arg(long)]
        list: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Put the program, its manual and its completions below a prefix
    ///
    /// The program goes to PREFIX/bin with the link git-edapply beside it (so that `git edapply` works), the
    /// manual to PREFIX/share/man, completions to where bash, zsh and fish look, those of other shells to
    /// PREFIX/share/edapply. A `patch` or `git-apply` that is no link to edapply is never replaced.
    Install {
        /// Where it shall be found
        #[arg(long, value_name = "DIR", default_value = "/usr/local")]
        prefix: PathBuf,
        /// Put all of it below this folder instead of /, as packagers do
        #[arg(long, value_name = "DIR")]
        destdir: Option<PathBuf>,
        /// Also link this name to the program
        #[arg(long, value_name = "NAME")]
        link: Vec<Link>,
        /// List what would be put where, and write nothing
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        output: Output,
    },
}

/// What a subcommand reads.
#[derive(Debug, Args)]
pub(super) struct Inputs {
    /// Files, or folders of patches, to read; none or - is standard input
    #[arg(value_name = "INPUT", value_parser = source_parser())]
    named: Vec<Source>,
    /// Read the clipboard (by pbpaste, wl-paste, xclip, xsel or PowerShell, the first that is there)
    #[arg(long)]
    paste: bool,
    /// Read this format only
    #[arg(long, value_name = "NAME")]
    pub format: Option<Format>,
}

impl Inputs {
    /// At least one.
    pub(super) fn sources(&self) -> Vec<Source> {
        let mut all = self.named.clone();
        all.extend(self.paste.then_some(Source::Clipboard));
        if all.is_empty() { vec![Source::Stdin] } else { all }
    }
}

/// Whose past a subcommand looks at.
#[derive(Debug, Args)]
pub(super) struct PastArgs {
    /// The folder in which it ran
    #[arg(short = 'C', short_alias = 'd', long, value_name = "DIR")]
    root: Option<PathBuf>,
    #[command(flatten)]
    keep: Keep,
}

impl From<PastArgs> for Past {
    fn from(args: PastArgs) -> Past {
        Past { writer: args.keep.writer(), root: args.root }
    }
}

/// How a subcommand reports.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Output {
    /// One JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

impl Command {
    /// The report is for programs.
    pub(super) fn is_for_programs(&self) -> bool {
        match self {
            Command::Inspect { output, .. }
            | Command::Undo { output, .. }
            | Command::Recover { output, .. }
            | Command::Log { output, .. }
            | Command::Convert { output, .. }
            | Command::Prompt { output, .. }
            | Command::Explain { output, .. }
            | Command::Completions { output, .. }
            | Command::Man { output, .. }
            | Command::Install { output, .. } => output.json,
            Command::Read { json, .. } | Command::Schema { json } => *json,
            Command::Bench(bench) => bench.json,
            Command::Cost(cost) => cost.json,
            Command::Choose(choose) => choose.json,
        }
    }
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
    Hashline,
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
            Taught::Hashline => Format::Hashline,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[allow(clippy::enum_variant_names, reason = "that is what it is called")]
pub(super) enum Shell {
    Bash,
    Zsh,
    Fish,
    #[value(name = "powershell")]
    PowerShell,
    Elvish,
}

impl Shell {
    pub(super) fn name(self) -> &'static str {
        match self {
            Shell::Bash => "bash",
            Shell::Zsh => "zsh",
            Shell::Fish => "fish",
            Shell::PowerShell => "powershell",
            Shell::Elvish => "elvish",
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, FromArgMatches};

    use super::{
        super::native::{Apply, Native},
        *,
    };

    #[test]
    fn each_command_is_known_by_its_name() {
        let mut definition = Native::command();
        definition.build();
        let names: Vec<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names, NAMES);
        assert!(definition.get_subcommands().all(|command| command.get_all_aliases().next().is_none()));
    }

    #[test]
    fn without_commands_the_same_is_meant() {
        for args in [&["-p1", "x"][..], &["--check", "-C", "d"], &["-qR", "--match=strict", "-i", "a", "b"]] {
            let args = || std::iter::once(&"edapply").chain(args).map(OsString::from);
            let whole = Native::command().get_matches_from(args());
            let light = Native::without_commands().get_matches_from(args());
            let whole = Apply::from_arg_matches(&whole).expect("valid");
            let light = Apply::from_arg_matches(&light).expect("valid");
            assert_eq!(format!("{whole:?}"), format!("{light:?}"));
        }
    }
}
