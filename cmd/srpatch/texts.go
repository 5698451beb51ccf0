package main

// screen is srpatch -h: what fits on a screen.
const screen = `srpatch applies SEARCH/REPLACE blocks to your files, like patch(1) for diffs.

Usage: srpatch [FLAGS] [REPLY...]    REPLY: a file with a model's answer, or -
       srpatch VERB [FLAGS] [ARG...]

  srpatch reply.md                        apply every block of a reply, or none
  llm 'add --json' | srpatch              the same from a pipe (or --clipboard)
  srpatch -n reply.md                     show the diff, write nothing
  srpatch -i reply.md                     choose block by block, like git add -p
  srpatch --verify 'make test' reply.md   keep the edits only if the tests pass
  srpatch undo                            take the last run back

Verbs:
  check       say what would happen to each block and file
  why         explain how one block was placed or refused
  retry       print a message for the model; with its answer, apply it
  parse       list the blocks of a reply without looking at any file
  prompt      print instructions that teach a model to write its edits
  filter      answer JSON requests, one per line, without touching the disk
  undo, redo  take a run back; take that back
  log         list the runs that can be undone
  recover     finish what an interrupted run left behind
  completion  print a completion script for bash, zsh or fish

More: srpatch --help lists the flags, srpatch help VERB explains a verb.
Exit status: 0 applied, 1 refused (nothing written), 2 trouble
`

// flagsHelp comes below the flags of srpatch --help.
const flagsHelp = `srpatch help apply explains a run and lists all of its flags. Flags for every
run go into ~/.config/srpatch/flags, one in a line. ./check is a file, check a
verb.
`

const exitHelp = `Exit status: 0 every block is applied, or was already; 1 a block was refused, or
an edit was not understood, and nothing was written (except with --partial), or
the command of --verify failed and the run was taken back; 2 trouble: usage,
I/O, a reply without an edit.
`

const aboutApply = `REPLY is a file with a model's answer, prose and all. Every block is placed
first; files are written only if all blocks have a place. Several replies are
one run; with --each, every reply is a run of its own.

With -i, srpatch shows each block with its diff and asks: y (apply it), n (leave
it out), a and d (the same for the rest of its file), e (edit it in $GIT_EDITOR,
$VISUAL or $EDITOR), q (leave out this block and all that follow), ? (help). If
there are several corrected blocks for a refused one, a number chooses one of
them. Nothing is written before the last answer.

With --verify COMMAND the shell runs COMMAND in the tree's directory after the
edits are written, with the number of the run in SRPATCH_RUN, and the changed
and new files in SRPATCH_FILES, one in a line (empty if they are too many for a
variable). If COMMAND fails or is interrupted, the files get their old contents
back; several run in order. What it leaves in its process group is killed when
it ends; a process that has left that group
(setsid, a daemon, a container) keeps running. If a file of the run changed in
the meantime, the run stays, and the exit status is 2. The tree is locked: other
runs wait, and one that COMMAND starts fails. If srpatch is killed, the next run
puts the files back.

With --commit the run is committed to git after --verify has passed, and nothing
else: what is staged or edited otherwise stays so. MSG is the message. Hooks
run. Nothing is written if a file of the run differs from HEAD. If a hook
refuses, the files stay as written, and the exit status is 2. srpatch undo puts
the files back, and leaves the commit to git.

~/.config/srpatch/flags (or $XDG_CONFIG_HOME/srpatch/flags) has flags for every
run, one in a line; # begins a comment:

  --deny=@exec
  --policy=strict

A flag on the command line wins, but --deny adds up. Flags that do not go with a
verb are ignored. A line that is not a flag is an error.`

const aboutCheck = `Below the blocks it lists the files that would change. srpatch -n prints the
diff instead. With --json each file has text_edits: what an editor has to do,
in bytes, and in lines and UTF-16 code units.`

const aboutWhy = `N is the block's number in the report of a run. Without a REPLY it is the run
that was refused last. It shows the ways to read the block, the lines where each
strategy would look for it, the places that were compared line by line, the most
similar first, with all that speaks against them, and the verdict.
With --json one object: report, readings, places.`

const aboutRetry = `A refused run is remembered until it is applied, another run is refused, or 30
days have passed; so is a reply without any edit. Without an ANSWER, retry
prints a message for the model about the files as they are now. With one (a
file, a pipe, or -), it applies the remembered reply with the blocks of the
answer in place of the refused ones: all or nothing. A refused block without an
answer stays refused, unless the answer gives it up with a line such as
skip block 2 (skip line 14 for an edit that was not understood). After
--partial, written blocks are not written again.

If --verify failed, the message has the output of the command, which runs again
after the answer is applied. The flags of the refused run that say where blocks
go and what is written hold again, unless you give them anew.`

const aboutParse = `With --json one object: version, blocks (id, op, path, dialect, lines, search,
replace, start_line, end_line, replace_all, readings, warnings), shell,
diagnostics. Text that is not UTF-8 is exact in search_b64 and replace_b64.`

const aboutFilter = `Every line of stdin is a JSON object, and is answered by one line on stdout, in
the same order. Nothing on disk is read or written. A request is one of

  {"path": "a.go", "content": "...", "search": "...", "replace": "..."}
  {"path": "a.go", "content": "...", "old": "...", "new": "..."}
  {"path": "a.go", "content": "...", "reply": "..."}
  {"files": {"a.go": "...", "b.go": "..."}, "reply": "..."}

search has whole lines (with start_line for a hint), old is text (with
replace_all). A request may also have id, policy, threshold, splice, partial,
append_empty, whole_files, encoding, want (one or a list of content, diff,
edits, hash, none and feedback: the message for the model), expect (SHA-256 of
files as the model saw them), names and bytes (exact: guess nothing), budget,
run_budget, deadline_ms and strict_keys. If content is null or missing, the
file does not exist; content_b64 and files_b64 carry bytes that are not UTF-8.
The answer is

  {"version": 1, "id": any, "status": "applied|partial|refused|error",
   "outcome": "changed|already|no-op|not-found|...", "changed": true or false,
   "content": "..." or "files": {...}, "blocks": [...], "diagnostics": [...],
   "error": {"code": "...", "message": "..."}, "ms": 0.12}

With --no-ms the same requests have the same answers. The exit status is 0 if
every line got its answer, and 2 on I/O trouble.`

const aboutUndo = `RUN is a number from srpatch log; without one it is the newest run in force, of
those that changed a PATH. With PATHs only these files are put back; ./7 is a
file, 7 a run. If a file has changed since, nothing is put back, unless --merge
or --force is given.`

const aboutRedo = `RUN is the undo or what it undid; without one it is the newest undo in force.`

const aboutRecover = `Every run that writes does this first. An interrupted run that had replaced its
last file is completed, unless it had --verify; of any other the files are put
back. If somebody has edited one of them since, say what to do with --keep or
--restore.`

const aboutPrompt = `Put it into what the model is told first:  llm -s "$(srpatch prompt)" ...

Without --format it teaches SEARCH/REPLACE blocks.`

const aboutCompletion = `  For bash:  source <(srpatch completion bash)
  For zsh:   srpatch completion zsh > "${fpath[1]}/_srpatch"
  For fish:  srpatch completion fish > ~/.config/fish/completions/srpatch.fish`

// completionScripts ask srpatch __complete, and fall back to names of files.
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
