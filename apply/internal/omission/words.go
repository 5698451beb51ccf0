package omission

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
)

// Cues are words, or pairs of words, that show that a remark is about something unchanged or not
// shown. A `*` at the end stands for any ending.
const (
	// strongCues show this on their own.
	strongCues = "unchang* unmodif* untouch* unalter* omit omitted snip snipped elided truncated " +
		"brevity rest remaining remainder existing intact identical abbreviated abridged shortened " +
		"ditto else_chang* else_as as_is no_change* not_change* not_modif* not_shown left_out and_so " +
		"as_before as_was like_before"
	// weakCues may just as well describe what code does.
	weakCues = "keep keeps keeping same stay stays remain remains continue continues again repeat " +
		"repeated further everything previous prior original current other others before above below " +
		"leave leaves retain retains retained preserve preserves preserved more nothing elsewhere " +
		"already old likewise hidden collapsed etc"
	// codeWords are words for code, and count as filler. So do thingWords, but the code below a
	// remark may be about those things.
	codeWords  = "code function functions implementation implementations logic import imports body"
	thingWords = "method methods case cases data items elements entries version section sections file " +
		"files line lines test tests content contents class classes fields properties members " +
		"handlers rules block blocks column columns config configuration styles " +
		"module component script template " +
		"changes behaviour behavior"
	// emptyWords, instead of several lines, describe a REPLACE that should be empty.
	emptyWords = "(empty) <empty> [empty] (nothing) (delete) [delete] (deleted) [deleted] (removed) " +
		"[removed]"
	// fillerWords say nothing about what the code does.
	fillerWords = "the a an of in on for to and or is are was were be it its they them this that these " +
		"those here there all any as at by with from your our my you no not do don does did change " +
		"changed s t so now just go goes will should stay place paste put insert copy add show " +
		"shown see please down after up into until end point over clarity simplicity readability space " +
		"sake part parts definition definitions declarations statements html css markup functionality " +
		"todo fixme note begin start else"
)

// wording classifies the words of a remark.
type wording struct {
	words, strong, weak, unknown int  // number of words of each kind
	code, things                 bool // whether a word is one of codeWords or thingWords
}

// read counts the words of a remark by kind: "rest of the code" has one strong cue, two words of
// filler and a word for code. A pair of words that is a cue counts as one word. Names in known
// count as filler, because a remark may name what is unchanged. A short word in capitals is an
// acronym (REST isn't "rest"), unless the whole remark is in capitals.
func read(m remark, known []string) wording {
	var w wording
	words := strings.FieldsFunc(string(m.text), func(r rune) bool { return !text.IsWordRune(r) })
	numbers := 0
	shouted := bytes.Equal(bytes.ToUpper(m.text), m.text)
	for i := 0; i < len(words); i++ {
		w.words++
		word, pair := strings.ToLower(words[i]), ""
		if i+1 < len(words) {
			pair = word + "_" + strings.ToLower(words[i+1])
		}
		switch {
		case pair != "" && has(strongCues, pair):
			w.strong++
			i++
		case pair != "" && has(weakCues, pair):
			w.weak++
			i++
		case slices.Contains(known, words[i]): // filler
		case strings.Trim(word, "0123456789") == "":
			numbers++
		case !shouted && len(word) > 1 && len(word) < 5 && strings.ToUpper(words[i]) == words[i]:
			if word != "todo" {
				w.unknown++
			}
		case has(strongCues, word):
			w.strong++
		case has(weakCues, word):
			w.weak++
		case has(codeWords, word):
			w.code = true
		case has(thingWords, word):
			w.things = true
		case !has(fillerWords, word):
			w.unknown++
		}
	}
	if w.strong == 0 && !m.dots() {
		w.unknown += numbers // otherwise they're filler, as in "... 5 more lines ..."
	}
	return w
}

// has reports whether the list contains the word, or a prefix of the word followed by `*`.
func has(list, word string) bool {
	for entry := range strings.FieldsSeq(list) {
		stem, open := strings.CutSuffix(entry, "*")
		if entry == word || open && strings.HasPrefix(word, stem) {
			return true
		}
	}
	return false
}
