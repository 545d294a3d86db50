//! Which folder paths are taken from.

use std::path::Path;

use crate::world::{Said, World, block, files};

fn diff(path: &str) -> String {
    format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-old\n+new\n")
}

#[test]
fn a_named_root_holds() {
    let w = World::new(&[("sub/f.txt", "old\n"), ("f.txt", "old\n")]);
    for option in ["-C", "-d", "--root"] {
        w.put("sub/f.txt", b"old\n");
        assert_eq!(w.run(&[option, "sub"], &diff("f.txt")).code, 0);
        assert_eq!(w.tree(), files(&[("f.txt", "old\n"), ("sub/f.txt", "new\n")]));
    }
}

#[test]
fn the_top_of_the_work_tree_is_taken_where_the_names_say_so() {
    let w = World::new(&[("sub/f.txt", "old\n"), ("sub/deep/g.txt", "old\n"), ("h.txt", "old\n")]);
    std::fs::create_dir(w.path(".git")).expect("a folder");
    let mut command = w.command(&[]);
    command.current_dir(w.path("sub"));
    let said = w.finish(command, diff("sub/f.txt").as_bytes());
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (
            0,
            "note  paths are taken from the top of the work tree, [ROOT]\nok    sub/f.txt:1  replaced 1 line\n[M] sub/f.txt (+1 -1)\n"
        )
    );
    assert_eq!(w.tree()["sub/f.txt"], "644 new\n");
}

#[test]
fn the_current_folder_is_kept_where_a_file_is_here() {
    let w = World::new(&[("sub/f.txt", "old\n"), ("f.txt", "old\n")]);
    std::fs::create_dir(w.path(".git")).expect("a folder");
    let mut command = w.command(&[]);
    command.current_dir(w.path("sub"));
    assert_eq!(w.finish(command, diff("f.txt").as_bytes()).code, 0);
    assert_eq!((w.tree()["sub/f.txt"].as_str(), w.tree()["f.txt"].as_str()), ("644 new\n", "644 old\n"));
    let mut command = w.command(&["-C", "."]);
    command.current_dir(w.path("sub"));
    let said = w.finish(command, diff("sub/f.txt").as_bytes());
    assert_eq!(said.code, 1, "a named root is never left: {}", said.stderr);
}

#[test]
fn new_files_alone_do_not_move_the_root() {
    let w = World::new(&[("sub/f.txt", "old\n")]);
    std::fs::create_dir(w.path(".git")).expect("a folder");
    let mut command = w.command(&[]);
    command.current_dir(w.path("sub"));
    assert_eq!(w.finish(command, block("new.txt", "", "n\n").as_bytes()).code, 0);
    assert_eq!(w.tree()["sub/new.txt"], "644 n\n");
}

#[test]
fn the_roots_own_path_before_a_name_is_dropped() {
    let w = World::new(&[("f.txt", "old\n")]);
    let path = w.root().canonicalize().expect("a folder").join("f.txt");
    let said = w.run(&[], &block(&path.to_string_lossy(), "old\n", "new\n"));
    assert_eq!((said.code, w.tree()), (0, files(&[("f.txt", "new\n")])), "{}", said.stderr);
}

/// In a mount namespace of its own, a file system is mounted on `other`, and the program run.
#[allow(clippy::print_stdout, reason = "says why it is left out")]
fn beside_a_mount(w: &World, args: &[&str], reply: &str) -> Option<Said> {
    const MOUNTED: &str = "mount -t tmpfs none other && printf 'a\\n' > other/f && exec \"$@\"";
    let unshare = |rest: &[&str]| {
        let mut command = w.command_of(Path::new("unshare"), &["--map-root-user", "--mount", "sh", "-c"]);
        command.args(rest);
        command
    };
    let works = unshare(&[MOUNTED, "sh", "true"]).output().is_ok_and(|done| done.status.success());
    if !works {
        println!("left out: no file system can be mounted here");
        return None;
    }
    let mut command = unshare(&[MOUNTED, "sh", env!("CARGO_BIN_EXE_edapply")]);
    command.args(args);
    Some(w.finish(command, reply.as_bytes()))
}

#[test]
fn another_file_system_is_left_alone_if_asked() {
    let reply = block("other/f", "a\n", "A\n");
    let w = World::new(&[("other/f", "hidden below the mount\n"), ("g", "g\n")]);
    for (args, code, stderr) in [
        (&["--check"][..], 0, "ok    other/f:1  replaced 1 line\n"),
        (&[], 0, "ok    other/f:1  replaced 1 line\n[M] other/f (+1 -1)\n"),
        (
            &["--no-xdev"],
            1,
            "FAIL  other/f  edit 1 (input line 3): `other` lies on another file system than the root [other-device]\n",
        ),
        (
            &["--no-xdev", "--check"],
            1,
            "FAIL  other/f  edit 1 (input line 3): `other` lies on another file system than the root [other-device]\n",
        ),
    ] {
        let Some(said) = beside_a_mount(&w, args, &reply) else { return };
        assert_eq!(said.code, code, "{args:?}: {said:?}");
        assert!(said.stderr.starts_with(stderr), "{args:?}: {said:?}");
    }
    assert_eq!(w.tree(), files(&[("other/f", "hidden below the mount\n"), ("g", "g\n")]));
    w.applies(
        &["--no-xdev", "-q"],
        &block("g", "g\n", "G\n"),
        "",
        &[("other/f", "hidden below the mount\n"), ("g", "G\n")],
    );
}
