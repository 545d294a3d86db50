//! Whole files: a fence with a path. Where comments stand for lines left out, the file is elided.

use crate::{
    edit::{Call, Edit, Format, Line, ModeChange, Name, Op, Span},
    text::elision,
};

use super::{InputLine, name, search_replace};

/// Languages of fences that hold commands; without a name above them they are never a file.
pub fn is_shell(language: &str) -> bool {
    const SHELLS: &[&str] = &[
        "bash",
        "sh",
        "shell",
        "zsh",
        "fish",
        "ksh",
        "csh",
        "tcsh",
        "console",
        "terminal",
        "shell-session",
        "sh-session",
        "shellsession",
        "session",
        "cmd",
        "bat",
        "batch",
        "powershell",
        "ps1",
        "pwsh",
    ];
    SHELLS.contains(&language)
}

/// Languages of fences that hold a diff.
pub fn is_diff(language: &str) -> bool {
    ["diff", "patch", "udiff"].contains(&language)
}

/// Files whose text may hold bare fences of its own, so that the end of the fence around it is in doubt.
pub fn holds_fences(path: &[u8]) -> bool {
    const TEXTS: &[&[u8]] =
        &[b"md", b"markdown", b"mdx", b"rmd", b"txt", b"text", b"rst", b"adoc", b"org", b"mkd"];
    match name::extension(path) {
        Some(ext) => TEXTS.iter().any(|text| ext.eq_ignore_ascii_case(text)),
        None => !name::is_build_file(path),
    }
}

/// The edit that a fence's text makes of its file.
pub fn read<'i>(body: &[InputLine<'i>], indent: usize, path: Name<'i>, span: Span) -> Edit<'i> {
    let lines = search_replace::text(body, indent, false);
    whole(lines, path, span)
}

/// An edit that gives a file's whole text.
pub fn whole<'i>(lines: Vec<Line<'i>>, path: Name<'i>, span: Span) -> Edit<'i> {
    let elided = lines.iter().any(|line| elision::is_elision(&line.text));
    Edit {
        id: 0,
        format: if elided { Format::Elided } else { Format::WholeFile },
        span,
        path: Some(path),
        move_to: None,
        copy: false,
        mode: ModeChange::default(),
        op: Op::Whole { lines: lines.into() },
        notes: Vec::new(),
        call: Call::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::lines;

    #[test]
    fn an_elision_comment_makes_it_elided() {
        let read = |text: &'static [u8]| {
            let lines = lines(text);
            read(&lines, 0, Name::plain(&b"a.py"[..]), Span::new(1, 2)).format
        };
        assert_eq!(read(b"a = 1\nb = 2\n"), Format::WholeFile);
        assert_eq!(read(b"a = 1\n# ... existing code ...\n"), Format::Elided);
    }

    #[test]
    fn an_indented_fence_indents_its_text() {
        let lines = lines(b"   a:\r\n     b\n c");
        let Op::Whole { lines } = read(&lines, 3, Name::plain(&b"a"[..]), Span::new(1, 3)).op else {
            panic!()
        };
        let lines = lines.cut();
        let text: Vec<&[u8]> = lines.iter().map(|line| &*line.text).collect();
        assert_eq!(text, [&b"a:"[..], b"  b", b"c"]);
        assert_eq!(lines[2].eol, crate::text::Eol::Lf);
    }
}
