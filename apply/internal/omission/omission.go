// Package omission finds the lines of REPLACE that stand for lines of the file, such as "the rest
// is unchanged" or "...". Written to the file, such a line would delete the lines that it stands
// for.
//
// [File.Find] decides for one block at its place. [File.Elides] and [File.Paired] recognize the
// elisions that a block may have on both sides. The package imports align, reading and strategy. It
// only recognizes English phrases and dots.
//
// No list of such phrases is complete, so the words are only half of the evidence. The other half
// is what happens to the lines: a passage of the block drops several distinctive lines and adds no
// counterparts for them (loss.go). A remark with a word that is neither a cue nor filler (words.go)
// describes something, unless it names what is lost and no new code follows. Start with Find.
package omission

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// Omission is a line of REPLACE that stands for lines of the file.
type Omission struct {
	line  []byte
	isNew bool // the file is new, so it has no lines to keep
}

const (
	enoughLost      = 2 // lost lines that make a remark an omission
	enoughAfterCode = 3 // lost lines that make a remark after code an omission
	enoughNamed     = 3 // lost lines that make a remark that names them an omission
	maxNamed        = 2 // words of such a remark that are neither a cue nor filler
)

// Find returns the first line of REPLACE that leaves lines out, or nil. v is the block, and a pairs
// it with lines of doc. If the block creates the file, doc is empty.
func (f *File) Find(doc *strategy.Document, v *reading.Reading, a align.Alignment) *Omission {
	r := &review{File: f, doc: doc, v: v, alignment: a}
	if !v.AddsLine(func(line []byte) bool { return f.remarkOf(line).kind != noRemark }) {
		return nil // like most blocks, it adds only code
	}
	r.count()
	for _, p := range passages(v) {
		if o := r.inPassage(p); o != nil {
			return o
		}
	}
	return nil
}

// review looks for omissions in one block.
type review struct {
	*File
	doc       *strategy.Document
	v         *reading.Reading
	alignment align.Alignment

	known  map[string]bool       // lines of SEARCH and of its place, trimmed
	back   map[strategy.Key]bool // lines that the block adds, in any hunk
	gone   map[strategy.Key]bool // lines that the block drops, in any hunk
	sample []bool                // REPLACE lines inside a fence of a Markdown file
}

// count records which lines are in SEARCH or at its place (known), which lines the block drops
// (gone) and adds (back), and which lines of REPLACE are in a fence of a Markdown file (sample).
func (r *review) count() {
	r.known = map[string]bool{}
	r.back, r.gone = map[strategy.Key]bool{}, map[strategy.Key]bool{}
	for i := range r.v.Search.Len() {
		r.known[string(bytes.TrimSpace(r.v.Search.Line(i)))] = true
	}
	for _, p := range r.alignment {
		if p.File >= 0 && p.Relation != align.Same {
			r.known[string(bytes.TrimSpace(r.doc.Line(p.File)))] = true
		}
	}
	for _, c := range r.v.Hunks() {
		for i := c.S0; i < c.S1; i++ {
			r.gone[r.v.Search.Key(i)] = true
		}
		for i := c.R0; i < c.R1; i++ {
			r.back[r.v.Replace.Key(i)] = true
		}
	}
	if !text.IsMarkup(r.name) {
		return
	}
	inside := false // each fence toggles it, from the beginning of the file on
	first, _ := r.alignment.Span()
	for i := range max(first, 0) {
		inside = inside != isFence(r.doc.Line(i))
	}
	r.sample = make([]bool, r.v.Replace.Len())
	for i := range r.sample {
		inside = inside != isFence(r.v.Replace.Line(i))
		r.sample[i] = inside
	}
}

// isFence reports whether a line of Markdown is a fence, possibly in a quotation or a list.
func isFence(line []byte) bool {
	t := bytes.TrimLeft(line, " \t>-*")
	return bytes.HasPrefix(t, []byte("```")) || bytes.HasPrefix(t, []byte("~~~"))
}

