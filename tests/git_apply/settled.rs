//! Single calls and what they come to, as git 2.47.3 does; each was once another here.

use std::fs;

use crate::desk::{Desk, five, numbers};

const BLANK: &str = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-1\n+x \n 2\n";
const REPORT: &str = "p:5: trailing whitespace.\nx \n";

#[test]
fn lines_of_several_patches_are_counted_on() {
    let desk = Desk::repository();
    desk.file("p", five("a", "five"));
    desk.file("q", "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n");
    desk.says("--check p q", 128, "error: corrupt patch at line 17\n");
}

#[test]
fn names_that_lead_nowhere() {
    let desk = Desk::repository();
    for (name, code, err) in [
        ("../nope", 1, "error: ../nope: No such file or directory\n"),
        (".git/nope", 1, "error: .git/nope: No such file or directory\n"),
        (".git/config", 128, "error: invalid path '.git/config'\n"),
        ("./a", 128, "error: invalid path './a'\n"),
        ("d/", 128, "error: invalid path 'd/'\n"),
        ("l/nope", 1, "error: l/nope: No such file or directory\n"),
        ("l/a", 1, "error: affected file 'l/a' is beyond a symbolic link\n"),
    ] {
        if !desk.has("l") {
            desk.file("d/x", "");
            std::os::unix::fs::symlink(".", desk.at.join("l")).expect("a link");
        }
        desk.file("p", five(name, "five"));
        desk.says("p", code, err);
    }
    desk.file("p", five("d/", "five").replace("\n--- ", "\nindex 1234567..89abcde 100644\n--- "));
    desk.says("p", 1, "error: d/: wrong type\n");
}

#[test]
fn a_file_where_a_folder_would_be() {
    let desk = Desk::new();
    desk.file("x", "1\n");
    desk.file("p", "--- /dev/null\n+++ b/x/y\n@@ -0,0 +1 @@\n+x\n");
    desk.says("p", 128, "error: unable to write file 'x/y' mode 100644: Not a directory\n");
    assert_eq!(desk.text("x"), "1\n");
}

#[test]
fn start_lines_keep_32_bits() {
    let desk = Desk::new();
    desk.file("a", numbers(10));
    let far = "@@ -9223372036854775807,7 +9223372036854775807,7 @@";
    desk.file("p", five("a", "five").replace("@@ -2,7 +2,7 @@", far));
    let err = "Checking patch a...\nHunk #1 succeeded at 2 (offset 3 lines).\nApplied patch a cleanly.\n";
    desk.says("-v p", 0, err);
}

#[test]
fn a_locked_index_is_left_alone() {
    let desk = Desk::repository();
    desk.file("p", five("a", "five"));
    desk.file(".git/index.lock", "");
    let said = desk.call("--index p");
    let path = desk.at.join(".git/index.lock");
    let start = format!("fatal: Unable to create '{}': File exists.\n", path.display());
    assert!(said.code == Some(128) && said.err.starts_with(&start), "{said:?}");
    assert_eq!(desk.text("a"), numbers(10));
    desk.fine("p");
}

#[test]
fn entries_that_git_does_not_watch() {
    let desk = Desk::repository();
    desk.file("p", five("a", "five"));
    desk.git("update-index --assume-unchanged a");
    desk.file("a", numbers(11));
    desk.says("--index p", 1, "error: a: does not match index\n");
    desk.git("update-index --no-assume-unchanged a");
    desk.git("update-index --skip-worktree a");
    fs::remove_file(desk.at.join("a")).expect("removed");
    desk.fine("--index p");
    assert!(desk.text("a").contains("five"));
    assert_eq!(desk.git("ls-files -v"), "H a\n");
}

#[test]
fn rejects_beside_the_index() {
    let desk = Desk::repository();
    desk.file("p", five("a", "five").replace("-5", "-x"));
    assert_eq!(desk.call("--cached --reject p").code, Some(1));
    assert!(desk.text("a.rej").starts_with("diff a/a b/a\t(rejected hunks)\n@@ -2,7 +2,7 @@\n"));
    assert_eq!(desk.text("a"), numbers(10));
}

#[test]
fn folders_on_the_way_that_are_files() {
    let desk = Desk::repository();
    desk.file("p", five("a/b", "five"));
    desk.says("--index p", 1, "error: a/b: Not a directory\n");
}

