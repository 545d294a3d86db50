//! `--json` of every subcommand and face. That each report is what the schema says is checked where runs are
//! made; here is what they hold.

use serde_json::{Value, json};

use crate::world::{World, block};

#[test]
fn the_schema_is_one_and_names_every_report() {
    let w = World::new(&[]);
    let said = w.run(&["schema"], "");
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    assert_eq!(said.stdout, edapply::schema::SCHEMA);
    assert_eq!(w.run(&["schema", "--json"], "").stdout, said.stdout);
    let schema: Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    let command = edapply::cli::command();
    let subs = command.get_subcommands().map(clap::Command::get_name);
    for name in subs.filter(|name| !["help", "schema"].contains(name)).chain(["apply", "error"]) {
        let report = &schema["$defs"][format!("report-{name}")];
        assert_eq!(report["properties"]["report"]["const"], name);
        assert_eq!(report["properties"]["version"]["const"], 1, "{name}");
    }
}

/// The helper that all runs go through would see a report that is not what the schema says.
#[test]
fn the_schema_refuses_what_is_no_report() {
    let schema = crate::reports::open();
    let good = json!({"version": 1, "report": "inspect", "edits": [], "skipped": 0});
    assert!(schema.is_valid(&good));
    let mut more = good.clone();
    more["new-field"] = json!(1);
    assert!(schema.is_valid(&more), "fields may come");
    for (field, value) in [("version", json!(2)), ("report", json!("apply")), ("skipped", json!("0"))] {
        let mut bad = good.clone();
        bad[field] = value;
        assert!(!schema.is_valid(&bad), "{field}");
    }
    for field in ["version", "report", "edits", "skipped"] {
        let mut bad = good.clone();
        bad.as_object_mut().expect("an object").remove(field);
        assert!(!schema.is_valid(&bad), "{field}");
    }
}

#[test]
fn an_applied_edit_in_full() {
    let w = World::new(&[("a.txt", "one\ntwo\nthree\nfour\n"), ("keep", "k\n")]);
    let reply = block("a.txt", "one\n", "ONE\nand a half\n") + &block("a.txt", " three\n", " 3\n");
    let report = w.report(&["--json=full", "-C", "."], &reply, 0);
    let batch = report["batch"].clone();
    assert!(batch.is_string());
    let hunk = |lines: [usize; 2], view: &str, old: [usize; 2], new: [usize; 2], added: usize| {
        json!({"input_lines": lines, "verdict": "applied", "view": view, "old_lines": old, "new_lines": new,
            "removed": 1, "added": added})
    };
    let edit = |index: usize, lines: [usize; 2], hunk: Value| {
        json!({"index": index, "id": index + 1, "format": "search-replace", "path": "a.txt", "named": "a.txt",
            "input_lines": lines, "verdict": "applied", "code": null, "hunks": [hunk], "notes": []})
    };
    let after = "ONE\nand a half\ntwo\n3\nfour\n";
    let want = json!({
        "version": 1,
        "report": "apply",
        "status": "ok",
        "exit": 0,
        "mode": "write",
        "written": true,
        "root": "[ROOT]",
        "inputs": [{"input": "-", "edits": [
            edit(0, [3, 8], hunk([3, 8], "exact", [1, 1], [1, 2], 2)),
            edit(1, [12, 16], hunk([12, 16], "indentation", [3, 3], [4, 4], 1)),
        ]}],
        "files": [{
            "kind": "modified",
            "content": "text",
            "path": "a.txt",
            "added": 3,
            "removed": 2,
            "old_mode": "100644",
            "new_mode": "100644",
            "old_sha256": "",
            "new_sha256": "",
            "diff": "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,5 @@\n-one\n+ONE\n\
                +and a half\n two\n-three\n+3\n four\n",
            "before": "one\ntwo\nthree\nfour\n",
            "after": after,
        }],
        "notes": [],
        "batch": batch,
    });
    let mut want = want;
    for key in ["old_sha256", "new_sha256"] {
        let hash = &report["files"][0][key];
        assert_eq!(hash.as_str().map(str::len), Some(64), "{hash}");
        want["files"][0][key] = hash.clone();
    }
    assert_eq!(report, want, "{report:#}");
    let sum = std::process::Command::new("sha256sum").arg(w.path("a.txt")).output().expect("coreutils");
    let sum = String::from_utf8_lossy(&sum.stdout).into_owned();
    assert_eq!(report["files"][0]["new_sha256"].as_str(), sum.get(..64));
    assert_eq!(w.tree()["a.txt"], format!("644 {after}"));
}

