package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Verdict is what an outcome is worth.
type Verdict string

const (
	// Right: the expected or an accepted result, or a refusal where that is right.
	Right Verdict = "right"
	// Wrong: something else was written. The outcome to abhor.
	Wrong Verdict = "wrong"
	// Refused: nothing was written although the place is certain.
	Refused Verdict = "refused"
)

// Outcome is what the engine made of a case.
type Outcome struct {
	// Files are the contents after; nil when the run was refused.
	Files map[string]string
	// Note says which strategy placed the blocks, or why they were refused.
	Note string
}

// Judge scores an outcome. near says of a wrong one that it differs from the expected text in white space only.
func Judge(c *Case, o Outcome) (v Verdict, near bool) {
	if o.Files == nil {
		if c.Expected == nil || c.RefuseOK {
			return Right, false
		}
		return Refused, false
	}
	if c.Expected == nil {
		return Wrong, false
	}
	goods := append([]map[string]string{c.Expected}, c.Accept...)
	for _, g := range goods {
		if maps.Equal(g, o.Files) {
			return Right, false
		}
	}
	for _, g := range goods {
		near = near || maps.EqualFunc(g, o.Files, func(a, b string) bool { return squeeze(a) == squeeze(b) })
	}
	return Wrong, near
}

// Tally counts verdicts.
type Tally struct{ N, Right, Wrong, Near, Refused int }

// Add counts one more.
func (t *Tally) Add(v Verdict, near bool) {
	t.N++
	switch v {
	case Right:
		t.Right++
	case Wrong:
		t.Wrong++
	case Refused:
		t.Refused++
	}
	if near {
		t.Near++
	}
}

// RightShare and WrongShare are shares of the cases, 0 to 1.
func (t Tally) RightShare() float64 { return float64(t.Right) / float64(max(t.N, 1)) }

// WrongShare is described with RightShare.
func (t Tally) WrongShare() float64 { return float64(t.Wrong) / float64(max(t.N, 1)) }

// Scores are the tallies of a run.
type Scores struct {
	Total Tally
	Kinds map[string]*Tally
}

// Score tallies outcomes, which stand in the order of their cases.
func Score(cases []*Case, outcomes []Outcome) *Scores {
	s := &Scores{Kinds: map[string]*Tally{}}
	for i, c := range cases {
		v, near := Judge(c, outcomes[i])
		if s.Kinds[c.Kind] == nil {
			s.Kinds[c.Kind] = &Tally{}
		}
		s.Kinds[c.Kind].Add(v, near)
		s.Total.Add(v, near)
	}
	return s
}

// Bounds are what a run has to reach: at least so much right, at most so much wrong, as shares of the cases.
type Bounds struct{ TotalRight, TotalWrong, KindRight, KindWrong float64 }

// DefaultBounds hold for policy safe.
var DefaultBounds = Bounds{TotalRight: 0.98, TotalWrong: 0.001, KindRight: 0.93, KindWrong: 0.01}

// Check lists what is out of bounds.
func (s *Scores) Check(b Bounds) []string {
	var out []string
	check := func(name string, t Tally, right, wrong float64) {
		if t.RightShare() < right {
			out = append(out, fmt.Sprintf("%s: %.1f %% right, needed %.1f %%", name, 100*t.RightShare(), 100*right))
		}
		if t.WrongShare() > wrong {
			out = append(out, fmt.Sprintf("%s: %d of %d wrong, allowed %.1f %%", name, t.Wrong, t.N, 100*wrong))
		}
	}
	check("total", s.Total, b.TotalRight, b.TotalWrong)
	for _, k := range slices.Sorted(maps.Keys(s.Kinds)) {
		check(k, *s.Kinds[k], b.KindRight, b.KindWrong)
	}
	return out
}

// WriteTable prints a line a kind, in the order of [Kinds], and the total.
func (s *Scores) WriteTable(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-18s %6s %8s %7s %7s %9s\n", "kind", "n", "right %", "wrong", "near", "refused")
	line := func(name string, t Tally) {
		fmt.Fprintf(&b, "%-18s %6d %8.1f %7d %7d %9d\n", name, t.N, 100*t.RightShare(), t.Wrong, t.Near, t.Refused)
	}
	for _, k := range Kinds() {
		if t := s.Kinds[k.Name]; t != nil {
			line(k.Name, *t)
		}
	}
	line("total", s.Total)
	_, err := io.WriteString(w, b.String())
	return err
}
