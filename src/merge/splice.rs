//! A placed hunk as splices: which of the file's lines give way to what.

use super::{Env, OutLine, Splice, eol_near, line, pairing, unterminated};
use crate::{
    edit::{Body, HunkLine, Origin, Tag},
    place::{Place, View},
    refusal::Refusal,
    text::{
        Eol, Text, elision,
        indent::{IndentMap, Swap, indent, lead, step},
        is_blank,
    },
};

/// What a placed hunk does to the file: splices in file order.
///
/// # Errors
/// A new line's indentation has more than one reading.
pub fn splice(text: &Text<'_>, body: &Body<'_>, place: &Place, env: &Env) -> Result<Vec<Splice>, Refusal> {
    match as_written(text, body, place, env) {
        Some(splices) => Ok(splices),
        None => merged(text, body, place, env),
    }
}

fn merged(text: &Text<'_>, body: &Body<'_>, place: &Place, env: &Env) -> Result<Vec<Splice>, Refusal> {
    let merger = Merger {
        text,
        env,
        map: indent_map(text, body, place, env),
        speaks: body.lines.iter().any(|line| line.eol == Eol::None),
        flips: flips_ends(body),
        body,
    };
    let mut out = Vec::new();
    for change in changes(body, place) {
        merger.change(&change, &mut out)?;
    }
    Ok(out)
}

/// The splices where nothing has to be merged: what is quoted stands in the file as it is, the file goes on below,
/// and all lines end alike. The new lines come as they were written.
fn as_written(text: &Text<'_>, body: &Body<'_>, place: &Place, env: &Env) -> Option<Vec<Splice>> {
    if env.swap != Swap::default() || place.view > View::LineEnds || place.end >= text.len() {
        return None;
    }
    let eol = text.eol(place.start);
    let mut around = place.start.saturating_sub(1)..place.end;
    let said = body.lines.first()?.eol;
    if [eol, said].contains(&Eol::None)
        || around.any(|at| text.eol(at) != eol)
        || body.lines.iter().any(|line| line.eol != said)
    {
        return None;
    }
    let (mut out, mut at, mut above): (Vec<Splice>, _, _) = (Vec::with_capacity(1), place.start, Tag::Keep);
    for (nth, line) in body.lines.iter().enumerate() {
        let goes_on = |splice: &Splice| {
            above != Tag::Keep && ((above, line.tag) != (Tag::Add, Tag::Remove) || splice.start == splice.end)
        };
        if line.tag != Tag::Keep && !out.last().is_some_and(goes_on) {
            let run = body.lines[nth..].iter().take_while(|line| line.tag != Tag::Keep);
            let added = run.filter(|line| line.tag == Tag::Add).count();
            out.push(Splice { start: at, end: at, lines: Vec::with_capacity(added) });
        }
        at += usize::from(line.tag != Tag::Add);
        match (line.tag, out.last_mut()) {
            (Tag::Add, Some(splice)) => splice.lines.push(OutLine { text: line.text.to_vec(), eol }),
            (Tag::Remove, Some(splice)) => splice.end = at,
            _ => {}
        }
        above = line.tag;
    }
    Some(out)
}

/// Neighbouring lines that are removed and added together.
struct Change<'b, 'i> {
    /// Removed lines that the file has, with their place there.
    removed: Vec<(&'b HunkLine<'i>, usize)>,
    added: Vec<&'b HunkLine<'i>>,
    /// Where added lines go if no line is removed.
    point: usize,
}

/// Cuts the body at kept lines, and where a removal follows on added lines that replaced others.
fn changes<'b, 'i>(body: &'b Body<'i>, place: &Place) -> Vec<Change<'b, 'i>> {
    let mut out: Vec<Change<'b, 'i>> = Vec::new();
    let (mut point, mut open, mut replaced) = (place.start, false, false);
    let mut pairs = place.pairs.iter().peekable();
    for line in &body.lines {
        let at = if line.tag == Tag::Add { None } else { pairs.next().copied().flatten() };
        // Behind a line that stands for others (`...`), new lines belong to what follows it.
        if line.tag == Tag::Keep
            && at.is_none()
            && (elision::is_dots(&line.text) || elision::is_elision(&line.text))
            && let Some(Some(next)) = pairs.peek()
        {
            point = *next;
        }
        if line.tag == Tag::Keep {
            open = false;
        } else {
            if !open || line.tag == Tag::Remove && replaced {
                out.push(Change { removed: Vec::new(), added: Vec::new(), point });
                replaced = false;
            }
            open = true;
            if let Some(change) = out.last_mut() {
                match line.tag {
                    Tag::Add => change.added.push(line),
                    _ => change.removed.extend(at.map(|at| (line, at))),
                }
                replaced = line.tag == Tag::Add && !change.removed.is_empty();
            }
        }
        point = at.map_or(point, |at| at + 1);
    }
    out
}

