package envelope

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// The words for a call that deletes or moves a file.
const (
	expectedEdit = "an edit, as a call does not delete or move files"
	remedyPatch  = "write the change as a SEARCH/REPLACE block or as a patch"
)

// attrCall is the opening tag of an element whose attributes ask for a file to be deleted or moved:
//
//	<dyad-delete path="a.py"></dyad-delete>      <file path="a.py" action="rename">
type attrCall struct{ taken }

// startAttrCall recognises such a tag at the beginning of a line; nil for any other line.
func startAttrCall(raw []byte, number int) Envelope {
	line := bytes.TrimSpace(raw)
	end := bytes.IndexByte(line[:min(len(line), maxTag)], '>')
	if end < 3 || line[0] != '<' || !mdline.IsLetter(line[1]) || bytes.IndexByte(line[:end], '=') < 0 {
		return nil
	}
	tag, attrs, _ := bytes.Cut(line[1:end], []byte(" "))
	tool := string(tag)
	asks, file := movesOrDeletes(tool), false
	_, sure := kindOf(tool)
	for _, m := range tagAttribute().FindAllSubmatch(attrs, -1) {
		value := string(bytes.Trim(m[2], `"'`))
		switch key := string(m[1]); key {
		case "action", "operation", "type":
			if movesOrDeletes(value) {
				asks, sure = true, sure || key != "type" || tool == "file"
				continue
			}
		}
		file = file || filename.Likely(value)
	}
	f := Fault{Code: diagnosis.Unsupported, Line: number, Found: mdline.Excerpt(raw),
		Expected: expectedEdit, Remedy: remedyPatch}
	switch {
	case !asks || !file:
		return nil
	case !sure: // its name alone may be that of an element of a page
		f = Fault{Code: "like-an-edit", Line: number,
			Doubt: &Doubt{Last: number, What: "text that looks like a tool call"}}
	}
	return &attrCall{taken{lines: 1, faults: []Fault{f}}}
}

// movesOrDeletes reports whether a name has a word for doing so.
func movesOrDeletes(name string) bool {
	for word := range words(name) {
		switch word {
		case "delete", "remove", "move", "rename":
			return true
		}
	}
	return false
}
