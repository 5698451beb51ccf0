package main

import "sync"

// gate bounds the bytes of requests and answers that wait in filter, and those of the requests that are worked on at a time, so that
// memory does not grow with the number of workers. The line whose answer is to be written next never waits, so that something always moves.
type gate struct {
	mu          sync.Mutex
	moved       *sync.Cond
	load, limit int64
	work, most  int64 // bytes of the requests that are worked on
	next        int   // number of the line whose answer is to be written next
	opened      bool
}

func newGate(limit, most int64) *gate {
	g := &gate{limit: limit, most: most}
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

// begin waits until the work on a line of n bytes may add an answer to what waits, and is within what may be worked on. The work ends
// with [gate.end].
func (g *gate) begin(number, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for (g.load > g.limit || g.work > 0 && g.work+int64(n) > g.most) && number != g.next && !g.opened {
		g.moved.Wait()
	}
	g.work += int64(n)
}

// end says that a line of n bytes has an answer of out bytes.
func (g *gate) end(n, out int) {
	g.mu.Lock()
	g.work -= int64(n)
	g.load += int64(out)
	g.mu.Unlock()
	g.moved.Broadcast()
}

// release says that n bytes are written, and wait no more.
func (g *gate) release(n int) {
	g.mu.Lock()
	g.load -= int64(n)
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
