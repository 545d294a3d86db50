//! Every exit code that is told of, of every subcommand and face, once for real.

use std::{collections::BTreeSet, process::Stdio};

use edapply::cli::EXITS;

use crate::world::{World, block};

/// Subcommand, exit code, arguments behind the subcommand's name, standard input.
type Way = (&'static str, u8, &'static [&'static str], Input);

#[derive(Clone, Copy)]
enum Input {
    Nothing,
    Prose,
    /// An edit that fits.
    Good,
    /// One that does not.
    Bad,
    Patch,
    BadPatch,
}

const PATCH: &str = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+ONE\n";

impl Input {
    fn text(self) -> String {
        match self {
            Input::Nothing => String::new(),
            Input::Prose => "nothing to do here\n".into(),
            Input::Good => block("a.txt", "one\n", "ONE\n"),
            Input::Bad => block("a.txt", "nowhere\n", "ONE\n"),
            Input::Patch => PATCH.into(),
            Input::BadPatch => PATCH.replace("one", "nowhere"),
        }
    }
}

use Input::{Bad, BadPatch, Good, Nothing, Patch, Prose};

const WAYS: &[Way] = &[
    ("", 0, &[], Good),
    ("", 1, &[], Bad),
    ("", 2, &["--no-such-option"], Good),
    ("", 3, &["--verify", "false"], Good),
    ("", 130, &["--verify", "kill -INT $PPID; sleep 60"], Good),
    ("", 143, &["--verify", "kill -TERM $PPID; sleep 60"], Good),
    ("inspect", 0, &[], Good),
    ("inspect", 1, &[], Prose),
    ("inspect", 2, &["missing"], Nothing),
    ("undo", 0, &["--list"], Nothing),
    ("undo", 1, &[], Nothing),
    ("undo", 2, &["-C", "missing"], Nothing),
    ("recover", 0, &[], Nothing),
    ("recover", 2, &["-C", "missing"], Nothing),
    ("log", 0, &[], Nothing),
    ("log", 2, &["-C", "missing"], Nothing),
    ("read", 0, &["a.txt"], Nothing),
    ("read", 2, &["missing"], Nothing),
    ("convert", 0, &["--to", "v4a"], Good),
    ("convert", 1, &["--to", "v4a", "-C", "."], Bad),
    ("convert", 2, &["--to", "v4a", "missing"], Nothing),
    ("prompt", 0, &["v4a"], Nothing),
    ("prompt", 2, &["no-format"], Nothing),
    ("bench", 0, &["cases"], Nothing),
    ("bench", 1, &["cases", "--applier", "true"], Nothing),
    ("bench", 2, &["missing"], Nothing),
    ("cost", 0, &["a.txt"], Nothing),
    ("cost", 2, &["missing"], Nothing),
    ("choose", 0, &["a.txt"], Nothing),
    ("choose", 2, &[], Nothing),
    ("explain", 0, &["ambiguous"], Nothing),
    ("explain", 2, &["no-code"], Nothing),
    ("schema", 0, &[], Nothing),
    ("schema", 2, &["--no-such-option"], Nothing),
    ("completions", 0, &["fish"], Nothing),
    ("completions", 2, &["no-shell"], Nothing),
    ("man", 0, &["codes"], Nothing),
    ("man", 2, &["no-page"], Nothing),
    ("install", 0, &["--prefix", "/usr", "--destdir", "../out"], Nothing),
    ("install", 2, &["--link", "no-name"], Nothing),
    ("patch", 0, &["-p1"], Patch),
    ("patch", 1, &["-p1", "-r", "-"], BadPatch),
    ("patch", 2, &["-p1"], Prose),
    ("git-apply", 0, &["--check"], Patch),
    ("git-apply", 1, &[], BadPatch),
    ("git-apply", 128, &[], Prose),
    ("git-apply", 129, &["--no-such-option"], Patch),
];

fn world() -> World {
    let w = World::new(&[("a.txt", "one\n")]);
    for (path, text) in [
        ("before/a", "a\n"),
        ("after/a", "b\n"),
        ("reply.txt", block("a", "a\n", "b\n").as_str()),
        ("meta.json", r#"{"format": "search-replace", "behavior": "b", "expect": "ok"}"#),
    ] {
        w.put(&format!("cases/1/{path}"), text.as_bytes());
    }
    w
}

#[test]
fn every_exit_code_happens() {
    for (name, code, args, input) in WAYS {
        let w = world();
        let before = w.tree();
        let args: Vec<&str> =
            (!name.is_empty()).then_some(*name).into_iter().chain(args.iter().copied()).collect();
        let said = w.run(&args, &input.text());
        assert_eq!(said.code, i32::from(*code), "{args:?}\n{}{}", said.stdout, said.stderr);
        // GNU patch keeps the file of a hunk that failed.
        let writes = matches!((*name, *code), ("" | "patch", 0) | ("patch", 1));
        assert_eq!(w.tree() != before, writes, "{args:?}");
    }
}

/// What was saved after a run was killed is not overwritten by its recovery.
#[test]
fn a_recovery_that_is_not_whole() {
    let w = world();
    let mut child = w.command(&["--verify", "kill -9 $PPID"]);
    child.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.spawn().expect("the program");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), Good.text().as_bytes())
        .expect("written");
    assert_eq!(child.wait().expect("an end").code(), None, "killed");
    w.put("a.txt", b"mine\n");
    let report = w.report(&["recover", "--json"], "", 1);
    assert_eq!(report["runs"][0]["left"].as_array().map(Vec::len), Some(1), "{report:#}");
    assert_eq!(w.tree()["a.txt"], "644 mine\n");
}

#[test]
fn no_exit_code_is_left_out() {
    let told: BTreeSet<(&str, u8)> =
        EXITS.iter().flat_map(|(name, codes)| codes.iter().map(|(code, _)| (*name, *code))).collect();
    let mut tried: BTreeSet<(&str, u8)> = WAYS.iter().map(|(name, code, ..)| (*name, *code)).collect();
    // Above.
    tried.insert(("recover", 1));
    assert_eq!(told, tried);
    let mut command = edapply::cli::command();
    command.build();
    let subs: BTreeSet<&str> =
        command.get_subcommands().map(clap::Command::get_name).filter(|name| *name != "help").collect();
    let known: BTreeSet<&str> = EXITS.iter().map(|(name, _)| *name).filter(|name| !name.is_empty()).collect();
    assert_eq!(known, subs);
}
