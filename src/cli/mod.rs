//! What people type, turned into a [`Request`]; no work is done here.

use std::{
    ffi::OsString,
    io::{BufWriter, IsTerminal, Read, Write},
};

use clap::{CommandFactory, FromArgMatches};

use crate::{
    commit::Writer,
    inspect, install, read,
    report::{Exit, Failure, Mode, Report, annotate, diff, escape, json, retry, stat, text},
    request::{Request, Source, series},
    run,
};

mod bench;
mod commands;
mod convert;
mod exits;
mod faces;
mod getopt;
mod git_apply;
mod interactive;
mod measure;
mod mistakes;
mod native;
mod past;
mod patch;
mod plain;
mod progress;
mod texts;

use commands::{Command, Inputs};
pub use exits::{EXITS, exits};
use native::Native;
use past::Past;

/// The streams of a run, and whether people look at them.
pub struct Streams<'s> {
    pub stdin: &'s mut dyn Read,
    pub stdout: &'s mut dyn Write,
    pub stderr: &'s mut dyn Write,
    pub stdin_is_terminal: bool,
    pub stdout_is_terminal: bool,
    pub stderr_is_terminal: bool,
    /// Columns of the terminal that standard error is.
    pub width: Option<usize>,
    /// Set once files are written: the exit code then stands, whatever becomes of the output.
    pub settled: bool,
    /// What is reported goes to standard output as JSON.
    pub as_json: bool,
}

/// The definition that help, completions and man pages are made from. The faces are in it to be told of;
/// they read their arguments themselves.
pub fn command() -> clap::Command {
    const MORE: &str = "\n`edapply patch` takes GNU patch's options and works as it does, `edapply git-apply` those \
        of `git apply`; each has its own --help.\n\nOnce files are written the code stands, even if the report cannot be written; the \
        other stream then tells.";
    let all = Native::command().subcommand(patch::definition()).subcommand(git_apply::definition());
    exits::told(all, "", MORE)
}

/// Runs the program on the process's own arguments and streams.
pub fn main(args: Vec<OsString>) -> Exit {
    let mut stdin = std::io::stdin();
    let mut stdout = BufWriter::new(std::io::stdout());
    let mut stderr = BufWriter::new(std::io::stderr());
    let mut streams = Streams {
        stdin_is_terminal: stdin.is_terminal(),
        stdout_is_terminal: std::io::stdout().is_terminal(),
        stderr_is_terminal: std::io::stderr().is_terminal(),
        width: terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| usize::from(width.0)),
        stdin: &mut stdin,
        stdout: &mut stdout,
        stderr: &mut stderr,
        settled: false,
        as_json: false,
    };
    let exit = run_with(args, &mut streams);
    let settled = streams.settled;
    let (said, printed) = (stderr.flush(), stdout.flush());
    match printed.and(said) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe && !settled => Exit::Trouble,
        _ => exit,
    }
}

/// Runs the program; output that nobody reads any more is no error.
pub fn run_with(args: Vec<OsString>, streams: &mut Streams<'_>) -> Exit {
    if let Some((program, args)) = called_as_patch(&args) {
        return patch::run(program, args, streams);
    }
    if let Some(args) = called_as_git_apply(&args) {
        return git_apply::run(args, streams);
    }
    let args = if commands::may_be_named(&args) { command_first(args) } else { args };
    let asked_json = args.iter().any(|arg| arg.as_encoded_bytes().starts_with(b"--json"));
    let native = match parse(args.clone()) {
        Ok(native) => native,
        Err(error) if error.use_stderr() && mistakes::is_text(&args) => {
            let what = "an argument holds several lines: inputs are named by their files";
            let message = format!("{what}; pipe a text in, as in `edapply < reply.md`");
            let _ = writeln!(streams.stderr, "edapply: {message}");
            streams.as_json = asked_json;
            let _ = tell_trouble(&Failure::trouble("usage", message), streams);
            return Exit::Trouble;
        }
        Err(error) => {
            let _ = error.print();
            if error.use_stderr() && asked_json {
                streams.as_json = true;
                let _ = tell_trouble(&usage_failure(&error), streams);
            }
            return if error.use_stderr() { Exit::Trouble } else { Exit::Ok };
        }
    };
    streams.as_json = match &native.command {
        Some(command) => command.is_for_programs(),
        None => native.apply.json.is_some(),
    };
    let done = match native.command {
        None => apply(&native, streams),
        Some(command) => subcommand(command, streams),
    };
    match done {
        Ok(exit) => exit,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Ok,
        Err(error) => {
            let _ = writeln!(streams.stderr, "edapply: cannot write the output: {error}");
            Exit::Trouble
        }
    }
}

