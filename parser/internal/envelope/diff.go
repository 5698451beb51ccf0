package envelope

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
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
	prefix           []byte
	first            numbered
	old, new         string // as written
	git              bool
	oldName, newName string // in the "diff --git" line
	fenced           bool   // the first line opens a fence; a hunk without a header may follow
	deletes          bool   // the text above says that the file is deleted; the hunk shows the file's lines
	headed           bool   // the --- and +++ lines or a hunk's header were read

	created, deleted, binary, copied bool
	merge                            bool // git's combined format, for merges
	renameFrom, renameTo             string
	oldMode, newMode                 string

	empties  bool // a hunk leaves the file empty
	cur      *diffHunk
	body     []Block
	pending  []numbered // lines that may be the next file's --- and +++
	inner    innerFence
	last     int  // the last line that belongs to the diff
	whole    bool // the last line read has a line end
	atFence  bool // the line after the diff closes a fence
	complete bool // the header or the text after the diff shows that it is complete
	notDiff  bool // the text turned out not to be a diff
	diags    []Fault
	back     int // see Unread
}

// startDiff returns a diff if the line is git's header, a --- line with a path, or a hunk header;
// otherwise it returns nil.
func startDiff(rest []byte, _ int, _ Markers) Envelope {
	raw := lineOf(rest)
	prefix := text.Margin(raw)
	head := text.Chomp(raw[len(prefix):])
	switch {
	case bytes.HasPrefix(head, []byte("diff --git ")):
		return newDiff(prefix)
	case bytes.HasPrefix(head, []byte("--- ")) && isDiffName(head[4:]):
		return newDiff(prefix)
	case bytes.HasPrefix(head, []byte("@@ -")) && diffRange().Match(head), string(bytes.TrimSpace(head)) == "@@ ... @@":
		return newDiff(prefix)
	}
	return nil
}

func newDiff(prefix []byte) *diff { return &diff{prefix: bytes.Clone(prefix)} }

// Line reads a line above the hunks, between them or in one, as [Envelope] says. A line without the
// first line's margin ends the diff.
func (e *diff) Line(raw []byte, number int) bool {
	if e.first.number == 0 { // the envelope's first line
		e.first = numbered{bytes.Clone(raw), number}
		e.last = number
		if e.fenced { // the line opens the fence
			return false
		}
	}
	e.whole = mdline.Ended(raw)
	own, ok := bytes.CutPrefix(raw, e.prefix)
	if !ok && !text.Blank(raw) {
		return e.stop(raw)
	}
	if !e.headed {
		return e.header(own, raw, number)
	}
	if e.cur == nil {
		return e.between(own, raw, number)
	}
	return e.inHunk(own, raw, number)
}

// StartFencedDiff returns an envelope for the diff in a fence that the line raw opens. The text
// above names the file. If the fence contains only lines with operators, they are a hunk without a
// header. deletes says that the text above says that the file is deleted.
func StartFencedDiff(raw []byte, deletes bool) Envelope {
	return &diff{deletes: deletes, prefix: bytes.Clone(text.Margin(raw)), fenced: true, headed: true}
}

// between reads a line that is below the file's header but not yet in a hunk. own is raw without
// its prefix. Like Line, between reports whether the envelope ends.
func (e *diff) between(own, raw []byte, number int) bool {
	t := text.Chomp(own)
	inFence := e.fenced && len(e.body) == 0 // no hunk was read in the fence so far
	switch {
	case text.Blank(t):
		return false
	case e.repeats(t):
		e.refuseName(t, number)
	case inFence && !e.deletes && bytes.HasPrefix(t, []byte("@@ ")) && !diffRange().Match(t):
		e.open(t, number) // the text after @@ names the place
		return false
	case inFence &&
		(!hasOperator(t) || fsm.Classify(t).Kind != fsm.Text || bytes.HasPrefix(t, []byte("--- "))):
		e.notDiff = true // the fence contains markers, a diff with its own header, or other text
	case bytes.HasPrefix(t, []byte("@@")):
		e.open(t, number)
		return false
	case len(e.body) == 0 && hasOperator(t) && !bytes.HasPrefix(t, []byte("--- ")): // no @@
		e.cur = &diffHunk{header: numbered{bytes.Clone(t), number}}
		return e.inHunk(own, raw, number)
	}
	return e.stop(raw)
}

