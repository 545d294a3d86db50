//! Options of the drop-ins that the comparisons with their models use seldom or never, once each.

use crate::world::{World, files};

const FILE: &str = "one\ntwo\nthree\nfour\nfive\n";
const NEW: &str = "one\ntwo\nTHREE\nfour\nfive\n";
const PATCH: &str = "--- a.txt\t2001-02-03 04:05:06.000000000 +0000\n+++ a.txt\t2002-02-03 04:05:06.000000000 +0000\n\
    @@ -1,5 +1,5 @@\n one\n two\n-three\n+THREE\n four\n five\n";

/// Runs `patch` on a file, and says what stands there afterwards.
fn patch(args: &[&str], input: &str) -> (i32, String, crate::world::Tree) {
    let w = World::new(&[("a.txt", FILE)]);
    let said = w.run(&[&["patch"], args].concat(), input);
    (said.code, said.stdout, w.tree())
}

#[test]
fn options_of_patch() {
    let done = files(&[("a.txt", NEW)]);
    let kept = |name: &str| files(&[("a.txt", NEW), (name, FILE)]);
    let merged = FILE.replace("three", "<<<<<<<\nthree\n=======\nTHREE\n>>>>>>>");
    let ifdef = FILE.replace("three\n", "#ifndef NEW\nthree\n#else\nTHREE\n#endif\n");
    for (args, want) in [
        (&["--directory=."][..], done.clone()),
        (&["--get=0"], done.clone()),
        (&["--silent"], done.clone()),
        (&["--debug=0"], done.clone()),
        (&["--verbose"], done.clone()),
        (&["--posix", "a.txt"], done.clone()),
        (&["--quoting-style=c"], done.clone()),
        (&["--read-only=fail"], done.clone()),
        (&["--follow-symlinks"], done.clone()),
        (&["--sync"], done.clone()),
        (&["--safe"], done.clone()),
        (&["--merge"], done.clone()),
        (&["--merge=diff3"], done.clone()),
        (&["--set-utc"], done.clone()),
        (&["--set-time"], done.clone()),
        (&["--backup", "--suffix=.old"], kept("a.txt.old")),
        (&["--backup", "--basename-prefix=old-"], kept("old-a.txt")),
        (&["--backup-if-mismatch"], done.clone()),
        (&["--output=out.txt"], files(&[("a.txt", FILE), ("600 out.txt", NEW)])),
        (&["--ifdef=NEW"], files(&[("a.txt", &ifdef)])),
    ] {
        let (code, stdout, tree) = patch(args, PATCH);
        assert_eq!(code, 0, "{args:?}: {stdout}");
        assert_eq!(tree, want, "{args:?}");
        assert_eq!(stdout.is_empty(), args == ["--silent"], "{args:?}: {stdout}");
    }
    let other = PATCH.replace("-three", "-thrice");
    let (code, _, tree) = patch(&["--merge"], &other);
    assert_eq!(code, 1);
    assert!(tree["a.txt"].contains("<<<<<<<") && tree["a.txt"].len() > merged.len(), "{tree:?}");
}

#[test]
fn times_come_from_the_patch() {
    for args in [["--set-utc"], ["--set-time"]] {
        let w = World::new(&[("a.txt", FILE)]);
        let mut command = w.command(&["patch", args[0], "--force"]);
        command.env("TZ", "UTC0");
        let said = w.finish(command, PATCH.as_bytes());
        assert_eq!(said.code, 0, "{said:?}");
        let meta = std::fs::metadata(w.path("a.txt")).expect("a file");
        assert_eq!(std::os::unix::fs::MetadataExt::mtime(&meta), 1_012_709_106, "{args:?}");
    }
}

const GIT: &str = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,5 +1,5 @@\n one\n two\n-three\n+THREE\n \
    four\n five\n";

#[test]
fn options_of_git_apply() {
    let done = files(&[("a.txt", NEW)]);
    let none = files(&[("a.txt", FILE)]);
    let cut = files(&[("a.txt", NEW.trim_end())]);
    for (args, code, want) in [
        (&["--include=*.txt"][..], 0, &done),
        (&["--include=*.c"], 0, &none),
        (&["--allow-binary-replacement"], 0, &done),
        (&["--binary"], 0, &done),
        (&["--unsafe-paths"], 0, &done),
        (&["--numstat", "--apply"], 0, &done),
        (&["--numstat", "-z"], 0, &none),
        (&["--ignore-space-change"], 0, &done),
        (&["--ignore-whitespace"], 0, &done),
        (&["--allow-overlap"], 0, &done),
        (&["--inaccurate-eof"], 0, &cut),
        (&["--intent-to-add"], 0, &done),
        (&["--ours"], 128, &none),
        (&["--theirs"], 128, &none),
        (&["--union"], 128, &none),
        (&["--safe"], 0, &done),
    ] {
        let w = World::new(&[("a.txt", FILE)]);
        let said = w.run(&[&["git-apply"], args].concat(), GIT);
        assert_eq!(said.code, code, "{args:?}: {said:?}");
        assert_eq!(&w.tree(), want, "{args:?}");
        let shown = if args.contains(&"-z") { "1\t1\ta.txt\0" } else { "1\t1\ta.txt\n" };
        assert_eq!(said.stdout, if args.contains(&"--numstat") { shown } else { "" }, "{args:?}");
    }
}

#[test]
fn an_empty_patch_if_it_is_allowed() {
    let w = World::new(&[]);
    assert_eq!(w.run(&["git-apply"], "").code, 128);
    let said = w.run(&["git-apply", "--allow-empty"], "");
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
}

/// A repository that holds the file, if git is there to make it.
fn repository() -> Option<(World, impl Fn(&[&str]) -> String)> {
    let w = World::new(&[("a.txt", FILE)]);
    let root = w.root();
    let git = move |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(args).current_dir(&root);
        git.output().map(|out| String::from_utf8_lossy(&out.stdout).into_owned()).unwrap_or_default()
    };
    git(&["init", "-q"]);
    git(&["add", "a.txt"]);
    git(&["commit", "-qm", "first"]);
    git(&["ls-files"]).starts_with("a.txt").then_some((w, git))
}

#[test]
fn an_ancestor_and_a_side_that_wins() {
    let Some((w, git)) = repository() else { return };
    let blob = git(&["rev-parse", "HEAD:a.txt"]);
    let blob = blob.trim();
    let patch = GIT.replace("--- a/", &format!("index {blob}..{blob} 100644\n--- a/"));
    let said = w.run(&["git-apply", "--build-fake-ancestor=../fake"], &patch);
    assert_eq!((said.code, w.tree()["a.txt"].as_str()), (0, format!("644 {FILE}").as_str()), "{said:?}");
    assert!(w.beside("fake").is_file());
    w.put("a.txt", FILE.replace("three", "tres").as_bytes());
    git(&["commit", "-qam", "second"]);
    for (side, word) in [("--ours", "tres"), ("--theirs", "THREE"), ("--union", "tres\nTHREE")] {
        let said = w.run(&["git-apply", "--3way", side], &patch);
        assert_eq!(said.code, 0, "{side}: {said:?}");
        assert_eq!(w.tree()["a.txt"], format!("644 {}", FILE.replace("three", word)), "{side}");
        git(&["checkout", "-qf", "HEAD", "--", "a.txt"]);
    }
}
