//! A program on a real terminal of its own.

use std::{
    io::{Read, Write},
    process::Child,
};

use pty_process::blocking::{Command, Pty};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Nothing that a test waits for takes so long.
const HUNG: Timespec = Timespec { tv_sec: 180, tv_nsec: 0 };

/// A run in a terminal.
pub struct Terminal {
    pty: Pty,
    child: Child,
    /// All that was shown; line ends as `\n`.
    seen: String,
    /// Up to here a test has read it.
    read: usize,
}

impl Terminal {
    /// Runs a program in a terminal of so many columns.
    pub fn run(command: Command, columns: u16) -> Terminal {
        let (pty, pts) = pty_process::blocking::open().expect("a terminal");
        pty.resize(pty_process::Size::new(40, columns)).expect("a size");
        let child = command.spawn(pts).expect("the program");
        Terminal { pty, child, seen: String::new(), read: 0 }
    }

    /// One more piece of what is shown; false at its end.
    fn more(&mut self) -> bool {
        if poll(&mut [PollFd::new(&self.pty, PollFlags::IN)], Some(&HUNG)).expect("a terminal") == 0 {
            let _ = self.child.kill();
            panic!("nothing more came after\n{}", self.seen);
        }
        let mut bytes = [0; 4096];
        match self.pty.read(&mut bytes) {
            Ok(0) | Err(_) => false,
            Ok(count) => {
                self.seen += &String::from_utf8_lossy(&bytes[..count]).replace("\r\n", "\n");
                true
            }
        }
    }

    /// Waits until this is shown, behind what was waited for before.
    #[track_caller]
    pub fn wait(&mut self, text: &str) {
        let at = loop {
            if let Some(at) = self.seen[self.read..].find(text) {
                break at;
            }
            assert!(self.more(), "no {text:?} in\n{}", self.seen);
        };
        self.read += at + text.len();
    }

    /// Waits until this is shown, and types that.
    #[track_caller]
    pub fn answer(&mut self, prompt: &str, keys: &str) {
        self.wait(prompt);
        self.pty.write_all(keys.as_bytes()).expect("a terminal");
    }

    /// Waits for the end: the exit code, all that was shown, and where what nobody waited for begins in it.
    pub fn end(mut self) -> (Option<i32>, String, usize) {
        while self.more() {}
        (self.child.wait().expect("an end").code(), self.seen, self.read)
    }
}
