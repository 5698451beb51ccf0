package envelope

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
)

// quoted is an envelope of which each line has something before it: the mark of a quotation, "> ",
// the border of a box, "| ", or its number, "12 | ", "12: ", "12" and a tab. The envelope is read
// without them, as far as each line has what the first one has, and numbers count up.
type quoted struct {
	Envelope
	mark    string // "> " or "| ", or what follows the number
	counted bool   // the lines have numbers
	number  int    // of the next line
	back    int
}

// quoteBytes are the bytes with which a line that is quoted begins, after blanks.
const quoteBytes = ">|0123456789"

// startQuoted recognises the first line of another envelope behind a mark or a number.
func startQuoted(raw []byte, number int, only string, m Markers) Envelope {
	var head quoted
	bare, ok := head.first(raw)
	if t := bytes.TrimLeft(bare, " \t\r\n"); !ok || len(t) == 0 || t[0] == '{' || t[0] == '[' {
		return nil
	}
	e := &quoted{mark: head.mark, counted: head.counted, number: head.number}
	if e.Envelope = startBare(bare, number, only, m); e.Envelope == nil {
		if e.Envelope = startMarked(bare, m); e.Envelope == nil || only != "" || e.mark[0] == '>' { // quoted markers the grammar knows itself
			return nil
		}
	}
	if _, ok := e.Envelope.(*stray); ok {
		return nil
	}
	return e
}

// first reads the mark or the number of the first line.
func (e *quoted) first(raw []byte) (bare []byte, ok bool) {
	t := bytes.TrimLeft(raw, " \t")
	for _, mark := range [...]string{"> ", "| "} {
		if bare, ok := bytes.CutPrefix(t, []byte(mark)); ok {
			for again, ok := bytes.CutPrefix(bare, []byte("> ")); ok && len(mark) < maxQuotes; again, ok = bytes.CutPrefix(bare, []byte("> ")) {
				bare, mark = again, mark+"> "
			}
			cell := bytes.HasSuffix(bytes.TrimSpace(t), []byte("|")) // a row of a table
			e.mark = mark
			return bare, !cell
		}
	}
	n, rest := leadingNumber(t)
	for _, mark := range [...]string{" | ", "| ", "|", ": ", "\t"} {
		if bare, ok := bytes.CutPrefix(rest, []byte(mark)); ok && n > 0 {
			e.mark, e.counted, e.number = mark, true, n
			return bare, true
		}
	}
	return nil, false
}

// bare takes the mark or the number off a line. Blanks at the end of the mark may be missing where
// nothing follows it.
func (e *quoted) bare(raw []byte) (bare []byte, ok bool) {
	t := bytes.TrimLeft(raw, " \t")
	if e.counted {
		n, rest := leadingNumber(t)
		if n != e.number {
			return nil, false
		}
		t = rest
	}
	if bare, ok := bytes.CutPrefix(t, []byte(e.mark)); ok {
		return bare, true
	}
	if line := text.Chomp(t); string(bytes.TrimSpace(line)) == strings.TrimSpace(e.mark) {
		return t[len(line):], true
	}
	return nil, false
}

// leadingNumber reads the number with which a text begins; n is 0 if there is none.
func leadingNumber(t []byte) (n int, rest []byte) {
	rest = bytes.TrimLeft(t, "0123456789")
	if digits := len(t) - len(rest); digits == 0 || digits > maxNumber {
		return 0, t
	}
	n, _ = strconv.Atoi(string(t[:len(t)-len(rest)]))
	return n, rest
}

// maxQuotes is how long the marks of mail that was answered more than once may be.
const maxQuotes = 8

// maxNumber is how many digits the number of a line may have.
const maxNumber = 7

func (e *quoted) Line(raw []byte, number int) bool {
	bare, ok := e.bare(raw)
	if !ok {
		e.back = 1
		return true
	}
	e.number++
	return e.Envelope.Line(bare, number)
}

func (e *quoted) Finish() ([]Block, []Fault) {
	blocks, faults := e.Envelope.Finish()
	if e.mark[0] == '>' {
		return blocks, faults // as those of markers are
	}
	what := fmt.Sprintf("%q", e.mark)
	if e.counted {
		what = "a number"
	}
	for i := range blocks {
		blocks[i].Warnings = append(blocks[i].Warnings, warning.Margin.Say("each line begins with %s, which was removed", what))
	}
	return blocks, faults
}

func (e *quoted) Unread() int { return min(e.Envelope.Unread()+e.back, MaxUnread) }

// unquoted is the envelope that is quoted, or the envelope itself.
func unquoted(e Envelope) Envelope {
	if q, ok := e.(*quoted); ok {
		return q.Envelope
	}
	return e
}

// marked is a block between markers, of which each line has something before it.
type marked struct {
	markers Markers
	opener  fsm.Mark
	text    []byte
	first   int
}

// startMarked recognises the opener of a block.
func startMarked(bare []byte, m Markers) Envelope {
	if k := fsm.Classify(bare); k.Kind == fsm.Opener && !k.Dialect.Tentative() {
		k.Prefix, k.Rest = nil, nil
		return &marked{markers: m, opener: k}
	}
	return nil
}

func (e *marked) Line(bare []byte, number int) bool {
	if e.first == 0 {
		e.first = number
	}
	e.text = append(e.text, bare...)
	k := fsm.Classify(bare)
	return k.Kind == fsm.Closer && k.Length == e.opener.Length
}

func (e *marked) Finish() ([]Block, []Fault) { return e.markers.Read(e.text, e.first) }

func (e *marked) Unread() int { return 0 }
