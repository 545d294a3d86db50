//! The repository around the caller, as git's own plumbing commands tell of it.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    io::{BufRead, BufReader, Read, Write},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use crate::merge;

/// Where the caller stands, and what git's configuration says there.
pub struct Repo {
    /// Names are relative to it: the top of the work tree, or the current folder.
    pub top: PathBuf,
    /// The current folder below the top; ends in a slash unless empty.
    pub prefix: Vec<u8>,
    /// None: outside a repository.
    pub git_dir: Option<PathBuf>,
    /// Digits of an object name.
    pub id_size: usize,
    bare: bool,
    config: BTreeMap<Vec<u8>, Vec<u8>>,
    objects: Option<Asker>,
    attributes: Option<Asker>,
}

/// A command that answers one question after the other.
struct Asker {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Drop for Asker {
    fn drop(&mut self) {
        self.stdin.take();
        let _ = self.child.wait();
    }
}

impl Asker {
    fn start(mut command: Command) -> std::io::Result<Asker> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let stdout = stdout.ok_or_else(|| std::io::Error::other("no pipe"))?;
        Ok(Asker { child, stdin, stdout: BufReader::new(stdout) })
    }

    fn ask(&mut self, question: &[u8]) -> std::io::Result<()> {
        let pipe = self.stdin.as_mut().ok_or_else(|| std::io::Error::other("no pipe"))?;
        pipe.write_all(question)?;
        pipe.flush()
    }
}

/// What the attributes of a path say, as far as it matters here.
pub type Attributes = BTreeMap<Vec<u8>, Vec<u8>>;

const ATTRIBUTES: [&str; 7] =
    ["whitespace", "text", "crlf", "eol", "ident", "filter", "working-tree-encoding"];

impl Repo {
    /// Looks around from the current folder.
    ///
    /// # Errors
    /// The current folder cannot be had.
    pub fn discover() -> std::io::Result<Repo> {
        let here = std::env::current_dir()?;
        let mut repo = Repo {
            top: here.clone(),
            prefix: Vec::new(),
            git_dir: None,
            id_size: 40,
            bare: false,
            config: BTreeMap::new(),
            objects: None,
            attributes: None,
        };
        if std::env::var_os("GIT_DIR").is_some() || may_be_inside(&here) {
            repo.ask_where(&here);
        }
        repo.read_config(&here);
        Ok(repo)
    }

    fn ask_where(&mut self, here: &Path) {
        let mut command = Command::new("git");
        command.current_dir(here).args([
            "rev-parse",
            "--is-inside-work-tree",
            "--absolute-git-dir",
            "--show-object-format",
            "--show-prefix",
        ]);
        let Some(said) = output(command) else { return };
        let mut lines = said.split(|b| *b == b'\n');
        let inside = lines.next() == Some(b"true");
        let git_dir = lines.next().filter(|dir| !dir.is_empty());
        let sha256 = lines.next() == Some(b"sha256");
        let prefix = lines.next().unwrap_or_default();
        self.git_dir = git_dir.map(|dir| PathBuf::from(OsStr::from_bytes(dir)));
        self.id_size = if sha256 { 64 } else { 40 };
        self.bare = !inside;
        if inside && !prefix.is_empty() {
            let folders = memchr::memchr_iter(b'/', prefix).count();
            if let Some(top) = here.ancestors().nth(folders) {
                self.top = top.to_owned();
                self.prefix = prefix.to_vec();
            }
        }
    }

    fn read_config(&mut self, here: &Path) {
        let command = match &self.git_dir {
            Some(_) => self.git(["config", "-z", "--list"]),
            None => {
                let mut command = Command::new("git");
                command.current_dir(here).args(["config", "-z", "--list"]);
                command
            }
        };
        for entry in output(command).unwrap_or_default().split(|b| *b == 0) {
            let mut halves = entry.splitn(2, |b| *b == b'\n');
            let key = halves.next().unwrap_or_default().to_vec();
            // A key without a value is true.
            self.config.insert(key, halves.next().unwrap_or(b"true").to_vec());
        }
    }

    pub fn config(&self, key: &str) -> Option<&[u8]> {
        self.config.get(key.as_bytes()).map(Vec::as_slice)
    }

    /// A setting that is on or off.
    pub fn flag(&self, key: &str) -> Option<bool> {
        let value = self.config(key)?.to_ascii_lowercase();
        match &value[..] {
            b"true" | b"yes" | b"on" => Some(true),
            b"false" | b"no" | b"off" | b"" => Some(false),
            number => std::str::from_utf8(number).ok()?.parse::<i64>().ok().map(|number| number != 0),
        }
    }

