//! The real file system beneath one folder.
//!
//! The root is opened once; everything else is opened beneath that descriptor and never through a
//! symbolic link, so that neither a name nor a tree that changes meanwhile leads outside. Where the
//! kernel has no `openat2`, a walk from component to component gives the same answers; the walk also
//! says *which* component is at fault.

use std::{
    borrow::Borrow,
    fs::File,
    io::Read,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rustix::{
    fs::{AtFlags, FileType, Mode, OFlags, Stat},
    io::Errno,
};

use super::{
    Buffer, Files, Image, Kind, RelPath,
    dates::{self, Dates},
    index, links,
};
use crate::refusal::Refusal;

/// Larger files are refused.
pub const MAX_FILE: u64 = 1 << 30;
/// Files are compared in pieces of this many bytes.
const PIECE: usize = 128 << 10;

/// Folders are opened to search in them, which needs no right to list them.
#[cfg(target_os = "linux")]
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

const LEAF: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// How folders beneath the root are opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// One call of the kernel; the walk only to explain what failed.
    Kernel,
    Walk,
}

/// A folder that nothing leaves.
#[derive(Debug)]
pub struct Root {
    dir: OwnedFd,
    path: PathBuf,
    way: Way,
    /// Nothing on other file systems counts.
    one_device: bool,
    index: OnceLock<Vec<RelPath>>,
    dot_git: OnceLock<Option<PathBuf>>,
}

impl Root {
    /// Opens a folder; it may be a symbolic link itself.
    ///
    /// # Errors
    /// It does not exist, is no folder, or may not be searched.
    pub fn open(path: &Path) -> std::io::Result<Root> {
        let flags = FOLDER.difference(OFlags::NOFOLLOW);
        let way = if cfg!(target_os = "linux") { Way::Kernel } else { Way::Walk };
        let dir = rustix::fs::open(path, flags, Mode::empty())?;
        let path = path.canonicalize()?;
        Ok(Root { dir, path, way, one_device: false, index: OnceLock::new(), dot_git: OnceLock::new() })
    }

    /// The same root, closed towards other file systems.
    pub fn within_device(mut self) -> Root {
        self.one_device = true;
        self
    }

    /// The folder's own path, links resolved.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The nearest `.git` in the folder or above it, whatever that is; looked for once.
    pub(crate) fn dot_git(&self) -> Option<&Path> {
        let stands = |git: &PathBuf| git.symlink_metadata().is_ok();
        let find = || self.path.ancestors().map(|folder| folder.join(".git")).find(stands);
        self.dot_git.get_or_init(find).as_deref()
    }

    /// The folder's device and inode.
    pub(crate) fn inode(&self) -> std::io::Result<(u64, u64)> {
        inode(&self.dir)
    }

    /// The folder `path` (`None`: the root itself), opened beneath the root; `None` if nothing stands there.
    ///
    /// # Errors
    /// A link or a file on the way.
    pub fn folder(&self, path: Option<&RelPath>) -> Result<Option<OwnedFd>, Refusal> {
        let Some(path) = path else {
            return self.dir.try_clone().map(Some).map_err(|error| unreadable(&error));
        };
        match self.way {
            Way::Kernel => match beneath(&self.dir, path, self.one_device) {
                Ok(dir) => Ok(Some(dir)),
                Err(Errno::NOENT) => Ok(None),
                Err(Errno::XDEV) if self.one_device => Err(Refusal::OtherDevice { folder: path.to_string() }),
                Err(_) => self.walk(path),
            },
            Way::Walk => self.walk(path),
        }
    }

