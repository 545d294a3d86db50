//! What a checked patch comes to, written as one transaction; rejects beside it.

use std::collections::BTreeMap;

use super::{
    header::Stop,
    patch::{FilePatch, LINK, REGULAR, SUBMODULE, kind},
    session::Session,
    world::New,
};
use crate::{commit::Beside, dialect::unwritten::Unwritten};

impl Session<'_, '_> {
    /// Writes all parts; true if nothing was rejected or left in conflict.
    pub(super) fn write_all(&mut self, patches: &mut [FilePatch]) -> Result<bool, Stop> {
        let mut wanted = if self.options.cached { BTreeMap::new() } else { removals(patches) };
        for patch in patches.iter_mut().filter(|patch| !patch.rejected && !patch.is_delete()) {
            let Some(name) = patch.new_name.clone() else { continue };
            if !self.options.cached {
                let new = self.made_of(patch, &name)?;
                wanted.insert(name.clone(), Some(new));
            }
            if let Some(text) = self.reject_text(patch) {
                let name = reject_name(&name);
                wanted.insert(name, Some(New { mode: REGULAR, bytes: text.into() }));
            }
        }
        if self.options.index || self.options.intent_to_add {
            self.note_in_index(patches)?;
        }
        let whole =
            patches.iter().all(|patch| !patch.rejected && patch.hunks.iter().all(|hunk| !hunk.rejected));
        let beside = if whole && self.is_last { self.new_index()? } else { None };
        self.put(&mut wanted, beside)?;
        let mut fine = true;
        let mut conflicts = Vec::new();
        for patch in patches.iter() {
            fine &= !patch.rejected && self.tell(patch);
            if let (Some(_), Some(name)) = (&patch.conflict, &patch.new_name) {
                conflicts.push(name.clone());
                fine = false;
            }
        }
        conflicts.sort();
        for name in &conflicts {
            self.say.line([b"U ", &name[..]].concat());
        }
        if !conflicts.is_empty() {
            self.rerere = true;
        }
        Ok(fine)
    }

    /// What writing would come to, for programs. No filter is run for that: files that one converts are left out.
    pub(super) fn would_write(&mut self, patches: &mut [FilePatch]) -> Result<(), Stop> {
        let mut wanted = removals(patches);
        for patch in patches.iter_mut().filter(|patch| !patch.rejected && !patch.is_delete()) {
            let Some(name) = patch.new_name.clone() else { continue };
            if !self.is_filtered(&name) {
                let new = self.made_of(patch, &name)?;
                wanted.insert(name, Some(new));
            }
        }
        let changes = self.world.changes(&mut wanted);
        self.told.changes.extend(changes);
        Ok(())
    }

    fn made_of(&mut self, patch: &mut FilePatch, name: &[u8]) -> Result<New, Stop> {
        let mode = if patch.new_mode == 0 { REGULAR } else { patch.new_mode };
        // The index will want it too.
        let keeps = self.options.index || self.options.intent_to_add;
        let bytes = if keeps { patch.result.clone() } else { patch.result.take() }.unwrap_or_default();
        let plain = kind(mode) != kind(LINK) && kind(mode) != kind(SUBMODULE) && !self.options.cached;
        let bytes = if plain {
            self.smudged(name, bytes).map_err(|words| self.filter_failed(&words))?
        } else {
            bytes
        };
        Ok(New { mode, bytes })
    }

    /// The index as this last patch leaves it, to be written with the files.
    fn new_index(&mut self) -> Result<Option<Beside>, Stop> {
        if !self.options.index || self.options.cached {
            return Ok(None);
        }
        let Some(index) = &self.index else { return Ok(None) };
        index.prepared(&self.repo).map_err(|error| {
            self.say.error(format!("Unable to write new index file: {error}"));
            Stop::Unusable
        })
    }

    fn put(
        &mut self,
        wanted: &mut BTreeMap<Vec<u8>, Option<New>>,
        beside: Option<Beside>,
    ) -> Result<(), Stop> {
        match self.world.write(wanted, beside, self.told) {
            Ok(done) => {
                self.index_stands |= done;
                Ok(())
            }
            Err(unwritten) => Err(self.unwritten(wanted, unwritten)),
        }
    }

    fn unwritten(&mut self, wanted: &BTreeMap<Vec<u8>, Option<New>>, unwritten: Unwritten) -> Stop {
        let Unwritten { name, reason } = unwritten;
        if name == b"." {
            self.say.error(format!("Unable to write new index file: {reason}"));
            return Stop::Unusable;
        }
        let mode = wanted.get(&name).and_then(Option::as_ref).map_or(0, |new| new.mode);
        let text = format!("' mode {mode:o}: {reason}");
        self.say.error([b"unable to write file '", &name[..], text.as_bytes()].concat());
        Stop::Unusable
    }

    /// Says what became of a part's hunks; true if all went in.
    fn tell(&mut self, patch: &FilePatch) -> bool {
        let rejected = patch.hunks.iter().filter(|hunk| hunk.rejected).count();
        if rejected == 0 && !self.say.is_verbose() {
            return true;
        }
        let shown = patch.shown(|name| self.say.quoted(name));
        if rejected == 0 {
            self.say.line([b"Applied patch ", &shown[..], b" cleanly."].concat());
            return true;
        }
        let s = if rejected == 1 { "" } else { "s" };
        let text = format!(" with {rejected} reject{s}...");
        self.say.line([b"Applying patch ", &shown[..], text.as_bytes()].concat());
        for (at, hunk) in patch.hunks.iter().enumerate() {
            let number = at + 1;
            self.say.line(if hunk.rejected {
                format!("Rejected hunk #{number}.")
            } else {
                format!("Hunk #{number} applied cleanly.")
            });
        }
        false
    }

    /// The rejected hunks as they stand in the patch.
    fn reject_text(&self, patch: &FilePatch) -> Option<Vec<u8>> {
        let name = patch.name();
        let mut text = [b"diff a/", name, b" b/", name, b"\t(rejected hunks)\n"].concat();
        let start = text.len();
        for hunk in patch.hunks.iter().filter(|hunk| hunk.rejected) {
            text.extend_from_slice(&self.text[hunk.text.clone()]);
            if !text.ends_with(b"\n") {
                text.push(b'\n');
            }
        }
        (text.len() > start).then_some(text)
    }
}

/// The names that the patches take away.
fn removals(patches: &[FilePatch]) -> BTreeMap<Vec<u8>, Option<New>> {
    let kept = patches.iter().filter(|patch| !patch.rejected);
    kept.filter_map(gone).map(|old| (old.to_vec(), None)).collect()
}

/// The name that a patch takes away: also one that becomes another without being called a rename.
fn gone(patch: &FilePatch) -> Option<&[u8]> {
    let goes = patch.is_delete() || patch.old_name != patch.new_name;
    patch.old_name.as_deref().filter(|_| goes && !patch.is_new() && !patch.is_copy)
}

fn reject_name(name: &[u8]) -> Vec<u8> {
    [name, b".rej"].concat()
}
