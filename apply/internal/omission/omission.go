package omission

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// A model that is tired of repeating code writes "the rest is unchanged" in REPLACE. Taken literally that deletes the rest, and
// nothing in the result looks broken. No list of such sentences is complete, so the sentence is only half of the evidence. The
// other half is what happens to the lines: a passage of the block drops several that say something, and what it adds has no
// counterpart for them. A comment that says "unchanged" above the code that was rewritten has one, and stays.
//
// How much a remark has to say depends on what comes with it. Where the passage shrinks and no code follows the remark, it is in
// the place of the lines: one cue is enough. Code that follows may be what the remark is a comment on, so it takes two. Where about
// as much code comes in as goes, somebody rewrote it, and only a remark that cannot mean anything else counts: see [needed]. Words
// that are neither cue nor filler make a remark a comment, except where no code follows it and far more is lost than written. A
// stub, `pass` or `raise NotImplementedError`, is no code. Code that is a changed form of what came after the lost lines does not
// follow in this sense: the remark is in their place. Names of lost definitions are known words.
//
// A remark in that place without any cue may explain why the lines went, a remark on a line that was changed may be about that
// line, and a single line may well be meant to go: these get a warning.
//
// Dots are held to more. A comment that has the form of an elision, and that SEARCH does not have, is refused also where nothing is
// dropped: the dots of both sides come in pairs, and a single one stands for nothing.
//
// In a new file nothing is dropped. There only what speaks of lines that cannot be there counts.
//
// This file decides; loss.go says what becomes of the lines, remark.go what a remark is, cue.go what its words say.

// Omission is a line of REPLACE that stands for lines of the file.
type Omission struct {
	// Doubt says that it may as well be an explanation.
	Doubt  bool
	line   int   // of REPLACE
	lost   []int // the SEARCH lines that would go for it, ascending
	review *review
}

// Find is the line of REPLACE that leaves something out, nil if there is none; the surest one, of several the first. The block is
// v at the lines of doc that a pairs; doc is empty where the block makes a file.
func Find(x *Lexicon, doc *strategy.Document, v *reading.Reading, a align.Alignment) *Omission {
	return newReview(x, doc, v, a).omission()
}

// How many lines must be lost.
const (
	enoughLost  = 2 // for a remark with a cue to be refused
	enoughAlone = 3 // to speak for themselves, see [loss.endsAt]
)

// onCode is the weight that a comment needs to be more than one on the code that it shares a line with.
const onCode = 4

// needed is the weight that a remark of cues and filler needs.
func needed(follows, shrinks bool) int {
	switch {
	case !shrinks:
		return byItself
	case follows:
		return enough
	}
	return inCompany
}

// review looks for omissions in one block.
type review struct {
	name      string // of the file
	doc       *strategy.Document
	v         *reading.Reading
	alignment align.Alignment
	lexicon   *Lexicon

	replace []remark
	samples []bool // REPLACE lines that are part of one
	added   []bool // REPLACE lines
	// known are the lines that the block found rather than made up, blanks at their ends aside: SEARCH has them, or the file where
	// SEARCH occurs.
	known map[string]bool

	// See count.
	search []remark // of the lines that go
	back   map[strategy.Key]bool
	gone   map[strategy.Key]bool
	shared map[string]int // see sharers
}

func newReview(x *Lexicon, doc *strategy.Document, v *reading.Reading, a align.Alignment) *review {
	return &review{name: x.name, doc: doc, v: v, alignment: a, lexicon: x}
}

// omission is what [Find] finds.
func (r *review) omission() *Omission {
	o := r.find()
	if o != nil {
		o.review = r
	}
	return o
}

func (r *review) find() *Omission {
	remarks, dropped := false, false
	for _, c := range r.v.Hunks() {
		dropped = dropped || c.S0 < c.S1
		for i := c.R0; i < c.R1 && !remarks; i++ {
			remarks = r.lexicon.mayRemark(r.v.Replace, i)
		}
	}
	if !remarks || !dropped && !HasDots(r.v.Replace.Text()) && !r.creates() {
		return nil
	}
	r.added = make([]bool, r.v.Replace.Len())
	for _, c := range r.v.Hunks() {
		for i := c.R0; i < c.R1; i++ {
			r.added[i] = true
		}
	}
	r.replace = r.lexicon.remarksOf(r.v.Replace, r.added)
	if !slices.ContainsFunc(r.replace, func(m remark) bool { return m.kind != noRemark }) {
		return nil
	}
	first, _ := r.alignment.Span()
	r.samples = samples(r.name, r.doc, max(0, first), r.v.Replace)
	r.word()
	r.known = make(map[string]bool, r.v.Search.Len())
	for i := range r.v.Search.Len() {
		r.known[string(bytes.TrimSpace(r.v.Search.Line(i)))] = true
	}
	for _, p := range r.alignment {
		if p.File >= 0 && p.Relation != align.Same {
			r.known[string(bytes.TrimSpace(r.doc.Line(p.File)))] = true
		}
	}
	var doubtful *Omission
	for _, p := range passages(r.v) {
		switch o := r.inPassage(p); {
		case o == nil:
		case !o.Doubt:
			return o
		case doubtful == nil:
			doubtful = o
		}
	}
	return doubtful
}

