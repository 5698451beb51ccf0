package diagnosis

import "strings"

// Words returns the text of an error for whoever runs a command: the library's remedies name its
// options and methods, a command has flags and verbs for them.
func Words(err error) string { return InFlags(err.Error()) }

// InFlags returns a message with flags in its remedy, which is what follows the first semicolon of
// a line.
func InFlags(message string) string {
	var b strings.Builder
	for line := range strings.Lines(message) {
		at := strings.Index(line, "; ") + 1
		if at == 0 {
			at = len(line)
		}
		b.WriteString(line[:at] + flags.Replace(line[at:]))
	}
	return b.String()
}

// flags are the library's names in remedies, and what the command has for them; longer ones first.
var flags = strings.NewReplacer(
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
