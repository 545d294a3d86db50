//! The mode of new files.

use rustix::fs::Mode;

/// What the system takes off the mode of new files; there is no way to ask without setting it.
#[allow(clippy::useless_conversion)] // 16 bits wide on some systems
pub fn umask() -> u32 {
    let mask = rustix::process::umask(Mode::from_raw_mode(0o077));
    rustix::process::umask(mask);
    u32::from(mask.as_raw_mode())
}
