package reading

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// Straightened is REPLACE with straight quotes around strings of code that have curly ones in REPLACE alone: SEARCH has straight ones
// there, and no curly ones. Curly quotes in a string, in a comment or in prose are text, and stay.
func Straightened(path string, search, replace []byte) []byte {
	const curly = "“”„‟‘’‚‛"
	if !text.IsCode(path) || !bytes.ContainsAny(replace, curly) || bytes.ContainsAny(search, curly) {
		return replace
	}
	v := New(search, replace, 0)
	lines := Lines(v.Replace)
	old := Lines(v.Search.Document)
	for _, c := range v.Hunks() {
		from, to := c.S0, c.S1
		if from == to {
			from, to = 0, v.Search.Len()
		}
		for r := c.R0; r < c.R1; r++ {
			lines[r] = straightened(path, lines[r], func(quote byte) bool {
				return slices.ContainsFunc(old[from:to], func(line []byte) bool { return bytes.Count(line, []byte{quote}) > 1 })
			})
		}
	}
	var out []byte
	for r, line := range lines {
		out = append(append(out, line...), v.Replace.EOL(r)...)
	}
	return out
}

// straightened is a line of code with straight quotes around its strings. has reports whether SEARCH has strings in such quotes.
func straightened(path string, line []byte, has func(quote byte) bool) []byte {
	var out []byte
	for at := 0; at < len(line); {
		rest := line[at:]
		n := 1
		if text.IsQuote(rest[0]) {
			n = max(1, text.StringLen(rest))
		} else if inner, quote := curlyString(rest); quote != 0 {
			n = len(inner) + 2*curlyLen
			if has(quote) && bytes.IndexByte(inner, quote) < 0 && expectsString(line[:at]) && endsString(rest[n:]) {
				out = append(append(append(out, quote), inner...), quote)
				at += n
				continue
			}
		} else if text.BeginsCommentIn(path, rest) {
			n = len(rest)
		}
		out = append(out, rest[:n]...)
		at += n
	}
	return out
}

// curlyLen is the length of a curly quote.
const curlyLen = len("“")

// curlyString returns what is inside of the curly quotes that text begins with, and the straight quote for them, 0 if there are none.
func curlyString(text []byte) (inner []byte, quote byte) {
	first, _ := utf8.DecodeRune(text)
	for _, q := range [...]struct {
		straight byte
		curly    string
	}{{'"', "“”„‟"}, {'\'', "‘’‚‛"}} {
		if strings.ContainsRune(q.curly, first) {
			if n := bytes.IndexAny(text[curlyLen:], q.curly); n >= 0 {
				return text[curlyLen : curlyLen+n], q.straight
			}
		}
	}
	return nil, 0
}

// expectsString reports whether a string may follow this code: an operator, a bracket, a word of the language, or nothing.
func expectsString(before []byte) bool {
	before = bytes.TrimSpace(before)
	return len(before) == 0 || bytes.IndexByte([]byte("=([{,:+!<>&|?%~*/;"), before[len(before)-1]) >= 0 || isOperator(lastWord(before))
}

// endsString reports whether this may follow a string.
func endsString(after []byte) bool {
	after = bytes.TrimSpace(after)
	return len(after) == 0 || bytes.IndexByte([]byte(")]},:;.+=!<>&|?%*/-#["), after[0]) >= 0 || isOperator(firstWord(after))
}

func lastWord(line []byte) string {
	return string(line[bytes.LastIndexFunc(line, func(r rune) bool { return r < 'a' || r > 'z' })+1:])
}

func firstWord(line []byte) string {
	if i := bytes.IndexFunc(line, func(r rune) bool { return r < 'a' || r > 'z' }); i >= 0 {
		line = line[:i]
	}
	return string(line)
}

// isOperator reports whether a string may come before or after a word of some language.
func isOperator(word string) bool {
	switch word {
	case "and", "as", "assert", "case", "echo", "elif", "else", "for", "from", "if", "import", "in", "include", "is", "not", "or", "print",
		"puts", "raise", "require", "return", "then", "throw", "when", "while", "yield":
		return true
	}
	return false
}
