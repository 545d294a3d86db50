//! The manual and the completion scripts are made from the definition of the options and committed.
//! After a change to it, `EDAPPLY_WRITE=1 cargo test --test cli generated` writes them anew.

use std::{collections::BTreeSet, path::Path, process::Command};

use clap_complete::{Shell, generate};
use clap_mangen::roff::{Inline, Roff, bold, roman};
use edapply::{
    cli::exits,
    manual::{PAGES, SCRIPTS},
    refusal::EXPLANATIONS,
};

pub fn current(path: &str, content: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("EDAPPLY_WRITE").is_some() {
        std::fs::write(&path, content).expect("written");
    }
    let found = std::fs::read(&path).expect("a committed file");
    assert!(found == content, "{} is not current; see the head of this file", path.display());
}

#[test]
fn completions_are_current() {
    for (shell, path) in [
        (Shell::Bash, "completions/edapply.bash"),
        (Shell::Zsh, "completions/_edapply"),
        (Shell::Fish, "completions/edapply.fish"),
        (Shell::PowerShell, "completions/_edapply.ps1"),
        (Shell::Elvish, "completions/edapply.elv"),
    ] {
        let mut script = Vec::new();
        generate(shell, &mut edapply::cli::command(), "edapply", &mut script);
        current(path, &script);
    }
}

/// A page; `name` is the subcommand, "" the program itself.
fn page(command: &clap::Command, name: &str) -> Vec<u8> {
    let title = if name.is_empty() { "edapply".to_owned() } else { format!("edapply-{name}") };
    let mut out = Vec::new();
    let command = command.clone().display_name(&title).bin_name(title.replace("edapply-", "edapply "));
    let man = clap_mangen::Man::new(command.clone()).title(&title).date("").manual("edapply");
    man.render_title(&mut out).expect("memory");
    man.render_name_section(&mut out).expect("memory");
    if name.is_empty() {
        out.extend_from_slice(synopsis().to_roff().as_bytes());
    } else {
        man.render_synopsis_section(&mut out).expect("memory");
    }
    man.render_description_section(&mut out).expect("memory");
    man.render_options_section(&mut out).expect("memory");
    let mut more = Roff::new();
    if name.is_empty() {
        more.control("SH", ["SUBCOMMANDS"]);
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
            more.control("TP", []);
            more.text([bold(format!("edapply-{}(1)", sub.get_name()))]);
            more.text([roman(about)]);
        }
    }
    more.control("SH", ["EXIT STATUS"]);
    for (code, text) in exits(name) {
        more.control("TP", []);
        more.text([bold(code.to_string())]);
        more.text([roman(*text)]);
    }
    if name.is_empty() {
        examples(&mut more);
        places(&mut more);
    }
    more.control("SH", ["SEE ALSO"]);
    let pages = PAGES.iter().filter(|page| page.name != title && page.name != "git-edapply");
    let mut list: Vec<Inline> =
        pages.flat_map(|page| [bold(page.name), roman(format!("({}), ", page.section))]).collect();
    let last = list.pop().map(|_| roman("(1)"));
    list.extend(last);
    more.text(list);
    out.extend_from_slice(more.to_roff().as_bytes());
    once(&String::from_utf8(out).expect("UTF-8"), ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n").into_bytes()
}

/// Each section brings a definition along that the page needs once.
fn once(page: &str, part: &str) -> String {
    let (head, tail) = page.split_once(part).expect("a definition");
    format!("{head}{part}{}", tail.replace(part, ""))
}

/// The program has too many options to list them all twice.
fn synopsis() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    roff.text([bold("edapply"), roman(" [OPTION]... [INPUT]...")]);
    roff.control("br", []);
    roff.text([bold("edapply"), roman(" COMMAND [OPTION]... [ARGUMENT]...")]);
    roff
}

fn examples(more: &mut Roff) {
    more.control("SH", ["EXAMPLES"]);
    for (line, text) in [
        ("edapply < reply.md", "Apply what a model said, in the current folder."),
        ("edapply -C project --dry-run reply.md", "Show the change that it would make in another folder."),
        ("edapply --check -q fix.diff", "Would it apply? The exit code tells."),
        (
            "edapply --retry-prompt reply.md > retry.md",
            "If something is refused, keep what to send back to the model.",
        ),
        ("edapply --verify 'make test' reply.md", "Keep the result only if a command succeeds on it."),
        ("edapply undo", "Take the last batch back."),
        ("edapply convert --to unified -C . reply.md | git apply", "The same edits in another format."),
    ] {
        more.control("TP", []);
        more.text([bold(line)]);
        more.text([roman(text)]);
    }
}

fn places(more: &mut Roff) {
    more.control("SH", ["FILES"]);
    for (path, text) in [
        ("$GIT_DIR/edapply", "The journal, of a tree that git keeps."),
        ("$XDG_STATE_HOME/edapply", "The journal elsewhere, and what is remembered of readings and models."),
    ] {
        more.control("TP", []);
        more.text([bold(path)]);
        more.text([roman(text)]);
    }
    more.control("SH", ["ENVIRONMENT"]);
    for (name, text) in [
        ("EDAPPLY_STATE_DIR", "Where the journal is kept, if --state-dir does not say."),
        ("NO_COLOR", "If set, --color=auto means never."),
        ("EDAPPLY_FILES", "The changed files, one a line, for the commands of --verify and --diagnose."),
    ] {
        more.control("TP", []);
        more.text([bold(name)]);
        more.text([roman(text)]);
    }
}

