//! The index: read once, changed in memory, written at the end of the run.

use std::{collections::BTreeMap, os::unix::ffi::OsStringExt};

use super::{
    check::Before,
    header::Stop,
    patch::{FilePatch, LINK, REGULAR, SUBMODULE, Said, kind},
    repo::{Repo, fed, output},
    session::Session,
    world::Fault,
};
use crate::{commit::Beside, tree::Content};

/// One entry of stage 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub mode: u32,
    pub id: String,
    /// Noted as a file to come; without content yet.
    pub to_come: bool,
    /// Git is told not to look whether the file changed; here it has to be known.
    pub unwatched: bool,
}

/// What the index becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Becomes {
    Gone,
    Entry {
        mode: u32,
        bytes: Content,
    },
    /// A link to a commit of a submodule.
    Commit(String),
    ToCome {
        mode: u32,
    },
    Conflict {
        mode: u32,
        stages: [Option<String>; 3],
    },
}

#[derive(Debug, Default)]
pub struct Index {
    entries: BTreeMap<Vec<u8>, Entry>,
    /// Names whose file looks changed.
    dirty: std::collections::BTreeSet<Vec<u8>>,
    changes: BTreeMap<Vec<u8>, Becomes>,
}

impl Index {
    /// # Errors
    /// Git cannot read it.
    pub fn read(repo: &Repo, cached: bool, merges: bool) -> Option<Index> {
        let listed = output(repo.git(["ls-files", "-z", "-s", "-v", "--full-name"]))?;
        let mut index = Index::default();
        for line in listed.split(|b| *b == 0).filter(|line| !line.is_empty()) {
            let (name, entry) = entry(line)?;
            index.entries.extend(entry.map(|entry| (name, entry)));
        }
        index.mark_to_come(repo);
        if !cached || merges {
            let changed = output(on_files(repo, ["diff-files", "-z", "--name-only", "--no-ext-diff"]))?;
            index.dirty = changed.split(|b| *b == 0).map(<[u8]>::to_vec).collect();
        }
        Some(index)
    }

    /// Some entry holds attributes.
    pub fn has_attributes(&self) -> bool {
        self.entries.keys().any(|name| name.rsplit(|b| *b == b'/').next() == Some(b".gitattributes"))
    }

    /// Entries of files to come look empty; only the flags tell.
    fn mark_to_come(&mut self, repo: &Repo) {
        let empty = repo.id(b"");
        if !self.entries.values().any(|entry| entry.id == empty) {
            return;
        }
        let Some(listed) = output(repo.git(["ls-files", "-z", "--debug", "--full-name"])) else { return };
        let mut rest = &listed[..];
        while let Some(end) = memchr::memchr(0, rest) {
            let name = &rest[..end];
            let behind = &rest[end + 1..];
            let mut used = 0;
            for line in behind.split_inclusive(|b| *b == b'\n').take(5) {
                used += line.len();
                let text = String::from_utf8_lossy(line);
                let flags = text
                    .rsplit_once("flags: ")
                    .and_then(|(_, flags)| u32::from_str_radix(flags.trim(), 16).ok());
                if flags.is_some_and(|flags| flags & 0x2000_0000 != 0)
                    && let Some(entry) = self.entries.get_mut(name)
                {
                    entry.to_come = true;
                }
            }
            rest = &behind[used..];
        }
    }

    fn mode(&self, name: &[u8]) -> Option<u32> {
        match self.changes.get(name) {
            Some(Becomes::Gone | Becomes::Conflict { .. }) => None,
            Some(Becomes::Entry { mode, .. } | Becomes::ToCome { mode }) => Some(*mode),
            Some(Becomes::Commit(_)) => Some(SUBMODULE),
            None => self.entries.get(name).map(|entry| entry.mode),
        }
    }

    fn is_to_come(&self, name: &[u8]) -> bool {
        match self.changes.get(name) {
            Some(change) => matches!(change, Becomes::ToCome { .. }),
            None => self.entries.get(name).is_some_and(|entry| entry.to_come),
        }
    }

