//! Entry: which face was called, and the exit code.
//!
//! On Linux with glibc the C runtime calls this `main` itself. What Rust's own start does before it costs a tenth of
//! a small edit, mostly to find the end of the stack, for a message that a program without recursion never prints;
//! the rest of it is done here.

#![cfg_attr(all(target_os = "linux", target_env = "gnu"), no_main)]

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn main() -> std::process::ExitCode {
    edapply::cli::main(std::env::args_os().collect()).into()
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod start {
    use std::{
        ffi::{c_char, c_int},
        os::fd::IntoRawFd,
        sync::{Arc, atomic::AtomicBool},
    };

    use rustix::{
        event::{PollFd, PollFlags, Timespec, poll},
        fs::{Mode, OFlags},
    };

    // The name is what makes the C runtime call it: with `no_main` no other function has it. The arguments come from
    // the standard library, which has them from the same runtime, so nothing here is read through a pointer.
    #[allow(unsafe_code, reason = "a symbol of this name is unique in the program, see above")]
    #[unsafe(no_mangle)]
    extern "C" fn main(_count: c_int, _words: *const *const c_char) -> c_int {
        open_streams();
        // Handled in any way, a pipe that nobody reads any more is an error of the write, which is told or let be.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGPIPE, Arc::new(AtomicBool::new(false)));
        let exit = edapply::cli::main(std::env::args_os().collect());
        #[allow(clippy::exit, reason = "the last line of the program")]
        std::process::exit(exit as c_int)
    }

    /// A file must not get the number of a standard stream that the caller closed: messages would go into it.
    fn open_streams() {
        let fds = [rustix::stdio::stdin(), rustix::stdio::stdout(), rustix::stdio::stderr()];
        let mut polled = fds.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::empty()));
        if poll(&mut polled, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_err() {
            return;
        }
        for _ in polled.iter().filter(|fd| fd.revents().contains(PollFlags::NVAL)) {
            // The lowest free number is taken, and stays taken.
            if let Ok(null) = rustix::fs::open("/dev/null", OFlags::RDWR, Mode::empty()) {
                let _ = null.into_raw_fd();
            }
        }
    }
}