// open begins a hunk whose header is t: "@@ -12,3 +12,4 @@", where a missing count means 1. Without
// numbers, the hunk has no counts.
func (e *diff) open(t []byte, number int) {
	e.merge = e.merge || bytes.HasPrefix(t, []byte("@@@")) // git's format for merges
	e.cur = &diffHunk{header: numbered{bytes.Clone(t), number}}
	e.last = number
	m := diffRange().FindSubmatch(t)
	if m == nil || len(m[1]) == 0 {
		return
	}
	count := func(s []byte) int {
		if len(s) == 0 {
			return 1
		}
		n, _ := strconv.Atoi(string(s))
		return n
	}
	e.cur.start, _ = strconv.Atoi(string(m[1]))
	e.cur.counted = true
	e.cur.wantBefore, e.cur.wantAfter = count(m[2]), count(m[4])
}

// inHunk reads a line below a hunk's header. Like Line, it reports whether the envelope ends. own
// is raw without the diff's margin.
func (e *diff) inHunk(own, raw []byte, number int) bool {
	t, h := text.Chomp(own), e.cur
	if e.inner.lines > 0 {
		return e.belowFence(t, raw)
	}
	switch name, plus := bytes.CutPrefix(t, []byte("+++ ")); {
	case len(e.pending) == 2 && (h.reached() || !hasOperator(t) && !isNote(t)):
		return e.stop(raw) // the pending lines begin the next file
	case len(e.pending) == 2, len(e.pending) == 1 && !(plus && isDiffName(name)):
		e.release() // the pending lines are changed lines that look like names
	}
	switch {
	case len(t) == 0:
		h.blank(numbered{bytes.Clone(own), number})
	case bytes.HasPrefix(t, []byte("@@")):
		e.close(true /* complete */)
		e.open(t, number)
	case e.mayBeInner(t):
		e.startInner(t, number)
	case e.endsDiff(t):
		return e.stop(raw)
	case len(e.pending) == 1 || e.mayBeOldName(t): // --- and +++ of the next file, or content
		e.pending = append(e.pending, numbered{bytes.Clone(raw), number})
	case e.repeats(t):
		e.refuseName(t, number)
		return e.stop(raw)
	case isNote(t): // "\ No newline at end of file"
		h.unterminated(own)
		e.last, e.whole = number, true
	default:
		return e.content(own, raw, number)
	}
	return false
}

// endsDiff reports whether a line within a hunk is the first one after the diff.
func (e *diff) endsDiff(t []byte) bool {
	switch {
	case endsFence(t), mdline.OpensBlock(t), isHeredocEnd(t):
		return true
	case bytes.HasPrefix(t, []byte("diff --git ")): // the next file
		return true
	case e.fenced && fsm.Classify(t).Kind == fsm.Opener: // also one of dashes
		return true
	}
	return string(t) == "-- " && e.cur.reached() // git format-patch ends like this
}

// mayBeOldName reports whether a line within a hunk may be the --- line of the next file.
func (e *diff) mayBeOldName(t []byte) bool {
	name, minus := bytes.CutPrefix(t, []byte("--- "))
	return minus && isDiffName(name) && (e.cur.reached() || !e.cur.counted)
}

