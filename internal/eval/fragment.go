package eval

import (
	"regexp"
	"slices"
	"strings"
)

// A fragment is a part of a line that SEARCH has as a line of its own. In the traps, it is a part
// of something else, or of two lines.

// What is left of a fragment in its line, and what is right of it, by the variant.
var fragmentCuts = map[string]*regexp.Regexp{
	"bullet":    regexp.MustCompile(`^\s*(?:[-*+]|\d+\.) ()(?:\S.*)()$`),
	"attribute": regexp.MustCompile(`^\s*<.*[\w"] ()[\w-]+="[^"<>]*"()(?:[ >]|/>)`),
	"argument": regexp.MustCompile(`^\s*[^\s"'#/].*(?:\w\(|, )()[^()\[\]{}"'` + "`" +
		`,]+(?:"[^"]*"|\([^()]*\))()(?:, |\)).*$`),
	"value":     regexp.MustCompile(`^\s*[\w."\[\]$-]+(?: :?=|:) ()[^=\s].*?()[,;]?$`),
	"keyword":   regexp.MustCompile(`^\s*(?:return|const|let|var|await|export|public|private|static|echo|type|throw|raise) ()[\w$"][^{]*?()(?:;| \{)?$`),
	"operand":   regexp.MustCompile(`^\s*[^"'#/<]*[\w)] (?:\+|-|\*|&&|\|\||==|<|and|or) ()\w[^"'<>=:,]*()$`),
	"qualified": regexp.MustCompile(`^\s*[^"'#/<]*\w\.()\w+\([^()"']*\)()[;,]?$`),
	"word":      regexp.MustCompile(`^\s*[^"'#/<]*\b[A-Za-z]{3}()[a-z]\w*[^"'\w]\s*\w+.*()$`),
	"begins":    regexp.MustCompile(`^\s*()\w[^"'#/<]*\w()(?: (?:\+|-|\*|&&|==|if|or) |\.\w|\().+$`),
}

func fragment(g *gen) *Case {
	variant := choose(g, 0, []string{"bullet", "attribute", "attribute", "argument", "value",
		"keyword", "twice", "twice", "several", "operand", "qualified", "word", "begins"})
	form := variant
	switch variant {
	case "twice", "several":
		form = pick(g.rng, []string{"bullet", "attribute", "argument", "value", "keyword"})
	}
	s := g.source()
	d, _ := g.anyWindow(s, 1)
	if d == nil {
		return nil
	}
	g.rewrite(d, 0)
	if len(d.rows) != 2 || isComment(s, d.rows[0].text) {
		return nil
	}
	old, now := d.rows[0].text, d.rows[1].text
	m := fragmentCuts[form].FindStringSubmatchIndex(old)
	if m == nil {
		return nil
	}
	from, to := m[2], m[4]
	after := old[to:]
	if !strings.HasPrefix(now, old[:from]) || !strings.HasSuffix(now, after) || len(now) < from+len(after) {
		return nil
	}
	part, with := strings.TrimSpace(old[from:to]), strings.TrimSpace(now[from:len(now)-len(after)])
	if part != old[from:to] || !isPart(part) || with == "" || with == part || !balanced(with) {
		return nil
	}
	content := strings.Join(s.lines, "\n") + "\n"
	if strings.Count(content, part) != 1 || strings.Contains(content, with) ||
		repeatsAround(old[:from]+" "+after, part, with) {
		return nil
	}
	d.note(variant)
	lines := slices.Clone(s.lines)
	at := len(d.above)
	c := &Case{Path: s.path, Search: part + "\n", Replace: with + "\n"}
	if g.chance(0.5) {
		in := strings.Repeat(" ", 2*g.between(1, 6))
		c.Search, c.Replace = in+c.Search, in+c.Replace
	}
	if g.chance(0.3) {
		c.StartLine = max(1, at+g.between(-3, 4))
	}
	result := slices.Clone(lines)
	result[at] = now
	switch variant {
	case "twice":
		// The same part of another line, or of a copy of this one.
		k := g.rng.IntN(len(lines))
		lines = slices.Insert(lines, k, old[:from]+part+after)
	case "several":
		if old[:from]+part != old {
			return nil
		}
		more := indentOf(old) + g.word() + " " + g.word()
		c.Replace += more + "\n"
		result = slices.Insert(result, at+1, more)
		c.Meant = map[string]string{s.path: join(result)}
	case "operand", "qualified", "word", "begins":
		if s.lang.name == "prose" {
			return nil // in a sentence these are ordinary words
		}
	default:
		c.Expected = map[string]string{s.path: join(result)}
	}
	c.Variant = d.variant
	c.Files = map[string]string{s.path: join(lines)}
	return c
}

// isPart reports whether text is distinctive and complete enough to be written alone.
func isPart(text string) bool {
	return len(squeeze(text)) >= 10 && telling(text) && strings.Count(text, `"`)%2 == 0 && balanced(text)
}

func balanced(part string) bool {
	for _, pair := range []string{"()", "[]", "{}"} {
		if strings.Count(part, pair[:1]) != strings.Count(part, pair[1:]) {
			return false
		}
	}
	return true
}

// repeatsAround reports whether the new text has words or signs that the old one lacks and the rest
// of the line has. It may then be about that rest.
func repeatsAround(rest, old, now string) bool {
	for _, t := range tokenOf.FindAllString(now, -1) {
		if !slices.Contains(tokenOf.FindAllString(old, -1), t) && slices.Contains(tokenOf.FindAllString(rest, -1), t) {
			return true
		}
	}
	return false
}

var tokenOf = regexp.MustCompile(`\w+|[^\w\s]`)
