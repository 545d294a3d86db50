//! Git's configuration, read here: files of the system, the caller and the repository, and the environment.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    io::{ErrorKind, Read},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

use super::names::is_space;

/// Files that name each other go no deeper.
const MAX_DEPTH: u32 = 10;

/// Why the configuration is not read here: git has to say what it comes to, or what is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskGit;

/// Settings by their names; where one is set several times the last counts. A name alone is true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    last: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Every value of `safe.directory`, in order.
    safe: Vec<Vec<u8>>,
}

/// A setting that is neither on nor off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoFlag;

impl Config {
    pub fn set(&mut self, key: &[u8], value: Option<&[u8]>) {
        let value = value.unwrap_or(b"true");
        if key == b"safe.directory" {
            self.safe.push(value.to_vec());
        }
        self.last.insert(key.to_vec(), value.to_vec());
    }

    pub fn get(&self, key: &str) -> Option<&[u8]> {
        self.last.get(key.as_bytes()).map(Vec::as_slice)
    }

    pub fn safe_directories(&self) -> &[Vec<u8>] {
        &self.safe
    }

    /// A setting that is on or off; nothing if it is not set.
    ///
    /// # Errors
    /// Its value says neither.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, NoFlag> {
        self.get(key).map(|value| flag(value).ok_or(NoFlag)).transpose()
    }

    /// The names of extensions that a repository says it uses.
    pub fn extensions(&self) -> impl Iterator<Item = &str> {
        let names = self.last.keys().filter_map(|key| key.strip_prefix(b"extensions."));
        names.map(|name| std::str::from_utf8(name).unwrap_or_default())
    }

    /// All that git itself lists, in its form for programs.
    pub fn from_listing(listed: &[u8]) -> Config {
        let mut config = Config::default();
        for entry in listed.split(|b| *b == 0).filter(|entry| !entry.is_empty()) {
            let mut halves = entry.splitn(2, |b| *b == b'\n');
            let key = halves.next().unwrap_or_default();
            config.set(key, halves.next());
        }
        config
    }

    /// What holds for every repository of the caller.
    ///
    /// # Errors
    /// Only git can tell.
    pub fn of_caller(&mut self) -> Result<(), AskGit> {
        if let Some(path) = system_file()? {
            self.file(&path, 0)?;
        }
        for path in global_files() {
            self.file(&path, 0)?;
        }
        Ok(())
    }

    /// One file; one that is not there says nothing.
    ///
    /// # Errors
    /// Only git can tell.
    pub fn file(&mut self, path: &Path, depth: u32) -> Result<(), AskGit> {
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(());
            }
            Err(_) => return Err(AskGit),
        };
        let mut settings = Vec::new();
        parse(&text, &mut |key, value| settings.push((key.to_vec(), value.map(<[u8]>::to_vec))))?;
        for (key, value) in settings {
            self.set(&key, value.as_deref());
            if key == b"include.path" {
                let other = included(path, value.as_deref().ok_or(AskGit)?)?;
                if depth >= MAX_DEPTH {
                    return Err(AskGit);
                }
                self.file(&other, depth + 1)?;
            } else if key.starts_with(b"includeif.") {
                return Err(AskGit);
            }
        }
        Ok(())
    }

    /// What the caller said for this one command.
    ///
    /// # Errors
    /// Only git can tell what is wrong.
    pub fn of_environment(&mut self) -> Result<(), AskGit> {
        if let Some(count) = std::env::var_os("GIT_CONFIG_COUNT").filter(|count| !count.is_empty()) {
            let count: u32 = count.to_str().and_then(|count| count.parse().ok()).ok_or(AskGit)?;
            for at in 0..count {
                let key = std::env::var_os(format!("GIT_CONFIG_KEY_{at}")).ok_or(AskGit)?;
                let value = std::env::var_os(format!("GIT_CONFIG_VALUE_{at}")).ok_or(AskGit)?;
                self.pair(key.as_bytes(), Some(value.as_bytes()))?;
            }
        }
        match std::env::var_os("GIT_CONFIG_PARAMETERS") {
            Some(text) => self.parameters(text.as_bytes()),
            None => Ok(()),
        }
    }

    fn pair(&mut self, key: &[u8], value: Option<&[u8]>) -> Result<(), AskGit> {
        let key = canonical_key(key).ok_or(AskGit)?;
        if key == b"include.path" || key.starts_with(b"includeif.") {
            return Err(AskGit);
        }
        self.set(&key, value);
        Ok(())
    }

    /// `'key'='value'`, or `'key=value'` as older releases wrote it, with blanks between them.
    fn parameters(&mut self, text: &[u8]) -> Result<(), AskGit> {
        let mut rest = text;
        while !rest.is_empty() {
            let (first, behind) = unquoted(rest).ok_or(AskGit)?;
            rest = behind;
            match rest.strip_prefix(b"=") {
                None => {
                    let mut halves = first.splitn(2, |b| *b == b'=');
                    let key = halves.next().unwrap_or_default();
                    self.pair(key.trim_ascii(), halves.next())?;
                }
                Some(behind) if behind.first() == Some(&b'\'') => {
                    let (value, behind) = unquoted(behind).ok_or(AskGit)?;
                    self.pair(&first, Some(&value))?;
                    rest = behind;
                }
                Some(behind) => {
                    self.pair(&first, None)?;
                    rest = behind;
                }
            }
            let blanks = rest.iter().take_while(|b| is_space(**b)).count();
            if blanks == 0 && !rest.is_empty() {
                return Err(AskGit);
            }
            rest = &rest[blanks..];
        }
        Ok(())
    }
}

