//! Laws of the engine, over random files and edits: what was applied can be taken back, distance and
//! order change nothing, and no input makes it panic or write half.

use std::borrow::Cow;

use edapply::{
    edit::{
        Body, Edit, Format, Hints, Hunk, HunkLine, Line, ModeChange, Name, Op, Parsed, Span, Stated, Tag,
    },
    input,
    plan::{self, Outcome, Policy},
    text::{Eol, Text},
    tree::{Image, Memory, RelPath},
};
use proptest::{collection::vec, prelude::*, sample::Index};
use similar::{ChangeTag, TextDiff};

fn path() -> RelPath {
    RelPath::parse(b"src/file.txt").expect("a plain path")
}

fn memory(bytes: &[u8]) -> Memory {
    let mut memory = Memory::default();
    memory.files.insert(path(), Image { bytes: bytes.into(), mode: 0o644 });
    memory
}

fn update(id: usize, format: Format, hunks: Vec<Hunk<'static>>) -> Edit<'static> {
    Edit {
        id,
        format,
        span: Span::new(id, id),
        path: Some(Name::plain(&b"src/file.txt"[..])),
        move_to: None,
        copy: false,
        mode: ModeChange::default(),
        op: Op::Update { hunks },
        notes: Vec::new(),
        call: edapply::edit::Call::default(),
    }
}

fn parsed(edits: Vec<Edit<'static>>) -> Parsed<'static> {
    Parsed { edits, ..Parsed::default() }
}

/// The file's content after the plan; `None` if anything is refused.
fn apply(parsed: &Parsed, bytes: &[u8], policy: &Policy) -> Option<Vec<u8>> {
    let plan = plan::make(parsed, &memory(bytes), policy);
    if !plan.is_ok() {
        assert!(plan.changes.is_empty(), "a refused plan changes files");
        return None;
    }
    let change = plan.changes.into_iter().find(|change| change.path == path());
    Some(change.map_or(bytes.to_vec(), |change| change.after.map_or(Vec::new(), |image| image.bytes.into())))
}

/// A unified diff of two files as hunks, as `diff -u` would write it.
fn diff(old: &[u8], new: &[u8]) -> Vec<Hunk<'static>> {
    let diff = TextDiff::from_lines(old, new);
    let hunk = |ops: &Vec<similar::DiffOp>| {
        let lines: Vec<HunkLine<'static>> = ops
            .iter()
            .flat_map(|op| diff.iter_changes(op))
            .map(|change| {
                let (text, eol) = edapply::text::cut_eol(change.value());
                let tag = match change.tag() {
                    ChangeTag::Equal => Tag::Keep,
                    ChangeTag::Delete => Tag::Remove,
                    ChangeTag::Insert => Tag::Add,
                };
                HunkLine { tag, text: Cow::Owned(text.to_vec()), eol }
            })
            .collect();
        let count = |other: Tag| lines.iter().filter(|line| line.tag != other).count() as u64;
        let (old_start, new_start) = (ops[0].old_range().start as u64, ops[0].new_range().start as u64);
        let (old_count, new_count) = (count(Tag::Add), count(Tag::Remove));
        let stated = Stated {
            old_start: old_start + u64::from(old_count > 0),
            old_count,
            new_start: new_start + u64::from(new_count > 0),
            new_count,
        };
        let hints = Hints { stated: Some(stated), ordered: true, ..Hints::default() };
        Hunk::new(Span::new(1, 1), Body::diff(lines), hints)
    };
    diff.grouped_ops(3).iter().map(hunk).collect()
}

/// Lines from a small vocabulary, so that repeated lines and blocks are common.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0u32..400).prop_map(|n| format!("    let value{n} = {n};")),
        2 => (0u32..6).prop_map(|n| format!("        call({n});")),
        1 => Just("    }".to_owned()),
        1 => Just(String::new()),
        1 => (0u32..40).prop_map(|n| format!("fn name{n}() {{")),
        1 => Just("\tdone  ".to_owned()),
    ]
}

fn file(lines: &[String], eol: &str, last: bool) -> Vec<u8> {
    let mut text = lines.iter().map(|line| format!("{line}{eol}")).collect::<String>();
    if !last && !lines.is_empty() {
        text.truncate(text.len() - eol.len());
    }
    text.into_bytes()
}

/// A few lines replaced, inserted or deleted.
fn edited(mut lines: Vec<String>, edits: &[(Index, u8, String)]) -> Vec<String> {
    for (at, kind, text) in edits {
        let at = if lines.is_empty() { 0 } else { at.index(lines.len()) };
        match kind {
            0 if !lines.is_empty() => lines[at].clone_from(text),
            1 if !lines.is_empty() => drop(lines.remove(at)),
            _ => lines.insert(at, text.clone()),
        }
    }
    lines
}

