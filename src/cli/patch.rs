//! The command line of the face that replaces GNU patch.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
};

use super::{
    Streams, faces,
    getopt::{Complaint, Item, Reader, Spec, Value, help},
};
use crate::{
    dialect::{
        Told,
        gnu::{
            self,
            options::{
                Kind, MergeStyle, Options, Quoting, ReadOnly, RejectFormat, SetTime, Verbosity, Versions,
            },
        },
    },
    report::{Exit, escape, json},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opt {
    Backup,
    Prefix,
    Kind(Kind),
    Directory,
    Ifdef,
    RemoveEmpty,
    Force,
    Fuzz,
    Get,
    Input,
    IgnoreBlanks,
    Forward,
    Output,
    Strip,
    RejectFile,
    Reverse,
    Quiet,
    Batch,
    SetTime(SetTime),
    Version,
    VersionControl,
    Debug,
    BasePrefix,
    Suffix,
    DryRun,
    Verbose,
    Binary,
    Help,
    BackupIfMismatch(bool),
    Posix,
    QuotingStyle,
    RejectFormat,
    ReadOnly,
    FollowSymlinks,
    Merge,
    Safe,
    Sync,
    Json,
}

const fn spec(letter: u8, long: &'static str, id: Opt, value: Value, help: &'static str) -> Spec<Opt> {
    let letter = if letter == 0 { None } else { Some(letter) };
    Spec { id, letter, long, value, help, full: false }
}

const fn flag(letter: u8, long: &'static str, id: Opt, help: &'static str) -> Spec<Opt> {
    spec(letter, long, id, Value::None, help)
}

const fn takes(letter: u8, long: &'static str, name: &'static str, id: Opt, help: &'static str) -> Spec<Opt> {
    spec(letter, long, id, Value::Needed(name), help)
}

/// Every option; the order is that in which ambiguous prefixes are listed.
const TABLE: [Spec<Opt>; 44] = [
    flag(b'b', "backup", Opt::Backup, "Keep each file's first version as a backup."),
    takes(b'B', "prefix", "PREFIX", Opt::Prefix, "Put PREFIX before the whole name of a backup."),
    flag(b'c', "context", Opt::Kind(Kind::Context), "Look for context diffs only."),
    takes(b'd', "directory", "DIR", Opt::Directory, "Work in DIR."),
    takes(b'D', "ifdef", "NAME", Opt::Ifdef, "Keep both versions, chosen by #ifdef NAME."),
    flag(b'e', "ed", Opt::Kind(Kind::Ed), "Look for ed scripts only."),
    flag(b'E', "remove-empty-files", Opt::RemoveEmpty, "Remove files that end up empty."),
    flag(b'f', "force", Opt::Force, "Never ask; take patches as they come."),
    takes(b'F', "fuzz", "LINES", Opt::Fuzz, "Let up to LINES lines of context differ (2)."),
    takes(b'g', "get", "NUM", Opt::Get, "Accepted and ignored: no version control is asked."),
    takes(b'i', "input", "FILE", Opt::Input, "Read the patch from FILE."),
    flag(b'l', "ignore-whitespace", Opt::IgnoreBlanks, "Let runs of blanks differ."),
    flag(b'n', "normal", Opt::Kind(Kind::Normal), "Look for normal diffs only."),
    flag(b'N', "forward", Opt::Forward, "Skip what looks reversed or applied."),
    takes(b'o', "output", "FILE", Opt::Output, "Write all results to FILE; - is standard output."),
    takes(b'p', "strip", "NUM", Opt::Strip, "Cut NUM folders off the names in the patch."),
    takes(b'r', "reject-file", "FILE", Opt::RejectFile, "Write rejects to FILE; - throws them away."),
    flag(b'R', "reverse", Opt::Reverse, "Undo the patch."),
    flag(b's', "quiet", Opt::Quiet, "Say only what went wrong."),
    flag(0, "silent", Opt::Quiet, ""),
    flag(b't', "batch", Opt::Batch, "Never ask; undo what looks reversed."),
    flag(b'T', "set-time", Opt::SetTime(SetTime::Local), "Set times from the patch, as local time."),
    flag(b'u', "unified", Opt::Kind(Kind::Unified), "Look for unified diffs only."),
    flag(b'v', "version", Opt::Version, "Say which version this is."),
    takes(
        b'V',
        "version-control",
        "METHOD",
        Opt::VersionControl,
        "Name backups simple, numbered or existing.",
    ),
    takes(b'x', "debug", "NUM", Opt::Debug, ""),
    takes(b'Y', "basename-prefix", "PREFIX", Opt::BasePrefix, "Put PREFIX before the base name of a backup."),
    takes(b'z', "suffix", "SUFFIX", Opt::Suffix, "Put SUFFIX behind the name of a backup."),
    flag(b'Z', "set-utc", Opt::SetTime(SetTime::Utc), "Set times from the patch, as UTC."),
    flag(0, "dry-run", Opt::DryRun, "Only say what would happen."),
    flag(0, "verbose", Opt::Verbose, "Say more."),
    flag(0, "binary", Opt::Binary, "Keep carriage returns of the patch."),
    flag(0, "help", Opt::Help, "Show this help."),
    flag(0, "backup-if-mismatch", Opt::BackupIfMismatch(true), "Back up where a patch does not fit exactly."),
    flag(0, "no-backup-if-mismatch", Opt::BackupIfMismatch(false), "Back up only if asked otherwise."),
    flag(0, "posix", Opt::Posix, "Keep to POSIX."),
    takes(
        0,
        "quoting-style",
        "WORD",
        Opt::QuotingStyle,
        "Quote names: literal, shell, shell-always, c, escape.",
    ),
    takes(0, "reject-format", "FORMAT", Opt::RejectFormat, "Write rejects as context or unified diff."),
    takes(0, "read-only", "WORD", Opt::ReadOnly, "At read-only files: ignore, warn or fail."),
    flag(0, "follow-symlinks", Opt::FollowSymlinks, "Read through symbolic links."),
    spec(0, "merge", Opt::Merge, Value::Optional("STYLE"), "Leave conflicts in the file: merge or diff3."),
    Spec { full: true, ..flag(0, "safe", Opt::Safe, "One place or none, all files or none.") },
    Spec { full: true, ..flag(0, "sync", Opt::Sync, "Write through to the disk.") },
    Spec { full: true, ..flag(0, "json", Opt::Json, "Report as one JSON object, the texts in it.") },
];

/// Why the command line comes to nothing.
enum Stop {
    /// A complaint, if any, then the hint at `--help`.
    Usage(Option<String>),
    /// A complaint alone.
    Plain(String),
    Fatal(String),
    Show(String),
}

/// Runs the face; `args` without the program's name.
pub(super) fn run(program: String, args: &[OsString], streams: &mut Streams<'_>) -> Exit {
    let environment = |name: &str| std::env::var_os(name);
    let parsed = options(&program, args, &environment);
    let as_json = match &parsed {
        Ok(options) => options.json,
        Err(_) => args.iter().any(|arg| arg == "--json"),
    };
    if !as_json {
        return speak(&program, parsed, streams, &mut Told::default());
    }
    faces::report(streams, |streams, told| speak(&program, parsed, streams, told), json::Patch)
}

fn speak(program: &str, parsed: Result<Options, Stop>, streams: &mut Streams<'_>, told: &mut Told) -> Exit {
    let stop = match parsed {
        Ok(options) => {
            let streams = gnu::Streams {
                stdin: streams.stdin,
                stdout: streams.stdout,
                stderr: streams.stderr,
                stdout_is_terminal: streams.stdout_is_terminal,
                told,
            };
            return gnu::run(&options, streams);
        }
        Err(stop) => stop,
    };
    let program = escape::text(program);
    let hint = format!("{program}: Try '{program} --help' for more information.\n");
    let text = match stop {
        Stop::Show(text) => {
            let _ = streams.stdout.write_all(text.as_bytes());
            return Exit::Ok;
        }
        Stop::Usage(None) => hint,
        Stop::Usage(Some(text)) => format!("{program}: {}\n{hint}", escape::text(&text)),
        Stop::Plain(text) => format!("{program}: {text}\n"),
        Stop::Fatal(text) => format!("{program}: **** {}\n", escape::text(&text)),
    };
    let _ = streams.stderr.write_all(text.as_bytes());
    Exit::Trouble
}

/// What help, manual and completions are made from; the options are read by [`options`].
pub(super) fn definition() -> clap::Command {
    let option = |spec: &Spec<Opt>| faces::option(spec.letter, spec.long, spec.value, spec.help);
    clap::Command::new("patch")
        .about("Apply a diff as GNU patch does")
        .long_about(
            "Apply a diff as GNU patch does: the same options, placing, texts and exit codes. Also under the name \
             patch. All files are written at once, at the end. Unique prefixes of long options count, except of \
             --safe, --sync and --json.",
        )
        .disable_help_flag(true)
        .args(TABLE.iter().map(option))
        .arg(faces::operand("ORIGFILE", "The file to patch, if the diff does not name it"))
        .arg(faces::operand("PATCHFILE", "The diff; none or - is standard input"))
}

/// What was typed, turned into what is meant.
fn options(
    program: &str,
    args: &[OsString],
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Options, Stop> {
    let mut parsed = Parsed { options: Options::default(), versions: None };
    let options = &mut parsed.options;
    options.program = program.to_owned();
    options.posix = environment("POSIXLY_CORRECT").is_some();
    let words = |name: &str| environment(name).filter(|value| !value.is_empty());
    if let Some(suffix) = words("SIMPLE_BACKUP_SUFFIX").filter(|suffix| !suffix.as_bytes().contains(&b'/')) {
        options.default_suffix = suffix.as_bytes().to_vec();
    }
    if let Some(style) = words("QUOTING_STYLE").and_then(|word| quoting(&word).ok()) {
        options.quoting = style;
    }
    for name in ["VERSION_CONTROL", "PATCH_VERSION_CONTROL"] {
        if let Some(word) = environment(name) {
            parsed.versions = Some((word, format!("${name}")));
        }
    }
    parsed.read(args)?;
    parsed.finish()
}

struct Parsed {
    options: Options,
    /// The word that names backups, and what it was given for.
    versions: Option<(OsString, String)>,
}

impl Parsed {
    fn read(&mut self, args: &[OsString]) -> Result<(), Stop> {
        let mut reader = Reader::new(&TABLE, args, self.options.posix);
        let mut operands: Vec<OsString> = Vec::new();
        while let Some(item) = reader.next() {
            match item.map_err(|Complaint(text)| Stop::Usage(Some(text)))? {
                Item::Operand(name) => operands.push(name),
                Item::Option(Opt::Backup, _) => {
                    self.options.backup = true;
                    if operands.is_empty() && is_old_backup(reader.present(), reader.rest()) {
                        self.old_suffix(&reader.rest()[0]);
                        reader.pass(1);
                    }
                }
                Item::Option(opt, value) => self.option(opt, value.unwrap_or_default())?,
            }
        }
        let mut operands = operands.into_iter();
        self.options.original = operands.next().map(|name| name.as_bytes().to_vec());
        if let Some(patch) = operands.next() {
            self.input(patch);
        }
        match operands.next() {
            Some(extra) => Err(Stop::Usage(Some(format!("{}: extra operand", extra.to_string_lossy())))),
            None => Ok(()),
        }
    }

    fn old_suffix(&mut self, suffix: &OsStr) {
        let shown = escape::text(&suffix.to_string_lossy());
        self.options
            .warnings
            .push(format!("warning: the '-b {shown}' option is obsolete; use '-b -z {shown}' instead"));
        self.options.backup_suffix = Some(suffix.as_bytes().to_vec());
    }

    fn input(&mut self, name: OsString) {
        self.options.patch = (!name.is_empty() && name != "-").then_some(name);
    }

    fn option(&mut self, opt: Opt, value: OsString) -> Result<(), Stop> {
        let bytes = || value.as_bytes().to_vec();
        let options = &mut self.options;
        match opt {
            Opt::Prefix => options.backup_prefix = Some(not_empty(&value, "backup prefix")?),
            Opt::BasePrefix => {
                options.backup_base_prefix = Some(not_empty(&value, "backup basename prefix")?)
            }
            Opt::Suffix => options.backup_suffix = Some(not_empty(&value, "backup suffix")?),
            Opt::Kind(kind) => options.kind = Some(kind),
            Opt::Directory => options.directory.push(value),
            Opt::Ifdef => options.ifdef = Some(bytes()),
            Opt::Fuzz => options.fuzz = number(&value, "fuzz factor")?.unsigned_abs(),
            Opt::Strip => options.strip = Some(number(&value, "strip count")?.unsigned_abs()),
            Opt::Get => drop(signed(&value, "get option value")?),
            Opt::Debug => drop(signed(&value, "debugging option")?),
            Opt::Input => self.input(value),
            Opt::Output => options.output = Some(bytes()),
            Opt::RejectFile => options.reject_file = Some(bytes()),
            Opt::VersionControl => {
                self.versions = Some((value, "--version-control or -V option".to_owned()));
            }
            Opt::QuotingStyle => options.quoting = quoting(&value)?,
            Opt::RejectFormat => {
                options.reject_format = Some(word(
                    &value,
                    &[("context", RejectFormat::Context), ("unified", RejectFormat::Unified)],
                )?);
            }
            Opt::ReadOnly => {
                let words =
                    [("ignore", ReadOnly::Ignore), ("warn", ReadOnly::Warn), ("fail", ReadOnly::Fail)];
                options.read_only = word(&value, &words)?;
            }
            Opt::Merge => {
                let words =
                    [("", MergeStyle::Merge), ("merge", MergeStyle::Merge), ("diff3", MergeStyle::Diff3)];
                options.merge = Some(word(&value, &words)?);
            }
            Opt::Version => return Err(Stop::Show(version())),
            Opt::Help => return Err(Stop::Show(usage(&options.program))),
            _ => self.flag(opt),
        }
        Ok(())
    }

    fn flag(&mut self, opt: Opt) {
        let options = &mut self.options;
        match opt {
            Opt::RemoveEmpty => options.remove_empty = true,
            Opt::Force => options.force = true,
            Opt::IgnoreBlanks => options.ignore_blanks = true,
            Opt::Forward => options.forward = true,
            Opt::Reverse => options.reverse = true,
            Opt::Quiet => options.verbosity = Verbosity::Silent,
            Opt::Batch => options.batch = true,
            Opt::SetTime(zone) => options.set_time = Some(zone),
            Opt::DryRun => options.dry_run = true,
            Opt::Verbose => options.verbosity = Verbosity::Verbose,
            Opt::Binary => options.binary = true,
            Opt::BackupIfMismatch(on) => options.backup_if_mismatch = Some(on),
            Opt::Posix => options.posix = true,
            Opt::FollowSymlinks => options.follow_symlinks = true,
            Opt::Safe => options.safe = true,
            Opt::Sync => options.sync = true,
            Opt::Json => options.json = true,
            _ => {}
        }
    }

    fn finish(mut self) -> Result<Options, Stop> {
        if let Some((value, context)) = self.versions.take() {
            self.options.versions = versions(&value, &context)?;
        }
        if self.options.safe && (self.options.merge.is_some() || self.options.ifdef.is_some()) {
            return Err(Stop::Fatal("--safe does not go with --merge or --ifdef".into()));
        }
        Ok(self.options)
    }
}

/// `-b SUFFIX ORIGFILE PATCHFILE` as the last arguments.
fn is_old_backup(last: Option<&OsStr>, rest: &[OsString]) -> bool {
    let plain = |arg: &OsString| arg.len() < 2 || arg.as_bytes()[0] != b'-';
    last == Some(OsStr::new("-b")) && rest.len() == 3 && rest.iter().all(plain)
}

fn not_empty(value: &OsStr, what: &str) -> Result<Vec<u8>, Stop> {
    if value.is_empty() {
        Err(Stop::Fatal(format!("{what} is empty")))
    } else {
        Ok(value.as_bytes().to_vec())
    }
}

/// A number that may not be negative; huge ones saturate.
fn number(value: &OsStr, what: &str) -> Result<i64, Stop> {
    match signed(value, what)? {
        negative if negative < 0 => Err(Stop::Fatal(format!("{what} {} is negative", shown(value)))),
        number => Ok(number),
    }
}

fn signed(value: &OsStr, what: &str) -> Result<i64, Stop> {
    let text = value.as_bytes();
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(Stop::Fatal(format!("{what} {} is not a number", shown(value))));
    }
    let size = digits.iter().fold(0_i64, |sum, b| sum.saturating_mul(10).saturating_add(i64::from(b - b'0')));
    Ok(if negative { -size } else { size })
}

fn shown(value: &OsStr) -> String {
    let plain = value.as_bytes().iter().all(|b| b.is_ascii_alphanumeric() || b"-+._/,:@%".contains(b));
    let text = value.to_string_lossy();
    if plain && !text.is_empty() { text.into_owned() } else { format!("'{text}'") }
}

/// A word that must be spelled in full; another one is misuse.
fn word<T: Copy>(value: &OsStr, words: &[(&str, T)]) -> Result<T, Stop> {
    let found = words.iter().find(|(name, _)| value == OsStr::new(name));
    found.map(|(_, meaning)| *meaning).ok_or(Stop::Usage(None))
}

/// The meaning of a unique prefix; else whether there was none or more than one.
fn prefix<T: Copy + PartialEq>(value: &OsStr, words: &[(&str, T)]) -> Result<T, &'static str> {
    let text = value.as_bytes();
    if let Some((_, meaning)) = words.iter().find(|(name, _)| name.as_bytes() == text) {
        return Ok(*meaning);
    }
    let mut fitting = words.iter().filter(|(name, _)| name.as_bytes().starts_with(text)).map(|(_, m)| *m);
    let first = fitting.next().ok_or("invalid")?;
    if fitting.all(|other| other == first) { Ok(first) } else { Err("ambiguous") }
}

