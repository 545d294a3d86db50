//! Calls of edit tools in a transcript.

use serde_json::{Value, json};

use crate::world::{World, files};

const FILES: usize = 8;
const LINES: usize = 5;

fn name(file: usize) -> String {
    format!("src/f{file}.txt")
}

fn line(file: usize, line: usize) -> String {
    format!("file {file} has line number {line} here")
}

/// A call in the log of one of several agents; the number chooses which.
fn logged(number: usize, path: &str, old: &str, new: &str) -> Value {
    let id = format!("call_{number:02}");
    let claude = json!({"file_path": path, "old_string": old, "new_string": new});
    let pi = json!({"path": path, "edits": [{"oldText": old, "newText": new}]});
    let opencode = json!({"filePath": path, "oldString": old, "newString": new});
    let editor = json!({"command": "str_replace", "path": path, "old_str": old, "new_str": new});
    let patch = format!("*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch\n");
    match number % 5 {
        0 => {
            json!({"role": "assistant", "content": [{"type": "text", "text": "Next."}, {"type": "tool_use", "id": id, "name": "Edit", "input": claude}]})
        }
        1 => {
            json!({"type": "message", "message": {"content": [{"type": "toolCall", "id": id, "name": "edit", "arguments": pi}]}})
        }
        2 => {
            json!({"choices": [{"message": {"tool_calls": [{"id": id, "type": "function", "function": {"name": "edit", "arguments": opencode.to_string()}}]}}]})
        }
        3 => json!({"type": "tool_use", "id": id, "name": "str_replace_based_edit_tool", "input": editor}),
        _ => json!({"type": "custom_tool_call", "call_id": id, "name": "apply_patch", "input": patch}),
    }
}

fn transcript(broken: Option<usize>) -> String {
    let call = |number: usize| {
        let (file, at) = (number % FILES, number / FILES);
        let old = if broken == Some(number) { "nowhere at all".to_owned() } else { line(file, at) };
        let call = logged(number, &name(file), &old, &format!("changed {number}"));
        let answer = json!({"type": "tool_result", "tool_use_id": "x", "content": "done"});
        format!("{call}\n{answer}\n")
    };
    (0..FILES * LINES).map(call).collect()
}

fn world() -> World {
    let text = |file: usize| (0..LINES).map(|at| line(file, at) + "\n").collect::<String>();
    let all: Vec<(String, String)> = (0..FILES).map(|file| (name(file), text(file))).collect();
    World::new(&all.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect::<Vec<_>>())
}

#[test]
fn a_transcript_of_many_agents_is_one_batch() {
    let w = world();
    let said = w.run(&[], &transcript(None));
    assert_eq!((said.code, said.stdout.as_str()), (0, ""), "{}", said.stderr);
    assert_eq!(said.stderr.lines().filter(|line| line.starts_with("ok ")).count(), FILES * LINES);
    let text =
        |file: usize| (0..LINES).map(|at| format!("changed {}\n", at * FILES + file)).collect::<String>();
    let all: Vec<(String, String)> = (0..FILES).map(|file| (name(file), text(file))).collect();
    assert_eq!(w.tree(), files(&all.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect::<Vec<_>>()));
}

#[test]
fn one_call_that_fails_is_told_by_its_id_and_nothing_is_written() {
    let w = world();
    let before = w.tree();
    let said = w.run(&[], &transcript(Some(16)));
    assert_eq!(said.code, 1);
    let failed: Vec<&str> = said.stderr.lines().filter(|line| line.starts_with("FAIL")).collect();
    let expected = "FAIL  src/f0.txt    edit 17 (input line 33, call call_16): old text not found";
    assert!(failed.len() == 1 && failed[0].starts_with(expected), "{}", said.stderr);
    assert!(said.stderr.ends_with("nothing was written\n"));
    assert_eq!(w.tree(), before);
    let json = w.run(&["--json"], &transcript(Some(16))).stdout;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["inputs"][0]["edits"][16]["call"], "call_16", "{json:#}");
}
