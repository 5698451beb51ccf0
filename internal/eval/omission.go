package eval

import (
	"path"
	"slices"
	"strings"
)

// omission blocks must be refused: REPLACE leaves out lines of SEARCH, with a remark that says so.
// A reader knows what is meant, but applying it would lose the lines.
func omission(g *gen) *Case {
	form := choose(g, 0, remarkForms())
	if g.variant(1, 8) == 0 {
		return g.omissionInNewFile(form)
	}
	d := g.edit(ask{min: 6, max: 30, fits: form.fits})
	if d == nil {
		return nil
	}
	if form.translate != "" && !d.translate(form) {
		return nil
	}
	d.note(form.name)
	n := 1
	if g.variant(2, 5) == 0 {
		d.note("twice")
		n = 2
	}
	for range n {
		if !g.omit(d, form) {
			return nil
		}
	}
	// The lines around the remark say where it is, and the omitted ones are not all there is.
	if !d.leavesOut() || len(d.where(func(r row) bool {
		return r.op.search && r.op != omitted &&
			telling(r.text)
	})) < 2 {
		return nil
	}
	d.refuse, d.meant = true, true
	if g.chance(0.2) {
		if !dedentAll(g, d) {
			return nil
		}
		return d.finishBent()
	}
	d.note("exact")
	return d.finish()
}

// Rows of an omission: a line that stays but is not in REPLACE, and the remark in its place.
var (
	omitted = op{before: true, after: true, search: true}
	remark  = op{replace: true}
)

// omit replaces two to twelve consecutive kept lines with a remark.
func (g *gen) omit(d *draft, form remarkForm) bool {
	type span struct{ from, n int }
	var spans []span
	for i, r := range d.rows {
		if r.op != kept || blank(r.text) || i > 0 && d.rows[i-1].op == remark {
			continue
		}
		in, tellingLines := indentOf(r.text), 0
		for n := 1; n <= 12 && i+n <= len(d.rows); n++ {
			last := d.rows[i+n-1]
			if last.op != kept || !blank(last.text) && !strings.HasPrefix(last.text, in) {
				break
			}
			if telling(last.text) && !isComment(d.src, last.text) {
				tellingLines++
			}
			next := d.nextLine(i + n)
			if tellingLines > 1 && !blank(last.text) && len(indentOf(next)) <= len(in) &&
				(i+n == len(d.rows) || d.rows[i+n].op != remark) {
				spans = append(spans, span{i, n})
			}
		}
	}
	if len(spans) == 0 {
		return false
	}
	x := pick(g.rng, spans)
	i, n := x.from, x.n
	in := indentOf(d.rows[i].text)
	var rows []row
	for _, l := range form.lines(g, d.src.lang, g.remark(g.chance(0.4))) {
		r := rowOf(remark, in+l)
		rows = append(rows, r)
	}
	for k := i; k < i+n; k++ {
		d.rows[k].op = omitted
	}
	d.rows = slices.Insert(d.rows, i+n, rows...)
	return true
}

// leavesOut reports whether a remark replaces at least two telling lines that REPLACE has nowhere
// else. An edit may also move lines.
func (d *draft) leavesOut() bool {
	elsewhere := map[string]bool{}
	for _, r := range d.rows {
		if r.op.replace {
			elsewhere[strings.TrimSpace(r.replace)] = true
		}
	}
	lost := 0
	for _, r := range d.rows {
		switch {
		case r.op == remark:
			lost = 0
		case r.op == omitted && telling(r.text) && !isComment(d.src, r.text) && !elsewhere[strings.TrimSpace(r.text)]:
			if lost++; lost > 1 {
				return true
			}
		}
	}
	return false
}

// nextLine returns the line of the file at row i or after.
func (d *draft) nextLine(i int) string {
	for _, r := range d.rows[i:] {
		if r.op.before {
			return r.text
		}
	}
	if len(d.below) > 0 {
		return d.below[0]
	}
	return ""
}

// omissionInNewFile creates a file with a remark about code that cannot be there.
func (g *gen) omissionInNewFile(form remarkForm) *Case {
	s := g.source()
	if !form.fits(s) || form.translate != "" || s.lang.name == "prose" {
		return nil
	}
	d := &draft{src: s}
	lines := g.function(d)
	more := g.function(d)
	in := ""
	if form.name == "trailing" || g.chance(0.4) {
		// Instead of a function's body.
		lines = lines[:slices.IndexFunc(lines, func(l string) bool { return !blank(l) && !isComment(s, l) })+1]
		in = s.unit
	}
	for _, l := range form.lines(g, s.lang, g.remark(true)) {
		lines = append(lines, in+l)
	}
	if in == "" {
		lines = append(lines, more...)
	} else if s.lang.shut != "" {
		lines = append(lines, s.lang.shut)
	}
	for len(lines) > 0 && blank(lines[0]) {
		lines = lines[1:]
	}
	fresh := path.Join(path.Dir(s.path), g.ident()+path.Ext(s.path))
	return &Case{Variant: "new_file+" + form.name, Files: map[string]string{s.path: join(s.lines)},
		Reply: g.compose([]said{{path: fresh, replace: lines}})}
}

// remarkForm is a way to write a remark in a language.
type remarkForm struct {
	name string
	fits func(*source) bool
	// translate, if set, is how a line comment begins in the language that the file is turned into.
	translate, ext string
	lines          func(g *gen, lang *language, words string) []string
}

