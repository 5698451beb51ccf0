package envelope

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// An edit may have a word that says what to do with its texts: {"action": "insert_after"}, <edit
// mode="append">. Two texts without such a word mean a replacement. If the word for a different
// action were ignored, the wrong change would be written.

// The messages about an edit that requests an action other than a replacement, and about a call
// that deletes or moves a file.
const (
	ExpectedReplacement = "only an old text and its replacement"
	RemedyReplacement   = "write the change as a SEARCH/REPLACE block, with the unchanged lines in both parts"
	expectedEdit        = "an edit, because a call cannot delete or move files"
	remedyPatch         = "write the change as a SEARCH/REPLACE block or as a patch"
)

const (
	// actionKeys are the last words of keys whose value names an action.
	actionKeys = " action op operation mode type kind position placement where command match "
	// trialKeys are the keys whose value says whether the edit is only a dry run.
	trialKeys = " dryrun preview previewonly simulate "
)

// actionRow lists words for an action, with a blank on both sides of each, and the operations that
// they match.
type actionRow struct {
	words string
	fits  []Op
}

// actionRows returns the table of actions. The words in the last row match no operation.
func actionRows() []actionRow {
	return []actionRow{
		{" insert append prepend before after above below top bottom start end beginning ", []Op{OpInsert, OpAppend}},
		{" add create new write overwrite ", []Op{OpCreate, OpInsert, OpAppend}},
		{" delete remove ", []Op{OpDelete}},
		{" move rename ", []Op{OpMove}},
		{" wrap undo revert view read show copy duplicate swap ", nil},
	}
}

// neutral are words that don't change what an edit does.
const neutral = " replace replacement edit edits multi multiedit update modify modification change " +
	"patch apply substitute swe str string text search find and in a with by the file code block diff " +
	"content line lines exact literal tool use call function normal default none auto false null "

// has reports whether a list of words, with blanks around each, contains a word.
func has(words, word string) bool { return strings.Contains(words, " "+word+" ") }

// saysAction reports whether a key's value names an action.
func saysAction(key string) bool {
	last := ""
	for word := range words(key) {
		last = word
	}
	return has(actionKeys, last) || isTrial(key)
}

// isTrial reports whether a key's value says that the edit is only a dry run: dry_run, preview.
func isTrial(key string) bool {
	key = strings.ReplaceAll(strings.ReplaceAll(key, "_", ""), "-", "")
	return has(trialKeys, strings.ToLower(key))
}

// asksOther reports whether the value of a key requests an action that b doesn't perform, or only a
// dry run: "preview" with any value but false. strict says that an unknown word counts as a
// different action.
func asksOther(key, value string, b *Block, strict bool) bool {
	if isTrial(key) {
		return !strings.EqualFold(value, "false") && value != ""
	}
	for field := range strings.FieldsSeq(value) {
		for word := range words(field) {
			if isOther(word, b, strict) {
				return true
			}
		}
	}
	return false
}

// isOther reports whether a word names an action that b doesn't perform. A word for a deletion
// fits any block with an empty REPLACE. strict says that an unknown word counts, too.
func isOther(word string, b *Block, strict bool) bool {
	for _, row := range actionRows() {
		if has(row.words, word) {
			deletes := len(b.Replace) == 0 && slices.Contains(row.fits, OpDelete)
			return !deletes && !slices.Contains(row.fits, b.Op)
		}
	}
	return strict && !has(neutral, word)
}

