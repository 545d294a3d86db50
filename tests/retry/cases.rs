//! Cases whose reply misquotes the file, or quotes what stands there twice, or what stood there once.

use std::path::{Path, PathBuf};

use edapply::{
    bench::{self, Case},
    report::{Exit, Report},
};

use super::follow::{self, Followed};

/// What following the texts of all cases came to.
pub struct All {
    pub cases: Vec<Refused>,
    /// Cases that need no text, since they apply.
    pub applied: usize,
}

/// A case that is refused, and what each block that its text offers came to.
pub struct Refused {
    pub dir: PathBuf,
    pub behavior: String,
    pub format: String,
    pub outcomes: Vec<Followed>,
}

impl All {
    /// Right, FAIL, WRONG.
    pub fn counts(&self) -> [usize; 3] {
        let count =
            |wanted| self.cases.iter().flat_map(|case| &case.outcomes).filter(|one| **one == wanted).count();
        [Followed::Right, Followed::Fail, Followed::Wrong].map(count)
    }

    /// Four of five lead to the right place, and none to a wrong one.
    pub fn is_good(&self) -> bool {
        let [right, fail, wrong] = self.counts();
        wrong == 0 && right > 0 && right >= 4 * fail
    }
}

/// Whether the text for such a case can be followed: what is to be quoted instead stands in the file.
fn is_meant(case: &Case) -> bool {
    let name = case.dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let says = |words: &[&str]| words.iter().any(|word| case.behavior.contains(word) || name.contains(word));
    says(&[
        "typo-in-removed",
        "ambiguous",
        "stale",
        "two-matches",
        "stands twice",
        "two places",
        "value was changed",
    ])
}

/// Follows the text of each case below the folders that is refused.
pub fn follow_all(folders: &[PathBuf]) -> All {
    let found = bench::find(folders).expect("cases");
    let mut all = All { cases: Vec::new(), applied: 0 };
    for case in found.cases.into_iter().filter(is_meant) {
        let beside = tempfile::tempdir().expect("a folder");
        let root = case.dir.join("before");
        if follow::plan(&root, &case.reply(), beside.path()).exit() == Exit::Ok {
            all.applied += 1;
            continue;
        }
        let known = differs(&root, &case.dir.join("after"));
        let outcomes =
            follow::follow(&root, &case.reply(), beside.path(), |report| !known || is_after(&case, report));
        all.cases.push(Refused { dir: case.dir, behavior: case.behavior, format: case.format, outcomes });
    }
    all
}

/// The files are as the case has them after the edit.
fn is_after(case: &Case, report: &Report) -> bool {
    report.changes.iter().all(|change| {
        let want = std::fs::read(case.dir.join("after").join(change.path.to_string())).ok();
        change.after.as_ref().map(|image| image.bytes.to_vec()) == want
    })
}

/// What is meant is known; where only a refusal is right, the tree stays.
fn differs(before: &Path, after: &Path) -> bool {
    let files = |root: &Path| -> Vec<(PathBuf, Vec<u8>)> {
        let entries = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().filter_map(Result::ok);
        let files = entries.filter(|entry| entry.file_type().is_file());
        files
            .map(|entry| {
                let name = entry.path().strip_prefix(root).expect("below").to_path_buf();
                (name, std::fs::read(entry.path()).expect("a file"))
            })
            .collect()
    };
    files(before) != files(after)
}
