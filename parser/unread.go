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
	parts := s.unreadText(nil)
	if d := s.out.cutOpener(parts); d != nil {
		return append(items, item{Diagnostic: d})
	}
	edits := slices.ContainsFunc(items, func(it item) bool { return it.Block != nil })
	found := s.out.traces(items, parts, !edits)
	if files := slices.DeleteFunc(slices.Clone(items), isNoFile); len(found) == 0 && len(files) > 0 {
		found = s.out.moreFiles(items, s.unreadText(files))
	}
	if len(found) > 0 {
		items = append(items, found...)
		slices.SortStableFunc(items, func(a, b item) int { return a.line() - b.line() })
	}
	return items
}

// traces returns items for the traces of edits in parts of the reply, except for those that one of
// the items read covers. alone says that the reply has no edit.
func (out *output) traces(read []item, parts []unread.Text, alone bool) (found []item) {
	for _, t := range parts {
		t.Alone = alone
		for _, f := range unread.Find(t) {
			covers := func(it item) bool { return it.covers(&f) }
			if len(found) < maxUnread && !slices.ContainsFunc(read, covers) {
				found = append(found, out.unreadItem(&f))
			}
		}
	}
	return found
}

// moreFiles returns notices for text that may be another file than those of the items: a fence below a
// line that names it. parts is the unread text without the lines of the whole files, because only then
// do the traces of another one stand out.
func (out *output) moreFiles(items []item, parts []unread.Text) (found []item) {
	named := func(path string) bool { // by an item
		return slices.ContainsFunc(items, func(it item) bool {
			return it.Block != nil && it.Block.Path == path || it.Noticed != nil && it.Noticed.Path == path
		})
	}
	for _, t := range parts {
		for _, f := range unread.Find(t) {
			above := bytes.Contains(t.Lines[f.Lines[0]-t.First], []byte(f.Path))
			if f.Path != "" && above && !f.Sure && !named(f.Path) && len(found) < maxUnread {
				found = append(found, out.unreadItem(&f))
			}
		}
	}
	return found
}

// isNoFile reports whether an item isn't a whole file in a fence, or text that may be one.
func isNoFile(it item) bool {
	return (it.Noticed == nil || it.Noticed.Code != wholeFile) && (it.Block == nil || it.Block.Dialect != wholeFile)
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
		return item{Diagnostic: out.malformed(f.Line, fmt.Sprintf("%q", f.Found),
			fmt.Sprintf("%q", fsm.Aider.Opener(7)), "send the edit as a block")}
	}
	return item{Noticed: &Noticed{Code: likeAnEdit, Lines: f.Lines, Path: f.Path,
		What: "text that looks like an edit"}}
}

// covers reports whether an item overlaps a finding and makes it redundant. A block does, and so
// does a notice if the finding would only be a notice.
func (it item) covers(f *unread.Finding) bool {
	if it.Block == nil && (it.Noticed == nil || f.Sure) {
		return false
	}
	lines := it.lines()
	return lines[0] <= f.Lines[1] && f.Lines[0] <= lines[1]
}

// unreadText returns the parts of the reply that nothing was read from, and that aren't lines of the
// given items. In these parts, the lines that name a block's file are blank.
func (s *scanner) unreadText(except []item) (parts []unread.Text) {
	uses := s.out.uses.lines
	if len(except) > 0 {
		uses = slices.Clone(uses)
	}
	for _, it := range except {
		for i := it.line(); i <= it.lines()[1]; i++ {
			uses[i-1-s.out.uses.above] = inQuote
		}
	}
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

// use is the part of the reply that a line belongs to.
type use uint8

const (
	unaccounted use = iota // nothing is known yet
	prose
	naming    // the name of a block's file
	inQuote   // text that is only shown
	inBlock   // a marker block
	enveloped // an edit in an envelope
	inShell   // shell commands
	diagnosed // refused
)

// lineUses records how each line was used. At the end of the reply, prose is searched for traces of
// edits. A nil *lineUses records nothing.
type lineUses struct {
	above int // number of lines before the first one
	lines []use
}

// put records the use of the lines first to last, 1-based and inclusive. It overwrites earlier
// records, because the lines of an abandoned attempt are read again.
func (t *lineUses) put(u use, first, last int) {
	if t == nil {
		return
	}
	for len(t.lines) < last-t.above {
		t.lines = append(t.lines, unaccounted)
	}
	for i := first; i <= last; i++ {
		t.lines[i-1-t.above] = u
	}
}

// name records that a line names a block's file. It does nothing if line is 0.
func (t *lineUses) name(line int) {
	if line > 0 {
		t.put(naming, line, line)
	}
}