// creates reports whether the block gives the whole of a new file.
func (r *review) creates() bool { return r.doc.Len() == 0 }

// inPassage is the omission among the lines that p adds.
func (r *review) inPassage(p passage) *Omission {
	candidates := slices.DeleteFunc(slices.Clone(p.added), func(i int) bool {
		return r.replace[i].kind == noRemark || r.samples != nil && r.samples[i] || r.known[string(bytes.TrimSpace(r.v.Replace.Line(i)))]
	})
	candidates = slices.DeleteFunc(candidates, r.documents)
	if len(candidates) == 0 {
		return nil
	}
	l := r.loss(p)
	if r.creates() {
		for _, i := range candidates {
			if r.impossible(i, l) {
				return &Omission{line: i}
			}
		}
		return nil
	}
	r.knowNames(candidates, l)
	for _, i := range candidates {
		if r.elides(i, p, l) {
			return &Omission{line: i, lost: l.lost}
		}
	}
	if o := r.endsIn(candidates, l); o != nil {
		return o
	}
	if len(l.lost) == 0 {
		return r.rewritten(candidates, l)
	}
	var doubtful *Omission
	for _, i := range candidates {
		switch cued := r.cued(i, l); {
		case cued && (l.isDeliberate() || len(l.dropped)+len(l.remarks) >= enoughLost && r.replace[i].wording.unknown == 0):
			return &Omission{line: i, lost: l.lost}
		case doubtful == nil && (cued || r.doubtful(i, l)):
			doubtful = &Omission{line: i, lost: l.lost, Doubt: true}
		}
	}
	return doubtful
}

// endsIn is the omission where several lines are lost that are too short to have counterparts, and what comes in ends in a remark that
// cannot mean anything else.
func (r *review) endsIn(candidates []int, l loss) *Omission {
	lost := slices.Sorted(slices.Values(slices.Concat(l.lost, l.short)))
	for _, i := range candidates {
		w := r.replace[i].wording
		if w.unknown == 0 && w.weight >= onCode && !l.follows(i) && len(lost) >= enoughAlone && len(lost) >= 2*len(l.fresh) {
			return &Omission{line: i, lost: lost}
		}
	}
	return nil
}

// rewritten is the omission where every dropped line of code may have its counterpart: a remark without code below it that cannot
// mean anything else, or one in the place of a comment of several lines.
func (r *review) rewritten(candidates []int, l loss) *Omission {
	for _, i := range candidates {
		m := r.replace[i]
		w := m.wording
		switch {
		case w.unknown > 0 || !r.cued(i, l):
		case w.weight >= byItself && !w.dots() && len(l.dropped) >= enoughLost && (m.kind == trailingComment || !l.follows(i)):
			return &Omission{line: i, lost: l.dropped}
		case len(l.remarks) >= enoughAlone:
			return &Omission{line: i, lost: l.remarks}
		}
	}
	return nil
}

// knowNames takes words that are the names of lost definitions off those of the remarks that nobody knows: what is said to be
// unchanged is named.
func (r *review) knowNames(candidates []int, l loss) {
	var lost []string
	for _, d := range l.lost {
		if name := text.Definition(r.v.Search.Line(d)); name != nil {
			lost = append(lost, string(name))
		}
	}
	if len(lost) == 0 {
		return
	}
	for _, i := range candidates {
		w := &r.replace[i].wording
		for _, word := range strings.FieldsFunc(string(w.text), func(c rune) bool { return !text.IsWordRune(c) }) {
			if w.unknown > 0 && slices.Contains(lost, word) {
				w.unknown--
			}
		}
	}
}

