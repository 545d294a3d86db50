//! The repository around the caller: what is found here, and git's own commands for what is not.

use std::{
    ffi::{OsStr, OsString},
    io::{BufReader, Write},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use super::{
    attributes,
    config::{AskGit, Config},
    discover::{self, Lost, Place},
};

/// Where the caller stands, and what git's configuration says there.
pub struct Repo {
    pub place: Place,
    config: Config,
    pub(super) objects: Option<Asker>,
    pub(super) attributes: attributes::Known,
    /// Said before anything else.
    pub warning: Option<String>,
}

/// A command that answers one question after the other.
pub struct Asker {
    child: Child,
    stdin: Option<ChildStdin>,
    pub stdout: BufReader<ChildStdout>,
}

impl Drop for Asker {
    fn drop(&mut self) {
        self.stdin.take();
        let _ = self.child.wait();
    }
}

impl Asker {
    pub fn start(mut command: Command) -> std::io::Result<Asker> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let stdout = stdout.ok_or_else(|| std::io::Error::other("no pipe"))?;
        Ok(Asker { child, stdin, stdout: BufReader::new(stdout) })
    }

    pub fn ask(&mut self, question: &[u8]) -> std::io::Result<()> {
        let pipe = self.stdin.as_mut().ok_or_else(|| std::io::Error::other("no pipe"))?;
        pipe.write_all(question)?;
        pipe.flush()
    }
}

impl Repo {
    /// Looks around from the current folder.
    ///
    /// # Errors
    /// What git would die of.
    pub fn discover() -> Result<Repo, Vec<u8>> {
        let here = std::env::current_dir().map_err(|error| {
            let why = crate::dialect::unwritten::capital(&crate::tree::root::plain_error(&error));
            format!("fatal: Unable to read current working directory: {why}").into_bytes()
        })?;
        let mut warning = None;
        let place = match discover::place(&here, &of_caller) {
            Ok(place) => place,
            Err(Lost::AskGit) => ask_where(&here)?,
            Err(Lost::Fatal(text)) => return Err([b"fatal: ", &text[..]].concat()),
            Err(Lost::Warned(text)) => {
                warning = Some(text);
                Place { top: here, id_size: 40, ..Place::default() }
            }
        };
        let config = Config::default();
        let attributes = attributes::Known::default();
        let mut repo = Repo { place, config, objects: None, attributes, warning };
        repo.config = match read_config(&repo.place) {
            Ok(config) => config,
            Err(AskGit) => Config::from_listing(&repo.ask_config()?),
        };
        Ok(repo)
    }

    fn ask_config(&self) -> Result<Vec<u8>, Vec<u8>> {
        let mut command = self.git(["config", "-z", "--list", "--includes"]);
        command.env_remove("GIT_CONFIG");
        match command.stdin(Stdio::null()).output() {
            Ok(done) if done.status.success() => Ok(done.stdout),
            Ok(done) => Err(done.stderr.trim_ascii_end().to_vec()),
            // Without git nobody can tell.
            Err(_) => Ok(Vec::new()),
        }
    }

    pub fn config(&self, key: &str) -> Option<&[u8]> {
        self.config.get(key)
    }

    /// A setting that is on or off.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.config.flag(key).ok().flatten()
    }

    /// The setting that is neither on nor off although it must be.
    pub fn bad_flag(&self) -> Option<String> {
        let bad = FLAGS.iter().find(|key| self.config.flag(key).is_err())?;
        let value = String::from_utf8_lossy(self.config(bad).unwrap_or_default()).into_owned();
        Some(format!("fatal: bad boolean config value '{value}' for '{bad}'"))
    }

    pub fn is_outside(&self) -> bool {
        self.place.git_dir.is_none()
    }

    /// Where the index lies.
    pub fn index_path(&self) -> PathBuf {
        match std::env::var_os("GIT_INDEX_FILE") {
            Some(file) => self.place.top.join(file),
            None => self.place.top.join(self.place.git_dir.clone().unwrap_or_default()).join("index"),
        }
    }

    /// The file that stands while the index is written.
    pub fn index_lock(&self) -> PathBuf {
        let mut name = self.index_path().into_os_string();
        name.push(".lock");
        name.into()
    }

    /// One of git's commands, at the top.
    pub fn git<const N: usize>(&self, args: [&str; N]) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.place.top).args(args).env("LC_ALL", "C");
        match (&self.place.git_dir, self.attributes.scratch()) {
            (Some(dir), _) => {
                command.env("GIT_DIR", dir);
                if !self.place.bare {
                    command.env("GIT_WORK_TREE", &self.place.top);
                }
            }
            (None, Some(dir)) => {
                command.env("GIT_DIR", dir);
            }
            (None, None) => {}
        }
        command
    }
}