// content adds a line to the hunk, with or without an operator, or ends the hunk if the line can't
// belong to it. own is the line without the margin of the diff, raw the line as it is in the reply.
// Like Line, content reports whether the envelope ends.
func (e *diff) content(own, raw []byte, number int) bool {
	t, h := text.Chomp(own), e.cur
	op, line := byte(0), own
	switch {
	case hasOperator(t):
		op, line = t[0], own[1:]
	case e.headless():
		e.diagnose(diagnosis.Malformed, numbered{t, number}, "-, + or a blank before each line of the diff",
			"write the diff again, with @@ above each hunk")
		e.cur = nil
		return e.stop(raw)
	case isEscapedOperator(t) && h.complete():
		e.diagnose(diagnosis.Malformed, numbered{t, number}, "the end of the hunk, according to its header",
			"write the hunk again, without backslashes before its lines")
		return false
	case isEscapedOperator(t): // added, so that intruder can refuse the hunk because of it
	case h.reached() || len(h.blanks) > 0 || len(h.lines) == 0 && !h.counted:
		return e.stop(raw) // prose below the hunk, not a line that lacks its operator
	}
	h.addLine(op, bytes.Clone(line), number)
	e.last = number
	return false
}

// repeats reports whether a line is a second +++ line for the same file, or the first one but below
// a hunk header. Such a line cannot be content.
func (e *diff) repeats(t []byte) bool {
	name, ok := bytes.CutPrefix(t, []byte("+++ "))
	if !ok || !isDiffName(name) {
		return false
	}
	old, new := bareName(e.old, e.new)
	_, again := bareName("", diffName(name))
	switch {
	case again == "":
		return false
	case e.old+e.new == "": // there are no names above the hunks
		return strings.HasPrefix(diffName(name), "b/")
	}
	return again == old || again == new
}

// refuseName refuses the current hunk, if any, because of a +++ line that repeats the file's name.
func (e *diff) refuseName(t []byte, number int) {
	e.diagnose(diagnosis.Malformed, numbered{t, number},
		"--- and +++ once, above the hunks of the file", "write the diff of this file again")
	e.cur = nil
}

// headless reports whether the current hunk has no header, which is possible in a fence for a diff.
func (e *diff) headless() bool { return e.fenced && !bytes.HasPrefix(e.cur.header.text, []byte("@@")) }

// isHeredocEnd reports whether the line ends the here-document of a shell command around a diff,
// such as git apply <<'EOF'.
func isHeredocEnd(t []byte) bool { return string(t) == "EOF" || string(t) == "PATCH" }

// release adds the pending lines, which looked like the next file's --- and +++, to the hunk: they
// are changed lines that begin with "-- " or "++ ".
func (e *diff) release() {
	for _, l := range e.pending {
		text := l.text[len(e.prefix):]
		e.cur.addLine(text[0], text[1:], l.number)
		e.last = l.number
	}
	e.pending = nil
}

// stop ends the envelope before the line raw, and returns true. It records how many lines are read
// again: raw, and the lines from an inner fence on or those that belong to the next file. A line
// that isn't cut off shows that the last hunk is complete.
func (e *diff) stop(raw []byte) bool {
	e.atFence = e.inner.lines > 0 || endsFence(bytes.TrimPrefix(raw, e.prefix))
	e.complete = e.inner.lines > 0 || mdline.Ended(raw) || mdline.IsFence(bytes.TrimPrefix(raw, e.prefix))
	e.back, e.inner.lines = e.inner.lines, 0
	if e.cur != nil || e.notDiff {
		for _, l := range e.pending {
			if l.number > e.first.number { // an envelope always consumes its first line
				e.back++
			}
		}
		e.pending = nil
	}
	e.back++
	return true
}

func (e *diff) Unread() int { return e.back }

