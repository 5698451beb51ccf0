package attempt

import (
	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// Watcher looks for attempts of one form.
type Watcher interface {
	// Watch looks at a line. It returns what is found once it is certain that an edit was meant, else nil.
	Watch(l *Line) *Finding
	// Notice is told of what happens around the lines, so that what has begun may be forgotten.
	Notice(e Event)
}

// Line is a line outside of blocks.
type Line struct {
	Raw   []byte
	Mark  fsm.Mark // what it is as a marker; known from AtMarker on
	At    fsm.Pos
	First byte         // its first byte after blanks; 0 if there is none
	Signs mdline.Signs // what it has of them
	Asked When
	Scene Scene

	file File // see File
}

// Set makes a line the line at hand. It may be that already, to be looked at again.
func (l *Line) Set(raw []byte, first byte, at fsm.Pos) {
	if l.At.Line != at.Line {
		l.Signs = mdline.SignsOf(raw)
	}
	l.Raw, l.First, l.At, l.file = raw, first, at, nil
}

// File is the file that the reply names for an edit that begins with the line. It is looked for once.
func (l *Line) File() File {
	if l.file == nil {
		l.file = l.Scene.File(l.At)
	}
	return l.file
}

// Scene is what is around a line.
type Scene interface {
	// File is the file that the reply names for an edit that begins at a place.
	File(at fsm.Pos) File
	// LabelAbove is the line above a place, a blank one between them or not.
	LabelAbove(at fsm.Pos) (label []byte, where fsm.Pos)
	// Above has the lines above an offset, nearest first, back to the last block.
	Above(offset int) [][]byte
	// Fence says whether a fence is open, in which line it opened, and whether it is for a programming language.
	Fence() (line int, code, open bool)
}

// File is what the reply says about the file of an edit. It is the parser's own, which gets it back with the [Finding].
type File interface {
	// Path is the name; "" if there is none.
	Path() string
	// Direct says that the name is next to the edit.
	Direct() bool
	// Inherited says that the name is that of the block before.
	Inherited() bool
	// Offered says that there are further names, of this edit alone.
	Offered() bool
}

// Finding is an attempt at an edit.
type Finding struct {
	// Fault says what is wrong, in the line in which the attempt began. Its remedy is to be followed by an example in Dialect.
	envelope.Fault
	Dialect fsm.Dialect
	// File is the file of the edit, which the next block may inherit; nil if that is not known.
	File File
	// Doubtful says that the text may as well only show something: Fault.Found says what it is, up to the line Last, and nothing is refused.
	Doubtful bool
	Last     int
	// Old and New are both texts, where a block that has them would be what the text speaks of.
	Old, New string
	// Named is the file that such a text names itself; "" if it names none.
	Named string
}

// Event is something that happens around the lines.
type Event uint8

const (
	// Begins says that an edit or a thought begins: what looked like one before was none.
	Begins Event = iota
	// Speaks says that the user of a chat log begins to speak.
	Speaks
	// Gives says that an envelope gave edits.
	Gives
)

// begun is a line that may be the first one of an attempt.
type begun struct {
	line  int // its number; 0 if there is none
	found string
	file  File
}

// finding says that an attempt is none that is understood.
func (b begun) finding(code string, expected, remedy string) *Finding {
	return &Finding{Fault: envelope.Fault{Code: code, Line: b.line, Found: b.found, Expected: expected, Remedy: remedy}, Dialect: fsm.Aider, File: b.file}
}

// doubt says that an attempt, which ends in the line last, may be none.
func (b begun) doubt(last int, what string) *Finding {
	return &Finding{Fault: envelope.Fault{Line: b.line, Found: what}, File: b.file, Doubtful: true, Last: last}
}
