package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/srpatch/srpatch/apply"
)

// filter answers the requests on stdin.
func (c *command) filter(ctx context.Context) error {
	if len(c.args) > 0 {
		return usagef("filter takes no arguments; it reads stdin")
	}
	if c.env("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(softMemory))
	}
	s := stream{
		workers: runtime.GOMAXPROCS(0), inFlight: inFlight, maxRequest: maxRequest, timeout: c.timeout,
		limits: apply.Limits{FileSize: c.maxSize, FileLines: maxFileLines, Added: maxAdded},
		noMS:   c.noMS, faults: c.stderr, policy: apply.Policy(c.policy), partial: c.partial,
	}
	return s.answerAll(ctx, c.stdin, c.stdout)
}

// stream is how requests are answered.
type stream struct {
	workers    int
	inFlight   int64 // bytes of requests and answers in memory
	maxRequest int   // bytes of a line
	timeout    time.Duration
	limits     apply.Limits
	noMS       bool
	faults     io.Writer // gets the stacks of panics

	// These hold for requests without the key.
	policy  apply.Policy
	partial bool
}

const (
	// inFlight bounds the bytes of requests and answers that wait, however many cores there are.
	inFlight = 16 << 20
	// inWork bounds the bytes of the requests that are worked on; one request may be longer.
	inWork = 4 << 20
	// keepBuffers bounds the bytes of the buffers for lines, and of those for answers, that are
	// used again.
	keepBuffers = 8 << 20
	// softMemory is what the garbage collector keeps the process at if it can. Without a limit,
	// garbage may take as much memory again as is in use.
	softMemory = 128 << 20
	// ahead is how many lines per worker may be in flight: while one takes long, the other workers
	// go on with the lines after it.
	ahead = 32
)

// Limits of one request. The work on it may take some 25 times the length of its line, 200 bytes
// for each line of its files, and 30 times what its blocks add, because that is encoded as well.
const (
	maxRequest   = 32 << 20 // bytes of a line
	maxFileLines = 1 << 20
	maxAdded     = 8 << 20 // bytes
)

// job is one line on its way through filter.
type job struct {
	number  int // of the line, from 1
	line    []byte
	tooLong bool // line is the beginning of a longer one
	out     bytes.Buffer
	stack   []byte // of a panic
	done    chan struct{}

	// turn ends when all lines before this one are answered. Such a line waits for no memory, so
	// that something always moves.
	turn  context.Context
	begin context.CancelFunc
	held  int64 // bytes of room
}

// room is the memory that jobs share.
type room struct {
	jobs    sync.Pool
	waiting *semaphore.Weighted // bytes of requests and answers
	working *semaphore.Weighted // bytes of requests that are worked on
}

// answerAll answers every line of in with one line on out, in the order of the input. The bytes in
// memory are bounded: a line that goes beyond waits until those before it are written, so a huge
// one is answered alone.
func (s *stream) answerAll(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	m := &room{
		jobs:    sync.Pool{New: func() any { return new(job) }},
		waiting: semaphore.NewWeighted(s.inFlight),
		working: semaphore.NewWeighted(inWork),
	}
	todo, order := make(chan *job, ahead*s.workers), make(chan *job, ahead*s.workers)
	var wg sync.WaitGroup
	for range s.workers {
		wg.Go(func() {
			for j := range todo {
				s.work(ctx, j, m)
				close(j.done)
			}
		})
	}
	wg.Go(func() { s.write(out, order, m, cancel) })
	err := s.read(ctx, in, m, func(j *job) {
		todo <- j
		order <- j
	})
	close(todo)
	close(order)
	wg.Wait()
	if err == nil {
		err = context.Cause(ctx)
	}
	return err
}

// read hands on every line of in.
func (s *stream) read(ctx context.Context, in io.Reader, m *room, hand func(*job)) error {
	r := bufio.NewReaderSize(in, 1<<16)
	for number := 1; ; number++ {
		j := m.jobs.Get().(*job)
		var err error
		if j.line, j.tooLong, err = readLine(r, j.line[:0], s.maxRequest); j.line == nil || err != nil {
			return err
		}
		// An answer is about as long as its request.
		j.number, j.held = number, min(2*int64(len(j.line)), s.inFlight)
		if m.waiting.Acquire(ctx, j.held) != nil {
			return context.Cause(ctx)
		}
		j.out.Reset()
		j.stack, j.done = nil, make(chan struct{})
		j.turn, j.begin = context.WithCancel(ctx)
		hand(j)
	}
}

// work answers one line.
func (s *stream) work(ctx context.Context, j *job, m *room) {
	weight := min(int64(len(j.line)), inWork)
	counted := m.working.Acquire(j.turn, weight) == nil
	s.answer(ctx, j)
	if counted {
		m.working.Release(weight)
	}
	more := int64(j.out.Len() - len(j.line))
	if more > 0 && m.waiting.Acquire(j.turn, more) == nil {
		j.held += more
	}
}

// write writes the answers in order. Before it waits for one it flushes, because a program at the
// other end of a pipe may wait for an answer before it sends a request.
func (s *stream) write(
	out io.Writer, order <-chan *job, m *room, fail context.CancelCauseFunc,
) {
	w := bufio.NewWriterSize(out, 1<<16)
	flush := func() {
		if err := w.Flush(); err != nil {
			fail(err)
		}
	}
	defer flush()
	for {
		var j *job
		select {
		case j = <-order:
		default:
			flush()
			j = <-order
		}
		if j == nil {
			return
		}
		j.begin()
		select {
		case <-j.done:
		default:
			flush()
			<-j.done
		}
		if _, err := j.out.WriteTo(w); err != nil {
			fail(err)
		}
		if j.stack != nil {
			fmt.Fprintf(s.faults, "srpatch: line %d of the input: %s", j.number, j.stack)
		}
		m.waiting.Release(j.held)
		if cap(j.line) > keepBuffers/ahead/s.workers {
			j.line = nil
		}
		if j.out.Cap() > keepBuffers/ahead/s.workers {
			j.out = bytes.Buffer{}
		}
		m.jobs.Put(j)
	}
}

// readLine appends the next line of r to buf, without its "\n". It returns nil at the end of the
// input. Of a line with more than most bytes it keeps the beginning, and says so.
func readLine(r *bufio.Reader, buf []byte, most int) (line []byte, tooLong bool, err error) {
	for some := false; ; some = true {
		part, err := r.ReadSlice('\n')
		if room := most + 1 - len(buf); len(part) > room {
			part, tooLong = part[:room], true
		}
		buf = append(buf, part...)
		switch {
		case err == nil:
			return bytes.TrimSuffix(buf, []byte{'\n'}), tooLong, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			if !some && len(part) == 0 {
				return nil, false, nil
			}
			return buf, tooLong, nil
		default:
			return nil, false, fmt.Errorf("reading requests: %w", err)
		}
	}
}