/// The arguments of the native face.
fn parse(args: Vec<OsString>) -> Result<Native, clap::Error> {
    let plain = !commands::may_be_named(&args);
    if plain && let Some(apply) = plain::read(&args) {
        return Ok(Native { command: None, apply });
    }
    // What names no command is mostly right without them; what is not is told of by the whole definition.
    if plain
        && let Ok(mut matches) = Native::without_commands().try_get_matches_from(&args)
        && let Ok(apply) = native::Apply::from_arg_matches_mut(&mut matches)
    {
        return Ok(Native { command: None, apply });
    }
    // The whole definition takes its time; a run that applies something needs the half of it.
    let asks_for_help = args.iter().any(|arg| arg == "--help" || arg == "-h" || arg == "help");
    let definition = if asks_for_help { command() } else { Native::command() };
    let mut matches = definition.try_get_matches_from(args)?;
    Native::from_arg_matches_mut(&mut matches)
}

fn subcommand(command: Command, streams: &mut Streams<'_>) -> std::io::Result<Exit> {
    match command {
        Command::Inspect { inputs, root, state_dir, .. } => {
            let writer = Writer { state_dir, ..Writer::default() };
            match run::refuse_torn(&root.unwrap_or_else(|| ".".into()), &writer) {
                Ok(()) => show_edits(&inputs, streams),
                Err(failure) => trouble(&failure, streams),
            }
        }
        Command::Undo { id, list, past, .. } => {
            let past = Past::from(past);
            if list { past.log(true, streams) } else { past.undo(id.as_deref(), streams) }
        }
        Command::Recover { past, .. } => Past::from(past).recover(streams),
        Command::Log { past, .. } => Past::from(past).log(false, streams),
        Command::Read { files, plain, json, root, state_dir } => {
            let form = match (plain, json) {
                (true, _) => read::Form::Plain,
                (_, true) => read::Form::Json,
                _ => read::Form::Numbered,
            };
            let files = files.into_iter().map(OsString::into_encoded_bytes).collect();
            let root = root.unwrap_or_else(|| ".".into());
            read_files(&read::ReadRequest { root, files, form, state_dir }, streams)
        }
        Command::Convert { to, root, inputs, .. } => {
            let (format, inputs) = (inputs.format, inputs.sources());
            convert::run(&convert::Ask { to, root, format, inputs }, streams)
        }
        Command::Prompt { format, long, .. } => texts::prompt(format.format(), long, streams),
        Command::Bench(ask) => bench::run(&ask, streams),
        Command::Cost(ask) => measure::cost(&ask, streams),
        Command::Choose(ask) => measure::choice(&ask, streams),
        Command::Explain { code, .. } => texts::explanation(code.as_deref(), streams),
        Command::Schema { .. } => texts::print(crate::schema::SCHEMA, streams),
        Command::Completions { shell, .. } => texts::completions(shell, streams),
        Command::Man { list: true, .. } => texts::pages(streams),
        Command::Man { page, .. } => texts::man(&page, streams),
        Command::Install { prefix, destdir, link, dry_run, .. } => {
            texts::install(&install::Ask { prefix, destdir, links: link, dry_run }, streams)
        }
    }
}

