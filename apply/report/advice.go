package report

import (
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser"
)

// advice is what a model is told about a refusal. It knows the format of its edits and the file; it has no flags to give, no limits to
// raise and no permissions to change.
type advice struct {
	// says is said instead of the report's message; "" keeps that.
	says string
	// clause keeps the message's first clause only: what comes after it is for whoever runs the command.
	clause bool
	// do is what the model can do. Where the report has a corrected block or the nearest text, that is said instead.
	do string
}

// adviceOn is the advice about a refused block.
func adviceOn(b *apply.BlockReport) advice {
	if b.Reason == apply.Exists && !emptySearch(b) {
		return advice{}
	}
	told := ofReason(b.Reason)
	if b.Objection != nil && b.Objection.Code == "below-threshold" {
		told.says = "SEARCH does not occur in the file, and differs too much from the nearest lines"
	}
	return told
}

// ofReason is the advice about a refusal for a reason. One that is not known here, for a tree may have its own, is passed on with its
// first clause.
func ofReason(r apply.Reason) advice {
	switch r {
	case apply.NotFound:
		return advice{do: "Copy SEARCH from the file as it is now, or name the file that has it."}
	case apply.Ambiguous:
		return advice{do: "Add neighbouring lines to SEARCH, so that it fits one place only."}
	case apply.NoSuchFile, apply.NoName:
		return advice{do: "Put the path of an existing file, relative to the root of the project, on the line above the block."}
	case apply.Exists:
		return advice{do: "An empty SEARCH only creates a new file. To change the file, SEARCH for the lines to change; to add to its end, SEARCH for its last line and repeat that in REPLACE, above the new lines."}
	case apply.Placeholder:
		return advice{do: "Write every line of REPLACE out; nothing is filled in."}
	case apply.Indentation:
		return advice{do: "Write SEARCH and REPLACE with the indentation that the file has."}
	case apply.Overlap:
		return advice{clause: true, do: "Send one block that makes all changes to these lines: it replaces this block and the others that change them. To keep only the others, skip this block."}
	case apply.OutsideRoot:
		return advice{clause: true, do: "Use a path inside the project."}
	case apply.Encoding:
		return advice{clause: true, do: "Write what REPLACE adds in characters that the file can hold: ASCII, or escapes of the language."}
	case apply.Binary:
		return advice{clause: true, do: "Edit text only, and write a NUL as an escape of the language."}
	case apply.Budget:
		return advice{says: "the search for SEARCH took too long", do: "Copy SEARCH from the file, with a line that occurs only there, and send fewer blocks at once."}
	case apply.TooLarge:
		return advice{clause: true, do: "Change less at once, or skip this block."}
	case apply.Stale:
		return advice{clause: true, do: "Write the block for the file as it is now."}
	case apply.Denied:
		return advice{says: "this file may not be changed", do: "Skip this block; if another file can have the change, make it there."}
	case apply.Vetoed:
		return advice{do: "Make the change in another way, or skip this block."}
	case apply.NotRegular:
		return advice{clause: true, do: "Use the path of an ordinary file."}
	}
	return advice{clause: true, do: "Skip this block."}
}

// ofDiagnostic is what a model can do about an attempt that was not understood, where that is something else than the diagnostic
// says; ask is false where it is no matter of the model's.
func ofDiagnostic(d *parser.Diagnostic) (do string, ask bool) {
	switch d.Code {
	case diagnosis.ChatLog, diagnosis.AmbiguousTurn, "not-reversible":
		return "", false
	case diagnosis.TooLong:
		return "Leave lines of this length out of the blocks.", true
	case diagnosis.TooMany:
		return "Send fewer blocks in one reply.", true
	case diagnosis.TooLarge:
		return "Split it into smaller blocks.", true
	}
	return "", true
}

// note is a warning as a model is told it: without its code.
func note(warning string) string {
	code, says, ok := strings.Cut(warning, ": ")
	switch {
	case !ok || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz-") != "":
		return warning
	case code == "encoding":
		return "the file is not UTF-8, so a line of SEARCH with characters beyond ASCII cannot match"
	}
	return says
}
