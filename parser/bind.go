package parser

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/fsm"
)

// binding is what the reply says about the file of a block.
type binding struct {
	path   string
	names  []string
	sticky bool // path comes from the block before
	direct bool // path stands next to the block
	line   int  // where path stands; 0 if that is no line of its own
}

// heading is the last heading that names a file.
type heading struct {
	level int
	path  string
}

const (
	maxLinesAbove = 12 // lines above a block that are looked at
	maxProseAbove = 3  // of these, how many may be prose
	maxNames      = 6  // weaker names that are kept
)

// bind finds the file of the block that begins at the line: the nearest name above it, whether inside the fence, in
// its info string or above; else the heading it stands under; else the file of the block before. Names that run in
// prose are candidates only.
func (s *Scanner) bind(k fsm.Mark, at fsm.Pos) binding {
	if s.bare {
		return binding{}
	}
	if len(k.Rest) > 0 {
		return binding{path: string(k.Rest), direct: true}
	}
	var b binding
	w := walk{lines: s.linesAbove(at.Start), prefix: k.Prefix, last: s.lastBare()}
	b.path, b.names = w.find(), w.names
	switch {
	case b.path != "":
		b.direct = w.prose == 0
		b.line = at.Line - w.above
	case s.heading.path != "":
		b.path = s.heading.path
	default:
		b.path, b.sticky = s.sticky, s.sticky != ""
	}
	if i := slices.Index(b.names, b.path); i >= 0 {
		b.names = slices.Delete(b.names, i, i+1)
	}
	return b
}

// linesAbove returns the lines before the offset, nearest first, back to the last block.
func (s *Scanner) linesAbove(offset int) [][]byte {
	low := max(s.outside, offset-lookBack, 0)
	lines := s.above[:0]
	for offset > low && len(lines) < maxLinesAbove {
		i := bytes.LastIndexByte(s.buf[low:offset-1], '\n')
		if i < 0 && low > s.outside {
			break // the line begins before what is kept
		}
		start := low + i + 1
		lines = append(lines, s.buf[start:offset])
		offset = start
	}
	return lines
}

// walk looks for a name upward from a block.
type walk struct {
	lines  [][]byte // nearest first
	prefix []byte   // of the block's opener
	last   string   // a bare name that the line may say again
	names  []string // candidates
	prose  int      // lines of prose that were passed
	above  int      // how many lines above the block the name stands
}

func (w *walk) find() string {
	fences := 0
	for i, line := range w.lines {
		line = bytes.TrimPrefix(line, w.prefix)
		w.above = i + 1
		if isBlank(line) {
			continue
		}
		if m, ok := parseFence(line); ok {
			if name := infoName(m.info); name != "" {
				return name
			}
			fences++
			if m.closes && fences > 1 || m.closes && !m.opens {
				return w.lone(i)
			}
			continue
		}
		if w.last != "" && w.prose == 0 && string(chomp(line)) == w.last {
			return w.last
		}
		name, strength := lineName(line)
		switch {
		case strength >= plain && w.prose == 0, strength == marked:
			return name
		case strength == weak:
			w.add(name)
			continue
		case isEllipsis(line), fsm.Classify(line).Kind == fsm.Divider:
			continue
		}
		if w.prose == 0 {
			if dir, ok := directory(line); ok {
				return dir
			}
			if word := bytes.TrimRight(line, " \t\r\n"); isPlainPath(word) && !isLanguage(string(word)) {
				w.add(string(word)) // a directory, if there is such a one
			}
		}
		w.inline(line)
		if w.prose++; w.prose > maxProseAbove {
			break
		}
	}
	return ""
}

// directory reads a line that says nothing but the name of a directory, which no block can be for: it is handed on, for the
// block to be refused.
func directory(line []byte) (string, bool) {
	if len(line) > maxNameLine || bytes.IndexByte(line, '/') < 0 {
		return "", false
	}
	d := decorated{text: strings.TrimSpace(string(line))}
	d.strip()
	return d.text, !d.listed && strings.HasSuffix(d.text, "/") && len(d.text) > 1 && isPlainPath([]byte(strings.TrimPrefix(d.text, "./")))
}

// lastBare returns the name of the block before if a line that says just this names the same file. Most blocks follow
// another one to the same file, so the answer is kept.
func (s *Scanner) lastBare() string {
	if s.bareOf != s.sticky {
		s.bareOf, s.bareName = s.sticky, ""
		if got, strength := judge(s.sticky, false); strength >= plain && got == s.sticky {
			s.bareName = s.sticky
		}
	}
	return s.bareName
}

// lone takes the name in a fence of its own above the block: the closing line is lines[i], nothing but the name and
// the opening line may stand above it.
func (w *walk) lone(i int) string {
	if i+2 >= len(w.lines) {
		return ""
	}
	name, strength := lineName(w.lines[i+1])
	m, ok := parseFence(w.lines[i+2])
	if strength < plain || !ok || !m.opens {
		return ""
	}
	w.above = i + 2
	return name
}

func (w *walk) add(name string) {
	if len(w.names) < maxNames && !slices.Contains(w.names, name) {
		w.names = append(w.names, name)
	}
}

// inline collects the names in a line of prose.
func (w *walk) inline(line []byte) {
	for name := range proseNames(line) {
		w.add(name)
	}
}

func isEllipsis(line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.Equal(line, []byte("...")) || bytes.Equal(line, []byte("…"))
}

// headingLine remembers a heading that names a file; one of the same or a higher level ends its reach.
func (s *Scanner) headingLine(raw []byte) {
	if s.bare || len(raw) == 0 || raw[0] != '#' || s.top() != nil {
		return
	}
	level := len(raw) - len(bytes.TrimLeft(raw, "#"))
	if level < len(raw) && raw[level] != ' ' {
		return
	}
	if name, strength := lineName(raw); strength >= plain {
		s.heading = heading{level: level, path: name}
	} else if level <= s.heading.level {
		s.heading = heading{}
	}
}
