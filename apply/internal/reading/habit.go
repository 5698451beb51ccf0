package reading

import (
	"bytes"
	"html"
	"slices"
	"unicode"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
	"golang.org/x/text/unicode/norm"
)

// Undone returns readings in which habits that the document proves are undone, one habit in each
// reading. If SEARCH occurs without lines that are wrapped around it, only those are removed. Line
// numbers are removed first, and the other habits are looked for in the remaining text. If no line
// proves a habit, the text as a whole may have a diff's signs, or be escaped. path is the file's.
func Undone(doc *strategy.Document, path string, v *Reading) []*Reading {
	var out []*Reading
	if inner, ok := Unwrapped(doc, path, v); ok {
		return []*Reading{inner}
	}
	bare := v
	if g, ok := WithoutGutter(v); ok {
		out = append(out, g)
		bare = g
	}
	for _, r := range habits() {
		if fixed, ok := withoutHabit(doc, bare, r); ok {
			out = append(out, fixed)
		}
	}
	if len(out) > 0 {
		return out
	}
	if plain, ok := withoutSigns(path, bare); ok {
		for range strategy.KeyWindows(doc, plain.Search) { // if SEARCH occurs without the signs
			return []*Reading{plain}
		}
	}
	for _, anyNumber := range []bool{false, true} {
		if fixed, ok := unescaped(doc, bare, anyNumber); ok {
			return []*Reading{fixed}
		}
	}
	return nil
}

// habit is a way in which models distort lines. undo removes the habit from a line, and returns the
// line itself if there's nothing to undo.
type habit struct {
	name string
	undo func(line []byte) []byte
	// keeps is set if both forms are right. Words then stay as written unless the replaced line has
	// them.
	keeps bool
	// marks are strings that occur only in text with the habit, unless the document uses them. If
	// the document has none of them, and no end tag, no line needs to prove the repair.
	marks []string
	// signs are the characters that the habit escapes. bare reports whether a line has one of them
	// unescaped. If REPLACE has one and SEARCH doesn't, REPLACE is written without the habit, and
	// apparent escapes in it are text.
	signs string
	bare  func(line []byte, sign byte) bool
}

// isForeign reports whether the habit has marks and the document has none of them.
func (r *habit) isForeign(doc *strategy.Document) bool {
	return r.marks != nil && !slices.ContainsFunc(r.marks, func(mark string) bool {
		return bytes.Contains(doc.Text(), []byte(mark))
	})
}

// habits returns the habits in the order in which they are tried; see [habit] for signs, bare,
// marks and keeps.
func habits() []habit {
	return []habit{
		{name: "line-numbers", undo: func(l []byte) []byte {
			if strictGutter(l) {
				_, l, _ = gutter(l)
			}
			return l
		}},
		{name: "html-entities", undo: unescapeEntities, signs: "<>&\"", bare: isNoEntity,
			marks: []string{"&amp;", "&lt;", "&gt;", "&quot;", "&#", "</"}},
		{name: "escaped-quotes", undo: func(l []byte) []byte { return text.Unescape(l, quotes) },
			signs: quotes, bare: isNotEscaped},
		{name: "doubled-backslashes", undo: func(l []byte) []byte { return text.Unescape(l, "\\") },
			signs: "\\", bare: isNotEscaped},
		{name: "escapes", undo: func(l []byte) []byte { return text.Unescape(l, "\\"+quotes) },
			signs: "\\" + quotes, bare: isNotEscaped},
		{name: "composed-accents", undo: norm.NFC.Bytes, keeps: true},
		{name: "decomposed-accents", undo: norm.NFD.Bytes, keeps: true},
	}
}

// quotes are the characters that may need a backslash in shells and strings.
const quotes = "\"'`$"

// isNotEscaped reports whether a line has the sign without a backslash before it.
func isNotEscaped(line []byte, sign byte) bool {
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && (line[i+1] == sign || line[i+1] == '\\'):
			i++
		case line[i] == sign:
			return true
		}
	}
	return false
}

