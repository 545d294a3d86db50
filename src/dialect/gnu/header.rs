//! The next patch in the input: what kind it is, where it begins, what its header says.
//!
//! Everything that is no header and no beginning of a hunk is passed over.

use super::{
    names::{self, Fetched},
    options::Kind,
    stamp::{EPOCH, Stamp},
};
use crate::input::strict::{Dress, Lines, Place, ReadError, context};

pub const OLD: usize = 0;
pub const NEW: usize = 1;
pub const INDEX: usize = 2;

/// The object id that git gives to an empty file.
const EMPTY_BLOB: &[u8] = b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/// How much a header says of a side being no file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Absence {
    #[default]
    None,
    /// Empty, or no file.
    Empty,
    Missing,
}

/// What stands before the hunks of one file.
#[derive(Clone, Debug, Default)]
pub struct Header {
    pub names: [Option<Vec<u8>>; 3],
    pub stamps: [Option<Stamp>; 2],
    /// What follows the names: the stamps as written.
    pub tails: [Vec<u8>; 2],
    pub absent: [Absence; 2],
    /// As in git: `0o100644`; 0 if not told.
    pub modes: [u32; 2],
    pub rename: [bool; 2],
    pub copy: [bool; 2],
    pub git: bool,
    /// Lines such as `old mode` stood there, so that the patch needs no hunk.
    pub extended: bool,
    pub prereq: Option<Vec<u8>>,
    /// How many `Prereq:` lines named several words.
    pub odd_prereqs: usize,
    /// `Binary files … differ` was said of this file.
    pub binary_differs: bool,
}

impl Header {
    pub fn renames(&self) -> bool {
        self.rename[OLD] && self.rename[NEW]
    }

    pub fn copies(&self) -> bool {
        self.copy[OLD] && self.copy[NEW]
    }

    fn empty_side(&self, side: usize) -> Absence {
        if self.stamps[side] == Some(EPOCH) { Absence::Missing } else { Absence::Empty }
    }
}

/// A patch that was found.
#[derive(Clone, Debug)]
pub struct Found {
    pub kind: Kind,
    pub header: Header,
    /// Where the hunks begin; `number` is the count of lines before.
    pub start: Place,
    pub dress: Dress,
    /// Where the text before it begins.
    pub before: Place,
    /// The first hunk of a context diff, which was looked at already.
    pub ahead: Option<Ahead>,
}

/// What reading ahead came to.
#[derive(Clone, Copy, Debug)]
pub struct Ahead {
    /// Context lines at the hunk's head.
    pub head: usize,
    /// See [`crate::input::strict::Hunk::restyled`].
    pub restyled: bool,
}

/// What the search goes by.
pub struct Rules<'r> {
    pub strip: Option<u64>,
    pub kind: Option<Kind>,
    pub need_header: bool,
    /// Stamps are wanted as such, not only to tell the epoch.
    pub exact_stamps: bool,
    /// How context diffs are read.
    pub style: context::Style,
    pub zone: &'r dyn Fn(i64) -> i64,
}

/// Why the search stopped for good.
pub enum Stop {
    Nul { line: usize },
    Read(ReadError),
}

/// Looks for the next patch from where `lines` stand.
pub fn find(lines: &mut Lines<'_>, rules: &Rules<'_>) -> Result<Option<Found>, Stop> {
    lines.dress = Dress::default();
    let before = lines.place();
    let finder = Finder {
        rules,
        header: Header::default(),
        need_header: rules.need_header,
        dress: Dress::default(),
        stripping: false,
        nesting: 0,
        command: None,
        ahead: None,
        last: Last::default(),
    };
    let found = finder.run(lines)?;
    Ok(found.map(|found| Found { before, ..found }))
}

/// The first line that may be an ed or normal command.
struct Command {
    start: Place,
    indent: usize,
    is_ed: bool,
}

