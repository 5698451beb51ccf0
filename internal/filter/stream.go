// Package filter answers requests to apply an edit to texts: one JSON object in, one answer out,
// and nothing on disk. docs/wire.md describes both. The command and the WebAssembly are built on
// this package, which imports apply, apply/report and parser. Start reading with [Stream] and
// [Request]. If the engine panics in spite of its promise, the answer says so, and the next request
// is answered.
package filter

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/srpatch/srpatch/apply"
)

// Stream holds the settings for answering requests. Zero values are the defaults, except for
// Workers.
type Stream struct {
	Workers  int           // that answer at the same time, at least 1
	InFlight int64         // bytes of requests and answers in memory; 0 for 16 MiB
	Longest  int           // bytes of a line; 0 for [MaxRequest]
	Timeout  time.Duration // for each request without a deadline of its own; 0 for none
	MaxSize  int64         // bytes of a file; 0 for the engine's default
	NoMS     bool          // leaves the time out of the answers, so that they are the same each time
	Faults   io.Writer     // gets the stacks of panics; nil to drop them

	// The values for requests without the key.
	Policy  apply.Policy
	Partial bool
}

const (
	// defaultInFlight limits the bytes of waiting requests and answers, however many cores there
	// are.
	defaultInFlight = 16 << 20
	// inWork limits the bytes of the requests in work. A single request may be longer.
	inWork = 4 << 20
	// keepBuffers limits the bytes of the buffers that are reused, for lines and for answers each.
	keepBuffers = 8 << 20
	// ahead is the number of lines per worker that may be in flight. If one takes long, the other
	// workers go on with the lines after it.
	ahead = 32
)

// SoftMemory is the memory limit that the garbage collector aims for in a process of its own.
// Without a limit, garbage may take as much memory again as is in use.
const SoftMemory = 128 << 20

// Limits of one request. Answering it may take about 25 times the length of its line, 200 bytes for
// each line of its files, and 30 times what its blocks add, because that is encoded as well.
const (
	MaxRequest   = 32 << 20 // bytes of a line
	maxFileLines = 1 << 20
	maxAdded     = 8 << 20 // bytes
)

// job is one line on its way through the stream.
type job struct {
	number  int // of the line, from 1
	line    []byte
	tooLong bool // line is the beginning of a longer one
	out     bytes.Buffer
	stack   []byte // of a panic
	done    chan struct{}

	// turn is done once all lines before this one are answered. From then on the line doesn't wait
	// for memory, so something can always proceed.
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

// Answer answers one line. The answer ends with a line end.
func (s *Stream) Answer(ctx context.Context, line []byte) []byte {
	j := &job{number: 1, line: line, tooLong: len(line) > s.longest()}
	s.answer(ctx, j)
	return j.out.Bytes()
}

// AnswerAll answers every line of in with one line on out, in the order of the input. Memory is
// limited: a line that would exceed the limit waits until those before it are written, so a huge
// one is answered alone.
func (s *Stream) AnswerAll(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	m := &room{
		jobs:    sync.Pool{New: func() any { return new(job) }},
		waiting: semaphore.NewWeighted(s.inFlight()),
		working: semaphore.NewWeighted(inWork),
	}
	todo, order := make(chan *job, ahead*s.Workers), make(chan *job, ahead*s.Workers)
	var wg sync.WaitGroup
	for range s.Workers {
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

// read passes every line of in to hand, as a job from the pool. It waits while the lines and
// answers in flight take too much memory.
func (s *Stream) read(ctx context.Context, in io.Reader, m *room, hand func(*job)) error {
	r := bufio.NewReaderSize(in, 1<<16)
	for number := 1; ; number++ {
		j := m.jobs.Get().(*job)
		var err error
		if j.line, j.tooLong, err = readLine(r, j.line[:0], s.longest()); j.line == nil || err != nil {
			return err
		}
		// An answer is about as long as its request.
		j.number, j.held = number, min(2*int64(len(j.line)), s.inFlight())
		if m.waiting.Acquire(ctx, j.held) != nil {
			return context.Cause(ctx)
		}
		j.out.Reset()
		j.stack, j.done = nil, make(chan struct{})
		j.turn, j.begin = context.WithCancel(ctx)
		hand(j)
	}
}

// work answers one line. It waits for room among the requests in work, and afterwards for memory
// for an answer that is longer than its line, but in both cases only until it's the line's turn.
func (s *Stream) work(ctx context.Context, j *job, m *room) {
	weight := min(int64(len(j.line)), inWork)
	counted := m.working.Acquire(j.turn, weight) == nil // false if the line's turn has come first
	s.answer(ctx, j)
	if counted {
		m.working.Release(weight)
	}
	more := int64(j.out.Len() - len(j.line))
	if more > 0 && m.waiting.Acquire(j.turn, more) == nil {
		j.held += more
	}
}

// write writes the answers in order, until order is closed, and returns the jobs to the pool. It
// flushes before it waits for an answer, because a program at the other end of a pipe may wait for
// that before it sends the next request. If writing fails, it calls fail, and goes on, so that no
// worker waits forever.
func (s *Stream) write(
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
		if j.stack != nil && s.Faults != nil {
			fmt.Fprintf(s.Faults, "srpatch: line %d of the input: %s", j.number, j.stack)
		}
		m.waiting.Release(j.held)
		if cap(j.line) > keepBuffers/ahead/s.Workers { // too large to be kept
			j.line = nil
		}
		if j.out.Cap() > keepBuffers/ahead/s.Workers {
			j.out = bytes.Buffer{}
		}
		m.jobs.Put(j)
	}
}

// readLine appends the next line of r to buf, without its "\n". It returns nil at the end of the
// input. If the line has more than most bytes, it keeps the beginning and sets tooLong.
func readLine(r *bufio.Reader, buf []byte, most int) (line []byte, tooLong bool, err error) {
	for some := false; ; some = true { // some: a part of the line has been read
		part, err := r.ReadSlice('\n')
		if room := most + 1 - len(buf); len(part) > room { // one more byte, for the "\n"
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
			return buf, tooLong || len(buf) > most, nil
		default:
			return nil, false, fmt.Errorf("reading requests: %w", err)
		}
	}
}

func (s *Stream) inFlight() int64 { return cmp.Or(s.InFlight, defaultInFlight) }

func (s *Stream) longest() int { return cmp.Or(s.Longest, MaxRequest) }
