//! The command line of the face that replaces `git apply`, with the manners of git's own parser: options
//! and operands in any order, unique prefixes, `--no-` before almost everything.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
};

use super::{Streams, faces, getopt::Value};
use crate::{
    dialect::{
        Told,
        git::{
            self,
            options::{Favor, Filter, OnSpace, Options},
        },
    },
    report::{Exit, escape, json},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opt {
    Exclude,
    Include,
    Strip,
    NoAdd,
    Stat,
    Nothing,
    Numstat,
    Summary,
    Check,
    Index,
    IntentToAdd,
    Cached,
    UnsafePaths,
    Apply,
    ThreeWay,
    Favor(Favor),
    FakeAncestor,
    Nul,
    Context,
    Whitespace,
    IgnoreSpace,
    Reverse,
    UnidiffZero,
    Reject,
    AllowOverlap,
    Verbose,
    Quiet,
    InaccurateEof,
    Recount,
    Directory,
    AllowEmpty,
    Safe,
    Help,
    Json,
}

struct Spec {
    id: Opt,
    letter: u8,
    long: &'static str,
    /// The name of its value, if it takes one.
    value: &'static str,
    /// `--no-` may stand before it.
    negated: bool,
    help: &'static str,
    /// The name counts only when spelled in full.
    full: bool,
}

const fn flag(letter: u8, long: &'static str, id: Opt, help: &'static str) -> Spec {
    Spec { id, letter, long, value: "", negated: true, help, full: false }
}

/// A flag that cannot be switched off again.
const fn only(long: &'static str, id: Opt, help: &'static str) -> Spec {
    Spec { id, letter: 0, long, value: "", negated: false, help, full: false }
}

const fn takes(
    letter: u8,
    long: &'static str,
    value: &'static str,
    id: Opt,
    negated: bool,
    help: &'static str,
) -> Spec {
    Spec { id, letter, long, value, negated, help, full: false }
}

const TABLE: [Spec; 38] = [
    takes(0, "exclude", "PATH", Opt::Exclude, false, "Leave out files that match PATH."),
    takes(0, "include", "PATH", Opt::Include, false, "Apply to files that match PATH."),
    takes(b'p', "", "NUM", Opt::Strip, false, "Cut NUM folders off the names (1)."),
    flag(0, "no-add", Opt::NoAdd, "Leave out added lines."),
    flag(0, "stat", Opt::Stat, "Show how much changes; do not apply."),
    flag(0, "allow-binary-replacement", Opt::Nothing, ""),
    flag(0, "binary", Opt::Nothing, ""),
    flag(0, "numstat", Opt::Numstat, "Show the counts for programs; do not apply."),
    flag(0, "summary", Opt::Summary, "Show creations, renames and modes; do not apply."),
    flag(0, "check", Opt::Check, "Tell whether it applies; do not apply."),
    flag(0, "index", Opt::Index, "Apply to the index too; both must be the same."),
    flag(b'N', "intent-to-add", Opt::IntentToAdd, "Note new files in the index as to come."),
    flag(0, "cached", Opt::Cached, "Apply to the index only."),
    flag(0, "unsafe-paths", Opt::UnsafePaths, "Take paths outside the working area too."),
    flag(0, "apply", Opt::Apply, "Apply, also with --stat, --check and the like."),
    flag(b'3', "3way", Opt::ThreeWay, "Merge three ways; fall back to plain applying."),
    only("ours", Opt::Favor(Favor::Ours), "Settle conflicts for our side."),
    only("theirs", Opt::Favor(Favor::Theirs), "Settle conflicts for the patch's side."),
    only("union", Opt::Favor(Favor::Union), "Settle conflicts by taking both sides."),
    takes(
        0,
        "build-fake-ancestor",
        "FILE",
        Opt::FakeAncestor,
        true,
        "Write an index of the old blobs to FILE.",
    ),
    flag(b'z', "", Opt::Nul, "End names by NUL in --numstat."),
    takes(b'C', "", "NUM", Opt::Context, true, "At least NUM lines of context must fit."),
    takes(0, "whitespace", "ACTION", Opt::Whitespace, true, "What to do about new white-space errors."),
    flag(0, "ignore-space-change", Opt::IgnoreSpace, "Let white space in context differ."),
    flag(0, "ignore-whitespace", Opt::IgnoreSpace, "Let white space in context differ."),
    flag(b'R', "reverse", Opt::Reverse, "Apply in reverse."),
    flag(0, "unidiff-zero", Opt::UnidiffZero, "Take hunks without context by their line numbers."),
    flag(0, "reject", Opt::Reject, "Apply the hunks that fit; write the others to *.rej."),
    flag(0, "allow-overlap", Opt::AllowOverlap, "Let hunks overlap."),
    flag(b'v', "verbose", Opt::Verbose, "Say more."),
    flag(b'q', "quiet", Opt::Quiet, "Say nothing."),
    flag(0, "inaccurate-eof", Opt::InaccurateEof, "Forgive a missing note about the last line's end."),
    flag(0, "recount", Opt::Recount, "Do not trust the counts in hunk headers."),
    takes(0, "directory", "ROOT", Opt::Directory, true, "Put ROOT before all names."),
    flag(0, "allow-empty", Opt::AllowEmpty, "Take an empty patch for done."),
    Spec { full: true, ..only("safe", Opt::Safe, "One place or none, all files or none.") },
    flag(b'h', "help", Opt::Help, "Show this help."),
    Spec {
        negated: false,
        full: true,
        ..flag(0, "json", Opt::Json, "Report as one JSON object, the texts in it.")
    },
];

/// Why there is nothing to run.
#[derive(Debug, PartialEq, Eq)]
enum Stop {
    Help,
    /// A complaint, and where the usage is shown with it.
    Usage(String, Shown),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Nothing,
    Usage,
    /// On the other stream.
    UsageApart,
}

/// Runs the face on its arguments.
pub fn run(args: &[OsString], streams: &mut Streams<'_>) -> Exit {
    let parsed = parse(args);
    let as_json = match &parsed {
        Ok(options) => options.json,
        Err(_) => args.iter().any(|arg| arg == "--json"),
    };
    if !as_json {
        return speak(parsed, streams, &mut Told::default());
    }
    faces::report(streams, |streams, told| speak(parsed, streams, told), json::GitApply)
}

fn speak(parsed: Result<Options, Stop>, streams: &mut Streams<'_>, told: &mut Told) -> Exit {
    match parsed {
        Ok(options) => git::run(
            options,
            git::Streams {
                stdin: &mut *streams.stdin,
                stdout: &mut *streams.stdout,
                stderr: &mut *streams.stderr,
                told,
            },
        ),
        Err(Stop::Help) => {
            let _ = streams.stdout.write_all(usage().as_bytes());
            Exit::Usage
        }
        Err(Stop::Usage(text, shown)) => {
            let rest = if shown == Shown::Usage { usage() } else { String::new() };
            let _ = write!(streams.stderr, "error: {}\n{rest}", escape::text(&text));
            if shown == Shown::UsageApart {
                let _ = streams.stdout.write_all(usage().as_bytes());
            }
            Exit::Usage
        }
    }
}

/// What help, manual and completions are made from; the options are read by [`parse`].
pub fn definition() -> clap::Command {
    let option = |spec: &Spec| {
        let value = if spec.value.is_empty() { Value::None } else { Value::Needed(spec.value) };
        let letter = (spec.letter != 0).then_some(spec.letter);
        faces::option(letter, spec.long, value, spec.help)
    };
    clap::Command::new("git-apply")
        .about("Apply a patch as `git apply` does")
        .long_about(
            "Apply a patch as `git apply` does: the same options, placing, texts and exit codes. Also under the \
             names git-apply and git-edapply. Unique prefixes of long options count, except of --json; --no- \
             before an option takes it back.",
        )
        .disable_help_flag(true)
        .args(TABLE.iter().map(option))
        .arg(faces::operand("PATCH", "Patches; none or - is standard input").num_args(0..))
}

fn parse(args: &[OsString]) -> Result<Options, Stop> {
    let mut options = Options::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let text = arg.as_bytes();
        if text == b"--" || text == b"--end-of-options" {
            options.operands.extend(args.by_ref().cloned());
        } else if let Some(name) = text.strip_prefix(b"--") {
            long(&mut options, name, &mut args)?;
        } else if text.len() > 1 && text[0] == b'-' {
            letters(&mut options, &text[1..], &mut args)?;
        } else {
            options.operands.push(arg.clone());
        }
    }
    Ok(options)
}

