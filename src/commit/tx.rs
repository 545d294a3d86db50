//! The folder of one transaction: `intent` before anything is staged, `journal` before anything is
//! swapped, `committed` once it stands. Each takes its name by a rename, so that none is seen half written.

use std::{
    fs::File,
    io::{self, Write},
    os::fd::OwnedFd,
    time::{SystemTime, UNIX_EPOCH},
};

use rustix::{
    fs::{AtFlags, Mode, OFlags},
    io::Errno,
};

use super::{
    batch::write_out,
    beside, fault, in_place,
    journal::{Record, is_id},
    names,
    state::{State, own_folder},
};
use crate::tree::root::{inode, open_leaf, read_image};

pub(super) const INTENT: &str = "intent";
pub(super) const JOURNAL: &str = "journal";
pub(super) const COMMITTED: &str = "committed";
const DRAFT: &str = "draft";

/// An open transaction folder.
#[derive(Debug)]
pub(super) struct Tx {
    /// `STATE/tx`.
    all: OwnedFd,
    pub dir: OwnedFd,
    pub id: String,
    /// What is written reaches the disk before the next step.
    pub durable: bool,
}

/// What an unfinished transaction folder holds.
#[derive(Debug)]
pub(super) enum Stage {
    /// Nothing that counts: it died before it wrote its intent, or after it was tidied.
    Empty,
    Intent(Record),
    Journal(Record),
    Committed(Record),
    Damaged,
}

impl Tx {
    /// A new one; the record gets its name, its time and its home.
    pub(super) fn begin(state: &State, record: &mut Record, durable: bool) -> io::Result<Tx> {
        let all = own_folder(&state.dir, "tx", true)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut micros = u64::try_from(now.as_micros()).unwrap_or(0);
        record.time = now.as_secs();
        loop {
            record.id = stamp(micros);
            match rustix::fs::mkdirat(&all, &record.id[..], Mode::RWXU) {
                Err(Errno::EXIST) => micros += 1,
                other => break other?,
            }
        }
        let tx = Tx { dir: own_folder(&all, &record.id, false)?, all, id: record.id.clone(), durable };
        record.home = inode(&tx.dir)?;
        let written = tx.put(INTENT, &record.encode());
        let written = written.and_then(|()| tx.sync(&tx.all)).and_then(|()| tx.sync(&state.dir));
        match written {
            Ok(()) => Ok(tx),
            Err(error) => {
                tx.remove();
                Err(error)
            }
        }
    }

    /// From here on the journal can undo whatever was done.
    pub(super) fn prepare(&self, record: &Record) -> io::Result<()> {
        fault::at("prepare")?;
        self.put(JOURNAL, &record.encode())
    }

