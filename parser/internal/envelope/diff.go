package envelope

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// diff reads one file's part of a unified diff, as written by git or diff -u. The next file's part
// is a new envelope. Each hunk becomes a block, with its context in both SEARCH and REPLACE and its
// line number as the hint. The hunks of a renamed file edit the old path; an OpMove block follows.
//
// A hunk ends at the next header, at the end of the fence, or where prose follows a blank line. At
// the end of the input, a hunk is complete only if it has all lines counted in its header, or if
// its last line is context.
type diff struct {
	Envelope
	text    []byte // the rest of the reply, from the diff's first line on
	margin  []byte
	first   numbered
	fenced  bool // the first line opens a fence; a hunk without a header may follow
	deletes bool // the text above says that the file is deleted; the hunk shows the file's lines

	diffHeader
	merge   bool // git's combined format, for merges
	empties bool // a hunk leaves the file empty
	cur     *diffHunk
	last    int  // the last line that belongs to the diff
	ended   bool // the input ends in the hunk, after a whole line
	atFence bool // the line after the diff closes a fence
	notDiff bool // the text turned out not to be a diff
}

// diffLine is a line of a diff, without the diff's margin and without its line end.
type diffLine struct {
	numbered
	own    []byte // with its line end; empty at the end of the input
	below  []byte // the text below the line
	inside bool   // the line has the margin of the diff or is blank
}

// readDiff returns a diff if the first line of the text is git's header, a --- line with a path, or
// a hunk header; otherwise it returns nil.
func readDiff(rest []byte, number int, _ Markers) *Envelope {
	raw := lineOf(rest)
	margin := text.Margin(raw)
	head := text.Chomp(raw[len(margin):])
	name, minus := bytes.CutPrefix(head, []byte("--- "))
	switch {
	case bytes.HasPrefix(head, []byte("diff --git ")), minus && isDiffName(name),
		bytes.HasPrefix(head, []byte("@@ -")) && diffRange().Match(head),
		string(bytes.TrimSpace(head)) == "@@ ... @@":
		return newDiff(diff{text: rest, margin: margin, first: numbered{raw, number}})
	}
	return nil
}

// StartFencedDiff returns an envelope for the diff in a fence that the first line of the text
// opens. The text above names the file. If the fence contains only lines with operators, they are a
// hunk without a header. deletes says that the text above says that the file is deleted.
func StartFencedDiff(rest []byte, number int, deletes bool) *Envelope {
	raw := lineOf(rest)
	return newDiff(diff{text: rest, margin: text.Margin(raw), first: numbered{raw, number},
		fenced: true, deletes: deletes})
}

func newDiff(e diff) *Envelope {
	e.Limited, e.readOn = true, e.read
	return &e.Envelope
}

// read reads the header and the hunks, and turns them into blocks and faults.
func (e *diff) read() {
	e.last = e.first.number
	l, whole := e.readHeader(e.lineAt(e.text, e.first.number))
	if e.headed {
		l, whole = e.readHunks(l)
	}
	e.Lines = max(l.number-e.first.number, 1)
	if !e.notDiff {
		e.finish(whole)
	}
}

// lineAt returns the first line of a text, which has the given number.
func (e *diff) lineAt(rest []byte, number int) diffLine {
	raw := lineOf(rest)
	own, ok := bytes.CutPrefix(raw, e.margin)
	inside := len(own) > 0 && (ok || text.Blank(raw))
	return diffLine{numbered{text.Chomp(own), number}, own, rest[len(raw):], inside}
}

// next returns the line below l.
func (e *diff) next(l diffLine) diffLine { return e.lineAt(l.below, l.number+1) }

// showsEnd reports whether a line below the diff shows that the diff was not cut off.
func (l *diffLine) showsEnd() bool { return mdline.Ended(l.own) || endsFence(l.own) }

