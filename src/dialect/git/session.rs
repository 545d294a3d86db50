//! One run, from the first operand to the last.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    io::{Read, Write},
    os::unix::ffi::OsStrExt,
    rc::Rc,
};

use super::{
    header::{Files, Reader, Spaces, Stop},
    index::Index,
    names::Rules,
    options::{OnSpace, Options, Verbosity},
    patch::FilePatch,
    repo::{Repo, fed, from_top},
    say::Say,
    show::{self, Scale},
    space::Rule,
    wild,
    world::World,
};
use crate::{
    dialect::{Told, unwritten::capital},
    report::Exit,
    tree::root::{plain_error, room_for},
};

/// Larger inputs are refused.
const MAX_INPUT: u64 = 1 << 30;

/// The streams of a run.
pub struct Streams<'s> {
    pub stdin: &'s mut dyn Read,
    pub stdout: &'s mut dyn Write,
    pub stderr: &'s mut dyn Write,
    pub told: &'s mut Told,
}

/// What became of a name so far in this patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Past {
    /// A later part takes it away.
    Goes,
    Gone,
    /// The part that made it.
    Made(usize),
}

/// A run under way.
pub(super) struct Session<'s, 'i> {
    pub options: Options,
    pub say: Say<'s>,
    pub repo: Repo,
    pub world: World,
    pub index: Option<Index>,
    pub spaces: Spaces,
    pub ignore_space: bool,
    pub past: BTreeMap<Vec<u8>, Past>,
    pub links_gone: BTreeSet<Vec<u8>>,
    pub links_made: BTreeSet<Vec<u8>>,
    /// The patch that is being applied, and its name.
    pub text: Rc<Vec<u8>>,
    pub source: Rc<Vec<u8>>,
    pub rerere: bool,
    /// The line at which reading stands; those of several patches are counted on.
    line: u64,
    pub told: &'s mut Told,
    /// No other patch follows the one that is being applied.
    pub is_last: bool,
    /// The index was written with the last patch's files.
    pub index_stands: bool,
    rules: Rules,
    scale: Scale,
    stdin: &'i mut dyn Read,
}

/// Runs `git apply` as asked.
pub fn run(options: Options, streams: Streams<'_>) -> Exit {
    let Streams { stdin, stdout, stderr, told } = streams;
    // Nothing is too quiet for what is wrong with the options themselves.
    let mut say = Say { stdout, stderr, level: Verbosity::Normal, quote_high: true };
    match prepared(options, &mut say) {
        Ok((options, repo, world)) => Session::new(options, say, repo, world, (stdin, told)).run(),
        Err(message) => {
            say.line(message);
            Exit::Unusable
        }
    }
}

/// Where the run takes place, and what it may do there; or why there is none.
fn prepared(options: Options, say: &mut Say<'_>) -> Result<(Options, Repo, World), Vec<u8>> {
    let repo = Repo::discover()?;
    if let Some(text) = &repo.warning {
        say.warning(text);
    }
    if let Some(text) = repo.bad_flag() {
        return Err(text.into_bytes());
    }
    let options = settle(options, &repo)?;
    say.level = options.level();
    say.quote_high = repo.flag("core.quotepath") != Some(false);
    let world = World::open(&repo.place.top, options.unsafe_paths)
        .map_err(|error| format!("error: {}", plain_error(&error)).into_bytes())?;
    if options.apply && !options.cached {
        world.recover();
    }
    Ok((options, repo, world))
}

/// What the configuration and the options say together.
fn settle(mut options: Options, repo: &Repo) -> Result<Options, String> {
    configured(&mut options, repo)?;
    if options.reject && options.three_way {
        return Err("error: options '--reject' and '--3way' cannot be used together".into());
    }
    if options.safe && (options.reject || options.operands.len() > 1) {
        return Err("fatal: --safe takes one patch, and does not go with --reject".into());
    }
    let outside = repo.is_outside();
    for (wanted, name) in [(options.three_way, "3way"), (options.index, "index"), (options.cached, "cached")]
    {
        if wanted && outside {
            return Err(format!("error: '--{name}' outside a repository"));
        }
    }
    options.index |= options.three_way || options.cached;
    if options.favor.is_some() && !options.three_way {
        return Err("fatal: --ours, --theirs, and --union require --3way".into());
    }
    if options.intent_to_add && (outside || options.index) {
        options.intent_to_add = false;
    }
    if options.reject {
        options.apply = true;
        if options.verbosity == 0 {
            options.verbosity = 1;
        }
    }
    let shows = options.stat || options.numstat || options.summary || options.check;
    if !options.force_apply && (shows || options.fake_ancestor.is_some()) {
        options.apply = false;
    }
    if options.index {
        options.unsafe_paths = false;
    }
    Ok(options)
}

