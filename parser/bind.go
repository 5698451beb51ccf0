package parser

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/parser/internal/filename"

	"github.com/srpatch/srpatch/fsm"
)

// binding is what the reply says about the file of a block.
type binding struct {
	path      string
	names     []Name
	inherited bool   // path comes from the block before
	label     string // the word that labels the block, if nothing near names its file
	direct    bool   // path is next to the block
	line      int    // number of the line that is path's; 0 if it has no line of its own
	doubt     bool   // path may not be a name, see isDoubtful
}

// give sets the file of a block and the names offered for it.
func (b *binding) give(block *Block) {
	block.Path, block.Names, block.Inherited = b.path, slices.Concat(block.Names, b.names), b.inherited
	if b.label != "" {
		block.Labels = []string{b.label}
	}
	if b.doubt && block.Op == OpCreate {
		block.Path, block.Names, block.Inherited = "", []Name{{Text: b.path, Near: true}}, false
	}
}

// heading is the last heading that is a file's name, or that mentions files among other words.
type heading struct {
	level int
	path  string
	doubt bool
	names []string
}

// maxLinesAbove is how many lines above a block are searched for its name.
const maxLinesAbove = 12

// bind finds the file of the block whose opener is k, at at: the nearest name above it, whether inside the fence, in its info
// string or above; else the heading over it; else the file of the block before. Names within prose are only candidates.
func (s *Scanner) bind(k fsm.Mark, at fsm.Pos) binding {
	if s.bare {
		return binding{}
	}
	if len(k.Rest) > 0 {
		name, strength := filename.OfLine(k.Rest)
		if strength < filename.Plain {
			name = string(k.Rest)
		}
		return binding{path: name, direct: true}
	}
	var b binding
	w := filename.Above(s.linesAbove(at.Start), k.Prefix, s.lastBare())
	b.path = w.Path
	switch {
	case b.path != "":
		b.direct = w.Prose == 0
		b.line = at.Line - w.Above
		b.doubt = w.Doubt
	case s.heading.path != "":
		b.path, b.doubt = s.heading.path, s.heading.doubt
	default:
		b.path, b.inherited = s.inherited, s.inherited != ""
		near := !w.Named()
		if near {
			b.label = w.Label
		}
		for _, name := range s.heading.names {
			w.Add(name, near)
		}
		b.names = namesOf(&w)
		for _, n := range s.inheritedNames {
			b.names = addName(b.names, n)
		}
		return b
	}
	b.names = namesOf(&w)
	if i := indexName(b.names, b.path); i >= 0 {
		b.names = slices.Delete(b.names, i, i+1)
	}
	return b
}

// namesOf are the candidates in the form that blocks have.
func namesOf(f *filename.Found) []Name {
	var names []Name
	for _, c := range f.Candidates() {
		names = append(names, Name{Text: c.Text, Near: c.Near})
	}
	return names
}

// inherit remembers the names of a block for the next one. inherited says that path comes from the block before.
func (s *Scanner) inherit(path string, names []Name, inherited bool) {
	s.inherited = cmp.Or(path, s.inherited)
	if path != "" && !inherited {
		s.inheritedNames = s.inheritedNames[:0]
		return
	}
	// Names above this block are nearer than inherited ones; names has both.
	s.inheritedNames = s.inheritedNames[:0]
	for _, n := range names {
		n.Inherited = true
		s.inheritedNames = append(s.inheritedNames, n)
	}
}

// inheritLabels gives a block that names no file itself the labels of those before it, back to the last one that does.
func (s *Scanner) inheritLabels(b *Block) {
	if b.Path != "" && !b.Inherited || len(b.Labels) == 0 && len(b.Names) > 0 {
		b.Labels, s.inheritedLabels = nil, nil
		return
	}
	b.Labels = append(b.Labels, s.inheritedLabels...)
	s.inheritedLabels = b.Labels[:min(len(b.Labels), filename.MaxNames)]
}

// lastBare returns the file of the block before, if a line with only this text would be read as that name; else "". Most blocks
// follow another one for the same file, so the answer is kept.
func (s *Scanner) lastBare() string {
	if s.bareOf != s.inherited {
		s.bareOf, s.bareName = s.inherited, ""
		if filename.IsBare(s.inherited) {
			s.bareName = s.inherited
		}
	}
	return s.bareName
}

// linesAbove returns the lines before the offset, nearest first, back to the last block.
func (s *Scanner) linesAbove(offset int) [][]byte {
	low := max(s.outside, offset-lookBack, 0)
	lines := s.above[:0]
	for offset > low && len(lines) < maxLinesAbove {
		i := bytes.LastIndexByte(s.buf[low:offset-1], '\n')
		if i < 0 && low > s.outside {
			break // the line begins before the text that is kept
		}
		start := low + i + 1
		lines = append(lines, s.buf[start:offset])
		offset = start
	}
	return lines
}

// headingLine remembers a heading that names a file. A heading of the same or a higher level ends its scope.
func (s *Scanner) headingLine(raw []byte) {
	if s.bare || len(raw) == 0 || raw[0] != '#' || s.top() != nil {
		return
	}
	level := len(raw) - len(bytes.TrimLeft(raw, "#"))
	if level < len(raw) && raw[level] != ' ' {
		return
	}
	if name, strength := filename.OfLine(raw); strength >= filename.Plain {
		s.heading = heading{level: level, path: name, doubt: filename.IsDoubtful(raw, name)}
	} else if level <= s.heading.level {
		s.heading = heading{}
	}
	if s.heading.path == "" && bytes.IndexByte(raw, '.') >= 0 {
		if names := slices.Collect(filename.InProse(raw)); len(names) > 0 {
			s.heading = heading{level: level, names: names}
		}
	}
}

func addName(names []Name, n Name) []Name {
	if len(names) < filename.MaxNames && indexName(names, n.Text) < 0 {
		names = append(names, n)
	}
	return names
}

func indexName(names []Name, text string) int {
	return slices.IndexFunc(names, func(n Name) bool { return n.Text == text })
}
