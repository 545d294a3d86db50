//! What outlives a run: recovery, undo, the log; and the checks of a result.

use std::{
    os::unix::fs::PermissionsExt,
    process::Stdio,
    time::{Duration, Instant},
};

use crate::world::{Said, World, block, files};

fn edit() -> String {
    block("a.txt", "one\n", "ONE\n") + &block("b/c.txt", "two\n", "TWO\n")
}

fn world() -> World {
    World::new(&[("a.txt", "one\n"), ("b/c.txt", "two\n")])
}

const OLD: &[(&str, &str)] = &[("a.txt", "one\n"), ("b/c.txt", "two\n")];
const NEW: &[(&str, &str)] = &[("a.txt", "ONE\n"), ("b/c.txt", "TWO\n")];

/// A run that is killed between its swap and its commit.
fn killed(w: &World) {
    let mut child = w.command(&["--verify", "kill -9 $PPID"]);
    child.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.spawn().expect("the program");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), edit().as_bytes()).expect("written");
    assert_eq!(child.wait().expect("an end").code(), None, "killed");
    assert_ne!(w.tree(), files(OLD));
}

#[test]
fn a_killed_run_is_recovered() {
    let w = world();
    killed(&w);
    let said = w.run(&["recover"], "");
    assert_eq!(said.code, 0);
    assert!(said.stderr.starts_with("ok    unfinished run "), "{}", said.stderr);
    assert!(said.stderr.ends_with(" of 2 file(s) was rolled back\n"), "{}", said.stderr);
    assert_eq!(w.tree(), files(OLD));
    assert_eq!(w.run(&["recover"], "").stderr, "ok    nothing to recover\n");
}

#[test]
fn the_next_run_recovers_before_it_plans() {
    let w = world();
    killed(&w);
    let said = w.run(&[], &block("a.txt", "one\n", "1\n"));
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.starts_with("note  unfinished run "), "{}", said.stderr);
    assert_eq!(w.tree(), files(&[("a.txt", "1\n"), ("b/c.txt", "two\n")]));
}

#[test]
fn runs_that_must_not_write_do_not_recover() {
    let w = world();
    killed(&w);
    let torn = w.tree();
    for flag in ["--dry-run", "--check"] {
        let said = w.run(&[flag], &edit());
        let want = "error a run was interrupted here and is not rolled back yet; run `edapply recover` \
            [unfinished-run]\n      next: Run `edapply recover`, or any edit that writes.\n";
        assert_eq!((said.code, said.stdout.as_str()), (2, ""), "{flag}");
        assert!(said.stderr.starts_with(want), "{}", said.stderr);
        assert_eq!(w.tree(), torn);
    }
    let said = w.run(&["inspect"], &edit());
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(
        said.stderr.contains("is not rolled back yet; run `edapply recover` [unfinished-run]"),
        "{}",
        said.stderr
    );
    assert_eq!(w.tree(), torn);
}

#[test]
fn runs_that_must_not_write_keep_no_state() {
    let w = world();
    assert_eq!(w.run(&["--check"], &edit()).code, 0);
    assert_eq!(w.run(&["--dry-run"], &edit()).code, 0);
    assert_eq!(w.run(&[], &block("a.txt", "nowhere\n", "x\n")).code, 1);
    assert_eq!(w.run(&["recover"], "").code, 0);
    assert_eq!(
        w.run(&["log"], ""),
        Said {
            code: 0,
            stdout: String::new(),
            stderr: "nothing was applied here, or none of it is kept\n".into()
        }
    );
    assert!(!w.beside("state").exists());
}

#[test]
fn signals_roll_back() {
    for (signal, code, error) in [("INT", 130, "interrupted"), ("TERM", 143, "terminated")] {
        let w = world();
        let start = Instant::now();
        let said = w.run(&["--verify", &format!("kill -{signal} $PPID; sleep 60")], &edit());
        assert_eq!(said.code, code, "{}", said.stderr);
        assert!(said.stderr.contains(&format!("; everything is as before [{error}]\n")), "{}", said.stderr);
        assert_eq!(w.tree(), files(OLD));
        assert!(start.elapsed() < Duration::from_secs(30), "what it started is ended too");
        assert_eq!(w.run(&["recover"], "").stderr, "ok    nothing to recover\n");
    }
}

#[test]
fn a_result_that_fails_its_test_is_put_back() {
    let w = world();
    let look = "cat a.txt b/c.txt; printf '%s;' $EDAPPLY_FILES; pwd -P | grep -q root$ && exit 7";
    let said = w.run(&["--verify", look], &edit());
    let want = format!(
        "fine  a.txt:1    edit 1 is fine and was not applied, since the run failed (verify-failed)\n\
         fine  b/c.txt:1  edit 2 is fine and was not applied, since the run failed (verify-failed)\n\
         error `{look}` exited with 7; everything is as before [verify-failed]\n      \
         | ONE\n      | TWO\n      | a.txt;b/c.txt;\n      \
         next: Read the command's last lines, mend the edit and send it again.\n\
         nothing was written\n"
    );
    assert_eq!((said.code, said.stdout.as_str()), (3, ""));
    assert_eq!(said.stderr.replace("FAIL ", "error"), want);
    assert_eq!(w.tree(), files(OLD));
    let said = w.run(&["--verify", "grep -q ONE a.txt"], &edit());
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(w.tree(), files(NEW));
}

