//! The walk over all edits of an input.

mod special;

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::{
    HunkOutcome, HunkVerdict, Outcome, Plan, Policy, Verdict,
    batch::{self, hunks},
    budget::is_too_large,
    lines,
    overlay::Overlay,
    reverse, whole,
};
use crate::{
    edit::{Binary, Edit, Fault, Format, Name, NewLines, Op, Parsed},
    merge::Evidence,
    place::Rules,
    refusal::Refusal,
    text::{encoding::Encoding, word_chars},
    tree::{Content, Files, Image, RelPath, Resolver, Want},
};

/// The mode of a new file that no edit states: `rw-r--r--`.
const NEW_FILE: u32 = 0o644;
/// Files looked into for a text whose edit names none.
const SEARCHED: usize = 2_000;

impl Policy {
    pub(super) fn rules(&self) -> Rules {
        Rules {
            loosest: self.loosest,
            max_offset: self.max_offset,
            nearest: self.nearest,
            strict_state: self.strict_state || self.reverse,
            every: self.replace_all,
            describe: true,
        }
    }
}

/// Plans all edits of one input. Nothing is written; the plan says what would be.
pub fn make(parsed: &Parsed, files: &dyn Files, policy: &Policy) -> Plan {
    let reversed: Vec<Result<Edit, Refusal>> =
        if policy.reverse { parsed.edits.iter().map(reverse::edit).collect() } else { Vec::new() };
    let edits: Vec<&Edit> = parsed
        .edits
        .iter()
        .enumerate()
        .map(|(at, edit)| reversed.get(at).and_then(|reversed| reversed.as_ref().ok()).unwrap_or(edit))
        .collect();
    let mut planner = Planner::new(&edits, &parsed.faults, files, policy);
    // Backwards, what was created must go before what was deleted can come back under its name.
    let goes = |edit: &Edit| {
        policy.reverse && matches!(edit.op, Op::Delete { .. } | Op::Binary(Binary { new: None, .. }))
    };
    let (first, then): (Vec<_>, Vec<_>) = edits.iter().enumerate().partition(|(_, edit)| goes(edit));
    for (at, edit) in first.into_iter().chain(then) {
        match reversed.get(at) {
            Some(Err(refusal)) => planner.refuse(edit, None, refusal.clone()),
            _ => planner.take(edit),
        }
    }
    let mut plan = planner.finish(&parsed.faults);
    if policy.reverse && !policy.strict_state {
        plan.verdicts.iter_mut().for_each(reverse::name);
    }
    plan
}

struct Planner<'e, 'i, 'f> {
    files: &'f dyn Files,
    overlay: Overlay<'f>,
    policy: &'f Policy,
    resolver: Resolver,
    /// Updates that wait until all of a file's are known.
    pending: BTreeMap<RelPath, Vec<&'e Edit<'i>>>,
    /// Line operations that wait: a file's sections are one.
    lined: BTreeMap<RelPath, Vec<&'e Edit<'i>>>,
    verdicts: Vec<Verdict>,
    /// The first turn that no hunk of a file had yet.
    turns: BTreeMap<RelPath, usize>,
    /// The name of the edit just taken, and the file that it was found to be, if that edit waits: no file has
    /// changed since.
    last: Option<(&'e Name<'i>, RelPath)>,
}

