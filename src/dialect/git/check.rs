//! Whether each file's part applies, and what it makes of the file. Nothing is written.

use super::{
    header::Stop,
    image::Image,
    patch::{FilePatch, LINK, REGULAR, SUBMODULE, Said, kind},
    place::Placer,
    session::{Past, Session},
    world::{Fault, Thing},
};
use crate::tree::Content;

/// What stands where a patch begins.
pub(super) struct Before {
    pub mode: u32,
}

impl Session<'_, '_> {
    /// Checks all parts, also after one failed; true if all apply.
    pub(super) fn check_all(&mut self, patches: &mut [FilePatch]) -> Result<bool, Stop> {
        self.prepare(patches);
        let mut fine = true;
        for at in 0..patches.len() {
            if self.say.is_verbose() {
                let shown = patches[at].shown(|name| self.say.quoted(name));
                self.say.line([b"Checking patch ", &shown[..], b"..."].concat());
            }
            let mut patch = std::mem::take(&mut patches[at]);
            patch.rejected = true;
            let checked = self.check(&mut patch, at, patches);
            match checked {
                Ok(()) => patch.rejected = false,
                Err(Stop::Refused) => fine = false,
                Err(stop) => return Err(stop),
            }
            patches[at] = patch;
        }
        if fine {
            self.check_links(patches)?;
        }
        Ok(fine)
    }

    /// Notes which names will go, and where links will come and go.
    fn prepare(&mut self, patches: &[FilePatch]) {
        self.past.clear();
        self.links_gone.clear();
        self.links_made.clear();
        for patch in patches {
            if let Some(old) = patch.old_name.as_ref().filter(|_| patch.new_name.is_none() || patch.is_rename)
            {
                self.past.insert(old.clone(), Past::Goes);
            }
            self.note_links(patch);
        }
    }

    /// Links that only a later part makes count too.
    fn check_links(&mut self, patches: &[FilePatch]) -> Result<(), Stop> {
        if self.links_made.is_empty() {
            return Ok(());
        }
        for patch in patches.iter().filter(|patch| !patch.is_delete()) {
            let Some(new) = patch.new_name.as_ref().filter(|new| self.is_behind_link(new)) else { continue };
            self.say.error([b"affected file '", &new[..], b"' is beyond a symbolic link"].concat());
            return Err(Stop::Unusable);
        }
        Ok(())
    }

    /// Where a part that applies makes a link or takes one away.
    fn note_links(&mut self, patch: &FilePatch) {
        if let Some(old) = patch.old_name.as_ref().filter(|_| kind(patch.old_mode) == LINK)
            && (patch.is_rename || patch.is_delete())
        {
            self.links_gone.insert(old.clone());
        }
        if let Some(new) = patch.new_name.as_ref().filter(|_| kind(patch.new_mode) == LINK) {
            self.links_made.insert(new.clone());
        }
    }

    pub(super) fn refuse(&mut self, message: impl AsRef<[u8]>) -> Stop {
        self.say.error(message);
        Stop::Refused
    }

    fn refuse_named(&mut self, name: &[u8], text: &str) -> Stop {
        self.refuse([name, b": ", text.as_bytes()].concat())
    }

    fn check(&mut self, patch: &mut FilePatch, at: usize, all: &[FilePatch]) -> Result<(), Stop> {
        let name = patch.old().to_vec();
        self.check_old(patch, all)?;
        self.check_names(patch)?;
        self.check_new(patch)?;
        self.check_modes(patch)?;
        if !patch.is_delete()
            && let Some(new) = &patch.new_name
            && self.is_behind_link(new)
        {
            let message = [b"affected file '", &new[..], b"' is beyond a symbolic link"].concat();
            return Err(self.refuse(message));
        }
        match self.apply_data(patch, at, all) {
            Err(Stop::Unusable) => return Err(Stop::Unusable),
            Err(_) => return Err(self.refuse_named(&name, "patch does not apply")),
            Ok(()) => {}
        }
        self.note_links(patch);
        Ok(())
    }

    /// Names that no path may have. Those of copies too: nothing outside is read.
    fn check_names(&mut self, patch: &FilePatch) -> Result<(), Stop> {
        for (name, mode) in [(&patch.old_name, patch.old_mode), (&patch.new_name, patch.new_mode)] {
            let Some(name) = name else { continue };
            let base = name.rsplit(|b| *b == b'/').next().unwrap_or_default();
            let link = kind(mode) == LINK && base.eq_ignore_ascii_case(b".gitmodules");
            let dots = name.split(|b| *b == b'/').any(|part| part == b"." || part.is_empty());
            if link || (dots && !self.options.unsafe_paths) || !self.world.is_valid(name) {
                self.say.error([b"invalid path '", &name[..], b"'"].concat());
                return Err(Stop::Unusable);
            }
        }
        Ok(())
    }

