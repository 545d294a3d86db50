//! `edapply bench`: the format table, other appliers, and what is kept for `choose`.

use serde_json::{Value, json};

use crate::world::World;

const BEHAVIOURS: [&str; 5] = ["correct", "dedented", "respaced", "elided", "stale-line"];

/// A class of six methods in 26 lines, or what the edit makes of it.
fn class(factor: u32) -> Vec<String> {
    let method = |n: u32| {
        let factor = if n == 3 { factor } else { 2 };
        [
            format!("    int value{n}() {{"),
            format!("        int x = {n};"),
            format!("        return x * {factor};"),
            "    }".into(),
        ]
    };
    let methods = (1..=6).flat_map(method);
    std::iter::once("class Calc {".to_owned()).chain(methods).chain(std::iter::once("}".to_owned())).collect()
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn reply(format: &str, behaviour: &str) -> String {
    let damage = |lines: &[String]| -> Vec<String> {
        let damaged = |line: &String| match behaviour {
            "dedented" => line.strip_prefix("    ").unwrap_or(line).to_owned(),
            "respaced" => line.replace("int x = 3;", "int x=3;"),
            _ => line.clone(),
        };
        lines.iter().map(damaged).collect()
    };
    let (old, new) = (damage(&class(2)[10..13]), damage(&class(3)[10..13]));
    match format {
        "whole-file" => {
            let mut lines = class(3);
            lines.splice(10..13, new);
            if behaviour == "elided" {
                lines.splice(17..25, ["    // ... value5 and value6 unchanged".to_owned()]);
            }
            format!("src/Calc.java\n```java\n{}```\n", text(&lines))
        }
        "search-replace" => {
            let (old, new) = (text(&old), text(&new));
            format!("src/Calc.java\n```java\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n")
        }
        _ => {
            let start = if behaviour == "stale-line" { 14 } else { 11 };
            let hunk = format!(" {}\n-{}\n+{}\n {}\n", old[0], old[1], new[1], old[2]);
            format!("--- a/src/Calc.java\n+++ b/src/Calc.java\n@@ -{start},3 +{start},3 @@\n{hunk}")
        }
    }
}

fn put_case(w: &World, name: &str, reply: &str, meta: &Value) {
    w.put(&format!("cases/{name}/before/src/Calc.java"), text(&class(2)).as_bytes());
    w.put(&format!("cases/{name}/after/src/Calc.java"), text(&class(3)).as_bytes());
    w.put(&format!("cases/{name}/reply.txt"), reply.as_bytes());
    w.put(&format!("cases/{name}/meta.json"), meta.to_string().as_bytes());
}

fn world() -> World {
    let w = World::new(&[]);
    for format in ["whole-file", "search-replace", "unified"] {
        for (n, behaviour) in BEHAVIOURS.iter().enumerate() {
            let meta = json!({"format": format, "behavior": behaviour, "expect": "ok"});
            put_case(&w, &format!("{format}-{n}"), &reply(format, behaviour), &meta);
        }
    }
    w
}

fn bench(w: &World, args: &[&str]) -> (i32, Value) {
    let said = w.run(&[&["bench", "cases", "--json"], args].concat(), "");
    assert_eq!(said.stderr, "");
    (said.code, serde_json::from_str(&said.stdout).expect("JSON"))
}

/// The outcomes of a format, in the order of behaviours.
fn row(w: &World, format: &str, args: &[&str]) -> String {
    let (_, json) = bench(w, &[&["--format", format], args].concat());
    let cases = json["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), BEHAVIOURS.len());
    let outcomes: Vec<&str> = cases.iter().filter_map(|case| case["outcome"].as_str()).collect();
    outcomes.join(" ")
}

#[test]
fn the_format_table() {
    let w = world();
    let before = w.tree();
    assert_eq!(row(&w, "whole-file", &["--reference", "whole-as-is"]), "ok WRONG WRONG WRONG ok");
    assert_eq!(row(&w, "search-replace", &["--reference", "unique-match"]), "ok FAIL FAIL ok ok");
    assert_eq!(row(&w, "search-replace", &["--reference", "first-match"]), "ok FAIL FAIL ok ok");
    assert_eq!(row(&w, "unified", &["--reference", "strict-position"]), "ok FAIL FAIL ok FAIL");
    assert_eq!(row(&w, "search-replace", &["--match", "strict"]), "ok FAIL FAIL ok ok");
    let strict = ["--match", "strict", "--max-offset", "0"];
    assert_eq!(row(&w, "unified", &strict), "ok FAIL FAIL ok FAIL");
    for format in ["whole-file", "search-replace", "unified"] {
        assert_eq!(row(&w, format, &[]), "ok ok ok ok ok", "{format}");
    }
    assert_eq!(w.tree(), before, "nothing is written");
}

#[test]
fn exit_codes_and_totals() {
    let w = world();
    assert_eq!(bench(&w, &["--jobs", "1"]), bench(&w, &["--jobs", "3"]));
    let (code, json) = bench(&w, &[]);
    assert_eq!((code, &json["total"], &json["retries_saved"]), (0, &json!({"ok": 15}), &json!(4)));
    let (code, json) = bench(&w, &["--reference", "whole-as-is"]);
    assert_eq!((code, &json["total"]), (1, &json!({"ok": 2, "FAIL": 10, "WRONG": 3})));
    let said = w.run(&["bench", "cases", "--format", "unified"], "");
    assert!(said.stdout.contains("unified / stale-line       1       1\n"), "{}", said.stdout);
    assert_eq!(w.run(&["bench", "cases/unified-0"], "").code, 2);
    assert_eq!(w.run(&["bench", "nowhere"], "").code, 2);
}

#[test]
fn other_programs_are_run_in_a_copy() {
    let w = world();
    let before = w.tree();
    let applier = format!("'{}' --match strict --max-offset 0 -q {{reply}}", env!("CARGO_BIN_EXE_edapply"));
    assert_eq!(row(&w, "unified", &["--applier", &applier]), "ok FAIL FAIL ok FAIL");
    assert_eq!(row(&w, "unified", &["--applier", "true"]), "WRONG WRONG WRONG WRONG WRONG");
    assert_eq!(row(&w, "unified", &["--applier", "touch x; false"]), ["PARTIAL"; 5].join(" "));
    assert_eq!(row(&w, "unified", &["--applier", "sleep 9", "--limit", "0"]), ["TIME"; 5].join(" "));
    assert_eq!(w.tree(), before);
}

#[test]
fn what_a_case_may_expect() {
    let w = World::new(&[]);
    let good = reply("search-replace", "correct");
    let meta = |expect: &str| json!({"format": "f", "behavior": expect, "expect": expect});
    put_case(&w, "1", &good, &meta("refuse"));
    put_case(&w, "2", "no edit\n", &meta("refuse"));
    put_case(&w, "3", &good, &meta("unknown"));
    put_case(&w, "4", "no edit\n", &meta("noop"));
    put_case(&w, "5", "no edit\n", &json!({"format": "f", "behavior": "b", "expect": "ok", "or": "refuse"}));
    let reply =
        json!({"format": "f", "behavior": "b", "expect": "parses", "edits": 1, "paths": ["src/Calc.java"]});
    put_case(&w, "6", &good, &reply);
    let task = |command: &str| json!({"format": "f", "behavior": "b", "expect": "ok", "verify": command});
    put_case(&w, "7", &good, &task("grep -q 'x [*] 3' src/Calc.java"));
    put_case(&w, "8", &good, &task("false"));
    let (code, json) = bench(&w, &[]);
    let cases = json["cases"].as_array().expect("cases");
    let outcomes: Vec<&str> = cases.iter().filter_map(|case| case["outcome"].as_str()).collect();
    assert_eq!((code, outcomes.join(" ").as_str()), (0, "ok ok acc ok ok ok ok"));
    assert_eq!(json["replies"], json!({"read": 1, "all": 1}));
    assert_eq!(json["tasks"], json!({"done": 1, "all": 2}));
}

#[test]
fn a_measured_model_is_chosen_for() {
    let w = world();
    let state = w.beside("state");
    let state = state.to_str().expect("text");
    let said = w.run(&["bench", "cases", "--model", "tiny", "--state-dir", state], "");
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("kept in "), "{}", said.stdout);
    let said = w.run(&["choose", "--lines", "800", "--model", "tiny", "--state-dir", state], "");
    assert!(said.stdout.starts_with("search-replace: the model often misquotes"), "{}", said.stdout);
    assert!(
        said.stdout.contains("(measured for tiny: 73 % of edits right under strict matching)"),
        "{}",
        said.stdout
    );
    let said = w.run(&["choose", "--lines", "800", "--model", "other", "--state-dir", state], "");
    assert!(said.stdout.starts_with("whole-file: nothing was measured"), "{}", said.stdout);
}