/// A content's SHA-256 as 64 hex digits.
fn version(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What an edit needs to stand at its path.
fn want(op: &Op) -> Want {
    match op {
        Op::Create { .. } => Want::New,
        Op::Whole { .. } | Op::Append { .. } => Want::Either,
        Op::Binary(binary) if binary.old.is_none() => Want::New,
        Op::Delete { .. } | Op::Update { .. } | Op::Lines(_) | Op::Binary(_) => Want::Existing,
    }
}

impl<'e, 'i, 'f> Planner<'e, 'i, 'f> {
    fn new(
        edits: &[&'e Edit<'i>],
        faults: &[Fault<'_>],
        files: &'f dyn Files,
        policy: &'f Policy,
    ) -> Planner<'e, 'i, 'f> {
        let mut names: Vec<(&Name, Want)> = Vec::new();
        for edit in edits {
            names.extend(edit.path.as_ref().map(|name| (name, want(&edit.op))));
            names.extend(edit.move_to.as_ref().map(|name| (name, Want::New)));
        }
        names.extend(faults.iter().filter_map(|fault| Some((fault.path.as_ref()?, Want::Either))));
        let overlay = Overlay::new(files);
        let resolver = Resolver::new(&overlay, &names, policy.strip);
        Planner {
            files,
            overlay,
            policy,
            resolver,
            pending: BTreeMap::new(),
            lined: BTreeMap::new(),
            verdicts: Vec::with_capacity(edits.len() + faults.len()),
            turns: BTreeMap::new(),
            last: None,
        }
    }

    fn take(&mut self, edit: &'e Edit<'i>) {
        if let Some(what) = special::refused(edit) {
            return self.refuse(edit, None, Refusal::SpecialMode { what });
        }
        let Some(name) = &edit.path else {
            let holders = holders(self.files, edit);
            return self.refuse(edit, None, Refusal::NoPath { holders });
        };
        let last = self.last.take().filter(|(other, _)| *other == name && want(&edit.op) == Want::Existing);
        if let Some((_, path)) = last.filter(|_| !special::is_link(edit)) {
            return self.take_at(edit, path);
        }
        let resolved = match &edit.op {
            Op::Whole { lines } => self.resolver.resolve_whole(&self.overlay, name, &lines.cut()),
            op => self.resolver.resolve(&self.overlay, name, want(op)),
        };
        let followed = resolved.and_then(|path| match self.policy.follow_links && !special::is_link(edit) {
            true => self.overlay.follow(&path),
            false => Ok(path),
        });
        match followed {
            Err(refusal) => self.refuse(edit, None, refusal),
            Ok(path) => self.take_at(edit, path),
        }
    }

    /// The file has the content that the call was made for: as the input found it, or as the calls before
    /// leave it.
    fn is_version(&mut self, path: &RelPath, wanted: &str) -> Result<(), Refusal> {
        if self.overlay.read(path)?.is_some_and(|image| version(&image.bytes) == wanted) {
            return Ok(());
        }
        self.flush(path);
        match self.overlay.read(path)?.map(|image| version(&image.bytes)) {
            Some(found) if found == wanted => Ok(()),
            Some(found) => Err(Refusal::OtherVersion { found: format!("has the SHA-256 {found}") }),
            None => Err(Refusal::OtherVersion { found: "does not exist".to_owned() }),
        }
    }

    fn take_at(&mut self, edit: &'e Edit<'i>, path: RelPath) {
        if let Some(wanted) = &edit.call.if_match
            && let Err(refusal) = self.is_version(&path, wanted)
        {
            return self.refuse(edit, Some(path), refusal);
        }
        if lines::of(edit).is_some() {
            self.lined.entry(path).or_default().push(edit);
            return;
        }
        let simple = edit.move_to.is_none() && edit.mode.new.is_none() && !edit.copy;
        if simple && !hunks(edit).is_empty() {
            let settled = edit.call.if_match.is_none() && !special::is_link(edit);
            self.last = edit.path.as_ref().filter(|_| settled).map(|name| (name, path.clone()));
            self.pending.entry(path).or_default().push(edit);
            return;
        }
        if matches!(edit.op, Op::Whole { .. })
            && edit.format != Format::EditCall
            && self.pending.contains_key(&path)
        {
            let other = self.pending[&path][0].span;
            return self.refuse(edit, Some(path), Refusal::SecondWhole { other });
        }
        self.flush(&path);
        let result = match &edit.op {
            _ if special::is_link(edit) || self.moves_a_link(edit, &path) => self.link(edit, &path),
            Op::Binary(binary) => self.binary(edit, binary, &path),
            Op::Update { .. } => self.update_and_move(edit, &path),
            Op::Delete { old } => self.delete(&path, old.as_ref()),
            op => self.whole(edit, op, &path),
        };
        match result {
            Ok((outcome, hunks)) => self.verdict(edit, Some(path), outcome, hunks),
            Err(refusal) => self.refuse(edit, Some(path), refusal),
        }
    }

    /// A move without a change says nothing of what moves.
    fn moves_a_link(&self, edit: &Edit, path: &RelPath) -> bool {
        let is_link = || matches!(self.overlay.image(path), Ok(Some(image)) if image.is_link());
        edit.move_to.is_some() && matches!(&edit.op, Op::Update { hunks } if hunks.is_empty()) && is_link()
    }

    /// Settles the updates of a file that were waiting.
    fn flush(&mut self, path: &RelPath) {
        let Some(edits) = self.pending.remove(path) else { return };
        let result = self.try_update(&edits, path, Evidence::default());
        self.settle(&edits, path, result);
    }

    /// Settles the line operations. Their numbers count in one text, so nothing else may change their file.
    fn flush_lines(&mut self) {
        for (path, edits) in std::mem::take(&mut self.lined) {
            let result = match self.pending.get(&path).and_then(|others| others.first()) {
                Some(_) => Err(Refusal::Doubtful {
                    what: "another edit of this input changes the file too".to_owned(),
                }),
                None => self.line_edits(&edits, &path),
            };
            match result {
                Err(refusal) => {
                    edits.iter().for_each(|edit| self.refuse(edit, Some(path.clone()), refusal.clone()));
                }
                Ok(per_edit) => {
                    for (edit, hunks) in edits.iter().zip(per_edit) {
                        self.verdict(edit, Some(path.clone()), Outcome::Applied, hunks);
                    }
                }
            }
        }
    }

    /// All line operations on one file, and where it moves.
    fn line_edits(
        &mut self,
        edits: &[&'e Edit<'i>],
        path: &RelPath,
    ) -> Result<Vec<Vec<HunkVerdict>>, Refusal> {
        let image = self.overlay.read(path)?.ok_or(Refusal::missing())?;
        if self.overlay.is_changed(path) {
            return Err(Refusal::Doubtful {
                what: "another edit of this input changes the file too".to_owned(),
            });
        }
        let (encoding, text) = whole::decode(&image.bytes)?;
        let ops = edits.iter().filter_map(|edit| lines::of(edit));
        let (removes, changes) =
            (ops.clone().any(|lines| lines.remove), ops.clone().any(|lines| !lines.ops.is_empty()));
        let moves: Vec<&Name> = edits.iter().filter_map(|edit| edit.move_to.as_ref()).collect();
        if removes && (changes || !moves.is_empty()) || moves.len() > 1 {
            let what =
                "sections of one file remove, move or change it in ways that exclude each other".to_owned();
            return Err(Refusal::Doubtful { what });
        }
        if removes && self.policy.no_delete {
            return Err(Refusal::NoDelete);
        }
        let olds = || self.files.old_texts(path);
        if !changes {
            lines::unchanged(&text, edits)?;
        }
        let (bytes, hunks) = if changes {
            let outcome = lines::apply(&text, edits, path.as_bytes(), olds)?;
            (whole::encode(encoding, outcome.bytes)?.into(), outcome.hunks)
        } else {
            (image.bytes.clone(), vec![Vec::new(); edits.len()])
        };
        let target = moves.first().map(|name| self.target(name, path)).transpose()?;
        let after = (!removes).then_some(Image { bytes, ..image });
        match target.filter(|target| target != path) {
            None => self.overlay.set(path, after)?,
            Some(target) => {
                self.overlay.set(path, None)?;
                self.overlay.set(&target, after)?;
                self.overlay.set_moved(&target, path)?;
            }
        }
        Ok(hunks)
    }

    /// Settles all updates that are waiting. What one file shows of the reply counts for the others.
    fn flush_all(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let first = |(path, edits): (RelPath, Vec<&'e Edit<'i>>)| {
            let result = self.try_update(&edits, &path, Evidence::default());
            (path, edits, result)
        };
        let tried: Vec<_> = pending.into_iter().map(first).collect();
        let mut all = Evidence::default();
        let updates = || tried.iter().filter_map(|(_, _, result)| result.as_ref().ok());
        updates().for_each(|update| all.join(update.evidence));
        let stale = updates().any(|update| update.stale);
        for (path, edits, result) in tried {
            let shown = result.as_ref().map_or(all, |update| update.evidence);
            let mut result = if shown == all { result } else { self.try_update(&edits, &path, all) };
            if stale
                && let Ok(update) = &mut result
                && update.distrust_loose()
                && self.policy.partial
            {
                // The content was made with what is now refused.
                result = Err(Refusal::Doubtful { what: "an edit of this file is in doubt".to_owned() });
            }
            self.settle(&edits, &path, result);
        }
    }

    fn settle(&mut self, edits: &[&'e Edit<'i>], path: &RelPath, result: Result<batch::Outcome, Refusal>) {
        match result.and_then(|outcome| self.take_outcome(path, outcome)) {
            Err(refusal) => {
                for edit in edits {
                    self.refuse(edit, Some(path.clone()), refusal.clone());
                }
            }
            Ok(per_edit) => {
                for (edit, hunks) in edits.iter().zip(per_edit) {
                    let outcome = outcome_of(&hunks);
                    self.verdict(edit, Some(path.clone()), outcome, hunks);
                }
            }
        }
    }

    /// Layers the new content over the files.
    fn take_outcome(
        &mut self,
        path: &RelPath,
        outcome: batch::Outcome,
    ) -> Result<Vec<Vec<HunkVerdict>>, Refusal> {
        let image = self.overlay.read(path)?.ok_or(Refusal::missing())?;
        let (encoding, _) = whole::decode(&image.bytes)?;
        let bytes = match encoding {
            Encoding::Bytes => outcome.bytes,
            _ => whole::encode(encoding, outcome.bytes.into())?.into(),
        };
        self.overlay.set(path, Some(Image { bytes, ..image }))?;
        let mut per_edit = outcome.hunks;
        let next = self.turns.entry(path.clone()).or_default();
        let first = *next;
        for hunk in per_edit.iter_mut().flatten() {
            hunk.turn += first;
            *next = (*next).max(hunk.turn + 1);
        }
        Ok(per_edit)
    }

    fn try_update(
        &self,
        edits: &[&Edit],
        path: &RelPath,
        known: Evidence,
    ) -> Result<batch::Outcome, Refusal> {
        let image = self.overlay.read(path)?.ok_or(Refusal::missing())?;
        let (encoding, bytes) = whole::decode(&image.bytes)?;
        let held = (encoding == Encoding::Bytes).then_some(&image.bytes);
        let outcome = batch::apply_to(&bytes, held, edits, self.policy, known);
        if is_too_large(&outcome.bytes) {
            return Err(Refusal::TooLarge { what: "the result is over 2 GiB".into() });
        }
        Ok(outcome)
    }

    fn update(&mut self, edits: &[&Edit], path: &RelPath) -> Result<Vec<Vec<HunkVerdict>>, Refusal> {
        let outcome = self.try_update(edits, path, Evidence::default())?;
        self.take_outcome(path, outcome)
    }

    /// An update that also moves or copies the file, or changes its mode.
    fn update_and_move(
        &mut self,
        edit: &Edit,
        path: &RelPath,
    ) -> Result<(Outcome, Vec<HunkVerdict>), Refusal> {
        let target = match &edit.move_to {
            None => path.clone(),
            Some(name) => self.target(name, path)?,
        };
        let original = self.overlay.read(path)?;
        let hunks = self.update(&[edit], path)?.pop().unwrap_or_default();
        let outcome = outcome_of(&hunks);
        if matches!(outcome, Outcome::Refused(_)) {
            return Ok((outcome, hunks));
        }
        let changed = self.overlay.read(path)?.map(|image| Image {
            mode: edit.mode.new.map_or(image.mode, |mode| with_mode(image.mode, mode)),
            ..image
        });
        if target == *path {
            self.overlay.set(path, changed)?;
        } else {
            self.overlay.set(path, if edit.copy { original } else { None })?;
            self.overlay.set(&target, changed)?;
            self.overlay.set_moved(&target, path)?;
        }
        Ok((Outcome::Applied, hunks))
    }

    /// Where a move goes: nothing else may stand there.
    fn target(&self, name: &Name, from: &RelPath) -> Result<RelPath, Refusal> {
        let to = self.resolver.resolve(&self.overlay, name, Want::New)?;
        if to != *from && !self.policy.overwrite && self.overlay.read(&to)?.is_some() {
            return Err(Refusal::MoveOver { to: to.to_string() });
        }
        Ok(to)
    }

    fn delete(
        &mut self,
        path: &RelPath,
        old: Option<&NewLines>,
    ) -> Result<(Outcome, Vec<HunkVerdict>), Refusal> {
        if self.policy.no_delete {
            return Err(Refusal::NoDelete);
        }
        let image = self.overlay.read(path)?.ok_or(Refusal::missing())?;
        if let Some(old) = old {
            whole::must_equal(&image.bytes, &old.cut())?;
        }
        self.overlay.set(path, None)?;
        Ok((Outcome::Applied, Vec::new()))
    }

    /// A creation, a whole file, or an empty old text.
    fn whole(
        &mut self,
        edit: &Edit,
        op: &Op,
        path: &RelPath,
    ) -> Result<(Outcome, Vec<HunkVerdict>), Refusal> {
        let image = self.overlay.read(path)?;
        let before = image.as_ref().map(|image| &*image.bytes);
        let stands = |bytes: &Content| image.as_ref().is_some_and(|image| image.bytes == *bytes);
        let bytes = match op {
            Op::Create { lines } => whole::create(before, lines, self.policy)?,
            Op::Append { lines } => whole::append(before, lines)?,
            Op::Whole { lines } => {
                if edit.format == Format::WholeFile {
                    whole::refuse_empty_fence(before, &lines.cut())?;
                }
                let bytes = whole::replace(before, lines, path, self.policy)?;
                let earlier = self.overlay.whole(path, edit.span)?;
                match earlier {
                    // One call after another: the last one holds.
                    Some(other) if edit.format != Format::EditCall && !stands(&bytes) => {
                        return Err(Refusal::SecondWhole { other });
                    }
                    _ => bytes,
                }
            }
            Op::Delete { .. } | Op::Update { .. } | Op::Lines(_) | Op::Binary(_) => {
                return Ok((Outcome::Applied, Vec::new()));
            }
        };
        if stands(&bytes) {
            return if self.policy.rules().strict_state {
                Err(Refusal::AlreadyApplied { line: 1 })
            } else {
                Ok((Outcome::Already, Vec::new()))
            };
        }
        let mode = image.map_or(NEW_FILE, |image| image.mode);
        let mode = edit.mode.new.map_or(mode, |new| with_mode(mode, new));
        self.overlay.set(path, Some(Image { bytes, mode }))?;
        Ok((Outcome::Applied, Vec::new()))
    }

    fn refuse(&mut self, edit: &Edit, path: Option<RelPath>, refusal: Refusal) {
        self.verdict(edit, path, Outcome::Refused(refusal), Vec::new());
    }

    fn verdict(&mut self, edit: &Edit, path: Option<RelPath>, outcome: Outcome, hunks: Vec<HunkVerdict>) {
        let named = edit.path.as_ref().map(|name| match outcome {
            Outcome::Refused(Refusal::NoSuchFile { .. }) => self.resolver.shown(name),
            _ => name.text.to_vec(),
        });
        self.verdicts.push(Verdict {
            id: edit.id,
            format: edit.format,
            span: edit.span,
            path,
            named,
            outcome,
            hunks,
            notes: edit.notes.clone(),
            call: edit.call.id.clone(),
        });
    }

    fn finish(mut self, faults: &[Fault]) -> Plan {
        self.flush_lines();
        self.flush_all();
        self.check_links();
        self.verdicts.extend(faults.iter().map(|fault| of_fault(fault, &self.resolver, self.files)));
        self.verdicts.sort_by_key(|verdict| verdict.id);
        let mut plan = Plan { changes: self.overlay.changes(), verdicts: self.verdicts, ..Plan::default() };
        refuse_clashes(&mut plan);
        if !plan.is_ok() && (!self.policy.partial || !faults.is_empty()) {
            plan.changes.clear();
        }
        plan
    }
}

/// What could not be read; its file is named as the input's other names are read.
fn of_fault(fault: &Fault, resolver: &Resolver, files: &dyn Files) -> Verdict {
    let path = fault.path.as_ref().and_then(|name| resolver.resolve(files, name, Want::Existing).ok());
    Verdict {
        id: fault.id,
        format: fault.format,
        span: fault.span,
        path,
        named: fault.path.as_ref().map(|name| resolver.shown(name)),
        outcome: Outcome::Refused(fault.refusal.clone()),
        hunks: Vec::new(),
        notes: Vec::new(),
        call: fault.call.id.clone(),
    }
}

/// An edit's outcome from its hunks': one refused refuses it, all there already makes it so.
fn outcome_of(hunks: &[HunkVerdict]) -> Outcome {
    let refused = hunks.iter().find_map(|hunk| match &hunk.outcome {
        HunkOutcome::Refused(refusal) => Some(refusal.clone()),
        _ => None,
    });
    let idle = |hunk: &HunkVerdict| matches!(hunk.outcome, HunkOutcome::Already { .. } | HunkOutcome::Twice);
    match refused {
        Some(refusal) => Outcome::Refused(refusal),
        None if !hunks.is_empty() && hunks.iter().all(idle) => Outcome::Already,
        None => Outcome::Applied,
    }
}

/// The permission bits after a change to a git mode: only the executable bits follow it.
fn with_mode(now: u32, new: u32) -> u32 {
    if new & 0o100 == 0 { now & !0o111 } else { now | (now & 0o444) >> 2 }
}

/// Two planned paths that some file systems take for one.
fn refuse_clashes(plan: &mut Plan) {
    let mut seen: BTreeMap<String, RelPath> = BTreeMap::new();
    let standing = |change: &&super::Change| change.after.is_some();
    let paths: Vec<RelPath> =
        plan.changes.iter().filter(standing).map(|change| change.path.clone()).collect();
    for path in paths {
        let Some(other) = seen.insert(path.fold(), path.clone()) else { continue };
        for verdict in plan.verdicts.iter_mut().filter(|verdict| verdict.path.as_ref() == Some(&path)) {
            verdict.outcome = Outcome::Refused(Refusal::PathCaseClash { other: other.to_string() });
        }
    }
}

/// Files that hold the text of an edit which names none.
fn holders(files: &dyn Files, edit: &Edit) -> Vec<String> {
    let wanted: Vec<Vec<u8>> = hunks(edit)
        .iter()
        .filter_map(|hunk| hunk.body().old().max_by_key(|line| word_chars(&line.text)))
        .map(|line| line.text.trim_ascii().to_vec())
        .filter(|line| word_chars(line) >= 4)
        .collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let holds = |path: &RelPath| {
        let image = files.read(path).ok().flatten();
        image
            .is_some_and(|image| wanted.iter().all(|line| memchr::memmem::find(&image.bytes, line).is_some()))
    };
    files.paths().iter().take(SEARCHED).filter(|path| holds(path)).take(5).map(ToString::to_string).collect()
}
