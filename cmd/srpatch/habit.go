package main

import (
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/gitconfig"
)

// habit is a word that people type because another program has it, or because srpatch had it before.
type habit struct {
	typed []string
	how   reception
	// here is what the word is read as, or else what the error says.
	here string
}

// reception is what happens to a word of [habit].
type reception bool

const (
	// taken: the word is read as if here had been typed.
	taken reception = true
	// answered: the word is an error that says what does it here.
	answered reception = false
)

// habits are the words of patch, git apply, aider and the like, and those that srpatch has dropped. They are in no help.
func habits() []habit {
	const inRequests = "requests have keys for it: names, bytes, want and strict_keys"
	const fixed = "the limit is fixed; apply the reply in parts"
	return []habit{
		{[]string{"apply"}, taken, ""},
		{[]string{"plan"}, taken, "check"},
		{[]string{"diff"}, taken, "-n -q"},
		{[]string{"--list"}, taken, "parse"},
		{[]string{"man"}, taken, "help man"},
		{[]string{"version"}, taken, "--version --verbose"},
		{[]string{"-help", "-?"}, taken, "--help"},
		{[]string{"-version"}, taken, "--version"},
		{[]string{"--root", "--chdir", "--cwd"}, taken, "--directory"},
		{[]string{"--expect-hash"}, taken, "--expect"},
		{[]string{"--silent"}, taken, "--quiet"},
		{[]string{"--clip", "--paste"}, taken, "--clipboard"},
		{[]string{"--confirm-fuzzy"}, taken, "--confirm"},
		{[]string{"--exclude"}, taken, "--deny"},
		{[]string{"--include"}, taken, "--allow"},
		{[]string{"--dryrun"}, taken, "--dry-run"},

		{[]string{"config", "settings", "options", "--config", "--list-config"}, answered, "git config --get-regexp ^srpatch lists the settings"},
		{[]string{"--stat", "--summary", "--numstat", "stat"}, answered, "use srpatch check, which lists the files"},
		{[]string{"--budget", "--run-budget"}, answered, "use --timeout, or in requests of filter the keys budget and run_budget"},
		{[]string{"--max-file-size"}, answered, "use --max-size"},
		{[]string{"--max-reply", "--max-blocks", "--max-line", "--max-lines", "--max-files", "--max-added"}, answered, fixed},
		{[]string{"--max-request"}, answered, "a request has 32 MiB at most"},
		{[]string{"--names", "--bytes", "--want", "--strict-keys"}, answered, inRequests},
		{[]string{"--drafts"}, answered, "use --json --stream, which prints each block once it is complete"},
		{[]string{"--trailer"}, answered, "use --commit=MSG, with the trailer in MSG"},
		{[]string{"--base"}, answered, "run git diff --quiet REV -- FILES first"},

		{[]string{"--dry", "--preview", "--simulate", "--what-if", "--no-act", "--no-op", "--noop"}, answered, "use --dry-run"},
		{[]string{"--check", "--test", "--validate", "test", "verify", "validate", "status", "locate"}, answered, "use srpatch check"},
		{[]string{"--diff", "show", "preview", "dry-run", "--patch", "--output", "-o", "--out"}, answered, "use srpatch -n, which prints the diff"},
		{[]string{"--apply", "patch", "run", "--run"}, answered, "use srpatch REPLY, without a verb"},
		{[]string{"--undo", "--revert", "revert", "rollback", "unapply", "restore", "reset", "--unapply"}, answered, "use srpatch undo"},
		{[]string{"--rollback"}, answered, "--verify takes a failed run back without it, srpatch undo any run"},
		{[]string{"--history", "--log", "history", "runs"}, answered, "use srpatch log"},
		{[]string{"ls", "list", "blocks", "inspect", "extract", "--parse"}, answered, "use srpatch parse"},
		{[]string{"batch", "serve", "stdio", "--batch", "--stdio", "daemon"}, answered, "use srpatch filter"},
		{[]string{"instructions", "system-prompt", "format", "rules", "agent-rules", "--prompt", "--system-prompt", "--instructions", "--init", "init"}, answered, "use srpatch prompt"},
		{[]string{"manual", "manpage", "--man"}, answered, "use srpatch help man"},
		{[]string{"completions", "complete", "--completion"}, answered, "use srpatch completion"},
		{[]string{"mcp"}, answered, "use srpatch-mcp, a program of its own; docs/mcp.md says how to build it"},
		{[]string{"-j", "--jobs", "--parallel", "--workers", "--threads"}, answered, "srpatch filter works in parallel without it; the flag for JSON is --json"},
		{[]string{"--yes-always", "--assume-yes", "--no-confirm", "--auto", "--auto-apply", "--no-input"}, answered, "use --yes"},
		{[]string{"-f", "-t"}, answered, "nothing is asked without -i; --force changes read-only files, too"},
		{[]string{"-N", "--forward"}, answered, "an edit that the file already has counts as applied without it"},
		{[]string{"-E", "--remove-empty-files"}, answered, "a file is deleted where the reply says so"},
		{[]string{"--ask"}, answered, "use --interactive"},
		{[]string{"--edit-format", "--dialect", "--input-format"}, answered, "use --format"},
		{[]string{"--format=github", "--format=lines"}, answered, "use --annotate; --format is about the format of edits"},
		{[]string{"--output-format"}, answered, "use --json"},
		{[]string{"--fuzz", "--fuzzy", "-F", "--similarity", "--min-score"}, answered, "use --threshold or --policy"},
		{[]string{"--strict", "--exact", "--no-fuzz", "--safe", "--loose", "--3way", "-3"}, answered, "use --policy"},
		{[]string{"--reject", "--keep-going", "--ignore-errors", "-k", "--best-effort"}, answered, "use --partial"},
		{[]string{"--unidiff-zero", "--ignore-whitespace", "--ignore-space-change", "--whitespace", "-l", "-w"}, answered, "differences in blanks are forgiven without it; see --policy"},
		{[]string{"--backup", "-b", "-B", "-z", "--suffix"}, answered, "srpatch undo takes a run back without it"},
		{[]string{"--input", "--stdin"}, answered, "the reply is named without a flag; - is standard input"},
		{[]string{"--block", "--blocks", "--id", "--hunk"}, answered, "use --only"},
		{[]string{"--no-color", "--nocolor", "--no-colour", "--plain", "--no-pretty"}, answered, "use --color=never"},
		{[]string{"--colour"}, answered, "use --color"},
		{[]string{"--whitelist", "--only-files"}, answered, "use --allow"},
		{[]string{"--blacklist", "--ignore", "--protect"}, answered, "use --deny"},
		{[]string{"--no-new-files", "--no-new"}, answered, "use --no-create"},
		{[]string{"--sandbox", "--safe-mode"}, answered, "use --untrusted"},
		{[]string{"--verify-cmd", "--test-cmd", "--auto-test", "--lint-cmd", "--lint", "--auto-lint"}, answered, "use --verify"},
		{[]string{"--index", "--cached"}, answered, "use srpatch -n reply.md | git apply --index"},
		{[]string{"--auto-commits", "--auto-commit", "--git-commit", "commit"}, answered, "use --commit"},
		{[]string{"--no-auto-commits", "--no-commit", "--no-git"}, answered, "nothing is committed without --commit"},
		{[]string{"--git"}, answered, "a repository is not needed; --commit commits the run"},
		{[]string{"-m", "--message"}, answered, "use --commit=MSG"},
		{[]string{"--retry", "feedback"}, answered, "use srpatch retry"},
		{[]string{"--redo"}, answered, "use srpatch redo"},
		{[]string{"--why", "--explain", "explain"}, answered, "use srpatch why"},
		{[]string{"--recover"}, answered, "use srpatch recover"},
		{[]string{"--apply-clipboard-edits"}, answered, "use --clipboard"},
		{[]string{"--atomic", "--fail-fast"}, answered, "a run is all or nothing without it; --partial applies what fits"},
		{[]string{"-u", "--unified"}, answered, "a unified diff is read without it"},
		{[]string{"--normal", "-c", "--context", "-e", "--ed"}, answered, "there is nothing like it: of diffs only unified ones are read; srpatch prompt asks a model for blocks"},
		{[]string{"-r", "--reject-file"}, answered, "there is nothing like it: a refused block is in the report, and srpatch retry asks for it again"},
		{[]string{"-s"}, answered, "use --quiet"},
		{[]string{"-V"}, answered, "use --version"},
		{[]string{"--debug", "--trace"}, answered, "use --verbose"},
	}
}

