package envelope

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
)

// The names of other tools' formats, used as the Dialect of a [Block].
const (
	V4A     = "v4a"
	Diff    = "diff"
	JSON    = "json"
	Roo     = "roo-xml"
	Zed     = "zed"
	ToolXML = "tool-xml"
)

// Envelope is an edit, or a series of edits, in the format of another tool (Roo XML, JSON, V4A,
// unified diff, ...), or what seemed to be one.
type Envelope struct {
	Lines int // number of lines that belong to it, at least 1
	// Blocks are the edits. They have no ID yet. A block without a Path is for the file that the
	// reply names above the envelope.
	Blocks  []Block
	Faults  []Fault
	Tool    bool // a tool call in tags, or the end of one; in code, such a call is an example
	Label   bool // a pair of labelled texts, which counts only outside fences
	Limited bool // the caller refuses it if it is larger than a block may be

	readOn func() // sets Lines, Blocks and Faults, or nil if they are set
}

// Read reads the edits. Until then, the envelope of a diff or a V4A patch only says that one begins
// there, because it need not be read where it is part of a text that is only shown.
func (e *Envelope) Read() {
	if e.readOn != nil {
		e.readOn()
		e.readOn = nil
	}
}

// diagnose adds a fault at a line.
func (e *Envelope) diagnose(code string, at numbered, expected, remedy string) {
	e.Faults = append(e.Faults, newFault(code, at.number, at.text, expected, remedy))
}

// format is a row of the table of formats.
type format struct {
	name  string
	first string // the characters with which an envelope may begin, after blanks
	// read returns the envelope that begins with the first line of a text, or nil. For a line that
	// begins none, it must be cheap.
	read  func(text []byte, number int, m Markers) *Envelope
	whole bool // a block that creates a file has all of it; adding to a file is another operation
	files bool // the format can delete and move files
	prose bool // models are never asked for this format
}

// formats is the table of all formats. If several can begin with the same character, the first one
// that recognises the line takes it.
var formats = [...]format{
	{name: V4A, first: "*ac$", read: readV4A, whole: true, files: true},
	{name: Diff, first: "d-@", read: readDiff, whole: true, files: true},
	{name: JSON, first: "{[", read: readJSON, whole: true},
	{name: Roo, first: "<", read: readDiffCall},
	{name: Zed, first: "<", read: readZed},
	{name: ToolXML, first: "<", read: readToolCall, whole: true},
	{name: Labelled, first: "*#CFSRcfsr", read: readLabelled, prose: true},
}

// Formats returns the names of the formats, except for labelled texts in prose.
func Formats() []string {
	var names []string
	for _, f := range formats {
		if !f.prose {
			names = append(names, f.name)
		}
	}
	return names
}

// FirstBytes are the bytes with which an envelope may begin, after blanks.
var FirstBytes = firstBytes()

func firstBytes() (all string) {
	for _, f := range formats {
		all += f.first
	}
	return all
}

// formatOf returns the format called name; for markers, which have no row, its fields are false.
func formatOf(name string) format {
	for _, f := range formats {
		if f.name == name {
			return f
		}
	}
	return format{}
}

// FormatOfFiles returns the format that deletes and moves files when edits are in the format called
// name: the same format if it can, otherwise V4A.
func FormatOfFiles(name string) string {
	if formatOf(name).files {
		return name
	}
	return V4A
}

// Start returns the envelope that begins with the first line of rest, or nil. number is the line's
// number.
func Start(rest []byte, number int, m Markers) *Envelope {
	raw := lineOf(rest)
	t := raw[len(text.Margin(raw)):]
	if len(t) == 0 {
		return nil
	}
	for i := range formats {
		f := &formats[i]
		if strings.IndexByte(f.first, t[0]) < 0 {
			continue
		}
		if e := f.read(rest, number, m); e != nil {
			return e
		}
	}
	return nil
}

// lineOf returns the first line of a text, with its line end.
func lineOf(text []byte) []byte {
	return text[:cmp.Or(bytes.IndexByte(text, '\n')+1, len(text))]
}

// MaxSize is the maximum size of an envelope, in bytes. Each line counts LineCost bytes in addition
// to its text, which is about the memory that an envelope needs for it.
const (
	MaxSize  = 64 << 20
	LineCost = 64
)

// numbered is a line of the reply with its line end and its 1-based number.
type numbered struct {
	text   []byte
	number int
}
