package apply

import (
	"bytes"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/apply/internal/verdict"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// fragment finds a SEARCH that is one line, and in the file a part of one. A part that occurs once is
// taken with a REPLACE of one line; with any other it is only the nearest text.
func (s *search) fragment(v *reading.Reading) (out []*placement) {
	if v.Search.Len() != 1 || len(v.Hunks()) == 0 {
		return nil
	}
	search := bytes.TrimSpace(v.Search.Line(0))
	if len(search) > maxFragment || len(v.Replace.Text()) > maxFragment || !verdict.TellsEnough(search) {
		return nil
	}
	parts := s.fragments().parts(search)
	if len(parts) == 0 {
		return s.one(s.fragments().fragmentDone(v, search))
	}
	if s.fragments().hasButForItsEnd(search) {
		return nil
	}
	for _, at := range parts {
		if p := s.fragments().fragmentAt(at); !p.IsWhole(s.path) {
			return nil // the text is also part of something else
		}
	}
	for _, at := range parts {
		out = append(out, s.fragments().fragmentPlacement(v, at))
	}
	if len(parts) > 1 {
		for _, p := range out {
			p.objection = &verdict.Objection{Code: verdict.PartOfLine, Known: true} // no hint says that a part is meant
		}
		s.truncated = len(parts) > maxListed
		return out
	}
	if out[0].objection != nil {
		s.near = out[0]
		return nil
	}
	return out
}

// fragments are parts of a document's lines.
type fragments struct{ *locator }

// hasButForItsEnd reports whether a line of the document is the text but for the sign that ends an item: that line may be meant, too.
func (g fragments) hasButForItsEnd(text []byte) bool {
	const ends = " \t,;"
	bare := bytes.TrimRight(text, ends)
	for i := range g.doc.Len() {
		if line := g.doc.Line(i); bytes.Equal(bytes.TrimRight(bytes.TrimLeft(line, " \t"), ends), bare) {
			return true
		}
	}
	return false
}

const (
	// maxFragment is how long, in bytes, the two sides of a block for a part of a line may be, and maxFragmentLine the line: parts
	// are looked at token by token.
	maxFragment     = 1 << 10
	maxFragmentLine = 16 << 10
)

// parts are the spans of text that begin and end with words, at most one more than a report lists; none if the text occurs too often, or
// in too long a line, to look at each.
func (g fragments) parts(part []byte) []strategy.Candidate {
	all := g.doc.Text()
	var at []strategy.Candidate
	from := 0
	for range maxPlacements {
		n := bytes.Index(all[from:], part)
		if n < 0 || len(at) > maxListed {
			return at
		}
		c := strategy.Candidate{Start: from + n, End: from + n + len(part)}
		p := g.fragmentAt(c)
		if len(p.Line) > maxFragmentLine {
			return nil
		}
		if p.AtWords() {
			at = append(at, c)
		}
		from = c.Start + 1
	}
	return nil
}

// fragmentAt is the span as a part of its line.
func (g fragments) fragmentAt(c strategy.Candidate) verdict.Fragment {
	line := g.doc.LineAt(c.Start)
	start := g.doc.Start(line)
	return verdict.Fragment{Line: g.doc.Line(line), From: c.Start - start, To: c.End - start}
}

// fragmentPlacement is the place of SEARCH as a part of a line. It has an objection if REPLACE is not one line that can take its
// place.
func (g fragments) fragmentPlacement(v *reading.Reading, at strategy.Candidate) *placement {
	line := g.doc.LineAt(at.Start)
	replace := bytes.TrimSpace(v.Replace.Text())
	p := &placement{
		kind: ofText, tier: tierNormalized, strategy: lineFragment, score: 1, reading: v, inside: &at,
		alignment: align.Alignment{{Search: 0, File: line, Relation: align.Partial, Similarity: 1}},
		insert:    splice.Edit{Start: at.Start, End: at.End, Text: bytes.ReplaceAll(replace, []byte{'\n'}, splice.LineEnd(g.doc, line))},
		notes:     []string{warning.Fragment.Say("SEARCH is a part of line %d", line+1)},
	}
	part := g.fragmentAt(at)
	switch {
	case g.textSearch().insertedBefore(g.doc.Text()[at.Start:at.End], replace, at.Start):
		p.kind, p.tier = ofResult, tierNormalized
	case !part.Takes(replace, g.path):
		p.objection = &verdict.Objection{Code: verdict.PartOfLine, Search: 1, File: line + 1}
	case v.Replace.Len() != 1 || len(replace) == 0:
		p.objection = &verdict.Objection{Code: verdict.PartOfLine, Search: 1, File: line + 1, Known: true}
	}
	return p
}

// fragmentDone is the place of REPLACE as a part of a line, where SEARCH was before; nil if that is not certain: it must
// occur once, say the same of the same thing, and say more than a short word that SEARCH does not.
func (g fragments) fragmentDone(v *reading.Reading, search []byte) *placement {
	replace := bytes.TrimSpace(v.Replace.Text())
	if v.Replace.Len() != 1 || bytes.Contains(g.doc.Text(), search) || !verdict.SameSubject(search, replace) {
		return nil
	}
	at := g.parts(replace)
	if len(at) != 1 {
		return nil
	}
	if part := g.fragmentAt(at[0]); !part.IsWhole(g.path) {
		return nil
	}
	p := g.fragmentPlacement(v.Result(), at[0])
	p.kind, p.objection = ofResult, nil
	return p
}

// insideWord is what is said of text that is placed inside of a word of the file; "" where it is not.
func (g fragments) insideWord(at strategy.Candidate) string {
	all := g.doc.Text()
	if !text.JoinWord(all[:at.Start], all[at.Start:at.End]) && !text.JoinWord(all[at.Start:at.End], all[at.End:]) {
		return ""
	}
	return warning.InsideWord.Say("the text is a part of a longer word in line %d", g.doc.LineAt(at.Start)+1)
}