// refuseOther refuses the blocks of the object v, which begin at index from, if the object requests
// a different action or may have further edits under unknown keys. seen are the roles of its keys.
func (r *jsonReader) refuseOther(v jsontext.Value, seen jsontext.Role, from int) {
	if from == len(r.blocks) {
		return
	}
	for _, m := range v.Members {
		role := jsontext.Roles(m.Key)
		tool := role == jsontext.Tool
		switch {
		case role&(jsontext.Path|jsontext.Old|jsontext.New) != 0:
			continue
		case role == 0 && (isGiven(m.Value) && isEdit(m.Key) || isTurned(m.Key, m.Value)):
			r.blocks = r.blocks[:from]
			r.diagnose(diagnosis.Unsupported, v, "one edit, without "+m.Key,
				"send each edit in a separate call, or as a SEARCH/REPLACE block")
			return
		case !tool && !saysAction(m.Key): // the value names no action
			continue
		case isObjectOrArray(m.Value): // its edits have actions of their own
			continue
		case len(m.Text) > maxTool && (tool || m.Key == "command"): // a shell command
			continue
		}
		// Next to a path or a text, an unknown word says what to do with it.
		strict := !tool && seen&(jsontext.Path|jsontext.Old|jsontext.New) != 0
		other := func(b Block) bool { return asksOther(m.Key, string(m.Text), &b, strict) }
		if slices.ContainsFunc(r.blocks[from:], other) {
			r.blocks = r.blocks[:from]
			r.diagnose(diagnosis.Unsupported, v, ExpectedReplacement, RemedyReplacement)
			return
		}
	}
}

// isGiven reports whether a value is true, or a list, an object or a string that says something. A
// number doesn't count, because it gives a position or a number of places.
func isGiven(v jsontext.Value) bool {
	_, count := number(v)
	says := !count && !has(" false no none null n/a ", strings.ToLower(string(v.Text)))
	return len(v.Members) > 0 || v.Kind == '"' && len(v.Text) > 0 && says || isTrue(v)
}

// isTurned reports whether a key and its value say that the edit is to be made backwards, not at all,
// or only under a condition.
func isTurned(key string, v jsontext.Value) bool {
	switch strings.ToLower(key) {
	case "skip", "reverse", "revert", "undo", "disabled":
		return isTrue(v)
	case "enabled", "active", "apply":
		return strings.EqualFold(string(v.Text), "false")
	case "condition", "only_if", "onlyif":
		return isGiven(v) && !isTrue(v) && !strings.EqualFold(string(v.Text), "always")
	}
	return false
}

// isEdit reports whether a key without a role consists only of words about edits, so that its value
// may be a further edit: old_str_2, insert_before, additional_edits, delete_files, paths.
func isEdit(key string) bool {
	const (
		acts = " old new search replace replacement insert append prepend before after additional extra " +
			"delete remove create rename move edit edits change changes paths "
		objects = " str string text content code line lines block blocks file files path to and then also "
	)
	acting := false
	for word := range words(key) {
		word = strings.TrimRight(word, "0123456789")
		acting = acting || word != "" && has(acts, word)
		if word != "" && !has(acts, word) && !has(objects, word) {
			return false
		}
	}
	return acting
}

// ActionOfTag reports whether a line is a tag or a one-line element (tag), and whether it requests
// an action that edit doesn't perform (other): <edit path="a.py" action="insert_after">,
// <insert_after path="a.py">, <action>insert_after</action>.
func ActionOfTag(line []byte, edit *Block) (tag, other bool) {
	line = bytes.TrimSpace(line)
	if len(line) > maxTag || len(line) < 3 || line[0] != '<' || line[len(line)-1] != '>' {
		return false, false
	}
	element, opening, rest := mdline.OpeningTag(line)
	name := string(element)
	if inner, ok := bytes.CutSuffix(rest, []byte("</"+name+">")); ok && saysAction(name) {
		// The element's text names the action.
		return true, asksOther(name, string(inner), edit, true /* strict */)
	}
	if mdline.FileAttribute(string(opening)) != "" && asksOther("", name, edit, false /* strict */) {
		return true, true // the tag's name does
	}
	return true, asksOtherIn(opening, edit)
}

// asksOtherIn reports whether an attribute of a tag requests an action that b doesn't perform. tag
// is the tag or the attributes in it. An unknown word in the attributes "type" and "kind" is
// ignored, because it may describe the text: <edit type="python">.
func asksOtherIn(tag []byte, b *Block) bool {
	for _, m := range tagAttribute().FindAllSubmatch(tag, -1) {
		key, value := string(m[1]), string(bytes.Trim(m[2], "\"'"))
		strict := key != "type" && key != "kind"
		if saysAction(key) && asksOther(key, value, b, strict) {
			return true
		}
	}
	return false
}
