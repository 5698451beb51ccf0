package parser

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/command"
)

// hereDocument is the text that a shell command is given, up to a line that the command names.
type hereDocument struct {
	start, text int    // offsets of the command and of the text
	path        string // "" if the text goes to a program, or into a patch, which is to be applied
	end         string
	read        int  // offset up to which the end was looked for
	ended       bool // the end is the line before read
}

// hereDocs are the here-documents in a part of the buffer. Each line is looked at once, no matter
// how many edits ask.
type hereDocs struct {
	from, to int // offsets of that part
	found    []hereDocument
}

// openHereDoc finds the here-document that is open at a place, if it begins at or after from.
func (c *context) openHereDoc(from int, at fsm.Pos) *hereDocument {
	h := &c.docs
	h.look(c.in.buf, from, at.Start, c.req.maxFence())
	i, _ := slices.BinarySearchFunc(h.found, from, func(d hereDocument, from int) int { return d.start - from })
	for i < len(h.found) && h.found[i].start < at.Start {
		d := &h.found[i]
		if !d.endsBefore(at.Start, c.in.buf) {
			return d
		}
		for i++; i < len(h.found) && h.found[i].start < d.read; i++ {
		}
	}
	return nil
}

// look makes sure that found has the here-documents that begin in buf[from:end]. Nobody asks for
// those that begin more than most bytes above.
func (h *hereDocs) look(buf []byte, from, end, most int) {
	if from < h.from || from > h.to {
		*h = hereDocs{from, from, h.found[:0]}
	}
	if h.from < end-2*most {
		h.from = end - most
		h.found = slices.DeleteFunc(h.found, func(d hereDocument) bool { return d.start < h.from })
	}
	for h.to < end {
		i := bytes.Index(buf[h.to:end], []byte("<<"))
		if i < 0 {
			h.to = end
			return
		}
		start := h.to + bytes.LastIndexByte(buf[h.to:h.to+i], '\n') + 1
		line, _, _ := bytes.Cut(buf[start:end], []byte("\n"))
		h.to = min(start+len(line)+1, end)
		if path, word, ok := hereDocOf(buf[start:h.to]); ok {
			h.found = append(h.found, hereDocument{start: start, text: h.to, path: path, end: word, read: h.to})
		}
	}
}

// endsBefore reports whether the here-document ends above a line.
func (d *hereDocument) endsBefore(line int, buf []byte) bool {
	for !d.ended && d.read < line {
		i := bytes.Index(buf[d.read:line], []byte(d.end))
		if i < 0 {
			d.read = line
			break
		}
		start := d.read + bytes.LastIndexByte(buf[d.read:d.read+i], '\n') + 1
		last, _, _ := bytes.Cut(buf[start:line], []byte("\n"))
		d.read = min(start+len(last)+1, line)
		d.ended = string(bytes.TrimSpace(last)) == d.end
	}
	return d.ended && d.read <= line
}

// hereDocOf reports whether a line is a command that is given the lines after it, up to the line
// end. file is the one that they are written to; "" if they go to a program, or into a patch, which
// programs apply.
func hereDocOf(raw []byte) (file, end string, ok bool) {
	i := bytes.Index(raw, []byte("<<"))
	if i < 0 || len(raw) > maxShell {
		return "", "", false
	}
	word := strings.TrimLeft(strings.TrimPrefix(string(raw[i+len("<<"):]), "-"), " \t")
	word = strings.TrimPrefix(word, `\`)
	quote := ""
	if word != "" && (word[0] == '\'' || word[0] == '"') {
		quote, word = word[:1], word[1:]
	}
	n := strings.IndexFunc(word, func(r rune) bool {
		return r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if n < 0 {
		n = len(word)
	}
	if end = word[:n]; end == "" || !strings.HasPrefix(word[n:], quote) {
		return "", "", false
	}
	file, _ = command.Edit(raw)
	switch path.Ext(file) {
	case ".patch", ".diff":
		file = ""
	}
	return file, end, true
}
