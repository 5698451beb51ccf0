package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

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
		limits: apply.Limits{FileSize: c.maxSize, FileLines: maxFileLines, Added: maxAdded}, noMS: c.noMS, faults: c.stderr,
		defaults: settings{
			Policy: apply.Policy(c.policy), Partial: c.partial,
		},
	}
	return s.answerAll(ctx, c.stdin, c.stdout)
}

// stream is how requests are answered.
type stream struct {
	workers    int
	inFlight   int64 // bytes of requests and answers that may be in memory, besides those being worked on
	maxRequest int   // bytes of a line
	timeout    time.Duration
	limits     apply.Limits
	// defaults are the settings of requests that state none.
	defaults settings
	noMS     bool
	faults   io.Writer // gets the stacks of panics
}

// answerAll answers every line of in with one line on out, in the order of the input, except for requests that give the order up.
//
// A fixed ring of jobs travels from the reader over the workers to the writer and back, so the number of lines in
// memory is bounded, and the gate bounds their bytes, those of the answers included: a line that would go beyond waits until the
// lines before it are written, so one huge line is answered alone.
func (s *stream) answerAll(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	ring := ahead * s.workers
	free := make(chan *job, ring)
	todo := make(chan *job, ring)
	order := make(chan *job, ring)
	early := make(chan *job) // answered, and not to wait for those before it
	for range ring {
		free <- &job{done: make(chan struct{}, 1)}
	}
	g := newGate(s.inFlight, inWork)
	defer context.AfterFunc(ctx, g.open)()

	var wg sync.WaitGroup
	for range s.workers {
		wg.Go(func() {
			f := newFilterer(s)
			for j := range todo {
				g.begin(j.number, len(j.line))
				if f.number = j.number + 1; j.tooLong {
					j.out = append(j.out[:0], f.tooLong(j.line)...)
				} else {
					j.out = append(j.out[:0], f.answer(ctx, j.line)...)
				}
				j.stack, f.stack = f.stack, nil
				unordered := f.req.Unordered
				f.rest()
				g.end(len(j.line), len(j.out))
				if unordered {
					early <- j
				}
				j.done <- struct{}{}
			}
		})
	}
	wg.Go(func() {
		w := bufio.NewWriterSize(out, 1<<16)
		write := func(j *job) {
			if _, err := w.Write(j.out); err != nil {
				cancel(err)
			}
			if j.stack != nil {
				fmt.Fprintf(s.faults, "srpatch: line %d of the input: %s", j.number+1, j.stack)
			}
			g.release(len(j.line) + len(j.out))
			j.trim(keepLines / ring)
		}
		flush := func() { // where the next answer is not ready: whoever waits at the other end of a pipe gets the others now
			if err := w.Flush(); err != nil {
				cancel(err)
			}
		}
		written := map[*job]bool{} // early
		for j := range inOrder(order, early, flush, func(j *job) { write(j); written[j] = true; flush() }) {
			if !written[j] {
				write(j)
			}
			delete(written, j)
			g.finish(j.number)
			free <- j
		}
		flush()
	})

	err := func() error {
		defer close(order)
		defer close(todo)
		r := bufio.NewReaderSize(in, 1<<16)
		for number := 0; ; number++ {
			var j *job
			select {
			case j = <-free:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			var err error
			if j.line, j.tooLong, err = readLine(r, j.line[:0], s.maxRequest); err != nil {
				return err
			}
			if j.line == nil {
				return nil
			}
			j.number = number
			if g.admit(len(j.line)); ctx.Err() != nil {
				return context.Cause(ctx)
			}
			todo <- j
			order <- j
		}
	}()
	wg.Wait()
	if err == nil {
		err = context.Cause(ctx)
	}
	return err
}

// inOrder yields the jobs of order, each once it is done, and hands those that are early on in between. It calls idle whenever it has
// to wait.
func inOrder(order, early <-chan *job, idle func(), hand func(*job)) iter.Seq[*job] {
	return func(yield func(*job) bool) {
		for {
			var j *job
			for open := true; j == nil; {
				select {
				case j, open = <-order:
				default:
					idle()
					select {
					case j, open = <-order:
					case e := <-early:
						hand(e)
					}
				}
				if !open {
					return
				}
			}
			for done := false; !done; {
				select {
				case <-j.done:
					done = true
				default:
					idle()
					select {
					case <-j.done:
						done = true
					case e := <-early:
						hand(e)
					}
				}
			}
			if !yield(j) {
				return
			}
		}
	}
}

// Bytes of requests and answers, whatever the number of cores.
const (
	// inFlight may wait at a time.
	inFlight = 16 << 20
	// inWork are those of requests that may be worked on at a time; one alone may be longer.
	inWork = 4 << 20
	// keepLines are for buffers of the lines in work that serve again, which are many, and keepWork for those of the workers.
	keepLines, keepWork = 8 << 20, 8 << 20
	// softMemory is what the collector keeps the process at where it can. Without it garbage may come to as much again as is in use, and to
	// more where there are more workers than cores.
	softMemory = 128 << 20
)

// The limits of one request. The work on it may take some 25 times the length of its line, 200 bytes
// for each line of its files, and 30 times what its blocks add, as that is encoded as well.
const (
	maxRequest   = 32 << 20 // bytes of a line
	maxFileLines = 1 << 20
	maxAdded     = 8 << 20 // bytes
)

// ahead is how many lines a worker there may be in work: while one takes long, the other workers go on with those after it.
// With 16, a core idled while the other one was busy with a line that is many times the work of the others.
const ahead = 64

// job is one line on its way through filter.
type job struct {
	number    int // of the line, from 0
	line, out []byte
	tooLong   bool
	stack     []byte // of a panic
	done      chan struct{}
}

// trim forgets a buffer that is larger than half of keep.
func (j *job) trim(keep int) {
	if cap(j.line) > keep/2 {
		j.line = nil
	}
	if cap(j.out) > keep/2 {
		j.out = nil
	}
}

// readLine appends the next line of r to buf, without its "\n". It returns nil at the end of the input. Of a line with more than most
// bytes it keeps the beginning, and says so.
func readLine(r *bufio.Reader, buf []byte, most int) (line []byte, tooLong bool, err error) {
	for some := false; ; some = true {
		part, err := r.ReadSlice('\n')
		if room := most + 1 - len(buf); len(part) > room {
			part, tooLong = part[:room], true
			buf = append(buf, part...)
		} else {
			buf = append(buf, part...)
		}
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
