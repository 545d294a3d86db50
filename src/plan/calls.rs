//! Calls of edit tools, from their JSON to the file.

use super::{Outcome, Policy, make};
use crate::{
    input,
    tree::{Image, Memory, RelPath},
};

/// The file `a` after a call, or the code of the first refusal.
fn after(before: &str, reply: &str, policy: &Policy) -> Result<String, String> {
    let path = RelPath::parse(b"a").unwrap();
    let mut memory = Memory::default();
    memory.files.insert(path.clone(), Image { bytes: before.into(), mode: 0o644 });
    let plan = make(&input::read(reply.as_bytes(), None), &memory, policy);
    for verdict in &plan.verdicts {
        if let Outcome::Refused(refusal) = &verdict.outcome {
            assert!(plan.changes.is_empty());
            return Err(refusal.code().to_owned());
        }
    }
    assert!(!plan.verdicts.is_empty(), "no edit in {reply}");
    let change = plan.changes.iter().find(|change| change.path == path);
    let image = change.and_then(|change| change.after.clone());
    Ok(image.map_or(before.to_owned(), |image| String::from_utf8_lossy(&image.bytes).into_owned()))
}

fn call(old: &str, new: &str) -> String {
    serde_json::json!({"path": "a", "old_string": old, "new_string": new}).to_string()
}

fn calls(pairs: &[(&str, &str)]) -> String {
    pairs.iter().map(|(old, new)| call(old, new) + "\n").collect()
}

fn every(old: &str, new: &str) -> String {
    serde_json::json!({"path": "a", "old_string": old, "new_string": new, "replace_all": true}).to_string()
}

fn pi(pairs: &[(&str, &str)]) -> String {
    let edits: Vec<_> =
        pairs.iter().map(|(old, new)| serde_json::json!({"oldText": old, "newText": new})).collect();
    serde_json::json!({"path": "a", "edits": edits}).to_string()
}

fn multi(pairs: &[(&str, &str)]) -> String {
    pi(pairs).replace("oldText", "old_string").replace("newText", "new_string")
}

#[track_caller]
fn check(before: &str, reply: &str, expected: Result<&str, &str>) {
    let got = after(before, reply, &Policy::default());
    assert_eq!(got.as_deref().map_err(String::as_str), expected, "{before:?} {reply}");
}

#[test]
fn parts_of_lines() {
    for (before, old, new, expected) in [
        ("x = a + b\n", "a + b", "b + a", Ok("x = b + a\n")),
        ("x = a + b\n", "a", "c", Ok("x = c + b\n")),
        ("ab a\n", "a", "c", Err("ambiguous")),
        ("foo\nfoobar\n", "foo", "x", Err("ambiguous")),
        ("x = f(1,\n  2)\ny\n", "f(1,\n  2)", "g(\n  3)", Ok("x = g(\n  3)\ny\n")),
        (
            "x = f(1,\r\n  2)\r\ny\r\n",
            "f(1,\n  2)",
            "g(1,\n  2,\n  3)",
            Ok("x = g(1,\r\n  2,\r\n  3)\r\ny\r\n"),
        ),
        ("a\nb", "b", "$& \\1", Ok("a\n$& \\1")),
        ("a\nb\nc\n", "b", "B\n", Ok("a\nB\n\nc\n")),
        ("a\nb\nc\n", "b\n", "", Ok("a\nc\n")),
        ("a\nb\nc\n", "b\n", "B", Err("doubtful")),
        ("a\nb\nc\n", "\nb", "", Ok("a\nc\n")),
        ("a\nb\nc\n", "a\nb", "ab", Ok("ab\nc\n")),
        ("fmt(x)  \n", "fmt(x)", "fmt(y)", Ok("fmt(y)  \n")),
        (
            "f(\u{201c}a\u{201d}, \u{2018}b\u{2019}) \u{2026}\n",
            "\"a\"",
            "\"c\"",
            Ok("f(\u{201c}c\u{201d}, \u{2018}b\u{2019}) \u{2026}\n"),
        ),
        ("v = 1\n", "v = 2", "v = 3", Err("not-found")),
        ("v = 10\n", "v = 1", "v = 10", Err("doubtful")),
        ("a b\n", "b", "# ... existing code ...", Err("elision-literal")),
    ] {
        check(before, &call(old, new), expected);
    }
}

