use crate::{
    edit::{Format, Op, Parsed},
    input::read,
};

/// What was read, one line an edit or fault: `format path op`.
fn seen(input: &str) -> Vec<String> {
    show(&read(input.as_bytes(), None))
}

fn show(parsed: &Parsed<'_>) -> Vec<String> {
    let path = |name: &Option<crate::edit::Name<'_>>| {
        name.as_ref().map_or("-".to_owned(), |name| String::from_utf8_lossy(&name.text).into_owned())
    };
    let mut seen: Vec<(usize, String)> = parsed
        .edits
        .iter()
        .map(|edit| (edit.id, format!("{} {} {}", edit.format.name(), path(&edit.path), op(&edit.op))))
        .collect();
    seen.extend(parsed.faults.iter().map(|fault| {
        (fault.id, format!("{} {} {}", fault.format.name(), path(&fault.path), fault.refusal.code()))
    }));
    seen.sort();
    seen.into_iter().map(|(_, text)| text).collect()
}

fn op(op: &Op<'_>) -> String {
    match op {
        Op::Create { lines } => format!("create {}", lines.cut().len()),
        Op::Whole { lines } => format!("whole {}", lines.cut().len()),
        Op::Append { lines } => format!("append {}", lines.cut().len()),
        Op::Delete { .. } => "delete".to_owned(),
        Op::Binary(_) => "binary".to_owned(),
        Op::Lines(lines) => format!("lines {}", lines.ops.len()),
        Op::Update { hunks } => {
            let readings: Vec<String> = hunks.iter().map(|hunk| hunk.readings.len().to_string()).collect();
            format!("update {}", readings.join(" "))
        }
    }
}

const BLOCK: &str = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";

#[test]
fn blocks_take_the_nearest_name() {
    let two = |above: &str| format!("{above}{BLOCK}```\n\nThen:\n\n```\n{BLOCK}```\n");
    for (above, path) in [
        ("src/a.py\n```python\n", "src/a.py"),
        ("```python\nsrc/a.py\n", "src/a.py"),
        ("**`src/a.py`**:\n\n~~~\n", "src/a.py"),
        ("src/a.py\n<source>python\n", "src/a.py"),
        ("Words.\n\n```\n", "-"),
    ] {
        let expected = format!("search-replace {path} update 1");
        assert_eq!(seen(&two(above)), [expected.clone(), expected], "{above}");
    }
}

#[test]
fn a_file_that_is_only_spoken_of_does_not_unseat_the_last() {
    let input = format!("a.py\n{BLOCK}\nThis is as in `b.py`.\n\n{BLOCK}\nNow in `b.py`:\n\n{BLOCK}");
    let expected = ["a.py", "a.py", "b.py"].map(|path| format!("search-replace {path} update 1"));
    assert_eq!(seen(&input), expected);
}

#[test]
fn a_lone_word_names_a_file_that_must_exist() {
    assert_eq!(seen(&format!("f\n```\n{BLOCK}```\n")), ["search-replace f update 1"]);
    let new = "<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE\n";
    assert_eq!(seen(&format!("Makefile2\n```\n{new}```\n")), ["search-replace - append 1"]);
    let carried = format!("a.py\n```\n{BLOCK}```\n\nThen\n```\n{BLOCK}```\n");
    assert_eq!(seen(&carried), ["search-replace a.py update 1", "search-replace a.py update 1"]);
}

#[test]
fn a_name_in_a_fence_of_its_own() {
    let input = format!("Change:\n\n ```python\nsrc/app.py\n```\n```python\n{BLOCK}```\n");
    assert_eq!(seen(&input), ["search-replace src/app.py update 1"]);
}

#[test]
fn commands_are_no_names() {
    let input = format!("```bash\nsrc/app.py --help\n```\n\n{BLOCK}");
    assert_eq!(seen(&input), ["search-replace - update 1"]);
}