    pub fn set(&mut self, name: &[u8], becomes: Becomes) {
        self.changes.insert(name.to_vec(), becomes);
    }

    /// What `git update-index --index-info` is to read, and the names of files to come.
    fn info(&self, repo: &Repo) -> std::io::Result<(Vec<u8>, Vec<Vec<u8>>)> {
        let mut list = Vec::new();
        let zero = "0".repeat(repo.place.id_size);
        let contents: Vec<&[u8]> = self.changes.values().filter_map(Becomes::content).collect();
        let mut ids = repo.store(&contents)?.into_iter();
        let mut to_come = Vec::new();
        // What goes makes room for what comes: a file for a folder of its name, or the other way round.
        let goes = |becomes: &Becomes| matches!(becomes, Becomes::Gone);
        let first = self.changes.iter().filter(|(_, becomes)| goes(becomes));
        let rest = self.changes.iter().filter(|(_, becomes)| !goes(becomes));
        for (name, becomes) in first.chain(rest) {
            let mut line = |mode: u32, id: &str, stage: usize| {
                list.extend_from_slice(format!("{mode:o} {id} {stage}\t").as_bytes());
                list.extend_from_slice(name);
                list.push(0);
            };
            match becomes {
                Becomes::Gone => line(0, &zero, 0),
                Becomes::Entry { mode, .. } => line(*mode, &ids.next().unwrap_or_default(), 0),
                Becomes::Commit(id) => line(SUBMODULE, id, 0),
                Becomes::ToCome { .. } => to_come.push(name.clone()),
                Becomes::Conflict { mode, stages } => {
                    line(0, &zero, 0);
                    for (at, id) in stages.iter().enumerate() {
                        if let Some(id) = id {
                            line(*mode, id, at + 1);
                        }
                    }
                }
            }
        }
        Ok((list, to_come))
    }

    /// Writes all changes.
    ///
    /// # Errors
    /// What git says.
    pub fn write(&self, repo: &Repo, cached: bool) -> std::io::Result<()> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let (list, to_come) = self.info(repo)?;
        if !list.is_empty() {
            fed(repo.git(["update-index", "-z", "--index-info"]), &list)?;
        }
        if !to_come.is_empty() {
            let mut command = repo.git(["--literal-pathspecs", "add", "--intent-to-add", "--force", "--"]);
            command.args(to_come.into_iter().map(std::ffi::OsString::from_vec));
            fed(command, b"")?;
        }
        if !cached {
            self.refresh(repo);
        }
        Ok(())
    }

    /// What the file system says of the new files is noted, so that they do not look changed.
    pub fn refresh(&self, repo: &Repo) {
        let _ = output(on_files(repo, ["update-index", "-q", "--refresh"]));
    }

    /// The index file with all changes, made by git on a copy; none if there is no such file, or it cannot be
    /// exchanged by a rename.
    ///
    /// # Errors
    /// What git says.
    pub fn prepared(&self, repo: &Repo) -> std::io::Result<Option<Beside>> {
        let path = repo.index_path();
        if self.changes.is_empty() || !is_plain(&path) {
            return Ok(None);
        }
        let (list, _) = self.info(repo)?;
        let folder = tempfile::tempdir()?;
        let copy = folder.path().join("index");
        let (old, time) = (std::fs::read(&path)?, std::fs::metadata(&path)?.modified()?);
        std::fs::write(&copy, &old)?;
        // Which entries may have changed since, git tells by the time of the index.
        std::fs::File::options().append(true).open(&copy)?.set_modified(time)?;
        let mut command = repo.git(["update-index", "-z", "--index-info"]);
        command.env("GIT_INDEX_FILE", &copy);
        fed(command, &list)?;
        Ok(Some(Beside { path, old, new: std::fs::read(&copy)? }))
    }
}

/// A regular file on the same file system as the folder that a journal would use.
fn is_plain(path: &std::path::Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let meta = |path: &std::path::Path| std::fs::symlink_metadata(path).ok();
    let (Some(file), Some(folder)) = (meta(path), path.parent().and_then(meta)) else { return false };
    file.is_file() && file.dev() == folder.dev()
}

