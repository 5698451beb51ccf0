package fsm

import (
	"bytes"
	"iter"
	"math"
	"strings"
)

// Dialect is a family of markers.
type Dialect uint8

const (
	// NoDialect is the zero value: no block.
	NoDialect Dialect = iota
	// Aider is "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE"; Roo, Brokk and SWE-RL write the same
	// markers.
	Aider
	// Cline is "------- SEARCH", "=======", "+++++++ REPLACE".
	Cline
	// OriginalUpdated is "<<<<<<< ORIGINAL", "=======", ">>>>>>> UPDATED".
	OriginalUpdated
	// HeadUpdated is "<<<<<<< HEAD", "=======", ">>>>>>> updated". Only its closer distinguishes it
	// from a merge conflict.
	HeadUpdated
)

const (
	minMarker     = 5 // a shorter run is an arrow or a comparison
	maxMarker     = 9
	minLongMarker = 3 // for Cline's markers, which have no maximum length
	separatorLen  = 7
)

// form is a row of the dialect table.
type form struct {
	name                   string
	open, close            byte
	openLabel, closeLabel  string
	minLength, maxLength   int // of opener and closer
	minDivider, maxDivider int
	tentative              bool // see Tentative
}

const unbounded = math.MaxInt

// forms is the dialect table. Labels match regardless of case.
var forms = [...]form{
	Aider: {name: "aider", open: '<', openLabel: "SEARCH", close: '>', closeLabel: "REPLACE",
		minLength: minMarker, maxLength: maxMarker, minDivider: minMarker, maxDivider: maxMarker},
	Cline: {name: "cline", open: '-', openLabel: "SEARCH", close: '+', closeLabel: "REPLACE",
		minLength: minLongMarker, maxLength: unbounded, minDivider: minLongMarker, maxDivider: unbounded},
	OriginalUpdated: {name: "original-updated", open: '<', openLabel: "ORIGINAL", close: '>', closeLabel: "UPDATED",
		minLength: minMarker, maxLength: maxMarker, minDivider: minMarker, maxDivider: maxMarker},
	HeadUpdated: {name: "head-updated", open: '<', openLabel: "HEAD", close: '>', closeLabel: "UPDATED",
		minLength: minMarker, maxLength: maxMarker, minDivider: minMarker, maxDivider: maxMarker, tentative: true},
}

// Dialects yields all dialects in the order in which they are tried.
func Dialects() iter.Seq[Dialect] {
	return func(yield func(Dialect) bool) {
		for d := Aider; int(d) < len(forms) && yield(d); d++ {
		}
	}
}

// String returns the dialect's name, or "" for NoDialect.
func (d Dialect) String() string { return forms[d].name }

// DialectNamed returns the dialect called name, or the dialect used by the tool called name. The
// bool is false if there is none.
func DialectNamed(name string) (Dialect, bool) {
	switch name {
	case "roo", "brokk", "swe-rl":
		return Aider, true
	}
	for d := range Dialects() {
		if forms[d].name == name {
			return d, true
		}
	}
	return NoDialect, false
}

// Opener returns the first line of a block, with a marker of the given length and no line end.
func (d Dialect) Opener(length int) string {
	return strings.Repeat(string(forms[d].open), length) + " " + forms[d].openLabel
}

// Labels returns the words after the signs of the opener and the closer, in capitals.
func (d Dialect) Labels() (opener, closer string) { return forms[d].openLabel, forms[d].closeLabel }

// Divider returns the line between SEARCH and REPLACE, with the given length and no line end.
func (d Dialect) Divider(length int) string { return strings.Repeat("=", length) }

// Closer returns the last line of a block, with a marker of the given length and no line end. For
// HeadUpdated the label is in lower case, as in the tool that introduced the dialect.
func (d Dialect) Closer(length int) string {
	label := forms[d].closeLabel
	if d == HeadUpdated {
		label = "updated"
	}
	return strings.Repeat(string(forms[d].close), length) + " " + label
}

// Tentative reports whether an opener of the dialect begins a block only if a matching closer
// follows.
func (d Dialect) Tentative() bool { return forms[d].tentative }

// MaxLength returns the length of the dialect's longest marker.
func (d Dialect) MaxLength() int { return min(forms[d].maxLength, forms[d].maxDivider) }

// dividerLength reports whether a divider of the dialect may have n signs.
func (d Dialect) dividerLength(n int) bool {
	return n >= forms[d].minDivider && n <= forms[d].maxDivider
}

// closes reports whether a closer of dialect c ends blocks of dialect d.
func (d Dialect) closes(c Dialect) bool {
	return forms[d].close == forms[c].close && forms[d].closeLabel == forms[c].closeLabel
}

// openerDialect returns the first dialect with an opener like the beginning of a line, and the
// length of the dialect's label. ok is false if there is none. The line consists of n signs c and,
// after blanks if spaced is set, of rest: in "<<<<<<< SEARCH a.py", 7 signs '<' and "SEARCH a.py".
func openerDialect(c byte, n int, rest []byte, spaced bool) (d Dialect, label int, ok bool) {
	for d := range Dialects() {
		f := &forms[d]
		if f.open != c || n < f.minLength || n > f.maxLength || !hasLabel(rest, f.openLabel) {
			continue
		}
		if c == '-' && (!spaced || n < minMarker && !bytes.HasPrefix(rest, []byte(f.openLabel))) {
			continue // "--- search" may equally be part of a document
		}
		return d, len(f.openLabel), true
	}
	return NoDialect, 0, false
}

// maxCloser is the maximum length of a closer that is too long by mistake. It exceeds the limit for
// openers because nothing else looks like a closer.
const maxCloser = 40

// closerDialect returns the first dialect that the closer matches, ignoring angle brackets after
// the label. The closer consists of n signs c, blanks and rest.
func closerDialect(c byte, n int, rest []byte) (Dialect, bool) {
	rest = bytes.TrimRight(bytes.TrimRight(rest, "<>"), " \t")
	for d := range Dialects() {
		f := &forms[d]
		if f.close == c && n >= f.minLength && n <= max(f.maxLength, maxCloser) &&
			bytes.EqualFold(rest, []byte(f.closeLabel)) {
			return d, true
		}
	}
	return NoDialect, false
}

// closerBegins returns the dialect of a closer followed by more text, and the length of its label
// with the blank after it: ">>>>>>> REPLACE a.py". The closer consists of n signs c, blanks and
// rest. The label has to match exactly, because the last line of a merge conflict may name a
// similar branch.
func closerBegins(c byte, n int, rest []byte) (d Dialect, label int, ok bool) {
	for d := range Dialects() {
		f := &forms[d]
		if f.close == c && !f.tentative && n >= minMarker && n <= f.maxLength &&
			bytes.HasPrefix(rest, []byte(f.closeLabel+" ")) {
			return d, len(f.closeLabel) + 1, true
		}
	}
	return NoDialect, 0, false
}

// hasLabel reports whether s begins with the label as a whole word, regardless of case.
func hasLabel(s []byte, label string) bool {
	if len(s) < len(label) || !bytes.EqualFold(s[:len(label)], []byte(label)) {
		return false
	}
	if len(s) == len(label) {
		return true
	}
	switch s[len(label)] {
	case ' ', '\t', '>', '(', ':':
		return true
	}
	return false
}