/// What a value says of on and off.
pub fn flag(value: &[u8]) -> Option<bool> {
    match &value.to_ascii_lowercase()[..] {
        b"true" | b"yes" | b"on" => Some(true),
        b"false" | b"no" | b"off" | b"" => Some(false),
        number => whole(number).map(|number| number != 0),
    }
}

/// A number, perhaps with a unit behind it.
pub fn whole(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.trim_start();
    let (text, factor) = match text.as_bytes().last()?.to_ascii_lowercase() {
        b'k' => (&text[..text.len() - 1], 1 << 10),
        b'm' => (&text[..text.len() - 1], 1 << 20),
        b'g' => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (base, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(rest) => (16, rest),
        None if digits.len() > 1 && digits.starts_with('0') => (8, &digits[1..]),
        None => (10, digits),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    i64::from_str_radix(digits, base).ok()?.checked_mul(sign)?.checked_mul(factor)
}

/// The system's file. Where it lies was settled when git was built.
fn system_file() -> Result<Option<PathBuf>, AskGit> {
    if let Some(value) = std::env::var_os("GIT_CONFIG_NOSYSTEM")
        && flag(value.as_bytes()).ok_or(AskGit)?
    {
        return Ok(None);
    }
    if let Some(path) = std::env::var_os("GIT_CONFIG_SYSTEM") {
        return Ok(Some(path.into()));
    }
    let Some(program) = on_path(OsStr::new("git")) else { return Ok(None) };
    let prefix = program.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
    let usual = Path::new("/etc/gitconfig");
    if prefix == Path::new("/usr") {
        return Ok(Some(usual.to_owned()));
    }
    let own = prefix.join("etc/gitconfig");
    let known =
        [usual, Path::new("/usr/local/etc/gitconfig"), Path::new("/opt/homebrew/etc/gitconfig"), &own];
    if !known.iter().any(|path| std::fs::symlink_metadata(path).is_ok()) {
        return Ok(None);
    }
    // A script may start a git from anywhere.
    let built_there = prefix == Path::new("/usr/local") && !is_script(&program);
    if built_there { Ok(Some(own)) } else { Err(AskGit) }
}

fn is_script(program: &Path) -> bool {
    let mut start = [0; 2];
    let read = std::fs::File::open(program).and_then(|mut file| file.read_exact(&mut start));
    read.is_err() || start == *b"#!"
}

fn on_path(name: &OsStr) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())?;
    // `/bin` may be a link to `/usr/bin`.
    Some(if found == Path::new("/bin/git") { "/usr/bin/git".into() } else { found })
}

fn global_files() -> Vec<PathBuf> {
    if let Some(path) = std::env::var_os("GIT_CONFIG_GLOBAL") {
        return vec![path.into()];
    }
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let xdg = xdg_folder().map(|folder| folder.join("git/config"));
    xdg.into_iter().chain(home.map(|home| home.join(".gitconfig"))).collect()
}

/// The folder of the caller's settings.
pub fn xdg_folder() -> Option<PathBuf> {
    let named = std::env::var_os("XDG_CONFIG_HOME").filter(|folder| !folder.is_empty());
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".config"));
    named.map(PathBuf::from).or_else(home)
}