/// A line of git's listing: its name, and what it says at stage 0.
fn entry(line: &[u8]) -> Option<(Vec<u8>, Option<Entry>)> {
    let tab = memchr::memchr(b'\t', line)?;
    let head = std::str::from_utf8(&line[..tab]).ok()?;
    let mut words = head.split(' ');
    let tag = words.next()?;
    let mode = u32::from_str_radix(words.next()?, 8).ok()?;
    let id = words.next()?.to_owned();
    let unwatched = tag == "S" || tag.starts_with(|c: char| c.is_ascii_lowercase());
    let entry = Entry { mode, id, to_come: false, unwatched };
    Some((line[tab + 1..].to_vec(), (words.next() == Some("0")).then_some(entry)))
}

/// A command that looks at files, which a repository without a work tree has where the caller stands.
fn on_files<const N: usize>(repo: &Repo, args: [&str; N]) -> std::process::Command {
    let mut command = repo.git(args);
    if repo.place.bare {
        command.env("GIT_WORK_TREE", &repo.place.top);
    }
    command
}

impl Becomes {
    fn content(&self) -> Option<&[u8]> {
        match self {
            Becomes::Entry { bytes, .. } => Some(bytes),
            _ => None,
        }
    }
}

impl Session<'_, '_> {
    pub(super) fn index_mode(&self, name: &[u8]) -> Option<u32> {
        self.index.as_ref().and_then(|index| index.mode(name))
    }

    /// Why the index has no room for a new name.
    pub(super) fn free_in_index(&self, name: &[u8], may_stand: bool) -> Result<(), String> {
        let Some(index) = self.index.as_ref().filter(|index| index.mode(name).is_some()) else {
            return Ok(());
        };
        let to_come = index.is_to_come(name);
        if !may_stand && !to_come {
            return Err("already exists in index".into());
        }
        if !self.options.cached && to_come {
            return Err("does not match index".into());
        }
        Ok(())
    }

    /// The file must be in the index, and in the work tree as it is there.
    pub(super) fn before_in_index(&mut self, patch: &FilePatch, old: &[u8]) -> Result<Option<Before>, Stop> {
        if !self.options.cached
            && let Err(Fault::Io(why)) = self.world.look(old)
        {
            return Err(self.refuse([old, b": ", why.as_bytes()].concat()));
        }
        let Some(mode) = self.index_mode(old) else {
            if patch.is_new == Said::Perhaps {
                return Ok(None);
            }
            return Err(self.refuse([old, b": does not exist in index"].concat()));
        };
        if self.options.cached {
            return Ok(Some(Before { mode }));
        }
        let mut there = self.world.look(old).ok().flatten();
        if there.is_none() && !self.is_changed_here(old) {
            self.check_out(old)?;
            there = self.world.look(old).ok().flatten();
        }
        let dirty = self.is_dirty(old);
        let folder = there.is_some_and(|thing| thing.is_folder);
        let same = if mode == SUBMODULE { folder } else { !folder && !dirty };
        if !same && !self.is_changed_here(old) {
            return Err(self.refuse([old, b": does not match index"].concat()));
        }
        let mode = match there {
            Some(thing)
                if self.repo.flag("core.filemode") != Some(false) || kind(thing.mode) != kind(REGULAR) =>
            {
                thing.mode
            }
            _ => mode,
        };
        Ok(Some(Before { mode }))
    }

    /// The file in the work tree looks changed.
    pub(super) fn is_dirty(&mut self, name: &[u8]) -> bool {
        let Some(index) = &self.index else { return false };
        match index.entries.get(name).filter(|entry| entry.unwatched) {
            None => index.dirty.contains(name),
            Some(entry) => {
                let entry = entry.clone();
                self.differs(name, &entry)
            }
        }
    }

