package parser

import (
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/parser/internal/chatlog"
)

// Where one format is asked for, edits in others are not read, and noticed at the end: what nobody reads is named. For that the reply is read
// once more, in all formats. Deletions and moves are read in any case: most formats have none of their own, and are taught along with
// those of another, see FormatOfFiles in envelope.

// otherFormat is the code of an edit in another format than the one that was asked for.
const otherFormat = "other-format"

// otherForms is what it takes to notice edits in other formats; the zero value notices none.
type otherForms struct {
	wanted bool
	log    chatlog.Log // as it was at the beginning
	read   [][2]int    // lines of what was given
}

// note keeps which lines an item is from.
func (o *otherForms) note(it item) {
	switch {
	case !o.wanted:
	case it.Block != nil:
		o.read = append(o.read, it.Block.Lines)
	case it.Attempt != nil:
		o.read = append(o.read, it.Attempt.Lines)
	case it.Diagnostic != nil:
		o.read = append(o.read, [2]int{it.Diagnostic.Line, it.Diagnostic.Line})
	}
}

// noticeOthers emits, once the input is read, what it has in other formats. It reports whether there is something.
func (s *scanner) noticeOthers() bool {
	if !s.others.wanted || s.out.over {
		return false
	}
	s.others.wanted = false
	all := newScanner(s.in.buf, s.others.log, func(r *request) {
		*r = s.req
		r.format, r.wholes = "", false
	}).reply()
	emit := func(lines [2]int, path, what string) {
		if !slices.ContainsFunc(s.others.read, func(r [2]int) bool { return r[0] <= lines[1] && lines[0] <= r[1] }) {
			s.out.emit(item{Noticed: &Noticed{Code: otherFormat, Lines: lines, Path: path, What: what}})
		}
	}
	for i := range all.Blocks {
		b := &all.Blocks[i]
		emit(b.Lines, b.Path, fmt.Sprintf("an edit in the format %s, which is not the one that was asked for", b.Dialect))
	}
	for _, d := range all.Diagnostics {
		emit([2]int{d.Line, d.Line}, "", "text that looks like an edit in another format than the one that was asked for")
	}
	return !s.out.empty()
}
