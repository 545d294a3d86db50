//! One run, from the first patch of the input to the last.

use std::{
    collections::BTreeSet,
    io::{Read, Write},
    path::{Path, PathBuf},
};

use super::{
    choose::Patch,
    disk::{Disk, Fault, Key, New},
    header::{self, Found, Rules, Stop},
    options::{Kind, Options, SetTime},
    queue::{Failed, Queue, Target},
    say::Say,
    write, zone,
};
use crate::{
    dialect::Told,
    input::strict::{Lines, Place, context},
    report::Exit,
    tree::{
        Root,
        root::{plain_error, room_for},
    },
};

/// Larger inputs are refused.
const MAX_INPUT: u64 = 1 << 30;

/// A message that ends the run.
pub(super) struct Fatal(pub Vec<u8>);

impl Fatal {
    pub fn new(text: impl Into<Vec<u8>>) -> Fatal {
        Fatal(text.into())
    }

    /// The two sides of a hunk disagree, at these lines of the input.
    pub fn out_of_sync(old: usize, new: usize) -> Fatal {
        Fatal::new(format!("Out-of-sync patch, lines {old},{new} -- mangled text or line numbers, maybe?"))
    }
}

/// Where all results go with `-o`.
pub(super) enum Sink {
    Stdout,
    File(Target),
    /// A device or a FIFO, which is written to and not replaced.
    Device(PathBuf),
}

/// The results so far.
pub(super) struct Collected {
    pub sink: Sink,
    pub bytes: Vec<u8>,
}

/// A run under way.
pub(super) struct Session<'r> {
    pub options: &'r Options,
    pub say: Say<'r>,
    pub disk: Disk,
    pub queue: Queue,
    pub lines: Lines<'r>,
    /// Where the search for the next patch begins.
    pub base: Place,
    pub original: Option<Target>,
    pub output: Option<Collected>,
    /// Reject files that this run began.
    pub rejected: BTreeSet<Key>,
    pub warned: BTreeSet<Vec<u8>>,
    pub some_failed: bool,
    /// The last patch was git's.
    pub git: bool,
    /// The context lines at the head of the hunk read last.
    pub past_head: usize,
    /// The line at which the patch before began; 0: there was none.
    past_line: usize,
    found_any: bool,
    pub told: &'r mut Told,
}

/// The streams of a run.
pub struct Streams<'s> {
    pub stdin: &'s mut dyn Read,
    pub stdout: &'s mut dyn Write,
    pub stderr: &'s mut dyn Write,
    /// Questions are asked there.
    pub stdout_is_terminal: bool,
    pub told: &'s mut Told,
}

/// Runs GNU patch as asked.
pub fn run(options: &Options, streams: Streams<'_>) -> Exit {
    let Streams { stdin, stdout, stderr, stdout_is_terminal, told } = streams;
    let to_stderr = options.output.as_deref() == Some(b"-");
    let asks = stdout_is_terminal || options.posix;
    let mut say = Say { stdout, stderr, to_stderr, asks, quoting: options.quoting };
    for warning in &options.warnings {
        say.text(&format!("{warning}\n"));
    }
    let (root, input) = match open(options, stdin) {
        Ok(opened) => opened,
        Err(Fatal(message)) => {
            say.fatal(&options.program, &message);
            return Exit::Trouble;
        }
    };
    let session = Session {
        options,
        say,
        disk: Disk::new(root),
        queue: Queue::default(),
        lines: Lines::new(&input),
        base: Place::default(),
        original: None,
        output: None,
        rejected: BTreeSet::new(),
        warned: BTreeSet::new(),
        some_failed: false,
        git: false,
        past_head: 0,
        past_line: 0,
        found_any: false,
        told,
    };
    session.run()
}

/// The folder to work in, and the patch.
fn open(options: &Options, stdin: &mut dyn Read) -> Result<(Root, Vec<u8>), Fatal> {
    let mut folder = PathBuf::from(".");
    for next in &options.directory {
        folder.push(next);
        if let Err(error) = Root::open(&folder) {
            return Err(cannot("Can't change to directory", next.as_encoded_bytes(), options, &error));
        }
    }
    let root =
        Root::open(&folder).map_err(|error| cannot("Can't change to directory", b".", options, &error))?;
    let mut input = Vec::new();
    let read = match &options.patch {
        None => stdin.take(MAX_INPUT).read_to_end(&mut input),
        Some(name) => std::fs::File::open(folder.join(Path::new(name))).and_then(|file| {
            input.reserve_exact(room_for(&file, MAX_INPUT));
            file.take(MAX_INPUT).read_to_end(&mut input)
        }),
    };
    let name = options.patch.as_ref().map_or(&b"-"[..], |name| name.as_encoded_bytes());
    read.map_err(|error| match error.kind() {
        std::io::ErrorKind::IsADirectory => Fatal::new("read error : Is a directory"),
        _ => cannot("Can't open patch file", name, options, &error),
    })?;
    if input.len() as u64 >= MAX_INPUT {
        return Err(Fatal::new("the patch is over 1 GiB"));
    }
    Ok((root, input))
}