/// Settings that git reads before it applies anything, and that must be on or off.
const FLAGS: [&str; 8] = [
    "core.filemode",
    "core.trustctime",
    "core.quotepath",
    "core.symlinks",
    "core.ignorecase",
    "core.logallrefupdates",
    "core.precomposeunicode",
    "core.protectntfs",
];

fn of_caller() -> Result<Config, AskGit> {
    let mut config = Config::default();
    config.of_caller()?;
    config.of_environment()?;
    Ok(config)
}

fn read_config(place: &Place) -> Result<Config, AskGit> {
    let mut config = Config::default();
    config.of_caller()?;
    if let Some(git_dir) = &place.git_dir {
        config.file(&place.common_dir.join("config"), 0)?;
        if config.flag("extensions.worktreeconfig") == Ok(Some(true)) {
            config.file(&git_dir.join("config.worktree"), 0)?;
        }
    }
    config.of_environment()?;
    Ok(config)
}

fn ask_where(here: &Path) -> Result<Place, Vec<u8>> {
    let mut command = Command::new("git");
    command.current_dir(here).env("LC_ALL", "C").stdin(Stdio::null()).args([
        "rev-parse",
        "--is-inside-work-tree",
        "--absolute-git-dir",
        "--path-format=absolute",
        "--git-common-dir",
        "--show-object-format",
        "--show-prefix",
    ]);
    let mut place = Place { top: here.to_owned(), id_size: 40, ..Place::default() };
    let Ok(done) = command.output() else { return Ok(place) };
    if !done.status.success() {
        let outside = [&b"fatal: not a git repository (or any"[..], b"fatal: detected dubious ownership"];
        let said = done.stderr.trim_ascii_end();
        return if outside.iter().any(|text| said.starts_with(text)) {
            Ok(place)
        } else {
            Err(said.to_vec())
        };
    }
    let mut lines = done.stdout.split(|b| *b == b'\n');
    let mut next = || lines.next().unwrap_or_default();
    let inside = next() == b"true";
    let path = |text: &[u8]| PathBuf::from(OsStr::from_bytes(text));
    place.git_dir = Some(path(next()));
    place.common_dir = path(next());
    place.id_size = if next() == b"sha256" { 64 } else { 40 };
    place.bare = !inside;
    let prefix = next();
    if inside && !prefix.is_empty() {
        let folders = memchr::memchr_iter(b'/', prefix).count();
        if let Some(top) = here.ancestors().nth(folders) {
            place.top = top.to_owned();
            place.prefix = prefix.to_vec();
        }
    }
    Ok(place)
}

/// What a command says on standard output, if it succeeds.
pub fn output(mut command: Command) -> Option<Vec<u8>> {
    let done = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    done.status.success().then_some(done.stdout)
}

/// The same for a command that reads standard input.
pub fn fed(mut command: Command, input: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let pipe = child.stdin.take();
    let done = std::thread::scope(|scope| {
        scope.spawn(|| pipe.map(|mut pipe| pipe.write_all(input)));
        child.wait_with_output()
    })?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    let said = String::from_utf8_lossy(&done.stderr).trim_end().to_owned();
    Err(std::io::Error::other(said))
}

/// A file's name from where the caller stands, as seen from the top.
pub fn from_top(prefix: &[u8], name: &OsStr) -> OsString {
    if name.as_bytes().first() == Some(&b'/') || prefix.is_empty() {
        return name.to_owned();
    }
    OsString::from_vec([prefix, name.as_bytes()].concat())
}
