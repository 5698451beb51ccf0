package apply

import (
	"bytes"
	"fmt"

	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// rewrites makes an edit of each block that gives all of the file anew: its SEARCH is the whole
// file, so what is asked of REPLACE is asked of the text: that no remark in it stands for code,
// that it can be encoded, that it is small enough.
func (f *file) rewrites() {
	if !f.present {
		return
	}
	var first *item
	for _, it := range f.items {
		if it.settled() || it.block.Op != parser.OpWrite {
			continue
		}
		if first == nil {
			first = it
		} else if !bytes.Equal(it.block.Replace, first.block.Replace) {
			it.fail(Overlap, fmt.Sprintf("block %d gives another text for the whole file; "+
				"send only the one you mean", first.block.ID))
			continue
		}
		text := f.encoding().withLineEnds(it.block.Replace)
		switch {
		case saysNothing(f.current, text): // it is filled
		case bytes.Equal(f.current, text):
			it.settle(BlockAlready)
		case isPart(strategy.NewDocument(f.current), strategy.NewDocument(text)):
			it.fail(Exists, "the text has less than half of the file's lines, "+
				"and may be only part of it; "+
				"send the lines to change in a block, or delete the file first")
		case isAnother(strategy.NewDocument(f.current), strategy.NewDocument(text)):
			it.fail(Exists, "the text shares no line with the file, "+
				"and may be that of another one; if it is meant, delete the file first")
		default:
			b := *it.block
			b.Op, b.Search, b.Replace = parser.OpEdit, f.current, text
			it.block = &b
		}
	}
}

// isPart reports whether the text that is to be all of a file may be a part of it: most of what it
// says is in the file, and it leaves out more than half of that.
func isPart(doc, replace *strategy.Document) bool {
	telling, kept := linesIn(doc, replace)
	said, old := linesIn(replace, doc)
	return telling > 3 && 2*kept < telling && 2*old >= said
}

// isAnother reports whether the text that is to be all of a file of ten lines or more shares none of
// them.
func isAnother(doc, replace *strategy.Document) bool {
	telling, shared := linesIn(doc, replace)
	return doc.Len() >= 10 && telling > 0 && shared == 0
}

// newVersionOf finds the file for a block that gives all of a file that is not there under its
// name: one whose path ends so, and of which it has the lines.
func (r *run) newVersionOf(b *parser.Block, p string) (string, bool) {
	if b.Op != parser.OpWrite || r.opt.Single != "" || r.exists(p) || !r.engine.tree.Complete() {
		return "", false
	}
	suffix, _ := r.paths().endingIn(p)
	if len(suffix) != 1 {
		return "", false
	}
	f := r.file(suffix[0])
	return suffix[0], f.unreadable == nil &&
		isNewVersion(strategy.NewDocument(f.before), strategy.NewDocument(b.Replace))
}
