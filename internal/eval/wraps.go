package eval

import (
	"slices"
	"strings"
)

// wraps are edits that change depth themselves, or add lines of several depths. Their blocks have
// the file's depth, or are dedented or shifted as a whole.
func wraps(g *gen) *Case {
	how := choose(g, 1, []string{"exact", "dedent_all", "dedent_all", "dedent_all", "short", "deep"})
	// A shift by one level looks like the edit itself. Only lines that stay tell them apart.
	stays := how == "short" || how == "deep"
	var d *draft
	switch what := choose(g, 0,
		[]string{"wrap", "wrap", "wrap_part", "unwrap", "unwrap_part", "aligned", "one_to_many",
			"after_first", "after_last"}); what {
	case "wrap", "unwrap":
		if !stays {
			d = g.wrapEdit(what == "unwrap", false)
		}
	case "wrap_part", "unwrap_part":
		d = g.wrapEdit(what == "unwrap_part", true)
	case "aligned":
		d = g.alignedEdit()
	default:
		d = g.addedAt(what)
	}
	if d == nil {
		return nil
	}
	common := d.commonIndent()
	if len(d.search()) == 1 && how != "exact" && common == d.src.unit {
		// Next to the line or below it: see indent_unknown.
		return nil
	}
	bend := func(l string) string { return strings.TrimPrefix(l, common) }
	switch unit := d.src.unit; how {
	case "exact":
		return d.finishAsWritten()
	case "short":
		if common == unit || !strings.HasPrefix(common, unit) {
			return nil
		}
		bend = func(l string) string { return strings.TrimPrefix(l, unit) }
	case "deep":
		bend = deeper(unit)
	}
	d.note(how)
	if !d.bend(every, bend) || d.outermost(op.inSearch) != common {
		return nil
	}
	return g.finishHinted(d)
}

// wrapEdit puts lines into a new block, or takes them out of one in the file. With part, the edit
// has kept lines around it, at the depth of the block's opening.
func (g *gen) wrapEdit(unwrap, part bool) *draft {
	s := g.source()
	if s.lang.name == "prose" {
		return nil
	}
	n := g.between(1, 9)
	before, after := 0, 0
	if part {
		before, after = g.between(1, 3), g.between(0, 3)
	}
	d, start := g.anyWindow(s, before+n+after)
	if d == nil {
		return nil
	}
	flat := d.before()[before : before+n]
	in := indentOf(flat[0])
	if blank(flat[0]) || blank(flat[n-1]) || indentOf(flat[n-1]) != in {
		return nil
	}
	below := slices.Concat(d.before()[before+n:], d.below)
	if len(below) > 0 && len(indentOf(below[0])) > len(in) {
		return nil // the opening of a block without its lines
	}
	wrapped := g.enclosed(d, flat, in)
	if slices.ContainsFunc(flat, outside(in)) {
		return nil
	}
	from, to, what := flat, wrapped, "wrap"
	if unwrap {
		from, to, what = wrapped, flat, "unwrap"
	}
	d.note(what)
	if part {
		d.note("part")
		stays := slices.ContainsFunc(d.rows[:before],
			func(r row) bool { return telling(r.text) && indentOf(r.text) == in })
		if !stays {
			return nil
		}
	}
	d.rows = slices.Replace(d.rows, before, before+n, append(rowsOf(deleted, from), rowsOf(added, to)...)...)
	// This edit is meant to differ mostly in white space.
	return g.judge(d, start, start+before+n+after, ask{blanks: true, margin: 0.7})
}

// alignedEdit adds or changes an argument aligned with the bracket of its call.
func (g *gen) alignedEdit() *draft {
	s := g.source()
	switch s.lang.name {
	case "python", "script", "c", "go":
	default:
		return nil
	}
	n := g.between(3, 10)
	d, start := g.anyWindow(s, n)
	if d == nil {
		return nil
	}
	i := g.between(0, n-2)
	in := d.indentAfter(i)
	if strings.HasPrefix(in, indentOf(d.rows[i].text)+" ") || blank(d.rows[i].text) {
		return nil
	}
	head := in + g.ident() + " = " + g.ident() + "("
	margin := in + strings.Repeat(" ", len(head)-len(in))
	tail := ")"
	if s.lang.name == "script" || s.lang.name == "c" {
		tail = ");"
	}
	call := []row{rowOf(kept, head+g.ident()+","), rowOf(kept, margin+g.ident()+","),
		rowOf(kept, margin+g.ident()+tail)}
	d.note("aligned")
	if g.chance(0.5) {
		call = slices.Insert(call, g.between(1, 2), rowOf(added, margin+g.ident()+"=0,"))
	} else {
		call[1].op = deleted
		call = slices.Insert(call, 2, rowOf(added, margin+g.ident()+"(1),"))
	}
	d.rows = slices.Insert(d.rows, i+1, call...)
	// The source does not have the call, so its lines repeat none.
	return g.judge(d, start, start+n, ask{blanks: true})
}

// addedAt adds lines after the block's first or last line, or replaces one line with several.
func (g *gen) addedAt(what string) *draft {
	s := g.source()
	n := g.between(2, 12)
	d, start := g.anyWindow(s, n)
	if d == nil {
		return nil
	}
	lines := slices.Concat(pick(g.rng, s.lang.statements), pick(g.rng, s.lang.statements))
	switch what {
	case "after_first":
		g.insertAfter(d, 0, g.fill(d, lines, d.indentAfter(0)))
	case "after_last":
		in := indentOf(d.rows[n-1].text)
		if len(d.below) > 0 && len(indentOf(d.below[0])) > len(in) {
			return nil // what comes next shows the depth, and the block does not
		}
		g.insertAfter(d, n-1, g.fill(d, lines, in))
	default:
		i := g.rng.IntN(n)
		if !telling(d.rows[i].text) {
			return nil
		}
		d.splice(i, 1, g.fill(d, lines, indentOf(d.rows[i].text)))
	}
	d.note(what)
	return g.judge(d, start, start+n, ask{})
}
