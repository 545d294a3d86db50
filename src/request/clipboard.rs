//! The clipboard, through the program that the system has for it.

use std::{
    env,
    ffi::OsStr,
    io::Read,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::report::{Failure, escape};

/// Programs that print the clipboard, the best first.
const PROGRAMS: [(&str, &[&str]); 6] = [
    ("pbpaste", &[]),
    ("wl-paste", &["--no-newline"]),
    ("xclip", &["-selection", "clipboard", "-out"]),
    ("xsel", &["--clipboard", "--output"]),
    ("powershell.exe", POWERSHELL),
    ("powershell", POWERSHELL),
];

const POWERSHELL: &[&str] = &[
    "-NoProfile",
    "-NonInteractive",
    "-Command",
    "[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Clipboard -Raw",
];

/// A program that takes longer is given up: one that waits for a display never ends.
const PATIENCE: Duration = Duration::from_secs(10);

/// All that the clipboard holds, up to `limit` bytes and one more.
///
/// # Errors
/// No such program is there, or the one that is fails.
pub(super) fn read(limit: u64) -> Result<Vec<u8>, Failure> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = PROGRAMS.iter().find_map(|(name, args)| Some((name, find(&path, name)?, args)));
    let Some((name, program, args)) = found else {
        let why =
            "no program to read the clipboard is on the PATH (pbpaste, wl-paste, xclip, xsel or powershell)";
        return Err(Failure::trouble("no-clipboard", why.into()));
    };
    run(&program, args, limit).map_err(|why| {
        let message = format!("{name} cannot read the clipboard: {}", escape::text(&why));
        let advice = format!(
            "Look why {name} fails (it may need a display), or save the text to a file and name that."
        );
        Failure { advice: Some(advice), ..Failure::trouble("no-clipboard", message) }
    })
}

/// The program in a folder of the PATH. Folders that are not named in full are passed by: what lies in the
/// current folder may be a stranger's.
fn find(path: &OsStr, name: &str) -> Option<PathBuf> {
    let runs = |file: &PathBuf| {
        file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    env::split_paths(path).filter(|folder| folder.is_absolute()).map(|folder| folder.join(name)).find(runs)
}

fn run(program: &Path, args: &[&str], limit: u64) -> Result<Vec<u8>, String> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let collect = |pipe: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = pipe.map(|pipe| pipe.take(limit.saturating_add(1)).read_to_end(&mut bytes));
            read.transpose().map(|_| bytes)
        })
    };
    let out = collect(child.stdout.take().map(|pipe| Box::new(pipe) as _));
    let said = collect(child.stderr.take().map(|pipe| Box::new(pipe) as _));
    let ended = wait(&mut child)?;
    let gather = |thread: std::thread::JoinHandle<std::io::Result<Vec<u8>>>| {
        thread.join().map_err(|_| "its output is lost".to_owned())?.map_err(|error| error.to_string())
    };
    if ended {
        return gather(out);
    }
    let said = String::from_utf8_lossy(&gather(said)?).into_owned();
    Err(said.lines().next().unwrap_or("it failed and does not say why").to_owned())
}

/// Whether it succeeded.
fn wait(child: &mut Child) -> Result<bool, String> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(status.success());
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("it did not finish in {} s", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