    /// One of git's commands, at the top.
    pub fn git<const N: usize>(&self, args: [&str; N]) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.top).args(args).env("LC_ALL", "C");
        if let Some(dir) = &self.git_dir {
            command.env("GIT_DIR", dir);
            if !self.bare {
                command.env("GIT_WORK_TREE", &self.top);
            }
        }
        command
    }

    /// The name that git would give to content.
    pub fn id(&self, bytes: &[u8]) -> String {
        merge::binary::id(bytes, self.id_size)
    }

    /// A whole object name.
    pub fn is_full_id(&self, id: &[u8]) -> bool {
        id.len() == self.id_size && id.iter().all(u8::is_ascii_hexdigit)
    }

    /// The name and content of a stored blob, which may be named by its first digits.
    pub fn blob(&mut self, id: &[u8]) -> Option<(String, Vec<u8>)> {
        self.git_dir.as_ref()?;
        if id.len() < 4 || !id.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        if self.objects.is_none() {
            self.objects = Asker::start(self.git(["cat-file", "--batch"])).ok();
        }
        let answer = read_object(self.objects.as_mut()?, id);
        if answer.is_err() {
            self.objects = None;
        }
        match answer.ok().flatten() {
            None if id.len() < self.id_size => self.only_blob(id),
            found => found,
        }
    }

    /// Several objects may begin so, and only one of them be a blob.
    fn only_blob(&mut self, id: &[u8]) -> Option<(String, Vec<u8>)> {
        let option = format!("--disambiguate={}", String::from_utf8_lossy(id));
        let listed = output(self.git(["rev-parse", &option]))?;
        let whole = listed.split(|b| *b == b'\n').filter(|name| name.len() == self.id_size);
        let names: Vec<&[u8]> = whole.collect();
        let mut blobs = names.into_iter().filter_map(|name| self.blob(name));
        blobs.next().filter(|_| blobs.next().is_none())
    }

    /// Stores contents; their names.
    pub fn store(&self, contents: &[&[u8]]) -> std::io::Result<Vec<String>> {
        if contents.is_empty() {
            return Ok(Vec::new());
        }
        let folder = tempfile::tempdir()?;
        let mut list = Vec::new();
        for (at, bytes) in contents.iter().enumerate() {
            let path = folder.path().join(at.to_string());
            std::fs::write(&path, bytes)?;
            list.extend_from_slice(path.as_os_str().as_bytes());
            list.push(b'\n');
        }
        let said = fed(self.git(["hash-object", "-w", "--no-filters", "--stdin-paths"]), &list)?;
        let ids = said.split(|b| *b == b'\n').filter(|line| !line.is_empty());
        let ids: Vec<String> = ids.map(|line| String::from_utf8_lossy(line).into_owned()).collect();
        if ids.len() == contents.len() {
            Ok(ids)
        } else {
            Err(std::io::Error::other("git stored too little"))
        }
    }

    /// What the attributes say of a path.
    pub fn attributes(&mut self, name: &[u8]) -> Attributes {
        if !self.has_attributes(name) {
            return Attributes::new();
        }
        if self.attributes.is_none() {
            let mut command = self.git(["check-attr", "-z", "--stdin"]);
            command.args(ATTRIBUTES);
            self.attributes = Asker::start(command).ok();
        }
        let answer = self.attributes.as_mut().and_then(|asker| ask_attributes(asker, name).ok());
        answer.unwrap_or_default()
    }

    /// Some file that git would look at stands where it would look.
    fn has_attributes(&self, name: &[u8]) -> bool {
        let Some(dir) = &self.git_dir else { return false };
        let home = std::env::var_os("XDG_CONFIG_HOME").filter(|dir| !dir.is_empty()).map(PathBuf::from);
        let home = home.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".config")));
        self.config("core.attributesfile").is_some()
            || self.bare
            || std::env::var_os("GIT_ATTR_SOURCE").is_some()
            || std::fs::exists(dir.join("info/attributes")).unwrap_or(true)
            || std::fs::exists(dir.join("commondir")).unwrap_or(true)
            || home.is_some_and(|home| std::fs::exists(home.join("git/attributes")).unwrap_or(true))
            || std::fs::exists("/etc/gitattributes").unwrap_or(true)
            || self.has_attributes_on_the_way(name)
    }

    fn has_attributes_on_the_way(&self, name: &[u8]) -> bool {
        let cuts = memchr::memchr_iter(b'/', name).map(|at| &name[..at]);
        std::iter::once(&b""[..]).chain(cuts).any(|folder| {
            let path = self.top.join(OsStr::from_bytes(folder)).join(".gitattributes");
            std::fs::symlink_metadata(path).is_ok()
        })
    }

    /// Attributes may have changed.
    pub fn forget_attributes(&mut self) {
        self.attributes = None;
    }
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

/// A folder here or above looks like a repository, or like a work tree.
fn may_be_inside(here: &Path) -> bool {
    here.ancestors().any(|folder| {
        std::fs::symlink_metadata(folder.join(".git")).is_ok()
            || (std::fs::symlink_metadata(folder.join("HEAD")).is_ok() && folder.join("objects").is_dir())
    })
}

fn read_object(asker: &mut Asker, id: &[u8]) -> std::io::Result<Option<(String, Vec<u8>)>> {
    asker.ask(&[id, b"\n"].concat())?;
    let mut head = Vec::new();
    asker.stdout.read_until(b'\n', &mut head)?;
    let head = String::from_utf8_lossy(&head).into_owned();
    let words: Vec<&str> = head.split_whitespace().collect();
    let [name, kind, size] = words[..] else { return Ok(None) };
    let size: usize = size.parse().map_err(std::io::Error::other)?;
    let mut bytes = vec![0; size + 1];
    asker.stdout.read_exact(&mut bytes)?;
    bytes.pop();
    Ok((kind == "blob").then(|| (name.to_owned(), bytes)))
}

fn ask_attributes(asker: &mut Asker, name: &[u8]) -> std::io::Result<Attributes> {
    asker.ask(&[name, b"\0"].concat())?;
    let mut found = Attributes::new();
    for _ in ATTRIBUTES {
        let mut fields = [Vec::new(), Vec::new(), Vec::new()];
        for field in &mut fields {
            if asker.stdout.read_until(0, field)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            field.pop();
        }
        let [_, key, value] = fields;
        if value != b"unspecified" {
            found.insert(key, value);
        }
    }
    Ok(found)
}

/// A file's name from where the caller stands, as seen from the top.
pub fn from_top(prefix: &[u8], name: &OsStr) -> OsString {
    if name.as_bytes().first() == Some(&b'/') || prefix.is_empty() {
        return name.to_owned();
    }
    OsString::from_vec([prefix, name.as_bytes()].concat())
}
