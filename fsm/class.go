package fsm

import (
	"bytes"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// Kind is the class of a line.
type Kind uint8

const (
	// Text is any line that is not a marker: content or prose.
	Text Kind = iota
	// Opener begins a block: "<<<<<<< SEARCH".
	Opener
	// Divider separates SEARCH from REPLACE: "=======".
	Divider
	// Closer ends a block: ">>>>>>> REPLACE".
	Closer
	// ConflictOpen is a conflict marker, "<<<<<<< label", which doesn't begin a block.
	ConflictOpen
	// ConflictBase is the "||||||| base" line of a three-way conflict.
	ConflictBase
	// ConflictClose is ">>>>>>> label", which doesn't usually end a block. If Dialect is set, it is
	// a closer followed by more text, ">>>>>>> REPLACE a.py", which ends a block if no better
	// closer comes before the next block.
	ConflictClose
	// Separator is the "-------" that may follow the hints.
	Separator
	// Hint is ":start_line:12" or ":end_line:20".
	Hint
	// Escaped is any of the markers above with a backslash before it. It is content.
	Escaped
	// NearOpener looks like an opener but isn't one: "<<-- SEARCH", "<<<< SEARCH", "<<<<<<< SEARCH
	// what?".
	NearOpener
)

var kindNames = [...]string{"text", "opener", "divider", "closer", "conflict-open", "conflict-base", "conflict-close",
	"separator", "hint", "escaped", "near-opener"}

// String returns the name of the class in lower case, with dashes between words.
func (k Kind) String() string { return kindNames[k] }

// Mark is a classified line. Its byte slices refer to the line; they are not copies.
type Mark struct {
	Kind Kind
	// Dialect is the dialect of an Opener or NearOpener, or the first one that a Closer matches.
	Dialect Dialect
	// Length is the number of identical characters at the start of the marker.
	Length int
	// Prefix is the indentation and quote marks ("> ") before the marker, and any invisible
	// characters.
	Prefix []byte
	// Start and End are the line numbers in the hint, 1-based; 0 if there are none.
	Start, End int
	// Rest is the text after an opener's label, such as a file name, unless it is a hint; or the
	// text after the label of a ConflictClose with a Dialect. For a NearOpener it is the whole
	// line.
	Rest []byte
}

// Classify classifies a line, ignoring its line end and trailing blanks. It looks at the first byte
// after the indentation before anything else, so content lines cost almost nothing.
func Classify(line []byte) Mark {
	prefix := markerPrefix(line)
	if prefix == len(line) || !mayBeginMarker(line[prefix]) {
		return Mark{}
	}
	m := classify(bytes.TrimRightFunc(line[prefix:], text.Invisible))
	m.Prefix = line[:prefix]
	return m
}

// PrefixLen returns the number of bytes of indentation and quote marks at the start of line. A
// quote mark is ">" with a blank after it.
func PrefixLen(line []byte) int {
	i := 0
	for i < len(line) {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			i++
		case c == '>' && i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t'):
			i += 2
		default:
			return i
		}
	}
	return i
}

// markerPrefix is like PrefixLen, but also counts no-break spaces and zero-width characters, which
// occur before markers in text copied from a web page.
func markerPrefix(line []byte) int {
	i := PrefixLen(line)
	for i < len(line) && line[i] >= utf8.RuneSelf {
		r, n := utf8.DecodeRune(line[i:])
		if !text.Invisible(r) {
			break
		}
		i += n
		i += PrefixLen(line[i:])
	}
	return i
}

// mayBeginMarker reports whether c may be the first byte of a marker after its prefix.
func mayBeginMarker(c byte) bool {
	switch c {
	case '<', '=', '>', '-', '+', '|', ':', '\\', '&':
		return true
	}
	return false
}

// classify classifies a line, s, of which the prefix and trailing blanks have been removed. It
// looks at the signs at the start of the line and the text after them. The Mark has no Prefix.
func classify(s []byte) Mark {
	if len(s) == 0 {
		return Mark{}
	}
	c := s[0]
	n := runLength(s, c)
	rest := bytes.TrimLeftFunc(s[n:], text.Invisible)
	bare := len(rest) == 0                                        // the line is only signs
	spaced := !bare && len(rest) < len(s)-n                       // blanks follow the signs
	sized := n >= minMarker && n <= maxMarker && (bare || spaced) // git may write such a line
	switch c {
	case '<':
		if d, label, ok := openerDialect(c, n, rest, spaced); ok {
			return opener(d, n, rest[label:], s)
		}
		if sized {
			return Mark{Kind: ConflictOpen, Length: n}
		}
		return near(s)
	case '-':
		if bare && n == separatorLen {
			return Mark{Kind: Separator, Length: n}
		}
		if d, label, ok := openerDialect(c, n, rest, spaced); ok {
			return opener(d, n, rest[label:], s)
		}
		return near(s)
	case '=':
		if bare && n >= minLongMarker {
			return Mark{Kind: Divider, Length: n}
		}
	case '>', '+':
		return closing(c, n, rest, sized)
	case '|':
		if sized {
			return Mark{Kind: ConflictBase, Length: n}
		}
	case ':':
		if start, end, ok := hintLine(s); ok {
			return Mark{Kind: Hint, Start: start, End: end}
		}
	case '\\':
		return escaped(s[n:])
	case '&': // "&lt;"
		return near(s)
	}
	return Mark{}
}

