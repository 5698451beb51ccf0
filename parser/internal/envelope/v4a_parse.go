package envelope

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
)

// path returns the path in a marker, relative to the directory that the shell command changes to.
func (p *v4a) path(name string) string {
	if p.dir == "" || path.IsAbs(name) || name == "" {
		return name
	}
	return path.Join(p.dir, name)
}

// run reads all sections of the patch into blocks and faults.
func (p *v4a) run() {
	for p.at < len(p.lines) {
		header := p.lines[p.at]
		p.at++
		if isV4ASection(header.marker) {
			p.last = len(p.Blocks) // see restrictLast
		}
		switch name := p.path(header.arg); {
		case isV4ASection(header.marker) && name == "":
			p.diagnose(diagnosis.MissingName, header.numbered, "a path after the colon",
				"write the file's path: *** Update File: src/a.go")
			p.skipSection()
		case header.marker == v4aAdd:
			p.addFile(header, name)
		case header.marker == v4aDelete:
			p.deleteFile(header, name)
		case header.marker == v4aUpdate:
			p.updateFile(header, name)
		case header.marker != v4aBegin && header.marker != v4aEOF && !text.Blank(header.text):
			p.diagnose(diagnosis.Malformed, header.numbered,
				"*** Update File, *** Add File, *** Delete File or *** End Patch",
				"put each hunk below the marker of its file: *** Update File: src/a.go")
			p.skipSection()
		}
	}
}

// inSection reports whether there is a current line and it doesn't begin the next file's section.
func (p *v4a) inSection() bool {
	return p.at < len(p.lines) && !isV4ASection(p.lines[p.at].marker)
}

// skipSection skips the lines up to the next file's section.
func (p *v4a) skipSection() {
	for p.inSection() {
		p.at++
	}
}

// skipBlank skips blank lines.
func (p *v4a) skipBlank() {
	for p.at < len(p.lines) && text.Blank(p.lines[p.at].text) {
		p.at++
	}
}

// complete reports whether the text before the current line is known to be complete.
func (p *v4a) complete() bool { return p.over || p.at < len(p.lines) }

// deleteFile reads the section of a deleted file. A section with lines is refused, because the
// model may have meant to delete only those lines.
func (p *v4a) deleteFile(header v4aLine, name string) {
	p.skipBlank()
	if p.inSection() && (p.lines[p.at].marker == "" || p.lines[p.at].marker == v4aMove) {
		p.diagnose(diagnosis.Malformed, p.lines[p.at].numbered,
			"nothing below *** Delete File, which deletes the whole file",
			"to delete lines, write *** Update File and put - before each of them")
		p.skipSection()
	} else if p.complete() { // otherwise the patch is cut off, see finish
		p.Blocks = append(p.Blocks, Block{
			Op: OpDelete, Path: name, Dialect: V4A, Lines: [2]int{header.number, header.number},
		})
	}
}

// addFile reads the section of a new file. Lines without "+" count as the file's lines, with a
// warning, unless one looks like a marker or prose. In that case the section is refused.
func (p *v4a) addFile(header v4aLine, name string) {
	b := Block{Op: OpCreate, Path: name, Dialect: V4A, Lines: [2]int{header.number, header.number}}
	var h hunk        // finds lines that can't be the file's
	var blanks []byte // empty lines; they count only if a line of the file follows
	for ; p.inSection() && p.lines[p.at].marker != v4aEOF; p.at++ {
		l := p.lines[p.at]
		if len(text.Chomp(l.text)) == 0 {
			blanks = append(blanks, l.text...)
			continue
		}
		op := byte('+')
		content, plus := bytes.CutPrefix(l.text, []byte("+"))
		if !plus {
			op = 0
		}
		h.add(op, content, l.number)
		b.Replace = append(append(b.Replace, blanks...), content...)
		blanks = nil
		b.Lines[1] = l.number
	}
	if !h.haveOperators() {
		b.Warnings = append(b.Warnings, warning.NoOperator.Say("a line of the new file lacks its leading +"))
	}
	intruder, intrudes := h.intruder()
	switch {
	case !p.complete(): // cut off, see finish
	case intrudes:
		p.diagnose(diagnosis.Malformed, intruder, "+ before each line of the new file",
			"write the patch again; leave out anything that is not a line of the file")
	default:
		if inner, ok := insideFence(b.Replace); ok && text.IsCode(b.Path) {
			b.Replace, b.Warnings = inner, append(b.Warnings, fenceRemoved())
		}
		p.Blocks = append(p.Blocks, b)
	}
}

