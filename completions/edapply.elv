
use builtin;
use str;

set edit:completion:arg-completer[edapply] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'edapply'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'edapply'= {
            cand -i 'Another input, read before the others'
            cand --input 'Another input, read before the others'
            cand -C 'Take paths from this folder; nothing ever leaves it (default: the current folder, or the top of its git work tree if only there the paths exist)'
            cand --root 'Take paths from this folder; nothing ever leaves it (default: the current folder, or the top of its git work tree if only there the paths exist)'
            cand --format 'Read this format only (default: each section is told by its form)'
            cand --json 'Report as one JSON object on standard output; full: with all files before and after'
            cand --color 'Color report and diff; auto: on a terminal, as NO_COLOR, CLICOLOR_FORCE and TERM say'
            cand -p 'Strip N components from the names in diffs (default: as the files fit)'
            cand --strip 'Strip N components from the names in diffs (default: as the files fit)'
            cand --match 'How far from the quoted text a place may be'
            cand --max-offset 'A hunk may stand at most N lines from the line that it states; 0: only there (default: any distance)'
            cand --spelling 'Whose spelling a line of a whole file keeps where only white space differs'
            cand --only 'Only edits whose path matches (default: all); may be given several times'
            cand --skip 'No edit whose path matches (default: none is left out); may be given several times'
            cand --protect 'Refuse to touch files that match (default: none); may be given several times'
            cand --max-files 'Refuse to change more than N files (default: no limit)'
            cand --max-lines 'Refuse to add and remove more than N lines in all (default: no limit)'
            cand --since 'Count the changes of this batch and all later ones in --max-files and --max-lines (default: this run''s)'
            cand --if-match 'Refuse all unless the file is this version of it'
            cand --verify 'Run CMD on the result before it counts; if it fails, everything is put back (exit 3)'
            cand --verify-timeout 'Seconds that --verify may take'
            cand --diagnose 'Run CMD once the result stands, and report its errors; it decides nothing'
            cand --diagnose-timeout 'Seconds that --diagnose may take'
            cand --expect 'The result must be this file, this folder, or what git has for REV; else nothing is written (exit 3)'
            cand --state-dir 'Keep the journal in this folder (default: the git folder, or the user''s state folder)'
            cand --lock-timeout 'Seconds to wait for another run in the same tree'
            cand --sync 'What a batch survives'
            cand --paste 'Read the clipboard (by pbpaste, wl-paste, xclip, xsel or PowerShell, the first that is there)'
            cand --each 'Each input is a transaction of its own (default: all are one)'
            cand --interactive 'Ask on the terminal about each edit: yes, no, always for this file, previous, view, done, quit'
            cand --dry-run 'Show the change as a diff and write nothing'
            cand --check 'Say whether the edits would apply and write nothing'
            cand --stat 'Show the size of the change as bars and write nothing'
            cand --numstat 'Show the size of the change as numbers and write nothing'
            cand --summary 'Show creations, deletions, moves and modes and write nothing'
            cand --annotate 'Print each refusal as an annotation of a CI job (`::error file=...::`, as GitHub reads it); a diff then gives the job no commands'
            cand --retry-prompt 'Print what to send back to the model, if an edit is refused'
            cand -q 'Tell of refusals only (default: a line an edit)'
            cand --quiet 'Tell of refusals only (default: a line an edit)'
            cand -v 'Tell more; twice: all that is known'
            cand --verbose 'Tell more; twice: all that is known'
            cand -R 'Take the edits back: swap old and new'
            cand --reverse 'Take the edits back: swap old and new'
            cand -N 'What is applied already is fine (the default)'
            cand --forward 'What is applied already is fine (the default)'
            cand --partial 'Write the edits that fit, though others are refused'
            cand --nearest 'Of several places that fit, take the nearest to the stated line (default: refuse)'
            cand --replace-all 'Change every exact place of a block''s old text'
            cand --allow-shrink 'A whole file may lose most of its lines'
            cand --overwrite 'Creations and moves may replace existing files'
            cand --no-delete 'Refuse to delete files'
            cand --strict-state 'Refuse what is applied already'
            cand --follow-symlinks 'Edit the file that a symbolic link leads to, if that lies under the root'
            cand --no-xdev 'Refuse to go into other file systems'
            cand --require-read 'Refuse to edit files that were not read with `edapply read`, or changed since'
            cand --tracked-only 'Refuse to change files that git does not track'
            cand --check-whitespace 'Refuse white space that `git diff --check` would complain of'
            cand --in-place 'Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only; others may see them half written'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand inspect 'List the edits that an input holds, without applying them'
            cand undo 'Take a batch back: the last one, or the one named'
            cand recover 'Put in order what a killed run left'
            cand log 'List the batches that were applied, the newest first'
            cand read 'Print files for a model: numbered, tagged, their version remembered'
            cand convert 'Write the same edits in another format'
            cand prompt 'What to tell a model so that it writes a format well'
            cand bench 'Count ok, FAIL and WRONG over folders of cases with known truth'
            cand cost 'What each format would cost for the same change: characters, tokens, seconds'
            cand choose 'Which format a model should use for a change, and why'
            cand explain 'Say what a code in a message means, or list all codes'
            cand schema 'Print the JSON Schema of all reports'
            cand completions 'Print the completion script of a shell'
            cand man 'Print a page of the manual'
            cand install 'Put the program, its manual and its completions below a prefix'
            cand patch 'Apply a diff as GNU patch does'
            cand git-apply 'Apply a patch as `git apply` does'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'edapply;inspect'= {
            cand --format 'Read this format only'
            cand -C 'The folder that the edits are for: if a run died there, that is told, with exit 2'
            cand --root 'The folder that the edits are for: if a run died there, that is told, with exit 2'
            cand --state-dir 'The journal lies in this folder (default: the git folder, or the user''s state folder)'
            cand --paste 'Read the clipboard (by pbpaste, wl-paste, xclip, xsel or PowerShell, the first that is there)'
            cand --json 'One JSON object instead of text'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'edapply;undo'= {
            cand -C 'The folder in which it ran'
            cand --root 'The folder in which it ran'
            cand --state-dir 'Keep the journal in this folder (default: the git folder, or the user''s state folder)'
            cand --lock-timeout 'Seconds to wait for another run in the same tree'
            cand --sync 'What a batch survives'
            cand --list 'List what can be undone, and undo nothing'
            cand --in-place 'Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only; others may see them half written'
            cand --json 'One JSON object instead of text'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'edapply;recover'= {
            cand -C 'The folder in which it ran'
            cand --root 'The folder in which it ran'
            cand --state-dir 'Keep the journal in this folder (default: the git folder, or the user''s state folder)'
            cand --lock-timeout 'Seconds to wait for another run in the same tree'
            cand --sync 'What a batch survives'
            cand --in-place 'Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only; others may see them half written'
            cand --json 'One JSON object instead of text'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'edapply;log'= {
            cand -C 'The folder in which it ran'
            cand --root 'The folder in which it ran'
            cand --state-dir 'Keep the journal in this folder (default: the git folder, or the user''s state folder)'
            cand --lock-timeout 'Seconds to wait for another run in the same tree'
            cand --sync 'What a batch survives'
            cand --in-place 'Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only; others may see them half written'
            cand --json 'One JSON object instead of text'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'edapply;read'= {
            cand -C 'Take paths from this folder'
            cand --root 'Take paths from this folder'
            cand --state-dir 'Remember the versions in this folder (default: the git folder, or the user''s state folder)'
            cand --plain 'The lines as they are, without header and numbers'
            cand --json 'One JSON object instead of lines'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'edapply;convert'= {
            cand --to 'The format to write'
            cand -C 'Plan the edits on the files of this folder'
            cand --root 'Plan the edits on the files of this folder'
            cand --format 'Read this format only'
            cand --paste 'Read the clipboard (by pbpaste, wl-paste, xclip, xsel or PowerShell, the first that is there)'
            cand --json 'One JSON object instead of text'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'edapply;prompt'= {
            cand --long 'With a worked example'
            cand --json 'One JSON object instead of text'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'edapply;bench'= {
            cand --applier 'Measure another program: a shell line, with {reply}, {dir} and {format} filled in'
            cand --reference 'Measure a simple policy for comparison'
            cand --match 'How far from the quoted text a place may be'
            cand --max-offset 'A hunk may stand at most N lines from the line that it states (default: any distance)'
            cand --format 'Only cases of this format'
            cand --jobs 'Cases at a time (default: one a processor)'
            cand --limit 'Seconds that --applier may take for a case'
            cand --list 'Name the cases with this outcome'
            cand --model 'Keep the result as a measurement of this model, for `edapply choose`'
            cand --state-dir 'Where measurements are kept'
            cand --json 'One JSON object instead of tables'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'edapply;cost'= {
            cand --edit 'The change that this reply makes; without it, one changed line in the middle'
            cand -C 'Take paths from this folder'
            cand --root 'Take paths from this folder'
            cand --chars-per-token 'Characters that make a token'
            cand --tokens-per-second 'Tokens that the model writes in a second'
            cand --json 'One JSON object instead of a table'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'edapply;choose'= {
            cand --lines 'Lines of the file (default: as FILE has)'
            cand --accuracy 'The share of edits that the model copies exactly, from 0 to 1'
            cand --model 'Take the share that `bench --model` measured'
            cand --state-dir 'Where measurements are kept'
            cand -C 'Take paths from this folder'
            cand --root 'Take paths from this folder'
            cand --new 'The file is new'
            cand --adds-or-deletes 'The change adds, deletes or moves files'
            cand --tools 'The model''s tool calls are reliable'
            cand --json 'One JSON object instead of a sentence'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'edapply;explain'= {
            cand --json 'One JSON object instead of text'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'edapply;schema'= {
            cand --json 'Without effect: the schema is JSON'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'edapply;completions'= {
            cand --json 'One JSON object instead of text'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'edapply;man'= {
            cand --list 'List the pages'
            cand --json 'One JSON object instead of text'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'edapply;install'= {
            cand --prefix 'Where it shall be found'
            cand --destdir 'Put all of it below this folder instead of /, as packagers do'
            cand --link 'Also link this name to the program'
            cand --dry-run 'List what would be put where, and write nothing'
            cand --json 'One JSON object instead of text'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'edapply;patch'= {
            cand -B 'Put PREFIX before the whole name of a backup.'
            cand --prefix 'Put PREFIX before the whole name of a backup.'
            cand -d 'Work in DIR.'
            cand --directory 'Work in DIR.'
            cand -D 'Keep both versions, chosen by #ifdef NAME.'
            cand --ifdef 'Keep both versions, chosen by #ifdef NAME.'
            cand -F 'Let up to LINES lines of context differ (2).'
            cand --fuzz 'Let up to LINES lines of context differ (2).'
            cand -g 'Accepted and ignored: no version control is asked.'
            cand --get 'Accepted and ignored: no version control is asked.'
            cand -i 'Read the patch from FILE.'
            cand --input 'Read the patch from FILE.'
            cand -o 'Write all results to FILE; - is standard output.'
            cand --output 'Write all results to FILE; - is standard output.'
            cand -p 'Cut NUM folders off the names in the patch.'
            cand --strip 'Cut NUM folders off the names in the patch.'
            cand -r 'Write rejects to FILE; - throws them away.'
            cand --reject-file 'Write rejects to FILE; - throws them away.'
            cand -V 'Name backups simple, numbered or existing.'
            cand --version-control 'Name backups simple, numbered or existing.'
            cand -x ''
            cand --debug ''
            cand -Y 'Put PREFIX before the base name of a backup.'
            cand --basename-prefix 'Put PREFIX before the base name of a backup.'
            cand -z 'Put SUFFIX behind the name of a backup.'
            cand --suffix 'Put SUFFIX behind the name of a backup.'
            cand --quoting-style 'Quote names: literal, shell, shell-always, c, escape.'
            cand --reject-format 'Write rejects as context or unified diff.'
            cand --read-only 'At read-only files: ignore, warn or fail.'
            cand --merge 'Leave conflicts in the file: merge or diff3.'
            cand -b 'Keep each file''s first version as a backup.'
            cand --backup 'Keep each file''s first version as a backup.'
            cand -c 'Look for context diffs only.'
            cand --context 'Look for context diffs only.'
            cand -e 'Look for ed scripts only.'
            cand --ed 'Look for ed scripts only.'
            cand -E 'Remove files that end up empty.'
            cand --remove-empty-files 'Remove files that end up empty.'
            cand -f 'Never ask; take patches as they come.'
            cand --force 'Never ask; take patches as they come.'
            cand -l 'Let runs of blanks differ.'
            cand --ignore-whitespace 'Let runs of blanks differ.'
            cand -n 'Look for normal diffs only.'
            cand --normal 'Look for normal diffs only.'
            cand -N 'Skip what looks reversed or applied.'
            cand --forward 'Skip what looks reversed or applied.'
            cand -R 'Undo the patch.'
            cand --reverse 'Undo the patch.'
            cand -s 'Say only what went wrong.'
            cand --quiet 'Say only what went wrong.'
            cand --silent ''
            cand -t 'Never ask; undo what looks reversed.'
            cand --batch 'Never ask; undo what looks reversed.'
            cand -T 'Set times from the patch, as local time.'
            cand --set-time 'Set times from the patch, as local time.'
            cand -u 'Look for unified diffs only.'
            cand --unified 'Look for unified diffs only.'
            cand -v 'Say which version this is.'
            cand --version 'Say which version this is.'
            cand -Z 'Set times from the patch, as UTC.'
            cand --set-utc 'Set times from the patch, as UTC.'
            cand --dry-run 'Only say what would happen.'
            cand --verbose 'Say more.'
            cand --binary 'Keep carriage returns of the patch.'
            cand --help 'Show this help.'
            cand --backup-if-mismatch 'Back up where a patch does not fit exactly.'
            cand --no-backup-if-mismatch 'Back up only if asked otherwise.'
            cand --posix 'Keep to POSIX.'
            cand --follow-symlinks 'Read through symbolic links.'
            cand --safe 'One place or none, all files or none.'
            cand --sync 'Write through to the disk.'
            cand --json 'Report as one JSON object, the texts in it.'
        }
        &'edapply;git-apply'= {
            cand --exclude 'Leave out files that match PATH.'
            cand --include 'Apply to files that match PATH.'
            cand -p 'Cut NUM folders off the names (1).'
            cand --build-fake-ancestor 'Write an index of the old blobs to FILE.'
            cand -C 'At least NUM lines of context must fit.'
            cand --whitespace 'What to do about new white-space errors.'
            cand --directory 'Put ROOT before all names.'
            cand --no-add 'Leave out added lines.'
            cand --stat 'Show how much changes; do not apply.'
            cand --allow-binary-replacement ''
            cand --binary ''
            cand --numstat 'Show the counts for programs; do not apply.'
            cand --summary 'Show creations, renames and modes; do not apply.'
            cand --check 'Tell whether it applies; do not apply.'
            cand --index 'Apply to the index too; both must be the same.'
            cand -N 'Note new files in the index as to come.'
            cand --intent-to-add 'Note new files in the index as to come.'
            cand --cached 'Apply to the index only.'
            cand --unsafe-paths 'Take paths outside the working area too.'
            cand --apply 'Apply, also with --stat, --check and the like.'
            cand -3 'Merge three ways; fall back to plain applying.'
            cand --3way 'Merge three ways; fall back to plain applying.'
            cand --ours 'Settle conflicts for our side.'
            cand --theirs 'Settle conflicts for the patch''s side.'
            cand --union 'Settle conflicts by taking both sides.'
            cand -z 'End names by NUL in --numstat.'
            cand --ignore-space-change 'Let white space in context differ.'
            cand --ignore-whitespace 'Let white space in context differ.'
            cand -R 'Apply in reverse.'
            cand --reverse 'Apply in reverse.'
            cand --unidiff-zero 'Take hunks without context by their line numbers.'
            cand --reject 'Apply the hunks that fit; write the others to *.rej.'
            cand --allow-overlap 'Let hunks overlap.'
            cand -v 'Say more.'
            cand --verbose 'Say more.'
            cand -q 'Say nothing.'
            cand --quiet 'Say nothing.'
            cand --inaccurate-eof 'Forgive a missing note about the last line''s end.'
            cand --recount 'Do not trust the counts in hunk headers.'
            cand --allow-empty 'Take an empty patch for done.'
            cand --safe 'One place or none, all files or none.'
            cand -h 'Show this help.'
            cand --help 'Show this help.'
            cand --json 'Report as one JSON object, the texts in it.'
        }
        &'edapply;help'= {
            cand inspect 'List the edits that an input holds, without applying them'
            cand undo 'Take a batch back: the last one, or the one named'
            cand recover 'Put in order what a killed run left'
            cand log 'List the batches that were applied, the newest first'
            cand read 'Print files for a model: numbered, tagged, their version remembered'
            cand convert 'Write the same edits in another format'
            cand prompt 'What to tell a model so that it writes a format well'
            cand bench 'Count ok, FAIL and WRONG over folders of cases with known truth'
            cand cost 'What each format would cost for the same change: characters, tokens, seconds'
            cand choose 'Which format a model should use for a change, and why'
            cand explain 'Say what a code in a message means, or list all codes'
            cand schema 'Print the JSON Schema of all reports'
            cand completions 'Print the completion script of a shell'
            cand man 'Print a page of the manual'
            cand install 'Put the program, its manual and its completions below a prefix'
            cand patch 'Apply a diff as GNU patch does'
            cand git-apply 'Apply a patch as `git apply` does'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'edapply;help;inspect'= {
        }
        &'edapply;help;undo'= {
        }
        &'edapply;help;recover'= {
        }
        &'edapply;help;log'= {
        }
        &'edapply;help;read'= {
        }
        &'edapply;help;convert'= {
        }
        &'edapply;help;prompt'= {
        }
        &'edapply;help;bench'= {
        }
        &'edapply;help;cost'= {
        }
        &'edapply;help;choose'= {
        }
        &'edapply;help;explain'= {
        }
        &'edapply;help;schema'= {
        }
        &'edapply;help;completions'= {
        }
        &'edapply;help;man'= {
        }
        &'edapply;help;install'= {
        }
        &'edapply;help;patch'= {
        }
        &'edapply;help;git-apply'= {
        }
        &'edapply;help;help'= {
        }
    ]
    $completions[$command]
}
