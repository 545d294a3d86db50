//! The man page and the completion scripts are made from the definition of the options and committed.
//! After a change to it, `EDAPPLY_WRITE=1 cargo test --test cli generated` writes them anew.

use std::path::Path;

use clap_complete::{Shell, generate};

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
    ] {
        let mut script = Vec::new();
        generate(shell, &mut edapply::cli::command(), "edapply", &mut script);
        current(path, &script);
    }
}

#[test]
fn man_pages_are_current() {
    let mut command = edapply::cli::command();
    command.build();
    let page = |command: &clap::Command, name: &str| {
        let mut out = Vec::new();
        let title = clap_mangen::Man::new(command.clone()).title(name).date("").manual("edapply");
        title.render(&mut out).expect("memory");
        out
    };
    current("man/edapply.1", &page(&command, "edapply"));
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name = format!("edapply-{}", sub.get_name());
        current(&format!("man/{name}.1"), &page(sub, &name));
    }
}
