//! A long diff by git and nothing else, read file by file: so it need not be cut into lines as a whole, and the body
//! of a new file not at all.
//!
//! Wherever `diff --git ` begins a line, a file's section ends. The line that begins the next section is shown to the
//! reader of each, so that it sees what it would see of the whole.

use super::{
    at::At,
    section::{Reader, Sum},
};
use crate::{
    edit::{Signed, Stated},
    input::{
        InputLine,
        section::{End, Item},
    },
    text::{Content, cut_eol, is_blank},
};

const HEAD: &[u8] = b"diff --git ";
const NEXT: &[u8] = b"\ndiff --git ";

/// The edits of an input that is one diff by git from its first byte to its last; `None` if it is anything else, or
/// if there is any doubt.
pub fn read<'i>(input: &'i [u8], held: Option<&Content>) -> Option<Vec<Item<'i>>> {
    if !input.starts_with(HEAD) {
        return None;
    }
    let end = End::Input { newline: input.ends_with(b"\n") };
    let mut rest = Rest { bytes: input, number: 1, input, held };
    let mut sum = Sum::default();
    let mut lines = Vec::new();
    while !rest.bytes.is_empty() {
        lines.clear();
        if rest.section(&mut lines, &mut sum) {
            continue;
        }
        let bound = lines.len();
        lines.extend(rest.clone().line());
        let mut reader = Reader::resume(sum, &lines, end);
        let read = reader.files(bound);
        if read > bound || !lines[read..bound].iter().all(|line| line.text.is_empty()) {
            return None;
        }
        if rest.bytes.is_empty() {
            let fence = lines.iter().rfind(|line| !is_blank(line.text));
            let opens = fence.is_some_and(|line| line.text.trim_ascii_start().starts_with(b"```"));
            return (!opens).then(|| reader.close().items);
        }
        sum = reader.open();
    }
    Some(sum.items)
}

/// What is not read yet of an input.
#[derive(Clone)]
struct Rest<'i, 'h> {
    bytes: &'i [u8],
    /// Of its first line.
    number: usize,
    input: &'i [u8],
    /// The input as one that can be shared.
    held: Option<&'h Content>,
}

impl<'i> Rest<'i, '_> {
    fn line(&mut self) -> Option<InputLine<'i>> {
        let end = memchr::memchr(b'\n', self.bytes).map_or(self.bytes.len(), |at| at + 1);
        let (line, rest) = self.bytes.split_at(end);
        let ((text, eol), number) = (cut_eol(line), self.number);
        (self.bytes, self.number) = (rest, number + 1);
        (end > 0).then_some(InputLine { text, eol, number })
    }

    /// Cuts a section into lines. True: it is all in the sum already.
    fn section(&mut self, lines: &mut Vec<InputLine<'i>>, sum: &mut Sum<'i>) -> bool {
        let mut hunks = 0;
        while let Some(line) = self.line() {
            lines.push(line);
            hunks += usize::from(line.text.starts_with(b"@@"));
            if hunks == 1
                && let Some(added) = self.added(line.text)
                && let Some((len, count)) = sum.create(lines, added)
            {
                (self.bytes, self.number) = (&self.bytes[len..], self.number + count);
                return true;
            }
            if self.bytes.starts_with(HEAD) {
                break;
            }
        }
        false
    }

    /// What follows this line up to the next section, if this line says that so many lines come anew, and each of them
    /// has the sign for it; none ends with `\r\n`.
    fn added(&self, at: &[u8]) -> Option<Signed<'i>> {
        let stated = at.starts_with(b"@@ -0,0 ").then(|| At::parse(at)?.stated).flatten();
        let Stated { old_count: 0, new_count, .. } = stated? else { return None };
        let end = memchr::memmem::find(self.bytes, NEXT).map_or(self.bytes.len(), |at| at + 1);
        let body = &self.bytes[..end];
        let count = memchr::memchr_iter(b'\n', body).count();
        let whole = body.starts_with(b"+") && body.ends_with(b"\n") && count as u64 == new_count;
        let from = self.input.len() - self.bytes.len();
        let held = || self.held.map(|input| (input.clone(), from));
        (whole && !holds_other_lines(body)).then(|| Signed { body, count, held: held() })
    }
}

/// Some line but the first has another sign than `+`, or there is a `\r`. All bytes are looked at alike, which is
/// quicker than to look for lines.
fn holds_other_lines(body: &[u8]) -> bool {
    let pairs = body.iter().zip(&body[1..]);
    pairs.fold(false, |found, (&byte, &next)| found | (byte == b'\r') | (byte == b'\n') & (next != b'+'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::input::{self, read_lines};

    fn same(text: &str) -> bool {
        let held = Content::from(text);
        let (streamed, whole) = (input::read_held(&held, None), read_lines(text.as_bytes(), None));
        assert_eq!(format!("{:?}", streamed.faults), format!("{:?}", whole.faults), "{text}");
        assert_eq!((streamed.edits, streamed.skipped), (whole.edits, whole.skipped), "{text}");
        read(text.as_bytes(), None).is_some()
    }

    const NEW: &str =
        "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n++ b\n";
    const CHANGED: &str = "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n";

    #[test]
    fn a_long_diff_is_read_as_a_short_one() {
        let moved = "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n";
        let open = NEW.replace("++ b\n", "++ b\n\\ No newline at end of file\n");
        for text in [
            [NEW, CHANGED, NEW].concat(),
            [CHANGED, moved, &open, "\n", NEW].concat(),
            [NEW, "--- old\n+++ old\n@@ -1 +1 @@\n-x\n+y\n", CHANGED].concat(),
            [CHANGED, &NEW[..NEW.len() - 1]].concat(),
            [NEW, &CHANGED[..CHANGED.len() - 3]].concat(),
            NEW.replace("+1,2", "+1,3"),
            NEW.replace("+a", "+a\r"),
        ] {
            assert!(same(&text), "{text}");
        }
        for text in [[NEW, CHANGED, "\nThat is all.\n"].concat(), ["Here it is:\n", NEW].concat()] {
            assert!(!same(&text), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn whatever_stands_in_it(picks in proptest::collection::vec(0..PIECES.len(), 0..14)) {
            let text: String = picks.iter().map(|at| PIECES[*at]).collect();
            same(&format!("{}{text}", PIECES[0]));
        }
    }

    const PIECES: [&str; 34] = [
        "diff --git a/f b/f\n",
        NEW,
        CHANGED,
        "diff --git \n",
        "diff --git a/g b/g\nnew file mode 100644\n",
        "deleted file mode 100644\n",
        "index e69de29..0000000\n",
        "--- /dev/null\n",
        "+++ b/f\n",
        "+++ /dev/null\n",
        "--- a/f\n",
        "--- a/q\n+++ b/r\n",
        "@@ -0,0 +1,2 @@\n",
        "@@ -0,0 +1 @@\n",
        "@@ -1 +0,0 @@\n",
        "@@ ... @@\n",
        "+a\n",
        "+a\n+b\n",
        "+ b\r\n",
        "-a\n",
        " a\n",
        "\n",
        "  \n",
        "plain\n",
        "\\ No newline at end of file\n",
        "-- \n",
        "2.39.0\n",
        "```\n",
        "+```\n",
        "Index: f\n",
        "GIT binary patch\nliteral 3\nKc$`aQNCE%>hycU@\n\n",
        "Binary files a/f and b/f differ\n",
        "*** Begin Patch\n",
        "+unended",
    ];
}
