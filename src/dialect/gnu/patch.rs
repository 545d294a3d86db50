//! One patch, from the file that was chosen to what is written of it.

use super::{
    choose::Patch,
    disk::{Fault, Key, New, NodeKind},
    header::{Absence, NEW, OLD, is_ed_command},
    hunks::Outcome,
    options::{Kind, ReadOnly},
    queue::Target,
    session::{Fatal, Session, Sink},
};
use crate::{
    dialect::mask::umask,
    input::strict::ed,
    plan::Change,
    tree::{Content, Image},
};

/// The file under work.
struct Subject {
    /// Where the content comes from.
    source: Target,
    /// Where it goes.
    target: Target,
    bytes: Content,
}

/// What a patch does beside its hunks.
struct Turn {
    /// The mode that it sets.
    mode: Option<u32>,
    /// The file gets another name, or a copy has it.
    moves: bool,
}

impl Turn {
    /// `named`: the caller says which file it is.
    fn new(patch: &Patch, named: bool) -> Turn {
        let header = patch.header();
        let [old, new] = if patch.reverse { [header.modes[NEW], header.modes[OLD]] } else { header.modes };
        Turn {
            mode: (new != 0 && old != new).then_some(new & 0o777),
            moves: (header.renames() || header.copies()) && !named,
        }
    }
}

