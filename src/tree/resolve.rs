//! Names as the model meant them.
//!
//! A reply names files with `a/` and `b/` before them, with the repository's name, from a root on
//! another machine, with back-slashes, or by the base name alone. Such a name is taken for a file only
//! if it fits exactly one, and a name that exists as it stands always wins. What no file fits is
//! refused with the closest paths; nothing is ever chosen by likeness.

use std::{collections::BTreeSet, path::Path};

use super::{
    Files, Kind, RelPath,
    closest::{self, Listing},
    path::{components, has_drive_letter},
};
use crate::{
    edit::{Line, Name, Reading},
    refusal::Refusal,
};

/// What the edit needs to stand at its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// A file that is changed, moved or deleted.
    Existing,
    /// A file that is created: never taken for an existing one of a similar name.
    New,
    /// A whole file, which may or may not exist.
    Either,
}

/// Resolves the names of one input, which lend each other evidence.
#[derive(Clone, Debug)]
pub struct Resolver {
    strip: Option<usize>,
    /// All names from diffs begin with `a/`, `b/` or a kin, and not all with the same.
    prefixed: bool,
    /// Leading parts that were found to stand for the root, with their last slash, longest first.
    dropped: Vec<Vec<u8>>,
    listing: Listing,
}

/// How a name may be read, likeliest first; nothing here is proven to exist.
type Readings = Vec<Vec<u8>>;

