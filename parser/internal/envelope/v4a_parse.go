package envelope

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// v4aParser turns the lines of a patch into blocks.
type v4aParser struct {
	lines  []numbered
	dir    string
	over   bool
	at     int
	last   int      // number of blocks before the last section
	scope  []string // anchors of the next change, from a hunk that has only context
	anchor []byte   // the last anchor as written
	blocks []Block
	diags  []Fault
}

func (p *v4aParser) diagnose(code string, at numbered, expected, remedy string) {
	p.diags = append(p.diags, Fault{
		Code: code, Line: at.number, Found: mdline.Excerpt(at.text), Expected: expected,
		Remedy: remedy,
	})
}

// path returns the path in a marker, relative to the directory that the shell command changes to.
func (p *v4aParser) path(name string) string {
	if p.dir == "" || path.IsAbs(name) || name == "" {
		return name
	}
	return path.Join(p.dir, name)
}

// run reads all sections of the patch into blocks and diags.
func (p *v4aParser) run() {
	for p.at < len(p.lines) {
		header := p.lines[p.at]
		marker, arg := v4aMarker(header.text)
		p.at++
		if isV4ASection(marker) {
			p.last = len(p.blocks) // see restrictLast
		}
		if isV4ASection(marker) && arg == "" {
			p.diagnose(diagnosis.MissingName, header, "a path after the colon",
				"write the file's path: *** Update File: src/a.go")
			p.skipSection()
			continue
		}
		switch marker {
		case v4aAdd:
			p.addFile(header, p.path(arg))
		case v4aDelete:
			p.deleteFile(header, p.path(arg))
		case v4aUpdate:
			p.updateFile(header, p.path(arg))
		case v4aBegin, v4aEnd, v4aEOF:
		default:
			if !text.Blank(header.text) {
				p.diagnose(diagnosis.Malformed, header,
					"*** Update File, *** Add File, *** Delete File or *** End Patch",
					"put each change below the marker of its file: *** Update File: src/a.go")
				p.skipSection()
			}
		}
	}
}

// skipSection skips the lines up to the next file's section or the end marker.
func (p *v4aParser) skipSection() {
	for p.at < len(p.lines) {
		if m, _ := v4aMarker(p.lines[p.at].text); isV4ASection(m) || m == v4aEnd {
			return
		}
		p.at++
	}
}

// complete reports whether the text before the current line is known to be complete.
func (p *v4aParser) complete() bool { return p.over || p.at < len(p.lines) }

// deleteFile reads the section of a deleted file. A section with lines is refused, because the
// model may have meant to delete only those lines.
func (p *v4aParser) deleteFile(header numbered, name string) {
	for p.at < len(p.lines) && text.Blank(p.lines[p.at].text) {
		p.at++
	}
	if p.at < len(p.lines) {
		if m, _ := v4aMarker(p.lines[p.at].text); m == "" || m == v4aMove {
			p.diagnose(diagnosis.Malformed, p.lines[p.at],
				"nothing below *** Delete File, which deletes the whole file",
				"to delete lines, write *** Update File and put - before each of them")
			p.skipSection()
			return
		}
	}
	if p.complete() { // otherwise Finish reports that the patch is cut off
		p.blocks = append(p.blocks, Block{
			Op: OpDelete, Path: name, Dialect: V4A, Lines: [2]int{header.number, header.number},
		})
	}
}

