package align

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/strategy"
)

// shown prints an alignment as the SEARCH line, file line and relation of each pair; "-" means no
// line.
func shown(a Alignment) string {
	line := func(i int) string {
		if i < 0 {
			return "-"
		}
		return fmt.Sprint(i)
	}
	var out []string
	for _, p := range a {
		out = append(out, line(p.Search)+"="+line(p.File)+" "+p.Relation.String())
	}
	return strings.Join(out, ", ")
}

func texts(file, search string) (*strategy.Document, *strategy.Pattern) {
	return strategy.NewDocument([]byte(file)), strategy.NewPattern([]byte(search), 0)
}

const (
	sum = "def total(items):\n    amount = 0\n    for item in items:\n        amount += item.price\n    return amount\n"
	top = "import sys\n\n"
)

func TestWithin(t *testing.T) {
	for _, c := range []struct{ name, file, search, want string }{
		{"the same lines", top + sum, "    amount = 0\n    for item in items:", "0=3 same, 1=4 same"},
		{"a slip", sum, "    for itm in items:\n        amount += item.price", "0=2 similar, 1=3 same"},
		{"another indentation", sum, "for item in items:\n    amount += item.price", "0=2 indented, 1=3 indented"},
		{"other blanks between words", sum, "    amount  =  0\n    for item in items:", "0=1 spaced, 1=2 same"},
		{"a line that the file does not have",
			sum, "    amount = 0\n    log.debug(items)\n    for item in items:", "0=1 same, 1=- missing, 2=2 same"},
		{"a line that SEARCH does not have",
			sum, "    amount = 0\n        amount += item.price", "0=1 same, -=2 extra, 1=3 same"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, pat := texts(c.file, c.search)
			a := New(doc, pat, strategy.NewBudget(1<<20)).Within(-pat.Len(), doc.Len(), 0, doc.Len())
			if got := shown(a); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestNoAlignmentWithoutBudget(t *testing.T) {
	doc, pat := texts(sum, "    amount = 0\n    for item in items:")
	if a := New(doc, pat, strategy.NewBudget(1)).Within(0, doc.Len(), 0, doc.Len()); a != nil {
		t.Errorf("it is %s", shown(a))
	}
	if a := Over(doc, pat, 0, doc.Len(), strategy.NewBudget(1)); a != nil {
		t.Errorf("over the whole file it is %s", shown(a))
	}
}

// The ends of a place are paired, however many lines of the file are in between.
func TestOverPairsTheEnds(t *testing.T) {
	doc, pat := texts(sum, "def total(items):\n    return amount")
	want := "0=0 same, -=1 extra, -=2 extra, -=3 extra, 1=4 same"
	if got := shown(Over(doc, pat, 0, doc.Len(), strategy.NewBudget(1<<20))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDiagonalSaysWhatDiffers(t *testing.T) {
	doc, pat := texts("a = 1  \n\tb = 2\nc = 3\n", "a = 1\nb = 2\nc = 3")
	a := Diagonal(doc, pat, 0)
	if got, want := shown(a), "0=0 trailing, 1=1 indented, 2=2 same"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if first, end := a.Span(); first != 0 || end != 3 || a.Relation() != Indented {
		t.Errorf("lines %d to %d, %s", first, end, a.Relation())
	}
}

func TestScoreIsOneForAllLinesAndLessForFewer(t *testing.T) {
	score := func(search string) float64 {
		doc, pat := texts(sum, search)
		return Over(doc, pat, 1, 4, strategy.NewBudget(1<<20)).Score(doc, pat)
	}
	all := score("    amount = 0\n    for item in items:\n        amount += item.price")
	slip := score("    amount = 0\n    for itm in items:\n        amount += item.price")
	other := score("    amount = 0\n    while True:\n        amount += item.price")
	if all != 1 || slip >= all || other >= slip || other <= 0 {
		t.Errorf("all lines %v, a slip %v, another line %v", all, slip, other)
	}
}

// withoutBlankEnds returns the alignments of a pattern if the document lacks its blank ends.
func withoutBlankEnds(doc *strategy.Document, pat *strategy.Pattern) iter.Seq[Alignment] {
	from, to := pat.Core()
	return func(yield func(Alignment) bool) {
		for first := range strategy.KeyWindows(doc, pat.Slice(from, to)) {
			end := first + to - from
			if to-from < pat.Len() && IsWhole(doc, pat, first, end) && !yield(Whole(doc, pat, first, end)) {
				return
			}
		}
	}
}

// Functions that yield places on their own find the only place, and none if nothing is left over.
func TestPlacesOfBlocksThatAreWrittenOtherwise(t *testing.T) {
	for _, c := range []struct {
		name         string
		find         func(*strategy.Document, *strategy.Pattern) iter.Seq[Alignment]
		file, search string
		want         []string
	}{
		{"blank lines around SEARCH", withoutBlankEnds, sum, "\n    amount = 0\n    for item in items:\n",
			[]string{"0=- missing, 1=1 same, 2=2 same"}},
		{"a blank line that the file has", withoutBlankEnds, top + sum, "\ndef total(items):\n    amount = 0",
			[]string{"0=1 same, 1=2 same, 2=3 same"}},
		{"no blank lines", withoutBlankEnds, sum, "    amount = 0\n    for item in items:", nil},
		{"the begin of the first line is cut off",
			WithCutLine, sum, "item in items:\n        amount += item.price\n    return amount",
			[]string{"0=2 partial, 1=3 same, 2=4 same"}},
		{"the first line is whole",
			WithCutLine, sum, "    for item in items:\n        amount += item.price\n    return amount", nil},
		{"a call on one line",
			WithLineBreaks, "x = call(\n    first,\n    second\n)\nprint(x)\n", "x = call(first, second)\nprint(x)",
			[]string{"0=0 reflowed, -=1 reflowed, -=2 reflowed, -=3 reflowed, 1=4 same"}},
		{"a call with another argument",
			WithLineBreaks, "x = call(\n    first,\n    second\n)\nprint(x)\n",
			"x = call(first, third)\nprint(x)", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, pat := texts(c.file, c.search)
			var got []string
			for a := range c.find(doc, pat) {
				got = append(got, shown(a))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
