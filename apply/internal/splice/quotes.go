package splice

import (
	"bytes"
	"iter"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// requoting records how the file writes strings that have different quotes in SEARCH, such as 'a'
// for "a".
type requoting struct {
	// alone are the strings that aren't inside another string. inner are those inside a string that
	// has the same quotes in SEARCH and in the file.
	alone, inner []twoWays
	// to maps each quote character of SEARCH to the file's, or to 0 if it varies.
	to map[byte]byte
}

// twoWays is a string with its quotes, as written in SEARCH and in the file.
type twoWays struct{ search, file []byte }

// requoted returns line, which c adds, with the quotes that the replaced lines of the file use for
// its strings. If SEARCH has f("a") where the file has f('a'), g("a", "b") becomes g('a', 'b'). The
// second string keeps its quotes if the file writes some strings of SEARCH with the same quotes.
func (s *Splice) requoted(line []byte, c reading.Hunk) []byte {
	if !bytes.ContainsAny(line, "\"'`") {
		return line
	}
	q := requoting{to: map[byte]byte{}}
	for i := c.S0; i < c.S1; i++ {
		if p := s.Alignment[s.At[i]]; p.Relation == align.Similar {
			q.learn(s.Search.Line(i), s.Doc.Line(p.File))
		}
	}
	if len(q.alone)+len(q.inner) == 0 {
		return line
	}
	for i := c.S0; i < c.S1; i++ {
		for _, lit := range stringsOf(s.Search.Line(i)) {
			if _, other := inFile(q.alone, lit); !other {
				q.to[lit[0]] = 0 // the file writes some strings like SEARCH
			}
		}
	}
	return q.apply(line)
}

// learn records the strings of a SEARCH line that have different quotes in the file line. It pairs
// the quotes of the two lines in order, and learns nothing if their numbers differ.
func (q *requoting) learn(search, file []byte) {
	ss, fs := quotesOf(search), quotesOf(file)
	if len(ss) != len(fs) {
		return
	}
	var open []int // differing quotes whose strings have not ended
	for i := range ss {
		was, is := search[ss[i]], file[fs[i]]
		if was == is {
			continue
		}
		if to, known := q.to[was]; known && to != is {
			is = 0 // it varies
		}
		q.to[was] = is
		n := len(open) - 1
		if n < 0 || search[ss[open[n]]] != was {
			open = append(open, i)
			continue
		}
		both := twoWays{search[ss[open[n]] : ss[i]+1], file[fs[open[n]] : fs[i]+1]}
		if open = open[:n]; n > 0 {
			continue // it's inside another string, which both records
		}
		if text.InString(search, ss[i]-len(both.search)+1) {
			q.inner = append(q.inner, both)
		} else {
			q.alone = append(q.alone, both)
		}
	}
}

// apply returns the line with its strings written as in the file. A string that SEARCH doesn't have
// gets the file's quotes if it can't change its meaning by that; see swapped.
func (q *requoting) apply(line []byte) []byte {
	return rewritten(line, slices.Values(stringsOf(line)), func(lit []byte) []byte {
		if is, known := inFile(q.alone, lit); known {
			return is
		}
		if all, ok := q.swapped(lit); ok {
			return all
		}
		for _, w := range q.inner {
			lit = bytes.ReplaceAll(lit, w.search, w.file)
		}
		return lit
	})
}

// rewritten returns line with each of the parts, which are in order, replaced by what as returns.
func rewritten(line []byte, parts iter.Seq[[]byte], as func(part []byte) []byte) []byte {
	var out []byte
	for part := range parts {
		n := bytes.Index(line, part)
		out = append(append(out, line[:n]...), as(part)...)
		line = line[n+len(part):]
	}
	return append(out, line...)
}

// swapped returns a string with each of its quotes replaced by the file's. ok is false if that may
// change its meaning, or if the file's quotes vary.
func (q *requoting) swapped(lit []byte) (out []byte, ok bool) {
	if bytes.ContainsAny(lit, "\\$`#") {
		return nil, false // it has characters that may be special in only one kind of quotes
	}
	out = slices.Clone(lit)
	for _, i := range quotesOf(lit) {
		to := q.to[lit[i]]
		if to == 0 {
			return nil, false
		}
		out[i] = to
	}
	return out, true
}

// inFile returns the file's form of a string of SEARCH, if it's in the list.
func inFile(of []twoWays, lit []byte) ([]byte, bool) {
	for _, w := range of {
		if bytes.Equal(w.search, lit) {
			return w.file, true
		}
	}
	return nil, false
}

// quotesOf returns the offsets of a line's quotes.
func quotesOf(line []byte) []int {
	var at []int
	for i, c := range line {
		if text.IsQuote(c) {
			at = append(at, i)
		}
	}
	return at
}

// stringsOf returns the strings of a line, with their quotes, that aren't inside another string.
func stringsOf(line []byte) [][]byte {
	var out [][]byte
	for i := 0; i < len(line); i++ {
		if !text.IsQuote(line[i]) {
			continue
		}
		if n := text.StringLen(line[i:]); n > 0 {
			out = append(out, line[i:i+n])
			i += n - 1
		}
	}
	return out
}