// documents reports whether REPLACE line i is a comment on what is declared below it: it begins with the name.
func (r *review) documents(i int) bool {
	if r.replace[i].kind != commentLine {
		return false
	}
	first, _, _ := bytes.Cut(bytes.TrimRight(r.replace[i].text, ".:"), []byte{' '})
	for i < len(r.replace) && r.replace[i].kind == commentLine {
		i++
	}
	if i == len(r.replace) || len(first) == 0 {
		return false
	}
	line := r.v.Replace.Line(i)
	declared := names(line)
	return bytes.Equal(first, text.Definition(line)) || len(declared) > 0 && declared[0] == string(first)
}

// impossible reports whether a remark in a new file speaks of what cannot be there.
func (r *review) impossible(i int, l loss) bool {
	m := r.replace[i]
	w := m.wording
	if len(w.text) == 0 {
		return w.dots() && m.kind == commentLine
	}
	switch {
	case m.kind == dottedCode, m.kind == trailingComment && !m.isStub() && !w.dots():
		return false // on the state of something, as in `KEPT // unchanged`
	case m.kind == bareText && !w.dots() && bytes.IndexByte([]byte("[(<{"), m.text[0]) < 0 && !r.strays(i):
		return false // a name, or a line of a text
	case m.kind == bareText && text.IsMarkup(r.name) && !(w.begins && w.ends):
		return false // a sentence
	case l.follows(i) && w.isHeading():
		return false // a heading
	}
	return w.unknown == 0 && w.weight >= enough && (w.dots() || w.ofCode || w.heaviest >= ofCode || w.weight > enough)
}

// strays reports whether the words of REPLACE line i are alone in code, where nothing can run them.
func (r *review) strays(i int) bool {
	bare := func(k int) bool { return k >= 0 && k < len(r.replace) && r.replace[k].kind == bareText }
	return r.lexicon.runs && r.replace[i].wording.words > 1 && !bare(i-1) && !bare(i+1)
}

// word reads what the added remarks say. A comment that comes in with several lines says what they say together: "all others"
// above "remain unchanged".
func (r *review) word() {
	for i := 0; i < len(r.replace); i++ {
		if !r.added[i] || r.replace[i].kind == noRemark {
			continue
		}
		first, words := i, slices.Clone(r.replace[i].text)
		for i+1 < len(r.replace) && r.added[i+1] && goesOn(r.replace[i], r.replace[i+1]) {
			i++
			words = append(append(words, ' '), r.replace[i].text...)
		}
		w := r.lexicon.read(stripDecoration(words))
		for ; first <= i; first++ {
			r.replace[first].wording = w
		}
	}
}

// goesOn reports whether the sentence of comment a goes on in comment b, which is on the next line and of the same sort.
func goesOn(a, b remark) bool {
	if a.kind != commentLine || b.kind != commentLine || a.sign != b.sign || len(a.text) == 0 {
		return false
	}
	begin, _ := utf8.DecodeRune(b.text)
	end, _ := utf8.DecodeLastRune(a.text)
	return unicode.IsLower(begin) && text.IsWordRune(end)
}

// isHeading reports whether a remark with code below it may well name that code.
func (w wording) isHeading() bool {
	if w.dots() || w.bracketed || w.ofCode && w.words > 1 {
		return false
	}
	return w.weight < byItself || w.things > 0 && w.cues == 1
}

// mostlyPlain reports whether all but a word or two are cues and filler, so that those may be cues nobody has listed.
func (w wording) mostlyPlain() bool { return w.unknown <= 2 && w.unknown*2 <= w.words }

// elides reports whether REPLACE line i has the form of an elision. Bare dots are code in Python unless lines go for them; dots
// at both ends need no cue where code is lost; a sentence of its own may end in dots.
func (r *review) elides(i int, p passage, l loss) bool {
	is, bare := r.lexicon.IsElision(r.v.Replace.Line(i))
	if bare {
		return is && (!isPythonLike(r.name) || len(p.dropped) > 1)
	}
	m := r.replace[i]
	w := r.lexicon.read(stripDecoration(m.text))
	switch {
	case is && m.kind == commentLine:
		return w.begins || w.unknown == 0
	case !w.begins || !w.ends:
		return false
	case m.kind == commentLine && len(l.lost) > 0:
		return true
	}
	return (m.kind == commentLine || m.kind == bareText || m.isStub()) && w.heaviest > 0 && w.unknown == 0 && len(l.dropped)+len(l.remarks) >= enoughLost
}

