package envelope

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// An edit may say in a word what is to be done with its texts: {"action": "insert_after"}, <edit
// mode="append">. Only a replacement is what two texts stand for by themselves. To read any other
// word as one would write something else than was asked for.

// What is said where another thing than a replacement is asked for.
const (
	ExpectedReplacement = "an old text and its replacement, and no other action"
	RemedyReplacement   = "write the change as a SEARCH/REPLACE block, with the lines that stay in both parts"
)

// deed is a key next to an edit, or an attribute of its tag, and the value there.
type deed struct{ key, value string }

// saysDeed reports whether a key says by its value what is to be done.
func saysDeed(key string) bool {
	last := ""
	for word := range words(key) {
		last = word
	}
	switch last {
	case "action", "op", "operation", "mode", "type", "kind", "position", "placement", "where", "command":
		return true
	}
	return isTrial(key)
}

// isTrial reports whether a key says by its value whether anything is to be done at all.
func isTrial(key string) bool {
	switch strings.ToLower(strings.Join(slices.Collect(words(key)), "")) {
	case "dryrun", "preview", "previewonly", "simulate":
		return true
	}
	return false
}

// opsOf are the operations that a word of a name stands for; known is false for a word that is not
// in the table, and ops is nil for one that says nothing of it.
func opsOf(word string) (ops []Op, known bool) {
	switch word {
	case "insert":
		return []Op{OpInsert, OpAppend}, true
	case "append", "prepend", "before", "after", "above", "below", "top", "bottom", "start", "end", "beginning":
		return []Op{OpInsert, OpAppend}, true
	case "add", "create", "new", "write", "overwrite":
		return []Op{OpCreate, OpInsert, OpAppend}, true
	case "delete", "remove":
		return []Op{OpDelete}, true
	case "move", "rename":
		return []Op{OpMove}, true
	case "wrap", "undo", "revert", "view", "read", "show", "copy", "duplicate", "swap":
		return []Op{}, true
	case "replace", "replacement", "edit", "edits", "multi", "multiedit", "update", "modify", "modification", "change", "patch", "apply", "substitute", "swe",
		"str", "string", "text", "search", "find", "and", "in", "a", "with", "by", "the", "file", "code", "block", "diff", "content", "line", "lines",
		"exact", "literal", "tool", "use", "call", "function", "normal", "default", "none", "auto", "false", "null", "":
		return nil, true
	}
	return nil, false
}

// against reports whether the deed is another one than what a block does. An unknown word counts
// only where strict: next to the edit's own keys.
func (d deed) against(b *Block, strict bool) bool {
	if isTrial(d.key) {
		return !strings.EqualFold(d.value, "false") && d.value != ""
	}
	for field := range strings.FieldsSeq(d.value) {
		for word := range words(field) {
			ops, known := opsOf(word)
			switch {
			case !known && strict, known && ops != nil && !slices.Contains(ops, b.Op) && !(len(b.Replace) == 0 && slices.Contains(ops, OpDelete)):
				return true
			}
		}
	}
	return false
}

// refuseDeeds refuses the blocks of an object, from the one with the given index on, if the object
// says that another thing is to be done.
func (r *jsonReader) refuseDeeds(v jsontext.Value, seen jsontext.Role, from int) {
	for _, m := range v.Members {
		tool := jsontext.Roles(m.Key) == jsontext.Tool
		switch {
		case !tool && !saysDeed(m.Key), holds(m.Value):
			continue
		case len(m.Text) > maxTool && (tool || m.Key == "command"): // a shell's
			continue
		}
		strict := !tool && seen&(jsontext.Path|jsontext.Old|jsontext.New) != 0
		d := deed{m.Key, string(m.Text)}
		against := func(b Block) bool { return d.against(&b, strict) }
		if slices.ContainsFunc(r.blocks[from:], against) {
			r.blocks = r.blocks[:from]
			r.diagnose(diagnosis.Unsupported, v, ExpectedReplacement, RemedyReplacement)
			return
		}
	}
}

// TagDeed reads a line that is a tag, or an element of one line. It reports whether it is one, and
// whether it says that another thing is to be done than the edit does: <edit path="a.py"
// action="insert_after">, <insert_after path="a.py">, <action>insert_after</action>. The type of an
// element may as well be that of the text in it, so there an unknown word says nothing.
func TagDeed(line []byte, edit *Block) (tag, other bool) {
	line = bytes.TrimSpace(line)
	if len(line) > maxTag || len(line) < 3 || line[0] != '<' || line[len(line)-1] != '>' {
		return false, false
	}
	name, opening, rest := mdline.OpeningTag(line)
	if inner, ok := bytes.CutSuffix(rest, []byte("</"+string(name)+">")); ok && saysDeed(string(name)) {
		return true, deed{string(name), string(inner)}.against(edit, true)
	}
	if mdline.FileAttribute(string(opening)) != "" && (deed{"", string(name)}).against(edit, false) {
		return true, true
	}
	return true, otherAttribute(opening, edit)
}

// otherAttribute reports whether an attribute of a tag asks for another thing than what a block
// does.
func otherAttribute(tag []byte, b *Block) bool {
	for _, m := range tagAttribute().FindAllSubmatch(tag, -1) {
		d := deed{string(m[1]), string(bytes.Trim(m[2], "\"'"))}
		if saysDeed(d.key) && d.against(b, d.key != "type" && d.key != "kind") {
			return true
		}
	}
	return false
}
