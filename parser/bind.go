package parser

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// binding is what the reply says about the file of a block.
type binding struct {
	path   string
	names  []Name
	sticky bool // path comes from the block before
	direct bool // path stands next to the block
	line   int  // where path stands; 0 if that is no line of its own
	doubt  bool // path may be no name, see isDoubtful
}

// give names the file of a block.
func (b *binding) give(block *Block) {
	block.Path, block.Names, block.Inherited = b.path, slices.Concat(block.Names, b.names), b.sticky
	if b.doubt && block.Op == OpCreate {
		block.Path, block.Names, block.Inherited = "", []Name{{Text: b.path, Near: true}}, false
	}
}

// heading is the last heading that names a file, or that holds such names among other words.
type heading struct {
	level int
	path  string
	doubt bool
	names []string
}

const (
	maxLinesAbove = 12 // lines above a block that are looked at
	maxProseAbove = 3  // of these, how many may be prose
	maxNames      = 8  // weaker names that are kept
	maxNearWords  = 8  // words of a line that says what its block is for
)

// bind finds the file of the block that begins at the line: the nearest name above it, whether inside the fence, in
// its info string or above; else the heading it stands under; else the file of the block before. Names that run in
// prose are candidates only.
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
		b.path, b.sticky = s.inherited, s.inherited != ""
		near := !w.named()
		for _, name := range s.heading.names {
			w.add(name, near)
		}
		b.names = w.names
		for _, n := range s.carried {
			b.names = addName(b.names, n)
		}
		return b
	}
	if i := indexName(b.names, b.path); i >= 0 {
		b.names = slices.Delete(b.names, i, i+1)
	}
	return b
}

// carry keeps the names of a block for the next one.
func (s *Scanner) carry(path string, names []Name, sticky bool) {
	s.inherited = cmp.Or(path, s.inherited)
	if path != "" && !sticky {
		s.carried = s.carried[:0]
		return
	}
	// What stands above this block is nearer than what was carried before; names holds both.
	s.carried = s.carried[:0]
	for _, n := range names {
		n.Inherited = true
		s.carried = append(s.carried, n)
	}
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
	names  []Name   // candidates
	prose  int      // lines of prose that were passed
	above  int      // how many lines above the block the name stands
	doubt  bool     // the name may be none, see isDoubtful
	// announced says that the line above the block speaks of a file and ends in a colon: what is named further up is not near.
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
		if w.last != "" && w.prose == 0 && string(text.Chomp(line)) == w.last {
			return w.last
		}
		name, strength := lineName(line)
		switch {
		case strength <= plain && w.prose == 0 && isItem(line) && w.listed(i):
			continue
		case strength < plain && inBrackets(line):
			w.inline(line, w.near(line))
			continue // the name that it is about stands above it
		case strength >= plain && w.prose == 0, strength == marked:
			w.doubt = isDoubtful(line, name)
			return name
		case strength == plain && isFileName(name) && string(bytes.TrimSpace(line)) == name && !w.announced:
			w.add(name, true) // as near as what the lines below speak of
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
			if dir, ok := directory(line); ok {
				return dir
			}
			if word := bytes.TrimRight(line, " \t\r\n"); isPlainPath(word) && !isLanguage(string(word)) {
				w.add(string(word), true) // a directory, if there is such a one
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

// listed reports whether line i is the last one of a list of files, any of which the block may be for: they are all near.
func (w *walk) listed(i int) bool {
	var names []string
	for _, line := range w.lines[i:] {
		if text.Blank(line) {
			continue // between the items of a list
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

// itemName returns the file that an item of a list, or a row of a table, begins with; "" if the line is none or begins with
// something else.
func itemName(line []byte) string {
	if !isItem(line) {
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

// isItem reports whether a line is an item of a list, or a row of a table.
func isItem(line []byte) bool {
	text := bytes.TrimLeft(line, " \t")
	if rest := bytes.TrimLeft(text, "0123456789"); len(rest) < len(text) {
		return len(rest) > 1 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' '
	}
	return len(text) > 1 && (text[0] == '|' || bytes.IndexByte([]byte("-*+"), text[0]) >= 0 && text[1] == ' ')
}

// inBrackets reports whether all of a line stands in brackets.
func inBrackets(line []byte) bool {
	text := bytes.TrimSpace(line)
	return len(text) > 2 && text[0] == '(' && text[len(text)-1] == ')' && bytes.IndexByte(text[1:], '(') < 0
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
	if s.bareOf != s.inherited {
		s.bareOf, s.bareName = s.inherited, ""
		if got, strength := judge(s.inherited, false); strength >= plain && got == s.inherited {
			s.bareName = s.inherited
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

// near reports whether a line tells what its block is for: it is the first one above the block, or a heading over lines that
// hold no name. In a long line of prose files are mentioned in passing, and so are those that something is compared with.
func (w *walk) near(line []byte) bool {
	words := bytes.Fields(line)
	return (line[0] == '#' && !w.named() || w.prose == 0 && len(words) <= maxNearWords) && !comparesFile(words)
}

// comparesFile reports whether some of the words lead to a file for comparison: "like", "as in".
func comparesFile(words [][]byte) bool {
	for i, word := range words {
		if compares(word) || i > 0 && string(word) == "in" && string(bytes.ToLower(words[i-1])) == "as" {
			return true
		}
	}
	return false
}

// compares reports whether a word leads to a file for comparison.
func compares(word []byte) bool {
	switch string(bytes.ToLower(bytes.Trim(word, "(*_,>:"))) {
	case "like", "unlike", "see", "mirrors", "mirroring", "matches", "matching", "than", "cf":
		return true
	}
	return false
}

// named reports whether a candidate is more than a word.
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
