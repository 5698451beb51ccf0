package attempt

import (
	"bytes"
	"fmt"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
)

// foreign finds the call of an editing tool in a format that is not understood, by its tag.
type foreign struct{ one }

// Watch looks at one line.
func (foreign) Watch(l *Line) *Finding {
	raw := l.Raw
	if l.First == '&' {
		raw = []byte(entities.Replace(string(raw[:min(len(raw), maxCallLine)])))
	}
	tag := foreignTag(raw)
	if tag == "" {
		return nil
	}
	return foreignCall(begun{line: l.At.Line, found: tag})
}

// foreignCall reports the call of a tool that begins with a tag.
func foreignCall(b begun) *Finding {
	b.found = fmt.Sprintf("%q, a tool call", b.found)
	return b.finding(diagnosis.Malformed, "edits in a format that srpatch reads", "send the edit as a block, or put a backtick before the line if it is text")
}

// foreignTag is the tag at the beginning of a line if it shows a call of an editing tool in a format that is not understood;
// "" if there is none.
func foreignTag(raw []byte) string {
	text := bytes.TrimLeft(raw, " \t")
	for _, tag := range [...]string{"<write_to_file>", "<insert_content>", "<search_and_replace>", "<insert_edit_into_file>", "<replace_string_in_file>",
		"<edit_file>", "<create_file>"} {
		if bytes.HasPrefix(text, []byte(tag)) {
			return tag
		}
	}
	if bytes.HasPrefix(text, []byte("<invoke ")) { // all of a call on one line
		for part := range bytes.SplitAfterSeq(text, []byte(">")) {
			if !bytes.HasPrefix(part, []byte("<parameter")) {
				continue
			}
			if tag := foreignTag(part); tag != "" {
				return tag
			}
		}
	}
	for _, begin := range [...]string{`<parameter name="`, "<parameter="} {
		rest, ok := bytes.CutPrefix(text, []byte(begin))
		if !ok {
			continue
		}
		if name := rest[:max(0, bytes.IndexAny(rest, "\">"))]; isEditArgument(string(name)) {
			return string(text[:bytes.IndexByte(text, '>')+1])
		}
	}
	return ""
}

// isEditArgument reports whether an argument of that name occurs in calls of editing tools, and in no other calls.
func isEditArgument(name string) bool {
	role := jsontext.Roles(name)
	return role&jsontext.Old != 0 && role&jsontext.Strong != 0 || role == jsontext.FileText
}