#[test]
fn fences_inside_blocks_are_text() {
    let md = "<<<<<<< SEARCH\nold\n=======\nRun:\n\n```sh\nmake\n```\n\n```\nx\n>>>>>>> REPLACE\n";
    let input = format!("d.md\n```markdown\n{md}```\n\ne.md\n```markdown\n{BLOCK}```\n");
    assert_eq!(seen(&input), ["search-replace d.md update 1", "search-replace e.md update 1"]);
}

#[test]
fn wrapped_calls() {
    let input = format!("<apply_diff>\n<path>a.txt</path>\n<diff>\n{BLOCK}</diff>\n</apply_diff>\n");
    assert_eq!(seen(&input), ["search-replace a.txt update 1"]);
    let short =
        "<replace_in_file>\n<path>a.txt</path>\n<diff>\n-- SEARCH\na\n=======\nb\n+++++++ REPLACE\n</diff>\n";
    assert_eq!(seen(short), ["search-replace - malformed"]);
    let tags = "<edit>\n<path>a.py</path>\n<old>\nx\n</old>\n<new>\ny\n</new>\n</edit>\n";
    assert_eq!(seen(tags), ["search-replace a.py update 1"]);
    let write = "<write_to_file>\n<path>a.py</path>\n<content>\nx\n\ny\n</content>\n</write_to_file>\n";
    assert_eq!(seen(write), ["whole-file a.py whole 3"]);
}

#[test]
fn thoughts_hold_no_edits() {
    let draft = format!("<think>\na.py\n{BLOCK}</think>\n\nb.py\n{BLOCK}");
    assert_eq!(seen(&draft), ["search-replace b.py update 1"]);
    let headless = format!("a.py\n{BLOCK}</think>\n\nb.py\n{BLOCK}");
    assert_eq!(seen(&headless), ["search-replace b.py update 1"]);
    assert!(seen(&format!("<think>\na.py\n{BLOCK}")).is_empty());
}

#[test]
fn whole_files() {
    for (input, expected) in [
        ("a.txt\n```\nx\n```\n", "whole-file a.txt whole 1"),
        ("a.txt\n```\nx\n```", "whole-file a.txt whole 1"),
        ("a.txt\n\n```\nx\n```\n", "whole-file a.txt whole 1"),
        ("```rust src/a.rs\nx\n```\n", "whole-file src/a.rs whole 1"),
        ("```python\n# File: src/x.py\nx\n```\n", "whole-file src/x.py whole 2"),
        ("q.md\n````\n```\nx\n```\n````\n", "whole-file q.md whole 3"),
        ("g.md\n```markdown\n```sh\nmake\n```\n\nT\n```\n", "whole-file g.md whole 5"),
        ("a.py\n```python\ndef f():\n    # ... existing code ...\n```\n", "elided a.py whole 2"),
        ("A new `a.txt` for you:\n\n```\nx\n```\n", "whole-file a.txt whole 1"),
        ("deploy.sh\n```bash\nmake\n```\n", "whole-file deploy.sh whole 1"),
        ("```sh run.sh\nmake\n```\n", "whole-file run.sh whole 1"),
        ("call.json\n```json\n{\"oldText\": \"a\"}\n```\n", "whole-file call.json whole 1"),
        ("Makefile\n```\nall:\n```\n\nRun:\n\n```\nmake\n```\n", "whole-file Makefile whole 1"),
        ("1. Save it:\n\n   a.py\n   ```python\n   x:\n     y\n   ```\n", "whole-file a.py whole 2"),
    ] {
        assert_eq!(seen(input), [expected], "{input}");
    }
}

