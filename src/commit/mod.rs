//! The plan carried out: all files change, or none, also if the process dies in between.
//!
//! Steps, each over the whole batch: *lock*, *pin* (every folder opened, every target compared with the
//! plan's own copy), *intent* (what will be made is written down), *stage* (the new contents beside their
//! targets), *prepare* (the journal: what is there now, what will be), *swap* (one rename a file), *commit*
//! (one rename of the journal) and *tidy* (the old images go where undo finds them). Until the swap nothing
//! that anybody reads has changed; until the commit a run that fails, or the next one after a death, puts
//! everything back by content, so that a file which somebody saved meanwhile is never lost.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::LazyLock,
    time::Duration,
};

use crate::{
    plan::Plan,
    refusal::Refusal,
    tree::{RelPath, Root, root::plain_error},
};

mod back;
mod batch;
mod fault;
mod history;
mod journal;
pub mod ledger;
mod names;
mod old;
mod print;
mod recover;
mod signal;
mod stage;
pub mod state;
mod swap;
mod tx;
mod undo;
mod xattr;

pub use history::{Past, PastFile, undone};
pub use old::Kept as KeptTexts;
pub use recover::{Outcome, Recovered};
pub use signal::Signals;
pub use undo::{UndoError, Undone};

use back::{Reached, roll_back};
use batch::Batch;
use state::{LockError, State};
use tx::Tx;

/// How carefully to write, for callers that leave the rest as it is by default.
#[derive(Clone, Copy, Debug)]
pub struct CommitOptions {
    /// Contents reach the disk before they replace anything: a power cut leaves each file old or new.
    pub durable: bool,
}

impl Default for CommitOptions {
    fn default() -> CommitOptions {
        CommitOptions { durable: true }
    }
}

/// What a batch survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sync {
    /// A power cut: every step reaches the disk before the next.
    #[default]
    Power,
    /// The death of the process.
    Process,
    /// Its own failure only: no journal is kept, and nothing can be undone.
    None,
}

/// How batches are written.
#[derive(Clone, Debug)]
pub struct Writer {
    pub sync: Sync,
    /// Where state lies, if the caller named a folder.
    pub state_dir: Option<PathBuf>,
    /// How long to wait for another run.
    pub lock_timeout: Duration,
}

impl Default for Writer {
    fn default() -> Writer {
        Writer { sync: Sync::Power, state_dir: None, lock_timeout: Duration::from_secs(10) }
    }
}

/// What there is to tell of a batch that was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// By this it can be undone; `None` if nothing is kept.
    pub id: Option<String>,
    pub notes: Vec<(RelPath, String)>,
    /// Of the batch as a whole.
    pub warnings: Vec<String>,
    pub recovered: Vec<Recovered>,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    #[error("{path}: was changed by another program meanwhile")]
    Changed { path: RelPath },
    /// The plan is older than what another run wrote while this one waited for it; plan again.
    #[error("{path}: was changed by another run meanwhile")]
    Stale { path: RelPath },
    #[error("{path}: {refusal}")]
    Refused { path: RelPath, refusal: Refusal },
    #[error("{path}: cannot {step}: {}", plain_error(.source))]
    Io { path: RelPath, step: &'static str, source: io::Error },
    #[error("another run is writing here, and has not ended within {} s", .limit.as_secs_f32())]
    Busy { limit: Duration },
    #[error("cannot keep a journal in {}: {}", .path.display(), plain_error(.source))]
    State { path: PathBuf, source: io::Error },
    #[error("the journal of an unfinished run is damaged; it lies in {}", .path.display())]
    Damaged { path: PathBuf },
    #[error("a run was interrupted here and is not rolled back yet; run `edapply recover`")]
    Unfinished,
    #[error("interrupted by signal {signal}; everything is as before")]
    Interrupted { signal: usize },
    /// The caller's own look at the result was not content.
    #[error("{message}")]
    Disproved { message: String },
    /// Worse than nothing written: what is listed could not be put back.
    #[error("{cause}; not put back: {}", .left.join("; "))]
    NotRestored { cause: Box<CommitError>, left: Vec<String> },
}

impl CommitError {
    fn io(path: &RelPath, step: &'static str, source: io::Error) -> CommitError {
        CommitError::Io { path: path.clone(), step, source }
    }

    fn state(path: &Path) -> impl Fn(io::Error) -> CommitError {
        move |source| CommitError::State { path: path.to_path_buf(), source }
    }