// cued reports whether REPLACE line i is a remark by whose words, and by where it is, lines are left out.
func (r *review) cued(i int, l loss) bool {
	m, follows, shrinks := r.replace[i], l.follows(i), l.shrinks()
	w := m.wording
	if follows && m.kind == commentLine && r.inSlot(i, l) {
		if follows = false; w.unknown > 0 {
			return w.weight >= byItself && (w.mostlyPlain() || w.bracketed)
		}
	}
	switch {
	case m.kind == cueOrName:
		return false
	case m.kind == dottedCode, m.kind == bareText && !w.begins && hasDotsInCode(m.text, r.name):
		return shrinks && l.isDeliberate()
	case m.kind == trailingComment && !r.inPlace(m):
		return w.unknown == 0 && (w.weight >= onCode || w.ofCode && w.heaviest >= ofCode && l.endsAt(i+1))
	case follows && !shrinks && m.kind == commentLine && w.isHeading():
		return false
	case w.unknown == 0 && w.weight > 0:
		return w.weight >= needed(follows, shrinks || w.bracketed || m.kind == bareText && w.words > 1)
	case w.weight >= dotsWeigh && w.unknown*4 <= w.words && (shrinks || !follows || w.dots() || w.cues > 1 && w.things == 0):
		return true // one more word of a language with few entries
	case m.kind == bareText || m.kind == trailingComment && !m.isStub() || follows || !shrinks:
		return false
	case w.unknown > 2 && w.weight <= enough:
		return false // a sentence of its own has its words for other reasons
	}
	return w.weight >= enough || l.endsAt(i) && w.mostlyPlain() && (w.weight > 0 || w.ofCode)
}

// inPlace reports whether the trailing comment m says something about what is missing below it rather than about its line.
func (r *review) inPlace(m remark) bool {
	return m.isStub() || m.opens() || r.known[string(m.before)] || r.known[string(m.code)]
}

// doubtful reports whether REPLACE line i may be an omission although it is none by its words.
func (r *review) doubtful(i int, l loss) bool {
	m := r.replace[i]
	w := m.wording
	switch m.kind {
	case commentLine:
		return (l.endsAt(i) || w.weight > 0 && r.inSlot(i, l)) && len(m.text) > 0
	case trailingComment:
		return l.isDeliberate() && l.shrinks() && w.unknown == 0 && w.weight >= inCompany
	case bareText:
		return l.endsAt(i) && !text.IsMarkup(r.name) && w.words > 1 && (w.mostlyPlain() || w.weight >= enough)
	case cueOrName:
		return l.isDeliberate()
	}
	return false
}

// codeOf is the part of REPLACE line i that is neither remark nor stub; nil where that says nothing.
func (r *review) codeOf(i int) []byte {
	line := r.v.Replace.Line(i)
	switch m := r.replace[i]; m.kind {
	case commentLine:
		return nil
	case trailingComment:
		if m.isStub() {
			return nil
		}
		line = m.code
	case bareText:
		if m.wording.mostlyPlain() && m.wording.weight >= enough {
			return nil
		}
	}
	if !text.HasWord(line) || isStub(line) {
		return nil
	}
	return line
}

// maxQuoted bounds how many lost lines are named.
const maxQuoted = 3

// String says which line leaves which lines out.
func (o *Omission) String() string {
	r, line := o.review, o.review.v.Replace.Line(o.line)
	switch {
	case o.Doubt:
		return fmt.Sprintf("%q replaces %s", line, r.named(o.lost))
	case r.creates():
		return fmt.Sprintf("REPLACE leaves lines out: %q; the file is new, so there are no lines to keep; write them out", line)
	case len(o.lost) > 0:
		return fmt.Sprintf("REPLACE leaves lines out: %q would replace %s; write them out, or put the same line into SEARCH", line, r.named(o.lost))
	}
	return fmt.Sprintf("REPLACE leaves lines out: %q; write them out, or put the same line into SEARCH", line)
}

// named quotes the first of the lost lines, and counts the others.
func (r *review) named(lost []int) string {
	at := r.alignment.BySearch(r.v.Search.Len())
	var quoted []string
	for _, i := range lost[:min(len(lost), maxQuoted)] {
		text := fmt.Sprintf("%q", Clipped(bytes.TrimSpace(r.v.Search.Line(i))))
		if f := r.alignment[at[i]].File; f >= 0 {
			text = fmt.Sprintf("line %d %s", f+1, text)
		}
		quoted = append(quoted, text)
	}
	if more := len(lost) - len(quoted); more > 0 {
		quoted = append(quoted, fmt.Sprintf("%d more", more))
	}
	if last := len(quoted) - 1; last > 0 {
		return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
	}
	return quoted[0]
}

// Clipped is line, shortened to what says which one it is.
func Clipped(line []byte) []byte {
	const most = 60
	if len(line) <= most {
		return line
	}
	return append(bytes.ToValidUTF8(slices.Clone(line[:most]), nil), "…"...)
}
