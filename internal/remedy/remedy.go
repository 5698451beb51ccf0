// Package remedy gives the remedies of the library in the words of a command. The library names its options and methods; a user of a
// command knows only flags and verbs.
package remedy

import (
	"strings"
	"sync/atomic"
)

// flags are the library's names in remedies, and what the command has for them; longer ones first.
var flags = strings.NewReplacer(
	"Limits.FileSize", "--max-size",
	"Options.Force", "--force",
	"Options.LockWait", "--wait",
	"Options.NoJournal", "--no-journal",
	"Options.StateDir", "--state-dir",
	"Options.Verifies", "--verify",
	"UndoOptions.Force", "--force",
	"UndoOptions.Merge", "--merge",
	"Workspace.Log", "srpatch log -v",
	"Workspace.Recover with Options.MovedFrom", "srpatch recover --moved-from",
	"Workspace.Recover with RecoverKeep", "srpatch recover --keep",
	"Workspace.Recover with RecoverRestore", "srpatch recover --restore",
	"Workspace.Recover", "srpatch recover",
	"Workspace.Undo", "srpatch undo",
	"open the directory of the run", "go to the directory of the run, or name it with -d",
)

var inFlags atomic.Bool

// InFlags makes the remedies of this process name flags and verbs. A command calls it before it calls the library.
func InFlags() { inFlags.Store(true) }

// Say is a remedy as this process shows it.
func Say(text string) string {
	if inFlags.Load() {
		return flags.Replace(text)
	}
	return text
}
