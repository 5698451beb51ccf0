package main

// screen is srpatch -h. It fits on a screen.
const screen = `srpatch applies SEARCH/REPLACE blocks to your files, as patch(1) applies diffs.

Usage: srpatch [FLAGS] [REPLY...]    REPLY: a file with a model's answer, or -
       srpatch VERB [FLAGS] [ARG...]

  srpatch reply.md                        apply every block of a reply, or none
  llm 'fix bug 7' | srpatch               the same from a pipe (or --clipboard)
  srpatch -n reply.md                     show the diff, write nothing
  srpatch -i reply.md                     decide block by block, like git add -p
  srpatch --verify 'make test' reply.md   keep the edits only if the tests pass
  srpatch undo                            undo the last run

Verbs:
  check       say what would happen to each block and file
  why         explain how a block was placed, or why it was refused
  retry       print a message for the model, or apply its answer
  parse       list the blocks of a reply without looking at any file
  prompt      print instructions that teach a model to write its edits
  filter      answer JSON requests, one per line, without touching the disk
  undo, redo  undo a run, or redo it
  log         list the runs that can be undone
  recover     complete or roll back an interrupted run
  completion  print a completion script for bash, zsh or fish

More: srpatch --help lists the flags; srpatch help VERB explains a verb.
Exit status: 0 applied, 1 refused (nothing written), 2 trouble
`

// flagsHelp is shown below the flags of srpatch --help.
const flagsHelp = `srpatch help apply explains a run and lists every flag. Put flags for every run
in ~/.config/srpatch/flags, one per line. If a reply is named after a verb, give
its path, such as ./check.
`

const exitHelp = `Exit status:
  0  every block was applied, or already had been
  1  a block was refused, or an edit could not be read (and nothing was written,
     unless --partial was given), or a --verify command failed
  2  trouble: a usage error, an I/O error, or a reply without edits
`

const aboutApply = `REPLY is a file with a model's answer, prose and all. srpatch first finds the
place of every block, and writes only if all blocks have one. Several replies
form one run, unless --each is given.

With -i, srpatch shows each block with its diff and asks what to do:

  y, n  apply this block, or skip it
  a, d  apply, or skip, this block and all later ones for its file
  e     edit the block in $GIT_EDITOR, $VISUAL or $EDITOR
  q     skip this block and all that follow
  1, 2  apply that corrected block instead of the refused one
  ?     help

Nothing is written until the last answer.

With --verify, once the edits are written, the shell runs COMMAND in the root
directory of the tree. SRPATCH_RUN is the number of the run. SRPATCH_FILES lists
the changed and new files, one per line (it is empty if the list is too long for
a variable). If COMMAND fails or is interrupted, the files get their old
contents back. If one of them changed in the meantime, the edits stay, and the
exit status is 2. If srpatch is killed, the next run puts the files back.

While COMMAND runs, the tree is locked: other runs wait, and a run started by
COMMAND fails. When COMMAND ends, the processes it left in its process group are
killed. A process that left the group (setsid, a daemon, a container) survives.

With --commit, srpatch commits what the run changed, once any --verify has
passed. Other changes, staged or not, stay as they are. MSG is the message. If a
file that the run would change has uncommitted changes, nothing is written. Git
hooks run; if one fails, the files stay as written, and the exit status is 2.
srpatch undo puts the files back, but leaves the commit in place.

~/.config/srpatch/flags (or $XDG_CONFIG_HOME/srpatch/flags) holds flags for all
runs, one per line; a line that starts with # is a comment:

  --deny=@exec
  --policy=strict

A flag on the command line wins, but --deny flags add up. Flags that the verb
does not accept are ignored. A line that is not a flag is an error.`

const aboutCheck = `check lists the blocks, then the files that would change. srpatch -n prints the
diff instead. With --json, each file has text_edits: the changes for an editor
to make, with positions as byte offsets, and as lines and UTF-16 columns.`

const aboutWhy = `N is the number of a block in the report of a run. Without a REPLY, why explains
a block of the last refused run. It shows how the block can be read, the places
that each strategy found, a line-by-line comparison with the places considered
(most similar first) and the objections to each, and the verdict.
With --json it prints one object: report, readings, places.`