    /// A stable name, as [`Refusal::code`].
    pub fn code(&self) -> &'static str {
        match self {
            CommitError::Changed { .. } | CommitError::Stale { .. } => "changed-meanwhile",
            CommitError::Refused { refusal, .. } => refusal.code(),
            CommitError::Io { source, .. } | CommitError::State { source, .. } if is_denied(source) => {
                "not-writable"
            }
            CommitError::Io { source, .. } | CommitError::State { source, .. } if is_full(source) => {
                "no-space"
            }
            CommitError::Io { .. } | CommitError::State { .. } => "io",
            CommitError::Busy { .. } => "busy",
            CommitError::Damaged { .. } => "journal-damaged",
            CommitError::Unfinished => "unfinished-run",
            CommitError::Interrupted { signal: 2 } => "interrupted",
            CommitError::Interrupted { .. } => "terminated",
            CommitError::Disproved { .. } => "verify-failed",
            CommitError::NotRestored { .. } => "not-restored",
        }
    }

    /// The tree is as before and the caller can do something about it; anything else is trouble.
    pub fn is_refusal(&self) -> bool {
        !matches!(self.code(), "io" | "not-restored" | "journal-damaged" | "unfinished-run")
    }

    /// The file at fault; `.` if it is none in particular.
    pub fn path(&self) -> &RelPath {
        static HERE: LazyLock<RelPath> = LazyLock::new(|| RelPath::trusted("."));
        match self {
            CommitError::Changed { path }
            | CommitError::Stale { path }
            | CommitError::Refused { path, .. }
            | CommitError::Io { path, .. } => path,
            CommitError::NotRestored { cause, .. } => cause.path(),
            _ => &HERE,
        }
    }
}