// isNoEntity reports whether a line has the sign itself and not only an entity for it. An ampersand
// that may begin an entity doesn't count.
func isNoEntity(line []byte, sign byte) bool {
	if sign != '&' {
		return bytes.IndexByte(line, sign) >= 0
	}
	for i, c := range line {
		if c != '&' {
			continue
		}
		// The ampersand begins an entity if the text up to the next sign, such as "&lt;", is one.
		end := bytes.IndexFunc(line[i+1:], func(r rune) bool {
			return r != '#' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		if end < 0 || bytes.Equal(unescapeEntities(line[i:i+end+2]), line[i:i+end+2]) {
			return true
		}
	}
	return false
}

// isPlain reports whether REPLACE is written without the habit of SEARCH: it has an unescaped sign
// that SEARCH only has in escaped form, such as < in "a < b" where SEARCH has "a &lt; b".
func (r *habit) isPlain(v *Reading) bool {
	for _, sign := range []byte(r.signs) {
		escaped, bare := false, false
		for i := range v.Search.Len() {
			line := v.Search.Line(i)
			bare = bare || r.bare(line, sign)
			escaped = escaped || bytes.IndexByte(r.undo(line), sign) >= 0 && !bytes.Equal(r.undo(line), line)
		}
		if !escaped || bare {
			continue
		}
		for i := range v.Replace.Len() {
			if r.bare(v.Replace.Line(i), sign) {
				return true
			}
		}
	}
	return false
}

// unescaped returns the reading with every escape undone on both sides; see [strategy.Unescape] for
// anyNumber. Escaped line feeds are undone as well, so SEARCH may have more lines afterwards. If
// SEARCH is one line and REPLACE has several, only SEARCH is escaped. ok is false unless the
// document has SEARCH's lines.
func unescaped(doc *strategy.Document, v *Reading, anyNumber bool) (out *Reading, ok bool) {
	if bytes.IndexByte(v.Search.Text(), '\\') < 0 {
		return nil, false
	}
	replace := v.Replace
	if v.Search.Len() > 1 || replace.Len() < 2 {
		replace = strategy.NewDocument(strategy.Unescape(replace.Text(), anyNumber))
	}
	out = v.with(strategy.Unescape(v.Search.Text(), anyNumber), replace, "escapes")
	for range strategy.KeyWindows(doc, out.Search) {
		return out, true
	}
	return nil, false
}

// unescapeEntities returns the line with the characters that its HTML entities stand for.
func unescapeEntities(line []byte) []byte {
	if bytes.IndexByte(line, '&') < 0 {
		return line
	}
	return []byte(html.UnescapeString(string(line)))
}

// withoutHabit returns the reading with the habit r undone in SEARCH, except for lines that the
// document only has as written, and in REPLACE. Lines that REPLACE copies from SEARCH are treated
// as in SEARCH, and the others stay if REPLACE is written without the habit; see isPlain. ok is
// false if there is nothing to undo. It is also false if the document has no line in repaired form
// only, unless the document has none of the habit's marks.
func withoutHabit(doc *strategy.Document, v *Reading, r habit) (out *Reading, ok bool) {
	proved, changed := false, false
	undone := map[string]bool{} // whether each SEARCH line is repaired
	var search [][]byte         // nil until a line changes
	for i, line := range v.Search.Lines() {
		fixed := r.undo(line)
		if bytes.Equal(fixed, line) {
			continue
		}
		if search == nil {
			search = Lines(v.Search.Document)
		}
		written, mended := doc.HasLine(line), doc.HasLine(fixed)
		switch {
		case written && !mended: // what looks like the habit is text
			undone[string(line)] = false
			continue
		case mended && !written:
			proved = true
		}
		undone[string(line)] = true
		search[i] = fixed
		changed = true
	}
	if !changed || !proved && !r.isForeign(doc) {
		return nil, false
	}
	plain := r.isPlain(v)
	replace := make([][]byte, v.Replace.Len())
	for i := range replace {
		line := v.Replace.Line(i)
		fix, seen := undone[string(line)]
		switch {
		case !seen && r.keeps: // write only the words of the replaced line as it has them
			for _, word := range bytes.Fields(v.replaced(i)) {
				line = bytes.ReplaceAll(line, word, r.undo(word))
			}
		case seen && fix || !seen && !plain:
			line = r.undo(line)
		}
		replace[i] = line
	}
	return v.with(join(search), strategy.NewDocument(join(replace)), r.name), true
}

// replaced returns the SEARCH line that line r of REPLACE replaces, or nil if that isn't known.
func (v *Reading) replaced(r int) []byte {
	for _, c := range v.Hunks() {
		if c.R0 <= r && r < c.R1 && c.S1-c.S0 == c.R1-c.R0 {
			return v.Search.Line(c.Near(r))
		}
	}
	return nil
}