// inPassage returns the first of the lines that p adds that leaves lines out, or nil.
func (r *review) inPassage(p passage) *Omission {
	var l *loss // computed for the first remark
	for _, i := range p.added {
		line := r.v.Replace.Line(i)
		m := r.sentence(i)
		if m.kind == noRemark || r.sample != nil && r.sample[i] || r.known[string(bytes.TrimSpace(line))] {
			continue // not a remark, an example in a text, or a line that the file has
		}
		if l == nil {
			l = r.loss(p)
		}
		w := read(m, l.definitions)
		isNew := r.doc.Len() == 0
		if isNew && r.impossible(i, m, w, l.follows(i)) ||
			!isNew && (r.saysEmpty(i, l) || isRest(m, w, l) || r.leavesOut(i, m, w, l)) {
			return &Omission{line, isNew}
		}
	}
	return nil
}

// sentence returns the remark on REPLACE line i, joined with the comment lines above and below that
// belong to the same sentence: on each line of "// the rest of the" and "// code is unchanged" it
// returns "the rest of the code is unchanged".
func (r *review) sentence(i int) remark {
	m := r.remarkOf(r.v.Replace.Line(i))
	if m.kind != commentLine {
		return m
	}
	// goesOn reports whether line i continues the sentence of the comment above: it begins with a
	// lower-case letter, and the line above ends with a word.
	goesOn := func(i int) bool {
		if i <= 0 || i >= r.v.Replace.Len() {
			return false
		}
		above := r.v.Replace.Line(i - 1)
		a, b := r.remarkOf(above), r.remarkOf(r.v.Replace.Line(i))
		first, _ := utf8.DecodeRune(b.text)
		return a.kind == commentLine && b.kind == commentLine && a.sign == b.sign && !a.dots() &&
			!r.known[string(bytes.TrimSpace(above))] && text.EndsWithWord(a.text) && unicode.IsLower(first)
	}
	first, end := i, i+1
	for goesOn(first) {
		first--
	}
	for goesOn(end) {
		end++
	}
	if end-first > 1 {
		var words [][]byte
		for k := first; k < end; k++ {
			words = append(words, r.remarkOf(r.v.Replace.Line(k)).text)
		}
		m.text = bytes.Join(words, []byte{' '})
	}
	return m
}

// isRest reports whether a remark is like "(rest of the document unchanged)": words in brackets with
// two strong cues and at most one unknown word, instead of several lines.
func isRest(m remark, w wording, l *loss) bool {
	return m.kind == bareText && m.bracketed && w.strong > 1 && w.unknown < 2 && l.total >= enoughLost
}

// saysEmpty reports whether REPLACE consists of line i, a remark such as "(empty)" or "[deleted]",
// instead of several lines. l is what is dropped.
func (r *review) saysEmpty(i int, l *loss) bool {
	line := string(bytes.TrimSpace(r.v.Replace.Line(i)))
	return r.v.Replace.Len() == 1 && l.total >= enoughLost && has(emptyWords, strings.ToLower(line))
}

// leavesOut reports whether the remark m on REPLACE line i stands for lines of an existing file. w
// are the words of m, and l is what the passage around line i drops.
func (r *review) leavesOut(i int, m remark, w wording, l *loss) bool {
	// aboutCode: the remark is after code that the block adds, and no dots set it apart from that.
	aboutCode := m.kind == afterCode && !isStub(m.code) && !isEmptied(m.code) && !r.known[string(m.code)] && !m.begins
	switch {
	case m.dots() && r.elides(m, w, l):
		return true // "// ... rest of the code"
	case w.words == 0:
		return false // only signs, or dots that may be code
	case namesLost(i, m, w, l):
		return true // "// constructor unchanged"
	case w.unknown > 0:
		return false // a word says what the code does: "// keep the cache warm"
	case aboutCode:
		// "x = 1 // unchanged" is about x. A longer remark is not if it ends a passage that loses
		// many lines.
		return w.strong > 0 && w.words > 1 && len(l.lost) >= enoughAfterCode && !l.follows(i)
	case w.strong > 1 && l.total >= enoughLost:
		return true // "// rest unchanged" can't mean anything else
	case len(l.lost) < enoughLost && l.definitions == nil:
		return false // the block drops too little to have left lines out
	case m.kind == bareText && !r.code && !(m.begins && m.ends):
		return false // a sentence of prose
	}
	// One strong cue such as "existing" is enough, unless it may describe things in the code below.
	return isSaid(m, w, l.follows(i)) || w.strong > 0 && !w.things
}

