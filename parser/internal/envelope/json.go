package envelope

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// document is a JSON value that begins at the start of a line: a call, a list of calls, or a line
// of JSON Lines.
type document struct {
	text  []byte
	first int   // the number of its first line
	ends  []int // offsets of the line ends; see index
	seen  jsontext.Role
}

// lineOf returns the index of the line that contains an offset.
func (d *document) lineOf(offset int) int {
	n, _ := slices.BinarySearch(d.ends, offset)
	return n
}

// index records the offsets of the line ends before end in d.ends, for lineOf.
func (d *document) index(end int) {
	for at := 0; ; at++ {
		n := bytes.IndexByte(d.text[at:end], '\n')
		if n < 0 {
			return
		}
		at += n
		d.ends = append(d.ends, at)
	}
}

// mayEdit reports whether the value may be or contain an edit, judging by its keys: those for a
// text, a list of edits, a patch or a command, or those for both a tool and a path.
func (d *document) mayEdit() bool {
	const enough = jsontext.Old | jsontext.New | jsontext.Find | jsontext.Nested | jsontext.Patch |
		jsontext.Command
	const call = jsontext.Tool | jsontext.Path
	return d.seen&enough != 0 || d.seen&call == call
}

// attempted reports whether the keys are certainly those of an edit.
func (d *document) attempted() bool {
	const sides = jsontext.Old | jsontext.New
	return d.seen&jsontext.Strong != 0 || d.seen&jsontext.Path != 0 && d.seen&sides != 0
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
	if len(tail) > 0 && tail[0] != '\n' && len(e.Blocks) > 0 {
		last := &e.Blocks[len(e.Blocks)-1]
		last.Warnings = append(last.Warnings,
			warning.AfterJSON.Say("the text after the JSON value is ignored"))
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
	d := &document{text: text, first: number}
	v, seen, err := jsontext.Parse(text)
	d.seen = seen
	if err != nil {
		return d.refuse(err), 0
	}
	d.index(v.End)
	whole := text[:v.End]
	if len(d.ends) == 0 && !d.mayEdit() && !containsBlock(whole) {
		return nil, 0
	}
	line := func(offset int) int { return number + d.lineOf(offset) }
	r := jsonReader{markers: m, text: text, line: line}
	r.value(v, scope{})
	if r.found() == 0 && seen&jsontext.Path == 0 && containsBlock(whole) { // a model's whole reply
		r.faults = append(r.faults, Fault{Code: diagnosis.Malformed, Line: number,
			Found: mdline.Excerpt(whole), Expected: "blocks as text, outside of JSON",
			Remedy: "take the text of the reply out of the JSON, for example with jq -r"})
	}
	return &Envelope{Lines: len(d.ends) + 1, Blocks: r.blocks, Faults: r.faults}, v.End
}

// refuse returns the envelope of a value that is not valid JSON, has no end, or is too large. It
// returns nil if the line is not an edit.
func (d *document) refuse(err *jsontext.Error) *Envelope {
	const remedyList = "send the edits one by one, with one JSON object per line"
	d.index(err.Offset)
	n := len(d.ends) // number of lines above the error; the envelope consumes them
	start := 0       // offset of the line with the error
	if n > 0 {
		start = d.ends[n-1] + 1
	}
	f := Fault{Code: diagnosis.Malformed, Line: d.first + n, Expected: err.Expected,
		Remedy: "send the call again as valid JSON, or as a SEARCH/REPLACE block, which needs no quoting"}
	cut := err.Offset == len(d.text)
	isEdit := d.attempted() // the keys above the error are certainly those of an edit
	switch {
	case err.TooLarge: // the error is at the end of the value, so its line is consumed, too
		n++
		f = Fault{Code: diagnosis.TooLarge, Line: d.first,
			Found:    "a JSON value that is larger than 8 MiB or has too many parts",
			Expected: "at most 8 MiB", Remedy: remedyList}
	case cut:
		if start == err.Offset && n > 0 { // the text ends in a line end
			n--
			start = bytes.LastIndexByte(d.text[:start-1], '\n') + 1
		}
		isEdit = d.mayEdit() || d.seen&jsontext.Path != 0 // the other keys may be missing
		f.Code, f.Line, f.Remedy = diagnosis.Truncated, d.first+n, remedyList
		f.Found = mdline.Excerpt(d.text[start:])
		n++
	case n == 0 && !isEdit: // the error is in the first line
		return nil
	default:
		f.Found = mdline.Excerpt(d.text[start : err.Offset+1])
	}
	e := &Envelope{Lines: max(n, 1)}
	if isEdit {
		e.Faults = []Fault{f}
	}
	return e
}

// containsBlock reports whether a string in a JSON value contains a whole block, as in the response
// of a model's API.
func containsBlock(text []byte) bool {
	_, rest, ok := bytes.Cut(text, []byte(`<<<<<<< SEARCH\n`))
	return ok && bytes.Contains(rest, []byte(`\n=======\n`)) &&
		bytes.Contains(rest, []byte(`\n>>>>>>> REPLACE`))
}
