use super::*;
use crate::input;

const FIVE: &str = "one\ntwo\nthree\nfour\nfive\n";

/// The file after the operations, or the code of the refusal.
fn result(path: &str, file: &str, tag: Option<u16>, ops: &str, olds: &[&str]) -> String {
    let tag = tag.unwrap_or_else(|| tag::tag(file.as_bytes()));
    let reply = format!("[{path}#{tag:04X}]\n{ops}");
    let parsed = input::read(reply.as_bytes(), None);
    if let Some(fault) = parsed.faults.first() {
        return fault.refusal.code().to_owned();
    }
    let edits: Vec<&Edit> = parsed.edits.iter().collect();
    let olds = || olds.iter().map(|old| old.as_bytes().to_vec()).collect();
    match apply(file.as_bytes(), &edits, path.as_bytes(), olds) {
        Ok(outcome) => String::from_utf8(outcome.bytes).expect("text"),
        Err(refusal) => refusal.code().to_owned(),
    }
}

fn five(ops: &str) -> String {
    result("a.txt", FIVE, None, ops, &[])
}

#[test]
fn operations() {
    for (ops, want) in [
        ("PUT 2.=3:\n+X\n", "one\nX\nfour\nfive\n"),
        ("PUT 4.=4:\n+Y\nPUT 2.=2:\n+X\n+X2\n", "one\nX\nX2\nthree\nY\nfive\n"),
        ("PUT 2:\n", "one\nthree\nfour\nfive\n"),
        ("PUT <1:\n+X\n", "X\none\ntwo\nthree\nfour\nfive\n"),
        ("PUT >$:\n+X\n", "one\ntwo\nthree\nfour\nfive\nX\n"),
        ("PUT >5:\n+X\n", "one\ntwo\nthree\nfour\nfive\nX\n"),
        ("PUT 6:\n+X\n", "one\ntwo\nthree\nfour\nfive\nX\n"),
        ("PUT 5.=6:\n+X\n", "one\ntwo\nthree\nfour\nX\n"),
        ("CUT 1.=5\n", ""),
        ("PUT >2:\n+after\nPUT 2:\n+TWO\nPUT <2:\n+before\n", "one\nbefore\nTWO\nafter\nthree\nfour\nfive\n"),
        ("PUT <3:\n+below\nPUT >2:\n+above\n", "one\ntwo\nabove\nbelow\nthree\nfour\nfive\n"),
        ("PUT >2:\n+a\nPUT >2:\n+b\n", "one\ntwo\na\nb\nthree\nfour\nfive\n"),
        ("CUT 2.=3 @r\nPUT >5 @r\n", "one\nfour\nfive\ntwo\nthree\n"),
        ("CUT 2 @r\nPUT >4 @r\nPUT >5 @r\n", "one\nthree\nfour\ntwo\nfive\ntwo\n"),
        ("CUT 2\nPUT >4\n", "one\nthree\nfour\ntwo\nfive\n"),
        ("CUT 2 @r\nPUT 4 @r\n", "one\nthree\ntwo\nfive\n"),
        ("CUT 2 @r\nPUT 2:\n+X\nPUT >4 @r\n", "one\nX\nthree\nfour\ntwo\nfive\n"),
        ("PUT 2:\n+X\nPUT 2:\n+Y\n", "one\nY\nthree\nfour\nfive\n"),
        ("PUT 2:\n-two\n+X\n", "one\nX\nthree\nfour\nfive\n"),
        ("2:TWO\n4:FOUR\n", "one\nTWO\nthree\nFOUR\nfive\n"),
        ("PUT 2:\n+\n", "one\n\nthree\nfour\nfive\n"),
    ] {
        assert_eq!(five(ops), want, "{ops}");
    }
}

#[test]
fn what_is_refused() {
    for (ops, code) in [
        ("PUT 7:\n+X\n", "no-such-line"),
        ("PUT 4.=7:\n+X\n", "no-such-line"),
        ("CUT 6\n", "no-such-line"),
        ("PUT >7:\n+X\n", "no-such-line"),
        ("PUT 2.=4:\n+X\nPUT 3.=5:\n+Y\n", "overlap"),
        ("PUT 2.=4:\n+X\nPUT >3:\n+Y\n", "overlap"),
        ("PUT 2.=4:\n+X\nCUT 3\n", "overlap"),
        ("PUT 2:\n+X\nCUT 2\n", "overlap"),
        ("CUT 2\nCUT 2\n", "overlap"),
        ("PUT >4\n", "doubtful"),
        ("PUT >4 @r\n", "doubtful"),
        ("CUT 1\nCUT 2\nPUT >4\n", "doubtful"),
        ("CUT 2\nPUT >4\nPUT >5\n", "doubtful"),
        ("PUT 2:\n-three\n+X\n", "doubtful"),
        ("PUT 2.=3:\n+2:TWO\n+3:THREE\n", "doubtful"),
        ("PUT 2:\n+two\n", "nothing-to-do"),
        ("PUT 2:\n+# ... rest of the lines ...\n", "elision-literal"),
        ("PUT 2:\n+<<<<<<< HEAD\n", "conflict-marker"),
        ("PUT 2*:\n+X\n", "doubtful"),
    ] {
        assert_eq!(five(ops), code, "{ops}");
    }
}

