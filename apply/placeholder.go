package apply

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
// stub, `pass` or `raise NotImplementedError`, is no code.
//
// A remark in that place without any cue may explain why the lines went, a remark on a line that was changed may be about that
// line, and a single line may well be meant to go: these get a warning.
//
// Dots are held to more. A comment that has the form of an elision, and that SEARCH does not have, is refused also where nothing is
// dropped: the dots of both sides come in pairs, and a single one stands for nothing.
//
// In a new file nothing is dropped. There only what speaks of lines that cannot be there counts.

// omission is a line of REPLACE that stands for lines of the file.
type omission struct {
	line int
	// lost are the SEARCH lines that would go for it, ascending.
	lost []int
	// doubt: it may as well be an explanation.
	doubt bool
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

// passage is what a block changes in one place: the SEARCH lines it drops and the REPLACE lines it adds. The brackets and blank
// lines that the old text and the new one happen to share do not part it.
type passage struct{ dropped, added []int }

func passages(v *variant) []passage {
	var out []passage
	end := -1 // of the passage before, in SEARCH
	for _, c := range v.changes() {
		joined := end >= 0
		for i := end; i < c.s0 && joined; i++ {
			joined = !strategy.HasWord(v.search.Line(i))
		}
		if !joined {
			out = append(out, passage{})
		}
		p := &out[len(out)-1]
		for i := c.s0; i < c.s1; i++ {
			p.dropped = append(p.dropped, i)
		}
		for r := c.r0; r < c.r1; r++ {
			p.added = append(p.added, r)
		}
		end = c.s1
	}
	return out
}

// review looks for omissions in one block.
type review struct {
	name      string // of the file
	doc       *strategy.Document
	v         *variant
	alignment strategy.Alignment
	lexicon   *lexicon

	search, replace []remark
	samples         []bool // REPLACE lines that are part of one
	added           []bool // REPLACE lines
	// known are the lines that the block found rather than made up, blanks at their ends aside: SEARCH has them, or the file where
	// SEARCH occurs.
	known map[string]bool

	// See count.
	back   map[strategy.Key]bool
	gone   map[strategy.Key]bool
	shared map[string]int
}

// omission is the line of REPLACE that leaves something out, nil if there is none; the surest one, of several the first.
func (r *review) omission() *omission {
	remarks, dropped := false, false
	for _, c := range r.v.changes() {
		dropped = dropped || c.s0 < c.s1
		for i := c.r0; i < c.r1 && !remarks; i++ {
			remarks = r.lexicon.mayRemark(r.v.replace, i)
		}
	}
	if !remarks || !dropped && !hasDots(r.v.replace.Text()) && !r.creates() {
		return nil
	}
	r.added = make([]bool, r.v.replace.Len())
	for _, c := range r.v.changes() {
		for i := c.r0; i < c.r1; i++ {
			r.added[i] = true
		}
	}
	r.replace = r.lexicon.remarksOf(r.v.replace, r.added)
	if !slices.ContainsFunc(r.replace, func(m remark) bool { return m.kind != noRemark }) {
		return nil
	}
	r.search = r.lexicon.remarksOf(r.v.search.Document, nil)
	first, _ := r.alignment.Span()
	r.samples = samples(r.name, r.doc, max(0, first), r.v.replace)
	r.word()
	r.known = map[string]bool{}
	for i := range r.v.search.Len() {
		r.known[string(bytes.TrimSpace(r.v.search.Line(i)))] = true
	}
	for _, p := range r.alignment {
		if p.File >= 0 {
			r.known[string(bytes.TrimSpace(r.doc.Line(p.File)))] = true
		}
	}
	var doubtful *omission
	for _, p := range passages(r.v) {
		switch o := r.inPassage(p); {
		case o == nil:
		case !o.doubt:
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
func (r *review) inPassage(p passage) *omission {
	candidates := slices.DeleteFunc(slices.Clone(p.added), func(i int) bool {
		return r.replace[i].kind == noRemark || r.samples != nil && r.samples[i] || r.known[string(bytes.TrimSpace(r.v.replace.Line(i)))]
	})
	candidates = slices.DeleteFunc(candidates, r.documents)
	if len(candidates) == 0 {
		return nil
	}
	l := r.loss(p)
	if r.creates() {
		for _, i := range candidates {
			if r.impossible(i, l) {
				return &omission{line: i}
			}
		}
		return nil
	}
	r.knowNames(candidates, l)
	for _, i := range candidates {
		if r.elides(i, p, l) {
			return &omission{line: i, lost: l.lost}
		}
	}
	if len(l.lost) == 0 {
		return r.rewritten(candidates, l)
	}
	var doubtful *omission
	for _, i := range candidates {
		switch cued := r.cued(i, l); {
		case cued && (l.isDeliberate() || len(l.dropped)+len(l.remarks) >= enoughLost && r.replace[i].wording.unknown == 0):
			return &omission{line: i, lost: l.lost}
		case doubtful == nil && (cued || r.doubtful(i, l)):
			doubtful = &omission{line: i, lost: l.lost, doubt: true}
		}
	}
	return doubtful
}

// rewritten is the omission where every dropped line of code may have its counterpart: a remark without code below it that cannot
// mean anything else, or one in the place of a comment of several lines.
func (r *review) rewritten(candidates []int, l loss) *omission {
	for _, i := range candidates {
		m := r.replace[i]
		w := m.wording
		switch {
		case w.unknown > 0 || !r.cued(i, l):
		case w.weight >= byItself && !w.dots() && len(l.dropped) >= enoughLost && (m.kind == trailingComment || !l.follows(i)):
			return &omission{line: i, lost: l.dropped}
		case len(l.remarks) >= enoughAlone:
			return &omission{line: i, lost: l.remarks}
		}
	}
	return nil
}

// knowNames takes words that are the names of lost definitions off those of the remarks that nobody knows: what is said to be
// unchanged is named.
func (r *review) knowNames(candidates []int, l loss) {
	var lost []string
	for _, d := range l.lost {
		if name := definition(r.v.search.Line(d)); name != nil {
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

// documents reports whether REPLACE line i is a comment on the definition below it: it begins with the name.
func (r *review) documents(i int) bool {
	if r.replace[i].kind != commentLine {
		return false
	}
	first, _, _ := bytes.Cut(r.replace[i].text, []byte{' '})
	for i < len(r.replace) && r.replace[i].kind == commentLine {
		i++
	}
	return i < len(r.replace) && len(first) > 0 && bytes.Equal(first, definition(r.v.replace.Line(i)))
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
	text := func(k int) bool { return k >= 0 && k < len(r.replace) && r.replace[k].kind == bareText }
	return r.lexicon.runs && r.replace[i].wording.words > 1 && !text(i-1) && !text(i+1)
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

// goesOn reports whether the sentence of comment a goes on in comment b, which is on the next line.
func goesOn(a, b remark) bool {
	if a.kind != commentLine || b.kind != commentLine || len(a.text) == 0 {
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
	return w.weight < byItself || w.things > 0 && w.cues == 1 && !w.ofCode
}

// mostlyPlain reports whether all but a word or two are cues and filler, so that those may be cues nobody has listed.
func (w wording) mostlyPlain() bool { return w.unknown <= 2 && w.unknown*2 <= w.words }

// elides reports whether REPLACE line i has the form of an elision. Bare dots are code in Python unless lines go for them; dots
// at both ends need no cue where code is lost; a sentence of its own may end in dots.
func (r *review) elides(i int, p passage, l loss) bool {
	is, bare := r.lexicon.elision(r.v.replace.Line(i))
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
	case m.kind == dottedCode, m.kind == bareText && !w.begins && hasDotsInCode(m.text, r.name):
		return shrinks && l.isDeliberate()
	case m.kind == trailingComment && !r.inPlace(m):
		return w.weight >= onCode && w.unknown == 0
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

// inSlot reports whether lines are lost right where REPLACE line i is: the code after it is not what it remarks on, but what came
// after these lines, or before.
func (r *review) inSlot(i int, l loss) bool {
	if len(l.dropped) == 0 {
		return false
	}
	k, _ := slices.BinarySearch(l.code, i)
	if k == len(l.code) {
		return false
	}
	low, high := l.dropped[0], l.dropped[len(l.dropped)-1]+1
	below := r.former(l.code[k], low, high)
	if below < 0 {
		return false
	}
	above := low - 1
	if k > 0 {
		above = max(above, r.former(l.code[k-1], low, below))
	}
	lost := 0
	for _, d := range l.lost {
		if above < d && d < below {
			lost++
		}
	}
	return lost >= enoughLost
}

// former is the SEARCH line, of those from low to high-1, that the added line i is a new form of; -1 if there is none. A line is
// that resembles it, or begins with the same word and shares two thirds of the names.
func (r *review) former(i, low, high int) int {
	if d := likest(r.v.search, low, high, r.v.replace.Line(i)); d >= 0 {
		return d
	}
	line := r.codeOf(i)
	own, first := names(line), text.Tokens(line)[0]
	for d := high - 1; d >= low; d-- {
		old := r.v.search.Line(d)
		if ts := text.Tokens(old); len(ts) == 0 || !bytes.Equal(ts[0], first) {
			continue
		}
		shared, all := 0, names(old)
		for _, name := range own {
			if slices.Contains(all, name) {
				shared++
			}
		}
		if shared > 0 && 3*shared >= 2*len(own) || shared > 1 && 3*shared >= 2*len(all) {
			return d
		}
	}
	return -1
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
	}
	return false
}

// loss is what becomes of the lines that a passage drops.
type loss struct {
	// lost are the telling ones without a counterpart among the added lines.
	lost []int
	// code are the added lines that are more than a remark or a stub.
	code []int
	// fresh are those of them that the block has not moved.
	fresh []int
	// dropped are all of them, with a counterpart or without.
	dropped []int
	// remarks are the lines of comments that go as well.
	remarks []int
	// defines: a definition is among the lost.
	defines bool
}

// isDeliberate reports whether so much is lost that it is no accident.
func (l loss) isDeliberate() bool { return len(l.lost) >= enoughLost || l.defines }

// endsAt reports whether REPLACE line i is where the passage ends although several lines are lost, far more than there is code in
// their place.
func (l loss) endsAt(i int) bool {
	n := len(l.code)
	return len(l.lost) >= enoughAlone && len(l.lost) >= 2*n && (n == 0 || l.code[n-1] < i)
}

// follows reports whether added code comes after REPLACE line i.
func (l loss) follows(i int) bool { return len(l.code) > 0 && l.code[len(l.code)-1] > i }

// shrinks reports whether clearly less code comes in than goes.
func (l loss) shrinks() bool { return 3*len(l.fresh) < 2*len(l.dropped) }

// loss pairs the dropped lines of p with what it adds. A line that comes back elsewhere in REPLACE has moved. One with a name of
// its own, which no other line of SEARCH has, has its counterpart in the line that uses this name. Of those left, each added
// line that is no such counterpart accounts for one with which it shares a word.
func (r *review) loss(p passage) loss {
	var l loss
	users := map[string][]int{} // added lines of code, by their words
	r.count()
	for _, i := range p.added {
		code := r.codeOf(i)
		if len(code) == 0 {
			continue
		}
		l.code = append(l.code, i)
		if r.gone[r.v.replace.Keys()[i]] {
			continue // moved: its counterpart is itself
		}
		l.fresh = append(l.fresh, i)
		for _, word := range names(code) {
			users[word] = append(users[word], i)
		}
	}
	left := map[string][]int{}                         // dropped lines without a counterpart, by their words
	accounted, spent := map[int]bool{}, map[int]bool{} // of the dropped and of the added lines
	for _, i := range p.dropped {
		line := r.v.search.Line(i)
		switch {
		case !strategy.Telling(line) || r.back[r.v.search.Keys()[i]]:
			continue
		case r.search[i].kind == commentLine && r.lexicon.runs:
			l.remarks = append(l.remarks, i)
			continue
		}
		l.dropped = append(l.dropped, i)
		for _, word := range names(line) {
			if r.shared[word] == 1 {
				for _, added := range users[word] {
					accounted[i], spent[added] = true, true
				}
			}
			left[word] = append(left[word], i)
		}
	}
	for _, i := range l.fresh {
		if !spent[i] {
			r.account(i, left, accounted)
		}
	}
	for _, i := range l.dropped {
		if !accounted[i] {
			l.lost = append(l.lost, i)
			l.defines = l.defines || definition(r.v.search.Line(i)) != nil
		}
	}
	return l
}

// count notes which lines the block adds anywhere and which it drops, and how many lines of SEARCH have each name.
func (r *review) count() {
	if r.back != nil {
		return
	}
	r.back, r.gone, r.shared = map[strategy.Key]bool{}, map[strategy.Key]bool{}, map[string]int{}
	for _, c := range r.v.changes() {
		for i := c.s0; i < c.s1; i++ {
			r.gone[r.v.search.Keys()[i]] = true
		}
		for i := c.r0; i < c.r1; i++ {
			r.back[r.v.replace.Keys()[i]] = true
		}
	}
	for i := range r.v.search.Len() {
		for _, name := range names(r.v.search.Line(i)) {
			r.shared[name]++
		}
	}
}

// account finds the dropped line that the added line i is the counterpart of.
func (r *review) account(i int, left map[string][]int, accounted map[int]bool) {
	for _, word := range names(r.codeOf(i)) {
		rest := left[word]
		for len(rest) > 0 && accounted[rest[0]] {
			rest = rest[1:]
		}
		left[word] = rest
		if len(rest) > 0 {
			accounted[rest[0]] = true
			return
		}
	}
}

// codeOf is the part of REPLACE line i that is neither remark nor stub; nil where that says nothing.
func (r *review) codeOf(i int) []byte {
	line := r.v.replace.Line(i)
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
	if !strategy.HasWord(line) || isStub(line) {
		return nil
	}
	return line
}

// maxNaming bounds how much of a line is looked at for names, in bytes.
const maxNaming = 400

// names are the words of line that name something, rather than being the language's own, each once.
func names(line []byte) []string {
	var out []string
	for _, t := range text.Tokens(line[:min(len(line), maxNaming)]) {
		if word := string(t); text.BeginsWithWord(t) && !text.IsKeyword(word) && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}

// maxQuoted bounds how many lost lines are named.
const maxQuoted = 3

// message says which line leaves which lines out.
func (r *review) message(o *omission) string {
	var b strings.Builder
	fmt.Fprintf(&b, "REPLACE leaves lines out: %q", r.v.replace.Line(o.line))
	if r.creates() {
		b.WriteString("; the file is new, so there is nothing that this stands for: write the lines")
		return b.String()
	}
	if len(o.lost) > 0 {
		b.WriteString(" would replace " + r.named(o.lost))
	}
	b.WriteString("; write them, or pair the line with the same one in SEARCH")
	return b.String()
}

// named quotes the first of the lost lines, and counts the others.
func (r *review) named(lost []int) string {
	at := r.alignment.BySearch(r.v.search.Len())
	var quoted []string
	for _, i := range lost[:min(len(lost), maxQuoted)] {
		text := fmt.Sprintf("%q", clipped(bytes.TrimSpace(r.v.search.Line(i))))
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

// clipped is line, shortened to what says which one it is.
func clipped(line []byte) []byte {
	const most = 60
	if len(line) <= most {
		return line
	}
	return append(bytes.ToValidUTF8(slices.Clone(line[:most]), nil), "…"...)
}

// leavesOut refuses an item whose block, v at the lines of doc that a pairs, leaves lines out, and warns where it may.
func (f *file) leavesOut(it *item, v *variant, doc *strategy.Document, a strategy.Alignment) bool {
	if f.run.opt.AllowPlaceholders {
		return false
	}
	r := &review{name: f.path, doc: doc, v: v, alignment: a, lexicon: f.snapshot.lexicon()}
	o := r.omission()
	switch {
	case o == nil:
		return false
	case o.doubt:
		it.warn(fmt.Sprintf("possible-omission: %q comes in the place of %s", r.v.replace.Line(o.line), r.named(o.lost)))
		return false
	}
	it.fail(Placeholder, r.message(o))
	return true
}

// alongDiagonal pairs the lines of search with those of doc from first on, which may differ.
func alongDiagonal(doc *strategy.Document, search *strategy.Pattern, first int) strategy.Alignment {
	out := make(strategy.Alignment, search.Len())
	for i := range out {
		out[i] = strategy.Pair{Search: i, File: -1, Relation: strategy.Missing}
		if first+i < doc.Len() {
			out[i] = strategy.Pair{Search: i, File: first + i, Relation: strategy.Similar}
		}
	}
	return out
}

// insertedAt is an alignment that says only that something goes before line n of doc.
func insertedAt(n int, doc *strategy.Document) strategy.Alignment {
	if n == doc.Len() {
		return nil
	}
	return strategy.Alignment{{Search: -1, File: n, Relation: strategy.Extra}}
}