// close turns the current hunk into a block, or adds a diagnostic if it can't. complete says that
// the text after the hunk shows that it is complete.
func (e *diff) close(complete bool) {
	h := e.cur
	if h == nil {
		return
	}
	headless := e.headless()
	e.cur = nil
	if headless && !h.changes() {
		e.notDiff = true
		return
	}
	if e.deletes {
		e.notDiff = slices.ContainsFunc(h.lines, func(l hunkLine) bool { return l.op != '-' })
		if !e.notDiff {
			e.diagnose(diagnosis.Unsupported, e.first, ExpectedDeletion, RemedyDeletion)
		}
		return
	}
	if n := h.takeAnnounced(); n > 0 {
		e.last = n
	}
	if e.refuseTruncated(h, complete, headless) {
		return
	}
	lacks := slices.IndexFunc(h.lines, lacksOperator) // before the operator is added
	forgot := lacks >= 0
	if e.refuseUnusable(h) {
		return
	}
	b := Block{Op: OpEdit, Dialect: Diff}
	_, last := h.bounds()
	b.Lines = [2]int{h.header.number, last}
	if h.wantBefore > 0 || !h.counted {
		b.StartLine = h.start
	}
	h.fill(&b)
	if forgot && len(b.Warnings) == 0 {
		b.Warnings = append(b.Warnings, warnOperator(h.lines[lacks]))
	}
	switch inserts := len(b.Search) == 0; {
	case forgot && bytes.Equal(b.Search, b.Replace): // lines without operators, and no change
		e.diagnose(diagnosis.Malformed, h.header, "- and + lines below @@", "give the lines to change")
		return
	case inserts && headless:
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
	e.body = append(e.body, b)
}

// refuseTruncated adds a diagnostic if lines may be missing at the end of the hunk, and reports
// whether it did. complete is that of close; headless says that the hunk has no header.
func (e *diff) refuseTruncated(h *diffHunk, complete, headless bool) bool {
	switch {
	case complete || !headless && h.isWhole(e.whole):
		return false
	case headless:
		e.diagnose(diagnosis.Truncated, h.header, "the end of the fence",
			"send the whole diff again, in a closed fence")
	case h.counted:
		e.diagnose(diagnosis.Truncated, h.header, "the rest of the hunk",
			"give the hunk as many lines as its @@ header says, or put the diff into a closed fence")
	default:
		e.diagnose(diagnosis.Truncated, h.header, "the rest of the hunk", "put the diff into a closed fence")
	}
	return true
}

// refuseUnusable adds a diagnostic if the hunk changes nothing or contains a line that cannot be a
// line of the file, and reports whether it did. Otherwise it adds missing operators that are clear.
func (e *diff) refuseUnusable(h *diffHunk) bool {
	if !h.changes() {
		e.diagnose(diagnosis.Malformed, h.header, "- and + lines below @@", "give the lines to change")
		return true
	}
	if l, ok := h.misread(e.atFence); ok {
		e.diagnose(diagnosis.Malformed, l,
			"fences and hunk headers on separate lines, without - or + before them",
			"write the diff of this file again")
		return true
	}
	l, ok := h.resolve()
	if ok {
		e.diagnose(diagnosis.Malformed, l, "a blank, - or + before each line of the hunk",
			"write the hunk again; leave out everything that is not a line of the file")
	}
	return ok
}

func (e *diff) diagnose(code string, at numbered, expected, remedy string) {
	e.diags = append(e.diags, Fault{
		Code: code, Line: at.number, Found: mdline.Excerpt(at.text), Expected: expected, Remedy: remedy,
	})
}

// Finish ends the last hunk and returns the blocks of the file and the faults. It returns no blocks
// if the text is not a diff, which may only show in the last hunk.
func (e *diff) Finish() ([]Block, []Fault) {
	if e.notDiff {
		return nil, nil
	}
	if e.inner.lines > 0 { // the input ends in a fence below the diff, which is read again
		e.back, e.complete = e.inner.lines, true
	}
	if e.cur == nil && len(e.pending) > 0 && !e.complete && !e.git {
		return nil, nil // only a --- line at the end of the input
	}
	whole := e.complete // no line of this file's part is missing
	if e.cur != nil {
		if e.cur.reached() && len(e.pending) > 0 { // the input ends in the next file's header
			e.diagnose(diagnosis.Truncated, e.pending[0], "the changes of this file",
				"give at least one hunk below the file's header")
			e.pending = nil
			e.complete = true
		}
		e.release()
		before := len(e.body)
		e.close(e.complete)
		whole = whole || len(e.body) > before // close adds a block only for a complete hunk
		if e.notDiff && len(e.body) == 0 {
			return nil, e.diags
		}
	}
	return e.blocks(whole), e.diags
}

// blocks sets the path of the hunks and returns them with the block for the header's action, if
// any. If the header contradicts itself or the hunks, it returns nil and adds a diagnostic. whole
// says that the file's part of the diff is complete.
func (e *diff) blocks(whole bool) []Block {
	creates := !e.git && len(e.body) == 1 && e.body[0].Op == OpCreate // @@ -0,0, whatever the names
	old, new := e.sideNames(creates)
	name, raw := old, e.old
	if old == devNull || old == "" || creates && new != "" && new != devNull {
		name, raw = new, e.new
	}
	if e.contradicts(old, new) {
		e.diagnose(diagnosis.Malformed, e.first, "the same file in all header lines, and one action",
			"write the header again: /dev/null is the old name of a new file and the new name of a deleted one")
		return nil
	}
	if e.renameFrom != "" {
		name, raw = e.renameFrom, ""
	}
	if raw == name { // there was no prefix, a/ or b/, so RawPath stays empty
		raw = ""
	}
	for i := range e.body {
		e.body[i].Path, e.body[i].RawPath = name, raw
	}
	if len(e.body) > 0 && e.body[0].Op != OpCreate && e.renameFrom == "" && otherFile(old, new) {
		e.body[0].Warnings = append(e.body[0].Warnings,
			warning.TakenFor.Say("the diff names %s and %s; it was taken for %s", old, new, name))
	}
	if e.refuseUnsupported() {
		return nil
	}
	head := Block{Path: name, RawPath: raw, Dialect: Diff, Lines: [2]int{e.first.number, e.last}}
	blocks := e.act(head, old, new, whole)
	if !e.changesMode() {
		if len(blocks) == 0 && len(e.diags) == 0 {
			e.refuseEmpty(whole)
		}
	} else if len(blocks) > 0 {
		blocks[0].Warnings = append(blocks[0].Warnings,
			warning.FileMode.Say("the file's mode is not changed to %s", e.newMode))
	} else if len(e.diags) == 0 {
		e.diagnose(diagnosis.Unsupported, e.first, "a change to text", "change the mode with chmod")
	}
	return blocks
}

// otherFile reports whether two names of a diff are those of different files. It returns false if
// they may be two versions of a file, such as a.py and old/a.py or a.py.bak, or if one is missing.
func otherFile(old, new string) bool {
	a, b := path.Base(old), path.Base(new)
	return !isMissing(old) && !isMissing(new) && !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a)
}

