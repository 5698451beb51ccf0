package filename

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

const (
	maxProseAbove = 3 // number of lines of prose above a block that are searched
	MaxNames      = 8 // maximum number of candidates
	maxNearWords  = 8 // maximum number of words in a line that says which file a block is for
)

// Found is what the lines above a block say about its file.
type Found struct {
	Path  string // the block's file; "" if none was found
	Prose int    // number of lines of prose between the name and the block
	Above int    // number of lines from the name to the block
	Doubt bool   // Path may not be a file name, see IsDoubtful
	Label string // the word that labels the block in the first line of prose; see labelWord
	Names []Name // the other names, nearest first
}

// Name is a file name that a block may be meant for.
type Name struct {
	Text string
	// Near says that the name is in a short line directly above the block, or in the heading above
	// it. Other names are mentioned in a longer sentence or further up.
	Near bool
	// Line says that the name is alone on its line.
	Line bool
	// Inherited says that the name comes from above an earlier block, below the last block that
	// names its file.
	Inherited bool
}

// Add adds another name, unless it is already in the list or there are MaxNames names.
func (f *Found) Add(name Name) {
	if len(f.Names) < MaxNames && !slices.ContainsFunc(f.Names, func(n Name) bool { return n.Text == name.Text }) {
		f.Names = append(f.Names, name)
	}
}

// Named reports whether any candidate is clearly a file name and not just a word.
func (f *Found) Named() bool {
	return slices.ContainsFunc(f.Names, func(n Name) bool { return tellsFile(n.Text) })
}

// Search finds the nearest name in the lines above a block: in the info string of the block's
// fence, alone on a line, or in a separate fence. lines are in order of nearness. Names within
// prose are only candidates. prefix is the prefix of the block's opener.
func (f *Found) Search(lines [][]byte, prefix []byte, memo *Memo) {
	w := walk{Found: f, lines: lines, prefix: prefix, memo: memo}
	f.Path = w.find()
}

// SearchNext is like Search, but finds only a name next to the block: it stops at the first line of
// prose and collects no candidates from that line.
func (f *Found) SearchNext(lines [][]byte, memo *Memo) {
	w := walk{Found: f, lines: lines, next: true, memo: memo}
	f.Path = w.find()
}

// walk looks for a name upwards from a block.
type walk struct {
	*Found
	lines  [][]byte // nearest first
	prefix []byte   // prefix of the block's opener
	memo   *Memo
	// announced says that the line above the block mentions a file and ends in a colon. If so,
	// names further up are not near.
	announced bool
	next      bool // only a name next to the block counts
}

// find returns the name, or "".
func (w *walk) find() string {
	fences := 0
	for i, line := range w.lines {
		line = bytes.TrimPrefix(line, w.prefix)
		w.Above = i + 1
		if w.next && w.Prose > 0 { // only a name next to the block counts
			break
		}
		if text.Blank(line) {
			continue
		}
		if m, ok := mdline.ParseFence(line); ok {
			if name := infoName(m.Info); name != "" {
				return name
			}
			fences++                                  // the first may open the fence around the block
			if m.Closes && (fences > 1 || !m.Opens) { // it ends a fence above the block's own
				w.addAboveDoubled(i)
				return w.fencedName(i)
			}
			continue
		}
		switch name, kind := w.read(i, line); kind {
		case isName:
			return name
		case isText:
			if dir, end := w.text(line); end {
				return dir
			}
		}
	}
	return ""
}

// lineKind is the kind of a line above the block.
type lineKind uint8

const (
	isPassed lineKind = iota // its names were recorded, and the block's name may be above it
	isName
	isText
)

// read reads lines[i] as a name. line is that line without the block's prefix. It returns the name
// if the kind is isName. If the kind is isPassed, names in the line are only candidates, which read
// adds. read also sets Doubt for a name, and counts lines of prose.
func (w *walk) read(i int, line []byte) (string, lineKind) {
	name, strength := w.memo.OfLine(line)
	alone := strength != none && string(bytes.TrimSpace(line)) == name
	switch {
	case strength <= Plain && w.Prose == 0 && mdline.IsItem(line) && w.addList(i):
		// A list of files: addList added them.
	case strength < Plain && mdline.InBrackets(line):
		w.addInline(line, w.near(line)) // a remark on the name above it
	case strength >= Plain && w.Prose == 0, strength == marked: // by a label, say, even above prose
		w.Doubt = IsDoubtful(line, name)
		return name, isName
	case strength == Plain && Likely(name) && alone && !w.announced: // prose below it names no file
		w.Add(Name{Text: name, Near: true}) // it counts as much as files mentioned there
		w.Prose++
	case strength == Weak:
		near := w.near(line)
		w.Add(Name{Text: name, Near: near, Line: alone})
		if w.addInline(line, near) {
			w.Prose++
		}
	case fsm.Classify(line).Kind == fsm.Divider: // a rule, or the underline of a title
	default:
		return "", isText
	}
	return "", isPassed
}

// text reads a line of prose: it adds the names in the line as candidates and, next to the block,
// sets Label and announced. end says whether the search ends there. If the line is next to the
// block and names a directory, text returns that directory, so that the block is refused.
func (w *walk) text(line []byte) (dir string, end bool) {
	if w.Prose == 0 {
		if dir, ok := directory(line); ok {
			return dir, true
		}
		if w.next {
			return "", true
		}
		w.Label = labelWord(line)
		if word := bytes.TrimRight(line, " \t\r\n"); isPlainPath(word) && !IsLanguage(string(word)) {
			w.Add(Name{Text: string(word), Near: true, Line: true}) // a file, if it exists
		}
	}
	if near := w.near(line); w.addInline(line, near) && near && w.Prose == 0 {
		w.announced = bytes.HasSuffix(bytes.TrimRight(line, "*_ \t\r\n"), []byte(":"))
	}
	w.Prose++
	return "", w.Prose > maxProseAbove
}

// fencedName returns the name that is alone in a fence above the block, or "" if there is none, and
// sets Above for the name. lines[i] closes that fence; the name and the line that opens the fence
// are above it.
func (w *walk) fencedName(i int) string {
	if i+2 >= len(w.lines) {
		return ""
	}
	name, strength := w.memo.OfLine(w.lines[i+1])
	m, ok := mdline.ParseFence(w.lines[i+2])
	if strength < Plain || !ok || !m.Opens {
		return ""
	}
	w.Above = i + 2
	return name
}

// addAboveDoubled adds the name above a fence line that was written twice. lines[i] is the upper of
// the two fence lines.
func (w *walk) addAboveDoubled(i int) {
	if i == 0 || i+1 >= len(w.lines) || !bytes.Equal(w.lines[i], w.lines[i-1]) {
		return
	}
	if name, strength := w.memo.OfLine(w.lines[i+1]); strength >= Plain {
		w.Add(Name{Text: name, Near: true})
	}
}

// near reports whether a line says which file its block is for: it is short and the first line of
// prose above the block, or a heading above lines without a name. Long lines, and lines that
// compare something with a file, mention files only in passing.
func (w *walk) near(line []byte) bool {
	heading, first := line[0] == '#' && !w.Named(), w.Prose == 0 && len(bytes.Fields(line)) <= maxNearWords
	return (heading || first) && !comparesFile(line)
}

// addInline adds the names in a line of prose as candidates. It reports whether there are any.
func (w *walk) addInline(line []byte, near bool) bool {
	names := slices.Collect(InProse(line))
	for _, name := range names {
		w.Add(Name{Text: name, Near: near})
	}
	return len(names) > 0
}
