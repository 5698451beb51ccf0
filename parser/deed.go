package parser

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// deedAbove is the line of the tags around an edit that says that another thing is to be done than
// the edit does; nil if none says so. The tags are those right above an offset.
func (c *context) deedAbove(offset int, edit *Block) []byte {
	if c.req.bare {
		return nil
	}
	for _, line := range c.linesAbove(offset) {
		tag, deed := envelope.TagDeed(line, edit)
		if deed {
			return line
		}
		if _, fence := mdline.ParseFence(line); !tag && !fence {
			break
		}
	}
	return nil
}

// otherDeed says of an edit at a line that the tag above it asks for another thing.
func otherDeed(tag []byte, line int) *Diagnostic {
	return diagnosticOf(&envelope.Fault{Code: diagnosis.Unsupported, Line: line, Found: mdline.Excerpt(tag), Expected: envelope.ExpectedReplacement, Remedy: envelope.RemedyReplacement})
}

// deedOver is the tag above a marker at an offset that asks for another thing than a replacement;
// nil if none does.
func (c *context) deedOver(offset int) []byte {
	return bytes.Clone(c.deedAbove(offset, &Block{Op: OpEdit, Replace: []byte("x")}))
}

// contradicts reports whether the tag above the block at hand asks for another thing than the block
// does.
func (o *openBlock) contradicts(b *Block) bool {
	_, other := envelope.TagDeed(o.deed, &Block{Op: b.Op, Replace: b.Replace})
	return other
}

// refuseDeed is otherDeed for a block between markers.
func refuseDeed(o *openBlock, _ *output, _ int) *Diagnostic {
	_, at := o.m.Opener()
	return otherDeed(o.deed, at.Line)
}
