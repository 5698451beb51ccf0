package main

import (
	"context"
	"strings"
)

// verbSet is a set of verbs.
type verbSet uint32

const (
	vApply verbSet = 1 << iota
	vCheck
	vWhy
	vParse
	vFilter
	vUndo
	vRedo
	vLog
	vRecover
	vPrompt
	vCompletion
	vHelp
	vRetry

	vLooking = vCheck | vWhy              // verbs that look for places, and write nothing
	vPlacing = vApply | vLooking | vRetry // verbs that look for places in a tree
	vReading = vPlacing | vParse          // verbs that read replies
	vTurning = vUndo | vRedo
	vTree    = vPlacing | vTurning | vLog | vRecover // verbs that are about a tree
	vAll     = vTree | vParse | vFilter | vPrompt | vCompletion | vHelp
)

// vConfigured are the verbs that git's configuration speaks to; filter's answers depend on its requests alone.
const vConfigured = vTree | vParse

// verb is one thing the command does. Help, completions and dispatch come from the list of them.
type verb struct {
	set  verbSet
	name string // "" for applying, which needs no name
	args string
	doc  string // at most 62 characters, for the screen of -h
	// about is further help, for srpatch help VERB.
	about string
	run   func(*command, context.Context) error
}

func verbs() []verb {
	return []verb{
		{vApply, "", "[REPLY...]", "apply the blocks of a reply: all of them, or none", aboutApply, (*command).apply},
		{vCheck, "check", "[REPLY...]", "say what would happen to each block and file; write nothing", aboutCheck, (*command).check},
		{vWhy, "why", "N [REPLY...]", "explain what was decided about block N", aboutWhy, (*command).why},
		{vRetry, "retry", "[ANSWER...]", "ask the model about a refused run, then apply its answer", aboutRetry, (*command).retry},
		{vParse, "parse", "[REPLY...]", "list the blocks of a reply, without looking at any file", aboutParse, (*command).parse},
		{vPrompt, "prompt", "", "print instructions that teach a model to write its edits", aboutPrompt, (*command).prompt},
		{vFilter, "filter", "", "answer JSON requests, one a line, from stdin to stdout", aboutFilter, (*command).filter},
		{vUndo, "undo", "[RUN] [PATH...]", "put back what the files held before a run", aboutUndo, (*command).undo},
		{vRedo, "redo", "[RUN] [PATH...]", "take an undo back", aboutRedo, (*command).redo},
		{vLog, "log", "", "list the runs that can be undone, newest first", "", (*command).log},
		{vRecover, "recover", "", "finish what an interrupted run left behind", aboutRecover, (*command).recover},
		{vHelp, "help", "[VERB]", "print all flags, or the help of a verb", aboutHelp, (*command).helpOn},
		{vCompletion, "completion", strings.Join(shells(), "|"), "print a completion script for a shell", aboutCompletion, (*command).completion},
	}
}

const aboutApply = `REPLY is a file with a model's answer, prose and all. - or a pipe is standard input, --clipboard is what was copied.
Every block is placed first. Files are written only if all blocks have their place. Several replies are one run.
With --each every reply is a run of its own, with a line in the report: a refused or failed reply does not stop the others,
and the exit status is that of the worst.

With -i srpatch shows each block with its diff, and you decide what to do with it: y (apply it), n (leave it out), a and d (the same
for the rest of its file), e (edit REPLACE in $GIT_EDITOR, $VISUAL or $EDITOR first), s (split it into its hunks), j and k (next and
previous block), q (leave out all that is not answered yet), ? (help). Blocks without a place come first, with corrected blocks to
take. Nothing is written before the last answer; then what you took is applied, all or nothing. Answers come from the terminal if
the reply comes through a pipe, otherwise from stdin. --confirm asks only about blocks that the file does not have exactly.

With --verify COMMAND the shell runs COMMAND in the tree's directory once the edits are written (sh -c; on Windows cmd /c), with an
empty stdin and the number of the run in SRPATCH_RUN. If it fails, is interrupted, or takes longer than --verify-timeout, the run is
taken back as srpatch undo does. What COMMAND leaves in its process group is killed when it ends; a process that has left that group
(setsid, a daemon, a container) keeps running. A second interrupt ends srpatch at once. If a file changed in the meantime (COMMAND
may have changed it), the run stays, and the exit status is 2, as it is if COMMAND itself takes the edits back. Files that COMMAND
makes are left alone. It does not run if nothing is written; with --each it runs after each reply. srpatch retry asks the model about
its output. If srpatch is killed meanwhile, the run counts as unverified: the next one needs --verify, too, unless srpatch recover
--keep accepts it or srpatch undo takes it back. git config srpatch.verify COMMAND sets it for all runs; --verify= turns it off for one run.

With --commit the run is committed to git, after --verify has passed, and nothing else: what is staged or edited otherwise stays so.
The message is MSG, or says what was done to which files; no editor opens. Hooks run, and the report names files that they changed.
Nothing is written if a file that the run would change differs from HEAD, or the commit would fail for another reason. If a hook
refuses, the files stay as written, git's index as it was, and the exit status is 2: commit by hand, or take the run back with
srpatch undo. With --each there is a commit for each reply, with --partial one of what fits.

Replies are held in memory, at most 64 MiB of them, and so are the files they name; --max-size limits a file.

Defaults of flags come from git's configuration, each under its flag's name without dashes, in any case:

  git config --global srpatch.deny @exec
  git config srpatch.policy strict
  git config --get-regexp ^srpatch

A flag on the command line wins, but --deny adds to srpatch.deny. If a key has several values, the one nearest to the tree counts, as
in git. A repository's configuration belongs to its user: it does not come with a clone, and no reply can change it. An unknown key is
an error, because it may have been meant to forbid something; undo, redo, log and recover only warn of it.`

