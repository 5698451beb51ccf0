package eval

import (
	"slices"
	"strings"
)

// promptMarks blocks have the fence lines that a prompt shows around a file. Files that have such
// lines themselves keep them.
func promptMarks(g *gen, d *draft) *Case {
	variant := choose(g, 0, []string{"closer_search", "closer_both", "opener_both", "fence_search",
		"fence_both", "own_fence"})
	d.note(variant)
	if variant == "own_fence" {
		return g.ownMarks(d)
	}
	opener, closer := "```"+pick(g.rng, []string{"", d.src.lang.name}), "```"
	first, last := row{op: misread, search: opener, replace: opener}, row{op: misread, search: closer, replace: closer}
	if strings.HasSuffix(variant, "both") {
		first.op, last.op = invented, invented
	}
	switch variant {
	case "closer_search", "closer_both":
		d.rows = append(d.rows, last)
	case "opener_both":
		d.rows = append([]row{first}, d.rows...)
	case "fence_search", "fence_both":
		d.rows = append(append([]row{first}, d.rows...), last)
	}
	if len(d.search()) < 2 && strings.HasPrefix(variant, "fence") {
		return nil
	}
	g.maybeHint(d, 0.2, 0)
	return d.finish()
}

// has reports whether a line of s contains part.
func has(s *source, part string) bool {
	return slices.ContainsFunc(s.lines, func(l string) bool { return strings.Contains(l, part) })
}

// unfenced accepts sources without fences.
func unfenced(s *source) bool { return !has(s, "```") && !has(s, "~~~") }

// ownMarks puts such lines into the file at the block's end, and bends the block's blanks.
func (g *gen) ownMarks(d *draft) *Case {
	mark := []string{"```" + g.word(), g.word() + " " + g.word(), "```"}
	d.rows = append(d.rows, rowsOf(kept, mark)...)
	if !trailingAdded(g, d) {
		return nil
	}
	return d.finishBent()
}