/// A file that both sides changed, with these attributes; the patch is `p`.
fn both_changed(attributes: &str, settings: &[(&str, &str)]) -> Desk {
    let desk = Desk::repository();
    desk.file(".gitattributes", attributes);
    for (key, value) in settings {
        desk.git_words(&["config", key, value]);
    }
    desk.save();
    desk.file("a", numbers(10).replace('5', "x"));
    let patch = desk.git("diff");
    desk.file("a", numbers(10).replace('5', "y"));
    desk.save();
    desk.file("p", patch);
    desk
}

const CLEAN: &str = "Applied patch to 'a' cleanly.\n";
const CONFLICT: &str = "Applied patch to 'a' with conflicts.\nU a\n";

#[test]
fn merging_as_attributes_say() {
    let framed = |size: usize| {
        let [ours, middle, theirs] = ["<", "=", ">"].map(|letter| letter.repeat(size));
        numbers(10).replace("5\n", &format!("{ours} ours\ny\n{middle}\nx\n{theirs} theirs\n"))
    };
    let both = numbers(10).replace("5\n", "y\nx\n");
    let ours = numbers(10).replace('5', "y");
    let binary = format!("warning: Cannot merge binary files: a (ours vs. theirs)\n{CONFLICT}");
    let own = ("merge.own.driver", "cat %B >>%A; echo %L %P >>%A");
    let failing = ("merge.own.driver", "echo half >%A; exit 1");
    let whole = format!("{ours}{}7 a\n", numbers(10).replace('5', "x"));
    for (attributes, setting, options, code, err, text) in [
        ("", None, "-3", 1, CONFLICT, framed(7)),
        ("a merge=union\n", None, "-3", 0, CLEAN, both.clone()),
        ("a merge=union\n", None, "-3 --ours", 0, CLEAN, both.clone()),
        ("a -merge\n", None, "-3", 1, &binary, ours.clone()),
        ("a -merge\n", None, "-3 --theirs", 0, CLEAN, numbers(10).replace('5', "x")),
        ("a conflict-marker-size=12\n", None, "-3", 1, CONFLICT, framed(12)),
        ("", Some(("merge.default", "union")), "-3", 0, CLEAN, both),
        ("a merge=own\n", Some(own), "-3", 0, CLEAN, whole),
        ("a merge=own\n", Some(failing), "-3", 1, CONFLICT, "half\n".into()),
    ] {
        let desk = both_changed(attributes, setting.as_slice());
        desk.says(&format!("{options} p"), code, err);
        assert_eq!(desk.text("a"), text, "{attributes} {setting:?} {options}");
    }
}

#[test]
fn two_files_of_one_name() {
    let desk = Desk::repository();
    desk.file("n", "3\n");
    desk.git("add n");
    let patch = desk.git("diff --cached");
    desk.file("n", "other\n");
    desk.save();
    desk.file("n", "dirty\n");
    desk.file("p", patch);
    let err = "Performing three-way merge...\nerror: n: does not match index\n\
               error: cannot read the current contents of 'n'\nerror: n: patch does not apply\n";
    desk.says("-3 p", 1, err);
}

#[test]
fn conflicts_are_remembered() {
    let desk = both_changed("", &[("rerere.enabled", "true")]);
    desk.says("-3 p", 1, &format!("{CONFLICT}Recorded preimage for 'a'\n"));
}

#[test]
fn ancestors_without_lines() {
    let desk = Desk::repository();
    let id = desk.git("rev-parse :a");
    let listed = |desk: &Desk| {
        let mut other = Desk::new();
        other.at.clone_from(&desk.at);
        other.set("GIT_INDEX_FILE", "fake");
        other.git("ls-files -s")
    };
    desk.file("p", "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n");
    desk.fine("--build-fake-ancestor=fake p");
    assert_eq!(listed(&desk), format!("100644 {} 0\ta\n", id.trim()));
    desk.file("p", "diff --git a/b b/b\nold mode 100644\nnew mode 100755\n");
    let err = "error: mode change for b, which is not in current HEAD\n";
    desk.says("--build-fake-ancestor=fake p", 128, err);
    let commit = "1234567890123456789012345678901234567890";
    let hunk = format!("@@ -1 +1 @@\n-Subproject commit {commit}\n+Subproject commit {commit}\n");
    desk.file("p", format!("diff --git a/s b/s\nindex 1234567..89abcde 160000\n--- a/s\n+++ b/s\n{hunk}"));
    desk.fine("--build-fake-ancestor=fake p");
    assert_eq!(listed(&desk), format!("160000 {commit} 0\ts\n"));
    let whole = five("a", "five").replace("\n--- ", &format!("\nindex {commit}..{commit} 100644\n--- "));
    desk.file("p", whole);
    desk.fine("--build-fake-ancestor=fake p");
    assert_eq!(listed(&desk), format!("100644 {commit} 0\ta\n"));
}

