//! `--in-place`: a file is written over instead of exchanged. It keeps its inode and its other names, and its
//! folder need not be writable; but readers may see it half written, and a save in the last moment is lost.
//!
//! Both contents lie in the journal's folder before the first byte is changed. What a death leaves is a mix
//! of both, page by page; anything else was saved by somebody since, and stays.

use std::{
    fs::File,
    io::{self, Write},
    os::{fd::OwnedFd, unix::fs::FileExt},
};

use rustix::fs::{Mode, OFlags, Stat};

use super::{fault, journal::Entry, names};
use crate::tree::{
    Image,
    root::{open_leaf, permissions, plain_error, read_image, read_leaf},
};

/// The system writes whole pages.
const PAGE: usize = 4096;
const SET_ID: u32 = 0o6000;

/// The name of a kept content in the journal's folder.
pub(super) fn old_name(at: usize) -> String {
    format!("old-{at}")
}

fn new_name(at: usize) -> String {
    format!("new-{at}")
}

/// Whether a name in the journal's folder is one of these.
pub(super) fn is_kept(name: &[u8]) -> bool {
    name.starts_with(b"old-") || name.starts_with(b"new-")
}

/// Keeps both contents before anything is changed.
pub(super) fn keep(images: &OwnedFd, at: usize, old: &Image, new: &Image, durable: bool) -> io::Result<()> {
    for (name, image) in [(old_name(at), old), (new_name(at), new)] {
        fault::at("stage")?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::openat(images, name, flags, Mode::RUSR | Mode::WUSR)?);
        file.write_all(&image.bytes)?;
        if durable {
            file.sync_data()?;
        }
    }
    Ok(())
}

/// The mode that a file has once its content changed.
pub(super) fn mode_after(after: &Image) -> u32 {
    after.mode & !SET_ID
}

/// Writes over the file that was pinned, if it still is as it was; false if not.
pub(super) fn overwrite(
    dir: &OwnedFd,
    name: &[u8],
    then: Option<&Stat>,
    before: &Image,
    after: &Image,
    durable: bool,
) -> io::Result<bool> {
    let (file, stat) = open(dir, name)?;
    if then.is_none_or(|then| then.st_ino != stat.st_ino) || !is_image(&file, &stat, before) {
        return Ok(false);
    }
    fault::at("overwrite")?;
    put(&file, &after.bytes, mode_after(after), durable)?;
    Ok(true)
}

fn is_image(file: &File, stat: &Stat, image: &Image) -> bool {
    file.try_clone().is_ok_and(|file| read_image(file, stat).is_ok_and(|found| found == *image))
}

/// To be read and written, a regular file only.
fn open(dir: &OwnedFd, name: &[u8]) -> io::Result<(File, Stat)> {
    let other = |refusal: crate::refusal::Refusal| io::Error::other(refusal.to_string());
    open_leaf(dir, name).map_err(other)?.ok_or(io::ErrorKind::NotFound)?;
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = rustix::fs::openat(dir, name, flags, Mode::empty())?;
    let stat = rustix::fs::fstat(&file)?;
    Ok((file.into(), stat))
}

fn put(file: &File, bytes: &[u8], mode: u32, durable: bool) -> io::Result<()> {
    file.write_all_at(bytes, 0)?;
    file.set_len(bytes.len() as u64)?;
    if permissions(&rustix::fs::fstat(file)?) != mode {
        rustix::fs::fchmod(file, Mode::from_raw_mode(mode as _))?;
    }
    if durable { file.sync_all() } else { Ok(()) }
}

/// Writes the old content back over what a run left. What somebody saved since stays; then the old content
/// is kept beside the journal.
pub(super) fn put_back(images: &OwnedFd, at: usize, dir: &OwnedFd, entry: &Entry) -> Result<(), String> {
    let text = |error: io::Error| plain_error(&error);
    let kept = |name: String| read_leaf(images, name.as_bytes()).ok().flatten().map(|(image, _)| image.bytes);
    let (Some(old), Some(new)) = (kept(old_name(at)), kept(new_name(at))) else { return Ok(()) };
    let mode = entry.old.map_or(0o600, |old| old.mode);
    // A file that may not be written was not.
    let stands = read_leaf(dir, entry.path.base()).ok().flatten();
    if stands.is_some_and(|(image, _)| image.bytes == old && image.mode == mode) {
        return Ok(());
    }
    let (file, stat) = open(dir, entry.path.base()).map_err(text)?;
    let now = file.try_clone().map_err(text).and_then(|file| {
        read_image(file, &stat).map(|image| image.bytes).map_err(|refusal| refusal.to_string())
    })?;
    if now == old && permissions(&stat) == mode {
        return Ok(());
    }
    if is_mix(&now, &old, &new) {
        return put(&file, &old, mode, true).map_err(text);
    }
    let name = format!("../kept-{}", String::from_utf8_lossy(&entry.temp));
    names::remove(images, name.as_bytes()).map_err(|error| error.to_string())?;
    rustix::fs::renameat(images, old_name(at), images, &name[..]).map_err(|error| error.to_string())?;
    Err(format!("was changed since; its old content is in tx/{} of the state folder", &name[3..]))
}

/// Each page is of the one content or of the other.
fn is_mix(now: &[u8], old: &[u8], new: &[u8]) -> bool {
    let longest = old.len().max(new.len());
    let page = |bytes: &'_ [u8], at: usize, len: usize| bytes.get(at..at + len).map(<[u8]>::to_vec);
    now.len() <= longest
        && (0..now.len()).step_by(PAGE).all(|at| {
            let len = PAGE.min(now.len() - at);
            let here = page(now, at, len);
            // The page that the old content ends in may hold both: written over up to the new one's end.
            let both = || {
                let cut = new.len().min(at + len).saturating_sub(at);
                let rest = old.get(at + cut..at + len);
                new.get(at..at + cut)
                    .zip(rest)
                    .is_some_and(|(new, old)| now[at..at + len] == [new, old].concat())
            };
            here == page(old, at, len) || here == page(new, at, len) || both()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixes() {
        let (old, new) = (vec![b'o'; 10_000], vec![b'n'; 9_000]);
        let mut half = old.clone();
        half[..4096].fill(b'n');
        let mut written = old.clone();
        written[..9_000].fill(b'n');
        let mut foreign = old.clone();
        foreign[5_000] = b'x';
        for (now, want) in [
            (&old, true),
            (&new, true),
            (&half, true),
            (&written, true),
            (&foreign, false),
            (&vec![b'o'; 10_001], false),
        ] {
            assert_eq!(is_mix(now, &old, &new), want, "{}", now.len());
        }
        assert!(is_mix(&half[..10_000], &new, &old));
    }
}