/// A removed and an added line that differ in nothing but their end: the hunk is about line ends.
fn flips_ends(body: &Body<'_>) -> bool {
    body.lines.windows(2).any(|pair| {
        let ends = [pair[0].eol, pair[1].eol];
        pair[0].tag == Tag::Remove && pair[1].tag == Tag::Add && flips(pair[0].text == pair[1].text, ends)
    }) || flips_in_blocks(body)
}

fn flips(same: bool, ends: [Eol; 2]) -> bool {
    same && ends[0] != ends[1] && !ends.contains(&Eol::None)
}

/// The same for runs: all lines removed, then all added again.
fn flips_in_blocks(body: &Body<'_>) -> bool {
    body.lines.chunk_by(|a, b| (a.tag == Tag::Keep) == (b.tag == Tag::Keep)).any(|run| {
        let removed = run.iter().filter(|line| line.tag == Tag::Remove);
        let added = run.iter().filter(|line| line.tag == Tag::Add);
        removed.zip(added).any(|(old, new)| flips(old.text == new.text, [old.eol, new.eol]))
    })
}

fn indent_map(text: &Text<'_>, body: &Body<'_>, place: &Place, env: &Env) -> IndentMap {
    let paired: Vec<(Tag, _, _)> = body
        .old()
        .zip(&place.pairs)
        .filter(|(line, _)| !is_blank(&line.text))
        .filter_map(|(line, at)| Some((line.tag, lead(&line.text).0, lead(text.body((*at)?)).0)))
        .collect();
    let pairs: Vec<(&[u8], &[u8])> =
        paired.iter().map(|(_, quoted, file)| (quoted.as_ref(), file.as_ref())).collect();
    let kept = |tag: Tag| paired.iter().filter(move |pair| pair.0 == tag);
    let lost_prefix = body.origin == Origin::Diff
        && kept(Tag::Keep).count() > 0
        && kept(Tag::Keep).all(|(_, quoted, file)| file.strip_prefix(b" ") == Some(quoted))
        && kept(Tag::Remove).all(|(_, quoted, file)| quoted == file);
    if lost_prefix {
        return IndentMap::new(&[], std::iter::empty(), || None);
    }
    let differs = pairs.iter().any(|(quoted, file)| quoted != file);
    let lines = body.lines.iter().filter(|line| differs && !is_blank(&line.text));
    let leads: Vec<_> = lines.map(|line| lead(&line.text).0).collect();
    IndentMap::new(&pairs, leads.iter().map(AsRef::as_ref), || env.unit(text))
}

struct Merger<'m> {
    text: &'m Text<'m>,
    env: &'m Env,
    map: IndentMap,
    /// The hunk says which of its lines has no end.
    speaks: bool,
    /// The hunk changes line ends.
    flips: bool,
    body: &'m Body<'m>,
}

