//! Commands that the caller named, run in the root.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::{commit::Signals, plan::Change};

/// No more of an output is looked at.
const MAX_OUTPUT: u64 = 1 << 20;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Exit(ExitStatus),
    /// It took longer than it may.
    Late,
    /// We were told to stop.
    Stopped,
}

impl Ended {
    pub(super) fn is_success(self) -> bool {
        matches!(self, Ended::Exit(status) if status.success())
    }

    /// What became of it, as the end of a sentence.
    pub(super) fn said(self, limit: Duration) -> String {
        match self {
            Ended::Exit(status) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("exited with {code}"),
                (None, Some(signal)) => format!("was ended by signal {signal}"),
                (None, None) => "ended".into(),
            },
            Ended::Late => format!("did not finish in {} s", limit.as_secs()),
            Ended::Stopped => "was stopped".into(),
        }
    }
}

/// Runs a command by `sh -c` in `root`, with the changed files in `EDAPPLY_FILES`, one a line. Gives the
/// last of what it wrote. What it started and left running ends with it, if it ran out of time.
pub(super) fn run(
    command: &str,
    root: &Path,
    changes: &[Change],
    limit: Duration,
    signals: &Signals,
) -> io::Result<(Ended, Vec<u8>)> {
    let output = tempfile::tempfile()?;
    let files: Vec<&[u8]> = changes.iter().map(|change| change.path.as_bytes()).collect();
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(root).process_group(0);
    shell.env(
        "EDAPPLY_FILES",
        <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(&files.join(&b'\n')),
    );
    shell.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output.try_clone()?);
    let mut child = shell.spawn()?;
    let ended = wait(&mut child, limit, signals);
    if !matches!(ended, Ok(Ended::Exit(_))) {
        end(&mut child);
    }
    Ok((ended?, last_of(output)?))
}

fn wait(child: &mut Child, limit: Duration, signals: &Signals) -> io::Result<Ended> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended::Exit(status));
        }
        if signals.came() {
            return Ok(Ended::Stopped);
        }
        if start.elapsed() >= limit {
            return Ok(Ended::Late);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

fn end(child: &mut Child) {
    if let Ok(id) = i32::try_from(child.id())
        && let Some(group) = Pid::from_raw(id)
    {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

fn last_of(mut output: File) -> io::Result<Vec<u8>> {
    let size = output.seek(SeekFrom::End(0))?;
    output.seek(SeekFrom::Start(size.saturating_sub(MAX_OUTPUT)))?;
    let mut bytes = Vec::new();
    output.take(MAX_OUTPUT).read_to_end(&mut bytes)?;
    Ok(bytes)
}