#[test]
fn refusals_tell_what_to_do() {
    let w = World::new(&[("a.txt", "x = 1\nreturn x\n\nx = 1\nreturn x\n"), ("b.txt", "alpha beta\n")]);
    let reply = block("a.txt", "x = 1\n", "x = 2\n")
        + &block("b.txt", "alpha betta\n", "gamma\n")
        + &block("c/b.text", "alpha\n", "gamma\n");
    let report = w.report(&["--json"], &reply, 1);
    let edits = report["inputs"][0]["edits"].as_array().expect("edits");
    let codes: Vec<&str> = edits.iter().filter_map(|edit| edit["code"].as_str()).collect();
    assert_eq!(codes, ["ambiguous", "not-found", "no-such-file"], "{report:#}");
    assert_eq!(edits[0]["refusal"]["candidates"], json!([1, 4]));
    assert_eq!(edits[1]["refusal"]["closest"][0]["lines"], json!(["alpha beta"]));
    assert_eq!(edits[1]["refusal"]["closest"][0]["first"], 1);
    assert!(edits.iter().all(|edit| edit["refusal"]["next"].as_str().is_some_and(|next| next.len() > 10)));
    assert_eq!(
        (&report["status"], &report["written"], &report["files"]),
        (&json!("fail"), &json!(false), &json!([]))
    );
}

#[test]
fn several_transactions_are_several_lines() {
    let w = World::new(&[("a.txt", "a\n"), ("r1", &block("a.txt", "a\n", "b\n")), ("r2", "nothing\n")]);
    let said = w.run(&["--json", "--each", "r1", "r2"], "");
    let reports: Vec<Value> =
        said.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let told: Vec<_> = reports.iter().map(|report| (&report["exit"], &report["written"])).collect();
    assert_eq!(told, [(&json!(0), &json!(true)), (&json!(1), &json!(false))]);
    assert_eq!(reports[1]["inputs"][0]["error"]["code"], "no-edit");
}

#[test]
fn moves_deletions_and_bytes_that_are_no_utf8() {
    let w = World::new(&[("old", "x\n"), ("gone", "g\n")]);
    std::fs::write(w.path("latin"), b"caf\xe9\none\n").expect("a file");
    let patch = "*** Begin Patch\n*** Update File: old\n*** Move to: sub/new\n@@\n-x\n+y\n*** Delete File: gone\n\
        *** Update File: latin\n@@\n-one\n+two\n*** End Patch\n";
    let report = w.report(&["--json=full", "--dry-run"], patch, 0);
    let files = report["files"].as_array().expect("files");
    let kinds: Vec<_> = files.iter().map(|file| (file["kind"].as_str(), file["path"].as_str())).collect();
    let want = [("deleted", "gone"), ("modified", "latin"), ("moved", "old")];
    assert_eq!(kinds, want.map(|(kind, path)| (Some(kind), Some(path))), "{report:#}");
    assert_eq!((&files[0]["after"], &files[0]["new_sha256"]), (&Value::Null, &Value::Null));
    assert_eq!(files[1]["before_b64"], "Y2Fm6QpvbmUK");
    assert!(files[1]["diff_b64"].is_string());
    assert_eq!((&files[2]["move_to"], &files[2]["after"]), (&json!("sub/new"), &json!("y\n")));
    assert_eq!((&report["mode"], &report["written"]), (&json!("dry-run"), &json!(false)));
}

