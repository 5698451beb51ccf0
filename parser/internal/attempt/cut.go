package attempt

import (
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// cut finds an opener that the end of the input cuts off.
type cut struct{ one }

// Watch looks at one line. Only the last of the input has no line end, and begins an opener.
func (cut) Watch(l *Line) *Finding {
	if mdline.Ended(l.Raw) || !cutOpener(l.Raw) {
		return nil
	}
	b := begun{line: l.At.Line, found: fmt.Sprintf("the end of the input inside the opener %q", mdline.Excerpt(l.Raw))}
	return b.finding(string(fsm.Truncated), "a whole block", "send the block again; the reply was cut off")
}

// cutOpener reports whether the last line of a reply is the beginning of an opener: that of a block, or of an edit in another
// format.
func cutOpener(raw []byte) bool {
	begins := func(opener string, least int) bool {
		return len(raw) >= least && len(raw) < len(opener) && strings.HasPrefix(opener, string(raw))
	}
	for d := range fsm.Dialects() {
		opener, least := d.Opener(7), 3
		if opener[0] == '-' {
			least = 9 // the sign alone is a rule
		}
		if !d.Tentative() && begins(opener, least) {
			return true
		}
	}
	return begins("*** Begin Patch", 5) || begins("<apply_diff>", 7) || begins("<old_text>", 5) || begins("<original_code ", 6)
}
