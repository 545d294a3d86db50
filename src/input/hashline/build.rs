//! A section's lines, one after the other, to operations.

use std::{borrow::Cow, collections::BTreeSet};

use super::{
    super::InputLine,
    Bytes,
    body::{self, Kind, Next, Row},
    old,
    op::{self, Head},
};
use crate::edit::{Deed, LineOp, Lines, Span};

/// What a section comes to.
#[derive(Debug, Default)]
pub struct Built<'i> {
    pub ops: Vec<LineOp<'i>>,
    pub remove: bool,
    pub move_to: Option<Bytes<'i>>,
    pub notes: Vec<(Span, String)>,
}

/// An operation whose rows are still read.
struct Open<'i> {
    head: Head<'i>,
    span: Span,
    rows: Vec<Row<'i>>,
    /// Read from a row `N:TEXT`, which is its own body.
    from_row: bool,
}

/// Takes a section's lines.
pub struct Builder<'i> {
    built: Built<'i>,
    open: Option<Open<'i>>,
    rows: BTreeSet<usize>,
    /// The first thing that is wrong.
    wrong: Option<String>,
    /// Prose may follow an operation.
    prose: bool,
    after_blank: bool,
    removed: usize,
    aborted: bool,
}

/// Lines of other formats that have no place in a section.
const FOREIGN: [&[u8]; 5] =
    [b"@@", b"*** Update File:", b"*** Add File:", b"*** Delete File:", b"*** Move to:"];

