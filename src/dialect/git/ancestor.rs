//! `--build-fake-ancestor`: an index of the blobs that a patch was made from.

use super::{
    header::{Stop, first_line},
    patch::{FilePatch, LINK, REGULAR, SUBMODULE, canonical, kind},
    repo::{fed, from_top, output},
    session::Session,
};

impl Session<'_, '_> {
    pub(super) fn fake_ancestor(&mut self, patches: &[FilePatch]) -> Result<(), Stop> {
        let Some(file) = self.options.fake_ancestor.clone() else { return Ok(()) };
        let mut list = Vec::new();
        for patch in patches.iter().filter(|patch| !patch.is_new()) {
            let id = self.ancestor_id(patch)?;
            // A mode that the patch does not tell is that of any file.
            let mode = match kind(patch.old_mode) {
                LINK => LINK,
                SUBMODULE | 0o040_000 => SUBMODULE,
                _ if patch.old_mode == 0 => REGULAR,
                _ => canonical(patch.old_mode),
            };
            list.extend_from_slice(format!("{mode:o} {id} 0\t").as_bytes());
            list.extend_from_slice(patch.old());
            list.push(0);
        }
        let file = self.repo.place.top.join(from_top(&self.repo.place.prefix, &file));
        let _ = std::fs::remove_file(&file);
        let mut command =
            self.repo.git(["update-index", "-z", "--add", "--force-write-index", "--index-info"]);
        command.env("GIT_INDEX_FILE", &file);
        if let Err(error) = fed(command, &list) {
            self.say.line(error.to_string());
            return Err(Stop::Unusable);
        }
        Ok(())
    }

    /// The blob that a part was made from.
    fn ancestor_id(&mut self, patch: &FilePatch) -> Result<String, Stop> {
        let name = patch.old();
        let (id, lack) = if kind(patch.old_mode) == kind(SUBMODULE) {
            let lack = [b"sha1 information is lacking or useless for submodule ", name].concat();
            (self.commit_before(patch), lack)
        } else if self.repo.is_full_id(&patch.old_id) {
            // A whole name is taken as it stands, also if nothing is stored under it.
            (Some(String::from_utf8_lossy(&patch.old_id).to_ascii_lowercase()), Vec::new())
        } else if let Some((id, _)) = self.repo.blob(&patch.old_id) {
            (Some(id), Vec::new())
        } else if patch.added == 0 && patch.deleted == 0 {
            let lack = [b"mode change for ", name, b", which is not in current HEAD"].concat();
            (self.current_id(name), lack)
        } else {
            (None, [b"sha1 information is lacking or useless (", name, b")."].concat())
        };
        id.ok_or_else(|| {
            self.say.error(lack);
            Stop::Unusable
        })
    }

    /// The commit that a submodule was at, by the hunk or by the header.
    fn commit_before(&self, patch: &FilePatch) -> Option<String> {
        let whole = |id: &[u8]| self.repo.is_full_id(id).then(|| String::from_utf8_lossy(id).into_owned());
        if let [hunk] = &patch.hunks[..]
            && (hunk.old_start, hunk.old_count) == (1, 1)
        {
            let text = &self.text[hunk.text.clone()];
            let line = first_line(&text[first_line(text).len()..]);
            let id = line.strip_prefix(b"-Subproject commit ").and_then(|rest| rest.strip_suffix(b"\n"));
            if let Some(id) = id.filter(|id| id.starts_with(&patch.old_id)).and_then(whole) {
                return Some(id);
            }
        }
        whole(&patch.old_id)
    }

    /// The blob of a name in the index now.
    fn current_id(&self, name: &[u8]) -> Option<String> {
        use std::os::unix::ffi::OsStrExt;
        let mut command = self.repo.git(["--literal-pathspecs", "ls-files", "-z", "-s", "--full-name", "--"]);
        command.arg(std::ffi::OsStr::from_bytes(name));
        let listed = output(command)?;
        let entry = listed.split(|b| *b == 0).find(|entry| entry.ends_with(&[b"\t", name].concat()))?;
        let id = entry.split(|b| *b == b' ').nth(1)?;
        Some(String::from_utf8_lossy(id).into_owned())
    }
}
