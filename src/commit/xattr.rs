//! Extended attributes and access lists, kept from the old file to the new.

use std::{ffi::CStr, fs::File, io};

use crate::tree::root::is_bare;

/// Attributes that mean the same on a file with new content.
fn is_kept(name: &[u8]) -> bool {
    name.starts_with(b"user.") || name == ACL || name == b"security.selinux"
}

const ACL: &[u8] = b"system.posix_acl_access";
/// Rights of a program: they were lent to the old content.
const CAPABILITY: &[u8] = b"security.capability";

/// Copies what is kept; what the new file got from its folder alone goes. Says what was dropped.
#[cfg(target_os = "linux")]
pub(super) fn copy(old: &File, new: &File) -> io::Result<Option<String>> {
    use rustix::{fs::XattrFlags, io::Errno};
    let names = list(old)?;
    for name in split(&names) {
        let plain = name.to_bytes();
        if !is_kept(plain) {
            continue;
        }
        let Some(value) = read(old, name)? else { continue };
        match rustix::fs::fsetxattr(new, name, &value, XattrFlags::empty()) {
            Ok(()) | Err(Errno::NOTSUP) => {}
            Err(Errno::PERM | Errno::ACCESS) if plain == b"security.selinux" => {}
            Err(error) => return Err(error.into()),
        }
    }
    if !split(&names).any(|name| name.to_bytes() == ACL) {
        clear(new)?;
    }
    let lent = split(&names).any(|name| name.to_bytes() == CAPABILITY);
    Ok(lent.then(|| "capabilities were dropped".to_owned()))
}

/// Removes what a new file got from its folder, where the one that it replaces has no attributes.
#[cfg(target_os = "linux")]
pub(super) fn clear(new: &File) -> io::Result<()> {
    if !is_bare(new) && split(&list(new)?).any(|name| name.to_bytes() == ACL) {
        rustix::fs::fremovexattr(new, ACL)?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn clear(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn copy(_: &File, _: &File) -> io::Result<Option<String>> {
    Ok(None)
}

fn split(names: &[u8]) -> impl Iterator<Item = &CStr> {
    names.split_inclusive(|&b| b == 0).filter_map(|name| CStr::from_bytes_with_nul(name).ok())
}

#[cfg(target_os = "linux")]
fn list(file: &File) -> io::Result<Vec<u8>> {
    use rustix::io::Errno;
    let mut names = vec![0; 1 << 10];
    loop {
        match rustix::fs::flistxattr(file, &mut names[..]) {
            Ok(len) => {
                names.truncate(len);
                return Ok(names);
            }
            Err(Errno::RANGE) if names.len() < 1 << 20 => names = vec![0; names.len() * 8],
            Err(Errno::NOTSUP) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(target_os = "linux")]
fn read(file: &File, name: &CStr) -> io::Result<Option<Vec<u8>>> {
    use rustix::io::Errno;
    let mut value = vec![0; 1 << 10];
    loop {
        match rustix::fs::fgetxattr(file, name, &mut value[..]) {
            Ok(len) => {
                value.truncate(len);
                return Ok(Some(value));
            }
            Err(Errno::RANGE) if value.len() < 1 << 20 => value = vec![0; value.len() * 8],
            Err(Errno::NODATA) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
}
