//! JSON as models and logs write it.
//!
//! The reader works on the lines of the input, keeps its own stack and decodes each string once. It is
//! lenient where one reading exists (line ends in strings, trailing commas, `\'`), and refuses the rest:
//! a key that stands twice, a lone surrogate, a text that is cut off.

use memchr::memchr2;

use super::InputLine;

/// Brackets deeper than this are refused.
const MAX_DEPTH: usize = 64;
/// Longer strings are refused.
const MAX_STRING: usize = 64 << 20;
/// Texts of more values are refused.
const MAX_VALUES: usize = 2_000_000;

/// A value; objects and arrays know the input line that they begin on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Null,
    Bool(bool),
    /// As written.
    Number(Vec<u8>),
    String(Vec<u8>),
    Array(Vec<Value>),
    Object(Object),
}

/// Members in the order of the text. Two are equal wherever they stand.
#[derive(Clone, Debug, Default)]
pub struct Object {
    pub first: usize,
    pub last: usize,
    pub members: Vec<(Vec<u8>, Value)>,
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.members == other.members
    }
}

impl Eq for Object {}

impl Object {
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.members.iter().find(|(name, _)| name == key.as_bytes()).map(|(_, value)| value)
    }

    pub fn str(&self, key: &str) -> Option<&[u8]> {
        self.get(key).and_then(Value::as_str)
    }
}

impl Value {
    pub fn as_str(&self) -> Option<&[u8]> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }
}

/// Why a text is no JSON that can be read in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    CutOff,
    TooDeep,
    TooLarge,
    Twice(String),
    /// What was met at an input line.
    Unexpected {
        what: String,
        line: usize,
    },
}

/// A position between the bytes of some lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The index among the lines.
    pub row: usize,
    pub column: usize,
}

/// Reads the value that begins at `from`; returns it and where it ends.
///
/// # Errors
/// See [`Wrong`].
pub fn read(lines: &[InputLine<'_>], from: Cursor) -> Result<(Value, Cursor), Wrong> {
    let mut reader = Reader { lines, at: from, open: Vec::new(), values: 0 };
    let value = reader.value()?;
    Ok((value, reader.at))
}

/// A whole text that is one value, as stands in a string of another value; `line`: where that stands.
///
/// # Errors
/// See [`Wrong`]; also if anything follows the value.
pub fn read_all(text: &[u8], line: usize) -> Result<Value, Wrong> {
    let mut lines = super::lines(text);
    lines.iter_mut().for_each(|inner| inner.number = line);
    let mut reader = Reader { lines: &lines, at: Cursor { row: 0, column: 0 }, open: Vec::new(), values: 0 };
    let value = reader.value()?;
    match reader.next_solid() {
        None => Ok(value),
        Some(byte) => Err(reader.unexpected(byte)),
    }
}

/// An array or object that is being read.
enum Open {
    Array(Vec<Value>),
    Object { object: Object, key: Option<Vec<u8>>, seen: std::collections::HashSet<Vec<u8>> },
}

struct Reader<'l, 'i> {
    lines: &'l [InputLine<'i>],
    at: Cursor,
    open: Vec<Open>,
    /// How many values were read.
    values: usize,
}

impl Reader<'_, '_> {
    fn value(&mut self) -> Result<Value, Wrong> {
        loop {
            let mut done = match self.token()? {
                Token::Opened => continue,
                Token::Closed => self.close(),
                Token::Value(value) => Some(value),
            };
            while let Some(value) = done.take() {
                if self.open.is_empty() {
                    return Ok(value);
                }
                self.put(value);
                if self.closes()? {
                    done = self.close();
                }
            }
        }
    }

