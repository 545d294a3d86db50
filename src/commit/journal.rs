//! What a transaction writes down before it acts: enough to undo it, whoever finds it.
//!
//! Text, a line a fact, bytes of paths escaped, and a checksum as the last line. What is read back passes
//! the path rules again: a journal names files in one root, and temporary files of our pattern, or it is
//! no journal.

use std::path::PathBuf;

use super::print::{self, Print};
use crate::tree::RelPath;

const HEAD: &str = "edapply journal 1";

/// Device and inode.
pub(super) type Inode = (u64, u64);

/// What happens to one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Replace,
    Create,
    Remove,
    /// Removed before anything is put in place: it is in the way.
    Clear,
    /// Written over, both contents kept in the journal's folder.
    Overwrite,
}

impl Deed {
    fn code(self) -> char {
        match self {
            Deed::Clear => 'C',
            Deed::Overwrite => 'O',
            other => other.letter(),
        }
    }

    /// The name is gone afterwards.
    pub(super) fn removes(self) -> bool {
        matches!(self, Deed::Remove | Deed::Clear)
    }

    pub(super) fn letter(self) -> char {
        match self {
            Deed::Replace | Deed::Overwrite => 'M',
            Deed::Create => 'A',
            Deed::Remove | Deed::Clear => 'D',
        }
    }
}

/// One name of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub deed: Deed,
    pub path: RelPath,
    /// A name of ours: the new content until the swap, the old image after it.
    pub temp: Vec<u8>,
    /// That name lies beside this path: the entry's own, or one above it whose folder comes or goes.
    pub beside: RelPath,
    pub old: Option<Print>,
    /// Known once it is staged.
    pub new: Option<Print>,
}

impl Entry {
    /// Where names cannot be exchanged, the old image gets this one.
    pub(super) fn spare(&self) -> Vec<u8> {
        [&self.temp[..], b"~"].concat()
    }
}

/// A transaction as it is written down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    pub id: String,
    /// What it was for: `apply`, or `undo ID`.
    pub what: String,
    /// Seconds since 1970.
    pub time: u64,
    pub root: Inode,
    pub root_path: PathBuf,
    /// The folder that the journal lies in: a copy of it elsewhere counts for nothing.
    pub home: Inode,
    /// Folders that are made, outermost first.
    pub made: Vec<RelPath>,
    /// Folders that are made once what stands in their way is gone, outermost first.
    pub late: Vec<RelPath>,
    /// Folders in whose place something else comes, innermost first, with their modes.
    pub gone: Vec<(RelPath, u32)>,
    /// Folders that go in the end if they are empty.
    pub emptied: Vec<RelPath>,
    /// A file outside of the tree that changes with the batch.
    pub beside: Option<PathBuf>,
    pub entries: Vec<Entry>,
}

impl Record {
    pub(super) fn encode(&self) -> Vec<u8> {
        use std::{fmt::Write, os::unix::ffi::OsStrExt};
        let mut text = format!("{HEAD}\nid {}\nwhat {}\ntime {}\n", self.id, self.what, self.time);
        let (root, home) = (self.root, self.home);
        text.reserve(self.entries.len() * 192);
        let path = escape(self.root_path.as_os_str().as_bytes());
        let _ = write!(text, "root {} {} {path}\nhome {} {}\n", root.0, root.1, home.0, home.1);
        for folder in &self.made {
            let _ = writeln!(text, "made {}", escape(folder.as_bytes()));
        }
        for folder in &self.late {
            let _ = writeln!(text, "late {}", escape(folder.as_bytes()));
        }
        for (folder, mode) in &self.gone {
            let _ = writeln!(text, "gone {mode:o} {}", escape(folder.as_bytes()));
        }
        for folder in &self.emptied {
            let _ = writeln!(text, "emptied {}", escape(folder.as_bytes()));
        }
        if let Some(path) = &self.beside {
            let _ = writeln!(text, "beside {}", escape(path.as_os_str().as_bytes()));
        }
        for entry in &self.entries {
            let _ = write!(text, "file {} ", entry.deed.code());
            escape_to(&mut text, &entry.temp);
            if entry.beside != entry.path {
                text.push('@');
                escape_to(&mut text, entry.beside.as_bytes());
            }
            for print in [entry.old, entry.new] {
                text.push(' ');
                spell(&mut text, print);
            }
            text.push(' ');
            escape_to(&mut text, entry.path.as_bytes());
            text.push('\n');
        }
        let sum = print::hash(text.as_bytes());
        let _ = writeln!(text, "sum {sum:032x}");
        text.into_bytes()
    }

