package parser

import (
	"bytes"

	"github.com/srpatch/srpatch/fsm"
)

// withOpener is the block that ends with the closer k at at as it would have to be, where all of it
// but its opener is in a fence: text, one divider, text. It is "" where that is not so, or where it
// began too long ago.
func (c *context) withOpener(k fsm.Mark, at fsm.Pos) string {
	f := c.top()
	if f == nil || f.hasEdit || f.text < max(c.outside, at.Start-lookBack, 0) || f.text > at.Start {
		return ""
	}
	body := c.in.buf[f.text:at.Start]
	dividers, search := 0, 0
	for line := range bytes.Lines(body) {
		switch fsm.Classify(bytes.TrimRight(line, "\r\n")).Kind {
		case fsm.Divider:
			dividers++
		case fsm.Opener, fsm.NearOpener, fsm.Closer:
			return ""
		default:
			if dividers == 0 {
				search++
			}
		}
	}
	if dividers != 1 || search == 0 {
		return ""
	}
	path := c.bind(fsm.Mark{}, fsm.Pos{Start: f.text, End: f.text, Line: f.line + 1}).path
	if path == "" {
		path = "path/to/file"
	}
	return path + "\n" + k.Dialect.Opener(7) + "\n" + string(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))) + k.Dialect.Closer(7)
}
