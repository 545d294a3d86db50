//! Which version of which file was read: what `--require-read` goes by.
//!
//! One line a reading, appended in one write, so that runs at the same time need no lock; the last line
//! of a path counts. Whoever loses a line has to read again, which is the safe side.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs::File,
    io::{self, Read, Write},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use rustix::fs::{Mode, OFlags};
use sha2::{Digest, Sha256};

use super::state::{self, State};
use crate::tree::{RelPath, Root};

const NAME: &str = "read";
/// A ledger that grew beyond is written anew, with the latest reading of each path.
const LARGE: u64 = 1 << 20;
/// How many paths a ledger written anew keeps.
const KEPT: usize = 5_000;
/// More is never read.
const MOST: u64 = 64 << 20;

/// A version of a file, told by its content.
pub type Version = [u8; 32];

/// The version that these bytes are.
pub fn version(bytes: &[u8]) -> Version {
    Sha256::digest(bytes).into()
}

/// A version as 64 hexadecimal digits.
pub fn shown(version: &Version) -> String {
    version.iter().fold(String::with_capacity(64), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// 64 hexadecimal digits as a version.
pub fn parse(digits: &str) -> Option<Version> {
    let digits = digits.as_bytes();
    let mut version = [0; 32];
    if digits.len() != 64 {
        return None;
    }
    for (byte, pair) in version.iter_mut().zip(digits.chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    digits.iter().all(u8::is_ascii_hexdigit).then_some(version)
}

/// A reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub version: Version,
    /// Seconds since 1970.
    pub time: u64,
}

/// What was read of the files below a root.
#[derive(Debug, Default)]
pub struct Ledger {
    /// By absolute path.
    readings: BTreeMap<Vec<u8>, Reading>,
}

impl Ledger {
    /// The readings that are remembered for `root`; a state folder that cannot be used holds none.
    pub fn open(root: &Root, named: Option<&Path>) -> Ledger {
        let mut ledger = Ledger::default();
        for place in state::places(root, named) {
            let Ok(Some(state)) = place.open() else { continue };
            let Ok(text) = read(&state) else { continue };
            for (path, reading) in lines(&text) {
                let known = ledger.readings.entry(path).or_insert(reading);
                if known.time <= reading.time {
                    *known = reading;
                }
            }
        }
        ledger
    }

    /// Whether anything was ever remembered for `root`.
    pub fn stands(root: &Root, named: Option<&Path>) -> bool {
        let stands = |state: State| open(&state, NAME, OFlags::RDONLY).is_ok();
        state::places(root, named).iter().any(|place| place.open().ok().flatten().is_some_and(stands))
    }

    /// The last reading of a file.
    pub fn reading(&self, root: &Root, path: &RelPath) -> Option<Reading> {
        self.readings.get(&absolute(root, path)).copied()
    }
}

/// Remembers that these versions are known to the caller.
///
/// # Errors
/// No state folder can be made, or written.
pub fn remember(root: &Root, named: Option<&Path>, files: &[(RelPath, Version)]) -> io::Result<()> {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut text = Vec::new();
    for (path, version) in files {
        line(&mut text, &absolute(root, path), &Reading { version: *version, time });
    }
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for place in state::places(root, named) {
        match place.make().and_then(|state| append(&state, &text)) {
            Ok(()) => return Ok(()),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn absolute(root: &Root, path: &RelPath) -> Vec<u8> {
    let whole: PathBuf = root.path().join(std::ffi::OsStr::from_bytes(path.as_bytes()));
    whole.as_os_str().as_bytes().to_vec()
}

fn open(state: &State, name: &str, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(rustix::fs::openat(&state.dir, name, flags, Mode::RUSR | Mode::WUSR)?.into())
}

fn read(state: &State) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    open(state, NAME, OFlags::RDONLY)?.take(MOST).read_to_end(&mut text)?;
    Ok(text)
}

fn append(state: &State, text: &[u8]) -> io::Result<()> {
    let mut file = open(state, NAME, OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND)?;
    if file.metadata()?.len() > LARGE {
        shorten(state)?;
        file = open(state, NAME, OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND)?;
    }
    file.write_all(text)
}

/// Writes the latest reading of each path anew, the oldest left out.
fn shorten(state: &State) -> io::Result<()> {
    let text = read(state)?;
    let latest: BTreeMap<Vec<u8>, Reading> = lines(&text).collect();
    let mut latest: Vec<(Vec<u8>, Reading)> = latest.into_iter().collect();
    latest.sort_by_key(|(_, reading)| std::cmp::Reverse(reading.time));
    let mut out = Vec::new();
    latest.iter().take(KEPT).for_each(|(path, reading)| line(&mut out, path, reading));
    let temp = format!("{NAME}.{}", std::process::id());
    open(state, &temp, OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)?.write_all(&out)?;
    rustix::fs::renameat(&state.dir, &temp, &state.dir, NAME)?;
    Ok(())
}

fn line(out: &mut Vec<u8>, path: &[u8], reading: &Reading) {
    out.extend_from_slice(format!("{} {} ", shown(&reading.version), reading.time).as_bytes());
    for &byte in path {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\\' => out.extend_from_slice(b"\\\\"),
            byte => out.push(byte),
        }
    }
    out.push(b'\n');
}

/// All whole lines that can be read.
fn lines(text: &[u8]) -> impl Iterator<Item = (Vec<u8>, Reading)> {
    text.split(|&b| b == b'\n').filter_map(|line| {
        let mut fields = line.splitn(3, |&b| b == b' ');
        let version = parse(std::str::from_utf8(fields.next()?).ok()?)?;
        let time = std::str::from_utf8(fields.next()?).ok()?.parse().ok()?;
        Some((unescape(fields.next()?), Reading { version, time }))
    })
}

fn unescape(path: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(path.len());
    let mut bytes = path.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\\' if bytes.as_slice().first() == Some(&b'n') => {
                bytes.next();
                out.push(b'\n');
            }
            b'\\' => out.extend(bytes.next()),
            byte => out.push(byte),
        }
    }
    out
}

