package main

import "context"

// verbSet is a set of verbs.
type verbSet uint32

const (
	vApply verbSet = 1 << iota
	vCheck
	vPlan
	vDiff
	vWhy
	vParse
	vFilter
	vUndo
	vRedo
	vLog
	vRecover
	vConfig
	vPrompt
	vCompletion
	vMan
	vHelp
	vVersion
	vRetry

	vPlacing = vApply | vCheck | vPlan | vDiff | vWhy | vRetry // verbs that look for places in a tree
	vLooking = vCheck | vPlan | vDiff | vWhy                   // verbs that look for places, and write nothing
	vReading = vPlacing | vParse                               // verbs that read replies
	vTurning = vUndo | vRedo
	vTree    = vPlacing | vTurning | vLog | vRecover // verbs that are about a tree
	vAll     = vTree | vParse | vFilter | vConfig | vPrompt | vCompletion | vMan | vHelp | vVersion
)

// vConfigured are the verbs that git's configuration speaks to; filter's answers depend on its requests alone.
const vConfigured = vTree | vParse | vConfig

// verb is one thing the command does. Help, completions and dispatch come from the list of them.
type verb struct {
	set  verbSet
	name string // "" for applying, which needs no name
	args string
	doc  string
	// about is further help, for srpatch VERB --help.
	about string
	run   func(*command, context.Context) error
}

func verbs() []verb {
	return []verb{
		{vApply, "", "[REPLY...]", "apply the blocks of a reply: all of them, or none", aboutApply, (*command).apply},
		{vApply, "apply", "[REPLY...]", "the same, by name", aboutApply, (*command).apply},
		{vCheck, "check", "[REPLY...]", "say what would become of each block; write nothing", aboutCheck, (*command).check},
		{vPlan, "plan", "[REPLY...]", "say what would become of each block and of each file; write nothing", aboutPlan, (*command).showPlan},
		{vDiff, "diff", "[REPLY...]", "print what would change as a unified diff; write nothing", aboutDiff, (*command).diff},
		{vWhy, "why", "N [REPLY...]", "say how block N was judged: where it was looked for, how it fits there, what speaks against it", aboutWhy, (*command).why},
		{vRetry, "retry", "[ANSWER...]", "print what to ask the model after a refused run, or apply its answer along with the rest", aboutRetry, (*command).retry},
		{vParse, "parse", "[REPLY...]", "print what a reply is understood as, without looking at any file", aboutParse, (*command).parse},
		{vFilter, "filter", "", "answer JSON requests, one a line, from stdin to stdout", aboutFilter, (*command).filter},
		{vUndo, "undo", "[RUN] [PATH...]", "put back what the files held before a run", aboutUndo, (*command).undo},
		{vRedo, "redo", "[RUN] [PATH...]", "take an undo back", aboutRedo, (*command).redo},
		{vLog, "log", "", "list the runs that can be undone, newest first", "", (*command).log},
		{vRecover, "recover", "", "finish what an interrupted run has left", aboutRecover, (*command).recover},
		{vConfig, "config", "", "show what git's configuration sets for srpatch, what holds, and where it is from", aboutConfig, (*command).showSettings},
		{vPrompt, "prompt", "", "print instructions for a model on how to write its edits", aboutPrompt, (*command).prompt},
		{vCompletion, "completion", joinedShells("|"), "print a completion script for a shell", aboutCompletion, (*command).completion},
		{vMan, "man", "", "print the manual page", aboutMan, (*command).man},
		{vHelp, "help", "[VERB]", "print this help, or a verb's", "", (*command).helpOn},
		{vVersion, "version", "", "print the version, its commit, and the version of Go it was built with", "", (*command).printVersion},
	}
}

const aboutApply = `REPLY is a file with the answer of a model, prose and all; - or a pipe is standard input, --clipboard what was copied.
Every block is placed first; only when each has its place is anything written. Several replies are one run; a folder stands for the
files in it and below it, in the order of their names, except for those whose name begins with a dot. --files-from reads the names
from a file. With --each every reply is a run of its own, with a line in the report: one that is refused, or comes to trouble, does
not hold back the others, and the exit status is that of the worst.

With -i each block is shown with its diff, and you say what is to become of it: y (apply it), n (leave it out), a and d (the same for
the rest of its file, too), e (edit REPLACE in $GIT_EDITOR, $VISUAL or $EDITOR first), s (split it into its hunks), j and k (go on to
the next, or back to the one before), q (leave out all that is not answered yet), ? (help). Blocks without a place come first, with
their corrected blocks to take. Nothing is written before the last answer, and then all that is taken, or nothing. The answers come
from the terminal when the reply comes through a pipe, else from stdin. --confirm asks about those blocks only that the file does
not have exactly.

With --verify COMMAND the shell runs COMMAND in the tree's directory once the edits are written (sh -c; on Windows cmd /c), with an empty stdin and
the number of the run in SRPATCH_RUN. If it fails, takes longer than --verify-timeout, or is interrupted, all that it has started is killed, and the
run is taken back as srpatch undo does: a file that was changed meanwhile, by COMMAND itself perhaps, keeps the whole run, which is trouble.
What COMMAND makes besides is its own. It is not run where nothing is written; with --each it is run after each reply. srpatch retry
asks the model about what it wrote. git config srpatch.verify COMMAND sets it for all runs, and --verify= leaves it out of one.

With --commit what the run has written, and --verify has passed, is committed to git, and nothing else: what is staged or edited besides stays so. Its message says what was done to which
files, or is MSG; no editor opens. Hooks are run, and the report names files that they have changed. Nothing is written where a file that
the run would change is not as in HEAD, or the commit could not be made for another reason. If a hook refuses, the files stay as written and git's index as it was, and the exit status is
2: commit them by hand, or take them back with srpatch undo. With --each there is a commit for each reply, with --partial one of what fits.

Memory holds the replies (--max-reply), and before and after of the files they name (--max-file-size, --max-files).`