impl Resolver {
    /// Looks at all names of an input. `strip`: how many components `-p` takes from a diff's names.
    pub fn new(files: &dyn Files, names: &[(&Name<'_>, Want)], strip: Option<usize>) -> Resolver {
        let mut resolver = Resolver {
            strip,
            prefixed: all_prefixed(names),
            dropped: Vec::new(),
            listing: Listing::default(),
        };
        let mut dropped = BTreeSet::new();
        for (name, want) in names.chunk_by(|above, below| above == below).map(|same| &same[0]) {
            if *want != Want::New
                && let Some(part) = resolver.root_part(files, name, *want)
            {
                dropped.insert(part);
            }
        }
        resolver.dropped = dropped.into_iter().collect();
        resolver.dropped.sort_by_key(|part| std::cmp::Reverse(part.len()));
        resolver
    }

    /// The path that `name` means.
    ///
    /// # Errors
    /// A rule for paths is broken, no file fits, or several do.
    pub fn resolve(&self, files: &dyn Files, name: &Name<'_>, want: Want) -> Result<RelPath, Refusal> {
        check(&name.text)?;
        name.other.as_deref().map_or(Ok(()), check)?;
        if let Some(inside) = below_root(files, &name.text) {
            return RelPath::parse(&inside);
        }
        if let Some(path) = self.read_otherwise(files, name, want)? {
            return Ok(path);
        }
        let readings = self.readings(files, name)?;
        if let Some(path) = pick(files, &readings)? {
            return Ok(path);
        }
        if let (Some(other), true) = (&name.other, want == Want::Existing) {
            return self.resolve(
                files,
                &Name { other: None, also: Vec::new(), text: other.clone(), ..*name },
                want,
            );
        }
        if self.is_bound(name) {
            return if want == Want::Existing {
                Err(self.not_found(files, name, &readings))
            } else {
                RelPath::parse(&readings[0])
            };
        }
        let learnt = self.without_dropped(&readings);
        if let Some(path) = pick(files, &learnt)? {
            return Ok(path);
        }
        if want != Want::New
            && let Some((_, path)) = drop_leading(files, &readings, want)?
        {
            return Ok(path);
        }
        if want == Want::Existing {
            return self.by_base_name(files, name, &readings);
        }
        self.fresh(files, name, &readings, learnt.first())
    }

    /// The path that another reading of the name's words gives, if that one holds.
    fn read_otherwise(
        &self,
        files: &dyn Files,
        name: &Name<'_>,
        want: Want,
    ) -> Result<Option<RelPath>, Refusal> {
        if name.also.is_empty() || want == Want::New {
            return Ok(None);
        }
        let file = |text: &[u8]| RelPath::parse(text).ok().filter(|path| files.kind(path) == Kind::File);
        let first = name.also.iter().find_map(|also| match also {
            Reading::First(text) => file(text),
            _ => None,
        });
        if first.is_some() {
            return Ok(first);
        }
        let own = file(&name.text);
        let longer = |also: &Reading<'_>| match also {
            Reading::Longer(text) => file(text),
            _ => None,
        };
        let longer: Vec<RelPath> = name.also.iter().filter_map(longer).chain(own.clone()).collect();
        match &longer[..] {
            [only] => return Ok(Some(only.clone())),
            [] => {}
            several => {
                let paths = several.iter().map(ToString::to_string).collect();
                return Err(Refusal::PathAmbiguous { paths });
            }
        }
        self.read_weakly(files, name, want)
    }

    /// The readings of a name that does not exist as it stands.
    fn read_weakly(
        &self,
        files: &dyn Files,
        name: &Name<'_>,
        want: Want,
    ) -> Result<Option<RelPath>, Refusal> {
        let absolute = name.text.first() == Some(&b'/');
        if absolute && exists_outside(&name.text) {
            return Err(Refusal::PathAbsolute);
        }
        for also in &name.also {
            if let Reading::Bare(text) = also
                && let Ok(path) = self.resolve(files, &Name::plain(text.as_ref()), Want::Existing)
            {
                return Ok(Some(path));
            }
        }
        if want == Want::Either && name.also.contains(&Reading::Existing) {
            return self.resolve(files, &Name { also: Vec::new(), ..name.clone() }, Want::Existing).map(Some);
        }
        Ok(None)
    }

    /// The path that the name of a whole file means, where the content helps to tell a new file from
    /// one whose folder was left out.
    ///
    /// # Errors
    /// As [`Resolver::resolve`].
    pub fn resolve_whole(
        &self,
        files: &dyn Files,
        name: &Name<'_>,
        lines: &[Line<'_>],
    ) -> Result<RelPath, Refusal> {
        let path = self.resolve(files, name, Want::Either)?;
        if files.kind(&path) != Kind::Missing || name.text.contains(&b'/') {
            return Ok(path);
        }
        let [only] = &self.listing.holders(files, path.base())[..] else { return Ok(path) };
        let Some(image) = files.read(only)? else { return Ok(path) };
        match closest::share(&image.bytes, lines) {
            share if share >= 0.5 => Ok(only.clone()),
            share if share < 0.1 => Ok(path),
            _ => Err(Refusal::PathAmbiguous { paths: vec![only.to_string(), format!("{path} (new)")] }),
        }
    }

    /// `-p` says how the name is to be read: nothing is guessed.
    fn is_bound(&self, name: &Name<'_>) -> bool {
        name.from_diff && self.strip.is_some()
    }

    /// The name as a message shows it where no file has it: without what is a sign of diffs.
    pub fn shown(&self, name: &Name<'_>) -> Vec<u8> {
        let stripped = self.strip.map_or_else(
            || diff_prefix(&name.text).filter(|_| self.prefixed).map(<[u8]>::to_vec),
            |count| strip_components(&name.text, count).ok(),
        );
        stripped.filter(|_| name.from_diff).unwrap_or_else(|| name.text.to_vec())
    }

    /// The readings of a name, before anything is dropped from its front.
    fn readings(&self, files: &dyn Files, name: &Name<'_>) -> Result<Readings, Refusal> {
        let text = name.text.as_ref();
        if let (true, Some(count)) = (self.is_bound(name), self.strip) {
            return Ok(vec![strip_components(text, count)?]);
        }
        let literal = text.to_vec();
        let mut out = match diff_prefix(text) {
            Some(rest) if name.from_diff && self.prefixed => {
                if name.other == Some(name.text.clone()) {
                    refuse_two(files, &literal, rest)?;
                }
                vec![rest.to_vec(), literal]
            }
            Some(rest) if name.from_diff => {
                refuse_two(files, &literal, rest)?;
                vec![literal, rest.to_vec()]
            }
            Some(rest) => vec![literal, rest.to_vec()],
            None => vec![literal],
        };
        if text.contains(&b'\\') {
            let escaped: Readings = out.iter().flat_map(|reading| without_backslashes(reading)).collect();
            out.extend(escaped);
        }
        Ok(out)
    }

    /// The readings that begin with a part known to stand for the root, without it.
    fn without_dropped(&self, readings: &Readings) -> Readings {
        let cut = |reading: &Vec<u8>| {
            self.dropped.iter().find_map(|part| reading.strip_prefix(&part[..]).map(<[u8]>::to_vec))
        };
        readings.iter().filter_map(cut).filter(|rest| !rest.is_empty()).collect()
    }

    /// The path of a file that is to be created.
    fn fresh(
        &self,
        files: &dyn Files,
        name: &Name<'_>,
        readings: &Readings,
        learnt: Option<&Vec<u8>>,
    ) -> Result<RelPath, Refusal> {
        if let Some(rest) = learnt {
            return RelPath::parse(rest);
        }
        let text = name.text.as_ref();
        if text.contains(&b'\\') && !(name.from_diff && self.strip.is_some()) {
            return fresh_backslashed(files, readings);
        }
        let literal = &readings[0];
        match diff_prefix(text) {
            Some(rest) if name.from_diff && self.strip.is_none() && !self.prefixed => {
                let top = components(text).next().unwrap_or_default().to_vec();
                let folder = RelPath::parse(&top).is_ok_and(|top| files.kind(&top) == Kind::Folder);
                RelPath::parse(if folder { literal } else { rest })
            }
            _ => RelPath::parse(literal),
        }
    }

    /// A base name alone means the one file that has it.
    fn by_base_name(
        &self,
        files: &dyn Files,
        name: &Name<'_>,
        readings: &Readings,
    ) -> Result<RelPath, Refusal> {
        let bare = |reading: &&Vec<u8>| !reading.contains(&b'/') && !reading.contains(&b'\\');
        let found = readings.iter().find(bare).map(|name| self.listing.holders(files, name));
        match found.as_deref() {
            Some([only]) => Ok(only.clone()),
            Some(several @ [_, ..]) => Err(Refusal::PathAmbiguous {
                paths: several.iter().take(8).map(ToString::to_string).collect(),
            }),
            _ => Err(self.not_found(files, name, readings)),
        }
    }

    fn not_found(&self, files: &dyn Files, written: &Name<'_>, readings: &Readings) -> Refusal {
        let name = readings.iter().find(|reading| !reading.contains(&b'\\')).unwrap_or(&readings[0]);
        let closest = self.listing.closest(files, name);
        if name.first() == Some(&b'/') && closest.is_empty() {
            return Refusal::PathAbsolute;
        }
        let searched = files.root().map(|root| root.to_string_lossy().into_owned());
        let strip = self.strip_that_fits(files, written);
        let above = files.root().and_then(|root| above(root, name));
        Refusal::NoSuchFile { closest, searched, above, strip }
    }

    /// What `-p` should have been, if another number was typed.
    fn strip_that_fits(&self, files: &dyn Files, name: &Name<'_>) -> Option<usize> {
        let fits = |count: &usize| {
            let path = strip_components(&name.text, *count).ok().and_then(|rest| RelPath::parse(&rest).ok());
            path.is_some_and(|path| files.kind(&path) == Kind::File)
        };
        (0..components(&name.text).count()).filter(|_| self.is_bound(name)).find(fits)
    }

    /// The part of an existing file's name that stands for the root.
    fn root_part(&self, files: &dyn Files, name: &Name<'_>, want: Want) -> Option<Vec<u8>> {
        check(&name.text).ok()?;
        if below_root(files, &name.text).is_some() {
            return None;
        }
        let readings = self.readings(files, name).ok()?;
        if pick(files, &readings).ok()?.is_some() {
            return None;
        }
        drop_leading(files, &readings, want).ok()?.map(|(part, _)| part)
    }
}

/// The folder above the root, or the top of its work tree, from which the path names a file. Only that it
/// exists is asked: nothing outside the root is read.
fn above(root: &Path, name: &[u8]) -> Option<String> {
    use std::os::unix::ffi::OsStrExt;
    let path = RelPath::parse(name).ok()?;
    let name = std::ffi::OsStr::from_bytes(path.as_bytes());
    let top = root.ancestors().skip(1).find(|folder| folder.join(".git").symlink_metadata().is_ok());
    let is_file = |folder: &&Path| folder.join(name).symlink_metadata().is_ok_and(|found| found.is_file());
    let found = root.parent().into_iter().chain(top).find(is_file)?;
    Some(found.to_string_lossy().into_owned())
}

/// What is refused whatever may exist.
fn check(name: &[u8]) -> Result<(), Refusal> {
    if name.contains(&0) {
        return Err(Refusal::PathNul);
    }
    if has_drive_letter(name) {
        return Err(Refusal::PathNtfs { what: "a drive letter".into() });
    }
    let relative = name.iter().position(|&b| b != b'/').map_or(&b""[..], |at| &name[at..]);
    RelPath::parse(relative).map(|_| ())
}

/// The name without the root's own absolute path.
fn below_root(files: &dyn Files, name: &[u8]) -> Option<Vec<u8>> {
    use std::os::unix::ffi::OsStrExt;
    if name.first() != Some(&b'/') {
        return None;
    }
    let root = files.root()?.as_os_str().as_bytes();
    let rest = name.strip_prefix(root)?.strip_prefix(b"/")?;
    (root.len() > 1).then(|| rest.to_vec())
}

/// The first reading that exists.
fn pick(files: &dyn Files, readings: &Readings) -> Result<Option<RelPath>, Refusal> {
    for reading in readings.iter().filter(|reading| reading.first() != Some(&b'/')) {
        match RelPath::parse(reading) {
            Ok(path) if files.kind(&path) != Kind::Missing => return Ok(Some(path)),
            Err(Refusal::PathEmpty) | Ok(_) => {}
            Err(refusal) => return Err(refusal),
        }
    }
    Ok(None)
}

/// Without other evidence, `a/x` from a diff is two files if both `a/x` and `x` exist.
fn refuse_two(files: &dyn Files, literal: &[u8], rest: &[u8]) -> Result<(), Refusal> {
    let is_file = |path: &[u8]| RelPath::parse(path).is_ok_and(|path| files.kind(&path) == Kind::File);
    if is_file(literal) && is_file(rest) {
        let paths = [literal, rest].map(|path| String::from_utf8_lossy(path).into_owned()).to_vec();
        return Err(Refusal::PathAmbiguous { paths });
    }
    Ok(())
}

/// The one existing file that a reading ends in, and the part before it: that part exists nowhere, and
/// at least two components are left.
fn drop_leading(
    files: &dyn Files,
    readings: &Readings,
    want: Want,
) -> Result<Option<(Vec<u8>, RelPath)>, Refusal> {
    let mut found: Vec<(Vec<u8>, RelPath)> = Vec::new();
    for reading in readings {
        let absolute = reading.first() == Some(&b'/');
        if absolute && exists_outside(reading) {
            return Err(Refusal::PathAbsolute);
        }
        if !absolute && (first_exists(files, reading) || (want == Want::Either && is_usual_folder(reading))) {
            continue;
        }
        for (part, path) in endings(reading) {
            if files.kind(&path) == Kind::File && found.iter().all(|(_, other)| *other != path) {
                found.push((part.to_vec(), path));
            }
        }
    }
    if found.len() > 1 {
        return Err(Refusal::PathAmbiguous {
            paths: found.iter().map(|(_, path)| path.to_string()).collect(),
        });
    }
    Ok(found.pop())
}

/// Each way to cut a name so that at least two components are left.
fn endings(reading: &[u8]) -> impl Iterator<Item = (&[u8], RelPath)> {
    let cuts = memchr::memchr_iter(b'/', reading).map(|at| at + 1);
    cuts.filter_map(|at| Some((&reading[..at], RelPath::parse(&reading[at..]).ok()?)))
        .filter(|(part, path)| path.as_bytes().contains(&b'/') && components(part).next().is_some())
}

fn first_exists(files: &dyn Files, reading: &[u8]) -> bool {
    let first = components(reading).next().unwrap_or_default();
    RelPath::parse(first).is_ok_and(|first| files.kind(&first) != Kind::Missing)
}

/// A folder that projects create beside their sources with the same names below it: no repository's name.
fn is_usual_folder(reading: &[u8]) -> bool {
    const USUAL: [&[u8]; 20] = [
        b"test",
        b"tests",
        b"spec",
        b"specs",
        b"doc",
        b"docs",
        b"example",
        b"examples",
        b"src",
        b"lib",
        b"bench",
        b"benches",
        b"build",
        b"dist",
        b"tools",
        b"scripts",
        b"config",
        b"assets",
        b"packages",
        b"__tests__",
    ];
    components(reading).next().is_some_and(|first| USUAL.contains(&first))
}

/// Whether an absolute path exists. Only its existence is asked: nothing outside the root is read.
fn exists_outside(absolute: &[u8]) -> bool {
    use std::os::unix::ffi::OsStrExt;
    std::path::Path::new(std::ffi::OsStr::from_bytes(absolute)).symlink_metadata().is_ok()
}

/// Whether the names from diffs carry git's prefixes for certain: all have one, and not all the same.
fn all_prefixed(names: &[(&Name<'_>, Want)]) -> bool {
    let mut seen = BTreeSet::new();
    for (name, _) in names.iter().filter(|(name, _)| name.from_diff) {
        match diff_prefix(&name.text) {
            Some(_) => seen.insert(name.text.first().copied()),
            None => return false,
        };
        if let Some(other) = name.other.as_deref().filter(|other| diff_prefix(other).is_some()) {
            seen.insert(other.first().copied());
        }
    }
    seen.len() > 1 || seen.contains(&Some(b'b'))
}

/// What follows `a/`, `b/` or another prefix that git writes.
fn diff_prefix(name: &[u8]) -> Option<&[u8]> {
    match name {
        [b'a' | b'b' | b'c' | b'i' | b'o' | b'w', b'/', rest @ ..] if !rest.is_empty() => Some(rest),
        _ => None,
    }
}

/// As `-p` counts: a run of slashes is one cut.
fn strip_components(name: &[u8], count: usize) -> Result<Vec<u8>, Refusal> {
    let mut rest = name;
    for _ in 0..count {
        let Some(at) = memchr::memchr(b'/', rest) else { return Err(Refusal::PathEmpty) };
        let run = rest[at..].iter().take_while(|&&b| b == b'/').count();
        rest = &rest[at + run..];
    }
    Ok(rest.to_vec())
}

/// A name with its Markdown escapes undone, and one with back-slashes as separators.
fn without_backslashes(name: &[u8]) -> Readings {
    let mut out = Vec::new();
    let unescaped = unescape(name);
    if unescaped != name {
        out.push(unescaped);
    }
    out.push(name.iter().map(|&b| if b == b'\\' { b'/' } else { b }).collect());
    out
}

/// Undoes `\_` and its kin.
fn unescape(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    let mut bytes = name.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let escapes = byte == b'\\' && bytes.peek().is_some_and(|next| b"_*[]()-.+#!~`".contains(next));
        if !escapes {
            out.push(byte);
        }
    }
    out
}

/// A new file's name with back-slashes: escapes where they are all Markdown's, separators where none is;
/// where they may be either, the folder that exists decides.
fn fresh_backslashed(files: &dyn Files, readings: &Readings) -> Result<RelPath, Refusal> {
    let plain: Vec<&Vec<u8>> = readings.iter().filter(|reading| !reading.contains(&b'\\')).collect();
    match plain[..] {
        [one] => RelPath::parse(one),
        [escaped, split, ..] if first_exists(files, split) && !first_exists(files, escaped) => {
            Err(Refusal::PathAmbiguous {
                paths: [escaped, split].map(|path| String::from_utf8_lossy(path).into_owned()).to_vec(),
            })
        }
        [escaped, ..] => RelPath::parse(escaped),
        [] => RelPath::parse(&readings[0]),
    }
}

#[cfg(test)]
mod tests {
    use super::{Want::*, *};
    use crate::tree::{Image, Memory};

    fn tree(paths: &[&str]) -> Memory {
        let image = Image { bytes: "one\ntwo\nthree\n".into(), mode: 0o644 };
        let files = paths.iter().map(|p| (RelPath::trusted(*p), image.clone())).collect();
        Memory { files }
    }

    fn resolve(paths: &[&str], others: &[(&Name<'_>, Want)], name: &Name<'_>, want: Want) -> String {
        let files = tree(paths);
        let all: Vec<_> = others.iter().copied().chain([(name, want)]).collect();
        match Resolver::new(&files, &all, None).resolve(&files, name, want) {
            Ok(path) => path.to_string(),
            Err(refusal) => format!("{}: {refusal}", refusal.code()),
        }
    }

    fn plain(paths: &[&str], name: &str, want: Want) -> String {
        resolve(paths, &[], &Name::plain(name.as_bytes()), want)
    }

    fn diff(paths: &[&str], name: &str, want: Want) -> String {
        resolve(paths, &[], &Name::diff(name.as_bytes()), want)
    }

    #[test]
    fn other_readings_of_a_name() {
        use Reading::{Bare, Existing, First, Longer};
        let read = |paths: &[&str], text: &'static str, also: &[Reading<'static>], want| {
            resolve(paths, &[], &Name::plain(text.as_bytes()).also(also.to_vec()), want)
        };
        let longer = [Longer(b"my file.txt".into())];
        let bare = [Bare(b"n.txt".into()), Existing];
        for (paths, text, also, want, expected) in [
            (&["my file.txt"][..], "file.txt", &longer[..], Want::Existing, "my file.txt"),
            (&["file.txt"], "file.txt", &longer, Want::Existing, "file.txt"),
            (&["file.txt", "my file.txt"], "file.txt", &longer, Want::Existing, "path-ambiguous"),
            (&["file.txt"], "my file.txt", &[], Want::Existing, "no-such-file"),
            (&["file.txt"], "my file.txt", &[Existing], Want::Either, "no-such-file"),
            (&["my file.txt"], "my file.txt", &[Existing], Want::Either, "my file.txt"),
            (&["e", "d"], "d", &[First(b"e".into())], Want::Existing, "e"),
            (&["d"], "d", &[First(b"then".into())], Want::Existing, "d"),
            (&["n.txt"], "n.txt:12", &bare, Want::Existing, "n.txt"),
            (&["src/n.txt"], "n.txt:12", &bare, Want::Existing, "src/n.txt"),
            (&["n.txt", "n.txt:12"], "n.txt:12", &bare, Want::Existing, "n.txt:12"),
            (&["m.txt"], "<n.txt>", &bare, Want::Either, "no-such-file"),
            (&["n.txt"], "/n.txt", &[Bare(b"n.txt".into())], Want::Existing, "n.txt"),
        ] {
            let found = read(paths, text, also, want);
            let found = found.split_once(": ").map_or(found.as_str(), |(code, _)| code);
            assert_eq!(found, expected, "{text} in {paths:?}");
        }
    }

    #[test]
    fn existing_files_as_models_name_them() {
        let files = ["src/app.py", "lib/x/y.js", "top.txt", "dir_name/f.c"];
        for (name, want) in [
            ("src/app.py", "src/app.py"),
            ("./src/app.py", "src/app.py"),
            ("a/src/app.py", "src/app.py"),
            ("repo/src/app.py", "src/app.py"),
            ("/home/user/repo/src/app.py", "src/app.py"),
            ("app.py", "src/app.py"),
            ("src\\app.py", "src/app.py"),
            ("dir\\_name/f.c", "dir_name/f.c"),
            ("repo\\lib\\x\\y.js", "lib/x/y.js"),
        ] {
            assert_eq!(plain(&files, name, Existing), want, "{name}");
        }
    }

    #[test]
    fn no_file_is_chosen_by_likeness() {
        let files = ["path/to/a/file1.txt", "src/app.py", "tests/app.py"];
        for (name, want) in [
            ("path/to/a/file2.txt", "no-such-file: no such file; closest is path/to/a/file1.txt"),
            ("x/file1.txt", "no-such-file: no such file; closest is path/to/a/file1.txt"),
            ("app.py", "path-ambiguous: the name fits 2 files: src/app.py, tests/app.py"),
            ("../src/app.py", "path-parent: the path climbs out with `..`"),
            ("a/../../x", "path-parent: the path climbs out with `..`"),
            ("..\\x", "path-parent: the path climbs out with `..`"),
        ] {
            assert_eq!(plain(&files, name, Existing), want, "{name}");
        }
        assert!(plain(&files, "C:\\x\\src\\app.py", Existing).starts_with("path-ntfs"));
        assert!(plain(&files, "/nowhere/pwn", New).starts_with("path-absolute"));
        assert!(plain(&files, "/etc/passwd", Existing).starts_with("path-absolute"));
    }

    #[test]
    fn new_files_stand_where_they_are_named() {
        let files = ["a/one.txt", "file.txt", "src/app.py", "pkg/core.py"];
        for (name, want) in [
            ("a/two.txt", "a/two.txt"),
            ("b/two.txt", "b/two.txt"),
            ("newfile.txt", "newfile.txt"),
            ("app.py", "app.py"),
            ("lib/\\_\\_init\\_\\_.py", "lib/__init__.py"),
            ("d\\new.txt", "d/new.txt"),
            ("tests/src/app.py", "tests/src/app.py"),
        ] {
            assert_eq!(plain(&files, name, New), want, "{name}");
        }
        assert_eq!(plain(&files, "tests/src/app.py", Either), "tests/src/app.py");
        assert_eq!(plain(&files, "repo/src/app.py", Either), "src/app.py");
        assert_eq!(diff(&files, "b/new.py", New), "new.py");
        assert_eq!(diff(&["b/x"], "b/x", Existing), "b/x");
    }

    #[test]
    fn a_root_found_once_holds_for_all() {
        let files = ["src/app.py", "src/lib/y.py"];
        let known = Name::plain(&b"/home/user/repo/src/app.py"[..]);
        let new = Name::plain(&b"/home/user/repo/new.py"[..]);
        assert_eq!(resolve(&files, &[(&known, Existing)], &new, New), "new.py");
        let known = Name::diff(&b"a/repo/src/app.py"[..]);
        let new = Name::diff(&b"b/repo/src/new.py"[..]);
        assert_eq!(resolve(&files, &[(&known, Existing)], &new, New), "src/new.py");
    }

    #[test]
    fn diff_names_lose_their_prefix() {
        assert_eq!(diff(&["a/x", "x"], "b/x", Existing), "x");
        assert_eq!(diff(&["a/a/x", "a/x"], "b/a/x", Existing), "a/x");
        assert!(diff(&["a/x", "x"], "a/x", Existing).starts_with("path-ambiguous"));
        assert_eq!(diff(&["src/x"], "src/x", Existing), "src/x");
    }

    #[test]
    fn two_names_in_a_folder_called_as_git_calls_the_new_side() {
        let both = Name::diff(&b"b/x"[..]).or(&b"b/x"[..]);
        assert!(resolve(&["b/x", "x"], &[], &both, Existing).ends_with("2 files: b/x, x"));
        assert_eq!(resolve(&["b/x"], &[], &both, Existing), "b/x");
        assert_eq!(resolve(&["x"], &[], &both, Existing), "x");
    }

    #[test]
    fn a_typed_strip_count_binds() {
        let strip = |paths: &[&str], name: &'static str, count, want| {
            let (files, name) = (tree(paths), Name::diff(name.as_bytes()));
            let resolver = Resolver::new(&files, &[(&name, want)], Some(count));
            resolver
                .resolve(&files, &name, want)
                .map_or_else(|r| r.code().to_owned(), |path| path.to_string())
        };
        assert_eq!(strip(&["a/x", "x"], "a/x", 0, Existing), "a/x");
        assert_eq!(strip(&["src/x"], "a/src/x", 0, Existing), "no-such-file");
        assert_eq!(strip(&["src/x"], "a/x", 1, Existing), "no-such-file");
        assert_eq!(strip(&["x"], "b/x", 0, New), "b/x");
        assert_eq!(strip(&["x", "src/x"], "a/src/x", 2, Existing), "x");
    }

    #[test]
    fn messages_show_names_without_git_s_prefix() {
        let (files, name) = (tree(&["x"]), Name::diff(&b"b/src/y"[..]));
        let resolver = Resolver::new(&files, &[(&name, Existing)], None);
        assert_eq!(resolver.shown(&name), b"src/y");
        assert_eq!(resolver.shown(&Name::plain(&b"b/src/y"[..])), b"b/src/y");
    }

    #[test]
    fn strip_counts_as_patch_does() {
        assert_eq!(strip_components(b"a//b/c", 1).expect("two left"), b"b/c");
        assert_eq!(strip_components(b"f", 1), Err(Refusal::PathEmpty));
    }

    #[test]
    fn content_tells_a_new_file_from_one_without_its_folder() {
        let files = tree(&["src/app.py"]);
        let name = Name::plain(&b"app.py"[..]);
        let lines = |text: &'static str| -> Vec<Line<'static>> {
            text.lines().map(|l| Line { text: l.as_bytes().into(), eol: crate::text::Eol::Lf }).collect()
        };
        let whole = |text| {
            let resolver = Resolver::new(&files, &[(&name, Either)], None);
            resolver.resolve_whole(&files, &name, &lines(text)).map(|p| p.to_string())
        };
        assert_eq!(whole("one\ntwo\nTHREE"), Ok("src/app.py".into()));
        assert_eq!(whole("quite\nother"), Ok("app.py".into()));
    }
}