#[test]
fn repeated_neighbours() {
    for (file, ops, want) in [
        (FIVE, "PUT 3:\n+two\n+THREE\n+four\n", "one\ntwo\nTHREE\nfour\nfive\n"),
        (FIVE, "PUT 2.=3:\n+TWO\n+four\n", "doubtful"),
        (FIVE, "PUT 2.=3:\n+one\n+TWO\n+THREE\n", "one\nTWO\nTHREE\nfour\nfive\n"),
        (FIVE, "PUT 2:\n+TWO\n+three\n", "one\nTWO\nthree\nthree\nfour\nfive\n"),
        ("@a\nf\ng\n", "PUT 2:\n+@a\n+F\n", "@a\nF\ng\n"),
        // A closing bracket that the new text needs, and one that it repeats.
        ("{\n  a\n  b\n}\n", "PUT 2.=3:\n+  x {\n+    y\n+}\n", "{\n  x {\n    y\n}\n}\n"),
        ("{\n  a\n  b\n}\n", "PUT 2.=3:\n+  x\n+  y\n+}\n", "{\n  x\n  y\n}\n"),
        ("a\nb\n\nc\n", "PUT 1.=2:\n+A\n+B\n+\n", "A\nB\n\n\nc\n"),
    ] {
        assert_eq!(result("a.txt", file, None, ops, &[]), want, "{ops}");
    }
}

#[test]
fn line_ends_are_those_of_the_place() {
    for (file, ops, want) in [
        ("a\r\nb\nc\r\n", "PUT 1:\n+X\n", "X\r\nb\nc\r\n"),
        ("a\r\nb\nc\r\n", "PUT 2:\n+X\n+Y\n", "a\r\nX\nY\nc\r\n"),
        ("a\r\nb\nc\r\n", "PUT >1:\n+X\n", "a\r\nX\r\nb\nc\r\n"),
        ("a\nb", "PUT 2:\n+X\n", "a\nX"),
        ("a\nb", "PUT >$:\n+X\n", "a\nb\nX"),
        ("a\nb", "PUT >1:\n+X\n", "a\nX\nb"),
        ("a\nb", "CUT 2\n", "a"),
        ("a\r\nb", "PUT >$:\n+X\n", "a\r\nb\r\nX"),
        ("a\nb", "CUT 2\nPUT <1\n", "b\na"),
        ("\u{feff}a\nb\n", "PUT 1:\n+X\n", "\u{feff}X\nb\n"),
        ("\u{feff}a\nb\n", "PUT <1:\n+X\n", "\u{feff}X\na\nb\n"),
        ("a  \nb\t\n", "PUT 2:\n+X\n", "a  \nX\n"),
        ("", "PUT <1:\n+X\n", "X\n"),
        ("a\rb\nc\n", "PUT 2:\n+X\n", "doubtful"),
    ] {
        assert_eq!(result("a.txt", file, None, ops, &[]), want, "{file:?} {ops}");
    }
}

#[test]
fn a_stale_tag() {
    let was = tag::tag(FIVE.as_bytes());
    let on_top = "zero\none\ntwo\nthree\nfour\nfive\n";
    for (live, ops, olds, want) in [
        (on_top, "PUT 3:\n+THREE\n", &[FIVE][..], "zero\none\ntwo\nTHREE\nfour\nfive\n"),
        (on_top, "PUT 3:\n+THREE\n", &[], "changed-since-read"),
        (on_top, "PUT 3:\n+THREE\n", &["another\n"], "changed-since-read"),
        (on_top, "PUT <1:\n+X\nPUT >$:\n+Y\n", &[], "X\nzero\none\ntwo\nthree\nfour\nfive\nY\n"),
        (on_top, "PUT <1:\n+X\nPUT 3:\n+T\n", &[FIVE], "X\nzero\none\ntwo\nT\nfour\nfive\n"),
        ("one\ntwo\nTHREE\nfour\nfive\n", "PUT 3:\n+T\n", &[FIVE], "changed-since-read"),
        ("one\ntwo\nTHREE\nfour\nfive\n", "PUT 5:\n+F\n", &[FIVE], "one\ntwo\nTHREE\nfour\nF\n"),
        ("0\none\ntwo\nx\nthree\nfour\nfive\n", "PUT 1:\n+O\nPUT 5:\n+F\n", &[FIVE], "changed-since-read"),
        ("one\nx\ntwo\ny\nthree\nfour\nfive\n", "PUT 2:\n+T\n", &[FIVE], "changed-since-read"),
    ] {
        assert_eq!(result("a.txt", live, Some(was), ops, olds), want, "{live} {ops}");
    }
    // A line that stands twice needs both neighbours.
    let old = "a\nx\nb\nc\nx\nd\n";
    let was = tag::tag(old.as_bytes());
    assert_eq!(
        result("a.txt", "0\na\nx\nb\nc\nx\nd\n", Some(was), "PUT 2:\n+Y\n", &[old]),
        "0\na\nY\nb\nc\nx\nd\n"
    );
    let one_neighbour = "0\na\nx\nB\nc\nx\nd\n";
    assert_eq!(result("a.txt", one_neighbour, Some(was), "PUT 2:\n+Y\n", &[old]), "changed-since-read");
}

#[test]
fn blocks_are_cut_and_followed() {
    let file = "function f() {\n  g();\n}\nfoo();\n";
    for (ops, want) in [
        ("PUT >1*:\n+function h() {}\n", "function f() {\n  g();\n}\nfunction h() {}\nfoo();\n"),
        ("CUT 1* @f\nPUT >$ @f\n", "foo();\nfunction f() {\n  g();\n}\n"),
        ("PUT 1*:\n+x();\n", "x();\nfoo();\n"),
        ("CUT 4*\n", "doubtful"),
    ] {
        assert_eq!(result("m.js", file, None, ops, &[]), want, "{ops}");
    }
}
