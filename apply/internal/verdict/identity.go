package verdict

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// contradictedAs returns a function that reports whether [trial.contradicted] returns code for a
// SEARCH line.
func contradictedAs(code Code) func(t *trial, i int) bool {
	return func(t *trial, i int) bool { return t.contradicted(i) == code }
}

// contradicted returns the code of the objection if SEARCH line i names the definition or record
// that the place belongs to, and the file has another name there. Otherwise it returns "". A line
// that is missing from the file counts only if the block keeps it.
func (t *trial) contradicted(i int) Code {
	switch relation := t.relation(i); {
	case t.done[i]:
	case relation == align.Missing && !t.changed[i]:
		return t.lacksName(i)
	case relation == align.Similar:
		return t.renamed(i)
	}
	return ""
}

// lacksName is [trial.contradicted] for a line that the block keeps and the file lacks. The line
// counts if it's a definition. It also does if it names a record and the file has another name, or
// if it encloses the rest of SEARCH.
func (t *trial) lacksName(i int) Code {
	switch {
	case text.Definition(t.Search.Line(i)) != nil:
		return NoDefinition
	case t.leads(i) && (t.headedOtherwise(i) || t.counterpart(i) >= 0), t.givesName(i), t.encloses(i):
		return OtherRecord
	}
	return ""
}

// renamed returns the code of the objection if SEARCH line i, which the file has in a similar form,
// names the definition or record that the place belongs to, and the file has another name there.
// Otherwise it returns "".
func (t *trial) renamed(i int) Code {
	line := t.Search.Line(i)
	defined := text.Definition(line) // the name that line defines, or nil
	leads, encloses := t.leadsAll(i) || t.givesName(i) || t.holdsChange(i), t.encloses(i)
	if defined == nil && !leads && !encloses {
		return ""
	}
	kind := t.difference(i)
	switch {
	case defined == nil && kind != slip && sameWords(line, t.partner(i)):
		return "" // records differ in their names
	case kind == slip && endsOtherwise(line, t.partner(i)):
		return OtherRecord // such as http and https
	case kind == slip || t.changed[i]:
		return "" // a typo; or the block changes the line, which other rules judge
	case defined != nil && (kind == substitution || !bytes.Equal(defined, text.Definition(t.partner(i)))):
		return OtherDefinition
	case defined == nil && encloses:
		return OtherRecord
	case leads && (kind == substitution || t.alike(i, t.counterpart(i)) || namesMore(line, t.partner(i))):
		return OtherRecord
	}
	return ""
}

// Nameless returns an objection to a place that lacks a SEARCH line that names a record, or nil.
// That line would distinguish the places, so a hint may not choose among them instead. The
// alignment pairs search with the document.
func (j *Judge) Nameless(search *strategy.Pattern, a align.Alignment) *Objection {
	for _, q := range a {
		if q.Relation == align.Missing && j.heads(search.Document, q.Search) {
			return &Objection{Code: NoHead, Search: q.Search + 1, Sure: true}
		}
	}
	return nil
}

// heads reports whether line i of doc names the record that the lines below it belong to: "[beta]",
// ".beta {", "beta:", "beta)", "case beta:", `<b id="beta">`, "## Beta", "@beta(1)" and similar
// lines, a line above a lone brace, or the first line of a record that begins without a name.
func (j *Judge) heads(doc *strategy.Document, i int) bool {
	t := bytes.TrimSpace(doc.Line(i))
	if i > 0 && nameless(doc.Line(i-1)) {
		return text.HasWord(t) && !controls(t)
	}
	prose := j.words.readers
	heading := prose && bytes.HasPrefix(t, []byte("# ")) // in code it's a comment
	if heading || beginsAsHead(t) {
		return bytes.ContainsFunc(t, text.IsWordRune)
	}
	return len(t) > 0 && (endsAsHead(t) || i+1 < doc.Len() && string(bytes.TrimSpace(doc.Line(i+1))) == "{") &&
		bytes.ContainsFunc(t, text.IsWordRune) && !controls(t)
}

// beginsAsHead reports whether t begins like a heading, a case, or an annotation of the definition
// below it.
func beginsAsHead(t []byte) bool {
	begins := func(sign string) bool { return bytes.HasPrefix(t, []byte(sign)) }
	return begins("##") || begins("=head") || begins("#if") ||
		begins("@") && text.BeginsWithWord(t[1:]) ||
		begins("case ") && bytes.HasSuffix(t, []byte(":"))
}

