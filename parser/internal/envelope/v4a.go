package envelope

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// The markers of V4A, the patch format of apply_patch, in lower case and without asterisks.
const (
	v4aBegin  = "begin patch"
	v4aEnd    = "end patch"
	v4aUpdate = "update file:"
	v4aAdd    = "add file:"
	v4aDelete = "delete file:"
	v4aMove   = "move to:"
	v4aEOF    = "end of file"
)

// v4aMarker splits a marker line, such as `*** Update File: a.go`, into the marker and its
// argument. Decoration at the end (`*** Begin Patch ***`) and blanks around the line are allowed.
// For any other line it returns "".
func v4aMarker(raw []byte) (marker, arg string) {
	text := bytes.TrimSpace(raw)
	if !bytes.HasPrefix(text, []byte("***")) && !bytes.HasPrefix(text, []byte("** ")) {
		return "", ""
	}
	rest := bytes.TrimSpace(bytes.TrimLeft(text, "*"))
	if bytes.HasSuffix(rest, []byte("**")) && text[2] != '*' {
		return "", "" // bold text
	}
	if bare := bytes.TrimRight(rest, "*"); len(bare) < len(rest) && bytes.HasSuffix(bare, []byte(" ")) {
		rest = bytes.TrimSpace(bare)
	}
	word := bytes.TrimRight(rest, `"'`) // a shell quote may follow
	for _, m := range [...]string{v4aBegin, v4aEnd, v4aEOF} {
		if bytes.EqualFold(word, []byte(m)) {
			return m, ""
		}
	}
	for _, m := range [...]string{v4aUpdate, v4aAdd, v4aDelete, v4aMove} {
		if len(rest) >= len(m) && bytes.EqualFold(rest[:len(m)], []byte(m)) {
			return m, string(bytes.Trim(bytes.TrimSpace(rest[len(m):]), "`\"'"))
		}
	}
	return "", ""
}

// isV4ASection reports whether the marker begins a file's section.
func isV4ASection(marker string) bool {
	return marker == v4aUpdate || marker == v4aAdd || marker == v4aDelete
}

// v4aHeredoc matches the shell command around a patch. Its groups are the directory that the
// command changes to and the terminator of the here-document.
var v4aHeredoc = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t]*(?:\$ )?(?:cd[ \t]+("[^"]+"|'[^']+'|[^\s;&|"']+)[ \t]*&&[ \t]*)?` +
		`(?:apply_patch|applypatch)[ \t]*<<-?[ \t]*["']?(\w+)["']?[ \t]*\r?\n?$`)
})

// v4a reads a patch for apply_patch. Each chunk becomes a block, with its context in both SEARCH
// and REPLACE. If a file is moved, its chunks edit the old path, and an OpMove block follows them.
//
// The end marker may be missing if something else shows that the patch is complete: the end of the
// fence or of the here-document, or the opener of another block. The end of the input doesn't show
// that, so the section cut off there gives no block.
type v4a struct {
	heredoc    bool
	dir        string
	terminator string

	prefix  []byte // blanks before the begin marker
	dedent  bool   // every line of the patch begins with prefix
	update  bool   // inside the section of a changed file
	inChunk bool   // inside the lines of a change: a padded marker is content
	pending bool   // the last line is a padded end marker inside a chunk
	ended   bool   // the end marker was read
	over    bool   // the end marker or the text after the patch shows that it is complete

	noBegin bool
	lines   []numbered
	text    []byte // backing array for the text of lines
	back    int
}

// NamesFile reports whether a line is a V4A marker that names a file.
func NamesFile(raw []byte) bool {
	marker, arg := v4aMarker(raw)
	return isV4ASection(marker) && arg != ""
}

// startV4A returns a v4a if the line is a begin marker, the shell command around a patch, or a
// file's marker without a begin marker; otherwise it returns nil.
func startV4A(raw []byte, number int, _ Markers) Envelope {
	marker, arg := v4aMarker(raw)
	switch {
	case marker == v4aBegin:
		return &v4a{prefix: bytes.Clone(text.Margin(raw))}
	case isV4ASection(marker) && arg != "":
		return &v4a{prefix: bytes.Clone(text.Margin(raw)), noBegin: true}
	case marker == v4aEnd:
		return strayEnd(raw, number, V4A, "*** Begin Patch")
	case marker != "":
		return nil
	}
	if !bytes.Contains(raw, []byte("<<")) {
		return nil
	}
	if m := v4aHeredoc().FindSubmatch(raw); m != nil {
		return &v4a{heredoc: true, dir: strings.Trim(string(m[1]), `"'`), terminator: string(m[2])}
	}
	return nil
}