// habitOf is what word is read as, or what the error about it says; false if the table has no such row.
func habitOf(word string, how reception) (here string, ok bool) {
	for _, h := range habits() {
		if h.how == how && slices.Contains(h.typed, word) {
			return h.here, true
		}
	}
	return "", false
}

// asTyped is a command line in our own words. It reads what no flag library would, too: -help is -h -e -l -p to it.
func asTyped(args []string) []string {
	var verb, out []string
	for i, arg := range args {
		if arg == "--" {
			out = append(out, args[i:]...)
			break
		}
		word, value, given := strings.Cut(arg, "=")
		here, ok := "", strings.HasPrefix(arg, "-")
		if ok {
			here, ok = habitOf(word, taken)
		}
		switch {
		case !ok:
			out = append(out, arg)
		case !strings.HasPrefix(here, "-"):
			verb = []string{here}
		case given:
			out = append(out, here+"="+value)
		default:
			out = append(out, here)
		}
	}
	return append(verb, out...)
}

// meantBy says what does here what a word does elsewhere, as the end of an error message; "" if nobody types it elsewhere.
func meantBy(word string) string {
	here, ok := habitOf(word, answered)
	if !ok {
		return ""
	}
	return "; " + here
}

// settingMeantBy is meantBy for a key of git's configuration, whose names are those of flags.
func settingMeantBy(key string) string {
	for _, h := range habits() {
		for _, word := range h.typed {
			if name, ok := strings.CutPrefix(word, "--"); ok && h.how == answered && strings.EqualFold(gitconfig.KeyOf(name), key) {
				here := h.here
				for _, flag := range gitconfig.Names() {
					here = strings.ReplaceAll(here, "--"+flag, gitconfig.KeyOf(flag))
				}
				return "; " + here
			}
		}
	}
	return ""
}
