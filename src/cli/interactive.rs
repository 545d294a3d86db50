//! `--interactive`: a person at the terminal says which edits are wanted.
//!
//! Questions and answers go over `/dev/tty`, so that the reply may come through standard input and the
//! report go to files. Nothing is written, and no lock is held, while a question stands.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    time::Duration,
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::{
    commit::Signals,
    report::{Failure, diff, escape},
    run::watch::{Answer, Question, Watch},
};

/// Lines of a change that are shown unasked, and bytes.
const MAX_SHOWN: usize = 60;
const MAX_BYTES: usize = 16 << 10;
/// So often a look is taken whether the run was interrupted.
const PAUSE: Duration = Duration::from_millis(100);

/// Somebody at the terminal.
pub(super) struct Person {
    tty: File,
    color: bool,
    /// What was typed and not read yet.
    typed: Vec<u8>,
}

/// What a line at the prompt means.
enum Typed {
    Answer(Answer),
    View,
    Help,
}

impl Person {
    /// # Errors
    /// The process has no terminal.
    pub(super) fn new(color: bool) -> Result<Person, Failure> {
        let tty = OpenOptions::new().read(true).write(true).open("/dev/tty");
        let tty = tty.map_err(|_| {
            Failure::trouble("no-terminal", "--interactive asks on the terminal, and there is none".into())
        })?;
        Ok(Person { tty, color, typed: Vec::new() })
    }

    fn converse(&mut self, question: &Question<'_>, signals: &Signals) -> std::io::Result<Option<Answer>> {
        self.show(question, Some(MAX_SHOWN))?;
        loop {
            let keys = if question.deletes { "y,n,p,v,d,q,?" } else { "y,n,a,p,v,d,q,?" };
            write!(self.tty, "{} [{keys}] ", asked(question))?;
            self.tty.flush()?;
            let Some(line) = self.line(signals)? else { return Ok(None) };
            match typed(line.trim(), question.deletes) {
                Some(Typed::Answer(answer)) => return Ok(Some(answer)),
                Some(Typed::View) => self.view(question)?,
                Some(Typed::Help) => self.help(question.deletes)?,
                None => {
                    let line = escape::text(line.trim());
                    writeln!(self.tty, "`{line}` is no answer here.")?;
                    self.help(question.deletes)?;
                }
            }
        }
    }

    /// What the edit changes, at most `most` lines of it.
    fn show(&mut self, question: &Question<'_>, most: Option<usize>) -> std::io::Result<()> {
        let mut shown = Vec::new();
        let show = if self.color { diff::Show::Color } else { diff::Show::Safe };
        diff::show(question.changes, show, &mut shown)?;
        let lines: Vec<&[u8]> = shown.split_inclusive(|&b| b == b'\n').collect();
        let mut bytes = 0;
        let fits = |(at, line): &(usize, &&[u8])| {
            bytes += line.len();
            most.is_none_or(|most| *at < most && bytes <= MAX_BYTES)
        };
        let count = lines.iter().enumerate().take_while(fits).count();
        writeln!(self.tty)?;
        lines[..count].iter().try_for_each(|line| self.tty.write_all(line))?;
        match lines.len() - count {
            0 => Ok(()),
            more => writeln!(self.tty, "({more} more lines; v shows all)"),
        }
    }

    /// The edit as the input has it, and all that it changes.
    fn view(&mut self, question: &Question<'_>) -> std::io::Result<()> {
        writeln!(self.tty, "\nThe edit, from input line {}:", question.verdict.span.first)?;
        for line in question.text.split_inclusive(|&b| b == b'\n') {
            writeln!(self.tty, "  {}", escape::whole(line.strip_suffix(b"\n").unwrap_or(line)))?;
        }
        self.show(question, None)
    }

    fn help(&mut self, deletes: bool) -> std::io::Result<()> {
        let always = if deletes {
            ""
        } else {
            "a  yes to this and all later edits of this file (never its deletion)\n"
        };
        write!(
            self.tty,
            "y  yes, apply this edit\nn  no, leave it out\n{always}p  back to the question before\n\
             v  view the edit as it was sent, and all that it changes\n\
             d  done: leave out this and all that follow, write what was chosen\nq  quit: write nothing at all\n"
        )
    }

    /// A line that was typed; `None` at the end of the terminal.
    fn line(&mut self, signals: &Signals) -> std::io::Result<Option<String>> {
        loop {
            if let Some(at) = self.typed.iter().position(|&b| b == b'\n') {
                let line: Vec<u8> = self.typed.drain(..=at).collect();
                return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
            }
            if signals.came() {
                return Err(std::io::ErrorKind::Interrupted.into());
            }
            if !self.is_ready()? {
                continue;
            }
            let mut bytes = [0; 256];
            match self.tty.read(&mut bytes) {
                Ok(0) => return Ok(None),
                Ok(count) => self.typed.extend_from_slice(&bytes[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether something was typed; waits a moment for it.
    fn is_ready(&self) -> std::io::Result<bool> {
        let pause = Timespec::try_from(PAUSE).ok();
        let mut fds = [PollFd::new(&self.tty, PollFlags::IN)];
        match poll(&mut fds, pause.as_ref()) {
            Ok(count) => Ok(count > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

impl Watch for Person {
    fn asks(&self) -> bool {
        true
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Answer, Failure> {
        let signals = Signals::watch();
        let answer = self.converse(question, &signals);
        if let Err(error) = signals.check() {
            let _ = writeln!(self.tty);
            return Err(crate::run::commit_failure(&error));
        }
        match answer {
            Ok(answer) => Ok(answer.unwrap_or(Answer::Quit)),
            Err(error) => {
                let why = crate::tree::root::plain_error(&error);
                Err(Failure::trouble("no-terminal", format!("the terminal cannot be read: {why}")))
            }
        }
    }

    fn tell(&mut self, text: &str) {
        let _ = writeln!(self.tty, "\n{}", escape::text(text));
    }
}

fn asked(question: &Question<'_>) -> String {
    let verdict = question.verdict;
    let path = verdict.path.as_ref().map_or(String::new(), |path| escape::name(path.as_bytes()));
    let (at, of) = (question.at, question.of);
    if question.deletes {
        let gone = question.changes.iter().filter(|change| change.after.is_none());
        let gone: Vec<String> = gone.map(|change| escape::name(change.path.as_bytes())).collect();
        return format!("({at} of {of}) Delete {}?", gone.join(", "));
    }
    format!("({at} of {of}) Apply edit {} of {path}?", verdict.id)
}

fn typed(line: &str, deletes: bool) -> Option<Typed> {
    Some(match line.to_ascii_lowercase().as_str() {
        "y" | "yes" => Typed::Answer(Answer::Yes),
        "n" | "no" => Typed::Answer(Answer::No),
        "a" | "always" if !deletes => Typed::Answer(Answer::Always),
        "p" | "previous" => Typed::Answer(Answer::Previous),
        "d" | "done" => Typed::Answer(Answer::Done),
        "q" | "quit" => Typed::Answer(Answer::Quit),
        "v" | "view" => Typed::View,
        "?" | "h" | "help" => Typed::Help,
        _ => return None,
    })
}
