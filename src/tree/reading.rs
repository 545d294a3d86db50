//! The files beneath a root while one plan is made.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    os::fd::OwnedFd,
    path::Path,
    rc::Rc,
};

use super::{
    Files, Folders, Image, Kind, RelPath, Root, no_link,
    root::{Seen, kind_at, read_leaf, read_seen},
};
use crate::refusal::Refusal;

/// Files that are read for a plan: folders stay open meanwhile, and what the system said of each file is kept, so
/// that whoever writes can tell whether it changed since.
#[derive(Debug)]
pub struct Reading<'r> {
    root: &'r Root,
    folders: Folders<()>,
    /// Folders that are not there.
    missing: RefCell<BTreeSet<Option<RelPath>>>,
    seen: RefCell<BTreeMap<RelPath, Seen>>,
}

impl<'r> Reading<'r> {
    /// Nothing is read yet.
    pub fn new(root: &'r Root) -> Reading<'r> {
        let (folders, missing, seen) = (Folders::default(), RefCell::default(), RefCell::default());
        Reading { root, folders, missing, seen }
    }

    /// The folder that holds `path`. One that comes meanwhile is not seen; whoever writes will find it.
    fn folder(&self, path: &RelPath) -> Result<Option<Rc<OwnedFd>>, Refusal> {
        let parent = path.parent();
        if self.missing.borrow().contains(&parent) {
            return Ok(None);
        }
        let found = self.folders.of((), self.root, path)?;
        if found.is_none() {
            self.missing.borrow_mut().insert(parent);
        }
        Ok(found)
    }

    /// What the system said of each file when it was first read.
    pub fn seen(self) -> BTreeMap<RelPath, Seen> {
        self.seen.into_inner()
    }
}

impl Files for Reading<'_> {
    fn read(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        no_link(self.image(path)?)
    }

    fn image(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        let Some(dir) = self.folder(path)? else { return Ok(None) };
        match read_seen(&dir, path.base(), false) {
            Ok(Some((image, seen))) => {
                self.seen.borrow_mut().entry(path.clone()).or_insert(seen);
                Ok(Some(image))
            }
            Ok(None) => Ok(None),
            Err(Refusal::TargetSymlink) => Ok(read_leaf(&dir, path.base())?.map(|(image, _)| image)),
            Err(refusal) => Err(refusal),
        }
    }

    fn follow(&self, path: &RelPath) -> Result<RelPath, Refusal> {
        self.root.follow(path)
    }

    fn kind(&self, path: &RelPath) -> Kind {
        kind_at(self.folder(path), path)
    }

    fn root(&self) -> Option<&Path> {
        Files::root(self.root)
    }

    fn paths(&self) -> Vec<RelPath> {
        self.root.paths()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn reads_what_the_root_reads_and_keeps_what_was_seen() {
        let base = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(base.path().join("sub")).expect("a folder");
        std::fs::write(base.path().join("sub/f"), "old\n").expect("a file");
        symlink("sub", base.path().join("l")).expect("a link");
        let root = Root::open(base.path()).expect("a root");
        let reading = Reading::new(&root);
        for name in ["sub/f", "sub/g", "sub", "l", "l/f", "sub/f/x", "no/such"] {
            let path = RelPath::trusted(name);
            assert_eq!(reading.read(&path), root.read(&path), "{name}");
            assert_eq!(reading.image(&path), root.image(&path), "{name}");
            assert_eq!(reading.kind(&path), root.kind(&path), "{name}");
        }
        let seen: Vec<RelPath> = reading.seen().into_keys().collect();
        assert_eq!(seen, [RelPath::trusted("sub/f")]);
    }

    #[test]
    fn a_folder_that_was_missing_stays_so_for_one_plan() {
        let base = tempfile::tempdir().expect("a folder");
        let root = Root::open(base.path()).expect("a root");
        let (reading, path) = (Reading::new(&root), RelPath::trusted("d/f"));
        assert_eq!((reading.image(&path), reading.kind(&path)), (Ok(None), Kind::Missing));
        std::fs::create_dir(base.path().join("d")).expect("a folder");
        std::fs::write(base.path().join("d/f"), "x\n").expect("written");
        assert_eq!((reading.image(&path), reading.kind(&path)), (Ok(None), Kind::Missing));
        assert_eq!(Reading::new(&root).kind(&path), Kind::File);
    }

    #[test]
    fn the_first_look_counts() {
        let base = tempfile::tempdir().expect("a folder");
        std::fs::write(base.path().join("f"), "old\n").expect("a file");
        let root = Root::open(base.path()).expect("a root");
        let (reading, path) = (Reading::new(&root), RelPath::trusted("f"));
        reading.read(&path).expect("read");
        std::fs::write(base.path().join("f"), "longer\n").expect("written");
        reading.read(&path).expect("read again");
        let (_, stat) = root.open_file(&path).expect("opened").expect("there");
        assert!(!reading.seen()[&path].is_still(&stat));
    }
}