#[test]
fn unsure_files_are_refused() {
    for (input, expected) in [
        ("a.py\n```python\nx = 1\ny", "whole-file a.py unfinished"),
        ("a.md\n```markdown\nA\n```\nmake\n```\nB\n```\n", "whole-file a.md doubtful"),
        ("a.py\n```python\nA\n```\nmake\n```\n", "whole-file a.py doubtful"),
        ("a.py\n```python\n\'\'\'\n```\nx\n```\n\'\'\'\n```\n", "whole-file a.py doubtful"),
        ("a.ts\n```ts\nx\nb.ts\n```ts\ny\n```\n", "whole-file a.ts unfinished"),
    ] {
        assert_eq!(seen(input)[0], expected, "{input}");
    }
}

#[test]
fn examples_are_prose() {
    for (input, skipped) in [
        ("To print it you can use:\n\n```python\nprint(1)\n```\n", 1),
        ("Run:\n\n```bash\npython src/app.py\n```\n", 1),
        ("a.ts (no changes needed)\n```ts\n// ...\n```\n", 1),
        ("package:\n```json\n{\n  \"name\": \"x\",\n  \"main\": \"a.js\"\n}\n```\n", 1),
        ("## Node.js\n\n```js\nlet x;\n```\n", 1),
        ("Add this to `a.py`:\n```python\nx\n```\n", 1),
        ("```sh src/app.py\n./src/app.py\n```\n", 1),
        ("```12:14:src/a.ts\nx\n```\n", 1),
        ("````markdown\na.py\n```python\nx\n```\n````\n", 1),
        ("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n", 0),
        ("Just words.\n", 0),
        ("", 0),
    ] {
        let parsed = read(input.as_bytes(), None);
        assert_eq!((show(&parsed), parsed.skipped), (vec![], skipped), "{input}");
    }
}

#[test]
fn named_fence_then_shell() {
    let input = "hello.py\n```python\nnew\n```\n\nNow run:\n\n```bash\npython hello.py\n```\n";
    assert_eq!(seen(input), ["whole-file hello.py whole 1"]);
}

#[test]
fn unread_formats_are_named() {
    assert_eq!(seen("```\n3c3\n< a\n---\n> b\n```\n"), ["normal - format-not-supported"]);
}

#[test]
fn diffs_in_prose_and_fences() {
    let diff = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
    let bare = "@@ ... @@\n a\n-b\n+c\n";
    for (input, expected) in [
        (diff.to_owned(), "unified b/x.py update 1"),
        (format!("Here:\n\n```diff\n{diff}```\n\nDone.\n"), "unified b/x.py update 1"),
        (format!("Here:\n\n```\n{diff}```\n\nDone.\n"), "unified b/x.py update 1"),
        (format!("src/y.py\n```diff\n{bare}```\n"), "unified src/y.py update 1"),
        ("src/y.py\n```diff\n-b\n+c\n```\n".to_owned(), "unified src/y.py update 1"),
        (format!("fix.patch\n```diff\n{diff}```\n"), "whole-file fix.patch doubtful"),
        (format!("1. So:\n\n   ```diff\n{}   ```\n", indented(diff, "   ")), "unified b/x.py update 1"),
        (format!("So:\n\n{}\nDone.\n", indented(diff, "    ")), "unified b/x.py update 1"),
        (indented(diff, "> "), "unified b/x.py update 1"),
        (
            format!("notes.md\n```markdown\nSee:\n\n```diff\n{diff}```\n\nEnd.\n```\n"),
            "whole-file notes.md whole 12",
        ),
    ] {
        assert_eq!(seen(&input), [expected], "{input}");
    }
}

#[test]
fn a_diff_in_a_block_is_its_text() {
    let input = "d.md\n<<<<<<< SEARCH\nx\n=======\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n>>>>>>> REPLACE\n";
    assert_eq!(seen(input), ["search-replace d.md update 1"]);
}

#[test]
fn v4a_with_its_wrappers() {
    let patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** End Patch\n";
    for input in [
        patch.to_owned(),
        format!("Sure:\n\n```\n{patch}```\nBye.\n"),
        format!("```bash\napply_patch <<'EOF'\n{patch}EOF\n```\n"),
    ] {
        assert_eq!(seen(&input), ["v4a a.py update 1"], "{input}");
    }
}