// addFile reads the section of a new file. Lines without "+" count as the file's lines, with a
// warning, unless one looks like a marker or prose. In that case the section is refused.
func (p *v4aParser) addFile(header numbered, name string) {
	b := Block{Op: OpCreate, Path: name, Dialect: V4A, Lines: [2]int{header.number, header.number}}
	var h hunk        // finds lines that can't be the file's
	var blanks []byte // empty lines; they count only if a line of the file follows
	for ; p.at < len(p.lines); p.at++ {
		l := p.lines[p.at]
		if m, _ := v4aMarker(l.text); isV4ASection(m) || m == v4aEnd || m == v4aEOF {
			break
		}
		if len(text.Chomp(l.text)) == 0 {
			blanks = append(blanks, l.text...)
			continue
		}
		content, plus := bytes.CutPrefix(l.text, []byte("+"))
		if plus {
			h.add('+', content, l.number)
		} else {
			h.add(0, content, l.number)
		}
		b.Replace = append(append(b.Replace, blanks...), content...)
		blanks = nil
		b.Lines[1] = l.number
	}
	if !h.haveOperators() {
		b.Warnings = append(b.Warnings, warning.NoOperator.Say("a line of the new file lacks its leading +"))
	}
	intruder, intrudes := h.intruder()
	switch {
	case !p.complete(): // cut off; Finish reports this
	case intrudes:
		p.diagnose(diagnosis.Malformed, intruder, "+ before each line of the new file",
			"write the patch again; leave out anything that is not a line of the file")
	default:
		if inner, ok := insideFence(b.Replace); ok && text.IsCode(b.Path) {
			b.Replace, b.Warnings = inner, append(b.Warnings, fenceRemoved())
		}
		p.blocks = append(p.blocks, b)
	}
}

// updateFile reads the section of a changed file: its *** Move to line, if any, and its changes. A
// marker with an operator before it (" *** End Patch") is content, except above the first change.
func (p *v4aParser) updateFile(header numbered, name string) {
	var move *Block
	found := false
	for p.at < len(p.lines) {
		l := p.lines[p.at]
		switch m, arg := v4aMarker(l.text); {
		case m == v4aMove && (!found || !hasOperator(l.text)):
			move = &Block{
				Op: OpMove, Path: name, NewPath: p.path(arg), Dialect: V4A,
				Lines: [2]int{header.number, l.number},
			}
			if arg == "" {
				p.diagnose(diagnosis.MissingName, l, "a path after the colon",
					"write the new path: *** Move to: src/b.go")
				move = nil
			}
			p.at++
			continue
		case len(text.Chomp(l.text)) == 0 && !found, m == v4aEOF && !hasOperator(l.text):
			p.at++
			continue
		case (isV4ASection(m) || m == v4aEnd) && (!hasOperator(l.text) || !found):
			p.endUpdate(header, move, found)
			return
		}
		found = true
		p.chunk(name)
	}
	p.endUpdate(header, move, found)
}

// hasOperator reports whether the line begins with a hunk's operator, which makes a marker after it
// content.
func hasOperator(raw []byte) bool {
	return len(raw) > 0 && (raw[0] == ' ' || raw[0] == '+' || raw[0] == '-')
}

// endUpdate ends the section of a changed file: it adds the block that moves the file, if any, or
// refuses a section without changes. found says that the section has a change.
func (p *v4aParser) endUpdate(header numbered, move *Block, found bool) {
	switch {
	case !p.complete():
	case move != nil:
		p.blocks = append(p.blocks, *move)
	case !found:
		p.diagnose(diagnosis.Malformed, header, "the lines to change",
			"give context, - and + lines below the file's marker")
	}
}

// chunk reads a change of the file called name: its anchors (@@ lines, and those that the context
// above it gave, p.scope), its lines, and whether it is at the end of the file. It ends at the next
// change, marker or section.
func (p *v4aParser) chunk(name string) {
	begin := p.lines[p.at]
	b := Block{Op: OpEdit, Path: name, Dialect: V4A, Lines: [2]int{begin.number, begin.number}, Scope: p.scope}
	p.scope = nil
	var h hunk
	for ; p.at < len(p.lines); p.at++ {
		l := p.lines[p.at]
		own := text.Chomp(l.text)
		if bytes.HasPrefix(own, []byte("@@")) {
			if len(h.lines) > 0 {
				break
			}
			if start, anchor := hunkHeader(own); start > 0 {
				b.StartLine = start
			} else if anchor != "" {
				b.Scope = append(b.Scope, anchor)
				p.anchor = bytes.TrimPrefix(own[2:], []byte(" "))
			}
			b.Lines[1] = l.number
			continue
		}
		if !hasOperator(own) {
			m, _ := v4aMarker(own)
			if m == v4aEOF {
				b.AtEOF, b.Lines[1] = true, l.number
				p.at++
				for p.at < len(p.lines) && text.Blank(p.lines[p.at].text) {
					p.at++ // blank lines below the end of the file are not part of the patch
				}
				break
			}
			if isV4ASection(m) || m == v4aEnd || m == v4aMove {
				break
			}
		}
		switch {
		case len(own) == 0:
			h.blank(l)
		case hasOperator(own):
			h.add(own[0], l.text[1:], l.number)
		default:
			h.add(0, l.text, l.number)
		}
	}
	if _, last := h.bounds(); last > b.Lines[1] {
		b.Lines[1] = last
	}
	p.endChunk(begin, &h, b)
}

