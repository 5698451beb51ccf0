package eval

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// replies are whole answers with several blocks, in dialects that change from block to block.
func replies(g *gen) *Case {
	some := ask{min: 4, max: 14}
	return choose(g, 0, []func(*gen) *Case{
		independent, independent, edited(some, chained), edited(ask{min: 9, max: 26, ops: 2}, shared),
		edited(ask{min: 4, max: 12, swap: true, ops: 1}, conflicting), identicalPlaces,
		edited(some, identicalBlocks), inOrder, hinted, oneStale, oneApplied, edited(some, creating),
	})(g)
}

// said is one block of a reply.
type said struct {
	path            string
	search, replace []string
	hint            int
	// hunk returns the lines with the signs of a diff, or nil if the block can't be written as one.
	hunk []string
	line int // where the block is
}

func sayDraft(d *draft) said {
	s := said{path: d.src.path, search: d.search(), replace: d.replace(), hint: d.hint, line: d.line()}
	for _, r := range d.rows {
		switch {
		case r.op.search && r.op.replace && r.search == r.replace:
			s.hunk = append(s.hunk, " "+r.search)
		case r.op.search && r.op.replace:
			s.hunk = append(s.hunk, "-"+r.search, "+"+r.replace)
		case r.op.search:
			s.hunk = append(s.hunk, "-"+r.search)
		case r.op.replace:
			s.hunk = append(s.hunk, "+"+r.replace)
		}
	}
	return s
}

// compose writes the reply.
func (g *gen) compose(blocks []said) string {
	var b strings.Builder
	b.WriteString(pick(g.rng, []string{"Here are the changes.\n\n", "I'll make these edits:\n\n",
		"", "The bug is in the handling of the " + g.word() + ".\n\n"}))
	for i, x := range blocks {
		if i > 0 {
			b.WriteString(pick(g.rng,
				[]string{"\n", "\nThen the " + g.word() + ":\n\n", "\nNext, adjust the " + g.word() + " as well.\n\n"}))
		}
		g.composeBlock(&b, x)
	}
	b.WriteString(pick(g.rng, []string{"", "\nThat should do it.\n", "\nLet me know if the " +
		g.word() + " still fails.\n"}))
	return b.String()
}

func (g *gen) composeBlock(b *strings.Builder, x said) {
	if x.hunk != nil && x.hint == 0 && g.chance(0.3) {
		g.composeEnvelope(b, x)
		return
	}
	open, divider, shut := "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"
	dialect := g.rng.IntN(4)
	if x.hint > 0 {
		dialect = 3
	}
	switch dialect {
	case 1:
		open, shut = "<<<<<<< ORIGINAL", ">>>>>>> UPDATED"
	case 2:
		open, shut = "------- SEARCH", "+++++++ REPLACE"
	}
	name := fmt.Sprintf(pick(g.rng, []string{"%s", "%s", "**%s**", "`%s`", "### %s", "File: %s"}), x.path)
	if g.chance(0.3) {
		fmt.Fprintf(b, "```\n%s\n%s\n", x.path, open)
	} else {
		fmt.Fprintf(b, "%s\n```\n%s\n", name, open)
	}
	if x.hint > 0 {
		fmt.Fprintf(b, ":start_line:%d\n-------\n", x.hint)
	}
	b.WriteString(join(x.search) + divider + "\n" + join(x.replace) + shut + "\n```\n")
}

// composeEnvelope writes a block as a diff, a Codex patch, the arguments of an edit tool, or in
// Roo's tags.
func (g *gen) composeEnvelope(b *strings.Builder, x said) {
	switch g.rng.IntN(4) {
	case 0:
		// Models cannot count.
		n, m := len(x.search)+g.between(0, 2), len(x.replace)+g.between(0, 2)
		fmt.Fprintf(b, "```diff\n--- a/%s\n+++ b/%s\n@@ -%d,%d +%d,%d @@\n%s```\n", x.path, x.path,
			x.line, n, x.line, m, join(x.hunk))
	case 1:
		fmt.Fprintf(b, "*** Begin Patch\n*** Update File: %s\n@@\n%s*** End Patch\n", x.path, join(x.hunk))
	case 2:
		var text strings.Builder
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		// A map of strings always encodes.
		_ = enc.Encode(map[string]string{"file_path": x.path, "old_string": join(x.search),
			"new_string": join(x.replace)})
		b.WriteString("```json\n" + text.String() + "```\n")
	default:
		fmt.Fprintf(b, "<apply_diff>\n<path>%s</path>\n<diff>\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n</diff>\n</apply_diff>\n",
			x.path, join(x.search), join(x.replace))
	}
}