fn indented(text: &str, lead: &str) -> String {
    text.lines().map(|line| format!("{lead}{line}\n")).collect()
}

#[test]
fn quoted_mail_is_read_without_its_marks() {
    let quoted: String = format!("a.py\n{BLOCK}").lines().map(|line| format!("> {line}\n")).collect();
    assert_eq!(seen(&format!("He wrote:\n{quoted}")), ["search-replace a.py update 1"]);
}

#[test]
fn a_fault_keeps_its_place_in_the_count() {
    let input = format!("a.py\n<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n\n{BLOCK}");
    let parsed = read(input.as_bytes(), None);
    assert_eq!((parsed.faults[0].id, parsed.edits[0].id), (1, 2));
    assert_eq!(parsed.edits[0].path.as_ref().map(|n| &*n.text), Some(&b"a.py"[..]));
}

#[test]
fn one_format_may_be_forced() {
    let input = format!("a.py\n{BLOCK}\nb.py\n```\nx\n```\n");
    let only = |format| show(&read(input.as_bytes(), Some(format)));
    assert_eq!(only(Format::SearchReplace), ["search-replace a.py update 1"]);
    assert_eq!(only(Format::WholeFile), ["whole-file b.py whole 1"]);
}

#[test]
fn crlf_and_bom_are_no_text() {
    let input = format!("\u{feff}a.py\n{BLOCK}").replace('\n', "\r\n");
    assert_eq!(seen(&input), ["search-replace a.py update 1"]);
}

#[test]
fn much_of_anything_is_read_within_its_bounds() {
    for piece in [
        "```a\n",
        "```\n~~~\n",
        "<think\n",
        "<old>\n",
        "<<<<<<< SEARCH\n",
        "<source>\n",
        "\n=======\n",
        "{\n",
        "2a\n",
        "a.py\n```\n",
        "`````\n````\n```\n",
        "<path>a</path>\n<content>\n",
        "> > >\n",
        "\u{0}\u{ff}\n",
        "<apply_diff>\n",
        "   <<<<<<< HEAD\n>>>>>>> REPLACE\n",
        "    --- a\n    +++ b\n",
        "<search>\n",
        "a.py\n```diff\n",
        "  <<<<<<< SEARCH\n<<<<<<<< SEARCH\n",
    ] {
        let input = piece.repeat(100_000 / piece.len());
        let count = crate::input::lines(input.as_bytes()).len();
        let parsed = read(input.as_bytes(), None);
        let spans =
            parsed.edits.iter().map(|edit| edit.span).chain(parsed.faults.iter().map(|fault| fault.span));
        assert!(spans.into_iter().all(|span| 1 <= span.first && span.last <= count), "{piece:?}");
    }
}

#[test]
fn a_reply_that_stops_where_a_fence_opens_is_cut_off() {
    let edit = "f\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
    for (tail, faults) in
        [("\n```dif", 1), ("\n```diff\n", 1), ("\n```", 1), ("\n```\n", 0), ("```", 0), ("\n```inline```", 0)]
    {
        assert_eq!(seen(&format!("{edit}{tail}")).len(), 1 + faults, "{tail}");
    }
}

#[test]
fn a_change_of_another_file_than_the_one_named_above_is_in_doubt() {
    let diff = "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n```\n";
    let v4a = "```\n*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n*** End Patch\n```\n";
    let block = format!("```\na.py\n{BLOCK}```\n");
    let marked = "```\n<<<<<<< SEARCH a.py\na\n=======\nb\n>>>>>>> REPLACE\n```\n";
    for (above, expected) in [
        ("docs.md\n", ["whole-file docs.md doubtful", "search-replace docs.md doubtful"]),
        ("`src/b.py`:\n\n", ["whole-file src/b.py doubtful", "search-replace src/b.py doubtful"]),
        ("src/a.py\n", ["a.py update 1", "a.py update 1"]),
        ("Change it:\n\n", ["a.py update 1", "a.py update 1"]),
    ] {
        for (text, expected) in
            [(diff, expected[0]), (v4a, expected[0]), (&block, expected[1]), (marked, expected[1])]
        {
            let found = seen(&format!("{above}{text}"));
            assert!(found.len() == 1 && found[0].ends_with(expected), "{above}{text}: {found:?}");
        }
    }
}

