package main

import (
	"slices"
	"strings"
)

// otherNames are names of flags that people know from other programs and that mean the same here. They are taken, not taught.
func otherNames() map[string]string {
	return map[string]string{
		"root": "directory", "chdir": "directory", "cwd": "directory", // git apply --directory, make -C
		"expect-hash":   "expect",
		"silent":        "quiet", // patch
		"clip":          "clipboard",
		"paste":         "clipboard",
		"confirm-fuzzy": "confirm",
		"exclude":       "deny",    // git apply
		"include":       "allow",   // git apply
		"dryrun":        "dry-run", // patch has --dry-run, aider --dry-run, others either
	}
}

// asTyped is a command line in our own names. It takes what no flag library would read, too: -help is -h -e -l -p to it.
func asTyped(args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		switch arg {
		case "--":
			return args
		case "-help", "-?":
			args[i] = "--help"
		case "-version":
			args[i] = "--version"
		}
		if name, ok := strings.CutPrefix(arg, "--"); ok {
			name, value, given := strings.Cut(name, "=")
			if ours := otherNames()[name]; ours != "" {
				if args[i] = "--" + ours; given {
					args[i] += "=" + value
				}
			}
		}
	}
	return args
}

// habit is a word that another program has for something, and what does that here.
type habit struct {
	typed []string
	meant string
}

// habits are what users of patch, git apply, aider and their like type. Meaning goes before spelling: --dry is nearer to --deny in letters.
func habits() []habit {
	return []habit{
		{[]string{"--dry", "--preview", "--simulate", "--what-if", "--no-act", "--no-op", "--noop"}, "--dry-run"},
		{[]string{"--check", "--test", "--validate", "test", "verify", "validate", "status", "locate"}, "srpatch check"},
		{[]string{"--diff", "show", "preview", "dry-run", "--patch"}, "srpatch diff"},
		{[]string{"--apply", "patch", "run", "--run"}, "srpatch apply"},
		{[]string{"--undo", "--revert", "revert", "rollback", "--rollback", "unapply", "restore", "reset", "--unapply"}, "srpatch undo"},
		{[]string{"--history", "history", "runs"}, "srpatch log"},
		{[]string{"ls", "list", "blocks", "inspect", "extract"}, "srpatch parse"},
		{[]string{"batch", "serve", "stdio", "--batch", "--stdio", "daemon"}, "srpatch filter"},
		{[]string{"instructions", "system-prompt", "format", "rules", "agent-rules", "--prompt", "--system-prompt", "--instructions", "--init", "init"}, "srpatch prompt"},
		{[]string{"settings", "options", "--config", "--list-config"}, "srpatch config"},
		{[]string{"manual", "manpage", "--man"}, "srpatch man"},
		{[]string{"completions", "complete", "--completion"}, "srpatch completion"},
		{[]string{"mcp"}, "srpatch-mcp, a program of its own; docs/mcp.md says how to build it"},
		{[]string{"-j", "--jobs", "--parallel", "--workers", "--threads"}, "nothing: srpatch filter works in parallel by itself; a report in JSON is --json"},
		{[]string{"--yes-always", "--assume-yes", "--no-confirm", "--auto", "--auto-apply", "--no-input"}, "--yes"},
		{[]string{"--ask"}, "--interactive"},
		{[]string{"--edit-format", "--dialect", "--input-format"}, "--format"},
		{[]string{"--fuzz", "--fuzzy", "-F", "--similarity", "--min-score"}, "--threshold or --policy"},
		{[]string{"--strict", "--exact", "--no-fuzz", "--safe", "--loose", "--3way", "-3"}, "--policy"},
		{[]string{"--reject", "--keep-going", "--ignore-errors", "-k", "--best-effort"}, "--partial"},
		{[]string{"--unidiff-zero", "--ignore-whitespace", "--ignore-space-change", "-l", "-w"}, "nothing: blanks that differ are forgiven, see --policy"},
		{[]string{"--backup", "-b", "-B", "-z", "--suffix"}, "nothing: each run can be taken back by srpatch undo"},
		{[]string{"--input", "--stdin"}, "the name of the reply alone, or - for standard input"},
		{[]string{"--output", "-o", "--out"}, "srpatch diff, whose output goes where you send it"},
		{[]string{"--output-format"}, "--json"},
		{[]string{"--block", "--blocks", "--id", "--hunk"}, "--only"},
		{[]string{"--no-color", "--nocolor", "--no-colour", "--plain", "--no-pretty"}, "--color=never"},
		{[]string{"--colour"}, "--color"},
		{[]string{"--whitelist", "--only-files"}, "--allow"},
		{[]string{"--blacklist", "--ignore", "--protect"}, "--deny"},
		{[]string{"--no-new-files", "--no-new"}, "--no-create"},
		{[]string{"--sandbox", "--safe-mode"}, "--untrusted"},
		{[]string{"--verify-cmd", "--test-cmd", "--auto-test", "--lint-cmd"}, "--verify"},
		{[]string{"--index", "--cached"}, "srpatch diff reply.md | git apply --index"},
		{[]string{"--auto-commits", "--auto-commit", "--git-commit"}, "--commit"},
		{[]string{"--message"}, "--commit=MSG"},
		{[]string{"--debug", "--trace"}, "--verbose"},
		{[]string{"--summary", "--numstat"}, "--stat"},
	}
}

// meantBy is what a word that is none here is called here, as the end of an error message; "" if nobody types it elsewhere.
func meantBy(all []habit, word string) string {
	for _, h := range all {
		if slices.Contains(h.typed, word) {
			return "; what does that here is " + h.meant
		}
	}
	return ""
}