// updateFile reads the section of a changed file: its *** Move to line, if any, and its hunks. A
// section without either is refused.
func (p *v4a) updateFile(header v4aLine, name string) {
	var move *Block
	found := false
	for p.inSection() {
		switch l := p.lines[p.at]; {
		case l.marker == v4aMove && l.arg == "":
			p.diagnose(diagnosis.MissingName, l.numbered, "a path after the colon",
				"write the new path: *** Move to: src/b.go")
			move = nil
			p.at++
		case l.marker == v4aMove:
			move = &Block{
				Op: OpMove, Path: name, NewPath: p.path(l.arg), Dialect: V4A,
				Lines: [2]int{header.number, l.number},
			}
			p.at++
		case l.marker == v4aEOF, len(text.Chomp(l.text)) == 0 && !found:
			p.at++
		default:
			found = true
			p.readHunk(name)
		}
	}
	switch {
	case !p.complete(): // cut off, see finish
	case move != nil:
		p.Blocks = append(p.Blocks, *move)
	case !found:
		p.diagnose(diagnosis.Malformed, header.numbered, "the lines to change",
			"give context, - and + lines below the file's marker")
	}
}

// hasOperator reports whether the line begins with a hunk's operator, which makes a marker after it
// content.
func hasOperator(raw []byte) bool {
	return len(raw) > 0 && (raw[0] == ' ' || raw[0] == '+' || raw[0] == '-')
}

// readHunk reads a hunk of the file called name: its anchors (@@ lines, and those that the context
// above it gave, p.scope), its lines, and whether it is at the end of the file. It ends at the next
// hunk, marker or section.
func (p *v4a) readHunk(name string) {
	begin := p.lines[p.at].numbered
	b := Block{Op: OpEdit, Path: name, Dialect: V4A, Lines: [2]int{begin.number, begin.number}, Scope: p.scope}
	p.scope = nil
	var h hunk
	for ; p.inSection() && p.lines[p.at].marker != v4aMove; p.at++ {
		l := p.lines[p.at]
		own := text.Chomp(l.text)
		header := bytes.HasPrefix(own, []byte("@@"))
		if header && len(h.lines) > 0 {
			break
		}
		if l.marker == v4aEOF {
			b.AtEOF, b.Lines[1] = true, l.number
			p.at++
			p.skipBlank() // blank lines below the end of the file are not part of the patch
			break
		}
		switch {
		case header:
			if start, anchor := hunkHeader(own); start > 0 {
				b.StartLine = start
			} else if anchor != "" {
				b.Scope = append(b.Scope, anchor)
				p.anchor = bytes.TrimPrefix(own[2:], []byte(" "))
			}
			b.Lines[1] = l.number
		case len(own) == 0:
			h.blank(l.numbered)
		case hasOperator(own):
			h.add(own[0], l.text[1:], l.number)
		default:
			h.add(0, l.text, l.number)
		}
	}
	if _, last := h.bounds(); last > b.Lines[1] {
		b.Lines[1] = last
	}
	p.endHunk(begin, &h, b)
}

// endHunk adds the block of the hunk h, whose lines were read, or a diagnostic. begin is the
// hunk's first line; b has everything but the texts. A hunk with only context adds no block:
// its lines are anchors of the next hunk.
func (p *v4a) endHunk(begin numbered, h *hunk, b Block) {
	h.fill(&b)
	// next says that another hunk follows.
	next := p.at < len(p.lines) && bytes.HasPrefix(p.lines[p.at].text, []byte("@@"))
	intruder, intrudes := h.intruder()
	switch {
	case !p.complete() && !b.AtEOF: // cut off, see finish
	case intrudes:
		p.diagnose(diagnosis.Malformed, intruder, "a blank, - or + before each line of the file, @@ above each hunk",
			"write the patch again; leave out anything that is not a line of the file")
		if bytes.HasPrefix(bytes.TrimSpace(intruder.text), []byte("**")) {
			p.skipSection() // the next lines may be for another file
		}
	case len(h.lines) > 0 && !h.changes() && next && !b.AtEOF: // its context locates the next hunk
		p.scope = b.Scope
		for _, l := range h.lines {
			if !text.Blank(l.text) {
				p.scope = append(p.scope, string(bytes.TrimSpace(l.text)))
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
		p.Blocks = append(p.Blocks, b)
	case len(b.Search) == 0: // no context and no anchor
		b.Op, b.Readings = OpAppend, nil
		p.Blocks = append(p.Blocks, b)
	default:
		p.Blocks = append(p.Blocks, b)
	}
}

// hunkHeader reads a line that begins with @@. It returns the line number, or the anchor if the line
// gives no range of lines.
func hunkHeader(line []byte) (start int, anchor string) {
	if m := diffRange().FindSubmatch(line); m != nil && len(m[1]) > 0 {
		start, _ = strconv.Atoi(string(m[1]))
		return start, ""
	}
	return 0, strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(string(line[2:])), "@@"))
}