#[test]
fn a_filter_that_fails() {
    let desk = Desk::repository();
    desk.git("config filter.up.clean false");
    desk.git("config filter.up.required true");
    desk.file(".gitattributes", "a filter=up\n");
    desk.file("p", five("a", "five"));
    let said = desk.call("p");
    assert!(said.code == Some(128) && said.err.contains("fatal: a: clean filter 'up' failed"), "{said:?}");
    assert_eq!(desk.text("a"), numbers(10));
}

#[test]
fn settings_from_everywhere() {
    let refused = format!("{REPORT}error: 1 line adds whitespace errors.\n");
    let warned = format!("{REPORT}warning: 1 line adds whitespace errors.\n");
    let desk = || {
        let desk = Desk::repository();
        desk.file("p", BLANK);
        desk
    };
    let mut environment = desk();
    environment.set("GIT_CONFIG_PARAMETERS", "'apply.whitespace'='error'");
    environment.says("--check p", 128, &refused);
    let mut pairs = desk();
    pairs.set("GIT_CONFIG_COUNT", "1");
    pairs.set("GIT_CONFIG_KEY_0", "Apply.Whitespace");
    pairs.set("GIT_CONFIG_VALUE_0", "error");
    pairs.says("p", 128, &refused);
    for key in ["include.path", "includeIf.gitdir:**.path"] {
        let named = desk();
        named.file(".git/more", "[apply]\nwhitespace = error\n");
        named.git_words(&["config", key, "more"]);
        named.says("p", 128, &refused);
    }
    let global = desk();
    global.git("config --global apply.whitespace error");
    global.says("p", 128, &refused);
    let linked = desk();
    linked.git("config extensions.worktreeConfig true");
    linked.git("worktree add -q w");
    linked.file("w/p", BLANK);
    linked.file(".git/worktrees/w/config.worktree", "[apply]\nwhitespace = error\n");
    assert_eq!(linked.fed_in("w", "p", b"").err, refused);
    linked.says("p", 0, &warned);
}

#[test]
fn settings_that_make_no_sense() {
    for (line, err) in [
        ("[apply]\nwhitespace = zzz\n", "error: unrecognized whitespace option 'zzz'\n"),
        ("[apply]\nignorewhitespace = zzz\n", "error: unrecognized whitespace ignore option 'zzz'\n"),
        ("[core]\nquotepath = zzz\n", "fatal: bad boolean config value 'zzz' for 'core.quotepath'\n"),
    ] {
        let desk = Desk::repository();
        desk.file("p", five("a", "five"));
        desk.file(".git/config", desk.text(".git/config") + line);
        desk.says("--whitespace=warn p", 128, err);
    }
}

#[test]
fn repositories_that_are_not_for_us() {
    let desk = Desk::repository();
    desk.file("p", five("a", "five"));
    desk.git("config core.repositoryformatversion 5");
    let why = "Expected git repo version <= 1, found 5";
    let err = format!("warning: {why}\nwarning: ignoring git dir '.git': {why}\n");
    desk.says("p", 0, &err);
    desk.says("--index -q p", 128, &format!("{err}error: '--index' outside a repository\n"));
    let lost = Desk::new();
    lost.file(".git", "nonsense\n");
    lost.file("a", numbers(10));
    lost.file("p", five("a", "five"));
    let path = lost.at.join(".git");
    lost.says("p", 128, &format!("fatal: invalid gitfile format: {}\n", path.display()));
}

#[test]
fn attributes_outside_a_repository() {
    let desk = Desk::new();
    desk.file("a", numbers(10));
    desk.file("p", BLANK);
    desk.file(".gitattributes", "a -whitespace\n");
    let warned = format!("{REPORT}warning: 1 line adds whitespace errors.\n");
    desk.says("--check --whitespace=warn p", 0, &warned);
    desk.file("attrs", "a -whitespace\n");
    let path = desk.at.join("attrs");
    desk.git_words(&["config", "--global", "core.attributesFile", &path.to_string_lossy()]);
    desk.fine("--check --whitespace=warn p");
}

