use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

use super::journal::Record;
use super::*;
use crate::{
    plan::Change,
    tree::{Files, Image, root::Seen},
};

struct World {
    base: tempfile::TempDir,
    state: tempfile::TempDir,
    root: Root,
}

fn world(files: &[(&str, &str, u32)]) -> World {
    let base = tempfile::tempdir().expect("a folder");
    for (path, text, mode) in files {
        let path = base.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(&path, text).expect("a file");
        fs::set_permissions(&path, PermissionsExt::from_mode(*mode)).expect("a mode");
    }
    let root = Root::open(base.path()).expect("a root");
    World { base, state: tempfile::tempdir().expect("a folder"), root }
}

impl World {
    fn image(&self, path: &str) -> Option<Image> {
        self.root.read(&RelPath::trusted(path)).ok().flatten()
    }

    fn change(&self, path: &str, after: Option<&str>) -> Change {
        let before = self.image(path);
        let mode = before.as_ref().map_or(0o644, |image| image.mode);
        let after = after.map(|text| Image { bytes: text.into(), mode });
        Change { path: RelPath::trusted(path), before, after, moved_from: None }
    }

    fn writer(&self) -> Writer {
        let state_dir = Some(self.state.path().to_path_buf());
        Writer {
            sync: Sync::Process,
            state_dir,
            lock_timeout: Duration::ZERO,
            in_place: false,
            beside: None,
            trusts_times: false,
        }
    }

    fn apply(&self, changes: Vec<Change>) -> Result<Receipt, CommitError> {
        self.writer().write(&self.root, &Plan { changes, ..Plan::default() }, None)
    }

    fn undo(&self, id: Option<&str>) -> Result<String, &'static str> {
        self.writer().undo(&self.root, true, id).map(|undone| undone.id).map_err(|error| error.code())
    }

    fn tree(&self) -> BTreeMap<String, String> {
        let mut tree = BTreeMap::new();
        list(self.base.path(), "", &mut tree);
        tree
    }
}

fn list(dir: &Path, prefix: &str, tree: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(dir).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let meta = entry.metadata().expect("metadata");
        if meta.is_symlink() {
            let target = fs::read_link(entry.path()).expect("a link");
            tree.insert(name, format!("-> {}", target.display()));
        } else if meta.is_dir() {
            tree.insert(format!("{name}/"), String::new());
            list(&entry.path(), &format!("{name}/"), tree);
        } else {
            let text = fs::read_to_string(entry.path()).expect("text");
            tree.insert(name, format!("{:o} {text}", meta.mode() & 0o7777));
        }
    }
}