// readHunks reads the hunks, the first of which begins in line l or below blank lines. It returns
// the line below the diff and whether the last hunk is complete.
func (e *diff) readHunks(l diffLine) (end diffLine, whole bool) {
	noted := false
	for ; l.inside && e.takes(l); l = e.next(l) {
		noted = isNote(l.text)
		if len(l.text) > 0 {
			e.last = l.number
		}
	}
	whole = l.showsEnd()
	e.atFence = endsFence(l.own)
	e.ended = len(l.own) == 0 && (noted || mdline.Ended(e.text))
	switch {
	case e.cur == nil:
		return l, whole
	case e.atFence && l.inside:
		e.refuseFence(l)
	case l.inside && e.mayBeOldName(l.text) && len(e.next(l).own) == 0:
		e.diagnose(diagnosis.Truncated, l.numbered, "the changes of this file",
			"give at least one hunk below the file's header")
		whole = true
	}
	n := len(e.Blocks)
	e.endHunk(whole)
	return l, whole || len(e.Blocks) > n
}

// takes reads a line between or within the hunks, and reports whether it belongs to the diff.
func (e *diff) takes(l diffLine) bool {
	t := l.text
	switch {
	case e.cur == nil:
		return e.begins(l)
	case len(t) == 0:
		e.cur.blank(numbered{l.own, l.number})
	case bytes.HasPrefix(t, []byte("@@")):
		if e.endHunk(true /* complete */); e.notDiff {
			return false
		}
		e.open(l.numbered)
	case e.endsDiff(l), e.repeats(l):
		return false
	case isNote(t): // "\ No newline at end of file"
		e.cur.unterminated(l.own)
	default:
		return e.content(l)
	}
	return true
}

// begins reads a line above the first hunk, and reports whether it belongs to the diff.
func (e *diff) begins(l diffLine) bool {
	t := l.text
	named := e.fenced && !e.deletes && bytes.HasPrefix(t, []byte("@@ ")) && !diffRange().Match(t)
	bare := hasOperator(t) && !bytes.HasPrefix(t, []byte("--- ")) // a hunk without @@
	switch {
	case text.Blank(t):
		return true
	case e.repeats(l):
		return false
	case e.fenced && !named && (!bare || fsm.Classify(t).Kind != fsm.Text):
		e.notDiff = true // the fence contains markers, a diff with its own header, or other text
		return false
	case bytes.HasPrefix(t, []byte("@@")): // in a fence, the text after @@ names the place
		e.open(l.numbered)
		return true
	case bare:
		e.cur = &diffHunk{header: l.numbered, headless: e.fenced}
		return e.takes(l)
	}
	return false
}

// open begins a hunk with a header: "@@ -12,3 +12,4 @@", where a missing count means 1. Without
// numbers, the hunk has no counts.
func (e *diff) open(header numbered) {
	e.merge = e.merge || bytes.HasPrefix(header.text, []byte("@@@")) // git's format for merges
	h := &diffHunk{header: header}
	e.cur = h
	if m := diffRange().FindSubmatch(header.text); m != nil && len(m[1]) > 0 {
		h.counted = true
		h.start, _ = strconv.Atoi(string(m[1]))
		h.wantBefore, _ = strconv.Atoi(cmp.Or(string(m[2]), "1"))
		h.wantAfter, _ = strconv.Atoi(cmp.Or(string(m[4]), "1"))
	}
}

// endsDiff reports whether a line within a hunk is the first one after the diff.
func (e *diff) endsDiff(l diffLine) bool {
	t := l.text
	switch {
	case endsFence(t), mdline.OpensBlock(t), bytes.HasPrefix(t, []byte("diff --git ")):
		return true
	case string(t) == "EOF", string(t) == "PATCH": // the end of a shell command's here-document
		return true
	case e.fenced && fsm.Classify(t).Kind == fsm.Opener: // also one of dashes
		return true
	case string(t) == "-- " && e.cur.reached(): // git format-patch ends like this
		return true
	}
	return e.mayBeOldName(t) && e.beginsNextFile(e.next(l))
}

// mayBeOldName reports whether a line within a hunk may be the --- line of the next file.
func (e *diff) mayBeOldName(t []byte) bool {
	name, minus := bytes.CutPrefix(t, []byte("--- "))
	return minus && isDiffName(name) && (e.cur.reached() || !e.cur.counted)
}