#[test]
fn every_subcommand_reports() {
    let reply = block("a.txt", "one\n", "ONE\n");
    let w = World::new(&[("a.txt", "one\n"), ("r.md", &reply)]);
    let applied = w.report(&["--json", "r.md"], "", 0);
    for (args, report, field) in [
        (&["inspect", "--json", "r.md"][..], "inspect", "edits"),
        (&["convert", "--json", "--to", "v4a", "r.md"], "convert", "text"),
        (&["read", "--json", "a.txt"], "read", "files"),
        (&["log", "--json", "--in-place"], "log", "batches"),
        (&["undo", "--list", "--json", "--in-place"], "log", "batches"),
        (&["recover", "--json", "--in-place"], "recover", "runs"),
        (&["cost", "--json", "a.txt"], "cost", "files"),
        (&["choose", "--json", "--new"], "choose", "format"),
        (&["prompt", "--json", "v4a"], "prompt", "text"),
        (&["explain", "--json"], "explain", "codes"),
        (&["explain", "--json", "ambiguous"], "explain", "codes"),
        (&["completions", "--json", "zsh"], "completions", "text"),
        (&["man", "--json", "undo"], "man", "pages"),
        (&["man", "--json", "--list"], "man", "pages"),
        (&["install", "--json", "--dry-run", "--prefix", "/usr"], "install", "files"),
    ] {
        let found = w.report(args, "", 0);
        assert_eq!((&found["version"], &found["report"]), (&json!(1), &json!(report)), "{args:?}");
        assert!(!found[field].is_null(), "{args:?}: {found:#}");
    }
    let undone = w.report(&["undo", "--json"], "", 0);
    assert_eq!((&undone["report"], &undone["undone"]), (&json!("undo"), &applied["batch"]));
    assert_eq!((&undone["files"][0]["path"], &undone["files"][0]["added"]), (&json!("a.txt"), &json!(1)));
    assert_eq!(w.report(&["recover", "--json"], "", 0)["runs"], json!([]));
    let meta = json!({"format": "search-replace", "behavior": "b", "expect": "ok"}).to_string();
    for (path, text) in [("before/a", "a\n"), ("after/a", "b\n"), ("reply.txt", &block("a", "a\n", "b\n"))] {
        w.put(&format!("cases/1/{path}"), text.as_bytes());
    }
    w.put("cases/1/meta.json", meta.as_bytes());
    assert_eq!(w.report(&["bench", "--json", "cases"], "", 0)["total"], json!({"ok": 1}));
}

#[test]
fn what_comes_to_nothing_reports_too() {
    let w = World::new(&[("a.txt", "one\n")]);
    for (args, code, word) in [
        (&["--json", "--no-such-option"][..], 2, "usage"),
        (&["--json", "--max-files", "many"], 2, "usage"),
        (&["--json", "--only", "("], 2, "usage"),
        (&["inspect", "--json", "nope"], 2, "unreadable-input"),
        (&["undo", "--json"], 1, "nothing-to-undo"),
        (&["undo", "--json", "-C", "nope"], 2, "unreadable-root"),
        (&["recover", "--json", "-C", "nope"], 2, "unreadable-root"),
        (&["log", "--json", "-C", "nope"], 2, "unreadable-root"),
        (&["read", "--json", "nope"], 2, "unreadable"),
        (&["convert", "--json", "--to", "unified"], 1, "no-edit"),
        (&["bench", "--json", "nope"], 2, "unreadable-input"),
        (&["bench", "--json", "."], 2, "no-cases"),
        (&["cost", "--json", "nope"], 2, "unreadable-input"),
        (&["choose", "--json"], 2, "usage"),
        (&["explain", "--json", "nope"], 2, "usage"),
        (&["man", "--json", "nope"], 2, "usage"),
        (&["prompt", "--json", "nope"], 2, "usage"),
        (&["completions", "--json", "nope"], 2, "usage"),
        (&["install", "--json", "--link", "nope"], 2, "usage"),
    ] {
        let report = w.report(args, "no edit\n", code);
        assert_eq!(report["report"], "error", "{args:?}");
        assert_eq!((&report["exit"], &report["error"]["code"]), (&json!(code), &json!(word)), "{args:?}");
        assert!(edapply::refusal::explain(word).is_some(), "{word} is explained");
    }
    let report = w.report(&["--json", "nope"], "", 2);
    assert_eq!((&report["report"], &report["error"]["code"]), (&json!("apply"), &json!("unreadable-input")));
    let refused = block("a.txt", "two\n", "2\n");
    let report = w.report(&["convert", "--json", "--to", "unified", "-C", "."], &refused, 1);
    assert_eq!((&report["report"], &report["mode"]), (&json!("apply"), &json!("check")));
    let report = w.report(&["cost", "--json", "a.txt", "--edit", "-"], &refused, 2);
    assert_eq!(report["error"]["code"], "no-change");
}

