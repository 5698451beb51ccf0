package apply

import (
	"bytes"
	"html"
	"maps"
	"slices"
	"strconv"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/typography"
	"github.com/srpatch/srpatch/strategy"
	"golang.org/x/text/unicode/norm"
)

// variant is a block made ready for the search: SEARCH and REPLACE as lines, perhaps with a habit of models undone.
type variant struct {
	// name is the repair, "" for the block as written.
	name    string
	search  *strategy.Pattern
	replace *strategy.Document
	// divider is the line of the reply that this reading takes as the divider; 0 where there is one reading.
	divider int

	diff  []change      // see changes
	lines []indent.Line // see counterparts
}

// changes is what REPLACE changes of SEARCH, compared once. It is not to be modified.
func (v *variant) changes() []change {
	if v.diff == nil {
		v.diff = changes(v.search.Document, v.replace)
	}
	return v.diff
}

// weight is the sum of the weights of SEARCH's lines.
func (v *variant) weight() float64 {
	sum := 0
	for i := range v.search.Len() {
		sum += text.Weight(v.search.Line(i))
	}
	return float64(sum)
}

// written is the block as it is written.
func written(search, replace []byte, hint int) *variant {
	return &variant{search: strategy.NewPattern(search, hint), replace: strategy.NewDocument(replace)}
}

// repair undoes one habit on one line; it returns line itself where there is nothing to undo.
type repair struct {
	name string
	undo func(line []byte) []byte
	// keeps says that lines which only REPLACE has stay as written, for both forms are right.
	keeps bool
	// marks occur only in text with the habit, unless the document uses them itself: without any of them, and without an end
	// tag, no line needs to prove the repair.
	marks []string
}

// repairs are tried in this order; each undoes one way in which models bend text.
func repairs() []repair {
	return []repair{
		{name: "line-numbers", undo: func(l []byte) []byte {
			if strictGutter(l) {
				_, l, _ = gutter(l)
			}
			return l
		}},
		{name: "html-entities", undo: unescapeEntities, marks: []string{"&amp;", "&lt;", "&gt;", "&quot;", "&#", "</"}},
		{name: "escaped-quotes", undo: func(l []byte) []byte { return text.Unescape(l, "\"'`$") }},
		{name: "doubled-backslashes", undo: func(l []byte) []byte { return text.Unescape(l, "\\") }},
		{name: "escapes", undo: func(l []byte) []byte { return text.Unescape(l, "\\\"'`$") }},
		{name: "typed-tabs", undo: typedTabs},
		{name: "composed-accents", undo: norm.NFC.Bytes, keeps: true},
		{name: "decomposed-accents", undo: norm.NFD.Bytes, keeps: true},
	}
}

// typedTabs makes tabs of the `\t` that a line is indented with.
func typedTabs(line []byte) []byte {
	n := 0
	for n+1 < len(line) && (line[n] == ' ' || line[n] == '\t' || line[n] == '\\' && line[n+1] == 't') {
		if line[n] == '\\' {
			n++
		}
		n++
	}
	return append(bytes.ReplaceAll(line[:n], []byte(`\t`), []byte{'\t'}), line[n:]...)
}

// unescaped is the variant with every escape undone on both sides, line feeds included, so that SEARCH may have more lines than
// it seems to. ok is false unless the document has them.
func unescaped(doc *strategy.Document, v *variant, anyNumber bool) (out *variant, ok bool) {
	if bytes.IndexByte(v.search.Text(), '\\') < 0 {
		return nil, false
	}
	out = &variant{
		name: "escapes", divider: v.divider,
		search:  strategy.NewPattern(strategy.Unescape(v.search.Text(), anyNumber), v.search.Hint),
		replace: strategy.NewDocument(strategy.Unescape(v.replace.Text(), anyNumber)),
	}
	for range strategy.KeyWindows(doc, out.search) {
		return out, true
	}
	return nil, false
}