/// The settings stand in for options that were not given; nonsense counts even if they were.
fn configured(options: &mut Options, repo: &Repo) -> Result<(), String> {
    let wrong = |what: &str, value: &[u8]| {
        Err(format!("error: unrecognized whitespace {what} '{}'", String::from_utf8_lossy(value)))
    };
    if let Some(value) = repo.config("apply.whitespace") {
        let mut known = Options::default();
        let target = if options.space_given { &mut known } else { &mut *options };
        if !target.set_space(value) {
            return wrong("option", value);
        }
    }
    if let Some(value) = repo.config("apply.ignorewhitespace") {
        let ignores = match value {
            b"no" | b"false" | b"never" | b"none" => false,
            b"change" => true,
            value => return wrong("ignore option", value),
        };
        options.ignore_space = options.ignore_space.or(Some(ignores));
    }
    Ok(())
}

impl<'s, 'i> Session<'s, 'i> {
    fn new(
        options: Options,
        say: Say<'s>,
        repo: Repo,
        world: World,
        (stdin, told): (&'i mut dyn Read, &'s mut Told),
    ) -> Self {
        let spaces = Spaces {
            on_space: options.on_space,
            found: 0,
            mended: 0,
            listed: (!options.list_all).then_some(5),
        };
        let rules = Rules {
            strip: options.strip,
            strip_known: options.strip_known,
            directory: options.directory.clone(),
            prefix: repo.place.prefix.clone(),
        };
        Session {
            ignore_space: options.ignore_space == Some(true),
            options,
            say,
            repo,
            world,
            index: None,
            spaces,
            past: BTreeMap::new(),
            links_gone: BTreeSet::new(),
            links_made: BTreeSet::new(),
            text: Rc::default(),
            source: Rc::default(),
            rerere: false,
            is_last: false,
            index_stands: false,
            line: 1,
            told,
            rules,
            scale: Scale::default(),
            stdin,
        }
    }
}

impl Session<'_, '_> {
    fn run(mut self) -> Exit {
        let done = self.operands();
        match done {
            Ok(true) => Exit::Ok,
            Ok(false) | Err(Stop::Refused) => Exit::Fail,
            Err(Stop::Unusable | Stop::Broken) => Exit::Unusable,
        }
    }

    /// Each operand is a patch of its own; the index is written at the end.
    fn operands(&mut self) -> Result<bool, Stop> {
        let mut fine = true;
        let mut any = false;
        let operands = std::mem::take(&mut self.options.operands);
        let last = operands.len().saturating_sub(1);
        self.is_last = operands.is_empty();
        for (at, operand) in operands.into_iter().enumerate() {
            any = true;
            self.is_last = at == last;
            if operand == OsStr::new("-") {
                fine &= self.read_stdin()?;
                continue;
            }
            let name = from_top(&self.repo.place.prefix, &operand);
            let text = self.open(&name)?;
            self.set_default_space();
            fine &= self.patch(text, name.as_bytes().to_vec())?;
        }
        self.set_default_space();
        if !any {
            fine &= self.read_stdin()?;
        }
        self.sum_up_spaces()?;
        self.write_index()?;
        Ok(fine)
    }

    fn read_stdin(&mut self) -> Result<bool, Stop> {
        let mut text = Vec::new();
        if let Err(error) = (&mut *self.stdin).take(MAX_INPUT).read_to_end(&mut text) {
            return Err(self.unusable(format!("failed to read patch: {}", capital(&plain_error(&error)))));
        }
        self.patch(text, b"<stdin>".to_vec())
    }

    fn unusable(&mut self, message: impl AsRef<[u8]>) -> Stop {
        self.say.error(message);
        Stop::Unusable
    }

    fn no_patches(&mut self) -> Stop {
        self.unusable("No valid patches in input (allow with \"--allow-empty\")")
    }