impl Merger<'_> {
    /// The common divisor of the hunk's indentations in spaces.
    fn step(&self) -> usize {
        step(self.body.lines.iter().filter(|line| !is_blank(&line.text)).map(|line| indent(&line.text)))
    }

    fn change(&self, change: &Change<'_, '_>, out: &mut Vec<Splice>) -> Result<(), Refusal> {
        let Some(&(_, first)) = change.removed.first() else {
            if !change.added.is_empty() {
                out.push(self.insertion(&change.added, change.point)?);
            }
            return Ok(());
        };
        if let Some(splice) = self.verbatim(change) {
            out.push(splice);
            return Ok(());
        }
        if self.indented_already(change) {
            return Err(Refusal::Doubtful {
                what: "the old lines are quoted without the file's indentation and the new ones carry it: they could be \
                       meant as they stand, or deeper"
                    .to_owned(),
            });
        }
        let partners = partners(change);
        let mut added = change.added.iter().zip(&partners).peekable();
        let runs: Vec<&[(&HunkLine<'_>, usize)]> =
            change.removed.chunk_by(|above, below| above.1 + 1 == below.1).collect();
        for (number, run) in runs.iter().enumerate() {
            let start = run.first().map_or(first, |&(_, at)| at);
            let mut splice = Splice { start, end: start + run.len(), lines: Vec::new() };
            let last = number + 1 == runs.len();
            while let Some((line, partner)) = added
                .next_if(|(_, partner)| last || partner.is_none_or(|old| change.removed[old].1 < splice.end))
            {
                let text = match partner {
                    Some(old) => self.changed(change.removed[*old], line)?,
                    None => self.inserted(line)?,
                };
                let beside = match partner {
                    Some(old) => change.removed[*old].1,
                    None => (start + splice.lines.len()).min(splice.end - 1),
                };
                splice.lines.push(OutLine { text, eol: self.end(line, beside) });
            }
            self.settle_last(&mut splice, change.added.last());
            out.push(splice);
        }
        Ok(())
    }

    /// Neighbouring lines that were quoted as the file has them, with one kind of line end: the new lines stand as
    /// they were written, and which of them changes which old one does not matter.
    fn verbatim(&self, change: &Change<'_, '_>) -> Option<Splice> {
        let (first, last) = (change.removed.first()?.1, change.removed.last()?.1);
        let unshifted =
            if self.map.is_flat() { self.env.swap == Swap::default() } else { self.map.is_identity() };
        let exact = unshifted
            && last + 1 - first == change.removed.len()
            && change.removed.iter().all(|(line, at)| line.text == self.text.body(*at));
        let end = eol_near(self.text, first, self.env);
        if !exact || (first + 1..=last).any(|at| eol_near(self.text, at, self.env) != end) {
            return None;
        }
        let line = |line: &&HunkLine<'_>| OutLine { text: line.text.to_vec(), eol: self.end(line, first) };
        let mut splice =
            Splice { start: first, end: last + 1, lines: change.added.iter().map(line).collect() };
        self.settle_last(&mut splice, change.added.last());
        Some(splice)
    }

    /// The quote lost indentation, yet every new line has at least what the replaced lines have in the file.
    fn indented_already(&self, change: &Change<'_, '_>) -> bool {
        let removed = || change.removed.iter().filter(|(line, _)| !is_blank(&line.text));
        let lost = |(line, at): &(&HunkLine<'_>, usize)| {
            let (quoted, file) = (lead(&line.text).0, lead(self.text.body(*at)).0);
            file.len() > quoted.len() && file.ends_with(&quoted)
        };
        let Some(least) = removed().map(|(_, at)| lead(self.text.body(*at)).0).min_by_key(|lead| lead.len())
        else {
            return false;
        };
        let mut added = change.added.iter().filter(|line| !is_blank(&line.text)).peekable();
        added.peek().is_some()
            && removed().all(lost)
            && added.all(|line| lead(&line.text).0.starts_with(&least))
    }

    fn insertion(&self, added: &[&HunkLine<'_>], point: usize) -> Result<Splice, Refusal> {
        let beside = point.saturating_sub(1);
        let lines = added
            .iter()
            .map(|line| Ok(OutLine { text: self.inserted(line)?, eol: self.end(line, beside) }))
            .collect::<Result<Vec<_>, Refusal>>()?;
        let mut splice = Splice { start: point, end: point, lines };
        self.settle_last(&mut splice, added.last());
        Ok(splice)
    }

    /// How a new line ends: as the file's line `beside` it, or as the reply says if the hunk is about line ends
    /// or the file has none.
    fn end(&self, line: &HunkLine<'_>, beside: usize) -> Eol {
        let no_ends = self.text.len() <= 1 && (self.text.is_empty() || unterminated(self.text));
        if line.eol != Eol::None && (self.flips || no_ends) {
            return line.eol;
        }
        eol_near(self.text, beside, self.env)
    }

    /// The last line of the file has no end if it had none, unless the hunk speaks of it.
    fn settle_last(&self, splice: &mut Splice, said: Option<&&HunkLine<'_>>) {
        if splice.end != self.text.len() {
            return;
        }
        let (Some(last), Some(said)) = (splice.lines.last_mut(), said) else { return };
        let open = if self.speaks { said.eol == Eol::None } else { unterminated(self.text) };
        if open {
            last.eol = Eol::None;
        }
    }

    /// A line in the place of another.
    fn changed(&self, (old, at): (&HunkLine<'_>, usize), new: &HunkLine<'_>) -> Result<Vec<u8>, Refusal> {
        let file = self.text.body(at);
        if old.text == file && self.map.is_identity() && !self.map.is_flat() {
            return Ok(new.text.to_vec());
        }
        if is_blank(&new.text) {
            return Ok(new.text.to_vec());
        }
        let (quoted, quoted_len) = lead(&old.text);
        let (wanted, wanted_len) = lead(&new.text);
        let own_len = lead(file).1;
        let content = line::merge(&old.text[quoted_len..], &file[own_len..], &new.text[wanted_len..]);
        let indent = if quoted == wanted { file[..own_len].to_vec() } else { self.indent(&wanted, new)? };
        Ok([indent, content].concat())
    }

    /// A line that replaces none.
    fn inserted(&self, new: &HunkLine<'_>) -> Result<Vec<u8>, Refusal> {
        let (wanted, len) = lead(&new.text);
        if is_blank(&new.text) || self.map.is_identity() && !self.map.is_flat() {
            return Ok(new.text.to_vec());
        }
        let indent = self.indent(&wanted, new)?;
        if indent == wanted.as_ref() {
            return Ok(new.text.to_vec());
        }
        Ok([&indent, &new.text[len..]].concat())
    }

    fn indent(&self, wanted: &[u8], line: &HunkLine<'_>) -> Result<Vec<u8>, Refusal> {
        if self.map.is_flat() && self.env.swap == Swap::default() {
            return Ok(wanted.to_vec());
        }
        if self.map.is_flat() {
            let (unit, pure) = (self.env.unit(self.text), || self.env.pure(self.text));
            let swapped = self.env.swap.convert(wanted, unit, pure, self.step());
            return Ok(swapped.unwrap_or_else(|| wanted.to_vec()));
        }
        self.map.map(wanted).ok_or_else(|| Refusal::Doubtful {
            what: format!(
                "how far the new line `{}` is to be indented can't be told from the quoted lines",
                String::from_utf8_lossy(line.text.trim_ascii())
            ),
        })
    }
}

/// For each added line the removed line that it changes.
fn partners(change: &Change<'_, '_>) -> Vec<Option<usize>> {
    let removed: Vec<&[u8]> = change.removed.iter().map(|(line, _)| line.text.as_ref()).collect();
    let added: Vec<&[u8]> = change.added.iter().map(|line| line.text.as_ref()).collect();
    let mut out = vec![None; added.len()];
    for (old, new) in pairing::pair(&removed, &added) {
        out[new] = Some(old);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        merge::{Evidence, apply},
        text::token::key,
    };

    /// A diff body from prefixed lines; `\\` after a line takes its end away, a `\r` stays with its end.
    fn body(lines: &str) -> Body<'_> {
        let mut out: Vec<HunkLine<'_>> = Vec::new();
        for line in lines.split_inclusive('\n') {
            let tag = match line.as_bytes()[0] {
                b'-' => Tag::Remove,
                b'+' => Tag::Add,
                b' ' => Tag::Keep,
                _ => {
                    out.last_mut().unwrap().eol = Eol::None;
                    continue;
                }
            };
            let (text, eol) = crate::text::cut_eol(&line.as_bytes()[1..]);
            out.push(HunkLine { tag, text: text.into(), eol });
        }
        Body::diff(out)
    }

    /// Pairs old lines with the file's in order, by key; blank lines may be skipped on both sides.
    fn place(text: &Text<'_>, body: &Body<'_>, start: usize) -> Place {
        let (mut at, mut pairs) = (start, Vec::new());
        for line in body.old() {
            let found = (at..text.len()).find(|&at| key(text.body(at)) == key(&line.text));
            pairs.push(found.filter(|&found| (at..found).all(|skipped| is_blank(text.body(skipped)))));
            at = pairs.last().copied().flatten().map_or(at, |found| found + 1);
        }
        let first = pairs.iter().flatten().next().copied().unwrap_or(start);
        Place { view: View::BlankLines, start: first, end: at, pairs }
    }

    fn result(file: &str, start: usize, lines: &str) -> Result<String, Refusal> {
        let (text, body) = (Text::new(file.as_bytes()), body(lines));
        let place = place(&text, &body, start);
        let mut evidence = Evidence::default();
        evidence.observe(&text, &body, &place);
        let splices = splice(&text, &body, &place, &Env::new(evidence))?;
        Ok(String::from_utf8(apply(&text, &splices)).unwrap())
    }

    #[test]
    fn places_become() {
        for (name, file, start, lines, want) in [
            ("replaced", "a\nb\nc\n", 0, " a\n-b\n+B\n c\n", "a\nB\nc\n"),
            ("removed", "a\nb\nc\n", 0, " a\n-b\n c\n", "a\nc\n"),
            ("inserted below", "a\nb\n", 0, " a\n+x\n b\n", "a\nx\nb\n"),
            ("inserted above", "a\nb\n", 1, "+x\n b\n", "a\nx\nb\n"),
            ("appended", "a\n", 1, "+x\n", "a\nx\n"),
            ("order within a change", "a\nb\n", 0, "+0\n-a\n+1\n-b\n+2\n", "0\n1\n2\n"),
            (
                "dedented",
                "{\n    int x = 1;\n}\n",
                1,
                "-int x = 1;\n+int x = 2;\n+if (y) {\n",
                "{\n    int x = 2;\n    if (y) {\n}\n",
            ),
            (
                "dedented, and deeper on purpose",
                "{\n    a();\n}\n",
                1,
                "-a();\n+if (b) {\n+    a();\n",
                "{\n    if (b) {\n        a();\n}\n",
            ),
            (
                "respaced",
                "int x = 3;\nreturn x;\n",
                0,
                "-int x=3;\n+int x=4;\n return x;\n",
                "int x = 4;\nreturn x;\n",
            ),
            ("context keeps its bytes", "a  =  1  \nb\n", 0, " a = 1\n-b\n+c\n", "a  =  1  \nc\n"),
            (
                "tabs for spaces",
                "a\n    b\n        c\n",
                1,
                " \tb\n-\t\tc\n+\t\tc\n+\t\t\td\n",
                "a\n    b\n        c\n            d\n",
            ),
            ("an odd indentation stays", "a\n    b\n", 1, "     b\n+      c\n", "a\n    b\n      c\n"),
            ("deeper on purpose", "a\n    b\n", 1, "-    b\n+        b\n", "a\n        b\n"),
            (
                "a lost prefix is no shift",
                "if:\n    a\n    b\n",
                1,
                "    a\n+    x\n",
                "if:\n    a\n    x\n    b\n",
            ),
            ("CRLF of the line replaced", "a\r\nb\r\n", 0, "-a\n+x\n+y\n", "x\r\ny\r\nb\r\n"),
            ("mixed ends", "a\nb\r\nc\n", 0, " a\n-b\n+x\n c\n", "a\nx\r\nc\n"),
            ("the end of the line above", "a\r\nb\n", 0, " a\n+x\n b\n", "a\r\nx\r\nb\n"),
            ("an open end stays open", "a\nb", 0, " a\n-b\n+c\n", "a\nc"),
            ("open, more lines", "a\nb", 0, " a\n-b\n+b\n+c\n", "a\nb\nc"),
            ("appended after an open end", "a", 0, " a\n+b\n", "a\nb"),
            ("the reply closes it", "a\nb", 0, " a\n-b\n\\\n+b\n", "a\nb\n"),
            ("the reply opens it", "a\nb\n", 0, " a\n-b\n+b\n\\\n", "a\nb"),
            ("closed and appended", "a\r\nb", 0, " a\n-b\n\\\n+b\n+c\n", "a\r\nb\r\nc\r\n"),
            ("the reply's end where the file has none", "a", 0, "+x\r\n a\n", "x\r\na"),
            ("only line ends", "a\r\nb\r\n", 0, "-a\r\n-b\r\n+a\n+c\n", "a\nc\n"),
            ("a blank line in the file stays", "a\n\nb\nc\n", 0, "-a\n-b\n+a1\n+b\n c\n", "a1\n\nb\nc\n"),
            (
                "typography of the file stays",
                "s = \u{201c}a\u{201d}\n",
                0,
                "-s = \"a\"\n+s = \"b\"\n",
                "s = \u{201c}b\u{201d}\n",
            ),
        ] {
            assert_eq!(result(file, start, lines).as_deref(), Ok(want), "{name}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_written_as_it_stands_is_what_a_merge_comes_to(
            lines in "([ +-] {0,4}[a-c ]?\r?\n(\\\\\n)?){1,12}",
            above in "( ?[ab]?\r?\n){0,2}",
            below in "(a\n|b\r\n)?c?",
            kept in "\r?\n|",
        ) {
            let body = body(&lines);
            let old: String = body.old().map(|line| String::from_utf8_lossy(&line.text) + "\n").collect();
            let file = [&above, &*old.replace('\n', if kept.is_empty() { "\n" } else { &kept }), &below].concat();
            let (text, start) = (Text::new(file.as_bytes()), above.lines().count());
            let end = start + body.old().count();
            let place = Place { view: View::Exact, start, end, pairs: (start..end).map(Some).collect() };
            for evidence in [Evidence::default(), Evidence { swap: Swap { tabs: true, ..Swap::default() } }] {
                let env = Env::new(evidence);
                if let Some(splices) = as_written(&text, &body, &place, &env) {
                    proptest::prop_assert_eq!(merged(&text, &body, &place, &env), Ok(splices));
                }
            }
        }
    }

    #[test]
    fn what_is_written_as_it_stands() {
        for (file, lines, plain) in [
            ("a\nb\nc\n", "-a\n+x\n b\n", true),
            ("a\r\nb\r\nc\r\n", "-a\n+x\n b\n", true),
            ("a\nb\r\nc\n", "-a\n+x\n b\n", false),
            ("a\nb\n", "-a\n+x\n b\n", false),
            ("a\nb\nc\n", "-a\n+x\n b\r\n", false),
        ] {
            let (text, body) = (Text::new(file.as_bytes()), body(lines));
            let place = Place { view: View::LineEnds, start: 0, end: 2, pairs: vec![Some(0), Some(1)] };
            assert_eq!(as_written(&text, &body, &place, &Env::default()).is_some(), plain, "{file:?}");
        }
    }

    #[test]
    fn an_indentation_without_one_reading_is_refused() {
        let refused = result("  a\n       b\n", 0, " a\n   b\n+     c\n");
        assert!(matches!(refused, Err(Refusal::Doubtful { .. })), "{refused:?}");
    }

    #[test]
    fn new_lines_that_are_indented_already_have_two_readings() {
        for (file, start, lines) in [
            ("f:\n    if x:\n        y = 1\n", 2, "-y = 1\n+        y = 3\n"),
            ("f:\n\t\treturn x;\n", 1, "-return x;\n+\t\treturn y;\n+\t\t\tz();\n"),
        ] {
            let refused = result(file, start, lines);
            assert!(matches!(refused, Err(Refusal::Doubtful { .. })), "{refused:?}");
        }
    }

    #[test]
    fn unpaired_context_is_left_out() {
        let (text, body) = (Text::new(b"a\nb\n"), body(" a\n invented\n-b\n+c\n"));
        let place =
            Place { view: View::ContextForgiven, start: 0, end: 2, pairs: vec![Some(0), None, Some(1)] };
        let splices = splice(&text, &body, &place, &Env::default()).unwrap();
        assert_eq!(apply(&text, &splices), b"a\nc\n");
    }

    #[test]
    fn swapped_tabs_elsewhere_in_the_reply_convert_new_lines() {
        let text = Text::new(b"def f():\n    a\nb\n");
        let (seen, blind) = (body("-\ta\n+\tc\n"), body(" b\n+if x:\n+\ty\n"));
        let mut evidence = Evidence::default();
        evidence.observe(&text, &seen, &place(&text, &seen, 1));
        for (evidence, want) in [(evidence, "    y\n"), (Evidence::default(), "\ty\n")] {
            let splices = splice(&text, &blind, &place(&text, &blind, 2), &Env::new(evidence)).unwrap();
            let whole = String::from_utf8(apply(&text, &splices)).unwrap();
            assert_eq!(whole, format!("def f():\n    a\nb\nif x:\n{want}"));
        }
    }
}
