package main

import (
	"fmt"
	"io"
	"time"
)

// progress is one line on a terminal that shows the progress of a long run. It's erased before
// anything else is printed. A nil progress shows nothing.
type progress struct {
	w     io.Writer
	next  time.Time // nothing is shown before
	shown bool
}

// newProgress returns nil if stderr isn't a terminal, or if questions are asked there.
func (c *command) newProgress() *progress {
	if !isTerminal(c.stderr) || c.env("TERM") == "dumb" || c.quiet || c.interactive {
		return nil
	}
	return &progress{w: c.stderr, next: time.Now().Add(time.Second)}
}

// of returns a function to call with the number of steps done. It shows what the run is doing, and
// how much of it is done, such as "writing: 40%". of returns nil if p is nil.
func (p *progress) of(what string) func(done, total int) {
	if p == nil {
		return nil
	}
	return func(done, total int) {
		if now := time.Now(); now.After(p.next) {
			p.next = now.Add(100 * time.Millisecond)
			p.at(fmt.Sprintf("%s: %d%%", what, 100*done/max(total, 1)))
		}
	}
}

// at shows what the run is doing.
func (p *progress) at(what string) {
	if p != nil {
		p.shown = true
		fmt.Fprintf(p.w, "\r\x1b[Ksrpatch: %s", what)
	}
}

// clear erases the line, if there is one.
func (p *progress) clear() {
	if p != nil && p.shown {
		p.shown = false
		io.WriteString(p.w, "\r\x1b[K")
	}
}