const aboutRetry = `srpatch remembers a refused run for 30 days, or until it is applied or another
run is refused. It also remembers a reply without edits.

Without an ANSWER, retry prints a message for the model about the files as they
are now, and exits with status 1. With an ANSWER (a file, a pipe, or -), it
replaces the refused blocks with those of the answer, and applies all blocks or
none. A refused block that the answer does not replace stays refused. The answer
can drop it with a line such as skip block 2 (or skip line 14 for an edit that
could not be read). A line such as Block 2 above a block says which one it
corrects. Blocks that were written with --partial, --only or -i are not written
again.

If --verify failed, the message contains the output of the command, and the
command runs again after the answer is applied. The flags of the refused run
that control where blocks go and what is written stay in effect, unless you
override them.`

const aboutParse = `With --json, parse prints one object: version, blocks (id, op, path, dialect,
lines, search, replace, start_line, end_line, replace_all, readings, warnings),
shell, diagnostics. If text is not UTF-8, search_b64 and replace_b64 hold its
exact bytes.`

const aboutFilter = `filter reads one JSON object per line from stdin, and prints an answer per line,
in the same order. It doesn't touch the disk. A request is one of

  {"path": "a.go", "content": "...", "search": "...", "replace": "..."}
  {"path": "a.go", "content": "...", "old": "...", "new": "..."}
  {"path": "a.go", "content": "...", "reply": "..."}
  {"files": {"a.go": "...", "b.go": "..."}, "reply": "..."}

search holds whole lines (start_line is a hint), old any text (replace_all is
optional). A request may also have id, policy, threshold, splice, partial,
append_empty, whole_files, complete (the reply was not cut off), encoding, want
(one or a list of content, diff, edits, hash, none and feedback: the message for
the model), expect (SHA-256 of files as the model saw them), names and bytes
("exact" means no guessing), budget, run_budget, deadline_ms and strict_keys.
If content is null or missing, the file does not exist; content_b64 and
files_b64 carry bytes that are not UTF-8. The answer is

  {"version": 1, "id": any, "status": "applied|partial|refused|error",
   "outcome": "changed|already|no-op|not-found|...", "changed": true or false,
   "content": "..." or "files": {...}, "blocks": [...], "diagnostics": [...],
   "error": {"code": "...", "message": "..."}, "ms": 0.12}

With --no-ms, the same requests get the same answers. The exit status is 0 if
every line was answered, and 2 on an I/O error.`

const aboutUndo = `RUN is a number from srpatch log. Without it, undo takes the newest run
not yet undone or, with PATHs, the newest of those that changed one of them.
With PATHs, only those files are put back. A number means a run; for a file
named 7, write ./7. If a file has changed since the run, nothing is put back,
unless --merge or --force is given.`

const aboutRedo = `RUN is the undo, or the run that it undid. Without RUN, redo reverses the
newest undo that is still in effect.`

const aboutRecover = `Every run that writes files recovers interrupted runs first. A run that had
replaced all its files is completed, unless it was to verify them. After any
other, the files get their old contents back. If one of them has been edited
since then, choose --keep or --restore.`

const aboutPrompt = `Add them to the model's instructions:  llm -s "$(srpatch prompt)" ...

Without --format, they teach SEARCH/REPLACE blocks.`

const aboutCompletion = `  For bash:  source <(srpatch completion bash)
  For zsh:   srpatch completion zsh > "${fpath[1]}/_srpatch"
  For fish:  srpatch completion fish > ~/.config/fish/completions/srpatch.fish`

// completionScripts ask srpatch __complete, and fall back to file names.
var completionScripts = map[string]string{
	"bash": `_srpatch() {
	local IFS=$'\n'
	COMPREPLY=($(srpatch __complete "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null | cut -f 1))
}
complete -o default -F _srpatch srpatch
`,
	"zsh": `#compdef srpatch
_srpatch() {
	local -a found
	found=(${(f)"$(srpatch __complete "${(@)words[1,CURRENT]}" 2>/dev/null | sed -e 's/:/\\:/g' -e $'s/\t/:/')"})
	if (( $#found )); then _describe srpatch found; else _files; fi
}
if [ "$funcstack[1]" = _srpatch ]; then _srpatch "$@"; else compdef _srpatch srpatch; fi
`,
	"fish": "complete -c srpatch -a '(srpatch __complete (commandline -opc) \"$(commandline -ct)\")'\n",
}
