package eval

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Verdict says how good an outcome is.
type Verdict string

const (
	// Right: the expected or an accepted result, or a refusal if that is right.
	Right Verdict = "right"
	// Wrong: something else was written. This must not happen.
	Wrong Verdict = "wrong"
	// Refused: nothing was written although the edit is certain.
	Refused Verdict = "refused"
)

// Outcome is what the engine did with a case.
type Outcome struct {
	// Files are the contents after the run, or nil if it was refused.
	Files map[string]string
	// Note says which strategy placed the blocks, or why they were refused.
	Note string
	// Corrected are the corrected blocks that came with the refusal of a single block.
	Corrected []Corrected
}

// Corrected is a corrected block and the contents after applying it, or nil if it is refused, too.
type Corrected struct {
	Text  string
	Files map[string]string
}

// Judge scores an outcome. near is set if a wrong one differs from the expected text in whitespace
// only.
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
	goods := c.goods()
	if isOneOf(goods, o.Files) {
		return Right, false
	}
	for _, g := range goods {
		near = near || maps.EqualFunc(g, o.Files, func(a, b string) bool { return squeeze(a) == squeeze(b) })
	}
	return Wrong, near
}

// goods returns the results that are right.
func (c *Case) goods() []map[string]string {
	return append([]map[string]string{c.Expected}, c.Accept...)
}

func isOneOf(goods []map[string]string, files map[string]string) bool {
	return slices.ContainsFunc(goods, func(g map[string]string) bool { return maps.Equal(g, files) })
}

// Miscorrected reports whether a refusal came with corrected blocks, none of which leads to what
// was meant.
func Miscorrected(c *Case, o Outcome) bool {
	truth := c.meanings()
	return len(o.Corrected) > 0 && truth != nil &&
		!slices.ContainsFunc(o.Corrected, func(x Corrected) bool { return isOneOf(truth, x.Files) })
}

// meanings returns the results that the block means, even if it has to be refused because it
// doesn't say enough. It returns nil if the block means none.
func (c *Case) meanings() []map[string]string {
	switch {
	case c.Expected != nil:
		return c.goods()
	case c.Meant != nil:
		return []map[string]string{c.Meant}
	}
	return nil
}

// hasAnswer reports whether a refusal of the case could have a corrected block: it is a single
// block whose meaning is known and changes the file. A trap, which is to be refused, has no answer,
// and neither has a block that was applied before. A block that may be refused or applied has one.
func (c *Case) hasAnswer() bool {
	return c.Reply == "" && slices.ContainsFunc(c.meanings(),
		func(m map[string]string) bool { return !maps.Equal(m, c.Files) })
}

// Corrections counts the corrected blocks of refusals of single blocks.
type Corrections struct {
	// Refusals are those that have an answer.
	Refusals int
	// Single is how many of them came with one corrected block, and SingleRight how many of those
	// led to what was meant.
	Single, SingleRight int
	// Several is how many of them came with more than one, and SeveralRight how many of those have
	// one that leads there.
	Several, SeveralRight int
	// Others are the refusals without an answer. Misled is how many of them came with corrected
	// blocks all the same.
	Others, Misled int
}

func (n *Corrections) add(c *Case, o Outcome) {
	if o.Files != nil || c.Reply != "" {
		return
	}
	if !c.hasAnswer() {
		n.Others++
		if len(o.Corrected) > 0 {
			n.Misled++
		}
		return
	}
	n.Refusals++
	right := 1
	if Miscorrected(c, o) {
		right = 0
	}
	switch len(o.Corrected) {
	case 0:
	case 1:
		n.Single++
		n.SingleRight += right
	default:
		n.Several++
		n.SeveralRight += right
	}
}

// enoughCorrected is the least number of corrected blocks for which the share of right ones means
// something.
const enoughCorrected = 20

// Check reports what is out of bounds. carried is the least share of refusals with an answer that
// must come with corrected blocks, and right the least share of those that must lead to what was
// meant.
func (n Corrections) Check(name string, carried, right float64) []string {
	var out []string
	with, good := n.Single+n.Several, n.SingleRight+n.SeveralRight
	if n.Refusals >= enoughCorrected && float64(with) < carried*float64(n.Refusals) {
		out = append(out, fmt.Sprintf("%s: %d of %d refusals carry corrected blocks, needed %.1f %%", name, with, n.Refusals, 100*carried))
	}
	if with >= enoughCorrected && float64(good) < right*float64(with) {
		out = append(out, fmt.Sprintf("%s: of %d refusals with corrected blocks %d have the right one, needed %.1f %%", name, with, good, 100*right))
	}
	return out
}

