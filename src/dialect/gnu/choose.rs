//! Which file a patch is for.

use super::{
    disk::{Fault, Key, Node, NodeKind},
    header::{Absence, Found, Header, NEW, OLD},
    names,
    queue::Target,
    session::Session,
};
use crate::tree::RelPath;

/// A patch and the file that was chosen for it.
pub struct Patch {
    pub found: Found,
    /// The name that was chosen, and where it leads.
    pub name: Option<Vec<u8>>,
    pub place: Result<Key, Fault>,
    pub node: Option<Node>,
    /// What the patch takes the file to be.
    pub file_kind: NodeKind,
    pub reverse: bool,
    pub skip: bool,
}

impl Patch {
    pub fn header(&self) -> &Header {
        &self.found.header
    }

    /// What the header says of the side that the file is on now.
    pub fn absent_before(&self) -> Absence {
        self.header().absent[usize::from(self.reverse)]
    }

    pub fn absent_after(&self) -> Absence {
        self.header().absent[usize::from(!self.reverse)]
    }

    pub fn target(&self) -> Option<Target> {
        Some(Target { name: self.name.clone()?, key: self.place.clone().ok()? })
    }
}

/// A name of the header, looked up.
#[derive(Clone)]
struct Candidate {
    place: Result<Key, Fault>,
    node: Option<Node>,
}

impl Candidate {
    fn is_valid(&self) -> bool {
        self.place != Err(Fault::Closed)
    }
}

