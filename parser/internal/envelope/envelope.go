package envelope

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
)

// The names of the foreign formats, as [Block] has them in Dialect.
const (
	V4A     = "v4a"
	Diff    = "diff"
	JSON    = "json"
	Roo     = "roo-xml"
	Zed     = "zed"
	ToolXML = "tool-xml"
)

// Envelope consumes the lines of one foreign edit format (Roo XML, JSON, V4A, unified diff, ...)
// inside a reply.
//
// The scanner hands it line after line until Line says done or the input ends, then calls Finish
// and Unread, once each.
type Envelope interface {
	// Line takes the next line with its line end, and its 1-based number; done says that the
	// envelope needs no more. raw may be reused after the call.
	Line(raw []byte, number int) (done bool)
	// Finish returns what was understood. The blocks carry no ID yet; a block without a Path
	// belongs to the file that the reply names above the envelope.
	Finish() ([]Block, []Fault)
	// Unread is how many of the last lines turned out to be no part of the envelope, at most
	// MaxUnread: they are to be scanned as if they had not been read. The envelope's first line is
	// never among them, so that scanning always advances.
	Unread() int
}

// MaxUnread is the most lines that an envelope gives back: those below a fence that may be a line
// of a diff.
const MaxUnread = 9

// format is a row of the table of formats.
type format struct {
	name  string
	first string // the characters with which an envelope may begin, after blanks
	// start says which envelope begins with a line; nil for none. It must be cheap, for it is asked
	// of many lines.
	start func(raw []byte, number int, m Markers) Envelope
	// read is start for a format that is read at once, from the text that begins with the line.
	read  func(text []byte, number int, m Markers) Envelope
	whole bool // a new file is given as a whole, as there is another operation for adding to one
	files bool // it can delete and move files
	prose bool // it is no format that a model is asked for
}

// formats is the table of all formats. Of those that begin with the same character the first one
// that knows the line takes it.
func formats() []format {
	return []format{
		{name: V4A, first: "*ac$", start: startV4A, whole: true, files: true},
		{name: Diff, first: "d-@", start: startDiff, whole: true, files: true},
		{name: JSON, first: "{[", read: readJSON, whole: true},
		{name: Roo, first: "<", read: readDiffCall},
		{name: Zed, first: "<", read: readZed},
		{name: ToolXML, first: "<", read: readToolCall, whole: true},
		{name: Labelled, first: "*#CFSRcfsr", read: readLabelled, prose: true},
	}
}

var table = formats()

// Formats lists the names of the formats.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		if !f.prose {
			names = append(names, f.name)
		}
	}
	return names
}

// FirstBytes are the bytes, after blanks, with which an envelope may begin.
func FirstBytes() string {
	all := ""
	for _, f := range formats() {
		all += f.first
	}
	return all
}

// createsWhole reports whether a block of the format that creates a file has all of it.
func createsWhole(name string) bool {
	for _, f := range formats() {
		if f.name == name {
			return f.whole
		}
	}
	return false
}

// FormatOfFiles is the format in which files are deleted and moved where edits are in the format
// that is named: that one if it can, or V4A.
func FormatOfFiles(name string) string {
	for _, f := range formats() {
		if f.name == name && f.files {
			return name
		}
	}
	return V4A
}

// Start says which envelope begins with the line at the beginning of a text, which is outside of
// any block; nil for none. only restricts the choice ("" for any); the name of a marker dialect
// rules every envelope out. The line itself is handed to the envelope's Line method afterwards.
func Start(rest []byte, number int, only string, m Markers) Envelope {
	raw := lineOf(rest)
	t := raw[len(text.Margin(raw)):]
	if len(t) == 0 {
		return nil
	}
	for i := range table {
		f := &table[i]
		if strings.IndexByte(f.first, t[0]) < 0 || only != "" && only != f.name {
			continue
		}
		if f.read != nil {
			if e := f.read(rest, number, m); e != nil {
				return e
			}
		} else if e := f.start(raw, number, m); e != nil {
			return e
		}
	}
	return nil
}

// lineOf is the first line of a text, with its line end.
func lineOf(text []byte) []byte {
	return text[:cmp.Or(bytes.IndexByte(text, '\n')+1, len(text))]
}

// numbered is a line of the reply, copied, with its line end and its 1-based number.
type numbered struct {
	text   []byte
	number int
}

// Read understands a text that has only envelopes. firstLine is the number of its first line.
func Read(text []byte, firstLine int, only string, m Markers) (blocks []Block, diags []Fault) {
	return readBy(func(rest []byte, number int) Envelope {
		return Start(rest, number, only, m)
	}, text, firstLine)
}

// readBy is Read for envelopes that start says of, which is given the text from a line on.
func readBy(start func(rest []byte, number int) Envelope, text []byte, first int) (blocks []Block,
	faults []Fault,
) {
	lines := slices.Collect(bytes.Lines(text))
	begin := make([]int, len(lines)) // offsets of the lines
	for i := 1; i < len(lines); i++ {
		begin[i] = begin[i-1] + len(lines[i-1])
	}
	for at := 0; at < len(lines); {
		e := start(text[begin[at]:], first+at)
		if e == nil {
			at++
			continue
		}
		for done := false; !done && at < len(lines); at++ {
			done = e.Line(lines[at], first+at)
		}
		b, f := e.Finish()
		blocks, faults = append(blocks, b...), append(faults, f...)
		at -= e.Unread()
	}
	return blocks, faults
}
