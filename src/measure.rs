//! What was measured of a model, kept in the state folder.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{commit::state, tree::Root};

const FILE: &str = "models.json";

/// Counts of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    pub ok: usize,
    pub cases: usize,
}

impl Share {
    /// From 0 to 1; `None` where nothing was counted.
    #[expect(clippy::cast_precision_loss, reason = "counts of cases")]
    pub fn ratio(self) -> Option<f64> {
        (self.cases > 0).then(|| self.ok as f64 / self.cases as f64)
    }
}

/// What is known of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// With strict matching: how well the model copies.
    pub strict: Share,
    /// With all views.
    pub loose: Share,
    /// By format, with strict matching.
    pub formats: BTreeMap<String, Share>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Stored {
    version: u32,
    models: BTreeMap<String, Measured>,
}

/// Looks a model up.
///
/// # Errors
/// The state cannot be read, or is no JSON of ours.
pub fn load(root: &Root, state_dir: Option<&Path>, model: &str) -> io::Result<Option<Measured>> {
    for place in state::places(root, state_dir) {
        if let Ok(Some(found)) = place.open()
            && let Some(mut stored) = read(&found.path.join(FILE))?
        {
            return Ok(stored.models.remove(model));
        }
    }
    Ok(None)
}

/// Keeps what was measured; says where.
///
/// # Errors
/// No state folder can be made or written.
pub fn store(root: &Root, state_dir: Option<&Path>, model: &str, measured: Measured) -> io::Result<PathBuf> {
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for place in state::places(root, state_dir) {
        match place.make() {
            Ok(state) => {
                let path = state.path.join(FILE);
                let mut stored = read(&path)?.unwrap_or_default();
                stored.version = 1;
                stored.models.insert(model.to_owned(), measured);
                let mut file = tempfile::NamedTempFile::new_in(&state.path)?;
                serde_json::to_writer_pretty(&mut file, &stored)?;
                file.persist(&path).map_err(|error| error.error)?;
                return Ok(path);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn read(path: &Path) -> io::Result<Option<Stored>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_again() {
        let base = tempfile::tempdir().expect("a folder");
        let root = Root::open(base.path()).expect("a root");
        let state = base.path().join("state");
        assert_eq!(load(&root, Some(&state), "m").expect("nothing odd"), None);
        let measured = |ok| Measured { strict: Share { ok, cases: 10 }, ..Measured::default() };
        store(&root, Some(&state), "m", measured(7)).expect("stored");
        store(&root, Some(&state), "n", measured(9)).expect("stored");
        let path = store(&root, Some(&state), "m", measured(8)).expect("stored");
        assert!(path.starts_with(&state));
        let found = load(&root, Some(&state), "m").expect("readable").expect("measured");
        assert_eq!(found.strict.ratio(), Some(0.8));
        assert_eq!(load(&root, Some(&state), "other").expect("readable"), None);
    }
}