    /// The part before this one that made the file, if there is one.
    pub(super) fn previous(&mut self, patch: &FilePatch) -> Result<Option<usize>, Stop> {
        let Some(old) = patch.old_name.as_ref().filter(|_| !patch.is_copy && !patch.is_rename) else {
            return Ok(None);
        };
        match self.past.get(old) {
            None | Some(Past::Goes) => Ok(None),
            Some(Past::Made(at)) => Ok(Some(*at)),
            Some(Past::Gone) => {
                let message = [b"path ", &old[..], b" has been renamed/deleted"].concat();
                Err(self.refuse(message))
            }
        }
    }

    fn check_old(&mut self, patch: &mut FilePatch, all: &[FilePatch]) -> Result<(), Stop> {
        let Some(old) = patch.old_name.clone() else { return Ok(()) };
        let Some(before) = self.before(patch, &old, all)? else {
            patch.is_new = Said::Yes;
            patch.is_delete = Said::No;
            patch.old_name = None;
            return Ok(());
        };
        if patch.is_new == Said::Perhaps {
            patch.is_new = Said::No;
        }
        if patch.old_mode == 0 {
            patch.old_mode = before.mode;
        }
        if kind(before.mode) != kind(patch.old_mode) {
            return Err(self.refuse_named(&old, "wrong type"));
        }
        if before.mode != patch.old_mode {
            let text = format!(" has type {:o}, expected {:o}", before.mode, patch.old_mode);
            self.say.warning([&old[..], text.as_bytes()].concat());
        }
        if patch.new_mode == 0 && !patch.is_delete() {
            patch.new_mode = before.mode;
        }
        Ok(())
    }

    /// What stands under the old name; none if the patch may mean a new file.
    fn before(&mut self, patch: &FilePatch, old: &[u8], all: &[FilePatch]) -> Result<Option<Before>, Stop> {
        if let Some(made) = self.previous(patch)? {
            return Ok(Some(Before { mode: all[made].new_mode }));
        }
        if self.options.index {
            return self.before_in_index(patch, old);
        }
        match self.world.look(old) {
            Ok(Some(Thing { is_folder: true, .. })) if kind(patch.old_mode) != kind(SUBMODULE) => {
                // Git takes a folder for a submodule here, and leaves the change out in silence.
                Err(self.refuse_named(old, "Is a directory"))
            }
            Ok(Some(thing)) => Ok(Some(Before { mode: self.trusted_mode(patch, thing) })),
            Ok(None) if patch.is_new == Said::Perhaps => Ok(None),
            Ok(None) => Err(self.refuse_named(old, "No such file or directory")),
            // Names that are never read; only what kind of thing is there decides what is said.
            Err(Fault::BehindLink | Fault::Invalid) if self.world.anything(old).is_some() => {
                Ok(self.world.anything(old).map(|mode| Before { mode }))
            }
            Err(Fault::BehindLink | Fault::Invalid) if patch.is_new == Said::Perhaps => Ok(None),
            Err(Fault::BehindLink | Fault::Invalid) => {
                Err(self.refuse_named(old, "No such file or directory"))
            }
            Err(Fault::Io(text)) => Err(self.refuse_named(old, &text)),
        }
    }

    /// The mode of a file, where the file system's is to be believed.
    fn trusted_mode(&self, patch: &FilePatch, thing: Thing) -> u32 {
        let believed = self.repo.is_outside() || self.repo.flag("core.filemode") != Some(false);
        match patch.old_mode {
            _ if believed || kind(thing.mode) != kind(REGULAR) => thing.mode,
            0 => REGULAR,
            mode => mode,
        }
    }

    /// The new name must be free.
    fn check_new(&mut self, patch: &mut FilePatch) -> Result<(), Stop> {
        let Some(new) = patch.new_name.clone() else { return Ok(()) };
        if !patch.is_new() && !patch.is_rename && !patch.is_copy {
            return Ok(());
        }
        let may_stand = matches!(self.past.get(&new), Some(Past::Goes | Past::Gone));
        if let Err(taken) = self.check_free(&new, may_stand) {
            if self.options.three_way {
                patch.merge_only = true;
            } else {
                return Err(self.refuse_named(&new, &taken));
            }
        }
        if patch.new_mode == 0 {
            patch.new_mode = if patch.is_new() { REGULAR } else { patch.old_mode };
        }
        Ok(())
    }

    fn check_free(&mut self, new: &[u8], may_stand: bool) -> Result<(), String> {
        if self.options.index && (!may_stand || !self.options.cached) {
            self.free_in_index(new, may_stand)?;
        }
        if self.options.cached {
            return Ok(());
        }
        match self.world.look(new) {
            Ok(None) | Err(Fault::BehindLink) => Ok(()),
            Ok(Some(thing)) if thing.is_folder || may_stand => Ok(()),
            Ok(Some(_)) => Err("already exists in working directory".into()),
            Err(Fault::Io(text)) if text == "Not a directory" => Ok(()),
            Err(Fault::Io(text)) => Err(text),
            // What is wrong with the name is said next.
            Err(Fault::Invalid) => Ok(()),
        }
    }

