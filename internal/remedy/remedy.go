// Package remedy says what an error is in the words of a command. The library names its options and
// methods in remedies; a user of a command knows only flags and verbs.
package remedy

import (
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/workspace"
)

// flags are the library's names in remedies, and what the command has for them; longer ones first.
func flags() *strings.Replacer {
	return strings.NewReplacer(
		"Limits.FileSize", "--max-size",
		"Options.Force", "--force",
		"Options.LockWait", "--wait",
		"Options.NoJournal", "--no-journal",
		"Options.StateDir", "--state-dir",
		"UndoOptions.Force", "--force",
		"UndoOptions.Merge", "--merge",
		"Workspace.Log", "srpatch log -v",
		"Workspace.Recover with RecoverKeep", "srpatch recover --keep",
		"Workspace.Recover with RecoverRestore", "srpatch recover --restore",
		"Workspace.Recover", "srpatch recover",
		"Workspace.Undo", "srpatch undo",
		"open the directory of the run", "go to the directory of the run, or name it with -d",
	)
}

// Words is the text of an error, in which the remedies of a workspace name flags and verbs.
func Words(err error) string { return reworded(err.Error(), err) }

// Blocks rewords the messages of blocks that a workspace has refused. A remedy is what follows the last
// semicolon.
func Blocks(blocks []apply.BlockReport) {
	for i := range blocks {
		if b := &blocks[i]; b.Status == apply.BlockFailed {
			at := strings.LastIndex(b.Message, "; ") + 1
			b.Message = b.Message[:at] + flags().Replace(b.Message[at:])
		}
	}
}

// reworded is text, which has that of err in it, with the remedies of err reworded.
func reworded(text string, err error) string {
	if p, ok := err.(*workspace.Problem); ok && p.Remedy != "" {
		text = strings.Replace(text, p.Remedy, flags().Replace(p.Remedy), 1)
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return reworded(text, inner)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			text = reworded(text, inner)
		}
	}
	return text
}