func unescapeEntities(line []byte) []byte {
	if bytes.IndexByte(line, '&') < 0 {
		return line
	}
	return []byte(html.UnescapeString(string(line)))
}

// repaired is the variant in which r is applied to the SEARCH lines that the document has only in repaired form, and likewise to
// REPLACE. ok is false if no line proves the repair, or if a line contradicts it: r would change it, although the document has it
// as written.
func repaired(doc *strategy.Document, v *variant, r repair) (out *variant, ok bool) {
	proved := r.marks != nil && !slices.ContainsFunc(r.marks, func(mark string) bool { return bytes.Contains(doc.Text(), []byte(mark)) })
	changed := false
	undone := map[string]bool{} // from each SEARCH line to its repaired form
	search := make([][]byte, v.search.Len())
	for i := range search {
		line := v.search.Line(i)
		search[i] = line
		fixed := r.undo(line)
		if bytes.Equal(fixed, line) {
			continue
		}
		written, mended := doc.HasLine(line), doc.HasLine(fixed)
		switch {
		case written && !mended:
			undone[string(line)] = false
			continue
		case mended && !written:
			proved = true
		}
		undone[string(line)] = true
		search[i] = fixed
		changed = true
	}
	if !proved || !changed {
		return nil, false
	}
	replace := make([][]byte, v.replace.Len())
	for i := range replace {
		line := v.replace.Line(i)
		if fix, seen := undone[string(line)]; seen && !fix || !seen && r.keeps {
			replace[i] = line
			continue
		}
		replace[i] = r.undo(line)
	}
	return &variant{
		name:    r.name,
		divider: v.divider,
		search:  strategy.NewPattern(join(search), v.search.Hint),
		replace: strategy.NewDocument(join(replace)),
	}, true
}

func join(lines [][]byte) []byte {
	if len(lines) == 0 {
		return nil
	}
	return append(bytes.Join(lines, []byte{'\n'}), '\n')
}

// withoutGutter is the variant with copied line numbers ("12 | x", "12: x", "12\tx") removed, on each side where every
// line carries one and they count up; the first becomes the hint.
func withoutGutter(v *variant) (out *variant, ok bool) {
	search, first, ok := stripGutter(v.search.Document)
	if !ok {
		return nil, false
	}
	replace, _, stripped := stripGutter(v.replace)
	if !stripped {
		replace = stripKnown(v.search.Document, v.replace)
	}
	withWord := 0
	pat := strategy.NewPattern(search, 0)
	for i := range pat.Len() {
		if text.HasWord(pat.Line(i)) {
			withWord++
		}
	}
	if withWord == 0 || v.search.Len() == 1 && !strictGutter(v.search.Line(0)) {
		return nil, false // the document has such numbers itself
	}
	hint := v.search.Hint
	if hint == 0 {
		hint = first
	}
	return &variant{
		name: "line-numbers", divider: v.divider,
		search: strategy.NewPattern(search, hint), replace: strategy.NewDocument(replace),
	}, true
}

// stripGutter removes the numbers of all lines; ok is false unless each line has one and they count up by one.
func stripGutter(d *strategy.Document) (text []byte, first int, ok bool) {
	if d.Len() == 0 {
		return nil, 0, false
	}
	var out [][]byte
	for i := range d.Len() {
		n, rest, has := gutter(d.Line(i))
		if !has || i > 0 && n != first+i {
			return nil, 0, false
		}
		if i == 0 {
			first = n
		}
		out = append(out, rest)
	}
	return join(out), first, true
}

// stripKnown removes the numbers of those lines that REPLACE copies from SEARCH, numbers included, or whose numbers are certainly
// line numbers.
func stripKnown(search, replace *strategy.Document) []byte {
	known := map[string]bool{}
	for i := range search.Len() {
		known[string(search.Line(i))] = true
	}
	out := make([][]byte, replace.Len())
	for i := range out {
		out[i] = replace.Line(i)
		if known[string(out[i])] || strictGutter(out[i]) {
			_, out[i], _ = gutter(out[i])
		}
	}
	return join(out)
}

