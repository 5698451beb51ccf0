package apply

import (
	"bytes"
	"fmt"

	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// rewrites turns each block that gives a whole file into an edit whose SEARCH is the whole file. So
// the text is checked like any REPLACE: it must have no remark that stands for code, fit the
// encoding, and be small enough. A text that seems to be only a part of the file, or to belong to
// another file, is refused.
func (f *file) rewrites() {
	if !f.present {
		return
	}
	var first *item
	for _, it := range f.items {
		if it.settled || it.block.Op != parser.OpWrite {
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
		doc, replace := strategy.NewDocument(f.current), strategy.NewDocument(text)
		telling, shared := linesIn(doc, replace)
		another := telling > 1 && shared == 0 // it looks like the text of another file
		switch {
		case saysNothing(f.current, text): // the file is filled like an empty one
		case bytes.Equal(f.current, text):
			it.settle(BlockAlready)
		case isPart(doc, replace):
			it.fail(Exists, "the text leaves out half of the file's lines, or all lines from one on, "+
				"and may be only part of it; "+
				"send the lines to change in a block, or delete the file first")
		case another && doc.Len() >= 10: // a shorter file may well be replaced
			it.fail(Exists, "the text shares no line with the file, "+
				"and may be that of another one; if it is meant, delete the file first")
		default:
			if another {
				it.warn(warning.NothingKept.Say("the text shares no line with the file"))
			}
			b := *it.block
			b.Op, b.Search, b.Replace = parser.OpEdit, f.current, text
			it.block = &b
		}
	}
}

// isPart reports whether a text meant as the whole file seems to be only a part of it: either most
// of it is in the file and it leaves out more than half of the file, or it is the beginning of the
// file and leaves out several lines.
func isPart(doc, replace *strategy.Document) bool {
	telling, kept := linesIn(doc, replace) // kept of the file's distinctive lines are in the text
	said, old := linesIn(replace, doc)     // old of the text's are in the file
	cut := telling-said > 1 && bytes.HasPrefix(doc.Text(), bytes.TrimSpace(replace.Text()))
	return telling > 3 && (2*kept < telling || cut) && 2*old >= said
}

// newVersionOf returns the existing file that a whole-file block is meant for if no file has the
// block's exact path p: the only file whose path ends in p, if it shares enough lines with the
// block.
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
