use super::*;
use crate::input::lines;

/// The readings of the block at the input's first line, as (old, new).
fn readings_of(input: &str) -> Vec<(String, String)> {
    let lines = lines(input.as_bytes());
    let block = read(&lines, 0, false).expect("a block");
    match block.op.expect("a block without a fault") {
        Op::Update { hunks } => hunks[0].readings.iter().map(sides).collect(),
        Op::Append { lines } => vec![(String::new(), join(lines.cut().iter().map(|l| &l.text)))],
        op => panic!("{op:?}"),
    }
}

fn sides(body: &Body<'_>) -> (String, String) {
    (join(body.old().map(|l| &l.text)), join(body.new_side().map(|l| &l.text)))
}

fn join<'a, 'i: 'a>(lines: impl Iterator<Item = &'a Cow<'i, [u8]>>) -> String {
    lines.map(|line| String::from_utf8_lossy(line).into_owned()).collect::<Vec<_>>().join("|")
}

fn fault_of(input: &str) -> Refusal {
    let lines = lines(input.as_bytes());
    read(&lines, 0, false).expect("a block").op.expect_err("a fault")
}

#[test]
fn one_reading() {
    for (input, old, new) in [
        ("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "a", "b"),
        ("<<<<< SEARCH\na\n=====\nb\n>>>>> REPLACE", "a", "b"),
        ("<<<<<<<<< SEARCH>\na\n=========\n>>>>>>>>> REPLACE\n", "a", ""),
        ("<<<<<<< ORIGINAL\na\n=======\nb\n>>>>>>> UPDATED\n", "a", "b"),
        ("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> updated\n", "a", "b"),
        ("------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n", "a", "b"),
        ("--- SEARCH\na\n===\nb\n+++ REPLACE\n", "a", "b"),
        ("------- SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "a", "b"),
        ("<<<<<<< SEARCH\na\n======\nb\n>>>>>> REPLACE\n", "a", "b"),
        ("<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE\n", "", "b"),
        ("<<<<<<< SEARCH\n\n=======\nb\n>>>>>>> REPLACE\n", "", "b"),
        ("<<<<<<< SEARCH\nA\n=====\n=======\nB\n=====\n>>>>>>> REPLACE\n", "A|=====", "B|====="),
        (
            "<<<<<<< SEARCH\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> t\n=======\nz\n>>>>>>> REPLACE\n",
            "<<<<<<< HEAD|x|=======|y|>>>>>>> t",
            "z",
        ),
        (
            "<<<<<<< SEARCH\n  <<<<<<< SEARCH\n  =======\n  >>>>>>> REPLACE\n=======\nz\n>>>>>>> REPLACE\n",
            "  <<<<<<< SEARCH|  =======|  >>>>>>> REPLACE",
            "z",
        ),
        ("<<<<<<< SEARCH\na = 1\n=======\nb = len(2)\n=======\n```\n\nDone.\n", "a = 1", "b = len(2)"),
        ("<diff><![CDATA[<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE]]></diff>\n", "a", "b"),
        ("<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE```\n", "a", "b"),
        ("<<<<<<< SEARCH\r\na\r\n=======\r\nb\r\n>>>>>>> REPLACE\r\n", "a", "b"),
    ] {
        assert_eq!(readings_of(input), [(old.to_owned(), new.to_owned())], "{input}");
    }
}

#[test]
fn two_dividers_are_two_readings() {
    let found =
        readings_of("<<<<<<< SEARCH\nText.\n=======\nText.\n\nSetup\n=======\n\nMore.\n>>>>>>> REPLACE\n");
    let expected = [("Text.", "Text.||Setup|=======||More."), ("Text.|=======|Text.||Setup", "|More.")];
    assert_eq!(found, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
}

#[test]
fn an_indented_block_may_mean_its_blanks_or_not() {
    let found = readings_of("   <<<<<<< SEARCH\n   a\n   =======\n\n     b\n   >>>>>>> REPLACE\n");
    assert_eq!(found, [("a", "|  b"), ("   a", "|     b")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    let flush = readings_of("   <<<<<<< SEARCH\na\n   =======\nb\n   >>>>>>> REPLACE\n");
    assert_eq!(flush, [("a".to_owned(), "b".to_owned())]);
}

#[test]
fn a_lost_marker_is_named() {
    for (input, refusal) in [
        ("<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n", Refusal::MissingMarker { expected: "=======", line: 3 }),
        ("<<<<<<< SEARCH\na\n", Refusal::Unfinished { expected: "=======" }),
        ("<<<<<<< SEARCH\n", Refusal::Unfinished { expected: "=======" }),
        ("<<<<<<< SEARCH\na\n=======\nb", Refusal::Unfinished { expected: ">>>>>>> REPLACE" }),
        (
            "<<<<<<< SEARCH\na\n=======\nb\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n",
            Refusal::MissingMarker { expected: ">>>>>>> REPLACE", line: 5 },
        ),
        (
            "<<<<<<< SEARCH\na\n=======\nb\n\nSetup\n=======\n",
            Refusal::Unfinished { expected: ">>>>>>> REPLACE" },
        ),
        (
            "<<<<<<< SEARCH\na\n=======\nb = len(2)\n=======\nc\n",
            Refusal::Unfinished { expected: ">>>>>>> REPLACE" },
        ),
        ("------- SEARCH\na\n+++++++ REPLACE\nb\n", Refusal::MissingMarker { expected: "=======", line: 3 }),
    ] {
        assert_eq!(fault_of(input), refusal, "{input}");
    }
}

#[test]
fn a_conflict_that_is_shown_is_no_block() {
    let lines = lines(b"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n");
    assert!(read(&lines, 0, false).is_none());
}

#[test]
fn roo_states_a_line_and_escapes_markers() {
    let input =
        b"<<<<<<< SEARCH\n:start_line:7\n:end_line:8\n-------\n\\=======\n=======\nb\n>>>>>>> REPLACE\n";
    let lines = lines(input);
    let Ok(Op::Update { hunks }) = read(&lines, 0, false).expect("a block").op else { panic!("no update") };
    assert_eq!(hunks[0].hints.stated.map(|s| (s.old_start, s.old_count)), Some((7, 1)));
    assert_eq!(sides(hunks[0].body()), ("=======".to_owned(), "b".to_owned()));
    let twice = "<<<<<<< SEARCH\n:start_line:2\n-------\nb\n=======\n:start_line:2\nB\n>>>>>>> REPLACE\n";
    assert!(matches!(fault_of(twice), Refusal::Malformed { .. }));
}

#[test]
fn a_path_may_stand_on_the_marker_line() {
    let lines = lines(b"<<<<<<< SEARCH src/app.py\na\n=======\nb\n>>>>>>> REPLACE\n");
    let block = read(&lines, 0, false).expect("a block");
    assert_eq!(block.path.as_ref().map(|name| &*name.text), Some(&b"src/app.py"[..]));
}

#[test]
fn many_dividers_are_refused() {
    let input = format!("<<<<<<< SEARCH\na\n{}>>>>>>> REPLACE\n", "=======\n".repeat(5000));
    assert!(matches!(fault_of(&input), Refusal::Doubtful { .. }));
}
