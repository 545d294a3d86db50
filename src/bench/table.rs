//! Counts as tables.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use super::{Outcome, Scored};

type Counts = BTreeMap<Outcome, usize>;

/// Counts of outcomes, by a key.
pub fn counts(rows: &[Scored], key: impl Fn(&Scored) -> String) -> BTreeMap<String, Counts> {
    let mut out: BTreeMap<String, Counts> = BTreeMap::new();
    for row in rows {
        *out.entry(key(row)).or_default().entry(row.outcome).or_default() += 1;
    }
    out
}

/// A table with a row for each key and one for all.
///
/// # Errors
/// The output cannot be written.
pub fn write(rows: &[Scored], key: impl Fn(&Scored) -> String, out: &mut dyn Write) -> io::Result<()> {
    let groups = counts(rows, key);
    let total = counts(rows, |_| "total".to_owned());
    let seen: Vec<Outcome> =
        Outcome::ALL.into_iter().filter(|outcome| rows.iter().any(|row| row.outcome == *outcome)).collect();
    let width = groups.keys().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
    write!(out, "{:width$}", "")?;
    seen.iter().try_for_each(|outcome| write!(out, " {:>7}", outcome.name()))?;
    writeln!(out, "   cases")?;
    for (name, counts) in groups.iter().chain(&total) {
        write!(out, "{name:width$}")?;
        for outcome in &seen {
            match counts.get(outcome) {
                Some(count) => write!(out, " {count:>7}")?,
                None => write!(out, "       .")?,
            }
        }
        writeln!(out, " {:>7}", counts.values().sum::<usize>())?;
    }
    Ok(())
}

/// How often a task's own command was content, of how many that have one.
pub fn tasks(rows: &[Scored]) -> (usize, usize) {
    let tasks = rows.iter().filter_map(|row| row.task);
    tasks.fold((0, 0), |(done, all), task| (done + usize::from(task), all + 1))
}
