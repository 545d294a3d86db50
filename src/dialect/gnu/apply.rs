//! A file rewritten by its hunks, from top to bottom.

use super::locate::Target;
use crate::input::strict::{Hunk, HunkLine, Mark};

/// Why a hunk that was placed did not go in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// An earlier hunk used these lines.
    Misordered,
    /// The two sides of the hunk disagree here; lines of the patch.
    OutOfSync(usize, usize),
}

impl Clash {
    fn out_of_sync(hunk: &Hunk<'_>, old: usize, new: usize) -> Clash {
        let (old, new) = hunk.disagreement(old, new);
        Clash::OutOfSync(old, new)
    }
}

/// The conditional that is open in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    Outside,
    IfNot,
    If,
    Else,
}

/// The new content as far as it is known.
pub struct Output<'o> {
    pub bytes: Vec<u8>,
    /// Lines of the file that were copied or replaced.
    pub frozen: i64,
    /// Lines gained so far.
    pub growth: i64,
    ifdef: Option<&'o [u8]>,
    /// The last line of a side was written without a line end.
    torn: bool,
}

impl<'o> Output<'o> {
    pub fn new(capacity: usize, ifdef: Option<&'o [u8]>) -> Output<'o> {
        Output { bytes: Vec::with_capacity(capacity), frozen: 0, growth: 0, ifdef, torn: false }
    }

    /// Copies the file's lines up to `line`, which must not be settled already.
    pub fn copy_to(&mut self, target: &Target<'_>, line: i64) -> Result<(), Clash> {
        if self.frozen > line {
            return Err(Clash::Misordered);
        }
        let index = |line: i64| usize::try_from(line).unwrap_or(0).min(target.len() as usize);
        self.emit(target.run(index(self.frozen)..index(line)));
        self.frozen = line;
        Ok(())
    }

    /// Writes lines; one that was written without a line end gets it now.
    pub fn emit(&mut self, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        if self.torn {
            self.bytes.push(b'\n');
        }
        self.bytes.extend_from_slice(line);
        self.torn = !line.ends_with(b"\n");
    }

    /// Writes a conflict mark.
    pub fn mark(&mut self, mark: &str) {
        self.emit(&[mark.as_bytes(), b"\n"].concat());
    }

    /// Copies what is left of the file.
    pub fn finish(&mut self, target: &Target<'_>) {
        let end = target.len().max(self.frozen);
        let _ = self.copy_to(target, end);
    }

    /// Puts a hunk in whose old side begins at line `place`, from 1. `first_line` is the hunk's line in
    /// the patch.
    pub fn put(&mut self, target: &Target<'_>, hunk: &Hunk<'_>, place: i64) -> Result<(), Clash> {
        let mut guard = Guard::Outside;
        let (mut old, mut new) = (0, 0);
        while let Some(line) = hunk.old.get(old) {
            let here = place - 1 + old as i64;
            let added = hunk.new.get(new);
            match (line.mark, added.map(|line| line.mark)) {
                (Mark::Removed, _) => {
                    self.copy_to(target, here)?;
                    self.drop_line(target, &mut guard);
                    old += 1;
                }
                (_, None) => break,
                (_, Some(Mark::Added)) => {
                    self.copy_to(target, here)?;
                    self.add_line(&hunk.new[new], &mut guard);
                    new += 1;
                }
                (Mark::Changed, Some(Mark::Changed)) => {
                    self.copy_to(target, here)?;
                    (old, new) = self.change(target, hunk, (old, new), &mut guard);
                }
                (Mark::Context, Some(Mark::Context)) => {
                    if guard != Guard::Outside {
                        self.copy_to(target, here)?;
                        self.close(&mut guard);
                    }
                    (old, new) = (old + 1, new + 1);
                }
                _ => return Err(Clash::out_of_sync(hunk, old, new)),
            }
        }
        self.rest(target, hunk, (place - 1 + old as i64, new), &mut guard)?;
        self.growth += hunk.growth();
        Ok(())
    }

    fn rest(
        &mut self,
        target: &Target<'_>,
        hunk: &Hunk<'_>,
        (here, new): (i64, usize),
        guard: &mut Guard,
    ) -> Result<(), Clash> {
        let added = hunk.new[new.min(hunk.new.len())..].iter().take_while(|line| line.mark == Mark::Added);
        let added: Vec<&HunkLine<'_>> = added.collect();
        let behind = new + added.len();
        if hunk.new.get(behind).is_some_and(|line| line.mark == Mark::Changed) {
            // The model would lose these lines.
            return Err(Clash::out_of_sync(hunk, hunk.old.len(), behind));
        }
        if !added.is_empty() {
            self.copy_to(target, here)?;
        }
        for line in added {
            self.add_line(line, guard);
        }
        self.close(guard);
        Ok(())
    }

    fn change(
        &mut self,
        target: &Target<'_>,
        hunk: &Hunk<'_>,
        (mut old, mut new): (usize, usize),
        guard: &mut Guard,
    ) -> (usize, usize) {
        let changed =
            |side: &[HunkLine<'_>], at: usize| side.get(at).is_some_and(|l| l.mark == Mark::Changed);
        while changed(&hunk.old, old) {
            self.drop_line(target, guard);
            old += 1;
        }
        if *guard == Guard::IfNot && changed(&hunk.new, new) {
            self.directive("#else", guard, Guard::Else);
            self.torn = false;
        }
        while changed(&hunk.new, new) {
            self.add_line(&hunk.new[new], guard);
            new += 1;
        }
        (old, new)
    }

    /// Passes a line of the file over; with a guard it is kept for the case that NAME is not defined.
    fn drop_line(&mut self, target: &Target<'_>, guard: &mut Guard) {
        let line = usize::try_from(self.frozen).ok().and_then(|at| target.line(at));
        self.frozen += 1;
        if self.ifdef.is_none() {
            return;
        }
        match guard {
            Guard::Outside => self.directive("#ifndef", guard, Guard::IfNot),
            Guard::If => self.directive("#else", guard, Guard::Else),
            _ => {}
        }
        self.emit(line.unwrap_or_default());
    }

    fn add_line(&mut self, line: &HunkLine<'_>, guard: &mut Guard) {
        if self.ifdef.is_some() {
            match guard {
                Guard::Outside => self.directive("#ifdef", guard, Guard::If),
                Guard::IfNot => self.directive("#else", guard, Guard::Else),
                _ => {}
            }
        }
        self.emit(&line.text);
    }

    fn close(&mut self, guard: &mut Guard) {
        if *guard != Guard::Outside {
            self.directive("#endif", guard, Guard::Outside);
        }
    }

    fn directive(&mut self, word: &str, guard: &mut Guard, next: Guard) {
        // The line end that is missing before counts as missing behind it too, as in the model.
        if self.torn {
            self.bytes.push(b'\n');
        }
        self.bytes.extend_from_slice(word.as_bytes());
        if matches!(next, Guard::If | Guard::IfNot) {
            self.bytes.push(b' ');
            self.bytes.extend_from_slice(self.ifdef.unwrap_or_default());
        }
        self.bytes.push(b'\n');
        self.torn &= next != Guard::Outside;
        *guard = next;
    }
}

/// One side of a hunk lacks carriage returns that the file has, or the other way round.
pub fn differs_in_line_ends(target: &Target<'_>, hunk: &Hunk<'_>, place: i64) -> bool {
    let wanted = match hunk.old.first() {
        Some(line) if line.text.is_empty() => return false,
        Some(line) => line.text.ends_with(b"\r\n"),
        None => false,
    };
    let place = usize::try_from(place.min(target.len()) - 1).ok();
    let there = place.and_then(|at| target.line(at));
    there.is_some_and(|line| line.ends_with(b"\r\n") != wanted)
}
