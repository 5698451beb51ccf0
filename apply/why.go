package apply

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// Why holds everything that is known about how one block was judged. Lines are 1-based and
// inclusive, and refer to the file before the run.
type Why struct {
	Report BlockReport
	// Readings are the ways to read the block. It's empty if the block was settled without
	// searching the file.
	Readings []ReadingWhy
	// Places are the places of all readings that were compared line by line, at most 24, starting
	// with the most similar.
	Places []PlaceWhy
}

// ReadingWhy is one way to read a block.
type ReadingWhy struct {
	// Divider is the line of the reply that divides SEARCH from REPLACE in this reading, or 0 if
	// there is only one reading.
	Divider int `json:"divider,omitempty"`
	// Habits are the models' habits that are undone in this reading.
	Habits []string `json:"habits,omitempty"`
	// Hunks are the changes from SEARCH to REPLACE.
	Hunks []HunkWhy `json:"hunks"`
	// Proposals are the places that each stage of the cascade found, in the order of the stages.
	Proposals []ProposalWhy `json:"proposals"`
}

// HunkWhy is one change of a block: SEARCH lines become REPLACE lines. If a range is empty, its
// second number is less than its first.
type HunkWhy struct {
	Search  [2]int `json:"search"`
	Replace [2]int `json:"replace"`
}

// ProposalWhy lists the places that a stage of the cascade found.
type ProposalWhy struct {
	// Strategy is the name of the stage.
	Strategy string `json:"strategy"`
	// Places are the first and last lines of up to 20 places. More is set if there are others.
	Places [][2]int `json:"places"`
	More   bool     `json:"more,omitempty"`
}

// PlaceWhy is one place, and how the block fits there.
type PlaceWhy struct {
	// Reading is the index of the place's reading in Readings.
	Reading  int    `json:"reading"`
	Strategy string `json:"strategy"`
	Lines    [2]int `json:"lines"`
	// Score is the similarity, 0 to 1.
	Score float64 `json:"score"`
	// Alignment pairs the lines of SEARCH with those of the file.
	Alignment []PairWhy `json:"alignment"`
	// Done is how many hunks the file already has there.
	Done int `json:"done"`
	// Objections are the reasons against the place. One is enough.
	Objections []Objection `json:"objections"`
}

// PairWhy is a line of SEARCH and the line of the file that it's paired with, or 0 if there is
// none.
type PairWhy struct {
	Search int `json:"search"`
	File   int `json:"file"`
	// Relation says how the two lines are related: same, trailing, indented, spaced, folded,
	// partial, reflowed, similar, moved, missing (from the file), extra (in the file).
	Relation   string  `json:"relation"`
	Similarity float64 `json:"similarity"`
	// Text is the line of SEARCH, and FileText the line of the file.
	Text     string `json:"text,omitempty"`
	FileText string `json:"file_text,omitempty"`
}

// Why plans the reply and returns how the block with the given number was judged. The error is that
// of [Engine.Plan], or [ErrNoBlock].
func (e *Engine) Why(ctx context.Context, reply *parser.Reply, block int) (*Why, error) {
	r, plan, err := e.plan(ctx, reply)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(r.items, func(it *item) bool { return it.block.ID == block })
	if i < 0 {
		return nil, fmt.Errorf("%w: %d", ErrNoBlock, block)
	}
	w := &Why{Report: plan.Blocks[i], Readings: []ReadingWhy{}, Places: []PlaceWhy{}}
	it := r.items[i]
	if it.file == nil || it.file.snapshot == nil || !it.file.exists || !onSnapshot(it.block.Op) ||
		it.block.Op == parser.OpInsert || len(it.block.Search) == 0 {
		return w, nil // the block was settled without a search
	}
	// Search again, through all levels, and record what each stage finds.
	l := r.newLocator(it.file.snapshot.doc, it.file.path)
	l.budget, l.work = strategy.NewBudget(r.opt.Budget), newAllowance(r.opt.RunBudget)
	var found []*placement
	s := &search{
		locator: l, findings: &findings{readings: l.withoutRepeats(it.readings())},
		pick: nearestToHint,
	}
	var readings []*reading.Reading
	s.trace = func(stage string, v *reading.Reading, places []*placement) {
		at := slices.Index(readings, v)
		if at < 0 {
			at = len(readings)
			readings, w.Readings = append(readings, v), append(w.Readings, whyReading(v))
		}
		w.Readings[at].Proposals = append(w.Readings[at].Proposals, whyStage(stage, places))
		found = append(found, places...)
	}
	s.descend(true)
	for _, p := range distinct(found) {
		if p.kind == ofLines {
			w.Places = append(w.Places, l.whyPlace(max(0, slices.Index(readings, p.reading)), p))
		}
	}
	slices.SortStableFunc(w.Places, func(a, b PlaceWhy) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Lines[0], b.Lines[0]))
	})
	w.Places = w.Places[:min(len(w.Places), maxRegions)]
	return w, nil
}

// whyReading describes a reading.
func whyReading(v *reading.Reading) ReadingWhy {
	w := ReadingWhy{Divider: v.Divider, Habits: v.Habits, Hunks: []HunkWhy{}, Proposals: []ProposalWhy{}}
	for _, c := range v.Hunks() {
		w.Hunks = append(w.Hunks, HunkWhy{Search: [2]int{c.S0 + 1, c.S1}, Replace: [2]int{c.R0 + 1, c.R1}})
	}
	return w
}

// whyStage describes what a stage found.
func whyStage(name string, places []*placement) ProposalWhy {
	w := ProposalWhy{Strategy: name, Places: [][2]int{}, More: len(places) > maxListed}
	for _, p := range places[:min(len(places), maxListed)] {
		at := p.span()
		w.Places = append(w.Places, [2]int{at.first + 1, at.end})
	}
	return w
}

// whyPlace describes how the reading with the given index fits at p, and all objections.
func (l *locator) whyPlace(index int, p *placement) PlaceWhy {
	v := p.reading
	at := p.span()
	w := PlaceWhy{
		Reading: index, Strategy: p.strategy, Lines: [2]int{at.first + 1, at.end}, Score: p.score,
		Alignment: []PairWhy{}, Objections: []Objection{},
	}
	for _, q := range p.alignment {
		pair := PairWhy{Search: q.Search + 1, File: q.File + 1, Relation: q.Relation.String(), Similarity: q.Similarity}
		if q.Search >= 0 {
			pair.Text = string(bytes.ToValidUTF8(v.Search.Line(q.Search), []byte("\ufffd")))
		}
		if q.File >= 0 {
			pair.FileText = string(bytes.ToValidUTF8(l.doc.Line(q.File), []byte("\ufffd")))
		}
		w.Alignment = append(w.Alignment, pair)
	}
	if p.alignment.Relation() <= align.Folded {
		return w // every line is there, so no rule is asked
	}
	l.settleIndent(p)
	s := l.splicer(p)
	w.Done = len(s.Done)
	for _, o := range l.judge.Objections(s, p.score) {
		w.Objections = append(w.Objections, Objection{Code: ObjectionCode(o.Code), Search: o.Search, File: o.File})
	}
	return w
}