/// The arguments with a command's name before its options: `-C proj undo` is `undo -C proj`. What the command
/// does not know, it refuses itself.
fn command_first(mut args: Vec<OsString>) -> Vec<OsString> {
    if !args.get(1).is_some_and(|arg| arg.as_encoded_bytes().starts_with(b"-")) {
        return args;
    }
    let definition = Native::command();
    let takes_value = |arg: &str| {
        let takes = |known: &&clap::Arg| known.get_action().takes_values() && !known.is_require_equals_set();
        let mut known = definition.get_arguments().filter(takes);
        match arg.strip_prefix("--") {
            Some(long) => known.any(|known| known.get_long() == Some(long)),
            None => {
                let known: Vec<char> = known
                    .flat_map(|known| {
                        known.get_short().into_iter().chain(known.get_all_short_aliases().unwrap_or_default())
                    })
                    .collect();
                // The first that takes a value takes what follows it in the word, if anything does.
                arg.find(|letter| known.contains(&letter)).is_some_and(|at| at + 1 == arg.len())
            }
        }
    };
    let mut at = 1;
    while let Some(arg) = args.get(at).and_then(|arg| arg.to_str()) {
        if !arg.starts_with('-') || arg == "-" || arg == "--" {
            break;
        }
        at += 1 + usize::from(takes_value(arg));
    }
    let name = args.get(at).and_then(|arg| arg.to_str());
    let named = name.is_some_and(|name| definition.get_subcommands().any(|sub| sub.get_name() == name));
    if at > 1 && named {
        args[1..=at].rotate_right(1);
    }
    args
}

/// The face that replaces GNU patch: what it calls itself, and its arguments.
fn called_as_patch(args: &[OsString]) -> Option<(String, &[OsString])> {
    let (program, rest) = args.split_first()?;
    let program = program.to_string_lossy();
    if program.rsplit('/').next() == Some("patch") {
        return Some((program.into_owned(), rest));
    }
    let (face, rest) = rest.split_first()?;
    (face == "patch").then(|| ("patch".to_owned(), rest))
}

/// The arguments of the face that replaces `git apply`.
fn called_as_git_apply(args: &[OsString]) -> Option<&[OsString]> {
    let (program, rest) = args.split_first()?;
    let program = program.to_string_lossy();
    if matches!(program.rsplit('/').next(), Some("git-apply" | "git-edapply")) {
        return Some(rest);
    }
    let (face, rest) = rest.split_first()?;
    (face == "git-apply").then_some(rest)
}

/// Where nothing is named and nothing is piped in, there is nothing to read.
fn usage(streams: &mut Streams<'_>) -> std::io::Result<Exit> {
    const HINT: &str = "Give an INPUT, or pipe one in; `edapply --help` says more.";
    writeln!(streams.stderr, "{}", command().render_usage())?;
    writeln!(streams.stderr, "{HINT}")?;
    tell_trouble(&Failure::trouble("usage", HINT.into()), streams)?;
    Ok(Exit::Trouble)
}