// closing classifies a line of n closing signs followed by rest. sized says that the signs may
// close a merge conflict.
func closing(c byte, n int, rest []byte, sized bool) Mark {
	if d, ok := closerDialect(c, n, rest); ok {
		return Mark{Kind: Closer, Dialect: d, Length: n}
	}
	if sized || c == '+' {
		if d, label, ok := closerBegins(c, n, rest); ok { // text follows a closer's label
			return Mark{Kind: ConflictClose, Dialect: d, Length: n, Rest: rest[label:]}
		}
	}
	if c == '>' && sized {
		return Mark{Kind: ConflictClose, Length: n}
	}
	return Mark{}
}

// escaped classifies a line that begins with backslashes by rest, the text after them. The line is
// Escaped if that is a marker. A NearOpener needs no escape, because inside a block it is text.
func escaped(rest []byte) Mark {
	bare := rest[markerPrefix(rest):]
	if len(bare) > 0 && bare[0] != '\\' {
		if m := classify(bare); m.Kind != Text && m.Kind != NearOpener {
			return Mark{Kind: Escaped, Length: m.Length}
		}
	}
	return Mark{}
}

// opener classifies a line that begins like an opener of dialect d with n signs by tail, the text
// after its label. If that is neither a hint nor a file name, the line, whole, is not an opener.
func opener(d Dialect, n int, tail, whole []byte) Mark {
	m := Mark{Kind: Opener, Dialect: d, Length: n}
	tail = bytes.TrimLeft(tail, " \t")
	if len(tail) > 0 && tail[0] == '>' { // "------- SEARCH>"
		tail = bytes.TrimLeft(tail[1:], " \t")
	}
	if len(tail) == 0 {
		return m
	}
	if d == HeadUpdated { // git may write more after HEAD
		return Mark{Kind: ConflictOpen, Length: n}
	}
	if start, end, ok := hintTail(tail); ok {
		m.Start, m.End = start, end
		return m
	}
	if name := bytes.TrimLeft(tail, ": \t"); nameLike(name) {
		m.Rest, m.Start, m.End = namedLine(name)
		return m
	}
	titled := tail[len(tail)-1] == '-' || !bytes.Contains(whole, []byte(forms[d].openLabel))
	if d == Cline && (n < minMarker || titled) {
		return Mark{} // "----- SEARCH RESULTS -----" and "----- Search results" are titles
	}
	return Mark{Kind: NearOpener, Dialect: d, Length: n, Rest: whole}
}

// nameLike reports whether the text after an opener's label may be a file name: one word with a dot
// or slash in it.
func nameLike(s []byte) bool {
	return !bytes.ContainsAny(s, " \t<>|*?\"") && bytes.ContainsAny(s, "./\\") && runLength(s, '.') != len(s)
}

// near returns a NearOpener if the line s is a failed attempt at an opener, which has the wrong
// number of signs, mixed signs or HTML entities: "<<-- SEARCH". Otherwise the Mark's kind is Text.
// If several dialects have the same label, near returns the first one. More text may follow the
// label only if the line begins with "<" and has five signs or more; any other such line may be a
// sentence.
func near(s []byte) Mark {
	i := 0
	for i < len(s) {
		switch {
		case s[i] == '<' || s[i] == '-':
			i++
			continue
		case bytes.HasPrefix(s[i:], []byte("&lt;")):
			i += len("&lt;")
			continue
		}
		break
	}
	label := bytes.TrimLeft(s[i:], " \t")
	if i < 2 || len(label) == 0 {
		return Mark{}
	}
	for d := range Dialects() {
		after, ok := bytes.CutPrefix(label, []byte(forms[d].openLabel))
		if !ok || forms[d].tentative {
			continue
		}
		if after = bytes.TrimRight(after, "> \t"); len(after) == 0 || s[0] == '<' && i >= minMarker {
			return Mark{Kind: NearOpener, Dialect: d, Length: i, Rest: s}
		}
	}
	return Mark{}
}

// runLength returns the number of bytes c at the start of s.
func runLength(s []byte, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}
