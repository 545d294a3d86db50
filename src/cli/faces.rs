//! What the drop-ins share: their report for programs, and how they are told of.

use clap::{Arg, ArgAction};

use super::{Streams, getopt::Value};
use crate::{
    dialect::Told,
    report::{
        Exit,
        json::{self, Document, DropIn},
    },
};

/// Runs a face with its texts kept, and reports them with its hunks and files.
pub(super) fn report<D: Document>(
    streams: &mut Streams<'_>,
    speak: impl FnOnce(&mut Streams<'_>, &mut Told) -> Exit,
    document: fn(DropIn) -> D,
) -> Exit {
    let (mut stdout, mut stderr, mut told) = (Vec::new(), Vec::new(), Told::default());
    let mut kept =
        Streams { stdin: &mut *streams.stdin, stdout: &mut stdout, stderr: &mut stderr, ..*streams };
    let exit = speak(&mut kept, &mut told);
    streams.settled = told.written;
    let document = document(DropIn::new(exit, &told, &stdout, &stderr));
    let printed = json::line(&document).map_err(std::io::Error::from);
    let printed = printed.and_then(|line| writeln!(streams.stdout, "{line}"));
    match printed.and_then(|()| streams.stdout.flush()) {
        Err(_) if !streams.settled => exit.max(Exit::Trouble),
        _ => exit,
    }
}

/// An option of a face, to be told of.
pub(super) fn option(letter: Option<u8>, long: &'static str, value: Value, help: &'static str) -> Arg {
    let id = if long.is_empty() { help } else { long };
    let mut arg = Arg::new(id).help(help).hide(help.is_empty());
    if let Some(letter) = letter {
        arg = arg.short(char::from(letter));
    }
    if !long.is_empty() {
        arg = arg.long(long);
    }
    match value {
        Value::None => arg.action(ArgAction::SetTrue),
        Value::Needed(name) => arg.value_name(name).action(ArgAction::Append),
        Value::Optional(name) => arg.value_name(name).num_args(0..=1).require_equals(true),
    }
}

/// An operand of a face.
pub(super) fn operand(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).value_name(name).help(help)
}