func among(names ...string) func(*source) bool {
	return func(s *source) bool { return slices.Contains(names, s.lang.name) }
}

func remarkForms() []remarkForm {
	around := func(before, after string) func(*gen, *language, string) []string {
		return func(_ *gen, _ *language, words string) []string { return []string{before + words + after} }
	}
	hash, slashes := []string{"python", "yaml", "shell"}, []string{"go", "script", "c", "json"}
	braces := []string{"go", "script", "c", "css"}
	return []remarkForm{
		{name: "hash", fits: among(hash...), lines: around("# ", "")},
		{name: "slashes", fits: among(slashes...), lines: around("// ", "")},
		{name: "block", fits: among(braces...), lines: around("/* ", " */")},
		{name: "markup", fits: among("html", "prose"), lines: around("<!-- ", " -->")},
		{name: "jsx", fits: among("script"), translate: "// ", ext: ".tsx", lines: around("{/* ", " */}")},
		{name: "dashes", fits: among("python", "shell"), translate: "-- ", ext: ".lua", lines: around("-- ", "")},
		{name: "semicolon", fits: among("python", "shell"), translate: ";; ", ext: ".el",
			lines: func(g *gen, _ *language, words string) []string {
				return []string{pick(g.rng, []string{"; ", ";; "}) + words}
			}},
		{name: "percent", fits: among("python", "shell"), translate: "% ", ext: ".m", lines: around("% ", "")},
		{name: "docstring", fits: among("python"), lines: around(`"""`, `"""`)},
		// In prose, bare words may be meant.
		{name: "bare", fits: func(s *source) bool { return s.lang.name != "prose" }, lines: around("", "")},
		{name: "trailing", fits: among("python", "go", "script", "c", "shell"),
			lines: func(g *gen, lang *language, words string) []string {
				code := map[string][]string{"python": {"pass  ", "return None  "}, "go": {"return "},
					"script": {"return; "}, "c": {"return; "}, "shell": {"true  "}}
				return []string{pick(g.rng, code[lang.name]) + lang.comment + words}
			}},
		{name: "star", fits: among(braces...), lines: func(_ *gen, _ *language, words string) []string {
			return []string{"/*", " * " + words, " */"}
		}},
	}
}

// translate turns the file into one of a language with other line comments.
func (d *draft) translate(form remarkForm) bool {
	s, lang := *d.src, *d.src.lang
	from := strings.TrimSpace(lang.comment)
	to := func(l string) string {
		in := indentOf(l)
		if words, ok := strings.CutPrefix(l[len(in):], from); ok {
			return in + strings.TrimSpace(form.translate) + words
		}
		return l
	}
	s.path = strings.TrimSuffix(s.path, path.Ext(s.path)) + form.ext
	lang.comment = form.translate
	s.lang = &lang
	d.src = &s
	d.above, d.below = mapped(d.above, to), mapped(d.below, to)
	for i, r := range d.rows {
		d.rows[i] = rowOf(r.op, to(r.text))
	}
	return true
}

// remark returns the words of an omission. With claim, they say that something is there already.
func (g *gen) remark(claim bool) string {
	words := pick(g.rng, claims())
	if !claim {
		words = pick(g.rng, omissions())
	}
	if strings.ContainsAny(words, ".[(<{") {
		return words
	}
	if g.chance(0.3) {
		r := []rune(words)
		words = strings.ToUpper(string(r[:1])) + string(r[1:])
	}
	switch g.rng.IntN(12) {
	case 0:
		return "... " + words + " ..."
	case 1:
		return words + "..."
	case 2:
		return "(" + words + ")"
	case 3:
		return "[" + words + "]"
	case 4:
		return words + "."
	case 5:
		return "… " + words + " …"
	}
	return words
}

// claims speak of code that is there already; in a new file there is none.
func claims() []string {
	return []string{
		"rest of the code remains the same", "the rest stays as it was",
		"remaining methods unchanged", "... existing code ...", "existing code",
		"[existing implementation]", "(unchanged)", "unchanged from here on", "same as before",
		"everything else as before", "keep existing logic here",
		"keep the rest of the function as is", "leave the rest untouched",
		"please leave the remaining lines as they are", "no changes below this point",
		"other methods stay the same", "other fields remain as they were",
		"previous implementation here", "your original code goes here",
		"original body continues here", "REST OF FILE UNCHANGED", "EXISTING LOGIC",
		"continues as before", "body unchanged", "<unchanged lines>", "{ ... unchanged ... }",
		"implementation stays identical", "already there, unchanged",
		"TODO: keep the existing handlers",
	}
}

// omissions say that something was left out, or should be kept, and not that it is there.
func omissions() []string {
	return []string{
		"omitted for brevity", "code omitted", "snipped", "[snip]", "8< snip",
		"keep everything below", "do not change the code below", "no change here",
		"nothing else changes", "(other cases identical)", "insert the current implementation here",
		"copy the remaining code from the old version", "TODO: rest of the function",
		"TODO(you): paste the unchanged part", "... rest ...", "... (same)",
		"...remaining items...", "... and so on ...", "the code that was here stays",
		"truncated for readability", "lines left out, they do not change",
		"abbreviated; see the original", "further code not shown", "rest not shown", "as before",
		"[...]", "(...)", "..., as is", "same here", "retain the current behaviour", "unmodified",
		"not modified", "preserve the lines here",
	}
}