/// What clap complains of, without its advice.
fn usage_failure(error: &clap::Error) -> Failure {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let message = first.strip_prefix("error: ").unwrap_or(first);
    Failure::trouble("usage", message.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Why a run came to nothing, on standard output for programs that asked for it.
fn tell_trouble(failure: &Failure, streams: &mut Streams<'_>) -> std::io::Result<()> {
    if !streams.as_json {
        return Ok(());
    }
    writeln!(streams.stdout, "{}", json::line(&json::ErrorReport::new(failure))?)?;
    streams.stdout.flush()
}

fn show_edits(inputs: &Inputs, streams: &mut Streams<'_>) -> std::io::Result<Exit> {
    let sources = inputs.sources();
    if sources.contains(&Source::Stdin) && streams.stdin_is_terminal {
        return usage(streams);
    }
    let sources = match series::expand(&sources) {
        Ok(sources) => sources,
        Err(failure) => return trouble(&failure, streams),
    };
    let as_json = streams.as_json;
    match inspect::inspect(&sources, inputs.format, as_json, streams.stdin, streams.stdout)? {
        Ok(Exit::Fail) if !as_json => {
            writeln!(streams.stderr, "no edit found")?;
            Ok(Exit::Fail)
        }
        Ok(exit) => Ok(exit),
        Err(failure) => trouble(&failure, streams),
    }
}

fn read_files(request: &read::ReadRequest, streams: &mut Streams<'_>) -> std::io::Result<Exit> {
    match read::read(request, streams.stdout)? {
        Ok(note) => {
            if let Some(note) = note {
                writeln!(streams.stderr, "note  {}", escape::text(&note))?;
            }
            Ok(Exit::Ok)
        }
        Err(failure) => trouble(&failure, streams),
    }
}

fn trouble(failure: &Failure, streams: &mut Streams<'_>) -> std::io::Result<Exit> {
    writeln!(streams.stderr, "edapply: {} [{}]", failure.message, failure.code)?;
    if !failure.next().is_empty() {
        writeln!(streams.stderr, "      next: {}", failure.next())?;
    }
    tell_trouble(failure, streams)?;
    Ok(Exit::Trouble)
}

fn apply(native: &Native, streams: &mut Streams<'_>) -> std::io::Result<Exit> {
    let request = match native.request() {
        Ok(request) => request,
        Err(why) => {
            let why = escape::text(&why);
            writeln!(streams.stderr, "edapply: {why}")?;
            tell_trouble(&Failure::trouble("usage", why), streams)?;
            return Ok(Exit::Trouble);
        }
    };
    if request.inputs.contains(&Source::Stdin) && streams.stdin_is_terminal {
        return usage(streams);
    }
    let commands: Vec<&str> = EXITS.iter().map(|(name, _)| *name).filter(|name| !name.is_empty()).collect();
    if let Some(failure) = mistakes::misnamed(&request.inputs, &commands) {
        return past::fail(&failure, streams);
    }
    let reports = match watched(native, &request, streams) {
        Ok(reports) => reports,
        Err(failure) => return trouble(&failure, streams),
    };
    let exit = reports.iter().map(Report::exit).max().unwrap_or(Exit::Ok);
    streams.settled = reports.iter().any(|report| report.written);
    let heads = native.apply.each || request.inputs.len() > 1 || request.inputs.iter().any(Source::is_folder);
    for report in &reports {
        let said = say(report, native, heads, streams);
        let printed = print_results(report, native, &request, streams);
        match (quiet_pipe(said), quiet_pipe(printed)) {
            (Ok(()), Ok(())) => {}
            (said, printed) if streams.settled => untold(report, said, printed, streams),
            (said, printed) => said.and(printed)?,
        }
    }
    if reports.len() > 1 && !native.apply.quiet {
        sum_up(&reports, streams)?;
    }
    Ok(exit)
}

/// Which of several transactions came to nothing.
fn sum_up(reports: &[Report], streams: &mut Streams<'_>) -> std::io::Result<()> {
    let bad: Vec<String> = reports
        .iter()
        .filter(|report| report.exit() != Exit::Ok)
        .flat_map(|report| report.inputs.first())
        .map(|input| escape::name(input.name.as_bytes()))
        .collect();
    let good = reports.iter().filter(|report| report.exit() == Exit::Ok).count();
    let named = if bad.is_empty() { String::new() } else { format!("; refused: {}", bad.join(", ")) };
    writeln!(streams.stderr, "{good} of {} inputs apply{named}", reports.len())
}

/// Carries the request out, while a person is asked or sees how far it is.
fn watched(native: &Native, request: &Request, streams: &mut Streams<'_>) -> Result<Vec<Report>, Failure> {
    if native.apply.interactive {
        let color = native.apply.color.wanted(true);
        return Ok(run::apply_watched(request, streams.stdin, &mut interactive::Person::new(color)?));
    }
    let shown = streams.stderr_is_terminal && anstyle_query::term_supports_color() && !native.apply.quiet;
    let mut progress = progress::Progress::new(shown);
    Ok(run::apply_watched(request, streams.stdin, &mut progress))
}

/// Files changed, and the report cannot be written where it belongs: the other stream tells.
fn untold(
    report: &Report,
    said: std::io::Result<()>,
    printed: std::io::Result<()>,
    streams: &mut Streams<'_>,
) {
    let (out, error): (&mut dyn Write, _) = match (said, printed) {
        (Ok(()), Err(error)) => (&mut *streams.stderr, error),
        // The JSON object is there and says it.
        (Err(_), Ok(())) if streams.as_json => return,
        (Err(error), Ok(())) => (&mut *streams.stdout, error),
        _ => return,
    };
    let error = crate::tree::root::plain_error(&error);
    let (what, count) = (if report.written { "written" } else { "not written" }, report.changes.len());
    let batch = report.batch.as_ref().map_or(String::new(), |id| format!(", batch {id}"));
    let _ =
        writeln!(out, "edapply: the report cannot be written ({error}); {count} file(s) were {what}{batch}");
    let _ = out.flush();
}

/// A reader that went away does not change what came of the run.
fn quiet_pipe(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// What came of it, on standard error.
fn say(report: &Report, native: &Native, heads: bool, streams: &mut Streams<'_>) -> std::io::Result<()> {
    let options = &native.apply;
    let look = text::Look {
        color: options.color.wanted(streams.stderr_is_terminal),
        verbosity: options.verbosity(),
        width: streams.width.filter(|_| streams.stderr_is_terminal && anstyle_query::term_supports_color()),
        heads,
    };
    if options.annotate {
        let mut told = Vec::new();
        text::write(report, look, &mut told)?;
        streams.stderr.write_all(&annotate::plain(&told))?;
    } else {
        text::write(report, look, streams.stderr)?;
    }
    streams.stderr.flush()
}

/// What was asked for, on standard output.
fn print_results(
    report: &Report,
    native: &Native,
    request: &Request,
    streams: &mut Streams<'_>,
) -> std::io::Result<()> {
    let options = &native.apply;
    if let Some(detail) = options.json {
        writeln!(streams.stdout, "{}", json::report(report, detail.detail())?)?;
        return streams.stdout.flush();
    }
    if options.annotate {
        let here = std::env::current_dir().unwrap_or_default();
        annotate::write(report, &here, streams.stdout)?;
        let mut content = Vec::new();
        print_content(report, native, request, streams.stdout_is_terminal, &mut content)?;
        annotate::guarded(&content, streams.stdout)?;
    } else {
        print_content(report, native, request, streams.stdout_is_terminal, streams.stdout)?;
    }
    streams.stdout.flush()
}

/// What is shown of the change, or of what stands against it.
fn print_content(
    report: &Report,
    native: &Native,
    request: &Request,
    terminal: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let options = &native.apply;
    if options.retry_prompt {
        retry::write(report, out)?;
    }
    if options.stat || options.numstat || options.summary {
        let files = stat::files(&report.changes);
        if options.stat {
            stat::write_stat(&files, out)?;
        }
        if options.numstat {
            stat::write_numstat(&files, out)?;
        }
        if options.summary {
            stat::write_summary(&report.changes, out)?;
        }
    }
    if request.mode == Mode::DryRun {
        let show = match (options.color.wanted(terminal), terminal) {
            (true, _) => diff::Show::Color,
            (false, true) => diff::Show::Safe,
            (false, false) => diff::Show::Raw,
        };
        diff::show(&report.changes, show, out)?;
    }
    Ok(())
}