    fn open(&mut self, name: &OsStr) -> Result<Vec<u8>, Stop> {
        let path = if name.is_empty() { name.into() } else { self.repo.place.top.join(name) };
        let mut text = Vec::new();
        match std::fs::File::open(path) {
            Err(error) => {
                let reason = format!("': {}", capital(&plain_error(&error)));
                Err(self.unusable([b"can't open patch '", name.as_bytes(), reason.as_bytes()].concat()))
            }
            Ok(file) => {
                text.reserve_exact(room_for(&file, MAX_INPUT));
                match file.take(MAX_INPUT).read_to_end(&mut text) {
                    Ok(_) => Ok(text),
                    Err(error) => {
                        Err(self.unusable(format!("failed to read patch: {}", capital(&plain_error(&error)))))
                    }
                }
            }
        }
    }

    /// Nobody said what to do about white space: it matters only where something is written.
    fn set_default_space(&mut self) {
        if !self.options.space_given {
            self.spaces.on_space = if self.options.apply { OnSpace::Warn } else { OnSpace::Ignore };
        }
    }

    /// One patch: read whole, checked whole, then written.
    fn patch(&mut self, text: Vec<u8>, source: Vec<u8>) -> Result<bool, Stop> {
        if text.len() as u64 >= MAX_INPUT - 1024 {
            return Err(self.unusable("patch too large"));
        }
        self.text = Rc::new(text);
        self.source = Rc::new(source);
        let mut patches = Vec::new();
        let skipped = self.read(&mut patches)?;
        if patches.is_empty() && !skipped {
            if self.options.allow_empty {
                return Ok(true);
            }
            return Err(self.no_patches());
        }
        if self.options.reverse {
            patches.reverse();
        }
        self.forbid_writing();
        self.read_index()?;
        let wanted = self.options.check || self.options.apply;
        if wanted && !self.check_all(&mut patches)? && !self.options.reject {
            return Err(Stop::Refused);
        }
        self.forbid_writing();
        let mut fine = true;
        if self.options.json && self.options.check && !self.options.apply && !self.options.cached {
            self.would_write(&mut patches)?;
        }
        if self.options.apply {
            fine = self.write_all(&mut patches)?;
            if !fine && self.options.reject {
                return Err(Stop::Refused);
            }
        }
        self.forget_attributes(&patches);
        if !fine {
            return Ok(false);
        }
        self.fake_ancestor(&patches)?;
        self.show(&patches);
        Ok(true)
    }

    /// White-space errors that count as failures.
    fn forbid_writing(&mut self) {
        if self.spaces.found > 0 && self.spaces.on_space == OnSpace::Fail {
            self.options.apply = false;
        }
    }

    /// Reads all parts; true if some were left out.
    fn read(&mut self, patches: &mut Vec<FilePatch>) -> Result<bool, Stop> {
        let (text, source) = (Rc::clone(&self.text), Rc::clone(&self.source));
        let mut skipped = false;
        let mut at = 0;
        loop {
            let mut files = Chosen { options: &self.options, repo: &mut self.repo };
            let mut reader = Reader {
                text: &text,
                at,
                line: self.line,
                source: &source,
                options: &self.options,
                id_size: files.repo.place.id_size,
                rules: &mut self.rules,
                spaces: &mut self.spaces,
                say: &mut self.say,
            };
            let read = reader.next(&mut files);
            at = reader.at;
            self.line = reader.line;
            if matches!(read, Err(Stop::Broken)) && patches.is_empty() && !skipped {
                return Err(self.no_patches());
            }
            let Some(mut patch) = read? else { return Ok(skipped) };
            if self.options.reverse {
                patch.reverse();
            }
            let skips = Chosen { options: &self.options, repo: &mut self.repo }.skips(&patch);
            if skips {
                let shown = patch.shown(|name| self.say.quoted(name));
                self.say.detail([b"Skipped patch '", &shown[..], b"'."].concat());
                skipped = true;
            } else {
                if self.options.stat {
                    self.scale.see(&patch, |name| self.say.quoted(name));
                }
                patches.push(patch);
            }
        }
    }

    fn read_index(&mut self) -> Result<(), Stop> {
        let wanted = self.options.index || self.options.intent_to_add;
        if !wanted || self.index.is_some() {
            return Ok(());
        }
        self.check_lock()?;
        self.index = Index::read(&self.repo, self.options.cached, self.options.three_way);
        if self.index.is_none() {
            return Err(self.unusable("unable to read index file"));
        }
        if self.index.as_ref().is_some_and(Index::has_attributes) {
            self.repo.note_indexed_attributes();
        }
        Ok(())
    }

