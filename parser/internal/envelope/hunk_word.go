package envelope

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/filename"
)

// looksLikeMarker reports whether a patch line without an operator may be meant as a marker of a
// hunk, a file or a block, with or without decoration, or has a backslash before its operator.
func looksLikeMarker(text []byte) bool {
	if isEscapedOperator(text) {
		return true
	}
	bare := strings.Trim(string(text), "*`_#>/ \t")
	if bare == "@" || strings.HasPrefix(bare, "@ ") || strings.HasPrefix(bare, "@@") {
		return true
	}
	if bytes.HasPrefix(text, []byte("*** ")) && bare != "" {
		return true // perhaps with words unknown in V4A: Rename File
	}
	if bytes.HasPrefix(text, []byte("**")) { // "**Update File: a.py**"
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

// isDecoratedV4A reports whether the line is a V4A marker with something before it: a number, a
// backtick, or the sign of a list, a quote or a comment.
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

// isEscapedOperator reports whether the line begins with a backslash and an operator.
func isEscapedOperator(text []byte) bool {
	return len(text) > 1 && text[0] == '\\' && (text[1] == '-' || text[1] == '+')
}

// looksLikeProse reports whether a line is a sentence or introduces a list: it has several words,
// begins with a capital letter, ends in a full stop or colon, and contains no characters typical of
// code. If its first letter isn't ASCII, it needs neither several words nor a capital.
func looksLikeProse(text []byte) bool {
	text = bytes.TrimSpace(text)
	first, _ := utf8.DecodeRune(text)
	last, _ := utf8.DecodeLastRune(text)
	begins := unicode.IsUpper(first) || unicode.IsLetter(first) && first >= utf8.RuneSelf
	if !begins || !strings.ContainsRune(".:!?…。：！？", last) {
		return false
	}
	if bytes.ContainsAny(text, "{}[]=;<>\\|&$@") {
		return false
	}
	return first >= utf8.RuneSelf || bytes.Count(text, []byte(" ")) >= 2
}

// looksLikeName reports whether a line is a file name, perhaps in a heading.
func looksLikeName(text []byte) bool {
	name, how := filename.OfLine(text)
	return how >= filename.Plain && (strings.ContainsAny(name, "/\\") || filename.HasKnownExt(name))
}