// beginsNextFile reports whether a line within a hunk that looks like the --- line of the next file
// is that line, rather than a removed line that begins with "-- ". It judges by the lines below.
func (e *diff) beginsNextFile(below diffLine) bool {
	if !below.inside {
		return len(below.own) > 0 || e.cur.reached()
	}
	name, plus := bytes.CutPrefix(below.text, []byte("+++ "))
	if !plus || !isDiffName(name) {
		return false
	}
	third := e.next(below)
	return e.cur.reached() || len(third.own) > 0 &&
		(!third.inside || !hasOperator(third.text) && !isNote(third.text))
}

// content adds a line to the hunk, with or without an operator. It returns false if the line can't
// belong to the hunk.
func (e *diff) content(l diffLine) bool {
	h, op, line := e.cur, byte(0), l.own
	escaped := isEscapedOperator(l.text)
	switch {
	case hasOperator(l.text):
		op, line = l.text[0], l.own[1:]
	case h.headless:
		e.diagnose(diagnosis.Malformed, l.numbered, "-, + or a blank before each line of the diff",
			"write the diff again, with @@ above each hunk")
		e.cur = nil
		return false
	case escaped && h.complete():
		e.diagnose(diagnosis.Malformed, l.numbered, "the end of the hunk, according to its header",
			"write the hunk again, without backslashes before its lines")
		return true
	case escaped: // added, so that resolve can refuse the hunk because of it
	case h.reached() || len(h.blanks) > 0 || len(h.lines) == 0 && !h.counted:
		return false // prose below the hunk, not a line that lacks its operator
	}
	h.addLine(op, line, l.number)
	return true
}

// repeats reports whether a line is a second +++ line for the same file, or the first one, if it is
// below a hunk header. Such a line cannot be content, so the current hunk is refused.
func (e *diff) repeats(l diffLine) bool {
	written, ok := bytes.CutPrefix(l.text, []byte("+++ "))
	if !ok || !isDiffName(written) {
		return false
	}
	name := diffName(written)
	old, new := bareName(e.old, e.new)
	_, again := bareName("", name)
	switch {
	case again == "":
		return false
	case e.old+e.new == "": // there are no names above the hunks
		ok = strings.HasPrefix(name, "b/")
	default:
		ok = again == old || again == new
	}
	if ok {
		e.diagnose(diagnosis.Malformed, l.numbered,
			"--- and +++ once, above the hunks of the file", "write the diff of this file again")
		e.cur = nil
	}
	return ok
}

// endsFence reports whether the line may end the fence around a diff: it is a fence itself, or the
// closing tag of an element used as one.
func endsFence(t []byte) bool {
	if len(t) > 0 && t[0] == '<' {
		m, ok := mdline.ParseFence(t)
		return ok && m.Closes
	}
	return mdline.IsFence(t)
}

// refuseFence adds a fault if the hunk continues below a fence in it: then the fence is a line of
// the file that lacks its leading blank, and only a part of the diff was read. A fence that opens
// another diff doesn't count.
func (e *diff) refuseFence(fence diffLine) {
	h := e.cur
	word := string(bytes.Trim(fence.text, "`~ \t"))
	if h.complete() || word == "diff" || word == "patch" {
		return
	}
	short := h.counted && !h.reached() // the header announces more lines than those above the fence
	before, after := h.before+len(h.blanks)+1, h.after+len(h.blanks)+1
	prose := false // a line may begin a paragraph or a list
	for l, n := e.next(fence), 0; l.inside && n < maxBelowFence; l, n = e.next(l), n+1 {
		t := l.text
		switch {
		case len(t) == 0 && short, len(t) > 0 && t[0] == ' ':
			before, after = before+1, after+1
			prose = prose || len(t) == 0
			continue
		case !hasOperator(t), bytes.HasPrefix(t, []byte("--- ")), bytes.HasPrefix(t, []byte("+++ ")):
			return
		case t[0] == '-':
			before++
		default:
			after++
		}
		item := isListItem(t)
		certain := !item && (t[0] == '+' || !prose) // after prose, "-" may begin a list
		if certain || short && before == h.wantBefore && after == h.wantAfter {
			e.diagnose(diagnosis.Malformed, fence.numbered,
				"a blank before each unchanged line, even if it is a fence",
				"write the diff again, with a blank, - or + before each line, "+
					"in a fence that is longer than those inside")
			return
		}
		prose = prose || item
	}
}

