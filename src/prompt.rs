//! What to tell a model so that it writes a format well.
//!
//! The short text says how the format looks and what it may not do; the long one adds a worked example.
//! The examples are applied by our own tests, so that no text asks for what we would refuse.

use crate::{edit::Format, text::tag};

/// Instructions for one format.
#[derive(Clone, Copy, Debug)]
pub struct Prompt {
    pub format: Format,
    pub rules: &'static str,
    /// A reply to "call it greeting, and greet by name", for [`EXAMPLE_FILE`].
    pub example: &'static str,
}

/// The path of the file that all examples change.
pub const EXAMPLE_PATH: &str = "src/hello.py";
/// The file that all examples change.
pub const EXAMPLE_FILE: &str =
    "import sys\n\n\ndef hello():\n    text = \"hello\"\n    print(text)\n\n\nhello()\n";
/// The file after each example.
pub const EXAMPLE_AFTER: &str =
    "import sys\n\n\ndef hello():\n    text = \"hello, \" + sys.argv[1]\n    print(text)\n\n\nhello()\n";

/// The instructions for a format, if models write it.
pub fn prompt(format: Format) -> Option<&'static Prompt> {
    PROMPTS.iter().find(|prompt| prompt.format == format)
}

impl Prompt {
    /// The text; `long`: with the example.
    pub fn text(&self, long: bool) -> String {
        if !long {
            return format!("{}\n{COMMON}", self.rules);
        }
        format!(
            "{}\n{COMMON}\nExample. The file {EXAMPLE_PATH} {}:\n\n`````python\n{}`````\n\n\
             To greet by the name that stands on the command line, write:\n\n{}",
            self.rules,
            if self.format == Format::Hashline { "is shown as" } else { "reads" },
            self.example_file(),
            self.example
        )
    }

    /// The file that the example changes, as the model sees it.
    fn example_file(&self) -> String {
        if self.format != Format::Hashline {
            return EXAMPLE_FILE.to_owned();
        }
        let tag = tag::shown(tag::tag(EXAMPLE_FILE.as_bytes()));
        let lines = EXAMPLE_FILE.lines().enumerate();
        let lines: String = lines.map(|(at, line)| format!("{}:{line}\n", at + 1)).collect();
        format!("[{EXAMPLE_PATH}#{tag}]\n{lines}")
    }
}

/// Rules of every format.
const COMMON: &str = "\
Paths are relative to the top of the project, without `..`.
Never write a comment such as \"rest unchanged\" in place of lines.
All edits of one reply are applied together, or none; each is placed on the files as they are now.
If an edit is refused, the answer shows the real lines: copy those, and send the edit again.
";