// namesLost reports whether a comment on REPLACE line i says that something is unchanged, in few
// words, and the passage drops several lines or a definition, but adds no code that the comment may
// describe.
func namesLost(i int, m remark, w wording, l *loss) bool {
	said := w.strong > 0 || w.weak > 1 || m.dots()
	return m.kind == commentLine && said && w.unknown <= maxNamed && !l.follows(i) &&
		(len(l.lost) >= enoughNamed || l.definitions != nil)
}

// elides reports whether a remark with dots is an elision: only dots, or a comment with dots and a
// strong cue. It counts even if the block drops nothing. In Python, dots alone are a statement
// unless they replace several lines. Dots at the end, as in "existing items...", only count if the
// words are all cues or filler.
func (r *review) elides(m remark, w wording, l *loss) bool {
	if w.words == 0 {
		return m.kind == commentLine || !isPython(r.name) || l.total > 1
	}
	if m.begins && m.ends && w.unknown == 0 && w.weak > 0 && l.total > 0 {
		return true // "// ... 5 more lines ..."
	}
	return m.kind == commentLine && w.strong > 0 && (m.begins || w.unknown == 0)
}

// impossible reports whether the remark on REPLACE line i of a new file refers to existing code,
// which a new file can't have. w are the remark's words, and follows says that code follows it.
func (r *review) impossible(i int, m remark, w wording, follows bool) bool {
	switch {
	case w.words == 0:
		return m.kind == commentLine && m.dots() // "// ..."
	case w.unknown > 0 || w.strong+w.weak == 0:
		return false // it says something about the code, or nothing about what is left out
	case m.kind == bareText && !r.code:
		return m.begins && m.ends // "... rest of the text ..."; otherwise it's prose
	case m.kind == bareText && !m.dots() && !m.bracketed && (r.isBare(i-1) || r.isBare(i+1)):
		return false // a line of prose
	case m.kind == afterCode && !isStub(m.code):
		return false // about the state of something, as in `KEPT // unchanged`
	}
	// One or two weak cues without dots or a word for code may describe anything: "other items".
	return (w.strong > 0 || m.dots() || w.code || w.weak > 2) && isSaid(m, w, follows)
}

// isBare reports whether REPLACE line i consists of words without a comment sign.
func (r *review) isBare(i int) bool {
	return i >= 0 && i < r.v.Replace.Len() && r.remarkOf(r.v.Replace.Line(i)).kind == bareText
}

// isSaid reports whether a remark that consists of cues and filler says that something is left out.
// If code follows, the remark may be a heading for that code, such as "existing items". It then
// needs more cues, or a word for code, as in "existing code".
func isSaid(m remark, w wording, follows bool) bool {
	switch {
	case m.dots() || m.bracketed || !follows:
		return w.strong+w.weak > 0
	case w.strong == 0:
		return w.weak > 0 && w.code || w.weak > 2
	}
	return w.strong+w.weak > 1 || w.code
}

// String says which line leaves lines out.
func (o *Omission) String() string {
	if o.isNew {
		return fmt.Sprintf("REPLACE leaves lines out: %q; the file is new, so there are no lines to "+
			"keep; write them out", o.line)
	}
	return fmt.Sprintf("REPLACE leaves lines out: %q; write them out, or put the same line into SEARCH",
		o.line)
}

// Clipped returns the line, or its beginning and "…" if it has more than 60 bytes.
func Clipped(line []byte) []byte {
	const most = 60
	if len(line) <= most {
		return line
	}
	return append(bytes.ToValidUTF8(slices.Clone(line[:most]), nil), "…"...)
}

func isPython(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".py", ".pyi", ".pyx", ".pyw", ".ipynb":
		return true
	}
	return false
}
