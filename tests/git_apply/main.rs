//! The face that replaces `git apply` beside git itself: small repositories, random changes of text,
//! binaries, names, links and modes, damage, settings and options; what is printed, the exit code, the tree
//! and the index after must be the same.

mod callers;
mod case;
mod desk;
mod settled;
mod world;

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
};

use case::{Case, From};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use world::{command, damaged, folder, git, has_model, prepared};

type Tree = BTreeMap<String, (u32, Vec<u8>)>;

#[derive(Debug, PartialEq)]
struct Outcome {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    tree: Tree,
    index: String,
}

fn list(dir: &Path, prefix: &str, tree: &mut Tree) {
    for entry in fs::read_dir(dir).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let meta = entry.metadata().expect("metadata");
        if meta.is_dir() && name != ".git" {
            tree.insert(format!("{name}/"), (0, Vec::new()));
            list(&entry.path(), &format!("{name}/"), tree);
        } else if meta.is_file() {
            let bytes = fs::read(entry.path()).expect("readable");
            tree.insert(name, (meta.permissions().mode() & 0o7777, bytes));
        } else if meta.is_symlink() {
            let to = fs::read_link(entry.path()).expect("a link").into_os_string().into_encoded_bytes();
            tree.insert(name, (0o120_000, to));
        }
    }
}

