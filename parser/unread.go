package parser

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/mdline"
	"github.com/srpatch/srpatch/parser/internal/unread"
)

// likeAnEdit is the code of a notice about text that may be an edit in an unknown format.
const likeAnEdit = "like-an-edit"

// maxUnread is the maximum number of findings that are reported.
const maxUnread = 32

// unread adds items for traces of edits in lines that nothing else was read from, and returns all
// items in the order of their lines. It adds none if part of the reply was already refused.
func (s *scanner) unread(items []item) []item {
	refused := func(it item) bool { return it.Diagnostic != nil }
	if s.out.uses == nil || slices.ContainsFunc(items, refused) {
		return items
	}
	parts := s.unreadText()
	if d := s.out.cutOpener(parts); d != nil {
		return append(items, item{Diagnostic: d})
	}
	alone := !slices.ContainsFunc(items, func(it item) bool { return it.Block != nil }) // no edits
	read, n := items, 0
	for _, t := range parts {
		t.Alone = alone
		for _, f := range unread.Find(t) {
			covers := func(it item) bool { return it.covers(&f) }
			if n == maxUnread || slices.ContainsFunc(read, covers) {
				continue
			}
			n++
			items = append(items, s.out.unreadItem(&f))
		}
	}
	if n > 0 {
		slices.SortStableFunc(items, func(a, b item) int { return a.line() - b.line() })
	}
	return items
}

// cutOpener returns a diagnostic if the reply ends inside an opener ("<<<<<<< SEA"), otherwise nil.
// parts are the lines that nothing was read from.
func (out *output) cutOpener(parts []unread.Text) *Diagnostic {
	if len(parts) == 0 {
		return nil
	}
	t := parts[len(parts)-1]
	n := len(t.Lines) - 1
	last := t.Lines[n]
	if t.First+n != out.uses.above+len(out.uses.lines) || mdline.Ended(last) || !unread.CutOff(last) {
		return nil
	}
	return &Diagnostic{Code: diagnosis.Truncated, Line: t.First + n,
		Found:    fmt.Sprintf("the reply ends inside the opener %q", mdline.Excerpt(last)),
		Expected: "a whole block",
		Remedy:   out.remedy("send the block again, because the reply was cut off", fsm.Aider)}
}

// unreadItem returns a diagnostic for a certain edit, or a notice for any other finding.
func (out *output) unreadItem(f *unread.Finding) item {
	if f.Sure {
		return item{Diagnostic: &Diagnostic{Code: diagnosis.Malformed, Line: f.Line,
			Found:    fmt.Sprintf("%q", f.Found),
			Expected: fmt.Sprintf("%q", fsm.Aider.Opener(7)),
			Remedy:   out.remedy("send the edit as a block", fsm.Aider)}}
	}
	return item{Noticed: &Noticed{Code: likeAnEdit, Lines: f.Lines, Path: f.Path,
		What: "text that looks like an edit"}}
}

// covers reports whether an item overlaps a finding and makes it redundant. A block does, and so
// does a notice if the finding would only be a notice.
func (it *item) covers(f *unread.Finding) bool {
	var own [2]int
	switch {
	case it.Block != nil:
		own = it.Block.Lines
	case it.Noticed != nil && !f.Sure:
		own = it.Noticed.Lines
	default:
		return false
	}
	return own[0] <= f.Lines[1] && f.Lines[0] <= own[1]
}

// unreadText returns the parts of the reply that nothing was read from. In these parts, the lines
// that name a block's file are blank.
func (s *scanner) unreadText() (parts []unread.Text) {
	uses := s.out.uses.lines
	is := func(i int, some ...use) bool { // line i, counted from 0, has one of the uses
		return i >= 0 && i < len(uses) && slices.Contains(some, uses[i])
	}
	taken := func(u use) bool { return u != prose && u != naming }
	open, i := false, 0 // the line above is part of parts; index of the line
	for line := range bytes.Lines(s.in.buf[:s.in.pos]) {
		free := is(i, prose, naming)
		switch {
		case free && !open: // a part begins; n is its number of lines
			n := slices.IndexFunc(uses[i:], taken)
			if n < 0 {
				n = len(uses) - i
			}
			parts = append(parts, unread.Text{First: s.out.uses.above + i + 1,
				Above: is(i-1, inBlock, enveloped), Lines: make([][]byte, 0, n)})
		case !free && open:
			parts[len(parts)-1].Below = is(i, inBlock, enveloped)
		}
		if open = free; open {
			if uses[i] == naming {
				line = nil
			}
			t := &parts[len(parts)-1]
			t.Lines = append(t.Lines, line)
		}
		i++
	}
	return parts
}