    /// Reads one back; `None` if a byte of it is wrong, or a path in it is none that we write.
    pub(super) fn parse(bytes: &[u8]) -> Option<Record> {
        use std::os::unix::ffi::OsStringExt;
        let text = std::str::from_utf8(bytes).ok()?;
        let cut = text.strip_suffix('\n')?.rfind('\n')? + 1;
        let sum = text[cut..].strip_prefix("sum ")?.trim_end();
        if u128::from_str_radix(sum, 16).ok()? != print::hash(&bytes[..cut]) {
            return None;
        }
        let mut lines = text[..cut].lines();
        if lines.next()? != HEAD {
            return None;
        }
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let id = field("id").filter(|id| is_id(id))?.to_owned();
        let what = field("what")?.to_owned();
        let time = field("time")?.parse().ok()?;
        let (root, root_path) = parse_root(field("root")?)?;
        let home = field("home")?.split_once(' ')?;
        let home = (home.0.parse().ok()?, home.1.parse().ok()?);
        let mut record = Record { id, what, time, root, root_path, home, ..Record::default() };
        for line in lines {
            match line.split_once(' ')? {
                ("made", path) => record.made.push(parse_path(path)?),
                ("late", path) => record.late.push(parse_path(path)?),
                ("emptied", path) => record.emptied.push(parse_path(path)?),
                ("beside", path) => {
                    let path = PathBuf::from(std::ffi::OsString::from_vec(unescape(path)?));
                    record.beside = Some(path).filter(|path| path.is_absolute());
                }
                ("gone", rest) => {
                    let (mode, path) = rest.split_once(' ')?;
                    record.gone.push((parse_path(path)?, u32::from_str_radix(mode, 8).ok()?));
                }
                ("file", entry) => record.entries.push(parse_entry(entry)?),
                _ => return None,
            }
        }
        Some(record)
    }

    /// Bytes of all old images.
    pub(super) fn old_size(&self) -> u64 {
        self.entries.iter().filter_map(|entry| entry.old).map(|old| old.size).sum()
    }

    /// The transaction that this one undoes.
    pub(super) fn undoes(&self) -> Option<&str> {
        self.what.strip_prefix("undo ")
    }
}

fn parse_root(text: &str) -> Option<(Inode, PathBuf)> {
    use std::os::unix::ffi::OsStringExt;
    let mut parts = text.splitn(3, ' ');
    let root = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let path = std::ffi::OsString::from_vec(unescape(parts.next()?)?);
    Some((root, path.into()))
}

fn parse_entry(text: &str) -> Option<Entry> {
    let mut parts = text.splitn(5, ' ');
    let deed = match parts.next()? {
        "M" => Deed::Replace,
        "A" => Deed::Create,
        "D" => Deed::Remove,
        "C" => Deed::Clear,
        "O" => Deed::Overwrite,
        _ => return None,
    };
    let temp = parts.next()?;
    let (temp, beside) = match temp.split_once('@') {
        Some((temp, beside)) => (temp, Some(parse_path(beside)?)),
        None => (temp, None),
    };
    let temp = unescape(temp).filter(|temp| is_temp(temp))?;
    let (old, new) = (parse_print(parts.next()?)?, parse_print(parts.next()?)?);
    let path = parse_path(parts.next()?)?;
    let beside = match beside {
        Some(beside) => Some(beside).filter(|beside| path.is_below(beside))?,
        None => path.clone(),
    };
    Some(Entry { deed, path, temp, beside, old, new })
}

fn parse_path(text: &str) -> Option<RelPath> {
    RelPath::parse(&unescape(text)?).ok()
}

fn spell(text: &mut String, print: Option<Print>) {
    use std::fmt::Write;
    let _ = match print {
        None => text.write_char('-'),
        Some(Print { hash, size, mode }) => write!(text, "{hash:032x}:{size}:{mode:o}"),
    };
}

