//! What git's attributes say of a path. Where no file could say anything nobody is asked.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    io::BufRead,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::{
    config::{path_value, xdg_folder},
    repo::{Asker, Repo, output},
};

/// What the attributes of a path say, as far as it matters here.
pub type Attributes = BTreeMap<Vec<u8>, Vec<u8>>;

const ASKED: [&str; 9] = [
    "whitespace",
    "text",
    "crlf",
    "eol",
    "ident",
    "filter",
    "working-tree-encoding",
    "merge",
    "conflict-marker-size",
];

/// What was found out so far.
#[derive(Default)]
pub struct Known {
    asker: Option<Asker>,
    /// Some file says something about every path.
    everywhere: Option<bool>,
    /// Folders and whether they hold such a file.
    folders: BTreeMap<Vec<u8>, bool>,
    answers: BTreeMap<Vec<u8>, Attributes>,
    /// The index holds such a file.
    indexed: bool,
    /// Stands in for a repository where there is none.
    scratch: Option<tempfile::TempDir>,
    /// What was known before a patch changed attributes.
    before: Option<Box<Known>>,
}

impl Known {
    pub fn scratch(&self) -> Option<&Path> {
        self.scratch.as_ref().map(tempfile::TempDir::path)
    }
}

impl Repo {
    /// What the attributes say of a path.
    pub fn attributes(&mut self, name: &[u8]) -> Attributes {
        if !self.has_attributes(name) {
            return Attributes::new();
        }
        if let Some(answer) = self.attributes.answers.get(name) {
            return answer.clone();
        }
        if self.attributes.asker.is_none() {
            self.stand_in();
            let mut command = self.git(["check-attr", "-z", "--stdin"]);
            command.args(ASKED);
            self.attributes.asker = Asker::start(command).ok();
        }
        let answer = self.attributes.asker.as_mut().and_then(|asker| ask(asker, name).ok());
        let answer = answer.unwrap_or_default();
        self.attributes.answers.insert(name.to_vec(), answer.clone());
        answer
    }

    /// Git answers only in a repository; the caller's own attributes hold outside as well.
    fn stand_in(&mut self) {
        if self.place.git_dir.is_some() {
            return;
        }
        let Ok(folder) = tempfile::tempdir() else { return };
        let mut command = self.git(["init", "-q", "--bare"]);
        command.arg(folder.path());
        if output(command).is_some() {
            self.attributes.scratch = Some(folder);
        }
    }

    /// Some file that git would look at stands where it would look.
    fn has_attributes(&mut self, name: &[u8]) -> bool {
        let everywhere = match self.attributes.everywhere {
            Some(known) => known,
            None => self.has_attributes_everywhere(),
        };
        self.attributes.everywhere = Some(everywhere);
        everywhere || self.attributes.indexed || self.has_attributes_on_the_way(name)
    }

    fn has_attributes_everywhere(&self) -> bool {
        let exists = |path: &Path| std::fs::exists(path).unwrap_or(true);
        let callers = match self.config("core.attributesfile") {
            Some(path) => path_value(path).map_or(Some(PathBuf::from("/")), Some),
            None => xdg_folder().map(|folder| folder.join("git/attributes")),
        };
        let system = ["/etc/gitattributes", "/usr/local/etc/gitattributes"];
        self.config("attr.tree").is_some()
            || std::env::var_os("GIT_ATTR_SOURCE").is_some()
            || callers.is_some_and(|path| exists(&path))
            || system.iter().any(|path| exists(Path::new(path)))
            || (self.place.git_dir.is_some() && exists(&self.place.common_dir.join("info/attributes")))
    }

    /// Without a work tree no file in a folder counts.
    fn has_attributes_on_the_way(&mut self, name: &[u8]) -> bool {
        if self.place.bare || self.place.git_dir.is_none() {
            return false;
        }
        let top = &self.place.top;
        let folders = &mut self.attributes.folders;
        let cuts = memchr::memchr_iter(b'/', name).map(|at| &name[..at]);
        std::iter::once(&b""[..]).chain(cuts).any(|folder| match folders.get(folder) {
            Some(known) => *known,
            None => {
                let path = top.join(OsStr::from_bytes(folder)).join(".gitattributes");
                let stands = std::fs::symlink_metadata(path).is_ok();
                folders.insert(folder.to_vec(), stands);
                stands
            }
        })
    }

    /// The index was read, and holds such a file.
    pub fn note_indexed_attributes(&mut self) {
        self.attributes.indexed = !self.place.bare;
    }

    /// What the attributes say of white space. The model never forgets that, even if they change meanwhile.
    pub fn whitespace(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let answer = match self.attributes.before.take() {
            None => self.attributes(name),
            Some(before) => {
                let now = std::mem::replace(&mut self.attributes, *before);
                let answer = self.attributes(name);
                let before = std::mem::replace(&mut self.attributes, now);
                self.attributes.before = Some(Box::new(before));
                answer
            }
        };
        answer.get(&b"whitespace"[..]).cloned()
    }

    /// Attributes may have changed.
    pub fn forget_attributes(&mut self) {
        let known = std::mem::take(&mut self.attributes);
        self.attributes.indexed = known.indexed;
        self.attributes.before = Some(match known.before {
            Some(before) => before,
            None => Box::new(known),
        });
    }
}

fn ask(asker: &mut Asker, name: &[u8]) -> std::io::Result<Attributes> {
    asker.ask(&[name, b"\0"].concat())?;
    let mut found = Attributes::new();
    for _ in ASKED {
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
