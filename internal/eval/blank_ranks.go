package eval

import (
	"slices"
	"strings"
)

// blankRanks blocks have two places that differ from them in blanks, and from each other in how much. In the traps they differ as
// much.
func blankRanks(g *gen) *Case {
	variant := choose(g, 0, []string{"trailing_even", "trailing_uneven", "even_uneven", "even_even", "trailing_trailing"})
	d := g.edit(ask{min: 2, max: 8, fits: func(s *source) bool { return len(s.lines) > 30 }})
	if d == nil {
		return nil
	}
	// A line that comes back with other blanks may be the file's or the block's.
	top := indentOf(d.rows[0].text)
	for _, r := range d.rows {
		again := r.op == added && slices.ContainsFunc(d.rows, func(x row) bool { return x.op != added && squeeze(x.text) == squeeze(r.text) })
		if again || !blank(r.text) && !strings.HasPrefix(indentOf(r.text), top) {
			return nil
		}
	}
	search, replace := d.search(), d.replace()
	n := len(search)
	tabs := slices.ContainsFunc(slices.Concat(search, replace), func(l string) bool { return strings.Contains(indentOf(l), "\t") })
	step := "    "
	if tabs {
		step = "\t"
	}
	trailing := func(lines []string) []string {
		out := slices.Clone(lines)
		for i, l := range out {
			if !blank(l) && (i == n/2 || g.chance(0.4)) {
				out[i] = l + strings.Repeat(" ", g.between(1, 3))
			}
		}
		return out
	}
	even := func(lines []string, by string) []string {
		out := slices.Clone(lines)
		for i, l := range out {
			if !blank(l) {
				out[i] = by + l
			}
		}
		return out
	}
	uneven := func(lines []string) []string {
		out := even(lines, step)
		out[len(out)-1] = step + out[len(out)-1]
		return out
	}
	if n < 2 || slices.ContainsFunc(search, func(l string) bool { return strings.TrimRight(l, " \t") != l }) || blank(search[n/2]) || blank(search[n-1]) {
		return nil
	}
	near, far := search, search
	switch variant {
	case "trailing_even":
		near, far = trailing(search), even(search, step)
	case "trailing_uneven":
		near, far = trailing(search), uneven(search)
	case "even_uneven":
		near, far = even(search, step), uneven(search)
	case "even_even":
		near, far = even(search, step), even(search, step+step)
	case "trailing_trailing":
		near, far = trailing(search), trailing(search)
	}
	refuse := variant == "even_even" || variant == "trailing_trailing"
	result := func() []string {
		var out []string
		k := 0
		for _, r := range d.rows {
			switch {
			case r.op == kept:
				out = append(out, near[k])
			case r.op.replace:
				line := r.replace
				if variant == "even_uneven" && !blank(line) {
					line = step + line
				}
				out = append(out, line)
			}
			if r.op.search {
				k++
			}
		}
		return out
	}()
	// Trailing blanks of a line that comes back changed are the edit's business.
	if slices.Equal(near, search) || len(replace) == 0 || slices.ContainsFunc(replace, func(l string) bool { return l != "" && strings.TrimRight(l, " \t") != l }) {
		return nil
	}
	between := g.fill(d, pick(g.rng, d.src.lang.statements), "")
	first, second := near, far
	if g.chance(0.5) {
		first, second = far, near
	}
	build := func(x, y []string) map[string]string {
		return map[string]string{d.src.path: join(slices.Concat(d.above, x, between, y, d.below))}
	}
	c := &Case{Path: d.src.path, Variant: variant, Search: join(search), Replace: join(replace), Files: build(first, second)}
	if count(splitContent(c), search, verbatim) > 0 || count(splitContent(c), search, squeeze) != 2 || count(splitContent(c), replace, squeeze) > 0 {
		return nil
	}
	if refuse {
		return c
	}
	if first[0] == near[0] && slices.Equal(first, near) {
		c.Expected = build(result, far)
	} else {
		c.Expected = build(far, result)
	}
	return c
}

func splitContent(c *Case) []string {
	return strings.Split(strings.TrimSuffix(c.Files[c.Path], "\n"), "\n")
}
