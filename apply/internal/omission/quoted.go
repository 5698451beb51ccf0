package omission

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// Remarks may be strings, too: where the language has no comments, as a statement, or as what code fails with.

// quotedCue is the text of line i of d by which something was left out although it is a string, nil if there is none: one that is all of
// the line and no item of a list, or that a call prints or fails with; in JSON one that begins with dots.
func (x *Lexicon) quotedCue(d *strategy.Document, i int) []byte {
	line := bytes.TrimSpace(d.Line(i))
	from := bytes.IndexAny(line, "\"'")
	if from < 0 || !x.runs {
		return nil
	}
	if quotesItsWords(x.name) {
		return x.dotsInString(line)
	}
	n := text.StringLen(line[from:])
	code, after := line[:from], bytes.Trim(line[min(len(line), from+n):], "); ")
	if n < 3 || len(after) > 0 || len(code) > 0 && (bytes.IndexByte(code, '=') >= 0 || !callsToSay(code)) {
		return nil
	}
	said := line[from+1 : from+n-1]
	if w := x.read(stripDecoration(said)); w.unknown > 0 || w.weight < byItself || w.words < 2 {
		return nil
	}
	return said
}

// dotsInString is the text of the last string of line that begins with dots, if it says that something was left out.
func (x *Lexicon) dotsInString(line []byte) []byte {
	at := bytes.LastIndex(line, []byte(`"...`))
	if at < 0 {
		return nil
	}
	said := bytes.TrimRight(line[at+1:], "\"]}), ")
	if w := x.read(stripDecoration(said)); w.ends || w.words == 0 || w.unknown == 0 && w.heaviest >= ofCode {
		return said
	}
	return nil
}

// callsToSay reports whether code calls what prints a text or fails with it.
func callsToSay(code []byte) bool {
	for _, t := range text.Tokens(code) {
		switch word := strings.ToLower(string(t)); {
		case strings.HasPrefix(word, "print"), strings.HasSuffix(word, "error"), strings.HasSuffix(word, "exception"):
			return true
		case slices.Contains([]string{"raise", "throw", "panic", "todo", "unimplemented", "log", "echo", "puts", "fail", "die", "abort"}, word):
			return true
		}
	}
	return false
}

// isCommentKey reports whether t is a comment as JSON has them, a string whose key is no word or says that it is one.
func isCommentKey(t []byte) bool {
	key, value, ok := bytes.Cut(t, []byte(`":`))
	if !ok || len(key) == 0 || key[0] != '"' || !bytes.HasPrefix(bytes.TrimLeft(value, " "), []byte{'"'}) {
		return false
	}
	switch strings.ToLower(string(bytes.Trim(key, `"_$#/*-.…`))) {
	case "", "comment", "comments", "note", "todo":
		return true
	}
	return false
}

// quotesItsWords reports whether no word is bare in a file of this name.
func quotesItsWords(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonc", ".geojson", ".webmanifest", ".ipynb":
		return true
	}
	return false
}
