//! `edapply read` and what it is for: `--require-read`, `--if-match`, line edits of an earlier text.

use std::process::Command;

use crate::world::{World, block};

const FIVE: &str = "one\ntwo\nthree\nfour\nfive\n";

fn hashline(tag: &str) -> String {
    format!("[a.txt#{tag}]\nPUT 2.=2:\n+TWO\n")
}

#[test]
fn a_file_is_shown_as_line_edits_name_it() {
    let w = World::new(&[("a.txt", FIVE), ("sub/b", "x\r\ny")]);
    let state = w.beside("state");
    let state = state.to_str().expect("a path");
    for (args, stdout) in [
        (&["a.txt"][..], "[a.txt#2914]\n1:one\n2:two\n3:three\n4:four\n5:five\n"),
        (&["a.txt:2-3"], "[a.txt#2914]\n1-1: …\n2:two\n3:three\n[2 more lines in a.txt]\n"),
        (&["a.txt:5-"], "[a.txt#2914]\n1-4: …\n5:five\n"),
        (&["--plain", "a.txt:2", "sub/b"], "two\nx\r\ny"),
    ] {
        let said = w.run(&[&["read", "--state-dir", state], args].concat(), "");
        assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, stdout, ""), "{args:?}");
    }
    let said = w.run(&["read", "--json", "--state-dir", state, "a.txt:2"], "");
    let json: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    let sha = "bd730ce8302e79285f8badd523321160eee75d1023990d6a4f9f703cae7ef184";
    let want = serde_json::json!({"version": 1, "report": "read", "files": [{
        "path": "a.txt", "tag": "2914", "lines": 5, "first": 2, "last": 2, "text": "two\n", "sha256": sha,
    }]});
    assert_eq!(json, want);
}

#[test]
fn what_cannot_be_read_is_trouble() {
    let w = World::new(&[("a.txt", FIVE)]);
    w.put("bin", b"a\0b");
    for file in ["nope", "bin", "a.txt:9", "a.txt:3-2", "../a.txt", ".git/config", "/etc/passwd"] {
        let said = w.run(&["read", file], "");
        assert_eq!((said.code, said.stdout.as_str()), (2, ""), "{file}");
        assert!(said.stderr.starts_with("edapply: "), "{file}: {}", said.stderr);
    }
}

#[test]
fn edits_of_files_that_were_not_read_are_refused() {
    let w = World::new(&[("a.txt", FIVE)]);
    let state = w.beside("state");
    let state = state.to_str().expect("a path");
    let edit = |old: &str, new: &str| block("a.txt", old, new);
    let apply = |reply: &str| w.run(&["--require-read", "--state-dir", state], reply);
    let read = || assert_eq!(w.run(&["read", "--state-dir", state, "a.txt"], "").code, 0);

    let said = apply(&edit("two\n", "TWO\n"));
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("the file was never read: read it first [not-read]"), "{}", said.stderr);

    read();
    w.put("a.txt", FIVE.replace("five", "FIVE").as_bytes());
    let said = apply(&edit("two\n", "TWO\n"));
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("changed since read at 2"), "{}", said.stderr);
    assert!(said.stderr.contains("UTC: read it again [changed-since-read]"), "{}", said.stderr);

    read();
    let touch = std::time::SystemTime::UNIX_EPOCH;
    let file = std::fs::File::options().write(true).open(w.path("a.txt")).expect("a file");
    file.set_modified(touch).expect("a time");
    assert_eq!(apply(&edit("two\n", "TWO\n")).code, 0, "only content counts");
    assert_eq!(apply(&edit("TWO\n", "2\n")).code, 0, "what we wrote is read");
    assert_eq!(apply(&block("new.txt", "", "n\n")).code, 0, "a creation needs no reading");
    assert_eq!(apply(&block("new.txt", "n\n", "m\n")).code, 0, "nor what we created");
    assert_eq!(w.tree()["new.txt"], "644 m\n");
    assert_eq!(w.run(&["undo", "--state-dir", state], "").code, 0);
    assert_eq!(apply(&block("new.txt", "n\n", "o\n")).code, 0, "what an undo wrote is read");
    assert_eq!(w.tree()["new.txt"], "644 o\n");
}