// separate returns up to n edits of one file that do not touch, in file order.
func (g *gen) separate(s *source, n int) []*draft {
	var out []*draft
	for range n * 4 {
		if len(out) == n {
			break
		}
		d := g.editOf(s, ask{min: 3, max: 14})
		if d == nil {
			continue
		}
		from, to := len(d.above), len(d.above)+len(d.before())
		if !slices.ContainsFunc(out, func(o *draft) bool {
			return from <= len(o.above)+len(o.before()) && len(o.above) <= to
		}) {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b *draft) int { return len(a.above) - len(b.above) })
	return out
}

// merged returns the file after all edits, which must not touch and must be in file order.
func merged(lines []string, edits []*draft) string {
	var out []string
	at := 0
	for _, d := range edits {
		out = append(out, lines[at:len(d.above)]...)
		out = append(out, d.after()...)
		at = len(d.above) + len(d.before())
	}
	return join(append(out, lines[at:]...))
}

// answer returns a case of blocks on files. after is nil if the run must be refused.
func (g *gen) answer(variant string, blocks []said, before, after map[string]string) *Case {
	c := &Case{Variant: variant, Files: before, Expected: after, Reply: g.compose(blocks)}
	if len(before) == 1 && (after == nil || len(after) == 1) && g.chance(0.6) {
		for p := range before {
			c.Path = p
		}
	}
	if maps.Equal(before, after) {
		return nil
	}
	return c
}

// answer returns a case of blocks on the draft's file. after is its text afterwards, or "" if the
// run must be refused.
func (d *draft) answer(g *gen, variant string, blocks []said, after string) *Case {
	var then map[string]string
	if after != "" {
		then = map[string]string{d.src.path: after}
	}
	return g.answer(variant, blocks, map[string]string{d.src.path: join(d.content())}, then)
}

func (g *gen) shuffle(b []said) {
	g.rng.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
}

// independent blocks, some with a slip, in any order, over one to three files.
func independent(g *gen) *Case {
	before, after := map[string]string{}, map[string]string{}
	var blocks []said
	for range g.between(1, 3) {
		s := g.source()
		if before[s.path] != "" {
			return nil
		}
		edits := g.separate(s, g.between(1, 3))
		if len(edits) == 0 {
			return nil
		}
		for _, d := range edits {
			if g.chance(0.3) &&
				!g.anyOf(dedentAll, indentShift, trailingAdded, keptTypo, blankDropped)(g, d) {
				return nil
			}
			g.maybeHint(d, 0.25, 0)
			blocks = append(blocks, sayDraft(d))
		}
		before[s.path], after[s.path] = join(s.lines), merged(s.lines, edits)
	}
	if len(blocks) < 2 {
		return nil
	}
	g.shuffle(blocks)
	return g.answer("independent", blocks, before, after)
}