/// What the line before was.
#[derive(Default)]
struct Last {
    start: Place,
    is_command: bool,
    is_stars: bool,
    indent: usize,
}

struct Finder<'r> {
    rules: &'r Rules<'r>,
    header: Header,
    need_header: bool,
    /// That of the present line.
    dress: Dress,
    /// Whether the last line that counts for it ended in CRLF: one of a header, or the first command.
    stripping: bool,
    nesting: usize,
    command: Option<Command>,
    ahead: Option<Ahead>,
    last: Last,
}

impl Finder<'_> {
    fn run(mut self, lines: &mut Lines<'_>) -> Result<Option<Found>, Stop> {
        loop {
            let start = lines.place();
            let Some(line) = lines.raw() else { return Ok(self.at_end(start)) };
            let indent = indent(line);
            self.dress = Dress { indent: indent.1, nesting: 0, strip_cr: line.ends_with(b"\r\n") };
            let text = &line[indent.0..];
            // Once a line looked like a command, all that follow count as such until one looks like a
            // broken command.
            let is_command = range_command(text).unwrap_or(self.last.is_command);
            self.note_command(text, is_command, start);
            if text.starts_with(b"diff --git ") && self.header.extended {
                let dress = self.dress_of(Kind::GitBinary);
                return Ok(Some(self.begun(Kind::Unified, start, dress)));
            }
            if self.header_line(text, lines.number())? {
                let dress = self.dress_of(Kind::GitBinary);
                return Ok(Some(self.begun(Kind::GitBinary, start, dress)));
            }
            let is_stars = text.starts_with(b"********");
            if !self.need_header
                && let Some((kind, at)) = self.begins(text, start)
            {
                let dress = self.dress_of(kind);
                self.look_ahead(kind, text, at, dress, lines).map_err(Stop::Read)?;
                return Ok(Some(self.begun(kind, at, dress)));
            }
            if is_binary_notice(text) && !self.header.extended {
                lines.note(line);
            }
            self.last = Last { start, is_command, is_stars: is_stars && !self.need_header, indent: indent.1 };
        }
    }

    fn begun(self, kind: Kind, start: Place, dress: Dress) -> Found {
        Found { kind, header: self.header, start, dress, before: start, ahead: self.ahead }
    }

    /// Without a hunk, a header may be a patch all the same.
    fn at_end(mut self, end: Place) -> Option<Found> {
        let dress = self.dress_of(Kind::Ed);
        if let Some(command) = self.command.take_if(|command| command.is_ed) {
            return Some(self.begun(Kind::Ed, command.start, dress));
        }
        let end = Place { number: end.number.saturating_sub(1), ..end };
        self.header.extended.then(|| self.begun(Kind::Unified, end, dress))
    }

    fn note_command(&mut self, text: &[u8], is_command: bool, start: Place) {
        if self.need_header || self.command.is_some() {
            return;
        }
        let is_ed = is_ed_command(text);
        if is_ed || is_command {
            self.command = Some(Command { start, indent: self.dress.indent, is_ed });
            self.stripping = self.dress.strip_cr;
        }
    }

    fn dress_of(&self, kind: Kind) -> Dress {
        let dress = Dress { nesting: self.nesting, ..self.dress };
        match kind {
            Kind::Context | Kind::NewContext => dress,
            Kind::Ed | Kind::GitBinary => {
                let indent = self.command.as_ref().map_or(0, |command| command.indent);
                Dress { indent, strip_cr: self.stripping, ..dress }
            }
            Kind::Unified | Kind::Normal => Dress { strip_cr: self.stripping, ..dress },
        }
    }

    /// Takes in a header's line; true for the head of a binary change.
    fn header_line(&mut self, text: &[u8], number: usize) -> Result<bool, Stop> {
        let rest = |mark: &[u8]| text.strip_prefix(mark);
        let nul = || if text.contains(&0) { Err(Stop::Nul { line: number }) } else { Ok(()) };
        if let Some(name) = rest(b"*** ").filter(|_| !self.last.is_stars) {
            nul()?;
            self.side(OLD, name, false);
        } else if let Some(name) = rest(b"+++ ") {
            nul()?;
            self.side(OLD, name, true);
        } else if let Some(name) = rest(b"Index:") {
            nul()?;
            if let Some(name) = names::fetch_whole(name, self.rules.strip) {
                self.header.names[INDEX] = Some(name);
            }
            self.need_header = false;
            self.stripping = self.dress.strip_cr;
        } else if let Some(words) = rest(b"Prereq:") {
            self.prereq(words);
        } else if let Some(names) = rest(b"diff --git ") {
            nul()?;
            let pair = names::git_pair(names, self.rules.strip);
            let (old, new) = pair.map_or((None, None), |(old, new)| (Some(old), Some(new)));
            self.header.names[OLD] = old;
            self.header.names[NEW] = new;
            self.header.git = true;
            self.need_header = false;
        } else if self.header.git && text.starts_with(b"GIT binary patch") {
            return Ok(true);
        } else if !(self.header.git && self.git_line(text)) {
            let mut inner = text;
            while let [b'-', b' ', more @ ..] = inner {
                inner = more;
            }
            if let Some(name) = inner.strip_prefix(b"--- ") {
                nul()?;
                self.minus(name, (text.len() - inner.len()) / 2);
            }
        }
        Ok(false)
    }

    /// A name of `***` or `+++`. In a unified diff the two sides come out exchanged, which is mended when
    /// its first hunk shows what it is.
    fn side(&mut self, side: usize, name: &[u8], counts_cr: bool) {
        if let Some(fetched) = names::fetch(name, self.rules.strip) {
            self.take(side, fetched);
        }
        self.need_header = false;
        if counts_cr {
            self.stripping = self.dress.strip_cr;
        }
    }

    fn minus(&mut self, name: &[u8], nesting: usize) {
        let before = self.header.stamps[NEW];
        self.header.stamps[NEW] = None;
        if let Some(fetched) = names::fetch(name, self.rules.strip) {
            self.take(NEW, fetched);
        }
        match self.header.stamps[NEW] {
            Some(_) => self.nesting = nesting,
            None => self.header.stamps[NEW] = before,
        }
        self.need_header = false;
        self.stripping = self.dress.strip_cr;
    }

    fn take(&mut self, side: usize, fetched: Fetched) {
        // Without a name here, what a line before said stays.
        if fetched.null {
            self.header.stamps[side] = Some(EPOCH);
        } else if fetched.name.is_some() {
            self.header.stamps[side] = self.stamp(&fetched.tail);
            self.header.tails[side] = fetched.tail;
            self.header.names[side] = fetched.name;
        }
    }

    fn stamp(&self, tail: &[u8]) -> Option<Stamp> {
        let stamp = super::stamp::parse(tail, self.rules.zone)?;
        if !self.rules.exact_stamps && stamp.may_be_epoch() { Some(EPOCH) } else { Some(stamp) }
    }

    fn prereq(&mut self, words: &[u8]) {
        let mut words = words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        self.header.prereq = words.next().map(<[u8]>::to_vec);
        if words.next().is_some() {
            self.header.odd_prereqs += 1;
        }
    }

    /// A line that only git writes.
    fn git_line(&mut self, text: &[u8]) -> bool {
        let rest = |mark: &[u8]| text.strip_prefix(mark);
        let header = &mut self.header;
        if let Some(hashes) = rest(b"index ") {
            if !index_line(header, hashes) {
                return false;
            }
        } else if let Some(mode) = rest(b"old mode ") {
            header.modes[OLD] = octal(mode);
        } else if let Some(mode) = rest(b"new mode ") {
            header.modes[NEW] = octal(mode);
        } else if let Some(mode) = rest(b"deleted file mode ") {
            header.modes[OLD] = octal(mode);
            header.absent[NEW] = Absence::Missing;
        } else if let Some(mode) = rest(b"new file mode ") {
            header.modes[NEW] = octal(mode);
            header.absent[OLD] = Absence::Missing;
        } else if rest(b"rename from ").is_some() {
            header.rename[OLD] = true;
        } else if rest(b"rename to ").is_some() {
            header.rename[NEW] = true;
        } else if rest(b"copy from ").is_some() {
            header.copy[OLD] = true;
        } else if rest(b"copy to ").is_some() {
            header.copy[NEW] = true;
        } else {
            header.binary_differs |= header.extended && is_binary_notice(text);
            return false;
        }
        header.extended = true;
        true
    }

    /// The kind of the hunk that begins here, and where it begins.
    fn begins(&self, text: &[u8], start: Place) -> Option<(Kind, Place)> {
        let allowed = |kind: Kind| self.rules.kind.is_none_or(|want| want == kind);
        if let Some(command) = &self.command
            && allowed(Kind::Ed)
            && text == b".\n"
        {
            return Some((Kind::Ed, command.start));
        }
        if allowed(Kind::Unified) && text.starts_with(b"@@ -") {
            return Some((Kind::Unified, start));
        }
        if (allowed(Kind::Context) || allowed(Kind::NewContext))
            && self.last.is_stars
            && self.last.indent == self.dress.indent
            && text.starts_with(b"*** ")
        {
            let body = text.strip_suffix(b"\n").unwrap_or(text);
            let kind = if body.ends_with(b"*") { Kind::NewContext } else { Kind::Context };
            return Some((kind, self.last.start));
        }
        let same_indent = self.last.indent == self.dress.indent;
        let is_normal =
            self.last.is_command && same_indent && (text.starts_with(b"< ") || text.starts_with(b"> "));
        (allowed(Kind::Normal) && is_normal).then_some((Kind::Normal, self.last.start))
    }

    /// What the first hunk says of sides that are no files.
    fn look_ahead(
        &mut self,
        kind: Kind,
        text: &[u8],
        start: Place,
        dress: Dress,
        lines: &mut Lines<'_>,
    ) -> Result<(), ReadError> {
        match kind {
            Kind::Unified => self.unified_sides(text),
            Kind::Context | Kind::NewContext => self.context_sides(kind, text, start, dress, lines)?,
            _ => {}
        }
        Ok(())
    }

    fn unified_sides(&mut self, text: &[u8]) {
        let header = &mut self.header;
        header.names.swap(OLD, NEW);
        header.stamps.swap(OLD, NEW);
        header.tails.swap(OLD, NEW);
        let zero =
            |text: &[u8]| matches!(text, [b'0', rest @ ..] if !rest.first().is_some_and(u8::is_ascii_digit));
        let text = &text[4..];
        if zero(text) {
            header.absent[OLD] = header.empty_side(OLD);
        }
        let behind = text.iter().position(|b| matches!(b, b' ' | b'\n')).map_or(&b""[..], |at| &text[at..]);
        if behind.trim_ascii_start().strip_prefix(b"+").is_some_and(zero) {
            header.absent[NEW] = header.empty_side(NEW);
        }
    }

    fn context_sides(
        &mut self,
        kind: Kind,
        text: &[u8],
        start: Place,
        dress: Dress,
        lines: &mut Lines<'_>,
    ) -> Result<(), ReadError> {
        if matches!(&text[4..], [b'0', rest @ ..] if !rest.first().is_some_and(u8::is_ascii_digit)) {
            self.header.absent[OLD] = self.header.empty_side(OLD);
        }
        let mut ahead = lines.clone();
        ahead.seek(start);
        ahead.dress = dress;
        let style = context::Style { new: kind == Kind::NewContext, ..self.rules.style };
        let first = context::read(&mut ahead, style);
        lines.share_torn(&mut ahead);
        let Some(hunk) = first? else { return Ok(()) };
        if hunk.new.is_empty() && hunk.new_first == 1 {
            self.header.absent[NEW] = self.header.empty_side(NEW);
        }
        self.ahead = Some(Ahead { head: hunk.head, restyled: hunk.restyled });
        Ok(())
    }
}