// Line stores a line for Finish, without the margin of an indented patch, or ends the patch. A
// marker that is indented like context (" *** End Patch") is content inside a change.
func (e *v4a) Line(raw []byte, number int) bool {
	if e.heredoc && len(e.lines) == 0 {
		e.keep(raw, number)
		return false
	}
	own := raw
	if e.dedent {
		own = bytes.TrimPrefix(raw, e.prefix)
	}
	marker, _ := v4aMarker(own)
	padded := len(text.Margin(own)) > 0
	if e.terminator != "" && string(bytes.TrimSpace(raw)) == e.terminator && !e.isCommandOnly(marker) {
		e.over = true
		return true
	}
	if e.endAbove(own, marker, padded) {
		e.back = 1
		return true
	}
	e.pending = false
	if e.inChunk && padded {
		e.pending = marker == v4aEnd // perhaps not context after all, see Finish
		if !e.pending || len(e.prefix) == 0 {
			marker = "" // context that looks like a marker; only an indented patch has an indented end
		}
	}
	switch {
	case marker == v4aBegin && e.heredoc:
		e.prefix = bytes.Clone(text.Margin(raw))
	case marker == v4aEnd:
		e.ended, e.over, e.pending = true, true, false
		return e.terminator == ""
	case isV4ASection(marker):
		if !e.dedent && len(e.prefix) > 0 && bytes.HasPrefix(own, e.prefix) {
			e.dedent, own = true, own[len(e.prefix):]
		}
		e.update, e.inChunk = marker == v4aUpdate, false
	case marker == "" && !text.Blank(own):
		e.inChunk = e.update
	}
	e.keep(own, number)
	return false
}

// isCommandOnly reports whether the current line is directly below the shell command and its marker
// is not the beginning of a V4A patch, so that the command's input isn't one.
func (e *v4a) isCommandOnly(marker string) bool {
	return e.heredoc && len(e.lines) == 1 && marker != v4aBegin
}

// endAbove reports whether the patch ends above the line own. It sets e.over if the line shows that
// the patch is complete: a fence, a block's opener or the next patch's begin marker. marker is the
// line's V4A marker, and padded says that the line is indented.
func (e *v4a) endAbove(own []byte, marker string, padded bool) bool {
	if e.ended || e.isCommandOnly(marker) {
		return true
	}
	belowCommand := e.heredoc && len(e.lines) == 1 // there, the marker is the patch's own
	begins := marker == v4aBegin && !padded && !belowCommand
	if len(e.lines) > 0 && (begins || mdline.IsFence(own) || mdline.OpensBlock(own)) {
		e.over = true
	}
	return e.over
}

// keep stores a copy of a line for Finish.
func (e *v4a) keep(raw []byte, number int) {
	if cap(e.text)-len(e.text) < len(raw) {
		e.text = make([]byte, 0, max(1<<10, len(raw)))
	}
	n := len(e.text)
	e.text = append(e.text, raw...)
	e.lines = append(e.lines, numbered{e.text[n:len(e.text):len(e.text)], number})
}

func (e *v4a) Unread() int { return e.back }

// Finish parses the stored lines into blocks. If nothing shows that the patch is complete, it adds
// a fault.
func (e *v4a) Finish() ([]Block, []Fault) {
	if e.heredoc && len(e.lines) == 1 {
		return nil, nil // the command's input is not a patch
	}
	lines := e.lines
	if e.heredoc {
		lines = lines[1:]
	}
	if e.over && e.pending { // the padded end marker was not context after all
		e.ended, lines = true, lines[:len(lines)-1]
	}
	p := v4aParser{lines: lines, dir: e.dir, over: e.over}
	p.run()
	var warnings []string
	if e.noBegin {
		warnings = append(warnings, warning.OddMarkers.Say("*** Begin Patch is missing"))
	}
	if !e.ended && e.over {
		warnings = append(warnings, warning.OddMarkers.Say("*** End Patch is missing"))
	}
	if !e.ended && e.over && e.terminator == "" {
		p.restrictLast()
	}
	if len(p.blocks) > 0 {
		first := &p.blocks[0]
		first.Warnings = append(warnings, first.Warnings...)
	}
	if !e.over && len(lines) > 0 {
		end := lines[len(lines)-1]
		remedy := "end the patch with the line *** End Patch; an unfinished edit is not applied"
		if whole := e.closed(lines); whole != "" {
			remedy = "an unfinished edit is not applied; " +
				"if nothing is missing, send the patch with its end:\n" + whole
		}
		p.diagnose(diagnosis.Truncated, end, "*** End Patch", remedy)
	}
	return p.blocks, p.diags
}

// restrictLast restricts the last section of a patch without an end marker, because more lines may
// have been meant to follow. The section's edits have to match exactly. A new file is refused,
// because it may be incomplete.
func (p *v4aParser) restrictLast() {
	last := p.blocks[p.last:]
	for i := range last {
		if last[i].Op == OpCreate {
			at := p.lines[len(p.lines)-1]
			p.blocks = p.blocks[:p.last]
			p.diagnose(diagnosis.Truncated, at, "*** End Patch",
				"the new file may continue below this line; if it does not, send the patch with its end")
			return
		}
		last[i].Exact = true
	}
}

// closed returns the patch with an end marker added, to be offered as a remedy. It returns ""
// unless the last line has a line end and the last section changes an existing file, because a new
// file may continue after any line. It also returns "" for a long patch, and for one below a cd
// command, which would be lost.
func (e *v4a) closed(lines []numbered) string {
	last := lines[len(lines)-1].text
	if !mdline.Ended(last) || e.dir != "" || len(lines) > maxOffered {
		return ""
	}
	var out strings.Builder
	if e.noBegin {
		out.WriteString("*** Begin Patch\n")
	}
	update, changed := false, false
	for _, l := range lines {
		if m, _ := v4aMarker(l.text); isV4ASection(m) {
			update, changed = m == v4aUpdate, false
		}
		changed = changed || update && len(l.text) > 0 && (l.text[0] == '+' || l.text[0] == '-')
		out.Write(l.text)
	}
	if !changed {
		return ""
	}
	return out.String() + "*** End Patch"
}

// maxOffered is the maximum number of lines in a patch that is offered as a remedy.
const maxOffered = 80
