use super::{Known, Section, starts};
use crate::{
    edit::{Against, Edit, Format, Hunk, Op, Parsed},
    input::read,
};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\n', "/")
}

fn hunk(hunk: &Hunk) -> String {
    if let Some(behind) = hunk.hints.behind {
        return format!(
            "+{behind}:{}",
            hunk.body().new_side().map(|l| text(&l.text)).collect::<Vec<_>>().join("/")
        );
    }
    let count = hunk.hints.count.map_or(String::new(), |count| format!("x{count}"));
    let every = if hunk.hints.every { "*" } else { "" };
    match &hunk.hints.literal {
        Some(literal) => format!("{}>{}{every}{count}", text(&literal.old), text(&literal.new)),
        None => hunk.body().lines.iter().map(|line| format!("{:?}{}", line.tag, text(&line.text))).collect(),
    }
}

fn edit(edit: &Edit) -> String {
    let path = edit.path.as_ref().map_or("?".into(), |path| text(&path.text));
    let lines =
        |lines: &[crate::edit::Line]| lines.iter().map(|line| text(&line.text)).collect::<Vec<_>>().join("/");
    let op = match &edit.op {
        Op::Create { lines: new } => format!("create {}", lines(&new.cut())),
        Op::Whole { lines: new } => format!("whole {}", lines(&new.cut())),
        Op::Delete { .. } => "delete".to_owned(),
        Op::Update { hunks } => hunks.iter().map(hunk).collect::<Vec<_>>().join(" "),
        other => format!("{other:?}"),
    };
    let against = match edit.call.against {
        Against::Either => "",
        Against::Original => " original",
        Against::Sequence => " sequence",
    };
    let moved = edit.move_to.as_ref().map_or(String::new(), |to| format!(" -> {}", text(&to.text)));
    let id = edit.call.id.as_ref().map_or(String::new(), |id| format!("{id} "));
    format!("{id}{path} {op}{moved}{against}")
}

fn shown(parsed: &Parsed) -> Vec<String> {
    let mut all: Vec<(usize, String)> = parsed.edits.iter().map(|one| (one.id, edit(one))).collect();
    all.extend(parsed.faults.iter().map(|fault| {
        let id = fault.call.id.as_ref().map_or(String::new(), |id| format!("{id} "));
        (fault.id, format!("{id}{}", fault.refusal.code()))
    }));
    all.sort();
    all.into_iter().map(|(_, shown)| shown).collect()
}

fn seen(input: &str) -> Vec<String> {
    shown(&read(input.as_bytes(), None))
}

