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
	if !bytes.HasPrefix(text, []byte("***")) {
		return "", ""
	}
	rest := bytes.TrimSpace(bytes.TrimLeft(text, "*"))
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

// v4a reads a patch for apply_patch. Each hunk becomes a block, with its context in both SEARCH
// and REPLACE. If a file is moved, its hunks edit the old path, and an OpMove block follows them.
//
// The end marker may be missing if something else shows that the patch is complete: the end of the
// fence or of the here-document, or the opener of another block. The end of the input doesn't show
// that, so the section cut off there gives no block.
type v4a struct {
	Envelope
	dir        string // the directory that the shell command changes to
	terminator string // of the here-document
	noBegin    bool
	lines      []v4aLine
	ended      bool // by its end marker
	over       bool // the end marker or the text after the patch shows that it is complete

	at     int      // index of the current line
	last   int      // number of blocks before the last section
	scope  []string // anchors of the next hunk, from a hunk that has only context
	anchor []byte   // the last anchor as written
}

// v4aLine is a line of a patch, without the margin of an indented patch. marker and arg are those
// of a marker line. A marker that is indented like context (" *** End Patch") is content inside a
// hunk, so it has none.
type v4aLine struct {
	numbered
	marker, arg string
}

// NamesFile reports whether a line is a V4A marker that names a file.
func NamesFile(raw []byte) bool {
	marker, arg := v4aMarker(raw)
	return isV4ASection(marker) && arg != ""
}

// readV4A reads the patch that begins with the first line of rest: a begin marker, the shell
// command around a patch, or a file's marker without a begin marker. It returns nil if there is
// none, and an envelope without edits for a command whose input isn't a patch.
func readV4A(rest []byte, number int, _ Markers) *Envelope {
	raw := lineOf(rest)
	marker, arg := v4aMarker(raw)
	p := v4a{Envelope: Envelope{Lines: 1, Limited: true}, noBegin: isV4ASection(marker) && arg != ""}
	command := 0 // number of lines above the patch
	switch {
	case marker == v4aBegin, p.noBegin:
	case marker == v4aEnd:
		return strayEnd(raw, number, V4A, "*** Begin Patch")
	case marker != "" || !bytes.Contains(raw, []byte("<<")):
		return nil
	default:
		m := v4aHeredoc().FindSubmatch(raw)
		if m == nil {
			return nil
		}
		rest = rest[len(raw):]
		if below, _ := v4aMarker(lineOf(rest)); below != v4aBegin {
			return &p.Envelope // the command's input is not a patch
		}
		p.dir, p.terminator, command = strings.Trim(string(m[1]), `"'`), string(m[2]), 1
	}
	p.readOn = func() {
		p.Lines = command + p.split(rest, number+command)
		p.run()
		p.finish()
	}
	return &p.Envelope
}

// split finds the lines of the patch at the start of rest and what ends it. It returns the number
// of lines that the patch takes with its end. Nothing beyond MaxSize is read.
func (p *v4a) split(rest []byte, number int) (n int) {
	prefix := text.Margin(lineOf(rest))
	var margin []byte // prefix, once the marker of a file has it, too
	update := false   // inside the section of a changed file
	inHunk := false   // inside the lines of a hunk
	for size := 0; !p.over && len(rest) > 0 && size <= MaxSize; {
		raw := lineOf(rest)
		l := v4aLine{numbered: numbered{bytes.TrimPrefix(raw, margin), number + n}}
		l.marker, l.arg = v4aMarker(l.text)
		padded := len(text.Margin(l.text)) > 0
		if p.isTerminator(raw) || n > 0 && l.endsAbove(padded) {
			p.over = true
			break
		}
		rest, size, n = rest[len(raw):], size+len(raw)+LineCost, n+1
		switch {
		case l.marker == v4aEnd && (!inHunk || !padded || len(prefix) > 0):
			p.ended, p.over = true, true // only an indented patch has an indented end
			continue
		case padded && (inHunk || update && (l.marker == v4aBegin || l.marker == v4aEOF)):
			l.marker = ""
		case isV4ASection(l.marker):
			if bytes.HasPrefix(l.text, prefix) {
				margin, l.text = prefix, l.text[len(prefix):]
			}
			update, inHunk = l.marker == v4aUpdate, false
		}
		inHunk = inHunk || update && l.marker == "" && len(text.Chomp(l.text)) > 0
		p.lines = append(p.lines, l)
	}
	if p.isTerminator(lineOf(rest)) {
		n++
	}
	return n
}

// endsAbove reports whether the line shows that the patch above it is complete: a fence, a block's
// opener or the next patch's begin marker. padded says that the line is indented.
func (l *v4aLine) endsAbove(padded bool) bool {
	return l.marker == v4aBegin && !padded || mdline.IsFence(l.text) || mdline.OpensBlock(l.text)
}

// isTerminator reports whether the line ends the here-document.
func (p *v4a) isTerminator(raw []byte) bool {
	return p.terminator != "" && string(bytes.TrimSpace(raw)) == p.terminator
}

// finish adds the warnings about missing markers, and a fault if nothing shows that the patch is
// complete.
func (p *v4a) finish() {
	var warnings []string
	if p.noBegin {
		warnings = append(warnings, warning.OddMarkers.Say("*** Begin Patch is missing"))
	}
	if !p.ended && p.over {
		warnings = append(warnings, warning.OddMarkers.Say("*** End Patch is missing"))
		if p.terminator == "" {
			p.restrictLast()
		}
	}
	if len(p.Blocks) > 0 {
		first := &p.Blocks[0]
		first.Warnings = append(warnings, first.Warnings...)
	}
	if !p.over {
		p.diagnose(diagnosis.Truncated, p.lines[len(p.lines)-1].numbered, "*** End Patch",
			"end the patch with the line *** End Patch; an unfinished edit is not applied")
	}
}

// restrictLast restricts the last section of a patch without an end marker, because more lines may
// have been meant to follow. The section's edits have to match exactly. A new file is refused,
// because it may be incomplete.
func (p *v4a) restrictLast() {
	last := p.Blocks[p.last:]
	for i := range last {
		if last[i].Op == OpCreate {
			p.Blocks = p.Blocks[:p.last]
			p.diagnose(diagnosis.Truncated, p.lines[len(p.lines)-1].numbered, "*** End Patch",
				"the new file may continue below this line; if it does not, send the patch with its end")
			return
		}
		last[i].Exact = true
	}
}
