//! Another program on a case, in a copy of its tree; and a case's own command on what was left.

use std::{
    io,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

use super::{Case, Left, Snapshot};

/// A case's own command may take this long.
const VERIFY: Duration = Duration::from_secs(60);

pub(super) fn apply(case: &Case, line: &str, limit: Duration, before: &Snapshot) -> io::Result<Left> {
    let beside = tempfile::tempdir()?;
    let tree = beside.path().join("tree");
    std::fs::create_dir(&tree)?;
    before.write(&tree)?;
    let reply = std::path::absolute(case.reply())?;
    let mut command = line.replace("{reply}", &quoted(&reply.to_string_lossy()));
    command = command.replace("{dir}", &quoted(&tree.to_string_lossy()));
    command = command.replace("{format}", &quoted(&case.format));
    let status = shell(&command, &tree, &beside.path().join("state"), limit)?;
    Ok(Left { accepted: status, tree: Snapshot::read_or_empty(&tree)? })
}

/// Whether the command is content with the tree.
pub(super) fn verify(command: &str, tree: &Snapshot) -> io::Result<bool> {
    let beside = tempfile::tempdir()?;
    let root = beside.path().join("tree");
    std::fs::create_dir(&root)?;
    tree.write(&root)?;
    Ok(shell(command, &root, &beside.path().join("state"), VERIFY)? == Some(true))
}

/// Runs a line by `sh -c`; `None`: it took too long and was ended with all that it started.
fn shell(line: &str, dir: &Path, state: &Path, limit: Duration) -> io::Result<Option<bool>> {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(dir).env("XDG_STATE_HOME", state).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        if start.elapsed() >= limit {
            end(&mut child);
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn end(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

/// The text as one word of the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
