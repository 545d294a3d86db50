//! Three-way merging: the patch applied to the blob that it was made from, and both merged.

use super::{
    header::Stop,
    options::Favor,
    patch::{FilePatch, SUBMODULE, Stages, kind},
    session::Session,
};

/// What merging came to.
enum Merged {
    Clean(Vec<u8>),
    Conflicts(Vec<u8>),
}

impl Session<'_, '_> {
    /// Merges into `bytes`, the present content; false if there is nothing to merge with.
    pub(super) fn merge(&mut self, patch: &mut FilePatch, bytes: &mut Vec<u8>, all: &[FilePatch]) -> bool {
        let submodule = kind(patch.old_mode) == kind(SUBMODULE) || kind(patch.new_mode) == kind(SUBMODULE);
        let pure_rename = patch.is_rename && patch.added == 0 && patch.deleted == 0;
        let plain_new = patch.is_new() && !patch.merge_only;
        if patch.is_delete() || submodule || plain_new || pure_rename {
            return false;
        }
        self.try_merge(patch, bytes, all).is_ok()
    }

    fn try_merge(
        &mut self,
        patch: &mut FilePatch,
        bytes: &mut Vec<u8>,
        all: &[FilePatch],
    ) -> Result<(), Stop> {
        let base =
            if patch.is_new() { Some((String::new(), Vec::new())) } else { self.repo.blob(&patch.old_id) };
        let Some((_, base)) = base else {
            return Err(self.refuse("repository lacks the necessary blob to perform 3-way merge."));
        };
        if patch.merge_only {
            self.say.line("Performing three-way merge...");
        }
        let mut theirs = base.clone();
        self.apply_to(patch, &mut theirs)?;
        let ours = self.current(patch, bytes, all)?;
        let merged = self.merged(patch.name(), &base, &ours, &theirs);
        let name = patch.name().to_vec();
        match merged {
            Err(_) => {
                self.say.line("Failed to perform three-way merge...");
                Err(Stop::Refused)
            }
            Ok(Merged::Clean(text)) => {
                *bytes = text;
                self.say.line([b"Applied patch to '", &name[..], b"' cleanly."].concat());
                Ok(())
            }
            Ok(Merged::Conflicts(text)) => {
                *bytes = text;
                patch.conflict = Some(self.stages(patch, &base, &ours, &theirs)?);
                self.say.line([b"Applied patch to '", &name[..], b"' with conflicts."].concat());
                Ok(())
            }
        }
    }

    /// What stands under the new name now.
    fn current(&mut self, patch: &mut FilePatch, bytes: &[u8], all: &[FilePatch]) -> Result<Vec<u8>, Stop> {
        if !patch.is_new() {
            let _ = all;
            return Ok(bytes.to_vec());
        }
        let name = patch.name().to_vec();
        let cannot = [b"cannot read the current contents of '", &name[..], b"'"].concat();
        let Some(mode) = self.index_mode(&name) else {
            return Err(self.refuse(cannot));
        };
        if !self.options.cached {
            let there = self.world.look(&name).ok().flatten();
            if there.is_none_or(|thing| thing.mode != mode) || self.is_dirty(&name) {
                return Err(self.refuse(cannot));
            }
        }
        self.load_from_index(patch, &name).map_err(|_| self.refuse(cannot))
    }

    fn stages(&mut self, patch: &FilePatch, base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Stages, Stop> {
        let stored = self.repo.store(&[base, ours, theirs]);
        let ids = stored.map_err(|error| self.refuse(format!("cannot store a blob: {error}")))?;
        let [base, ours, theirs] = <[String; 3]>::try_from(ids).unwrap_or_default();
        Ok(Stages([(!patch.is_new()).then_some(base), Some(ours), Some(theirs)]))
    }

    fn merged(&mut self, name: &[u8], base: &[u8], ours: &[u8], theirs: &[u8]) -> std::io::Result<Merged> {
        if base == ours {
            return Ok(Merged::Clean(theirs.to_vec()));
        }
        if base == theirs || ours == theirs {
            return Ok(Merged::Clean(ours.to_vec()));
        }
        if [base, ours, theirs].iter().any(|text| is_binary(text)) {
            match self.options.favor {
                Some(Favor::Ours) => return Ok(Merged::Clean(ours.to_vec())),
                Some(Favor::Theirs) => return Ok(Merged::Clean(theirs.to_vec())),
                _ => {}
            }
            self.say.warning([b"Cannot merge binary files: ", name, b" (ours vs. theirs)"].concat());
            return Ok(Merged::Conflicts(ours.to_vec()));
        }
        self.merge_file(base, ours, theirs)
    }

    fn merge_file(&self, base: &[u8], ours: &[u8], theirs: &[u8]) -> std::io::Result<Merged> {
        let folder = tempfile::tempdir()?;
        for (name, text) in [("ours", ours), ("base", base), ("theirs", theirs)] {
            std::fs::write(folder.path().join(name), text)?;
        }
        let mut command =
            self.repo.git(["merge-file", "-p", "-q", "-L", "ours", "-L", "base", "-L", "theirs"]);
        match self.options.favor {
            Some(Favor::Ours) => command.arg("--ours"),
            Some(Favor::Theirs) => command.arg("--theirs"),
            Some(Favor::Union) => command.arg("--union"),
            None => &mut command,
        };
        command.args(["ours", "base", "theirs"].map(|name| folder.path().join(name)));
        let done = command.stdin(std::process::Stdio::null()).output()?;
        match done.status.code() {
            Some(0) => Ok(Merged::Clean(done.stdout)),
            Some(1..=127) => Ok(Merged::Conflicts(done.stdout)),
            _ => Err(std::io::Error::other(String::from_utf8_lossy(&done.stderr).into_owned())),
        }
    }
}

/// As git judges content for merging: a NUL near the beginning.
fn is_binary(text: &[u8]) -> bool {
    memchr::memchr(0, &text[..text.len().min(8000)]).is_some()
}
