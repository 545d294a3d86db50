//! Names of backups and rejects.

use super::options::{Options, Versions};

/// The longest name that a folder holds.
const MAX_NAME: usize = 255;

/// The name of a file's backup. `exists` tells whether a sibling name is taken, `siblings` lists the
/// names in its folder.
pub fn name(options: &Options, file: &[u8], siblings: impl FnOnce(&[u8]) -> Vec<Vec<u8>>) -> Vec<u8> {
    let affixed = options.backup_prefix.is_some()
        || options.backup_base_prefix.is_some()
        || options.backup_suffix.is_some();
    let (folder, base) = split(file);
    if affixed {
        let empty = Vec::new();
        let prefix = options.backup_prefix.as_ref().unwrap_or(&empty);
        let base_prefix = options.backup_base_prefix.as_ref().unwrap_or(&empty);
        let suffix = options.backup_suffix.as_ref().unwrap_or(&empty);
        return [&prefix[..], folder, base_prefix, base, suffix].concat();
    }
    let highest = match options.versions {
        Versions::Simple => 0,
        _ => highest_version(base, &siblings(folder)),
    };
    match options.versions {
        Versions::Numbered => numbered(file, highest + 1),
        Versions::Existing if highest > 0 => numbered(file, highest + 1),
        _ => simple(file, &options.default_suffix, b'~'),
    }
}

/// A name with a suffix; where the folder could not hold it, the base name's end makes room.
pub fn simple(file: &[u8], suffix: &[u8], short: u8) -> Vec<u8> {
    let (_, base) = split(file);
    if base.len() + suffix.len() <= MAX_NAME {
        return [file, suffix].concat();
    }
    let mut name = file.to_vec();
    if base.len() >= MAX_NAME {
        name.pop();
    }
    name.push(short);
    name
}

fn numbered(file: &[u8], version: u64) -> Vec<u8> {
    [file, format!(".~{version}~").as_bytes()].concat()
}

fn highest_version(base: &[u8], names: &[Vec<u8>]) -> u64 {
    let version = |name: &Vec<u8>| {
        let digits = name.strip_prefix(base)?.strip_prefix(b".~")?.strip_suffix(b"~")?;
        std::str::from_utf8(digits).ok()?.parse().ok()
    };
    names.iter().filter_map(version).max().unwrap_or(0)
}

/// The folder with its slash, and the base name.
fn split(file: &[u8]) -> (&[u8], &[u8]) {
    file.split_at(memchr::memrchr(b'/', file).map_or(0, |at| at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_affixes_at_once() {
        let options = Options {
            backup_prefix: Some(b".pc/".to_vec()),
            backup_base_prefix: Some(b"Y_".to_vec()),
            backup_suffix: Some(b".z".to_vec()),
            ..Options::default()
        };
        assert_eq!(name(&options, b"d/a", |_| Vec::new()), b".pc/d/Y_a.z");
    }

    #[test]
    fn numbers_go_on() {
        let mut options = Options { versions: Versions::Numbered, ..Options::default() };
        let siblings = |_: &[u8]| vec![b"a.~1~".to_vec(), b"a.~12~".to_vec(), b"b.~40~".to_vec()];
        assert_eq!(name(&options, b"d/a", siblings), b"d/a.~13~");
        options.versions = Versions::Existing;
        assert_eq!(name(&options, b"d/a", siblings), b"d/a.~13~");
        assert_eq!(name(&options, b"d/c", siblings), b"d/c.orig");
    }
}
