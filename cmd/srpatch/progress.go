package main

import (
	"fmt"
	"io"
	"time"
)

const (
	progressAfter = time.Second            // what is done by then is said by its report
	progressEvery = 100 * time.Millisecond // as often as somebody reads it
)

// progress is one line on a terminal that says how far a long run is, and is gone before anything else is printed. A nil one says nothing.
//
// It is drawn by whoever does the work, as the work goes on: there is nothing to stop when a run fails.
type progress struct {
	w     io.Writer
	now   func() time.Time
	next  time.Time
	shown bool
}

// newProgress is the progress of a run; nil if nobody looks at stderr, or is asked questions there.
func (c *command) newProgress() *progress {
	if !isTerminal(c.stderr) || c.env("TERM") == "dumb" || c.quiet || c.interactive {
		return nil
	}
	if p, ok := c.stderr.(*pager); ok { // which is for what stays
		return startProgress(p.out, time.Now)
	}
	return startProgress(c.stderr, time.Now)
}

func startProgress(w io.Writer, now func() time.Time) *progress {
	return &progress{w: w, now: now, next: now().Add(progressAfter)}
}

// of is called with how many steps are done of what the run is at.
func (p *progress) of(what string) func(done, total int) {
	if p == nil {
		return nil
	}
	return func(done, total int) {
		now := p.now()
		if now.Before(p.next) {
			return
		}
		p.next, p.shown = now.Add(progressEvery), true
		fmt.Fprintf(p.w, "\r\x1b[Ksrpatch: %s: %d%%", what, 100*done/max(total, 1))
	}
}

// at says what the run is at, where nothing can say how far.
func (p *progress) at(what string) {
	if p != nil {
		p.shown = true
		fmt.Fprintf(p.w, "\r\x1b[Ksrpatch: %s", what)
	}
}

// clear takes the line away.
func (p *progress) clear() {
	if p != nil && p.shown {
		p.shown = false
		io.WriteString(p.w, "\r\x1b[K")
	}
}