#[test]
fn one_batch_may_edit_what_it_wrote() {
    let w = World::new(&[("a.txt", FIVE)]);
    std::fs::write(w.beside("1"), block("n.txt", "", "n\n")).expect("a file");
    std::fs::write(w.beside("2"), block("n.txt", "n\n", "m\n")).expect("a file");
    let said = w.run(&["--require-read", "--state-dir", "../state", "../1", "../2"], "");
    assert_eq!((said.code, w.tree()["n.txt"].as_str()), (0, "644 m\n"), "{}", said.stderr);
}

#[test]
fn a_stated_version_must_be_the_files() {
    let w = World::new(&[("a.txt", "")]);
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let reply = block("b.txt", "", "n\n");
    let given = |path: &str, sha: &str| w.run(&["--check", "--if-match", &format!("{path}={sha}")], &reply);
    assert_eq!(given("a.txt", empty).code, 0);
    assert_eq!(given("a.txt", &empty.to_uppercase()).code, 0);
    let said = given("a.txt", &empty.replace('e', "f"));
    assert_eq!(said.code, 1);
    assert!(
        said.stderr.contains("another version") && said.stderr.contains("[changed-since-read]"),
        "{}",
        said.stderr
    );
    assert_eq!(given("nope", empty).code, 1);
    for bad in ["a.txt", "a.txt=12"] {
        assert_eq!(w.run(&["--if-match", bad], &reply).code, 2, "{bad}");
    }
    assert_eq!(given("../a.txt", empty).code, 2);
}

fn git(w: &World, args: &[&str]) {
    let who = ["-c", "user.name=n", "-c", "user.email=e", "-c", "init.defaultBranch=main"];
    let done = Command::new("git").args(who).args(args).current_dir(w.root()).output().expect("git");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn line_edits_of_an_earlier_text_go_where_its_lines_are() {
    let w = World::new(&[("a.txt", FIVE)]);
    let on_top = format!("zero\n{FIVE}");
    w.put("a.txt", on_top.as_bytes());
    let said = w.run(&["--state-dir", "../state"], &hashline("2914"));
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("read it again [changed-since-read]"), "{}", said.stderr);

    w.put("a.txt", FIVE.as_bytes());
    git(&w, &["init", "-q"]);
    git(&w, &["add", "a.txt"]);
    w.put("a.txt", on_top.as_bytes());
    let said = w.run(&["--state-dir", "../state"], &hashline("2914"));
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(w.tree()["a.txt"], "644 zero\none\nTWO\nthree\nfour\nfive\n");
}

#[test]
fn only_tracked_files() {
    let w = World::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let args = ["--tracked-only", "--state-dir", "../state"];
    assert_eq!(w.run(&args, &block("a.txt", "a\n", "A\n")).code, 2, "no work tree");
    git(&w, &["init", "-q"]);
    git(&w, &["add", "a.txt"]);
    let said = w.run(&args, &block("b.txt", "b\n", "B\n"));
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("[untracked]"), "{}", said.stderr);
    assert_eq!(w.run(&args, &(block("a.txt", "a\n", "A\n") + &block("c.txt", "", "c\n"))).code, 0);
    assert_eq!(w.tree()["c.txt"], "644 c\n");
}

#[test]
fn stray_white_space_is_refused() {
    let w = World::new(&[("a.txt", "a \nb\n")]);
    let said = w.run(&["--check-whitespace"], &block("a.txt", "b\n", "B \n"));
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("line 2 of the result ends in white space [whitespace]"), "{}", said.stderr);
    assert_eq!(w.run(&["--check-whitespace"], &block("a.txt", "b\n", "B\n")).code, 0);
}

#[test]
fn our_own_last_batch_knows_the_text_before_it() {
    let w = World::new(&[("a.txt", FIVE)]);
    let args = ["--state-dir", "../state"];
    assert_eq!(w.run(&args, "[a.txt#2914]\nPUT <1:\n+zero\n").code, 0);
    let said = w.run(&args, &hashline("2914"));
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("the file changed since it was read"), "{}", said.stderr);
    assert_eq!(w.tree()["a.txt"], "644 zero\none\nTWO\nthree\nfour\nfive\n");
}
