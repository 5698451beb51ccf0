package main

import (
	"context"
	"runtime"
	"runtime/debug"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/filter"
)

// filter answers the requests on stdin.
func (c *command) filter(ctx context.Context) error {
	if c.env("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(filter.SoftMemory))
	}
	s := filter.Stream{
		Workers: runtime.GOMAXPROCS(0), Timeout: c.timeout, MaxSize: c.maxSize,
		NoMS: c.noMS, Faults: c.stderr, Policy: apply.Policy(c.policy), Partial: c.partial,
	}
	return s.AnswerAll(ctx, c.stdin, c.stdout)
}
