package eval

import (
	"regexp"
	"slices"
	"strings"
)

// reflowed blocks have the file's text in another layout, as a formatter would write it.
func reflowed(g *gen, d *draft) *Case {
	code := d.src.lang.name != "prose" && d.src.lang.name != "html" && d.src.lang.name != "yaml"
	slips := []slip{callBroken, callJoined, braceMoved, commentWrapped, trailingComma, semicolons,
		quoteStyle, tightOperators}
	if !code {
		slips = []slip{commentWrapped, trailingComma, quoteStyle}
	}
	return g.finishHinted(choose(g, 0, slips).on(g, d))
}

// call matches a line with one list in brackets: the text before it, the list, and the text after
// it.
var call = regexp.MustCompile(`^(\s*\S.*[(\[{])([^()\[\]{}]+, [^()\[\]{}]+)([)\]}].*)$`)

// broken returns a line with its list broken into one item per line, or nil if it has no list.
func broken(s *source, l string, lastComma bool) []string {
	m := call.FindStringSubmatch(l)
	if m == nil || isComment(s, l) {
		return nil
	}
	in := indentOf(l)
	out := []string{m[1]}
	for item := range strings.SplitSeq(m[2], ", ") {
		out = append(out, in+s.unit+strings.TrimSpace(item)+",")
	}
	if !lastComma {
		last := len(out) - 1
		out[last] = strings.TrimSuffix(out[last], ",")
	}
	return append(out, in+m[3])
}

// insteadOf gives the file other lines than the block, all of them kept.
func (d *draft) insteadOf(i, n int, file, block []string) {
	d.rows = slices.Replace(d.rows, i, i+n, append(rowsOf(unsaid, file), rowsOf(invented, block)...)...)
}

// callBroken and callJoined: a list is on one line on one side, and has a line per item on the
// other.
func callBroken(g *gen, d *draft) bool { return g.relay(d, "call_broken") }

func callJoined(g *gen, d *draft) bool { return g.relay(d, "call_joined") }

func (g *gen) relay(d *draft, which string) bool {
	d.note(which)
	at := d.loose(func(r row) bool { return broken(d.src, r.text, false) != nil })
	if len(at) == 0 {
		return false
	}
	i := pick(g.rng, at)
	l := d.rows[i].text
	file, block := broken(d.src, l, g.chance(0.6)), []string{l}
	if which == "call_joined" {
		file, block = block, file
	}
	d.insteadOf(i, 1, file, block)
	return true
}

// braceMoved: the brace is on a line of its own in the file.
func braceMoved(g *gen, d *draft) bool {
	d.note("brace_moved")
	at := d.loose(func(r row) bool {
		return strings.HasSuffix(r.text, " {") && telling(r.text) && !strings.HasPrefix(strings.TrimSpace(r.text), "}")
	})
	if len(at) == 0 || d.src.lang.name == "go" {
		return false
	}
	i := pick(g.rng, at)
	l := d.rows[i].text
	d.insteadOf(i, 1, []string{strings.TrimSuffix(l, " {"), indentOf(l) + "{"}, []string{l})
	return true
}

// commentWrapped: the words of a comment, or of a paragraph, are broken at another width.
func commentWrapped(g *gen, d *draft) bool {
	d.note("comment_wrapped")
	prose := d.src.lang.name == "prose"
	sign := strings.TrimSpace(d.src.lang.comment)
	lead := func(l string) string { return indentOf(l) + sign }
	text := func(r row) bool {
		if prose {
			return len(strings.Fields(r.text)) > 5 && indentOf(r.text) == "" &&
				!strings.ContainsAny(r.text[:1], "#-*|>0123456789")
		}
		return sign != "" && d.src.lang.commentEnd == "" &&
			strings.HasPrefix(r.text, lead(r.text)+" ") && len(strings.Fields(r.text)) > 3
	}
	at := d.loose(text)
	for _, i := range at {
		n := 1
		for slices.Contains(at, i+n) && lead(d.rows[i+n].text) == lead(d.rows[i].text) {
			n++
		}
		if n < 2 || slices.Contains(at, i-1) {
			continue
		}
		var old, words []string
		for _, r := range d.rows[i : i+n] {
			old = append(old, r.text)
			words = append(words, strings.Fields(strings.TrimPrefix(r.text, lead(r.text)))...)
		}
		start := lead(old[0])
		if !prose {
			start += " "
		}
		width := g.between(50, 110)
		var wrapped []string
		l := start
		for _, w := range words {
			if len(l) > len(start) && len(l)+len(w) >= width {
				wrapped = append(wrapped, strings.TrimRight(l, " "))
				l = start
			}
			l += w + " "
		}
		wrapped = append(wrapped, strings.TrimRight(l, " "))
		if slices.Equal(wrapped, old) {
			return false
		}
		d.insteadOf(i, n, old, wrapped)
		return true
	}
	return false
}

// trailingComma, semicolons and quoteStyle: signs at the ends of kept lines, or around their
// strings, that a formatter adds or takes away.
func trailingComma(g *gen, d *draft) bool {
	d.note("trailing_comma")
	return g.respell(d, func(l string) string { return strings.TrimSuffix(l, ",") })
}

func semicolons(g *gen, d *draft) bool {
	d.note("semicolons")
	return d.src.lang.name != "python" && g.respell(d, func(l string) string { return strings.TrimSuffix(l, ";") })
}

func quoteStyle(g *gen, d *draft) bool {
	d.note("quote_style")
	return g.respell(d, func(l string) string {
		if strings.Contains(l, `"`) && !strings.Contains(l, "'") {
			return strings.ReplaceAll(l, `"`, "'")
		}
		if strings.Contains(l, "'") && !strings.Contains(l, `"`) && strings.Count(l, "'")%2 == 0 {
			return strings.ReplaceAll(l, "'", `"`)
		}
		return l
	})
}

// respell changes kept lines that are away from the edit.
func (g *gen) respell(d *draft, f func(string) string) bool {
	at := d.loose(func(r row) bool { return telling(r.text) && !isComment(d.src, r.text) && f(r.text) != r.text })
	g.rng.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
	for _, i := range at[:min(len(at), g.between(1, 4))] {
		r := &d.rows[i]
		r.search = f(r.search)
		r.replace = r.search
	}
	return len(at) > 0
}

// tightOperators: lines from the file lack the blanks around operators.
func tightOperators(g *gen, d *draft) bool {
	d.note("tight_operators")
	if d.src.lang.name == "shell" {
		return false
	}
	tight := strings.NewReplacer(" = ", "=", " == ", "==", " + ", "+", ", ", ",", " := ", ":=")
	return d.bend(func(r row) bool {
		return r.op.search && !strings.ContainsAny(r.text, "\"'`") && !isComment(d.src, r.text)
	}, func(l string) string {
		in := indentOf(l)
		return in + tight.Replace(l[len(in):])
	})
}
