package apply

import (
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/warning"
)

// settleIndent decides, once, how deep p's REPLACE is indented, and stores the margins in p, and in
// p.rival other margins that may be meant as well. It may also change p.reading, whose SEARCH gets the
// file's indentation; p.written stays the reading as the reply has it.
func (l *locator) settleIndent(p *placement) {
	if p.indented {
		return
	}
	if p.indented = true; p.tier == tierExact {
		return // SEARCH has the file's margins
	}
	in := splice.Indent(l.doc, p.reading, p.alignment, l.unit)
	p.written, p.reading, p.margins, p.rival = p.reading, in.Reading, in.Margins, in.Rival
	if in.FirstCut {
		p.notes = append(slices.Clip(p.notes),
			warning.FirstLineCut.Say("the first line of SEARCH lacks its indentation"))
	}
}

// splicer prepares the three-way merge of p's block.
func (l *locator) splicer(p *placement) *splice.Splice {
	return splice.New(l.doc, p.reading, p.alignment, p.margins, p.tier == tierExact,
		l.judge.Respelled(p.reading, p.alignment), l.unit)
}

// edits returns the edits that p's block makes to the document, in order and without overlaps.
// applied is how many of its hunks the document already has.
func (l *locator) edits(p *placement) (edits []splice.Edit, applied int) {
	if l.opt.Splice == Verbatim {
		at := p.span()
		if at.first < 0 {
			return nil, 0
		}
		return splice.Paste(l.doc, p.reading, at.first, at.end), 0
	}
	s := l.splicer(p)
	return s.Edits(), len(s.Done)
}

// refuseIndentation refuses a block and returns true if nothing shows which of p's margins and
// their rival are meant for REPLACE. It then offers a block for each.
func (l *locator) refuseIndentation(it *item, p *placement) bool {
	if p.rival == nil || l.opt.Splice == Verbatim {
		return false
	}
	for _, margins := range [][][]byte{p.margins, p.rival} {
		q := *p
		q.margins = margins
		l.advice().offer(it, &q)
	}
	it.fail(Indentation, fmt.Sprintf("%s meant, but SEARCH lacks the indentation there, "+
		"and REPLACE could be indented in two ways; write both with the file's indentation",
		linesAre(p.span())))
	return true
}
