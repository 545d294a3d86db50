//! Whatever the program prints for programs is what its committed schema says, and no field more.

use std::{ffi::OsStr, process::Command, sync::OnceLock};

use jsonschema::Validator;
use serde_json::Value;

/// Checks what a run printed, if it was asked for JSON: every line is a report of the schema, and tells the
/// exit code that the run had.
pub fn check(command: &Command, code: Option<i32>, stdout: &[u8]) {
    let args: Vec<&OsStr> = command.get_args().collect();
    let is_json = |arg: &&OsStr| *arg == "--json" || arg.as_encoded_bytes().starts_with(b"--json=");
    if !args.iter().any(is_json) || args.first() == Some(&OsStr::new("schema")) {
        return;
    }
    let text = std::str::from_utf8(stdout).expect("JSON is UTF-8");
    assert!(text.ends_with('\n'), "{args:?}: no report: {text:?}");
    let reports: Vec<Value> = text.lines().map(|line| report(&args, line)).collect();
    let worst = reports.iter().filter_map(|report| report.get("exit").and_then(Value::as_i64)).max();
    let code = code.map(i64::from);
    assert!(worst.is_none() || worst == code, "{args:?}: exit code {code:?}, but {text}");
}

fn report(args: &[&OsStr], line: &str) -> Value {
    let report: Value = serde_json::from_str(line).unwrap_or_else(|why| panic!("{args:?}: {why}: {line}"));
    for schema in [open(), closed()] {
        let faults: Vec<String> =
            schema.iter_errors(&report).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
        assert!(faults.is_empty(), "{args:?}: {faults:#?}\n{report:#}");
    }
    report
}

/// The schema as it is committed.
pub fn open() -> &'static Validator {
    static OPEN: OnceLock<Validator> = OnceLock::new();
    OPEN.get_or_init(|| jsonschema::validator_for(&committed()).expect("a schema"))
}

/// The schema, in which nothing is left unsaid: a field that it does not name is a fault.
fn closed() -> &'static Validator {
    static CLOSED: OnceLock<Validator> = OnceLock::new();
    CLOSED.get_or_init(|| {
        let mut schema = committed();
        close(&mut schema);
        jsonschema::validator_for(&schema).expect("a schema")
    })
}

fn committed() -> Value {
    serde_json::from_str(edapply::schema::SCHEMA).expect("JSON")
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            let is_record = object.get("properties").is_some_and(Value::is_object);
            object.values_mut().for_each(close);
            if is_record {
                object.entry("additionalProperties").or_insert(Value::Bool(false));
            }
        }
        Value::Array(all) => all.iter_mut().for_each(close),
        _ => {}
    }
}