fn parse_print(text: &str) -> Option<Option<Print>> {
    if text == "-" {
        return Some(None);
    }
    let mut parts = text.splitn(3, ':');
    let hash = u128::from_str_radix(parts.next()?, 16).ok()?;
    let size = parts.next()?.parse().ok()?;
    let mode = u32::from_str_radix(parts.next()?, 8).ok()?;
    Some(Some(Print { hash, size, mode }))
}

/// Date, time and microsecond: names sort by age.
pub(super) fn is_id(text: &str) -> bool {
    let digit = |at: usize, b: u8| if at == 8 || at == 15 { b == b'-' } else { b.is_ascii_digit() };
    text.len() == 22 && text.bytes().enumerate().all(|(at, b)| digit(at, b))
}

/// A name that we give to temporary files.
pub(super) fn is_temp(name: &[u8]) -> bool {
    let middle = name.strip_prefix(b".edapply-").and_then(|rest| rest.strip_suffix(b".tmp"));
    middle.is_some_and(|hex| hex.len() == 16 && hex.iter().all(u8::is_ascii_hexdigit))
}

fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    escape_to(&mut text, bytes);
    text
}

fn escape_to(text: &mut String, bytes: &[u8]) {
    use std::fmt::Write;
    for &b in bytes {
        if b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'/' | b'-') {
            text.push(char::from(b));
        } else {
            let _ = write!(text, "%{b:02x}");
        }
    }
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        let digit = |b: Option<u8>| char::from(b?).to_digit(16);
        out.push(match b {
            b'%' => u8::try_from(digit(bytes.next())? * 16 + digit(bytes.next())?).ok()?,
            b => b,
        });
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn record() -> Record {
        let print = |hash| Some(Print { hash, size: 7, mode: 0o755 });
        let entry = |deed, path: &[u8], old, new| Entry {
            deed,
            path: RelPath::trusted(path),
            beside: RelPath::trusted(path),
            temp: b".edapply-00112233aabbccdd.tmp".to_vec(),
            old,
            new,
        };
        Record {
            id: "20261130-164501-000123".into(),
            what: "apply".into(),
            time: 1_796_000_000,
            root: (64, 12),
            root_path: "/home/some one/tree".into(),
            home: (64, 99),
            made: vec![RelPath::trusted("new"), RelPath::trusted("new/deep")],
            late: vec![RelPath::trusted("q")],
            gone: vec![(RelPath::trusted("was"), 0o755)],
            emptied: vec![RelPath::trusted("sub module")],
            beside: Some("/home/some one/tree/.git/index".into()),
            entries: vec![
                Entry { beside: RelPath::trusted("q"), ..entry(Deed::Create, b"q/r", None, print(9)) },
                entry(Deed::Clear, b"q", print(2), None),
                entry(Deed::Replace, b"a b\nc", print(1), print(u128::MAX)),
                entry(Deed::Create, b"new/deep/\xff%", None, print(3)),
                entry(Deed::Remove, b"gone", print(4), None),
            ],
        }
    }

    #[test]
    fn reads_what_it_wrote() {
        assert_eq!(Record::parse(&record().encode()), Some(record()));
    }

    #[test]
    fn a_temporary_file_lies_on_the_way_to_its_target() {
        let mut forged = record();
        forged.entries[0].beside = RelPath::trusted("other/place");
        assert_eq!(Record::parse(&forged.encode()), None);
    }

    #[test]
    fn no_damage_goes_unseen() {
        let whole = record().encode();
        for at in 0..whole.len() {
            assert_eq!(Record::parse(&whole[..at]), None, "cut at {at}");
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert_eq!(Record::parse(&damaged), None, "byte {at}");
        }
    }

    #[test]
    fn paths_pass_the_rules_again() {
        for (path, temp) in [
            ("../out", ".edapply-00112233aabbccdd.tmp"),
            ("/etc/passwd", ".edapply-00112233aabbccdd.tmp"),
            (".git/hooks/post-checkout", ".edapply-00112233aabbccdd.tmp"),
            ("a", "src"),
            ("a", ".edapply-../../etc/pas.tmp"),
        ] {
            let mut forged = record();
            forged.entries[0].path = RelPath::trusted(path);
            forged.entries[0].beside = RelPath::trusted(path);
            forged.entries[0].temp = temp.into();
            assert_eq!(Record::parse(&forged.encode()), None, "{path} {temp}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Record::parse(&bytes);
            prop_assert_eq!(unescape(&escape(&bytes)), Some(bytes));
        }
    }
}