// String returns the counts in two sentences.
func (n Corrections) String() string {
	with, good := n.Single+n.Several, n.SingleRight+n.SeveralRight
	return fmt.Sprintf("of %d refusals that have an answer %d (%.1f %%) came with corrected blocks, %d (%.1f %%) of them with the right one: "+
		"%d of %d with one, %d of %d with several. Of %d that have none %d came with some",
		n.Refusals, with, share(with, n.Refusals), good, share(good, with), n.SingleRight, n.Single,
		n.SeveralRight, n.Several, n.Others, n.Misled)
}

// Tally counts verdicts.
type Tally struct{ N, Right, Wrong, Near, Refused int }

// Add counts a verdict.
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

func (t *Tally) merge(o Tally) {
	t.N, t.Right, t.Wrong = t.N+o.N, t.Right+o.Right, t.Wrong+o.Wrong
	t.Near, t.Refused = t.Near+o.Near, t.Refused+o.Refused
}

// RightShare and WrongShare are shares of the cases, 0 to 1.
func (t Tally) RightShare() float64 { return float64(t.Right) / float64(max(t.N, 1)) }

// WrongShare is described with RightShare.
func (t Tally) WrongShare() float64 { return float64(t.Wrong) / float64(max(t.N, 1)) }

// Scores are the tallies of a run.
type Scores struct {
	Total       Tally
	Kinds       map[string]*Tally
	Corrections Corrections
}

// Score tallies outcomes, which must be in the order of their cases.
func Score(cases []*Case, outcomes []Outcome) *Scores {
	s := &Scores{Kinds: map[string]*Tally{}}
	for i, c := range cases {
		v, near := Judge(c, outcomes[i])
		if s.Kinds[c.Kind] == nil {
			s.Kinds[c.Kind] = &Tally{}
		}
		s.Kinds[c.Kind].Add(v, near)
		s.Total.Add(v, near)
		s.Corrections.add(c, outcomes[i])
	}
	return s
}

// Bounds are what a run has to reach: the least share of right answers and the greatest share of
// wrong ones; of the refusals with an answer, the least share with corrected blocks, and the least
// share of those that are right. With Own, kinds with bounds of their own must reach those instead.
type Bounds struct {
	TotalRight, TotalWrong, KindRight, KindWrong, Carried, Corrected float64
	Own                                                              bool
}

// DefaultBounds hold for policy safe.
var DefaultBounds = Bounds{TotalRight: 0.975, TotalWrong: 0.002, KindRight: 0.93, KindWrong: 0.01,
	Carried: 0.46, Corrected: 0.98, Own: true}

// CorrectedOfSome is the least share of right corrected blocks if only some kinds run. How many
// refusals have one differs from kind to kind, so the bounds for all kinds say nothing about a few.
const CorrectedOfSome = 0.95

// StrictBounds hold for policy strict, which refuses everything that isn't exact, and is never
// wrong.
var StrictBounds = Bounds{}

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
	own := map[string]*kindBounds{}
	for _, k := range Kinds() {
		own[k.Name] = k.bounds
	}
	var total Tally // of the kinds that have no bounds of their own
	for _, k := range slices.Sorted(maps.Keys(s.Kinds)) {
		switch t, own := *s.Kinds[k], own[k]; {
		case own == nil:
			total.merge(t)
			check(k, t, b.KindRight, b.KindWrong)
		case !b.Own:
			check(k, t, b.KindRight, max(b.KindWrong, own.strict))
		case t.N >= enoughOwn:
			check(k, t, own.right, own.wrong)
		}
	}
	if total.N > 0 {
		check("total", total, b.TotalRight, b.TotalWrong)
	}
	return append(out, s.Corrections.Check("total", b.Carried, b.Corrected)...)
}

// WriteTable prints a line for each kind, in the order of [Kinds] and then of [Perturb], the total,
// and how good corrected blocks are.
func (s *Scores) WriteTable(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-18s %6s %8s %7s %7s %9s\n", "kind", "n", "right %", "wrong", "near", "refused")
	line := func(name string, t Tally) {
		fmt.Fprintf(&b, "%-18s %6d %8.1f %7d %7d %9d\n", name, t.N, 100*t.RightShare(), t.Wrong, t.Near, t.Refused)
	}
	var order []string
	for _, k := range Kinds() {
		order = append(order, k.Name)
	}
	for _, name := range append(order, perturbations()...) {
		if t := s.Kinds[name]; t != nil {
			line(name, *t)
		}
	}
	line("total", s.Total)
	fmt.Fprintf(&b, "corrected blocks: %s\n", s.Corrections)
	_, err := io.WriteString(w, b.String())
	return err
}