/// A time as people read it: `2026-11-30 16:05:09 UTC`.
pub fn clock(time: u64) -> String {
    let (days, seconds) = (time / 86_400, time % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// The civil date of a day counted from 1970-01-01, by 400-year eras that begin in March.
fn date(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_known() {
        let base = tempfile::tempdir().expect("a folder");
        let (tree, dir) = (base.path().join("tree"), base.path().join("state"));
        std::fs::create_dir_all(tree.join("sub")).expect("folders");
        let root = Root::open(&tree).expect("a root");
        let (path, odd) = (RelPath::trusted("sub/a"), RelPath::trusted(&b"od\\d\nname\xff"[..]));
        assert!(!Ledger::stands(&root, Some(&dir)));
        remember(&root, Some(&dir), &[(path.clone(), version(b"1")), (odd.clone(), version(b"2"))])
            .expect("written");
        remember(&root, Some(&dir), &[(path.clone(), version(b"3"))]).expect("written");
        let ledger = Ledger::open(&root, Some(&dir));
        assert!(Ledger::stands(&root, Some(&dir)));
        let known = |path: &RelPath| ledger.reading(&root, path).map(|reading| reading.version);
        assert_eq!((known(&path), known(&odd)), (Some(version(b"3")), Some(version(b"2"))));
        assert_eq!(known(&RelPath::trusted("a")), None);
    }

    #[test]
    fn a_large_ledger_is_shortened_and_bad_lines_are_passed_over() {
        let base = tempfile::tempdir().expect("a folder");
        let dir = base.path().join("state");
        let root = Root::open(base.path()).expect("a root");
        let path = RelPath::trusted("a");
        remember(&root, Some(&dir), &[(path.clone(), version(b"1"))]).expect("written");
        let file =
            std::fs::read_dir(&dir).expect("a folder").next().expect("one").expect("one").path().join(NAME);
        let mut text = std::fs::read(&file).expect("readable");
        let one = text.clone();
        text.extend(b"nonsense\nff 1\n".repeat(80_000));
        text.extend_from_slice(&one[..one.len() - 1]);
        text.push(b'\n');
        std::fs::write(&file, text).expect("written");
        remember(&root, Some(&dir), &[(path.clone(), version(b"2"))]).expect("written");
        assert_eq!(std::fs::read(&file).expect("readable").len(), 2 * one.len());
        let ledger = Ledger::open(&root, Some(&dir));
        assert_eq!(ledger.reading(&root, &path).map(|reading| reading.version), Some(version(b"2")));
    }

    #[test]
    fn versions_and_times() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(shown(&version(b"")), empty);
        assert_eq!(parse(empty), Some(version(b"")));
        assert_eq!(parse(&empty.to_uppercase()), Some(version(b"")));
        for bad in ["", "e3b0", &empty.replace('e', "+"), &empty.replace('e', "x")] {
            assert_eq!(parse(bad), None, "{bad}");
        }
        for (time, want) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399, "2000-02-28 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (1_796_083_509, "2026-12-01 00:05:09 UTC"),
        ] {
            assert_eq!(clock(time), want);
        }
    }
}
