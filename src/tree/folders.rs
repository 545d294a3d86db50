//! Folders that stay open while a run looks into them: one is mostly looked into several times.

use std::{cell::RefCell, collections::BTreeMap, os::fd::OwnedFd, rc::Rc};

use super::{RelPath, Root};
use crate::refusal::Refusal;

/// So many are kept, far fewer than a process may open.
const MOST: usize = 256;

/// A root, and a folder in it.
type Place<K> = (K, Option<RelPath>);

/// Open folders beneath several roots, told apart by `K`.
#[derive(Debug)]
pub(crate) struct Folders<K>(RefCell<BTreeMap<Place<K>, Rc<OwnedFd>>>);

impl<K> Default for Folders<K> {
    fn default() -> Self {
        Folders(RefCell::default())
    }
}

impl<K: Ord> Folders<K> {
    /// As [`Root::folder`], of the folder that holds `path`.
    pub(crate) fn of(&self, key: K, root: &Root, path: &RelPath) -> Result<Option<Rc<OwnedFd>>, Refusal> {
        let place = (key, path.parent());
        if let Some(known) = self.0.borrow().get(&place) {
            return Ok(Some(Rc::clone(known)));
        }
        let Some(dir) = root.folder(place.1.as_ref())?.map(Rc::new) else { return Ok(None) };
        let mut kept = self.0.borrow_mut();
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(place, Rc::clone(&dir));
        Ok(Some(dir))
    }

    /// All are closed, before anything is written.
    pub(crate) fn close(&self) {
        self.0.take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_looked_for_again_and_what_is_many_is_closed() {
        let base = tempfile::tempdir().expect("a folder");
        let root = Root::open(base.path()).expect("a root");
        let folders: Folders<()> = Folders::default();
        let at = |name: String| RelPath::trusted(name);
        let of = |name: String| folders.of((), &root, &at(name)).expect("no link").is_some();
        assert!(!of("d0/f".into()));
        for number in 0..MOST + 10 {
            std::fs::create_dir(base.path().join(format!("d{number}"))).expect("a folder");
            assert!(of(format!("d{number}/f")));
            assert!(of(format!("d{number}/g")));
            assert!(folders.0.borrow().len() <= MOST);
        }
        assert!(of("f".into()));
        folders.close();
        assert!(folders.0.borrow().is_empty());
    }
}
