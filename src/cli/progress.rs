//! A line that tells how far a run is, for as long as it lasts, if that is longer than a moment.

use std::{
    io::Write,
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use crate::run::watch::{Stage, Watch};

/// A run that ends before this shows nothing.
const MOMENT: Duration = Duration::from_millis(500);
const BETWEEN: Duration = Duration::from_millis(200);

/// Shows the line on standard error until it is dropped.
pub(super) struct Progress {
    shared: Arc<Shared>,
    painter: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    at: Mutex<At>,
    changed: Condvar,
}

#[derive(Default)]
struct At {
    stage: Option<Stage>,
    over: bool,
}

impl Progress {
    pub(super) fn new(shown: bool) -> Progress {
        let shared = Arc::new(Shared::default());
        let painter = shown.then(|| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || paint(&shared))
        });
        Progress { shared, painter }
    }

    /// As [`Watch::stage`], for several threads.
    pub(super) fn at(&self, stage: Stage) {
        self.change(|at| at.stage = Some(stage));
    }

    fn change(&self, change: impl FnOnce(&mut At)) {
        change(&mut self.shared.at.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Watch for Progress {
    fn stage(&mut self, stage: Stage) {
        self.at(stage);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.change(|at| at.over = true);
        self.shared.changed.notify_all();
        if let Some(painter) = self.painter.take() {
            let _ = painter.join();
        }
    }
}

fn paint(shared: &Shared) {
    let start = Instant::now();
    let mut err = std::io::stderr();
    let mut pause = MOMENT;
    let mut painted = false;
    let mut at = shared.at.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let waited = shared.changed.wait_timeout_while(at, pause, |at| !at.over);
        at = waited.unwrap_or_else(PoisonError::into_inner).0;
        if at.over {
            break;
        }
        if let Some(stage) = at.stage {
            let _ = write!(err, "\r\x1b[K{}, {:.1} s", words(stage), start.elapsed().as_secs_f32());
            painted = true;
        }
        pause = BETWEEN;
    }
    if painted {
        let _ = write!(err, "\r\x1b[K");
    }
}

fn words(stage: Stage) -> String {
    let count = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    match stage {
        Stage::Measuring { done, of } => format!("{done} of {}", count(of, "case")),
        Stage::Reading { inputs } => format!("reading {}", count(inputs, "input")),
        Stage::Planning { edits } => format!("placing {}", count(edits, "edit")),
        Stage::Writing { files, verify: false } => format!("writing {}", count(files, "file")),
        Stage::Writing { files, verify: true } => {
            format!("writing {} and running the check", count(files, "file"))
        }
    }
}