// chained: the second block edits what the first one wrote.
func chained(g *gen, d *draft) *Case {
	second := &draft{src: d.src, above: d.above, below: d.below, rows: rowsOf(kept, d.after())}
	var fresh []int
	i := 0
	for _, r := range d.rows {
		if r.op == added && telling(r.text) {
			fresh = append(fresh, i)
		}
		if r.op.after {
			i++
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	g.rewrite(second, pick(g.rng, fresh))
	if !second.sideHasOp(added) {
		return nil
	}
	return d.answer(g, "chained", []said{sayDraft(d), sayDraft(second)}, second.result())
}

// shared: two blocks have kept lines in common.
func shared(g *gen, d *draft) *Case {
	at := d.loose(func(row) bool { return true })
	if len(at) == 0 {
		return nil
	}
	i := pick(g.rng, at)
	j := i
	for j < len(d.rows)-1 && j-i < 3 && d.rows[j].op == kept && !d.touchesEdit(j) {
		j++
	}
	one, two := &draft{src: d.src, rows: d.rows[:j]}, &draft{src: d.src, rows: d.rows[i:]}
	for _, x := range []*draft{one, two} {
		if !x.sideHasOp(added) && !x.sideHasOp(deleted) || len(x.search()) < 3 ||
			count(d.src.lines, x.search(), squeeze) != 1 {
			return nil
		}
	}
	blocks := []said{sayDraft(one), sayDraft(two)}
	g.shuffle(blocks)
	return d.answer(g, "shared_kept_lines", blocks, d.result())
}

// conflicting: two blocks change the same line to different text.
func conflicting(g *gen, d *draft) *Case {
	other := said{path: d.src.path, search: d.search()}
	done := false
	for _, r := range d.rows {
		switch {
		case r.op == kept:
			other.replace = append(other.replace, r.text)
		case r.op == deleted && !done:
			other.replace = append(other.replace, g.statement(d, indentOf(r.text))...)
			done = true
		}
	}
	if slices.Equal(other.replace, d.replace()) {
		return nil
	}
	return d.answer(g, "conflicting", []said{sayDraft(d), other}, "")
}

// everywhere returns the file with the draft's edit applied at each of the places.
func everywhere(d *draft, at []int, after func(k int) []string) string {
	content := d.content()
	n := len(d.before())
	var out []string
	from := 0
	for k, p := range at {
		out = append(out, content[from:p]...)
		out = append(out, after(k)...)
		from = p + n
	}
	return join(append(out, content[from:]...))
}

// identicalPlaces: n identical blocks for n equal places.
func identicalPlaces(g *gen) *Case {
	d, at := g.copies()
	if d == nil || count(d.content(), d.search(), squeeze) != len(at) || len(at) > 4 {
		return nil
	}
	block := sayDraft(d)
	block.hunk = nil // a diff would say the same line each time
	return d.answer(g, "identical_places", slices.Repeat([]said{block}, len(at)),
		everywhere(d, at, func(int) []string { return d.after() }))
}

// identicalBlocks: the same block twice for one place is applied once.
func identicalBlocks(g *gen, d *draft) *Case {
	return d.answer(g, "identical_blocks", []said{sayDraft(d), sayDraft(d)}, d.result())
}

// inOrder: equal SEARCH sides for equal places, with different REPLACE sides, in the order of the
// file. A refusal is right, too.
func inOrder(g *gen) *Case {
	c := variations(g, false)
	if c != nil {
		c.Variant = "in_order"
		c.RefuseOK = true
	}
	return c
}

// hinted: the same with line numbers of the file as it was, in any order, and a block that moves
// the lines.
func hinted(g *gen) *Case {
	c := variations(g, true)
	if c != nil {
		c.Variant = "hinted"
	}
	return c
}

func variations(g *gen, hints bool) *Case {
	d, at := g.copies()
	if d == nil || len(at) > 4 || count(d.content(), d.search(), squeeze) != len(at) {
		return nil
	}
	var blocks []said
	var afters [][]string
	for _, p := range at {
		x := &draft{src: d.src, rows: slices.Clone(d.rows)}
		w := g.ident()
		changed := false
		for i, r := range x.rows {
			if r.op == added {
				l := r.text + " " + d.src.lang.comment + w + d.src.lang.commentEnd
				x.rows[i] = rowOf(added, l)
				changed = true
			}
		}
		if !changed {
			return nil
		}
		s := sayDraft(x)
		s.line = p + 1
		if hints {
			s.hint = p + 1
		}
		blocks = append(blocks, s)
		afters = append(afters, x.after())
	}
	after := everywhere(d, at, func(k int) []string { return afters[k] })
	if hints {
		if at[0] > 8 {
			// A block at the very top moves everything below it.
			top := d.content()[:2]
			if !telling(top[0]) || count(d.content(), top, squeeze) != 1 {
				return nil
			}
			extra := g.statement(d, "")
			blocks = append(blocks, said{path: d.src.path, search: top, replace: slices.Concat(top, extra), hint: 1})
			after = join(slices.Concat(top, extra)) + strings.TrimPrefix(after, join(top))
		}
		g.shuffle(blocks)
	}
	return d.answer(g, "", blocks, after)
}

// oneStale: good blocks, and one with lines that the file lacks; all or nothing.
func oneStale(g *gen) *Case {
	s := g.source()
	edits := g.separate(s, g.between(2, 3))
	if len(edits) < 2 {
		return nil
	}
	bad := sayDraft(edits[0])
	other := g.editOf(g.source(), ask{min: 4, max: 12})
	if other == nil || other.src == s {
		return nil
	}
	for _, l := range other.before() {
		if telling(l) && slices.ContainsFunc(s.lines, func(x string) bool { return squeeze(x) == squeeze(l) }) {
			return nil
		}
	}
	bad.search, bad.replace, bad.hunk = other.search(), other.replace(), nil
	blocks := []said{bad}
	for _, d := range edits[1:] {
		blocks = append(blocks, sayDraft(d))
	}
	g.shuffle(blocks)
	return g.answer("one_stale", blocks, map[string]string{s.path: join(s.lines)}, nil)
}

// oneApplied: one of the blocks was applied before. Applying the rest and refusing are both right.
func oneApplied(g *gen) *Case {
	s := g.source()
	edits := g.separate(s, g.between(2, 3))
	if len(edits) < 2 {
		return nil
	}
	var blocks []said
	for _, d := range edits {
		blocks = append(blocks, sayDraft(d))
	}
	done := pick(g.rng, edits)
	g.shuffle(blocks)
	c := g.answer("one_applied", blocks, map[string]string{s.path: merged(s.lines, []*draft{done})},
		map[string]string{s.path: merged(s.lines, edits)})
	if c != nil {
		c.RefuseOK = true
	}
	return c
}

// creating: an edit and a new file.
func creating(g *gen, d *draft) *Case {
	lines := g.function(d)
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	p := d.src.path
	fresh := path.Join(path.Dir(p), g.ident()+path.Ext(p))
	blocks := []said{{path: fresh, replace: lines}, sayDraft(d)}
	g.shuffle(blocks)
	return g.answer("creating", blocks, map[string]string{p: join(d.src.lines)},
		map[string]string{p: d.result(), fresh: join(lines)})
}