    /// One patch does not make a link of a file.
    fn check_modes(&mut self, patch: &mut FilePatch) -> Result<(), Stop> {
        let (Some(old), Some(new)) = (patch.old_name.clone(), patch.new_name.clone()) else {
            return Ok(());
        };
        if patch.new_mode == 0 {
            patch.new_mode = patch.old_mode;
        }
        if kind(patch.old_mode) == kind(patch.new_mode) {
            return Ok(());
        }
        let text = format!("new mode ({:o}) of ", patch.new_mode);
        let behind = format!(" does not match old mode ({:o})", patch.old_mode);
        let mut message = [text.as_bytes(), &new, behind.as_bytes()].concat();
        if old != new {
            message = [&message[..], b" of ", &old].concat();
        }
        Err(self.refuse(message))
    }

    /// A folder above the name is a symbolic link, now or once this patch is applied.
    pub(super) fn is_behind_link(&mut self, name: &[u8]) -> bool {
        let cuts: Vec<usize> = memchr::memchr_iter(b'/', name).collect();
        let no_link = !self.options.index && self.world.has_folder_of(name);
        for cut in cuts.into_iter().rev() {
            let folder = &name[..cut];
            if self.links_made.contains(folder) {
                return true;
            }
            if no_link || self.links_gone.contains(folder) {
                continue;
            }
            let link = if self.options.index {
                self.index_mode(folder) == Some(LINK)
            } else {
                matches!(self.world.look(folder), Ok(Some(thing)) if thing.mode == LINK)
            };
            if link {
                return true;
            }
        }
        false
    }

    /// Makes the new content.
    fn apply_data(&mut self, patch: &mut FilePatch, at: usize, all: &[FilePatch]) -> Result<(), Stop> {
        let mut bytes = self.load(patch, all)?;
        let merged = self.options.three_way && self.merge(patch, &mut bytes);
        if !merged {
            if self.options.three_way && !patch.merge_only {
                self.say.line("Falling back to direct application...");
            }
            if patch.merge_only {
                return Err(Stop::Refused);
            }
            self.apply_to(patch, &mut bytes)?;
        }
        let leaves = patch.is_delete() && !bytes.is_empty();
        patch.result = Some(bytes);
        if let Some(new) = &patch.new_name {
            self.past.insert(new.clone(), Past::Made(at));
        }
        if let Some(old) = patch.old_name.as_ref().filter(|_| patch.new_name.is_none() || patch.is_rename) {
            self.past.insert(old.clone(), Past::Gone);
        }
        if leaves {
            return Err(self.refuse("removal patch leaves file contents"));
        }
        Ok(())
    }

    /// The text that the hunks are for.
    pub(super) fn load(&mut self, patch: &mut FilePatch, all: &[FilePatch]) -> Result<Content, Stop> {
        if let Some(made) = self.previous(patch)? {
            return Ok(all[made].result.clone().unwrap_or_default());
        }
        let Some(old) = patch.old_name.clone() else { return Ok(Content::default()) };
        if self.options.index {
            return self.load_from_index(&old);
        }
        if kind(patch.old_mode) == kind(SUBMODULE) {
            // Without the index there is nothing to compare with; only the folder is made or removed.
            patch.hunks.clear();
            return Ok(Content::default());
        }
        match self.world.bytes(&old) {
            Ok(bytes) if patch.old_mode == LINK => Ok(bytes),
            Ok(bytes) => self.cleaned(&old, bytes, patch.crlf).map_err(|words| self.filter_failed(&words)),
            Err(Fault::BehindLink) => {
                Err(self.refuse([b"reading from '", &old[..], b"' beyond a symbolic link"].concat()))
            }
            Err(_) => Err(self.refuse([b"failed to read ", &old[..]].concat())),
        }
    }

    /// The caller's own filter does not work: nothing is done, in its words.
    pub(super) fn filter_failed(&mut self, words: &[u8]) -> Stop {
        words.split(|b| *b == b'\n').for_each(|line| self.say.line(line));
        Stop::Unusable
    }

    /// Hunks or binary data, applied to `bytes`.
    pub(super) fn apply_to(&mut self, patch: &mut FilePatch, bytes: &mut Content) -> Result<(), Stop> {
        if patch.is_binary {
            return self.apply_binary(patch, bytes);
        }
        if self.options.safe {
            return self.apply_safely(patch, bytes);
        }
        let mut image = Image::new(bytes);
        let mut placer = Placer {
            text: &self.text,
            source: &self.source,
            options: &self.options,
            ignore_space: self.ignore_space,
            spaces: &mut self.spaces,
            say: &mut self.say,
            told: &mut self.told.hunks,
        };
        placer.apply(patch, &mut image).map_err(|_| Stop::Refused)?;
        let made = image.bytes();
        *bytes = made.into();
        Ok(())
    }
}
