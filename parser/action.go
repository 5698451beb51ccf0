package parser

import (
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// otherAction returns a diagnostic if a tag above an edit requests another action than the edit
// performs, such as <action>insert_after</action>; otherwise nil. Only other tags and fences may
// come between the tag and the edit, which begins at offset, in the given line.
func (c *context) otherAction(offset, line int, edit *Block) *Diagnostic {
	if c.req.bare {
		return nil
	}
	for _, above := range c.linesAbove(offset) {
		tag, other := envelope.ActionOfTag(above, edit)
		if other {
			return &Diagnostic{Code: diagnosis.Unsupported, Line: line, Found: mdline.Excerpt(above),
				Expected: envelope.ExpectedReplacement, Remedy: envelope.RemedyReplacement}
		}
		if _, fence := mdline.ParseFence(above); !tag && !fence {
			break
		}
	}
	return nil
}