/// A path in a setting: `~/` is the caller's home.
///
/// # Errors
/// It begins with a user's name, or with where git is installed.
pub fn path_value(value: &[u8]) -> Result<PathBuf, AskGit> {
    match value.strip_prefix(b"~/") {
        Some(rest) => {
            let home = std::env::var_os("HOME").ok_or(AskGit)?;
            Ok(Path::new(&home).join(OsStr::from_bytes(rest)))
        }
        None if value.starts_with(b"~") || value.starts_with(b"%(") => Err(AskGit),
        None => Ok(PathBuf::from(std::ffi::OsString::from_vec(value.to_vec()))),
    }
}

fn included(from: &Path, value: &[u8]) -> Result<PathBuf, AskGit> {
    let path = path_value(value)?;
    Ok(if path.is_absolute() { path } else { from.parent().unwrap_or(Path::new("")).join(path) })
}

/// A name with its section and its last word in small letters.
fn canonical_key(key: &[u8]) -> Option<Vec<u8>> {
    let first = memchr::memchr(b'.', key).filter(|at| *at > 0)?;
    let last = memchr::memrchr(b'.', key)?;
    let (section, word) = (&key[..first], &key[last + 1..]);
    let plain = |text: &[u8]| text.iter().all(|b| is_key_byte(*b));
    let fine = plain(section) && plain(word) && word.first().is_some_and(u8::is_ascii_alphabetic);
    if !fine || memchr::memchr(b'\n', key).is_some() {
        return None;
    }
    let middle = &key[first..=last];
    Some([&section.to_ascii_lowercase()[..], middle, &word.to_ascii_lowercase()].concat())
}

/// The text between single quotes, where `'\''` and `'\!'` stand for the letter, and what follows.
fn unquoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"'")?;
    let mut out = Vec::new();
    loop {
        let end = memchr::memchr(b'\'', rest)?;
        out.extend_from_slice(&rest[..end]);
        rest = &rest[end + 1..];
        match rest {
            [b'\\', byte @ (b'\'' | b'!'), b'\'', more @ ..] => {
                out.push(*byte);
                rest = more;
            }
            _ => return Some((out, rest)),
        }
    }
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Bytes of a file with CR LF taken for one line end, and an end where the file has none.
struct Letters<'t> {
    text: &'t [u8],
    at: usize,
}

impl Letters<'_> {
    fn next(&mut self) -> u8 {
        let byte = self.text.get(self.at).copied();
        self.at += 1;
        match byte {
            Some(b'\r') if self.text.get(self.at) == Some(&b'\n') => {
                self.at += 1;
                b'\n'
            }
            Some(byte) => byte,
            None => b'\n',
        }
    }

    fn is_over(&self) -> bool {
        self.at > self.text.len()
    }
}

/// Takes a setting's name and its value.
type Each<'e> = &'e mut dyn FnMut(&[u8], Option<&[u8]>);

/// Reads a file's settings in their order.
fn parse(text: &[u8], each: Each<'_>) -> Result<(), AskGit> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut letters = Letters { text, at: 0 };
    let mut section = Vec::new();
    loop {
        match letters.next() {
            b'\n' if letters.is_over() => return Ok(()),
            byte if is_config_space(byte) => {}
            b'#' | b';' => while letters.next() != b'\n' {},
            b'[' => section = heading(&mut letters)?,
            byte if byte.is_ascii_alphabetic() => {
                let mut key = section.clone();
                key.push(byte.to_ascii_lowercase());
                let value = setting(&mut letters, &mut key)?;
                each(&key, value.as_deref());
            }
            _ => return Err(AskGit),
        }
    }
}

fn is_config_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// `[name]` or `[name "other"]`, from behind the bracket; with a dot at the end.
fn heading(letters: &mut Letters<'_>) -> Result<Vec<u8>, AskGit> {
    let mut name = Vec::new();
    loop {
        match letters.next() {
            b']' if !name.is_empty() => break,
            byte if is_key_byte(byte) || byte == b'.' => name.push(byte.to_ascii_lowercase()),
            b' ' | b'\t' if !name.is_empty() => {
                subsection(letters, &mut name)?;
                break;
            }
            _ => return Err(AskGit),
        }
    }
    name.push(b'.');
    Ok(name)
}

