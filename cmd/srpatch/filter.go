package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// filter answers the requests on stdin.
func (c *command) filter(ctx context.Context) error {
	if len(c.args) > 0 {
		return usagef("filter takes no arguments; it reads stdin")
	}
	return answerAll(ctx, c.stdin, c.stdout, runtime.GOMAXPROCS(0), inFlight)
}

// answerAll answers every line of in with one line on out, in the order of the input, with as many workers as asked for.
//
// A fixed ring of jobs travels from the reader over the workers to the writer and back, so the number of lines in
// memory is bounded, and limit bounds their bytes: a line that would go beyond waits until the lines before it are
// written, so one huge line is answered alone.
func answerAll(ctx context.Context, in io.Reader, out io.Writer, workers int, limit int64) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	ring := ahead * workers
	free := make(chan *job, ring)
	todo := make(chan *job, ring)
	order := make(chan *job, ring)
	for range ring {
		free <- &job{done: make(chan struct{}, 1)}
	}
	var load atomic.Int64 // bytes of input in flight
	drained := make(chan struct{}, 1)

	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			var f filterer
			for j := range todo {
				j.out = append(j.out[:0], f.answer(ctx, j.line)...)
				j.done <- struct{}{}
			}
		})
	}
	wg.Go(func() {
		w := bufio.NewWriterSize(out, 1<<16)
		flush := func() { // where the next answer is not ready: whoever waits at the other end of a pipe gets the others now
			if err := w.Flush(); err != nil {
				cancel(err)
			}
		}
		for {
			var j *job
			var open bool
			select {
			case j, open = <-order:
			default:
				flush()
				j, open = <-order
			}
			if !open {
				flush()
				return
			}
			select {
			case <-j.done:
			default:
				flush()
				<-j.done
			}
			if _, err := w.Write(j.out); err != nil {
				cancel(err)
			}
			load.Add(-int64(len(j.line)))
			j.trim()
			select {
			case drained <- struct{}{}:
			default:
			}
			free <- j
		}
	})

	err := func() error {
		defer close(order)
		defer close(todo)
		r := bufio.NewReaderSize(in, 1<<16)
		for {
			var j *job
			select {
			case j = <-free:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			var err error
			if j.line, err = readLine(r, j.line[:0]); err != nil {
				return err
			}
			if j.line == nil {
				return nil
			}
			for load.Load() > 0 && load.Load()+int64(len(j.line)) > limit {
				select {
				case <-drained:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			load.Add(int64(len(j.line)))
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

// inFlight is how many bytes of input may be in work at a time. An answer and what the decoder makes on the way cost
// a small multiple of it.
const inFlight = 8 << 20

// ahead is how many lines a worker there may be in work: while one takes long, the other workers go on with those after it.
// With 16, a core idled while the other one was busy with a line that is many times the work of the others.
const ahead = 64

// keepLine is [keep] for the lines in work, of which there are many.
const keepLine = keep / 4

// job is one line on its way through filter.
type job struct {
	line, out []byte
	done      chan struct{}
}

func (j *job) trim() {
	if cap(j.line) > keepLine {
		j.line = nil
	}
	if cap(j.out) > keepLine {
		j.out = nil
	}
}

// readLine appends the next line of r to buf, without its "\n". It returns nil at the end of the input. Lines may be as
// long as memory allows.
func readLine(r *bufio.Reader, buf []byte) ([]byte, error) {
	for some := false; ; some = true {
		part, err := r.ReadSlice('\n')
		buf = append(buf, part...)
		switch {
		case err == nil:
			return buf[:len(buf)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			if !some && len(part) == 0 {
				return nil, nil
			}
			return buf, nil
		default:
			return nil, fmt.Errorf("reading requests: %w", err)
		}
	}
}