fn run(program: &str, work: &Path, case: &Case, patch: &[u8]) -> Outcome {
    let face = if program == "git" { "apply" } else { "git-apply" };
    let mut command = command(program, &folder(work, case.from));
    command.arg(face).args(&case.args);
    if case.from == From::Nowhere {
        command.env("GIT_DIR", "/nonexistent");
    }
    let file = work.join(".git/patch");
    if case.operand {
        fs::write(&file, patch).expect("a patch");
        command.arg(&file);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let _ = child.stdin.take().expect("an input").write_all(patch);
    let out = child.wait_with_output().expect("it ends");
    let mut tree = Tree::new();
    list(work, "", &mut tree);
    let mut index = git(work, &["ls-files", "-s"]);
    index.extend(
        git(work, &["ls-files", "-v", "--debug"]).split(|b| *b == b'\n').filter_map(to_come).flatten(),
    );
    if work.join(".git/fake").exists() {
        let fake =
            world::command("git", work).args(["ls-files", "-s"]).env("GIT_INDEX_FILE", ".git/fake").output();
        index.extend(fake.expect("git runs").stdout);
    }
    Outcome {
        code: out.status.code(),
        stdout: String::from_utf8_lossy(&out.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&out.stderr).into_owned(),
        tree,
        index: String::from_utf8_lossy(&index).into_owned(),
    }
}

/// Entries without content yet show it in their flags only.
fn to_come(line: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(line);
    let flags = text.rsplit_once("flags: ")?.1.trim().to_owned();
    (flags != "0").then(|| format!("flags {flags}\n").into_bytes())
}

/// Differences that are meant: lines that too small counts would drop are refused, and so is a patch
/// whose later part holds damaged binary data; a folder is no submodule; where the model crashes ours refuses.
fn is_stated(case: &Case, ours: &Outcome, theirs: &Outcome) -> bool {
    let corrupt = ours.code == Some(128) && ours.stderr.contains("corrupt patch at line");
    let binary =
        ours.stderr.contains("corrupt binary patch") || ours.stderr.contains("unrecognized binary patch");
    let in_silence = case.args.contains(&"-q") && ours.code == Some(128) && !case.damage.is_empty();
    // What cannot be written leaves the model's tree half done.
    let unwritten = "unable to write file";
    let torn = [ours, theirs].iter().all(|one| one.code == Some(128) && one.stderr.contains(unwritten));
    corrupt
        || torn
        || (binary && ours.code == Some(128))
        || in_silence
        || ours.stderr.contains(": Is a directory")
        || theirs.code.is_none()
}

/// What is not compared: letters that a terminal would obey, which ours does not print; and what the release
/// that is the measure makes of the index with `-N`: it forgets all that is tracked.
fn comparable(case: &Case, mut outcome: Outcome) -> Outcome {
    let only_new = ["-N"].iter().any(|word| case.args.contains(word));
    let index = ["--index", "--cached", "-3"].iter().any(|word| case.args.contains(word));
    if only_new && !index {
        outcome.index.clear();
    }
    outcome.stderr = outcome.stderr.split_inclusive('\n').map(visible).collect();
    outcome
}

/// A line without what a terminal would obey, but for its end.
fn visible(line: &str) -> String {
    let body = line.trim_end_matches(['\r', '\n']);
    body.replace(|c: char| c.is_control() && c != '\t', "?") + &line[body.len()..]
}

fn copy(from: &Path, to: &Path) {
    let done = Command::new("cp").arg("-a").arg(from).arg(to).status().expect("cp runs");
    assert!(done.success());
}

/// What differs, if anything does.
fn difference(case: &Case) -> Option<String> {
    let base = tempfile::tempdir().expect("a folder");
    let (repo, patch) = prepared(base.path(), case);
    let patch = damaged(&patch, &case.damage);
    let own = std::env::var("GIT_APPLY_BINARY").unwrap_or(env!("CARGO_BIN_EXE_edapply").into());
    let [theirs, ours] = ["git", &own[..]].map(|program| {
        let work = base.path().join("w");
        copy(&repo, &work);
        let outcome = run(program, &work, case, &patch);
        fs::remove_dir_all(&work).expect("removed");
        outcome
    });
    let [theirs, ours] = [theirs, ours].map(|outcome| comparable(case, outcome));
    if ours == theirs || is_stated(case, &ours, &theirs) {
        return None;
    }
    Some(told(case, &patch, &ours, &theirs))
}

fn told(case: &Case, patch: &[u8], ours: &Outcome, theirs: &Outcome) -> String {
    let mut text =
        format!("args {:?} {:?} {:?} {:?}\n", case.args, case.from, case.settings, case.attributes);
    for (what, ours, theirs) in [
        ("code", format!("{:?}", ours.code), format!("{:?}", theirs.code)),
        ("stdout", ours.stdout.clone(), theirs.stdout.clone()),
        ("stderr", ours.stderr.clone(), theirs.stderr.clone()),
        ("index", ours.index.clone(), theirs.index.clone()),
    ] {
        if ours != theirs {
            text += &format!("{what} of git:\n{theirs}\n{what} of ours:\n{ours}\n");
        }
    }
    let names = ours.tree.keys().chain(theirs.tree.keys()).collect::<std::collections::BTreeSet<_>>();
    for name in names {
        let show = |tree: &Tree| {
            tree.get(name).map(|(mode, bytes)| format!("{mode:o} {:?}", String::from_utf8_lossy(bytes)))
        };
        if show(&ours.tree) != show(&theirs.tree) {
            text +=
                &format!("{name} of git: {:?}\n{name} of ours: {:?}\n", show(&theirs.tree), show(&ours.tree));
        }
    }
    text += &format!("patch:\n{}\n", String::from_utf8_lossy(patch));
    text + &format!(
        "ours {:?} after {} dirty {:?} forget {}\n",
        case.ours, case.after, case.dirty, case.forget
    )
}

/// The same case made smaller as long as something differs.
fn smaller(tree: &mut impl ValueTree<Value = Case>, mut found: String) -> String {
    let mut simpler = tree.simplify();
    for _ in 0..more("GIT_APPLY_SHRINK").unwrap_or(60) {
        if !simpler {
            break;
        }
        simpler = match difference(&tree.current()) {
            Some(other) => {
                found = other;
                tree.simplify()
            }
            None => tree.complicate(),
        };
    }
    found
}

fn more(variable: &str) -> Option<u32> {
    std::env::var(variable).ok()?.parse().ok()
}

/// `GIT_APPLY_CASES=5000 GIT_APPLY_SEED=7 cargo test --release --test git_apply` searches on, and tells of all that differ.
#[test]
fn same_as_the_model() {
    // Nothing to compare with without the release that is the measure.
    if !has_model() {
        return;
    }
    let seed = more("GIT_APPLY_SEED").unwrap_or(11).to_le_bytes();
    let seed: [u8; 32] = std::array::from_fn(|at| seed[at % 4]);
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = case::case();
    let mut differing = Vec::new();
    for at in 0..more("GIT_APPLY_CASES").unwrap_or(60) {
        let mut tree = strategy.new_tree(&mut runner).expect("a case");
        if let Some(found) = difference(&tree.current()) {
            differing.push(format!("case {at}: {}", smaller(&mut tree, found)));
        }
    }
    assert!(differing.is_empty(), "{} differ\n{}", differing.len(), differing.join("\n==========\n"));
}
