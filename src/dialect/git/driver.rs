//! How two changed versions of a file become one: by lines, not at all, or by a command of the caller's.

use std::{
    ffi::OsStr,
    io,
    os::unix::ffi::OsStrExt,
    process::{Command, Stdio},
};

use super::{options::Favor, session::Session};

/// What merging came to.
pub enum Merged {
    Clean(Vec<u8>),
    Conflicts(Vec<u8>),
}

/// Which way attributes and configuration choose for a path.
enum Driver {
    Text,
    Binary,
    Union,
    /// The command line that the configuration holds.
    Command(Vec<u8>),
}

/// Letters before each line of a conflict's frame.
const MARKER_SIZE: u32 = 7;

/// The three versions of a file.
#[derive(Clone, Copy)]
pub struct Versions<'v> {
    pub base: &'v [u8],
    pub ours: &'v [u8],
    pub theirs: &'v [u8],
}

impl Session<'_, '_> {
    pub(super) fn merged(&mut self, name: &[u8], versions: Versions<'_>) -> io::Result<Merged> {
        let Versions { base, ours, theirs } = versions;
        if base == ours {
            return Ok(Merged::Clean(theirs.to_vec()));
        }
        if base == theirs || ours == theirs {
            return Ok(Merged::Clean(ours.to_vec()));
        }
        let size = self.marker_size(name);
        let binary = [base, ours, theirs].iter().any(|text| is_binary(text));
        match self.driver(name)? {
            Driver::Command(line) => self.by_command(name, &line, size, versions),
            Driver::Text | Driver::Union if binary => Ok(self.by_side(name, versions)),
            Driver::Binary => Ok(self.by_side(name, versions)),
            Driver::Text => self.by_lines(self.options.favor, size, versions),
            Driver::Union => self.by_lines(Some(Favor::Union), size, versions),
        }
    }

    fn marker_size(&mut self, name: &[u8]) -> u32 {
        let attributes = self.repo.attributes(name);
        let size =
            attributes.get(&b"conflict-marker-size"[..]).and_then(|size| std::str::from_utf8(size).ok());
        size.and_then(|size| size.parse().ok()).filter(|size| *size > 0).unwrap_or(MARKER_SIZE)
    }

    fn driver(&mut self, name: &[u8]) -> io::Result<Driver> {
        let attributes = self.repo.attributes(name);
        let named = match attributes.get(&b"merge"[..]).map(Vec::as_slice) {
            Some(b"set") => return Ok(Driver::Text),
            Some(b"unset") => return Ok(Driver::Binary),
            Some(name) => Some(name),
            None => self.repo.config("merge.default"),
        };
        let Some(named) = named else { return Ok(Driver::Text) };
        let key = format!("merge.{}.", String::from_utf8_lossy(named));
        if let Some(line) = self.repo.config(&format!("{key}driver")) {
            return Ok(Driver::Command(line.to_vec()));
        }
        if ["name", "recursive"].iter().any(|word| self.repo.config(&format!("{key}{word}")).is_some()) {
            let named = String::from_utf8_lossy(named);
            return Err(io::Error::other(format!("custom merge driver {named} lacks command line.")));
        }
        Ok(match named {
            b"binary" => Driver::Binary,
            b"union" => Driver::Union,
            _ => Driver::Text,
        })
    }

    /// One side is taken whole, or ours stays and it is a conflict.
    fn by_side(&mut self, name: &[u8], versions: Versions<'_>) -> Merged {
        match self.options.favor {
            Some(Favor::Ours) => Merged::Clean(versions.ours.to_vec()),
            Some(Favor::Theirs) => Merged::Clean(versions.theirs.to_vec()),
            _ => {
                self.say.warning([b"Cannot merge binary files: ", name, b" (ours vs. theirs)"].concat());
                Merged::Conflicts(versions.ours.to_vec())
            }
        }
    }

