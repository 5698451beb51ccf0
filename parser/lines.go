package parser

import (
	"bytes"
	"fmt"
	"io"

	"github.com/srpatch/srpatch/internal/text"
)

// lines is the input, line by line. buf[pos:end] is unread.
type lines struct {
	owner     holder
	maxLine   int // more bytes of a line are not kept
	src       io.Reader
	copies    bool // the buffer is reused, so blocks need their own bytes
	buf       []byte
	pos, end  int
	searched  int // no line end in buf[pos:searched]
	line      int // 1-based number of the line at pos
	eof       bool
	err       error
	discarded int // bytes of the input before buf
	reread    int // bytes that were read more than once
}

// holder has offsets into the buffer.
type holder interface {
	// needed is the lowest offset that may still be read.
	needed() int
	// shift moves every offset down.
	shift(n int)
}

const bufferSize = 64 << 10 // more than most replies have

// next makes the next line available and returns the offset after its line end. It may drop the end of a line that is too long.
// It is not ok at the end of the input.
func (l *lines) next() (end int, ok bool) {
	for {
		if i := bytes.IndexByte(l.buf[l.searched:l.end], '\n'); i >= 0 {
			return l.searched + i + 1, true
		}
		l.searched = l.end
		if l.eof {
			return l.end, l.pos < l.end
		}
		if kept := l.pos + l.maxLine + 1; l.end > kept {
			l.discarded += l.end - kept
			l.end, l.searched = kept, kept
		}
		l.fill()
		if l.err != nil {
			return 0, false
		}
	}
}

// fill reads more input. It discards the bytes before the lowest offset that is still needed, if it needs room.
func (l *lines) fill() {
	keep := l.owner.needed()
	if l.end == len(l.buf) || keep > len(l.buf)/2 {
		if l.end-keep > len(l.buf)/2 {
			bigger := make([]byte, 2*len(l.buf))
			copy(bigger, l.buf[keep:l.end])
			l.buf = bigger
		} else {
			copy(l.buf, l.buf[keep:l.end])
		}
		l.discarded += keep
		l.pos, l.end, l.searched = l.pos-keep, l.end-keep, l.searched-keep
		l.owner.shift(keep)
	}
	for range maxEmptyReads {
		n, err := l.src.Read(l.buf[l.end:])
		l.end += n
		if err == io.EOF {
			l.eof = true
			return
		}
		if err != nil {
			l.err = fmt.Errorf("read the reply: %w", err)
			return
		}
		if n > 0 {
			return
		}
	}
	l.err = io.ErrNoProgress
}

const maxEmptyReads = 100

// endsInCR reports whether the first line, which ends at n, is the whole input and has carriage returns in it, with which old
// systems and some clipboards end lines.
func (l *lines) endsInCR(n int) bool {
	if bytes.IndexByte(text.Chomp(l.buf[l.pos:n]), '\r') < 0 {
		return false
	}
	for n == l.end && !l.eof && l.err == nil {
		l.fill()
	}
	return n == l.end && l.eof
}

// splitAtCR splits the first line, which ends at n, at its carriage returns.
func (l *lines) splitAtCR(n int) {
	if !l.copies {
		l.buf = bytes.Clone(l.buf[:l.end])
	}
	for i, c := range l.buf[l.pos:n] {
		if c == '\r' && !bytes.Equal(l.buf[l.pos+i:n], []byte("\r\n")) {
			l.buf[l.pos+i] = '\n'
		}
	}
	l.searched = l.pos
}

// exhausted reports whether more was read again than any reply needs. That happens if each of many blocks seems to contain those
// after it and is given up only at the end of the input, which would take quadratic time.
func (l *lines) exhausted() bool { return l.reread > maxAgain*(l.discarded+l.pos)+freeAgain }

// maxAgain is how often a reply may be read again on average.
const maxAgain = 4

// freeAgain is how much of a short reply may be read again besides, in bytes.
const freeAgain = 256 << 10
