//! Command lines as GNU's getopt reads them: bundled letters, options and operands in any order,
//! long names by unique prefix.
//!
//! The faces that replace GNU programs need these manners to the letter, which clap does not have.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
};

/// Whether an option takes a value, and how help names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    None,
    Needed(&'static str),
    /// Only behind `=`.
    Optional(&'static str),
}

/// One option; the order of a table is the order in which ambiguous prefixes are listed.
#[derive(Clone, Copy, Debug)]
pub struct Spec<T> {
    pub id: T,
    pub letter: Option<u8>,
    pub long: &'static str,
    pub value: Value,
    /// One sentence of help; options without one are not listed.
    pub help: &'static str,
    /// The name counts only when spelled in full.
    pub full: bool,
}

/// What stands on a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item<T> {
    Option(T, Option<OsString>),
    Operand(OsString),
}

/// A line of complaint, without the program's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint(pub String);

/// Reads the arguments (without the program's name) one by one.
pub struct Reader<'a, T> {
    table: &'a [Spec<T>],
    args: &'a [OsString],
    at: usize,
    /// Letters of a bundle that are still to be read: the argument, and where in it.
    bundle: Option<(usize, usize)>,
    only_operands: bool,
    /// Options end at the first operand.
    ordered: bool,
}

impl<'a, T: Copy + PartialEq> Reader<'a, T> {
    pub fn new(table: &'a [Spec<T>], args: &'a [OsString], ordered: bool) -> Reader<'a, T> {
        Reader { table, args, at: 0, bundle: None, only_operands: false, ordered }
    }

    /// What is left behind the present argument.
    pub fn rest(&self) -> &'a [OsString] {
        &self.args[self.at..]
    }

    /// The argument that was read last.
    pub fn present(&self) -> Option<&'a OsStr> {
        self.at.checked_sub(1).and_then(|at| self.args.get(at)).map(OsString::as_os_str)
    }

    /// Passes so many arguments over.
    pub fn pass(&mut self, count: usize) {
        self.at += count;
    }

    fn long(&mut self, text: &[u8]) -> Result<Item<T>, Complaint> {
        let (name, given) = match memchr::memchr(b'=', text) {
            Some(at) => (&text[..at], Some(OsStr::from_bytes(&text[at + 1..]).to_owned())),
            None => (text, None),
        };
        let shown = String::from_utf8_lossy(name).into_owned();
        let spec = self.named(name, &shown)?;
        let value = match (spec.value, given) {
            (Value::None, Some(_)) => {
                return Err(Complaint(format!("option '--{}' doesn't allow an argument", spec.long)));
            }
            (Value::Needed(_), None) => {
                let next = self.args.get(self.at).cloned();
                self.at += 1;
                let none = || Complaint(format!("option '--{}' requires an argument", spec.long));
                Some(next.ok_or_else(none)?)
            }
            (_, given) => given,
        };
        Ok(Item::Option(spec.id, value))
    }

    fn named(&self, name: &[u8], shown: &str) -> Result<&'a Spec<T>, Complaint> {
        if let Some(exact) = self.table.iter().find(|spec| spec.long.as_bytes() == name) {
            return Ok(exact);
        }
        let fits = |spec: &&Spec<T>| !spec.full && spec.long.as_bytes().starts_with(name);
        let fitting: Vec<&Spec<T>> = self.table.iter().filter(fits).collect();
        match fitting[..] {
            [] => Err(Complaint(format!("unrecognized option '--{shown}'"))),
            [one] => Ok(one),
            [first, ref more @ ..] if more.iter().all(|spec| spec.id == first.id) => Ok(first),
            _ => {
                let list: Vec<String> = fitting.iter().map(|spec| format!("'--{}'", spec.long)).collect();
                let list = list.join(" ");
                Err(Complaint(format!("option '--{shown}' is ambiguous; possibilities: {list}")))
            }
        }
    }

    fn letter(&mut self, arg: usize, at: usize) -> Result<Item<T>, Complaint> {
        let text = self.args[arg].as_bytes();
        let letter = text[at];
        let rest = &text[at + 1..];
        self.bundle = (!rest.is_empty()).then_some((arg, at + 1));
        let shown = String::from_utf8_lossy(&text[at..=at]).into_owned();
        let spec = self.table.iter().find(|spec| spec.letter == Some(letter));
        let spec = spec.ok_or_else(|| Complaint(format!("invalid option -- '{shown}'")))?;
        if !matches!(spec.value, Value::Needed(_)) {
            return Ok(Item::Option(spec.id, None));
        }
        let value = match self.bundle.take() {
            Some(_) => OsStr::from_bytes(rest).to_owned(),
            None => {
                let next = self.args.get(self.at).cloned();
                self.at += 1;
                next.ok_or_else(|| Complaint(format!("option requires an argument -- '{shown}'")))?
            }
        };
        Ok(Item::Option(spec.id, Some(value)))
    }
}

