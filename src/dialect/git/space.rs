//! White-space errors: what counts as one, and how each is mended.

use super::names::is_space;

/// Which kinds count. The default is that of git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)]
pub struct Rule {
    pub blank_at_eol: bool,
    pub blank_at_eof: bool,
    pub space_before_tab: bool,
    pub indent_with_non_tab: bool,
    pub tab_in_indent: bool,
    pub cr_at_eol: bool,
    pub tab: usize,
}

impl Default for Rule {
    fn default() -> Rule {
        Rule {
            blank_at_eol: true,
            blank_at_eof: true,
            space_before_tab: true,
            indent_with_non_tab: false,
            tab_in_indent: false,
            cr_at_eol: false,
            tab: 8,
        }
    }
}

/// Errors found in one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)]
pub struct Found {
    pub at_eol: bool,
    pub at_eof: bool,
    pub before_tab: bool,
    pub non_tab: bool,
    pub tab: bool,
}

impl Found {
    pub fn any(self) -> bool {
        self != Found::default()
    }

    pub fn words(self) -> String {
        let words = [
            (self.at_eol, "trailing whitespace"),
            (self.at_eof && !self.at_eol, "new blank line at EOF"),
            (self.before_tab, "space before tab in indent"),
            (self.non_tab, "indent with spaces"),
            (self.tab, "tab in indent"),
        ];
        let words: Vec<&str> = words.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
        words.join(", ")
    }
}

impl Rule {
    /// Nothing counts.
    pub fn none() -> Rule {
        Rule { blank_at_eol: false, blank_at_eof: false, space_before_tab: false, ..Rule::default() }
    }

    /// Everything counts that neither loosens nor is left out on purpose.
    pub fn all(tab: usize) -> Rule {
        Rule { indent_with_non_tab: true, tab, ..Rule::default() }
    }

    /// The value of `core.whitespace` or of the attribute.
    pub fn parse(text: &[u8]) -> Rule {
        let mut rule = Rule::default();
        for word in text.split(|b| *b == b',') {
            let word: Vec<u8> = word.iter().copied().filter(|b| !is_space(*b)).collect();
            rule.set(&word);
        }
        rule
    }

    fn set(&mut self, word: &[u8]) {
        let (on, name) = match word.strip_prefix(b"-") {
            Some(name) => (false, name),
            None => (true, word),
        };
        if name.is_empty() {
            return;
        }
        if let Some(width) = name.strip_prefix(b"tabwidth=") {
            let width = std::str::from_utf8(width).ok().and_then(|width| width.parse().ok());
            self.tab = width.filter(|width| (1..64).contains(width)).unwrap_or(self.tab);
            return;
        }
        let is = |whole: &str| whole.as_bytes().starts_with(name);
        if is("trailing-space") {
            (self.blank_at_eol, self.blank_at_eof) = (on, on);
        } else if is("space-before-tab") {
            self.space_before_tab = on;
        } else if is("indent-with-non-tab") {
            self.indent_with_non_tab = on;
        } else if is("cr-at-eol") {
            self.cr_at_eol = on;
        } else if is("blank-at-eol") {
            self.blank_at_eol = on;
        } else if is("blank-at-eof") {
            self.blank_at_eof = on;
        } else if is("tab-in-indent") {
            self.tab_in_indent = on;
        }
    }

    /// What is wrong with a line; its end belongs to it.
    pub fn check(&self, line: &[u8]) -> Found {
        let body = line.strip_suffix(b"\n").unwrap_or(line);
        let indent = body.iter().position(|b| *b != b' ').unwrap_or(body.len());
        let tabbed = body.get(indent) == Some(&b'\t') || (self.indent_with_non_tab && indent >= self.tab);
        let clean = !tabbed && !body.last().is_some_and(|b| is_space(*b));
        if clean { Found::default() } else { self.check_odd(line) }
    }

    fn check_odd(&self, line: &[u8]) -> Found {
        let mut found = Found::default();
        let mut line = line.strip_suffix(b"\n").unwrap_or(line);
        if self.cr_at_eol {
            line = line.strip_suffix(b"\r").unwrap_or(line);
        }
        let mut end = line.len();
        if self.blank_at_eol {
            end = line.iter().rposition(|b| !is_space(*b)).map_or(0, |at| at + 1);
            found.at_eol = end < line.len();
        }
        let mut written = 0;
        let mut at = 0;
        while at < end && matches!(line[at], b' ' | b'\t') {
            if line[at] == b'\t' {
                if self.space_before_tab && written < at {
                    found.before_tab = true;
                } else if self.tab_in_indent {
                    found.tab = true;
                }
                written = at + 1;
            }
            at += 1;
        }
        found.non_tab = self.indent_with_non_tab && at - written >= self.tab;
        found
    }

    /// Appends the line without its errors; true if there were any.
    pub fn mend(&self, out: &mut Vec<u8>, line: &[u8]) -> bool {
        let mut body = line;
        let mut end: &[u8] = b"";
        let mut mended = false;
        if self.blank_at_eol {
            if let Some(rest) = body.strip_suffix(b"\n") {
                (body, end) = (rest, b"\n");
                if let Some(rest) = body.strip_suffix(b"\r") {
                    body = rest;
                    end = if self.cr_at_eol { b"\r\n" } else { b"\n" };
                }
            }
            let kept = body.iter().rposition(|b| !is_space(*b)).map_or(0, |at| at + 1);
            mended = kept < body.len();
            body = &body[..kept];
        }
        let indent = self.mend_indent(out, body);
        out.extend_from_slice(&body[indent.unwrap_or(0)..]);
        out.extend_from_slice(end);
        mended || indent.is_some()
    }

