//! Edits that outlive the text that they were read from.

use std::borrow::Cow;

use super::{
    Body, Deed, Edit, Fault, Hints, Hunk, HunkLine, Line, LineEdit, LineOp, Literal, Name, NewLines, Op,
    Reading,
};

fn own(text: Cow<'_, [u8]>) -> Cow<'static, [u8]> {
    Cow::Owned(text.into_owned())
}

fn lines(lines: NewLines<'_>) -> NewLines<'static> {
    let lines = Vec::from(lines).into_iter();
    lines.map(|line| Line { text: own(line.text), eol: line.eol }).collect::<Vec<_>>().into()
}

impl Body<'_> {
    fn into_owned(self) -> Body<'static> {
        let line = |line: HunkLine<'_>| HunkLine { tag: line.tag, text: own(line.text), eol: line.eol };
        Body { lines: self.lines.into_iter().map(line).collect(), origin: self.origin }
    }
}

impl Hints<'_> {
    fn into_owned(self) -> Hints<'static> {
        Hints {
            stated: self.stated,
            anchors: self.anchors.into_iter().map(own).collect(),
            heading: self.heading.map(own),
            at_eof: self.at_eof,
            ordered: self.ordered,
            every: self.every,
            count: self.count,
            behind: self.behind,
            literal: self.literal.map(|text| Literal { old: own(text.old), new: own(text.new) }),
        }
    }
}

impl Hunk<'_> {
    fn into_owned(self) -> Hunk<'static> {
        let readings = self.readings.into_iter().map(Body::into_owned).collect();
        Hunk { span: self.span, readings, hints: self.hints.into_owned() }
    }
}

impl Name<'_> {
    fn into_owned(self) -> Name<'static> {
        let also = self.also.into_iter().map(Reading::into_owned).collect();
        Name { text: own(self.text), from_diff: self.from_diff, other: self.other.map(own), also }
    }
}

impl Reading<'_> {
    fn into_owned(self) -> Reading<'static> {
        match self {
            Reading::First(text) => Reading::First(own(text)),
            Reading::Longer(text) => Reading::Longer(own(text)),
            Reading::Bare(text) => Reading::Bare(own(text)),
            Reading::Existing => Reading::Existing,
        }
    }
}

fn texts(lines: Vec<Cow<'_, [u8]>>) -> Vec<Cow<'static, [u8]>> {
    lines.into_iter().map(own).collect()
}

impl Deed<'_> {
    fn into_owned(self) -> Deed<'static> {
        match self {
            Deed::Put { at, body, old } => Deed::Put { at, body: texts(body), old: texts(old) },
            Deed::Insert { at, body } => Deed::Insert { at, body: texts(body) },
            Deed::Cut { at, register } => Deed::Cut { at, register: register.map(own) },
            Deed::Paste { at, register } => Deed::Paste { at, register: register.map(own) },
            Deed::PasteOver { at, register } => Deed::PasteOver { at, register: register.map(own) },
        }
    }
}

impl LineEdit<'_> {
    fn into_owned(self) -> LineEdit<'static> {
        let op = |op: LineOp<'_>| LineOp { span: op.span, deed: op.deed.into_owned() };
        LineEdit { tag: self.tag, ops: self.ops.into_iter().map(op).collect(), remove: self.remove }
    }
}

impl Op<'_> {
    fn into_owned(self) -> Op<'static> {
        match self {
            Op::Create { lines: text } => Op::Create { lines: lines(text) },
            Op::Whole { lines: text } => Op::Whole { lines: lines(text) },
            Op::Append { lines: text } => Op::Append { lines: lines(text) },
            Op::Delete { old } => Op::Delete { old: old.map(lines) },
            Op::Lines(edit) => Op::Lines(edit.into_owned()),
            Op::Binary(binary) => Op::Binary(binary),
            Op::Update { hunks } => Op::Update { hunks: hunks.into_iter().map(Hunk::into_owned).collect() },
        }
    }
}

impl Edit<'_> {
    /// The same edit, borrowing nothing.
    pub fn into_owned(self) -> Edit<'static> {
        Edit {
            id: self.id,
            format: self.format,
            span: self.span,
            path: self.path.map(Name::into_owned),
            move_to: self.move_to.map(Name::into_owned),
            copy: self.copy,
            mode: self.mode,
            op: self.op.into_owned(),
            notes: self.notes,
            call: self.call,
        }
    }
}

impl Fault<'_> {
    /// The same fault, borrowing nothing.
    pub fn into_owned(self) -> Fault<'static> {
        let path = self.path.map(Name::into_owned);
        Fault {
            id: self.id,
            format: self.format,
            span: self.span,
            path,
            refusal: self.refusal,
            call: self.call,
        }
    }
}