    /// Opens one component after the other, and names the one that may not be passed.
    fn walk(&self, path: &RelPath) -> Result<Option<OwnedFd>, Refusal> {
        let mut dir = self.dir.try_clone().map_err(|error| unreadable(&error))?;
        let mut passed = 0;
        for part in path.parts() {
            passed += part.len() + usize::from(passed > 0);
            if matches!(part, b".." | b"." | b"") {
                return Err(Refusal::PathParent);
            }
            let so_far = || String::from_utf8_lossy(&path.as_bytes()[..passed]).into_owned();
            dir = match rustix::fs::openat(&dir, part, FOLDER, Mode::empty()) {
                Ok(next) => next,
                Err(Errno::NOENT) => return Ok(None),
                Err(Errno::LOOP | Errno::NOTDIR) => {
                    return Err(match stat_leaf(&dir, part)?.map(|stat| kind_of(&stat)) {
                        Some(FileType::Symlink) => Refusal::PathThroughSymlink { link: so_far() },
                        _ => Refusal::PathThroughFile { on_the_way: so_far() },
                    });
                }
                Err(error) => return Err(unreadable(&error.into())),
            };
            let device = |dir: &OwnedFd| inode(dir).map(|(device, _)| device).map_err(|e| unreadable(&e));
            if self.one_device && device(&dir)? != device(&self.dir)? {
                return Err(Refusal::OtherDevice { folder: so_far() });
            }
        }
        Ok(Some(dir))
    }

    /// A regular file opened for reading, with what is known of it; `None` if nothing stands there.
    ///
    /// # Errors
    /// A link on the way or as target, no regular file, unreadable.
    pub fn open_file(&self, path: &RelPath) -> Result<Option<(File, Stat)>, Refusal> {
        let Some(dir) = self.folder(path.parent().as_ref())? else { return Ok(None) };
        open_leaf(&dir, path.base())
    }

    /// The same root without `openat2`, as on kernels that lack it.
    #[cfg(test)]
    fn walking(mut self) -> Root {
        self.way = Way::Walk;
        self
    }
}

impl Files for Root {
    fn read(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        match self.open_file(path)? {
            Some((file, stat)) => read_image(file, &stat).map(Some),
            None => Ok(None),
        }
    }

    fn image(&self, path: &RelPath) -> Result<Option<Image>, Refusal> {
        let Some(dir) = self.folder(path.parent().as_ref())? else { return Ok(None) };
        Ok(read_leaf(&dir, path.base())?.map(|(image, _)| image))
    }

    fn follow(&self, path: &RelPath) -> Result<RelPath, Refusal> {
        links::follow(self, path)
    }

    fn kind(&self, path: &RelPath) -> Kind {
        kind_at(self.folder(path.parent().as_ref()), path)
    }

    fn root(&self) -> Option<&Path> {
        Some(&self.path)
    }

    fn paths(&self) -> Vec<RelPath> {
        self.index.get_or_init(|| index::walk(&self.path)).clone()
    }
}

#[cfg(target_os = "linux")]
fn beneath(dir: &OwnedFd, path: &RelPath, one_device: bool) -> Result<OwnedFd, Errno> {
    use rustix::fs::ResolveFlags;
    let device = if one_device { ResolveFlags::NO_XDEV } else { ResolveFlags::empty() };
    let rules = device | ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    rustix::fs::openat2(dir, path.as_bytes(), FOLDER, Mode::empty(), rules)
}

#[cfg(not(target_os = "linux"))]
fn beneath(_: &OwnedFd, _: &RelPath, _: bool) -> Result<OwnedFd, Errno> {
    Err(Errno::NOSYS)
}

/// Opens a regular file in an open folder. What it is gets asked first, since opening a device may act,
/// and again afterwards, since it may have been exchanged.
pub(crate) fn open_leaf(dir: &OwnedFd, name: &[u8]) -> Result<Option<(File, Stat)>, Refusal> {
    let Some(stat) = stat_leaf(dir, name)? else { return Ok(None) };
    check_regular(&stat)?;
    open_regular(dir, name)
}

/// The same of a file that was just seen to be regular.
fn open_regular(dir: &OwnedFd, name: &[u8]) -> Result<Option<(File, Stat)>, Refusal> {
    let file = match rustix::fs::openat(dir, name, LEAF, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) => return Err(Refusal::TargetSymlink),
        Err(error) => return Err(unreadable(&error.into())),
    };
    let stat = rustix::fs::fstat(&file).map_err(|error| unreadable(&error.into()))?;
    check_regular(&stat)?;
    Ok(Some((file.into(), stat)))
}

