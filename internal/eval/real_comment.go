package eval

import (
	"path"
	"slices"
)

// realComment edits add code and a comment that resembles an omission remark. Both belong to the
// edit.
func realComment(g *gen) *Case {
	form := choose(g, 0, []string{"with_code", "with_code", "heading", "kept", "changed", "trailing", "stub", "sample"})
	s := g.source()
	lang := s.lang
	switch {
	case form == "sample":
		return g.sample(s)
	case lang.comment == "" || lang.name == "prose":
		return nil
	case form == "stub":
		return g.stub(s)
	}
	n := g.between(4, 20)
	d, start := g.anyWindow(s, n)
	if d == nil {
		return nil
	}
	said := func(words string) string { return lang.comment + words + lang.commentEnd }
	at := d.where(func(r row) bool { return telling(r.text) && !isComment(s, r.text) })
	if form == "changed" {
		at = d.lonelyComments()
	}
	if len(at) == 0 {
		return nil
	}
	i := pick(g.rng, at)
	in := indentOf(d.rows[i].text)
	d.note(form)
	switch form {
	case "with_code", "heading":
		k := d.run(i, g.between(1, 6))
		for k > 1 && blank(d.rows[i+k-1].text) {
			k--
		}
		words, code := g.commented(d, i, k, form == "heading")
		if code == nil {
			return nil
		}
		d.splice(i, k, append([]string{in + said(words)}, code...))
	case "kept":
		g.insertAfter(d, i-1, []string{in + said(pick(g.rng, slices.Concat(sentences(), headings())))})
	case "changed":
		d.splice(i, 1, []string{in + said(pick(g.rng, sentences()))})
	case "trailing":
		code := g.rewritten(d, i, 1)
		if code == nil || lang.commentEnd != "" {
			return nil
		}
		d.splice(i, 1, []string{code[0] + "  " + said(pick(g.rng, sentences()))})
	}
	switch {
	case g.judge(d, start, start+n, ask{}) == nil:
		return nil
	case !g.chance(0.2):
		return d.finishAsWritten()
	case !dedentAll(g, d):
		return nil
	}
	return d.finishBent()
}

// lonelyComments are comments of one line with code below them.
func (d *draft) lonelyComments() []int {
	at := d.where(func(r row) bool { return telling(r.text) && isLineComment(d.src, r.text) })
	comment := func(i int) bool { return isComment(d.src, d.rows[i].text) }
	return slices.DeleteFunc(at, func(i int) bool {
		return i+1 == len(d.rows) || blank(d.rows[i+1].text) || comment(i+1) || i > 0 && comment(i-1)
	})
}

// commented returns a comment and its code to replace rows [i, i+n), or nil if there can be none.
func (g *gen) commented(d *draft, i, n int, heading bool) (words string, code []string) {
	words = pick(g.rng, sentences())
	if heading {
		words = pick(g.rng, headings())
	}
	if heading || g.chance(0.5) {
		return words, g.rewritten(d, i, n)
	}
	return words, g.statement(d, indentOf(d.rows[i].text))
}

// isLineComment reports whether a line is one comment of the form that the generator writes.
func isLineComment(s *source, l string) bool {
	body := l[len(indentOf(l)):]
	c := s.lang.comment
	return len(body) > len(c) && body[:len(c)] == c
}

// rewritten returns rows [i, i+n) with the first and perhaps others changed, or nil if none can be.
func (g *gen) rewritten(d *draft, i, n int) []string {
	var out []string
	for k, r := range d.rows[i : i+n] {
		to := r.text
		if k == 0 || g.chance(0.4) {
			to = g.reworded(d.src, to)
		}
		if k == 0 && to == r.text {
			return nil
		}
		out = append(out, to)
	}
	return out
}

// stub creates a file with functions whose bodies are still missing, and says so.
func (g *gen) stub(s *source) *Case {
	d := &draft{src: s}
	words := pick(g.rng, []string{"TODO: implementation", "TODO: implement", "to be implemented",
		"not implemented yet", "TODO: write the parser",
		"placeholder until the schema is settled", "TODO: handle the remaining formats", "FIXME: returns zero for now"})
	switch s.lang.name {
	case "go", "script", "c", "python", "shell":
	default:
		return nil
	}
	lines := g.function(d)
	at := slices.IndexFunc(lines, func(l string) bool { return indentOf(l) != "" })
	lines = slices.Insert(lines, at, s.unit+s.lang.comment+words)
	lines = append(lines, g.function(d)...)
	return g.newFile("stub", s, lines, true)
}

// sample adds a fenced sample to a Markdown file, and in the sample a remark.
func (g *gen) sample(s *source) *Case {
	if path.Ext(s.path) != ".md" {
		return nil
	}
	n := g.between(2, 8)
	d, start := g.anyWindow(s, n)
	if d == nil {
		return nil
	}
	d.note("sample")
	g.insertAfter(d, n-1, []string{"", "```python", "def " + g.ident() + "(" + g.word() + "):",
		"    # " + g.remark(true), "    return " + g.word(), "```"})
	if g.judge(d, start, start+n, ask{}) == nil {
		return nil
	}
	return d.finishAsWritten()
}

// sentences are comments that say something about the code below them, in the words of omissions.
func sentences() []string {
	return []string{
		"handle the rest of the arguments", "existing users keep their token",
		"same as before but for IPv6", "remaining bytes are padding",
		"keep the connection open for the next request", "the rest of the line is a comment",
		"existing rows are updated in place", "unchanged files are skipped",
		"leave the trailing newline to the writer", "other clients may hold the lock",
		"previous values win over defaults", "keep in sync with the schema",
		"do not change the order: the index depends on it", "the original exception is chained",
		"returns the remaining budget in cents", "everything else is an error",
		"code points above 0xFFFF need a pair", "implementation limits are checked first",
		"no changes: nothing to write", "skip the existing header", "same shape as the input",
		"as before the epoch, negative values are allowed", "omit empty fields",
		"empty cells are omitted from the sum", "truncate to the width of the column",
		"the rest goes to the overflow bucket", "keep at most ten backups",
		"see the original paper, section 4", "continue with the next record",
		"copy the old value for the audit log", "remaining retries, counted down",
		"all other methods need a session", "current code page, not UTF-8",
		"fall back to the existing index", "restore the previous cursor",
		"identical keys are merged", "the same lock guards both maps", "rest parameters come last",
		"REST endpoint for the archive", "insert before the first existing sibling",
		"paste is disabled while loading", "unchanged since the last poll means stale",
		"TODO: support more than one region", "TODO: drop this once all clients send a version",
		"FIXME: the rest of the protocol needs a timeout", "snippets longer than a page are split",
		"repeat for each following page", "brevity codes are three letters",
		"here the remaining weight is spread evenly",
		"keep the rest of the batch if one item fails", "leave room for the checksum",
		"the existing implementation of sort is stable, rely on it",
		"shown only to admins, not to other users", "note: old and new ids stay valid for a day",
		"as is the case with dates, zero means unset", "untouched rows keep their version",
		"bestehende Kunden behalten ihren Rabatt", "le reste de la division est le jour",
		"los demás usuarios no ven el borrador", "o restante do saldo vai para a reserva",
		"остальные пользователи видят черновик", "剩余的字节用于校验", "残りの回数を数える",
	}
}

// headings name the lines below them in a word or two.
func headings() []string {
	return []string{"Others", "keep", "Remaining", "Existing users", "Previous values", "REST API",
		"Same origin", "The rest", "Other options", "Omitted fields"}
}
