package apply

import (
	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/verdict"
	"github.com/srpatch/srpatch/strategy"
)

// maxRegions is how many similar places are aligned.
const maxRegions = 24

// If rare lines that make up the conclusive share of SEARCH's weight are in one region, regions
// whose lines make up less than the negligible share aren't aligned, because they can't compete.
const (
	conclusive = 0.25
	negligible = 0.05 // brackets and the like, which are everywhere
)

// resembling aligns the reading with the first maxRegions places that a strategy proposes, and
// returns the places found that earlier stages didn't find.
func (s *search) resembling(by strategy.Strategy, v *reading.Reading) []*placement {
	c := s.collector(v, by.Name())
	for p := range strategy.Proposals(by, s.doc, v.Bare().Search) {
		if c.proposed == maxRegions {
			break
		}
		place, ok := s.spanOf(p)
		if !ok {
			continue
		}
		c.proposed++
		for _, r := range place.diagonals(v.Search.Len()) {
			c.explore(r, 0, s.doc.Len())
		}
	}
	return c.taken()
}

// similarRegions aligns the reading with every region of the document that has many of its lines.
// If the best of these regions isn't conclusive, it also tries regions with similar lines. It
// returns the places found that earlier stages didn't find.
func (s *search) similarRegions(v *reading.Reading) []*placement {
	c := s.collector(v, fallback)
	if v.Search.Len() == 0 {
		return nil
	}
	regions, more := firstRegions(strategy.Regions(s.doc, v.Search, maxRegions+1))
	least := 0.0 // the weight that a region must have
	if weight := v.Weight(); len(regions) > 0 && regions[0].Votes >= conclusive*weight {
		least = negligible * weight
	} else {
		similar, cut := firstRegions(strategy.SimilarRegions(s.doc, v.Search, maxRegions+1, s.budget))
		regions, more = append(regions, similar...), more || cut
	}
	s.more = s.more || more
	for _, r := range regions {
		if float64(r.Found) >= least {
			c.explore(r, 0, s.doc.Len())
		}
	}
	return c.taken()
}

// collector returns the collector for a reading, which all stages share. Places that it finds from
// now on are attributed to the given stage.
func (s *search) collector(v *reading.Reading, stage string) *collector {
	c := s.collectors[v]
	if c == nil {
		c = &collector{
			l: s.locator, v: v, aligner: align.New(s.doc, v.Search, s.budget),
			seen: map[sight]bool{}, spans: map[span]bool{},
		}
		if s.collectors == nil {
			s.collectors = map[*reading.Reading]*collector{}
		}
		s.collectors[v] = c
	}
	c.name = stage
	return c
}

// diagonals returns where to align n lines of SEARCH with a proposed span. A diagonal is the file
// line at which SEARCH would begin. Because lines may have been inserted anywhere, the whole range
// is returned: from SEARCH beginning with the span to SEARCH ending with it. In a span that is much
// longer than SEARCH, only these two diagonals are returned, because the lines in between say
// nothing about SEARCH.
func (s span) diagonals(n int) []strategy.Region {
	first, last := s.first, s.end-n
	if low, high := min(first, last), max(first, last); high-low <= max(strategy.Slack(n), min(n, maxInserted)) {
		return []strategy.Region{{Low: low, High: high}}
	}
	return []strategy.Region{{Low: first, High: first}, {Low: last, High: last}}
}

// maxInserted is the most lines that may have been inserted into the place of a block, however long
// the block is.
const maxInserted = 64

// firstRegions returns the first maxRegions of the regions, which are sorted, and whether one that
// is left out is as good as the best one.
func firstRegions(regions []strategy.Region) ([]strategy.Region, bool) {
	if len(regions) <= maxRegions {
		return regions, false
	}
	return regions[:maxRegions], regions[maxRegions].Votes == regions[0].Votes
}

// collector collects the places of one reading.
type collector struct {
	l       *locator
	v       *reading.Reading
	aligner *align.Aligner
	seen    map[sight]bool // what was already explored
	spans   map[span]bool  // the places found there
	name    string         // name of the proposing stage
	// proposed counts the proposals made by strategies.
	proposed int
	out      []*placement
	told     int // how many elements of out were already returned
}

// taken returns the places found since the last call.
func (c *collector) taken() []*placement {
	from := c.told
	c.told = len(c.out)
	return c.out[from:]
}

// sight holds the diagonals of a region and the document lines that they may cover, from from to
// to-1.
type sight struct{ low, high, from, to int }

// explore aligns the reading with region r, within the document lines from to to-1, and adds the
// place found to c.out. Then it explores the rest of the region above and below that place, because
// equal places may be so close together that one region covers them. It gives up if the alignment
// accounts for too little of SEARCH.
func (c *collector) explore(r strategy.Region, from, to int) {
	at := sight{r.Low, r.High, from, to}
	if c.seen[at] {
		return
	}
	c.seen[at] = true
	a := c.aligner.Within(r.Low, r.High, from, to)
	first, end := a.Span()
	if first < 0 {
		return
	}
	score := a.Score(c.l.doc, c.v.Search)
	if score < verdict.MinScore/2 {
		return
	}
	if !c.spans[span{first, end}] {
		c.spans[span{first, end}] = true
		c.out = append(c.out, &placement{
			tier: tierSimilar, reading: c.v, alignment: a, score: score, strategy: c.name,
		})
	}
	if r.Low < first {
		c.explore(strategy.Region{Low: r.Low, High: min(r.High, first-1)}, from, first)
	}
	if r.High > first {
		c.explore(strategy.Region{Low: max(r.Low, first+1), High: r.High}, end, to)
	}
}