/// In the order in which people choose.
pub const PROMPTS: [Prompt; 7] = [
    Prompt {
        format: Format::SearchReplace,
        rules: "\
Write each change as a block: the file's path alone on a line, a fence, and in it
a line `<<<<<<< SEARCH`, the old lines, a line `=======`, the new lines, a line `>>>>>>> REPLACE`.
Copy the old lines exactly from the file, with their indentation; quote whole lines.
Quote enough lines that they stand once in the file, but no more than a few around the change.
Use one block for each place. To delete lines, leave them out of the new lines.
To create a file, leave the part above `=======` empty.
",
        example: "src/hello.py\n```python\n<<<<<<< SEARCH\n    text = \"hello\"\n    print(text)\n=======\n    \
                  text = \"hello, \" + sys.argv[1]\n    print(text)\n>>>>>>> REPLACE\n```\n",
    },
    Prompt {
        format: Format::WholeFile,
        rules: "\
Write each file that changes as a whole: its path alone on a line, then a fence with all its lines.
Write every line, also those that stay as they are. Change nothing that was not asked for.
If the file holds fences itself, make the outer fence longer.
",
        example: "src/hello.py\n```python\nimport sys\n\n\ndef hello():\n    text = \"hello, \" + sys.argv[1]\n    \
                  print(text)\n\n\nhello()\n```\n",
    },
    Prompt {
        format: Format::Elided,
        rules: "\
Write each file that changes: its path alone on a line, then a fence with its lines.
For a run of lines that stay as they are, write one comment `... existing code ...` in the file's own
comment style. Keep two or three unchanged lines on each side of a change, copied exactly.
This comment is the only one that may stand for lines.
",
        example: "src/hello.py\n```python\n# ... existing code ...\ndef hello():\n    text = \"hello, \" + \
                  sys.argv[1]\n    print(text)\n# ... existing code ...\n```\n",
    },
    Prompt {
        format: Format::Unified,
        rules: "\
Write the change as a unified diff in a fence marked `diff`: `--- path`, `+++ path`, then hunks.
Begin each hunk with `@@ ... @@`; leave line numbers out. Each line of a hunk begins with a sign:
a blank for a line that stays, `-` for one that goes, `+` for one that comes.
Copy the lines that stay and go exactly, and quote two or three around the change, so that they stand
once in the file. For a new file write `--- /dev/null`, for one that goes `+++ /dev/null`.
",
        example: "```diff\n--- src/hello.py\n+++ src/hello.py\n@@ ... @@\n def hello():\n-    text = \"hello\"\n+    \
                  text = \"hello, \" + sys.argv[1]\n     print(text)\n```\n",
    },
    Prompt {
        format: Format::V4a,
        rules: "\
Write one patch: a line `*** Begin Patch`, the files, a line `*** End Patch`.
A file begins with `*** Update File: path`, `*** Add File: path` or `*** Delete File: path`; to rename one,
write `*** Move to: path` below its update line.
An update holds chunks, each below a line `@@`. Each line of a chunk begins with a sign: a blank for a line
that stays, `-` for one that goes, `+` for one that comes. All lines of an added file begin with `+`.
Quote three lines around a change. If they stand more than once, name the class or function above them
behind the `@@`.
",
        example: "*** Begin Patch\n*** Update File: src/hello.py\n@@ def hello():\n-    text = \"hello\"\n+    \
                  text = \"hello, \" + sys.argv[1]\n     print(text)\n*** End Patch\n",
    },
    Prompt {
        format: Format::EditCall,
        rules: "\
Change files by calls of the tool Edit with `file_path`, `old_string` and `new_string`.
`old_string` is copied exactly from the file and stands there once; quote whole lines, with their
indentation. Set `replace_all` to true to change every place.
Create a file by the tool Write with `file_path` and `content`.
Where tools are not called but written, write one JSON object a line, as below.
",
        example: "{\"type\": \"tool_use\", \"name\": \"Edit\", \"input\": {\"file_path\": \"src/hello.py\", \
                  \"old_string\": \"    text = \\\"hello\\\"\\n\", \"new_string\": \"    text = \\\"hello, \\\" + \
                  sys.argv[1]\\n\"}}\n",
    },
    Prompt {
        format: Format::Hashline,
        rules: "\
Files are shown to you as `[path#TAG]` and then numbered lines. Refer to lines by these numbers.
Write a section for each file that changes: its header `[path#TAG]`, copied as it was shown, then operations.
`PUT 4:` or `PUT 4.=6:` replaces line 4, or lines 4 to 6; `PUT >4:` inserts below line 4, `PUT <4:` above.
`CUT 4` or `CUT 4.=6` deletes lines. Below a PUT stand the new lines, each with `+` before it.
All numbers mean the file as it was shown, whatever other operations do. Do not repeat lines that stay.
`REM` alone in a section deletes the file, `MV new/path` moves it.
",
        example: "[src/hello.py#A706]\nPUT 5:\n+    text = \"hello, \" + sys.argv[1]\n",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        input,
        place::View,
        plan::{self, Policy},
        tree::{Image, Memory, RelPath},
    };

    fn after(reply: &str) -> Vec<u8> {
        let path = RelPath::parse(EXAMPLE_PATH.as_bytes()).expect("a plain path");
        let mut tree = Memory::default();
        tree.files.insert(path, Image { bytes: EXAMPLE_FILE.into(), mode: 0o644 });
        let plan = plan::make(&input::read(reply.as_bytes(), None), &tree, &Policy::default());
        assert!(plan.is_ok(), "{:?}", plan.verdicts);
        plan.changes[0].after.as_ref().expect("a file").bytes.to_vec()
    }

    #[test]
    fn every_example_is_read_in_its_format_and_applies() {
        for prompt in &PROMPTS {
            let parsed = input::read(prompt.example.as_bytes(), None);
            assert_eq!((parsed.edits.len(), parsed.faults.len()), (1, 0), "{:?}", prompt.format);
            assert_eq!(parsed.edits[0].format, prompt.format);
            assert_eq!(String::from_utf8_lossy(&after(prompt.example)), EXAMPLE_AFTER, "{:?}", prompt.format);
        }
    }

    #[test]
    fn every_example_quotes_exactly() {
        for prompt in PROMPTS.iter().filter(|prompt| prompt.format != Format::Elided) {
            let path = RelPath::parse(EXAMPLE_PATH.as_bytes()).expect("a plain path");
            let mut tree = Memory::default();
            tree.files.insert(path, Image { bytes: EXAMPLE_FILE.into(), mode: 0o644 });
            let strict = Policy { loosest: View::LineEnds, ..Policy::default() };
            let plan = plan::make(&input::read(prompt.example.as_bytes(), None), &tree, &strict);
            assert!(plan.is_ok(), "{:?}", prompt.format);
        }
    }

    #[test]
    fn the_long_text_holds_the_short_one() {
        for prompt in &PROMPTS {
            let (short, long) = (prompt.text(false), prompt.text(true));
            assert!(long.starts_with(&short) && long.ends_with(prompt.example), "{:?}", prompt.format);
            assert!(short.lines().count() <= 13 && short.lines().all(|line| line.chars().count() <= 110));
        }
        assert!(prompt(Format::Ed).is_none());
    }
}
