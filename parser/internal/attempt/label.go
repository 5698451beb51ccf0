package attempt

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// LikeUpdated reports whether the line that ends what looks like a conflict of git was meant as the closer of an edit: its label is missing,
// nearly "updated", cut off with the input, or one that has a fence glued to it.
func LikeUpdated(raw []byte) bool {
	label := strings.ToLower(conflictLabel(raw))
	bare := strings.Trim(label, "`*_.,:;!~ ")
	if bare == "" || strings.HasSuffix(label, "```") || !mdline.Ended(raw) && strings.HasPrefix("updated", bare) {
		return true
	}
	word, _, _ := strings.Cut(bare, " ")
	return envelope.Nearly(word, "updated") || envelope.Nearly(word, "update")
}

// padded makes a conflict marker with too few signs one with enough of them: "<<<< HEAD". Anything else is returned as it is. all says
// that markers other than openers count.
func padded(line string, all bool) string {
	if line == "" || !strings.ContainsRune("<=>", rune(line[0])) || !all && line[0] != '<' || len(line) > maxPadded {
		return line
	}
	sign := line[:1]
	rest := strings.TrimLeft(line, sign)
	n := len(line) - len(rest)
	if n < 3 || n > 4 {
		return line
	}
	switch rest = strings.TrimSpace(rest); sign {
	case "<":
		if rest != "HEAD" && rest != "ORIGINAL" {
			return line
		}
	case "=":
		if rest != "" {
			return line
		}
	case ">":
		if rest != "REPLACE" && (!LikeUpdated([]byte(rest)) || rest == "") {
			return line
		}
	}
	return strings.TrimSpace(strings.Repeat(sign, 7) + " " + rest)
}

// maxPadded is how long a marker with too few signs may be, in bytes.
const maxPadded = 24

// mayPad reports quickly whether a line may be a marker with too few signs.
func mayPad(raw []byte) bool {
	if len(raw) > maxPadded {
		return false
	}
	t := bytes.TrimLeft(raw, " \t")
	return len(t) > 3 && (t[0] == '<' || t[0] == '=' || t[0] == '>') && t[1] == t[0] && t[2] == t[0]
}

// LabelsOld reports whether a line labels the text below it as the one to be replaced: "**Before:**", "Replace this:", "Find the line:".
// "Replace:" and "Change:" may be for either text, and are for the old one where none is above.
func LabelsOld(line []byte) bool {
	label := editLabel(line)
	switch first, _, more := strings.Cut(label, " "); first {
	case "find", "locate", "search", "replace", "change", "update":
		return !more || !saysTo(label)
	}
	return label != "" && (saysOld(label) || strings.HasSuffix(label, "replace this"))
}

// LabelsNew reports whether a line labels the text below it as the one that takes another's place.
func LabelsNew(line []byte) bool {
	label := editLabel(line)
	return label != "" && (saysNew(label) || saysTo(label))
}

// asksForEdit matches a sentence that asks to put the text below it in the place of something: "Now
// replace the function f in a.py with:".
var asksForEdit = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:replace|change|update|modify|rewrite)\b.*\w.*\b(?:with|to|by)\b` +
		`(?:[^\w:]+(?:this|the|following|code))*[^\w:]*:\W*$`)
})

// AsksForEdit reports whether a line is such a sentence.
func AsksForEdit(line []byte) bool {
	return len(line) <= maxLabelLine && bytes.IndexByte(line, ':') >= 0 && asksForEdit().Match(line)
}

// saysTo reports whether a label ends as a request does that goes on with the new text: "change it to", "replace with the following".
func saysTo(label string) bool {
	words := strings.FieldsFunc(label, func(r rune) bool { return !unicode.IsLetter(r) })
	for ; len(words) > 0; words = words[:len(words)-1] {
		switch words[len(words)-1] {
		case "to", "with", "by":
			return true
		case "this", "the", "following", "code":
		default:
			return false
		}
	}
	return false
}
