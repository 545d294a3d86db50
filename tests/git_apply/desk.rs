//! A folder to try one call in, with plain git beside it.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

pub struct Desk {
    temp: tempfile::TempDir,
    pub at: PathBuf,
    env: Vec<(String, String)>,
}

/// What a call came to.
#[derive(Debug, PartialEq)]
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Numbers from 1 to `last`, one a line.
pub fn numbers(last: u32) -> String {
    (1..=last).map(|n| format!("{n}\n")).collect()
}

/// A patch that makes 5 another word in a file of numbers.
pub fn five(name: &str, word: &str) -> String {
    format!(
        "diff --git a/{name} b/{name}\n--- a/{name}\n+++ b/{name}\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+{word}\n 6\n 7\n 8\n"
    )
}

impl Desk {
    pub fn new() -> Desk {
        let temp = tempfile::tempdir().expect("a folder");
        let at = fs::canonicalize(temp.path()).expect("real").join("w");
        fs::create_dir(&at).expect("a folder");
        Desk { temp, at, env: Vec::new() }
    }

    /// A repository with a file `a` of ten numbers.
    pub fn repository() -> Desk {
        let desk = Desk::new();
        desk.git("init -q .");
        desk.file("a", numbers(10));
        desk.save();
        desk
    }

    pub fn set(&mut self, key: &str, value: &str) {
        self.env.push((key.into(), value.into()));
    }

    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.at.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.at.join(name)).expect("readable")).into_owned()
    }

    pub fn has(&self, name: &str) -> bool {
        self.at.join(name).symlink_metadata().is_ok()
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>, dir: &Path) -> Command {
        let mut command = Command::new(program);
        let home = self.temp.path();
        command
            .current_dir(dir)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LC_ALL", "C")
            .env("HOME", home)
            .env("XDG_STATE_HOME", home.join("state"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", fs::canonicalize(home).expect("real"));
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "a").env(format!("GIT_{who}_EMAIL"), "a@example.org");
        }
        command.envs(self.env.iter().map(|(key, value)| (key, value)));
        command
    }

    pub fn git(&self, args: &str) -> String {
        let words: Vec<&str> = args.split(' ').collect();
        self.git_words(&words)
    }

    pub fn git_words(&self, args: &[&str]) -> String {
        let out = self.command("git", &self.at).args(args).output().expect("git runs");
        assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    pub fn save(&self) {
        self.git("add -A");
        self.git("commit -q -m x");
    }

    /// Calls the program with this on its standard input.
    pub fn fed(&self, args: &str, input: impl AsRef<[u8]>) -> Said {
        self.fed_in("", args, input)
    }

    /// The same from a folder below.
    pub fn fed_in(&self, folder: &str, args: &str, input: impl AsRef<[u8]>) -> Said {
        let mut command = self.command(env!("CARGO_BIN_EXE_edapply"), &self.at.join(folder));
        command.arg("git-apply").args(args.split(' ').filter(|word| !word.is_empty()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        let _ = child.stdin.take().expect("an input").write_all(input.as_ref());
        let out = child.wait_with_output().expect("it ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Said { code: out.status.code(), out: text(&out.stdout), err: text(&out.stderr) }
    }

    pub fn call(&self, args: &str) -> Said {
        self.fed(args, b"")
    }

    /// Nothing but this on standard error, and this exit code.
    #[track_caller]
    pub fn says(&self, args: &str, code: i32, err: &str) {
        let said = self.call(args);
        assert_eq!((said.code, &said.err[..]), (Some(code), err), "git-apply {args}");
    }

    /// Applies in silence.
    #[track_caller]
    pub fn fine(&self, args: &str) {
        self.says(args, 0, "");
    }
}
