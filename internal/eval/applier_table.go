package eval

import (
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"time"
)

// groups are the columns of the appliers' table: cases in which the lines of SEARCH occur once, then
// the kinds listed here, then all others, then the edits that should be refused.
var groups = []struct {
	name  string
	kinds []string
}{
	{"occurs once", nil},
	{"blanks", []string{"indentation", "blanks", "edges", "file_bytes"}},
	{"characters", []string{"typography", "copied_marks"}},
	{"lines", []string{"elided", "elided_ends", "omission", "reflowed", "line_count", "wrapped", "glued",
		"swapped_context", "cut_line", "fragment", "line_prefix"}},
	{"words", nil},
	{"should refuse", nil},
}

func groupOf(c *Case) int {
	switch {
	case c.Expected == nil:
		return len(groups) - 1
	case strings.Count("\n"+c.Files[c.Path], "\n"+c.Search) == 1:
		return 0
	}
	for i, g := range groups {
		if slices.Contains(g.kinds, c.Kind) {
			return i
		}
	}
	return len(groups) - 2
}

// ApplierScore is how an applier did.
type ApplierScore struct {
	Applier
	Total  Tally
	groups []Tally
	// PerCase is the time for a case, without the applier's start.
	PerCase time.Duration
}

// ScoreApplier tallies the outcomes of an applier.
func ScoreApplier(a Applier, cases []*Case, outcomes []Outcome, took time.Duration) ApplierScore {
	s := ApplierScore{Applier: a, groups: make([]Tally, len(groups)),
		PerCase: took / time.Duration(max(len(cases)-1, 1))}
	for i, c := range cases {
		v, near := Judge(c, outcomes[i])
		s.Total.Add(v, near)
		s.groups[groupOf(c)].Add(v, near)
	}
	return s
}

// WriteAppliers prints a table in Markdown: shares in all cases, and the right ones of each group.
func WriteAppliers(w io.Writer, scores []ApplierScore) error {
	var b strings.Builder
	b.WriteString("| | made for | right % | wrong % | refused % |")
	for _, g := range groups {
		fmt.Fprintf(&b, " %s |", g.name)
	}
	b.WriteString(" ms |\n|---|---|" + strings.Repeat("--:|", 4+len(groups)) + "\n")
	for _, s := range scores {
		fmt.Fprintf(&b, "| %s | %s |", strings.ReplaceAll(s.Name, "|", `\|`), s.For)
		for _, n := range []int{s.Total.Right, s.Total.Wrong, s.Total.Refused} {
			fmt.Fprintf(&b, " %.1f |", share(n, s.Total.N))
		}
		for _, g := range s.groups {
			fmt.Fprintf(&b, " %.0f |", share(g.Right, g.N))
		}
		ms := s.PerCase.Seconds() * 1000
		fmt.Fprintf(&b, " %.*f |\n", map[bool]int{true: 1}[ms < 10], ms)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func share(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// WriteAppliersChart draws the table as SVG: for each applier and group a bar of right, refused and
// wrong answers.
func WriteAppliersChart(w io.Writer, scores []ApplierScore) error {
	const left, top, column, row, bar = 140, 48, 112, 26, 100
	var b strings.Builder
	text := func(x, y int, s string) {
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\">%s</text>\n", x, y, html.EscapeString(s))
	}
	width, height := left+column*(len(groups)+1), top+row*len(scores)+8
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
<title>Right, refused and wrong answers of appliers, by kind of mistake</title>
<style>text{fill:#222}.right{fill:#3a923a}.refused{fill:#c8c8c8}.wrong{fill:#d03b3b}
@media (prefers-color-scheme:dark){text{fill:#ddd}.refused{fill:#555}}</style>
`, width, height)
	for i, class := range []string{"right", "refused", "wrong"} {
		fmt.Fprintf(&b, "<rect class=%q x=\"%d\" y=\"8\" width=\"12\" height=\"12\"/>\n", class, left+90*i)
		text(left+90*i+18, 18, class)
	}
	text(left, top-8, "all")
	for i, g := range groups {
		text(left+column*(i+1), top-8, g.name)
	}
	for i, s := range scores {
		y := top + row*i
		text(4, y+15, s.Name)
		for j, t := range append([]Tally{s.Total}, s.groups...) {
			x := float64(left + column*j)
			for _, part := range []struct {
				class string
				n     int
			}{{"right", t.Right}, {"refused", t.Refused}, {"wrong", t.Wrong}} {
				wide := share(part.n, t.N) * bar / 100
				if wide > 0 {
					fmt.Fprintf(&b, "<rect class=%q x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"18\"/>\n", part.class, x, y, wide)
				}
				x += wide
			}
		}
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}
