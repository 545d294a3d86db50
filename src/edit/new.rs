//! The lines of a file that an edit gives whole.

use std::borrow::Cow;

use super::Line;
use crate::text::{Content, Eol, unsigned};

/// The lines of a new text.
#[derive(Clone, Debug)]
pub struct NewLines<'i>(Form<'i>);

#[derive(Clone, Debug)]
enum Form<'i> {
    Cut(Vec<Line<'i>>),
    Signed(Signed<'i>),
}

/// The body of a hunk that creates a file: so many lines, `+` before each, `\n` behind each, and no `\r`.
#[derive(Clone, Debug)]
pub(crate) struct Signed<'i> {
    pub body: &'i [u8],
    pub count: usize,
    /// Whose bytes they are, and from where on, if the input is one that can be shared.
    pub held: Option<(Content, usize)>,
}

impl Signed<'_> {
    /// The text without the signs.
    pub fn content(&self) -> Content {
        match &self.held {
            Some((input, from)) => input.unsigned(*from..from + self.body.len(), self.count),
            None => unsigned(self.body).into(),
        }
    }

    /// The lines without signs and ends.
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        lines(self.body)
    }
}

fn lines(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut from = 0;
    memchr::memchr_iter(b'\n', body).map(move |end| {
        let line = &body[from + 1..end];
        from = end + 1;
        line
    })
}

fn cut<'i>(signed: &Signed<'i>) -> Vec<Line<'i>> {
    lines(signed.body).map(|line| Line { text: line.into(), eol: Eol::Lf }).collect()
}

impl<'i> NewLines<'i> {
    /// The lines, cut.
    pub fn cut(&self) -> Cow<'_, [Line<'i>]> {
        match &self.0 {
            Form::Cut(lines) => Cow::Borrowed(lines),
            Form::Signed(signed) => Cow::Owned(cut(signed)),
        }
    }

    /// As a diff has them, if they are not cut yet.
    pub(crate) fn uncut(&self) -> Option<&Signed<'i>> {
        match &self.0 {
            Form::Cut(_) => None,
            Form::Signed(signed) => Some(signed),
        }
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            Form::Cut(lines) => lines.is_empty(),
            Form::Signed(signed) => signed.count == 0,
        }
    }
}

impl<'i> From<Signed<'i>> for NewLines<'i> {
    fn from(signed: Signed<'i>) -> NewLines<'i> {
        NewLines(Form::Signed(signed))
    }
}

impl Default for NewLines<'_> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<'i> From<Vec<Line<'i>>> for NewLines<'i> {
    fn from(lines: Vec<Line<'i>>) -> NewLines<'i> {
        NewLines(Form::Cut(lines))
    }
}

impl<'i> From<NewLines<'i>> for Vec<Line<'i>> {
    fn from(lines: NewLines<'i>) -> Vec<Line<'i>> {
        match lines.0 {
            Form::Cut(lines) => lines,
            Form::Signed(signed) => cut(&signed),
        }
    }
}

/// The same lines are equal, cut or not.
impl PartialEq for NewLines<'_> {
    fn eq(&self, other: &NewLines<'_>) -> bool {
        self.cut() == other.cut()
    }
}

impl Eq for NewLines<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_or_not_they_are_the_same() {
        let (input, body) = (Content::from("@@\n+a\n+\n++ b\n"), &b"+a\n+\n++ b\n"[..]);
        let none = NewLines::default();
        assert!(none.is_empty() && none.uncut().is_none());
        for held in [None, Some((input, 3))] {
            let signed = Signed { body, count: 3, held };
            assert_eq!(signed.content(), "a\n\n+ b\n".into());
            assert_eq!(signed.lines().collect::<Vec<_>>(), [&b"a"[..], b"", b"+ b"]);
            let new = NewLines::from(signed);
            let line = |text: &'static str| Line { text: text.as_bytes().into(), eol: Eol::Lf };
            assert_eq!(new, vec![line("a"), line(""), line("+ b")].into());
            assert!(new != none && !new.is_empty());
        }
    }
}