#[test]
fn a_test_that_takes_too_long_has_failed() {
    let w = world();
    let start = Instant::now();
    let said = w.run(&["--verify", "sleep 60", "--verify-timeout", "0.2"], &edit());
    assert!(said.stderr.contains("`sleep 60` did not finish in"), "{}", said.stderr);
    assert_eq!((said.code, w.tree()), (3, files(OLD)));
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_diagnosis_tells_and_decides_nothing() {
    let w = world();
    let command = "echo 'a.txt:1:2: error: too loud'; exit 1";
    let said = w.run(&["--diagnose", command], &edit());
    assert_eq!((said.code, w.tree()), (0, files(NEW)));
    let want = format!("note  `{command}` reports 1 error:\n      a.txt:1:2: error: too loud\n");
    assert!(said.stderr.ends_with(&want), "{}", said.stderr);
    let said = w.run(&["--json", "--diagnose", command], &block("a.txt", "ONE\n", "one\n"));
    let json: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    let errors = serde_json::json!([{"file": "a.txt", "line": 1, "column": 2, "text": "too loud"}]);
    assert_eq!(
        json["diagnosis"],
        serde_json::json!({"command": command, "finished": true, "errors": errors, "more": 0})
    );
    let late =
        w.run(&["--diagnose", "sleep 60", "--diagnose-timeout", "0.2"], &block("a.txt", "one\n", "ONE\n"));
    assert_eq!(late.code, 0);
    assert!(late.stderr.ends_with("not known to be clean\n"), "{}", late.stderr);
}

#[test]
fn the_result_is_compared_with_what_is_expected() {
    let w = world();
    std::fs::create_dir_all(w.beside("want/b")).expect("folders");
    std::fs::write(w.beside("want/a.txt"), "ONE\n").expect("a file");
    std::fs::write(w.beside("want/b/c.txt"), "two!\n").expect("a file");
    let (folder, file) = (w.beside("want"), w.beside("want/a.txt"));
    let (folder, file) = (folder.to_str().expect("text"), file.to_str().expect("text"));
    for flags in [&["--expect", folder][..], &["--dry-run", "--expect", folder]] {
        let said = w.run(flags, &edit());
        assert_eq!((said.code, said.stdout.as_str(), w.tree()), (3, "", files(OLD)));
        assert!(said.stderr.contains("[not-expected]"), "{}", said.stderr);
        assert!(said.stderr.contains("-two!\n+TWO\n"), "{}", said.stderr);
    }
    assert_eq!(w.run(&["--expect", file], &edit()).code, 2, "one file of two");
    assert_eq!(w.run(&["--expect", "/no/such"], &edit()).code, 2);
    std::fs::write(w.beside("want/b/c.txt"), "TWO\n").expect("a file");
    assert_eq!(w.run(&["--expect", folder, "--check"], &edit()).code, 0);
    assert_eq!(w.run(&["--expect", file], &block("a.txt", "one\n", "One\n")).code, 3);
    assert_eq!(w.run(&["--expect", folder], &edit()).code, 0);
    assert_eq!(w.tree(), files(NEW));
}

#[test]
fn the_result_is_compared_with_a_revision() {
    let w = world();
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.current_dir(w.root()).args(["-c", "user.name=n", "-c", "user.email=e"]).args(args);
        git.output().is_ok_and(|output| output.status.success())
    };
    if !git(&["init", "-q"]) {
        return;
    }
    w.put("a.txt", b"ONE\n");
    w.put("b/c.txt", b"TWO\n");
    assert!(git(&["add", "."]) && git(&["commit", "-qm", "new"]));
    w.put("a.txt", b"one\n");
    w.put("b/c.txt", b"two\n");
    let said = w.run(&["--expect", "git:HEAD"], &block("a.txt", "one\n", "ONE\n"));
    assert_eq!(said.code, 3, "b/c is not as in HEAD: {}", said.stderr);
    assert_eq!(w.run(&["--expect", "git:nope"], &edit()).code, 2);
    let said = w.run(&["--expect", "git:HEAD"], &edit());
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(w.path(".git/edapply/lock").exists(), "state lies in the git folder");
    assert!(git(&["diff", "--exit-code"]));
}

