//! Where the repository is: what git itself would find from the current folder, without a process.

use std::{
    ffi::{OsStr, OsString},
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        fs::MetadataExt,
    },
    path::{Path, PathBuf},
};

use super::config::{AskGit, Config, flag, path_value};

/// What stands around the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The top of the work tree, or the current folder.
    pub top: PathBuf,
    /// The current folder below the top; ends in a slash unless empty.
    pub prefix: Vec<u8>,
    /// The repository's own folder, if there is one, and the one that its work trees share.
    pub git_dir: Option<PathBuf>,
    pub common_dir: PathBuf,
    /// Digits of an object name.
    pub id_size: usize,
    /// No work tree holds the current folder.
    pub bare: bool,
}

/// Why nothing is known of the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    AskGit,
    /// Something is in the way; git's words.
    Fatal(Vec<u8>),
    /// A repository, but one that is not for us: outside, with a warning.
    Warned(String),
}

impl From<AskGit> for Lost {
    fn from(_: AskGit) -> Lost {
        Lost::AskGit
    }
}

/// A candidate for the repository's folder.
struct Found {
    git_dir: PathBuf,
    /// The folder that holds `.git`; none if the repository was found without one.
    work_tree: Option<PathBuf>,
    /// Named by the caller.
    explicit: bool,
}

/// Looks around from `here`. `caller` is what holds for all repositories of the caller.
///
/// # Errors
/// Git has to be asked, or what it would die of.
pub fn place(here: &Path, caller: &dyn Fn() -> Result<Config, AskGit>) -> Result<Place, Lost> {
    let outside = Place { top: here.to_owned(), id_size: 40, ..Place::default() };
    match find(here, caller)? {
        Some(found) => {
            let shown = shown(here, &found);
            settle(here, found).map_err(|lost| match lost {
                // It is said twice: when looking for the repository, and for its configuration.
                Lost::Warned(text) => {
                    Lost::Warned(format!("{text}\nwarning: ignoring git dir '{shown}': {text}"))
                }
                other => other,
            })
        }
        None => Ok(outside),
    }
}

/// The repository's folder as git would name it.
fn shown(here: &Path, found: &Found) -> String {
    let dir = &found.git_dir;
    let near = !found.explicit && dir.parent() == Some(here) && dir.ends_with(".git");
    match near {
        true => ".git".into(),
        false if dir == here => ".".into(),
        false => dir.to_string_lossy().into_owned(),
    }
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from)
}

/// A switch in the environment.
fn switch(name: &str, unset: bool) -> Result<bool, AskGit> {
    match std::env::var_os(name) {
        Some(value) => flag(value.as_bytes()).ok_or(AskGit),
        None => Ok(unset),
    }
}

fn find(here: &Path, caller: &dyn Fn() -> Result<Config, AskGit>) -> Result<Option<Found>, Lost> {
    if let Some(dir) = variable("GIT_DIR") {
        let dir = here.join(dir);
        let dir = match git_file(&dir)? {
            Some(named) => named,
            None if is_git_dir(&dir)? => dir,
            None => return Ok(None),
        };
        return Ok(Some(Found { git_dir: dir, work_tree: None, explicit: true }));
    }
    let ceiling = ceiling(here);
    let across = switch("GIT_DISCOVERY_ACROSS_FILESYSTEM", false)?;
    let device = |path: &Path| std::fs::metadata(path).map(|meta| meta.dev()).map_err(|_| Lost::AskGit);
    let first = device(here)?;
    for folder in here.ancestors() {
        if folder != here && ceiling.as_deref().is_some_and(|ceiling| ceiling.starts_with(folder)) {
            return Ok(None);
        }
        if folder != here && !across && device(folder)? != first {
            return Ok(None);
        }
        let dot = folder.join(".git");
        let named = git_file(&dot)?;
        let file = named.is_some();
        if let Some(git_dir) = named.or(if is_git_dir(&dot)? { Some(dot.clone()) } else { None }) {
            let owned = [Some(folder), file.then_some(&dot), Some(&git_dir)];
            let safe = is_safe(&owned, folder, caller)?;
            let found = Found { git_dir, work_tree: Some(folder.to_owned()), explicit: false };
            return Ok(safe.then_some(found));
        }
        if is_git_dir(folder)? {
            let safe = is_bare_allowed(folder, caller)? && is_safe(&[Some(folder)], folder, caller)?;
            let found = Found { git_dir: folder.to_owned(), work_tree: None, explicit: false };
            return Ok(safe.then_some(found));
        }
    }
    Ok(None)
}

