//! `edapply install`, into a folder of its own.

use std::{collections::BTreeSet, os::unix::fs::PermissionsExt, path::Path};

use crate::world::{Said, World};

/// All files and links below a folder; a link with its target.
fn below(root: &Path) -> BTreeSet<String> {
    let entries = walkdir::WalkDir::new(root).into_iter().map(|entry| entry.expect("readable"));
    let name = |entry: walkdir::DirEntry| {
        let name = entry.path().strip_prefix(root).expect("below").display().to_string();
        match std::fs::read_link(entry.path()) {
            Ok(target) => format!("{name} -> {}", target.display()),
            Err(_) => name,
        }
    };
    entries.filter(|entry| !entry.file_type().is_dir()).map(name).collect()
}

#[test]
fn everything_goes_below_the_prefix() {
    let w = World::new(&[]);
    let out = w.beside("stage");
    let args =
        ["install", "--prefix", "/usr", "--destdir", "../stage", "--link", "patch", "--link", "git-apply"];
    let plan = w.run(&[&args[..], &["--dry-run"]].concat(), "");
    assert!(!out.exists(), "a dry run writes nothing");
    let said = w.run(&args, "");
    assert_eq!(said, Said { code: 0, stdout: plan.stdout, stderr: String::new() });
    let there = below(&out);
    for name in [
        "usr/bin/edapply",
        "usr/bin/git-edapply -> edapply",
        "usr/bin/patch -> edapply",
        "usr/bin/git-apply -> edapply",
        "usr/share/man/man1/edapply.1",
        "usr/share/man/man1/edapply-patch.1",
        "usr/share/man/man1/git-edapply.1",
        "usr/share/man/man7/edapply-codes.7",
        "usr/share/bash-completion/completions/edapply.bash",
        "usr/share/zsh/site-functions/_edapply",
        "usr/share/fish/vendor_completions.d/edapply.fish",
        "usr/share/edapply/_edapply.ps1",
        "usr/share/edapply/edapply.elv",
    ] {
        assert!(there.contains(name), "{name} is missing of {there:#?}");
    }
    assert_eq!(there.len(), edapply::manual::PAGES.len() + edapply::manual::SCRIPTS.len() + 4);
    assert_eq!(said.stdout.lines().count(), there.len(), "each file is told of once");
    let mode = |name: &str| std::fs::metadata(out.join(name)).expect("a file").permissions().mode() & 0o777;
    assert_eq!((mode("usr/bin/edapply"), mode("usr/share/man/man1/edapply.1")), (0o755, 0o644));
    let page = std::fs::read_to_string(out.join("usr/share/man/man1/edapply.1")).expect("a page");
    assert_eq!(page, w.run(&["man"], "").stdout);

    let run = |name: &str, args: &[&str]| w.finish(w.command_of(&out.join("usr/bin").join(name), args), b"");
    assert!(run("edapply", &["--version"]).stdout.starts_with("edapply "));
    assert!(run("patch", &["--version"]).stdout.starts_with("GNU patch "));
    assert_eq!(run("git-edapply", &["-h"]).code, 129);
    assert_eq!(run("git-apply", &["-h"]).code, 129);

    let again = w.run(&args, "");
    assert_eq!((again.code, below(&out)), (0, there), "again over itself: {}", again.stderr);
}

#[test]
fn another_program_keeps_its_name() {
    let w = World::new(&[("p/bin/patch", "#!/bin/sh\n")]);
    let before = w.tree();
    let want = "edapply: p/bin/patch is another program: nothing was installed [file-exists]\n      \
        next: Leave `--link` out for this name, or move that program away.\n";
    let said = w.run(&["install", "--prefix", "p", "--link", "patch"], "");
    assert_eq!(said, Said { code: 2, stdout: String::new(), stderr: want.into() });
    assert_eq!(w.tree(), before);
    assert_eq!(
        w.run(&["install", "--prefix", "p"], "").code,
        0,
        "without the link nothing stands against it"
    );
    assert_eq!(w.tree()["p/bin/patch"], "644 #!/bin/sh\n");
    assert_eq!(w.tree()["p/bin/git-edapply"], "-> edapply");
}

#[test]
fn a_prefix_that_cannot_be_written() {
    let w = World::new(&[("file", "f\n")]);
    let said = w.run(&["install", "--prefix", "file"], "");
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(
        said.stderr.starts_with("edapply: cannot install ")
            && said.stderr.contains(" [io]\n      next: Name a folder with `--prefix`"),
        "{said:?}"
    );
}