    /// Nobody else may be about to write the index.
    fn check_lock(&mut self) -> Result<(), Stop> {
        let path = self.repo.index_lock();
        if !self.options.apply || std::fs::symlink_metadata(&path).is_err() {
            return Ok(());
        }
        // Git has the words for it.
        if let Err(error) = fed(self.repo.git(["update-index", "--force-write-index"]), b"") {
            self.say.line(error.to_string());
            return Err(Stop::Unusable);
        }
        Ok(())
    }

    fn write_index(&mut self) -> Result<(), Stop> {
        let Some(index) = self.index.take() else { return Ok(()) };
        let written = if self.index_stands {
            index.refresh(&self.repo);
            Ok(())
        } else {
            index.write(&self.repo, self.options.cached)
        };
        if let Err(error) = written {
            return Err(self.unusable(format!("Unable to write new index file: {error}")));
        }
        if self.rerere && self.remembers() {
            let done = self.repo.git(["rerere"]).stdin(std::process::Stdio::null()).output();
            let said = done.map(|done| done.stderr).unwrap_or_default();
            for line in said.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
                self.say.line(line);
            }
        }
        Ok(())
    }

    /// How conflicts were settled is written down.
    fn remembers(&self) -> bool {
        let place = &self.repo.place;
        let known = self.repo.flag("rerere.enabled");
        !self.options.cached && known.unwrap_or_else(|| place.common_dir.join("rr-cache").is_dir())
    }

    fn forget_attributes(&mut self, patches: &[FilePatch]) {
        let names = patches.iter().flat_map(|patch| [&patch.old_name, &patch.new_name]).flatten();
        if names.into_iter().any(|name| name.ends_with(b".gitattributes")) {
            self.repo.forget_attributes();
        }
    }

    fn show(&mut self, patches: &[FilePatch]) {
        if self.say.level == Verbosity::Silent {
            return;
        }
        if self.options.stat {
            show::stat(&mut self.say, &self.scale, patches);
        }
        if self.options.numstat {
            show::numstat(&mut self.say, patches, self.options.nul);
        }
        if self.options.summary {
            show::summary(&mut self.say, patches);
        }
    }

    /// The count of white-space errors, at the very end.
    fn sum_up_spaces(&mut self) -> Result<(), Stop> {
        let found = self.spaces.found;
        if found == 0 {
            return Ok(());
        }
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        if let Some(listed) = self.spaces.listed.filter(|listed| *listed < found) {
            let rest = found - listed;
            self.say.warning(format!("squelched {rest} whitespace error{}", plural(rest)));
        }
        let adds = if found == 1 { "line adds" } else { "lines add" };
        let mended = self.spaces.mended;
        if self.spaces.on_space == OnSpace::Fail {
            return Err(self.unusable(format!("{found} {adds} whitespace errors.")));
        }
        if mended > 0 && self.options.apply {
            let s = plural(mended);
            self.say.warning(format!("{mended} line{s} applied after fixing whitespace errors."));
        } else {
            self.say.warning(format!("{found} {adds} whitespace errors."));
        }
        Ok(())
    }
}

/// Which files a run is about, and by which rules.
struct Chosen<'c> {
    options: &'c Options,
    repo: &'c mut Repo,
}

impl Files for Chosen<'_> {
    fn skips(&self, patch: &FilePatch) -> bool {
        let name = patch.name();
        if !self.repo.place.prefix.is_empty()
            && name.strip_prefix(&self.repo.place.prefix[..]).is_none_or(<[u8]>::is_empty)
        {
            return true;
        }
        let filters = &self.options.filters;
        match filters.iter().find(|filter| wild::fits(&filter.pattern, name)) {
            Some(filter) => !filter.include,
            None => filters.iter().any(|filter| filter.include),
        }
    }

    fn rule(&mut self, name: &[u8]) -> Rule {
        let configured = self.repo.config("core.whitespace").map_or_else(Rule::default, Rule::parse);
        match self.repo.whitespace(name).as_deref() {
            None => configured,
            Some(b"set") => Rule::all(configured.tab),
            Some(b"unset") => Rule { tab: configured.tab, ..Rule::none() },
            Some(text) => Rule::parse(text),
        }
    }
}