    fn by_lines(&self, favor: Option<Favor>, size: u32, versions: Versions<'_>) -> io::Result<Merged> {
        let folder = tempfile::tempdir()?;
        let Versions { base, ours, theirs } = versions;
        for (name, text) in [("ours", ours), ("base", base), ("theirs", theirs)] {
            std::fs::write(folder.path().join(name), text)?;
        }
        let mut command =
            self.repo.git(["merge-file", "-p", "-q", "-L", "ours", "-L", "base", "-L", "theirs"]);
        command.arg(format!("--marker-size={size}"));
        command.args(match favor {
            Some(Favor::Ours) => Some("--ours"),
            Some(Favor::Theirs) => Some("--theirs"),
            Some(Favor::Union) => Some("--union"),
            None => None,
        });
        command.args(["ours", "base", "theirs"].map(|name| folder.path().join(name)));
        let done = command.stdin(Stdio::null()).output()?;
        match done.status.code() {
            Some(0) => Ok(Merged::Clean(done.stdout)),
            Some(1..=127) => Ok(Merged::Conflicts(done.stdout)),
            _ => Err(io::Error::other(String::from_utf8_lossy(&done.stderr).into_owned())),
        }
    }

    /// The command is the caller's own, from the configuration, and a shell's by its definition there.
    fn by_command(&self, name: &[u8], line: &[u8], size: u32, versions: Versions<'_>) -> io::Result<Merged> {
        let top = &self.repo.place.top;
        let put = |text: &[u8]| {
            let file = tempfile::Builder::new().prefix(".merge_file_").tempfile_in(top)?;
            std::fs::write(file.path(), text)?;
            Ok::<_, io::Error>(file)
        };
        let files = [put(versions.base)?, put(versions.ours)?, put(versions.theirs)?];
        let names =
            files.each_ref().map(|file| file.path().file_name().unwrap_or_default().as_bytes().to_vec());
        let line = filled_in(line, &names, size, name);
        let mut command = Command::new("sh");
        command.arg("-c").arg(OsStr::from_bytes(&line)).current_dir(top).stdin(Stdio::null());
        if let Some(dir) = &self.repo.place.git_dir {
            command.env("GIT_DIR", dir);
        }
        let code = command.status()?.code();
        let text = std::fs::read(files[1].path())?;
        match code {
            Some(0) => Ok(Merged::Clean(text)),
            Some(1..=128) => Ok(Merged::Conflicts(text)),
            _ => Err(io::Error::other("the merge driver died")),
        }
    }
}

/// As git judges content for merging: a NUL near the beginning.
fn is_binary(text: &[u8]) -> bool {
    memchr::memchr(0, &text[..text.len().min(8000)]).is_some()
}

/// The command line with names in place of `%A` and its like.
fn filled_in(line: &[u8], files: &[Vec<u8>; 3], size: u32, name: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = line;
    while let Some(at) = memchr::memchr(b'%', rest) {
        out.extend_from_slice(&rest[..at]);
        let letter = rest.get(at + 1).copied();
        let known = match letter {
            Some(b'%') => b"%".to_vec(),
            Some(b'O') => files[0].clone(),
            Some(b'A') => files[1].clone(),
            Some(b'B') => files[2].clone(),
            Some(b'L') => size.to_string().into_bytes(),
            Some(b'P') => shell_quoted(name),
            Some(b'S') => shell_quoted(b"base"),
            Some(b'X') => shell_quoted(b"ours"),
            Some(b'Y') => shell_quoted(b"theirs"),
            _ => {
                out.push(b'%');
                rest = &rest[at + 1..];
                continue;
            }
        };
        out.extend_from_slice(&known);
        rest = &rest[at + 2..];
    }
    out.extend_from_slice(rest);
    out
}

/// One word to a shell, whatever it holds.
fn shell_quoted(text: &[u8]) -> Vec<u8> {
    let mut out = b"'".to_vec();
    for &byte in text {
        match byte {
            b'\'' | b'!' => out.extend_from_slice(&[b'\'', b'\\', byte, b'\'']),
            byte => out.push(byte),
        }
    }
    out.push(b'\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines() {
        let files = ["o", "a", "b"].map(|name| name.as_bytes().to_vec());
        let line = filled_in(b"m %O %A %B %L %P %S %% %q 100%", &files, 9, b"it's $x");
        assert_eq!(String::from_utf8_lossy(&line), "m o a b 9 'it'\\''s $x' 'base' % %q 100%");
    }
}
