package align

import (
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/editdist"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// line caches what an aligner needs to know about a line of either side.
type line struct {
	key     strategy.Key
	weight  int32
	tokens  []byte
	symbols int               // in the tokens
	pattern *editdist.Pattern // of the tokens; computed on demand
	bag     editdist.Bag      // of the tokens; computed on demand
	counted bool              // the bag is known
}

// lineOf returns line i of one side. Its tokens are appended to buffer.
func lineOf(d *strategy.Document, i int, buffer *[]byte) *line {
	from := len(*buffer)
	*buffer = d.AppendTokens(*buffer, i)
	tokens := (*buffer)[from:len(*buffer):len(*buffer)]
	return &line{key: d.Key(i), weight: int32(text.Weight(d.Line(i))), tokens: tokens, symbols: utf8.RuneCount(tokens)}
}

// extraCost returns the cost of the line as an extra line of the file.
func (l *line) extraCost() int32 {
	if l.key == strategy.BlankKey {
		return costBlank
	}
	return l.weight * costExtra
}

// mayBeNear returns false if the similarity of l and m is certainly less than similarMin, because
// their lengths or their characters differ too much. It's a quick check that rules out most pairs.
func (l *line) mayBeNear(m *line) bool {
	longer := max(l.symbols, m.symbols)
	if longer-min(l.symbols, m.symbols) > longer/2 {
		return false
	}
	l.count()
	m.count()
	return l.bag.Least(&m.bag) <= longer/2
}

// count computes the line's bag.
func (l *line) count() {
	if !l.counted {
		l.bag, l.counted = editdist.BagOf(l.tokens), true
	}
}

// mayBeginAlike reports whether l and m may begin with the same character.
func (l *line) mayBeginAlike(m *line) bool {
	return len(l.tokens) == 0 || len(m.tokens) == 0 || l.tokens[0] == m.tokens[0] ||
		l.tokens[0]|m.tokens[0] >= utf8.RuneSelf
}

// prepared returns the line as a pattern for computing edit distances.
func (l *line) prepared() *editdist.Pattern {
	if l.pattern == nil {
		l.pattern = editdist.Prepare(editdist.AppendSymbols(nil, l.tokens))
	}
	return l.pattern
}