    /// Appends the indentation mended; how long it was, if something was wrong with it.
    fn mend_indent(&self, out: &mut Vec<u8>, body: &[u8]) -> Option<usize> {
        let (mut last_tab, mut last_space) = (None, None);
        let mut wrong = false;
        for (at, byte) in body.iter().enumerate() {
            match byte {
                b'\t' => {
                    last_tab = Some(at);
                    wrong |= self.space_before_tab && last_space.is_some();
                }
                b' ' => {
                    last_space = Some(at);
                    let since = last_tab.map_or(at + 1, |tab| at - tab);
                    wrong |= self.indent_with_non_tab && self.tab <= since;
                }
                _ => break,
            }
        }
        let behind_tab = last_tab.map_or(0, |at| at + 1);
        if wrong {
            let behind = if self.indent_with_non_tab { last_space.map_or(0, |at| at + 1) } else { 0 };
            let last = behind_tab.max(behind);
            self.join_spaces(out, &body[..last]);
            return Some(last);
        }
        if self.tab_in_indent && last_tab.is_some() {
            let start = out.len();
            for byte in &body[..behind_tab] {
                out.push(b' ');
                while *byte == b'\t' && !(out.len() - start).is_multiple_of(self.tab) {
                    out.push(b' ');
                }
            }
            return Some(behind_tab);
        }
        None
    }

    fn join_spaces(&self, out: &mut Vec<u8>, indent: &[u8]) {
        let mut spaces = 0;
        for byte in indent {
            if *byte != b' ' {
                spaces = 0;
                out.push(*byte);
                continue;
            }
            spaces += 1;
            if spaces == self.tab {
                out.push(b'\t');
                spaces = 0;
            }
        }
        out.extend(std::iter::repeat_n(b' ', spaces));
    }
}

/// Nothing but white space.
pub fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|b| is_space(*b))
}

/// Equal but for how much white space there is where there is some; line ends do not count.
pub fn same_but_spaces(one: &[u8], other: &[u8]) -> bool {
    let trim = |line: &'_ [u8]| line.iter().rposition(|b| !matches!(b, b'\r' | b'\n')).map_or(0, |at| at + 1);
    let (mut one, mut other) = (&one[..trim(one)], &other[..trim(other)]);
    while let (Some(a), Some(b)) = (one.first(), other.first()) {
        if is_space(*a) {
            if !is_space(*b) {
                return false;
            }
            one = &one[one.iter().take_while(|b| is_space(**b)).count()..];
            other = &other[other.iter().take_while(|b| is_space(**b)).count()..];
        } else if a != b {
            return false;
        } else {
            (one, other) = (&one[1..], &other[1..]);
        }
    }
    one.is_empty() && other.is_empty()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(rule: &str, line: &str) -> String {
        Rule::parse(rule.as_bytes()).check(line.as_bytes()).words()
    }

    fn mended(rule: &str, line: &str) -> String {
        let mut out = Vec::new();
        Rule::parse(rule.as_bytes()).mend(&mut out, line.as_bytes());
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn errors_by_rule() {
        for (rule, line, want) in [
            ("", "x \n", "trailing whitespace"),
            ("", " \tx\n", "space before tab in indent"),
            ("", "x\r\n", "trailing whitespace"),
            ("cr-at-eol", "x\r\n", ""),
            ("indent-with-non-tab", "        x\n", "indent with spaces"),
            ("indent,tabwidth=4", "    x\n", "indent with spaces"),
            ("tab-in-indent", "\tx \n", "trailing whitespace, tab in indent"),
            ("-trailing-space", "x \n", ""),
        ] {
            assert_eq!(said(rule, line), want, "{rule} {line:?}");
        }
    }

    #[test]
    fn mending() {
        for (rule, line, want) in [
            ("", "x \t\n", "x\n"),
            ("", "  \ty\t\n", "\ty\n"),
            ("", "        \ty\n", "\t\ty\n"),
            ("", "x\r\n", "x\n"),
            ("cr-at-eol", "x \r\n", "x\r\n"),
            ("indent-with-non-tab", "         x\n", "\t x\n"),
            ("tab-in-indent,-space", "  \tx\n", "        x\n"),
        ] {
            assert_eq!(mended(rule, line), want, "{rule} {line:?}");
        }
    }

    proptest! {
        #[test]
        fn clean_lines_are_told_by_one_look(line in "[ \\t\\rx]{0,12}\n?", flags in any::<[bool; 5]>(), tab in 1..10_usize) {
            let [blank_at_eol, space_before_tab, indent_with_non_tab, tab_in_indent, cr_at_eol] = flags;
            let rule = Rule {
                blank_at_eol,
                space_before_tab,
                indent_with_non_tab,
                tab_in_indent,
                cr_at_eol,
                tab,
                ..Rule::default()
            };
            prop_assert_eq!(rule.check(line.as_bytes()), rule.check_odd(line.as_bytes()));
        }
    }

    #[test]
    fn likeness() {
        assert!(same_but_spaces(b"a  b\r\n", b"a\tb\n"));
        assert!(!same_but_spaces(b"ab\n", b"a b\n"));
        assert!(!same_but_spaces(b" a\n", b"a\n"));
        assert!(!same_but_spaces(b"a \n", b"a\n"));
    }
}