// endChunk adds the block of the change whose lines h were read, or a diagnostic. begin is the
// change's first line; b has everything but the texts. A change with only context adds no block:
// its lines are anchors of the next change.
func (p *v4aParser) endChunk(begin numbered, h *hunk, b Block) {
	h.fill(&b)
	// next says that another change follows.
	next := p.at < len(p.lines) && bytes.HasPrefix(p.lines[p.at].text, []byte("@@"))
	intruder, intrudes := h.intruder()
	switch {
	case !p.complete() && !b.AtEOF: // cut off; Finish reports this
	case intrudes:
		p.diagnose(diagnosis.Malformed, intruder, "a blank, - or + before each line of the file, @@ above each change",
			"write the patch again; leave out anything that is not a line of the file")
		if bytes.HasPrefix(intruder.text, []byte("**")) {
			p.skipSection() // the next lines may be for another file
		}
	case len(h.lines) > 0 && !h.changes() && next && !b.AtEOF: // its context locates the next hunk
		p.scope = h.anchors(b.Scope)
		for _, l := range h.lines {
			if !text.Blank(l.text) {
				p.anchor = text.Chomp(l.text)
			}
		}
	case len(h.lines) == 0 || !h.haveOperators() && bytes.Equal(b.Search, b.Replace):
		p.diagnose(diagnosis.Malformed, begin, "- and + lines", "give the lines to change")
	case len(b.Search) == 0 && len(b.Scope) > 0 && !b.AtEOF:
		// The lines go below the anchor if it matches the file exactly.
		last := len(b.Scope) - 1
		b.Scope, b.Exact = b.Scope[:last], true
		b.Search = append(bytes.Clone(p.anchor), '\n')
		b.Replace = slices.Concat(b.Search, b.Replace)
		b.Readings = nil
		p.blocks = append(p.blocks, b)
	case len(b.Search) == 0: // no context and no anchor
		b.Op, b.Readings = OpAppend, nil
		p.blocks = append(p.blocks, b)
	default:
		p.blocks = append(p.blocks, b)
	}
}

// anchors appends the lines of a context-only hunk to the anchors above it. Together they give the
// place of the next hunk.
func (h *hunk) anchors(above []string) []string {
	for _, l := range h.lines {
		if !text.Blank(l.text) {
			above = append(above, string(bytes.TrimSpace(l.text)))
		}
	}
	return above
}

// hunkRange matches the text between the two @@ of a unified diff.
var hunkRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-(\d+)(?:,(\d+))?(?: \+(\d+)(?:,(\d+))?)?$`)
})

// hunkHeader reads a line that begins with @@. It returns the line number, or the anchor if there
// is no number.
func hunkHeader(text []byte) (start int, anchor string) {
	rest := strings.TrimSpace(string(text[2:]))
	inside, _, _ := strings.Cut(rest, "@@")
	if m := hunkRange().FindStringSubmatch(strings.TrimSpace(inside)); m != nil {
		start, _ = strconv.Atoi(m[1])
		return start, ""
	}
	return 0, strings.TrimSpace(strings.TrimSuffix(rest, "@@"))
}