impl Session<'_> {
    /// Applies one patch, and says what came of it.
    pub(super) fn one(&mut self, mut patch: Patch) -> Result<(), Fatal> {
        self.lines.seek(patch.found.start);
        self.lines.dress = patch.found.dress;
        if self.git && !patch.header().git {
            self.flush(None)?;
        }
        self.git = patch.header().git;
        let mut keeps_rejects = true;
        let mut subject = None;
        if !patch.skip {
            keeps_rejects = self.check_places(&mut patch)?;
        }
        if !patch.skip {
            subject = self.subject(&mut patch)?;
        }
        if patch.found.kind == Kind::Ed {
            return self.run_ed(&patch, subject);
        }
        if let (Some(subject), false) = (&subject, patch.skip) {
            self.check_version(&patch, subject)?;
            self.tell_patching(&patch, subject);
        }
        let bytes = subject.as_ref().map(|subject| subject.bytes.clone()).unwrap_or_default();
        let mut outcome = self.apply_hunks(&mut patch, &bytes)?;
        self.go_on(&patch);
        if let (Some(subject), false) = (&subject, patch.skip) {
            self.finish(&patch, subject, &mut outcome)?;
        }
        if outcome.failed > 0 && keeps_rejects {
            self.some_failed = true;
            let target = subject.as_ref().map(|subject| subject.target.clone());
            self.keep_rejects(&patch, &outcome, target)?;
        }
        self.some_failed |= outcome.conflict || patch.skip;
        Ok(())
    }

    /// The next patch is looked for behind this one, and never at the same place.
    fn go_on(&mut self, patch: &Patch) {
        if self.lines.place().at <= patch.found.before.at {
            self.lines.raw();
        }
        self.base = self.lines.place();
    }

    pub(super) fn flush(&mut self, until: Option<u64>) -> Result<(), Fatal> {
        let flushed = self.queue.flush(&mut self.disk, self.options, until);
        flushed.map_err(|failed| self.failed(failed))
    }

    /// Names that lead out of the tree are not used. False: the rejects are not kept either.
    fn check_places(&mut self, patch: &mut Patch) -> Result<bool, Fatal> {
        let name = patch.name.clone().unwrap_or_default();
        match &patch.place {
            Ok(key) if self.original.is_some() || self.disk.node(key) != Err(Fault::NotFolder) => Ok(true),
            Err(Fault::Climbs) => Err(self.fault(
                "Can't create temporary file",
                &[&name[..], b".oXXXXXX"].concat(),
                &Fault::Climbs,
            )),
            Ok(_) | Err(Fault::Outside | Fault::Closed) => {
                self.say.named("Invalid file name ", &name, " -- skipping patch\n");
                patch.skip = true;
                self.some_failed = true;
                Ok(false)
            }
            Err(fault) => Err(self.fault("Can't open file", &name, fault)),
        }
    }

    /// The file to read and the file to write, once both may be used.
    fn subject(&mut self, patch: &mut Patch) -> Result<Option<Subject>, Fatal> {
        let Some(source) = patch.target() else { return Ok(None) };
        if patch.found.kind == Kind::GitBinary {
            self.say.named("File ", &source.name, ": git binary diffs are not supported.\n");
            return Ok(self.refuse(patch));
        }
        if patch.header().binary_differs && patch.absent_after() != Absence::Missing {
            self.say.named("File ", &source.name, ": the binary change is not in the patch.\n");
            return Ok(self.refuse(patch));
        }
        let target = self.target_of(patch, &source)?;
        let Some(target) = target else { return Ok(self.refuse(patch)) };
        let mut read_from = source.key.clone();
        if let Some(node) = patch.node.clone() {
            if self.options.follow_symlinks
                && self.disk.node(&source.key).ok().flatten().is_some_and(|node| node.kind == NodeKind::Link)
            {
                let behind = self.disk.behind(&source.key);
                read_from = behind.map_err(|fault| self.fault("Can't open file", &source.name, &fault))?;
            }
            if node.kind != patch.file_kind {
                self.refuse_kind(patch, &source);
                return Ok(Some(Subject { source, target, bytes: Content::default() }));
            }
            if self.queue.holds(&node) && !(patch.header().renames() || patch.header().copies()) {
                self.flush(Some(node.id))?;
                patch.node = self.disk.node(&source.key).ok().flatten();
            }
            if !self.may_write(patch, &source, node.writable) {
                return Ok(Some(Subject { source, target, bytes: Content::default() }));
            }
        }
        let bytes = match patch.node {
            Some(_) => self.disk.bytes(&read_from),
            None => Ok(Content::default()),
        };
        let bytes = bytes.map_err(|fault| self.fault("Can't open file", &source.name, &fault))?;
        Ok(Some(Subject { source, target, bytes }))
    }

    fn refuse(&mut self, patch: &mut Patch) -> Option<Subject> {
        patch.skip = true;
        self.some_failed = true;
        None
    }

    fn refuse_kind(&mut self, patch: &mut Patch, source: &Target) {
        let wanted = if patch.file_kind == NodeKind::Link { "symbolic link" } else { "regular file" };
        self.say.named("File ", &source.name, &format!(" is not a {wanted} -- refusing to patch\n"));
        patch.skip = true;
        self.some_failed = true;
    }

    /// What is said, and done, about a file without the right to write.
    fn may_write(&mut self, patch: &mut Patch, source: &Target, writable: bool) -> bool {
        if writable || self.options.read_only == ReadOnly::Ignore {
            return true;
        }
        self.say.named("File ", &source.name, " is read-only; ");
        if self.options.read_only == ReadOnly::Warn {
            self.say.text("trying to patch anyway\n");
            return true;
        }
        self.say.text("refusing to patch\n");
        patch.skip = true;
        self.some_failed = true;
        false
    }

    /// Where the result goes: the output file, the other name of a rename or copy, or the file itself.
    fn target_of(&mut self, patch: &mut Patch, source: &Target) -> Result<Option<Target>, Fatal> {
        if let Some(output) = &self.output {
            let name = self.options.output.clone().unwrap_or_default();
            let key = match &output.sink {
                Sink::File(target) => target.key.clone(),
                _ => source.key.clone(),
            };
            return Ok(Some(Target { name, key }));
        }
        if !(patch.header().renames() || patch.header().copies()) || self.original.is_some() {
            return Ok(Some(source.clone()));
        }
        let Some(name) = patch.header().names[usize::from(!patch.reverse)].clone() else { return Ok(None) };
        match self.disk.place(&name) {
            Ok(key) => Ok(Some(Target { name, key })),
            Err(_) => {
                self.say.named("Invalid file name ", &name, " -- skipping patch\n");
                Ok(None)
            }
        }
    }

    /// `Prereq:` names a word that the file must hold.
    fn check_version(&mut self, patch: &Patch, subject: &Subject) -> Result<(), Fatal> {
        let Some(version) = &patch.header().prereq else { return Ok(()) };
        let mut words = subject.bytes.split(u8::is_ascii_whitespace);
        let shown = String::from_utf8_lossy(&super::quote::line(version)).into_owned();
        if words.any(|word| word == &version[..]) {
            if self.options.verbose() {
                self.say.text(&format!("Good.  This file appears to be the {shown} version.\n"));
            }
            return Ok(());
        }
        if self.options.force {
            if !self.options.silent() {
                self.say.text(&format!(
                    "Warning: this file doesn't appear to be the {shown} version -- patching anyway.\n"
                ));
            }
            return Ok(());
        }
        let problem = format!("This file doesn't appear to be the {shown} version -- ");
        if self.options.batch {
            return Err(Fatal::new(problem + "aborting."));
        }
        if self.say.ask(&(problem + "patch anyway? [n] ")).starts_with(b"y") {
            return Ok(());
        }
        Err(Fatal::new("aborted"))
    }

    fn tell_patching(&mut self, patch: &Patch, subject: &Subject) {
        if self.options.silent() {
            return;
        }
        let verb = if self.options.dry_run { "checking" } else { "patching" };
        let what = if patch.file_kind == NodeKind::Link { "symbolic link" } else { "file" };
        self.say.named(&format!("{verb} {what} "), &subject.target.name, "");
        let moved = if patch.header().renames() { "renamed" } else { "copied" };
        let moves = (patch.header().renames() || patch.header().copies()) && self.original.is_none();
        if self.output.is_some() && subject.source.name != subject.target.name {
            self.say.plainly(" (read from ", &subject.source.name, ")\n");
        } else if subject.source.name != subject.target.name {
            self.say.plainly(&format!(" ({moved} from "), &subject.source.name, ")\n");
        } else if moves && patch.header().renames() {
            let from = patch.header().names[usize::from(patch.reverse)].clone().unwrap_or_default();
            self.say.plainly(" (already renamed from ", &from, ")\n");
        } else {
            self.say.text("\n");
        }
    }

    /// Writes what the hunks came to.
    fn finish(&mut self, patch: &Patch, subject: &Subject, outcome: &mut Outcome) -> Result<(), Fatal> {
        if let Some(output) = &mut self.output {
            output.bytes.extend_from_slice(&outcome.bytes);
            return Ok(());
        }
        let options = self.options;
        let inexact = outcome.mismatch || outcome.failed > 0;
        let backup = options.backup || (options.backs_up_mismatches() && inexact);
        let gone = patch.absent_after() == Absence::Missing && !options.posix;
        let empty = outcome.bytes.is_empty();
        if empty && (options.remove_empty || gone || patch.file_kind == NodeKind::Link) {
            return match options.dry_run {
                true => self.would(patch, subject, None),
                false => self.delete(patch, subject, backup),
            };
        }
        let mut mismatch = outcome.mismatch;
        if !empty && patch.absent_after() == Absence::Missing && !options.posix && !outcome.conflict {
            mismatch = true;
            self.some_failed = true;
            if !options.silent() {
                self.say.named(
                    "Not deleting file ",
                    &subject.target.name,
                    " as content differs from patch\n",
                );
            }
        }
        if options.dry_run {
            return self.would(patch, subject, Some(outcome));
        }
        self.replace(patch, subject, outcome, (mismatch || outcome.failed > 0, backup))
    }

    /// What a run that writes would come to, for programs; without an outcome the file goes.
    fn would(&mut self, patch: &Patch, subject: &Subject, outcome: Option<&Outcome>) -> Result<(), Fatal> {
        let turn = Turn::new(patch, self.original.is_some());
        if !self.options.json || outcome.is_some_and(|outcome| !self.takes(&turn, subject, outcome)) {
            return Ok(());
        }
        let image = |bytes: &Content, mode| Image { bytes: bytes.clone(), mode };
        let there = patch.node.as_ref();
        let source = there.map(|node| image(&subject.bytes, node.mode));
        let is_same = subject.source.key == subject.target.key;
        let before = match self.disk.node(&subject.target.key) {
            _ if is_same => source.clone(),
            Ok(Some(node)) => self.disk.bytes(&subject.target.key).ok().map(|bytes| image(&bytes, node.mode)),
            _ => None,
        };
        let made = there.map_or(0o666 & !umask(), |node| node.mode);
        let mode = turn.mode.unwrap_or(made);
        let after = outcome.map(|outcome| Image { bytes: outcome.bytes.clone().into(), mode });
        let path = subject.source.key.path.clone();
        let moves = turn.moves && !is_same;
        if moves && patch.header().renames() {
            let gone = Change { path, before: source, after: None, moved_from: None };
            self.told.changes.push(gone);
        }
        let path = subject.target.key.path.clone();
        self.told.changes.push(Change { path, before, after, moved_from: None });
        Ok(())
    }

    /// Whether a patch changes anything at all.
    fn takes(&self, turn: &Turn, subject: &Subject, outcome: &Outcome) -> bool {
        let more = turn.mode.is_some() || turn.moves;
        let unchanged = self.options.safe && outcome.bytes == *subject.bytes;
        more || (!unchanged && outcome.failed < outcome.hunks)
    }

    fn delete(&mut self, patch: &Patch, subject: &Subject, backup: bool) -> Result<(), Fatal> {
        match self.disk.node(&subject.target.key) {
            Ok(Some(node)) => self.queue.remove(subject.target.clone(), &node, backup),
            _ if backup => {
                let done = self.queue.back_up(&mut self.disk, self.options, &subject.target);
                done.map_err(|failed| self.failed(failed))?;
            }
            _ => {}
        }
        if patch.header().renames()
            && subject.source.key != subject.target.key
            && let Some(node) = &patch.node
        {
            self.queue.remove(subject.source.clone(), node, backup);
        }
        Ok(())
    }

    fn replace(
        &mut self,
        patch: &Patch,
        subject: &Subject,
        outcome: &mut Outcome,
        (inexact, backup): (bool, bool),
    ) -> Result<(), Fatal> {
        let header = patch.header();
        let turn = Turn::new(patch, self.original.is_some());
        if !self.takes(&turn, subject, outcome) {
            let unchanged = self.options.safe && outcome.bytes == *subject.bytes;
            if backup && !unchanged {
                self.back_up_only(subject)?;
            }
            return Ok(());
        }
        let there = patch.node.as_ref();
        let mode = turn.mode.unwrap_or(there.map_or(0o666, |node| node.mode));
        let kept = there.is_some_and(|node| node.exact_mode);
        let modified = self.wanted_time(patch, subject, inexact);
        let bytes = std::mem::take(&mut outcome.bytes).into();
        let new = New { kind: patch.file_kind, bytes, mode, exact: turn.mode.is_some() || kept, modified };
        let later = header.git && patch.absent_before() != Absence::Missing;
        let written =
            self.queue.write(&mut self.disk, self.options, subject.target.clone(), new, (backup, later));
        written.map_err(|failed| self.failed(failed))?;
        if header.renames()
            && turn.moves
            && subject.source.key != subject.target.key
            && let Some(node) = there
        {
            self.queue.remove(subject.source.clone(), node, backup);
        }
        Ok(())
    }

    fn back_up_only(&mut self, subject: &Subject) -> Result<(), Fatal> {
        if self.disk.node(&subject.target.key).ok().flatten().is_none() {
            self.say.named("Cannot stat file ", &subject.target.name, ", skipping backup\n");
            return Ok(());
        }
        let done = self.queue.back_up(&mut self.disk, self.options, &subject.target);
        done.map_err(|failed| self.failed(failed))
    }

    /// The time that the header gives to the new file, if it may be set.
    fn wanted_time(
        &mut self,
        patch: &Patch,
        subject: &Subject,
        inexact: bool,
    ) -> Option<super::stamp::Stamp> {
        self.options.set_time?;
        let header = patch.header();
        let new = header.stamps[usize::from(!patch.reverse)]?;
        let old = header.stamps[usize::from(patch.reverse)];
        // A file that this run wrote has no time yet, and will have the present one.
        let there = patch.node.as_ref().map(|node| node.modified);
        let differs = patch.absent_before() != Absence::Missing
            && old.is_some()
            && there.is_some_and(|modified| modified != old);
        let why = match (self.options.force, differs, inexact) {
            (false, true, _) => "time mismatch",
            (false, false, true) => "contents mismatch",
            _ => return Some(new),
        };
        self.say.named("Not setting time of file ", &subject.target.name, &format!(" ({why})\n"));
        None
    }

    /// Says how many hunks failed, and writes them to the reject file.
    fn keep_rejects(
        &mut self,
        patch: &Patch,
        outcome: &Outcome,
        target: Option<Target>,
    ) -> Result<(), Fatal> {
        let what = if patch.skip { "ignored" } else { "FAILED" };
        let s = if outcome.hunks == 1 { "" } else { "s" };
        let sum = format!("{} out of {} hunk{s} {what}", outcome.failed, outcome.hunks);
        let thrown = self.options.reject_file.as_deref() == Some(b"-");
        let Some(target) = target.filter(|_| !thrown && !self.options.dry_run && !self.options.safe) else {
            self.say.text(&(sum + "\n"));
            return Ok(());
        };
        let (name, key) = match &self.options.reject_file {
            Some(name) => (name.clone(), self.disk.callers_place(name)),
            None => {
                let name = super::backup::simple(&target.name, b".rej", b'#');
                let key = self.disk.backup_place(&target, &name, false);
                (name, key)
            }
        };
        self.say.named(&(sum + " -- saving rejects to file "), &name, "\n");
        let key =
            key.and_then(|key| match self.disk.has_parent(&key) || self.options.reject_file.is_none() {
                true => Ok(key),
                false => Err(Fault::Io("No such file or directory".into())),
            });
        let key = key.map_err(|fault| self.fault("Can't create file", &name, &fault))?;
        if self.disk.node(&key).ok().flatten().is_some_and(|node| node.kind == NodeKind::Other) {
            let opened = std::fs::OpenOptions::new().write(true).open(self.disk.real_path(&name));
            let _ =
                opened.and_then(|mut device| std::io::Write::write_all(&mut device, &outcome.rejects.bytes));
            return Ok(());
        }
        self.put_rejects(&key, &outcome.rejects.bytes);
        Ok(())
    }

    /// The first rejects of a run replace what stands there, later ones follow them.
    fn put_rejects(&mut self, key: &Key, rejects: &[u8]) {
        let mut bytes = Vec::new();
        if !self.rejected.insert(key.clone()) {
            bytes = self.disk.bytes(key).map(|bytes| bytes.to_vec()).unwrap_or_default();
        }
        bytes.extend_from_slice(rejects);
        self.queue.put_own(&mut self.disk, key, bytes);
    }

    /// An ed script is interpreted, not handed to `ed`.
    fn run_ed(&mut self, patch: &Patch, subject: Option<Subject>) -> Result<(), Fatal> {
        let script = ed::read(&mut self.lines, is_ed_command);
        self.tell_torn();
        self.go_on(patch);
        let Some(subject) = subject.filter(|_| !patch.skip) else {
            self.some_failed = true;
            return Ok(());
        };
        self.check_version(patch, &subject)?;
        if self.options.dry_run {
            return Ok(());
        }
        // What `ed` itself would print.
        if subject.bytes.last().is_some_and(|last| *last != b'\n') {
            self.say.text("Newline appended\n");
        }
        let result = script.and_then(|script| ed::run(&subject.bytes, &script));
        let bytes = result.map_err(|error| {
            self.say.text("?\n");
            Fatal(error.message())
        })?;
        let rejects = super::reject::Rejects::new(None);
        let mut outcome = Outcome { hunks: 1, failed: 0, mismatch: false, conflict: false, bytes, rejects };
        self.finish(patch, &subject, &mut outcome)
    }
}
