package main

// screen is srpatch -h. It fits on a screen.
const screen = `srpatch applies SEARCH/REPLACE blocks to your files, as patch(1) applies diffs.

Usage: srpatch [FLAGS] [REPLY...]    REPLY: a file with a model's answer, or -
       srpatch VERB [FLAGS] [ARG...]

  srpatch reply.md                        apply every block of a reply, or none
  llm 'fix bug 7' | srpatch               apply a reply that comes from a pipe
  srpatch --clipboard                     apply a reply that you have copied
  srpatch -n reply.md                     show the diff, but write nothing
  srpatch -i reply.md                     choose block by block, like git add -p
  srpatch --verify 'make test' reply.md   keep the edits only if the tests pass
  srpatch undo                            undo the last run

Verbs:
  check       show what would happen to each block and file
  why         explain how a block was placed, or why it was refused
  retry       print a message for the model, or apply its answer
  parse       list the blocks of a reply without looking at any file
  prompt      print instructions that teach a model how to write edits
  filter      answer JSON requests, one per line, without touching the disk
  undo, redo  undo a run, or redo it
  log         list the runs that can be undone
  recover     complete or roll back an interrupted run
  completion  print a completion script for bash, zsh or fish

srpatch --help lists the flags, and srpatch help VERB explains a verb.
Exit status: 0 if all blocks were applied, 1 if one was refused, 2 for errors
`

// flagsHelp is shown below the flags of srpatch --help.
const flagsHelp = `srpatch help apply explains how a reply is applied, and lists more flags. Flags
that you want for every run go in ~/.config/srpatch/flags, one per line. If a
reply's file has the name of a verb, give a path such as ./check.
`

const exitHelp = `Exit status:
  0  every block was applied, had already been applied, or makes no change
  1  a block was refused, an edit could not be read, or a --verify command
     failed; no file has changed, unless --partial was given
  2  another error, such as wrong usage, an I/O error, or a reply without edits
`

const aboutApply = `REPLY is a file with a model's answer, including any prose. srpatch first finds
a place for every block, and writes only if every block has one (or --partial is
given). Several replies are applied as one run, unless --each is given.

With -i, srpatch shows each block with its diff and asks what to do:

` + keysHelp + `
With --verify, srpatch writes the edits, and then the shell runs COMMAND in DIR
(see --directory). In the environment of COMMAND, SRPATCH_RUN is the number of
the run, and SRPATCH_FILES lists the changed and new files, one per line. If the
list is too long for a variable, SRPATCH_FILES is empty. If COMMAND fails or is
interrupted, srpatch restores the files. But if one of the files was changed in
the meantime, srpatch keeps the edits, and the exit status is 2. If srpatch
itself is killed, the next run restores the files.

While COMMAND runs, the tree is locked: other runs wait, and COMMAND cannot make
a run of its own. When COMMAND ends, srpatch kills the processes that remain in
the process group of COMMAND. Processes that have left the group (daemons,
containers, programs started with setsid) survive.

With --commit, srpatch commits what the run changed, after all --verify commands
have passed. Other changes, staged or not, stay as they are. MSG is the commit
message; without MSG, srpatch writes one. If a file that the run would change
has uncommitted changes, nothing is written. Git runs its hooks; if a hook
fails, the edits stay in the files, and the exit status is 2. srpatch undo
restores the files but leaves the commit in place.

~/.config/srpatch/flags (or $XDG_CONFIG_HOME/srpatch/flags) holds flags for all
runs, one per line. A line that starts with # is a comment. For example:

  --deny=@exec
  --policy=strict

A flag on the command line overrides the same flag in the file, except that all
--deny flags apply. Flags that the verb does not accept are ignored. A line that
is not a valid flag is an error.`

const aboutCheck = `check lists the blocks, and then the files that would change. To see the diff,
use srpatch -n. With --json, each file has text_edits that an editor can apply.
Their positions are given as byte offsets, and also as lines and UTF-16 columns.`

const aboutWhy = `N is the number of a block in the report of a run. Without a REPLY, why explains
a block of the last refused run. The output shows how the block can be
interpreted, and the places that each strategy found. It compares the block with
these places line by line, the most similar first, and lists the objections to
each. The verdict comes last.`

const aboutRetry = `srpatch remembers the last refused run for 30 days, or until its reply has been
applied. A reply without edits is remembered, too.

Without an ANSWER, retry prints a message for the model about the current files,
and exits with status 1. If the remembered reply can now be applied, retry
prints no message, and exits with status 0.

With an ANSWER (a file, a pipe, or -), retry replaces the refused blocks with
the blocks of the ANSWER, and applies all blocks or none. A refused block that
the ANSWER neither replaces nor drops stays refused. The line "skip block 2"
drops block 2. If an edit could not be read, a line such as "skip line 14" drops
it. A line such as "Block 2" above a block says which block it corrects. Blocks
that --partial, --only or -i have already written are not written again.

If a --verify command failed, the message contains its output, and the command
runs again when an ANSWER is applied. Flags from the refused run that control
where blocks go or what is written stay in effect, unless you override them.`

const aboutFilter = `filter reads requests from stdin, and prints their answers in the same order. A
request is a JSON object on one line, and so is an answer. filter doesn't touch
the disk. A request has one of these forms:

  {"path": "a.go", "content": "...", "search": "...", "replace": "..."}
  {"path": "a.go", "content": "...", "old": "...", "new": "..."}
  {"path": "a.go", "content": "...", "reply": "..."}
  {"files": {"a.go": "...", "b.go": "..."}, "reply": "..."}

search holds whole lines, and start_line can hint at where they are. old can
hold any text, and replace_all is optional. If content is null or missing, the
file does not exist. Contents that are not UTF-8 go in content_b64 or files_b64.

A request may also have id, policy, threshold, splice, partial, append_empty,
whole_files, encoding, budget, run_budget, deadline_ms, strict_keys, and these:

  complete  true if the reply was not cut off
  want      what to return: content, diff, edits, hash, none, feedback (the
            message for the model), or a list of these
  expect    the SHA-256 of each file as the model saw it
  names     "exact" if srpatch must not guess file names
  bytes     "exact" if SEARCH must match byte for byte

The answer looks like this:

  {"version": 1, "id": any, "status": "applied|partial|refused|error",
   "outcome": "changed|already|no-op|not-found|...", "changed": true or false,
   "content": "..." or "files": {...}, "blocks": [...], "diagnostics": [...],
   "error": {"code": "...", "message": "..."}, "ms": 0.12}

With --no-ms, the same requests always get the same answers. The exit status is
0 if every line got an answer, and 2 after an I/O error.`

const aboutUndo = `RUN is a number from srpatch log. Without RUN, undo takes the newest run that
has not been undone or, if PATHs are given, the newest such run that changed one
of them. With PATHs, undo restores only those files. A number always means a
run; for a file named 7, write ./7. If a file has changed since the run, undo
restores nothing, unless --merge or --force is given.`

const aboutRedo = `RUN is the number of an undo, or of the run that it undid. Without RUN, redo
reverses the newest undo that is still in effect.`

const aboutRecover = `Every run that writes files starts by recovering interrupted runs. srpatch
completes an interrupted run if all its files had been replaced and it had no
--verify command. Otherwise srpatch restores the files. If one of the files has
been edited since the run replaced it, srpatch leaves all of them alone until
you choose --keep or --restore.`

const aboutPrompt = `Add the output to the model's instructions:

  llm -s "$(srpatch prompt)" ...

Without --format, the output teaches SEARCH/REPLACE blocks.`

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