impl<T: Copy + PartialEq> Iterator for Reader<'_, T> {
    type Item = Result<Item<T>, Complaint>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some((arg, at)) = self.bundle {
            return Some(self.letter(arg, at));
        }
        let arg = self.args.get(self.at)?;
        self.at += 1;
        let text = arg.as_bytes();
        if self.only_operands || text.len() < 2 || text[0] != b'-' {
            self.only_operands |= self.ordered;
            return Some(Ok(Item::Operand(arg.clone())));
        }
        match text.strip_prefix(b"--") {
            Some(b"") => {
                self.only_operands = true;
                self.next()
            }
            Some(name) => Some(self.long(name)),
            None => Some(self.letter(self.at - 1, 1)),
        }
    }
}

/// The list of options for `--help`.
pub fn help<T>(table: &[Spec<T>]) -> String {
    let mut text = String::new();
    for spec in table.iter().filter(|spec| !spec.help.is_empty()) {
        let letter = spec.letter.map_or("    ".to_owned(), |letter| format!("-{}, ", char::from(letter)));
        let value = match spec.value {
            Value::None => String::new(),
            Value::Needed(name) => format!("={name}"),
            Value::Optional(name) => format!("[={name}]"),
        };
        let left = format!("  {letter}--{}{value}", spec.long);
        text += &if left.len() < 33 {
            format!("{left:33}{}\n", spec.help)
        } else {
            format!("{left}\n{:33}{}\n", "", spec.help)
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: [Spec<char>; 5] = [
        Spec { id: 'p', letter: Some(b'p'), long: "strip", value: Value::Needed("N"), help: "", full: false },
        Spec { id: 'N', letter: Some(b'N'), long: "forward", value: Value::None, help: "", full: false },
        Spec { id: 'v', letter: None, long: "version", value: Value::None, help: "", full: false },
        Spec { id: 'V', letter: None, long: "verbose", value: Value::Optional("W"), help: "", full: false },
        Spec { id: 's', letter: None, long: "verify", value: Value::None, help: "", full: true },
    ];

    fn read(line: &str, ordered: bool) -> String {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let items = Reader::new(&TABLE, &args, ordered).map(|item| match item {
            Ok(Item::Option(id, value)) => format!("{id}{}", value.unwrap_or_default().to_string_lossy()),
            Ok(Item::Operand(name)) => format!("<{}>", name.to_string_lossy()),
            Err(Complaint(text)) => format!("! {text}"),
        });
        items.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn bundles_operands_and_prefixes() {
        assert_eq!(read("-Np1 a --str=2 b -p 3 - -- -N", false), "N p1 <a> p2 <b> p3 <-> <-N>");
        assert_eq!(read("a -N", true), "<a> <-N>");
        assert_eq!(read("--verb=x", false), "Vx");
    }

    #[test]
    fn complaints() {
        assert_eq!(
            read("--ver", false),
            "! option '--ver' is ambiguous; possibilities: '--version' '--verbose'"
        );
        assert_eq!(
            read("--no -q -p", false),
            "! unrecognized option '--no' ! invalid option -- 'q' ! option requires an argument -- 'p'"
        );
        assert_eq!(read("--verif", false), "! unrecognized option '--verif'");
        assert_eq!(read("--forward=x", false), "! option '--forward' doesn't allow an argument");
    }
}
