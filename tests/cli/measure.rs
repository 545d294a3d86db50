//! `edapply cost` and `edapply choose`.

use crate::world::{World, block};

/// A class of ten methods.
fn calc() -> String {
    let method = |n: u32| {
        format!("    public int value{n}() {{\n        int x = {n};\n        return x * 2;\n    }}\n\n")
    };
    format!("package app;\n\npublic class Calc {{\n{}}}\n", (1..=10).map(method).collect::<String>())
}

#[test]
fn the_cost_of_a_reply() {
    let w = World::new(&[("src/Calc.java", &calc())]);
    let reply = block(
        "src/Calc.java",
        "        int x = 3;\n        return x * 2;\n",
        "        int x = 3;\n        return x * 3;\n",
    );
    let said = w.run(&["cost", "src/Calc.java", "--edit", "-"], &reply);
    let want = "src/Calc.java (54 lines), as the reply changes it\n\
        \x20 format             chars  ~tokens  ~seconds\n\
        \x20 whole-file           792      257      21.4\n\
        \x20 search-replace       187       61       5.1\n\
        \x20 unified              139       45       3.8\n\
        \x20 v4a                  157       51       4.2\n\
        \x20 edit-call            201       66       5.5\n";
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, want, ""));
    let args = ["cost", "src/Calc.java", "--edit", "-", "--json", "--chars-per-token", "1"];
    let json: serde_json::Value = serde_json::from_str(&w.run(&args, &reply).stdout).expect("JSON");
    assert_eq!(json["files"][0]["formats"][0]["tokens"], 792);
}

#[test]
fn a_file_without_a_reply_and_what_cannot_be_costed() {
    let w = World::new(&[("a.txt", "1\n2\n3\n")]);
    let said = w.run(&["cost", "a.txt"], "");
    assert!(said.stdout.starts_with("a.txt (3 lines), one line changed, line 2\n"), "{}", said.stdout);
    assert_eq!(
        w.run(&["cost", "nix.txt"], "").stderr,
        "edapply: cannot read nix.txt: no such file [unreadable-input]\n      next: Check the name and the permissions of the input.\n"
    );
    assert_eq!(w.run(&["cost", "../a.txt"], "").code, 2);
    assert_eq!(w.run(&["cost", "a.txt", "--tokens-per-second", "0"], "").code, 2);
    let said = w.run(&["cost", "a.txt", "--edit", "-"], &block("a.txt", "nix\n", "x\n"));
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
}

#[test]
fn the_rules_of_choosing() {
    let w = World::new(&[("short.txt", "1\n2\n")]);
    let first = |args: &[&str]| {
        let said = w.run(&[&["choose"], args].concat(), "");
        assert_eq!((said.code, said.stderr.as_str()), (0, ""));
        said.stdout.split(':').next().unwrap_or_default().to_owned()
    };
    assert_eq!(first(&["Util.java", "--tools", "--accuracy", "0.95"]), "whole-file");
    assert_eq!(first(&["--lines", "300", "--adds-or-deletes", "--tools", "--accuracy", "0.95"]), "v4a");
    assert_eq!(first(&["short.txt", "--accuracy", "0.7"]), "whole-file");
    assert_eq!(first(&["--lines", "800", "--tools", "--accuracy", "0.95"]), "edit-call");
    assert_eq!(first(&["--lines", "800", "--accuracy", "0.93"]), "search-replace");
    assert_eq!(first(&["--lines", "800", "--accuracy", "0.6"]), "search-replace");
    assert_eq!(first(&["--lines", "800", "--model", "nobody"]), "whole-file");
    assert_eq!(w.run(&["choose"], "").code, 2);
    assert_eq!(w.run(&["choose", "--accuracy", "7"], "").code, 2);
}

#[test]
fn instructions_for_a_model() {
    let w = World::new(&[("src/hello.py", edapply::prompt::EXAMPLE_FILE)]);
    let short = w.run(&["prompt", "search-replace"], "");
    assert!(short.stdout.starts_with("Write each change as a block"), "{}", short.stdout);
    let long = w.run(&["prompt", "v4a", "--long"], "");
    let reply = long.stdout.split_once("command line, write:\n\n").expect("an example").1;
    assert_eq!(w.run(&[], reply).code, 0);
    assert_eq!(w.tree()["src/hello.py"], format!("644 {}", edapply::prompt::EXAMPLE_AFTER));
    assert_eq!(w.run(&["prompt", "ed"], "").code, 2);
}

#[test]
fn a_retry_text_is_printed_only_for_a_refusal() {
    let w = World::new(&[("a.txt", "one\ntwo\nthree\n")]);
    let said = w.run(&["--retry-prompt"], &block("a.txt", "one\ntwx\n", "one\n2\n"));
    assert_eq!(said.code, 1);
    assert!(said.stdout.contains("Lines 1 to 2 read as follows"), "{}", said.stdout);
    assert!(said.stdout.ends_with("```text\none\ntwo\n```\n"), "{}", said.stdout);
    let said = w.run(&["--retry-prompt"], &block("a.txt", "one\ntwo\n", "one\n2\n"));
    assert_eq!((said.code, said.stdout.as_str()), (0, ""));
    let gone = block("a.txt", "three\n", "3\n") + &block("a.txt", "four\n", "4\n");
    let said = w.run(&["--retry-prompt", "--partial", "-q"], &gone);
    assert!(said.stdout.contains("Applied already, do not send again: edit 1."), "{}", said.stdout);
}