/// The lowest folder above `here` that is not looked into; nor are those above it.
fn ceiling(here: &Path) -> Option<PathBuf> {
    let text = std::env::var_os("GIT_CEILING_DIRECTORIES")?;
    let mut literal = false;
    let mut lowest: Option<PathBuf> = None;
    for entry in text.as_bytes().split(|b| *b == b':') {
        if entry.is_empty() {
            // Those behind an empty one hold no links that must be followed.
            literal = true;
            continue;
        }
        let path = Path::new(OsStr::from_bytes(entry));
        if !path.is_absolute() {
            continue;
        }
        let path = if literal { Ok(path.to_owned()) } else { std::fs::canonicalize(path) };
        let Ok(path) = path else { continue };
        let above = path != here && here.starts_with(&path);
        if above && lowest.as_ref().is_none_or(|lowest| path.starts_with(lowest)) {
            lowest = Some(path);
        }
    }
    lowest
}

/// The folder that a `.git` file names; none if it is no file.
fn git_file(path: &Path) -> Result<Option<PathBuf>, Lost> {
    let Ok(meta) = std::fs::metadata(path) else { return Ok(None) };
    if !meta.is_file() {
        return Ok(None);
    }
    let fatal =
        |text: &str, path: &Path| Lost::Fatal([text.as_bytes(), path.as_os_str().as_bytes()].concat());
    if meta.len() > 1 << 20 {
        return Err(Lost::AskGit);
    }
    let text = std::fs::read(path).map_err(|_| Lost::AskGit)?;
    let Some(name) = text.strip_prefix(b"gitdir: ") else {
        return Err(fatal("invalid gitfile format: ", path));
    };
    let name = without_line_end(name);
    if name.is_empty() {
        return Err(fatal("no path in gitfile: ", path));
    }
    let named = Path::new(OsStr::from_bytes(name));
    let dir = path.parent().unwrap_or(Path::new("/")).join(named);
    if !is_git_dir(&dir)? {
        return Err(fatal("not a git repository: ", &dir));
    }
    std::fs::canonicalize(dir).map(Some).map_err(|_| Lost::AskGit)
}

fn without_line_end(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|b| !matches!(b, b'\n' | b'\r')).map_or(0, |at| at + 1);
    &text[..end]
}

/// It has a head, objects and refs.
fn is_git_dir(dir: &Path) -> Result<bool, Lost> {
    if !is_head(&dir.join("HEAD")) {
        return Ok(false);
    }
    let common = common_dir(dir)?;
    let objects = variable("GIT_OBJECT_DIRECTORY").unwrap_or_else(|| common.join("objects"));
    let enters = |path: &Path| rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
    Ok(enters(&objects) && enters(&common.join("refs")))
}

fn is_head(path: &Path) -> bool {
    let Ok(meta) = std::fs::symlink_metadata(path) else { return false };
    if meta.is_symlink() {
        return std::fs::read_link(path).is_ok_and(|to| to.as_os_str().as_bytes().starts_with(b"refs/"));
    }
    let Ok(text) = std::fs::read(path) else { return false };
    match text.strip_prefix(b"ref:") {
        Some(rest) => rest.trim_ascii_start().starts_with(b"refs/"),
        None => text.len() >= 40 && text[..40].iter().all(u8::is_ascii_hexdigit),
    }
}

