package main

import "sync"

// gate bounds the bytes of requests and answers that wait in filter. The line whose answer is to be written next never waits, so
// that something always moves.
type gate struct {
	mu          sync.Mutex
	moved       *sync.Cond
	load, limit int64
	next        int // number of the line whose answer is to be written next
	opened      bool
}

func newGate(limit int64) *gate {
	g := &gate{limit: limit}
	g.moved = sync.NewCond(&g.mu)
	return g
}

// admit waits until n more bytes of requests are within the limit, or nothing else is there, and counts them.
func (g *gate) admit(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.load > 0 && g.load+int64(n) > g.limit && !g.opened {
		g.moved.Wait()
	}
	g.load += int64(n)
}

// begin waits until the work on a line may add an answer to what waits.
func (g *gate) begin(number int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.load > g.limit && number != g.next && !g.opened {
		g.moved.Wait()
	}
}

// add counts n more bytes, or less.
func (g *gate) add(n int) {
	g.mu.Lock()
	g.load += int64(n)
	g.mu.Unlock()
	g.moved.Broadcast()
}

// finish says that the answer to a line is written.
func (g *gate) finish(number int) {
	g.mu.Lock()
	g.next = number + 1
	g.mu.Unlock()
	g.moved.Broadcast()
}

// open ends all waiting, for good.
func (g *gate) open() {
	g.mu.Lock()
	g.opened = true
	g.mu.Unlock()
	g.moved.Broadcast()
}
