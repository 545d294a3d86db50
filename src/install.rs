//! `edapply install`: the program, its manual, its completions and its links, below a prefix.

use std::{
    fs::{self, Permissions},
    io::{self, Write},
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use crate::{
    manual::{PAGES, SCRIPTS},
    report::{Failure, escape},
    tree::root::plain_error,
};

/// A name that the program also answers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Link {
    /// In place of GNU patch
    Patch,
    /// In place of `git apply`
    GitApply,
}

impl Link {
    fn name(self) -> &'static str {
        match self {
            Link::Patch => "patch",
            Link::GitApply => "git-apply",
        }
    }
}

/// What to put where.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Where it shall be found.
    pub prefix: PathBuf,
    /// Stands before the prefix, for packagers.
    pub destdir: Option<PathBuf>,
    pub links: Vec<Link>,
    pub dry_run: bool,
}

/// A file that was put there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub path: PathBuf,
    /// What a link points at.
    pub link_to: Option<&'static str>,
}

/// What a place holds.
enum Content {
    /// This program.
    Program,
    Text(&'static str),
    /// A link to the program, beside it.
    Link,
}

/// Puts everything in its place; files that stand there are replaced. The manual comes first.
///
/// # Errors
/// A name belongs to another program, or something cannot be written.
pub fn install(ask: &Ask) -> Result<Vec<Placed>, Failure> {
    let base = base(ask);
    let all: Vec<(PathBuf, Content)> =
        places(ask).into_iter().map(|(place, content)| (base.join(place), content)).collect();
    for (path, _) in all.iter().filter(|(_, content)| matches!(content, Content::Link)) {
        refuse_foreign(path)?;
    }
    let program = std::env::current_exe().map_err(|error| failed("the program", &error))?;
    if !ask.dry_run {
        for (path, content) in &all {
            put(path, content, &program)
                .map_err(|error| failed(&escape::name(path.as_os_str().as_encoded_bytes()), &error))?;
        }
    }
    let placed =
        |(path, content)| Placed { path, link_to: matches!(content, Content::Link).then_some("edapply") };
    Ok(all.into_iter().map(placed).collect())
}

/// The prefix as this run reaches it.
fn base(ask: &Ask) -> PathBuf {
    match &ask.destdir {
        Some(destdir) => destdir.join(ask.prefix.strip_prefix("/").unwrap_or(&ask.prefix)),
        None => ask.prefix.clone(),
    }
}

fn places(ask: &Ask) -> Vec<(String, Content)> {
    let page = |page: &crate::manual::Page| format!("share/man/man{0}/{1}.{0}", page.section, page.name);
    let mut all: Vec<(String, Content)> =
        PAGES.iter().map(|one| (page(one), Content::Text(one.text))).collect();
    all.extend(SCRIPTS.iter().map(|one| (one.place.to_owned(), Content::Text(one.text))));
    all.push(("bin/edapply".into(), Content::Program));
    all.push(("bin/git-edapply".into(), Content::Link));
    for link in [Link::Patch, Link::GitApply].iter().filter(|link| ask.links.contains(link)) {
        all.push((format!("bin/{}", link.name()), Content::Link));
    }
    all
}

/// Another program under this name stays.
fn refuse_foreign(path: &Path) -> Result<(), Failure> {
    let ours = match fs::read_link(path) {
        Ok(target) => target.file_name().is_some_and(|name| name == "edapply"),
        Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
    };
    if ours {
        return Ok(());
    }
    let name = escape::name(path.as_os_str().as_encoded_bytes());
    let message = format!("{name} is another program: nothing was installed");
    Err(Failure {
        advice: Some("Leave `--link` out for this name, or move that program away.".into()),
        ..Failure::trouble("file-exists", message)
    })
}

fn put(path: &Path, content: &Content, program: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mode = match content {
        Content::Link => {
            if path.symlink_metadata().is_ok() {
                fs::remove_file(path)?;
            }
            return symlink("edapply", path);
        }
        Content::Program => 0o755,
        Content::Text(_) => 0o644,
    };
    // A program that runs cannot be overwritten, but replaced.
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    match content {
        Content::Text(text) => new.write_all(text.as_bytes())?,
        _ => drop(io::copy(&mut fs::File::open(program)?, &mut new)?),
    }
    new.as_file().set_permissions(Permissions::from_mode(mode))?;
    new.persist(path).map(drop).map_err(|error| error.error)
}

fn failed(what: &str, error: &io::Error) -> Failure {
    Failure {
        advice: Some("Name a folder with `--prefix` in which you may write.".into()),
        ..Failure::trouble("io", format!("cannot install {what}: {}", plain_error(error)))
    }
}
