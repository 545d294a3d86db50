//! Subcommands that print what is known beforehand.

use std::io;

use super::{Streams, commands::Shell, mistakes, tell_trouble, trouble};
use crate::{
    edit::Format,
    install, manual, prompt as prompts,
    refusal::{EXPLANATIONS, explain},
    report::{
        Exit, Failure, escape,
        json::{self, Document},
    },
};

pub(super) fn print(text: &str, streams: &mut Streams<'_>) -> io::Result<Exit> {
    streams.stdout.write_all(text.as_bytes())?;
    Ok(Exit::Ok)
}

fn print_json(document: &impl Document, streams: &mut Streams<'_>) -> io::Result<Exit> {
    writeln!(streams.stdout, "{}", json::line(document)?)?;
    Ok(Exit::Ok)
}

pub(super) fn prompt(format: Format, long: bool, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let text = prompts::prompt(format).map(|prompt| prompt.text(long)).unwrap_or_default();
    if streams.as_json {
        return print_json(&json::Prompt { format, long, text }, streams);
    }
    print(&text, streams)
}

pub(super) fn explanation(code: Option<&str>, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let found = match code {
        None => EXPLANATIONS.iter().collect(),
        Some(code) => match explain(code) {
            Some(found) => vec![found],
            None => return no_such_code(code, streams),
        },
    };
    if streams.as_json {
        return print_json(&json::Codes { codes: found.into_iter().map(Into::into).collect() }, streams);
    }
    for e in &found {
        let (code, title, sentence) = (e.code, e.title, e.sentence);
        match found.len() {
            1 => {
                writeln!(streams.stdout, "{code}: {title}\n\n{sentence}\n\nWhy: {}\nNext: {}", e.why, e.next)?
            }
            _ => writeln!(streams.stdout, "{code:22} {title}")?,
        }
    }
    Ok(Exit::Ok)
}

fn no_such_code(code: &str, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let codes: Vec<&str> = EXPLANATIONS.iter().map(|explanation| explanation.code).collect();
    let meant =
        mistakes::closest(code, &codes).map_or(String::new(), |code| format!("; did you mean {code}?"));
    let code = escape::text(code);
    let message = format!("no code `{code}`{meant} (`edapply explain` lists all)");
    usage(message, streams)
}

fn usage(message: String, streams: &mut Streams<'_>) -> io::Result<Exit> {
    writeln!(streams.stderr, "edapply: {message}")?;
    tell_trouble(&Failure::trouble("usage", message), streams)?;
    Ok(Exit::Trouble)
}

pub(super) fn completions(shell: Shell, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let text = manual::completions(shell.name()).map_or("", |script| script.text);
    if streams.as_json {
        return print_json(&json::Completions { shell: shell.name().to_owned(), text }, streams);
    }
    print(text, streams)
}

pub(super) fn man(page: &str, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let Some(found) = manual::page(page) else {
        let message = format!("no page `{}` (`edapply man --list` lists all)", escape::text(page));
        return usage(message, streams);
    };
    if streams.as_json {
        return print_json(&json::Man { pages: vec![found.into()] }, streams);
    }
    print(found.text, streams)
}

/// The names of all pages.
pub(super) fn pages(streams: &mut Streams<'_>) -> io::Result<Exit> {
    if streams.as_json {
        return print_json(&json::Man { pages: manual::PAGES.iter().map(Into::into).collect() }, streams);
    }
    for page in &manual::PAGES {
        writeln!(streams.stdout, "{}({})", page.name, page.section)?;
    }
    Ok(Exit::Ok)
}

pub(super) fn install(ask: &install::Ask, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let placed = match install::install(ask) {
        Ok(placed) => placed,
        Err(failure) => return trouble(&failure, streams),
    };
    if streams.as_json {
        let file = |one: &install::Placed| json::InstalledFile {
            path: json::path(Some(one.path.as_os_str().as_encoded_bytes())),
            link_to: one.link_to.map(str::to_owned),
        };
        let files = placed.iter().map(file).collect();
        return print_json(&json::Installed { written: !ask.dry_run, files }, streams);
    }
    for one in &placed {
        let path = escape::name(one.path.as_os_str().as_encoded_bytes());
        let to = one.link_to.map_or(String::new(), |to| format!(" -> {to}"));
        writeln!(streams.stdout, "{path}{to}")?;
    }
    Ok(Exit::Ok)
}
