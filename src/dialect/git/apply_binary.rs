//! Binary data put to use: only on exactly the content that it was made for.

use super::{binary::MAX_RESULT, header::Stop, patch::FilePatch, session::Session};
use crate::{edit::Method, merge::delta, tree::Content};

impl Session<'_, '_> {
    pub(super) fn apply_binary(&mut self, patch: &FilePatch, bytes: &mut Content) -> Result<(), Stop> {
        let name = patch.old().to_vec();
        let said = |text: &str| [text.as_bytes(), b" '", &name[..], b"'"].concat();
        if !self.repo.is_full_id(&patch.old_id) || !self.repo.is_full_id(&patch.new_id) {
            let text = [&said("cannot apply binary patch to")[..], b" without full index line"].concat();
            return Err(self.refuse(text));
        }
        if patch.old_name.is_some() {
            let id = self.repo.id(bytes);
            if id.as_bytes() != patch.old_id {
                let text = format!(" ({id}), which does not match the current contents.");
                return Err(self.refuse([&said("the patch applies to")[..], text.as_bytes()].concat()));
            }
        } else if !bytes.is_empty() {
            let text = [&said("the patch applies to an empty")[..], b" but it is not empty"].concat();
            return Err(self.refuse(text));
        }
        if patch.new_id.iter().all(|b| *b == b'0') {
            *bytes = Content::default();
            return Ok(());
        }
        if let Some((_, stored)) = self.repo.blob(&patch.new_id) {
            *bytes = stored.into();
            return Ok(());
        }
        let Some(made) = self.made(patch, bytes)? else {
            return Err(self.refuse(said("binary patch does not apply to")));
        };
        let id = self.repo.id(&made);
        if id.as_bytes() != patch.new_id {
            let want = String::from_utf8_lossy(&patch.new_id);
            let text = format!(" creates incorrect result (expecting {want}, got {id})");
            return Err(self.refuse([&said("binary patch to")[..], text.as_bytes()].concat()));
        }
        *bytes = made.into();
        Ok(())
    }

    /// What the data makes of the old content; none if it does not fit.
    fn made(&mut self, patch: &FilePatch, old: &[u8]) -> Result<Option<Vec<u8>>, Stop> {
        let name = patch.name().to_vec();
        let lacks = |text: &str| [text.as_bytes(), b" '", &name[..], b"'"].concat();
        let blob = match (&patch.blobs[..], self.options.reverse) {
            ([], _) => {
                self.say.error(lacks("missing binary patch data for"));
                return Ok(None);
            }
            ([_], true) => {
                self.say.error(lacks("cannot reverse-apply a binary patch without the reverse hunk to"));
                return Ok(None);
            }
            ([_, reverse, ..], true) => reverse,
            ([forward, ..], false) => forward,
        };
        Ok(match blob.method {
            Method::Literal => Some(blob.bytes.clone().into()),
            Method::Delta => delta::apply(old, &blob.bytes, MAX_RESULT),
        })
    }
}
