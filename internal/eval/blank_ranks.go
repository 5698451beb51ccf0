package eval

import (
	"slices"
	"strings"
)

// blankRanks blocks have two places that differ from them in blanks, one more than the other. In
// the traps, both differ equally.
func blankRanks(g *gen, d *draft) *Case {
	variant := choose(g, 0, []string{"trailing_even", "trailing_uneven", "even_uneven", "even_even",
		"trailing_trailing"})
	if d.bringsBack() {
		return nil
	}
	search, replace := d.search(), d.replace()
	n := len(search)
	if n < 2 || slices.ContainsFunc(search, endsBlank) || blank(search[n/2]) || blank(search[n-1]) {
		return nil
	}
	step := "    "
	tabbed := func(l string) bool { return strings.Contains(indentOf(l), "\t") }
	if slices.ContainsFunc(search, tabbed) || slices.ContainsFunc(replace, tabbed) {
		step = "\t"
	}
	near, far := g.ranked(variant, search, step)
	// Trailing blanks in REPLACE may be meant.
	if slices.Equal(near, search) || len(replace) == 0 || slices.ContainsFunc(replace, endsBlank) {
		return nil
	}
	bend := verbatim
	if variant == "even_uneven" {
		bend = deeper(step)
	}
	result := d.resultOn(near, bend)
	between := g.statement(d, "")
	nearFirst := !g.chance(0.5)
	build := func(near, far []string) map[string]string {
		if !nearFirst {
			near, far = far, near
		}
		return map[string]string{d.src.path: join(slices.Concat(d.above, near, between, far, d.below))}
	}
	c := &Case{Path: d.src.path, Variant: variant, Search: join(search), Replace: join(replace),
		Files: build(near, far)}
	content := splitContent(c)
	if count(content, search, verbatim) > 0 || count(content, search, squeeze) != 2 ||
		count(content, replace, squeeze) > 0 {
		return nil
	}
	if variant != "even_even" && variant != "trailing_trailing" {
		c.Expected = build(result, far)
	}
	return c
}

func endsBlank(l string) bool { return strings.TrimRight(l, " \t") != l }

// bringsBack reports whether a line comes back with other blanks, which may be the file's or the
// block's, or is less deep than the first.
func (d *draft) bringsBack() bool {
	top := indentOf(d.rows[0].text)
	return d.some(func(r row) bool {
		was := func(x row) bool { return x.op != added && squeeze(x.text) == squeeze(r.text) }
		return !blank(r.text) && !strings.HasPrefix(indentOf(r.text), top) ||
			r.op == added && d.some(was)
	})
}

// ranked returns the lines of two places that differ from some lines in blanks, the first less.
func (g *gen) ranked(variant string, lines []string, step string) (near, far []string) {
	mapped := func(f func(i int, l string) string) []string {
		out := slices.Clone(lines)
		for i, l := range out {
			if !blank(l) {
				out[i] = f(i, l)
			}
		}
		return out
	}
	trailing := func() []string {
		return mapped(func(i int, l string) string {
			if i == len(lines)/2 || g.chance(0.4) {
				l += strings.Repeat(" ", g.between(1, 3))
			}
			return l
		})
	}
	even := func(by string) []string { return mapped(func(_ int, l string) string { return by + l }) }
	uneven := func() []string {
		out := even(step)
		out[len(out)-1] = step + out[len(out)-1]
		return out
	}
	switch variant {
	case "trailing_even":
		return trailing(), even(step)
	case "trailing_uneven":
		return trailing(), uneven()
	case "even_uneven":
		return even(step), uneven()
	case "even_even":
		return even(step), even(step + step)
	default:
		return trailing(), trailing()
	}
}

// resultOn returns what the edit makes of a place, where SEARCH's lines are these, with its own
// lines bent.
func (d *draft) resultOn(place []string, bend func(string) string) (out []string) {
	k := 0
	for _, r := range d.rows {
		switch {
		case r.op == kept:
			out = append(out, place[k])
		case r.op.replace:
			out = append(out, bend(r.replace))
		}
		if r.op.search {
			k++
		}
	}
	return out
}

func splitContent(c *Case) []string {
	return strings.Split(strings.TrimSuffix(c.Files[c.Path], "\n"), "\n")
}