// nameless reports whether line begins a record without naming it, so that the next line has the
// name: a lone bracket, a tag without attributes, or a TOML heading shared by all items of an
// array.
func nameless(line []byte) bool {
	t := bytes.TrimSpace(line)
	if bytes.HasPrefix(t, []byte("[[")) && bytes.HasSuffix(t, []byte("]]")) {
		return true
	}
	if len(t) > 2 && t[0] == '<' && t[len(t)-1] == '>' &&
		!bytes.ContainsFunc(t[1:len(t)-1], func(r rune) bool { return !text.IsWordRune(r) }) {
		return true
	}
	return len(t) > 0 && bytes.IndexByte([]byte("{(["), t[len(t)-1]) >= 0 && !text.HasWord(t)
}

// endsAsHead reports whether t ends with a character that may follow the name of a record.
func endsAsHead(t []byte) bool {
	switch t[len(t)-1] {
	case '{', ':':
		return true
	case ']':
		return t[0] == '['
	case '>':
		return t[0] == '<' && t[1] != '/'
	case ')':
		return bytes.IndexByte(t, '(') < 0
	}
	return false
}

// leadsAll reports whether SEARCH line i names a record, and no earlier SEARCH line that has a word
// is in the file and could show where the block belongs.
func (t *trial) leadsAll(i int) bool {
	if !t.judge.heads(t.Search.Document, i) {
		return false
	}
	for above := range i {
		if line := t.Search.Line(above); t.relation(above) <= align.Similar && text.HasWord(line) && !nameless(line) {
			return false
		}
	}
	return true
}

// leads reports whether SEARCH line i names a record and nothing else shows where the block
// belongs: no earlier SEARCH line is in the file, or no line of SEARCH is unique in it.
func (t *trial) leads(i int) bool {
	return t.leadsAll(i) || t.judge.heads(t.Search.Document, i) && !t.hasUnique(0, t.Search.Len())
}

// encloses reports whether line i, the first line of SEARCH, encloses the rest of SEARCH, for
// example as a loop, a condition, a call or a test. The other lines are deeper, except for closing
// lines.
func (t *trial) encloses(i int) bool {
	line := t.Search.Line(i)
	if !text.HasWord(line) {
		return false
	}
	depth, inside := len(text.Margin(line)), false
	for k := range t.Search.Len() {
		switch line := t.Search.Line(k); {
		case k == i || text.Blank(line):
		case k < i || len(text.Margin(line)) <= depth && text.HasWord(line) && !closes(line):
			return false
		default:
			inside = inside || len(text.Margin(line)) > depth
		}
	}
	return inside
}

// holdsChange reports whether the block changes one of the deeper lines below SEARCH line i, or
// inserts a deeper line at their end, and line i isn't a condition or loop.
func (t *trial) holdsChange(i int) bool {
	line := t.Search.Line(i)
	if !text.HasWord(line) || text.IsControl(string(firstWord(line))) {
		return false
	}
	depth, end := len(text.Margin(line)), i+1
	for end < t.Search.Len() && (t.Blank(end) || len(text.Margin(t.Search.Line(end))) > depth) {
		end++
	}
	for t.Blank(end - 1) {
		end--
	}
	return slices.ContainsFunc(t.ToDo, func(c reading.Hunk) bool {
		atEnd := c.S0 == c.S1 && c.S0 == end
		return i < c.S0 && c.S0 < end || atEnd && len(text.Margin(t.Replace.Line(c.R0))) > depth
	})
}

// givesName reports whether SEARCH line i is a key whose value identifies its record, such as "id:
// 7", and the file has the same key with another value there.
func (t *trial) givesName(i int) bool {
	line := t.Search.Line(i)
	if !isNameKey(line) {
		return false
	}
	at := t.counterpart(i)
	if at < 0 {
		return false
	}
	f, ok := templateOf(line, t.Doc.Line(at))
	return ok && text.HasWord(f.head)
}

// isNameKey reports whether the first word of line is a key that commonly identifies records, or
// ends in one: name, user_id, pageTitle.
func isNameKey(line []byte) bool {
	ps := parts(firstWord(line))
	if len(ps) == 0 {
		return false
	}
	switch string(bytes.ToLower(ps[len(ps)-1])) {
	case "name", "id", "key", "title", "label", "slug":
		return true
	}
	return false
}

// closes reports whether line begins with text that closes a block above it, even if it also opens
// another one, like "} else {".
func closes(line []byte) bool {
	t := bytes.TrimSpace(line)
	return bytes.IndexByte([]byte("})]"), t[0]) >= 0 || bytes.HasPrefix(t, []byte("</")) || string(t) == "end"
}