#[test]
fn the_family_is_told_by_its_spelling() {
    for (args, expected) in [
        (r#"{"file_path":"a","old_string":"x","new_string":"y"}"#, "a x>y"),
        (r#"{"file_path":"a","old_string":"x","new_string":"y","replace_all":true}"#, "a x>y*"),
        (r#"{"file_path":"a","old_string":"x","new_string":"y","replace_all":"true"}"#, "a x>y*"),
        (r#"{"filePath":"a","oldString":"x","newString":"y","replaceAll":true}"#, "a x>y*"),
        (r#"{"path":"a","oldText":"x","newText":"y"}"#, "a x>y"),
        (r#"{"path":"a","old_text":"x","new_text":"y"}"#, "a x>y"),
        (
            r#"{"path":"a","edits":[{"oldText":"x","newText":"y"},{"oldText":"p","newText":""}]}"#,
            "a x>y p> original",
        ),
        (r#"{"path":"a","edits":"[{\"oldText\":\"x\",\"newText\":\"y\"}]"}"#, "a x>y original"),
        (r#"{"path":"a","edits":{"oldText":"x","newText":"y"}}"#, "a x>y original"),
        (r#"{"path":"a","edits":[],"oldText":"x","newText":"y"}"#, "a x>y"),
        (
            r#"{"file_path":"a","edits":[{"old_string":"x","new_string":"y"},{"old_string":"y","new_string":"z","replace_all":true}]}"#,
            "a x>y y>z* sequence",
        ),
        (r#"{"file_path":"a","old_string":"x","new_string":"y","expected_replacements":1}"#, "a x>y"),
        (r#"{"file_path":"a","old_string":"x","new_string":"y","expected_replacements":3}"#, "a x>yx3"),
        (
            r#"{"file_path":"a","old_string":"x","new_string":"y","allow_multiple":true,"instruction":"i"}"#,
            "a x>y*",
        ),
        (r#"{"file_path":"a","old_string":"","new_string":"y\n"}"#, "a create y"),
        (r#"{"file_path":"a","content":"y\nz\n"}"#, "a whole y/z"),
        (
            r#"{"target_file":"a","instructions":"i","code_edit":"y\n// ... existing code ...\n"}"#,
            "a whole y/// ... existing code ...",
        ),
        (r#"{"command":"create","path":"a","file_text":"y\n"}"#, "a create y"),
        (r#"{"command":"str_replace","path":"a","old_str":"x","new_str":"y"}"#, "a x>y"),
        (r#"{"command":"str_replace","path":"a","old_str":"x"}"#, "a x>"),
        (r#"{"command":"insert","path":"a","insert_line":2,"insert_text":"y\nz\n"}"#, "a +2:y/z"),
        (r#"{"command":"insert","path":"a","insert_line":0,"new_str":"y"}"#, "a +0:y"),
        (r#"{"path":"a","insert_line":2,"new_text":"y"}"#, "a +1:y"),
        (r#"{"path":"a","insert_line":2,"new_str":"y"}"#, "a +2:y"),
        (r#"{"path":"a","new_text":"y"}"#, "a create y"),
        (r#"{"path":"a","search":"x","replace":"y","replace-all":true}"#, "a x>y*"),
        (r#"{"path":"a","edits":[{"op":"delete"}]}"#, "a delete"),
        (r#"{"path":"a","edits":[{"op":"create","diff":"y\nz\n"}]}"#, "a create y/z"),
        (r#"{"path":"a","edits":[{"op":"update","rename":"b"}]}"#, "a  -> b"),
        (r#"{"path":"a","edits":[{"op":"update","diff":"@@ fn f\n k\n-x\n+y\n"}]}"#, "a KeepkRemovexAddy"),
        (r#"{"path":"a","diff":"<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"}"#, "a RemovexAddy"),
        (r#"{"patchText":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}"#, "a delete"),
        (r#"{"input":"*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch"}"#, "a RemovexAddy"),
        (r#"{"command":["apply_patch","*** Begin Patch\n*** Delete File: a\n*** End Patch\n"]}"#, "a delete"),
        (
            r#"{"command":["bash","-lc","apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\n"],"workdir":"sub"}"#,
            "sub/a delete",
        ),
        (r#"{"command":"apply_patch '*** Begin Patch\n*** Delete File: a\n*** End Patch'"}"#, "a delete"),
    ] {
        assert_eq!(seen(args), [expected], "{args}");
    }
}

#[test]
fn refused_by_name() {
    for args in [
        r#"{"command":"undo_edit","path":"a"}"#,
        r#"{"command":"insert","path":"a","insert_line":"2","insert_text":"y"}"#,
        r#"{"command":"insert","path":"a","insert_line":-1,"insert_text":"y"}"#,
        r#"{"command":"insert","path":"a","insert_text":"y"}"#,
        r#"{"path":"a","insert_line":0,"new_text":"y"}"#,
        r#"{"path":"a","insert_line":1,"new_text":"y","new_str":"z"}"#,
        r#"{"path":"a","old_string":"x"}"#,
        r#"{"path":"a","old_string":"x","newText":"y"}"#,
        r#"{"path":"a","old_string":"x","new_string":7}"#,
        r#"{"path":"a","old_string":"x","new_string":"y","replace_all":1}"#,
        r#"{"path":"a","file_path":"b","old_string":"x","new_string":"y"}"#,
        r#"{"path":"a","old_string":"","new_string":"y","replace_all":true}"#,
        r#"{"path":"a","old_string":"x","new_string":"y","expected_replacements":"2"}"#,
        r#"{"path":"a","old_string":"x","new_string":"y","expected_replacements":0}"#,
        r#"{"path":"a","search":"x","replace":"y","use_regex":true}"#,
        r#"{"path":"a","edits":[{"oldText":"x","newText":"y"},{"old_string":"p","new_string":"q"}]}"#,
        r#"{"path":"a","edits":[{"oldText":"x"}]}"#,
        r#"{"path":"a","edits":[{"oldText":"","newText":"y"}]}"#,
        r#"{"path":"a","edits":[3]}"#,
        r#"{"path":"a","edits":"[{\"oldText\":"}"#,
        r#"{"path":"a","edits":[]}"#,
        r#"{"path":"a","old_string":"x","new_string":"y","if_match":"abc"}"#,
        r#"{"path":"a","old_string":"x","old_string":"z","new_string":"y"}"#,
        r#"{"path":"a","old_string":"x","new_string":"say "hi""}"#,
        r#"{"path":"a","old_string":"x","new_string":"a}"} b"}"#,
        r#"{"path":"a","old_string":"x","new_string":"y"#,
        r#"{"patchText":"nothing"}"#,
        r#"{"path":"a","edits":[{"loc":"append","content":["y"]}]}"#,
        r#"{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"a"}}"#,
        r#"{"type":"tool_use","id":"t","name":"NotebookEdit","input":{"notebook_path":"a","new_source":"y"}}"#,
    ] {
        let parsed = read(args.as_bytes(), None);
        assert_eq!((parsed.edits.len(), parsed.faults.len()), (0, 1), "{args}: {:?}", shown(&parsed));
    }
}

#[test]
fn calls_in_their_envelopes() {
    const ARGS: &str = r#"{"file_path":"a","old_string":"x","new_string":"y"}"#;
    let quoted = serde_json::to_string(ARGS).unwrap();
    for (input, expected) in [
        (format!("[{ARGS},\n {ARGS}]"), vec!["a x>y", "a x>y"]),
        (format!("{ARGS}\n{ARGS}\n\n{ARGS}\n"), vec!["a x>y", "a x>y", "a x>y"]),
        (format!("Sure:\n\n```json\n{ARGS}\n```\nDone.\n"), vec!["a x>y"]),
        (format!("Sure:\n{ARGS}\nDone.\n"), vec!["a x>y"]),
        (format!("1. First\n   ```json\n   {ARGS}\n   ```\n"), vec!["a x>y"]),
        (format!(r#"{{"type":"tool_use","id":"t1","name":"Edit","input":{ARGS}}}"#), vec!["t1 a x>y"]),
        (
            format!(r#"{{"role":"assistant","content":[{{"type":"text","text":"{{}}"}},{{"type":"tool_use","id":"t1","name":"Edit","input":{ARGS}}}]}}"#),
            vec!["t1 a x>y"],
        ),
        (
            format!(r#"{{"message":{{"tool_calls":[{{"id":"c1","type":"function","function":{{"name":"edit","arguments":{quoted}}}}}]}}}}"#),
            vec!["c1 a x>y"],
        ),
        (format!(r#"{{"type":"function_call","call_id":"c2","name":"edit","arguments":{quoted}}}"#), vec!["c2 a x>y"]),
        (
            r#"{"type":"custom_tool_call","call_id":"c3","name":"apply_patch","input":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}"#.to_owned(),
            vec!["c3 a delete"],
        ),
        (format!(r#"{{"role":"model","parts":[{{"functionCall":{{"name":"replace","args":{ARGS}}}}}]}}"#), vec!["a x>y"]),
        (format!(r#"{{"type":"tool-call","toolCallId":"c4","toolName":"edit","input":{ARGS}}}"#), vec!["c4 a x>y"]),
        (format!(r#"{{"type":"tool","callID":"c5","tool":"edit","state":{{"status":"completed","input":{ARGS},"metadata":{{"x":{ARGS}}}}}}}"#), vec!["c5 a x>y"]),
        (format!(r#"{{"type":"toolCall","id":"c6","name":"edit","arguments":{ARGS}}}"#), vec!["c6 a x>y"]),
        (format!(r#"{{"name":"batch","arguments":{{"tool_calls":[{{"tool":"edit","parameters":{ARGS}}}]}}}}"#), vec!["a x>y"]),
        // an answer repeats the call; the same call logged twice is one
        (
            format!("{{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Edit\",\"input\":{ARGS}}}\n{{\"toolUseResult\":{ARGS}}}\n{{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Edit\",\"input\":{ARGS}}}\n"),
            vec!["t a x>y"],
        ),
        // other tools' calls are no edits
        (
            format!("{{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Bash\",\"input\":{{\"command\":\"ls\"}}}}\n{{\"type\":\"tool_use\",\"id\":\"u\",\"name\":\"Edit\",\"input\":{ARGS}}}\n"),
            vec!["u a x>y"],
        ),
    ] {
        assert_eq!(seen(&input), expected, "{input}");
    }
}

#[test]
fn ordinary_json_is_no_call() {
    for input in [
        "{\n  \"name\": \"pkg\",\n  \"main\": \"a.js\",\n  \"files\": [\"a\"]\n}\n",
        "```json\n{\"scripts\": {\"edit\": \"x\"}, \"tool\": {\"path\": \"a\"}}\n```\n",
        "{\"path\": \"/api\", \"content\": \"hello\", \"status\": 200}\n",
        "{\"command\": \"view\", \"path\": \"a\"}\n",
        "{\"tools\": [{\"name\": \"Edit\", \"input_schema\": {\"properties\": {\"old_string\": {\"type\": \"string\"}}}}]}\n",
        "[link](x) has \"oldText\"\n",
        "{\"edits\": 3, \"path\": \"a\"}\n",
        "[\"a\", \"b\"]\n",
    ] {
        assert_eq!(seen(input), [] as [&str; 0], "{input}");
    }
    let named =
        "package.json\n```json\n{\"path\": \"a\", \"old_string\": \"x\", \"new_string\": \"y\"}\n```\n";
    assert_eq!(read(named.as_bytes(), None).edits[0].format, Format::WholeFile);
}

#[test]
fn json_that_models_write() {
    for (input, expected) in [
        ("{\"path\":\"a\",\"oldText\":\"x\nz\",\"newText\":\"y\",}", "a x/z>y"),
        ("{\n \"path\": \"a\",\n \"oldText\": \"x\",\n \"newText\": \"it\\'s\"\n},", "a x>it's"),
        ("{\"path\":\"a\",\"oldText\":\"\\ud83d\\ude00\",\"newText\":\"$& \\\\1\"}", "a \u{1f600}>$& \\1"),
    ] {
        assert_eq!(seen(input), [expected], "{input}");
    }
}

#[test]
fn sloppy_mode() {
    for (input, expected) in [
        (
            "<SM:EDIT path=\"a\">\n<SM:FIND>\nx\n</SM:FIND>\n<SM:PUT>\ny\nz\n</SM:PUT>\n</SM:EDIT>\n",
            "a x/>y/z/",
        ),
        (
            "<SM:EDIT path=\"a\" all>\n<SM:FIND>x</SM:FIND>\n<SM:AFTER>y</SM:AFTER>\n</SM:EDIT>\n",
            "a x/>x/y/*",
        ),
        (
            "Text\n*** Edit File: a\n*** Find\nx\n*** Replace\ny\n*** Find\np\n*** Insert Before\nq\n*** End\n",
            "a x/>y/ p/>q/p/",
        ),
        ("<SM:EDIT path=\"a\">\n<SM:FIND>\nx\n", "unfinished"),
        ("<SM:EDIT path=\"a\">\n<SM:FIND>x</SM:FIND>\n</SM:EDIT>\n", "malformed"),
    ] {
        assert_eq!(seen(input), [expected], "{input}");
    }
}

#[test]
fn bad_input_is_refused_in_bounded_time() {
    let deep = format!("{}\"oldText\"", "[".repeat(100_000));
    let unclosed = "{\"path\": \"a\", \"oldText\": \"x\n".repeat(20_000);
    let openers = "{\"tool_use\": [\n".repeat(50_000);
    for input in [deep, unclosed, openers] {
        let parsed = read(input.as_bytes(), None);
        assert_eq!((parsed.edits.len(), parsed.faults.len()), (0, 1), "{}", &input[..40]);
    }
}

const LOG: &str = r#"{"type": "tool_use", "name": "Bash", "input": {"command": "make"}}"#;

#[test]
fn a_log_without_edits_is_read_once() {
    let log = format!("{LOG}\n").repeat(500);
    let lines = crate::input::lines(log.as_bytes());
    let mut known = Known::default();
    assert!(!starts(&lines, 0, &mut known));
    assert_eq!(known.barren.len(), lines.len());
    assert!(read(log.as_bytes(), None).edits.is_empty());
}

proptest::proptest! {
    #[test]
    fn what_is_known_changes_nothing(picks in proptest::collection::vec(0..9_usize, 0..16)) {
        let pieces = [
            LOG,
            r#"{"file_path": "f", "old_string": "a", "new_string": "b"}"#,
            "[",
            "]",
            "{",
            "}",
            r#""command": "x","#,
            r#"{"command": "x", "path": "y"},"#,
            "prose",
        ];
        let text: String = picks.iter().map(|at| format!("{}\n", pieces[*at])).collect();
        let lines = crate::input::lines(text.as_bytes());
        let mut known = Known::default();
        for at in 0..lines.len() {
            let show = |section: Option<Section<'_>>| format!("{section:?}");
            let anew = show(super::read(&lines, at, &mut Known::default()));
            proptest::prop_assert_eq!(starts(&lines, at, &mut known), anew != "None");
            proptest::prop_assert_eq!(show(super::read(&lines, at, &mut known)), anew, "{} {}", at, &text);
        }
    }
}
