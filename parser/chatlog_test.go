package parser

import (
	"bytes"
	"testing"
)

func TestLastReplyOfALog(t *testing.T) {
	markerReplies(t, "chatlog", func(name string, reply []byte, _ *[]byte) {
		r := Parse(reply)
		last := r.Last()
		switch name {
		case "aider-history":
			if len(last.Blocks) != 1 || last.Blocks[0].Path != "src/b.py" || last.Blocks[0].ID != 2 || len(last.Diagnostics) != 0 {
				t.Errorf("%s: %+v", name, last)
			}
		case "cut-off-reply-in-the-middle":
			if len(last.Blocks) != 1 || last.Blocks[0].Turn != 2 || len(last.Diagnostics) != 0 {
				t.Errorf("%s: %+v", name, last)
			}
		case "cut-off-reply-before-silence":
			if len(last.Blocks) != 0 || len(last.Diagnostics) != 1 || last.Diagnostics[0].Line != 7 {
				t.Errorf("%s: %+v", name, last)
			}
		case "speaker-lines-later-are-no-log":
			if last != r {
				t.Errorf("%s: one reply is taken apart", name)
			}
		}
		if got := Parse(bytes.TrimSpace(reply)).Turns; len(got) != len(r.Turns) {
			t.Errorf("%s: %d turns, not %d", name, len(got), len(r.Turns))
		}
	})
}