/// The bytes and the columns of leading blanks and `X`.
fn indent(line: &[u8]) -> (usize, usize) {
    let mut columns = 0;
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b' ' | b'X' => columns += 1,
            b'\t' => columns = (columns + 8) & !7,
            _ => return (at, columns),
        }
    }
    (line.len(), columns)
}

/// Whether `NcN` and the like, as in a normal diff, stands alone on its line; `None` if it stands nowhere.
fn range_command(text: &[u8]) -> Option<bool> {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit() || **b == b',').count();
    text.first().filter(|b| b.is_ascii_digit())?;
    let rest = &text[digits(text)..];
    let [b'a' | b'c' | b'd', rest @ ..] = rest else { return None };
    let rest = &rest[digits(rest)..];
    Some(is_line_end(rest))
}

/// `N,Nc` and the like, as in an ed script.
pub fn is_ed_command(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let mut rest = &text[digits(text)..];
    let mut pair = false;
    if let ([_, ..], [b',', more @ ..]) = (&text[..digits(text)], rest) {
        if digits(more) == 0 {
            return false;
        }
        rest = &more[digits(more)..];
        pair = true;
    }
    match rest {
        [b'a' | b'i', rest @ ..] if !pair => is_plain_end(rest),
        [b'c' | b'd', rest @ ..] => is_plain_end(rest),
        [b's', rest @ ..] => rest.strip_prefix(b"/.//").is_some_and(is_plain_end),
        _ => false,
    }
}