// headedOtherwise reports whether the file has the first line of another record instead of SEARCH
// line i, which names a record and is missing from the file. That other line must be above the
// partner of the next SEARCH line that is in the file, and must not be in SEARCH.
func (t *trial) headedOtherwise(i int) bool {
	for next := i + 1; next < t.Search.Len(); next++ {
		f := t.Alignment[t.At[next]].File
		if f < 0 {
			continue
		}
		for f--; f >= 0 && text.Blank(t.Doc.Line(f)); f-- { // to the nearest nonblank line above
		}
		return f >= 0 && t.judge.heads(t.Doc, f) && !slices.ContainsFunc(t.Alignment, func(q align.Pair) bool {
			return q.File == f && q.Search >= 0
		})
	}
	return false
}

// otherBegins objects if the file begins another record, which SEARCH doesn't have, between c and
// the SEARCH line that names c's record. For example, SEARCH has "[a]" and "port = 1", and the file
// has "[b]" between them. Then c would change the other record. It's fine if SEARCH keeps more
// lines below that record's first line than above it.
func (t *trial) otherBegins(c reading.Hunk) *Objection {
	first := c.S0 // an insertion belongs to the line above
	if c.S0 == c.S1 {
		first--
	}
	if first < 0 {
		return nil
	}
	i := t.judge.Container(t.Search.Document, first) // names c's record
	if i < 0 || t.relation(i) > align.Similar {
		return nil
	}
	for k := t.At[i] + 1; k < t.At[first]; k++ {
		q := t.Alignment[k]
		if t.foreign(q) && BeginsAnother(t.partner(i), t.Doc.Line(q.File)) &&
			t.kept(k, len(t.Alignment)) <= t.kept(t.At[i], k) {
			return &Objection{Search: i + 1, File: q.File + 1}
		}
	}
	return nil
}

// kept counts the SEARCH lines that the block keeps, that have a word and that are in the file, in
// pairs from to to-1 of the alignment.
func (t *trial) kept(from, to int) int {
	n := 0
	for _, q := range t.Alignment[from:to] {
		if q.Search >= 0 && q.File >= 0 && !t.changed[q.Search] && text.HasWord(t.Search.Line(q.Search)) {
			n++
		}
	}
	return n
}

// Container returns the nearest line above line i that names the record or definition containing
// line i, or -1. Either line i is deeper than that line, or the record is a section whose lines
// have the same depth as its heading.
func (j *Judge) Container(doc *strategy.Document, i int) int {
	line := doc.Line(i)
	for k := i - 1; k >= 0; k-- {
		head := doc.Line(k)
		if !j.heads(doc, k) && text.Definition(head) == nil || j.heads(doc, i) && AreSiblings(head, line) {
			continue // head names nothing, or line i names a record next to head's
		}
		own, margin := text.Margin(head), text.Margin(line)
		if section := bytes.TrimSpace(head)[0]; len(margin) > len(own) ||
			len(margin) == len(own) && (section == '[' || section == '#' || section == '=') {
			return k
		}
	}
	return -1
}

// BeginsAnother reports whether line begins another record of the same kind as head, or a
// definition that isn't deeper than head.
func BeginsAnother(head, line []byte) bool {
	return AreSiblings(head, line) || bytes.Equal(head, line) ||
		text.Definition(head) != nil && text.Definition(line) != nil && len(text.Margin(line)) <= len(text.Margin(head))
}

// RecordAround returns the first line of the record around line to of doc, if that record begins
// below line from-1. The line above a record is less deep than lines from-1 and to, or begins the
// record without naming it, like the "{" in a list of objects. If there is no such line, both lines
// are in one record, and RecordAround returns to.
func RecordAround(doc *strategy.Document, from, to int) int {
	depth := min(len(text.Margin(doc.Line(from-1))), len(text.Margin(doc.Line(to))))
	for i := to - 1; i >= from; i-- {
		line := doc.Line(i)
		if nameless(line) || !text.Blank(line) && !text.IsComment(line) && len(text.Margin(line)) < depth {
			return i + 1
		}
	}
	return to
}

// controls reports whether line has a control-flow word, such as "if" or "for", and therefore names
// nothing.
func controls(line []byte) bool {
	for word := range text.EachToken(line) {
		if text.IsControl(string(word)) {
			return true
		}
	}
	return false
}

// namesMore reports whether the lines differ only in a name that is longer in one of them, such as
// mail and mail-2.
func namesMore(a, b []byte) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	head := text.CommonPrefix(a, b)
	tail := text.CommonSuffix(a[head:], b[head:])
	more := b[head : len(b)-tail]
	return head+tail == len(a) && text.HasWord(more) && text.EndsWithWord(b[:head]) && !bytes.ContainsAny(more, " \t")
}

// firstWord returns the first word of line, or nil.
func firstWord(line []byte) []byte {
	for word := range text.EachToken(line) {
		if text.BeginsWithWord(word) {
			return word
		}
	}
	return nil
}
