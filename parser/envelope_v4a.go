package parser

import (
	"bytes"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// The markers of V4A, the patch format of apply_patch, in lower case and without their asterisks.
const (
	v4aBegin  = "begin patch"
	v4aEnd    = "end patch"
	v4aUpdate = "update file:"
	v4aAdd    = "add file:"
	v4aDelete = "delete file:"
	v4aMove   = "move to:"
	v4aEOF    = "end of file"
)

// v4aMarker splits a marker line, `*** Update File: a.go`, into the marker and its argument; decoration at the end
// (`*** Begin Patch ***`) and blanks around are forgiven. It returns "" for any other line.
func v4aMarker(raw []byte) (marker, arg string) {
	text := bytes.TrimSpace(raw)
	if !bytes.HasPrefix(text, []byte("***")) {
		return "", ""
	}
	rest := strings.TrimSpace(strings.TrimLeft(string(text), "*"))
	if bare := strings.TrimRight(rest, "*"); bare != rest && strings.HasSuffix(bare, " ") {
		rest = strings.TrimSpace(bare)
	}
	for _, m := range []string{v4aBegin, v4aEnd, v4aEOF} {
		if strings.EqualFold(rest, m) {
			return m, ""
		}
	}
	for _, m := range []string{v4aUpdate, v4aAdd, v4aDelete, v4aMove} {
		if len(rest) >= len(m) && strings.EqualFold(rest[:len(m)], m) {
			return m, strings.Trim(strings.TrimSpace(rest[len(m):]), "`\"'")
		}
	}
	return "", ""
}

// isV4ASection says whether the marker opens the section of a file.
func isV4ASection(marker string) bool {
	return marker == v4aUpdate || marker == v4aAdd || marker == v4aDelete
}

// v4aHeredoc matches the shell command that a patch is wrapped in: the directory it changes to, and the terminator.
var v4aHeredoc = regexp.MustCompile(`^[ \t]*(?:\$ )?(?:cd[ \t]+("[^"]+"|'[^']+'|[^\s;&|"']+)[ \t]*&&[ \t]*)?(?:apply_patch|applypatch)[ \t]*<<-?[ \t]*["']?(\w+)["']?[ \t]*\r?\n?$`)

// v4a understands a patch of apply_patch. Each chunk becomes a block, with its context in SEARCH and REPLACE. A file
// that is moved gives its chunks as edits of the old path and then one OpMove block.
//
// The end marker may be missing where something else shows that the patch is over: the end of the fence or of the
// heredoc, or the opener of another block. The end of the input shows nothing: what it cuts off is not given.
type v4a struct {
	heredoc    bool
	dir        string
	terminator string

	prefix  []byte // blanks before the begin marker
	dedent  bool   // the whole patch carries prefix
	update  bool   // inside the section of a changed file
	inChunk bool   // and inside its lines: a padded marker is content
	pending bool   // the last line is a padded end marker inside a chunk
	ended   bool   // the end marker was read
	over    bool   // the patch is complete, by its end marker or by what follows it

	noBegin bool
	lines   []numbered
	back    [][]byte
}

// startV4A recognises a begin marker, the command that wraps it, or the section of a file without a begin marker.
func startV4A(raw []byte) envelope {
	marker, arg := v4aMarker(raw)
	switch {
	case marker == v4aBegin:
		return &v4a{prefix: bytes.Clone(leadingBlanks(raw))}
	case isV4ASection(marker) && arg != "":
		return &v4a{prefix: bytes.Clone(leadingBlanks(raw)), noBegin: true}
	case marker == v4aEnd:
		return &strayCloser{format: formatV4A, expected: "*** Begin Patch before it"}
	case marker != "":
		return nil
	}
	if !bytes.Contains(raw, []byte("<<")) {
		return nil
	}
	if m := v4aHeredoc.FindSubmatch(raw); m != nil {
		return &v4a{heredoc: true, dir: strings.Trim(string(m[1]), `"'`), terminator: string(m[2])}
	}
	return nil
}

func (e *v4a) line(raw []byte, number int) bool {
	text := raw
	if e.dedent {
		text = bytes.TrimPrefix(raw, e.prefix)
	}
	marker, _ := v4aMarker(text)
	padded := len(leadingBlanks(text)) > 0
	last := e.terminator != "" && string(bytes.TrimSpace(raw)) == e.terminator
	switch {
	case len(e.lines) == 0 && e.heredoc:
		e.keep(raw, number)
		return false
	case len(e.lines) == 1 && e.heredoc && marker != v4aBegin:
		return e.stop(raw)
	case e.ended && last:
		return true
	case e.ended:
		return e.stop(raw)
	case last:
		e.over = true
		return true
	case len(e.lines) > 0 && (isFence(text) || isBlockOpener(text) || marker == v4aBegin && !(e.heredoc && len(e.lines) == 1) && !padded):
		e.over = true
		return e.stop(raw)
	}
	e.pending = false
	if e.inChunk && padded {
		e.pending = marker == v4aEnd
		if !e.pending || len(e.prefix) == 0 {
			marker = ""
		}
	}
	switch {
	case marker == v4aBegin && e.heredoc:
		e.prefix = bytes.Clone(leadingBlanks(raw))
	case marker == v4aEnd:
		e.ended, e.over, e.pending = true, true, false
		return e.terminator == ""
	case isV4ASection(marker):
		if !e.dedent && len(e.prefix) > 0 && e.onlyBegun() && bytes.HasPrefix(text, e.prefix) {
			e.dedent, text = true, text[len(e.prefix):]
		}
		e.update, e.inChunk = marker == v4aUpdate, false
	case marker == "" && !isBlank(text):
		e.inChunk = e.update
	}
	e.keep(text, number)
	return false
}

// onlyBegun says that nothing but the beginning of the patch was read.
func (e *v4a) onlyBegun() bool {
	for _, l := range e.lines {
		if marker, _ := v4aMarker(l.text); marker != v4aBegin && !isBlank(l.text) && !(e.heredoc && l.number == e.lines[0].number) {
			return false
		}
	}
	return true
}

func (e *v4a) keep(raw []byte, number int) {
	e.lines = append(e.lines, numbered{bytes.Clone(raw), number})
}

// stop ends the envelope before the line just read.
func (e *v4a) stop(raw []byte) bool {
	e.back = append(e.back, bytes.Clone(raw))
	return true
}

func (e *v4a) unread() [][]byte { return e.back }

func (e *v4a) finish() ([]Block, []Diagnostic) {
	if e.heredoc && len(e.lines) == 1 {
		return nil, nil // the command of something else
	}
	lines := e.lines
	if e.heredoc {
		lines = lines[1:]
	}
	if e.over && e.pending {
		e.ended, lines = true, lines[:len(lines)-1]
	}
	p := v4aParser{lines: lines, dir: e.dir, over: e.over}
	p.run()
	var warnings []string
	if e.noBegin {
		warnings = append(warnings, "*** Begin Patch is missing")
	}
	if !e.ended && e.over {
		warnings = append(warnings, "*** End Patch is missing")
	}
	if len(p.blocks) > 0 {
		first := &p.blocks[0]
		first.Warnings = append(warnings, first.Warnings...)
	}
	if !e.over && len(lines) > 0 {
		end := lines[len(lines)-1]
		p.diagnose("truncated", end, "*** End Patch", "end the patch with a line *** End Patch; what the end of the reply cuts off is not applied")
	}
	return p.blocks, p.diags
}

// v4aParser turns the lines of a patch into blocks.
type v4aParser struct {
	lines  []numbered
	dir    string
	over   bool
	at     int
	blocks []Block
	diags  []Diagnostic
}

func (p *v4aParser) diagnose(code string, at numbered, expected, remedy string) {
	p.diags = append(p.diags, Diagnostic{Code: code, Line: at.number, Found: excerpt(at.text), Expected: expected, Remedy: remedy})
}

// path is the file that a marker names, seen from the directory the wrapping command changes to.
func (p *v4aParser) path(name string) string {
	if p.dir == "" || path.IsAbs(name) || name == "" {
		return name
	}
	return path.Join(p.dir, name)
}

func (p *v4aParser) run() {
	for p.at < len(p.lines) {
		header := p.lines[p.at]
		marker, arg := v4aMarker(header.text)
		p.at++
		if isV4ASection(marker) && arg == "" {
			p.diagnose("missing-name", header, "a path after the colon", "write the file's path: *** Update File: src/a.go")
			p.skipSection()
			continue
		}
		switch marker {
		case v4aAdd:
			p.addFile(header, p.path(arg))
		case v4aDelete:
			if ended(header.text) || p.over {
				p.blocks = append(p.blocks, Block{Op: OpDelete, Path: p.path(arg), Dialect: formatV4A, Lines: [2]int{header.number, header.number}})
			}
		case v4aUpdate:
			p.updateFile(header, p.path(arg))
		case v4aBegin, v4aEnd, v4aEOF:
		default:
			if !isBlank(header.text) {
				p.diagnose("malformed-envelope", header, "*** Update File, *** Add File, *** Delete File or *** End Patch",
					"put each change below the marker of its file: *** Update File: src/a.go")
				p.skipSection()
			}
		}
	}
}

// skipSection passes over lines that belong to no file.
func (p *v4aParser) skipSection() {
	for p.at < len(p.lines) {
		if m, _ := v4aMarker(p.lines[p.at].text); isV4ASection(m) || m == v4aEnd {
			return
		}
		p.at++
	}
}

// complete says whether what ends before the current line is known to be whole.
func (p *v4aParser) complete() bool { return p.over || p.at < len(p.lines) }

func (p *v4aParser) addFile(header numbered, name string) {
	b := Block{Op: OpCreate, Path: name, Dialect: formatV4A, Lines: [2]int{header.number, header.number}}
	var blanks []byte
	forgotten := false
	for ; p.at < len(p.lines); p.at++ {
		l := p.lines[p.at]
		if m, _ := v4aMarker(l.text); isV4ASection(m) || m == v4aEnd || m == v4aEOF {
			break
		}
		if len(chomp(l.text)) == 0 {
			blanks = append(blanks, l.text...)
			continue
		}
		content, plus := bytes.CutPrefix(l.text, []byte("+"))
		forgotten = forgotten || !plus
		b.Replace = append(append(b.Replace, blanks...), content...)
		blanks = nil
		b.Lines[1] = l.number
	}
	if forgotten {
		b.Warnings = append(b.Warnings, "a line of the new file lacks its leading +")
	}
	if p.complete() {
		p.blocks = append(p.blocks, b)
	}
}

func (p *v4aParser) updateFile(header numbered, name string) {
	var move *Block
	found := false
	for p.at < len(p.lines) {
		l := p.lines[p.at]
		switch m, arg := v4aMarker(l.text); {
		case m == v4aMove && (!found || !hasOperator(l.text)):
			move = &Block{Op: OpMove, Path: name, NewPath: p.path(arg), Dialect: formatV4A, Lines: [2]int{header.number, l.number}}
			if arg == "" {
				p.diagnose("missing-name", l, "a path after the colon", "write where the file goes: *** Move to: src/b.go")
				move = nil
			}
			p.at++
			continue
		case len(chomp(l.text)) == 0 && !found, m == v4aEOF && !hasOperator(l.text):
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

// hasOperator says whether the line begins with an operator of a hunk, so that a marker in it is content.
func hasOperator(raw []byte) bool {
	return len(raw) > 0 && (raw[0] == ' ' || raw[0] == '+' || raw[0] == '-')
}

func (p *v4aParser) endUpdate(header numbered, move *Block, found bool) {
	switch {
	case !p.complete():
	case move != nil:
		p.blocks = append(p.blocks, *move)
	case !found:
		p.diagnose("malformed-envelope", header, "the lines to change", "give context, - and + lines below the file's marker")
	}
}

// chunk reads one change: its anchors, its lines, and whether it stands at the end of the file.
func (p *v4aParser) chunk(name string) {
	begin := p.lines[p.at]
	b := Block{Op: OpEdit, Path: name, Dialect: formatV4A, Lines: [2]int{begin.number, begin.number}}
	var h hunk
	for ; p.at < len(p.lines); p.at++ {
		l := p.lines[p.at]
		text := chomp(l.text)
		if bytes.HasPrefix(text, []byte("@@")) {
			if len(h.lines) > 0 {
				break
			}
			if start, anchor := hunkHeader(text); start > 0 {
				b.StartLine = start
			} else if anchor != "" {
				b.Scope = append(b.Scope, anchor)
			}
			b.Lines[1] = l.number
			continue
		}
		if !hasOperator(text) {
			m, _ := v4aMarker(text)
			if m == v4aEOF {
				b.AtEOF, b.Lines[1] = true, l.number
				p.at++
				break
			}
			if isV4ASection(m) || m == v4aEnd || m == v4aMove {
				break
			}
		}
		switch {
		case len(text) == 0:
			h.blank(l)
		case hasOperator(text):
			h.add(text[0], l.text[1:], l.number)
		default:
			h.add(0, l.text, l.number)
		}
	}
	if _, last := h.bounds(); last > b.Lines[1] {
		b.Lines[1] = last
	}
	h.fill(&b)
	switch {
	case !p.complete() && !b.AtEOF:
	case !h.changes():
		p.diagnose("malformed-envelope", begin, "- and + lines", "give the lines to change")
	case len(b.Search) == 0 && len(b.Scope) > 0 && !b.AtEOF:
		p.diagnose("missing-context", begin, "the line before or after the added ones",
			"an anchor only narrows the search: repeat the line the new ones follow, with a leading blank")
	case len(b.Search) == 0:
		b.Op, b.Readings = OpAppend, nil
		p.blocks = append(p.blocks, b)
	default:
		p.blocks = append(p.blocks, b)
	}
}

// hunkRange matches what stands between the two @@ of a unified diff.
var hunkRange = regexp.MustCompile(`^-(\d+)(?:,(\d+))?(?: \+(\d+)(?:,(\d+))?)?$`)

// hunkHeader reads a line that begins with @@: its line number, or else the anchor that it names.
func hunkHeader(text []byte) (start int, anchor string) {
	rest := strings.TrimSpace(string(text[2:]))
	inside, _, _ := strings.Cut(rest, "@@")
	if m := hunkRange.FindStringSubmatch(strings.TrimSpace(inside)); m != nil {
		start, _ = strconv.Atoi(m[1])
		return start, ""
	}
	return 0, strings.TrimSpace(strings.TrimSuffix(rest, "@@"))
}

// formatV4APatch writes blocks as one patch.
func formatV4APatch(out *bytes.Buffer, blocks []Block) {
	out.WriteString("*** Begin Patch\n")
	for _, b := range blocks {
		switch b.Op {
		case OpDelete:
			out.WriteString("*** Delete File: " + b.Path + "\n")
			continue
		case OpMove:
			out.WriteString("*** Update File: " + b.Path + "\n*** Move to: " + b.NewPath + "\n")
			continue
		case OpCreate:
			out.WriteString("*** Add File: " + b.Path + "\n")
		default:
			out.WriteString("*** Update File: " + b.Path + "\n")
			for _, anchor := range b.Scope {
				out.WriteString("@@ " + anchor + "\n")
			}
			if b.StartLine > 0 {
				out.WriteString("@@ -" + strconv.Itoa(b.StartLine) + " @@\n")
			}
		}
		diffLines(out, b.Search, b.Replace)
		if b.AtEOF {
			out.WriteString("*** End of File\n")
		}
	}
	out.WriteString("*** End Patch\n")
}
