package fsm

import (
	"bytes"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// Kind is the class of a line.
type Kind uint8

const (
	// Text is content, prose, anything that is no marker.
	Text Kind = iota
	// Opener begins a block: "<<<<<<< SEARCH".
	Opener
	// Divider separates SEARCH from REPLACE: "=======".
	Divider
	// Closer ends a block: ">>>>>>> REPLACE".
	Closer
	// ConflictOpen is "<<<<<<< label" that begins no block: a conflict marker.
	ConflictOpen
	// ConflictBase is "||||||| base" of a three-way conflict.
	ConflictBase
	// ConflictClose is ">>>>>>> label" that ends no block by itself. With a Dialect it is a closer
	// that more follows, ">>>>>>> REPLACE a.py", which ends a block that has no better one before
	// the next block.
	ConflictClose
	// Separator is the "-------" that may follow the hints.
	Separator
	// Hint is ":start_line:12" or ":end_line:20".
	Hint
	// Escaped is any of the above with a backslash before it: content.
	Escaped
	// NearOpener looks like an opener and is none: "<<-- SEARCH", "<<<< SEARCH", "<<<<<<< SEARCH
	// what?".
	NearOpener
)

var kindNames = [...]string{"text", "opener", "divider", "closer", "conflict-open", "conflict-base", "conflict-close",
	"separator", "hint", "escaped", "near-opener"}

// String returns the class in lower case with dashes.
func (k Kind) String() string { return kindNames[k] }

// Mark is a classified line. The byte slices are parts of the line, not copies.
type Mark struct {
	Kind Kind
	// Dialect is the one an Opener or NearOpener belongs to, or the first that a Closer fits.
	Dialect Dialect
	// Length is the number of equal characters that the marker begins with.
	Length int
	// Prefix is the indentation and the quote marks ("> ") before the marker, with what takes no
	// room on a screen.
	Prefix []byte
	// Start and End are the hinted lines, 1-based; 0 if there are none.
	Start, End int
	// Rest is the text after an opener's label that is no hint, perhaps a file name, or after the
	// label of a ConflictClose that has a Dialect; for a NearOpener it is the whole line.
	Rest []byte
}

// Classify says what a line is; the line end and trailing blanks are ignored. It looks at the first
// byte after the indentation before anything else, so that content costs next to nothing.
func Classify(line []byte) Mark {
	prefix := markerPrefix(line)
	if prefix == len(line) || !leads(line[prefix]) {
		return Mark{}
	}
	m := classify(bytes.TrimRightFunc(line[prefix:], text.Invisible))
	m.Prefix = line[:prefix]
	return m
}

// PrefixLen is the number of bytes of indentation and quote marks that line begins with. A quote
// mark is a single ">" with a blank after it.
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

// markerPrefix is PrefixLen for markers, which may also have no-break blanks before them and
// characters without width, as text that was copied from a page does.
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

func leads(c byte) bool {
	switch c {
	case '<', '=', '>', '-', '+', '|', ':', '\\', '&':
		return true
	}
	return false
}

// classify works on a line without prefix and trailing blanks.
func classify(s []byte) Mark {
	if len(s) == 0 {
		return Mark{}
	}
	c := s[0]
	n := run(s, c)
	rest := bytes.TrimLeftFunc(s[n:], text.Invisible)
	bare := len(rest) == 0
	spaced := !bare && len(rest) < len(s)-n
	sized := n >= minMarker && n <= maxMarker && (bare || spaced)
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
	case '&':
		return near(s)
	}
	return Mark{}
}

// closing classifies a run of n closer signs with the text behind it. sized says that it may be the
// closer of a merge conflict.
func closing(c byte, n int, rest []byte, sized bool) Mark {
	if d, ok := closerDialect(c, n, rest); ok {
		return Mark{Kind: Closer, Dialect: d, Length: n}
	}
	if sized || c == '+' {
		if d, label, ok := closerBegins(c, n, rest); ok {
			return Mark{Kind: ConflictClose, Dialect: d, Length: n, Rest: rest[label:]}
		}
	}
	if c == '>' && sized {
		return Mark{Kind: ConflictClose, Length: n}
	}
	return Mark{}
}

// escaped classifies a line by what follows its run of backslashes. Such a run escapes once: the
// rest of it is text, and is escaped itself when it is printed.
func escaped(rest []byte) Mark {
	bare := rest[markerPrefix(rest):]
	if len(bare) > 0 && bare[0] != '\\' {
		if m := classify(bare); m.Kind != Text && m.Kind != NearOpener {
			return Mark{Kind: Escaped, Length: m.Length}
		}
	}
	return Mark{}
}

// opener reads what follows the label. Where that is neither a hint nor a file name, the line is
// not an opener.
func opener(d Dialect, n int, tail, whole []byte) Mark {
	m := Mark{Kind: Opener, Dialect: d, Length: n}
	tail = bytes.TrimLeft(tail, " \t")
	if len(tail) > 0 && tail[0] == '>' {
		tail = bytes.TrimLeft(tail[1:], " \t")
	}
	if len(tail) == 0 {
		return m
	}
	if d == HeadUpdated {
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
	if d == Cline && (n < minMarker || tail[len(tail)-1] == '-' || !bytes.Contains(whole, []byte(forms[d].openLabel))) {
		return Mark{} // "--- Search results ---" is a rule with a title
	}
	return Mark{Kind: NearOpener, Dialect: d, Length: n, Rest: whole}
}

// nameLike reports whether the text after an opener's label may be a file name: one word with a dot
// or slash in it.
func nameLike(s []byte) bool {
	return !bytes.ContainsAny(s, " \t<>|*?\"") && bytes.ContainsAny(s, "./\\") && run(s, '.') != len(s)
}

// near recognises attempts at an opener: the wrong number of characters, mixed ones, or HTML
// entities. Of dialects with the same label it means the first.
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

func run(s []byte, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}
