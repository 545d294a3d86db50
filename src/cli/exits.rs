//! Exit codes, as help and manual tell them.

/// What the exit codes of a subcommand or face mean; "" is the native face without a subcommand.
pub const EXITS: [(&str, &[(u8, &str)]); 18] = [
    (
        "",
        &[
            (0, "Everything applied, or would."),
            (1, "Some edit was refused; nothing was written, or with --partial the good ones."),
            (2, "Trouble: usage, unreadable input, input and output."),
            (3, "The result failed --verify, or differs from --expect; nothing is left changed."),
            (130, "Interrupted by SIGINT, and rolled back."),
            (143, "Ended by SIGTERM, and rolled back."),
        ],
    ),
    ("inspect", &[(0, "There are edits."), (1, "There is none."), (2, "Trouble.")]),
    (
        "undo",
        &[(0, "Taken back."), (1, "Refused: something changed since, or there is nothing."), (2, "Trouble.")],
    ),
    ("recover", &[(0, "All is in order."), (1, "Something could not be put back."), (2, "Trouble.")]),
    ("log", &[(0, "Listed."), (2, "Trouble.")]),
    ("read", &[(0, "Printed."), (2, "Trouble.")]),
    (
        "convert",
        &[(0, "Written."), (1, "An edit has no meaning in that format, or is refused."), (2, "Trouble.")],
    ),
    ("prompt", &[(0, "Printed."), (2, "Trouble.")]),
    ("bench", &[(0, "Measured."), (1, "Something is WRONG, PARTIAL or TIME."), (2, "Trouble.")]),
    ("cost", &[(0, "Printed."), (2, "Trouble; also a reply that is refused.")]),
    ("choose", &[(0, "Printed."), (2, "Trouble.")]),
    ("explain", &[(0, "Printed."), (2, "There is no such code.")]),
    ("schema", &[(0, "Printed."), (2, "Trouble.")]),
    ("completions", &[(0, "Printed."), (2, "Trouble.")]),
    ("man", &[(0, "Printed."), (2, "There is no such page.")]),
    ("install", &[(0, "Installed."), (2, "Trouble; also a name that belongs to another program.")]),
    ("patch", &[(0, "All hunks were applied."), (1, "Some were not."), (2, "Trouble.")]),
    (
        "git-apply",
        &[
            (0, "The patch was applied, or would be."),
            (1, "It does not apply."),
            (128, "The input is of no use, or cannot be read."),
            (129, "Misuse of options; also --help."),
        ],
    ),
];

/// The codes of a subcommand.
pub fn exits(name: &str) -> &'static [(u8, &'static str)] {
    EXITS.iter().find(|(known, _)| *known == name).map_or(&[], |(_, codes)| codes)
}

/// The definition with its exit codes, and those of its subcommands, below its help.
pub(super) fn told(mut command: clap::Command, name: &str, more: &str) -> clap::Command {
    let subs: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for sub in subs {
        command = command.mut_subcommand(&sub, |definition| told(definition, &sub, ""));
    }
    let codes: String = exits(name).iter().map(|(code, text)| format!("\n  {code:<4} {text}")).collect();
    command.after_help(format!("Exit codes:{codes}\n{more}"))
}
