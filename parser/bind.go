package parser

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/mdline"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
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

const (
	maxLinesAbove = 12 // lines above a block that are searched
	maxProseAbove = 3  // of these, how many may be prose
	maxNames      = 8  // weaker names that are remembered
	maxNearWords  = 8  // words of a line that says which file its block is for
)

// bind finds the file of the block whose opener is k, at at: the nearest name above it, whether inside the fence, in its info
// string or above; else the heading over it; else the file of the block before. Names within prose are only candidates.
func (s *Scanner) bind(k fsm.Mark, at fsm.Pos) binding {
	if s.bare {
		return binding{}
	}
	if len(k.Rest) > 0 {
		name, strength := lineName(k.Rest)
		if strength < plain {
			name = string(k.Rest)
		}
		return binding{path: name, direct: true}
	}
	var b binding
	w := walk{lines: s.linesAbove(at.Start), prefix: k.Prefix, last: s.lastBare()}
	b.path, b.names = w.find(), w.names
	switch {
	case b.path != "":
		b.direct = w.prose == 0
		b.line = at.Line - w.above
		b.doubt = w.doubt
	case s.heading.path != "":
		b.path, b.doubt = s.heading.path, s.heading.doubt
	default:
		b.path, b.inherited = s.inherited, s.inherited != ""
		near := !w.named()
		if near {
			b.label = w.label
		}
		for _, name := range s.heading.names {
			w.add(name, near)
		}
		b.names = w.names
		for _, n := range s.inheritedNames {
			b.names = addName(b.names, n)
		}
		return b
	}
	if i := indexName(b.names, b.path); i >= 0 {
		b.names = slices.Delete(b.names, i, i+1)
	}
	return b
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
	s.inheritedLabels = b.Labels[:min(len(b.Labels), maxNames)]
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

// walk looks for a name upward from a block.
type walk struct {
	lines  [][]byte // nearest first
	prefix []byte   // of the block's opener
	last   string   // the block before's file, if a line may repeat it as a bare name
	names  []Name   // candidates
	prose  int      // lines of prose that were passed
	above  int      // how many lines above the block the name is
	doubt  bool     // the name may not be one, see isDoubtful
	label  string   // of the first line of prose
	// announced says that the line above the block mentions a file and ends in a colon: names further up are not near.
	announced bool
}

func (w *walk) find() string {
	fences := 0
	for i, line := range w.lines {
		line = bytes.TrimPrefix(line, w.prefix)
		w.above = i + 1
		if text.Blank(line) {
			continue
		}
		if m, ok := mdline.ParseFence(line); ok {
			if name := infoName(m.Info); name != "" {
				return name
			}
			fences++
			if m.Closes && fences > 1 || m.Closes && !m.Opens {
				return w.lone(i)
			}
			continue
		}
		if w.last != "" && w.prose == 0 && string(text.Chomp(line)) == w.last {
			return w.last
		}
		name, strength := lineName(line)
		switch {
		case strength <= plain && w.prose == 0 && mdline.IsItem(line) && w.listed(i):
			continue
		case strength < plain && mdline.InBrackets(line):
			w.inline(line, w.near(line))
			continue // the name that the remark belongs to is above it
		case strength >= plain && w.prose == 0, strength == marked:
			w.doubt = isDoubtful(line, name)
			return name
		case strength == plain && isFileName(name) && string(bytes.TrimSpace(line)) == name && !w.announced:
			w.add(name, true) // as near as the files that the lines below mention
			w.prose++
			continue
		case strength == weak:
			near := w.near(line)
			w.add(name, near)
			if w.inline(line, near) {
				w.prose++
			}
			continue
		case fsm.Classify(line).Kind == fsm.Divider:
			continue
		}
		if w.prose == 0 {
			w.label = labelWord(line)
			if dir, ok := directory(line); ok {
				return dir
			}
			if word := bytes.TrimRight(line, " \t\r\n"); isPlainPath(word) && !isLanguage(string(word)) {
				w.add(string(word), true) // a directory, if it exists
			}
		}
		if near := w.near(line); w.inline(line, near) && near && w.prose == 0 {
			w.announced = bytes.HasSuffix(bytes.TrimRight(line, "*_ \t\r\n"), []byte(":"))
		}
		if w.prose++; w.prose > maxProseAbove {
			break
		}
	}
	return ""
}

// listed reports whether line i ends a list of several files. The block may be for any of them, so all are added as near.
func (w *walk) listed(i int) bool {
	var names []string
	for _, line := range w.lines[i:] {
		if text.Blank(line) {
			continue // a blank line between items
		}
		name := itemName(line)
		if name == "" {
			break
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) < 2 {
		return false
	}
	for _, name := range names {
		w.add(name, true)
	}
	w.prose++
	return true
}

// itemName returns the file with which a list item or a table row begins; "" if the line is neither or begins with something
// else.
func itemName(line []byte) string {
	if !mdline.IsItem(line) {
		return ""
	}
	text := bytes.TrimSpace(line)
	if text[0] == '|' {
		text, _, _ = bytes.Cut(text[1:], []byte("|"))
		name, strength := lineName(text)
		if strength < plain || !tellsFile(name) {
			return ""
		}
		return name
	}
	if name, strength := lineName(text); strength >= plain {
		return name
	}
	d := decorated{text: string(text)}
	d.strip()
	name, _ := d.leading()
	return name
}

// directory reads a line that is only the name of a directory. No block can be for a directory; the name is returned so that
// the block is refused.
func directory(line []byte) (string, bool) {
	if len(line) > maxNameLine || bytes.IndexByte(line, '/') < 0 {
		return "", false
	}
	d := decorated{text: strings.TrimSpace(string(line))}
	d.strip()
	return d.text, !d.listed && strings.HasSuffix(d.text, "/") && len(d.text) > 1 && isPlainPath([]byte(strings.TrimPrefix(d.text, "./")))
}

// lastBare returns the file of the block before, if a line with only this text would be read as that name; else "". Most blocks
// follow another one for the same file, so the answer is kept.
func (s *Scanner) lastBare() string {
	if s.bareOf != s.inherited {
		s.bareOf, s.bareName = s.inherited, ""
		if got, strength := judge(s.inherited, false); strength >= plain && got == s.inherited {
			s.bareName = s.inherited
		}
	}
	return s.bareName
}

// lone takes the name in a fence of its own above the block: lines[i] closes the fence, and only the name and the line that opens
// the fence are above it.
func (w *walk) lone(i int) string {
	if i+2 >= len(w.lines) {
		return ""
	}
	name, strength := lineName(w.lines[i+1])
	m, ok := mdline.ParseFence(w.lines[i+2])
	if strength < plain || !ok || !m.Opens {
		return ""
	}
	w.above = i + 2
	return name
}

func (w *walk) add(name string, near bool) {
	w.names = addName(w.names, Name{Text: name, Near: near})
}

func addName(names []Name, n Name) []Name {
	if len(names) < maxNames && indexName(names, n.Text) < 0 {
		names = append(names, n)
	}
	return names
}

func indexName(names []Name, text string) int {
	return slices.IndexFunc(names, func(n Name) bool { return n.Text == text })
}

// near reports whether a line says which file its block is for: it is the first line of prose above the block, and short, or a
// heading over lines without a name. A long line mentions files in passing, and so does a line that compares something with them.
func (w *walk) near(line []byte) bool {
	words := bytes.Fields(line)
	return (line[0] == '#' && !w.named() || w.prose == 0 && len(words) <= maxNearWords) && !comparesFile(words)
}

// comparesFile reports whether one of the words introduces a file for comparison: "like", "as in".
func comparesFile(words [][]byte) bool {
	for i, word := range words {
		if compares(word) || i > 0 && string(word) == "in" && string(bytes.ToLower(words[i-1])) == "as" {
			return true
		}
	}
	return false
}

// compares reports whether a word introduces a file for comparison.
func compares(word []byte) bool {
	switch string(bytes.ToLower(bytes.Trim(word, "(*_,>:"))) {
	case "like", "unlike", "see", "mirrors", "mirroring", "matches", "matching", "than", "cf":
		return true
	}
	return false
}

// named reports whether some candidate is clearly a file's name, and not just a word.
func (w *walk) named() bool {
	return slices.ContainsFunc(w.names, func(n Name) bool { return tellsFile(n.Text) })
}

// inline collects the names in a line of prose, and reports whether there are any.
func (w *walk) inline(line []byte, near bool) bool {
	names := slices.Collect(proseNames(line))
	for _, name := range names {
		w.add(name, near)
	}
	return len(names) > 0
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
	if name, strength := lineName(raw); strength >= plain {
		s.heading = heading{level: level, path: name, doubt: isDoubtful(raw, name)}
	} else if level <= s.heading.level {
		s.heading = heading{}
	}
	if s.heading.path == "" && bytes.IndexByte(raw, '.') >= 0 {
		if names := slices.Collect(proseNames(raw)); len(names) > 0 {
			s.heading = heading{level: level, names: names}
		}
	}
}
