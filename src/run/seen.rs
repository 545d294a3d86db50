//! What an input holds that holds no edit.

use crate::{
    edit::{Format, Parsed},
    refusal::Refusal,
    text::{Text, is_blank},
};

/// Why nothing of this input can be carried out; `None` if there is an edit.
pub(super) fn refuse(bytes: &[u8], parsed: &Parsed<'_>, only: Option<Format>) -> Option<Refusal> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Some(Refusal::BinaryInput { what: "it is encoded in UTF-16" });
    }
    if !parsed.edits.is_empty() || !parsed.faults.is_empty() {
        return None;
    }
    if is_blank(bytes) || bytes.iter().all(u8::is_ascii_whitespace) {
        return Some(Refusal::EmptyInput);
    }
    if bytes.contains(&0) {
        return Some(Refusal::BinaryInput { what: "it holds NUL bytes" });
    }
    Some(Refusal::NoEdit { seen: describe(bytes, parsed, only) })
}

fn describe(bytes: &[u8], parsed: &Parsed<'_>, only: Option<Format>) -> String {
    let lines = Text::new(bytes).len();
    let lines = if lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") };
    let fences = match parsed.skipped {
        0 => "no code fence".to_owned(),
        1 => "1 code fence that names no file".to_owned(),
        count => format!("{count} code fences that name no file"),
    };
    let form = only.map_or(String::new(), |format| format!(", and nothing in the format {}", format.name()));
    format!("{lines} of text with {fences}{form}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(bytes: &[u8], skipped: usize) -> String {
        let parsed = Parsed { skipped, ..Parsed::default() };
        refuse(bytes, &parsed, None).map_or("an edit".into(), |refusal| refusal.to_string())
    }

    #[test]
    fn each_kind_has_its_own_words() {
        assert_eq!(said(b" \n\n", 0), "the input is empty");
        assert_eq!(said(b"\x7fELF\0\0", 0), "the input is no text: it holds NUL bytes");
        assert_eq!(said(b"\xff\xfea\0", 0), "the input is no text: it is encoded in UTF-16");
        assert_eq!(said(b"hi\n", 0), "no edit found in the input: 1 line of text with no code fence");
        assert_eq!(
            said(b"a\nb\n", 2),
            "no edit found in the input: 2 lines of text with 2 code fences that name no file"
        );
    }
}
