package parser

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
)

// lines is the input, line by line. buf[pos:] is unread.
type lines struct {
	buf    []byte
	pos    int
	line   int // 1-based number of the line at pos
	reread int // bytes that were read more than once
}

// newLines returns the lines of buf, the first of which has the given number. A byte order mark is
// skipped.
func newLines(buf []byte, line int) lines {
	l := lines{buf: buf, line: line}
	l.splitAtCR()
	if bom := []byte("\ufeff"); bytes.HasPrefix(l.buf, bom) {
		l.pos = len(bom)
	}
	return l
}

// next returns the offset after the end of the next line. ok is false at the end of the input.
func (l *lines) next() (end int, ok bool) {
	return l.lineEnd(l.pos), l.pos < len(l.buf)
}

// lineEnd returns the offset after the end of the line that contains offset.
func (l *lines) lineEnd(offset int) int {
	if i := bytes.IndexByte(l.buf[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(l.buf)
}

// splitAtCR splits the first line at each CR if it is the whole input, because old systems and some
// clipboards end lines with CR alone.
func (l *lines) splitAtCR() {
	if l.lineEnd(0) < len(l.buf) || bytes.IndexByte(text.Chomp(l.buf), '\r') < 0 {
		return
	}
	l.buf = bytes.Clone(l.buf)
	for i, c := range l.buf {
		if c == '\r' && string(l.buf[i:]) != "\r\n" {
			l.buf[i] = '\n'
		}
	}
}

// exhausted reports whether more text was read again than any normal reply needs. That happens if
// each of many blocks seems to contain those after it and is abandoned only at the end of the
// input, which would take quadratic time.
func (l *lines) exhausted() bool { return l.reread > maxAgain*l.pos+freeAgain }

// maxAgain is the number of times that a reply may be read again on average.
const maxAgain = 4

// freeAgain is the number of additional bytes that may be read again, so that short replies are not
// refused.
const freeAgain = 256 << 10
