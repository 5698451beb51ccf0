package filename

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// InProse yields the file names in a line of prose: first those in backticks, then words with a
// slash or a known extension, ignoring punctuation around them.
func InProse(line []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		if len(line) > MaxLine {
			line = line[:MaxLine]
		}
		if !bytes.ContainsAny(line, "./\\`") && !bytes.Contains(line, []byte("file")) {
			return
		}
		text := strings.TrimSpace(strings.ToValidUTF8(string(line), "?"))
		var outside strings.Builder
		for i, part := range strings.Split(text, "`") {
			if i%2 == 1 {
				if name, how := judge(part, true /* set */); how >= Plain {
					if !yield(name) {
						return
					}
					continue
				}
			}
			outside.WriteString(part + " ")
		}
		for word := range strings.FieldsSeq(outside.String()) {
			word = strings.TrimPrefix(strings.Trim(word, "\"'*_()[],;:!?«»‹›„“”‘’「」『』《》，。："), "file://")
			name, how := OfWord(word)
			if how >= Plain && tellsFile(name) {
				if !yield(name) {
					return
				}
				continue
			}
			if strings.Contains(word, "://") {
				continue
			}
			// The name may be part of a word: "src/a.py，src/b.py", "在src/a.py中".
			for _, inPath := range [...]func(rune) bool{partOfPath, partOfASCIIPath} {
				found := false
				for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return !inPath(r) }) {
					name, how := OfWord(part)
					if len(part) < len(word) && how >= Plain && tellsFile(name) {
						if found = true; !yield(name) {
							return
						}
					}
				}
				if found {
					break
				}
			}
		}
	}
}

// partOfPath reports whether a character is more likely part of a path than next to one.
func partOfPath(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || partOfASCIIPath(r) }

// partOfASCIIPath is like partOfPath, but only for ASCII characters.
func partOfASCIIPath(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
		r < utf8.RuneSelf && strings.ContainsRune(`/\._-+@~`, r)
}

// comparesFile reports whether a line contains a word that introduces a file for comparison:
// "like", "as in".
func comparesFile(line []byte) bool {
	before := ""
	for word := range strings.FieldsSeq(string(line)) {
		if introducesComparison(word) || word == "in" && strings.EqualFold(before, "as") {
			return true
		}
		before = word
	}
	return false
}

// introducesComparison reports whether a word introduces a file for comparison.
func introducesComparison(word string) bool {
	switch strings.ToLower(strings.Trim(word, "(*_,>:")) {
	case "like", "unlike", "see", "mirrors", "mirroring", "matches", "matching", "than", "cf":
		return true
	}
	return false
}
