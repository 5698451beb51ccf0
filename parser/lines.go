package parser

import "io"

// lines is the input, line by line. buf[pos:end] is unread.
type lines struct {
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
