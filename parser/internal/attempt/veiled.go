package attempt

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// veiled finds an edit that would be read if nothing were before it on its line: a sign of a list, a quotation, a heading or a comment,
// the number of the line, or what cannot be seen. One line decides, for it would have decided by itself: JSON that is an edit, the line of
// a patch that names a file, the tag of a text that is to be replaced.
type veiled struct{ one }

// veils are the bytes with which such lines begin.
const veils = ">#/;-+*`\\%<0123456789\xc2\xe2\xef"

// Watch looks at one line.
func (veiled) Watch(l *Line) *Finding {
	json := l.Signs&mdline.Brace != 0
	patch := !json && bytes.Contains(l.Raw, []byte("*** "))
	tag := !json && !patch && l.Signs&mdline.Angle != 0
	if !json && !patch && !tag {
		return nil
	}
	whole := bytes.TrimSpace(l.Raw)
	text := whole[veilLen(whole):]
	if len(text) == len(whole) || len(text) == 0 {
		return nil
	}
	b := begun{line: l.At.Line, found: mdline.Excerpt(l.Raw)}
	if isShown(l) {
		if _, code, open := l.Scene.Fence(); open && code && patch && envelope.NamesFile(text) {
			return b.doubt(l.At.Line, "text that looks like a patch")
		}
		return nil
	}
	switch {
	case json && isJSONEdit(text):
		return b.finding(diagnosis.Malformed, "the JSON alone on its line", "send the edits one by one, a JSON object a line")
	case patch && envelope.NamesFile(text), tag && envelope.OpensSide(text):
		return b.finding(diagnosis.Malformed, "the lines of the edit, with nothing before them", "send the edit again, without what is before its lines")
	}
	return nil
}

// isShown reports whether the line is in a program, or an item of a list or code in a text, which speak of edits.
func isShown(l *Line) bool {
	_, code, open := l.Scene.Fence()
	text := bytes.TrimLeft(l.Raw, " \t")
	item := bytes.IndexByte([]byte("-*+"), text[0]) >= 0 && text[1] == ' '
	return code || !open && (item || bytes.IndexByte(text, '`') >= 0)
}

// maxVeil bounds what may be before an edit on its line, in bytes.
const maxVeil = 400

// veilLen is how long what is before an edit on its line is.
func veilLen(line []byte) int {
	head := string(line[:min(len(line), maxVeil)])
	text := head
	for {
		if rest, ok := strings.CutPrefix(text, "*** Begin Patch"); ok && strings.HasPrefix(strings.TrimLeft(rest, " "), "*** ") {
			text = rest
		}
		bare := strings.TrimLeft(withoutNumber(text), " \t#>/;-+*`\\%\u200b\ufeff\u00a0")
		bare = strings.TrimPrefix(bare, "<!--")
		if strings.HasSuffix(text[:len(text)-len(bare)], "*** ") { // of a patch
			bare = text[len(text)-len(bare)-len("*** "):]
		}
		if len(bare) == len(text) {
			return len(head) - len(text)
		}
		text = bare
	}
}

// withoutNumber removes the number of a line from its beginning: "12 | ", "12: ", "1. ", or a tab after it.
func withoutNumber(text string) string { return text[numberLen(text):] }

// numberLen is how long the number is that withoutNumber removes.
func numberLen[T string | []byte](text T) int {
	digits := 0
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	sign := digits
	for sign < len(text) && text[sign] == ' ' {
		sign++
	}
	switch {
	case digits == 0:
	case digits < len(text) && text[digits] == '\t':
		return digits + 1
	case sign+1 < len(text) && strings.IndexByte("|:.)", text[sign]) >= 0 && (text[sign+1] == ' ' || text[sign+1] == '\t'):
		return sign + 2
	}
	return 0
}

// noMarkers reads no blocks in what an envelope has inside: that it would is enough.
type noMarkers struct{}

func (noMarkers) Read([]byte, int) ([]envelope.Block, []envelope.Fault) { return nil, nil }

// isJSONEdit reports whether a text begins with a JSON object that would be read as an edit.
func isJSONEdit(text []byte) bool {
	s := jsontext.Scanner{Key: func([]byte) {}}
	n, ok := s.Scan(text)
	if !ok || !s.Done() || text[0] != '{' {
		return false
	}
	blocks, _ := envelope.Read(text[:n], 1, envelope.JSON, noMarkers{})
	return len(blocks) > 0
}