impl<'i> Builder<'i> {
    pub fn new(prose: bool) -> Builder<'i> {
        Builder {
            built: Built::default(),
            open: None,
            rows: BTreeSet::new(),
            wrong: None,
            prose,
            after_blank: false,
            removed: 0,
            aborted: false,
        }
    }

    /// The writer broke off here.
    pub fn aborted(&mut self) {
        self.aborted = true;
    }

    /// Takes the next line.
    pub fn line(&mut self, line: InputLine<'i>) {
        if self.wrong.is_some() {
            return;
        }
        let row = body::row(line.text);
        let taken = match row.kind {
            Kind::Plus => self.plus(row, line),
            Kind::Blank => {
                self.push(row, line);
                Ok(())
            }
            Kind::Minus | Kind::Bare => self.other(row, line),
        };
        self.after_blank = row.kind == Kind::Blank;
        if let Err(what) = taken {
            self.wrong = Some(format!("input line {}: {what}", line.number));
        }
    }

    fn plus(&mut self, row: Row<'i>, line: InputLine<'i>) -> Result<(), String> {
        match &mut self.open {
            Some(open) if open.from_row && open.rows.iter().all(|row| row.text.is_empty()) => {
                open.from_row = false;
                open.rows.clear();
            }
            Some(open) if open.head.takes_body() && !open.from_row => {}
            _ => return Err("a row with `+` stands below no operation that takes text".to_owned()),
        }
        self.push(row, line);
        Ok(())
    }

    fn push(&mut self, row: Row<'i>, line: InputLine<'i>) {
        if let Some(open) = self.open.as_mut().filter(|open| open.head.takes_body()) {
            open.rows.push(row);
            if row.kind != Kind::Blank {
                open.span.last = line.number;
            }
        }
    }

    /// A line that is an operation, a row without `+`, or neither.
    fn other(&mut self, row: Row<'i>, line: InputLine<'i>) -> Result<(), String> {
        let text = line.text;
        if FOREIGN.iter().any(|start| text.trim_ascii_start().starts_with(start)) {
            return Err("a line of another diff format inside a hashline section".to_owned());
        }
        let takes = self.open.as_ref().is_some_and(|open| open.head.takes_body() && !open.from_row);
        if let Some(head) = op::head(text).or_else(|| op::bare_range(text, takes)) {
            return self.begin(head?, line, false);
        }
        if let Some(said) = old::operation(text) {
            return Err(said);
        }
        if body::is_left_out(text) {
            return self.left_out(text, takes);
        }
        if takes && !(self.prose && self.after_blank && self.has_plus() && body::is_prose(text)) {
            self.push(row, line);
            return Ok(());
        }
        if !takes && let Some((number, rest)) = op::row(text) {
            return self.read_row(number, rest, line);
        }
        if self.prose && self.after_blank && body::is_prose(text) {
            return self.close(Next::Operation);
        }
        if !takes && text.trim_ascii_start().starts_with(b"#") {
            return Ok(());
        }
        Err("this line is no operation, and no text belongs here".to_owned())
    }

    fn has_plus(&self) -> bool {
        self.open.iter().flat_map(|open| &open.rows).any(|row| row.kind == Kind::Plus)
    }

    /// A mark that lines are not shown. Dots alone may be text.
    fn left_out(&self, text: &[u8], takes: bool) -> Result<(), String> {
        if takes && text.trim_ascii() == b"..." {
            return Err("`...` without `+`: text, or lines that are left out?".to_owned());
        }
        Ok(())
    }

    /// `N:TEXT`: line N gives way to the text.
    fn read_row(&mut self, number: usize, text: &'i [u8], line: InputLine<'i>) -> Result<(), String> {
        if number == 0 {
            return Err("lines are counted from 1; there is no line 0".to_owned());
        }
        if !self.rows.insert(number) {
            return Err(format!("line {number} is given twice"));
        }
        let head = Head::Put { at: Lines::Range { first: number, last: number } };
        self.begin(head, line, true)?;
        self.push(Row { kind: Kind::Plus, text }, line);
        Ok(())
    }

    fn begin(&mut self, head: Head<'i>, line: InputLine<'i>, from_row: bool) -> Result<(), String> {
        self.close(Next::Operation)?;
        let span = Span::new(line.number, line.number);
        self.open = Some(Open { head, span, rows: Vec::new(), from_row });
        Ok(())
    }

    fn close(&mut self, next: Next) -> Result<(), String> {
        let Some(Open { head, span, rows, from_row }) = self.open.take() else { return Ok(()) };
        let next = if from_row { Next::Closed } else { next };
        let body::Body { text, old, notes } = body::read(&rows, next)?;
        let note = |text: &str| (span, text.to_owned());
        self.built.notes.extend(notes.into_iter().map(note));
        let deed = match head {
            Head::Insert { .. } if text.is_empty() => {
                return Err("nothing is to be inserted: no row below".to_owned());
            }
            Head::Insert { .. } if !old.is_empty() => {
                return Err("rows with `-` below an insertion".to_owned());
            }
            Head::Insert { at } => Deed::Insert { at, body: text },
            Head::Put { at } => {
                if text.is_empty() {
                    self.built.notes.push(note("no text below: the lines are deleted"));
                }
                Deed::Put { at, body: text, old }
            }
            Head::Cut { at, register } => Deed::Cut { at, register: op::register(register) },
            Head::Paste { at, register } => Deed::Paste { at, register: op::register(register) },
            Head::PasteOver { at, register } => {
                Deed::PasteOver { at, register: Some(Cow::Borrowed(register)) }
            }
            Head::Remove => {
                self.removed += 1;
                return Ok(());
            }
            Head::Move(to) => {
                return match self.built.move_to.replace(Cow::Borrowed(to)) {
                    None => Ok(()),
                    Some(_) => Err("MV is given twice".to_owned()),
                };
            }
        };
        self.built.ops.push(LineOp { span, deed });
        Ok(())
    }

    /// The section's operations. `cut`: a fence follows that may belong to the last one's text.
    ///
    /// # Errors
    /// What is wrong with the section, in words.
    pub fn finish(mut self, next: Next, cut: bool) -> Result<Built<'i>, String> {
        if let Some(what) = self.wrong {
            return Err(what);
        }
        let takes = self.open.as_ref().is_some_and(|open| open.head.takes_body());
        if takes && !self.has_plus() && (cut || self.aborted) {
            return Err("the text of the last operation is cut off, or has no `+` before its rows".to_owned());
        }
        let last = self.open.as_ref().map(|open| open.span.last);
        self.close(next).map_err(|what| match last {
            Some(line) => format!("input line {line}: {what}"),
            None => what,
        })?;
        let mut built = self.built;
        if self.aborted {
            let at = built.ops.last().map_or(Span::new(1, 1), |op| op.span);
            built.notes.push((at, "what follows `*** Abort` is left out".to_owned()));
        }
        built.remove = self.removed > 0;
        match (built.remove, built.ops.is_empty() && built.move_to.is_none()) {
            (true, false) => {
                Err("REM stands alone: a file that goes is neither changed nor moved".to_owned())
            }
            (false, true) => Err("the section holds no operation".to_owned()),
            _ => Ok(built),
        }
    }
}
