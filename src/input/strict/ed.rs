//! Ed scripts as `diff -e` writes them, interpreted here: append, change, delete, insert, and `s/.//`.
//! Nothing else is a command, and no process is started.

use std::borrow::Cow;

use super::{Lines, Place, ReadError};

/// One command; addresses count from 1, `None` is the current line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command<'p> {
    pub first: Option<i64>,
    pub last: Option<i64>,
    pub letter: u8,
    /// Lines of text follow it.
    takes_text: bool,
    pub text: Vec<Cow<'p, [u8]>>,
}

/// The commands that stand here, up to the first line that is none, which is then still to be read.
///
/// # Errors
/// The text of a command has no end.
pub fn read<'p>(
    lines: &mut Lines<'p>,
    is_command: impl Fn(&[u8]) -> bool,
) -> Result<Vec<Command<'p>>, ReadError> {
    let mut script = Vec::new();
    loop {
        let before = lines.place();
        let Some(line) = lines.with_remarks().filter(|line| is_command(line)) else {
            return stop(lines, before, script);
        };
        let mut command = parse(&line)?;
        if command.takes_text {
            loop {
                let line = lines.with_remarks().ok_or(ReadError::EdFailed)?;
                if line.as_ref() == b".\n" {
                    break;
                }
                command.text.push(line);
            }
        }
        script.push(command);
    }
}

/// What follows a script is no part of it, unless it would be a command to `ed`: then the script is one
/// that is not understood.
fn stop<'p>(
    lines: &mut Lines<'p>,
    before: Place,
    script: Vec<Command<'p>>,
) -> Result<Vec<Command<'p>>, ReadError> {
    lines.seek(before);
    let next = lines.clone().with_remarks().unwrap_or_default();
    if is_foreign_command(&next) { Err(ReadError::EdFailed) } else { Ok(script) }
}

/// A command that runs a program, names a file, or has an address.
fn is_foreign_command(line: &[u8]) -> bool {
    let address = line.iter().take_while(|b| b.is_ascii_digit() || b",.$;%".contains(b)).count();
    match &line[address..] {
        [b'!', ..] => true,
        [b'w' | b'W' | b'r' | b'e' | b'E' | b'f', b' ', _, b'\n' | b'!' | b'/' | b'.', ..] => true,
        [b'w' | b'W' | b'r' | b'e' | b'E' | b'f', b' ', b'!' | b'/' | b'.', ..] => true,
        [b'a'..=b'z' | b'A'..=b'Z' | b'=', rest @ ..] => {
            address > 0 && matches!(rest.first(), None | Some(b'\n' | b' ' | b'/' | b'!'))
        }
        _ => false,
    }
}

fn parse<'p>(line: &[u8]) -> Result<Command<'p>, ReadError> {
    let mut rest = line;
    let first = number(&mut rest)?;
    let last = match rest {
        [b',', more @ ..] => {
            rest = more;
            number(&mut rest)?
        }
        _ => first,
    };
    // What `ed` would not take behind a command makes it one that fails when it is run.
    let known = matches!(rest, [_, b'\n'] | [b's', b'/', b'.', b'/', b'/', b'\n']);
    let letter = if known { rest[0] } else { b'?' };
    Ok(Command {
        first,
        last,
        letter,
        takes_text: matches!(rest.first(), Some(b'a' | b'c' | b'i')),
        text: Vec::new(),
    })
}

fn number(rest: &mut &[u8]) -> Result<Option<i64>, ReadError> {
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, more) = rest.split_at(digits);
    *rest = more;
    if digits.is_empty() {
        return Ok(None);
    }
    let value = digits.iter().try_fold(0_i64, |sum, b| sum.checked_mul(10)?.checked_add(i64::from(b - b'0')));
    value.map(Some).ok_or(ReadError::EdFailed)
}

