//! What a package is made of: licences and sources of all that is built in, and the files that are installed.

use std::{path::Path, process::Command};

use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The strings of an array in a TOML file, as `deny.toml` and `Cargo.toml` write them here: `name = [`, then
/// an item a line.
fn array(text: &str, name: &str) -> Vec<String> {
    let mut lines = text.lines().skip_while(|line| *line != format!("{name} = [")).skip(1);
    let items = lines.by_ref().take_while(|line| *line != "]");
    items.map(|line| line.trim().trim_end_matches(',').trim_matches('"').to_owned()).collect()
}

/// Whether an SPDX expression can be met by these licences.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let all = expression.replace('/', " OR ");
    // None here nests deeper than one pair of parentheses within an AND.
    all.split(" AND ").all(|term| {
        let term = term.trim().trim_start_matches('(').trim_end_matches(')');
        term.split(" OR ").any(|licence| allowed.iter().any(|known| known == licence.trim()))
    })
}

#[test]
fn expressions_of_licences() {
    let allowed = ["MIT", "Zlib"].map(str::to_owned);
    for good in ["MIT", "Apache-2.0 OR MIT", "MIT/Apache-2.0", "(MIT OR GPL-3.0) AND Zlib"] {
        assert!(is_met(good, &allowed), "{good}");
    }
    for bad in ["GPL-3.0", "MIT AND GPL-3.0", "(GPL-2.0 OR GPL-3.0) AND MIT", ""] {
        assert!(!is_met(bad, &allowed), "{bad}");
    }
}

/// All packages that are built in on this platform or used by the tests.
fn packages() -> Vec<Value> {
    let version = Command::new(env!("CARGO")).arg("-vV").output().expect("cargo runs");
    let text = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host").to_owned();
    let args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", &host];
    let output = Command::new(env!("CARGO")).args(args).current_dir(root()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

#[test]
fn licences_and_sources_are_known() {
    let rules = std::fs::read_to_string(root().join("deny.toml")).expect("a file");
    let allowed = array(&rules, "allow");
    assert!(allowed.contains(&"MIT".to_owned()));
    let packages = packages();
    assert!(packages.len() > 50);
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_met(licence, &allowed), "{name}: {licence:?} is not in deny.toml");
        let source = package["source"].as_str();
        let known = source.is_none_or(|source| source.starts_with("registry+"));
        assert!(known && (source.is_some() || name == "edapply"), "{name} comes from {source:?}");
    }
}

/// Whether a path, or a pattern whose last part holds one `*`, names a file of the repository.
fn stands(pattern: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return root().join(pattern).is_file() };
    let (folder, start) = head.rsplit_once('/').unwrap_or(("", head));
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
    let mut names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    names.any(|name| name.starts_with(start) && name.ends_with(tail))
}

#[test]
fn what_packages_hold_is_there() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("a file");
    let lines = manifest.lines().filter(|line| line.trim_start().starts_with("{ source = \""));
    let sources: Vec<&str> = lines.filter_map(|line| line.split('"').nth(1)).collect();
    assert!(sources.len() > 10, "{sources:?}");
    for source in &sources {
        assert!(*source == "target/release/edapply" || stands(source), "{source}");
    }
    for script in &edapply::manual::SCRIPTS {
        let name = script.place.rsplit('/').next().expect("a name");
        assert!(sources.iter().any(|source| source.ends_with(name)), "{name} is in no package");
    }
}
