//! Edits of what is no text: symbolic links and binary contents.

use super::{Planner, with_mode};
use crate::{
    edit::{Binary, Edit, Hunk, HunkLine, Line, NewLines, Op},
    merge,
    plan::{HunkVerdict, Outcome},
    refusal::{Closest, Quote, Refusal},
    tree::{Files, Image, RelPath, check_target, is_link_mode},
};

type Settled = Result<(Outcome, Vec<HunkVerdict>), Refusal>;

/// What the edit makes or changes, if that is nothing that is carried out.
pub(super) fn refused(edit: &Edit) -> Option<&'static str> {
    let modes = [edit.mode.old, edit.mode.new];
    let kinds = || modes.into_iter().flatten().map(|mode| mode & 0o170_000);
    if kinds().any(|kind| kind == 0o160_000) {
        return Some("a submodule");
    }
    if kinds().any(|kind| kind == 0o040_000) {
        return Some("a folder");
    }
    let text = matches!(edit.op, Op::Create { .. } | Op::Delete { .. } | Op::Update { .. });
    let both = matches!((edit.mode.old, edit.mode.new), (Some(old), Some(new)) if is_link_mode(old) != is_link_mode(new));
    (is_link(edit) && (both || !text)).then_some("a file that becomes a link, or a link that becomes a file")
}

/// The edit says that it concerns a link.
pub(super) fn is_link(edit: &Edit) -> bool {
    edit.mode.old.is_some_and(is_link_mode) || edit.mode.new.is_some_and(is_link_mode)
}

/// A link's target as a diff's line shows it; there is no newline behind it, said or not.
fn target<'l>(lines: impl Iterator<Item = &'l [u8]>) -> Vec<u8> {
    lines.collect::<Vec<_>>().join(&b'\n')
}

fn of_lines(lines: &[Line]) -> Vec<u8> {
    target(lines.iter().map(|line| line.text.as_ref()))
}

fn of_side<'h, 'i: 'h>(side: impl Iterator<Item = &'h HunkLine<'i>>) -> Vec<u8> {
    target(side.map(|line| line.text.as_ref()))
}

/// The link leads elsewhere than the edit says.
fn leads_elsewhere(found: &[u8]) -> Refusal {
    let quote = Quote { first: 1, lines: vec![found.to_vec()] };
    let difference = "the link leads elsewhere".to_owned();
    Refusal::NotFound { closest: vec![Closest { quote, difference }], tried: Vec::new() }
}

impl<'e, 'i> Planner<'e, 'i, '_> {
    /// An edit of a link itself; nothing is ever changed through it.
    pub(super) fn link(&mut self, edit: &'e Edit<'i>, path: &RelPath) -> Settled {
        match &edit.op {
            Op::Create { lines } => self.make_link(path, of_lines(&lines.cut())),
            Op::Delete { old } => self.remove_link(path, old.as_ref()),
            Op::Update { hunks } => self.change_link(edit, path, hunks),
            _ => Err(Refusal::SpecialMode { what: "a symbolic link" }),
        }
    }

    fn make_link(&mut self, path: &RelPath, target: Vec<u8>) -> Settled {
        check_target(&self.overlay, path, &target)?;
        let link = Some(Image::link(target));
        match self.overlay.image(path)? {
            standing if standing == link => self.stands_already(),
            Some(_) if !self.policy.overwrite => Err(Refusal::FileExists),
            _ => self.set(path, link),
        }
    }

    fn remove_link(&mut self, path: &RelPath, old: Option<&NewLines>) -> Settled {
        if self.policy.no_delete {
            return Err(Refusal::NoDelete);
        }
        let link = self.standing_link(path)?;
        if let Some(old) = old.filter(|old| !old.is_empty())
            && of_lines(&old.cut()) != *link.bytes
        {
            return Err(leads_elsewhere(&link.bytes));
        }
        self.set(path, None)
    }

    /// A link that leads elsewhere from now on, moves, or both.
    fn change_link(&mut self, edit: &Edit, path: &RelPath, hunks: &[Hunk]) -> Settled {
        let standing = self.standing_link(path)?;
        let link = match hunks {
            [] => standing.clone(),
            [hunk] => {
                let (old, new) = (of_side(hunk.body().old()), of_side(hunk.body().new_side()));
                if *standing.bytes == new && old != new && edit.move_to.is_none() {
                    return self.stands_already();
                }
                if *standing.bytes != old {
                    return Err(leads_elsewhere(&standing.bytes));
                }
                Image::link(new)
            }
            _ => return Err(Refusal::Malformed { what: "a link's diff has one hunk".into() }),
        };
        let to = match &edit.move_to {
            None => path.clone(),
            Some(name) => self.target(name, path)?,
        };
        check_target(&self.overlay, &to, &link.bytes)?;
        self.put(edit, path, &to, link, standing)
    }

    fn standing_link(&self, path: &RelPath) -> Result<Image, Refusal> {
        match self.overlay.image(path)? {
            Some(image) if image.is_link() => Ok(image),
            Some(_) => Err(Refusal::TargetNotFile { what: "a regular file, and the edit means a link" }),
            None => Err(Refusal::missing()),
        }
    }

    /// Bytes that are no text.
    pub(super) fn binary(&mut self, edit: &Edit, binary: &Binary, path: &RelPath) -> Settled {
        if binary.new.is_none() && self.policy.no_delete {
            return Err(Refusal::NoDelete);
        }
        let standing = self.overlay.read(path)?;
        let made = merge::binary::apply(binary, standing.as_ref().map(|image| &image.bytes[..]))?;
        let Some(bytes) = made else { return self.stands_already() };
        if binary.new.is_none() {
            return self.set(path, None);
        }
        let mode = standing.as_ref().map_or(super::NEW_FILE, |image| image.mode);
        let image = Image { bytes, mode: edit.mode.new.map_or(mode, |new| with_mode(mode, new)) };
        match (&edit.move_to, standing) {
            (Some(name), Some(standing)) => {
                let to = self.target(name, path)?;
                self.put(edit, path, &to, image, standing)
            }
            _ => self.set(path, Some(image)),
        }
    }

    fn set(&mut self, path: &RelPath, image: Option<Image>) -> Settled {
        self.overlay.set(path, image)?;
        Ok((Outcome::Applied, Vec::new()))
    }

    /// What stands at `path`, changed or not, at its new place.
    fn put(&mut self, edit: &Edit, path: &RelPath, to: &RelPath, image: Image, old: Image) -> Settled {
        if to != path {
            self.overlay.set(path, edit.copy.then_some(old))?;
            self.overlay.set_moved(to, path)?;
        }
        self.set(to, Some(image))
    }

    fn stands_already(&self) -> Settled {
        if self.policy.rules().strict_state {
            Err(Refusal::AlreadyApplied { line: 1 })
        } else {
            Ok((Outcome::Already, Vec::new()))
        }
    }

    /// Links are looked at once more when all edits are planned: one may lead through another.
    pub(super) fn check_links(&mut self) {
        for (path, target, from) in self.overlay.new_links() {
            let Err(refusal) = check_target(&self.overlay, &path, &target) else { continue };
            let concerns =
                |at: &Option<RelPath>| at.as_ref().is_some_and(|at| *at == path || Some(at) == from.as_ref());
            for verdict in self.verdicts.iter_mut().filter(|verdict| concerns(&verdict.path)) {
                verdict.outcome = Outcome::Refused(refusal.clone());
            }
        }
    }
}
