//! The plan carried out: all files change, or none, also if the process dies in between.
//!
//! Steps, each over the whole batch: *lock*, *pin* (every folder opened, every target compared with the
//! plan's own copy, unless the system says that nobody wrote to it since it was read), *intent* (what will be
//! made is written down), *stage* (the new contents beside their targets), *prepare* (the journal: what is
//! there now, what will be), *swap* (one rename a file), *commit* (one rename of the journal) and *tidy* (the
//! old images go where undo finds them). Until the swap nothing that anybody reads has changed; until the
//! commit a run that fails, or the next one after a death, puts everything back by content, so that a file
//! which somebody saved meanwhile is never lost.

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
mod beside;
mod fault;
mod history;
mod in_place;
mod journal;
#[doc(hidden)]
pub mod ledger;
mod names;
mod old;
mod print;
mod recover;
mod signal;
mod stage;
#[doc(hidden)]
pub mod state;
mod swap;
mod tx;
mod undo;
mod way;
mod xattr;

pub use beside::Beside;
pub use history::{Past, PastFile, undone};
pub use old::Kept as KeptTexts;
pub use recover::{Outcome, Recovered};
pub use signal::Signals;
pub use undo::{UndoError, Undone};

use back::{Reached, roll_back};
use batch::{Batch, Pinning, Slot};
use journal::{Deed, Entry};
use state::{LockError, State};
use tx::Tx;

/// Told of a batch where names could not be exchanged.
const UNGUARDED: &str = "guarded: no: names were not exchanged (--in-place, or a file system that cannot), so that a save by \
     another program in the last moment would have been lost";

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
    /// What a batch survives.
    pub sync: Sync,
    /// Where state lies, if the caller named a folder.
    pub state_dir: Option<PathBuf>,
    /// How long to wait for another run.
    pub lock_timeout: Duration,
    /// Write over files instead of exchanging them: they keep their inodes and other names.
    pub in_place: bool,
    /// A file outside of the tree that changes with the batch.
    pub beside: Option<Beside>,
    /// A file whose times say that nobody wrote to it is not read again: faster, and blind to who writes through a
    /// mapping, or was in the middle of a long write when the file was read.
    pub trusts_times: bool,
}

impl Default for Writer {
    fn default() -> Writer {
        Writer {
            sync: Sync::Power,
            state_dir: None,
            lock_timeout: Duration::from_secs(10),
            in_place: false,
            beside: None,
            trusts_times: false,
        }
    }
}

/// What there is to tell of a batch that was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Receipt {
    /// By this it can be undone; `None` if nothing is kept.
    pub id: Option<String>,
    /// Of single files.
    pub notes: Vec<(RelPath, String)>,
    /// Of the batch as a whole.
    pub warnings: Vec<String>,
    /// Runs that died before, and that this one put in order.
    pub recovered: Vec<Recovered>,
}

/// The step at which a file is written over.
pub(crate) const OVER: &str = "write over it";

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "each sentence in `#[error]` says what its variant is, and its fields are the words of it"
)]
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
    /// The file that belongs to the batch cannot be locked or written.
    #[error("{}", plain_error(.source))]
    Beside { source: io::Error },
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
            CommitError::Io { .. } | CommitError::State { .. } | CommitError::Beside { .. } => "io",
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
    Writer { sync, trusts_times: true, ..Writer::default() }.write(root, plan, None)
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
        // What is written over can be put back only from a journal.
        if self.sync == Sync::None && !self.in_place {
            let signals = Signals::watch();
            return self.unrecorded(Batch::pin(root, plan, what, self.pinning(false))?, look, &signals);
        }
        let state = self.state(root)?;
        let (lock, waited) = self.lock(&state)?;
        let recovered = recover::recover(&state, &lock, root, self)?;
        let stale = waited || !recovered.is_empty();
        let batch = Batch::pin(root, plan, what, self.pinning(stale)).map_err(|error| match error {
            CommitError::Changed { path } if stale => CommitError::Stale { path },
            other => other,
        })?;
        let mut receipt = self.recorded(&state, batch, look, &Signals::watch())?;
        receipt.recovered = recovered;
        Ok(receipt)
    }

    fn pinning(&self, stale: bool) -> Pinning {
        let Writer { in_place, trusts_times, .. } = *self;
        Pinning { in_place, stale, trusts_times }
    }

    fn recorded(
        &self,
        state: &State,
        mut batch: Batch<'_>,
        look: Option<Look<'_>>,
        signals: &Signals,
    ) -> Result<Receipt, CommitError> {
        if batch.slots.is_empty() && batch.record.made.is_empty() && batch.record.emptied.is_empty() {
            return Ok(Receipt::default());
        }
        let durable = self.sync == Sync::Power;
        let failed = CommitError::state(&state.path);
        batch.record.beside = self.beside.as_ref().map(|beside| beside.path.clone());
        let tx = Tx::begin(state, &mut batch.record, durable).map_err(&failed)?;
        batch.images = self.in_place.then(|| tx.dir.try_clone()).transpose().map_err(&failed)?;
        let mut reached = Reached::Stage;
        let done = (|| {
            batch.make_folders()?;
            stage::stage(&mut batch, self.sync, signals)?;
            if let Some(beside) = &self.beside {
                beside::stage(&tx.dir, beside, durable).map_err(|source| CommitError::Beside { source })?;
            }
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
                let mut warnings =
                    history::finish(state, &tx, (batch.root, &batch.record, &batch.slots), false);
                warnings.extend(batch.unguarded.then(|| UNGUARDED.to_owned()));
                let id = state.history.then(|| tx.id.clone());
                Ok(Receipt { id, notes: batch.notes, warnings, recovered: Vec::new() })
            }
            Err(cause) => {
                let error = put_back(&batch, reached, cause);
                if let Some(beside) = &self.beside {
                    beside::discard(&tx.dir, &beside.path);
                }
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
                let warnings = batch.unguarded.then(|| UNGUARDED.to_owned()).into_iter().collect();
                Ok(Receipt { notes: batch.notes, warnings, ..Receipt::default() })
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
        swap::swap(batch, self.sync == Sync::Power, signals)?;
        if self.sync == Sync::Power {
            sync_folders(batch)?;
        }
        let seen = look.map_or(Ok(()), |look| look(signals));
        signals.check()?;
        seen.map_err(|message| CommitError::Disproved { message })?;
        swap::look_again(batch)
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
    // What was never written over is whatever it is by others, though it may look like our own half of it.
    let whole = |entry: &Entry, slot: &Slot<'_>| entry.deed == Deed::Overwrite && !slot.begun;
    let both = batch.record.entries.iter().zip(&batch.slots);
    let foreign = both.filter(|(entry, slot)| slot.foreign || whole(entry, slot));
    let foreign: Vec<&RelPath> = foreign.map(|(entry, _)| &entry.path).collect();
    let left = roll_back(batch.root, &batch.record, reached, &foreign, batch.images.as_ref());
    if left.is_empty() { cause } else { CommitError::NotRestored { cause: Box::new(cause), left } }
}

#[cfg(test)]
mod tests;
