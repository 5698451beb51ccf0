package filename

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

const (
	maxProseAbove = 3 // how many lines above a block may be prose
	MaxNames      = 8 // candidates that are remembered
	maxNearWords  = 8 // words of a line that says which file its block is for
)

// Found is what the lines above a block say about its file.
type Found struct {
	Path  string // the name that counts; "" if none does
	Prose int    // lines of prose between it and the block
	Above int    // how many lines above the block it is
	Doubt bool   // it may not be a name, see isDoubtful
	Label string // the word that labels the block, of the first line of prose
	list  [MaxNames]candidate
	n     int
}

// candidate is a name that the block may be meant for.
type candidate struct {
	Text string
	Near bool // it is named in few words directly above the block
	Line bool // it is all of its line
}

// Candidates are the other names, the nearest first.
func (f *Found) Candidates() []candidate { return f.list[:f.n] }

// Add takes a name along, unless it is known or there are enough of them.
func (f *Found) Add(name string, near bool) { f.add(candidate{Text: name, Near: near}) }

func (f *Found) add(found candidate) {
	if f.n < MaxNames && !slices.ContainsFunc(f.Candidates(), func(c candidate) bool { return c.Text == found.Text }) {
		f.list[f.n] = found
		f.n++
	}
}

// Named reports whether some candidate is clearly a file's name, and not just a word.
func (f *Found) Named() bool {
	return slices.ContainsFunc(f.Candidates(), func(c candidate) bool { return tellsFile(c.Text) })
}

// Search finds the nearest name in the lines above a block, nearest first: in the info string of
// its fence, on a line of its own, or in a fence of its own. Names within prose are only
// candidates. prefix is that of the block's opener, and last the name of the file of the block
// before, if a line may repeat it as it is.
func (f *Found) Search(lines [][]byte, prefix []byte, last string, memo *Memo) {
	w := walk{Found: f, lines: lines, prefix: prefix, memo: memo}
	f.Path = w.find(last)
}

// SearchNext is Search for a name next to the block: it ends at the first line of prose, and
// collects no candidates from it.
func (f *Found) SearchNext(lines [][]byte, last string, memo *Memo) {
	w := walk{Found: f, lines: lines, next: true, memo: memo}
	f.Path = w.find(last)
}

// walk looks for a name upward from a block.
type walk struct {
	*Found
	lines  [][]byte // nearest first
	memo   *Memo
	prefix []byte // of the block's opener
	// announced says that the line above the block mentions a file and ends in a colon: names
	// further up are not near.
	announced bool
	next      bool // the name has to be next to the block
}

// find returns the name. last is the file of the block before, if a line may repeat it as a bare
// name; it is no field of the walk, so that the compiler sees that what is found lives no longer
// than the search.
func (w *walk) find(last string) string {
	fences := 0
	for i, line := range w.lines {
		line = bytes.TrimPrefix(line, w.prefix)
		w.Above = i + 1
		if w.next && w.Prose > 0 {
			break
		}
		if text.Blank(line) {
			continue
		}
		if m, ok := mdline.ParseFence(line); ok {
			if name := infoName(m.Info); name != "" {
				return name
			}
			fences++
			if m.Closes && fences > 1 || m.Closes && !m.Opens {
				w.doubled(i)
				return w.lone(i)
			}
			continue
		}
		if last != "" && w.Prose == 0 && string(text.Chomp(line)) == last {
			return last
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

// lineKind says what a line above the block turned out to be.
type lineKind uint8

const (
	isPassed lineKind = iota // what it says is noted, and a name may be above it
	isName
	isText
)

// read reads lines[i], which is line without the prefix of the block, as a name.
func (w *walk) read(i int, line []byte) (string, lineKind) {
	name, strength := w.memo.OfLine(line)
	alone := strength != none && string(bytes.TrimSpace(line)) == name
	switch {
	case strength <= Plain && w.Prose == 0 && mdline.IsItem(line) && w.listed(i):
	case strength < Plain && mdline.InBrackets(line):
		w.inline(line, w.near(line)) // the name that the remark belongs to is above it
	case strength >= Plain && w.Prose == 0, strength == marked:
		w.Doubt = IsDoubtful(line, name)
		return name, isName
	case strength == Plain && Likely(name) && alone && !w.announced:
		w.Add(name, true) // as near as the files that the lines below mention
		w.Prose++
	case strength == Weak:
		near := w.near(line)
		w.add(candidate{name, near, alone})
		if w.inline(line, near) {
			w.Prose++
		}
	case fsm.Classify(line).Kind == fsm.Divider:
	default:
		return "", isText
	}
	return "", isPassed
}

// text reads a line of prose, and reports whether nothing above it counts. It returns the directory
// that a line next to the block names.
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
			w.add(candidate{string(word), true, true}) // a directory, if it exists
		}
	}
	if near := w.near(line); w.inline(line, near) && near && w.Prose == 0 {
		w.announced = bytes.HasSuffix(bytes.TrimRight(line, "*_ \t\r\n"), []byte(":"))
	}
	w.Prose++
	return "", w.Prose > maxProseAbove
}

// lone takes the name in a fence of its own above the block: lines[i] closes the fence, and only
// the name and the line that opens the fence are above it.
func (w *walk) lone(i int) string {
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

// doubled offers the name above a fence line that was written twice, lines[i] being the upper one.
func (w *walk) doubled(i int) {
	if i == 0 || i+1 >= len(w.lines) || !bytes.Equal(w.lines[i], w.lines[i-1]) {
		return
	}
	if name, strength := w.memo.OfLine(w.lines[i+1]); strength >= Plain {
		w.Add(name, true)
	}
}

// near reports whether a line says which file its block is for: it is the first line of prose above
// the block, and short, or a heading over lines without a name. A long line mentions files in
// passing, and so does a line that compares something with them.
func (w *walk) near(line []byte) bool {
	return (line[0] == '#' && !w.Named() || w.Prose == 0 && hasFewWords(line)) && !comparesFile(line)
}

// inline collects the names in a line of prose, and reports whether there are any.
func (w *walk) inline(line []byte, near bool) bool {
	names := w.memo.inProse(line)
	for _, name := range names {
		w.Add(name, near)
	}
	return len(names) > 0
}

// hasFewWords reports whether a line is short.
func hasFewWords(line []byte) bool {
	n := 0
	for range bytes.FieldsSeq(line) {
		if n++; n > maxNearWords {
			return false
		}
	}
	return true
}
