package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/apply"
)

// maxWhy is how many places are shown with their alignment. The others get one line each.
const maxWhy = 3

// Why writes how one block was judged: its readings (ways to divide it into SEARCH and REPLACE),
// what each strategy found for them, how the block fits at the best places, the objections, and the
// verdict.
func (p Printer) Why(w *apply.Why, detail Detail) {
	b := w.Report.Block
	p.line(p.paint(bold, fmt.Sprintf("block %d,", w.Report.ID)), fmt.Sprintf(" %s for %s, %s of the reply, %s",
		Clean(string(b.Op)), cmp.Or(Clean(w.Report.Path), "no file"), linesOf(b.Lines), Clean(b.Dialect)))
	if len(w.Readings) == 0 {
		p.line("no file was searched for it")
	}
	for i := range w.Readings {
		p.whyReading(&w.Readings[i], i, len(w.Readings))
	}
	for i := range w.Places {
		p.whyPlace(&w.Places[i], i < maxWhy || detail >= Verbose, detail)
	}
	p.line(p.paint(bold, "verdict"))
	if w.Report.Status == apply.BlockFailed {
		p.refusal(&w.Report, detail)
	} else {
		p.block(&w.Report, Verbose)
	}
}

// whyReading writes reading i of n, counted from 0: where the block was divided into SEARCH and
// REPLACE, and which places each strategy found.
func (p Printer) whyReading(r *apply.ReadingWhy, i, n int) {
	title := fmt.Sprintf("reading %d of %d", i+1, n)
	if r.Divider > 0 {
		title += fmt.Sprintf(", divided at line %d of the reply", r.Divider)
	}
	p.line(p.paint(bold, title))
	if len(r.Habits) > 0 { // of models, such as line numbers in SEARCH; they are undone here
		p.field("corrected", Clean(strings.Join(r.Habits, ", ")))
	}
	for _, s := range r.Proposals {
		var places []string
		for _, at := range s.Places {
			places = append(places, span(at))
		}
		if s.More {
			places = append(places, "…")
		}
		p.field(Clean(s.Strategy), strings.Join(places, ", "))
	}
}

// whyPlace writes a place and the objections to it. If full is set, it also writes how each line
// fits there.
func (p Printer) whyPlace(at *apply.PlaceWhy, full bool, detail Detail) {
	head := fmt.Sprintf("similarity %.2f, by %s, reading %d", at.Score, Clean(at.Strategy), at.Reading+1)
	if at.Done > 0 {
		head += fmt.Sprintf(", %s already made", plural(at.Done, "change"))
	}
	p.line(p.paint(bold, linesOf(at.Lines)+" of the file,"), " ", head)
	if full {
		p.line(indent, p.paint(dim, "SEARCH  file")) // above the line numbers
		for _, q := range at.Alignment {
			p.whyPair(q, detail)
		}
	}
	if len(at.Objections) == 0 {
		p.field("objections", "none")
	}
	for i := range at.Objections {
		o := &at.Objections[i]
		p.field("objection", p.paint(red, string(o.Code))+": "+o.String())
	}
}

// whyPair writes a line of SEARCH and the line of the file that it's paired with: one line, or two
// if they are only similar. Each begins with the line numbers on both sides, or 0 for none, and
// their relation:
//
//	12   340  moved        return nil
func (p Printer) whyPair(q apply.PairWhy, detail Detail) {
	st := map[string]style{"missing": red, "moved": red, "extra": green, "similar": yellow}[q.Relation]
	say := func(s, f int, what, text string) {
		if text = Clean(text); detail < Verbose {
			text = clip(text, maxRunes)
		}
		p.line(indent, fmt.Sprintf("%6d %5d  ", s, f), p.paint(st, fmt.Sprintf("%-12s ", what)), text)
	}
	if q.Relation != "similar" {
		say(q.Search, q.File, q.Relation, cmp.Or(q.FileText, q.Text))
		return
	}
	say(q.Search, 0, fmt.Sprintf("similar %.2f", q.Similarity), q.Text)
	say(0, q.File, "", q.FileText)
}