#[test]
fn undo_and_log() {
    let w = world();
    w.chmod("a.txt", 0o755);
    assert_eq!(w.run(&["undo"], "").code, 1);
    assert_eq!(w.run(&[], &edit()).code, 0);
    let log = w.run(&["log"], "").stdout;
    assert!(log.ends_with(" UTC  apply: [M] a.txt, [M] b/c.txt\n"), "{log}");
    let id = log.split(' ').next().expect("a name").to_owned();
    assert_eq!(w.run(&["undo", "--list"], "").stdout, log);
    let said = w.run(&["undo"], "");
    let want = format!("ok    batch {id} is undone\n[M] a.txt (+1 -1)\n[M] b/c.txt (+1 -1)\n");
    assert_eq!(said, Said { code: 0, stdout: String::new(), stderr: want });
    assert_eq!(w.tree(), files(&[("755 a.txt", "one\n"), ("b/c.txt", "two\n")]));
    let log = w.run(&["log"], "").stdout;
    assert!(log.contains(&format!("UTC  undo of {id}: ")), "{log}");
    assert!(log.contains(", undone since: [M] a.txt"), "{log}");
    let undo = log.split(' ').next().expect("a name");
    assert_eq!(w.run(&["undo", undo], "").code, 0, "an undo can be undone");
    assert_eq!(w.tree(), files(&[("755 a.txt", "ONE\n"), ("b/c.txt", "TWO\n")]));
    let json: serde_json::Value = serde_json::from_str(&w.run(&["log", "--json"], "").stdout).expect("JSON");
    assert_eq!(json["batches"].as_array().map(Vec::len), Some(3));
}

#[test]
fn undo_names_what_changed_since() {
    let w = world();
    assert_eq!(w.run(&[], &edit()).code, 0);
    w.put("b/c.txt", b"mine\n");
    let want = "FAIL  changed since: b/c.txt [changed-since]\n      next: Undo later batches first, or mend the \
        files that are named by hand.\n";
    w.refuses(&["undo"], b"", 1, want);
}

#[test]
fn another_run_is_waited_for_and_its_work_counts() {
    let w = world();
    let begin = |args: &[&str], reply: &str| {
        let mut command = w.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program");
        std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), reply.as_bytes())
            .expect("written");
        child
    };
    let check = format!("while ! test -e '{}'; do sleep 0.05; done", w.beside("go").display());
    let mut first = begin(&["--verify", &check], &edit());
    let start = Instant::now();
    while std::fs::read(w.path("a.txt")).is_ok_and(|a| a != b"ONE\n") {
        assert!(start.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(5));
    }
    let next = block("a.txt", "ONE\n", "1\n");
    let busy = w.run(&["--lock-timeout", "0"], &next);
    assert!(busy.code == 1 && busy.stderr.contains("[busy]"), "{}", busy.stderr);
    let mut second = begin(&[], &next);
    std::thread::sleep(Duration::from_millis(200));
    std::fs::write(w.beside("go"), "").expect("a file");
    assert!(first.wait().expect("an end").success());
    assert!(second.wait().expect("an end").success());
    assert_eq!(w.tree(), files(&[("a.txt", "1\n"), ("b/c.txt", "TWO\n")]));
}

#[test]
fn a_tree_brings_no_state_of_its_own() {
    let w = world();
    std::fs::create_dir_all(w.path(".git")).expect("a folder");
    w.put(".git/HEAD", b"ref: refs/heads/main\n");
    std::os::unix::fs::symlink("../../elsewhere", w.path(".git/edapply")).expect("a link");
    std::fs::create_dir(w.beside("elsewhere")).expect("a folder");
    assert_eq!(w.run(&[], &edit()).code, 0);
    assert_eq!(std::fs::read_dir(w.beside("elsewhere")).expect("a folder").count(), 0);
    assert!(w.beside("state/edapply").exists(), "the next place is taken");
    assert_eq!(w.run(&["undo"], "").code, 0);
}

#[test]
fn a_folder_that_takes_no_files() {
    let w = world();
    if rustix::process::geteuid().is_root() {
        return;
    }
    w.chmod("b", 0o555);
    let said = w.run(&[], &edit());
    w.chmod("b", 0o755);
    assert!(said.code == 1 && said.stderr.contains("[not-writable]"), "{}", said.stderr);
    assert_eq!(w.tree(), files(OLD));
}

#[test]
fn a_batch_without_a_journal() {
    let w = world();
    assert_eq!(w.run(&["--sync", "none"], &edit()).code, 0);
    assert_eq!(w.tree(), files(NEW));
    assert!(!w.beside("state").exists());
    assert_eq!(
        w.run(&["--sync", "process", "--state-dir", "../mine"], &block("a.txt", "ONE\n", "1\n")).code,
        0
    );
    assert!(w.beside("mine").metadata().expect("a folder").permissions().mode() & 0o700 == 0o700);
    assert_eq!(w.run(&["undo", "--state-dir", "../mine"], "").code, 0);
    assert_eq!(w.tree(), files(NEW));
}