#[test]
fn white_space_rules_are_read_once() {
    let desk = Desk::repository();
    let made = "--- /dev/null\n+++ b/.gitattributes\n@@ -0,0 +1 @@\n+* -whitespace\n";
    desk.file("q", made);
    desk.file("p", BLANK);
    let err = "p:9: trailing whitespace.\nx \nwarning: 1 line adds whitespace errors.\n";
    desk.says("q p", 0, err);
}

#[test]
fn the_folder_where_somebody_stands_stays() {
    let desk = Desk::repository();
    desk.file("s/only", "1\n");
    desk.file("p", "diff --git a/s/only b/s/only\ndeleted file mode 100644\n--- a/s/only\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n");
    assert_eq!(desk.fed_in("s", "../p", b"").code, Some(0));
    assert!(desk.has("s") && !desk.has("s/only"));
    desk.file("s/only", "1\n");
    desk.fine("p");
    assert!(!desk.has("s"));
}

#[test]
fn returns_of_the_carriage() {
    let desk = Desk::new();
    desk.file("a", "a\r\nb\r\n");
    desk.file("p", "--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n x\r\n+y\r\r\n");
    let err = "p:5: trailing whitespace.\ny\r\r\nChecking patch a...\nerror: while searching for:\nx?\n\n\
               error: patch failed: a:1\nerror: a: patch does not apply\n";
    desk.says("-v --whitespace=warn p", 1, err);
}

#[test]
fn another_name_that_is_no_rename() {
    let desk = Desk::new();
    desk.file("a", numbers(10));
    desk.file("p", five("a", "five").replace("+++ b/a", "+++ b/c"));
    desk.fine("p");
    assert!(!desk.has("a") && desk.text("c").contains("five"));
}

#[test]
fn text_looked_for_without_its_end() {
    let desk = Desk::new();
    desk.file("a", "x\n");
    desk.file("p", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-y\n+z\n");
    let err = "Checking patch a...\nerror: while searching for:\ny\nerror: patch failed: a:1\n\
               error: a: patch does not apply\n";
    desk.says("--inaccurate-eof -v p", 1, err);
}

#[test]
fn one_place_or_none() {
    let desk = Desk::new();
    let twice = "x\n1\nold\n2\n".repeat(2);
    desk.file("a", &twice);
    let patch = "--- a/a\n+++ b/a\n@@ -30,3 +30,3 @@\n 1\n-old\n+new\n 2\n";
    desk.file("p", patch);
    let said = desk.call("--safe p");
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("error: patch failed: a:30\nerror: a: patch does not apply\n"), "{said:?}");
    assert_eq!(desk.text("a"), twice);
    // Git takes the nearest.
    desk.fine("p");
    assert_eq!(desk.text("a"), "x\n1\nold\n2\nx\n1\nnew\n2\n");
    desk.file("a", "1 \nold\n2\n\n");
    desk.file("p", "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-old\n+new\n 2\n");
    desk.fine("--safe p");
    assert_eq!(desk.text("a"), "1 \nnew\n2\n\n");
    desk.says("--safe --reject p", 128, "fatal: --safe takes one patch, and does not go with --reject\n");
    desk.file("q", "--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n");
    desk.fine("--safe q");
    assert_eq!(desk.text("n"), "x\ny");
}

#[test]
fn a_submodule_in_place_of_files() {
    let desk = Desk::repository();
    desk.file("s/x", "1\n");
    desk.save();
    let commit = "1234567890123456789012345678901234567890";
    let made = format!(
        "diff --git a/s b/s\nnew file mode 160000\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+Subproject commit {commit}\n"
    );
    let gone =
        "diff --git a/s/x b/s/x\ndeleted file mode 100644\n--- a/s/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n";
    desk.file(".git/p", made + gone);
    desk.fine("--index .git/p");
    assert!(desk.git("ls-files -s").contains(&format!("160000 {commit} 0\ts\n")));
    assert!(desk.has("s") && !desk.has("s/x"));
    desk.fine("-R --index .git/p");
    assert_eq!(desk.text("s/x"), "1\n");
}
