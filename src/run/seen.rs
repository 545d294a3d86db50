//! What an input holds that holds no edit, and what to do about it.

use crate::{
    edit::{Format, Parsed},
    input,
    refusal::Refusal,
    text::{Text, is_blank},
};

/// Lines that are looked at to tell what an input is.
const LOOKED_AT: usize = 200;

/// What a file begins with that is packed.
const PACKED: [(&[u8], &str); 5] = [
    (b"\x1f\x8b", "it is compressed by gzip"),
    (b"BZh", "it is compressed by bzip2"),
    (b"\xfd7zXZ", "it is compressed by xz"),
    (b"\x28\xb5\x2f\xfd", "it is compressed by zstd"),
    (b"PK\x03\x04", "it is a ZIP archive"),
];

/// Endings of names that replies and patches have; another file is more likely the one to change.
const REPLIES: [&str; 13] =
    ["md", "markdown", "txt", "patch", "diff", "rej", "json", "jsonl", "log", "eml", "mbox", "html", "htm"];

/// Why nothing of this input can be carried out; `None` if there is an edit.
pub(super) fn refuse(bytes: &[u8], name: &str, parsed: &Parsed<'_>, only: Option<Format>) -> Option<Refusal> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let advice = Some("Convert it first: `iconv -f UTF-16 -t UTF-8 FILE | edapply`.");
        return Some(Refusal::BinaryInput { what: "it is encoded in UTF-16", advice });
    }
    if !parsed.edits.is_empty() || !parsed.faults.is_empty() {
        return None;
    }
    if is_blank(bytes) || bytes.iter().all(u8::is_ascii_whitespace) {
        return Some(Refusal::EmptyInput);
    }
    if let Some((_, what)) = PACKED.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        let advice = Some("Unpack it first: `gzip -dc FILE | edapply`, or what else unpacks it.");
        return Some(Refusal::BinaryInput { what, advice });
    }
    if bytes.contains(&0) {
        return Some(Refusal::BinaryInput { what: "it holds NUL bytes", advice: None });
    }
    if let Some(seen) = only.and_then(|only| of_another_format(bytes, only)) {
        let advice = Some("Leave `--format` out, or name the format that the input has.");
        return Some(Refusal::NoEdit { seen, advice });
    }
    if let Some((seen, advice)) = known(bytes) {
        return Some(Refusal::NoEdit { seen: seen.into(), advice: Some(advice) });
    }
    let advice = is_target(name, parsed).then_some(
        "Give the reply or patch as input, not the file to change: that one is named in the reply, and found below the \
         current folder or `-C DIR`.",
    );
    Some(Refusal::NoEdit { seen: describe(bytes, parsed, only), advice })
}

/// What the input holds beside the one format that was asked for.
fn of_another_format(bytes: &[u8], only: Format) -> Option<String> {
    let all = input::read(bytes, None);
    let found = all.edits.iter().map(|edit| edit.format).chain(all.faults.iter().map(|fault| fault.format));
    let mut found: Vec<&str> = found.map(Format::name).collect();
    let count = found.len();
    found.dedup();
    let edits = if count == 1 { "edit" } else { "edits" };
    let only = only.name();
    (count > 0).then(|| format!("nothing in the format {only}, but {count} {edits} in {}", found.join(", ")))
}