proptest! {
    /// A true diff gives the new file, and `-R` gives the old one back, byte for byte.
    #[test]
    fn apply_then_reverse(
        lines in vec(line(), 1..60),
        edits in vec((any::<Index>(), 0u8..3, line()), 1..5),
        crlf in any::<bool>(),
        last in any::<bool>(),
    ) {
        let eol = if crlf { "\r\n" } else { "\n" };
        let old = file(&lines, eol, last);
        let new = file(&edited(lines, &edits), eol, last);
        let hunks = diff(&old, &new);
        prop_assume!(!hunks.is_empty() && hunks.iter().all(|hunk| hunk.body().old().next().is_some()));
        prop_assume!(hunks.iter().all(|hunk| hunk.body().new_side().next().is_some()));
        let edits = parsed(vec![update(1, Format::Unified, hunks)]);
        if let Some(got) = apply(&edits, &old, &Policy::default()) {
            // An unchanged file is right only where the new text stood already.
            prop_assert!(got == new || got == old, "{}", String::from_utf8_lossy(&got));
            if got == new {
                let back = apply(&edits, &new, &Policy { reverse: true, ..Policy::default() });
                prop_assert!(back.as_ref().is_none_or(|back| *back == old));
            }
        }
    }

    /// Lines far above change no verdict: the result is the same below them.
    #[test]
    fn distance_changes_nothing(
        lines in vec(line(), 4..50),
        edits in vec((any::<Index>(), 0u8..3, line()), 1..4),
        above in 1usize..80,
    ) {
        let old = file(&lines, "\n", true);
        let new = file(&edited(lines, &edits), "\n", true);
        let mut hunks = diff(&old, &new);
        hunks.iter_mut().for_each(|hunk| hunk.hints.stated = None);
        prop_assume!(hunks.iter().all(|hunk| hunk.body().old().next().is_some()));
        let edits = parsed(vec![update(1, Format::Unified, hunks)]);
        let head: String = (0..above).map(|n| format!("unrelated remark number {n}\n")).collect();
        let near = apply(&edits, &old, &Policy::default());
        let far = apply(&edits, &[head.as_bytes(), &old].concat(), &Policy::default());
        let want = near.map(|near| [head.as_bytes(), &near].concat());
        prop_assert_eq!(far, want);
    }

    /// Independent blocks in any order give the same file.
    #[test]
    fn order_of_independent_blocks_changes_nothing(
        mut lines in vec(line(), 8..40),
        picks in vec(any::<Index>(), 2..5),
        turn in any::<Index>(),
    ) {
        for (n, line) in lines.iter_mut().enumerate() {
            *line = format!("{line} // {n}");
        }
        let mut at: Vec<usize> = picks.iter().map(|pick| pick.index(lines.len())).collect();
        at.sort_unstable();
        at.dedup();
        let text = |text: String| vec![Line { text: Cow::Owned(text.into_bytes()), eol: Eol::Lf }];
        let block = |id: usize, at: usize| {
            let body = Body::block(text(lines[at].clone()), text(format!("changed({at}, {id})")));
            update(at + 1, Format::SearchReplace, vec![Hunk::new(Span::new(1, 1), body, Hints::default())])
        };
        let blocks: Vec<Edit> = at.iter().map(|&at| block(0, at)).collect();
        let mut turned = blocks.clone();
        turned.rotate_left(turn.index(blocks.len()));
        let bytes = file(&lines, "\n", true);
        let straight = apply(&parsed(blocks), &bytes, &Policy::default());
        prop_assert!(straight.is_some());
        prop_assert_eq!(straight, apply(&parsed(turned), &bytes, &Policy::default()));
    }

    /// Whatever bytes come in as input or target: no panic, and a refusal changes nothing.
    #[test]
    fn any_bytes(input in vec(any::<u8>(), 0..400), target in vec(any::<u8>(), 0..200)) {
        let parsed = input::read(&input, None);
        apply(&parsed, &target, &Policy::default());
    }

    /// The same with pieces of real replies, cut and shuffled.
    #[test]
    fn pieces_of_replies(pieces in vec((0usize..PIECES.len(), any::<Index>()), 1..30), target in vec(line(), 0..12)) {
        let mut input = Vec::new();
        for (piece, cut) in pieces {
            let piece = PIECES[piece].as_bytes();
            let end = if cut.index(4) == 0 { cut.index(piece.len()) } else { piece.len() };
            input.extend_from_slice(&piece[..end]);
        }
        let target = file(&target, "\n", true);
        let parsed = input::read(&input, None);
        for edit in &parsed.edits {
            prop_assert!(edit.span.first >= 1 && edit.span.last <= Text::new(&input).len().max(1));
        }
        let plan = plan::make(&parsed, &memory(&target), &Policy::default());
        let refused = plan.verdicts.iter().any(|verdict| matches!(verdict.outcome, Outcome::Refused(_)));
        prop_assert!(!refused || plan.changes.is_empty());
    }
}

/// What replies are made of.
const PIECES: &[&str] = &[
    "src/file.txt\n",
    "```\n",
    "```diff\n",
    "```rust src/file.txt\n",
    "````markdown\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    "------- SEARCH\n",
    "+++++++ REPLACE\n",
    "    let value1 = 1;\n",
    "        call(3);\n",
    "    }\n",
    "\n",
    "--- a/src/file.txt\n+++ b/src/file.txt\n",
    "@@ -1,3 +1,4 @@ fn name()\n",
    "@@ ... @@\n",
    "@@\n",
    "-    let value1 = 1;\n",
    "+    let value2 = 2;\n",
    "     call(3);\n",
    "*** Begin Patch\n",
    "*** Update File: src/file.txt\n",
    "*** Add File: src/new.txt\n",
    "*** Delete File: src/file.txt\n",
    "*** Move to: src/other.txt\n",
    "*** End of File\n",
    "*** End Patch\n",
    "diff --git a/src/file.txt b/src/file.txt\n",
    "rename from src/file.txt\nrename to src/b.txt\n",
    "new file mode 100644\n",
    "index 123..456 100644\n",
    "\\ No newline at end of file\n",
    "// ... existing code ...\n",
    "...\n",
    "Here is the change to `src/file.txt`:\n",
    "> quoted\n",
    "<think>\n",
    "</think>\n",
    "{\"path\": \"src/file.txt\", \"oldText\": \"a\", \"newText\": \"b\"}\n",
    "[src/file.txt#AB12]\nPUT 1:\n+x\n",
    "\u{feff}",
    "\r\n",
    "\u{0}\u{1}\n",
];