// sideNames returns the file's old and new names, without the prefixes a/ and b/. creates says that
// the only hunk creates a file. sideNames also corrects e.old if it is a/dev/null or a copy's name.
func (e *diff) sideNames(creates bool) (old, new string) {
	if creates && isNull(e.old) && !isNull(e.new) {
		e.old = devNull
	}
	old, new = bareName(e.old, e.new)
	if old == new+".orig" { // a copy kept for comparison
		old, e.old = new, e.new
	}
	_, a, _ := strings.Cut(old, "/")
	_, b, _ := strings.Cut(new, "/")
	if creates && old != new && a == b && a != "" { // two trees were compared: diff -urN before after
		old, new = a, b
	}
	return old, new
}

// refuseUnsupported adds a diagnostic if the header requests something that no block can do, and
// reports whether it did.
func (e *diff) refuseUnsupported() bool {
	var expected, remedy string
	switch {
	case e.binary:
		expected, remedy = "a text diff", "send text files only; copy binary files yourself"
	case e.merge:
		e.diags = nil // its hunks were read as those of a usual diff
		expected = "a diff of two versions"
		remedy = "send the edit as a block: a merge diff does not say what to change"
	case e.copied:
		expected, remedy = "an edit, a new file or a rename", "write the copy as a new file"
	case strings.HasPrefix(e.newMode, "12") || strings.HasPrefix(e.newMode, "16"): // 120000, 160000
		expected, remedy = "a file with text", "create the link or submodule yourself"
	default:
		return false
	}
	e.diagnose(diagnosis.Unsupported, e.first, expected, remedy)
	return true
}