fn is_line_end(rest: &[u8]) -> bool {
    let blanks = rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    matches!(&rest[blanks..], b"\n" | b"\r\n")
}

/// As [`is_line_end`], without a carriage return.
fn is_plain_end(rest: &[u8]) -> bool {
    is_line_end(rest) && !rest.contains(&b'\r')
}

/// A mode as git writes it: six digits, of a file or a link; others count as not told.
fn octal(text: &[u8]) -> u32 {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let text = text.strip_suffix(b"\r").unwrap_or(text).trim_ascii_start();
    if text.len() != 6 || !text.iter().all(|b| matches!(b, b'0'..=b'7')) {
        return 0;
    }
    let mode = text.iter().fold(0, |sum, b| sum * 8 + u32::from(b - b'0'));
    if matches!(mode & 0o170_000, 0o100_000 | 0o120_000) { mode } else { 0 }
}

/// `index A..B [MODE]`
fn index_line(header: &mut Header, text: &[u8]) -> bool {
    let hex = |text: &[u8]| text.iter().take_while(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')).count();
    let (old, rest) = text.split_at(hex(text));
    let Some(rest) = rest.strip_prefix(b"..") else { return false };
    let (new, rest) = rest.split_at(hex(rest));
    if old.is_empty() || new.is_empty() || !rest.first().is_none_or(u8::is_ascii_whitespace) {
        return false;
    }
    header.absent = [hash_says(old), hash_says(new)];
    let mode = rest.trim_ascii_start();
    if !mode.is_empty() {
        header.modes = [octal(mode); 2];
    }
    true
}

fn hash_says(hash: &[u8]) -> Absence {
    if hash.iter().all(|b| *b == b'0') {
        Absence::Missing
    } else if EMPTY_BLOB.starts_with(hash) {
        Absence::Empty
    } else {
        Absence::None
    }
}

/// git and diff announce a binary change without giving it.
pub fn is_binary_notice(text: &[u8]) -> bool {
    text.starts_with(b"Binary files ") && text.trim_ascii_end().ends_with(b" differ")
}
