package main

import (
	"bytes"
	"fmt"

	"github.com/srpatch/srpatch/parser"
)

// instead is the one block that a text holds, to be applied in place of that of c. It has that one's number, and its name where it
// means the same file: a name that the reply has is bound as the reply's other names are.
func (c *choice) instead(text []byte) (parser.Block, error) {
	reply := parser.Parse(text)
	if n := len(reply.Blocks); n != 1 || len(reply.Diagnostics) > 0 {
		if len(reply.Diagnostics) > 0 {
			return parser.Block{}, fmt.Errorf("line %d: %s", reply.Diagnostics[0].Line, reply.Diagnostics[0].Found)
		}
		return parser.Block{}, fmt.Errorf("the text holds %d blocks, expected one", n)
	}
	b, was := reply.Blocks[0], &c.block
	b.ID, b.Lines, b.Turn = was.ID, was.Lines, was.Turn
	if b.Path == "" || b.Path == c.report.Path || b.Path == was.Path {
		b.Path, b.RawPath, b.Names, b.Inherited, b.Labels = was.Path, was.RawPath, was.Names, was.Inherited, was.Labels
	}
	return b, nil
}

// asText is a block without a place as an editor shows it: its correction, if there is one, or itself, with markers where they can
// say it.
func (c *choice) asText() ([]byte, error) {
	if len(c.report.Corrected) > 0 {
		return []byte(c.report.Corrected[0]), nil
	}
	b := c.block
	if b.Substring { // as whole lines, which the user sees and can change
		b.Substring, b.Search, b.Replace = false, ended(b.Search), ended(b.Replace)
	}
	return parser.Format([]parser.Block{b})
}

// ended is a side with a line end.
func ended(side []byte) []byte {
	if len(side) == 0 || side[len(side)-1] == '\n' {
		return side
	}
	return append(bytes.Clone(side), '\n')
}