fn quoting(value: &OsStr) -> Result<Quoting, Stop> {
    // Each word stands for itself where prefixes are told apart.
    const WORDS: [(&str, u8); 9] = [
        ("literal", 0),
        ("shell", 1),
        ("shell-always", 2),
        ("shell-escape", 3),
        ("shell-escape-always", 4),
        ("c", 5),
        ("escape", 6),
        ("locale", 7),
        ("clocale", 8),
    ];
    match prefix(value, &WORDS) {
        Ok(0) => Ok(Quoting::Literal),
        Ok(1 | 3) => Ok(Quoting::Shell),
        Ok(2 | 4) => Ok(Quoting::ShellAlways),
        Ok(6) => Ok(Quoting::Escape),
        Ok(_) => Ok(Quoting::C),
        Err(how) => Err(Stop::Usage(Some(format!(
            "{how} argument '{}' for 'quoting style'",
            value.to_string_lossy()
        )))),
    }
}

fn versions(value: &OsStr, context: &str) -> Result<Versions, Stop> {
    const WORDS: [(&str, u8); 8] = [
        ("none", 0),
        ("off", 0),
        ("simple", 1),
        ("never", 1),
        ("existing", 2),
        ("nil", 2),
        ("numbered", 3),
        ("t", 3),
    ];
    if value.is_empty() {
        return Ok(Versions::Existing);
    }
    match prefix(value, &WORDS) {
        Ok(1) => Ok(Versions::Simple),
        Ok(2) => Ok(Versions::Existing),
        // With `none` and `off` the model numbers too.
        Ok(_) => Ok(Versions::Numbered),
        Err(how) => {
            let value = escape::text(&value.to_string_lossy());
            Err(Stop::Plain(format!(
                "{how} argument '{value}' for '{context}'\nValid arguments are:\n  - 'none', 'off'\n  \
                 - 'simple', 'never'\n  - 'existing', 'nil'\n  - 'numbered', 't'"
            )))
        }
    }
}

fn version() -> String {
    format!("GNU patch 2.8\n(edapply {}, which behaves as that program does)\n", env!("CARGO_PKG_VERSION"))
}

fn usage(program: &str) -> String {
    let list = help(&TABLE);
    format!(
        "Usage: {} [OPTION]... [ORIGFILE [PATCHFILE]]\n\n\
         Applies a diff as GNU patch does; all files are written at once, at the end.\n\n{list}\n\
         Exit status: 0 all hunks applied, 1 some did not, 2 trouble.\n",
        escape::text(program)
    )
}
