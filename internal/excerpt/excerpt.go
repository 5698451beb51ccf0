// Package excerpt keeps the beginning and the end of another program's output, as much as a report
// can show.
package excerpt

import (
	"bytes"
	"fmt"
	"strings"
)

// How many bytes of an output's beginning and end are kept. A compiler says what is wrong first, a
// test last.
const (
	maxHead = 16 << 10
	maxTail = 48 << 10
)

// Writer is an [io.Writer] that keeps the beginning and the end of what is written.
type Writer struct {
	head, tail []byte
	dropped    int64 // bytes between them
}

// Write implements [io.Writer].
func (w *Writer) Write(p []byte) (int, error) {
	n := len(p)
	room := min(n, maxHead-len(w.head))
	w.head = append(w.head, p[:room]...)
	w.tail = append(w.tail, p[room:]...)
	if len(w.tail) > 2*maxTail { // seldom, as the rest is moved
		w.trim(len(w.tail) - maxTail)
	}
	return n, nil
}

func (w *Writer) trim(n int) {
	w.tail = append(w.tail[:0], w.tail[n:]...)
	w.dropped += int64(n)
}

// Text returns what was kept, in UTF-8. If something was left out, a line in between says how many
// bytes, and left is that number.
func (w *Writer) Text() (text string, left int64) {
	head, tail, left := w.head, w.tail, w.dropped
	if over := len(tail) - maxTail; over > 0 {
		tail, left = tail[over:], left+int64(over)
	}
	if left == 0 {
		return strings.ToValidUTF8(string(head)+string(tail), "\uFFFD"), 0
	}
	// Leave out whole lines, unless they are very long.
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 {
		left += int64(len(head) - i - 1)
		head = head[:i+1]
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 && i+1 < len(tail) {
		left += int64(i + 1)
		tail = tail[i+1:]
	}
	valid := func(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
	end := ""
	if !bytes.HasSuffix(head, []byte("\n")) {
		end = "\n"
	}
	return fmt.Sprintf("%s%s[%d bytes left out]\n%s", valid(head), end, left, valid(tail)), left
}
