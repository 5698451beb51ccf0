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

// endsInCR reports whether the first line, which ends at n, is the whole input and contains CRs.
// Old systems and some clipboards end lines with CR alone.
func (l *lines) endsInCR(n int) bool {
	return n == len(l.buf) && bytes.IndexByte(text.Chomp(l.buf[l.pos:n]), '\r') >= 0
}

// splitAtCR splits the first line, which ends at n, at each CR.
func (l *lines) splitAtCR(n int) {
	l.buf = bytes.Clone(l.buf)
	for i, c := range l.buf[l.pos:n] {
		if c == '\r' && !bytes.Equal(l.buf[l.pos+i:n], []byte("\r\n")) {
			l.buf[l.pos+i] = '\n'
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