    /// The point of commit.
    pub(super) fn commit(&self) -> io::Result<()> {
        fault::at("commit")?;
        rustix::fs::renameat(&self.dir, JOURNAL, &self.dir, COMMITTED)?;
        // The edit stands; a folder that is not written out here will be by the system.
        let _ = self.sync(&self.dir);
        Ok(())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.dir, DRAFT, flags, Mode::RUSR | Mode::WUSR)?;
        let mut file = File::from(file);
        file.write_all(bytes)?;
        if self.durable {
            file.sync_data()?;
        }
        rustix::fs::renameat(&self.dir, DRAFT, &self.dir, name)?;
        self.sync(&self.dir)
    }

    /// Folders of the state are open for reading, and so can be written out as they are.
    fn sync(&self, dir: &OwnedFd) -> io::Result<()> {
        if self.durable { write_out(dir) } else { Ok(()) }
    }

    /// An old one.
    pub(super) fn open(state: &State, id: &str) -> io::Result<Tx> {
        let all = own_folder(&state.dir, "tx", false)?;
        let dir = own_folder(&all, id, false)?;
        Ok(Tx { all, dir, id: id.to_owned(), durable: true })
    }

    pub(super) fn stage(&self) -> Stage {
        let read = |name| read_record(&self.dir, name);
        match (read(COMMITTED), read(JOURNAL), read(INTENT)) {
            (Some(record), _, _) => record.map_or(Stage::Damaged, Stage::Committed),
            (None, Some(record), _) => record.map_or(Stage::Damaged, Stage::Journal),
            (None, None, Some(Some(record))) => Stage::Intent(record),
            // An intent takes its name whole, before anything is staged: a damaged one staged nothing.
            (None, None, _) => Stage::Empty,
        }
    }

    /// The folder goes; what cannot be removed waits for the next run.
    pub(super) fn remove(&self) {
        let remove = |name: &str| names::remove(&self.dir, name.as_bytes());
        let remove_folder = || rustix::fs::unlinkat(&self.all, &self.id[..], AtFlags::REMOVEDIR);
        // After most runs nothing else is left.
        let _ = remove(INTENT);
        if remove_folder() == Err(Errno::NOTEMPTY) {
            for name in [DRAFT, JOURNAL, COMMITTED, beside::NAME] {
                let _ = remove(name);
            }
            self.remove_images();
            let _ = remove_folder();
        }
    }

    /// The contents of files that were written over.
    fn remove_images(&self) {
        let Ok(entries) = rustix::fs::Dir::read_from(&self.dir) else { return };
        for entry in entries.flatten().filter(|entry| in_place::is_kept(entry.file_name().to_bytes())) {
            let _ = rustix::fs::unlinkat(&self.dir, entry.file_name(), AtFlags::empty());
        }
    }
}

/// `None`: not there; `Some(None)`: damaged.
pub(super) fn read_record(dir: &OwnedFd, name: &str) -> Option<Option<Record>> {
    match open_leaf(dir, name.as_bytes()) {
        Ok(None) => None,
        Ok(Some((file, stat))) => {
            Some(read_image(file, &stat).ok().and_then(|image| Record::parse(&image.bytes)))
        }
        Err(_) => Some(None),
    }
}

/// The names in `STATE/tx`, oldest first.
pub(super) fn list(state: &State) -> io::Result<Vec<String>> {
    list_folder(state, "tx").map(|names| names.into_iter().filter(|name| is_id(name)).collect())
}

/// The names in a folder of the state, sorted; none if it is not there.
pub(super) fn list_folder(state: &State, name: &str) -> io::Result<Vec<String>> {
    let dir = match own_folder(&state.dir, name, false) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut found = Vec::new();
    for entry in rustix::fs::Dir::read_from(&dir)? {
        if let Ok(name) = entry?.file_name().to_str() {
            found.push(name.to_owned());
        }
    }
    found.retain(|name| name != "." && name != "..");
    found.sort();
    Ok(found)
}

/// `20261130-164501-000123`, of microseconds since 1970.
fn stamp(micros: u64) -> String {
    let (date, clock) = calendar(micros / 1_000_000);
    format!("{}-{}-{:06}", date.replace('-', ""), clock.replace(':', ""), micros % 1_000_000)
}

/// Seconds since 1970 as `2026-11-30` and `16:45:01`, UTC.
pub(super) fn calendar(seconds: u64) -> (String, String) {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days are counted from 1 March of the year 0, so that the leap day is the last of its year.
    let day = days + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) =
        (era * 400 + year + u64::from(month > 9), if month > 9 { month - 9 } else { month + 3 });
    let clock = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    (format!("{year:04}-{month:02}-{date:02}"), clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_their_dates() {
        for (seconds, date, clock) in [
            (0, "1970-01-01", "00:00:00"),
            (951_782_399, "2000-02-28", "23:59:59"),
            (951_782_400, "2000-02-29", "00:00:00"),
            (1_709_251_199, "2024-02-29", "23:59:59"),
            (1_796_057_101, "2026-11-30", "16:45:01"),
            (4_107_542_400, "2100-03-01", "00:00:00"),
        ] {
            assert_eq!(calendar(seconds), (date.into(), clock.into()), "{seconds}");
        }
        assert!(is_id(&stamp(1_796_057_101_000_123)));
        assert_eq!(stamp(1_796_057_101_000_123), "20261130-164501-000123");
    }
}