fn is_denied(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// A last look at what was written, before it counts; an error rolls everything back.
pub type Look<'l> = &'l mut dyn FnMut(&Signals) -> Result<(), String>;

/// Writes a plan beneath `root`.
///
/// # Errors
/// A target changed meanwhile, something cannot be written; the tree is then as before.
pub fn apply(root: &Root, plan: &Plan, options: &CommitOptions) -> Result<Receipt, CommitError> {
    let sync = if options.durable { Sync::Power } else { Sync::Process };
    Writer { sync, ..Writer::default() }.write(root, plan, None)
}

impl Writer {
    /// Puts in order what killed runs left here. To be asked before a plan is made; costs nothing if there
    /// is nothing to do.
    ///
    /// # Errors
    /// Another run does not end, or a journal is damaged.
    pub fn recover(&self, root: &Root) -> Result<Vec<Recovered>, CommitError> {
        let mut done = Vec::new();
        for state in self.unfinished(root)? {
            let (lock, _) = self.lock(&state)?;
            done.extend(recover::recover(&state, &lock, root, self)?);
        }
        Ok(done)
    }

    /// For runs that must not write: fails if a run died here between its first and its last change.
    ///
    /// # Errors
    /// It did, or another run does not end.
    pub fn refuse_torn(&self, root: &Root) -> Result<(), CommitError> {
        for state in self.unfinished(root)? {
            let _lock = self.lock(&state)?;
            if recover::is_torn(&state).map_err(CommitError::state(&state.path))? {
                return Err(CommitError::Unfinished);
            }
        }
        Ok(())
    }

    /// The state folders that hold an unfinished transaction, be it of a run that still goes on.
    fn unfinished(&self, root: &Root) -> Result<Vec<State>, CommitError> {
        let mut found = Vec::new();
        for state in self.existing(root) {
            if !tx::list(&state).map_err(CommitError::state(&state.path))?.is_empty() {
                found.push(state);
            }
        }
        Ok(found)
    }

    /// A place that cannot be opened is not ours, and was never written to.
    fn existing(&self, root: &Root) -> impl Iterator<Item = State> {
        let places = state::places(root, self.state_dir.as_deref());
        places.into_iter().filter_map(|place| place.open().ok().flatten())
    }

    fn lock(&self, state: &State) -> Result<(File, bool), CommitError> {
        state.lock(self.lock_timeout).map_err(|error| match error {
            LockError::Busy => CommitError::Busy { limit: self.lock_timeout },
            LockError::Io(source) => CommitError::State { path: state.path.clone(), source },
        })
    }

    /// The first place that can be used.
    fn state(&self, root: &Root) -> Result<State, CommitError> {
        let mut last = None;
        for place in state::places(root, self.state_dir.as_deref()) {
            match place.make() {
                Ok(state) => return Ok(state),
                Err(source) => last = Some(CommitError::State { path: place.path(), source }),
            }
        }
        Err(last.unwrap_or(CommitError::Unfinished))
    }

    /// Writes a plan beneath `root`.
    ///
    /// # Errors
    /// A target changed meanwhile, something cannot be written, the look was not content, a signal came;
    /// the tree is then as before.
    pub fn write(&self, root: &Root, plan: &Plan, look: Option<Look<'_>>) -> Result<Receipt, CommitError> {
        self.write_as("apply", root, plan, look)
    }

    fn write_as(
        &self,
        what: &str,
        root: &Root,
        plan: &Plan,
        look: Option<Look<'_>>,
    ) -> Result<Receipt, CommitError> {
        if self.sync == Sync::None {
            let signals = Signals::watch();
            return self.unrecorded(Batch::pin(root, &plan.changes, what)?, look, &signals);
        }
        let state = self.state(root)?;
        let (lock, waited) = self.lock(&state)?;
        let recovered = recover::recover(&state, &lock, root, self)?;
        let batch = Batch::pin(root, &plan.changes, what).map_err(|error| match error {
            CommitError::Changed { path } if waited || !recovered.is_empty() => CommitError::Stale { path },
            other => other,
        })?;
        let mut receipt = self.recorded(&state, batch, look, &Signals::watch())?;
        receipt.recovered = recovered;
        Ok(receipt)
    }

    fn recorded(
        &self,
        state: &State,
        mut batch: Batch<'_>,
        look: Option<Look<'_>>,
        signals: &Signals,
    ) -> Result<Receipt, CommitError> {
        if batch.slots.is_empty() {
            return Ok(Receipt::default());
        }
        let durable = self.sync == Sync::Power;
        let failed = CommitError::state(&state.path);
        let tx = Tx::begin(state, &mut batch.record, durable).map_err(&failed)?;
        let mut reached = Reached::Stage;
        let done = (|| {
            batch.make_folders()?;
            stage::stage(&mut batch, self.sync, signals)?;
            if durable {
                sync_folders(&batch)?;
            }
            reached = Reached::Swap;
            tx.prepare(&batch.record).map_err(&failed)?;
            self.change(&mut batch, look, signals)?;
            tx.commit().map_err(&failed)
        })();
        match done {
            Ok(()) => {
                let warnings = history::finish(state, &tx, batch.root, &batch.record, false);
                let id = state.history.then(|| tx.id.clone());
                Ok(Receipt { id, notes: batch.notes, warnings, recovered: Vec::new() })
            }
            Err(cause) => {
                let error = put_back(&batch, reached, cause);
                if durable {
                    recover::sync_tree(batch.root, &batch.record);
                }
                tx.remove();
                Err(error)
            }
        }
    }

    /// All or nothing while the process lives.
    fn unrecorded(
        &self,
        mut batch: Batch<'_>,
        look: Option<Look<'_>>,
        signals: &Signals,
    ) -> Result<Receipt, CommitError> {
        let mut reached = Reached::Stage;
        let done = (|| {
            batch.make_folders()?;
            stage::stage(&mut batch, self.sync, signals)?;
            reached = Reached::Swap;
            self.change(&mut batch, look, signals)
        })();
        match done {
            Ok(()) => {
                history::forget(batch.root, &batch.record);
                Ok(Receipt { notes: batch.notes, ..Receipt::default() })
            }
            Err(cause) => Err(put_back(&batch, reached, cause)),
        }
    }

    fn change(
        &self,
        batch: &mut Batch<'_>,
        look: Option<Look<'_>>,
        signals: &Signals,
    ) -> Result<(), CommitError> {
        swap::swap(batch, signals)?;
        if self.sync == Sync::Power {
            sync_folders(batch)?;
        }
        let seen = look.map_or(Ok(()), |look| look(signals));
        signals.check()?;
        seen.map_err(|message| CommitError::Disproved { message })
    }
}

fn sync_folders(batch: &Batch<'_>) -> Result<(), CommitError> {
    let io = |source| CommitError::io(&RelPath::trusted("."), "write a folder to the disk", source);
    batch.folders().try_for_each(|dir| {
        fault::at("fsync-folder").map_err(|error| io(error.into()))?;
        batch::sync_folder(dir).map_err(io)
    })
}

fn put_back(batch: &Batch<'_>, reached: Reached, cause: CommitError) -> CommitError {
    let foreign: Vec<&RelPath> =
        batch.slots.iter().filter(|slot| slot.foreign).map(|slot| &slot.change.path).collect();
    let left = roll_back(batch.root, &batch.record, reached, &foreign);
    if left.is_empty() { cause } else { CommitError::NotRestored { cause: Box::new(cause), left } }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeMap,
        fs,
        os::unix::fs::{MetadataExt, PermissionsExt},
        path::Path,
    };

    use super::journal::Record;
    use super::*;
    use crate::{
        plan::Change,
        tree::{Files, Image},
    };

    struct World {
        base: tempfile::TempDir,
        state: tempfile::TempDir,
        root: Root,
    }

    fn world(files: &[(&str, &str, u32)]) -> World {
        let base = tempfile::tempdir().expect("a folder");
        for (path, text, mode) in files {
            let path = base.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            fs::write(&path, text).expect("a file");
            fs::set_permissions(&path, PermissionsExt::from_mode(*mode)).expect("a mode");
        }
        let root = Root::open(base.path()).expect("a root");
        World { base, state: tempfile::tempdir().expect("a folder"), root }
    }

    impl World {
        fn image(&self, path: &str) -> Option<Image> {
            self.root.read(&RelPath::trusted(path)).expect("readable")
        }

        fn change(&self, path: &str, after: Option<&str>) -> Change {
            let before = self.image(path);
            let mode = before.as_ref().map_or(0o644, |image| image.mode);
            let after = after.map(|text| Image { bytes: text.into(), mode });
            Change { path: RelPath::trusted(path), before, after, moved_from: None }
        }

        fn writer(&self) -> Writer {
            let state_dir = Some(self.state.path().to_path_buf());
            Writer { sync: Sync::Process, state_dir, lock_timeout: Duration::ZERO }
        }

        fn apply(&self, changes: Vec<Change>) -> Result<Receipt, CommitError> {
            self.writer().write(&self.root, &Plan { changes, ..Plan::default() }, None)
        }

        fn undo(&self, id: Option<&str>) -> Result<String, &'static str> {
            self.writer().undo(&self.root, true, id).map(|undone| undone.id).map_err(|error| error.code())
        }

        fn tree(&self) -> BTreeMap<String, String> {
            let mut tree = BTreeMap::new();
            list(self.base.path(), "", &mut tree);
            tree
        }
    }

    fn list(dir: &Path, prefix: &str, tree: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(dir).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            let meta = entry.metadata().expect("metadata");
            if meta.is_dir() {
                tree.insert(format!("{name}/"), String::new());
                list(&entry.path(), &format!("{name}/"), tree);
            } else {
                let text = fs::read_to_string(entry.path()).expect("text");
                tree.insert(name, format!("{:o} {text}", meta.mode() & 0o7777));
            }
        }
    }

    fn tree(entries: &[(&str, &str)]) -> BTreeMap<String, String> {
        entries.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn all_kinds_of_change_at_once() {
        let w = world(&[("a", "old", 0o755), ("gone/b", "b", 0o644), ("old/c", "c", 0o600)]);
        let moved = Change {
            path: RelPath::trusted("new/deep/c"),
            before: None,
            after: Some(Image { bytes: b"c2".to_vec(), mode: 0o600 }),
            moved_from: Some(RelPath::trusted("old/c")),
        };
        let changes = vec![
            w.change("a", Some("new")),
            w.change("d", Some("d")),
            w.change("gone/b", None),
            moved,
            w.change("old/c", None),
        ];
        w.apply(changes).expect("written");
        let want =
            [("a", "755 new"), ("d", "644 d"), ("new/", ""), ("new/deep/", ""), ("new/deep/c", "600 c2")];
        assert_eq!(w.tree(), tree(&want));
    }

    #[test]
    fn a_target_that_changed_meanwhile_stops_the_batch() {
        let w = world(&[("a", "a", 0o644), ("b", "b", 0o644)]);
        let changes = vec![w.change("a", Some("A")), w.change("b", Some("B")), w.change("x/y", Some("y"))];
        fs::write(w.base.path().join("b"), "saved").expect("a file");
        let error = w.apply(changes).expect_err("refused");
        assert_eq!((error.code(), error.path().to_string()), ("changed-meanwhile", "b".into()));
        assert!(error.is_refusal());
        assert_eq!(w.tree(), tree(&[("a", "644 a"), ("b", "644 saved")]));
    }

    #[test]
    fn a_file_that_appeared_is_not_overwritten() {
        let w = world(&[("a", "a", 0o644)]);
        let changes = vec![w.change("a", Some("A")), w.change("n", Some("n"))];
        fs::write(w.base.path().join("n"), "theirs").expect("a file");
        assert_eq!(w.apply(changes).expect_err("refused").code(), "changed-meanwhile");
        assert_eq!(w.tree(), tree(&[("a", "644 a"), ("n", "644 theirs")]));
    }

    /// A batch up to and with its swap, as a run leaves it that is killed then.
    fn killed(w: &World, changes: &[Change]) -> Record {
        let places = state::places(&w.root, w.writer().state_dir.as_deref());
        let state = places[0].make().expect("a state folder");
        let mut batch = Batch::pin(&w.root, changes, "apply").expect("pinned");
        let tx = Tx::begin(&state, &mut batch.record, false).expect("begun");
        let signals = Signals::watch();
        batch.make_folders().expect("made");
        stage::stage(&mut batch, Sync::Process, &signals).expect("staged");
        tx.prepare(&batch.record).expect("prepared");
        swap::swap(&mut batch, &signals).expect("swapped");
        batch.record
    }

    fn outcome(w: &World) -> Vec<Outcome> {
        let done = w.writer().recover(&w.root).expect("recovered");
        done.into_iter().map(|one| one.outcome).collect()
    }

    #[test]
    fn a_killed_run_is_rolled_back() {
        let w = world(&[("a", "a", 0o644), ("f", "f", 0o644)]);
        killed(&w, &[w.change("a", Some("A")), w.change("f", None), w.change("k/n", Some("n"))]);
        assert!(w.image("k/n").is_some() && w.image("f").is_none());
        assert!(matches!(w.writer().refuse_torn(&w.root), Err(CommitError::Unfinished)));
        assert_eq!(outcome(&w), [Outcome::RolledBack]);
        assert_eq!(w.tree(), tree(&[("a", "644 a"), ("f", "644 f")]));
        assert_eq!(outcome(&w), []);
        w.writer().refuse_torn(&w.root).expect("nothing unfinished");
    }

    #[test]
    fn the_next_run_rolls_back_first() {
        let w = world(&[("a", "a", 0o644), ("b", "b", 0o644)]);
        let change = w.change("b", Some("B"));
        killed(&w, &[w.change("a", Some("A"))]);
        let receipt = w.apply(vec![change]).expect("written");
        assert_eq!(receipt.recovered.len(), 1);
        assert_eq!(w.tree(), tree(&[("a", "644 a"), ("b", "644 B")]));
    }

    #[test]
    fn rolling_back_keeps_what_somebody_saved() {
        let w = world(&[("a", "a", 0o644)]);
        killed(&w, &[w.change("a", Some("A"))]);
        fs::write(w.base.path().join("a"), "saved").expect("a file");
        let done = w.writer().recover(&w.root).expect("recovered");
        assert!(done[0].left[0].contains("its old content is in .edapply-"), "{done:?}");
        assert_eq!(w.tree()["a"], "644 saved");
        assert_eq!(w.tree().len(), 2, "the old image is kept");
        assert_eq!(outcome(&w), [], "told once");
    }

    #[test]
    fn a_save_that_came_out_of_a_killed_swap_is_handed_back() {
        let w = world(&[("a", "a", 0o644)]);
        let record = killed(&w, &[w.change("a", Some("A"))]);
        let temp = RelPath::trusted(record.entries[0].temp.clone()).to_string();
        fs::write(w.base.path().join(temp), "saved").expect("a file");
        assert_eq!(outcome(&w), [Outcome::RolledBack]);
        assert_eq!(w.tree(), tree(&[("a", "644 saved")]));
    }

    #[test]
    fn a_journal_from_elsewhere_steers_nothing() {
        let (here, there) = (world(&[("a", "a", 0o644)]), world(&[("a", "a", 0o644)]));
        killed(&here, &[here.change("a", Some("A"))]);
        let state =
            |w: &World| state::places(&w.root, w.writer().state_dir.as_deref())[0].make().expect("made");
        let (from, to) = (state(&here).path.join("tx"), state(&there).path.join("tx"));
        let id = fs::read_dir(&from).expect("a folder").next().expect("one").expect("one").file_name();
        fs::create_dir_all(to.join(&id)).expect("a folder");
        fs::copy(from.join(&id).join("journal"), to.join(&id).join("journal")).expect("copied");
        there.writer().refuse_torn(&there.root).expect("not torn");
        assert_eq!(outcome(&there), [Outcome::Foreign]);
        assert_eq!(there.tree(), tree(&[("a", "644 a")]));
        fs::write(to.join(&id).join("journal"), "rubbish").expect("a file");
        assert_eq!(there.writer().recover(&there.root).expect_err("refused").code(), "journal-damaged");
    }

    #[test]
    fn undo_restores_all_kinds_of_change() {
        let w = world(&[("a", "old", 0o755), ("gone/b", "b", 0o600)]);
        let before = w.tree();
        w.apply(vec![w.change("a", Some("new")), w.change("gone/b", None), w.change("n/d", Some("d"))])
            .expect("written");
        let after = w.tree();
        let first = w.undo(None).expect("undone");
        assert_eq!(w.tree(), before);
        assert_eq!(w.undo(None), Err("nothing-to-undo"));
        let all = w.writer().history(&w.root, true).expect("a log");
        let undo = all[0].id().to_owned();
        assert_eq!(all[0].undoes(), Some(&*first));
        w.undo(Some(&undo)).expect("undone");
        assert_eq!(w.tree(), after);
        assert_eq!(w.undo(None).expect("undone"), first, "it stands again, and can be undone again");
        assert_eq!(w.tree(), before);
    }

    #[test]
    fn undo_refuses_what_changed_since() {
        let w = world(&[("a", "a", 0o644), ("b", "b", 0o644)]);
        w.apply(vec![w.change("a", Some("A")), w.change("b", Some("B"))]).expect("written");
        fs::write(w.base.path().join("b"), "saved").expect("a file");
        let before = w.tree();
        let error = w.writer().undo(&w.root, true, None).expect_err("refused");
        assert_eq!((error.code(), &*error.to_string()), ("changed-since", "changed since: b"));
        assert_eq!(w.tree(), before);
    }

    #[test]
    fn the_last_twenty_batches_are_kept() {
        let w = world(&[("a", "0", 0o644)]);
        for turn in 1..=25 {
            w.apply(vec![w.change("a", Some(&turn.to_string()))]).expect("written");
        }
        assert_eq!(w.writer().history(&w.root, true).expect("a log").len(), 20);
        for turn in (20..25).rev() {
            w.undo(None).expect("undone");
            assert_eq!(w.tree()["a"], format!("644 {turn}"));
        }
    }

    #[test]
    fn a_look_that_is_not_content_rolls_back() {
        let w = world(&[("a", "a", 0o644)]);
        let plan = Plan { changes: vec![w.change("a", Some("A"))], ..Plan::default() };
        let mut seen = String::new();
        let mut look = |_: &Signals| {
            seen = w.tree()["a"].clone();
            Err("no".to_owned())
        };
        let error = w.writer().write(&w.root, &plan, Some(&mut look)).expect_err("refused");
        assert_eq!((error.code(), &*seen), ("verify-failed", "644 A"));
        assert_eq!(w.tree(), tree(&[("a", "644 a")]));
    }

    #[test]
    fn attributes_are_kept() {
        let w = world(&[("a", "a", 0o640)]);
        let path = w.base.path().join("a");
        if rustix::fs::setxattr(&path, "user.note", b"kept", rustix::fs::XattrFlags::empty()).is_err() {
            return;
        }
        w.apply(vec![w.change("a", Some("A"))]).expect("written");
        let mut value = [0; 16];
        assert_eq!(rustix::fs::getxattr(&path, "user.note", &mut value[..]), Ok(4));
        assert_eq!(&value[..4], b"kept");
    }

    #[test]
    fn set_id_bits_go_and_hard_links_are_told() {
        let w = world(&[("a", "a", 0o4755)]);
        fs::hard_link(w.base.path().join("a"), w.base.path().join("b")).expect("a link");
        let receipt = w.apply(vec![w.change("a", Some("A"))]).expect("written");
        assert_eq!(w.tree(), tree(&[("a", "755 A"), ("b", "4755 a")]));
        assert_eq!(receipt.notes.len(), 2, "{receipt:?}");
    }

    #[test]
    fn names_as_long_as_they_may_be() {
        let name = "n".repeat(255);
        let w = world(&[(&name, "a", 0o644)]);
        w.apply(vec![w.change(&name, Some("A"))]).expect("written");
        assert_eq!(w.tree()[&name], "644 A");
    }
}
