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
	// Refused: nothing was written although the edit is certain, or what it could be was not
	// offered.
	Refused Verdict = "refused"
)

// Outcome is what the engine made of a case.
type Outcome struct {
	// Files are the contents after; nil when the run was refused.
	Files map[string]string
	// Note says which strategy placed the blocks, or why they were refused.
	Note string
	// Corrected are the corrected blocks that came with the refusal of a single block.
	Corrected []Corrected
}

// Corrected is a corrected block and what applying it leads to: the contents after, nil when it is
// refused, too.
type Corrected struct {
	Text  string
	Files map[string]string
}

// Judge scores an outcome. near says of a wrong one that it differs from the expected text in white
// space only.
func Judge(c *Case, o Outcome) (v Verdict, near bool) {
	if o.Files == nil {
		if (c.Expected == nil || c.RefuseOK) && offered(c, o) {
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

// offered reports whether a refusal came with corrected blocks for all results that it has to
// offer.
func offered(c *Case, o Outcome) bool {
	for _, want := range c.Offers {
		if !slices.ContainsFunc(o.Corrected, func(x Corrected) bool { return maps.Equal(x.Files, want) }) {
			return false
		}
	}
	return true
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

// meanings returns the results that the block means, also where it has to be refused for not saying
// enough; nil when it means none.
func (c *Case) meanings() []map[string]string {
	switch {
	case c.Expected != nil:
		return c.goods()
	case c.Meant != nil:
		return []map[string]string{c.Meant}
	}
	return nil
}

// hasAnswer reports whether a refusal of the case could carry a corrected block: it is a single
// block whose meaning is known, and that meaning changes the file. A trap, whose answer is to
// refuse, has none, and neither has a block that was applied before: no block says that nothing is
// to be done. A block that may be refused as well as applied has one.
func (c *Case) hasAnswer() bool {
	return c.Reply == "" && slices.ContainsFunc(c.meanings(),
		func(m map[string]string) bool { return !maps.Equal(m, c.Files) })
}

// Corrections counts the corrected blocks of refusals of single blocks.
type Corrections struct {
	// Refusals are those that have an answer.
	Refusals int
	// Single of them came with one corrected block, of which SingleRight lead to what was meant.
	Single, SingleRight int
	// Several of them came with more than one, of which SeveralRight hold one that leads there.
	Several, SeveralRight int
	// Others are the refusals without an answer, except for those that have to offer something, see
	// [Case.Offers]; Misled of them came with corrected blocks all the same.
	Others, Misled int
}

func (n *Corrections) add(c *Case, o Outcome) {
	if o.Files != nil || c.Reply != "" {
		return
	}
	if !c.hasAnswer() {
		if len(c.Offers) > 0 {
			return
		}
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

// enoughCorrected is how many corrected blocks there must be for their share of right ones to say
// something.
const enoughCorrected = 20

// Check reports what is out of bounds: of the refusals that have an answer at least the share
// carried comes with corrected blocks, and of those the share right with one that leads to what was
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

// String says the counts in two sentences.
func (n Corrections) String() string {
	with, good := n.Single+n.Several, n.SingleRight+n.SeveralRight
	return fmt.Sprintf("of %d refusals that have an answer %d (%.1f %%) came with corrected blocks, %d (%.1f %%) of them with the right one: "+
		"%d of %d with one, %d of %d with several. Of %d that have none %d came with some",
		n.Refusals, with, share(with, n.Refusals), good, share(good, with), n.SingleRight, n.Single,
		n.SeveralRight, n.Several, n.Others, n.Misled)
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

func (t *Tally) merge(o Tally) {
	t.N, t.Right, t.Wrong, t.Near, t.Refused = t.N+o.N, t.Right+o.Right, t.Wrong+o.Wrong,
		t.Near+o.Near, t.Refused+o.Refused
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

// Score tallies outcomes, which are in the order of their cases.
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

// Bounds are what a run has to reach: at least so much right, at most so much wrong, as shares of
// the cases; of the refusals that have an answer at least so many with corrected blocks, and so
// much of those right. With Own, kinds that have bounds of their own are held to those.
type Bounds struct {
	TotalRight, TotalWrong, KindRight, KindWrong, Carried, Corrected float64
	Own                                                              bool
}

// DefaultBounds hold for policy safe.
var DefaultBounds = Bounds{TotalRight: 0.975, TotalWrong: 0.002, KindRight: 0.93, KindWrong: 0.01,
	Carried: 0.46, Corrected: 0.98, Own: true}

// CorrectedOfSome is how much of the corrected blocks has to be right where only some kinds are
// run: how many refusals carry one differs from kind to kind, and the bounds for all of them say
// nothing about a few.
const CorrectedOfSome = 0.95

// StrictBounds hold for policy strict, which refuses all that is bent and errs nowhere.
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

// WriteTable prints a line a kind, in the order of [Kinds], those of [Perturb] next, the total, and
// what corrected blocks are worth.
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
