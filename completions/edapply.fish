# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_edapply_global_optspecs
    string join \n i/input= C/root= paste each format= interactive dry-run check stat numstat summary annotate json= retry-prompt q/quiet v/verbose color= p/strip= R/reverse N/forward partial match= max-offset= nearest replace-all allow-shrink overwrite no-delete strict-state follow-symlinks no-xdev spelling= only= skip= protect= max-files= max-lines= since= require-read if-match= tracked-only check-whitespace verify= verify-timeout= diagnose= diagnose-timeout= expect= state-dir= lock-timeout= sync= in-place h/help V/version
end

function __fish_edapply_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_edapply_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_edapply_using_subcommand
    set -l cmd (__fish_edapply_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c edapply -n "__fish_edapply_needs_command" -s i -l input -d 'Another input, read before the others' -r
complete -c edapply -n "__fish_edapply_needs_command" -s C -l root -d 'Take paths from this folder; nothing ever leaves it (default: the current folder, or the top of its git work tree if only there the paths exist)' -r -F
complete -c edapply -n "__fish_edapply_needs_command" -l format -d 'Read this format only (default: each section is told by its form)' -r -f -a "search-replace\t'Blocks of old and new text between markers'
whole-file\t'A path and the whole file'
elided\t'A whole file in which comments stand for lines that stay'
unified\t'`diff -u` and `git diff`'
context\t'`diff -c`'
normal\t'`diff` without options'
ed\t'A script for `ed`'
v4a\t'`*** Begin Patch`'
edit-call\t'Calls of coding tools as JSON'
hashline\t'Operations by line number on a text known by its tag'"
complete -c edapply -n "__fish_edapply_needs_command" -l json -d 'Report as one JSON object on standard output; full: with all files before and after' -r -f -a "short\t''
full\t''"
complete -c edapply -n "__fish_edapply_needs_command" -l color -d 'Color report and diff; auto: on a terminal, as NO_COLOR, CLICOLOR_FORCE and TERM say' -r -f -a "auto\t''
always\t''
never\t''"
complete -c edapply -n "__fish_edapply_needs_command" -s p -l strip -d 'Strip N components from the names in diffs (default: as the files fit)' -r
complete -c edapply -n "__fish_edapply_needs_command" -l match -d 'How far from the quoted text a place may be' -r -f -a "strict\t'Equal but for line ends'
typography\t'Also trailing blanks and typography'
default\t'Every view that never forgives a letter or digit in removed text'"
complete -c edapply -n "__fish_edapply_needs_command" -l max-offset -d 'A hunk may stand at most N lines from the line that it states; 0: only there (default: any distance)' -r
complete -c edapply -n "__fish_edapply_needs_command" -l spelling -d 'Whose spelling a line of a whole file keeps where only white space differs' -r -f -a "auto\t'The file\'s for copying slips, the reply\'s for a reformat'
file\t'The file\'s'
reply\t'The reply\'s'"
complete -c edapply -n "__fish_edapply_needs_command" -l only -d 'Only edits whose path matches (default: all); may be given several times' -r
complete -c edapply -n "__fish_edapply_needs_command" -l skip -d 'No edit whose path matches (default: none is left out); may be given several times' -r
complete -c edapply -n "__fish_edapply_needs_command" -l protect -d 'Refuse to touch files that match (default: none); may be given several times' -r
complete -c edapply -n "__fish_edapply_needs_command" -l max-files -d 'Refuse to change more than N files (default: no limit)' -r
complete -c edapply -n "__fish_edapply_needs_command" -l max-lines -d 'Refuse to add and remove more than N lines in all (default: no limit)' -r
complete -c edapply -n "__fish_edapply_needs_command" -l since -d 'Count the changes of this batch and all later ones in --max-files and --max-lines (default: this run\'s)' -r
complete -c edapply -n "__fish_edapply_needs_command" -l if-match -d 'Refuse all unless the file is this version of it' -r
complete -c edapply -n "__fish_edapply_needs_command" -l verify -d 'Run CMD on the result before it counts; if it fails, everything is put back (exit 3)' -r
complete -c edapply -n "__fish_edapply_needs_command" -l verify-timeout -d 'Seconds that --verify may take' -r
complete -c edapply -n "__fish_edapply_needs_command" -l diagnose -d 'Run CMD once the result stands, and report its errors; it decides nothing' -r
complete -c edapply -n "__fish_edapply_needs_command" -l diagnose-timeout -d 'Seconds that --diagnose may take' -r
complete -c edapply -n "__fish_edapply_needs_command" -l expect -d 'The result must be this file, this folder, or what git has for REV; else nothing is written (exit 3)' -r
complete -c edapply -n "__fish_edapply_needs_command" -l state-dir -d 'Keep the journal in this folder (default: the git folder, or the user\'s state folder)' -r -F
complete -c edapply -n "__fish_edapply_needs_command" -l lock-timeout -d 'Seconds to wait for another run in the same tree' -r
complete -c edapply -n "__fish_edapply_needs_command" -l sync -d 'What a batch survives' -r -f -a "power\t'A power cut'
process\t'The death of the process'
none\t'Its own failure only; it cannot be undone'"
complete -c edapply -n "__fish_edapply_needs_command" -l paste -d 'Read the clipboard (by pbpaste, wl-paste, xclip, xsel or PowerShell, the first that is there)'
complete -c edapply -n "__fish_edapply_needs_command" -l each -d 'Each input is a transaction of its own (default: all are one)'
complete -c edapply -n "__fish_edapply_needs_command" -l interactive -d 'Ask on the terminal about each edit: yes, no, always for this file, previous, view, done, quit'
complete -c edapply -n "__fish_edapply_needs_command" -l dry-run -d 'Show the change as a diff and write nothing'
complete -c edapply -n "__fish_edapply_needs_command" -l check -d 'Say whether the edits would apply and write nothing'
complete -c edapply -n "__fish_edapply_needs_command" -l stat -d 'Show the size of the change as bars and write nothing'
complete -c edapply -n "__fish_edapply_needs_command" -l numstat -d 'Show the size of the change as numbers and write nothing'
complete -c edapply -n "__fish_edapply_needs_command" -l summary -d 'Show creations, deletions, moves and modes and write nothing'
complete -c edapply -n "__fish_edapply_needs_command" -l annotate -d 'Print each refusal as an annotation of a CI job (`::error file=...::`, as GitHub reads it); a diff then gives the job no commands'
complete -c edapply -n "__fish_edapply_needs_command" -l retry-prompt -d 'Print what to send back to the model, if an edit is refused'
complete -c edapply -n "__fish_edapply_needs_command" -s q -l quiet -d 'Tell of refusals only (default: a line an edit)'
complete -c edapply -n "__fish_edapply_needs_command" -s v -l verbose -d 'Tell more; twice: all that is known'
complete -c edapply -n "__fish_edapply_needs_command" -s R -l reverse -d 'Take the edits back: swap old and new'
complete -c edapply -n "__fish_edapply_needs_command" -s N -l forward -d 'What is applied already is fine (the default)'
complete -c edapply -n "__fish_edapply_needs_command" -l partial -d 'Write the edits that fit, though others are refused'
complete -c edapply -n "__fish_edapply_needs_command" -l nearest -d 'Of several places that fit, take the nearest to the stated line (default: refuse)'
complete -c edapply -n "__fish_edapply_needs_command" -l replace-all -d 'Change every exact place of a block\'s old text'
complete -c edapply -n "__fish_edapply_needs_command" -l allow-shrink -d 'A whole file may lose most of its lines'
complete -c edapply -n "__fish_edapply_needs_command" -l overwrite -d 'Creations and moves may replace existing files'
complete -c edapply -n "__fish_edapply_needs_command" -l no-delete -d 'Refuse to delete files'
complete -c edapply -n "__fish_edapply_needs_command" -l strict-state -d 'Refuse what is applied already'
complete -c edapply -n "__fish_edapply_needs_command" -l follow-symlinks -d 'Edit the file that a symbolic link leads to, if that lies under the root'
complete -c edapply -n "__fish_edapply_needs_command" -l no-xdev -d 'Refuse to go into other file systems'
complete -c edapply -n "__fish_edapply_needs_command" -l require-read -d 'Refuse to edit files that were not read with `edapply read`, or changed since'
complete -c edapply -n "__fish_edapply_needs_command" -l tracked-only -d 'Refuse to change files that git does not track'
complete -c edapply -n "__fish_edapply_needs_command" -l check-whitespace -d 'Refuse white space that `git diff --check` would complain of'
complete -c edapply -n "__fish_edapply_needs_command" -l in-place -d 'Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only; others may see them half written'
complete -c edapply -n "__fish_edapply_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c edapply -n "__fish_edapply_needs_command" -s V -l version -d 'Print version'
complete -c edapply -n "__fish_edapply_needs_command" -a "inspect" -d 'List the edits that an input holds, without applying them'
complete -c edapply -n "__fish_edapply_needs_command" -a "undo" -d 'Take a batch back: the last one, or the one named'
complete -c edapply -n "__fish_edapply_needs_command" -a "recover" -d 'Put in order what a killed run left'
complete -c edapply -n "__fish_edapply_needs_command" -a "log" -d 'List the batches that were applied, the newest first'
complete -c edapply -n "__fish_edapply_needs_command" -a "read" -d 'Print files for a model: numbered, tagged, their version remembered'
complete -c edapply -n "__fish_edapply_needs_command" -a "convert" -d 'Write the same edits in another format'
complete -c edapply -n "__fish_edapply_needs_command" -a "prompt" -d 'What to tell a model so that it writes a format well'
complete -c edapply -n "__fish_edapply_needs_command" -a "bench" -d 'Count ok, FAIL and WRONG over folders of cases with known truth'
complete -c edapply -n "__fish_edapply_needs_command" -a "cost" -d 'What each format would cost for the same change: characters, tokens, seconds'
complete -c edapply -n "__fish_edapply_needs_command" -a "choose" -d 'Which format a model should use for a change, and why'
complete -c edapply -n "__fish_edapply_needs_command" -a "explain" -d 'Say what a code in a message means, or list all codes'
complete -c edapply -n "__fish_edapply_needs_command" -a "schema" -d 'Print the JSON Schema of all reports'
complete -c edapply -n "__fish_edapply_needs_command" -a "completions" -d 'Print the completion script of a shell'
complete -c edapply -n "__fish_edapply_needs_command" -a "man" -d 'Print a page of the manual'
complete -c edapply -n "__fish_edapply_needs_command" -a "install" -d 'Put the program, its manual and its completions below a prefix'
complete -c edapply -n "__fish_edapply_needs_command" -a "patch" -d 'Apply a diff as GNU patch does'
complete -c edapply -n "__fish_edapply_needs_command" -a "git-apply" -d 'Apply a patch as `git apply` does'
complete -c edapply -n "__fish_edapply_needs_command" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c edapply -n "__fish_edapply_using_subcommand inspect" -l format -d 'Read this format only' -r -f -a "search-replace\t'Blocks of old and new text between markers'
whole-file\t'A path and the whole file'
elided\t'A whole file in which comments stand for lines that stay'
unified\t'`diff -u` and `git diff`'
context\t'`diff -c`'
normal\t'`diff` without options'
ed\t'A script for `ed`'
v4a\t'`*** Begin Patch`'
edit-call\t'Calls of coding tools as JSON'
hashline\t'Operations by line number on a text known by its tag'"
complete -c edapply -n "__fish_edapply_using_subcommand inspect" -s C -l root -d 'The folder that the edits are for: if a run died there, that is told, with exit 2' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand inspect" -l state-dir -d 'The journal lies in this folder (default: the git folder, or the user\'s state folder)' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand inspect" -l paste -d 'Read the clipboard (by pbpaste, wl-paste, xclip, xsel or PowerShell, the first that is there)'
complete -c edapply -n "__fish_edapply_using_subcommand inspect" -l json -d 'One JSON object instead of text'
complete -c edapply -n "__fish_edapply_using_subcommand inspect" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c edapply -n "__fish_edapply_using_subcommand undo" -s C -l root -d 'The folder in which it ran' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand undo" -l state-dir -d 'Keep the journal in this folder (default: the git folder, or the user\'s state folder)' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand undo" -l lock-timeout -d 'Seconds to wait for another run in the same tree' -r
complete -c edapply -n "__fish_edapply_using_subcommand undo" -l sync -d 'What a batch survives' -r -f -a "power\t'A power cut'
process\t'The death of the process'
none\t'Its own failure only; it cannot be undone'"
complete -c edapply -n "__fish_edapply_using_subcommand undo" -l list -d 'List what can be undone, and undo nothing'
complete -c edapply -n "__fish_edapply_using_subcommand undo" -l in-place -d 'Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only; others may see them half written'
complete -c edapply -n "__fish_edapply_using_subcommand undo" -l json -d 'One JSON object instead of text'
complete -c edapply -n "__fish_edapply_using_subcommand undo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c edapply -n "__fish_edapply_using_subcommand recover" -s C -l root -d 'The folder in which it ran' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand recover" -l state-dir -d 'Keep the journal in this folder (default: the git folder, or the user\'s state folder)' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand recover" -l lock-timeout -d 'Seconds to wait for another run in the same tree' -r
complete -c edapply -n "__fish_edapply_using_subcommand recover" -l sync -d 'What a batch survives' -r -f -a "power\t'A power cut'
process\t'The death of the process'
none\t'Its own failure only; it cannot be undone'"
complete -c edapply -n "__fish_edapply_using_subcommand recover" -l in-place -d 'Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only; others may see them half written'
complete -c edapply -n "__fish_edapply_using_subcommand recover" -l json -d 'One JSON object instead of text'
complete -c edapply -n "__fish_edapply_using_subcommand recover" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c edapply -n "__fish_edapply_using_subcommand log" -s C -l root -d 'The folder in which it ran' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand log" -l state-dir -d 'Keep the journal in this folder (default: the git folder, or the user\'s state folder)' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand log" -l lock-timeout -d 'Seconds to wait for another run in the same tree' -r
complete -c edapply -n "__fish_edapply_using_subcommand log" -l sync -d 'What a batch survives' -r -f -a "power\t'A power cut'
process\t'The death of the process'
none\t'Its own failure only; it cannot be undone'"
complete -c edapply -n "__fish_edapply_using_subcommand log" -l in-place -d 'Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only; others may see them half written'
complete -c edapply -n "__fish_edapply_using_subcommand log" -l json -d 'One JSON object instead of text'
complete -c edapply -n "__fish_edapply_using_subcommand log" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c edapply -n "__fish_edapply_using_subcommand read" -s C -l root -d 'Take paths from this folder' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand read" -l state-dir -d 'Remember the versions in this folder (default: the git folder, or the user\'s state folder)' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand read" -l plain -d 'The lines as they are, without header and numbers'
complete -c edapply -n "__fish_edapply_using_subcommand read" -l json -d 'One JSON object instead of lines'
complete -c edapply -n "__fish_edapply_using_subcommand read" -s h -l help -d 'Print help'
complete -c edapply -n "__fish_edapply_using_subcommand convert" -l to -d 'The format to write' -r -f -a "search-replace\t'Blocks of old and new text between markers'
whole-file\t'A path and the whole file'
elided\t'A whole file in which comments stand for lines that stay'
unified\t'`diff -u` and `git diff`'
context\t'`diff -c`'
normal\t'`diff` without options'
ed\t'A script for `ed`'
v4a\t'`*** Begin Patch`'
edit-call\t'Calls of coding tools as JSON'
hashline\t'Operations by line number on a text known by its tag'"
complete -c edapply -n "__fish_edapply_using_subcommand convert" -s C -l root -d 'Plan the edits on the files of this folder' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand convert" -l format -d 'Read this format only' -r -f -a "search-replace\t'Blocks of old and new text between markers'
whole-file\t'A path and the whole file'
elided\t'A whole file in which comments stand for lines that stay'
unified\t'`diff -u` and `git diff`'
context\t'`diff -c`'
normal\t'`diff` without options'
ed\t'A script for `ed`'
v4a\t'`*** Begin Patch`'
edit-call\t'Calls of coding tools as JSON'
hashline\t'Operations by line number on a text known by its tag'"
complete -c edapply -n "__fish_edapply_using_subcommand convert" -l paste -d 'Read the clipboard (by pbpaste, wl-paste, xclip, xsel or PowerShell, the first that is there)'
complete -c edapply -n "__fish_edapply_using_subcommand convert" -l json -d 'One JSON object instead of text'
complete -c edapply -n "__fish_edapply_using_subcommand convert" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c edapply -n "__fish_edapply_using_subcommand prompt" -l long -d 'With a worked example'
complete -c edapply -n "__fish_edapply_using_subcommand prompt" -l json -d 'One JSON object instead of text'
complete -c edapply -n "__fish_edapply_using_subcommand prompt" -s h -l help -d 'Print help'
complete -c edapply -n "__fish_edapply_using_subcommand bench" -l applier -d 'Measure another program: a shell line, with {reply}, {dir} and {format} filled in' -r
complete -c edapply -n "__fish_edapply_using_subcommand bench" -l reference -d 'Measure a simple policy for comparison' -r -f -a "first-match\t'Old text by new, at the first place that is exactly the same'
unique-match\t'The same, only where there is one place'
strict-position\t'A diff\'s hunks, exactly at the line that they state'
whole-as-is\t'A whole file, written as it is'"
complete -c edapply -n "__fish_edapply_using_subcommand bench" -l match -d 'How far from the quoted text a place may be' -r -f -a "strict\t'Equal but for line ends'
typography\t'Also trailing blanks and typography'
default\t'Every view that never forgives a letter or digit in removed text'"
complete -c edapply -n "__fish_edapply_using_subcommand bench" -l max-offset -d 'A hunk may stand at most N lines from the line that it states (default: any distance)' -r
complete -c edapply -n "__fish_edapply_using_subcommand bench" -l format -d 'Only cases of this format' -r
complete -c edapply -n "__fish_edapply_using_subcommand bench" -l jobs -d 'Cases at a time (default: one a processor)' -r
complete -c edapply -n "__fish_edapply_using_subcommand bench" -l limit -d 'Seconds that --applier may take for a case' -r
complete -c edapply -n "__fish_edapply_using_subcommand bench" -l list -d 'Name the cases with this outcome' -r
complete -c edapply -n "__fish_edapply_using_subcommand bench" -l model -d 'Keep the result as a measurement of this model, for `edapply choose`' -r
complete -c edapply -n "__fish_edapply_using_subcommand bench" -l state-dir -d 'Where measurements are kept' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand bench" -l json -d 'One JSON object instead of tables'
complete -c edapply -n "__fish_edapply_using_subcommand bench" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c edapply -n "__fish_edapply_using_subcommand cost" -l edit -d 'The change that this reply makes; without it, one changed line in the middle' -r
complete -c edapply -n "__fish_edapply_using_subcommand cost" -s C -l root -d 'Take paths from this folder' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand cost" -l chars-per-token -d 'Characters that make a token' -r
complete -c edapply -n "__fish_edapply_using_subcommand cost" -l tokens-per-second -d 'Tokens that the model writes in a second' -r
complete -c edapply -n "__fish_edapply_using_subcommand cost" -l json -d 'One JSON object instead of a table'
complete -c edapply -n "__fish_edapply_using_subcommand cost" -s h -l help -d 'Print help'
complete -c edapply -n "__fish_edapply_using_subcommand choose" -l lines -d 'Lines of the file (default: as FILE has)' -r
complete -c edapply -n "__fish_edapply_using_subcommand choose" -l accuracy -d 'The share of edits that the model copies exactly, from 0 to 1' -r
complete -c edapply -n "__fish_edapply_using_subcommand choose" -l model -d 'Take the share that `bench --model` measured' -r
complete -c edapply -n "__fish_edapply_using_subcommand choose" -l state-dir -d 'Where measurements are kept' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand choose" -s C -l root -d 'Take paths from this folder' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand choose" -l new -d 'The file is new'
complete -c edapply -n "__fish_edapply_using_subcommand choose" -l adds-or-deletes -d 'The change adds, deletes or moves files'
complete -c edapply -n "__fish_edapply_using_subcommand choose" -l tools -d 'The model\'s tool calls are reliable'
complete -c edapply -n "__fish_edapply_using_subcommand choose" -l json -d 'One JSON object instead of a sentence'
complete -c edapply -n "__fish_edapply_using_subcommand choose" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c edapply -n "__fish_edapply_using_subcommand explain" -l json -d 'One JSON object instead of text'
complete -c edapply -n "__fish_edapply_using_subcommand explain" -s h -l help -d 'Print help'
complete -c edapply -n "__fish_edapply_using_subcommand schema" -l json -d 'Without effect: the schema is JSON'
complete -c edapply -n "__fish_edapply_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c edapply -n "__fish_edapply_using_subcommand completions" -l json -d 'One JSON object instead of text'
complete -c edapply -n "__fish_edapply_using_subcommand completions" -s h -l help -d 'Print help'
complete -c edapply -n "__fish_edapply_using_subcommand man" -l list -d 'List the pages'
complete -c edapply -n "__fish_edapply_using_subcommand man" -l json -d 'One JSON object instead of text'
complete -c edapply -n "__fish_edapply_using_subcommand man" -s h -l help -d 'Print help'
complete -c edapply -n "__fish_edapply_using_subcommand install" -l prefix -d 'Where it shall be found' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand install" -l destdir -d 'Put all of it below this folder instead of /, as packagers do' -r -F
complete -c edapply -n "__fish_edapply_using_subcommand install" -l link -d 'Also link this name to the program' -r -f -a "patch\t'In place of GNU patch'
git-apply\t'In place of `git apply`'"
complete -c edapply -n "__fish_edapply_using_subcommand install" -l dry-run -d 'List what would be put where, and write nothing'
complete -c edapply -n "__fish_edapply_using_subcommand install" -l json -d 'One JSON object instead of text'
complete -c edapply -n "__fish_edapply_using_subcommand install" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s B -l prefix -d 'Put PREFIX before the whole name of a backup.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s d -l directory -d 'Work in DIR.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s D -l ifdef -d 'Keep both versions, chosen by #ifdef NAME.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s F -l fuzz -d 'Let up to LINES lines of context differ (2).' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s g -l get -d 'Accepted and ignored: no version control is asked.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s i -l input -d 'Read the patch from FILE.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s o -l output -d 'Write all results to FILE; - is standard output.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s p -l strip -d 'Cut NUM folders off the names in the patch.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s r -l reject-file -d 'Write rejects to FILE; - throws them away.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s V -l version-control -d 'Name backups simple, numbered or existing.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s x -l debug -d '' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s Y -l basename-prefix -d 'Put PREFIX before the base name of a backup.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s z -l suffix -d 'Put SUFFIX behind the name of a backup.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l quoting-style -d 'Quote names: literal, shell, shell-always, c, escape.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l reject-format -d 'Write rejects as context or unified diff.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l read-only -d 'At read-only files: ignore, warn or fail.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l merge -d 'Leave conflicts in the file: merge or diff3.' -r
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s b -l backup -d 'Keep each file\'s first version as a backup.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s c -l context -d 'Look for context diffs only.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s e -l ed -d 'Look for ed scripts only.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s E -l remove-empty-files -d 'Remove files that end up empty.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s f -l force -d 'Never ask; take patches as they come.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s l -l ignore-whitespace -d 'Let runs of blanks differ.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s n -l normal -d 'Look for normal diffs only.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s N -l forward -d 'Skip what looks reversed or applied.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s R -l reverse -d 'Undo the patch.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s s -l quiet -d 'Say only what went wrong.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l silent -d ''
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s t -l batch -d 'Never ask; undo what looks reversed.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s T -l set-time -d 'Set times from the patch, as local time.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s u -l unified -d 'Look for unified diffs only.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s v -l version -d 'Say which version this is.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -s Z -l set-utc -d 'Set times from the patch, as UTC.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l dry-run -d 'Only say what would happen.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l verbose -d 'Say more.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l binary -d 'Keep carriage returns of the patch.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l help -d 'Show this help.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l backup-if-mismatch -d 'Back up where a patch does not fit exactly.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l no-backup-if-mismatch -d 'Back up only if asked otherwise.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l posix -d 'Keep to POSIX.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l follow-symlinks -d 'Read through symbolic links.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l safe -d 'One place or none, all files or none.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l sync -d 'Write through to the disk.'
complete -c edapply -n "__fish_edapply_using_subcommand patch" -l json -d 'Report as one JSON object, the texts in it.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l exclude -d 'Leave out files that match PATH.' -r
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l include -d 'Apply to files that match PATH.' -r
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -s p -d 'Cut NUM folders off the names (1).' -r
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l build-fake-ancestor -d 'Write an index of the old blobs to FILE.' -r
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -s C -d 'At least NUM lines of context must fit.' -r
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l whitespace -d 'What to do about new white-space errors.' -r
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l directory -d 'Put ROOT before all names.' -r
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l no-add -d 'Leave out added lines.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l stat -d 'Show how much changes; do not apply.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l allow-binary-replacement -d ''
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l binary -d ''
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l numstat -d 'Show the counts for programs; do not apply.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l summary -d 'Show creations, renames and modes; do not apply.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l check -d 'Tell whether it applies; do not apply.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l index -d 'Apply to the index too; both must be the same.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -s N -l intent-to-add -d 'Note new files in the index as to come.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l cached -d 'Apply to the index only.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l unsafe-paths -d 'Take paths outside the working area too.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l apply -d 'Apply, also with --stat, --check and the like.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -s 3 -l 3way -d 'Merge three ways; fall back to plain applying.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l ours -d 'Settle conflicts for our side.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l theirs -d 'Settle conflicts for the patch\'s side.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l union -d 'Settle conflicts by taking both sides.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -s z -d 'End names by NUL in --numstat.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l ignore-space-change -d 'Let white space in context differ.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l ignore-whitespace -d 'Let white space in context differ.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -s R -l reverse -d 'Apply in reverse.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l unidiff-zero -d 'Take hunks without context by their line numbers.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l reject -d 'Apply the hunks that fit; write the others to *.rej.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l allow-overlap -d 'Let hunks overlap.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -s v -l verbose -d 'Say more.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -s q -l quiet -d 'Say nothing.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l inaccurate-eof -d 'Forgive a missing note about the last line\'s end.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l recount -d 'Do not trust the counts in hunk headers.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l allow-empty -d 'Take an empty patch for done.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l safe -d 'One place or none, all files or none.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -s h -l help -d 'Show this help.'
complete -c edapply -n "__fish_edapply_using_subcommand git-apply" -l json -d 'Report as one JSON object, the texts in it.'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "inspect" -d 'List the edits that an input holds, without applying them'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "undo" -d 'Take a batch back: the last one, or the one named'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "recover" -d 'Put in order what a killed run left'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "log" -d 'List the batches that were applied, the newest first'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "read" -d 'Print files for a model: numbered, tagged, their version remembered'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "convert" -d 'Write the same edits in another format'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "prompt" -d 'What to tell a model so that it writes a format well'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "bench" -d 'Count ok, FAIL and WRONG over folders of cases with known truth'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "cost" -d 'What each format would cost for the same change: characters, tokens, seconds'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "choose" -d 'Which format a model should use for a change, and why'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "explain" -d 'Say what a code in a message means, or list all codes'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "schema" -d 'Print the JSON Schema of all reports'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "completions" -d 'Print the completion script of a shell'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "man" -d 'Print a page of the manual'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "install" -d 'Put the program, its manual and its completions below a prefix'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "patch" -d 'Apply a diff as GNU patch does'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "git-apply" -d 'Apply a patch as `git apply` does'
complete -c edapply -n "__fish_edapply_using_subcommand help; and not __fish_seen_subcommand_from inspect undo recover log read convert prompt bench cost choose explain schema completions man install patch git-apply help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
