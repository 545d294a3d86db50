//! Files that change.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Detail, PathJson, exactly, lossy, path};
use crate::{
    plan::Change,
    report::{
        delta,
        diff::{self, Moves},
    },
    tree::Image,
};

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum FileKind {
    Created,
    Deleted,
    Modified,
    /// To `move_to`, with or without other changes.
    Moved,
    /// From `copied_from`, with or without other changes.
    Copied,
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum ContentKind {
    Text,
    Binary,
    /// It is a symbolic link, or was; its target is the content.
    Link,
}

/// A file that changes, or would.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileJson {
    kind: FileKind,
    content: ContentKind,
    /// Where it stands; of a file that moves, where it stood.
    #[serde(flatten)]
    path: PathJson,
    /// Where a file that moves will stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    move_to: Option<String>,
    /// The bytes of `move_to` if it is no UTF-8, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    move_to_b64: Option<String>,
    /// The file whose content a copy begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    copied_from: Option<String>,
    /// Lines added.
    added: usize,
    /// Lines removed.
    removed: usize,
    /// File type and permission bits in octal, as git writes them (`100644`); null: there is no file.
    old_mode: Option<String>,
    new_mode: Option<String>,
    /// The content's SHA-256 in hexadecimal; null: there is no file.
    old_sha256: Option<String>,
    new_sha256: Option<String>,
    /// The change as a unified diff with git's headers; bytes that are no UTF-8 are shown as U+FFFD.
    diff: String,
    /// The bytes of a diff that is no UTF-8, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff_b64: Option<String>,
    /// The whole content before and after, with `--json=full`.
    #[serde(flatten)]
    contents: Option<Contents>,
}

/// The whole content of a file before and after; null: there is no file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Contents {
    before: Option<String>,
    /// The bytes of `before` if they are no UTF-8, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    before_b64: Option<String>,
    after: Option<String>,
    /// The bytes of `after` if they are no UTF-8, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    after_b64: Option<String>,
}

/// All files of a change, in order of their paths.
pub fn files(changes: &[Change], detail: Detail) -> Vec<FileJson> {
    let moves = Moves::new(changes);
    let seen = changes.iter().filter(|change| !moves.is_told(change));
    seen.map(|change| file(change, moves.source(change), detail)).collect()
}

fn file(change: &Change, from: Option<&Change>, detail: Detail) -> FileJson {
    let (before, after) = (from.map_or(&change.before, |from| &from.before), &change.after);
    let copied = change.moved_from.as_ref().filter(|source| from.is_none() && **source != change.path);
    let kind = match (from, copied, before, after) {
        (Some(_), ..) => FileKind::Moved,
        (_, Some(_), None, Some(_)) => FileKind::Copied,
        (_, _, None, _) => FileKind::Created,
        (_, _, _, None) => FileKind::Deleted,
        _ => FileKind::Modified,
    };
    let name = change.path.as_bytes();
    let (added, removed) = delta::counts(bytes(before), bytes(after));
    let mut text = Vec::new();
    // Memory takes everything.
    let _ = diff::show_one(change, from, &mut text);
    let images = || before.iter().chain(after);
    FileJson {
        kind,
        content: if images().any(Image::is_link) {
            ContentKind::Link
        } else if images().any(Image::is_binary) {
            ContentKind::Binary
        } else {
            ContentKind::Text
        },
        path: path(Some(from.map_or(name, |from| from.path.as_bytes()))),
        move_to: from.map(|_| lossy(name)),
        move_to_b64: from.and_then(|_| exactly(name)),
        copied_from: copied.filter(|_| kind == FileKind::Copied).map(ToString::to_string),
        added,
        removed,
        old_mode: before.as_ref().map(mode),
        new_mode: after.as_ref().map(mode),
        old_sha256: before.as_ref().map(hash),
        new_sha256: after.as_ref().map(hash),
        diff: lossy(&text),
        diff_b64: exactly(&text),
        contents: (detail == Detail::Full).then(|| Contents::new(before.as_ref(), after.as_ref())),
    }
}

impl Contents {
    fn new(before: Option<&Image>, after: Option<&Image>) -> Contents {
        let text = |image: Option<&Image>| image.map(|image| lossy(&image.bytes));
        let exact = |image: Option<&Image>| image.and_then(|image| exactly(&image.bytes));
        Contents {
            before: text(before),
            before_b64: exact(before),
            after: text(after),
            after_b64: exact(after),
        }
    }
}

fn bytes(image: &Option<Image>) -> &[u8] {
    image.as_ref().map_or(&[], |image| &image.bytes)
}

fn mode(image: &Image) -> String {
    const FILE: u32 = 0o100_000;
    let kind = if image.is_file() { FILE } else { 0 };
    format!("{:06o}", kind | image.mode)
}

fn hash(image: &Image) -> String {
    Sha256::digest(&image.bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::RelPath;

    fn image(text: &[u8], mode: u32) -> Option<Image> {
        Some(Image { bytes: text.into(), mode })
    }

    fn change(path: &str, before: Option<Image>, after: Option<Image>, from: Option<&str>) -> Change {
        Change { path: RelPath::trusted(path), before, after, moved_from: from.map(RelPath::trusted) }
    }

    fn shown(changes: &[Change], detail: Detail) -> serde_json::Value {
        serde_json::to_value(files(changes, detail)).expect("JSON")
    }

    #[test]
    fn moves_copies_and_modes() {
        let all = shown(
            &[
                change("copy", None, image(b"1\n", 0o644), Some("kept")),
                change("old", image(b"1\n", 0o644), None, None),
                change("to", None, image(b"2\n", 0o755), Some("old")),
            ],
            Detail::Short,
        );
        assert_eq!((&all[0]["kind"], &all[0]["copied_from"]), (&"copied".into(), &"kept".into()));
        let moved = &all[1];
        assert_eq!((&moved["kind"], &moved["path"]), (&"moved".into(), &"old".into()));
        assert_eq!((&moved["move_to"], &moved["old_mode"]), (&"to".into(), &"100644".into()));
        assert_eq!((&moved["new_mode"], &moved["added"]), (&"100755".into(), &1.into()));
        assert_eq!(all.as_array().map(Vec::len), Some(2), "the deletion is told by the move");
        assert!(moved.get("before").is_none());
    }

    #[test]
    fn contents_that_are_no_utf8_come_in_full() {
        let all = shown(&[change("f", image(b"caf\xe9", 0o600), None, None)], Detail::Full);
        assert_eq!(all[0]["before"], "caf\u{fffd}");
        assert_eq!(all[0]["before_b64"], "Y2Fm6Q==");
        assert_eq!((&all[0]["after"], &all[0]["new_sha256"]), (&().into(), &().into()));
        assert_eq!(all[0]["old_mode"], "100600");
        let want = "dafd66c0b98965e688be1fc12942c09f0350e6be0685017c3f234e97d0adc92e";
        assert_eq!(all[0]["old_sha256"], want);
        assert!(all[0]["diff_b64"].is_string());
    }
}