fn cannot(what: &str, name: &[u8], options: &Options, error: &std::io::Error) -> Fatal {
    let name = super::quote::name(options.quoting, name);
    let reason = match error.kind() {
        std::io::ErrorKind::NotFound => "No such file or directory".into(),
        std::io::ErrorKind::NotADirectory => "Not a directory".into(),
        std::io::ErrorKind::PermissionDenied => "Permission denied".into(),
        _ => plain_error(error),
    };
    Fatal([what.as_bytes(), b" ", &name, format!(" : {reason}").as_bytes()].concat())
}

impl Session<'_> {
    fn run(mut self) -> Exit {
        let done = self.all_patches();
        let fatal = done.is_err();
        if let Err(Fatal(message)) = done {
            self.say.fatal(&self.options.program, &message);
        }
        if let Err(Fatal(message)) = self.settle(fatal) {
            self.say.fatal(&self.options.program, &message);
            return Exit::Trouble;
        }
        match (fatal, self.some_failed) {
            (true, _) => Exit::Trouble,
            (false, true) => Exit::Fail,
            (false, false) => Exit::Ok,
        }
    }

    fn all_patches(&mut self) -> Result<(), Fatal> {
        self.prepare()?;
        while let Some(found) = self.find()? {
            let mut patch = self.choose(found);
            self.announce(&mut patch);
            self.one(patch)?;
        }
        self.copy_unpatched()
    }

    /// Looks at the names that the caller gave.
    fn prepare(&mut self) -> Result<(), Fatal> {
        if let Some(name) = &self.options.original {
            let key =
                self.disk.callers_place(name).map_err(|fault| self.fault("Can't open file", name, &fault))?;
            self.original = Some(Target { name: name.clone(), key });
        }
        let Some(name) = &self.options.output else { return Ok(()) };
        let sink = self.sink(name)?;
        self.output = Some(Collected { sink, bytes: Vec::new() });
        Ok(())
    }

    /// The output file is empty from the start, also if it is the file to patch.
    fn sink(&mut self, name: &[u8]) -> Result<Sink, Fatal> {
        if name == b"-" {
            return Ok(Sink::Stdout);
        }
        let failed = |session: &Session<'_>, fault| session.fault("Can't create file", name, &fault);
        let path = self.disk.real_path(name);
        match std::fs::metadata(&path) {
            Ok(found) if found.is_dir() => {
                return Err(failed(self, Fault::Io("Is a directory".into())));
            }
            Ok(found) if !found.is_file() => return Ok(Sink::Device(path)),
            _ => {}
        }
        let key = self.disk.callers_place(path.as_os_str().as_encoded_bytes());
        let key = key.map_err(|fault| failed(self, fault))?;
        if !self.disk.has_parent(&key) {
            return Err(failed(self, Fault::Io("No such file or directory".into())));
        }
        self.queue.put_own(&mut self.disk, &key, Vec::new());
        Ok(Sink::File(Target { name: name.to_vec(), key }))
    }

    pub(super) fn fault(&self, what: &str, name: &[u8], fault: &Fault) -> Fatal {
        let name = self.say.quoted(name);
        Fatal([what.as_bytes(), b" ", &name, format!(" : {}", fault.reason()).as_bytes()].concat())
    }

    pub(super) fn failed(&self, (name, fault): Failed) -> Fatal {
        self.fault("Can't create file", &name, &fault)
    }

    /// The next patch of the input.
    fn find(&mut self) -> Result<Option<Found>, Fatal> {
        self.lines.seek(self.base);
        if self.base.at > 0 && self.lines.at_end() {
            if self.options.verbose() {
                self.say.text("done\n");
            }
            return Ok(None);
        }
        if self.options.verbose() {
            self.say.text("Hmm...");
        }
        let utc = self.options.set_time == Some(SetTime::Utc);
        let zone = move |seconds: i64| if utc { 0 } else { zone::local(seconds) };
        // The kind that was asked for binds the first patch only.
        let kind = self.options.kind.filter(|_| !self.found_any);
        let headless = self.options.posix || self.original.is_some();
        let rules = Rules {
            strip: self.options.strip,
            kind,
            need_header: !(headless || matches!(kind, Some(Kind::Ed | Kind::Normal))),
            exact_stamps: self.options.set_time.is_some(),
            style: self.context_style(Kind::Context, (0, 0)),
            zone: &zone,
        };
        let found = header::find(&mut self.lines, &rules);
        self.tell_torn();
        let found = found.map_err(|stop| match stop {
            Stop::Nul { line } => Fatal::new(format!("patch line {line} contains NUL byte")),
            Stop::Read(error) => Fatal(error.message()),
        })?;
        match found {
            Some(found) => {
                self.found_any = true;
                if let Some(ahead) = found.ahead {
                    self.past_head = ahead.head;
                    self.tell_restyled(ahead.restyled);
                }
                self.tell_of_binaries();
                Ok(Some(found))
            }
            None => self.nothing_more(),
        }
    }

    /// How the next context hunk is read; `past` is the first old line of the one before, and their number.
    pub(super) fn context_style(&self, kind: Kind, past: (i64, i64)) -> context::Style {
        context::Style {
            new: kind == Kind::NewContext,
            ignore_blanks: self.options.ignore_blanks,
            past,
            past_head: self.past_head,
        }
    }

    pub(super) fn tell_restyled(&mut self, restyled: bool) {
        if restyled && self.options.verbose() {
            self.say.text(concat!(
                "(Fascinating -- this is really a new-style context diff but without\n",
                "the telltale extra asterisks on the *** line that usually indicate\n",
                "the new style...)\n",
            ));
        }
    }

    fn nothing_more(&mut self) -> Result<Option<Found>, Fatal> {
        if self.found_any {
            self.tell_of_binaries();
            if self.options.verbose() {
                self.say.text("  Ignoring the trailing garbage.\ndone\n");
            }
            return Ok(None);
        }
        if self.options.verbose() {
            self.say.text("  I can't seem to find a patch in there anywhere.\n");
        }
        if self.lines.is_empty() {
            Ok(None)
        } else {
            Err(Fatal::new("Only garbage was found in the patch input."))
        }
    }

    /// A binary change that is only announced would be lost in silence: it fails.
    fn tell_of_binaries(&mut self) {
        for notice in self.lines.take_notices() {
            let line = super::quote::line(notice.trim_ascii_end());
            self.say.bytes(&[&line[..], b": the change is not in the patch\n"].concat());
            self.some_failed = true;
        }
    }

    /// The last line of the input has no end, and does not count.
    pub(super) fn tell_torn(&mut self) {
        for _ in 0..self.lines.take_torn() {
            self.say.text("patch unexpectedly ends in middle of line\n");
        }
    }

    /// Says what was found, and asks for the file if none was.
    fn announce(&mut self, patch: &mut Patch) {
        let options = self.options;
        // The line that is told is that of the patch before.
        for _ in 0..patch.header().odd_prereqs {
            self.say.text(&format!("Prereq: with multiple words at line {} of patch\n", self.past_line));
        }
        self.past_line = patch.found.start.number + 1;
        if options.verbose() && !patch.skip {
            let start = if patch.found.before.at == 0 { "L" } else { "The next patch l" };
            self.say.text(&format!("  {start}ooks like {} to me...\n", kind_name(patch.found.kind)));
        }
        if options.binary {
            patch.found.dress.strip_cr = false;
        }
        if patch.skip {
            return;
        }
        let dress = patch.found.dress;
        if !options.silent() {
            if dress.indent > 0 {
                let s = if dress.indent == 1 { "" } else { "s" };
                self.say.text(&format!("(Patch is indented {} space{s}.)\n", dress.indent));
            }
            if dress.strip_cr {
                self.say.text("(Stripping trailing CRs from patch; use --binary to disable.)\n");
            }
            if patch.name.is_none() {
                self.tell_missing(patch);
            }
        }
        if options.verbose() || patch.name.is_none() {
            self.show_leading_text(patch);
        }
        if patch.name.is_none() {
            self.ask_for_file(patch);
        }
    }

    fn tell_missing(&mut self, patch: &Patch) {
        let line = patch.found.start.number + 1;
        self.say.text(&format!("can't find file to patch at input line {line}\n"));
        if !matches!(patch.found.kind, Kind::Ed | Kind::Normal) {
            self.say.text(match self.options.strip {
                None => "Perhaps you should have used the -p or --strip option?\n",
                Some(_) => "Perhaps you used the wrong -p or --strip option?\n",
            });
        }
    }

    fn show_leading_text(&mut self, patch: &Patch) {
        const RULE: &str = "--------------------------\n";
        if patch.found.before.at >= patch.found.start.at {
            return;
        }
        self.say.text("The text leading up to this was:\n");
        self.say.text(RULE);
        let mut lines = self.lines.clone();
        lines.seek(patch.found.before);
        while lines.place().at < patch.found.start.at
            && let Some(line) = lines.raw()
        {
            let line = super::quote::line(line);
            self.say.bytes(&[b"|", &line[..]].concat());
        }
        self.say.text(RULE);
    }

    fn ask_for_file(&mut self, patch: &mut Patch) {
        while patch.name.is_none() {
            if self.options.force || self.options.batch {
                self.say.text("No file to patch.  Skipping patch.\n");
                patch.skip = true;
                return;
            }
            let name = self.say.ask("File to patch: ");
            if !name.is_empty() {
                match self.disk.callers_place(&name).and_then(|key| Ok((self.disk.node(&key)?, key))) {
                    Ok((Some(node), key)) => {
                        patch.name = Some(name);
                        patch.place = Ok(key);
                        patch.node = Some(node);
                        return;
                    }
                    Ok((None, _)) => self.say.named("", &name, ": No such file or directory\n"),
                    Err(fault) => self.say.named("", &name, &format!(": {}\n", fault.reason())),
                }
            }
            if !self.say.ask("Skip this patch? [y] ").starts_with(b"n") {
                if !self.options.silent() {
                    self.say.text("Skipping patch.\n");
                }
                patch.skip = true;
                return;
            }
        }
    }

    /// With `-o` and nothing to apply, the file is copied as it stands.
    fn copy_unpatched(&mut self) -> Result<(), Fatal> {
        if self.found_any {
            return Ok(());
        }
        if let (Some(output), Some(original)) = (&mut self.output, &self.original)
            && let Ok(bytes) = self.disk.bytes(&original.key)
        {
            output.bytes.extend_from_slice(&bytes);
            if !self.options.silent() {
                let verb = if self.options.dry_run { "checking" } else { "patching" };
                let name = self.options.output.as_deref().unwrap_or_default();
                self.say.named(&format!("{verb} file "), name, "");
                match name == original.name {
                    true => self.say.text("\n"),
                    false => self.say.plainly(" (read from ", &original.name, ")\n"),
                }
            }
            // The model looks for a patch once more.
            if self.options.verbose() {
                self.say.text("Hmm...  I can't seem to find a patch in there anywhere.\n");
            }
        }
        Ok(())
    }

    /// Writes everything, or after a fatal error what was finished before it.
    fn settle(&mut self, fatal: bool) -> Result<(), Fatal> {
        if self.disk.is_broken() {
            // The model would leave what it wrote so far.
            let why = "a file could not be read; nothing was written";
            return if fatal { Ok(()) } else { Err(Fatal::new(why)) };
        }
        if self.options.safe && (fatal || self.some_failed) {
            return Ok(());
        }
        let flushed = self.queue.flush(&mut self.disk, self.options, None);
        flushed.map_err(|failed| self.failed(failed))?;
        if !fatal {
            let finished = self.queue.finish(&mut self.disk, self.options, &mut self.say);
            finished.map_err(|failed| self.failed(failed))?;
        }
        if let Some(output) = self.output.take() {
            self.settle_output(output)?;
        }
        write::write(&mut self.disk, self.options.sync, self.told).map_err(|unwritten| {
            self.fault("Can't create file", &unwritten.name, &Fault::Io(unwritten.reason))
        })
    }
}

impl Session<'_> {
    /// The output file is written in a dry run too.
    fn settle_output(&mut self, output: Collected) -> Result<(), Fatal> {
        match output.sink {
            Sink::Stdout => {
                let _ = self.say.stdout.write_all(&output.bytes);
            }
            Sink::File(target) => {
                let mode = self.disk.first_mode(&target.key).unwrap_or(0o600);
                self.disk.put(&target.key, New::with_mode(output.bytes, Some(mode)));
            }
            Sink::Device(path) => {
                let opened = std::fs::OpenOptions::new().write(true).open(&path);
                let written = opened.and_then(|mut device| device.write_all(&output.bytes));
                written.map_err(|error| {
                    cannot("Can't create file", path.as_os_str().as_encoded_bytes(), self.options, &error)
                })?;
            }
        }
        Ok(())
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Unified => "a unified diff",
        Kind::Context => "a context diff",
        Kind::NewContext => "a new-style context diff",
        Kind::Normal => "a normal diff",
        Kind::Ed => "an ed script",
        Kind::GitBinary => "a git binary diff",
    }
}
