package envelope

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// maxJSON bounds the JSON document that is kept in memory, in bytes.
const maxJSON = 8 << 20

// jsonEnvelope understands one JSON value that begins on a line of its own: an edit call, a list of them, or one line
// of JSON Lines. A value that asks for no edit is prose.
type jsonEnvelope struct {
	markers  Markers
	scan     jsontext.Scanner
	read     int           // how much of the last line belongs to the value
	valid    bool          // the last line is JSON
	seen     jsontext.Role // the roles of all keys so far
	text     []byte        // the lines so far; nil once they are too many
	starts   []int         // the offset in text of each line
	first    int           // the number of the first line
	lines    int
	size     int
	tail     []byte // what follows the value on its last line
	tooLarge bool
	rejected bool
	diags    []Fault
	back     int
}

// startJSON recognises a line that begins with a brace or bracket and goes on as JSON: its first line may be the
// beginning of anything, but a value that it contains entirely has to be an edit.
func startJSON(raw []byte, number int, m Markers) Envelope {
	e := newJSON(number)
	e.markers = m
	e.read, e.valid = e.scan.Scan(raw)
	if !e.valid && !e.attempted() || e.scan.Done() && !e.mayEdit() && !containsBlock(raw) {
		return nil
	}
	return e
}

func newJSON(number int) *jsonEnvelope {
	e := &jsonEnvelope{first: number}
	e.scan.Key = func(raw []byte) { e.seen |= jsontext.Roles(string(raw)) }
	return e
}

// mayEdit says whether the value, as far as its keys show, may be an edit or contain one.
func (e *jsonEnvelope) mayEdit() bool {
	const flat = jsontext.Tool | jsontext.Path
	return e.seen&(jsontext.Old|jsontext.New|jsontext.Nested|jsontext.Patch|jsontext.Command|jsontext.Anchor) != 0 || e.seen&flat == flat
}

func (e *jsonEnvelope) Line(raw []byte, number int) bool {
	if e.lines > 0 { // startJSON has read the first one
		e.read, e.valid = e.scan.Scan(raw)
	}
	if !e.valid {
		if e.attempted() {
			e.diags = append(e.diags, e.malformed(raw, e.read, number))
		}
		e.rejected = true
		if number > e.first {
			e.back = 1
		}
		return true
	}
	e.lines++
	e.size += len(raw)
	e.tooLarge = e.tooLarge || e.size > maxJSON
	if e.tooLarge {
		e.text, e.starts = nil, nil
	} else {
		e.starts = append(e.starts, len(e.text))
		e.text = append(e.text, raw...)
	}
	if !e.scan.Done() {
		return false
	}
	e.tail = bytes.Clone(bytes.TrimSpace(raw[e.read:]))
	return true
}

// containsBlock reports whether a string of a JSON value contains a whole block, as the answer of a model's server does.
func containsBlock(text []byte) bool {
	_, rest, ok := bytes.Cut(text, []byte(`<<<<<<< SEARCH\n`))
	return ok && bytes.Contains(rest, []byte(`\n=======\n`)) && bytes.Contains(rest, []byte(`\n>>>>>>> REPLACE`))
}

// quotedBlock is the fault of such a value.
func quotedBlock(text []byte, line int) Fault {
	return Fault{Code: diagnosis.Malformed, Line: line, Found: mdline.Excerpt(text), Expected: "blocks as text, outside of JSON",
		Remedy: "take the text of the reply out of the JSON, for example with jq -r"}
}

const remedyJSON = "send the call again as valid JSON, or as a SEARCH/REPLACE block, which needs no quoting"

// malformed says what is wrong with a line as JSON at offset n.
func (e *jsonEnvelope) malformed(raw []byte, n, number int) Fault {
	return Fault{Code: diagnosis.Malformed, Line: number, Found: mdline.Excerpt(raw[:min(n+1, len(raw))]),
		Expected: e.scan.Expected(), Remedy: remedyJSON}
}

func (e *jsonEnvelope) Unread() int { return e.back }

// attempted says whether the keys so far are those of an edit.
func (e *jsonEnvelope) attempted() bool {
	return e.seen&jsontext.Strong != 0 || e.seen&jsontext.Path != 0 && e.seen&(jsontext.Old|jsontext.New) != 0
}

func (e *jsonEnvelope) Finish() ([]Block, []Fault) {
	const remedy = "send the edits one by one, a JSON object a line"
	switch {
	case e.rejected:
	case e.tooLarge && e.attempted():
		e.diags = append(e.diags, Fault{Code: diagnosis.TooLarge, Line: e.first, Found: "a JSON value of more than 8 MiB", Expected: "at most 8 MiB", Remedy: remedy})
	case e.tooLarge:
	case !e.scan.Done() && (e.mayEdit() || e.seen&jsontext.Path != 0 || cutKey(e.text)):
		end := e.text[e.starts[len(e.starts)-1]:]
		e.diags = append(e.diags, Fault{Code: diagnosis.Truncated, Line: e.first + e.lines - 1, Found: mdline.Excerpt(end), Expected: e.scan.Expected(), Remedy: remedy})
	case e.scan.Done():
		r := jsonReader{markers: e.markers, text: e.text, line: e.lineOf}
		r.value(jsontext.ValueAt(e.text, 0), jsonContext{})
		if len(e.tail) > 0 && len(r.blocks) > 0 && !bytes.Equal(e.tail, []byte(",")) {
			last := &r.blocks[len(r.blocks)-1]
			last.Warnings = append(last.Warnings, warning.AfterJSON.Say("the text after the JSON value is ignored"))
		}
		if len(r.blocks)+len(r.diags) == 0 && e.seen&jsontext.Path == 0 && containsBlock(e.text) { // with a path it is the content of a file
			r.diags = append(r.diags, quotedBlock(e.text, e.first))
		}
		return r.blocks, r.diags
	}
	return nil, e.diags
}

// cutKey reports whether a value ends inside of its first key, which began as that of a path does.
func cutKey(text []byte) bool {
	key, ok := bytes.CutPrefix(bytes.TrimLeft(bytes.TrimLeft(text, "[ \t\r\n"), "{ \t\r\n"), []byte(`"`))
	return ok && len(key) >= len("fil") && slices.ContainsFunc([]string{"file_path", "filePath", "command", "operations"}, func(name string) bool {
		return strings.HasPrefix(name, string(key))
	})
}

// lineOf is the number of the line in which an offset is.
func (e *jsonEnvelope) lineOf(offset int) int {
	lines, _ := slices.BinarySearch(e.starts, offset+1)
	return e.first + lines - 1
}

// BoundsItself reports whether an envelope bounds what it keeps, so that nobody else has to.
func BoundsItself(e Envelope) bool {
	_, ok := unquoted(e).(*jsonEnvelope)
	return ok
}
