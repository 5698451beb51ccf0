package attempt

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// cut finds an opener that the end of the input cuts off.
type cut struct{ one }

// Watch looks at one line. Only the last of the input has no line end, and begins an opener.
func (cut) Watch(l *Line) *Finding {
	if mdline.Ended(l.Raw) || !cutOpener(l.Raw) && !cutHead(l) {
		return nil
	}
	b := begun{line: l.At.Line, found: fmt.Sprintf("the reply ends inside the opener %q", mdline.Excerpt(l.Raw))}
	return b.finding(diagnosis.Truncated, "a whole block", "send the block again, because the reply was cut off")
}

// cutOpener reports whether the last line of a reply is the beginning of an opener: that of a block, or of an edit in another
// format.
func cutOpener(raw []byte) bool {
	if len(raw) < maxMarkerLine {
		n := len(raw) - len(bytes.TrimLeft(raw, "<"))
		raw = raw[max(0, n-separator):]
	}
	begins := func(opener string, least int) bool {
		return len(raw) >= least && len(raw) < len(opener) && strings.HasPrefix(opener, string(raw))
	}
	for d := range fsm.Dialects() {
		opener, least := d.Opener(7), 3
		if opener[0] == '-' {
			least = 8 // the signs alone are a rule
		}
		if d.Tentative() {
			least = 8 // which git writes as well
		}
		if begins(opener, least) {
			return true
		}
	}
	for _, opener := range [...]string{"*** Begin Patch", "*** Update File: ", "*** Add File: ", "*** Delete File: "} {
		if begins(opener, 5) {
			return true
		}
	}
	for _, opener := range [...]string{"<original_code ", "<old_text ", "<invoke name=", "<function="} { // with a name that is cut off, too
		if bytes.HasPrefix(raw, []byte(opener)) {
			return true
		}
	}
	for _, opener := range [...]string{"<apply_diff>", "<replace_in_file>", "<write_to_file>", "<search_and_replace>", "<insert_content>", "<tool_call>\n",
		"<tool_calls>\n", "<function_calls>\n", "<invoke name=\"", "<function=", "<edit_file>", "<edits>", "<old_text>", "<original_code "} {
		if begins(opener, 5) {
			return true
		}
	}
	return false
}

// cutHead reports whether the last line of a reply is the beginning of a diff in a fence.
func cutHead(l *Line) bool {
	name, ok := bytes.CutPrefix(l.Raw, []byte("--- "))
	_, _, open := l.Scene.Fence()
	return open && (ok && bytes.IndexByte(name, ' ') < 0 || bytes.HasPrefix(l.Raw, []byte("@@ -")))
}
