//! What each code means at length: for `edapply explain` and for the next step in a report.

/// A code explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// As [`super::Refusal::code`].
    pub code: &'static str,
    /// A few words.
    pub title: &'static str,
    /// What was found, in one sentence.
    pub sentence: &'static str,
    /// Why that is refused.
    pub why: &'static str,
    /// What to do now; good advice for a person and for a model.
    pub next: &'static str,
}

/// Looks a code up.
pub fn explain(code: &str) -> Option<&'static Explanation> {
    EXPLANATIONS.iter().find(|explanation| explanation.code == code)
}

const fn say(
    code: &'static str,
    title: &'static str,
    sentence: &'static str,
    why: &'static str,
    next: &'static str,
) -> Explanation {
    Explanation { code, title, sentence, why, next }
}

/// All codes, in the order in which an input meets them.
pub const EXPLANATIONS: &[Explanation] = &[
    say(
        "empty-input",
        "Nothing was read",
        "The input holds no byte, or blanks only.",
        "Nothing to do is seldom what was meant: an empty input usually means that a step before failed.",
        "Check the program or file that the input comes from.",
    ),
    say(
        "binary-input",
        "The input is no text",
        "The input holds NUL bytes or is encoded in UTF-16.",
        "Edits are read from text; guessing an encoding is how files get damaged.",
        "Convert the input to UTF-8, or give the text that describes the edit.",
    ),
    say(
        "no-edit",
        "No edit found",
        "The input was read, and nothing in it is an edit in a known format.",
        "Prose and code fences without a file's name change nothing.",
        "Write each edit in one format, with the file's path on the line above it; `edapply prompt search-replace` says how.",
    ),
    say(
        "unfinished",
        "Cut off",
        "The input ends within an edit.",
        "A reply that was cut off may lack its last lines, and applying the rest would lose them.",
        "Send the whole edit again, up to its end marker.",
    ),
    say(
        "missing-marker",
        "A marker is missing",
        "A block begins but one of its markers never comes.",
        "Without it, old and new text cannot be told apart.",
        "Write the block again with all its markers, each on a line of its own.",
    ),
    say(
        "malformed",
        "Cannot be read",
        "The edit breaks the rules of its format so that it has no one meaning.",
        "Where two readings exist, neither is taken.",
        "Write the edit again as its format asks.",
    ),
    say(
        "binary",
        "A binary change that cannot be carried out",
        "The diff tells of a binary file without its content, or the content is damaged or made for another one.",
        "Leaving it out in silence would lose the change, and a damaged one would ruin the file.",
        "Make the diff with `git diff --binary` against the file as it is.",
    ),
    say(
        "format-not-supported",
        "A format that is not carried out",
        "The edit was recognised, but this version does not apply its format.",
        "Left out in silence, it would look as if everything was applied.",
        "Send the edit in another format, such as a search-and-replace block or a unified diff.",
    ),
    say(
        "no-path",
        "No file named",
        "The edit says what to change but not in which file.",
        "A file is never chosen by its content.",
        "Put the file's path on the line above the edit.",
    ),
    say(
        "stopped",
        "Stopped by you",
        "You answered `q` to a question of `--interactive`.",
        "Nothing is written before all edits were answered.",
        "Run again; `d` writes what was chosen so far and leaves out the rest.",
    ),
    say(
        "none-chosen",
        "No edit was chosen",
        "You answered no to every question of `--interactive`.",
        "Nothing to do is told apart from work done.",
        "Run again to choose otherwise.",
    ),
    say(
        "not-found",
        "The old text is not in the file",
        "No place in the file matches the text that the edit quotes.",
        "Likeness only suggests: a line that differs in a letter or digit is another line.",
        "Quote the lines exactly as they stand in the file; the closest ones are shown.",
    ),
    say(
        "ambiguous",
        "Several places fit",
        "The quoted text stands in the file more than once.",
        "One place, or none: the nearest or first one would be a guess.",
        "Add neighbouring lines that tell the places apart.",
    ),
    say(
        "overlap",
        "Two edits change the same lines",
        "Places of two hunks overlap in the file.",
        "Whichever went first would decide the result.",
        "Join the two into one edit.",
    ),
    say(
        "nothing-to-do",
        "Old and new text are equal",
        "The edit would change nothing.",
        "Something was meant to change, and the reply lost it.",
        "Write the new text as it shall be.",
    ),
    say(
        "elision-literal",
        "A comment in place of code",
        "The new text holds a comment that stands for lines left out, and the file holds no such comment.",
        "Written as it is, it would replace the lines that it stands for.",
        "Write the lines out, or leave them out of the old text and the new.",
    ),
    say(
        "conflict-marker",
        "A conflict marker",
        "The new text holds a conflict marker line that the file lacks.",
        "Such lines are left behind by a merge or by a block that was read wrongly; no program understands them.",
        "Write the text without the marker, or check the block's own markers.",
    ),
    say(
        "shrinks",
        "Most of the file would vanish",
        "The reply gives the whole file, but most of its lines are missing.",
        "A reply that shows only the part it changed looks just like this.",
        "Send the whole file, or only the changed lines in a format that quotes the old ones; `--allow-shrink` if it is meant.",
    ),
    say(
        "doubtful",
        "Not what it seems",
        "The edit can be placed, but what would come of it is very likely not meant.",
        "Where accepting and refusing pull apart, nothing is written.",
        "Send it again so that one reading is left: quote more of the lines around the change, say which place or file is meant, write out what is left out, or use a longer fence if the text holds fences.",
    ),
    say(
        "anchor-not-found",
        "The anchor is not in the file",
        "The line behind `@@`, under which the edit shall go, stands nowhere in the file.",
        "An anchor says which of several places is meant; without it the place would be a guess.",
        "Copy the anchor from the file, or leave it out and quote more context.",
    ),
    say(
        "outside-anchor",
        "The text stands elsewhere",
        "The quoted text stands in the file, but not in the block that the anchor names.",
        "Anchor and text contradict each other.",
        "Name the class or function that holds the text, or quote the text that stands in the named one.",
    ),
    say(
        "already-applied",
        "Already applied",
        "The new text stands in the file and the old does not.",
        "With `-R` or `--strict-state` an edit must find the state that it starts from.",
        "Nothing is left to do, unless the file was meant to be in the state before.",
    ),
    say(
        "not-applied",
        "Not applied, so nothing to take back",
        "With `-R`, the file holds the text from before the change, and not the one from after it.",
        "Taking back what is not there would have to guess.",
        "Leave out `-R` to apply the change; or there is nothing left to do.",
    ),
    say(
        "too-far",
        "Too far from the stated line",
        "The text stands in the file, but farther from the stated line than `--max-offset` allows.",
        "The caller asked for that limit.",
        "Correct the line numbers, or allow a larger offset.",
    ),
    say(
        "no-such-line",
        "No such line",
        "The edit names a line that the file does not have.",
        "A number that is wrong here is likely wrong elsewhere too.",
        "Read the file again and use the numbers that it shows.",
    ),
    say(
        "changed-since-read",
        "Changed since it was read",
        "The file is not the text that the edit was written for.",
        "Line numbers and memories of another text would hit the wrong lines.",
        "Read the file again and write the edit for what it says now.",
    ),
    say(
        "file-exists",
        "The file exists",
        "The edit creates a file that exists with another content.",
        "Its content would be lost.",
        "Write an edit that changes the file, or run with `--overwrite`.",
    ),
    say(
        "move-over",
        "A move onto another file",
        "Under the new name stands a file already.",
        "Its content would be lost.",
        "Choose another name, delete the file first, or run with `--overwrite`.",
    ),
    say(
        "second-whole",
        "The whole file twice",
        "Two edits of one input each give or change the whole content of the same file.",
        "The later would undo the earlier one in silence.",
        "Join them into one.",
    ),
    say(
        "no-delete",
        "Deleting is switched off",
        "The edit deletes a file, and the run was started with `--no-delete`.",
        "The caller asked for that.",
        "Leave the file, or run without the option.",
    ),
    say(
        "no-reverse",
        "Cannot be reversed",
        "The edit does not say what stood there before.",
        "With `-R` the old content must be known.",
        "Use a diff, or `git checkout` for the old content.",
    ),
    say(
        "append-is-rewrite",
        "A rewrite, not an addition",
        "The text to append repeats much of the file.",
        "Appended, it would stand there twice.",
        "Quote the old text that shall change, or give the whole file.",
    ),
    say(
        "other-version",
        "Another version of the file",
        "The call carries the SHA-256 of the content that it was made for, and the file has another one.",
        "What was changed since may be what the call would change, or may make it wrong.",
        "Read the file again and send the call anew, with the SHA-256 of what was read.",
    ),
    say(
        "protected",
        "A protected file",
        "The path matches a `--protect` pattern.",
        "The caller asked that these files stay as they are.",
        "Leave this file alone, or run without the pattern.",
    ),
    say(
        "not-read",
        "Never read",
        "The edit changes a file of which no reading is remembered.",
        "With `--require-read` nobody edits from memory or guesswork.",
        "Read the file with `edapply read`, then write the edit.",
    ),
    say(
        "untracked",
        "Not tracked by git",
        "The edit changes a file that git does not track.",
        "With `--tracked-only` every change can be undone by git.",
        "Add the file to git first, or run without the option.",
    ),
    say(
        "whitespace",
        "Stray white space",
        "The result would hold white space that `git diff --check` complains of.",
        "The caller asked for that check.",
        "Write the line without it.",
    ),
    say(
        "no-work-tree",
        "No work tree of git",
        "The run asks for tracked files only, and git tracks none here.",
        "Without git nothing is known to be tracked.",
        "Run inside a work tree, or without `--tracked-only`.",
    ),
    say(
        "over-budget",
        "More than was allowed",
        "The edits change more files or lines than `--max-files` or `--max-lines` allow.",
        "The caller set the limit so that a small request stays a small change.",
        "Make a smaller change, or raise the limit.",
    ),
    say(
        "special-mode",
        "No regular file",
        "The diff changes a submodule, makes a file a link, or a link of a file by which git steers.",
        "Written as a regular file it would be something else than was meant.",
        "Carry this part out with git.",
    ),
    say(
        "path-absolute",
        "An absolute path",
        "The name begins at the file system's root and is not below the tree's root.",
        "Nothing outside the root is read or written.",
        "Name the file relative to the root.",
    ),
    say(
        "path-parent",
        "A path with `..`",
        "A component of the name is `..`.",
        "Such a name may leave the root, also through links; it is refused even where it would stay inside.",
        "Name the file relative to the root, without `..`.",
    ),
    say(
        "path-git-dir",
        "A version-control folder",
        "The name leads into `.git` or a kin, in a spelling that some file system takes for it.",
        "What stands there runs commands (hooks, configuration); an edit has no business in it.",
        "Change it by its own tool, if it is meant at all.",
    ),
    say(
        "path-ntfs",
        "A name that Windows reads otherwise",
        "The name has a drive letter, or is made of dots and blanks.",
        "It means another file there.",
        "Name the file as it is from the root, without the drive and with `/` between folders: `src/a.rs`.",
    ),
    say(
        "path-nul",
        "A NUL byte in the path",
        "The name holds a byte that no file name can hold.",
        "Other programs cut the name there and write another file.",
        "Name the file without it.",
    ),
    say(
        "path-empty",
        "No file name",
        "The path is empty, ends in a slash, or has fewer folders than `-p` strips.",
        "There is no file to edit.",
        "Name a file; if `-p` was given, leave it out: it is then chosen as the files fit.",
    ),
    say(
        "path-long",
        "A path that is too long",
        "The path is over 4,096 bytes or one of its names over 255.",
        "No file system would take it.",
        "Name a shorter path.",
    ),
    say(
        "path-deep",
        "Too many folders",
        "The path has more than 255 folders.",
        "Such depth breaks tools and is never meant.",
        "Name a path with fewer folders.",
    ),
    say(
        "path-through-symlink",
        "A symbolic link on the way",
        "One of the folders in the path is a symbolic link.",
        "A link can lead out of the root, and can be changed while we look.",
        "Name the file by its real path, or run with `-C` at the folder that the link leads to.",
    ),
    say(
        "target-symlink",
        "The target is a symbolic link",
        "The name is that of a link, not of a file.",
        "Writing would either follow it out of the root or replace it.",
        "Edit the file that the link leads to, or allow links with --follow-symlinks.",
    ),
    say(
        "other-device",
        "Another file system",
        "A folder on the way is the root of another file system, and --no-xdev is on.",
        "The caller wants nothing changed there.",
        "Leave --no-xdev out, or name the folder on the other file system as the root.",
    ),
    say(
        "link-outside",
        "A link that leads out of the root",
        "The symbolic link's target, by its letters or through other links, lies outside the root.",
        "Programs that follow the link would read or write outside.",
        "Let the link lead to a place beneath the root, by a relative path.",
    ),
    say(
        "target-not-file",
        "The target is no regular file",
        "Under this name stands a folder, a FIFO, a socket or a device.",
        "Only regular files are edited.",
        "Name a file.",
    ),
    say(
        "path-through-file",
        "A file where a folder is needed",
        "One of the folders in the path is a file.",
        "It would have to go first, and nobody asked for that.",
        "Name another path, or delete the file in an edit before.",
    ),
    say(
        "path-case-clash",
        "Two names that differ in case only",
        "Two paths of the input are the same on systems that ignore case or composition.",
        "There, one file would overwrite the other.",
        "Rename one of them.",
    ),
    say(
        "no-such-file",
        "No such file",
        "The edit changes a file that does not exist under this name, nor under one that it clearly means.",
        "A file of a similar name is another file.",
        "Use the path of an existing file, as it is from the folder searched (`-C` names another); the closest ones are named. To create a file, leave the old text empty.",
    ),
    say(
        "path-ambiguous",
        "Several files fit the name",
        "The name as written does not exist, and more than one file ends like it.",
        "One file, or none.",
        "Write the path in full, from the root.",
    ),
    say(
        "too-large",
        "Too large",
        "The file is over 1 GiB or the input over 256 MiB; or what replaces a text everywhere has over 4,000,000 places there, or comes to over 256 MiB.",
        "Everything is computed in memory before anything is written.",
        "Split the input, or edit the file by other means.",
    ),
    say(
        "unreadable",
        "Cannot be read",
        "The system refused to open or read the file.",
        "What cannot be read cannot be changed safely.",
        "Check the file's owner and permissions.",
    ),
    say(
        "bad-encoding",
        "Not in the encoding that it claims",
        "The file begins as UTF-16 does, but the rest of it is no valid UTF-16.",
        "Written back, bytes that no edit names would change.",
        "Repair the file's encoding, or convert the file to UTF-8, and send the edit again.",
    ),
    say(
        "changed-meanwhile",
        "Changed meanwhile",
        "Another program saved the file between reading and writing.",
        "Its save would be lost.",
        "Run again: the edit is then placed in the file as it is now.",
    ),
    say(
        "not-writable",
        "Cannot be written",
        "The folder or file system does not allow a new file beside the target.",
        "A file is replaced whole, not overwritten in place, so that no reader sees half of it.",
        "Allow writing in the folder that holds the file (`chmod u+w FOLDER`), or add `--in-place` where the file itself \
         may be written.",
    ),
    say(
        "no-space",
        "No space left",
        "The file system or the quota is full.",
        "The new content did not fit beside the old one; nothing was changed.",
        "Make room and run again.",
    ),
    say(
        "io",
        "Input or output failed",
        "The system reported an error; what was written was put back.",
        "All files change, or none.",
        "Do what the system's words ask for (they stand behind the colon), and run again. An input or output error \
         points to a failing disk.",
    ),
    say(
        "not-restored",
        "Not put back",
        "Writing failed, and some file could not be put back as it was.",
        "Another program changed it at the same time, or the disk fails.",
        "The message names each file and where its old content lies.",
    ),
    say(
        "busy",
        "Another run is writing",
        "Another run of this program holds the lock of this tree.",
        "Two runs that write at once could undo each other's work.",
        "Run again, or wait longer with `--lock-timeout`.",
    ),
    say(
        "journal-damaged",
        "A journal is damaged",
        "A run was interrupted, and what it wrote down before cannot be read.",
        "Without it nobody knows which files are old and which are new.",
        "Compare the tree with your version control; then remove the folder that the message names.",
    ),
    say(
        "unfinished-run",
        "A run was interrupted here",
        "A run died while it changed files, and nothing has put them back yet.",
        "Some files may be new and others old; a run that must not write cannot mend that.",
        "Run `edapply recover`, or any edit that writes.",
    ),
    say(
        "interrupted",
        "Interrupted",
        "The run was interrupted (SIGINT) while it wrote; everything was put back.",
        "All files change, or none.",
        "Run again.",
    ),
    say(
        "terminated",
        "Ended",
        "The run was told to end (SIGTERM, SIGHUP) while it wrote; everything was put back.",
        "All files change, or none.",
        "Run again.",
    ),
    say(
        "verify-failed",
        "Verification failed",
        "The command of `--verify` did not succeed on the result; everything was put back.",
        "A result that fails its own test is not what was meant.",
        "Read the command's last lines, mend the edit and send it again.",
    ),
    say(
        "not-expected",
        "Not the expected result",
        "The result would differ from what `--expect` names; nothing was written.",
        "The caller knows what should come out, and this is something else.",
        "Look at the difference; mend the edit, or the expectation.",
    ),
    say(
        "bad-expectation",
        "The expectation cannot be read",
        "What `--expect` names does not exist, or cannot be compared.",
        "Without it nobody can say whether the result is right.",
        "Name a file, a folder, or `git:REV`.",
    ),
    say(
        "nothing-to-undo",
        "Nothing to undo",
        "No batch of this name is kept here.",
        "The last 20 batches are kept, as long as they hold no more than 64 MiB.",
        "See what `edapply log` lists; run it in the folder in which the edit was made.",
    ),
    say(
        "changed-since",
        "Changed since",
        "A file of the batch is not as the batch left it.",
        "To put its old content back would lose what was done since.",
        "Undo later batches first, or mend the files that are named by hand.",
    ),
    say(
        "unreadable-input",
        "The input cannot be read",
        "The file given as input is missing, a folder, or closed to you.",
        "Without it there is nothing to apply.",
        "Check the name and the permissions of the input.",
    ),
    say(
        "no-patches",
        "A folder without patches",
        "The folder given as input holds no file that ends in .patch or .diff, and no `series`.",
        "A folder stands for the patches in it.",
        "Name a folder of patches, or a file; the folder to edit is named by `-C DIR`.",
    ),
    say(
        "bad-series",
        "A series that cannot be read",
        "The `series` of a folder of patches has an option that is not known here.",
        "Left out, it would change what the patch means.",
        "Give each line a patch's name, and behind it at most `-pN` and `-R`.",
    ),
    say(
        "no-cases",
        "No cases to measure",
        "None of the folders is a case or holds cases.",
        "A case is a folder with before/, reply.txt, after/ and meta.json.",
        "Name a folder of such folders; the README says how to make them.",
    ),
    say(
        "no-clipboard",
        "The clipboard cannot be read",
        "There is no program that prints the clipboard, or it failed.",
        "The first of pbpaste, wl-paste, xclip, xsel and PowerShell that is on the PATH is what `--paste` reads it through.",
        "Install one of them, or save the text to a file and name that.",
    ),
    say(
        "no-terminal",
        "Nobody to ask",
        "The questions of `--interactive` are asked on the terminal, and this process has none.",
        "Without answers nothing is chosen.",
        "Run it in a terminal, or choose edits with `--only` and `--skip`.",
    ),
    say(
        "unreadable-root",
        "The root cannot be opened",
        "The folder given by `-C` (or the current one) is missing, no folder, or closed to you.",
        "All paths are taken from there.",
        "Name with `-C` the folder that the paths of the edits start from.",
    ),
    say(
        "usage",
        "The command line cannot be obeyed",
        "An option, a value or an operand is not known, is missing, or stands beside one that excludes it.",
        "To leave out what is not understood could do something else than was asked.",
        "See `edapply --help`, or `--help` behind a subcommand's name.",
    ),
    say(
        "not-convertible",
        "No words for it in that format",
        "An edit says something that the other format cannot say, or that would be read there as something else.",
        "A conversion that loses a part of the meaning is another edit.",
        "Give the tree with `-C`, so that the change itself is written, or choose another format.",
    ),
    say(
        "no-change",
        "Nothing to measure",
        "The reply whose cost was asked for cannot be applied to these files.",
        "Only an edit that applies has a length in other formats.",
        "Mend what is refused, or leave `--edit` out.",
    ),
    say(
        "no-cases",
        "No case found",
        "None of the folders that were named holds a `meta.json`, nor does a folder in them.",
        "Without cases there is nothing to count.",
        "Name a folder of cases, each with `meta.json`, `reply.txt`, `before` and `after`.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes as the two sources of refusals write them.
    fn codes() -> Vec<&'static str> {
        let sources = [include_str!("../refusal.rs"), include_str!("../commit/mod.rs")];
        let arms = sources.into_iter().flat_map(str::lines).filter(|line| line.contains(" => \""));
        arms.filter_map(|line| line.split('"').nth(1)).filter(|code| !code.contains(' ')).collect()
    }

    #[test]
    fn every_code_is_explained_once() {
        let found = codes();
        assert!(found.len() > 30, "{found:?}");
        for code in found {
            let times = EXPLANATIONS.iter().filter(|explanation| explanation.code == code).count();
            assert_eq!(times, 1, "{code}");
        }
    }

    #[test]
    fn all_texts_are_sentences() {
        for e in EXPLANATIONS {
            for text in [e.sentence, e.why, e.next] {
                assert!(
                    text.ends_with(['.', ')']) && text.starts_with(char::is_uppercase),
                    "{}: {text}",
                    e.code
                );
            }
        }
    }
}
