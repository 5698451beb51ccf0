package apply

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// margins are what the alignment shows to be the margins of REPLACE's lines in the file, nil for their own. SEARCH lines for
// which skip is true count for nothing.
func (s *splice) margins(skip func(line int) bool) [][]byte {
	return s.withBlanks(s.indentation(skip).Choose().Margins)
}

// indentation is what the alignment shows of it, without the SEARCH lines for which skip is true.
func (s *splice) indentation(skip func(line int) bool) *indent.Block {
	b := &indent.Block{Pairs: s.indentPairs(skip)}
	if len(b.Pairs) == 0 {
		return b
	}
	b.Search, b.Replace = make([][]byte, 0, s.search.Len()), make([]indent.Line, 0, s.replace.Len())
	for i := range s.search.Len() {
		if line := s.repaired(s.search.Line(i)); !text.Blank(line) {
			b.Search = append(b.Search, text.Margin(line))
		}
	}
	for _, l := range s.reading.Counterparts() {
		if l.Text = s.repaired(l.Text); !text.Blank(l.Text) {
			b.Replace = append(b.Replace, l)
		}
	}
	b.Step = s.step()
	b.Alone = len(b.Search) == 1 && s.alignment[s.at[b.Pairs[0].Line]].Relation <= align.Indented
	b.Unit = sync.OnceValue(func() []byte { return indent.Unit(eachLine(s.doc)) })
	return b
}

// eachLine yields the lines of d, without their ends.
func eachLine(d *strategy.Document) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := range d.Len() {
			if !yield(d.Line(i)) {
				return
			}
		}
	}
}

// withBlanks gives REPLACE's blank lines a margin, too, so that all of its lines have one.
func (s *splice) withBlanks(margins [][]byte) [][]byte {
	if margins == nil {
		return nil
	}
	out := make([][]byte, s.replace.Len())
	for r := range out {
		if !text.Blank(s.repaired(s.replace.Line(r))) {
			out[r], margins = margins[0], margins[1:]
		}
	}
	return out
}

func (s *splice) repaired(line []byte) []byte {
	if s.repair == nil {
		return line
	}
	return s.repair(line)
}

// indentPairs are the margins that the alignment pairs, without the SEARCH lines for which skip is true; none if all are equal.
func (s *splice) indentPairs(skip func(line int) bool) []indent.Pair {
	if !slices.ContainsFunc(s.alignment, func(p align.Pair) bool {
		q, ok := s.indentPair(p)
		return ok && !bytes.Equal(q.Search, q.File)
	}) {
		return nil
	}
	pairs := make([]indent.Pair, 0, s.search.Len())
	var stars []indent.Pair
	for _, p := range s.alignment {
		q, ok := s.indentPair(p)
		switch {
		case !ok || skip(q.Line):
		case inBlockComment(s.doc, p.File):
			stars = append(stars, q) // a comment's star is one blank deeper than any level
		default:
			pairs = append(pairs, q)
		}
	}
	if len(pairs) == 0 {
		return stars
	}
	return pairs
}

// inBlockComment reports whether file line f is one of those in a comment of several lines that begin with a star.
func inBlockComment(doc *strategy.Document, f int) bool {
	star := []byte{'*'}
	for bytes.HasPrefix(bytes.TrimLeft(doc.Line(f), " \t"), star) {
		if f--; f < 0 {
			return false
		}
		if bytes.HasPrefix(bytes.TrimLeft(doc.Line(f), " \t"), []byte("/*")) {
			return true
		}
	}
	return false
}

// indentPair is the pair of margins of an aligned line; ok is false for blank lines and parts of lines.
func (s *splice) indentPair(p align.Pair) (indent.Pair, bool) {
	if p.Search < 0 || p.File < 0 || p.Relation == align.Partial || s.blank(p.Search) {
		return indent.Pair{}, false
	}
	return indent.Pair{
		Line:   p.Search,
		Search: text.Margin(s.repaired(s.search.Line(p.Search))),
		File:   text.Margin(s.doc.Line(p.File)),
		Opens:  indent.Opens(s.repaired(s.search.Line(p.Search))),
	}, true
}

// step is how many blanks REPLACE indents by: the smallest difference between two of its lines; 0 if it has none, or tabs.
func (s *splice) step() int {
	depths := map[int]bool{}
	for r := range s.replace.Len() {
		line := s.replace.Line(r)
		own := text.Margin(line)
		if bytes.IndexByte(own, '\t') >= 0 {
			return 0
		}
		if !text.Blank(line) {
			depths[len(own)] = true
		}
	}
	sorted := slices.Sorted(maps.Keys(depths))
	step := 0
	for i := 1; i < len(sorted); i++ {
		if d := sorted[i] - sorted[i-1]; step == 0 || d < step {
			step = d
		}
	}
	return step
}

// settleIndent decides once how p's REPLACE is indented. If it has the file's margins, SEARCH gets those as well: only SEARCH lost
// its margins, and its lines that differ from REPLACE's only in them are kept, not changed.
func (l *locator) settleIndent(p *placement) {
	if p.indented {
		return
	}
	if p.indented = true; p.tier == tierExact {
		return // SEARCH has the file's margins
	}
	s := l.splicer(p)
	b := s.indentation(keepAll)
	b.Literal = len(b.Pairs) > 0 && len(literals(s.search, l.path))+len(literals(s.replace, l.path)) > 0
	if b.FirstCut() && p.reading.Adds() {
		p.notes = append(slices.Clip(p.notes), "first-line-cut: the first line of SEARCH lacks its indentation")
	}
	choice := b.Choose()
	p.margins, p.rival = s.withBlanks(choice.Margins), s.withBlanks(choice.Rival)
	switch {
	case choice.ByFile:
		s.takeMargins(p, b.Pairs)
	case p.margins != nil && p.rival == nil:
		p.margins, p.rival = s.withLiterals(l.path, b.Pairs, p.margins)
	}
}

// takeMargins gives p's SEARCH the file's margins, where pairs show others.
func (s *splice) takeMargins(p *placement, pairs []indent.Pair) {
	margins := map[int][]byte{} // by SEARCH line
	for _, q := range pairs {
		if !bytes.Equal(q.Search, q.File) {
			margins[q.Line] = q.File
		}
	}
	if len(margins) == 0 {
		return // SEARCH has the file's
	}
	reading.Unchanged(reading.TrimmedHunks(s.search, s.replace), s.search.Len(), func(r, i int) {
		if s.alignment[s.at[i]].File < 0 {
			margins[i] = text.Margin(s.replace.Line(r))
		}
	})
	search := reading.Lines(s.search.Document)
	for i, margin := range margins {
		search[i] = slices.Concat(margin, search[i][len(text.Margin(search[i])):])
	}
	p.reading = p.reading.WithSearch(search)
}

// refuseIndentation refuses a block if it is not known how deep REPLACE is indented, and offers the blocks that may be meant.
func (l *locator) refuseIndentation(it *item, p *placement) bool {
	if p.rival == nil || l.opt.Splice == Verbatim {
		return false
	}
	for _, margins := range [][][]byte{p.margins, p.rival} {
		q := *p
		q.margins = margins
		if c := l.corrected(it, &q); c != "" {
			it.report.Corrected = append(it.report.Corrected, c)
		}
	}
	a, b := p.span()
	it.fail(Indentation, fmt.Sprintf("%s meant, but SEARCH has lost its indentation there and REPLACE may be indented in two ways; write both sides with the file's indentation", linesAre(a, b)))
	return true
}

// keepAll skips no line, see [splice.margins].
func keepAll(int) bool { return false }
