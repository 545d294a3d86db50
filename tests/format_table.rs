//! The format table: one change, five formats, five ways in which models err. All 25 are right; under strict
//! matching at the stated line only what was copied exactly is.

use edapply::{
    edit::Format,
    input,
    place::View,
    plan::{self, Outcome, Policy},
    refusal::Refusal,
    tree::{Image, Memory, RelPath},
};

const BEHAVIOURS: [&str; 5] = ["correct", "dedented", "respaced", "elided", "stale-line"];

/// A class of six methods in 26 lines.
fn before() -> Vec<String> {
    let mut lines = vec!["class Calc {".to_owned()];
    for n in 1..=6 {
        lines.push(format!("    int value{n}() {{"));
        lines.push(format!("        int x = {n};"));
        lines.push("        return x * 2;".to_owned());
        lines.push("    }".to_owned());
    }
    lines.push("}".to_owned());
    lines
}

fn after() -> Vec<String> {
    let mut lines = before();
    lines[11] = "        return x * 3;".to_owned();
    lines
}

fn damaged(line: &str, behaviour: &str) -> String {
    match behaviour {
        "dedented" => line.strip_prefix("    ").unwrap_or(line).to_owned(),
        "respaced" => line.replace("int x = 3;", "int x=3;"),
        _ => line.to_owned(),
    }
}

fn reply(format: &str, behaviour: &str) -> String {
    let damage = |lines: &[String]| lines.iter().map(|l| damaged(l, behaviour)).collect::<Vec<_>>();
    let (old, new) = (damage(&before()[10..13]), damage(&after()[10..13]));
    let hunk = format!(" {}\n-{}\n+{}\n {}\n", old[0], old[1], new[1], old[2]);
    match format {
        "whole-file" => {
            let mut lines = after();
            lines.splice(10..13, new);
            if behaviour == "elided" {
                lines.splice(17..25, ["    // ... value5 and value6 unchanged".to_owned()]);
            }
            format!("src/Calc.java\n```java\n{}\n```\n", lines.join("\n"))
        }
        "search-replace" => format!(
            "src/Calc.java\n```java\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n```\n",
            old.join("\n"),
            new.join("\n")
        ),
        "unified" => {
            let start = if behaviour == "stale-line" { 14 } else { 11 };
            format!("--- a/src/Calc.java\n+++ b/src/Calc.java\n@@ -{start},3 +{start},3 @@\n{hunk}")
        }
        "numberless" => format!("```diff\n--- src/Calc.java\n+++ src/Calc.java\n@@ ... @@\n{hunk}```\n"),
        _ => format!("*** Begin Patch\n*** Update File: src/Calc.java\n@@\n{hunk}*** End Patch\n"),
    }
}

fn path() -> RelPath {
    RelPath::parse(b"src/Calc.java").expect("a plain path")
}

fn tree(lines: &[String]) -> Memory {
    let mut tree = Memory::default();
    tree.files.insert(path(), Image { bytes: (lines.join("\n") + "\n").into_bytes().into(), mode: 0o644 });
    tree
}

/// `ok`, `FAIL` or `WRONG`.
fn outcome(reply: &str, policy: &Policy) -> &'static str {
    let plan = plan::make(&input::read(reply.as_bytes(), None), &tree(&before()), policy);
    if !plan.is_ok() || plan.verdicts.is_empty() {
        assert!(plan.changes.is_empty(), "a refused plan changes files");
        return "FAIL";
    }
    let want = (after().join("\n") + "\n").into_bytes();
    match &plan.changes[..] {
        [change] if change.after.as_ref().is_some_and(|image| image.bytes[..] == want[..]) => "ok",
        _ => "WRONG",
    }
}

fn row(format: &str, policy: &Policy) -> String {
    BEHAVIOURS.map(|behaviour| outcome(&reply(format, behaviour), policy)).join(" ")
}

#[test]
fn all_cells_are_right() {
    for format in ["whole-file", "search-replace", "unified", "numberless", "v4a"] {
        assert_eq!(row(format, &Policy::default()), "ok ok ok ok ok", "{format}");
    }
}

#[test]
fn strictly_only_exact_copies_are_right() {
    let strict = Policy { loosest: View::LineEnds, max_offset: Some(0), ..Policy::default() };
    assert_eq!(row("search-replace", &strict), "ok FAIL FAIL ok ok");
    assert_eq!(row("numberless", &strict), "ok FAIL FAIL ok ok");
    assert_eq!(row("unified", &strict), "ok FAIL FAIL ok FAIL");
}

/// A block whose text stands twice is refused with both lines, a right one beside it is reported as fine,
/// and nothing is written.
#[test]
fn one_place_or_none() {
    let mut lines = before();
    lines[10] = "        int x = 2;".to_owned();
    let block = |old: &str, new: &str| {
        format!("src/Calc.java\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n\n")
    };
    let reply = block("        int x = 2;", "        int x = 7;")
        + &block("        int x = 5;", "        int x = 8;");
    let parsed = input::read(reply.as_bytes(), None);
    assert!(parsed.edits.iter().all(|edit| edit.format == Format::SearchReplace));
    let plan = plan::make(&parsed, &tree(&lines), &Policy::default());
    assert!(plan.changes.is_empty());
    let outcomes: Vec<&Outcome> = plan.verdicts.iter().map(|verdict| &verdict.outcome).collect();
    assert_eq!(outcomes, [&Outcome::Refused(Refusal::Ambiguous { lines: vec![7, 11] }), &Outcome::Applied]);
}
