//! Faults on demand, for tests: `EDAPPLY_FAULT=step:action`, built with the feature `faults` only.
//!
//! The action is `kill`, or an error of the system by name. In other builds nothing of this is left.

use rustix::io::Errno;

/// A place where a test may let the program die or a call fail.
#[cfg(not(feature = "faults"))]
#[inline(always)]
pub(super) fn at(_step: &str) -> Result<(), Errno> {
    Ok(())
}

#[cfg(feature = "faults")]
pub(super) fn at(step: &str) -> Result<(), Errno> {
    let wish = std::env::var("EDAPPLY_FAULT").unwrap_or_default();
    let action = wish.split(',').find_map(|one| one.strip_prefix(step)?.strip_prefix(':'));
    match action {
        None => Ok(()),
        Some("kill") => {
            let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
            Ok(())
        }
        Some("EACCES") => Err(Errno::ACCESS),
        Some("EINVAL") => Err(Errno::INVAL),
        Some("ENOSPC") => Err(Errno::NOSPC),
        Some("pause") => {
            std::thread::sleep(std::time::Duration::from_secs(1));
            Ok(())
        }
        Some(_) => Err(Errno::IO),
    }
}