/// Text that is known to be something else: what it is, and what to do.
fn known(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let lines: Vec<&[u8]> = bytes.split(|&b| b == b'\n').map(<[u8]>::trim_ascii).take(LOOKED_AT).collect();
    let first = lines.iter().find(|line| !line.is_empty())?.to_ascii_lowercase();
    let begins = |all: &[&str]| all.iter().any(|start| first.starts_with(start.as_bytes()));
    let any = |start: &str| {
        let start = start.as_bytes();
        lines.iter().any(|line| line.len() >= start.len() && line[..start.len()].eq_ignore_ascii_case(start))
    };
    if begins(&["<!doctype html", "<html"]) {
        return Some(("it is an HTML page", "Save the raw patch or reply, not the page that shows it."));
    }
    if any("content-transfer-encoding: base64") {
        let advice = "Decode the mail first: `git mailinfo message patch < MAIL`, then `edapply patch`.";
        return Some(("it is a mail encoded in base64", advice));
    }
    if any("<<<<<<< ") && any(">>>>>>> ") {
        let advice =
            "Resolve the conflict by hand; a block to be applied has `<<<<<<< SEARCH` and `>>>>>>> REPLACE`.";
        return Some(("it is a conflict that a merge left", advice));
    }
    if is_diffstat(&lines) {
        let advice = "Send the diff itself: `git diff` or `git format-patch` without `--stat`.";
        return Some(("it is a diffstat, which tells the size of a change and not the change", advice));
    }
    if matches!(first.first(), Some(b'{' | b'['))
        && serde_json::from_slice::<serde_json::Value>(bytes).is_ok()
    {
        let advice = "An edit call names a file, an old and a new text: `{\"file_path\": ..., \"old_string\": ..., \
                      \"new_string\": ...}`.";
        return Some(("it is JSON without a known edit call", advice));
    }
    if begins(&[
        "sed -i",
        "perl -pi",
        "perl -i",
        "cat >",
        "cat <<",
        "patch -p",
        "git apply",
        "python - <<",
        "python3 - <<",
    ]) {
        let advice =
            "Ask for the edit itself in one of the formats (`edapply prompt search-replace` says how).";
        return Some(("it is a shell command, and those are never run", advice));
    }
    None
}

/// Bars of a diffstat, and the line that sums them up.
fn is_diffstat(lines: &[&[u8]]) -> bool {
    let is_bar = |line: &&[u8]| {
        let bar = line.iter().rposition(|&b| b == b'|').map(|at| line[at + 1..].trim_ascii());
        bar.is_some_and(|bar| {
            bar.first().is_some_and(u8::is_ascii_digit) && (bar.ends_with(b"+") || bar.ends_with(b"-"))
        })
    };
    let is_sum = |line: &&[u8]| {
        [&b" file changed"[..], b" files changed"]
            .iter()
            .any(|sum| line.windows(sum.len()).any(|part| part == *sum))
    };
    lines.iter().any(is_bar) && lines.iter().any(is_sum)
}

/// A file given by name that looks like source code, not like a reply about it.
fn is_target(name: &str, parsed: &Parsed<'_>) -> bool {
    let ending = std::path::Path::new(name).extension().and_then(std::ffi::OsStr::to_str);
    parsed.skipped == 0 && ending.is_some_and(|ending| !REPLIES.contains(&&*ending.to_ascii_lowercase()))
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
        refuse(bytes, "-", &parsed, None).map_or("an edit".into(), |refusal| refusal.to_string())
    }

    #[test]
    fn each_kind_has_its_own_words() {
        assert_eq!(said(b" \n\n", 0), "the input is empty");
        assert_eq!(said(b"\x7fELF\0\0", 0), "the input is no text: it holds NUL bytes");
        assert_eq!(said(b"\xff\xfea\0", 0), "the input is no text: it is encoded in UTF-16");
        assert_eq!(said(b"\x1f\x8b\x08\0", 0), "the input is no text: it is compressed by gzip");
        assert_eq!(said(b"hi\n", 0), "no edit found in the input: 1 line of text with no code fence");
        assert_eq!(
            said(b"a\nb\n", 2),
            "no edit found in the input: 2 lines of text with 2 code fences that name no file"
        );
    }

    #[test]
    fn what_is_no_reply_at_all_is_named() {
        for (input, what) in [
            ("\n<!DOCTYPE HTML>\n<p>", "it is an HTML page"),
            ("From: a\nContent-Transfer-Encoding: BASE64\n\nLS0t\n", "it is a mail encoded in base64"),
            ("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n", "it is a conflict that a merge left"),
            (
                " a.c | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n",
                "it is a diffstat, which tells the size of a change and not the change",
            ),
            ("{\"hello\": 1}\n", "it is JSON without a known edit call"),
            ("sed -i 's/a/b/' x\n", "it is a shell command, and those are never run"),
        ] {
            assert_eq!(said(input.as_bytes(), 0), format!("no edit found in the input: {what}"));
        }
        for input in ["a | 3\n1 file changed\n", "{ not JSON\n", "I would sed -i it\n"] {
            assert!(said(input.as_bytes(), 0).contains("of text with"), "{input}");
        }
    }
}