/// Every code that a message may bear.
fn codes() -> Vec<u8> {
    let mut roff = Roff::new();
    roff.control(
        "TH",
        ["edapply-codes", "7", "", &format!("edapply {}", env!("CARGO_PKG_VERSION")), "edapply"],
    );
    roff.control("SH", ["NAME"]);
    roff.text([roman("edapply-codes - what the codes in messages of edapply mean")]);
    roff.control("SH", ["DESCRIPTION"]);
    roff.text([roman(
        "Each message that refuses something ends in a code in brackets. The codes are stable, and reports for \
         programs hold them too. The command edapply explain CODE prints what stands here.",
    )]);
    roff.control("SH", ["CODES"]);
    for e in EXPLANATIONS {
        roff.control("SS", [e.code]);
        roff.text([roman(format!("{}. {}", e.title, e.sentence))]);
        roff.control("PP", []);
        roff.text([bold("Why: "), roman(e.why)]);
        roff.control("PP", []);
        roff.text([bold("Next: "), roman(e.next)]);
    }
    roff.control("SH", ["SEE ALSO"]);
    roff.text([bold("edapply"), roman("(1), "), bold("edapply-explain"), roman("(1)")]);
    roff.to_roff().into_bytes()
}

#[test]
fn man_pages_are_current() {
    let mut command = edapply::cli::command();
    command.build();
    let mut made = BTreeSet::from(["git-edapply.1".to_owned(), "edapply.1".into(), "edapply-codes.7".into()]);
    current("man/edapply.1", &page(&command, ""));
    current("man/edapply-codes.7", &codes());
    current("man/git-edapply.1", b".so man1/edapply-git-apply.1\n");
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name = format!("edapply-{}.1", sub.get_name());
        current(&format!("man/{name}"), &page(sub, sub.get_name()));
        made.insert(name);
    }
    let carried: BTreeSet<String> =
        PAGES.iter().map(|page| format!("{}.{}", page.name, page.section)).collect();
    assert_eq!(carried, made, "what is installed is what is made");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("man");
    let there = std::fs::read_dir(folder).expect("a folder");
    let there: BTreeSet<String> =
        there.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(there, made, "no page is left over");
}

/// Names in a page as they read once it is set.
fn set(page: &str) -> String {
    page.replace("\\-", "-").replace("\\fB", "").replace("\\fI", "").replace("\\fR", "")
}

#[test]
fn every_option_and_exit_code_is_told_of() {
    let mut command = edapply::cli::command();
    command.build();
    let program = [("edapply".to_owned(), String::new(), command.clone())];
    let subs = command.get_subcommands().filter(|sub| sub.get_name() != "help");
    let subs =
        subs.map(|sub| (format!("edapply-{}", sub.get_name()), sub.get_name().to_owned(), sub.clone()));
    for (title, name, definition) in program.into_iter().chain(subs) {
        let page = set(PAGES.iter().find(|page| page.name == title).expect("a page").text);
        for arg in definition.get_arguments().filter(|arg| !arg.is_hide_set()) {
            let Some(long) = arg.get_long() else { continue };
            assert!(page.contains(&format!("--{long}")), "{title}: --{long} is not in the page");
            for script in &SCRIPTS {
                let known = if script.shell == "fish" { format!("-l {long}") } else { format!("--{long}") };
                assert!(script.text.contains(&known), "{}: --{long} of {title}", script.shell);
            }
        }
        assert!(!exits(&name).is_empty(), "{title} has no exit codes");
        let status = page.split("EXIT STATUS").nth(1).expect("a section");
        for (code, _) in exits(&name) {
            assert!(status.contains(&format!("\n{code}\n")), "{title}: {code}");
        }
        for script in SCRIPTS.iter().filter(|_| !name.is_empty()) {
            assert!(script.text.contains(&name), "{}: {name}", script.shell);
        }
    }
    let codes = PAGES.iter().find(|page| page.name == "edapply-codes").expect("a page");
    for e in EXPLANATIONS {
        assert!(
            set(codes.text).contains(&format!("SS {}", e.code)) || codes.text.contains(e.code),
            "{}",
            e.code
        );
    }
}

/// Pages without a fault in the eyes of the program that sets them; where that is not installed, our own
/// look must do.
#[test]
fn pages_can_be_set() {
    for page in PAGES.iter().filter(|page| !page.text.starts_with(".so")) {
        assert!(page.text.contains(".TH ") && page.text.contains(".SH NAME"), "{}", page.name);
        let path = format!("{}/man/{}.{}", env!("CARGO_MANIFEST_DIR"), page.name, page.section);
        let Ok(output) = Command::new("groff").args(["-man", "-Tutf8", "-ww", "-z", &path]).output() else {
            continue;
        };
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{}: {said}", page.name);
    }
}
