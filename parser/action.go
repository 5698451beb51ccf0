package parser

import (
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// otherAction returns a diagnostic if a tag above an edit specifies a different action. Only other
// tags and fences may come between them. The edit begins at offset, in the given line.
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