/// What the script makes of a file. As with `ed`, the result always ends in a newline.
///
/// # Errors
/// An address is not in the file.
pub fn run(file: &[u8], script: &[Command<'_>]) -> Result<Vec<u8>, ReadError> {
    let mut lines: Vec<Cow<'_, [u8]>> = file.split_inclusive(|b| *b == b'\n').map(Cow::Borrowed).collect();
    if let Some(last) = lines.last_mut().filter(|last| !last.ends_with(b"\n")) {
        last.to_mut().push(b'\n');
    }
    let mut current = lines.len();
    for command in script {
        current = step(&mut lines, command, current)?;
    }
    Ok(lines.concat())
}

/// Carries one command out, and gives the line that is current then.
fn step<'l>(
    lines: &mut Vec<Cow<'l, [u8]>>,
    command: &'l Command<'_>,
    current: usize,
) -> Result<usize, ReadError> {
    let address = |given: Option<i64>| match given {
        None => Ok(current),
        Some(line) => usize::try_from(line).ok().filter(|l| *l <= lines.len()).ok_or(ReadError::EdFailed),
    };
    let (first, last) = (address(command.first)?, address(command.last)?);
    let exists = first >= 1 && first <= last && last <= lines.len();
    let text = || command.text.iter().map(|line| Cow::Borrowed(line.as_ref()));
    let added = command.text.len();
    match command.letter {
        b'a' => {
            lines.splice(last..last, text());
            Ok(last + added)
        }
        b'i' => {
            let at = last.saturating_sub(1);
            lines.splice(at..at, text());
            Ok(if added == 0 { last } else { at + added })
        }
        b'c' if exists => {
            lines.splice(first - 1..last, text());
            Ok(if added == 0 { first.min(lines.len()) } else { first - 1 + added })
        }
        b'd' if exists => {
            lines.drain(first - 1..last);
            Ok(first.min(lines.len()))
        }
        b's' if exists && lines[last - 1].len() > 1 => {
            for line in &mut lines[first - 1..last] {
                let cut = line
                    .utf8_chunks()
                    .next()
                    .map_or(1, |chunk| chunk.valid().chars().next().map_or(1, char::len_utf8));
                if line.len() > 1 {
                    line.to_mut().drain(..cut);
                }
            }
            Ok(last)
        }
        _ => Err(ReadError::EdFailed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(file: &str, script: &str) -> Option<String> {
        let mut lines = Lines::new(script.as_bytes());
        let is_command = |line: &[u8]| {
            let digits = line.iter().take_while(|b| b.is_ascii_digit() || **b == b',').count();
            matches!(&line[digits..], [b'a' | b'c' | b'd' | b'i', b'\n'] | [b's', b'/', ..])
        };
        let script = read(&mut lines, is_command).ok()?;
        run(file.as_bytes(), &script).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    #[test]
    fn commands() {
        assert_eq!(apply("1\n2\n3\n", "3d\n1c\none\n.\n0a\nzero\n.\n").as_deref(), Some("zero\none\n2\n"));
        assert_eq!(apply("1\n2", "1i\nx\n.\n").as_deref(), Some("x\n1\n2\n"));
        assert_eq!(apply("1\n", "1c\n..\n.\ns/.//\n").as_deref(), Some(".\n"));
    }

    #[test]
    fn what_is_not_there_fails() {
        assert_eq!(apply("1\n", "2d\n"), None);
        assert_eq!(apply("1\n", "1c\nnew\n"), None);
        for foreign in ["!touch x", "1!touch x", "w /x", "r !ls", "$d", "1,$p"] {
            assert_eq!(apply("1\n2\n", &format!("2d\n{foreign}\n")), None, "{foreign}");
        }
        for garbage in ["w", "q", "", "Thanks", "diff x y"] {
            assert_eq!(apply("1\n2\n", &format!("2d\n{garbage}\n")).as_deref(), Some("1\n"), "{garbage}");
        }
        assert_eq!(apply("1\n", "99999999999999999999d\n"), None);
    }
}