const aboutCheck = `Below the blocks it lists the files that would change, with how many lines come and go. srpatch -n prints the diff instead. The exit
status is that of the run: 0 if every block would be applied or is already, 1 if one would be refused.

With --json each file has text_edits: what an editor has to do to its text, in bytes, and in lines and UTF-16 code units as the
Language Server Protocol counts them.`

const aboutParse = `With --json one object: version, blocks (id, op, path, dialect, lines, search, replace, start_line, end_line,
replace_all, readings, warnings), shell, diagnostics. Blocks are written as they are read. Text that is not UTF-8 is
shown with U+FFFD, and exactly in search_b64 and replace_b64.

With --stream as well each of these is an object of its own in a line of its own, {"block": {...}}, {"shell": {...}}, {"diagnostic": {...}},
{"noticed": {...}}, printed as soon as it is certain while the reply comes in; the last line, {"end": {...}}, says how it ended
(complete, cut-off, error).

A reply of any size passes through: memory holds one block (64 MiB at most) and one line (16 MiB) at a time, and what
is reported at the end (not with --stream): diagnostics and shell blocks. With --last it holds the log.`

const aboutFilter = `Every line of stdin is a JSON object, and is answered by one line on stdout, in the same order. Nothing on disk is
read or written. Requests are worked on in parallel (GOMAXPROCS). A request is one of

  {"id": any, "path": "a.go", "content": "...", "search": "...", "replace": "...", "start_line": 12}   whole lines
  {"id": any, "path": "a.go", "content": "...", "old": "...", "new": "...", "replace_all": false}      text
  {"id": any, "path": "a.go", "content": "...", "reply": "..."}                                        one file
  {"id": any, "files": {"a.go": "...", "b.go": "..."}, "reply": "..."}                                 many files

and may have policy, threshold, splice, and partial, whose defaults are the flags; append_empty, whole_files and encoding;
want (what the answer tells of files: content, diff, edits, hash or none); names and bytes (exact: no file name is guessed, and
SEARCH must occur byte for byte); budget and run_budget (units of work for the search for similar places, for one block and for all);
deadline_ms, after which it is answered with an error instead; "unordered": true, if its answer need not wait for those before it;
and "strict_keys": true, which makes an unknown key an error, and a key that is there twice. Other unknown keys are ignored. A content that is null or missing means that the file does not exist; content_b64 and files_b64 carry bytes that are not UTF-8. The
answer is

  {"version": 1, "id": any, "status": "applied|partial|refused|error", "outcome": "changed|already|no-op|not-found|...", "changed": true or false,
   "form": "search|old|reply", "content": "..." or "files": {"a.go": "..."}, or what is wanted instead,
   "blocks": [...], "diagnostics": [...], "error": {"code": "...", "message": "..."}, "ms": 0.12}

Whoever scores reads outcome or changed, which is true only where a file is another one afterwards. With --no-ms the same requests have the same answers.

A line that is no request, or is longer than 32 MiB, is answered with an error, and the stream goes on. Memory is bounded: a program that
sends requests without reading answers is made to wait. The exit status is 0 when every line got its answer, and 2 on I/O trouble.`

const aboutUndo = `RUN is a number from srpatch log; without one it is the newest run in force, of those that changed a PATH. With PATHs only
these files are put back; ./7 is a file, 7 a run.
A file that has changed since is left alone, and the undo refused, unless --merge or --force is given. An undo is a run
too: all or nothing, listed in the log, and taken back by redo. A run that was committed (--commit) is git's to take back, with git
revert; --force puts the files back all the same, and leaves the commit.`

const aboutRedo = `RUN is the undo or what it undid; without one it is the newest undo in force.`

const aboutRecover = `Every run that writes does this first by itself. An interrupted run that had replaced its last file is completed, and can be
undone; of any other the files are put back. If somebody has edited one of them since, nothing is touched: then say what to do,
with --keep or --restore. They also accept a run that is not verified (--verify), or take it back.
After a tree has moved, srpatch recover --moved-from OLDPATH brings its log, undo and retry along.`

const aboutPrompt = `To be put into what the model is told first:  llm -s "$(srpatch prompt)" ...

Without --format it teaches SEARCH/REPLACE blocks. A format that cannot delete or move files takes patches for that.`

const aboutCompletion = `  For bash:        source <(srpatch completion bash)
  For zsh:         srpatch completion zsh > "${fpath[1]}/_srpatch"
  For fish:        srpatch completion fish > ~/.config/fish/completions/srpatch.fish
  For PowerShell:  srpatch completion powershell | Out-String | Invoke-Expression     (in $PROFILE)`

const aboutHelp = `  srpatch -h           what people do most, on one screen
  srpatch help         all verbs, and the flags of a run
  srpatch help apply   what a run does
  srpatch help man     the manual page, with all flags:  srpatch help man | man -l -`