const PATCH: &str = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+ONE\n";

#[test]
fn the_drop_ins_report_when_the_name_is_spelled_in_full() {
    let w = World::new(&[("a.txt", "one\n")]);
    let report = w.report(&["patch", "-p1", "--json"], PATCH, 0);
    assert_eq!((&report["report"], &report["exit"]), (&json!("patch"), &json!(0)));
    assert_eq!((&report["stdout"], &report["stderr"]), (&json!("patching file a.txt\n"), &json!("")));
    assert_eq!(
        (&report["files"][0]["path"], &report["files"][0]["kind"]),
        (&json!("a.txt"), &json!("modified"))
    );
    let report = w.report(&["patch", "-p1", "-t", "--json"], "garbage\n", 2);
    assert_eq!((&report["status"], &report["files"]), (&json!("trouble"), &json!([])));
    let report = w.report(&["patch", "--json", "--nope"], "", 2);
    assert!(report["stderr"].as_str().is_some_and(|text| text.contains("unrecognized option '--nope'")));

    let report = w.report(&["git-apply", "--json", "-R", "-v"], PATCH, 0);
    assert_eq!((&report["report"], &report["written"]), (&json!("git-apply"), &json!(true)));
    assert_eq!(report["files"][0]["diff"].as_str().map(|diff| diff.contains("-ONE\n+one\n")), Some(true));
    let report = w.report(&["git-apply", "--json", "--check"], "garbage\n", 128);
    assert_eq!(report["status"], "trouble");
    assert_eq!(w.report(&["git-apply", "--json", "--nope"], "", 129)["exit"], 129);

    for face in ["patch", "git-apply"] {
        for short in ["--js", "--jso"] {
            let said = w.run(&[face, short], PATCH);
            assert!(said.code >= 2 && said.stdout.is_empty(), "{face} {short}: {said:?}");
        }
    }
    assert_eq!(w.tree()["a.txt"], "644 one\n");
}

#[test]
fn json_takes_no_word_behind_it() {
    let reply = block("a.txt", "one\n", "ONE\n");
    let w = World::new(&[("a.txt", "one\n"), ("full", &reply)]);
    let report = w.report(&["--check", "--json", "full"], "", 0);
    assert_eq!((&report["inputs"][0]["input"], report["files"][0].get("before")), (&json!("full"), None));
    assert_eq!(w.report(&["--json", "log"], "", 0)["report"], "log", "an option may stand before a command");
}

/// The lines that a hunk changed, before and after, in each format.
#[test]
fn lines_count_in_the_text_that_a_hunk_found() {
    let lines = |report: &Value| -> Vec<Value> {
        let edits = report["inputs"][0]["edits"].as_array().expect("edits");
        let hunks = edits.iter().flat_map(|edit| edit["hunks"].as_array().expect("hunks"));
        hunks.map(|hunk| json!([hunk["old_lines"], hunk["new_lines"]])).collect()
    };
    let file = "a\nb\nc\nd\ne\n";
    // All against the file as it was found, whatever their order.
    let apart = block("f", "d\n", "D1\nD2\n") + &block("f", "b\n", "") + &block("f", "a\n", "a\na2\n");
    // The second changes what the first wrote, the third what stands below, the fourth what stands above.
    let chained = block("f", "b\n", "b1\nb2\nb3\n")
        + &block("f", "b2\n", "B2\nB2b\n")
        + &block("f", "d\n", "D\n")
        + &block("f", "a\n", "A\nA2\n");
    for (reply, want, after) in [
        (apart, json!([[[4, 4], [4, 5]], [[2, 2], [3, 2]], [[2, 1], [2, 2]]]), "a\na2\nc\nD1\nD2\ne\n"),
        (
            chained,
            json!([[[2, 2], [3, 6]], [[3, 3], [4, 5]], [[7, 7], [8, 8]], [[1, 1], [1, 2]]]),
            "A\nA2\nb1\nB2\nB2b\nb3\nc\nD\ne\n",
        ),
    ] {
        let w = World::new(&[("f", file)]);
        let report = w.report(&["--json"], &reply, 0);
        assert_eq!(json!(lines(&report)), want, "{report:#}");
        assert_eq!(w.tree()["f"], format!("644 {after}"));
    }
}

