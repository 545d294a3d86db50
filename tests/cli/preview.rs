//! `--dry-run` shows a diff that GNU patch and `git apply` take, and that comes to what a run writes.

use std::{path::Path, process::Command};

use crate::world::World;

/// The programs that are here, with the arguments to apply a diff in the current folder.
fn programs() -> Vec<Vec<&'static str>> {
    let here = |name: &str| Command::new(name).arg("--version").output().is_ok();
    let all = [vec!["patch", "-p1", "-s", "-f", "-i"], vec!["git", "apply"]];
    all.into_iter().filter(|program| here(program[0])).collect()
}

fn build(files: &[(&str, &str)], executable: &[&str]) -> World {
    let w = World::new(files);
    executable.iter().for_each(|path| w.chmod(path, 0o755));
    w
}

/// Checks the preview of one reply against a real run.
#[track_caller]
fn holds(files: &[(&str, &str)], executable: &[&str], reply: &str) {
    let w = build(files, executable);
    let before = w.tree();
    let mut shown = w.command(&["--dry-run"]);
    let preview = {
        let path = w.beside("reply.md");
        std::fs::write(&path, reply).expect("a file");
        shown.arg(&path).output().expect("the program")
    };
    assert_eq!(preview.status.code(), Some(0), "{}", String::from_utf8_lossy(&preview.stderr));
    assert_eq!(w.tree(), before, "a dry run writes nothing");
    let said = w.run(&[], reply);
    assert_eq!(said.code, 0, "{}", said.stderr);
    for program in programs() {
        let other = build(files, executable);
        let diff = other.beside("preview.diff");
        std::fs::write(&diff, &preview.stdout).expect("a file");
        apply(&other, &program, &diff, &String::from_utf8_lossy(&preview.stdout));
        assert_eq!(other.tree(), w.tree(), "{program:?} of\n{}", String::from_utf8_lossy(&preview.stdout));
    }
}

#[track_caller]
fn apply(w: &World, program: &[&str], diff: &Path, shown: &str) {
    let mut command = w.command_of(Path::new(program[0]), &program[1..]);
    let output = command.arg(diff).env("GIT_DIR", "/dev/null").output().expect("the program");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{program:?}: {}{}\n{shown}",
        text(&output.stdout),
        text(&output.stderr)
    );
}

fn v4a(body: &str) -> String {
    format!("*** Begin Patch\n{body}*** End Patch\n")
}

#[test]
fn changes_creations_and_deletions() {
    let old: String = (1..60).map(|n| format!("line {n}\n")).collect();
    let reply = v4a(
        "*** Update File: a.txt\n@@\n-line 7\n+line seven\n@@\n line 30\n+line 30 and a half\n@@\n-line 58\n\
         *** Add File: new/deep/b.txt\n+one\n+two\n*** Delete File: gone/c.txt\n",
    );
    holds(&[("a.txt", &old), ("gone/c.txt", "c\n")], &["a.txt"], &reply);
}

#[test]
fn missing_newlines_and_line_ends() {
    let files = [("a.txt", "one\r\ntwo\r\nthree\r\n"), ("b.txt", "x\ny"), ("c.txt", "a\rb\nc\n")];
    let reply = v4a(
        "*** Update File: a.txt\n@@\n-two\n+2\n*** Update File: b.txt\n@@\n x\n-y\n+z\n*** Update File: c.txt\n@@\n-c\n+d\n",
    );
    holds(&files, &[], &reply);
}

#[test]
fn moves_with_and_without_changes() {
    let files = [("old/a.txt", "1\n2\n3\n"), ("b.sh", "echo\n")];
    let reply = v4a("*** Update File: old/a.txt\n*** Move to: new/a.txt\n@@\n-2\n+two\n\
         *** Update File: b.sh\n*** Move to: bin/b.sh\n");
    holds(&files, &["b.sh"], &reply);
}

#[test]
fn names_with_blanks_quotes_and_letters() {
    let files = [("a b.txt", "old\n"), ("für \"x\".txt", "old\n")];
    let reply =
        v4a("*** Update File: a b.txt\n@@\n-old\n+new\n*** Update File: für \"x\".txt\n@@\n-old\n+new\n");
    holds(&files, &[], &reply);
}

#[test]
fn executable_bits_and_empty_files() {
    let diff = "diff --git a/s.sh b/s.sh\nold mode 100644\nnew mode 100755\n--- a/s.sh\n+++ b/s.sh\n@@ -1 +1 @@\n-old\n+new\n\
        diff --git a/run b/run\nnew file mode 100755\n--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+go\n";
    holds(&[("s.sh", "old\n")], &[], diff);
}

#[test]
fn the_bundled_reply() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file");
    let paths = ["README.md", "src/till.py", "src/basket.py", "src/__init__.py"];
    let texts: Vec<String> = paths.iter().map(|path| read(&format!("demo/{path}"))).collect();
    let files: Vec<(&str, &str)> = paths.iter().copied().zip(texts.iter().map(String::as_str)).collect();
    holds(&files, &[], &read("demo-reply.md"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let old: String = (1..40_000).map(|n| format!("a long enough line of text {n}\n")).collect();
    let w = World::new(&[("a.txt", &old)]);
    std::fs::write(w.beside("reply.md"), v4a("*** Delete File: a.txt\n")).expect("a file");
    let mut command = w.command(&["-q", "--dry-run", "../reply.md"]);
    let mut child = command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("an end");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}
