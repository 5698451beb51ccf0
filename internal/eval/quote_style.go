package eval

import (
	"slices"
	"strings"
)

// sharedQuotes blocks of one to three lines change a line, and write strings with other quotes than
// the file on both sides.
func sharedQuotes(g *gen, d *draft) *Case {
	if len(d.src.lines) < 40 ||
		!slices.Contains([]string{"python", "script", "json", "yaml", "html", "css", "go", "c"}, d.src.lang.name) ||
		strings.HasSuffix(d.src.path, ".s") {
		return nil // elsewhere the quotes may mean something
	}
	lines := choose(g, 0, []func(row) bool{every, every, func(r row) bool { return r.op != kept }})
	bent := false
	for i := range d.rows {
		r := &d.rows[i]
		to, ok := requoted(r.text)
		if !ok || strings.TrimRight(r.text, " \t") != r.text {
			return nil // unchanged lines would mix styles, and it is open whether blanks at line ends stay
		}
		if !lines(*r) {
			continue
		}
		bent = bent || r.op == deleted && to != r.text
		r.search, r.replace = to, to
	}
	if !bent {
		return nil
	}
	d.note(map[bool]string{true: "nested", false: "plain"}[d.some(func(r row) bool {
		return r.op == deleted && strings.Contains(r.text, `"`) && strings.Contains(r.text, "'")
	})])
	c := d.finishBent()
	if c == nil {
		return nil
	}
	if d.src.lang.name == "go" || d.src.lang.name == "c" {
		c.Expected = nil // one sort of quotes is for characters
		return c
	}
	// A string that SEARCH does not have may have either quotes.
	other := &draft{src: d.src, above: d.above, below: d.below, rows: slices.Clone(d.rows), bytes: d.bytes}
	for i := range other.rows {
		if r := &other.rows[i]; r.op == added {
			r.text = d.newAsWritten(r.text)
		}
	}
	if _, after, ok := other.bytes.render(other); ok && after != c.Expected[c.Path] {
		c.Accept = append(c.Accept, map[string]string{c.Path: after})
	}
	return c
}

// requoted swaps the two kinds of quotes in a line. ok is false if that changes a string.
func requoted(l string) (string, bool) {
	if strings.ContainsAny(l, "\\`$") || strings.Count(l, `"`)%2 == 1 ||
		strings.Count(l, "'")%2 == 1 || strings.Contains(l, `"""`) || strings.Contains(l, "'''") {
		return l, false
	}
	for i := 1; i+1 < len(l); i++ {
		if l[i] == '\'' && wordRune(rune(l[i-1])) && wordRune(rune(l[i+1])) {
			return l, false // an apostrophe
		}
	}
	return strings.NewReplacer(`"`, "'", "'", `"`).Replace(l), true
}

// newAsWritten returns an added line, with the strings that no deleted line has in the block's
// quotes.
func (d *draft) newAsWritten(l string) string {
	return quoted.ReplaceAllStringFunc(l, func(s string) string {
		if d.some(func(r row) bool { return r.op == deleted && strings.Contains(r.text, s) }) {
			return s
		}
		to, _ := requoted(s)
		return to
	})
}