    /// The file is another than the entry says, by its content.
    fn differs(&mut self, name: &[u8], entry: &Entry) -> bool {
        let there = self.world.look(name).ok().flatten();
        let Some(there) = there.filter(|there| kind(there.mode) == kind(entry.mode)) else { return true };
        let Ok(bytes) = self.world.bytes(name) else { return true };
        let bytes = if there.mode == LINK { Ok(bytes) } else { self.cleaned(name, bytes, false) };
        bytes.map_or(true, |bytes| self.repo.id(&bytes) != entry.id)
    }

    /// An operand before this one changed it.
    fn is_changed_here(&self, name: &[u8]) -> bool {
        self.index.as_ref().is_some_and(|index| index.changes.contains_key(name))
    }

    /// A file that is missing is brought back from the index.
    pub(super) fn check_out(&mut self, name: &[u8]) -> Result<(), Stop> {
        let input = [name, b"\0"].concat();
        let done = fed(
            on_files(&self.repo, ["checkout-index", "--ignore-skip-worktree-bits", "-q", "-z", "--stdin"]),
            &input,
        );
        if done.is_err() {
            return Err(self.refuse([b"cannot checkout ", name].concat()));
        }
        if let Some(index) = &mut self.index {
            index.dirty.remove(name);
        }
        Ok(())
    }

    pub(super) fn load_from_index(&mut self, old: &[u8]) -> Result<Content, Stop> {
        let failed = [b"failed to read ", old].concat();
        let Some(index) = &self.index else { return Err(self.refuse(failed)) };
        let submodule = |id: &str| format!("Subproject commit {id}\n").into_bytes().into();
        let entry = match index.changes.get(old) {
            Some(Becomes::Entry { bytes, .. }) => return Ok(bytes.clone()),
            Some(Becomes::Commit(id)) => return Ok(submodule(id)),
            Some(_) => None,
            None => index.entries.get(old).cloned(),
        };
        let Some(entry) = entry else { return Err(self.refuse(failed)) };
        if entry.mode == SUBMODULE {
            return Ok(submodule(&entry.id));
        }
        match self.repo.blob(entry.id.as_bytes()) {
            Some((_, bytes)) => Ok(bytes.into()),
            None => Err(self.refuse(failed)),
        }
    }

    /// Notes what the parts that apply do to the index.
    pub(super) fn note_in_index(&mut self, patches: &[FilePatch]) -> Result<(), Stop> {
        let only_new = self.options.intent_to_add;
        let going = patches.iter().filter(|patch| !patch.rejected && !only_new);
        let gone: Vec<Vec<u8>> = going
            .filter(|patch| !patch.is_new() && !patch.is_copy)
            .filter_map(|patch| patch.old_name.clone())
            .collect();
        let Some(mut index) = self.index.take() else { return Ok(()) };
        for name in gone {
            index.set(&name, Becomes::Gone);
        }
        let mut done = Ok(());
        for patch in patches.iter().filter(|patch| !patch.rejected && !patch.is_delete()) {
            let Some(name) = &patch.new_name else { continue };
            if only_new && !patch.is_new() {
                continue;
            }
            match becomes(patch, only_new, self.repo.place.id_size) {
                Some(becomes) => index.set(name, becomes),
                None => {
                    self.say.error([b"corrupt patch for submodule ", &name[..]].concat());
                    done = Err(Stop::Unusable);
                }
            }
        }
        self.index = Some(index);
        done
    }
}

fn becomes(patch: &FilePatch, only_new: bool, id_size: usize) -> Option<Becomes> {
    let mode = if patch.new_mode == 0 { REGULAR } else { patch.new_mode };
    let bytes = patch.result.clone().unwrap_or_default();
    if let Some(stages) = &patch.conflict {
        return Some(Becomes::Conflict { mode, stages: stages.0.clone() });
    }
    if kind(mode) == kind(SUBMODULE) {
        let id = bytes.strip_prefix(b"Subproject commit ")?.trim_ascii_end();
        let whole = id.len() == id_size && id.iter().all(u8::is_ascii_hexdigit);
        return whole.then(|| Becomes::Commit(String::from_utf8_lossy(id).into_owned()));
    }
    Some(if only_new { Becomes::ToCome { mode } } else { Becomes::Entry { mode, bytes } })
}
