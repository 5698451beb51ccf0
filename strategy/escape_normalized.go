package strategy

import (
	"bytes"
	"slices"
)

// escapeNormalized undoes the backslash escapes in the pattern (\n \t \r \' \" \` \\ \$ and a
// backslash before a line end). It yields the places where the result occurs, then each run of the
// same number of lines that equals the result once the escapes in the run are undone. For example,
// the pattern `say(\"hi\")` finds `say("hi")`, then `say(\"hi\")`.
//
// In a document of lines, each place is yielded once. If there are no places, repeated escapes are
// tried: any number of backslashes before one of these characters counts as one.
func escapeNormalized(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	if doc.raw {
		find := appendUnescaped(nil, pat.text, single, endOfText)
		if textPlaces(doc, find, yield) {
			unescapedLines(doc, NewVerbatim(find), single, nil, yield)
		}
		return
	}
	found := false
	once := func(c Candidate) bool {
		found = true
		return yield(c)
	}
	for _, rule := range []escapes{single, repeated} {
		if find := unescapedPattern(pat, rule); !found && find.Len() > 0 {
			seen := slices.Collect(equalWindows(doc, find)) // don't yield them again below
			if yieldLines(doc, slices.Values(seen), find.Len(), once) && hasEscape(doc.text) {
				unescapedLines(doc, find, rule, seen, once)
			}
		}
	}
}

// unescapedWindows yields the runs of lines that equal the pattern once its escapes are undone. It
// yields nothing if the pattern has no escapes. A run may be yielded twice.
func unescapedWindows(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	for _, rule := range []escapes{single, repeated} {
		if find := unescapedPattern(pat, rule); find != pat.Document &&
			!yieldLines(doc, equalWindows(doc, find), find.Len(), yield) {
			return
		}
	}
}

// unescapedPattern returns the lines of a pattern with their escapes undone. An escaped line feed
// becomes a line end, so there may be more lines than in the pattern. Line ends become "\n".
func unescapedPattern(pat *Pattern, rule escapes) *Document {
	if !hasEscape(pat.text) && bytes.IndexByte(pat.text, '\r') < 0 {
		return pat.Document // it already has these lines
	}
	var find []byte
	for j := range pat.Len() {
		more := j+1 < pat.Len()
		find = appendUnescaped(find, pat.Line(j), rule, more)
		// A last line such as `x\n` already ends with a line end now.
		if more || len(pat.Line(j)) == 0 || find[len(find)-1] != '\n' {
			find = append(find, '\n')
		}
	}
	return NewDocument(find)
}

// unescapedLines yields each run of lines that equals pat once unescaped, except for runs that
// begin at a line in seen, which is sorted. An escaped line feed would make a run longer than pat,
// so lines pair one to one.
func unescapedLines(doc, pat *Document, rule escapes, seen []int, yield func(Candidate) bool) {
	var scratch []byte
	// reads reports whether line i of doc is line j of pat once unescaped. more says that another
	// line follows in the run, so a backslash at the end of line i escapes the line end.
	reads := func(i, j int, more bool) bool {
		line := doc.Line(i)
		if hasEscape(line) {
			scratch = appendUnescaped(scratch[:0], line, rule, more)
			line = scratch
		}
		return bytes.Equal(line, pat.Line(j))
	}
	last := pat.Len() - 1 // compared separately, because no line follows it
	starts := sequence(doc.Len(), last,
		func(i, j int) bool { return reads(i, j, lineEndFollows) },
		func(i, j int) bool { return bytes.Equal(pat.Line(i), pat.Line(j)) })
	if last == 0 { // sequence needs a line
		starts = upTo(doc.Len())
	}
	for i := range starts {
		if i+last >= doc.Len() || !reads(i+last, last, endOfText) {
			continue
		}
		for len(seen) > 0 && seen[0] < i {
			seen = seen[1:]
		}
		if len(seen) > 0 && seen[0] == i {
			continue
		}
		if !yield(doc.lines(i, last+1)) {
			return
		}
	}
}

func hasEscape(text []byte) bool { return bytes.IndexByte(text, '\\') >= 0 }

// escapes says how many backslashes an escape may have.
type escapes bool

const (
	single   escapes = false // one
	repeated escapes = true  // one or more, as in a reply that was escaped too often
)

// Values of more for appendUnescaped.
const (
	lineEndFollows = true
	endOfText      = false
)

// appendUnescaped appends text to dst with its escapes undone: `\t` becomes a tab, but `\(` stays.
// With the rule repeated, `\\\t` becomes a tab, too. If more is set, a line end follows the text,
// so a backslash at its end is an escape and is dropped.
func appendUnescaped(dst, text []byte, rule escapes, more bool) []byte {
	for {
		plain := bytes.IndexByte(text, '\\')
		if plain < 0 {
			return append(dst, text...)
		}
		dst, text = append(dst, text[:plain]...), text[plain:]
		run := 1 // the number of backslashes
		if rule == repeated {
			run = len(text) - len(bytes.TrimLeft(text, `\`))
		}
		if run == len(text) && more {
			return dst
		}
		c, ok := byte(0), false
		if run < len(text) {
			c, ok = escaped(text[run])
		}
		switch {
		case ok:
			dst, text = append(dst, c), text[run+1:]
		default:
			dst, text = append(dst, '\\'), text[run:]
		}
	}
}

// escaped returns the character that a backslash followed by c stands for, if any. Unlike
// text.Unescape, which removes backslashes, it reads the escapes of the reference cascade,
// including line ends and tabs.
func escaped(c byte) (byte, bool) {
	switch c {
	case 'n':
		return '\n', true
	case 't':
		return '\t', true
	case 'r':
		return '\r', true
	}
	return c, slices.Contains([]byte("'\"`\\\n$"), c)
}

// Unescape undoes the escapes in text in the same way as the strategy escape-normalized. With
// anyNumber, an escape may have any number of backslashes.
func Unescape(text []byte, anyNumber bool) []byte {
	return appendUnescaped(nil, text, escapes(anyNumber), endOfText)
}
