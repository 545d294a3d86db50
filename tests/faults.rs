//! Every step of a transaction fails, or the program dies there: `cargo test --features faults`.
#![cfg(feature = "faults")]

use std::{collections::BTreeMap, fs, io::Write, path::Path, process::Command, process::Stdio};

const STEPS: [&str; 11] = [
    "mkdir",
    "stage",
    "write",
    "chmod",
    "fsync",
    "fsync-folder",
    "prepare",
    "exchange",
    "rename",
    "commit",
    "none",
];

const REPLY: &str = "a.txt\n```\n<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n```\n\n\
    new/deep/b.txt\n```\n<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE\n```\n\n\
    ```diff\n--- gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n```\n";

struct World {
    base: tempfile::TempDir,
}

type Tree = BTreeMap<String, String>;

impl World {
    fn new() -> World {
        let world = World { base: tempfile::tempdir().expect("a folder") };
        fs::create_dir(world.base.path().join("root")).expect("a folder");
        for (path, text) in [("a.txt", "one\n"), ("gone", "gone\n"), ("keep", "keep\n")] {
            fs::write(world.base.path().join("root").join(path), text).expect("a file");
        }
        world
    }

    fn run(&self, args: &[&str], fault: &str) -> Option<i32> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_edapply"));
        command.args(args).current_dir(self.base.path().join("root"));
        command.env("XDG_STATE_HOME", self.base.path().join("state")).env_remove("EDAPPLY_STATE_DIR");
        command.env("EDAPPLY_FAULT", fault).stdin(Stdio::piped()).stderr(Stdio::null()).stdout(Stdio::null());
        let mut child = command.spawn().expect("the program");
        let _ = child.stdin.take().expect("a pipe").write_all(REPLY.as_bytes());
        child.wait().expect("an end").code()
    }

    fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        list(&self.base.path().join("root"), "", &mut tree);
        tree
    }
}

fn list(dir: &Path, prefix: &str, tree: &mut Tree) {
    for entry in fs::read_dir(dir).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            tree.insert(format!("{name}/"), String::new());
            list(&entry.path(), &format!("{name}/"), tree);
        } else {
            tree.insert(name, fs::read_to_string(entry.path()).expect("text"));
        }
    }
}

fn new_tree() -> Tree {
    let w = World::new();
    assert_eq!(w.run(&[], ""), Some(0));
    let tree = w.tree();
    assert_eq!(tree.keys().collect::<Vec<_>>(), ["a.txt", "keep", "new/", "new/deep/", "new/deep/b.txt"]);
    tree
}

#[test]
fn a_step_that_fails_leaves_the_tree_as_before() {
    let new = new_tree();
    for step in STEPS {
        for errno in ["EIO", "ENOSPC", "EACCES"] {
            let w = World::new();
            let old = w.tree();
            let code = w.run(&[], &format!("{step}:{errno}"));
            match code {
                Some(0) => assert!(step == "none" && w.tree() == new, "{step} {errno}"),
                code => assert_eq!((w.tree(), code.is_some()), (old, true), "{step} {errno}"),
            }
            assert_eq!(w.run(&["recover"], ""), Some(0), "{step} {errno}");
        }
    }
}

#[test]
fn dying_at_any_step_leaves_old_or_new() {
    for step in STEPS.into_iter().filter(|step| *step != "none") {
        let w = World::new();
        let old = w.tree();
        assert_eq!(w.run(&[], &format!("{step}:kill")), None, "{step}");
        assert_eq!(w.run(&["recover"], ""), Some(0), "{step}");
        assert_eq!(w.tree(), old, "{step}");
    }
}

#[test]
fn where_names_cannot_be_exchanged() {
    let new = new_tree();
    let ground = "exchange:EINVAL,rename:EINVAL";
    let w = World::new();
    let old = w.tree();
    assert_eq!(w.run(&[], ground), Some(0));
    assert_eq!(w.tree(), new);
    assert_eq!(w.run(&["undo"], ground), Some(0));
    assert_eq!(w.tree(), old);
    for fault in ["commit:EIO", "commit:kill"] {
        let w = World::new();
        assert_ne!(w.run(&[], &format!("{ground},{fault}")), Some(0));
        assert_eq!(w.run(&["recover"], ground), Some(0));
        assert_eq!(w.tree(), old, "{fault}");
    }
}
