//! Three-way merging: the patch applied to the blob that it was made from, and both merged.

use super::{
    driver::{Merged, Versions},
    header::Stop,
    patch::{FilePatch, SUBMODULE, Stages, kind},
    session::Session,
};
use crate::tree::Content;

impl Session<'_, '_> {
    /// Merges into `bytes`, the present content; false if there is nothing to merge with.
    pub(super) fn merge(&mut self, patch: &mut FilePatch, bytes: &mut Content) -> bool {
        let submodule = kind(patch.old_mode) == kind(SUBMODULE) || kind(patch.new_mode) == kind(SUBMODULE);
        let pure_rename = patch.is_rename && patch.added == 0 && patch.deleted == 0;
        let plain_new = patch.is_new() && !patch.merge_only;
        if patch.is_delete() || submodule || plain_new || pure_rename {
            return false;
        }
        self.try_merge(patch, bytes).is_ok()
    }

    fn try_merge(&mut self, patch: &mut FilePatch, bytes: &mut Content) -> Result<(), Stop> {
        let base =
            if patch.is_new() { Some((String::new(), Vec::new())) } else { self.repo.blob(&patch.old_id) };
        let Some((_, base)) = base else {
            return Err(self.refuse("repository lacks the necessary blob to perform 3-way merge."));
        };
        if patch.merge_only {
            self.say.line("Performing three-way merge...");
        }
        let mut theirs = Content::from(base.clone());
        self.apply_to(patch, &mut theirs)?;
        let ours = self.current(patch, bytes)?;
        let merged = self.merged(patch.name(), Versions { base: &base, ours: &ours, theirs: &theirs });
        let name = patch.name().to_vec();
        match merged {
            Err(_) => {
                self.say.line("Failed to perform three-way merge...");
                Err(Stop::Refused)
            }
            Ok(Merged::Clean(text)) => {
                *bytes = text.into();
                self.say.line([b"Applied patch to '", &name[..], b"' cleanly."].concat());
                Ok(())
            }
            Ok(Merged::Conflicts(text)) => {
                *bytes = text.into();
                patch.conflict = Some(self.stages(patch, &base, &ours, &theirs)?);
                self.say.line([b"Applied patch to '", &name[..], b"' with conflicts."].concat());
                Ok(())
            }
        }
    }

    /// What stands under the new name now.
    fn current(&mut self, patch: &FilePatch, bytes: &Content) -> Result<Content, Stop> {
        if !patch.is_new() {
            return Ok(bytes.clone());
        }
        let name = patch.name().to_vec();
        self.standing(&name)
            .map_err(|_| self.refuse([b"cannot read the current contents of '", &name[..], b"'"].concat()))
    }

    /// The content of a file that the index and the work tree agree on.
    fn standing(&mut self, name: &[u8]) -> Result<Content, Stop> {
        let refused = |why: &str| [name, b": ", why.as_bytes()].concat();
        if self.index_mode(name).is_none() {
            return Err(self.refuse(refused("does not exist in index")));
        }
        if self.world.look(name).ok().flatten().is_none() {
            self.check_out(name)?;
        }
        if self.is_dirty(name) {
            return Err(self.refuse(refused("does not match index")));
        }
        self.load_from_index(name)
    }

    fn stages(&mut self, patch: &FilePatch, base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Stages, Stop> {
        let stored = self.repo.store(&[base, ours, theirs]);
        let ids = stored.map_err(|error| self.refuse(format!("cannot store a blob: {error}")))?;
        let [base, ours, theirs] = <[String; 3]>::try_from(ids).unwrap_or_default();
        Ok(Stages([(!patch.is_new()).then_some(base), Some(ours), Some(theirs)]))
    }
}