// act applies the header's action (create, delete or rename) to the hunks and returns the blocks.
// If no hunk carries out the action and nothing was refused, it adds head as a separate block. old
// and new are the names without prefixes.
func (e *diff) act(head Block, old, new string, whole bool) []Block {
	complete := whole && len(e.diags) == 0
	switch {
	case e.old == devNull || e.created:
		return e.actOnFile(OpCreate, head, complete && e.created)
	case e.new == devNull || e.deleted:
		return e.actOnFile(OpDelete, head, complete && e.deleted)
	case e.renameTo != "" && e.renameTo != head.Path:
		if complete {
			head.Op, head.NewPath = OpMove, e.renameTo
			return append(e.body, head)
		}
	case old != new && e.headed && e.old != "" && e.new != "" && len(e.body) > 0 && len(e.diags) == 0:
		// Two names without a rename: the file may have either.
		e.body[0].Names = []Name{{Text: new}}
	}
	return e.body
}

// actOnFile turns hunks with an empty side into blocks that create or delete the file (op). Without
// any hunk, head becomes that block if the header alone is enough (headed).
func (e *diff) actOnFile(op Op, head Block, headed bool) []Block {
	blocks := e.body
	if len(blocks) == 0 && headed {
		blocks = append(blocks, head)
	}
	for i := range blocks {
		missing := blocks[i].Search
		if op == OpDelete {
			missing = blocks[i].Replace
		}
		if len(missing) == 0 {
			blocks[i].Op, blocks[i].StartLine = op, 0
		}
	}
	return blocks
}

// changesMode reports whether the header changes the file's mode, or creates an executable file.
func (e *diff) changesMode() bool {
	return e.oldMode != e.newMode && e.oldMode != "" && e.newMode != "" ||
		e.created && strings.HasSuffix(e.newMode, "755")
}

// contradicts reports whether a header that creates, deletes or renames a file names different
// files or requests two of these actions. git refuses most such headers. old and new are the names
// without prefixes.
func (e *diff) contradicts(old, new string) bool {
	creates, gone := e.created || e.old == devNull, e.deleted || e.new == devNull
	renames := e.renameFrom+e.renameTo != ""
	named := e.git && e.headed && (e.old != e.oldName || e.new != e.newName) // below the line diff --git
	oneNull := isNull(e.old) != isNull(e.new)
	switch {
	case creates && (gone || renames), gone && renames: // two actions
		return true
	case oneNull && (old == bareNull || new == bareNull): // "a/dev/null" may be either
		return true
	case renames:
		return e.renameFrom == "" || e.renameTo == "" ||
			named && (old != e.renameFrom || new != e.renameTo)
	case !creates && !gone: // it is unclear which of two files is emptied or filled
		return old != new && (e.empties || e.git && len(e.body) > 0 && e.body[0].Op == OpCreate)
	}
	return e.git && e.namesAnother(creates, named, old, new)
}

// namesAnother reports whether the "diff --git" line of a created or deleted file names a file
// other than the one in the lines below it. If named is set, the lines below name it as old and
// new.
func (e *diff) namesAnother(creates, named bool, old, new string) bool {
	oldName, newName := bareName(e.oldName, e.newName)
	switch {
	case !named:
		return oldName != newName && oldName != devNull && newName != devNull
	case creates:
		return new != newName
	}
	return old != oldName
}

// refuseEmpty adds a diagnostic for a header with no change below it. If whole is false, the change
// may have been cut off.
func (e *diff) refuseEmpty(whole bool) {
	code := diagnosis.Malformed
	if !whole {
		code = diagnosis.Truncated
	}
	e.diagnose(code, e.first, "@@ and the lines to change", "give at least one hunk below the file's header")
}

const (
	ExpectedDeletion = "*** Delete File: with the path, between *** Begin Patch and *** End Patch"
	RemedyDeletion   = "delete the file with a patch, or yourself"
)