fn tree(entries: &[(&str, &str)]) -> BTreeMap<String, String> {
    entries.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn all_kinds_of_change_at_once() {
    let w = world(&[("a", "old", 0o755), ("gone/b", "b", 0o644), ("old/c", "c", 0o600)]);
    let moved = Change {
        path: RelPath::trusted("new/deep/c"),
        before: None,
        after: Some(Image { bytes: "c2".into(), mode: 0o600 }),
        moved_from: Some(RelPath::trusted("old/c")),
    };
    let changes = vec![
        w.change("a", Some("new")),
        w.change("d", Some("d")),
        w.change("gone/b", None),
        moved,
        w.change("old/c", None),
    ];
    w.apply(changes).expect("written");
    let want = [("a", "755 new"), ("d", "644 d"), ("new/", ""), ("new/deep/", ""), ("new/deep/c", "600 c2")];
    assert_eq!(w.tree(), tree(&want));
}

#[test]
fn a_target_that_changed_meanwhile_stops_the_batch() {
    let w = world(&[("a", "a", 0o644), ("b", "b", 0o644)]);
    let changes = vec![w.change("a", Some("A")), w.change("b", Some("B")), w.change("x/y", Some("y"))];
    fs::write(w.base.path().join("b"), "saved").expect("a file");
    let error = w.apply(changes).expect_err("refused");
    assert_eq!((error.code(), error.path().to_string()), ("changed-meanwhile", "b".into()));
    assert!(error.is_refusal());
    assert_eq!(w.tree(), tree(&[("a", "644 a"), ("b", "644 saved")]));
}

#[test]
fn a_file_that_appeared_is_not_overwritten() {
    let w = world(&[("a", "a", 0o644)]);
    let changes = vec![w.change("a", Some("A")), w.change("n", Some("n"))];
    fs::write(w.base.path().join("n"), "theirs").expect("a file");
    assert_eq!(w.apply(changes).expect_err("refused").code(), "changed-meanwhile");
    assert_eq!(w.tree(), tree(&[("a", "644 a"), ("n", "644 theirs")]));
}

/// A batch up to and with its swap, as a run leaves it that is killed then.
fn killed(w: &World, changes: &[Change]) -> Record {
    let places = state::places(&w.root, w.writer().state_dir.as_deref());
    let state = places[0].make().expect("a state folder");
    let plan = Plan { changes: changes.to_vec(), ..Plan::default() };
    let mut batch = Batch::pin(&w.root, &plan, "apply", Pinning::default()).expect("pinned");
    let tx = Tx::begin(&state, &mut batch.record, false).expect("begun");
    let signals = Signals::watch();
    batch.make_folders().expect("made");
    stage::stage(&mut batch, Sync::Process, &signals).expect("staged");
    tx.prepare(&batch.record).expect("prepared");
    swap::swap(&mut batch, false, &signals).expect("swapped");
    batch.record
}

fn outcome(w: &World) -> Vec<Outcome> {
    let done = w.writer().recover(&w.root).expect("recovered");
    done.into_iter().map(|one| one.outcome).collect()
}

#[test]
fn a_killed_run_is_rolled_back() {
    let w = world(&[("a", "a", 0o644), ("f", "f", 0o644)]);
    killed(&w, &[w.change("a", Some("A")), w.change("f", None), w.change("k/n", Some("n"))]);
    assert!(w.image("k/n").is_some() && w.image("f").is_none());
    assert!(matches!(w.writer().refuse_torn(&w.root), Err(CommitError::Unfinished)));
    assert_eq!(outcome(&w), [Outcome::RolledBack]);
    assert_eq!(w.tree(), tree(&[("a", "644 a"), ("f", "644 f")]));
    assert_eq!(outcome(&w), []);
    w.writer().refuse_torn(&w.root).expect("nothing unfinished");
}

#[test]
fn the_next_run_rolls_back_first() {
    let w = world(&[("a", "a", 0o644), ("b", "b", 0o644)]);
    let change = w.change("b", Some("B"));
    killed(&w, &[w.change("a", Some("A"))]);
    let receipt = w.apply(vec![change]).expect("written");
    assert_eq!(receipt.recovered.len(), 1);
    assert_eq!(w.tree(), tree(&[("a", "644 a"), ("b", "644 B")]));
}

#[test]
fn rolling_back_keeps_what_somebody_saved() {
    let w = world(&[("a", "a", 0o644)]);
    killed(&w, &[w.change("a", Some("A"))]);
    fs::write(w.base.path().join("a"), "saved").expect("a file");
    let done = w.writer().recover(&w.root).expect("recovered");
    assert!(done[0].left[0].contains("its old content is in .edapply-"), "{done:?}");
    assert_eq!(w.tree()["a"], "644 saved");
    assert_eq!(w.tree().len(), 2, "the old image is kept");
    assert_eq!(outcome(&w), [], "told once");
}

#[test]
fn a_save_that_came_out_of_a_killed_swap_is_handed_back() {
    let w = world(&[("a", "a", 0o644)]);
    let record = killed(&w, &[w.change("a", Some("A"))]);
    let temp = RelPath::trusted(record.entries[0].temp.clone()).to_string();
    fs::write(w.base.path().join(temp), "saved").expect("a file");
    assert_eq!(outcome(&w), [Outcome::RolledBack]);
    assert_eq!(w.tree(), tree(&[("a", "644 saved")]));
}

#[test]
fn a_journal_from_elsewhere_steers_nothing() {
    let (here, there) = (world(&[("a", "a", 0o644)]), world(&[("a", "a", 0o644)]));
    killed(&here, &[here.change("a", Some("A"))]);
    let state = |w: &World| state::places(&w.root, w.writer().state_dir.as_deref())[0].make().expect("made");
    let (from, to) = (state(&here).path.join("tx"), state(&there).path.join("tx"));
    let id = fs::read_dir(&from).expect("a folder").next().expect("one").expect("one").file_name();
    fs::create_dir_all(to.join(&id)).expect("a folder");
    fs::copy(from.join(&id).join("journal"), to.join(&id).join("journal")).expect("copied");
    there.writer().refuse_torn(&there.root).expect("not torn");
    assert_eq!(outcome(&there), [Outcome::Foreign]);
    assert_eq!(there.tree(), tree(&[("a", "644 a")]));
    fs::write(to.join(&id).join("journal"), "rubbish").expect("a file");
    assert_eq!(there.writer().recover(&there.root).expect_err("refused").code(), "journal-damaged");
}

#[test]
fn undo_restores_all_kinds_of_change() {
    let w = world(&[("a", "old", 0o755), ("gone/b", "b", 0o600)]);
    let before = w.tree();
    w.apply(vec![w.change("a", Some("new")), w.change("gone/b", None), w.change("n/d", Some("d"))])
        .expect("written");
    let after = w.tree();
    let first = w.undo(None).expect("undone");
    assert_eq!(w.tree(), before);
    assert_eq!(w.undo(None), Err("nothing-to-undo"));
    let all = w.writer().history(&w.root, true).expect("a log");
    let undo = all[0].id().to_owned();
    assert_eq!(all[0].undoes(), Some(&*first));
    w.undo(Some(&undo)).expect("undone");
    assert_eq!(w.tree(), after);
    assert_eq!(w.undo(None).expect("undone"), first, "it stands again, and can be undone again");
    assert_eq!(w.tree(), before);
}

fn link(path: &str, before: Option<Image>, target: &str) -> Change {
    Change { path: RelPath::trusted(path), before, after: Some(Image::link(target)), moved_from: None }
}

/// Names that change their kind: a file, a link, a folder in place of each other.
fn kinds(w: &World) -> Vec<Change> {
    let gone = |path: &str| Change { after: None, ..w.change(path, None) };
    let old_link = w.root.image(&RelPath::trusted("l")).expect("readable");
    vec![
        link("f", w.image("f"), "q/r"),
        link("l", old_link, "elsewhere"),
        w.change("q/r/s", Some("s")),
        gone("q"),
        Change { before: Some(Image::folder()), ..link("d", None, "f") },
        gone("d/e/g"),
        link("new", None, "f"),
    ]
}

fn kinds_world() -> World {
    let w = world(&[("f", "f", 0o644), ("q", "q", 0o600), ("d/e/g", "g", 0o644)]);
    std::os::unix::fs::symlink("f", w.base.path().join("l")).expect("a link");
    fs::set_permissions(w.base.path().join("d/e"), PermissionsExt::from_mode(0o710)).expect("a mode");
    w
}

#[test]
fn names_change_their_kind_and_back() {
    let w = kinds_world();
    let before = w.tree();
    let changes = kinds(&w);
    w.apply(changes).expect("written");
    let want = [
        ("d", "-> f"),
        ("f", "-> q/r"),
        ("l", "-> elsewhere"),
        ("new", "-> f"),
        ("q/", ""),
        ("q/r/", ""),
        ("q/r/s", "644 s"),
    ];
    assert_eq!(w.tree(), tree(&want));
    w.undo(None).expect("undone");
    assert_eq!(w.tree(), before);
    let undo = w.writer().history(&w.root, true).expect("a log")[0].id().to_owned();
    w.undo(Some(&undo)).expect("undone");
    assert_eq!(w.tree(), tree(&want));
}

#[test]
fn a_killed_change_of_kinds_is_rolled_back() {
    let w = kinds_world();
    let before = w.tree();
    let changes = kinds(&w);
    killed(&w, &changes);
    assert_ne!(w.tree(), before);
    assert_eq!(outcome(&w), [Outcome::RolledBack]);
    assert_eq!(w.tree(), before);
    let mode = fs::metadata(w.base.path().join("d/e")).expect("a folder").mode();
    assert_eq!(mode & 0o777, 0o710);
}

#[test]
fn folders_for_their_own_sake() {
    let w = world(&[("sub/x", "x", 0o644)]);
    fs::create_dir(w.base.path().join("empty")).expect("a folder");
    let folder =
        |path: &str, before, after| Change { path: RelPath::trusted(path), before, after, moved_from: None };
    let (some, none) = (|| Some(Image::folder()), None);
    w.apply(vec![folder("a/b", none, some()), folder("empty", some(), None), folder("sub", some(), None)])
        .expect("written");
    assert_eq!(w.tree(), tree(&[("a/", ""), ("a/b/", ""), ("sub/", ""), ("sub/x", "644 x")]));
}

#[test]
fn a_folder_that_is_not_empty_stays() {
    let w = world(&[("d/e", "e", 0o644)]);
    let before = w.tree();
    let change = Change { before: Some(Image::folder()), ..link("d", None, "x") };
    assert_eq!(w.apply(vec![change]).expect_err("refused").code(), "io");
    assert_eq!(w.tree(), before);
}

/// A plan that trusts what the system said of a file.
fn seen_plan(w: &World, path: &str, after: &str) -> Plan {
    let name = RelPath::trusted(path);
    let (file, stat) = w.root.open_file(&name).expect("opened").expect("there");
    let seen = Seen::at(&file, stat, std::time::SystemTime::now() + Duration::from_secs(60));
    Plan {
        changes: vec![w.change(path, Some(after))],
        seen: BTreeMap::from([(name, seen)]),
        ..Plan::default()
    }
}

#[test]
fn what_was_seen_stands_in_for_a_look_at_the_content() {
    let w = world(&[("a", "old", 0o640)]);
    w.writer().write(&w.root, &seen_plan(&w, "a", "new"), None).expect("written");
    assert_eq!(w.tree(), tree(&[("a", "640 new")]));
    assert_eq!(w.undo(None).map(|_| ()), Ok(()));
    assert_eq!(w.tree(), tree(&[("a", "640 old")]));
}

/// A change that no time tells of, as through a mapping.
#[test]
fn what_came_out_is_compared_unless_times_are_trusted() {
    for (trusts_times, want) in [(false, Err("changed-meanwhile")), (true, Ok("640 new"))] {
        let w = world(&[("a", "own", 0o640)]);
        let mut plan = seen_plan(&w, "a", "new");
        plan.changes[0].before.as_mut().expect("an image").bytes = "old".into();
        let written = Writer { trusts_times, ..w.writer() }.write(&w.root, &plan, None);
        assert_eq!(written.map(|_| "640 new").map_err(|error| error.code()), want);
        assert_eq!(w.tree(), tree(&[("a", want.unwrap_or("640 own"))]));
    }
}

/// What looks like the own half of a file that was written over may be all that somebody else saved.
#[test]
fn what_was_never_written_over_is_not_put_back() {
    for theirs in ["", "o", "new", "old and more"] {
        let w = world(&[("a", "old", 0o644), ("b", "old", 0o644)]);
        let changes = vec![w.change("a", Some("new")), w.change("b", Some("new"))];
        let plan = Plan { changes, ..Plan::default() };
        let at = w.base.path().join("b");
        let writer = Writer { in_place: true, ..w.writer() };
        let batch = writer.clone();
        let state = state::places(&w.root, writer.state_dir.as_deref())[0].make().expect("a state folder");
        let pinned = Batch::pin(&w.root, &plan, "apply", batch.pinning(false)).expect("pinned");
        fs::write(&at, theirs).expect("saved");
        let error = writer.recorded(&state, pinned, None, &Signals::watch()).expect_err("refused");
        assert_eq!(error.code(), "changed-meanwhile", "{theirs}");
        let told = format!("644 {theirs}");
        assert_eq!(w.tree(), tree(&[("a", "644 old"), ("b", told.as_str())]), "{theirs}");
    }
}

#[test]
fn every_mode_is_kept() {
    for mode in [0o644, 0o755, 0o666, 0o777, 0o600, 0o640, 0o664, 0o604, 0o444, 0o400, 0o1644] {
        let w = world(&[("a", "old", mode)]);
        w.writer().write(&w.root, &seen_plan(&w, "a", "new"), None).expect("written");
        let told = format!("{mode:o} new");
        assert_eq!(w.tree(), tree(&[("a", told.as_str())]));
    }
}

#[test]
fn what_was_seen_and_is_found_changed_at_last_takes_all_back() {
    let w = world(&[("a", "old", 0o640), ("b", "old", 0o600)]);
    let mut plan = seen_plan(&w, "a", "new");
    let other = seen_plan(&w, "b", "new");
    plan.changes.extend(other.changes);
    plan.seen.extend(other.seen);
    fs::write(w.base.path().join("b"), "own").expect("written");
    let error = w.writer().write(&w.root, &plan, None).expect_err("refused");
    assert_eq!(error.code(), "changed-meanwhile");
    assert_eq!(w.tree(), tree(&[("a", "640 old"), ("b", "600 own")]));
}

#[test]
fn what_was_seen_and_is_so_no_more_is_looked_at() {
    let w = world(&[("a", "old", 0o640)]);
    let plan = seen_plan(&w, "a", "new");
    fs::write(w.base.path().join("a"), "their own").expect("written");
    let error = w.writer().write(&w.root, &plan, None).expect_err("refused");
    assert_eq!(error.code(), "changed-meanwhile");
    let plan = seen_plan(&w, "a", "new");
    fs::remove_file(w.base.path().join("a")).expect("removed");
    fs::write(w.base.path().join("a"), "their own").expect("written");
    fs::set_permissions(w.base.path().join("a"), PermissionsExt::from_mode(0o640)).expect("a mode");
    w.writer().write(&w.root, &plan, None).expect("the same content under another inode");
    assert_eq!(w.tree(), tree(&[("a", "640 new")]));
}

#[test]
fn who_writes_into_the_old_file_of_what_was_seen_is_noticed() {
    use std::io::Write;
    let w = world(&[("a", "old", 0o644)]);
    let mut held = fs::OpenOptions::new().append(true).open(w.base.path().join("a")).expect("a file");
    let mut look = |_: &Signals| held.write_all(b" and more").map_err(|error| error.to_string());
    let plan = seen_plan(&w, "a", "new");
    let error = w.writer().write(&w.root, &plan, Some(&mut look)).expect_err("refused");
    assert_eq!(error.code(), "changed-meanwhile");
    assert_eq!(w.tree(), tree(&[("a", "644 old and more")]));
}

#[test]
fn what_was_written_into_an_old_image_comes_back() {
    use std::io::Write;
    let w = world(&[("a", "a", 0o644)]);
    let mut held = fs::OpenOptions::new().append(true).open(w.base.path().join("a")).expect("a file");
    let plan = Plan { changes: vec![w.change("a", Some("A"))], ..Plan::default() };
    let mut look = |_: &Signals| held.write_all(b" and more").map_err(|error| error.to_string());
    let error = w.writer().write(&w.root, &plan, Some(&mut look)).expect_err("refused");
    assert_eq!(error.code(), "changed-meanwhile");
    assert_eq!(w.tree(), tree(&[("a", "644 a and more")]));
}

#[test]
fn kept_images_are_no_name_of_a_file_that_has_others() {
    let w = world(&[("a", "a", 0o644)]);
    fs::hard_link(w.base.path().join("a"), w.base.path().join("b")).expect("a link");
    w.apply(vec![w.change("a", Some("A"))]).expect("written");
    assert_eq!(fs::metadata(w.base.path().join("b")).expect("a file").nlink(), 1);
    fs::write(w.base.path().join("b"), "changed").expect("a file");
    w.undo(None).expect("undone");
    assert_eq!(w.tree(), tree(&[("a", "644 a"), ("b", "644 changed")]));
}

#[test]
fn files_have_the_times_that_were_asked_for() {
    let w = world(&[("a", "a", 0o644)]);
    let times = BTreeMap::from([(RelPath::trusted("a"), (1_600_000_000, 5))]);
    let plan = Plan { changes: vec![w.change("a", Some("a"))], times, ..Plan::default() };
    w.writer().write(&w.root, &plan, None).expect("written");
    let meta = fs::metadata(w.base.path().join("a")).expect("a file");
    assert_eq!((meta.mtime(), meta.mtime_nsec()), (1_600_000_000, 5));
}

#[test]
fn undo_refuses_what_changed_since() {
    let w = world(&[("a", "a", 0o644), ("b", "b", 0o644)]);
    w.apply(vec![w.change("a", Some("A")), w.change("b", Some("B"))]).expect("written");
    fs::write(w.base.path().join("b"), "saved").expect("a file");
    let before = w.tree();
    let error = w.writer().undo(&w.root, true, None).expect_err("refused");
    assert_eq!((error.code(), &*error.to_string()), ("changed-since", "changed since: b"));
    assert_eq!(w.tree(), before);
}

#[test]
fn the_last_twenty_batches_are_kept() {
    let w = world(&[("a", "0", 0o644)]);
    for turn in 1..=25 {
        w.apply(vec![w.change("a", Some(&turn.to_string()))]).expect("written");
    }
    assert_eq!(w.writer().history(&w.root, true).expect("a log").len(), 20);
    for turn in (20..25).rev() {
        w.undo(None).expect("undone");
        assert_eq!(w.tree()["a"], format!("644 {turn}"));
    }
}

#[test]
fn a_look_that_is_not_content_rolls_back() {
    let w = world(&[("a", "a", 0o644)]);
    let plan = Plan { changes: vec![w.change("a", Some("A"))], ..Plan::default() };
    let mut seen = String::new();
    let mut look = |_: &Signals| {
        seen = w.tree()["a"].clone();
        Err("no".to_owned())
    };
    let error = w.writer().write(&w.root, &plan, Some(&mut look)).expect_err("refused");
    assert_eq!((error.code(), &*seen), ("verify-failed", "644 A"));
    assert_eq!(w.tree(), tree(&[("a", "644 a")]));
}

#[test]
fn attributes_are_kept() {
    let w = world(&[("a", "a", 0o640)]);
    let path = w.base.path().join("a");
    if rustix::fs::setxattr(&path, "user.note", b"kept", rustix::fs::XattrFlags::empty()).is_err() {
        return;
    }
    w.apply(vec![w.change("a", Some("A"))]).expect("written");
    let mut value = [0; 16];
    assert_eq!(rustix::fs::getxattr(&path, "user.note", &mut value[..]), Ok(4));
    assert_eq!(&value[..4], b"kept");
}

#[test]
fn set_id_bits_go_and_hard_links_are_told() {
    let w = world(&[("a", "a", 0o4755)]);
    fs::hard_link(w.base.path().join("a"), w.base.path().join("b")).expect("a link");
    let receipt = w.apply(vec![w.change("a", Some("A"))]).expect("written");
    assert_eq!(w.tree(), tree(&[("a", "755 A"), ("b", "4755 a")]));
    assert_eq!(receipt.notes.len(), 2, "{receipt:?}");
}

#[test]
fn names_as_long_as_they_may_be() {
    let name = "n".repeat(255);
    let w = world(&[(&name, "a", 0o644)]);
    w.apply(vec![w.change(&name, Some("A"))]).expect("written");
    assert_eq!(w.tree()[&name], "644 A");
}

/// A file with a second name, written over by a batch that another file belongs to.
fn over() -> (World, Writer, Plan) {
    let w = world(&[("a", "old", 0o640), ("b", "b", 0o644)]);
    fs::hard_link(w.base.path().join("a"), w.base.path().join("other")).expect("a link");
    let writer = Writer { in_place: true, ..w.writer() };
    let plan = Plan { changes: vec![w.change("a", Some("new")), w.change("b", None)], ..Plan::default() };
    (w, writer, plan)
}

#[test]
fn a_file_that_is_written_over_keeps_its_other_names() {
    let (w, writer, plan) = over();
    let before = w.tree();
    let receipt = writer.write(&w.root, &plan, None).expect("written");
    assert_eq!(w.tree(), tree(&[("a", "640 new"), ("other", "640 new")]));
    assert!(receipt.warnings[0].starts_with("guarded: no"), "{receipt:?}");
    writer.undo(&w.root, true, None).expect("undone");
    assert_eq!(w.tree(), before);
}

#[test]
fn what_was_written_over_is_put_back() {
    let (w, writer, plan) = over();
    let before = w.tree();
    let mut look = |_: &Signals| Err("no".to_owned());
    assert_eq!(writer.write(&w.root, &plan, Some(&mut look)).expect_err("refused").code(), "verify-failed");
    assert_eq!(w.tree(), before);
    let saved = w.base.path().join("a");
    let mut look = |_: &Signals| {
        fs::write(&saved, "saved").expect("a file");
        Err("no".to_owned())
    };
    let error = writer.write(&w.root, &plan, Some(&mut look)).expect_err("refused");
    assert!(error.to_string().contains("a: was changed since; its old content is in tx/kept-"), "{error}");
    assert_eq!(w.tree(), tree(&[("a", "640 saved"), ("b", "644 b"), ("other", "640 saved")]));
}
