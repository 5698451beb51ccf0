package eval

import (
	"slices"
	"strings"
)

// indentUnknown blocks have one line of SEARCH without its level of indentation, and more lines in
// REPLACE with a level. These may belong next to that line or a level below it. Nothing says which.
func indentUnknown(g *gen) *Case {
	s := g.source()
	d, start := g.anyWindow(s, 1)
	if d == nil {
		return nil
	}
	l := d.rows[0].text
	body := strings.TrimPrefix(l, s.unit)
	if indentOf(l) != s.unit || opensBlock(body) || isComment(s, l) || len(squeeze(l)) < 8 || len(d.below) == 0 ||
		len(indentOf(d.below[0])) > len(s.unit) || count(s.lines, []string{l}, strings.TrimSpace) != 1 ||
		slices.ContainsFunc(s.lines, func(x string) bool { return x != l && strings.Contains(x, body) }) {
		return nil
	}
	var fresh []string
	for range g.between(1, 3) {
		fresh = append(fresh, g.fill(d, pick(g.rng, s.lang.statements)[:1], "")...)
	}
	if slices.ContainsFunc(fresh, opensBlock) {
		return nil
	}
	first := body
	if choose(g, 0, []string{"kept", "changed"}) == "changed" {
		d.note("changed")
		g.rewrite(d, 0)
		if len(d.rows) != 2 || opensBlock(d.rows[1].text) {
			return nil
		}
		first = strings.TrimPrefix(d.rows[1].text, s.unit)
	} else {
		d.note("kept")
	}
	g.insertAfter(d, len(d.rows)-1, fresh)
	if g.judge(d, start, start+1, ask{margin: 0.7}) == nil {
		return nil
	}
	in := func(by string) []string { return mapped(fresh, func(l string) string { return by + l }) }
	var results []map[string]string
	for _, by := range []string{s.unit, s.unit + s.unit} {
		after := slices.Concat(d.above, []string{s.unit + first}, in(by), d.below)
		results = append(results, map[string]string{s.path: join(after)})
	}
	if len(fresh) > 1 {
		d.note("several")
	}
	return &Case{Path: s.path, Variant: d.variant, Files: map[string]string{s.path: join(s.lines)}, Search: body + "\n",
		Replace: first + "\n" + join(in(s.unit)), Offers: results}
}

// opensBlock reports whether a line calls for a deeper one after it.
func opensBlock(l string) bool {
	l = strings.TrimSpace(l)
	return l == "" || strings.ContainsAny(l[len(l)-1:], ":{([,|>&+-=\\") &&
		!strings.HasSuffix(l, "/>") && !isElement(l) ||
		strings.HasSuffix(l, " then") || strings.HasSuffix(l, " do") || strings.HasPrefix(l, "@")
}

// isElement reports whether a line is an HTML element from its opening to its end.
func isElement(l string) bool { return strings.HasPrefix(l, "<") && strings.Contains(l, "</") }