    /// The next value or bracket; within an object, its key first.
    fn token(&mut self) -> Result<Token, Wrong> {
        let byte = self.solid()?;
        let closing = match self.open.last() {
            Some(Open::Array(_)) => b']',
            Some(Open::Object { .. }) => b'}',
            None => 0,
        };
        if byte == closing {
            self.step();
            return Ok(Token::Closed);
        }
        if closing == b'}' {
            self.key(byte)?;
        }
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(Wrong::TooLarge);
        }
        let byte = self.solid()?;
        match byte {
            b'{' | b'[' => self.opened(byte).map(|()| Token::Opened),
            b'"' => self.string().map(|text| Token::Value(Value::String(text))),
            _ => self.word(byte).map(Token::Value),
        }
    }

    fn opened(&mut self, byte: u8) -> Result<(), Wrong> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Wrong::TooDeep);
        }
        let first = self.number();
        self.step();
        self.open.push(match byte {
            b'[' => Open::Array(Vec::new()),
            _ => Open::Object {
                object: Object { first, last: first, members: Vec::new() },
                key: None,
                seen: std::collections::HashSet::new(),
            },
        });
        Ok(())
    }

    fn key(&mut self, byte: u8) -> Result<(), Wrong> {
        if byte != b'"' {
            return Err(self.unexpected(byte));
        }
        let name = self.string()?;
        match self.solid()? {
            b':' => self.step(),
            other => return Err(self.unexpected(other)),
        }
        if let Some(Open::Object { key, seen, .. }) = self.open.last_mut() {
            if !seen.insert(name.clone()) {
                return Err(Wrong::Twice(String::from_utf8_lossy(&name).into_owned()));
            }
            *key = Some(name);
        }
        Ok(())
    }

    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            Some(Open::Array(values)) => values.push(value),
            Some(Open::Object { object, key, .. }) => {
                object.members.extend(key.take().map(|key| (key, value)));
            }
            None => {}
        }
    }

    /// Behind a value: a comma goes on (and may be the last thing before the bracket), a bracket closes.
    fn closes(&mut self) -> Result<bool, Wrong> {
        let closing = if matches!(self.open.last(), Some(Open::Array(_))) { b']' } else { b'}' };
        match self.solid()? {
            b',' => {
                self.step();
                Ok(false)
            }
            byte if byte == closing => {
                self.step();
                Ok(true)
            }
            byte => Err(self.unexpected(byte)),
        }
    }

    fn close(&mut self) -> Option<Value> {
        let last = self.number();
        Some(match self.open.pop()? {
            Open::Array(values) => Value::Array(values),
            Open::Object { object, .. } => Value::Object(Object { last, ..object }),
        })
    }

    /// `true`, `false`, `null`, a number.
    fn word(&mut self, byte: u8) -> Result<Value, Wrong> {
        let text = &self.lines[self.at.row].text[self.at.column..];
        let len =
            text.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.')).count();
        let word = &text[..len];
        let value = match word {
            b"true" => Value::Bool(true),
            b"false" => Value::Bool(false),
            b"null" => Value::Null,
            [b'-' | b'0'..=b'9', ..] => Value::Number(word.to_vec()),
            _ => return Err(self.unexpected(byte)),
        };
        self.at.column += len;
        Ok(value)
    }

    fn string(&mut self) -> Result<Vec<u8>, Wrong> {
        self.step();
        let mut out = Vec::new();
        loop {
            let line = self.lines.get(self.at.row).ok_or(Wrong::CutOff)?;
            let rest = &line.text[self.at.column..];
            let special = memchr2(b'"', b'\\', rest);
            out.extend_from_slice(&rest[..special.unwrap_or(rest.len())]);
            if out.len() > MAX_STRING {
                return Err(Wrong::TooLarge);
            }
            match special {
                None => {
                    out.extend_from_slice(line.eol.bytes());
                    self.at = Cursor { row: self.at.row + 1, column: 0 };
                }
                Some(at) => {
                    self.at.column += at + 1;
                    if rest[at] == b'"' {
                        return Ok(out);
                    }
                    self.escape(&mut out)?;
                }
            }
        }
    }

    /// What stands behind a back-slash.
    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), Wrong> {
        let Some(byte) = self.peek() else {
            return Err(self.broken_off("a back-slash at the end of a line"));
        };
        self.step();
        let plain = match byte {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 0x08,
            b'f' => 0x0c,
            b'"' | b'\\' | b'/' | b'\'' => byte,
            b'u' => return self.unicode(out),
            other => {
                let what = format!("the escape `\\{}`, which JSON does not have", char::from(other));
                return Err(Wrong::Unexpected { what, line: self.number() });
            }
        };
        out.push(plain);
        Ok(())
    }

    fn unicode(&mut self, out: &mut Vec<u8>) -> Result<(), Wrong> {
        let high = self.hex()?;
        let code = if (0xd800..0xdc00).contains(&high) {
            let rest = &self.lines[self.at.row].text[self.at.column..];
            if !rest.starts_with(b"\\u") {
                return Err(self.broken_off("half of a surrogate pair"));
            }
            self.at.column += 2;
            let low = self.hex()?;
            if !(0xdc00..0xe000).contains(&low) {
                return Err(self.broken_off("half of a surrogate pair"));
            }
            0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)
        } else {
            high
        };
        let Some(char) = char::from_u32(code) else {
            return Err(self.broken_off("half of a surrogate pair"));
        };
        out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    fn hex(&mut self) -> Result<u32, Wrong> {
        let rest = self.lines.get(self.at.row).map_or(&b""[..], |line| &line.text[self.at.column..]);
        let digits = rest.get(..4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let code = digits.and_then(|digits| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        let Some(code) = code else { return Err(self.broken_off("a `\\u` without four digits")) };
        self.at.column += 4;
        Ok(code)
    }

    /// Something wrong within a string; at the very end of the text it is cut off.
    fn broken_off(&self, what: &str) -> Wrong {
        let ended = self.lines.get(self.at.row + 1).is_none() && self.peek().is_none();
        if ended { Wrong::CutOff } else { Wrong::Unexpected { what: what.to_owned(), line: self.number() } }
    }

    fn unexpected(&self, byte: u8) -> Wrong {
        let what = format!("`{}`", byte.escape_ascii());
        Wrong::Unexpected { what, line: self.number() }
    }

    /// The next byte that is no white space, not taken.
    fn solid(&mut self) -> Result<u8, Wrong> {
        self.next_solid().ok_or(Wrong::CutOff)
    }

    fn next_solid(&mut self) -> Option<u8> {
        while let Some(line) = self.lines.get(self.at.row) {
            let rest = line.text.get(self.at.column..).unwrap_or_default();
            if let Some(skip) = rest.iter().position(|b| !b.is_ascii_whitespace()) {
                self.at.column += skip;
                return Some(rest[skip]);
            }
            self.at = Cursor { row: self.at.row + 1, column: 0 };
        }
        None
    }

    fn peek(&self) -> Option<u8> {
        self.lines.get(self.at.row)?.text.get(self.at.column).copied()
    }

    fn step(&mut self) {
        self.at.column += 1;
    }

    /// The number of the line that is read.
    fn number(&self) -> usize {
        self.lines.get(self.at.row).or(self.lines.last()).map_or(0, |line| line.number)
    }
}

enum Token {
    Opened,
    Closed,
    Value(Value),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Value, Wrong> {
        read_all(text.as_bytes(), 1)
    }

    fn string(text: &str) -> Value {
        Value::String(text.into())
    }

    #[test]
    fn values() {
        for (text, want) in [
            ("null", Value::Null),
            (" true ", Value::Bool(true)),
            ("-1.5e3", Value::Number(b"-1.5e3".to_vec())),
            (r#""a\n\t\"\\\/\u00e9\ud83d\ude00""#, string("a\n\t\"\\/\u{e9}\u{1f600}")),
            ("\"a\nb\r\n\tc\"", string("a\nb\r\n\tc")),
            (r#""it\'s""#, string("it's")),
            ("[]", Value::Array(vec![])),
            (
                "[1, [\"x\",],\n]",
                Value::Array(vec![Value::Number(b"1".to_vec()), Value::Array(vec![string("x")])]),
            ),
        ] {
            assert_eq!(parse(text), Ok(want), "{text}");
        }
    }

    #[test]
    fn objects_keep_order_and_lines() {
        let lines = super::super::lines(b"x\n{\"b\": 1,\n \"a\": {}\n} rest\n");
        let (value, end) = read(&lines, Cursor { row: 1, column: 0 }).unwrap();
        let object = value.as_object().unwrap();
        assert_eq!((object.first, object.last, end), (2, 4, Cursor { row: 3, column: 1 }));
        assert_eq!(object.members.iter().map(|m| &m.0[..]).collect::<Vec<_>>(), [b"b", b"a"]);
    }

    #[test]
    fn refused() {
        let deep = "[".repeat(100_000);
        for (text, cut_off) in [
            ("{\"a\": 1", true),
            ("{\"a\": \"x", true),
            ("\"x\\", true),
            ("[1", true),
            ("{\"a\": 1, \"a\": 1}", false),
            ("\"\\d\"", false),
            ("\"\\ud83d\"", false),
            ("\"\\u12\"", false),
            ("{a: 1}", false),
            ("[,]", false),
            ("{\"a\" 1}", false),
            ("{\"a\": 1} x", false),
            ("1 2", false),
            (&deep, false),
        ] {
            let wrong = parse(text).unwrap_err();
            assert_eq!(wrong == Wrong::CutOff, cut_off, "{} {wrong:?}", &text[..text.len().min(40)]);
        }
        assert_eq!(parse(&deep), Err(Wrong::TooDeep));
    }

    #[test]
    fn huge_texts_are_refused() {
        let text = format!("\"{}\"", "x".repeat(MAX_STRING + 1));
        assert_eq!(parse(&text), Err(Wrong::TooLarge));
        assert_eq!(parse(&format!("[{}]", "1,".repeat(MAX_VALUES))), Err(Wrong::TooLarge));
    }
}
