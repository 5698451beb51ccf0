package omission

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// passage is what a block changes in one place: the SEARCH lines it drops and the REPLACE lines it adds. The brackets and blank
// lines that the old text and the new one happen to share do not part it.
type passage struct{ dropped, added []int }

func passages(v *reading.Reading) []passage {
	var out []passage
	end := -1 // of the passage before, in SEARCH
	for _, c := range v.Hunks() {
		joined := end >= 0
		for i := end; i < c.S0 && joined; i++ {
			joined = !text.HasWord(v.Search.Line(i))
		}
		if !joined {
			out = append(out, passage{})
		}
		p := &out[len(out)-1]
		for i := c.S0; i < c.S1; i++ {
			p.dropped = append(p.dropped, i)
		}
		for r := c.R0; r < c.R1; r++ {
			p.added = append(p.added, r)
		}
		end = c.S1
	}
	return out
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
	// short are the lost lines that are too short to tell, and hardly have a name of their own.
	short []int
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
		if r.gone[r.v.Replace.Key(i)] {
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
		line := r.v.Search.Line(i)
		switch {
		case r.back[r.v.Search.Key(i)]:
			continue
		case !text.Telling(line):
			if bytes.ContainsFunc(line, text.IsWordRune) {
				l.short = append(l.short, i)
			}
			continue
		case r.search[i].kind == commentLine && r.lexicon.runs:
			l.remarks = append(l.remarks, i)
			continue
		}
		l.dropped = append(l.dropped, i)
		for _, word := range names(line) {
			if added := users[word]; len(added) > 0 && r.sharers(word) == 1 {
				accounted[i] = true
				for _, a := range added {
					spent[a] = true
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
			l.defines = l.defines || text.Definition(r.v.Search.Line(i)) != nil
		}
	}
	return l
}

// count notes which lines the block adds anywhere and which it drops, and reads these as remarks.
func (r *review) count() {
	if r.back != nil {
		return
	}
	r.back, r.gone = map[strategy.Key]bool{}, map[strategy.Key]bool{}
	dropped := make([]bool, r.v.Search.Len())
	for _, c := range r.v.Hunks() {
		for i := c.S0; i < c.S1; i++ {
			dropped[i] = true
			r.gone[r.v.Search.Key(i)] = true
		}
		for i := c.R0; i < c.R1; i++ {
			r.back[r.v.Replace.Key(i)] = true
		}
	}
	r.search = r.lexicon.remarksOf(r.v.Search.Document, dropped)
}

// sharers is how many lines of SEARCH have the name.
func (r *review) sharers(name string) int {
	if r.shared == nil {
		r.shared = map[string]int{}
		for i := range r.v.Search.Len() {
			for _, name := range names(r.v.Search.Line(i)) {
				r.shared[name]++
			}
		}
	}
	return r.shared[name]
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

// former is the SEARCH line, of those from low to high-1, that the added line i is a new form of; -1 if there is none. It begins with
// the same word and shares two thirds of the names.
func (r *review) former(i, low, high int) int {
	line := r.codeOf(i)
	own, first := names(line), text.Tokens(line)[0]
	for d := high - 1; d >= low; d-- {
		old := r.v.Search.Line(d)
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
