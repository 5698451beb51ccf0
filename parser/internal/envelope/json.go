package envelope

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
)

// mayEdit reports whether a value may be or contain an edit, judging by the roles of its keys: those
// for a text, a list of edits, a patch or a command, or those for both a tool and a path.
func mayEdit(seen jsontext.Role) bool {
	const enough = jsontext.Old | jsontext.New | jsontext.Find | jsontext.Nested | jsontext.Patch |
		jsontext.Command
	const call = jsontext.Tool | jsontext.Path
	return seen&enough != 0 || seen&call == call
}

// attempted reports whether the keys are certainly those of an edit.
func attempted(seen jsontext.Role) bool {
	const sides = jsontext.Old | jsontext.New
	return seen&jsontext.Strong != 0 || seen&jsontext.Path != 0 && seen&sides != 0
}

// readJSON reads the JSON value at the start of text, and those that begin on the line where it
// ends. It returns nil if there is none. The envelope of invalid JSON has the lines up to the
// error. That of a value without an edit has all its lines, because the value is data.
func readJSON(text []byte, number int, m Markers) *Envelope {
	e, end := readValue(text, number, m)
	if e == nil {
		return nil
	}
	tail := afterValue(text, end)
	for len(tail) > 0 && (tail[0] == '{' || tail[0] == '[') {
		next, n := readValue(tail, number+e.Lines-1, m)
		if next == nil {
			break
		}
		e.Blocks, e.Faults = append(e.Blocks, next.Blocks...), append(e.Faults, next.Faults...)
		e.Lines += next.Lines - 1
		tail = afterValue(tail, n)
	}
	return e
}

// afterValue returns the text after a value that ends at offset end, without leading blanks and a
// comma. If end is 0, it returns nil.
func afterValue(text []byte, end int) []byte {
	if end == 0 {
		return nil
	}
	tail := bytes.TrimLeft(text[end:], " \t\r")
	return bytes.TrimLeft(bytes.TrimPrefix(tail, []byte(",")), " \t\r")
}

// readValue reads the JSON value at the start of text. It returns its envelope and the offset where
// the value ends, or 0 if the value is not valid JSON. e is nil if the value is on one line and its
// keys are not those of an edit.
func readValue(text []byte, number int, m Markers) (e *Envelope, end int) {
	r := jsonReader{tagged: tagged{text: text, first: number, markers: m}}
	v, seen, err := jsontext.Parse(text)
	if err != nil {
		return r.refuseText(seen, err), 0
	}
	whole := text[:v.End]
	if r.line(v.End) == number && !mayEdit(seen) && !containsBlock(whole) {
		return nil, 0
	}
	r.value(v, scope{})
	if r.found() == 0 && seen&jsontext.Path == 0 && containsBlock(whole) { // a model's whole reply
		r.diagnose(diagnosis.Malformed, v, "blocks as text, outside of JSON",
			"take the text of the reply out of the JSON, for example with jq -r")
	}
	return r.endAt(v.End), v.End
}

// refuseText returns the envelope of a value that is not valid JSON, has no end, or is too large.
// seen are the roles of its keys. The envelope is nil if the line is not an edit.
func (r *jsonReader) refuseText(seen jsontext.Role, err *jsontext.Error) *Envelope {
	const remedyList = "send the edits one by one, with one JSON object per line"
	last := min(err.Offset, len(text.Chomp(r.text))) // the text may end in a line end
	found := r.text[r.lineStart(last):min(len(r.text), last+1)]
	end, isEdit := r.lineStart(err.Offset), attempted(seen)
	code, expected := diagnosis.Malformed, err.Expected
	remedy := "send the call again as valid JSON, or as a SEARCH/REPLACE block, which needs no quoting"
	switch {
	case err.TooLarge: // the error is at the end of the value, so its line is consumed, too
		end, last, found = err.Offset, 0, lineOf(r.text)
		code, expected, remedy = diagnosis.TooLarge, "at most 8 MiB, and fewer parts", remedyList
	case err.Offset == len(r.text): // cut off; the other keys may be missing
		end, isEdit = err.Offset, mayEdit(seen) || seen&jsontext.Path != 0
		code, remedy = diagnosis.Truncated, remedyList
	case end == 0 && !isEdit: // the error is in the first line
		return nil
	}
	if isEdit {
		r.tagged.diagnose(code, last, found, expected, remedy)
	}
	return r.endAt(end)
}

// containsBlock reports whether a string in a JSON value contains a whole block, as in the response
// of a model's API.
func containsBlock(text []byte) bool {
	_, rest, ok := bytes.Cut(text, []byte(`<<<<<<< SEARCH\n`))
	return ok && bytes.Contains(rest, []byte(`\n=======\n`)) &&
		bytes.Contains(rest, []byte(`\n>>>>>>> REPLACE`))
}
