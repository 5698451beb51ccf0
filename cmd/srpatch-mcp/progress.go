package main

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	progressAfter = 250 * time.Millisecond // what is done by then is said by its result
	progressEvery = 250 * time.Millisecond
)

// progress tells the client how far a long call is. Each of its phases is one of a total.
type progress struct {
	notify func(done, total float64, what string)
	phases int
	next   time.Time
	last   float64
}

// newProgress is the progress of a call; it says nothing where the client has not asked for it.
func newProgress(ctx context.Context, req *mcp.CallToolRequest) *progress {
	p := &progress{phases: 1, next: time.Now().Add(progressAfter)}
	if token := req.Params.GetProgressToken(); token != nil {
		p.notify = func(done, total float64, what string) {
			// A client that does not take it is told the result all the same.
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: total, Message: what})
		}
	}
	return p
}

// of is called with how many steps are done of what the call is at, its phase counted from 0. What is told never goes back.
func (p *progress) of(phase int, what string) func(done, total int) {
	if p.notify == nil {
		return nil
	}
	return func(done, total int) {
		now, at := time.Now(), float64(phase)+float64(done)/float64(max(total, 1))
		if now.Before(p.next) || at <= p.last {
			return
		}
		p.next, p.last = now.Add(progressEvery), at
		p.notify(at, float64(p.phases), what)
	}
}