impl Session<'_> {
    /// Chooses the file, asking whether the patch is reversed if it looks so.
    pub(super) fn choose(&mut self, found: Found) -> Patch {
        let mut patch = Patch {
            found,
            name: None,
            place: Err(Fault::NotFolder),
            node: None,
            file_kind: NodeKind::File,
            reverse: self.options.reverse,
            skip: false,
        };
        self.check_kinds(&mut patch);
        if let Some(original) = self.original.clone() {
            let node = self.original_node(&original.key);
            let node = node.filter(|node| !self.queue.is_doomed(node));
            let fits = node.as_ref().is_none_or(|node| node.kind == patch.file_kind);
            if fits && !patch.skip {
                let empty = node.as_ref().is_none_or(|node| node.size == 0);
                self.maybe_reverse(&mut patch, &original.name, (node.is_none(), empty));
            }
            patch.name = Some(original.name);
            patch.place = Ok(original.key);
            patch.node = node;
            return patch;
        }
        self.choose_by_name(&mut patch);
        patch
    }

    fn original_node(&mut self, key: &Key) -> Option<Node> {
        let node = self.disk.node(key).ok().flatten()?;
        if node.kind != NodeKind::Link || !self.options.follow_symlinks {
            return Some(node);
        }
        let behind = self.disk.behind(key).ok()?;
        self.disk.node(&behind).ok().flatten()
    }

    /// A patch may not turn a file into a link.
    fn check_kinds(&mut self, patch: &mut Patch) {
        let [old, new] = patch.header().modes.map(|mode| mode & 0o170_000);
        let kind = if old == 0 { new } else { old };
        if kind == 0o120_000 {
            patch.file_kind = NodeKind::Link;
        }
        if old != 0 && new != 0 && old != new {
            let [old, new] = if patch.reverse { [new, old] } else { [old, new] };
            let name = patch.header().names.iter().flatten().next().cloned();
            let name =
                self.original.as_ref().map(|original| original.name.clone()).or(name).unwrap_or_default();
            let after = format!(": can't change file type from 0{old:o} to 0{new:o}.\n");
            self.say.named("File ", &name, &after);
            patch.skip = true;
            self.some_failed = true;
        }
    }

    fn choose_by_name(&mut self, patch: &mut Patch) {
        if !self.options.posix && (patch.header().names[OLD].is_some() || patch.header().names[NEW].is_some())
        {
            patch.found.header.names[super::header::INDEX] = None;
        }
        let names = patch.header().names.clone();
        let mut candidates: [Option<Candidate>; 3] = [None, None, None];
        for (at, name) in names.iter().enumerate() {
            let Some(name) = name else { continue };
            // Both sides mostly have the same name.
            let same = names[..at].iter().position(|other| other.as_ref() == Some(name));
            candidates[at] = match same {
                Some(same) => candidates[same].clone(),
                None => Some(self.candidate(name)),
            };
        }
        let exists = |at: usize| {
            candidates[at].as_ref().is_some_and(|candidate| candidate.is_valid() && candidate.node.is_some())
        };
        let mut chosen = if self.options.posix {
            (0..3).find(|at| exists(*at))
        } else {
            self.best_existing(patch, &names, &candidates)
        };
        if chosen.is_none() && !self.options.posix && patch.absent_before() != Absence::None {
            chosen = self.fewest_new_folders(&names, &candidates);
        }
        self.check_move(patch, chosen, &candidates);
        let Some((at, candidate)) = chosen.and_then(|at| Some((at, candidates.into_iter().nth(at)??))) else {
            return;
        };
        patch.name = names[at].clone();
        patch.place = candidate.place;
        patch.node = candidate.node;
    }

    fn candidate(&mut self, name: &[u8]) -> Candidate {
        let place = self.disk.place(name);
        let node = match &place {
            Ok(key) => self.disk.node(key),
            Err(fault) => {
                let exists = *fault == Fault::Closed && is_dangerous_and_there(name);
                if exists {
                    self.warn_of(name);
                }
                Ok(None)
            }
        };
        let node = match (node, &place) {
            (Ok(Some(node)), Ok(key)) if node.kind == NodeKind::Link && self.options.follow_symlinks => {
                let behind = self.disk.behind(key);
                behind.and_then(|key| self.disk.node(&key))
            }
            (node, _) => node,
        };
        match node {
            Ok(node) => Candidate { place, node: node.filter(|node| !self.queue.is_doomed(node)) },
            Err(Fault::NotFolder) => Candidate { place, node: None },
            Err(fault) => Candidate { place: Err(fault), node: None },
        }
    }

    fn best_existing(
        &mut self,
        patch: &mut Patch,
        names: &[Option<Vec<u8>>; 3],
        candidates: &[Option<Candidate>; 3],
    ) -> Option<usize> {
        let node = |at: usize| candidates[at].as_ref().and_then(|candidate| candidate.node.as_ref());
        let best = names::best(names, |at| node(at).is_some());
        let last = names.iter().rposition(Option::is_some)?;
        let first_of_equals = names.iter().position(|name| *name == names[last]).unwrap_or(last);
        let asked = best.unwrap_or(first_of_equals);
        let fits = best.is_none_or(|at| node(at).is_some_and(|node| node.kind == patch.file_kind));
        let valid = candidates[asked].as_ref().is_some_and(Candidate::is_valid);
        if !fits || patch.skip || (best.is_none() && !valid) {
            return best;
        }
        let empty = best.and_then(node).is_none_or(|node| node.size == 0);
        let name = names[asked].clone().unwrap_or_default();
        let looks_reversed = self.maybe_reverse(patch, &name, (best.is_none(), empty));
        best.or(looks_reversed.then_some(asked))
    }

    /// Where a new file needs the fewest new folders.
    fn fewest_new_folders(
        &mut self,
        names: &[Option<Vec<u8>>; 3],
        candidates: &[Option<Candidate>; 3],
    ) -> Option<usize> {
        let mut missing = [None; 3];
        for (at, candidate) in candidates.iter().enumerate() {
            let (Some(candidate), Some(name)) = (candidate, &names[at]) else { continue };
            if !candidate.is_valid() {
                self.warn_of(name);
                continue;
            }
            missing[at] = Some(match &candidate.place {
                Ok(key) => self.missing_folders(&key.path),
                Err(_) => 0,
            });
        }
        let least = missing.iter().flatten().min().copied()?;
        names::best(names, |at| missing[at] == Some(least))
    }

    fn missing_folders(&self, path: &RelPath) -> usize {
        let mut above = path.parent();
        let mut missing = 0;
        while let Some(folder) = above {
            if self.disk.has_folder(&folder) {
                break;
            }
            missing += 1;
            above = folder.parent();
        }
        missing
    }

    /// A rename or copy needs both its names.
    fn check_move(&mut self, patch: &mut Patch, chosen: Option<usize>, candidates: &[Option<Candidate>; 3]) {
        let header = patch.header();
        if !(header.renames() || header.copies()) {
            return;
        }
        let what = if header.renames() { "rename" } else { "copy" };
        let named = |side: usize| candidates[side].as_ref().is_some_and(Candidate::is_valid);
        if matches!(chosen, Some(OLD | NEW)) && named(OLD) && named(NEW) {
            return;
        }
        self.say.text(&format!("Cannot {what} file without two valid file names\n"));
        patch.skip = true;
        self.some_failed = true;
    }

    /// Says once that a name is not used.
    fn warn_of(&mut self, name: &[u8]) {
        if self.warned.insert(name.to_vec()) {
            self.say.named("Ignoring potentially dangerous file name ", name, "\n");
        }
    }

    /// A patch that creates what is there, or empties what is not, may be reversed. True if it looks so.
    pub(super) fn maybe_reverse(
        &mut self,
        patch: &mut Patch,
        name: &[u8],
        (missing, empty): (bool, bool),
    ) -> bool {
        let absent = |flip: bool| patch.header().absent[usize::from(patch.reverse ^ flip)];
        let looks_reversed =
            if empty { absent(true) > Absence::None } else { absent(false) > Absence::Empty };
        let known_empty = empty && absent(missing) == Absence::Empty && absent(!missing) == Absence::Missing;
        if !looks_reversed || known_empty {
            return false;
        }
        let (verb, state) = match (missing, empty) {
            (true, _) => ("delete", "does not exist"),
            (false, true) => ("empty out", "is already empty"),
            (false, false) => ("create", "already exists"),
        };
        let when = if patch.reverse { ", when reversed," } else { "" };
        let name = self.say.quoted(name);
        let before = format!("The next patch{when} would {verb} the file ");
        let question = [before.as_bytes(), &name, format!(",\nwhich {state}!").as_bytes()].concat();
        if self.may_reverse(patch, &question) {
            patch.reverse = !patch.reverse;
        }
        true
    }

    /// Says that the patch looks reversed, and what is done about it: reverse it (true), leave it as it
    /// is, or skip it.
    pub(super) fn may_reverse(&mut self, patch: &mut Patch, what: &[u8]) -> bool {
        let options = self.options;
        let never = options.forward || options.safe;
        if never || !(options.force && options.silent()) {
            self.say.bytes(what);
        }
        if never {
            self.say.text("  Skipping patch.\n");
            patch.skip = true;
            return false;
        }
        if options.force {
            if !options.silent() {
                self.say.text("  Applying it anyway.\n");
            }
            return false;
        }
        if options.batch {
            self.say.text(if patch.reverse { "  Ignoring -R.\n" } else { "  Assuming -R.\n" });
            return true;
        }
        let question = if patch.reverse { "  Ignore -R? [n] " } else { "  Assume -R? [n] " };
        if self.say.ask(question).starts_with(b"y") {
            return true;
        }
        if !self.say.ask("Apply anyway? [n] ").starts_with(b"y") {
            if !options.silent() {
                self.say.text("Skipping patch.\n");
            }
            patch.skip = true;
        }
        false
    }
}

/// A name that is never used, and that leads somewhere all the same.
fn is_dangerous_and_there(name: &[u8]) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let climbs = name.split(|b| *b == b'/').any(|part| part == b"..");
    !climbs && std::fs::symlink_metadata(std::ffi::OsStr::from_bytes(name)).is_ok()
}
