//! Names that must go before others can come: a file whose name becomes a folder's, a folder whose name
//! becomes a file's.

use std::collections::BTreeSet;

use crate::{plan::Change, tree::RelPath};

/// What of a batch stands in the way of what else.
#[derive(Debug, Default)]
pub(super) struct Way<'p> {
    /// Names that go for good, or become folders.
    going: BTreeSet<&'p RelPath>,
    /// Names at which a file, a link or a folder comes where none of its kind was.
    coming: BTreeSet<&'p RelPath>,
    /// Folders in whose place something else comes.
    replaced: BTreeSet<&'p RelPath>,
}

impl<'p> Way<'p> {
    pub fn new(changes: impl Iterator<Item = &'p Change> + Clone) -> Way<'p> {
        let mut way = Way::default();
        for change in changes {
            let was_folder = change.before.as_ref().is_some_and(|image| image.is_folder());
            let folder = change.after.as_ref().is_some_and(|image| image.is_folder());
            match (&change.before, &change.after) {
                (Some(_), None) if !was_folder => drop(way.going.insert(&change.path)),
                (Some(_), Some(_)) if folder && !was_folder => {
                    way.going.insert(&change.path);
                    way.coming.insert(&change.path);
                }
                (None, Some(_)) => drop(way.coming.insert(&change.path)),
                (Some(_), Some(_)) if was_folder && !folder => drop(way.replaced.insert(&change.path)),
                _ => {}
            }
        }
        way
    }

    /// The name on the way to `path` that goes so that it can come.
    pub fn cleared_above(&self, path: &RelPath) -> Option<RelPath> {
        above(path).find(|above| self.going.contains(above))
    }

    /// At this name, or on the way to it, something goes first.
    pub fn is_cleared(&self, path: &RelPath) -> bool {
        self.going.contains(path) || self.cleared_above(path).is_some()
    }

    /// The folder above `path` that goes, with all in it.
    pub fn replaced_above(&self, path: &RelPath) -> Option<RelPath> {
        above(path).find(|above| self.replaced.contains(above))
    }

    /// Something comes at this name, or below it.
    pub fn is_in_the_way(&self, path: &RelPath) -> bool {
        let alike = self.coming.range::<RelPath, _>(path..);
        let mut alike = alike.take_while(|other| other.as_bytes().starts_with(path.as_bytes()));
        alike.any(|other| *other == path || other.is_below(path))
    }

    /// The folders that go, innermost first: those replaced, and those within them that hold what goes.
    pub fn gone(&self) -> Vec<RelPath> {
        let mut gone: BTreeSet<RelPath> = self.replaced.iter().map(|path| (*path).clone()).collect();
        for path in &self.going {
            if let Some(folder) = self.replaced_above(path) {
                gone.extend(above(path).take_while(|above| *above != folder));
            }
        }
        gone.into_iter().rev().collect()
    }
}

fn above(path: &RelPath) -> impl Iterator<Item = RelPath> {
    std::iter::successors(path.parent(), RelPath::parent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Image;

    fn change(path: &str, before: Option<Image>, after: Option<Image>) -> Change {
        Change { path: RelPath::trusted(path), before, after, moved_from: None }
    }

    #[test]
    fn files_become_folders_and_folders_files() {
        let file = || Some(Image { bytes: "".into(), mode: 0o644 });
        let folder = || Some(Image::folder());
        let changes = [
            change("q", file(), None),
            change("q/r/s", None, file()),
            change("d", folder(), file()),
            change("d/e/f", file(), None),
            change("m", file(), folder()),
            change("gone", file(), None),
        ];
        let way = Way::new(changes.iter());
        let path = |text: &str| RelPath::trusted(text);
        assert_eq!(way.cleared_above(&path("q/r/s")), Some(path("q")));
        assert_eq!(way.cleared_above(&path("d/e/f")), None);
        assert_eq!(way.replaced_above(&path("d/e/f")), Some(path("d")));
        assert_eq!(way.gone(), [path("d/e"), path("d")]);
        assert_eq!(
            ["q", "m", "gone", "d/e/f"].map(|p| way.is_in_the_way(&path(p))),
            [true, true, false, false]
        );
    }
}
