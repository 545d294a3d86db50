//! Every option of the native face and its subcommands is used by a test of the whole process; those of the
//! drop-ins by one here, or by the scenarios that are compared with their models.

use std::{collections::BTreeMap, path::Path};

/// The sources of tests that run the program, by name.
fn sources() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut all = BTreeMap::new();
    for entry in walkdir::WalkDir::new(&root).sort_by_file_name() {
        let path = entry.expect("readable").into_path();
        let name = path.strip_prefix(&root).expect("below").display().to_string();
        if path.extension().is_some_and(|kind| kind == "rs") && !name.ends_with("covered.rs") {
            all.insert(name, std::fs::read_to_string(path).expect("a file"));
        }
    }
    assert!(all.len() > 20);
    all
}

/// An option as an argument of a run: `"--long"`, `"--long=`, `"-s"`, or at the head of a cluster.
fn uses(source: &str, arg: &clap::Arg) -> bool {
    let long = arg
        .get_long()
        .is_some_and(|long| ["\"", "="].iter().any(|end| source.contains(&format!("\"--{long}{end}"))));
    let letters = arg.get_short().into_iter().chain(arg.get_all_short_aliases().unwrap_or_default());
    let short = letters.into_iter().any(|letter| {
        source.match_indices(&format!("\"-{letter}")).any(|(at, found)| {
            let rest = &source[at + found.len()..];
            rest.starts_with(|c: char| c == '"' || c.is_ascii_digit())
        })
    });
    long || short
}

#[test]
fn every_option_is_used_by_a_test() {
    let sources = sources();
    let mut command = edapply::cli::command();
    command.build();
    let mut unused = Vec::new();
    for arg in command.get_arguments().filter(|arg| !arg.is_positional()) {
        if !sources.values().any(|source| uses(source, arg)) {
            unused.push(arg.get_id().to_string());
        }
    }
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name = format!("\"{}\"", sub.get_name());
        // The comparisons with a drop-in's model stand in a folder, or a file, of its name.
        let folder = sub.get_name().replace('-', "_");
        let is_own = |(file, source): &(&String, &String)| source.contains(&name) || file.contains(&folder);
        let own: Vec<&String> = sources.iter().filter(is_own).map(|(_, source)| source).collect();
        assert!(!own.is_empty(), "no test runs {name}");
        for arg in sub.get_arguments().filter(|arg| !arg.is_positional() && arg.get_id() != "help") {
            if !own.iter().any(|source| uses(source, arg)) {
                unused.push(format!("{} {}", sub.get_name(), arg.get_id()));
            }
        }
    }
    assert!(unused.is_empty(), "no test of the whole process uses these: {unused:#?}");
}
