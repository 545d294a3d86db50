//! Applies any edit that a program or a language model writes.
//!
//! Bytes become an input, an input becomes edits, edits become a plan, a plan is committed:
//!
//! ```text
//! bytes -> input -> edits -> plan -> commit
//!                     |       |        |
//!                   convert  report <- report
//! ```
//!
//! # A tour
//!
//! [`input::read`] finds the edits in a reply, whatever format they are in, and leaves the prose around them
//! alone. It looks at no file:
//!
//! ```
//! use edapply::{edit::Format, input};
//!
//! let reply = "Sure, greet the world:\n\n\
//!     hello.py\n```python\n<<<<<<< SEARCH\nprint('hello')\n=======\nprint('hello, world')\n>>>>>>> REPLACE\n```\n";
//! let parsed = input::read(reply.as_bytes(), None);
//!
//! assert_eq!(parsed.edits.len(), 1);
//! assert_eq!(parsed.edits[0].format, Format::SearchReplace);
//! assert!(parsed.faults.is_empty(), "an edit that begins and cannot be read would be a fault");
//! ```
//!
//! [`plan::make`] places every edit in its file and computes what would be written. Nothing is written; files
//! come from anything that is [`tree::Files`], here from memory. An edit whose old text stands nowhere, or at
//! more than one place, is refused, and then nothing changes at all:
//!
//! ```
//! use edapply::{
//!     input,
//!     plan::{self, Outcome, Policy},
//!     refusal::Refusal,
//!     tree::{Image, Memory, RelPath},
//! };
//!
//! # fn main() -> Result<(), Refusal> {
//! let mut files = Memory::default();
//! let path = RelPath::parse(b"hello.py")?;
//! files.files.insert(path, Image { bytes: "print('hi')\nprint('hi')\n".into(), mode: 0o644 });
//!
//! let reply = b"hello.py\n<<<<<<< SEARCH\nprint('hi')\n=======\nprint('hello')\n>>>>>>> REPLACE\n";
//! let plan = plan::make(&input::read(reply, None), &files, &Policy::default());
//!
//! let Outcome::Refused(why) = &plan.verdicts[0].outcome else { panic!("two places fit") };
//! assert_eq!(why.code(), "ambiguous");
//! assert_eq!(why.to_string(), "the old text fits 2 places, lines 1 and 2: add lines that tell them apart");
//! assert!(!plan.is_ok() && plan.changes.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! [`report::diff::write`] shows a plan as a diff, and [`commit::Writer`] carries it out below a
//! [`tree::Root`], out of which no name leads: all files change, or none, also if the process dies in between.
//! What was written can be taken back:
//!
//! ```
//! use edapply::{
//!     commit::Writer,
//!     input,
//!     plan::{self, Policy},
//!     report::diff,
//!     tree::Root,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let (top, state) = (folder.path().join("top"), folder.path().join("state"));
//! # std::fs::create_dir(&top)?;
//! std::fs::write(top.join("hello.py"), "print('hello')\n")?;
//! let root = Root::open(&top)?;
//! let reply = b"--- hello.py\n+++ hello.py\n@@ ... @@\n-print('hello')\n+print('hello, world')\n";
//! let plan = plan::make(&input::read(reply, None), &root, &Policy::default());
//! assert!(plan.is_ok());
//!
//! let mut preview = Vec::new();
//! diff::write(&plan.changes, false, &mut preview)?;
//! assert!(String::from_utf8(preview)?.ends_with("-print('hello')\n+print('hello, world')\n"));
//!
//! let writer = Writer { state_dir: Some(state), ..Writer::default() };
//! let receipt = writer.write(&root, &plan, None)?;
//! assert_eq!(std::fs::read_to_string(top.join("hello.py"))?, "print('hello, world')\n");
//!
//! writer.undo(&root, true, receipt.id.as_deref())?;
//! assert_eq!(std::fs::read_to_string(top.join("hello.py"))?, "print('hello')\n");
//! # Ok(())
//! # }
//! ```
//!
//! [`convert`] writes edits in another format, [`report`] tells people, programs and models what came of a
//! run, and [`refusal`] lists every reason to refuse. How all of it is called from a shell is in the manual of
//! the program, `edapply`.
//!
//! # What is promised
//!
//! Codes of [`refusal::Refusal`] and the reports of `edapply --json` are stable; the version of a
//! report counts up when a field goes. Enumerations may grow. The crate is made for the program first: modules that
//! are not listed here are public for it, its tests and its fuzzers alone, and change without notice.
//!
//! Imports point one way: `cli -> run -> {report, commit} -> plan -> {place, merge, input} -> {tree, edit} -> text`.

#![warn(missing_docs)]

#[cfg(not(unix))]
compile_error!("edapply runs on Unix: it relies on its file permissions, renames and symlink rules");

pub mod commit;
pub mod convert;
pub mod edit;
pub mod input;
pub mod plan;
pub mod refusal;
pub mod report;
pub mod tree;

#[doc(hidden)]
pub mod bench;
#[doc(hidden)]
pub mod choose;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod cost;
#[doc(hidden)]
pub mod dialect;
#[doc(hidden)]
pub mod inspect;
#[doc(hidden)]
pub mod install;
#[doc(hidden)]
pub mod manual;
#[doc(hidden)]
pub mod measure;
#[doc(hidden)]
pub mod merge;
#[doc(hidden)]
pub mod place;
#[doc(hidden)]
pub mod prompt;
#[doc(hidden)]
pub mod read;
#[doc(hidden)]
pub mod request;
#[doc(hidden)]
pub mod run;
#[doc(hidden)]
pub mod schema;
#[doc(hidden)]
pub mod text;