fn letters<'a>(
    options: &mut Options,
    text: &[u8],
    args: &mut impl Iterator<Item = &'a OsString>,
) -> Result<(), Stop> {
    for (at, letter) in text.iter().enumerate() {
        let shown = char::from(*letter);
        let Some(spec) = TABLE.iter().find(|spec| spec.letter == *letter) else {
            return Err(Stop::Usage(format!("unknown switch `{shown}'"), Shown::Usage));
        };
        if spec.value.is_empty() {
            set(options, spec, true, None)?;
            continue;
        }
        let rest = &text[at + 1..];
        let value = match rest {
            [] => args.next().cloned(),
            rest => Some(OsStr::from_bytes(rest).to_owned()),
        };
        let value =
            value.ok_or_else(|| Stop::Usage(format!("switch `{shown}' requires a value"), Shown::Nothing))?;
        return set(options, spec, true, Some(value));
    }
    Ok(())
}

fn long<'a>(
    options: &mut Options,
    text: &[u8],
    args: &mut impl Iterator<Item = &'a OsString>,
) -> Result<(), Stop> {
    let (name, given) = match memchr::memchr(b'=', text) {
        Some(at) => (&text[..at], Some(OsStr::from_bytes(&text[at + 1..]).to_owned())),
        None => (text, None),
    };
    let shown = String::from_utf8_lossy(name).into_owned();
    let (spec, on) = named(name, &shown)?;
    let takes_value = !spec.value.is_empty() && on;
    if !takes_value && given.is_some() {
        let no = if on { "" } else { "no-" };
        return Err(Stop::Usage(format!("option `{no}{}' takes no value", spec.long), Shown::Nothing));
    }
    let value = if takes_value { given.or_else(|| args.next().cloned()) } else { None };
    if takes_value && value.is_none() {
        return Err(Stop::Usage(format!("option `{}' requires a value", spec.long), Shown::Nothing));
    }
    set(options, spec, on, value)
}