#[test]
fn every_place() {
    for (before, old, new, expected) in [
        ("aXaX\nX\n", "X", "yy", Ok("ayyayy\nyy\n")),
        ("a\nb\na\nb\n", "a\nb\n", "c\n", Ok("c\nc\n")),
        ("x = a;\r\ny = a;\r\n", "a;\n", "b;\n", Err("not-found")),
        ("  f()\n\tf()\n", "f()", "g()", Ok("  g()\n\tg()\n")),
        ("\tf(1)\n\tx\n\tf(1)\n", "    f(1)", "    g(1)", Ok("\tg(1)\n\tx\n\tg(1)\n")),
        (
            "f(\u{201c}a\u{201d})\ng(\u{201c}a\u{201d})\n",
            "\"a\"",
            "\"b\"",
            Ok("f(\u{201c}b\u{201d})\ng(\u{201c}b\u{201d})\n"),
        ),
        ("a\n", "z", "y", Err("not-found")),
    ] {
        check(before, &every(old, new), expected);
    }
    let counted = |count: u64| {
        serde_json::json!({"path": "a", "old_string": "x", "new_string": "y", "expected_replacements": count})
            .to_string()
    };
    check("x x\nx\n", &counted(3), Ok("y y\ny\n"));
    check("x x\nx\n", &counted(2), Err("doubtful"));
    check("x x\nx\n", &counted(1), Err("ambiguous"));
    let all = Policy { replace_all: true, ..Policy::default() };
    let block = "`a`\n```\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n";
    assert_eq!(after("x\nb\nx\n", block, &all).unwrap(), "y\nb\ny\n");
    assert_eq!(after("x1 x\n", &call("x", "y"), &all).unwrap(), "y1 y\n");
    check("x\nb\nx\n", block, Err("ambiguous"));
}

#[test]
fn several_replacements_of_one_line() {
    check("f(a, b, c)\n", &pi(&[("a", "x"), ("c", "z")]), Ok("f(x, b, z)\n"));
    check("f(a, b, c)\n", &calls(&[("c", "z"), ("a,", "x,")]), Ok("f(x, b, z)\n"));
    check("f(abc)\n", &pi(&[("ab", "x"), ("bc", "y")]), Err("overlap"));
    check("f(a)\ng(b)\n", &pi(&[("a)\n", "x)\n"), ("g(b", "h(y")]), Err("not-found"));
    check("one two\n", &pi(&[("two", "2\n3"), ("one", "1")]), Ok("1 2\n3\n"));
}

#[test]
fn against_which_text() {
    let swap = [("alpha", "beta"), ("beta", "alpha")];
    check("alpha\nbeta\n", &pi(&swap), Ok("beta\nalpha\n"));
    check("alpha\nbeta\n", &multi(&swap), Err("doubtful"));
    check("alpha\n", &pi(&swap), Err("doubtful"));
    check("alpha\n", &multi(&[("alpha", "beta"), ("beta", "gamma")]), Ok("gamma\n"));
    check("alpha\n", &calls(&[("alpha", "beta"), ("beta", "gamma")]), Ok("gamma\n"));
    check("a\nb\nc\n", &pi(&[("a\nb", "x"), ("b\nc", "y")]), Err("overlap"));
    let twice = pi(&[("alpha", "beta2"), ("beta", "gamma")]);
    check("alpha\nbeta\n", &twice, Ok("beta2\ngamma\n"));
    check("beta2\ngamma\n", &twice, Err("doubtful"));
}

#[test]
fn insertion_by_line_number() {
    let insert = |line: u64, text: &str| {
        serde_json::json!({"command": "insert", "path": "a", "insert_line": line, "insert_text": text})
            .to_string()
    };
    check("a\nb\n", &insert(0, "x\n"), Ok("x\na\nb\n"));
    check("a\r\nb\r\n", &insert(1, "x\ny"), Ok("a\r\nx\r\ny\r\nb\r\n"));
    check("a\nb\n", &insert(2, "x\n"), Ok("a\nb\nx\n"));
    check("a\nb\n", &insert(3, "x\n"), Err("doubtful"));
    // one after another: the second number counts what the first inserted
    check("a\nb\n", &format!("{}\n{}\n", insert(0, "x\n"), insert(2, "y\n")), Ok("x\na\ny\nb\n"));
}

#[test]
fn whole_files_and_versions() {
    let write = |text: &str| serde_json::json!({"file_path": "a", "content": text}).to_string();
    check("old\n", &write("new\n"), Ok("new\n"));
    check("a\n", &format!("{}\n{}\n", call("a", "b"), write("c\n")), Ok("c\n"));
    check("a\n", &format!("{}\n{}\n", write("b\n"), call("b", "c")), Ok("c\n"));
    check("a\n", &call("", "b"), Err("file-exists"));
    check("", &call("", "b\n"), Ok("b\n"));
    let of_a = "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7";
    let matched = |tag: &str| {
        serde_json::json!({"path": "a", "old_string": "a", "new_string": "b", "if_match": tag}).to_string()
    };
    check("a\n", &matched(of_a), Ok("b\n"));
    check("a\n", &matched(&format!("sha256:{}", of_a.to_uppercase())), Ok("b\n"));
    check("a \n", &matched(of_a), Err("other-version"));
}

#[test]
fn artefacts_in_both_texts() {
    check("foo\nbar\nend\n", &call("foo\\nbar", "foo\\nbaz"), Ok("foo\nbaz\nend\n"));
    check("s = \"\"\n", &call("s = \"\"", "s = \"\\n\""), Ok("s = \"\\n\"\n"));
    check("if a < b {\n", &call("if a &lt; b {", "if b &lt; a {"), Ok("if b < a {\n"));
    check("x &lt; y\n", &call("x &lt; y", "x &gt; y"), Ok("x &gt; y\n"));
}
