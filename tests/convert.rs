//! Conversion: there and back gives the same edits, and what is written from a tree gives the same files.

use edapply::{
    convert::{self, Cannot, meaning},
    edit::{Format, Op},
    input,
    plan::Change,
    tree::{Image, Memory, RelPath},
};
use proptest::{collection::vec, prelude::*, sample::Index};

const TEXTS: [Format; 4] = [Format::SearchReplace, Format::Unified, Format::V4a, Format::EditCall];

/// Lines as files hold them, a format's own markers among them.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (0u32..400).prop_map(|n| format!("    let value{n} = {n};")),
        3 => (0u32..5).prop_map(|n| format!("        call({n});")),
        2 => Just("    }".to_owned()),
        1 => Just(String::new()),
        1 => Just("```".to_owned()),
        1 => Just("Title".to_owned()),
        1 => Just("=======".to_owned()),
        1 => Just("+plus".to_owned()),
        1 => Just("--- a/x".to_owned()),
        1 => Just("tail  ".to_owned()),
    ]
}

fn is_marker(text: &str) -> bool {
    text.contains("=====") || text.contains("--- a/x") || text.contains("```")
}

fn path(name: &str) -> RelPath {
    RelPath::parse(name.as_bytes()).expect("a plain path")
}

/// A block for each changed line, with two quoted lines above and below.
fn reply(lines: &[String], picks: &[Index], news: &[String]) -> String {
    let mut out = String::new();
    for (n, pick) in picks.iter().enumerate() {
        let at = pick.index(lines.len());
        let (from, to) = (at.saturating_sub(2), (at + 3).min(lines.len()));
        let old = &lines[from..to];
        let mut new = old.to_vec();
        new[at - from].clone_from(&news[n]);
        let join = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        out += &format!(
            "src/f{n}.rs\n`````\n<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n`````\n\n",
            join(old),
            join(&new)
        );
    }
    out
}

proptest! {
    /// Blocks to another format and back: the same edits, or an error where a text looks like a marker.
    #[test]
    fn there_and_back(
        lines in vec(line(), 3..30),
        picks in vec(any::<Index>(), 1..4),
        news in vec(line(), 4),
    ) {
        let reply = reply(&lines, &picks, &news);
        let parsed = input::read(reply.as_bytes(), None);
        let blocks = parsed.edits.iter().all(|edit| matches!(edit.op, Op::Update { .. }));
        prop_assume!(blocks && parsed.faults.is_empty() && !parsed.edits.is_empty());
        for to in TEXTS {
            match convert::text(&parsed.edits, to) {
                Ok(there) => {
                    let read = input::read(&there.text, None);
                    let back = convert::text(&read.edits, Format::SearchReplace);
                    let back = back.map_err(|e| TestCaseError::fail(format!("{e}: {}", String::from_utf8_lossy(&there.text))))?;
                    let again = input::read(&back.text, None);
                    prop_assert_eq!(meaning(&again.edits), meaning(&parsed.edits));
                }
                Err(Cannot::NotTheSame { .. }) => prop_assert!(is_marker(&reply.replace("\n=======\n", "\n").replace("`````\n", "")), "{to:?}: {reply}"),
                Err(other) => prop_assert!(false, "{other}"),
            }
        }
    }

    /// A change of a file written in any format is that change, also where lines repeat.
    #[test]
    fn planned_changes_carry_over(
        lines in vec(line(), 1..50),
        edits in vec((any::<Index>(), 0u8..3, line()), 1..6),
        last in any::<bool>(),
    ) {
        let mut new = lines.clone();
        for (at, kind, text) in &edits {
            let at = if new.is_empty() { 0 } else { at.index(new.len()) };
            match kind {
                0 if !new.is_empty() => new[at].clone_from(text),
                1 if new.len() > 1 => drop(new.remove(at)),
                _ => new.insert(at, text.clone()),
            }
        }
        let bytes = |lines: &[String]| {
            let mut text = lines.join("\n");
            if last { text.push('\n') }
            Image { bytes: text.into_bytes().into(), mode: 0o644 }
        };
        let (before, after) = (bytes(&lines), bytes(&new));
        prop_assume!(before != after && !before.bytes.is_empty() && !after.bytes.is_empty());
        let blank = new.iter().all(String::is_empty);
        let mut files = Memory::default();
        files.files.insert(path("src/f.rs"), before.clone());
        let marked = is_marker(&String::from_utf8_lossy(&[&before.bytes[..], &after.bytes].concat()));
        let change = Change { path: path("src/f.rs"), before: Some(before), after: Some(after), moved_from: None };
        for to in TEXTS.into_iter().chain([Format::WholeFile, Format::Hashline, Format::Elided]) {
            match convert::planned(std::slice::from_ref(&change), &files, to) {
                Ok(_) => {}
                Err(Cannot::NotTheSame { .. }) if marked => {}
                // An answer that shows a whole file as nothing shows no file.
                Err(Cannot::NotTheSame { .. }) if to == Format::WholeFile && blank => {}
                // A last newline that comes or goes.
                Err(_) if !last => {}
                // Where lines repeat, what stays may not tell its place.
                Err(Cannot::NotTheSame { .. }) if to == Format::Elided => {}
                Err(other) => prop_assert!(false, "{to:?}: {other}\n{change:?}"),
            }
        }
    }
}

#[test]
fn calls_are_json_that_says_the_same() {
    let reply = b"a.c\n<<<<<<< SEARCH\nold \"x\"\n=======\nnew\n>>>>>>> REPLACE\n";
    let parsed = input::read(reply, None);
    let calls = convert::text(&parsed.edits, Format::EditCall).expect("calls");
    let call: serde_json::Value = serde_json::from_slice(&calls.text).expect("JSON");
    let input = &call["input"];
    assert_eq!([&call["type"], &call["name"], &input["file_path"]], ["tool_use", "Edit", "a.c"]);
    assert_eq!([&input["old_string"], &input["new_string"]], ["old \"x\"\n", "new\n"]);
}

/// Numbered lines whose last one repeats the line behind them would be doubted: then that line is written too.
#[test]
fn a_new_text_that_ends_like_the_next_line_carries_over_to_hashline() {
    let image = |text: &str| Some(Image { bytes: text.into(), mode: 0o644 });
    let (before, after) = (image("a\nb\nc\n}\nd\n"), image("a\n\n}\n}\nd\n"));
    let mut files = Memory::default();
    files.files.insert(path("f"), before.clone().expect("it was just made"));
    let change = Change { path: path("f"), before, after, moved_from: None };
    let written =
        convert::planned(std::slice::from_ref(&change), &files, Format::Hashline).expect("it has words");
    let text = String::from_utf8(written.text).expect("text");
    assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), ["PUT 1.=5:", "+a", "+", "+}", "+}", "+d", ""]);
}
