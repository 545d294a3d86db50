//! What is printed, and what is asked.

use std::io::{BufRead, BufReader, Write};

use super::{options::Quoting, quote};

/// The streams of a run. Messages go to standard output; to standard error if the result itself goes to
/// standard output.
pub struct Say<'s> {
    pub stdout: &'s mut dyn Write,
    pub stderr: &'s mut dyn Write,
    pub to_stderr: bool,
    /// Questions are answered from the terminal; without one the default is taken.
    pub asks: bool,
    pub quoting: Quoting,
}

impl Say<'_> {
    /// Prints text; a reader that went away is no reason to stop.
    pub fn bytes(&mut self, text: &[u8]) {
        let stream: &mut dyn Write = if self.to_stderr { self.stderr } else { self.stdout };
        let _ = stream.write_all(text);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Prints what callers of the model do not know, on standard error.
    pub fn aside(&mut self, text: &[u8]) {
        let _ = self.stdout.flush();
        let _ = self.stderr.write_all(&quote::line(text));
    }

    /// Text around a name.
    pub fn named(&mut self, before: &str, name: &[u8], after: &str) {
        let name = self.quoted(name);
        self.bytes(&[before.as_bytes(), &name, after.as_bytes()].concat());
    }

    /// Text around a name that is never quoted, but escaped if a terminal would obey it.
    pub fn plainly(&mut self, before: &str, name: &[u8], after: &str) {
        let name = quote::name(Quoting::Literal, name);
        self.bytes(&[before.as_bytes(), &name, after.as_bytes()].concat());
    }

    pub fn quoted(&self, name: &[u8]) -> Vec<u8> {
        quote::name(self.quoting, name)
    }

    /// Ends the run with a message.
    pub fn fatal(&mut self, program: &str, message: &[u8]) {
        let _ = self.stdout.flush();
        let line = [program.as_bytes(), b": **** ", &quote::line(message), b"\n"].concat();
        let _ = self.stderr.write_all(&line);
    }

    /// Asks, and gives the answer's line without its end. Nothing to ask: the empty answer.
    pub fn ask(&mut self, question: &str) -> Vec<u8> {
        self.text(question);
        if !self.asks {
            self.text("\n");
            return Vec::new();
        }
        let _ = self.stdout.flush();
        let _ = self.stderr.flush();
        let mut answer = Vec::new();
        let Ok(terminal) = std::fs::File::open("/dev/tty") else {
            self.text("\n");
            return answer;
        };
        if BufReader::new(terminal).read_until(b'\n', &mut answer).unwrap_or(0) == 0 {
            self.text("EOF\n");
        }
        answer.pop_if(|last| *last == b'\n');
        answer
    }
}