// strictGutter reports whether the number on a single line is certainly a line number: a bar or an arrow separates it from the text.
func strictGutter(line []byte) bool {
	rest := bytes.TrimLeft(line, " \t")
	digits := len(rest) - len(bytes.TrimLeft(rest, "0123456789"))
	rest = bytes.TrimLeft(rest[digits:], " ")
	return digits > 0 && (bytes.HasPrefix(rest, []byte("|")) || bytes.HasPrefix(rest, []byte("→")))
}

// withoutReplaceGutter is the variant for a REPLACE that has line numbers although SEARCH has none: all its lines have one, they
// count up, and some of the lines equal SEARCH's without the numbers.
func withoutReplaceGutter(v *variant) *variant {
	bare, _, ok := stripGutter(v.replace)
	if !ok || !strictGutter(v.replace.Line(0)) {
		return v
	}
	d := strategy.NewDocument(bare)
	for i := range d.Len() {
		if text.HasWord(d.Line(i)) && v.search.HasLine(d.Line(i)) {
			out := *v
			out.replace = d
			return &out
		}
	}
	return v
}

// gutter splits a copied line number off line.
func gutter(line []byte) (n int, rest []byte, ok bool) {
	trimmed := bytes.TrimLeft(line, " \t")
	digits := 0
	for digits < len(trimmed) && trimmed[digits] >= '0' && trimmed[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 7 {
		return 0, line, false
	}
	n, _ = strconv.Atoi(string(trimmed[:digits]))
	rest = trimmed[digits:]
	for _, sep := range []string{" | ", "|", ": ", "\t", "→"} {
		if after, found := bytes.CutPrefix(rest, []byte(sep)); found {
			return n, after, true
		}
	}
	// A numbered blank line may have lost the blank after its bar.
	switch s := string(bytes.TrimRight(rest, " ")); s {
	case " |", ":", "":
		return n, nil, true
	}
	return 0, line, false
}

// repairOf is the repair of added lines, if the aligned lines prove a habit in SEARCH; nil for none.
func repairOf(doc *strategy.Document, pat *strategy.Pattern, a align.Alignment) func([]byte) []byte {
	bent := map[rune]bool{} // plain characters that are replaced by others here
	if typography.Has(pat.Text()) {
		for _, r := range string(pat.Text()) {
			plain, ok := typography.Fold(r)
			if _, asked := bent[plain]; ok && !asked {
				bent[plain] = proved(doc, pat, a, func(line []byte) bool { return hasStandIn(line, plain) })
			}
		}
	}
	trim := proved(doc, pat, a, func(line []byte) bool { return text.Trailing(line) > 0 })
	if !trim && !slices.Contains(slices.Collect(maps.Values(bent)), true) {
		return nil
	}
	return func(line []byte) []byte {
		if typography.Has(line) {
			line = bytes.Map(func(r rune) rune {
				if plain, ok := typography.Fold(r); ok && bent[plain] {
					return plain
				}
				return r
			}, line)
		}
		if trim {
			line = bytes.TrimRight(line, " \t")
		}
		return line
	}
}

// hasStandIn reports whether line has a character that is a variant of plain.
func hasStandIn(line []byte, plain rune) bool {
	return bytes.ContainsFunc(line, func(r rune) bool {
		p, ok := typography.Fold(r)
		return ok && p == plain
	})
}

// proved reports whether a habit shows in a line of SEARCH and not in the file line paired with it, nor in any other file line of
// the alignment.
func proved(doc *strategy.Document, pat *strategy.Pattern, a align.Alignment, shows func(line []byte) bool) bool {
	yes := false
	for _, p := range a {
		if p.Search < 0 || p.File < 0 || !shows(pat.Line(p.Search)) {
			continue
		}
		if shows(doc.Line(p.File)) {
			return false
		}
		yes = true
	}
	return yes
}
