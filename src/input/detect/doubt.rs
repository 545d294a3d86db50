//! Fences that have two readings.

use bstr::ByteSlice;

use crate::edit::{Edit, Fault, Name, Reading};

use super::super::{
    fence::{Kind, Opener},
    name,
    section::Item,
};

/// Why the diff below a file's name may be that file's text: it changes another file, or the file is a patch.
pub fn of_diff(above: &Name<'_>, items: &[Item<'_>]) -> Option<String> {
    if name::extension(&above.text).is_some_and(|ext| ext == b"patch" || ext == b"diff") {
        return Some(format!("this is a change, or the text of {}", above.text.as_bstr()));
    }
    let mut named = items.iter().flat_map(names).peekable();
    let first = named.peek().map(|name| name.text.clone())?;
    (!named.any(|name| agree(above, name))).then(|| two_files(above, &first))
}

fn names<'a, 'i>(item: &'a Item<'i>) -> impl Iterator<Item = &'a Name<'i>> {
    let (path, to) = match item {
        Item::Edit(Edit { path, move_to, .. }) => (path, move_to.as_ref()),
        Item::Fault(Fault { path, .. }) => (path, None),
    };
    path.iter().chain(to)
}

/// Do two names mean one file, folders aside?
pub fn agree(one: &Name<'_>, other: &Name<'_>) -> bool {
    texts(one).any(|one| texts(other).any(|other| name::base_name(one) == name::base_name(other)))
}

fn texts<'a>(name: &'a Name<'_>) -> impl Iterator<Item = &'a [u8]> {
    let also = name.also.iter().filter_map(|also| match also {
        Reading::First(text) | Reading::Longer(text) | Reading::Bare(text) => Some(text.as_ref()),
        Reading::Existing => None,
    });
    [Some(name.text.as_ref()), name.other.as_deref()].into_iter().flatten().chain(also)
}

pub fn two_files(outer: &Name<'_>, inner: &[u8]) -> String {
    let outer = outer.text.as_bstr();
    format!("this is an edit of {}, or the text of {outer}, which is named above it", inner.as_bstr())
}

/// Is this a fence for a text that may hold fences itself?
pub fn is_document(opener: &Opener<'_>, language: &str) -> bool {
    let long = matches!(opener.kind, Kind::Run { len, .. } if len > 3);
    long || ["md", "markdown"].contains(&language)
}

/// Does a fence below the name of a script hold what a terminal showed?
pub fn is_transcript(path: &[u8], language: &str, first: &[u8]) -> bool {
    const SHOWN: &str = "console terminal output text-output log logs stdout stderr session shell-session sh-session \
        shellsession transcript";
    const TEXTS: &str =
        "txt text md markdown mdx rmd rst adoc org mkd log out expected stdout stderr cast console session t";
    let shown =
        SHOWN.split(' ').any(|known| known == language) || first.trim_ascii_start().starts_with(b"$ ");
    let is_text =
        name::extension(path).is_some_and(|ext| TEXTS.split(' ').any(|text| text.as_bytes() == ext));
    shown && !is_text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_showed() {
        for (path, language, first, shown) in [
            ("a.sh", "console", "make", true),
            ("a.py", "", "$ python a.py", true),
            ("run", "output", "ok", true),
            ("a.sh", "bash", "make", false),
            ("a.txt", "output", "ok", false),
            ("a.log", "log", "$ make", false),
        ] {
            assert_eq!(
                is_transcript(path.as_bytes(), language, first.as_bytes()),
                shown,
                "{path} {language}"
            );
        }
    }

    #[test]
    fn names_that_agree() {
        for (one, other, same) in [
            ("a.py", "b/src/a.py", true),
            ("src/a.py", "a.py", true),
            ("a.py", "b.py", false),
            ("notes.md", "a.py", false),
        ] {
            assert_eq!(
                agree(&Name::plain(one.as_bytes()), &Name::plain(other.as_bytes())),
                same,
                "{one} {other}"
            );
        }
        let cited = Name::plain(&b"a.py:12"[..]).also([Reading::Bare(b"a.py".into())]);
        assert!(agree(&cited, &Name::plain(&b"a.py"[..])));
    }
}