#[test]
fn a_document_that_shows_a_format_is_in_doubt() {
    for (above, expected) in [
        ("Use this format:\n\n", "search-replace - doubtful"),
        ("For example:\n", "search-replace - doubtful"),
        ("So:\n\n", "search-replace a.py update 1"),
    ] {
        assert_eq!(seen(&format!("{above}````md\na.py\n{BLOCK}````\n")), [expected], "{above}");
    }
    assert_eq!(seen(&format!("For example:\n```\na.py\n{BLOCK}```\n")), ["search-replace a.py update 1"]);
}

#[test]
fn what_a_file_holds_now_is_no_edit_and_what_a_terminal_showed_no_file() {
    for above in [
        "Current content of `n.txt`:",
        "`n.txt` (old)",
        "`n.txt` (current):",
        "Here is `n.txt` as I understand it:",
        "Bad version of `n.txt`:",
        "n.txt:12",
        "n.txt#L2-L4",
    ] {
        assert_eq!(seen(&format!("{above}\n```\nx\n```\n")), [""; 0], "{above}");
    }
    for (input, expected) in [
        ("a.sh\n```console\nx\n```\n", "whole-file a.sh doubtful"),
        ("a.sh\n```\n$ x\n```\n", "whole-file a.sh doubtful"),
        ("a.txt\n```output\nx\n```\n", "whole-file a.txt whole 1"),
        ("Updated `a.txt`, replacing the current one:\n```\nx\n```\n", "whole-file a.txt whole 1"),
    ] {
        assert_eq!(seen(input), [expected], "{input}");
    }
}

#[test]
fn names_with_blanks_are_whole() {
    for above in [
        "my file.txt\n```\n",
        "`my file.txt`\n```\n",
        "**my file.txt**\n```\n",
        "## my file.txt\n```\n",
        "File: my file.txt\n```\n",
        "\"my file.txt\"\n```\n",
        "my file.txt:\n```\n",
        "1. `my file.txt`\n```\n",
        "Update `my file.txt`:\n```\n",
        "```\nmy file.txt\n",
    ] {
        let found = seen(&format!("{above}{BLOCK}```\n"));
        assert_eq!(found, ["search-replace my file.txt update 1"], "{above}");
    }
    for above in ["my file.txt", "`my file.txt`:", "Updated `my file.txt`:"] {
        assert_eq!(seen(&format!("{above}\n```\nx\n```\n")), ["whole-file my file.txt whole 1"], "{above}");
    }
}

#[test]
fn a_word_above_a_fence_names_a_file_that_exists() {
    for (above, expected) in [
        ("run", vec!["whole-file run whole 1"]),
        ("gradlew", vec!["whole-file gradlew whole 1"]),
        ("Tiltfile", vec!["whole-file Tiltfile whole 1"]),
        ("Example", vec![]),
        ("python", vec![]),
        ("output", vec![]),
        ("then", vec![]),
    ] {
        let input = format!("{above}\n```\nx\n```\n");
        assert_eq!(seen(&input), expected, "{above}");
        let parsed = read(input.as_bytes(), None);
        let sure = |name: &crate::edit::Name<'_>| !name.also.contains(&crate::edit::Reading::Existing);
        assert!(!parsed.edits.iter().any(|edit| edit.path.as_ref().is_some_and(sure)), "{above}");
    }
}