/// The folder that several work trees share.
fn common_dir(git_dir: &Path) -> Result<PathBuf, Lost> {
    if let Some(dir) = variable("GIT_COMMON_DIR") {
        return Ok(dir);
    }
    match std::fs::read(git_dir.join("commondir")) {
        Ok(text) => {
            let name = OsString::from_vec(without_line_end(&text).to_vec());
            std::fs::canonicalize(git_dir.join(name)).map_err(|_| Lost::AskGit)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(git_dir.to_owned()),
        Err(_) => Err(Lost::AskGit),
    }
}

/// All of it is ours, or the caller said that it is to be trusted.
fn is_safe(
    owned: &[Option<impl AsRef<Path>>],
    names: &Path,
    caller: &dyn Fn() -> Result<Config, AskGit>,
) -> Result<bool, Lost> {
    let foreign = switch("GIT_TEST_ASSUME_DIFFERENT_OWNER", false)?;
    if !foreign && owned.iter().flatten().all(|path| is_ours(path.as_ref())) {
        return Ok(true);
    }
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let Some(names) = real(names) else { return Ok(false) };
    let mut safe = false;
    for value in caller()?.safe_directories() {
        match &value[..] {
            b"" => safe = false,
            b"*" => safe = true,
            value => {
                let path = path_value(value)?;
                if !path.is_absolute() && value != b"." {
                    return Err(Lost::AskGit);
                }
                safe |= match value.strip_suffix(b"/*") {
                    Some(_) => real(path.parent().unwrap_or(&path))
                        .is_some_and(|above| names != above && names.starts_with(above)),
                    None => real(&path).is_some_and(|path| path == names),
                };
            }
        }
    }
    Ok(safe)
}

fn is_ours(path: &Path) -> bool {
    let Ok(meta) = std::fs::symlink_metadata(path) else { return false };
    let user = rustix::process::geteuid().as_raw();
    if user != 0 || meta.uid() == 0 {
        return meta.uid() == user;
    }
    let behind = std::env::var("SUDO_UID").ok().and_then(|user| user.parse().ok());
    meta.uid() == behind.unwrap_or(user)
}

/// A repository without a work tree counts unless the caller wants it named.
fn is_bare_allowed(dir: &Path, caller: &dyn Fn() -> Result<Config, AskGit>) -> Result<bool, Lost> {
    match caller()?.get("safe.barerepository") {
        None | Some(b"all") => Ok(true),
        Some(b"explicit") => {
            let text = dir.as_os_str().as_bytes();
            let inside = |part: &[u8]| memchr::memmem::find(text, part).is_some();
            Ok(dir.ends_with(".git") || inside(b"/.git/worktrees/") || inside(b"/.git/modules/"))
        }
        Some(_) => Err(Lost::AskGit),
    }
}

/// What the repository says of itself.
#[derive(Default)]
struct Format {
    id_size: usize,
    bare: Option<bool>,
    work_tree: Option<Vec<u8>>,
}

fn settle(here: &Path, found: Found) -> Result<Place, Lost> {
    let common_dir = common_dir(&found.git_dir)?;
    let format = format(&found.git_dir, &common_dir)?;
    let mut place = Place {
        top: here.to_owned(),
        prefix: Vec::new(),
        git_dir: None,
        common_dir,
        id_size: format.id_size,
        bare: true,
    };
    let named = variable("GIT_WORK_TREE");
    let configured = format.work_tree.as_ref().map(|path| Path::new(OsStr::from_bytes(path)).to_owned());
    let bare = format.bare == Some(true);
    let top = match (named, configured, &found.work_tree) {
        (Some(top), _, _) => Some(here.join(top)),
        (None, Some(_), _) if found.explicit && bare => return Err(Lost::AskGit),
        (None, Some(top), _) => Some(found.git_dir.join(top)),
        (None, None, Some(_)) if bare => None,
        (None, None, Some(top)) => Some(top.clone()),
        (None, None, None) if !found.explicit || bare => None,
        (None, None, None) => switch("GIT_IMPLICIT_WORK_TREE", true)?.then(|| here.to_owned()),
    };
    place.git_dir = Some(found.git_dir);
    if let Some(top) = top {
        let top = std::fs::canonicalize(top).map_err(|_| Lost::AskGit)?;
        if let Ok(below) = here.strip_prefix(&top) {
            place.prefix = below.as_os_str().as_bytes().to_vec();
            if !place.prefix.is_empty() {
                place.prefix.push(b'/');
            }
            place.top = top;
            place.bare = false;
        }
    }
    Ok(place)
}

/// Reads the repository's own settings as far as they tell how it is to be read.
fn format(git_dir: &Path, common_dir: &Path) -> Result<Format, Lost> {
    let mut config = Config::default();
    config.file(&common_dir.join("config"), 0)?;
    let mut format = Format { id_size: 40, ..Format::default() };
    let Some(version) = config.get("core.repositoryformatversion") else {
        // Without a version nothing else is believed.
        let plain = config.get("core.worktree").is_none() && config.flag("core.bare") != Ok(Some(true));
        return if plain { Ok(format) } else { Err(Lost::AskGit) };
    };
    let version = super::config::whole(version).ok_or(AskGit)?;
    check_extensions(&config, version)?;
    format.id_size = match config.get("extensions.objectformat") {
        Some(b"sha256") => 64,
        _ => 40,
    };
    let own = config.flag("extensions.worktreeconfig") == Ok(Some(true));
    let mut read = |config: &Config| {
        format.bare = config.flag("core.bare").map_err(|_| AskGit)?.or(format.bare);
        let work_tree = config.get("core.worktree").map(<[u8]>::to_vec);
        format.work_tree = work_tree.or(format.work_tree.take());
        Ok::<(), AskGit>(())
    };
    if own || git_dir == common_dir {
        read(&config)?;
    }
    if own {
        let mut config = Config::default();
        config.file(&git_dir.join("config.worktree"), 0)?;
        read(&config)?;
    }
    Ok(format)
}

const PLAIN: [&str; 4] = ["noop", "preciousobjects", "partialclone", "worktreeconfig"];
const NEWER: [&str; 4] = ["noop-v1", "objectformat", "compatobjectformat", "refstorage"];

fn check_extensions(config: &Config, version: i64) -> Result<(), Lost> {
    if version > 1 {
        return Err(Lost::Warned(format!("Expected git repo version <= 1, found {version}")));
    }
    let named = |text: &str, bad: &[&str]| {
        let s = if bad.len() == 1 { "" } else { "s" };
        let text = text.replace("{s}", s);
        Lost::Warned(bad.iter().fold(text, |text, name| format!("{text}\n\t{name}")))
    };
    let is_newer = |name: &&str| NEWER.contains(name);
    let names: Vec<&str> = config.extensions().filter(|name| !PLAIN.contains(name)).collect();
    let (newer, unknown): (Vec<&str>, Vec<&str>) = names.into_iter().partition(is_newer);
    if version == 1 && !unknown.is_empty() {
        return Err(named("unknown repository extension{s} found:", &unknown));
    }
    if version == 0 && !newer.is_empty() {
        return Err(named("repo version is 0, but v1-only extension{s} found:", &newer));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> Result<Config, AskGit> {
        Ok(Config::default())
    }

    fn repository(dir: &Path, config: &str) {
        for folder in ["objects", "refs"] {
            std::fs::create_dir_all(dir.join(folder)).expect("a folder");
        }
        std::fs::write(dir.join("HEAD"), "ref: refs/heads/main\n").expect("a head");
        std::fs::write(dir.join("config"), config).expect("a config");
    }

    #[test]
    fn folders_files_and_none() {
        let base = tempfile::tempdir().expect("a folder");
        let base = std::fs::canonicalize(base.path()).expect("real");
        let below = base.join("r/s/t");
        std::fs::create_dir_all(&below).expect("folders");
        repository(&base.join("r/.git"), "[core]\nrepositoryformatversion=0\nbare=false\n");
        let place = super::place(&below, &none).expect("found");
        assert_eq!((place.top, place.prefix), (base.join("r"), b"s/t/".to_vec()));
        assert_eq!(place.git_dir, Some(base.join("r/.git")));
        std::fs::write(base.join("r/s/.git"), "gitdir: ../.git\n").expect("a file");
        let place = super::place(&below, &none).expect("found");
        assert_eq!((place.top, place.prefix, place.bare), (base.join("r/s"), b"t/".to_vec(), false));
        std::fs::write(base.join("r/s/.git"), "nonsense\n").expect("a file");
        let words = format!("invalid gitfile format: {}", base.join("r/s/.git").display());
        assert_eq!(super::place(&below, &none), Err(Lost::Fatal(words.into_bytes())));
    }

    #[test]
    fn bare_sha256_and_too_new() {
        let base = tempfile::tempdir().expect("a folder");
        let base = std::fs::canonicalize(base.path()).expect("real");
        repository(
            &base,
            "[core]\nrepositoryformatversion=1\nbare=true\n[extensions]\nobjectFormat=sha256\n",
        );
        let place = super::place(&base, &none).expect("found");
        assert!(place.bare && place.id_size == 64 && place.prefix.is_empty());
        repository(&base, "[core]\nrepositoryformatversion=2\n");
        let words = "Expected git repo version <= 1, found 2";
        let words = format!("{words}\nwarning: ignoring git dir '.': {words}");
        assert_eq!(super::place(&base, &none), Err(Lost::Warned(words)));
        repository(&base, "[core]\nrepositoryformatversion=1\n[extensions]\nwhat=1\n");
        let words = "unknown repository extension found:\n\twhat";
        let words = format!("{words}\nwarning: ignoring git dir '.': {words}");
        assert_eq!(super::place(&base, &none), Err(Lost::Warned(words)));
    }
}
