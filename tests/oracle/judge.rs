//! One case: made from its seed, planned in memory, judged.

use edapply::{
    input,
    plan::{self, Outcome, Policy},
    tree::{Image, Memory, RelPath},
};

use super::{
    damage::{BEHAVIORS, Behavior},
    edits, moved,
    rng::Rng,
    write::{self, Draft, Expect, Format, Storage},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Ok,
    Fail,
    Wrong,
}

/// A case and what came of it.
pub struct Case {
    pub format: Format,
    pub behavior: &'static str,
    /// How the tree moved on under the reply.
    pub moved: Option<&'static str>,
    pub expect: Expect,
    pub reply: String,
    pub verdict: Verdict,
    /// What each edit came to.
    pub told: String,
    pub before: Vec<(String, Vec<u8>)>,
    pub truth: Vec<(String, Vec<u8>)>,
    pub got: Vec<(String, Vec<u8>)>,
}

/// The case of a seed: a format and a way to err, and the first invented edit that suits them.
pub fn case(seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    loop {
        let format = *rng.pick(&Format::ALL);
        let suited: Vec<&Behavior> = BEHAVIORS.iter().filter(|behavior| (behavior.formats)(format)).collect();
        let behavior = *rng.pick(&suited);
        let sure = format.quotes() && SURE.contains(&behavior.name);
        let moved = (sure && rng.chance(60)).then(|| rng.pick(moved::KINDS));
        if let Some(case) = (0..TRIES).find_map(|_| attempt(&mut rng, format, behavior, moved)) {
            return case;
        }
    }
}

/// Edits tried for one format and way to err.
const TRIES: usize = 60;

/// Quotes that stay sure when the tree moves on.
const SURE: [&str; 7] =
    ["correct", "dedented", "respaced", "typographic", "stale-numbers", "tabs-spaces", "blank-context-bare"];

fn attempt(rng: &mut Rng, format: Format, behavior: &Behavior, moved: Option<&moved::Kind>) -> Option<Case> {
    let files = if rng.chance(75) { 1 } else { 2 };
    let edits: Option<Vec<_>> = (0..files).map(|number| edits::file_edit(rng, number)).collect();
    let edits = edits?;
    let storage = edits.iter().map(|edit| write::storage(rng, format, edit)).collect();
    let mut draft = Draft::new(format, edits, storage);
    (behavior.damage)(&mut draft, rng)?;
    if let Some((_, change)) = moved {
        change(&mut draft, rng)?;
        draft.alt &= draft.before.iter().zip(&draft.edits).all(|(now, edit)| now.len() == edit.before.len());
    }
    let quotes = format.quotes() && behavior.finish.is_none() && draft.expect != Expect::Unchanged;
    let rewritten =
        matches!(behavior.name, "line-numbers-copied" | "middle-elided" | "html-escaped" | "ambiguous");
    if quotes && !rewritten && !moved::is_knowable(&draft) {
        return None;
    }
    let mut reply = draft.write()?;
    if let Some(finish) = behavior.finish {
        reply = finish(&draft, rng, reply)?;
    }
    Some(judge(&draft, behavior.name, moved.map(|(name, _)| *name), reply))
}

fn bytes(lines: &[String], storage: Storage) -> Vec<u8> {
    let end = if storage.crlf { "\r\n" } else { "\n" };
    let mut text = lines.join(end);
    if storage.newline && !lines.is_empty() {
        text += end;
    }
    let bom = if storage.bom { "\u{feff}" } else { "" };
    [bom.as_bytes(), text.as_bytes()].concat()
}

fn tree(draft: &Draft, lines: &[Vec<String>]) -> Vec<(String, Vec<u8>)> {
    let files = draft.edits.iter().zip(lines).zip(&draft.storage);
    files.map(|((edit, lines), storage)| (edit.path.clone(), bytes(lines, *storage))).collect()
}

fn judge(draft: &Draft, behavior: &'static str, moved: Option<&'static str>, reply: String) -> Case {
    let before = tree(draft, &draft.before);
    let truth = match draft.expect {
        Expect::Truth => tree(draft, &draft.after),
        Expect::Unchanged | Expect::Refusal => before.clone(),
    };
    let parsed = input::read(reply.as_bytes(), None);
    let mut files = Memory::default();
    for (path, bytes) in &before {
        let path = RelPath::parse(path.as_bytes()).expect("the generator's own paths are plain");
        files.files.insert(path, Image { bytes: bytes.clone().into(), mode: 0o644 });
    }
    let plan = plan::make(&parsed, &files, &Policy::default());
    let accepted = plan.is_ok() && !plan.verdicts.is_empty();
    let mut got = before.clone();
    for change in &plan.changes {
        let path = change.path.to_string();
        got.retain(|(name, _)| *name != path);
        got.extend(change.after.as_ref().map(|image| (path, image.bytes.to_vec())));
    }
    got.sort();
    let sorted = |mut tree: Vec<(String, Vec<u8>)>| {
        tree.sort();
        tree
    };
    let tolerable =
        draft.alt && draft.expect == Expect::Truth && got == sorted(tree(draft, &draft.literal()));
    let right = got == sorted(truth.clone()) || tolerable;
    let verdict = match draft.expect {
        Expect::Truth if accepted && right => Verdict::Ok,
        Expect::Truth if !accepted => Verdict::Fail,
        Expect::Unchanged if right => Verdict::Ok,
        Expect::Refusal if !accepted => Verdict::Ok,
        _ => Verdict::Wrong,
    };
    let told = plan.verdicts.iter().map(|verdict| match &verdict.outcome {
        Outcome::Refused(refusal) => format!("{refusal}"),
        other => {
            format!("{other:?} {:?}", verdict.hunks.iter().map(|hunk| &hunk.outcome).collect::<Vec<_>>())
        }
    });
    Case {
        format: draft.format,
        behavior,
        moved,
        expect: draft.expect,
        reply,
        verdict,
        told: told.collect::<Vec<_>>().join("\n"),
        before,
        truth,
        got,
    }
}