fn subsection(letters: &mut Letters<'_>, name: &mut Vec<u8>) -> Result<(), AskGit> {
    let mut byte = b' ';
    while matches!(byte, b' ' | b'\t') {
        byte = letters.next();
    }
    if byte != b'"' {
        return Err(AskGit);
    }
    name.push(b'.');
    loop {
        match letters.next() {
            b'\n' => return Err(AskGit),
            b'"' => break,
            b'\\' => match letters.next() {
                b'\n' => return Err(AskGit),
                byte => name.push(byte),
            },
            byte => name.push(byte),
        }
    }
    if letters.next() == b']' { Ok(()) } else { Err(AskGit) }
}

/// The rest of a name, and its value.
fn setting(letters: &mut Letters<'_>, key: &mut Vec<u8>) -> Result<Option<Vec<u8>>, AskGit> {
    let mut byte = letters.next();
    while is_key_byte(byte) {
        key.push(byte.to_ascii_lowercase());
        byte = letters.next();
    }
    while matches!(byte, b' ' | b'\t') {
        byte = letters.next();
    }
    match byte {
        b'\n' => Ok(None),
        b'=' => value(letters).map(Some),
        _ => Err(AskGit),
    }
}

fn value(letters: &mut Letters<'_>) -> Result<Vec<u8>, AskGit> {
    let mut out = Vec::new();
    let mut quoted = false;
    // Blanks at the end do not belong to the value.
    let mut kept = 0;
    loop {
        match letters.next() {
            b'\n' if quoted => return Err(AskGit),
            b'\n' => break,
            b';' | b'#' if !quoted => {
                while letters.next() != b'\n' {}
                break;
            }
            byte if is_config_space(byte) && !quoted => {
                if !out.is_empty() {
                    out.push(byte);
                }
                continue;
            }
            b'\\' => match letters.next() {
                b'\n' => {}
                b't' => out.push(b'\t'),
                b'b' => out.push(0x08),
                b'n' => out.push(b'\n'),
                byte @ (b'\\' | b'"') => out.push(byte),
                _ => return Err(AskGit),
            },
            b'"' => quoted = !quoted,
            byte => out.push(byte),
        }
        kept = out.len();
    }
    out.truncate(kept);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> Result<Vec<String>, AskGit> {
        let mut out = Vec::new();
        parse(text.as_bytes(), &mut |key, value| {
            let show = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            out.push(value.map_or(show(key), |value| format!("{}={}", show(key), show(value))));
        })?;
        Ok(out)
    }

    #[test]
    fn settings_of_a_file() {
        let text = "\u{feff}# c\n[Core]\r\n\tQuotePath = no ; c\r\n bare\n[a \"B \\\"c\"] x = \" y\\t\" z  \n\
                    [d.E]\nf = one\\\n  two\ng=\n[h] i=\"a;b\"";
        let want =
            ["core.quotepath=no", "core.bare", "a.B \"c.x= y\t z", "d.e.f=one  two", "d.e.g=", "h.i=a;b"];
        assert_eq!(listed(text).expect("well formed"), want);
    }

    #[test]
    fn what_git_has_to_judge() {
        for text in ["[a\n", "[]\nx=1", "x y\n", "[a] x = \"y\n", "[a] x = \\q\n", "[a b]\n", "=1\n"] {
            assert_eq!(listed(text), Err(AskGit), "{text}");
        }
    }

    #[test]
    fn numbers_and_flags() {
        for (text, want) in [
            ("TRUE", Some(true)),
            ("", Some(false)),
            ("0x10k", Some(true)),
            ("00", Some(false)),
            ("08", None),
            ("yeah", None),
            ("-1", Some(true)),
        ] {
            assert_eq!(flag(text.as_bytes()), want, "{text}");
        }
    }

    #[test]
    fn settings_of_the_environment() {
        let mut config = Config::default();
        let text = br"'core.eol'='crlf' 'A.bC.D=e f' 'g.h'= 'i.j'='it'\''s'";
        config.parameters(text).expect("well formed");
        let get = |key| config.get(key).map(|value| String::from_utf8_lossy(value).into_owned());
        let want = [("core.eol", "crlf"), ("a.bC.d", "e f"), ("g.h", "true"), ("i.j", "it's")];
        for (key, value) in want {
            assert_eq!(get(key).as_deref(), Some(value), "{key}");
        }
        for bad in ["core.eol=x", "'core.eol'=x", "'core'='x'", "'a.b'='c''d'", "'a.b"] {
            assert_eq!(Config::default().parameters(bad.as_bytes()), Err(AskGit), "{bad}");
        }
    }
}