// maxBelowFence is the number of lines below a fence that may show that a hunk continues there.
const maxBelowFence = 8

// isListItem reports whether a line that begins with - or + may be a list item or a rule instead of
// a line of the diff.
func isListItem(t []byte) bool {
	return len(t) == 1 || t[1] == ' ' && len(t) > 2 && t[2] != ' ' || len(bytes.Trim(t, "-+ ")) == 0
}

// endHunk turns the current hunk into a block, or adds a fault. complete says that the text below
// shows that the hunk is complete.
func (e *diff) endHunk(complete bool) {
	h := e.cur
	e.cur = nil
	lacks := slices.IndexFunc(h.lines, lacksOperator) // before the operator is added
	switch {
	case h.headless && !h.changes(), e.deletes && slices.ContainsFunc(h.lines, isNotRemoved):
		e.notDiff = true
		return
	case e.deletes:
		e.diagnose(diagnosis.Unsupported, e.first, ExpectedDeletion, RemedyDeletion)
		return
	case e.refuseHunk(h, complete):
		return
	}
	b := Block{Op: OpEdit, Dialect: Diff}
	_, last := h.bounds()
	b.Lines = [2]int{h.header.number, last}
	if h.wantBefore > 0 || !h.counted {
		b.StartLine = h.start
	}
	h.fill(&b)
	if lacks >= 0 && len(b.Warnings) == 0 {
		b.Warnings = append(b.Warnings, warnOperator(h.lines[lacks]))
	}
	switch inserts := len(b.Search) == 0; {
	case (lacks >= 0 || !h.changes()) && bytes.Equal(b.Search, b.Replace): // no line is meant to change
		e.diagnose(diagnosis.Malformed, h.header, "- and + lines below @@", "give the lines to change")
		return
	case inserts && h.headless:
		e.diagnose(diagnosis.Malformed, h.header, "lines of the file around the added ones",
			"give lines that are in the file, each with a blank before it, "+
				"or @@ -0,0 +1 @@ above the lines of a new file")
		return
	case inserts && h.start > 0 && h.wantBefore == 0: // @@ -12,0 +13,2 @@
		b.Op, b.StartLine, b.Readings = OpInsert, h.start, nil
	case inserts:
		b.Op, b.Readings = OpCreate, nil
	}
	e.empties = e.empties || bytes.Contains(h.header.text, []byte(" +0,0 ")) // no line is left
	e.Blocks = append(e.Blocks, b)
}

// refuseHunk adds a fault if lines may be missing at the end of the hunk, or if it contains a line
// that cannot be a line of the file. It reports whether it did. Otherwise it adds missing operators
// that are clear. complete is as in endHunk.
func (e *diff) refuseHunk(h *diffHunk, complete bool) bool {
	complete = complete || !h.headless && h.isWhole(e.ended)
	misread, isMisread := h.misread(e.atFence)
	switch {
	case !complete && h.counted:
		e.diagnose(diagnosis.Truncated, h.header, "the rest of the hunk",
			"give the hunk as many lines as its @@ header says, or put the diff into a closed fence")
	case !complete:
		e.diagnose(diagnosis.Truncated, h.header, "the rest of the hunk", "put the diff into a closed fence")
	case isMisread:
		e.diagnose(diagnosis.Malformed, misread,
			"fences and hunk headers on separate lines, without - or + before them",
			"write the diff of this file again")
	default:
		l, ok := h.resolve()
		if ok {
			e.diagnose(diagnosis.Malformed, l, "a blank, - or + before each line of the hunk",
				"write the hunk again; leave out everything that is not a line of the file")
		}
		return ok
	}
	return true
}

const (
	ExpectedDeletion = "*** Delete File: with the path, between *** Begin Patch and *** End Patch"
	RemedyDeletion   = "delete the file with a patch, or yourself"
)