const aboutCheck = `Exits as the run would: 0 if everything would be applied or is already, 1 if a block would be refused.`

const aboutPlan = `As srpatch check --stat. The diff itself is printed by srpatch diff.

With --json, as srpatch check --json, and each file has text_edits: what an editor is to do to its text, in bytes, and in lines and UTF-16
code units as the Language Server Protocol counts them. With --stdin-file PATH standard input counts as the text of PATH, saved or not.`

const aboutDiff = `The same as srpatch -n: the diff goes to stdout, fit for git apply, and the report to stderr.
A file in UTF-16 is shown in UTF-8; git apply cannot change such a file.

Names are relative to the tree, but git apply takes them from the root of its repository, and skips those that are not below
the current directory without a word. Below that root, write: git apply --directory=$(git rev-parse --show-prefix).`

const aboutParse = `With --json one object: version, blocks (id, op, path, dialect, lines, search, replace, start_line, end_line,
replace_all, readings, warnings), shell, diagnostics. Blocks are written as they are read. Text that is not UTF-8 is
shown with U+FFFD, and exactly in search_b64 and replace_b64.

With --stream as well each of these is an object of its own in a line of its own, {"block": {...}}, {"shell": {...}}, {"diagnostic": {...}},
{"noticed": {...}}, printed as soon as it is certain while the reply comes in; the last line, {"end": {...}}, says how it ended
(complete, cut-off, error). With --drafts {"draft": {...}} has the block that is being written, each time the input pauses.

A reply of any size passes through: memory holds one block (64 MiB at most) and one line (--max-line) at a time, and what
is reported at the end (not with --stream): diagnostics and shell blocks. With --last it holds the log.`

const aboutFilter = `Every line of stdin is a JSON object, and is answered by one line on stdout, in the same order. Nothing on disk is
read or written. Requests are worked on in parallel (GOMAXPROCS). A request is one of

  {"id": any, "path": "a.go", "content": "...", "search": "...", "replace": "...", "start_line": 12}   whole lines
  {"id": any, "path": "a.go", "content": "...", "old": "...", "new": "...", "replace_all": false}      text
  {"id": any, "path": "a.go", "content": "...", "reply": "..."}                                        one file
  {"id": any, "files": {"a.go": "...", "b.go": "..."}, "reply": "..."}                                 many files

and may hold policy, threshold, splice, partial, no_breakage, want, names and bytes, whose defaults are those of the flags; append_empty, whole_files and encoding;
deadline_ms, after which it is answered with an error instead, and "unordered": true, so that its answer need not wait for those to the lines
before it. A content that is null or missing means that the file does not exist; content_b64 and files_b64 carry bytes that are not UTF-8. The
answer is

  {"version": 1, "id": any, "status": "applied|partial|refused|error", "outcome": "changed|already|no-op|not-found|...", "changed": true or false,
   "form": "search|old|reply", "content": "..." or "files": {"a.go": "..."}, or what is wanted instead,
   "blocks": [...], "diagnostics": [...], "error": {"code": "...", "message": "..."}, "ms": 0.12}

Whoever scores reads outcome or changed, which is true only where a file is another one afterwards. With --no-ms the same requests have the same answers.

A line that is no request, or a longer one than --max-request, is answered with an error, and the stream goes on. Memory is bounded: a program that
sends requests without reading answers is made to wait. The exit status is 0 when every line got its answer, and 2 on I/O trouble.`

const aboutUndo = `RUN is a number from srpatch log; without one it is the newest run in force, of those that changed a PATH. With PATHs only
these files are put back; ./7 is a file, 7 a run.
A file that has changed since is left alone, and the undo refused, unless --merge or --force is given. An undo is a run
too: all or nothing, listed in the log, and taken back by redo. A run that was committed (--commit) is git's to take back, with git
revert; --force puts the files back all the same, and leaves the commit.`

const aboutRedo = `RUN is the undo or what it undid; without one it is the newest undo in force.`

const aboutRecover = `Every run that writes does this first by itself. An interrupted run that had replaced its last file is completed, and can be
undone; of any other the files are put back. If somebody has edited one of them since, nothing is touched: then say what to do,
with --keep or --restore. A tree that was moved or copied has its journal where it was: name that path with --moved-from.`

const aboutConfig = `Git's configuration holds defaults of flags, each under the flag's name without dashes, in any case of its letters:

  git config --global srpatch.deny @exec
  git config srpatch.policy strict

A flag on the command line wins; globs of srpatch.deny hold besides those of --deny. Of several values the one nearest to the tree
counts, as in git. The configuration of a repository is its user's: it does not come with a clone, and no reply can change it.
Files of the tree, as .gitattributes, set none of this. A key that there is not is an error: it may have been meant to forbid something.
undo, redo, log and recover go on without it.`

const aboutPrompt = `To be put into what the model is told first:  llm -s "$(srpatch prompt)" ...

Without --format it teaches SEARCH/REPLACE blocks. A format that cannot delete or move files takes patches for that.`

const aboutMan = `  To read it:     srpatch man | man -l -
  To install it:  srpatch man > /usr/local/share/man/man1/srpatch.1`

const aboutCompletion = `  For bash:        source <(srpatch completion bash)
  For zsh:         srpatch completion zsh > "${fpath[1]}/_srpatch"
  For fish:        srpatch completion fish > ~/.config/fish/completions/srpatch.fish
  For PowerShell:  srpatch completion powershell | Out-String | Invoke-Expression     (in $PROFILE)`
