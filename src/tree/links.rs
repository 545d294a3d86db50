//! Where symbolic links lead.
//!
//! Nothing is read or written through a link; what a link that we make says is checked all the same, since
//! other programs will follow it.

use std::collections::VecDeque;

use super::{Files, RelPath};
use crate::refusal::Refusal;

/// More links than this on the way are a circle.
const MAX_LINKS: usize = 40;
/// A longer target is none that the system takes.
const MAX_TARGET: usize = 4095;
/// Files by which git steers itself: it refuses them as links too.
const STEERING: [&str; 4] = [".gitmodules", ".gitattributes", ".gitignore", ".mailmap"];

/// A new link at `path`, with all files as the plan leaves them: it leads to a place beneath the root,
/// both by its letters and through the links that stand on its way.
///
/// # Errors
/// It leads outside, into a version-control folder, or in a circle; or it is a file by which git steers.
pub fn check_target(files: &dyn Files, path: &RelPath, target: &[u8]) -> Result<(), Refusal> {
    let name = RelPath::trusted(path.base()).fold();
    if STEERING.contains(&&name[..]) {
        return Err(Refusal::SpecialMode { what: "a link in place of a file by which git steers" });
    }
    if target.is_empty() || target.len() > MAX_TARGET || target.iter().any(|b| matches!(b, 0 | b'\n')) {
        return Err(Refusal::Malformed { what: "the link's target is no path".into() });
    }
    let folder: Vec<Vec<u8>> = parts(path.parent().as_ref().map_or(b"", RelPath::as_bytes)).collect();
    let by_letter = walk(folder.clone(), target, &mut |_| None);
    by_letter.and_then(|_| walk(folder, target, &mut |path| link_at(files, path))).map_err(
        |stop| match stop {
            Stop::Outside => Refusal::LinkOutside { target: String::from_utf8_lossy(target).into_owned() },
            Stop::Rule(refusal) => refusal,
        },
    )?;
    Ok(())
}

/// The path that `path` means once the links on the way to it and at it are followed.
pub(super) fn follow(files: &dyn Files, path: &RelPath) -> Result<RelPath, Refusal> {
    let found = walk(Vec::new(), path.as_bytes(), &mut |path| link_at(files, path));
    let outside = || Refusal::LinkOutside { target: path.to_string() };
    match found {
        Ok(Some(path)) => Ok(path),
        Ok(None) | Err(Stop::Outside) => Err(outside()),
        Err(Stop::Rule(refusal)) => Err(refusal),
    }
}

enum Stop {
    Outside,
    Rule(Refusal),
}

fn parts(path: &[u8]) -> impl DoubleEndedIterator<Item = Vec<u8>> {
    path.split(|b| *b == b'/').filter(|part| !part.is_empty()).map(<[u8]>::to_vec)
}

fn link_at(files: &dyn Files, path: &RelPath) -> Option<Vec<u8>> {
    files.image(path).ok().flatten().filter(super::Image::is_link).map(|image| image.bytes.into())
}

/// From a folder along a path; `None`: it ends at the root itself.
fn walk(
    mut done: Vec<Vec<u8>>,
    path: &[u8],
    link: &mut dyn FnMut(&RelPath) -> Option<Vec<u8>>,
) -> Result<Option<RelPath>, Stop> {
    if path.first() == Some(&b'/') {
        return Err(Stop::Outside);
    }
    let mut todo: VecDeque<Vec<u8>> = parts(path).collect();
    let mut links = 0;
    while let Some(part) = todo.pop_front() {
        match &part[..] {
            b"." => continue,
            b".." => {
                done.pop().ok_or(Stop::Outside)?;
                continue;
            }
            _ => done.push(part),
        }
        let here = RelPath::parse(&done.join(&b'/')).map_err(Stop::Rule)?;
        let Some(target) = link(&here) else { continue };
        links += 1;
        if links > MAX_LINKS || target.first() == Some(&b'/') {
            return Err(Stop::Outside);
        }
        done.pop();
        parts(&target).rev().for_each(|part| todo.push_front(part));
    }
    if done.is_empty() {
        return Ok(None);
    }
    RelPath::parse(&done.join(&b'/')).map(Some).map_err(Stop::Rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Image, Memory};

    fn tree(links: &[(&str, &str)]) -> Memory {
        let link = |(path, target): &(&str, &str)| (RelPath::trusted(*path), Image::link(*target));
        Memory { files: links.iter().map(link).collect() }
    }

    #[test]
    fn targets() {
        let links = [("up", "a/.."), ("a/top", ".."), ("out", "/etc"), ("round", "round"), ("deep", "a/b/c")];
        for (path, target, code) in [
            ("sub/d/l", "../../keep", "ok"),
            ("l", "x", "ok"),
            ("l", ".", "ok"),
            ("l", "deep/x", "ok"),
            ("l", "../x", "link-outside"),
            ("a/l", "../../x", "link-outside"),
            ("l", "x/../../y", "link-outside"),
            ("l", "/etc/passwd", "link-outside"),
            ("l", "a/top/../secret", "link-outside"),
            ("l", "out/passwd", "link-outside"),
            ("l", "round/x", "link-outside"),
            ("l", ".git", "path-git-dir"),
            ("l", "up/.GIT/hooks", "path-git-dir"),
            (".gitmodules", "x", "special-mode"),
            ("a/.GitIgnore", "x", "special-mode"),
            ("l", "", "malformed"),
            ("l", "a\nb", "malformed"),
            ("l", "a\0b", "malformed"),
        ] {
            let checked = check_target(&tree(&links), &RelPath::trusted(path), target.as_bytes());
            assert_eq!(checked.map_or_else(|refusal| refusal.code(), |()| "ok"), code, "{path} -> {target}");
        }
    }

    #[test]
    fn ends_of_links() {
        let files = tree(&[("l", "d/m"), ("d/m", "../e/f"), ("out", "../x"), ("sub", "d")]);
        let end = |path: &str| {
            follow(&files, &RelPath::trusted(path)).map_or_else(|r| r.code().to_owned(), |p| p.to_string())
        };
        assert_eq!(
            ["l", "plain/x", "sub/m", "out", "sub"].map(end),
            ["e/f", "plain/x", "e/f", "link-outside", "d"]
        );
    }
}
