package unread

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/fsm"
)

// CutOff reports whether the last line of a reply is an incomplete opener of a block or of an edit
// in another format.
func CutOff(raw []byte) bool {
	raw = bytes.TrimLeft(raw, " \t")
	raw = raw[max(0, len(raw)-len(bytes.TrimLeft(raw, "<"))-gitSigns):] // ignore surplus signs
	isPart := func(opener string, least int) bool {                     // least is the minimum length of raw
		return len(raw) >= least && len(raw) < len(opener) && strings.HasPrefix(opener, string(raw))
	}
	for d := range fsm.Dialects() {
		opener, least := d.Opener(gitSigns), minSigns
		if d.Tentative() || opener[0] == '-' {
			least = gitSigns + 1 // fewer signs may be git's marker or a rule
		}
		if isPart(opener, least) {
			return true
		}
	}
	for _, opener := range [...]string{"*** Begin Patch", "*** Update File: ", "*** Add File: ",
		"*** Delete File: ", "<apply_diff>", "<replace_in_file>", "<write_to_file>",
		"<invoke name=\"", "<function=", "<edits>", "<old_text>"} {
		if isPart(opener, 5) {
			return true
		}
	}
	return false
}