/// The option of this name, or of the one that begins so; and whether it is switched on.
fn named(name: &[u8], shown: &str) -> Result<(&'static Spec, bool), Stop> {
    let mut fitting: Vec<(&'static Spec, bool, String)> = Vec::new();
    for spec in TABLE.iter().filter(|spec| !spec.long.is_empty()) {
        let off = format!("no-{}", spec.long);
        let bare = spec.long.strip_prefix("no-").map(|bare| (bare.to_owned(), false));
        for (full, on) in [Some((spec.long.to_owned(), true)), bare, Some((off, false))].into_iter().flatten()
        {
            if !on && !spec.negated {
                continue;
            }
            if full.as_bytes() == name {
                return Ok((spec, on));
            }
            let twice = full.starts_with("no-no-");
            // Our own options match in full only, so that abbreviations keep their meaning.
            if !spec.full && full.as_bytes().starts_with(name) && !twice {
                fitting.push((spec, on, full));
            }
        }
    }
    // As the model has it: the last two that fit and differ are named.
    let mut pair: Option<(String, String)> = None;
    for two in fitting.windows(2) {
        let [(_, _, one), (_, _, other)] = two else { continue };
        pair = Some((one.clone(), other.clone()));
    }
    match (fitting.last(), pair) {
        (None, _) => Err(Stop::Usage(format!("unknown option `{shown}'"), Shown::Usage)),
        (Some((spec, on, _)), None) => Ok((spec, *on)),
        (_, Some((one, other))) => Err(Stop::Usage(
            format!("ambiguous option: {shown} (could be --{one} or --{other})"),
            Shown::UsageApart,
        )),
    }
}

fn set(options: &mut Options, spec: &Spec, on: bool, value: Option<OsString>) -> Result<(), Stop> {
    let bytes = value.clone().map(OsStringExt::into_vec).unwrap_or_default();
    match spec.id {
        Opt::Exclude => options.filters.push(Filter { pattern: bytes, include: false }),
        Opt::Include => options.filters.push(Filter { pattern: bytes, include: true }),
        Opt::Strip => {
            options.strip = leading_number(&bytes);
            options.strip_known = true;
        }
        Opt::Context => options.context = if on { Some(whole_number(&bytes)?) } else { Some(0) },
        Opt::NoAdd => options.no_add = on,
        Opt::Stat => options.stat = on,
        Opt::Nothing => {}
        Opt::Numstat => options.numstat = on,
        Opt::Summary => options.summary = on,
        Opt::Check => options.check = on,
        Opt::Index => options.index = on,
        Opt::IntentToAdd => options.intent_to_add = on,
        Opt::Cached => options.cached = on,
        Opt::UnsafePaths => options.unsafe_paths = on,
        Opt::Apply => options.force_apply = on,
        Opt::ThreeWay => options.three_way = on,
        Opt::Favor(favor) => options.favor = on.then_some(favor),
        Opt::FakeAncestor => options.fake_ancestor = value.filter(|_| on),
        Opt::Nul => options.nul = on,
        Opt::Whitespace => set_space(options, &bytes, on)?,
        Opt::IgnoreSpace => options.ignore_space = Some(on),
        Opt::Reverse => options.reverse = on,
        Opt::UnidiffZero => options.unidiff_zero = on,
        Opt::Reject => options.reject = on,
        Opt::AllowOverlap => options.allow_overlap = on,
        Opt::Verbose => options.verbosity = if on { options.verbosity.max(0) + 1 } else { 0 },
        Opt::Quiet => options.verbosity = if on { options.verbosity.min(0) - 1 } else { 0 },
        Opt::InaccurateEof => options.inaccurate_eof = on,
        Opt::Recount => options.recount = on,
        Opt::Directory => {
            let slash = !bytes.is_empty() && !bytes.ends_with(b"/");
            options.directory = [&bytes[..], if slash { b"/" } else { b"" }].concat();
        }
        Opt::AllowEmpty => options.allow_empty = on,
        Opt::Safe => options.safe = on,
        Opt::Help => return Err(Stop::Help),
        Opt::Json => options.json = on,
    }
    Ok(())
}

fn set_space(options: &mut Options, value: &[u8], on: bool) -> Result<(), Stop> {
    if !on {
        options.on_space = OnSpace::Warn;
        options.space_given = true;
        return Ok(());
    }
    if options.set_space(value) {
        return Ok(());
    }
    let value = String::from_utf8_lossy(value).into_owned();
    Err(Stop::Usage(format!("unrecognized whitespace option '{value}'"), Shown::Nothing))
}

/// The number that a text begins with; none is 0.
fn leading_number(text: &[u8]) -> usize {
    let digits = text.iter().take_while(|b| b.is_ascii_digit());
    digits.fold(0_usize, |sum, b| sum.saturating_mul(10).saturating_add(usize::from(b - b'0')))
}

/// A number as C reads one: too great ones are cut to 32 bits, and a negative limit is the greatest.
fn whole_number(text: &[u8]) -> Result<u64, Stop> {
    let text = text.trim_ascii_start();
    let (sign, digits) = match text.first() {
        Some(b'-') => (-1_i64, &text[1..]),
        Some(b'+') => (1, &text[1..]),
        _ => (1, text),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(Stop::Usage("switch `C' expects a numerical value".into(), Shown::Nothing));
    }
    let number =
        digits.iter().fold(0_i64, |sum, b| sum.saturating_mul(10).saturating_add(i64::from(b - b'0')));
    let low = number.saturating_mul(sign).to_le_bytes();
    let low = i32::from_le_bytes([low[0], low[1], low[2], low[3]]);
    Ok(u64::try_from(low).unwrap_or(u64::MAX))
}

fn usage() -> String {
    let mut text = "usage: git apply [<options>] [<patch>...]\n\n".to_owned();
    for spec in TABLE.iter().filter(|spec| !spec.help.is_empty()) {
        let letter = if spec.letter == 0 { String::new() } else { format!("-{}", char::from(spec.letter)) };
        let long = if spec.long.is_empty() { String::new() } else { format!("--{}", spec.long) };
        let comma = if letter.is_empty() || long.is_empty() { "" } else { ", " };
        let value = if spec.value.is_empty() { String::new() } else { format!(" <{}>", spec.value) };
        let left = format!("    {letter}{comma}{long}{value}");
        text += &if left.len() < 30 {
            format!("{left:30}{}\n", spec.help)
        } else {
            format!("{left}\n{:30}{}\n", "", spec.help)
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options, Stop> {
        parse(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    fn complaint(line: &str) -> String {
        match read(line) {
            Err(Stop::Usage(text, _)) => text,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn abbreviations_bundles_and_operands() {
        let options = read("--num p --rev -vp0 -C 3 --no-rev -- -q").expect("fine");
        assert!(options.numstat && !options.reverse && options.verbosity == 1);
        assert_eq!((options.strip, options.strip_known, options.context), (0, true, Some(3)));
        assert_eq!(options.operands, ["p", "-q"]);
        assert_eq!(read("--end-of-options -q").expect("fine").operands, ["-q"]);
        assert!(!read("--no-add --add").expect("fine").no_add);
        assert!(!read("--no-add --no-no-add").expect("fine").no_add);
    }

    #[test]
    fn complaints() {
        assert_eq!(complaint("--in"), "ambiguous option: in (could be --intent-to-add or --inaccurate-eof)");
        let both = "(could be --ignore-space-change or --ignore-whitespace)";
        assert_eq!(complaint("--ignore"), format!("ambiguous option: ignore {both}"));
        assert_eq!(complaint("--no-ours"), "unknown option `no-ours'");
        assert_eq!(complaint("--nope"), "unknown option `nope'");
        assert_eq!(complaint("--exclude"), "option `exclude' requires a value");
        assert_eq!(complaint("--stat=1"), "option `stat' takes no value");
        assert_eq!(complaint("-Cx"), "switch `C' expects a numerical value");
        assert_eq!(complaint("--whitespace=zzz"), "unrecognized whitespace option 'zzz'");
    }
}
