//! A throw-away tree, the program run in it, and everything that came of it.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::reports;

/// A tree in a folder of its own. Beside it lies nothing.
pub struct World {
    base: tempfile::TempDir,
}

/// What a run said, with the tree's own path written as `[ROOT]`.
#[derive(Debug, PartialEq, Eq)]
pub struct Said {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A tree: every path with its mode and content, links with their target, folders with a slash.
pub type Tree = BTreeMap<String, String>;

impl World {
    /// A tree of these files, all of mode 644.
    pub fn new(files: &[(&str, &str)]) -> World {
        let world = World { base: tempfile::tempdir().expect("a folder") };
        fs::create_dir(world.root()).expect("a folder");
        files.iter().for_each(|(path, text)| world.put(path, text.as_bytes()));
        world
    }

    pub fn root(&self) -> PathBuf {
        self.base.path().join("root")
    }

    /// A place beside the tree.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.base.path().join(name)
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    pub fn put(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(&path, bytes).expect("a file");
        fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).expect("a mode");
    }

    pub fn chmod(&self, path: &str, mode: u32) {
        fs::set_permissions(self.path(path), PermissionsExt::from_mode(mode)).expect("a mode");
    }

    /// The program, to be run in the tree.
    pub fn command(&self, args: &[&str]) -> Command {
        self.command_of(Path::new(env!("CARGO_BIN_EXE_edapply")), args)
    }

    pub fn command_of(&self, program: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).current_dir(self.root()).env_remove("NO_COLOR");
        command.env("GIT_CEILING_DIRECTORIES", self.base.path());
        command.env("XDG_STATE_HOME", self.beside("state")).env_remove("EDAPPLY_STATE_DIR");
        command
    }

    /// Runs the program with --json among its arguments; the report is checked against the schema.
    #[track_caller]
    pub fn report(&self, args: &[&str], stdin: &str, code: i32) -> serde_json::Value {
        let said = self.run(args, stdin);
        assert_eq!(said.code, code, "{args:?}\n{}{}", said.stdout, said.stderr);
        serde_json::from_str(&said.stdout).unwrap_or_else(|why| panic!("{args:?}: {why}: {}", said.stdout))
    }

    /// Runs the program in the tree with this on standard input.
    pub fn run(&self, args: &[&str], stdin: &str) -> Said {
        self.run_bytes(args, stdin.as_bytes())
    }

    pub fn run_bytes(&self, args: &[&str], stdin: &[u8]) -> Said {
        self.finish(self.command(args), stdin)
    }

    pub fn finish(&self, mut command: Command, stdin: &[u8]) -> Said {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = start(&mut command);
        let mut pipe = child.stdin.take().expect("a pipe");
        // A program that was refused before it read its input may have gone.
        let _ = pipe.write_all(stdin);
        drop(pipe);
        let output = child.wait_with_output().expect("an end");
        reports::check(&command, output.status.code(), &output.stdout);
        let root = self.root().canonicalize().expect("a folder");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&*root.to_string_lossy(), "[ROOT]");
        Said {
            code: output.status.code().expect("no signal"),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    pub fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        list(&self.root(), "", &mut tree);
        tree
    }

    /// Asserts that a run refuses with this code, says all of this on standard error, and changes nothing.
    #[track_caller]
    pub fn refuses(&self, args: &[&str], stdin: &[u8], code: i32, stderr: &str) {
        let before = self.tree();
        let said = self.run_bytes(args, stdin);
        assert_eq!(said, Said { code, stdout: String::new(), stderr: stderr.into() }, "\n{}", said.stderr);
        assert_eq!(self.tree(), before);
    }

    /// Asserts what a run says and the tree after.
    #[track_caller]
    pub fn applies(&self, args: &[&str], stdin: &str, stderr: &str, tree: &[(&str, &str)]) {
        let said = self.run(args, stdin);
        assert_eq!(said, Said { code: 0, stdout: String::new(), stderr: stderr.into() }, "\n{}", said.stderr);
        assert_eq!(self.tree(), files(tree));
    }
}

/// A copy of the program cannot be run while a child that another test just forked still has it open for writing.
fn start(command: &mut Command) -> std::process::Child {
    for _ in 0..500 {
        match command.spawn() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            started => return started.expect("the program"),
        }
    }
    panic!("the program stays busy")
}

/// A tree of files of mode 644 (or another, before a blank) and the folders that hold them.
pub fn files(entries: &[(&str, &str)]) -> Tree {
    let mut tree = Tree::new();
    for (path, text) in entries {
        let (mode, path) = path.split_once(' ').unwrap_or(("644", path));
        for (at, _) in path.match_indices('/') {
            tree.insert(path[..=at].to_owned(), String::new());
        }
        tree.insert(path.to_owned(), format!("{mode} {text}"));
    }
    tree
}

fn list(dir: &Path, prefix: &str, tree: &mut Tree) {
    for entry in fs::read_dir(dir).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let meta = entry.metadata().expect("metadata");
        if meta.is_dir() {
            tree.insert(format!("{name}/"), String::new());
            list(&entry.path(), &format!("{name}/"), tree);
        } else if meta.is_symlink() {
            let target = fs::read_link(entry.path()).expect("a link");
            tree.insert(name, format!("-> {}", target.display()));
        } else if meta.is_file() {
            let text = String::from_utf8_lossy(&fs::read(entry.path()).expect("readable")).into_owned();
            tree.insert(name, format!("{:o} {text}", meta.mode() & 0o7777));
        } else {
            tree.insert(name, "special".into());
        }
    }
}

/// A search-and-replace block.
pub fn block(path: &str, old: &str, new: &str) -> String {
    format!("{path}\n```\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n")
}
