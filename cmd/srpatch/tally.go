package main

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/srpatch/srpatch/apply"
)

// tally counts what a stream came to.
type tally struct {
	mu    sync.Mutex
	start time.Time
	sums
}

// sums is what --stats prints.
type sums struct {
	Version  int                   `json:"version"`
	Requests int                   `json:"requests"`
	Outcomes map[apply.Outcome]int `json:"outcomes"`
	// BytesIn and BytesOut are with the ends of lines.
	BytesIn  int64   `json:"bytes_in"`
	BytesOut int64   `json:"bytes_out"`
	Seconds  float64 `json:"seconds"`
}

func newTally() *tally {
	return &tally{start: time.Now(), sums: sums{Version: 1, Outcomes: map[apply.Outcome]int{}}}
}

// count adds a request and its answer.
func (t *tally) count(outcome apply.Outcome, in, out int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Requests++
	t.Outcomes[outcome]++
	t.BytesIn += int64(in)
	t.BytesOut += int64(out)
}

// print writes what was counted, in one line.
func (t *tally) print(w io.Writer) error {
	t.Seconds = time.Since(t.start).Seconds()
	return json.NewEncoder(w).Encode(&t.sums)
}