/// A whole call of a drop-in's hunks, tried or written.
#[test]
fn the_drop_ins_tell_of_each_hunk() {
    let file = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n";
    let patch = "text above\n--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n 1\n+one and a half\n 2\n 3\n\
        @@ -6,5 +7,5 @@\n 5\n 6\n-7\n+VII\n 8\n 9\n@@ -12,3 +13,3 @@\n 12\n-XIII\n+thirteen\n 14\n";
    let hunk = |number: usize, line: usize, verdict: &str| json!({"path": "f", "hunk": number, "input_line": line, "verdict": verdict});
    let placed = |number: usize, line: usize, at: i64, offset: i64| {
        let mut told = hunk(number, line, "applied");
        (told["line"], told["offset"], told["fuzz"]) = (json!(at), json!(offset), json!(0));
        told
    };
    let good = |offset: i64| vec![placed(1, 4, 1, 0), placed(2, 9, 6, offset)];
    for (args, code, written) in [
        (&["patch", "--json", "-p1", "-f"][..], 1, true),
        (&["patch", "--json", "-p1", "-f", "--dry-run"], 1, false),
        (&["git-apply", "--json", "--reject"], 1, true),
        (&["git-apply", "--json", "--check"], 1, false),
    ] {
        let w = World::new(&[("f", file)]);
        let report = w.report(args, patch, code);
        let want = [good(-1), vec![hunk(3, 16, "refused")]].concat();
        assert_eq!(report["hunks"], json!(want), "{args:?}: {report:#}");
        assert_eq!(report["written"], json!(written), "{args:?}");
        assert_eq!(w.tree()["f"] == format!("644 {file}"), !written, "{args:?}");
    }
    let w = World::new(&[("f", file)]);
    for args in [["patch", "--json", "-p1", "--safe"], ["git-apply", "--json", "--safe", "--check"]] {
        let report = w.report(&args, patch, 1);
        let hunks = report["hunks"].as_array().expect("hunks");
        assert_eq!(json!(hunks[..2]), json!(good(-1)), "{args:?}: {report:#}");
        assert!(hunks[2]["why"].as_str().is_some_and(|why| why.contains("not found")), "{report:#}");
    }
    let skipped = w.report(&["patch", "--json", "-p1", "-f", "--dry-run"], &patch.replace("/f", "/none"), 1);
    assert!(skipped["hunks"].as_array().is_some_and(|hunks| hunks.iter().all(|h| h["verdict"] == "skipped")));
}

/// A dry run of a drop-in lists the files that the run itself would list.
#[test]
fn the_drop_ins_list_files_in_dry_runs() {
    let patch = "diff --git a/f b/g\nsimilarity index 50%\nrename from f\nrename to g\n--- a/f\n+++ b/g\n@@ -1 +1 @@\n\
        -one\n+ONE\ndiff --git a/new b/new\nnew file mode 100755\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n\
        diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
        diff --git a/m b/m\nold mode 100644\nnew mode 100755\n";
    for (dry, wet) in [
        (&["patch", "--json", "-p1", "--dry-run"][..], &["patch", "--json", "-p1"][..]),
        (&["git-apply", "--json", "--check"], &["git-apply", "--json"]),
    ] {
        let w = World::new(&[("f", "one\n"), ("gone", "x\n"), ("m", "mode\n")]);
        let before = w.tree();
        let would = w.report(dry, patch, 0);
        assert_eq!(w.tree(), before, "{dry:?}");
        let done = w.report(wet, patch, 0);
        assert_eq!((&would["written"], &done["written"]), (&json!(false), &json!(true)));
        let sorted = |report: &Value| {
            let mut files = report["files"].as_array().expect("files").clone();
            files.sort_by_key(|file| file["path"].as_str().map(str::to_owned));
            files
        };
        let (would, done) = (sorted(&would), sorted(&done));
        assert!(done.len() >= 4, "{done:#?}");
        assert_eq!(would, done, "{dry:?}");
    }
}
