//! The files as the edits planned so far leave them.

use std::{cell::RefCell, collections::BTreeMap, path::Path};

use super::Change;
use crate::{
    refusal::Refusal,
    tree::{Files, Image, Kind, RelPath, no_link},
};

/// A layer of planned contents over the real files.
pub(super) struct Overlay<'f> {
    below: &'f dyn Files,
    states: BTreeMap<RelPath, State>,
    /// What was read below, so that each file is read once, and is the same at each look.
    read: RefCell<BTreeMap<RelPath, Result<Option<Image>, Refusal>>>,
}

struct State {
    before: Option<Image>,
    now: Option<Image>,
    moved_from: Option<RelPath>,
    /// The input line of the edit that set the whole content.
    whole: Option<crate::edit::Span>,
}

impl<'f> Overlay<'f> {
    pub fn new(below: &'f dyn Files) -> Overlay<'f> {
        Overlay { below, states: BTreeMap::new(), read: RefCell::default() }
    }

    /// Sets what stands at `path`.
    ///
    /// # Errors
    /// A file would have to be a folder as well: one planned before stands on the way, or below.
    pub fn set(&mut self, path: &RelPath, now: Option<Image>) -> Result<(), Refusal> {
        if now.is_some() {
            self.refuse_both(path)?;
        }
        self.state(path)?.now = now;
        Ok(())
    }

    fn refuse_both(&self, path: &RelPath) -> Result<(), Refusal> {
        let now = |path: &RelPath| self.states.get(path).and_then(|state| state.now.as_ref());
        let mut above = std::iter::successors(path.parent(), RelPath::parent);
        if let Some(on_the_way) = above.find(|path| now(path).is_some()) {
            let name = on_the_way.to_string();
            return Err(match now(&on_the_way) {
                Some(image) if image.is_link() => Refusal::PathThroughSymlink { link: name },
                _ => Refusal::PathThroughFile { on_the_way: name },
            });
        }
        if self.holds_below(path) {
            return Err(Refusal::TargetNotFile { what: "a folder" });
        }
        Ok(())
    }

    /// An edit planned before changed what stands at `path`.
    pub fn is_changed(&self, path: &RelPath) -> bool {
        self.states.get(path).is_some_and(|state| state.before != state.now)
    }

    /// Notes that the content of `path` came from another path.
    pub fn set_moved(&mut self, path: &RelPath, from: &RelPath) -> Result<(), Refusal> {
        self.state(path)?.moved_from = Some(from.clone());
        Ok(())
    }

    /// The edit that set the whole content of `path`, if one did; then notes that `span` does.
    pub fn whole(
        &mut self,
        path: &RelPath,
        span: crate::edit::Span,
    ) -> Result<Option<crate::edit::Span>, Refusal> {
        Ok(self.state(path)?.whole.replace(span))
    }

    fn below(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        let image =
            self.read.borrow_mut().entry(path.clone()).or_insert_with(|| self.below.image(path)).clone();
        match image {
            Err(Refusal::PathThroughSymlink { .. } | Refusal::PathThroughFile { .. })
                if self.way_is_free(path) =>
            {
                Ok(None)
            }
            other => other,
        }
    }

    /// What stands on the way to `path` goes.
    fn way_is_free(&self, path: &RelPath) -> bool {
        let goes = |path: &RelPath| {
            self.states.get(path).is_some_and(|state| state.before.is_some() && state.now.is_none())
        };
        std::iter::successors(path.parent(), RelPath::parent).any(|path| goes(&path))
    }

    /// The links that are planned and were not there: where, their targets, and where they came from.
    pub fn new_links(&self) -> Vec<(RelPath, Vec<u8>, Option<RelPath>)> {
        let link = |(path, state): (&RelPath, &State)| {
            let image = state.now.as_ref().filter(|image| image.is_link() && state.before != state.now)?;
            Some((path.clone(), image.bytes.to_vec(), state.moved_from.clone()))
        };
        self.states.iter().filter_map(link).collect()
    }

    fn state(&mut self, path: &RelPath) -> Result<&mut State, Refusal> {
        if !self.states.contains_key(path) {
            let before = self.below(path)?;
            let state = State { now: before.clone(), before, moved_from: None, whole: None };
            self.states.insert(path.clone(), state);
        }
        self.states.get_mut(path).ok_or_else(|| Refusal::Unreadable { why: "not planned".to_owned() })
    }

    /// A planned file stands below the folder `path`. Paths in order: those that begin alike are neighbours.
    fn holds_below(&self, path: &RelPath) -> bool {
        let alike =
            self.states.range(path..).take_while(|(other, _)| other.as_bytes().starts_with(path.as_bytes()));
        alike.into_iter().any(|(other, state)| state.now.is_some() && other.is_below(path))
    }

    /// What differs from the files below, by path.
    pub fn changes(self) -> Vec<Change> {
        let changed = self.states.into_iter().filter(|(_, state)| state.before != state.now);
        changed
            .map(|(path, state)| Change {
                path,
                before: state.before,
                after: state.now,
                moved_from: state.moved_from,
            })
            .collect()
    }
}

impl Files for Overlay<'_> {
    fn read(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        no_link(self.image(path)?)
    }

    fn image(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        match self.states.get(path) {
            Some(state) => Ok(state.now.clone()),
            None => self.below(path),
        }
    }

    fn follow(&self, path: &RelPath) -> Result<RelPath, Refusal> {
        self.below.follow(path)
    }

    fn kind(&self, path: &RelPath) -> Kind {
        match self.states.get(path) {
            Some(State { now: Some(image), .. }) if image.is_link() => Kind::Other,
            Some(State { now: Some(_), .. }) => Kind::File,
            Some(State { now: None, .. }) => Kind::Missing,
            None if self.holds_below(path) => Kind::Folder,
            // A file whose kind is asked will be read.
            None => match self.below(path) {
                Ok(Some(image)) if image.is_file() => Kind::File,
                _ => self.below.kind(path),
            },
        }
    }

    fn old_texts(&self, path: &RelPath) -> Vec<Vec<u8>> {
        self.below.old_texts(path)
    }

    fn root(&self) -> Option<&Path> {
        self.below.root()
    }

    fn paths(&self) -> Vec<RelPath> {
        let mut paths = self.below.paths();
        let is_file = |state: &State| state.now.as_ref().is_some_and(Image::is_file);
        paths.retain(|path| self.states.get(path).is_none_or(is_file));
        paths.extend(self.states.iter().filter(|(_, state)| is_file(state)).map(|(path, _)| path.clone()));
        paths.sort();
        paths.dedup();
        paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Memory;

    #[test]
    fn a_file_is_no_folder() {
        let (memory, path) = (Memory::default(), |text: &str| RelPath::trusted(text));
        let image = || Some(Image { bytes: "x\n".into(), mode: 0o644 });
        let mut overlay = Overlay::new(&memory);
        overlay.set(&path("q"), image()).expect("new");
        let refused = overlay.set(&path("q/r/s"), image()).expect_err("below a file");
        assert_eq!(refused, Refusal::PathThroughFile { on_the_way: "q".into() });
        overlay.set(&path("d/e/f"), image()).expect("new");
        let refused = overlay.set(&path("d/e"), image()).expect_err("above a file");
        assert_eq!(refused, Refusal::TargetNotFile { what: "a folder" });
        overlay.set(&path("d/ef"), image()).expect("beside");
        overlay.set(&path("q"), None).expect("gone");
        overlay.set(&path("q/r/s"), image()).expect("the way is free");
    }
}
