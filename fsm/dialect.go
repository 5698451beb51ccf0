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
	minMarker     = 5 // fewer signs are arrows or comparisons
	maxMarker     = 9
	minLongMarker = 3 // for Cline's markers, which have no maximum
	separatorLen  = 7
)

// form is one row of the dialect table.
type form struct {
	name                   string
	open, close            byte
	openLabel, closeLabel  string
	minLength, maxLength   int // of opener and closer
	minDivider, maxDivider int
	tentative              bool
}

const unbounded = math.MaxInt

// forms is the dialect table. The case of labels is ignored.
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

// Dialects yields all dialects, in the order in which they are tried.
func Dialects() iter.Seq[Dialect] {
	return func(yield func(Dialect) bool) {
		for d := Aider; int(d) < len(forms) && yield(d); d++ {
		}
	}
}

// String returns the dialect's name, "" for NoDialect.
func (d Dialect) String() string { return forms[d].name }

// DialectNamed returns the dialect called name, or the one that the tool called name writes.
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

// Opener returns the first line of a block, with a marker of that length and without a line end.
func (d Dialect) Opener(length int) string {
	return strings.Repeat(string(forms[d].open), length) + " " + forms[d].openLabel
}

// Labels returns the words after the signs of opener and closer, in capitals.
func (d Dialect) Labels() (opener, closer string) { return forms[d].openLabel, forms[d].closeLabel }

// Divider returns the line between SEARCH and REPLACE, of that length and without a line end.
func (d Dialect) Divider(length int) string { return strings.Repeat("=", length) }

// Closer returns the last line of a block, with a marker of that length and without a line end. For
// HeadUpdated it is in lower case, as the tool that used it wrote it.
func (d Dialect) Closer(length int) string {
	label := forms[d].closeLabel
	if d == HeadUpdated {
		label = "updated"
	}
	return strings.Repeat(string(forms[d].close), length) + " " + label
}

// Tentative reports whether an opener of the dialect begins a block only if its closer matches.
func (d Dialect) Tentative() bool { return forms[d].tentative }

// MaxLength returns the length of the dialect's longest marker.
func (d Dialect) MaxLength() int { return min(forms[d].maxLength, forms[d].maxDivider) }

func (d Dialect) dividerLength(n int) bool {
	return n >= forms[d].minDivider && n <= forms[d].maxDivider
}

// closes reports whether a closer of dialect c ends blocks of dialect d.
func (d Dialect) closes(c Dialect) bool {
	return forms[d].close == forms[c].close && forms[d].closeLabel == forms[c].closeLabel
}

// openerDialect returns the dialect of an opener and the length of its label.
func openerDialect(c byte, n int, rest []byte, spaced bool) (Dialect, int, bool) {
	for d := range Dialects() {
		f := &forms[d]
		if f.open != c || n < f.minLength || n > f.maxLength || !hasLabel(rest, f.openLabel) {
			continue
		}
		if c == '-' && (!spaced || n < minMarker && !bytes.HasPrefix(rest, []byte(f.openLabel))) {
			continue // "--- search" may just as well be part of a document
		}
		return d, len(f.openLabel), true
	}
	return NoDialect, 0, false
}

// maxCloser is how long a closer may be by mistake. Nothing else looks like a closer, so it may be
// longer than an opener.
const maxCloser = 40

// closerDialect returns the first dialect that the closer matches. It ignores angle brackets after
// the label.
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

// closerBegins returns the dialect of a closer that more text follows, and the length of its label.
// The label has to match exactly, because a conflict may end in a branch with a similar name.
func closerBegins(c byte, n int, rest []byte) (Dialect, int, bool) {
	for d := range Dialects() {
		f := &forms[d]
		if f.close == c && !f.tentative && n >= minMarker && n <= f.maxLength &&
			bytes.HasPrefix(rest, []byte(f.closeLabel+" ")) {
			return d, len(f.closeLabel) + 1, true
		}
	}
	return NoDialect, 0, false
}

// hasLabel reports whether s begins with the label, in any case, and the label ends there.
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
