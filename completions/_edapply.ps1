
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'edapply' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'edapply'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'edapply' {
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Another input, read before the others')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'Another input, read before the others')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Take paths from this folder; nothing ever leaves it (default: the current folder, or the top of its git work tree if only there the paths exist)')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'Take paths from this folder; nothing ever leaves it (default: the current folder, or the top of its git work tree if only there the paths exist)')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Read this format only (default: each section is told by its form)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Report as one JSON object on standard output; full: with all files before and after')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Color report and diff; auto: on a terminal, as NO_COLOR, CLICOLOR_FORCE and TERM say')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Strip N components from the names in diffs (default: as the files fit)')
            [CompletionResult]::new('--strip', '--strip', [CompletionResultType]::ParameterName, 'Strip N components from the names in diffs (default: as the files fit)')
            [CompletionResult]::new('--match', '--match', [CompletionResultType]::ParameterName, 'How far from the quoted text a place may be')
            [CompletionResult]::new('--max-offset', '--max-offset', [CompletionResultType]::ParameterName, 'A hunk may stand at most N lines from the line that it states; 0: only there (default: any distance)')
            [CompletionResult]::new('--spelling', '--spelling', [CompletionResultType]::ParameterName, 'Whose spelling a line of a whole file keeps where only white space differs')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Only edits whose path matches (default: all); may be given several times')
            [CompletionResult]::new('--skip', '--skip', [CompletionResultType]::ParameterName, 'No edit whose path matches (default: none is left out); may be given several times')
            [CompletionResult]::new('--protect', '--protect', [CompletionResultType]::ParameterName, 'Refuse to touch files that match (default: none); may be given several times')
            [CompletionResult]::new('--max-files', '--max-files', [CompletionResultType]::ParameterName, 'Refuse to change more than N files (default: no limit)')
            [CompletionResult]::new('--max-lines', '--max-lines', [CompletionResultType]::ParameterName, 'Refuse to add and remove more than N lines in all (default: no limit)')
            [CompletionResult]::new('--since', '--since', [CompletionResultType]::ParameterName, 'Count the changes of this batch and all later ones in --max-files and --max-lines (default: this run''s)')
            [CompletionResult]::new('--if-match', '--if-match', [CompletionResultType]::ParameterName, 'Refuse all unless the file is this version of it')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Run CMD on the result before it counts; if it fails, everything is put back (exit 3)')
            [CompletionResult]::new('--verify-timeout', '--verify-timeout', [CompletionResultType]::ParameterName, 'Seconds that --verify may take')
            [CompletionResult]::new('--diagnose', '--diagnose', [CompletionResultType]::ParameterName, 'Run CMD once the result stands, and report its errors; it decides nothing')
            [CompletionResult]::new('--diagnose-timeout', '--diagnose-timeout', [CompletionResultType]::ParameterName, 'Seconds that --diagnose may take')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'The result must be this file, this folder, or what git has for REV; else nothing is written (exit 3)')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'Keep the journal in this folder (default: the git folder, or the user''s state folder)')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Seconds to wait for another run in the same tree')
            [CompletionResult]::new('--sync', '--sync', [CompletionResultType]::ParameterName, 'What a batch survives')
            [CompletionResult]::new('--paste', '--paste', [CompletionResultType]::ParameterName, 'Read the clipboard (by pbpaste, wl-paste, xclip, xsel or PowerShell, the first that is there)')
            [CompletionResult]::new('--each', '--each', [CompletionResultType]::ParameterName, 'Each input is a transaction of its own (default: all are one)')
            [CompletionResult]::new('--interactive', '--interactive', [CompletionResultType]::ParameterName, 'Ask on the terminal about each edit: yes, no, always for this file, previous, view, done, quit')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Show the change as a diff and write nothing')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Say whether the edits would apply and write nothing')
            [CompletionResult]::new('--stat', '--stat', [CompletionResultType]::ParameterName, 'Show the size of the change as bars and write nothing')
            [CompletionResult]::new('--numstat', '--numstat', [CompletionResultType]::ParameterName, 'Show the size of the change as numbers and write nothing')
            [CompletionResult]::new('--summary', '--summary', [CompletionResultType]::ParameterName, 'Show creations, deletions, moves and modes and write nothing')
            [CompletionResult]::new('--annotate', '--annotate', [CompletionResultType]::ParameterName, 'Print each refusal as an annotation of a CI job (`::error file=...::`, as GitHub reads it); a diff then gives the job no commands')
            [CompletionResult]::new('--retry-prompt', '--retry-prompt', [CompletionResultType]::ParameterName, 'Print what to send back to the model, if an edit is refused')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Tell of refusals only (default: a line an edit)')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Tell of refusals only (default: a line an edit)')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Tell more; twice: all that is known')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Tell more; twice: all that is known')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Take the edits back: swap old and new')
            [CompletionResult]::new('--reverse', '--reverse', [CompletionResultType]::ParameterName, 'Take the edits back: swap old and new')
            [CompletionResult]::new('-N', '-N ', [CompletionResultType]::ParameterName, 'What is applied already is fine (the default)')
            [CompletionResult]::new('--forward', '--forward', [CompletionResultType]::ParameterName, 'What is applied already is fine (the default)')
            [CompletionResult]::new('--partial', '--partial', [CompletionResultType]::ParameterName, 'Write the edits that fit, though others are refused')
            [CompletionResult]::new('--nearest', '--nearest', [CompletionResultType]::ParameterName, 'Of several places that fit, take the nearest to the stated line (default: refuse)')
            [CompletionResult]::new('--replace-all', '--replace-all', [CompletionResultType]::ParameterName, 'Change every exact place of a block''s old text')
            [CompletionResult]::new('--allow-shrink', '--allow-shrink', [CompletionResultType]::ParameterName, 'A whole file may lose most of its lines')
            [CompletionResult]::new('--overwrite', '--overwrite', [CompletionResultType]::ParameterName, 'Creations and moves may replace existing files')
            [CompletionResult]::new('--no-delete', '--no-delete', [CompletionResultType]::ParameterName, 'Refuse to delete files')
            [CompletionResult]::new('--strict-state', '--strict-state', [CompletionResultType]::ParameterName, 'Refuse what is applied already')
            [CompletionResult]::new('--follow-symlinks', '--follow-symlinks', [CompletionResultType]::ParameterName, 'Edit the file that a symbolic link leads to, if that lies under the root')
            [CompletionResult]::new('--no-xdev', '--no-xdev', [CompletionResultType]::ParameterName, 'Refuse to go into other file systems')
            [CompletionResult]::new('--require-read', '--require-read', [CompletionResultType]::ParameterName, 'Refuse to edit files that were not read with `edapply read`, or changed since')
            [CompletionResult]::new('--tracked-only', '--tracked-only', [CompletionResultType]::ParameterName, 'Refuse to change files that git does not track')
            [CompletionResult]::new('--check-whitespace', '--check-whitespace', [CompletionResultType]::ParameterName, 'Refuse white space that `git diff --check` would complain of')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only; others may see them half written')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('inspect', 'inspect', [CompletionResultType]::ParameterValue, 'List the edits that an input holds, without applying them')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Take a batch back: the last one, or the one named')
            [CompletionResult]::new('recover', 'recover', [CompletionResultType]::ParameterValue, 'Put in order what a killed run left')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'List the batches that were applied, the newest first')
            [CompletionResult]::new('read', 'read', [CompletionResultType]::ParameterValue, 'Print files for a model: numbered, tagged, their version remembered')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Write the same edits in another format')
            [CompletionResult]::new('prompt', 'prompt', [CompletionResultType]::ParameterValue, 'What to tell a model so that it writes a format well')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Count ok, FAIL and WRONG over folders of cases with known truth')
            [CompletionResult]::new('cost', 'cost', [CompletionResultType]::ParameterValue, 'What each format would cost for the same change: characters, tokens, seconds')
            [CompletionResult]::new('choose', 'choose', [CompletionResultType]::ParameterValue, 'Which format a model should use for a change, and why')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Say what a code in a message means, or list all codes')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of all reports')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completion script of a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print a page of the manual')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Put the program, its manual and its completions below a prefix')
            [CompletionResult]::new('patch', 'patch', [CompletionResultType]::ParameterValue, 'Apply a diff as GNU patch does')
            [CompletionResult]::new('git-apply', 'git-apply', [CompletionResultType]::ParameterValue, 'Apply a patch as `git apply` does')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'edapply;inspect' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Read this format only')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'The folder that the edits are for: if a run died there, that is told, with exit 2')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The folder that the edits are for: if a run died there, that is told, with exit 2')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'The journal lies in this folder (default: the git folder, or the user''s state folder)')
            [CompletionResult]::new('--paste', '--paste', [CompletionResultType]::ParameterName, 'Read the clipboard (by pbpaste, wl-paste, xclip, xsel or PowerShell, the first that is there)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of text')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'edapply;undo' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'The folder in which it ran')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The folder in which it ran')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'Keep the journal in this folder (default: the git folder, or the user''s state folder)')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Seconds to wait for another run in the same tree')
            [CompletionResult]::new('--sync', '--sync', [CompletionResultType]::ParameterName, 'What a batch survives')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List what can be undone, and undo nothing')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only; others may see them half written')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of text')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'edapply;recover' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'The folder in which it ran')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The folder in which it ran')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'Keep the journal in this folder (default: the git folder, or the user''s state folder)')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Seconds to wait for another run in the same tree')
            [CompletionResult]::new('--sync', '--sync', [CompletionResultType]::ParameterName, 'What a batch survives')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only; others may see them half written')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of text')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'edapply;log' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'The folder in which it ran')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'The folder in which it ran')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'Keep the journal in this folder (default: the git folder, or the user''s state folder)')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Seconds to wait for another run in the same tree')
            [CompletionResult]::new('--sync', '--sync', [CompletionResultType]::ParameterName, 'What a batch survives')
            [CompletionResult]::new('--in-place', '--in-place', [CompletionResultType]::ParameterName, 'Write over files instead of exchanging them: they keep their inodes and hard links, folders may be read-only; others may see them half written')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of text')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'edapply;read' {
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Take paths from this folder')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'Take paths from this folder')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'Remember the versions in this folder (default: the git folder, or the user''s state folder)')
            [CompletionResult]::new('--plain', '--plain', [CompletionResultType]::ParameterName, 'The lines as they are, without header and numbers')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of lines')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'edapply;convert' {
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'The format to write')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Plan the edits on the files of this folder')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'Plan the edits on the files of this folder')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Read this format only')
            [CompletionResult]::new('--paste', '--paste', [CompletionResultType]::ParameterName, 'Read the clipboard (by pbpaste, wl-paste, xclip, xsel or PowerShell, the first that is there)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of text')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'edapply;prompt' {
            [CompletionResult]::new('--long', '--long', [CompletionResultType]::ParameterName, 'With a worked example')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of text')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'edapply;bench' {
            [CompletionResult]::new('--applier', '--applier', [CompletionResultType]::ParameterName, 'Measure another program: a shell line, with {reply}, {dir} and {format} filled in')
            [CompletionResult]::new('--reference', '--reference', [CompletionResultType]::ParameterName, 'Measure a simple policy for comparison')
            [CompletionResult]::new('--match', '--match', [CompletionResultType]::ParameterName, 'How far from the quoted text a place may be')
            [CompletionResult]::new('--max-offset', '--max-offset', [CompletionResultType]::ParameterName, 'A hunk may stand at most N lines from the line that it states (default: any distance)')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Only cases of this format')
            [CompletionResult]::new('--jobs', '--jobs', [CompletionResultType]::ParameterName, 'Cases at a time (default: one a processor)')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Seconds that --applier may take for a case')
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'Name the cases with this outcome')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'Keep the result as a measurement of this model, for `edapply choose`')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'Where measurements are kept')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of tables')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'edapply;cost' {
            [CompletionResult]::new('--edit', '--edit', [CompletionResultType]::ParameterName, 'The change that this reply makes; without it, one changed line in the middle')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Take paths from this folder')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'Take paths from this folder')
            [CompletionResult]::new('--chars-per-token', '--chars-per-token', [CompletionResultType]::ParameterName, 'Characters that make a token')
            [CompletionResult]::new('--tokens-per-second', '--tokens-per-second', [CompletionResultType]::ParameterName, 'Tokens that the model writes in a second')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of a table')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'edapply;choose' {
            [CompletionResult]::new('--lines', '--lines', [CompletionResultType]::ParameterName, 'Lines of the file (default: as FILE has)')
            [CompletionResult]::new('--accuracy', '--accuracy', [CompletionResultType]::ParameterName, 'The share of edits that the model copies exactly, from 0 to 1')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'Take the share that `bench --model` measured')
            [CompletionResult]::new('--state-dir', '--state-dir', [CompletionResultType]::ParameterName, 'Where measurements are kept')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'Take paths from this folder')
            [CompletionResult]::new('--root', '--root', [CompletionResultType]::ParameterName, 'Take paths from this folder')
            [CompletionResult]::new('--new', '--new', [CompletionResultType]::ParameterName, 'The file is new')
            [CompletionResult]::new('--adds-or-deletes', '--adds-or-deletes', [CompletionResultType]::ParameterName, 'The change adds, deletes or moves files')
            [CompletionResult]::new('--tools', '--tools', [CompletionResultType]::ParameterName, 'The model''s tool calls are reliable')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of a sentence')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'edapply;explain' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of text')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'edapply;schema' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Without effect: the schema is JSON')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'edapply;completions' {
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of text')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'edapply;man' {
            [CompletionResult]::new('--list', '--list', [CompletionResultType]::ParameterName, 'List the pages')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of text')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'edapply;install' {
            [CompletionResult]::new('--prefix', '--prefix', [CompletionResultType]::ParameterName, 'Where it shall be found')
            [CompletionResult]::new('--destdir', '--destdir', [CompletionResultType]::ParameterName, 'Put all of it below this folder instead of /, as packagers do')
            [CompletionResult]::new('--link', '--link', [CompletionResultType]::ParameterName, 'Also link this name to the program')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'List what would be put where, and write nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of text')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'edapply;patch' {
            [CompletionResult]::new('-B', '-B ', [CompletionResultType]::ParameterName, 'Put PREFIX before the whole name of a backup.')
            [CompletionResult]::new('--prefix', '--prefix', [CompletionResultType]::ParameterName, 'Put PREFIX before the whole name of a backup.')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'Work in DIR.')
            [CompletionResult]::new('--directory', '--directory', [CompletionResultType]::ParameterName, 'Work in DIR.')
            [CompletionResult]::new('-D', '-D ', [CompletionResultType]::ParameterName, 'Keep both versions, chosen by #ifdef NAME.')
            [CompletionResult]::new('--ifdef', '--ifdef', [CompletionResultType]::ParameterName, 'Keep both versions, chosen by #ifdef NAME.')
            [CompletionResult]::new('-F', '-F ', [CompletionResultType]::ParameterName, 'Let up to LINES lines of context differ (2).')
            [CompletionResult]::new('--fuzz', '--fuzz', [CompletionResultType]::ParameterName, 'Let up to LINES lines of context differ (2).')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Accepted and ignored: no version control is asked.')
            [CompletionResult]::new('--get', '--get', [CompletionResultType]::ParameterName, 'Accepted and ignored: no version control is asked.')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Read the patch from FILE.')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'Read the patch from FILE.')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write all results to FILE; - is standard output.')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write all results to FILE; - is standard output.')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Cut NUM folders off the names in the patch.')
            [CompletionResult]::new('--strip', '--strip', [CompletionResultType]::ParameterName, 'Cut NUM folders off the names in the patch.')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Write rejects to FILE; - throws them away.')
            [CompletionResult]::new('--reject-file', '--reject-file', [CompletionResultType]::ParameterName, 'Write rejects to FILE; - throws them away.')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Name backups simple, numbered or existing.')
            [CompletionResult]::new('--version-control', '--version-control', [CompletionResultType]::ParameterName, 'Name backups simple, numbered or existing.')
            [CompletionResult]::new('-x', '-x', [CompletionResultType]::ParameterName, 'x')
            [CompletionResult]::new('--debug', '--debug', [CompletionResultType]::ParameterName, 'debug')
            [CompletionResult]::new('-Y', '-Y ', [CompletionResultType]::ParameterName, 'Put PREFIX before the base name of a backup.')
            [CompletionResult]::new('--basename-prefix', '--basename-prefix', [CompletionResultType]::ParameterName, 'Put PREFIX before the base name of a backup.')
            [CompletionResult]::new('-z', '-z', [CompletionResultType]::ParameterName, 'Put SUFFIX behind the name of a backup.')
            [CompletionResult]::new('--suffix', '--suffix', [CompletionResultType]::ParameterName, 'Put SUFFIX behind the name of a backup.')
            [CompletionResult]::new('--quoting-style', '--quoting-style', [CompletionResultType]::ParameterName, 'Quote names: literal, shell, shell-always, c, escape.')
            [CompletionResult]::new('--reject-format', '--reject-format', [CompletionResultType]::ParameterName, 'Write rejects as context or unified diff.')
            [CompletionResult]::new('--read-only', '--read-only', [CompletionResultType]::ParameterName, 'At read-only files: ignore, warn or fail.')
            [CompletionResult]::new('--merge', '--merge', [CompletionResultType]::ParameterName, 'Leave conflicts in the file: merge or diff3.')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Keep each file''s first version as a backup.')
            [CompletionResult]::new('--backup', '--backup', [CompletionResultType]::ParameterName, 'Keep each file''s first version as a backup.')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Look for context diffs only.')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Look for context diffs only.')
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Look for ed scripts only.')
            [CompletionResult]::new('--ed', '--ed', [CompletionResultType]::ParameterName, 'Look for ed scripts only.')
            [CompletionResult]::new('-E', '-E ', [CompletionResultType]::ParameterName, 'Remove files that end up empty.')
            [CompletionResult]::new('--remove-empty-files', '--remove-empty-files', [CompletionResultType]::ParameterName, 'Remove files that end up empty.')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Never ask; take patches as they come.')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Never ask; take patches as they come.')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Let runs of blanks differ.')
            [CompletionResult]::new('--ignore-whitespace', '--ignore-whitespace', [CompletionResultType]::ParameterName, 'Let runs of blanks differ.')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Look for normal diffs only.')
            [CompletionResult]::new('--normal', '--normal', [CompletionResultType]::ParameterName, 'Look for normal diffs only.')
            [CompletionResult]::new('-N', '-N ', [CompletionResultType]::ParameterName, 'Skip what looks reversed or applied.')
            [CompletionResult]::new('--forward', '--forward', [CompletionResultType]::ParameterName, 'Skip what looks reversed or applied.')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Undo the patch.')
            [CompletionResult]::new('--reverse', '--reverse', [CompletionResultType]::ParameterName, 'Undo the patch.')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Say only what went wrong.')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say only what went wrong.')
            [CompletionResult]::new('--silent', '--silent', [CompletionResultType]::ParameterName, 'silent')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Never ask; undo what looks reversed.')
            [CompletionResult]::new('--batch', '--batch', [CompletionResultType]::ParameterName, 'Never ask; undo what looks reversed.')
            [CompletionResult]::new('-T', '-T ', [CompletionResultType]::ParameterName, 'Set times from the patch, as local time.')
            [CompletionResult]::new('--set-time', '--set-time', [CompletionResultType]::ParameterName, 'Set times from the patch, as local time.')
            [CompletionResult]::new('-u', '-u', [CompletionResultType]::ParameterName, 'Look for unified diffs only.')
            [CompletionResult]::new('--unified', '--unified', [CompletionResultType]::ParameterName, 'Look for unified diffs only.')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say which version this is.')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Say which version this is.')
            [CompletionResult]::new('-Z', '-Z ', [CompletionResultType]::ParameterName, 'Set times from the patch, as UTC.')
            [CompletionResult]::new('--set-utc', '--set-utc', [CompletionResultType]::ParameterName, 'Set times from the patch, as UTC.')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Only say what would happen.')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more.')
            [CompletionResult]::new('--binary', '--binary', [CompletionResultType]::ParameterName, 'Keep carriage returns of the patch.')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Show this help.')
            [CompletionResult]::new('--backup-if-mismatch', '--backup-if-mismatch', [CompletionResultType]::ParameterName, 'Back up where a patch does not fit exactly.')
            [CompletionResult]::new('--no-backup-if-mismatch', '--no-backup-if-mismatch', [CompletionResultType]::ParameterName, 'Back up only if asked otherwise.')
            [CompletionResult]::new('--posix', '--posix', [CompletionResultType]::ParameterName, 'Keep to POSIX.')
            [CompletionResult]::new('--follow-symlinks', '--follow-symlinks', [CompletionResultType]::ParameterName, 'Read through symbolic links.')
            [CompletionResult]::new('--safe', '--safe', [CompletionResultType]::ParameterName, 'One place or none, all files or none.')
            [CompletionResult]::new('--sync', '--sync', [CompletionResultType]::ParameterName, 'Write through to the disk.')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Report as one JSON object, the texts in it.')
            break
        }
        'edapply;git-apply' {
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Leave out files that match PATH.')
            [CompletionResult]::new('--include', '--include', [CompletionResultType]::ParameterName, 'Apply to files that match PATH.')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Cut NUM folders off the names (1).')
            [CompletionResult]::new('--build-fake-ancestor', '--build-fake-ancestor', [CompletionResultType]::ParameterName, 'Write an index of the old blobs to FILE.')
            [CompletionResult]::new('-C', '-C ', [CompletionResultType]::ParameterName, 'At least NUM lines of context must fit.')
            [CompletionResult]::new('--whitespace', '--whitespace', [CompletionResultType]::ParameterName, 'What to do about new white-space errors.')
            [CompletionResult]::new('--directory', '--directory', [CompletionResultType]::ParameterName, 'Put ROOT before all names.')
            [CompletionResult]::new('--no-add', '--no-add', [CompletionResultType]::ParameterName, 'Leave out added lines.')
            [CompletionResult]::new('--stat', '--stat', [CompletionResultType]::ParameterName, 'Show how much changes; do not apply.')
            [CompletionResult]::new('--allow-binary-replacement', '--allow-binary-replacement', [CompletionResultType]::ParameterName, 'allow-binary-replacement')
            [CompletionResult]::new('--binary', '--binary', [CompletionResultType]::ParameterName, 'binary')
            [CompletionResult]::new('--numstat', '--numstat', [CompletionResultType]::ParameterName, 'Show the counts for programs; do not apply.')
            [CompletionResult]::new('--summary', '--summary', [CompletionResultType]::ParameterName, 'Show creations, renames and modes; do not apply.')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Tell whether it applies; do not apply.')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Apply to the index too; both must be the same.')
            [CompletionResult]::new('-N', '-N ', [CompletionResultType]::ParameterName, 'Note new files in the index as to come.')
            [CompletionResult]::new('--intent-to-add', '--intent-to-add', [CompletionResultType]::ParameterName, 'Note new files in the index as to come.')
            [CompletionResult]::new('--cached', '--cached', [CompletionResultType]::ParameterName, 'Apply to the index only.')
            [CompletionResult]::new('--unsafe-paths', '--unsafe-paths', [CompletionResultType]::ParameterName, 'Take paths outside the working area too.')
            [CompletionResult]::new('--apply', '--apply', [CompletionResultType]::ParameterName, 'Apply, also with --stat, --check and the like.')
            [CompletionResult]::new('-3', '-3', [CompletionResultType]::ParameterName, 'Merge three ways; fall back to plain applying.')
            [CompletionResult]::new('--3way', '--3way', [CompletionResultType]::ParameterName, 'Merge three ways; fall back to plain applying.')
            [CompletionResult]::new('--ours', '--ours', [CompletionResultType]::ParameterName, 'Settle conflicts for our side.')
            [CompletionResult]::new('--theirs', '--theirs', [CompletionResultType]::ParameterName, 'Settle conflicts for the patch''s side.')
            [CompletionResult]::new('--union', '--union', [CompletionResultType]::ParameterName, 'Settle conflicts by taking both sides.')
            [CompletionResult]::new('-z', '-z', [CompletionResultType]::ParameterName, 'End names by NUL in --numstat.')
            [CompletionResult]::new('--ignore-space-change', '--ignore-space-change', [CompletionResultType]::ParameterName, 'Let white space in context differ.')
            [CompletionResult]::new('--ignore-whitespace', '--ignore-whitespace', [CompletionResultType]::ParameterName, 'Let white space in context differ.')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Apply in reverse.')
            [CompletionResult]::new('--reverse', '--reverse', [CompletionResultType]::ParameterName, 'Apply in reverse.')
            [CompletionResult]::new('--unidiff-zero', '--unidiff-zero', [CompletionResultType]::ParameterName, 'Take hunks without context by their line numbers.')
            [CompletionResult]::new('--reject', '--reject', [CompletionResultType]::ParameterName, 'Apply the hunks that fit; write the others to *.rej.')
            [CompletionResult]::new('--allow-overlap', '--allow-overlap', [CompletionResultType]::ParameterName, 'Let hunks overlap.')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more.')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more.')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Say nothing.')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Say nothing.')
            [CompletionResult]::new('--inaccurate-eof', '--inaccurate-eof', [CompletionResultType]::ParameterName, 'Forgive a missing note about the last line''s end.')
            [CompletionResult]::new('--recount', '--recount', [CompletionResultType]::ParameterName, 'Do not trust the counts in hunk headers.')
            [CompletionResult]::new('--allow-empty', '--allow-empty', [CompletionResultType]::ParameterName, 'Take an empty patch for done.')
            [CompletionResult]::new('--safe', '--safe', [CompletionResultType]::ParameterName, 'One place or none, all files or none.')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Show this help.')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Show this help.')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Report as one JSON object, the texts in it.')
            break
        }
        'edapply;help' {
            [CompletionResult]::new('inspect', 'inspect', [CompletionResultType]::ParameterValue, 'List the edits that an input holds, without applying them')
            [CompletionResult]::new('undo', 'undo', [CompletionResultType]::ParameterValue, 'Take a batch back: the last one, or the one named')
            [CompletionResult]::new('recover', 'recover', [CompletionResultType]::ParameterValue, 'Put in order what a killed run left')
            [CompletionResult]::new('log', 'log', [CompletionResultType]::ParameterValue, 'List the batches that were applied, the newest first')
            [CompletionResult]::new('read', 'read', [CompletionResultType]::ParameterValue, 'Print files for a model: numbered, tagged, their version remembered')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Write the same edits in another format')
            [CompletionResult]::new('prompt', 'prompt', [CompletionResultType]::ParameterValue, 'What to tell a model so that it writes a format well')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Count ok, FAIL and WRONG over folders of cases with known truth')
            [CompletionResult]::new('cost', 'cost', [CompletionResultType]::ParameterValue, 'What each format would cost for the same change: characters, tokens, seconds')
            [CompletionResult]::new('choose', 'choose', [CompletionResultType]::ParameterValue, 'Which format a model should use for a change, and why')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Say what a code in a message means, or list all codes')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of all reports')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completion script of a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print a page of the manual')
            [CompletionResult]::new('install', 'install', [CompletionResultType]::ParameterValue, 'Put the program, its manual and its completions below a prefix')
            [CompletionResult]::new('patch', 'patch', [CompletionResultType]::ParameterValue, 'Apply a diff as GNU patch does')
            [CompletionResult]::new('git-apply', 'git-apply', [CompletionResultType]::ParameterValue, 'Apply a patch as `git apply` does')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'edapply;help;inspect' {
            break
        }
        'edapply;help;undo' {
            break
        }
        'edapply;help;recover' {
            break
        }
        'edapply;help;log' {
            break
        }
        'edapply;help;read' {
            break
        }
        'edapply;help;convert' {
            break
        }
        'edapply;help;prompt' {
            break
        }
        'edapply;help;bench' {
            break
        }
        'edapply;help;cost' {
            break
        }
        'edapply;help;choose' {
            break
        }
        'edapply;help;explain' {
            break
        }
        'edapply;help;schema' {
            break
        }
        'edapply;help;completions' {
            break
        }
        'edapply;help;man' {
            break
        }
        'edapply;help;install' {
            break
        }
        'edapply;help;patch' {
            break
        }
        'edapply;help;git-apply' {
            break
        }
        'edapply;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
