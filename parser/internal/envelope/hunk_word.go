package envelope

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/filename"
)

// looksLikeMarker says whether a line of a patch that lacks its operator may have been meant as a
// marker: of a hunk or a file, with any decoration, of a block, or a line with a backslash before
// its operator.
func looksLikeMarker(text []byte) bool {
	if isEscapedOperator(text) {
		return true
	}
	bare := strings.Trim(string(text), "*`_#>/ \t")
	if bare == "@" || strings.HasPrefix(bare, "@ ") || strings.HasPrefix(bare, "@@") {
		return true
	}
	if bytes.HasPrefix(text, []byte("*** ")) && bare != "" {
		return true // of a word that V4A does not have: Rename File
	}
	if bytes.HasPrefix(text, []byte("**")) {
		lower := strings.ToLower(bare)
		for _, word := range [...]string{"begin", "end", "update", "add", "delete", "move"} {
			if strings.HasPrefix(lower, word) {
				return true
			}
		}
	}
	if isDecoratedV4A(text) {
		return true
	}
	k := fsm.Classify(text).Kind
	return k != fsm.Text && k != fsm.Escaped
}

// isDecoratedV4A says whether the line is a marker of V4A with decoration before it: the mark of a
// list, a quote or a comment, a number, a backtick.
func isDecoratedV4A(text []byte) bool {
	if bytes.IndexByte(text, '*') < 0 {
		return false
	}
	bare := bytes.TrimLeft(text, "`_#>/\\-+|\"' \t0123456789.:)\ufeff")
	if !bytes.HasPrefix(bare, []byte("**")) {
		return false
	}
	marker, _ := v4aMarker(bytes.TrimRight(bare, "`_\"' \t\r\n"))
	return marker != ""
}

// isEscapedOperator says whether the line has a backslash before its operator.
func isEscapedOperator(text []byte) bool {
	return len(text) > 1 && text[0] == '\\' && (text[1] == '-' || text[1] == '+')
}

// looksLikeProse says whether a line is a sentence, or introduces a list: several words that begin
// with a capital letter and end with a stop, without the signs of a program.
func looksLikeProse(text []byte) bool {
	text = bytes.TrimSpace(text)
	first, _ := utf8.DecodeRune(text)
	last, _ := utf8.DecodeLastRune(text)
	if !unicode.IsUpper(first) && !(unicode.IsLetter(first) && first >= utf8.RuneSelf) ||
		!strings.ContainsRune(".:!?…。：！？", last) {
		return false
	}
	if bytes.ContainsAny(text, "{}[]=;<>\\|&$@") {
		return false
	}
	return first >= utf8.RuneSelf || bytes.Count(text, []byte(" ")) >= 2
}

// looksLikeName says whether a line is a file's name, perhaps as a heading.
func looksLikeName(text []byte) bool {
	name, how := filename.OfLine(text)
	return how >= filename.Plain && (strings.ContainsAny(name, "/\\") || filename.HasKnownExt(name))
}
