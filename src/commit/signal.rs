//! Signals while files are being written: the transaction is rolled back, then the run ends.
//!
//! Outside of a transaction a signal kills at once, as people expect; nothing is lost then.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};

use super::CommitError;

/// Handlers are installed once, at the first transaction, and stay.
#[derive(Debug)]
struct Hooks {
    came: Arc<AtomicUsize>,
    /// No transaction: a signal does what it does by default.
    idle: Arc<AtomicBool>,
}

static HOOKS: OnceLock<Hooks> = OnceLock::new();

/// Keeps the signals until it is dropped.
#[derive(Debug)]
pub struct Signals {
    hooks: &'static Hooks,
}

impl Signals {
    /// From now on, a signal only tells.
    pub fn watch() -> Signals {
        let hooks = HOOKS.get_or_init(install);
        hooks.came.store(0, Ordering::SeqCst);
        hooks.idle.store(false, Ordering::SeqCst);
        Signals { hooks }
    }

    /// Whether one came.
    pub fn came(&self) -> bool {
        self.hooks.came.load(Ordering::SeqCst) != 0
    }

    /// # Errors
    /// A signal came.
    pub fn check(&self) -> Result<(), CommitError> {
        match self.hooks.came.load(Ordering::SeqCst) {
            0 => Ok(()),
            signal => Err(CommitError::Interrupted { signal }),
        }
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.hooks.idle.store(true, Ordering::SeqCst);
    }
}

/// A signal that cannot be watched keeps its default: then it kills, and the next run rolls back.
fn install() -> Hooks {
    let hooks = Hooks { came: Arc::default(), idle: Arc::default() };
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let number = usize::try_from(signal).unwrap_or(0);
        let _ = flag::register_conditional_default(signal, Arc::clone(&hooks.idle));
        let _ = flag::register_usize(signal, Arc::clone(&hooks.came), number);
    }
    hooks
}
