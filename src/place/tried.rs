//! Why a hunk does not stand, view by view: for whoever asks with `-vv`.

use super::{
    View, artefact, dots,
    index::{Index, Kind},
    ladder::old_lines,
};
use crate::{
    edit::{Body, Tag},
    text::is_blank,
};

/// One line for each view up to `loosest`.
pub(crate) fn views(index: &Index, body: &Body, loosest: View) -> Vec<String> {
    let old = old_lines(body);
    let by_lines = |kind| lines_alone(index, &old, kind);
    let all: [(View, String); 9] = [
        (View::LineEnds, by_lines(Kind::Body)),
        (View::TrailingBlanks, by_lines(Kind::Trailing)),
        (View::Typography, by_lines(Kind::Folded)),
        (View::Indentation, by_lines(Kind::Stripped)),
        (View::BlankRuns, by_lines(Kind::Tokens)),
        (View::BlankLines, by_lines(Kind::Stripped)),
        (View::Artefacts, artefacts(body)),
        (View::Elisions, elisions(index, body)),
        (View::ContextForgiven, context(index, body)),
    ];
    let say = |(view, why): (View, String)| format!("view {} ({}): {why}", view as u8, view.how());
    all.into_iter().filter(|(view, _)| *view <= loosest).map(say).collect()
}

/// Which quoted lines stand nowhere, each looked for alone.
fn lines_alone(index: &Index, old: &[&[u8]], kind: Kind) -> String {
    let solid = || old.iter().filter(|line| !is_blank(line));
    let missing: Vec<&&[u8]> = solid().filter(|line| !index.holds(kind, line)).collect();
    match (missing.first(), solid().count()) {
        (None, _) => "every line stands, but not together in this order".to_owned(),
        (Some(line), all) => format!(
            "{} of {all} lines stand nowhere, first `{}`",
            missing.len(),
            String::from_utf8_lossy(line.trim_ascii())
        ),
    }
}

fn artefacts(body: &Body) -> String {
    match artefact::cleaned(body) {
        None => "no line numbers, entities or escapes on every line of both texts".to_owned(),
        Some(_) => "the cleaned lines do not stand either".to_owned(),
    }
}

fn elisions(index: &Index, body: &Body) -> String {
    if dots::has_gap(index, body) {
        "the pieces around the elision do not stand in this order".to_owned()
    } else {
        "no elision stands in both texts".to_owned()
    }
}

fn context(index: &Index, body: &Body) -> String {
    let lost = |tag: Tag| {
        body.old()
            .filter(|line| line.tag == tag && !is_blank(&line.text))
            .find(|l| !index.holds(Kind::Folded, &l.text))
    };
    match (lost(Tag::Remove), lost(Tag::Keep)) {
        (Some(line), _) => {
            format!(
                "`{}` is to be removed and stands nowhere",
                String::from_utf8_lossy(line.text.trim_ascii())
            )
        }
        (None, Some(_)) => "more context is wrong than may be forgiven".to_owned(),
        (None, None) => "the removed lines do not stand together beside enough of the context".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{place::tests::block, text::Text};

    #[test]
    fn every_view_says_why() {
        let text = Text::new(b"  alpha(1)\n  beta(2)\n");
        let hunk = block("alpha(1)\nbeta(3)\n", "gone\n");
        let said = views(&Index::new(&text), hunk.body(), View::ContextForgiven);
        assert_eq!(said.len(), 9);
        assert_eq!(said[0], "view 2 (ignoring line ends): 2 of 2 lines stand nowhere, first `alpha(1)`");
        assert_eq!(said[3], "view 5 (ignoring indentation): 1 of 2 lines stand nowhere, first `beta(3)`");
        assert_eq!(
            said[8],
            "view 10 (with context forgiven): `alpha(1)` is to be removed and stands nowhere"
        );
        assert_eq!(views(&Index::new(&text), hunk.body(), View::LineEnds).len(), 1);
    }
}