/// Reads the file or the link under a name in an open folder.
pub(crate) fn read_leaf(dir: &OwnedFd, name: &[u8]) -> Result<Option<(Image, Stat)>, Refusal> {
    match open_leaf(dir, name) {
        Err(Refusal::TargetSymlink) => {}
        Err(refusal) => return Err(refusal),
        Ok(None) => return Ok(None),
        Ok(Some((file, stat))) => return Ok(Some((read_image(file, &stat)?, stat))),
    }
    let Some(stat) = stat_leaf(dir, name)? else { return Ok(None) };
    match rustix::fs::readlinkat(dir, name, Vec::new()) {
        Ok(target) => Ok(Some((Image::link(target.into_bytes()), stat))),
        // Something else stands there since.
        Err(Errno::INVAL) => Err(Refusal::TargetSymlink),
        Err(error) => Err(unreadable(&error.into())),
    }
}

/// What the system says of the file or link under a name, if exactly this image stands there. A file is compared
/// piece by piece, so that a large one needs no second copy in memory.
pub(crate) fn leaf_is(dir: &OwnedFd, name: &[u8], image: &Image) -> Result<Option<Stat>, Refusal> {
    if image.is_link() {
        return Ok(read_leaf(dir, name)?.filter(|(found, _)| found == image).map(|(_, stat)| stat));
    }
    match file_is(dir, name, image) {
        Ok(found) => Ok(found.map(|(_, stat)| stat)),
        Err(Refusal::TargetSymlink) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

/// The same for a regular file, with the file that was looked at; a link in its place is refused.
pub(crate) fn file_is(dir: &OwnedFd, name: &[u8], image: &Image) -> Result<Option<(File, Stat)>, Refusal> {
    let Some((file, stat)) = open_leaf(dir, name)? else { return Ok(None) };
    let alike = permissions(&stat) == image.mode && stat.st_size as u64 == image.bytes.len() as u64;
    let same = alike && holds(&file, &image.bytes).map_err(|error| unreadable(&error))?;
    Ok(same.then_some((file, stat)))
}

/// What tells one state of a file from another without a look at its content.
#[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // their widths differ between systems
pub(crate) fn mark(stat: &Stat) -> [i128; 7] {
    [
        i128::from(permissions(stat)),
        stat.st_ino as i128,
        stat.st_size as i128,
        stat.st_mtime as i128,
        stat.st_mtime_nsec as i128,
        stat.st_ctime as i128,
        stat.st_ctime_nsec as i128,
    ]
}

/// What the system said of a file when it was read: while it says the same, the file holds the same, unless
/// somebody writes through a mapping of it, which not every file system dates.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    stat: Stat,
    /// It has no extended attributes.
    pub bare: bool,
    /// Whoever writes it after it was read gives it another time.
    settled: bool,
}

impl PartialEq for Seen {
    fn eq(&self, other: &Seen) -> bool {
        let all = |seen: &Seen| (mark(&seen.stat), seen.bare, seen.settled);
        all(self) == all(other)
    }
}

impl Eq for Seen {}

impl Seen {
    /// Of a file that is about to be read; `now` is a moment before it was looked at.
    pub(crate) fn at(file: &File, stat: Stat, now: SystemTime) -> Seen {
        let settled = match dates::of(file, &stat) {
            Dates::Unsure => false,
            Dates::BySteps => is_settled(&stat, now),
            Dates::BySight => true,
        };
        Seen { stat, bare: is_bare(file), settled }
    }

    /// Nobody wrote to it since.
    pub(crate) fn is_still(&self, stat: &Stat) -> bool {
        self.settled && mark(&self.stat) == mark(stat)
    }

    /// What the system said, if that will tell whether somebody wrote to it since.
    pub(crate) fn settled(&self) -> Option<Stat> {
        self.settled.then_some(self.stat)
    }
}

/// A file's times go on in steps: of a clock's tick, or where none has a fraction of a second, of seconds.
#[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // their widths differ between systems
fn is_settled(stat: &Stat, now: SystemTime) -> bool {
    let step =
        if stat.st_ctime_nsec as i64 == 0 { Duration::from_secs(3) } else { Duration::from_millis(100) };
    let changed = Duration::new(u64::try_from(stat.st_ctime).unwrap_or(0), stat.st_ctime_nsec as u32);
    let now = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    now.checked_sub(changed).is_some_and(|age| age > step)
}

/// It has no extended attributes.
#[cfg(target_os = "linux")]
pub(crate) fn is_bare(file: &File) -> bool {
    matches!(rustix::fs::flistxattr(file, &mut [0_u8; 8][..]), Ok(0) | Err(Errno::NOTSUP))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn is_bare(_: &File) -> bool {
    true
}

/// The file's bytes are these, no more and no less.
fn holds(mut file: &File, mut bytes: &[u8]) -> std::io::Result<bool> {
    // With room for a byte more, the first read shows the end as well.
    let mut piece = vec![0; (bytes.len() + 1).min(PIECE)];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(bytes.is_empty()),
            Ok(read) if read == bytes.len() && read < piece.len() => return Ok(piece[..read] == *bytes),
            Ok(read) if bytes.starts_with(&piece[..read]) => bytes = &bytes[read..],
            Ok(_) => return Ok(false),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// What stands under a name in an open folder, links not followed.
pub(crate) fn stat_leaf(dir: &OwnedFd, name: &[u8]) -> Result<Option<Stat>, Refusal> {
    match rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(unreadable(&error.into())),
    }
}

/// What stands at `path`, whose folder was found, or not.
pub(crate) fn kind_at<D: Borrow<OwnedFd>>(folder: Result<Option<D>, Refusal>, path: &RelPath) -> Kind {
    let dir = match folder {
        Ok(Some(dir)) => dir,
        Ok(None) | Err(Refusal::PathThroughFile { .. }) => return Kind::Missing,
        Err(_) => return Kind::Other,
    };
    match stat_leaf(dir.borrow(), path.base()).map(|found| found.map(|stat| kind_of(&stat))) {
        Ok(None) => Kind::Missing,
        Ok(Some(FileType::RegularFile)) => Kind::File,
        Ok(Some(FileType::Directory)) => Kind::Folder,
        _ => Kind::Other,
    }
}

/// The folder in which this process runs: whoever started it there stands in it still.
pub(crate) fn is_current(dir: &OwnedFd, name: &[u8]) -> bool {
    let there = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW);
    let (Ok(here), Ok(there)) = (rustix::fs::stat("."), there) else { return false };
    (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)
}

/// Reads a file, with what the system said of it. `is_file`: it was just seen to be regular.
pub(crate) fn read_seen(dir: &OwnedFd, name: &[u8], is_file: bool) -> Result<Option<(Image, Seen)>, Refusal> {
    let now = SystemTime::now();
    let opened = if is_file { open_regular(dir, name) } else { open_leaf(dir, name) };
    let Some((file, stat)) = opened? else { return Ok(None) };
    let seen = Seen::at(&file, stat, now);
    Ok(Some((read_image(file, &stat)?, seen)))
}

/// Reads an open file whole.
pub(crate) fn read_image(file: File, stat: &Stat) -> Result<Image, Refusal> {
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    let too_large = || Refusal::TooLarge { what: "the file is over 1 GiB".into() };
    if size > MAX_FILE {
        return Err(too_large());
    }
    let size = usize::try_from(size).unwrap_or(0);
    let mut bytes = Buffer::with_capacity(size + 1);
    // With room for a byte more, the first read shows the end as well.
    let whole = bytes.read(&file);
    if whole != Ok(size) || size == 0 {
        bytes.read_on((&file).take(MAX_FILE + 1)).map_err(|error| unreadable(&error))?;
    }
    if bytes.len() as u64 > MAX_FILE {
        return Err(too_large());
    }
    Ok(Image { bytes: bytes.into(), mode: permissions(stat) })
}

/// How much to reserve for an open file's content, of which more than so much is never read.
pub(crate) fn room_for(file: &File, most: u64) -> usize {
    let size = file.metadata().map_or(0, |meta| meta.len().min(most));
    usize::try_from(size).unwrap_or(0) + 1
}

/// The device and inode of what is open.
#[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // their widths differ between systems
pub(crate) fn inode(file: &OwnedFd) -> std::io::Result<(u64, u64)> {
    let stat = rustix::fs::fstat(file)?;
    Ok((stat.st_dev as u64, stat.st_ino as u64))
}

/// The permission bits, set-id and sticky among them.
pub(crate) fn permissions(stat: &Stat) -> u32 {
    #[allow(clippy::useless_conversion)] // 16 bits wide on some systems
    let mode = u32::from(stat.st_mode);
    mode & 0o7777
}

fn kind_of(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

fn check_regular(stat: &Stat) -> Result<(), Refusal> {
    let what = match kind_of(stat) {
        FileType::RegularFile => return Ok(()),
        FileType::Symlink => return Err(Refusal::TargetSymlink),
        FileType::Directory => "a folder",
        FileType::Fifo => "a FIFO",
        FileType::Socket => "a socket",
        FileType::BlockDevice | FileType::CharacterDevice => "a device",
        _ => "something else",
    };
    Err(Refusal::TargetNotFile { what })
}

fn unreadable(error: &std::io::Error) -> Refusal {
    Refusal::Unreadable { why: plain_error(error) }
}

/// An I/O error in the system's words, without Rust's `(os error 13)`.
pub(crate) fn plain_error(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_lowercase(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// `f`, `sub/g`, links and a FIFO; beside it an outside with a secret.
    fn world() -> (tempfile::TempDir, Root) {
        let base = tempfile::tempdir().expect("a folder");
        let work = base.path().join("work");
        std::fs::create_dir_all(work.join("sub/deep")).expect("folders");
        std::fs::create_dir(base.path().join("outside")).expect("a folder");
        std::fs::write(base.path().join("outside/f"), "secret").expect("a file");
        std::fs::write(work.join("f"), "old\n").expect("a file");
        std::fs::write(work.join("sub/g"), "g\n").expect("a file");
        std::fs::set_permissions(work.join("sub/g"), PermissionsExt::from_mode(0o750)).expect("a mode");
        symlink("../outside", work.join("l")).expect("a link");
        symlink("sub", work.join("inside")).expect("a link");
        symlink("f", work.join("lf")).expect("a link");
        rustix::fs::mkfifoat(rustix::fs::CWD, work.join("fifo"), Mode::from_raw_mode(0o644)).expect("a FIFO");
        let root = Root::open(&work).expect("a root");
        (base, root)
    }

    fn said(root: &Root, path: &str) -> String {
        match root.read(&RelPath::trusted(path)) {
            Ok(Some(image)) => format!("{:o} {}", image.mode, String::from_utf8_lossy(&image.bytes)),
            Ok(None) => "nothing".into(),
            Err(refusal) => refusal.code().into(),
        }
    }

    #[test]
    fn what_was_seen_counts_only_while_nothing_was_written() {
        let (base, root) = world();
        let look = || {
            let (file, stat) = root.open_file(&RelPath::trusted("f")).expect("opened").expect("there");
            let changed = Duration::new(stat.st_ctime as u64, stat.st_ctime_nsec as u32);
            (file, stat, UNIX_EPOCH + changed)
        };
        let (file, stat, changed) = look();
        assert!(!is_settled(&stat, changed + Duration::from_millis(5)), "in the same tick");
        assert!(!is_settled(&stat, changed - Duration::from_secs(5)), "of the future");
        assert!(is_settled(&stat, changed + Duration::from_secs(5)));
        let seen = Seen::at(&file, stat, changed + Duration::from_secs(5));
        assert!(seen.is_still(&stat) && seen.bare);
        std::fs::write(base.path().join("work/f"), "new\n").expect("written");
        let written = rustix::fs::futimens(
            &file,
            &rustix::fs::Timestamps {
                last_access: rustix::fs::Timespec { tv_sec: 1, tv_nsec: 0 },
                last_modification: rustix::fs::Timespec {
                    tv_sec: stat.st_mtime as _,
                    tv_nsec: stat.st_mtime_nsec as _,
                },
            },
        );
        written.expect("dated back");
        let (_, now, later) = look();
        assert!(later == changed || !seen.is_still(&now), "a time that was set back");
        std::fs::write(base.path().join("work/f"), "longer\n").expect("written");
        assert!(!seen.is_still(&look().1));
    }

    #[test]
    fn reads_beneath_and_nowhere_else_in_both_ways() {
        let (_base, kernel) = world();
        let walk = Root::open(kernel.path()).expect("a root").walking();
        for root in [&kernel, &walk] {
            for (path, want) in [
                ("f", "644 old\n"),
                ("sub/g", "750 g\n"),
                ("nope", "nothing"),
                ("no/such/folder", "nothing"),
                ("sub", "target-not-file"),
                ("fifo", "target-not-file"),
                ("lf", "target-symlink"),
                ("l/f", "path-through-symlink"),
                ("inside/g", "path-through-symlink"),
                ("f/x", "path-through-file"),
            ] {
                assert_eq!(said(root, path), want, "{path} by {:?}", root.way);
            }
        }
    }

    #[test]
    fn a_bad_parent_is_not_followed_even_if_trusted() {
        let (_base, root) = world();
        assert_ne!(said(&root, "../outside/f"), "644 secret");
    }

    #[test]
    fn a_file_is_an_image_or_not() {
        let (base, root) = world();
        let dir = root.folder(None).expect("a root").expect("a folder");
        let long = vec![b'x'; PIECE + 7];
        std::fs::write(base.path().join("work/long"), &long).expect("a file");
        let image = |bytes: &[u8], mode| Image { bytes: bytes.into(), mode };
        for (name, image, want) in [
            ("f", image(b"old\n", 0o644), true),
            ("f", image(b"old\n", 0o600), false),
            ("f", image(b"old", 0o644), false),
            ("f", image(b"old\nmore", 0o644), false),
            ("f", image(b"", 0o644), false),
            ("long", image(&long, 0o644), true),
            ("long", image(&[&long[1..], b"y"].concat(), 0o644), false),
            ("nope", image(b"", 0o644), false),
            ("lf", image(b"old\n", 0o644), false),
            ("lf", Image::link(b"f".to_vec()), true),
            ("lf", Image::link(b"g".to_vec()), false),
            ("f", Image::link(b"old\n".to_vec()), false),
        ] {
            let found = leaf_is(&dir, name.as_bytes(), &image).expect("readable").is_some();
            assert_eq!(found, want, "{name} {:o} {} bytes", image.mode, image.bytes.len());
        }
    }

    #[test]
    fn names_what_stands_there() {
        let (_base, root) = world();
        let kind = |path: &str| root.kind(&RelPath::trusted(path));
        assert_eq!(kind("f"), Kind::File);
        assert_eq!(kind("sub"), Kind::Folder);
        assert_eq!(kind("sub/x"), Kind::Missing);
        assert_eq!(kind("f/x"), Kind::Missing);
        assert_eq!([kind("fifo"), kind("lf"), kind("l/f")], [Kind::Other; 3]);
    }

    #[test]
    fn the_root_itself_may_be_a_link() {
        let (base, _) = world();
        symlink("work", base.path().join("w")).expect("a link");
        let root = Root::open(&base.path().join("w")).expect("a root");
        assert_eq!(said(&root, "f"), "644 old\n");
    }
}
