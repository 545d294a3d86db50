//! The object store, through git's own plumbing commands.

use std::{
    io::{BufRead, Read},
    os::unix::ffi::OsStrExt,
};

use super::repo::{Asker, Repo, fed, output};
use crate::merge;

impl Repo {
    /// The name that git would give to content.
    pub fn id(&self, bytes: &[u8]) -> String {
        merge::binary::id(bytes, self.place.id_size)
    }

    /// A whole object name.
    pub fn is_full_id(&self, id: &[u8]) -> bool {
        id.len() == self.place.id_size && id.iter().all(u8::is_ascii_hexdigit)
    }

    /// The name and content of a stored blob, which may be named by its first digits.
    pub fn blob(&mut self, id: &[u8]) -> Option<(String, Vec<u8>)> {
        self.place.git_dir.as_ref()?;
        if id.len() < 4 || !id.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        if self.objects.is_none() {
            self.objects = Asker::start(self.git(["cat-file", "--batch"])).ok();
        }
        let answer = read_object(self.objects.as_mut()?, id);
        if answer.is_err() {
            self.objects = None;
        }
        match answer.ok().flatten() {
            None if id.len() < self.place.id_size => self.only_blob(id),
            found => found,
        }
    }

    /// Several objects may begin so, and only one of them be a blob.
    fn only_blob(&mut self, id: &[u8]) -> Option<(String, Vec<u8>)> {
        let option = format!("--disambiguate={}", String::from_utf8_lossy(id));
        let listed = output(self.git(["rev-parse", &option]))?;
        let whole = listed.split(|b| *b == b'\n').filter(|name| name.len() == self.place.id_size);
        let names: Vec<&[u8]> = whole.collect();
        let mut blobs = names.into_iter().filter_map(|name| self.blob(name));
        blobs.next().filter(|_| blobs.next().is_none())
    }

    /// Stores contents; their names.
    pub fn store(&self, contents: &[&[u8]]) -> std::io::Result<Vec<String>> {
        if contents.is_empty() {
            return Ok(Vec::new());
        }
        let folder = tempfile::tempdir()?;
        let mut list = Vec::new();
        for (at, bytes) in contents.iter().enumerate() {
            let path = folder.path().join(at.to_string());
            std::fs::write(&path, bytes)?;
            list.extend_from_slice(path.as_os_str().as_bytes());
            list.push(b'\n');
        }
        let said = fed(self.git(["hash-object", "-w", "--no-filters", "--stdin-paths"]), &list)?;
        let ids = said.split(|b| *b == b'\n').filter(|line| !line.is_empty());
        let ids: Vec<String> = ids.map(|line| String::from_utf8_lossy(line).into_owned()).collect();
        if ids.len() == contents.len() {
            Ok(ids)
        } else {
            Err(std::io::Error::other("git stored too little"))
        }
    }
}

fn read_object(asker: &mut Asker, id: &[u8]) -> std::io::Result<Option<(String, Vec<u8>)>> {
    asker.ask(&[id, b"\n"].concat())?;
    let mut head = Vec::new();
    asker.stdout.read_until(b'\n', &mut head)?;
    let head = String::from_utf8_lossy(&head).into_owned();
    let words: Vec<&str> = head.split_whitespace().collect();
    let [name, kind, size] = words[..] else { return Ok(None) };
    let size: usize = size.parse().map_err(std::io::Error::other)?;
    let mut bytes = vec![0; size + 1];
    asker.stdout.read_exact(&mut bytes)?;
    bytes.pop();
    Ok((kind == "blob").then(|| (name.to_owned(), bytes)))
}
